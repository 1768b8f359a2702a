//! The successors of some states, and which of them are known.
//!
//! A table of many states lies far from the processor, and a look into it takes as long as a hundred
//! additions. Here the successors of many states are worked out first and looked up then, step by
//! step for all of them, so that the machine has many looks under way at a time.

use std::ops::Range;

use crate::System;
use crate::graph::{Graph, NONE};
use crate::numbers::mixed;

/// Which states are worth a visit: those for which it says so, given how many steps leave them.
pub type Worth<'a> = dyn Fn(&[u64], usize) -> bool + Sync + 'a;

/// Steps, each with its label and the words of the state that it leads to.
#[derive(Debug, Clone, Default)]
pub struct Successors {
    labels: Vec<u32>,
    words: Vec<u64>,
}

impl Successors {
    /// Adds a step.
    #[inline]
    pub fn push(&mut self, label: u32, state: &[u64]) {
        self.labels.push(label);
        self.words.extend_from_slice(state);
    }

    /// Adds a step to a state of one word.
    #[inline]
    pub fn push_word(&mut self, label: u32, word: u64) {
        self.labels.push(label);
        self.words.push(word);
    }

    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The label of a step, and the words of the state that it leads to.
    #[inline]
    pub(crate) fn step(&self, at: usize, width: usize) -> (u32, &[u64]) {
        (self.labels[at], &self.words[at * width..(at + 1) * width])
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0, 0);
    }

    fn truncate(&mut self, number: usize, width: usize) {
        self.labels.truncate(number);
        self.words.truncate(number * width);
    }
}

/// The successors of some states.
#[derive(Default)]
pub(crate) struct Piece {
    /// Of each state: where its successors begin and end, and whether it is worth a visit.
    states: Vec<(u32, u32, bool)>,
    successors: Successors,
    /// Their last words when folded, where these are not the words themselves.
    roots: Vec<u64>,
    /// The hashes of these.
    hashes: Vec<u64>,
    /// Their numbers if they are known; before they are looked for, what is in the first slot for each.
    known: Vec<u32>,
    /// Which of them are not known, in order, with the slot for each; how many of these have parts that are not.
    new: Vec<(u32, u32)>,
    new_parts: usize,
    /// Which of the successors that are not known came last, by some bits of their hashes: others may be the same.
    recent: Vec<u32>,
    /// How many of the new ones were added.
    added: usize,
    /// How the states that were added were found: the state before each, and the label.
    found: Vec<(u32, u32)>,
    /// The size of the table in which they were looked for.
    size: usize,
    /// The last state has a successor that does not fit.
    unfit: Option<u64>,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    state: Vec<u64>,
    parts: Vec<u32>,
    folded: Vec<u32>,
}

/// How many successors that are not known are remembered, to list them once.
const RECENT: usize = 1 << 10;

/// The hash of a successor one of whose parts is new.
const UNKNOWN: u64 = 0;

/// How successors are worked out.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    /// Which states are worth a visit; all if nothing is said.
    pub(crate) worth: Option<&'a Worth<'a>>,
    /// Whether states have canonical forms.
    pub(crate) symmetric: bool,
    /// Whether few steps may stand for all: states are visited in the order of their numbers.
    pub(crate) few: bool,
}

impl How<'_> {
    fn worth(&self, state: &[u64], successors: usize) -> bool {
        self.worth.is_none_or(|worth| worth(state, successors))
    }
}

impl Piece {
    /// Works out the successors of states with these numbers, and looks for each of them.
    pub(crate) fn fill<S: System + ?Sized>(
        &mut self,
        system: &S,
        graph: &Graph,
        ids: Range<u32>,
        how: How<'_>,
    ) {
        self.clear();
        self.size = graph.roots().size();
        let width = graph.width();
        let mut few = Vec::new();
        for id in ids.clone() {
            let begin = self.successors.len();
            graph.unfold(id, &mut self.scratch.state, &mut self.scratch.parts);
            let mut fits = match how.few {
                true => system.few_successors(&self.scratch.state, &mut |label, next| {
                    self.successors.push(label, next);
                }),
                false => Ok(false),
            };
            match fits {
                Ok(true) => few.push(id),
                Ok(false) => {
                    self.successors.truncate(begin, width);
                    fits = self.all_of(system);
                }
                Err(_) => {}
            }
            self.unfit = fits.err();
            self.fold(system, graph, how, begin);
            let end = self.successors.len();
            let is_worth = how.worth(&self.scratch.state, end - begin);
            self.states.push((begin as u32, end as u32, is_worth));
            if self.unfit.is_some() {
                break;
            }
        }
        // Where all steps are taken after all, a state may not be found where it was first met.
        self.look_up(graph, 0, few.is_empty());
        let looked = self.successors.len();
        for id in few {
            let at = (id - ids.start) as usize;
            if at < self.states.len() && !self.is_later(at, id) {
                self.take_all(system, graph, (id, at), how);
            }
        }
        if self.successors.len() > looked {
            self.sort_new();
        }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.successors.clear();
        self.roots.clear();
        self.hashes.clear();
        self.known.clear();
        self.new.clear();
        self.found.clear();
        (self.new_parts, self.added) = (0, 0);
        self.unfit = None;
    }

    /// Keeps all steps of the state at hand.
    fn all_of<S: System + ?Sized>(&mut self, system: &S) -> Result<bool, u64> {
        let all = system.all_successors(&self.scratch.state, &mut self.successors);
        all.map(|()| true)
    }

    /// The few steps that stand for all lead back: all are taken.
    fn take_all<S: System + ?Sized>(
        &mut self,
        system: &S,
        graph: &Graph,
        (id, at): (u32, usize),
        how: How<'_>,
    ) {
        let begin = self.successors.len();
        graph.unfold(id, &mut self.scratch.state, &mut self.scratch.parts);
        if let Err(number) = self.all_of(system) {
            self.unfit = Some(number);
            self.states.truncate(at + 1);
        }
        self.fold(system, graph, how, begin);
        self.look_up(graph, begin, false);
        let end = self.successors.len();
        let is_worth = how.worth(&self.scratch.state, end - begin);
        self.states[at] = (begin as u32, end as u32, is_worth);
    }

    /// Whether some successor is visited later: it is new, or was found after the state itself.
    fn is_later(&self, at: usize, id: u32) -> bool {
        let (begin, end, _) = self.states[at];
        let mut all = self.known[begin as usize..end as usize].iter();
        all.any(|&known| known > id)
    }

    /// Brings successors of the state at hand into their canonical forms, and folds them, from one on.
    fn fold<S: System + ?Sized>(&mut self, system: &S, graph: &Graph, how: How<'_>, begin: usize) {
        let width = graph.width();
        if width == 1 && !how.symmetric {
            return;
        }
        let Scratch {
            state,
            parts,
            folded,
        } = &mut self.scratch;
        for at in begin..self.successors.len() {
            let next = &mut self.successors.words[at * width..(at + 1) * width];
            if how.symmetric {
                system.canonical(next);
            }
            let root = graph.folded(next, state, parts, folded);
            let (root, hash) = root.map_or((0, UNKNOWN), |root| (root, mixed(root)));
            self.roots.push(root);
            self.hashes.push(hash);
        }
    }

    /// Looks for successors from one on: many looks are under way at a time. Of those that are not known and are the
    /// same, most are listed `once` if wanted: half a dozen steps lead to each state, mostly from states that are near.
    #[allow(
        clippy::needless_range_loop,
        reason = "iterators over three lists from one on keep what they need in memory, not in registers"
    )]
    fn look_up(&mut self, graph: &Graph, begin: usize, once: bool) {
        let looks = graph.roots().looks();
        if self.roots.is_empty() && graph.width() == 1 {
            let words = self.successors.words[begin..].iter();
            self.hashes.extend(words.map(|&word| mixed(word)));
        }
        let hashes = self.hashes[begin..].iter();
        self.known.extend(hashes.map(|&hash| looks.first(hash)));
        let number = self.hashes.len();
        let hashes = &self.hashes[..number];
        let roots = match self.roots.is_empty() {
            true => &self.successors.words[..number],
            false => &self.roots[..number],
        };
        let known = &mut self.known[..number];
        self.recent.resize(RECENT, 0);
        for at in begin..number {
            let (hash, root) = (hashes[at], roots[at]);
            if hash != UNKNOWN && looks.is_first(known[at], root, hash) {
                known[at] = looks.number(known[at], hash);
                continue;
            }
            let found = match hash {
                UNKNOWN => {
                    self.new_parts += 1;
                    Err(0)
                }
                hash => looks.find_on(known[at], root, hash),
            };
            known[at] = found.unwrap_or(NONE);
            let Err(slot) = found else {
                continue;
            };
            if once && hash != UNKNOWN {
                // One that is left over from other states may be the same too, and is not known either then.
                let place = &mut self.recent[(hash >> 40) as usize % RECENT];
                let other = std::mem::replace(place, at as u32) as usize;
                if other < at && hashes[other] == hash && roots[other] == root {
                    continue;
                }
            }
            self.new.push((at as u32, slot));
        }
    }

    /// Lists the successors that are not known by the states that they are of.
    fn sort_new(&mut self) {
        let slots: std::collections::HashMap<u32, u32> = self.new.drain(..).collect();
        for &(begin, end, _) in &self.states {
            let new = (begin..end).filter_map(|at| Some((at, *slots.get(&at)?)));
            self.new.extend(new);
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// How many successors a state has, and whether it is worth a visit.
    pub(crate) fn count(&self, at: usize) -> (usize, bool) {
        let (begin, end, worth) = self.states[at];
        ((end - begin) as usize, worth)
    }

    /// Why the last state was the last, if one of its successors does not fit.
    pub(crate) fn unfit(&self, at: usize) -> Option<u64> {
        self.unfit.filter(|_| at + 1 == self.states.len())
    }

    /// Whether a graph has room for all that is new.
    pub(crate) fn has_room(&self, graph: &Graph) -> bool {
        graph.has_room(self.new.len(), self.new_parts)
    }

    /// Makes room for all that is new.
    pub(crate) fn make_room(&self, graph: &mut Graph) {
        graph.make_room(self.new.len(), self.new_parts);
    }

    /// Looks at the slots for all that is new, which another thread had last: they are fetched side by side, and not one
    /// after the other when states are added.
    pub(crate) fn fetch(&self, graph: &Graph) {
        let slots = graph.roots().looks();
        let new = self.new.iter().map(|&(_, slot)| slots.at(slot));
        std::hint::black_box(new.fold(0, |all, one| all ^ one));
    }

    /// Adds the successors of a state that are not there, where there is room; states come in order.
    pub(crate) fn commit(&mut self, graph: &Graph, at: usize, id: u32) {
        let (begin, end, _) = self.states[at];
        let width = graph.width();
        while let Some(&(next, slot)) = self.new.get(self.added) {
            // Where all steps are taken after all, they are listed behind those of later states.
            if !(begin..end).contains(&next) {
                break;
            }
            self.added += 1;
            let at = next as usize;
            let number = graph.len();
            let (hash, words) = (self.hashes[at], &self.successors.words);
            let root = match self.roots.is_empty() {
                true => words[at],
                false => self.roots[at],
            };
            let added = match hash {
                UNKNOWN => graph.add(&words[at * width..(at + 1) * width]),
                _ if self.size == graph.roots().size() => graph.roots().add_from(slot, root, hash),
                _ => graph.roots().add(root, hash),
            };
            if added as usize == number {
                self.found.push((id, self.successors.labels[at]));
            }
        }
    }

    /// Notes how the states that were added were found.
    pub(crate) fn note(&mut self, graph: &Graph) {
        graph.note(self.found.drain(..));
    }
}
