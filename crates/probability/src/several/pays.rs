//! What several objectives pay, as equations with one common set of choices.
//!
//! The model is unfolded with what is known about each path (open, fulfilled, missed). Where
//! choices can stay for ever, nothing changes any more: each such end component becomes one
//! unknown with a choice to stop, at which paths pay. Under all choices the rest is left after
//! finitely many steps on average, so that sums of what is paid have one solution.
//!
//! Everything is turned into payments that are not negative and are to be made large. A path that
//! is to be missed pays where it was not fulfilled. A reward that is to be small pays what a
//! choice falls short of `most(s)`, an upper bound for the reward from a state on: along a run
//! these differences sum up to `most` of the beginning less the reward.

use std::collections::HashMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ActionId, Builder, Kind, Markov, StateId};

use super::sure::sure;
use super::{Objective, Wanted};
use crate::Precision;
use crate::analysis::rounding;
use crate::graph::end_components;
use crate::solve::{Solution, System, solve};

/// What is known about a path.
const OPEN: u8 = 0;
pub(super) const FULFILLED: u8 = 1;
const MISSED: u8 = 2;

/// The equations.
pub(super) struct Pays {
    pub(super) system: System,
    /// What each choice pays for each objective, from below and above.
    pub(super) payments: Vec<Vec<(f64, f64)>>,
    /// The unknown of the beginning.
    pub(super) begin: usize,
    /// What the value of an objective is: `offset - payment` where that is there.
    pub(super) offsets: Vec<Option<(f64, f64)>>,
    /// The most that a reward that is to be small can be, by unknown.
    pub(super) most: Vec<Option<Vec<f64>>>,
    pub(super) unfolded: Unfolded,
    /// The unknown of each state, if it was kept.
    pub(super) unknown_of: Vec<u32>,
    /// The choice of the unfolded model that each choice is, or none (`u32::MAX`): to stop.
    pub(super) made: Vec<u32>,
    /// Whether choices were taken away that do not keep what is to be sure.
    pub(super) cut: bool,
    pub(super) precision: Precision,
}

/// What one way to choose pays for each objective, from below.
pub(super) type Point = Vec<f64>;

/// The best ways to choose for a sum of the objectives.
pub(super) struct BestWay {
    /// What no way exceeds, from each unknown.
    pub(super) upper: Vec<f64>,
    /// What a way pays that is best, or nearly.
    pub(super) point: Point,
    /// The choice of each unknown.
    pub(super) chosen: Vec<u32>,
}

impl Pays {
    /// The equations of ways to choose that keep what is to be sure; none if there is no such way.
    pub(super) fn new(
        model: &Markov,
        begin: u32,
        objectives: &[Objective],
        precision: Precision,
        budget: &Budget,
    ) -> Result<Option<Pays>, Stop> {
        let unfolded = unfold(model, begin, objectives, budget)?;
        let all: Bits = (0..unfolded.model.states()).collect();
        let (part_of, parts) = end_components(&unfolded.model, &all, |_| true, budget)?;
        let mut pays = Pays {
            system: System::new(model.error, f64::INFINITY),
            payments: vec![Vec::new(); objectives.len()],
            begin: 0,
            offsets: vec![None; objectives.len()],
            most: vec![None; objectives.len()],
            unfolded,
            unknown_of: Vec::new(),
            made: Vec::new(),
            cut: false,
            precision,
        };
        let mut stop = pays.lay_out(&part_of, parts, objectives, budget)?;
        if !pays.keep_sure(&sure(objectives), &mut stop) {
            return Ok(None);
        }
        for (number, objective) in objectives.iter().enumerate() {
            match &objective.wanted {
                Wanted::Path { .. } if objective.least => {
                    pays.offsets[number] = Some((1.0, 1.0));
                }
                Wanted::Reward { .. } if objective.least => {
                    pays.turn_around(number, &stop, budget)?;
                }
                _ => {}
            }
        }
        Ok(Some(pays))
    }

    /// Lays out unknowns and choices; which choices stop.
    fn lay_out(
        &mut self,
        part_of: &[u32],
        parts: usize,
        objectives: &[Objective],
        budget: &Budget,
    ) -> Result<Vec<bool>, Stop> {
        let model = &self.unfolded.model;
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); parts];
        let mut unknown_of = vec![0u32; model.states()];
        for state in 0..model.states() {
            let unknown = match part_of[state] {
                u32::MAX => {
                    members.push(Vec::new());
                    members.len() - 1
                }
                part => part as usize,
            };
            unknown_of[state] = unknown as u32;
            members[unknown].push(state as u32);
        }
        self.begin = unknown_of[0] as usize;
        let mut stops = Vec::new();
        for (unknown, states) in members.iter().enumerate() {
            budget.charge(states.len() as u64)?;
            for &state in states {
                for choice in model.choices_of(StateId::new(state)) {
                    let branches = model.branches_of(choice);
                    let inner = |&to: &StateId| unknown_of[to.index()] as usize == unknown;
                    let origin = self.unfolded.origin[choice.index()] as usize;
                    if model.targets[branches.clone()].iter().all(inner) {
                        if objectives.iter().any(|one| one.earns(origin)) {
                            return Err(Stop::inconclusive(
                                "rewards can be earned again and again without an end",
                            ));
                        }
                        continue;
                    }
                    for branch in branches {
                        self.system
                            .targets
                            .push(unknown_of[model.targets[branch].index()]);
                        self.system.weights.push(model.weights[branch]);
                    }
                    for (number, objective) in objectives.iter().enumerate() {
                        self.payments[number].push(objective.earned(origin));
                    }
                    self.made.push(choice.number());
                    self.system.columns.push(self.system.targets.len() as u32);
                    stops.push(false);
                }
            }
            if unknown < parts {
                let memory = &self.unfolded.memories[states[0] as usize];
                let mut paths = memory.iter();
                for (number, objective) in objectives.iter().enumerate() {
                    let paid = match &objective.wanted {
                        Wanted::Path { .. } => {
                            let fulfilled = paths.next() == Some(&FULFILLED);
                            f64::from(u8::from(fulfilled != objective.least))
                        }
                        Wanted::Reward { .. } => 0.0,
                    };
                    self.payments[number].push((paid, paid));
                }
                self.made.push(u32::MAX);
                self.system.columns.push(self.system.targets.len() as u32);
                stops.push(true);
            }
            self.system.rows.push(stops.len() as u32);
        }
        self.unknown_of = unknown_of;
        self.system.low = vec![0.0; stops.len()];
        self.system.high = vec![0.0; stops.len()];
        Ok(stops)
    }

    /// Turns a reward that is to be small into payments that are to be large.
    fn turn_around(&mut self, number: usize, stop: &[bool], budget: &Budget) -> Result<(), Stop> {
        let mut weights = vec![0.0; self.payments.len()];
        weights[number] = 1.0;
        let mut most = self.solve(&weights, budget)?.upper;
        if most.iter().any(|value| !value.is_finite()) {
            return Err(Stop::inconclusive("a reward has no upper bound"));
        }
        // And a little more with every step: what falls short of the very most by rounding alone
        // has no bounds that are near each other.
        let steps = self.steps(budget)?;
        let greatest = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
        let more = greatest(&most) / greatest(&steps).max(1.0);
        for (most, steps) in most.iter_mut().zip(&steps) {
            *most += more * steps;
        }
        for unknown in 0..self.system.unknowns() {
            for choice in self.system.rows[unknown]..self.system.rows[unknown + 1] {
                let choice = choice as usize;
                let terms =
                    self.system.columns[choice] as usize..self.system.columns[choice + 1] as usize;
                let after: f64 = terms
                    .clone()
                    .map(|term| {
                        self.system.weights[term] * most[self.system.targets[term] as usize]
                    })
                    .sum();
                let (low, high) = self.payments[number][choice];
                debug_assert!(!stop[choice] || high == 0.0);
                let size = most[unknown] + after + high;
                let off = size * (2.0 * rounding(terms.len()) + 2.0 * self.system.error);
                let short = (most[unknown] - after - high, most[unknown] - after - low);
                self.payments[number][choice] =
                    ((short.0 - off).max(0.0), (short.1 + off).max(0.0));
            }
        }
        self.offsets[number] = Some((most[self.begin], most[self.begin]));
        self.most[number] = Some(most);
        Ok(())
    }

    /// At most so many choices are made on average until one stops.
    pub(super) fn steps(&self, budget: &Budget) -> Result<Vec<f64>, Stop> {
        let mut steps = System::new(self.system.error, f64::INFINITY);
        steps.rows.clone_from(&self.system.rows);
        steps.columns.clone_from(&self.system.columns);
        steps.targets.clone_from(&self.system.targets);
        steps.weights.clone_from(&self.system.weights);
        let moves = self.made.iter().map(|&made| made != u32::MAX);
        steps.low = moves.map(|moves| f64::from(u8::from(moves))).collect();
        steps.high.clone_from(&steps.low);
        Ok(solve(&steps, false, self.precision, budget)?.upper)
    }

    /// The best ways to choose for a sum of the objectives.
    fn solve(&mut self, weights: &[f64], budget: &Budget) -> Result<Solution, Stop> {
        let share = rounding(weights.len());
        for choice in 0..self.system.low.len() {
            let sum = |side: fn(&(f64, f64)) -> f64| -> f64 {
                let paid = self.payments.iter().map(|one| side(&one[choice]));
                paid.zip(weights).map(|(paid, weight)| paid * weight).sum()
            };
            let (low, high) = (sum(|paid| paid.0), sum(|paid| paid.1));
            self.system.low[choice] = low * (1.0 - share);
            self.system.high[choice] = high * (1.0 + share);
        }
        solve(&self.system, false, self.precision, budget)
    }

    /// Upper bounds for a sum of the objectives, and a way to choose that is best for it, or nearly.
    pub(super) fn best(&mut self, weights: &[f64], budget: &Budget) -> Result<BestWay, Stop> {
        let solution = self.solve(weights, budget)?;
        let chosen = self.chain(&solution.chosen);
        let mut point = Vec::with_capacity(self.payments.len());
        for payments in &self.payments {
            let mut one = System::new(self.system.error, f64::INFINITY);
            one.rows.clone_from(&chosen.rows);
            one.columns.clone_from(&chosen.columns);
            one.targets.clone_from(&chosen.targets);
            one.weights.clone_from(&chosen.weights);
            let paid = solution.chosen.iter().map(|&at| payments[at as usize]);
            (one.low, one.high) = paid.unzip();
            point.push(solve(&one, false, self.precision, budget)?.lower[self.begin]);
        }
        Ok(BestWay {
            upper: solution.upper,
            point,
            chosen: solution.chosen,
        })
    }

    /// The equations with one choice each.
    fn chain(&self, chosen: &[u32]) -> System {
        let mut chain = System::new(self.system.error, f64::INFINITY);
        for &choice in chosen {
            let choice = choice as usize;
            let terms =
                self.system.columns[choice] as usize..self.system.columns[choice + 1] as usize;
            chain.targets.extend(&self.system.targets[terms.clone()]);
            chain.weights.extend(&self.system.weights[terms]);
            chain.columns.push(chain.targets.len() as u32);
            chain.rows.push(chain.columns.len() as u32 - 1);
        }
        chain
    }
}

/// A model with what is known about paths in its states.
pub(super) struct Unfolded {
    pub(super) model: Markov,
    /// The choice of the model that each choice is.
    pub(super) origin: Vec<u32>,
    /// What is known about each path in each state.
    pub(super) memories: Vec<Vec<u8>>,
}

fn unfold(
    model: &Markov,
    begin: u32,
    objectives: &[Objective],
    budget: &Budget,
) -> Result<Unfolded, Stop> {
    let paths: Vec<(&Bits, &Bits)> = objectives
        .iter()
        .filter_map(|one| match &one.wanted {
            Wanted::Path { left, right } => Some((left, right)),
            Wanted::Reward { .. } => None,
        })
        .collect();
    let after = |memory: &[u8], state: usize| -> Vec<u8> {
        let paths = paths.iter().zip(memory);
        let next = paths.map(|((left, right), &known)| match known {
            OPEN if right.contains(state) => FULFILLED,
            OPEN if !left.contains(state) => MISSED,
            known => known,
        });
        next.collect()
    };
    let first = (begin, after(&vec![OPEN; paths.len()], begin as usize));
    let mut number_of = HashMap::from([(first.clone(), 0u32)]);
    let mut states = vec![first];
    let mut builder = Builder::new(Kind::Mdp);
    let mut origin = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let (state, memory) = states[at].clone();
        at += 1;
        for choice in model.choices_of(StateId::new(state)) {
            budget.charge(1)?;
            builder.choice(ActionId::NONE);
            origin.push(choice.number());
            for branch in model.branches_of(choice) {
                let target = model.targets[branch];
                let next = (target.number(), after(&memory, target.index()));
                let number = *number_of.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() as u32 - 1
                });
                builder.branch(number, model.weights[branch]);
            }
        }
        builder.end_state();
    }
    Ok(Unfolded {
        model: builder.finish([0]),
        origin,
        memories: states.into_iter().map(|(_, memory)| memory).collect(),
    })
}
