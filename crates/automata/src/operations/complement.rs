//! Words that are not in the language.

use quotient_core::{Budget, Stop};

use crate::{Dfa, Nfa, Predicate, State};

impl Dfa {
    /// The same language with a move for every letter from every state: what led nowhere leads
    /// to one more state, where words are caught and never accepted. An automaton without gaps
    /// stays as it is.
    #[must_use]
    pub fn complete(&self) -> Dfa {
        let states = self.len() as u32;
        let mut moves = 0;
        for state in (0..states).map(State) {
            self.each_move(state, |_, _| moves += 1);
        }
        match moves == self.len() * self.minterms().len() {
            true => self.clone(),
            false => self.caught(),
        }
    }

    /// [`Dfa::complete`] where there are gaps; the table is written once.
    fn caught(&self) -> Dfa {
        let (sink, width) = (self.len() as u32, self.minterms().len());
        let mut table = vec![sink; (self.len() + 1) * width];
        for state in (0..sink).map(State) {
            let row = &mut table[state.index() * width..][..width];
            self.each_move(state, |class, next| row[class as usize] = next);
        }
        let mut accepting = self.accepting().clone();
        accepting.grow(self.len() + 1);
        let minterms = self.minterms().clone();
        Dfa::from_table(self.alphabet(), minterms, self.initial(), accepting, table)
    }

    /// The words over the alphabet that are not accepted.
    #[must_use]
    pub fn complement(&self) -> Dfa {
        self.complete().turned()
    }
}

impl Dfa {
    /// [`Dfa::complete`] as an [`Nfa`], state for state, without writing out a wide table that is
    /// almost empty: where many letters lead nowhere, one edge has them all.
    pub fn to_complete_nfa(&self) -> Nfa {
        match self.is_sparse() {
            true => self.filled(false),
            false => self.complete().to_nfa(),
        }
    }

    /// [`Dfa::complement`] in the same way.
    pub fn to_complement_nfa(&self) -> Nfa {
        match self.is_sparse() {
            true => self.filled(true),
            false => self.complement().to_nfa(),
        }
    }

    /// With a move for every letter, one edge for all of a state that led nowhere; if `turned`,
    /// states that accept and those that do not are exchanged.
    fn filled(&self, turned: bool) -> Nfa {
        let (alphabet, minterms) = (self.alphabet(), self.minterms());
        let sink = State(self.len() as u32);
        let mut builder = Nfa::builder(alphabet).states(sink.0 + 1);
        builder.add_initial(self.initial());
        builder.add_edge(sink, &Predicate::all(alphabet), sink);
        if turned {
            builder.add_accepting(sink);
        }
        let mut labels = vec![Dfa::NONE; minterms.len()];
        for state in (0..sink.0).map(State) {
            if self.is_accepting(state) != turned {
                builder.add_accepting(state);
            }
            let mut some = Predicate::none(alphabet);
            for (class, next) in self.moves(state) {
                let label = &mut labels[class as usize];
                if *label == Dfa::NONE {
                    *label = builder.label(minterms.members(class));
                }
                builder.add_numbered_edge(state, *label, State(next));
                match minterms.members(class).len() == 1 {
                    true => some.insert(minterms.representative(class)),
                    false => some.or_assign(minterms.members(class)),
                }
            }
            let gaps = some.not();
            if !gaps.is_empty() {
                builder.add_edge(state, &gaps, sink);
            }
        }
        builder.build()
    }
}

impl Nfa {
    /// The words over the alphabet that are not accepted, by [`Nfa::determinize`]. Where states
    /// read few of many letters, its table is large: see [`Nfa::complement_nfa`].
    pub fn complement(&self, budget: &Budget) -> Result<Dfa, Stop> {
        Ok(self.determinize(budget)?.complement())
    }
    /// The same by an automaton with predicates, as [`Dfa::to_complement_nfa`] makes it.
    pub fn complement_nfa(&self, budget: &Budget) -> Result<Nfa, Stop> {
        Ok(self.determinize(budget)?.to_complement_nfa())
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Budget;

    use super::*;
    use crate::testing::{self, Random};

    #[test]
    fn tables_that_are_not_written_out_give_the_same_automata() {
        let alphabet = testing::alphabet(400);
        let mut sparse = 0;
        for seed in 0..30 {
            let mut random = Random::new(seed);
            let mut builder = Nfa::builder(&alphabet).states(120).initial(0).accepting(7);
            for letter in alphabet.letters() {
                // Most letters are classes of their own, some stand together.
                let other = crate::Letter(letter.0 >> random.below(2));
                let letters = Predicate::of(&alphabet, [letter, other]);
                let (source, target) = (random.below(120), random.below(120));
                builder.add_edge(State(source), &letters, State(target));
            }
            let dfa = builder.build().determinize(&Budget::unlimited()).unwrap();
            sparse += u32::from(dfa.is_sparse());
            for (turned, table) in [(false, dfa.complete()), (true, dfa.complement())] {
                let (direct, table) = (dfa.filled(turned), table.to_nfa());
                assert_eq!(direct.initial(), table.initial(), "seed {seed}");
                assert_eq!(direct.accepting(), table.accepting(), "seed {seed}");
                let edges = |nfa: &Nfa| {
                    let edges = nfa.edges().iter();
                    let named =
                        edges.map(|edge| (edge.source, edge.target, nfa.label(edge).clone()));
                    let mut edges: Vec<_> = named.collect();
                    edges.sort_unstable();
                    edges
                };
                if dfa.table().contains(&Dfa::NONE) {
                    assert_eq!(edges(&direct), edges(&table), "seed {seed}");
                }
            }
        }
        assert!(sparse > 10, "{sparse}");
    }

    #[test]
    fn a_chain_of_many_letters_has_a_small_complement() {
        let letters = 20_000;
        let alphabet = testing::alphabet(letters);
        let chain = |skip: u32| {
            let mut builder = Nfa::builder(&alphabet).initial(0).accepting(letters as u32);
            for letter in alphabet.letters() {
                let next = State(letter.0 + 1);
                let letter = Predicate::of(&alphabet, [letter]);
                builder.add_edge(State(next.0 - 1), &letter, next);
            }
            let fifth = Predicate::of(&alphabet, [crate::Letter(5)]);
            builder.add_edge(State(0), &fifth, State(skip));
            builder.build()
        };
        let budget = Budget::unlimited();
        let (one, other) = (chain(7), chain(9));
        let outside = one.complement_nfa(&budget).unwrap();
        assert_eq!(outside.len(), letters + 2);
        assert!(outside.intersection(&one, &budget).unwrap().is_empty());
        let difference = one.difference(&other, &budget).unwrap();
        let word = difference.shortest_word().unwrap();
        assert!(one.accepts(&word) && !other.accepts(&word));
        let [left, right] = [&one, &other].map(|nfa| nfa.determinize(&budget).unwrap());
        let apart = left.symmetric_difference(&right, &budget).unwrap();
        for nfa in [&one, &other] {
            let word = nfa.shortest_word().unwrap();
            assert!(apart.accepts(&word));
        }
        let common: Vec<_> = alphabet.letters().collect();
        assert!(one.accepts(&common) && other.accepts(&common) && !apart.accepts(&common));
    }
}
