//! Does an execution break a formula? By a tableau, side by side with the system.
//!
//! A node has a state, the values of the fluents, and formulas that are still to be kept from
//! the next moment on. Reading a moment settles each of them in one of at most two ways. An
//! execution breaks the formula if it can keep its negation without putting off an "until"
//! for ever.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_lts::{Action, Fluent};
use rustc_hash::FxHashMap;

use super::explored::{after, before};
use super::model::Model;
use super::whole::{Reachable, components_of};
use crate::Rejection;

/// What is asked.
pub(super) struct Asked<'a> {
    pub(super) model: &'a Model,
    pub(super) formula: &'a Formula<usize>,
    pub(super) fluents: &'a [Fluent],
    pub(super) fair: bool,
    /// Whether there may be moments in between at which nothing that the formula speaks of has
    /// just happened: in a system in which other actions show as silence.
    pub(super) rests: bool,
}

/// Formulas to be kept from some moment on.
type Duties = BTreeSet<u32>;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Node {
    state: u32,
    /// The number of the values of the fluents.
    values: u32,
    duties: u32,
    /// Nothing visible happens any more: the last moment is read again and again.
    quiet: bool,
    /// A moment has been read; where there are no rests, it does not matter.
    begun: bool,
}

struct Edge {
    target: u32,
    /// Which step of the state; none where nothing happens any more.
    step: Option<u32>,
    /// The untils that are put off; `None` where no moment is read.
    delayed: Option<u64>,
}

/// Whether some execution, with fair choices if that is asked, breaks the formula.
pub(super) fn violated(
    asked: &Asked<'_>,
    system: &Reachable,
    budget: &Budget,
) -> Result<bool, Rejection> {
    let beside = Beside::new(asked, system, budget)?;
    beside.accepting(asked.fair, system, budget)
}

/// The events of steps of which not all are followed.
pub(super) struct Coming {
    /// The event of each step of each state.
    pub(super) events: Vec<Vec<Action>>,
    /// How many events can still come from each state on.
    pub(super) counts: Vec<usize>,
}

/// Whether the formula may be broken by an execution of which only some events are seen; with
/// `coming`, by one that again and again does all that can still come.
pub(super) fn may_be_violated(
    asked: &Asked<'_>,
    system: &Reachable,
    coming: Option<&Coming>,
    budget: &Budget,
) -> Result<bool, Rejection> {
    let beside = Beside::new(asked, system, budget)?;
    match coming {
        None => beside.accepting(false, system, budget),
        Some(coming) => Ok(beside.recurring(coming)),
    }
}

/// A system and a tableau, side by side.
#[derive(Default)]
struct Beside {
    /// The state of the system at each node.
    states: Vec<u32>,
    edges: Vec<Vec<Edge>>,
    untils: usize,
}

impl Beside {
    fn new(asked: &Asked<'_>, system: &Reachable, budget: &Budget) -> Result<Beside, Rejection> {
        if system.states.len() == 0 {
            return Ok(Beside::default());
        }
        let mut tableau = Tableau::default();
        let root = tableau.add(&(!asked.formula.clone()).negation_normal_form())?;
        if tableau.untils.len() > 64 {
            return Err(Stop::bound("untils of a formula", 64).into());
        }
        let mut valuations = Valuations::default();
        let mut nodes: Vec<Node> = Vec::new();
        let mut numbers: FxHashMap<Node, u32> = FxHashMap::default();
        let mut number = |node: Node, nodes: &mut Vec<Node>| {
            let fresh = nodes.len() as u32;
            *numbers.entry(node).or_insert_with_key(|node| {
                nodes.push(node.clone());
                fresh
            })
        };
        let duties = tableau.number(Duties::from([root]));
        let first = Node {
            state: 0,
            values: valuations.number(before(asked.fluents)),
            duties,
            quiet: false,
            begun: !asked.rests,
        };
        number(first, &mut nodes);
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        while edges.len() < nodes.len() {
            let node = nodes[edges.len()].clone();
            let steps = &system.steps[node.state as usize];
            // Each way to go on: state, values, whether it is quiet, whether a moment is read.
            let mut ways: Vec<(u32, u32, bool, bool, Option<u32>)> = Vec::new();
            for (at, &(event, target)) in (0..).zip(steps) {
                let Some(target) = target else { continue };
                let shown = asked.model.shown[event.index()];
                if shown.is_tau() {
                    ways.push((target, node.values, true, true, Some(at)));
                    if !node.quiet {
                        ways.push((target, node.values, false, false, Some(at)));
                    }
                } else if !node.quiet {
                    let values = after(asked.fluents, valuations.get(node.values), shown);
                    ways.push((target, valuations.number(values), false, true, Some(at)));
                }
            }
            if steps.is_empty() {
                ways.push((node.state, node.values, true, true, None));
            }
            let rested = valuations.number(at_rest(asked.fluents, valuations.get(node.values)));
            if asked.rests && !node.quiet && (rested != node.values || !node.begun) {
                ways.push((node.state, rested, false, true, None));
            }
            let mut row = Vec::new();
            for (state, values, quiet, reads, step) in ways {
                let readings = match reads {
                    true => tableau.read(node.duties, values, valuations.get(values), budget)?,
                    false => vec![(node.duties, None)],
                };
                for (duties, delayed) in readings {
                    let next = Node {
                        state,
                        values,
                        duties,
                        quiet,
                        begun: node.begun || reads,
                    };
                    row.push(Edge {
                        target: number(next, &mut nodes),
                        step,
                        delayed,
                    });
                }
            }
            budget.charge(row.len() as u64 + 1)?;
            edges.push(row);
        }
        Ok(Beside {
            states: nodes.iter().map(|node| node.state).collect(),
            edges,
            untils: tableau.untils.len(),
        })
    }

    /// Which untils there are.
    fn all_untils(&self) -> u64 {
        match self.untils {
            64 => u64::MAX,
            untils => (1 << untils) - 1,
        }
    }

    /// Whether some set of nodes that lead to each other reads moments, puts no until off on all its
    /// edges, and has all events that can still come.
    fn recurring(&self, coming: &Coming) -> bool {
        let set_of = components_of(self.states.len(), |node| {
            self.edges[node].iter().map(|edge| edge.target).collect()
        });
        let mut facts: BTreeMap<u32, (Facts, BTreeSet<Action>, u32)> = BTreeMap::new();
        for (node, row) in self.edges.iter().enumerate() {
            let state = self.states[node];
            let (own, events, at) = facts.entry(set_of[node]).or_default();
            *at = state;
            for edge in row
                .iter()
                .filter(|edge| set_of[edge.target as usize] == set_of[node])
            {
                own.take(edge);
                let row = &coming.events[state as usize];
                events.extend(edge.step.map(|step| row[step as usize]));
            }
        }
        facts.values().any(|(own, events, at)| {
            own.accepts(self.all_untils()) && events.len() == coming.counts[*at as usize]
        })
    }

    /// Whether some set of nodes that lead to each other reads moments, puts no until off on all
    /// its edges and, if choices are fair, has all steps of all its states.
    fn accepting(
        &self,
        fair: bool,
        system: &Reachable,
        budget: &Budget,
    ) -> Result<bool, Rejection> {
        let Beside { states, edges, .. } = self;
        // The part of the graph that each node is left in; a node that is out has none.
        let mut part: Vec<Option<u32>> = vec![Some(0); states.len()];
        loop {
            budget.charge(states.len() as u64 + 1)?;
            let inside = |node: usize, edge: &Edge| {
                part[node].is_some() && part[node] == part[edge.target as usize]
            };
            let component = components_of(states.len(), |node| {
                let inner = edges[node].iter().filter(|edge| inside(node, edge));
                inner.map(|edge| edge.target).collect()
            });
            let mut facts: BTreeMap<u32, Facts> = BTreeMap::new();
            for (node, row) in edges.iter().enumerate() {
                let own = facts.entry(component[node]).or_default();
                let inner = row.iter().filter(|edge| {
                    inside(node, edge) && component[edge.target as usize] == component[node]
                });
                for edge in inner {
                    own.take(edge);
                    own.steps.extend(edge.step.map(|step| (states[node], step)));
                }
            }
            let mut changed = false;
            let mut next = part.clone();
            for node in (0..states.len()).filter(|&node| part[node].is_some()) {
                let own = &facts[&component[node]];
                let accepts = own.accepts(self.all_untils());
                let steps = system.steps[states[node] as usize].len() as u32;
                let lacks = |step: u32| !own.steps.contains(&(states[node], step));
                let keeps = accepts && !(fair && (0..steps).any(lacks));
                if accepts && !fair {
                    return Ok(true);
                }
                next[node] = keeps.then_some(component[node]);
                changed |= next[node].is_none();
            }
            if !changed {
                return Ok(part.iter().any(Option::is_some));
            }
            part = next;
        }
    }
}

/// The values when something else has happened: of those that are true only right after some
/// actions none is.
fn at_rest(fluents: &[Fluent], values: &[bool]) -> Vec<bool> {
    let values = fluents.iter().zip(values);
    values
        .map(|(fluent, &value)| value && fluent.end.is_some())
        .collect()
}

/// Values of all fluents, numbered as they are met: as many fluents as there are.
#[derive(Default)]
struct Valuations {
    all: Vec<Vec<bool>>,
    numbers: BTreeMap<Vec<bool>, u32>,
}

impl Valuations {
    fn number(&mut self, values: Vec<bool>) -> u32 {
        let fresh = self.all.len() as u32;
        *self.numbers.entry(values).or_insert_with_key(|values| {
            self.all.push(values.clone());
            fresh
        })
    }

    fn get(&self, number: u32) -> &[bool] {
        &self.all[number as usize]
    }
}

/// What the edges within a component have together.
struct Facts {
    reads: bool,
    always_delayed: u64,
    steps: BTreeSet<(u32, u32)>,
}

impl Facts {
    fn take(&mut self, edge: &Edge) {
        if let Some(delayed) = edge.delayed {
            self.reads = true;
            self.always_delayed &= delayed;
        }
    }

    fn accepts(&self, untils: u64) -> bool {
        self.reads && self.always_delayed & untils == 0
    }
}

impl Default for Facts {
    fn default() -> Self {
        Facts {
            reads: false,
            always_delayed: u64::MAX,
            steps: BTreeSet::new(),
        }
    }
}

/// The parts of a formula by number, and sets of them by number.
#[derive(Default)]
struct Tableau {
    parts: Vec<Part>,
    untils: Vec<u32>,
    sets: Vec<Duties>,
    numbers: BTreeMap<Duties, u32>,
    readings: BTreeMap<(u32, u32), Vec<(u32, Option<u64>)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Constant(bool),
    Literal(usize, bool),
    And(u32, u32),
    Or(u32, u32),
    Next(u32),
    /// The left until the right, which must come.
    Until(u32, u32),
    /// The right until and with the left, which need not come.
    Release(u32, u32),
}

impl Tableau {
    /// Adds a formula in negation normal form.
    fn add(&mut self, formula: &Formula<usize>) -> Result<u32, Rejection> {
        let unknown = || Rejection::unreadable("a formula with operators beyond linear time");
        let part = match &formula.kind {
            Kind::Constant(value) => Part::Constant(*value),
            Kind::Atom(bit) => Part::Literal(*bit, true),
            Kind::Unary(Unary::Not, inner) => match inner.kind {
                Kind::Atom(bit) => Part::Literal(bit, false),
                _ => return Err(unknown()),
            },
            Kind::Unary(Unary::Next, inner) => Part::Next(self.add(inner)?),
            Kind::Unary(Unary::Globally(None), inner) => {
                let never = self.part(Part::Constant(false));
                Part::Release(never, self.add(inner)?)
            }
            Kind::Unary(Unary::Finally(None), inner) => {
                let always = self.part(Part::Constant(true));
                Part::Until(always, self.add(inner)?)
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.add(left)?, self.add(right)?);
                match operator {
                    Binary::And => Part::And(left, right),
                    Binary::Or => Part::Or(left, right),
                    Binary::Until(None) => Part::Until(left, right),
                    Binary::Release => Part::Release(left, right),
                    // The left until the right or for ever: either holds up to the right.
                    Binary::WeakUntil => Part::Release(right, self.part(Part::Or(left, right))),
                    _ => return Err(unknown()),
                }
            }
            _ => return Err(unknown()),
        };
        let number = self.part(part);
        if matches!(part, Part::Until(..)) && !self.untils.contains(&number) {
            self.untils.push(number);
        }
        Ok(number)
    }

    fn part(&mut self, part: Part) -> u32 {
        match self.parts.iter().position(|&known| known == part) {
            Some(known) => known as u32,
            None => {
                self.parts.push(part);
                self.parts.len() as u32 - 1
            }
        }
    }

    fn number(&mut self, duties: Duties) -> u32 {
        let fresh = self.sets.len() as u32;
        *self.numbers.entry(duties).or_insert_with_key(|duties| {
            self.sets.push(duties.clone());
            fresh
        })
    }

    /// All ways to settle duties at a moment: what is left for the next one, and the untils
    /// that are put off.
    fn read(
        &mut self,
        duties: u32,
        number: u32,
        values: &[bool],
        budget: &Budget,
    ) -> Result<Vec<(u32, Option<u64>)>, Rejection> {
        if let Some(known) = self.readings.get(&(duties, number)) {
            return Ok(known.clone());
        }
        let mut open = vec![Settling {
            now: self.sets[duties as usize].iter().copied().collect(),
            ..Settling::default()
        }];
        let mut found = BTreeSet::new();
        while let Some(mut one) = open.pop() {
            budget.charge(1)?;
            let Some(duty) = one.now.pop() else {
                found.insert((one.later, one.delayed));
                continue;
            };
            if !one.done.insert(duty) {
                open.push(one);
                continue;
            }
            let mut other = one.clone();
            match self.parts[duty as usize] {
                Part::Constant(true) => open.push(one),
                Part::Constant(false) => {}
                Part::Literal(fluent, sign) => match values.get(fluent) {
                    Some(&value) if value == sign => open.push(one),
                    Some(_) => {}
                    None => return Err(Rejection::unreadable("a formula about no fluent")),
                },
                Part::And(left, right) => {
                    one.now.extend([left, right]);
                    open.push(one);
                }
                Part::Or(left, right) => {
                    one.now.push(left);
                    other.now.push(right);
                    open.extend([one, other]);
                }
                Part::Next(inner) => {
                    one.later.insert(inner);
                    open.push(one);
                }
                Part::Until(left, right) => {
                    one.now.push(right);
                    other.now.push(left);
                    other.later.insert(duty);
                    let bit = self.untils.iter().position(|&until| until == duty);
                    other.delayed |= bit.map_or(0, |bit| 1 << bit);
                    open.extend([one, other]);
                }
                Part::Release(left, right) => {
                    one.now.extend([left, right]);
                    other.now.push(right);
                    other.later.insert(duty);
                    open.extend([one, other]);
                }
            }
        }
        let readings: Vec<(u32, Option<u64>)> = found
            .into_iter()
            .map(|(later, delayed)| (self.number(later), Some(delayed)))
            .collect();
        self.readings.insert((duties, number), readings.clone());
        Ok(readings)
    }
}

/// Duties half settled.
#[derive(Debug, Clone, Default)]
struct Settling {
    now: Vec<u32>,
    done: Duties,
    later: Duties,
    delayed: u64,
}
