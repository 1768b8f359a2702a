//! The language through its seam: answers, evidence, readers.

use quotient_core::{Budget, Context, Source, Trouble, Verdict};
use quotient_language::{
    Answer, Ask, Input, Model, NoFiles, Random, Settings, Sureness, Verb, Viewed,
};
use quotient_program::LANGUAGE;

fn try_open(text: &str, flags: &[(&str, &str)]) -> Result<Box<dyn Model>, Trouble> {
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let pairs: Vec<_> = flags.iter().map(own).collect();
    let settings =
        Settings::new("program", LANGUAGE.about().settings, Verb::Check, &pairs).unwrap();
    let input = Input::text(&Source::new("x.spl", text));
    LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default())
}

fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = Vec::new();
    let ask = Ask {
        exhibits: true,
        ..Ask::default()
    };
    model
        .check(&ask, &Context::default(), &mut |answer| all.push(answer))
        .unwrap();
    all
}

#[test]
fn examples_have_their_verdicts_and_evidence_for_them() {
    use Verdict::{Holds, Violated};
    let expected = [
        ("peterson-program", vec![Holds, Holds, Holds, Violated]),
        ("flags", vec![Holds]),
        ("ticket", vec![Holds]),
        ("allocation", vec![Holds, Violated]),
    ];
    for (name, verdicts) in expected {
        let example = LANGUAGE
            .about()
            .examples
            .iter()
            .find(|one| one.name == name)
            .unwrap();
        let mut model = try_open(example.files[0].1, &[]).unwrap();
        let answers = answers(model.as_mut());
        let got: Vec<Verdict> = answers.iter().map(|one| one.verdict.clone()).collect();
        let notes: Vec<_> = answers
            .iter()
            .map(|one| (&one.because, &one.notes))
            .collect();
        assert_eq!(got, verdicts, "{name}: {notes:#?}");
        for answer in &answers {
            let property = model.property(&answer.property).unwrap();
            let evidence = answer.evidence.as_ref().unwrap();
            let certified = model.certify(evidence, &property, &Budget::unlimited());
            certified.unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        let view = Viewed {
            part: None,
            picture: true,
        };
        assert!(
            !model
                .show(&view, &Context::default())
                .unwrap()
                .pictures
                .is_empty()
        );
        assert!(model.doubts(&Context::default()).is_ok());
    }
}

#[test]
fn customers_exclude_each_other_with_and_without_parameters() {
    let text = quotient_program::allocation(3, 2);
    for flags in [&[][..], &[("no-parameters", "true")]] {
        let mut model = try_open(&text, flags).unwrap();
        let mut all = Vec::new();
        let ask = Ask {
            properties: vec!["exclusive".into()],
            ..Ask::default()
        };
        model
            .check(&ask, &Context::default(), &mut |answer| all.push(answer))
            .unwrap();
        assert_eq!(all[0].verdict, Verdict::Holds, "{:?}", all[0].notes);
    }
}

#[test]
fn mistakes_are_told_all_at_once_and_in_place() {
    let mistakes = |text: &str| match try_open(text, &[]) {
        Err(Trouble::Invalid(all)) => all.iter().map(|one| one.to_string()).collect::<Vec<_>>(),
        _ => panic!("this is no mistake: {text}"),
    };
    let text =
        "shared int x = 0, x = 1;\nprocess P { y := 1; }\ncheck a: G (x * x > 0)\ncheck b: Q at l";
    assert_eq!(
        mistakes(text),
        [
            "x.spl:1:19: error: there are two variables `x`",
            "x.spl:2:13: error: there is no variable `y`",
            "x.spl:3:15: error: a product of two variables is not linear",
            "x.spl:4:10: error: there is no process `Q`",
            "x.spl: error: there is no process",
        ]
    );
    assert!(
        mistakes("shared bool b; process P { b := 3; }")[0]
            .contains("a number is assigned to a Boolean")
    );
    let deep = format!("shared bool b; process P {{ b := {}b; }}", "!".repeat(5000));
    assert!(mistakes(&deep)[0].contains("levels deep"));
}

#[test]
fn only_its_own_texts_are_recognised() {
    let sure = |name: &str, text: &str| LANGUAGE.recognises(&Input::text(&Source::new(name, text)));
    assert_eq!(
        sure("x.spl", "shared int x; process P {}"),
        Sureness::Likely
    );
    assert_eq!(sure("x.smv", "MODULE main"), Sureness::No);
    assert_eq!(
        sure("x.protocol", "protocol p\nprocess {\n}\n"),
        Sureness::No
    );
}

#[test]
fn no_text_makes_the_reader_panic() {
    let texts: Vec<&str> = LANGUAGE
        .about()
        .examples
        .iter()
        .map(|one| one.files[0].1)
        .collect();
    let random = &mut Random::new(3);
    for _ in 0..600 {
        let mut text: Vec<u8> = texts[random.below(texts.len())].bytes().collect();
        for _ in 0..1 + random.below(6) {
            let at = random.below(text.len());
            let signs = b"<>[]{}();*+!&|:=-.0a\n,";
            match random.below(3) {
                0 => text[at] = signs[random.below(signs.len())],
                1 => drop(text.remove(at)),
                _ => text.insert(at, signs[random.below(signs.len())]),
            }
        }
        quotient_program::read_any(&String::from_utf8_lossy(&text));
    }
}
