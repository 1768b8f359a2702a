//! Words of both languages.

mod letters;
mod meets;
mod product;

use quotient_core::{Budget, Stop};

use self::letters::{LetterRows, Marked};
use self::meets::Meets;
use self::product::Product;
use super::successors::Successors;
use crate::{Dfa, Edge, Minterms, Nfa, Predicate, State};

impl Nfa {
    /// The words of both automata: their product, only the pairs of states that are reached
    /// together and lead to acceptance. Moves are paired predicate by predicate, or where a
    /// state has many moves with few letters each by going through the letters of both once.
    ///
    /// # Panics
    /// If the alphabets differ, which is a bug of the caller (see [`Nfa::over`]).
    pub fn intersection(&self, other: &Nfa, budget: &Budget) -> Result<Nfa, Stop> {
        product(self, other, None, budget)
    }
}

/// The product, where moves are found in one way only if that is given.
fn product(one: &Nfa, other: &Nfa, forced: Option<Way>, budget: &Budget) -> Result<Nfa, Stop> {
    assert_eq!(one.alphabet(), other.alphabet());
    let mut product = Product::new(one, other);
    for &left in one.initial() {
        for &right in other.initial() {
            product.add_initial(left, right);
        }
    }
    let mut meets = Meets::new(one, other);
    let mut join = Join::new(one, other);
    while let Some((left, right)) = product.next_row() {
        if one.is_accepting(left) && other.is_accepting(right) {
            product.accept();
        }
        let (from_left, from_right) = (one.edges_from(left), other.edges_from(right));
        budget.charge(1 + (from_left.len() + from_right.len()) as u64)?;
        let pairs = from_left.len() * from_right.len();
        match forced.unwrap_or_else(|| join.way(left, right, pairs, meets.pair_cost())) {
            Way::Pairs => {
                budget.charge(pairs as u64)?;
                // Two edges of one state that read letters never have the same target: no edge
                // of the product is parallel to another.
                for edge in from_left.iter().filter(|edge| one.label(edge).is_some()) {
                    for with in from_right {
                        if let Some(label) = meets.label(edge.label, with.label, &mut product) {
                            product.add_edge(label, edge.target, with.target);
                        }
                    }
                }
            }
            Way::Letters => budget.charge(join.by_letters(left, right, &mut product))?,
            Way::Classes => budget.charge(join.by_classes(left, right, &mut product))?,
        }
        for edge in from_left.iter().filter(|edge| one.label(edge).is_none()) {
            product.add_silent(edge.target, right);
        }
        let stands_still = |edge: &Edge| edge.target == left && one.label(edge).is_none();
        for edge in from_right.iter().filter(|edge| other.label(edge).is_none()) {
            // That either stands still is one and the same move.
            if edge.target != right || !from_left.iter().any(stands_still) {
                product.add_silent(left, edge.target);
            }
        }
    }
    Ok(product.finish())
}

/// How the moves of a pair of states are found.
#[derive(Clone, Copy)]
enum Way {
    /// Every edge of one with every edge of the other.
    Pairs,
    /// Letter by letter.
    Letters,
    /// By classes of letters that no edge of either automaton tells apart.
    Classes,
}

/// Up to how many pairs of edges are simply tried.
const FEW_PAIRS: usize = 16;

/// How many letters are gone through in the time in which one edge is put into its classes.
const LETTERS_AN_EDGE: usize = 12;

/// How many are gone through in the time in which one that both have becomes part of an edge.
const LETTERS_A_MATCH: usize = 8;

/// Up to how many letters an edge has on average, classes of them are not much fewer.
const FEW_LETTERS: usize = 4;

/// For how many letters on edges, each counted, classes are looked up one by one.
const MOST_MOVES: usize = 1 << 24;

/// The edges of both automata in an order in which those with a letter in common are found by
/// going through both lists once: for states with many edges that have few letters each. By
/// letters a state is made ready when it is first met; by classes the whole automata are, when
/// so much was done that it pays.
struct Join<'a> {
    sides: [&'a Nfa; 2],
    letters: [LetterRows<'a>; 2],
    /// The moves of the left state that was last looked at.
    marked: Marked,
    classes: Option<Classes>,
    /// How many letters may still be gone through before classes are worth their making: they
    /// are made for the whole automata, of which the product may need little.
    patience: usize,
    /// Whether classes are of no use: so many letters are on edges that predicates are better, or
    /// almost every letter is a class.
    is_hopeless: bool,
}

struct Classes {
    minterms: Minterms,
    sides: [Successors; 2],
    /// The label of each class, [`Dfa::NONE`] if it has none yet.
    labels: Vec<u32>,
}

impl<'a> Join<'a> {
    fn new(left: &'a Nfa, right: &'a Nfa) -> Join<'a> {
        let size = |nfa: &Nfa| nfa.edges().len() + nfa.labels().len();
        let letters = left.alphabet().len();
        Join {
            sides: [left, right],
            letters: [left, right].map(LetterRows::new),
            marked: Marked::default(),
            classes: None,
            patience: LETTERS_AN_EDGE * (size(left) + size(right) + letters),
            is_hopeless: false,
        }
    }

    /// The way that takes least for a pair of states with so many pairs of edges, where trying
    /// one costs as much as going through so many letters.
    fn way(&mut self, left: State, right: State, pairs: usize, pair_cost: usize) -> Way {
        if pairs <= FEW_PAIRS {
            return Way::Pairs;
        }
        let by_pairs = pairs.saturating_mul(pair_cost);
        if let Some(classes) = &self.classes {
            let [of_left, of_right] = &classes.sides;
            let counts = (of_left.class_count(left), of_right.class_count(right));
            return match cost(counts, classes.minterms.len()) < by_pairs {
                true => Way::Classes,
                false => Way::Pairs,
            };
        }
        let counts = (self.letters[0].count(left), self.letters[1].count(right));
        let by_letters = cost(counts, self.sides[0].alphabet().len());
        let is_cheaper = by_letters < by_pairs;
        let edges = self.sides[0].edges_from(left).len() + self.sides[1].edges_from(right).len();
        let has_few = is_cheaper && counts.0 + counts.1 <= FEW_LETTERS * edges;
        if !has_few && !self.is_hopeless {
            let work = by_letters.min(by_pairs);
            if work > self.patience {
                self.prepare_classes();
                return self.way(left, right, pairs, pair_cost);
            }
            self.patience -= work;
        }
        match is_cheaper && LetterRows::have_room(&self.letters) {
            true => Way::Letters,
            false => Way::Pairs,
        }
    }

    fn prepare_classes(&mut self) {
        let letters = |nfa: &Nfa| -> usize {
            let count = |label: &Option<Predicate>| label.as_ref().map_or(1, Predicate::len);
            let counts: Vec<usize> = nfa.labels().iter().map(count).collect();
            let edges = nfa.edges().iter();
            edges.map(|edge| counts[edge.label as usize]).sum()
        };
        let [left, right] = self.sides;
        if letters(left).saturating_add(letters(right)) > MOST_MOVES {
            self.is_hopeless = true;
            return;
        }
        let labels = left.labels().iter().chain(right.labels());
        let minterms = Minterms::new(left.alphabet(), labels.flatten());
        if 2 * minterms.len() > left.alphabet().len() {
            // Letters by themselves are as good.
            self.is_hopeless = true;
            return;
        }
        self.letters = [left, right].map(LetterRows::new);
        self.classes = Some(Classes {
            sides: [left, right].map(|side| Successors::new(side, &minterms)),
            labels: vec![Dfa::NONE; minterms.len()],
            minterms,
        });
    }

    /// Adds the edges of a pair of states that read letters; how much there was to do.
    fn by_letters(&mut self, left: State, right: State, product: &mut Product<'_>) -> u64 {
        let [of_left, of_right] = &mut self.letters;
        let from_left = of_left.row(left);
        let letters = self.sides[0].alphabet().len();
        self.marked.mark(left, from_left, letters);
        let from_right = of_right.row(right);
        let mut done = from_left.len() + from_right.len();
        for &(letter, with) in from_right {
            for target in self.marked.targets(letter) {
                product.add_letter(letter, State(target), State(with));
                done += 1;
            }
        }
        product.join_letters();
        done as u64
    }

    /// The same by classes.
    fn by_classes(&mut self, left: State, right: State, product: &mut Product<'_>) -> u64 {
        if self.classes.is_none() {
            self.prepare_classes();
        }
        let Some(classes) = &mut self.classes else {
            return self.by_letters(left, right, product);
        };
        let silent = classes.minterms.len() as u32;
        let [of_left, of_right] = &classes.sides;
        let mut others = of_right.from(right.0).peekable();
        let mut done = 0;
        for (class, targets) in of_left.from(left.0) {
            while others.next_if(|&(other, _)| other < class).is_some() {}
            let Some((_, with)) = others.next_if(|&(other, _)| other == class) else {
                continue;
            };
            if class == silent {
                continue;
            }
            let label = &mut classes.labels[class as usize];
            if *label == Dfa::NONE {
                *label = product.label(classes.minterms.members(class).clone());
            }
            for &target in targets {
                for &with in with {
                    product.add_class(class, *label, State(target), State(with));
                }
            }
            done += targets.len() * with.len();
        }
        product.join_classes(&classes.minterms);
        done as u64
    }
}

/// What going through so many letters, or classes, on both sides costs, if they are as many of
/// all there are as it seems.
fn cost((left, right): (usize, usize), all: usize) -> usize {
    let matches = left.saturating_mul(right) / all.max(1);
    matches
        .saturating_mul(LETTERS_A_MATCH)
        .saturating_add(left + right)
}

#[cfg(test)]
mod tests {
    use quotient_core::Budget;

    use super::*;
    use crate::testing::{self, Random};
    use crate::{Alphabet, Letter};

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

    /// A random automaton in which edges have few letters or many, one by one or in classes of
    /// seven parts of the alphabet, and some read nothing.
    fn random(random: &mut Random, alphabet: &Alphabet, states: u32) -> Nfa {
        let mut builder = Nfa::builder(alphabet).states(states).initial(0);
        let letters = alphabet.len() as u32;
        let class = [1, letters.div_ceil(7)][states as usize % 2];
        for _ in 0..random.below(8 * states) {
            let (source, target) = (random.below(states), random.below(states));
            let most = [1, 2, letters][random.below(3) as usize];
            let some = (0..most).flat_map(|_| {
                let first = random.below(letters) / class * class;
                (first..letters.min(first + class)).map(Letter)
            });
            let some = Predicate::of(alphabet, some);
            builder.add_edge(State(source), &some, State(target));
        }
        for _ in 0..random.below(4) {
            builder.add_epsilon(State(random.below(states)), State(random.below(states)));
        }
        builder.add_initial(State(random.below(states)));
        builder.add_accepting(State(random.below(states)));
        builder.build()
    }

    #[test]
    fn every_way_has_the_words_that_no_complement_has() {
        let budget = Budget::unlimited();
        let ways = [Way::Pairs, Way::Letters, Way::Classes].map(Some);
        let mut some = 0;
        for letters in [1, 2, 5, 70, 140, 1100] {
            let alphabet = testing::alphabet(letters);
            for seed in 0..40 {
                let mut numbers = Random::new(seed);
                let left = random(&mut numbers, &alphabet, 1 + seed as u32 % 6);
                let right = random(&mut numbers, &alphabet, 3 + seed as u32 % 2);
                let [not_left, not_right] =
                    [&left, &right].map(|nfa| nfa.complement(&budget).unwrap().to_nfa());
                let neither = not_left.union(&not_right).complement(&budget).unwrap();
                let neither = neither.minimize(&budget).unwrap();
                some += usize::from(!neither.is_empty_language());
                for way in ways.into_iter().chain([None]) {
                    let both = product(&left, &right, way, &budget).unwrap();
                    assert_eq!(
                        both.canonical(&budget).unwrap(),
                        neither,
                        "{letters}, {seed}"
                    );
                    assert_eq!(both.trim().len(), both.len());
                    // In order, and no two that read letters between the same states.
                    assert!(both.edges().is_sorted());
                    let mut ends: Vec<_> = (both.edges().iter())
                        .map(|edge| (edge.source, edge.target, both.label(edge).is_some()))
                        .collect();
                    ends.sort_unstable();
                    assert!(
                        ends.windows(2).all(|two| two[0] != two[1]),
                        "{letters}, {seed}"
                    );
                }
            }
        }
        assert!(some > 60, "{some}");
    }

    #[test]
    fn more_pairs_than_a_table_has_are_numbered_too() {
        let alphabet = testing::alphabet(1);
        let all = Predicate::all(&alphabet);
        let chain = |states: u32| {
            let mut builder = Nfa::builder(&alphabet).initial(0).accepting(states);
            for state in 0..states {
                builder.add_edge(State(state), &all, State(state + 1));
            }
            builder.build()
        };
        let (one, other) = (chain(2100), chain(2100));
        let both = one.intersection(&other, &Budget::unlimited()).unwrap();
        assert_eq!((both.len(), both.edges().len()), (2101, 2100));
        let none = one
            .intersection(&chain(2000), &Budget::unlimited())
            .unwrap();
        assert!(none.is_empty());
    }
}
