//! What a round knows, and what it waits for.

use quotient_core::Span;

use super::Instant;
use super::data::{Data, Lookup};
use super::round::{Result, Round, Wait};
use crate::kernel::{Program, Term, What};
use crate::value::Value;

impl Lookup for Round<'_> {
    fn variable(&self, variable: usize) -> Data {
        self.variables[variable].clone()
    }

    fn signal(&self, signal: usize, before: bool) -> Data {
        let slot = &self.instant.slots[self.scope[signal]];
        let known = |value: &Option<Value>| match value {
            Some(value) => Data::Known(value.clone()),
            None => Data::Unset,
        };
        match (&slot.value, before) {
            (_, true) => known(&slot.before.value),
            (Some(value), false) => known(value),
            (None, false) => Data::Open,
        }
    }

    fn name(&self, term: &Term) -> String {
        match &term.what {
            What::Variable(variable) => format!("`{}`", self.program.variables[*variable].name),
            What::Value(signal) => format!("`?{}`", self.program.signals[*signal].name),
            What::Before(signal) => format!("`pre(?{})`", self.program.signals[*signal].name),
            _ => "this".to_owned(),
        }
    }
}

impl Result {
    /// Whether a value that was assigned or emitted is still open.
    pub(super) fn has_unknown_values(&self, instant: &Instant) -> bool {
        let seen = self.seen.iter().zip(&instant.slots);
        let open = seen
            .into_iter()
            .any(|(seen, slot)| seen.in_scope && seen.surely && slot.value.is_none());
        open || self.variables.contains(&Data::Open)
    }

    /// What waits for what, as far as it can be said.
    pub(super) fn waits(&self, program: &Program, instant: &Instant) -> Vec<(Span, String)> {
        let mut told = Vec::new();
        for (span, wait) in &self.waits {
            let Wait::Presence(slots) = wait else {
                told.push((*span, "waits for a value".to_owned()));
                continue;
            };
            for &slot in slots {
                let name = &program.signals[instant.slots[slot].signal].name;
                told.push((*span, format!("waits to know whether `{name}` is present")));
                let sources = self.seen.get(slot).map_or(&[][..], |seen| &seen.sources);
                let maybe = format!("may emit `{name}`");
                told.extend(sources.iter().map(|&source| (source, maybe.clone())));
            }
        }
        if told.is_empty() {
            for (seen, slot) in self.seen.iter().zip(&instant.slots) {
                if seen.in_scope && seen.surely && slot.value.is_none() {
                    let name = &program.signals[slot.signal].name;
                    told.push((
                        seen.place,
                        format!("the value of `{name}` depends on itself"),
                    ));
                }
            }
        }
        told.dedup();
        told.truncate(12);
        told
    }
}
