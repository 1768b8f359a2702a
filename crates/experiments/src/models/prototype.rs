//! Models in the encodings of the prototype.
//!
//! Bouajjani, Habermehl and Vojnar wrote some of the models more briefly than Chalk did later:
//! with fewer lines, or with a flag that remembers what matters in the place of a log. The
//! published counts of steps and refinements belong to these encodings.

mod alternating_bit;
mod mutual_exclusion;
mod plotter;

pub use alternating_bit::brief_alternating_bit;
pub use mutual_exclusion::{brief_bakery, brief_dijkstra, brief_szymanski};
pub use plotter::brief_plotter;

use quotient_automata::{Nfa, Predicate};
use quotient_core::Budget;

use super::problem;

/// The words that an automaton does not accept.
fn all_but(good: &Nfa) -> Nfa {
    let all = Predicate::all(good.alphabet());
    let everything = Nfa::builder(good.alphabet())
        .initial(0)
        .edge(0, &all, 0)
        .accepting(0)
        .build();
    // Without a limit on the budget nothing stops the operations.
    let budget = Budget::unlimited();
    let rest = everything
        .difference(good, &budget)
        .and_then(|rest| rest.canonical(&budget));
    rest.map_or_else(|stop| unreachable!("{stop}"), |rest| rest.to_nfa())
}
