//! Operators of PSL in front of their operands, and `abort`.

use quotient_core::Span;
use quotient_logic::{Binary, Interval, Unary};

use super::psl::{ALWAYS, FINALLY, MOST_COPIED, NEXT, Property, until};
use super::{Parsed, Parser};
use crate::syntax::{Psl, Syntax, SyntaxId};

/// The most values of `forall`.
const MOST_INSTANCES: usize = 256;
/// The most occurrences that `next_event` counts.
const MOST_EVENTS: u32 = 64;

impl Parser<'_> {
    /// An operator in front with its operand, if one stands here.
    pub(super) fn psl_prefix(&mut self) -> Parsed<Option<Property>> {
        let span = self.peek().span;
        let Some((word, strong, _, tokens)) = self.temporal_word() else {
            return Ok(None);
        };
        let word = word.to_owned();
        let simple = match word.as_str() {
            "always" | "G" => Some((ALWAYS, Unary::Globally(None))),
            "never" => Some((ALWAYS, Unary::Globally(None))),
            "eventually" if strong => Some((NEXT, Unary::Finally(None))),
            "F" => Some((FINALLY, Unary::Finally(None))),
            "next" => Some((NEXT, Unary::Next)),
            "X" => Some((FINALLY, Unary::Next)),
            _ => None,
        };
        if let Some((level, operator)) = simple {
            self.at += tokens;
            if operator == Unary::Next && self.take_symbol("[") {
                let steps = self.number()?;
                self.expect("]")?;
                return self.psl_bracketed_steps(steps, steps, true).map(Some);
            }
            let operand = self.psl_level(level)?.property();
            let operand = match (word.as_str(), operand) {
                // Of a sequence, what must (not) come is a match.
                ("never" | "eventually", Psl::Matches { sequence, .. }) => Psl::Matches {
                    strong: true,
                    sequence,
                },
                (_, operand) => operand,
            };
            let operand = match word.as_str() {
                "never" => Psl::Not(Box::new(operand)),
                _ => operand,
            };
            return Ok(Some(Psl::unary(operator, operand)));
        }
        match word.as_str() {
            "next_a" | "next_e" => {
                self.at += tokens;
                self.expect("[")?;
                let (from, to) = self.psl_range()?;
                self.expect("]")?;
                let all = word == "next_a";
                self.psl_bracketed_steps(from, to, all).map(Some)
            }
            "next_event" | "next_event_a" | "next_event_e" => {
                self.at += tokens;
                self.psl_next_event(strong, word == "next_event_e")
                    .map(Some)
            }
            "forall" | "forany" => self.psl_forall().map(Some),
            "within" | "whilenot" | "rose" | "fell" | "prev" => {
                let message = format!("`{word}` is not supported");
                Err(self.error("smv-unsupported", message, span))
            }
            _ => Ok(None),
        }
    }

    /// `(p)` after `next[3]`, `next_a[2:4]` and `next_e[2:4]`.
    fn psl_bracketed_steps(&mut self, from: i64, to: i64, all: bool) -> Parsed<Property> {
        let span = self.peek().span;
        self.expect("(")?;
        let operand = self.psl_level(ALWAYS)?.property();
        self.expect(")")?;
        let (Ok(from), Ok(to)) = (u32::try_from(from), u32::try_from(to)) else {
            return Err(self.error("smv-number", "this number is too large", span));
        };
        let steps = Some(Interval { from, to: Some(to) });
        let operator = match all {
            true => Unary::Globally(steps),
            false => Unary::Finally(steps),
        };
        Ok(Psl::unary(operator, operand))
    }

    /// `(b)(p)`, `(b)[2](p)` and `(b)[2:4](p)`: `p` at the first, second, … `b` from here on.
    fn psl_next_event(&mut self, strong: bool, some: bool) -> Parsed<Property> {
        let span = self.peek().span;
        self.expect("(")?;
        let (event, _) = self.expression_of_psl()?;
        self.expect(")")?;
        let (mut from, mut to) = (1, 1);
        if self.take_symbol("[") {
            (from, to) = self.psl_range()?;
            self.expect("]")?;
        }
        self.expect("(")?;
        let operand = self.psl_level(ALWAYS)?.property();
        self.expect(")")?;
        if !(1..=i64::from(MOST_EVENTS)).contains(&from) || to > i64::from(MOST_EVENTS) {
            let message = format!("`next_event` counts from 1 to {MOST_EVENTS}");
            return Err(self.error("smv-unsupported", message, span));
        }
        let event = || Psl::Boolean(event);
        let at_next = |property: Property| {
            let goal = Psl::binary(Binary::And, event(), property);
            Psl::binary(until(strong), Psl::Not(Box::new(event())), goal)
        };
        let join = match some {
            true => Binary::Or,
            false => Binary::And,
        };
        let mut all: Option<Property> = None;
        for count in from..=to {
            let mut one = self.copied(&operand, span)?;
            for left in (0..count).rev() {
                one = at_next(one);
                if left > 0 {
                    one = Psl::unary(Unary::Next, one);
                }
            }
            all = Some(match all {
                None => one,
                Some(before) => Psl::binary(join, before, one),
            });
        }
        all.ok_or_else(|| self.error("smv-empty-range", "the interval is empty", span))
    }

    /// `2` or `2:4`.
    fn psl_range(&mut self) -> Parsed<(i64, i64)> {
        let start = self.peek().span;
        let from = self.number()?;
        let to = match self.take_symbol(":") || self.take_symbol("..") {
            true => self.number()?,
            false => from,
        };
        match to < from {
            true => {
                let message = "the interval ends before it starts";
                Err(self.error("smv-empty-range", message, start))
            }
            false => Ok((from, to)),
        }
    }

    /// `forall i in {0:3, 7} : p`: the same for every value.
    fn psl_forall(&mut self) -> Parsed<Property> {
        let span = self.advance().span;
        let name = self.name()?;
        if self.is_symbol("[") {
            let message = "`forall` over arrays is not supported";
            return Err(self.error("smv-unsupported", message, span));
        }
        if !self.take_word("in") {
            return Err(self.unexpected("`in`"));
        }
        let mut values = Vec::new();
        if self.take_word("boolean") {
            values.extend([Syntax::Boolean(false), Syntax::Boolean(true)]);
        } else {
            self.expect("{")?;
            loop {
                let (from, to) = self.psl_range()?;
                if to - from >= MOST_INSTANCES as i64 {
                    let message = format!("`forall` has more than {MOST_INSTANCES} values");
                    return Err(self.error("smv-unsupported", message, span));
                }
                values.extend((from..=to).map(Syntax::Number));
                if !self.take_symbol(",") {
                    break;
                }
            }
            self.expect("}")?;
        }
        self.expect(":")?;
        let body = self.at;
        let mut all: Option<Property> = None;
        for value in values {
            let size = all.as_ref().map_or(0, Psl::size);
            if size > MOST_COPIED {
                return Err(self.error("smv-unsupported", "this property is too large", span));
            }
            self.at = body;
            self.replicated.push((name.id, value));
            let one = self.psl_level(ALWAYS);
            self.replicated.pop();
            let one = one?.property();
            all = Some(match all {
                None => one,
                Some(before) => Psl::binary(Binary::And, before, one),
            });
        }
        all.ok_or_else(|| self.unexpected("a value"))
    }

    /// `p abort b`: where `b` comes, all that is still to come is fulfilled (or, below a
    /// negation, not fulfilled).
    pub(super) fn aborted(
        &self,
        property: Property,
        when: SyntaxId,
        fulfilled: bool,
        span: Span,
    ) -> Parsed<Property> {
        let inner = |part: Box<Property>, fulfilled| self.aborted(*part, when, fulfilled, span);
        // At the moment of the abort, the part is decided; with `false`, it is so the other way.
        let decided = |part: Property| match fulfilled {
            true => Psl::binary(Binary::Or, Psl::Boolean(when), part),
            false => {
                let not = Psl::Not(Box::new(Psl::Boolean(when)));
                Psl::binary(Binary::And, not, part)
            }
        };
        Ok(match property {
            Psl::Boolean(_) => decided(property),
            Psl::Not(operand) => Psl::Not(Box::new(inner(operand, !fulfilled)?)),
            Psl::Unary(operator @ (Unary::Globally(None) | Unary::Finally(None)), operand) => {
                let part = inner(operand, fulfilled)?;
                let always = matches!(operator, Unary::Globally(_));
                let stop = Psl::Boolean(when);
                let not_yet = Psl::Not(Box::new(stop.clone()));
                match (always, fulfilled) {
                    // For ever, or up to the abort.
                    (true, true) => Psl::binary(Binary::WeakUntil, part, stop),
                    (true, false) | (false, true) => Psl::unary(operator, part),
                    // Before the abort.
                    (false, false) => {
                        let goal = Psl::binary(Binary::And, not_yet.clone(), part);
                        Psl::binary(Binary::Until(None), not_yet, goal)
                    }
                }
            }
            Psl::Unary(operator, operand) => {
                let (from, to) = match operator {
                    Unary::Finally(Some(steps)) | Unary::Globally(Some(steps)) => {
                        (steps.from, steps.to.unwrap_or(steps.from))
                    }
                    _ => (1, 1),
                };
                let part = inner(operand, fulfilled)?;
                self.aborted_steps(operator, part, &decided, (from, to), span)?
            }
            Psl::Binary(operator @ (Binary::Until(None) | Binary::WeakUntil), left, right) => {
                let left = inner(left, fulfilled)?;
                let right = inner(right, fulfilled)?;
                decided(Psl::binary(operator, left, right))
            }
            Psl::Binary(Binary::Implies, left, right) => {
                let left = inner(left, !fulfilled)?;
                Psl::binary(Binary::Implies, left, inner(right, fulfilled)?)
            }
            Psl::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                let left = inner(left, fulfilled)?;
                Psl::binary(operator, left, inner(right, fulfilled)?)
            }
            Psl::Binary(..) | Psl::Matches { .. } | Psl::After(..) => {
                let message = "`abort` is not supported around sequences, `<->` and `xor`";
                return Err(self.error("smv-unsupported", message, span));
            }
        })
    }

    /// `X`, `next_a` and `next_e` step by step, each of which may be the one of the abort.
    fn aborted_steps(
        &self,
        operator: Unary,
        part: Property,
        decided: &dyn Fn(Property) -> Property,
        (from, to): (u32, u32),
        span: Span,
    ) -> Parsed<Property> {
        let join = match operator {
            Unary::Globally(_) => Binary::And,
            _ => Binary::Or,
        };
        if to > MOST_EVENTS {
            let message = format!("`abort` is not supported around more than {MOST_EVENTS} steps");
            return Err(self.error("smv-unsupported", message, span));
        }
        let mut whole = part.clone();
        for step in (0..to).rev() {
            whole = decided(Psl::unary(Unary::Next, whole));
            if step >= from {
                whole = Psl::binary(join, self.copied(&part, span)?, whole);
            }
        }
        Ok(whole)
    }
}
