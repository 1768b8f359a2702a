//! Variables by how active they are.

use quotient_netlist::Node;

/// A binary heap of variables with the most active at its top. Those that took no part in
/// conflicts lately wait outside, without order: most questions of IC3 are about many gates and
/// meet few conflicts, so that keeping them all in order would cost more than it saves.
#[derive(Debug, Clone, Default)]
pub(super) struct Heap {
    order: Vec<u32>,
    /// What comes after the order; the last first.
    rest: Vec<u32>,
    /// The place of each variable in the order, or none.
    places: Vec<u32>,
    activity: Vec<f64>,
}

const NOWHERE: u32 = u32::MAX;

impl Heap {
    pub(super) fn grow(&mut self) {
        self.places.push(NOWHERE);
        self.activity.push(0.0);
    }

    /// Holds exactly these afterwards; only those that are so active are put in order.
    pub(super) fn refill(&mut self, nodes: impl Iterator<Item = Node>, active: f64) {
        for &variable in &self.order {
            self.places[variable as usize] = NOWHERE;
        }
        self.order.clear();
        self.rest.clear();
        for node in nodes {
            if self.activity[node.index()] < active {
                self.rest.push(node.index() as u32);
            } else if self.places[node.index()] == NOWHERE {
                self.places[node.index()] = self.order.len() as u32;
                self.order.push(node.index() as u32);
            }
        }
        for at in (0..self.order.len() / 2).rev() {
            self.sink(at);
        }
    }

    /// Holds at least these afterwards.
    pub(super) fn complete(&mut self, nodes: impl Iterator<Item = Node>) {
        self.rest.clear();
        for node in nodes {
            self.insert(node);
        }
    }

    pub(super) fn insert(&mut self, node: Node) {
        if self.places[node.index()] == NOWHERE {
            let at = self.order.len();
            self.places[node.index()] = at as u32;
            self.order.push(node.index() as u32);
            self.rise(at);
        }
    }

    pub(super) fn pop(&mut self) -> Option<Node> {
        let Some(last) = self.order.pop() else {
            return self.rest.pop().map(|one| Node::new(one as usize));
        };
        let top = *self.order.first().unwrap_or(&last);
        self.places[top as usize] = NOWHERE;
        if last != top {
            self.order[0] = last;
            self.places[last as usize] = 0;
            self.sink(0);
        }
        Some(Node::new(top as usize))
    }

    /// Makes a variable more active; says whether numbers grow too large.
    pub(super) fn bump(&mut self, node: Node, by: f64) -> bool {
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
