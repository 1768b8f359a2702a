//! Commands that happen together and give a variable different values: a step that has no meaning.

use quotient_bits::Bits;

use super::able::Able;
use super::{Explorer, Outcome};
use crate::{Misbuilt, Program};

/// The events of which two parts can assign one variable.
pub(super) fn events(program: &Program) -> Bits {
    let mut found = Bits::with_capacity(program.events.len());
    for (number, event) in program.events.iter().enumerate() {
        let mut before: Vec<usize> = Vec::new();
        for part in &event.parts {
            let commands = part.iter().map(|&one| &program.commands[one as usize]);
            let updates = commands.flat_map(|command| &command.updates);
            let assigned = updates.flat_map(|update| &update.assignments);
            let mut own: Vec<usize> = assigned.map(|(variable, _)| *variable).collect();
            if own.iter().any(|variable| before.contains(variable)) {
                found.insert(number);
            }
            own.sort_unstable();
            own.dedup();
            before.append(&mut own);
        }
    }
    found
}

impl Explorer<'_> {
    /// Whether what one command of each part may do fits together.
    pub(super) fn fits_together(
        &self,
        able: &Able,
        commands: &[u32],
        state: usize,
    ) -> Result<(), Misbuilt> {
        let chosen: Vec<&[Outcome]> = able.chosen_outcomes().collect();
        if chosen.iter().any(|part| part.is_empty()) {
            return Ok(());
        }
        for (later, part) in chosen.iter().enumerate() {
            for (earlier, other) in chosen[..later].iter().enumerate() {
                let pairs = other
                    .iter()
                    .flat_map(|one| part.iter().map(move |two| (one, two)));
                for (one, two) in pairs {
                    if let Some(variable) = self.clash(one, two) {
                        return Err(Misbuilt::Conflict {
                            commands: vec![commands[earlier], commands[later]],
                            variable,
                            state: self.states.values(state),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// A variable that two outcomes give different values.
    fn clash(&self, one: &Outcome, two: &Outcome) -> Option<usize> {
        let wide = self.states.layout.words;
        for word in 0..wide {
            let (a, b) = (one.at + word, two.at + word);
            let both = self.buffer[a] & self.buffer[b];
            let differ = both & (self.buffer[a + wide] ^ self.buffer[b + wide]);
            if differ != 0 {
                let at = |variable: &usize| {
                    let place = self.states.layout.place(*variable);
                    place.word as usize == word && place.mask() & differ != 0
                };
                return (0..self.program.variables.len()).find(at);
            }
        }
        None
    }
}
