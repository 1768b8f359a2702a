//! The hash-consed graph of Boolean expressions.

use rustc_hash::FxHashMap;

use super::Model;

/// A Boolean expression over bits of a [`Model`]: a small handle that is copied freely.
///
/// The lowest bit says whether the node is negated, so negation (`!expression`) is free and an
/// expression and its negation share one node. Equal handles are equal functions; the
/// converse need not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);

impl Expression {
    /// Always true.
    pub const TRUE: Expression = Expression(0);
    /// Always false.
    pub const FALSE: Expression = Expression(1);

    /// True or false.
    pub fn constant(value: bool) -> Expression {
        match value {
            true => Expression::TRUE,
            false => Expression::FALSE,
        }
    }

    /// The node, whatever its sign; operands have smaller nodes than what they are part of.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the node is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn is_constant(self) -> bool {
        self.node() == 0
    }

    fn negated_if(self, condition: bool) -> Expression {
        Expression(self.0 ^ u32::from(condition))
    }
}

impl std::ops::Not for Expression {
    type Output = Expression;

    fn not(self) -> Expression {
        Expression(self.0 ^ 1)
    }
}

/// What a node of the graph says, apart from its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// True.
    True,
    /// A bit, in the current state (or step) or in the next state.
    Bit {
        /// The number of the bit.
        bit: u32,
        /// Whether it is the next state's.
        next: bool,
    },
    /// Both.
    And(Expression, Expression),
    /// Exactly one.
    Xor(Expression, Expression),
    /// The second if the first, else the third.
    If(Expression, Expression, Expression),
}

#[derive(Debug, Clone)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    known: FxHashMap<Node, u32>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph {
            nodes: vec![Node::True],
            known: FxHashMap::default(),
        }
    }
}

impl Graph {
    fn make(&mut self, node: Node) -> Expression {
        let next = self.nodes.len() as u32;
        let index = *self.known.entry(node).or_insert(next);
        if index == next {
            self.nodes.push(node);
        }
        Expression(index << 1)
    }

    pub(super) fn bit(&mut self, bit: u32, next: bool) -> Expression {
        self.make(Node::Bit { bit, next })
    }

    fn and(&mut self, left: Expression, right: Expression) -> Expression {
        let (left, right) = (left.min(right), left.max(right));
        match () {
            () if left == Expression::TRUE || left == right => right,
            () if left == Expression::FALSE || left == !right => Expression::FALSE,
            () => self.make(Node::And(left, right)),
        }
    }

    fn xor(&mut self, left: Expression, right: Expression) -> Expression {
        // Signs move to the result.
        let flip = left.is_negated() != right.is_negated();
        let strip = |side: Expression| side.negated_if(side.is_negated());
        let (left, right) = (strip(left), strip(right));
        let (left, right) = (left.min(right), left.max(right));
        let result = match () {
            () if left == right => Expression::FALSE,
            () if left.is_constant() => !right,
            () => self.make(Node::Xor(left, right)),
        };
        result.negated_if(flip)
    }

    fn choose(&mut self, test: Expression, then: Expression, other: Expression) -> Expression {
        if test.is_negated() {
            return self.choose(!test, other, then);
        }
        match () {
            () if test == Expression::TRUE || then == other => then,
            () if then == !other => !self.xor(test, then),
            () if then == Expression::TRUE || then == test => !self.and(!test, !other),
            () if then == Expression::FALSE || then == !test => self.and(!test, other),
            () if other == Expression::FALSE || other == test => self.and(test, then),
            () if other == Expression::TRUE || other == !test => !self.and(test, !then),
            () => {
                let flip = then.is_negated();
                let node = Node::If(test, then.negated_if(flip), other.negated_if(flip));
                self.make(node).negated_if(flip)
            }
        }
    }
}

/// Building and reading expressions.
impl Model {
    /// What the node of an expression says, apart from its sign.
    pub fn node(&self, expression: Expression) -> Node {
        self.graph.nodes[expression.node()]
    }

    /// Both.
    pub fn and(&mut self, left: Expression, right: Expression) -> Expression {
        self.graph.and(left, right)
    }

    /// At least one.
    pub fn or(&mut self, left: Expression, right: Expression) -> Expression {
        !self.graph.and(!left, !right)
    }

    /// Exactly one.
    pub fn xor(&mut self, left: Expression, right: Expression) -> Expression {
        self.graph.xor(left, right)
    }

    /// Both or neither.
    pub fn iff(&mut self, left: Expression, right: Expression) -> Expression {
        !self.graph.xor(left, right)
    }

    /// If the left, then the right.
    pub fn implies(&mut self, left: Expression, right: Expression) -> Expression {
        !self.graph.and(left, !right)
    }

    /// `then` where `test` is true, `other` where it is not.
    pub fn if_then_else(
        &mut self,
        test: Expression,
        then: Expression,
        other: Expression,
    ) -> Expression {
        self.graph.choose(test, then, other)
    }

    /// All of them.
    pub fn and_all(&mut self, all: impl IntoIterator<Item = Expression>) -> Expression {
        let mut all: Vec<Expression> = all.into_iter().collect();
        // A balanced tree keeps the graph shallow.
        while all.len() > 1 {
            all = all
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => self.and(left, right),
                    _ => pair[0],
                })
                .collect();
        }
        all.pop().unwrap_or(Expression::TRUE)
    }

    /// At least one of them.
    pub fn or_all(&mut self, all: impl IntoIterator<Item = Expression>) -> Expression {
        !self.and_all(all.into_iter().map(|one| !one))
    }

    /// The same statement about the next state, or `None` if the expression mentions next
    /// bits or inputs already.
    pub fn next(&mut self, expression: Expression) -> Option<Expression> {
        let mut primed: FxHashMap<usize, Expression> = FxHashMap::default();
        for node in self.nodes_below([expression]) {
            let get = |side: Expression| primed[&side.node()].negated_if(side.is_negated());
            let result = match self.graph.nodes[node] {
                Node::True => Expression::TRUE,
                Node::Bit { next: true, .. } => return None,
                Node::Bit { bit, .. } => match self.variable(self.owner(bit)).kind {
                    super::Kind::Input => return None,
                    kind => self.graph.bit(bit, kind == super::Kind::State),
                },
                Node::And(left, right) => {
                    let (left, right) = (get(left), get(right));
                    self.graph.and(left, right)
                }
                Node::Xor(left, right) => {
                    let (left, right) = (get(left), get(right));
                    self.graph.xor(left, right)
                }
                Node::If(test, then, other) => {
                    let (test, then, other) = (get(test), get(then), get(other));
                    self.graph.choose(test, then, other)
                }
            };
            primed.insert(node, result);
        }
        Some(primed[&expression.node()].negated_if(expression.is_negated()))
    }

    /// The bits that expressions mention, each with whether it is the next state's; sorted.
    pub fn support(&self, roots: impl IntoIterator<Item = Expression>) -> Vec<(u32, bool)> {
        let mut bits: Vec<(u32, bool)> = self
            .nodes_below(roots)
            .into_iter()
            .filter_map(|node| match self.graph.nodes[node] {
                Node::Bit { bit, next } => Some((bit, next)),
                _ => None,
            })
            .collect();
        bits.sort_unstable();
        bits
    }

    /// All nodes that expressions are made of, operands before what they are part of.
    pub fn nodes_below(&self, roots: impl IntoIterator<Item = Expression>) -> Vec<usize> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open: Vec<usize> = roots.into_iter().map(Expression::node).collect();
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            found.push(node);
            match self.graph.nodes[node] {
                Node::True | Node::Bit { .. } => {}
                Node::And(left, right) | Node::Xor(left, right) => {
                    open.extend([left.node(), right.node()]);
                }
                Node::If(test, then, other) => {
                    open.extend([test.node(), then.node(), other.node()]);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// How many nodes the expressions of the model have together, those that nobody uses included.
    pub fn node_count(&self) -> usize {
        self.graph.nodes.len()
    }

    /// What the node with that number says; [`Model::nodes_below`] gives the numbers.
    pub fn node_at(&self, index: usize) -> Node {
        self.graph.nodes[index]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Domain, Kind, Valuation};
    use super::*;
    use proptest::prelude::*;

    /// A random expression over three bits as a stack program, with its truth table.
    fn build(model: &mut Model, program: &[(u8, u8)]) -> (Expression, u8) {
        let tables = [0b1010_1010u8, 0b1100_1100, 0b1111_0000];
        let mut stack = vec![(Expression::TRUE, 0xff)];
        for &(operation, argument) in program {
            let peek = |i: u8| stack[stack.len() - 1 - i as usize % stack.len()];
            let ((a, ta), (b, tb), (c, tc)) = (peek(0), peek(argument), peek(argument / 7));
            stack.push(match operation % 6 {
                0 => (!a, !ta),
                1 => (model.and(a, b), ta & tb),
                2 => (model.or(a, b), ta | tb),
                3 => (model.xor(a, b), ta ^ tb),
                4 => (model.if_then_else(a, b, c), (ta & tb) | (!ta & tc)),
                _ => {
                    let variable = argument as usize % 3;
                    let id = model.variable_ids().nth(variable).unwrap().0;
                    (model.bit(id, 0), tables[variable])
                }
            });
        }
        *stack.last().unwrap()
    }

    proptest! {
        #[test]
        fn simplification_keeps_the_truth_table(
            program in prop::collection::vec(any::<(u8, u8)>(), 1..40)
        ) {
            let mut model = Model::new();
            for name in ["a", "b", "c"] {
                model.add_variable(name, Kind::State, Domain::Boolean);
            }
            let (expression, table) = build(&mut model, &program);
            let primed = model.next(expression).unwrap();
            let unset = Valuation::new(3);
            for row in 0..8u32 {
                let mut valuation = Valuation::new(3);
                (0..3).for_each(|bit| valuation.set(bit, row >> bit & 1 == 1));
                let expected = table >> row & 1 == 1;
                prop_assert_eq!(model.evaluate(expression, &valuation, None), expected);
                prop_assert_eq!(model.evaluate(primed, &unset, Some(&valuation)), expected);
            }
        }
    }

    #[test]
    fn next_of_a_frozen_bit_is_the_bit_and_inputs_have_none() {
        let mut model = Model::new();
        let frozen = model.add_variable("f", Kind::Frozen, Domain::Boolean);
        let input = model.add_variable("i", Kind::Input, Domain::Boolean);
        let (f, i) = (model.bit(frozen, 0), model.bit(input, 0));
        assert_eq!(model.next(f), Some(f));
        assert_eq!(model.next(i), None);
    }
}
