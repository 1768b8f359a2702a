//! And-inverter graphs.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::{Literal, Node};

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// The constant; its node is the first one.
    Constant,
    /// An input, by its number.
    Input(usize),
    /// A latch, by its number.
    Latch(usize),
    /// The conjunction of two literals of earlier nodes.
    And(Literal, Literal),
}

/// Gates that share what they have in common.
///
/// Equal gates are one node, and [`and`](Graph::and) looks two levels deep for what can be
/// said shorter (the rules of Brummayer and Biere, 2006): constants, contradictions,
/// repetitions and absorptions never become gates.
///
/// ```
/// use quotient_netlist::{Graph, Literal};
/// let mut graph = Graph::new();
/// let (a, b) = (graph.input(0), graph.input(1));
/// let both = graph.and(a, b);
/// assert_eq!(graph.and(b, a), both);
/// assert_eq!(graph.and(both, a), both);
/// assert_eq!(graph.and(both, !a), Literal::FALSE);
/// ```
#[derive(Debug, Clone)]
pub struct Graph {
    gates: Vec<Gate>,
    known: HashMap<(Literal, Literal), Node, FxBuildHasher>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph::new()
    }
}

impl Graph {
    /// A graph that has only the constants.
    pub fn new() -> Graph {
        Graph {
            gates: vec![Gate::Constant],
            known: HashMap::default(),
        }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// About how many bytes are taken, at the worst moment, to have so many nodes more: tables grow
    /// by leaps, and have their old place beside the new one for a while.
    pub fn bytes_with(&self, more: usize) -> usize {
        let gate = size_of::<Gate>();
        let bucket = size_of::<((Literal, Literal), Node)>() + 1;
        let (list, table) = (self.gates.capacity(), self.known.capacity());
        let nodes = self.gates.len().saturating_add(more);
        let gates = self.known.len().saturating_add(more);
        let new_list = if nodes > list { nodes.max(2 * list) } else { 0 };
        // Seven of eight buckets are used, and their number is a power of two.
        let buckets = |gates: usize| (gates.saturating_mul(8) / 7).next_power_of_two();
        let new_table = if gates > table { buckets(gates) } else { 0 };
        let lists = list.saturating_add(new_list).saturating_mul(gate);
        let tables = buckets(table).saturating_add(new_table);
        lists.saturating_add(tables.saturating_mul(bucket))
    }

    /// Whether there are only the constants.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// What a node is.
    pub fn gate(&self, node: Node) -> Gate {
        self.gates[node.index()]
    }

    /// All nodes, those that a node is made of before it.
    pub fn nodes(&self) -> impl Iterator<Item = (Node, Gate)> + '_ {
        let gates = self.gates.iter().enumerate();
        gates.map(|(index, &gate)| (Node::new(index), gate))
    }

    fn push(&mut self, gate: Gate) -> Node {
        self.gates.push(gate);
        Node::new(self.gates.len() - 1)
    }

    /// A new node for the input of this number.
    pub fn input(&mut self, number: usize) -> Literal {
        self.push(Gate::Input(number)).literal()
    }

    /// A new node for the latch of this number.
    pub fn latch(&mut self, number: usize) -> Literal {
        self.push(Gate::Latch(number)).literal()
    }

    /// Both.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        // Each substitution moves to an earlier node, so this ends.
        let (mut a, mut b) = (a, b);
        loop {
            match self.simplified(a, b) {
                Simplified::To(literal) => return literal,
                Simplified::Again(x, y) => (a, b) = (x, y),
                Simplified::New => break,
            }
        }
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(node) = self.known.get(&key) {
            return node.literal();
        }
        let node = self.push(Gate::And(key.0, key.1));
        self.known.insert(key, node);
        node.literal()
    }

    fn simplified(&self, a: Literal, b: Literal) -> Simplified {
        if a == Literal::FALSE || b == Literal::FALSE || a == !b {
            return Simplified::To(Literal::FALSE);
        }
        if a == Literal::TRUE || a == b {
            return Simplified::To(b);
        }
        if b == Literal::TRUE {
            return Simplified::To(a);
        }
        let one_sided = self.absorbed(a, b);
        if !matches!(one_sided, Simplified::New) {
            return one_sided;
        }
        let other_sided = self.absorbed(b, a);
        if !matches!(other_sided, Simplified::New) {
            return other_sided;
        }
        self.between_gates(a, b)
    }

    /// What the inside of `a` says together with `b`.
    fn absorbed(&self, a: Literal, b: Literal) -> Simplified {
        let Gate::And(x, y) = self.gate(a.node()) else {
            return Simplified::New;
        };
        match a.is_negated() {
            // (x ∧ y) ∧ b
            false if b == x || b == y => Simplified::To(a),
            false if b == !x || b == !y => Simplified::To(Literal::FALSE),
            // ¬(x ∧ y) ∧ b
            true if b == !x || b == !y => Simplified::To(b),
            true if b == x => Simplified::Again(!y, b),
            true if b == y => Simplified::Again(!x, b),
            _ => Simplified::New,
        }
    }

    /// What two gates say together.
    fn between_gates(&self, a: Literal, b: Literal) -> Simplified {
        let (Gate::And(x, y), Gate::And(u, v)) = (self.gate(a.node()), self.gate(b.node())) else {
            return Simplified::New;
        };
        let opposed = x == !u || x == !v || y == !u || y == !v;
        match (a.is_negated(), b.is_negated()) {
            (false, false) if opposed => Simplified::To(Literal::FALSE),
            // (x ∧ y) ∧ ¬(u ∧ v), where x or y makes u ∧ v impossible, or one of u, v certain.
            (false, true) if opposed => Simplified::To(a),
            (true, false) if opposed => Simplified::To(b),
            (false, true) if u == x || u == y => Simplified::Again(a, !v),
            (false, true) if v == x || v == y => Simplified::Again(a, !u),
            (true, false) if x == u || x == v => Simplified::Again(b, !y),
            (true, false) if y == u || y == v => Simplified::Again(b, !x),
            // ¬(x ∧ y) ∧ ¬(x ∧ ¬y) is ¬x
            (true, true) if (x == u && y == !v) || (x == v && y == !u) => Simplified::To(!x),
            (true, true) if (y == u && x == !v) || (y == v && x == !u) => Simplified::To(!y),
            _ => Simplified::New,
        }
    }

    /// Condition and the two sides, where a node is one of two as a third says; exclusive
    /// disjunctions are such nodes. Encodings of gates as clauses are stronger if they know.
    ///
    /// ```
    /// use quotient_netlist::Graph;
    /// let mut graph = Graph::new();
    /// let (c, t, e) = (graph.input(0), graph.input(1), graph.input(2));
    /// let one = graph.ite(c, t, e);
    /// let (condition, then, otherwise) = graph.as_choice(one.node()).unwrap();
    /// let negated = one.is_negated();
    /// let sides = (then.flip_if(negated), otherwise.flip_if(negated));
    /// assert!((condition, sides) == (c, (t, e)) || (condition, sides) == (!c, (e, t)));
    /// ```
    pub fn as_choice(&self, node: Node) -> Option<(Literal, Literal, Literal)> {
        let Gate::And(left, right) = self.gate(node) else {
            return None;
        };
        if !left.is_negated() || !right.is_negated() {
            return None;
        }
        let (Gate::And(a, b), Gate::And(c, d)) = (self.gate(left.node()), self.gate(right.node()))
        else {
            return None;
        };
        match () {
            () if a == !c => Some((a, !b, !d)),
            () if a == !d => Some((a, !b, !c)),
            () if b == !c => Some((b, !a, !d)),
            () if b == !d => Some((b, !a, !c)),
            () => None,
        }
    }

    /// One or the other.
    pub fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    /// Exactly one of the two.
    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let (left, right) = (self.and(a, !b), self.and(!a, b));
        self.or(left, right)
    }

    /// Both or none.
    pub fn iff(&mut self, a: Literal, b: Literal) -> Literal {
        !self.xor(a, b)
    }

    /// If the first then the second.
    pub fn implies(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(a, !b)
    }

    /// One of two, as the first says.
    pub fn ite(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.iff(condition, then);
        }
        let (yes, no) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(yes, no)
    }

    /// All of them.
    pub fn all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let mut all = Literal::TRUE;
        for literal in literals {
            all = self.and(all, literal);
        }
        all
    }

    /// At least one of them.
    pub fn any(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let mut any = Literal::FALSE;
        for literal in literals {
            any = self.or(any, literal);
        }
        any
    }
}

/// What became of a conjunction.
enum Simplified {
    /// It is this.
    To(Literal),
    /// It is the conjunction of these.
    Again(Literal, Literal),
    /// It is a gate.
    New,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a literal when the inputs have the bits of a number.
    fn value(graph: &Graph, literal: Literal, bits: usize) -> bool {
        let plain = match graph.gate(literal.node()) {
            Gate::Constant => false,
            Gate::Input(number) | Gate::Latch(number) => bits >> number & 1 == 1,
            Gate::And(a, b) => value(graph, a, bits) && value(graph, b, bits),
        };
        plain != literal.is_negated()
    }

    #[test]
    fn simplified_gates_mean_what_was_asked() {
        quotient_trial::trial(|u| {
            let mut graph = Graph::new();
            let mut pool: Vec<Literal> = (0..4).map(|number| graph.input(number)).collect();
            for _ in 0..12 {
                let a = pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?);
                let b = pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?);
                let c = pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?);
                let kind = u.int_in_range(0..=4)?;
                let made = match kind {
                    0..=2 => graph.and(a, b),
                    3 => graph.xor(a, b),
                    _ => graph.ite(a, b, c),
                };
                for bits in 0..16 {
                    let (x, y, z) = (
                        value(&graph, a, bits),
                        value(&graph, b, bits),
                        value(&graph, c, bits),
                    );
                    let expected = match kind {
                        0..=2 => x && y,
                        3 => x != y,
                        _ => (x && y) || (!x && z),
                    };
                    assert_eq!(value(&graph, made, bits), expected);
                }
                pool.push(made);
            }
            Ok(())
        })
        .budget_ms(1_000);
    }
}
