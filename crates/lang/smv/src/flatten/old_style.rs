//! `0` and `1` as truth values, as files from before NuSMV 2.5 write them.
//!
//! There, Booleans were the integers 0 and 1. What can only be 0 or 1 is read as a truth value
//! where one is needed, and the first such place is told in a warning.

use quotient_core::{Diagnostic, Span};

use super::Flattener;
use super::operators::Written;
use crate::program::{Element, Node, NodeId, Operator, Type, Value};

/// Choices and sets deeper than this are not looked into.
const DEEPEST: usize = 2_000;

impl Flattener {
    /// The expression as a truth value (or a set of them), if it is one or can only be 0 or 1.
    pub(super) fn as_boolean(&mut self, node: NodeId, span: Span) -> Option<NodeId> {
        let found = self.type_of(node);
        if found.element == Element::Boolean {
            return Some(node);
        }
        let boolean = self.truth_of(node, 0)?;
        self.old_style.get_or_insert(span);
        Some(boolean)
    }

    /// Both operands as truth values, if one of them is one and the other can be.
    pub(super) fn as_booleans(
        &mut self,
        left: Written,
        right: Written,
    ) -> Option<(NodeId, NodeId)> {
        let is_boolean =
            |this: &Self, one: Written| this.type_of(one.0).element == Element::Boolean;
        if !is_boolean(self, left) && !is_boolean(self, right) {
            return None;
        }
        let left = self.as_boolean(left.0, left.1)?;
        Some((left, self.as_boolean(right.0, right.1)?))
    }

    /// A truth value as 0 or 1.
    pub(super) fn as_bit(&mut self, node: NodeId, span: Span) -> Option<NodeId> {
        if self.type_of(node) != Type::of(Element::Boolean) {
            return None;
        }
        self.old_style.get_or_insert(span);
        let one = self.constant(Value::Integer(1), span);
        let zero = self.constant(Value::Integer(0), span);
        self.choose(node, (one, span), (zero, span), span).ok()
    }

    fn truth_of(&mut self, node: NodeId, depth: usize) -> Option<NodeId> {
        let span = self.program.nodes.span(node);
        let found = self.type_of(node);
        if found.element == Element::Boolean {
            return Some(node);
        }
        if found.element != Element::Integer || depth > DEEPEST {
            return None;
        }
        let boolean = Type {
            element: Element::Boolean,
            set: found.set,
        };
        match self.program.nodes.node(node) {
            Node::Constant(Value::Integer(bit @ (0 | 1))) => {
                Some(self.constant(Value::Boolean(bit == 1), span))
            }
            Node::Range(0, 1) => {
                let no = self.constant(Value::Boolean(false), span);
                let yes = self.constant(Value::Boolean(true), span);
                self.union((no, span), (yes, span), span).ok()
            }
            Node::Binary(Operator::Union, left, right) => {
                let left = self.truth_of(left, depth + 1)?;
                let right = self.truth_of(right, depth + 1)?;
                self.union((left, span), (right, span), span).ok()
            }
            Node::Choose(test, then, other) => {
                let then = self.truth_of(then, depth + 1)?;
                let other = self.truth_of(other, depth + 1)?;
                self.choose(test, (then, span), (other, span), span).ok()
            }
            Node::Failure(_) => {
                let failure = self.program.nodes.node(node);
                Some(self.add(failure, boolean, span))
            }
            Node::Variable { variable, .. } => {
                let values = self.program.variable(variable).domain.values(2)?;
                let is_bit = |value: &Value| matches!(value, Value::Integer(0 | 1));
                if !values.iter().all(is_bit) {
                    return None;
                }
                let one = self.constant(Value::Integer(1), span);
                let single = Type::of(Element::Boolean);
                Some(self.fold(Operator::Equal, node, one, single, span))
            }
            _ => None,
        }
    }

    /// The warning about the first place, if there is one.
    pub(super) fn old_style_warning(&self) -> Option<Diagnostic> {
        let span = self.old_style?;
        let message = "`0` and `1` are used as truth values here, as in old SMV";
        Some(
            Diagnostic::warning("smv-old-style", message)
                .at(&self.source, span, "")
                .note("it was read that way; NuSMV 2.6 does so only with `-old`")
                .help("write `FALSE` and `TRUE`"),
        )
    }
}
