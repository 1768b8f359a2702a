//! Evidence that a net never gets stuck: limits of tokens that exclude each other.
//!
//! Each piece says of some places: they never have, all at the same time, at most so many tokens
//! each, in a reachable marking where nothing can fire. Of a trap that is so since it keeps a token;
//! of weights, since the start has less than that would need. And of a step: where its transition
//! cannot fire, one of the places that it needs has too few tokens, which together with the limits
//! is excluded by an earlier piece. The last piece says it of no places at all.

use std::collections::{BTreeMap, HashMap};

use quotient_core::Rejection;

use crate::certify::Checker;
use crate::evidence::{Causes, Step};
use crate::formula::{Formula, Linear};
use crate::net::Transition;

/// Places with the most tokens that they have.
type Limits = BTreeMap<usize, u64>;

/// Whether a marking where the formula has the value must be stuck.
pub(crate) fn is_stuck(formula: &Formula, value: bool) -> bool {
    match (formula, value) {
        (Formula::Dead, true) => true,
        (Formula::Not(inner), _) => is_stuck(inner, !value),
        (Formula::All(parts), true) | (Formula::Any(parts), false) => {
            parts.iter().any(|part| is_stuck(part, value))
        }
        (Formula::Any(parts), true) | (Formula::All(parts), false) => {
            parts.iter().all(|part| is_stuck(part, value))
        }
        (Formula::Truth(truth), _) => *truth != value,
        _ => false,
    }
}

impl Checker<'_> {
    /// No reachable marking is stuck, and where the formula has the value one would be.
    pub(crate) fn never_stuck(
        &self,
        all: &Causes,
        formula: &Formula,
        value: bool,
    ) -> Result<String, Rejection> {
        if !is_stuck(formula, value) {
            return Err(Rejection::wrong(
                "the question is not whether the net is stuck",
            ));
        }
        let mut known: Vec<Limits> = Vec::new();
        for trap in &all.traps {
            let inequality = self.trap(trap)?;
            known.push(inequality.terms.iter().map(|term| (term.0, 0)).collect());
        }
        for few in &all.weights {
            let limits = self.limits(&few.limits)?;
            // In the order of the names, as the factors are.
            let mut alternative = Vec::new();
            for (name, &most) in &few.limits {
                let terms = vec![(self.place(name)?, -1)];
                let least = i64::try_from(most).map(|most| -most);
                let least = least.map_err(|_| Rejection::wrong("a limit is too large"))?;
                alternative.push(Linear { terms, least });
            }
            self.budget.charge(1 + self.net.transitions.len() as u64)?;
            self.excludes(&alternative, &few.proof)?;
            known.push(limits);
        }
        let transitions = self.net.transitions.iter();
        let transitions: HashMap<&str, &Transition> =
            transitions.map(|one| (one.id.as_str(), one)).collect();
        for step in &all.steps {
            let one = transitions.get(step.transition.as_str());
            let one = one.ok_or_else(|| {
                let message = format!("there is no transition `{}`", step.transition);
                Rejection::wrong(message)
            })?;
            let limits = self.follows(step, one, &known)?;
            known.push(limits);
        }
        match known.last() {
            Some(last) if last.is_empty() => Ok(format!(
                "{} traps and {} weighted sums leave no causes to be stuck",
                all.traps.len(),
                all.weights.len()
            )),
            _ => Err(Rejection::wrong("causes to be stuck are left")),
        }
    }

    fn limits(&self, named: &BTreeMap<String, u64>) -> Result<Limits, Rejection> {
        let place = |(name, &most): (&String, &u64)| Ok((self.place(name)?, most));
        named.iter().map(place).collect()
    }

    /// Where a transition cannot fire and the limits of a step are kept, one of the pieces before,
    /// each for one place that the transition needs, is contradicted.
    fn follows(
        &self,
        step: &Step,
        one: &Transition,
        known: &[Limits],
    ) -> Result<Limits, Rejection> {
        let limits = self.limits(&step.limits)?;
        if !one.assign.is_empty() || one.guard.iter().any(|guard| guard.most.is_some()) {
            let message = format!("`{}` may have other causes", one.id);
            return Err(Rejection::wrong(message));
        }
        let mut needs = Limits::new();
        for guard in one.guard.iter().filter(|guard| guard.least > 0) {
            let least = needs.entry(guard.place).or_insert(0);
            *least = (*least).max(guard.least);
        }
        if needs.len() != step.because.len() {
            return Err(Rejection::wrong("each cause needs a reason"));
        }
        for ((&place, &need), &number) in needs.iter().zip(&step.because) {
            let piece = known.get(number);
            let piece = piece.ok_or_else(|| Rejection::wrong("a reason comes too late"))?;
            self.budget.charge(1 + piece.len() as u64)?;
            let is_kept = |(at, most): (&usize, &u64)| {
                let limited = limits.get(at).is_some_and(|limit| limit <= most);
                limited || (*at == place && need - 1 <= *most)
            };
            if !piece.iter().all(is_kept) {
                return Err(Rejection::wrong("a cause is not excluded"));
            }
        }
        Ok(limits)
    }
}
