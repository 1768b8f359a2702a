//! Questions about a model.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Kind, Markov, Rewards, StateId};

use crate::bisimulation::{Looks, Quotient, SLOW, WORTH};
use crate::graph::{NOT_CHOSEN, Reverse, can_reach, end_components, must_reach, surely_by_choice};
use crate::solve::{Patience, Solution, System, solve, solve_patiently};
use crate::{Bisimulation, Precision};

/// What rounding may change, relative to a sum of so many terms.
pub(crate) fn rounding(terms: usize) -> f64 {
    1.2e-16 * (terms as f64 + 4.0)
}

/// Below this doubles lose what rounding relative to them would allow for: bounds of numbers that
/// are not nothing stop here.
pub(crate) const TINY: f64 = 1e-290;

/// A number for each state, between bounds that are sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// Not less than this.
    pub lower: Vec<f64>,
    /// Not more than this.
    pub upper: Vec<f64>,
    /// For decision processes: a choice for each state (by number) that attains the bound that
    /// needs one.
    pub chosen: Vec<ChoiceId>,
}

impl Values {
    /// The same number everywhere.
    pub fn constant(states: usize, value: f64) -> Values {
        Values {
            lower: vec![value; states],
            upper: vec![value; states],
            chosen: Vec::new(),
        }
    }
}

/// Which of several choices are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// Those that make a number least.
    Least,
    /// Those that make it greatest.
    Greatest,
}

/// A model about which questions are asked.
///
/// ```
/// use quotient_bits::Bits;
/// use quotient_core::Budget;
/// use quotient_markov::{Builder, Kind};
/// use quotient_probability::{Analysis, Best, Precision};
/// let mut builder = Builder::new(Kind::Dtmc);
/// for (target, weight) in [(0, 0.5), (1, 0.25), (2, 0.25)] {
///     if target == 0 { builder.choice(0); }
///     builder.branch(target, weight);
/// }
/// builder.end_state();
/// builder.end_state();
/// builder.end_state();
/// let model = builder.finish(vec![0]);
/// let analysis = Analysis::new(&model, Precision::default());
/// let mut goal = Bits::with_capacity(3);
/// goal.insert(1);
/// let all: Bits = (0..3).collect();
/// let values = analysis.until(&all, &goal, Best::Greatest, &Budget::unlimited()).unwrap();
/// assert!(values.lower[0] <= 0.5 && 0.5 <= values.upper[0]);
/// ```
#[derive(Debug)]
pub struct Analysis<'m> {
    /// The model as it was given.
    pub(crate) timed: &'m Markov,
    /// The same with probabilities: of a continuous chain the chain of its jumps.
    pub(crate) model: Cow<'m, Markov>,
    /// Made when it is first needed: questions with bounds on steps need none.
    reverse: OnceCell<Reverse>,
    pub(crate) precision: Precision,
    pub(crate) bisimulation: Bisimulation,
    /// How many classes the last quotient had.
    pub(crate) classes: Cell<Option<usize>>,
}

impl<'m> Analysis<'m> {
    /// Makes ready to answer.
    pub fn new(model: &'m Markov, precision: Precision) -> Analysis<'m> {
        let jumps = match model.kind {
            Kind::Ctmc => Cow::Owned(jumps(model)),
            _ => Cow::Borrowed(model),
        };
        Analysis {
            timed: model,
            reverse: OnceCell::new(),
            model: jumps,
            precision,
            bisimulation: Bisimulation::default(),
            classes: Cell::new(None),
        }
    }

    /// What leads to each state.
    pub(crate) fn reverse(&self) -> &Reverse {
        self.reverse.get_or_init(|| Reverse::new(&self.model))
    }

    /// Says when states that a question cannot tell apart are taken together.
    pub fn taking(mut self, together: Bisimulation) -> Analysis<'m> {
        self.bisimulation = together;
        self
    }

    /// How many classes of states a question was last answered with, if states were taken
    /// together.
    pub fn classes(&self) -> Option<usize> {
        self.classes.get()
    }

    /// States for which the probability of `allowed until goal` is surely zero and surely one.
    pub fn sure(
        &self,
        allowed: &Bits,
        goal: &Bits,
        best: Best,
        budget: &Budget,
    ) -> Result<(Bits, Bits), Stop> {
        let (never, always, _) = self.qualitative(allowed, goal, best, budget)?;
        Ok((never, always))
    }

    fn qualitative(
        &self,
        allowed: &Bits,
        goal: &Bits,
        best: Best,
        budget: &Budget,
    ) -> Result<(Bits, Bits, Vec<ChoiceId>), Stop> {
        let states = self.model.states();
        let several = self.model.kind == Kind::Mdp;
        let mut never = match best {
            Best::Least if several => must_reach(&self.model, self.reverse(), allowed, goal),
            _ => can_reach(self.reverse(), allowed, goal),
        };
        never.grow(states);
        never.toggle_range(..);
        if best == Best::Greatest && several {
            let (mut always, chosen) =
                surely_by_choice(&self.model, self.reverse(), allowed, goal, budget)?;
            always.grow(states);
            return Ok((never, always, chosen));
        }
        let mut open = goal.clone();
        open.grow(states);
        open.toggle_range(..);
        let mut always = can_reach(self.reverse(), &open, &never);
        always.grow(states);
        always.toggle_range(..);
        Ok((never, always, vec![NOT_CHOSEN; states]))
    }

    /// The probability of reaching a goal through allowed states only.
    pub fn until(
        &self,
        allowed: &Bits,
        goal: &Bits,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let model = &*self.model;
        let states = model.states();
        let (never, always, mut chosen) = self.qualitative(allowed, goal, best, budget)?;
        let mut open = never.clone();
        open.union_with(&always);
        open.toggle_range(..);
        let mut ends = open.clone();
        ends.toggle_range(..);
        let looks = Looks {
            sets: &[&always],
            rewards: None,
            ends: Some(&ends),
        };
        let collapse = model.kind == Kind::Mdp && best == Best::Greatest;
        let groups = self.groups(&open, collapse, |_| true, budget)?;
        let constant = |choice: usize| {
            let branches = model.branches_of(ChoiceId::from_index(choice));
            let sum: f64 = branches
                .clone()
                .filter(|&branch| always.contains(model.targets[branch].index()))
                .map(|branch| model.weights[branch])
                .sum();
            let off = rounding(branches.len()) + model.error;
            (sum * (1.0 - off), sum * (1.0 + off))
        };
        let parts = (constant, |_: usize| true, |_: usize| None);
        let equations = self.equations(&groups, parts, 1.0);
        let ask = |inner: &Analysis<'_>, small: &Quotient| {
            inner.until(&small.set(&open), &small.set(&always), best, budget)
        };
        let (mut lower, mut upper) = match self.answered(&equations, looks, best, budget, ask)? {
            Answered::Here(solution) => self.spread(&equations, &groups, &solution, &mut chosen),
            Answered::Smaller(values) => {
                for state in open.ones() {
                    chosen[state] = values.chosen[state];
                }
                (values.lower, values.upper)
            }
        };
        for state in 0..states {
            if always.contains(state) {
                (lower[state], upper[state]) = (1.0, 1.0);
            } else if open.contains(state) && upper[state] < TINY {
                (lower[state], upper[state]) = (0.0, TINY);
            }
        }
        self.complete(&mut chosen, &never, best);
        Ok(Values {
            lower,
            upper,
            chosen,
        })
    }

    /// Choices where none mattered: where nothing is ever reached those that keep it so.
    fn complete(&self, chosen: &mut [ChoiceId], never: &Bits, best: Best) {
        let model = &*self.model;
        for (state, chosen) in chosen.iter_mut().enumerate() {
            if *chosen != NOT_CHOSEN {
                continue;
            }
            let mut choices = model.choices_of(StateId::from_index(state));
            let first = choices.first();
            let stays = |choice: &ChoiceId| {
                let targets = &model.targets[model.branches_of(*choice)];
                targets.iter().all(|&to| never.contains(to.index()))
            };
            let keeps = match best == Best::Least && never.contains(state) {
                true => choices.find(stays),
                false => None,
            };
            *chosen = keeps.unwrap_or(first);
        }
    }

    /// The expected reward until a goal is reached: infinite where that is not sure.
    pub fn reward_until(
        &self,
        rewards: &Rewards,
        goal: &Bits,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let model = &*self.model;
        let states = model.states();
        let all: Bits = (0..states).collect();
        // Where the goal must be reached: by all choices for the greatest, by some for the least.
        let other = match best {
            Best::Least => Best::Greatest,
            Best::Greatest => Best::Least,
        };
        let (_, sure, mut chosen) = self.qualitative(&all, goal, other, budget)?;
        let mut open = sure.clone();
        open.difference_with(goal);
        let mut ends = open.clone();
        ends.toggle_range(..);
        let looks = Looks {
            sets: &[goal, &sure],
            rewards: Some(rewards),
            ends: Some(&ends),
        };
        let (earned, error) = self.per_choice(rewards);
        let inside = |choice: usize| {
            let targets = &model.targets[model.branches_of(ChoiceId::from_index(choice))];
            targets.iter().all(|&to| sure.contains(to.index()))
        };
        let collapse = model.kind == Kind::Mdp && best == Best::Least;
        let free = |choice: usize| earned[choice] == 0.0 && inside(choice);
        let groups = self.groups(&open, collapse, free, budget)?;
        let constant = |choice: usize| {
            let value = earned[choice];
            (value * (1.0 - error), value * (1.0 + error))
        };
        let parts = (constant, inside, |_: usize| None);
        let equations = self.equations(&groups, parts, f64::INFINITY);
        let ask = |inner: &Analysis<'_>, small: &Quotient| {
            inner.reward_until(&small.rewards, &small.set(goal), best, budget)
        };
        let (mut lower, mut upper) = match self.answered(&equations, looks, best, budget, ask)? {
            Answered::Here(solution) => {
                if best == Best::Least {
                    chosen.fill(NOT_CHOSEN);
                }
                self.spread(&equations, &groups, &solution, &mut chosen)
            }
            Answered::Smaller(values) => {
                for state in open.ones() {
                    chosen[state] = values.chosen[state];
                }
                (values.lower, values.upper)
            }
        };
        for state in 0..states {
            if !sure.contains(state) {
                (lower[state], upper[state]) = (f64::INFINITY, f64::INFINITY);
            }
        }
        let none = Bits::with_capacity(states);
        self.complete(&mut chosen, &none, best);
        Ok(Values {
            lower,
            upper,
            chosen,
        })
    }

    /// What a choice earns on average, in its state and by itself, and how far that is off.
    pub(crate) fn per_choice(&self, rewards: &Rewards) -> (Vec<f64>, f64) {
        let mut earned = Vec::with_capacity(self.timed.choices());
        for state in 0..self.timed.states() {
            for choice in self.timed.choices_of(StateId::from_index(state)) {
                earned.push(self.earned_once(rewards, state, choice));
            }
        }
        (earned, self.earned_error(rewards))
    }

    /// What a choice of a state earns until the next step.
    pub(crate) fn earned_once(&self, rewards: &Rewards, state: usize, choice: ChoiceId) -> f64 {
        let of_choice = rewards.choices.get(choice.index()).copied().unwrap_or(0.0);
        let sum = rewards.states[state] + of_choice;
        match self.timed.kind {
            Kind::Ctmc => sum / self.timed.sum(choice),
            _ => sum,
        }
    }

    /// By how much of itself that may be off.
    pub(crate) fn earned_error(&self, rewards: &Rewards) -> f64 {
        2.0 * rewards.error + self.model.error + rounding(4)
    }

    /// Unknowns for open states: one each, or one for all of an end component.
    pub(crate) fn groups(
        &self,
        open: &Bits,
        collapse: bool,
        allowed: impl Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<Groups, Stop> {
        let states = self.model.states();
        let mut unknown_of = vec![u32::MAX; states];
        let mut first = vec![0usize];
        let mut members: Vec<u32> = Vec::new();
        if collapse {
            let (part_of, parts) = end_components(&self.model, open, allowed, budget)?;
            let mut lists: Vec<Vec<u32>> = vec![Vec::new(); parts];
            for state in open.ones() {
                if let Some(list) = lists.get_mut(part_of[state] as usize) {
                    list.push(state as u32);
                }
            }
            for (number, list) in lists.iter().enumerate() {
                for &state in list {
                    unknown_of[state as usize] = number as u32;
                }
                members.extend(list);
                first.push(members.len());
            }
        }
        for state in open.ones() {
            if unknown_of[state] == u32::MAX {
                unknown_of[state] = (first.len() - 1) as u32;
                members.push(state as u32);
                first.push(members.len());
            }
        }
        Ok(Groups {
            unknown_of,
            members,
            first,
        })
    }

    /// Solves for the unknowns and spreads the bounds over the states.
    pub(crate) fn solved(
        &self,
        groups: &Groups,
        (constant, keep): (impl Fn(usize) -> (f64, f64), impl Fn(usize) -> bool),
        most: f64,
        best: Best,
        chosen: &mut [ChoiceId],
        budget: &Budget,
    ) -> Result<(Vec<f64>, Vec<f64>), Stop> {
        let parts = (constant, keep, |_: usize| None);
        self.solved_or_stays(groups, parts, most, best, chosen, budget)
    }

    /// The same, with one more choice for groups where one may stay: what that is worth, by a
    /// state of the group.
    pub(crate) fn solved_or_stays(
        &self,
        groups: &Groups,
        (constant, keep, stays): (
            impl Fn(usize) -> (f64, f64),
            impl Fn(usize) -> bool,
            impl Fn(usize) -> Option<(f64, f64)>,
        ),
        most: f64,
        best: Best,
        chosen: &mut [ChoiceId],
        budget: &Budget,
    ) -> Result<(Vec<f64>, Vec<f64>), Stop> {
        let equations = self.equations(groups, (constant, keep, stays), most);
        let least = best == Best::Least;
        let solution = solve(&equations.system, least, self.precision, budget)?;
        Ok(self.spread(&equations, groups, &solution, chosen))
    }

    /// What is to be solved: for each group what its choices give, and what staying is worth.
    fn equations(
        &self,
        groups: &Groups,
        (constant, keep, stays): (
            impl Fn(usize) -> (f64, f64),
            impl Fn(usize) -> bool,
            impl Fn(usize) -> Option<(f64, f64)>,
        ),
        most: f64,
    ) -> Equations {
        let model = &*self.model;
        let mut system = System::new(model.error, most);
        let mut origin: Vec<u32> = Vec::new();
        for unknown in 0..groups.first.len() - 1 {
            for &state in groups.of(unknown) {
                for choice in model.choices_of(StateId::new(state)) {
                    let branches = model.branches_of(choice);
                    let inner = |&to: &StateId| groups.unknown_of[to.index()] == unknown as u32;
                    // What only stays is never better than what leaves in the end.
                    if !keep(choice.index()) || model.targets[branches.clone()].iter().all(inner) {
                        continue;
                    }
                    let (low, high) = constant(choice.index());
                    for branch in branches {
                        let target = groups.unknown_of[model.targets[branch].index()];
                        if target != u32::MAX {
                            system.targets.push(target);
                            system.weights.push(model.weights[branch]);
                        }
                    }
                    system.columns.push(system.targets.len() as u32);
                    system.low.push(low);
                    system.high.push(high);
                    origin.push(choice.number());
                }
            }
            if let Some((low, high)) = stays(groups.of(unknown)[0] as usize) {
                system.columns.push(system.targets.len() as u32);
                system.low.push(low);
                system.high.push(high);
                origin.push(model.rows[groups.of(unknown)[0] as usize]);
            }
            if system.rows.last() == Some(&(origin.len() as u32)) {
                // Nothing is known about what cannot be left.
                system.columns.push(system.targets.len() as u32);
                system.low.push(0.0);
                system.high.push(most);
                origin.push(model.rows[groups.of(unknown)[0] as usize]);
            }
            system.rows.push(origin.len() as u32);
        }
        Equations { system, origin }
    }

    /// Solves equations, where that is slow in a smaller model if states can be taken together.
    fn answered(
        &self,
        equations: &Equations,
        looks: Looks<'_>,
        best: Best,
        budget: &Budget,
        ask: impl FnOnce(&Analysis<'_>, &Quotient) -> Result<Values, Stop>,
    ) -> Result<Answered, Stop> {
        let (system, least) = (&equations.system, best == Best::Least);
        if self.bisimulation == Bisimulation::WherePays {
            let quick = solve_patiently(system, least, self.precision, Patience::Little, budget)?;
            if !quick.slow {
                return Ok(Answered::Here(quick));
            }
        }
        let branches = SLOW * self.model.branches() as f64;
        match self.smaller(looks, branches.max(WORTH), budget, ask)? {
            Some(values) => Ok(Answered::Smaller(values)),
            None => Ok(Answered::Here(solve(
                system,
                least,
                self.precision,
                budget,
            )?)),
        }
    }

    /// Spreads the bounds of unknowns over the states.
    fn spread(
        &self,
        Equations { origin, .. }: &Equations,
        groups: &Groups,
        solution: &Solution,
        chosen: &mut [ChoiceId],
    ) -> (Vec<f64>, Vec<f64>) {
        let states = self.model.states();
        let mut lower = vec![0.0; states];
        let mut upper = vec![0.0; states];
        for unknown in 0..groups.first.len() - 1 {
            let choice = ChoiceId::new(origin[solution.chosen[unknown] as usize]);
            for &state in groups.of(unknown) {
                lower[state as usize] = solution.lower[unknown];
                upper[state as usize] = solution.upper[unknown];
            }
            self.head_for(groups, unknown, choice, chosen);
        }
        (lower, upper)
    }

    /// Inside of an end component all states head for the one with the choice that leaves it.
    fn head_for(&self, groups: &Groups, unknown: usize, choice: ChoiceId, chosen: &mut [ChoiceId]) {
        let model = &*self.model;
        let exit = self.reverse().owner[choice.index()] as usize;
        chosen[exit] = choice;
        if groups.of(unknown).len() == 1 {
            return;
        }
        let mut waiting = std::collections::VecDeque::from([exit]);
        let mut seen: std::collections::HashSet<usize> = [exit].into();
        while let Some(state) = waiting.pop_front() {
            for choice in self.reverse().leading_to(state) {
                let from = self.reverse().owner[choice] as usize;
                let inner = |&to: &StateId| groups.unknown_of[to.index()] == unknown as u32;
                if groups.unknown_of[from] == unknown as u32
                    && !seen.contains(&from)
                    && model.targets[model.branches_of(ChoiceId::from_index(choice))]
                        .iter()
                        .all(inner)
                {
                    seen.insert(from);
                    chosen[from] = ChoiceId::from_index(choice);
                    waiting.push_back(from);
                }
            }
        }
    }
}

/// What is to be solved, and the choice of the model for each of its choices.
struct Equations {
    system: System,
    origin: Vec<u32>,
}

/// Where a question was answered.
enum Answered {
    Here(Solution),
    Smaller(Values),
}

/// Which states share an unknown.
pub(crate) struct Groups {
    unknown_of: Vec<u32>,
    members: Vec<u32>,
    first: Vec<usize>,
}

impl Groups {
    fn of(&self, unknown: usize) -> &[u32] {
        &self.members[self.first[unknown]..self.first[unknown + 1]]
    }
}

/// The chain of jumps of a continuous chain.
fn jumps(model: &Markov) -> Markov {
    let mut jumps = model.clone();
    let mut longest = 0;
    for choice in 0..model.choices() {
        let sum = model.sum(ChoiceId::from_index(choice));
        let branches = model.branches_of(ChoiceId::from_index(choice));
        longest = longest.max(branches.len());
        for weight in &mut jumps.weights[branches] {
            *weight /= sum;
        }
    }
    jumps.kind = Kind::Dtmc;
    jumps.error = 2.1 * model.error + rounding(longest);
    jumps
}
