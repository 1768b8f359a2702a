//! Several named transducers that together are the step of a system.

use crate::{Alphabet, Transducer};

/// The union of named transducers over one alphabet; the names tell in a trace which one made
/// a step.
#[derive(Debug, Clone)]
pub struct Relation {
    alphabet: Alphabet,
    parts: Vec<(String, Transducer)>,
}

impl Relation {
    /// The union of these transducers.
    ///
    /// # Panics
    /// If a transducer is over another alphabet, which is a bug of the caller.
    pub fn new(alphabet: &Alphabet, parts: Vec<(String, Transducer)>) -> Relation {
        assert!(parts.iter().all(|(_, part)| part.alphabet() == alphabet));
        Relation {
            alphabet: alphabet.clone(),
            parts,
        }
    }

    /// The alphabet of all parts.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The parts with their names, in the order given.
    pub fn parts(&self) -> &[(String, Transducer)] {
        &self.parts
    }
}
