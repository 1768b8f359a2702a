//! Several named transducers that together are the step of a system.

use crate::{Alphabet, Letter, Transducer};

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

    /// All parts side by side in one transducer.
    pub fn union(&self) -> Transducer {
        let mut builder = Transducer::builder(&self.alphabet);
        self.parts
            .iter()
            .for_each(|(_, part)| builder.add_copy_of(part));
        builder.build()
    }

    /// The relation read the other way, part by part.
    #[must_use]
    pub fn inverse(&self) -> Relation {
        let inverse = |(name, part): &(String, Transducer)| (name.clone(), part.inverse());
        Relation {
            alphabet: self.alphabet.clone(),
            parts: self.parts.iter().map(inverse).collect(),
        }
    }

    /// The names of the parts that relate the first word to the second, in the order given.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Relation, Transducer};
    /// let alphabet = Alphabet::new(["a", "b"])?;
    /// let parts = vec![("stutter".to_owned(), Transducer::identity(&alphabet))];
    /// let relation = Relation::new(&alphabet, parts);
    /// let (ab, ba) = (alphabet.word("a b")?, alphabet.word("b a")?);
    /// assert_eq!(relation.step_names(&ab, &ab).collect::<Vec<_>>(), ["stutter"]);
    /// assert_eq!(relation.step_names(&ab, &ba).count(), 0);
    /// # Ok::<(), quotient_automata::AlphabetError>(())
    /// ```
    pub fn step_names<'a>(
        &'a self,
        first: &'a [Letter],
        second: &'a [Letter],
    ) -> impl Iterator<Item = &'a str> {
        let related = move |(_, part): &&(String, Transducer)| part.relates(first, second);
        let parts = self.parts.iter().filter(related);
        parts.map(|(name, _)| name.as_str())
    }
}
