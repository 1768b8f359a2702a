//! Sums of multiples of integer variables and of quotients.

use crate::Integer;

/// A sum of multiples of variables, of quotients by numbers, and a constant. Factors are never 0;
/// variables and quotients ascend.
///
/// Where a number would be too large, the sum is [`is_lost`](Linear::is_lost): nothing is known
/// of it any more.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Linear {
    pub(crate) terms: Vec<(Integer, i128)>,
    pub(crate) quotients: Vec<(Quotient, i128)>,
    pub(crate) constant: i128,
    pub(crate) lost: bool,
}

/// A sum divided by a number and rounded down. The numbers of the sum are at least 0 and less than
/// the divisor: whole multiples of it stand outside.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Quotient {
    /// What is divided.
    pub of: Linear,
    /// By what; at least 2.
    pub by: i64,
}

/// Numbers beyond this are given up: all products of two smaller ones fit.
const MOST: i128 = 1 << 60;
/// Sums of more parts, those within quotients included, are given up: putting sums into each other could
/// double them again and again.
const MOST_PARTS: usize = 200;

impl Linear {
    /// A variable.
    pub fn variable(variable: Integer) -> Linear {
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

    /// Nothing that is known.
    fn unknown() -> Linear {
        Linear {
            lost: true,
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

    /// Divided by a number that is at least 1, rounded down: -1 divided by 2 is -1.
    ///
    /// Whole multiples come out, common divisors go, and a quotient of a quotient is one, so
    /// that sums which are always the same are mostly written in the same way:
    ///
    /// ```
    /// use quotient_arithmetic::{Integer, Linear};
    /// let x = Linear::variable(Integer::from_index(0));
    /// assert_eq!(x.plus_constant(3).remainder(3), x.remainder(3));
    /// assert_eq!(x.remainder(3).plus_constant(1).remainder(3), x.plus_constant(1).remainder(3));
    /// assert_eq!(x.quotient(2).quotient(3), x.quotient(6));
    /// ```
    #[must_use]
    pub fn quotient(&self, by: i64) -> Linear {
        if self.lost || by < 1 {
            return Linear::unknown();
        }
        let divisor = i128::from(by);
        let whole = self.each(&|number| number.div_euclid(divisor));
        let rest = self.each(&|number| number.rem_euclid(divisor));
        let shared = rest.common_factor(divisor);
        if rest.terms.is_empty() && rest.quotients.is_empty() {
            return whole;
        }
        // All is a multiple of what is shared but the constant, whose rest never tips the balance.
        let of = rest.each(&|number| number.div_euclid(shared));
        let Ok(by) = i64::try_from(divisor / shared) else {
            return Linear::unknown();
        };
        if let ([], [(inner, 1)]) = (&of.terms[..], &of.quotients[..]) {
            let Some(product) = by.checked_mul(inner.by) else {
                return Linear::unknown();
            };
            let constant = Linear {
                constant: of.constant * i128::from(inner.by),
                ..Linear::default()
            };
            return whole.plus(&inner.of.plus(&constant).quotient(product));
        }
        if of.lost || of.size() > MOST_PARTS {
            return Linear::unknown();
        }
        let quotient = Linear {
            quotients: vec![(Quotient { of, by }, 1)],
            ..Linear::default()
        };
        whole.plus(&quotient)
    }

    /// What division by a number that is at least 1 leaves: from 0 to one less than the number.
    #[must_use]
    pub fn remainder(&self, by: i64) -> Linear {
        self.minus(&self.quotient(by).times(by))
    }

    /// The number, if there are no variables.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.is_empty() && self.quotients.is_empty() && !self.lost {
            true => i64::try_from(self.constant).ok(),
            false => None,
        }
    }

    /// Whether numbers grew too large on the way.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// The variables in it, those of quotients included.
    pub fn variables(&self) -> impl Iterator<Item = Integer> + '_ {
        let own = self.terms.iter().map(|(variable, _)| *variable);
        let within = self.quotients.iter().flat_map(|(quotient, _)| {
            let inner: Box<dyn Iterator<Item = Integer> + '_> = Box::new(quotient.of.variables());
            inner
        });
        own.chain(within)
    }

    /// The factors of its variables and its constant, for showing.
    pub fn parts(&self) -> (&[(Integer, i128)], i128) {
        (&self.terms, self.constant)
    }

    /// The factors of its quotients.
    pub fn quotients(&self) -> &[(Quotient, i128)] {
        &self.quotients
    }

    /// The largest of its numbers without their signs, divisors and what is divided included.
    pub fn largest(&self) -> i128 {
        let own = self.terms.iter().map(|(_, factor)| factor.abs());
        let within = self.quotients.iter().map(|(quotient, factor)| {
            let inner = quotient.of.largest().max(quotient.by.into());
            inner.max(factor.abs())
        });
        own.chain(within).fold(self.constant.abs(), i128::max)
    }

    /// Its value for values of the variables.
    pub fn value(&self, integers: &[i64]) -> Option<i128> {
        let mut sum = self.constant;
        for (variable, factor) in &self.terms {
            let value = i128::from(*integers.get(variable.index())?);
            sum = sum.checked_add(factor.checked_mul(value)?)?;
        }
        for (quotient, factor) in &self.quotients {
            let value = quotient.of.value(integers)?.div_euclid(quotient.by.into());
            sum = sum.checked_add(factor.checked_mul(value)?)?;
        }
        (!self.lost).then_some(sum)
    }

    /// The sum with sums put in for its variables.
    #[must_use]
    pub fn replaced(&self, variable: &dyn Fn(Integer) -> Linear) -> Linear {
        if self.lost {
            return Linear::unknown();
        }
        let mut sum = Linear {
            constant: self.constant,
            ..Linear::default()
        };
        for (own, factor) in &self.terms {
            sum = sum.combined(1, &variable(*own), *factor);
        }
        for (quotient, factor) in &self.quotients {
            let inner = quotient.of.replaced(variable).quotient(quotient.by);
            sum = sum.combined(1, &inner, *factor);
        }
        sum
    }

    pub(crate) fn factor(&self, variable: Integer) -> i128 {
        let found = self.terms.iter().find(|(other, _)| *other == variable);
        found.map_or(0, |(_, factor)| *factor)
    }

    /// With each of its numbers changed.
    fn each(&self, change: &dyn Fn(i128) -> i128) -> Linear {
        Linear {
            terms: changed(&self.terms, change),
            quotients: changed(&self.quotients, change),
            constant: change(self.constant),
            lost: self.lost,
        }
    }

    /// The greatest number that divides all factors and another number; the constant does not count.
    pub(crate) fn common_factor(&self, other: i128) -> i128 {
        let own = self.terms.iter().map(|(_, factor)| *factor);
        let all = own.chain(self.quotients.iter().map(|(_, factor)| *factor));
        all.fold(other, |divisor, factor| common(divisor, factor.abs()))
    }

    /// How many parts it has, those within quotients included.
    fn size(&self) -> usize {
        let within = self.quotients.iter();
        let within: usize = within.map(|(quotient, _)| 1 + quotient.of.size()).sum();
        self.terms.len() + within
    }

    /// `a` times this plus `b` times the other.
    pub(crate) fn combined(&self, a: i128, other: &Linear, b: i128) -> Linear {
        let sum = Linear {
            terms: merged(a, &self.terms, b, &other.terms),
            quotients: merged(a, &self.quotients, b, &other.quotients),
            constant: a * self.constant + b * other.constant,
            lost: false,
        };
        let large = |number: &i128| number.abs() > MOST;
        let lost = self.lost
            || other.lost
            || large(&sum.constant)
            || sum.terms.iter().any(|(_, factor)| large(factor))
            || sum.quotients.iter().any(|(_, factor)| large(factor))
            || (!sum.quotients.is_empty() && sum.size() > MOST_PARTS);
        match lost {
            true => Linear::unknown(),
            false => sum,
        }
    }
}

/// Factors that are changed; those that become 0 are gone.
fn changed<Of: Clone>(list: &[(Of, i128)], change: &dyn Fn(i128) -> i128) -> Vec<(Of, i128)> {
    let all = list.iter().map(|(of, factor)| (of, change(*factor)));
    let left = all.filter(|(_, factor)| *factor != 0);
    left.map(|(of, factor)| (of.clone(), factor)).collect()
}

/// `a` times one list of factors plus `b` times another.
fn merged<Of: Clone + Ord>(
    a: i128,
    one: &[(Of, i128)],
    b: i128,
    other: &[(Of, i128)],
) -> Vec<(Of, i128)> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let (of, factor) = match (left.peek(), right.peek()) {
            (Some((x, f)), Some((y, g))) if x == y => {
                let sum = (x, a * f + b * g);
                left.next();
                right.next();
                sum
            }
            (Some((x, f)), Some((y, _))) if x < y => {
                left.next();
                (x, a * f)
            }
            (_, Some((y, g))) => {
                right.next();
                (y, b * g)
            }
            (Some((x, f)), None) => {
                left.next();
                (x, a * f)
            }
            (None, None) => return all,
        };
        if factor != 0 {
            all.push((of.clone(), factor));
        }
    }
}

pub(crate) fn common(a: i128, b: i128) -> i128 {
    match b {
        0 => a,
        _ => common(b, a % b),
    }
}
