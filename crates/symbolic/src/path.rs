//! Single states, routes and lassos out of sets of states.

use oxidd::BooleanFunction;
use quotient_core::Stop;

use crate::diagrams::{Set, Var};
use crate::fixpoint::Arena;
use crate::model::Valuation;
use crate::reach::Reach;
use crate::system::{Layout, Machine, System};
use crate::trace::Trace;

/// A sequence of states of a machine, each a set with one element.
#[derive(Clone, Default)]
pub(crate) struct Path {
    pub(crate) states: Vec<Set>,
    pub(crate) back_to: Option<usize>,
    /// A condition on the inputs of the step after a state, where one is asked for.
    pub(crate) conditions: Vec<(usize, Set)>,
}

impl Path {
    /// Adds a path that begins where this one ends.
    pub(crate) fn append(&mut self, other: Path) {
        let joint = usize::from(!self.states.is_empty());
        let offset = self.states.len() - joint;
        self.states.extend(other.states.into_iter().skip(joint));
        self.back_to = other.back_to.map(|back| back + offset);
        let moved = other.conditions.into_iter();
        self.conditions
            .extend(moved.map(|(at, condition)| (at + offset, condition)));
    }
}

/// How much a shortest path may take, in nodes looked at, before any path is taken.
const MOST_WORK: usize = 1_000_000;

impl Arena<'_> {
    /// One state of a set, or `None` if it is empty.
    pub(crate) fn pick(&self, set: &Set) -> Result<Option<Set>, Stop> {
        pick(self.diagrams, &self.machine.state, set)
    }

    fn after(&self, set: &Set) -> Result<Set, Stop> {
        let after = self.machine.relation.image(self.diagrams, set)?;
        self.diagrams.and(&after, self.states)
    }

    /// A shortest path from a state through `through` to `target`, or `None` if there is no way.
    pub(crate) fn route(
        &self,
        from: &Set,
        through: &Set,
        target: &Set,
    ) -> Result<Option<Path>, Stop> {
        let diagrams = self.diagrams;
        let mut rings = vec![from.clone()];
        let mut seen = from.clone();
        loop {
            let last = rings.len() - 1;
            let hit = diagrams.and(&rings[last], target)?;
            if hit.satisfiable() {
                return self.back_through(&rings, &hit).map(Some);
            }
            // The way back must not use states that the way there may not go through.
            rings[last] = diagrams.and(&rings[last], through)?;
            let new = diagrams.minus(&self.after(&rings[last])?, &seen)?;
            if !new.satisfiable() {
                return Ok(None);
            }
            seen = diagrams.or(&seen, &new)?;
            rings.push(new);
        }
    }

    /// A path through the rings to a state of the last one.
    fn back_through(&self, rings: &[Set], target: &Set) -> Result<Path, Stop> {
        let mut states = Vec::new();
        let mut at = self.pick(target)?;
        for ring in rings[..rings.len() - 1].iter().rev() {
            let Some(state) = at else { break };
            let before = self.machine.relation.preimage(self.diagrams, &state)?;
            states.push(state);
            at = self.pick(&self.diagrams.and(&before, ring)?)?;
        }
        states.extend(at);
        states.reverse();
        Ok(Path {
            states,
            ..Path::default()
        })
    }

    /// A path from an initial state to `target`, which has been reached: a shortest one, as a rule.
    pub(crate) fn shortest_to(&self, reach: &Reach, target: &Set) -> Result<Option<Path>, Stop> {
        for (steps, ring) in reach.rings.iter().enumerate() {
            let hit = self.diagrams.and(ring, target)?;
            if hit.satisfiable() {
                return self.back_through(&reach.rings[..=steps], &hit).map(Some);
            }
        }
        match self.machine.relation.is_choice() {
            true => self.path_by_ways(target),
            false => Ok(None),
        }
    }

    /// A path from an initial state to `target` where states are known but not how far away they
    /// are: a shortest one, unless that takes long to find.
    fn path_by_ways(&self, target: &Set) -> Result<Option<Path>, Stop> {
        let (diagrams, relation) = (self.diagrams, &self.machine.relation);
        let mut rings = vec![self.machine.init.clone()];
        let mut seen = self.machine.init.clone();
        let mut work = 0;
        while work <= MOST_WORK {
            let newest = &rings[rings.len() - 1];
            let hit = diagrams.and(newest, target)?;
            if hit.satisfiable() {
                return self.back_through(&rings, &hit).map(Some);
            }
            work += relation.ways() * diagrams.size(newest);
            let new = diagrams.minus(&relation.image(diagrams, newest)?, &seen)?;
            if !new.satisfiable() {
                return Ok(None);
            }
            seen = diagrams.or(&seen, &new)?;
            rings.push(new);
        }
        drop(rings);
        let init = &self.machine.init;
        let mut states = relation.path_back(diagrams, init, target, |set| self.pick(set))?;
        states.reverse();
        Ok((!states.is_empty()).then_some(Path {
            states,
            ..Path::default()
        }))
    }

    /// A fair path from a state that stays in the set for ever, as a lasso. Such a path must
    /// exist; `compassion` says whether strong fairness counts.
    pub(crate) fn lasso(&self, from: &Set, set: &Set, compassion: bool) -> Result<Path, Stop> {
        let diagrams = self.diagrams;
        let hull = match compassion {
            true => self.fair_hull(set)?,
            false => self.forever_just(set)?,
        };
        let mut path = match self.route(from, set, &hull)? {
            Some(path) => path,
            None => return Err(no_way()),
        };
        // Go down to a terminal strongly connected part: all fairness can be met there.
        let mut head = path.states[path.states.len() - 1].clone();
        let component = loop {
            let ahead = self.closure(&head, &hull, true)?;
            let behind = self.closure(&head, &ahead, false)?;
            let beyond = diagrams.minus(&ahead, &behind)?;
            let Some(next) = self.pick(&beyond)? else {
                break ahead;
            };
            let Some(way) = self.route(&head, &ahead, &next)? else {
                return Err(no_way());
            };
            path.append(way);
            head = next;
        };
        path.append(self.fair_round(&head, &component, compassion)?);
        Ok(path)
    }

    /// All states of `within` ahead of (or behind) a state, itself included.
    fn closure(&self, from: &Set, within: &Set, forward: bool) -> Result<Set, Stop> {
        let diagrams = self.diagrams;
        let mut all = from.clone();
        let mut new = from.clone();
        while new.satisfiable() {
            let next = match forward {
                true => self.after(&new)?,
                false => self.before(&new)?,
            };
            let next = diagrams.and(&next, within)?;
            new = diagrams.minus(&next, &all)?;
            all = diagrams.or(&all, &new)?;
        }
        Ok(all)
    }

    /// A round through a strongly connected part that meets every fairness condition.
    fn fair_round(&self, head: &Set, part: &Set, compassion: bool) -> Result<Path, Stop> {
        let diagrams = self.diagrams;
        let mut round = Path {
            states: vec![head.clone()],
            ..Path::default()
        };
        let walk = |round: &mut Path, target: &Set| -> Result<(), Stop> {
            let last = round.states[round.states.len() - 1].clone();
            let way = self.route(&last, part, target)?.ok_or_else(no_way)?;
            round.append(way);
            Ok(())
        };
        for condition in &self.machine.justice {
            let target = self.just_steps(part, condition)?;
            walk(&mut round, &target)?;
            // Take such a step.
            let at = round.states.len() - 1;
            let step = diagrams.and(&round.states[at], condition)?;
            let after = diagrams.and(&self.after(&step)?, part)?;
            let next = self.pick(&after)?.ok_or_else(no_way)?;
            round.states.push(next);
            round.conditions.push((at, condition.clone()));
        }
        if compassion {
            for (when, then) in &self.machine.compassion {
                if diagrams.and(part, when)?.satisfiable() {
                    walk(&mut round, &diagrams.and(part, then)?)?;
                }
            }
        }
        // Close the round with at least one step.
        let last = round.states[round.states.len() - 1].clone();
        let mut after = diagrams.and(&self.after(&last)?, part)?;
        let at_head = diagrams.and(&after, head)?;
        if at_head.satisfiable() {
            round.back_to = Some(0);
            return Ok(round);
        }
        // The states before the head, nearest first, tell which way to go.
        let mut layers = vec![head.clone()];
        let mut seen = head.clone();
        loop {
            let newest = &layers[layers.len() - 1];
            let hit = diagrams.and(&after, newest)?;
            if hit.satisfiable() {
                break;
            }
            let before = diagrams.and(&self.before(newest)?, part)?;
            let new = diagrams.minus(&before, &seen)?;
            if !new.satisfiable() {
                return Err(no_way());
            }
            seen = diagrams.or(&seen, &new)?;
            layers.push(new);
        }
        for layer in layers[1..].iter().rev() {
            let next = diagrams.and(&after, layer)?;
            let next = self.pick(&next)?.ok_or_else(no_way)?;
            after = self.after(&next)?;
            round.states.push(next);
        }
        round.back_to = Some(0);
        Ok(round)
    }
}

fn no_way() -> Stop {
    Stop::inconclusive("a path that must exist was not found")
}

fn pick(
    diagrams: &crate::diagrams::Diagrams,
    variables: &[Var],
    set: &Set,
) -> Result<Option<Set>, Stop> {
    let Some(literals) = diagrams.pick(set) else {
        return Ok(None);
    };
    let mut values = std::collections::BTreeMap::new();
    values.extend(variables.iter().map(|&variable| (variable, false)));
    for (variable, value) in literals {
        if let Some(place) = values.get_mut(&variable) {
            *place = value;
        }
    }
    diagrams.literals(values).map(Some)
}

/// How often a loop is repeated to close it for variables outside the cone.
const MOST_ROUNDS: usize = 200;

impl System {
    /// A path of a machine as a trace: inputs are chosen, and variables that the machine left
    /// out follow along.
    pub(crate) fn trace(&self, machine: &Machine, path: &Path) -> Result<Trace, Stop> {
        let partial = self.walk(machine, path)?;
        if machine.variables.iter().all(|&inside| inside) {
            return Ok(partial);
        }
        let full = self.machine(vec![true; machine.variables.len()])?;
        match self.extended(&full, machine, &partial)? {
            Some(trace) => Ok(trace),
            None => Ok(partial),
        }
    }

    /// The valuations of a path, with inputs for each step.
    fn walk(&self, machine: &Machine, path: &Path) -> Result<Trace, Stop> {
        let diagrams = &self.diagrams;
        let empty = Valuation::new(self.model.bit_count());
        let mut states = Vec::new();
        let following = path.states.iter().skip(1).cloned();
        let closing = path.back_to.map(|back| path.states[back].clone());
        let mut following = following.chain(closing);
        let mut conditions: Vec<&(usize, Set)> = path.conditions.iter().collect();
        conditions.sort_by_key(|&&(step, _)| step);
        let mut conditions = conditions.into_iter().peekable();
        for (at, state) in path.states.iter().enumerate() {
            let mut from = state.clone();
            while let Some((_, condition)) = conditions.next_if(|&&(step, _)| step == at) {
                from = diagrams.and(&from, condition)?;
            }
            let chosen = match following.next() {
                Some(next) => machine.relation.between(diagrams, &from, &next)?,
                None => from,
            };
            let literals = diagrams.pick(&chosen).ok_or_else(no_way)?;
            states.push(self.layout.valuation(&literals, &empty));
        }
        let ids = self.model.variable_ids().map(|(id, _)| id);
        Ok(Trace {
            states,
            back_to: path.back_to,
            variables: ids.filter(|id| machine.variables[id.index()]).collect(),
        })
    }

    /// The trace with values for all variables; `None` if a loop does not close in time.
    fn extended(
        &self,
        full: &Machine,
        partial: &Machine,
        trace: &Trace,
    ) -> Result<Option<Trace>, Stop> {
        let diagrams = &self.diagrams;
        let given = |state: &Valuation| -> Result<Set, Stop> {
            let bits = (0..self.model.bit_count() as u32)
                .filter(|&bit| partial.variables[self.model.owner(bit).index()]);
            let literals = bits.map(|bit| (self.layout.variable(bit, false), state.get(bit)));
            diagrams.literals(literals.collect::<Vec<_>>())
        };
        let state_only = |set: &Set| pick(diagrams, &full.state, set);
        let all_ids = self.model.variable_ids().map(|(id, _)| id).collect();
        let start = diagrams.and(&full.init, &given(&trace.states[0])?)?;
        let mut at = state_only(&start)?.ok_or_else(no_way)?;
        let mut path = Path::default();
        let mut heads: Vec<(Set, usize)> = Vec::new();
        let mut step = 0;
        loop {
            if Some(step) == trace.back_to {
                if let Some((_, place)) = heads.iter().find(|(head, _)| *head == at) {
                    path.back_to = Some(*place);
                    break;
                }
                if heads.len() > MOST_ROUNDS {
                    return Ok(None);
                }
                heads.push((at.clone(), path.states.len()));
            }
            let inputs = given(&trace.states[step])?;
            path.conditions.push((path.states.len(), inputs.clone()));
            path.states.push(at.clone());
            step = match (step + 1 < trace.states.len(), trace.back_to) {
                (true, _) => step + 1,
                (false, Some(back)) => back,
                (false, None) => break,
            };
            let from = diagrams.and(&at, &inputs)?;
            let after = full.relation.image(diagrams, &from)?;
            let after = diagrams.and(&after, &given_state(self, partial, &trace.states[step])?)?;
            at = state_only(&after)?.ok_or_else(no_way)?;
        }
        let walked = self.walk(full, &path)?;
        Ok(Some(Trace {
            variables: all_ids,
            ..walked
        }))
    }
}

/// The state variables of a partial valuation, without inputs.
fn given_state(system: &System, machine: &Machine, state: &Valuation) -> Result<Set, Stop> {
    let layout: &Layout = &system.layout;
    let literals = machine.state.iter().map(|&variable| {
        let bit = layout.bit(variable);
        (variable, state.get(bit))
    });
    system.diagrams.literals(literals.collect::<Vec<_>>())
}
