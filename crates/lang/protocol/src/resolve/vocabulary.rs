//! The words that a text uses, before anyone knows what they mean, and words that nobody knows.

use quotient_core::{Diagnostic, Span};

use super::{Resolver, Scope};
use crate::syntax::tree::{self, Expression, Kind, Name, Side};

/// The words that a step uses, to know whether it speaks of the process that takes it.
#[derive(Default)]
pub(super) struct Words {
    words: Vec<String>,
    /// Whether it quantifies over `other`, `left` or `right` processes.
    pub(super) sided: bool,
}

impl Words {
    pub(super) fn contains(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    fn add(&mut self, name: &Name) {
        self.words.push(name.root().to_owned());
    }

    pub(super) fn of_step(&mut self, step: &tree::Step) {
        step.guard
            .iter()
            .for_each(|guard| self.of_expression(guard));
        for actions in &step.alternatives {
            self.of_actions(actions);
        }
    }

    pub(super) fn of_actions(&mut self, actions: &[tree::Action]) {
        for action in actions {
            match action {
                tree::Action::Assign { target, value } => self.of_assignment(target, value),
                tree::Action::Broadcast {
                    side,
                    only,
                    assignments,
                    ..
                } => {
                    self.sided |= *side != Side::Any;
                    only.iter().for_each(|only| self.of_expression(only));
                    assignments
                        .iter()
                        .for_each(|(target, value)| self.of_assignment(target, value));
                }
                tree::Action::Move { who, to } => {
                    self.add(who);
                    self.of_position(to);
                }
                tree::Action::Create { at, values, .. } => {
                    self.of_position(at);
                    values
                        .iter()
                        .for_each(|(_, value)| self.of_expression(value));
                }
                tree::Action::Remove { who } => self.add(who),
                tree::Action::Channel { value, .. } => self.of_expression(value),
                // Messages are variables by now.
                tree::Action::Message { .. } => {}
            }
        }
    }

    fn of_assignment(&mut self, target: &tree::Target, value: &tree::Value) {
        match &target.owner {
            Some(owner) => self.add(owner),
            None => self.add(&target.field),
        }
        target.index.iter().for_each(|index| self.add(index));
        if let tree::Value::Exactly(expression) = value {
            self.of_expression(expression);
        }
    }

    fn of_position(&mut self, position: &tree::Position) {
        if let tree::Position::Before(name) | tree::Position::After(name) = position {
            self.add(name);
        }
    }

    pub(super) fn of_expression(&mut self, expression: &Expression) {
        match &expression.kind {
            Kind::Name(name) => self.words.push(name.clone()),
            Kind::Field(owner, _) => self.add(owner),
            Kind::Pair(owner, field, index) => {
                self.add(owner.as_ref().unwrap_or(field));
                self.add(index);
            }
            Kind::Call(name, arguments) => {
                self.add(name);
                arguments
                    .iter()
                    .for_each(|argument| self.of_expression(argument));
            }
            Kind::Set(all) => all.iter().for_each(|one| self.of_expression(one)),
            Kind::Not(inner) | Kind::Negate(inner) | Kind::Temporal(_, inner) => {
                self.of_expression(inner);
            }
            Kind::Binary(_, left, right) => {
                self.of_expression(left);
                self.of_expression(right);
            }
            Kind::If(condition, yes, no) => {
                [condition, yes, no]
                    .into_iter()
                    .for_each(|part| self.of_expression(part));
            }
            Kind::Quantified { side, of, body, .. } => {
                self.sided |= *side != Side::Any && of.is_none();
                of.iter().for_each(|of| self.add(of));
                self.of_expression(body);
            }
            Kind::Count { side, body, .. } => {
                self.sided |= *side != Side::Any;
                self.of_expression(body);
            }
            Kind::Number(_) | Kind::Matches(..) => {}
        }
    }
}

impl Resolver<'_> {
    /// Says that nothing has this name, and what has one like it.
    pub(super) fn unknown(&self, name: &str, span: Span, scope: &Scope) -> Diagnostic {
        let known = (self.symbols.iter().map(String::as_str))
            .chain(
                self.globals
                    .iter()
                    .chain(&self.fields)
                    .chain(&self.pairs)
                    .map(|variable| variable.name.as_str()),
            )
            .chain(scope.people.iter().map(|person| person.name.as_str()))
            .chain(
                self.file
                    .macros
                    .iter()
                    .map(|definition| definition.name.text.as_str()),
            )
            .chain(["true", "false", "none"]);
        let error = self.error("unknown-name", format!("`{name}` is not known here"), span);
        if name == "n" {
            return error
                .note("automata cannot compare with the number of processes while they run")
                .help("`n` can be spoken of in `assume`, and a `count` can be compared with it");
        }
        error.did_you_mean(name, known)
    }
}
