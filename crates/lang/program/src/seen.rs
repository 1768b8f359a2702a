//! What an abstraction sees of a program, for the checks of evidence.

use quotient_arithmetic::{Condition, implies};
use quotient_core::Rejection;

use crate::ltl::Ltl;
use crate::program::{Atom, Program};
use crate::read::read_condition;

/// Locations of the processes that are seen, and what is known of each predicate.
pub(crate) type Place = (Vec<usize>, Vec<Option<bool>>);

/// The processes and predicates that are seen.
pub(crate) struct Seen<'a> {
    pub(crate) program: &'a Program,
    /// The processes, by number, ascending.
    pub(crate) processes: Vec<usize>,
    pub(crate) predicates: Vec<Condition>,
    /// Which predicates are unknown throughout: others write into them.
    pub(crate) shaded: Vec<bool>,
}

impl<'a> Seen<'a> {
    /// Finds processes and predicates by what evidence calls them.
    pub(crate) fn read(
        program: &'a Program,
        names: &[String],
        texts: &[String],
    ) -> Result<Seen<'a>, Rejection> {
        let mut processes = Vec::new();
        for name in names {
            let number = (program.processes.iter()).position(|process| process.name == *name);
            let unknown = || Rejection::wrong(format!("there is no process `{name}`"));
            processes.push(number.ok_or_else(unknown)?);
        }
        processes.sort_unstable();
        processes.dedup();
        let mut predicates = Vec::new();
        for text in texts {
            let unreadable = || Rejection::unreadable(format!("`{text}` is no condition"));
            predicates.push(read_condition(text, program).ok_or_else(unreadable)?);
        }
        let mut seen = Seen {
            program,
            processes,
            predicates,
            shaded: Vec::new(),
        };
        let shade = seen.shade();
        let written = |predicate: &Condition| {
            let mut writers = shade.iter();
            writers.any(|number| program.processes[*number].writes_into(predicate))
        };
        seen.shaded = seen.predicates.iter().map(written).collect();
        Ok(seen)
    }

    /// The processes that are not seen.
    pub(crate) fn shade(&self) -> Vec<usize> {
        let all = 0..self.program.processes.len();
        all.filter(|number| !self.processes.contains(number))
            .collect()
    }

    /// What is known at a place.
    pub(crate) fn facts(&self, place: &Place) -> Vec<Condition> {
        let known = self.predicates.iter().zip(&place.1);
        let said = known.filter_map(|(predicate, value)| {
            value.map(|value| match value {
                true => predicate.clone(),
                false => predicate.negated(),
            })
        });
        said.collect()
    }

    /// What facts say of the predicates where conditions stand for them.
    pub(crate) fn values(
        &self,
        facts: &[Condition],
        of: &dyn Fn(&Condition) -> Condition,
    ) -> Vec<Option<bool>> {
        let all = self.predicates.iter().zip(&self.shaded);
        all.map(|(predicate, shaded)| match shaded {
            true => None,
            false => decided(facts, &of(predicate)),
        })
        .collect()
    }

    /// What is known of a formula about one state.
    pub(crate) fn value(&self, place: &Place, formula: &Ltl) -> Option<bool> {
        match formula {
            Ltl::Constant(value) => Some(*value),
            Ltl::Atom(Atom::Condition(condition)) => decided(&self.facts(place), condition),
            Ltl::Atom(Atom::At(process, location)) => {
                let at = self.processes.iter().position(|other| other == process)?;
                Some(place.0[at] == *location)
            }
            Ltl::Not(inner) => self.value(place, inner).map(|value| !value),
            Ltl::And(one, other) | Ltl::Or(one, other) => {
                let strong = matches!(formula, Ltl::Or(..));
                match (self.value(place, one), self.value(place, other)) {
                    (Some(value), _) | (_, Some(value)) if value == strong => Some(strong),
                    (Some(_), Some(_)) => Some(!strong),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// What facts say about a condition.
pub(crate) fn decided(facts: &[Condition], condition: &Condition) -> Option<bool> {
    match implies(facts, condition) {
        true => Some(true),
        false => implies(facts, &condition.negated()).then_some(false),
    }
}
