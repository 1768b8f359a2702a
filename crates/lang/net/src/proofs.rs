//! Proofs without a search forwards: weights of places, and least markings backwards.

use quotient_core::{Budget, Stop};
use quotient_language::Answer;

use crate::certify::MOST_ALTERNATIVES;
use crate::check::{Checker, Task};
use crate::cover::{self, Covered};
use crate::evidence::{self, BASIS, Basis, Bound, INEQUALITY, Inequalities};
use crate::formula::Question;

/// How much backward search may work where other ways may be better.
const COVER_WORK: u64 = 50_000;

impl Checker<'_> {
    /// Proofs by weights of places.
    pub(crate) fn weigh(&self, start: &[u64], tasks: &mut [Task]) -> Result<(), Stop> {
        for task in tasks.iter_mut().filter(|task| task.is_open()) {
            self.cx.budget.poll()?;
            task.answer = self.weighed(start, task)?;
        }
        Ok(())
    }

    fn weighed(&self, start: &[u64], task: &mut Task) -> Result<Option<Answer>, Stop> {
        let budget = &self.cx.budget;
        if let Question::Most(terms) = &task.asked.question {
            task.allowed = crate::weigh::bounded(self.net, start, terms, budget)?;
            let (Some((seen, fired)), Some((allowed, weights))) = (&task.seen, &task.allowed)
            else {
                return Ok(None);
            };
            if seen != allowed {
                return Ok(None);
            }
            let bound = Bound {
                value: *seen,
                run: evidence::run(self.net, start, fired),
                weights: Some(weights.clone()),
                markings: None,
                diagram: None,
            };
            let mut answer = self.bound(task, *seen, Some(bound));
            answer.because.push_str(": weights of places allow no more");
            return Ok(Some(answer.by("weights")));
        }
        let Some((goal, value)) = task.goal() else {
            return Ok(None);
        };
        let Some(bad) = goal.alternatives(self.net, value, MOST_ALTERNATIVES) else {
            return Ok(None);
        };
        let mut proofs = Vec::new();
        for alternative in &bad {
            match crate::weigh::excluded(self.net, start, alternative, budget)? {
                Some(proof) => proofs.push(proof),
                None => return Ok(None),
            }
        }
        let because = match proofs.len() {
            1 => "weights of places exclude it".to_owned(),
            number => format!("weights of places exclude each of {number} alternatives"),
        };
        let evidence = task.evidence(false, INEQUALITY, &Inequalities { proofs });
        let answer = Answer::new(&task.asked.name, task.verdict(false));
        Ok(Some(
            answer
                .because(because)
                .by("weights")
                .with_evidence(evidence),
        ))
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

    /// Backward search, for targets that are upward closed or become so by leaving bounds out.
    pub(crate) fn cover(&self, tasks: &mut [Task], budget: &Budget) -> Result<Stop, Stop> {
        let mut stop =
            Stop::exhausted("only coverability is answered where the start is not one marking");
        for task in tasks.iter_mut().filter(|task| task.is_open()) {
            let Some((goal, value)) = task.goal() else {
                continue;
            };
            let Some(bad) = goal.alternatives(self.net, value, cover::MOST_TARGETS) else {
                continue;
            };
            let targets = bad.iter().map(|one| cover::least_of(self.net, one));
            let Some(targets) = targets.collect::<Option<Vec<_>>>() else {
                continue;
            };
            match cover::backward(self.net, &targets, budget)? {
                Covered::Never(basis) => {
                    let named = basis.iter().map(|one| evidence::named(self.net, one));
                    let body = Basis {
                        basis: named.collect(),
                    };
                    let answer = Answer::new(&task.asked.name, task.verdict(false))
                        .because(format!(
                            "{} least markings lead there, no start among them",
                            basis.len()
                        ))
                        .by("backward")
                        .with_evidence(task.evidence(false, BASIS, &body));
                    task.answer = Some(answer);
                }
                Covered::Run(start, fired) => {
                    let mut marking = Some(start.clone());
                    for &one in &fired {
                        marking = marking.and_then(|at| self.net.transitions[one].fire(&at));
                    }
                    match marking {
                        Some(last) if goal.holds(self.net, &last) == value => {
                            task.answer = Some(self.reached(task, &start, &fired).by("backward"));
                        }
                        _ => {
                            stop = Stop::inconclusive(
                                "it can be covered if upper limits are left out, which is no run",
                            );
                        }
                    }
                }
            }
        }
        Ok(stop)
    }
}
