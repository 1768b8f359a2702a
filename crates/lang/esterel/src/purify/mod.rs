//! Purification: programs with numbers and Booleans become pure ones that do the same at their
//! interface (Koblenc and Tyszberowicz).
//!
//! The domain of each object is split into ranges so that every test is decided by the range and
//! every assignment takes ranges to ranges; a range is a pure signal. What is outside of the
//! class is refused with its reason, or forgotten (each test of it becomes a free input), which
//! gives more behaviour than there is and never less.

mod conditions;
mod flow;
mod objects;
mod ranges;
mod rewrite;
mod unroll;

use std::collections::BTreeSet;

use crate::kernel::{Condition, Program, SignalId};
use crate::react::Event;
use crate::syntax::Direction;
use crate::value::Value;

pub(crate) use objects::{Object, Reason};
pub(crate) use ranges::Ranges;

/// How much of the data is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// All of it, or nothing: what is outside of the class is refused.
    Pure,
    /// What is in the class; the rest is forgotten.
    Partial,
    /// None of it: every test of data is free.
    Soft,
}

/// A pure program, and how it stands for the one with data.
#[derive(Debug, Clone)]
pub(crate) struct Purified {
    pub(crate) program: Program,
    /// What was forgotten, and why; nothing if the two programs do the same.
    pub(crate) reasons: Vec<Reason>,
    /// The objects that became ranges.
    pub(crate) tables: Vec<Table>,
    /// By signal of the interface of the program with data.
    interface: Vec<Stands>,
    /// The inputs that stand for forgotten tests.
    pub(crate) free: usize,
}

/// An object with its ranges and the signals that stand for them.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) object: Object,
    pub(crate) name: String,
    pub(crate) ranges: Ranges,
    pub(crate) signals: Vec<String>,
    /// Where each range goes by assignments from this object: to which object, and to which of
    /// its ranges.
    pub(crate) flows: Vec<(String, Vec<usize>)>,
}

/// The pure signals that stand for one of the interface.
#[derive(Debug, Clone)]
pub(crate) enum Stands {
    /// One signal: pure, or a value that nothing depends on.
    Whole(SignalId),
    /// One for each range.
    Ranges(Vec<SignalId>, Ranges),
    /// A Boolean sensor: present is true.
    Truth(SignalId),
    /// A sensor that nothing depends on.
    Nothing,
}

/// Purifies a program; refusals are the reasons.
pub(crate) fn purify(program: &Program, mode: Mode) -> Result<Purified, Vec<Reason>> {
    let (unrolled, mut reasons) = unroll::unrolled(program);
    let mut soft = BTreeSet::new();
    if mode == Mode::Soft {
        for (id, signal) in unrolled.signals.iter().enumerate() {
            if signal.kind.is_some() {
                soft.insert(Object::Signal(id));
            }
        }
        soft.extend((0..unrolled.variables.len()).map(Object::Variable));
    }
    let accesses = flow::accesses(&unrolled);
    let mut objects = objects::partition(&unrolled, &soft);
    // Only what has ranges to tell apart needs to be written once an instant.
    let twice = accesses.twice.iter();
    let twice: Vec<_> = twice
        .filter(|(object, _)| objects.count(*object) > 1)
        .collect();
    if !twice.is_empty() {
        for (object, why) in twice {
            soft.insert(*object);
            reasons.push(why.clone());
        }
        objects = objects::partition(&unrolled, &soft);
    }
    if mode != Mode::Soft {
        reasons.extend(objects.reasons.iter().cloned());
    }
    let purified = rewrite::rewrite(&unrolled, objects, accesses, reasons);
    match mode == Mode::Pure && !purified.reasons.is_empty() {
        true => Err(purified.reasons),
        false => Ok(purified),
    }
}

impl Purified {
    /// Whether the pure program does what the one with data does.
    pub(crate) fn is_exact(&self) -> bool {
        self.reasons.is_empty() && self.free == 0
    }

    /// A condition on the interface, in terms of the pure program.
    pub(crate) fn condition(&self, condition: &Condition) -> Condition {
        match condition {
            Condition::Constant(value) => Condition::Constant(*value),
            Condition::Signal(signal) => self.presence(*signal, Condition::Signal),
            Condition::Before(signal) => self.presence(*signal, Condition::Before),
            Condition::Not(inner) => self.condition(inner).negated(),
            Condition::And(all) => {
                Condition::And(all.iter().map(|one| self.condition(one)).collect())
            }
            Condition::Or(all) => {
                Condition::Or(all.iter().map(|one| self.condition(one)).collect())
            }
        }
    }

    fn presence(&self, signal: SignalId, make: fn(SignalId) -> Condition) -> Condition {
        match &self.interface[signal] {
            Stands::Whole(own) => make(*own),
            Stands::Ranges(all, _) => Condition::any(all.iter().map(|&one| make(one)).collect()),
            Stands::Truth(_) | Stands::Nothing => Condition::Constant(true),
        }
    }

    /// What the environment gives, as numbers: one of each range.
    pub(crate) fn concrete(&self, program: &Program, event: &Event) -> Event {
        let mut concrete = Event::new();
        for id in program.inputs() {
            let signal = &program.signals[id];
            let any = |range: usize, ranges: &Ranges| Some(ranges.representative(range));
            match &self.interface[id] {
                Stands::Whole(own) if event.contains_key(own) => {
                    let value = signal.kind.as_ref().map(some_value);
                    concrete.insert(id, value);
                }
                Stands::Ranges(all, ranges) => {
                    let given = all.iter().position(|own| event.contains_key(own));
                    let sensor = signal.direction == Direction::Sensor;
                    if let Some(range) = given.or(sensor.then_some(0)) {
                        concrete.insert(id, any(range, ranges));
                    }
                }
                Stands::Truth(own) => {
                    let value = Value::Boolean(event.contains_key(own));
                    concrete.insert(id, Some(value));
                }
                Stands::Nothing => {
                    concrete.insert(id, signal.kind.as_ref().map(some_value));
                }
                Stands::Whole(_) => {}
            }
        }
        concrete
    }

    /// What the environment gives, as ranges.
    #[cfg(test)]
    pub(crate) fn abstracted(&self, event: &Event) -> Event {
        let mut pure = Event::new();
        for (&id, value) in event {
            match (&self.interface[id], value) {
                (Stands::Whole(own), _) => {
                    pure.insert(*own, None);
                }
                (Stands::Ranges(all, ranges), Some(value)) => {
                    pure.insert(all[ranges.of(value)], None);
                }
                (Stands::Truth(own), Some(Value::Boolean(true))) => {
                    pure.insert(*own, None);
                }
                _ => {}
            }
        }
        pure
    }

    /// The pure signals that stand for one of the interface.
    pub(crate) fn stands(&self, signal: SignalId) -> &Stands {
        &self.interface[signal]
    }
}

/// Some value of a type, where it does not matter which.
pub(crate) fn some_value(kind: &crate::value::Type) -> Value {
    use num_traits::Zero;
    match kind {
        crate::value::Type::Boolean => Value::Boolean(false),
        crate::value::Type::Integer | crate::value::Type::Real => {
            Value::Number(crate::value::Number::zero())
        }
        _ => Value::Text(String::new()),
    }
}

#[cfg(test)]
mod tests;
