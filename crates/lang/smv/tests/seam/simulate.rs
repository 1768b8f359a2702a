//! Every step of a simulation is one of the model, by the plain meaning of its text.

use proptest::prelude::*;
use quotient_core::{Budget, Context, Source, Trouble};
use quotient_language::{Random as Coins, Simulation, Trace};
use quotient_smv::{File, Kind, Program, State};

use super::open;
use super::random::{self, Random};

/// The states of a trace, with the inputs of the step that leaves each.
fn states(program: &Program, trace: &Trace) -> Vec<State> {
    let value = |state: &mut State, name: &str, text: &str| {
        let id = program
            .variable_ids()
            .find(|&id| program.variable(id).name == name)
            .unwrap();
        state.0[id.index()] = program
            .read_value(&program.variable(id).domain, text)
            .unwrap();
    };
    let mut states: Vec<State> = Vec::new();
    for step in &trace.steps {
        let inputs = step.action.iter().flat_map(|action| action.split(", "));
        for (name, text) in inputs.filter_map(|input| input.split_once(" = ")) {
            value(states.last_mut().unwrap(), name, text);
        }
        let mut state = State(
            program
                .variables()
                .iter()
                .map(|v| v.domain.first())
                .collect(),
        );
        for (name, cell) in trace.columns.iter().zip(&step.cells) {
            value(&mut state, name, &cell.text);
        }
        states.push(state);
    }
    states
}

fn is_a_run(program: &Program, states: &[State]) -> bool {
    program.is_initial(&states[0])
        && states
            .windows(2)
            .all(|pair| program.is_step(&pair[0], &pair[1]))
}

fn begin(text: &str) -> Result<Box<dyn Simulation>, Trouble> {
    open(text).simulate(&Context::default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn steps_are_those_of_the_model(seed in any::<u64>()) {
        let text = random::model(&mut Random(seed), 24);
        let file = File::read(&Source::new("m", &text)).unwrap();
        let program = file.program();
        let cx = Context::default();
        let Ok(mut simulation) = begin(&text) else {
            return Ok(());
        };
        let explored = program.explore(10_000, &Budget::unlimited()).unwrap();
        prop_assert_eq!(simulation.choices(&cx).unwrap().len(), explored.initial.len());
        let mut coins = Coins::new(seed);
        for _ in 0..6 {
            if !simulation.take_any(&mut coins, &cx).unwrap() {
                break;
            }
            let run = states(program, &simulation.trace());
            prop_assert!(is_a_run(program, &run), "{}", &text);
        }
        // The choices are all steps there are: each leads to a successor, none is missing.
        if let Some(last) = states(program, &simulation.trace()).last().cloned() {
            let state = explored.states.iter().position(|state| *state == last).unwrap();
            let choices = simulation.choices(&cx).unwrap().len();
            let mut reached = Vec::new();
            for choice in 0..choices {
                simulation.take(choice, &cx).unwrap();
                let run = states(program, &simulation.trace());
                prop_assert!(is_a_run(program, &run), "{}", &text);
                reached.push(explored.states.iter().position(|state| Some(state) == run.last()).unwrap());
                prop_assert!(simulation.undo());
            }
            reached.sort_unstable();
            reached.dedup();
            prop_assert_eq!(&reached, &explored.successors[state]);
            let status = simulation.status(&cx).unwrap();
            prop_assert_eq!(status.deadlock, reached.is_empty());
        }
    }
}

const COUNTER: &str = "
    MODULE main
    VAR x : 0..3;
    IVAR go : boolean;
    FROZENVAR stop : 1..2;
    DEFINE high := x > 1;
    ASSIGN init(x) := 0; next(x) := case go & x < 3 : x + 1; TRUE : x; esac;
    INVARSPEC !high
    CTLSPEC AG x < 3
";

#[test]
fn a_run_is_told_by_inputs_and_what_changes() {
    let cx = Context::default();
    let mut run = begin(COUNTER).unwrap();
    let names = |run: &mut dyn Simulation| -> Vec<String> {
        let choices = run.choices(&Context::default()).unwrap().into_iter();
        choices
            .map(|one| format!("{} / {}", one.action, one.leads_to))
            .collect()
    };
    assert_eq!(
        names(&mut *run),
        ["x = 0, stop = 1 / ", "x = 0, stop = 2 / "]
    );
    assert_eq!(run.spelled("x=0 ,stop=2"), "x = 0, stop = 2");
    run.take(1, &cx).unwrap();
    assert_eq!(
        names(&mut *run),
        ["go = FALSE / (nothing changes)", "go = TRUE / x = 1"]
    );
    run.take(1, &cx).unwrap();
    run.take(1, &cx).unwrap();
    let status = run.status(&cx).unwrap();
    assert_eq!(status.notes, ["this state violates `!high`"]);
    assert_eq!(status.whereabouts, ["x = 2", "stop = 2", "high = TRUE"]);
    assert!(run.take(2, &cx).is_err());
    assert!(run.undo());
    assert_eq!(run.trace().len(), 1);
    assert_eq!(
        run.details(&cx).unwrap()[0].1["states"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert!(run.undo() && run.undo() && !run.undo());
}

#[test]
fn conditions_hold_for_states_reached_or_steps_taken() {
    let cx = Context::default();
    let mut run = begin(COUNTER).unwrap();
    run.constrain(Some("stop = 2 & x < 2")).unwrap();
    assert_eq!(run.choices(&cx).unwrap().len(), 1);
    run.take(0, &cx).unwrap();
    run.constrain(Some("next(x) != x")).unwrap();
    assert_eq!(run.choices(&cx).unwrap().len(), 1);
    run.take(0, &cx).unwrap();
    run.constrain(Some("x = 3")).unwrap();
    let status = run.status(&cx).unwrap();
    assert!(!status.deadlock);
    assert_eq!(status.notes, ["nothing fulfils the condition"]);
    run.constrain(None).unwrap();
    assert_eq!(run.choices(&cx).unwrap().len(), 2);
    assert!(run.constrain(Some("y = 3")).is_err());
    assert!(run.constrain(Some("AG x = 3")).is_err());
}

#[test]
fn many_bits_are_no_obstacle() {
    let mut text = String::from("MODULE main\nIVAR i : word[32];\nVAR\n");
    (0..40).for_each(|at| text.push_str(&format!("v{at} : word[16];\n")));
    text.push_str("ASSIGN\nnext(v0) := v0 + 0ud16_1;\n");
    (1..40).for_each(|at| {
        let before = at - 1;
        text.push_str(&format!("next(v{at}) := v{at} + v{before};\n"));
    });
    let cx = Context::default();
    let mut run = begin(&text).unwrap();
    assert_eq!(run.choices(&cx).unwrap().len(), 100);
    assert!(run.status(&cx).unwrap().more);
    let mut coins = Coins::new(1);
    for _ in 0..3 {
        assert!(run.take_any(&mut coins, &cx).unwrap());
    }
    let file = File::read(&Source::new("m", &text)).unwrap();
    let program = file.program();
    let states = states(program, &run.trace());
    assert!(is_a_run(program, &states));
    let inputs = program
        .variables()
        .iter()
        .position(|one| one.kind == Kind::Input)
        .unwrap();
    assert_ne!(states[0].0[inputs], states[1].0[inputs]);
}
