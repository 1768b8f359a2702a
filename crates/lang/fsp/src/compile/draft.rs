//! A primitive process while its states and edges are collected.

use quotient_core::{Budget, Stop};
use quotient_lts::{Action, ERROR, Lts, LtsBuilder, State, StateNames};
use rustc_hash::FxHashMap;

/// States by name, states that stand for another one, and edges.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// The states of local processes: `Q.1.a`, and of STOP, END and ERROR.
    pub(crate) named: FxHashMap<String, State>,
    /// What each state stands for: itself, another state, or the error state.
    same_as: Vec<State>,
    pub(crate) edges: Vec<(State, Action, State)>,
    pub(crate) alphabet: Vec<Action>,
}

impl Draft {
    pub(crate) fn new_state(&mut self) -> State {
        let state = State::from_index(self.same_as.len());
        self.same_as.push(state);
        state
    }

    pub(crate) fn states(&self) -> usize {
        self.same_as.len()
    }

    /// The state called STOP or END, made on first use, or ERROR.
    pub(crate) fn reserved(&mut self, name: &str) -> Option<State> {
        match name {
            "ERROR" => Some(ERROR),
            "STOP" | "END" => Some(match self.named.get(name) {
                Some(&state) => state,
                None => {
                    let state = self.new_state();
                    self.named.insert(name.to_string(), state);
                    state
                }
            }),
            _ => None,
        }
    }

    /// Makes one state stand for another.
    pub(crate) fn equate(&mut self, state: State, target: State) {
        self.same_as[state.index()] = target;
    }

    /// A state that stands for itself in a circle, if there is one: `A = B, B = A`.
    pub(crate) fn circle(&self) -> Option<State> {
        // Each walk leaves a mark of its own; a walk that meets its own mark is in a circle.
        let mut mark = vec![0u32; self.same_as.len()];
        for (walk, start) in (1..).zip(State::first(self.same_as.len())) {
            let mut state = start;
            while state != ERROR && mark[state.index()] == 0 {
                mark[state.index()] = walk;
                let next = self.same_as[state.index()];
                if next == state {
                    break;
                }
                state = next;
                if state != ERROR && mark[state.index()] == walk {
                    return Some(state);
                }
            }
        }
        None
    }

    /// What a state stands for. There must be no circle.
    fn resolve(&self, mut state: State) -> State {
        while state != ERROR && self.same_as[state.index()] != state {
            state = self.same_as[state.index()];
        }
        state
    }

    /// Copies a process in; its END is `target`. Gives where it starts.
    pub(crate) fn insert(&mut self, lts: &Lts, target: State) -> State {
        self.alphabet.extend_from_slice(lts.alphabet());
        let offset = self.same_as.len();
        let after = |state: State| State::from_index(offset + state.index());
        let moved = |state: State| match state {
            ERROR => ERROR,
            state if lts.end() == Some(state) => target,
            state => after(state),
        };
        for state in lts.all_states() {
            self.same_as.push(after(state));
        }
        for (from, edge) in lts.all_edges() {
            self.edges
                .push((moved(from), edge.action, moved(edge.target)));
        }
        moved(lts.initial())
    }

    /// The part that can be reached from a state, numbered in breadth-first order, with the
    /// names of its states.
    pub(crate) fn finish(self, initial: State, budget: &Budget) -> Result<(Lts, StateNames), Stop> {
        let mut builder = LtsBuilder::new();
        builder.alphabet(self.alphabet.iter().copied());
        builder.alphabet(self.edges.iter().map(|&(_, action, _)| action));
        let initial = self.resolve(initial);
        if initial == ERROR {
            builder.edge(0, Action::TAU, ERROR);
            return Ok((builder.build(), [].into()));
        }
        let leaving = Leaving::new(&self);
        let mut number = vec![ERROR; self.same_as.len()];
        let mut order = vec![initial];
        number[initial.index()] = State::from(0);
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            budget.poll()?;
            for (action, to) in leaving.of(&self, state) {
                if to == ERROR {
                    builder.edge(State::from_index(next), action, ERROR);
                    continue;
                }
                let target = &mut number[to.index()];
                if *target == ERROR {
                    *target = State::from_index(order.len());
                    order.push(to);
                }
                builder.edge(State::from_index(next), action, *target);
            }
            next += 1;
        }
        builder.at_least(order.len());
        if let Some(&end) = self.named.get("END") {
            let end = number[self.resolve(end).index()];
            if end != ERROR {
                builder.end(end);
            }
        }
        let mut names = vec![None; order.len()];
        for (name, &state) in &self.named {
            // A name that stands for another state says less than that state's own name.
            if self.same_as[state.index()] == state && number[state.index()] != ERROR {
                names[number[state.index()].index()] = Some(indexed(name));
            }
        }
        Ok((builder.build(), names.into()))
    }
}

/// The edges of a draft by the states that they leave, each state's in the order in which they were added.
struct Leaving {
    /// Where in `edges` those of a state begin.
    begins: Vec<u32>,
    edges: Vec<u32>,
}

impl Leaving {
    fn new(draft: &Draft) -> Leaving {
        let mut begins = vec![0; draft.same_as.len() + 1];
        let sources = || draft.edges.iter().map(|&(from, ..)| draft.resolve(from));
        for from in sources().filter(|&from| from != ERROR) {
            begins[from.index() + 1] += 1;
        }
        for state in 0..draft.same_as.len() {
            begins[state + 1] += begins[state];
        }
        let mut next = begins.clone();
        let mut edges = vec![0; begins.last().map_or(0, |&count| count as usize)];
        for (number, from) in (0..).zip(sources()).filter(|&(_, from)| from != ERROR) {
            let place = &mut next[from.index()];
            edges[*place as usize] = number;
            *place += 1;
        }
        Leaving { begins, edges }
    }

    fn of<'a>(
        &'a self,
        draft: &'a Draft,
        state: State,
    ) -> impl Iterator<Item = (Action, State)> + 'a {
        let [from, to] = [state.index(), state.index() + 1].map(|at| self.begins[at] as usize);
        let edges = self.edges[from..to].iter();
        edges.map(|&number| {
            let (_, action, to) = draft.edges[number as usize];
            (action, draft.resolve(to))
        })
    }
}

/// A name with its indices as they are written: `Q.1.a` is `Q[1][a]`.
pub(super) fn indexed(name: &str) -> String {
    match name.split_once('.') {
        Some((name, indices)) => format!("{name}[{}]", indices.replace('.', "][")),
        None => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_of_names_are_found() {
        let mut draft = Draft::default();
        let states: Vec<State> = (0..4).map(|_| draft.new_state()).collect();
        draft.equate(states[0], states[1]);
        draft.equate(states[1], states[2]);
        assert_eq!(draft.circle(), None);
        draft.equate(states[3], states[3]);
        draft.equate(states[2], states[1]);
        assert!(draft.circle().is_some());
    }

    #[test]
    fn error_at_the_start_is_reached_silently() {
        let mut draft = Draft::default();
        let start = draft.new_state();
        draft.equate(start, ERROR);
        let (lts, _) = draft.finish(start, &Budget::unlimited()).unwrap();
        assert_eq!((lts.states(), lts.transitions()), (1, 1));
        assert!(lts.has_error());
    }
}
