//! What comes of an operation.

use quotient_language::Json;
use serde_json::json;

use crate::formats::Machine;
use crate::{Alphabet, Letter, Nfa, Transducer, Word};

/// What comes of an operation.
#[derive(Debug)]
pub enum Outcome {
    /// An automaton or a transducer.
    Machine(Machine),
    /// Yes or no.
    Truth(Truth),
    /// Words, numbers or an expression.
    Text(Told),
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truth {
    /// Whether it is yes.
    pub yes: bool,
    /// Why.
    pub because: String,
    /// The word that shows it, by the names of its letters.
    pub witness: Option<Vec<String>>,
    /// The word that a transducer leads from to the witness.
    pub from: Option<Vec<String>>,
}

/// Something to read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    /// What was asked for; whole lines.
    pub text: String,
    /// What to know about it; whole lines, often none.
    pub note: String,
    /// The same for programs.
    pub result: Json,
}

impl Truth {
    /// For programs.
    pub fn json(&self) -> Json {
        let mut result = json!({ "answer": self.yes, "because": self.because });
        for (name, word) in [("witness", &self.witness), ("from", &self.from)] {
            if let Some(word) = word {
                result[name] = json!(word);
            }
        }
        result
    }

    /// Yes, unless there is a word against it.
    pub(super) fn unless(
        against: Option<&Word>,
        alphabet: &Alphabet,
        yes: impl Into<String>,
        no: impl FnOnce(&str) -> String,
    ) -> Outcome {
        Outcome::Truth(Truth {
            yes: against.is_none(),
            because: match against {
                Some(word) => no(&alphabet.show(word)),
                None => yes.into(),
            },
            witness: against.map(|word| names(alphabet, word)),
            from: None,
        })
    }

    /// Yes, unless there is a step against it.
    pub(super) fn unless_step(
        against: Option<&(Word, Word)>,
        alphabet: &Alphabet,
        yes: impl Into<String>,
        no: impl FnOnce(&str, &str) -> String,
    ) -> Outcome {
        Outcome::Truth(Truth {
            yes: against.is_none(),
            because: match against {
                Some((from, to)) => no(&alphabet.show(from), &alphabet.show(to)),
                None => yes.into(),
            },
            witness: against.map(|(_, to)| names(alphabet, to)),
            from: against.map(|(from, _)| names(alphabet, from)),
        })
    }
}

/// The names of the letters of a word.
pub(super) fn names(alphabet: &Alphabet, word: &[Letter]) -> Vec<String> {
    word.iter()
        .map(|&letter| alphabet.name(letter).to_owned())
        .collect()
}

impl From<Nfa> for Outcome {
    fn from(nfa: Nfa) -> Outcome {
        Outcome::Machine(nfa.into())
    }
}

impl From<Transducer> for Outcome {
    fn from(transducer: Transducer) -> Outcome {
        Outcome::Machine(transducer.into())
    }
}
