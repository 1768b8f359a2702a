//! Random systems: what the search says is what instances do, and the checker follows it.

use std::collections::HashSet;

use quotient_arrays::{
    Bad, Domain, EnumerationId, Formula, Instance, Place, Relation, Start, State, System, Term,
    Transition, Update, Value, Variable, VariableId, different,
};
use quotient_backward::{Backward, Slice, beginnings};
use quotient_certify::{certify_never, certify_run};
use quotient_core::{Budget, Conclusion, Context, Span, run};
use quotient_trial::arbitrary::{Result, Unstructured};

const NOWHERE: fn() -> Span = || Span::new(0, 0);

/// Two variables and two arrays over an enumeration of three values, and one that holds a process.
fn variables() -> Vec<Variable> {
    vec![
        Variable::array("Flag", 0, Domain::Enumeration(EnumerationId::new(0))),
        Variable::array("Owner", 0, Domain::Process),
        Variable::array("At", 1, Domain::Enumeration(EnumerationId::new(0))),
        Variable::array("Mark", 1, Domain::Enumeration(EnumerationId::new(0))),
    ]
}

fn constant(u: &mut Unstructured<'_>) -> Result<Term> {
    Ok(Term::Constant(u.int_in_range(0..=2)?))
}

fn cell(u: &mut Unstructured<'_>, processes: usize) -> Result<Term> {
    let variable = match processes {
        0 => 0,
        _ => *u.choose(&[0, 2, 3])?,
    };
    let at = match variable {
        0 => vec![],
        _ => vec![u.int_in_range(0..=processes - 1)?],
    };
    Ok(Term::Cell(Place {
        variable: VariableId::new(variable),
        at,
    }))
}

fn comparison(u: &mut Unstructured<'_>, processes: usize) -> Result<Formula> {
    let relation = match u.ratio(1, 3)? {
        true => Relation::Different,
        false => Relation::Same,
    };
    if processes > 0 && u.ratio(1, 5)? {
        let owner = Term::Cell(Place {
            variable: VariableId::new(1),
            at: vec![],
        });
        let process = Term::Process(u.int_in_range(0..=processes - 1)?);
        return Ok(Formula::Compare(owner, relation, process));
    }
    let left = cell(u, processes)?;
    let right = match u.ratio(1, 5)? {
        true => cell(u, processes)?,
        false => constant(u)?,
    };
    Ok(Formula::Compare(left, relation, right))
}

fn conjunction(u: &mut Unstructured<'_>, processes: usize, most: usize) -> Result<Formula> {
    let mut parts = Vec::new();
    for _ in 0..u.int_in_range(1..=most)? {
        parts.push(comparison(u, processes)?);
    }
    Ok(Formula::And(parts))
}

fn transition(u: &mut Unstructured<'_>, number: usize) -> Result<Transition> {
    let processes = u.int_in_range(1..=2)?;
    let mut guard = vec![conjunction(u, processes, 2)?];
    if u.ratio(1, 3)? {
        guard.push(Formula::ForallOther(Box::new(comparison(
            u,
            processes + 1,
        )?)));
    }
    let mut updates = Vec::new();
    for variable in 0..4 {
        if !u.ratio(1, 2)? {
            continue;
        }
        let value = |u: &mut Unstructured<'_>, processes: usize| -> Result<Value> {
            Ok(match (variable, u.int_in_range(0..=5)?) {
                (_, 0) => Value::Any,
                (1, _) => Value::Is(Term::Process(u.int_in_range(0..=processes - 1)?)),
                (_, 1) => Value::Is(cell(u, processes)?),
                _ => Value::Is(constant(u)?),
            })
        };
        let mut cases = Vec::new();
        if variable >= 2 {
            let own = Formula::Compare(
                Term::Process(processes),
                Relation::Same,
                Term::Process(u.int_in_range(0..=processes - 1)?),
            );
            cases.push((own, value(u, processes + 1)?));
            if u.ratio(1, 3)? {
                cases.push((comparison(u, processes + 1)?, value(u, processes + 1)?));
            }
        } else {
            cases.push((Formula::TRUE, value(u, processes)?));
        }
        updates.push(Update {
            variable: VariableId::new(variable),
            cases,
        });
    }
    Ok(Transition {
        name: format!("t{number}"),
        processes,
        guard: Formula::And(guard),
        updates,
        span: NOWHERE(),
    })
}

fn system(u: &mut Unstructured<'_>) -> Result<System> {
    let is = |variable: usize, at: Vec<usize>, value: usize| {
        Formula::Compare(
            Term::Cell(Place {
                variable: VariableId::from_index(variable),
                at,
            }),
            Relation::Same,
            Term::Constant(value),
        )
    };
    let start = Formula::And(vec![is(0, vec![], 0), is(2, vec![0], 0), is(3, vec![0], 0)]);
    let mut transitions = Vec::new();
    for number in 0..u.int_in_range(1..=4)? {
        transitions.push(transition(u, number)?);
    }
    let processes = u.int_in_range(1..=2)?;
    Ok(System {
        enumerations: vec![vec!["A".into(), "B".into(), "C".into()]],
        variables: variables(),
        start: Start {
            processes: 1,
            formula: start,
        },
        bad: vec![Bad {
            name: "bad".into(),
            ways: vec![(processes, conjunction(u, processes, 3)?)],
            span: NOWHERE(),
        }],
        transitions,
        ..System::default()
    })
}

/// Whether something bad can be reached with so many processes, by trying everything.
fn is_reached(system: &System, processes: usize) -> Option<bool> {
    let budget = Budget::unlimited();
    let instance = Instance::new(system, processes);
    let bad = &system.bad[0];
    let mut known: HashSet<State> = HashSet::new();
    let mut left = beginnings(system, processes, 1_000, &budget).expect("few beginnings");
    known.extend(left.iter().cloned());
    while let Some(state) = left.pop() {
        if instance.is_bad(bad, &state) {
            return Some(true);
        }
        if known.len() > 3_000 {
            return None;
        }
        for transition in &system.transitions {
            let mut tuples = Vec::new();
            different(processes, transition.processes, &mut |at| {
                tuples.push(at.clone())
            });
            for at in tuples {
                for next in instance
                    .after(transition, &at, &state, &budget)
                    .expect("no budget")
                {
                    if known.insert(next.clone()) {
                        left.push(next);
                    }
                }
            }
        }
    }
    Some(false)
}

#[test]
fn verdicts_are_those_of_instances_and_the_checker_follows_them() {
    let (mut held, mut violated) = (0, 0);
    quotient_trial::trial(|u| {
        let system = system(u)?;
        let mut cx = Context {
            budget: Budget::unlimited().child_with_work(200_000),
            ..Context::default()
        };
        let outcome = run(&mut Backward::new(&system, &system.bad[0]), &mut cx);
        let budget = Budget::unlimited();
        match outcome.conclusion {
            Conclusion::Holds(proof) => {
                held += 1;
                let never = proof.formulas(&system);
                let checked = certify_never(&system, 0, &never, &budget);
                assert!(checked.is_ok(), "{checked:?} {system:#?} {never:#?}");
                for processes in 1..=3 {
                    assert_ne!(is_reached(&system, processes), Some(true), "{system:#?}");
                }
                // Without one of its parts, what is left proves it still or is refused, but the
                // empty list proves nothing that a start or a step could break.
                if certify_never(&system, 0, &[], &budget).is_ok() {
                    for processes in 1..=3 {
                        assert_ne!(is_reached(&system, processes), Some(true));
                    }
                }
            }
            Conclusion::Violated(run) => {
                violated += 1;
                certify_run(&system, 0, run.processes, &run.states, &run.steps, &budget)
                    .expect("our own run is followed");
            }
            Conclusion::Unknown(_) => {}
        }
        Ok(())
    })
    .budget_ms(6_000)
    .size_min(200);
    assert!(held > 0 && violated > 0, "{held} held, {violated} violated");
}

#[test]
fn what_is_bad_is_never_certified_whatever_the_parts_are() {
    quotient_trial::trial(|u| {
        let system = system(u)?;
        let reached = (1..=3).any(|processes| is_reached(&system, processes) == Some(true));
        if !reached {
            return Ok(());
        }
        let mut never = system.bad[0].ways.clone();
        for _ in 0..u.int_in_range(0..=6)? {
            let processes = u.int_in_range(0..=3)?;
            never.push((processes, conjunction(u, processes, 3)?));
        }
        if u.ratio(1, 4)? {
            never.remove(0);
        }
        let checked = certify_never(&system, 0, &never, &Budget::unlimited());
        assert!(checked.is_err(), "{system:#?} {never:#?}");
        Ok(())
    })
    .budget_ms(3_000)
    .size_min(400);
}

#[test]
fn what_a_question_does_not_hang_on_makes_no_difference() {
    let (mut held, mut violated, mut knowing) = (0, 0, 0);
    quotient_trial::trial(|u| {
        let system = system(u)?;
        let bad = &system.bad[0];
        let Some(slice) = Slice::of(&system, bad) else {
            return Ok(());
        };
        for processes in 1..=3 {
            let whole = is_reached(&system, processes);
            let part = is_reached(&slice.system, processes);
            if whole.is_some() && part.is_some() {
                assert_eq!(whole, part, "{processes} {system:#?}");
            }
        }
        let mut cx = Context {
            budget: Budget::unlimited().child_with_work(200_000),
            ..Context::default()
        };
        let outcome = run(&mut Backward::new(&slice.system, bad), &mut cx);
        let budget = Budget::unlimited();
        match outcome.conclusion {
            Conclusion::Holds(proof) => {
                held += 1;
                let never = proof.formulas(&slice.system);
                let checked = certify_never(&system, 0, &never, &budget);
                assert!(checked.is_ok(), "{checked:?} {system:#?} {never:#?}");
                // Something else is asked of the whole system by somebody who knows this.
                let processes = u.int_in_range(1..=2)?;
                let other = Bad {
                    name: "other".into(),
                    ways: vec![(processes, conjunction(u, processes, 3)?)],
                    span: NOWHERE(),
                };
                let whole = System {
                    bad: vec![other.clone()],
                    ..system.clone()
                };
                let mut search = Backward::new(&whole, &other).knowing([&proof]);
                match run(&mut search, &mut cx).conclusion {
                    Conclusion::Holds(proof) => {
                        knowing += 1;
                        let never = proof.formulas(&whole);
                        let checked = certify_never(&whole, 0, &never, &budget);
                        assert!(checked.is_ok(), "{checked:?} {whole:#?} {never:#?}");
                    }
                    Conclusion::Violated(run) => {
                        let (states, steps) = (&run.states, &run.steps);
                        certify_run(&whole, 0, run.processes, states, steps, &budget)
                            .expect("our own run is followed");
                    }
                    Conclusion::Unknown(_) => {}
                }
            }
            Conclusion::Violated(run) => {
                violated += 1;
                let run = slice.whole(&system, &run, &budget).expect("no budget");
                let run = run.expect("the same steps go through");
                certify_run(&system, 0, run.processes, &run.states, &run.steps, &budget)
                    .expect("the run is followed");
            }
            Conclusion::Unknown(_) => {}
        }
        Ok(())
    })
    .budget_ms(3_000)
    .size_min(200);
    assert!(held > 0 && violated > 0, "{held} held, {violated} violated");
    assert!(knowing > 0, "nothing was shown by what was known");
}
