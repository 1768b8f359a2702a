//! Relations over letters that carry more than before.

use crate::{Alphabet, Label, Letter, Nfa, Predicate, Transducer};

/// The same automaton over an alphabet that begins with the letters of its own.
pub(super) fn nfa_over(nfa: &Nfa, alphabet: &Alphabet) -> Nfa {
    nfa.relabelled(alphabet, |letters| wider(letters, alphabet))
}

/// The same transducer over an alphabet that begins with the letters of its own.
pub(super) fn transducer_over(transducer: &Transducer, alphabet: &Alphabet) -> Transducer {
    let side = |letters: &Option<Predicate>| letters.as_ref().map(|l| wider(l, alphabet));
    transducer.relabelled(alphabet, |label| {
        vec![match label {
            Label::Pair(input, output) => Label::Pair(side(input), side(output)),
            Label::Copy(letters) => Label::Copy(wider(letters, alphabet)),
        }]
    })
}

/// The same letters in an alphabet that has more.
fn wider(letters: &Predicate, alphabet: &Alphabet) -> Predicate {
    Predicate::of(alphabet, letters.letters())
}

/// One letter as a side of a label.
pub(super) fn one(alphabet: &Alphabet, letter: Letter) -> Option<Predicate> {
    Some(Predicate::of(alphabet, [letter]))
}

/// Letters of two tracks: the letter at the first track, then the one at the second. Numbered
/// after the letters that come before.
pub(super) struct Tracks {
    pub(super) before: u32,
    pub(super) second: u32,
}

impl Tracks {
    pub(super) fn letter(&self, first: Letter, second: u32) -> Letter {
        Letter(self.before + first.0 * self.second + second)
    }

    /// The letters with one of these on the first track and this on the second.
    fn with(&self, alphabet: &Alphabet, first: &Predicate, second: u32) -> Predicate {
        let letters = first.letters().map(|letter| self.letter(letter, second));
        Predicate::of(alphabet, letters)
    }

    /// The relation on the first track, while the second stays as it is.
    pub(super) fn on_first(&self, part: &Transducer, alphabet: &Alphabet) -> Transducer {
        let mut builder = Transducer::builder(alphabet).states(part.len() as u32);
        part.initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        part.accepting()
            .ones()
            .for_each(|state| builder.add_accepting((state as u32).into()));
        for edge in part.edges() {
            for second in 0..self.second {
                let side = |letters: &Predicate| self.with(alphabet, letters, second);
                let label = match part.label(edge) {
                    Label::Copy(letters) => Label::Copy(side(letters)),
                    Label::Pair(input, output) => {
                        Label::Pair(input.as_ref().map(side), output.as_ref().map(side))
                    }
                };
                builder.add_edge(edge.source, &label, edge.target);
            }
        }
        builder.build().reduce()
    }
}
