//! Games about words: is the order one that the second player gets down in, is the trap one?
//!
//! What is checked for a claim that the second player wins: the invariant contains the initial
//! words; if it must win everywhere, no round leaves the invariant; the order is irreflexive and
//! transitive; and from every word of the invariant outside the goal, every move of the first
//! player leads to the goal or has an answer that is the goal, or a smaller word of the
//! invariant. The moves keep the length of words, and of one length there are finitely many: an
//! irreflexive and transitive relation has no infinite descent among them. So every play in
//! which the second player answers like that ends, at the goal or where the first player is
//! stuck. Where coins play for the second player, the chance of these answers is bounded from
//! below for each length, and they can be given from everywhere: the goal is reached with
//! probability one.
//!
//! With a fair first player, an answer may also be the word itself if a process was chosen; but
//! in every word where some process can be chosen there must be one whose choice leads to the
//! goal or has a smaller answer. A play that descends no more stays at one word; there this
//! process could be chosen all the time and never is, so the play is not weakly fair.
//!
//! What is checked for a claim that it loses: words of one length, and in each of them a move
//! after which all answers are among them; for a fair first player, that from each of them, for
//! each process, it can get to where the process is chosen or cannot be.

mod order;
mod steps;
mod trap;

use quotient_automata::game::{Game, ORDER_KIND, OrderEvidence, TRAP_KIND, TrapEvidence};
use quotient_core::{Budget, Certified, Claim, Evidence};

use crate::Rejection;

/// Checks evidence about a game.
pub fn certify_game(
    evidence: &Evidence,
    game: &Game,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let unreadable = |error: serde_json::Error| {
        Rejection::unreadable(format!("the evidence cannot be read: {error}"))
    };
    let facts = match (evidence.kind.as_str(), evidence.claim) {
        (ORDER_KIND, Claim::Holds) => {
            let body: OrderEvidence = evidence.read().map_err(unreadable)?;
            order::check(&body, game, budget)?
        }
        (TRAP_KIND, Claim::Violated) => {
            let body: TrapEvidence = evidence.read().map_err(unreadable)?;
            trap::check(&body, game, budget)?
        }
        (kind, _) => {
            let text = format!("evidence of the kind `{kind}` is not about this game");
            return Err(Rejection::unreadable(text));
        }
    };
    Ok(Certified {
        property: property.to_owned(),
        facts,
    })
}
