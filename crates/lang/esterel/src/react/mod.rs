//! The reference interpreter: constructive semantics, with data.
//!
//! A reaction is the least fixed point of what *must* and what *can* happen (Berry, *The
//! Constructive Semantics of Pure Esterel*, 1999). Each round runs the whole program from the
//! beginning of the instant with what is known so far: what is surely reached is done, and where
//! something unknown stands in the way all that could come is looked at. What was surely emitted
//! is present; what nothing can emit any more is absent. A value is known when no further
//! emission can change it. When a round tells nothing new, the reaction is complete, or the
//! program is not constructive.

mod data;
mod round;
mod waits;

use std::collections::BTreeMap;

use quotient_core::{Budget, Span, Stop};
use rustc_hash::FxHashMap;

use crate::kernel::{Combine, Condition, Program, Promise, SignalId};
use crate::syntax::Direction;
use crate::value::{Type, Value};
use data::Data;
use round::{Round, Slot};

/// What the environment gives in an instant: signals, with values if they have some.
pub(crate) type Event = BTreeMap<SignalId, Option<Value>>;

/// What came out of an instant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reaction {
    /// By signal of the interface: whether it is present.
    pub(crate) present: Vec<bool>,
    /// And its value, if it has one by now.
    pub(crate) values: Vec<Option<Value>>,
    /// The places of statements that were reached, for pictures.
    pub(crate) reached: Vec<Span>,
}

/// Why there is no reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The program is not constructive here: what waits, and what it waits for.
    Causality(Vec<(Span, String)>),
    /// A mistake with data: a division by zero, a value that was never given.
    Data(Span, String),
    /// The environment broke a promise, or gave what is no input.
    Input(String),
    /// The budget ended.
    Stopped(Stop),
}

impl From<Stop> for Problem {
    fn from(stop: Stop) -> Problem {
        Problem::Stopped(stop)
    }
}

/// What a signal was and is: its presence and value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) present: bool,
    pub(crate) value: Option<Value>,
}

/// A program between two instants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    started: bool,
    /// The pauses that control rests at, in order.
    active: Vec<usize>,
    variables: Vec<Data>,
    /// What the signals of the interface were.
    interface: Vec<Memory>,
    /// What local signals were, by statement and place in it.
    locals: FxHashMap<(usize, usize), Memory>,
}

impl State {
    /// Before the first instant.
    pub(crate) fn new(program: &Program) -> Result<State, Problem> {
        let mut interface = Vec::new();
        for signal in &program.signals[..program.interface] {
            let value = match &signal.start {
                Some(term) => data::constant(term)?,
                None => None,
            };
            interface.push(Memory {
                present: false,
                value,
            });
        }
        Ok(State {
            started: false,
            active: Vec::new(),
            variables: vec![Data::Unset; program.variables.len()],
            interface,
            locals: FxHashMap::default(),
        })
    }

    /// Whether nothing will ever happen any more.
    pub(crate) fn is_over(&self) -> bool {
        self.started && self.active.is_empty()
    }

    /// The pauses that control rests at, in order.
    pub(crate) fn rests(&self) -> &[usize] {
        &self.active
    }

    /// What the signals of the interface were in the last instant.
    pub(crate) fn interface(&self) -> &[Memory] {
        &self.interface
    }

    /// One instant.
    pub(crate) fn react(
        &mut self,
        program: &Program,
        event: &Event,
        budget: &Budget,
    ) -> Result<Reaction, Problem> {
        self.accept(program, event)?;
        let mut instant = Instant::new(program, self, event);
        loop {
            budget.charge(1 + program.pauses as u64)?;
            let mut round = Round::new(program, self, &mut instant);
            let outcome = round.run(self.started, self.is_over())?;
            let result = round.finish();
            let news = instant.learn(program, &result)?;
            if news {
                continue;
            }
            if !outcome.is_definite() || result.has_unknown_values(&instant) {
                return Err(Problem::Causality(result.waits(program, &instant)));
            }
            return Ok(self.step(program, &instant, result));
        }
    }

    /// Whether an event is one that the environment may give.
    fn accept(&self, program: &Program, event: &Event) -> Result<(), Problem> {
        for (&id, value) in event {
            let signal = &program.signals[id];
            let name = &signal.name;
            let is_input = id < program.interface && signal.direction != Direction::Output;
            if !is_input {
                return Err(Problem::Input(format!("`{name}` is no input")));
            }
            let fits = match (&signal.kind, value) {
                (None, None) => true,
                (Some(Type::Boolean), Some(Value::Boolean(_)))
                | (Some(Type::Real), Some(Value::Number(_)))
                | (Some(Type::Text), Some(Value::Text(_))) => true,
                (Some(Type::Integer), Some(Value::Number(number))) => number.is_integer(),
                (Some(Type::Host(_)), _) => true,
                _ => false,
            };
            if !fits {
                return Err(Problem::Input(format!(
                    "`{name}` needs a value of its type"
                )));
            }
        }
        for promise in &program.relations {
            if !is_kept(promise, event, &self.interface) {
                return Err(Problem::Input(
                    "a relation among inputs is broken".to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// Goes on to the next instant.
    fn step(&mut self, program: &Program, instant: &Instant, result: round::Result) -> Reaction {
        self.started = true;
        self.active = result.next;
        self.active.sort_unstable();
        self.variables = result.variables;
        for &(statement, place, slot) in &result.entered {
            let memory = instant.memory(slot);
            self.locals.insert((statement, place), memory);
        }
        for id in 0..program.interface {
            self.interface[id] = instant.memory(id);
        }
        Reaction {
            present: self.interface.iter().map(|one| one.present).collect(),
            values: self.interface.iter().map(|one| one.value.clone()).collect(),
            reached: result.reached,
        }
    }
}

/// Whether a promise about inputs is kept.
pub(crate) fn is_kept(promise: &Promise, event: &Event, before: &[Memory]) -> bool {
    match promise {
        Promise::Exclusive(all) => all.iter().filter(|id| event.contains_key(id)).count() <= 1,
        Promise::Implies(left, right) => {
            !input_condition(left, event, before) || input_condition(right, event, before)
        }
    }
}

fn input_condition(condition: &Condition, event: &Event, before: &[Memory]) -> bool {
    match condition {
        Condition::Constant(value) => *value,
        Condition::Signal(id) => event.contains_key(id),
        Condition::Before(id) => before.get(*id).is_some_and(|memory| memory.present),
        Condition::Not(inner) => !input_condition(inner, event, before),
        Condition::And(all) => all.iter().all(|one| input_condition(one, event, before)),
        Condition::Or(all) => all.iter().any(|one| input_condition(one, event, before)),
    }
}

/// What is known of an instant so far: it only grows.
pub(crate) struct Instant {
    /// Slots of signals: those of the interface first, then each incarnation of a local one.
    slots: Vec<Slot>,
    known: FxHashMap<(usize, usize, u64), usize>,
}

impl Instant {
    fn new(program: &Program, state: &State, event: &Event) -> Instant {
        let mut slots = Vec::new();
        for id in 0..program.interface {
            let memory = &state.interface[id];
            let direction = program.signals[id].direction;
            let given = event.get(&id);
            let mut slot = Slot::new(id, memory.clone());
            match direction {
                Direction::Sensor => {
                    slot.status = Some(true);
                    let value = given.cloned().flatten().or(memory.value.clone());
                    slot.value = Some(value);
                }
                Direction::Input => {
                    slot.status = Some(given.is_some());
                    slot.value = Some(given.cloned().flatten().or(memory.value.clone()));
                }
                _ if given.is_some() => {
                    slot.status = Some(true);
                    slot.given = given.cloned();
                }
                _ => {}
            }
            slots.push(slot);
        }
        Instant {
            slots,
            known: FxHashMap::default(),
        }
    }

    /// The slot of a local signal: one for each time that its statement is entered.
    fn slot(&mut self, key: (usize, usize, u64), make: impl FnOnce() -> Slot) -> usize {
        if let Some(&slot) = self.known.get(&key) {
            return slot;
        }
        self.slots.push(make());
        self.known.insert(key, self.slots.len() - 1);
        self.slots.len() - 1
    }

    fn memory(&self, slot: usize) -> Memory {
        let slot = &self.slots[slot];
        Memory {
            present: slot.status == Some(true),
            value: slot.value.clone().flatten(),
        }
    }

    /// Draws conclusions from a round; says whether there were any.
    fn learn(&mut self, program: &Program, result: &round::Result) -> Result<bool, Problem> {
        let mut news = false;
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let Some(seen) = result.seen.get(number).filter(|seen| seen.in_scope) else {
                continue;
            };
            if slot.status.is_none() {
                slot.status = match (seen.surely, seen.perhaps) {
                    (true, _) => Some(true),
                    (false, false) => Some(false),
                    (false, true) => None,
                };
                news |= slot.status.is_some();
            }
            let settled = slot.status.is_some() && !seen.open && !slot.awaits_start;
            if slot.value.is_none() && settled {
                let signal = &program.signals[slot.signal];
                let given = slot.given.iter().flatten().cloned();
                let values: Vec<Value> = given.chain(seen.values.iter().cloned()).collect();
                let value = combined(values, signal.combine.as_ref(), seen.place, &signal.name)?;
                slot.value = Some(value.or_else(|| slot.before.value.clone()));
                news = true;
            }
        }
        Ok(news)
    }
}

/// The value of emissions at the same time.
fn combined(
    values: Vec<Value>,
    combine: Option<&Combine>,
    place: Span,
    name: &str,
) -> Result<Option<Value>, Problem> {
    let mut values = values.into_iter();
    let Some(first) = values.next() else {
        return Ok(None);
    };
    let mut all = first;
    for value in values {
        all = match (combine, all, value) {
            (Some(Combine::Plus), Value::Number(a), Value::Number(b)) => Value::Number(a + b),
            (Some(Combine::Times), Value::Number(a), Value::Number(b)) => Value::Number(a * b),
            (Some(Combine::And), Value::Boolean(a), Value::Boolean(b)) => Value::Boolean(a & b),
            (Some(Combine::Or), Value::Boolean(a), Value::Boolean(b)) => Value::Boolean(a | b),
            (Some(Combine::Host(function)), ..) => {
                let message = format!("`{function}` of the host is not known here");
                return Err(Problem::Data(place, message));
            }
            _ => {
                let message = format!("`{name}` is emitted twice in one instant");
                return Err(Problem::Data(place, message));
            }
        };
    }
    Ok(Some(all))
}
