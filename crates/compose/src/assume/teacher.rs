//! Which words of the environment a component can take without harm.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::learn::{Letter, Membership, Position};
use crate::operations::Closure;
use crate::{Action, Lts, State};

/// Answers, for a component that watches its own errors, whether an environment that does
/// exactly a word of the interface, and blocks the rest of the interface, keeps it from
/// erring. The words that do are the traces of the weakest assumption over the interface.
///
/// The answers come from a subset construction that is made as far as words are asked. When
/// the interface grows, words known to be harmless stay harmless, since more is blocked; they
/// are kept if it may grow. Harmful words need not stay so and are forgotten.
#[derive(Debug)]
pub(crate) struct Teacher {
    component: Arc<Lts>,
    interface: Vec<Action>,
    may_grow: bool,
    harmless: FxHashSet<Vec<Action>>,
    subsets: Subsets,
    budget: Budget,
    /// Questions asked, and those answered from memory.
    pub(crate) asked: u64,
    pub(crate) remembered: u64,
}

impl Teacher {
    pub(crate) fn new(
        component: Arc<Lts>,
        interface: Vec<Action>,
        may_grow: bool,
        budget: Budget,
    ) -> Teacher {
        Teacher {
            may_grow,
            subsets: Subsets::new(component.clone(), &interface),
            component,
            interface,
            harmless: FxHashSet::default(),
            budget,
            asked: 0,
            remembered: 0,
        }
    }

    pub(crate) fn interface(&self) -> &[Action] {
        &self.interface
    }

    /// Makes the interface larger.
    pub(crate) fn extend(&mut self, actions: impl IntoIterator<Item = Action>) {
        self.interface.extend(actions);
        self.interface.sort_unstable();
        self.interface.dedup();
        self.subsets = Subsets::new(self.component.clone(), &self.interface);
    }

    /// Whether a word of interface actions is harmless.
    pub(crate) fn is_harmless(&mut self, word: &[Action]) -> Result<bool, Stop> {
        self.asked += 1;
        if self.harmless.contains(word) {
            self.remembered += 1;
            return Ok(true);
        }
        let mut subset = self.subsets.initial();
        for action in word {
            let Ok(letter) = self.interface.binary_search(action) else {
                return Err(Stop::inconclusive("a word outside the interface"));
            };
            subset = match subset {
                HARMFUL => break,
                subset => self
                    .subsets
                    .step(subset, letter, &self.interface, &self.budget)?,
            };
        }
        if subset != HARMFUL && self.may_grow {
            self.harmless.insert(word.to_vec());
        }
        Ok(subset != HARMFUL)
    }
}

impl Membership for Teacher {
    fn start(&self) -> Position {
        Position(self.subsets.initial())
    }

    fn step(&mut self, position: Position, letter: Letter) -> Result<Position, Stop> {
        let (interface, budget) = (&self.interface, &self.budget);
        let next = self
            .subsets
            .step(position.0, letter as usize, interface, budget)?;
        Ok(match next {
            HARMFUL => Position::OUTSIDE,
            subset => Position(subset),
        })
    }

    fn count(&mut self, asked: u64, remembered: u64) {
        self.asked += asked;
        self.remembered += remembered;
    }

    fn accepts(&mut self, word: &[Letter]) -> Result<bool, Stop> {
        let word: Vec<Action> = word
            .iter()
            .map(|&letter| self.interface[letter as usize])
            .collect();
        self.is_harmless(&word)
    }
}

/// The number of a subset in which the error state is.
pub(crate) const HARMFUL: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

/// The subset construction over an interface, as far as it was asked for. The empty subset is
/// one as good as others: the component refuses, so nothing can go wrong any more.
#[derive(Debug)]
pub(crate) struct Subsets {
    lts: Arc<Lts>,
    letters: usize,
    closure: Closure,
    subsets: Vec<Vec<State>>,
    numbers: FxHashMap<Vec<State>, u32>,
    /// `next[subset * letters + letter]`.
    next: Vec<u32>,
    initial: u32,
}

impl Subsets {
    pub(crate) fn new(lts: Arc<Lts>, interface: &[Action]) -> Subsets {
        let mut subsets = Subsets {
            closure: Closure::new(&lts, |action| interface.binary_search(&action).is_err()),
            letters: interface.len(),
            subsets: Vec::new(),
            numbers: FxHashMap::default(),
            next: Vec::new(),
            initial: HARMFUL,
            lts,
        };
        let start = subsets
            .closure
            .of(&subsets.lts, vec![subsets.lts.initial()]);
        subsets.initial = subsets.number(start);
        subsets
    }

    pub(crate) fn initial(&self) -> u32 {
        self.initial
    }

    /// How many subsets were met so far.
    pub(crate) fn len(&self) -> u32 {
        self.subsets.len() as u32
    }

    /// The subset after one more action of the interface.
    pub(crate) fn step(
        &mut self,
        subset: u32,
        letter: usize,
        interface: &[Action],
        budget: &Budget,
    ) -> Result<u32, Stop> {
        let slot = subset as usize * self.letters + letter;
        if self.next[slot] != UNKNOWN {
            return Ok(self.next[slot]);
        }
        let states = &self.subsets[subset as usize];
        budget.charge(states.len() as u64 + 1)?;
        let action = interface[letter];
        let targets = states
            .iter()
            .flat_map(|&state| self.lts.successors(state, action))
            .map(|edge| edge.target)
            .collect();
        let closed = self.closure.of(&self.lts, targets);
        let target = self.number(closed);
        self.next[slot] = target;
        Ok(target)
    }

    fn number(&mut self, subset: Option<Vec<State>>) -> u32 {
        let Some(subset) = subset else {
            return HARMFUL;
        };
        let fresh = self.subsets.len() as u32;
        *self.numbers.entry(subset).or_insert_with_key(|subset| {
            self.subsets.push(subset.clone());
            self.next.extend(std::iter::repeat_n(UNKNOWN, self.letters));
            fresh
        })
    }
}
