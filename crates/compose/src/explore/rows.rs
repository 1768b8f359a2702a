//! Which actions are possible in a state, by few look-ups.
//!
//! Fields that lie side by side in a packed state are read together: for all that can stand in
//! them there is one row, the conjunction of what each part does not block.

use crate::product::{Product, Word};

/// The most bits that are read together, unless one part alone takes more.
const TOGETHER: u32 = 10;
/// The most words that a table of joined rows takes, so that several fit into the cache.
const MOST_WORDS: usize = 1 << 14;

#[derive(Debug)]
pub(super) struct Rows {
    known: Vec<u64>,
    groups: Vec<Group>,
    table: Vec<u64>,
    /// The parts that are too large to have their rows copied.
    large: Vec<usize>,
}

/// Parts that are read together.
#[derive(Debug, Clone, Copy)]
struct Group {
    word: u32,
    shift: u32,
    mask: u64,
    /// Where its rows begin, and which words of the set of all actions they are.
    first: u32,
    low: u32,
    width: u32,
}

impl Rows {
    pub(super) fn new(product: &Product, is_large: &[bool]) -> Rows {
        let mut rows = Rows {
            known: product.known().to_vec(),
            groups: Vec::new(),
            table: Vec::new(),
            large: Vec::new(),
        };
        let mut building: Option<Building> = None;
        for (number, &is_large) in is_large.iter().enumerate() {
            if is_large {
                rows.large.push(number);
                continue;
            }
            let one = Building::of_part(product, number);
            building = match building.take() {
                Some(before) if before.takes(&one) => Some(before.joined(&one)),
                before => {
                    rows.extend(before);
                    Some(one)
                }
            };
        }
        rows.extend(building);
        rows
    }

    fn extend(&mut self, group: Option<Building>) {
        let Some(group) = group else {
            return;
        };
        self.groups.push(Group {
            word: group.word,
            shift: group.shift,
            mask: (1 << group.bits) - 1,
            first: self.table.len() as u32,
            low: group.low as u32,
            width: group.width as u32,
        });
        self.table.extend(group.rows);
    }

    /// Finds the actions that all parts that know them allow.
    #[inline]
    pub(super) fn look<const W: usize>(
        &self,
        product: &Product,
        word: &Word<W>,
        enabled: &mut Vec<u64>,
    ) {
        enabled.clear();
        enabled.extend_from_slice(&self.known);
        for group in &self.groups {
            let local = (word[group.word as usize] >> group.shift & group.mask) as usize;
            let from = group.first as usize + local * group.width as usize;
            let row = &self.table[from..from + group.width as usize];
            for (slot, row) in enabled[group.low as usize..].iter_mut().zip(row) {
                *slot &= row;
            }
        }
        for &number in &self.large {
            let local = product.local(word, number);
            product.parts()[number].restrict(local, enabled);
        }
    }
}

/// A group whose rows are being joined.
struct Building {
    word: u32,
    shift: u32,
    bits: u32,
    /// How many rows there are.
    states: usize,
    low: usize,
    width: usize,
    rows: Vec<u64>,
}

impl Building {
    fn of_part(product: &Product, number: usize) -> Building {
        let part = &product.parts()[number];
        let (word, shift, mask) = product.field(number);
        Building {
            word,
            shift,
            bits: mask.count_ones(),
            states: part.lts.states(),
            low: part.low(),
            width: part.width(),
            rows: part.unblocked(),
        }
    }

    /// The blocks that both groups have to cover: the first, and how many.
    fn covered(&self, next: &Building) -> (usize, usize) {
        match (self.width, next.width) {
            (0, _) => (next.low, next.width),
            (_, 0) => (self.low, self.width),
            _ => {
                let low = self.low.min(next.low);
                let end = (self.low + self.width).max(next.low + next.width);
                (low, end - low)
            }
        }
    }

    /// Whether the group after it should be read together with it.
    fn takes(&self, next: &Building) -> bool {
        let bits = self.bits + next.bits;
        self.word == next.word
            && self.shift + self.bits == next.shift
            && bits <= TOGETHER
            && self.covered(next).1 << bits <= MOST_WORDS
    }

    /// Both as one group. What no state has stays without actions.
    fn joined(&self, next: &Building) -> Building {
        let (low, width) = self.covered(next);
        let bits = self.bits + next.bits;
        let mut rows = vec![0; width << bits];
        let own = |group: &Building, local: usize, block: usize| {
            let inside = block.checked_sub(group.low).filter(|&at| at < group.width);
            inside.map_or(!0, |at| group.rows[local * group.width + at])
        };
        for high in 0..next.states {
            for local in 0..self.states {
                let from = (high << self.bits | local) * width;
                for (at, slot) in rows[from..from + width].iter_mut().enumerate() {
                    *slot = own(self, local, low + at) & own(next, high, low + at);
                }
            }
        }
        Building {
            word: self.word,
            shift: self.shift,
            bits,
            states: 1 << bits,
            low,
            width,
            rows,
        }
    }
}
