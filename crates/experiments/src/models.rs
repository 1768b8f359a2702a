//! Models of the literature, written as rules.
//!
//! They are examples to read, problems to measure with, and the source of the files under
//! the gallery of problems about words. The descriptions follow Chalk (2018) and the models that Bouajjani,
//! Habermehl and Vojnar published with their prototype.

mod alternating_bit;
mod catalogue;
mod list_reversal;
mod mutual_exclusion;
mod petri_net;
mod plotter;
mod prototype;
mod token;

pub use alternating_bit::alternating_bit;
pub use catalogue::{Example, catalogue};
pub use list_reversal::list_reversal;
pub use mutual_exclusion::{Order, Repairs, bakery, burns, dijkstra, small_bakery, szymanski};
pub use petri_net::readers_and_writers;
pub use plotter::plotter;
pub use prototype::{
    brief_alternating_bit, brief_bakery, brief_dijkstra, brief_plotter, brief_szymanski,
};
pub use token::{Token, token_passing};

use quotient_automata::{Label, Nfa, Relation, Transducer};
use quotient_regular::{Problem, Property};

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
/// then those of the whole. Parts that begin with copying share that, others only the first
/// state, as one would write them by hand.
pub fn united(problem: &Problem) -> Problem {
    let union = problem.relation().union();
    let initial = union.initial();
    let all = match union
        .edges()
        .iter()
        .any(|edge| initial.contains(&edge.target))
    {
        true => union.reduce(),
        false => with_one_beginning(&union).reduce_futures(),
    };
    let relation = Relation::new(problem.alphabet(), vec![("all".to_owned(), all)]);
    let parts = (problem.initial().clone(), problem.properties().to_vec());
    Problem::new(parts.0, parts.1, relation).unwrap_or_else(|error| unreachable!("{error}"))
}

fn with_one_beginning(union: &Transducer) -> Transducer {
    let mut builder = Transducer::builder(union.alphabet()).states(union.len() as u32);
    for state in union.accepting().ones() {
        builder.add_accepting((state as u32).into());
    }
    let first = builder.fresh_state();
    builder.add_initial(first);
    for &state in union.initial() {
        builder.add_edge(first, &Label::SILENT, state);
    }
    for edge in union.edges() {
        builder.add_edge(edge.source, union.label(edge), edge.target);
    }
    builder.build()
}
