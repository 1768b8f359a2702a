//! Runs replay if and only if the model can do them.

mod random;

use proptest::prelude::*;
use quotient_core::{Budget, Source};
use quotient_smv::{File, Kind, Mismatch, Program, Run, State};
use random::Random;

/// A walk of a few steps from an initial state, with inputs that allow each step.
fn walk(program: &Program, random: &mut Random) -> Option<Run> {
    let explored = program.explore(200, &Budget::unlimited()).ok()?;
    let inputs = program.combinations(200, |kind| kind == Kind::Input).ok()?;
    if explored.initial.is_empty() {
        return None;
    }
    let mut at = random.pick(&explored.initial);
    let mut states = vec![explored.states[at].clone()];
    for _ in 0..4 {
        if explored.successors[at].is_empty() {
            break;
        }
        let to = random.pick(&explored.successors[at]);
        let next = explored.states[to].clone();
        let here = states.last_mut()?;
        let input = inputs
            .iter()
            .find(|input| program.is_step(&program.with_inputs(here, input), &next))?;
        *here = program.with_inputs(here, input);
        states.push(next);
        at = to;
    }
    Some(Run {
        states,
        back_to: None,
        variables: program.variable_ids().collect(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..Default::default() })]

    #[test]
    fn walks_replay_and_changed_walks_only_if_they_are_walks(seed in any::<u64>()) {
        let mut random = Random(seed);
        let text = random::model(&mut random, 18);
        let file = File::read(&Source::new("random.smv", text.as_str())).unwrap();
        let program = file.program();
        let Some(run) = walk(program, &mut random) else { return Ok(()) };
        prop_assert_eq!(run.replay(program), Ok(()), "{}", text);

        let all = program.combinations(200, |_| true).unwrap();
        let mut changed = run.clone();
        let at = random.below(run.states.len());
        changed.states[at] = random.pick(&all);
        let is_run = changed.states.iter().all(|state| program.is_legal(state))
            && program.is_initial(&changed.states[0])
            && changed.states.windows(2).all(|pair| program.is_step(&pair[0], &pair[1]));
        prop_assert_eq!(changed.replay(program).is_ok(), is_run, "{}", text);
    }
}

fn counter() -> File {
    let text = "MODULE main VAR x : 0..2; free : boolean; IVAR up : boolean;
        DEFINE top := x = 2;
        ASSIGN init(x) := 0; next(x) := up ? (x + 1) mod 3 : x; next(free) := !free;";
    File::read(&Source::new("counter.smv", text)).unwrap()
}

fn state(program: &Program, values: &[&str]) -> State {
    let values = program
        .variables()
        .iter()
        .zip(values)
        .map(|(variable, text)| {
            let domain = variable.domain.values(10).unwrap();
            domain
                .into_iter()
                .find(|&value| program.show(value) == *text)
                .unwrap()
        });
    State(values.collect())
}

#[test]
fn steps_show_what_changes() {
    let file = counter();
    let program = file.program();
    let run = Run {
        states: [
            ["0", "FALSE", "TRUE"],
            ["1", "FALSE", "TRUE"],
            ["2", "FALSE", "TRUE"],
        ]
        .map(|values| state(program, &values))
        .to_vec(),
        back_to: Some(0),
        // `free` is left out: it does not matter.
        variables: program
            .variable_ids()
            .filter(|id| id.index() != 1)
            .collect(),
    };
    assert_eq!(run.replay(program), Ok(()));
    let shown: Vec<String> = run
        .steps(program)
        .iter()
        .map(|step| {
            let list = |items: &[quotient_smv::Shown]| -> Vec<String> {
                items
                    .iter()
                    .map(|item| format!("{}={}", item.name, item.value))
                    .collect()
            };
            let mark = if step.loop_starts { "loop " } else { "" };
            format!(
                "{mark}{:?} {:?} {:?}",
                list(&step.inputs),
                list(&step.changes),
                list(&step.definitions)
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            r#"loop [] ["x=0"] ["top=FALSE"]"#,
            r#"["up=TRUE"] ["x=1"] []"#,
            r#"["up=TRUE"] ["x=2"] ["top=TRUE"]"#,
        ]
    );
    assert_eq!(run.closing_inputs(program).len(), 1);
}

#[test]
fn mismatches_say_where() {
    let file = counter();
    let program = file.program();
    let variables: Vec<_> = program.variable_ids().collect();
    let run = |states: &[[&str; 3]], back_to| Run {
        states: states.iter().map(|values| state(program, values)).collect(),
        back_to,
        variables: variables.clone(),
    };
    let replay = |states: &[[&str; 3]], back_to| run(states, back_to).replay(program);
    assert_eq!(replay(&[], None), Err(Mismatch::Empty));
    assert_eq!(
        replay(&[["1", "FALSE", "TRUE"]], None),
        Err(Mismatch::NotInitial)
    );
    assert_eq!(
        replay(&[["0", "FALSE", "TRUE"], ["0", "TRUE", "TRUE"]], None),
        Err(Mismatch::NoStep(0))
    );
    assert_eq!(
        replay(&[["0", "FALSE", "TRUE"]], Some(3)),
        Err(Mismatch::NoLoop(3))
    );
    assert_eq!(
        replay(&[["0", "FALSE", "FALSE"]], Some(0)),
        Err(Mismatch::NoStep(0))
    );
    let mut outside = run(&[["0", "FALSE", "TRUE"]], None);
    outside.states[0].0[0] = quotient_smv::Value::Integer(7);
    assert_eq!(outside.replay(program), Err(Mismatch::NotLegal(0)));
}
