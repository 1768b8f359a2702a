//! The compiled model means what the plain evaluator says, on every state and step.

mod random;

use proptest::prelude::*;
use quotient_core::{Budget, Source, Trouble};
use quotient_smv::{Compiled, File, Kind, Program, State, Value, When};
use quotient_symbolic::Valuation;

/// The bits of a state.
fn bits(program: &Program, compiled: &Compiled, state: &State) -> Valuation {
    let model = compiled.model();
    let mut valuation = Valuation::new(model.bit_count());
    for id in program.variable_ids() {
        let values = program.variable(id).domain.values(1 << 20).unwrap();
        let value = state.value(id);
        let code = match value {
            Value::Word { bits, .. } => bits,
            _ => (values.iter().position(|&known| known == value).unwrap() as u64).into(),
        };
        for (at, bit) in model.variable(compiled.variable(id)).bits().enumerate() {
            valuation.set(bit, code.bit(at));
        }
    }
    valuation
}

/// Whether some value is missing or outside of its domain, for any values of the variables.
fn has_mistake(program: &Program, all: &[State]) -> bool {
    let constraints = program
        .init()
        .iter()
        .chain(program.invariants())
        .chain(program.transitions());
    let fails = |now: &State, next: &State| {
        constraints
            .clone()
            .any(|&id| program.evaluate(id, now, Some(next)).is_err())
            || program.assignments().iter().any(|assignment| {
                let domain = &program.variable(assignment.variable).domain;
                match program.evaluate(assignment.value, now, Some(next)) {
                    Ok(values) => values.iter().any(|&value| !domain.contains(value)),
                    Err(_) => true,
                }
            })
    };
    // Frozen variables have the same value now and next in every expression.
    let frozen = |now: &State, next: &State| {
        program
            .variable_ids()
            .all(|id| program.variable(id).kind != Kind::Frozen || now.value(id) == next.value(id))
    };
    all.iter()
        .any(|now| all.iter().any(|next| frozen(now, next) && fails(now, next)))
}

fn check(seed: u64) -> Result<(), TestCaseError> {
    let text = random::model(&mut random::Random(seed), 18);
    let source = Source::new("random.smv", text.as_str());
    let file = File::read(&source)
        .map_err(|errors| TestCaseError::fail(format!("{text}\n{}", errors[0])))?;
    let program = file.program();
    let all = program.combinations(100, |_| true).unwrap();
    let budget = Budget::unlimited();
    let compiled = match Compiled::new(program, &budget) {
        Ok(compiled) => compiled,
        Err(Trouble::Invalid(mistakes)) => {
            prop_assert!(has_mistake(program, &all), "{text}\n{}", mistakes[0]);
            return Ok(());
        }
        Err(Trouble::Stopped(stop)) => panic!("{stop}"),
    };
    prop_assert!(
        !has_mistake(program, &all),
        "no mistake reported in\n{text}"
    );
    let model = compiled.model();
    for now in &all {
        let from = bits(program, &compiled, now);
        prop_assert_eq!(&compiled.state(program, &from), now);
        let holds = |constraints: &[quotient_symbolic::Expression]| {
            constraints
                .iter()
                .all(|&constraint| model.evaluate(constraint, &from, None))
        };
        let legal = holds(model.invariants());
        prop_assert_eq!(legal, program.is_legal(now), "{} {:?}", text, now);
        prop_assert_eq!(
            legal && holds(model.init()),
            program.is_initial(now),
            "{} {:?}",
            text,
            now
        );
        for next in all.iter().filter(|next| program.is_legal(next)) {
            let to = bits(program, &compiled, next);
            let frozen = program.variable_ids().all(|id| {
                program.variable(id).kind != Kind::Frozen || now.value(id) == next.value(id)
            });
            let steps = model.transitions().iter();
            let possible = frozen
                && steps
                    .clone()
                    .all(|&step| model.evaluate(step, &from, Some(&to)));
            prop_assert_eq!(
                possible,
                program.is_step(now, next),
                "{} {:?} {:?}",
                text,
                now,
                next
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn compiled_model_agrees_with_the_evaluator(seed in any::<u64>()) {
        check(seed)?;
    }
}

#[test]
fn processes_interleave_and_keep_what_they_do_not_assign() {
    let source = Source::new(
        "processes.smv",
        "MODULE main VAR x : 0..3; a : process up(x); b : process down(x); free : boolean;
         ASSIGN init(x) := 1;
         MODULE up(v) ASSIGN next(v) := v < 3 ? v + 1 : v;
         MODULE down(v) VAR d : boolean; ASSIGN init(d) := FALSE; next(d) := TRUE;
           next(v) := v > 0 ? v - 1 : v; FAIRNESS running",
    );
    let file = File::read(&source).unwrap();
    let program = file.program();
    let selector = &program.variables()[0];
    assert_eq!(
        (selector.name.as_str(), selector.kind),
        ("_process_selector_", Kind::Input)
    );
    let explored = program.explore(1000, &Budget::unlimited()).unwrap();
    let x = program.variable_ids().nth(1).unwrap();
    let d = program
        .variable_ids()
        .find(|&id| program.variable(id).name == "b.d")
        .unwrap();
    for (state, successors) in explored.states.iter().zip(&explored.successors) {
        for &successor in successors {
            let next = &explored.states[successor];
            let (before, after) = (
                state.value(x).number().unwrap(),
                next.value(x).number().unwrap(),
            );
            assert!((before - after).abs() <= 1);
            // Only `down` lowers `x`, and it sets `d`.
            assert!(after >= before || next.value(d) == Value::Boolean(true));
            // Nothing changes `d` back.
            assert!(
                state.value(d) == Value::Boolean(false) || next.value(d) == Value::Boolean(true)
            );
        }
    }
    // `x = 0` without `d` cannot be reached; `free` is free.
    assert_eq!(explored.states.len(), (4 * 2 - 1) * 2);
    assert!(
        program
            .assignments()
            .iter()
            .any(|assignment| assignment.when == When::Next)
    );
    assert!(Compiled::new(program, &Budget::unlimited()).is_ok());
}

#[test]
fn arrays_take_indices_from_the_state() {
    let source = Source::new(
        "arrays.smv",
        "MODULE main VAR a : array 0..2 of array 1..2 of 0..3; i : 0..2; DEFINE t := [5, 6, 7];
         DEFINE cell := a[i][2]; looked := t[i]; equal := a[0] = a[1];",
    );
    let file = File::read(&source).unwrap();
    let program = file.program();
    let values: Vec<Value> = (0..6)
        .map(|number| Value::Integer(number % 4))
        .chain([Value::Integer(2)])
        .collect();
    let state = State(values);
    let results: Vec<_> = program
        .defines()
        .iter()
        .map(|&(ref name, id)| {
            (
                name.as_str(),
                program.evaluate(id, &state, None).unwrap()[0],
            )
        })
        .collect();
    assert_eq!(
        results,
        [
            ("cell", Value::Integer(1)),
            ("looked", Value::Integer(7)),
            ("equal", Value::Boolean(false))
        ]
    );
}

/// Bits of a sum stand beside the bits that they are the sum of: otherwise no computer has room
/// for the relation.
#[test]
fn sums_of_words_take_few_nodes() {
    let registers = "
        MODULE main
        VAR a : word[16]; b : word[16]; pa : word[16]; pb : word[16]; s : word[16];
        ASSIGN
          init(s) := 0ud16_0; init(pa) := 0ud16_0; init(pb) := 0ud16_0;
          next(s) := a + b; next(pa) := a; next(pb) := b;
        INVARSPEC s = pa + pb";
    let constants = "
        MODULE main
        FROZENVAR a : word[16]; b : word[16];
        VAR s : word[16];
        ASSIGN init(s) := a; next(s) := s = a ? a + b : s;
        INVARSPEC s = a | s = a + b";
    let config = quotient_smv::Config {
        nodes: 1 << 16,
        room: 1 << 16,
        ..quotient_smv::Config::default()
    };
    for text in [registers, constants] {
        let file = File::read(&Source::new("sum", text)).unwrap();
        let context = quotient_core::Context::default();
        let mut session = quotient_smv::Session::open(file, config, &context).unwrap();
        let answer = session.check(0).unwrap();
        assert_eq!(answer.verdict, quotient_core::Verdict::Holds, "{text}");
    }
}

#[test]
fn a_long_range_is_in_a_set_only_if_all_of_it_is() {
    let compiled = |range: &str, set: &str| {
        let text = format!("MODULE main VAR x : boolean; INIT ({range}) in ({set})");
        let file = File::read(&Source::new("range.smv", text.as_str())).unwrap();
        Compiled::new(file.program(), &Budget::unlimited()).map(|_| ())
    };
    assert!(compiled("0..9", "0..20").is_ok());
    // Beyond what can be looked at it is not known, which is no reason to take it for true.
    let unknown = compiled("0..3000000", "0..2000000");
    assert!(matches!(unknown, Err(Trouble::Stopped(_))));
    let least = compiled("-4000000000..4000000000", "0..1");
    assert!(matches!(least, Err(Trouble::Stopped(_))));
}

#[test]
fn the_least_number_has_no_opposite() {
    let text = "MODULE main VAR x : boolean; INIT -(-2147483648 * 2147483648 * 2) = 0";
    let file = File::read(&Source::new("least.smv", text)).unwrap();
    let program = file.program();
    let states = program.explore(4, &Budget::unlimited());
    // No panic; whether such a model is refused is another question.
    assert!(states.is_ok_and(|explored| explored.initial.is_empty()));
}
