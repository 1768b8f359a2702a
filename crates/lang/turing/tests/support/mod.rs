//! The machines of the paper, and how they are asked.

// Every test file uses another part of it.
#![allow(dead_code)]

use quotient_core::{Budget, Certified, Context, Evidence, Rejection, Source, Trouble, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_turing::LANGUAGE;

pub(crate) const DIV2: &str = "<1,1,W(B),1> <1,B,R,2> <2,1,R,3> <3,B,R,3> <3,1,W(B),4> <4,B,R,2>\n";
pub(crate) const PMINUS: &str = "<1,1,R,1> <1,B,R,2> <2,0,R,2> <2,1,W(0),3> <3,0,L,3> <3,B,L,4>\n\
                      <4,B,L,4> <4,1,W(B),5> <5,B,R,5> <5,0,R,2>\n";
pub(crate) const EMPTY: &str = "<1,1,R,1> <1,B,W(1),2> <2,1,L,2> <2,B,W(1),1>\n";

pub(crate) const COUNTER: &str = "blank B\nstart inc\n<inc,0,1,R,back> <inc,1,0,L,inc> <inc,B,1,R,back>\n\
    <back,0,0,R,back> <back,1,1,R,back> <back,B,B,L,inc>\n";

pub(crate) fn open_with(text: &str, settings: &[(&str, &str)]) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("test.tm", text));
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let given: Vec<_> = settings.iter().map(own).collect();
    let known = LANGUAGE.about().settings;
    let settings = Settings::new("Turing", known, Verb::Check, &given)?;
    LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default())
}

pub(crate) fn open(text: &str) -> Box<dyn Model> {
    open_with(text, &[]).unwrap()
}

pub(crate) fn check(model: &mut dyn Model) -> Vec<Answer> {
    let mut answers = Vec::new();
    let ask = Ask::default();
    (model.check(&ask, &Context::default(), &mut |answer| {
        answers.push(answer)
    }))
    .unwrap();
    answers
}

pub(crate) fn certify(model: &mut dyn Model, evidence: &Evidence) -> Result<Certified, Rejection> {
    certify_with(model, evidence, 400_000)
}

/// The same with more work allowed.
pub(crate) fn certify_with(
    model: &mut dyn Model,
    evidence: &Evidence,
    work: u64,
) -> Result<Certified, Rejection> {
    let name = evidence.property.clone().unwrap_or_default();
    let property = (model.property(&name)).map_err(|_| Rejection::wrong("no such property"))?;
    let budget = Budget::unlimited().child_with_work(work);
    model.certify(evidence, &property, &budget)
}

/// The answer to the only question of a machine; its evidence is certified.
pub(crate) fn ask(machine: &str, question: &str) -> Answer {
    let mut model = open(&format!("{machine}\ncheck {question}\n"));
    let answer = check(model.as_mut()).remove(0);
    match (&answer.verdict, &answer.evidence) {
        (Verdict::Unknown(_), None) => {}
        (_, Some(evidence)) => {
            certify_with(model.as_mut(), evidence, 20_000_000).unwrap();
        }
        _ => panic!("a verdict without evidence"),
    }
    answer
}

pub(crate) fn proof(answer: &Answer) -> serde_json::Value {
    answer.evidence.as_ref().unwrap().body["cases"][0]["proof"].clone()
}
