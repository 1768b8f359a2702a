//! The same language over another alphabet.

use crate::{Alphabet, AlphabetError, Letter, Nfa, Predicate};

impl Nfa {
    /// The same words over an alphabet that has all letters of this one, by name: to combine
    /// automata that were made apart, bring both over the union of their alphabets.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Nfa};
    /// let (small, large) = (Alphabet::new(["a"])?, Alphabet::new(["b", "a"])?);
    /// let nfa = Nfa::builder(&small).initial(0).edge(0, &small.set(["a"])?, 1).accepting(1).build();
    /// assert!(nfa.over(&large)?.accepts(&large.word("a")?));
    /// # Ok::<(), quotient_automata::AlphabetError>(())
    /// ```
    pub fn over(&self, alphabet: &Alphabet) -> Result<Nfa, AlphabetError> {
        if self.alphabet() == alphabet {
            // The very same alphabet is compared in no time from now on.
            return Ok(match self.alphabet().has_vectors() {
                true => self.clone(),
                false => self.with_alphabet(alphabet),
            });
        }
        if self.alphabet().has_vectors() {
            return Err(AlphabetError::Vectors);
        }
        let new_letter = self
            .alphabet()
            .names()
            .map(|name| {
                alphabet
                    .letter(name)
                    .ok_or_else(|| AlphabetError::Unknown(name.to_owned()))
            })
            .collect::<Result<Vec<Letter>, _>>()?;
        Ok(self.relabelled(alphabet, |letters| {
            let moved = letters.letters().map(|letter| new_letter[letter.index()]);
            Predicate::of(alphabet, moved)
        }))
    }

    /// The same states and edges with other letters: the change is made once for each label.
    ///
    /// ```
    /// use quotient_automata::{Alphabet, Nfa};
    /// let (old, new) = (Alphabet::new(["a"])?, Alphabet::new(["b", "c"])?);
    /// let nfa = Nfa::builder(&old).initial(0).edge(0, &old.set(["a"])?, 1).accepting(1).build();
    /// let both = new.set(["b", "c"])?;
    /// assert!(nfa.relabelled(&new, |_| both.clone()).accepts(&new.word("c")?));
    /// # Ok::<(), quotient_automata::AlphabetError>(())
    /// ```
    #[must_use]
    pub fn relabelled(&self, alphabet: &Alphabet, change: impl Fn(&Predicate) -> Predicate) -> Nfa {
        let mut builder = Nfa::builder(alphabet).states(self.len() as u32);
        self.initial().iter().for_each(|&q| builder.add_initial(q));
        self.accepting()
            .ones()
            .for_each(|q| builder.add_accepting(crate::State(q as u32)));
        let change = |label: &Option<Predicate>| label.as_ref().map(&change);
        let labels: Vec<Option<Predicate>> = self.labels().iter().map(change).collect();
        for edge in self.edges() {
            match &labels[edge.label as usize] {
                Some(letters) => builder.add_edge(edge.source, letters, edge.target),
                None => builder.add_epsilon(edge.source, edge.target),
            }
        }
        builder.build()
    }
}
