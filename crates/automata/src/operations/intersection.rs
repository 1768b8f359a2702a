//! Words of both languages.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::successors::Successors;
use crate::{Dfa, Minterms, Nfa, NfaBuilder, Predicate, State};

impl Nfa {
    /// The words of both automata: their product, only the pairs of states that are reached
    /// together and lead to acceptance. Moves are paired predicate by predicate, or where a
    /// state has many moves with few letters each by going through the letters of both once.
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
        let mut join = Join::new(self, other);
        let mut done = 0;
        while let Some(&(left, right)) = product.pairs.get(done) {
            let source = State(done as u32);
            done += 1;
            if self.is_accepting(left) && other.is_accepting(right) {
                product.builder.add_accepting(source);
            }
            let (from_left, from_right) = (self.edges_from(left), other.edges_from(right));
            budget.charge(1 + (from_left.len() + from_right.len()) as u64)?;
            let pairs = from_left.len() * from_right.len();
            if pairs > FEW_PAIRS && join.is_cheaper(left, right, pairs) {
                join.edges(source, left, right, &mut product);
            } else {
                budget.charge(pairs as u64)?;
                for edge in from_left.iter().filter(|edge| self.label(edge).is_some()) {
                    for with in from_right {
                        let label = meets.label(edge.label, with.label, &mut product.builder);
                        if let Some(label) = label {
                            let target = product.number(edge.target, with.target);
                            product.builder.add_numbered_edge(source, label, target);
                        }
                    }
                }
            }
            for edge in from_left.iter().filter(|edge| self.label(edge).is_none()) {
                let target = product.number(edge.target, right);
                product.builder.add_epsilon(source, target);
            }
            for edge in from_right.iter().filter(|edge| other.label(edge).is_none()) {
                let target = product.number(left, edge.target);
                product.builder.add_epsilon(source, target);
            }
        }
        Ok(product.builder.build().trim())
    }
}

/// Up to how many pairs of edges are simply tried.
const FEW_PAIRS: usize = 16;

/// How many pairs of edges are tried in the time in which one edge is put into its classes, where
/// there is a table of what two labels share, and where each pair is looked up in a map that grows.
const PAIRS_AN_EDGE: usize = 12;
const PAIRS_LOOKED_UP: usize = 1;

/// For how many letters on edges, each counted, classes are looked up one by one.
const MOST_MOVES: usize = 1 << 24;

/// The edges of both automata by classes of letters, made ready when first needed: where states
/// have many edges with few letters each, those with a letter in common are found by going
/// through both lists once.
struct Join<'a> {
    left: &'a Nfa,
    right: &'a Nfa,
    ready: Option<Ready>,
    /// How many pairs of edges may still be tried before classes are worth their making: they
    /// are made for the whole automata, of which the product may need little.
    patience: usize,
    /// Whether so many letters are on edges that predicates are better.
    is_hopeless: bool,
}

struct Ready {
    minterms: Minterms,
    left: Successors,
    right: Successors,
    /// The label of each class, [`Dfa::NONE`] if it has none yet.
    labels: Vec<u32>,
}

impl<'a> Join<'a> {
    fn new(left: &'a Nfa, right: &'a Nfa) -> Join<'a> {
        let size = |nfa: &Nfa| nfa.edges().len() + nfa.labels().len();
        let tried = match has_table(left, right) {
            true => PAIRS_AN_EDGE,
            false => PAIRS_LOOKED_UP,
        };
        Join {
            left,
            right,
            ready: None,
            patience: tried * (size(left) + size(right)),
            is_hopeless: false,
        }
    }

    fn prepare(&mut self) {
        let letters = |nfa: &Nfa| -> usize {
            let count = |label: &Option<Predicate>| label.as_ref().map_or(1, Predicate::len);
            let counts: Vec<usize> = nfa.labels().iter().map(count).collect();
            let edges = nfa.edges().iter();
            edges.map(|edge| counts[edge.label as usize]).sum()
        };
        if letters(self.left).saturating_add(letters(self.right)) > MOST_MOVES {
            self.is_hopeless = true;
            return;
        }
        let labels = self.left.labels().iter().chain(self.right.labels());
        let minterms = Minterms::new(self.left.alphabet(), labels.flatten());
        self.ready = Some(Ready {
            left: Successors::new(self.left, &minterms),
            right: Successors::new(self.right, &minterms),
            labels: vec![Dfa::NONE; minterms.len()],
            minterms,
        });
    }

    /// Whether going through both lists takes less than trying all pairs of edges.
    fn is_cheaper(&mut self, left: State, right: State, pairs: usize) -> bool {
        if self.ready.is_none() && !self.is_hopeless {
            if pairs <= self.patience {
                self.patience -= pairs;
                return false;
            }
            self.prepare();
        }
        self.ready.as_ref().is_some_and(|ready| {
            let classes = ready.left.class_count(left) + ready.right.class_count(right);
            2 * classes < pairs
        })
    }

    /// Adds the edges of a pair of states that read letters.
    fn edges(&mut self, source: State, left: State, right: State, product: &mut Product) {
        let Some(ready) = &mut self.ready else { return };
        let silent = ready.minterms.len() as u32;
        let mut others = ready.right.from(right.0).peekable();
        for (class, targets) in ready.left.from(left.0) {
            while others.next_if(|&(other, _)| other < class).is_some() {}
            let Some((_, with)) = others.next_if(|&(other, _)| other == class) else {
                continue;
            };
            if class == silent {
                continue;
            }
            let label = &mut ready.labels[class as usize];
            if *label == Dfa::NONE {
                *label = product.builder.label(ready.minterms.members(class));
            }
            for &target in targets {
                for &with in with {
                    let target = product.number(State(target), State(with));
                    product.builder.add_numbered_edge(source, *label, target);
                }
            }
        }
    }
}

struct Product {
    builder: NfaBuilder,
    numbers: FxHashMap<u64, State>,
    /// The pair of each state.
    pairs: Vec<(State, State)>,
}

impl Product {
    fn number(&mut self, left: State, right: State) -> State {
        let key = u64::from(left.0) << 32 | u64::from(right.0);
        *self.numbers.entry(key).or_insert_with(|| {
            self.pairs.push((left, right));
            self.builder.fresh_state()
        })
    }
}

/// The intersections of the labels of two automata, computed when first needed.
struct Meets<'a> {
    left: &'a [Option<Predicate>],
    right: &'a [Option<Predicate>],
    known: Known,
}

/// What is known of each two labels.
enum Known {
    /// A row for each label of the left one: [`Meets::UNKNOWN`], [`Meets::NOTHING`], or the
    /// number in the builder.
    Table(Vec<u32>),
    /// Where a table would be too large.
    Map(FxHashMap<(u32, u32), u32>),
}

/// Up to how many pairs of labels there is a table of them all.
const SMALL_TABLE: usize = 1 << 14;

fn has_table(left: &Nfa, right: &Nfa) -> bool {
    let (left, right) = (left.labels().len(), right.labels().len());
    left.saturating_mul(right) <= SMALL_TABLE
}

impl<'a> Meets<'a> {
    const UNKNOWN: u32 = 0;
    const NOTHING: u32 = u32::MAX;

    fn new(left: &'a Nfa, right: &'a Nfa) -> Meets<'a> {
        let known = match has_table(left, right) {
            true => {
                let size = left.labels().len() * right.labels().len();
                Known::Table(vec![Meets::UNKNOWN; size])
            }
            false => Known::Map(FxHashMap::default()),
        };
        let (left, right) = (left.labels(), right.labels());
        Meets { left, right, known }
    }

    /// The number in the builder of what two labels share; nothing if that is no letter.
    #[inline]
    fn label(&mut self, left: u32, right: u32, builder: &mut NfaBuilder) -> Option<u32> {
        let known = match &mut self.known {
            Known::Table(table) => &mut table[left as usize * self.right.len() + right as usize],
            Known::Map(map) => map.entry((left, right)).or_insert(Meets::UNKNOWN),
        };
        if *known == Meets::UNKNOWN {
            let labels = (&self.left[left as usize], &self.right[right as usize]);
            *known = match labels {
                // Labels are counted from one here.
                (Some(left), Some(right)) if left.intersects(right) => {
                    builder.label(&left.and(right)) + 1
                }
                _ => Meets::NOTHING,
            };
        }
        (*known != Meets::NOTHING).then(|| *known - 1)
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Budget;

    use crate::{Alphabet, Letter, Nfa, Predicate, State};

    /// From the beginning each letter leads to a state of its own and, if `apart` is 2, one more
    /// letter with it; from there only so many letters lead on.
    fn star(alphabet: &Alphabet, apart: usize, on: usize) -> Nfa {
        let all = alphabet.len();
        let mut builder = Nfa::builder(alphabet).initial(0).accepting(1);
        for letter in 0..all {
            let letters = [letter, (letter * apart) % all];
            let letters = letters.map(|letter| Letter(letter as u32));
            let target = State(2 + letter as u32);
            builder.add_edge(State(0), &Predicate::of(alphabet, letters), target);
            let letters = (0..on).map(|step| Letter(((letter + step) % all) as u32));
            builder.add_edge(target, &Predicate::of(alphabet, letters), State(1));
        }
        builder.build()
    }

    #[test]
    fn states_with_many_edges_have_the_words_of_both() {
        let budget = Budget::unlimited();
        for letters in [3, 17, 90] {
            let names: Vec<String> = (0..letters).map(|one| format!("a{one}")).collect();
            let alphabet = Alphabet::new(names.iter().map(String::as_str)).unwrap();
            let (left, right) = (star(&alphabet, 1, 2), star(&alphabet, 2, 3));
            let both = left.intersection(&right, &budget).unwrap();
            let mut found = 0;
            for first in 0..letters {
                for second in 0..letters {
                    let word = [Letter(first as u32), Letter(second as u32)];
                    let expected = left.accepts(&word) && right.accepts(&word);
                    assert_eq!(both.accepts(&word), expected, "{word:?}");
                    found += usize::from(expected);
                }
            }
            assert!(found > 0);
        }
    }
}
