//! Nets as plain data, and what their transitions do.

use std::ops::Range;

use quotient_core::Span;

/// A net: places that hold tokens, and transitions that move them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Net {
    pub(crate) places: Vec<Place>,
    pub(crate) transitions: Vec<Transition>,
    /// Transitions of the file that are several here, or none, as others go before them; in order.
    pub(crate) split: Vec<Split>,
}

/// A transition of the file that is not one here: at most one of its parts can fire at a time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Split {
    /// Its name in the file.
    pub(crate) name: String,
    pub(crate) parts: Range<usize>,
}

/// A place with the tokens that it may hold at the start.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Place {
    /// Unique in the net; properties and evidence use it.
    pub(crate) id: String,
    /// For people.
    pub(crate) label: String,
    /// At least so many tokens at the start.
    pub(crate) least: u64,
    /// At most so many; any number if it is not said.
    pub(crate) most: Option<u64>,
}

/// A transition: when it can fire, and what it then does. All sums are over the marking before.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Transition {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) guard: Vec<Guard>,
    /// What is added to places. The guard makes sure that nothing gets negative.
    pub(crate) effect: Vec<(usize, i64)>,
    /// Places that get a sum of places instead: transfers and resets.
    pub(crate) assign: Vec<Assign>,
    pub(crate) span: Span,
}

/// How many tokens a place must hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Guard {
    pub(crate) place: usize,
    pub(crate) least: u64,
    pub(crate) most: Option<u64>,
}

/// A place gets the sum of places (one may be there several times) and a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Assign {
    pub(crate) place: usize,
    pub(crate) sum: Vec<usize>,
    pub(crate) plus: i64,
}

impl Assign {
    /// Whether the sum is not negative. One too large for 64 bits does not hold anything up: it is
    /// told where it is computed.
    fn fits(&self, tokens: &impl Fn(usize) -> u64) -> bool {
        let add = |sum: i128, &place: &usize| sum.saturating_add(i128::from(tokens(place)));
        let sum = self.sum.iter().fold(0, add);
        sum.saturating_add(i128::from(self.plus)) >= 0
    }

    fn value(&self, tokens: &impl Fn(usize) -> u64) -> Option<u64> {
        let mut total = 0_u64;
        for &place in &self.sum {
            total = total.checked_add(tokens(place))?;
        }
        total.checked_add_signed(self.plus)
    }
}

impl Transition {
    /// How much work it is to fire it: places that it looks at.
    pub(crate) fn work(&self) -> u64 {
        let sums: usize = self.assign.iter().map(|one| 1 + one.sum.len()).sum();
        (1 + self.guard.len() + self.effect.len() + sums) as u64
    }

    /// Whether it can fire.
    pub(crate) fn is_enabled(&self, marking: &[u64]) -> bool {
        self.is_enabled_with(&|place| marking[place])
    }

    /// Whether it can fire where places hold these tokens.
    pub(crate) fn is_enabled_with(&self, tokens: &impl Fn(usize) -> u64) -> bool {
        let fits = |guard: &Guard| {
            let tokens = tokens(guard.place);
            tokens >= guard.least && guard.most.is_none_or(|most| tokens <= most)
        };
        self.guard.iter().all(fits) && self.assign.iter().all(|one| one.fits(tokens))
    }

    /// The marking after it fired, if it can (and the numbers fit into 64 bits).
    pub(crate) fn fire(&self, marking: &[u64]) -> Option<Vec<u64>> {
        if !self.is_enabled(marking) {
            return None;
        }
        let mut next = marking.to_vec();
        for &(place, change) in &self.effect {
            next[place] = next[place].checked_add_signed(change)?;
        }
        for assign in &self.assign {
            next[assign.place] = assign.value(&|place| marking[place])?;
        }
        Some(next)
    }
}

impl Net {
    /// The marking at the start, if there is only one.
    pub(crate) fn start(&self) -> Option<Vec<u64>> {
        let exact = |place: &Place| (place.most == Some(place.least)).then_some(place.least);
        self.places.iter().map(exact).collect()
    }

    /// Whether a run may begin with a marking.
    pub(crate) fn may_start(&self, marking: &[u64]) -> bool {
        let fits = |(place, &tokens): (&Place, &u64)| {
            tokens >= place.least && place.most.is_none_or(|most| tokens <= most)
        };
        marking.len() == self.places.len() && self.places.iter().zip(marking).all(fits)
    }

    /// Whether all transitions only add and take away, as in plain nets.
    pub(crate) fn is_plain(&self) -> bool {
        self.transitions.iter().all(|one| one.assign.is_empty())
    }

    /// Whether transitions only need, take and give: more tokens never hinder.
    pub(crate) fn only_takes_and_gives(&self) -> bool {
        let unlimited = |one: &Transition| one.guard.iter().all(|guard| guard.most.is_none());
        self.is_plain() && self.transitions.iter().all(unlimited)
    }

    /// The transitions as the file has them: what each is called, and its parts here.
    pub(crate) fn wholes(&self) -> Vec<(&str, &str, Range<usize>)> {
        let mut all = Vec::with_capacity(self.transitions.len());
        let mut alone = 0;
        let single = |at: usize| {
            let one = &self.transitions[at];
            (&*one.id, &*one.label, at..at + 1)
        };
        for one in &self.split {
            all.extend((alone..one.parts.start).map(single));
            all.push((&*one.name, &*one.name, one.parts.clone()));
            alone = one.parts.end;
        }
        all.extend((alone..self.transitions.len()).map(single));
        all
    }

    /// A marking in words: places with tokens.
    pub(crate) fn words(&self, marking: &[u64]) -> String {
        let held = self.places.iter().zip(marking).filter(|(_, n)| **n > 0);
        let words: Vec<String> = held
            .map(|(place, &tokens)| match tokens {
                1 => place.label.clone(),
                _ => format!("{}*{tokens}", place.label),
            })
            .collect();
        match words.is_empty() {
            true => "no tokens".to_owned(),
            false => words.join(" "),
        }
    }
}
