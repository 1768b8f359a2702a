//! One round over the program in an instant.

use num_traits::Signed;
use quotient_core::Span;

use super::data::{Data, evaluate};
use super::{Instant, Memory, Problem, State};
use crate::checks::{Codes, caught, greatest};
use crate::kernel::{Condition, Kind, Node, Program, Repeat, Term, VariableId, What};
use crate::value::{Value, one};

/// What is known of one incarnation of a signal in this instant.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) signal: usize,
    /// What it was in the instant before.
    pub(super) before: Memory,
    pub(super) status: Option<bool>,
    /// The value, once it is known; there may be none.
    pub(super) value: Option<Option<Value>>,
    /// What the environment gave for a signal of both directions.
    pub(super) given: Option<Option<Value>>,
    /// Whether the value that it begins with is not known yet.
    pub(super) awaits_start: bool,
}

impl Slot {
    pub(super) fn new(signal: usize, before: Memory) -> Slot {
        Slot {
            signal,
            before,
            status: None,
            value: None,
            given: None,
            awaits_start: false,
        }
    }
}

/// What a round saw of a slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub(super) in_scope: bool,
    /// It is emitted.
    pub(super) surely: bool,
    /// Something may emit it.
    pub(super) perhaps: bool,
    /// Emissions are missing, or their values are.
    pub(super) open: bool,
    pub(super) values: Vec<Value>,
    pub(super) place: Span,
    /// The places of what may emit it.
    pub(super) sources: Vec<Span>,
}

/// What a statement can come back with; one code if that is certain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    codes: Codes,
    definite: bool,
}

impl Outcome {
    fn surely(code: usize) -> Outcome {
        Outcome {
            codes: 1 << code,
            definite: true,
        }
    }

    fn perhaps(codes: Codes) -> Outcome {
        Outcome {
            codes,
            definite: false,
        }
    }

    pub(super) fn is_definite(self) -> bool {
        self.definite
    }
}

/// What a round found out.
pub(super) struct Result {
    pub(super) seen: Vec<Seen>,
    pub(super) next: Vec<usize>,
    pub(super) variables: Vec<Data>,
    /// Statements of local signals that were entered, with the place of each signal and its slot.
    pub(super) entered: Vec<(usize, usize, usize)>,
    pub(super) reached: Vec<Span>,
    pub(super) waits: Vec<(Span, Wait)>,
}

/// What stands in the way of going on.
#[derive(Debug, Clone)]
pub(super) enum Wait {
    Presence(Vec<usize>),
    Value,
}

type Done = std::result::Result<Outcome, Problem>;

pub(super) struct Round<'a> {
    pub(super) program: &'a Program,
    state: &'a State,
    pub(super) instant: &'a mut Instant,
    seen: Vec<Seen>,
    next: Vec<usize>,
    pub(super) variables: Vec<Data>,
    entered: Vec<(usize, usize, usize)>,
    reached: Vec<Span>,
    waits: Vec<(Span, Wait)>,
    /// The slot that each signal has here.
    pub(super) scope: Vec<usize>,
    /// Which loops around have begun anew in this instant, as a number.
    path: u64,
    /// Whether control is surely here.
    must: bool,
}

impl<'a> Round<'a> {
    pub(super) fn new(
        program: &'a Program,
        state: &'a State,
        instant: &'a mut Instant,
    ) -> Round<'a> {
        let mut scope = vec![usize::MAX; program.signals.len()];
        let mut seen = vec![Seen::default(); instant.slots.len()];
        for id in 0..program.interface {
            scope[id] = id;
            let given = instant.slots[id].given.is_some();
            seen[id] = Seen {
                in_scope: true,
                surely: given,
                perhaps: given,
                ..Seen::default()
            };
        }
        Round {
            program,
            state,
            instant,
            seen,
            next: Vec::new(),
            variables: state.variables.clone(),
            entered: Vec::new(),
            reached: Vec::new(),
            waits: Vec::new(),
            scope,
            path: 1,
            must: true,
        }
    }

    pub(super) fn run(&mut self, started: bool, over: bool) -> Done {
        let body = &self.program.body;
        match (started, over) {
            (false, _) => self.start(body),
            (true, false) => self.resume(body),
            (true, true) => Ok(Outcome::surely(0)),
        }
    }

    pub(super) fn finish(self) -> Result {
        Result {
            seen: self.seen,
            next: self.next,
            variables: self.variables,
            entered: self.entered,
            reached: self.reached,
            waits: self.waits,
        }
    }

    fn is_active(&self, node: &Node) -> bool {
        let active = &self.state.active;
        let first = active.partition_point(|&pause| pause < node.pauses.start);
        active
            .get(first)
            .is_some_and(|&pause| pause < node.pauses.end)
    }

    /// Runs something that is perhaps not reached.
    fn perhaps(&mut self, run: impl FnOnce(&mut Self) -> Done) -> Done {
        let must = std::mem::replace(&mut self.must, false);
        let outcome = run(self);
        self.must = must;
        Ok(Outcome::perhaps(outcome?.codes))
    }

    /// A statement that control comes to.
    fn start(&mut self, node: &Node) -> Done {
        if self.must {
            self.reached.push(node.span);
        }
        match &node.kind {
            Kind::Nothing => Ok(self.plainly(0)),
            Kind::Pause => {
                self.next.push(node.pauses.start);
                Ok(self.plainly(1))
            }
            Kind::Exit(level) => Ok(self.plainly(level + 2)),
            Kind::Emit(signal, value) => self.emit(*signal, value.as_ref(), node.span),
            Kind::Present(condition, then, otherwise) => {
                let truth = self.presence(condition);
                self.branch(truth, node, then, otherwise, |this| this.waiting(condition))
            }
            Kind::Test(term, then, otherwise) => self.test(term, node, then, otherwise),
            Kind::Suspend(_, body) | Kind::Variable(_, body) => self.start(body),
            Kind::Sequence(steps) => self.rest(Outcome::surely(0), steps),
            Kind::Loop(body) => {
                let outcome = self.start(body)?;
                Ok(Outcome {
                    codes: outcome.codes & !1,
                    ..outcome
                })
            }
            Kind::Parallel(branches) => self.together(branches, true),
            Kind::Trap(body) => self.trapped(body, true),
            Kind::Signal(signals, body) => self.locals(signals, body, node, true),
            Kind::Assign(variable, term) => self.assign(*variable, term),
            Kind::Repeat(repeat) => self.repeat(repeat),
            Kind::Host(name, _) => {
                let message = format!("`{name}` belongs to the host and is not known here");
                match self.must {
                    true => Err(Problem::Data(node.span, message)),
                    false => Ok(Outcome::perhaps(1)),
                }
            }
        }
    }

    /// A statement that control rests in.
    fn resume(&mut self, node: &Node) -> Done {
        match &node.kind {
            Kind::Present(_, then, otherwise) | Kind::Test(_, then, otherwise) => {
                match self.is_active(then) {
                    true => self.resume(then),
                    false => self.resume(otherwise),
                }
            }
            Kind::Suspend(condition, body) => self.suspend(condition, body, node),
            Kind::Variable(_, body) => self.resume(body),
            Kind::Sequence(steps) => {
                let at = steps.iter().position(|step| self.is_active(step));
                let at = at.unwrap_or(0);
                let outcome = self.resume(&steps[at])?;
                self.rest(outcome, &steps[at + 1..])
            }
            Kind::Loop(body) => {
                let outcome = self.resume(body)?;
                self.again(outcome, node, |this| this.start(body))
            }
            Kind::Parallel(branches) => self.together(branches, false),
            Kind::Trap(body) => self.trapped(body, false),
            Kind::Signal(signals, body) => self.locals(signals, body, node, false),
            Kind::Repeat(repeat) => {
                let outcome = self.resume(&repeat.body)?;
                self.again(outcome, node, |this| this.count_down(repeat))
            }
            _ => {
                if self.must {
                    self.reached.push(node.span);
                }
                Ok(self.plainly(0))
            }
        }
    }

    fn plainly(&self, code: usize) -> Outcome {
        match self.must {
            true => Outcome::surely(code),
            false => Outcome::perhaps(1 << code),
        }
    }

    /// What comes after something in a sequence.
    fn rest(&mut self, first: Outcome, steps: &[Node]) -> Done {
        let mut outcome = first;
        if !self.must {
            outcome.definite = false;
        }
        for step in steps {
            if outcome.codes & 1 == 0 {
                break;
            }
            let codes = outcome.codes & !1;
            outcome = match outcome.definite {
                true => self.start(step)?,
                false => {
                    let next = self.perhaps(|this| this.start(step))?;
                    Outcome::perhaps(codes | next.codes)
                }
            };
        }
        Ok(outcome)
    }

    /// What a loop does when its body has ended: it begins anew.
    fn again(
        &mut self,
        outcome: Outcome,
        node: &Node,
        start: impl FnOnce(&mut Self) -> Done,
    ) -> Done {
        if outcome.codes & 1 == 0 {
            return Ok(outcome);
        }
        let path = self.path;
        // The loops that began anew, mixed into one number.
        self.path = (path ^ (node.number as u64 + 1)).wrapping_mul(0x0100_0000_01b3);
        let next = match outcome.definite {
            true => start(self)?,
            false => {
                let next = self.perhaps(start)?;
                Outcome::perhaps((outcome.codes & !1) | next.codes)
            }
        };
        self.path = path;
        Ok(next)
    }

    fn branch(
        &mut self,
        truth: Option<bool>,
        node: &Node,
        then: &Node,
        otherwise: &Node,
        wait: impl FnOnce(&Self) -> Wait,
    ) -> Done {
        match truth {
            Some(true) => self.start(then),
            Some(false) => self.start(otherwise),
            None => {
                if self.must {
                    let wait = wait(self);
                    self.waits.push((node.span, wait));
                }
                let one = self.perhaps(|this| this.start(then))?;
                let other = self.perhaps(|this| this.start(otherwise))?;
                Ok(Outcome::perhaps(one.codes | other.codes))
            }
        }
    }

    fn test(&mut self, term: &Term, node: &Node, then: &Node, otherwise: &Node) -> Done {
        let truth = match self.must {
            true => match evaluate(term, self)? {
                Some(Value::Boolean(value)) => Some(value),
                _ => None,
            },
            false => None,
        };
        self.branch(truth, node, then, otherwise, |_| Wait::Value)
    }

    fn emit(&mut self, signal: usize, value: Option<&Term>, span: Span) -> Done {
        let slot = self.scope[signal];
        let value = match value {
            Some(term) if self.must => Some(evaluate(term, self)?),
            Some(_) => Some(None),
            None => None,
        };
        let must = self.must;
        let seen = &mut self.seen[slot];
        seen.perhaps = true;
        seen.surely |= must;
        seen.open |= !must;
        seen.place = span;
        if seen.sources.len() < 8 {
            seen.sources.push(span);
        }
        match value {
            Some(Some(value)) => seen.values.push(value),
            Some(None) => seen.open = true,
            None => {}
        }
        Ok(self.plainly(0))
    }

    fn assign(&mut self, variable: VariableId, term: &Term) -> Done {
        if self.must {
            self.variables[variable] = match evaluate(term, self)? {
                Some(value) => Data::Known(value),
                None => Data::Open,
            };
        }
        Ok(self.plainly(0))
    }

    fn suspend(&mut self, condition: &Condition, body: &Node, node: &Node) -> Done {
        match self.presence(condition) {
            Some(false) => self.resume(body),
            Some(true) => {
                let inside = |pause: &&usize| body.pauses.contains(pause);
                self.next.extend(self.state.active.iter().filter(inside));
                Ok(self.plainly(1))
            }
            None => {
                if self.must {
                    let wait = self.waiting(condition);
                    self.waits.push((node.span, wait));
                }
                let outcome = self.perhaps(|this| this.resume(body))?;
                Ok(Outcome::perhaps(outcome.codes | 0b10))
            }
        }
    }

    /// Parallel branches: all of them act, and the greatest code counts.
    fn together(&mut self, branches: &[Node], fresh: bool) -> Done {
        let before = self.next.len();
        let mut all = self.plainly(0);
        for branch in branches {
            let outcome = if fresh {
                self.start(branch)?
            } else if self.is_active(branch) {
                self.resume(branch)?
            } else {
                continue;
            };
            all = Outcome {
                codes: greatest(all.codes, outcome.codes),
                definite: all.definite && outcome.definite,
            };
        }
        if all.definite && all.codes & 0b11 == 0 {
            self.next.truncate(before);
        }
        Ok(all)
    }

    fn trapped(&mut self, body: &Node, fresh: bool) -> Done {
        let outcome = match fresh {
            true => self.start(body)?,
            false => self.resume(body)?,
        };
        Ok(Outcome {
            codes: caught(outcome.codes),
            ..outcome
        })
    }

    /// Local signals: each time that they are entered they are new ones.
    fn locals(&mut self, signals: &[usize], body: &Node, node: &Node, fresh: bool) -> Done {
        let old: Vec<usize> = signals.iter().map(|&signal| self.scope[signal]).collect();
        for (place, &signal) in signals.iter().enumerate() {
            let (before, awaits_start) = self.before(signal, (node.number, place), fresh)?;
            let path = self.path.wrapping_mul(2).wrapping_add(u64::from(fresh));
            let key = (node.number, place, path);
            let slot = self.instant.slot(key, || Slot {
                awaits_start,
                ..Slot::new(signal, before.clone())
            });
            if self.must {
                self.instant.slots[slot].before = before;
                self.instant.slots[slot].awaits_start = awaits_start;
                self.entered.push((node.number, place, slot));
            }
            if self.seen.len() <= slot {
                self.seen.resize(slot + 1, Seen::default());
            }
            self.seen[slot].in_scope = true;
            self.scope[signal] = slot;
        }
        let outcome = match fresh {
            true => self.start(body),
            false => self.resume(body),
        };
        for (&signal, old) in signals.iter().zip(old) {
            self.scope[signal] = old;
        }
        outcome
    }

    /// What a local signal was before, and whether its first value is still to be found.
    fn before(
        &self,
        signal: usize,
        place: (usize, usize),
        fresh: bool,
    ) -> std::result::Result<(Memory, bool), Problem> {
        if !fresh {
            let known = self.state.locals.get(&place);
            return Ok((known.cloned().unwrap_or_default(), false));
        }
        let Some(term) = &self.program.signals[signal].start else {
            return Ok((Memory::default(), false));
        };
        let value = match self.must {
            true => evaluate(term, self)?,
            false => None,
        };
        let awaits = value.is_none();
        let present = false;
        Ok((Memory { present, value }, awaits))
    }

    fn repeat(&mut self, repeat: &Repeat) -> Done {
        let times = match (self.must, &repeat.times.what) {
            (true, _) => evaluate(&repeat.times, self)?,
            (false, What::Constant(value)) => Some(value.clone()),
            (false, _) => None,
        };
        let Some(Value::Number(times)) = times else {
            if self.must {
                self.waits.push((repeat.times.span, Wait::Value));
            }
            let outcome = self.perhaps(|this| this.start(&repeat.body))?;
            let skipped = u128::from(!repeat.positive);
            return Ok(Outcome::perhaps(outcome.codes | skipped));
        };
        if !times.is_positive() && !repeat.positive {
            return Ok(self.plainly(0));
        }
        if self.must {
            self.variables[repeat.counter] = Data::Known(Value::Number(times));
        }
        self.start(&repeat.body)
    }

    /// The body of a repetition has ended once more.
    fn count_down(&mut self, repeat: &Repeat) -> Done {
        // Where control is not surely here, nothing has touched the counter in this instant.
        let left = match &self.variables[repeat.counter] {
            Data::Known(Value::Number(number)) => number - one(),
            _ => one() - one(),
        };
        if !left.is_positive() {
            return Ok(self.plainly(0));
        }
        if self.must {
            self.variables[repeat.counter] = Data::Known(Value::Number(left));
        }
        self.start(&repeat.body)
    }

    /// Whether a condition on signals is true, as far as that is known.
    fn presence(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Constant(value) => Some(*value),
            Condition::Signal(signal) => self.instant.slots[self.scope[*signal]].status,
            Condition::Before(signal) => {
                Some(self.instant.slots[self.scope[*signal]].before.present)
            }
            Condition::Not(inner) => self.presence(inner).map(|value| !value),
            Condition::And(all) => self.junction(all, false),
            Condition::Or(all) => self.junction(all, true),
        }
    }

    /// The value that one part alone can settle, or the other one if all parts have it.
    fn junction(&self, all: &[Condition], settles: bool) -> Option<bool> {
        let mut unknown = false;
        for one in all {
            match self.presence(one) {
                Some(value) if value == settles => return Some(settles),
                Some(_) => {}
                None => unknown = true,
            }
        }
        (!unknown).then_some(!settles)
    }

    fn waiting(&self, condition: &Condition) -> Wait {
        let mut slots = Vec::new();
        condition.signals(&mut |signal, before| {
            let slot = self.scope[signal];
            if !before && self.instant.slots[slot].status.is_none() {
                slots.push(slot);
            }
        });
        Wait::Presence(slots)
    }
}
