//! Steps that change nothing.

/// What to do when a step that changes nothing is not among the steps.
///
/// Adding it changes no reachable set. It makes the sets of a run grow, so that a run surely
/// ends; without it sets may come back in turns, which the engine notices as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Identity {
    /// Add it unless it can be seen to be there.
    #[default]
    Auto,
    /// Add it.
    Add,
    /// Leave the relation as it is.
    AsGiven,
}
