//! What shows an answer about several objectives to somebody who believes nothing.
//!
//! Ways to choose with what each pays, and a sum of the objectives that no way exceeds; both with
//! the expected number of steps until nothing changes any more. They are numbers for the states of
//! a model in which one sees what has happened on the paths, so that whoever checks them needs
//! neither end components nor a linear program.

use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, StateId};

use super::pays::{FULFILLED, Pays};
use super::{Attained, Objective, Set, Wanted, asked};
use crate::analysis::rounding;
use crate::solve::{System, solve};
use crate::{Analysis, Precision};

/// What shows an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Ways to choose; their mixture attains what was found. Of two objectives that are traded off:
    /// one for each corner, from the most of the first to the most of the second.
    pub ways: Vec<Way>,
    /// What no way exceeds, as far as that was needed. Of two objectives that are traded off: the most
    /// of the first, one sum for each two corners beside each other, and the most of the second.
    pub ceilings: Vec<Ceiling>,
}

/// A way to choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// How often it is taken, relative to others.
    pub share: f64,
    /// The choice of each state, counted from its first; nothing where it does not come to.
    pub chosen: Vec<Option<u32>>,
    /// What is paid at least for each objective from each state. Of a path that is to be missed that
    /// is the chance to miss it, and of a reward that is to be small its negative.
    pub values: Vec<Vec<f64>>,
    /// At most so many steps are left on average until nothing changes any more.
    pub steps: Vec<f64>,
}

/// A sum of the objectives that no way to choose exceeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Ceiling {
    /// The weight of each objective.
    pub weights: Vec<f64>,
    /// What the sum can be from each state, where for a reward that is to be small one is paid what
    /// it falls short of `most`.
    pub values: Vec<f64>,
    /// What each reward that is to be small is measured against, from each state.
    pub most: Vec<Vec<f64>>,
    /// At most so many steps are left on average until nothing changes any more.
    pub steps: Vec<f64>,
}

/// Bounds are made nearer so many times.
const SWEEPS: usize = 100;
/// Values of single ways are computed as nearly as doubles allow: a mixture often lies on its bounds.
const NEARLY: Precision = Precision { width: 1e-13 };

/// Tables with more corners are not shown: each has numbers for all states.
const MOST_CORNERS: usize = 64;

impl Analysis<'_> {
    /// What shows the answer about several objectives from the first state. Paths reach something
    /// that is never left again, so that the states tell what has happened; all states can be reached,
    /// in the order of a breadth-first search. Nothing if the answer is not clear, or cannot be shown so.
    ///
    /// ```
    /// use quotient_bits::Bits;
    /// use quotient_core::Budget;
    /// use quotient_markov::{Builder, Kind};
    /// use quotient_probability::{Analysis, Objective, Precision};
    /// let mut builder = Builder::new(Kind::Mdp);
    /// for target in [1, 2] {
    ///     builder.choice(0);
    ///     builder.branch(target, 1.0);
    /// }
    /// (0..3).for_each(|_| builder.end_state());
    /// let model = builder.finish(vec![0]);
    /// let analysis = Analysis::new(&model, Precision::default());
    /// let all: Bits = (0..3).collect();
    /// let at = |state: usize| Objective::path(all.clone(), (state..state + 1).collect());
    /// let both = [at(1).to(0.49, false), at(2).to(0.49, false)];
    /// let shown = analysis.shown(&both, &Budget::unlimited()).unwrap().unwrap();
    /// assert_eq!(shown.ways.len(), 2);
    /// ```
    pub fn shown(&self, objectives: &[Objective], budget: &Budget) -> Result<Option<Shown>, Stop> {
        let Some(mut set) = self.laid_out(0, objectives, budget)? else {
            return Ok(None);
        };
        let unclear = [Attained::Together(None), Attained::Never];
        if unclear.contains(&set.attained(objectives)?) {
            return Ok(None);
        }
        if set.pays.unfolded.model.states() != self.model.states() {
            return Ok(None);
        }
        set.shown(objectives)
    }
}

impl Set<'_> {
    fn shown(&mut self, objectives: &[Objective]) -> Result<Option<Shown>, Stop> {
        // What is best for those that keep something sure may be exceeded by others.
        if !self.ceilings.is_empty() && self.pays.cut {
            return Ok(None);
        }
        if asked(objectives).len() == 2 {
            // Sums that no way exceeds are about all ways, not about those that keep something sure.
            if objectives.len() > 2 {
                return Ok(None);
            }
            if self.points.len() > MOST_CORNERS {
                return Ok(None);
            }
            self.ceilings = self.beyond()?;
        }
        let ceilings = self.ceilings.iter();
        let ceilings =
            ceilings.map(|(weights, upper)| self.pays.ceiling(weights, upper, self.budget));
        let ceilings = ceilings.collect::<Result<Vec<Ceiling>, Stop>>()?;
        let mut ways = Vec::new();
        for (chosen, &share) in self.ways.iter().zip(&self.shares) {
            if share > 0.0 {
                ways.push(self.pays.way(share, chosen, objectives, self.budget)?);
            }
        }
        let cannot = asked(objectives).is_empty() && !ceilings.is_empty();
        if ways.is_empty() && !cannot {
            // Bounds that are kept by whatever one does, as that of the best for all.
            let equal = vec![1.0; objectives.len()];
            let chosen = self.pays.best(&equal, self.budget)?.chosen;
            ways.push(self.pays.way(1.0, &chosen, objectives, self.budget)?);
        }
        Ok(Some(Shown { ways, ceilings }))
    }
}

impl Pays {
    fn ceiling(&self, weights: &[f64], upper: &[f64], budget: &Budget) -> Result<Ceiling, Stop> {
        let of_states = |numbers: &[f64]| -> Vec<f64> {
            let unknowns = self.unknown_of.iter();
            unknowns.map(|&one| numbers[one as usize]).collect()
        };
        let steps = self.steps(budget)?;
        Ok(Ceiling {
            weights: weights.to_vec(),
            values: of_states(upper),
            most: self
                .most
                .iter()
                .flatten()
                .map(|most| of_states(most))
                .collect(),
            steps: of_states(&steps),
        })
    }

    fn way(
        &self,
        share: f64,
        chosen: &[u32],
        objectives: &[Objective],
        budget: &Budget,
    ) -> Result<Way, Stop> {
        let chosen = self.choices(chosen);
        let chain = Chain::new(self, &chosen, budget)?;
        let mut values = Vec::new();
        let mut paths = 0;
        for objective in objectives {
            values.push(match &objective.wanted {
                Wanted::Path { .. } => {
                    let path = paths;
                    paths += 1;
                    let pays = |state: usize| {
                        let fulfilled = self.unfolded.memories[state][path] == FULFILLED;
                        fulfilled != objective.least
                    };
                    chain.ends(&pays, budget)?
                }
                Wanted::Reward { .. } => chain.earned(objective, budget)?,
            });
        }
        Ok(Way {
            share,
            values,
            steps: chain.steps(budget)?,
            chosen: chain.named(&chosen),
        })
    }

    /// The choice of each state, by that of its unknown: where that leaves an end component, all of
    /// its states go to where it is left.
    fn choices(&self, chosen: &[u32]) -> Vec<u32> {
        let model = &self.unfolded.model;
        let states = model.states();
        let mut owner = vec![0u32; model.choices()];
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); chosen.len()];
        for state in 0..states {
            owner[model.choices_of(StateId::from_index(state)).places()].fill(state as u32);
            if let Some(members) = members.get_mut(self.unknown_of[state] as usize) {
                members.push(state as u32);
            }
        }
        let mut choices = vec![u32::MAX; states];
        for (unknown, members) in members.iter().enumerate() {
            let made = self.made[chosen[unknown] as usize];
            let inner = |choice: &ChoiceId| {
                let targets = &model.targets[model.branches_of(*choice)];
                let here = |&to: &StateId| self.unknown_of[to.index()] as usize == unknown;
                targets.iter().all(here)
            };
            if made == u32::MAX {
                for &state in members {
                    let mut inside = model.choices_of(StateId::new(state)).filter(inner);
                    choices[state as usize] = inside.next().map_or(u32::MAX, ChoiceId::number);
                }
                continue;
            }
            choices[owner[made as usize] as usize] = made;
            // From there backwards, choice by choice.
            let mut changed = true;
            while changed {
                changed = false;
                for &state in members {
                    if choices[state as usize] != u32::MAX {
                        continue;
                    }
                    let leads = |choice: &ChoiceId| {
                        let targets = &model.targets[model.branches_of(*choice)];
                        targets.iter().any(|&to| choices[to.index()] != u32::MAX)
                    };
                    let mut inside = model.choices_of(StateId::new(state)).filter(inner);
                    if let Some(choice) = inside.find(leads) {
                        choices[state as usize] = choice.number();
                        changed = true;
                    }
                }
            }
        }
        choices
    }
}

/// What a way to choose can come to, as equations with one choice each.
struct Chain<'a> {
    pays: &'a Pays,
    /// The states, and where each of all states is among them.
    states: Vec<u32>,
    place: Vec<u32>,
    /// The choice of each, and whether nothing changes there any more.
    choices: Vec<u32>,
    ended: Vec<bool>,
}

impl<'a> Chain<'a> {
    fn new(pays: &'a Pays, chosen: &[u32], budget: &Budget) -> Result<Chain<'a>, Stop> {
        let model = &pays.unfolded.model;
        let mut chain = Chain {
            pays,
            states: vec![0],
            place: vec![u32::MAX; model.states()],
            choices: Vec::new(),
            ended: Vec::new(),
        };
        chain.place[0] = 0;
        let mut at = 0;
        while at < chain.states.len() {
            budget.charge(1)?;
            let state = chain.states[at] as usize;
            at += 1;
            let Some(branches) = (chosen[state] != u32::MAX)
                .then(|| model.branches_of(ChoiceId::new(chosen[state])))
            else {
                return Err(Stop::inconclusive("a way to choose stops where it cannot"));
            };
            chain.choices.push(chosen[state]);
            for &to in &model.targets[branches] {
                if chain.place[to.index()] == u32::MAX {
                    chain.place[to.index()] = chain.states.len() as u32;
                    chain.states.push(to.number());
                }
            }
        }
        chain.ended = vec![false; chain.states.len()];
        let parts = crate::graph::components(chain.states.len(), |state, edge| {
            let branches = model.branches_of(ChoiceId::new(chain.choices[state]));
            let targets = &model.targets[branches];
            targets
                .get(edge)
                .map(|&to| chain.place[to.index()] as usize)
        });
        let mut part_of = vec![0; chain.states.len()];
        for part in 0..parts.len() {
            for &member in parts.members(part) {
                part_of[member as usize] = part;
            }
        }
        for part in 0..parts.len() {
            let members = parts.members(part);
            let stays = members.iter().all(|&state| {
                let branches = model.branches_of(ChoiceId::new(chain.choices[state as usize]));
                let mut targets = model.targets[branches].iter();
                targets.all(|&to| part_of[chain.place[to.index()] as usize] == part)
            });
            for &member in members {
                chain.ended[member as usize] = stays;
            }
        }
        Ok(chain)
    }

    /// The equations, with what each state pays from below and above and whether it is the last.
    fn system(&self, payment: &dyn Fn(usize) -> (f64, f64)) -> System {
        let model = &self.pays.unfolded.model;
        let mut system = System::new(self.pays.system.error, f64::INFINITY);
        for at in 0..self.states.len() {
            if !self.ended[at] {
                for branch in model.branches_of(ChoiceId::new(self.choices[at])) {
                    let to = self.place[model.targets[branch].index()];
                    system.targets.push(to);
                    system.weights.push(model.weights[branch]);
                }
            }
            let (low, high) = payment(at);
            system.low.push(low);
            system.high.push(high);
            system.columns.push(system.targets.len() as u32);
            system.rows.push(system.columns.len() as u32 - 1);
        }
        system
    }

    /// A number for every state of the model, and none (zero) where the chain does not come to.
    fn spread(&self, numbers: &[f64]) -> Vec<f64> {
        let of = |&place: &u32| numbers.get(place as usize).copied().unwrap_or(0.0);
        self.place.iter().map(of).collect()
    }

    /// The chance to end where a condition holds, from below.
    fn ends(&self, pays: &dyn Fn(usize) -> bool, budget: &Budget) -> Result<Vec<f64>, Stop> {
        let payment = |at: usize| {
            let paid = self.ended[at] && pays(self.states[at] as usize);
            let paid = f64::from(u8::from(paid));
            (paid, paid)
        };
        let system = self.system(&payment);
        let mut lower = solve(&system, false, NEARLY, budget)?.lower;
        // What is sure is not only nearly so.
        let sure = self.surely(pays);
        for (at, number) in lower.iter_mut().enumerate() {
            if self.ended[at] {
                *number = payment(at).0;
            } else if sure[at] {
                *number = 1.0;
            }
        }
        self.sharpened(&system, &mut lower, false);
        Ok(self.spread(&lower))
    }

    /// Where every run ends as it should.
    fn surely(&self, pays: &dyn Fn(usize) -> bool) -> Vec<bool> {
        let model = &self.pays.unfolded.model;
        let misses = |at: usize| self.ended[at] && !pays(self.states[at] as usize);
        let mut sure: Vec<bool> = (0..self.states.len()).map(|at| !misses(at)).collect();
        let mut leading: Vec<Vec<u32>> = vec![Vec::new(); sure.len()];
        for at in 0..sure.len() {
            for &to in &model.targets[model.branches_of(ChoiceId::new(self.choices[at]))] {
                leading[self.place[to.index()] as usize].push(at as u32);
            }
        }
        let mut waiting: Vec<usize> = (0..sure.len()).filter(|&at| !sure[at]).collect();
        while let Some(at) = waiting.pop() {
            for &before in &leading[at] {
                if std::mem::replace(&mut sure[before as usize], false) {
                    waiting.push(before as usize);
                }
            }
        }
        sure
    }

    /// What is earned at least; the negative of the most where it is to be small.
    fn earned(&self, objective: &Objective, budget: &Budget) -> Result<Vec<f64>, Stop> {
        let payment = |at: usize| match self.ended[at] {
            true => (0.0, 0.0),
            false => {
                let choice = self.choices[at] as usize;
                objective.earned(self.pays.unfolded.origin[choice] as usize)
            }
        };
        let system = self.system(&payment);
        let mut solution = solve(&system, false, NEARLY, budget)?;
        Ok(match objective.least {
            true => {
                self.sharpened(&system, &mut solution.upper, true);
                let negative: Vec<f64> = solution.upper.iter().map(|upper| 0.0 - upper).collect();
                self.spread(&negative)
            }
            false => {
                self.sharpened(&system, &mut solution.lower, false);
                self.spread(&solution.lower)
            }
        })
    }

    /// Makes bounds nearer, step by step: what the next states make of a lower bound is one, too, if
    /// it is rounded down, and every step still keeps all of them. Bounds that the solver proves are
    /// off by a little for each step that a run may take; those of states that decide soon need not be.
    fn sharpened(&self, system: &System, bounds: &mut [f64], upper: bool) {
        for _ in 0..SWEEPS {
            let mut moved = false;
            for at in (0..self.states.len()).rev().filter(|&at| !self.ended[at]) {
                let terms = system.columns[at] as usize..system.columns[at + 1] as usize;
                let off = rounding(terms.len() + 2) + system.error;
                let paid = if upper {
                    system.high[at]
                } else {
                    system.low[at]
                };
                let ahead =
                    terms.map(|term| system.weights[term] * bounds[system.targets[term] as usize]);
                let sum = paid + ahead.sum::<f64>();
                let (next, nearer) = match upper {
                    true => (sum * (1.0 + off), sum * (1.0 + off) < bounds[at]),
                    false => (sum * (1.0 - off), sum * (1.0 - off) > bounds[at]),
                };
                if nearer && next >= 0.0 {
                    moved |= (next - bounds[at]).abs() > 1e-15 * next.abs();
                    bounds[at] = next;
                }
            }
            if !moved {
                return;
            }
        }
    }

    fn steps(&self, budget: &Budget) -> Result<Vec<f64>, Stop> {
        let payment = |at: usize| {
            let moves = f64::from(u8::from(!self.ended[at]));
            (moves, moves)
        };
        let system = self.system(&payment);
        let precision = Precision::default();
        Ok(self.spread(&solve(&system, false, precision, budget)?.upper))
    }

    /// The choice of each state, counted from its first.
    fn named(&self, chosen: &[u32]) -> Vec<Option<u32>> {
        let rows = &self.pays.unfolded.model.rows;
        let named = |(state, &place): (usize, &u32)| {
            (place != u32::MAX).then(|| chosen[state] - rows[state])
        };
        self.place.iter().enumerate().map(named).collect()
    }
}
