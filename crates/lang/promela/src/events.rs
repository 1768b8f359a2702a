//! Event traces: `trace` and `notrace` watch what is sent and received.
//!
//! An event is a message that a process sends or takes out of a channel; looking at one (`?<…>`) is
//! none. Events on channels that the trace sends to (receives from) are those that it speaks about.
//! A `trace` must have a way on for each of them; it need not come to its end. A `notrace` must not be
//! matched to its end by the first events. These are Spin's rules.

use crate::machine::{Machine, Value, View};
use crate::program::{Action, Code, Proctype};
use crate::space::{CLAIM_END, CLAIM_LOST};
use crate::state::{CLAIM, FAILED, Fault, State};
use crate::syntax::{Statement, Step};

/// A `trace` or `notrace`.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    /// Whether it is a `notrace`.
    pub(crate) negated: bool,
    /// The events as receives; those that stand for sends are marked by [`Action::Receive`]'s
    /// `anywhere`.
    pub(crate) automaton: Proctype,
    /// The channels that it speaks about, and whether sends to them are meant.
    scope: Vec<(Code, bool)>,
}

/// A body with sends written as receives, which may leave fields open. Nothing if there is a
/// statement that is no event and does not lead from one to another.
pub(crate) fn marked(body: &[Statement]) -> Option<Vec<Statement>> {
    let options = |all: &[Vec<Statement>]| -> Option<Vec<Vec<Statement>>> {
        all.iter().map(|one| marked(one)).collect()
    };
    let one = |statement: &Statement| {
        let kind = match &statement.kind {
            Step::Send {
                channel, arguments, ..
            } => Step::Receive {
                channel: channel.clone(),
                arguments: arguments.clone(),
                anywhere: true,
                keep: false,
            },
            Step::Receive {
                channel,
                arguments,
                keep: false,
                ..
            } => Step::Receive {
                channel: channel.clone(),
                arguments: arguments.clone(),
                anywhere: false,
                keep: false,
            },
            Step::Goto(_) | Step::Break => statement.kind.clone(),
            Step::If(all) => Step::If(options(all)?),
            Step::Do(all) => Step::Do(options(all)?),
            Step::Block(all) => Step::Block(marked(all)?),
            _ => return None,
        };
        Some(Statement {
            labels: statement.labels.clone(),
            kind,
            at: statement.at,
        })
    };
    body.iter().map(one).collect()
}

impl Watch {
    /// From its flow; nothing if it binds variables, which events cannot.
    pub(crate) fn new(automaton: Proctype, negated: bool) -> Option<Watch> {
        let mut scope = Vec::new();
        for edge in automaton.locations.iter().flat_map(|one| &one.edges) {
            match &edge.action {
                Action::Receive {
                    channel,
                    pattern,
                    anywhere,
                    ..
                } => {
                    let stores = |one: &crate::program::Pattern| {
                        matches!(one, crate::program::Pattern::Store(_))
                    };
                    if pattern.iter().any(stores) {
                        return None;
                    }
                    scope.push((channel.clone(), *anywhere));
                }
                Action::Skip => {}
                _ => return None,
            }
        }
        Some(Watch {
            negated,
            automaton,
            scope,
        })
    }
}

impl Machine<'_> {
    /// Lets the event trace that is looked at see a message.
    pub(crate) fn event(
        &self,
        state: &mut State,
        channel: usize,
        is_send: bool,
        message: &[i32],
    ) -> Value<()> {
        let Some(watch) = self.watch else {
            return Ok(());
        };
        let at = state.cells[CLAIM];
        let view = View::outside(state);
        let number = channel as i32 + 1;
        let meant = |code: &Code| self.value(code, view).is_ok_and(|one| one == number);
        let in_scope = watch
            .scope
            .iter()
            .any(|(code, sends)| *sends == is_send && meant(code));
        if !in_scope || at == CLAIM_LOST {
            return Ok(());
        }
        let mut goals: Vec<u32> = Vec::new();
        let mut seen = vec![at as u32];
        let mut todo = seen.clone();
        while let Some(at) = todo.pop() {
            let Some(location) = watch.automaton.locations.get(at as usize) else {
                continue;
            };
            for edge in &location.edges {
                match &edge.action {
                    Action::Receive {
                        channel,
                        pattern,
                        anywhere,
                        ..
                    } if *anywhere == is_send
                        && meant(channel)
                        && self.fits(message, pattern, view)?
                        && !goals.contains(&edge.to) =>
                    {
                        goals.push(edge.to);
                    }
                    Action::Skip if !seen.contains(&edge.to) => {
                        seen.push(edge.to);
                        todo.push(edge.to);
                    }
                    _ => {}
                }
            }
        }
        match (goals.as_slice(), watch.negated) {
            ([], true) => state.cells[CLAIM] = CLAIM_LOST,
            ([], false) => state.cells[FAILED] = Fault::Event.number(),
            ([one], negated) => {
                state.cells[CLAIM] = *one as i32;
                if negated && self.is_over(watch, *one) {
                    state.cells[FAILED] = Fault::Matched.number();
                }
            }
            _ => state.cells[FAILED] = Fault::Ambiguous.number(),
        }
        Ok(())
    }

    /// Whether an event trace is at its end, or comes there without another event.
    fn is_over(&self, watch: &Watch, at: u32) -> bool {
        at == CLAIM_END
            || watch
                .automaton
                .locations
                .get(at as usize)
                .is_some_and(|location| {
                    let jumps = |edge: &crate::program::Edge| {
                        matches!(edge.action, Action::Skip) && edge.to == CLAIM_END
                    };
                    location.edges.iter().any(jumps)
                })
    }
}
