//! The edges of an automaton, letter class by letter class: what the inner loops walk.

use crate::{Minterms, Nfa, State};

/// The edges of an automaton over classes of letters, in compressed sparse rows; ε is one more
/// class, after the last.
///
/// Each state has a sorted list of the classes that it can read, each class a sorted list of
/// targets. Memory is in the number of edges, whatever the number of classes.
#[derive(Clone)]
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
        // The classes of all labels side by side.
        let mut classes = Vec::with_capacity(nfa.labels().len());
        let mut starts = Vec::with_capacity(nfa.labels().len() + 1);
        starts.push(0);
        for label in nfa.labels() {
            match label {
                Some(letters) => minterms.each_class_in(letters, |class| classes.push(class)),
                None => classes.push(minterms.len() as u32),
            }
            starts.push(classes.len());
        }
        let mut moves = Vec::new();
        let mut successors = Successors {
            rows: Vec::with_capacity(nfa.len() + 1),
            posts: Vec::new(),
            targets: Vec::with_capacity(nfa.edges().len()),
        };
        for state in nfa.states() {
            moves.clear();
            for edge in nfa.edges_from(state) {
                let label = edge.label as usize;
                let classes = &classes[starts[label]..starts[label + 1]];
                let target = u64::from(edge.target.0);
                moves.extend(classes.iter().map(|&class| u64::from(class) << 32 | target));
            }
            // As single numbers they are compared in one go.
            moves.sort_unstable();
            let moves = moves.iter().map(|&one| ((one >> 32) as u32, one as u32));
            successors.push_row(moves);
        }
        successors.finish()
    }

    /// The same edges in the other direction.
    pub(crate) fn reversed(&self) -> Successors {
        // Into which row each goes is counted; only rows are sorted.
        let mut ends = vec![0u32; self.len() + 1];
        for &target in &self.targets {
            ends[target as usize + 1] += 1;
        }
        for state in 1..ends.len() {
            ends[state] += ends[state - 1];
        }
        let mut moves = vec![0u64; self.targets.len()];
        for source in 0..self.len() as u32 {
            for (class, targets) in self.from(source) {
                let back = u64::from(class) << 32 | u64::from(source);
                for &target in targets {
                    let free = &mut ends[target as usize];
                    moves[*free as usize] = back;
                    *free += 1;
                }
            }
        }
        let mut reversed = Successors {
            rows: Vec::with_capacity(self.rows.len()),
            posts: Vec::new(),
            targets: Vec::with_capacity(moves.len()),
        };
        let mut start = 0;
        for &end in &ends[..self.len()] {
            let row = &mut moves[start..end as usize];
            row.sort_unstable();
            reversed.push_row(row.iter().map(|&one| ((one >> 32) as u32, one as u32)));
            start = end as usize;
        }
        reversed.finish()
    }

    /// The edges of both, the states of the other numbered from `shift` on; between them lie
    /// states without edges.
    pub(crate) fn beside(&self, other: &Successors, shift: usize) -> Successors {
        let mut both = Successors {
            rows: Vec::with_capacity(shift + other.len() + 1),
            posts: Vec::with_capacity(self.posts.len() + other.posts.len()),
            targets: Vec::with_capacity(self.targets.len() + other.targets.len()),
        };
        let mut row = Vec::new();
        for state in 0..shift + other.len() {
            row.clear();
            if state < self.len() {
                for (class, targets) in self.from(state as u32) {
                    row.extend(targets.iter().map(|&target| (class, target)));
                }
            } else if state >= shift {
                for (class, targets) in other.from((state - shift) as u32) {
                    row.extend(targets.iter().map(|&target| (class, target + shift as u32)));
                }
            }
            both.push_row(row.iter().copied());
        }
        both.finish()
    }

    /// For each state the length of a shortest way to one of some states, `u32::MAX` if there is
    /// none.
    pub(crate) fn distances(&self, to: impl Iterator<Item = u32>) -> Vec<u32> {
        let states = self.len();
        let mut rows = vec![0u32; states + 2];
        for &target in &self.targets {
            rows[target as usize + 2] += 1;
        }
        for at in 2..rows.len() {
            rows[at] += rows[at - 1];
        }
        let mut sources = vec![0u32; self.targets.len()];
        for source in 0..states {
            let (first, last) = (self.rows[source] as usize, self.rows[source + 1] as usize);
            let (first, last) = (self.posts[first].start, self.posts[last].start);
            for &target in &self.targets[first as usize..last as usize] {
                let free = &mut rows[target as usize + 1];
                sources[*free as usize] = source as u32;
                *free += 1;
            }
        }
        let mut distance = vec![u32::MAX; states];
        let mut queue: Vec<u32> = to.collect();
        for &state in &queue {
            distance[state as usize] = 0;
        }
        let mut done = 0;
        while let Some(&state) = queue.get(done) {
            done += 1;
            let before = distance[state as usize] + 1;
            let (first, last) = (rows[state as usize], rows[state as usize + 1]);
            for &source in &sources[first as usize..last as usize] {
                if distance[source as usize] == u32::MAX {
                    distance[source as usize] = before;
                    queue.push(source);
                }
            }
        }
        distance
    }

    fn push_row(&mut self, moves: impl Iterator<Item = (u32, u32)>) {
        self.rows.push(self.posts.len() as u32);
        let mut last = None;
        for (class, target) in moves {
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

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.rows.len() - 1
    }

    /// The number of classes that a state can read.
    pub(crate) fn class_count(&self, state: State) -> usize {
        (self.rows[state.index() + 1] - self.rows[state.index()]) as usize
    }

    /// The number of edges, class by class.
    pub(crate) fn edges(&self) -> usize {
        self.targets.len()
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

    /// Where a class leads from a state.
    pub(crate) fn on(&self, state: State, class: u32) -> &[u32] {
        let (first, last) = (
            self.rows[state.index()] as usize,
            self.rows[state.index() + 1] as usize,
        );
        match self.posts[first..last].binary_search_by_key(&class, |post| post.class) {
            Ok(at) => {
                let (start, end) = (
                    self.posts[first + at].start,
                    self.posts[first + at + 1].start,
                );
                &self.targets[start as usize..end as usize]
            }
            Err(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{self, Random};

    use super::*;

    #[test]
    fn turned_round_every_edge_leads_back_and_in_order() {
        for (alphabet, _) in testing::alphabets() {
            for seed in 0..50 {
                let nfa = testing::nfa(&mut Random::new(seed), &alphabet, 9);
                let successors = Successors::new(&nfa, &nfa.minterms());
                let list = |one: &Successors| -> Vec<(u32, u32, u32)> {
                    let states = 0..one.len() as u32;
                    let moves = |state| {
                        one.from(state).flat_map(move |(class, targets)| {
                            targets.iter().map(move |&target| (state, class, target))
                        })
                    };
                    states.flat_map(moves).collect()
                };
                let mut naive: Vec<_> = (list(&successors).into_iter())
                    .map(|(source, class, target)| (target, class, source))
                    .collect();
                naive.sort_unstable();
                assert_eq!(list(&successors.reversed()), naive, "seed {seed}");
                assert_eq!(successors.reversed().len(), successors.len());
            }
        }
    }
}
