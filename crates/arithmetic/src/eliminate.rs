//! When bounds on sums contradict each other, and values that fulfil them.

use crate::Integer;
use crate::linear::{Linear, Quotient};

/// A sum that is at most 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The sum.
    pub sum: Linear,
}

/// The most bounds that elimination may make.
const MOST_BOUNDS: usize = 600;

/// The most values that are tried one by one where elimination loses something.
const MOST_TRIED: usize = 100;
/// The widest range of a variable whose values are tried one by one.
const WIDEST: i128 = 16;
/// No bound: farther from 0 than any that a sum can say.
const UNBOUNDED: i128 = 1 << 100;

/// Whether no whole numbers fulfil all bounds. `false` where that is not certain.
pub(crate) fn is_infeasible(bounds: &[Bound]) -> bool {
    contradict(&flat(bounds), &mut MOST_TRIED.clone())
}

fn contradict(sums: &[Linear], left: &mut usize) -> bool {
    match eliminated(sums, Order::Cheap) {
        Eliminated::Infeasible => return true,
        Eliminated::All { lossless: true, .. } => return false,
        _ => {}
    }
    if matches!(eliminated(sums, Order::Exact), Eliminated::Infeasible) {
        return true;
    }
    let cases = cases(sums, left);
    !cases.is_empty() && cases.iter().all(|(_, case)| contradict(case, left))
}

/// Whole numbers that fulfil all bounds, by variable, if they are found.
pub(crate) fn values(bounds: &[Bound]) -> Option<Vec<(Integer, i64)>> {
    let mut found = fulfilled(&flat(bounds), &mut MOST_TRIED.clone())?;
    let is_own = |variable: Integer| {
        let mut sums = bounds.iter().map(|bound| &bound.sum);
        sums.any(|sum| sum.variables().any(|other| other == variable))
    };
    found.retain(|(variable, _)| is_own(*variable));
    Some(found)
}

fn fulfilled(sums: &[Linear], left: &mut usize) -> Option<Vec<(Integer, i64)>> {
    let cheap = values_by(sums, Order::Cheap);
    if let Some(found) = cheap.or_else(|| values_by(sums, Order::Exact)) {
        return Some(found);
    }
    cases(sums, left).into_iter().find_map(|(one, case)| {
        let mut found = fulfilled(&case, left)?;
        found.push(one);
        Some(found)
    })
}

/// A variable with few values, each with the sums in which it stands for the variable; none if there is no
/// such variable, or too many were tried already.
fn cases(sums: &[Linear], left: &mut usize) -> Vec<((Integer, i64), Vec<Linear>)> {
    let mut ranges: Vec<(Integer, i128, i128)> = Vec::new();
    for sum in sums.iter().filter(|sum| !sum.lost) {
        let [(variable, factor)] = sum.terms[..] else {
            continue;
        };
        let place = ranges.iter().position(|range| range.0 == variable);
        let place = place.unwrap_or_else(|| {
            ranges.push((variable, -UNBOUNDED, UNBOUNDED));
            ranges.len() - 1
        });
        // factor * variable + constant <= 0
        let (_, least, most) = &mut ranges[place];
        match factor > 0 {
            true => *most = (*most).min((-sum.constant).div_euclid(factor)),
            false => *least = (*least).max(-((-sum.constant).div_euclid(-factor))),
        }
    }
    let narrow = ranges
        .iter()
        .filter(|(_, least, most)| most - least < WIDEST);
    let Some(&(variable, least, most)) = narrow.min_by_key(|(_, least, most)| most - least) else {
        return Vec::new();
    };
    let values: Vec<i64> = (least..=most)
        .filter_map(|one| one.try_into().ok())
        .collect();
    if values.is_empty() || values.len() > *left {
        return Vec::new();
    }
    *left -= values.len();
    let with = |value: i64| {
        let put = |at: Integer| match at == variable {
            true => Linear::constant(value),
            false => Linear::variable(at),
        };
        sums.iter().map(|sum| sum.replaced(&put)).collect()
    };
    let all = values
        .into_iter()
        .map(|value| ((variable, value), with(value)));
    all.collect()
}

/// The order in which variables are eliminated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Whichever makes the fewest bounds.
    Cheap,
    /// First those where nothing is lost: of each two bounds that meet, one has the factor 1.
    Exact,
}

/// The sums of bounds with a variable of its own for each quotient, and the bounds that make it one:
/// `by * it <= of <= by * it + by - 1`.
fn flat(bounds: &[Bound]) -> Vec<Linear> {
    let sums = || bounds.iter().map(|bound| &bound.sum);
    let mut flat: Vec<Linear> = Vec::new();
    if sums().all(|sum| sum.quotients.is_empty()) {
        flat.extend(sums().cloned());
        return flat;
    }
    let own = sums().flat_map(Linear::variables);
    let mut names = Names {
        next: own.max().map_or(0, |most| most.index() + 1),
        known: Vec::new(),
        bounds: Vec::new(),
    };
    for sum in sums() {
        let sum = names.flattened(sum);
        flat.push(sum);
    }
    flat.extend(names.bounds);
    flat
}

/// The variables that stand for quotients.
struct Names {
    next: usize,
    known: Vec<(Quotient, Integer)>,
    bounds: Vec<Linear>,
}

impl Names {
    fn flattened(&mut self, sum: &Linear) -> Linear {
        let mut flat = Linear {
            quotients: Vec::new(),
            ..sum.clone()
        };
        for (quotient, factor) in &sum.quotients {
            let name = Linear::variable(self.name(quotient));
            flat = flat.combined(1, &name, *factor);
        }
        flat
    }

    fn name(&mut self, quotient: &Quotient) -> Integer {
        let known = self.known.iter().find(|(other, _)| other == quotient);
        if let Some((_, name)) = known {
            return *name;
        }
        let of = self.flattened(&quotient.of);
        let name = Integer::from_index(self.next);
        self.next += 1;
        self.known.push((quotient.clone(), name));
        let multiple = Linear::variable(name).times(quotient.by);
        let above = of.minus(&multiple).plus_constant(1 - quotient.by);
        self.bounds.extend([multiple.minus(&of), above]);
        name
    }
}

fn values_by(flat: &[Linear], order: Order) -> Option<Vec<(Integer, i64)>> {
    let Eliminated::All { order, .. } = eliminated(flat, order) else {
        return None;
    };
    let mut found: Vec<(Integer, i64)> = Vec::new();
    // What was eliminated last depends on nothing else.
    for (variable, bounds) in order.iter().rev() {
        let (mut least, mut most) = (i128::from(i64::MIN), i128::from(i64::MAX));
        for sum in bounds {
            let mut rest = sum.constant;
            for (other, factor) in sum.terms.iter().filter(|(other, _)| other != variable) {
                let known = found.iter().find(|(known, _)| known == other);
                // Nothing bounds a variable that is left over.
                let value = known.map_or(0, |(_, value)| *value);
                if known.is_none() {
                    found.push((*other, 0));
                }
                rest = rest.checked_add(factor.checked_mul(value.into())?)?;
            }
            let factor = sum.factor(*variable);
            // factor * value + rest <= 0
            match factor > 0 {
                true => most = most.min((-rest).div_euclid(factor)),
                false => least = least.max(-((-rest).div_euclid(-factor))),
            }
        }
        if least > most {
            return None;
        }
        let value = 0i128.clamp(least, most);
        found.push((*variable, i64::try_from(value).ok()?));
    }
    Some(found)
}

/// What elimination ends with.
enum Eliminated {
    Infeasible,
    /// The variables in the order of their elimination, with the bounds on each, and whether no
    /// step lost anything, so that there are whole numbers.
    All {
        order: Vec<(Integer, Vec<Linear>)>,
        lossless: bool,
    },
    TooMany,
}

fn eliminated(sums: &[Linear], by: Order) -> Eliminated {
    let mut now: Vec<Linear> = Vec::new();
    let mut order = Vec::new();
    for sum in sums {
        if !keep(&mut now, sum) {
            return Eliminated::Infeasible;
        }
    }
    let lost = sums.iter().any(|sum| sum.lost);
    let mut lossless = true;
    // Each round removes one variable.
    loop {
        let mut variables: Vec<Integer> = now.iter().flat_map(Linear::variables).collect();
        variables.sort_unstable();
        variables.dedup();
        let cost = |variable: Integer| {
            let factors = || now.iter().map(|sum| sum.factor(variable));
            let above = factors().filter(|factor| *factor > 0).count();
            let below = factors().filter(|factor| *factor < 0).count();
            let loses = factors().any(|factor| factor > 1) && factors().any(|factor| factor < -1);
            (by == Order::Exact && loses, above * below, loses)
        };
        let costs = variables
            .into_iter()
            .map(|variable| (cost(variable), variable));
        let Some(((_, _, loses), variable)) = costs.min() else {
            return match lost {
                true => Eliminated::TooMany,
                false => Eliminated::All { order, lossless },
            };
        };
        lossless &= !loses;
        let (with, mut rest): (Vec<Linear>, Vec<Linear>) =
            now.into_iter().partition(|sum| sum.factor(variable) != 0);
        let (above, below): (Vec<&Linear>, Vec<&Linear>) =
            with.iter().partition(|sum| sum.factor(variable) > 0);
        for upper in &above {
            for lower in &below {
                let (p, q) = (upper.factor(variable), -lower.factor(variable));
                let sum = upper.combined(q, lower, p);
                lossless &= !sum.lost;
                if !keep(&mut rest, &sum) {
                    return Eliminated::Infeasible;
                }
                if rest.len() > MOST_BOUNDS {
                    return Eliminated::TooMany;
                }
            }
        }
        now = rest;
        order.push((variable, with));
    }
}

/// Adds a bound, made as tight as whole numbers allow; says whether it can be fulfilled at all.
fn keep(bounds: &mut Vec<Linear>, sum: &Linear) -> bool {
    if sum.lost {
        return true;
    }
    let divisor = sum.common_factor(0);
    if divisor == 0 {
        return sum.constant <= 0;
    }
    let tight = Linear {
        terms: sum
            .terms
            .iter()
            .map(|(variable, factor)| (*variable, factor / divisor))
            .collect(),
        // The sum of the terms is at most `-constant / divisor`, rounded down.
        constant: -((-sum.constant).div_euclid(divisor)),
        ..Linear::default()
    };
    // Of two bounds on one sum the tighter is enough.
    match bounds.iter_mut().find(|other| other.terms == tight.terms) {
        Some(other) => other.constant = other.constant.max(tight.constant),
        None => bounds.push(tight),
    }
    true
}
