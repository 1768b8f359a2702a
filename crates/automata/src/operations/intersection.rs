//! Words of both languages.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::{Nfa, NfaBuilder, Predicate, State};

impl Nfa {
    /// The words of both automata: their product, only the pairs of states that are reached
    /// together and lead to acceptance. Moves are paired predicate by predicate, not letter by
    /// letter.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn intersection(&self, other: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
        assert_eq!(self.alphabet(), other.alphabet());
        let mut product = Product {
            builder: Nfa::builder(self.alphabet()),
            numbers: FxHashMap::default(),
            pairs: Vec::new(),
        };
        for &left in self.initial() {
            for &right in other.initial() {
                let state = product.number(left, right);
                product.builder.add_initial(state);
            }
        }
        let mut meets = Meets::new(self, other);
        let mut done = 0;
        while let Some(&(left, right)) = product.pairs.get(done) {
            let source = State(done as u32);
            done += 1;
            if self.is_accepting(left) && other.is_accepting(right) {
                product.builder.add_accepting(source);
            }
            let (from_left, from_right) = (self.edges_from(left), other.edges_from(right));
            budget.charge(1 + (from_left.len() * from_right.len()) as u64)?;
            for edge in from_left {
                if self.label(edge).is_none() {
                    let target = product.number(edge.target, right);
                    product.builder.add_epsilon(source, target);
                    continue;
                }
                for with in from_right {
                    if let Some(label) = meets.label(edge.label, with.label, &mut product.builder) {
                        let target = product.number(edge.target, with.target);
                        product.builder.add_numbered_edge(source, label, target);
                    }
                }
            }
            for edge in from_right {
                if other.label(edge).is_none() {
                    let target = product.number(left, edge.target);
                    product.builder.add_epsilon(source, target);
                }
            }
        }
        Ok(product.builder.build().trim())
    }
}

struct Product {
    builder: NfaBuilder,
    numbers: FxHashMap<(State, State), State>,
    /// The pair of each state.
    pairs: Vec<(State, State)>,
}

impl Product {
    fn number(&mut self, left: State, right: State) -> State {
        *self.numbers.entry((left, right)).or_insert_with(|| {
            self.pairs.push((left, right));
            self.builder.fresh_state()
        })
    }
}

/// The intersections of the labels of two automata, computed when first needed.
struct Meets<'a> {
    left: &'a [Option<Predicate>],
    right: &'a [Option<Predicate>],
    known: FxHashMap<(u32, u32), Option<u32>>,
}

impl<'a> Meets<'a> {
    fn new(left: &'a Nfa, right: &'a Nfa) -> Meets<'a> {
        Meets {
            left: left.labels(),
            right: right.labels(),
            known: FxHashMap::default(),
        }
    }

    /// The number in the builder of what two labels share; nothing if that is no letter.
    fn label(&mut self, left: u32, right: u32, builder: &mut NfaBuilder) -> Option<u32> {
        *self.known.entry((left, right)).or_insert_with(|| {
            let (left, right) = (&self.left[left as usize], &self.right[right as usize]);
            let shared = left.as_ref()?.and(right.as_ref()?);
            (!shared.is_empty()).then(|| builder.label(&shared))
        })
    }
}
