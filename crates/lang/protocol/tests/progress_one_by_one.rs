//! What must happen where steps read one by one: whatever a search of small instances refutes the
//! words can do, too; and a run that repeats is checked by the interpreter alone.

use quotient_core::{Budget, Claim, Context, Evidence, Rejection, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings};
use quotient_protocol::{Interpreter, LANGUAGE, Protocol};
use serde_json::{Value, json};

mod search;

use search::is_violated;

fn opened(text: &str) -> Box<dyn Model> {
    let source = Source::new("test.protocol", text);
    let (settings, context) = (Settings::default(), Context::default());
    let opened = LANGUAGE.open(&Input::text(&source), &mut NoFiles, &settings, &context);
    opened.unwrap_or_else(|trouble| panic!("{trouble}\n{text}"))
}

fn answers(model: &mut dyn Model) -> Vec<Answer> {
    let mut all = Vec::new();
    let checked = model.check(&Ask::default(), &Context::default(), &mut |one| {
        all.push(one)
    });
    checked.unwrap_or_else(|trouble| panic!("{trouble}"));
    all
}

fn certify(model: &mut dyn Model, evidence: &Evidence) -> Result<(), Rejection> {
    let name = evidence.property.clone().unwrap_or_default();
    let properties = model.properties();
    let asked = properties.iter().find(|one| one.name == name).unwrap();
    let certified = model.certify(evidence, asked, &Budget::unlimited());
    certified.map(|_| ())
}

const LOCK: &str = "
    topology line
    process { location idle, wants, critical }
    step ask: when at = idle then at := wants
    step enter one by one: when at = wants and forall left p: p.at = idle then at := critical
    step leave: when at = critical then at := idle
    property first: for each p: p.at = wants and first(p) leads to p.at = critical
    property all: for each p: p.at = wants leads to p.at = critical
    property out: for each p: always eventually not p.at = critical
";

#[test]
fn whatever_small_instances_refute_the_words_can_do() {
    let readings = [
        "forall other p: p.at = a",
        "forall other p: p.at != c",
        "exists other p: p.at = b",
        "forall left p: p.at != b",
    ];
    let (mut refuted, mut shown) = (0, 0);
    for (number, reading) in readings.iter().enumerate() {
        for (turn, fairness) in ["", "fair ", "strong fair "].into_iter().enumerate() {
            let leaves = ["at = c", "at = c and forall other p: p.at != c"];
            for leave in &leaves[(number + turn) % 2..][..1] {
                let order = ["one by one", "one by one from left"][number % 2];
                let text = format!(
                    "topology line
                     process {{ location a, b, c }}
                     step ask: when at = a then at := b
                     {fairness}step enter {order}: when at = b and {reading} then at := c
                     step leave: when {leave} then at := a
                     property goes: for each p: p.at = b leads to p.at = c
                     property comes: for each p: always eventually p.at = a"
                );
                let protocol = Protocol::parse(&Source::new("test.protocol", &text)).unwrap();
                let budget = Budget::unlimited();
                let compiled = protocol.compile(&budget).unwrap();
                let interpreter = Interpreter::new(&protocol, &compiled);
                for size in 1..=2 {
                    let found = interpreter.starvation(size, &budget).unwrap();
                    for name in protocol.progress_names() {
                        let problem = protocol.progress_problem(name, &budget).unwrap().unwrap();
                        let globals = problem.initial().shortest_word().unwrap().len() - 1;
                        let expected = found.iter().any(|(known, _)| known == name);
                        match is_violated(&problem, size + globals) {
                            Some(violated) => {
                                assert!(violated || !expected, "{size}: {name}\n{text}");
                                *(if violated { &mut refuted } else { &mut shown }) += 1;
                            }
                            None => continue,
                        }
                    }
                }
            }
        }
    }
    assert!(refuted > 8 && shown > 3, "{refuted} refuted, {shown} shown");
}

#[test]
fn who_reads_one_by_one_may_look_at_the_wrong_moments_for_ever() {
    let mut model = opened(LOCK);
    let answers = answers(&mut *model);
    let verdict = |name: &str| {
        let answer = answers.iter().find(|one| one.property == name).unwrap();
        answer.verdict.clone()
    };
    assert_eq!(verdict("first"), Verdict::Holds);
    assert_eq!(verdict("all"), Verdict::Violated);
    assert_eq!(verdict("out"), Verdict::Holds);
    for answer in &answers {
        certify(&mut *model, answer.evidence.as_ref().unwrap()).unwrap();
    }
}

#[test]
fn with_channels_what_must_happen_is_refuted_by_runs_that_repeat() {
    let mut model = opened(
        "lossy queue c : { a, b }
         global sent : bool = false
         global got : bool = false
         step send: when not sent then send c(a), sent := true
         step take: then receive c(a), got := true
         property comes: sent leads to got",
    );
    let answer = answers(&mut *model).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    certify(&mut *model, &answer.evidence.unwrap()).unwrap();
}

#[test]
fn the_next_step_is_not_asked_about_where_looks_take_time() {
    let text = LOCK.replace("always eventually not p.at", "always next not p.at");
    let mut all = answers(&mut *opened(&text)).into_iter();
    let out = all.rfind(|one| one.property == "out").unwrap();
    assert!(
        matches!(out.verdict, Verdict::Unknown(_)),
        "{:?}",
        out.verdict
    );
    assert!(out.because.contains("`next`"), "{}", out.because);
}

/// The evidence that `all` is violated, changed.
fn forged(change: impl Fn(&mut Value)) -> Result<(), Rejection> {
    let mut model = opened(LOCK);
    let all = answers(&mut *model);
    let all = all.into_iter().find(|one| one.property == "all").unwrap();
    let mut evidence = all.evidence.unwrap();
    let mut body: Value = evidence.read().unwrap();
    change(&mut body);
    evidence = Evidence::of_violated(&evidence.kind, &body).about("all");
    certify(&mut *model, &evidence)
}

#[test]
fn forged_runs_are_rejected() {
    assert!(forged(|_| {}).is_ok());
    let last = |body: &Value| body["steps"].as_array().unwrap().len();
    // It comes back to where it was not, or is about somebody else or nobody.
    assert!(forged(|body| body["from"] = json!(0)).is_err());
    assert!(forged(|body| body["from"] = json!(last(body))).is_err());
    assert!(forged(|body| body["about"] = json!([0])).is_err());
    assert!(forged(|body| body["about"] = json!([])).is_err());
    assert!(forged(|body| body["about"] = json!([9])).is_err());
    // A step is missing, another one, or somebody else's.
    assert!(forged(|body| drop(body["steps"].as_array_mut().unwrap().pop())).is_err());
    assert!(forged(|body| body["steps"][0]["step"] = json!("leave")).is_err());
    assert!(forged(|body| body["steps"][0]["by"] = json!([7])).is_err());
    // It begins elsewhere, or with a value that there is not.
    assert!(forged(|body| body["configurations"][0]["processes"][0] = json!(["wants"])).is_err());
    assert!(forged(|body| body["configurations"][0]["processes"][0] = json!(["away"])).is_err());
    assert!(forged(|body| body["configurations"][0]["channels"] = json!([["a"]])).is_err());
    assert!(forged(|body| body["more"] = json!(1)).is_err());
}

#[test]
fn a_run_that_repeats_shows_no_other_claim_or_property() {
    let mut model = opened(LOCK);
    let all = answers(&mut *model);
    let all = all.into_iter().find(|one| one.property == "all").unwrap();
    let evidence = all.evidence.unwrap();
    let mut holds = evidence.clone();
    holds.claim = Claim::Holds;
    assert!(certify(&mut *model, &holds).is_err());
    for other in ["first", "out"] {
        assert!(certify(&mut *model, &evidence.clone().about(other)).is_err());
    }
}

/// Who could go on all the time must go on at last: made by hand, of a property that holds.
#[test]
fn runs_that_put_somebody_off_for_ever_are_none() {
    let text = LOCK
        .replace("critical }", "critical  lit : bool = false }")
        .replace(
            "step ask:",
            "step up: when at = idle and not lit then lit := true
             step down: when at = idle and lit then lit := false
             step ask:",
        );
    let mut model = opened(&text);
    let all = answers(&mut *model);
    let first = all.iter().find(|one| one.property == "first").unwrap();
    assert_eq!(first.verdict, Verdict::Holds);
    let row = |one: (&str, bool), other: (&str, bool)| {
        let process = |(at, n): (&str, bool)| json!([at, n.to_string()]);
        json!({ "globals": [], "processes": [process(one), process(other)] })
    };
    let step = |name: &str, by: usize| json!({ "step": name, "by": [by] });
    let (idle, wants) = (("idle", false), ("wants", false));
    let run = |configurations: &[Value], steps: &[Value], from: usize, about: usize| {
        let body = json!({
            "configurations": configurations, "steps": steps, "from": from, "about": [about],
        });
        Evidence::of_violated("protocol-lasso", &body).about("first")
    };
    let begin = [row(idle, idle), row(wants, idle)];
    let ask = step("ask", 0);
    // The other one goes up and down, the first could enter all the time; or nobody does anything.
    let spins = [
        begin[0].clone(),
        begin[1].clone(),
        row(wants, ("idle", true)),
        begin[1].clone(),
    ];
    let steps = [ask.clone(), step("up", 1), step("down", 1)];
    for (evidence, what) in [
        (
            run(&spins, &steps, 1, 0),
            "the first one never has its turn",
        ),
        (run(&begin, std::slice::from_ref(&ask), 1, 0), "nobody has"),
        (run(&spins, &steps, 1, 1), "the second never waits"),
        (run(&spins, &steps, 3, 0), "an end that is no loop"),
        (run(&spins, &steps, 0, 0), "it does not come back there"),
        (run(&spins, &steps, 9, 0), "there is no such place"),
        (run(&spins[..3], &steps[..2], 1, 0), "it does not come back"),
        (
            run(&spins, &[ask.clone(), step("up", 0), step("down", 1)], 1, 0),
            "somebody else did it",
        ),
        (run(&[], &[], 0, 0), "nothing"),
    ] {
        assert!(certify(&mut *model, &evidence).is_err(), "{what}");
    }
}
