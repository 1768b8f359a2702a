//! A transition system as an FSP process with as few names as can be.

use std::fmt::Write;

use quotient_lts::{Action, Actions, Lts, State};

use super::label::Labels;
use super::process::reachable;

/// Writes a transition system without error state for people: a state that is reached from one
/// other and goes on to one has no name of its own, as in `a -> b -> P`. Its alphabet is not told.
pub(crate) fn write_folded(name: &str, lts: &Lts, actions: &Actions) -> String {
    let mut labels = Labels::new(actions);
    let order = reachable(lts);
    let folded = folded(lts, &order);
    let mut names = vec![String::new(); lts.states()];
    let named = order.iter().filter(|state| !folded[state.index()]);
    for (number, state) in named.enumerate() {
        names[state.index()] = match number {
            0 => name.to_owned(),
            _ if lts.end() == Some(*state) => "END".to_owned(),
            _ if lts.edges(*state).is_empty() => "STOP".to_owned(),
            _ => format!("Q{number}"),
        };
    }
    let mut text = String::new();
    for &state in order.iter().filter(|state| !folded[state.index()]) {
        let own = &names[state.index()];
        let is_first = text.is_empty();
        if !is_first && lts.edges(state).is_empty() {
            continue;
        }
        let _ = write!(text, "{}{own} =", if is_first { "" } else { ",\n" });
        let targets = targets(lts, state);
        if targets.is_empty() {
            text.push_str(" STOP");
            continue;
        }
        for (position, &target) in targets.iter().enumerate() {
            text.push_str(if position == 0 { "\n  (" } else { "\n  |" });
            let (mut from, mut to) = (state, target);
            loop {
                let _ = write!(text, "{} -> ", labels.choice(&between(lts, from, to)));
                if !folded[to.index()] {
                    break;
                }
                let next = lts.edges(to)[0].target;
                (from, to) = (to, next);
            }
            text.push_str(&names[to.index()]);
        }
        text.push(')');
    }
    text.push_str(".\n");
    labels.explained(text)
}

/// The states that need no names.
fn folded(lts: &Lts, order: &[State]) -> Vec<bool> {
    let mut sources = vec![0u32; lts.states()];
    for target in order.iter().flat_map(|&state| targets(lts, state)) {
        sources[target.index()] += 1;
    }
    let mut folded = vec![false; lts.states()];
    for &state in order {
        folded[state.index()] =
            state != lts.initial() && sources[state.index()] == 1 && targets(lts, state).len() == 1;
    }
    folded
}

/// Where a state leads, each once.
fn targets(lts: &Lts, state: State) -> Vec<State> {
    let mut targets: Vec<State> = Vec::new();
    for edge in lts.edges(state) {
        if !targets.contains(&edge.target) {
            targets.push(edge.target);
        }
    }
    targets
}

/// The actions from one state to another.
fn between(lts: &Lts, from: State, to: State) -> Vec<Action> {
    let edges = lts.edges(from).iter();
    let edges = edges.filter(|edge| edge.target == to);
    edges.map(|edge| edge.action).collect()
}

#[cfg(test)]
mod tests {
    use quotient_lts::LtsBuilder;

    use super::*;

    #[test]
    fn states_between_two_steps_have_no_names() {
        let mut actions = Actions::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| actions.intern(name));
        let mut builder = LtsBuilder::new();
        builder
            .edge(0, a, 1)
            .edge(1, b, 2)
            .edge(2, c, 0)
            .edge(0, b, 3);
        builder.edge(3, a, 3).edge(3, c, 0).edge(3, d, 4);
        let text = write_folded("P", &builder.build(), &actions);
        let expected =
            "P =\n  (a -> b -> c -> P\n  |b -> Q1),\nQ1 =\n  (a -> Q1\n  |c -> P\n  |d -> STOP).\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_circle_is_written_once() {
        let mut actions = Actions::new();
        let [a, b] = ["a", "b"].map(|name| actions.intern(name));
        let mut builder = LtsBuilder::new();
        builder.edge(0, a, 1).edge(1, b, 1);
        let text = write_folded("P", &builder.build(), &actions);
        assert_eq!(text, "P =\n  (a -> Q1),\nQ1 =\n  (b -> Q1).\n");
    }
}
