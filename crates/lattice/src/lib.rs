//! Truth values other than true and false.
//!
//! A [`Lattice`] describes a finite distributive lattice with a De Morgan negation; engines
//! are generic over it. [`Components`] splits a truth value into Booleans, one for each
//! join-irreducible element, so that an engine works with ordinary sets of states.
//!
//! * [`Booleans`] and [`Kleene`]: two and three values;
//! * [`Vacuity`]: a truth value and which parts of a formula do not matter for it;
//! * [`Powerset`] and [`UpSets`]: which statements solve a query;
//! * [`Product`] and [`Table`]: lattices made of others, or given element by element;
//! * [`Approximation`]: maps between lattices that respect the operations.

mod approximation;
mod components;
mod kleene;
mod lattice;
mod powerset;
mod product;
mod table;
mod up_sets;
mod vacuity;

pub use approximation::Approximation;
pub use components::{Component, Components};
pub use kleene::{Kleene, ThreeValue};
pub use lattice::{Booleans, Lattice};
pub use powerset::Powerset;
pub use product::Product;
pub use table::{Element, Table, TableError};
pub use up_sets::{MOST_MINTERMS, UpSets};
pub use vacuity::{Mark, Vacuity, VacuityValue};
