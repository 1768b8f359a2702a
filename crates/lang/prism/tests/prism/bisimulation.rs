//! States taken together: the numbers, the evidence and the story are those of the model.

use std::sync::Arc;

use crate::common::{Asked, check, open};
use quotient_core::{Budget, Context, Recorder, Sink, Story, What};
use quotient_language::Ask;

/// Three machines that break and are repaired by choice; only their number matters.
const MACHINES: &str = "mdp
module first
  a : [0..2] init 0;
  [] a=0 -> 0.9:(a'=0) + 0.1:(a'=1);
  [] a=1 -> 0.5:(a'=0) + 0.5:(a'=2);
endmodule
module second = first [ a=b ] endmodule
module third = first [ a=c ] endmodule
formula broken = (a=2?1:0)+(b=2?1:0)+(c=2?1:0);
rewards broken<2 : broken + 1; endrewards";

const QUESTIONS: &[&str] = &[
    "Pmin=? [ F broken=3 ]",
    "Pmax=? [ F broken=3 ]",
    "Pmax=? [ broken<2 U (broken=2 & a!=1 & b!=1 & c!=1) ]",
    "Rmin=? [ F broken>=2 ]",
    "Rmax=? [ F broken>=2 ]",
    "Pmax=? [ F<=9 broken=3 ]",
    "Pmin=? [ F[2,9] broken=2 ]",
    "Rmax=? [ C<=7 ]",
    "P>=0.3 [ F<=20 broken=3 ]",
];

#[test]
fn numbers_and_evidence_are_those_of_the_model() {
    for question in QUESTIONS {
        let asked = Asked::property(question);
        let plain = check(MACHINES, &asked.clone().setting("bisimulation", "never"));
        let asked = asked.setting("bisimulation", "always");
        let mut together = check(MACHINES, &asked);
        assert_eq!(together.verdict, plain.verdict, "{question}");
        if let Some(number) = &plain.value {
            let width = (2e-7 * number.upper).max(1e-12);
            if number.upper.is_finite() {
                together.has_value(number.value, width);
            } else {
                together.has_value(f64::INFINITY, width);
            }
        }
        let mut model = open(MACHINES, &asked).expect("a model");
        let property = model.property(question).expect("a property");
        let evidence = together.0.evidence.take().expect("evidence");
        let certified = model.certify(&evidence, &property, &Budget::unlimited());
        assert!(certified.is_ok(), "{question}: {certified:?}");
    }
}

fn notes(when: &str) -> Vec<String> {
    let recorder = Arc::new(Recorder::default());
    let context = Context {
        story: Story::to([recorder.clone() as Arc<dyn Sink>]),
        ..Context::default()
    };
    let asked = Asked::property("Rmax=? [ C<=7 ]").setting("bisimulation", when);
    let mut model = open(MACHINES, &asked).expect("a model");
    let ask = Ask {
        properties: asked.property.clone(),
        ..Ask::default()
    };
    model.check(&ask, &context, &mut |_| ()).expect("an answer");
    let events = recorder.events().into_iter();
    events
        .filter_map(|event| match event.what {
            What::Note { text } => Some(text),
            _ => None,
        })
        .collect()
}

#[test]
fn the_story_says_that_states_were_taken_together() {
    // 27 states; of three machines alike 10 classes are left, of which three look alike, since
    // nothing is earned there or later.
    let told = notes("always");
    let line = told.iter().find(|line| line.contains("27 states"));
    let line = line.expect("a note about states");
    assert!(line.contains("8 classes"), "{line}");
    assert!(notes("never").is_empty());
}
