//! Processes that crash, recover or lie: what `process may …` adds to a file.

use quotient_core::Span;

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

impl File {
    /// Adds the variable, the steps and the assumption that faults stand for.
    pub(super) fn add_faults(&mut self) {
        let Some(faults) = self.faults.clone() else {
            return;
        };
        let span = faults.span;
        let name = |text: &str| Name {
            text: text.to_owned(),
            span,
        };
        let word = |text: &str| Expression {
            kind: Kind::Name(text.to_owned()),
            span,
        };
        let not = |inner: Expression| Expression {
            kind: Kind::Not(Box::new(inner)),
            span,
        };
        let lies = faults.variable == FAULTY;
        let step = |text: &str, guard: Expression, actions: Vec<Action>| Step {
            name: name(text),
            span,
            witnesses: Vec::new(),
            kinds: faults.of.iter().map(|kind| (None, kind.clone())).collect(),
            received: Vec::new(),
            choices: Vec::new(),
            one_by_one: None,
            import: None,
            guard: Some(guard),
            alternatives: vec![actions],
            fault: true,
            fairness: Fairness::default(),
        };
        let set = |owner: Option<&str>, field: &str, index: Option<&str>, value: Value| {
            let target = Target {
                owner: owner.map(name),
                field: name(field),
                index: index.map(name),
            };
            (target, value)
        };
        let assign = |(target, value): (Target, Value)| Action::Assign { target, value };
        let becomes = |value: &str| {
            let value = Value::Exactly(word(value));
            assign(set(None, faults.variable, None, value))
        };
        if lies {
            let any = || Value::Any(None, span);
            let (mut actions, mut pairs) = (Vec::new(), Vec::new());
            for declared in &self.locals {
                let field = declared.name.text.as_str();
                match (&declared.kind, declared.paired) {
                    (Type::Process(..), _) => {}
                    (_, false) => actions.push(assign(set(None, field, None, any()))),
                    (_, true) => pairs.push(set(Some("self"), field, Some("somebody"), any())),
                }
            }
            if !pairs.is_empty() {
                actions.push(Action::Broadcast {
                    name: name("somebody"),
                    side: Side::Any,
                    only: None,
                    assignments: pairs,
                });
            }
            self.steps.push(step("lie", word(FAULTY), actions));
        } else {
            let (up, down) = (not(word(CRASHED)), word(CRASHED));
            self.steps.push(step("crash", up, vec![becomes("true")]));
            if faults.recover {
                self.steps
                    .push(step("recover", down, vec![becomes("false")]));
            }
        }
        self.locals.push(Declaration {
            name: name(faults.variable),
            paired: false,
            kind: Type::Bool,
            initial: Some(word(if lies { "any" } else { "false" })),
        });
        if let Some(at_most) = faults.at_most {
            let owner = name("somebody");
            let body = Expression {
                kind: Kind::Field(owner.clone(), name(faults.variable)),
                span,
            };
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
}
