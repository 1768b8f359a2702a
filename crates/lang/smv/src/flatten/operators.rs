//! The type rules of operators.

use quotient_core::{Diagnostic, Span};

use super::{ArrayIndex, Entity, Flattener};
use crate::program::{Element, Node, NodeId, Operator, Type, Value, WIDEST, apply, operands};
use crate::syntax::{BinaryOperator, UnaryOperator};

/// An operand and where it is written.
pub(super) type Written = (NodeId, Span);

type Checked = Result<NodeId, Diagnostic>;

const BOOLEAN: Type = Type {
    element: Element::Boolean,
    set: false,
};

impl Flattener {
    pub(super) fn needs_boolean(&mut self, node: NodeId, span: Span, what: &str) -> Checked {
        let found = self.type_of(node);
        if found == BOOLEAN {
            return Ok(node);
        }
        if !found.set
            && let Some(boolean) = self.as_boolean(node, span)
        {
            return Ok(boolean);
        }
        let message = format!("{what} must be boolean, but this is {found}");
        Err(self.type_error(message, span, &[node]))
    }

    /// A type error, with the hint that fits.
    pub(super) fn type_error(
        &self,
        message: impl Into<String>,
        span: Span,
        operands: &[NodeId],
    ) -> Diagnostic {
        let types = operands.iter().map(|&operand| self.type_of(operand));
        if types.clone().any(|found| found.set) {
            return self
                .error("smv-set-place", message, span)
                .note("a set stands for a choice: it can be assigned, or tested with `in`")
                .help("write `x in {a, b}` to test, or name the choice as a variable of its own");
        }
        let error = self.error("smv-type", message, span);
        let is_bit = |&operand: &NodeId| matches!(self.constant_integer(operand), Some(0 | 1));
        let boolean = types.clone().any(|found| found.element == Element::Boolean);
        if operands.iter().any(is_bit) && (boolean || operands.len() == 1) {
            return error.help("the truth values are `TRUE` and `FALSE`; `0` and `1` are integers");
        }
        let mut elements = types.map(|found| found.element);
        match (elements.next(), elements.next()) {
            (Some(Element::Word { .. }), Some(Element::Integer)) => {
                error.help("write the constant as a word (`0ud8_5`), or use `toint`")
            }
            (Some(Element::Word { .. }), Some(Element::Word { .. })) => error
                .help("make widths and signs agree with `extend`, `resize`, `signed`, `unsigned`"),
            _ => error,
        }
    }

    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        mut operand: NodeId,
        span: Span,
    ) -> Checked {
        if operator == UnaryOperator::Not
            && self.type_of(operand) == Type::of(Element::Integer)
            && let Some(boolean) = self.as_boolean(operand, span)
        {
            operand = boolean;
        }
        let found = self.type_of(operand);
        let (node, fits, wanted) = match operator {
            UnaryOperator::Not => (
                Node::Not(operand),
                matches!(found.element, Element::Boolean | Element::Word { .. }),
                "`!` needs a boolean or a word",
            ),
            UnaryOperator::Minus => (
                Node::Negate(operand),
                matches!(found.element, Element::Integer | Element::Word { .. }),
                "`-` needs an integer or a word",
            ),
        };
        if found.set || !fits {
            let message = format!("{wanted}, but this is {found}");
            return Err(self.type_error(message, span, &[operand]));
        }
        if let Node::Constant(value) = self.program.nodes.node(operand) {
            let folded = match (operator, value) {
                (UnaryOperator::Not, Value::Boolean(value)) => Some(Value::Boolean(!value)),
                (UnaryOperator::Minus, Value::Integer(number)) => {
                    number.checked_neg().map(Value::Integer)
                }
                (
                    UnaryOperator::Not,
                    Value::Word {
                        signed,
                        width,
                        bits,
                    },
                ) => Some(Value::word(signed, width, !bits)),
                (
                    UnaryOperator::Minus,
                    Value::Word {
                        signed,
                        width,
                        bits,
                    },
                ) => Some(Value::word(signed, width, bits.negated())),
                _ => None,
            };
            if let Some(value) = folded {
                return Ok(self.constant(value, span));
            }
        }
        Ok(self.add(node, found, span))
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Written,
        right: Written,
        span: Span,
    ) -> Checked {
        use BinaryOperator as B;
        use Operator as O;
        let plain = |this: &mut Self, operator, node_type| {
            Ok(this.fold(operator, left.0, right.0, node_type, span))
        };
        match operator {
            B::And | B::Or | B::Xor | B::Xnor | B::Implies | B::Iff => {
                self.connective(operator, left, right, span)
            }
            B::Equal | B::NotEqual => {
                let equal = self.equal(operator, left, right, span)?;
                Ok(match operator {
                    B::Equal => equal,
                    _ => self.not(equal, span),
                })
            }
            B::Less | B::Greater | B::LessEqual | B::GreaterEqual => {
                self.numbers(operator, left, right, span)?;
                let (low, high) = match operator {
                    B::Less | B::GreaterEqual => (left.0, right.0),
                    _ => (right.0, left.0),
                };
                let less = self.fold(O::Less, low, high, BOOLEAN, span);
                Ok(match operator {
                    B::Less | B::Greater => less,
                    _ => self.not(less, span),
                })
            }
            B::Plus | B::Minus | B::Times | B::Divide | B::Modulo => {
                let node_type = self.numbers(operator, left, right, span)?;
                let operator = match operator {
                    B::Plus => O::Plus,
                    B::Minus => O::Minus,
                    B::Times => O::Times,
                    B::Divide => O::Divide,
                    _ => O::Modulo,
                };
                plain(self, operator, node_type)
            }
            B::ShiftLeft | B::ShiftRight | B::RotateLeft | B::RotateRight => {
                let node_type = self.shift_type(operator, left, right, span)?;
                let operator = match operator {
                    B::ShiftLeft => O::ShiftLeft,
                    B::ShiftRight => O::ShiftRight,
                    B::RotateLeft => O::RotateLeft,
                    _ => O::RotateRight,
                };
                plain(self, operator, node_type)
            }
            B::Concatenate => {
                let node_type = self.concatenation_type(left, right, span)?;
                plain(self, O::Concatenate, node_type)
            }
            B::Union => self.union(left, right, span),
            B::In => {
                let (left, right) = self.one_type(left, right);
                let (a, b) = (self.type_of(left.0), self.type_of(right.0));
                match a.element.greater(b.element) {
                    Some(_) => Ok(self.add(Node::Binary(O::In, left.0, right.0), BOOLEAN, span)),
                    None => Err(self.clash(operator, "values of one type", left, right, span)),
                }
            }
        }
    }

    /// The operands, both as truth values if one is and the other is 0 or 1.
    fn one_type(&mut self, left: Written, right: Written) -> (Written, Written) {
        let (a, b) = (self.type_of(left.0).element, self.type_of(right.0).element);
        match a != b {
            true => match self.as_booleans(left, right) {
                Some((first, second)) => ((first, left.1), (second, right.1)),
                None => (left, right),
            },
            false => (left, right),
        }
    }

    /// The two operands have types that the operator does not take together.
    fn clash(
        &self,
        operator: BinaryOperator,
        needs: &str,
        left: Written,
        right: Written,
        span: Span,
    ) -> Diagnostic {
        let (a, b) = (self.type_of(left.0), self.type_of(right.0));
        let message = format!("`{}` needs {needs}, but finds {a} and {b}", operator.text());
        let mut error = self.type_error(message, span, &[left.0, right.0]);
        for ((_, span), found) in [(left, a), (right, b)] {
            error = error.at(&self.source, span, found.to_string());
        }
        error
    }

    pub(super) fn not(&mut self, operand: NodeId, span: Span) -> NodeId {
        let node_type = self.type_of(operand);
        match self.program.nodes.node(operand) {
            Node::Constant(Value::Boolean(value)) => self.constant(Value::Boolean(!value), span),
            _ => self.add(Node::Not(operand), node_type, span),
        }
    }

    /// The node of an operator, or its value if both operands are constant.
    pub(super) fn fold(
        &mut self,
        operator: Operator,
        left: NodeId,
        right: NodeId,
        node_type: Type,
        span: Span,
    ) -> NodeId {
        let nodes = &self.program.nodes;
        if let (Node::Constant(left), Node::Constant(right)) = (nodes.node(left), nodes.node(right))
            && let Some(value) = apply(operator, left, right)
        {
            return self.constant(value, span);
        }
        self.add(Node::Binary(operator, left, right), node_type, span)
    }

    fn connective(
        &mut self,
        operator: BinaryOperator,
        left: Written,
        right: Written,
        span: Span,
    ) -> Checked {
        use BinaryOperator as B;
        let (mut left, mut right) = (left, right);
        let is_word =
            |this: &Self, one: Written| matches!(this.type_of(one.0).element, Element::Word { .. });
        if !is_word(self, left)
            && let Some(first) = self.as_boolean(left.0, left.1)
            && let Some(second) = self.as_boolean(right.0, right.1)
        {
            (left.0, right.0) = (first, second);
        }
        let (a, b) = (self.type_of(left.0), self.type_of(right.0));
        let fits = matches!(a.element, Element::Boolean | Element::Word { .. });
        if a != b || a.set || !fits {
            let needs = "two booleans or two words of one type";
            return Err(self.clash(operator, needs, left, right, span));
        }
        let (first, operator, negate) = match operator {
            B::And => (left.0, Operator::And, false),
            B::Or => (left.0, Operator::Or, false),
            B::Xor => (left.0, Operator::Xor, false),
            B::Xnor | B::Iff => (left.0, Operator::Xor, true),
            _ => (self.not(left.0, left.1), Operator::Or, false),
        };
        let node = self.fold(operator, first, right.0, a, span);
        Ok(match negate {
            true => self.not(node, span),
            false => node,
        })
    }

    fn equal(
        &mut self,
        operator: BinaryOperator,
        left: Written,
        right: Written,
        span: Span,
    ) -> Checked {
        let (left, right) = self.one_type(left, right);
        let (a, b) = (self.type_of(left.0), self.type_of(right.0));
        if a.set || b.set || a.element.greater(b.element).is_none() {
            return Err(self.clash(operator, "two values of one type", left, right, span));
        }
        Ok(self.fold(Operator::Equal, left.0, right.0, BOOLEAN, span))
    }

    fn numbers(
        &self,
        operator: BinaryOperator,
        left: Written,
        right: Written,
        span: Span,
    ) -> Result<Type, Diagnostic> {
        let (a, b) = (self.type_of(left.0), self.type_of(right.0));
        let fits = matches!(a.element, Element::Integer | Element::Word { .. });
        match a == b && !a.set && fits {
            true => Ok(a),
            false => {
                let needs = "two integers or two words of one type";
                Err(self.clash(operator, needs, left, right, span))
            }
        }
    }

    fn shift_type(
        &self,
        operator: BinaryOperator,
        left: Written,
        right: Written,
        span: Span,
    ) -> Result<Type, Diagnostic> {
        let (a, b) = (self.type_of(left.0), self.type_of(right.0));
        let amount = matches!(
            b.element,
            Element::Integer | Element::Word { signed: false, .. }
        );
        let Element::Word { width, .. } = a.element else {
            return Err(self.clash(operator, "a word and a number of bits", left, right, span));
        };
        if a.set || b.set || !amount {
            let needs = "a word and an integer or unsigned word";
            return Err(self.clash(operator, needs, left, right, span));
        }
        match self.constant_integer(right.0) {
            Some(by) if !(0..=i64::from(width)).contains(&by) => {
                let message = format!("a word of {width} bits cannot be shifted by {by}");
                Err(self.error("smv-word-width", message, right.1))
            }
            _ => Ok(a),
        }
    }

    fn concatenation_type(
        &self,
        left: Written,
        right: Written,
        span: Span,
    ) -> Result<Type, Diagnostic> {
        let (a, b) = (self.type_of(left.0), self.type_of(right.0));
        let (Element::Word { width, .. }, Element::Word { width: other, .. }, false) =
            (a.element, b.element, a.set || b.set)
        else {
            let operator = BinaryOperator::Concatenate;
            return Err(self.clash(operator, "two words", left, right, span));
        };
        let width = width + other;
        if width > WIDEST {
            let message = format!("words have at most {WIDEST} bits, these have {width} together");
            return Err(self.error("smv-word-width", message, span));
        }
        let signed = false;
        Ok(Type::of(Element::Word { signed, width }))
    }

    pub(super) fn union(&mut self, left: Written, right: Written, span: Span) -> Checked {
        let (left, right) = self.one_type(left, right);
        let (a, b) = (self.type_of(left.0), self.type_of(right.0));
        match a.element.common(b.element) {
            Some(element) => {
                let node = Node::Binary(Operator::Union, left.0, right.0);
                Ok(self.add(node, Type::set_of(element), span))
            }
            None => {
                let needs = "values of one type";
                Err(self.clash(BinaryOperator::Union, needs, left, right, span))
            }
        }
    }

    pub(super) fn choose(
        &mut self,
        test: NodeId,
        then: Written,
        other: Written,
        span: Span,
    ) -> Checked {
        let (then, other) = self.one_type(then, other);
        let (a, b) = (self.type_of(then.0), self.type_of(other.0));
        let is_failure = matches!(self.program.nodes.node(other.0), Node::Failure(_));
        let element = match is_failure {
            true => Some(a.element),
            false => a.element.common(b.element),
        };
        let Some(element) = element else {
            let message = format!("the branches have different types: {a} and {b}");
            let error = self.type_error(message, span, &[then.0, other.0]);
            let error = error.at(&self.source, then.1, a.to_string());
            return Err(error.at(&self.source, other.1, b.to_string()));
        };
        let set = a.set || (b.set && !is_failure);
        let result = Type { element, set };
        // A constant condition decides, unless that would narrow the type.
        match self.program.nodes.node(test) {
            Node::Constant(Value::Boolean(true)) if a == result => Ok(then.0),
            Node::Constant(Value::Boolean(false)) if b == result => Ok(other.0),
            _ => {
                let node = Node::Choose(test, then.0, other.0);
                Ok(self.add(node, result, span))
            }
        }
    }

    /// Arrays of one shape are equal if their elements are.
    pub(super) fn arrays(
        &mut self,
        operator: BinaryOperator,
        left: ArrayIndex,
        right: ArrayIndex,
        span: Span,
    ) -> Checked {
        let pairs = |this: &Self| -> Option<Vec<(Entity, Entity)>> {
            let arrays = &this.scopes.arrays;
            let (left, right) = (&arrays[left.0 as usize], &arrays[right.0 as usize]);
            let fits = left.elements.len() == right.elements.len();
            let pairs = left
                .elements
                .iter()
                .copied()
                .zip(right.elements.iter().copied());
            fits.then(|| pairs.collect())
        };
        let wrong = |this: &Self| {
            let message = "arrays can be compared with `=` and `!=` if their shapes agree";
            this.error("smv-type", message, span)
        };
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let Some(pairs) = pairs(self).filter(|_| is_equality) else {
            return Err(wrong(self));
        };
        let mut all = self.constant(Value::Boolean(true), span);
        for pair in pairs {
            let equal = match pair {
                (Entity::Value(left), Entity::Value(right)) => {
                    self.equal(operator, (left, span), (right, span), span)?
                }
                (Entity::Array(left), Entity::Array(right)) => {
                    self.arrays(BinaryOperator::Equal, left, right, span)?
                }
                _ => return Err(wrong(self)),
            };
            all = self.fold(Operator::And, all, equal, BOOLEAN, span);
        }
        Ok(match operator {
            BinaryOperator::Equal => all,
            _ => self.not(all, span),
        })
    }

    /// The expression about the state after the step: `next(…)`.
    pub(super) fn shift(&mut self, root: NodeId, span: Span) -> Checked {
        if self.program.nodes.mentions_next(root) {
            let message = "`next` cannot be applied to `next`";
            return Err(self.error("smv-next-place", message, span));
        }
        if self.program.nodes.mentions_input(root) {
            let message = "`next` cannot be applied to inputs: they belong to the step itself";
            return Err(self.error("smv-next-place", message, span));
        }
        for id in self.program.nodes.below([root]) {
            if self.shifted.contains_key(&id) {
                continue;
            }
            let (node, node_type) = (self.program.nodes.node(id), self.type_of(id));
            let at = self.program.nodes.span(id);
            let get = |id: NodeId| self.shifted[&id];
            let moved = match node {
                Node::Variable { variable, .. } => {
                    let moved = self.read(variable, true, at);
                    self.shifted.insert(id, moved);
                    continue;
                }
                Node::Not(a) => Node::Not(get(a)),
                Node::Negate(a) => Node::Negate(get(a)),
                Node::ToInteger(a) => Node::ToInteger(get(a)),
                Node::After(a) => Node::After(get(a)),
                Node::Resize(a) => Node::Resize(get(a)),
                Node::Bits { operand, high, low } => Node::Bits {
                    operand: get(operand),
                    high,
                    low,
                },
                Node::Binary(operator, a, b) => Node::Binary(operator, get(a), get(b)),
                Node::Choose(a, b, c) => Node::Choose(get(a), get(b), get(c)),
                Node::Constant(_) | Node::Range(..) | Node::Failure(_) => node,
            };
            let moved = self.add(moved, node_type, at);
            self.shifted.insert(id, moved);
        }
        debug_assert!({
            let mut complete = true;
            operands(self.program.nodes.node(root), |id| {
                complete &= self.shifted.contains_key(&id);
            });
            complete
        });
        let moved = self.shifted[&root];
        let node_type = self.type_of(moved);
        // What never changes is still asked of a step.
        match self.program.nodes.mentions_next(moved) || node_type.set {
            true => Ok(moved),
            false => Ok(self.add(Node::After(moved), node_type, span)),
        }
    }
}
