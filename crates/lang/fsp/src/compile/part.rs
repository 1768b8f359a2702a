//! One part of a composite.

use quotient_lts::{Action, System};
use rustc_hash::FxHashSet;

use super::Machine;
use super::composition::Composition;
use super::labels::Renaming;

/// What one process reference gives: a component, or a composite that can still be taken apart.
pub(super) enum Part {
    One(Machine),
    Many(Composition),
}

impl Part {
    pub(super) fn machines(&self) -> &[Machine] {
        match self {
            Part::One(machine) => std::slice::from_ref(machine),
            Part::Many(composition) => &composition.machines,
        }
    }

    pub(super) fn each(
        &mut self,
        system: &mut System,
        mut change: impl FnMut(&mut Machine, &mut System),
    ) {
        match self {
            Part::One(machine) => change(machine, system),
            Part::Many(composition) => {
                for machine in &mut composition.machines {
                    change(machine, system);
                }
            }
        }
    }

    /// Relabelling that gives two labels of a composite one name makes its components share
    /// what they did not share before: it has to act on the composition.
    pub(super) fn relabel(&mut self, renaming: &Renaming, system: &mut System) {
        if let Part::Many(composition) = self
            && composition.machines.len() > 1
            && joins_labels(&composition.machines, renaming, system)
        {
            let mut machine = composition.created(system);
            machine.relabel(renaming, system);
            *self = Part::One(machine);
            return;
        }
        self.each(system, |machine, system| machine.relabel(renaming, system));
    }
}

fn joins_labels(machines: &[Machine], renaming: &Renaming, system: &System) -> bool {
    let alphabet: FxHashSet<Action> = machines
        .iter()
        .flat_map(|machine| machine.alphabet(system))
        .copied()
        .collect();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    alphabet.iter().any(|&action| {
        let label = system.actions.name(action);
        let new = renaming
            .of(label)
            .unwrap_or_else(|| vec![label.to_string()]);
        new.into_iter().any(|label| !seen.insert(label))
    })
}
