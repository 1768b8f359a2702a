//! Evidence that is used for several questions, and questions of several parts.

use std::collections::HashSet;

use quotient_core::{Claim, Evidence, Rejection};

use crate::certify::{Checker, other_kind, read};
use crate::evidence::{Diagram, Markings, Orbits, PART, SETS, SEVERAL, Several};
use crate::exchange::{self, Family};
use crate::formula::{Formula, Question, Temporal};
use crate::judge::Part;
use crate::sets_time::Timed;

impl Checker<'_> {
    /// The markings of a part with their successors.
    pub(crate) fn part(&self, evidence: &Evidence) -> Result<Part<'_>, Rejection> {
        let listed: Markings = read(evidence)?;
        Part::new(self.net, &listed.markings, self.budget)
    }

    pub(crate) fn on_part(
        &self,
        part: &Part<'_>,
        one: &Temporal,
        holds: bool,
    ) -> Result<String, Rejection> {
        match !one.linear && part.branching(one, holds)? {
            true => Ok(format!("{} markings decide it", part.len())),
            false => Err(Rejection::wrong("the markings do not decide it so")),
        }
    }

    /// A closed set of markings, on which formulas about runs are judged.
    pub(crate) fn timed(&self, evidence: &Evidence) -> Result<Timed<'_>, Rejection> {
        let diagram: Diagram = read(evidence)?;
        self.diagram(diagram.clone())?;
        Timed::new(self.net, &diagram, self.budget)
    }

    pub(crate) fn on_sets(
        &self,
        timed: &mut Timed<'_>,
        one: &Temporal,
        holds: bool,
    ) -> Result<String, Rejection> {
        match timed.holds(one)? == holds {
            true => Ok("evaluated again on a closed set of markings".to_owned()),
            false => Err(Rejection::wrong("the formula has another value")),
        }
    }

    /// The markings contain the start and all their successors but for exchanges of blocks, which
    /// change neither the net nor the formula; none gives it the value.
    pub(crate) fn never_in_any_order(
        &self,
        all: &Orbits,
        formula: &Formula,
        value: bool,
    ) -> Result<String, Rejection> {
        let mut families: Vec<Family> = Vec::new();
        for family in &all.families {
            let block = |block: &Vec<String>| block.iter().map(|name| self.place(name)).collect();
            families.push(family.iter().map(block).collect::<Result<_, _>>()?);
        }
        let blocks: usize = families.iter().map(Vec::len).sum();
        self.budget
            .charge((blocks * (1 + self.net.transitions.len())) as u64)?;
        if !exchange::fits(self.net, &families, formula) {
            return Err(Rejection::wrong("the blocks cannot be exchanged"));
        }
        let set: HashSet<&[u64]> = all.markings.iter().map(Vec::as_slice).collect();
        let start = self.net.start();
        let mut start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        exchange::in_order(&families, &mut start);
        if !set.contains(start.as_slice()) {
            return Err(Rejection::wrong("the start is not among the markings"));
        }
        for marking in &all.markings {
            self.budget.charge(1)?;
            if marking.len() != self.net.places.len() {
                let message = "a marking has not one number for each place";
                return Err(Rejection::wrong(message));
            }
            if formula.holds(self.net, marking) == value {
                return Err(Rejection::wrong("one of the markings fulfils it"));
            }
            for transition in &self.net.transitions {
                match transition.fire(marking) {
                    Some(mut next) => {
                        exchange::in_order(&families, &mut next);
                        if !set.contains(next.as_slice()) {
                            let message = format!("`{}` leads out of the markings", transition.id);
                            return Err(Rejection::wrong(message));
                        }
                    }
                    None if transition.is_enabled(marking) => {
                        return Err(Rejection::wrong("a number of tokens is too large"));
                    }
                    None => {}
                }
            }
        }
        let number = all.markings.len();
        Ok(format!(
            "{number} markings, with all that exchanges make of them, are closed under firing, and none fulfils it"
        ))
    }

    pub(crate) fn several(
        &self,
        evidence: &Evidence,
        parts: &[Question],
        every: bool,
    ) -> Result<String, Rejection> {
        if evidence.kind != SEVERAL {
            return Err(other_kind(evidence));
        }
        let several: Several = read(evidence)?;
        let mut shown = HashSet::new();
        for piece in several.pieces {
            self.budget.charge(1)?;
            let mut inner = match evidence.claim {
                Claim::Holds => Evidence::of_holds(&piece.kind, &()),
                Claim::Violated => Evidence::of_violated(&piece.kind, &()),
            };
            inner.body = piece.body;
            // One set is evidence for many parts: it is found to be closed once.
            let closed = self.closed_set(&inner)?;
            let listed = match piece.kind.as_str() {
                PART => Some(self.part(&inner)?),
                _ => None,
            };
            let mut timed = match piece.kind.as_str() {
                SETS => Some(self.timed(&inner)?),
                _ => None,
            };
            for &number in &piece.parts {
                self.budget.charge(1)?;
                let part = parts.get(number);
                let part = part.ok_or_else(|| Rejection::wrong("there is no such part"))?;
                let holds = evidence.claim == Claim::Holds;
                match (&closed, part) {
                    (_, Question::Several { .. }) => return Err(other_kind(evidence)),
                    (Some(closed), Question::Possible(goal)) if !holds => {
                        self.never_in(closed, goal, true)?;
                    }
                    (Some(closed), Question::Always(safe)) if holds => {
                        self.never_in(closed, safe, false)?;
                    }
                    (_, Question::Temporal(one)) if !one.linear && listed.is_some() => {
                        if let Some(listed) = &listed {
                            self.on_part(listed, one, holds)?;
                        }
                    }
                    (_, Question::Temporal(one)) if timed.is_some() => {
                        if let Some(timed) = &mut timed {
                            self.on_sets(timed, one, holds)?;
                        }
                    }
                    _ => {
                        self.shows(&inner, part)?;
                    }
                }
                shown.insert(number);
            }
        }
        match every {
            true if shown.len() == parts.len() => {
                Ok(format!("each of {} parts is shown", parts.len()))
            }
            false if !shown.is_empty() => Ok("one of the parts decides it".to_owned()),
            _ => Err(Rejection::wrong("not enough parts are shown")),
        }
    }
}
