//! Properties that say what must happen, asked of the engine.

use std::sync::Arc;

use quotient_core::{Context, Stop, Trouble};
use quotient_regular::{Answer, Found, Options, Problem, Run};

use super::Answered;
use crate::progress::Reduced;
use crate::trace::{Repeats, Unable};
use crate::{Compiled, Interpreter, Protocol, Trace};

impl Protocol {
    pub(super) fn check_progress(
        &self,
        property: &str,
        compiled: &Compiled,
        options: &Options,
        cx: &Context,
    ) -> Result<Answered, Trouble> {
        let demand = self.progress_demand(property);
        let no_loops = demand.and_then(|demand| self.no_progress_because(demand));
        if no_loops.is_some() {
            return self.check_rounds(property, compiled, options, cx);
        }
        let answered = self.check_loops(property, compiled, options, cx)?;
        if !matches!(answered.answer.found, Found::Nothing(_)) || cx.budget.poll().is_err() {
            return Ok(answered);
        }
        let rounds = self.check_rounds(property, compiled, options, cx)?;
        Ok(match rounds.answer.found {
            Found::Nothing(_) => answered,
            _ => rounds,
        })
    }

    /// Whether no loop is found in which the property is not true: then it is true.
    fn check_loops(
        &self,
        property: &str,
        compiled: &Compiled,
        options: &Options,
        cx: &Context,
    ) -> Result<Answered, Trouble> {
        let reduced = match self.reduced(property, &cx.budget) {
            Ok(Some(reduced)) => reduced,
            Ok(None) => {
                let demand = self.progress_demand(property);
                let reason = demand.and_then(|demand| self.no_progress_because(demand));
                let reason = reason.unwrap_or("it says nothing");
                let message = format!("this progress cannot be checked: {reason}");
                return Ok(unanswered(property, compiled, Stop::inconclusive(message)));
            }
            Err(Trouble::Stopped(stop)) => return Ok(unanswered(property, compiled, stop)),
            Err(error) => return Err(error),
        };
        let options = Options {
            doubt: false,
            ..options.clone()
        };
        let report = quotient_regular::check(&reduced.problem, &options, cx);
        let answer = report.answers.into_iter().next();
        if reduced.approximate
            && let Some(Found::Run(_)) = answer.as_ref().map(|answer| &answer.found)
        {
            // Small instances say whether there is a real one.
            let stop = Stop::inconclusive(
                "reading one by one is only approximated: a run was found that need not be one of \
                 the protocol, and small instances have none",
            );
            return Ok(unanswered(property, compiled, stop));
        }
        let Some(answer) = answer else {
            let stop = Stop::inconclusive("it says nothing");
            return Ok(unanswered(property, compiled, stop));
        };
        let trace = match &answer.found {
            Found::Run(run) => reduced.explain(self, compiled, run),
            _ => None,
        };
        let mut notes = Vec::new();
        match &answer.found {
            Found::Proof(_) => notes.push(self.fairness_in_words().to_owned()),
            // The run itself says how it goes on.
            Found::Run(_) | Found::Nothing(_) => {}
        }
        if reduced.approximate {
            notes.push(
                "shown for more than the protocol can do: of those who read one by one, the \
                 process that it is about is tracked"
                    .to_owned(),
            );
        }
        Ok(Answered {
            answer,
            problem: Arc::new(reduced.problem),
            trace,
            instance: None,
            ranks: None,
            notes,
        })
    }
}

impl Protocol {
    /// What is taken of everybody where something is shown to happen.
    pub(crate) fn fairness_in_words(&self) -> &'static str {
        match self.asks_for_fairness() {
            false => "every process that can go on does so at some time (weak fairness)",
            true => {
                "every process that can go on does so at some time, and steps that are said to be fair \
                 have their turn"
            }
        }
    }
}

pub(super) fn unanswered(property: &str, compiled: &Compiled, stop: Stop) -> Answered {
    // Any problem over the letters of the protocol: nothing is said about it.
    let nothing = quotient_regular::Property {
        name: property.to_owned(),
        bad: quotient_automata::Nfa::empty(compiled.alphabet()),
    };
    let problem = Problem::new(
        compiled.initial().clone(),
        vec![nothing],
        compiled.relation().clone(),
    );
    Answered {
        answer: Answer {
            property: property.to_owned(),
            found: Found::Nothing(stop),
            method: None,
            refinements: 0,
            attempts: Vec::new(),
        },
        problem: Arc::new(problem.unwrap_or_else(|error| unreachable!("{error}"))),
        trace: None,
        instance: None,
        ranks: None,
        notes: Vec::new(),
    }
}

impl Reduced {
    /// The run in the words of the protocol.
    fn explain(&self, protocol: &Protocol, compiled: &Compiled, run: &Run) -> Option<Trace> {
        let interpreter = Interpreter::new(protocol, compiled);
        let lasso = self.lasso(&interpreter, &run.words, &run.steps)?;
        let mut trace = interpreter.table(&lasso.run.configurations, &lasso.run.taken);
        let name = |row: usize, place: usize| trace.rows[row].processes[place].process.clone();
        let unable = (lasso.unable.into_iter()).map(|(row, place)| Unable {
            row,
            process: name(row, place),
        });
        let unable = unable.collect();
        trace.repeats = Some(Repeats {
            unable,
            ..trace.repetition(lasso.from, &lasso.who, self.waits)
        });
        Some(trace)
    }
}
