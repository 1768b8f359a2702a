//! The language through its seam: answers, evidence, doubts, simulation, formats.

use quotient_aiger::LANGUAGE;
use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::{
    Answer, Ask, Input, Model, NoFiles, Picture, Random, Settings, Sureness, Verb, Viewed,
};

fn open_with(name: &str, text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new(name, text));
    LANGUAGE
        .open(&input, &mut NoFiles, settings, &Context::default())
        .unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn open(name: &str, text: &str) -> Box<dyn Model> {
    open_with(name, text, &Settings::default())
}

fn example(name: &str) -> &'static str {
    let examples = LANGUAGE.about().examples;
    let example = examples.iter().find(|one| one.name == name).unwrap();
    example.files[0].1
}

fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = Vec::new();
    let mut tell = |answer| all.push(answer);
    let ask = Ask {
        exhibits: true,
        ..Ask::default()
    };
    model.check(&ask, &Context::default(), &mut tell).unwrap();
    all
}

fn certified(model: &mut dyn Model, answer: &Answer) -> Result<(), String> {
    let property = model.property(&answer.property).unwrap();
    let evidence = answer.evidence.as_ref().unwrap();
    model
        .certify(evidence, &property, &Budget::unlimited())
        .map(|_| ())
        .map_err(|rejection| rejection.to_string())
}

#[test]
fn examples_have_the_verdicts_that_their_titles_say() {
    let expected = [
        ("arbiter", vec![Verdict::Holds, Verdict::Holds]),
        ("traffic", vec![Verdict::Violated]),
    ];
    assert_eq!(LANGUAGE.about().examples.len(), expected.len());
    for (name, verdicts) in expected {
        let mut model = open(name, example(name));
        let answers = answers(&mut *model);
        let given: Vec<Verdict> = answers.iter().map(|one| one.verdict.clone()).collect();
        assert_eq!(given, verdicts, "{name}");
        for answer in &answers {
            assert_eq!(certified(&mut *model, answer), Ok(()), "{name}");
        }
    }
}

#[test]
fn refutations_are_given_on_request_and_followed_by_the_checker() {
    let about = LANGUAGE.about();
    let given = [("refutations".to_owned(), "true".to_owned())];
    let settings = Settings::new(about.name, about.settings, Verb::Check, &given).unwrap();
    let mut model = open_with("arbiter.aag", example("arbiter"), &settings);
    let answer = answers(&mut *model).remove(0);
    assert!(answer.because.contains("refuted in"), "{}", answer.because);
    assert_eq!(certified(&mut *model, &answer), Ok(()));
    let files: Vec<&str> = (answer.exhibits.iter())
        .flat_map(|exhibit| exhibit.files.iter())
        .map(|(ending, _)| ending.as_str())
        .collect();
    assert_eq!(files, ["aag", "cnf", "lrat", "cnf", "lrat", "cnf", "lrat"]);
    // Without its last line a refutation has no end.
    for at in 0..3 {
        let mut cut = answer.clone();
        let body = &mut cut.evidence.as_mut().unwrap().body;
        let text = body["refutations"][at].as_str().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        body["refutations"][at] = lines[..lines.len() - 1].join("\n").into();
        assert!(certified(&mut *model, &cut).is_err());
    }
    let mut traffic = open("traffic.aag", example("traffic"));
    assert!(certified(&mut *traffic, &answer).is_err());
}

#[test]
fn evidence_of_one_circuit_is_refused_for_another() {
    let mut traffic = open("traffic.aag", example("traffic"));
    let mut arbiter = open("arbiter.aag", example("arbiter"));
    let run = answers(&mut *traffic).remove(0);
    let proof = answers(&mut *arbiter).remove(0);
    assert!(certified(&mut *arbiter, &run).is_err());
    assert!(certified(&mut *traffic, &proof).is_err());
    let mut shortened = run.clone();
    let body = &mut shortened.evidence.as_mut().unwrap().body;
    body["inputs"].as_array_mut().unwrap().pop();
    assert!(certified(&mut *traffic, &shortened).is_err());
    let mut dropped = proof.clone();
    let body = &mut dropped.evidence.as_mut().unwrap().body;
    body["clauses"].as_array_mut().unwrap().clear();
    assert!(certified(&mut *arbiter, &dropped).is_err());
}

#[test]
fn a_violation_has_a_trace_and_a_witness() {
    let mut model = open("traffic.aag", example("traffic"));
    let answer = answers(&mut *model).remove(0);
    let trace = answer.trace.unwrap();
    assert!(trace.columns.contains(&"north_green".to_owned()));
    let last = trace.steps.last().unwrap();
    let green = |name: &str| {
        let at = trace.columns.iter().position(|one| one == name).unwrap();
        last.cells[at].text == "1"
    };
    assert!(green("north_green") && green("east_green"));
    let witness = &answer.exhibits[0].files[0].1;
    assert!(witness.starts_with("1\nb0\n000\n") && witness.ends_with(".\n"));
}

#[test]
fn a_lasso_goes_back_for_justice() {
    // A lamp that blinks; that it is on again and again is asked to be impossible.
    let mut model = open("blink.aag", "aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\n");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    assert!(answer.trace.as_ref().unwrap().back_to.is_some());
    assert_eq!(certified(&mut *model, &answer), Ok(()));
}

#[test]
fn a_proof_for_want_of_runs_is_said_to_be_one() {
    // The only latch is off at the start and constrained to be on.
    let mut model = open("none.aag", "aag 1 0 1 0 0 1 1\n2 2\n3\n2\n");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Holds);
    assert!(answer.vacuous && answer.because.contains("no run"));
    let doubts = model.doubts(&Context::default()).unwrap();
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.details["doubt"] == "no-runs")
    );
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.details["doubt"] == "stuck-latches")
    );
}

#[test]
fn bounded_search_alone_never_says_that_something_holds() {
    let given = [
        ("method".to_owned(), "bounded".to_owned()),
        ("steps".to_owned(), "5".to_owned()),
    ];
    let known = LANGUAGE.about().settings;
    let settings = Settings::new("AIGER", known, Verb::Check, &given).unwrap();
    let mut model = open_with("arbiter.aag", example("arbiter"), &settings);
    let answer = answers(&mut *model).remove(0);
    assert!(
        matches!(answer.verdict, Verdict::Unknown(_)),
        "{:?}",
        answer.verdict
    );
}

#[test]
fn outputs_are_asked_about_where_nothing_else_is() {
    let mut model = open("old.aag", "aag 1 1 0 1 0\n2\n2\n");
    let answer = answers(&mut *model).remove(0);
    assert_eq!(
        (answer.property.as_str(), &answer.verdict),
        ("o0", &Verdict::Violated)
    );
}

#[test]
fn a_run_can_be_made_step_by_step() {
    let mut model = open("traffic.aag", example("traffic"));
    let cx = Context::default();
    let mut walk = model.simulate(&cx).unwrap();
    assert_eq!(walk.choices(&cx).unwrap().len(), 4);
    for action in ["all off", "button_north button_east"] {
        let choices = walk.choices(&cx).unwrap();
        let at = choices.iter().position(|one| one.action == action).unwrap();
        walk.take(at, &cx).unwrap();
    }
    let trace = walk.trace();
    assert_eq!(trace.len(), 2);
    let cells: Vec<&str> = (trace.steps[2].cells.iter())
        .map(|cell| cell.text.as_str())
        .collect();
    assert_eq!(cells, ["1", "1", "0"]);
    assert!(walk.take_any(&mut Random::new(1), &cx).unwrap());
    assert_eq!(
        walk.status(&cx).unwrap().notes,
        ["bad in the last step: b0"]
    );
    assert!(walk.undo() && walk.undo() && walk.undo() && !walk.undo());
}

#[test]
fn other_formats_are_the_same_circuit() {
    let mut model = open("arbiter.aag", example("arbiter"));
    let cx = Context::default();
    let written = model.convert("aag", None, &cx).unwrap();
    let mut again = open("again.aag", &written.text);
    assert!(
        answers(&mut *again)
            .iter()
            .all(|one| one.verdict == Verdict::Holds)
    );
    let blif = model.convert("blif", None, &cx).unwrap();
    assert_eq!(blif.warnings.len(), 1, "justice has no place in BLIF");
    let mut tables = open("arbiter.blif", &blif.text);
    assert_eq!(answers(&mut *tables).remove(0).verdict, Verdict::Holds);
    assert!(model.convert("smv", None, &cx).is_err());
}

#[test]
fn latches_are_drawn_where_gates_are_too_many() {
    // A shift register of 40 places, each through a gate of its own, and a bad last place.
    let mut text = "aag 81 1 40 0 40 1\n2\n".to_owned();
    for place in 0..40 {
        text += &format!("{} {}\n", 4 + 2 * place, 84 + 2 * place);
    }
    text += "82\n";
    for place in 0..40 {
        text += &format!("{} {} 2\n", 84 + 2 * place, 2 + 2 * place);
    }
    let mut model = open("shift.aag", &text);
    let shown = model.show(&Viewed::default(), &Context::default()).unwrap();
    let Picture::Graph(graph) = &shown.pictures[0] else {
        panic!("a graph");
    };
    assert_eq!(graph.nodes.len(), 42);
    // From the place before and the input; the first from the input, the last to what is asked.
    assert_eq!(graph.edges.len(), 1 + 39 * 2 + 1);
}

#[test]
fn circuits_are_shown_and_recognised() {
    let mut model = open("traffic.aag", example("traffic"));
    let shown = model.show(&Viewed::default(), &Context::default()).unwrap();
    assert_eq!(shown.result["latches"], 3);
    assert_eq!(shown.pictures.len(), 1);
    let sure = |name: &str, bytes: &[u8]| LANGUAGE.recognises(&Input::bytes(name, bytes.to_vec()));
    assert_eq!(sure("x", b"aig 0 0 0 0 0\n"), Sureness::Certain);
    assert_eq!(sure("x.blif", b".model x\n"), Sureness::Likely);
    assert_eq!(sure("x.smv", b"MODULE main"), Sureness::No);
}
