//! A compiled protocol as a question about words.

use quotient_automata::{Problem, ProblemError, Property};
use quotient_core::{Diagnostic, Trouble};

use crate::Compiled;

impl Compiled {
    /// The safety properties as a problem of regular model checking.
    pub fn problem(&self) -> Result<Problem, ProblemError> {
        self.problem_with(&|_| true)
    }

    /// The same with the properties that are wanted; nothing if there are none.
    pub(super) fn problem_about(
        &self,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Problem>, Trouble> {
        match self.problem_with(wanted) {
            Ok(problem) => Ok(Some(problem)),
            Err(ProblemError::NoProperties) => Ok(None),
            Err(error) => Err(Diagnostic::error("no-problem", error.to_string()).into()),
        }
    }

    fn problem_with(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Problem, ProblemError> {
        let property = |(name, bad): &(String, quotient_automata::Nfa)| Property {
            name: name.clone(),
            bad: bad.clone(),
        };
        let properties = (self.bad().iter().filter(|(name, _)| wanted(name))).map(property);
        let properties = properties.collect();
        Problem::new(self.initial().clone(), properties, self.relation().clone())
    }
}
