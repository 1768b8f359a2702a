//! A relation prepared for taking many images.

mod compile;
mod product;

use quotient_core::{Budget, Stop};

use crate::{Alphabet, Dfa, Label, Minterms, Predicate, Transducer};
use compile::Machine;

/// A step relation, compiled for the loop that takes image after image of it.
///
/// The relation is reduced once, its labels become lists of letter classes, and an image is
/// taken in one go: the product with the language, cut down to what accepts, is determinised
/// while it is walked. All results share one partition of the letters.
///
/// ```
/// use quotient_automata::{Alphabet, Dfa, Step, Transducer};
/// # use quotient_automata::{Nfa, Word};
/// use quotient_core::Budget;
/// let alphabet = Alphabet::new(["a", "b"])?;
/// let step = Step::new(&Transducer::identity(&alphabet), []);
/// # let nfa = Nfa::builder(&alphabet).initial(0).edge(0, &alphabet.set(["a"])?, 1).accepting(1).build();
/// # let words: Dfa = nfa.determinize(&Budget::unlimited())?;
/// let image = step.post(&words, &Budget::unlimited())?;
/// assert!(image.accepts(&alphabet.word("a")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Step {
    transducer: Transducer,
    minterms: Minterms,
    forward: Machine,
    backward: Machine,
}

impl Step {
    /// Prepares a relation. Its partition of the letters will also tell apart what the given
    /// predicates tell apart: pass those of the languages that will be used, and no image
    /// needs another partition.
    pub fn new<'a>(
        transducer: &Transducer,
        predicates: impl IntoIterator<Item = &'a Predicate>,
    ) -> Step {
        let transducer = transducer.reduce();
        let sides = |label: &Label| [label.input().cloned(), label.output().cloned()];
        let own: Vec<Predicate> = transducer
            .labels()
            .iter()
            .flat_map(sides)
            .flatten()
            .collect();
        let all = own
            .iter()
            .chain(predicates.into_iter().map(|letters| letters as &Predicate));
        let minterms = Minterms::new(transducer.alphabet(), all);
        Step::compile(transducer, minterms)
    }

    fn compile(transducer: Transducer, minterms: Minterms) -> Step {
        let forward = Machine::new(&transducer, &minterms);
        let backward = Machine::new(&transducer.inverse(), &minterms);
        Step {
            transducer,
            minterms,
            forward,
            backward,
        }
    }

    /// The alphabet of the relation.
    pub fn alphabet(&self) -> &Alphabet {
        self.transducer.alphabet()
    }

    /// The relation, reduced.
    pub fn transducer(&self) -> &Transducer {
        &self.transducer
    }

    /// The partition of the letters that the images have.
    pub fn minterms(&self) -> &Minterms {
        &self.minterms
    }

    /// The words that words of the language are related to; trimmed, not minimised.
    pub fn post(&self, language: &Dfa, budget: &Budget) -> Result<Dfa, Stop> {
        self.image(&self.forward, language, budget)
    }

    /// The words that are related to words of the language; trimmed, not minimised.
    pub fn pre(&self, language: &Dfa, budget: &Budget) -> Result<Dfa, Stop> {
        self.image(&self.backward, language, budget)
    }

    fn image(&self, machine: &Machine, language: &Dfa, budget: &Budget) -> Result<Dfa, Stop> {
        assert_eq!(self.alphabet(), language.alphabet());
        let Some(table) = self.table_of(language) else {
            return self.finer(machine, language, budget);
        };
        product::product(machine, language, &table, self.minterms.len(), budget)?.determinize(
            self.alphabet(),
            &self.minterms,
            budget,
        )
    }

    /// The table of the language with a column for each class of this step; nothing if the
    /// language tells more letters apart.
    fn table_of(&self, language: &Dfa) -> Option<Vec<u32>> {
        let columns: Vec<u32> = (0..self.minterms.len() as u32)
            .map(|class| {
                let theirs = language
                    .minterms()
                    .class_of(self.minterms.representative(class));
                let whole = language.minterms().members(theirs);
                self.minterms
                    .members(class)
                    .is_subset(whole)
                    .then_some(theirs)
            })
            .collect::<Option<_>>()?;
        let states = (0..language.len() as u32).map(crate::State);
        let rows = states.map(|state| language.row(state));
        Some(
            rows.flat_map(|row| columns.iter().map(move |&column| row[column as usize]))
                .collect(),
        )
    }

    /// The image with a partition that suits the language.
    fn finer(&self, machine: &Machine, language: &Dfa, budget: &Budget) -> Result<Dfa, Stop> {
        let minterms = self
            .minterms
            .common_refinement(self.alphabet(), language.minterms());
        let finer = Step::compile(self.transducer.clone(), minterms);
        let forward = std::ptr::eq(machine, &self.forward);
        let machine = if forward {
            &finer.forward
        } else {
            &finer.backward
        };
        finer.image(machine, language, budget)
    }
}
