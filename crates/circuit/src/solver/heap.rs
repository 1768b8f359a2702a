//! Variables by how active they are.

use quotient_netlist::Node;

/// The variables that are still to be decided, the most active first.
///
/// Of all variables they are kept in a binary heap. The questions of IC3 are about many gates and
/// meet few conflicts, so that keeping them in order would cost more than it saves: the variables
/// of a domain are thrown into a few buckets by how active they are, and are taken from these in
/// any order.
#[derive(Debug, Clone, Default)]
pub(super) struct Heap {
    order: Vec<u32>,
    /// The place of each variable in the order, or none.
    places: Vec<u32>,
    activity: Vec<f64>,
    /// Whether the buckets are used, not the order.
    coarse: bool,
    buckets: [Vec<u32>; BUCKETS.len() + 1],
    /// The bucket that each variable is in, or none; where it also lies in others it counts for
    /// nothing.
    bucket: Vec<u8>,
    /// What a variable was last made more active by.
    latest: f64,
}

const NOWHERE: u32 = u32::MAX;
const NO_BUCKET: u8 = u8::MAX;
/// How active the variables of each bucket are at least, next to what a conflict adds now. The
/// rest took no part in the last 200 conflicts or so.
const BUCKETS: [f64; 5] = [4.0, 1.0, 0.2, 0.02, 4e-5];

impl Heap {
    pub(super) fn grow(&mut self) {
        self.places.push(NOWHERE);
        self.activity.push(0.0);
        self.bucket.push(NO_BUCKET);
    }

    /// Holds exactly these afterwards, in buckets. A conflict adds so much to activity now.
    pub(super) fn refill(&mut self, nodes: impl Iterator<Item = Node>, latest: f64) {
        self.empty();
        self.coarse = true;
        self.latest = latest;
        for node in nodes {
            self.throw(node);
        }
    }

    /// Holds at least these afterwards, in order.
    pub(super) fn complete(&mut self, nodes: impl Iterator<Item = Node>) {
        if self.coarse {
            self.empty();
            self.coarse = false;
        }
        for node in nodes {
            self.insert(node);
        }
    }

    fn empty(&mut self) {
        for variable in self.order.drain(..) {
            self.places[variable as usize] = NOWHERE;
        }
        for bucket in &mut self.buckets {
            for variable in bucket.drain(..) {
                self.bucket[variable as usize] = NO_BUCKET;
            }
        }
    }

    fn throw(&mut self, node: Node) {
        let activity = self.activity[node.index()];
        let active = |&least: &f64| activity >= least * self.latest;
        let bucket = BUCKETS.iter().position(active).unwrap_or(BUCKETS.len());
        if self.bucket[node.index()] != bucket as u8 {
            self.bucket[node.index()] = bucket as u8;
            self.buckets[bucket].push(node.index() as u32);
        }
    }

    pub(super) fn insert(&mut self, node: Node) {
        if self.coarse {
            self.throw(node);
        } else if self.places[node.index()] == NOWHERE {
            let at = self.order.len();
            self.places[node.index()] = at as u32;
            self.order.push(node.index() as u32);
            self.rise(at);
        }
    }

    pub(super) fn pop(&mut self) -> Option<Node> {
        if self.coarse {
            return self.fish();
        }
        let last = self.order.pop()?;
        let top = *self.order.first().unwrap_or(&last);
        self.places[top as usize] = NOWHERE;
        if last != top {
            self.order[0] = last;
            self.places[last as usize] = 0;
            self.sink(0);
        }
        Some(Node::new(top as usize))
    }

    fn fish(&mut self) -> Option<Node> {
        for (number, bucket) in self.buckets.iter_mut().enumerate() {
            while let Some(variable) = bucket.pop() {
                let own = &mut self.bucket[variable as usize];
                if *own == number as u8 {
                    *own = NO_BUCKET;
                    return Some(Node::new(variable as usize));
                }
            }
        }
        None
    }

    /// Makes a variable more active; says whether numbers grow too large.
    pub(super) fn bump(&mut self, node: Node, by: f64) -> bool {
        self.latest = by;
        let activity = &mut self.activity[node.index()];
        *activity += by;
        let large = *activity > 1e100;
        let place = self.places[node.index()];
        if place != NOWHERE {
            self.rise(place as usize);
        }
        large
    }

    pub(super) fn rescale(&mut self) {
        for activity in &mut self.activity {
            *activity *= 1e-100;
        }
    }

    /// Ties go to the smaller number, so that runs are repeatable.
    fn before(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.activity[one as usize], self.activity[other as usize]);
        a > b || (a == b && one < other)
    }

    fn rise(&mut self, mut at: usize) {
        let variable = self.order[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(variable, self.order[parent]) {
                break;
            }
            self.order[at] = self.order[parent];
            self.places[self.order[at] as usize] = at as u32;
            at = parent;
        }
        self.order[at] = variable;
        self.places[variable as usize] = at as u32;
    }

    fn sink(&mut self, mut at: usize) {
        let variable = self.order[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.order.len() {
                break;
            }
            if child + 1 < self.order.len() && self.before(self.order[child + 1], self.order[child])
            {
                child += 1;
            }
            if !self.before(self.order[child], variable) {
                break;
            }
            self.order[at] = self.order[child];
            self.places[self.order[at] as usize] = at as u32;
            at = child;
        }
        self.order[at] = variable;
        self.places[variable as usize] = at as u32;
    }
}
