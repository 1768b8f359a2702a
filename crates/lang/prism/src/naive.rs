//! A second way from a text to a model: slow, simple and exact.
//!
//! Nothing of the engine is used here. States are lists of numbers, expressions are walked over,
//! weights are fractions. What the checker of evidence believes is this model, not the engine's.

mod together;

use std::collections::{BTreeMap, HashMap};

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection, Stop};
use quotient_markov::{
    ActionId, Builder, Kind, Markov, Rational, StateId, WeightId, nearest, whole,
};

use crate::instance::{Earned, Instance, Term};
use crate::syntax::Join;

/// The most ways in which commands can act together in one state.
const MOST_TOGETHER: u64 = 1 << 20;

/// How far from one the probabilities of a command may add up to; they are divided by their sum.
const MOST_OFF: f64 = 1e-5;

/// A state: a value for each variable.
pub(crate) type State = Vec<i64>;

/// The model of an instance, with probabilities: of a continuous chain that of its jumps.
pub(crate) struct Naive {
    pub(crate) model: Markov,
    /// The states, in order of their values.
    pub(crate) states: Vec<State>,
    /// What each choice earns, by the structure that was asked for.
    pub(crate) earned: Vec<Rational>,
    /// What each state is worth alone, by the same structure.
    pub(crate) worth: Vec<Rational>,
    /// How fast each state is left, of a continuous chain or a Markov automaton, where that is nothing
    /// if a choice is made at once; else empty.
    pub(crate) rates: Vec<Rational>,
}

/// One choice of a state, with states for targets.
struct Choice {
    branches: BTreeMap<State, Rational>,
    earned: Rational,
}

/// All that can happen in a state.
struct Expanded {
    choices: Vec<Choice>,
    /// Whether that is nothing.
    deadlock: bool,
    /// What the state is worth alone.
    worth: Rational,
    /// How fast it is left; of a discrete model nothing.
    rate: Rational,
}

/// Builds the model of all states that can be reached.
pub(crate) fn build(
    instance: &Instance,
    structure: Option<usize>,
    budget: &Budget,
) -> Result<Naive, Rejection> {
    let starts = starts(instance, budget)?;
    let mut found: BTreeMap<State, Expanded> = BTreeMap::new();
    let mut waiting = starts.clone();
    while let Some(state) = waiting.pop() {
        budget.charge(1)?;
        if found.contains_key(&state) {
            continue;
        }
        let expanded = expand(instance, structure, &state, budget)?;
        for choice in &expanded.choices {
            waiting.extend(choice.branches.keys().cloned());
        }
        found.insert(state, expanded);
    }
    let numbers: HashMap<State, u32> = found.keys().cloned().zip(0u32..).collect();
    let mut laid = Laid::new(instance.kind);
    let mut earned = Vec::new();
    let mut deadlocks = Bits::with_capacity(found.len());
    let (mut worth, mut rates) = (Vec::new(), Vec::new());
    for (number, expanded) in found.values().enumerate() {
        deadlocks.set(number, expanded.deadlock);
        worth.push(expanded.worth.clone());
        if instance.markovian && expanded.deadlock {
            // Where nothing happens, time passes for ever: one unit after the other.
            rates.push(whole(1));
        } else if instance.is_timed() {
            rates.push(expanded.rate.clone());
        }
        for choice in &expanded.choices {
            earned.push(choice.earned.clone());
            let branches = choice.branches.iter();
            laid.choice(branches.map(|(target, weight)| (numbers[target], weight)));
        }
        laid.builder.end_state();
    }
    let initial = starts.iter().map(|state| StateId::new(numbers[state]));
    let mut model = laid.builder.finish(initial);
    model.deadlocks = deadlocks;
    Ok(Naive {
        model,
        states: found.into_keys().collect(),
        earned,
        worth,
        rates,
    })
}

/// A model with exact probabilities, choice by choice.
struct Laid {
    builder: Builder,
    /// The number of each weight that was used.
    pool: HashMap<Rational, u32>,
}

impl Laid {
    fn new(kind: Kind) -> Laid {
        let kind = match kind {
            Kind::Ctmc => Kind::Dtmc,
            other => other,
        };
        Laid {
            builder: Builder::keeping_exact(kind),
            pool: HashMap::from([(whole(1), 0)]),
        }
    }

    fn choice<'a>(&mut self, branches: impl Iterator<Item = (u32, &'a Rational)>) {
        self.builder.choice(ActionId::NONE);
        for (target, weight) in branches {
            self.builder.branch(target, nearest(weight));
            let number = match self.pool.get(weight) {
                Some(&known) => known,
                None => {
                    let number = self.builder.weight(weight.clone());
                    self.pool.insert(weight.clone(), number.number());
                    number.number()
                }
            };
            self.builder.exactly(WeightId::new(number));
        }
    }
}

/// The choices of one state: where each leads, by numbers that others give to states.
pub(crate) fn steps(
    instance: &Instance,
    state: &State,
    place: &dyn Fn(&State) -> Result<u32, Rejection>,
    budget: &Budget,
) -> Result<Vec<BTreeMap<u32, Rational>>, Rejection> {
    let mut choices = Vec::new();
    for choice in expand(instance, None, state, budget)?.choices {
        let mut branches: BTreeMap<u32, Rational> = BTreeMap::new();
        for (target, weight) in choice.branches {
            *branches.entry(place(&target)?).or_insert_with(|| whole(0)) += weight;
        }
        choices.push(branches);
    }
    Ok(choices)
}

/// A model of such choices, followed by some states that are never left.
pub(crate) fn of_steps(
    instance: &Instance,
    rows: Vec<Vec<BTreeMap<u32, Rational>>>,
    ends: usize,
    initial: Vec<u32>,
) -> Naive {
    let mut laid = Laid::new(instance.kind);
    let many = rows.len();
    for choices in rows {
        for branches in &choices {
            laid.choice(branches.iter().map(|(&to, weight)| (to, weight)));
        }
        laid.builder.end_state();
    }
    let one = whole(1);
    for end in many..many + ends {
        laid.choice([(end as u32, &one)].into_iter());
        laid.builder.end_state();
    }
    Naive {
        model: laid.builder.finish(initial),
        states: Vec::new(),
        earned: Vec::new(),
        worth: Vec::new(),
        rates: Vec::new(),
    }
}

/// What a step earns, and where it leads with which weights.
type Happened = (Rational, BTreeMap<State, Rational>);

fn expand(
    instance: &Instance,
    structure: Option<usize>,
    state: &State,
    budget: &Budget,
) -> Result<Expanded, Rejection> {
    let earns = |by: &dyn Fn(Earned) -> u64| -> Result<Rational, Rejection> {
        let mut sum = whole(0);
        let items = structure.map_or(&[][..], |number| &instance.rewards[number].items);
        for item in items {
            let times = by(item.earns);
            if times > 0 && truth(&item.guard, state)? {
                let value = exact(&item.value, state)?;
                // That sums only grow is what bounds on them rest on.
                if value < whole(0) {
                    return Err(Rejection::wrong("a reward is negative"));
                }
                sum += value * whole(times as i64);
            }
        }
        Ok(sum)
    };
    let of_step = |action: u32, commands: &[u32]| {
        earns(&|by: Earned| match by {
            Earned::State => 0,
            Earned::Step => 1,
            Earned::Action(one) => u64::from(one == action),
            Earned::Command(one) => commands.iter().filter(|&&other| other == one).count() as u64,
        })
    };
    let mut here = earns(&|by: Earned| u64::from(by == Earned::State))?;
    let mut all: Vec<Happened> = Vec::new();
    let mut rated = false;
    for one in happenings(instance, state, budget)? {
        rated |= one.is_rated(instance);
        all.push((of_step(one.action, &one.commands)?, one.branches));
    }
    if all.is_empty() {
        let branches = BTreeMap::from([(state.clone(), whole(1))]);
        return Ok(Expanded {
            choices: vec![Choice {
                branches,
                earned: here.clone(),
            }],
            deadlock: true,
            worth: here,
            rate: whole(0),
        });
    }
    if instance.markovian && rated {
        return Ok(raced(all, here));
    }
    if instance.markovian {
        // Where a choice is made at once no time passes.
        here = whole(0);
    }
    if instance.kind == Kind::Mdp {
        let mut choices = Vec::new();
        for (by_step, branches) in all {
            let earned = &here + by_step;
            choices.push(Choice { branches, earned });
        }
        return Ok(Expanded {
            choices,
            deadlock: false,
            worth: here,
            rate: whole(0),
        });
    }
    Ok(chained(instance.kind, all, here))
}

/// All that can happen races, each by its rate.
fn raced(all: Vec<Happened>, here: Rational) -> Expanded {
    let total: Rational = all.iter().flat_map(|(_, part)| part.values()).sum();
    let mut sum = here.clone();
    let mut branches: BTreeMap<State, Rational> = BTreeMap::new();
    for (by_step, part) in all {
        for (target, weight) in part {
            sum += &by_step * &weight;
            *branches.entry(target).or_insert_with(|| whole(0)) += weight / &total;
        }
    }
    Expanded {
        choices: vec![Choice {
            branches,
            earned: sum / &total,
        }],
        deadlock: false,
        worth: here,
        rate: total,
    }
}

/// A chain takes one of several commands at random; a continuous one the first to happen.
fn chained(kind: Kind, all: Vec<Happened>, here: Rational) -> Expanded {
    let many = whole(all.len() as i64);
    let mut total = whole(0);
    let mut sum = whole(0);
    let mut branches: BTreeMap<State, Rational> = BTreeMap::new();
    for (by_step, part) in all {
        let rate: Rational = part.values().sum();
        sum += by_step
            * if kind == Kind::Ctmc {
                rate.clone()
            } else {
                whole(1)
            };
        total += rate;
        for (target, weight) in part {
            *branches.entry(target).or_insert_with(|| whole(0)) += weight;
        }
    }
    let (by, earned) = match kind {
        Kind::Ctmc => (total.clone(), (&here + sum) / &total),
        _ => (many.clone(), &here + sum / many),
    };
    for weight in branches.values_mut() {
        *weight /= &by;
    }
    Expanded {
        choices: vec![Choice { branches, earned }],
        deadlock: false,
        worth: here,
        rate: total,
    }
}

/// Commands that happen together in a state, and what may become of it.
pub(crate) struct Happening {
    /// The action, from 1; 0 if it has none.
    pub(crate) action: u32,
    pub(crate) commands: Vec<u32>,
    pub(crate) branches: BTreeMap<State, Rational>,
}

impl Happening {
    /// Whether it happens after a while, in a Markov automaton.
    pub(crate) fn is_rated(&self, instance: &Instance) -> bool {
        let mut commands = self.commands.iter();
        commands.any(|&command| instance.commands[command as usize].rated)
    }
}

/// All that can happen in a state; in a Markov automaton what takes time only where nothing
/// happens at once.
pub(crate) fn happenings(
    instance: &Instance,
    state: &State,
    budget: &Budget,
) -> Result<Vec<Happening>, Rejection> {
    let at_once = happening(instance, state, false, budget)?;
    match at_once.is_empty() && instance.markovian {
        true => happening(instance, state, true, budget),
        false => Ok(at_once),
    }
}

/// All that can happen in a state by commands with rates of a Markov automaton, or by others.
fn happening(
    instance: &Instance,
    state: &State,
    rated: bool,
    budget: &Budget,
) -> Result<Vec<Happening>, Rejection> {
    let mut all = Vec::new();
    for event in &instance.events {
        let mut able: Vec<Vec<u32>> = Vec::with_capacity(event.parts.len());
        for part in &event.parts {
            let mut of_part = Vec::new();
            for &number in part {
                let command = &instance.commands[number as usize];
                if command.rated == rated && truth(&command.guard, state)? {
                    of_part.push(number);
                }
            }
            able.push(of_part);
        }
        if able.iter().any(Vec::is_empty) {
            continue;
        }
        let many = able.iter().map(|part| part.len() as u64);
        let many = many.fold(1, u64::saturating_mul);
        if many > MOST_TOGETHER {
            return Err(Stop::bound("ways to act together in one state", MOST_TOGETHER).into());
        }
        budget.charge(many)?;
        for which in combinations(&able) {
            let branches = together::together(instance, &which, state)?;
            if !branches.is_empty() {
                all.push(Happening {
                    action: event.action,
                    commands: which,
                    branches,
                });
            }
        }
    }
    Ok(all)
}

/// One of each list, in every way; the first list changes fastest.
fn combinations(lists: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        let longer = list.iter().flat_map(|&one| {
            all.iter().map(move |before: &Vec<u32>| {
                let mut longer = before.clone();
                longer.push(one);
                longer
            })
        });
        all = longer.collect();
    }
    all
}

pub(crate) fn holds(term: &Term, state: &[i64]) -> bool {
    term.evaluate(state).is_some_and(|value| value.holds())
}

/// Whether a condition holds; one without a value (a remainder by nothing, a number that is too
/// large) does not, and neither does its opposite: nothing is shown about such a model.
pub(crate) fn truth(term: &Term, state: &[i64]) -> Result<bool, Rejection> {
    let value = term.evaluate(state).map(|value| value.holds());
    value.ok_or_else(|| Rejection::wrong("a condition has no value in some state"))
}

fn all_hold(terms: &[&Term], state: &[i64]) -> Result<bool, Rejection> {
    for term in terms {
        if !truth(term, state)? {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(crate) fn exact(term: &Term, state: &[i64]) -> Result<Rational, Rejection> {
    let value = term.evaluate(state).and_then(|value| value.exact());
    value.ok_or_else(|| Rejection::wrong("a weight or reward has no value"))
}

/// The initial states: all values that fulfil the condition, one variable after the other.
pub(crate) fn starts(instance: &Instance, budget: &Budget) -> Result<Vec<State>, Rejection> {
    let Some(condition) = &instance.init else {
        return Ok(vec![
            instance.variables.iter().map(|one| one.init).collect(),
        ]);
    };
    let mut parts = Vec::new();
    conjuncts(condition, &mut parts);
    // Each part of the condition is looked at when its last variable has its value.
    let mut states: Vec<State> = vec![Vec::new()];
    for (number, variable) in instance.variables.iter().enumerate() {
        let here: Vec<&Term> = parts
            .iter()
            .filter(|part| last_variable(part) == Some(number))
            .copied()
            .collect();
        let alone: Vec<&Term> = here
            .iter()
            .filter(|part| only_variable(part, number))
            .copied()
            .collect();
        let mut values = Vec::new();
        let mut probe = vec![0; number];
        for value in variable.low..=variable.high {
            budget.charge(1)?;
            probe.push(value);
            if all_hold(&alone, &probe)? {
                values.push(value);
            }
            probe.pop();
        }
        let mut longer = Vec::new();
        for state in &states {
            for &value in &values {
                budget.charge(1)?;
                let mut state = state.clone();
                state.push(value);
                if all_hold(&here, &state)? {
                    longer.push(state);
                }
            }
            if longer.len() > 20_000_000 {
                return Err(Stop::bound("initial states tried", 20_000_000).into());
            }
        }
        states = longer;
    }
    parts.retain(|part| last_variable(part).is_none());
    if !all_hold(&parts, &[])? {
        states.clear();
    }
    match states.is_empty() {
        true => Err(Rejection::wrong("no state is initial")),
        false => Ok(states),
    }
}

fn conjuncts<'t>(term: &'t Term, parts: &mut Vec<&'t Term>) {
    match term {
        Term::Two(Join::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        other => parts.push(other),
    }
}

fn last_variable(term: &Term) -> Option<usize> {
    match term {
        Term::Value(_) => None,
        Term::Variable(variable, _) => Some(*variable),
        Term::Not(of) | Term::Negative(of) => last_variable(of),
        Term::Two(_, left, right) => last_variable(left).max(last_variable(right)),
        Term::If(one, two, three) => last_variable(one)
            .max(last_variable(two))
            .max(last_variable(three)),
        Term::Call(_, parts) => parts.iter().filter_map(last_variable).max(),
    }
}

fn only_variable(term: &Term, number: usize) -> bool {
    match term {
        Term::Value(_) => true,
        Term::Variable(variable, _) => *variable == number,
        Term::Not(of) | Term::Negative(of) => only_variable(of, number),
        Term::Two(_, left, right) => only_variable(left, number) && only_variable(right, number),
        Term::If(one, two, three) => {
            only_variable(one, number) && only_variable(two, number) && only_variable(three, number)
        }
        Term::Call(_, parts) => parts.iter().all(|part| only_variable(part, number)),
    }
}
