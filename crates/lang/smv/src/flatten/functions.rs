//! The type rules of functions, indices, bits and ranges; most are written with operators.

use quotient_core::{Diagnostic, Span};

use super::elaborate::Pause;
use super::{ArrayIndex, Entity, Flattener};
use crate::program::{
    Bits, Element, FailureKind, Node, NodeId, Operator, Type, Value, WIDEST, resize,
};
use crate::syntax::{BinaryOperator, Builtin, SyntaxId, UnaryOperator};

type Checked = Result<NodeId, Diagnostic>;

impl Flattener {
    pub(super) fn call(&mut self, builtin: Builtin, arguments: &[NodeId], span: Span) -> Checked {
        let first = arguments[0];
        let found = self.type_of(first);
        if builtin != Builtin::Count && found.set {
            let message = format!("`{}` needs a single value, not a set", builtin.name());
            return Err(self.type_error(message, span, arguments));
        }
        match (builtin, found.element) {
            (Builtin::Count, _) => self.count(arguments, span),
            (Builtin::Abs, Element::Integer) => {
                let negative = self.unary(UnaryOperator::Minus, first, span)?;
                let zero = self.constant(Value::Integer(0), span);
                let test = self.compare(first, zero, span);
                self.choose(test, (negative, span), (first, span), span)
            }
            (Builtin::Max | Builtin::Min, _) => {
                let operator = BinaryOperator::Less;
                let test = self.binary(operator, (first, span), (arguments[1], span), span)?;
                let (then, other) = match builtin {
                    Builtin::Max => (arguments[1], first),
                    _ => (first, arguments[1]),
                };
                self.choose(test, (then, span), (other, span), span)
            }
            (Builtin::Word1, Element::Boolean) => {
                let one = self.constant(Value::word(false, 1, 1), span);
                let zero = self.constant(Value::word(false, 1, 0), span);
                self.choose(first, (one, span), (zero, span), span)
            }
            (Builtin::Bool, Element::Word { signed, width: 1 }) => {
                let one = self.constant(Value::word(signed, 1, 1), span);
                self.binary(BinaryOperator::Equal, (first, span), (one, span), span)
            }
            (Builtin::Bool, Element::Integer) => {
                let zero = self.constant(Value::Integer(0), span);
                self.binary(BinaryOperator::NotEqual, (first, span), (zero, span), span)
            }
            (Builtin::ToInt, Element::Integer) => Ok(first),
            (Builtin::ToInt, Element::Boolean) => self.count(arguments, span),
            (Builtin::ToInt, Element::Word { .. }) => {
                if let Node::Constant(value) = self.program.nodes.node(first)
                    && let Some(number) = value.number().and_then(|n| i64::try_from(n).ok())
                {
                    return Ok(self.constant(Value::Integer(number), span));
                }
                let integer = Type::of(Element::Integer);
                Ok(self.add(Node::ToInteger(first), integer, span))
            }
            (Builtin::SizeOf, Element::Word { width, .. }) => {
                Ok(self.constant(Value::Integer(width.into()), span))
            }
            (Builtin::Signed | Builtin::Unsigned, Element::Word { width, .. }) => {
                Ok(self.resized(first, builtin == Builtin::Signed, width, span))
            }
            (Builtin::SignedConstant | Builtin::UnsignedConstant, Element::Integer) => {
                let signed = builtin == Builtin::SignedConstant;
                self.word_of(first, arguments[1], signed, span)
            }
            (Builtin::Extend, Element::Word { signed, width }) => {
                let by = self.width_argument(arguments[1], 0, i64::from(WIDEST - width), span)?;
                Ok(self.resized(first, signed, width + by, span))
            }
            (Builtin::Resize, Element::Word { signed, width }) => {
                let to = self.width_argument(arguments[1], 1, WIDEST.into(), span)?;
                self.resize_to(first, (signed, width), to, span)
            }
            _ => {
                let name = builtin.name();
                let message = format!("`{name}` cannot be applied to {found}");
                Err(self.type_error(message, span, arguments))
            }
        }
    }

    fn compare(&mut self, left: NodeId, right: NodeId, span: Span) -> NodeId {
        self.fold(
            Operator::Less,
            left,
            right,
            Type::of(Element::Boolean),
            span,
        )
    }

    /// How many of the conditions are true.
    fn count(&mut self, conditions: &[NodeId], span: Span) -> Checked {
        let integer = Type::of(Element::Integer);
        let mut total = self.constant(Value::Integer(0), span);
        for &condition in conditions {
            let condition = self.needs_boolean(condition, span, "what is counted")?;
            let one = self.constant(Value::Integer(1), span);
            let zero = self.constant(Value::Integer(0), span);
            let bit = self.choose(condition, (one, span), (zero, span), span)?;
            total = self.fold(Operator::Plus, total, bit, integer, span);
        }
        Ok(total)
    }

    fn resized(&mut self, word: NodeId, signed: bool, width: u32, span: Span) -> NodeId {
        let node_type = Type::of(Element::Word { signed, width });
        if self.type_of(word) == node_type {
            return word;
        }
        if let Node::Constant(value) = self.program.nodes.node(word)
            && let Some(value) = resize(value, signed, width)
        {
            return self.constant(value, span);
        }
        self.add(Node::Resize(word), node_type, span)
    }

    /// A signed word that shrinks keeps its sign bit and its lowest bits.
    fn resize_to(
        &mut self,
        word: NodeId,
        (signed, width): (bool, u32),
        to: u32,
        span: Span,
    ) -> Checked {
        if !signed || to >= width || to == 1 {
            let word = match signed && to == 1 && width > 1 {
                true => self.select(word, width - 1, width - 1, span),
                false => word,
            };
            return Ok(self.resized(word, signed, to, span));
        }
        let sign = self.select(word, width - 1, width - 1, span);
        let rest = self.select(word, to - 2, 0, span);
        let operator = BinaryOperator::Concatenate;
        let joined = self.binary(operator, (sign, span), (rest, span), span)?;
        Ok(self.resized(joined, true, to, span))
    }

    fn word_of(&mut self, number: NodeId, width: NodeId, signed: bool, span: Span) -> Checked {
        let width = self.width_argument(width, 1, WIDEST.into(), span)?;
        let Some(number) = self.constant_integer(number) else {
            let message = "the number of a word constant must be constant";
            return Err(self.error("smv-not-constant", message, span));
        };
        let value = Value::word(signed, width, Bits::signed(number));
        if value.number() != Some(number.into()) {
            let message = format!("{number} does not fit into {width} bits");
            return Err(self.error("smv-word-constant", message, span));
        }
        Ok(self.constant(value, span))
    }

    fn width_argument(
        &self,
        node: NodeId,
        low: i64,
        high: i64,
        span: Span,
    ) -> Result<u32, Diagnostic> {
        let Some(number) = self.constant_integer(node) else {
            let message = "a number of bits must be constant";
            return Err(self.error("smv-not-constant", message, span));
        };
        match u32::try_from(number) {
            Ok(width) if (low..=high).contains(&number) => Ok(width),
            _ => {
                let message =
                    format!("the number of bits must be from {low} to {high}, not {number}");
                Err(self.error("smv-word-width", message, span))
            }
        }
    }

    pub(super) fn bits(&mut self, word: NodeId, high: NodeId, low: NodeId, span: Span) -> Checked {
        let found = self.type_of(word);
        let (Element::Word { width, .. }, false) = (found.element, found.set) else {
            let message = format!("bits can be selected from words, but this is {found}");
            return Err(self.type_error(message, span, &[word]));
        };
        let high = self.width_argument(high, 0, i64::from(width) - 1, span)?;
        let low = self.width_argument(low, 0, i64::from(high), span)?;
        Ok(self.select(word, high, low, span))
    }

    fn select(&mut self, word: NodeId, high: u32, low: u32, span: Span) -> NodeId {
        let (signed, width) = (false, high - low + 1);
        if let Node::Constant(Value::Word { bits, .. }) = self.program.nodes.node(word) {
            return self.constant(Value::word(signed, width, bits >> low), span);
        }
        let node = Node::Bits {
            operand: word,
            high,
            low,
        };
        self.add(node, Type::of(Element::Word { signed, width }), span)
    }

    pub(super) fn range(&mut self, low: NodeId, high: NodeId, span: Span) -> Checked {
        let (Some(low), Some(high)) = (self.constant_integer(low), self.constant_integer(high))
        else {
            let message = "the bounds of a range must be integer constants";
            return Err(self.error("smv-not-constant", message, span));
        };
        if low > high {
            let message = format!("the range {low}..{high} is empty");
            return Err(self.error("smv-empty-range", message, span));
        }
        let node_type = Type::set_of(Element::Integer);
        Ok(self.add(Node::Range(low, high), node_type, span))
    }

    /// `base[index]`, with a constant index or one that the state decides.
    pub(super) fn index(
        &mut self,
        base: Entity,
        index: Entity,
        (base_syntax, index_syntax): (SyntaxId, SyntaxId),
        span: Span,
    ) -> Result<Entity, Pause> {
        let array = match base {
            Entity::Array(array) => array,
            Entity::Broken => return Err(Pause::Broken),
            Entity::Value(node) => {
                let at = self.scopes.tree.expressions.span(base_syntax);
                let found = self.type_of(node);
                let message = format!("only arrays have elements, but this is {found}");
                let error = self.type_error(message, at, &[node]);
                return Err(match found.element {
                    Element::Word { .. } => error.help("bits are selected with `word[3:3]`"),
                    _ => error,
                }
                .into());
            }
            Entity::Instance(_) => {
                let at = self.scopes.tree.expressions.span(base_syntax);
                let message = "only arrays have elements, but this is an instance of a module";
                return Err(self.error("smv-not-an-array", message, at).into());
            }
        };
        let at = self.scopes.tree.expressions.span(index_syntax);
        let index = self.as_value(index, at)?;
        let found = self.type_of(index);
        if found.set || !matches!(found.element, Element::Integer | Element::Word { .. }) {
            let message = format!("an index must be an integer, but this is {found}");
            return Err(self.type_error(message, at, &[index]).into());
        }
        match self.constant_integer(index) {
            Some(number) => self.element(array, number, at),
            None => self.element_by_state(array, index, at, span),
        }
    }

    fn element(&self, array: ArrayIndex, index: i64, span: Span) -> Result<Entity, Pause> {
        let array = &self.scopes.arrays[array.0 as usize];
        let position = index
            .checked_sub(array.low)
            .and_then(|p| usize::try_from(p).ok());
        match position.and_then(|position| array.elements.get(position)) {
            Some(&element) => Ok(element),
            None => {
                let high = array.low + array.elements.len() as i64 - 1;
                let message = format!("index {index} is not in {}..{high}", array.low);
                Err(self.error("smv-index", message, span).into())
            }
        }
    }

    /// A chain of choices over all elements; an array of arrays gives an array of chains.
    fn element_by_state(
        &mut self,
        array: ArrayIndex,
        index: NodeId,
        index_span: Span,
        span: Span,
    ) -> Result<Entity, Pause> {
        let (low, elements) = {
            let array = &self.scopes.arrays[array.0 as usize];
            (array.low, array.elements.clone())
        };
        if let Some(&Entity::Array(first)) = elements.first() {
            let inner_low = self.scopes.arrays[first.0 as usize].low;
            let rows: Vec<Vec<Entity>> = elements
                .iter()
                .filter_map(|&row| match row {
                    Entity::Array(row) => Some(self.scopes.arrays[row.0 as usize].elements.clone()),
                    _ => None,
                })
                .collect();
            let columns = rows.iter().map(Vec::len).min().unwrap_or(0);
            let mut chosen = Vec::new();
            for column in 0..columns {
                let cells = rows.iter().map(|row| row[column]).collect();
                let cells = self.add_array(low, cells);
                chosen.push(self.element_by_state(cells, index, index_span, span)?);
            }
            return Ok(Entity::Array(self.add_array(inner_low, chosen)));
        }
        let mut result: Option<NodeId> = None;
        for (at, &element) in elements.iter().enumerate().rev() {
            let element = self.as_value(element, span)?;
            let number = match self.type_of(index).element {
                Element::Word { signed, width } => {
                    let value = Value::word(signed, width, Bits::signed(low + at as i64));
                    if value.number() != Some(i128::from(low) + at as i128) {
                        continue;
                    }
                    value
                }
                _ => Value::Integer(low + at as i64),
            };
            let other = match result {
                Some(other) => other,
                None => {
                    let failure = self
                        .program
                        .nodes
                        .add_failure(FailureKind::Index, index_span);
                    let node_type = self.type_of(element);
                    self.add(Node::Failure(failure), node_type, index_span)
                }
            };
            let number = self.constant(number, index_span);
            let operator = BinaryOperator::Equal;
            let test = self.binary(operator, (index, index_span), (number, index_span), span)?;
            result = Some(self.choose(test, (element, span), (other, span), span)?);
        }
        result.map(Entity::Value).ok_or(Pause::Broken)
    }
}
