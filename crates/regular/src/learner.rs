//! Learning an invariant (Chen, Hong, Lin and Rümmer 2017).
//!
//! Where steps keep the length, the configurations reached at each single length are finitely
//! many and can be computed. They teach a learner of automata (Angluin 1987, with the
//! treatment of counterexamples of Rivest and Schapire 1993): whether a word is reachable is
//! answered exactly, and a guess is good as soon as it is an invariant. If the reachable set
//! is regular, this ends with it at the latest.

mod table;
mod teacher;

use std::sync::Arc;

use quotient_automata::{Dfa, Word};
use quotient_core::{Attempt, Context, Method, Stop, What};

use crate::system::single;
use crate::{Proof, Run, Set, System};
use table::Table;
use teacher::Teacher;

/// The learner as a [`Method`]: an attempt guesses an invariant and checks it; a false alarm
/// is a word that the guess has wrong.
pub struct Learner<'s> {
    system: &'s System,
    property: usize,
    teacher: Teacher<'s>,
    table: Table,
    guesses: u64,
}

impl<'s> Learner<'s> {
    /// A learner for one property; only for steps that keep the length.
    pub fn new(system: &'s System, property: usize) -> Result<Learner<'s>, Stop> {
        if !system.is_length_preserving() {
            let why = "learning needs steps that keep the length of configurations";
            return Err(Stop::inconclusive(why));
        }
        Ok(Learner {
            system,
            property,
            teacher: Teacher::new(system),
            table: Table::new(system.step().minterms()),
            guesses: 0,
        })
    }

    fn guess(&mut self, cx: &Context) -> Result<Dfa, Stop> {
        let teacher = &mut self.teacher;
        let mut reachable = |word: &Word| teacher.reachable(word, cx);
        self.table.close(&mut reachable, cx)?;
        let minterms = self.system.step().minterms();
        let guess = self.table.automaton(self.system.alphabet(), minterms);
        self.guesses += 1;
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: self.guesses - 1,
            sizes: [
                ("states", guess.len() as u64),
                ("longest word", self.teacher.longest() as u64),
            ]
            .into(),
        });
        Ok(guess)
    }

    /// A word that the guess has wrong, or a reachable bad word, if the guess is no invariant.
    fn mistake(&mut self, guess: &Set, cx: &Context) -> Result<Option<Mistake>, Stop> {
        let budget = &cx.budget;
        let missing = self.system.initial().difference(guess, budget)?;
        if let Some(word) = missing.shortest_word() {
            return Ok(Some(Mistake::Wrong(word)));
        }
        let bad = guess.intersection(self.system.bad(self.property), budget)?;
        if let Some(word) = bad.shortest_word() {
            return Ok(Some(match self.teacher.reachable(&word, cx)? {
                true => Mistake::Violation(word),
                false => Mistake::Wrong(word),
            }));
        }
        let next = self.system.step().post(guess, budget)?;
        let Some(after) = next.difference(guess, budget)?.shortest_word() else {
            return Ok(None);
        };
        if self.teacher.reachable(&after, cx)? {
            return Ok(Some(Mistake::Wrong(after)));
        }
        // What steps to an unreachable word is unreachable itself.
        let one = single(self.system.alphabet(), &after, budget)?;
        let before = self.system.step().pre(&one, budget)?;
        let before = before.intersection(guess, budget)?.shortest_word();
        let lost = || Stop::inconclusive("internal error: a step has no beginning");
        Ok(Some(Mistake::Wrong(before.ok_or_else(lost)?)))
    }
}

enum Mistake {
    /// The guess has this word wrong.
    Wrong(Word),
    /// This word is bad and reachable.
    Violation(Word),
}

impl Method for Learner<'_> {
    type Proof = Proof;
    type Trace = Run;
    type Spurious = Word;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Proof, Run, Word>, Stop> {
        let guess = self.guess(cx)?;
        let set: Set = Arc::new(guess.minimize(&cx.budget)?);
        Ok(match self.mistake(&set, cx)? {
            None => Attempt::Proved(Proof {
                invariant: set,
                steps: self.guesses as usize,
            }),
            Some(Mistake::Violation(word)) => {
                Attempt::Refuted(self.teacher.run_to(self.property, word.len(), cx)?)
            }
            Some(Mistake::Wrong(word)) => Attempt::FalseAlarm(word),
        })
    }

    fn refine(&mut self, wrong: Word, cx: &mut Context) -> Result<(), Stop> {
        let teacher = &mut self.teacher;
        let mut reachable = |word: &Word| teacher.reachable(word, cx);
        self.table.learn(&wrong, &mut reachable)?;
        cx.story.tell(|| What::Refined {
            refinement: cx.attempt + 1,
            detail: format!("learnt from `{}`", self.system.alphabet().show(&wrong)),
            sizes: [("suffixes", self.table.suffix_count() as u64)].into(),
        });
        Ok(())
    }
}
