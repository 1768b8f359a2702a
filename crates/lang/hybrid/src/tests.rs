//! The tableau against type elimination and against all small models.

use quotient_core::{Budget, Source};
use quotient_language::Random;

use crate::decide::{Decision, Effort, Signature, decide};
use crate::formula::{Formula, Model, Sentence, World};
use crate::read::{Theory, read, read_question};
use crate::types;

const SIGNATURE: Signature = Signature {
    integers: 3,
    booleans: 2,
};

fn decided(formula: &Formula) -> (Decision, Effort) {
    let mut effort = Effort::default();
    let decision = decide(formula, SIGNATURE, &mut effort, 0, &Budget::unlimited()).unwrap();
    if let Decision::Satisfiable(model) = &decision {
        assert!(model.is_whole(formula), "{formula:?}\n{model:?}");
        assert!(model.satisfies(formula), "{formula:?}\n{model:?}");
    }
    (decision, effort)
}

fn theory() -> Theory {
    read(&Source::new(
        "t",
        "hybrid nominal i, j, k relation r letter p, q constant a, b, c",
    ))
    .unwrap()
}

fn formula(text: &str) -> Formula {
    read_question(&Source::new("t", text), &theory())
        .unwrap_or_else(|why| panic!("{why:?}"))
        .formula
}

/// How many worlds the model has; none if there is no model.
fn worlds(text: &str) -> Option<usize> {
    let formula = formula(text);
    assert!(types::is_small(&formula), "{text}");
    let second = types::is_satisfiable(&formula, &Budget::unlimited()).unwrap();
    let found = match decided(&formula).0 {
        Decision::Satisfiable(model) => Some(model.worlds.len()),
        Decision::Unsatisfiable => None,
    };
    assert_eq!(found.is_some(), second, "{text}");
    found
}

#[test]
fn acceptance_cases_are_answered() {
    for law in [
        "@i (p => q) <=> (@i p => @i q)",
        "@i false => false",
        "@i @j p => @j p",
        "@i i",
        "i & p => @i p",
        "[r] p & <r> i => @i p",
    ] {
        assert_eq!(worlds(&format!("~({law})")), None, "{law}");
    }
    assert_eq!(worlds("~(@i p => p)"), Some(2));
    assert!(worlds("~(<r> p => [r] p)").is_some());
    assert_eq!(worlds("@i p & @i ~p"), None);
    assert_eq!(worlds("i & <r> i & [r] ~i"), None);
    assert_eq!(worlds("~(@i <r> j & @j p => @i <r> p)"), None);
    assert!(worlds("@i ~j & @i ~k & @j ~k").is_some_and(|count| count >= 3));
    assert_eq!(worlds("@i (p && q) & @i (!p)"), None);
    assert!(worlds("@i (p && q) & @j (!p)").is_some_and(|count| count >= 2));
    assert_eq!(worlds("@i (p && q) & @j (!p) & @i j"), None);
    assert_eq!(worlds("@i (a = b) & @i (b = c) & ~@i (a = c)"), None);
    assert!(worlds("@i (a = b) & @j (b = c) & ~@k (a = c)").is_some());
    assert_eq!(worlds("A p & <r> ~p"), None);
    assert!(worlds("p & A (p => <r> p)").is_some());
    assert!(worlds("A <r> ~i").is_some_and(|count| count >= 2));
    assert!(worlds("<r> i & @i <r> i").is_some());
    assert_eq!(worlds("{ @i p } & { @i ~p }"), None);
    assert!(worlds("{ @i p } & <r> { @i ~p }").is_some());
    assert_eq!(worlds("~(!p => ~p)"), None);
}

#[test]
fn what_the_base_logic_excludes_is_asked_and_nothing_else() {
    let (decision, effort) = decided(&formula("@i (p && q) & @i (!p)"));
    assert_eq!(decision, Decision::Unsatisfiable);
    assert_eq!(effort.blocked, 1);
    // Without base sentences nothing is excluded.
    let (_, effort) = decided(&formula("<r> i & @i <r> i"));
    assert_eq!(effort.blocked, 0);
}

#[test]
fn quantified_worlds_are_refused_by_the_method_and_evaluated_on_models() {
    let every = formula("forall x. @x p");
    let mut effort = Effort::default();
    let stop = decide(&every, SIGNATURE, &mut effort, 0, &Budget::unlimited()).unwrap_err();
    assert!(stop.to_string().contains("undecidable"));
    let world = |p: bool| World {
        booleans: vec![p, false],
        ..World::default()
    };
    let model = |second: bool| Model {
        worlds: vec![world(true), world(second)],
        nominals: vec![0; 3],
        ..Model::default()
    };
    assert!(model(true).satisfies(&every));
    assert!(!model(false).satisfies(&every));
    // Evaluated where it stands, not everywhere.
    assert!(model(false).satisfies(&formula("down x. p & @x p")));
}

fn random_formula(random: &mut Random, size: usize) -> Formula {
    let half = |random: &mut Random| Box::new(random_formula(random, size / 2));
    let less = |random: &mut Random| Box::new(random_formula(random, size - 1));
    if size <= 1 {
        return match random.below(4) {
            0 => Formula::Nominal(random.below(2)),
            1 => Formula::Not(Box::new(Formula::Nominal(random.below(2)))),
            at => Formula::Base(Sentence::Condition(
                quotient_arithmetic::Condition::Boolean(at - 2),
            )),
        };
    }
    match random.below(8) {
        0 => Formula::Not(less(random)),
        1 | 2 => Formula::And(half(random), half(random)),
        3 => Formula::Or(half(random), half(random)),
        4 => Formula::At(random.below(2), less(random)),
        5 => Formula::Some(0, less(random)),
        6 => Formula::Every(0, less(random)),
        _ if random.below(2) == 0 => Formula::Everywhere(less(random)),
        _ => Formula::Anywhere(less(random)),
    }
}

/// Whether a model with at most two worlds satisfies a formula over two letters and two names.
fn has_small_model(formula: &Formula) -> bool {
    for count in 1..=2usize {
        for letters in 0..1u32 << (2 * count) {
            let world = |at: usize| {
                let booleans = (0..2)
                    .map(|letter| letters >> (2 * at + letter) & 1 == 1)
                    .collect();
                World {
                    booleans,
                    ..World::default()
                }
            };
            for arrows in 0..1u32 << (count * count) {
                let pairs = (0..count * count).filter(|pair| arrows >> pair & 1 == 1);
                let arrows: Vec<_> = pairs.map(|pair| (0, pair / count, pair % count)).collect();
                for names in 0..count * count {
                    let model = Model {
                        worlds: (0..count).map(world).collect(),
                        arrows: arrows.clone(),
                        nominals: vec![names / count, names % count],
                        here: 0,
                    };
                    if model.satisfies(formula) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

#[test]
fn tableau_types_and_small_models_agree() {
    let random = &mut Random::new(21);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..160 {
        let formula = random_formula(random, 4 + round % 7);
        let found = matches!(decided(&formula).0, Decision::Satisfiable(_));
        if has_small_model(&formula) {
            assert!(found, "{formula:?}");
        }
        if types::is_small(&formula) {
            let second = types::is_satisfiable(&formula, &Budget::unlimited()).unwrap();
            assert_eq!(found, second, "{formula:?}");
        }
        match found {
            true => sat += 1,
            false => unsat += 1,
        }
    }
    assert!(sat > 40 && unsat > 5, "{sat} {unsat}");
}

#[test]
fn a_model_that_leaves_something_open_is_none() {
    let one = |world: World| Model {
        worlds: vec![world],
        nominals: vec![0; 3],
        ..Model::default()
    };
    let open = one(World::default());
    let nameless = one(World {
        integers: vec![0; 3],
        booleans: vec![false; 2],
        inner: Some(Box::new(Model {
            worlds: vec![World {
                integers: vec![0; 3],
                booleans: vec![false; 2],
                inner: None,
            }],
            ..Model::default()
        })),
    });
    // Each would be true where nothing is said: neither a sentence nor its opposite is.
    for (text, model) in [
        ("satisfiable ~p & ~(!p)", &open),
        ("satisfiable ~{ p } & ~{ ~p }", &open),
        ("satisfiable ~{ @i p } & ~{ @i ~p }", &nameless),
    ] {
        let formula = formula(text);
        assert!(
            model.satisfies(&formula) && !model.is_whole(&formula),
            "{text}"
        );
    }
}

#[test]
fn what_binds_worlds_inside_a_sentence_is_not_decided() {
    for text in [
        "satisfiable { down y. y }",
        "satisfiable ~{ ~{ forall y. y } }",
    ] {
        assert!(formula(text).binds(), "{text}");
    }
}
