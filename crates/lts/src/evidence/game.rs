//! Evidence about formulas of the modal mu-calculus.

use serde::{Deserialize, Serialize};

/// The kind of evidence that a formula of the modal mu-calculus holds or does not: a [`GameData`].
pub const GAME: &str = "components-game";

/// A way to win the game about a formula: the one who says that it holds chooses where it is
/// enough that one thing holds, the other where all must. Whoever cannot move loses; of an
/// endless play the outermost fixpoint that is met again and again decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameData {
    /// The choices of the winner: a state and a part of the formula, and the state and part to go
    /// on with. States are those of the system multiplied out by the checker, the error state
    /// after the last.
    pub moves: Vec<[u32; 4]>,
}
