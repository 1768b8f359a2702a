//! The lazy method against the eager one, and worlds elsewhere against their definition.

use quotient_arithmetic::{Boolean, Condition, is_impossible};
use quotient_core::{Budget, Source};
use quotient_language::Random;

use crate::decide::{Decision, Effort, Signature, decide};
use crate::formula::{Formula, Model, Sentence, World};
use crate::read_hylo;
use crate::tests::{decided, formula};
use crate::types;

/// The formula with a letter for each of its sentences.
fn abstracted(formula: &Formula, sentences: &[Sentence]) -> Formula {
    match formula {
        Formula::Base(sentence) => {
            let place = sentences.iter().position(|one| one == sentence).unwrap();
            letter(place)
        }
        _ => formula.mapped(&mut |inner| abstracted(inner, sentences)),
    }
}

fn letter(place: usize) -> Formula {
    Formula::Base(Sentence::Condition(Condition::Boolean(
        Boolean::from_index(place),
    )))
}

/// What the eager method finds out.
struct Eager {
    satisfiable: bool,
    /// Questions to the base logic.
    asked: usize,
    /// Combinations that it excludes.
    excluded: usize,
}

/// The eager method: the base logic is asked about every combination of the sentences, and what it excludes
/// is excluded everywhere, before the formula is looked at with a letter for each sentence.
fn eager(formula: &Formula) -> Eager {
    let sentences = formula.sentences();
    let mut whole = abstracted(formula, &sentences);
    let (mut asked, mut excluded) = (0, 0);
    for combination in 0..1_u32 << sentences.len() {
        asked += 1;
        let signed = |place: usize| combination >> place & 1 == 1;
        let condition = |(place, sentence): (usize, &Sentence)| match sentence {
            Sentence::Condition(condition) if signed(place) => condition.clone(),
            Sentence::Condition(condition) => condition.negated(),
            Sentence::Hybrid(_) => panic!("these sentences are conditions"),
        };
        let conditions: Vec<Condition> = sentences.iter().enumerate().map(condition).collect();
        if !is_impossible(&conditions) {
            continue;
        }
        excluded += 1;
        let opposite = |place: usize| match signed(place) {
            true => Formula::Not(Box::new(letter(place))),
            false => letter(place),
        };
        let or = |one, other| Formula::Or(Box::new(one), Box::new(other));
        let never = (0..sentences.len()).map(opposite).reduce(or).unwrap();
        let never = Formula::Everywhere(Box::new(never));
        whole = Formula::And(Box::new(whole), Box::new(never));
    }
    Eager {
        satisfiable: satisfying(&whole, sentences.len()).is_some(),
        asked,
        excluded,
    }
}

/// A model of a formula over so many letters, if there is one.
fn satisfying(formula: &Formula, booleans: usize) -> Option<Model> {
    let signature = Signature {
        integers: 0,
        booleans,
    };
    let mut effort = Effort::default();
    match decide(formula, signature, &mut effort, 0, &Budget::unlimited()).unwrap() {
        Decision::Satisfiable(model) => Some(model),
        Decision::Unsatisfiable => None,
    }
}

#[test]
fn the_eager_method_asks_about_every_combination() {
    let case = |text: &str| {
        let found = eager(&formula(text));
        (found.satisfiable, found.asked, found.excluded)
    };
    assert_eq!(case("@i (p && q) & @i (!p)"), (false, 4, 1));
    assert_eq!(case("@i (p && q) & @j (!p)"), (true, 4, 1));
    let three = "@i (a = b) & @i (b = c) & ~@i (a = c)";
    assert_eq!(case(three), (false, 8, 3));
    assert_eq!(case("@i (a = b) & @j (b = c) & ~@k (a = c)"), (true, 8, 3));
    assert_eq!(case("<r> i & @i <r> i"), (true, 1, 0));
}

/// A formula over three sentences that depend on each other.
fn random_formula(random: &mut Random, size: usize, leaves: &[&str]) -> Formula {
    if size <= 1 {
        return formula(leaves[random.below(leaves.len())]);
    }
    let half = |random: &mut Random| Box::new(random_formula(random, size / 2, leaves));
    let less = |random: &mut Random| Box::new(random_formula(random, size - 1, leaves));
    match random.below(9) {
        0 => Formula::Not(less(random)),
        1..=3 => Formula::And(half(random), half(random)),
        4 => Formula::Or(half(random), half(random)),
        5 => Formula::At(random.below(2), less(random)),
        6 => Formula::Some(0, less(random)),
        7 => Formula::Every(0, less(random)),
        _ => Formula::Everywhere(less(random)),
    }
}

#[test]
fn lazy_and_eager_answers_agree() {
    const LEAVES: [&[&str]; 2] = [
        &["p", "!p", "p && q", "i", "~j"],
        &["a = b", "b = c", "a = c", "i", "~j"],
    ];
    let random = &mut Random::new(8);
    let (mut sat, mut unsat, mut excluded) = (0, 0, 0);
    for round in 0..200 {
        let formula = random_formula(random, 4 + round % 7, LEAVES[round % 2]);
        let found = eager(&formula);
        assert_eq!(found.asked, 1 << formula.sentences().len());
        excluded += usize::from(found.excluded > 0);
        let (decision, effort) = decided(&formula);
        let lazy = matches!(decision, Decision::Satisfiable(_));
        assert_eq!(lazy, found.satisfiable, "{formula:?}");
        assert!(effort.blocked <= found.asked as u64);
        match lazy {
            true => sat += 1,
            false => unsat += 1,
        }
    }
    assert!(
        sat > 50 && unsat > 10 && excluded > 30,
        "{sat} {unsat} {excluded}"
    );
}

/// A formula with `D` as other provers write it, and by its definition: here is called something, and somewhere
/// that is not so. Names below `names` are given.
fn elsewhere(random: &mut Random, size: usize, names: usize) -> (String, Formula) {
    if size <= 1 {
        return match random.below(2) {
            0 => ("p1".to_owned(), letter(0)),
            _ => ("n1".to_owned(), Formula::Nominal(0)),
        };
    }
    let kind = random.below(9);
    if kind < 3 {
        let (one, first) = elsewhere(random, size / 2, names);
        let (other, second) = elsewhere(random, size - size / 2, names);
        let (first, second) = (Box::new(first), Box::new(second));
        return match kind {
            0 | 1 => (format!("({one} & {other})"), Formula::And(first, second)),
            _ => (format!("({one} | {other})"), Formula::Or(first, second)),
        };
    }
    let (text, inner) = elsewhere(random, size - 1, names + 1);
    let inner = Box::new(inner);
    match kind {
        3 => (format!("-({text})"), Formula::Not(inner)),
        4 => (format!("<r1>({text})"), Formula::Some(0, inner)),
        5 => (format!("A({text})"), Formula::Everywhere(inner)),
        _ => {
            let here = Formula::Not(Box::new(Formula::Nominal(names)));
            let other = Formula::And(Box::new(here), inner);
            let other = Formula::Anywhere(Box::new(other));
            (format!("D({text})"), Formula::Here(names, Box::new(other)))
        }
    }
}

/// Whether a model with at most three worlds satisfies a formula over one letter and one name.
fn has_small_model(formula: &Formula) -> bool {
    let worlds = |letters: u32, count: usize| {
        let world = |at: usize| World {
            booleans: vec![letters >> at & 1 == 1],
            ..World::default()
        };
        (0..count).map(world).collect()
    };
    (1..=3usize).any(|count| {
        (0..1u32 << count).any(|letters| {
            (0..1u32 << (count * count)).any(|arrows| {
                let pairs = (0..count * count).filter(|pair| arrows >> pair & 1 == 1);
                let mut model = Model {
                    worlds: worlds(letters, count),
                    arrows: pairs.map(|pair| (0, pair / count, pair % count)).collect(),
                    nominals: vec![0; 16],
                    here: 0,
                };
                (0..count).any(|name| {
                    model.nominals[0] = name;
                    model.plainly(formula)
                })
            })
        })
    })
}

#[test]
fn somewhere_else_means_what_it_is_defined_as() {
    let random = &mut Random::new(14);
    let (mut sat, mut unsat, mut second) = (0, 0, 0);
    for round in 0..200 {
        let (text, definition) = elsewhere(random, 3 + round % 5, 1);
        // The names come first, so that they have the numbers of the definition.
        let text = format!("begin p1 | -p1; n1 | -n1; {text} end");
        let theory = read_hylo::read(&Source::new("t", text.as_str())).unwrap();
        let formula = &theory.questions[0].formula;
        let found = satisfying(formula, theory.letters.len());
        if types::is_small(formula) {
            let budget = Budget::unlimited();
            let again = types::is_satisfiable(formula, &budget).unwrap();
            assert_eq!(again, found.is_some(), "{text}");
            second += 1;
        }
        match found {
            Some(mut model) => {
                model.nominals.resize(32, 0);
                assert!(model.plainly(&definition), "{text}\n{model:?}");
                sat += 1;
            }
            None => {
                assert!(!has_small_model(&definition), "{text}");
                unsat += 1;
            }
        }
    }
    assert!(
        sat > 50 && unsat > 10 && second > 0,
        "{sat} {unsat} {second}"
    );
}
