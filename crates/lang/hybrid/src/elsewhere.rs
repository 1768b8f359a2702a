//! The difference modality `D f`, *somewhere else*, in terms of nominals.
//!
//! At most two worlds with `f` are ever needed to say that there is one elsewhere, and `f` is nowhere else only if it is
//! nowhere or here alone. So with new nominals `one`, `other` and `alone` for each `D f`
//!
//! - `D f` becomes `(@one f & ~one) | (@other f & ~other)`,
//! - `~D f` becomes `A ~f | (alone & A (~f | alone))`.
//!
//! Each implies what it stands for in every model. In turn, in a model of the whole formula let `one` and `other` be two worlds with
//! `f`, the same one if there is only one, which is `alone` then: there each is equivalent to what it stands for. As
//! no negation is left around them, the formula is satisfiable before if and only if it is afterwards, and a model of what it becomes is a model
//! of it.

use quotient_arithmetic::Condition;

use crate::formula::{Formula, Sentence};
use crate::read::Theory;

/// Stands for the relation between different worlds until it is replaced.
pub(crate) const ELSEWHERE: usize = usize::MAX;

/// Replaces `D` in a formula that is asked to be satisfiable.
pub(crate) struct Elsewhere<'a> {
    theory: &'a mut Theory,
    /// How many were replaced.
    count: usize,
    /// What new letters mean.
    meanings: Vec<Formula>,
}

impl Elsewhere<'_> {
    pub(crate) fn new(theory: &mut Theory) -> Elsewhere<'_> {
        Elsewhere {
            theory,
            count: 0,
            meanings: Vec::new(),
        }
    }

    /// The formula without `D`.
    pub(crate) fn replaced(mut self, formula: Formula) -> Formula {
        if !has(&formula) {
            return formula;
        }
        if formula.binds() {
            // No verdict will be given, and names for worlds say it as it is defined.
            return self.defined(&formula);
        }
        let mut whole = self.positive(&formula.normal(false));
        for meaning in std::mem::take(&mut self.meanings) {
            whole = and(whole, Formula::Everywhere(Box::new(meaning)));
        }
        whole
    }

    /// A formula with negations only before sentences and nominals: `~D f` is a box then.
    fn positive(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::Some(ELSEWHERE, inner) => {
                let inner = self.short(inner);
                let (one, other) = (self.nominal("one"), self.nominal("other"));
                let there = |at: usize| {
                    let is_there = Formula::At(at, Box::new(inner.clone()));
                    and(is_there, not(Formula::Nominal(at)))
                };
                or(there(one), there(other))
            }
            Formula::Every(ELSEWHERE, inner) => {
                let inner = self.short(inner);
                let alone = self.nominal("alone");
                let all = Formula::Everywhere(Box::new(inner.clone()));
                let others = or(inner, Formula::Nominal(alone));
                let others = Formula::Everywhere(Box::new(others));
                or(all, and(Formula::Nominal(alone), others))
            }
            _ => mapped(formula, &mut |inner| self.positive(inner)),
        }
    }

    /// What is said of other worlds is written twice; a formula with another `D` in it becomes a letter that implies
    /// it, so that nothing doubles again and again.
    fn short(&mut self, inner: &Formula) -> Formula {
        let nests = has(inner);
        let inner = self.positive(inner);
        if !nests {
            return inner;
        }
        let letter = Formula::Base(Sentence::Condition(Condition::Boolean(
            self.theory.letters.len(),
        )));
        let name = format!("D{}", self.theory.letters.len());
        self.theory.letters.push(name);
        self.meanings.push(or(not(letter.clone()), inner));
        letter
    }

    fn nominal(&mut self, kind: &str) -> usize {
        self.count += 1;
        let name = format!("D{}.{kind}", self.count);
        self.theory.nominals.push(name);
        self.theory.nominals.len() - 1
    }

    /// `D f` as `down x. E (~x & f)`.
    fn defined(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::Some(ELSEWHERE, inner) => {
                let inner = self.defined(inner);
                let here = self.nominal("here");
                let other = and(not(Formula::Nominal(here)), inner);
                Formula::Here(here, Box::new(Formula::Anywhere(Box::new(other))))
            }
            _ => mapped(formula, &mut |inner| self.defined(inner)),
        }
    }
}

fn has(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |part| {
        found |= matches!(
            part,
            Formula::Some(ELSEWHERE, _) | Formula::Every(ELSEWHERE, _)
        );
    });
    found
}

/// The formula with its operands changed.
fn mapped(formula: &Formula, change: &mut dyn FnMut(&Formula) -> Formula) -> Formula {
    let mut of = |inner: &Formula| Box::new(change(inner));
    match formula {
        Formula::Constant(_) | Formula::Base(_) | Formula::Nominal(_) => formula.clone(),
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

fn and(one: Formula, other: Formula) -> Formula {
    Formula::And(Box::new(one), Box::new(other))
}

fn or(one: Formula, other: Formula) -> Formula {
    Formula::Or(Box::new(one), Box::new(other))
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}
