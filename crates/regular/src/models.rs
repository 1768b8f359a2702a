//! Models of the literature, written as rules.
//!
//! They are examples to read, problems to measure with, and the source of the files under
//! `examples/words`. The descriptions follow Chalk (2018) and the models that Bouajjani,
//! Habermehl and Vojnar published with their prototype.

mod alternating_bit;
mod catalogue;
mod mutual_exclusion;
mod petri_net;
mod plotter;
mod token;

pub use alternating_bit::alternating_bit;
pub use catalogue::{Example, catalogue};
pub use mutual_exclusion::{Order, Repairs, bakery, burns, dijkstra, small_bakery, szymanski};
pub use petri_net::readers_and_writers;
pub use plotter::plotter;
pub use token::{Token, token_passing};

use quotient_automata::{Nfa, Relation, Transducer};

use crate::{Problem, Property};

/// A problem whose parts are right by construction.
fn problem(initial: Nfa, property: &str, bad: Nfa, parts: Vec<(&str, Transducer)>) -> Problem {
    let alphabet = initial.alphabet().clone();
    let parts = parts
        .into_iter()
        .map(|(name, part)| (name.to_owned(), part))
        .collect();
    let name = property.to_owned();
    Problem::new(
        initial,
        vec![Property { name, bad }],
        Relation::new(&alphabet, parts),
    )
    .unwrap_or_else(|error| unreachable!("{error}"))
}

/// The same problem with all transducers united into one, called `all`: guards and actions are
/// then those of the whole.
pub fn united(problem: &Problem) -> Problem {
    let union = problem.relation().union().reduce();
    let relation = Relation::new(problem.alphabet(), vec![("all".to_owned(), union)]);
    let parts = (problem.initial().clone(), problem.properties().to_vec());
    Problem::new(parts.0, parts.1, relation).unwrap_or_else(|error| unreachable!("{error}"))
}
