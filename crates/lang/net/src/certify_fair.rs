//! Evidence about fair runs, checked again: a transition that can fire from some time on always fires again and
//! again.
//!
//! What shows a formula for all runs shows it for fair ones, and a beginning that breaks it can be carried on in a
//! fair way. A run that comes back must be fair itself: each transition fires on the way round, or cannot somewhere.
//!
//! A transition that priorities have taken apart is one here: a part of it fires, or somewhere none can. At most one part
//! can fire at a time; so a run that is fair to the whole is fair to each part, and what no run breaks that is fair to
//! the parts, none breaks that is fair to the whole.

use quotient_core::{Evidence, Rejection};

use crate::certify::{Checker, other_kind, read};
use crate::evidence::{CONSTANT, LASSO, Lasso, PART};
use crate::formula::Temporal;

impl Checker<'_> {
    pub(crate) fn over_fair_time(
        &self,
        evidence: &Evidence,
        one: &Temporal,
        holds: bool,
    ) -> Result<String, Rejection> {
        match (evidence.kind.as_str(), holds) {
            (PART, true) => {
                let part = self.part(evidence)?;
                part.linear_fair(one)?;
                let number = part.len();
                Ok(format!("no fair run through {number} markings breaks it"))
            }
            (LASSO, false) => {
                self.goes_round_fairly(&read(evidence)?)?;
                self.over_time(evidence, one, false)
            }
            // Some run is fair, so that what all of them do one does.
            (CONSTANT, _) | (_, true) => self.over_time(evidence, one, holds),
            _ => Err(other_kind(evidence)),
        }
    }

    fn goes_round_fairly(&self, lasso: &Lasso) -> Result<(), Rejection> {
        let Some(back) = lasso.back_to else {
            return Ok(());
        };
        let markings = self.markings(&lasso.run)?;
        if back >= lasso.run.fired.len() {
            return Err(Rejection::wrong("the run does not come back"));
        }
        let (round, fired) = (&markings[back..], &lasso.run.fired[back..]);
        for (name, _, parts) in self.net.wholes() {
            let parts = &self.net.transitions[parts];
            self.budget.charge((round.len() * parts.len()) as u64)?;
            let fires = parts.iter().any(|part| fired.contains(&part.id));
            let can = |marking: &Vec<u64>| parts.iter().any(|part| part.is_enabled(marking));
            if !fires && round.iter().all(can) {
                return Err(Rejection::wrong(format!(
                    "the run is not fair: `{name}` could always fire and never does"
                )));
            }
        }
        Ok(())
    }
}
