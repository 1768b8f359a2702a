//! Systems of trees: verdicts with evidence, attacks on it, and small trees one by one.

use quotient_core::{
    Budget, Certified, Claim, Context, Evidence, Rejection, Source, Trouble, Verdict,
};
use quotient_forger::{Attack, attack};
use quotient_language::{
    Answer, Ask, Input, MemoryFiles, Model, NoFiles, Query, Settings, Sureness, Verb, Viewed,
};
use quotient_tree_systems::LANGUAGE;
use quotient_trial::arbitrary::{Result as Drawn, Unstructured};

fn open_with(text: &str, given: &[(&str, &str)]) -> Result<Box<dyn Model>, Trouble> {
    let input = Input::text(&Source::new("system.trees", text));
    let given: Vec<(String, String)> = given
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect();
    let verb = if given.iter().any(|(name, _)| name == "size") {
        Verb::Instance
    } else {
        Verb::Check
    };
    let settings = Settings::new("Trees", LANGUAGE.about().settings, verb, &given)?;
    LANGUAGE.open(&input, &mut NoFiles, &settings, &Context::default())
}

fn open(text: &str) -> Box<dyn Model> {
    open_with(text, &[]).unwrap()
}

fn limited() -> Context {
    Context {
        budget: Budget::unlimited().child_with_work(60_000_000),
        ..Context::default()
    }
}

fn check(model: &mut dyn Model) -> Vec<Answer> {
    let mut answers = Vec::new();
    model
        .check(&Ask::default(), &limited(), &mut |answer| {
            answers.push(answer)
        })
        .unwrap();
    answers
}

fn certify(model: &mut dyn Model, evidence: &Evidence) -> Result<Certified, Rejection> {
    let name = evidence.property.clone().unwrap_or_default();
    let property = model
        .property(&name)
        .map_err(|_| Rejection::wrong("no such property"))?;
    let budget = Budget::unlimited().child_with_work(2_000_000);
    model.certify(evidence, &property, &budget)
}

/// What the file says is expected.
fn expected(text: &str, property: &str) -> Verdict {
    let comment: String = text
        .lines()
        .take_while(|line| line.starts_with('%'))
        .collect();
    let (_, told) = comment.split_once("Expected: ").unwrap();
    let violated = format!("{property} is violated");
    match told.starts_with("violated") || told.contains(&violated) {
        true => Verdict::Violated,
        false => Verdict::Holds,
    }
}

#[test]
fn every_system_of_the_gallery_has_the_verdict_that_it_says_with_evidence() {
    for example in LANGUAGE.about().examples {
        let (name, text) = example.files[0];
        let input = Input::text(&Source::new(name, text));
        assert_eq!(LANGUAGE.recognises(&input), Sureness::Certain, "{name}");
        let mut model = open(text);
        assert!(model.warnings().is_empty());
        for answer in check(model.as_mut()) {
            let what = format!("{name}: {} {}", answer.property, answer.because);
            assert_eq!(answer.verdict, expected(text, &answer.property), "{what}");
            let evidence = answer.evidence.unwrap();
            if let Err(why) = certify(model.as_mut(), &evidence) {
                panic!("{what}: {why}");
            }
        }
    }
}

#[test]
fn small_trees_one_by_one_say_the_same() {
    for example in LANGUAGE.about().examples {
        let (name, text) = example.files[0];
        let mut model = open_with(text, &[("size", "5")]).unwrap();
        let cx = Context {
            budget: Budget::unlimited().child_with_work(300_000),
            ..Context::default()
        };
        let Ok(inspected) = model.instance(&cx) else {
            assert!(text.contains("TRS"), "{name}");
            continue;
        };
        for answer in inspected.answers {
            let right = expected(text, &answer.property);
            match answer.verdict {
                Verdict::Violated => {
                    assert_eq!(right, Verdict::Violated, "{name}");
                    certify(model.as_mut(), &answer.evidence.unwrap()).unwrap();
                }
                // What goes wrong only in larger trees holds for small ones.
                Verdict::Holds => assert!(right == Verdict::Holds || name.contains("faulty")),
                Verdict::Unknown(_) => assert!(text.contains("TRS"), "{name}"),
            }
        }
    }
}

#[test]
fn no_forgery_of_evidence_passes() {
    for name in [
        "token-up",
        "token-up-faulty",
        "percolate",
        "spawn",
        "spawn-faulty",
        "echo",
    ] {
        let all = LANGUAGE.about().examples;
        let text = all
            .iter()
            .find(|example| example.name == name)
            .unwrap()
            .files[0]
            .1;
        let answers = check(open(text).as_mut());
        let donors: Vec<Evidence> = answers
            .iter()
            .filter_map(|one| one.evidence.clone())
            .collect();
        for answer in answers {
            let how = Attack {
                forgeries: 60,
                donors: donors.clone(),
                ..Attack::default()
            };
            let checker = |evidence: &Evidence| certify(open(text).as_mut(), evidence);
            let names: Vec<String> = open(text)
                .properties()
                .into_iter()
                .map(|one| one.name)
                .collect();
            let is_true = |claim, property: &str| {
                let verdict = match claim {
                    Claim::Holds => Verdict::Holds,
                    Claim::Violated => Verdict::Violated,
                };
                names.iter().any(|one| one == property) && verdict == expected(text, property)
            };
            let tally = attack(&answer.evidence.unwrap(), &how, checker, is_true);
            let tally = tally.unwrap_or_else(|why| panic!("{name}: {why}"));
            assert!(tally.false_claims > 0);
        }
    }
}

#[test]
fn a_rule_less_and_the_set_is_refused() {
    let text = LANGUAGE.about().examples[0].files[0].1;
    let mut model = open(text);
    let evidence = check(model.as_mut()).remove(0).evidence.unwrap();
    let rules = evidence.body["set"]["rules"].as_array().unwrap().len();
    let mut refused = 0;
    for drop in 0..rules {
        let mut forged = evidence.clone();
        forged.body["set"]["rules"]
            .as_array_mut()
            .unwrap()
            .remove(drop);
        refused += usize::from(certify(model.as_mut(), &forged).is_err());
    }
    assert_eq!(refused, rules, "the set is minimal: every rule matters");
}

#[test]
fn methods_that_answer_agree() {
    for name in [
        "token-two-way",
        "percolate",
        "election-faulty",
        "echo",
        "spawn-faulty",
    ] {
        let all = LANGUAGE.about().examples;
        let text = all
            .iter()
            .find(|example| example.name == name)
            .unwrap()
            .files[0]
            .1;
        for (method, _) in (LANGUAGE.about().methods)() {
            let mut model = open_with(text, &[("method", &method)]).unwrap();
            let mut answers = Vec::new();
            let cx = Context {
                budget: Budget::unlimited().child_with_work(3_000_000),
                ..Context::default()
            };
            model
                .check(&Ask::default(), &cx, &mut |answer| answers.push(answer))
                .unwrap();
            for answer in answers {
                if answer.verdict.is_definite() {
                    let right = expected(text, &answer.property);
                    assert_eq!(answer.verdict, right, "{name} by {method}");
                    certify(model.as_mut(), &answer.evidence.unwrap()).unwrap();
                }
            }
        }
    }
}

const INIT: &str = "Ops t:0 n:0 T:2 N:2\nAutomaton A\nStates p q\nFinal States q\nTransitions\n\
    n -> p\nN(p,p) -> p\nt -> q\nN(q,p) -> q\nN(p,q) -> q\n";
const BAD: &str =
    "Ops n:0 N:2\nAutomaton B\nStates p\nFinal States p\nTransitions\nn -> p\nN(p,p) -> p\n";
const UP: &str = "Ops t:0 n:0 T:2 N:2\nTransducer U\nStates s g d\nFinal States d\nTransitions\n\
    n -> s\nN(s,s) -> s\nt/n -> g\nT/N(s,s) -> g\nN/T(g,s) -> d\nN/T(s,g) -> d\n\
    N(d,s) -> d\nN(s,d) -> d\n";

#[test]
fn a_manifest_names_the_parts() {
    let manifest = "language = \"trees\"\nname = \"token\"\ninit = \"i.tmb\"\n\
        transitions = [\"up.tmb\"]\n[bad]\n\"no token\" = \"b.tmb\"\n";
    let input = Input::text(&Source::new("problem.toml", manifest));
    assert_eq!(LANGUAGE.recognises(&input), Sureness::Certain);
    let mut files = MemoryFiles::from([("i.tmb", INIT), ("b.tmb", BAD), ("up.tmb", UP)]);
    let cx = Context::default();
    let mut model = LANGUAGE
        .open(&input, &mut files, &Settings::default(), &cx)
        .unwrap();
    let answers = check(model.as_mut());
    assert_eq!(answers[0].property, "no token");
    assert_eq!(answers[0].verdict, Verdict::Holds);
    certify(model.as_mut(), answers[0].evidence.as_ref().unwrap()).unwrap();
    let wrong = "language = \"trees\"\ninit = \"x.tmb\"\nbat = \"b.tmb\"\n";
    let input = Input::text(&Source::new("problem.toml", wrong));
    let Err(Trouble::Invalid(all)) = LANGUAGE.open(&input, &mut files, &Settings::default(), &cx)
    else {
        panic!("this is no problem");
    };
    assert_eq!(all.len(), 4, "{all:?}");
}

#[test]
fn a_file_of_automata_is_shown_and_not_checked() {
    let mut model = open(INIT);
    let cx = Context::default();
    let why = model.check(&Ask::default(), &cx, &mut |_| {
        panic!("there is no question")
    });
    assert!(why.unwrap_err().to_string().contains("no question"));
    let view = Viewed {
        part: Some("A".to_owned()),
        picture: true,
    };
    let shown = model.show(&view, &cx).unwrap();
    assert_eq!(shown.pictures.len(), 1);
    assert!(
        model
            .convert("timbuk", None, &cx)
            .unwrap()
            .text
            .contains("Automaton A")
    );
}

#[test]
fn operations_are_asked_for_by_name() {
    let two = format!("{INIT}Automaton B\nStates q\nFinal States q\nTransitions\nt -> q\n");
    let mut model = open(&two);
    let mut ask = |text: &str| {
        let query = Query {
            text: text.to_owned(),
            limit: 10,
        };
        model
            .ask(&query, &Context::default())
            .map(|shown| shown.result)
    };
    assert_eq!(ask("include B A").unwrap()["answer"], true);
    assert_eq!(ask("include A B").unwrap()["answer"], false);
    assert_eq!(ask("disjoint A B").unwrap()["tree"], "t");
    assert_eq!(ask("accepts A N(t,n)").unwrap()["answer"], true);
    assert_eq!(ask("minimize A").unwrap()["states"], 2);
    assert_eq!(ask("difference B A").unwrap()["states"], 0);
    for wrong in [
        "",
        "includ A B",
        "include A",
        "include A C",
        "accepts A N(t)",
        "apply x A",
    ] {
        assert!(ask(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_simulation_goes_there_and_back() {
    let cx = Context::default();
    let text = LANGUAGE.about().examples[0].files[0].1;
    let mut walk = open(text).simulate(&cx).unwrap();
    assert!(walk.choices(&cx).unwrap().len() > 3);
    walk.take(1, &cx).unwrap();
    walk.take(0, &cx).unwrap();
    assert_eq!(walk.trace().steps.len(), 2);
    assert!(walk.status(&cx).unwrap().notes.is_empty());
    assert!(walk.undo() && walk.undo() && !walk.undo());
}

/// A random system of two symbols without and one with children.
fn system(u: &mut Unstructured) -> Drawn<String> {
    const LEAVES: [&str; 2] = ["a", "b"];
    let mut text = "Ops a:0 b:0 f:2\nVars x y\n".to_owned();
    let states = ["p", "q"];
    for name in ["Init", "Bad"] {
        text += &format!("Automaton {name}\nStates p q\nFinal States q\nTransitions\n");
        for _ in 0..u.int_in_range(1..=5)? {
            let (one, two, to) = (u.choose(&states)?, u.choose(&states)?, u.choose(&states)?);
            text += &match u.ratio(1, 2)? {
                true => format!("{} -> {to}\n", u.choose(&LEAVES)?),
                false => format!("f({one},{two}) -> {to}\n"),
            };
        }
    }
    if u.ratio(1, 2)? {
        text += "TRS R\n";
        let sides = [
            "f(x,y)",
            "f(y,x)",
            "a",
            "b",
            "f(x,b)",
            "f(a,x)",
            "f(f(x,y),a)",
            "f(a,a)",
        ];
        for _ in 0..u.int_in_range(1..=2)? {
            let left = *u.choose(&sides)?;
            let fits = |right: &&str| {
                (left.contains('x') || !right.contains('x'))
                    && (left.contains('y') || !right.contains('y'))
            };
            let right: Vec<&str> = sides.into_iter().filter(fits).collect();
            text += &format!("{left} -> {}\n", u.choose(&right)?);
        }
    } else {
        text += "Transducer T\nStates p q\nFinal States q\nTransitions\n";
        for _ in 0..u.int_in_range(2..=6)? {
            let (one, two, to) = (u.choose(&states)?, u.choose(&states)?, u.choose(&states)?);
            text += &match u.int_in_range(0..=3)? {
                0 | 1 => format!("{}/{} -> {to}\n", u.choose(&LEAVES)?, u.choose(&LEAVES)?),
                2 => format!("f({one},{two}) -> {to}\n"),
                _ => format!(
                    "f({one}(x),{two}(y)) -> {to}({})\n",
                    u.choose(&["f(y,x)", "x", "a"])?
                ),
            };
        }
    }
    Ok(text)
}

#[test]
fn verdicts_about_random_systems_are_certified_and_agree_with_small_trees() {
    quotient_trial::trial(|u| {
        let text = system(u)?;
        let mut model = open_with(&text, &[("size", "4")]).unwrap();
        let cx = Context {
            budget: Budget::unlimited().child_with_work(300_000),
            ..Context::default()
        };
        let mut answers = Vec::new();
        model
            .check(&Ask::default(), &cx, &mut |answer| answers.push(answer))
            .unwrap();
        let answer = answers.remove(0);
        if let Some(evidence) = &answer.evidence {
            match certify(model.as_mut(), evidence) {
                // Few sets of many states take the plain check longer than a test should.
                Ok(_) | Err(Rejection::Stopped(_)) => (),
                Err(why) => panic!("{text}\n{why}"),
            }
        }
        let cx = Context {
            budget: Budget::unlimited().child_with_work(300_000),
            ..Context::default()
        };
        if let Ok(inspected) = model.instance(&cx) {
            let small = &inspected.answers[0].verdict;
            assert!(
                *small != Verdict::Violated || answer.verdict != Verdict::Holds,
                "{text}"
            );
        }
        Ok(())
    })
    .budget_ms(3_000);
}

#[test]
fn a_system_without_an_initial_tree_does_not_begin() {
    let text = include_str!("../gallery/token-up.trees");
    assert!(open(text).can_begin(&Budget::unlimited()).unwrap());
    // No tree without leaves.
    let endless = text
        .replacen("t -> one\n", "", 1)
        .replacen("n -> none\n", "", 1);
    assert_ne!(endless, text);
    assert!(!open(&endless).can_begin(&Budget::unlimited()).unwrap());
}

#[test]
fn a_second_set_of_initial_trees_is_no_bad_one() {
    let automaton = |name: &str, symbol: &str| {
        format!("Automaton {name}\nStates q\nFinal States q\nTransitions\n{symbol} -> q\n")
    };
    let ops = "Ops a:0 b:0 c:0\n";
    let rules = "TRS R\nb -> c\n";
    let (first, second) = (automaton("Init", "a"), automaton("initial", "b"));
    let bad = automaton("Bad", "c");
    let told = |trouble: Option<Trouble>| trouble.map_or(String::new(), |why| why.to_string());
    let twice = open_with(&format!("{ops}{rules}{first}{second}{bad}"), &[]);
    assert!(told(twice.err()).contains("second set of initial trees"));
    let manifest = "language = \"trees\"\ninit = [\"i1.tmb\", \"i2.tmb\"]\nbad = \"bad.tmb\"\n\
                    transitions = \"step.tmb\"\n";
    let mut files: MemoryFiles = [
        ("i1.tmb", format!("{ops}{first}")),
        ("i2.tmb", format!("{ops}{second}")),
        ("bad.tmb", format!("{ops}{bad}")),
        ("step.tmb", format!("{ops}{rules}")),
    ]
    .into_iter()
    .collect();
    let input = Input::text(&Source::new("problem.toml", manifest));
    let opened = LANGUAGE.open(
        &input,
        &mut files,
        &Settings::default(),
        &Context::default(),
    );
    assert!(told(opened.err()).contains("several sets of initial trees"));
}

#[test]
fn a_manifest_drops_nothing_that_its_files_have() {
    const OPS: &str = "Ops a:0 b:0 g:1\nVars x\n";
    const INIT: &str = "Automaton I\nStates q\nFinal States q\nTransitions\na -> q\ng(q) -> q\n";
    const BAD: &str = "Automaton B\nStates q\nFinal States q\nTransitions\nb -> q\n";
    const STEP: &str = "TRS R\ng(x) -> x\n";
    const OTHER: &str = "TRS S\na -> b\n";
    let opened = |files: [(&str, String); 3], transitions: &str| {
        let manifest = format!(
            "language = \"trees\"\ninit = \"i.tmb\"\nbad = \"b.tmb\"\ntransitions = {transitions}\n"
        );
        let input = Input::text(&Source::new("system.toml", manifest));
        let mut memory: MemoryFiles = files.into_iter().collect();
        let settings = Settings::default();
        LANGUAGE.open(&input, &mut memory, &settings, &Context::default())
    };
    let files = |init: &str, bad: &str, step: &str| {
        let file = |text: &str| format!("{OPS}{text}");
        [
            ("i.tmb", file(init)),
            ("b.tmb", file(bad)),
            ("s.tmb", file(step)),
        ]
    };
    let why = |files, transitions: &str| match opened(files, transitions) {
        Err(Trouble::Invalid(all)) => all[0].message.clone(),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("read"),
    };
    let one = "\"s.tmb\"";
    let dropped = files(&format!("{INIT}{OTHER}"), BAD, STEP);
    assert_eq!(why(dropped.clone(), one), "there is a step in `i.tmb`, too");
    let equations = files(INIT, &format!("{BAD}Equations E\ng(x) = x\n"), STEP);
    assert_eq!(why(equations, one), "there are equations in `b.tmb`");
    let automaton = files(INIT, BAD, &format!("{STEP}{BAD}"));
    assert_eq!(why(automaton, one), "there is an automaton in `s.tmb`, too");
    // Named in both places, the step counts: a tree becomes the bad one.
    let mut model = opened(dropped, "[\"s.tmb\", \"i.tmb\"]").unwrap();
    assert_eq!(check(model.as_mut())[0].verdict, Verdict::Violated);
    let mut model = opened(files(INIT, BAD, STEP), one).unwrap();
    assert_eq!(check(model.as_mut())[0].verdict, Verdict::Holds);
}
