//! The product while it is made: its states are numbered when they are first met, and their edges
//! are written in that order, so that nothing is left to sort but each row.

use rustc_hash::FxHashMap;

use crate::graph::GraphBuilder;
use crate::{Dfa, Edge, Letter, Minterms, Nfa, Predicate, State};

pub(super) struct Product<'a> {
    left: &'a Nfa,
    /// How many states the right one has.
    width: usize,
    graph: GraphBuilder<Option<Predicate>>,
    numbers: Numbers,
    /// The pair of each state.
    pairs: Vec<(State, State)>,
    /// How many rows are begun: the last of them is written.
    rows: usize,
    /// How many edges there were before this row.
    row_start: usize,
    /// For each state one more than the number of the last edge that leads there, of those that
    /// may have others beside them.
    last: Vec<u32>,
    /// The edges of this row to which something is to be joined.
    chains: Vec<Chain>,
    /// For each edge of this row one more than the place of its chain, 0 or nothing for none.
    chain_of: Vec<u32>,
    /// What is to be joined, a letter or class, and one more than the place of the next.
    parts: Vec<(u32, u32)>,
    alone: Alone,
}

/// The labels of letters alone, as far as they are remembered: as many as are used, not as many as
/// the alphabet has.
#[derive(Default)]
struct Alone {
    /// At the last bits of a letter the letter and its label, [`Dfa::NONE`] for none.
    places: Vec<(u32, u32)>,
    /// How many letters were not found since there are so many places.
    missed: usize,
}

/// How many letters are remembered at first.
const FIRST_PLACES: usize = 64;

impl Alone {
    #[inline]
    fn get(&self, letter: u32) -> Option<u32> {
        let mask = self.places.len().wrapping_sub(1);
        let &(with, label) = self.places.get(letter as usize & mask)?;
        (with == letter).then_some(label)
    }

    /// Remembers the label of one of so many letters.
    fn put(&mut self, letter: u32, label: u32, letters: usize) {
        let most = letters.next_power_of_two();
        if self.missed >= self.places.len() && self.places.len() < most {
            let places = (4 * self.places.len()).clamp(FIRST_PLACES.min(most), most);
            let before = std::mem::replace(&mut self.places, vec![(Dfa::NONE, 0); places]);
            self.missed = 0;
            for (letter, label) in before {
                if letter != Dfa::NONE {
                    self.places[letter as usize & (places - 1)] = (letter, label);
                }
            }
        }
        self.missed += 1;
        let mask = self.places.len() - 1;
        self.places[letter as usize & mask] = (letter, label);
    }
}

/// What is to be joined to one edge, from the first part on.
struct Chain {
    edge: usize,
    first: u32,
    last: u32,
}

/// The number of each pair of states.
enum Numbers {
    /// A row for each state of the left one: one more than the number, 0 for none.
    Table(Vec<u32>),
    /// Where a table would be too large, or almost empty.
    Map(FxHashMap<u64, u32>),
}

/// Up to how many pairs of states there is a table of them all from the start, and at all.
const SMALL_TABLE: usize = 1 << 14;
const LARGE_TABLE: usize = 1 << 24;

/// A table with more entries than this for each pair that is reached is slower than a map, as
/// its memory has to be fetched.
const ENTRIES_A_PAIR: usize = 8;

impl<'a> Product<'a> {
    pub(super) fn new(left: &'a Nfa, right: &Nfa) -> Product<'a> {
        let size = left.len().saturating_mul(right.len());
        let numbers = match size <= SMALL_TABLE {
            true => Numbers::Table(vec![0; size]),
            false => Numbers::Map(FxHashMap::default()),
        };
        Product {
            left,
            width: right.len(),
            graph: GraphBuilder::new(),
            numbers,
            pairs: Vec::new(),
            rows: 0,
            row_start: 0,
            last: Vec::new(),
            chains: Vec::new(),
            chain_of: Vec::new(),
            parts: Vec::new(),
            alone: Alone::default(),
        }
    }

    pub(super) fn add_initial(&mut self, left: State, right: State) {
        let state = self.number(left, right);
        self.graph.initial(state);
    }

    /// The pair whose edges are to be written next; nothing when all are done.
    pub(super) fn next_row(&mut self) -> Option<(State, State)> {
        let &pair = self.pairs.get(self.rows)?;
        self.rows += 1;
        self.row_start = self.graph.edges_mut().len();
        Some(pair)
    }

    fn source(&self) -> State {
        State(self.rows as u32 - 1)
    }

    /// The pair of this row accepts.
    pub(super) fn accept(&mut self) {
        self.graph.accepting(self.source());
    }

    /// The number of a label.
    pub(super) fn label(&mut self, letters: Predicate) -> u32 {
        self.graph.owned_label(Some(letters))
    }

    /// Adds an edge that reads letters and is the only one to its target.
    #[inline]
    pub(super) fn add_edge(&mut self, label: u32, left: State, right: State) {
        let target = self.number(left, right);
        self.push(label, target);
    }

    /// Adds an edge that reads nothing.
    pub(super) fn add_silent(&mut self, left: State, right: State) {
        let label = self.graph.owned_label(None);
        self.add_edge(label, left, right);
    }

    /// Adds a letter; [`Product::join_letters`] must follow.
    #[inline]
    pub(super) fn add_letter(&mut self, letter: u32, left: State, right: State) {
        let target = self.number(left, right);
        if self.is_parallel(letter, target) {
            return;
        }
        let label = match self.alone.get(letter) {
            Some(label) => label,
            None => self.label_of_letter(letter),
        };
        self.push(label, target);
    }

    /// Adds a class of letters with its label; [`Product::join_classes`] must follow.
    #[inline]
    pub(super) fn add_class(&mut self, class: u32, label: u32, left: State, right: State) {
        let target = self.number(left, right);
        if !self.is_parallel(class, target) {
            self.push(label, target);
        }
    }

    /// Whether this row has an edge to the target already, to which the letter or class is then
    /// joined at the end of the row; if not, the next edge is to be the one.
    #[inline]
    fn is_parallel(&mut self, part: u32, target: State) -> bool {
        if self.last.len() < self.pairs.len() {
            self.last.resize(self.pairs.len().next_power_of_two(), 0);
        }
        let edges = self.graph.edges_mut().len();
        let last = &mut self.last[target.index()];
        if *last as usize > self.row_start {
            let edge = *last as usize - 1;
            self.add_part(edge, part);
            return true;
        }
        *last = edges as u32 + 1;
        false
    }

    fn add_part(&mut self, edge: usize, part: u32) {
        let place = edge - self.row_start;
        if self.chain_of.len() <= place {
            self.chain_of.resize(place + 1, 0);
        }
        let new = self.parts.len() as u32;
        match self.chain_of[place] {
            0 => {
                self.chains.push(Chain {
                    edge,
                    first: new,
                    last: new,
                });
                self.chain_of[place] = self.chains.len() as u32;
            }
            chain => {
                let chain = &mut self.chains[chain as usize - 1];
                self.parts[chain.last as usize].1 = new + 1;
                chain.last = new;
            }
        }
        self.parts.push((part, 0));
    }

    /// Joins the letters of this row that lead to one state.
    pub(super) fn join_letters(&mut self) {
        self.join(|label, letter| label.insert(Letter(letter)));
    }

    /// Joins the classes of this row that lead to one state.
    pub(super) fn join_classes(&mut self, minterms: &Minterms) {
        self.join(|label, class| match minterms.members(class).len() == 1 {
            true => label.insert(minterms.representative(class)),
            false => label.or_assign(minterms.members(class)),
        });
    }

    fn join(&mut self, add: impl Fn(&mut Predicate, u32)) {
        let mut chains = std::mem::take(&mut self.chains);
        for chain in chains.drain(..) {
            let label = self.graph.edges_mut()[chain.edge].label;
            let Some(mut letters) = self.graph.label_at(label).clone() else {
                continue;
            };
            let mut next = chain.first + 1;
            while next != 0 {
                let (part, after) = self.parts[next as usize - 1];
                add(&mut letters, part);
                next = after;
            }
            let label = self.label(letters);
            self.graph.edges_mut()[chain.edge].label = label;
        }
        self.chains = chains;
        self.chain_of.clear();
        self.parts.clear();
    }

    #[cold]
    fn label_of_letter(&mut self, letter: u32) -> u32 {
        let alphabet = self.left.alphabet();
        let label = self.label(Predicate::of(alphabet, [Letter(letter)]));
        self.alone.put(letter, label, alphabet.len());
        label
    }

    #[inline]
    fn push(&mut self, label: u32, target: State) {
        let source = self.source();
        self.graph.edges_mut().push(Edge {
            source,
            label,
            target,
        });
    }

    #[inline]
    fn number(&mut self, left: State, right: State) -> State {
        let known = match &mut self.numbers {
            Numbers::Table(numbers) => &mut numbers[left.index() * self.width + right.index()],
            Numbers::Map(map) => map.entry(key(left, right)).or_insert(0),
        };
        if *known != 0 {
            return State(*known - 1);
        }
        let state = self.graph.fresh_state();
        *known = state.0 + 1;
        self.pairs.push((left, right));
        if self.pairs.len().is_power_of_two() {
            self.reconsider_map();
        }
        state
    }

    /// Goes over to a table if so many pairs are reached that it pays.
    #[cold]
    fn reconsider_map(&mut self) {
        let size = self.left.len().saturating_mul(self.width);
        let pays = size <= LARGE_TABLE && size / ENTRIES_A_PAIR <= self.pairs.len();
        if pays && matches!(self.numbers, Numbers::Map(_)) {
            let mut numbers = vec![0; size];
            for (number, &(left, right)) in (1..).zip(&self.pairs) {
                numbers[left.index() * self.width + right.index()] = number;
            }
            self.numbers = Numbers::Table(numbers);
        }
    }

    /// The automaton, without the states from which nothing is accepted.
    pub(super) fn finish(self) -> Nfa {
        drop((self.numbers, self.pairs, self.last));
        self.left.with_graph(self.graph.build_useful())
    }
}

fn key(left: State, right: State) -> u64 {
    u64::from(left.0) << 32 | u64::from(right.0)
}
