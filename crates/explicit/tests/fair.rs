//! Runs that are weakly fair to labels: against a formula that says so, on random systems.

use quotient_core::Budget;
use quotient_explicit::{Lasso, Linear, Rest, Steps, System, carried_on, linear, linear_fair};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

const ATOMS: u32 = 3;
const LABELS: usize = 3;

/// Where a step with each label leads from each state, and the atoms that are true there.
#[derive(Debug)]
struct Table {
    steps: Vec<[Option<usize>; LABELS]>,
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
        for (label, next) in self.steps[state[0] as usize].iter().enumerate() {
            if let Some(next) = next {
                emit(label as u32, &[*next as u64]);
            }
        }
        Ok(())
    }
}

/// The same with the last label in the state.
struct Remembering<'a>(&'a Table);

impl System for Remembering<'_> {
    fn width(&self) -> usize {
        2
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&[0, u64::MAX]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        let tell = &mut |label: u32, next: &[u64]| emit(label, &[next[0], u64::from(label)]);
        self.0.successors(&state[..1], tell)
    }
}

fn table(u: &mut Unstructured<'_>, size: usize) -> Made<Table> {
    let size = u.int_in_range(1..=size)?;
    let (mut steps, mut atoms) = (Vec::new(), Vec::new());
    for _ in 0..size {
        let mut targets = [None; LABELS];
        for target in &mut targets {
            if u.int_in_range(0..=2)? > 0 {
                *target = Some(u.int_in_range(0..=size - 1)?);
            }
        }
        steps.push(targets);
        atoms.push(u.int_in_range(0..=(1 << ATOMS) - 1)?);
    }
    Ok(Table { steps, atoms })
}

fn formula(u: &mut Unstructured<'_>, depth: usize) -> Made<Formula<u32>> {
    if depth == 0 {
        return Ok(Formula::atom(u.int_in_range(0..=ATOMS - 1)?));
    }
    let unary =
        |u: &mut Unstructured<'_>, operator| Ok(Formula::unary(operator, formula(u, depth - 1)?));
    let binary = |u: &mut Unstructured<'_>, operator| {
        let left = formula(u, depth - 1)?;
        Ok(Formula::binary(operator, left, formula(u, depth - 1)?))
    };
    match u.int_in_range(0..=10)? {
        0 => formula(u, 0),
        1 => unary(u, Unary::Not),
        2 => unary(u, Unary::Next),
        3 => unary(u, Unary::Finally(None)),
        4 => unary(u, Unary::Globally(None)),
        5 => binary(u, Binary::And),
        6 => binary(u, Binary::Or),
        7 => binary(u, Binary::Implies),
        8 => binary(u, Binary::Release),
        9 => binary(u, Binary::WeakUntil),
        _ => binary(u, Binary::Until(None)),
    }
}

/// The values of a formula at the positions of a run that goes back from its last one.
fn along(formula: &Formula<u32>, run: &[u64], back: usize) -> Vec<bool> {
    let next = |at: usize| if at + 1 < run.len() { at + 1 } else { back };
    // Enough rounds to settle every fixpoint.
    let fixpoint = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
        let mut values = vec![start; run.len()];
        for _ in 0..2 * run.len() + 2 {
            for at in (0..run.len()).rev() {
                values[at] = step(at, values[next(at)]);
            }
        }
        values
    };
    match &formula.kind {
        Kind::Constant(value) => vec![*value; run.len()],
        Kind::Atom(atom) => run.iter().map(|atoms| atoms >> atom & 1 == 1).collect(),
        Kind::Unary(operator, inner) => {
            let inner = along(inner, run, back);
            match operator {
                Unary::Not => inner.iter().map(|value| !value).collect(),
                Unary::Next => (0..run.len()).map(|at| inner[next(at)]).collect(),
                Unary::Finally(_) => fixpoint(false, &|at, later| inner[at] || later),
                Unary::Globally(_) => fixpoint(true, &|at, later| inner[at] && later),
                _ => panic!("not linear"),
            }
        }
        Kind::Binary(operator, left, right) => {
            let (left, right) = (along(left, run, back), along(right, run, back));
            let each = |of: &dyn Fn(bool, bool) -> bool| {
                (0..run.len()).map(|at| of(left[at], right[at])).collect()
            };
            match operator {
                Binary::And => each(&|a, b| a && b),
                Binary::Or => each(&|a, b| a || b),
                Binary::Implies => each(&|a, b| !a || b),
                Binary::Until(_) => fixpoint(false, &|at, later| right[at] || left[at] && later),
                Binary::Release => fixpoint(true, &|at, later| right[at] && (left[at] || later)),
                Binary::WeakUntil => fixpoint(true, &|at, later| right[at] || left[at] && later),
                _ => panic!("not linear"),
            }
        }
        Kind::Placeholder(_) => panic!("not linear"),
    }
}

/// The second way: the formula itself says that runs are fair, about states that remember the last label.
fn holds_by_formula(table: &Table, formula: &Formula<u32>) -> bool {
    let mut whole = formula.clone();
    for label in 0..LABELS as u32 {
        let again = Formula::unary(Unary::Finally(None), Formula::atom(ATOMS + label));
        let fair = Formula::unary(Unary::Globally(None), again);
        whole = Formula::binary(Binary::Or, !fair, whole);
    }
    let system = Remembering(table);
    let mut values = |state: &[u64]| {
        let mut bits = table.atoms[state[0] as usize];
        for label in 0..LABELS {
            let missing = table.steps[state[0] as usize][label].is_none();
            bits |= u64::from(missing || state[1] == label as u64) << (ATOMS as usize + label);
        }
        bits
    };
    let mut steps = Steps::new(&system, 1000);
    let outcome = linear(&mut steps, &whole, &mut values, &Budget::unlimited()).unwrap();
    matches!(outcome, Linear::Holds(_))
}

/// Replays a run: its states and labels, and where it goes back to.
fn replayed(table: &Table, lasso: &Lasso) -> (Vec<usize>, Vec<usize>, usize) {
    let labels: Vec<usize> = lasso.labels.iter().map(|&label| label as usize).collect();
    let mut states = vec![lasso.first as usize];
    for &label in &labels {
        let at = states[states.len() - 1];
        states.push(table.steps[at][label].expect("no such step"));
    }
    let last = states[states.len() - 1];
    let back = match lasso.rest {
        Rest::Any => panic!("it was carried on"),
        Rest::Stuck => {
            assert!(table.steps[last].iter().all(Option::is_none), "it goes on");
            states.len() - 1
        }
        Rest::Back(back) => {
            assert!(back + 1 < states.len() && states[back] == last, "no loop");
            states.pop();
            back
        }
    };
    (states, labels, back)
}

#[test]
fn fair_runs_are_those_that_a_formula_describes() {
    let (mut broken, mut kept) = (0, 0);
    quotient_trial::trial(|u| {
        let table = table(u, 5)?;
        let depth = u.int_in_range(1..=3)?;
        let formula = formula(u, depth)?;
        let mut steps = Steps::new(&table, 1000);
        let mut values = |state: &[u64]| table.atoms[state[0] as usize];
        let budget = Budget::unlimited();
        let (outcome, _) = linear_fair(&mut steps, &formula, &mut values, &budget).unwrap();
        let expected = holds_by_formula(&table, &formula);
        match outcome {
            Linear::Holds(_) => {
                assert!(expected, "{formula:?} on {table:?}");
                kept += 1;
            }
            Linear::Violated(lasso) => {
                assert!(!expected, "{formula:?} on {table:?}");
                broken += 1;
                let decides = lasso.rest == Rest::Any;
                let lasso = carried_on(&mut steps, &lasso, &budget).unwrap();
                let (states, labels, back) = replayed(&table, &lasso);
                let atoms: Vec<u64> = states.iter().map(|&state| table.atoms[state]).collect();
                assert!(
                    !along(&formula, &atoms, back)[0],
                    "{formula:?} on {table:?}"
                );
                let fair = |label: usize| {
                    let missing = |&state: &usize| table.steps[state][label].is_none();
                    states[back..].iter().any(missing) || labels[back..].contains(&label)
                };
                // Where the beginning decides, it can be carried on in a fair way, too.
                assert!(decides || (0..LABELS).all(fair), "{formula:?} on {table:?}");
            }
        }
        Ok(())
    })
    .budget_ms(4_000);
    assert!(broken > 10 && kept > 10, "{broken} broken, {kept} kept");
}
