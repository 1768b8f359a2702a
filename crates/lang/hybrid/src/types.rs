//! Type elimination: the second way, slow and simple, that shares nothing with the tableau.
//!
//! A type says of each letter, nominal and diamond whether it is true; what is said with `@` and
//! `A` is guessed once for all. Types that contradict the guess or the base logic go, then those
//! whose diamonds find no partner. What is left is a model, and every model is left.

use quotient_arithmetic::{Condition, is_impossible};
use quotient_core::{Budget, Stop};

use crate::formula::{Formula, Sentence};

/// The most things that a type and a guess decide.
const MOST_BITS: usize = 10;
const MOST_GUESSES: usize = 6;

/// Whether a formula is small enough for this.
pub(crate) fn is_small(formula: &Formula) -> bool {
    let parts = Parts::new(&plain(formula));
    let inner = formula.sentences().iter().all(|sentence| match sentence {
        Sentence::Hybrid(formula) => is_small(formula),
        Sentence::Condition(_) => true,
    });
    parts.bits.len() <= MOST_BITS
        && parts.guesses.len() <= MOST_GUESSES
        && parts.nominals.len() <= 3
        && inner
}

/// Whether a formula is true at some world of some model.
pub(crate) fn is_satisfiable(formula: &Formula, budget: &Budget) -> Result<bool, Stop> {
    let formula = plain(formula);
    let parts = Parts::new(&formula);
    if parts.bits.len() > 20 || parts.guesses.len() > 16 {
        return Err(Stop::bound("parts of the formula", MOST_BITS as u64));
    }
    let count = 1u64 << parts.bits.len();
    // The eager method: every combination of the sentences is asked once.
    let letters = parts
        .bits
        .iter()
        .filter(|bit| matches!(bit, Formula::Base(_)))
        .count();
    let mut possible = Vec::new();
    for combination in 0..1u64 << letters {
        possible.push(parts.is_possible(combination, letters, budget)?);
    }
    for guess in 0..1u64 << parts.guesses.len() {
        budget.charge(count)?;
        let fits = |kind: &u64| {
            possible[(kind & ((1 << letters) - 1)) as usize]
                && parts.fits(Type { kind: *kind, guess })
        };
        let types: Vec<u64> = (0..count).filter(fits).collect();
        // What goes here goes whatever the types of the nominals are.
        let types = parts.eliminated(types, guess, budget)?;
        if parts.is_enough(&formula, &types, guess)
            && parts.has_model(&formula, &types, guess, &mut Vec::new(), budget)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Only `~`, `&`, `@`, `<r>` and `A` are left.
fn plain(formula: &Formula) -> Formula {
    let not = |inner: Formula| match inner {
        Formula::Not(inner) => *inner,
        other => Formula::Not(Box::new(other)),
    };
    let again = |inner: &Formula| Box::new(plain(inner));
    match formula {
        Formula::Not(inner) => not(plain(inner)),
        Formula::And(one, other) => Formula::And(again(one), again(other)),
        Formula::Or(one, other) => not(Formula::And(
            Box::new(not(plain(one))),
            Box::new(not(plain(other))),
        )),
        Formula::At(nominal, inner) => Formula::At(*nominal, again(inner)),
        Formula::Some(relation, inner) => Formula::Some(*relation, again(inner)),
        Formula::Every(relation, inner) => {
            not(Formula::Some(*relation, Box::new(not(plain(inner)))))
        }
        Formula::Everywhere(inner) => Formula::Everywhere(again(inner)),
        Formula::Anywhere(inner) => not(Formula::Everywhere(Box::new(not(plain(inner))))),
        other => other.clone(),
    }
}

#[derive(Clone, Copy)]
struct Type {
    kind: u64,
    guess: u64,
}

struct Parts {
    /// Letters first, then nominals and diamonds.
    bits: Vec<Formula>,
    guesses: Vec<Formula>,
    nominals: Vec<usize>,
}

impl Parts {
    fn new(formula: &Formula) -> Parts {
        let (mut letters, mut bits, mut guesses, mut nominals) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        formula.visit(&mut |part| {
            let list = match part {
                Formula::Base(_) => &mut letters,
                Formula::Some(..) => &mut bits,
                Formula::At(..) | Formula::Everywhere(_) => &mut guesses,
                _ => &mut Vec::new(),
            };
            if !list.contains(part) {
                list.push(part.clone());
            }
            if let Formula::Nominal(at) | Formula::At(at, _) = part
                && !nominals.contains(at)
            {
                nominals.push(*at);
            }
        });
        let named = nominals.iter().map(|at| Formula::Nominal(*at));
        let bits = letters.into_iter().chain(named).chain(bits).collect();
        Parts {
            bits,
            guesses,
            nominals,
        }
    }

    /// Whether the base logic allows a combination of the letters.
    fn is_possible(&self, combination: u64, letters: usize, budget: &Budget) -> Result<bool, Stop> {
        let mut conditions: Vec<Condition> = Vec::new();
        let mut inner: Option<Formula> = None;
        for (number, bit) in self.bits[..letters].iter().enumerate() {
            let positive = combination >> number & 1 == 1;
            match bit {
                Formula::Base(Sentence::Condition(condition)) if positive => {
                    conditions.push(condition.clone())
                }
                Formula::Base(Sentence::Condition(condition)) => {
                    conditions.push(condition.negated())
                }
                Formula::Base(Sentence::Hybrid(formula)) => {
                    let signed = formula.normal(!positive);
                    inner = Some(match inner {
                        Some(all) => Formula::And(Box::new(all), Box::new(signed)),
                        None => signed,
                    });
                }
                _ => {}
            }
        }
        if is_impossible(&conditions) {
            return Ok(false);
        }
        inner.map_or(Ok(true), |formula| is_satisfiable(&formula, budget))
    }

    fn bit(&self, of: Type, formula: &Formula) -> bool {
        let place = self.bits.iter().position(|bit| bit == formula);
        place.is_some_and(|place| of.kind >> place & 1 == 1)
    }

    fn guessed(&self, of: Type, formula: &Formula) -> bool {
        let place = self.guesses.iter().position(|one| one == formula);
        place.is_some_and(|place| of.guess >> place & 1 == 1)
    }

    fn value(&self, of: Type, formula: &Formula) -> bool {
        match formula {
            Formula::Constant(value) => *value,
            Formula::Not(inner) => !self.value(of, inner),
            Formula::And(one, other) => self.value(of, one) && self.value(of, other),
            Formula::At(..) | Formula::Everywhere(_) => self.guessed(of, formula),
            other => self.bit(of, other),
        }
    }

    /// Whether a type agrees with the guess.
    fn fits(&self, of: Type) -> bool {
        self.guesses.iter().all(|guess| match guess {
            Formula::Everywhere(inner) => !self.guessed(of, guess) || self.value(of, inner),
            Formula::At(nominal, inner) => {
                !self.bit(of, &Formula::Nominal(*nominal))
                    || self.guessed(of, guess) == self.value(of, inner)
            }
            _ => true,
        })
    }

    /// Chooses a type for each nominal and eliminates the rest.
    fn has_model(
        &self,
        formula: &Formula,
        types: &[u64],
        guess: u64,
        named: &mut Vec<u64>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let is =
            |kind: u64, nominal: usize| self.bit(Type { kind, guess }, &Formula::Nominal(nominal));
        if named.len() < self.nominals.len() {
            let nominal = self.nominals[named.len()];
            for &kind in types.iter().filter(|kind| is(**kind, nominal)) {
                // Names that a type has belong to one world.
                let agrees = self
                    .nominals
                    .iter()
                    .zip(named.iter())
                    .all(|(other, chosen)| {
                        (!is(kind, *other) && !is(*chosen, nominal)) || *chosen == kind
                    });
                if agrees {
                    named.push(kind);
                    let found = self.has_model(formula, types, guess, named, budget)?;
                    named.pop();
                    if found {
                        return Ok(true);
                    }
                }
            }
            return Ok(false);
        }
        let unique = |kind: &u64| {
            self.nominals
                .iter()
                .zip(named.iter())
                .all(|(nominal, chosen)| !is(*kind, *nominal) || chosen == kind)
        };
        let left = types.iter().copied().filter(unique).collect();
        let left = self.eliminated(left, guess, budget)?;
        Ok(named.iter().all(|kind| left.contains(kind)) && self.is_enough(formula, &left, guess))
    }

    /// The types whose diamonds find a partner among them.
    fn eliminated(&self, types: Vec<u64>, guess: u64, budget: &Budget) -> Result<Vec<u64>, Stop> {
        let mut left = types;
        loop {
            budget.charge(left.len() as u64 + 1)?;
            let stays = |kind: &u64| {
                self.bits.iter().all(|bit| match bit {
                    Formula::Some(relation, inner) => {
                        !self.bit(Type { kind: *kind, guess }, bit)
                            || left.iter().any(|other| {
                                let to = Type {
                                    kind: *other,
                                    guess,
                                };
                                self.value(to, inner) && self.leads(*relation, *kind, *other, guess)
                            })
                    }
                    _ => true,
                })
            };
            let next: Vec<u64> = left.iter().copied().filter(stays).collect();
            if next.len() == left.len() {
                return Ok(next);
            }
            left = next;
        }
    }

    /// Whether the formula is true in one of the types, and what is not true everywhere false in one.
    fn is_enough(&self, formula: &Formula, types: &[u64], guess: u64) -> bool {
        let some = |formula: &Formula, truth: bool| {
            types
                .iter()
                .any(|kind| self.value(Type { kind: *kind, guess }, formula) == truth)
        };
        let refuted = |one: &Formula| match one {
            Formula::Everywhere(inner) if !self.guessed(Type { kind: 0, guess }, one) => {
                some(inner, false)
            }
            _ => true,
        };
        self.guesses.iter().all(refuted) && some(formula, true)
    }

    /// Whether an arrow may lead from one type to another.
    fn leads(&self, relation: usize, from: u64, to: u64, guess: u64) -> bool {
        self.bits.iter().all(|bit| match bit {
            Formula::Some(other, inner) if *other == relation => {
                !self.value(Type { kind: to, guess }, inner)
                    || self.bit(Type { kind: from, guess }, bit)
            }
            _ => true,
        })
    }
}
