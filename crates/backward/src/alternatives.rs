//! Formulas about given processes as alternatives, each a list of literals.

use quotient_arrays::{Domain, Formula, Place, Relation, System, Term};
use quotient_core::Stop;

use crate::cube::{Literal, OTHER, closed, ordered, says_more};

/// One of them must hold.
pub(crate) type Alternatives = Vec<Vec<Literal>>;

/// More alternatives than this are too many.
const MOST: usize = 4096;

/// A formula where the processes spoken of are these, among so many.
///
/// What must hold for every other process is asked of those below `processes` only: the states
/// that are left are more, not fewer.
pub(crate) fn of_formula(
    system: &System,
    formula: &Formula,
    at: &mut Vec<usize>,
    processes: usize,
) -> Result<Alternatives, Stop> {
    match formula {
        Formula::And(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let part = of_formula(system, part, at, processes)?;
                all = few(system, processes, both(&all, &part)?);
            }
            Ok(all)
        }
        Formula::Or(parts) => {
            let mut any = Vec::new();
            for part in parts {
                any.extend(of_formula(system, part, at, processes)?);
                bounded(any.len())?;
            }
            Ok(any)
        }
        Formula::Compare(left, relation, right) => {
            let (left, right) = (meant(left, at), meant(right, at));
            Ok(compare(system, &left, *relation, &right))
        }
        Formula::ForallOther(body) => {
            let mut all = vec![Vec::new()];
            for other in 0..processes {
                if !at.contains(&other) {
                    at.push(other);
                    let one = of_formula(system, body, at, processes);
                    at.pop();
                    all = few(system, processes, both(&all, &one?)?);
                }
            }
            Ok(all)
        }
        // Somebody who is not spoken of may do: nothing is asked. (Languages make such a process
        // one of the transition's own where they can.)
        Formula::ExistsOther(_) => Ok(vec![Vec::new()]),
        // Numbers of processes are not kept: nothing is asked. (Languages say what they mean for
        // sets that have a process in common by axioms.)
        Formula::Enough(_) | Formula::Many(..) | Formula::Few(..) => Ok(vec![Vec::new()]),
    }
}

/// The same alternatives, fewer of them where there are many.
fn few(system: &System, processes: usize, all: Alternatives) -> Alternatives {
    const MANY: usize = 24;
    match all.len() > MANY {
        true => consistent(system, processes, all),
        false => all,
    }
}

/// Those without contradictions, and where there are several only the widest of them.
pub(crate) fn consistent(system: &System, processes: usize, all: Alternatives) -> Alternatives {
    const SEVERAL: usize = 4;
    let all = all.into_iter();
    let mut all: Alternatives = all
        .filter_map(|literals| closed(system, processes, literals))
        .collect();
    if all.len() <= SEVERAL {
        return all;
    }
    all.sort_by_key(Vec::len);
    let mut widest = Alternatives::new();
    for literals in all {
        if !widest.iter().any(|wider| says_more(&literals, wider)) {
            widest.push(literals);
        }
    }
    widest
}

fn bounded(count: usize) -> Result<(), Stop> {
    match count > MOST {
        true => Err(Stop::bound("alternatives of a condition", MOST as u64)),
        false => Ok(()),
    }
}

/// Every alternative of the one with every alternative of the other.
pub(crate) fn both(one: &Alternatives, two: &Alternatives) -> Result<Alternatives, Stop> {
    bounded(one.len() * two.len())?;
    let pairs = one
        .iter()
        .flat_map(|left| two.iter().map(move |right| (left, right)));
    Ok(pairs
        .map(|(left, right)| [&left[..], &right[..]].concat())
        .collect())
}

/// A term that speaks of the processes themselves, not of places among them.
pub(crate) fn meant(term: &Term, at: &[usize]) -> Term {
    let place = |place: &Place| Place {
        variable: place.variable,
        at: place.at.iter().map(|one| at[*one]).collect(),
    };
    match term {
        Term::Cell(one) => Term::Cell(place(one)),
        Term::Constant(value) => Term::Constant(*value),
        Term::Process(one) => Term::Process(at[*one]),
        Term::Sum(parts, constant) => {
            let parts = parts.iter().map(|(factor, one)| (*factor, place(one)));
            Term::Sum(parts.collect(), *constant)
        }
    }
}

const ALWAYS: fn() -> Alternatives = || vec![Vec::new()];
const NEVER: fn() -> Alternatives = Vec::new;

/// A comparison of terms about the processes themselves.
pub(crate) fn compare(
    system: &System,
    left: &Term,
    relation: Relation,
    right: &Term,
) -> Alternatives {
    let sure = |holds: bool| if holds { ALWAYS() } else { NEVER() };
    if system.is_real(left) || system.is_real(right) {
        return ALWAYS();
    }
    if let Some((parts, constant)) = difference(system, left, right) {
        return of_numbers(parts, constant, relation);
    }
    match (left, relation, right) {
        (Term::Process(one), _, Term::Process(two)) => match relation {
            Relation::Same => sure(one == two),
            Relation::Different => sure(one != two),
            Relation::Less if one == two => NEVER(),
            Relation::AtMost if one == two => ALWAYS(),
            // Different processes: one of the two comes first.
            Relation::Less | Relation::AtMost => vec![vec![Literal::Before(*one, *two)]],
        },
        (Term::Constant(one), Relation::Same, Term::Constant(two)) => sure(one == two),
        (Term::Constant(one), Relation::Different, Term::Constant(two)) => sure(one != two),
        (Term::Cell(place), Relation::Same, Term::Constant(value) | Term::Process(value))
        | (Term::Constant(value) | Term::Process(value), Relation::Same, Term::Cell(place)) => {
            vec![vec![Literal::In(place.clone(), 1 << value)]]
        }
        (Term::Cell(place), Relation::Different, Term::Constant(value) | Term::Process(value))
        | (Term::Constant(value) | Term::Process(value), Relation::Different, Term::Cell(place)) => {
            vec![vec![Literal::In(place.clone(), !(1 << value))]]
        }
        (Term::Cell(one), Relation::Same, Term::Cell(two)) => match one == two {
            true => ALWAYS(),
            false => vec![vec![ordered(one.clone(), two.clone(), Literal::Same)]],
        },
        (Term::Cell(one), Relation::Different, Term::Cell(two)) => match one == two {
            true => NEVER(),
            false => vec![vec![ordered(one.clone(), two.clone(), Literal::Different)]],
        },
        // The order of a process that a cell holds is not kept: nothing is asked.
        _ => ALWAYS(),
    }
}

/// Left minus right, where they are numbers.
fn difference(system: &System, left: &Term, right: &Term) -> Option<(Vec<(i64, Place)>, i64)> {
    let number = |term: &Term| match term {
        Term::Sum(parts, constant) => Some((parts.clone(), *constant)),
        Term::Cell(place) if system.variables[place.variable.index()].domain == Domain::Integer => {
            Some((vec![(1, place.clone())], 0))
        }
        _ => None,
    };
    let (mut parts, constant) = number(left)?;
    let (others, other) = number(right)?;
    for (factor, place) in others {
        parts.push((factor.checked_neg()?, place));
    }
    Some((collected(parts), constant.checked_sub(other)?))
}

/// Every cell once.
fn collected(mut parts: Vec<(i64, Place)>) -> Vec<(i64, Place)> {
    parts.sort_by(|left, right| left.1.cmp(&right.1));
    let mut sum: Vec<(i64, Place)> = Vec::new();
    for (factor, place) in parts {
        match sum.last_mut() {
            Some((before, last)) if *last == place => *before = before.saturating_add(factor),
            _ => sum.push((factor, place)),
        }
    }
    sum.retain(|(factor, _)| *factor != 0);
    sum
}

/// A sum compared with zero.
fn of_numbers(parts: Vec<(i64, Place)>, constant: i64, relation: Relation) -> Alternatives {
    let back = |parts: &[(i64, Place)]| -> Vec<(i64, Place)> {
        parts
            .iter()
            .map(|(factor, place)| (-factor, place.clone()))
            .collect()
    };
    if parts.is_empty() {
        let holds = match relation {
            Relation::Same => constant == 0,
            Relation::Different => constant != 0,
            Relation::Less => constant < 0,
            Relation::AtMost => constant <= 0,
        };
        return if holds { ALWAYS() } else { NEVER() };
    }
    let below = Literal::AtMostZero(parts.clone(), constant.saturating_add(1));
    let above = Literal::AtMostZero(back(&parts), constant.saturating_neg().saturating_add(1));
    let at_most = Literal::AtMostZero(parts.clone(), constant);
    let at_least = Literal::AtMostZero(back(&parts), constant.saturating_neg());
    match relation {
        Relation::Less => vec![vec![below]],
        Relation::AtMost => vec![vec![at_most]],
        Relation::Same => vec![vec![at_most, at_least]],
        Relation::Different => vec![vec![below], vec![above]],
    }
}

/// A sum in which cells are replaced by what they were, as a literal; always true where a cell
/// could have been anything.
pub(crate) fn replaced(parts: &[(i64, Term)], constant: i64) -> Option<Alternatives> {
    let mut sum = Vec::new();
    let mut constant = constant;
    for (factor, term) in parts {
        match term {
            Term::Cell(place) => sum.push((*factor, place.clone())),
            Term::Sum(inner, number) => {
                constant = constant.checked_add(factor.checked_mul(*number)?)?;
                for (by, place) in inner {
                    sum.push((factor.checked_mul(*by)?, place.clone()));
                }
            }
            Term::Constant(_) | Term::Process(_) => return None,
        }
    }
    Some(of_numbers(collected(sum), constant, Relation::AtMost))
}

/// The values of an enumeration or of a process that a term stands for, where it is sure.
pub(crate) fn is_among(term: &Term, values: u64) -> Alternatives {
    match term {
        Term::Constant(value) | Term::Process(value) => match values >> value & 1 {
            1 => ALWAYS(),
            _ => NEVER(),
        },
        Term::Cell(place) => vec![vec![Literal::In(place.clone(), values)]],
        Term::Sum(..) => match values {
            0 => NEVER(),
            _ => ALWAYS(),
        },
    }
}

const _: () = assert!(OTHER == 1 << 63);
