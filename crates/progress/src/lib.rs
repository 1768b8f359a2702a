//! Games of two players about words of every length.
//!
//! The engine for questions like: does the protocol reach its goal with probability one, for
//! every number of processes and under every scheduler? (Lin and Rümmer, *Liveness of randomised
//! parameterised systems under arbitrary schedulers*, 2016; with fairness Lengál, Lin, Majumdar
//! and Rümmer 2017.)
//!
//! Short words are looked at one by one first: a set of them in which the first player keeps the
//! play refutes the claim. The proof for all words is a regular set that the play stays in, and a
//! strict regular order in which every round leads down. Words of one length are finitely many,
//! so an order that is transitive and irreflexive ends every descent.
//!
//! * The *set* is what the rounds lead to, with beginnings of words merged that can be continued
//!   alike ([`Search`] tries one after the other).
//! * The *order* compares what small machines write, lexicographically from one end or the
//!   other, first by one machine, then by the next. That makes it an order by construction, and
//!   what is to be found are only the tables of the machines: a SAT solver finds them for some
//!   words, a product of automata checks them for all, a counterexample is one more word for the
//!   solver. Short words that speak against all tables of a shape speak against the shape.

mod arena;
mod encode;
mod invariant;
mod machine;
mod proof;
mod rank;
mod search;
mod shapes;
mod verify;

#[cfg(test)]
mod tests;

use quotient_automata::game::Game;
use quotient_core::{Conclusion, Context, Outcome, run};

pub use proof::{Proof, Trap};
pub use search::Search;

/// Whether the second player wins a game on words of every length.
///
/// ```
/// use quotient_automata::game::Game;
/// use quotient_automata::{Alphabet, Label, Nfa, Transducer};
/// use quotient_core::{Conclusion, Context};
/// // A candle burns down letter by letter, whoever looks at it.
/// let alphabet = Alphabet::new(["full", "burnt"])?;
/// let (full, burnt) = (alphabet.set(["full"])?, alphabet.set(["burnt"])?);
/// let burn = Transducer::builder(&alphabet)
///     .initial(0)
///     .edge(0, &Label::Copy(full.clone()), 0)
///     .edge(0, &Label::Pair(Some(full.clone()), Some(burnt.clone())), 1)
///     .edge(1, &Label::Copy(burnt.clone()), 1)
///     .accepting(1)
///     .build();
/// let game = Game {
///     initial: Nfa::builder(&alphabet).initial(0).edge(0, &full, 0).accepting(0).build(),
///     goal: Nfa::builder(&alphabet).initial(0).edge(0, &burnt, 0).accepting(0).build(),
///     first: Transducer::identity(&alphabet),
///     second: burn,
///     everywhere: true,
///     fairness: None,
/// };
/// let outcome = quotient_progress::prove(&game, &mut Context::default());
/// assert!(matches!(outcome.conclusion, Conclusion::Holds(_)));
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
pub fn prove(game: &Game, cx: &mut Context) -> Outcome<Proof, Trap> {
    match Search::new(game, &cx.budget) {
        Ok(mut search) => run(&mut search, cx),
        Err(stop) => Outcome {
            conclusion: Conclusion::Unknown(stop),
            refinements: 0,
            elapsed: std::time::Duration::ZERO,
        },
    }
}
