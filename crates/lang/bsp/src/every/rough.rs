//! One processor, roughly: values that depend on others, or are large, are forgotten.
//!
//! What fails or never stops by itself is left out: where a processor does so, no run ends in a
//! deadlock. All else that a processor can do between barriers, it can do here. Where something may
//! fail, or go on for ever, that is noted.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Stop};

use super::messages::{Supersteps, Target};
use super::value::{Applied, Rough, applied};
use crate::program::{Expression, Groups, LARGEST, Name, Operator, Program, Value};

/// A processor between two barriers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shade {
    control: Control,
    stack: Vec<Frame>,
    variables: BTreeMap<Name, Rough>,
    /// Where messages are followed: the last barrier that it came to, for whom it has surely sent something since the one
    /// before, and what was in all that it sent.
    pub(super) barrier: Option<usize>,
    pub(super) sent: BTreeSet<Target>,
    pub(super) carried: Option<Rough>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Control {
    Evaluates(usize),
    Has(Rough),
    Raised(usize, Rough),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Frame {
    Unary(Operator),
    Left(Operator, usize),
    Right(Operator, Rough),
    Let(Name, usize),
    If(usize, usize),
    Raise(usize),
    Try(usize, Name, usize),
    Assign(Name),
    Function(usize),
    Argument(Rough),
    /// At the end of a call: what its variables were before.
    Restore(BTreeMap<Name, Option<Rough>>),
    /// A request of the network, whose result is void: its expression.
    Request(usize),
}

/// What becomes of a processor: it waits at the barrier of a group and goes on so, or it has ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rest {
    Done,
    Waits(usize, Shade),
}

/// What a step leads to.
enum Next {
    Goes(Vec<Shade>),
    Rests(Rest),
}

/// How processors are looked at.
pub(super) struct View<'a> {
    pub(super) program: &'a Program,
    /// Processors below this number have letters of their own.
    pub(super) near: usize,
    /// Larger numbers are forgotten when they are stored.
    pub(super) bound: i64,
    /// There are at least so many processors.
    pub(super) least: usize,
    /// Whether something that was looked at may fail, and may go on for ever between two barriers.
    pub(super) may_fail: Cell<bool>,
    pub(super) may_go_on: Cell<bool>,
    /// Variables that other processors write, or that are read from them.
    pub(super) shared: BTreeSet<Name>,
    /// What was surely sent before each barrier, if messages are followed.
    pub(super) delivered: Option<Supersteps>,
}

/// The most states of a processor between two barriers, and the highest stack.
const MOST_STATES: usize = 20_000;
const HIGHEST: usize = 200;

impl Shade {
    pub(super) fn new(program: &Program) -> Shade {
        Shade {
            control: Control::Evaluates(program.root),
            stack: Vec::new(),
            variables: BTreeMap::new(),
            barrier: None,
            sent: BTreeSet::new(),
            carried: None,
        }
    }

    /// After the barrier: what was sent has arrived.
    pub(super) fn passed(&self) -> Shade {
        Shade {
            sent: BTreeSet::new(),
            carried: None,
            ..self.clone()
        }
    }
}

impl View<'_> {
    /// Everything that a processor can come to by itself.
    pub(super) fn rests(
        &self,
        class: usize,
        from: &Shade,
        budget: &Budget,
    ) -> Result<BTreeSet<Rest>, Stop> {
        let mut seen: BTreeMap<Shade, usize> = BTreeMap::from([(from.clone(), 0)]);
        let mut after: Vec<Vec<usize>> = vec![Vec::new()];
        let mut waiting = vec![(from.clone(), 0)];
        let mut rests = BTreeSet::new();
        while let Some((shade, own)) = waiting.pop() {
            budget.charge(1)?;
            if seen.len() > MOST_STATES {
                return Err(Stop::bound("the states of a processor", MOST_STATES as u64));
            }
            if shade.stack.len() > HIGHEST {
                return Err(Stop::bound("the height of the stack", HIGHEST as u64));
            }
            match self.step(class, shade)? {
                Next::Rests(rest) => {
                    rests.insert(rest);
                }
                Next::Goes(all) => {
                    for next in all {
                        let fresh = after.len();
                        let number = *seen.entry(next.clone()).or_insert(fresh);
                        after[own].push(number);
                        if number == fresh {
                            after.push(Vec::new());
                            waiting.push((next, fresh));
                        }
                    }
                }
            }
        }
        if !ends(&after) {
            self.may_go_on.set(true);
        }
        Ok(rests)
    }

    /// Notes that something may fail.
    fn fails<T: Default>(&self) -> T {
        self.may_fail.set(true);
        T::default()
    }

    fn step(&self, class: usize, mut shade: Shade) -> Result<Next, Stop> {
        match shade.control.clone() {
            Control::Evaluates(at) => self.evaluate(class, shade, at),
            Control::Has(value) => match shade.stack.pop() {
                Some(frame) => Ok(Next::Goes(self.fill(class, shade, frame, value)?)),
                None => Ok(Next::Rests(Rest::Done)),
            },
            Control::Raised(exception, value) => Ok(Next::Goes(match shade.stack.pop() {
                Some(Frame::Try(wanted, name, handler)) if wanted == exception => {
                    self.store(&mut shade, name, value);
                    shade.control = Control::Evaluates(handler);
                    vec![shade]
                }
                Some(Frame::Restore(saved)) => {
                    leave(&mut shade, saved);
                    vec![shade]
                }
                Some(_) => vec![shade],
                None => self.fails(),
            })),
        }
    }

    fn evaluate(&self, class: usize, mut shade: Shade, at: usize) -> Result<Next, Stop> {
        let hole = |mut shade: Shade, frame: Frame, inner: usize| {
            shade.stack.push(frame);
            shade.control = Control::Evaluates(inner);
            Ok(Next::Goes(vec![shade]))
        };
        let value = match &self.program.expressions[at].0 {
            Expression::Constant(value) => Some(Rough::Known(value.clone())),
            Expression::Pid if class < self.near => Some(Rough::Known(Value::Int(class as i64))),
            Expression::Pid => Some(Rough::Far),
            Expression::Processors => Some(Rough::Processors),
            // Without a value it fails.
            Expression::Variable(name) => shade.variables.get(name).cloned(),
            Expression::Fun(name, body) => self.function(&shade, *name, *body)?,
            Expression::Push(groups, _) => {
                self.group(groups, class).map(|_| Rough::Known(Value::Void))
            }
            Expression::Pop(groups, _) => {
                // What is registered is not known.
                self.may_fail.set(true);
                self.group(groups, class).map(|_| Rough::Known(Value::Void))
            }
            Expression::Unary(operator, inner) => {
                return hole(shade, Frame::Unary(*operator), *inner);
            }
            Expression::Binary(operator, left, right) => {
                return hole(shade, Frame::Left(*operator, *right), *left);
            }
            Expression::Let(name, first, then) => {
                return hole(shade, Frame::Let(*name, *then), *first);
            }
            Expression::If(condition, yes, no) => {
                return hole(shade, Frame::If(*yes, *no), *condition);
            }
            Expression::Loop(body) => return hole(shade, Frame::Let(0, at), *body),
            Expression::Raise(exception, inner) => {
                return hole(shade, Frame::Raise(*exception), *inner);
            }
            Expression::Try(body, exception, name, handler) => {
                return hole(shade, Frame::Try(*exception, *name, *handler), *body);
            }
            Expression::Assign(name, inner) => return hole(shade, Frame::Assign(*name), *inner),
            Expression::Apply(function, argument) => {
                return hole(shade, Frame::Function(*argument), *function);
            }
            Expression::Put(_, inner, ..)
            | Expression::Get(_, inner, ..)
            | Expression::Send(_, _, inner) => return hole(shade, Frame::Request(at), *inner),
            Expression::Sync(groups) => {
                let Some(group) = self.group(groups, class) else {
                    return Ok(Next::Goes(self.fails()));
                };
                // What others write, or what is read from them, may be anything afterwards.
                for &name in &self.shared {
                    shade.variables.insert(name, Rough::Unknown);
                }
                if self.delivered.is_some() {
                    shade.barrier = Some(at);
                }
                shade.control = Control::Has(Rough::Known(Value::Void));
                return Ok(Next::Rests(Rest::Waits(group, shade)));
            }
        };
        Ok(Next::Goes(match value {
            Some(value) => {
                shade.control = Control::Has(value);
                vec![shade]
            }
            None => self.fails(),
        }))
    }

    /// A function with what it keeps; nothing where that has no value.
    fn function(&self, shade: &Shade, name: Name, body: usize) -> Result<Option<Rough>, Stop> {
        let kept = self.program.kept.get(&body).into_iter().flatten();
        let value = |&name: &Name| Some((name, shade.variables.get(&name)?.clone()));
        let kept: Option<Vec<(Name, Rough)>> = kept.map(value).collect();
        let function = kept.map(|kept| Rough::Fun(name, body, kept));
        match function.as_ref().map_or(0, Rough::size) > LARGEST {
            true => Err(Stop::bound("the size of a function", LARGEST as u64)),
            false => Ok(function),
        }
    }

    /// The group that a processor means, if it belongs to it.
    fn group(&self, groups: &Groups, class: usize) -> Option<usize> {
        let group = self.program.chosen(groups, class);
        self.program.is_member(group, class).then_some(group)
    }

    fn store(&self, shade: &mut Shade, name: Name, value: Rough) {
        let kept = |number: i64| {
            number.unsigned_abs() <= self.bound.unsigned_abs()
                || (0..self.near as i64).contains(&number)
        };
        let value = match value {
            Rough::Known(Value::Int(number)) if !kept(number) => Rough::Number,
            Rough::Line { plus, .. } if plus.unsigned_abs() > self.bound.unsigned_abs() => {
                Rough::Number
            }
            value => value,
        };
        // The first name is nobody's.
        if name != 0 {
            shade.variables.insert(name, value);
        }
    }

    /// As the machine does at a call.
    fn save(&self, shade: &mut Shade, body: usize) {
        let own = self.program.locals.get(&body);
        let Some(own) = own.filter(|own| !own.is_empty()) else {
            return;
        };
        let now: Vec<(Name, Option<Rough>)> = own
            .iter()
            .map(|name| (*name, shade.variables.remove(name)))
            .collect();
        if !matches!(shade.stack.last(), Some(Frame::Restore(_))) {
            shade.stack.push(Frame::Restore(BTreeMap::new()));
        }
        if let Some(Frame::Restore(saved)) = shade.stack.last_mut() {
            for (name, value) in now {
                saved.entry(name).or_insert(value);
            }
        }
    }

    fn fill(
        &self,
        class: usize,
        mut shade: Shade,
        frame: Frame,
        value: Rough,
    ) -> Result<Vec<Shade>, Stop> {
        let goes = |mut shade: Shade, control: Control| {
            shade.control = control;
            vec![shade]
        };
        let has = |shade: Shade, value: Option<Rough>| match value {
            Some(value) => goes(shade, Control::Has(value)),
            None => self.fails(),
        };
        Ok(match frame {
            Frame::Unary(operator) => {
                let value = self.applied(operator, &[value]);
                has(shade, value)
            }
            Frame::Left(operator, right) => {
                shade.stack.push(Frame::Right(operator, value));
                goes(shade, Control::Evaluates(right))
            }
            Frame::Right(operator, left) => {
                let known = self.of_own(class, &shade, operator, (&left, &value));
                let value = known.or_else(|| self.applied(operator, &[left, value]));
                has(shade, value)
            }
            Frame::Let(name, then) => {
                self.store(&mut shade, name, value);
                goes(shade, Control::Evaluates(then))
            }
            Frame::If(yes, no) => match value {
                Rough::Known(Value::Bool(true)) => goes(shade, Control::Evaluates(yes)),
                Rough::Known(Value::Bool(false)) => goes(shade, Control::Evaluates(no)),
                Rough::Unknown | Rough::Truth => {
                    if value == Rough::Unknown {
                        self.may_fail.set(true);
                    }
                    let mut both = goes(shade.clone(), Control::Evaluates(yes));
                    both.extend(goes(shade, Control::Evaluates(no)));
                    both
                }
                _ => self.fails(),
            },
            Frame::Raise(exception) => goes(shade, Control::Raised(exception, value)),
            Frame::Try(..) => has(shade, Some(value)),
            Frame::Assign(name) => {
                self.store(&mut shade, name, value);
                has(shade, Some(Rough::Known(Value::Void)))
            }
            Frame::Function(argument) => {
                shade.stack.push(Frame::Argument(value));
                goes(shade, Control::Evaluates(argument))
            }
            Frame::Restore(saved) => {
                leave(&mut shade, saved);
                has(shade, Some(value))
            }
            Frame::Argument(Rough::Fun(name, body, kept)) => {
                self.save(&mut shade, body);
                shade.variables.extend(kept);
                self.store(&mut shade, name, value);
                goes(shade, Control::Evaluates(body))
            }
            Frame::Argument(Rough::Unknown) => {
                let why = "a function that other processors may have set is called";
                return Err(Stop::exhausted(why));
            }
            Frame::Argument(_) => self.fails(),
            Frame::Request(at) => {
                if !self.is_served(class, &shade, at, &value) {
                    self.may_fail.set(true);
                }
                self.send(class, &mut shade, at, &value);
                has(shade, Some(Rough::Known(Value::Void)))
            }
        })
    }

    /// Notes what is sent, where messages are followed.
    fn send(&self, class: usize, shade: &mut Shade, at: usize, target: &Rough) {
        if let Expression::Send(_, name, _) = &self.program.expressions[at].0
            && self.delivered.is_some()
        {
            let value = shade.variables.get(name);
            let value = value.map_or(Rough::Unknown, Rough::carried);
            shade.carried = Some(value.or(shade.carried.as_ref()));
            shade.sent.extend(self.targets(class, target));
        }
    }

    /// The value of an operator where more is known of it by who applies it: what others sent, and who they are.
    fn of_own(
        &self,
        class: usize,
        shade: &Shade,
        operator: Operator,
        (left, right): (&Rough, &Rough),
    ) -> Option<Rough> {
        match (operator, right) {
            (Operator::Message, Rough::Known(Value::Int(0))) => {
                self.first_message(class, shade, left)
            }
            (Operator::Modulo, Rough::Processors) => left.around(class, self.near, self.least),
            _ => None,
        }
    }

    /// The value of an operator; nothing where it fails.
    fn applied(&self, operator: Operator, values: &[Rough]) -> Option<Rough> {
        let Applied { value, may_fail } = applied(self.near, operator, values);
        if may_fail {
            self.may_fail.set(true);
        }
        value
    }

    /// Whether a request of the network surely does not fail, neither here nor at the barrier. Of variables that are
    /// written or read from afar it is not known whether they are registered.
    fn is_served(&self, class: usize, shade: &Shade, at: usize, target: &Rough) -> bool {
        let Expression::Send(groups, name, _) = &self.program.expressions[at].0 else {
            return false;
        };
        let Some(group) = self.group(groups, class) else {
            return false;
        };
        let is_there = |number: i64| {
            let number = usize::try_from(number).ok();
            number.is_some_and(|number| {
                number == class && class < self.near
                    || number < self.least && self.program.is_member(group, number)
            })
        };
        let meets = match target {
            Rough::Known(Value::Int(number)) => is_there(*number),
            // Itself.
            Rough::Far => true,
            // The first group is everyone.
            Rough::Index | Rough::Round(_) => group == 0,
            _ => false,
        };
        let value = shade.variables.get(name);
        meets && value.is_some_and(|value| !matches!(value, Rough::Fun(..) | Rough::Unknown))
    }
}

/// Whether no way leads back to where it was.
pub(super) fn ends(after: &[Vec<usize>]) -> bool {
    let mut before = vec![0_usize; after.len()];
    for &to in after.iter().flatten() {
        before[to] += 1;
    }
    let mut free: Vec<usize> = (0..after.len()).filter(|&at| before[at] == 0).collect();
    let mut passed = 0;
    while let Some(at) = free.pop() {
        passed += 1;
        for &to in &after[at] {
            before[to] -= 1;
            if before[to] == 0 {
                free.push(to);
            }
        }
    }
    passed == after.len()
}

/// The end of a call: its variables are what they were before.
fn leave(shade: &mut Shade, saved: BTreeMap<Name, Option<Rough>>) {
    for (name, value) in saved {
        match value {
            Some(value) => shade.variables.insert(name, value),
            None => shade.variables.remove(&name),
        };
    }
}
