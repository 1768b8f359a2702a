//! Why a protocol never begins.

use quotient_automata::Canonical;
use quotient_core::{Budget, Diagnostic, Trouble};

use super::Compiled;
use super::conditions::Conditions;
use crate::interpret::AboutValues;
use crate::model::{Condition, Protocol};

impl Protocol {
    /// What stands in the way of a first configuration, where there is none of any size: the
    /// first part that leaves nothing, and the one before that it contradicts.
    pub(crate) fn no_beginning(
        &self,
        compiled: &Compiled,
        budget: &Budget,
    ) -> Result<Diagnostic, Trouble> {
        let protocol = self.compiled_as(compiled);
        let mut conditions = Conditions::new(&protocol, &compiled.letters, budget);
        conditions.source_letters = compiled.source_letters.as_ref();
        let both = |one: &Canonical, other: &Canonical| -> Result<Canonical, Trouble> {
            Ok(one.intersection(other, budget)?.minimize(budget)?)
        };
        let is_empty = |set: &Canonical| set.to_nfa().is_empty_language();
        let error = |message: &str| Diagnostic::error("no-beginning", message);
        let mut begin = conditions.initial_values(&compiled.well_formed)?;
        if protocol.has_processes {
            begin = both(&begin, &conditions.sizes()?)?;
        }
        if is_empty(&begin) {
            return Ok(
                error("no number of processes is allowed, so that nothing begins")
                    .in_source(&self.source)
                    .help("look at what is assumed of `n`"),
            );
        }
        let mut all = begin.clone();
        let mut earlier: Vec<Canonical> = Vec::new();
        let conditions_and_places = protocol.initially.iter().zip(&self.initially_places);
        for (number, (condition, place)) in conditions_and_places.enumerate() {
            let here = conditions.condition(condition)?;
            let narrowed = both(&all, &here)?;
            if !is_empty(&narrowed) {
                all = narrowed;
                earlier.push(here);
                continue;
            }
            let error = error("nothing can begin: no first configuration satisfies this").at(
                &self.source,
                *place,
                "",
            );
            let alone = both(&begin, &here)?;
            if is_empty(&alone) {
                // Letters that never come about are none: so a contradiction may be with the values.
                let alone = is_empty(&both(&compiled.well_formed, &here)?);
                let is_plain = matches!(self.initially[number], Condition::Holds(_));
                let itself = alone && (!is_plain || self.contradicts_itself(number, budget));
                return Ok(match itself {
                    true => error.note("it contradicts itself"),
                    false => error.contradicts_values(),
                });
            }
            for (known, place) in earlier.iter().zip(&self.initially_places) {
                if is_empty(&both(&alone, known)?) {
                    return Ok(error.at(&self.source, *place, "it contradicts this"));
                }
            }
            return Ok(error.note("it contradicts what is said before, taken together"));
        }
        Ok(error("nothing can begin").in_source(&self.source))
    }
}
