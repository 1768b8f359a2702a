//! Questions with a bound on steps once more, with fractions: where a bound of a property is met
//! exactly, no rounding tells on which side it lies.

use quotient_bits::Bits;
use quotient_certify::{Moment, Rejection};
use quotient_core::{Budget, Source, Stop};
use quotient_markov::{Rational, StateId, whole};

use crate::instance::{Instance, Term};
use crate::limited::{Asked, path_of};
use crate::naive::Naive;
use crate::syntax::{Body, Chance, Join};

/// Larger models are not computed with fractions.
pub(crate) const MOST_STATES: usize = 1500;
/// Nor are more steps than this.
const MOST_STEPS: f64 = 5000.0;
/// Fractions with more digits than this are not worth waiting for.
const MOST_BITS: u64 = 20_000;

/// The one double that a number of steps is.
fn double((below, above): Moment) -> Result<f64, Rejection> {
    match below == above {
        true => Ok(below),
        false => Err(Rejection::unreadable("the bound is no number of steps")),
    }
}

impl Asked<'_> {
    /// The exact number of each initial state.
    pub(crate) fn exactly(&self, chance: &Chance) -> Result<Vec<Rational>, Rejection> {
        let all = self.everywhere(chance)?;
        let initial = self.naive.model.initial.iter();
        Ok(initial.map(|&state| all[state.index()].clone()).collect())
    }

    /// The exact number of each state. Nothing of the engine is used here.
    fn everywhere(&self, chance: &Chance) -> Result<Vec<Rational>, Rejection> {
        let naive = self.naive;
        let odd = || Rejection::unreadable("such numbers are not exact");
        if naive.states.len() > MOST_STATES {
            return Err(Stop::bound("states", MOST_STATES as u64).into());
        }
        let timed = self.instance.is_timed();
        let mut opposite = false;
        let values = match &chance.body {
            Body::Formula(path) => {
                let path = path_of(path).ok_or_else(odd)?;
                if timed && path.bound.is_some() {
                    return Err(odd());
                }
                let (allowed, goal) = self.sets(&path)?;
                let (from, to) = match path.bound {
                    Some(bound) => {
                        let (from, to) = self.window(bound, false)?;
                        (double(from)?, double(to)?)
                    }
                    None => (1.0, 1.0),
                };
                opposite = path.opposite;
                self.reaching((&allowed, &goal), (from, to), self.least != opposite)?
            }
            Body::Until(amount) if !timed => {
                let none = vec![whole(0); naive.states.len()];
                self.steps(none, double(self.constant(amount)?)?, |choice, _, ahead| {
                    ahead + &naive.earned[choice]
                })?
            }
            Body::At(amount) if !timed => {
                let begin = naive.worth.clone();
                self.steps(begin, double(self.constant(amount)?)?, |_, _, ahead| ahead)?
            }
            _ => return Err(odd()),
        };
        Ok(match opposite {
            true => values.into_iter().map(|value| whole(1) - value).collect(),
            false => values,
        })
    }

    /// Backwards step by step; `after` gives what a choice is worth.
    fn steps(
        &self,
        mut values: Vec<Rational>,
        steps: f64,
        after: impl Fn(usize, usize, Rational) -> Rational,
    ) -> Result<Vec<Rational>, Rejection> {
        self.check_steps(steps)?;
        for _ in 0..steps as u64 {
            let best = |state| self.best(state, &values, self.least, &after);
            values = (0..values.len()).map(best).collect::<Result<_, _>>()?;
        }
        Ok(values)
    }

    fn reaching(
        &self,
        (allowed, goal): (&Bits, &Bits),
        (from, to): (f64, f64),
        least: bool,
    ) -> Result<Vec<Rational>, Rejection> {
        self.check_steps(to)?;
        let states = self.naive.states.len();
        let one = |state: usize| whole(i64::from(goal.contains(state)));
        let mut values: Vec<Rational> = (0..states).map(one).collect();
        for step in (0..to as u64).rev() {
            let counts = step as f64 >= from;
            let each = (0..states).map(|state| {
                if counts && goal.contains(state) {
                    return Ok(whole(1));
                }
                match allowed.contains(state) {
                    true => self.best(state, &values, least, &|_, _, ahead| ahead),
                    false => Ok(whole(0)),
                }
            });
            values = each.collect::<Result<_, Rejection>>()?;
        }
        Ok(values)
    }

    fn check_steps(&self, steps: f64) -> Result<(), Rejection> {
        match steps.fract() == 0.0 && (0.0..=MOST_STEPS).contains(&steps) {
            true => Ok(()),
            false => Err(Stop::bound("steps", MOST_STEPS as u64).into()),
        }
    }

    fn best(
        &self,
        state: usize,
        values: &[Rational],
        least: bool,
        after: &impl Fn(usize, usize, Rational) -> Rational,
    ) -> Result<Rational, Rejection> {
        let Naive { model, .. } = self.naive;
        let mut best: Option<Rational> = None;
        for choice in model.choices_of(StateId::from_index(state)) {
            let mut sum = whole(0);
            for branch in model.branches_of(choice) {
                let odd = || Rejection::unreadable("a weight is not exact");
                let weight = model.exact_weight(branch).ok_or_else(odd)?;
                sum += weight * &values[model.targets[branch].index()];
            }
            let value = after(choice.index(), state, sum);
            if value.bits_under() > MOST_BITS {
                return Err(Stop::bound("digits", MOST_BITS).into());
            }
            self.budget.charge(1 + value.bits_under() / 64)?;
            let better = match &best {
                None => true,
                Some(before) if least => value < *before,
                Some(before) => value > *before,
            };
            if better {
                best = Some(value);
            }
        }
        Ok(best.unwrap_or_else(|| whole(0)))
    }
}

/// The exact numbers of the initial states, if the question has a bound on steps.
pub(crate) fn values(
    instance: &Instance,
    tree: &crate::syntax::Tree,
    source: &Source,
    budget: &Budget,
) -> Result<Vec<Rational>, Rejection> {
    let (all, initial) = all_values(instance, tree, source, budget)?;
    let initial = initial.iter();
    Ok(initial.map(|&state| all[state.index()].clone()).collect())
}

/// The same of all states in the order of their values, and which ones are initial.
fn all_values(
    instance: &Instance,
    tree: &crate::syntax::Tree,
    source: &Source,
    budget: &Budget,
) -> Result<(Vec<Rational>, Vec<StateId>), Rejection> {
    let (chance, structure) = crate::limited::question(instance, tree, source)?;
    let naive = crate::naive::build(instance, structure, budget)?;
    let asked = Asked {
        claimed: None,
        instance,
        source,
        naive: &naive,
        least: crate::evidence::direction(chance, instance.kind)?,
        budget,
    };
    Ok((asked.everywhere(chance)?, naive.model.initial.clone()))
}

/// The states, in the order of their values, in which a property with a bound on steps holds; nothing
/// if fractions do not tell.
pub(crate) fn where_kept(
    instance: &Instance,
    tree: &crate::syntax::Tree,
    source: &Source,
    budget: &Budget,
) -> Option<Bits> {
    let crate::syntax::Node::Chance(chance) = &tree.node else {
        return None;
    };
    let (all, _) = all_values(instance, tree, source, budget).ok()?;
    let mut found = Bits::with_capacity(all.len());
    for (state, value) in all.iter().enumerate() {
        let value = std::slice::from_ref(value);
        found.set(state, kept(instance, chance, source, value)?);
    }
    Some(found)
}

/// Whether a property with a bound on steps holds in all initial states; nothing if fractions do
/// not tell.
pub(crate) fn holds(
    instance: &Instance,
    tree: &crate::syntax::Tree,
    source: &Source,
    budget: &Budget,
) -> Option<bool> {
    let values = values(instance, tree, source, budget).ok()?;
    match &tree.node {
        crate::syntax::Node::Chance(chance) => kept(instance, chance, source, &values),
        _ => None,
    }
}

/// Whether a bound of a property is kept by all of these numbers.
pub(crate) fn kept(
    instance: &Instance,
    chance: &Chance,
    source: &Source,
    values: &[Rational],
) -> Option<bool> {
    let (join, limit) = chance.relation.as_ref()?;
    let limit = match instance.names.term(limit, source, None) {
        Ok(Term::Value(value)) => value.exact()?,
        _ => return None,
    };
    let keeps = |value: &Rational| match join {
        Join::Less => *value < limit,
        Join::AtMost => *value <= limit,
        Join::Greater => *value > limit,
        _ => *value >= limit,
    };
    Some(values.iter().all(keeps))
}
