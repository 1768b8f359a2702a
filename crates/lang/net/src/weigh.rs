//! Proofs without search, from the state equation: weights of places.
//!
//! Every reachable marking is the start plus a sum of effects of transitions. If a linear
//! program over these sums (not asking whether the transitions can really fire) has no solution,
//! its dual gives weights of places that no transition makes larger, and that show it. All
//! numbers are exact; where they get too large there is no proof.

use quotient_core::{Budget, Stop};

use crate::evidence::Weights;
use crate::formula::Linear;
use crate::net::Net;
use crate::ratio::{Ratio, divisor};

/// The largest program that is tried, as rows times columns.
const MOST_CELLS: usize = 60_000;
/// The most steps of the simplex method.
const MOST_PIVOTS: usize = 600;

/// A program in the form of a dictionary: basic variables in terms of the others.
struct Program {
    /// Of each basic variable: the factors of the others, subtracted, and the constant last.
    rows: Vec<Vec<Ratio>>,
    /// What is to be made as large as possible, with its constant last; added.
    goal: Vec<Ratio>,
    basic: Vec<usize>,
    others: Vec<usize>,
}

enum Solved {
    /// The goal is as large as it can be.
    Best,
    /// It can be as large as one likes.
    Endless,
    /// Too much work, or numbers too large.
    Open,
}

/// What the state equation says about inequalities.
pub(crate) enum Weighed {
    /// They never hold together: weights that show it, with the factors of the inequalities.
    Excluded(Weights),
    /// They may, after transitions fired so often (if these can), and these places are empty then.
    Possible(Vec<u64>, Vec<bool>),
    /// Nothing.
    Open,
}

/// The least upper bound of a sum of tokens that the state equation gives.
pub(crate) struct Bounded {
    pub(crate) most: u64,
    /// They show it; their one factor is the scale of the sum.
    pub(crate) weights: Weights,
    /// How often transitions would fire to get there.
    pub(crate) counts: Vec<u64>,
}

/// Whether inequalities never hold together.
pub(crate) fn excluded(
    net: &Net,
    start: &[u64],
    alternative: &[Linear],
    budget: &Budget,
) -> Result<Weighed, Stop> {
    let (places, transitions) = (net.places.len(), net.transitions.len());
    if !fits(net, alternative.len()) {
        return Ok(Weighed::Open);
    }
    let columns = transitions + 1;
    let mut program = Program::of(net, start, alternative, 1);
    // One more variable that all inequalities can borrow from; it is to vanish.
    for (number, row) in program.rows.iter_mut().enumerate() {
        row[transitions] = match number < places {
            true => Ratio::ZERO,
            false => Ratio::whole(-1),
        };
    }
    program.goal[transitions] = Ratio::whole(-1);
    let worst = (places..program.rows.len()).min_by_key(|&row| program.rows[row][columns].over);
    match worst {
        Some(row) if program.rows[row][columns].over < 0 => {
            if program.pivot(row, transitions).is_none() {
                return Ok(Weighed::Open);
            }
        }
        // The start fulfils them.
        _ => return Ok(Weighed::Open),
    }
    let solved = program.solve(budget, true)?;
    if program.goal[columns].over >= 0 {
        let empty = program.empty(transitions + 1, places);
        return Ok(Weighed::Possible(program.counts(transitions), empty));
    }
    let duals = match solved {
        Solved::Best => program.duals(transitions + 1),
        _ => None,
    };
    let weights = duals.and_then(|(duals, _)| weights(net, &duals, alternative));
    Ok(weights.map_or(Weighed::Open, Weighed::Excluded))
}

/// The least upper bound of a sum of tokens that the state equation gives.
pub(crate) fn bounded(
    net: &Net,
    start: &[u64],
    terms: &[(usize, i64)],
    budget: &Budget,
) -> Result<Option<Bounded>, Stop> {
    if !fits(net, 0) {
        return Ok(None);
    }
    let transitions = net.transitions.len();
    let mut program = Program::of(net, start, &[], 0);
    for (column, transition) in net.transitions.iter().enumerate() {
        let mut gain = 0_i128;
        for &(place, change) in &transition.effect {
            let factor = terms.iter().find(|term| term.0 == place);
            gain += i128::from(factor.map_or(0, |term| term.1)) * i128::from(change);
        }
        program.goal[column] = Ratio::whole(gain);
    }
    match program.solve(budget, false)? {
        Solved::Best => {}
        _ => return Ok(None),
    }
    let best = program.goal[transitions];
    let best = best.over.div_euclid(best.under) + Linear::sum(terms, start);
    let Some((duals, scale)) = program.duals(transitions) else {
        return Ok(None);
    };
    let Ok(value) = u64::try_from(best) else {
        return Ok(None);
    };
    let mut by_place: Vec<i128> = duals;
    for &(place, factor) in terms {
        let product = i128::from(factor).checked_mul(scale);
        let Some(weight) = product.and_then(|product| by_place[place].checked_add(product)) else {
            return Ok(None);
        };
        by_place[place] = weight;
    }
    let named = name(net, &by_place);
    let counts = program.counts(transitions);
    Ok(named
        .zip(u64::try_from(scale).ok())
        .map(|(weights, scale)| {
            let factors = vec![scale];
            Bounded {
                most: value,
                weights: Weights { weights, factors },
                counts,
            }
        }))
}

fn fits(net: &Net, more: usize) -> bool {
    let rows = net.places.len() + more;
    net.is_plain() && rows.saturating_mul(net.transitions.len() + 2) <= MOST_CELLS
}

/// Weights from the multipliers of the rows: those of places and the inequalities together.
fn weights(net: &Net, duals: &[i128], alternative: &[Linear]) -> Option<Weights> {
    let places = net.places.len();
    let mut by_place = duals[..places].to_vec();
    let mut factors = Vec::new();
    for (linear, &factor) in alternative.iter().zip(&duals[places..]) {
        for &(place, number) in &linear.terms {
            let product = factor.checked_mul(i128::from(number))?;
            by_place[place] = by_place[place].checked_add(product)?;
        }
        factors.push(u64::try_from(factor).ok()?);
    }
    let weights = name(net, &by_place)?;
    Some(Weights { weights, factors })
}

fn name(net: &Net, by_place: &[i128]) -> Option<std::collections::BTreeMap<String, i64>> {
    let weighed = net.places.iter().zip(by_place).filter(|(_, n)| **n != 0);
    weighed
        .map(|(place, &weight)| Some((place.id.clone(), i64::try_from(weight).ok()?)))
        .collect()
}

impl Program {
    /// Rows for places (tokens stay at least 0) and inequalities; columns for how often each
    /// transition fires, and `more` of them.
    fn of(net: &Net, start: &[u64], alternative: &[Linear], more: usize) -> Program {
        let columns = net.transitions.len() + more;
        let mut effects = vec![Vec::new(); net.places.len()];
        for (column, transition) in net.transitions.iter().enumerate() {
            for &(place, change) in &transition.effect {
                effects[place].push((column, i128::from(change)));
            }
        }
        let mut rows = Vec::new();
        for (place, effect) in effects.iter().enumerate() {
            let mut row = vec![Ratio::ZERO; columns + 1];
            for &(column, change) in effect {
                row[column] = Ratio::whole(-change);
            }
            row[columns] = Ratio::whole(i128::from(start[place]));
            rows.push(row);
        }
        for linear in alternative {
            let mut row = vec![0_i128; columns + 1];
            for &(place, factor) in &linear.terms {
                for &(column, change) in &effects[place] {
                    row[column] -= change * i128::from(factor);
                }
            }
            row[columns] = Linear::sum(&linear.terms, start) - i128::from(linear.least);
            rows.push(row.into_iter().map(Ratio::whole).collect());
        }
        Program {
            basic: (columns..columns + rows.len()).collect(),
            others: (0..columns).collect(),
            goal: vec![Ratio::ZERO; columns + 1],
            rows,
        }
    }

    /// Makes the goal as large as possible. With `until_zero`, a goal that gets to zero is not
    /// of interest any more.
    fn solve(&mut self, budget: &Budget, until_zero: bool) -> Result<Solved, Stop> {
        let last = self.others.len();
        for _ in 0..MOST_PIVOTS {
            budget.charge(1)?;
            if until_zero && self.goal[last].over >= 0 {
                return Ok(Solved::Open);
            }
            // Bland's rule, which never goes round in circles.
            let columns = (0..last).filter(|&column| self.goal[column].over > 0);
            let Some(column) = columns.min_by_key(|&column| self.others[column]) else {
                return Ok(Solved::Best);
            };
            let mut least: Option<(Ratio, usize)> = None;
            for (number, row) in self.rows.iter().enumerate() {
                if row[column].over <= 0 {
                    continue;
                }
                let Some(limit) = row[last].divided(row[column]) else {
                    return Ok(Solved::Open);
                };
                let better = match least {
                    None => true,
                    Some((best, _)) if best == limit => {
                        least.is_some_and(|(_, other)| self.basic[number] < self.basic[other])
                    }
                    Some((best, _)) => match limit.is_less(best) {
                        Some(less) => less,
                        None => return Ok(Solved::Open),
                    },
                };
                if better {
                    least = Some((limit, number));
                }
            }
            let Some((_, row)) = least else {
                return Ok(Solved::Endless);
            };
            if self.pivot(row, column).is_none() {
                return Ok(Solved::Open);
            }
        }
        Ok(Solved::Open)
    }

    /// Exchanges a basic variable for another one; nothing if numbers get too large.
    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let mut pivot = std::mem::take(&mut self.rows[row]);
        let by = pivot[column];
        pivot[column] = Ratio::ONE;
        for cell in &mut pivot {
            if !cell.is_zero() {
                *cell = cell.divided(by)?;
            }
        }
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            eliminate(other, &pivot, column)?;
        }
        // The goal is added where rows are subtracted, but for the constant.
        let last = pivot.len() - 1;
        let factor = self.goal[column];
        if !factor.is_zero() {
            self.goal[column] = Ratio::ZERO;
            for (number, (cell, step)) in self.goal.iter_mut().zip(&pivot).enumerate() {
                let product = factor.times(*step)?;
                *cell = cell.minus(if number == last {
                    product.negated()
                } else {
                    product
                })?;
            }
        }
        self.rows[row] = pivot;
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
        Some(())
    }

    /// How often each transition fires in the solution, rounded up.
    fn counts(&self, transitions: usize) -> Vec<u64> {
        let last = self.others.len();
        let mut all = vec![0; transitions];
        for (row, &variable) in self.rows.iter().zip(&self.basic) {
            if let Some(count) = all.get_mut(variable) {
                let value = row[last];
                let up = i128::from(value.over.rem_euclid(value.under) > 0);
                let whole = value.over.div_euclid(value.under) + up;
                *count = u64::try_from(whole).unwrap_or(0);
            }
        }
        all
    }

    /// Which places have no tokens in the solution.
    fn empty(&self, columns: usize, places: usize) -> Vec<bool> {
        let last = self.others.len();
        let mut empty = vec![true; places];
        for (row, &variable) in self.rows.iter().zip(&self.basic) {
            let place = variable.checked_sub(columns);
            if let Some(empty) = place.and_then(|place| empty.get_mut(place)) {
                *empty = row[last].is_zero();
            }
        }
        empty
    }

    /// What each row is worth at the end, made whole by a common factor, which comes with it.
    fn duals(&self, columns: usize) -> Option<(Vec<i128>, i128)> {
        let mut all = vec![Ratio::ZERO; self.basic.len()];
        for (&variable, value) in self.others.iter().zip(&self.goal) {
            if variable >= columns {
                all[variable - columns] = value.negated();
            }
        }
        let mut scale = 1_i128;
        for value in &all {
            let common = divisor(scale.unsigned_abs(), value.under.unsigned_abs());
            scale = scale.checked_mul(value.under / i128::try_from(common).ok()?)?;
        }
        let whole = |value: &Ratio| value.over.checked_mul(scale / value.under);
        Some((all.iter().map(whole).collect::<Option<_>>()?, scale))
    }
}

/// Takes a variable out of a row.
fn eliminate(row: &mut [Ratio], pivot: &[Ratio], column: usize) -> Option<()> {
    let factor = row[column];
    if factor.is_zero() {
        return Some(());
    }
    row[column] = Ratio::ZERO;
    for (cell, step) in row.iter_mut().zip(pivot) {
        if !step.is_zero() {
            *cell = cell.minus(factor.times(*step)?)?;
        }
    }
    Some(())
}
