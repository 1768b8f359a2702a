//! That something happens: properties `for each p: … leads to …` under weak fairness.

mod reduce;
mod watched;

use std::sync::Arc;

use quotient_automata::Word;
use quotient_core::{Budget, Context, Stop};
use quotient_regular::{Answer, Found, Options, Problem, Run};

use super::Answered;
use crate::compile::Part;
use crate::trace::{Repeats, Unable};
use crate::{CompileError, Compiled, Configuration, Interpreter, Protocol, Replayed, Trace};
use reduce::{FREEZE, IN_LOOP, Reduced};
use watched::{CANNOT, WAITS, Watched};

impl Protocol {
    /// The names of the properties that say what must happen.
    pub fn progress_names(&self) -> impl Iterator<Item = &str> {
        self.property_names()
            .filter(|name| self.leads_to(name).is_some())
    }

    /// A property that says what must happen, as a problem about words: a bad word is a loop of
    /// a fair run in which a process waits in vain. Nothing if it cannot be stated so.
    pub fn progress_problem(
        &self,
        property: &str,
        budget: &Budget,
    ) -> Result<Option<Problem>, CompileError> {
        Ok(self
            .reduced(property, budget)?
            .map(|reduced| reduced.problem))
    }

    pub(crate) fn reduced(
        &self,
        property: &str,
        budget: &Budget,
    ) -> Result<Option<Reduced>, CompileError> {
        let Some((from, to)) = self.leads_to(property) else {
            return Ok(None);
        };
        if self.no_progress_because().is_some() {
            return Ok(None);
        }
        let watched = Watched::new(self, from, to);
        Reduced::new(self, property, &watched, budget).map(Some)
    }

    pub(super) fn check_progress(
        &self,
        property: &str,
        compiled: &Compiled,
        options: &Options,
        cx: &Context,
    ) -> Result<Answered, CompileError> {
        let reduced = match self.reduced(property, &cx.budget) {
            Ok(Some(reduced)) => reduced,
            Ok(None) => {
                let reason = self.no_progress_because().unwrap_or("it says nothing");
                let message = format!("this progress cannot be checked: {reason}");
                return Ok(unanswered(property, compiled, Stop::inconclusive(message)));
            }
            Err(CompileError::Stopped(stop)) => return Ok(unanswered(property, compiled, stop)),
            Err(error) => return Err(error),
        };
        let options = Options {
            doubt: false,
            ..options.clone()
        };
        let report = quotient_regular::check(&reduced.problem, &options, cx);
        let answer = report.answers.into_iter().next();
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
            Found::Proof(_) => notes.push(
                "every process that can go on does so at some time (weak fairness)".to_owned(),
            ),
            Found::Run(_) => notes.extend(trace.as_ref().and_then(Trace::moral)),
            Found::Nothing(_) => {}
        }
        Ok(Answered {
            answer,
            problem: Arc::new(reduced.problem),
            trace,
            notes,
        })
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
        notes: Vec::new(),
    }
}

/// A run of the protocol that comes back to where it was.
pub(crate) struct Lasso {
    pub(crate) run: Replayed,
    /// The number of the configuration that the last one is again.
    pub(crate) from: usize,
    /// The place there of the process that waits.
    pub(crate) waiting: usize,
    /// Who was seen unable to take a step: the configuration and the place.
    unable: Vec<(usize, usize)>,
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
        trace.repeats = Some(Repeats {
            from: lasso.from,
            waiting: name(lasso.from, lasso.waiting),
            unable: unable.collect(),
        });
        Some(trace)
    }

    /// The run of the protocol itself that a run of the reduced problem stands for, if it is one.
    pub(crate) fn lasso(
        &self,
        interpreter: &Interpreter<'_>,
        words: &[Word],
        steps: &[String],
    ) -> Option<Lasso> {
        let protocol = interpreter.protocol();
        let configuration = |number: usize| -> Option<Configuration> {
            let (word, frozen) = self.current(words.get(number)?)?;
            let compiled = if frozen { &self.in_loop } else { &self.before };
            Some(Interpreter::new(protocol, compiled).configuration(&word))
        };
        let mut rows = vec![configuration(0)?];
        let (mut names, mut frozen, mut unable) = (Vec::new(), None, Vec::new());
        for (number, step) in steps.iter().enumerate() {
            match step.strip_suffix(IN_LOOP).unwrap_or(step) {
                WAITS => {}
                FREEZE => {
                    let mark = protocol.fields.len();
                    let waits = |values: &[i32], _: &[i32]| values.get(mark) == Some(&1);
                    frozen = Some((rows.len() - 1, self.place_where(words, number + 1, waits)?));
                }
                CANNOT => {
                    let done = |values: &[i32], before: &[i32]| values.last() != before.last();
                    unable.push((rows.len() - 1, self.place_where(words, number + 1, done)?));
                }
                name => {
                    names.push(name.to_owned());
                    rows.push(configuration(number + 1)?);
                }
            }
        }
        let (from, waiting) = frozen?;
        Some(Lasso {
            run: interpreter.follow(&rows, &names)?,
            from,
            waiting,
            unable,
        })
    }

    /// The place of the first process in the loop that satisfies a test on its values, and on
    /// those before the step.
    fn place_where(
        &self,
        words: &[Word],
        number: usize,
        test: impl Fn(&[i32], &[i32]) -> bool,
    ) -> Option<usize> {
        let values = |number: usize| -> Option<Vec<Vec<i32>>> {
            let (word, frozen) = self.current(words.get(number)?)?;
            let compiled = if frozen { &self.in_loop } else { &self.before };
            let process = |part: &Part| match part {
                Part::Process(values) => Some(values.clone()),
                _ => None,
            };
            let letters = word.iter();
            Some(
                letters
                    .filter_map(|&letter| process(compiled.letters.part(letter)))
                    .collect(),
            )
        };
        let (now, then) = (values(number)?, values(number - 1)?);
        now.iter()
            .zip(&then)
            .position(|(now, then)| test(now, then))
    }
}
