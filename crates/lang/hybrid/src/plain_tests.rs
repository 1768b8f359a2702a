//! Truth in models by the definition alone, path by path: the second way for what is kept and charged.

use quotient_arithmetic::{Boolean, Condition};
use quotient_core::{Budget, Context, Source};
use quotient_language::{Ask, Input, NoFiles, Settings};

use crate::formula::{Formula, Model, Sentence, World};
use crate::tests::formula;

use Formula::*;

impl Model {
    /// Whether a formula is true where the model says, followed path by path.
    pub(crate) fn plainly(&self, formula: &Formula) -> bool {
        self.holds(formula, self.here, &mut self.nominals.clone())
    }

    fn holds(&self, formula: &Formula, world: usize, names: &mut Vec<usize>) -> bool {
        let every = |names: &mut Vec<usize>,
                     test: &dyn Fn(&Model, usize, &mut Vec<usize>) -> bool| {
            (0..self.worlds.len()).all(|other| test(self, other, names))
        };
        match formula {
            Constant(value) => *value,
            Base(sentence) => self.worlds[world].plainly(sentence),
            Nominal(nominal) => names.get(*nominal) == Option::Some(&world),
            Not(inner) => !self.holds(inner, world, names),
            And(one, other) => self.holds(one, world, names) && self.holds(other, world, names),
            Or(one, other) => self.holds(one, world, names) || self.holds(other, world, names),
            At(nominal, inner) => match names.get(*nominal).copied() {
                Option::Some(named) => self.holds(inner, named, names),
                None => false,
            },
            Some(relation, inner) => self.arrows.iter().any(|&(of, from, to)| {
                of == *relation && from == world && self.holds(inner, to, names)
            }),
            Every(relation, inner) => self.arrows.iter().all(|&(of, from, to)| {
                of != *relation || from != world || self.holds(inner, to, names)
            }),
            Everywhere(inner) => every(names, &|model, other, names| {
                model.holds(inner, other, names)
            }),
            Anywhere(inner) => !every(names, &|model, other, names| {
                !model.holds(inner, other, names)
            }),
            ForAll(variable, inner) => every(names, &|model, other, names| {
                model.named(inner, world, *variable, other, names)
            }),
            Here(variable, inner) => self.named(inner, world, *variable, world, names),
        }
    }

    fn named(
        &self,
        inner: &Formula,
        world: usize,
        variable: usize,
        value: usize,
        names: &mut Vec<usize>,
    ) -> bool {
        if names.len() <= variable {
            names.resize(variable + 1, 0);
        }
        let old = std::mem::replace(&mut names[variable], value);
        let holds = self.holds(inner, world, names);
        names[variable] = old;
        holds
    }
}

impl World {
    fn plainly(&self, sentence: &Sentence) -> bool {
        match sentence {
            Sentence::Condition(condition) => {
                condition.holds(&self.integers, &self.booleans) == Option::Some(true)
            }
            Sentence::Hybrid(formula) => {
                let inner = self.inner.as_ref();
                inner.is_some_and(|inner| inner.plainly(formula))
            }
        }
    }
}

/// Three worlds with arrows between all of them, where the first letter is true.
fn clique() -> Model {
    let world = World {
        booleans: vec![true, false],
        ..World::default()
    };
    let pairs = (0..3).flat_map(|from| (0..3).map(move |to| (0, from, to)));
    Model {
        worlds: vec![world; 3],
        arrows: pairs.collect(),
        nominals: vec![0, 1, 2],
        here: 0,
    }
}

#[test]
fn paths_are_not_followed_one_by_one() {
    let model = clique();
    let letter = |at| {
        Formula::Base(Sentence::Condition(Condition::Boolean(
            Boolean::from_index(at),
        )))
    };
    for depth in [5, 200] {
        for (letter, expected) in [(letter(0), true), (letter(1), false)] {
            let deeper = |inner: Formula| Formula::Every(0, Box::new(inner));
            let long = (0..depth).fold(letter, |inner, _| deeper(inner));
            let budget = Budget::unlimited();
            assert_eq!(model.satisfies(&long, &budget), Ok(expected));
            let work = budget.work_done();
            assert!(work <= 12 * (depth + 1), "{work} for {depth}");
            if depth == 5 {
                assert_eq!(model.plainly(&long), expected);
            }
        }
    }
}

#[test]
fn evaluation_is_charged() {
    // Variables that are open are looked at again and again, so that only the budget ends this.
    let mut text = "(p | @x0 i | @x1 i)".to_owned();
    for level in (0..20).rev() {
        text = format!("forall x{level}. {text}");
    }
    let few = Budget::unlimited().child_with_work(1000);
    assert!(clique().satisfies(&formula(&text), &few).is_err());
}

#[test]
fn deep_boxes_are_answered_and_certified() {
    let text = format!(
        "hybrid\nletter p\nrelation r\nnominal i, j, k\n\
         satisfiable s: A (<r> i & <r> j & <r> k & @i ~j & @j ~k & @i ~k & p) & {} p",
        "[r] ".repeat(40)
    );
    let input = Input::text(&Source::new("x.hyb", text));
    let cx = Context::default();
    let opened = crate::LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx);
    let mut model = opened.unwrap();
    let mut all = Vec::new();
    let asked = model.check(&Ask::default(), &cx, &mut |answer| all.push(answer));
    asked.unwrap();
    let property = model.property("s").unwrap();
    let evidence = all[0].evidence.as_ref().unwrap();
    let budget = Budget::unlimited().child_with_work(100_000);
    model.certify(evidence, &property, &budget).unwrap();
}
