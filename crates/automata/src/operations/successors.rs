//! The edges of an automaton, letter class by letter class: what the inner loops walk.

use crate::{Minterms, Nfa};

/// The edges of an ε-free automaton over classes of letters, in compressed sparse rows.
///
/// Each state has a sorted list of the classes that it can read, each class a sorted list of
/// targets. Memory is in the number of edges, whatever the number of classes.
pub(crate) struct Successors {
    /// `posts[rows[s]..rows[s + 1]]` are those of state `s`.
    rows: Vec<u32>,
    posts: Vec<Post>,
    targets: Vec<u32>,
}

/// The targets of one state and one class.
#[derive(Clone, Copy)]
struct Post {
    class: u32,
    /// The first target; the last is before that of the next post.
    start: u32,
}

impl Successors {
    /// The edges of `nfa`, whose labels must be unions of classes of `minterms`.
    pub(crate) fn new(nfa: &Nfa, minterms: &Minterms) -> Successors {
        debug_assert!(!nfa.has_epsilon());
        let classes: Vec<Vec<u32>> = nfa
            .labels()
            .iter()
            .map(|label| {
                label
                    .as_ref()
                    .map_or_else(Vec::new, |letters| minterms.classes_in(letters))
            })
            .collect();
        let mut moves = Vec::new();
        let mut successors = Successors {
            rows: Vec::with_capacity(nfa.len() + 1),
            posts: Vec::new(),
            targets: Vec::with_capacity(nfa.edges().len()),
        };
        for state in nfa.states() {
            moves.clear();
            for edge in nfa.edges_from(state) {
                let classes = &classes[edge.label as usize];
                moves.extend(classes.iter().map(|&class| (class, edge.target.0)));
            }
            moves.sort_unstable();
            successors.push_row(&moves);
        }
        successors.finish()
    }

    fn push_row(&mut self, moves: &[(u32, u32)]) {
        self.rows.push(self.posts.len() as u32);
        let mut last = None;
        for &(class, target) in moves {
            if last != Some(class) {
                last = Some(class);
                self.posts.push(Post {
                    class,
                    start: self.targets.len() as u32,
                });
            }
            self.targets.push(target);
        }
    }

    fn finish(mut self) -> Successors {
        self.rows.push(self.posts.len() as u32);
        self.posts.push(Post {
            class: u32::MAX,
            start: self.targets.len() as u32,
        });
        self
    }

    /// The classes that a state can read, in order, each with its targets.
    #[inline]
    pub(crate) fn from(&self, state: u32) -> impl Iterator<Item = (u32, &[u32])> {
        let (first, last) = (self.rows[state as usize], self.rows[state as usize + 1]);
        self.posts[first as usize..=last as usize]
            .windows(2)
            .map(|pair| {
                let targets = &self.targets[pair[0].start as usize..pair[1].start as usize];
                (pair[0].class, targets)
            })
    }
}
