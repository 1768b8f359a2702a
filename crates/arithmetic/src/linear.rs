//! Sums of multiples of integer variables, and when bounds on them contradict each other.

/// A sum of multiples of variables and a constant. Factors are never 0, variables ascend.
///
/// Where a number would be too large, the sum is [`is_lost`](Linear::is_lost): nothing is known
/// of it any more.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Linear {
    terms: Vec<(usize, i128)>,
    constant: i128,
    lost: bool,
}

/// Numbers beyond this are given up: all products of two smaller ones fit.
const MOST: i128 = 1 << 60;

impl Linear {
    /// A variable.
    pub fn variable(variable: usize) -> Linear {
        Linear {
            terms: vec![(variable, 1)],
            ..Linear::default()
        }
    }

    /// A number.
    pub fn constant(number: i64) -> Linear {
        Linear {
            constant: number.into(),
            ..Linear::default()
        }
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(&self, other: &Linear) -> Linear {
        self.combined(1, other, 1)
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Linear) -> Linear {
        self.combined(1, other, -1)
    }

    /// A multiple.
    #[must_use]
    pub fn times(&self, factor: i64) -> Linear {
        self.combined(factor.into(), &Linear::default(), 0)
    }

    /// With a number added.
    #[must_use]
    pub fn plus_constant(&self, number: i64) -> Linear {
        self.plus(&Linear::constant(number))
    }

    /// The number, if there are no variables.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.is_empty() && !self.lost {
            true => i64::try_from(self.constant).ok(),
            false => None,
        }
    }

    /// Whether numbers grew too large on the way.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// The variables in it.
    pub fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        self.terms.iter().map(|(variable, _)| *variable)
    }

    /// Its factors and its constant, for showing.
    pub fn parts(&self) -> (&[(usize, i128)], i128) {
        (&self.terms, self.constant)
    }

    /// Its value for values of the variables.
    pub fn value(&self, integers: &[i64]) -> Option<i128> {
        let mut sum = self.constant;
        for (variable, factor) in &self.terms {
            let value = i128::from(*integers.get(*variable)?);
            sum = sum.checked_add(factor.checked_mul(value)?)?;
        }
        (!self.lost).then_some(sum)
    }

    /// The sum with a variable replaced.
    #[must_use]
    pub fn replaced(&self, variable: usize, by: &Linear) -> Linear {
        match self.factor(variable) {
            0 => self.clone(),
            factor => {
                let mut rest = self.clone();
                rest.terms.retain(|(other, _)| *other != variable);
                rest.combined(1, by, factor)
            }
        }
    }

    fn factor(&self, variable: usize) -> i128 {
        let found = self.terms.iter().find(|(other, _)| *other == variable);
        found.map_or(0, |(_, factor)| *factor)
    }

    /// `a` times this plus `b` times the other.
    fn combined(&self, a: i128, other: &Linear, b: i128) -> Linear {
        let mut terms: Vec<(usize, i128)> =
            Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (variable, factor) = match (left.peek(), right.peek()) {
                (Some((x, f)), Some((y, g))) if x == y => {
                    let sum = (*x, a * f + b * g);
                    left.next();
                    right.next();
                    sum
                }
                (Some((x, f)), Some((y, _))) if x < y => {
                    left.next();
                    (*x, a * f)
                }
                (_, Some((y, g))) => {
                    right.next();
                    (*y, b * g)
                }
                (Some((x, f)), None) => {
                    left.next();
                    (*x, a * f)
                }
                (None, None) => break,
            };
            if factor != 0 {
                terms.push((variable, factor));
            }
        }
        let constant = a * self.constant + b * other.constant;
        let large = |number: &i128| number.abs() > MOST;
        let lost =
            self.lost || other.lost || large(&constant) || terms.iter().any(|(_, f)| large(f));
        match lost {
            true => Linear {
                terms: Vec::new(),
                constant: 0,
                lost,
            },
            false => Linear {
                terms,
                constant,
                lost,
            },
        }
    }
}

/// A sum that is at most 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The sum.
    pub sum: Linear,
}

/// The most bounds that elimination may make.
const MOST_BOUNDS: usize = 600;

/// Whether no whole numbers fulfil all bounds. `false` where that is not certain.
pub(crate) fn is_infeasible(bounds: &[Bound]) -> bool {
    matches!(eliminated(bounds), Eliminated::Infeasible)
}

/// Whole numbers that fulfil all bounds, by variable, if they are found.
pub(crate) fn values(bounds: &[Bound]) -> Option<Vec<(usize, i64)>> {
    let Eliminated::Order(order) = eliminated(bounds) else {
        return None;
    };
    let mut found: Vec<(usize, i64)> = Vec::new();
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
    /// The variables in the order of their elimination, with the bounds on each.
    Order(Vec<(usize, Vec<Linear>)>),
    TooMany,
}

fn eliminated(bounds: &[Bound]) -> Eliminated {
    let mut now: Vec<Linear> = Vec::new();
    let mut order = Vec::new();
    for bound in bounds {
        if !keep(&mut now, &bound.sum) {
            return Eliminated::Infeasible;
        }
    }
    let lost = bounds.iter().any(|bound| bound.sum.lost);
    // Each round removes one variable, the one that makes the fewest new bounds.
    loop {
        let mut variables: Vec<usize> = now.iter().flat_map(Linear::variables).collect();
        variables.sort_unstable();
        variables.dedup();
        let cost = |variable: usize| {
            let above = now.iter().filter(|sum| sum.factor(variable) > 0).count();
            let below = now.iter().filter(|sum| sum.factor(variable) < 0).count();
            above * below
        };
        let Some(variable) = variables.into_iter().min_by_key(|variable| cost(*variable)) else {
            return if lost {
                Eliminated::TooMany
            } else {
                Eliminated::Order(order)
            };
        };
        let (with, mut rest): (Vec<Linear>, Vec<Linear>) =
            now.into_iter().partition(|sum| sum.factor(variable) != 0);
        let (above, below): (Vec<&Linear>, Vec<&Linear>) =
            with.iter().partition(|sum| sum.factor(variable) > 0);
        for upper in &above {
            for lower in &below {
                let (p, q) = (upper.factor(variable), -lower.factor(variable));
                let sum = upper.combined(q, lower, p);
                if !sum.lost && !keep(&mut rest, &sum) {
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
    let divisor = sum
        .terms
        .iter()
        .fold(0, |divisor, (_, factor)| common(divisor, factor.abs()));
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
        lost: false,
    };
    // Of two bounds on one sum the tighter is enough.
    match bounds.iter_mut().find(|other| other.terms == tight.terms) {
        Some(other) => other.constant = other.constant.max(tight.constant),
        None => bounds.push(tight),
    }
    true
}

fn common(a: i128, b: i128) -> i128 {
    match b {
        0 => a,
        _ => common(b, a % b),
    }
}
