//! Rounds: what `rounds send, receive` adds to a file.
//!
//! A round has parts, one after the other. In each part every process takes one of the steps that are
//! stated to be of this part; when all have, the next part begins, and behind the last a new round.
//! What is under way at the end of a round is gone: whoever takes its step of the last part throws
//! away what was sent to it.

use quotient_core::Span;

use super::faults::{CRASHED, FAULTY};
use super::kinds::{Wrong, binary, for_all, word};
use super::tree::*;

/// The global that says which part of a round it is.
const PART: &str = "part";
/// Whether a process has taken its step of this part.
const ACTED: &str = "acted";

fn named(text: &str, span: Span) -> Name {
    Name {
        text: text.to_owned(),
        span,
    }
}

fn set(owner: Option<&str>, field: &str, value: &str, span: Span) -> (Target, Value) {
    let target = Target {
        owner: owner.map(|owner| named(owner, span)),
        field: named(field, span),
        index: None,
    };
    (target, Value::Exactly(word(value, span)))
}

fn assign(field: &str, value: &str, span: Span) -> Action {
    let (target, value) = set(None, field, value, span);
    Action::Assign { target, value }
}

impl File {
    /// Adds what parts of rounds stand for, but for messages, which are gone at the end of each.
    pub(super) fn add_rounds(&mut self) -> Result<(), Wrong> {
        let parts = self.rounds.clone();
        for step in &mut self.steps {
            step.in_part(&parts, !self.messages.is_empty())?;
        }
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return Ok(());
        };
        if let (1, Some(message)) = (parts.len(), self.messages.first()) {
            let wrong = format!(
                "`{}` has no part of a round to arrive in",
                message.name.text
            );
            let help = "messages are sent in one part and arrive in a later one, as in \
                        `rounds send, receive`";
            return Err((wrong, message.name.span, help));
        }
        let locals = self.kinds.iter().flat_map(|kind| &kind.locals);
        let variables = self.globals.iter().chain(&self.locals).chain(locals);
        let variables: Vec<&str> = variables.map(|one| one.name.text.as_str()).collect();
        if let Some(part) = parts.iter().find(|part| variables.contains(&&*part.text)) {
            let wrong = format!("`{}` is a variable and a part of a round", part.text);
            return Err((wrong, part.span, "give one of them another name"));
        }
        self.everybody_acts(&parts)?;
        let own = self.kinds.iter().filter_map(|kind| kind.faults.as_ref());
        if let Some(faults) = self.faults.iter().chain(own).find(|faults| faults.recover) {
            let wrong = "whoever recovers does not know the round".to_owned();
            let help = "leave out `and recover`, or say without `rounds` who waits for whom";
            return Err((wrong, faults.span, help));
        }
        let span = first.span;
        self.globals.push(Declaration {
            name: named(PART, span),
            paired: false,
            kind: Type::Values(parts.clone()),
            initial: Some(word(&first.text, span)),
        });
        let acted = Declaration {
            name: named(ACTED, span),
            paired: false,
            kind: Type::Bool,
            initial: Some(word("false", span)),
        };
        match self.kinds.is_empty() {
            true => self.locals.push(acted),
            false => {
                let kinds = self.kinds.iter_mut();
                kinds.for_each(|kind| kind.locals.push(acted.clone()));
            }
        }
        let next = parts[1..].iter().chain([first]);
        let ends: Vec<Step> = (parts.iter().zip(next))
            .map(|(part, next)| self.end_of(part, next))
            .collect();
        self.steps.extend(ends);
        self.last_part = Some(last.clone());
        Ok(())
    }

    /// Whoever has no step of a part would keep all others in it for ever.
    fn everybody_acts(&self, parts: &[Name]) -> Result<(), Wrong> {
        let acts = |part: &Name, kind: Option<&str>| {
            let mut steps = self.steps.iter().filter(|step| {
                let own = step.part.as_ref();
                own.is_some_and(|own| own.text == part.text)
            });
            steps.any(|step| {
                let mut of = step.kinds.iter().filter(|(name, _)| name.is_none());
                of.all(|(_, of)| kind.is_none_or(|kind| of.text == kind))
            })
        };
        for part in parts {
            let idle = self
                .kinds
                .iter()
                .find(|kind| !acts(part, Some(&kind.name.text)));
            let (wrong, span) = match (self.kinds.is_empty() && !acts(part, None), idle) {
                (true, _) => (format!("no step is in the part `{}`", part.text), part.span),
                (false, Some(kind)) => {
                    let (kind, part) = (&kind.name, &part.text);
                    let wrong = format!(
                        "no step of the kind `{}` is in the part `{part}`",
                        kind.text
                    );
                    (wrong, kind.span)
                }
                (false, None) => continue,
            };
            let help = "a part ends when everybody has taken a step of it: \
                        add one, as in `step stay in answer: then skip`";
            return Err((wrong, span, help));
        }
        Ok(())
    }

    /// A part is over when everybody has taken a step who can still take one.
    fn end_of(&self, part: &Name, next: &Name) -> Step {
        let span = part.span;
        let somebody = named("somebody", span);
        let is = |variable: &str| Expression {
            kind: Kind::Field(somebody.clone(), named(variable, span)),
            span,
        };
        let fails = |variable: &str| {
            let own = self.kinds.iter().filter_map(|kind| kind.faults.as_ref());
            let mut all = self.faults.iter().chain(own);
            all.any(|faults| faults.variable == variable)
        };
        let mut done = is(ACTED);
        for failed in [CRASHED, FAULTY].into_iter().filter(|one| fails(one)) {
            done = binary(Operator::Or, done, is(failed));
        }
        let now = binary(Operator::Equal, word(PART, span), word(&part.text, span));
        let guard = binary(Operator::And, now, for_all(somebody.clone(), done));
        let anew = Action::Broadcast {
            name: somebody,
            side: Side::Any,
            only: None,
            assignments: vec![set(Some("somebody"), ACTED, "false", span)],
        };
        Step {
            name: named(&format!("end of {}", part.text), span),
            span,
            witnesses: Vec::new(),
            kinds: Vec::new(),
            received: Vec::new(),
            choices: Vec::new(),
            one_by_one: None,
            import: None,
            guard: Some(guard),
            alternatives: vec![vec![assign(PART, &next.text, span), anew]],
            fault: false,
            carried: Vec::new(),
            fairness: Fairness::default(),
            part: None,
        }
    }
}

impl Step {
    /// A step of a part is taken once by each process while that part lasts.
    fn in_part(&mut self, parts: &[Name], messages: bool) -> Result<(), Wrong> {
        let sent = self.alternatives.iter().flatten();
        let mut sent = sent.filter_map(|action| match action {
            Action::Message { message, .. } => Some(message),
            _ => None,
        });
        let sent = sent.next().cloned();
        let Some(part) = &self.part else {
            // It could be sent when its receiver has thrown away all that belongs to the round.
            return match sent {
                Some(message) if !parts.is_empty() => {
                    let wrong = format!("it is not said in which part `{}` is sent", message.text);
                    let help = "messages belong to their round: say `in` which part before the last \
                                this step is taken";
                    Err((wrong, message.span, help))
                }
                _ => Ok(()),
            };
        };
        let span = part.span;
        if !parts.iter().any(|known| known.text == part.text) {
            let wrong = format!("no part of a round is called `{}`", part.text);
            return Err((
                wrong,
                span,
                "declare the parts, as in `rounds send, receive`",
            ));
        }
        if let Some((_, place)) = &self.import {
            let wrong = "a step from a file is of no part of a round".to_owned();
            return Err((wrong, *place, "leave out `in`"));
        }
        let is_last = parts.last().is_some_and(|last| last.text == part.text);
        if let (true, Some(message)) = (messages && is_last, sent) {
            let wrong = format!("`{}` would be gone before it arrives", message.text);
            let help = "send it in an earlier part of the round";
            return Err((wrong, message.span, help));
        }
        let now = binary(Operator::Equal, word(PART, span), word(&part.text, span));
        let not_yet = Expression {
            kind: Kind::Not(Box::new(word(ACTED, span))),
            span,
        };
        let now = binary(Operator::And, now, not_yet);
        self.guard = Some(match self.guard.take() {
            Some(rest) => binary(Operator::And, now, rest),
            None => now,
        });
        for actions in &mut self.alternatives {
            actions.push(assign(ACTED, "true", span));
        }
        Ok(())
    }
}
