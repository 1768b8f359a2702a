//! The fewest states for a language.

use quotient_core::{Budget, Stop};

use super::successors::Successors;
use super::trim::numbering;
use crate::{Canonical, Dfa, State};

impl Dfa {
    /// The minimal automaton of the language, in [`Canonical`] form.
    ///
    /// Hopcroft's idea (1971), *process the smaller half*, in the form of Valmari (2012,
    /// "Fast brief practical DFA minimization"): a partition of the states and one of the
    /// transitions refine each other, so that a partial automaton costs O(m log n) in its m
    /// transitions; missing ones and unused letters cost nothing.
    pub fn minimize(&self, budget: &Budget) -> Result<Canonical, Stop> {
        self.minimize_within(&self.useful(), budget)
    }

    /// The same for what the subset construction makes of an automaton without useless states: all
    /// of it is useful, if anything is accepted.
    pub(super) fn minimize_useful(&self, budget: &Budget) -> Result<Canonical, Stop> {
        let mut useful = quotient_bits::Bits::with_capacity(self.len());
        if !self.accepting().is_clear() {
            useful.insert_range(..);
        }
        debug_assert_eq!(useful, self.useful());
        self.minimize_within(&useful, budget)
    }

    fn minimize_within(
        &self,
        useful: &quotient_bits::Bits,
        budget: &Budget,
    ) -> Result<Canonical, Stop> {
        if !useful.contains(self.initial().index()) {
            return Ok(Canonical::empty(self.alphabet()));
        }
        let states = useful.count_ones(..);
        let number = numbering(useful, self.len());
        let transitions = Transitions::of(self, &number, states);
        let accepting = useful
            .intersection(self.accepting())
            .map(|state| number[state]);
        let blocks = transitions.coarsest_stable_partition(states, accepting, budget)?;

        // The first state of each block stands for it.
        let mut firsts = vec![State(0); blocks.len()];
        for state in useful.ones() {
            let block = blocks.set_of[number[state] as usize] as usize;
            if blocks.elements[blocks.starts[block] as usize] == number[state] {
                firsts[block] = State(state as u32);
            }
        }
        let accepts = firsts.iter().map(|&state| self.is_accepting(state));
        let accepts = accepts.enumerate().filter(|&(_, accepts)| accepts);
        let mut accepting = quotient_bits::Bits::with_capacity(blocks.len());
        accepts.for_each(|(block, _)| accepting.insert(block));
        let moves = firsts.iter().map(|&state| {
            let moves = self.moves(state);
            let moves = moves.filter(|&(_, next)| number[next as usize] != Dfa::NONE);
            moves.map(|(class, next)| (class, blocks.set_of[number[next as usize] as usize]))
        });
        let initial = blocks.set_of[number[self.initial().index()] as usize];
        Ok(Canonical::from_minimal(&Dfa::from_moves(
            self.alphabet(),
            self.minterms().clone(),
            State(initial),
            accepting,
            moves,
        )))
    }
}

/// The coarsest partition of the states of a deterministic automaton into those that accept the
/// same words, all of them useful: the number of the class of each state.
pub(super) fn equivalent_states(
    successors: &Successors,
    accepting: impl Iterator<Item = u32>,
    budget: &Budget,
) -> Result<Vec<u32>, Stop> {
    let states = successors.len();
    let each_move = |each: &mut dyn FnMut(u32, u32, u32)| {
        for state in 0..states as u32 {
            for (class, targets) in successors.from(state) {
                targets
                    .iter()
                    .for_each(|&target| each(state, class, target));
            }
        }
    };
    let mut width = 0;
    each_move(&mut |_, class, _| width = width.max(class as usize + 1));
    let transitions = Transitions::of_moves(each_move, width, states);
    let blocks = transitions.coarsest_stable_partition(states, accepting, budget)?;
    Ok(blocks.set_of)
}

/// The transitions between useful states, in columns.
struct Transitions {
    sources: Vec<u32>,
    /// Sorted by class: class `c` begins at `class_starts[c]`.
    class_starts: Vec<u32>,
    /// `into[into_rows[s]..into_rows[s + 1]]` are the transitions into state `s`.
    into_rows: Vec<u32>,
    into: Vec<u32>,
}

impl Transitions {
    fn of(dfa: &Dfa, number: &[u32], states: usize) -> Transitions {
        let width = dfa.minterms().len();
        let each_useful = |each: &mut dyn FnMut(u32, u32, u32)| {
            for state in 0..dfa.len() as u32 {
                let source = number[state as usize];
                if source != Dfa::NONE {
                    dfa.each_move(State(state), |class, next| {
                        let target = number[next as usize];
                        if target != Dfa::NONE {
                            each(source, class, target);
                        }
                    });
                }
            }
        };
        Transitions::of_moves(each_useful, width, states)
    }

    /// The transitions that the function calls back with: source, class and target, each time
    /// in the same order.
    fn of_moves(
        each_useful: impl Fn(&mut dyn FnMut(u32, u32, u32)),
        width: usize,
        states: usize,
    ) -> Transitions {
        let mut class_starts = vec![0u32; width + 1];
        let mut into_rows = vec![0u32; states + 2];
        each_useful(&mut |_, class, target| {
            class_starts[class as usize + 1] += 1;
            into_rows[target as usize + 2] += 1;
        });
        for i in 1..class_starts.len() {
            class_starts[i] += class_starts[i - 1];
        }
        let mut free = class_starts.clone();
        let count = class_starts[width] as usize;
        let (mut sources, mut targets) = (vec![0u32; count], vec![0u32; count]);
        each_useful(&mut |source, class, target| {
            let at = &mut free[class as usize];
            sources[*at as usize] = source;
            targets[*at as usize] = target;
            *at += 1;
        });
        let mut transitions = Transitions {
            sources,
            class_starts,
            into_rows,
            into: Vec::new(),
        };
        for i in 2..transitions.into_rows.len() {
            transitions.into_rows[i] += transitions.into_rows[i - 1];
        }
        transitions.into = vec![0; targets.len()];
        for (transition, &target) in targets.iter().enumerate() {
            let free = &mut transitions.into_rows[target as usize + 1];
            transitions.into[*free as usize] = transition as u32;
            *free += 1;
        }
        transitions
    }

    /// The coarsest partition of the states that keeps accepting states apart from others and
    /// in which a class of letters leads all states of a block into one block, or none.
    ///
    /// The transitions are partitioned too, into those with one class of letters and one block
    /// of targets; each such set in turn splits the blocks of sources, and each new block the
    /// sets of transitions.
    fn coarsest_stable_partition(
        &self,
        states: usize,
        accepting: impl Iterator<Item = u32>,
        budget: &Budget,
    ) -> Result<Partition, Stop> {
        let mut blocks = Partition::one_set(states);
        accepting.for_each(|state| blocks.mark(state));
        blocks.split_marked();
        let mut bundles = Partition::ranges(&self.class_starts);
        let (mut next_block, mut next_bundle) = (1, 0);
        while next_bundle < bundles.len() {
            budget.poll()?;
            for at in bundles.range(next_bundle) {
                blocks.mark(self.sources[bundles.elements[at] as usize]);
            }
            blocks.split_marked();
            next_bundle += 1;
            while next_block < blocks.len() {
                for at in blocks.range(next_block) {
                    let state = blocks.elements[at] as usize;
                    for into in self.into_rows[state]..self.into_rows[state + 1] {
                        bundles.mark(self.into[into as usize]);
                    }
                }
                bundles.split_marked();
                next_block += 1;
            }
        }
        Ok(blocks)
    }
}

/// A refinable partition of the numbers up to some bound.
struct Partition {
    /// The numbers, set by set.
    elements: Vec<u32>,
    /// Where each number is in `elements`.
    position: Vec<u32>,
    set_of: Vec<u32>,
    /// Where each set begins and ends in `elements`.
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// How many numbers of each set are marked; they are its first.
    marked: Vec<u32>,
    /// The sets with marked numbers.
    touched: Vec<u32>,
}

impl Partition {
    fn one_set(size: usize) -> Partition {
        Partition::ranges(&[0, size as u32])
    }

    /// The partition into consecutive ranges; empty ranges are left out.
    fn ranges(bounds: &[u32]) -> Partition {
        let size = bounds.last().copied().unwrap_or(0);
        let mut partition = Partition {
            elements: (0..size).collect(),
            position: (0..size).collect(),
            set_of: vec![0; size as usize],
            starts: Vec::with_capacity(size as usize),
            ends: Vec::with_capacity(size as usize),
            marked: Vec::with_capacity(size as usize),
            touched: Vec::with_capacity(bounds.len()),
        };
        for range in bounds.windows(2).filter(|range| range[0] < range[1]) {
            let set = partition.add_set(range[0], range[1]);
            partition.set_of[range[0] as usize..range[1] as usize].fill(set);
        }
        partition
    }

    fn add_set(&mut self, start: u32, end: u32) -> u32 {
        self.starts.push(start);
        self.ends.push(end);
        self.marked.push(0);
        self.starts.len() as u32 - 1
    }

    fn len(&self) -> usize {
        self.starts.len()
    }

    fn range(&self, set: usize) -> std::ops::Range<usize> {
        self.starts[set] as usize..self.ends[set] as usize
    }

    #[inline]
    fn mark(&mut self, element: u32) {
        let set = self.set_of[element as usize] as usize;
        let (from, to) = (
            self.position[element as usize],
            self.starts[set] + self.marked[set],
        );
        if from < to {
            return;
        }
        let other = self.elements[to as usize];
        self.elements.swap(from as usize, to as usize);
        self.position[other as usize] = from;
        self.position[element as usize] = to;
        if self.marked[set] == 0 {
            self.touched.push(set as u32);
        }
        self.marked[set] += 1;
    }

    /// Splits each set into its marked and unmarked numbers; the smaller part becomes a new
    /// set. No number is marked after that.
    fn split_marked(&mut self) {
        while let Some(set) = self.touched.pop() {
            let set = set as usize;
            let (start, end) = (self.starts[set], self.ends[set]);
            let middle = start + std::mem::take(&mut self.marked[set]);
            if middle == end {
                continue;
            }
            let (new_start, new_end) = if middle - start <= end - middle {
                self.starts[set] = middle;
                (start, middle)
            } else {
                self.ends[set] = middle;
                (middle, end)
            };
            let new = self.add_set(new_start, new_end);
            for at in new_start..new_end {
                self.set_of[self.elements[at as usize] as usize] = new;
            }
        }
    }
}
