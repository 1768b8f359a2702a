//! From a protocol to verdicts on its properties, for every number of processes.

pub(crate) mod known;
mod lemmas;
mod one_by_one;
mod problem;
pub(crate) mod progress;
pub(crate) mod ranking;
mod rounds;
mod settled;
mod weights;

use std::sync::Arc;

use quotient_core::{Context, Trouble};
use quotient_regular::{Answer, Doubt, Found, Options, Problem};

use crate::progress::Ranks;
use crate::{Compiled, Interpreter, Protocol, Trace, Violation};
use known::Small;
use lemmas::Lemmas;
pub(crate) use settled::settling;

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
    /// A violation that a small instance has and that is no run of the problem about words: then
    /// the answer of the engine is none.
    pub instance: Option<Violation>,
    /// Where it is shown that not everybody can have their turn: what becomes less.
    pub(crate) ranks: Option<Ranks>,
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
    ) -> Result<Report, Trouble> {
        let mut answers = Vec::new();
        let compiled = self.compile_steps(1, &cx.budget)?;
        let doubts =
            self.check_each(&compiled, names, options, cx, &mut |one| answers.push(one))?;
        let place = |answered: &Answered| {
            let name = &answered.answer.property;
            self.property_names().position(|known| known == name)
        };
        answers.sort_by_key(place);
        Ok(Report { answers, doubts })
    }

    /// Checks the properties named, or all, of a protocol whose steps are compiled
    /// ([`Protocol::compile_steps`]), and tells each answer as soon as it is there. Properties
    /// that are costly to compile come last, so that they keep nobody waiting.
    pub fn check_each(
        &self,
        compiled: &Compiled,
        names: &[String],
        options: &Options,
        cx: &Context,
        tell: &mut dyn FnMut(Answered),
    ) -> Result<Vec<Doubt>, Trouble> {
        let wanted = |name: &str| names.is_empty() || names.iter().any(|known| known == name);
        let mut tell = |answered: Answered| tell(self.with_what_is_known(answered, compiled, cx));
        let tell: &mut dyn FnMut(Answered) = &mut tell;
        let doubts = match self.reads_one_by_one() {
            true => {
                let report = self.check_one_by_one(compiled, &wanted, options, cx)?;
                report.answers.into_iter().for_each(&mut *tell);
                report.doubts
            }
            false => self.check_at_once(compiled, &wanted, options, cx, tell)?,
        };
        for name in self.progress_names().filter(|name| wanted(name)) {
            tell(self.check_progress(name, compiled, options, cx)?);
        }
        Ok(doubts)
    }

    fn check_at_once(
        &self,
        compiled: &Compiled,
        wanted: &dyn Fn(&str) -> bool,
        options: &Options,
        cx: &Context,
        tell: &mut dyn FnMut(Answered),
    ) -> Result<Vec<Doubt>, Trouble> {
        let little = cx.budget.child_with_work(LEMMA_WORK);
        let lemmas = match self.lemmas(compiled, &little) {
            Err(Trouble::Stopped(_)) => {
                cx.budget.poll()?;
                Lemmas::default()
            }
            other => other?,
        };
        let mut open: Vec<&str> = self.safety_names().filter(|name| wanted(name)).collect();
        for name in open.clone() {
            if lemmas.inductive.iter().any(|known| known == name) {
                let mut alone = compiled.clone();
                self.compile_property(&mut alone, name, &cx.budget)?;
                if let Some(answered) = lemmas.by_induction(name, &alone)? {
                    tell(answered);
                    open.retain(|known| *known != name);
                }
            }
        }
        let (mut together, mut costly) = (compiled.clone(), Vec::new());
        for name in open {
            let little = cx.budget.child_with_work(LITTLE_WORK);
            match self.compile_property(&mut together, name, &little) {
                Err(Trouble::Stopped(_)) => costly.push(name),
                other => other?,
            }
            cx.budget.poll()?;
        }
        let mut doubts: Vec<Doubt> = Vec::new();
        let mut check = |group: &Compiled, tell: &mut dyn FnMut(Answered)| {
            let within = lemmas.within(group, &cx.budget)?;
            let report = check_safety(self, &within, &|_| true, options, cx)?;
            for answered in report.answers {
                let name = answered.answer.property.clone();
                tell(match lemmas.with_lemmas(answered, group, &cx.budget) {
                    Err(Trouble::Stopped(stop)) => progress::unanswered(&name, compiled, stop),
                    other => other?,
                });
            }
            let new = |doubt: &Doubt| !doubts.contains(doubt);
            let new: Vec<Doubt> = report.doubts.into_iter().filter(new).collect();
            doubts.extend(new);
            Ok::<(), Trouble>(())
        };
        check(&together, tell)?;
        for name in costly {
            let mut alone = compiled.clone();
            match self.compile_property(&mut alone, name, &cx.budget) {
                Err(Trouble::Stopped(stop)) => {
                    tell(progress::unanswered(name, compiled, stop));
                }
                other => {
                    other?;
                    check(&alone, tell)?;
                }
            }
        }
        Ok(doubts)
    }
}

impl Protocol {
    /// An answer that is none, with what small instances say; or a violation that they have.
    fn with_what_is_known(
        &self,
        mut answered: Answered,
        compiled: &Compiled,
        cx: &Context,
    ) -> Answered {
        let Found::Nothing(stop) = &answered.answer.found else {
            return answered;
        };
        let property = answered.answer.property.clone();
        let interpreter = Interpreter::new(self, compiled);
        let small = self.in_small_instances(&interpreter, &property, stop, &cx.budget);
        let Some(small) = small else {
            return answered;
        };
        answered.notes.extend(small.note());
        if let Small::Violated(violation) = small {
            if violation.repeats.is_some() {
                answered.instance = Some(violation);
                return answered;
            }
            let violation = &violation;
            let found = one_by_one::as_answer(self, compiled, &property, violation, &cx.budget);
            return found.unwrap_or(answered);
        }
        answered
    }
}

/// Lemmas that take more work are not looked at before the rest.
const LEMMA_WORK: u64 = 2_000_000;
/// A property that takes more work to compile waits until the others are answered.
const LITTLE_WORK: u64 = 200_000;

/// Checks the safety properties that are wanted on the words as they are.
fn check_safety(
    protocol: &Protocol,
    compiled: &Compiled,
    wanted: &dyn Fn(&str) -> bool,
    options: &Options,
    cx: &Context,
) -> Result<Report, Trouble> {
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
            instance: None,
            ranks: None,
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
