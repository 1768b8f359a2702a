//! A pure program as the machine that it is: its states and reactions, as few as there can be.
//!
//! The states are those of the interpreter; states that answer every event alike, now and later,
//! are one. It is a picture for people: programs with many states or inputs have none.

mod cubes;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use quotient_core::{Budget, Source, Stop};
use quotient_language::{Graph, Node};
use rustc_hash::FxHashMap;

use crate::kernel::{Kind, Program, SignalId};
use crate::react::{Event, Problem, State, is_kept};
use cubes::{Cube, cover};

/// The most inputs of a program that is drawn.
const MOST_INPUTS: usize = 5;
/// The most states that are looked at.
const MOST_STATES: usize = 150;
/// The most states that are drawn.
const MOST_DRAWN: usize = 24;

/// What an event does: the outputs that are present, and the state after it.
type Reply = (Vec<bool>, usize);

/// States by number, the first one first, with a reply to each set of inputs; none where the
/// environment promises not to give it.
pub(crate) struct Machine {
    inputs: Vec<SignalId>,
    replies: Vec<Vec<Option<Reply>>>,
    /// Whether all is over.
    over: Vec<bool>,
    /// The pauses that control rests at.
    rests: Vec<Vec<usize>>,
}

impl Machine {
    /// The machine of a pure program; none if it is too large or not constructive.
    pub(crate) fn of(program: &Program, budget: &Budget) -> Result<Option<Machine>, Stop> {
        let inputs: Vec<SignalId> = program.inputs().collect();
        let Ok(start) = State::new(program) else {
            return Ok(None);
        };
        if inputs.len() > MOST_INPUTS || !program.is_pure() {
            return Ok(None);
        }
        let outputs: Vec<SignalId> = program.outputs().collect();
        let mut states = vec![start];
        let mut replies: Vec<Vec<Option<Reply>>> = Vec::new();
        while let Some(state) = states.get(replies.len()).cloned() {
            let mut row = Vec::new();
            for set in 0..1_u32 << inputs.len() {
                let event = event(&inputs, set);
                let mut kept = program.relations.iter();
                if !kept.all(|promise| is_kept(promise, &event, state.interface())) {
                    row.push(None);
                    continue;
                }
                let mut next = state.clone();
                let reaction = match next.react(program, &event, budget) {
                    Ok(reaction) => reaction,
                    Err(Problem::Stopped(stop)) => return Err(stop),
                    Err(_) => return Ok(None),
                };
                let known = states.iter().position(|one| *one == next);
                let target = known.unwrap_or_else(|| {
                    states.push(next);
                    states.len() - 1
                });
                if states.len() > MOST_STATES {
                    return Ok(None);
                }
                let shown = outputs.iter().map(|&id| reaction.present[id]).collect();
                row.push(Some((shown, target)));
            }
            replies.push(row);
        }
        let machine = Machine {
            inputs,
            replies,
            over: states.iter().map(State::is_over).collect(),
            rests: states.iter().map(|one| one.rests().to_vec()).collect(),
        };
        Ok(Some(machine.merged()))
    }

    /// States that answer alike are one.
    fn merged(self) -> Machine {
        let mut classes: Vec<usize> = self.over.iter().map(|&over| usize::from(over)).collect();
        let mut count = 0;
        loop {
            let mut known = FxHashMap::default();
            let key = |state: usize| {
                let row = self.replies[state].iter();
                let row = row.map(|one| one.as_ref().map(|(shown, to)| (shown, classes[*to])));
                (classes[state], row.collect::<Vec<_>>())
            };
            let mut next = Vec::new();
            for state in 0..classes.len() {
                let fresh = known.len();
                next.push(*known.entry(key(state)).or_insert(fresh));
            }
            let now = known.len();
            classes = next;
            if now == count {
                break;
            }
            count = now;
        }
        let first = |class: usize| classes.iter().position(|&one| one == class);
        let firsts: Vec<usize> = (0..count).filter_map(first).collect();
        let reply = |one: &Option<Reply>| {
            let (shown, to) = one.as_ref()?;
            Some((shown.clone(), classes[*to]))
        };
        Machine {
            replies: (firsts.iter())
                .map(|&state| self.replies[state].iter().map(reply).collect())
                .collect(),
            over: firsts.iter().map(|&state| self.over[state]).collect(),
            rests: (firsts.iter())
                .map(|&state| self.rests[state].clone())
                .collect(),
            inputs: self.inputs,
        }
    }

    /// The machine as a graph, if it is small. Instants that change nothing and show nothing are
    /// left out.
    pub(crate) fn picture(&self, program: &Program, source: &Source) -> Option<Graph> {
        if self.replies.len() > MOST_DRAWN {
            return None;
        }
        let lines = pause_lines(program, source);
        let mut graph = Graph::new(format!("{}: states and reactions", program.name));
        for (state, rests) in self.rests.iter().enumerate() {
            let hint = match (state, self.over[state]) {
                (0, _) => "before the first instant".to_owned(),
                (_, true) => "all is over".to_owned(),
                _ => {
                    let mut at: Vec<usize> = rests.iter().map(|&pause| lines[pause]).collect();
                    at.dedup();
                    let at: Vec<String> = at.iter().map(usize::to_string).collect();
                    format!("rests at line {}", at.join(", "))
                }
            };
            let node = Node::round(state.to_string()).hint(hint);
            let node = if state == 0 { node.initial() } else { node };
            graph.node(if self.over[state] {
                node.accepting()
            } else {
                node
            });
        }
        for (state, row) in self.replies.iter().enumerate() {
            if self.over[state] {
                continue;
            }
            let excluded: Vec<u32> = sets(row, Option::is_none);
            let mut edges: BTreeMap<(usize, &[bool]), Vec<u32>> = BTreeMap::new();
            for (set, reply) in row.iter().enumerate() {
                if let Some((shown, to)) = reply
                    && (*to != state || shown.contains(&true))
                {
                    edges.entry((*to, shown)).or_default().push(set as u32);
                }
            }
            for ((to, shown), on) in edges {
                let cubes = cover(&on, &excluded, self.inputs.len());
                let cubes: Vec<String> = cubes.iter().map(|&one| self.text(program, one)).collect();
                let names = program.outputs().zip(shown).filter(|(_, on)| **on);
                let names: Vec<&str> = names
                    .map(|(id, _)| program.signals[id].name.as_str())
                    .collect();
                let label = match names.is_empty() {
                    true => cubes.join(" or "),
                    false => format!("{} / {}", cubes.join(" or "), names.join(" ")),
                };
                graph.edge(state, to, label);
            }
        }
        Some(graph)
    }

    /// A set of events in words: `A, not R`.
    fn text(&self, program: &Program, cube: Cube) -> String {
        let name = |at: usize| &program.signals[self.inputs[at]].name;
        let literals: Vec<String> = (0..self.inputs.len())
            .filter(|at| cube.cares >> at & 1 == 1)
            .map(|at| match cube.value >> at & 1 {
                1 => name(at).clone(),
                _ => format!("not {}", name(at)),
            })
            .collect();
        match literals.is_empty() {
            true => "any".to_owned(),
            false => literals.join(", "),
        }
    }
}

fn sets(row: &[Option<Reply>], fits: impl Fn(&Option<Reply>) -> bool) -> Vec<u32> {
    let fitting = row.iter().enumerate().filter(|(_, one)| fits(one));
    fitting.map(|(set, _)| set as u32).collect()
}

/// The inputs of a set, as an event.
fn event(inputs: &[SignalId], set: u32) -> Event {
    let given = inputs
        .iter()
        .enumerate()
        .filter(|(at, _)| set >> at & 1 == 1);
    given.map(|(_, &id)| (id, None)).collect()
}

/// The line of each pause.
fn pause_lines(program: &Program, source: &Source) -> Vec<usize> {
    let mut lines = vec![0; program.pauses];
    program.body.walk(&mut |node| {
        if matches!(node.kind, Kind::Pause)
            && let Some(line) = lines.get_mut(node.pauses.start)
        {
            *line = source.position(node.span.start).0;
        }
    });
    lines
}
