//! Steps that nobody else notices: fewer states for the same answers.
//!
//! Where a process can only do what no other one notices or hinders, its steps stand for all
//! (Peled's ample sets; Holzmann and Peled, FORTE 1994, for Promela): tests and assignments of
//! its own variables, and messages on a channel that only it sends to, or receives from, from now on. What others do
//! commutes with that, and neither enables nor disables it.
//!
//! Nobody may be put off for ever. For failures and ends the search takes all steps where none of
//! the few leads to a state that is still to be visited. For formulas about runs, locations are
//! left out so that no cycle of a process consists of such steps alone; then every cycle of
//! states has one where all steps are taken.

use std::collections::BTreeSet;

use crate::looks::{codes, each_code, looks_of, looks_of_edge};
use crate::machine::Machine;
use crate::moves::Found;
use crate::program::{Action, Code, Edge, Location, Pattern, Place, Proctype, Program};
use crate::question::Atom;
use crate::state::{FAILED, State};

/// The most locations of a proctype that are looked at.
const MOST_LOCATIONS: usize = 3_000;

/// Where a channel comes from that stays the same: a cell of the process or of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fixed {
    global: bool,
    cell: u32,
}

/// What a process can do at a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Others may notice.
    Seen,
    /// Only its own variables.
    Own,
    /// Only messages to this channel, or from it.
    Sends(Fixed),
    Receives(Fixed),
}

/// What a process may do from a location on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Future {
    sends: BTreeSet<Fixed>,
    receives: BTreeSet<Fixed>,
    tests: BTreeSet<Fixed>,
    /// It may use a channel that is not known, or begin processes.
    anything: bool,
}

/// What is known of each location, by proctype.
#[derive(Debug)]
pub(crate) struct Alone {
    kinds: Vec<Vec<Kind>>,
    /// Locations that every cycle of the others has.
    knots: Vec<Vec<bool>>,
    futures: Vec<Vec<Future>>,
}

impl Alone {
    /// Of a program and what is asked about it; nothing if others might notice anything.
    pub(crate) fn of(program: &Program, loses: bool, atoms: &[Atom]) -> Option<Alone> {
        if program.uses_priorities || program.uses_last {
            return None;
        }
        let mut channels = !loses;
        for atom in atoms {
            let Atom::Code(code) = atom else { return None };
            let looks = looks_of(code);
            if looks.processes {
                return None;
            }
            channels &= !looks.channels;
        }
        let handshakes = program.shapes.iter().any(|shape| shape.capacity == 0);
        for process in &program.proctypes {
            if process.locations.len() > MOST_LOCATIONS {
                return None;
            }
            let provided = process.provided.as_ref().map(looks_of).unwrap_or_default();
            let mut looks = provided;
            let mut delicate = provided.channels;
            for location in &process.locations {
                for edge in &location.edges {
                    looks.add(looks_of_edge(edge));
                }
                delicate |= is_delicate(process, location);
            }
            if looks.processes || delicate && handshakes {
                return None;
            }
            channels &= !delicate;
        }
        let written = Written::of(program);
        let each = program.proctypes.iter().enumerate();
        let kinds: Vec<Vec<Kind>> = each
            .map(|(number, process)| {
                let locations = process.locations.iter();
                let kind = |location| match kind(&written, number, location) {
                    Kind::Sends(_) | Kind::Receives(_) if !channels => Kind::Seen,
                    kind => kind,
                };
                locations.map(kind).collect()
            })
            .collect();
        if kinds.iter().flatten().all(|kind| *kind == Kind::Seen) {
            return None;
        }
        let knots = program.proctypes.iter().zip(&kinds);
        Some(Alone {
            knots: knots.map(|(one, kinds)| knots_of(one, kinds)).collect(),
            futures: (program.proctypes.iter().enumerate())
                .map(|(number, process)| futures(&written, number, process))
                .collect(),
            kinds,
        })
    }

    /// The moves of a process that stand for all, if there is one. With `knots`, only at
    /// locations that are none.
    pub(crate) fn moves(
        &self,
        machine: &Machine<'_>,
        state: &State,
        knots: bool,
        out: &mut Vec<Found>,
    ) -> bool {
        let before = out.len();
        for own in [true, false] {
            for me in 0..state.processes.len() {
                let (process, location) = state.process(me);
                let kind = self.kinds[process][location as usize];
                let skipped = kind == Kind::Seen
                    || (kind == Kind::Own) != own
                    || knots && self.knots[process][location as usize]
                    || machine.program.proctypes[process].provided.is_some();
                if skipped || !self.is_alone(machine.program, state, me, kind) {
                    continue;
                }
                machine.moves(state, me, false, out);
                let fails = |one: &Found| one.1.cells[FAILED] != 0 || one.2.is_some();
                if out.len() > before && !out[before..].iter().any(fails) {
                    return true;
                }
                out.truncate(before);
            }
        }
        false
    }

    /// Whether no other process uses the channel in the same way, or tests it.
    fn is_alone(&self, program: &Program, state: &State, me: usize, kind: Kind) -> bool {
        let (fixed, sends) = match kind {
            Kind::Own => return true,
            Kind::Seen => return false,
            Kind::Sends(fixed) => (fixed, true),
            Kind::Receives(fixed) => (fixed, false),
        };
        let value = |process: usize, fixed: &Fixed| {
            let base = match fixed.global {
                true => crate::state::HEAD,
                false => state.locals(process),
            };
            state.cells.get(base + fixed.cell as usize).copied()
        };
        let Some(channel) = value(me, &fixed) else {
            return false;
        };
        let number = usize::try_from(channel)
            .ok()
            .and_then(|one| one.checked_sub(1));
        let Some(number) = number.filter(|one| *one < state.channels.len()) else {
            return false;
        };
        let (shape, length, _) = state.channel(number);
        let capacity = program.shapes[shape].capacity as usize;
        let ready = match sends {
            true => length < capacity,
            false => capacity > 0 && length > 0,
        };
        ready
            && (0..state.processes.len()).all(|other| {
                let (process, location) = state.process(other);
                let future = &self.futures[process][location as usize];
                let same = |all: &BTreeSet<Fixed>| {
                    all.iter().any(|fixed| value(other, fixed) == Some(channel))
                };
                let used = match sends {
                    true => same(&future.sends),
                    false => same(&future.receives),
                };
                !future.anything && !same(&future.tests) && (other == me || !used)
            })
    }
}

/// Whether a message that comes or goes, or a partner who is ready, changes more here than
/// which step is next: what is left then (`else`, `unless`), or where something atomic breaks.
fn is_delicate(process: &Proctype, location: &Location) -> bool {
    let talks = |edge: &Edge| {
        matches!(edge.action, Action::Send { .. } | Action::Receive { .. })
            || codes(&edge.action)
                .iter()
                .any(|code| looks_of(code).channels)
    };
    let any = location.edges.iter().any(talks);
    let alternative = location
        .edges
        .iter()
        .any(|edge| matches!(edge.action, Action::Else) || !edge.unless.is_empty());
    let inside = location.whole != 0;
    let broken = location.edges.iter().any(|edge| {
        let goal = process.locations.get(edge.to as usize);
        edge.keeps && goal.is_some_and(|goal| goal.edges.iter().any(talks))
    });
    let escapes = location.edges.iter().any(|edge| !edge.unless.is_empty());
    any && (alternative || inside) || broken || escapes
}

/// Whether an expression is about own variables alone.
fn is_own(code: &Code) -> bool {
    let mut own = true;
    each_code(code, &mut |code| {
        own &= match code {
            Code::Load(place) => !place.global,
            Code::Number(_) | Code::Unary(..) | Code::Binary(..) | Code::Choice(_) | Code::Pid => {
                true
            }
            _ => false,
        };
    });
    own
}

fn is_own_place(place: &Place) -> bool {
    !place.global && place.indexes.iter().all(|one| is_own(&one.0))
}

fn kind(written: &Written<'_>, process: usize, location: &Location) -> Kind {
    let mut found: Option<Kind> = None;
    if location.whole != 0 {
        return Kind::Seen;
    }
    for edge in &location.edges {
        if edge.keeps || !edge.unless.is_empty() {
            return Kind::Seen;
        }
        let one = match &edge.action {
            Action::Guard(code) if is_own(code) => Kind::Own,
            Action::Assign(place, code) if is_own_place(place) && is_own(code) => Kind::Own,
            Action::Skip | Action::Else => Kind::Own,
            Action::Send {
                channel,
                values,
                sorted: false,
            } if values.iter().all(is_own) => match written.fixed(process, channel) {
                Some(channel) => Kind::Sends(channel),
                None => Kind::Seen,
            },
            Action::Receive {
                channel,
                pattern,
                anywhere: false,
                keep: false,
            } => {
                let own = pattern.iter().all(|one| match one {
                    Pattern::Any => true,
                    Pattern::Equals(code) => is_own(code),
                    Pattern::Store(place) => is_own_place(place),
                });
                match written.fixed(process, channel).filter(|_| own) {
                    Some(channel) => Kind::Receives(channel),
                    None => Kind::Seen,
                }
            }
            _ => Kind::Seen,
        };
        match found {
            None => found = Some(one),
            Some(before) if before == one => {}
            Some(_) => return Kind::Seen,
        }
    }
    found.unwrap_or(Kind::Seen)
}

/// Places that steps write to.
struct Written<'a> {
    globals: Vec<&'a Place>,
    /// By proctype.
    locals: Vec<Vec<&'a Place>>,
}

impl<'a> Written<'a> {
    fn of(program: &'a Program) -> Written<'a> {
        let mut all = Written {
            globals: Vec::new(),
            locals: Vec::new(),
        };
        for process in &program.proctypes {
            let mut locals = Vec::new();
            for edge in process
                .locations
                .iter()
                .flat_map(|location| &location.edges)
            {
                let places: Vec<&Place> = match &edge.action {
                    Action::Assign(place, _) => vec![place],
                    Action::Run { result, .. } => result.iter().collect(),
                    Action::Receive { pattern, .. } => pattern
                        .iter()
                        .filter_map(|one| match one {
                            Pattern::Store(place) => Some(place),
                            _ => None,
                        })
                        .collect(),
                    _ => Vec::new(),
                };
                for place in places {
                    match place.global {
                        true => all.globals.push(place),
                        false => locals.push(place),
                    }
                }
            }
            all.locals.push(locals);
        }
        all
    }

    /// The cell that a channel comes from, if it always stays the same.
    fn fixed(&self, process: usize, channel: &Code) -> Option<Fixed> {
        let Code::Load(place) = channel else {
            return None;
        };
        let mut cell = place.base;
        for (index, length, stride) in &place.indexes {
            let Code::Number(index) = index else {
                return None;
            };
            let index = u32::try_from(*index).ok().filter(|index| index < length)?;
            cell = cell.checked_add(index.checked_mul(*stride)?)?;
        }
        let all = match place.global {
            true => &self.globals,
            false => self.locals.get(process)?,
        };
        // With an index it may be any cell from its base on.
        let hits = |other: &&Place| match other.indexes.is_empty() {
            true => other.base == cell,
            false => other.base <= cell,
        };
        let global = place.global;
        (!all.iter().any(hits)).then_some(Fixed { global, cell })
    }
}

/// What a process may do from each of its locations on.
fn futures(written: &Written<'_>, number: usize, process: &Proctype) -> Vec<Future> {
    let locations = process.locations.iter();
    let mut all: Vec<Future> = locations.map(|one| now(written, number, one)).collect();
    loop {
        let mut changed = false;
        for at in (0..all.len()).rev() {
            let mut sum = all[at].clone();
            for next in next(&process.locations[at]) {
                if let Some(later) = all.get(next as usize) {
                    sum.sends.extend(&later.sends);
                    sum.receives.extend(&later.receives);
                    sum.tests.extend(&later.tests);
                    sum.anything |= later.anything;
                }
            }
            if sum != all[at] {
                all[at] = sum;
                changed = true;
            }
        }
        if !changed {
            return all;
        }
    }
}

/// Where a process may be after a step, and inside of it.
fn next(location: &Location) -> impl Iterator<Item = u32> + '_ {
    location.edges.iter().flat_map(|edge| {
        let inside = match edge.action {
            Action::Whole(entry) => Some(entry),
            _ => None,
        };
        [Some(edge.to), inside]
            .into_iter()
            .flatten()
            .chain(edge.unless.iter().copied())
    })
}

fn now(written: &Written<'_>, process: usize, location: &Location) -> Future {
    let mut future = Future::default();
    let into = |set: &mut BTreeSet<Fixed>, anything: &mut bool, channel: &Code| match written
        .fixed(process, channel)
    {
        Some(channel) => {
            set.insert(channel);
        }
        None => *anything = true,
    };
    for edge in &location.edges {
        match &edge.action {
            Action::Send { channel, .. } => {
                into(&mut future.sends, &mut future.anything, channel);
            }
            Action::Receive { channel, .. } => {
                into(&mut future.receives, &mut future.anything, channel);
            }
            Action::Run { .. } => future.anything = true,
            _ => {}
        }
        for code in codes(&edge.action) {
            each_code(code, &mut |code| match code {
                Code::Length(channel) | Code::Full(channel) => {
                    into(&mut future.tests, &mut future.anything, channel);
                }
                Code::Poll { channel, .. } => {
                    into(&mut future.tests, &mut future.anything, channel);
                }
                _ => {}
            });
        }
    }
    future
}

/// Locations that every cycle through the others of a kind has: where a walk in depth comes back.
fn knots_of(process: &Proctype, kinds: &[Kind]) -> Vec<bool> {
    let mut knots = vec![false; kinds.len()];
    // 0: not seen, 1: on the way, 2: left behind.
    let mut marks = vec![0_u8; kinds.len()];
    for begin in 0..kinds.len() {
        let mut stack = vec![(begin, false)];
        while let Some((at, leaving)) = stack.pop() {
            if leaving {
                marks[at] = 2;
                continue;
            }
            if kinds[at] == Kind::Seen || marks[at] == 2 {
                continue;
            }
            if marks[at] == 1 {
                // Found again while on the way, or pushed twice: a knot in any case.
                knots[at] = true;
                continue;
            }
            marks[at] = 1;
            stack.push((at, true));
            stack.extend(next(&process.locations[at]).map(|to| (to as usize, false)));
        }
    }
    knots
}
