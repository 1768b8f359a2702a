//! What names mean at one place of the text.

use std::rc::Rc;

use super::Value;

/// The parameters of a definition and the index variables bound around a place.
///
/// Large processes have millions of places, each with a scope of its own that differs from others by a
/// variable or two: what is bound further out is shared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope<'a> {
    parameters: Rc<[(&'a str, Value)]>,
    /// The variable that was bound last.
    variables: Option<Rc<Bound<'a>>>,
    rebinds: bool,
}

#[derive(Debug)]
struct Bound<'a> {
    name: &'a str,
    value: Value,
    before: Option<Rc<Bound<'a>>>,
}

impl<'a> Scope<'a> {
    /// A scope with these parameters and no variables.
    pub(crate) fn new(parameters: Vec<(&'a str, Value)>) -> Scope<'a> {
        Scope {
            parameters: parameters.into(),
            variables: None,
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
        let mut last_first = self.parameters.iter().rev();
        let found = last_first.find(|(bound, _)| *bound == name);
        found.map(|(_, value)| value)
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&Value> {
        let found = self.bound().find(|bound| bound.name == name);
        found.map(|bound| &bound.value)
    }

    /// The variables, the one that was bound last first.
    fn bound(&self) -> impl Iterator<Item = &Bound<'a>> {
        let last = self.variables.as_deref();
        std::iter::successors(last, |bound| bound.before.as_deref())
    }

    /// The names of all variables and parameters, for suggestions.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        let parameters = self.parameters.iter().map(|&(name, _)| name);
        self.bound().map(|bound| bound.name).chain(parameters)
    }

    /// Binds a variable until [`unbind`](Scope::unbind).
    pub(crate) fn bind(&mut self, name: &'a str, value: Value) {
        self.variables = Some(Rc::new(Bound {
            name,
            value,
            before: self.variables.take(),
        }));
    }

    pub(crate) fn unbind(&mut self) {
        if let Some(last) = self.variables.take() {
            self.variables = match Rc::try_unwrap(last) {
                Ok(last) => last.before,
                Err(shared) => shared.before.clone(),
            };
        }
    }
}
