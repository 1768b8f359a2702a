//! The tableau against type elimination and against all small models.

use quotient_arithmetic::{Boolean, Condition};
use quotient_core::{Budget, Source};
use quotient_language::Random;

use crate::decide::{Decision, Effort, Signature, decide};
use crate::formula::{Formula, Model, Sentence, World};
use crate::read::{Theory, read, read_question};
use crate::system::System;
use crate::types;

const SIGNATURE: Signature = Signature {
    integers: 3,
    booleans: 2,
};

pub(crate) fn decided(formula: &Formula) -> (Decision, Effort) {
    let mut effort = Effort::default();
    let decision = decide(formula, SIGNATURE, &mut effort, 0, &Budget::unlimited()).unwrap();
    if let Decision::Satisfiable(model) = &decision {
        assert!(model.is_whole(formula), "{formula:?}\n{model:?}");
        assert!(model.plainly(formula), "{formula:?}\n{model:?}");
        let satisfied = model.satisfies(formula, &Budget::unlimited());
        assert_eq!(satisfied, Ok(true), "{formula:?}\n{model:?}");
    }
    (decision, effort)
}

fn theory() -> Theory {
    let text = "hybrid nominal i, j, k relation r letter p, q constant a, b, c";
    read(&Source::new("t", text), &mut |_| Err(String::new())).unwrap()
}

pub(crate) fn formula(text: &str) -> Formula {
    read_question(&Source::new("t", text), &theory())
        .unwrap_or_else(|why| panic!("{why:?}"))
        .formula
}

#[test]
fn systems_are_evaluated_alike_in_three_ways() {
    let mut random = Random::new(5);
    for _ in 0..2_000 {
        let worlds = 1 + random.below(4);
        let mut system = System {
            worlds,
            initial: random.below(worlds),
            arrows: vec![Vec::new()],
            letters: vec![Default::default(); 2],
            ..System::default()
        };
        let mut model = Model {
            worlds: vec![World::default(); worlds],
            here: system.initial,
            ..Model::default()
        };
        for nominal in 0..3 {
            let world = random.below(worlds);
            system.place(nominal, world);
            model.nominals.push(world);
        }
        for world in 0..worlds {
            for letter in 0..2 {
                let value = random.below(2) == 0;
                model.worlds[world].booleans.push(value);
                if value {
                    system.mark(letter, world);
                }
            }
            for to in 0..worlds {
                if random.below(3) == 0 {
                    system.arrow(0, world, to);
                    model.arrows.push((0, world, to));
                }
            }
        }
        let formula = bound_formula(&mut random, 6, 3);
        let budget = Budget::unlimited();
        let sets = system.true_at(&formula, &budget).unwrap();
        let definition = model.plainly(&formula);
        assert_eq!(
            model.satisfies(&formula, &budget),
            Ok(definition),
            "{formula:?}\n{model:?}"
        );
        assert_eq!(sets[system.initial], definition, "{formula:?}\n{model:?}");
        let second = system.holds(&formula, &budget).unwrap();
        assert_eq!(second, definition, "{formula:?}\n{model:?}");
    }
}

/// A formula over two letters with binders; nominals below `names` are in scope.
fn bound_formula(random: &mut Random, size: usize, names: usize) -> Formula {
    if size <= 1 {
        let letter = Condition::Boolean(Boolean::from_index(random.below(2)));
        return match random.below(3) {
            0 => Formula::Base(Sentence::Condition(letter)),
            _ => Formula::Nominal(random.below(names)),
        };
    }
    let half = size / 2;
    let inner = |random: &mut Random, names| Box::new(bound_formula(random, size - 1, names));
    match random.below(9) {
        0 => Formula::Not(inner(random, names)),
        1 => Formula::And(
            Box::new(bound_formula(random, half, names)),
            Box::new(bound_formula(random, size - half, names)),
        ),
        2 => Formula::At(random.below(names), inner(random, names)),
        3 => Formula::Some(0, inner(random, names)),
        4 => Formula::Every(0, inner(random, names)),
        5 => Formula::Anywhere(inner(random, names)),
        6 => Formula::Everywhere(inner(random, names)),
        7 => Formula::Here(names, inner(random, names + 1)),
        _ => Formula::ForAll(names, inner(random, names + 1)),
    }
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
    assert!(model(true).plainly(&every));
    assert!(!model(false).plainly(&every));
    // Evaluated where it stands, not everywhere.
    assert!(model(false).plainly(&formula("down x. p & @x p")));
}

fn random_formula(random: &mut Random, size: usize) -> Formula {
    let half = |random: &mut Random| Box::new(random_formula(random, size / 2));
    let less = |random: &mut Random| Box::new(random_formula(random, size - 1));
    if size <= 1 {
        return match random.below(4) {
            0 => Formula::Nominal(random.below(2)),
            1 => Formula::Not(Box::new(Formula::Nominal(random.below(2)))),
            at => Formula::Base(Sentence::Condition(Condition::Boolean(
                Boolean::from_index(at - 2),
            ))),
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
                    if model.plainly(formula) {
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
            model.plainly(&formula) && !model.is_whole(&formula),
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

/// The flaw of each proof of a text, by name.
fn flaws(text: &str) -> Vec<(String, Option<u64>)> {
    let theory = read(&Source::new("t", text), &mut |_| Err(String::new()))
        .unwrap_or_else(|why| panic!("{why:?}"));
    let flaw = |one: &crate::proof::Proof| {
        let found = crate::proof::check(one, theory.nominals.len(), &Budget::unlimited());
        found.unwrap().map(|(line, _)| line)
    };
    let proofs = theory.proofs.iter();
    proofs.map(|one| (one.name.clone(), flaw(one))).collect()
}

#[test]
fn proofs_of_the_gallery_are_right_but_for_one() {
    let found = flaws(include_str!("../gallery/proofs.hyb"));
    let flaw = |name: &str| found.iter().find(|(one, _)| one == name).unwrap().1;
    assert_eq!(flaw("meet"), None);
    assert_eq!(flaw("bridge"), None);
    assert_eq!(flaw("box"), None);
    assert_eq!(flaw("wrong"), Some(2));
}

#[test]
fn quantifiers_are_proved_with_names_that_are_new() {
    let head = "hybrid nominal i, j relation r letter p\n";
    let right = format!(
        "{head} proof all: 1 (forall x. @x p) => @j p ; AllE
         2 (forall x. @x p) => forall y. @y p ; AllI(1)
         proof everywhere: 1 A p <=> forall x. @x p ; Dual"
    );
    assert!(
        flaws(&right).iter().all(|(_, flaw)| flaw.is_none()),
        "{:?}",
        flaws(&right)
    );
    let wrong = format!(
        "{head} proof all: 1 @j p => @j p ; CT
         2 @j p => forall y. @y p ; AllI(1)
         proof capture: 1 (forall x. <r> x) => forall x. <r> x ; AllE
         proof later: 1 p ; MP(2, 3) 2 p => p ; CT"
    );
    assert!(
        flaws(&wrong).iter().all(|(_, flaw)| flaw.is_some()),
        "{:?}",
        flaws(&wrong)
    );
}

#[test]
fn what_an_axiom_accepts_is_valid() {
    let templates = [
        "@I (F => G) <=> (@I F => @J G)",
        "@I false => F",
        "@I @J F => @K G",
        "@I J",
        "(I & F) => @J G",
        "([r] F & <r> I) => @J G",
        "[r] F <=> ~<r> ~G",
        "E F <=> ~A ~G",
        "(F => G) => (~G => ~F)",
        "!p => ~F",
        "(p && q) => F & G",
    ];
    let (nominals, parts) = (["i", "j"], ["p", "q", "i", "<r> p", "@j q", "~q", "false"]);
    let mut random = Random::new(5);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..400 {
        let mut text = templates[random.below(templates.len())].to_owned();
        for letter in ["I", "J", "K"] {
            text = text.replace(letter, nominals[random.below(2)]);
        }
        for letter in ["F", "G"] {
            let part = format!("({})", parts[random.below(parts.len())]);
            text = text.replace(letter, &part);
        }
        let wanted = formula(&text);
        for (rule, _) in crate::proof::RULES {
            let head = "hybrid nominal i, j, k relation r letter p, q constant a, b, c";
            let found = flaws(&format!("{head} proof one: 1 {text} ; {rule}"));
            if found[0].1.is_some() {
                refused += 1;
                continue;
            }
            accepted += 1;
            let opposite = Formula::Not(Box::new(wanted.clone()));
            assert_eq!(
                decided(&opposite).0,
                Decision::Unsatisfiable,
                "{rule}: {text}"
            );
        }
    }
    assert!(accepted > 40 && refused > 1000, "{accepted} {refused}");
}
