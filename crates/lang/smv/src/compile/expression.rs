//! Typed expressions to bits.

use quotient_core::{Budget, Diagnostic, Trouble};
use quotient_symbolic::{Expression, Model};
use rustc_hash::FxHashMap;

use super::lowered::{Lowered, binary, choose, constant, default, integer, integer_of};
use super::{Compiled, numbers};
use crate::program::{Domain, Element, Node, NodeId, Operator, Program, VariableId};

/// What has been lowered so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Lowering {
    values: FxHashMap<NodeId, Lowered>,
    /// When the expression has no value; left out if it always has one.
    fails: FxHashMap<NodeId, Expression>,
    /// How far the expressions are done, so that shared ones are not looked at again.
    done: rustc_hash::FxHashSet<NodeId>,
}

impl Compiled {
    /// Lowers expressions and all that they are made of. Sets stay as they are: `sets`
    /// takes them apart.
    pub(super) fn lower(
        &mut self,
        program: &Program,
        roots: impl IntoIterator<Item = NodeId>,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        for id in program.nodes_below(roots) {
            if !self.lowering.done.insert(id) {
                continue;
            }
            budget.poll()?;
            let node = program.node(id);
            if !program.type_of(id).set {
                let value = self.lower_node(program, id, node, budget)?;
                self.lowering.values.insert(id, value);
            }
            let fails = self.failing(node);
            if fails != Expression::FALSE {
                self.lowering.fails.insert(id, fails);
            }
        }
        Ok(())
    }

    pub(super) fn lowered(&self, id: NodeId) -> &Lowered {
        &self.lowering.values[&id]
    }

    pub(super) fn fails(&self, id: NodeId) -> Expression {
        let fails = self.lowering.fails.get(&id).copied();
        fails.unwrap_or(Expression::FALSE)
    }

    pub(super) fn boolean(&self, id: NodeId) -> Expression {
        match self.lowering.values.get(&id) {
            Some(&Lowered::Boolean(value)) => value,
            _ => Expression::FALSE,
        }
    }

    /// When evaluation of a node finds no value: its operands' problems, and its own.
    fn failing(&mut self, node: Node) -> Expression {
        let model = &mut self.model;
        let lowering = &self.lowering;
        let fails = |id: NodeId| {
            lowering
                .fails
                .get(&id)
                .copied()
                .unwrap_or(Expression::FALSE)
        };
        let value = |id: NodeId| match lowering.values.get(&id) {
            Some(&Lowered::Boolean(value)) => Some(value),
            _ => None,
        };
        match node {
            Node::Constant(_) | Node::Variable { .. } | Node::Range(..) => Expression::FALSE,
            Node::Failure(_) => Expression::TRUE,
            Node::Not(a)
            | Node::Negate(a)
            | Node::ToInteger(a)
            | Node::Resize(a)
            | Node::After(a) => fails(a),
            Node::Bits { operand, .. } => fails(operand),
            Node::Choose(test, then, other) => {
                let condition = value(test).unwrap_or(Expression::FALSE);
                let branch = model.if_then_else(condition, fails(then), fails(other));
                model.or(fails(test), branch)
            }
            Node::Binary(operator @ (Operator::And | Operator::Or), a, b)
                if value(a).is_some()
                    && (fails(a), fails(b)) != (Expression::FALSE, Expression::FALSE) =>
            {
                let decided = |model: &mut Model, id: NodeId| {
                    let value = value(id).unwrap_or(Expression::FALSE);
                    let decides = if operator == Operator::And {
                        !value
                    } else {
                        value
                    };
                    model.and(decides, !fails(id))
                };
                let (left, right) = (decided(model, a), decided(model, b));
                let safe = model.or(left, right);
                let any = model.or(fails(a), fails(b));
                model.and(any, !safe)
            }
            Node::Binary(operator, a, b) => {
                let operands = model.or(fails(a), fails(b));
                let own = match (operator, lowering.values.get(&b)) {
                    (Operator::Divide | Operator::Modulo, Some(divisor)) => {
                        let bits = match divisor {
                            Lowered::Integer { bits, .. } | Lowered::Word { bits, .. } => {
                                bits.clone()
                            }
                            _ => Vec::new(),
                        };
                        !model.or_all(bits)
                    }
                    (
                        Operator::ShiftLeft
                        | Operator::ShiftRight
                        | Operator::RotateLeft
                        | Operator::RotateRight,
                        Some(Lowered::Integer { bits, .. }),
                    ) => bits.last().copied().unwrap_or(Expression::FALSE),
                    _ => Expression::FALSE,
                };
                model.or(operands, own)
            }
        }
    }

    /// That two variables of one domain are equal is said bit by bit, whatever their bits stand for:
    /// codes without a value do not occur.
    fn same_bits(
        &mut self,
        program: &Program,
        operator: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Option<Expression> {
        let variable = |id: NodeId| match program.node(id) {
            Node::Variable { variable, next } => Some((variable, next)),
            _ => None,
        };
        let (left, right) = (variable(left)?, variable(right)?);
        let domain = |id: VariableId| &program.variable(id).domain;
        if operator != Operator::Equal || domain(left.0) != domain(right.0) {
            return None;
        }
        let [left, right] = [left, right].map(|(id, next)| {
            let id = self.variable(id);
            let count = self.model.variable(id).bits().len() as u32;
            let bits = (0..count).map(|bit| match next {
                true => self.model.next_bit(id, bit),
                false => self.model.bit(id, bit),
            });
            bits.collect::<Vec<_>>()
        });
        let pairs = left.into_iter().zip(right);
        let same: Vec<Expression> = pairs.map(|(a, b)| self.model.iff(a, b)).collect();
        Some(self.model.and_all(same))
    }

    fn lower_node(
        &mut self,
        program: &Program,
        id: NodeId,
        node: Node,
        budget: &Budget,
    ) -> Result<Lowered, Trouble> {
        let element = program.type_of(id).element;
        let too_large = |message: &str| {
            let error = Diagnostic::error("smv-too-large", message)
                .at(program.source(), program.span(id), "here")
                .help("use smaller ranges, or words");
            Trouble::Invalid(vec![error])
        };
        let lowered = match node {
            Node::Constant(value) => constant(value),
            Node::Variable { variable, next } => self.read(program, variable, next),
            Node::Failure(_) => default(program, element),
            Node::Not(operand) => match self.lowered(operand) {
                &Lowered::Boolean(value) => Lowered::Boolean(!value),
                Lowered::Word { bits, signed } => Lowered::Word {
                    bits: bits.iter().map(|&bit| !bit).collect(),
                    signed: *signed,
                },
                other => other.clone(),
            },
            Node::Negate(operand) => match self.lowered(operand).clone() {
                Lowered::Integer { bits, low, high } => {
                    let wide = numbers::resize(&bits, bits.len() + 1, true);
                    integer(numbers::negate(&mut self.model, &wide), -high, -low)
                }
                Lowered::Word { bits, signed } => Lowered::Word {
                    bits: numbers::negate(&mut self.model, &bits),
                    signed,
                },
                other => other,
            },
            Node::Choose(test, then, other) => {
                let test = self.boolean(test);
                let (then, other) = (self.lowered(then).clone(), self.lowered(other).clone());
                choose(&mut self.model, test, then, other)
                    .ok_or_else(|| too_large("symbols and a large range of integers meet here"))?
            }
            Node::Binary(Operator::In, left, right) => {
                Lowered::Boolean(self.contained(program, left, right, budget)?)
            }
            Node::Binary(operator, left, right) => match self
                .same_bits(program, operator, left, right)
            {
                Some(same) => Lowered::Boolean(same),
                None => {
                    let (left, right) = (self.lowered(left).clone(), self.lowered(right).clone());
                    binary(&mut self.model, operator, left, right)
                }
            },
            Node::Bits { operand, high, low } => match self.lowered(operand) {
                Lowered::Word { bits, .. } => Lowered::Word {
                    bits: bits[low as usize..=high as usize].to_vec(),
                    signed: false,
                },
                other => other.clone(),
            },
            Node::After(operand) => self.lowered(operand).clone(),
            Node::ToInteger(operand) => match self.lowered(operand) {
                Lowered::Word { bits, signed } => {
                    // Wider words are no integers of 64 bits in any case.
                    let width = bits.len().min(100) as u32;
                    let wide = numbers::resize(bits, bits.len() + 1, *signed);
                    match signed {
                        true => integer(wide, -(1 << (width - 1)), (1 << (width - 1)) - 1),
                        false => integer(wide, 0, (1 << width) - 1),
                    }
                }
                other => other.clone(),
            },
            Node::Resize(operand) => match (self.lowered(operand), element) {
                (Lowered::Word { bits, signed: from }, Element::Word { signed, width }) => {
                    let bits = numbers::resize(bits, width as usize, *from);
                    Lowered::Word { bits, signed }
                }
                (other, _) => other.clone(),
            },
            Node::Range(..) => default(program, element),
        };
        match &lowered {
            Lowered::Integer { low, high, .. }
                if i64::try_from(*low).is_err() || i64::try_from(*high).is_err() =>
            {
                Err(too_large("the numbers here can exceed 64 bits"))
            }
            _ => Ok(lowered),
        }
    }

    /// The value of a variable, now or after the step.
    pub(super) fn read(&mut self, program: &Program, variable: VariableId, next: bool) -> Lowered {
        let id = self.variables[variable.index()];
        let width = self.model.variable(id).bits().len() as u32;
        let model = &mut self.model;
        let bits: Vec<Expression> = (0..width)
            .map(|bit| match next {
                true => model.next_bit(id, bit),
                false => model.bit(id, bit),
            })
            .collect();
        match &program.variable(variable).domain {
            Domain::Boolean => Lowered::Boolean(bits[0]),
            &Domain::Word { signed, .. } => Lowered::Word { bits, signed },
            &Domain::Range(low, high) => {
                let (low, high) = (i128::from(low), i128::from(high));
                // The code is the distance from the lowest value.
                let wide = numbers::width(low.min(0), high.max(high - low)) + 1;
                let code = numbers::resize(&bits, wide, false);
                let offset = numbers::constant(low, wide);
                integer(
                    numbers::add(model, &code, &offset, Expression::FALSE),
                    low,
                    high,
                )
            }
            Domain::Enumeration(values) => {
                let mut choices = Vec::new();
                for (code, &value) in values.iter().enumerate() {
                    let guard = match next {
                        true => model.next_is_value(id, code as u64),
                        false => model.is_value(id, code as u64),
                    };
                    choices.push((value, guard));
                }
                choices.sort_unstable_by_key(|&(value, _)| value);
                match program.variable(variable).domain.element() {
                    Element::Integer => integer_of(model, &choices),
                    _ => Lowered::Choice(choices),
                }
            }
        }
    }
}
