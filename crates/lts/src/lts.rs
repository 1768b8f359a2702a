//! Labelled transition systems.

use crate::{Action, ERROR, State};

/// A step to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// What happens.
    pub action: Action,
    /// Where it leads.
    pub target: State,
}

/// A labelled transition system: one component of a system.
///
/// The alphabet is part of it and may have actions without any edge: in a composition the
/// component *blocks* those. Edges are stored row by row, each row sorted by action and
/// target, without duplicates.
///
/// ```
/// use quotient_lts::{Actions, LtsBuilder, State};
/// let mut actions = Actions::new();
/// let (send, ack) = (actions.intern("send"), actions.intern("ack"));
/// let mut builder = LtsBuilder::new();
/// builder.edge(0, send, 1).edge(1, ack, 0);
/// let channel = builder.build();
/// assert_eq!((channel.states(), channel.transitions()), (2, 2));
/// let idle = channel.initial();
/// assert_eq!(channel.successors(idle, send)[0].target, State::from(1));
/// assert!(channel.successors(idle, ack).is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lts {
    initial: State,
    end: Option<State>,
    alphabet: Vec<Action>,
    /// `edges[rows[s]..rows[s + 1]]` leave state `s`.
    rows: Vec<u32>,
    edges: Vec<Edge>,
}

impl Lts {
    /// How many states there are, the error state not counted.
    pub fn states(&self) -> usize {
        self.rows.len() - 1
    }

    /// All states in order, the error state not among them.
    pub fn all_states(&self) -> impl DoubleEndedIterator<Item = State> + Clone + use<> {
        State::first(self.states())
    }

    /// How many edges there are.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    /// Where it starts; may be [`ERROR`].
    pub fn initial(&self) -> State {
        self.initial
    }

    /// The state in which it has ended well (`END`), as opposed to being stuck (`STOP`).
    pub fn end(&self) -> Option<State> {
        self.end
    }

    /// The actions it takes part in, sorted; without the silent one.
    pub fn alphabet(&self) -> &[Action] {
        &self.alphabet
    }

    /// Whether an action is in the alphabet.
    pub fn knows(&self, action: Action) -> bool {
        self.alphabet.binary_search(&action).is_ok()
    }

    /// The edges that leave a state; none leave [`ERROR`].
    pub fn edges(&self, state: State) -> &[Edge] {
        if state == ERROR {
            return &[];
        }
        let state = state.index();
        &self.edges[self.rows[state] as usize..self.rows[state + 1] as usize]
    }

    /// The edges that leave a state with this action.
    pub fn successors(&self, state: State, action: Action) -> &[Edge] {
        let edges = self.edges(state);
        let from = edges.partition_point(|edge| edge.action < action);
        let to = edges.partition_point(|edge| edge.action <= action);
        &edges[from..to]
    }

    /// All edges with their source, in order.
    pub fn all_edges(&self) -> impl Iterator<Item = (State, Edge)> + '_ {
        self.all_states()
            .flat_map(|state| self.edges(state).iter().map(move |&edge| (state, edge)))
    }

    /// Without the states that cannot be reached; states numbered breadth-first.
    pub fn reachable(&self) -> Lts {
        let mut builder = LtsBuilder::new();
        builder.alphabet(self.alphabet.iter().copied());
        if self.initial == ERROR {
            builder.initial(ERROR);
            return builder.build();
        }
        let mut number = vec![ERROR; self.states()];
        let mut order = vec![self.initial];
        number[self.initial.index()] = State::from(0);
        let mut next = 0;
        while next < order.len() {
            for edge in self.edges(order[next]) {
                let target = match edge.target {
                    ERROR => ERROR,
                    target => {
                        let slot = &mut number[target.index()];
                        if *slot == ERROR {
                            *slot = State::from_index(order.len());
                            order.push(target);
                        }
                        *slot
                    }
                };
                builder.edge(State::from_index(next), edge.action, target);
            }
            next += 1;
        }
        if let Some(end) = self.end.filter(|&end| number[end.index()] != ERROR) {
            builder.end(number[end.index()]);
        }
        builder.build()
    }

    /// The same system with other actions: each of the alphabet becomes those that are given for
    /// it, one after the other by choice. One that becomes silent is hidden; one that becomes
    /// nothing is gone. Silent edges stay.
    ///
    /// ```
    /// use quotient_lts::{Action, Actions, LtsBuilder};
    /// let mut actions = Actions::new();
    /// let [a, b, c] = ["a", "b", "c"].map(|name| actions.intern(name));
    /// let mut builder = LtsBuilder::new();
    /// builder.edge(0, a, 1).edge(1, b, 0);
    /// let mapped = builder.build().map_labels(|action| match action == a {
    ///     true => vec![b, c],
    ///     false => vec![Action::TAU],
    /// });
    /// assert_eq!((mapped.alphabet(), mapped.transitions()), (&[b, c][..], 3));
    /// ```
    pub fn map_labels<I: IntoIterator<Item = Action>>(&self, of: impl Fn(Action) -> I) -> Lts {
        let mut builder = LtsBuilder::shaped_like(self);
        for &action in &self.alphabet {
            builder.alphabet(of(action));
        }
        for (from, edge) in self.all_edges() {
            if edge.action.is_tau() {
                builder.edge(from, Action::TAU, edge.target);
                continue;
            }
            for action in of(edge.action) {
                builder.edge(from, action, edge.target);
            }
        }
        builder.build()
    }

    /// Whether some edge leads to the error state, or it starts there.
    pub fn has_error(&self) -> bool {
        self.initial == ERROR || self.edges.iter().any(|edge| edge.target == ERROR)
    }

    /// Whether no state has a silent edge or two edges with one action.
    pub fn is_deterministic(&self) -> bool {
        self.all_states().all(|state| {
            let edges = self.edges(state);
            edges.first().is_none_or(|edge| !edge.action.is_tau())
                && edges
                    .windows(2)
                    .all(|pair| pair[0].action != pair[1].action)
        })
    }
}

/// Collects edges in any order. States come to exist when they are mentioned; state 0 always
/// exists and is the initial one unless said otherwise.
#[derive(Debug, Clone)]
pub struct LtsBuilder {
    initial: State,
    end: Option<State>,
    states: usize,
    alphabet: Vec<Action>,
    /// Whether the actions, by number, are in the alphabet already, as far as they were used.
    used: Vec<bool>,
    edges: Vec<(State, Edge)>,
}

impl Default for LtsBuilder {
    fn default() -> Self {
        LtsBuilder::new()
    }
}

impl LtsBuilder {
    /// Nothing but state 0.
    pub fn new() -> LtsBuilder {
        LtsBuilder {
            initial: State::from(0),
            end: None,
            states: 1,
            alphabet: Vec::new(),
            used: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// The states of another system, without its edges and its alphabet.
    pub fn shaped_like(lts: &Lts) -> LtsBuilder {
        LtsBuilder {
            initial: lts.initial,
            end: lts.end,
            states: lts.states(),
            ..LtsBuilder::new()
        }
    }

    /// A state not mentioned before.
    pub fn add_state(&mut self) -> State {
        self.states += 1;
        State::from_index(self.states - 1)
    }

    /// Makes sure that there are at least this many states.
    pub fn at_least(&mut self, states: usize) -> &mut Self {
        self.states = self.states.max(states);
        self
    }

    /// Adds an edge, and its action to the alphabet. The error state cannot be left: an edge
    /// from it only adds to the alphabet.
    pub fn edge(
        &mut self,
        from: impl Into<State>,
        action: Action,
        to: impl Into<State>,
    ) -> &mut Self {
        self.add(from.into(), action, to.into());
        self
    }

    /// The same for all kinds of numbers, compiled once.
    fn add(&mut self, from: State, action: Action, target: State) {
        if self.used.get(action.index()) != Some(&true) {
            self.use_first(action);
        }
        if from != ERROR {
            self.mention(from);
            self.mention(target);
            self.edges.push((from, Edge { action, target }));
        }
    }

    #[cold]
    fn use_first(&mut self, action: Action) {
        if self.used.len() <= action.index() {
            self.used.resize(action.index() + 1, false);
        }
        self.used[action.index()] = true;
        self.alphabet.push(action);
    }

    /// Adds actions to the alphabet.
    pub fn alphabet(&mut self, actions: impl IntoIterator<Item = Action>) -> &mut Self {
        self.alphabet.extend(actions);
        self
    }

    /// Sets where it starts.
    pub fn initial(&mut self, state: impl Into<State>) -> &mut Self {
        let state = state.into();
        self.mention(state);
        self.initial = state;
        self
    }

    /// Sets the state in which it has ended well.
    pub fn end(&mut self, state: impl Into<State>) -> &mut Self {
        let state = state.into();
        self.mention(state);
        self.end = Some(state);
        self
    }

    #[inline]
    fn mention(&mut self, state: State) {
        if state != ERROR {
            self.states = self.states.max(state.index() + 1);
        }
    }

    /// The finished system.
    pub fn build(mut self) -> Lts {
        // Most are added state by state: then each row is sorted for itself.
        if self.edges.is_sorted_by_key(|(from, _)| from.index()) {
            for row in self.edges.chunk_by_mut(|one, other| one.0 == other.0) {
                row.sort_unstable_by_key(|(_, edge)| (edge.action.index(), edge.target.index()));
            }
        } else {
            // By plain numbers, which is the same order: comparing them takes fewer instructions.
            (self.edges).sort_unstable_by_key(|(from, edge)| {
                (from.index(), edge.action.index(), edge.target.index())
            });
        }
        self.edges.dedup();
        self.alphabet.sort_unstable();
        self.alphabet.dedup();
        self.alphabet.retain(|action| !action.is_tau());
        let mut rows = vec![0; self.states + 1];
        for &(from, _) in &self.edges {
            rows[from.index() + 1] += 1;
        }
        for state in 0..self.states {
            rows[state + 1] += rows[state];
        }
        Lts {
            initial: self.initial,
            end: self.end.filter(|&end| end != ERROR),
            alphabet: self.alphabet,
            rows,
            edges: self.edges.into_iter().map(|(_, edge)| edge).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_without_duplicates() {
        let (a, b) = (Action::from_index(1), Action::from_index(2));
        let mut builder = LtsBuilder::new();
        builder
            .edge(1, b, 0)
            .edge(0, b, 1)
            .edge(0, a, ERROR)
            .edge(0, b, 1);
        let lts = builder.build();
        assert_eq!(lts.transitions(), 3);
        assert_eq!(
            lts.edges(lts.initial())
                .iter()
                .map(|e| e.action)
                .collect::<Vec<_>>(),
            [a, b]
        );
        assert!(lts.has_error() && lts.is_deterministic());
    }

    #[test]
    fn the_error_state_cannot_be_left() {
        let a = Action::from_index(1);
        let mut builder = LtsBuilder::new();
        builder.edge(ERROR, a, 0).edge(0, Action::TAU, 0);
        let lts = builder.build();
        assert_eq!((lts.states(), lts.transitions()), (1, 1));
        assert_eq!(lts.alphabet(), [a]);
        assert!(lts.edges(ERROR).is_empty());
    }
}
