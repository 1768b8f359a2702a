//! Formulas of hybrid logic over base sentences.

use quotient_arithmetic::Condition;
use quotient_core::{Budget, Stop};

use crate::truth::Truth;

/// A formula. Nominals and relations are numbered; a variable of `forall` or `down` is a nominal
/// of its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Formula {
    Constant(bool),
    /// A sentence of the base logic.
    Base(Sentence),
    Nominal(usize),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    At(usize, Box<Formula>),
    Some(usize, Box<Formula>),
    Every(usize, Box<Formula>),
    Anywhere(Box<Formula>),
    Everywhere(Box<Formula>),
    /// For all worlds, named by a nominal.
    ForAll(usize, Box<Formula>),
    /// The present world, named by a nominal.
    Here(usize, Box<Formula>),
}

/// A sentence of the base logic: over letters, constants or integers, or again a formula of
/// hybrid logic about a model and a world of its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Sentence {
    Condition(Condition),
    Hybrid(Box<Formula>),
}

use Formula::*;

impl Formula {
    /// The same, or its negation, with negations only before sentences and nominals.
    pub(crate) fn normal(&self, negate: bool) -> Formula {
        let again = |inner: &Formula| Box::new(inner.normal(negate));
        let pair = |one: &Formula, other: &Formula| (again(one), again(other));
        match self {
            Constant(value) => Constant(*value != negate),
            Base(_) | Nominal(_) if negate => Not(Box::new(self.clone())),
            Base(_) | Nominal(_) => self.clone(),
            Not(inner) => inner.normal(!negate),
            And(one, other) | Or(one, other) => {
                let (one, other) = pair(one, other);
                if matches!(self, And(..)) != negate {
                    And(one, other)
                } else {
                    Or(one, other)
                }
            }
            At(nominal, inner) => At(*nominal, again(inner)),
            Some(relation, inner) | Every(relation, inner) => {
                if matches!(self, Some(..)) != negate {
                    Some(*relation, again(inner))
                } else {
                    Every(*relation, again(inner))
                }
            }
            Anywhere(inner) | Everywhere(inner) => {
                if matches!(self, Anywhere(_)) != negate {
                    Anywhere(again(inner))
                } else {
                    Everywhere(again(inner))
                }
            }
            ForAll(..) | Here(..) if negate => Not(Box::new(self.clone())),
            ForAll(..) | Here(..) => self.clone(),
        }
    }

    /// Whether it quantifies over worlds or binds them, also inside sentences: no method decides
    /// that.
    pub(crate) fn binds(&self) -> bool {
        let mut found = false;
        self.visit(&mut |part| {
            found |= match part {
                ForAll(..) | Here(..) => true,
                Base(Sentence::Hybrid(inner)) => inner.binds(),
                _ => false,
            }
        });
        found
    }

    /// The formula with its operands changed, and sentences as they are.
    pub(crate) fn mapped(&self, change: &mut dyn FnMut(&Formula) -> Formula) -> Formula {
        let mut of = |inner: &Formula| Box::new(change(inner));
        match self {
            Formula::Constant(_) | Formula::Base(_) | Formula::Nominal(_) => self.clone(),
            Formula::Not(inner) => Formula::Not(of(inner)),
            Formula::And(one, other) => Formula::And(of(one), of(other)),
            Formula::Or(one, other) => Formula::Or(of(one), of(other)),
            Formula::At(nominal, inner) => Formula::At(*nominal, of(inner)),
            Formula::Some(relation, inner) => Formula::Some(*relation, of(inner)),
            Formula::Every(relation, inner) => Formula::Every(*relation, of(inner)),
            Formula::Anywhere(inner) => Formula::Anywhere(of(inner)),
            Formula::Everywhere(inner) => Formula::Everywhere(of(inner)),
            Formula::ForAll(variable, inner) => Formula::ForAll(*variable, of(inner)),
            Formula::Here(variable, inner) => Formula::Here(*variable, of(inner)),
        }
    }

    /// Visits all parts, not those inside sentences.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(&Formula)) {
        visit(self);
        match self {
            Not(inner)
            | At(_, inner)
            | Some(_, inner)
            | Every(_, inner)
            | Anywhere(inner)
            | Everywhere(inner)
            | ForAll(_, inner)
            | Here(_, inner) => inner.visit(visit),
            And(one, other) | Or(one, other) => {
                one.visit(visit);
                other.visit(visit);
            }
            _ => {}
        }
    }

    /// Its base sentences, each once.
    pub(crate) fn sentences(&self) -> Vec<Sentence> {
        let mut found = Vec::new();
        self.visit(&mut |part| {
            if let Base(sentence) = part
                && !found.contains(sentence)
            {
                found.push(sentence.clone());
            }
        });
        found
    }

    /// One more than the greatest nominal and relation in it.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        let (mut nominals, mut relations) = (0, 0);
        self.visit(&mut |part| match part {
            Nominal(at) | At(at, _) | ForAll(at, _) | Here(at, _) => {
                nominals = nominals.max(at + 1)
            }
            Some(at, _) | Every(at, _) => relations = relations.max(at + 1),
            _ => {}
        });
        (nominals, relations)
    }
}

/// A model: worlds with base models, arrows, and a world for each nominal.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Model {
    pub(crate) worlds: Vec<World>,
    /// Arrows: relation, from, to.
    pub(crate) arrows: Vec<(usize, usize, usize)>,
    /// The world of each nominal.
    pub(crate) nominals: Vec<usize>,
    /// The world where the formula is true.
    pub(crate) here: usize,
}

/// The base model of a world.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct World {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) integers: Vec<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) booleans: Vec<bool>,
    /// Where sentences are formulas of hybrid logic, a model for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) inner: Option<Box<Model>>,
}

impl Model {
    /// Whether it says all that a formula asks: a world for each nominal, in every world a value
    /// for everything that the sentences are about, and models inside that do so too. What is
    /// left open would be neither true nor false, and so would the opposite.
    pub(crate) fn is_whole(&self, formula: &Formula) -> bool {
        let count = self.worlds.len();
        let inside = |world: &usize| *world < count;
        let sentences = formula.sentences();
        inside(&self.here)
            && self.nominals.len() >= formula.sizes().0
            && self.nominals.iter().all(inside)
            && self
                .arrows
                .iter()
                .all(|(_, from, to)| inside(from) && inside(to))
            && self
                .worlds
                .iter()
                .all(|world| sentences.iter().all(|sentence| world.settles(sentence)))
    }

    /// Whether a formula is true where the model says.
    pub(crate) fn satisfies(&self, formula: &Formula, budget: &Budget) -> Result<bool, Stop> {
        Truth::new(self, formula, budget).holds(formula, self.here, &mut self.nominals.clone())
    }
}

impl World {
    /// Whether a base sentence is true or false here.
    fn settles(&self, sentence: &Sentence) -> bool {
        match sentence {
            Sentence::Condition(condition) => {
                let value = condition.holds(&self.integers, &self.booleans);
                value.is_some()
            }
            Sentence::Hybrid(formula) => self
                .inner
                .as_ref()
                .is_some_and(|inner| inner.is_whole(formula)),
        }
    }

    /// Whether a base sentence is true in this world.
    pub(crate) fn satisfies(&self, sentence: &Sentence, budget: &Budget) -> Result<bool, Stop> {
        match (sentence, &self.inner) {
            (Sentence::Condition(condition), _) => {
                Ok(condition.holds(&self.integers, &self.booleans) == Option::Some(true))
            }
            (Sentence::Hybrid(formula), Option::Some(inner)) => inner.satisfies(formula, budget),
            (Sentence::Hybrid(_), None) => Ok(false),
        }
    }
}
