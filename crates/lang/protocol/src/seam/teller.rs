//! Words and arrays asked in turn, and what is told of their answers.

use quotient_core::{Budget, Context, Trouble};
use quotient_language::Answer;
use quotient_language::text::{count, wrap};
use quotient_regular::{Found, Options, telling};
use serde_json::json;

use super::instance;
use super::invariants::Invariants;
use super::model::Checked;
use super::rounds;
use super::wide::Wide;
use crate::{Answered, Compiled, Interpreter, Protocol};

/// Words and arrays have their turn one after the other, each time with more work, at last with all
/// that there is: what one decides quickly does not wait for the other.
pub(super) const TURNS: [Option<u64>; 3] = [Some(30_000_000), Some(300_000_000), None];
/// What is one piece of work for arrays takes as long as so many for words.
pub(super) const ARRAYS_SHARE: u64 = 10;

/// Keeps what later questions need, and makes answers.
pub(super) struct Teller<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) steps: &'a Compiled,
    pub(super) family: bool,
    pub(super) invariants: Invariants,
    pub(super) checked: &'a mut Checked,
    pub(super) budget: &'a Budget,
    /// What went wrong while an answer was made.
    pub(super) trouble: Option<Trouble>,
}

impl Teller<'_> {
    /// Keeps what there is to doubt, once.
    fn doubt(&mut self, doubts: Vec<quotient_regular::Doubt>) {
        for doubt in doubts {
            if !self.checked.doubts.contains(&doubt) {
                self.checked.doubts.push(doubt);
            }
        }
    }

    /// Asks words and arrays in turn until all is answered.
    pub(super) fn in_turns(
        &mut self,
        wide: Option<&Wide>,
        mut names: Vec<String>,
        options: &Options,
        cx: &Context,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<(), Trouble> {
        let (protocol, steps) = (self.protocol, self.steps);
        for work in TURNS {
            let arrays = wide.filter(|wide| names.iter().any(|name| wide.knows(name)));
            if work.is_some() && arrays.is_none() {
                continue;
            }
            arrays.into_iter().for_each(Wide::begin_turn);
            let (mut done, mut unknown) = (Vec::new(), Vec::new());
            let mut tell_one = |answered: Answered| {
                if answered.answer.verdict().is_definite() || answered.instance.is_some() {
                    done.push(answered.answer.property.clone());
                    tell(self.answer(&answered));
                } else if work.is_none() {
                    unknown.push(self.answer(&answered));
                }
            };
            let own = within(cx, work, 1);
            match protocol.check_each(steps, &names, options, &own, &mut tell_one) {
                Ok(doubts) => self.doubt(doubts),
                // Only this turn is over.
                Err(Trouble::Stopped(_)) if work.is_some() && cx.budget.poll().is_ok() => {}
                Err(trouble) => return Err(trouble),
            }
            names.retain(|name| !done.contains(name));
            names.retain(|name| {
                let wide = arrays.filter(|wide| wide.knows(name));
                let answer = wide.map(|wide| wide.answer(name, &within(cx, work, ARRAYS_SHARE)));
                let answer = answer.filter(|answer| answer.verdict.is_definite());
                let decided = answer.is_some();
                let mut words = unknown
                    .iter()
                    .filter(|told: &&Answer| told.property == *name);
                if let Some(answer) = answer.or_else(|| words.next().cloned()) {
                    tell(answer);
                }
                !decided
            });
            if names.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn answer(&mut self, answered: &Answered) -> Answer {
        let interpreter = Interpreter::new(self.protocol, self.steps);
        if let Some(violation) = &answered.instance {
            return instance::repeating(&interpreter, &answered.answer.property, violation);
        }
        let mut told = telling::answer(&answered.answer, &answered.problem, self.family);
        if let Some(trace) = &answered.trace {
            told.because = format!("a run of {}", count(trace.rows.len() - 1, "step"));
            told.trace = Some(interpreter.told(trace));
            told.details.push(("table".to_owned(), json!(trace)));
        }
        told.notes = answered.notes.iter().map(|note| wrap(note, 78)).collect();
        if let Some(ranks) = &answered.ranks {
            told.evidence = told
                .evidence
                .map(|evidence| rounds::evidence(evidence, ranks));
        }
        if let Found::Proof(proof) = &answered.answer.found {
            let invariant = proof.invariant.to_nfa();
            self.invariants.tell(
                &mut told,
                &invariant,
                self.protocol,
                self.steps,
                self.budget,
            );
            self.checked.invariants.push(invariant);
        }
        if let Some(exhibits) = &mut self.checked.exhibits {
            let machines = telling::machines(&answered.answer, self.family);
            match exhibits.of_answer(&told.property, &machines, self.budget) {
                Ok(exhibits) => told.exhibits = exhibits,
                Err(trouble) => self.trouble = self.trouble.take().or(Some(trouble)),
            }
            for part in telling::parts(&answered.problem) {
                let known = &mut self.checked.parts;
                if known.iter().all(|known| known.name != part.name) {
                    known.push(part);
                }
            }
        }
        told
    }
}

/// The same with so much work at the most, divided by a number; or with all that there is.
pub(super) fn within(cx: &Context, work: Option<u64>, by: u64) -> Context {
    match work {
        None => cx.clone(),
        Some(work) => Context {
            budget: cx.budget.child_with_work(work / by),
            ..cx.clone()
        },
    }
}
