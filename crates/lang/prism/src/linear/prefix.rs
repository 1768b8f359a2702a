//! Formulas that a finite beginning of a run fulfils (co-safe ones), and the model beside what is
//! left of such a formula: what is earned until it is fulfilled.
//!
//! What is left after some letters is a choice between lists of parts that all have to be fulfilled
//! from the next letter on. It is fulfilled as soon as one of the lists is empty. That a part which
//! waits for the next letter may be fulfilled by every letter is not looked at: `X true` takes one
//! step, as in PRISM.

use std::collections::{BTreeSet, HashMap};

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_markov::{Markov, StateId};

use crate::product::{Laying, Product};

/// More conditions than bits in a letter are too many.
const MOST_CONDITIONS: usize = 64;

/// So many lists may what is left have, and so many different things may be left.
const MOST_LISTS: usize = 1000;
const MOST_LEFT: usize = 20_000;

/// A part of a formula, by the numbers of its own parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Truth(bool),
    /// A condition, and whether it must hold.
    Condition(u32, bool),
    Both(u32, u32),
    Either(u32, u32),
    Next(u32),
    Until(u32, u32),
}

/// Lists of parts of which one has to be fulfilled, all of it; none includes another.
type Left = BTreeSet<BTreeSet<u32>>;

/// A formula, letter by letter.
struct Watch {
    parts: Vec<Part>,
    known: HashMap<Part, u32>,
    /// The conditions that it uses, in order.
    conditions: Vec<usize>,
    /// What may be left, with numbers.
    left: Vec<Left>,
    numbers: HashMap<Left, u32>,
    after: HashMap<(u32, u64), u32>,
}

/// Nothing has to be fulfilled any more, or nothing can be.
const DONE: u32 = 0;
const LOST: u32 = 1;
/// Before the first letter.
const START: u32 = 2;

fn too_large() -> Rejection {
    Rejection::unreadable("the automaton of the formula is too large")
}

impl Watch {
    /// A formula, unless no finite beginning of a run fulfils it for good.
    fn new(formula: &Formula<usize>) -> Result<Option<Watch>, Rejection> {
        let mut watch = Watch {
            parts: Vec::new(),
            known: HashMap::new(),
            conditions: Vec::new(),
            left: Vec::new(),
            numbers: HashMap::new(),
            after: HashMap::new(),
        };
        let Some(whole) = watch.part(formula, true) else {
            return Ok(None);
        };
        if watch.conditions.len() > MOST_CONDITIONS {
            return Err(too_large());
        }
        for left in [
            Left::from([BTreeSet::new()]),
            Left::new(),
            Left::from([BTreeSet::from([whole])]),
        ] {
            watch.number(left)?;
        }
        Ok(Some(watch))
    }

    fn add(&mut self, part: Part) -> u32 {
        let next = self.parts.len() as u32;
        let number = *self.known.entry(part).or_insert(next);
        if number == next {
            self.parts.push(part);
        }
        number
    }

    /// A part, or its opposite (not wanted); nothing if it is about all of a run.
    fn part(&mut self, formula: &Formula<usize>, wanted: bool) -> Option<u32> {
        let part = match &formula.kind {
            Kind::Constant(value) => Part::Truth(*value == wanted),
            Kind::Atom(condition) => {
                let known = self.conditions.iter().position(|one| one == condition);
                let number = known.unwrap_or(self.conditions.len());
                if known.is_none() {
                    self.conditions.push(*condition);
                }
                Part::Condition(number as u32, wanted)
            }
            Kind::Unary(Unary::Not, of) => return self.part(of, !wanted),
            Kind::Unary(Unary::Next, of) => Part::Next(self.part(of, wanted)?),
            Kind::Binary(Binary::Until(None), left, right) if wanted => {
                Part::Until(self.part(left, true)?, self.part(right, true)?)
            }
            Kind::Binary(how @ (Binary::And | Binary::Or | Binary::Implies), left, right) => {
                let turned = *how == Binary::Implies;
                let left = self.part(left, wanted != turned)?;
                let right = self.part(right, wanted)?;
                match (*how == Binary::And) == wanted {
                    true => Part::Both(left, right),
                    false => Part::Either(left, right),
                }
            }
            Kind::Binary(Binary::Iff, left, right) => {
                let mut both = |one: bool, other: bool| -> Option<u32> {
                    let part = Part::Both(self.part(left, one)?, self.part(right, other)?);
                    Some(self.add(part))
                };
                Part::Either(both(true, wanted)?, both(false, !wanted)?)
            }
            _ => return None,
        };
        Some(self.add(part))
    }

    fn number(&mut self, left: Left) -> Result<u32, Rejection> {
        if let Some(&known) = self.numbers.get(&left) {
            return Ok(known);
        }
        if self.left.len() >= MOST_LEFT {
            return Err(too_large());
        }
        let number = self.left.len() as u32;
        self.numbers.insert(left.clone(), number);
        self.left.push(left);
        Ok(number)
    }

    /// What is left after a letter.
    fn step(&mut self, left: u32, letter: u64, budget: &Budget) -> Result<u32, Rejection> {
        if left == DONE || left == LOST {
            return Ok(left);
        }
        if let Some(&known) = self.after.get(&(left, letter)) {
            return Ok(known);
        }
        let mut next = Left::new();
        for list in &self.left[left as usize] {
            let mut all = Left::from([BTreeSet::new()]);
            for &part in list {
                budget.charge(1)?;
                all = both(&all, &self.expand(part, letter)?)?;
            }
            next = either(&next, &all)?;
        }
        let next = self.number(next)?;
        self.after.insert((left, letter), next);
        Ok(next)
    }

    /// What a part leaves after a letter.
    fn expand(&self, part: u32, letter: u64) -> Result<Left, Rejection> {
        let truth = |holds: bool| match holds {
            true => Left::from([BTreeSet::new()]),
            false => Left::new(),
        };
        match self.parts[part as usize] {
            Part::Truth(holds) => Ok(truth(holds)),
            Part::Condition(number, wanted) => Ok(truth((letter >> number & 1 == 1) == wanted)),
            Part::Both(left, right) => {
                both(&self.expand(left, letter)?, &self.expand(right, letter)?)
            }
            Part::Either(left, right) => {
                either(&self.expand(left, letter)?, &self.expand(right, letter)?)
            }
            Part::Next(of) => Ok(Left::from([BTreeSet::from([of])])),
            Part::Until(left, right) => {
                let later = Left::from([BTreeSet::from([part])]);
                let stays = both(&self.expand(left, letter)?, &later)?;
                either(&self.expand(right, letter)?, &stays)
            }
        }
    }
}

fn either(one: &Left, other: &Left) -> Result<Left, Rejection> {
    smallest(one.union(other).cloned().collect())
}

fn both(one: &Left, other: &Left) -> Result<Left, Rejection> {
    if one.len().saturating_mul(other.len()) > MOST_LISTS * 10 {
        return Err(too_large());
    }
    let pairs = one
        .iter()
        .flat_map(|left| other.iter().map(move |right| (left, right)));
    smallest(
        pairs
            .map(|(left, right)| left.union(right).copied().collect())
            .collect(),
    )
}

/// Only the lists that include no other: more than these is never easier.
fn smallest(all: Left) -> Result<Left, Rejection> {
    if all.len() > MOST_LISTS {
        return Err(too_large());
    }
    let includes = |list: &BTreeSet<u32>| all.iter().any(|one| one != list && one.is_subset(list));
    Ok(all.iter().filter(|list| !includes(list)).cloned().collect())
}

/// A model beside what is left of a formula.
pub(crate) struct Prefixed {
    pub(crate) product: Product,
    /// The choice of the model that each choice is; none (`u32::MAX`) where nothing is earned any more.
    origin: Vec<u32>,
}

impl Prefixed {
    /// What each choice earns, by what those of the model do.
    pub(crate) fn earned<N: Clone>(&self, of_model: &[N], nothing: &N) -> Vec<N> {
        let earned = |&choice: &u32| of_model.get(choice as usize).unwrap_or(nothing).clone();
        self.origin.iter().map(earned).collect()
    }
}

/// Sets a model, whose weights are probabilities, beside what is left of a formula over sets of its
/// states; nothing if the formula is about all of a run. The goal is where it is fulfilled; every
/// state of the model begins somewhere.
pub(crate) fn prefixed(
    model: &Markov,
    formula: &Formula<usize>,
    conditions: &[Bits],
    most: usize,
    budget: &Budget,
) -> Result<Option<Prefixed>, Rejection> {
    let Some(mut watch) = Watch::new(formula)? else {
        return Ok(None);
    };
    let used = watch.conditions.clone();
    let letter = |state: u32| {
        let holds = |one: &usize| conditions[*one].contains(state as usize);
        let bits = used.iter().map(holds).enumerate();
        bits.fold(0, |letter, (bit, holds)| letter | u64::from(holds) << bit)
    };
    // All that is done, and all that is lost, is one state each.
    let place = |state: u32, left: u32| match left {
        DONE | LOST => (u32::MAX, left),
        left => (state, left),
    };
    let mut numbers = HashMap::from([((u32::MAX, DONE), 0u32), ((u32::MAX, LOST), 1u32)]);
    let mut places = vec![(u32::MAX, DONE), (u32::MAX, LOST)];
    let mut first = Vec::with_capacity(model.states());
    let mut find = |place: (u32, u32), places: &mut Vec<(u32, u32)>| {
        *numbers.entry(place).or_insert_with(|| {
            places.push(place);
            places.len() as u32 - 1
        })
    };
    for state in 0..model.states() as u32 {
        let left = watch.step(START, letter(state), budget)?;
        first.push(find(place(state, left), &mut places));
    }
    let mut laying = Laying::new(model);
    let mut origin = Vec::new();
    let mut at = 0;
    while at < places.len() {
        if places.len() > most {
            return Err(Rejection::unreadable(
                "the product with the formula is too large to be looked at again",
            ));
        }
        let (state, left) = places[at];
        at += 1;
        if state == u32::MAX {
            laying.surely(at as u32 - 1);
            origin.push(u32::MAX);
            laying.end_state();
            continue;
        }
        for choice in model.choices_of(StateId::new(state)) {
            budget.charge(1)?;
            // The order of branches is nobody's: that of states counts.
            let mut sorted: Vec<usize> = model.branches_of(choice).collect();
            sorted.sort_by_key(|&branch| model.targets[branch]);
            let mut branches = Vec::with_capacity(sorted.len());
            for branch in sorted {
                let to = model.targets[branch];
                let next = watch.step(left, letter(to.number()), budget)?;
                branches.push((find(place(to.number(), next), &mut places), branch));
            }
            laying.choice(branches.into_iter());
            origin.push(choice.number());
        }
        laying.end_state();
    }
    let mut goal = Bits::with_capacity(places.len());
    goal.insert(0);
    let product = laying.finish(goal, first);
    Ok(Some(Prefixed { product, origin }))
}
