//! Word-level models, as BTOR2 has them (Niemetz, Preiner, Wolf and Biere, 2018).
//!
//! * [`Model`]: nodes over words and arrays, with states, inputs and what is asked.
//! * [`read`]: BTOR2 files; [`from_circuit`]: a circuit as one.
//! * [`Word`], [`Value`], [`Evaluator`]: what nodes are in a step of a run.
//! * [`to_bits`]: the model as a circuit; [`to_watched_bits`]: the same with arrays of any size,
//!   of which a few elements are known.
//! * [`WordRun`], [`WatchedProof`], [`WatchedBound`]: evidence about models in words.

mod blast;
mod count;
mod evaluate;
mod model;
mod read;
mod run;
#[cfg(test)]
mod tests;
mod word;
mod write;

pub use blast::{Blasted, Watched, Watching, to_bits, to_watched_bits};
pub use evaluate::{Chooser, Evaluator, Value};
pub use model::{Asked, Model, Node, NodeId, Operand, Operator, Sort, State};
pub use read::{looks_like, read};
pub use run::{
    Chosen, WATCHED_BOUND, WATCHED_INVARIANT, WORD_RUN, WatchedBound, WatchedProof, WordRun,
};
pub use word::Word;
pub use write::from_circuit;
