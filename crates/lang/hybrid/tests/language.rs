//! The language through its seam: answers, evidence, readers.

use quotient_core::{Budget, Claim, Context, Source, Trouble, Verdict};
use quotient_hybrid::LANGUAGE;
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Random, Settings, Sureness, Viewed};

fn try_open(text: &str) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("x.hyb", text));
    LANGUAGE.open(
        &input,
        &mut NoFiles,
        &Settings::default(),
        &Context::default(),
    )
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
    let mut laws = vec![Holds; 8];
    laws.extend([
        Violated, Violated, Holds, Holds, Holds, Violated, Holds, Violated, Holds, Holds,
    ]);
    let expected = [
        ("modes", vec![Holds, Holds, Violated, Holds, Holds]),
        ("laws", laws),
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
            let certified = model.certify(evidence, &property, &Budget::unlimited());
            certified.unwrap_or_else(|why| panic!("{name} {}: {why}", answer.property));
            // The opposite is refused, and so is evidence about another question.
            let mut opposite = evidence.clone();
            opposite.claim = match evidence.claim {
                Claim::Holds => Claim::Violated,
                Claim::Violated => Claim::Holds,
            };
            model
                .certify(&opposite, &property, &Budget::unlimited())
                .unwrap_err();
        }
        assert!(model.show(&Viewed::default(), &Context::default()).is_ok());
    }
}

#[test]
fn forged_models_are_refused() {
    let mut model =
        try_open("hybrid nominal i relation r letter p satisfiable x: @i <r> ~i & @i p").unwrap();
    let answer = answers(model.as_mut()).swap_remove(0);
    let property = model.property("x").unwrap();
    let good = answer.evidence.unwrap();
    model
        .certify(&good, &property, &Budget::unlimited())
        .unwrap();
    let edits: [fn(&mut serde_json::Value); 5] = [
        |body| body["arrows"] = serde_json::json!([]),
        |body| body["nominals"] = serde_json::json!([99]),
        |body| body["nominals"] = serde_json::json!([]),
        |body| body["here"] = 99.into(),
        |body| body["worlds"] = serde_json::json!([]),
    ];
    for edit in edits {
        let mut forged = good.clone();
        edit(&mut forged.body);
        model
            .certify(&forged, &property, &Budget::unlimited())
            .unwrap_err();
    }
}

#[test]
fn questions_of_a_user_and_the_other_format_are_read() {
    let mut model = try_open("begin <r1> p1 & [r1] (~p1 | p2) end").unwrap();
    assert_eq!(answers(model.as_mut())[0].verdict, Verdict::Holds);
    let mut model = try_open("hybrid nominal i, unused letter p").unwrap();
    let mut told = Vec::new();
    let ask = Ask {
        properties: vec![
            "@i p => E p".into(),
            "satisfiable p & ~p".into(),
            "forall x. @x p".into(),
        ],
        ..Ask::default()
    };
    model
        .check(&ask, &Context::default(), &mut |answer| {
            told.push(answer.verdict)
        })
        .unwrap();
    assert_eq!(told[..2], [Verdict::Holds, Verdict::Violated]);
    assert!(told[2].to_string().contains("undecidable"));
    let doubts = model.doubts(&Context::default()).unwrap();
    assert_eq!(doubts.len(), 2);
}

#[test]
fn mistakes_are_told_in_place() {
    let mistakes = |text: &str| match try_open(text) {
        Err(Trouble::Invalid(all)) => all.iter().map(|one| one.to_string()).collect::<Vec<_>>(),
        _ => panic!("this is no mistake: {text}"),
    };
    let text = "hybrid\nnominal i\nletter p\nvalid a: @j p\nvalid b: <s> p\nvalid c: p &\n";
    assert_eq!(
        mistakes(text),
        [
            "x.hyb:4:11: error: there is no nominal `j`",
            "x.hyb:5:11: error: there is no relation `s`",
            "x.hyb:7:1: error: expected a formula, found the end of the text",
        ]
    );
    assert!(
        mistakes(&format!("hybrid letter p valid x: {}p", "~".repeat(5000)))[0]
            .contains("levels deep")
    );
}

#[test]
fn only_its_own_texts_are_recognised() {
    let sure = |name: &str, text: &str| LANGUAGE.recognises(&Input::text(&Source::new(name, text)));
    assert_eq!(sure("x", "# c\nhybrid\nnominal i"), Sureness::Certain);
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
        let mut text: Vec<u8> = texts[random.below(texts.len())].bytes().collect();
        for _ in 0..1 + random.below(6) {
            let at = random.below(text.len());
            let signs = b"<>[]{}()@~&|!=:0a\n,";
            match random.below(3) {
                0 => text[at] = signs[random.below(signs.len())],
                1 => drop(text.remove(at)),
                _ => text.insert(at, signs[random.below(signs.len())]),
            }
        }
        quotient_hybrid::read_any(&String::from_utf8_lossy(&text));
    }
}
