//! The language through its seam: answers, evidence, readers.

use quotient_core::{Budget, Context, Verdict};
use quotient_hybrid::LANGUAGE;
use quotient_language::{Ask, Sureness, Viewed};
use quotient_testkit::language::{Tested, answers, assert_certified, attack_all, verdicts};

const HYBRID: Tested = Tested::new(LANGUAGE, "x.hyb");

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
    for (name, expected) in expected {
        let mut model = HYBRID.example(name);
        let answers = answers(model.as_mut());
        assert_eq!(verdicts(&answers), expected, "{name}");
        for answer in &answers {
            assert_certified(model.as_mut(), answer);
        }
        assert!(model.show(&Viewed::default(), &Context::default()).is_ok());
    }
}

#[test]
fn forged_evidence_is_never_believed() {
    let examples = LANGUAGE.about().examples.iter();
    let models = examples.map(|one| HYBRID.example(one.name)).collect();
    attack_all(models, 100, 200_000);
}

#[test]
fn forged_models_are_refused() {
    let mut model =
        HYBRID.open("hybrid nominal i relation r letter p satisfiable x: @i <r> ~i & @i p");
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
    let mut model = HYBRID.open("begin <r1> p1 & [r1] (~p1 | p2) end");
    assert_eq!(answers(model.as_mut())[0].verdict, Verdict::Holds);
    let mut model = HYBRID.open("hybrid nominal i, unused letter p");
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
    let text = "hybrid\nnominal i\nletter p\nvalid a: @j p\nvalid b: <s> p\nvalid c: p &\n";
    assert_eq!(
        HYBRID.mistakes(text),
        [
            "x.hyb:4:11: error: there is no nominal `j`",
            "x.hyb:5:11: error: there is no relation `s`",
            "x.hyb:7:1: error: expected a formula, found the end of the text",
        ]
    );
    assert!(
        HYBRID.mistakes(&format!("hybrid letter p valid x: {}p", "~".repeat(5000)))[0]
            .contains("levels deep")
    );
}

#[test]
fn only_its_own_texts_are_recognised() {
    assert_eq!(
        HYBRID.sure("x", "# c\nhybrid\nnominal i"),
        Sureness::Certain
    );
    assert_eq!(HYBRID.sure("x.smv", "MODULE main"), Sureness::No);
}

#[test]
fn no_text_makes_the_reader_panic() {
    HYBRID.disturb("<>[]{}()@~&|!=:0aé\n,", 600, |text| {
        quotient_hybrid::read_any(text);
    });
}
