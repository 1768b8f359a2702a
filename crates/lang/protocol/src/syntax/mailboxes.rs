//! Messages that arrive in the order in which they were sent: what `ordered message` adds to a file.
//!
//! Of each such message, with each value, at most one is under way from one process to another: who
//! sends it again waits until it has been received. So the order is a truth value for each two of
//! them, carried by the sender for the receiver: whether the first was sent before the second. It is
//! false where they are not both under way.

use quotient_core::Span;

use super::kinds::{Wrong, binary, for_all_others, word};
use super::messages::{pair, target};
use super::tree::*;

/// What may have been sent or received: the variable that says whether it is under way, and when it
/// is this one, where that hangs on a value.
pub(super) type Case = (String, Option<Expression>);

/// The messages that keep their order.
#[derive(Default)]
pub(super) struct Mailbox {
    /// The variables that say what is under way.
    kinds: Vec<String>,
}

/// Two messages, the variable that says whether the first was sent before the second, and when a
/// step sends (or takes) the first and the second.
struct Both<'m> {
    first: &'m str,
    before: String,
    cases: [When; 2],
}

/// When a step sends or takes a message.
#[derive(Clone)]
enum When {
    Never,
    Always,
    If(Expression),
}

impl Mailbox {
    pub(super) fn add(&mut self, variables: impl Iterator<Item = String>) {
        self.kinds.extend(variables);
    }

    /// What the sender knows about the order.
    pub(super) fn declarations(&self, span: Span) -> Vec<Declaration> {
        let all = self.pairs().map(|(first, second)| Declaration {
            name: Name {
                text: before(first, second),
                span,
            },
            paired: true,
            kind: Type::Bool,
            initial: Some(word("false", span)),
        });
        all.collect()
    }

    /// The variables that say what was sent before what.
    pub(super) fn orders(&self) -> impl Iterator<Item = String> {
        self.pairs().map(|(first, second)| before(first, second))
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.kinds.iter().enumerate().flat_map(|(number, first)| {
            let later = self.kinds[number + 1..].iter();
            later.map(move |second| (first.as_str(), second.as_str()))
        })
    }

    /// The pairs that a step changes.
    fn changed<'m>(&'m self, cases: &'m [Case]) -> impl Iterator<Item = Both<'m>> {
        let when = |variable: &str| match cases.iter().find(|(known, _)| known == variable) {
            None => When::Never,
            Some((_, None)) => When::Always,
            Some((_, Some(condition))) => When::If(condition.clone()),
        };
        let all = self.pairs().map(move |(first, second)| Both {
            first,
            before: before(first, second),
            cases: [when(first), when(second)],
        });
        all.filter(|both| !both.cases.iter().all(|case| matches!(case, When::Never)))
    }

    /// That what is sent to somebody is not under way already.
    pub(super) fn is_free(&self, cases: &[Case], to: Option<&Name>, receiver: &Name) -> Expression {
        let free = cases.iter().map(|(variable, condition)| {
            let under_way = pair("self", variable, receiver);
            not(match condition {
                None => under_way,
                Some(condition) => binary(Operator::And, condition.clone(), under_way),
            })
        });
        let free = all(free, receiver.span);
        match to {
            Some(_) => free,
            None => for_all_others(receiver.clone(), free),
        }
    }

    /// What becomes of the order when something is sent: it is behind all that is under way.
    pub(super) fn sent(&self, cases: &[Case], receiver: &Name) -> Vec<(Target, Value)> {
        let set = self.changed(cases).map(|both| {
            let first = pair("self", both.first, receiver);
            let old = pair("self", &both.before, receiver);
            let [is_first, is_second] = &both.cases;
            let kept = is_first.unless(is_second.unless(old));
            let new = match is_second {
                When::Never => kept,
                When::Always => first,
                When::If(condition) => {
                    let behind = binary(Operator::And, condition.clone(), first);
                    binary(Operator::Or, behind, kept)
                }
            };
            let target = target("self", &both.before, receiver);
            (target, Value::Exactly(new))
        });
        set.collect()
    }

    /// That nothing was sent before a message that is under way.
    pub(super) fn is_first(&self, variable: &str, from: &Name, own: &Name) -> Expression {
        let ahead = self.pairs().filter_map(|(first, second)| {
            let order = pair(&from.text, &before(first, second), own);
            let under_way = |other: &str| pair(&from.text, other, own);
            match (first == variable, second == variable) {
                (true, _) => Some(binary(Operator::And, under_way(second), not(order))),
                (_, true) => Some(binary(Operator::And, under_way(first), order)),
                _ => None,
            }
        });
        all(ahead.map(not), own.span)
    }

    /// What becomes of the order when something is gone.
    pub(super) fn gone(&self, cases: &[Case], from: &str, own: &Name) -> Vec<(Target, Value)> {
        let set = self.changed(cases).map(|both| {
            let [is_first, is_second] = &both.cases;
            let old = pair(from, &both.before, own);
            let kept = is_first.unless(is_second.unless(old));
            (target(from, &both.before, own), Value::Exactly(kept))
        });
        set.collect()
    }
}

impl When {
    /// An expression that is false in this case, and else what it is.
    fn unless(&self, expression: Expression) -> Expression {
        match self {
            When::Never => expression,
            When::Always => word("false", expression.span),
            When::If(condition) => binary(Operator::And, not(condition.clone()), expression),
        }
    }
}

/// The name of what says that one message was sent before another.
fn before(first: &str, second: &str) -> String {
    format!("{first} before {second}")
}

fn not(inner: Expression) -> Expression {
    let span = inner.span;
    Expression {
        kind: Kind::Not(Box::new(inner)),
        span,
    }
}

fn all(parts: impl Iterator<Item = Expression>, span: Span) -> Expression {
    let all = parts.reduce(|left, right| binary(Operator::And, left, right));
    all.unwrap_or_else(|| word("true", span))
}

/// Who has been sent something in order by one alternative of a step.
#[derive(Default)]
pub(super) struct Sent {
    to: Vec<Option<String>>,
}

impl Sent {
    /// Refuses what would have to be sent in two orders at once.
    pub(super) fn add(
        &mut self,
        message: &Name,
        to: Option<&Name>,
        witnesses: &[(Name, Side)],
        alternatives: usize,
    ) -> Result<(), Wrong> {
        if alternatives > 1 {
            let wrong = format!(
                "`{}` may have to wait, and this step has an alternative",
                message.text
            );
            return Err((wrong, message.span, "write two steps instead of `or then`"));
        }
        let to = to.map(|name| name.text.clone());
        let is_witness = |who: &Option<String>| {
            let who = who.as_deref();
            witnesses.iter().any(|(name, _)| Some(&*name.text) == who)
        };
        let same = |known: &Option<String>| *known == to || !is_witness(known) || !is_witness(&to);
        if self.to.iter().any(same) {
            let wrong = "two ordered messages are sent to one process at once".to_owned();
            return Err((
                wrong,
                message.span,
                "send them one after the other, in two steps",
            ));
        }
        self.to.push(to);
        Ok(())
    }
}
