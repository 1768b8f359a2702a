//! A system, the values of fluents and an automaton, side by side.

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::tableau::Automaton;
use crate::operations::Beginning;
use crate::{Action, Fluent, Network, State};

/// The product, as far as the system was built.
pub(crate) struct Graph {
    /// The state of the system at each node.
    pub(crate) system: Vec<State>,
    pub(crate) edges: Vec<Vec<GraphEdge>>,
    /// Nodes at which the automaton has read all that it needs, and something may still be seen.
    pub(crate) settled: Vec<u32>,
    /// What the edges of an accepting cycle contribute together: all untils, and that the
    /// automaton reads.
    pub(crate) wanted: u64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct GraphEdge {
    pub(crate) target: u32,
    /// Which of the edges of the system's state it is; `None` for staying after the end.
    pub(crate) taken: Option<u32>,
    /// What it contributes to acceptance.
    pub(crate) kept: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    state: State,
    values: u64,
    automaton: u32,
    /// Nothing visible happens any more: the automaton reads the same moment at every step.
    quiet: bool,
    /// A moment has been read; where there are no rests, it does not matter.
    begun: bool,
}

/// What is read of the events of a system.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) automaton: &'a Automaton,
    pub(crate) fluents: &'a [Fluent],
    /// See [`How::rests`](super::How).
    pub(crate) rests: bool,
    /// Events that make no moment, as if they were hidden; by number, false from its end on.
    pub(crate) unseen: &'a [bool],
}

impl Reading<'_> {
    fn is_silent(&self, network: &Network, event: Action) -> bool {
        event.is_tau() || network.is_hidden(event) || self.unseen.get(event.index()) == Some(&true)
    }
}

/// The contribution of an edge on which the automaton reads.
const READS: u64 = 1 << 63;

impl Graph {
    pub(crate) fn new(
        network: &Network,
        beginning: &Beginning,
        reading: Reading<'_>,
        budget: &Budget,
    ) -> Result<Graph, Stop> {
        let lts = &beginning.composed.lts;
        let Reading {
            automaton,
            fluents,
            rests,
            ..
        } = reading;
        let changes = Changes::new(network, fluents)?;
        let untils = (1u64 << automaton.untils) - 1;
        let mut builder = Builder {
            graph: Graph {
                system: Vec::new(),
                edges: Vec::new(),
                settled: Vec::new(),
                wanted: READS | untils,
            },
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
        };
        builder.number(Node {
            state: lts.initial(),
            values: changes.initially,
            automaton: 0,
            quiet: false,
            begun: !rests,
        });
        let mut at = 0;
        while at < builder.nodes.len() {
            let node = builder.nodes[at];
            at += 1;
            let mut row = Vec::new();
            if !node.quiet && automaton.accepts_all(node.automaton) {
                builder.graph.settled.push(at as u32 - 1);
            }
            if node.state >= beginning.open {
                builder.graph.edges.push(row);
                continue;
            }
            let mut read = |builder: &mut Builder, state, values, quiet, taken| {
                for edge in &automaton.edges[node.automaton as usize] {
                    if values & edge.yes == edge.yes && values & edge.no == 0 {
                        let target = builder.number(Node {
                            state,
                            values,
                            automaton: edge.target,
                            quiet,
                            begun: true,
                        });
                        let kept = edge.kept & untils | READS;
                        row.push(GraphEdge {
                            target,
                            taken,
                            kept,
                        });
                    }
                }
            };
            // Something else may have happened: none of the actions has just done so.
            let rested = node.values & !changes.momentary;
            if rests && !node.quiet && (rested != node.values || !node.begun) {
                read(&mut builder, node.state, rested, false, None);
            }
            let mut waits = Vec::new();
            for (taken, edge) in (0..).zip(lts.edges(node.state)) {
                if !reading.is_silent(network, edge.action) {
                    if !node.quiet {
                        let values = changes.after(node.values, edge.action);
                        read(&mut builder, edge.target, values, false, Some(taken));
                    }
                    continue;
                }
                read(&mut builder, edge.target, node.values, true, Some(taken));
                if !node.quiet {
                    waits.push((edge.target, taken));
                }
            }
            if lts.edges(node.state).is_empty() {
                read(&mut builder, node.state, node.values, true, None);
            }
            for (state, taken) in waits {
                let target = builder.number(Node { state, ..node });
                row.push(GraphEdge {
                    target,
                    taken: Some(taken),
                    kept: 0,
                });
            }
            budget.charge(row.len() as u64 + 1)?;
            builder.graph.edges.push(row);
        }
        Ok(builder.graph)
    }

    pub(crate) fn len(&self) -> usize {
        self.system.len()
    }
}

struct Builder {
    graph: Graph,
    numbers: FxHashMap<Node, u32>,
    nodes: Vec<Node>,
}

impl Builder {
    fn number(&mut self, node: Node) -> u32 {
        let fresh = self.nodes.len() as u32;
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.graph.system.push(node.state);
            fresh
        })
    }
}

/// What events do to the values of fluents.
struct Changes {
    initially: u64,
    /// The fluents that are true only right after some actions.
    momentary: u64,
    /// For each event, the fluents that it makes true and those that it makes false.
    of: Vec<(u64, u64)>,
}

impl Changes {
    fn new(network: &Network, fluents: &[Fluent]) -> Result<Changes, Stop> {
        if fluents.len() > 64 {
            return Err(Stop::bound("propositions in a formula", 64));
        }
        let mut of = vec![(0, 0)];
        for event in network.events() {
            let shown = network.shown(event);
            let (mut begins, mut ends) = (0, 0);
            for (bit, fluent) in fluents.iter().enumerate() {
                let begin = fluent.begin.contains(&shown);
                let end = match &fluent.end {
                    Some(end) => end.contains(&shown),
                    None => !begin,
                };
                begins |= u64::from(begin) << bit;
                ends |= u64::from(end && !begin) << bit;
            }
            of.push((begins, ends));
        }
        let momentary = (fluents.iter().enumerate())
            .filter(|(_, fluent)| fluent.end.is_none())
            .fold(0, |all, (bit, _)| all | 1 << bit);
        let initially = fluents.iter().enumerate();
        Ok(Changes {
            momentary,
            initially: initially.fold(0, |all, (bit, fluent)| {
                all | u64::from(fluent.initially) << bit
            }),
            of,
        })
    }

    fn after(&self, values: u64, event: Action) -> u64 {
        let (begins, ends) = self.of[event.index()];
        values & !ends | begins
    }
}
