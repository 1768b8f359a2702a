//! A smaller transducer for the same relation.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::{Label, Predicate, State, Transducer};

impl Transducer {
    /// The same relation without silent moves and without states that no accepting run
    /// visits, where states with the same future and then states with the same past are
    /// merged (forward and backward bisimulation on the labels), until nothing changes.
    ///
    /// Systems are often unions of parts that copy, change a letter, and copy: this makes one
    /// state of all their beginnings and one of all their ends.
    #[must_use]
    pub fn reduce(&self) -> Transducer {
        let mut reduced = self.without_silent_moves().trim().with_joined_moves();
        loop {
            let states = reduced.len();
            reduced = reduced.merge(&reduced.same_future()).with_joined_moves();
            reduced = reduced.merge(&reduced.same_past()).with_joined_moves();
            if reduced.len() == states {
                return reduced;
            }
        }
    }

    /// The same relation without silent moves, where only states with the same future are
    /// merged: what the others can still read and write stays as it is.
    #[must_use]
    pub fn reduce_futures(&self) -> Transducer {
        let mut reduced = self.without_silent_moves().trim().with_joined_moves();
        loop {
            let states = reduced.len();
            reduced = reduced.merge(&reduced.same_future()).with_joined_moves();
            if reduced.len() == states {
                return reduced;
            }
        }
    }

    /// The same relation with few moves between any two states: rewriting a letter to itself
    /// is copying, and moves that differ on one side only become one. Formats that list
    /// pairs of letters one by one need that.
    fn with_joined_moves(&self) -> Transducer {
        let mut between: BTreeMap<(State, State), Vec<&Label>> = BTreeMap::new();
        for edge in self.edges() {
            let ends = between.entry((edge.source, edge.target)).or_default();
            ends.push(self.label(edge));
        }
        let mut builder = Transducer::builder(self.alphabet()).states(self.len() as u32);
        self.initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        self.accepting_states()
            .for_each(|state| builder.add_accepting(state));
        for ((source, target), labels) in between {
            for label in joined(labels) {
                builder.add_edge(source, &label, target);
            }
        }
        builder.build()
    }

    /// The same relation, with only the states that an accepting run visits.
    #[must_use]
    pub fn trim(&self) -> Transducer {
        let mut useful = self.reachable();
        useful.intersect_with(&self.coreachable());
        let mut numbers = vec![None; self.len()];
        for (number, state) in useful.ones().enumerate() {
            numbers[state] = Some(State(number as u32));
        }
        self.renumber(|state| numbers[state.index()])
    }

    fn without_silent_moves(&self) -> Transducer {
        if !self.labels().contains(&Label::SILENT) {
            return self.clone();
        }
        let mut builder = Transducer::builder(self.alphabet()).states(self.len() as u32);
        self.initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        for state in self.states() {
            let mut closure = vec![state];
            let mut next = 0;
            while next < closure.len() {
                let from = closure[next];
                next += 1;
                if self.is_accepting(from) {
                    builder.add_accepting(state);
                }
                for edge in self.edges_from(from) {
                    let label = self.label(edge);
                    if *label != Label::SILENT {
                        builder.add_edge(state, label, edge.target);
                    } else if !closure.contains(&edge.target) {
                        closure.push(edge.target);
                    }
                }
            }
        }
        builder.build()
    }

    fn same_future(&self) -> Vec<u32> {
        let moves = |states: &mut [Vec<(u32, u32)>], classes: &[u32]| {
            for edge in self.edges() {
                let class = classes[edge.target.index()];
                states[edge.source.index()].push((edge.label, class));
            }
        };
        let accepts = |state: usize| self.accepting().contains(state);
        coarsest_stable(self.len(), accepts, moves)
    }

    fn same_past(&self) -> Vec<u32> {
        let moves = |states: &mut [Vec<(u32, u32)>], classes: &[u32]| {
            for edge in self.edges() {
                let class = classes[edge.source.index()];
                states[edge.target.index()].push((edge.label, class));
            }
        };
        let begins = |state: usize| self.initial().binary_search(&State(state as u32)).is_ok();
        coarsest_stable(self.len(), begins, moves)
    }

    fn merge(&self, classes: &[u32]) -> Transducer {
        self.renumber(|state| Some(State(classes[state.index()])))
    }

    /// Every state gets another number, which several may share, or goes away.
    fn renumber(&self, number: impl Fn(State) -> Option<State>) -> Transducer {
        let mut builder = Transducer::builder(self.alphabet());
        for state in self.states().filter_map(&number) {
            builder.add_state(state);
        }
        for initial in self.initial().iter().filter_map(|&state| number(state)) {
            builder.add_initial(initial);
        }
        for accepting in self.accepting_states().filter_map(&number) {
            builder.add_accepting(accepting);
        }
        for edge in self.edges() {
            if let (Some(source), Some(target)) = (number(edge.source), number(edge.target)) {
                builder.add_edge(source, self.label(edge), target);
            }
        }
        builder.build()
    }
}

/// Few labels for the same moves.
fn joined(labels: Vec<&Label>) -> Vec<Label> {
    let mut copies: Option<Predicate> = None;
    let mut by_input: BTreeMap<&Predicate, Option<Predicate>> = BTreeMap::new();
    let mut one_sided = Vec::new();
    for label in labels {
        match label {
            Label::Pair(Some(input), Some(output)) if !(input == output && input.len() == 1) => {
                add(by_input.entry(input).or_default(), output);
            }
            Label::Copy(letters) | Label::Pair(Some(letters), Some(_)) => {
                add(&mut copies, letters);
            }
            Label::Pair(..) => one_sided.push(label.clone()),
        }
    }
    let mut by_output: BTreeMap<Option<Predicate>, Option<Predicate>> = BTreeMap::new();
    for (input, output) in by_input {
        add(by_output.entry(output).or_default(), input);
    }
    let pairs = by_output
        .into_iter()
        .map(|(output, input)| Label::Pair(input, output));
    let copies = copies.map(Label::Copy);
    one_sided.into_iter().chain(copies).chain(pairs).collect()
}

fn add(letters: &mut Option<Predicate>, more: &Predicate) {
    match letters {
        Some(letters) => letters.or_assign(more),
        None => *letters = Some(more.clone()),
    }
}

/// Splits two classes by the moves into classes until that splits nothing more. Where that
/// takes very many rounds, every state stays alone: nothing is merged, which is always right.
fn coarsest_stable(
    states: usize,
    mark: impl Fn(usize) -> bool,
    moves: impl Fn(&mut [Vec<(u32, u32)>], &[u32]),
) -> Vec<u32> {
    let mut classes: Vec<u32> = (0..states).map(|state| u32::from(mark(state))).collect();
    const MOST_WORK: usize = 30_000_000;
    let (mut count, mut work) = (0, 0);
    loop {
        let mut signatures = vec![Vec::new(); states];
        moves(&mut signatures, &classes);
        work += states + signatures.iter().map(Vec::len).sum::<usize>();
        if work > MOST_WORK {
            return (0..states as u32).collect();
        }
        let mut numbers: FxHashMap<(u32, Vec<(u32, u32)>), u32> = FxHashMap::default();
        for (state, mut signature) in signatures.into_iter().enumerate() {
            signature.sort_unstable();
            signature.dedup();
            let next = numbers.len() as u32;
            classes[state] = *numbers.entry((classes[state], signature)).or_insert(next);
        }
        if numbers.len() == count {
            return classes;
        }
        count = numbers.len();
    }
}
