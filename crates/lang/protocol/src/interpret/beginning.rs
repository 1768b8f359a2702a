//! Whether anything begins, found by trying small instances; and what stands in the way.

use quotient_core::{Budget, Diagnostic, Stop};

use crate::Interpreter;
use crate::model::{Comparison, Condition, Domain, Expr, Initial, Protocol, Topology};

/// Instances with more processes are not tried.
const LARGEST: usize = 6;
/// So much work goes into one question about beginnings.
const MOST_WORK: u64 = 300_000;

/// What small instances say about beginnings.
pub(crate) enum Beginning {
    /// One begins.
    Some,
    /// None of any size begins, because of this.
    Never(Diagnostic),
    /// None of those that were tried begins, perhaps because of this.
    NotSeen(Option<String>),
}

impl Protocol {
    /// Tries to begin with few processes. What is said of some processes and of all is so of fewer,
    /// too, as long as those that there must be stay: so few are enough to know of all.
    pub(crate) fn beginning(&self, budget: &Budget) -> Beginning {
        let budget = &budget.child_with_work(MOST_WORK);
        let free = self.beginning_with(&[], true);
        let allowed: Vec<usize> = (1..=LARGEST)
            .filter(|size| free.begins_with(*size, budget).unwrap_or(true))
            .collect();
        let enough = (self.needed())
            .and_then(|needed| allowed.iter().position(|size| *size >= needed))
            .map(|last| allowed[..=last].to_vec());
        let (sizes, sure) = match enough {
            Some(enough) => (enough, true),
            None => (allowed, false),
        };
        match self.begins_among(&sizes, budget) {
            Ok(true) => return Beginning::Some,
            Err(_) => return Beginning::NotSeen(None),
            Ok(false) => {}
        }
        let conflict = self.conflict(&sizes, budget).ok().flatten();
        match (conflict, sure) {
            (Some(conflict), true) => Beginning::Never(conflict),
            (Some(conflict), false) => {
                let place = conflict.labels.first().map(|label| label.span);
                let text = place.and_then(|span| self.source.text().get(span.range()));
                Beginning::NotSeen(text.map(str::to_owned))
            }
            (None, _) => Beginning::NotSeen(None),
        }
    }

    /// Whether a condition is true of no small instance, whatever variables begin with.
    pub(crate) fn contradicts_itself(&self, number: usize, budget: &Budget) -> bool {
        let budget = &budget.child_with_work(MOST_WORK);
        let sizes: Vec<usize> = (1..=LARGEST).collect();
        let alone = self.beginning_with(&[number], true);
        matches!(alone.begins_among(&sizes, budget), Ok(false))
    }

    /// The same protocol with some of the conditions on its beginning, and perhaps with variables
    /// that begin with any value.
    fn beginning_with(&self, conditions: &[usize], any: bool) -> Protocol {
        let mut protocol = self.clone();
        let kept = |number: &usize| self.initially[*number].clone();
        protocol.initially = conditions.iter().map(kept).collect();
        if any {
            let variables = (protocol.globals.iter_mut()).chain(&mut protocol.fields);
            for variable in variables.chain(&mut protocol.pairs) {
                if let Initial::Values(values) = &mut variable.initial {
                    *values = variable.domain.values();
                }
            }
        }
        protocol
    }

    fn begins_with(&self, size: usize, budget: &Budget) -> Result<bool, Stop> {
        let interpreter = Interpreter::plain(self).within(budget);
        Ok(!interpreter.some_initial(size, 1)?.0.is_empty())
    }

    fn begins_among(&self, sizes: &[usize], budget: &Budget) -> Result<bool, Stop> {
        for size in sizes {
            if self.begins_with(*size, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first condition that leaves nothing, and what it contradicts.
    fn conflict(&self, sizes: &[usize], budget: &Budget) -> Result<Option<Diagnostic>, Stop> {
        let begins = |conditions: &[usize], any: bool| {
            self.beginning_with(conditions, any)
                .begins_among(sizes, budget)
        };
        if !begins(&[], false)? {
            return Ok(None);
        }
        let mut earlier: Vec<usize> = Vec::new();
        for number in 0..self.initially.len() {
            let together = [&earlier[..], &[number]].concat();
            if begins(&together, false)? {
                earlier = together;
                continue;
            }
            let message = "nothing can begin: no first configuration satisfies this";
            let error = Diagnostic::error("no-beginning", message);
            let error = error.at(&self.source, self.initially_places[number], "");
            if !begins(&[number], false)? {
                return Ok(Some(match begins(&[number], true)? {
                    true => error.contradicts_values(),
                    false => error.note("it contradicts itself"),
                }));
            }
            for known in earlier {
                if !begins(&[known, number], false)? {
                    let place = self.initially_places[known];
                    return Ok(Some(error.at(&self.source, place, "it contradicts this")));
                }
            }
            let note = "it contradicts what is said before, taken together";
            return Ok(Some(error.note(note)));
        }
        Ok(None)
    }

    /// So many processes that, if an instance with more begins, one with only these does; nothing
    /// where that cannot be said.
    fn needed(&self) -> Option<usize> {
        let counts = |variable: &crate::model::Variable| variable.domain == Domain::Parameter;
        if !self.constraints.is_empty() || self.globals.iter().any(counts) {
            return None;
        }
        // Whom globals hold, and both ends where there are some.
        let held = self
            .fields
            .iter()
            .filter(|field| field.mark.is_some())
            .count();
        let mut needed = match self.topology {
            Topology::Set => held,
            Topology::Line | Topology::Ring | Topology::Tree => held + 2,
        };
        for condition in &self.initially {
            let Condition::Holds(expr) = condition else {
                return None;
            };
            needed += self.witnesses(expr, true, false)?;
        }
        Some(needed)
    }

    /// How many processes an expression says that there are, if it is true (or false); nothing if it
    /// speaks of what is not so of fewer processes.
    fn witnesses(&self, expr: &Expr, truth: bool, of_each: bool) -> Option<usize> {
        let all = |parts: &[&Expr], truths: &[bool]| {
            let mut sum = 0;
            for part in parts {
                for truth in truths {
                    sum += self.witnesses(part, *truth, of_each)?;
                }
            }
            Some(sum)
        };
        match expr {
            Expr::Constant(_)
            | Expr::Global(_)
            | Expr::Field(..)
            | Expr::Choice(_)
            | Expr::Same(..)
            | Expr::Before(..)
            | Expr::Nobody(_) => Some(0),
            Expr::First(_) | Expr::Last(_) => (self.topology != Topology::Set).then_some(0),
            Expr::Pair(_, _, pair) => self.pairs[*pair].mark.is_none().then_some(0),
            Expr::Not(inner) => self.witnesses(inner, !truth, of_each),
            Expr::And(parts) | Expr::Or(parts) => all(&parts.iter().collect::<Vec<_>>(), &[truth]),
            Expr::Compare(_, left, right) | Expr::Arithmetic(_, left, right) => {
                all(&[left, right], &[true, false])
            }
            Expr::If(condition, yes, no) => all(&[condition, yes, no], &[true, false]),
            Expr::Quantified { exists, body, .. } if *exists == truth => match of_each {
                true => None,
                false => Some(1 + self.witnesses(body, truth, false)?),
            },
            Expr::Quantified { body, .. } => self.witnesses(body, truth, true),
            Expr::Count {
                body,
                comparison,
                number,
                ..
            } => {
                let at_most = matches!(comparison, Comparison::Less | Comparison::LessOrEqual);
                let plain = body.is_of_values_and_identities();
                match plain && self.witnesses(body, true, true) == Some(0) {
                    true if at_most && truth => Some(0),
                    true if !of_each => usize::try_from(*number + 1).ok(),
                    _ => None,
                }
            }
            Expr::Size
            | Expr::Next(..)
            | Expr::Threshold { .. }
            | Expr::HowMany { .. }
            | Expr::Sums(..)
            | Expr::Empty(_)
            | Expr::Matches(..) => None,
        }
    }
}

/// What an error about a beginning says of initial values.
pub(crate) trait AboutValues {
    /// It is the initial values that stand in the way.
    #[must_use]
    fn contradicts_values(self) -> Self;
}

impl AboutValues for Diagnostic {
    fn contradicts_values(self) -> Diagnostic {
        self.note("it contradicts the values that variables begin with")
            .help("`x : T = any` begins with any value, and `initially` chooses")
    }
}
