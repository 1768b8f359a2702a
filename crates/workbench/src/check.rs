//! Checking a model.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quotient_core::{Context, Diagnostic, Stop, Trouble, Verdict};
use quotient_language::{About, Answer, Ask, Doubt, Exhibit, Property, Verb};

use crate::{Opened, Request, Workbench, apart};

/// What came out of a check.
#[derive(Debug, Default)]
pub struct Checked {
    /// The language of the model, once it is known.
    pub about: Option<&'static About>,
    /// What the model is called.
    pub title: String,
    /// The properties that were asked for.
    pub asked: Vec<Property>,
    /// An answer for each of them, in the order in which they came.
    pub answers: Vec<Answer>,
    /// Reasons to doubt the model.
    pub doubts: Vec<Doubt>,
    /// What is odd about the text.
    pub warnings: Vec<Diagnostic>,
    /// Pictures and files of the model.
    pub exhibits: Vec<Exhibit>,
}

/// Why a property that holds for want of runs is unknown.
pub(crate) const NO_BEGINNING: &str =
    "the model has no beginning, so it holds trivially (--allow-empty takes it)";

/// How long reading a model may go on after time ended: a twentieth of the time that was spent, but so long at
/// least and at most.
const READING_GRACE: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(3)];

/// Work and waiting share it: what is known when the budget ends is not lost.
type Shared = Arc<Mutex<Checked>>;

impl Workbench {
    /// Checks a model on a thread of its own. Every answer is told as soon as it is there; what
    /// was asked for and not answered when the budget ends is `unknown`.
    pub fn check(
        &self,
        request: Request,
        ask: &Ask,
        cx: &Context,
        tell: impl Fn(&Answer) + Send + 'static,
    ) -> Result<Checked, Trouble> {
        let began = Instant::now();
        let shared = Shared::default();
        let job = Job {
            workbench: self.clone(),
            request,
            ask: ask.clone(),
            cx: cx.clone(),
            shared: shared.clone(),
            tell: Box::new(tell),
        };
        let work = move || catch_unwind(AssertUnwindSafe(|| job.run()));
        let outcome = apart(&cx.budget, work);
        if matches!(outcome, Err(Stop::Time)) {
            wait_for_questions(&shared, began.elapsed() / 20);
        }
        let stopped = match outcome {
            Ok(Ok(Ok(()))) => None,
            Ok(Ok(Err(Trouble::Stopped(stop)))) | Err(stop) => Some(stop),
            Ok(Ok(Err(Trouble::Invalid(why)))) => Some(mistaken(&shared, why)?),
            // Our bug; it does not replace the answers that are there.
            Ok(Err(panic)) if lock(&shared).answers.is_empty() => resume_unwind(panic),
            Ok(Err(_)) => Some(Stop::inconclusive(
                "an internal error, which is a bug in quotient",
            )),
        };
        let mut checked = std::mem::take(&mut *lock(&shared));
        if let Some(stop) = stopped {
            if checked.asked.is_empty() && checked.answers.is_empty() {
                return Err(stop.into());
            }
            checked.give_up(&stop);
        }
        // Whatever a language passed over is not to be taken for what holds.
        checked.give_up(&Stop::inconclusive("nothing was found out about it"));
        // That nothing was wrong is not to be read as that something holds.
        if checked.answers.is_empty() && checked.warnings.is_empty() {
            let warning = Diagnostic::warning("no-property", "the model asks nothing");
            let help = "add a property, or ask one with --property";
            checked.warnings.push(warning.help(help));
        }
        checked.sort();
        Ok(checked)
    }
}

impl Checked {
    /// Answers come when they are ready; they are read in the order of the file.
    fn sort(&mut self) {
        let asked = std::mem::take(&mut self.asked);
        let place = |answer: &Answer| {
            let is_named = |property: &Property| property.name == answer.property;
            let is_it = |one: &Property| is_named(one) && one.number == answer.number;
            let place = asked.iter().position(is_it);
            let place = place.or_else(|| asked.iter().position(is_named));
            place.unwrap_or(asked.len())
        };
        self.answers.sort_by_key(place);
        self.asked = asked;
    }

    /// Keeps an answer. A language may tell a verdict first and then again, with more to show for it: the
    /// later answer takes the place of the first, unless it knows less. A verdict that is there stays,
    /// whatever comes after it.
    fn keep(&mut self, answer: Answer) {
        let asked = self.asked.iter();
        let asked = asked.filter(|one| one.name == answer.property && one.number == answer.number);
        let is_same =
            |one: &&mut Answer| one.property == answer.property && one.number == answer.number;
        let mut told: Vec<&mut Answer> = self.answers.iter_mut().filter(is_same).collect();
        // Several questions may have one name: each has an answer.
        let is_again = (1..=told.len()).contains(&asked.count());
        match told.pop().filter(|_| is_again) {
            Some(before) if before.verdict.is_definite() && !answer.verdict.is_definite() => {}
            Some(before) => *before = answer,
            None => self.answers.push(answer),
        }
    }

    /// What was asked for and not answered is unknown.
    fn give_up(&mut self, stop: &Stop) {
        let answers = self.answers.iter();
        let answered: HashSet<_> = answers.map(|one| (&one.property, one.number)).collect();
        let open = self.asked.iter();
        let open = open.filter(|one| !answered.contains(&(&one.name, one.number)));
        let unknown = open.map(|property| {
            let mut answer = Answer::unknown(&property.name, stop.clone());
            answer.number = property.number;
            answer
        });
        let unknown: Vec<Answer> = unknown.collect();
        self.answers.extend(unknown);
    }
}

struct Job {
    workbench: Workbench,
    request: Request,
    ask: Ask,
    cx: Context,
    shared: Shared,
    tell: Box<dyn Fn(&Answer) + Send>,
}

impl Job {
    fn run(mut self) -> Result<(), Trouble> {
        let cx = &self.cx;
        let verb = self.request.verb;
        let mut opened = self.workbench.open(&mut self.request, verb, cx)?;
        self.ask.allow_empty |= opened.settings.flag("allow-empty");
        if self.ask.vacuity {
            self.workbench.refuse(opened.about, Verb::Vacuity)?;
        }
        let asked = asked(&mut opened, &self.ask)?;
        {
            let mut shared = lock(&self.shared);
            shared.about = Some(opened.about);
            shared.title.clone_from(&opened.title);
            shared.warnings = opened.model.warnings();
            shared.asked.clone_from(&asked);
        }
        let outcome = self.answers(&mut opened, &asked);
        lock(&self.shared).warnings = opened.model.warnings();
        outcome?;
        if self.ask.exhibits {
            match opened.model.exhibits(cx) {
                Ok(exhibits) => lock(&self.shared).exhibits = exhibits,
                // Answers are there without pictures, too.
                Err(Trouble::Invalid(why)) => lock(&self.shared).warnings.extend(why),
                Err(stopped) => return Err(stopped),
            }
        }
        if self.ask.doubt {
            let doubts = match opened.model.doubts(cx) {
                Err(Trouble::Stopped(stop)) => {
                    let text = format!("not all reasons were looked for: {stop}");
                    vec![Doubt::new("unfinished", text)]
                }
                other => other?,
            };
            lock(&self.shared).doubts = doubts;
        }
        Ok(())
    }

    fn answers(&self, opened: &mut Opened, asked: &[Property]) -> Result<(), Trouble> {
        let pinned = opened.settings.pinned(opened.about.settings);
        let constants = opened.model.constants();
        let begins = self.ask.allow_empty || opened.model.can_begin(&self.cx.budget)?;
        let id = opened.about.id;
        let mut tell = |mut answer: Answer| {
            let property = asked.iter().find(|one| one.name == answer.property);
            if let Some(property) = property.filter(|one| one.text != one.name) {
                let text = serde_json::Value::from(property.text.as_str());
                answer.details.insert(0, ("text".to_owned(), text));
            }
            if !begins && answer.verdict == Verdict::Holds {
                answer.verdict = Verdict::Unknown(Stop::inconclusive(NO_BEGINNING));
                answer.because = NO_BEGINNING.to_owned();
                answer.evidence = None;
            }
            if let Some(evidence) = &mut answer.evidence {
                evidence.language = id.to_owned();
                if let Some(property) = property {
                    evidence.property = Some(property.name.clone());
                    evidence.text.clone_from(&property.text);
                }
                // What a language says itself about a question goes before.
                for (name, values) in &pinned {
                    let own = evidence.settings.entry(name.clone());
                    own.or_insert_with(|| values.clone());
                }
                evidence.constants = constants.iter().cloned().collect();
            }
            (self.tell)(&answer);
            lock(&self.shared).keep(answer);
        };
        opened.model.check(&self.ask, &self.cx, &mut tell)
    }
}

/// The properties that are asked for.
fn asked(opened: &mut Opened, ask: &Ask) -> Result<Vec<Property>, Trouble> {
    if ask.properties.is_empty() {
        return Ok(opened.model.properties());
    }
    let mut asked: Vec<Property> = Vec::new();
    for name in &ask.properties {
        let property = opened.model.property(name)?;
        if !asked.contains(&property) {
            asked.push(property);
        }
    }
    Ok(asked)
}

/// Where a machine has too much to do, time may end while the model is still being read. That takes a moment more,
/// and then each question can be said to be unknown; without questions nobody could tell what was not answered.
fn wait_for_questions(shared: &Mutex<Checked>, share: Duration) {
    let [least, most] = READING_GRACE;
    let until = Instant::now() + share.clamp(least, most);
    while lock(shared).asked.is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A mistake that shows only at work does not replace the answers that are there: it is told beside them, and is why
/// the other questions are open.
fn mistaken(shared: &Mutex<Checked>, why: Vec<Diagnostic>) -> Result<Stop, Trouble> {
    let mut shared = lock(shared);
    match why.first() {
        Some(first) if !shared.answers.is_empty() => {
            let stop = Stop::inconclusive(first.message.clone());
            shared.warnings.extend(why);
            Ok(stop)
        }
        _ => Err(Trouble::Invalid(why)),
    }
}

fn lock(shared: &Mutex<Checked>) -> std::sync::MutexGuard<'_, Checked> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
