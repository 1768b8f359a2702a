//! Evidence about protocols with arrays, checked independently of the engine.
//!
//! *What is proved.* Evidence that a property holds is a list of things that never happen, each
//! about so many different processes. The independent checker shows that none is there at a start,
//! that what the property forbids has one in it, and that no step leads into one from where none
//! was, whatever the number of processes. Evidence of a violation is a run as configurations; the
//! interpreter goes along as with words.
//!
//! *What is trusted.* That the transitions of the arrays are the steps of the protocol. (The tests
//! compare both with the interpreter, state by state.)

use quotient_certify::certify_never;
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Stop};
use quotient_language::text::count;
use serde::{Deserialize, Serialize};

use super::lasso::Row;
use super::wide::{EMPTY, Wide};
use crate::arrays::Never;
use crate::{Configuration, Interpreter, Protocol};

/// What never happens, with any number of processes.
pub(super) const NEVER: &str = "protocol-never";
/// A run of an instance.
pub(super) const RUN: &str = "protocol-run";

/// A run, with values as the source writes them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    pub(super) configurations: Vec<Row>,
    pub(super) steps: Vec<String>,
}

/// More processes than this are not looked at together.
const MOST_PROCESSES: usize = 12;

impl Protocol {
    /// How many values a process has in an instance: its variables, and what it carries for each.
    pub(super) fn values_of(&self, processes: usize) -> usize {
        self.fields.len() + self.pairs.len() * processes
    }

    /// Checks a run of the protocol that violates a property.
    pub(super) fn certified_run(
        &self,
        evidence: &Evidence,
        property: &str,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        match evidence.property.as_deref() {
            Some(named) if named == property => {}
            _ => return Err(Rejection::wrong("the evidence is about another property")),
        }
        if evidence.claim != Claim::Violated {
            let why = "the evidence is not of a kind that shows the verdict it claims";
            return Err(Rejection::wrong(why));
        }
        if self.needs_languages() {
            let why = "runs of a protocol that speaks of words are told as words";
            return Err(Rejection::unreadable(why));
        }
        let unreadable = |error: serde_json::Error| Rejection::unreadable(error.to_string());
        let read: Told = evidence.read().map_err(unreadable)?;
        Ok(Certified {
            property: property.to_owned(),
            facts: self.replayed(&read, property, budget)?,
        })
    }

    fn replayed(
        &self,
        read: &Told,
        property: &str,
        budget: &Budget,
    ) -> Result<Vec<String>, Rejection> {
        let rows = read.configurations.iter();
        let rows: Option<Vec<Configuration>> = rows.map(|row| self.read_row(row)).collect();
        let rows = rows.ok_or_else(|| Rejection::wrong("a value is none of the protocol"))?;
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Err(Rejection::wrong("the run is empty"));
        };
        if rows.len() != read.steps.len() + 1 {
            let why = "there must be one configuration more than steps";
            return Err(Rejection::wrong(why));
        }
        let interpreter = Interpreter::plain(self).within(budget);
        let begins = interpreter.is_initial(first);
        let goes = interpreter.follow(&rows, &read.steps).is_some();
        let violates = interpreter.violates(property, last);
        budget.poll()?;
        match (begins, goes && violates) {
            (true, true) => Ok(vec![format!(
                "the interpreter of the protocol takes these {}, from one of its own first \
                 configurations, to one that violates the property",
                count(read.steps.len(), "step")
            )]),
            (false, _) => Err(Rejection::wrong(
                "no instance of the protocol begins as the run does",
            )),
            (true, false) => Err(Rejection::wrong(
                "the run is none of the protocol that violates the property",
            )),
        }
    }
}

impl Wide {
    /// Checks evidence that something never happens.
    pub(super) fn certified(
        &self,
        evidence: &Evidence,
        property: &str,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        match evidence.property.as_deref() {
            Some(named) if named == property => {}
            _ => return Err(Rejection::wrong("the evidence is about another property")),
        }
        let unreadable = |error: serde_json::Error| Rejection::unreadable(error.to_string());
        let facts = match (evidence.claim, evidence.kind.as_str()) {
            (Claim::Holds, NEVER) => {
                let read: Never = evidence.read().map_err(unreadable)?;
                let Some(number) = self.lowered.bad(property) else {
                    return Err(Rejection::unreadable(
                        "the property does not fit into arrays",
                    ));
                };
                if !self.begins(budget) {
                    budget.poll()?;
                    return Err(Stop::inconclusive(EMPTY).into());
                }
                let system = &self.lowered.system;
                let mut never = Vec::new();
                for part in &read.never {
                    let formula = (part.processes <= MOST_PROCESSES).then(|| part.formula(system));
                    let formula = formula.flatten().ok_or_else(|| {
                        Rejection::unreadable("a part of the invariant is not understood")
                    })?;
                    never.push((part.processes, formula));
                }
                certify_never(system, number, &never, budget)?;
                vec![
                    format!("{} true at every start", count(never.len(), "invariant")),
                    "what the property forbids breaks one of them".into(),
                    "no step breaks one, whatever the number of processes".into(),
                    "the transitions are those that the protocol compiles to, which is trusted"
                        .into(),
                ]
            }
            _ => {
                let why = "the evidence is not of a kind that shows the verdict it claims";
                return Err(Rejection::wrong(why));
            }
        };
        Ok(Certified {
            property: property.to_owned(),
            facts,
        })
    }
}
