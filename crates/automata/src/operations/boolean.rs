//! Boolean combinations of deterministic automata.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Dfa, Nfa, State};

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
        self.intersection(&other.complement(budget)?.to_nfa(), budget)
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
    let columns: Vec<(usize, usize)> = (0..minterms.len() as u32)
        .map(|class| {
            let letter = minterms.representative(class);
            (
                left.minterms().class_of(letter) as usize,
                right.minterms().class_of(letter) as usize,
            )
        })
        .collect();
    let (needs_left, needs_right) = (!accepts(false, true), !accepts(true, false));
    let hopeless = |a: u32, b: u32| {
        (a == Dfa::NONE && (needs_left || b == Dfa::NONE)) || (b == Dfa::NONE && needs_right)
    };
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

fn known(state: u32) -> Option<State> {
    (state != Dfa::NONE).then_some(State(state))
}
