//! Verdicts about random protocols that count, hold, send to and fail each other: small instances
//! say the same, and the evidence is accepted.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::{LANGUAGE, Protocol};

#[allow(dead_code, reason = "other tests use the rest")]
mod random;

fn opened(source: &Source, settings: &Settings) -> Box<dyn Model> {
    let (input, cx) = (Input::text(source), Context::default());
    match LANGUAGE.open(&input, &mut NoFiles, settings, &cx) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}"),
    }
}

fn answers(source: &Source) -> Vec<Answer> {
    let mut answers = Vec::new();
    let context = Context {
        budget: Budget::unlimited().child_with_work(100_000),
        ..Context::default()
    };
    let checked =
        opened(source, &Settings::default())
            .check(&Ask::default(), &context, &mut |one| answers.push(one));
    // Out of work is no answer.
    let _ = checked;
    answers
}

/// What a plain search of an instance says.
fn instance(source: &Source, processes: usize) -> Vec<Answer> {
    let pairs = [("processes".to_owned(), processes.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let context = Context {
        budget: Budget::unlimited().child_with_work(3_000),
        ..Context::default()
    };
    let inspected = opened(source, &settings).instance(&context);
    inspected.map_or(Vec::new(), |inspected| inspected.answers)
}

#[test]
fn verdicts_about_crowds_are_those_of_small_instances() {
    let (mut proofs, mut runs) = (0, 0);
    for seed in 1_000..1_060 {
        let text = random::crowd(&mut random::Random::new(seed));
        let source = Source::new("test.protocol", text.clone());
        if Protocol::parse(&source).is_err() {
            continue;
        }
        let small: Vec<Answer> = (1..=3).flat_map(|size| instance(&source, size)).collect();
        let properties = opened(&source, &Settings::default()).properties();
        for answer in answers(&source) {
            let name = &answer.property;
            let mut same = small.iter().filter(|one| one.property == *name);
            let is_violated = same.any(|one| one.verdict == Verdict::Violated);
            match answer.verdict {
                Verdict::Holds => {
                    proofs += 1;
                    assert!(!is_violated, "`{name}` is violated\n{text}");
                }
                Verdict::Violated => runs += 1,
                _ => continue,
            }
            let evidence = answer.evidence.expect("a definite answer has evidence");
            let property = properties.iter().find(|one| one.name == *name);
            let property = property.expect("it was asked");
            let certified = opened(&source, &Settings::default()).certify(
                &evidence,
                property,
                &Budget::unlimited(),
            );
            assert!(certified.is_ok(), "`{name}`: {:?}\n{text}", certified.err());
        }
    }
    assert!(proofs > 10 && runs > 10, "{proofs} proofs and {runs} runs");
}
