//! States: decision-diagram model checking over lattices.
//!
//! A modelling language builds a [`Model`]: variables over finite domains and Boolean
//! expressions over their bits. Everything else here works on that.

mod model;

pub use model::{
    Compassion, Domain, Expression, Kind, Model, Node, Valuation, Value, Variable, VariableId,
};
