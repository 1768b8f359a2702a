//! Which states can do all that others can: simulation preorders.

use quotient_core::{Budget, Stop};

use super::subsets::{bits, insert, members};
use super::successors::Successors;
use crate::{Nfa, State};

/// A simulation preorder on the states of an automaton, as a matrix of bits.
///
/// State `p` is below `q` if `q` can match every move of `p`, again and again, and accepts
/// where `p` does; then every word accepted from `p` is accepted from `q`.
#[derive(Debug, Clone)]
pub struct Simulation {
    states: usize,
    words: usize,
    /// Row by row: the states that simulate the state of the row.
    above: Vec<u64>,
}

/// For how many states a simulation is computed: the matrix takes a bit for each pair, here up
/// to 128 MiB.
pub(crate) const MAX_STATES: usize = 1 << 15;

impl Nfa {
    /// The greatest forward simulation: a state is below those that can match its moves.
    ///
    /// An ε-move must be matched by an ε-move. More than 32768 states are refused, as the
    /// matrix would take too much memory.
    pub fn forward_simulation(&self, budget: &Budget) -> Result<Simulation, Stop> {
        let successors = Successors::new(self, &self.minterms());
        let words = self.len().div_ceil(64);
        let accepting = bits(words, self.accepting().ones());
        greatest_simulation(&successors, &accepting, budget)
    }

    /// The greatest backward simulation: the forward one of the [reverse](Nfa::reverse). If `p`
    /// is below `q`, every word that leads from an initial state to `p` leads to `q` too.
    pub fn backward_simulation(&self, budget: &Budget) -> Result<Simulation, Stop> {
        self.reverse().forward_simulation(budget)
    }
}

impl Simulation {
    /// Whether `above` simulates `below`.
    #[inline]
    pub fn simulates(&self, above: State, below: State) -> bool {
        self.row(below.0)[above.index() / 64] >> (above.0 % 64) & 1 == 1
    }

    /// The states that simulate a state, itself included, in order.
    pub fn above(&self, state: State) -> impl Iterator<Item = State> + '_ {
        members(self.row(state.0)).map(State)
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.states
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// The states that simulate a state, as a bit set.
    #[inline]
    pub(crate) fn row(&self, state: u32) -> &[u64] {
        &self.above[state as usize * self.words..][..self.words]
    }

    /// The relation the other way round: rows hold the states below.
    pub(crate) fn transposed(&self) -> Simulation {
        let mut below = vec![0; self.above.len()];
        for state in 0..self.states as u32 {
            for above in members(self.row(state)) {
                insert(
                    &mut below[above as usize * self.words..][..self.words],
                    state,
                );
            }
        }
        Simulation {
            above: below,
            ..*self
        }
    }

    /// The number of the class of each state, where states that simulate each other are in
    /// one class, and a member of each class.
    pub(crate) fn equivalence_classes(&self) -> (Vec<u32>, Vec<State>) {
        let mut class_of = vec![u32::MAX; self.states];
        let mut representatives = Vec::new();
        for state in 0..self.states as u32 {
            if class_of[state as usize] != u32::MAX {
                continue;
            }
            let class = representatives.len() as u32;
            representatives.push(State(state));
            for other in members(self.row(state)) {
                if self.simulates(State(state), State(other)) {
                    class_of[other as usize] = class;
                }
            }
        }
        (class_of, representatives)
    }
}

/// The greatest simulation that respects `accepting`, by removing pairs until none is wrong.
///
/// In the manner of Henzinger, Henzinger and Kopke (1995): when states are no longer above `q`,
/// only their predecessors can cease to be above the predecessors of `q`. Rows of bits take the
/// place of the lists, and a look at the few successors of a candidate that of counters for
/// each pair, so that the memory is n² bits.
pub(crate) fn greatest_simulation(
    successors: &Successors,
    accepting: &[u64],
    budget: &Budget,
) -> Result<Simulation, Stop> {
    if successors.len() > MAX_STATES {
        return Err(Stop::bound("states of a simulation", MAX_STATES as u64));
    }
    let predecessors = successors.reversed();
    let mut simulation = first_candidates(successors, accepting);
    let (states, words) = (simulation.states, simulation.words);
    // The row when it was last handed on; all states at first.
    let mut handed_on = all_pairs(states, words);
    let mut queued = vec![true; states];
    let mut queue: Vec<u32> = (0..states as u32).collect();
    let mut wrong = vec![0u64; words];
    let mut row = vec![0u64; words];
    let mut removed: Vec<u32> = Vec::new();
    while let Some(state) = queue.pop() {
        queued[state as usize] = false;
        budget.poll()?;
        row.copy_from_slice(simulation.row(state));
        let last = &mut handed_on[state as usize * words..][..words];
        removed.clear();
        last.iter_mut()
            .zip(&row)
            .for_each(|(last, now)| *last &= !now);
        removed.extend(members(last));
        last.copy_from_slice(&row);
        for (class, sources) in predecessors.from(state) {
            // Those that read the class and have no successor above `state`. States that do not
            // read it were no candidates to begin with.
            let few_left = row
                .iter()
                .map(|word| word.count_ones() as usize)
                .sum::<usize>();
            if removed.len() > few_left {
                wrong.fill(u64::MAX);
                for above in members(&row) {
                    for &source in predecessors.on(State(above), class) {
                        wrong[source as usize / 64] &= !(1 << (source % 64));
                    }
                }
            } else {
                wrong.fill(0);
                for &gone in &removed {
                    for &candidate in predecessors.on(State(gone), class) {
                        let mut targets = successors.on(State(candidate), class).iter();
                        if !targets.any(|&t| row[t as usize / 64] >> (t % 64) & 1 == 1) {
                            insert(&mut wrong, candidate);
                        }
                    }
                }
            }
            for &source in sources {
                let above = &mut simulation.above[source as usize * words..][..words];
                let mut changed = 0;
                for (above, wrong) in above.iter_mut().zip(&wrong) {
                    changed |= *above & wrong;
                    *above &= !wrong;
                }
                if changed != 0 && !std::mem::replace(&mut queued[source as usize], true) {
                    queue.push(source);
                }
            }
        }
    }
    Ok(simulation)
}

/// Above a state can only be those that read at least the same classes and accept if it does.
fn first_candidates(successors: &Successors, accepting: &[u64]) -> Simulation {
    let states = successors.len();
    let words = states.div_ceil(64);
    let classes = (0..states as u32)
        .filter_map(|state| successors.from(state).map(|(class, _)| class + 1).max())
        .max()
        .unwrap_or(0);
    let mut readers = vec![0u64; classes as usize * words];
    for state in 0..states as u32 {
        for (class, _) in successors.from(state) {
            insert(&mut readers[class as usize * words..][..words], state);
        }
    }
    let mut simulation = Simulation {
        states,
        words,
        above: all_pairs(states, words),
    };
    for (state, row) in simulation.above.chunks_exact_mut(words.max(1)).enumerate() {
        if accepting[state / 64] >> (state % 64) & 1 == 1 {
            row.iter_mut()
                .zip(accepting)
                .for_each(|(row, set)| *row &= set);
        }
        for (class, _) in successors.from(state as u32) {
            let set = &readers[class as usize * words..][..words];
            row.iter_mut().zip(set).for_each(|(row, set)| *row &= set);
        }
    }
    simulation
}

/// A row of all states for each state.
fn all_pairs(states: usize, words: usize) -> Vec<u64> {
    let mut rows = vec![u64::MAX; states * words];
    if !states.is_multiple_of(64) {
        for row in rows.chunks_exact_mut(words) {
            row[words - 1] = (1 << (states % 64)) - 1;
        }
    }
    rows
}
