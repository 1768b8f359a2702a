//! Evidence from a part of a model: bounds for the states that were looked at, which hold whatever
//! the others do.
//!
//! A state that is not listed is worth nothing for a lower bound, and one for an upper bound, unless
//! it is at the goal or must not be passed. So bounds that every step keeps among the listed states
//! are kept in the whole model, too, with these numbers for all others. States need not be listed
//! because they can be reached: any set with the initial state will do.

use std::collections::{BTreeMap, HashMap};

use quotient_bits::Bits;
use quotient_certify::{Bounds, Certified, Chances, Rejection, certify_bounds};
use quotient_core::{Budget, Claim, Evidence, Source, Trouble};
use quotient_markov::Rational;
use quotient_probability::Looked;
use serde::{Deserialize, Serialize};

use crate::check::{Simple, simple_path};
use crate::evidence::{MOST_STATES, direction, settle};
use crate::instance::{Instance, Term, Value};
use crate::lines;
use crate::naive::{self, Naive, State};
use crate::partial::state_term;
use crate::syntax::{Asks, Body, Node, Tree};

/// The kind of evidence that lists the states that matter.
pub(crate) const KIND: &str = "chance-part";

/// States and their bounds, each as lines of numbers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    states: usize,
    /// A line for each variable: its value in every state.
    values: Vec<String>,
    lower: String,
    upper: String,
    /// For decision processes: the number of a choice of each state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chosen: Vec<u32>,
}

/// Writes what was proved of the states that were looked at, in the order of their values; nothing if
/// there are too many. Where nothing had to be looked at, since the start decides, there is a line for each
/// variable all the same.
pub(crate) fn write(looked: &Looked, variables: usize, claim: Claim) -> Option<Evidence> {
    let states = &looked.states;
    if states.len() > MOST_STATES {
        return None;
    }
    let mut order: Vec<usize> = (0..states.len()).collect();
    order.sort_by(|&one, &other| states[one].cmp(&states[other]));
    let line = |of: &dyn Fn(usize) -> f64| lines::write(order.iter().map(|&at| of(at)));
    let written = Written {
        states: order.len(),
        values: (0..variables)
            .map(|variable| line(&|at| states[at][variable] as f64))
            .collect(),
        lower: line(&|at| looked.lower[at]),
        upper: line(&|at| looked.upper[at]),
        chosen: match looked.chosen.is_empty() {
            true => Vec::new(),
            false => order.iter().map(|&at| looked.chosen[at]).collect(),
        },
    };
    Some(match claim {
        Claim::Holds => Evidence::of_holds(KIND, &written),
        Claim::Violated => Evidence::of_violated(KIND, &written),
    })
}

impl Written {
    /// The states, each value within the range of its variable.
    fn read(&self, instance: &Instance) -> Result<Vec<State>, Rejection> {
        let odd = || Rejection::wrong("a state of the evidence is none of the model");
        if self.states > MOST_STATES || self.values.len() != instance.variables.len() {
            return Err(odd());
        }
        let mut states: Vec<State> = vec![Vec::new(); self.states];
        for (line, variable) in self.values.iter().zip(&instance.variables) {
            for (state, value) in states.iter_mut().zip(lines::read(line, self.states)?) {
                let (low, high) = (variable.low as f64, variable.high as f64);
                // `NaN` is refused by this, too.
                if !(value.fract() == 0.0 && low <= value && value <= high) {
                    return Err(odd());
                }
                state.push(value as i64);
            }
        }
        Ok(states)
    }
}

/// What is to be passed and reached, as conditions on single states.
struct Path {
    allowed: Term,
    goal: Term,
}

/// Where the states that are not listed are, after those that are.
#[derive(Clone, Copy)]
enum Other {
    Goal,
    Lost,
    Open,
}

impl Path {
    /// What a state is that is not listed.
    fn other(&self, state: &State) -> Result<Other, Rejection> {
        Ok(match naive::truth(&self.goal, state)? {
            true => Other::Goal,
            false if naive::truth(&self.allowed, state)? => Other::Open,
            false => Other::Lost,
        })
    }
}

/// Checks evidence: that the bounds of the listed states hold whatever the others do, and that they
/// settle the claim.
pub(crate) fn certify(
    instance: &Instance,
    (name, tree, source): (&str, &Tree, &Source),
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let not_for = || Rejection::unreadable("such evidence is not for properties of this kind");
    let Node::Chance(chance) = &tree.node else {
        return Err(not_for());
    };
    let (Asks::Probability, Body::Formula(path), None) = (chance.asks, &chance.body, &chance.given)
    else {
        return Err(not_for());
    };
    let Some((Simple::Until, left, right, opposite)) = simple_path(path) else {
        return Err(not_for());
    };
    if instance.time.is_some() {
        return Err(not_for());
    }
    let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
    let term = |tree: &Tree| state_term(instance, tree, source).map_err(wrong);
    let goal = match opposite {
        true => Term::Not(Box::new(term(right)?)),
        false => term(right)?,
    };
    let path = Path {
        allowed: left.map_or(Ok(Term::Value(Value::Truth(true))), term)?,
        goal,
    };
    let written: Written = evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))?;
    let states = written.read(instance)?;
    let (naive, allowed, goal) = part(instance, &path, states, budget)?;
    let numbers = |line: &str, of_others: [f64; 3]| -> Result<Vec<f64>, Rejection> {
        let mut numbers = lines::read(line, written.states)?;
        numbers.extend(of_others);
        Ok(numbers)
    };
    let mut chosen = written.chosen.clone();
    if !chosen.is_empty() {
        chosen.extend([0; 3]);
    }
    let bounds = Bounds {
        lower: numbers(&written.lower, [1.0, 0.0, 0.0])?,
        upper: numbers(&written.upper, [1.0, 0.0, 1.0])?,
        chosen,
    };
    let chances = Chances::Reaching {
        allowed: &allowed,
        goal: &goal,
    };
    let least = direction(chance, instance.kind)? != opposite;
    certify_bounds(&naive.model, &chances, least, &bounds, budget)?;
    let mut facts = vec![format!(
        "{} looked at a second time, with exact numbers; the others may do what they like",
        quotient_language::text::count(written.states, "state")
    )];
    let claim = evidence.claim;
    facts.extend(settle(
        instance, chance, source, &naive, &bounds, opposite, claim,
    )?);
    Ok(Certified {
        property: name.to_owned(),
        facts,
    })
}

/// The model of the listed states, and after them one state each for goals, for what must not be
/// passed and for what is not known, all never left; what may be passed there, and what is the goal.
fn part(
    instance: &Instance,
    path: &Path,
    states: Vec<State>,
    budget: &Budget,
) -> Result<(Naive, Bits, Bits), Rejection> {
    let many = states.len();
    let numbers: HashMap<&State, u32> = states.iter().zip(0u32..).collect();
    if numbers.len() != many {
        return Err(Rejection::wrong("a state is listed twice"));
    }
    let place = |state: &State| -> Result<u32, Rejection> {
        match numbers.get(state) {
            Some(&number) => Ok(number),
            None => Ok(many as u32 + path.other(state)? as u32),
        }
    };
    let mut allowed = Bits::with_capacity(many + 3);
    let mut goal = Bits::with_capacity(many + 3);
    let mut rows: Vec<Vec<BTreeMap<u32, Rational>>> = Vec::with_capacity(many);
    for (number, state) in states.iter().enumerate() {
        budget.charge(1)?;
        allowed.set(number, naive::truth(&path.allowed, state)?);
        goal.set(number, naive::truth(&path.goal, state)?);
        rows.push(naive::steps(instance, state, &place, budget)?);
    }
    goal.insert(many + Other::Goal as usize);
    allowed.insert(many + Other::Open as usize);
    let starts = naive::starts(instance, budget)?;
    let initial = starts.iter().map(place).collect::<Result<Vec<u32>, _>>()?;
    let naive = naive::of_steps(instance, rows, 3, initial);
    Ok((naive, allowed, goal))
}
