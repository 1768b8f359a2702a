//! PSL with sequences and distances, from the text to the evidence.

use quotient_core::{Budget, Verdict};
use quotient_language::Ask;

use super::random::{self, Random};
use super::{check, open};

const LAMP: &str = "
    MODULE main
    VAR step : 0..4; busy : boolean;
    IVAR go : boolean;
    ASSIGN
      init(step) := 0;
      next(step) := case !go : step; step < 4 : step + 1; TRUE : 0; esac;
      busy := step in 1..3;
    FAIRNESS go
";

/// The verdict of one specification, which certify accepts where it is violated.
fn verdict(specification: &str) -> Verdict {
    let mut model = open(&format!("{LAMP}{specification}"));
    let answers = check(&mut *model, &Ask::default()).unwrap();
    let answer = &answers[0];
    if answer.verdict == Verdict::Violated {
        let property = &model.properties()[0];
        let evidence = answer.evidence.clone().unwrap();
        let budget = Budget::unlimited();
        let certified = model.certify(&evidence, property, &budget);
        certified.unwrap_or_else(|why| panic!("{specification}: {why}"));
    }
    answer.verdict.clone()
}

#[test]
fn properties_of_psl_have_the_verdicts_of_the_reference_manual() {
    let holds = [
        "PSLSPEC always (step = 0 -> !busy);",
        "PSLSPEC always step = 1 -> busy until! step = 4;",
        "PSLSPEC always {step = 0; step = 1} |=> busy;",
        "PSLSPEC never {step = 1; step = 3};",
        "PSLSPEC always {step = 0; step = 1} |-> {busy[*]; step = 4};",
        "PSLSPEC eventually! {step = 3[+]; step = 4};",
        "PSLSPEC always (step = 0 -> next_event(busy)(step = 1));",
        "PSLSPEC always (step = 0 -> (step = 2 before! step = 3));",
        "PSLSPEC forall i in {0:3} : always (step = i -> eventually! step = i + 1);",
        "PSLSPEC always {step = 0; busy[->1]} |-> step == 1;",
        "PSLSPEC AG (step = 1 -> EX busy);",
        "PSLSPEC always (step = 1 -> ((busy until! step = 0) abort step = 4));",
        "PSLSPEC always (step = 1 -> next_a[0:2](busy | step = 1));",
        "PSLSPEC G {step = 0[*]; step = 1[*]; step = 2 | TRUE};",
    ];
    for one in holds {
        assert_eq!(verdict(one), Verdict::Holds, "{one}");
    }
    let violated = [
        "PSLSPEC always {step = 0; step = 1} |=> step = 2;",
        "PSLSPEC never {step = 1; step = 2};",
        "PSLSPEC always {step = 0; step = 1} |-> {busy[*3]; step = 4}!;",
        "PSLSPEC eventually! {step = 1; step = 3};",
        "PSLSPEC next[2](step = 2);",
        "PSLSPEC always (step = 0 -> next_event!(busy)[2](step = 2));",
        "PSLSPEC always (step = 1 -> (step = 4 before busy));",
        "PSLSPEC {busy};",
        "PSLSPEC always ((busy until step = 4) abort step = 4);",
        "PSLSPEC always (step = 1 -> (busy until! step = 0));",
        "PSLSPEC always {step = 0; step = 1} (next step = 2);",
    ];
    for one in violated {
        assert_eq!(verdict(one), Verdict::Violated, "{one}");
    }
}

#[test]
fn what_is_not_supported_of_psl_is_unknown() {
    let one = "PSLSPEC within(step = 0, busy){busy};";
    assert!(matches!(verdict(one), Verdict::Unknown(_)));
}

#[test]
fn runs_against_sequences_cannot_be_forged() {
    let text = format!("{LAMP}PSLSPEC never {{step = 1; step = 2}};");
    let mut model = open(&text);
    let answers = check(&mut *model, &Ask::default()).unwrap();
    let property = model.properties()[0].clone();
    let good = answers[0].evidence.clone().unwrap();
    let budget = Budget::unlimited();
    assert!(model.certify(&good, &property, &budget).is_ok());
    // A run that never leaves the first state is not fair, one that skips a step none at all.
    let body = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut forged = good.clone();
        change(&mut forged.body);
        forged
    };
    let idle = body(&|body| {
        let first = body["states"][0].clone();
        body["states"] = serde_json::json!([first]);
        body["back_to"] = serde_json::json!(0);
        body["backTo"] = serde_json::json!(0);
    });
    let skips = body(&|body| {
        let states = body["states"].as_array_mut().unwrap();
        states.remove(1);
    });
    let endless = body(&|body| {
        let fields = body.as_object_mut().unwrap();
        fields.retain(|name, _| !name.to_lowercase().contains("back"));
    });
    for forged in [idle, skips, endless] {
        assert!(model.certify(&forged, &property, &budget).is_err());
    }
    // The same run says nothing about another property.
    let mut other = open(&format!("{LAMP}PSLSPEC never {{step = 1; step = 3}};"));
    let property = other.properties()[0].clone();
    assert!(other.certify(&good, &property, &budget).is_err());
}

#[test]
fn distances_are_those_of_the_manual() {
    let far = |specification: &str| {
        let mut model = open(&format!("{LAMP}{specification}"));
        let answers = check(&mut *model, &Ask::default()).unwrap();
        answers[0].value.as_ref().map(|far| far.value)
    };
    assert_eq!(far("COMPUTE MIN [step = 0, step = 4]"), Some(4.0));
    assert_eq!(far("COMPUTE MIN [step = 3, step = 1]"), Some(3.0));
    assert_eq!(far("COMPUTE MIN [busy, step = 1]"), Some(0.0));
    assert_eq!(far("COMPUTE MIN [step = 0, FALSE]"), Some(f64::INFINITY));
    assert_eq!(far("INIT FALSE COMPUTE MIN [step = 0, step = 4]"), None);
    // The input may wait for ever.
    assert_eq!(far("COMPUTE MAX [step = 0, step = 4]"), Some(f64::INFINITY));
    assert_eq!(far("COMPUTE MAX [step = 4, step = 4]"), Some(0.0));
    // Where nothing starts, the least of no numbers is infinite, and there is no greatest.
    assert_eq!(far("COMPUTE MIN [step = 7, busy]"), Some(f64::INFINITY));
    assert_eq!(far("COMPUTE MAX [step = 7, busy]"), None);
    let mut hurries = open(
        "MODULE main VAR x : 0..5; ASSIGN init(x) := 0; next(x) := case x < 4 : {x + 1, x + 2}; \
         TRUE : 5; esac; COMPUTE MAX [x = 0, x = 5] COMPUTE NAME least := MIN [x = 0, AG x = 5]",
    );
    let answers = check(&mut *hurries, &Ask::default()).unwrap();
    let values: Vec<f64> = answers
        .iter()
        .map(|one| one.value.as_ref().unwrap().value)
        .collect();
    assert_eq!(values, [5.0, 3.0]);
}

#[test]
fn distances_are_worked_out_again_state_by_state() {
    let ways = "COMPUTE MIN [d1, !d1] COMPUTE MAX [d1, !d1] COMPUTE MIN [!d1, AG d1]
        COMPUTE MAX [TRUE, d1] COMPUTE MAX [!d1, EX d1] COMPUTE MIN [EG d1, FALSE]";
    let (mut finite, mut endless, budget) = (0, 0, Budget::unlimited());
    for seed in 0..80 {
        let mut random = Random(seed);
        let mut text = random::model_with_condition(&mut random, 24);
        text.push_str(["", "FAIRNESS d1\n", "FAIRNESS !d1\n"][seed as usize % 3]);
        text.push_str(ways);
        let mut model = open(&text);
        // Some have mistakes that show only when all values are considered.
        let Ok(answers) = check(&mut *model, &Ask::default()) else {
            continue;
        };
        for answer in answers.iter().filter(|one| one.verdict == Verdict::Holds) {
            let far = answer.value.as_ref().unwrap();
            *if far.value.is_finite() {
                &mut finite
            } else {
                &mut endless
            } += 1;
            let property = model.property(&answer.property).unwrap();
            let evidence = answer.evidence.clone().unwrap();
            let seen = model.certify(&evidence, &property, &budget);
            let seen = seen.unwrap_or_else(|why| panic!("{text}\n{}: {why}", answer.property));
            let told = far.exact.as_ref().unwrap();
            assert!(seen.facts[0].starts_with(&format!("the number of steps is {told}:")));
            for other in ["0", "1", "7", "infinity", "-1", ""] {
                let mut forged = evidence.clone();
                forged.body["steps"] = serde_json::json!(other);
                let refused = model.certify(&forged, &property, &budget).is_err();
                assert_eq!(refused, other != told, "{other} and {told}");
            }
        }
    }
    assert!(finite > 30 && endless > 50, "{finite} {endless}");
}

#[test]
fn a_number_of_steps_is_not_believed_where_nothing_starts_or_too_much_is_to_be_seen() {
    let budget = Budget::unlimited();
    let step = "VAR step : 0..4; ASSIGN init(step) := 0; next(step) := step < 4 ? step + 1 : 4;";
    let far = "COMPUTE MIN [step = 0, step = 4]";
    let mut model = open(&format!("MODULE main {step} {far}"));
    let evidence = check(&mut *model, &Ask::default()).unwrap()[0]
        .evidence
        .clone();
    let evidence = evidence.unwrap();
    let again = |text: String| {
        let mut model = open(&text);
        let property = model.properties()[0].clone();
        model.certify(&evidence, &property, &budget).map(|_| ())
    };
    assert!(again(format!("MODULE main {step} {far}")).is_ok());
    assert!(again(format!("MODULE main {step} INIT FALSE {far}")).is_err());
    assert!(again(format!("MODULE main {step} FAIRNESS step = 0 {far}")).is_err());
    assert!(again(format!("MODULE main VAR w : word[40]; {step} {far}")).is_err());
    // What has a value everywhere is believed, and nothing else.
    let half = step.replace("step + 1", "step + 4 / (3 - step)");
    assert!(again(format!("MODULE main {half} {far}")).is_err());
    // Of a large model there is no evidence.
    let mut large = open(&format!("MODULE main VAR w : word[40]; {step} {far}"));
    let answers = check(&mut *large, &Ask::default()).unwrap();
    assert_eq!(answers[0].value.as_ref().unwrap().value, 4.0);
    assert!(answers[0].evidence.is_none());
}

#[test]
fn violations_that_take_several_runs_are_certified() {
    let model = "
        MODULE main
        VAR x : 0..12; y : 0..12; broken : boolean;
        ASSIGN
          init(x) := 0; init(y) := 0; init(broken) := FALSE;
          next(x) := broken ? x : (x + 1) mod 13;
          next(y) := x = 12 ? (y + 1) mod 13 : y;
          next(broken) := broken | y = 3 ? {TRUE, broken} : broken;
    ";
    let violated = [
        ("EF (broken & y < 3 & x < 12)", "states-barrier"),
        ("AG EF x = 3", "states-barrier"),
        ("AG (broken -> E [x > 5 U x = 5])", "states-barrier"),
        ("AG (x >= 0 & AX EF !broken)", "states-barrier"),
        ("AX EF (broken & y < 3 & x < 12)", "states-barrier"),
        ("EG x = 0", "smv-run"),
        ("AG EX !broken", "smv-run"),
        ("AF AG EX x = 0", "smv-run"),
        ("EF AG broken & EG x < 3", "smv-run"),
    ];
    for (formula, kind) in violated {
        let text = format!("{model}SPEC {formula}");
        let mut model = open(&text);
        let answers = check(&mut *model, &Ask::default()).unwrap();
        assert_eq!(answers[0].verdict, Verdict::Violated, "{formula}");
        let evidence = answers[0].evidence.clone().unwrap();
        assert_eq!(evidence.kind, kind, "{formula}");
        let property = model.properties()[0].clone();
        let budget = Budget::unlimited();
        if let Err(why) = model.certify(&evidence, &property, &budget) {
            panic!("{formula}: {why}");
        }
        if kind != "states-barrier" {
            continue;
        }
        // Half of the truth is none: another root, a node less, a run that ends elsewhere.
        let forged = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut forged = evidence.clone();
            change(&mut forged.body);
            forged
        };
        let everything = forged(&|body| body["set"]["root"] = serde_json::json!(0));
        let nothing = forged(&|body| body["set"]["root"] = serde_json::json!(1));
        let opposite = forged(&|body| {
            let root = body["set"]["root"].as_u64().unwrap();
            body["set"]["root"] = serde_json::json!(root ^ 1);
        });
        for forged in [everything, nothing, opposite] {
            let accepted = model.certify(&forged, &property, &budget).is_ok();
            assert!(!accepted, "{formula}: {:?}", forged.body["set"]["root"]);
        }
        let other = open("MODULE main VAR x : 0..12; y : 0..12; broken : boolean; SPEC EF x = 3");
        let mut other = other;
        let property = other.properties()[0].clone();
        assert!(other.certify(&evidence, &property, &budget).is_err());
    }
}

#[test]
fn a_run_that_ends_or_fulfils_a_property_with_sequences_does_not_violate_it() {
    use quotient_core::{Evidence, Rejection};
    let text = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := (x + 1) mod 3;
        PSLSPEC always {x = 0; TRUE} |-> x = 1;
        PSLSPEC always {x = 0; TRUE} |-> x = 2;
        PSLSPEC always {x = 2; TRUE} |-> 4 / x != 9;";
    let mut model = open(text);
    let properties = model.properties();
    let mut judged = |at: usize, states: &[&str], back_to: Option<usize>| {
        let states: Vec<_> = states.iter().map(|&one| vec![one]).collect();
        let mut body = serde_json::json!({ "variables": ["x"], "states": states });
        if let Some(back_to) = back_to {
            body["back_to"] = back_to.into();
        }
        let forged = Evidence::of_violated("smv-run", &body);
        model.certify(&forged, &properties[at], &Budget::unlimited())
    };
    let round = &["0", "1", "2"];
    assert!(judged(1, round, Some(0)).is_ok());
    let told = judged(0, round, Some(0)).unwrap_err().to_string();
    assert!(told.contains("holds on this run"), "{told}");
    let told = judged(1, round, None).unwrap_err().to_string();
    assert!(told.contains("not infinite"), "{told}");
    // What has no value is not false.
    let told = judged(2, round, Some(0)).unwrap_err();
    assert!(matches!(told, Rejection::Stopped(_)), "{told}");
    let mut model = open("MODULE main VAR x : 0..2; HCTLSPEC !{s}: EF ({s} & 4 / x != 9);");
    assert!(check(&mut *model, &Ask::default()).is_err());
}
