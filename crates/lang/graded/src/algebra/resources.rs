//! Amounts that add up along a path.

use std::cmp::Ordering;

use super::ActionLattice;

/// An amount. No sum of amounts of a file overflows: they are read below 2^64, and no path and
/// no nesting of formulas is 2^60 long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Amount {
    /// Nothing at all: no transition. Only resources have it.
    Never,
    /// A number.
    Of(u128),
    /// Without end.
    Infinite,
}

use Amount::{Infinite, Never, Of};

fn read(text: &str, never: bool) -> Option<Amount> {
    match text {
        "never" | "bot" if never => Some(Never),
        "infinite" | "inf" | "infinity" | "∞" => Some(Infinite),
        _ => text.parse::<u64>().ok().map(|number| Of(number.into())),
    }
}

/// Sums are longer than what a file is allowed.
fn read_back(text: &str, never: bool) -> Option<Amount> {
    read(text, never).or_else(|| text.parse().ok().map(Of))
}

fn write(amount: Amount) -> String {
    match amount {
        Never => "never".to_owned(),
        Of(number) => number.to_string(),
        Infinite => "infinite".to_owned(),
    }
}

/// Resources: the most expensive way counts ("Floyd-Warshall" of the literature, which is
/// max-plus).
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaxPlus;

impl ActionLattice for MaxPlus {
    type Grade = Amount;

    fn name(&self) -> &str {
        "max-plus"
    }
    fn meaning(&self) -> &str {
        "the amount of the most expensive way"
    }
    fn zero(&self) -> Amount {
        Never
    }
    fn one(&self) -> Amount {
        Of(0)
    }
    fn top(&self) -> Amount {
        Infinite
    }
    fn join(&self, a: &Amount, b: &Amount) -> Amount {
        *a.max(b)
    }
    fn meet(&self, a: &Amount, b: &Amount) -> Amount {
        *a.min(b)
    }
    fn then(&self, a: &Amount, b: &Amount) -> Amount {
        match (a, b) {
            (Never, _) | (_, Never) => Never,
            (Infinite, _) | (_, Infinite) => Infinite,
            (Of(a), Of(b)) => a.checked_add(*b).map_or(Infinite, Of),
        }
    }
    fn star(&self, a: &Amount) -> Amount {
        match a {
            Never | Of(0) => Of(0),
            _ => Infinite,
        }
    }
    fn under(&self, a: &Amount, b: &Amount) -> Amount {
        match (a, b) {
            (Never, _) | (_, Infinite) => Infinite,
            (Of(a), Of(b)) if a <= b => Of(b - a),
            _ => Never,
        }
    }
    /// A loop that costs anything can be taken for ever; one that costs nothing changes nothing.
    fn uniform_star(&self, gains: bool) -> Option<Amount> {
        Some(if gains { Infinite } else { Of(0) })
    }
    fn read(&self, text: &str) -> Option<Amount> {
        read(text, true)
    }
    fn read_back(&self, text: &str) -> Option<Amount> {
        read_back(text, true)
    }
    fn write(&self, grade: &Amount) -> String {
        write(*grade)
    }
    fn spelling(&self) -> String {
        "a whole number, `infinite` or `never`".to_owned()
    }
    fn sample(&self) -> Vec<Amount> {
        let mut all: Vec<Amount> = [0, 1, 2, 3, 5, 8].map(Of).to_vec();
        all.extend([Never, Infinite]);
        all
    }
}

/// Costs: the cheapest way counts. Better is less, and nothing is better than 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MinPlus;

impl ActionLattice for MinPlus {
    type Grade = Amount;

    fn name(&self) -> &str {
        "min-plus"
    }
    fn meaning(&self) -> &str {
        "the cost of the cheapest way"
    }
    fn zero(&self) -> Amount {
        Infinite
    }
    fn one(&self) -> Amount {
        Of(0)
    }
    fn top(&self) -> Amount {
        Of(0)
    }
    fn join(&self, a: &Amount, b: &Amount) -> Amount {
        *a.min(b)
    }
    fn meet(&self, a: &Amount, b: &Amount) -> Amount {
        *a.max(b)
    }
    fn then(&self, a: &Amount, b: &Amount) -> Amount {
        match (a, b) {
            (Of(a), Of(b)) => a.checked_add(*b).map_or(Infinite, Of),
            _ => Infinite,
        }
    }
    fn star(&self, _: &Amount) -> Amount {
        Of(0)
    }
    fn under(&self, a: &Amount, b: &Amount) -> Amount {
        match (a, b) {
            (Infinite, _) => Of(0),
            (_, Infinite) => Infinite,
            (Of(a), Of(b)) => Of(b.saturating_sub(*a)),
            // `Never` is no cost.
            _ => Of(0),
        }
    }
    fn leq(&self, a: &Amount, b: &Amount) -> bool {
        a >= b
    }
    fn compare(&self, a: &Amount, b: &Amount) -> Option<Ordering> {
        Some(a.cmp(b))
    }
    fn read(&self, text: &str) -> Option<Amount> {
        read(text, false)
    }
    fn read_back(&self, text: &str) -> Option<Amount> {
        read_back(text, false)
    }
    fn write(&self, grade: &Amount) -> String {
        write(*grade)
    }
    fn spelling(&self) -> String {
        "a whole number or `infinite`".to_owned()
    }
    fn sample(&self) -> Vec<Amount> {
        let mut all: Vec<Amount> = [0, 1, 2, 3, 5, 8].map(Of).to_vec();
        all.push(Infinite);
        all
    }
}
