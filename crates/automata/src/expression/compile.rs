//! From an expression to an automaton, by Thompson's construction (1968).

use quotient_core::{Budget, Stop};

use super::term::Term;
use crate::{Alphabet, Nfa, NfaBuilder, State};

pub(super) fn compile(alphabet: &Alphabet, term: &Term, budget: &Budget) -> Result<Nfa, Stop> {
    let mut builder = Nfa::builder(alphabet);
    let start = builder.fresh_state();
    builder.add_initial(start);
    let end = add(alphabet, term, start, &mut builder, budget)?;
    builder.add_accepting(end);
    Ok(builder.build().trim())
}

/// Adds the words of a term from a state on and returns the state where they end. No edge
/// leads back to the start.
fn add(
    alphabet: &Alphabet,
    term: &Term,
    start: State,
    builder: &mut NfaBuilder,
    budget: &Budget,
) -> Result<State, Stop> {
    budget.charge(1)?;
    match term {
        Term::Nothing => Ok(builder.fresh_state()),
        Term::EmptyWord => Ok(start),
        Term::Letters(letters) => {
            let end = builder.fresh_state();
            builder.add_edge(start, letters, end);
            Ok(end)
        }
        Term::Concatenation(parts) => parts.iter().try_fold(start, |start, part| {
            add(alphabet, part, start, builder, budget)
        }),
        Term::Union(parts) => {
            let end = builder.fresh_state();
            for part in parts {
                let part_end = add(alphabet, part, start, builder, budget)?;
                builder.add_epsilon(part_end, end);
            }
            Ok(end)
        }
        Term::Intersection(parts) => {
            let mut both = compile(alphabet, &parts[0], budget)?;
            for part in &parts[1..] {
                both = both.intersection(&compile(alphabet, part, budget)?, budget)?;
            }
            Ok(builder.add_between(start, &both))
        }
        Term::Complement(term) => {
            let inside = compile(alphabet, term, budget)?.determinize(budget)?;
            // Where states read few of many letters, a table for all letters is never written.
            let outside = match inside.is_sparse() {
                true => inside.minimize(budget)?.to_complement_nfa(),
                false => inside.complement().minimize(budget)?.to_nfa(),
            };
            Ok(builder.add_between(start, &outside))
        }
        Term::Repeat(term, least, most) => {
            let mut joint = start;
            for _ in 0..*least {
                joint = add(alphabet, term, joint, builder, budget)?;
            }
            match most {
                None => {
                    let again = builder.fresh_state();
                    builder.add_epsilon(joint, again);
                    let end = add(alphabet, term, again, builder, budget)?;
                    builder.add_epsilon(end, again);
                    // A state of its own, so that what follows cannot be entered twice.
                    let after = builder.fresh_state();
                    builder.add_epsilon(again, after);
                    Ok(after)
                }
                Some(most) => {
                    let end = builder.fresh_state();
                    builder.add_epsilon(joint, end);
                    for _ in *least..*most {
                        joint = add(alphabet, term, joint, builder, budget)?;
                        builder.add_epsilon(joint, end);
                    }
                    Ok(end)
                }
            }
        }
    }
}
