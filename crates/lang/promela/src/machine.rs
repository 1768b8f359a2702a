//! What expressions are worth, and what statements do, in a state.

use crate::events::Watch;
use crate::names::{binary, unary};
use crate::program::{Action, Code, Edge, Pattern, Place, Program};
use crate::state::{FAILED, FRAME, Fault, HEAD, LAST, MOST_PROCESSES, State};
use crate::syntax::Sign;

/// The most steps of one `d_step`.
const MOST_STEPS: usize = 1_000_000;

/// Runs a program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    /// Whether a full channel loses messages instead of blocking.
    pub(crate) loses: bool,
    /// Whether states tell who moved last.
    pub(crate) last: bool,
    /// Whether failed assertions and faults are states of their own.
    pub(crate) marks: bool,
    /// The event trace that sees messages; it is where a claim would be.
    pub(crate) watch: Option<&'a Watch>,
}

/// From where something is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) state: &'a State,
    /// The process; none for formulas and claims.
    pub(crate) me: Option<usize>,
    pub(crate) timeout: bool,
}

impl<'a> View<'a> {
    pub(crate) fn of(state: &'a State, me: usize, timeout: bool) -> View<'a> {
        View {
            state,
            me: Some(me),
            timeout,
        }
    }

    /// From outside of all processes.
    pub(crate) fn outside(state: &'a State) -> View<'a> {
        View {
            state,
            me: None,
            timeout: false,
        }
    }
}

pub(crate) type Value<T> = Result<T, Fault>;

impl<'a> Machine<'a> {
    /// Where a variable lies in a state.
    pub(crate) fn cell(&self, place: &Place, view: View<'_>) -> Value<usize> {
        let mut at = match (place.global, view.me) {
            (true, _) => HEAD,
            (false, Some(me)) => view.state.locals(me),
            (false, None) => return Err(Fault::Index),
        };
        at += place.base as usize;
        for (index, length, stride) in &place.indexes {
            let index = self.value(index, view)?;
            match (0..*length as i32).contains(&index) {
                true => at += index as usize * *stride as usize,
                false => return Err(Fault::Index),
            }
        }
        Ok(at)
    }

    /// The number of a channel in a state.
    pub(crate) fn channel(&self, code: &Code, view: View<'_>) -> Value<usize> {
        let number = self.value(code, view)?;
        let number = usize::try_from(number)
            .ok()
            .and_then(|one| one.checked_sub(1));
        let number = number.filter(|one| *one < view.state.channels.len());
        number.ok_or(Fault::Channel)
    }

    /// The process that something about another one means.
    fn other(&self, process: usize, number: Option<&Code>, view: View<'_>) -> Value<Option<usize>> {
        let state = view.state;
        Ok(match number {
            Some(code) => {
                let number = usize::try_from(self.value(code, view)?).ok();
                number
                    .filter(|one| *one < state.processes.len())
                    .filter(|one| state.process(*one).0 == process)
            }
            None => (0..state.processes.len()).find(|one| state.process(*one).0 == process),
        })
    }

    /// What an expression is worth.
    pub(crate) fn value(&self, code: &Code, view: View<'_>) -> Value<i32> {
        let state = view.state;
        Ok(match code {
            Code::Number(value) => *value,
            Code::Load(place) => state.cells[self.cell(place, view)?],
            Code::Unary(sign, inner) => unary(*sign, self.value(inner, view)?),
            Code::Binary(sign, pair) => {
                let left = self.value(&pair.0, view)?;
                // The right side of these may be without a value.
                match (sign, left) {
                    (Sign::And, 0) => return Ok(0),
                    (Sign::Or, left) if left != 0 => return Ok(1),
                    (Sign::Implies, 0) => return Ok(1),
                    _ => {}
                }
                let right = self.value(&pair.1, view)?;
                binary(*sign, left, right).ok_or(Fault::Division)?
            }
            Code::Choice(parts) => match self.value(&parts.0, view)? {
                0 => self.value(&parts.2, view)?,
                _ => self.value(&parts.1, view)?,
            },
            Code::Length(channel) => state.channel(self.channel(channel, view)?).1 as i32,
            Code::Full(channel) => {
                let (shape, length, _) = state.channel(self.channel(channel, view)?);
                i32::from(length >= self.program.shapes[shape].capacity as usize)
            }
            Code::Poll {
                channel,
                pattern,
                anywhere,
            } => {
                let channel = self.channel(channel, view)?;
                i32::from(self.matching(channel, pattern, *anywhere, view)?.is_some())
            }
            Code::At {
                process,
                number,
                location,
            } => {
                let found = self.other(*process, number.as_deref(), view)?;
                i32::from(found.is_some_and(|one| state.process(one).1 == *location))
            }
            Code::Remote {
                process,
                number,
                place,
            } => match self.other(*process, number.as_deref(), view)? {
                Some(me) => {
                    let at = self.cell(
                        place,
                        View {
                            me: Some(me),
                            ..view
                        },
                    )?;
                    state.cells[at]
                }
                None => 0,
            },
            Code::Enabled(number) => {
                let number = usize::try_from(self.value(number, view)?).ok();
                let number = number.filter(|one| *one < state.processes.len());
                match number {
                    Some(number) if Some(number) != view.me => {
                        i32::from(self.can_move(state, number, false)?)
                    }
                    _ => 0,
                }
            }
            Code::Counter(number) => {
                let number = usize::try_from(self.value(number, view)?).ok();
                let number = number.filter(|one| *one < state.processes.len());
                number.map_or(0, |one| state.process(one).1 as i32)
            }
            Code::Priority(number) => self.priority(state, self.value(number, view)?),
            Code::Pid => view.me.unwrap_or(0) as i32,
            Code::Processes => state.processes.len() as i32,
            Code::Last => (state.cells[LAST] & 511) - 1,
            Code::Timeout => i32::from(view.timeout),
            Code::NoProgress => i32::from(!self.is_at(state, |location| location.progress)),
        })
    }

    /// Whether some process is at a location of a kind.
    pub(crate) fn is_at(
        &self,
        state: &State,
        fits: impl Fn(&crate::program::Location) -> bool,
    ) -> bool {
        (0..state.processes.len()).any(|one| {
            let (process, location) = state.process(one);
            fits(&self.program.proctypes[process].locations[location as usize])
        })
    }

    /// Whether a message fits a pattern.
    pub(crate) fn fits(&self, message: &[i32], pattern: &[Pattern], view: View<'_>) -> Value<bool> {
        if message.len() != pattern.len() {
            return Err(Fault::Message);
        }
        for (value, one) in message.iter().zip(pattern) {
            if let Pattern::Equals(code) = one
                && self.value(code, view)? != *value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The message that is received: the first, or the first that fits.
    pub(crate) fn matching(
        &self,
        channel: usize,
        pattern: &[Pattern],
        anywhere: bool,
        view: View<'_>,
    ) -> Value<Option<usize>> {
        let (shape, length, start) = view.state.channel(channel);
        let fields = self.program.shapes[shape].fields.len();
        let looked = if anywhere { length } else { length.min(1) };
        for number in 0..looked {
            let at = start + number * fields;
            if self.fits(&view.state.cells[at..at + fields], pattern, view)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The edges of a process where it is.
    pub(crate) fn edges(&self, state: &State, me: usize) -> &'a [Edge] {
        let (process, location) = state.process(me);
        &self.program.proctypes[process].locations[location as usize].edges
    }

    /// Whether a process may move at all.
    pub(crate) fn is_provided(&self, state: &State, me: usize) -> Value<bool> {
        let process = &self.program.proctypes[state.process(me).0];
        match &process.provided {
            None => Ok(true),
            Some(code) => Ok(self.value(code, View::of(state, me, false))? != 0),
        }
    }

    /// Whether a process has a step.
    pub(crate) fn can_move(&self, state: &State, me: usize, timeout: bool) -> Value<bool> {
        if !self.is_provided(state, me)? {
            return Ok(false);
        }
        self.any(state, me, self.edges(state, me), timeout)
    }

    pub(crate) fn any(
        &self,
        state: &State,
        me: usize,
        edges: &[Edge],
        timeout: bool,
    ) -> Value<bool> {
        for edge in edges {
            if matches!(edge.action, Action::Else) || self.can(state, me, edge, timeout)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a step can be taken; `else` is for those who know the other steps.
    pub(crate) fn can(&self, state: &State, me: usize, edge: &Edge, timeout: bool) -> Value<bool> {
        let view = View::of(state, me, timeout);
        let process = &self.program.proctypes[state.process(me).0];
        for escape in &edge.unless {
            let edges = &process.locations[*escape as usize].edges;
            if self.any(state, me, edges, timeout)? {
                return Ok(false);
            }
        }
        Ok(match &edge.action {
            Action::Guard(code) => self.value(code, view)? != 0,
            Action::Assign(..)
            | Action::Assert(_)
            | Action::Skip
            | Action::Run { .. }
            | Action::Prioritize(..) => true,
            Action::Else => false,
            Action::Send {
                channel, values, ..
            } => {
                let channel = self.channel(channel, view)?;
                let (shape, length, _) = state.channel(channel);
                let shape = &self.program.shapes[shape];
                if values.len() != shape.fields.len() {
                    return Err(Fault::Message);
                }
                match shape.capacity as usize {
                    0 => {
                        let message = self.message(channel, values, view)?;
                        !self
                            .partners(state, me, channel, &message, true)?
                            .is_empty()
                    }
                    capacity => self.loses || length < capacity,
                }
            }
            Action::Receive {
                channel,
                pattern,
                anywhere,
                ..
            } => {
                let channel = self.channel(channel, view)?;
                self.matching(channel, pattern, *anywhere, view)?.is_some()
            }
            Action::Whole(entry) => {
                let edges = &process.locations[*entry as usize].edges;
                self.any(state, me, edges, timeout)?
            }
            Action::End => me + 1 == state.processes.len(),
        })
    }

    /// Moves a process on.
    pub(crate) fn go(&self, state: &mut State, me: usize, to: u32) {
        let at = state.processes[me] as usize;
        state.cells[at + 1] = to as i32;
    }

    /// Does what a step that can be taken does, all but handshakes; says whether the process goes
    /// on before all others.
    pub(crate) fn apply(&self, state: &mut State, me: usize, edge: &Edge) -> Value<bool> {
        let mut keeps = edge.keeps;
        match &edge.action {
            Action::Guard(_) | Action::Skip | Action::Else => {}
            Action::Assign(place, code) => {
                let view = View::of(state, me, false);
                let value = place.width.cut(self.value(code, view)?);
                let at = self.cell(place, view)?;
                state.cells[at] = value;
            }
            Action::Assert(code) => {
                if self.value(code, View::of(state, me, false))? == 0 && self.marks {
                    state.cells[FAILED] = Fault::Assertion.number();
                }
            }
            Action::Send {
                channel,
                values,
                sorted,
            } => self.send(state, me, channel, values, *sorted)?,
            Action::Receive {
                channel,
                pattern,
                anywhere,
                keep,
            } => self.receive(state, me, channel, pattern, (*anywhere, *keep))?,
            Action::Run {
                process,
                arguments,
                result,
                priority,
            } => {
                let view = View::of(state, me, false);
                let values: Value<Vec<i32>> = arguments
                    .iter()
                    .map(|code| self.value(code, view))
                    .collect();
                let place = result
                    .as_ref()
                    .map(|place| (self.cell(place, view), place.width));
                let number = self.begin(state, *process, &values?, *priority)?;
                if let Some((at, width)) = place {
                    state.cells[at?] = width.cut(number as i32);
                }
            }
            Action::Prioritize(process, priority) => {
                let view = View::of(state, me, false);
                let (process, priority) = (self.value(process, view)?, self.value(priority, view)?);
                self.prioritize(state, process, priority);
            }
            Action::Whole(entry) => {
                let (to, kept) = self.whole(state, me, *entry)?;
                keeps = kept;
                self.go(state, me, to);
                return Ok(keeps);
            }
            Action::End => {
                state.pop_process();
                return Ok(false);
            }
        }
        self.go(state, me, edge.to);
        Ok(keeps)
    }

    /// Begins a process; its number.
    pub(crate) fn begin(
        &self,
        state: &mut State,
        process: usize,
        values: &[i32],
        priority: i32,
    ) -> Value<usize> {
        if state.processes.len() >= MOST_PROCESSES {
            return Err(Fault::Processes);
        }
        let one = &self.program.proctypes[process];
        let number = state.processes.len();
        let at = state.cells.len();
        state.processes.push(at as u32);
        state.cells.push(process as i32);
        state.cells.push(one.start as i32);
        state.cells.resize(at + FRAME + one.slots.len(), 0);
        for (slot, value) in values.iter().enumerate().take(one.parameters) {
            state.cells[at + FRAME + slot] = one.slots[slot].width.cut(*value);
        }
        self.prioritize(state, number as i32, priority);
        for made in &one.channels {
            let slot = at + FRAME + made.slot as usize;
            if !state.push_channel(self.program, made, slot) {
                return Err(Fault::Channels);
            }
        }
        for (place, code) in &one.starts {
            let view = View::of(state, number, false);
            let value = place.width.cut(self.value(code, view)?);
            let at = self.cell(place, view)?;
            state.cells[at] = value;
        }
        Ok(number)
    }

    /// Takes the steps of a `d_step`, always the first that can be taken.
    fn whole(&self, state: &mut State, me: usize, entry: u32) -> Value<(u32, bool)> {
        let process = &self.program.proctypes[state.process(me).0];
        let region = process.locations[entry as usize].whole;
        let (mut at, mut keeps) = (entry, false);
        for _ in 0..MOST_STEPS {
            let location = &process.locations[at as usize];
            if location.whole != region {
                return Ok((at, keeps));
            }
            let mut taken = None;
            for edge in &location.edges {
                if matches!(edge.action, Action::Else) || self.can(state, me, edge, false)? {
                    taken = Some(edge);
                    break;
                }
            }
            let edge = taken.ok_or(Fault::Blocked)?;
            if self.handshake(state, me, &edge.action)?.is_some() {
                return Err(Fault::Blocked);
            }
            keeps = self.apply(state, me, edge)?;
            at = edge.to;
        }
        Err(Fault::Endless)
    }

    /// The state in which the program begins.
    pub(crate) fn start(&self) -> Value<State> {
        let mut state = State {
            cells: vec![0; HEAD + self.program.globals.len()],
            ..State::default()
        };
        for made in &self.program.channels {
            if !state.push_channel(self.program, made, HEAD + made.slot as usize) {
                return Err(Fault::Channels);
            }
        }
        for (place, code) in &self.program.starts {
            let view = View::outside(&state);
            let value = place.width.cut(self.value(code, view)?);
            let at = self.cell(place, view)?;
            state.cells[at] = value;
        }
        for (number, process) in self.program.proctypes.iter().enumerate() {
            for _ in 0..process.active {
                self.begin(&mut state, number, &[], process.priority)?;
            }
        }
        Ok(state)
    }
}
