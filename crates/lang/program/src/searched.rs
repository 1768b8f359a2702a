//! Answers by searching the states of a program, where abstraction does not give one soon.

use quotient_core::{Context, Evidence, Rejection, Stop, Trouble, Verdict};
use quotient_language::Answer;

use crate::certify::{self, STATES};
use crate::certify_states::StatesBody;
use crate::interpret::{Found, Run, search, search_with};
use crate::model::ProgramModel;
use crate::program::{Check, Program};
use crate::turns::in_turns;

/// The most states that a search for a run looks at: first few, as short runs are common and
/// programs with unbounded integers have no last state.
const MOST_STATES: [usize; 3] = [2_000, 20_000, 200_000];

/// The most states that are all looked at where the spotlight does not settle a property soon.
const FEW_STATES: usize = 20_000;

/// A run that violates a property, if a bounded search finds one.
pub(crate) fn violation(
    program: &Program,
    check: &Check,
    movers: &[usize],
    cx: &Context,
) -> Result<Option<Run>, Stop> {
    if check.formula.invariant().is_none()
        && let Some(run) = in_turns(program, check, &cx.budget)?
    {
        return Ok(Some(run));
    }
    let telling = program.telling(check);
    for most in MOST_STATES {
        match search(program, check, movers, most, &cx.budget)? {
            Found::Violation(run) => return Ok(Some(run)),
            Found::Nothing if program.is_closed() => return Ok(None),
            Found::Nothing | Found::TooMany => {}
        }
        if !program.is_closed()
            && let Found::Violation(run) =
                search_with(program, check, movers, most, &telling, &cx.budget)?
        {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

impl ProgramModel {
    /// A proof by looking at all states, or a run that was found there, where there are few.
    pub(crate) fn by_states(&self, check: &Check, cx: &Context) -> Result<Option<Answer>, Trouble> {
        let all: Vec<usize> = (0..self.program.processes.len()).collect();
        let found = search(&self.program, check, &all, FEW_STATES, &cx.budget)?;
        if let Found::Violation(run) = &found {
            let answer = Answer::new(&check.name, Verdict::Violated).by("search");
            let answer = answer.because("found by searching states");
            return Ok(Some(self.told(answer, run, check)));
        }
        if found != Found::Nothing {
            return Ok(None);
        }
        let evidence = Evidence::of_holds(STATES, &StatesBody {}).about(&check.name);
        match certify::certify(&self.program, check, &evidence, &cx.budget) {
            Ok(_) => {}
            Err(Rejection::Stopped(stop)) if cx.budget.poll().is_err() => return Err(stop.into()),
            Err(_) => return Ok(None),
        }
        let answer = Answer::new(&check.name, Verdict::Holds)
            .because("all states were looked at, as there are few")
            .by("search");
        Ok(Some(answer.with_evidence(evidence)))
    }

    /// Where abstraction ends, a bounded search of the states may still find a violation.
    pub(crate) fn last_resort(
        &self,
        check: &Check,
        stop: Stop,
        cx: &Context,
    ) -> Result<Answer, Trouble> {
        if cx.budget.poll().is_err() {
            return Ok(Answer::unknown(&check.name, stop));
        }
        let all: Vec<usize> = (0..self.program.processes.len()).collect();
        match violation(&self.program, check, &all, cx) {
            Ok(Some(run)) => {
                let answer = Answer::new(&check.name, Verdict::Violated).by("search");
                Ok(self.told(answer.because("found by searching states"), &run, check))
            }
            _ => Ok(Answer::unknown(&check.name, stop)),
        }
    }
}
