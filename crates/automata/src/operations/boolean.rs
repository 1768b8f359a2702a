//! Boolean combinations of deterministic automata.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Dfa, Minterms, Nfa, State};

impl Dfa {
    /// The words of both automata.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn intersection(&self, other: &Dfa, budget: &Budget) -> Result<Dfa, Stop> {
        combine(self, other, |left, right| left && right, budget)
    }

    /// The words of either automaton.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn union(&self, other: &Dfa, budget: &Budget) -> Result<Dfa, Stop> {
        combine(self, other, |left, right| left || right, budget)
    }

    /// The words of this automaton that are not words of the other.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn difference(&self, other: &Dfa, budget: &Budget) -> Result<Dfa, Stop> {
        combine(self, other, |left, right| left && !right, budget)
    }

    /// The words of exactly one of the automata.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn symmetric_difference(&self, other: &Dfa, budget: &Budget) -> Result<Dfa, Stop> {
        combine(self, other, |left, right| left != right, budget)
    }
}

impl Nfa {
    /// The words of this automaton that are not words of the other.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn difference(&self, other: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
        self.intersection(&other.complement_nfa(budget)?, budget)
    }
}

/// The product of two automata that accepts as `accepts` says, for an `accepts` that is false
/// where neither does. A side that has no move is carried along as lost ([`Dfa::NONE`]), and a
/// pair is dropped as soon as no continuation can be accepted: both lost, or one lost that
/// `accepts` cannot do without.
fn combine(
    left: &Dfa,
    right: &Dfa,
    accepts: impl Fn(bool, bool) -> bool,
    budget: &Budget,
) -> Result<Dfa, Stop> {
    assert_eq!(left.alphabet(), right.alphabet());
    let minterms = left
        .minterms()
        .common_refinement(left.alphabet(), right.minterms());
    let (needs_left, needs_right) = (!accepts(false, true), !accepts(true, false));
    let hopeless = |a: u32, b: u32| {
        (a == Dfa::NONE && (needs_left || b == Dfa::NONE)) || (b == Dfa::NONE && needs_right)
    };
    if minterms.len() >= WIDE {
        return combine_wide(left, right, minterms, accepts, hopeless, budget);
    }
    let columns: Vec<(usize, usize)> = (0..minterms.len() as u32)
        .map(|class| {
            let letter = minterms.representative(class);
            (
                left.minterms().class_of(letter) as usize,
                right.minterms().class_of(letter) as usize,
            )
        })
        .collect();
    let next = |row: Option<&[u32]>, column: usize| row.map_or(Dfa::NONE, |row| row[column]);

    let mut pairs = vec![(left.initial().0, right.initial().0)];
    let mut numbers = FxHashMap::from_iter([(pairs[0], 0u32)]);
    let mut table = Vec::new();
    let mut accepting = Bits::new();
    let mut done = 0;
    while let Some(&(a, b)) = pairs.get(done) {
        budget.charge(1)?;
        let (in_left, in_right) = (known(a), known(b));
        accepting.grow(done + 1);
        accepting.set(
            done,
            accepts(
                in_left.is_some_and(|state| left.is_accepting(state)),
                in_right.is_some_and(|state| right.is_accepting(state)),
            ),
        );
        let left_row = in_left.map(|state| left.row(state));
        let right_row = in_right.map(|state| right.row(state));
        for &(left_column, right_column) in &columns {
            let pair = (
                next(left_row.as_deref(), left_column),
                next(right_row.as_deref(), right_column),
            );
            table.push(if hopeless(pair.0, pair.1) {
                Dfa::NONE
            } else {
                *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() as u32 - 1
                })
            });
        }
        done += 1;
    }
    Ok(Dfa::from_table(
        left.alphabet(),
        minterms,
        State(0),
        accepting,
        table,
    ))
}

/// From how many classes on only those that lead somewhere are looked at.
const WIDE: usize = 256;

/// The same where classes are many: pairs have few moves of all that a table would have.
fn combine_wide(
    left: &Dfa,
    right: &Dfa,
    minterms: Minterms,
    accepts: impl Fn(bool, bool) -> bool,
    hopeless: impl Fn(u32, u32) -> bool,
    budget: &Budget,
) -> Result<Dfa, Stop> {
    let parts = [left, right].map(|side| parts(side.minterms(), &minterms));
    let mut pairs = vec![(left.initial().0, right.initial().0)];
    let mut numbers = FxHashMap::from_iter([(pairs[0], 0u32)]);
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::new();
    let mut row: Vec<(u32, u32, u32)> = Vec::new();
    let mut accepting = Bits::new();
    while let Some(&(a, b)) = pairs.get(rows.len()) {
        let is_in = |side: &Dfa, state: u32| known(state).is_some_and(|one| side.is_accepting(one));
        accepting.grow(rows.len() + 1);
        accepting.set(rows.len(), accepts(is_in(left, a), is_in(right, b)));
        row.clear();
        if let Some(state) = known(a) {
            left.each_move(state, |class, next| {
                row.extend((parts[0][class as usize].iter()).map(|&part| (part, next, Dfa::NONE)));
            });
        }
        if let Some(state) = known(b) {
            right.each_move(state, |class, next| {
                row.extend((parts[1][class as usize].iter()).map(|&part| (part, Dfa::NONE, next)));
            });
        }
        budget.charge(1 + row.len() as u64 / 16)?;
        row.sort_unstable();
        let mut moves = Vec::new();
        for alike in row.chunk_by(|one, other| one.0 == other.0) {
            // What a side does not know is larger than all states.
            let a = alike.iter().fold(Dfa::NONE, |next, one| next.min(one.1));
            let b = alike.iter().fold(Dfa::NONE, |next, one| next.min(one.2));
            if !hopeless(a, b) {
                let number = *numbers.entry((a, b)).or_insert_with(|| {
                    pairs.push((a, b));
                    pairs.len() as u32 - 1
                });
                moves.push((alike[0].0, number));
            }
        }
        rows.push(moves);
    }
    let alphabet = left.alphabet();
    Ok(Dfa::from_moves(
        alphabet,
        minterms,
        State(0),
        accepting,
        rows,
    ))
}

/// For each class of one automaton the classes of both that make it up.
fn parts(of: &Minterms, common: &Minterms) -> Vec<Vec<u32>> {
    let mut parts = vec![Vec::new(); of.len()];
    for class in 0..common.len() as u32 {
        parts[of.class_of(common.representative(class)) as usize].push(class);
    }
    parts
}

fn known(state: u32) -> Option<State> {
    (state != Dfa::NONE).then_some(State(state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Random};
    use crate::{Letter, Predicate};

    /// A random automaton in which each letter is on one edge or two, alone or with another.
    fn random(random: &mut Random, alphabet: &crate::Alphabet) -> Nfa {
        let mut builder = Nfa::builder(alphabet).states(8).initial(0).accepting(0);
        for letter in alphabet.letters() {
            let other = Letter(letter.0 >> random.below(2));
            let letters = Predicate::of(alphabet, [letter, other]);
            let (source, target) = (random.below(8), random.below(8));
            builder.add_edge(State(source), &letters, State(target));
        }
        builder.accepting(3).build()
    }

    #[test]
    fn pairs_of_wide_tables_accept_what_the_two_say() {
        let budget = Budget::unlimited();
        let alphabet = testing::alphabet(300);
        let (mut some, mut all) = (0, 0);
        for seed in 0..15 {
            let mut dice = Random::new(seed);
            let nfas = [(); 2].map(|()| random(&mut dice, &alphabet));
            let [left, right] = nfas.each_ref().map(|nfa| nfa.determinize(&budget).unwrap());
            let both = [
                left.intersection(&right, &budget),
                left.union(&right, &budget),
                left.difference(&right, &budget),
                left.symmetric_difference(&right, &budget),
            ];
            for _ in 0..300 {
                // A walk through one of the two, so that words are not all refused.
                let mut word = Vec::new();
                let guide = &nfas[dice.below(2) as usize];
                let mut state = State(0);
                for _ in 0..dice.below(5) {
                    let edges = guide.edges_from(state);
                    if edges.is_empty() {
                        break;
                    }
                    let edge = &edges[dice.below(edges.len() as u32) as usize];
                    let label = guide.label(edge).as_ref().unwrap();
                    label.each_letter(|letter| word.push(Letter(letter)));
                    word.truncate(word.len() - (label.len() - 1));
                    state = edge.target;
                }
                let (a, b) = (nfas[0].accepts(&word), nfas[1].accepts(&word));
                let expected = [a && b, a || b, a && !b, a != b];
                for (both, expected) in both.iter().zip(expected) {
                    let both = both.as_ref().unwrap();
                    assert_eq!(both.accepts(&word), expected, "seed {seed}, {word:?}");
                    some += u32::from(expected);
                    all += 1;
                }
            }
        }
        assert!(some > all / 10, "{some} of {all}");
    }
}
