//! Components that a violation does not need.

use quotient_core::{Budget, Stop};

use crate::{Action, ERROR, Network, State, Violation, replay};

/// An execution with as few components in it as leaving out one after the other gives, and the
/// components that do nothing in it.
pub(super) struct Needed {
    pub(super) events: Vec<Action>,
    pub(super) bystanders: Vec<usize>,
}

/// Leaves out what single components do, and what then cannot happen any more, as long as the
/// violation stays. Components that err are not left out.
pub(super) fn without_bystanders(
    network: &Network,
    events: &[Action],
    violation: Violation,
    budget: &Budget,
) -> Result<Needed, Stop> {
    let mut events = events.to_vec();
    let parts = network.components();
    for part in parts.iter().filter(|part| !part.lts.has_error()) {
        let others = events.iter().copied().filter(|&e| !part.lts.knows(e));
        let left = possible(network, others);
        if left.len() < events.len() && replay(network, &left, violation, budget)?.is_some() {
            events = left;
        }
    }
    let is_needed = |at: usize| {
        parts[at].lts.has_error() || events.iter().any(|&event| parts[at].lts.knows(event))
    };
    let is_silent = events.iter().any(|event| event.is_tau());
    let bystanders = (0..parts.len()).filter(|&at| !is_silent && !is_needed(at));
    Ok(Needed {
        bystanders: bystanders.collect(),
        events,
    })
}

/// Those of some events that can happen when the others do not, up to the first error. Of
/// several states after an event the first is taken; silent steps are passed over.
fn possible(network: &Network, events: impl Iterator<Item = Action>) -> Vec<Action> {
    let parts = network.components();
    let mut state: Vec<State> = parts.iter().map(|part| part.lts.initial()).collect();
    let mut happened = Vec::new();
    for event in events.filter(|event| !event.is_tau()) {
        let mut next = state.clone();
        let moves = parts.iter().zip(&mut next).all(|(part, local)| {
            let edge = part.lts.successors(*local, event).first();
            match (part.lts.knows(event), edge) {
                (false, _) => true,
                (true, Some(edge)) => {
                    *local = edge.target;
                    true
                }
                (true, None) => false,
            }
        });
        if moves {
            state = next;
            happened.push(event);
        }
        if state.contains(&ERROR) {
            break;
        }
    }
    happened
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LtsBuilder, System};

    #[test]
    fn what_the_error_does_not_need_is_left_out() {
        let mut system = System::new();
        let [go, stop, idle] = ["go", "stop", "idle"].map(|name| system.actions.intern(name));
        let mut erring = LtsBuilder::new();
        erring.edge(0, go, 1).edge(1, stop, ERROR);
        let mut starter = LtsBuilder::new();
        starter.edge(0, go, 0);
        let mut bystander = LtsBuilder::new();
        bystander.edge(0, idle, 0);
        let parts = [("E", erring), ("S", starter), ("B", bystander)]
            .map(|(name, builder)| system.process(name, builder.build()));
        system.parallel(parts);
        let budget = Budget::unlimited();
        let network = Network::new(&system, &budget).unwrap();
        let named = |name: &str| network.events().find(|&event| network.name(event) == name);
        let events = ["idle", "go", "idle", "stop"].map(|name| named(name).unwrap());
        let needed = without_bystanders(&network, &events, Violation::Error(0), &budget).unwrap();
        assert_eq!(needed.bystanders, [2]);
        assert_eq!(needed.events, [events[1], events[3]]);
        let few = network.with_still(&needed.bystanders);
        assert!(
            few.components()[2]
                .lts
                .edges(State::from_index(0))
                .is_empty()
        );
        assert_eq!(few.components()[2].lts.alphabet().len(), 1);
    }
}
