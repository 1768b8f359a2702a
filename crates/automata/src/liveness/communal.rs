//! That something goes on happening, whoever does it.

use super::lift::{Tracks, nfa_over, transducer_over};
use super::synchronous::synchronous;
use super::{LivenessError, check_names, fresh};
use crate::{
    Alphabet, Label, Letter, Nfa, Predicate, Problem, Property, Relation, State, Transducer,
};

/// Reduces "steps of these transducers happen again and again" to safety.
///
/// The new system has the old letters, pairs of a current and a saved letter, and two letters
/// that stand in front after the freeze: the first says that no step was made since. A bad
/// configuration is a loop of at least one step without any of the `progress`.
pub fn communal_liveness(problem: &Problem, progress: &[&str]) -> Result<Problem, LivenessError> {
    check_names(problem.relation(), progress)?;
    let old = problem.alphabet();
    let lift = Lift::new(old);
    let mut parts = Vec::new();
    for (name, part) in problem.relation().parts() {
        let Some(part) = synchronous(part) else {
            return Err(LivenessError::ChangesLength { name: name.clone() });
        };
        parts.push((name.clone(), transducer_over(&part, &lift.alphabet)));
        if !progress.contains(&name.as_str()) {
            parts.push((format!("{name} (in the loop)"), lift.in_loop(&part)));
        }
    }
    parts.push(("freeze".to_owned(), lift.freeze()));
    let bad = Property {
        name: "no loop without progress".to_owned(),
        bad: lift.closed_loop(),
    };
    let initial = nfa_over(problem.initial(), &lift.alphabet);
    let relation = Relation::new(&lift.alphabet, parts);
    Ok(Problem::new(initial, vec![bad], relation).unwrap_or_else(|error| unreachable!("{error}")))
}

/// The letters of the reduced system.
struct Lift {
    old: u32,
    alphabet: Alphabet,
}

impl Lift {
    fn new(old: &Alphabet) -> Lift {
        let pairs = old
            .names()
            .flat_map(|current| old.names().map(move |saved| format!("{current}.{saved}")));
        let flags = ["0", "1"].map(|name| fresh(old, name));
        let names = old.names().map(str::to_owned).chain(flags).chain(pairs);
        let alphabet = Alphabet::new(names).unwrap_or_else(|_| {
            // Names with dots may clash: numbers do not.
            let plain = (0..old.len() * (old.len() + 1) + 2).map(|i| format!("#{i}"));
            Alphabet::new(plain).unwrap_or_else(|error| unreachable!("{error}"))
        });
        Lift {
            old: old.len() as u32,
            alphabet,
        }
    }

    fn flag(&self, value: u32) -> Predicate {
        Predicate::of(&self.alphabet, [Letter(self.old + value)])
    }

    fn tracks(&self) -> Tracks {
        Tracks {
            before: self.old + 2,
            second: self.old,
        }
    }

    /// The step on the current letters, the saved ones stay, and the flag is set.
    fn in_loop(&self, part: &Transducer) -> Transducer {
        let any_flag = self.flag(0).or(&self.flag(1));
        let set_flag = Label::Pair(Some(any_flag), Some(self.flag(1)));
        let step = self.tracks().on_first(part, &self.alphabet);
        let mut builder = Transducer::builder(&self.alphabet).states(step.len() as u32);
        for state in step.accepting().ones() {
            builder.add_accepting(State(state as u32));
        }
        for edge in step.edges() {
            builder.add_edge(edge.source, step.label(edge), edge.target);
        }
        let front = builder.fresh_state();
        builder.add_initial(front);
        for &state in step.initial() {
            builder.add_edge(front, &set_flag, state);
        }
        builder.build()
    }

    /// Saves a copy of every letter.
    fn freeze(&self) -> Transducer {
        let mut builder = Transducer::builder(&self.alphabet).initial(0).accepting(1);
        builder.add_edge(State(0), &Label::Pair(None, Some(self.flag(0))), State(1));
        for letter in (0..self.old).map(Letter) {
            let side = |letter| Some(Predicate::of(&self.alphabet, [letter]));
            let save = Label::Pair(side(letter), side(self.tracks().letter(letter, letter.0)));
            builder.add_edge(State(1), &save, State(1));
        }
        builder.build()
    }

    /// A step was made, and every letter is as it was saved.
    fn closed_loop(&self) -> Nfa {
        let same = (0..self.old).map(|letter| self.tracks().letter(Letter(letter), letter));
        Nfa::builder(&self.alphabet)
            .initial(0)
            .edge(0, &self.flag(1), 1)
            .edge(1, &Predicate::of(&self.alphabet, same), 1)
            .accepting(1)
            .build()
    }
}
