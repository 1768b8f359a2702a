//! Conditional chances of decision processes.

use quotient_core::Trouble;
use quotient_probability::{Analysis, Best, Precision, Values};

use super::chance::opposite;
use super::formula::Checker;
use crate::beside::Of;
use crate::given::{Seen, beside};
use crate::parts::{Given, Kept};
use crate::syntax::Tree;
use crate::together::unbuilt;

/// Models beside what was seen with more states are not built.
const MOST: usize = 5_000_000;

impl Checker<'_> {
    /// The best chance of a path among the runs that fulfil another one, from the initial state.
    pub(super) fn conditional_choices(
        &self,
        path: &Tree,
        given: &Tree,
        best: Best,
    ) -> Result<Values, Trouble> {
        let (goal, turned) = self.reached(path)?;
        let (condition, never) = self.reached(given)?;
        if never {
            let message = "of decision processes a condition is that something is reached, with \
                           `F`, `U` or `X`: `Pmax=? [ G a || F b ]`";
            return Err(self.error("not-supported", message, given.span));
        }
        let &[start] = &self.built.model.initial[..] else {
            let message = "such a probability is that of one initial state";
            return Err(self.error("not-supported", message, given.span));
        };
        let start = start.index();
        let asked = match (turned, best) {
            (false, best) => best,
            (true, Best::Least) => Best::Greatest,
            (true, Best::Greatest) => Best::Least,
        };
        let watched = beside(&self.built.model, [&goal, &condition], MOST, self.budget);
        let found = match watched.map_err(unbuilt)? {
            None => {
                let sets = (&goal.right, &condition.right);
                self.analysis
                    .reaching_given(start, sets.0, sets.1, asked, self.budget)?
            }
            Some(watched) => {
                let precision = Precision { width: self.width };
                let analysis = Analysis::new(&watched.model, precision);
                let sets = (&watched.taken[0], &watched.taken[1]);
                analysis.reaching_given(0, sets.0, sets.1, asked, self.budget)?
            }
        };
        let Some((low, high)) = found else {
            let message = "no run from an initial state fulfils this condition";
            return Err(self.error("condition", message, given.span));
        };
        // Of other states nothing is known.
        let mut values = Values::constant(self.states(), 0.0);
        values.upper.fill(1.0);
        (values.lower[start], values.upper[start]) = (low, high);
        self.kept.borrow_mut().push(Kept::Given(Given {
            goal,
            condition,
            best: asked,
            found: values.clone(),
            width: self.width,
        }));
        Ok(match turned {
            true => opposite(values),
            false => values,
        })
    }

    /// A path as one that reaches something, and whether the opposite is meant.
    fn reached(&self, path: &Tree) -> Result<(Seen, bool), Trouble> {
        match self.wanted_path(path)? {
            (Of::Path(left, right, window), turned) => Ok((
                Seen {
                    left,
                    right,
                    window,
                },
                turned,
            )),
            _ => Err(self.error("path", "a path formula was expected", path.span)),
        }
    }
}
