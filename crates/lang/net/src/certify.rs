//! Evidence about nets, checked by firing transitions and by plain sums.
//!
//! * A run proves that a marking is reachable: it begins at the start, and every transition can
//!   fire when its turn comes.
//! * A set of markings that contains the start and every successor of its members contains all
//!   reachable markings; what none of them fulfils never happens.
//! * Weights whose sum no transition makes larger bound that sum by its value at the start. Each
//!   alternative of what must not happen asks for more: its inequalities, taken with factors,
//!   stay below the weights in every place and demand more than the start has.
//! * Conditions that weights show never to change may give a formula about runs its value
//!   ([`crate::constant`]).
//! * Formulas about runs are judged by [`crate::judge`], on a part of the markings or along a run.
//! * Markings with stubborn sets contain one that fulfils the formula, if any is reachable and
//!   they contain the start and what each set leads to ([`crate::persistent`]).
//! * For formulas about runs that do not say *next*, sets of transitions may stand for all, too
//!   ([`crate::stuttering`]).
//! * A decision diagram of markings is closed in the same sense ([`crate::layered`]); formulas about
//!   runs are evaluated on it once more ([`crate::sets_time`]).
//! * A run that adds tokens and can be repeated shows that a number has no bound ([`crate::pump`]).
//! * Kinds of markings, by places that are counted up to caps, are closed likewise ([`crate::certify_capped`]).
//! * Causes of all transitions to be stuck exclude each other ([`crate::certify_causes`]).
//! * Several questions need evidence for each of them, or for the one that decides.
//! * How many markings there are is counted again.
//! * A basis stands for all markings that are at least one of its members (and within its limits,
//!   where it has some). If it contains the target and all that is one step before it, and nothing
//!   of the start, no run gets to the target. Markings may be left out for which a weighted sum
//!   that never grows is larger than any start allows ([`crate::basis`]).

use std::collections::{BTreeMap, HashMap, HashSet};

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use serde::de::DeserializeOwned;

use crate::evidence::{
    BASIS, BOUND, Basis, Bound, CAPPED, CAUSES, CONSTANT, DIAGRAM, Diagram, INEQUALITY,
    Inequalities, LASSO, Lasso, MARKINGS, Markings, ORBITS, PART, PUMP, RUN, Run, SETS, SIZE,
    STUBBORN, STUTTERING, Size, Stubborn,
};
use crate::formula::{Formula, Linear, Question, Temporal};
use crate::judge;
use crate::layered::Layered;
use crate::net::Net;
use crate::persistent::is_stubborn;
use crate::stuttering;

/// The most alternatives of a target that a basis is checked for.
const MOST_TARGETS: usize = 1000;

/// The most alternatives of a formula that proofs by weights are made and checked for.
pub(crate) const MOST_ALTERNATIVES: usize = 300;

/// Checks evidence about a question.
pub(crate) fn certify(
    net: &Net,
    name: &str,
    question: &Question,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    if evidence.property.as_deref() != Some(name) {
        return Err(Rejection::wrong("the evidence is about another property"));
    }
    let checker = Checker {
        net,
        budget,
        places: (net.places.iter().enumerate())
            .map(|(at, place)| (place.id.as_str(), at))
            .collect(),
    };
    Ok(Certified {
        property: name.to_owned(),
        facts: vec![checker.shows(evidence, question)?],
    })
}

pub(crate) fn read<T: DeserializeOwned>(evidence: &Evidence) -> Result<T, Rejection> {
    evidence
        .read()
        .map_err(|error| Rejection::unreadable(error.to_string()))
}

pub(crate) fn other_kind(evidence: &Evidence) -> Rejection {
    Rejection::wrong(format!("`{}` does not show this claim", evidence.kind))
}

pub(crate) struct Checker<'a> {
    pub(crate) net: &'a Net,
    pub(crate) budget: &'a Budget,
    places: HashMap<&'a str, usize>,
}

impl Checker<'_> {
    /// What the evidence shows about a question, if it is what it claims.
    pub(crate) fn shows(
        &self,
        evidence: &Evidence,
        question: &Question,
    ) -> Result<String, Rejection> {
        let holds = evidence.claim == Claim::Holds;
        match question {
            Question::Possible(goal) if holds => self.reaches(evidence, goal, true),
            Question::Possible(goal) => self.never(evidence, goal, true),
            Question::Always(safe) if holds => self.never(evidence, safe, false),
            Question::Always(safe) => self.reaches(evidence, safe, false),
            Question::Most(_) | Question::Size if holds && evidence.kind == PUMP => {
                self.has_no_bound(question, &read(evidence)?)
            }
            Question::Most(terms) if holds => self.most(evidence, terms),
            Question::Size if holds => self.size(evidence),
            Question::Most(_) | Question::Size => {
                Err(Rejection::wrong("a number is never violated"))
            }
            Question::Temporal(one) => self.over_time(evidence, one, holds),
            Question::Fair(one) => self.over_fair_time(evidence, one, holds),
            Question::Several { parts, all } => self.several(evidence, parts, *all == holds),
            Question::Beyond(why) => Err(Rejection::wrong(why.clone())),
        }
    }

    pub(crate) fn over_time(
        &self,
        evidence: &Evidence,
        one: &Temporal,
        holds: bool,
    ) -> Result<String, Rejection> {
        match (evidence.kind.as_str(), one.linear) {
            (CONSTANT, _) => self.is_constant(one, &read(evidence)?, holds),
            (SETS, _) => self.on_sets(&mut self.timed(evidence)?, one, holds),
            (PART, false) => self.on_part(&self.part(evidence)?, one, holds),
            (PART, true) if holds => {
                let part = self.part(evidence)?;
                part.linear(one)?;
                let number = part.len();
                Ok(format!("no run through {number} markings breaks it"))
            }
            (STUTTERING, true) if holds => {
                stuttering::judge(self.net, &read(evidence)?, one, self.budget)
            }
            (LASSO, true) if !holds => {
                let lasso: Lasso = read(evidence)?;
                let mut run = self.markings(&lasso.run)?;
                let last = run.len() - 1;
                if lasso.decides {
                    let broken = judge::is_broken_by(self.net, one, &run, self.budget)?;
                    return match broken && lasso.back_to.is_none() {
                        true => Ok(format!("after {last} steps nothing can keep it")),
                        false => Err(Rejection::wrong("the formula may still be kept")),
                    };
                }
                let back = match lasso.back_to {
                    None => {
                        let transitions = &mut self.net.transitions.iter();
                        if transitions.any(|one| one.is_enabled(&run[last])) {
                            return Err(Rejection::wrong("the run can go on where it ends"));
                        }
                        last
                    }
                    Some(back) if back < last && run[back] == run[last] => {
                        run.pop();
                        back
                    }
                    Some(_) => return Err(Rejection::wrong("the run does not come back")),
                };
                match judge::along(self.net, one, &run, back, self.budget)? {
                    true => Err(Rejection::wrong("the run fulfils the formula")),
                    false => Ok(format!("a run of {last} steps breaks it")),
                }
            }
            _ => Err(other_kind(evidence)),
        }
    }

    /// Counts the markings again.
    fn size(&self, evidence: &Evidence) -> Result<String, Rejection> {
        if evidence.kind != SIZE {
            return Err(other_kind(evidence));
        }
        let claimed: Size = read(evidence)?;
        let start = self.net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        let mut seen = HashSet::from([start.clone()]);
        let mut todo = vec![start];
        let mut counted = Size {
            markings: 0,
            steps: 0,
            most_in_place: 0,
            most_in_marking: 0,
        };
        while let Some(marking) = todo.pop() {
            self.budget.charge(1)?;
            counted.markings += 1;
            let most = marking.iter().copied().max().unwrap_or(0);
            counted.most_in_place = counted.most_in_place.max(most);
            let sum = marking.iter().copied().try_fold(0, u64::checked_add);
            let sum = sum.ok_or_else(too_large)?;
            counted.most_in_marking = counted.most_in_marking.max(sum);
            if counted.markings > claimed.markings {
                return Err(Rejection::wrong("there are more markings"));
            }
            for transition in &self.net.transitions {
                match transition.fire(&marking) {
                    Some(next) => {
                        counted.steps += 1;
                        if seen.insert(next.clone()) {
                            todo.push(next);
                        }
                    }
                    None if transition.is_enabled(&marking) => {
                        return Err(Rejection::wrong("a number of tokens is too large"));
                    }
                    None => {}
                }
            }
        }
        match counted == claimed {
            true => Ok(format!("{} markings were counted again", counted.markings)),
            false => Err(Rejection::wrong("the numbers are others")),
        }
    }

    fn reaches(
        &self,
        evidence: &Evidence,
        formula: &Formula,
        value: bool,
    ) -> Result<String, Rejection> {
        if evidence.kind != RUN {
            return Err(other_kind(evidence));
        }
        let run: Run = read(evidence)?;
        let last = self.replay(&run)?;
        match formula.holds(self.net, &last) == value {
            true => Ok(format!("the run of {} steps gets there", run.fired.len())),
            false => Err(Rejection::wrong(
                "the run ends in a marking that does not show it",
            )),
        }
    }

    pub(crate) fn marking(&self, tokens: &BTreeMap<String, u64>) -> Result<Vec<u64>, Rejection> {
        let mut marking = vec![0; self.net.places.len()];
        for (name, &number) in tokens {
            let place = self.place(name)?;
            marking[place] = number;
        }
        Ok(marking)
    }

    pub(crate) fn place(&self, name: &str) -> Result<usize, Rejection> {
        let place = self.places.get(name).copied();
        place.ok_or_else(|| Rejection::wrong(format!("there is no place `{name}`")))
    }

    fn replay(&self, run: &Run) -> Result<Vec<u64>, Rejection> {
        let mut all = self.markings(run)?;
        all.pop()
            .ok_or_else(|| Rejection::wrong("the run is empty"))
    }

    /// The markings of a run.
    pub(crate) fn markings(&self, run: &Run) -> Result<Vec<Vec<u64>>, Rejection> {
        let mut all = Vec::with_capacity(run.fired.len() + 1);
        let mut marking = self.marking(&run.start)?;
        if !self.net.may_start(&marking) {
            return Err(Rejection::wrong("the run does not begin at the start"));
        }
        let transitions = self.net.transitions.iter().enumerate();
        let transitions: HashMap<&str, usize> =
            transitions.map(|(at, one)| (one.id.as_str(), at)).collect();
        for (step, name) in run.fired.iter().enumerate() {
            self.budget.charge(1)?;
            let Some(&one) = transitions.get(name.as_str()) else {
                return Err(Rejection::wrong(format!("there is no transition `{name}`")));
            };
            let next = self.net.transitions[one].fire(&marking);
            let next = next.ok_or_else(|| {
                Rejection::wrong(format!("`{name}` cannot fire in step {}", step + 1))
            })?;
            all.push(std::mem::replace(&mut marking, next));
        }
        all.push(marking);
        Ok(all)
    }

    /// No reachable marking gives the formula this value.
    fn never(
        &self,
        evidence: &Evidence,
        formula: &Formula,
        value: bool,
    ) -> Result<String, Rejection> {
        if let Some(closed) = self.closed_set(evidence)? {
            return self.never_in(&closed, formula, value);
        }
        match evidence.kind.as_str() {
            INEQUALITY => {
                let all: Inequalities = read(evidence)?;
                let bad = formula.alternatives(self.net, value, MOST_ALTERNATIVES);
                let bad =
                    bad.ok_or_else(|| Rejection::wrong("the formula has too many alternatives"))?;
                if bad.len() != all.proofs.len() {
                    return Err(Rejection::wrong("each alternative needs its weights"));
                }
                let traps = all.traps.iter().map(|trap| self.trap(trap));
                let traps = traps.collect::<Result<Vec<_>, _>>()?;
                for (alternative, proof) in bad.iter().zip(&all.proofs) {
                    self.budget.charge(1)?;
                    self.excludes(&[&alternative[..], &traps[..]].concat(), proof)?;
                }
                let number = bad.len();
                Ok(format!(
                    "weights of places exclude each of {number} alternatives"
                ))
            }
            CAPPED => self.never_counted(&read(evidence)?, formula, value),
            CAUSES => self.never_stuck(&read(evidence)?, formula, value),
            STUBBORN => self.never_led_to(evidence, formula, value),
            ORBITS => self.never_in_any_order(&read(evidence)?, formula, value),
            BASIS => {
                let all: Basis = read(evidence)?;
                let bad = formula.alternatives(self.net, value, MOST_TARGETS);
                let bad =
                    bad.ok_or_else(|| Rejection::wrong("the target has too many alternatives"))?;
                self.is_basis(&all, &bad)?;
                Ok(format!(
                    "{} least markings are a closed basis without the start",
                    all.basis.len()
                ))
            }
            _ => Err(other_kind(evidence)),
        }
    }

    /// The set of evidence that is one, if it is closed.
    pub(crate) fn closed_set(&self, evidence: &Evidence) -> Result<Option<Closed<'_>>, Rejection> {
        Ok(match evidence.kind.as_str() {
            DIAGRAM => Some(Closed::Diagram(self.diagram(read(evidence)?)?)),
            MARKINGS => {
                let all: Markings = read(evidence)?;
                self.closed(&all.markings)?;
                Some(Closed::Markings(all.markings))
            }
            _ => None,
        })
    }

    /// No marking of a closed set gives the formula this value.
    pub(crate) fn never_in(
        &self,
        closed: &Closed<'_>,
        formula: &Formula,
        value: bool,
    ) -> Result<String, Rejection> {
        let fulfils = || Rejection::wrong("one of the markings fulfils it");
        match closed {
            Closed::Diagram(diagram) => match diagram.has(formula, value)? {
                true => Err(fulfils()),
                false => Ok(
                    "a diagram of markings is closed under firing, and none fulfils it".to_owned(),
                ),
            },
            Closed::Markings(markings) => {
                for marking in markings {
                    self.budget.charge(1)?;
                    if formula.holds(self.net, marking) == value {
                        return Err(fulfils());
                    }
                }
                let number = markings.len();
                Ok(format!(
                    "{number} markings are closed under firing, and none fulfils it"
                ))
            }
        }
    }

    /// A diagram of markings that contain the start and all their successors.
    pub(crate) fn diagram(&self, diagram: Diagram) -> Result<Layered<'_>, Rejection> {
        let layered = Layered::new(self.net, diagram, self.budget)?;
        layered.is_closed()?;
        Ok(layered)
    }

    /// The markings contain the start and what a stubborn set leads to in each of them; none gives
    /// the formula the value, so no reachable marking does.
    fn never_led_to(
        &self,
        evidence: &Evidence,
        formula: &Formula,
        value: bool,
    ) -> Result<String, Rejection> {
        if !self.net.only_takes_and_gives() {
            return Err(other_kind(evidence));
        }
        let all: Stubborn = read(evidence)?;
        let markings = all.markings.iter().map(|(marking, _)| marking.as_slice());
        let set: HashSet<&[u64]> = markings.collect();
        let start = self.net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        if !set.contains(start.as_slice()) {
            return Err(Rejection::wrong("the start is not among the markings"));
        }
        for (marking, transitions) in &all.markings {
            self.budget.charge(1 + transitions.len() as u64)?;
            if marking.len() != self.net.places.len() {
                return Err(Rejection::wrong(
                    "a marking has not one number for each place",
                ));
            }
            if formula.holds(self.net, marking) == value {
                return Err(Rejection::wrong("one of the markings fulfils it"));
            }
            if !is_stubborn(self.net, marking, transitions, formula, value) {
                return Err(Rejection::wrong("a set of transitions is not stubborn"));
            }
            for &one in transitions {
                let transition = &self.net.transitions[one];
                match transition.fire(marking) {
                    Some(next) if !set.contains(next.as_slice()) => {
                        return Err(Rejection::wrong("a transition leads out of the markings"));
                    }
                    None if transition.is_enabled(marking) => {
                        return Err(Rejection::wrong("a number of tokens is too large"));
                    }
                    _ => {}
                }
            }
        }
        let number = all.markings.len();
        Ok(format!(
            "{number} markings with stubborn sets, and none fulfils it"
        ))
    }

    /// The markings contain the start and all their successors.
    fn closed(&self, markings: &[Vec<u64>]) -> Result<(), Rejection> {
        let set: HashSet<&[u64]> = markings.iter().map(Vec::as_slice).collect();
        let start = self.net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        if !set.contains(start.as_slice()) {
            return Err(Rejection::wrong("the start is not among the markings"));
        }
        for marking in markings {
            self.budget.charge(1)?;
            if marking.len() != self.net.places.len() {
                return Err(Rejection::wrong(
                    "a marking has not one number for each place",
                ));
            }
            for transition in &self.net.transitions {
                match transition.fire(marking) {
                    Some(next) if !set.contains(next.as_slice()) => {
                        let message = format!("`{}` leads out of the markings", transition.id);
                        return Err(Rejection::wrong(message));
                    }
                    None if transition.is_enabled(marking) => {
                        return Err(Rejection::wrong("a number of tokens is too large"));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn most(&self, evidence: &Evidence, terms: &[(usize, i64)]) -> Result<String, Rejection> {
        if evidence.kind != BOUND {
            return Err(other_kind(evidence));
        }
        let bound: Bound = read(evidence)?;
        let value = i128::from(bound.value);
        let last = self.replay(&bound.run)?;
        if Linear::sum(terms, &last) != value {
            return Err(Rejection::wrong("the run does not reach the number"));
        }
        match (bound.weights, bound.markings, bound.diagram) {
            (Some(proof), None, None) => {
                let proof = &proof;
                let (weights, start) = self.weights(proof)?;
                let mut asked = vec![0; weights.len()];
                for &(place, factor) in terms {
                    asked[place] = factor.checked_add(asked[place]).ok_or_else(too_large)?;
                }
                // The weights count each place `scale` times at least, so that the start bounds
                // `scale` times the number of tokens.
                let scale = proof.factors.first().copied().unwrap_or(1);
                if scale == 0 || proof.factors.len() > 1 {
                    return Err(Rejection::wrong("the weights need one factor"));
                }
                let covers = weights.iter().zip(&asked).all(|(&weight, &factor)| {
                    i128::from(weight) >= i128::from(factor) * i128::from(scale)
                });
                let next = i128::from(scale)
                    .checked_mul(value + 1)
                    .ok_or_else(too_large)?;
                if !covers || start >= next {
                    return Err(Rejection::wrong("the weights allow more tokens"));
                }
            }
            (None, Some(markings), None) => {
                self.closed(&markings)?;
                if markings.iter().any(|one| Linear::sum(terms, one) > value) {
                    return Err(Rejection::wrong("one of the markings has more tokens"));
                }
            }
            (None, None, Some(diagram)) => {
                if self.diagram(diagram)?.greatest(terms)? > value {
                    return Err(Rejection::wrong("one of the markings has more tokens"));
                }
            }
            _ => return Err(Rejection::wrong("expected weights or markings")),
        }
        Ok(format!("{value} tokens are reached, and never more"))
    }
}

/// Markings that contain the start and all their successors.
pub(crate) enum Closed<'a> {
    Diagram(Layered<'a>),
    Markings(Vec<Vec<u64>>),
}

pub(crate) fn too_large() -> Rejection {
    Rejection::wrong("a number is too large")
}
