//! The small-step semantics (Fortin and Gava, 2014): local steps with continuations, and barriers.
//!
//! A processor is an expression or a value under a stack of expressions with a hole. Any one that
//! can may step; a barrier of a group happens when all its members wait at it. Steps of different
//! processors commute, and so do barriers: every order leads to the same end.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use quotient_core::Stop;

use crate::program::{Expression, LARGEST, Name, Operator, Program, Value};

mod barrier;
mod call;

pub(crate) use barrier::{barrier, complete};

/// What a processor does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Local {
    pub(crate) control: Control,
    pub(crate) environment: Environment,
    stack: Option<Rc<Below>>,
    /// How high the stack is.
    height: usize,
    /// A function keeps more than is followed.
    too_large: bool,
}

/// The highest stack.
const HIGHEST: usize = 1_000;

/// A stack shares what lies below.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Below {
    frame: Frame,
    rest: Option<Rc<Below>>,
}

impl Drop for Below {
    /// Not by recursion: stacks may be high.
    fn drop(&mut self) {
        let mut rest = self.rest.take();
        while let Some(mut below) = rest.and_then(|below| Rc::try_unwrap(below).ok()) {
            rest = below.rest.take();
        }
    }
}

/// What is at the top.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Control {
    Evaluates(usize),
    Has(Value),
    Raised(usize, Value),
    /// At a barrier of a group, at this expression.
    Waits(usize, usize),
    Faulty(Fault),
}

/// What went wrong, and at which expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) at: usize,
}

/// What can go wrong.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum FaultKind {
    BadTarget(i64, usize),
    NotMember(usize),
    Unregistered(Name, usize),
    NoMessage,
    Unbound(Name),
    WrongType,
    Arithmetic,
    Uncaught(usize),
    /// Functions stay where they are: what they use is of their processor.
    Sent,
    /// The call in whose variable something was to arrive has ended.
    Ended,
}

/// An expression with a hole.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Frame {
    Unary(Operator, usize),
    Left(Operator, usize, usize),
    Right(Operator, Value, usize),
    Let(Name, usize),
    If(usize, usize, usize),
    Raise(usize),
    Try(usize, Name, usize),
    Assign(Name),
    Function(usize, usize),
    Argument(Value, usize),
    /// At the end of a call: what its variables were before, if they were anything.
    Restore(BTreeMap<Name, Option<Value>>),
    Put(usize, Name, Name, usize),
    Get(usize, Name, Name, usize),
    Send(usize, Name, usize),
}

/// The memory of a processor, and what it asked of the network, by group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Environment {
    pub(crate) variables: BTreeMap<Name, Value>,
    pub(crate) received: BTreeMap<usize, Vec<Value>>,
    pub(crate) registered: BTreeMap<usize, BTreeSet<Name>>,
    pub(crate) sends: BTreeMap<usize, Vec<(usize, Value)>>,
    pub(crate) puts: BTreeMap<usize, Vec<(usize, Value, Name, usize)>>,
    /// Whose, from, into (nothing where the call has ended that has this variable), at.
    pub(crate) gets: BTreeMap<usize, Vec<(usize, Name, Option<Name>, usize)>>,
    pub(crate) pushes: BTreeMap<usize, Vec<Name>>,
    pub(crate) pops: BTreeMap<usize, Vec<(Name, usize)>>,
}

impl Environment {
    fn store(&mut self, name: Name, value: Value) {
        // The first name is nobody's.
        if name != 0 {
            self.variables.insert(name, value);
        }
    }
}

impl Local {
    /// At the beginning of an expression.
    pub(crate) fn new(root: usize) -> Local {
        Local {
            control: Control::Evaluates(root),
            environment: Environment::default(),
            stack: None,
            height: 0,
            too_large: false,
        }
    }

    /// Stacks are compared frame below frame, and functions with all that they keep: what gets larger than this is not
    /// followed.
    pub(crate) fn within_bounds(&self) -> Result<(), Stop> {
        if self.too_large {
            return Err(Stop::bound("the size of a function", LARGEST as u64));
        }
        match self.height > HIGHEST {
            true => Err(Stop::bound("the height of the stack", HIGHEST as u64)),
            false => Ok(()),
        }
    }

    /// Whether it can make a step by itself.
    pub(crate) fn is_running(&self) -> bool {
        match &self.control {
            Control::Evaluates(_) | Control::Raised(..) => true,
            Control::Has(_) => self.stack.is_some(),
            Control::Waits(..) | Control::Faulty(_) => false,
        }
    }

    /// Its value, if it has ended with one.
    pub(crate) fn value(&self) -> Option<&Value> {
        match &self.control {
            Control::Has(value) if self.stack.is_none() => Some(value),
            _ => None,
        }
    }

    /// The group whose barrier it waits at.
    pub(crate) fn waits(&self) -> Option<usize> {
        match self.control {
            Control::Waits(group, _) => Some(group),
            _ => None,
        }
    }

    /// What went wrong.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        match &self.control {
            Control::Faulty(fault) => Some(fault),
            _ => None,
        }
    }

    fn push(&mut self, frame: Frame) {
        let rest = self.stack.take();
        self.stack = Some(Rc::new(Below { frame, rest }));
        self.height += 1;
    }

    fn pop(&mut self) -> Option<Frame> {
        let top = self.stack.take()?;
        self.stack.clone_from(&top.rest);
        self.height -= 1;
        Some(top.frame.clone())
    }

    fn fails(&mut self, kind: FaultKind, at: usize) {
        self.control = Control::Faulty(Fault { kind, at });
    }

    /// Makes one local step; says whether there was one.
    pub(crate) fn step(&mut self, program: &Program, processor: usize) -> bool {
        if !self.is_running() {
            return false;
        }
        match self.control.clone() {
            Control::Evaluates(at) => self.evaluate(program, processor, at),
            Control::Has(value) => {
                if let Some(frame) = self.pop() {
                    self.fill(program, processor, frame, value);
                }
            }
            Control::Raised(exception, value) => match self.pop() {
                Some(Frame::Try(wanted, name, handler)) if wanted == exception => {
                    self.environment.store(name, value);
                    self.control = Control::Evaluates(handler);
                }
                Some(Frame::Restore(saved)) => self.leave(saved),
                Some(_) => {}
                None => self.fails(FaultKind::Uncaught(exception), program.root),
            },
            Control::Waits(..) | Control::Faulty(_) => {}
        }
        true
    }

    fn evaluate(&mut self, program: &Program, processor: usize, at: usize) {
        let (expression, _) = &program.expressions[at];
        let hole = |this: &mut Local, frame: Frame, inner: usize| {
            this.push(frame);
            this.control = Control::Evaluates(inner);
        };
        match expression {
            Expression::Constant(value) => self.control = Control::Has(value.clone()),
            Expression::Pid => self.control = Control::Has(Value::Int(processor as i64)),
            Expression::Processors => {
                self.control = Control::Has(Value::Int(program.processors as i64));
            }
            Expression::Variable(name) => match self.environment.variables.get(name) {
                Some(value) => self.control = Control::Has(value.clone()),
                None => self.fails(FaultKind::Unbound(*name), at),
            },
            Expression::Unary(operator, inner) => hole(self, Frame::Unary(*operator, at), *inner),
            Expression::Binary(operator, left, right) => {
                hole(self, Frame::Left(*operator, *right, at), *left);
            }
            Expression::Let(name, first, then) => hole(self, Frame::Let(*name, *then), *first),
            Expression::If(condition, yes, no) => hole(self, Frame::If(*yes, *no, at), *condition),
            // The body, and then the loop again.
            Expression::Loop(body) => hole(self, Frame::Let(0, at), *body),
            Expression::Raise(exception, inner) => hole(self, Frame::Raise(*exception), *inner),
            Expression::Try(body, exception, name, handler) => {
                hole(self, Frame::Try(*exception, *name, *handler), *body);
            }
            Expression::Fun(name, body) => self.function(program, *name, *body, at),
            Expression::Assign(name, inner) => hole(self, Frame::Assign(*name), *inner),
            Expression::Apply(function, argument) => {
                hole(self, Frame::Function(*argument, at), *function);
            }
            Expression::Push(groups, name) => {
                let group = program.chosen(groups, processor);
                if self.belongs(program, group, processor, at) {
                    self.environment
                        .pushes
                        .entry(group)
                        .or_default()
                        .push(*name);
                }
            }
            Expression::Pop(groups, name) => {
                let group = program.chosen(groups, processor);
                if self.belongs(program, group, processor, at) {
                    self.environment
                        .pops
                        .entry(group)
                        .or_default()
                        .push((*name, at));
                }
            }
            Expression::Put(groups, to, from, into) => {
                let group = program.chosen(groups, processor);
                hole(self, Frame::Put(group, *from, *into, at), *to);
            }
            Expression::Get(groups, whose, from, into) => {
                let group = program.chosen(groups, processor);
                hole(self, Frame::Get(group, *from, *into, at), *whose);
            }
            Expression::Send(groups, name, to) => {
                let group = program.chosen(groups, processor);
                hole(self, Frame::Send(group, *name, at), *to);
            }
            Expression::Sync(groups) => {
                let group = program.chosen(groups, processor);
                match program.is_member(group, processor) {
                    true => self.control = Control::Waits(group, at),
                    false => self.fails(FaultKind::NotMember(group), at),
                }
            }
        }
    }

    /// Whether the processor may speak for a group; the result of the request is void.
    fn belongs(&mut self, program: &Program, group: usize, processor: usize, at: usize) -> bool {
        let member = program.is_member(group, processor);
        match member {
            true => self.control = Control::Has(Value::Void),
            false => self.fails(FaultKind::NotMember(group), at),
        }
        member
    }

    /// A value for the hole of an expression.
    fn fill(&mut self, program: &Program, processor: usize, frame: Frame, value: Value) {
        match frame {
            Frame::Unary(operator, at) => self.apply(operator, at, &[value]),
            Frame::Left(operator, right, at) => {
                self.push(Frame::Right(operator, value, at));
                self.control = Control::Evaluates(right);
            }
            Frame::Right(operator, left, at) => self.apply(operator, at, &[left, value]),
            Frame::Let(name, then) => {
                self.environment.store(name, value);
                self.control = Control::Evaluates(then);
            }
            Frame::If(yes, no, at) => match value {
                Value::Bool(true) => self.control = Control::Evaluates(yes),
                Value::Bool(false) => self.control = Control::Evaluates(no),
                _ => self.fails(FaultKind::WrongType, at),
            },
            Frame::Raise(exception) => self.control = Control::Raised(exception, value),
            Frame::Try(..) => self.control = Control::Has(value),
            Frame::Assign(name) => {
                self.environment.variables.insert(name, value);
                self.control = Control::Has(Value::Void);
            }
            Frame::Function(argument, at) => {
                self.push(Frame::Argument(value, at));
                self.control = Control::Evaluates(argument);
            }
            Frame::Argument(Value::Fun(function), _) => self.enter(program, &function, value),
            Frame::Restore(saved) => {
                self.leave(saved);
                self.control = Control::Has(value);
            }
            Frame::Argument(_, at) => self.fails(FaultKind::WrongType, at),
            Frame::Put(group, from, into, at) => {
                let Some(to) = self.target(program, processor, group, &value, at) else {
                    return;
                };
                match self.environment.variables.get(&from).cloned() {
                    Some(Value::Fun(_)) => self.fails(FaultKind::Sent, at),
                    Some(value) => {
                        let puts = self.environment.puts.entry(group).or_default();
                        puts.push((to, value, into, at));
                        self.control = Control::Has(Value::Void);
                    }
                    None => self.fails(FaultKind::Unbound(from), at),
                }
            }
            Frame::Get(group, from, into, at) => {
                if let Some(whose) = self.target(program, processor, group, &value, at) {
                    let gets = self.environment.gets.entry(group).or_default();
                    gets.push((whose, from, Some(into), at));
                    self.control = Control::Has(Value::Void);
                }
            }
            Frame::Send(group, name, at) => {
                let Some(to) = self.target(program, processor, group, &value, at) else {
                    return;
                };
                match self.environment.variables.get(&name).cloned() {
                    Some(Value::Fun(_)) => self.fails(FaultKind::Sent, at),
                    Some(value) => {
                        self.environment
                            .sends
                            .entry(group)
                            .or_default()
                            .push((to, value));
                        self.control = Control::Has(Value::Void);
                    }
                    None => self.fails(FaultKind::Unbound(name), at),
                }
            }
        }
    }

    /// The processor that a request is for, if both belong to the group.
    fn target(
        &mut self,
        program: &Program,
        processor: usize,
        group: usize,
        value: &Value,
        at: usize,
    ) -> Option<usize> {
        let Value::Int(number) = value else {
            self.fails(FaultKind::WrongType, at);
            return None;
        };
        if !program.is_member(group, processor) {
            self.fails(FaultKind::NotMember(group), at);
            return None;
        }
        let to = usize::try_from(*number).ok();
        let to = to.filter(|&to| program.is_member(group, to));
        if to.is_none() {
            self.fails(FaultKind::BadTarget(*number, group), at);
        }
        to
    }

    fn apply(&mut self, operator: Operator, at: usize, values: &[Value]) {
        let result = match operator {
            Operator::Messages | Operator::Message => self.message(values),
            _ => pure(operator, values),
        };
        match result {
            Ok(value) => self.control = Control::Has(value),
            Err(kind) => self.fails(kind, at),
        }
    }

    fn message(&self, values: &[Value]) -> Result<Value, FaultKind> {
        let number = |value: &Value| match value {
            Value::Int(number) => Ok(usize::try_from(*number).unwrap_or(usize::MAX)),
            _ => Err(FaultKind::WrongType),
        };
        let from = values
            .first()
            .ok_or(FaultKind::WrongType)
            .and_then(number)?;
        let all = self
            .environment
            .received
            .get(&from)
            .map_or(&[][..], Vec::as_slice);
        match values.get(1) {
            None => Ok(Value::Int(all.len() as i64)),
            Some(at) => all.get(number(at)?).cloned().ok_or(FaultKind::NoMessage),
        }
    }
}

/// The value of a pure operator.
pub(crate) fn pure(operator: Operator, values: &[Value]) -> Result<Value, FaultKind> {
    use Operator::{
        Add, And, AtLeast, AtMost, Different, Divide, Equal, Greater, Less, Minus, Modulo,
        Multiply, Not, Or, Subtract, Xor,
    };
    use Value::{Bool, Int};
    let checked = |number: Option<i64>| number.map(Int).ok_or(FaultKind::Arithmetic);
    match (operator, values) {
        (Not, [Bool(a)]) => Ok(Bool(!a)),
        (Minus, [Int(a)]) => checked(a.checked_neg()),
        (Add, [Int(a), Int(b)]) => checked(a.checked_add(*b)),
        (Subtract, [Int(a), Int(b)]) => checked(a.checked_sub(*b)),
        (Multiply, [Int(a), Int(b)]) => checked(a.checked_mul(*b)),
        (Divide, [Int(a), Int(b)]) => checked(a.checked_div_euclid(*b)),
        (Modulo, [Int(a), Int(b)]) => checked(a.checked_rem_euclid(*b)),
        (Xor, [Int(a), Int(b)]) => Ok(Int(a ^ b)),
        (Xor, [Bool(a), Bool(b)]) => Ok(Bool(a != b)),
        (Less, [Int(a), Int(b)]) => Ok(Bool(a < b)),
        (AtMost, [Int(a), Int(b)]) => Ok(Bool(a <= b)),
        (Greater, [Int(a), Int(b)]) => Ok(Bool(a > b)),
        (AtLeast, [Int(a), Int(b)]) => Ok(Bool(a >= b)),
        (And, [Bool(a), Bool(b)]) => Ok(Bool(*a && *b)),
        (Or, [Bool(a), Bool(b)]) => Ok(Bool(*a || *b)),
        (Equal | Different, [a, b]) if same_type(a, b) => Ok(Bool((a == b) == (operator == Equal))),
        _ => Err(FaultKind::WrongType),
    }
}

fn same_type(a: &Value, b: &Value) -> bool {
    !matches!(a, Value::Fun(..)) && std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// The processors at the beginning.
pub(crate) fn beginning(program: &Program) -> Vec<Local> {
    vec![Local::new(program.root); program.processors]
}
