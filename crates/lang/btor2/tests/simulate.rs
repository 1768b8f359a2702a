//! Runs that somebody makes: in words, against the same steps in bits.

use std::collections::BTreeMap;

use quotient_btor2::LANGUAGE;
use quotient_core::{Budget, Context, Source};
use quotient_language::{Input, Model, NoFiles, Random, Settings, Simulation, Trace};
use quotient_netlist::words::{Value, read, to_bits};

fn open(text: &str) -> Box<dyn Model> {
    let input = Input::text(&Source::new("t.btor2", text));
    let (settings, cx) = (Settings::default(), Context::default());
    let opened = LANGUAGE.open(&input, &mut NoFiles, &settings, &cx);
    opened.unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn walk(text: &str) -> Box<dyn Simulation> {
    open(text).simulate(&Context::default()).unwrap()
}

fn fifo() -> &'static str {
    let examples = LANGUAGE.about().examples;
    examples
        .iter()
        .find(|one| one.name == "fifo")
        .unwrap()
        .files[0]
        .1
}

fn actions(trace: &Trace) -> Vec<String> {
    let actions = trace.steps.iter().filter_map(|step| step.action.clone());
    actions.collect()
}

fn cells(trace: &Trace) -> Vec<Vec<String>> {
    let row = |step: &quotient_language::Step| step.cells.iter().map(|c| c.text.clone()).collect();
    trace.steps.iter().map(row).collect()
}

/// What an action says of an input: `push data=5`.
fn said(action: &str, name: &str) -> u64 {
    let parts = action
        .split(' ')
        .map(|part| part.split_once('=').unwrap_or((part, "1")));
    let mut named = parts
        .filter(|(part, _)| *part == name)
        .map(|(_, digits)| digits);
    named
        .next_back()
        .map_or(0, |digits| digits.parse().unwrap())
}

#[test]
fn steps_in_words_are_those_in_bits() {
    let (cx, mut random) = (Context::default(), Random::new(5));
    let mut walk = walk(fifo());
    for _ in 0..60 {
        assert!(walk.take_any(&mut random, &cx).unwrap());
    }
    let trace = walk.trace();
    assert_eq!(trace.columns, ["head", "tail", "count", "memory"]);
    let (actions, rows) = (actions(&trace), cells(&trace));
    // Where nothing is asked, all of it is in the circuit.
    let lines = fifo().lines().filter(|line| !line.contains(" bad "));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let model = read(&Source::new("fifo.btor2", text)).unwrap();
    let blasted = to_bits(&model, &Budget::unlimited()).unwrap();
    let circuit = &blasted.circuit;
    let latches = circuit.latches().iter();
    let mut held: Vec<u64> = latches
        .map(|one| u64::from(one.start == Some(true)))
        .collect();
    for (action, row) in actions.iter().zip(&rows) {
        let bit = |number: usize| {
            let name = circuit.input_name(number);
            let (name, at) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
                Some((name, at)) => (name.to_owned(), at.parse().unwrap()),
                None => (name, 0),
            };
            said(action, &name) >> at & 1
        };
        let inputs: Vec<u64> = (0..circuit.inputs().len()).map(bit).collect();
        let state = circuit.evaluate(&held, &inputs);
        for (text, own) in row.iter().zip(model.states()) {
            match blasted.value(own.node, model.sort(own.node), &state) {
                Value::Word(word) => assert_eq!(*text, word.number().unwrap().to_string()),
                Value::Array(_, some) => {
                    let held = some.iter().filter(|(_, word)| word.number() != Some(0));
                    let held = held.map(|(at, word)| (at.number(), word.number().unwrap()));
                    let held: BTreeMap<Option<u128>, u128> = held.collect();
                    let held = held
                        .into_iter()
                        .map(|(at, word)| format!("{}:{word}", at.unwrap()));
                    assert_eq!(*text, format!("[{}]", held.collect::<Vec<_>>().join(" ")));
                }
            }
        }
        let latches = circuit.latches().iter();
        held = latches
            .map(|one| u64::from(state.is_on(one.next)))
            .collect();
    }
    // What was done can be spelled out, and taken back.
    let mut again = self::walk(fifo());
    for action in &actions {
        let label = again.spelled(action);
        let choices = again.choices(&cx).unwrap();
        let place = choices.iter().position(|one| one.action == label);
        again.take(place.unwrap(), &cx).unwrap();
    }
    assert_eq!(cells(&again.trace()), rows);
    assert!(again.undo() && again.undo());
    assert_eq!(cells(&again.trace()), rows[..rows.len() - 2]);
    assert!(again.refusal("puhs")[0].contains("`puhs`"));
}

#[test]
fn conditions_leave_less_to_choose() {
    let cx = Context::default();
    let mut walk = walk(fifo());
    assert!(walk.status(&cx).unwrap().more);
    walk.constrain(Some("data=0x2a")).unwrap();
    assert!(walk.constrain(Some("data=256")).is_err());
    let choices = walk.choices(&cx).unwrap();
    let named: Vec<&str> = choices.iter().map(|one| one.action.as_str()).collect();
    let wanted = ["data=42", "push data=42", "pop data=42", "push pop data=42"];
    assert_eq!(named, wanted);
    walk.take(1, &cx).unwrap();
    assert_eq!(cells(&walk.trace())[1][3], "[0:42]");
    assert!(!walk.status(&cx).unwrap().more);
}

#[test]
fn starts_and_states_without_a_next_are_chosen() {
    // A word that starts with anything, one that becomes anything; their sum stays below 6, and is not 5.
    let text = "1 sort bitvec 2\n2 sort bitvec 1\n3 state 1 x\n4 state 1 y\n5 zero 1\n6 init 1 4 5\n\
                7 next 1 3 3\n8 sort bitvec 3\n9 uext 8 3 1\n10 uext 8 4 1\n11 add 8 9 10\n\
                12 constd 8 6\n13 ult 2 11 12\n14 constraint 13\n15 constd 8 5\n16 eq 2 11 15\n\
                17 bad 16 five\n";
    let cx = Context::default();
    let mut walk = walk(text);
    assert!(walk.trace().steps.is_empty());
    let named = |walk: &mut Box<dyn Simulation>| -> Vec<String> {
        let choices = walk.choices(&cx).unwrap();
        choices.into_iter().map(|one| one.action).collect()
    };
    assert_eq!(named(&mut walk), ["all 0", "x=1", "x=2", "x=3"]);
    walk.take(3, &cx).unwrap();
    assert_eq!(cells(&walk.trace()), [["3", "0"]]);
    // What y becomes is chosen; whether that is allowed shows in the step after it.
    assert_eq!(named(&mut walk), ["all 0", "y=1", "y=2", "y=3"]);
    walk.take(2, &cx).unwrap();
    assert!(walk.status(&cx).unwrap().notes.is_empty());
    walk.take(3, &cx).unwrap();
    assert!(walk.status(&cx).unwrap().notes[0].contains("five"));
    assert!(named(&mut walk).is_empty() && walk.status(&cx).unwrap().deadlock);
    assert!(walk.undo() && walk.undo() && walk.undo() && !walk.undo());
    assert!(walk.trace().steps.is_empty());
}
