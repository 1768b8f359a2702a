//! Processes that crash, recover or lie: what `process may …` adds to a file.

use quotient_core::Span;

use super::kinds::{KIND, binary, for_all, is_of_kind, word};
use super::tree::*;

/// What may go wrong with processes.
#[derive(Debug, Clone)]
pub(crate) struct Faults {
    /// The variable that says whether it did.
    pub(crate) variable: &'static str,
    pub(crate) recover: bool,
    /// Of which kind those are that may fail, where there are several kinds.
    pub(crate) of: Option<Name>,
    /// How many at most.
    pub(crate) at_most: Option<Expression>,
    /// Where it is said.
    pub(crate) span: Span,
}

pub(crate) const CRASHED: &str = "crashed";
pub(crate) const FAULTY: &str = "faulty";
/// The step of those who recover, before their kind.
pub(crate) const RECOVER: &str = "recover";

fn named(text: &str, span: Span) -> Name {
    Name {
        text: text.to_owned(),
        span,
    }
}

impl File {
    /// Adds the variables, the steps and the assumptions that faults stand for.
    pub(super) fn add_faults(&mut self) {
        let all = self.faults.clone();
        let mut steps = Vec::new();
        for faults in &all {
            let alone = all
                .iter()
                .filter(|one| one.variable == faults.variable)
                .count()
                == 1;
            let own = match faults.variable == FAULTY {
                true => vec![self.lie(faults)],
                false => self.crash(faults),
            };
            steps.extend(own.into_iter().map(|mut step| {
                if let (false, Some(kind)) = (alone, &faults.of) {
                    step.name.text = format!("{} {}", step.name.text, kind.text);
                }
                step
            }));
            self.add_at_most(faults, alone);
        }
        self.steps.extend(steps);
        for (number, faults) in all.iter().enumerate() {
            if all[..number]
                .iter()
                .all(|one| one.variable != faults.variable)
            {
                let lies = faults.variable == FAULTY;
                self.locals.push(Declaration {
                    name: named(faults.variable, faults.span),
                    paired: false,
                    kind: Type::Bool,
                    initial: Some(word(if lies { "any" } else { "false" }, faults.span)),
                });
            }
        }
        self.only_liars_lie(&all);
    }

    /// Whoever is faulty is of a kind that may be.
    fn only_liars_lie(&mut self, all: &[Faults]) {
        let liars: Vec<&Faults> = all.iter().filter(|one| one.variable == FAULTY).collect();
        let kinds: Option<Vec<&Name>> = liars.iter().map(|one| one.of.as_ref()).collect();
        let (Some(kinds), Some(first)) = (kinds, liars.first()) else {
            return;
        };
        let somebody = named("somebody", first.span);
        let is = kinds.iter().map(|kind| is_of_kind(Some(&somebody), kind));
        // Who is created of another kind is honest as well.
        let all = self.locals.iter().find(|one| one.name.text == KIND);
        let all = match all.map(|one| &one.kind) {
            Some(Type::Values(all)) => all.clone(),
            _ => Vec::new(),
        };
        let others = (all.iter()).filter(|one| kinds.iter().all(|kind| kind.text != one.text));
        let honest = others.map(|kind| {
            let starts = Kind::Set(vec![word("false", kind.span)]);
            let starts = Expression {
                kind: starts,
                span: kind.span,
            };
            (kind.text.clone(), FAULTY.to_owned(), starts)
        });
        self.own_starts.extend(honest);
        let Some(is) = is.reduce(|left, right| binary(Operator::Or, left, right)) else {
            return;
        };
        let fails = Expression {
            kind: Kind::Field(somebody.clone(), named(FAULTY, first.span)),
            span: first.span,
        };
        let body = binary(Operator::Implies, fails, is);
        self.initially
            .push(Condition::Holds(for_all(somebody, body)));
    }

    /// A faulty process sets what it has, and what it has for others, to anything; but what it is
    /// and whom it holds stays.
    fn lie(&self, faults: &Faults) -> Step {
        let span = faults.span;
        let set = |owner: Option<&str>, field: &str, index: Option<&str>| {
            let target = Target {
                owner: owner.map(|owner| named(owner, span)),
                field: named(field, span),
                index: index.map(|index| named(index, span)),
            };
            (target, Value::Any(None, span))
        };
        let (mut actions, mut pairs) = (Vec::new(), Vec::new());
        for declared in &self.locals {
            let field = declared.name.text.as_str();
            match (&declared.kind, declared.paired) {
                (Type::Process(..) | Type::Identity(_), _) => {}
                _ if field == KIND => {}
                (_, false) => {
                    let (target, value) = set(None, field, None);
                    actions.push(Action::Assign { target, value });
                }
                (_, true) => pairs.push(set(Some("self"), field, Some("somebody"))),
            }
        }
        if !pairs.is_empty() {
            actions.push(Action::Broadcast {
                name: named("somebody", span),
                side: Side::Any,
                only: None,
                assignments: pairs,
            });
        }
        faults.step("lie", word(FAULTY, span), actions)
    }

    fn crash(&self, faults: &Faults) -> Vec<Step> {
        let span = faults.span;
        let becomes = |value: &str| {
            let target = Target {
                owner: None,
                field: named(CRASHED, span),
                index: None,
            };
            let value = Value::Exactly(word(value, span));
            vec![Action::Assign { target, value }]
        };
        let up = Expression {
            kind: Kind::Not(Box::new(word(CRASHED, span))),
            span,
        };
        let mut steps = vec![faults.step("crash", up, becomes("true"))];
        if faults.recover {
            steps.push(faults.step(RECOVER, word(CRASHED, span), becomes("false")));
        }
        steps
    }

    /// How many may fail; of their kind, where others fail in the same way.
    fn add_at_most(&mut self, faults: &Faults, alone: bool) {
        let Some(at_most) = faults.at_most.clone() else {
            return;
        };
        let span = faults.span;
        let owner = named("somebody", span);
        let mut body = Expression {
            kind: Kind::Field(owner.clone(), named(faults.variable, span)),
            span,
        };
        if let (false, Some(kind)) = (alone, &faults.of) {
            body = binary(Operator::And, is_of_kind(Some(&owner), kind), body);
        }
        let count = Expression {
            kind: Kind::Count {
                side: Side::Any,
                name: owner,
                body: Box::new(body),
            },
            span,
        };
        let kind = Kind::Binary(Operator::LessOrEqual, Box::new(count), Box::new(at_most));
        self.assumptions.push(Expression { kind, span });
    }
}

impl Faults {
    /// A step of those that may fail.
    fn step(&self, text: &str, guard: Expression, actions: Vec<Action>) -> Step {
        Step {
            name: named(text, self.span),
            span: self.span,
            witnesses: Vec::new(),
            kinds: self.of.iter().map(|kind| (None, kind.clone())).collect(),
            received: Vec::new(),
            choices: Vec::new(),
            one_by_one: None,
            import: None,
            guard: Some(guard),
            alternatives: vec![actions],
            fault: true,
            carried: Vec::new(),
            fairness: Fairness::default(),
            part: None,
        }
    }
}
