//! Runs that break a formula of linear time, looked for where memory is too short for all states.
//!
//! A nested search in depth (Courcoubetis, Vardi, Wolper and Yannakakis 1992; with the states on the way told from others,
//! Schwoon and Esparza 2005) that remembers pairs of a state and a state of the automaton by their hashes alone. Only the
//! states on the way are kept whole. What is found is a real run; what is not found may be there all the same, with a
//! chance that can be told.

use std::hash::{DefaultHasher, Hash, Hasher};

use quotient_core::{Budget, Stop};
use quotient_logic::Formula;
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, automaton};
use crate::compact::Hashes;
use crate::linear::{Lasso, Rest};
use crate::steps::Halt;
use crate::{StateId, System};

/// Something that has states and steps between them, its states being values of their own.
pub trait Ways {
    /// A state.
    type State: Clone + Eq + Hash;

    /// The states that it can begin in.
    fn initial(&self) -> Vec<Self::State>;

    /// Tells every step from a state, always in the same order; an error as [`System`](crate::System) has it.
    fn steps(&self, state: &Self::State, emit: &mut dyn FnMut(u32, Self::State))
    -> Result<(), u64>;

    /// Which atoms are true in a state, as bits.
    fn values(&self, state: &Self::State) -> u64;

    /// What a state is remembered by.
    fn hash(&self, state: &Self::State) -> u64 {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    }
}

/// A [`System`] with what a formula asks of its states.
pub struct Words<'a, V: Fn(&[u64]) -> u64> {
    /// The states.
    pub system: &'a dyn System,
    /// Which atoms are true in one.
    pub values: V,
}

impl<V: Fn(&[u64]) -> u64> Ways for Words<'_, V> {
    type State = Box<[u64]>;

    fn initial(&self) -> Vec<Box<[u64]>> {
        let mut all = Vec::new();
        self.system.initial(&mut |state| all.push(state.into()));
        all
    }

    fn steps(&self, state: &Box<[u64]>, emit: &mut dyn FnMut(u32, Box<[u64]>)) -> Result<(), u64> {
        let tell = &mut |label: u32, next: &[u64]| emit(label, next.into());
        self.system.successors(state, tell)
    }

    fn values(&self, state: &Box<[u64]>) -> u64 {
        (self.values)(state)
    }
}

/// What a search by hashes says.
#[derive(Debug, Clone, PartialEq)]
pub enum Unsure {
    /// This run breaks the formula; its first state is one of those that the system begins with, by number.
    Violated(Lasso),
    /// No run was found that does.
    Nothing {
        /// How many pairs were looked at.
        pairs: usize,
        /// How likely it is at most that one was missed.
        chance: f64,
    },
}

/// Looks for a run that breaks a formula. With `fair`, only at runs that are weakly fair to the labels below this number:
/// one that can always be taken is taken again and again.
pub fn linear_unsure<W: Ways>(
    ways: &W,
    formula: &Formula<u32>,
    fair: Option<u32>,
    budget: &Budget,
) -> Result<Unsure, Halt> {
    let automaton = automaton(&!formula.clone(), budget)?;
    let mut search = Search {
        ways,
        marks: automaton.marks.count_ones(),
        automaton: &automaton,
        fair: fair.unwrap_or(0),
        budget,
        known: Hashes::new(),
        inner: Hashes::new(),
        way: Vec::new(),
        places: FxHashMap::default(),
        accepting: Vec::new(),
    };
    for (number, state) in ways.initial().into_iter().enumerate() {
        if let Some((labels, back)) = search.from(state)? {
            let mut lasso = Lasso {
                // Beginnings are what any search numbers first.
                first: StateId::from_index(number),
                labels,
                rest: Rest::Back(back),
            };
            // What follows a state without successors is nothing.
            if let Some(end) = lasso.labels.iter().position(|&label| label == STAYS) {
                lasso.labels.truncate(end);
                lasso.rest = Rest::Stuck;
            }
            return Ok(Unsure::Violated(lasso));
        }
    }
    let pairs = search.known.len();
    let number = (pairs + search.inner.len()) as f64 + 1.0;
    Ok(Unsure::Nothing {
        pairs,
        chance: (number * number / 2_f64.powi(65)).min(1.0),
    })
}

impl Unsure {
    /// Why a formula stays open where no run was found.
    pub fn open(pairs: usize, chance: f64) -> Stop {
        Stop::inconclusive(format!(
            "{pairs} pairs of a state and what is left to fulfil were looked at, known by their hashes since memory is short: with a chance of {chance:.0e} at most, one was missed"
        ))
    }
}

/// The label of staying where nothing can follow.
const STAYS: u32 = u32::MAX;

/// How many states at the end of the way keep their successors; those before find them again.
const KEPT: usize = 64;

/// A state, one of the automaton, and how many marks in a row were met since all of them were; all of them is where a
/// run may pass again and again.
struct Node<S> {
    state: S,
    at: u32,
    level: u32,
    /// Of the step to it.
    label: u32,
    key: u64,
}

struct Frame<S> {
    node: Node<S>,
    /// The nodes after it in reverse order, if they are kept, and how many of them were gone to.
    next: Option<Vec<Node<S>>>,
    gone: usize,
}

struct Search<'a, W: Ways> {
    ways: &'a W,
    automaton: &'a Automaton,
    marks: u32,
    fair: u32,
    budget: &'a Budget,
    known: Hashes,
    inner: Hashes,
    way: Vec<Frame<W::State>>,
    /// Where on the way a node is.
    places: FxHashMap<u64, u32>,
    /// The places on the way with all marks.
    accepting: Vec<u32>,
}

/// Labels of a run, and to which of them it comes back.
type Found = (Vec<u32>, usize);

impl<W: Ways> Search<'_, W> {
    fn levels(&self) -> u32 {
        self.marks + self.fair
    }

    fn node(&self, state: W::State, at: u32, level: u32, label: u32) -> Node<W::State> {
        let mut hasher = DefaultHasher::new();
        (self.ways.hash(&state), at, level).hash(&mut hasher);
        Node {
            state,
            at,
            level,
            label,
            key: hasher.finish(),
        }
    }

    /// The level after a step with marks, of which the fair labels are the last.
    fn level(&self, before: u32, marks: u64, kept: impl Fn(u32) -> bool) -> u32 {
        let mut level = if before == self.levels() { 0 } else { before };
        let bits = (0..64).filter(|bit| self.automaton.marks >> bit & 1 == 1);
        let mut bits = bits.skip(level.min(self.marks) as usize);
        while level < self.marks {
            match bits.next() {
                Some(bit) if marks >> bit & 1 == 1 => level += 1,
                _ => return level,
            }
        }
        while level < self.levels() && kept(level - self.marks) {
            level += 1;
        }
        level
    }

    /// The nodes after a node, in reverse order.
    fn after(&self, node: &Node<W::State>) -> Result<Vec<Node<W::State>>, Halt> {
        self.budget.charge(1)?;
        let values = self.ways.values(&node.state);
        let all = &self.automaton.states[node.at as usize];
        if !all.iter().any(|one| one.allows(values)) {
            return Ok(Vec::new());
        }
        let mut targets = Vec::new();
        let fits = self.ways.steps(&node.state, &mut |label, state| {
            targets.push((label, state))
        });
        fits.map_err(Halt::Unfit)?;
        if targets.is_empty() {
            targets.push((STAYS, node.state.clone()));
        }
        let mut found = Vec::new();
        for one in all.iter().filter(|one| one.allows(values)) {
            for (label, state) in &targets {
                let kept =
                    |other: u32| *label == other || targets.iter().all(|target| target.0 != other);
                let level = self.level(node.level, one.marks, kept);
                found.push(self.node(state.clone(), one.next, level, *label));
            }
        }
        found.reverse();
        Ok(found)
    }

    /// The next node after the last of some frames.
    fn next(&self, frames: &mut [Frame<W::State>]) -> Result<Option<Node<W::State>>, Halt> {
        let number = frames.len();
        if let Some(old) = number.checked_sub(KEPT + 1) {
            frames[old].next = None;
        }
        let frame = &mut frames[number - 1];
        if frame.next.is_none() {
            let mut next = self.after(&frame.node)?;
            next.truncate(next.len() - frame.gone.min(next.len()));
            frame.next = Some(next);
        }
        frame.gone += 1;
        Ok(frame.next.as_mut().and_then(Vec::pop))
    }

    /// Where on the way a node is.
    fn place(&self, node: &Node<W::State>) -> Option<usize> {
        let place = *self.places.get(&node.key)? as usize;
        let there = &self.way[place].node;
        let same = there.at == node.at && there.level == node.level && there.state == node.state;
        same.then_some(place)
    }

    fn enter(&mut self, node: Node<W::State>) {
        let place = self.way.len() as u32;
        self.places.insert(node.key, place);
        if node.level == self.levels() {
            self.accepting.push(place);
        }
        self.way.push(Frame {
            node,
            next: None,
            gone: 0,
        });
    }

    fn from(&mut self, state: W::State) -> Result<Option<Found>, Halt> {
        let first = self.node(state, 0, 0, STAYS);
        if !self.known.insert(first.key) {
            return Ok(None);
        }
        self.enter(first);
        while !self.way.is_empty() {
            let mut way = std::mem::take(&mut self.way);
            let next = self.next(&mut way);
            self.way = way;
            if let Some(node) = next? {
                if let Some(back) = self.place(&node) {
                    if self
                        .accepting
                        .last()
                        .is_some_and(|&one| one as usize >= back)
                    {
                        return Ok(Some(self.closed(&[node.label], back)));
                    }
                } else if self.known.insert(node.key) {
                    self.enter(node);
                }
                continue;
            }
            let last = self.way.len() as u32 - 1;
            if self.accepting.last() == Some(&last) {
                if let Some(found) = self.round()? {
                    return Ok(Some(found));
                }
                self.accepting.pop();
            }
            if let Some(frame) = self.way.pop() {
                self.places.remove(&frame.node.key);
            }
        }
        Ok(None)
    }

    /// Looks for a way from the last node on the way back to it.
    fn round(&mut self) -> Result<Option<Found>, Halt> {
        let Some(last) = self.way.last() else {
            return Ok(None);
        };
        let seed = self.node(
            last.node.state.clone(),
            last.node.at,
            last.node.level,
            STAYS,
        );
        let mut frames = vec![Frame {
            node: seed,
            next: None,
            gone: 0,
        }];
        while !frames.is_empty() {
            let Some(node) = self.next(&mut frames)? else {
                frames.pop();
                continue;
            };
            if let Some(back) = self.place(&node) {
                let mut labels: Vec<u32> = frames[1..].iter().map(|one| one.node.label).collect();
                labels.push(node.label);
                return Ok(Some(self.closed(&labels, back)));
            }
            if self.inner.insert(node.key) {
                frames.push(Frame {
                    node,
                    next: None,
                    gone: 0,
                });
            }
        }
        Ok(None)
    }

    /// The way, then these labels, which lead back to a place on it.
    fn closed(&self, labels: &[u32], back: usize) -> Found {
        let way = self.way[1..].iter().map(|frame| frame.node.label);
        (way.chain(labels.iter().copied()).collect(), back)
    }
}
