//! Values, domains, and the code of a value in bits.

use crate::{Bits, WIDEST};

/// A symbolic constant, by its position in [`Model::symbols`](crate::Model::symbols).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub usize);

/// A value of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// True or false.
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

/// What the values of an expression are. Integers and symbols are one type: an enumeration may
/// hold both, and arithmetic on a symbol has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// Truth values.
    Boolean,
    /// Integers and symbols.
    Scalar,
    /// Words of one width and sign.
    Word {
        /// Whether the highest bit is a sign.
        signed: bool,
        /// How many bits.
        width: u32,
    },
}

impl Value {
    /// A word of the lowest `width` bits; widths are from 1 to [`WIDEST`].
    pub fn word(signed: bool, width: u32, bits: impl Into<Bits>) -> Value {
        let width = width.clamp(1, WIDEST);
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

    /// What kind of value it is.
    pub fn type_of(self) -> Type {
        match self {
            Value::Boolean(_) => Type::Boolean,
            Value::Integer(_) | Value::Symbol(_) => Type::Scalar,
            Value::Word { signed, width, .. } => Type::Word { signed, width },
        }
    }
}

/// The values of a variable, in an order: the *code* of a value is its place in that order,
/// and sets of states ask for the bits of codes.
///
/// ```
/// use quotient_states::{Domain, Value};
/// let domain = Domain::Range(-1, 3);
/// assert_eq!(domain.bits(), 3);
/// assert_eq!(domain.code(Value::Integer(2)), Some(3.into()));
/// assert_eq!(domain.value(3), Some(Value::Integer(2)));
/// assert_eq!(domain.value(5), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// False (0) and true (1).
    Boolean,
    /// The integers from the first to the second, both included; the code is the distance from
    /// the first.
    Range(i64, i64),
    /// Different integers and symbols; the code is the position.
    Enumeration(Vec<Value>),
    /// Words; the code is the word read without sign.
    Word {
        /// Whether the highest bit is a sign.
        signed: bool,
        /// How many bits, from 1 to [`WIDEST`].
        width: u32,
    },
}

impl Domain {
    /// The type of the values.
    pub fn type_of(&self) -> Type {
        match *self {
            Domain::Boolean => Type::Boolean,
            Domain::Range(..) | Domain::Enumeration(_) => Type::Scalar,
            Domain::Word { signed, width } => Type::Word { signed, width },
        }
    }

    /// The largest code.
    pub fn last_code(&self) -> Bits {
        match self {
            Domain::Boolean => Bits::from(1),
            Domain::Range(low, high) => Bits::from(high.abs_diff(*low)),
            Domain::Enumeration(values) => Bits::from(values.len().saturating_sub(1) as u64),
            Domain::Word { width, .. } => (!Bits::ZERO).cut((*width).clamp(1, WIDEST)),
        }
    }

    /// How many bits a code has.
    pub fn bits(&self) -> u32 {
        self.last_code().length()
    }

    /// The code of a value; `None` if it is not in the domain.
    pub fn code(&self, value: Value) -> Option<Bits> {
        match (self, value) {
            (Domain::Boolean, Value::Boolean(value)) => Some(Bits::from(u64::from(value))),
            (&Domain::Range(low, high), Value::Integer(number)) if number <= high => {
                (low <= number).then(|| Bits::from(number.abs_diff(low)))
            }
            (Domain::Enumeration(values), value) => {
                let position = values.iter().position(|&known| known == value);
                position.map(|position| Bits::from(position as u64))
            }
            (&Domain::Word { .. }, Value::Word { bits, .. }) => {
                (value.type_of() == self.type_of()).then_some(bits)
            }
            _ => None,
        }
    }

    /// The value with a code, if there is one.
    pub fn value(&self, code: impl Into<Bits>) -> Option<Value> {
        let code = code.into();
        if code > self.last_code() {
            return None;
        }
        match self {
            Domain::Boolean => Some(Value::Boolean(code.bit(0))),
            Domain::Range(low, _) => low.checked_add_unsigned(code.as_u64()?).map(Value::Integer),
            Domain::Enumeration(values) => {
                values.get(usize::try_from(code.as_u64()?).ok()?).copied()
            }
            &Domain::Word { signed, width } => Some(Value::word(signed, width, code)),
        }
    }

    /// Whether a value belongs to the domain.
    pub fn contains(&self, value: Value) -> bool {
        self.code(value).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_values_are_inverse() {
        let symbol = |at| Value::Symbol(SymbolId(at));
        let domains = [
            Domain::Boolean,
            Domain::Range(-3, 4),
            Domain::Range(7, 7),
            Domain::Enumeration(vec![symbol(4), Value::Integer(-1), symbol(0)]),
            Domain::Word {
                signed: true,
                width: 3,
            },
        ];
        for domain in domains {
            let last = domain.last_code().as_u64().unwrap();
            assert!(last < 1 << domain.bits());
            for code in 0..=last {
                let value = domain.value(code).unwrap();
                assert_eq!(domain.code(value), Some(code.into()));
                assert_eq!(value.type_of(), domain.type_of());
            }
            assert_eq!(domain.value(last + 1), None);
        }
    }

    #[test]
    fn the_widest_integers_have_64_bits_and_words_more() {
        let all = Domain::Range(i64::MIN, i64::MAX);
        assert_eq!((all.bits(), all.last_code()), (64, u64::MAX.into()));
        assert_eq!(all.value(u64::MAX), Some(Value::Integer(i64::MAX)));
        assert_eq!(all.code(Value::Integer(i64::MIN)), Some(Bits::ZERO));
        assert_eq!(Domain::Range(5, 5).bits(), 0);
        let least = Value::word(true, 64, 1 << 63);
        assert_eq!(least.number(), Some(-(1i128 << 63)));
        let (signed, width) = (true, 200);
        let words = Domain::Word { signed, width };
        assert_eq!(words.bits(), 200);
        let lowest = Value::word(signed, width, Bits::from(1) << 199);
        assert_eq!(words.value(Bits::from(1) << 199), Some(lowest));
        assert_eq!(words.value(Bits::from(1) << 200), None);
        assert_eq!(lowest.number(), None);
        assert_eq!(lowest.magnitude(), Some((true, Bits::from(1) << 199)));
    }

    #[test]
    fn values_outside_have_no_code() {
        assert_eq!(Domain::Range(0, 3).code(Value::Integer(9)), None);
        assert_eq!(Domain::Range(0, 3).code(Value::Integer(-1)), None);
        assert_eq!(Domain::Boolean.code(Value::Integer(1)), None);
        let word = Domain::Word {
            signed: false,
            width: 3,
        };
        assert!(word.contains(Value::word(false, 3, 7)));
        assert!(!word.contains(Value::word(true, 3, 7)));
        assert!(!word.contains(Value::word(false, 4, 7)));
    }
}
