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

/// The successors of some states.
#[derive(Default)]
pub(crate) struct Piece {
    /// Of each state: where its successors begin and end, and whether it is worth a visit.
    states: Vec<(u32, u32, bool)>,
    successors: Vec<Successor>,
    /// Their words, if they have several.
    words: Vec<u64>,
    /// The last state has a successor that does not fit.
    unfit: Option<u64>,
    scratch: Scratch,
}

#[derive(Clone, Copy)]
struct Successor {
    /// Its last word when folded, and the hash of that.
    root: u64,
    hash: u64,
    label: u32,
    /// Its number if it is known; before it is looked for, what is in the first slot for it.
    known: u32,
}

#[derive(Default)]
struct Scratch {
    state: Vec<u64>,
    parts: Vec<u32>,
    folded: Vec<u32>,
}

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
        self.states.clear();
        self.successors.clear();
        self.words.clear();
        self.unfit = None;
        let mut few = Vec::new();
        for id in ids.clone() {
            let begin = self.successors.len();
            graph.unfold(id, &mut self.scratch.state, &mut self.scratch.parts);
            let fits = match how.few {
                true => self.emit(system, graph, how, true),
                false => Ok(false),
            };
            let fits = match fits {
                Ok(true) => {
                    few.push(id);
                    Ok(true)
                }
                Ok(false) => {
                    self.successors.truncate(begin);
                    self.words.truncate(begin * graph.width());
                    self.emit(system, graph, how, false)
                }
                Err(number) => Err(number),
            };
            self.unfit = fits.err();
            let end = self.successors.len();
            let is_worth = how.worth(&self.scratch.state, end - begin);
            self.states.push((begin as u32, end as u32, is_worth));
            if self.unfit.is_some() {
                break;
            }
        }
        self.look_up(graph, 0);
        for id in few {
            let at = (id - ids.start) as usize;
            if at < self.states.len() && !self.is_later(at, id) {
                self.take_all(system, graph, (id, at), how);
            }
        }
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
        if let Err(number) = self.emit(system, graph, how, false) {
            self.unfit = Some(number);
            self.states.truncate(at + 1);
        }
        self.look_up(graph, begin);
        let end = self.successors.len();
        let is_worth = how.worth(&self.scratch.state, end - begin);
        self.states[at] = (begin as u32, end as u32, is_worth);
    }

    /// Whether some successor is visited later: it is new, or was found after the state itself.
    fn is_later(&self, at: usize, id: u32) -> bool {
        let (begin, end, _) = self.states[at];
        let mut all = self.successors[begin as usize..end as usize].iter();
        all.any(|one| one.known > id)
    }

    /// Keeps the steps of the state at hand: few that stand for all, if there are such, or all.
    fn emit<S: System + ?Sized>(
        &mut self,
        system: &S,
        graph: &Graph,
        how: How<'_>,
        few: bool,
    ) -> Result<bool, u64> {
        let Scratch {
            state,
            parts,
            folded,
            ..
        } = &mut self.scratch;
        let (successors, words) = (&mut self.successors, &mut self.words);
        let table = graph.roots();
        let take = &mut |label: u32, next: &[u64]| {
            let root = match *next {
                [word] if !how.symmetric => Some(word),
                _ => {
                    let begin = words.len();
                    words.extend_from_slice(next);
                    let next = &mut words[begin..];
                    if how.symmetric {
                        system.canonical(next);
                    }
                    graph.folded(next, state, parts, folded)
                }
            };
            let (root, hash) = root.map_or((0, UNKNOWN), |root| (root, mixed(root)));
            successors.push(Successor {
                root,
                hash,
                label,
                known: table.first(hash),
            });
        };
        match few {
            true => system.few_successors(state, take),
            false => system.successors(state, take).map(|()| true),
        }
    }

    /// Looks for successors from one on: many looks are under way at a time.
    fn look_up(&mut self, graph: &Graph, begin: usize) {
        let table = graph.roots();
        for one in &mut self.successors[begin..] {
            one.known = match one.hash {
                UNKNOWN => NONE,
                hash => table.find_from(one.known, one.root, hash),
            };
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

    /// Adds the successors of a state that are not there.
    pub(crate) fn commit(&mut self, graph: &mut Graph, at: usize, id: u32) {
        let (begin, end, _) = self.states[at];
        let width = graph.width();
        for at in begin as usize..end as usize {
            let one = &self.successors[at];
            if one.known != NONE {
                continue;
            }
            let from = Some((id, one.label));
            match one.hash {
                UNKNOWN => {
                    let state = &self.words[at * width..(at + 1) * width];
                    graph.find_or_insert(state, from)
                }
                hash => graph.find_or_insert_root(one.root, hash, from),
            };
        }
    }
}
