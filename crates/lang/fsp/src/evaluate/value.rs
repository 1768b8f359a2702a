//! Values of expressions.

use std::fmt;
use std::sync::Arc;

/// A number or a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Integer(i32),
    Label(Arc<str>),
}

impl Value {
    /// The value of a label. One that is written like a number is that number: `set S = {[3], [7]}`
    /// has labels that can be compared and added.
    pub(crate) fn of_label(label: &Arc<str>) -> Value {
        match label.parse() {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Label(Arc::clone(label)),
        }
    }

    /// Writes the value behind a text: large processes have millions of them, and most are short numbers.
    pub(crate) fn write_to(&self, text: &mut String) {
        match self {
            Value::Integer(value @ 0..=9) => text.push(char::from(b'0' + *value as u8)),
            Value::Integer(value @ 10..=99) => {
                text.push(char::from(b'0' + (*value / 10) as u8));
                text.push(char::from(b'0' + (*value % 10) as u8));
            }
            Value::Integer(value) => text.push_str(&value.to_string()),
            Value::Label(label) => text.push_str(label),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => write!(f, "{value}"),
            Value::Label(label) => f.write_str(label),
        }
    }
}
