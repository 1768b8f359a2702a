//! What must happen where runs need not repeat: with channels, with processes that come and go, and
//! where counts are compared with the number of processes.

use quotient_core::{Budget, Claim, Context, Evidence, Source, Verdict};
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Settings, Verb};
use quotient_protocol::LANGUAGE;
use serde_json::json;

mod random;

fn opened(text: &str, settings: &Settings) -> Box<dyn Model> {
    let input = Input::text(&Source::new("test.protocol", text));
    match LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default()) {
        Ok(model) => model,
        Err(trouble) => panic!("{trouble}\n{text}"),
    }
}

/// The answers; what is evidence must be accepted.
fn answers_within(text: &str, work: u64) -> Vec<Answer> {
    let mut model = opened(text, &Settings::default());
    let cx = Context {
        budget: Budget::unlimited().child_with_work(work),
        ..Context::default()
    };
    let mut answers: Vec<Answer> = Vec::new();
    let asked = Ask::default();
    let told = model.check(&asked, &cx, &mut |answer| answers.push(answer));
    if told.is_err() {
        return Vec::new();
    }
    for answer in &answers {
        let mut properties = model.properties().into_iter();
        let property = properties.find(|one| one.name == answer.property).unwrap();
        match &answer.evidence {
            Some(evidence) => {
                let certified = model.certify(evidence, &property, &Budget::unlimited());
                assert!(certified.is_ok(), "{}\n{text}", answer.property);
            }
            None => assert!(!answer.verdict.is_definite(), "no evidence\n{text}"),
        }
    }
    answers
}

fn answers(text: &str) -> Vec<Answer> {
    answers_within(text, 100_000_000)
}

fn verdicts(text: &str) -> Vec<(String, &'static str)> {
    let word = |verdict: &Verdict| match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
    };
    let answers = answers(text).into_iter();
    let mut all: Vec<_> = answers
        .map(|one| (one.property.clone(), word(&one.verdict)))
        .collect();
    all.sort();
    all
}

fn expect(text: &str, expected: &[(&str, &str)]) {
    let own: Vec<(String, &str)> = verdicts(text);
    let own: Vec<(&str, &str)> = own
        .iter()
        .map(|(name, word)| (name.as_str(), *word))
        .collect();
    assert_eq!(own, expected, "{text}");
}

/// What a search of one size says.
fn instance(text: &str, size: usize) -> Vec<Answer> {
    let pairs = [("processes".to_owned(), size.to_string())];
    let settings = LANGUAGE.about().settings;
    let settings = Settings::new("protocol", settings, Verb::Instance, &pairs).unwrap();
    let cx = Context {
        budget: Budget::unlimited().child_with_work(20_000),
        ..Context::default()
    };
    opened(text, &settings).instance(&cx).unwrap().answers
}

const JOBS: &str = "
    topology set
    queue jobs : { job }
    process may crash { location idle, busy }
    step submit: when at = idle then send jobs(job)
    fair step take: when at = idle then receive jobs(job), at := busy
    step done: when at = busy then at := idle
    property works: for each p: p.at = busy leads to p.at = idle or p.crashed
";

const RELAY: &str = "
    parameter t
    assume n > 3 * t
    topology set
    process may lie at most t {
        init : bool = any
        sent : bool = false
        accepted : bool = false
    }
    step echo: when not sent and (init or count(p: p.sent) >= t + 1) then sent := true
    step accept: when not accepted and count(p: p.sent) >= 2 * t + 1 then accepted := true
    property relay: for each p:
        (exists q: not q.faulty and q.accepted) and not p.faulty leads to p.accepted
";

#[test]
fn what_channels_carry_is_handled_some_day() {
    expect(JOBS, &[("works", "holds")]);
    let pipeline = "
        queue one : { a, b }
        queue two : { a, b }
        global todo : 0..3 = 3
        step make: when todo > 0 then send one(a), todo := todo - 1 or then send one(b), todo := todo - 1
        step pass choose v : { a, b }: then receive one(v), send two(v)
        step use choose v : { a, b }: then receive two(v)
        property dry: eventually always (empty(one) and empty(two))
        property full: eventually not empty(two)
        property never_dry: always eventually not empty(one)
    ";
    let expected = [
        ("dry", "holds"),
        ("full", "holds"),
        ("never_dry", "violated"),
    ];
    expect(pipeline, &expected);
    let stack = "
        stack calls : { frame } = (frame)
        global phase : { down, up } = down
        step call: when phase = down then push calls(frame)
        step turn: when phase = down then phase := up
        step back: when phase = up then pop calls(frame)
        property turns: phase = down leads to phase = up
        property ends: phase = up leads to empty(calls)
    ";
    expect(stack, &[("ends", "holds"), ("turns", "holds")]);
}

/// What cannot be taken out of a channel does not have to be.
#[test]
fn whoever_finds_nothing_in_a_channel_waits_in_vain() {
    let token = |fair: &str| {
        format!(
            "topology set  queue box : {{ token }} = (token)
             process {{ location idle, wants, has }}
             step ask: when at = idle then at := wants
             {fair} step take: when at = wants then receive box(token), at := has
             step give: when at = has then send box(token), at := idle
             property comes: for each p: p.at = wants leads to p.at = has
             property free: for each p: p.at = has leads to p.at = idle"
        )
    };
    expect(&token(""), &[("comes", "violated"), ("free", "holds")]);
    expect(&token("fair"), &[("comes", "violated"), ("free", "holds")]);
    expect(
        &token("strong fair"),
        &[("comes", "holds"), ("free", "holds")],
    );
}

#[test]
fn a_lossy_queue_delivers_what_is_sent_again_and_again() {
    let sender = |fair: &str| {
        format!(
            "lossy queue data : {{ d }}
             lossy queue acks : {{ a }}
             global done : bool = false
             global heard : bool = false
             step again: when not done then send data(d)
             {fair} step hear: then receive data(d), send acks(a), heard := true
             {fair} step end: then receive acks(a), done := true
             property ends: not done leads to done"
        )
    };
    expect(&sender("strong fair"), &[("ends", "holds")]);
    expect(&sender(""), &[("ends", "violated")]);
}

#[test]
fn processes_that_come_and_go_have_their_turn() {
    let line = |fair: &str, place: &str| {
        format!(
            "topology line
             process {{ location waiting, critical }}
             initially forall p: p.at = waiting
             {fair} step enter: when at = waiting and first then at := critical
             step leave: when at = critical then remove self
             step arrive: when at = critical then create at {place} end {{ at = waiting }}
             property served: for each p: p.at = waiting leads to p.at = critical"
        )
    };
    // Whoever is inside lets others in for ever.
    expect(&line("", "right"), &[("served", "unknown")]);
    let gone = |place: &str| line("", place).replace("step leave", "fair step leave");
    expect(&gone("right"), &[("served", "holds")]);
    expect(&gone("left"), &[("served", "violated")]);
    let locked = "
        topology set
        process { location waiting, critical }
        initially forall p: p.at = waiting
        global locked : bool = false
        step enter: when at = waiting and not locked then at := critical, locked := true
        step leave: when at = critical then remove self, locked := false, create at right end { at = waiting }
        property served: for each p: p.at = waiting leads to p.at = critical
    ";
    expect(locked, &[("served", "violated")]);
    let split = "
        topology set
        process { depth : 0..2 = 2  location run, over }
        step split: when at = run and depth > 0
            then depth := depth - 1, create at right end { at = run, depth = 2 }
        step finish: when at = run and depth = 0 then at := over
        step gone: when at = over then remove self
        property over: for each p: p.at = run leads to p.at = over
        property empty_some_day: eventually not exists p: p.at = run
    ";
    expect(split, &[("empty_some_day", "unknown"), ("over", "holds")]);
}

#[test]
fn crowds_come_to_an_end() {
    expect(RELAY, &[("relay", "holds")]);
    let fewer = RELAY.replace("n > 3 * t", "n > 2 * t");
    expect(&fewer, &[("relay", "violated")]);
    let votes = |assumed: &str| {
        format!(
            "topology set  parameter f  assume {assumed}
             process may crash at most f {{ location open, voted, decided }}
             step vote: when at = open then at := voted
             step decide: when at = voted and count(p: p.at != open) > n / 2 then at := decided
             property ends: for each p: p.at = open leads to p.at = decided or p.crashed
             property some: eventually exists p: p.at = decided"
        )
    };
    let expected = [("ends", "holds"), ("some", "holds")];
    expect(&votes("n > 2 * f"), &expected);
    let expected = [("ends", "violated"), ("some", "violated")];
    expect(&votes("n > f"), &expected);
}

/// Evidence with other weights, another invariant, another claim or for another property is refused,
/// unless it is right as well.
#[test]
fn evidence_that_is_tampered_with_is_refused() {
    let wrong = JOBS.replace("fair step take", "step take")
        + "
        property busy: for each p: p.at = idle leads to p.at = busy or p.crashed";
    for (text, broken) in [
        (JOBS.to_owned(), wrong),
        (RELAY.to_owned(), RELAY.replace("n > 3 * t", "n > 2 * t")),
    ] {
        let answers = answers(&text);
        let evidence = answers[0].evidence.clone().unwrap();
        let accepts = |text: &str, evidence: &Evidence, property: &str| {
            let mut model = opened(text, &Settings::default());
            let mut properties = model.properties().into_iter();
            let property = properties.find(|one| one.name == property).unwrap();
            let accepted = model.certify(evidence, &property, &Budget::unlimited());
            accepted.is_ok()
        };
        let name = answers[0].property.clone();
        assert!(accepts(&text, &evidence, &name));
        let mut violated = evidence.clone();
        violated.claim = Claim::Violated;
        assert!(!accepts(&text, &violated, &name));
        let mut empty = evidence.clone();
        empty.body = json!({});
        assert!(!accepts(&text, &empty, &name));
        for weight in ["nothing", "process nothing = 1"] {
            let mut unknown = evidence.clone();
            unknown.body["ranks"] = json!([{ weight: 1 }]);
            assert!(!accepts(&text, &unknown, &name));
        }
        let lists = evidence.body["ranks"].as_array().unwrap().clone();
        for (number, list) in lists.iter().enumerate() {
            let mut without = evidence.clone();
            without.body["ranks"].as_array_mut().unwrap().remove(number);
            // What is left may show as much.
            let _ = accepts(&text, &without, &name);
            for weight in list.as_object().unwrap().keys() {
                let mut heavy = evidence.clone();
                heavy.body["ranks"][number][weight] = json!(4_000_000_000_u32);
                assert!(!accepts(&text, &heavy, &name));
            }
        }
        // Whatever is changed, of a protocol of which it is not true nothing is shown.
        let broken_names: Vec<String> = opened(&broken, &Settings::default())
            .properties()
            .into_iter()
            .map(|one| one.name)
            .collect();
        let target = broken_names.last().unwrap();
        let mut forged = evidence.clone().about(target.clone());
        assert!(!accepts(&broken, &forged, target), "{broken}");
        let lists = lists.len();
        for number in 0..lists {
            for weight in [0, 3] {
                let names: Vec<String> = forged.body["ranks"][number]
                    .as_object()
                    .unwrap()
                    .keys()
                    .cloned()
                    .collect();
                for name in names {
                    forged.body["ranks"][number][&name] = json!(weight);
                    assert!(!accepts(&broken, &forged, target), "{broken}");
                }
            }
        }
    }
}

/// Protocols with a channel, creation and removal, drawn at random.
fn drawn(random: &mut random::Random) -> String {
    let pick =
        |random: &mut random::Random, from: &[&str]| -> String { random.pick(from).to_owned() };
    let places = ["a", "b", "c"];
    let kind = pick(random, &["queue", "lossy queue", "stack"]);
    let (put, get) = match kind.as_str() {
        "stack" => ("push", "pop"),
        _ => ("send", "receive"),
    };
    let topology = pick(random, &["line", "set"]);
    let mut text = format!(
        "topology {topology}\n{kind} q : {{ x, y }} = (x)\nprocess {{ location a, b, c }}\n"
    );
    for step in 0..3 + random.below(3) {
        let fair = pick(random, &["", "", "fair ", "strong fair "]);
        let from = pick(random, &places);
        let more = pick(
            random,
            &[
                "",
                "",
                " and empty(q)",
                " and exists other p: p.at = b",
                " and not empty(q)",
            ],
        );
        let to = pick(random, &places);
        let value = pick(random, &["x", "y"]);
        let action = match random.below(7) {
            0 => format!(", {put} q({value})"),
            1 | 2 => format!(", {get} q({value})"),
            3 if topology == "line" => format!(", create at right end {{ at = {value} }}")
                .replace("= x", "= a")
                .replace("= y", "= b"),
            _ => String::new(),
        };
        match random.below(9) {
            0 => text += &format!("{fair}step s{step}: when at = {from}{more} then remove self\n"),
            _ => {
                text += &format!(
                    "{fair}step s{step}: when at = {from}{more} then at := {to}{action}\n"
                );
            }
        }
    }
    let (from, to) = (pick(random, &places), pick(random, &places));
    text += &format!("property one: for each p: p.at = {from} leads to p.at = {to}\n");
    text += &format!("property two: eventually exists p: p.at = {to}\n");
    text + "property three: not empty(q) leads to empty(q)\n"
}

#[test]
fn verdicts_agree_with_searches_of_instances() {
    let (mut hold, mut violated) = (0, 0);
    for seed in 0..30 {
        let text = drawn(&mut random::Random::new(seed));
        for answer in answers_within(&text, 400_000) {
            violated += usize::from(answer.verdict == Verdict::Violated);
            if answer.verdict != Verdict::Holds {
                continue;
            }
            hold += 1;
            for size in 1..=2 {
                let mut known = instance(&text, size).into_iter();
                let known = known.find(|one| one.property == answer.property).unwrap();
                let (name, wrong) = (&answer.property, known.verdict == Verdict::Violated);
                assert!(!wrong, "seed {seed}, {size} processes: {name}\n{text}");
            }
        }
    }
    assert!(hold > 5 && violated > 5, "{hold} hold, {violated} violated");
}

/// Protocols that count, drawn at random.
fn crowd(random: &mut random::Random) -> String {
    let pick =
        |random: &mut random::Random, from: &[&str]| -> String { random.pick(from).to_owned() };
    let faults = pick(random, &["may lie at most t", "may crash at most t", ""]);
    let assumed = pick(random, &["n > 3 * t", "n > 2 * t", "n > t", "n > t + 1"]);
    let places = ["a", "b", "c"];
    let mut text = format!(
        "parameter t\nassume {assumed}\ntopology set\nprocess {faults} {{\n\
         at : {{ a, b, c }} = {{ a, b }}\nsaid : bool = false }}\n"
    );
    for step in 0..2 + random.below(3) {
        let from = pick(random, &places);
        let to = pick(random, &places);
        let counted = pick(random, &["p.said", "p.at = b", "p.at != a", "not p.said"]);
        let much = pick(random, &["n - t", "t + 1", "2 * t + 1", "n / 2"]);
        let compared = pick(random, &[">=", ">=", "<", ">"]);
        let guard = pick(random, &["", " and not said", " and exists q: q.said"]);
        let effect = pick(random, &["", ", said := true"]);
        let count = match random.below(3) {
            0 => String::new(),
            _ => format!(" and count(p: {counted}) {compared} {much}"),
        };
        text += &format!("step s{step}: when at = {from}{guard}{count} then at := {to}{effect}\n");
    }
    let or = match faults.split(' ').nth(1) {
        Some("lie") => " or p.faulty",
        Some("crash") => " or p.crashed",
        _ => "",
    };
    let (from, to) = (pick(random, &places), pick(random, &places));
    text += &format!("property one: for each p: p.at = {from} leads to p.at = {to}{or}\n");
    text += &format!("property two: eventually exists p: p.at = {to}\n");
    text + &format!("property three: for each p: eventually (p.said{or})\n")
}

#[test]
fn crowds_agree_with_searches_of_instances() {
    let (mut hold, mut violated) = (0, 0);
    for seed in 0..120 {
        let text = crowd(&mut random::Random::new(seed));
        for answer in answers_within(&text, 200_000) {
            violated += usize::from(answer.verdict == Verdict::Violated);
            if answer.verdict != Verdict::Holds {
                continue;
            }
            hold += 1;
            for size in 1..=4 {
                let mut known = instance(&text, size).into_iter();
                let known = known.find(|one| one.property == answer.property).unwrap();
                let (name, wrong) = (&answer.property, known.verdict == Verdict::Violated);
                assert!(!wrong, "seed {seed}, {size} processes: {name}\n{text}");
            }
        }
    }
    assert!(hold > 5 && violated > 5, "{hold} hold, {violated} violated");
}
