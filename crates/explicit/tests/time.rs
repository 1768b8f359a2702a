//! Formulas of time against naive ways, on random systems.

mod lines;

use lines::{ATOMS, along, formula};
use quotient_core::Budget;
use quotient_explicit::{
    Branching, Lasso, Linear, Rest, StateId, Steps, System, bottoms, carried_on, linear,
    linear_nearby, linear_part,
};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

/// A graph as a table, with the atoms that are true in each state.
#[derive(Debug)]
struct Table {
    steps: Vec<Vec<usize>>,
    atoms: Vec<u64>,
}

impl System for Table {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&[0]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        for (label, &next) in self.steps[state[0] as usize].iter().enumerate() {
            emit(label as u32, &[next as u64]);
        }
        Ok(())
    }
}

fn table(u: &mut Unstructured<'_>, size: usize, degree: usize) -> Made<Table> {
    let size = u.int_in_range(1..=size)?;
    let mut steps = Vec::new();
    let mut atoms = Vec::new();
    for _ in 0..size {
        let mut targets = Vec::new();
        for _ in 0..u.int_in_range(0..=degree)? {
            targets.push(u.int_in_range(0..=size - 1)?);
        }
        steps.push(targets);
        atoms.push(u.int_in_range(0..=(1 << ATOMS) - 1)?);
    }
    Ok(Table { steps, atoms })
}

fn checked(table: &Table, formula: &Formula<u32>) -> Linear {
    let mut steps = Steps::new(table, 1000);
    let mut values = |state: &[u64]| table.atoms[state[0] as usize];
    linear(&mut steps, formula, &mut values, &Budget::unlimited()).unwrap()
}

/// Replays a run; says what is true along it and where it goes back to. Where any rest would do, it
/// is carried on.
fn replayed(table: &Table, lasso: &Lasso) -> (Vec<u64>, usize) {
    let mut steps = Steps::new(table, 1000);
    let lasso = &carried_on(&mut steps, lasso, &Budget::unlimited()).unwrap();
    let mut at = 0;
    let mut states = vec![at];
    for &label in &lasso.labels {
        at = table.steps[at][label as usize];
        states.push(at);
    }
    let back = match lasso.rest {
        Rest::Any => panic!("it was carried on"),
        Rest::Stuck => {
            assert!(table.steps[at].is_empty(), "it goes on");
            states.len() - 1
        }
        Rest::Back(back) => {
            assert!(back + 1 < states.len() && states[back] == at, "no loop");
            states.pop();
            back
        }
    };
    (
        states.iter().map(|&state| table.atoms[state]).collect(),
        back,
    )
}

#[test]
fn a_single_run_is_judged_as_the_formula_says() {
    quotient_trial::trial(|u| {
        let table = table(u, 5, 1)?;
        let depth = u.int_in_range(1..=4)?;
        let formula = formula(u, depth)?;
        let mut seen = Vec::new();
        let mut at = 0;
        let back = loop {
            if let Some(back) = seen.iter().position(|&one| one == at) {
                break back;
            }
            seen.push(at);
            match table.steps[at].first() {
                Some(&next) => at = next,
                None => break seen.len() - 1,
            }
        };
        let run: Vec<u64> = seen.iter().map(|&state| table.atoms[state]).collect();
        let expected = along(&formula, &run, back)[0];
        let holds = matches!(checked(&table, &formula), Linear::Holds(_));
        assert_eq!(holds, expected, "{formula:?} on {table:?}");
        Ok(())
    })
    .budget_ms(4_000);
}

/// Whether some run of at most so many states that goes back breaks the formula.
fn broken_by_short_run(table: &Table, formula: &Formula<u32>, most: usize) -> bool {
    let mut todo = vec![vec![0]];
    while let Some(run) = todo.pop() {
        let last = run[run.len() - 1];
        let atoms: Vec<u64> = run.iter().map(|&state| table.atoms[state]).collect();
        let targets = &table.steps[last];
        if targets.is_empty() && !along(formula, &atoms, run.len() - 1)[0] {
            return true;
        }
        for &target in targets {
            for back in (0..run.len()).filter(|&back| run[back] == target) {
                if !along(formula, &atoms, back)[0] {
                    return true;
                }
            }
            if run.len() < most {
                todo.push([&run[..], &[target]].concat());
            }
        }
    }
    false
}

#[test]
fn runs_that_break_a_formula_are_real_and_found() {
    quotient_trial::trial(|u| {
        let table = table(u, 4, 2)?;
        let depth = u.int_in_range(1..=3)?;
        let formula = formula(u, depth)?;
        match checked(&table, &formula) {
            Linear::Holds(_) => assert!(!broken_by_short_run(&table, &formula, 6)),
            Linear::Violated(lasso) => {
                let (run, back) = replayed(&table, &lasso);
                assert!(!along(&formula, &run, back)[0], "{formula:?} on {table:?}");
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
}

/// All ways on from a state up to a number of states, as what is true there.
fn ways_on(table: &Table, state: usize, most: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![state]];
    for _ in 1..most {
        let longer = all.iter().flat_map(|run| {
            let last = run[run.len() - 1];
            let stays = [last];
            let next = match table.steps[last].is_empty() {
                true => &stays[..],
                false => &table.steps[last][..],
            };
            let next = next.iter().map(|&one| [&run[..], &[one]].concat());
            next.collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

#[test]
fn a_beginning_that_decides_does_so_whatever_comes_and_none_is_shorter() {
    let (mut decided, mut shortest) = (0, 0);
    quotient_trial::trial(|u| {
        let table = table(u, 5, 2)?;
        let depth = u.int_in_range(1..=2)?;
        let bad = formula(u, depth)?;
        let good = match u.int_in_range(0..=3)? {
            0 => Formula::unary(Unary::Globally(None), bad),
            1 => Formula::binary(Binary::WeakUntil, bad, formula(u, 1)?),
            2 => Formula::binary(Binary::Release, bad, formula(u, 1)?),
            _ => bad,
        };
        let Linear::Violated(run) = checked(&table, &good) else {
            return Ok(());
        };
        if run.rest != Rest::Any {
            return Ok(());
        }
        decided += 1;
        let mut states = vec![0];
        for &label in &run.labels {
            states.push(table.steps[states[states.len() - 1]][label as usize]);
        }
        // Every way on that comes back breaks it.
        let last = states[states.len() - 1];
        for way in ways_on(&table, last, 4) {
            let all = [&states[..], &way[1..]].concat();
            let atoms: Vec<u64> = all.iter().map(|&one| table.atoms[one]).collect();
            assert!(
                !along(&good, &atoms, atoms.len() - 1)[0],
                "{good:?} on {table:?}"
            );
        }
        // Of what must always be true now, the nearest state where it is not is found.
        if let Kind::Unary(Unary::Globally(_), inner) = &good.kind
            && matches!(inner.kind, Kind::Atom(_))
        {
            shortest += 1;
            let mut near = vec![0];
            let mut steps = 0;
            let breaks = |state: &usize| !along(inner, &[table.atoms[*state]], 0)[0];
            while !near.iter().any(breaks) {
                near = near
                    .iter()
                    .flat_map(|&one| table.steps[one].clone())
                    .collect();
                near.sort_unstable();
                near.dedup();
                steps += 1;
            }
            assert_eq!(run.labels.len(), steps, "{good:?} on {table:?}");
        }
        Ok(())
    })
    .budget_ms(3_000);
    assert!(decided > 0 && shortest > 0, "{decided} {shortest}");
}

#[test]
fn a_far_failure_is_shown_by_the_shortest_way() {
    // A long way in depth, a short one in breadth.
    let mut steps: Vec<Vec<usize>> = (0..200).map(|at| vec![at + 1]).collect();
    steps[0] = vec![200, 1];
    steps.push(vec![201]);
    steps.push(Vec::new());
    let mut atoms = vec![0; 202];
    (atoms[199], atoms[201]) = (1, 1);
    let table = Table { steps, atoms };
    let good = Formula::unary(Unary::Globally(None), !Formula::atom(0));
    let Linear::Violated(run) = checked(&table, &good) else {
        panic!("it holds");
    };
    assert_eq!((run.labels.len(), run.rest), (2, Rest::Any));
    // So it is where runs that go round break the formula, too.
    let again = Formula::unary(Unary::Finally(None), Formula::atom(1));
    let both = Formula::binary(
        Binary::And,
        good,
        Formula::unary(Unary::Globally(None), again),
    );
    let Linear::Violated(run) = checked(&table, &both) else {
        panic!("it holds");
    };
    assert_eq!((run.labels.len(), run.rest), (2, Rest::Any));
}

#[test]
fn runs_found_nearby_are_real_and_all_of_them_are_near_once_everything_was_visited() {
    quotient_trial::trial(|u| {
        let table = table(u, 6, 2)?;
        let depth = u.int_in_range(1..=3)?;
        let formula = formula(u, depth)?;
        let budget = Budget::unlimited();
        let mut values = |state: &[u64]| table.atoms[state[0] as usize];
        let mut steps = Steps::new(&table, 1000);
        for number in 0..=6 {
            let complete = steps.visit_first(number, &budget).unwrap();
            let visited = steps.visited();
            let near = linear_nearby(&mut steps, &formula, &mut values, &budget).unwrap();
            assert_eq!(steps.visited(), visited);
            if let Some(lasso) = &near {
                let (run, back) = replayed(&table, lasso);
                assert!(!along(&formula, &run, back)[0], "{formula:?} on {table:?}");
            }
            let broken = matches!(checked(&table, &formula), Linear::Violated(_));
            assert!(near.is_some() == broken || !complete && broken);
        }
        Ok(())
    })
    .budget_ms(3_000);
}

#[test]
fn the_states_that_show_a_formula_are_those_of_runs_that_might_have_broken_it() {
    // The first state decides: what comes after it does not matter.
    let table = Table {
        steps: vec![vec![1, 2], vec![0], vec![2]],
        atoms: vec![1, 0, 0],
    };
    let budget = Budget::unlimited();
    let mut values = |state: &[u64]| table.atoms[state[0] as usize];
    let mut steps = Steps::new(&table, 1000);
    steps.visit_first(3, &budget).unwrap();
    let part =
        |formula: &Formula<u32>, steps: &mut Steps<'_>, values: &mut dyn FnMut(&[u64]) -> u64| {
            linear_part(steps, formula, values, &budget).unwrap().1
        };
    let now = Formula::atom(0);
    assert!(part(&now, &mut steps, &mut values).is_empty());
    let next = Formula::unary(Unary::Next, !Formula::atom(0));
    assert_eq!(part(&next, &mut steps, &mut values), [StateId::new(0)]);
}

#[test]
fn parts_that_are_never_left_are_those_whose_states_lead_to_each_other_and_nowhere_else() {
    quotient_trial::trial(|u| {
        let table = table(u, 9, 2)?;
        let budget = Budget::unlimited();
        let mut steps = Steps::new(&table, 1000);
        let number = u.int_in_range(0..=9)?;
        steps.visit_first(number, &budget).unwrap();
        let found = bottoms(&steps, &budget).unwrap();
        let name = |id: &StateId| steps.graph().state(*id)[0] as usize;
        let mut found: Vec<Vec<usize>> = found
            .iter()
            .map(|part| part.iter().map(name).collect())
            .collect();
        // What each state leads to, itself included.
        let reached = |from: usize| {
            let mut all = vec![from];
            let mut at = 0;
            while at < all.len() {
                for &next in &table.steps[all[at]] {
                    if !all.contains(&next) {
                        all.push(next);
                    }
                }
                at += 1;
            }
            all.sort_unstable();
            all
        };
        let ids = StateId::all(steps.graph().len());
        let known: Vec<usize> = ids
            .filter(|&id| steps.known(id).is_some())
            .map(|id| name(&id))
            .collect();
        let mut expected: Vec<Vec<usize>> = known
            .iter()
            .map(|&state| reached(state))
            .filter(|all| {
                all.iter()
                    .all(|&one| known.contains(&one) && reached(one) == *all)
            })
            .collect();
        expected.sort();
        expected.dedup();
        found.iter_mut().for_each(|part| part.sort_unstable());
        found.sort();
        assert_eq!(found, expected, "{table:?}");
        Ok(())
    })
    .budget_ms(3_000);
}

fn branching(u: &mut Unstructured<'_>, depth: usize) -> Made<Formula<u32>> {
    if depth == 0 {
        return Ok(Formula::atom(u.int_in_range(0..=ATOMS - 1)?));
    }
    let quantifier = match u.arbitrary()? {
        true => Unary::ForAll,
        false => Unary::Exists,
    };
    let inner = branching(u, depth - 1)?;
    let quantified = |path| Formula::unary(quantifier, path);
    Ok(match u.int_in_range(0..=6)? {
        0 => !inner,
        1 => quantified(Formula::unary(Unary::Next, inner)),
        2 => quantified(Formula::unary(Unary::Finally(None), inner)),
        3 => quantified(Formula::unary(Unary::Globally(None), inner)),
        4 => Formula::binary(Binary::And, inner, branching(u, depth - 1)?),
        5 => Formula::binary(Binary::Or, inner, branching(u, depth - 1)?),
        _ => {
            let until = Binary::Until(None);
            quantified(Formula::binary(until, inner, branching(u, depth - 1)?))
        }
    })
}

/// The states that fulfil a formula, by unfolding operators until nothing changes.
fn naive(table: &Table, formula: &Formula<u32>) -> Vec<bool> {
    let size = table.steps.len();
    let fixpoint = |start: bool, all: bool, step: &dyn Fn(usize, bool) -> bool| {
        let mut values = vec![start; size];
        for _ in 0..=size {
            let old = values.clone();
            for (state, value) in values.iter_mut().enumerate() {
                let mut later = table.steps[state].iter().map(|&next| old[next]);
                // A run that ends fulfils what is still expected only if nothing is.
                let later = match (table.steps[state].is_empty(), all) {
                    (true, _) => start,
                    (false, true) => later.all(|value| value),
                    (false, false) => later.any(|value| value),
                };
                *value = step(state, later);
            }
        }
        values
    };
    match &formula.kind {
        Kind::Atom(atom) => table.atoms.iter().map(|one| one >> atom & 1 == 1).collect(),
        Kind::Unary(Unary::Not, inner) => naive(table, inner).iter().map(|one| !one).collect(),
        Kind::Unary(quantifier, path) => {
            let all = *quantifier == Unary::ForAll;
            match &path.kind {
                Kind::Unary(Unary::Next, inner) => {
                    let inner = naive(table, inner);
                    let of = |targets: &Vec<usize>| match all {
                        true => targets.iter().all(|&one| inner[one]),
                        false => targets.iter().any(|&one| inner[one]),
                    };
                    table.steps.iter().map(of).collect()
                }
                Kind::Unary(Unary::Finally(_), inner) => {
                    let inner = naive(table, inner);
                    fixpoint(false, all, &|at, later| inner[at] || later)
                }
                Kind::Unary(_, inner) => {
                    let inner = naive(table, inner);
                    fixpoint(true, all, &|at, later| inner[at] && later)
                }
                Kind::Binary(_, left, right) => {
                    let (left, right) = (naive(table, left), naive(table, right));
                    fixpoint(false, all, &|at, later| right[at] || left[at] && later)
                }
                _ => panic!("not branching"),
            }
        }
        Kind::Binary(operator, left, right) => {
            let (left, right) = (naive(table, left), naive(table, right));
            let of = |at: usize| match operator {
                Binary::And => left[at] && right[at],
                _ => left[at] || right[at],
            };
            (0..size).map(of).collect()
        }
        _ => panic!("not branching"),
    }
}

#[test]
fn what_a_part_of_the_graph_says_is_true_of_the_whole() {
    quotient_trial::trial(|u| {
        let table = table(u, 9, 3)?;
        let depth = u.int_in_range(1..=4)?;
        let formula = branching(u, depth)?;
        let expected = naive(&table, &formula)[0];
        let budget = Budget::unlimited();
        let mut steps = Steps::new(&table, 1000);
        for number in 0..=10 {
            let complete = steps.visit_first(number, &budget).unwrap();
            let mut atom =
                |atom: u32, state: &[u64]| table.atoms[state[0] as usize] >> atom & 1 == 1;
            let answer = Branching::new(&steps)
                .holds(&formula, &mut atom, &budget)
                .unwrap();
            assert!(
                answer.is_none_or(|answer| answer == expected),
                "{formula:?}"
            );
            assert!(answer.is_some() || !complete);
        }
        Ok(())
    })
    .budget_ms(4_000);
}
