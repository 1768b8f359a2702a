//! Path formulas of any shape, for evidence: a second way to what the engine does, and the one that
//! is checked.
//!
//! The engine unfolds a formula letter by letter and guesses which of its parts hold for good. Here
//! it becomes a Büchi automaton first (`quotient_logic`), which is made deterministic but for one
//! step (`automaton`), and the model is multiplied with that (`product`). Then all that is left is
//! the greatest chance of reaching a goal, for which there are bounds that can be checked.
//!
//! What is earned until a formula is fulfilled needs less: what is left of it, letter by letter
//! (`prefix`).

mod automaton;
mod joint;
mod prefix;
mod product;
mod spoken;

pub(crate) use joint::{Joint, Said, joint};
pub(crate) use prefix::prefixed;
pub(crate) use product::{components, components_of, product};
pub(crate) use spoken::spoken;
