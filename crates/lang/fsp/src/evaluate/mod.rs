//! What expressions, labels and sets stand for.

mod expression;
mod globals;
mod label;
mod scope;
mod value;

pub(crate) use globals::{Globals, duplicate};
pub(crate) use label::Expander;
pub(crate) use scope::Scope;
pub(crate) use value::Value;
