//! The language through its trait objects only, as every front end uses it.

use quotient_core::{Budget, Claim, Context, Evidence, Source, Trouble, Verdict};
use quotient_language::{
    Answer, Ask, Example, Input, MemoryFiles, Model, NoFiles, Random, Settings, Verb, Viewed,
};
use quotient_protocol::{LANGUAGE, Protocol};
use serde_json::{Value, json};

fn settings(verb: Verb, pairs: &[(&str, &str)]) -> Settings {
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let pairs: Vec<_> = pairs.iter().map(own).collect();
    Settings::new("protocol", LANGUAGE.about().settings, verb, &pairs).unwrap()
}

fn open_with(text: &str, settings: &Settings) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("test.protocol", text));
    LANGUAGE.open(&input, &mut NoFiles, settings, &Context::default())
}

fn open(text: &str) -> Box<dyn Model> {
    open_with(text, &Settings::default()).unwrap()
}

fn example(name: &str) -> &'static str {
    let mut all = LANGUAGE.about().examples.iter();
    all.find(|example| example.name == name).unwrap().files[0].1
}

fn check(model: &mut dyn Model) -> Vec<Answer> {
    let mut answers = Vec::new();
    let ask = Ask::default();
    model
        .check(&ask, &Context::default(), &mut |one| answers.push(one))
        .unwrap();
    answers
}

/// The lines `// expect NAME: holds` or `// expect NAME: violated [in N steps]`.
fn expected(example: &Example) -> Vec<(String, Verdict, Option<usize>)> {
    let line = |line: &str| {
        let (name, verdict) = line.strip_prefix("// expect ")?.split_once(": ")?;
        let steps = verdict.strip_prefix("violated in ");
        let steps = steps.map(|rest| rest.split(' ').next().unwrap().parse().unwrap());
        let verdict = match verdict.starts_with("holds") {
            true => Verdict::Holds,
            false => Verdict::Violated,
        };
        Some((name.to_owned(), verdict, steps))
    };
    example.files[0].1.lines().filter_map(line).collect()
}

#[test]
fn every_example_has_the_verdicts_it_says_with_evidence_that_is_accepted() {
    for example in LANGUAGE.about().examples {
        let mut model = open(example.files[0].1);
        let properties = model.properties();
        let answers = check(&mut *model);
        let expected = expected(example);
        assert_eq!(answers.len(), expected.len(), "{}", example.name);
        for (name, verdict, steps) in expected {
            let here = format!("{}: {name}", example.name);
            let answer = answers.iter().find(|one| one.property == name).unwrap();
            assert_eq!(answer.verdict, verdict, "{here}");
            let trace = answer.trace.as_ref();
            assert_eq!(trace.is_some(), verdict == Verdict::Violated, "{here}");
            if let Some(steps) = steps {
                assert_eq!(trace.unwrap().len(), steps, "{here}");
            }
            let property = properties.iter().find(|one| one.name == name).unwrap();
            let evidence = answer.evidence.as_ref().unwrap();
            let certified = model.certify(evidence, property, &Budget::unlimited());
            let certified = certified.unwrap_or_else(|error| panic!("{here}: {error}"));
            assert_eq!(certified.property, name);
            let replayed = |fact: &String| fact.contains("interpreter");
            let by_interpreter = certified.facts.iter().any(replayed);
            assert_eq!(by_interpreter, verdict == Verdict::Violated, "{here}");
        }
    }
}

/// All ways to damage evidence of a run.
fn damaged(evidence: &Evidence) -> Vec<(String, Evidence)> {
    let mut all = Vec::new();
    let mut add = |what: &str, change: &dyn Fn(&mut Evidence)| {
        let mut copy = evidence.clone();
        change(&mut copy);
        if copy != *evidence {
            all.push((what.to_owned(), copy));
        }
    };
    add("claims the contrary", &|one| {
        one.claim = match one.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        }
    });
    add("names nothing", &|one| one.property = None);
    add("names another property", &|one| {
        one.property = Some("other".into())
    });
    add("is of no kind", &|one| one.kind = "x".into());
    add("is empty", &|one| one.body = json!({}));
    add("is nothing", &|one| one.body = Value::Null);
    if let Some(words) = evidence.body["words"].as_array() {
        for number in 0..words.len() {
            add(&format!("drops word {number}"), &|one| {
                one.body["words"].as_array_mut().unwrap().remove(number);
            });
            add(&format!("repeats word {number}"), &|one| {
                let words = one.body["words"].as_array_mut().unwrap();
                words.insert(number, words[number].clone());
            });
            add(&format!("renames a letter of word {number}"), &|one| {
                one.body["words"][number][0] = json!("no such letter");
            });
            add(&format!("lengthens word {number}"), &|one| {
                let word = one.body["words"][number].as_array_mut().unwrap();
                word.extend(word.last().cloned());
            });
        }
        for number in 0..words.len() - 1 {
            add(&format!("drops step {number} with its word"), &|one| {
                one.body["words"].as_array_mut().unwrap().remove(number + 1);
                one.body["steps"].as_array_mut().unwrap().remove(number);
            });
            add(&format!("idles before step {number}"), &|one| {
                let words = one.body["words"].as_array_mut().unwrap();
                words.insert(number, words[number].clone());
                let steps = one.body["steps"].as_array_mut().unwrap();
                steps.insert(number, steps[number].clone());
            });
            add(&format!("renames step {number}"), &|one| {
                one.body["steps"][number] = json!("no such step");
            });
        }
        add("ends too early", &|one| {
            one.body["words"].as_array_mut().unwrap().pop();
            one.body["steps"].as_array_mut().unwrap().pop();
        });
        add("begins later", &|one| {
            one.body["words"].as_array_mut().unwrap().remove(0);
            one.body["steps"].as_array_mut().unwrap().remove(0);
        });
    }
    if evidence.body["invariant"].is_object() {
        add("accepts nothing", &|one| {
            one.body["invariant"]["accepting"] = json!([])
        });
        add("has no edges", &|one| {
            one.body["invariant"]["edges"] = json!([])
        });
        add("accepts in all states", &|one| {
            let states = one.body["invariant"]["states"].as_u64().unwrap();
            one.body["invariant"]["accepting"] = json!((0..states).collect::<Vec<_>>());
        });
    }
    all
}

#[test]
fn damaged_evidence_is_rejected() {
    for name in [
        "ticket_lock",
        "mesi_faulty",
        "token_duplicated",
        "spin_lock",
        "reentrant_lock_faulty",
    ] {
        let mut model = open(example(name));
        let properties = model.properties();
        for answer in check(&mut *model) {
            let Some(evidence) = answer.evidence else {
                continue;
            };
            let property = properties.iter().find(|one| one.name == answer.property);
            let property = property.unwrap();
            for (what, evidence) in damaged(&evidence) {
                let result = model.certify(&evidence, property, &Budget::unlimited());
                // A larger set may be an invariant, too.
                let larger = what == "accepts in all states";
                assert!(
                    result.is_err() || larger,
                    "{name}: {}: evidence that {what} was accepted",
                    answer.property
                );
            }
        }
    }
}

#[test]
fn evidence_about_another_protocol_is_rejected() {
    for (name, other) in [
        ("mesi_faulty", "mesi"),
        ("token_duplicated", "token"),
        ("szymanski_faulty", "szymanski"),
        ("mesi", "mesi_faulty"),
        ("token", "token_duplicated"),
    ] {
        let answers = check(&mut *open(example(name)));
        let mut model = open(example(other));
        for property in model.properties() {
            let answer = answers.iter().find(|one| one.property == property.name);
            let Some(evidence) = answer.and_then(|answer| answer.evidence.as_ref()) else {
                continue;
            };
            let own = check(&mut *model);
            let own = own
                .iter()
                .find(|one| one.property == property.name)
                .unwrap();
            let result = model.certify(evidence, &property, &Budget::unlimited());
            if own.verdict != answer.unwrap().verdict {
                assert!(result.is_err(), "{name} for {other}: {}", property.name);
            }
        }
    }
}

#[test]
fn simulation_instance_and_check_agree_on_small_sizes() {
    let cx = Context::default();
    for example in LANGUAGE.about().examples {
        let text = example.files[0].1;
        let verdicts = expected(example);
        for size in ["1", "2", "3"] {
            let given = settings(Verb::Instance, &[("processes", size)]);
            let mut model = open_with(text, &given).unwrap();
            let little = Context {
                budget: Budget::unlimited().child_with_work(3_000),
                ..Context::default()
            };
            let inspected = model.instance(&little).unwrap();
            for answer in &inspected.answers {
                let expected = verdicts.iter().find(|(name, ..)| *name == answer.property);
                let (_, expected, _) = expected.unwrap();
                let wrong = answer.verdict == Verdict::Violated && *expected == Verdict::Holds;
                assert!(!wrong, "{} of {size}: {}", example.name, answer.property);
                let run = answer
                    .trace
                    .as_ref()
                    .is_some_and(|trace| !trace.steps.is_empty());
                assert_eq!(run, answer.verdict == Verdict::Violated);
            }
            let given = settings(Verb::Simulate, &[("processes", size)]);
            let Ok(mut run) = open_with(text, &given).unwrap().simulate(&cx) else {
                continue;
            };
            let mut random = Random::new(7);
            for _ in 0..15 {
                if !run.take_any(&mut random, &cx).unwrap() {
                    assert!(run.status(&cx).unwrap().deadlock);
                    break;
                }
                for note in run.status(&cx).unwrap().notes {
                    let name = note.strip_prefix("this configuration violates ").unwrap();
                    let expected = verdicts.iter().find(|(known, ..)| known == name).unwrap();
                    assert_eq!(expected.1, Verdict::Violated, "{}: {name}", example.name);
                }
            }
        }
    }
}

#[test]
fn a_run_can_be_chosen_and_undone() {
    let cx = Context::default();
    let given = settings(Verb::Simulate, &[("processes", "2")]);
    let mut run = open_with(example("ticket_lock"), &given)
        .unwrap()
        .simulate(&cx)
        .unwrap();
    assert!(!run.undo());
    let names = |run: &mut dyn quotient_language::Simulation| -> Vec<String> {
        let choices = run.choices(&cx).unwrap();
        choices.into_iter().map(|choice| choice.action).collect()
    };
    assert_eq!(names(&mut *run), ["request P1", "request P2"]);
    run.take(1, &cx).unwrap();
    assert_eq!(names(&mut *run), ["enter P2", "request P1"]);
    let trace = run.trace();
    assert_eq!(trace.columns, ["P1", "P2"]);
    let last = trace.steps.last().unwrap();
    assert_eq!(
        (last.action.as_deref(), &last.by[..]),
        (Some("request"), &["P2".to_owned()][..])
    );
    assert!(last.cells[1].changed && !last.cells[0].changed);
    assert_eq!(last.cells[1].text, "waiting");
    assert!(example("ticket_lock")[last.place.unwrap().range()].starts_with("step request:"));
    assert!(run.undo() && !run.undo());
    assert!(run.take(99, &cx).is_err());
    assert_eq!(names(&mut *run).len(), 2);
}

#[test]
fn where_there_are_several_beginnings_one_is_chosen_first() {
    let text = "process { ready : bool = any }\nstep go: when ready then ready := false\n";
    let cx = Context::default();
    let given = settings(Verb::Simulate, &[("processes", "2")]);
    let mut run = open_with(text, &given).unwrap().simulate(&cx).unwrap();
    let choices = run.choices(&cx).unwrap();
    assert_eq!(choices.len(), 4);
    assert_eq!(choices[1].action, "start 2");
    assert_eq!(choices[1].leads_to, "P1.ready: false, P2.ready: true");
    assert!(run.trace().steps.is_empty() && !run.undo());
    run.take(3, &cx).unwrap();
    assert_eq!(run.trace().steps.len(), 1);
    run.take(0, &cx).unwrap();
    assert!(run.undo() && run.undo() && !run.undo());
    run.take(0, &cx).unwrap();
    assert!(run.status(&cx).unwrap().deadlock);
}

#[test]
fn sizes_are_asked_for_and_bounded() {
    let text = example("spin_lock");
    let cx = Context::default();
    let error = open(text).instance(&cx).unwrap_err().to_string();
    assert!(error.contains("needs a number of processes"), "{error}");
    let known = LANGUAGE.about().settings;
    for wrong in ["4294967296", "18446744073709551615", "0", "-1", "three"] {
        let pairs = [("processes".to_owned(), wrong.to_owned())];
        let refused = Settings::new("protocol", known, Verb::Instance, &pairs);
        assert!(refused.is_err(), "{wrong}");
    }
    let work = Context {
        budget: Budget::unlimited().child_with_work(3),
        ..Context::default()
    };
    let given = settings(Verb::Instance, &[("processes", "300")]);
    let mut model = open_with(text, &given).unwrap();
    model.show(&Viewed::default(), &cx).unwrap();
    let inspected = model.instance(&work).unwrap();
    assert!(
        inspected
            .answers
            .iter()
            .all(|one| !one.verdict.is_definite())
    );
    assert!(inspected.notes[0].contains("not all"));
    let given = settings(Verb::Simulate, &[("processes", "5000")]);
    let mut run = open_with(text, &given).unwrap().simulate(&cx).unwrap();
    assert_eq!(run.choices(&cx).unwrap().len(), 100);
    assert!(run.status(&cx).unwrap().more);
    let interrupted = Context::default();
    interrupted.budget.interrupt();
    run.take(0, &cx).unwrap();
    assert!(matches!(
        run.choices(&interrupted),
        Err(Trouble::Stopped(_))
    ));
}

#[test]
fn answers_say_the_run_and_the_invariant_in_words() {
    let violated = &check(&mut *open(example("mesi_faulty")))[..];
    let answer = violated.iter().find(|one| one.verdict == Verdict::Violated);
    let answer = answer.unwrap();
    assert!(answer.details.iter().any(|(name, _)| name == "table"));
    assert!(answer.because.starts_with("a run of "));
    let holds = check(&mut *open(example("ticket_lock")));
    let mutex = holds.iter().find(|one| one.property == "mutex").unwrap();
    assert!(mutex.details.iter().any(|(name, _)| name == "invariant"));
    assert!(mutex.notes[0].starts_with("every run stays in  "));
}

#[test]
fn a_run_that_repeats_says_where_it_goes_back_to() {
    let answers = check(&mut *open(example("spin_lock")));
    let answer = answers.iter().find(|one| {
        one.trace
            .as_ref()
            .is_some_and(|trace| trace.back_to.is_some())
    });
    let trace = answer.unwrap().trace.as_ref().unwrap();
    let back = trace.back_to.unwrap();
    assert!(back < trace.steps.len());
    assert!(
        trace.ending[0].contains("waits in vain"),
        "{:?}",
        trace.ending
    );
    let texts = |step: usize| -> Vec<&str> {
        let cells = trace.steps[step].cells.iter();
        cells.map(|cell| cell.text.as_str()).collect()
    };
    assert_eq!(texts(back), texts(trace.steps.len() - 1));
}

#[test]
fn properties_have_their_texts() {
    let model = open(example("ticket_lock"));
    let mutex = &model.properties()[0];
    assert_eq!(mutex.name, "mutex");
    assert_eq!(
        mutex.text,
        "never exists p, q: p.at = critical and q.at = critical"
    );
    assert_eq!(mutex.kind, "safety");
    let text = example("ticket_lock");
    assert_eq!(&text[mutex.span.unwrap().range()], mutex.text);
}

/// Whether the words of a protocol are too many to be compiled.
fn needs_arrays(text: &str) -> bool {
    let protocol = Protocol::parse(&Source::new("test.protocol", text)).unwrap();
    let little = Budget::unlimited().child_with_work(3_000_000);
    protocol.compile_steps(1, &little).is_err()
}

#[test]
fn what_there_is_to_see() {
    let cx = Context::default();
    let view = Viewed {
        part: None,
        picture: true,
    };
    for example in LANGUAGE.about().examples {
        let mut model = open(example.files[0].1);
        let shown = model.show(&view, &cx).unwrap();
        // Protocols with arrays have no control flow of letters.
        if shown.pictures.is_empty() && needs_arrays(example.files[0].1) {
            continue;
        }
        assert!(
            shown.blocks.len() > 3 && shown.pictures.len() == 1,
            "{}",
            example.name
        );
        assert_eq!(shown.result["format"], "protocol");
    }
    let mut model = open(example("ticket_lock"));
    let part = |name: &str| Viewed {
        part: Some(name.to_owned()),
        picture: true,
    };
    assert_eq!(model.show(&part("enter"), &cx).unwrap().pictures.len(), 1);
    let error = model.show(&part("entre"), &cx).unwrap_err().to_string();
    assert!(error.contains("there is no `entre`"), "{error}");
    let given = settings(Verb::Show, &[("invariant", "mutex")]);
    let mut model = open_with(example("ticket_lock"), &given).unwrap();
    let shown = model.show(&view, &cx).unwrap();
    assert_eq!(shown.result["property"], "mutex");
    let given = settings(Verb::Show, &[("invariant", "mutx")]);
    let mut model = open_with(example("ticket_lock"), &given).unwrap();
    assert!(model.show(&view, &cx).is_err());
}

#[test]
fn machines_are_written_in_other_formats() {
    let cx = Context::default();
    // SLRP and JSON hold only steps that keep the length.
    let mut model = open(example("mesi"));
    for format in LANGUAGE.about().formats {
        let part = match format.name {
            "json" => None,
            _ => Some("upgrade"),
        };
        let written = model.convert(format.name, part, &cx);
        let written = written.unwrap_or_else(|error| panic!("{}: {error}", format.name));
        assert!(!written.text.is_empty(), "{}", format.name);
    }
    assert!(model.convert("timbuc", None, &cx).is_err());
    assert!(model.convert("timbuk", Some("nobody"), &cx).is_err());
}

#[test]
fn doubts_and_exhibits_come_after_a_check() {
    let text = "
        process { location idle, busy, never }
        step go: when at = idle then at := busy
        step stay: when at = never then at := idle
        property fine: never exists p: p.at = never
    ";
    let mut model = open(text);
    let ask = Ask {
        doubt: true,
        exhibits: true,
        ..Ask::default()
    };
    let cx = Context::default();
    let mut answers = Vec::new();
    model
        .check(&ask, &cx, &mut |one| answers.push(one))
        .unwrap();
    assert!(!answers[0].exhibits.is_empty());
    let doubts = model.doubts(&cx).unwrap();
    let stay = doubts
        .iter()
        .find(|doubt| doubt.text.contains("`stay`"))
        .unwrap();
    assert!(text[stay.span.unwrap().range()].starts_with("step stay"));
    let exhibits = model.exhibits(&cx).unwrap();
    assert!(exhibits[0].picture.is_some());
    assert!(
        exhibits
            .iter()
            .any(|one| one.files.iter().any(|(name, _)| name == "=problem.toml"))
    );
}

#[test]
fn imports_are_read_beside_the_text() {
    let text = "
        process { location idle, busy }
        step go: when at = idle then at := busy
        property odd: never import \"odd.tmb\"
    ";
    let odd = "Ops x:0 idle:1 busy:1\nAutomaton odd\nStates a b\nFinal States b\n\
               Transitions\nx() -> a\nbusy(a) -> b\n";
    let input = Input::text(&Source::new("lock.protocol", text));
    let cx = Context::default();
    let mut files = MemoryFiles::from([("odd.tmb", odd)]);
    let mut model = LANGUAGE
        .open(&input, &mut files, &Settings::default(), &cx)
        .unwrap();
    let answers = check(&mut *model);
    assert_eq!(answers[0].verdict, Verdict::Violated);
    let property = &model.properties()[0];
    let evidence = answers[0].evidence.clone().unwrap();
    assert!(
        model
            .certify(&evidence, property, &Budget::unlimited())
            .is_ok()
    );
    let missing = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    assert!(missing.is_err());
}

#[test]
fn mutated_examples_never_break_open() {
    let mut random = Random::new(1);
    let examples = LANGUAGE.about().examples;
    for _ in 0..400 {
        let example = &examples[random.below(examples.len())];
        let mut bytes = example.files[0].1.as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            let other = examples[random.below(examples.len())].files[0].1.as_bytes();
            match random.below(4) {
                0 => bytes[at] = b" :=(){}.,\"x1"[random.below(12)],
                1 => drop(bytes.drain(at..(at + random.below(40)).min(bytes.len()))),
                2 => {
                    let from = random.below(other.len());
                    let until = (from + random.below(60)).min(other.len());
                    bytes.splice(at..at, other[from..until].iter().copied());
                }
                _ => bytes.truncate(at.max(1)),
            }
        }
        let input = Input::bytes("fuzz.protocol", bytes);
        LANGUAGE.recognises(&input);
        match LANGUAGE.open(
            &input,
            &mut NoFiles,
            &Settings::default(),
            &Context::default(),
        ) {
            Ok(model) => drop(model.properties()),
            Err(Trouble::Invalid(mistakes)) => assert!(!mistakes.is_empty()),
            Err(Trouble::Stopped(stop)) => panic!("stopped: {stop}"),
        }
    }
}

#[test]
fn who_waits_is_followed_where_processes_change_places() {
    let right = "process { location a, b, c }
step s0: when at = a and (exists other o: o.at = a) then at := b, move self to right end
step s1: when at = b then at := c
step s2: when at = c and (forall left o: o.at = a) then at := a
property alone: for each p: p.at = b leads to forall q: q.at = p.at";
    let left = "topology line
process { location a, b, c }
step s0: when at = a and (forall other o: o.at != c) then at := b
step s1: when at = b then at := c, move self to left end
step s2: when at = c then at := a
property alone: for each p: p.at = b leads to forall q: q.at = p.at";
    for text in [right, left] {
        let mut model = open(text);
        let answer = check(&mut *model).remove(0);
        assert_eq!(answer.verdict, Verdict::Violated, "{text}");
        let property = model.property("alone").unwrap();
        let evidence = answer.evidence.unwrap();
        let certified = model.certify(&evidence, &property, &Budget::unlimited());
        assert!(certified.is_ok(), "{certified:?}\n{text}");
    }
}
