//! The language as front ends see it: through the trait objects only.

use std::collections::BTreeMap;

use quotient_core::{Budget, Claim, Context, Evidence, Rejection, Trouble, Verdict};
use quotient_language::{
    Answer, Ask, Example, Files, Input, MemoryFiles, Model, NoFiles, Settings, Sureness, Verb,
    Viewed,
};
use quotient_words::LANGUAGE;

fn settings(verb: Verb, pairs: &[(&str, &str)]) -> Settings {
    let about = LANGUAGE.about();
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let pairs: Vec<_> = pairs.iter().map(own).collect();
    Settings::new(about.name, about.settings, verb, &pairs).unwrap()
}

fn example(name: &str) -> &'static Example {
    let mut examples = LANGUAGE.about().examples.iter();
    examples.find(|example| example.name == name).unwrap()
}

fn open_with(example: &Example, settings: &Settings) -> Box<dyn Model> {
    let mut files: MemoryFiles = example.files.iter().copied().collect();
    let (name, text) = example.files[0];
    let input = Input::bytes(name, text.into());
    assert_eq!(
        LANGUAGE.recognises(&input),
        Sureness::Certain,
        "{}",
        example.name
    );
    let model = LANGUAGE.open(&input, &mut files, settings, &Context::default());
    model.unwrap_or_else(|trouble| panic!("{}: {trouble}", example.name))
}

fn open(example: &Example) -> Box<dyn Model> {
    open_with(example, &Settings::default())
}

fn open_text(name: &str, text: &str, files: &mut dyn Files) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::bytes(name, text.into());
    LANGUAGE.open(&input, files, &Settings::default(), &Context::default())
}

fn answers(model: &mut dyn Model, ask: &Ask) -> Vec<Answer> {
    let mut answers = Vec::new();
    let checked = model.check(ask, &Context::default(), &mut |answer| answers.push(answer));
    checked.unwrap_or_else(|trouble| panic!("{trouble}"));
    answers
}

fn certify(model: &mut dyn Model, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let name = evidence.property.clone().unwrap_or_default();
    let property = model
        .property(&name)
        .map_err(|trouble| Rejection::wrong(trouble.to_string()))?;
    let certified = model.certify(evidence, &property, &Budget::unlimited())?;
    Ok(certified.facts)
}

/// The verdict that the manifest of an example promises.
fn expected(example: &Example) -> Verdict {
    match example.files[0].1.contains("# Expected: violated") {
        true => Verdict::Violated,
        false => Verdict::Holds,
    }
}

#[test]
fn every_problem_of_the_gallery_has_its_verdict_with_evidence() {
    for example in LANGUAGE.about().examples {
        let mut model = open(example);
        let properties = model.properties();
        let answers = answers(&mut *model, &Ask::default());
        assert_eq!(properties.len(), answers.len());
        for (property, answer) in properties.iter().zip(answers) {
            let name = example.name;
            assert_eq!(answer.property, property.name);
            assert_eq!(answer.verdict, expected(example), "{name}");
            assert_eq!(answer.trace.is_some(), answer.verdict == Verdict::Violated);
            let span = property.span.unwrap();
            assert_eq!(&example.files[0].1[span.range()], "\"bad.tmb\"", "{name}");
            assert!(property.text.contains("`bad.tmb`"));
            let evidence = answer.evidence.unwrap();
            let facts =
                certify(&mut *model, &evidence).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert!(!facts.is_empty());
        }
    }
}

/// Evidence about one problem, changed in ways that make it wrong.
fn tampered(evidence: &Evidence) -> Vec<(&'static str, Evidence)> {
    let mut all = Vec::new();
    let mut change = |what: &'static str, edit: &dyn Fn(&mut Evidence)| {
        let mut other = evidence.clone();
        edit(&mut other);
        if other != *evidence {
            all.push((what, other));
        }
    };
    change("another claim", &|evidence| {
        evidence.claim = match evidence.claim {
            Claim::Holds => Claim::Violated,
            Claim::Violated => Claim::Holds,
        }
    });
    change("another kind", &|evidence| {
        evidence.kind = "proof-by-desire".into()
    });
    change("no body", &|evidence| {
        evidence.body = serde_json::Value::Null
    });
    change("another property", &|evidence| {
        evidence.property = Some("other".into())
    });
    let empty = |path: &'static str| {
        move |evidence: &mut Evidence| {
            if let Some(list) = evidence
                .body
                .pointer_mut(path)
                .and_then(|value| value.as_array_mut())
            {
                list.clear();
            }
        }
    };
    change(
        "no words are in the invariant",
        &empty("/invariant/accepting"),
    );
    change("no edges are left", &empty("/invariant/edges"));
    let all_states = |evidence: &mut Evidence| {
        let states = evidence
            .body
            .pointer("/invariant/states")
            .and_then(|value| value.as_u64());
        if let (Some(states), Some(invariant)) = (states, evidence.body.get_mut("invariant")) {
            invariant["accepting"] = (0..states).collect();
        }
    };
    change("more is accepted", &all_states);
    let on_list = |path: &'static str, edit: fn(&mut Vec<serde_json::Value>)| {
        move |evidence: &mut Evidence| {
            let list = evidence
                .body
                .pointer_mut(path)
                .and_then(|value| value.as_array_mut());
            list.filter(|list| !list.is_empty())
                .into_iter()
                .for_each(edit);
        }
    };
    change(
        "the last word is dropped",
        &on_list("/words", |list| drop(list.pop())),
    );
    change(
        "the first word is dropped",
        &on_list("/words", |list| drop(list.remove(0))),
    );
    change(
        "a word is there twice",
        &on_list("/words", |list| list.push(list[0].clone())),
    );
    change(
        "a step is renamed",
        &on_list("/steps", |list| list[0] = "sleep".into()),
    );
    change(
        "a step is there twice",
        &on_list("/steps", |list| list.push(list[0].clone())),
    );
    all
}

#[test]
fn tampered_evidence_is_rejected() {
    for name in [
        "token",
        "token-duplicated",
        "bakery-small",
        "szymanski-faulty",
    ] {
        let mut model = open(example(name));
        for answer in answers(&mut *model, &Ask::default()) {
            let evidence = answer.evidence.unwrap();
            for (what, other) in tampered(&evidence) {
                // A larger invariant may be one as well.
                let accepted = certify(&mut *model, &other).is_ok();
                assert!(!accepted || what == "more is accepted", "{name}: {what}");
            }
        }
    }
}

#[test]
fn evidence_about_one_problem_says_nothing_about_another() {
    let evidence = |name: &str| {
        let answer = answers(&mut *open(example(name)), &Ask::default()).pop();
        answer.unwrap().evidence.unwrap()
    };
    let (good, faulty) = (evidence("token"), evidence("token-duplicated"));
    assert!(certify(&mut *open(example("token-duplicated")), &good).is_err());
    assert!(certify(&mut *open(example("token")), &faulty).is_err());
}

#[test]
fn the_text_of_a_property_determines_its_automaton() {
    let texts = |name: &str| open(example(name)).properties()[0].text.clone();
    assert_eq!(texts("token"), texts("token-duplicated"));
    assert_ne!(texts("token"), texts("token-to-the-third"));
}

#[test]
fn liveness_is_another_question_and_evidence_is_about_it() {
    let communal = [("liveness", "communal"), ("progress-step", "enter")];
    let individual = [
        ("liveness", "individual"),
        ("progress-step", "enter"),
        ("waiting", "w"),
    ];
    for (name, pairs, verdict) in [
        ("bakery-small", &communal[..], Verdict::Holds),
        ("bakery-small", &individual[..], Verdict::Holds),
        ("bakery-unordered", &individual[..], Verdict::Violated),
    ] {
        let settings = settings(Verb::Check, pairs);
        let mut model = open_with(example(name), &settings);
        let property = model.properties().remove(0);
        assert_eq!(property.kind, "liveness");
        assert!(property.text.contains("`enter`"));
        let answer = answers(&mut *model, &Ask::default()).remove(0);
        assert_eq!(answer.verdict, verdict, "{name}");
        let evidence = answer.evidence.unwrap();
        assert!(certify(&mut *model, &evidence).is_ok());
        // It says nothing about the question of the file.
        assert!(certify(&mut *open(example(name)), &evidence).is_err());
        let pinned = settings.pinned(LANGUAGE.about().settings);
        assert_eq!(pinned.len(), pairs.len());
    }
}

#[test]
fn liveness_says_what_is_missing() {
    let missing = [
        &[("liveness", "communal")][..],
        &[("liveness", "communal"), ("progress-step", "entre")],
        &[("liveness", "individual"), ("progress-step", "enter")],
        &[
            ("liveness", "individual"),
            ("progress-step", "enter"),
            ("waiting", "v"),
        ],
        &[
            ("liveness", "communal"),
            ("progress-step", "enter"),
            ("waiting", "w"),
        ],
    ];
    let bakery = example("bakery-small");
    for pairs in missing {
        let mut files: MemoryFiles = bakery.files.iter().copied().collect();
        let input = Input::bytes("problem.toml", bakery.files[0].1.into());
        let settings = settings(Verb::Check, pairs);
        let opened = LANGUAGE.open(&input, &mut files, &settings, &Context::default());
        let Err(Trouble::Invalid(mistakes)) = opened else {
            panic!("{pairs:?} is accepted");
        };
        assert!(mistakes[0].help.len() + mistakes[0].notes.len() > 0);
    }
}

#[test]
fn exhibits_are_a_problem_that_can_be_checked_again() {
    let settings = settings(
        Verb::Check,
        &[("liveness", "communal"), ("progress-step", "enter")],
    );
    let mut model = open_with(example("bakery-small"), &settings);
    let ask = Ask {
        exhibits: true,
        ..Ask::default()
    };
    let mut exhibits: Vec<_> = answers(&mut *model, &ask).remove(0).exhibits;
    assert!(
        exhibits
            .iter()
            .any(|one| one.caption.starts_with("an inductive invariant"))
    );
    exhibits.extend(model.exhibits(&Context::default()).unwrap());
    let mut files = BTreeMap::new();
    for exhibit in exhibits {
        for (ending, text) in exhibit.files {
            let name = match ending.strip_prefix('=') {
                Some(whole) => whole.to_owned(),
                None => format!("{}.{ending}", exhibit.name),
            };
            assert!(files.insert(name.clone(), text).is_none(), "{name} twice");
        }
    }
    let manifest = files["problem.toml"].clone();
    let mut files: MemoryFiles = files.into_iter().collect();
    let mut again = open_text("problem.toml", &manifest, &mut files).unwrap();
    assert_eq!(
        answers(&mut *again, &Ask::default())[0].verdict,
        Verdict::Holds
    );
}

#[test]
fn properties_are_chosen_by_name() {
    let token = example("token");
    let manifest = "init = \"init.tmb\"\ntransitions = \"pass.tmb\"\n\
                    [bad]\ntwo = \"bad.tmb\"\nstart = \"init.tmb\"\n";
    let mut files: MemoryFiles = token.files.iter().copied().collect();
    let mut model = open_text("problem.toml", manifest, &mut files).unwrap();
    let verdicts: Vec<_> = answers(&mut *model, &Ask::default())
        .into_iter()
        .map(|answer| (answer.property, answer.verdict))
        .collect();
    assert_eq!(verdicts[0], ("start".to_owned(), Verdict::Violated));
    assert_eq!(verdicts[1], ("two".to_owned(), Verdict::Holds));
    let ask = Ask {
        properties: vec!["two".to_owned()],
        ..Ask::default()
    };
    assert_eq!(answers(&mut *model, &ask).len(), 1);
    let wrong = Ask {
        properties: vec!["tow".to_owned()],
        ..Ask::default()
    };
    let refused = model.check(&wrong, &Context::default(), &mut |_| panic!("answered"));
    assert!(
        matches!(refused, Err(Trouble::Invalid(mistakes)) if mistakes[0].code == "no-such-property")
    );
}

#[test]
fn a_lone_automaton_is_shown_and_converted_and_not_checked() {
    let (_, text) = example("token")
        .files
        .iter()
        .find(|(name, _)| *name == "init.tmb")
        .unwrap();
    let mut model = open_text("init.tmb", text, &mut NoFiles).unwrap();
    let refused = model.check(&Ask::default(), &Context::default(), &mut |_| {
        panic!("answered")
    });
    let Err(Trouble::Invalid(mistakes)) = refused else {
        panic!("it was checked");
    };
    assert_eq!(mistakes[0].message, "this is an automaton, not a problem");
    assert!(!mistakes[0].help.is_empty());
    let view = Viewed {
        picture: true,
        ..Viewed::default()
    };
    let shown = model.show(&view, &Context::default()).unwrap();
    assert_eq!(shown.pictures.len(), 1);
    assert_eq!(shown.result["file"], "init.tmb");
    for format in LANGUAGE.about().formats {
        let written = model
            .convert(format.name, None, &Context::default())
            .unwrap();
        if format.name != "dot" {
            assert!(
                open_text("again", &written.text, &mut NoFiles).is_ok(),
                "{}",
                format.name
            );
        }
    }
    assert!(model.convert("tiff", None, &Context::default()).is_err());
}

#[test]
fn a_problem_is_shown_whole_and_by_part() {
    let mut model = open(example("token"));
    let shown = model.show(&Viewed::default(), &Context::default()).unwrap();
    assert_eq!(shown.result["machines"].as_array().unwrap().len(), 3);
    let part = |name: &str| Viewed {
        part: Some(name.to_owned()),
        picture: false,
    };
    let shown = model.show(&part("pass"), &Context::default()).unwrap();
    assert_eq!(shown.result["machines"][0]["kind"], "transducer");
    assert!(shown.pictures.is_empty());
    assert!(model.show(&part("pas"), &Context::default()).is_err());
    let json = model.convert("json", None, &Context::default()).unwrap();
    let mut again = open_text("token.json", &json.text, &mut NoFiles).unwrap();
    assert_eq!(
        answers(&mut *again, &Ask::default())[0].verdict,
        Verdict::Holds
    );
}

#[test]
fn a_folder_is_a_problem() {
    let token = example("token");
    let names = token.files.iter().map(|(name, _)| (*name).to_owned());
    for without in ["", "problem.toml"] {
        let names: Vec<String> = names.clone().filter(|name| name != without).collect();
        let mut files: MemoryFiles = token.files.iter().copied().collect();
        let input = Input::folder("token", names);
        assert!(LANGUAGE.recognises(&input) >= Sureness::Likely);
        let cx = Context::default();
        let mut model = LANGUAGE
            .open(&input, &mut files, &Settings::default(), &cx)
            .unwrap();
        assert_eq!(
            answers(&mut *model, &Ask::default())[0].verdict,
            Verdict::Holds
        );
    }
}

#[test]
fn a_run_is_made_step_by_step() {
    let settings = settings(Verb::Simulate, &[("length", "3")]);
    let mut model = open_with(example("token-duplicated"), &settings);
    let cx = Context::default();
    let mut run = model.simulate(&cx).unwrap();
    let choices = run.choices(&cx).unwrap();
    assert_eq!(choices.len(), 1);
    assert_eq!(choices[0].leads_to, "T N N");
    assert!(!run.undo());
    run.take(0, &cx).unwrap();
    let choices = run.choices(&cx).unwrap();
    let told: Vec<_> = choices
        .iter()
        .map(|one| (one.action.as_str(), one.leads_to.as_str()))
        .collect();
    assert_eq!(told, [("pass", "T T N")]);
    assert!(run.status(&cx).unwrap().notes.is_empty());
    run.take(0, &cx).unwrap();
    let status = run.status(&cx).unwrap();
    assert_eq!(status.notes, ["one token: violated, this word is bad"]);
    run.take(0, &cx).unwrap();
    assert!(run.status(&cx).unwrap().deadlock);
    assert_eq!(run.trace().len(), 2);
    assert!(run.take(0, &cx).is_err());
    assert!(run.undo());
    assert_eq!(run.choices(&cx).unwrap()[0].leads_to, "T T T");
}

#[test]
fn long_lists_of_choices_are_cut_and_that_is_said() {
    let mut model = open(example("bakery"));
    let cx = Context::default();
    let mut run = model.simulate(&cx).unwrap();
    assert!(run.choices(&cx).unwrap().len() <= 100);
    assert!(run.status(&cx).unwrap().more);
}

#[test]
fn an_instance_is_searched_completely() {
    let cx = Context::default();
    for example in LANGUAGE.about().examples {
        if example.name.contains("liveness") || example.name.contains("starvation") {
            continue;
        }
        let settings = settings(Verb::Instance, &[("length", "2")]);
        let found = open_with(example, &settings).instance(&cx).unwrap();
        assert_eq!(found.what, "words of 2 letters");
        for answer in &found.answers {
            if expected(example) == Verdict::Holds {
                assert_ne!(answer.verdict, Verdict::Violated, "{}", example.name);
            }
            if let Some(evidence) = &answer.evidence {
                assert!(certify(&mut *open(example), evidence).is_ok());
            }
        }
    }
    let settings = settings(Verb::Instance, &[("length", "2")]);
    let found = open_with(example("token-duplicated"), &settings)
        .instance(&cx)
        .unwrap();
    assert_eq!(found.answers[0].verdict, Verdict::Violated);
    assert_eq!(found.sizes, [("words", 2), ("steps", 1)]);
    assert!(open(example("token")).instance(&cx).is_err());
}

#[test]
fn the_starter_is_a_manifest() {
    let starter = LANGUAGE.about().starter;
    let input = Input::bytes("new.toml", starter.into());
    assert_eq!(LANGUAGE.recognises(&input), Sureness::Certain);
    let (machine, step) = (
        "Ops x:0 a:1\nAutomaton A\nStates p\nFinal States p\nTransitions\nx() -> p\na(p) -> p\n",
        "Ops x:0 a:1\nAutomaton A @INT\nStates p\nFinal States p\nTransitions\nx() -> p\na(p) -> p\n",
    );
    let mut files = MemoryFiles::from([
        ("init.tmb", machine),
        ("bad.tmb", machine),
        ("step-1.tmb", step),
    ]);
    let model = open_text("new.toml", starter, &mut files).unwrap();
    assert_eq!(model.title().as_deref(), Some("my problem"));
}

/// Texts made of pieces of real ones, and files that are damaged.
#[test]
fn opening_never_panics() {
    let token = example("token");
    let whole: Vec<&str> = token.files.iter().map(|(_, text)| *text).collect();
    quotient_trial::trial(|u| {
        let mut text = String::new();
        for _ in 0..u.int_in_range(0..=4)? {
            let piece = *u.choose(&whole)?;
            let ends = [
                u.int_in_range(0..=piece.len())?,
                u.int_in_range(0..=piece.len())?,
            ];
            let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            text.push_str(&String::from_utf8_lossy(&piece.as_bytes()[from..to]));
            if u.ratio(1, 4)? {
                text.push_str(u.choose(&[
                    "\n[bad]\n",
                    "init = ",
                    "\"",
                    "{",
                    "@NFA\n",
                    "🦀",
                    "\0",
                ])?);
            }
        }
        let name = *u.choose(&["problem.toml", "x.tmb", "armc.properties", "x", "x.json"])?;
        let damaged = *u.choose(&["init.tmb", "bad.tmb", "pass.tmb", "none"])?;
        let files = token
            .files
            .iter()
            .map(|&(name, own)| match name == damaged {
                true => (name, text.as_str()),
                false => (name, own),
            });
        let mut files: MemoryFiles = files.collect();
        let text = match u.ratio(1, 3)? {
            true => token.files[0].1,
            false => text.as_str(),
        };
        let input = Input::bytes(name, text.into());
        LANGUAGE.recognises(&input);
        let cx = Context::default();
        let opened = LANGUAGE.open(&input, &mut files, &Settings::default(), &cx);
        if let Ok(mut model) = opened {
            let _ = model.properties();
            let _ = model.show(&Viewed::default(), &cx);
        }
        Ok(())
    })
    .budget_ms(1_500);
}
