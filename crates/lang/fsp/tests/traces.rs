//! Compiled processes against a naive interpreter of their trees.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::naive::Interpreter;
use common::random::{Random, process};
use quotient_compose::{ERROR, Lts, State};
use quotient_core::{Budget, Source};
use quotient_fsp::syntax::Definition;
use quotient_fsp::{Model, Options, write_process};

/// What can be seen after each trace up to a length.
fn observations(
    lts: &Lts,
    name: impl Fn(quotient_compose::Action) -> String,
    length: usize,
) -> BTreeMap<Vec<String>, (BTreeSet<String>, bool)> {
    let mut seen = BTreeMap::new();
    let mut frontier = vec![(Vec::new(), BTreeSet::from([lts.initial()]))];
    while let Some((trace, states)) = frontier.pop() {
        // A process that is ERROR from the start gets there by a silent step.
        let mut states: BTreeSet<State> = states;
        let mut work: Vec<State> = states.iter().copied().collect();
        while let Some(state) = work.pop() {
            for edge in lts.edges(state) {
                if edge.action.is_tau() && states.insert(edge.target) {
                    work.push(edge.target);
                }
            }
        }
        let mut next: BTreeMap<String, BTreeSet<State>> = BTreeMap::new();
        for &state in &states {
            for edge in lts.edges(state).iter().filter(|edge| !edge.action.is_tau()) {
                next.entry(name(edge.action))
                    .or_default()
                    .insert(edge.target);
            }
        }
        if trace.len() < length {
            for (label, states) in &next {
                let mut longer: Vec<String> = trace.clone();
                longer.push(label.clone());
                frontier.push((longer, states.clone()));
            }
        }
        seen.insert(trace, (next.into_keys().collect(), states.contains(&ERROR)));
    }
    seen
}

#[test]
fn compiled_processes_have_the_traces_of_their_text() {
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..400 {
        let text = process(&mut random);
        let model = Model::read(&Source::new("random.lts", text.as_str())).unwrap();
        let Ok(compiled) = model.compile(&Options::default(), &Budget::unlimited()) else {
            // Names that stand for themselves: the interpreter cannot say more about them.
            continue;
        };
        let Definition::Process(process) = &model.specification().definitions[0] else {
            panic!("the generator makes one process");
        };
        let expected = Interpreter(process).observations(3);
        let root = compiled.system.root().unwrap();
        let quotient_compose::Operation::Process { lts, .. } =
            &compiled.system.node(root).operation
        else {
            panic!("a primitive process is one component");
        };
        let actual = observations(
            lts,
            |action| compiled.system.actions.name(action).to_string(),
            3,
        );
        assert_eq!(actual, expected, "{text}");
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn written_processes_read_back_with_the_same_traces() {
    let mut random = Random(2);
    for _ in 0..200 {
        let text = process(&mut random);
        let model = Model::read(&Source::new("random.lts", text.as_str())).unwrap();
        let Ok(compiled) = model.compile(&Options::default(), &Budget::unlimited()) else {
            continue;
        };
        let root = compiled.system.root().unwrap();
        let quotient_compose::Operation::Process { lts, .. } =
            &compiled.system.node(root).operation
        else {
            panic!("a primitive process is one component");
        };
        let written = write_process("AGAIN", lts, &compiled.system.actions);
        let model = Model::read(&Source::new("written.lts", written.as_str())).unwrap();
        let again = model
            .compile(&Options::default(), &Budget::unlimited())
            .unwrap();
        let root = again.system.root().unwrap();
        let quotient_compose::Operation::Process { lts: copy, .. } =
            &again.system.node(root).operation
        else {
            panic!("a written process is one component");
        };
        let names = |action| compiled.system.actions.name(action).to_string();
        let copied_names = |action| again.system.actions.name(action).to_string();
        assert_eq!(
            observations(lts, names, 3),
            observations(copy, copied_names, 3),
            "{text}{written}"
        );
        let mut alphabet: Vec<String> = lts.alphabet().iter().map(|&a| names(a)).collect();
        let mut copied: Vec<String> = copy.alphabet().iter().map(|&a| copied_names(a)).collect();
        alphabet.sort();
        copied.sort();
        assert_eq!(alphabet, copied, "{written}");
        assert!(copy.states() <= lts.states(), "{written}");
    }
}
