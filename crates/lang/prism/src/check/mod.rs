//! Properties of a model, checked.

mod chance;
mod exactly;
mod filter;
mod formula;
mod given;
mod limit;
mod linear;
mod mass;
mod outcome;
mod prefix;
mod quantile;
mod run;
mod several;
mod total;
mod witness;

pub(crate) use chance::{Simple, compared, is_followed, is_linear, simple_path};
pub(crate) use filter::middle;
pub(crate) use formula::is_plain;
pub(crate) use linear::is_path;
pub(crate) use run::{Asked, How, Run, check_property, is_vague, tell_number};
