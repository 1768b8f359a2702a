//! What else the language offers through the trait object: recognition, files, runs step by step,
//! pictures, other formats; and that no text makes it panic.

mod common;

use common::random::Random as Numbers;
use quotient_compose::State;
use quotient_core::{Budget, Context, Source, Stop, Trouble, Verdict};
use quotient_fsp::{LANGUAGE, Model as Text, Options};
use quotient_language::{
    Ask, Block, Input, Language, MemoryFiles, Model, NoFiles, Random, Settings, Simulation,
    Sureness, Verb, Viewed,
};

fn opened(
    text: &str,
    verb: Verb,
    given: &[(&str, &str)],
    cx: &Context,
) -> Result<Box<dyn Model>, Trouble> {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let given: Vec<_> = given.iter().map(own).collect();
    let about = LANGUAGE.about();
    let settings = Settings::new(about.name, about.settings, verb, &given)?;
    let input = Input::text(&Source::new("model.lts", text));
    LANGUAGE.open(&input, &mut NoFiles, &settings, cx)
}

fn open(text: &str, verb: Verb, given: &[(&str, &str)]) -> Box<dyn Model> {
    opened(text, verb, given, &Context::default()).unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn shown(text: &str, part: Option<&str>, given: &[(&str, &str)]) -> String {
    let view = Viewed {
        part: part.map(str::to_owned),
        picture: false,
    };
    let shown = open(text, Verb::Show, given).show(&view, &Context::default());
    let lines = shown.unwrap().blocks.into_iter().map(|block| match block {
        Block::Head(text) | Block::Verbatim(text) => text,
        other => format!("{other:?}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn examples_are_recognised_and_listed() {
    for (name, text) in common::examples() {
        let input = Input::text(&Source::new(name.as_str(), text));
        assert_eq!(LANGUAGE.recognises(&input), Sureness::Certain, "{name}");
    }
    let listed = LANGUAGE.about().examples.iter();
    let mut listed: Vec<&str> = listed.map(|one| one.files[0].0).collect();
    listed.sort_unstable();
    let there: Vec<String> = common::examples()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(listed, there);
}

#[test]
fn old_texts_and_files_beside_are_read() {
    let cx = Context::default();
    let old = b"// caf\xe9 \x96 open\nP = (a -> P).".to_vec();
    let input = Input::bytes("old.lts", old.clone());
    assert_eq!(LANGUAGE.recognises(&input), Sureness::Certain);
    let model = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    assert_eq!(model.unwrap().title().unwrap(), "DEFAULT");
    assert_eq!(
        LANGUAGE.recognises(&Input::bytes("old.txt", old)),
        Sureness::No
    );

    let text = "import DOOR = \"door.aut\" ||S = (DOOR).";
    let input = Input::text(&Source::new("house/house.lts", text));
    let aut = "des (0, 2, 2)\n(0, open, 1)\n(1, close, 0)\n";
    let mut files = MemoryFiles::from([("door.aut", aut)]);
    let mut model = LANGUAGE
        .open(&input, &mut files, &Settings::default(), &cx)
        .unwrap();
    let mut told = Vec::new();
    model
        .check(&Ask::default(), &cx, &mut |answer| {
            common::keep(&mut told, answer);
        })
        .unwrap();
    assert_eq!(told.len(), 1);
    let missing = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    assert!(missing.err().unwrap().to_string().contains("door.aut"));
    // A component by itself is a model.
    let alone = Input::text(&Source::new("my door.aut", aut));
    let mut model = LANGUAGE
        .open(&alone, &mut NoFiles, &Settings::default(), &cx)
        .unwrap();
    let written = model.convert("lts", None, &cx).unwrap();
    assert!(
        written.text.starts_with("MY_DOOR = (open ->"),
        "{}",
        written.text
    );
}

#[test]
fn lists_build_no_composite() {
    let text = "const N = 2 P(K=N) = (a[1..K] -> P). property Q = (a[1] -> Q).
        ||BIG = (forall [i:1..200] p[i]:P). ||S = (P || Q || BIG).
        progress G = {a[1]} assert A = []<>a[1] menu RUN = {a[1]}";
    let list = shown(text, None, &[]);
    let lines: Vec<&str> = list.lines().map(str::trim).collect();
    assert_eq!(
        lines[1..5],
        [
            "process    P    1 state, 2 transitions, 2 actions",
            "property   Q    1 state, 1 transition, 1 action",
            "composite  BIG  of P",
            "composite  S    of P, Q, BIG",
        ]
    );
    assert!(list.contains("assertions: A") && list.contains("menus: RUN"));
    let more = shown(text, None, &[("constant", "N=5")]);
    assert!(more.contains("P    1 state, 5 transitions"), "{more}");
}

#[test]
fn components_are_shown_drawn_and_written() {
    let text = "P = (a -> b -> P)\\{b}. Q = (a -> Q). ||S = (P || Q).";
    let component = shown(text, Some("S"), &[]);
    assert!(
        component.starts_with("S: 2 states, 2 transitions, 1 action"),
        "{component}"
    );
    assert!(component.contains("made of: P (2) || Q (1)"));
    let small = shown(text, Some("S"), &[("minimise", "")]);
    assert!(small.contains("minimised, 2 states before"), "{small}");
    let structure = shown(text, None, &[("structure", "")]);
    assert!(structure.contains("shared: a by P, Q"), "{structure}");
    let cx = Context::default();
    let view = Viewed {
        part: Some("S".into()),
        picture: true,
    };
    let drawn = open(text, Verb::Show, &[]).show(&view, &cx).unwrap();
    assert_eq!(drawn.pictures.len(), 1);
    let mut model = open(text, Verb::Convert, &[]);
    let aut = model.convert("aut", Some("P"), &cx).unwrap();
    assert!(aut.text.starts_with("des"), "{}", aut.text);
    assert_eq!(aut.line, "component P, 2 states, 2 transitions");
    assert!(model.convert("svg", Some("P"), &cx).is_err());
    let several = model.convert("aut", None, &cx).unwrap_err();
    assert!(several.to_string().contains("3 components"));
}

/// The actions that the simulation offers are those of the network, step by step.
#[test]
fn runs_are_those_of_the_network() {
    let cx = Context::default();
    for (name, text) in common::examples() {
        let compiled = Text::read(&Source::new(&name, text.as_str()))
            .unwrap()
            .compile(&Options::default(), &Budget::unlimited())
            .unwrap();
        let network = compiled.network(&Budget::unlimited()).unwrap();
        let mut states: Vec<State> = network.initial();
        let mut run = open(&text, Verb::Simulate, &[]).simulate(&cx).unwrap();
        let mut random = Random::new(3);
        for number in 0..25 {
            let steps = network.steps(&states);
            let choices = run.choices(&cx).unwrap();
            assert_eq!(choices.len(), steps.len().min(100), "{name}");
            let status = run.status(&cx).unwrap();
            assert_eq!(status.deadlock, network.is_deadlock(&states), "{name}");
            for (choice, (event, _)) in choices.iter().zip(&steps) {
                let label = match event.is_tau() {
                    true => "tau",
                    false => network.name(*event),
                };
                assert_eq!(choice.action.trim_matches(['(', ')']), label, "{name}");
            }
            if steps.is_empty() {
                break;
            }
            let taken = random.below(choices.len());
            run.take(taken, &cx).unwrap();
            states.clone_from(&steps[taken].1);
            assert_eq!(run.trace().len(), number + 1);
        }
        let length = run.trace().len();
        assert_eq!(run.undo(), length > 0);
        assert_eq!(run.trace().len(), length.saturating_sub(1));
    }
}

#[test]
fn simulations_say_why_not_and_how_things_stand() {
    let cx = Context::default();
    let text = "P = (a[1] -> b -> STOP). Q = (b -> Q). menu RUN = {a[1]} ||S = (P || Q).";
    let mut run: Box<dyn Simulation> = open(text, Verb::Simulate, &[("menu", "RUN")])
        .simulate(&cx)
        .unwrap();
    assert_eq!(run.spelled("a[1]"), "a.1");
    assert_eq!(run.refusal("b"), ["P waits for a.1"]);
    assert_eq!(
        run.refusal("bb"),
        ["no component has this action", "did you mean `b`?"]
    );
    assert!(!run.choices(&cx).unwrap()[0].automatic);
    run.take(0, &cx).unwrap();
    assert!(run.choices(&cx).unwrap()[0].automatic);
    assert!(run.take(7, &cx).is_err());
    run.take(0, &cx).unwrap();
    let status = run.status(&cx).unwrap();
    assert!(status.deadlock);
    assert_eq!(status.whereabouts[0], "P has stopped (STOP)");
    let ending = run.trace().ending;
    assert_eq!(ending[0], "deadlock: nothing can happen any more");
    assert_eq!(ending[2], "  Q waits for b with P");
    let details = run.details(&cx).unwrap();
    assert!(
        details
            .iter()
            .any(|(name, value)| name == "deadlock" && *value == true)
    );
    let wrong = open(text, Verb::Simulate, &[("menu", "RUNN")]).simulate(&cx);
    assert!(wrong.err().unwrap().to_string().contains("RUNN"));
}

/// Bytes of a text changed, dropped, doubled and moved.
fn mutated(text: &str, numbers: &mut Numbers) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + numbers.below(4) {
        let at = numbers.below(letters.len());
        match numbers.below(4) {
            0 => {
                letters[at] = numbers.pick(&[
                    '(', ')', '.', ',', '|', '=', '9', 'X', '{', '[', '-', '>', '§',
                ])
            }
            1 => {
                letters.remove(at);
            }
            2 => {
                let to = (at + numbers.below(60)).min(letters.len());
                let piece = letters[at..to].to_vec();
                let there = numbers.below(letters.len());
                letters.splice(there..there, piece);
            }
            _ => {
                let to = (at + numbers.below(60)).min(letters.len());
                letters.drain(at..to);
            }
        }
        if letters.is_empty() {
            break;
        }
    }
    letters.into_iter().collect()
}

#[test]
fn mutated_texts_are_read_or_refused() {
    let mut numbers = Numbers(5);
    let examples = common::examples();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..300 {
        let (_, text) = numbers.pick(&examples);
        let text = mutated(&text, &mut numbers);
        let cx = Context {
            budget: Budget::unlimited().child_with_work(50_000),
            ..Context::default()
        };
        LANGUAGE.recognises(&Input::text(&Source::new("x", text.as_str())));
        match opened(&text, Verb::Show, &[], &cx) {
            Ok(mut model) => {
                read += 1;
                model.properties();
                let _ = model.show(&Viewed::default(), &cx);
                let _ = model.check(&Ask::default(), &cx, &mut |_| {});
            }
            Err(trouble) => {
                refused += 1;
                assert!(!trouble.to_string().is_empty());
            }
        }
    }
    assert!(read > 20 && refused > 20, "{read} {refused}");
}

#[test]
fn an_ended_budget_stops_everything() {
    let cx = Context::default();
    let (_, text) = common::examples().remove(0);
    let mut model = opened(&text, Verb::Check, &[], &cx).unwrap();
    cx.budget.interrupt();
    let mut verdicts = Vec::new();
    let checked = model.check(&Ask::default(), &cx, &mut |answer| {
        verdicts.push(answer.verdict)
    });
    match checked {
        Err(trouble) => assert_eq!(trouble, Trouble::Stopped(Stop::Interrupted)),
        Ok(()) => assert!(verdicts.iter().all(|verdict| !verdict.is_definite())),
    }
    assert!(model.show(&Viewed::default(), &cx).is_err());
    assert!(model.instance(&cx).is_err());
    assert!(model.simulate(&cx).is_err());
    let _: &dyn Language = LANGUAGE;
}

/// Text, settings, and the verdicts that stay if time ends with the first of them.
const ENDING: [(&str, &str, Verdict); 3] = [
    // Nothing is wrong, and an assumption could be told.
    (
        "A = (a -> b -> A). B = (b -> c -> B). property P = (a -> b -> P). ||S = (A || B || P).",
        "P",
        Verdict::Holds,
    ),
    (
        "A = (a -> b -> STOP). property P = (b -> P). ||S = (A || P).",
        "no deadlock",
        Verdict::Violated,
    ),
    (
        "A = (a -> A | b -> END). progress GO = {a} ||S = (A).",
        "GO",
        Verdict::Violated,
    ),
];

#[test]
fn a_verdict_that_is_known_is_told_before_anything_is_done_about_it() {
    for (text, name, verdict) in ENDING {
        let cx = Context::default();
        let mut model = opened(text, Verb::Check, &[], &cx).unwrap();
        let mut told = Vec::new();
        let checked = model.check(&Ask::default(), &cx, &mut |answer| {
            // The moment at which the verdict is known.
            if answer.property == name {
                cx.budget.interrupt();
            }
            if answer.verdict.is_definite() {
                common::keep(&mut told, answer);
            }
        });
        assert!(
            matches!(checked, Ok(()) | Err(Trouble::Stopped(_))),
            "{text}"
        );
        let kept = told.iter().find(|one| one.property == name);
        let kept = kept.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(kept.verdict, verdict, "{text}");
        assert!(
            kept.evidence.is_some() && !kept.because.is_empty(),
            "{text}"
        );
        // A run that is known is told even then.
        assert_eq!(kept.trace.is_some(), verdict == Verdict::Violated, "{text}");
    }
}

#[test]
fn a_short_way_is_told_where_a_fair_cycle_is_long() {
    let text = "
        PHIL(I=0) = (when (I%2==0) sit -> left.get -> right.get -> eat -> left.put -> right.put -> arise -> PHIL
          | when (I%2==1) sit -> right.get -> left.get -> eat -> left.put -> right.put -> arise -> PHIL).
        FORK = (get -> put -> FORK).
        ||DINERS(N=4) = forall [i:0..N-1]
          (phil[i]:PHIL(i) || {phil[i].left, phil[((i-1)+N)%N].right}::FORK).
        fluent EATING[i:0..3] = <phil[i].eat, phil[i].arise>
        assert NEIGHBOURS = forall [i:0..3] [] !(EATING[i] && EATING[(i+1)%4])
        assert FIRST = !phil[0].sit";
    let mut model = open(text, Verb::Check, &[]);
    let ask = Ask {
        properties: vec!["NEIGHBOURS".to_owned(), "FIRST".to_owned()],
        ..Ask::default()
    };
    let mut answers = Vec::new();
    let tell = &mut |answer| common::keep(&mut answers, answer);
    model.check(&ask, &Context::default(), tell).unwrap();
    assert_eq!(answers.len(), 2);
    for answer in answers {
        assert_eq!(answer.verdict, Verdict::Violated);
        let steps = answer.trace.as_ref().unwrap().steps.len();
        assert!(steps < 30, "{}: {steps}", answer.property);
        let property = model.property(&answer.property).unwrap();
        let evidence = answer.evidence.unwrap();
        let certified = model.certify(&evidence, &property, &Budget::unlimited());
        assert!(certified.is_ok(), "{certified:?}");
    }
}
