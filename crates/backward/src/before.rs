//! The states before a transition that leads into a cube.

use quotient_arrays::{Place, System, Term, Transition, Value};
use quotient_core::{Budget, Stop};

use crate::alternatives::{
    Alternatives, both, compare, consistent, is_among, meant, of_formula, replaced,
};
use crate::cube::{Cube, Literal, MOST_PROCESSES};
use quotient_arrays::Relation;

/// What a cell was before: under these conditions, this term; or anything.
type Origins = Vec<(Vec<Literal>, Option<Term>)>;

/// The cubes whose states a transition may lead into a cube from, with the processes that take it.
///
/// Never fewer states than there are: what is asked of every other process is asked of those that
/// are spoken of.
pub(crate) fn before(
    system: &System,
    transition: &Transition,
    cube: &Cube,
    budget: &Budget,
) -> Result<Vec<Cube>, Stop> {
    let mut cubes = Vec::new();
    let touched = cube.literals.iter().flat_map(Literal::places).any(|place| {
        let mut updates = transition.updates.iter();
        updates.any(|update| update.variable == place.variable)
    });
    if !touched {
        return Ok(cubes);
    }
    let mut chosen = Vec::new();
    let mut ways = Vec::new();
    overlaps(
        cube.processes,
        transition.processes,
        &mut chosen,
        cube.processes,
        &mut ways,
    );
    for (at, processes) in ways {
        if processes > MOST_PROCESSES {
            return Err(Stop::bound(
                "processes of a set of states",
                MOST_PROCESSES as u64,
            ));
        }
        one_way(system, transition, cube, &at, processes, &mut cubes, budget)?;
    }
    Ok(cubes)
}

/// The ways in which the processes of a transition are among those of a cube, or new.
fn overlaps(
    old: usize,
    left: usize,
    chosen: &mut Vec<usize>,
    next: usize,
    ways: &mut Vec<(Vec<usize>, usize)>,
) {
    if left == 0 {
        ways.push((chosen.clone(), next));
        return;
    }
    for one in (0..old)
        .filter(|one| !chosen.contains(one))
        .collect::<Vec<_>>()
    {
        chosen.push(one);
        overlaps(old, left - 1, chosen, next, ways);
        chosen.pop();
    }
    chosen.push(next);
    overlaps(old, left - 1, chosen, next + 1, ways);
    chosen.pop();
}

fn one_way(
    system: &System,
    transition: &Transition,
    cube: &Cube,
    at: &[usize],
    processes: usize,
    cubes: &mut Vec<Cube>,
    budget: &Budget,
) -> Result<(), Stop> {
    let same: Vec<usize> = (0..cube.processes).collect();
    let guard = of_formula(system, &transition.guard, &mut at.to_vec(), processes)?;
    let mut partial = consistent(system, processes, guard);
    for literal in &cube.literals {
        // Processes that are new are among the others of the cube.
        let literal = literal.renamed(system, &same, cube.processes, processes);
        let was = origin(system, transition, &literal, at, processes)?;
        partial = consistent(system, processes, both(&partial, &was)?);
        budget.charge(1 + partial.len() as u64)?;
        if partial.is_empty() {
            return Ok(());
        }
    }
    for literals in partial {
        let made = Cube::new(system, processes, literals);
        cubes.extend(made.filter(|one| !cubes.contains(one)));
    }
    Ok(())
}

/// What must have held before for a literal to hold after.
fn origin(
    system: &System,
    transition: &Transition,
    literal: &Literal,
    at: &[usize],
    processes: usize,
) -> Result<Alternatives, Stop> {
    let of = |place: &Place| origins(system, transition, place, at, processes);
    let mut any = Alternatives::new();
    match literal {
        Literal::Before(..) => any.push(vec![literal.clone()]),
        Literal::In(place, values) => {
            for (conditions, term) in of(place)? {
                let fits = match term {
                    Some(term) => is_among(&term, *values),
                    None => vec![Vec::new()],
                };
                any.extend(both(&vec![conditions], &fits)?);
            }
        }
        Literal::Same(left, right) | Literal::Different(left, right) => {
            let relation = match literal {
                Literal::Same(..) => Relation::Same,
                _ => Relation::Different,
            };
            for (one, left) in &of(left)? {
                for (two, right) in &of(right)? {
                    let fits = match (left, right) {
                        (Some(left), Some(right)) => compare(system, left, relation, right),
                        _ => vec![Vec::new()],
                    };
                    any.extend(both(&vec![[&one[..], &two[..]].concat()], &fits)?);
                }
            }
        }
        Literal::AtMostZero(parts, constant) => {
            // Every choice of an origin for every cell.
            let mut choices: Vec<(Vec<Literal>, Option<Vec<(i64, Term)>>)> =
                vec![(Vec::new(), Some(Vec::new()))];
            for (factor, place) in parts {
                let mut next = Vec::new();
                for (conditions, term) in of(place)? {
                    for (known, sum) in &choices {
                        let sum = match (sum, &term) {
                            (Some(sum), Some(term)) => {
                                let mut sum = sum.clone();
                                sum.push((*factor, term.clone()));
                                Some(sum)
                            }
                            _ => None,
                        };
                        next.push(([&known[..], &conditions[..]].concat(), sum));
                    }
                }
                choices = next;
            }
            for (conditions, sum) in choices {
                let fits = sum.and_then(|sum| replaced(&sum, *constant));
                let fits = fits.unwrap_or_else(|| vec![Vec::new()]);
                any.extend(both(&vec![conditions], &fits)?);
            }
        }
    }
    Ok(consistent(system, processes, any))
}

/// What the value of a cell was before a transition of these processes.
fn origins(
    system: &System,
    transition: &Transition,
    place: &Place,
    at: &[usize],
    processes: usize,
) -> Result<Origins, Stop> {
    let updated = transition
        .updates
        .iter()
        .find(|update| update.variable == place.variable);
    let stays = Some(Term::Cell(place.clone()));
    let Some(update) = updated else {
        return Ok(vec![(Vec::new(), stays)]);
    };
    let mut at = at.to_vec();
    at.extend(&place.at);
    let mut origins = Origins::new();
    let mut not_before = vec![Vec::new()];
    for (condition, value) in &update.cases {
        let now = of_formula(system, condition, &mut at, processes)?;
        for conditions in consistent(system, processes, both(&not_before, &now)?) {
            let term = match value {
                Value::Is(term) => Some(meant(term, &at)),
                Value::Any => None,
            };
            origins.push((conditions, term));
        }
        let not = of_formula(system, &condition.negated(), &mut at, processes)?;
        not_before = consistent(system, processes, both(&not_before, &not)?);
        if not_before.is_empty() {
            break;
        }
    }
    for conditions in not_before {
        origins.push((conditions, stays.clone()));
    }
    Ok(origins)
}
