//! Steps of arrays of processes, written as rules.
//!
//! Configurations have one letter for each process. A rule says which letter becomes which,
//! and what the other processes must be like meanwhile.

use quotient_automata::{Alphabet, Label, Letter, Nfa, Predicate, State, Transducer};

/// Makes rules over an alphabet.
///
/// ```
/// use quotient_automata::Alphabet;
/// use quotient_regular::Rules;
/// let alphabet = Alphabet::new(["idle", "critical"])?;
/// let rules = Rules::new(&alphabet);
/// let (idle, critical) = (alphabet.set(["idle"])?, alphabet.set(["critical"])?);
/// // A process may enter when all others are idle.
/// let enter = rules.if_all(&rules.change(&idle, &critical), &idle, &idle);
/// assert!(enter.relates(&alphabet.word("idle idle")?, &alphabet.word("idle critical")?));
/// assert!(!enter.relates(&alphabet.word("critical idle")?, &alphabet.word("critical critical")?));
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rules {
    alphabet: Alphabet,
}

/// What one process may do: moves from a letter to a letter.
pub type Change = Vec<Label>;

impl Rules {
    /// Rules over an alphabet.
    pub fn new(alphabet: &Alphabet) -> Rules {
        Rules {
            alphabet: alphabet.clone(),
        }
    }

    /// Any letter of the first set becomes any letter of the second.
    pub fn change(&self, from: &Predicate, to: &Predicate) -> Change {
        vec![Label::Pair(Some(from.clone()), Some(to.clone()))]
    }

    /// Each letter becomes the one beside it.
    pub fn map(&self, pairs: impl IntoIterator<Item = (Letter, Letter)>) -> Change {
        let one = |letter| Some(Predicate::of(&self.alphabet, [letter]));
        let label = |(from, to)| Label::Pair(one(from), one(to));
        pairs.into_iter().map(label).collect()
    }

    /// One process makes the change, whatever the others are like.
    pub fn local(&self, change: &Change) -> Transducer {
        let all = Predicate::all(&self.alphabet);
        self.if_all(change, &all, &all)
    }

    /// One process makes the change if all to its left and right are as said.
    pub fn if_all(&self, change: &Change, left: &Predicate, right: &Predicate) -> Transducer {
        self.chain(&[Part::Copies(left), Part::One(change), Part::Copies(right)])
    }

    /// One process makes the change if some other process is as said.
    pub fn if_some(&self, change: &Change, other: &Predicate) -> Transducer {
        self.two(change, &vec![Label::Copy(other.clone())])
    }

    /// One process makes the change if some process to its left is as said.
    pub fn if_some_left(&self, change: &Change, other: &Predicate) -> Transducer {
        let all = Predicate::all(&self.alphabet);
        let copy = vec![Label::Copy(other.clone())];
        let (rest, other, change) = (Part::Copies(&all), Part::One(&copy), Part::One(change));
        self.chain(&[rest, other, rest, change, rest])
    }

    /// Two different processes each make a change, in either order from left to right.
    pub fn two(&self, one: &Change, other: &Change) -> Transducer {
        self.two_around(one, other, &Predicate::all(&self.alphabet))
    }

    /// The same, where those between the two are as said.
    pub fn two_around(&self, one: &Change, other: &Change, between: &Predicate) -> Transducer {
        let copy = Label::Copy(Predicate::all(&self.alphabet));
        let between = Label::Copy(between.clone());
        let mut builder = Transducer::builder(&self.alphabet)
            .initial(0)
            .edge(0, &copy, 0)
            .edge(1, &between, 1)
            .edge(2, &between, 2)
            .edge(3, &copy, 3)
            .accepting(3);
        for (first, second, middle) in [(one, other, State(1)), (other, one, State(2))] {
            for label in first {
                builder.add_edge(State(0), label, middle);
            }
            for label in second {
                builder.add_edge(middle, label, State(3));
            }
        }
        builder.build()
    }

    /// A letter of the first set goes away, and one of the second appears at the right end.
    pub fn to_the_end(&self, from: &Predicate, to: &Predicate) -> Transducer {
        let all = Predicate::all(&self.alphabet);
        let (delete, insert) = (
            vec![Label::Pair(Some(from.clone()), None)],
            vec![Label::Pair(None, Some(to.clone()))],
        );
        let rest = Part::Copies(&all);
        self.chain(&[rest, Part::One(&delete), rest, Part::One(&insert)])
    }

    /// Parts one after the other.
    pub fn chain(&self, parts: &[Part<'_>]) -> Transducer {
        let mut builder = Transducer::builder(&self.alphabet).initial(0);
        let mut at = State(0);
        // A repeated copy directly after another needs a state of its own.
        let mut loops = false;
        for part in parts {
            match *part {
                Part::Copies(letters) => {
                    if loops {
                        let next = builder.fresh_state();
                        builder.add_edge(at, &Label::SILENT, next);
                        at = next;
                    }
                    builder.add_edge(at, &Label::Copy(letters.clone()), at);
                    loops = true;
                }
                Part::One(change) => {
                    let next = builder.fresh_state();
                    for label in change {
                        builder.add_edge(at, label, next);
                    }
                    (at, loops) = (next, false);
                }
            }
        }
        builder.add_accepting(at);
        builder.build()
    }

    /// The words over these letters.
    pub fn words_over(&self, letters: &Predicate) -> Nfa {
        Nfa::builder(&self.alphabet)
            .initial(0)
            .edge(0, letters, 0)
            .accepting(0)
            .build()
    }

    /// The words with at least so many of these letters.
    pub fn at_least(&self, count: u32, letters: &Predicate) -> Nfa {
        let all = Predicate::all(&self.alphabet);
        let mut builder = Nfa::builder(&self.alphabet).initial(0).accepting(count);
        for state in 0..=count {
            builder.add_edge(State(state), &all, State(state));
            if state < count {
                builder.add_edge(State(state), letters, State(state + 1));
            }
        }
        builder.build()
    }
}

/// A part of a rule from left to right.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// Any number of these letters, each copied.
    Copies(&'a Predicate),
    /// One of these moves.
    One(&'a [Label]),
}
