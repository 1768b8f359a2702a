//! Answers over more and more terms.
//!
//! If a minterm solves a positive query, so does what it says about fewer terms. So terms are
//! added one by one, and candidates whose shorter form is no solution are left out. (For
//! negative queries the implication runs the other way, so they are refused.)

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_logic::Polarity;

use super::{Initial, Query};
use crate::checker::Refusal;
use crate::diagrams::Set;

impl Query {
    pub(super) fn solve_by_refinement(&self, initial: Initial) -> Result<Set, Refusal> {
        let [unknown] = &self.unknowns[..] else {
            let reason = "refinement needs exactly one placeholder";
            return Err(Refusal::BadQuery(reason.to_owned()));
        };
        if unknown.polarity != Polarity::Positive {
            let reason = "refinement works for positive placeholders only: for others a solution \
                          over more terms says nothing about fewer";
            return Err(Refusal::BadQuery(reason.to_owned()));
        }
        let terms = self.copies[0].len();
        // With *false* a solution, no candidate could be left out.
        if self.holds_with(false)? || terms == 0 {
            return Ok(self.solve(&[self.matches(0, terms)?], initial)?);
        }
        let mut candidates = self.system.diagrams.constant(true);
        for known in 1..=terms {
            candidates = self.step(known, &candidates, initial)?;
            if !candidates.satisfiable() {
                break;
            }
        }
        Ok(candidates)
    }

    /// The solutions over the first terms among the candidates.
    fn step(&self, terms: usize, candidates: &Set, initial: Initial) -> Result<Set, Stop> {
        let diagrams = &self.system.diagrams;
        let states = diagrams.cube(self.machine.state.iter().copied())?;
        // Candidates are tried from every initial state: the pairs are told apart at the end.
        let tried = diagrams.exists(candidates, &states)?;
        let set = diagrams.and(&self.matches(0, terms)?, &tried)?;
        let found = self.solve(&[set], initial)?;
        self.story.note(format!(
            "{terms} terms: solutions with {} nodes",
            diagrams.size(&found)
        ));
        // `solve` answers for all values of copies not yet looked at.
        diagrams.and(&found, &tried)
    }
}
