//! Sets of states from which what a formula asks for cannot be reached.

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_lattice::Booleans;

use super::{Atoms, Checker, Explored};
use crate::ctl::{Evaluation, Evaluator, Program, Step, TRUTH, Temporal};
use crate::evidence::Certificate;

impl Checker {
    /// If a formula asks exactly once for some path, with `EF` or `E [U]` of plain conditions: the
    /// reachable states where there is none. From such a state (where the condition until then
    /// holds) every step leads to another one, and none of them has the goal.
    pub(super) fn barrier(
        &self,
        program: &Program,
        part: &Explored,
        evaluator: &mut Evaluator,
        evaluation: &mut Evaluation<Booleans, Atoms>,
    ) -> Result<Option<Certificate>, Stop> {
        let asks = |step: &Step| {
            matches!(
                step,
                Step::Temporal {
                    universal: false,
                    ..
                }
            )
        };
        let mut asking = (0..program.steps.len()).filter(|&at| asks(&program.steps[at]));
        let (Some(at), None) = (asking.next(), asking.next()) else {
            return Ok(None);
        };
        let goal = match program.steps[at] {
            Step::Temporal {
                operator: Temporal::Finally(None),
                left,
                ..
            } => left,
            Step::Temporal {
                operator: Temporal::Until(None),
                right: Some(right),
                ..
            } => right,
            _ => return Ok(None),
        };
        let reaches = evaluation.value(evaluator, at, TRUTH)?;
        let goal = evaluation.value(evaluator, goal, TRUTH)?;
        let diagrams = &self.system.diagrams;
        let barrier = diagrams.minus(&part.reach.all, &reaches)?;
        // A goal from which no fair path goes on is none, but a set does not know that.
        match diagrams.and(&barrier, &goal)?.satisfiable() {
            true => Ok(None),
            false => Ok(Some(Certificate::new(&self.system, &barrier))),
        }
    }
}
