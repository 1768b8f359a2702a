//! The search of one length beside the engine, on random problems.

use quotient_automata::formats::{Format, Limits, Named, Role, write};
use quotient_automata::testing::{self, Random, nfa, predicate};
use quotient_automata::{Alphabet, Label, State, Transducer};
use quotient_core::{Budget, Context, Verdict};
use quotient_language::{Ask, Input, NoFiles, Settings, Verb};
use quotient_words::LANGUAGE;

/// A step that keeps the length.
fn step(random: &mut Random, alphabet: &Alphabet) -> Transducer {
    let mut builder = Transducer::builder(alphabet).states(3).initial(0);
    for _ in 0..5 {
        let label = match random.percent(50) {
            true => Label::Copy(predicate(random, alphabet)),
            false => {
                let read = predicate(random, alphabet);
                Label::Pair(Some(read), Some(predicate(random, alphabet)))
            }
        };
        builder.add_edge(State(random.below(3)), &label, State(random.below(3)));
    }
    builder.accepting(random.below(3)).build()
}

/// A whole problem as a text.
fn problem(random: &mut Random) -> String {
    let alphabet = testing::alphabet(2);
    let parts = [
        Named::new("init", Role::Initial, nfa(random, &alphabet, 3)),
        Named::new("go", Role::Transition, step(random, &alphabet)),
        Named::new("bad", Role::Bad, nfa(random, &alphabet, 3)),
    ];
    let (limits, budget) = (Limits::default(), Budget::unlimited());
    write(&parts, Format::Json, &limits, &budget).unwrap().text
}

#[test]
fn every_length_agrees_with_the_engine() {
    let cx = Context::default();
    let about = LANGUAGE.about();
    let (mut holding, mut violated) = (0, 0);
    for seed in 0..300 {
        let text = problem(&mut Random::new(seed));
        let input = Input::bytes("random.json", text.clone().into());
        let open =
            |settings: &Settings| LANGUAGE.open(&input, &mut NoFiles, settings, &cx).unwrap();
        let mut answers = Vec::new();
        // Some random problems take long: they say nothing here.
        let short = Context {
            budget: Budget::unlimited().child_with_work(300_000),
            ..Context::default()
        };
        let mut model = open(&Settings::default());
        model
            .check(&Ask::default(), &short, &mut |answer| answers.push(answer))
            .unwrap();
        let answer = answers.remove(0);
        let lengths = match &answer.trace {
            Some(trace) => {
                let first = trace.steps[0].cells[0].text.as_str();
                let length = if first == "ε" {
                    0
                } else {
                    first.split(' ').count()
                };
                length..length + 1
            }
            None => 0..4,
        };
        for length in lengths.filter(|&length| length < 6) {
            let given = [("length".to_owned(), length.to_string())];
            let settings =
                Settings::new(about.name, about.settings, Verb::Instance, &given).unwrap();
            let found = open(&settings).instance(&cx).unwrap();
            match &answer.verdict {
                Verdict::Unknown(_) => {}
                verdict => assert_eq!(found.answers[0].verdict, *verdict, "seed {seed}\n{text}"),
            }
        }
        holding += u32::from(answer.verdict == Verdict::Holds);
        violated += u32::from(answer.verdict == Verdict::Violated);
    }
    assert!(holding > 20 && violated > 10, "{holding} {violated}");
}
