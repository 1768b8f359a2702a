//! A Petri net with inhibitor arcs: readers and writers.

use quotient_automata::Problem;
use quotient_automata::{Alphabet, Label, Nfa, Predicate, State, Transducer};
use quotient_core::Budget;

use super::problem;

/// A transition: the places that must be empty, those that lose a token, those that get one.
type Firing = (&'static str, &'static str, &'static str, &'static str);

/// Readers and writers as an unbounded net (places: a idle, b waiting, c active readers, i
/// their number; d idle, e waiting, f active writers, g and h the numbers of waiting and
/// active ones). With `faulty`, a reader does not look for active writers.
///
/// A marking is a sequence of rows; a row names some places in alphabetical order and ends in
/// `x`. A place has as many tokens as rows name it, and those are the last ones. One empty row
/// is kept on the left. A token is added to the last row without the place, and taken from the
/// first row with it.
pub fn readers_and_writers(faulty: bool) -> Problem {
    let places = "abcdefghi";
    let names = places.chars().chain(['x']).map(String::from);
    let alphabet = Alphabet::new(names).unwrap_or_else(|error| unreachable!("{error}"));
    let net = Net {
        alphabet: &alphabet,
    };
    let read_test = if faulty { "g" } else { "gh" };
    let firings: [Firing; 10] = [
        ("a reader comes", "", "", "a"),
        ("a reader goes", "", "a", ""),
        ("a reader asks", "", "a", "b"),
        ("a reader begins", read_test, "b", "ci"),
        ("a reader ends", "", "ci", "a"),
        ("a writer comes", "", "", "d"),
        ("a writer goes", "", "d", ""),
        ("a writer asks", "", "d", "eg"),
        ("a writer begins", "hi", "eg", "fh"),
        ("a writer ends", "", "fh", "d"),
    ];
    let parts = firings
        .iter()
        .map(|firing| (firing.0, net.firing(firing)))
        .collect();
    let empty = Nfa::builder(&alphabet).initial(0).accepting(0).build();
    problem(empty, "a writer is alone", net.bad(), parts)
}

struct Net<'a> {
    alphabet: &'a Alphabet,
}

impl Net<'_> {
    fn one(&self, name: char) -> Predicate {
        let mut buffer = [0; 4];
        Predicate::of(
            self.alphabet,
            self.alphabet.letter(name.encode_utf8(&mut buffer)),
        )
    }

    /// The places before or after one in the alphabet.
    fn places(&self, test: impl Fn(char) -> bool) -> Predicate {
        let letters = self.alphabet.letters();
        let passes = |&letter: &_| {
            let name = self.alphabet.name(letter).chars().next();
            name.is_some_and(|name| name != 'x' && test(name))
        };
        Predicate::of(self.alphabet, letters.filter(passes))
    }

    /// Normalises, tests, takes and adds tokens, one after the other.
    fn firing(&self, &(_, zero, take, add): &Firing) -> Transducer {
        let budget = Budget::unlimited();
        let mut steps = vec![self.normalize()];
        steps.extend(zero.chars().map(|place| self.without(place)));
        steps.extend(take.chars().map(|place| self.take(place)));
        steps.extend(
            add.chars()
                .flat_map(|place| [self.add(place), self.normalize()]),
        );
        steps.push(self.normalize());
        let mut steps = steps.into_iter();
        let first = steps.next().unwrap_or_else(|| self.normalize());
        steps.fold(first, |before, next| {
            let both = before.compose(&next, &budget);
            // Without a limit on the budget nothing stops the composition.
            both.map_or_else(|stop| unreachable!("{stop}"), |both| both.reduce())
        })
    }

    /// Makes sure that there is exactly one empty row on the left.
    fn normalize(&self) -> Transducer {
        let copy = |letters: Predicate| Label::Copy(letters);
        let (x, places) = (self.one('x'), self.places(|_| true));
        let delete = Label::Pair(Some(x.clone()), None);
        let insert = Label::Pair(None, Some(x.clone()));
        Transducer::builder(self.alphabet)
            .initial(0)
            .edge(0, &delete, 0)
            .edge(0, &insert, 1)
            .edge(1, &copy(places.clone()), 2)
            .edge(2, &copy(places.or(&x)), 2)
            .accepting(1)
            .accepting(2)
            .build()
    }

    /// Copies markings in which a place has no token.
    fn without(&self, place: char) -> Transducer {
        let copy = Label::Copy(self.one(place).not());
        Transducer::builder(self.alphabet)
            .initial(0)
            .edge(0, &copy, 0)
            .accepting(0)
            .build()
    }

    /// Adds a token: names the place in the last row that does not name it. Rows with it
    /// follow to the end.
    fn add(&self, place: char) -> Transducer {
        let copy = |letters: Predicate| Label::Copy(letters);
        let (p, x) = (self.one(place), self.one('x'));
        let (before, after) = (self.places(|c| c < place), self.places(|c| c > place));
        let insert = Label::Pair(None, Some(p.clone()));
        Transducer::builder(self.alphabet)
            .initial(0)
            // Rows without the place, before the one that gets it.
            .edge(0, &copy(p.or(&x).not()), 0)
            .edge(0, &copy(x.clone()), 1)
            .edge(1, &copy(p.or(&x).not()), 0)
            .edge(1, &copy(x.clone()), 1)
            // The row that gets it, from its beginning.
            .initial(2)
            .edge(0, &copy(x.clone()), 2)
            .edge(1, &copy(x.clone()), 2)
            .edge(2, &copy(before.clone()), 2)
            .edge(2, &insert, 3)
            .edge(3, &copy(after.clone()), 3)
            .edge(3, &copy(x.clone()), 4)
            // Rows with the place.
            .edge(4, &copy(before.clone()), 5)
            .edge(5, &copy(before), 5)
            .edge(4, &copy(p.clone()), 6)
            .edge(5, &copy(p), 6)
            .edge(6, &copy(after), 6)
            .edge(6, &copy(x), 4)
            .accepting(4)
            .build()
    }

    /// Takes a token: the first row that names the place no longer does.
    fn take(&self, place: char) -> Transducer {
        let p = self.one(place);
        let delete = Label::Pair(Some(p.clone()), None);
        let all = Predicate::all(self.alphabet);
        Transducer::builder(self.alphabet)
            .initial(0)
            .edge(0, &Label::Copy(p.not()), 0)
            .edge(0, &delete, 1)
            .edge(1, &Label::Copy(all), 1)
            .accepting(1)
            .build()
    }

    /// A reader and a writer are active, or two writers, in a marking: a row names c and some
    /// row f, or two rows name f.
    fn bad(&self) -> Nfa {
        let all = Predicate::all(self.alphabet);
        let (c, f) = (self.one('c'), self.one('f'));
        let mut builder = Nfa::builder(self.alphabet).initial(0).accepting(3);
        for state in 0..4 {
            builder.add_edge(State(state), &all, State(state));
        }
        let active = builder
            .edge(0, &c, 1)
            .edge(1, &f, 3)
            .edge(0, &f, 2)
            .edge(2, &c.or(&f), 3)
            .build();
        // Without a limit on the budget nothing stops the operations.
        let budget = Budget::unlimited();
        let bad = self.rows().intersection(&active, &budget);
        let bad = bad.and_then(|bad| bad.canonical(&budget));
        bad.map_or_else(|stop| unreachable!("{stop}"), |bad| bad.to_nfa())
    }

    /// Sequences of rows: the places of each in alphabetical order.
    fn rows(&self) -> Nfa {
        let mut builder = Nfa::builder(self.alphabet).initial(0).accepting(0);
        builder.add_edge(State(0), &self.one('x'), State(0));
        for (number, place) in (1u32..).zip('a'..='i') {
            for before in 0..number {
                builder.add_edge(State(before), &self.one(place), State(number));
            }
            builder.add_edge(State(number), &self.one('x'), State(0));
        }
        builder.build()
    }
}
