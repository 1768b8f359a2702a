//! Several counts as one: what each process adds to a sum is one of two numbers.

use std::collections::BTreeMap;

use super::sums::{Sum, not};
use super::{Resolver, Scope};
use crate::model::{Bound, Expr, Value};

/// More conditions than this are not looked at together.
const MOST_COUNTS: usize = 6;
/// The most joint values of the variables of such conditions.
const MOST_JOINT: usize = 4096;

impl Resolver<'_> {
    /// The same sum with one count, if there is one: what each process adds is one of two numbers.
    pub(super) fn gathered(&self, sum: &Sum, scope: &Scope) -> Option<Sum> {
        let mut sum = sum.clone();
        if sum.counts.is_empty() {
            // Nobody at all.
            sum.counts.push((1, Bound::default(), Expr::Constant(0)));
        }
        // Words can count up to a number, but not up to how many there are.
        let is_size = |part: &Expr| matches!(part, Expr::Size);
        let with_size = (sum.others.iter()).any(|(_, other)| other.mentions(&is_size));
        if let [(factor, bound, body)] = &sum.counts[..] {
            let always = with_size
                && bound == &Bound::default()
                && body != &Expr::Constant(0)
                && self.possible(std::slice::from_ref(body), scope) == [1];
            return match always {
                true => everybody(*factor, sum),
                false => Some(sum),
            };
        }
        if sum.counts.len() > MOST_COUNTS {
            return None;
        }
        let depth = scope.people.len();
        let first = sum.counts[0].1.clone();
        if sum.counts.iter().any(|(_, bound, _)| *bound != first) {
            for (_, bound, body) in &mut sum.counts {
                let bound = std::mem::take(bound);
                if bound.left_of.is_some() || bound.right_of.is_some() {
                    return None;
                }
                let others = bound.different_from.iter();
                let others = others.map(|other| not(Expr::Same(depth, *other)));
                let all: Vec<Expr> = others.chain([body.clone()]).collect();
                *body = Expr::And(all);
            }
        }
        let bound = sum.counts[0].1.clone();
        let bodies: Vec<Expr> = sum.counts.iter().map(|(.., body)| body.clone()).collect();
        let possible = self.possible(&bodies, scope);
        let mut adds: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for mask in &possible {
            let mut added = 0i64;
            for (number, (factor, ..)) in sum.counts.iter().enumerate() {
                if mask >> number & 1 == 1 {
                    added = added.checked_add(*factor)?;
                }
            }
            adds.entry(added).or_default().push(*mask);
        }
        let those = |masks: &[usize]| union_of(masks, &possible, &bodies);
        let adds: Vec<(i64, Vec<usize>)> = adds.into_iter().collect();
        sum.counts = match &adds[..] {
            [(factor, _)] if with_size && bound == Bound::default() => {
                return everybody(*factor, sum);
            }
            [(factor, _)] => vec![(*factor, bound, Expr::TRUE)],
            [(0, _), (factor, masks)] | [(factor, masks), (0, _)] => {
                vec![(*factor, bound, those(masks))]
            }
            // All of them add the less, and some add more.
            [(less, _), (more, masks)] if bound == Bound::default() => {
                let factor = more.checked_sub(*less)?;
                sum = everybody(*less, sum)?;
                vec![(factor, bound, those(masks))]
            }
            _ => return None,
        };
        sum.counts.retain(|(factor, ..)| *factor != 0);
        if sum.counts.is_empty() {
            sum.counts.push((1, Bound::default(), Expr::Constant(0)));
        }
        Some(sum)
    }

    /// Which conditions one process may satisfy together: a bit for each condition.
    fn possible(&self, bodies: &[Expr], scope: &Scope) -> Vec<usize> {
        let all = || (0..1 << bodies.len()).collect();
        let mut atoms: Vec<(Expr, Vec<Value>)> = Vec::new();
        let known = bodies
            .iter()
            .all(|body| self.atoms(body, scope, &mut atoms));
        let sizes = atoms.iter().map(|(_, values)| values.len());
        if !known || sizes.fold(1usize, usize::saturating_mul) > MOST_JOINT {
            return all();
        }
        let mut masks = std::collections::BTreeSet::new();
        let mut numbers = vec![0; atoms.len()];
        loop {
            let known: Vec<(&Expr, Value)> = (atoms.iter().zip(&numbers))
                .map(|((atom, values), number)| (atom, values[*number]))
                .collect();
            let mut mask = 0;
            for (number, body) in bodies.iter().enumerate() {
                match evaluate(body, &known) {
                    Some(value) => mask |= usize::from(value != 0) << number,
                    None => return all(),
                }
            }
            masks.insert(mask);
            let mut next = numbers.iter_mut().zip(&atoms);
            let advanced = next.any(|(number, (_, values))| {
                *number = (*number + 1) % values.len();
                *number != 0
            });
            if !advanced {
                return masks.into_iter().collect();
            }
        }
    }

    /// What the value of a condition hangs on: variables, and conditions that are not looked into.
    /// Whether all of it has few values.
    fn atoms(&self, expr: &Expr, scope: &Scope, atoms: &mut Vec<(Expr, Vec<Value>)>) -> bool {
        let mut each = |parts: &[&Expr]| parts.iter().all(|part| self.atoms(part, scope, atoms));
        match expr {
            Expr::Constant(_) => true,
            Expr::Not(inner) => each(&[inner]),
            Expr::And(all) | Expr::Or(all) => each(&all.iter().collect::<Vec<_>>()),
            Expr::Compare(_, left, right) | Expr::Arithmetic(_, left, right) => {
                each(&[left, right])
            }
            Expr::If(condition, yes, no) => each(&[condition, yes, no]),
            Expr::Size | Expr::HowMany { .. } => false,
            atom => {
                let variable = matches!(
                    atom,
                    Expr::Global(_) | Expr::Field(..) | Expr::Pair(..) | Expr::Choice(_)
                );
                let values = match (variable, self.finite_domain(atom, scope)) {
                    (_, Some(domain)) => domain.values(),
                    (true, None) => return false,
                    (false, None) => vec![0, 1],
                };
                if atoms.iter().all(|(known, _)| known != atom) {
                    atoms.push((atom.clone(), values));
                }
                true
            }
        }
    }
}

/// A sum in which each process adds the same: there are `n` of them.
fn everybody(each: i64, sum: Sum) -> Option<Sum> {
    let all = Sum {
        others: vec![(each, Expr::Size)],
        per: 1,
        ..Sum::default()
    };
    let rest = Sum {
        counts: Vec::new(),
        per: 1,
        ..sum
    };
    let mut sum = rest.plus(all)?;
    sum.counts.push((1, Bound::default(), Expr::Constant(0)));
    Some(sum)
}

/// The condition that is true for some of the possible combinations of conditions only: as short
/// as it can be said.
fn union_of(wanted: &[usize], possible: &[usize], bodies: &[Expr]) -> Expr {
    let some = |of: usize| -> Vec<Expr> {
        let chosen = bodies.iter().enumerate();
        let chosen = chosen.filter(|(number, _)| of >> number & 1 == 1);
        chosen.map(|(_, body)| body.clone()).collect()
    };
    let joined = |mut parts: Vec<Expr>, and: bool| match (parts.len(), and) {
        (1, _) => parts.remove(0),
        (_, true) => Expr::And(parts),
        (_, false) => Expr::Or(parts),
    };
    let is = |test: &dyn Fn(usize) -> bool| {
        let mut all = possible.iter();
        all.all(|mask| test(*mask) == wanted.contains(mask))
    };
    for of in 1..1usize << bodies.len() {
        if is(&|mask| mask & of != 0) {
            return joined(some(of), false);
        }
        if is(&|mask| mask & of == of) {
            return joined(some(of), true);
        }
        if is(&|mask| mask & of == 0) {
            return not(joined(some(of), false));
        }
        if is(&|mask| mask & of != of) {
            return not(joined(some(of), true));
        }
    }
    let every = (1usize << bodies.len()) - 1;
    let minterm = |mask: &usize| {
        let mut all = some(*mask);
        all.extend(some(every & !mask).into_iter().map(not));
        Expr::And(all)
    };
    Expr::Or(wanted.iter().map(minterm).collect())
}

/// The value of an expression where all that it hangs on is known.
fn evaluate(expr: &Expr, known: &[(&Expr, Value)]) -> Option<Value> {
    if let Some((_, value)) = known.iter().find(|(atom, _)| *atom == expr) {
        return Some(*value);
    }
    let truth = |expr: &Expr| Some(evaluate(expr, known)? != 0);
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Not(inner) => Some(Value::from(!truth(inner)?)),
        Expr::And(all) | Expr::Or(all) => {
            let all: Option<Vec<bool>> = all.iter().map(truth).collect();
            let mut all = all?.into_iter();
            Some(Value::from(match expr {
                Expr::And(_) => all.all(|one| one),
                _ => all.any(|one| one),
            }))
        }
        Expr::Compare(comparison, left, right) => Some(Value::from(
            comparison.holds(evaluate(left, known)?, evaluate(right, known)?),
        )),
        Expr::Arithmetic(arithmetic, left, right) => {
            arithmetic.apply(evaluate(left, known)?, evaluate(right, known)?)
        }
        Expr::If(condition, yes, no) => match truth(condition)? {
            true => evaluate(yes, known),
            false => evaluate(no, known),
        },
        _ => None,
    }
}
