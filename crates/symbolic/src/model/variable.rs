//! Variables, their domains, and how values are coded in bits.

use std::fmt;

use super::{Expression, Model, Valuation};

/// A variable of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub(super) u32);

impl VariableId {
    /// The position in [`Model::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known about a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name to show.
    pub name: String,
    /// How it changes.
    pub kind: Kind,
    /// Its values.
    pub domain: Domain,
    pub(super) first_bit: u32,
    pub(super) bits: u32,
}

impl Variable {
    /// Its bits, least significant first.
    pub fn bits(&self) -> std::ops::Range<u32> {
        self.first_bit..self.first_bit + self.bits
    }
}

/// How a variable changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Part of the state; it may change in a step.
    State,
    /// Chosen anew in every step; no part of the state.
    Input,
    /// Part of the state; it never changes. Its next bits are its current bits.
    Frozen,
}

/// The values of a variable. A value is coded as a number, and the number in binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// False (0) and true (1).
    Boolean,
    /// Named values; the code is the position.
    Enumeration(Vec<String>),
    /// The integers from the first to the second, both included; the code is the distance
    /// from the first.
    Range(i64, i64),
    /// Numbers of a fixed width; the code is the unsigned number or the two's complement.
    Word {
        /// How many bits.
        width: u32,
        /// Whether the highest bit is a sign.
        signed: bool,
    },
}

impl Domain {
    /// Named values, in this order.
    pub fn enumeration(names: impl IntoIterator<Item = impl Into<String>>) -> Domain {
        Domain::Enumeration(names.into_iter().map(Into::into).collect())
    }

    /// How many bits a code has.
    pub fn bits(&self) -> u32 {
        match self.size() {
            Some(size) => size
                .saturating_sub(1)
                .checked_ilog2()
                .map_or(0, |log| log + 1),
            None => match self {
                Domain::Word { width, .. } => *width,
                _ => 64,
            },
        }
    }

    /// How many values there are; `None` if more than a `u64` counts.
    pub fn size(&self) -> Option<u64> {
        match self {
            Domain::Boolean => Some(2),
            Domain::Enumeration(names) => Some(names.len() as u64),
            Domain::Range(low, high) if low > high => Some(0),
            Domain::Range(low, high) => high.abs_diff(*low).checked_add(1),
            Domain::Word { width, .. } => 1u64.checked_shl(*width),
        }
    }

    /// Whether some codes stand for no value.
    pub fn has_unused_codes(&self) -> bool {
        match self {
            Domain::Enumeration(_) | Domain::Range(..) => {
                self.size().is_some_and(|size| !size.is_power_of_two())
            }
            Domain::Boolean | Domain::Word { .. } => false,
        }
    }

    /// The value with the given bits of its code, least significant first.
    pub fn decode(&self, bits: &[bool]) -> Value {
        let code = bits
            .iter()
            .take(64)
            .enumerate()
            .fold(0u64, |code, (i, &bit)| code | u64::from(bit) << i);
        match self {
            Domain::Boolean => Value::Boolean(code != 0),
            Domain::Enumeration(names) => match names.get(code as usize) {
                Some(name) => Value::Name(name.clone()),
                None => Value::Unused(code),
            },
            Domain::Range(low, high) => match low.checked_add_unsigned(code) {
                Some(number) if number <= *high => Value::Integer(number),
                _ => Value::Unused(code),
            },
            Domain::Word { signed, .. } => Value::Word {
                bits: bits.to_vec(),
                signed: *signed,
            },
        }
    }
}

/// A value of a variable, to show.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// True or false.
    Boolean(bool),
    /// A named value.
    Name(String),
    /// A number of a range.
    Integer(i64),
    /// A word, least significant bit first.
    Word {
        /// Its bits.
        bits: Vec<bool>,
        /// Whether the highest bit is a sign.
        signed: bool,
    },
    /// A code that stands for no value; no legal state has one.
    Unused(u64),
}

impl fmt::Display for Value {
    /// `TRUE`, `idle`, `-3`, `0ud8_255`: a word says whether it is signed and how wide it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Boolean(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            Value::Name(name) => f.write_str(name),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Word { bits, signed } => write_word(f, bits, *signed),
            Value::Unused(code) => write!(f, "<unused code {code}>"),
        }
    }
}

/// Decimal where a machine word holds it, binary beyond.
fn write_word(f: &mut fmt::Formatter<'_>, bits: &[bool], signed: bool) -> fmt::Result {
    let width = bits.len();
    if width > 64 {
        write!(f, "0{}b{width}_", if signed { 's' } else { 'u' })?;
        return bits
            .iter()
            .rev()
            .try_for_each(|&bit| f.write_str(if bit { "1" } else { "0" }));
    }
    let code = bits
        .iter()
        .enumerate()
        .fold(0i128, |code, (i, &bit)| code | i128::from(bit) << i);
    match signed {
        true if bits.last() == Some(&true) => {
            write!(f, "-0sd{width}_{}", (1i128 << width) - code)
        }
        true => write!(f, "0sd{width}_{code}"),
        false => write!(f, "0ud{width}_{code}"),
    }
}

impl Model {
    /// A bit of a variable in the current state (or step, for inputs); bit 0 is the least
    /// significant.
    pub fn bit(&mut self, variable: VariableId, bit: u32) -> Expression {
        let bit = self.global_bit(variable, bit);
        self.graph.bit(bit, false)
    }

    /// A bit of a variable in the next state; for a frozen variable its current bit.
    ///
    /// # Panics
    /// For an input, which has no next value: languages refuse that before.
    pub fn next_bit(&mut self, variable: VariableId, bit: u32) -> Expression {
        let kind = self.variable(variable).kind;
        assert!(kind != Kind::Input, "an input has no next value");
        let bit = self.global_bit(variable, bit);
        self.graph.bit(bit, kind == Kind::State)
    }

    fn global_bit(&self, variable: VariableId, bit: u32) -> u32 {
        let variable = self.variable(variable);
        assert!(bit < variable.bits, "`{}` has no bit {bit}", variable.name);
        variable.first_bit + bit
    }

    /// The variable has the value with this code now.
    pub fn is_value(&mut self, variable: VariableId, code: u64) -> Expression {
        let bits: Vec<Expression> = (0..self.variable(variable).bits)
            .map(|bit| self.bit(variable, bit))
            .collect();
        self.is_code(&bits, code)
    }

    /// The variable has the value with this code in the next state.
    pub fn next_is_value(&mut self, variable: VariableId, code: u64) -> Expression {
        let bits: Vec<Expression> = (0..self.variable(variable).bits)
            .map(|bit| self.next_bit(variable, bit))
            .collect();
        self.is_code(&bits, code)
    }

    fn is_code(&mut self, bits: &[Expression], code: u64) -> Expression {
        if bits.len() < 64 && code >> bits.len() != 0 {
            return Expression::FALSE;
        }
        let literals: Vec<Expression> = bits
            .iter()
            .enumerate()
            .map(|(i, &bit)| {
                if i < 64 && code >> i & 1 == 1 {
                    bit
                } else {
                    !bit
                }
            })
            .collect();
        self.and_all(literals)
    }

    /// The code of the variable stands for a value; true where every code does. The model
    /// takes this for granted in every state and step: languages need not add it.
    pub fn has_value(&mut self, variable: VariableId) -> Expression {
        let domain = &self.variable(variable).domain;
        if !domain.has_unused_codes() {
            return Expression::TRUE;
        }
        let Some(last) = domain.size().and_then(|size| size.checked_sub(1)) else {
            return Expression::FALSE;
        };
        // `code <= last`, from the least significant bit up.
        let mut at_most = Expression::TRUE;
        for i in 0..self.variable(variable).bits {
            let bit = self.bit(variable, i);
            at_most = match last >> i & 1 {
                1 => self.or(!bit, at_most),
                _ => self.and(!bit, at_most),
            };
        }
        at_most
    }

    /// The value of a variable in a valuation.
    pub fn value(&self, variable: VariableId, valuation: &Valuation) -> Value {
        let variable = self.variable(variable);
        let bits: Vec<bool> = variable.bits().map(|bit| valuation.get(bit)).collect();
        variable.domain.decode(&bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_as_many_bits_as_they_need() {
        for (size, bits) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (9, 4)] {
            assert_eq!(Domain::Range(1, size).bits(), bits, "{size} values");
        }
        assert_eq!(Domain::Range(i64::MIN, i64::MAX).bits(), 64);
        assert_eq!(
            Domain::Word {
                width: 70,
                signed: false
            }
            .bits(),
            70
        );
    }

    #[test]
    fn has_value_excludes_exactly_the_unused_codes() {
        for size in 1..9i64 {
            let mut model = Model::new();
            let variable = model.add_variable("v", Kind::State, Domain::Range(0, size - 1));
            let legal = model.has_value(variable);
            for code in 0..1u64 << model.bit_count() {
                let mut valuation = Valuation::new(model.bit_count());
                (0..model.bit_count() as u32)
                    .for_each(|bit| valuation.set(bit, code >> bit & 1 == 1));
                assert_eq!(model.evaluate(legal, &valuation, None), code < size as u64);
            }
        }
    }

    #[test]
    fn words_print_with_sign_and_width() {
        let signed = Domain::Word {
            width: 4,
            signed: true,
        };
        let unsigned = Domain::Word {
            width: 4,
            signed: false,
        };
        let bits = [true, false, true, true];
        assert_eq!(signed.decode(&bits).to_string(), "-0sd4_3");
        assert_eq!(unsigned.decode(&bits).to_string(), "0ud4_13");
        let wide = Domain::Word {
            width: 65,
            signed: false,
        }
        .decode(&[true; 65]);
        assert!(wide.to_string().starts_with("0ub65_11"));
    }
}
