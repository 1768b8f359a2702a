//! The pairs of a transducer state and a language state that lie on accepting runs.

use fixedbitset::FixedBitSet;
use quotient_core::{Budget, Stop};

use super::compile::{Kind, Machine};
use crate::Dfa;

/// The nondeterministic automaton of the image: numbered pairs, with their moves by the class
/// written, in compressed rows.
pub(super) struct Product {
    pub(super) initial: Vec<u32>,
    pub(super) accepting: FixedBitSet,
    pub(super) written: Rows<(u32, u32)>,
    pub(super) silent: Rows<u32>,
}

/// A list for each state, all in one piece of memory.
pub(super) struct Rows<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Rows<T> {
    fn new() -> Rows<T> {
        Rows {
            ends: vec![0],
            items: Vec::new(),
        }
    }

    fn end_row(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    #[inline]
    pub(super) fn row(&self, state: u32) -> &[T] {
        let (from, to) = (self.ends[state as usize], self.ends[state as usize + 1]);
        &self.items[from as usize..to as usize]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Keeps the rows of the given states, and in them the items that `change` keeps.
    fn filter<U>(&self, states: &FixedBitSet, change: impl Fn(&T) -> Option<U>) -> Rows<U> {
        let mut kept = Rows::new();
        for state in states.ones() {
            kept.items
                .extend(self.row(state as u32).iter().filter_map(&change));
            kept.end_row();
        }
        kept
    }
}

impl Product {
    /// Walks the pairs that the initial ones reach, then drops those from which nothing is
    /// accepted: they would only make subsets bigger and different.
    pub(super) fn new(
        machine: &Machine,
        language: &Dfa,
        table: &[u32],
        width: usize,
        budget: &Budget,
    ) -> Result<Product, Stop> {
        let mut pairs = Pairs::new(machine.len(), language.len());
        let initial: Vec<u32> = machine
            .initial
            .iter()
            .map(|&p| pairs.number(p, language.initial().0))
            .collect();
        let (mut written, mut silent) = (Rows::new(), Rows::new());
        let mut accepting = FixedBitSet::new();
        // The states that the language moves to on the letters of one label, each once.
        let mut targets = Vec::new();
        let mut next = 0;
        while let Some(&(p, q)) = pairs.pairs.get(next) {
            if machine.accepting[p as usize] && language.accepting().contains(q as usize) {
                accepting.grow_and_insert(next);
            }
            next += 1;
            let row = &table[q as usize * width..(q as usize + 1) * width];
            let before = written.items.len() + silent.items.len();
            let reach = |input: &[u32], targets: &mut Vec<u32>| {
                targets.clear();
                targets.extend(input.iter().map(|&class| row[class as usize]));
                targets.retain(|&target| target != Dfa::NONE);
                targets.sort_unstable();
                targets.dedup();
            };
            for step in machine.moves(p) {
                match &step.kind {
                    Kind::Copy(letters) => {
                        for &class in machine.classes(letters) {
                            let target = row[class as usize];
                            if target != Dfa::NONE {
                                let pair = pairs.number(step.target, target);
                                written.items.push((class, pair));
                            }
                        }
                    }
                    Kind::Rewrite(input, output) => {
                        reach(machine.classes(input), &mut targets);
                        for &target in &targets {
                            let pair = pairs.number(step.target, target);
                            let output = machine.classes(output).iter();
                            written.items.extend(output.map(|&class| (class, pair)));
                        }
                    }
                    Kind::Delete(input) => {
                        reach(machine.classes(input), &mut targets);
                        for &target in &targets {
                            silent.items.push(pairs.number(step.target, target));
                        }
                    }
                    Kind::Insert(output) => {
                        let pair = pairs.number(step.target, q);
                        let output = machine.classes(output).iter();
                        written.items.extend(output.map(|&class| (class, pair)));
                    }
                    Kind::Silent => silent.items.push(pairs.number(step.target, q)),
                }
            }
            written.end_row();
            silent.end_row();
            let made = written.items.len() + silent.items.len() - before;
            budget.charge(1 + made as u64)?;
        }
        let whole = Product {
            initial,
            accepting,
            written,
            silent,
        };
        Ok(whole.trim(pairs.pairs.len()))
    }

    fn trim(self, states: usize) -> Product {
        let useful = self.coreachable(states);
        let mut numbers = vec![u32::MAX; states];
        for (number, state) in useful.ones().enumerate() {
            numbers[state] = number as u32;
        }
        let number = |state: u32| Some(numbers[state as usize]).filter(|&n| n != u32::MAX);
        let mut initial: Vec<u32> = self.initial.iter().filter_map(|&s| number(s)).collect();
        initial.sort_unstable();
        initial.dedup();
        let mut accepting = FixedBitSet::with_capacity(useful.count_ones(..));
        self.accepting
            .ones()
            .for_each(|state| accepting.insert(numbers[state] as usize));
        Product {
            initial,
            accepting,
            written: self
                .written
                .filter(&useful, |&(class, state)| number(state).map(|s| (class, s))),
            silent: self.silent.filter(&useful, |&state| number(state)),
        }
    }

    fn coreachable(&self, states: usize) -> FixedBitSet {
        let mut starts = vec![0u32; states + 1];
        let all_targets = || {
            let written = self.written.items.iter().map(|&(_, target)| target);
            written.chain(self.silent.items.iter().copied())
        };
        all_targets().for_each(|target| starts[target as usize + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut sources = vec![0u32; self.written.items.len() + self.silent.items.len()];
        let mut free = starts.clone();
        for state in 0..states as u32 {
            let written = self.written.row(state).iter().map(|&(_, target)| target);
            for target in written.chain(self.silent.row(state).iter().copied()) {
                sources[free[target as usize] as usize] = state;
                free[target as usize] += 1;
            }
        }
        let mut useful = self.accepting.clone();
        useful.grow(states);
        let mut waiting: Vec<usize> = useful.ones().collect();
        while let Some(state) = waiting.pop() {
            for &source in &sources[starts[state] as usize..starts[state + 1] as usize] {
                if !useful.put(source as usize) {
                    waiting.push(source as usize);
                }
            }
        }
        useful
    }
}

/// Numbers for pairs, in the order in which they are met.
struct Pairs {
    /// A row for each transducer state, allocated when it is first met.
    numbers: Vec<Vec<u32>>,
    width: usize,
    pairs: Vec<(u32, u32)>,
}

impl Pairs {
    fn new(height: usize, width: usize) -> Pairs {
        Pairs {
            numbers: vec![Vec::new(); height],
            width,
            pairs: Vec::new(),
        }
    }

    #[inline]
    fn number(&mut self, p: u32, q: u32) -> u32 {
        let row = &mut self.numbers[p as usize];
        if row.is_empty() {
            row.resize(self.width, u32::MAX);
        }
        let number = &mut row[q as usize];
        if *number == u32::MAX {
            *number = self.pairs.len() as u32;
            self.pairs.push((p, q));
        }
        *number
    }
}
