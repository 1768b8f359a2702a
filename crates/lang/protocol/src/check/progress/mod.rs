//! That something happens: properties `for each p: … leads to …` under weak fairness.

mod reduce;
mod watched;

use std::sync::Arc;

use quotient_core::{Budget, Context, Stop};
use quotient_regular::{Answer, Found, Options, Problem, Run};

use super::Answered;
use crate::compile::Part;
use crate::trace::{Repeats, Unable};
use crate::{CompileError, Compiled, Configuration, Interpreter, Protocol, Trace};
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

    fn reduced(&self, property: &str, budget: &Budget) -> Result<Option<Reduced>, CompileError> {
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

fn unanswered(property: &str, compiled: &Compiled, stop: Stop) -> Answered {
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

impl Reduced {
    /// The run in the words of the protocol.
    fn explain(&self, protocol: &Protocol, compiled: &Compiled, run: &Run) -> Option<Trace> {
        let configuration = |number: usize| -> Configuration {
            let (word, frozen) = self.current(&run.words[number]);
            let compiled = if frozen { &self.in_loop } else { &self.before };
            Interpreter::new(protocol, compiled).configuration(&word)
        };
        let mut rows = vec![configuration(0)];
        let (mut steps, mut from, mut waiting, mut unable) = (Vec::new(), 0, 0, Vec::new());
        for (number, step) in run.steps.iter().enumerate() {
            match step.strip_suffix(IN_LOOP).unwrap_or(step) {
                WAITS => {}
                FREEZE => {
                    from = rows.len() - 1;
                    let mark = protocol.fields.len();
                    waiting = self.place_where(run, number + 1, |values, _| values[mark] != 0)?;
                }
                CANNOT => {
                    let done = |values: &[i32], before: &[i32]| values.last() != before.last();
                    unable.push((rows.len() - 1, self.place_where(run, number + 1, done)?));
                }
                name => {
                    steps.push(name.to_owned());
                    rows.push(configuration(number + 1));
                }
            }
        }
        let interpreter = Interpreter::new(protocol, compiled);
        let replayed = interpreter.follow(&rows, &steps)?;
        let mut trace = interpreter.table(&replayed.configurations, &replayed.taken);
        let name = |row: usize, place: usize| trace.rows[row].processes[place].process.clone();
        let unable = unable.into_iter().map(|(row, place)| Unable {
            row,
            process: name(row, place),
        });
        trace.repeats = Some(Repeats {
            from,
            waiting: name(from, waiting),
            unable: unable.collect(),
        });
        Some(trace)
    }

    /// The place of the first process in the loop that satisfies a test on its values, and on
    /// those before the step.
    fn place_where(
        &self,
        run: &Run,
        number: usize,
        test: impl Fn(&[i32], &[i32]) -> bool,
    ) -> Option<usize> {
        let values = |number: usize| -> Vec<Vec<i32>> {
            let (word, frozen) = self.current(&run.words[number]);
            let compiled = if frozen { &self.in_loop } else { &self.before };
            let process = |part: &Part| match part {
                Part::Process(values) => Some(values.clone()),
                _ => None,
            };
            (word.iter())
                .filter_map(|&letter| process(compiled.letters.part(letter)))
                .collect()
        };
        let (now, then) = (values(number), values(number - 1));
        now.iter()
            .zip(&then)
            .position(|(now, then)| test(now, then))
    }
}
