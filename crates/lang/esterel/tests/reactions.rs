//! Programs whose reactions are known from the literature (Berry's primer and his book on the
//! constructive semantics): the interpreter and the circuit show them, and what is not
//! constructive is refused by both.

use quotient_core::{Context, Source, Trouble, Verdict};
use quotient_esterel::LANGUAGE;
use quotient_language::{Ask, Input, Model, NoFiles, Settings, Verb};

/// Programs, each with its instants: `inputs -> outputs`. A name that begins with `!` is that of a
/// program that is not constructive.
const TRIALS: &str = include_str!("reactions.txt");

struct Trial {
    name: &'static str,
    program: &'static str,
    instants: Vec<(&'static str, Vec<&'static str>)>,
}

fn trials() -> Vec<Trial> {
    let blocks = TRIALS.split("=== ").skip(1);
    let trial = |block: &'static str| {
        let (name, rest) = block.split_once('\n').unwrap();
        let (program, instants) = rest.split_once("---\n").unwrap_or((rest, ""));
        let instant = |line: &'static str| {
            let (inputs, outputs) = line.split_once("->").unwrap();
            let mut outputs: Vec<&str> = outputs.split_whitespace().collect();
            outputs.sort_unstable();
            (inputs.trim(), outputs)
        };
        Trial {
            name,
            program,
            instants: instants.lines().map(instant).collect(),
        }
    };
    blocks.map(trial).collect()
}

fn open(text: &str, verb: Verb) -> Box<dyn Model> {
    let input = Input::text(&Source::new("x.strl", text));
    let settings = Settings::new("Esterel", LANGUAGE.about().settings, verb, &[]).unwrap();
    let cx = Context::default();
    let opened = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx);
    opened.unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// The outputs of each instant, as the interpreter says.
fn interpreted(trial: &Trial) -> Result<Vec<Vec<String>>, Trouble> {
    let cx = Context::default();
    let mut model = open(trial.program, Verb::Simulate);
    let mut walk = model.simulate(&cx)?;
    for (inputs, _) in &trial.instants {
        let action = walk.spelled(inputs);
        let choices = walk.choices(&cx)?;
        let at = choices.iter().position(|one| one.action == action);
        walk.take(
            at.unwrap_or_else(|| panic!("{}: {action}", trial.name)),
            &cx,
        )?;
    }
    let details = walk.details(&cx)?;
    let (_, emitted) = details.iter().find(|(name, _)| name == "emitted").unwrap();
    let mut emitted: Vec<Vec<String>> = serde_json::from_value(emitted.clone()).unwrap();
    emitted.iter_mut().for_each(|instant| instant.sort());
    Ok(emitted)
}

/// The outputs of each instant, as the circuit says.
fn by_circuit(trial: &Trial) -> Vec<Vec<String>> {
    let mut model = open(trial.program, Verb::Convert);
    let written = model.convert("aag", None, &Context::default());
    let written = written.unwrap_or_else(|why| panic!("{}: {why}", trial.name));
    let circuit = quotient_netlist::aiger::read("x.aag", written.text.as_bytes()).unwrap();
    let mut latches: Vec<u64> = (circuit.latches().iter())
        .map(|latch| {
            if latch.start == Some(true) {
                u64::MAX
            } else {
                0
            }
        })
        .collect();
    let mut shown = Vec::new();
    for (given, _) in &trial.instants {
        let given: Vec<&str> = given.split_whitespace().collect();
        let is_given = |name: &Option<String>| given.contains(&name.as_deref().unwrap_or_default());
        let inputs: Vec<u64> = (circuit.input_names.iter())
            .map(|name| if is_given(name) { u64::MAX } else { 0 })
            .collect();
        let state = circuit.evaluate(&latches, &inputs);
        let mut outputs: Vec<String> = (circuit.outputs.iter().zip(&circuit.output_names))
            .filter(|&(&output, _)| state.value(output) != 0)
            .filter_map(|(_, name)| name.clone())
            .collect();
        outputs.sort();
        shown.push(outputs);
        latches = (circuit.latches().iter())
            .map(|latch| state.value(latch.next))
            .collect();
    }
    shown
}

#[test]
fn interpreter_and_circuit_show_the_known_reactions() {
    let trials = trials();
    let known = trials.iter().filter(|trial| !trial.name.starts_with('!'));
    let mut count = 0;
    for trial in known {
        let expected: Vec<Vec<&str>> = (trial.instants.iter())
            .map(|(_, outputs)| outputs.clone())
            .collect();
        let shown = interpreted(trial).unwrap_or_else(|why| panic!("{}: {why}", trial.name));
        assert_eq!(shown, expected, "{}", trial.name);
        count += 1;
        // Values are not in circuits; ranges would be.
        let pure = !trial.program.contains("integer");
        if pure {
            assert_eq!(by_circuit(trial), expected, "{}", trial.name);
        }
    }
    assert!(count > 30);
}

#[test]
fn what_is_not_constructive_is_refused() {
    let trials = trials();
    let paradoxes = trials.iter().filter(|trial| trial.name.starts_with('!'));
    let mut count = 0;
    for trial in paradoxes {
        let mut model = open(trial.program, Verb::Check);
        let checked = model.check(&Ask::default(), &Context::default(), &mut |_| {});
        let Err(Trouble::Invalid(mistakes)) = checked else {
            panic!("{} was checked", trial.name);
        };
        assert_eq!(mistakes[0].code, "causality", "{}", trial.name);
        // Which instant it is, from 0 on: all of these are stuck at once or in the next one.
        let instant = &mistakes[0].notes[0];
        assert!(
            ["in instant 0", "in instant 1"].contains(&&**instant),
            "{instant}"
        );
        let instants = vec![
            ("tick", Vec::new()),
            ("tick", Vec::new()),
            ("tick", Vec::new()),
        ];
        let run = Trial { instants, ..*trial };
        assert!(interpreted(&run).is_err(), "{}", trial.name);
        count += 1;
    }
    assert_eq!(count, 7);
}

/// The verdict on the only property of a program.
fn verdict_of(text: &str) -> Verdict {
    let mut verdict = None;
    let told = open(text, Verb::Check).check(&Ask::default(), &Context::default(), &mut |answer| {
        verdict = Some(answer.verdict);
    });
    told.unwrap_or_else(|why| panic!("{why}\n{text}"));
    verdict.expect("a property")
}

/// What the last case does is not thought possible because the first delay is open: it has a delay of
/// its own.
#[test]
fn every_case_is_tested_by_itself() {
    let text = "module M: input I; output O, R;
        await case [O or I] do emit R case I do emit O end end module
        %! never O";
    assert_eq!(verdict_of(text), Verdict::Holds);
}

/// In the first instant only an immediate case counts, later the first of all.
#[test]
fn immediate_cases_and_others_are_told_apart() {
    for kind in ["abort", "weak abort"] {
        let text = |question: &str| {
            format!(
                "module M: input I, J; output A, B, N;
                 {kind} halt when case I do emit A case immediate J do emit B end {kind};
                 emit N end module
                 {question}"
            )
        };
        for (question, verdict) in [
            ("%! never A and B", Verdict::Holds),
            ("%! never A and not I", Verdict::Holds),
            ("%! never B and I", Verdict::Violated),
            ("%! never A and J", Verdict::Violated),
            ("%! never N and not A and not B", Verdict::Holds),
        ] {
            let text = text(question);
            assert_eq!(verdict_of(&text), verdict, "{text}");
        }
    }
}
