//! Where lists are stored once, and what was computed is remembered.

/// A list: its first value, what follows below it, and the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) value: u32,
    pub(super) down: u32,
    pub(super) right: u32,
}

/// All lists, by number; equal ones have one number.
pub(super) struct Table {
    nodes: Vec<Node>,
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

fn mixed(a: u32, b: u32, c: u32) -> usize {
    let word = (u64::from(a) << 32) | u64::from(b);
    let word = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f_u128;
    let word = (word as u64) ^ ((word >> 64) as u64) ^ u64::from(c);
    let word = u128::from(word) * 0xe703_7ed1_a0b4_28db_u128;
    ((word as u64) ^ ((word >> 64) as u64)) as usize
}

impl Table {
    /// Only the two ends.
    pub(super) fn new() -> Table {
        let end = Node {
            value: 0,
            down: 0,
            right: 0,
        };
        Table {
            nodes: vec![end; 2],
            slots: vec![FREE; 1 << 12],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn get(&self, id: u32) -> Node {
        self.nodes[id as usize]
    }

    pub(super) fn value(&self, id: u32) -> u32 {
        self.nodes[id as usize].value
    }

    pub(super) fn down(&self, id: u32) -> u32 {
        self.nodes[id as usize].down
    }

    pub(super) fn right(&self, id: u32) -> u32 {
        self.nodes[id as usize].right
    }

    pub(super) fn find_or_insert(&mut self, value: u32, down: u32, right: u32) -> u32 {
        let node = Node { value, down, right };
        let mask = self.slots.len() - 1;
        let mut slot = mixed(value, down, right) & mask;
        loop {
            match self.slots[slot] {
                FREE => break,
                id if self.nodes[id as usize] == node => return id,
                _ => slot = (slot + 1) & mask,
            }
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.slots[slot] = id;
        if self.nodes.len() * 10 > self.slots.len() * 7 {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![FREE; size];
        for (id, node) in self.nodes.iter().enumerate().skip(2) {
            let mut slot = mixed(node.value, node.down, node.right) & (size - 1);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = id as u32;
        }
    }
}

/// What was computed: a newer result takes the place of an older one.
pub(super) struct Cache {
    entries: Vec<(u32, u32, u32, u32)>,
}

/// How large it may get, in entries.
const LARGEST: usize = 1 << 22;

impl Cache {
    pub(super) fn new() -> Cache {
        Cache {
            entries: vec![(FREE, 0, 0, 0); 1 << 14],
        }
    }

    pub(super) fn get(&self, what: u32, a: u32, b: u32) -> Option<u32> {
        let entry = self.entries[mixed(a, b, what) & (self.entries.len() - 1)];
        ((entry.0, entry.1, entry.2) == (what, a, b)).then_some(entry.3)
    }

    pub(super) fn put(&mut self, what: u32, a: u32, b: u32, result: u32) {
        let at = mixed(a, b, what) & (self.entries.len() - 1);
        self.entries[at] = (what, a, b, result);
    }

    /// Grows with the lists.
    pub(super) fn fit(&mut self, lists: usize) {
        let size = lists.next_power_of_two().saturating_mul(2).min(LARGEST);
        if size <= self.entries.len() {
            return;
        }
        let old = std::mem::replace(&mut self.entries, vec![(FREE, 0, 0, 0); size]);
        for (what, a, b, result) in old.into_iter().filter(|entry| entry.0 != FREE) {
            self.put(what, a, b, result);
        }
    }
}
