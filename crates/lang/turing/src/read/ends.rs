//! Where a machine begins and where it stops, as the file says it.

use super::Reader;
use crate::machine::Machine;

impl Reader<'_> {
    /// The names of the states in which the machine is said to stop, each with where that stands.
    fn said_to_stop(&self) -> Vec<(String, quotient_core::Span)> {
        let between = |letter: char| letter.is_whitespace() || ",;{}[]".contains(letter);
        let each = self.stopping.iter();
        let names = each.flat_map(|(names, span)| {
            let names = names.split(between).filter(|name| !name.is_empty());
            names.map(|name| (name.to_owned(), *span))
        });
        names.collect()
    }

    /// Whether the file knows the state that it begins in: a machine may begin where it stops, but a
    /// name that is found nowhere else is a slip.
    pub(super) fn begins_there(&mut self, machine: &Machine) {
        let Some((name, span)) = self.start else {
            return;
        };
        let mut rows = machine.table.iter().enumerate();
        let is_known = rows.any(|(from, row)| {
            let mut actions = row.iter().flatten();
            actions.any(|action| from == machine.start || action.to == machine.start)
        });
        if !is_known && !self.said_to_stop().iter().any(|(one, _)| one == name) {
            let message = format!("the start state `{name}` has no action, and none leads to it");
            self.wrong(span, message, "name a state that has one");
        }
    }

    /// Whether the states in which the machine is said to stop have no action.
    pub(super) fn stops_there(&mut self, machine: &Machine) {
        for (name, span) in self.said_to_stop() {
            let state = machine.states.iter().position(|one| *one == name);
            let row = state.and_then(|state| machine.table.get(state));
            if row.is_some_and(|row| row.iter().any(Option::is_some)) {
                let message = format!("state `{name}` has actions, so the machine goes on there");
                let help = "a run stops where there is no action: remove them, or this name";
                self.wrong(span, message, help);
            }
        }
    }
}
