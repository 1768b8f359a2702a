//! What is known where nothing is known for every number of processes: small instances, searched
//! one configuration after the other.

use std::time::Duration;

use quotient_core::{Budget, Stop};

use crate::{Interpreter, Protocol, Violation};

/// So many configurations are looked at, in all instances together.
const MOST_CONFIGURATIONS: u64 = 1_500;
/// The same where there is nothing else to look at.
pub(crate) const MANY_CONFIGURATIONS: u64 = 200_000;
/// Instances with more processes are not looked at.
const LARGEST: usize = 8;
/// Where the time is over already, this is what is taken beyond it.
const LITTLE_TIME: Duration = Duration::from_millis(300);

/// What small instances say about a property.
pub(crate) enum Small {
    /// One violates it.
    Violated(Violation),
    /// None with up to so many processes does; 0 if not even one could be searched.
    Clean(usize),
}

impl Small {
    /// What there is to say about an answer that is none.
    pub(crate) fn note(&self) -> Option<String> {
        match self {
            Small::Violated(_) | Small::Clean(0) => None,
            Small::Clean(1) => Some(
                "no violation with one process: all its configurations were searched".to_owned(),
            ),
            Small::Clean(most) => Some(format!(
                "no violation with up to {most} processes: all their configurations were searched"
            )),
        }
    }
}

impl Protocol {
    /// Searches small instances for a violation of a property about which nothing is known
    /// because of a stop; nothing where the user does not want to wait.
    pub(crate) fn in_small_instances(
        &self,
        interpreter: &Interpreter<'_>,
        property: &str,
        stop: &Stop,
        budget: &Budget,
    ) -> Option<Small> {
        self.in_instances(interpreter, property, stop, budget, MOST_CONFIGURATIONS)
    }

    /// The same with so many configurations in all.
    pub(crate) fn in_instances(
        &self,
        interpreter: &Interpreter<'_>,
        property: &str,
        stop: &Stop,
        budget: &Budget,
        most: u64,
    ) -> Option<Small> {
        let asked = self
            .properties
            .iter()
            .find(|known| known.name == property)?;
        let unwanted = matches!(stop, Stop::Interrupted | Stop::Superseded);
        if unwanted || asked.demand.names_languages() || self.imports_steps() {
            return None;
        }
        let progress = self.progress_names().any(|name| name == property);
        let budget = match budget.poll() {
            // Loops among configurations are looked for several times.
            Ok(()) if progress => budget.child_with_work(8 * most),
            Ok(()) => budget.child_with_work(most),
            Err(_) => Budget::new(Some(LITTLE_TIME), budget.memory_limit())
                .child_with_work(MOST_CONFIGURATIONS),
        };
        let searched = self.is_searched_for(&asked.demand) && interpreter.progress_is_decided();
        if progress && !searched {
            return None;
        }
        let largest = if self.has_processes() { LARGEST } else { 1 };
        for size in 1..=largest {
            let violation = match progress {
                true => {
                    let most = usize::try_from(most).unwrap_or(usize::MAX);
                    let Ok((found, all)) = interpreter.some_starvation(size, most, &budget) else {
                        return Some(Small::Clean(size - 1));
                    };
                    let found = found.into_iter().find(|(name, _)| name == property);
                    if found.is_none() && !all {
                        return Some(Small::Clean(size - 1));
                    }
                    found
                }
                false => {
                    let (explored, stop) =
                        interpreter.search(size, &|name| name == property, &budget);
                    let found = explored.violations.into_iter().next();
                    if found.is_none() && stop.is_some() {
                        return Some(Small::Clean(size - 1));
                    }
                    found
                }
            };
            if let Some((_, violation)) = violation {
                return Some(Small::Violated(violation));
            }
        }
        Some(Small::Clean(largest))
    }
}
