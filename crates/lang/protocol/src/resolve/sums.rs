//! Comparisons of sums in which processes are counted: `2 * count(p: …) > n`,
//! `count(p: …) + count(p: …) >= n - t`.
//!
//! Engines know one count compared with a number. So a comparison is brought into that form where it
//! has one: each process adds to the sum what the conditions that it satisfies add together, and
//! where that can only be two different numbers, the sum says how many processes add the greater one.

use super::{Resolved, Resolver, Scope};
use crate::model::{Arithmetic, Bound, Comparison, Domain, Expr, Value};
use crate::syntax::tree::{Expression, Kind, Operator};
use quotient_core::Span;

/// A sum of numbers with factors, all of it divided by a positive number.
#[derive(Debug, Clone, Default)]
pub(super) struct Sum {
    /// How many processes in a range satisfy a condition.
    pub(super) counts: Vec<(i64, Bound, Expr)>,
    pub(super) others: Vec<(i64, Expr)>,
    pub(super) constant: i64,
    pub(super) per: i64,
}

/// The most cases that a comparison may be split into.
const MOST_CASES: usize = 64;

impl Sum {
    fn of(expr: &Expr) -> Option<Sum> {
        let number = Sum {
            per: 1,
            ..Sum::default()
        };
        Some(match expr {
            Expr::Constant(value) => Sum {
                constant: i64::from(*value),
                ..number
            },
            Expr::HowMany { bound, body } => Sum {
                counts: vec![(1, bound.clone(), (**body).clone())],
                ..number
            },
            Expr::Arithmetic(Arithmetic::Add, left, right) => {
                Sum::of(left)?.plus(Sum::of(right)?)?
            }
            Expr::Arithmetic(Arithmetic::Subtract, left, right) => {
                Sum::of(left)?.plus(Sum::of(right)?.times(-1)?)?
            }
            Expr::Arithmetic(Arithmetic::Multiply, left, right) => {
                let (left, right) = (Sum::of(left)?, Sum::of(right)?);
                match (left.is_constant(), right.is_constant()) {
                    (_, true) => left.times(right.constant)?.over(right.per)?,
                    (true, _) => right.times(left.constant)?.over(left.per)?,
                    _ if expr.mentions(&is_number_of_processes) => return None,
                    _ => number.with(expr),
                }
            }
            Expr::Arithmetic(Arithmetic::Divide, left, right) => match **right {
                Expr::Constant(by) if by > 0 => Sum::of(left)?.over(i64::from(by))?,
                _ => return None,
            },
            other if other.mentions(&is_number_of_processes) => return None,
            other => number.with(other),
        })
    }

    fn with(mut self, expr: &Expr) -> Sum {
        self.others.push((1, expr.clone()));
        self
    }

    fn is_constant(&self) -> bool {
        self.counts.is_empty() && self.others.is_empty()
    }

    fn times(mut self, factor: i64) -> Option<Sum> {
        for (known, ..) in &mut self.counts {
            *known = known.checked_mul(factor)?;
        }
        for (known, _) in &mut self.others {
            *known = known.checked_mul(factor)?;
        }
        self.constant = self.constant.checked_mul(factor)?;
        Some(self)
    }

    fn over(mut self, by: i64) -> Option<Sum> {
        self.per = self.per.checked_mul(by)?;
        Some(self)
    }

    pub(super) fn plus(self, other: Sum) -> Option<Sum> {
        let per = self.per.checked_mul(other.per)?;
        let (left, right) = (other.per, self.per);
        let (mut sum, other) = (self.times(left)?, other.times(right)?);
        for (factor, bound, body) in other.counts {
            let same = |one: &&mut (i64, Bound, Expr)| one.1 == bound && one.2 == body;
            match sum.counts.iter_mut().find(same) {
                Some((known, ..)) => *known = known.checked_add(factor)?,
                None => sum.counts.push((factor, bound, body)),
            }
        }
        for (factor, expr) in other.others {
            match sum.others.iter_mut().find(|(_, known)| *known == expr) {
                Some((known, _)) => *known = known.checked_add(factor)?,
                None => sum.others.push((factor, expr)),
            }
        }
        sum.constant = sum.constant.checked_add(other.constant)?;
        sum.per = per;
        sum.counts.retain(|(factor, ..)| *factor != 0);
        sum.others.retain(|(factor, _)| *factor != 0);
        Some(sum)
    }

    /// Without what divides all factors.
    fn reduced(mut self) -> Sum {
        let counts = self.counts.iter().map(|(factor, ..)| *factor);
        let others = self.others.iter().map(|(factor, _)| *factor);
        let common = counts.chain(others).fold(self.constant, common_divisor);
        if common > 1 {
            self.counts.iter_mut().for_each(|one| one.0 /= common);
            self.others.iter_mut().for_each(|one| one.0 /= common);
            self.constant /= common;
        }
        self
    }
}

fn is_number_of_processes(expr: &Expr) -> bool {
    matches!(expr, Expr::HowMany { .. })
}

fn common_divisor(one: i64, two: i64) -> i64 {
    let (mut one, mut two) = (one.unsigned_abs(), two.unsigned_abs());
    while two != 0 {
        (one, two) = (two, one % two);
    }
    i64::try_from(one).unwrap_or(1)
}

pub(super) fn not(expr: Expr) -> Expr {
    Expr::Not(Box::new(expr))
}

impl Resolver<'_> {
    /// Whether processes are counted in a number, as far as the text says.
    pub(super) fn counts(&self, expression: &Expression) -> bool {
        self.counts_within(expression, &mut Vec::new())
    }

    fn counts_within<'s>(&'s self, expression: &'s Expression, seen: &mut Vec<&'s str>) -> bool {
        let defined = |name: &'s str, seen: &mut Vec<&'s str>| {
            let mut known = self.file.macros.iter();
            let Some(definition) = known.find(|known| known.name.text == name) else {
                return false;
            };
            if seen.contains(&name) {
                return false;
            }
            seen.push(name);
            self.counts_within(&definition.body, seen)
        };
        match &expression.kind {
            Kind::Count { .. } => true,
            Kind::Negate(inner) => self.counts_within(inner, seen),
            Kind::Binary(
                Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Divide
                | Operator::Modulo,
                left,
                right,
            )
            | Kind::If(_, left, right) => {
                self.counts_within(left, seen) || self.counts_within(right, seen)
            }
            Kind::Name(name) => defined(name, seen),
            Kind::Call(name, arguments) => {
                defined(&name.text, seen)
                    || arguments.iter().any(|one| self.counts_within(one, seen))
            }
            _ => false,
        }
    }

    /// A comparison of numbers in which processes are counted; nothing if there are none.
    pub(super) fn sums(
        &self,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
        span: Span,
        scope: &mut Scope,
    ) -> Resolved<Option<Expr>> {
        let (sizes, counting) = (scope.sizes, scope.counting);
        scope.counting = Some(counting.unwrap_or(sizes));
        scope.sizes = true;
        let both = self.number(left, scope).and_then(|left| {
            let right = self.number(right, scope)?;
            Ok((left, right))
        });
        (scope.sizes, scope.counting) = (sizes, counting);
        let (left, right) = both?;
        if ![&left, &right]
            .iter()
            .any(|side| side.mentions(&is_number_of_processes))
        {
            return Ok(None);
        }
        let sum = Sum::of(&left).zip(Sum::of(&right).and_then(|right| right.times(-1)));
        let sum = sum.and_then(|(left, right)| left.plus(right));
        let single = match sum {
            Some(sum) => self.compared(comparison, sum, span, scope)?,
            None => None,
        };
        let general = || Expr::Sums(comparison, Box::new(left), Box::new(right));
        Ok(Some(single.unwrap_or_else(general)))
    }

    /// How a sum compares with zero, by counts that stand alone; nothing where they cannot say it.
    fn compared(
        &self,
        comparison: Comparison,
        sum: Sum,
        span: Span,
        scope: &Scope,
    ) -> Resolved<Option<Expr>> {
        match self.gathered(&sum, scope) {
            Some(sum) => self.alone(comparison, sum, span, scope),
            None => self.in_cases(comparison, &sum, span),
        }
    }

    /// One count with a factor, and the rest, compared with zero.
    fn alone(
        &self,
        comparison: Comparison,
        sum: Sum,
        span: Span,
        scope: &Scope,
    ) -> Resolved<Option<Expr>> {
        let mut sum = sum.reduced();
        let Some((factor, bound, body)) = sum.counts.pop() else {
            return Ok(None);
        };
        let comparison = if factor < 0 {
            comparison.mirrored()
        } else {
            comparison
        };
        // The rest goes to the other side.
        let Some(rest) = sum.times(if factor < 0 { 1 } else { -1 }) else {
            return Ok(None);
        };
        let count = Counted {
            bound,
            body,
            comparison,
            factor: factor.saturating_abs(),
        };
        let (sizes, values): (Vec<_>, Vec<_>) = rest
            .others
            .into_iter()
            .partition(|(_, expr)| self.only_sizes(expr));
        if values.is_empty() {
            return self.against(&count, &sizes, rest.constant, span);
        }
        // What depends on variables is one case for each of their values.
        let mut cases: Vec<(Vec<Expr>, i64)> = vec![(Vec::new(), rest.constant)];
        for (factor, expr) in &values {
            let Some(domain) = self.finite_domain(expr, scope) else {
                return Ok(None);
            };
            let domain = domain.values();
            if domain.len() * cases.len() > MOST_CASES {
                return Ok(None);
            }
            let mut next = Vec::new();
            for (known, constant) in &cases {
                for value in &domain {
                    let is = Expr::Compare(
                        Comparison::Equal,
                        Box::new(expr.clone()),
                        Box::new(Expr::Constant(*value)),
                    );
                    let added = factor.checked_mul(i64::from(*value));
                    let Some(sum) = added.and_then(|added| constant.checked_add(added)) else {
                        return Ok(None);
                    };
                    next.push(([&known[..], &[is]].concat(), sum));
                }
            }
            cases = next;
        }
        let mut any = Vec::new();
        for (mut all, constant) in cases {
            let Some(enough) = self.against(&count, &sizes, constant, span)? else {
                return Ok(None);
            };
            all.push(enough);
            any.push(Expr::And(all));
        }
        Ok(Some(Expr::Or(any)))
    }

    /// A count with a factor, compared with a number that depends on no variables.
    fn against(
        &self,
        count: &Counted,
        sizes: &[(i64, Expr)],
        constant: i64,
        span: Span,
    ) -> Resolved<Option<Expr>> {
        if sizes.is_empty() {
            return self.with_constant(count, constant, span).map(Some);
        }
        if !count.body.is_of_values_and_identities() {
            return Ok(None);
        }
        let number = |number: i64| Value::try_from(number).ok().map(Expr::Constant);
        let compute =
            |arithmetic, left, right| Expr::Arithmetic(arithmetic, Box::new(left), Box::new(right));
        let mut sum: Option<Expr> = None;
        for (factor, expr) in sizes {
            let Some(by) = number(factor.saturating_abs()) else {
                return Ok(None);
            };
            let part = match factor.abs() {
                1 => expr.clone(),
                _ => compute(Arithmetic::Multiply, by, expr.clone()),
            };
            sum = Some(match (sum, *factor > 0) {
                (None, true) => part,
                (None, false) => compute(Arithmetic::Subtract, Expr::Constant(0), part),
                (Some(sum), true) => compute(Arithmetic::Add, sum, part),
                (Some(sum), false) => compute(Arithmetic::Subtract, sum, part),
            });
        }
        let (Some(mut threshold), Some(rest)) = (sum, number(constant)) else {
            return Ok(None);
        };
        if constant != 0 {
            threshold = compute(Arithmetic::Add, threshold, rest);
        }
        match count.factor {
            1 => {}
            by @ 2..=1000 => {
                let by = Expr::Constant(Value::try_from(by).unwrap_or(1));
                threshold = compute(Arithmetic::Divide, threshold, by);
            }
            _ => return Ok(None),
        }
        Ok(Some(Expr::Threshold {
            bound: count.bound.clone(),
            body: Box::new(count.body.clone()),
            comparison: count.comparison,
            threshold: Box::new(threshold),
        }))
    }

    /// A count with a factor, compared with a constant.
    fn with_constant(&self, count: &Counted, constant: i64, span: Span) -> Resolved<Expr> {
        let below = constant.div_euclid(count.factor);
        let whole = constant.rem_euclid(count.factor) == 0;
        let above = if whole {
            below
        } else {
            below.saturating_add(1)
        };
        let number = match count.comparison {
            Comparison::Greater | Comparison::LessOrEqual => below,
            Comparison::GreaterOrEqual | Comparison::Less => above,
            Comparison::Equal if !whole => return Ok(Expr::Constant(0)),
            Comparison::Different if !whole => return Ok(Expr::Constant(1)),
            Comparison::Equal | Comparison::Different => below,
        };
        if count.body == Expr::Constant(0) {
            let difference = Value::try_from(constant.signum()).unwrap_or(0);
            return Ok(Expr::Constant(i32::from(
                count.comparison.holds(0, difference),
            )));
        }
        // Nobody counts to less than nothing.
        let number = number.max(-1);
        match Value::try_from(number) {
            Ok(number @ -1..=64) => Ok(Expr::Count {
                bound: count.bound.clone(),
                body: Box::new(count.body.clone()),
                comparison: count.comparison,
                number,
            }),
            _ => Err(self.error(
                "huge-count",
                "counts are compared with numbers up to 64",
                span,
            )),
        }
    }

    /// Several counts whose factors have one sign, compared with a constant: by how much each of
    /// them may add.
    fn in_cases(&self, comparison: Comparison, sum: &Sum, span: Span) -> Resolved<Option<Expr>> {
        let positive = sum.counts.iter().all(|(factor, ..)| *factor > 0);
        let negative = sum.counts.iter().all(|(factor, ..)| *factor < 0);
        let (Some(sum), comparison) = (match (positive, negative) {
            (true, _) => (Some(sum.clone()), comparison),
            (_, true) => (sum.clone().times(-1), comparison.mirrored()),
            _ => (None, comparison),
        }) else {
            return Ok(None);
        };
        let Some(number) = sum.constant.checked_neg().filter(|_| sum.others.is_empty()) else {
            return Ok(None);
        };
        let at_least = |number: i64| -> Resolved<Option<Expr>> {
            let mut cases = Vec::new();
            shares(&sum.counts, number, &mut Vec::new(), &mut cases);
            if cases.len() > MOST_CASES {
                return Ok(None);
            }
            let mut any = Vec::new();
            for case in cases {
                let mut all = Vec::new();
                for ((_, bound, body), least) in sum.counts.iter().zip(case) {
                    if least > 0 {
                        let count = Counted {
                            bound: bound.clone(),
                            body: body.clone(),
                            comparison: Comparison::GreaterOrEqual,
                            factor: 1,
                        };
                        all.push(self.with_constant(&count, least, span)?);
                    }
                }
                any.push(Expr::And(all));
            }
            Ok(Some(Expr::Or(any)))
        };
        let (Some(enough), Some(more)) = (at_least(number)?, at_least(number.saturating_add(1))?)
        else {
            return Ok(None);
        };
        Ok(Some(match comparison {
            Comparison::GreaterOrEqual => enough,
            Comparison::Greater => more,
            Comparison::Less => not(enough),
            Comparison::LessOrEqual => not(more),
            Comparison::Equal => Expr::And(vec![enough, not(more)]),
            Comparison::Different => Expr::Or(vec![not(enough), more]),
        }))
    }

    /// The finite domain of a variable.
    pub(super) fn finite_domain(&self, expr: &Expr, scope: &Scope) -> Option<Domain> {
        let domain = self.domain_of(expr, scope)?;
        Some(domain.clone()).filter(|domain| *domain != Domain::Parameter)
    }
}

/// A count with a positive factor, and how it is compared.
struct Counted {
    bound: Bound,
    body: Expr,
    comparison: Comparison,
    factor: i64,
}

/// The least numbers of each that make up a sum, given what each adds; up to too many.
fn shares(
    counts: &[(i64, Bound, Expr)],
    number: i64,
    so_far: &mut Vec<i64>,
    cases: &mut Vec<Vec<i64>>,
) {
    let Some(((factor, ..), rest)) = counts.split_first() else {
        if number <= 0 {
            cases.push(so_far.clone());
        }
        return;
    };
    let number = number.max(0);
    let most = number / factor + i64::from(number % factor != 0);
    // The last makes up for what is missing.
    let least = if rest.is_empty() { most } else { 0 };
    for here in least..=most {
        if cases.len() > MOST_CASES {
            return;
        }
        so_far.push(here);
        shares(rest, number - here * factor, so_far, cases);
        so_far.pop();
    }
}
