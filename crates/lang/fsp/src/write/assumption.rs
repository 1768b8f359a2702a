//! An assumption in words of the text.

use quotient_compose::Network;
use quotient_lts::{Action, Actions, Lts};
use rustc_hash::FxHashMap;

use super::write_process;

/// Writes a transition system over the events of a network, an assumption for instance, as an
/// FSP process over the labels of the text. Events that look the same from outside, because
/// they are hidden or relabelled, get a number at the end of their labels.
pub fn write_assumption(name: &str, assumption: &Lts, network: &Network) -> String {
    let (assumption, actions) = in_labels(assumption, network);
    write_process(name, &assumption, &actions)
}

/// The same transition system over labels, with their names.
pub(crate) fn in_labels(assumption: &Lts, network: &Network) -> (Lts, Actions) {
    let mut same: FxHashMap<&str, Vec<Action>> = FxHashMap::default();
    for event in network.events() {
        same.entry(network.name(event)).or_default().push(event);
    }
    let mut actions = Actions::new();
    let mut renamed: FxHashMap<Action, Action> = FxHashMap::default();
    for &event in assumption.alphabet() {
        let label = network.name(event);
        let alike = same.get(label).map_or(&[][..], Vec::as_slice);
        let action = match alike {
            [_] => actions.intern(label),
            alike => {
                let number = alike.iter().position(|&other| other == event);
                actions.intern(&format!("{label}.{}", number.unwrap_or(0) + 1))
            }
        };
        renamed.insert(event, action);
    }
    let of = |event: Action| renamed.get(&event).copied().unwrap_or(Action::TAU);
    (assumption.map_labels(|event| [of(event)]), actions)
}
