//! Steps as transducers of trees: they read along the condition of the step, know at each node which
//! of the people of the step stand there, and write what becomes of them.

use std::sync::Arc;

use quotient_bits::Bits;
use quotient_core::Trouble;
use quotient_trees::{Alphabet, State, Term, Transducer, TransducerRule, TreeAutomaton};

use super::conditions::{Conditions, misfit};
use super::letters::{Letters, choices_of, read_by};
use crate::compile::product;
use crate::model::{Action, Step, Value, Who};

/// What became of a step: the relation, and the trees from which it can be taken.
pub(super) struct Compiled {
    pub(super) relation: Transducer,
    pub(super) domain: TreeAutomaton,
}

/// A transducer under construction, from one that follows the other.
struct Rules {
    states: usize,
    accepting: Vec<usize>,
    rules: Vec<TransducerRule>,
}

/// Compiles a step.
pub(super) fn compiled(conditions: &mut Conditions<'_>, step: &Step) -> Result<Compiled, Trouble> {
    let people = step.people.len();
    if people == 0 {
        return Err(misfit("steps that no process takes"));
    }
    if !step.readings.is_empty() || step.import.is_some() {
        return Err(misfit("steps that read one by one or come from a file"));
    }
    let plain = |action: &Action| matches!(action, Action::SetField(..));
    if !step.alternatives.iter().flatten().all(plain) {
        return Err(misfit(
            "steps that set variables of more processes than they name, or move any",
        ));
    }
    let mut all = Rules {
        states: 0,
        accepting: Vec::new(),
        rules: Vec::new(),
    };
    let mut domain = TreeAutomaton::empty(conditions.alphabet(0));
    for choices in choices_of(step) {
        let guard = conditions.of(&step.guard.with_choices(&choices), people)?;
        let guard = conditions.marked_once(guard, people)?;
        for actions in &step.alternatives {
            all.add(conditions, &guard, actions, people, &choices)?;
        }
        let mut bare = guard;
        for marks in (1..=people).rev() {
            bare = conditions.erased(&bare, marks)?;
        }
        domain = quotient_trees::union(&domain, &bare);
    }
    let domain = quotient_trees::minimise(&domain, conditions.budget)?;
    let relation = all.made(conditions.alphabet(0));
    Ok(Compiled { relation, domain })
}

impl Rules {
    /// Adds what actions make of the trees of a guard. What is read of one process to set another
    /// is guessed, and checked where that one stands.
    fn add(
        &mut self,
        conditions: &mut Conditions<'_>,
        guard: &TreeAutomaton,
        actions: &[Action],
        people: usize,
        choices: &[Value],
    ) -> Result<(), Trouble> {
        let mut told: Vec<Who> = Vec::new();
        for action in actions {
            if let Action::SetField(owner, _, assigned) = action {
                told.extend(read_by(assigned).into_iter().filter(|who| who != owner));
            }
        }
        told.sort_unstable();
        told.dedup();
        let each: Vec<usize> = (0..conditions.letters.len()).collect();
        for guessed in product(told.iter().map(|_| each.clone())) {
            let mut set = guard.clone();
            for (&who, &letter) in told.iter().zip(&guessed) {
                let mut only = vec![false; each.len()];
                only[letter] = true;
                let only = conditions.letter_of(who, &only, people)?;
                set = quotient_trees::intersection(&set, &only, conditions.budget)?;
            }
            let guessed: Vec<(Who, usize)> = told.iter().copied().zip(guessed).collect();
            self.write(
                conditions,
                &set.trimmed(),
                actions,
                people,
                choices,
                &guessed,
            )?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        conditions: &Conditions<'_>,
        set: &TreeAutomaton,
        actions: &[Action],
        people: usize,
        choices: &[Value],
        guessed: &[(Who, usize)],
    ) -> Result<(), Trouble> {
        let first = self.states;
        let moved = |state: State| State::from_index(state.index() + first);
        self.states += set.states();
        self.accepting
            .extend(set.accepting().ones().map(|state| state + first));
        for rule in set.rules() {
            conditions.budget.charge(1)?;
            let (letter, marks, arity) = Letters::read(rule.symbol, people);
            let own: Vec<Who> = (0..people).filter(|who| marks & (1 << who) != 0).collect();
            let mut written_as = vec![letter];
            if !own.is_empty() {
                // The letters of those who are neither here nor asked for do not matter.
                let mut all = vec![0; people];
                guessed
                    .iter()
                    .for_each(|&(other, known)| all[other] = known);
                own.iter().for_each(|&who| all[who] = letter);
                let next = conditions.letters.after(actions, &own, &all, choices);
                let numbers = next.iter().map(|one| conditions.letters.number(one));
                let numbers: Option<Vec<usize>> = numbers.collect();
                written_as = numbers.ok_or_else(|| misfit("values that no process can have"))?;
            }
            for after in written_as {
                let written = Letters::symbol(after, 0, 0, arity);
                self.rules.push(TransducerRule {
                    symbol: Some(Letters::symbol(letter, 0, 0, arity)),
                    children: rule.children.iter().map(|&state| moved(state)).collect(),
                    target: moved(rule.target),
                    output: Term::shallow(written, arity),
                });
            }
        }
        Ok(())
    }

    fn made(self, alphabet: Arc<Alphabet>) -> Transducer {
        let mut accepting = Bits::with_capacity(self.states);
        accepting.extend(self.accepting);
        Transducer::new(alphabet, accepting, self.rules)
    }
}
