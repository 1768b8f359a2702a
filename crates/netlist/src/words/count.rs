//! Justice by counting: a model in which it is bad that all signals were on once more.

use super::model::{Asked, Model, Node, NodeId, Operand, Operator, Sort, State};
use super::word::Word;

impl Model {
    /// The signals of a justice property, those of fairness among them.
    pub fn justice_signals(&self, number: usize) -> Option<Vec<Operand>> {
        let mut signals = self.justice.get(number)?.0.clone();
        signals.extend(self.fairness.iter().map(|one| one.signal));
        Some(signals)
    }

    /// The model with a counter of the rounds in which all signals of a justice property were on. Its
    /// one bad signal is on where a round more than so many ends. If that is never so, the signals
    /// are not all on infinitely often in any run. Nodes of the model keep their places.
    pub fn counting(&self, number: usize, rounds: usize) -> Option<Model> {
        let signals = self.justice_signals(number)?;
        let mut counted = self.clone();
        counted.justice.clear();
        counted.fairness.clear();
        let off = counted.push(Node::Constant(Word::bit(false)));
        let marks: Vec<usize> = (0..signals.len())
            .map(|one| counted.flag(off, format!("seen {one}")))
            .collect();
        let over: Vec<usize> = (0..rounds)
            .map(|one| counted.flag(off, format!("round {one}")))
            .collect();
        let mut ends = negated(off);
        let mut seen = Vec::new();
        for (&signal, &mark) in signals.iter().zip(&marks) {
            let mark = counted.held(mark);
            let now = counted.push(Node::Apply(Operator::Or, vec![signal, mark]));
            ends = counted.push(Node::Apply(Operator::And, vec![ends, now]));
            seen.push(now);
        }
        for (&mark, now) in marks.iter().zip(seen) {
            let next = Node::Apply(Operator::And, vec![now, negated(ends)]);
            counted.states[mark].next = Some(counted.push(next));
        }
        let mut before = negated(off);
        for &flag in &over {
            let own = counted.held(flag);
            let passes = counted.push(Node::Apply(Operator::And, vec![ends, before]));
            let next = counted.push(Node::Apply(Operator::Or, vec![own, passes]));
            counted.states[flag].next = Some(next);
            before = own;
        }
        let signal = counted.push(Node::Apply(Operator::And, vec![ends, before]));
        counted.bad = vec![Asked {
            signal,
            name: None,
            span: self.justice[number].1,
        }];
        Some(counted)
    }

    /// The model with one question: a signal that is always on is never so only where the constraints leave
    /// no run. Nothing where there are no constraints.
    pub fn any_step(&self) -> Option<Model> {
        let span = self.constraints.first()?.span;
        let mut asked = self.clone();
        asked.justice.clear();
        asked.fairness.clear();
        let signal = asked.push(Node::Constant(Word::bit(true)));
        asked.bad = vec![Asked {
            signal,
            name: None,
            span,
        }];
        Some(asked)
    }

    /// Adds a node of one bit.
    fn push(&mut self, node: Node) -> Operand {
        self.nodes.push((node, Sort::Bits(1)));
        Operand {
            node: NodeId(self.nodes.len() as u32 - 1),
            negated: false,
        }
    }

    /// Adds a state of one bit that is off at the start; gives its number.
    fn flag(&mut self, off: Operand, name: String) -> usize {
        let number = self.states.len();
        let node = self.push(Node::State(number)).node;
        self.states.push(State {
            node,
            start: Some(off),
            next: None,
            name,
        });
        number
    }

    fn held(&self, state: usize) -> Operand {
        Operand {
            node: self.states[state].node,
            negated: false,
        }
    }
}

fn negated(operand: Operand) -> Operand {
    Operand {
        negated: !operand.negated,
        ..operand
    }
}
