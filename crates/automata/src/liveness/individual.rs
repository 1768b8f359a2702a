//! That each single process gets its turn.

mod disabled;
mod letters;
mod units;

use quotient_core::{Budget, Stop};

use super::lift::{nfa_over, one, transducer_over};
use super::synchronous::synchronous;
use super::{Fairness, LivenessError, check_names};
use crate::{Label, Nfa, Predicate, Problem, Property, Relation, State, Transducer};
use letters::{Frozen, Letters};

/// Reduces "a process that waits gets its turn" to safety, for arrays with a letter for each
/// process.
///
/// At the freeze one process whose letter is in `waiting` is marked. In the loop it makes no
/// `progress` step; with [`Fairness::Weak`] every process must make a step in the loop or be
/// seen when it cannot, with [`Fairness::Through`] it must make a certain one. The loop is closed when every letter, mark and place is as it was.
///
/// Steps either rewrite letters in place, or take one letter away and put one at some place to
/// its right (`Rules::to_the_end`): then the processes between move
/// up, and the saved letters stay where they are.
pub fn individual_liveness(
    problem: &Problem,
    waiting: &Predicate,
    progress: &[&str],
    fairness: Fairness,
    budget: &Budget,
) -> Result<Result<Problem, LivenessError>, Stop> {
    let through: Vec<&str> = match &fairness {
        Fairness::Through(names) => names.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    for names in [progress, &through] {
        if let Err(error) = check_names(problem.relation(), names) {
            return Ok(Err(error));
        }
    }
    let letters = Letters::new(problem.alphabet());
    let mut parts = Vec::new();
    for (name, part) in problem.relation().parts() {
        let manner = units::Manner {
            may_be_marked: !progress.contains(&name.as_str()),
            counts: match fairness {
                Fairness::Through(_) => through.contains(&name.as_str()),
                _ => true,
            },
        };
        let in_loop = synchronous(&units::on_units(part, &letters, manner));
        let (Some(plain), Some(in_loop)) = (synchronous(part), in_loop) else {
            return Ok(Err(LivenessError::ChangesLength { name: name.clone() }));
        };
        let in_loop = letters.tracks().on_first(&in_loop, &letters.alphabet);
        parts.push((name.clone(), transducer_over(&plain, &letters.alphabet)));
        parts.push((format!("{name} (in the loop)"), in_loop));
    }
    parts.push(("freeze".to_owned(), freeze(&letters, waiting)));
    if fairness == Fairness::Weak {
        let observe = disabled::observe(problem.relation(), &letters, budget)?;
        parts.push(("cannot step (in the loop)".to_owned(), observe));
    }
    let bad = Property {
        name: "no loop in which a process waits for ever".to_owned(),
        bad: closed_loop(&letters, &fairness),
    };
    let initial = nfa_over(problem.initial(), &letters.alphabet);
    let relation = Relation::new(&letters.alphabet, parts);
    Ok(Ok(
        Problem::new(initial, vec![bad], relation).unwrap_or_else(|error| unreachable!("{error}"))
    ))
}

/// Saves a copy of every letter and marks one process that waits.
fn freeze(letters: &Letters, waiting: &Predicate) -> Transducer {
    let alphabet = &letters.alphabet;
    let mut builder = Transducer::builder(alphabet).initial(0).accepting(1);
    for letter in letters.old() {
        let save = |marked: bool| {
            let frozen = Frozen::saved_now(letter, marked);
            Label::Pair(one(alphabet, letter), one(alphabet, letters.frozen(frozen)))
        };
        builder.add_edge(State(0), &save(false), State(0));
        builder.add_edge(State(1), &save(false), State(1));
        if waiting.contains(letter) {
            builder.add_edge(State(0), &save(true), State(1));
        }
    }
    builder.build()
}

/// Every letter and mark is as it was saved, one process is marked, and the steps of the loop
/// were fair.
fn closed_loop(letters: &Letters, fairness: &Fairness) -> Nfa {
    let back = |marked: bool, stepped: bool| {
        letters.which(|f| f.is_back() && f.unit.marked == marked && (f.unit.stepped || !stepped))
    };
    // Before the mark and after it; if schedules need not be fair, twice: before and after
    // somebody made a step.
    let builder = Nfa::builder(&letters.alphabet).initial(0);
    match fairness {
        Fairness::Weak | Fairness::Through(_) => builder
            .edge(0, &back(false, true), 0)
            .edge(0, &back(true, true), 1)
            .edge(1, &back(false, true), 1)
            .accepting(1),
        Fairness::None => builder
            .edge(0, &back(false, false), 0)
            .edge(0, &back(true, false), 1)
            .edge(1, &back(false, false), 1)
            .edge(0, &back(false, true), 2)
            .edge(0, &back(true, true), 3)
            .edge(1, &back(false, true), 3)
            .edge(2, &back(false, false), 2)
            .edge(2, &back(true, false), 3)
            .edge(3, &back(false, false), 3)
            .accepting(3),
    }
    .build()
}
