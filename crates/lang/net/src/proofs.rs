//! Proofs without a search forwards: weights of places, and least markings backwards.

use std::collections::BTreeMap;

use quotient_core::{Attempt, Budget, Conclusion, Context, Method, Stop};
use quotient_language::Answer;
use quotient_language::text::count;

use crate::ceiling::{self, Ceiling};
use crate::certify::MOST_ALTERNATIVES;
use crate::check::{Checker, Task};
use crate::cover::{self, Backward, Covered, Range};
use crate::evidence::{self, BASIS, Basis, Bound, INEQUALITY, Inequalities, Weights};
use crate::formula::{Linear, Question};
use crate::found::Found;
use crate::guided::shortened;
use crate::traps;
use crate::weigh::{self, Weighed};

/// How much backward search may work where other ways may be better.
const COVER_WORK: u64 = 50_000;

/// The most traps that one question is refined by.
const MOST_TRAPS: usize = 40;

/// The state equation as an approximation of what can be reached, refined by traps that it
/// empties though they keep a token.
struct Weighing<'a> {
    checker: &'a Checker<'a>,
    start: &'a [u64],
    bad: &'a [Vec<Linear>],
    traps: Vec<Vec<usize>>,
    proofs: Vec<Weights>,
    /// How often transitions would fire on the way to what could not be excluded.
    counts: Option<Vec<u64>>,
}

impl Method for Weighing<'_> {
    type Proof = Inequalities;
    type Trace = ();
    type Spurious = Vec<usize>;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Inequalities, (), Vec<usize>>, Stop> {
        let net = self.checker.net;
        let open = || Stop::inconclusive("the state equation allows it");
        while let Some(alternative) = self.bad.get(self.proofs.len()) {
            let traps = self.traps.iter().map(|trap| traps::inequality(trap));
            let all: Vec<Linear> = alternative.iter().cloned().chain(traps).collect();
            match weigh::excluded(net, self.start, &all, &cx.budget)? {
                Weighed::Excluded(proof) => self.proofs.push(proof),
                Weighed::Possible(counts, empty) => {
                    self.counts = Some(counts);
                    let trap = traps::emptied(net, self.start, &empty);
                    let trap = trap.filter(|_| self.traps.len() < MOST_TRAPS);
                    return trap.map(Attempt::FalseAlarm).ok_or_else(open);
                }
                Weighed::Open => return Err(open()),
            }
        }
        let mut proofs = std::mem::take(&mut self.proofs);
        for (proof, alternative) in proofs.iter_mut().zip(self.bad) {
            // Traps that came later were not needed.
            proof
                .factors
                .resize(alternative.len() + self.traps.len(), 0);
        }
        let name = |&place: &usize| net.places[place].id.clone();
        let named = |trap: &Vec<usize>| trap.iter().map(name).collect();
        Ok(Attempt::Proved(Inequalities {
            proofs,
            traps: self.traps.iter().map(named).collect(),
        }))
    }

    fn refine(&mut self, trap: Vec<usize>, _: &mut Context) -> Result<(), Stop> {
        self.traps.push(trap);
        Ok(())
    }
}

impl Checker<'_> {
    /// Proofs by weights of places. What they leave open comes with how often each transition
    /// would fire on the way to what is asked.
    pub(crate) fn weigh(
        &self,
        start: &[u64],
        tasks: &mut [Task],
    ) -> Result<Vec<Option<Vec<u64>>>, Stop> {
        let mut counts = vec![None; tasks.len()];
        for (task, counts) in tasks.iter_mut().zip(&mut counts) {
            if task.is_open() {
                self.cx.budget.poll()?;
                *counts = self.weighed(start, task)?;
            }
        }
        self.meet(start, tasks);
        Ok(counts)
    }

    /// Answers questions for bounds where as much was seen as weights allow.
    pub(crate) fn meet(&self, start: &[u64], tasks: &mut [Task]) {
        for task in tasks.iter_mut().filter(|task| task.is_open()) {
            let (Some((seen, fired)), Some((allowed, weights))) = (&task.seen, &task.allowed)
            else {
                continue;
            };
            if seen != allowed {
                continue;
            }
            let bound = Bound {
                value: *seen,
                run: evidence::run(self.net, start, &shortened(self.net, start, fired)),
                weights: Some(weights.clone()),
                markings: None,
                diagram: None,
            };
            let mut answer = self.bound(task, *seen, Some(bound));
            answer.because.push_str(": weights of places allow no more");
            task.answer = Some(answer.by("weights"));
        }
    }

    fn weighed(&self, start: &[u64], task: &mut Task) -> Result<Option<Vec<u64>>, Stop> {
        let budget = &self.cx.budget;
        if let Question::Most(terms) = &task.asked.question {
            let Some(bounded) = crate::weigh::bounded(self.net, start, terms, budget)? else {
                return Ok(None);
            };
            task.allowed = Some((bounded.most, bounded.weights));
            return Ok(Some(bounded.counts));
        }
        let Some((goal, value)) = task.goal() else {
            return Ok(None);
        };
        let Some(bad) = goal.alternatives(self.net, value, MOST_ALTERNATIVES) else {
            return Ok(None);
        };
        let mut weighing = Weighing {
            checker: self,
            start,
            bad: &bad,
            traps: Vec::new(),
            proofs: Vec::new(),
            counts: None,
        };
        let mut cx = Context {
            budget: budget.clone(),
            ..Context::default()
        };
        let outcome = quotient_core::run(&mut weighing, &mut cx);
        let Conclusion::Holds(body) = outcome.conclusion else {
            budget.poll()?;
            return Ok(weighing.counts);
        };
        let mut because = match body.proofs.len() {
            1 => "weights of places exclude it".to_owned(),
            number => format!("weights of places exclude each of {number} alternatives"),
        };
        if !body.traps.is_empty() {
            let traps = count(body.traps.len(), "trap");
            because.push_str(&format!(", with {traps} that keep tokens"));
        }
        let evidence = task.evidence(false, INEQUALITY, &body);
        let mut answer = Answer::new(&task.asked.name, task.verdict(false));
        answer.refinements = outcome.refinements;
        task.answer = Some(
            answer
                .because(because)
                .by("weights")
                .with_evidence(evidence),
        );
        Ok(None)
    }

    /// Backward search, with limited work where the net only takes and gives: other ways often
    /// get further there.
    pub(crate) fn cover_soon(&self, tasks: &mut [Task]) -> Result<(), Stop> {
        if !self.net.is_plain() {
            return self.cover(tasks, &self.cx.budget).map(|_| ());
        }
        let share = self.cx.budget.child_with_work(COVER_WORK);
        match self.cover(tasks, &share) {
            Ok(_) => Ok(()),
            Err(Stop::Work) => self.cx.budget.poll(),
            Err(stop) => Err(stop),
        }
    }

    /// Backward search, for targets that are ranges of markings: first without upper limits, then,
    /// where these matter, with them.
    pub(crate) fn cover(&self, tasks: &mut [Task], budget: &Budget) -> Result<Stop, Stop> {
        let mut stop =
            Stop::exhausted("only coverability is answered where the start is not one marking");
        let mut ceilings: Option<Vec<Ceiling>> = None;
        for task in tasks.iter_mut().filter(|task| task.is_open()) {
            let Some((goal, value)) = task.goal() else {
                continue;
            };
            let Some(bad) = goal.alternatives(self.net, value, cover::MOST_TARGETS) else {
                continue;
            };
            let targets = bad.iter().map(|one| cover::range_of(self.net, one));
            let Ok(targets) = targets.collect::<Result<Vec<_>, _>>() else {
                continue;
            };
            let targets: Vec<Range> = targets.into_iter().flatten().collect();
            let ceilings: &[Ceiling] = match &mut ceilings {
                Some(all) => all,
                none => none.insert(ceiling::ceilings(self.net, budget)?),
            };
            for exact in [false, true] {
                let backward = Backward {
                    net: self.net,
                    ceilings,
                    exact,
                };
                match backward.search(&targets, budget)? {
                    Covered::Never(ranges, used) => {
                        let used = ceilings.iter().zip(used).filter(|(_, used)| *used);
                        let used: Vec<&Ceiling> = used.map(|(one, _)| one).collect();
                        task.answer = Some(self.uncovered(task, &ranges, &used));
                        break;
                    }
                    Covered::Run(start, fired) => {
                        let mut marking = Some(start.clone());
                        for &one in &fired {
                            marking = marking.and_then(|at| self.net.transitions[one].fire(&at));
                        }
                        if marking.is_some_and(|last| goal.holds(self.net, &last) == value) {
                            let found = Found::Somehow(fired);
                            task.answer = Some(self.reached(task, &start, found).by("backward"));
                            break;
                        }
                        stop = Stop::inconclusive(
                            "it can be covered if upper limits are left out, which is no run",
                        );
                    }
                }
            }
        }
        Ok(stop)
    }

    /// The ranges lead to the target, and no start is among them.
    fn uncovered(&self, task: &Task, ranges: &[Range], used: &[&Ceiling]) -> Answer {
        let net = self.net;
        let basis = ranges.iter().map(|one| evidence::named(net, &one.least));
        let limits = ranges.iter().map(|one| {
            let limited = net.places.iter().zip(&one.most);
            let limited = limited.filter(|(_, most)| **most < u64::MAX);
            limited
                .map(|(place, &most)| (place.id.clone(), most))
                .collect()
        });
        let limits: Vec<BTreeMap<String, u64>> = limits.collect();
        let weights = used.iter().map(|one| {
            let weights = one.weights.iter();
            let named = weights.map(|&(place, weight)| (net.places[place].id.clone(), weight));
            named.collect()
        });
        let body = Basis {
            basis: basis.collect(),
            limits: match limits.iter().all(BTreeMap::is_empty) {
                true => Vec::new(),
                false => limits,
            },
            weights: weights.collect(),
        };
        let mut because = format!(
            "{} least markings lead there, no start among them",
            ranges.len()
        );
        if !used.is_empty() {
            let sums = used.len();
            because.push_str(&format!(", with {sums} sums of tokens that never grow"));
        }
        Answer::new(&task.asked.name, task.verdict(false))
            .because(because)
            .by("backward")
            .with_evidence(task.evidence(false, BASIS, &body))
    }
}
