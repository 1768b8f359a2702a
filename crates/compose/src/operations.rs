//! Operations on transition systems: one a file.

mod branching;
mod complete;
mod compose;
mod covered;
mod determinise;
mod failures;
mod minimise;
mod relabel;
mod strong;
mod towards_error;
mod weak;

pub(crate) use branching::branching_blocks;
pub use complete::complete;
pub(crate) use compose::{
    Beginning, Composed, compose, compose_beginning, compose_followed, compose_merged_with_locals,
    compose_with_locals,
};
pub(crate) use determinise::Closure;
pub use determinise::determinise;
pub(crate) use failures::by_failures;
pub use minimise::{minimise, minimise_by};
pub use relabel::{hide, project};
pub(crate) use strong::strong_blocks;
pub(crate) use towards_error::towards_error;
pub(crate) use weak::weak_blocks;
