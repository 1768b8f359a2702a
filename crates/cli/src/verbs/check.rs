//! `quotient check MODEL`

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use clap::Args;
use quotient_core::{Diagnostic, Event, Source, Verdict};
use quotient_language::text::wrap;
use quotient_language::{About, Answer, Ask, Input};
use quotient_report::{answer_text, overall, short_story, whole_story};
use quotient_web::Beside;
use quotient_workbench::Checked;
use serde_json::{Value, json};

use super::vacuity;
use crate::failure::{Failure, hint};
use crate::files;
use crate::options::ModelArguments;
use crate::outputs::write_file;
use crate::page;
use crate::plots;
use crate::reply::Reply;
use crate::session::Session;

/// Prove or refute what is said about a system.
///
/// The language of a model is found out from its text; a folder can be a problem, too. Each
/// property gets a verdict, with evidence that `quotient certify` checks.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 all properties hold, 1 one is violated, 2 unknown or skipped,
3 wrong input.

Examples:
  quotient check lock.protocol
  quotient check model.smv --property 2 --property 'AG EF ready'
  quotient check philosophers.lts --constant N=4
  quotient check models/token --out report && open report/index.html
  quotient check problem.json --property mutex --timeout 1m --story")]
pub(crate) struct Check {
    /// The model: a file, a folder, or `-` for standard input.
    #[arg(required_unless_present_any = ["methods", "write_config"])]
    model: Option<String>,
    /// Check only this property, by name or number; some languages take formulas, too. May be
    /// given several times.
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Write the evidence to this file, for `quotient certify`.
    #[arg(long, value_name = "FILE")]
    evidence: Option<String>,
    /// Write everything into this folder, with a page `index.html` that shows it.
    #[arg(long, value_name = "FOLDER")]
    out: Option<String>,
    /// Write the plots of the answers to this file, as SVG: numbers over a constant that has a
    /// range, or over variables of the start.
    #[arg(long, value_name = "FILE")]
    plot: Option<String>,
    /// Tell what happened on the way.
    #[arg(long)]
    story: bool,
    /// How many threads may work at a time; by default as many as there are cores.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Look for reasons to doubt a model whose properties hold (the default).
    #[arg(long, overrides_with = "no_doubt")]
    doubt: bool,
    /// Do not look for reasons to doubt the model.
    #[arg(long)]
    no_doubt: bool,
    /// Tell which parts of the properties do not matter.
    #[arg(long)]
    vacuity: bool,
    /// Look for such parts and exit with 1 if there are any.
    #[arg(long)]
    deny_vacuous: bool,
    /// List the methods that can be chosen by name, and exit.
    #[arg(long)]
    methods: bool,
    /// Write a file with all settings explained, to be filled in, and exit.
    #[arg(long, value_name = "FILE")]
    write_config: Option<String>,
    #[command(flatten)]
    how: ModelArguments,
}

/// An answer by property and number, with how long it took to come.
type Came = (String, Option<usize>, f64);

impl Check {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        if self.methods {
            return self.list_methods(session);
        }
        if let Some(path) = &self.write_config {
            return self.write_starter(path, session);
        }
        let Some(model) = &self.model else {
            return Err(Diagnostic::error("usage", "no model is given").into());
        };
        let Some(folder) = &self.out else {
            return self.check(model, session);
        };
        page::prepare(folder)?;
        let outcome = self.check(model, session);
        page::withdraw(folder);
        outcome
    }

    /// Leaves nothing behind that says that work is under way: it is not waited for any more.
    pub(super) fn abandon(&self) {
        if let Some(folder) = &self.out {
            page::withdraw(folder);
        }
    }

    fn check(&self, model: &str, session: &Session) -> Result<Reply, Failure> {
        let request = files::request(model, &self.how, session)?;
        for path in self.evidence.iter().chain(&self.plot) {
            files::keep_what_was_read(path)?;
        }
        let ask = Ask {
            properties: self.property.clone(),
            threads: self.threads.map(usize::from),
            doubt: !self.no_doubt,
            vacuity: self.vacuity || self.deny_vacuous,
            exhibits: self.out.is_some() || self.plot.is_some(),
            bare: self.evidence.is_none() && self.out.is_none() && !session.for_programs,
            ..Ask::default()
        };
        let (cx, recorder) = session.recorded();
        let source = request.input.source().cloned();
        let came: Arc<Mutex<Vec<Came>>> = Arc::default();
        let (began, told) = (Instant::now(), Arc::clone(&came));
        let tell = move |answer: &Answer| {
            let seconds = began.elapsed().as_secs_f64();
            let one = (answer.property.clone(), answer.number, seconds);
            told.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(one);
        };
        let checked = session.workbench.check(request, &ask, &cx, tell)?;
        let story = recorder.events();
        let beside = match &self.out {
            Some(_) => self.beside(model, &checked, &came, session),
            None => Beside::default(),
        };
        // A verdict is not lost because it cannot be written.
        let (mut written, mut errors) = (Vec::new(), Vec::new());
        for outcome in [
            // First the folder: a file in it that the user names is not somebody else's.
            self.write_page(&checked, source.as_ref(), &story, beside),
            match &self.evidence {
                Some(path) => write_evidence(path, &checked),
                None => Ok(Vec::new()),
            },
            match &self.plot {
                Some(path) => plots::write(path, &checked),
                None => Ok(Vec::new()),
            },
        ] {
            match outcome {
                Ok(paths) => written.extend(paths),
                Err(error) => errors.push(error),
            }
        }
        let mut checked = checked;
        let mut reply = self.reply(&mut checked, story, &written);
        // That there is one tells an answer from a failure.
        reply.result = json!({});
        reply.checked = session.for_programs.then(|| (Box::new(checked), written));
        reply.errors = errors;
        Ok(reply)
    }

    /// What else belongs on the page: pictures of the model, unless they came with the check.
    fn beside(
        &self,
        model: &str,
        checked: &Checked,
        came: &Mutex<Vec<Came>>,
        session: &Session,
    ) -> Beside {
        let came = came.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = |answer: &Answer| {
            let is = |one: &&Came| one.0 == answer.property && one.1 == answer.number;
            came.iter().find(is).map(|one| one.2)
        };
        let drawn = checked.exhibits.iter().any(|one| one.picture.is_some());
        let shown = match drawn {
            true => None,
            false => files::request(model, &self.how, session)
                .ok()
                .and_then(|request| page::shown(&session.workbench, request, &session.context())),
        };
        Beside {
            seconds: checked.answers.iter().map(seconds).collect(),
            shown,
            ..Beside::default()
        }
    }

    fn write_page(
        &self,
        checked: &Checked,
        source: Option<&Source>,
        story: &[Event],
        beside: Beside,
    ) -> Result<Vec<String>, Diagnostic> {
        match &self.out {
            Some(folder) => page::write(checked, source, story, beside, folder),
            None => Ok(Vec::new()),
        }
    }

    fn reply(&self, checked: &mut Checked, story: Vec<Event>, written: &[String]) -> Reply {
        let mut text: String = checked.answers.iter().map(answer_text).collect();
        for doubt in &checked.doubts {
            let wrapped = wrap(&doubt.text, 72).replace('\n', "\n       ");
            text.push_str(&format!("doubt: {wrapped}\n"));
        }
        let verdict = match self.deny_vacuous {
            true => vacuity::overall_of_both(&checked.answers),
            false => overall(&checked.answers),
        };
        if self.story {
            text.push_str(&whole_story(&story, usize::MAX));
        } else if !verdict.is_definite() {
            // Who did not ask for it is told how far it got.
            text.push_str(&short_story(&story, 10));
        }
        if let Verdict::Unknown(stop) = &verdict
            && let Some(hint) = hint(stop)
        {
            text.push_str(&format!("help: {hint}\n"));
        }
        if self.evidence.is_some() && checked.answers.iter().all(|one| one.evidence.is_none()) {
            text.push_str("no evidence was written: no verdict has any\n");
        }
        if self.plot.is_some() && plots::of(checked).is_empty() {
            text.push_str(plots::NONE);
        }
        if let Some(folder) = self.out.as_ref().filter(|_| !written.is_empty()) {
            text.push_str(&format!("wrote {} files to {folder}\n", written.len()));
        } else {
            for path in written {
                text.push_str(&format!("wrote {path}\n"));
            }
        }
        Reply {
            denied: self.deny_vacuous && checked.answers.iter().any(|answer| answer.vacuous),
            verdict: Some(verdict),
            text,
            warnings: std::mem::take(&mut checked.warnings),
            story: if self.story { story } else { Vec::new() },
            ..Reply::default()
        }
    }

    fn list_methods(&self, session: &Session) -> Result<Reply, Failure> {
        let abouts = self.meant(session)?;
        let mut text = String::new();
        let mut seen: Vec<(String, String)> = Vec::new();
        for about in abouts {
            seen.extend((about.methods)());
        }
        seen.dedup();
        let mut methods: Vec<Value> = Vec::new();
        for (number, (method, about)) in seen.iter().enumerate() {
            if seen[..number].iter().any(|(earlier, _)| earlier == method) {
                continue;
            }
            let wrapped = wrap(about, 74).replace('\n', "\n      ");
            text.push_str(&format!("{method}\n      {wrapped}\n"));
            methods.push(json!({ "method": method, "about": about }));
        }
        Ok(Reply {
            product: Some(text.into()),
            result: json!({ "methods": methods }),
            ..Reply::default()
        })
    }

    /// The languages that are meant: the one named, or all.
    fn meant(&self, session: &Session) -> Result<Vec<&'static About>, Failure> {
        Ok(match &self.how.language {
            Some(name) => vec![session.workbench.named(name)?.about()],
            None => session.workbench.abouts().collect(),
        })
    }

    /// Writes the starter of the language that the name of the file calls for, or else of the
    /// first one; an existing file is left alone.
    fn write_starter(&self, path: &str, session: &Session) -> Result<Reply, Failure> {
        let abouts = self.meant(session)?;
        // Without a name it is a file of settings that is meant.
        let name = if path == "-" { "settings.toml" } else { path };
        let file = Input::bytes(name, Vec::new());
        let named = abouts.iter().find(|about| file.has_ending(about.endings));
        let Some(about) = named.or(abouts.first()) else {
            return Err(Diagnostic::error("usage", "there are no languages").into());
        };
        let text = about.starter.to_owned();
        if path == "-" {
            return Ok(Reply {
                result: json!({ "text": text }),
                product: Some(text.into()),
                ..Reply::default()
            });
        }
        if std::path::Path::new(path).exists() {
            let message = format!("`{path}` exists and is not written over");
            return Err(Diagnostic::error("exists", message).into());
        }
        write_file(path, &text)?;
        Ok(Reply {
            text: format!("wrote {path}\nfill in the files, then run `quotient check {path}`\n"),
            result: json!({ "files": [path] }),
            ..Reply::default()
        })
    }
}

/// Writes the evidence of a check to a file; tells what was written.
pub(super) fn write_evidence(path: &str, checked: &Checked) -> Result<Vec<String>, Diagnostic> {
    let answers = checked.answers.iter();
    let evidence: Vec<_> = answers
        .filter_map(|answer| answer.evidence.as_ref())
        .collect();
    let text = match evidence[..] {
        [] => return Ok(Vec::new()),
        [one] => serde_json::to_string_pretty(one),
        _ => serde_json::to_string_pretty(&evidence),
    };
    write_file(path, &(text.unwrap_or_default() + "\n"))?;
    Ok(vec![path.to_owned()])
}
