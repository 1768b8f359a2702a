//! The plain data mean what the evaluator of the language says, in every state and step.

use super::*;
use proptest::prelude::*;
use quotient_smv::{NodeId, Problem, State, Value};
use quotient_states as states;
use quotient_states::ExpressionId;

/// A state in plain data, by the text of its values.
fn plain(program: &Program, model: &states::Model, state: &State) -> states::State {
    let values = model.variables.iter().zip(&state.0);
    let read = values.map(|(variable, &value)| {
        let text = program.show(value);
        let found = model.read(&variable.domain, &text);
        assert_eq!(found.map(|found| model.show(found)), Some(text));
        found.unwrap()
    });
    states::State(read.collect())
}

fn shown(program: &Program, values: Result<Vec<Value>, Problem>) -> Option<String> {
    match values.as_deref() {
        Ok(&[value]) => Some(program.show(value)),
        Ok(other) => panic!("{other:?} is not one value"),
        Err(_) => None,
    }
}

fn compare(text: &str) {
    let file = read(text);
    let program = file.program();
    let asked = &program.specifications()[0];
    let (model, property) = program.to_states(asked, &Budget::unlimited()).unwrap();
    let types = model
        .check()
        .unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    model.check_property(&property, &types).unwrap();
    let all = program.combinations(300, |_| true).unwrap();
    let condition = |formula: &quotient_logic::Formula<NodeId>| *formula.atoms()[0];
    let atoms = (condition(&asked.formula), *property.formula.atoms()[0]);
    // Constraints come first, assignments after them.
    let pairs = |from: &[NodeId], to: &[ExpressionId]| -> Vec<(NodeId, ExpressionId)> {
        from.iter().copied().zip(to.iter().copied()).collect()
    };
    let mut expressions = pairs(program.init(), &model.initial);
    expressions.extend(pairs(program.invariants(), &model.invariants));
    expressions.extend(pairs(program.transitions(), &model.transitions));
    expressions.push(atoms);
    for now in &all {
        let from = plain(program, &model, now);
        assert_eq!(
            model.is_legal(&from),
            program.is_legal(now),
            "{now:?}\n{text}"
        );
        assert_eq!(
            model.is_initial(&from),
            program.is_initial(now),
            "{now:?}\n{text}"
        );
        for next in &all {
            let to = plain(program, &model, next);
            let step = program.is_step(now, next);
            assert_eq!(model.is_step(&from, &to), step, "{now:?} {next:?}\n{text}");
            let values = model.values(&from, Some(&to));
            for &(node, id) in &expressions {
                let expected = shown(program, program.evaluate(node, now, Some(next)));
                let found = values.of(id).map(|value| model.show(value));
                assert_eq!(found, expected, "{now:?} {next:?}\n{text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_models_mean_the_same_in_plain_data(seed in any::<u64>()) {
        let text = random::model_with_condition(&mut random::Random(seed), 12);
        compare(&format!("{text} INVARSPEC d1"));
    }
}

#[test]
fn sets_failures_arrays_and_processes_mean_the_same() {
    let texts = [
        // Assigned sets with choices, ranges, failures and symbols.
        "VAR x : 0..3; e : {a, 1, 2}; ASSIGN init(x) := {1, 3} union 0; init(e) := 1..2;
         next(x) := case x = 0 : 1..2; x = 1 : {0, x + 1}; x = 2 : x > 1 ? {3} : 0..3; esac;
         next(e) := e = a ? {1, 2} : {a, e}; INVARSPEC e in {a, 2} -> x in 1..2",
        // Containment of sets in sets, where a value may be missing.
        "VAR x : 0..2; y : 0..2; INIT {x, y} in {1, 2} TRANS (x / y) in 0..next(x) + 0 | 1..x + 0 = 1..x + 0
         INVARSPEC 1..2 in {x, y} union 2",
        "VAR x : 0..2; y : 0..2; INIT {x, y} in {1, 2} union 0 TRANS (x / y) in {next(x), y mod x}
         INVARSPEC 1..2 in ({x, y} union 2)",
        // Words, shifted and cut.
        "VAR w : word[2]; s : signed word[3]; TRANS next(w) = (w >> toint(s)) & 0ub2_01 :: 0ub1_1 [0:0]
         INVARSPEC s < -s",
        "VAR w : word[2]; s : signed word[3]; TRANS next(w) = (w >> w) INVARSPEC (s << w) < -s",
        // Arrays by index, frozen variables.
        "VAR t : array 0..1 of 0..2; i : 0..2; FROZENVAR f : boolean; INVAR f -> t[i] > 0
         INVARSPEC t[i] = i",
    ];
    let mut read = 0;
    for text in texts {
        let text = format!("MODULE main {text}");
        if File::read(&Source::new("m.smv", text.as_str())).is_ok() {
            compare(&text);
            read += 1;
        }
    }
    assert!(read >= 4, "{read}");
    compare(
        "MODULE main VAR x : 0..2; a : process up(x); b : process up(x);
         ASSIGN init(x) := 0; INVARSPEC x < 2
         MODULE up(v) ASSIGN next(v) := v < 2 ? v + 1 : v; FAIRNESS running",
    );
}
