//! Whatever the text, every verb answers or says why not.

use quotient_core::{Context, Source, Trouble};
use quotient_language::{Ask, Input, NoFiles, Query, Random as Coins, Settings, Viewed};
use quotient_smv::LANGUAGE;

use super::COUNTER;
use super::random::Random;

/// The text with some words left out, doubled or exchanged.
fn mutate(random: &mut Random, text: &str) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ';', '(']).collect();
    for _ in 0..1 + random.below(3) {
        let (at, other) = (random.below(words.len()), random.below(words.len()));
        match random.below(3) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[other]),
            _ => words.swap(at, other),
        }
    }
    words.concat()
}

#[test]
fn mutated_models_are_answered_or_refused_by_every_verb() {
    let mut random = Random(23);
    let cx = Context::default();
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..400 {
        let text = mutate(&mut random, COUNTER);
        let input = Input::text(&Source::new("fuzz.smv", text.as_str()));
        let _ = LANGUAGE.recognises(&input);
        let mut model = match LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx) {
            Ok(model) => model,
            Err(Trouble::Invalid(mistakes)) => {
                assert!(!mistakes.is_empty(), "{text}");
                refused += 1;
                continue;
            }
            Err(Trouble::Stopped(stop)) => panic!("{stop}"),
        };
        opened += 1;
        let mut told = 0;
        let asked = model.properties();
        let checked = model.check(&Ask::default(), &cx, &mut |_| told += 1);
        assert!(checked.is_err() || told == asked.len(), "{text}");
        let _ = model.doubts(&cx);
        let view = Viewed {
            part: None,
            picture: true,
        };
        assert!(model.show(&view, &cx).is_ok(), "{text}");
        assert!(model.convert("smv", None, &cx).is_ok(), "{text}");
        assert!(model.instance(&cx).is_ok(), "{text}");
        let query = Query {
            text: "stable".into(),
            limit: 3,
        };
        let _ = model.ask(&query, &cx);
        if let Ok(mut run) = model.simulate(&cx) {
            let mut coins = Coins::new(1);
            while run.trace().len() < 3 && run.take_any(&mut coins, &cx).unwrap() {}
            assert!(run.status(&cx).is_ok());
        }
    }
    assert!(
        opened > 20 && refused > 20,
        "{opened} opened, {refused} refused"
    );
}
