//! The language through its seam: answers, evidence, readers.

use quotient_core::{Budget, Claim, Context, Source, Trouble, Verdict};
use quotient_language::{
    Answer, Ask, Input, Model, NoFiles, Query, Random, Settings, Sureness, Viewed,
};
use quotient_network::LANGUAGE;

fn try_open(text: &str) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("x.bnet", text));
    LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    )
}

fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = Vec::new();
    model
        .check(&Ask::default(), &Context::default(), &mut |answer| {
            all.push(answer)
        })
        .unwrap();
    all
}

#[test]
fn examples_have_their_verdicts_and_evidence_for_them() {
    use Verdict::{Holds, Violated};
    let expected = [
        ("toggle", vec![Holds, Holds, Violated, Holds]),
        ("oscillator", vec![Holds, Holds, Violated]),
    ];
    for (name, verdicts) in expected {
        let example = LANGUAGE
            .about()
            .examples
            .iter()
            .find(|one| one.name == name)
            .unwrap();
        let mut model = try_open(example.files[0].1).unwrap_or_else(|why| panic!("{why}"));
        let answers = answers(model.as_mut());
        let got: Vec<Verdict> = answers.iter().map(|one| one.verdict.clone()).collect();
        assert_eq!(got, verdicts, "{name}");
        for answer in &answers {
            let property = model.property(&answer.property).unwrap();
            let evidence = answer.evidence.as_ref().unwrap();
            model
                .certify(evidence, &property, &Budget::unlimited())
                .unwrap();
            let mut opposite = evidence.clone();
            opposite.claim = match evidence.claim {
                Claim::Holds => Claim::Violated,
                Claim::Violated => Claim::Holds,
            };
            model
                .certify(&opposite, &property, &Budget::unlimited())
                .unwrap_err();
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
    }
}

#[test]
fn states_are_counted() {
    let mut model = try_open("targets, factors\na, !b\nb, !a\nc, c & input\n").unwrap();
    let query = Query {
        text: "!{x}: AX {x}".into(),
        limit: 1,
    };
    let shown = model.ask(&query, &Context::default()).unwrap();
    // Two for the toggle, and c is 0 or, with the input, 1.
    assert_eq!(shown.result["states"], "6");
    assert_eq!(model.doubts(&Context::default()).unwrap().len(), 1);
}

#[test]
fn mistakes_are_told_all_at_once_and_in_place() {
    let mistakes = |text: &str| match try_open(text) {
        Err(Trouble::Invalid(all)) => all.iter().map(|one| one.to_string()).collect::<Vec<_>>(),
        _ => panic!("this is no mistake: {text}"),
    };
    let text = "targets, factors\na, b &\nb, (a\n#check x: AG nothing\n#check y: {z}\n";
    assert_eq!(
        mistakes(text),
        [
            "x.bnet:2:7: error: expected a function, found the end of the text",
            "x.bnet:3:6: error: expected `)`, found the end of the text",
            "x.bnet:4:14: error: there is no variable `nothing`",
            "x.bnet:5:13: error: no state is called `z` here",
        ]
    );
    assert!(
        mistakes(&format!("targets, factors\na, {}a", "!".repeat(5000)))[0].contains("levels deep")
    );
}

#[test]
fn only_its_own_texts_are_recognised() {
    let sure = |name: &str, text: &str| LANGUAGE.recognises(&Input::text(&Source::new(name, text)));
    assert_eq!(sure("x", "# c\ntargets, factors\na, a"), Sureness::Certain);
    assert_eq!(sure("x.bnet", "a, a"), Sureness::ByName);
    assert_eq!(sure("x.smv", "MODULE main"), Sureness::No);
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
        let mut text: Vec<char> = texts[random.below(texts.len())].chars().collect();
        for _ in 0..1 + random.below(6) {
            let at = random.below(text.len());
            let signs: Vec<char> = "{}()@~&|!:3Va\n,#é".chars().collect();
            match random.below(3) {
                0 => text[at] = signs[random.below(signs.len())],
                1 => drop(text.remove(at)),
                _ => text.insert(at, signs[random.below(signs.len())]),
            }
        }
        quotient_network::read_any(&text.iter().collect::<String>());
    }
}
