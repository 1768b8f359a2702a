//! The language through its seam: answers, evidence, readers.

use quotient_core::{Context, Trouble, Verdict};
use quotient_language::{Answer, Query, Sureness, Viewed};
use quotient_network::LANGUAGE;
use quotient_testkit::language::{
    Tested, answers, assert_certified, attack_all, certified, verdicts,
};

const NETWORK: Tested = Tested::new(LANGUAGE, "x.bnet");

#[test]
fn examples_have_their_verdicts_and_evidence_for_them() {
    use Verdict::{Holds, Violated};
    let expected = [
        ("toggle", vec![Holds, Holds, Violated, Holds]),
        ("oscillator", vec![Holds, Holds, Violated]),
    ];
    for (name, expected) in expected {
        let mut model = NETWORK.example(name);
        let answers = answers(model.as_mut());
        assert_eq!(verdicts(&answers), expected, "{name}: {answers:#?}");
        for answer in &answers {
            assert_certified(model.as_mut(), answer);
        }
        let view = Viewed {
            part: None,
            picture: true,
        };
        let shown = model.show(&view, &Context::default()).unwrap();
        assert!(!shown.pictures.is_empty(), "{name}");
    }
}

#[test]
fn forged_evidence_is_never_believed() {
    let examples = LANGUAGE.about().examples.iter();
    let models = examples.map(|one| NETWORK.example(one.name)).collect();
    attack_all(models, 100, 200_000);
}

#[test]
fn states_are_counted() {
    let mut model = NETWORK.open("targets, factors\na, !b\nb, !a\nc, c & input\n");
    let query = Query {
        text: "!{x}: AX {x}".into(),
        limit: 1,
    };
    let shown = model.ask(&query, &Context::default()).unwrap();
    // Two for the toggle, and c is 0 or, with the input, 1.
    assert_eq!(shown.result["states"], "6");
    assert_eq!(model.doubts(&Context::default()).unwrap().len(), 1);
}

/// The same network with its input kept, and as a parameter that the input becomes equal to.
#[test]
fn inputs_can_be_parameters() {
    let text = "targets, factors\na, b\nb, a & on\n#check steady: !{x}: AX {x}\n\
                #check settles: EF (!{x}: AX {x})\n#check two: 3{x}: 3{y}: (@{x}: ~{y} & AX {x}) & (@{y}: AX {y})\n";
    let counts = |settings: &[(&str, &str)]| -> Vec<String> {
        let mut model = NETWORK.try_open(text, settings, &[]).unwrap();
        let answers = answers(model.as_mut());
        for answer in &answers {
            assert_certified(model.as_mut(), answer);
        }
        let states = |answer: &Answer| answer.because.split(" of ").next().unwrap().to_owned();
        answers.iter().map(states).collect()
    };
    // Steady: off and off, on and off, on and on. Everywhere there are two of them, if names may differ in the input.
    assert_eq!(counts(&[]), ["true in 3", "true in 8", "true in 8"]);
    // With the parameter off all ends at one state, with it on at two, and names belong to one value of it.
    assert_eq!(
        counts(&[("inputs", "parameters")]),
        ["true in 3", "true in 16", "true in 8"]
    );
}

#[test]
fn attractors_are_a_ready_made_question() {
    // A ring that never settles while the switch is on, a toggle, and one that follows.
    let text = "targets, factors\na, !c & on\nb, a & on\nc, b & on\nx, !y\ny, !x\nz, x & a\n";
    let mut model = NETWORK.open(text);
    let mut ask = |text: &str| {
        let query = Query {
            text: text.into(),
            limit: 10,
        };
        model.ask(&query, &Context::default()).unwrap().result
    };
    assert_eq!(ask("stable")["steady"], "2");
    let all = ask("attractors");
    assert_eq!(
        (&all["steady"], &all["complex"]),
        (&"2".into(), &"2".into())
    );
    assert_eq!(all["followers"], 1);
    assert!(all["synchronousCycles"].as_u64().unwrap() > 2);
}

#[test]
fn who_asks_for_what_there_is_not_is_told_what_there_is() {
    let mut model = NETWORK.open("targets, factors\na, !a\n");
    let query = Query {
        text: "settles".into(),
        limit: 10,
    };
    let Err(Trouble::Invalid(errors)) = model.ask(&query, &Context::default()) else {
        panic!("there is no such question")
    };
    let note = &errors[0].notes[0];
    assert!(note.contains("`stable`") && note.contains("`attractors`"));
}

#[test]
fn mistakes_are_told_all_at_once_and_in_place() {
    let text = "targets, factors\na, b &\nb, (a\n#check x: AG nothing\n#check y: {z}\n";
    assert_eq!(
        NETWORK.mistakes(text),
        [
            "x.bnet:2:7: error: expected a function, found the end of the text",
            "x.bnet:3:6: error: expected `)`, found the end of the text",
            "x.bnet:4:14: error: there is no variable `nothing`",
            "x.bnet:5:13: error: no state is called `z` here",
        ]
    );
    assert!(
        NETWORK.mistakes(&format!("targets, factors\na, {}a", "!(a & ".repeat(5000)))[0]
            .contains("expected `)`")
    );
    let deep = format!("a, {}a{}", "!(a & ".repeat(5000), ")".repeat(5000));
    assert!(NETWORK.mistakes(&deep)[0].contains("levels deep"));
}

#[test]
fn questions_have_names_of_their_own() {
    let twice = "a, a\n#check x: AG a\n#check x: EF a\n";
    let told = NETWORK.mistakes(twice);
    assert_eq!(
        told,
        ["x.bnet:3:1: error: there are two questions called `x`"]
    );
    let nameless = NETWORK.open("a, a\n#check : AG a\n").properties();
    assert_eq!(nameless[0].name, "AG a");
}

#[test]
fn only_its_own_texts_are_recognised() {
    assert_eq!(
        NETWORK.sure("x", "# c\ntargets, factors\na, a"),
        Sureness::Certain
    );
    assert_eq!(NETWORK.sure("x.bnet", "a, a"), Sureness::ByName);
    assert_eq!(NETWORK.sure("x.smv", "MODULE main"), Sureness::No);
}

#[test]
fn no_text_makes_the_reader_panic() {
    NETWORK.disturb("{}()@~&|!:3Va\n,#é", 600, |text| {
        quotient_network::read_any(text);
    });
}

const SWITCH: &str = "targets, factors\na, !b\nb, !a & on\n#check settles: AF (!{x}: AX {x})\n\
                      #check off: AF ~b\n#check two: 3{x}: 3{y}: (@{x}: ~{y} & AX {x}) & (@{y}: AX {y})\n";

/// Without `a`, `b` follows the input; evidence says what is fixed, and is none about the other network.
#[test]
fn what_is_knocked_out_stays_so() {
    use Verdict::{Holds, Violated};
    let open = |fix: &str| NETWORK.try_open(SWITCH, &[("fix", fix)], &[]).unwrap();
    let mut out = open("a=0,on=1");
    let knocked = answers(out.as_mut());
    assert_eq!(verdicts(&knocked), [Holds, Violated, Violated]);
    assert!(
        knocked[0]
            .because
            .contains("2 of 2^1 states (fixed: a=0, on=1)")
    );
    let mut over = open("a=1");
    let expressed = answers(over.as_mut());
    assert_eq!(verdicts(&expressed), [Holds, Holds, Holds]);
    for answer in &knocked {
        assert_certified(out.as_mut(), answer);
    }
    for answer in &expressed {
        assert_certified(over.as_mut(), answer);
    }
    // Both claim something of the other network that is not so.
    assert!(certified(over.as_mut(), &knocked[1]).is_err());
    assert!(certified(out.as_mut(), &expressed[1]).is_err());
    // A state of the network without the knock-out is none of this one.
    let mut forged = knocked[1].clone();
    let evidence = forged.evidence.as_mut().unwrap();
    evidence.body["state"][0] = true.into();
    let why = certified(out.as_mut(), &forged).unwrap_err();
    assert!(
        why.to_string().contains("none that is asked about"),
        "{why}"
    );
    attack_all(
        vec![open("a=0"), open("b=1,a=1"), open("on=0")],
        100,
        200_000,
    );
}

#[test]
fn levels_that_there_are_not_are_told_with_what_there_is() {
    let told = |name: &str, value: &str| match NETWORK.try_open(SWITCH, &[(name, value)], &[]) {
        Err(Trouble::Invalid(all)) => format!("{all:?}"),
        Err(other) => format!("{other}"),
        Ok(_) => panic!("{value} is there"),
    };
    assert!(told("fix", "om=1").contains("did you mean `on`?"));
    assert!(told("fix", "on=2").contains("it is 0 or 1"));
    assert!(told("fix", "on=0,on=1").contains("contradict"));
    assert!(told("start", "on=0,on=1").contains("two levels"));
    assert!(told("start", "file").contains("says nothing about the start"));
    assert!(told("start", "b").contains("gives no level"));
    let both = NETWORK.try_open(SWITCH, &[("start", "b=1"), ("fix", "b=0")], &[]);
    let Err(Trouble::Invalid(wrong)) = both else {
        panic!("`b` is fixed")
    };
    assert!(wrong[0].message.contains("cannot start"));
}

/// The levels that a file begins with can be asked about, with others in their place, and what is fixed goes before.
#[test]
fn initial_levels_of_a_file_are_a_start() {
    let text = LANGUAGE
        .about()
        .examples
        .iter()
        .find(|one| one.name == "signal");
    let text = text.unwrap().files[0].1;
    let states = |settings: &[(&str, &str)]| {
        let mut model = NETWORK.try_open(text, settings, &[]).unwrap();
        let query = Query {
            text: "EF (lacI & ~tetR)".into(),
            limit: 1,
        };
        let shown = model.ask(&query, &Context::default()).unwrap();
        shown.result["states"].as_str().unwrap().to_owned()
    };
    // With tetR and without the signal lacI stays away; with the signal it comes.
    assert_eq!(states(&[("start", "file")]), "0");
    assert_eq!(states(&[("start", "file,signal=1")]), "1");
    assert_eq!(states(&[("start", "file"), ("fix", "signal=1")]), "1");
    assert_eq!(states(&[("fix", "signal=1")]), "4");
    assert_eq!(states(&[]), "7");
    let wrong = text.replace("initialLevel=\"1\"", "initialLevel=\"2\"");
    assert!(NETWORK.mistakes(&wrong)[0].contains("none of its levels"));
    let mut model = NETWORK.open(text);
    let cx = Context::default();
    let mut run = model.simulate(&cx).unwrap();
    assert_eq!(run.trace().steps.len(), 1);
    assert_eq!(
        run.status(&cx).unwrap().notes,
        ["steady: nothing changes any more"]
    );
}

/// Evidence about a start is none about all states.
#[test]
fn a_start_is_part_of_the_question() {
    let text = "a, a & b\nb, b\n#check stays: AG a\n";
    let mut from = NETWORK
        .try_open(text, &[("start", "a=1,b=1")], &[])
        .unwrap();
    let told = answers(from.as_mut());
    assert_eq!(verdicts(&told), [Verdict::Holds]);
    assert_certified(from.as_mut(), &told[0]);
    let mut everywhere = NETWORK.open(text);
    assert!(certified(everywhere.as_mut(), &told[0]).is_err());
    let against = answers(everywhere.as_mut());
    assert_eq!(verdicts(&against), [Verdict::Violated]);
    assert!(certified(from.as_mut(), &against[0]).is_err());
}

/// Where the start is open a run begins anywhere; it says why a step cannot be.
#[test]
fn runs_begin_and_end() {
    let mut model = NETWORK.open("a, !b\nb, b\n");
    let cx = Context::default();
    let mut run = model.simulate(&cx).unwrap();
    let choices = run.choices(&cx).unwrap();
    let actions: Vec<&str> = choices.iter().map(|one| one.action.as_str()).collect();
    assert_eq!(actions, ["a=0 b=0", "a=1 b=0", "a=0 b=1", "a=1 b=1"]);
    assert!(run.refusal("a")[0].contains("--start"));
    run.take(0, &cx).unwrap();
    assert_eq!(run.choices(&cx).unwrap()[0].leads_to, "a=1");
    assert!(run.refusal("b")[0].contains("function gives it"));
    run.take(0, &cx).unwrap();
    assert!(run.take(0, &cx).is_err());
    assert!(run.undo() && run.undo() && !run.undo());
    let many: String = (0..70).map(|at| format!("x{at}, !x{at}\n")).collect();
    let mut large = NETWORK.open(&many);
    let mut run = large.simulate(&cx).unwrap();
    assert!(run.status(&cx).unwrap().more);
    let random = &mut quotient_language::Random::new(3);
    for _ in 0..5 {
        assert!(run.take_any(random, &cx).unwrap());
    }
    assert_eq!(run.trace().len(), 4);
}
