//! Games of two players about words, and what shows who wins, as plain data.
//!
//! The first player moves by one transducer, then the second by another, and so on; none of
//! them changes the length of a word. The second player wants to reach a goal. Randomised
//! protocols for any number of processes are such games: the first player is the scheduler, the
//! second the coins (Lin and Rümmer 2016).

use serde::{Deserialize, Serialize};

use crate::evidence::PlainAutomaton;
use crate::{Letter, Nfa, Transducer};

/// A game of two players about words.
///
/// The second player wins from a word if every play that goes on long enough reaches the goal,
/// whatever the first player does. A word where the first player has no move is won; a word
/// outside the goal where the second player has none is lost. A play ends at the goal.
#[derive(Debug, Clone)]
pub struct Game {
    /// Where plays begin, with a move of the first player.
    pub initial: Nfa,
    /// What the second player wants to reach.
    pub goal: Nfa,
    /// The moves of the first player.
    pub first: Transducer,
    /// The moves of the second player.
    pub second: Transducer,
    /// Whether the second player must win from all that can be reached from the beginning (then
    /// coins may play for it), not only from the beginning itself.
    pub everywhere: bool,
    /// Whether the first player must be weakly fair.
    pub fairness: Option<Choosing>,
}

/// How the first player chooses a process: a letter `waiting` becomes `chosen`, at the place that
/// stands for the process, and nothing else changes; or nothing at all changes, if no process
/// can be chosen. A play is *weakly fair* unless some process could be chosen from some time on
/// in every round, and is never chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choosing {
    /// The letter at the place of a process.
    pub waiting: Letter,
    /// What it becomes when the process is chosen.
    pub chosen: Letter,
}

/// The kind of evidence whose body is an [`OrderEvidence`].
pub const ORDER_KIND: &str = "game-order";

/// The kind of evidence whose body is a [`TrapEvidence`].
pub const TRAP_KIND: &str = "game-trap";

/// A set of words that the second player never leaves, and an order in which it always gets
/// down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderEvidence {
    /// The set.
    pub invariant: PlainAutomaton,
    /// The pairs of a greater and a smaller word.
    pub order: PlainRelation,
}

/// Words of one length among which the first player keeps the play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrapEvidence {
    /// A play into the trap: a word, what the first player makes of it, what the second player
    /// makes of that, and so on; it ends where the first player moves.
    pub play: Vec<Vec<String>>,
    /// The words where the first player moves.
    pub trap: Vec<Vec<String>>,
}

/// A relation between words of one length, as an automaton that reads both at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainRelation {
    /// How many states there are: they are numbered from 0.
    pub states: u32,
    /// The initial states.
    pub initial: Vec<u32>,
    /// The accepting states.
    pub accepting: Vec<u32>,
    /// The moves.
    pub edges: Vec<PlainPairs>,
}

/// The moves of a relation from one state to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainPairs {
    /// Where they leave.
    pub from: u32,
    /// A letter of the left word and one of the right each.
    pub pairs: Vec<(String, String)>,
    /// Where they lead.
    pub to: u32,
}
