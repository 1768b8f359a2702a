//! Values, domains and types.

use std::fmt;

pub use quotient_states::{Bits, WIDEST};

/// A symbolic constant, by its position in [`Program::symbols`](crate::Program::symbols).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub(crate) u32);

impl SymbolId {
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A symbolic constant.
    Symbol(SymbolId),
    /// A word; the bits above the width are zero, signed or not.
    Word {
        /// Whether the highest bit is a sign.
        signed: bool,
        /// How many bits, from 1 to [`WIDEST`].
        width: u32,
        /// The bits.
        bits: Bits,
    },
}

impl Value {
    /// A word of the lowest `width` bits.
    pub fn word(signed: bool, width: u32, bits: impl Into<Bits>) -> Value {
        let bits = bits.into().cut(width);
        Value::Word {
            signed,
            width,
            bits,
        }
    }

    /// The number that an integer or a word stands for, if 127 bits and a sign hold it.
    pub fn number(self) -> Option<i128> {
        match self {
            Value::Integer(number) => Some(number.into()),
            Value::Word { .. } => {
                let (minus, magnitude) = self.magnitude()?;
                let number = (magnitude.length() <= 127).then(|| {
                    let [high, low] = [64, 0].map(|at| (magnitude >> at).cut(64).as_u64());
                    i128::from(high.unwrap_or(0)) << 64 | i128::from(low.unwrap_or(0))
                })?;
                Some(if minus { -number } else { number })
            }
            Value::Boolean(_) | Value::Symbol(_) => None,
        }
    }

    /// Whether a word stands for a negative number, and the number without its sign.
    pub fn magnitude(self) -> Option<(bool, Bits)> {
        match self {
            Value::Word {
                signed,
                width,
                bits,
            } => match signed && bits.bit(width as usize - 1) {
                true => Some((true, bits.widened(width).negated())),
                false => Some((false, bits)),
            },
            _ => None,
        }
    }

    /// The type of the value.
    pub fn element(self) -> Element {
        match self {
            Value::Boolean(_) => Element::Boolean,
            Value::Integer(_) => Element::Integer,
            Value::Symbol(_) => Element::Symbolic,
            Value::Word { signed, width, .. } => Element::Word { signed, width },
        }
    }
}

impl fmt::Display for Value {
    /// As SMV writes it. A symbol shows its number: only its program knows the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Boolean(true) => f.write_str("TRUE"),
            Value::Boolean(false) => f.write_str("FALSE"),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Symbol(symbol) => write!(f, "symbol {}", symbol.0),
            Value::Word { signed, width, .. } => {
                let (minus, magnitude) = self.magnitude().unwrap_or((false, Bits::ZERO));
                let minus = if minus { "-" } else { "" };
                let sign = if signed { 's' } else { 'u' };
                write!(f, "{minus}0{sign}d{width}_{magnitude}")
            }
        }
    }
}

/// The values of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// `boolean`.
    Boolean,
    /// `low..high`, not empty.
    Range(i64, i64),
    /// Different integers and symbols, in the order of the source.
    Enumeration(Vec<Value>),
    /// `word[width]`.
    Word {
        /// Whether the highest bit is a sign.
        signed: bool,
        /// How many bits.
        width: u32,
    },
}

impl Domain {
    /// The type of the values.
    pub fn element(&self) -> Element {
        match self {
            Domain::Boolean => Element::Boolean,
            Domain::Range(..) => Element::Integer,
            Domain::Enumeration(values) => values
                .iter()
                .map(|value| value.element())
                .reduce(|left, right| left.common(right).unwrap_or(Element::Mixed))
                .unwrap_or(Element::Symbolic),
            &Domain::Word { signed, width } => Element::Word { signed, width },
        }
    }

    /// Whether a value belongs to the domain.
    pub fn contains(&self, value: Value) -> bool {
        match (self, value) {
            (Domain::Boolean, Value::Boolean(_)) => true,
            (Domain::Range(low, high), Value::Integer(number)) => (low..=high).contains(&&number),
            (Domain::Enumeration(values), value) => values.contains(&value),
            (&Domain::Word { signed, width }, value) => {
                value.element() == Element::Word { signed, width }
            }
            _ => false,
        }
    }

    /// The first value.
    pub fn first(&self) -> Value {
        match self {
            Domain::Boolean => Value::Boolean(false),
            &Domain::Range(low, _) => Value::Integer(low),
            Domain::Enumeration(values) => values[0],
            &Domain::Word { signed, width } => Value::word(signed, width, 0),
        }
    }

    /// All values in order, or `None` if there are more than `limit`.
    pub fn values(&self, limit: usize) -> Option<Vec<Value>> {
        let values: Vec<Value> = match self {
            Domain::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
            &Domain::Range(low, high) if high.abs_diff(low) < limit as u64 => {
                (low..=high).map(Value::Integer).collect()
            }
            Domain::Enumeration(values) => values.clone(),
            &Domain::Word { signed, width } if width < 32 && 1usize << width <= limit => {
                let all = 0..1u64 << width;
                all.map(|bits| Value::word(signed, width, bits)).collect()
            }
            _ => return None,
        };
        (values.len() <= limit).then_some(values)
    }
}

/// What single values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// Truth values.
    Boolean,
    /// Integers.
    Integer,
    /// Symbolic constants.
    Symbolic,
    /// Integers and symbolic constants together.
    Mixed,
    /// Words of one width and sign.
    Word {
        /// Whether the highest bit is a sign.
        signed: bool,
        /// How many bits.
        width: u32,
    },
}

impl Element {
    /// The smallest type that both convert to.
    pub fn common(self, other: Element) -> Option<Element> {
        use Element as E;
        match (self, other) {
            _ if self == other => Some(self),
            (E::Integer | E::Symbolic | E::Mixed, E::Integer | E::Symbolic | E::Mixed) => {
                Some(E::Mixed)
            }
            _ => None,
        }
    }

    /// The one of the two that the other converts to.
    pub fn greater(self, other: Element) -> Option<Element> {
        self.common(other)
            .filter(|&common| common == self || common == other)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Boolean => f.write_str("boolean"),
            Element::Integer => f.write_str("integer"),
            Element::Symbolic => f.write_str("symbolic"),
            Element::Mixed => f.write_str("integer-and-symbolic"),
            Element::Word {
                signed: false,
                width,
            } => write!(f, "unsigned word[{width}]"),
            Element::Word {
                signed: true,
                width,
            } => write!(f, "signed word[{width}]"),
        }
    }
}

/// The type of an expression: values, or sets of values to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    /// What single values are.
    pub element: Element,
    /// Whether the expression stands for a set of them.
    pub set: bool,
}

impl Type {
    /// Single values.
    pub fn of(element: Element) -> Type {
        Type {
            element,
            set: false,
        }
    }

    /// Sets of values.
    pub fn set_of(element: Element) -> Type {
        Type { element, set: true }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.set {
            true => write!(f, "{} set", self.element),
            false => self.element.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_print_with_sign_and_width() {
        assert_eq!(Value::word(false, 8, 255).to_string(), "0ud8_255");
        assert_eq!(Value::word(true, 8, 255).to_string(), "-0sd8_1");
        assert_eq!(
            Value::word(true, 64, 1 << 63).number(),
            Some(-(1i128 << 63))
        );
        let lowest = Value::word(true, 100, Bits::from(1) << 99);
        assert_eq!(lowest.to_string(), "-0sd100_633825300114114700748351602688");
    }

    #[test]
    fn integers_and_symbols_meet_in_mixed_but_neither_is_greater() {
        assert_eq!(
            Element::Integer.common(Element::Symbolic),
            Some(Element::Mixed)
        );
        assert_eq!(Element::Integer.greater(Element::Symbolic), None);
        assert_eq!(
            Element::Integer.greater(Element::Mixed),
            Some(Element::Mixed)
        );
        assert_eq!(Element::Integer.common(Element::Boolean), None);
    }
}
