//! The difference modality `D f`, *somewhere else*, in terms of nominals.
//!
//! At most two worlds with `f` are ever needed to say that there is one elsewhere, and `f` is nowhere else only if it is
//! nowhere or here alone. So with new nominals `one`, `other` and `alone` for each `D f`
//!
//! - `D f` becomes `@one f & (~one | @other f & ~other)`,
//! - `~D f` becomes `A (~f | alone) & (alone | @alone ~f)`.
//!
//! Each implies what it stands for in every model. In turn, in a model of the whole formula let `one` and `other` be two worlds with
//! `f`, the same one if there is only one, which is `alone` then: there each is equivalent to what it stands for. As
//! no negation is left around them, the formula is satisfiable before if and only if it is afterwards, and a model of what it becomes is a model
//! of it.
//!
//! Where only one world is asked (at the beginning, after `@n`, and what `E`, `<r>` or `D` finds from there), one name is
//! enough, for the world elsewhere or for the world itself:
//!
//! - `D f` becomes `@one f & ~one`,
//! - `~D f` becomes `alone & A (~f | alone)`.

use quotient_arithmetic::{Boolean, Condition};

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
        let mut whole = self.positive(&formula.normal(false), true);
        for meaning in std::mem::take(&mut self.meanings) {
            whole = and(whole, Formula::Everywhere(Box::new(meaning)));
        }
        whole
    }

    /// A formula with negations only before sentences and nominals: `~D f` is a box then. `single` says that its truth
    /// matters at one world of a model at most.
    fn positive(&mut self, formula: &Formula, single: bool) -> Formula {
        match formula {
            Formula::Some(ELSEWHERE, inner) => self.somewhere_else(inner, single),
            Formula::Every(ELSEWHERE, inner) => self.everywhere_else(inner, single),
            // Their truth is the same in all worlds, and one world decides it.
            Formula::At(..) | Formula::Anywhere(_) => {
                formula.mapped(&mut |inner| self.positive(inner, true))
            }
            Formula::Every(..) | Formula::Everywhere(_) => {
                formula.mapped(&mut |inner| self.positive(inner, false))
            }
            _ => formula.mapped(&mut |inner| self.positive(inner, single)),
        }
    }

    fn somewhere_else(&mut self, inner: &Formula, single: bool) -> Formula {
        let one = self.nominal("one");
        if single {
            let inner = self.positive(inner, true);
            return and(
                Formula::At(one, Box::new(inner)),
                not(Formula::Nominal(one)),
            );
        }
        let inner = self.short(inner);
        let other = self.nominal("other");
        let there = |at: usize| Formula::At(at, Box::new(inner.clone()));
        let not_here = |at: usize| not(Formula::Nominal(at));
        let two = and(there(other), not_here(other));
        and(there(one), or(not_here(one), two))
    }

    fn everywhere_else(&mut self, inner: &Formula, single: bool) -> Formula {
        let alone = self.nominal("alone");
        let here = Formula::Nominal(alone);
        let inner = match single {
            true => self.positive(inner, false),
            false => self.short(inner),
        };
        let others = or(inner.clone(), here.clone());
        let others = Formula::Everywhere(Box::new(others));
        if single {
            return and(here, others);
        }
        and(others, or(here, Formula::At(alone, Box::new(inner))))
    }

    /// What is said of other worlds is written twice; a formula with another `D` in it becomes a letter that implies
    /// it, so that nothing doubles again and again.
    fn short(&mut self, inner: &Formula) -> Formula {
        let nests = has(inner);
        let inner = self.positive(inner, false);
        if !nests {
            return inner;
        }
        let letter = Condition::Boolean(Boolean::from_index(self.theory.letters.len()));
        let letter = Formula::Base(Sentence::Condition(letter));
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
            _ => formula.mapped(&mut |inner| self.defined(inner)),
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

fn and(one: Formula, other: Formula) -> Formula {
    Formula::And(Box::new(one), Box::new(other))
}

fn or(one: Formula, other: Formula) -> Formula {
    Formula::Or(Box::new(one), Box::new(other))
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}
