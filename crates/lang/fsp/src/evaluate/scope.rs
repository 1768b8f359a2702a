//! What names mean at one place of the text.

use super::Value;

/// The parameters of a definition and the index variables bound around a place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope<'a> {
    parameters: Vec<(&'a str, Value)>,
    variables: Vec<(&'a str, Value)>,
    rebinds: bool,
}

impl<'a> Scope<'a> {
    /// A scope with these parameters and no variables.
    pub(crate) fn new(parameters: Vec<(&'a str, Value)>) -> Scope<'a> {
        Scope {
            parameters,
            variables: Vec::new(),
            rebinds: false,
        }
    }

    /// The scope of a set whose variables nothing else can use, as in `progress`, after `\` or
    /// in a definition: LTSA lets one be bound twice there, as in `{a[i:R].b[i:R]}`.
    pub(crate) fn of_set(self) -> Scope<'a> {
        Scope {
            rebinds: true,
            ..self
        }
    }

    /// Whether a variable that is bound already may be bound again.
    pub(crate) fn rebinds(&self) -> bool {
        self.rebinds
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&Value> {
        find(&self.parameters, name)
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&Value> {
        find(&self.variables, name)
    }

    /// The names of all variables and parameters, for suggestions.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        let all = self.variables.iter().chain(&self.parameters);
        all.map(|&(name, _)| name)
    }

    /// Binds a variable until [`unbind`](Scope::unbind).
    pub(crate) fn bind(&mut self, name: &'a str, value: Value) {
        self.variables.push((name, value));
    }

    pub(crate) fn unbind(&mut self) {
        self.variables.pop();
    }
}

fn find<'s>(bindings: &'s [(&str, Value)], name: &str) -> Option<&'s Value> {
    let found = bindings.iter().rev().find(|(bound, _)| *bound == name);
    found.map(|(_, value)| value)
}
