//! Models in the SMV language, for the engine of states.

mod certify;
mod marked;
mod query;
mod run;
mod vacuity;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quotient_core::{Context, Diagnostic, Recorder, Sink, Source, Verdict, nearest};
use quotient_smv::{self as language, CompileError, Config, File, SpecificationKind};
use serde_json::{Value, json};

use super::{Answer, Checked, Wishes};
use crate::apart::apart;
use crate::failure::Failure;
use crate::outputs::count;
use crate::session::Session;

pub(crate) use certify::certify;
pub(crate) use query::{Question, Solutions, ask};
pub(crate) use vacuity::Vacuity;

/// A model with the specifications that were asked for.
struct Model {
    session: language::Session,
    asked: Vec<Asked>,
    warnings: Vec<Diagnostic>,
}

/// Where a specification comes from.
struct Asked {
    /// The text that its spans point into.
    source: Source,
    /// Its number in the file, from 1.
    number: Option<usize>,
}

/// What is to be done, free of everything else: it is done on a thread of its own.
struct Job {
    source: Source,
    properties: Vec<String>,
    vacuity: Option<Vacuity>,
    doubt: bool,
    config: Config,
    context: Context,
    found: Arc<Mutex<Found>>,
}

/// What is known so far.
#[derive(Default)]
struct Found {
    /// The specifications that were asked for, by number and text.
    asked: Vec<(Option<usize>, String)>,
    answers: Vec<Answer>,
    doubts: Vec<(String, Value)>,
    warnings: Vec<Diagnostic>,
}

/// Checks the specifications of a model.
pub(super) fn check(
    source: &Source,
    wishes: &Wishes,
    session: &Session,
) -> Result<Checked, Failure> {
    refuse_wishes(source, wishes)?;
    let recorder = Arc::new(Recorder::default());
    let found = Arc::new(Mutex::new(Found::default()));
    let job = Job {
        source: source.clone(),
        properties: wishes.properties.clone(),
        vacuity: wishes.vacuity,
        doubt: wishes.doubt,
        config: config(session),
        context: Context {
            budget: session.budget.clone(),
            story: session.story(vec![recorder.clone() as Arc<dyn Sink>]),
            ..Context::default()
        },
        found: found.clone(),
    };
    let given_up = match apart(&session.budget, move || job.run()) {
        Ok(Ok(())) => None,
        Ok(Err(Failure::Stopped(stop))) | Err(stop) => Some(stop),
        Ok(Err(wrong)) => return Err(wrong),
    };
    let mut found = std::mem::take(&mut *locked(&found));
    if let Some(stop) = given_up {
        if found.asked.is_empty() {
            return Err(stop.into());
        }
        let left = found.asked.drain(found.answers.len()..);
        let unknown =
            left.map(|(number, text)| answered(number, text, Verdict::Unknown(stop.clone())));
        found.answers.extend(unknown);
    }
    Ok(Checked {
        title: source.name().to_owned(),
        answers: found.answers,
        doubts: found.doubts,
        warnings: found.warnings,
        story: recorder.events(),
        ..Checked::default()
    })
}

/// The limits of the engine that the user's limits call for.
pub(super) fn config(session: &Session) -> Config {
    match session.memory {
        Some(bytes) => Config::within(bytes),
        None => Config::default(),
    }
}

fn locked(found: &Mutex<Found>) -> MutexGuard<'_, Found> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bare answer.
fn answered(number: Option<usize>, property: String, verdict: Verdict) -> Answer {
    Answer {
        number,
        verdict,
        method: None,
        refinements: 0,
        because: String::new(),
        trace: Vec::new(),
        table: None,
        evidence: None,
        exhibits: Vec::new(),
        notes: Vec::new(),
        details: Vec::new(),
        vacuous: false,
        property,
    }
}

impl Job {
    fn run(self) -> Result<(), Failure> {
        let mut model = Model::open(&self)?;
        for specification in 0..model.asked.len() {
            let mut answer = model.answer(specification)?;
            if let Some(way) = self.vacuity {
                model.add_vacuity(specification, way, &mut answer)?;
            }
            let mut found = locked(&self.found);
            found.answers.push(answer);
            found.warnings.clone_from(&model.warnings);
        }
        if self.doubt {
            let doubts = model.doubts();
            locked(&self.found).doubts = doubts;
        }
        Ok(())
    }
}

/// Options that only problems about words know are not passed over in silence.
fn refuse_wishes(source: &Source, wishes: &Wishes) -> Result<(), Diagnostic> {
    let wrong = match wishes {
        Wishes {
            method: Some(_), ..
        } => "--method",
        Wishes {
            threads: Some(_), ..
        } => "--threads",
        Wishes { family: true, .. } => "--family",
        _ => return Ok(()),
    };
    let message = format!("`{wrong}` is for problems about words, and this is an SMV model");
    Err(Diagnostic::error("usage", message).in_source(source))
}

impl Model {
    /// Reads a model and builds its decision diagrams. Properties are numbers or names of
    /// specifications, or formulas; if there are none, all specifications are asked for.
    fn open(job: &Job) -> Result<Model, Failure> {
        let source = &job.source;
        let mut file = File::read(source).map_err(Failure::Input)?;
        let mut warnings = file.warnings().to_vec();
        let asked = choose(&mut file, source, &job.properties)?;
        if asked.is_empty() {
            let warning = Diagnostic::warning("smv-no-specification", "nothing is specified");
            warnings.push(
                warning.in_source(source).help(
                    "write a specification as in `SPEC AG p`, or give one: --property 'AG p'",
                ),
            );
        }
        {
            let texts = file.program().specifications().iter();
            let mut found = locked(&job.found);
            found.asked = (asked.iter().zip(texts))
                .map(|(asked, written)| (asked.number, written.text.clone()))
                .collect();
            found.warnings.clone_from(&warnings);
        }
        let session = language::Session::open(file, job.config, &job.context)?;
        Ok(Model {
            session,
            asked,
            warnings,
        })
    }

    /// Checks a specification.
    fn answer(&mut self, specification: usize) -> Result<Answer, Diagnostic> {
        let found = self.session.check(specification);
        let found = found.map_err(|error| self.about_text(specification, error))?;
        let written = &self.session.specifications()[specification];
        let text = written.text.clone();
        let mut details = vec![("kind", json!(kind_name(written.kind)))];
        if let Some(name) = &written.name {
            details.push(("name", json!(name)));
        }
        let program = self.session.file().program();
        let mut because = match &found.certificate {
            Some(certificate) => format!(
                "an inductive set of states ({} in its decision diagram)",
                count(certificate.nodes.len(), "node")
            ),
            None => String::new(),
        };
        let mut trace = Vec::new();
        let mut evidence = found
            .certificate
            .as_ref()
            .map(|certificate| certificate.evidence());
        if let Some(found_run) = &found.run {
            if let Err(mismatch) = found_run.replay(program) {
                let message = format!("the run for `{text}` does not replay: {mismatch}");
                self.warnings.push(
                    Diagnostic::warning("smv-replay", message)
                        .help("this is a bug in quotient: please report it"),
                );
            }
            because = run::describe(found_run, found.showing);
            trace = run::rows(found_run, program, &text);
            details.push(("run", run::to_json(found_run, program)));
            if found.verdict == Verdict::Violated {
                evidence = Some(found_run.evidence(program));
            }
        }
        Ok(Answer {
            because,
            trace,
            evidence: evidence.map(|evidence| evidence.about(&text)),
            details,
            ..answered(self.asked[specification].number, text, found.verdict)
        })
    }

    /// A message of the engine with the text that it is about: a formula of the command line
    /// is not part of the file.
    fn about_text(&self, specification: usize, mut error: Diagnostic) -> Diagnostic {
        error.source = Some(self.asked[specification].source.clone());
        error
    }

    /// Reasons to doubt the model as a whole.
    fn doubts(&mut self) -> Vec<(String, Value)> {
        let found = match self.session.doubts() {
            Ok(found) => found,
            Err(stop) => {
                let text = format!("not all reasons were looked for: {stop}");
                let value = json!({ "doubt": "unfinished", "because": stop.to_string() });
                return vec![(text, value)];
            }
        };
        let program = self.session.file().program();
        let translate = found.into_iter().map(|doubt| {
            let mut text = doubt.warning.message.clone();
            let mut value = json!({ "doubt": doubt.warning.code, "because": text });
            if let Some(found_run) = &doubt.run {
                value["run"] = run::to_json(found_run, program);
                text.push_str(&run::last_state(found_run, program));
            }
            for line in doubt.warning.notes.iter().chain(&doubt.warning.help) {
                text.push_str("; ");
                text.push_str(line);
            }
            (text, value)
        });
        translate.collect()
    }
}

/// Finds what is asked for in the file, or adds it.
fn choose(file: &mut File, source: &Source, properties: &[String]) -> Result<Vec<Asked>, Failure> {
    let written = file.program().specifications().len();
    let own = |number: usize| Asked {
        source: source.clone(),
        number: Some(number + 1),
    };
    if properties.is_empty() {
        return Ok((0..written).map(own).collect());
    }
    let mut wanted = vec![false; written];
    let mut formulas = Vec::new();
    for property in properties {
        let by_number = property.parse().ok().filter(|&number: &usize| number > 0);
        if let Some(number) = by_number {
            match wanted.get_mut(number - 1) {
                Some(wanted) => *wanted = true,
                None => return Err(no_such_number(number, written).into()),
            }
            continue;
        }
        let specifications = file.program().specifications();
        let is_named = |at: &usize| specifications[*at].name.as_ref() == Some(property);
        match (0..written).find(is_named) {
            Some(at) => wanted[at] = true,
            None => {
                let formula = Source::new("--property", property);
                let asked = file.formula(&formula, None);
                let asked = asked.map_err(|errors| unknown(file, property, errors))?;
                file.add_specification(asked);
                formulas.push(Asked {
                    source: formula,
                    number: None,
                });
            }
        }
    }
    file.retain_specifications(|at| at >= written || wanted[at]);
    let kept = (0..written).filter(|&at| wanted[at]).map(own);
    Ok(kept.chain(formulas).collect())
}

fn no_such_number(number: usize, written: usize) -> Diagnostic {
    let message = format!("there is no specification {number}");
    let note = match written {
        0 => "the file has no specification".to_owned(),
        _ => format!("the file has specifications 1 to {written}"),
    };
    Diagnostic::error("no-such-property", message).note(note)
}

/// What is no formula may be a name that was misspelt.
fn unknown(file: &File, property: &str, mut errors: Vec<Diagnostic>) -> Failure {
    let specifications = file.program().specifications();
    let names = specifications.iter().filter_map(|one| one.name.as_deref());
    if let Some(near) = nearest(property, names)
        && let Some(first) = errors.first_mut()
    {
        first
            .help
            .push(format!("or did you mean the specification `{near}`?"));
    }
    Failure::Input(errors)
}

/// The keyword of such a specification.
fn kind_name(kind: SpecificationKind) -> &'static str {
    match kind {
        SpecificationKind::Ctl => "CTLSPEC",
        SpecificationKind::Ltl => "LTLSPEC",
        SpecificationKind::Invariant => "INVARSPEC",
    }
}

impl From<CompileError> for Failure {
    fn from(error: CompileError) -> Failure {
        match error {
            CompileError::Mistakes(mistakes) => Failure::Input(mistakes),
            CompileError::Stopped(stop) => Failure::Stopped(stop),
        }
    }
}
