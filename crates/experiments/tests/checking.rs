//! The default check: verdicts, evidence, determinism, doubts.

use quotient_automata::{Alphabet, Label, Nfa, Predicate, Relation, Transducer};
use quotient_core::{Budget, Context, Stop, Verdict};
use quotient_experiments::models;
use quotient_regular::{
    Configuration, Doubt, Found, Identity, Options, Problem, Property, Rules, check,
};

#[test]
fn every_model_gets_its_verdict_without_configuration() {
    for example in models::catalogue() {
        let (name, problem, expected) = (example.name, example.problem, example.verdict);
        let report = check(&problem, &Options::default(), &Context::default());
        assert_eq!(report.verdict(), expected, "{name}");
        let evidence = report.answers[0].evidence(&problem, false).unwrap();
        assert_eq!(evidence.verdict(), expected, "{name}");
    }
}

#[test]
fn learning_agrees_where_lengths_are_kept() {
    let learn = Options {
        methods: vec![Configuration::Learn],
        ..Options::default()
    };
    for example in models::catalogue() {
        if ["token", "token-duplicated", "token-to-the-third", "burns"].contains(&example.name) {
            let report = check(&example.problem, &learn, &Context::default());
            assert_eq!(report.verdict(), example.verdict, "{}", example.name);
        }
    }
    let report = check(&models::bakery(), &learn, &Context::default());
    let unsuited = Verdict::Unknown(Stop::inconclusive(
        "learning needs steps that keep the length of configurations",
    ));
    assert_eq!(report.verdict(), unsuited);
}

#[test]
fn the_number_of_threads_does_not_show() {
    for example in models::catalogue() {
        let problem = &example.problem;
        let evidence = |threads: usize| {
            let options = Options {
                threads,
                ..Options::default()
            };
            let report = check(problem, &options, &Context::default());
            report.answers[0].evidence(problem, true)
        };
        if ["burns", "szymanski", "szymanski-faulty", "plotter"].contains(&example.name) {
            assert_eq!(evidence(1), evidence(3), "{}", example.name);
        }
    }
}

/// One process that goes from `a` to `b` and back, at the beginning of the word.
fn flip(bad: Nfa) -> Problem {
    let alphabet = bad.alphabet().clone();
    let rules = Rules::new(&alphabet);
    let letter = |name: &str| alphabet.set([name]).unwrap();
    let change = [
        rules.change(&letter("a"), &letter("b")),
        rules.change(&letter("b"), &letter("a")),
    ];
    let (none, all) = (Predicate::none(&alphabet), Predicate::all(&alphabet));
    let flip = rules.if_all(&change.concat(), &none, &all);
    let initial = Nfa::builder(&alphabet)
        .initial(0)
        .edge(0, &letter("a"), 1)
        .accepting(1)
        .build();
    Problem::new(
        initial,
        vec![Property {
            name: "never".into(),
            bad,
        }],
        Relation::new(&alphabet, vec![("flip".into(), flip)]),
    )
    .unwrap()
}

fn letters() -> Alphabet {
    Alphabet::new(["a", "b"]).unwrap()
}

fn words_of_length(length: u32) -> Nfa {
    let all = Predicate::all(&letters());
    let mut builder = Nfa::builder(&letters()).initial(0).accepting(length);
    for i in 0..length {
        builder.add_edge(i.into(), &all, (i + 1).into());
    }
    builder.build()
}

#[test]
fn sets_that_come_back_in_turns_are_noticed() {
    let problem = flip(words_of_length(2));
    for identity in [Identity::AsGiven, Identity::Auto, Identity::Add] {
        let options = Options {
            methods: vec!["forward length(5)".parse().unwrap()],
            identity,
            ..Options::default()
        };
        let report = check(&problem, &options, &Context::default());
        let Found::Proof(proof) = &report.answers[0].found else {
            panic!("{report:?}");
        };
        assert_eq!(proof.steps, 2);
        assert_eq!(proof.invariant.len(), 2);
    }
}

#[test]
fn a_bad_initial_configuration_is_a_run_without_steps() {
    for methods in [vec![], vec!["backward length(1)".parse().unwrap()]] {
        let problem = flip(words_of_length(1));
        let options = Options {
            methods,
            ..Options::default()
        };
        let report = check(&problem, &options, &Context::default());
        let run = report.answers[0].run(&problem).unwrap();
        assert_eq!((run.words, run.steps), (vec![vec!["a".to_owned()]], vec![]));
    }
}

#[test]
fn empty_sets_hold_with_a_doubt() {
    let report = check(
        &flip(Nfa::empty(&letters())),
        &Options::default(),
        &Context::default(),
    );
    assert_eq!(report.verdict(), Verdict::Holds);
    assert!(report.doubts.contains(&Doubt::NoBad {
        property: "never".into()
    }));
    let given = flip(words_of_length(1));
    let properties = given.properties().to_vec();
    let nowhere =
        Problem::new(Nfa::empty(&letters()), properties, given.relation().clone()).unwrap();
    let report = check(&nowhere, &Options::default(), &Context::default());
    assert_eq!(
        (report.verdict(), report.doubts),
        (Verdict::Holds, vec![Doubt::NoInitial])
    );
}

#[test]
fn trivial_reasons_are_told() {
    let never = || "never".to_owned();
    let report = check(
        &flip(words_of_length(2)),
        &Options::default(),
        &Context::default(),
    );
    assert_eq!(report.doubts, [Doubt::BadLengths { property: never() }]);

    // A third letter that nobody writes, and a transducer that waits for it.
    let alphabet = Alphabet::new(["a", "b", "c"]).unwrap();
    let rules = Rules::new(&alphabet);
    let letter = |name: &str| alphabet.set([name]).unwrap();
    let problem = Problem::new(
        rules.words_over(&letter("a")),
        vec![
            Property {
                name: "no c".into(),
                bad: rules.at_least(1, &letter("c")),
            },
            Property {
                name: "not all b".into(),
                bad: rules.words_over(&letter("b")),
            },
        ],
        Relation::new(
            &alphabet,
            vec![
                (
                    "change".into(),
                    rules.local(&rules.change(&letter("a"), &letter("b"))),
                ),
                (
                    "wait".into(),
                    rules.if_some(&rules.change(&letter("b"), &letter("a")), &letter("c")),
                ),
            ],
        ),
    )
    .unwrap();
    let report = check(&problem, &Options::default(), &Context::default());
    assert_eq!(report.answers[0].verdict(), Verdict::Holds);
    // The empty word is both initial and bad.
    assert_eq!(report.answers[1].verdict(), Verdict::Violated);
    assert_eq!(
        report.doubts,
        [
            Doubt::NeverFires {
                transducer: "wait".into()
            },
            Doubt::LettersNeverReached {
                letters: vec!["c".into()]
            },
            Doubt::BadLetters {
                property: "no c".into()
            },
        ]
    );
}

#[test]
fn one_invariant_serves_several_properties() {
    let burns = models::burns();
    let alphabet = burns.alphabet();
    let rules = Rules::new(alphabet);
    let mut properties = burns.properties().to_vec();
    let six = alphabet.set(["6F", "6T"]).unwrap();
    properties.push(Property {
        name: "not three".into(),
        bad: rules.at_least(3, &six),
    });
    let both = Problem::new(
        burns.initial().clone(),
        properties,
        burns.relation().clone(),
    )
    .unwrap();
    let report = check(&both, &Options::default(), &Context::default());
    assert_eq!(report.verdict(), Verdict::Holds);
    let invariant = |index: usize| match &report.answers[index].found {
        Found::Proof(proof) => proof.invariant.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(invariant(0), invariant(1));
}

#[test]
fn an_interrupted_check_is_unknown() {
    let budget = Budget::unlimited();
    budget.interrupt();
    let cx = Context {
        budget,
        ..Context::default()
    };
    let report = check(&models::bakery(), &Options::default(), &cx);
    assert_eq!(report.verdict(), Verdict::Unknown(Stop::Interrupted));
}

#[test]
fn a_method_that_cannot_decide_says_why() {
    let methods = vec!["backward traces(1, +1)".parse().unwrap()];
    let options = Options {
        methods,
        fall_back: false,
        ..Options::default()
    };
    let report = check(&models::bakery(), &options, &Context::default());
    assert!(matches!(
        report.verdict(),
        Verdict::Unknown(Stop::Exhausted { .. })
    ));
}

#[test]
fn insertion_without_end_is_handled() {
    // Every step adds an `a`; a `b` never comes.
    let alphabet = letters();
    let (a, b) = (alphabet.set(["a"]).unwrap(), alphabet.set(["b"]).unwrap());
    let grow = Transducer::builder(&alphabet)
        .initial(0)
        .edge(0, &Label::Copy(Predicate::all(&alphabet)), 0)
        .edge(0, &Label::Pair(None, Some(a)), 1)
        .accepting(1)
        .build();
    let empty = Nfa::builder(&alphabet).initial(0).accepting(0).build();
    let bad = Rules::new(&alphabet).at_least(1, &b);
    let problem = Problem::new(
        empty,
        vec![Property {
            name: "no b".into(),
            bad,
        }],
        Relation::new(&alphabet, vec![("grow".into(), grow)]),
    )
    .unwrap();
    let report = check(&problem, &Options::default(), &Context::default());
    assert_eq!(report.verdict(), Verdict::Holds);
}

#[test]
fn refinement_without_effect_falls_back_to_lengths() {
    let bakery = models::bakery();
    let (told, report) = {
        let recorder = std::sync::Arc::new(quotient_core::Recorder::default());
        let context = Context {
            story: quotient_core::Story::to([
                recorder.clone() as std::sync::Arc<dyn quotient_core::Sink>
            ]),
            ..Context::default()
        };
        let options = Options {
            methods: vec!["backward traces(1, +1)".parse().unwrap()],
            ..Options::default()
        };
        let report = check(&bakery, &options, &context);
        (format!("{:?}", recorder.events()), report)
    };
    assert_eq!(report.verdict(), Verdict::Holds);
    let method = report.answers[0].method.as_deref();
    assert_eq!(method, Some("backward length(1, +1)"));
    assert!(told.contains("backward length(1, +1) goes on"), "{told}");
}

#[test]
fn automata_of_the_attempts_are_kept_on_request() {
    let problem = models::token_passing(models::Token::ToTheThird);
    let mut options = Options {
        methods: vec!["forward predicates(bad)".parse().unwrap()],
        keep_automata: 100,
        ..Options::default()
    };
    let report = check(&problem, &options, &Context::default());
    let attempts = &report.answers[0].attempts;
    assert_eq!(attempts.len(), 2);
    let (number, first) = &attempts[0];
    assert_eq!(
        (*number, first.sets.len(), first.abstractions.len()),
        (0, 2, 1)
    );
    assert_eq!(first.alarms.len(), 2);
    // Never without the first and the last.
    options.keep_automata = 1;
    let report = check(&problem, &options, &Context::default());
    let numbers: Vec<usize> = report.answers[0].attempts.iter().map(|a| a.0).collect();
    assert_eq!(numbers, [0, 1]);
    options.keep_automata = 0;
    let report = check(&problem, &options, &Context::default());
    assert!(report.answers[0].attempts.is_empty());
}

#[test]
fn lists_are_reversed_step_by_step() {
    let problem = models::list_reversal();
    let (alphabet, budget) = (problem.alphabet(), Budget::unlimited());
    let union = problem.relation().union();
    for cells in 1..=4usize {
        let list = |link: &str, first: &str, last: &str| {
            let cell = |i: usize| match i {
                0 if cells == 1 => "il",
                0 => first,
                i if i + 1 == cells => last,
                _ => "i",
            };
            (0..cells).map(cell).collect::<Vec<_>>().join(link)
        };
        let mut word = alphabet
            .word(&format!("q0 {} oxy", list(" > ", "il", "i")))
            .unwrap();
        let mut steps = 0;
        while alphabet.name(word[0]) != "q7" {
            let mut builder = Nfa::builder(alphabet).initial(0);
            for (i, &letter) in (0u32..).zip(&word) {
                builder = builder.edge(i, &Predicate::of(alphabet, [letter]), i + 1);
            }
            let here = builder.accepting(word.len() as u32).build();
            let next = union
                .apply(&here, &budget)
                .unwrap()
                .canonical(&budget)
                .unwrap();
            word = next.shortest_word().expect("the program goes on");
            steps += 1;
        }
        assert_eq!(steps, 3 + 5 * (cells - 1));
        let expected = list(" < ", "i", "il");
        let shown = alphabet.show(&word).to_string().replace(['x', 'y'], "");
        assert_eq!(shown, format!("q7 {expected} o"));
    }
}
