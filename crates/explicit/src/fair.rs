//! Formulas of linear time on runs that are weakly fair to labels: one with which a step can be taken in every
//! state from some time on is taken again and again.
//!
//! A run that goes on for ever stays in a strongly connected part of the product with the automaton of what
//! would break the formula. It can be fair there if each label is missing in some state of the part or belongs to
//! a step inside, and if it is, going round through all of that is a run. So parts are found whole (Tarjan 1972)
//! and looked at one by one. A state without successors is followed by itself for ever, which is fair.

use std::collections::{BTreeSet, VecDeque};

use quotient_core::Budget;
use quotient_logic::Formula;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::{Automaton, Transition, automaton};
use crate::linear::{Lasso, Linear, Rest, linear_part};
use crate::prefix::{all_end_in, sinks};
use crate::steps::Halt;
use crate::{StateId, Steps};

/// Whether all fair runs fulfil a formula of linear time, with the states whose successors were asked for if they
/// do. Atoms are as in [`linear`](crate::linear()).
pub fn linear_fair(
    steps: &mut Steps<'_>,
    formula: &Formula<u32>,
    values: &mut dyn FnMut(&[u64]) -> u64,
    budget: &Budget,
) -> Result<(Linear, Vec<StateId>), Halt> {
    let automaton = automaton(&!formula.clone(), budget)?;
    // Every beginning of a run is one of a fair run: what beginnings decide does not depend on fairness.
    if all_end_in(&automaton, &sinks(&automaton)) {
        return linear_part(steps, formula, values, budget);
    }
    let mut product = Product {
        steps,
        automaton: &automaton,
        values,
        known: FxHashMap::default(),
        budget,
        numbers: FxHashMap::default(),
        pairs: Vec::new(),
    };
    match product.fair_part()? {
        Some(part) => Ok((Linear::Violated(product.lasso(&part)?), Vec::new())),
        None => {
            let states = product.gone_on();
            Ok((Linear::Holds(product.pairs.len()), states))
        }
    }
}

/// A state of the system and one of the automaton.
type Pair = (StateId, u32);

/// The label of what is no step: nothing happens any more.
const STAYS: u32 = u32::MAX;

/// A step of the product with its label and marks.
#[derive(Clone, Copy)]
struct Edge {
    label: u32,
    to: Pair,
    marks: u64,
}

struct Product<'a, 'b> {
    steps: &'a mut Steps<'b>,
    automaton: &'a Automaton,
    values: &'a mut dyn FnMut(&[u64]) -> u64,
    known: FxHashMap<StateId, u64>,
    budget: &'a Budget,
    numbers: FxHashMap<Pair, u32>,
    pairs: Vec<Pair>,
}

/// A pair whose steps are being followed: its number, where they lead, and how many were followed.
struct Frame {
    number: u32,
    targets: Vec<Pair>,
    next: usize,
}

impl Product<'_, '_> {
    /// The ways on that the automaton allows in a state of the system.
    fn ways(&mut self, (state, at): Pair) -> Vec<Transition> {
        let values = match self.known.get(&state) {
            Some(&values) => values,
            None => {
                let values = (self.values)(&self.steps.graph().state(state));
                self.known.insert(state, values);
                values
            }
        };
        let all = self.automaton.states[at as usize].iter();
        all.filter(|one| one.allows(values)).copied().collect()
    }

    fn targets(&mut self, pair: Pair) -> Result<Vec<Pair>, Halt> {
        let ways = self.ways(pair);
        if ways.is_empty() {
            return Ok(Vec::new());
        }
        self.steps.visit(pair.0, self.budget)?;
        let own = [pair.0];
        let states = match self.steps.known(pair.0) {
            Some(states) if !states.is_empty() => states,
            _ => &own,
        };
        let each = |way: &Transition| states.iter().map(|&state| (state, way.next)).collect();
        let mut targets: Vec<Pair> = ways
            .iter()
            .flat_map(|way| -> Vec<Pair> { each(way) })
            .collect();
        targets.sort_unstable();
        targets.dedup();
        Ok(targets)
    }

    /// The steps with their labels from a pair that was looked at; where the system is stuck, it stays there.
    fn edges(&mut self, pair: Pair) -> Result<Vec<Edge>, Halt> {
        self.budget.charge(1)?;
        let ways = self.ways(pair);
        let labelled = match self.is_stuck(pair.0) {
            true => vec![(STAYS, pair.0)],
            false => self.steps.labelled(pair.0),
        };
        let mut edges = Vec::with_capacity(ways.len() * labelled.len());
        for way in ways {
            edges.extend(labelled.iter().map(|&(label, state)| Edge {
                label,
                to: (state, way.next),
                marks: way.marks,
            }));
        }
        Ok(edges)
    }

    fn is_stuck(&self, state: StateId) -> bool {
        self.steps.known(state).is_some_and(<[StateId]>::is_empty)
    }

    /// The states with successors that mattered.
    fn gone_on(&mut self) -> Vec<StateId> {
        let mut states = Vec::new();
        for at in 0..self.pairs.len() {
            let pair = self.pairs[at];
            if !self.ways(pair).is_empty() {
                states.push(pair.0);
            }
        }
        states.sort_unstable();
        states.dedup();
        states
    }

    fn enter(&mut self, pair: Pair) -> Result<Frame, Halt> {
        self.budget.charge(1)?;
        let number = self.pairs.len() as u32;
        self.numbers.insert(pair, number);
        self.pairs.push(pair);
        Ok(Frame {
            number,
            targets: self.targets(pair)?,
            next: 0,
        })
    }

    /// A strongly connected part in which a fair run breaks the formula.
    fn fair_part(&mut self) -> Result<Option<FxHashSet<Pair>>, Halt> {
        let mut low: Vec<u32> = Vec::new();
        let mut closed: Vec<bool> = Vec::new();
        for initial in self.steps.initial().to_vec() {
            if self.numbers.contains_key(&(initial, 0)) {
                continue;
            }
            let mut live: Vec<u32> = Vec::new();
            let mut frames: Vec<Frame> = Vec::new();
            let mut entering = Some((initial, 0));
            while entering.is_some() || !frames.is_empty() {
                if let Some(pair) = entering.take() {
                    let frame = self.enter(pair)?;
                    low.push(frame.number);
                    closed.push(false);
                    live.push(frame.number);
                    frames.push(frame);
                }
                let Some(frame) = frames.last_mut() else {
                    break;
                };
                if let Some(&target) = frame.targets.get(frame.next) {
                    frame.next += 1;
                    match self.numbers.get(&target) {
                        None => entering = Some(target),
                        Some(&other) if !closed[other as usize] => {
                            let own = &mut low[frame.number as usize];
                            *own = (*own).min(other);
                        }
                        Some(_) => {}
                    }
                    continue;
                }
                let number = frame.number;
                frames.pop();
                let lowest = low[number as usize];
                if let Some(parent) = frames.last() {
                    let own = &mut low[parent.number as usize];
                    *own = (*own).min(lowest);
                }
                if lowest < number {
                    continue;
                }
                let begin = live.partition_point(|&one| one < number);
                let members = live.split_off(begin);
                for &one in &members {
                    closed[one as usize] = true;
                }
                let part = members.iter().map(|&one| self.pairs[one as usize]);
                let part: FxHashSet<Pair> = part.collect();
                if self.is_fair(&part)? {
                    return Ok(Some(part));
                }
            }
        }
        Ok(None)
    }

    /// Whether a fair run can stay in a part and collect all marks there.
    fn is_fair(&mut self, part: &FxHashSet<Pair>) -> Result<bool, Halt> {
        let (mut marks, mut inner) = (0, false);
        for &pair in part {
            let stuck = self.is_stuck(pair.0);
            for way in self.ways(pair) {
                let known = self.steps.known(pair.0).unwrap_or_default();
                let inside = |&state: &StateId| part.contains(&(state, way.next));
                if known.iter().any(inside) || stuck && inside(&pair.0) {
                    inner = true;
                    marks |= way.marks;
                }
            }
        }
        if !inner || marks != self.automaton.marks {
            return Ok(false);
        }
        // The labels that can be taken in every state of the part, and are not taken inside.
        let mut owed: Option<BTreeSet<u32>> = None;
        for &(state, _) in part {
            self.budget.charge(1)?;
            let here: BTreeSet<u32> = self.steps.labelled(state).iter().map(|one| one.0).collect();
            owed = Some(match owed {
                None => here,
                Some(owed) => &owed & &here,
            });
            if owed.as_ref().is_some_and(BTreeSet::is_empty) {
                return Ok(true);
            }
        }
        let mut owed = owed.unwrap_or_default();
        for &pair in part {
            for edge in self.edges(pair)? {
                if part.contains(&edge.to) {
                    owed.remove(&edge.label);
                }
            }
        }
        Ok(owed.is_empty())
    }

    /// A run into the part, and round in it so that it is fair and has all marks.
    fn lasso(&mut self, part: &FxHashSet<Pair>) -> Result<Lasso, Halt> {
        let starts: Vec<Pair> = self.steps.initial().iter().map(|&one| (one, 0)).collect();
        let seen: FxHashSet<Pair> = self.pairs.iter().copied().collect();
        let (first, before, knot) = match starts.iter().find(|start| part.contains(start)) {
            Some(&start) => (start, Vec::new(), start),
            None => self.path(&starts, &seen, &|edge| part.contains(&edge.to))?,
        };
        let mut run = Lasso {
            first: first.0,
            labels: Vec::new(),
            rest: Rest::Stuck,
        };
        let labels = before.iter().map(|edge| edge.label);
        run.labels.extend(labels.filter(|&label| label != STAYS));
        if self.is_stuck(knot.0) {
            return Ok(run);
        }
        run.rest = Rest::Back(run.labels.len());
        let mut open = self.automaton.marks;
        let mut at = knot;
        let mut round: Vec<(Pair, Edge)> = Vec::new();
        while open != 0 {
            let goal = |edge: &Edge| part.contains(&edge.to) && edge.marks & open != 0;
            let more = self.path(&[at], part, &goal)?.1;
            at = extended(&mut round, at, &more);
            for &(from, edge) in &round {
                // The states are the same whichever way of the automaton is taken: they take turns.
                let all = self.edges(from)?;
                let alike = all.iter().filter(|one| one.to == edge.to);
                open = alike.fold(open, |open, one| open & !one.marks);
            }
        }
        while let Some(label) = self.owed(&round, at)?.first().copied() {
            let mut off = FxHashSet::default();
            for &(state, _) in part {
                if !self.steps.labelled(state).iter().any(|one| one.0 == label) {
                    off.insert(state);
                }
            }
            let goal = |edge: &Edge| {
                part.contains(&edge.to) && (edge.label == label || off.contains(&edge.to.0))
            };
            let more = self.path(&[at], part, &goal)?.1;
            at = extended(&mut round, at, &more);
        }
        if at != knot || round.is_empty() {
            let more = self.path(&[at], part, &|edge| edge.to == knot)?.1;
            extended(&mut round, at, &more);
        }
        run.labels.extend(round.iter().map(|(_, edge)| edge.label));
        Ok(run)
    }

    /// The labels that can be taken all the way round and at its end, and never are.
    fn owed(&self, round: &[(Pair, Edge)], at: Pair) -> Result<BTreeSet<u32>, Halt> {
        let labels = |state: StateId| -> BTreeSet<u32> {
            self.steps.labelled(state).iter().map(|one| one.0).collect()
        };
        let mut owed = labels(at.0);
        for &(from, edge) in round {
            self.budget.charge(1)?;
            owed.remove(&edge.label);
            owed = &owed & &labels(from.0);
        }
        for (_, edge) in round {
            owed.remove(&edge.label);
        }
        Ok(owed)
    }

    /// A shortest path of at least one step through some pairs whose last step is a goal: where it begins, its
    /// steps, and where it ends.
    fn path(
        &mut self,
        starts: &[Pair],
        through: &FxHashSet<Pair>,
        goal: &dyn Fn(&Edge) -> bool,
    ) -> Result<(Pair, Vec<Edge>, Pair), Halt> {
        let mut before: FxHashMap<Pair, Option<(Pair, Edge)>> = FxHashMap::default();
        let mut queue: VecDeque<Pair> = starts.iter().copied().collect();
        before.extend(starts.iter().map(|&start| (start, None)));
        while let Some(pair) = queue.pop_front() {
            for edge in self.edges(pair)? {
                if goal(&edge) {
                    let (mut path, mut at) = (vec![edge], pair);
                    while let Some(&Some((parent, step))) = before.get(&at) {
                        path.push(step);
                        at = parent;
                    }
                    path.reverse();
                    return Ok((at, path, edge.to));
                }
                if through.contains(&edge.to) && !before.contains_key(&edge.to) {
                    before.insert(edge.to, Some((pair, edge)));
                    queue.push_back(edge.to);
                }
            }
        }
        // A part is strongly connected, and the way to it was gone before.
        Err(quotient_core::Stop::inconclusive("a part of the states is not connected").into())
    }
}

/// Adds steps from a pair to a run; says where they lead.
fn extended(run: &mut Vec<(Pair, Edge)>, mut at: Pair, more: &[Edge]) -> Pair {
    for &edge in more {
        run.push((at, edge));
        at = edge.to;
    }
    at
}
