//! The states found so far, in one arena.

/// No state: the parent of a beginning, or an empty slot of the table.
pub(crate) const NONE: u32 = u32::MAX;

/// The states found so far, numbered in the order in which they were found, each with the step
/// that led to it first.
///
/// All states lie in one vector, and an open table of numbers finds them: a state costs its
/// words and about 14 bytes, and no allocation of its own.
#[derive(Debug, Clone)]
pub struct Graph {
    width: usize,
    words: Vec<u64>,
    /// The state before, and the label of the step from it.
    before: Vec<(u32, u32)>,
    table: Vec<u32>,
}

impl Graph {
    /// No states yet, each of so many words.
    pub(crate) fn new(width: usize) -> Graph {
        Graph {
            width,
            words: Vec::new(),
            before: Vec::new(),
            table: vec![NONE; 1024],
        }
    }

    /// How many words each state has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.before.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty()
    }

    /// A state by its number; nothing if there is none of it.
    pub fn state(&self, id: u32) -> &[u64] {
        let start = id as usize * self.width;
        self.words.get(start..start + self.width).unwrap_or(&[])
    }

    /// The words of some states, one after the other.
    pub(crate) fn states(&self, from: usize, to: usize) -> &[u64] {
        let words = self.words.get(from * self.width..to * self.width);
        words.unwrap_or(&[])
    }

    /// The state before one, and the label of the step from it, as it was found first; nothing
    /// before a beginning.
    pub fn before(&self, id: u32) -> Option<(u32, u32)> {
        let before = self.before.get(id as usize).copied();
        before.filter(|(parent, _)| *parent != NONE)
    }

    /// The run to a state that was found first: the number of the state that it begins with, and
    /// the labels of its steps. After a breadth-first search it is a shortest one.
    pub fn run(&self, id: u32) -> (u32, Vec<u32>) {
        run_to(&self.before, id)
    }

    /// Adds a state unless it is there; says its number if it is new.
    pub(crate) fn insert(&mut self, state: &[u64], from: Option<(u32, u32)>) -> Option<u32> {
        let before = self.before.len();
        let id = self.find_or_insert(state, hash(state), from);
        (id as usize == before).then_some(id)
    }

    /// The number of a state with this hash, which is added unless it is there.
    pub(crate) fn find_or_insert(
        &mut self,
        state: &[u64],
        hash: u64,
        from: Option<(u32, u32)>,
    ) -> u32 {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.table[slot] {
                NONE => break,
                id if self.state(id) == state => return id,
                _ => slot = (slot + 1) & mask,
            }
        }
        let id = self.before.len() as u32;
        self.table[slot] = id;
        self.words.extend_from_slice(state);
        self.before.push(from.unwrap_or((NONE, 0)));
        if self.before.len() * 10 > self.table.len() * 7 {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        self.table = vec![NONE; size];
        for id in 0..self.before.len() as u32 {
            let mut slot = hash(self.state(id)) as usize & (size - 1);
            while self.table[slot] != NONE {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = id;
        }
    }
}

/// The run to a state, from the state and the label before each: where it begins, and its labels.
pub(crate) fn run_to(before: &[(u32, u32)], id: u32) -> (u32, Vec<u32>) {
    let mut at = id;
    let mut labels = Vec::new();
    while let Some(&(parent, label)) = before.get(at as usize) {
        if parent == NONE {
            break;
        }
        labels.push(label);
        at = parent;
    }
    labels.reverse();
    (at, labels)
}

/// Mixes words by multiplication and folding (as wyhash does): the low bits depend on all.
pub(crate) fn hash(state: &[u64]) -> u64 {
    let mut mixed = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in state {
        let product = u128::from(word ^ mixed) * 0xa076_1d64_78bd_642f_u128;
        mixed = (product as u64) ^ ((product >> 64) as u64) ^ mixed.rotate_left(23);
    }
    let product = u128::from(mixed) * 0xe703_7ed1_a0b4_28db_u128;
    (product as u64) ^ ((product >> 64) as u64)
}
