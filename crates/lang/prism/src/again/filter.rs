//! Filters, and what is said about the initial states.

use quotient_bits::Bits;
use quotient_core::Rejection;

use super::{Again, Worth, number};
use crate::syntax::{Filter, FilterKind, Node, Tree};

/// What comes out in the end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Settled {
    /// True, false, or neither is known.
    Truth(Option<bool>),
    /// A number, or all of several, between bounds.
    Number(f64, f64),
    /// Pairs that can be attained, and by how much others may be better than mixtures of them.
    Pairs(Vec<(f64, f64)>, f64),
}

impl Settled {
    /// The same in every state.
    pub(super) fn everywhere(self, states: usize) -> Worth {
        match self {
            Settled::Truth(holds) => {
                let set = |holds: bool| {
                    let mut set = Bits::with_capacity(states);
                    set.set_range(.., holds);
                    set
                };
                Worth::Truth(set(holds == Some(true)), set(holds != Some(false)))
            }
            Settled::Number(low, high) => Worth::Number(vec![low; states], vec![high; states]),
            // Such a table is no number and no condition.
            Settled::Pairs(..) => Settled::Truth(None).everywhere(states),
        }
    }
}

impl Again<'_> {
    /// What a property comes to: for the initial states, unless a filter says otherwise.
    pub(crate) fn settled(&self, tree: &Tree) -> Result<Settled, Rejection> {
        if let Node::Filter(filter) = &tree.node {
            return self.filter(filter);
        }
        if let Node::Quantile(quantile) = &tree.node {
            return self.quantile(quantile);
        }
        if let Node::Multi(parts) = &tree.node {
            return self.several(parts);
        }
        let worth = self.evaluate(tree)?;
        let mut initial = Bits::with_capacity(self.states());
        initial.extend(self.naive.model.initial.iter().map(|&state| state.index()));
        let what = match &worth {
            Worth::Truth(..) => FilterKind::ForAll,
            Worth::Number(..) => FilterKind::Range,
        };
        filtered(what, &worth, &initial)
    }

    pub(super) fn filter(&self, filter: &Filter) -> Result<Settled, Rejection> {
        let worth = self.evaluate(&filter.of)?;
        let among = match &filter.states {
            Some(states) => self.set(states)?,
            None => self.all(),
        };
        filtered(filter.what, &worth, &among)
    }
}

fn filtered(what: FilterKind, worth: &Worth, among: &Bits) -> Result<Settled, Rejection> {
    use FilterKind as Kind;
    let looked = among.count_ones(..);
    let mixed = || Rejection::unreadable("this filter does not fit what it is about");
    if looked == 0 || what == Kind::State && looked != 1 {
        return Err(mixed());
    }
    match (worth, what) {
        (Worth::Truth(surely, maybe), _) => {
            let sure = || among.ones().map(|state| surely.contains(state));
            let may = || among.ones().map(|state| maybe.contains(state));
            let known = |yes: bool, perhaps: bool| match (yes, perhaps) {
                (true, _) => Some(true),
                (_, false) => Some(false),
                _ => None,
            };
            match what {
                Kind::ForAll | Kind::Print | Kind::PrintAll => {
                    let holds = known(sure().all(|one| one), may().all(|one| one));
                    Ok(Settled::Truth(holds))
                }
                Kind::Exists => {
                    let holds = known(sure().any(|one| one), may().any(|one| one));
                    Ok(Settled::Truth(holds))
                }
                Kind::Count => {
                    let count = |all: &mut dyn Iterator<Item = bool>| {
                        all.filter(|holds| *holds).count() as f64
                    };
                    Ok(Settled::Number(count(&mut sure()), count(&mut may())))
                }
                Kind::First | Kind::State => {
                    let first = |all: &mut dyn Iterator<Item = bool>| all.next() == Some(true);
                    let holds = known(first(&mut sure()), first(&mut may()));
                    Ok(Settled::Truth(holds))
                }
                _ => Err(mixed()),
            }
        }
        (Worth::Number(lower, upper), _) => {
            let all = || among.ones().map(|state| (lower[state], upper[state]));
            let least = |(a, b): (f64, f64), (c, d): (f64, f64)| (a.min(c), b.min(d));
            let most = |(a, b): (f64, f64), (c, d): (f64, f64)| (a.max(c), b.max(d));
            let both = |(a, b): (f64, f64), (c, d): (f64, f64)| (a.min(c), b.max(d));
            // States are in the order of their values, here and in every set.
            let found = match what {
                Kind::Min | Kind::ArgMin => all().reduce(least),
                Kind::Max | Kind::ArgMax => all().reduce(most),
                Kind::Range | Kind::Print | Kind::PrintAll => all().reduce(both),
                Kind::First | Kind::State => all().next(),
                Kind::Sum => Some(number::summed(all(), false)),
                Kind::Average => Some(number::summed(all(), true)),
                Kind::ForAll | Kind::Exists | Kind::Count => None,
            };
            let (low, high) = found.ok_or_else(mixed)?;
            Ok(Settled::Number(low, high))
        }
    }
}
