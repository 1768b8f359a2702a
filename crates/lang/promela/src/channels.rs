//! Messages: sent, received, and handed over at once.

use crate::machine::{Machine, Value, View};
use crate::program::{Action, Code, Edge, Pattern};
use crate::state::State;

impl Machine<'_> {
    /// A message with its values cut to their fields.
    pub(crate) fn message(
        &self,
        channel: usize,
        values: &[Code],
        view: View<'_>,
    ) -> Value<Vec<i32>> {
        let shape = &self.program.shapes[view.state.channel(channel).0];
        let values = values.iter().zip(&shape.fields);
        values
            .map(|(code, (width, _))| Ok(width.cut(self.value(code, view)?)))
            .collect()
    }

    /// Who can receive a message at once, by which of its steps.
    pub(crate) fn partners(
        &self,
        state: &State,
        me: usize,
        channel: usize,
        message: &[i32],
        one: bool,
    ) -> Value<Vec<(usize, usize)>> {
        let mut found = Vec::new();
        for other in (0..state.processes.len()).filter(|other| *other != me) {
            for (number, edge) in self.edges(state, other).iter().enumerate() {
                let Action::Receive {
                    channel: from,
                    pattern,
                    ..
                } = &edge.action
                else {
                    continue;
                };
                let view = View::of(state, other, false);
                if self.value(from, view)? == channel as i32 + 1
                    && self.fits(message, pattern, view)?
                    && self.is_provided(state, other)?
                    && !self.escaped(state, other, edge)?
                {
                    found.push((other, number));
                    if one {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(found)
    }

    fn escaped(&self, state: &State, me: usize, edge: &Edge) -> Value<bool> {
        let process = &self.program.proctypes[state.process(me).0];
        for escape in &edge.unless {
            let edges = &process.locations[*escape as usize].edges;
            if self.any(state, me, edges, false)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The channel and the message of a send without a buffer.
    pub(crate) fn handshake(
        &self,
        state: &State,
        me: usize,
        action: &Action,
    ) -> Value<Option<(usize, Vec<i32>)>> {
        let Action::Send {
            channel, values, ..
        } = action
        else {
            return Ok(None);
        };
        let view = View::of(state, me, false);
        let channel = self.channel(channel, view)?;
        if self.program.shapes[state.channel(channel).0].capacity != 0 {
            return Ok(None);
        }
        Ok(Some((channel, self.message(channel, values, view)?)))
    }

    /// Puts the fields of a message where a pattern says.
    pub(crate) fn store(
        &self,
        state: &mut State,
        me: usize,
        pattern: &[Pattern],
        message: &[i32],
    ) -> Value<()> {
        for (value, one) in message.iter().zip(pattern) {
            if let Pattern::Store(place) = one {
                let at = self.cell(place, View::of(state, me, false))?;
                state.cells[at] = place.width.cut(*value);
            }
        }
        Ok(())
    }

    pub(crate) fn send(
        &self,
        state: &mut State,
        me: usize,
        channel: &Code,
        values: &[Code],
        sorted: bool,
    ) -> Value<()> {
        let view = View::of(state, me, false);
        let channel = self.channel(channel, view)?;
        let message = self.message(channel, values, view)?;
        let (shape, length, start) = state.channel(channel);
        let shape = &self.program.shapes[shape];
        if length >= shape.capacity as usize {
            return Ok(());
        }
        let fields = shape.fields.len();
        let mut at = length;
        if sorted {
            let later = |number: &usize| {
                let other = &state.cells[start + number * fields..start + (number + 1) * fields];
                other > &message[..]
            };
            at = (0..length).find(later).unwrap_or(length);
        }
        let (from, end) = (start + at * fields, start + length * fields);
        state.cells.copy_within(from..end, from + fields);
        state.cells[from..from + fields].copy_from_slice(&message);
        state.cells[start - 1] += 1;
        self.event(state, channel, true, &message)
    }

    pub(crate) fn receive(
        &self,
        state: &mut State,
        me: usize,
        channel: &Code,
        pattern: &[Pattern],
        (anywhere, keep): (bool, bool),
    ) -> Value<()> {
        let view = View::of(state, me, false);
        let channel = self.channel(channel, view)?;
        let Some(number) = self.matching(channel, pattern, anywhere, view)? else {
            return Ok(());
        };
        let (shape, length, start) = state.channel(channel);
        let fields = self.program.shapes[shape].fields.len();
        let from = start + number * fields;
        let message = state.cells[from..from + fields].to_vec();
        if !keep {
            let end = start + length * fields;
            state.cells.copy_within(from + fields..end, from);
            state.cells[end - fields..end].fill(0);
            state.cells[start - 1] -= 1;
            self.event(state, channel, false, &message)?;
        }
        self.store(state, me, pattern, &message)
    }
}
