//! Truth values other than true and false.
//!
//! A [`Lattice`] describes a finite distributive lattice with a De Morgan negation; engines
//! are generic over it. Elements are small plain values, so that a decision diagram can carry
//! them at its leaves.

mod lattice;

pub use lattice::{Booleans, Lattice};
