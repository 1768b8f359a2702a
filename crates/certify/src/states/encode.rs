//! Expressions of a model in bits: what the evaluator of `quotient-states` says, as gates.
//!
//! A variable is the bits of its code. An expression is its value in bits and a literal that
//! says whether it has one; where it has none, the bits mean nothing. Integers and symbols are
//! a flag (whether it is a symbol) and a number in two's complement, just wide enough.

use quotient_core::{Budget, Stop};
use quotient_states::{
    Bits as Word, Domain, ExpressionId, Kind, Model, Node, Operator, State, Type, Value, VariableId,
};
use rustsat::types::Lit;

use super::circuit::Circuit;
use super::number;

/// The bits of the codes of all variables in one state, by variable.
pub(super) struct Frame(Vec<Vec<Lit>>);

/// A value in bits.
#[derive(Clone)]
pub(super) enum Bits {
    Boolean(Lit),
    Scalar { symbol: Lit, bits: Vec<Lit> },
    Word { signed: bool, bits: Vec<Lit> },
}

/// An expression in bits.
#[derive(Clone)]
pub(super) struct Encoded {
    pub(super) value: Bits,
    pub(super) defined: Lit,
}

/// Expressions in one state or step, by id; those that were not asked for are left out.
pub(super) struct Encoding(Vec<Option<Encoded>>);

impl Frame {
    /// Any codes; frozen variables have those of the state before.
    pub(super) fn new(circuit: &mut Circuit, model: &Model, before: Option<&Frame>) -> Frame {
        let mut codes = Vec::new();
        for (at, variable) in model.variables.iter().enumerate() {
            codes.push(match (variable.kind, before) {
                (Kind::Frozen, Some(before)) => before.0[at].clone(),
                _ => {
                    let bits = 0..variable.domain.bits();
                    bits.map(|_| circuit.free()).collect()
                }
            });
        }
        Frame(codes)
    }

    /// A bit of the code of a variable, if there is one.
    pub(super) fn bit(&self, variable: VariableId, bit: u32) -> Option<Lit> {
        let bit = usize::try_from(bit).ok()?;
        self.0[variable.0].get(bit).copied()
    }

    /// That every code has a value.
    pub(super) fn in_domain(&self, circuit: &mut Circuit, model: &Model) -> Lit {
        let mut inside = circuit.constant(true);
        for (variable, code) in model.variables.iter().zip(&self.0) {
            let last = number::word(circuit, variable.domain.last_code(), code.len());
            let beyond = number::less_unsigned(circuit, &last, code);
            inside = circuit.and(inside, !beyond);
        }
        inside
    }

    /// That the variables of the state, without inputs, have the values of another.
    pub(super) fn same_state(&self, circuit: &mut Circuit, model: &Model, other: &Frame) -> Lit {
        let mut same = circuit.constant(true);
        for (at, variable) in model.variables.iter().enumerate() {
            if variable.kind != Kind::Input {
                let equal = number::equal(circuit, &self.0[at], &other.0[at]);
                same = circuit.and(same, equal);
            }
        }
        same
    }

    /// That the variables of the state, without inputs, have these values; none if one of them
    /// is outside of its domain.
    pub(super) fn is_state(&self, model: &Model, state: &State) -> Option<Vec<Lit>> {
        let mut literals = Vec::new();
        for (at, variable) in model.variables.iter().enumerate() {
            if variable.kind != Kind::Input {
                let code = variable.domain.code(state.0[at])?;
                let bits = self.0[at].iter().enumerate();
                literals.extend(bits.map(|(i, &bit)| if code.bit(i) { bit } else { !bit }));
            }
        }
        Some(literals)
    }

    /// The state in the possibility found last, if every code has a value.
    pub(super) fn state(&self, circuit: &Circuit, model: &Model) -> Option<State> {
        let mut values = Vec::new();
        for (variable, bits) in model.variables.iter().zip(&self.0) {
            let code = Word::collect(bits.iter().map(|&bit| circuit.value(bit)));
            values.push(variable.domain.value(code)?);
        }
        Some(State(values))
    }
}

impl Encoding {
    /// Expressions and all that they are made of.
    pub(super) fn new(
        circuit: &mut Circuit,
        model: &Model,
        roots: impl IntoIterator<Item = ExpressionId>,
        now: &Frame,
        next: Option<&Frame>,
        budget: &Budget,
    ) -> Result<Encoding, Stop> {
        let needed = model.expressions.below(roots);
        let mut encoded: Vec<Option<Encoded>> = vec![None; needed.len()];
        for (at, &node) in model.expressions.nodes().iter().enumerate() {
            if needed[at] {
                budget.poll()?;
                let mut encoder = Encoder { circuit, model };
                encoded[at] = encoder.node(node, &encoded, now, next);
            }
        }
        Ok(Encoding(encoded))
    }

    /// Value and definedness of a condition; of what was not asked for nothing is known.
    fn condition(&self, circuit: &Circuit, id: ExpressionId) -> (Lit, Lit) {
        match &self.0[id.0] {
            Some(Encoded {
                value: Bits::Boolean(value),
                defined,
            }) => (*value, *defined),
            _ => (circuit.constant(false), circuit.constant(false)),
        }
    }

    /// That a condition has a value, and which.
    pub(super) fn surely(&self, circuit: &mut Circuit, id: ExpressionId, truth: bool) -> Lit {
        let (value, defined) = self.condition(circuit, id);
        circuit.and(defined, if truth { value } else { !value })
    }

    /// That a condition is true or has no value.
    pub(super) fn perhaps(&self, circuit: &mut Circuit, id: ExpressionId) -> Lit {
        !self.surely(circuit, id, false)
    }

    /// An expression in bits, if it was asked for.
    #[cfg(test)]
    pub(super) fn of(&self, id: ExpressionId) -> Option<&Encoded> {
        self.0[id.0].as_ref()
    }
}

struct Encoder<'a> {
    circuit: &'a mut Circuit,
    model: &'a Model,
}

impl Encoder<'_> {
    /// A node from its operands; `None` if one is missing or does not fit, which does not happen
    /// in a model that was checked.
    fn node(
        &mut self,
        node: Node,
        encoded: &[Option<Encoded>],
        now: &Frame,
        next: Option<&Frame>,
    ) -> Option<Encoded> {
        let of = |id: ExpressionId| encoded[id.0].clone();
        let yes = self.circuit.constant(true);
        let always = |value: Bits| {
            let defined = yes;
            Some(Encoded { value, defined })
        };
        match node {
            Node::Constant(value) => always(self.constant(value)),
            Node::Variable {
                variable,
                next: is_next,
            } => match (is_next, next) {
                (false, _) => always(self.variable(variable, &now.0[variable.0])),
                (true, Some(next)) => always(self.variable(variable, &next.0[variable.0])),
                (true, None) => {
                    let domain = &self.model.variables[variable.0].domain;
                    Some(self.undefined(domain.type_of()))
                }
            },
            Node::Undefined(of) => Some(self.undefined(of)),
            Node::Not(operand) => {
                let Encoded { value, defined } = of(operand)?;
                let value = match value {
                    Bits::Boolean(value) => Bits::Boolean(!value),
                    Bits::Word { signed, bits } => Bits::Word {
                        signed,
                        bits: bits.into_iter().map(|bit| !bit).collect(),
                    },
                    Bits::Scalar { .. } => return None,
                };
                Some(Encoded { value, defined })
            }
            Node::Negate(operand) => {
                let Encoded { value, defined } = of(operand)?;
                match value {
                    Bits::Scalar { symbol, bits } => {
                        let wide = number::resize_signed(self.circuit, &bits, bits.len() + 1);
                        let negated = number::negate(self.circuit, &wide);
                        let defined = self.circuit.and(defined, !symbol);
                        Some(self.integer(negated, defined))
                    }
                    Bits::Word { signed, bits } => {
                        let bits = number::negate(self.circuit, &bits);
                        let value = Bits::Word { signed, bits };
                        Some(Encoded { value, defined })
                    }
                    Bits::Boolean(_) => None,
                }
            }
            Node::Binary(operator, left, right) => self.binary(operator, of(left)?, of(right)?),
            Node::Choose(test, then, other) => self.choose(&of(test)?, of(then)?, of(other)?),
            Node::Bits { operand, high, low } => {
                let Encoded { value, defined } = of(operand)?;
                let Bits::Word { bits, .. } = value else {
                    return None;
                };
                let value = Bits::Word {
                    signed: false,
                    bits: bits.get(low as usize..=high as usize)?.to_vec(),
                };
                Some(Encoded { value, defined })
            }
            // Where there is a step, which is asked for beside it.
            Node::After(operand) => of(operand),
            Node::IsInteger(operand) => {
                let Encoded { value, defined } = of(operand)?;
                let Bits::Scalar { symbol, .. } = value else {
                    return None;
                };
                let value = Bits::Boolean(!symbol);
                Some(Encoded { value, defined })
            }
            Node::ToInteger(operand) => {
                let Encoded { value, defined } = of(operand)?;
                let bits = self.as_number(&value)?;
                Some(self.integer(bits, defined))
            }
            Node::ToWord {
                operand,
                signed,
                width,
            } => {
                let Encoded { value, defined } = of(operand)?;
                let number = self.as_number(&value)?;
                let bits = number::resize_signed(self.circuit, &number, width as usize);
                let value = Bits::Word { signed, bits };
                Some(Encoded { value, defined })
            }
        }
    }

    fn constant(&mut self, value: Value) -> Bits {
        let scalar = |circuit: &Circuit, number: i128, symbol: bool| Bits::Scalar {
            symbol: circuit.constant(symbol),
            bits: number::constant(circuit, number, number::width(number)),
        };
        match value {
            Value::Boolean(value) => Bits::Boolean(self.circuit.constant(value)),
            Value::Integer(number) => scalar(self.circuit, number.into(), false),
            Value::Symbol(symbol) => scalar(self.circuit, symbol.0 as i128, true),
            Value::Word {
                signed,
                width,
                bits,
            } => Bits::Word {
                signed,
                bits: number::word(self.circuit, bits, width as usize),
            },
        }
    }

    fn undefined(&mut self, of: Type) -> Encoded {
        let no = self.circuit.constant(false);
        let value = match of {
            Type::Boolean => Bits::Boolean(no),
            Type::Scalar => Bits::Scalar {
                symbol: no,
                bits: vec![no],
            },
            Type::Word { signed, width } => Bits::Word {
                signed,
                bits: vec![no; width as usize],
            },
        };
        Encoded { value, defined: no }
    }

    /// The value with a code, which is one of the domain.
    fn variable(&mut self, variable: VariableId, code: &[Lit]) -> Bits {
        let no = self.circuit.constant(false);
        match &self.model.variables[variable.0].domain {
            Domain::Boolean => Bits::Boolean(code[0]),
            &Domain::Word { signed, .. } => Bits::Word {
                signed,
                bits: code.to_vec(),
            },
            &Domain::Range(low, high) => {
                let (low, high) = (i128::from(low), i128::from(high));
                let width = number::width(low).max(number::width(high));
                let code = number::resize(code, width, no);
                let low = number::constant(self.circuit, low, width);
                // What a carry would carry away is not in the domain.
                Bits::Scalar {
                    symbol: no,
                    bits: number::add(self.circuit, &code, &low, no),
                }
            }
            Domain::Enumeration(values) => {
                let mut listed = self.constant(values[0]);
                for (at, &value) in values.iter().enumerate().skip(1) {
                    let place = number::constant(self.circuit, at as i128, code.len());
                    let here = number::equal(self.circuit, code, &place);
                    let value = self.constant(value);
                    listed = self.mux(here, value, listed.clone()).unwrap_or(listed);
                }
                listed
            }
        }
    }

    /// One value or the other, of one type.
    fn mux(&mut self, test: Lit, then: Bits, other: Bits) -> Option<Bits> {
        match (then, other) {
            (Bits::Boolean(a), Bits::Boolean(b)) => {
                Some(Bits::Boolean(self.circuit.choose(test, a, b)))
            }
            (Bits::Word { signed, bits: a }, Bits::Word { bits: b, .. }) => Some(Bits::Word {
                signed,
                bits: number::choose(self.circuit, test, &a, &b),
            }),
            (Bits::Scalar { symbol, bits }, Bits::Scalar { symbol: s, bits: b }) => {
                let (a, b) = self.aligned(&bits, &b, 0);
                Some(Bits::Scalar {
                    symbol: self.circuit.choose(test, symbol, s),
                    bits: number::choose(self.circuit, test, &a, &b),
                })
            }
            _ => None,
        }
    }

    fn choose(&mut self, test: &Encoded, then: Encoded, other: Encoded) -> Option<Encoded> {
        let Bits::Boolean(condition) = test.value else {
            return None;
        };
        let circuit = &mut *self.circuit;
        let branch = circuit.choose(condition, then.defined, other.defined);
        let defined = circuit.and(test.defined, branch);
        let value = self.mux(condition, then.value, other.value)?;
        Some(Encoded { value, defined })
    }

    /// Two signed numbers in one width, with some bits to spare.
    fn aligned(&mut self, a: &[Lit], b: &[Lit], spare: usize) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len().max(b.len()) + spare;
        let wide = |bits: &[Lit]| number::resize_signed(self.circuit, bits, width);
        (wide(a), wide(b))
    }

    /// A number that has a value if it fits into 64 bits, with no more bits than needed.
    fn integer(&mut self, mut bits: Vec<Lit>, mut defined: Lit) -> Encoded {
        while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
            bits.pop();
        }
        while bits.len() > 64 {
            let differ = self.circuit.xor(bits[bits.len() - 1], bits[bits.len() - 2]);
            defined = self.circuit.and(defined, !differ);
            bits.pop();
        }
        let symbol = self.circuit.constant(false);
        let value = Bits::Scalar { symbol, bits };
        Encoded { value, defined }
    }

    /// A word or an integer as a signed number of any width.
    fn as_number(&self, value: &Bits) -> Option<Vec<Lit>> {
        match value {
            Bits::Boolean(_) => None,
            Bits::Scalar { bits, .. } | Bits::Word { signed: true, bits } => Some(bits.clone()),
            Bits::Word {
                signed: false,
                bits,
            } => {
                let no = self.circuit.constant(false);
                Some(number::resize(bits, bits.len() + 1, no))
            }
        }
    }

    fn binary(&mut self, operator: Operator, left: Encoded, right: Encoded) -> Option<Encoded> {
        let both = self.circuit.and(left.defined, right.defined);
        let moves = matches!(
            operator,
            Operator::ShiftLeft
                | Operator::ShiftRight
                | Operator::RotateLeft
                | Operator::RotateRight
        );
        match (left.value, right.value) {
            (Bits::Boolean(a), Bits::Boolean(b)) => {
                self.booleans(operator, (a, left.defined), (b, right.defined))
            }
            (Bits::Scalar { symbol, bits }, Bits::Scalar { symbol: s, bits: b }) => {
                self.scalars(operator, (symbol, &bits), (s, &b), both)
            }
            (Bits::Word { signed, bits }, amount) if moves => {
                let amount = match amount {
                    Bits::Scalar { symbol, bits } => {
                        let defined = self.circuit.and(both, !symbol);
                        (bits, defined)
                    }
                    word => (self.as_number(&word)?, both),
                };
                self.moved(operator, (signed, &bits), amount)
            }
            (Bits::Word { signed, bits: a }, Bits::Word { bits: b, .. }) => {
                self.words(operator, signed, (&a, &b), both)
            }
            _ => None,
        }
    }

    fn booleans(
        &mut self,
        operator: Operator,
        (a, a_defined): (Lit, Lit),
        (b, b_defined): (Lit, Lit),
    ) -> Option<Encoded> {
        let circuit = &mut *self.circuit;
        let both = circuit.and(a_defined, b_defined);
        // An operand with this value decides alone.
        let mut decided = |a: Lit, b: Lit| {
            let left = circuit.and(a_defined, a);
            let right = circuit.and(b_defined, b);
            let one = circuit.or(left, right);
            circuit.or(both, one)
        };
        let defined = match operator {
            Operator::And => decided(!a, !b),
            Operator::Or => decided(a, b),
            _ => both,
        };
        let value = match operator {
            Operator::And => circuit.and(a, b),
            Operator::Or => circuit.or(a, b),
            Operator::Xor => circuit.xor(a, b),
            Operator::Equal => !circuit.xor(a, b),
            _ => return None,
        };
        let value = Bits::Boolean(value);
        Some(Encoded { value, defined })
    }

    fn scalars(
        &mut self,
        operator: Operator,
        (a_symbol, a): (Lit, &[Lit]),
        (b_symbol, b): (Lit, &[Lit]),
        both: Lit,
    ) -> Option<Encoded> {
        if operator == Operator::Equal {
            let (a, b) = self.aligned(a, b, 0);
            let equal = number::equal(self.circuit, &a, &b);
            let differ = self.circuit.xor(a_symbol, b_symbol);
            let value = Bits::Boolean(self.circuit.and(equal, !differ));
            let defined = both;
            return Some(Encoded { value, defined });
        }
        let numbers = self.circuit.all([both, !a_symbol, !b_symbol]);
        let (x, y) = self.aligned(a, b, 1);
        let result = match operator {
            Operator::Less => {
                let value = Bits::Boolean(number::less_signed(self.circuit, &x, &y));
                let defined = numbers;
                return Some(Encoded { value, defined });
            }
            Operator::Plus => {
                let no = self.circuit.constant(false);
                number::add(self.circuit, &x, &y, no)
            }
            Operator::Minus => number::subtract(self.circuit, &x, &y),
            Operator::Times => {
                let width = a.len() + b.len();
                let x = number::resize_signed(self.circuit, a, width);
                let y = number::resize_signed(self.circuit, b, width);
                number::multiply(self.circuit, &x, &y)
            }
            Operator::Divide | Operator::Modulo => {
                let (quotient, remainder) = number::divide_signed(self.circuit, &x, &y);
                let nonzero = self.circuit.any(b.iter().copied());
                let defined = self.circuit.and(numbers, nonzero);
                let result = match operator {
                    Operator::Divide => quotient,
                    _ => remainder,
                };
                return Some(self.integer(result, defined));
            }
            _ => return None,
        };
        Some(self.integer(result, numbers))
    }

    fn words(
        &mut self,
        operator: Operator,
        signed: bool,
        (a, b): (&[Lit], &[Lit]),
        mut defined: Lit,
    ) -> Option<Encoded> {
        let circuit = &mut *self.circuit;
        let no = circuit.constant(false);
        let pairs = a.iter().copied().zip(b.iter().copied());
        let bits = match operator {
            Operator::Equal | Operator::Less => {
                let value = match (operator, signed) {
                    (Operator::Equal, _) => number::equal(circuit, a, b),
                    (_, true) => number::less_signed(circuit, a, b),
                    (_, false) => number::less_unsigned(circuit, a, b),
                };
                let value = Bits::Boolean(value);
                return Some(Encoded { value, defined });
            }
            Operator::And => pairs.map(|(a, b)| circuit.and(a, b)).collect(),
            Operator::Or => pairs.map(|(a, b)| circuit.or(a, b)).collect(),
            Operator::Xor => pairs.map(|(a, b)| circuit.xor(a, b)).collect(),
            Operator::Plus => number::add(circuit, a, b, no),
            Operator::Minus => number::subtract(circuit, a, b),
            Operator::Times => number::multiply(circuit, a, b),
            Operator::Concatenate => {
                let value = Bits::Word {
                    signed: false,
                    bits: [b, a].concat(),
                };
                return Some(Encoded { value, defined });
            }
            Operator::Divide | Operator::Modulo => {
                let nonzero = circuit.any(b.iter().copied());
                defined = circuit.and(defined, nonzero);
                let (quotient, remainder) = match signed {
                    true => {
                        let x = number::resize_signed(circuit, a, a.len() + 1);
                        let y = number::resize_signed(circuit, b, b.len() + 1);
                        number::divide_signed(circuit, &x, &y)
                    }
                    false => number::divide_unsigned(circuit, a, b),
                };
                let result = match operator {
                    Operator::Divide => quotient,
                    _ => remainder,
                };
                number::resize(&result, a.len(), no)
            }
            _ => return None,
        };
        let value = Bits::Word { signed, bits };
        Some(Encoded { value, defined })
    }

    /// A word moved by a signed number of places, which must not be negative.
    fn moved(
        &mut self,
        operator: Operator,
        (signed, bits): (bool, &[Lit]),
        (amount, defined): (Vec<Lit>, Lit),
    ) -> Option<Encoded> {
        let circuit = &mut *self.circuit;
        let (&minus, places) = amount.split_last()?;
        let defined = circuit.and(defined, !minus);
        let no = circuit.constant(false);
        let sign = if signed { *bits.last()? } else { no };
        let bits = match operator {
            Operator::ShiftLeft => number::shift(circuit, bits, places, true, Some(no)),
            Operator::ShiftRight => number::shift(circuit, bits, places, false, Some(sign)),
            Operator::RotateLeft => number::shift(circuit, bits, places, true, None),
            _ => number::shift(circuit, bits, places, false, None),
        };
        let value = Bits::Word { signed, bits };
        Some(Encoded { value, defined })
    }
}

#[cfg(test)]
mod tests;
