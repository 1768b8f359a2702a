//! Labelled graphs with initial and accepting states: what automata and transducers share.

use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use quotient_bits::Bits;
use rustc_hash::FxHasher;

/// A state, as its number in a [`Graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub u32);

impl State {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<u32> for State {
    fn from(number: u32) -> State {
        State(number)
    }
}

/// An edge; the label is a number in [`Graph::labels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Where it leaves.
    pub source: State,
    /// The number of its label.
    pub label: u32,
    /// Where it leads.
    pub target: State,
}

/// A finite graph with labelled edges, initial and accepting states.
///
/// Edges are twelve bytes, sorted by source, with an index by source (compressed sparse rows);
/// equal labels are stored once. A graph does not change: operations make new ones with a
/// [`GraphBuilder`].
#[derive(Debug, Clone)]
pub struct Graph<L> {
    initial: Vec<State>,
    accepting: Bits,
    labels: Vec<L>,
    edges: Vec<Edge>,
    /// `edges[rows[s]..rows[s + 1]]` leave state `s`.
    rows: Vec<u32>,
}

impl<L> Graph<L> {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.rows.len() - 1
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All states in order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State> + use<L> {
        (0..self.len() as u32).map(State)
    }

    /// The initial states, sorted.
    pub fn initial(&self) -> &[State] {
        &self.initial
    }

    /// The accepting states, by number.
    pub fn accepting(&self) -> &Bits {
        &self.accepting
    }

    /// Whether a state accepts.
    #[inline]
    pub fn is_accepting(&self, state: State) -> bool {
        self.accepting.contains(state.index())
    }

    /// The distinct labels.
    pub fn labels(&self) -> &[L] {
        &self.labels
    }

    /// All edges, sorted by source, label and target.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that leave a state.
    #[inline]
    pub fn edges_from(&self, state: State) -> &[Edge] {
        let (from, to) = (self.rows[state.index()], self.rows[state.index() + 1]);
        &self.edges[from as usize..to as usize]
    }

    /// The label of an edge.
    #[inline]
    pub fn label(&self, edge: &Edge) -> &L {
        &self.labels[edge.label as usize]
    }

    /// Only these states and the edges between them, numbered in the same order; labels without
    /// an edge are forgotten. As nothing changes its order, nothing is sorted.
    pub(crate) fn restricted_to(&self, kept: &Bits) -> Graph<L>
    where
        L: Clone,
    {
        const GONE: u32 = u32::MAX;
        let mut number = vec![GONE; self.len()];
        for (new, state) in kept.ones().enumerate() {
            number[state] = new as u32;
        }
        let count = kept.count_ones(..);
        let mut label_number = vec![GONE; self.labels.len()];
        let mut edges: Vec<Edge> = Vec::with_capacity(self.edges.len());
        let mut rows = Vec::with_capacity(count + 1);
        rows.push(0);
        for state in kept.ones() {
            for edge in self.edges_from(State(state as u32)) {
                let target = number[edge.target.index()];
                if target != GONE {
                    label_number[edge.label as usize] = 0;
                    edges.push(Edge {
                        source: State(number[state]),
                        label: edge.label,
                        target: State(target),
                    });
                }
            }
            rows.push(edges.len() as u32);
        }
        let mut labels = Vec::new();
        for (label, number) in self.labels.iter().zip(&mut label_number) {
            if *number != GONE {
                *number = labels.len() as u32;
                labels.push(label.clone());
            }
        }
        for edge in &mut edges {
            edge.label = label_number[edge.label as usize];
        }
        let mut accepting = Bits::with_capacity(count);
        let old = self.accepting.ones().filter(|&state| number[state] != GONE);
        old.for_each(|state| accepting.insert(number[state] as usize));
        let initial = self.initial.iter().map(|state| number[state.index()]);
        Graph {
            initial: initial.filter(|&state| state != GONE).map(State).collect(),
            accepting,
            labels,
            edges,
            rows,
        }
    }

    /// The states that some initial state can reach.
    pub fn reachable(&self) -> Bits {
        let mut seen = Bits::with_capacity(self.len());
        let mut waiting = self.initial.clone();
        waiting.iter().for_each(|state| seen.insert(state.index()));
        while let Some(state) = waiting.pop() {
            for edge in self.edges_from(state) {
                if !seen.put(edge.target.index()) {
                    waiting.push(edge.target);
                }
            }
        }
        seen
    }

    /// The states that can reach some accepting state.
    pub fn coreachable(&self) -> Bits {
        coreachable(&self.edges, &self.rows, &self.accepting)
    }
}

/// How often all states that are still open are looked at one by one before edges are turned round.
const SWEEPS: usize = 4;

/// The states from which accepting ones can be reached, by edges in rows.
///
/// States mostly lead to states with larger numbers, or soon to acceptance: looking at them from the last
/// to the first tells nearly all, and a time in which nothing new is found tells the rest.
fn coreachable(edges: &[Edge], rows: &[u32], accepting: &Bits) -> Bits {
    let states = rows.len() - 1;
    let row = |state: u32| {
        let (from, to) = (rows[state as usize], rows[state as usize + 1]);
        &edges[from as usize..to as usize]
    };
    let mut seen = accepting.clone();
    seen.grow(states);
    let all = (0..states as u32).rev();
    let mut open: Vec<u32> = all
        .filter(|&state| !seen.contains(state as usize))
        .collect();
    for _ in 0..SWEEPS {
        let before = open.len();
        open.retain(|&state| {
            let leads = row(state)
                .iter()
                .any(|edge| seen.contains(edge.target.index()));
            seen.set(state as usize, leads);
            !leads
        });
        if open.is_empty() || open.len() == before {
            return seen;
        }
    }
    // The edges between open states, turned round.
    let mut starts = vec![0u32; states + 2];
    let mut waiting: Vec<u32> = Vec::new();
    for &state in &open {
        let targets = row(state).iter().map(|edge| edge.target.index());
        targets.for_each(|target| starts[target + 2] += 1);
    }
    for at in 2..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut sources = vec![0u32; starts[states + 1] as usize];
    for &state in &open {
        let mut leads = false;
        for edge in row(state) {
            leads |= seen.contains(edge.target.index());
            let free = &mut starts[edge.target.index() + 1];
            sources[*free as usize] = state;
            *free += 1;
        }
        if leads {
            waiting.push(state);
        }
    }
    waiting
        .iter()
        .for_each(|&state| seen.insert(state as usize));
    while let Some(state) = waiting.pop() {
        let (from, to) = (starts[state as usize], starts[state as usize + 1]);
        for &source in &sources[from as usize..to as usize] {
            if !seen.put(source as usize) {
                waiting.push(source);
            }
        }
    }
    seen
}

/// Where the edges of each state begin, and the last end.
fn row_starts(edges: &[Edge], states: usize) -> Vec<u32> {
    let mut rows = vec![0u32; states + 1];
    for edge in edges {
        rows[edge.source.index() + 1] += 1;
    }
    for i in 1..rows.len() {
        rows[i] += rows[i - 1];
    }
    rows
}

/// Collects the parts of a [`Graph`] in any order. States come into being when they are named.
#[derive(Debug, Clone)]
pub struct GraphBuilder<L> {
    states: u32,
    initial: Vec<State>,
    accepting: Bits,
    labels: Vec<L>,
    /// The numbers of the labels, found by what is in `labels`.
    numbers: HashTable<u32>,
    edges: Vec<Edge>,
}

impl<L: Clone + Eq + Hash> GraphBuilder<L> {
    /// No states yet.
    pub fn new() -> Self {
        GraphBuilder {
            states: 0,
            initial: Vec::new(),
            accepting: Bits::new(),
            labels: Vec::new(),
            numbers: HashTable::new(),
            edges: Vec::new(),
        }
    }

    /// Makes sure that the states up to this number exist.
    pub fn reserve_states(&mut self, count: u32) {
        self.states = self.states.max(count);
    }

    /// How many states there are so far.
    pub(crate) fn state_count(&self) -> u32 {
        self.states
    }

    /// A state that was not there before.
    pub fn fresh_state(&mut self) -> State {
        self.states += 1;
        State(self.states - 1)
    }

    /// Makes a state initial.
    pub fn initial(&mut self, state: State) {
        self.reserve_states(state.0 + 1);
        self.initial.push(state);
    }

    /// Makes a state accepting.
    pub fn accepting(&mut self, state: State) {
        self.reserve_states(state.0 + 1);
        self.accepting.grow(self.states as usize);
        self.accepting.insert(state.index());
    }

    /// The number of a label, for [`GraphBuilder::numbered_edge`].
    pub fn label(&mut self, label: &L) -> u32 {
        let hasher = BuildHasherDefault::<FxHasher>::default();
        let labels = &mut self.labels;
        let entry = self.numbers.entry(
            hasher.hash_one(label),
            |&number| labels[number as usize] == *label,
            |&number| hasher.hash_one(&labels[number as usize]),
        );
        match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                let number = labels.len() as u32;
                free.insert(number);
                labels.push(label.clone());
                number
            }
        }
    }

    /// The number of a label that is given away.
    pub(crate) fn owned_label(&mut self, label: L) -> u32 {
        let hasher = BuildHasherDefault::<FxHasher>::default();
        let labels = &mut self.labels;
        let entry = self.numbers.entry(
            hasher.hash_one(&label),
            |&number| labels[number as usize] == label,
            |&number| hasher.hash_one(&labels[number as usize]),
        );
        match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                let number = labels.len() as u32;
                free.insert(number);
                labels.push(label);
                number
            }
        }
    }

    /// Adds an edge.
    pub fn edge(&mut self, source: State, label: &L, target: State) {
        let label = self.label(label);
        self.numbered_edge(source, label, target);
    }

    /// Adds an edge whose label has a number already.
    pub fn numbered_edge(&mut self, source: State, label: u32, target: State) {
        self.reserve_states(source.0.max(target.0) + 1);
        self.edges.push(Edge {
            source,
            label,
            target,
        });
    }

    /// The edges so far, in the order of their making, for builders that rework them.
    pub(crate) fn edges_mut(&mut self) -> &mut Vec<Edge> {
        &mut self.edges
    }

    /// The label with a number.
    pub(crate) fn label_at(&self, number: u32) -> &L {
        &self.labels[number as usize]
    }

    /// The graph; repeated initial states and edges count once, labels without an edge are
    /// forgotten.
    pub fn build(mut self) -> Graph<L> {
        let states = self.states as usize;
        self.forget_unused_labels();
        self.initial.sort_unstable();
        self.initial.dedup();
        self.accepting.grow(states);
        self.sort_by_source();
        for row in self.edges.chunk_by_mut(|a, b| a.source == b.source) {
            row.sort_unstable();
        }
        self.edges.dedup();
        let rows = row_starts(&self.edges, states);
        let GraphBuilder {
            initial,
            accepting,
            labels,
            edges,
            ..
        } = self;
        Graph {
            initial,
            accepting,
            labels,
            edges,
            rows,
        }
    }
}

impl<L> GraphBuilder<L> {
    /// The graph without the states that lead nowhere, for builders that made every state when
    /// they reached it and wrote the edges state by state, none of them twice: nothing is
    /// sorted but each row, and nothing is copied.
    pub(crate) fn build_useful(mut self) -> Graph<L> {
        debug_assert!(self.edges.is_sorted_by_key(|edge| edge.source));
        self.numbers = HashTable::new();
        if self.accepting.is_clear() {
            return Graph {
                initial: Vec::new(),
                accepting: Bits::new(),
                labels: Vec::new(),
                edges: Vec::new(),
                rows: vec![0],
            };
        }
        let states = self.states as usize;
        self.accepting.grow(states);
        let mut rows = row_starts(&self.edges, states);
        let useful = coreachable(&self.edges, &rows, &self.accepting);
        self.initial.sort_unstable();
        self.initial.dedup();
        if useful.count_ones(..) < states {
            self.restrict_to(&useful);
            rows = row_starts(&self.edges, self.states as usize);
        }
        self.forget_unused_labels();
        for row in rows.windows(2) {
            self.edges[row[0] as usize..row[1] as usize].sort_unstable();
        }
        self.edges.shrink_to_fit();
        Graph {
            initial: self.initial,
            accepting: self.accepting,
            labels: self.labels,
            edges: self.edges,
            rows,
        }
    }

    /// Keeps only these states and the edges between them, in the same order.
    fn restrict_to(&mut self, kept: &Bits) {
        const GONE: State = State(u32::MAX);
        let mut number = vec![GONE; self.states as usize];
        let mut accepting = Bits::with_capacity(kept.count_ones(..));
        for (new, state) in kept.ones().enumerate() {
            number[state] = State(new as u32);
            accepting.set(new, self.accepting.contains(state));
        }
        self.states = accepting.len() as u32;
        self.accepting = accepting;
        let renumber = |state: &mut State| {
            *state = number[state.index()];
            *state != GONE
        };
        self.initial.retain_mut(renumber);
        self.edges
            .retain_mut(|edge| renumber(&mut edge.source) && renumber(&mut edge.target));
    }

    /// Puts the edges of each state side by side, in the order of states: by counting, and not
    /// at all if they are so already.
    pub(crate) fn sort_by_source(&mut self) {
        if self.edges.is_sorted_by_key(|edge| edge.source) {
            return;
        }
        let mut free = vec![0u32; self.states as usize + 1];
        for edge in &self.edges {
            free[edge.source.index() + 1] += 1;
        }
        for i in 1..free.len() {
            free[i] += free[i - 1];
        }
        let mut sorted = self.edges.clone();
        for edge in &self.edges {
            let at = &mut free[edge.source.index()];
            sorted[*at as usize] = *edge;
            *at += 1;
        }
        self.edges = sorted;
    }

    fn forget_unused_labels(&mut self) {
        let mut new_number = vec![0u32; self.labels.len()];
        for edge in &self.edges {
            new_number[edge.label as usize] = 1;
        }
        if new_number.iter().all(|&used| used == 1) {
            return;
        }
        let mut used = new_number.iter().map(|&used| used == 1);
        self.labels.retain(|_| used.next() == Some(true));
        let mut next = 0;
        for number in &mut new_number {
            next += std::mem::replace(number, next);
        }
        for edge in &mut self.edges {
            edge.label = new_number[edge.label as usize];
        }
    }
}

impl<L: Clone + Eq + Hash> Default for GraphBuilder<L> {
    fn default() -> Self {
        GraphBuilder::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_the_edges_of_each_state() {
        let mut builder = GraphBuilder::new();
        builder.edge(State(2), &'b', State(0));
        builder.edge(State(0), &'a', State(2));
        builder.edge(State(0), &'a', State(2));
        builder.initial(State(0));
        builder.accepting(State(3));
        let graph = builder.build();
        assert_eq!(graph.len(), 4);
        assert_eq!(graph.edges_from(State(0)).len(), 1);
        assert_eq!(graph.label(&graph.edges_from(State(2))[0]), &'b');
        assert_eq!(graph.edges_from(State(3)), []);
        assert_eq!(graph.reachable().ones().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(graph.coreachable().ones().collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn a_graph_without_states_is_fine() {
        let graph = GraphBuilder::<char>::new().build();
        assert!(graph.is_empty() && graph.reachable().is_clear() && graph.coreachable().is_clear());
    }

    #[test]
    fn who_can_accept_is_found_in_any_order_of_states() {
        let mut random = crate::testing::Random::new(3);
        for states in 1..60u32 {
            // Sparse ones, and chains from large numbers to small ones, which need many rounds.
            for chain in [false, true] {
                let mut builder = GraphBuilder::new();
                builder.reserve_states(states);
                for state in 1..states {
                    let (one, other) = match chain {
                        true => (state - 1, state),
                        false => (random.below(states), random.below(states)),
                    };
                    // Numbers turned round by fives, so that neither direction is quick.
                    let turned = |state: u32| State(state / 5 * 5 + (4 - state % 5));
                    builder.edge(turned(one), &'a', turned(other));
                }
                builder.accepting(State(random.below(states)));
                let graph = builder.build();
                let mut naive = graph.accepting().clone();
                for _ in 0..graph.len() {
                    for edge in graph.edges() {
                        if naive.contains(edge.target.index()) {
                            naive.insert(edge.source.index());
                        }
                    }
                }
                assert_eq!(graph.coreachable(), naive, "{states} states");
            }
        }
    }
}
