//! Values of expressions.

use std::fmt;
use std::sync::Arc;

/// A number or a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Integer(i32),
    Label(Arc<str>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => write!(f, "{value}"),
            Value::Label(label) => f.write_str(label),
        }
    }
}
