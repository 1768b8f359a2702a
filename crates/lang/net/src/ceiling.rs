//! Sums of places that never grow, found without any search.
//!
//! Weights of places, none negative, such that no transition makes the weighted sum larger
//! (transfers included), bound that sum by the most that the start may have. A marking with a
//! larger sum is not reachable, nor is any that is at least as large. The weights are the extreme
//! rays of a cone, found by Farkas' algorithm; where they are too many, some are left out.

use quotient_core::{Budget, Stop};

use crate::net::{Net, Transition};

/// The most weights that are kept on the way.
const MOST_RAYS: usize = 600;
/// The largest task that is tried, as places times conditions.
const MOST_CELLS: usize = 200_000;

/// A weighted sum and what it never exceeds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ceiling {
    /// By place, in order.
    pub(crate) weights: Vec<(usize, u64)>,
    pub(crate) most: u128,
}

impl Ceiling {
    /// Whether every marking that is at least this one is above.
    pub(crate) fn is_below(&self, least: &[u64]) -> bool {
        let mut sum = 0_u128;
        for &(place, weight) in &self.weights {
            sum = sum.saturating_add(u128::from(weight) * u128::from(least[place]));
        }
        sum > self.most
    }
}

/// A condition on weights: the sum of factors times weights is at most 0.
type Condition = Vec<(usize, i64)>;

/// Weights that fulfil the conditions so far.
#[derive(Clone)]
struct Ray {
    weights: Vec<i64>,
    /// Which weights are not 0, and which conditions are not met with equality.
    support: Vec<u64>,
}

/// Sums that never grow. They depend on the start only by the places that may hold any number
/// of tokens there: these have no weight.
pub(crate) fn ceilings(net: &Net, budget: &Budget) -> Result<Vec<Ceiling>, Stop> {
    let places: Vec<usize> = (0..net.places.len())
        .filter(|&place| net.places[place].most.is_some())
        .collect();
    let mut column = vec![None; net.places.len()];
    for (number, &place) in places.iter().enumerate() {
        column[place] = Some(number);
    }
    let mut conditions: Vec<Condition> = Vec::new();
    for transition in &net.transitions {
        budget.charge(1)?;
        conditions_of(net, transition, &column, &mut conditions);
    }
    conditions.sort_unstable();
    conditions.dedup();
    conditions.retain(|one| one.iter().any(|&(_, factor)| factor > 0));
    if places.is_empty() || places.len().saturating_mul(conditions.len()) > MOST_CELLS {
        return Ok(Vec::new());
    }
    let rays = rays(places.len(), conditions, budget)?;
    let mut all: Vec<Ceiling> = Vec::new();
    for ray in rays {
        let mut weights = Vec::new();
        let mut most = 0_u128;
        for (&place, &weight) in places.iter().zip(&ray.weights) {
            if weight > 0 {
                let weight = weight.unsigned_abs();
                weights.push((place, weight));
                let tokens = net.places[place].most.unwrap_or(u64::MAX);
                most = most.saturating_add(u128::from(weight) * u128::from(tokens));
            }
        }
        let ceiling = Ceiling { weights, most };
        if !all.contains(&ceiling) {
            all.push(ceiling);
        }
    }
    Ok(all)
}

/// What makes a transition never let the sum grow.
fn conditions_of(
    net: &Net,
    transition: &Transition,
    column: &[Option<usize>],
    out: &mut Vec<Condition>,
) {
    let weights = column.iter().flatten().count();
    // The change of the sum where places hold as few tokens as they may.
    let mut change = vec![0_i64; weights];
    let add = |row: &mut Vec<i64>, place: usize, number: i64| {
        if let Some(at) = column[place] {
            row[at] = row[at].saturating_add(number);
        }
    };
    let assigned = |place: usize| transition.assign.iter().any(|one| one.place == place);
    for &(place, number) in transition.effect.iter().filter(|one| !assigned(one.0)) {
        add(&mut change, place, number);
    }
    let mut moved: Vec<usize> = Vec::new();
    for assign in &transition.assign {
        add(&mut change, assign.place, assign.plus);
        moved.push(assign.place);
        moved.extend(&assign.sum);
    }
    moved.sort_unstable();
    moved.dedup();
    for place in moved {
        // How much each token of the place changes the sum.
        let mut each = vec![0_i64; weights];
        for assign in &transition.assign {
            let times = assign.sum.iter().filter(|&&one| one == place).count();
            add(&mut each, assign.place, times as i64);
        }
        if assigned(place) {
            add(&mut each, place, -1);
        }
        let guards = transition.guard.iter().filter(|one| one.place == place);
        let least = guards.clone().map(|one| one.least).max().unwrap_or(0);
        let most = guards.filter_map(|one| one.most).min();
        let least = i64::try_from(least).unwrap_or(i64::MAX);
        for (sum, &number) in change.iter_mut().zip(&each) {
            *sum = sum.saturating_add(number.saturating_mul(least));
        }
        if most.is_none_or(|most| i64::try_from(most).is_ok_and(|most| most > least)) {
            out.push(sparse(&each));
        }
    }
    debug_assert_eq!(column.len(), net.places.len());
    out.push(sparse(&change));
}

fn sparse(row: &[i64]) -> Condition {
    let numbered = row.iter().copied().enumerate();
    numbered.filter(|&(_, number)| number != 0).collect()
}

/// Weights that fulfil all conditions, the ones with the least support.
fn rays(places: usize, mut open: Vec<Condition>, budget: &Budget) -> Result<Vec<Ray>, Stop> {
    let words = (places + open.len()).div_ceil(64);
    let mut rays: Vec<Ray> = (0..places)
        .map(|place| {
            let mut ray = Ray {
                weights: vec![0; places],
                support: vec![0; words],
            };
            ray.weights[place] = 1;
            ray.support[place / 64] |= 1 << (place % 64);
            ray
        })
        .collect();
    let mut done = 0;
    while !open.is_empty() {
        budget.charge(1 + (open.len() * rays.len()) as u64 / 64)?;
        // The condition that makes fewest new ones.
        let cost = |condition: &Condition| {
            let values = rays.iter().map(|ray| value(condition, ray).unwrap_or(0));
            let (mut above, mut below) = (0_usize, 0_usize);
            for value in values {
                above += usize::from(value > 0);
                below += usize::from(value < 0);
            }
            (above * below, above)
        };
        let numbered = open.iter().enumerate();
        let best = numbered.min_by_key(|(_, condition)| cost(condition));
        let Some((best, _)) = best else { break };
        let condition = open.swap_remove(best);
        rays = fulfilling(rays, &condition, places + done, budget)?;
        done += 1;
    }
    Ok(rays)
}

fn value(condition: &Condition, ray: &Ray) -> Option<i64> {
    let mut sum = 0_i64;
    for &(place, factor) in condition {
        sum = sum.checked_add(factor.checked_mul(ray.weights[place])?)?;
    }
    Some(sum)
}

/// The rays that fulfil one more condition, and new ones that just do.
fn fulfilling(
    rays: Vec<Ray>,
    condition: &Condition,
    slack: usize,
    budget: &Budget,
) -> Result<Vec<Ray>, Stop> {
    let (mut kept, mut above, mut below) = (Vec::new(), Vec::new(), Vec::new());
    for mut ray in rays {
        match value(condition, &ray) {
            Some(0) => kept.push(ray),
            Some(value) if value > 0 => above.push((ray, value)),
            Some(value) => {
                below.push((ray.clone(), value));
                ray.support[slack / 64] |= 1 << (slack % 64);
                kept.push(ray);
            }
            None => {}
        }
    }
    let mut made = Vec::new();
    'all: for (one, plus) in &above {
        for (other, minus) in &below {
            budget.charge(1)?;
            if made.len() >= 4 * MOST_RAYS {
                break 'all;
            }
            made.extend(joined(one, *plus, other, -*minus));
        }
    }
    made.sort_by_key(|ray: &Ray| {
        ray.support
            .iter()
            .map(|word| word.count_ones())
            .sum::<u32>()
    });
    for ray in made {
        budget.charge(1 + kept.len() as u64 / 32)?;
        let within = |other: &Ray| {
            let mut words = other.support.iter().zip(&ray.support);
            words.all(|(other, own)| other & !own == 0)
        };
        if kept.len() < MOST_RAYS && !kept.iter().any(within) {
            kept.push(ray);
        }
    }
    Ok(kept)
}

/// What two rays make together so that the condition is met with equality.
fn joined(one: &Ray, plus: i64, other: &Ray, minus: i64) -> Option<Ray> {
    let mut weights = Vec::with_capacity(one.weights.len());
    let mut common = 0_u64;
    for (&left, &right) in one.weights.iter().zip(&other.weights) {
        let sum = left
            .checked_mul(minus)?
            .checked_add(right.checked_mul(plus)?)?;
        common = divisor(common, sum.unsigned_abs());
        weights.push(sum);
    }
    let common = i64::try_from(common).ok().filter(|&one| one > 0)?;
    for weight in &mut weights {
        *weight /= common;
    }
    let supports = one.support.iter().zip(&other.support);
    Some(Ray {
        weights,
        support: supports.map(|(left, right)| left | right).collect(),
    })
}

fn divisor(mut one: u64, mut other: u64) -> u64 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}
