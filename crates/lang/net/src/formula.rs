//! What is asked about markings.

use std::ops::Range;

use quotient_logic::Formula as Time;

use crate::net::{Guard, Net, Transition};

/// A condition on a marking.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Formula {
    Truth(bool),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    /// A sum over places is at least a number.
    AtLeast(Linear),
    /// This transition can fire.
    Fireable(usize),
    /// No transition can fire.
    Dead,
}

/// A sum over places is at least a number: `Σ factor · place ≥ least`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Linear {
    /// By place; each at most once, in order.
    pub(crate) terms: Vec<(usize, i64)>,
    pub(crate) least: i64,
}

/// What is asked about a net.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Question {
    /// Some reachable marking fulfils it.
    Possible(Formula),
    /// Every reachable marking fulfils it.
    Always(Formula),
    /// How many tokens these places hold together at most, by place.
    Most(Vec<(usize, i64)>),
    /// A formula about runs.
    Temporal(Temporal),
    /// A formula about runs that are fair to transitions, of linear time.
    Fair(Temporal),
    /// All of these hold, or one of them does.
    Several { parts: Vec<Question>, all: bool },
    /// How many reachable markings there are.
    Size,
    /// Something that is not answered, in words.
    Beyond(String),
}

/// A formula of time over conditions on markings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Temporal {
    /// Atoms are numbers of conditions.
    pub(crate) formula: Time<u32>,
    pub(crate) atoms: Vec<Formula>,
    /// Whether it is about every run by itself (a run that ends stays for ever where it ended),
    /// or about the tree of runs.
    pub(crate) linear: bool,
}

impl Linear {
    /// The sum, in numbers that cannot overflow.
    pub(crate) fn sum(terms: &[(usize, i64)], marking: &[u64]) -> i128 {
        Linear::sum_with(terms, &|place| marking[place])
    }

    /// The sum where places hold these tokens.
    pub(crate) fn sum_with(terms: &[(usize, i64)], tokens: &impl Fn(usize) -> u64) -> i128 {
        let value =
            |&(place, factor): &(usize, i64)| i128::from(factor) * i128::from(tokens(place));
        terms.iter().map(value).fold(0, i128::saturating_add)
    }

    fn holds(&self, tokens: &impl Fn(usize) -> u64) -> bool {
        Linear::sum_with(&self.terms, tokens) >= i128::from(self.least)
    }

    /// The opposite: the negated sum is at least one more than the negated number.
    fn negated(&self) -> Option<Linear> {
        let mut terms = Vec::with_capacity(self.terms.len());
        for &(place, factor) in &self.terms {
            terms.push((place, factor.checked_neg()?));
        }
        let least = 1_i64.checked_sub(self.least)?;
        Some(Linear { terms, least })
    }
}

impl Formula {
    /// Some of these transitions can fire.
    pub(crate) fn fireable(parts: Range<usize>) -> Formula {
        match parts.len() {
            1 => Formula::Fireable(parts.start),
            _ => Formula::Any(parts.map(Formula::Fireable).collect()),
        }
    }

    /// How much work it is to find its value in one marking: places that are looked at, or so.
    pub(crate) fn work(&self, net: &Net) -> u64 {
        let parts = |parts: &[Formula]| parts.iter().map(|part| part.work(net)).sum();
        let inside: u64 = match self {
            Formula::Truth(_) => 0,
            Formula::Not(inner) => inner.work(net),
            Formula::All(all) | Formula::Any(all) => parts(all),
            Formula::AtLeast(linear) => linear.terms.len() as u64,
            Formula::Fireable(one) => net.transitions[*one].work(),
            Formula::Dead => net.transitions.iter().map(Transition::work).sum(),
        };
        1 + inside
    }

    /// Whether a marking fulfils it.
    pub(crate) fn holds(&self, net: &Net, marking: &[u64]) -> bool {
        self.holds_with(net, &|place| marking[place])
    }

    /// Whether it says that nothing can fire, or that something can: then what it says.
    pub(crate) fn about_stuck(&self) -> Option<bool> {
        match self {
            Formula::Dead => Some(true),
            Formula::Not(inner) if **inner == Formula::Dead => Some(false),
            _ => None,
        }
    }

    /// Whether it is fulfilled where places hold these tokens.
    pub(crate) fn holds_with(&self, net: &Net, tokens: &impl Fn(usize) -> u64) -> bool {
        match self {
            Formula::Truth(value) => *value,
            Formula::Not(inner) => !inner.holds_with(net, tokens),
            Formula::All(parts) => parts.iter().all(|part| part.holds_with(net, tokens)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds_with(net, tokens)),
            Formula::AtLeast(linear) => linear.holds(tokens),
            Formula::Fireable(one) => net.transitions[*one].is_enabled_with(tokens),
            Formula::Dead => !net
                .transitions
                .iter()
                .any(|one| one.is_enabled_with(tokens)),
        }
    }

    /// The formula (or its opposite) as alternatives, each a list of inequalities that hold
    /// together; nothing if there would be more alternatives than the limit, or if transfers
    /// decide about a transition.
    pub(crate) fn alternatives(
        &self,
        net: &Net,
        holds: bool,
        limit: usize,
    ) -> Option<Vec<Vec<Linear>>> {
        match (self, holds) {
            (Formula::Truth(value), _) => Some(match *value == holds {
                true => vec![Vec::new()],
                false => Vec::new(),
            }),
            (Formula::Not(inner), _) => inner.alternatives(net, !holds, limit),
            (Formula::All(parts), true) | (Formula::Any(parts), false) => {
                let parts = parts
                    .iter()
                    .map(|part| part.alternatives(net, holds, limit));
                product(parts, limit)
            }
            (Formula::Any(parts), true) | (Formula::All(parts), false) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(part.alternatives(net, holds, limit)?);
                }
                (all.len() <= limit).then_some(all)
            }
            (Formula::AtLeast(linear), true) => Some(vec![vec![linear.clone()]]),
            (Formula::AtLeast(linear), false) => Some(vec![vec![linear.negated()?]]),
            (Formula::Fireable(one), true) => {
                let transition = &net.transitions[*one];
                if !transition.assign.is_empty() {
                    return None;
                }
                let bounds: Option<Vec<_>> = transition.guard.iter().map(bounds).collect();
                Some(vec![bounds?.into_iter().flatten().collect()])
            }
            (Formula::Fireable(one), false) => {
                let transition = &net.transitions[*one];
                if !transition.assign.is_empty() {
                    return None;
                }
                let mut all = Vec::new();
                for bound in transition.guard.iter().map(bounds) {
                    for linear in bound? {
                        all.push(vec![linear.negated()?]);
                    }
                }
                Some(all)
            }
            (Formula::Dead, true) => {
                let all = (0..net.transitions.len())
                    .map(|one| Formula::Fireable(one).alternatives(net, false, limit));
                product(all, limit)
            }
            (Formula::Dead, false) => {
                let mut all = Vec::new();
                for one in 0..net.transitions.len() {
                    all.extend(Formula::Fireable(one).alternatives(net, true, limit)?);
                }
                (all.len() <= limit).then_some(all)
            }
        }
    }
}

/// What a guard demands, as inequalities.
fn bounds(guard: &Guard) -> Option<Vec<Linear>> {
    let mut all = vec![Linear {
        terms: vec![(guard.place, 1)],
        least: i64::try_from(guard.least).ok()?,
    }];
    if let Some(most) = guard.most {
        all.push(Linear {
            terms: vec![(guard.place, -1)],
            least: -i64::try_from(most).ok()?,
        });
    }
    Some(all)
}

/// One alternative of each part, in all ways.
fn product(
    parts: impl Iterator<Item = Option<Vec<Vec<Linear>>>>,
    limit: usize,
) -> Option<Vec<Vec<Linear>>> {
    let mut all = vec![Vec::new()];
    for part in parts {
        let part = part?;
        if all.len().checked_mul(part.len())? > limit {
            return None;
        }
        let mut next: Vec<Vec<Linear>> = Vec::with_capacity(all.len() * part.len());
        for left in &all {
            for right in &part {
                let mut both: Vec<Linear> = left.clone();
                let new = right.iter().filter(|one| !left.contains(one));
                both.extend(new.cloned());
                next.push(both);
            }
        }
        all = next;
    }
    Some(all)
}
