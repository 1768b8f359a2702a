//! Nondeterministic automata on classes of letters: the workhorse below images and merging.

mod determinize;

use quotient_bits::Bits;

/// A nondeterministic automaton whose moves carry numbered classes of letters, in compressed
/// rows. It lives for one operation and is never seen outside.
pub(crate) struct ClassNfa {
    pub(crate) initial: Vec<u32>,
    pub(crate) accepting: Bits,
    /// For each state its moves: class and target.
    pub(crate) moves: Rows<(u32, u32)>,
    /// For each state its ε-moves.
    pub(crate) silent: Rows<u32>,
}

/// A list for each state, all in one piece of memory.
pub(crate) struct Rows<T> {
    ends: Vec<u32>,
    pub(crate) items: Vec<T>,
}

impl<T> Rows<T> {
    /// No rows yet, with room for so many and their items.
    pub(crate) fn with_capacity(rows: usize, items: usize) -> Rows<T> {
        let mut ends = Vec::with_capacity(rows + 1);
        ends.push(0);
        Rows {
            ends,
            items: Vec::with_capacity(items),
        }
    }

    pub(crate) fn end_row(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    /// How many rows are complete.
    pub(crate) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    #[inline]
    pub(crate) fn row(&self, state: u32) -> &[T] {
        let (from, to) = (self.ends[state as usize], self.ends[state as usize + 1]);
        &self.items[from as usize..to as usize]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Keeps the rows of the given states, and in them the items that `change` keeps.
    fn filter<U>(&self, states: &Bits, change: impl Fn(&T) -> Option<U>) -> Rows<U> {
        let mut kept = Rows::with_capacity(self.len(), self.items.len());
        for state in states.ones() {
            kept.items
                .extend(self.row(state as u32).iter().filter_map(&change));
            kept.end_row();
        }
        kept
    }
}

impl ClassNfa {
    /// Without the states from which nothing is accepted: they would only make subsets bigger
    /// and different.
    pub(crate) fn trim(self) -> ClassNfa {
        let states = self.moves.len();
        let useful = self.coreachable(states);
        let mut numbers = vec![u32::MAX; states];
        for (number, state) in useful.ones().enumerate() {
            numbers[state] = number as u32;
        }
        let number = |state: u32| Some(numbers[state as usize]).filter(|&n| n != u32::MAX);
        let mut initial: Vec<u32> = self.initial.iter().filter_map(|&s| number(s)).collect();
        initial.sort_unstable();
        initial.dedup();
        let mut accepting = Bits::with_capacity(useful.count_ones(..));
        self.accepting
            .ones()
            .for_each(|state| accepting.insert(numbers[state] as usize));
        ClassNfa {
            initial,
            accepting,
            moves: self
                .moves
                .filter(&useful, |&(class, state)| number(state).map(|s| (class, s))),
            silent: self.silent.filter(&useful, |&state| number(state)),
        }
    }

    fn coreachable(&self, states: usize) -> Bits {
        let mut starts = vec![0u32; states + 1];
        let all_targets = || {
            let moves = self.moves.items.iter().map(|&(_, target)| target);
            moves.chain(self.silent.items.iter().copied())
        };
        all_targets().for_each(|target| starts[target as usize + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut sources = vec![0u32; self.moves.items.len() + self.silent.items.len()];
        let mut free = starts.clone();
        for state in 0..states as u32 {
            let moves = self.moves.row(state).iter().map(|&(_, target)| target);
            for target in moves.chain(self.silent.row(state).iter().copied()) {
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
