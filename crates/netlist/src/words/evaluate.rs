//! What nodes are in a step.

use std::collections::BTreeMap;

use super::model::{Model, Node, NodeId, Operand, Operator, Sort};
use super::word::Word;

/// A word or an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A word.
    Word(Word),
    /// An array: a word for all indices but some.
    Array(Word, BTreeMap<Word, Word>),
}

impl Value {
    /// The value with all bits off.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bits(width) => Value::Word(Word::zero(width)),
            Sort::Array(_, element) => Value::Array(Word::zero(element), BTreeMap::new()),
        }
    }

    /// Whether it is the word of one bit that is on.
    pub fn is_on(&self) -> bool {
        matches!(self, Value::Word(word) if word.is_on())
    }

    /// The word; of an array the one for all indices but some.
    pub fn word(&self) -> &Word {
        match self {
            Value::Word(word) | Value::Array(word, _) => word,
        }
    }
}

/// Calculates the nodes of a model step by step, in the plainest way.
///
/// ```
/// use quotient_core::Source;
/// use quotient_netlist::words::{Evaluator, read};
/// let text = "1 sort bitvec 4\n2 state 1 n\n3 one 1\n4 init 1 2 3\n5 add 1 2 2\n6 next 1 2 5\n";
/// let model = read(&Source::new("double.btor2", text)).unwrap();
/// let mut run = Evaluator::new(&model, &mut |_, sort| quotient_netlist::words::Value::zero(sort));
/// run.step(&mut |_, sort| quotient_netlist::words::Value::zero(sort));
/// assert_eq!(run.value(model.states()[0].node).word().number(), Some(2));
/// ```
#[derive(Debug, Clone)]
pub struct Evaluator<'a> {
    model: &'a Model,
    values: Vec<Value>,
}

/// Says what an input is, or a state that nothing else says it of.
pub type Chooser<'c> = dyn FnMut(NodeId, Sort) -> Value + 'c;

impl<'a> Evaluator<'a> {
    /// The first step. The chooser gives inputs, and states that may start with anything.
    pub fn new(model: &'a Model, choose: &mut Chooser<'_>) -> Evaluator<'a> {
        let mut evaluator = Evaluator {
            model,
            values: Vec::with_capacity(model.nodes().len()),
        };
        for (index, (node, sort)) in model.nodes().iter().enumerate() {
            let id = NodeId(index as u32);
            let value = match node {
                Node::State(number) => match model.states()[*number].start {
                    Some(start) if start.node < id => evaluator.filled(start, *sort),
                    _ => choose(id, *sort),
                },
                Node::Input(_) => choose(id, *sort),
                other => evaluator.calculated(other, *sort),
            };
            evaluator.values.push(value);
        }
        evaluator.late_starts();
        evaluator
    }

    /// Starts that stand after their states, and may depend on each other. Those that stand before
    /// may depend on them, too.
    fn late_starts(&mut self) {
        let starts: Vec<(usize, Operand)> = (self.model.states().iter())
            .filter_map(|state| Some((state.node.index(), state.start?)))
            .collect();
        if (starts.iter()).all(|(node, start)| start.node.index() < *node) {
            return;
        }
        for _ in 0..=starts.len() {
            let mut changed = false;
            for &(node, start) in &starts {
                let value = self.filled(start, self.model.nodes()[node].1);
                changed |= self.values[node] != value;
                self.values[node] = value;
            }
            if !changed {
                return;
            }
            self.settle();
        }
    }

    /// Whether every state is what its start says: what a first step must be. Starts may depend on
    /// each other in a circle, and then there may be no such step, or not with what was chosen.
    pub fn is_start(&self) -> bool {
        self.model.states().iter().all(|state| {
            let sort = self.model.sort(state.node);
            let start = state.start.map(|start| self.filled(start, sort));
            start.is_none_or(|start| same(&start, &self.values[state.node.index()]))
        })
    }

    /// Calculates all operations from inputs and states.
    fn settle(&mut self) {
        for (index, (node, sort)) in self.model.nodes().iter().enumerate() {
            if let Node::Apply(..) = node {
                self.values[index] = self.calculated(node, *sort);
            }
        }
    }

    /// Goes on to the next step. The chooser gives inputs, and states that may become anything.
    pub fn step(&mut self, choose: &mut Chooser<'_>) {
        let nexts: Vec<Value> = (self.model.states().iter())
            .map(|state| match state.next {
                Some(next) => self.operand(next),
                None => choose(state.node, self.model.sort(state.node)),
            })
            .collect();
        for (state, value) in self.model.states().iter().zip(nexts) {
            self.values[state.node.index()] = value;
        }
        for &(node, _) in self.model.inputs() {
            self.values[node.index()] = choose(node, self.model.sort(node));
        }
        self.settle();
    }

    /// Whether the next step can begin with the states of this other one, as far as they matter
    /// ([`Model::states_that_matter`]). States that may become anything may become these.
    pub fn leads_to(&self, other: &Evaluator<'_>, matter: &[bool]) -> bool {
        let mut states = self.model.states().iter().zip(matter);
        states.all(|(state, matters)| {
            let next = state.next.map(|next| self.operand(next));
            !matters || next.is_none_or(|next| same(&next, other.value(state.node)))
        })
    }

    /// Whether the states of this step that matter are those of another one.
    pub fn has_states_of(&self, other: &Evaluator<'_>, matter: &[bool]) -> bool {
        let mut states = self.model.states().iter().zip(matter);
        states.all(|(state, matters)| {
            !matters || same(self.value(state.node), other.value(state.node))
        })
    }

    /// A step that was left with [`into_values`](Evaluator::into_values); none if so many nodes are
    /// not those of the model.
    pub fn resumed(model: &'a Model, values: Vec<Value>) -> Option<Evaluator<'a>> {
        (values.len() == model.nodes().len()).then_some(Evaluator { model, values })
    }

    /// All that is known of this step, for those who keep the model themselves.
    pub fn into_values(self) -> Vec<Value> {
        self.values
    }

    /// What a node is in this step.
    pub fn value(&self, node: NodeId) -> &Value {
        &self.values[node.index()]
    }

    /// What an operand is in this step.
    pub fn operand(&self, operand: Operand) -> Value {
        let value = self.values[operand.node.index()].clone();
        match value {
            Value::Word(word) => Value::Word(word.flip_if(operand.negated)),
            array => array,
        }
    }

    /// A value for a state: a word fills an array.
    fn filled(&self, operand: Operand, sort: Sort) -> Value {
        match (self.operand(operand), sort) {
            (Value::Word(word), Sort::Array(..)) => Value::Array(word, BTreeMap::new()),
            (value, _) => value,
        }
    }

    fn calculated(&self, node: &Node, sort: Sort) -> Value {
        match node {
            Node::Constant(word) => Value::Word(word.clone()),
            Node::Apply(operator, operands) => {
                let operands: Vec<Value> = operands.iter().map(|&one| self.operand(one)).collect();
                applied(*operator, &operands, sort)
            }
            Node::Input(_) | Node::State(_) => Value::zero(sort),
        }
    }
}

/// An operator on values.
fn applied(operator: Operator, operands: &[Value], sort: Sort) -> Value {
    match (operator, operands) {
        (Operator::Ite, [condition, then, otherwise]) => match condition.is_on() {
            true => then.clone(),
            false => otherwise.clone(),
        },
        (Operator::Read, [Value::Array(rest, some), at]) => {
            Value::Word(some.get(at.word()).unwrap_or(rest).clone())
        }
        (Operator::Write, [Value::Array(rest, some), at, value]) => {
            let mut some = some.clone();
            some.insert(at.word().clone(), value.word().clone());
            Value::Array(rest.clone(), some)
        }
        (Operator::Eq | Operator::Neq, [one @ Value::Array(..), other]) => {
            let same = same_arrays(one, other);
            Value::Word(Word::bit(same == (operator == Operator::Eq)))
        }
        (_, [one]) => Value::Word(unary(operator, one.word())),
        (_, [one, other]) => Value::Word(binary(operator, one.word(), other.word())),
        _ => Value::zero(sort),
    }
}

/// Whether two values of one sort are the same.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(..), Value::Array(..)) => same_arrays(one, other),
        _ => one == other,
    }
}

/// Whether two arrays hold the same words for all indices.
fn same_arrays(one: &Value, other: &Value) -> bool {
    let (Value::Array(rest, some), Value::Array(other_rest, other_some)) = (one, other) else {
        return false;
    };
    let mut named = some.keys().chain(other_some.keys());
    let same_named = named.all(|index| {
        some.get(index).unwrap_or(rest) == other_some.get(index).unwrap_or(other_rest)
    });
    let mut names: Vec<&Word> = some.keys().chain(other_some.keys()).collect();
    names.sort();
    names.dedup();
    let all_named = names.first().is_some_and(|index| {
        let width = index.width();
        width < 60 && names.len() as u64 == 1 << width
    });
    same_named && (rest == other_rest || all_named)
}

fn unary(operator: Operator, word: &Word) -> Word {
    let width = word.width();
    match operator {
        Operator::Not => word.clone().flip_if(true),
        Operator::Inc => word.plus(&Word::from_number(1, width), false).0,
        Operator::Dec => word.minus(&Word::from_number(1, width)).0,
        Operator::Neg => word.negative(),
        Operator::Redand => Word::bit(word.0.iter().all(|&bit| bit)),
        Operator::Redor => Word::bit(word.0.iter().any(|&bit| bit)),
        Operator::Redxor => Word::bit(word.0.iter().filter(|&&bit| bit).count() % 2 == 1),
        Operator::Slice(upper, lower) => Word(word.0[lower as usize..=upper as usize].to_vec()),
        Operator::Uext(by) => word.clone().extended(by, false),
        Operator::Sext(by) => word.clone().extended(by, true),
        _ => word.clone(),
    }
}

fn binary(operator: Operator, one: &Word, other: &Word) -> Word {
    use Operator as O;
    let bitwise = |operation: fn(bool, bool) -> bool| {
        let bits = one.0.iter().zip(&other.0);
        Word(bits.map(|(&a, &b)| operation(a, b)).collect())
    };
    let width = one.width();
    match operator {
        O::Iff | O::Xnor => bitwise(|a, b| a == b),
        O::Implies => bitwise(|a, b| !a || b),
        O::And => bitwise(|a, b| a && b),
        O::Nand => bitwise(|a, b| !(a && b)),
        O::Nor => bitwise(|a, b| !(a || b)),
        O::Or => bitwise(|a, b| a || b),
        O::Xor => bitwise(|a, b| a != b),
        O::Eq => Word::bit(one == other),
        O::Neq => Word::bit(one != other),
        O::Ult => Word::bit(one.is_below(other)),
        O::Ulte => Word::bit(!other.is_below(one)),
        O::Ugt => Word::bit(other.is_below(one)),
        O::Ugte => Word::bit(!one.is_below(other)),
        O::Slt => Word::bit(one.is_signed_below(other)),
        O::Slte => Word::bit(!other.is_signed_below(one)),
        O::Sgt => Word::bit(other.is_signed_below(one)),
        O::Sgte => Word::bit(!one.is_signed_below(other)),
        O::Add => one.plus(other, false).0,
        O::Sub => one.minus(other).0,
        O::Mul => one.times(other),
        O::Udiv => one.divided(other).0,
        O::Urem => one.divided(other).1,
        O::Sdiv => {
            let quotient = one.magnitude().divided(&other.magnitude()).0;
            signed(quotient, one.is_negative() != other.is_negative())
        }
        O::Srem => signed(
            one.magnitude().divided(&other.magnitude()).1,
            one.is_negative(),
        ),
        O::Smod => modulo(one, other),
        O::Rol | O::Ror | O::Sll | O::Srl | O::Sra => shifted(operator, one, other),
        O::Uaddo => Word::bit(one.plus(other, false).1),
        O::Usubo => Word::bit(one.minus(other).1),
        O::Saddo | O::Ssubo | O::Smulo => {
            // With twice the width nothing is lost: compare.
            let (a, b) = (
                one.clone().extended(width, true),
                other.clone().extended(width, true),
            );
            let exact = match operator {
                O::Saddo => a.plus(&b, false).0,
                O::Ssubo => a.minus(&b).0,
                _ => a.times(&b),
            };
            let kept = Word(exact.0[..width as usize].to_vec()).extended(width, true);
            Word::bit(exact != kept)
        }
        O::Umulo => {
            let (a, b) = (
                one.clone().extended(width, false),
                other.clone().extended(width, false),
            );
            Word::bit(a.times(&b).0[width as usize..].iter().any(|&bit| bit))
        }
        O::Sdivo => {
            let least = one.is_negative() && one.0[..width as usize - 1].iter().all(|&bit| !bit);
            Word::bit(least && other.0.iter().all(|&bit| bit))
        }
        O::Concat => Word(other.0.iter().chain(&one.0).copied().collect()),
        _ => one.clone(),
    }
}

fn signed(word: Word, negative: bool) -> Word {
    if negative { word.negative() } else { word }
}

/// The remainder with the sign of the divisor.
fn modulo(one: &Word, other: &Word) -> Word {
    let rest = one.magnitude().divided(&other.magnitude()).1;
    if rest.0.iter().all(|&bit| !bit) {
        return rest;
    }
    match (one.is_negative(), other.is_negative()) {
        (false, false) => rest,
        (true, true) => rest.negative(),
        (true, false) => other.minus(&rest).0,
        (false, true) => rest.plus(other, false).0,
    }
}

fn shifted(operator: Operator, word: &Word, by: &Word) -> Word {
    let width = word.0.len();
    let turns = matches!(operator, Operator::Rol | Operator::Ror);
    // By more than the width, all is shifted out; rotation counts modulo the width.
    let by = match by.number() {
        Some(number) if turns => (number % width as u128) as usize,
        Some(number) => usize::try_from(number).unwrap_or(width).min(width),
        None if turns => by
            .divided(&Word::from_number(width as u128, by.width()))
            .1
            .number()
            .unwrap_or(0) as usize,
        None => width,
    };
    let fill = operator == Operator::Sra && word.is_negative();
    let bit = |at: usize| match operator {
        Operator::Rol => word.0[(at + width - by) % width],
        Operator::Ror => word.0[(at + by) % width],
        Operator::Sll => at >= by && word.0[at - by],
        _ => word.0.get(at + by).copied().unwrap_or(fill),
    };
    Word((0..width).map(bit).collect())
}
