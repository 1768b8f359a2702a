//! A compiled protocol as a question about words.

use quotient_regular::{Problem, ProblemError, Property};

use crate::Compiled;

impl Compiled {
    /// The safety properties as a problem of regular model checking.
    pub fn problem(&self) -> Result<Problem, ProblemError> {
        let property = |(name, bad): &(String, quotient_automata::Nfa)| Property {
            name: name.clone(),
            bad: bad.clone(),
        };
        let properties = self.bad().iter().map(property).collect();
        Problem::new(self.initial().clone(), properties, self.relation().clone())
    }
}
