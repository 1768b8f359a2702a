//! Graphs: strongly connected components, edges backwards.

use crate::{Action, ERROR, Lts, State};

/// The component of every state of a graph. A component's number is greater than those of all
/// components that it leads to. (Tarjan's algorithm with its stack on the heap.)
pub(crate) fn components<I: Iterator<Item = State>>(
    states: usize,
    successors: impl Fn(State) -> I,
) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut component_of = vec![UNSEEN; states];
    let mut seen_at = vec![UNSEEN; states];
    let mut lowest = vec![0u32; states];
    let mut waiting: Vec<State> = Vec::new();
    let mut path: Vec<(State, I)> = Vec::new();
    let (mut clock, mut count) = (0, 0);
    for root in State::first(states) {
        if seen_at[root.index()] != UNSEEN {
            continue;
        }
        let mut entering = Some(root);
        loop {
            if let Some(state) = entering.take() {
                seen_at[state.index()] = clock;
                lowest[state.index()] = clock;
                clock += 1;
                waiting.push(state);
                path.push((state, successors(state)));
            }
            let Some((state, rest)) = path.last_mut() else {
                break;
            };
            let state = *state;
            if let Some(target) = rest.next() {
                if seen_at[target.index()] == UNSEEN {
                    entering = Some(target);
                } else if component_of[target.index()] == UNSEEN {
                    let at = seen_at[target.index()];
                    lowest[state.index()] = lowest[state.index()].min(at);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                lowest[parent.index()] = lowest[parent.index()].min(lowest[state.index()]);
            }
            if lowest[state.index()] == seen_at[state.index()] {
                while let Some(member) = waiting.pop() {
                    component_of[member.index()] = count;
                    if member == state {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    component_of
}

/// The sources of the edges into every state.
#[derive(Debug)]
pub(crate) struct Sources {
    rows: Vec<u32>,
    sources: Vec<State>,
}

impl Sources {
    pub(crate) fn new(lts: &Lts) -> Sources {
        let mut rows = vec![0u32; lts.states() + 1];
        let inner = || lts.all_edges().filter(|(_, edge)| edge.target != ERROR);
        for (_, edge) in inner() {
            rows[edge.target.index() + 1] += 1;
        }
        for state in 0..lts.states() {
            rows[state + 1] += rows[state];
        }
        let mut next = rows.clone();
        let mut sources = vec![ERROR; rows[lts.states()] as usize];
        for (from, edge) in inner() {
            let slot = &mut next[edge.target.index()];
            sources[*slot as usize] = from;
            *slot += 1;
        }
        Sources { rows, sources }
    }

    pub(crate) fn of(&self, state: State) -> &[State] {
        let state = state.index();
        &self.sources[self.rows[state] as usize..self.rows[state + 1] as usize]
    }
}

/// Whether each state of a system without error state can be silently busy for ever.
pub(crate) fn busy(lts: &Lts) -> Vec<bool> {
    let silent = |state: State| lts.successors(state, Action::TAU).iter();
    let component = components(lts.states(), |state| silent(state).map(|edge| edge.target));
    let mut busy = vec![false; lts.states()];
    let on_cycle = |state: &State| {
        let own = component[state.index()];
        silent(*state).any(|edge| component[edge.target.index()] == own)
    };
    let mut todo: Vec<State> = lts.all_states().filter(on_cycle).collect();
    let sources = Sources::new(lts);
    while let Some(state) = todo.pop() {
        if std::mem::replace(&mut busy[state.index()], true) {
            continue;
        }
        let before = sources.of(state).iter().copied();
        todo.extend(before.filter(|&source| silent(source).any(|edge| edge.target == state)));
    }
    busy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_from_the_leaves() {
        let edges: [&[u32]; 5] = [&[1], &[2, 3], &[1], &[4], &[4]];
        let targets = |state: State| edges[state.index()].iter().copied();
        let of = components(5, |state| targets(state).map(State::from));
        assert_eq!(of[1], of[2]);
        assert!(of[0] > of[1] && of[1] > of[3] && of[3] > of[4]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let of = components(200_000, |state| {
            let next = state.index() + 1;
            (next < 200_000)
                .then(|| State::from_index(next))
                .into_iter()
        });
        assert_eq!(of[199_999], 0);
    }
}
