//! The language through its front door only: what every front end sees.

mod convert;
mod fuzz;
mod hybrid;
mod instance;
#[path = "../random/mod.rs"]
mod random;
mod show;
mod simulate;
mod special;
mod turns;

use quotient_core::{Context, Diagnostic, Evidence, Source, Trouble, Verdict};
use quotient_language::{
    Answer, Ask, Block, Input, Model, NoFiles, Query, Settings, Sureness, Verb,
};
use quotient_smv::LANGUAGE;

fn settings(verb: Verb, given: &[(&str, &str)]) -> Settings {
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let given: Vec<_> = given.iter().map(own).collect();
    let about = LANGUAGE.about();
    Settings::new(about.name, about.settings, verb, &given).unwrap()
}

fn open_with(text: &str, settings: &Settings) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("m.smv", text));
    LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default())
}

fn open(text: &str) -> Box<dyn Model> {
    open_with(text, &Settings::default()).unwrap()
}

fn check(model: &mut dyn Model, ask: &Ask) -> Result<Vec<Answer>, Trouble> {
    let mut answers = Vec::new();
    // A verdict may be told again, with more to say about it.
    let mut tell = |answer: Answer| {
        let is_same =
            |one: &&mut Answer| one.property == answer.property && one.number == answer.number;
        match answers.iter_mut().find(is_same) {
            Some(before) => *before = answer,
            None => answers.push(answer),
        }
    };
    model.check(ask, &Context::default(), &mut tell)?;
    Ok(answers)
}

fn answers(text: &str) -> Vec<Answer> {
    check(&mut *open(text), &Ask::default()).unwrap()
}

fn verdict_words(answer: &Answer) -> &'static str {
    match answer.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The gallery, but for the flower, which takes long in debug builds.
fn gallery() -> impl Iterator<Item = (&'static str, &'static str)> {
    let examples = LANGUAGE.about().examples.iter();
    let files = examples.map(|example| (example.name, example.files[0].1));
    files.filter(|(name, _)| !name.starts_with("flower"))
}

#[test]
fn the_gallery_has_the_verdicts_that_it_expects() {
    let mut checked = 0;
    for (name, text) in gallery() {
        let ask = Ask {
            vacuity: true,
            ..Ask::default()
        };
        for answer in check(&mut *open(text), &ask).unwrap() {
            let number = answer.number.unwrap();
            let verdict = verdict_words(&answer);
            let vacuous = if answer.vacuous { ", vacuous" } else { "" };
            let expected = format!("-- expect {number}: {verdict}{vacuous}");
            assert!(
                text.lines().any(|line| line == expected),
                "{name}: {expected}"
            );
            assert!(answer.details.iter().any(|(name, _)| name == "vacuity"));
            checked += 1;
        }
    }
    assert!(checked >= 40, "only {checked}");
}

#[test]
fn every_example_and_the_starter_are_recognised_and_open() {
    let about = LANGUAGE.about();
    let texts = about.examples.iter().map(|example| example.files[0]);
    for (name, text) in texts.chain([("starter.smv", about.starter)]) {
        let input = Input::text(&Source::new(name, text));
        assert_eq!(LANGUAGE.recognises(&input), Sureness::Certain, "{name}");
        assert!(!open(text).properties().is_empty(), "{name}");
    }
}

#[test]
fn names_are_hints_and_other_texts_are_left_alone() {
    let sure = |name: &str, text: &str| LANGUAGE.recognises(&Input::text(&Source::new(name, text)));
    assert_eq!(sure("x.smv", "what is this"), Sureness::ByName);
    assert_eq!(sure("x.lts", "P = (a -> P)."), Sureness::No);
    assert_eq!(
        sure("x", "VAR x : boolean; ASSIGN init(x) := TRUE;"),
        Sureness::Maybe
    );
    assert_eq!(sure("x.smv", "VAR x : boolean;"), Sureness::Likely);
    let binary = Input::bytes("x.smv", vec![0, 1, 2]);
    assert_eq!(LANGUAGE.recognises(&binary), Sureness::No);
}

const COUNTER: &str = "
    MODULE main
    VAR x : 0..3;
    IVAR go : boolean;
    DEFINE high := x = 3;
    ASSIGN
      init(x) := 0;
      next(x) := case go & x < 3 : x + 1; TRUE : x; esac;
    CTLSPEC NAME reach := EF high
    INVARSPEC !high
    PSLSPEC always (x = 0);
    LTLSPEC F high
    INVARSPEC x in 0..3
    COMPUTE NAME far := MIN [x = 0, high]
";

#[test]
fn specifications_of_all_kinds_are_answered() {
    let mut model = open(COUNTER);
    let properties = model.properties();
    let names: Vec<&str> = properties.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "reach",
            "!high",
            "always (x = 0)",
            "F high",
            "x in 0..3",
            "far"
        ]
    );
    assert_eq!(properties[2].kind, "PSLSPEC");
    assert_eq!(properties[5].text, "MIN [x = 0, high]");
    let answers = check(&mut *model, &Ask::default()).unwrap();
    let verdicts: Vec<&str> = answers.iter().map(verdict_words).collect();
    assert_eq!(
        verdicts,
        [
            "holds", "violated", "violated", "violated", "holds", "holds"
        ]
    );
    assert_eq!(
        Verdict::all(answers.iter().map(|one| one.verdict.clone())).exit_code(),
        1
    );
    let far = answers[5].value.as_ref().map(|far| far.value);
    assert_eq!(far, Some(3.0), "{}", answers[5].because);
    let only = Ask {
        properties: vec!["3".into()],
        ..Ask::default()
    };
    let answers = check(&mut *model, &only).unwrap();
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].verdict.exit_code(), 1);
}

#[test]
fn runs_are_states_with_cells_and_inputs_as_actions() {
    let answers = answers(COUNTER);
    let trace = answers[1].trace.as_ref().unwrap();
    assert_eq!(trace.columns, ["x", "high"]);
    let texts: Vec<Vec<&str>> = trace
        .steps
        .iter()
        .map(|step| step.cells.iter().map(|cell| cell.text.as_str()).collect())
        .collect();
    assert_eq!(
        texts,
        [
            ["0", "FALSE"],
            ["1", "FALSE"],
            ["2", "FALSE"],
            ["3", "TRUE"]
        ]
    );
    assert_eq!(trace.steps[1].action.as_deref(), Some("go = TRUE"));
    assert!(trace.steps[1].cells[0].changed && !trace.steps[1].cells[1].changed);
    assert_eq!(trace.len(), 3);
    let lasso = answers[3].trace.as_ref().unwrap();
    let back = lasso.back_to.unwrap();
    assert!(back + 1 < lasso.steps.len());
    assert_eq!(
        lasso.steps[back].remark.as_deref(),
        Some("the loop starts here")
    );
    assert!(lasso.steps.last().unwrap().cells.is_empty());
}

#[test]
fn properties_are_found_by_number_name_and_formula() {
    let mut model = open(COUNTER);
    assert_eq!(model.property("1").unwrap().name, "reach");
    assert_eq!(model.property("reach").unwrap().number, Some(1));
    assert_eq!(model.property("F  high").unwrap().number, Some(4));
    let formula = model.property("G F (x = 1)").unwrap();
    assert!(!formula.in_file && formula.number.is_none());
    assert_eq!(formula.kind, "LTLSPEC");
    let message = |found: Result<_, Trouble>| found.unwrap_err().to_string();
    assert!(message(model.property("9")).contains("no specification 9"));
    let Err(Trouble::Invalid(mistakes)) = model.property("raech") else {
        panic!("no such name");
    };
    assert!(mistakes[0].help.iter().any(|help| help.contains("`reach`")));
    let twice = open("MODULE main VAR p : boolean; SPEC AG p SPEC AG p INVARSPEC p");
    let names: Vec<String> = twice.properties().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["AG p", "AG p #2", "p"]);
}

#[test]
fn without_initial_states_nothing_is_known_unless_that_is_allowed() {
    let text = "MODULE main VAR p : boolean; INIT p & !p INVARSPEC p LTLSPEC F p SPEC EF p";
    for answer in answers(text) {
        assert_eq!(verdict_words(&answer), "unknown");
        assert!(answer.because.contains("no state is initial"));
        assert!(answer.evidence.is_none());
    }
    let allowed = settings(Verb::Check, &[("allow-empty", "")]);
    let mut model = open_with(text, &allowed).unwrap();
    for answer in check(&mut *model, &Ask::default()).unwrap() {
        assert_eq!(answer.verdict, Verdict::Holds);
    }
    let doubts = model.doubts(&Context::default()).unwrap();
    assert_eq!(doubts[0].details["doubt"], "smv-no-initial-state");
}

#[test]
fn doubts_are_told_with_a_run() {
    let mut model =
        open("MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = x + 1 SPEC AG x < 3");
    let doubts = model.doubts(&Context::default()).unwrap();
    assert_eq!(doubts[0].details["doubt"], "smv-deadlock");
    assert!(doubts[0].text.contains("x = 2"), "{}", doubts[0].text);
}

/// All evidence about a model with the property that each is about.
fn evidence(text: &str) -> Vec<(Answer, Evidence)> {
    let answers = answers(text).into_iter();
    let with = answers.filter_map(|answer| Some((answer.clone(), answer.evidence?)));
    with.collect()
}

fn certified(model: &mut dyn Model, evidence: &Evidence) -> bool {
    let Ok(property) = model.property(evidence.property.as_deref().unwrap()) else {
        return false;
    };
    let budget = quotient_core::Budget::unlimited();
    model.certify(evidence, &property, &budget).is_ok()
}

#[test]
fn what_is_claimed_about_the_gallery_is_certified() {
    let mut accepted = 0;
    for (name, text) in gallery() {
        let mut model = open(text);
        for (answer, evidence) in evidence(text) {
            let property = model.property(&answer.property).unwrap();
            let budget = quotient_core::Budget::unlimited();
            match model.certify(&evidence, &property, &budget) {
                Ok(certified) => {
                    assert_eq!(certified.property, property.text);
                    accepted += 1;
                }
                // Some violations take more than one run to show.
                Err(quotient_core::Rejection::Stopped(_)) => {}
                Err(wrong) => panic!("{name}: {}: {wrong}", answer.property),
            }
        }
    }
    assert!(accepted >= 15, "only {accepted}");
}

#[test]
fn tampered_evidence_is_refused() {
    let mut model = open(COUNTER);
    for (answer, genuine) in evidence(COUNTER) {
        assert!(certified(&mut *model, &genuine), "{}", answer.property);
        let mut other_claim = genuine.clone();
        other_claim.claim = match genuine.claim {
            quotient_core::Claim::Holds => quotient_core::Claim::Violated,
            quotient_core::Claim::Violated => quotient_core::Claim::Holds,
        };
        assert!(!certified(&mut *model, &other_claim));
        let about_another = genuine.clone().about("G !high");
        let is_violation = answer.verdict == Verdict::Violated;
        assert!(is_violation || !certified(&mut *model, &about_another));
        let about_far = genuine.clone().about("far");
        let is_far = answer.property == "far";
        assert!(is_far || !certified(&mut *model, &about_far));
        let mut nothing = genuine.clone();
        nothing.body = serde_json::Value::Null;
        assert!(!certified(&mut *model, &nothing));
        // Every run that ever leaves 0 refutes the second of them, a shorter one too; for what holds a run only
        // says where to begin.
        let sensitive = is_violation && answer.property != "always (x = 0)";
        if let Some(states) = genuine.body["states"].as_array().filter(|_| sensitive) {
            for drop in 1..states.len() {
                let mut shorter = genuine.clone();
                shorter.body["states"].as_array_mut().unwrap().remove(drop);
                assert!(!certified(&mut *model, &shorter), "without state {drop}");
            }
        }
    }
    let faulty = COUNTER.replace("x < 3 : x + 1", "x < 2 : x + 1");
    let mut model = open(&faulty);
    let violated =
        |answer: &Answer| answer.verdict == Verdict::Violated && answer.number == Some(2);
    let all = evidence(COUNTER);
    let (_, run) = all.iter().find(|(answer, _)| violated(answer)).unwrap();
    assert!(
        !certified(&mut *model, run),
        "the other model has no such run"
    );
}

fn ask(
    text: &str,
    query: &str,
    given: &[(&str, &str)],
    limit: usize,
) -> Result<quotient_language::Shown, Trouble> {
    let mut model = open_with(text, &settings(Verb::Ask, given))?;
    let query = Query {
        text: query.to_owned(),
        limit,
    };
    model.ask(&query, &Context::default())
}

/// Where a part of a query has no value, it is refused as a formula would be; it counted as false.
#[test]
fn a_query_has_a_value_everywhere() {
    let text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;";
    let asked = ask(text, "AG (!(4 / x >= 0) -> ?{x})", &[], 9);
    assert!(matches!(asked, Err(Trouble::Invalid(_))));
    let asked = ask(text, "AG (x = 2 -> ?{x})", &[], 9).unwrap();
    assert_eq!(asked.result["count"], "1");
}

#[test]
fn ready_made_questions_are_about_some_initial_state_and_say_so() {
    // Two places to rest, and any state to begin in.
    let text =
        "MODULE main VAR x : 0..3; ASSIGN next(x) := case x in {0, 3} : x; TRUE : x - 1; esac;";
    let shown = ask(text, "stable", &[], 20).unwrap();
    assert_eq!(shown.result["count"], "2");
    assert_eq!(shown.result["query"], "EF AG ?");
    let Block::Head(head) = &shown.blocks[0] else {
        panic!("a head comes first");
    };
    assert!(head.contains("from some initial state"), "{head}");
    let Block::Table(table) = &shown.blocks[1] else {
        panic!("solutions are a table");
    };
    assert_eq!(table.rows, [["0"], ["3"]]);
    assert_eq!(
        ask(text, "stable", &[("initial", "all")], 20)
            .unwrap()
            .result["count"],
        "0"
    );
    assert_eq!(
        ask(text, "reachable", &[], 2).unwrap().result["complete"],
        false
    );
    let shown = ask(text, "invariants", &[("over", "x")], 5).unwrap();
    assert!(shown.result["general"]["solutions"].is_array());
    assert_eq!(
        ask(
            text,
            "EF AG ?{x = 0}",
            &[("initial", "some"), ("formula", "")],
            9
        )
        .unwrap()
        .result["count"],
        "2"
    );
}

#[test]
fn unknown_questions_list_those_there_are() {
    let mistakes = |query: &str, given: &[(&str, &str)]| -> Vec<Diagnostic> {
        match ask("MODULE main VAR p : boolean;", query, given, 9) {
            Err(Trouble::Invalid(mistakes)) => mistakes,
            other => panic!("{other:?}"),
        }
    };
    let wrong = mistakes("stabel", &[]);
    assert!(
        wrong[0]
            .notes
            .iter()
            .any(|note| note.contains("dominators of P"))
    );
    assert!(wrong[0].help.iter().any(|help| help.contains("`stable`")));
    assert_eq!(mistakes("EF p", &[])[0].code, "no-placeholder");
    assert_eq!(mistakes("EF ?", &[("over", "p")])[0].code, "usage");
}
