//! Runs that are weakly fair to labels: against a formula that says so, on random systems.

mod lines;

use lines::{ATOMS, along, formula};
use quotient_core::Budget;
use quotient_explicit::{
    Lasso, Linear, Rest, Steps, System, Unsure, Ways, carried_on, linear, linear_fair,
    linear_unsure,
};
use quotient_logic::{Binary, Formula, Unary};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

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
    let mut states = vec![lasso.first.index()];
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
    .cases(600);
    assert!(broken > 10 && kept > 10, "{broken} broken, {kept} kept");
}

/// The table with states that are remembered by so many bits.
struct Vague<'a>(&'a Table, u64);

impl Ways for Vague<'_> {
    type State = usize;

    fn initial(&self) -> Vec<usize> {
        vec![0]
    }

    fn steps(&self, state: &usize, emit: &mut dyn FnMut(u32, usize)) -> Result<(), u64> {
        for (label, next) in self.0.steps[*state].iter().enumerate() {
            next.iter().for_each(|&next| emit(label as u32, next));
        }
        Ok(())
    }

    fn values(&self, state: &usize) -> u64 {
        self.0.atoms[*state]
    }

    fn hash(&self, state: &usize) -> u64 {
        *state as u64 % self.1
    }
}

#[test]
fn by_hashes_no_run_is_found_that_is_none_and_few_are_missed() {
    let (mut broken, mut kept, mut missed) = (0, 0, 0);
    quotient_trial::trial(|u| {
        let table = table(u, 7)?;
        let depth = u.int_in_range(1..=3)?;
        let formula = formula(u, depth)?;
        let fair = u.arbitrary()?;
        let mut steps = Steps::new(&table, 1000);
        let mut values = |state: &[u64]| table.atoms[state[0] as usize];
        let budget = Budget::unlimited();
        let exact = match fair {
            true => linear_fair(&mut steps, &formula, &mut values, &budget).map(|found| found.0),
            false => linear(&mut steps, &formula, &mut values, &budget),
        };
        let holds = matches!(exact.unwrap(), Linear::Holds(_));
        for bits in [u64::MAX, 3] {
            let labels = fair.then_some(LABELS as u32);
            let vague = Vague(&table, bits);
            match linear_unsure(&vague, &formula, labels, &budget).unwrap() {
                Unsure::Nothing { pairs, chance } => {
                    assert!(pairs > 0 && chance < 1e-12);
                    assert!(holds || bits == 3, "{fair} {formula:?} on {table:?}");
                    missed += usize::from(!holds);
                    kept += usize::from(holds);
                }
                Unsure::Violated(lasso) => {
                    assert!(!holds, "{fair} {formula:?} on {table:?}");
                    let (states, labels, back) = replayed(&table, &lasso);
                    let atoms: Vec<u64> = states.iter().map(|&state| table.atoms[state]).collect();
                    assert!(
                        !along(&formula, &atoms, back)[0],
                        "{formula:?} on {table:?}"
                    );
                    let is_fair = |label: usize| {
                        let missing = |&state: &usize| table.steps[state][label].is_none();
                        states[back..].iter().any(missing) || labels[back..].contains(&label)
                    };
                    assert!(
                        !fair || (0..LABELS).all(is_fair),
                        "{formula:?} on {table:?}"
                    );
                    broken += 1;
                }
            }
        }
        Ok(())
    })
    .cases(1_500);
    assert!(
        broken > 100 && kept > 100 && missed < broken / 4,
        "{broken} broken, {kept} kept, {missed} missed"
    );
}
