//! Formulas whose names and grades are resolved.

use std::sync::Arc;

/// A formula over a system with so many states.
#[derive(Debug, Clone)]
pub(crate) enum Typed<G> {
    Constant(G),
    /// A grade for each state.
    Vector(Arc<Vec<G>>),
    Not(Box<Typed<G>>),
    And(Box<Typed<G>>, Box<Typed<G>>),
    Or(Box<Typed<G>>, Box<Typed<G>>),
    Implies(Box<Typed<G>>, Box<Typed<G>>),
    Iff(Box<Typed<G>>, Box<Typed<G>>),
    Modal(Modality, Steps<G>, Box<Typed<G>>),
}

/// Whether some run is meant, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Modality {
    Diamond,
    Box,
}

/// A program.
#[derive(Debug, Clone)]
pub(crate) enum Steps<G> {
    Relation(Arc<Relation<G>>),
    Then(Box<Steps<G>>, Box<Steps<G>>),
    Choice(Box<Steps<G>>, Box<Steps<G>>),
    Star(Box<Steps<G>>),
    Test(Box<Typed<G>>),
}

impl<G> Steps<G> {
    /// Whether it can go on and on.
    pub(crate) fn has_star(&self) -> bool {
        match self {
            Steps::Star(_) => true,
            Steps::Then(one, other) | Steps::Choice(one, other) => {
                one.has_star() || other.has_star()
            }
            _ => false,
        }
    }
}

impl<G> Steps<G> {
    /// How many places there are inside the program, at most.
    pub(crate) fn places(&self) -> usize {
        match self {
            Steps::Star(inner) => inner.places() + 1,
            Steps::Then(one, other) | Steps::Choice(one, other) => {
                one.places() + other.places() + 1
            }
            _ => 0,
        }
    }
}

/// A sparse matrix of grades, row by row; what is not in it is zero.
#[derive(Debug, Clone)]
pub(crate) struct Relation<G> {
    /// What it is called.
    pub(crate) name: String,
    /// Where each row begins.
    start: Vec<u32>,
    entries: Vec<(u32, G)>,
}

impl<G: Clone> Relation<G> {
    /// A matrix from its entries in any order.
    pub(crate) fn new(name: &str, states: usize, edges: &[(u32, u32, G)]) -> Relation<G> {
        let mut start = vec![0u32; states + 1];
        for (from, ..) in edges {
            start[*from as usize + 1] += 1;
        }
        for state in 0..states {
            start[state + 1] += start[state];
        }
        let mut next = start.clone();
        let mut order = vec![0u32; edges.len()];
        for (edge, (from, ..)) in edges.iter().enumerate() {
            let place = &mut next[*from as usize];
            order[*place as usize] = edge as u32;
            *place += 1;
        }
        for row in start.windows(2) {
            order[row[0] as usize..row[1] as usize].sort_by_key(|edge| edges[*edge as usize].1);
        }
        let entry = |edge: &u32| {
            let (_, to, grade) = &edges[*edge as usize];
            (*to, grade.clone())
        };
        let entries = order.iter().map(entry).collect();
        Relation {
            name: name.to_owned(),
            start,
            entries,
        }
    }

    /// The entries of a row.
    pub(crate) fn row(&self, state: usize) -> &[(u32, G)] {
        &self.entries[self.start[state] as usize..self.start[state + 1] as usize]
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
