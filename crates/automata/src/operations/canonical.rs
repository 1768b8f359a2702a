//! The one automaton of a language.

use std::ops::Deref;

use hashbrown::HashTable;
use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::determinize::Determinization;
use crate::{Alphabet, Dfa, Minterms, Nfa, Predicate, State};

/// The minimal deterministic automaton of a language in a canonical form: two languages over
/// one alphabet are equal if and only if these values are, so a hash map can hold languages.
///
/// Canonical means: minimal and without useless states (a partial function, no sink; only the
/// empty language keeps its initial state); letters that no state tells apart share a column;
/// states are numbered breadth first in the order of the letters.
///
/// ```
/// use quotient_automata::{Alphabet, Nfa};
/// use quotient_core::Budget;
/// let alphabet = Alphabet::new(["a", "b"])?;
/// let budget = Budget::unlimited();
/// let any = alphabet.set(["a", "b"])?;
/// let loops = Nfa::builder(&alphabet).initial(0).edge(0, &any, 0).accepting(0).build();
/// let more_loops = Nfa::builder(&alphabet)
///     .initial(0).edge(0, &any, 1).edge(1, &any, 0).accepting(0).accepting(1)
///     .build();
/// assert_eq!(loops.canonical(&budget), more_loops.canonical(&budget));
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Canonical(Dfa);

impl Canonical {
    /// The empty language.
    pub fn empty(alphabet: &Alphabet) -> Canonical {
        let minterms = Minterms::new(alphabet, [] as [&Predicate; 0]);
        let table = vec![Dfa::NONE; minterms.len()];
        let accepting = Bits::with_capacity(1);
        Canonical(Dfa::from_table(
            alphabet,
            minterms,
            State(0),
            accepting,
            table,
        ))
    }

    /// The automaton as a plain [`Dfa`].
    pub fn into_dfa(self) -> Dfa {
        self.0
    }

    /// Puts a minimal automaton without useless states in canonical form.
    pub(crate) fn from_minimal(dfa: &Dfa) -> Canonical {
        if dfa.is_sparse() {
            return Canonical(sparse_canonical(dfa));
        }
        let (minterms, columns) = coarsest_columns(dfa);
        let mut number = vec![Dfa::NONE; dfa.len()];
        let mut order = Vec::with_capacity(dfa.len());
        let mut accepting = Bits::with_capacity(dfa.len());
        let mut table = Vec::with_capacity(dfa.len() * columns.len());
        number[dfa.initial().index()] = 0;
        order.push(dfa.initial());
        let mut done = 0;
        while let Some(&state) = order.get(done) {
            accepting.set(done, dfa.is_accepting(state));
            done += 1;
            let row = dfa.row(state);
            for &column in &columns {
                let next = row[column];
                if next != Dfa::NONE && number[next as usize] == Dfa::NONE {
                    number[next as usize] = order.len() as u32;
                    order.push(State(next));
                }
                table.push(if next == Dfa::NONE {
                    Dfa::NONE
                } else {
                    number[next as usize]
                });
            }
        }
        let alphabet = dfa.alphabet();
        Canonical(Dfa::from_table(
            alphabet,
            minterms,
            State(0),
            accepting,
            table,
        ))
    }
}

/// The canonical form of a minimal automaton with many classes and few moves.
fn sparse_canonical(dfa: &Dfa) -> Dfa {
    // The columns: for each class its moves as source and target.
    let states = || (0..dfa.len() as u32).map(State);
    let mut columns: Vec<Vec<(u32, u32)>> = vec![Vec::new(); dfa.minterms().len()];
    for state in states() {
        for (class, next) in dfa.moves(state) {
            columns[class as usize].push((state.0, next));
        }
    }
    let mut groups: FxHashMap<&[(u32, u32)], u32> = FxHashMap::default();
    let mut is_first = Bits::with_capacity(columns.len());
    let group: Vec<u32> = columns
        .iter()
        .enumerate()
        .map(|(class, column)| {
            let new = groups.len() as u32;
            let group = *groups.entry(column).or_insert(new);
            is_first.set(class, group == new);
            group
        })
        .collect();
    let minterms = dfa.minterms().merged(dfa.alphabet(), &group);
    let mut number = vec![Dfa::NONE; dfa.len()];
    let mut order = vec![dfa.initial()];
    number[dfa.initial().index()] = 0;
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::with_capacity(dfa.len());
    while let Some(&state) = order.get(rows.len()) {
        let moves = dfa
            .moves(state)
            .filter(|&(class, _)| is_first.contains(class as usize));
        let row = moves.map(|(class, next)| {
            if number[next as usize] == Dfa::NONE {
                number[next as usize] = order.len() as u32;
                order.push(State(next));
            }
            (group[class as usize], number[next as usize])
        });
        rows.push(row.collect());
    }
    let accepting = order
        .iter()
        .enumerate()
        .filter(|&(_, &state)| dfa.is_accepting(state));
    let mut accepts = Bits::with_capacity(order.len());
    accepting.for_each(|(number, _)| accepts.insert(number));
    Dfa::from_moves(dfa.alphabet(), minterms, State(0), accepts, rows)
}

/// The classes of letters whose columns differ, and a column of the table for each.
fn coarsest_columns(dfa: &Dfa) -> (Minterms, Vec<usize>) {
    let width = dfa.minterms().len();
    let mut hashes = vec![0u64; width];
    for row in dfa.table().chunks_exact(width.max(1)) {
        for (hash, &next) in hashes.iter_mut().zip(row) {
            *hash = (hash.rotate_left(5) ^ u64::from(next)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    let equal = |a: usize, b: usize| {
        dfa.table()
            .chunks_exact(width.max(1))
            .all(|row| row[a] == row[b])
    };
    let mut columns: Vec<usize> = Vec::with_capacity(width);
    let mut groups: HashTable<u32> = HashTable::with_capacity(width);
    let group: Vec<u32> = (0..width)
        .map(|column| {
            let alike = groups.find(hashes[column], |&group| {
                equal(columns[group as usize], column)
            });
            if let Some(&group) = alike {
                return group;
            }
            let group = columns.len() as u32;
            columns.push(column);
            groups.insert_unique(hashes[column], group, |&group| {
                hashes[columns[group as usize]]
            });
            group
        })
        .collect();
    if columns.len() == width {
        return (dfa.minterms().clone(), columns);
    }
    // Classes are numbered by their first letter, groups by their first class: the same order.
    (dfa.minterms().merged(dfa.alphabet(), &group), columns)
}

/// How many states beyond four times those of the automaton a determinised one may have before
/// the other way is tried.
const FORWARD_FIRST: usize = 256;

/// How many times larger than the reversed one the determinised automaton may grow: its states
/// cost less, as what follows is fast minimisation and not a second subset construction.
const HEAD_START: usize = 8;

/// The canonical automaton of the reverse of a deterministic one: determinising it is enough,
/// all states are reached and, as those that lead nowhere are trimmed before, can accept.
fn minimal_by_reversal(dfa: &Dfa, budget: &Budget) -> Result<Canonical, Stop> {
    let minimal = dfa.to_nfa().reverse().determinize(budget)?;
    Ok(if minimal.is_empty_language() {
        Canonical::empty(dfa.alphabet())
    } else {
        Canonical::from_minimal(&minimal)
    })
}

impl Nfa {
    /// The [`Canonical`] automaton of the language.
    ///
    /// Either this automaton is determinised and made minimal, or its reverse is determinised
    /// and that reversed and determinised again, which is minimal at once (Brzozowski 1962).
    /// Each can be exponentially larger than the other, so when the first has grown beyond
    /// measure both are run by turns, and whichever is done first is taken.
    pub fn canonical(&self, budget: &Budget) -> Result<Canonical, Stop> {
        let nfa = self.epsilon_free(budget)?;
        let mut limit = FORWARD_FIRST + 4 * nfa.len();
        let mut forward = Determinization::new(&nfa);
        if forward.run(limit, budget)? {
            return forward.finish(&nfa).minimize_useful(budget);
        }
        let reversed = nfa.reverse();
        let mut backward = Determinization::new(&reversed);
        loop {
            if backward.run(limit / HEAD_START, budget)? {
                return minimal_by_reversal(&backward.finish(&reversed), budget);
            }
            limit = limit.saturating_mul(2);
            if forward.run(limit, budget)? {
                return forward.finish(&nfa).minimize_useful(budget);
            }
        }
    }

    /// The [`Canonical`] automaton by reversing and determinising twice (Brzozowski 1962): one
    /// of the two ways of [`Nfa::canonical`], on its own.
    pub fn minimize_by_reversal(&self, budget: &Budget) -> Result<Canonical, Stop> {
        minimal_by_reversal(&self.reverse().determinize(budget)?, budget)
    }
}

impl Deref for Canonical {
    type Target = Dfa;

    fn deref(&self) -> &Dfa {
        &self.0
    }
}
