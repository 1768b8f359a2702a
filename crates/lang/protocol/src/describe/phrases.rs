//! The parts of steps as they stand in the source, on one line each.

use quotient_core::{Source, Span};
use rustc_hash::FxHashMap;

use crate::syntax::parser;
use crate::syntax::tree::{
    Action, Expression, Kind, Operation, Operator, Position, Side, Step, Value,
};

/// A condition or an action, and the variable of the process itself that it is all about.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    pub(super) text: String,
    /// The variable that a condition compares with a constant, or that an action sets.
    pub(super) about: Option<String>,
    /// Whether it needs parentheses beside others.
    pub(super) is_loose: bool,
}

/// What a step asks and does.
#[derive(Debug, Clone, Default)]
pub(super) struct Phrases {
    /// The parts of the condition, which are joined by `and`.
    pub(super) when: Vec<Phrase>,
    /// The actions of each alternative.
    pub(super) then: Vec<Vec<Phrase>>,
}

/// The phrases of all steps by name. The text was read before, so it can be read again.
pub(super) fn phrases(source: &Source) -> FxHashMap<String, Phrases> {
    let Ok(file) = parser::parse(source) else {
        return FxHashMap::default();
    };
    let writer = Writer { source };
    file.steps
        .iter()
        .map(|step| (step.name.text.clone(), writer.step(step)))
        .collect()
}

struct Writer<'a> {
    source: &'a Source,
}

impl Writer<'_> {
    fn step(&self, step: &Step) -> Phrases {
        let mut when = Vec::new();
        if let Some(guard) = &step.guard {
            self.conjuncts(guard, &mut when);
        }
        let alternative = |actions: &Vec<Action>| actions.iter().map(|a| self.action(a)).collect();
        Phrases {
            when,
            then: step.alternatives.iter().map(alternative).collect(),
        }
    }

    fn conjuncts(&self, expression: &Expression, into: &mut Vec<Phrase>) {
        // A chain of `and` is a tree that leans to the left.
        let mut parts = Vec::new();
        let mut rest = expression;
        while let Kind::Binary(Operator::And, left, right) = &rest.kind {
            parts.push(right.as_ref());
            rest = left;
        }
        parts.push(rest);
        into.extend(parts.into_iter().rev().map(|part| Phrase {
            text: self.slice(part.span),
            about: about(part),
            is_loose: is_loose(part),
        }));
    }

    fn action(&self, action: &Action) -> Phrase {
        let mut set = None;
        let text = match action {
            Action::Assign { target, value } => {
                if target.owner.is_none() {
                    set = Some(target.field.text.clone());
                }
                let owner = target
                    .owner
                    .as_ref()
                    .map(|owner| format!("{}.", owner.text));
                format!(
                    "{}{}{} := {}",
                    owner.unwrap_or_default(),
                    target.field.text,
                    index(target),
                    self.value(value)
                )
            }
            Action::Broadcast {
                name,
                side,
                only,
                assignments,
            } => {
                let side = match side {
                    Side::Left => "left ",
                    Side::Right => "right ",
                    Side::Other => "other ",
                    Side::Child => "child ",
                    Side::Parent => "parent ",
                    Side::Any => "",
                };
                let only = only
                    .as_ref()
                    .map(|only| format!(" where {}", self.slice(only.span)));
                let set = assignments.iter().map(|(target, value)| {
                    let owner = target.owner.as_ref();
                    let owner = owner.map_or(String::new(), |owner| format!("{}.", owner.text));
                    let (field, index) = (&target.field.text, index(target));
                    format!("{owner}{field}{index} := {}", self.value(value))
                });
                format!(
                    "for {side}{}{} {{ {} }}",
                    name.text,
                    only.unwrap_or_default(),
                    set.collect::<Vec<_>>().join(", ")
                )
            }
            Action::Move { who, to } => match to {
                Position::LeftEnd | Position::RightEnd => {
                    format!("move {} to {}", who.text, position(to))
                }
                beside => format!("move {} {}", who.text, position(beside)),
            },
            Action::Create { span, .. } => self.slice(*span),
            Action::Remove { who } => format!("remove {}", who.text),
            Action::Message { message, .. } => format!("send {}", message.text),
            Action::Channel {
                operation,
                channel,
                value,
            } => {
                let verb = match operation {
                    Operation::Push => "push",
                    Operation::Pop => "pop",
                    Operation::Send => "send",
                    Operation::Receive => "receive",
                    Operation::Record => "record",
                };
                format!("{verb} {}({})", channel.text, self.slice(value.span))
            }
        };
        Phrase {
            text,
            about: set,
            is_loose: false,
        }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Exactly(expression) => self.slice(expression.span),
            Value::Any(_, span) => self.slice(*span),
            Value::OneOf(_, span) => format!("any {}", self.slice(*span)),
        }
    }

    /// A piece of the source, on one line and without comments.
    fn slice(&self, span: Span) -> String {
        let text = self.source.text().get(span.range()).unwrap_or_default();
        let lines = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        words.join(" ")
    }
}

fn position(position: &Position) -> String {
    match position {
        Position::LeftEnd => "left end".to_owned(),
        Position::RightEnd => "right end".to_owned(),
        Position::Before(who) => format!("before {}", who.text),
        Position::After(who) => format!("after {}", who.text),
    }
}

/// The variable of the process itself that a condition compares, or asks whether it is true.
fn about(expression: &Expression) -> Option<String> {
    let subject = match &expression.kind {
        Kind::Binary(Operator::Equal | Operator::Different | Operator::In, left, _) => left,
        Kind::Not(inner) => inner,
        _ => expression,
    };
    match &subject.kind {
        Kind::Name(name) => Some(name.clone()),
        _ => None,
    }
}

/// Whether an expression binds more weakly than `and`, or reaches as far as it can.
fn is_loose(expression: &Expression) -> bool {
    matches!(
        &expression.kind,
        Kind::Quantified { .. }
            | Kind::If(..)
            | Kind::Binary(Operator::Or | Operator::Implies | Operator::Iff, ..)
    )
}

/// `[q]` behind a variable that has a value for each process.
fn index(target: &crate::syntax::tree::Target) -> String {
    let index = target.index.as_ref();
    index.map_or(String::new(), |index| format!("[{}]", index.text))
}
