//! The successors of some states, and which of them are known.
//!
//! A table of many states lies far from the processor, and a look into it takes as long as a hundred
//! additions. Here the successors of many states are worked out first and looked up then, step by
//! step for all of them, so that the machine has many looks under way at a time.

use std::ops::Range;

use crate::System;
use crate::graph::{Graph, NONE};
use crate::met::Met;
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
    /// Of each state: where those of its successors begin and end that were not met lately.
    states: Vec<(u32, u32)>,
    /// How many successors it has, and whether it is worth a visit.
    counts: Vec<(u32, bool)>,
    successors: Successors,
    /// Their last words when folded, where these are not the words themselves.
    roots: Vec<u64>,
    /// The hashes of these.
    hashes: Vec<u64>,
    /// Their numbers if they are known; before they are looked for, what is in the first slot for each.
    known: Vec<u32>,
    /// Which of them are not known, in order; how many of these have parts that are not.
    new: Vec<New>,
    new_parts: usize,
    /// How many of the new ones were added.
    added: usize,
    /// How the states that were added were found: the state before each, and the label.
    found: Vec<(u32, u32)>,
    /// The first state, and those of which few steps were taken that are to stand for all.
    first: u32,
    few: Vec<u32>,
    /// They were looked for, in a table of this size.
    is_looked_for: bool,
    size: usize,
    /// The last state has a successor that does not fit.
    unfit: Option<u64>,
    scratch: Scratch,
}

/// A successor that is not known.
#[derive(Clone, Copy)]
struct New {
    /// Its last word when folded.
    root: u64,
    at: u32,
    label: u32,
    /// The slot for it.
    slot: u32,
    /// All of its parts are known.
    is_folded: bool,
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
    /// Works out the successors of states with these numbers, which are still to be [looked for](Self::look).
    pub(crate) fn fill<S: System + ?Sized>(
        &mut self,
        system: &S,
        graph: &Graph,
        ids: Range<u32>,
        how: How<'_>,
        met: &mut Met,
    ) {
        self.clear();
        met.fit(graph.width(), graph.len());
        let width = graph.width();
        self.first = ids.start;
        for id in ids {
            let begin = self.successors.len();
            graph.unfold(id, &mut self.scratch.state, &mut self.scratch.parts);
            let mut fits = match how.few {
                true => system.few_successors(&self.scratch.state, &mut |label, next| {
                    self.successors.push(label, next);
                }),
                false => Ok(false),
            };
            let is_few = fits == Ok(true);
            match fits {
                Ok(true) => self.few.push(id),
                Ok(false) => {
                    self.successors.truncate(begin, width);
                    fits = self.all_of(system);
                }
                Err(_) => {}
            }
            self.unfit = fits.err();
            self.list(system, graph, how, begin, (!is_few).then_some(&mut *met));
            if self.unfit.is_some() {
                break;
            }
        }
    }

    /// Looks for each successor, unless that was done.
    pub(crate) fn look<S: System + ?Sized>(&mut self, system: &S, graph: &Graph, how: How<'_>) {
        if std::mem::replace(&mut self.is_looked_for, true) {
            return;
        }
        self.size = graph.roots().size();
        self.look_up(graph, 0);
        let looked = self.successors.len();
        for id in std::mem::take(&mut self.few) {
            let at = (id - self.first) as usize;
            if at < self.states.len() && !self.is_later(at, id) {
                self.take_all(system, graph, (id, at), how);
            }
        }
        if self.successors.len() > looked {
            self.sort_new();
        }
    }

    /// Lists the state at hand, whose successors begin with this one. Those that were met lately are left out: they are
    /// known, or listed before. Where few steps stand for all, none is: where they lead is looked at.
    fn list<S: System + ?Sized>(
        &mut self,
        system: &S,
        graph: &Graph,
        how: How<'_>,
        begin: usize,
        met: Option<&mut Met>,
    ) {
        let (width, count) = (graph.width(), self.successors.len() - begin);
        let is_worth = how.worth(&self.scratch.state, count);
        if how.symmetric {
            let words = &mut self.successors.words[begin * width..];
            words.chunks_mut(width.max(1)).for_each(|next| {
                system.canonical(next);
            });
        }
        if let Some(met) = met {
            let Successors { labels, words } = &mut self.successors;
            met.leave_out(begin, labels, words);
        }
        self.fold(graph, begin);
        let end = self.successors.len();
        self.states.push((begin as u32, end as u32));
        self.counts.push((count as u32, is_worth));
    }

    fn clear(&mut self) {
        self.states.clear();
        self.counts.clear();
        self.successors.clear();
        self.roots.clear();
        self.hashes.clear();
        self.known.clear();
        self.new.clear();
        self.found.clear();
        self.few.clear();
        self.is_looked_for = false;
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
            self.counts.truncate(at + 1);
        }
        // They are listed as the last state, and stand in its place.
        self.list(system, graph, how, begin, None);
        self.look_up(graph, begin);
        if let (Some(state), Some(count)) = (self.states.pop(), self.counts.pop()) {
            (self.states[at], self.counts[at]) = (state, count);
        }
    }

    /// Whether some successor is visited later: it is new, or was found after the state itself.
    fn is_later(&self, at: usize, id: u32) -> bool {
        let (begin, end) = self.states[at];
        let mut all = self.known[begin as usize..end as usize].iter();
        all.any(|&known| known > id)
    }

    /// Folds successors of the state at hand from one on.
    fn fold(&mut self, graph: &Graph, begin: usize) {
        let width = graph.width();
        if width == 1 {
            return;
        }
        let Scratch {
            state,
            parts,
            folded,
        } = &mut self.scratch;
        for at in begin..self.successors.len() {
            let next = &self.successors.words[at * width..(at + 1) * width];
            let root = graph.folded(next, state, parts, folded);
            let (root, hash) = root.map_or((0, UNKNOWN), |root| (root, mixed(root)));
            self.roots.push(root);
            self.hashes.push(hash);
        }
    }

    /// Looks for successors from one on: many looks are under way at a time.
    #[allow(
        clippy::needless_range_loop,
        reason = "iterators over three lists from one on keep what they need in memory, not in registers"
    )]
    fn look_up(&mut self, graph: &Graph, begin: usize) {
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
        for at in begin..number {
            let (hash, root) = (hashes[at], roots[at]);
            let is_folded = hash != UNKNOWN;
            if is_folded && looks.is_first(known[at], root, hash) {
                known[at] = looks.number(known[at], hash);
                continue;
            }
            let found = match is_folded {
                true => looks.find_on(known[at], root, hash),
                false => Err(0),
            };
            known[at] = found.unwrap_or(NONE);
            let Err(slot) = found else {
                continue;
            };
            self.new_parts += usize::from(!is_folded);
            self.new.push(New {
                root,
                at: at as u32,
                label: self.successors.labels[at],
                slot,
                is_folded,
            });
        }
    }

    /// Lists the successors that are not known by the states that they are of.
    fn sort_new(&mut self) {
        let all: std::collections::HashMap<u32, New> =
            self.new.drain(..).map(|one| (one.at, one)).collect();
        for &(begin, end) in &self.states {
            let new = (begin..end).filter_map(|at| all.get(&at));
            self.new.extend(new);
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// How many successors a state has, and whether it is worth a visit.
    pub(crate) fn count(&self, at: usize) -> (usize, bool) {
        let (count, is_worth) = self.counts[at];
        (count as usize, is_worth)
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
        let new = self.new.iter().map(|one| slots.at(one.slot));
        std::hint::black_box(new.fold(0, |all, one| all ^ one));
    }

    /// Adds the successors of a state that are not there, where there is room; states come in order.
    pub(crate) fn commit(&mut self, graph: &Graph, at: usize, id: u32) {
        let (begin, end) = self.states[at];
        let width = graph.width();
        let is_same = self.size == graph.roots().size();
        while let Some(&new) = self.new.get(self.added) {
            // Where all steps are taken after all, they are listed behind those of later states.
            if !(begin..end).contains(&new.at) {
                break;
            }
            self.added += 1;
            let number = graph.len();
            let at = new.at as usize;
            let added = match (new.is_folded, is_same) {
                (false, _) => graph.add(&self.successors.words[at * width..(at + 1) * width]),
                (true, true) => graph.roots().add_from(new.slot, new.root, mixed(new.root)),
                (true, false) => graph.roots().add(new.root, mixed(new.root)),
            };
            if added as usize == number {
                self.found.push((id, new.label));
            }
        }
    }

    /// Notes how the states that were added were found.
    pub(crate) fn note(&mut self, graph: &Graph) {
        graph.note(self.found.drain(..));
    }
}
