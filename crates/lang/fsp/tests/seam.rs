//! The language as the workbench knows it: only through the trait object.

mod common;

use common::random::Random as Numbers;
use quotient_core::{Budget, Certified, Context, Evidence, Rejection, Source, Trouble, Verdict};
use quotient_fsp::LANGUAGE;
use quotient_language::{Answer, Ask, Input, Model, NoFiles, Property, Settings, Verb};

type Given<'a> = &'a [(&'a str, &'a str)];

fn settings(verb: Verb, given: Given<'_>) -> Settings {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let given: Vec<_> = given.iter().map(own).collect();
    let about = LANGUAGE.about();
    Settings::new(about.name, about.settings, verb, &given)
        .unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn opened(text: &str, verb: Verb, given: Given<'_>) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("model.lts", text));
    let settings = settings(verb, given);
    LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default())
}

fn open(text: &str, given: Given<'_>) -> Box<dyn Model> {
    opened(text, Verb::Check, given).unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn answers(model: &mut dyn Model, ask: &Ask) -> Vec<Answer> {
    let mut answers = Vec::new();
    let tell = &mut |answer| common::keep(&mut answers, answer);
    let checked = model.check(ask, &Context::default(), tell);
    checked.unwrap_or_else(|trouble| panic!("{trouble}"));
    // What is known is told at once; it is read in the order of the text.
    let asked: Vec<String> = model.properties().into_iter().map(|one| one.name).collect();
    let place = |answer: &Answer| asked.iter().position(|name| *name == answer.property);
    answers.sort_by_key(|answer| place(answer).unwrap_or(asked.len()));
    answers
}

fn only(names: &[&str]) -> Ask {
    Ask {
        properties: names.iter().map(|&name| name.to_owned()).collect(),
        threads: Some(1),
        ..Ask::default()
    }
}

fn pairs(answers: Vec<Answer>) -> Vec<(String, Verdict)> {
    let pair = |answer: Answer| (answer.property, answer.verdict);
    answers.into_iter().map(pair).collect()
}

fn verdicts(text: &str, given: Given<'_>) -> Vec<(String, Verdict)> {
    pairs(answers(&mut *open(text, given), &only(&[])))
}

fn named(verdict: &Verdict, names: &[&str]) -> Vec<(String, Verdict)> {
    let pair = |name: &&str| ((*name).to_owned(), verdict.clone());
    names.iter().map(pair).collect()
}

/// Opens a text as the workbench does for a piece of evidence, and checks it.
fn certify(text: &str, given: Given<'_>, evidence: &Evidence) -> Result<Certified, Rejection> {
    let mut model = open(text, given);
    let name = evidence.property.clone().unwrap();
    let property = model.property(&name);
    let property = property.map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
    model.certify(evidence, &property, &Budget::unlimited())
}

const BOTH: &str = "P = (a -> (b -> STOP | c -> d -> e -> e -> P)).
    property ORDER = (e -> d -> ORDER).
    property CALM = (a -> {b, c} -> CALM).
    ||S = (P || ORDER || CALM).
    progress GOOD = {a}
    assert AGAIN = []<>a
    assert EVER = [](b -> !X a)";

#[test]
fn every_question_gets_its_own_answer() {
    let all = verdicts(BOTH, &[]);
    let names: Vec<&str> = all.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        ["no deadlock", "ORDER", "CALM", "GOOD", "AGAIN", "EVER"]
    );
    let violated = |name: &str| all.contains(&(name.to_owned(), Verdict::Violated));
    assert!(
        ["no deadlock", "ORDER", "GOOD", "AGAIN"]
            .iter()
            .all(|name| violated(name))
    );
    assert!(["CALM", "EVER"].iter().all(|name| !violated(name)));
    for name in names {
        let mut model = open(BOTH, &[]);
        let one = pairs(answers(&mut *model, &only(&[name])));
        assert_eq!(one.len(), 1, "{name}");
        assert!(all.contains(&one[0]), "{name}");
    }
}

/// A semaphore with a last value, and one resource too many: who errs is not one question.
const BESIDE: &str = "const Max = 2
    SEMAPHORE(N=0) = SEMA[N],
    SEMA[v:0..Max] = (up -> SEMA[v+1] | when (v>0) down -> SEMA[v-1]),
    SEMA[Max+1] = ERROR.
    LOOP = (down -> critical -> up -> LOOP).
    property MUTEX = (p[i:1..2].critical -> p[i].up -> MUTEX).
    property FAIR = (p[i:1..2].down -> p[i].critical -> FAIR).
    property CALM = CALM[0],
    CALM[v:0..2] = (when (v<2) p[1..2].down -> CALM[v+1] | when (v>0) p[1..2].up -> CALM[v-1]).
    ||S = (p[1..2]:LOOP || {p[1..2]}::SEMAPHORE(2) || MUTEX || FAIR || CALM).";

#[test]
fn a_property_has_its_own_answer_beside_processes_that_err() {
    use Verdict::{Holds, Violated};
    let expected = |semaphore: &str, verdicts: [Verdict; 4]| -> Vec<(String, Verdict)> {
        let names = [semaphore, "MUTEX", "FAIR", "CALM"];
        let names = names.into_iter().map(str::to_owned);
        let deadlock = ("no deadlock".to_owned(), Holds);
        std::iter::once(deadlock)
            .chain(names.zip(verdicts))
            .collect()
    };
    let two = expected("SEMAPHORE(2)", [Holds, Violated, Violated, Holds]);
    assert_eq!(verdicts(BESIDE, &[]), two);
    // The first step takes the semaphore beyond its last value; two properties err with it, and
    // what would come after counts for nothing.
    let late = BESIDE.replace("const Max = 2", "const Max = 1");
    let late = late.replace("(down -> critical", "(up -> down -> critical");
    let late = late.replace("SEMAPHORE(2)", "SEMAPHORE(1)");
    let first = expected("SEMAPHORE(1)", [Violated, Violated, Holds, Violated]);
    assert_eq!(verdicts(&late, &[]), first);
    for text in [BESIDE, &late] {
        for answer in answers(&mut *open(text, &[]), &only(&[])) {
            let evidence = answer.evidence.unwrap();
            assert!(certify(text, &[], &evidence).is_ok(), "{}", answer.property);
            // The same evidence for another of these claims.
            for name in ["SEMAPHORE(1)", "SEMAPHORE(2)", "MUTEX", "FAIR", "CALM"] {
                let mut other = evidence.clone();
                other.property = Some(name.to_owned());
                let is_so = verdicts(text, &[]).iter().any(|(known, verdict)| {
                    known == name
                        && (*verdict == Holds) == (evidence.claim == quotient_core::Claim::Holds)
                });
                assert!(is_so || certify(text, &[], &other).is_err(), "{name}");
            }
        }
    }
}

/// A property that nothing violates is one of the text all the same, and others keep their names.
#[test]
fn properties_that_allow_everything_are_listed() {
    let text = "A = (a -> b -> A). property P = (a -> P | b -> P). property Q = (a -> b -> Q).
        progress P = {a} ||S = (A || x:A || P || Q || x:P).";
    let all = answers(&mut *open(text, &[]), &only(&[]));
    let told: Vec<(&str, bool)> = all
        .iter()
        .map(|one| (&*one.property, one.evidence.is_some()))
        .collect();
    assert_eq!(
        told,
        [
            ("no deadlock", true),
            ("Q", true),
            ("P", true),
            ("P (safety)", false),
            ("x:P", false)
        ]
    );
    assert!(all.iter().all(|one| one.verdict == Verdict::Holds));
    assert!(all[3].because.contains("in any order"));
    for answer in &all[..3] {
        let evidence = answer.evidence.as_ref().unwrap();
        assert!(certify(text, &[], evidence).is_ok(), "{}", answer.property);
        let mut other = evidence.clone();
        other.property = Some("x:P".to_owned());
        assert!(certify(text, &[], &other).is_err());
    }
    let alone = answers(&mut *open(text, &[]), &only(&["x:P"]));
    assert_eq!(pairs(alone), named(&Verdict::Holds, &["x:P"]));
}

#[test]
fn properties_say_what_the_text_says() {
    let model = open(BOTH, &[]);
    let properties = model.properties();
    let kinds: Vec<&str> = properties.iter().map(|one| &*one.kind).collect();
    assert_eq!(
        kinds,
        [
            "deadlock", "safety", "safety", "progress", "assert", "assert"
        ]
    );
    let texts: Vec<&str> = properties.iter().map(|one| &*one.text).collect();
    assert_eq!(texts[1], "property ORDER = (e -> d -> ORDER).");
    assert_eq!(texts[3], "progress GOOD = {a}");
    assert_eq!(texts[4], "assert AGAIN = []<>a");
    for one in &properties[1..] {
        assert_eq!(&BOTH[one.span.unwrap().range()], one.text);
        assert!(one.in_file);
    }
}

#[test]
fn names_are_unique_whatever_the_text_calls_things() {
    let text = "P = (a -> P). property SAME = (a -> SAME). ||S = (P || SAME).
        progress SAME = {a} assert SAME = []<>a";
    let names: Vec<String> = verdicts(text, &[])
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    // The last allows everything: there is nothing to show for it.
    let all = ["no deadlock", "SAME", "SAME (assert)", "SAME (safety)"];
    assert_eq!(names, all);
    for name in &names[..3] {
        let mut model = open(text, &[]);
        let answer = answers(&mut *model, &only(&[name])).remove(0);
        assert_eq!(answer.property, *name);
        assert!(
            certify(text, &[], &answer.evidence.unwrap()).is_ok(),
            "{name}"
        );
    }
    let formula = answers(&mut *open(text, &[("ltl", "SAME")]), &only(&[])).remove(0);
    assert!(formula.property.contains("assert"), "{}", formula.property);
    let evidence = formula.evidence.unwrap();
    assert!(certify(text, &[("ltl", "SAME")], &evidence).is_ok());
}

#[test]
fn settings_ask_for_less() {
    let violated = &Verdict::Violated;
    assert_eq!(
        verdicts(BOTH, &[("progress", "")]),
        named(violated, &["GOOD"])
    );
    assert_eq!(
        verdicts(BOTH, &[("ltl", "AGAIN")]),
        named(violated, &["AGAIN"])
    );
    let formula = "[](c -> <>d)";
    let holds = named(&Verdict::Holds, &[formula]);
    assert_eq!(verdicts(BOTH, &[("ltl", formula)]), holds);
    assert!(!open(BOTH, &[("ltl", formula)]).properties()[0].in_file);
    assert!(opened(BOTH, Verb::Check, &[("ltl", "[](c ->")]).is_err());
    assert!(opened(BOTH, Verb::Check, &[("ltl", "[]c Q = STOP.")]).is_err());
    let asked = pairs(answers(&mut *open(BOTH, &[]), &only(&[formula])));
    assert_eq!(asked, holds);
    // Without progress properties it is asked only on demand that every action goes on.
    let text = "P = (a -> b -> P).";
    assert_eq!(verdicts(text, &[]).len(), 1);
    let every = named(&Verdict::Holds, &["progress"]);
    assert_eq!(verdicts(text, &[("progress", "")]), every);
}

#[test]
fn a_property_beside_the_system_watches_it_when_it_is_named() {
    let text = "P = (a -> b -> P). property ONCE = (a -> b -> STOP). ||S = (P || P).";
    assert_eq!(
        verdicts(text, &[]),
        named(&Verdict::Holds, &["no deadlock"])
    );
    let mut model = open(text, &[]);
    let answer = answers(&mut *model, &only(&["ONCE"])).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    let evidence = answer.evidence.unwrap();
    assert_eq!(evidence.settings["watch"], ["ONCE"]);
    assert!(certify(text, &[], &evidence).is_ok());
    assert!(certify(text, &[("watch", "ONCE")], &evidence).is_ok());
    let watched = verdicts(text, &[("watch", "ONCE")]);
    assert!(watched.contains(&("ONCE".to_owned(), Verdict::Violated)));
    let unknown = model.property("TWICE").unwrap_err();
    assert!(unknown.to_string().contains("TWICE"));
}

#[test]
fn runs_name_states_places_and_who_takes_part() {
    let text = "LAMP = OFF, OFF = (on -> ON), ON = (off -> OFF).
        property ONCE = (on -> off -> STOP). ||S = (LAMP || ONCE).";
    let all = answers(&mut *open(text, &[]), &only(&["ONCE"]));
    let trace = all[0].trace.as_ref().unwrap();
    assert_eq!(trace.columns, ["LAMP", "ONCE"]);
    let last = trace.steps.last().unwrap();
    assert_eq!(last.action.as_deref(), Some("on"));
    assert_eq!(last.by, ["LAMP → ON", "ONCE → ERROR"]);
    let cells: Vec<&str> = last.cells.iter().map(|cell| &*cell.text).collect();
    assert_eq!(cells, ["ON", "ERROR"]);
    assert!(last.cells.iter().all(|cell| cell.changed));
    assert_eq!(&text[last.place.unwrap().range()], "on");
    let fluent = "P = (a -> b -> P). fluent F = <a, b> assert NEVER = []!F";
    let all = answers(&mut *open(fluent, &[]), &only(&["NEVER"]));
    let trace = all[0].trace.as_ref().unwrap();
    assert_eq!(trace.columns.last().unwrap(), "true");
    assert_eq!(trace.beside, [1]);
    assert!(trace.steps.iter().any(|step| step.cells[1].text == "F"));
    assert!(trace.back_to.is_some());
}

#[test]
fn what_is_inside_of_composites_that_hide_is_told_apart() {
    let text = "P = (a -> b -> P). Q = (b -> c -> Q).
        ||CELL = (P || Q) @ {a, c}.
        ||PAIR = (left:CELL || right:CELL) \\ {left.a}.
        property ORDER = (one.left.c -> two.right.c -> ORDER).
        ||S = (one:PAIR || two:PAIR || CELL || ORDER) >> {one.left.c}.";
    let answer = answers(&mut *open(text, &[]), &only(&["ORDER"])).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    let Some(trace) = &answer.trace else {
        panic!("no trace");
    };
    let expected = [
        "one:PAIR.left:CELL.P",
        "one:PAIR.left:CELL.Q",
        "one:PAIR.right:CELL.P",
        "one:PAIR.right:CELL.Q",
        "two:PAIR.left:CELL.P",
        "two:PAIR.left:CELL.Q",
        "two:PAIR.right:CELL.P",
        "two:PAIR.right:CELL.Q",
        "CELL.P",
        "CELL.Q",
        "ORDER",
    ];
    assert_eq!(trace.columns, expected);
    assert!(certify(text, &[], &answer.evidence.unwrap()).is_ok());
}

#[test]
fn components_of_one_name_are_told_apart() {
    let text = "P = (a -> b -> STOP). Q = (c -> Q). assert NEVER = []!b ||S = (P || P || Q).";
    let answer = answers(&mut *open(text, &[]), &only(&["NEVER"])).remove(0);
    assert_eq!(answer.verdict, Verdict::Violated);
    let trace = answer.trace.as_ref().unwrap();
    assert_eq!(trace.columns, ["P", "P (2)", "Q"]);
    assert_eq!(trace.steps[1].by, ["P", "P (2)"]);
    // Evidence has the names of the text.
    assert!(certify(text, &[], &answer.evidence.unwrap()).is_ok());
}

#[test]
fn states_without_a_name_are_told_by_what_led_there() {
    let text = "P = (take -> left -> right -> P). ||S = (a:P || b:P || STUCK).
        STUCK = (a.left -> STOP) + {b.take}.";
    let all = answers(&mut *open(text, &[]), &only(&["no deadlock"]));
    let trace = all[0].trace.as_ref().unwrap();
    let a = trace.columns.iter().position(|name| name == "a:P").unwrap();
    let told: Vec<&str> = trace
        .steps
        .iter()
        .map(|step| &*step.cells[a].text)
        .collect();
    assert!(told.contains(&"after take"), "{told:?}");
    assert!(told.iter().all(|one| !one.is_empty()), "{told:?}");
    let after = |number: usize| trace.steps[number].cells[a].changed;
    let moves = |number: usize| {
        trace.steps[number]
            .by
            .iter()
            .any(|who| who.starts_with("a:P"))
    };
    assert!((1..trace.steps.len()).all(|number| after(number) == moves(number)));
}

/// `// quotient check FILE [--system S] [--constant N=1] [--progress] [--ltl A] VERDICT` in the
/// heads of the examples.
fn claims(text: &str) -> Vec<(Vec<(&str, &str)>, bool)> {
    let lines = text
        .lines()
        .filter(|line| line.starts_with("// quotient check "));
    lines
        .map(|line| {
            let mut words = line.split_whitespace().skip(4).peekable();
            let mut given = Vec::new();
            let mut holds = None;
            while let Some(word) = words.next() {
                let word = word.trim_end_matches([':', ',']);
                match word.strip_prefix("--") {
                    Some("progress") => given.push(("progress", "")),
                    Some(name) => given.push((name, words.next().unwrap())),
                    None => {
                        holds = holds
                            .or((["holds", "violated"].contains(&word)).then_some(word == "holds"))
                    }
                }
            }
            (given, holds.unwrap())
        })
        .collect()
}

#[test]
fn gallery_answers_what_it_says_with_evidence_that_stands() {
    for (name, text) in common::examples() {
        for (given, holds) in claims(&text) {
            // Sizes that are for patient people.
            if given
                .iter()
                .any(|(_, value)| ["N=24", "K=6"].contains(value))
            {
                continue;
            }
            let mut model = open(&text, &given);
            let answers = answers(&mut *model, &only(&[]));
            let verdict = Verdict::all(answers.iter().map(|answer| answer.verdict.clone()));
            let expected = if holds {
                Verdict::Holds
            } else {
                Verdict::Violated
            };
            assert_eq!(verdict, expected, "{name} {given:?}");
            for answer in &answers {
                let evidence = answer.evidence.as_ref();
                let evidence = evidence.unwrap_or_else(|| panic!("{name}: {}", answer.property));
                let certified = certify(&text, &given, evidence);
                assert!(
                    certified.is_ok(),
                    "{name} {}: {certified:?}",
                    answer.property
                );
            }
        }
    }
}

#[test]
fn tampered_evidence_is_rejected() {
    let all = answers(&mut *open(BOTH, &[]), &only(&[]));
    for answer in &all {
        let evidence = answer.evidence.as_ref().unwrap();
        assert!(certify(BOTH, &[], evidence).is_ok(), "{}", answer.property);
        // The other claim.
        let mut other = evidence.clone();
        other.claim = match other.claim {
            quotient_core::Claim::Holds => quotient_core::Claim::Violated,
            quotient_core::Claim::Violated => quotient_core::Claim::Holds,
        };
        assert!(certify(BOTH, &[], &other).is_err(), "{}", answer.property);
        // Another property that has the other answer.
        for foreign in all.iter().filter(|one| one.verdict != answer.verdict) {
            let forged = evidence.clone().about(&foreign.property);
            assert!(certify(BOTH, &[], &forged).is_err(), "{}", answer.property);
        }
        // Another model.
        let other = BOTH.replace("e -> e -> P", "e -> P");
        assert!(
            certify(&other, &[], evidence).is_err(),
            "{}",
            answer.property
        );
        // A step less.
        for steps in ["steps", "way", "cycle"] {
            let mut shorter = evidence.clone();
            if let Some(list) = shorter.body[steps].as_array_mut()
                && list.pop().is_some()
            {
                assert!(certify(BOTH, &[], &shorter).is_err(), "{}", answer.property);
            }
        }
        // Another property of the same name.
        let mut model = open(BOTH, &[]);
        let property = Property {
            text: "something else".into(),
            ..model.property(&answer.property).unwrap()
        };
        let judged = model.certify(evidence, &property, &Budget::unlimited());
        assert!(judged.is_err());
    }
}

#[test]
fn fairness_is_part_of_the_question() {
    let text = "COIN = (toss -> heads -> COIN | toss -> tails -> COIN).
        assert LUCK = []<>heads";
    let fair = answers(&mut *open(text, &[]), &only(&["LUCK"])).remove(0);
    let unfair = answers(&mut *open(text, &[("unfair", "")]), &only(&["LUCK"])).remove(0);
    assert_eq!(fair.verdict, Verdict::Holds);
    assert_eq!(unfair.verdict, Verdict::Violated);
    let [fair, unfair] = [fair, unfair].map(|answer| answer.evidence.unwrap());
    assert!(certify(text, &[], &fair).is_ok());
    assert!(certify(text, &[("unfair", "")], &unfair).is_ok());
    assert!(certify(text, &[("unfair", "")], &fair).is_err());
    assert!(certify(text, &[], &unfair).is_err());
}

/// A few processes over a few actions, and two properties.
fn random_system(numbers: &mut Numbers) -> String {
    let mut text = String::new();
    let mut names = Vec::new();
    for number in 0..2 + numbers.below(2) {
        let states = 1 + numbers.below(3);
        let name = format!("P{number}");
        for state in 0..states {
            let local = match state {
                0 => name.clone(),
                state => format!("Q{state}"),
            };
            let ways = 1 + numbers.below(2);
            let ways: Vec<String> = (0..ways)
                .map(|_| {
                    let action = ["a", "b", "c", "d"][numbers.below(4)];
                    let next = match numbers.below(states + 1) {
                        0 => name.clone(),
                        next if next == states => ["STOP", "END"][numbers.below(2)].to_owned(),
                        next => format!("Q{next}"),
                    };
                    format!("{action} -> {next}")
                })
                .collect();
            let end = if state + 1 == states { "." } else { "," };
            text.push_str(&format!("{local} = ({}){end}\n", ways.join(" | ")));
        }
        names.push(name);
    }
    text.push_str("property SAFE = (a -> b -> SAFE).\nproperty TAME = (c -> {a, d} -> TAME).\n");
    names.extend(["SAFE".to_owned(), "TAME".to_owned()]);
    text.push_str(&format!("||S = ({}).\n", names.join(" || ")));
    text.push_str("progress GO = {a, c}\nassert SOON = []<>(b || d)\n");
    text
}

#[test]
fn instances_answer_as_checks_do() {
    let mut numbers = Numbers(11);
    let mut violated = 0;
    for _ in 0..60 {
        let text = random_system(&mut numbers);
        let checked = verdicts(&text, &[]);
        let instance = opened(&text, Verb::Instance, &[]).unwrap();
        let inspected = { instance }.instance(&Context::default()).unwrap();
        assert!(
            inspected
                .sizes
                .iter()
                .any(|(what, size)| *what == "states" && *size > 0)
        );
        assert_eq!(pairs(inspected.answers), checked, "{text}");
        assert_eq!(checked.len(), 5, "{text}");
        violated += checked
            .iter()
            .filter(|(_, verdict)| *verdict == Verdict::Violated)
            .count();
        let all = answers(&mut *open(&text, &[]), &only(&[]));
        for answer in &all {
            let evidence = answer.evidence.as_ref().unwrap_or_else(|| panic!("{text}"));
            let certified = certify(&text, &[], evidence);
            assert!(
                certified.is_ok(),
                "{} in {text}: {certified:?}",
                answer.property
            );
        }
        // Each by itself is answered as among all.
        for (name, verdict) in &checked {
            let alone = pairs(answers(&mut *open(&text, &[]), &only(&[name])));
            assert_eq!(alone, [(name.clone(), verdict.clone())], "{text}");
        }
    }
    assert!(violated > 60, "{violated}");
}

/// A property that nothing violates is told, and holds where it is asked for: it must not look as
/// if nothing had been asked.
#[test]
fn a_property_that_allows_everything_is_told() {
    let text = "P = (a -> P).\nproperty PA = (a -> PA).\n||S = (P || PA).\n";
    let mut model = open(text, &[]);
    let warned = model.warnings();
    assert!(
        warned.iter().any(|one| one.code == "idle-property"),
        "{warned:?}"
    );
    let given = pairs(answers(&mut *model, &only(&["PA"])));
    assert_eq!(given, named(&Verdict::Holds, &["PA"]));
    let text = "P = (a -> P | b -> P).\nproperty PA = (a -> PA) + {b}.\n||S = (P || PA).\n";
    let mut model = open(text, &[]);
    assert!(
        model
            .warnings()
            .iter()
            .all(|one| one.code != "idle-property")
    );
    let given = pairs(answers(&mut *model, &only(&["PA"])));
    assert_eq!(given, named(&Verdict::Violated, &["PA"]));
}
