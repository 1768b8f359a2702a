//! All solutions of a query, not only minterms, for a few minterms.
//!
//! Each minterm gets a switch that never changes, and the placeholder becomes "some minterm
//! whose switch is on": one run tells for all sets of minterms, that is for all statements,
//! whether they solve the query. What holds is then described by its strongest solutions (for
//! negative queries: its weakest).

use quotient_core::Stop;
use quotient_logic::Polarity;

use super::{Observed, Query};
use crate::checker::Refusal;
use crate::diagrams::{Set, Var};
use crate::vacuity::maximal_sets;

/// The most minterms for which all statements are tried.
const MOST_MINTERMS: usize = 64;

/// All solutions of a query, described by the strongest (or weakest) ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneralAnswer {
    /// The minterms, each with what it says about every term.
    pub minterms: Vec<Vec<(String, Observed)>>,
    /// The strongest solutions, each a set of minterms (by number) that it allows; for a
    /// negative query the weakest ones.
    pub solutions: Vec<Vec<usize>>,
    /// Whether these are the strongest ones: every weaker statement is a solution, too.
    /// Otherwise every stronger statement is.
    pub strongest: bool,
    /// Whether all of them are listed.
    pub complete: bool,
}

impl Query {
    /// The strongest solutions (the weakest, for a negative query) among all statements about
    /// the terms of the one unknown, at most `limit` of them.
    pub fn ask_general(&mut self, limit: usize) -> Result<GeneralAnswer, Refusal> {
        let refuse = |reason: &str| Err(Refusal::BadQuery(reason.to_owned()));
        if self.unknowns.len() != 1 {
            return refuse("general solutions need exactly one placeholder");
        }
        let strongest = match self.polarity() {
            Polarity::Positive => true,
            Polarity::Negative => false,
            Polarity::Mixed => {
                return refuse("a placeholder of mixed polarity has no strongest solutions");
            }
        };
        let legal = self.legal_copies(&self.copies[0])?;
        let copies: Vec<Var> = self.copies[0]
            .iter()
            .flat_map(|term| term.bits.iter().map(|&(_, copy)| copy))
            .collect();
        let (rows, all) = self.rows(&legal, &copies, MOST_MINTERMS)?;
        if !all {
            return refuse("too many values: ask for general solutions about fewer variables");
        }
        let matches = self.matches(0, self.copies[0].len())?;
        let mut minterms = Vec::new();
        for row in &rows {
            let point = self.system.diagrams.literals(row.iter().copied())?;
            let cube = self.system.diagrams.cube(copies.iter().copied())?;
            minterms.push(self.system.diagrams.and_exists(&matches, &point, &cube)?);
        }
        let switches: Vec<Var> = minterms
            .iter()
            .map(|_| self.system.diagrams.add_variable())
            .collect();
        let family = self.family(&minterms, &switches, strongest)?;
        let sets = maximal_sets(&self.system.diagrams, &family, &switches, limit + 1)?;
        let complete = sets.len() <= limit;
        let rest = |set: &Vec<usize>| match strongest {
            // A switch that is on takes its minterm away.
            true => (0..minterms.len()).filter(|j| !set.contains(j)).collect(),
            false => set.clone(),
        };
        Ok(GeneralAnswer {
            minterms: rows.iter().map(|row| self.decode(row).remove(0)).collect(),
            solutions: sets.iter().take(limit).map(rest).collect(),
            strongest,
            complete,
        })
    }

    /// The settings of the switches for which the formula holds. Positive queries stay true
    /// when minterms are added, so there a switch takes one away: in both cases the family
    /// contains with a setting all that switch on less.
    fn family(&self, minterms: &[Set], switches: &[Var], strongest: bool) -> Result<Set, Stop> {
        let diagrams = &self.system.diagrams;
        let mut statement = diagrams.constant(false);
        for (minterm, &switch) in minterms.iter().zip(switches) {
            let on = diagrams.variable(switch)?;
            let part = match strongest {
                true => diagrams.minus(minterm, &on)?,
                false => diagrams.and(minterm, &on)?,
            };
            statement = diagrams.or(&statement, &part)?;
        }
        let value = self.value_with(&[statement])?;
        let fails = diagrams.minus(&self.machine.init, &value)?;
        let states = diagrams.cube(self.machine.state.iter().copied())?;
        diagrams.not(&diagrams.exists(&fails, &states)?)
    }
}
