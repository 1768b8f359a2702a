//! Clauses side by side in one block of memory.

use quotient_netlist::Literal;

/// The place of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reference(u32);

impl Reference {
    /// No clause.
    pub(super) const NONE: Reference = Reference(u32::MAX);
}

/// A clause to look at when a literal becomes false, with another literal of it: if that one is
/// true, there is no need to look. If there are only the two, there never is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watch {
    /// The place, with the highest bit set if the clause has two literals and stays for good.
    place: u32,
    pub(super) blocker: Literal,
}

const PAIR: u32 = 1 << 31;

impl Watch {
    pub(super) fn new(reference: Reference, blocker: Literal, pair: bool) -> Watch {
        let place = reference.0 | if pair { PAIR } else { 0 };
        Watch { place, blocker }
    }

    #[inline]
    pub(super) fn reference(self) -> Reference {
        Reference(self.place & !PAIR)
    }

    #[inline]
    pub(super) fn is_pair(self) -> bool {
        self.place & PAIR != 0
    }

    /// The same clause at another place.
    pub(super) fn moved(self, to: Reference) -> Watch {
        Watch::new(to, self.blocker, self.is_pair())
    }
}

const DELETED: u32 = 1;
const LEARNT: u32 = 2;
/// It took part in a conflict since clauses were last forgotten.
const USED: u32 = 4;
const ABOVE_FLAGS: u32 = 3;

/// Each clause is its length, its flags with the block distance above them, and its literals.
#[derive(Debug, Clone, Default)]
pub(super) struct Clauses {
    words: Vec<u32>,
    wasted: usize,
}

impl Clauses {
    pub(super) fn push(&mut self, literals: &[Literal], learnt: bool, distance: u32) -> Reference {
        let reference = Reference(self.words.len() as u32);
        let flags = if learnt { LEARNT } else { 0 };
        self.words.push(literals.len() as u32);
        self.words.push(flags | distance << ABOVE_FLAGS);
        self.words
            .extend(literals.iter().map(|one| one.code() as u32));
        reference
    }

    pub(super) fn len(&self, reference: Reference) -> usize {
        self.words[reference.0 as usize] as usize
    }

    #[inline]
    pub(super) fn literal(&self, reference: Reference, at: usize) -> Literal {
        Literal::from_code(self.words[reference.0 as usize + 2 + at] as usize)
    }

    #[inline]
    pub(super) fn swap(&mut self, reference: Reference, one: usize, other: usize) {
        let first = reference.0 as usize + 2;
        self.words.swap(first + one, first + other);
    }

    /// The literals as codes.
    #[inline]
    pub(super) fn codes(&self, reference: Reference) -> &[u32] {
        let first = reference.0 as usize + 2;
        &self.words[first..first + self.len(reference)]
    }

    #[inline]
    pub(super) fn is_deleted(&self, reference: Reference) -> bool {
        self.words[reference.0 as usize + 1] & DELETED != 0
    }

    /// The number of levels in it when it was learnt.
    pub(super) fn distance(&self, reference: Reference) -> u32 {
        self.words[reference.0 as usize + 1] >> ABOVE_FLAGS
    }

    /// Notes that a learnt clause took part in a conflict, and says whether it is one.
    pub(super) fn is_learnt_and_used(&mut self, reference: Reference) -> bool {
        let flags = &mut self.words[reference.0 as usize + 1];
        let learnt = *flags & LEARNT != 0;
        if learnt {
            *flags |= USED;
        }
        learnt
    }

    /// Whether it took part in a conflict since this was asked last.
    pub(super) fn take_used(&mut self, reference: Reference) -> bool {
        let flags = &mut self.words[reference.0 as usize + 1];
        let used = *flags & USED != 0;
        *flags &= !USED;
        used
    }

    /// The number of levels in it turned out to be smaller.
    pub(super) fn set_distance(&mut self, reference: Reference, distance: u32) {
        let flags = &mut self.words[reference.0 as usize + 1];
        *flags = *flags & ((1 << ABOVE_FLAGS) - 1) | distance << ABOVE_FLAGS;
    }

    pub(super) fn delete(&mut self, reference: Reference) {
        if !self.is_deleted(reference) {
            self.words[reference.0 as usize + 1] |= DELETED;
            self.wasted += self.len(reference) + 2;
        }
    }

    /// Whether a large part of the memory holds deleted clauses.
    pub(super) fn is_wasteful(&self) -> bool {
        self.wasted > 20_000 && self.wasted > self.words.len() / 4
    }

    /// Moves the clauses that are left together and says where they are now.
    pub(super) fn compact(&mut self, superfluous: impl Fn(&[Literal]) -> bool) -> Moved {
        let old = std::mem::take(&mut self.words);
        self.wasted = 0;
        let mut moved = Vec::new();
        let mut at = 0;
        let mut literals = Vec::new();
        while at < old.len() {
            let length = old[at] as usize;
            let flags = old[at + 1];
            let codes = &old[at + 2..at + 2 + length];
            literals.clear();
            literals.extend(codes.iter().map(|&code| Literal::from_code(code as usize)));
            if flags & DELETED == 0 && !superfluous(&literals) {
                moved.push((at as u32, self.words.len() as u32));
                self.words.extend_from_slice(&old[at..at + 2 + length]);
            }
            at += 2 + length;
        }
        Moved(moved)
    }
}

/// Old and new places, in order.
pub(super) struct Moved(Vec<(u32, u32)>);

impl Moved {
    pub(super) fn get(&self, reference: Reference) -> Option<Reference> {
        let found = self.0.binary_search_by_key(&reference.0, |&(old, _)| old);
        found.ok().map(|at| Reference(self.0[at].1))
    }
}
