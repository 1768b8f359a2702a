//! Ranges of values, as signals that can be asked about.

use crate::kernel::{Condition, Kind, Node, Program, Signal, SignalId};
use crate::purify::{Object, Purified};
use crate::syntax::Direction;

/// A pure program that shows of each range whether a value is in it.
pub(crate) struct Shown {
    pub(crate) program: Program,
    /// The ranges: whose they are, which, and the signal of the program that says so.
    pub(crate) ranges: Vec<Range>,
}

/// A range that is shown.
pub(crate) struct Range {
    pub(crate) object: Object,
    /// What the object is called.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) signal: SignalId,
}

/// The pure program with an output beside each local signal that stands for a range, emitted wherever
/// that one is: it does what it did, and local signals, which may have several lives in one instant,
/// can be asked about. What comes from outside is left out.
pub(crate) fn shown(pure: &Purified, most: usize) -> Shown {
    let mut program = pure.program.clone();
    let mut ranges = Vec::new();
    let mut locals: Vec<SignalId> = Vec::new();
    let told = (pure.tables.iter()).filter(|table| table.signals.len() == table.ranges.count());
    for table in told.filter(|table| table.signals.len() > 1) {
        for (range, name) in table.signals.iter().enumerate() {
            let mut all = program.signals.iter();
            let Some(signal) = all.position(|signal| signal.name == *name) else {
                continue;
            };
            let is_inside = signal >= program.interface;
            let is_output = program.signals[signal].direction == Direction::Output;
            if ranges.len() < most && (is_inside || is_output) {
                let output = match is_inside {
                    true => program.interface + locals.len(),
                    false => signal,
                };
                locals.extend(is_inside.then_some(signal));
                ranges.push(Range {
                    object: table.object,
                    name: table.name.clone(),
                    text: table.ranges.shown(range),
                    signal: output,
                });
            }
        }
    }
    let outputs: Vec<Signal> = (locals.iter())
        .map(|&local| Signal {
            name: format!("{}_shown", program.signals[local].name),
            direction: Direction::Output,
            ..program.signals[local].clone()
        })
        .collect();
    let moved = Moved {
        interface: program.interface,
        locals: &locals,
    };
    moved.node(&mut program.body);
    let at = program.interface;
    program.signals.splice(at..at, outputs);
    program.interface += locals.len();
    program.renumber();
    Shown { program, ranges }
}

/// Where signals are once there are more of them in the interface.
struct Moved<'a> {
    interface: usize,
    /// The local signals that have an output beside them, in the order of those.
    locals: &'a [SignalId],
}

impl Moved<'_> {
    fn signal(&self, signal: &mut SignalId) {
        if *signal >= self.interface {
            *signal += self.locals.len();
        }
    }

    fn condition(&self, condition: &mut Condition) {
        match condition {
            Condition::Constant(_) => {}
            Condition::Signal(signal) | Condition::Before(signal) => self.signal(signal),
            Condition::Not(inner) => self.condition(inner),
            Condition::And(all) | Condition::Or(all) => {
                all.iter_mut().for_each(|one| self.condition(one));
            }
        }
    }

    fn node(&self, node: &mut Node) {
        match &mut node.kind {
            Kind::Present(condition, ..) | Kind::Suspend(condition, _) => self.condition(condition),
            Kind::Signal(signals, _) => signals.iter_mut().for_each(|one| self.signal(one)),
            Kind::Emit(signal, _) => {
                let beside = self.locals.iter().position(|local| local == signal);
                self.signal(signal);
                if let Some(number) = beside {
                    let output = Kind::Emit(self.interface + number, None);
                    let output = Node::new(output, node.span);
                    let kind = std::mem::replace(&mut node.kind, Kind::Nothing);
                    let emit = Node::new(kind, node.span);
                    node.kind = Kind::Sequence(vec![emit, output]);
                }
                return;
            }
            _ => {}
        }
        node.children_mut()
            .into_iter()
            .for_each(|child| self.node(child));
    }
}
