//! From a protocol to verdicts on its properties, for every number of processes.

mod one_by_one;
mod problem;
mod progress;

use std::sync::Arc;

use quotient_core::Context;
use quotient_regular::{Answer, Doubt, Found, Options, Problem};

use crate::{CompileError, Compiled, Interpreter, Protocol, Trace};

/// What came out for a protocol.
#[derive(Debug, Clone)]
pub struct Report {
    /// One answer for each property asked about, in the order of the file.
    pub answers: Vec<Answered>,
    /// Reasons to doubt the protocol.
    pub doubts: Vec<Doubt>,
}

/// What came out for one property.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The answer of the engine.
    pub answer: Answer,
    /// The problem about words that it answers.
    pub problem: Arc<Problem>,
    /// A violation in the words of the protocol.
    pub trace: Option<Trace>,
    /// What else there is to say about the answer.
    pub notes: Vec<String>,
}

impl Protocol {
    /// Checks the properties named, or all.
    ///
    /// ```
    /// use quotient_core::{Context, Source, Verdict};
    /// use quotient_protocol::Protocol;
    /// use quotient_regular::Options;
    /// let text = "
    ///     process { location idle, wants, critical }
    ///     step ask: when at = idle then at := wants
    ///     step enter one by one: when at = wants and forall other p: p.at = idle then at := critical
    ///     step leave: when at = critical then at := idle
    ///     property mutex: never exists p, q: p.at = critical and q.at = critical
    /// ";
    /// let protocol = Protocol::parse(&Source::new("lock.protocol", text))?;
    /// let report = protocol.check(&[], &Options::default(), &Context::default())?;
    /// assert_eq!(report.answers[0].answer.verdict(), Verdict::Holds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(
        &self,
        names: &[String],
        options: &Options,
        cx: &Context,
    ) -> Result<Report, CompileError> {
        let wanted = |name: &str| names.is_empty() || names.iter().any(|known| known == name);
        let compiled = self.compile(&cx.budget)?;
        let mut report = match self.reads_one_by_one() {
            true => self.check_one_by_one(&wanted, options, cx)?,
            false => check_safety(self, &compiled, &wanted, options, cx)?,
        };
        for name in self.progress_names().filter(|name| wanted(name)) {
            let answered = self.check_progress(name, &compiled, options, cx)?;
            report.answers.push(answered);
        }
        let place = |answered: &Answered| {
            let name = &answered.answer.property;
            self.property_names().position(|known| known == name)
        };
        report.answers.sort_by_key(place);
        Ok(report)
    }
}

/// Checks the safety properties that are wanted on the words as they are.
fn check_safety(
    protocol: &Protocol,
    compiled: &Compiled,
    wanted: &dyn Fn(&str) -> bool,
    options: &Options,
    cx: &Context,
) -> Result<Report, CompileError> {
    let Some(problem) = compiled.problem_about(wanted)? else {
        return Ok(Report {
            answers: Vec::new(),
            doubts: Vec::new(),
        });
    };
    let problem = Arc::new(problem);
    let report = quotient_regular::check(&problem, options, cx);
    let interpreter = Interpreter::new(protocol, compiled);
    let answered = |answer: Answer| {
        let trace = match &answer.found {
            Found::Run(run) => Some(interpreter.explain(&run.words, &run.steps)),
            _ => None,
        };
        Answered {
            answer,
            problem: Arc::clone(&problem),
            trace,
            notes: Vec::new(),
        }
    };
    let added = |doubt: &Doubt| match doubt {
        Doubt::NeverFires { transducer } => compiled.is_auxiliary(transducer),
        Doubt::LettersNeverReached { .. } => compiled.is_approximation(),
        _ => false,
    };
    Ok(Report {
        answers: report.answers.into_iter().map(answered).collect(),
        doubts: (report.doubts.into_iter())
            .filter(|doubt| !added(doubt))
            .collect(),
    })
}
