//! Breadth-first search by the number of letters written, with the words of the way back.

use std::collections::VecDeque;

use crate::{Letter, State, Word};

/// A node that was met, and how.
struct Met {
    before: Option<u32>,
    read: Option<Letter>,
    written: Option<Letter>,
}

/// The places met so far, nearest first. A node may be met several times: the caller keeps
/// track of what is settled.
pub(super) struct Search<Third> {
    met: Vec<Met>,
    waiting: VecDeque<(u32, (State, State, Third))>,
}

impl<Third> Search<Third> {
    pub(super) fn new() -> Self {
        Search {
            met: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    pub(super) fn start(&mut self, node: (State, State, Third)) {
        let place = self.record(None, None, None);
        self.waiting.push_back((place, node));
    }

    /// Meets a node from a place; moves that write nothing do not count as longer.
    pub(super) fn go(
        &mut self,
        before: u32,
        read: Option<Letter>,
        written: Option<Letter>,
        node: (State, State, Third),
    ) {
        let place = self.record(Some(before), read, written);
        match written {
            None => self.waiting.push_front((place, node)),
            Some(_) => self.waiting.push_back((place, node)),
        }
    }

    fn record(
        &mut self,
        before: Option<u32>,
        read: Option<Letter>,
        written: Option<Letter>,
    ) -> u32 {
        self.met.push(Met {
            before,
            read,
            written,
        });
        self.met.len() as u32 - 1
    }

    pub(super) fn next(&mut self) -> Option<(u32, (State, State, Third))> {
        self.waiting.pop_front()
    }

    /// What was read and written on the way to a place.
    pub(super) fn words(&self, place: u32) -> (Word, Word) {
        let way = std::iter::successors(Some(&self.met[place as usize]), |met| {
            met.before.map(|before| &self.met[before as usize])
        });
        let (mut first, mut second) = (Word::new(), Word::new());
        for met in way {
            first.extend(met.read);
            second.extend(met.written);
        }
        first.reverse();
        second.reverse();
        (first, second)
    }
}
