//! `quotient check PROBLEM`

use clap::{Args, ValueEnum};
use quotient_automata::formats::Format;
use quotient_core::{Diagnostic, Verdict};
use quotient_language::text::wrap;
use quotient_regular::{Configuration, Identity, all_methods};
use quotient_report::{story_text, verdict_fields};
use serde_json::{Map, Value, json};

use crate::check::smv::Vacuity;
use crate::check::{
    Answer, Checked, ComponentWishes, LivenessWishes, TEMPLATE, Wishes, check, prepare_folder,
    write_folder,
};
use crate::failure::{Failure, hint};
use crate::files::named_format;
use crate::outputs::write_file;
use crate::reply::Reply;
use crate::session::Session;

/// Prove or refute what is said about a system.
///
/// A problem is a TOML manifest that names automata and transducers (see --write-config), a
/// folder with files `init…`, `bad…` and transitions, an SLRP or JSON problem, an
/// `armc.properties`, or a model in the protocol language: bad configurations must not be
/// reached. Of an SMV model all specifications are checked. Of a system of components in the FSP
/// language the last composite is checked for deadlocks and violated properties.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 all properties hold, 1 one is violated, 2 unknown, 3 wrong input.

Examples:
  quotient check problem.toml
  quotient check models/token --out report && open report/index.html
  quotient check problem.json --property mutex --timeout 1m
  quotient check problem.toml --method 'forward predicates(bad) key-states'
  quotient check --write-config problem.toml
  quotient check bakery --liveness individual --waiting w --progress-step enter
  quotient check philosophers.lts --constant N=4
  quotient check philosophers.lts --system TABLE --progress
  quotient check model.smv --vacuity
  quotient check model.smv --property 2 --property 'AG EF ready'")]
pub(crate) struct Check {
    /// The problem: a file or a folder.
    #[arg(required_unless_present_any = ["methods", "write_config"])]
    problem: Option<String>,
    /// Check only this property, by name; of an SMV model also by number, or a formula. May be
    /// given several times.
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Use this method only, as in 'forward predicates(bad) key-states'.
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// List the methods.
    #[arg(long)]
    methods: bool,
    /// Write a manifest with all settings explained, to be filled in.
    #[arg(long, value_name = "FILE")]
    write_config: Option<String>,
    /// What to do about a step that changes nothing: add it unless it is there,
    /// add it, or leave the steps as they are.
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    identity: IdentityStep,
    /// How many threads may work at a time; by default as many as there are cores.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Write everything into this folder, with a page `index.html` that shows it.
    #[arg(long, value_name = "FOLDER")]
    out: Option<String>,
    /// The format of the automata in the folder.
    #[arg(long, value_name = "FORMAT", value_parser = named_format, default_value = "timbuk")]
    out_format: Format,
    /// Write the evidence to this file, for `quotient certify`.
    #[arg(long, value_name = "FILE")]
    evidence: Option<String>,
    /// Tell what happened on the way.
    #[arg(long)]
    story: bool,
    /// Give with a violation the sets that its steps were chosen from.
    #[arg(long)]
    family: bool,
    /// Look for reasons to doubt a model whose properties hold (the default).
    #[arg(long, overrides_with = "no_doubt")]
    doubt: bool,
    /// Do not look for reasons to doubt the model.
    #[arg(long)]
    no_doubt: bool,
    /// Tell which parts of the specifications of an SMV model do not matter.
    #[arg(long)]
    vacuity: bool,
    /// Look for such parts and exit with 1 if there are any.
    #[arg(long)]
    deny_vacuous: bool,
    /// Let the method named give up where it cannot be refined any more, and do not go on with
    /// one like it.
    #[arg(long, requires = "method")]
    no_fall_back: bool,
    #[command(flatten)]
    liveness: LivenessWishes,
    #[command(flatten)]
    components: ComponentWishes,
}

/// See `--identity`.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum IdentityStep {
    #[default]
    Auto,
    Add,
    AsGiven,
}

impl From<IdentityStep> for Identity {
    fn from(step: IdentityStep) -> Identity {
        match step {
            IdentityStep::Auto => Identity::Auto,
            IdentityStep::Add => Identity::Add,
            IdentityStep::AsGiven => Identity::AsGiven,
        }
    }
}

impl Check {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        if self.methods {
            return Ok(list_methods());
        }
        if let Some(path) = &self.write_config {
            return write_config(path);
        }
        let Some(problem) = &self.problem else {
            return Err(Diagnostic::error("usage", "no problem is given").into());
        };
        let method: Option<Configuration> = self.method.as_deref().map(str::parse).transpose()?;
        let wishes = Wishes {
            properties: self.property.clone(),
            method,
            identity: self.identity.into(),
            threads: self.threads.map(usize::from),
            doubt: !self.no_doubt,
            family: self.family,
            every_automaton: self.out.is_some(),
            liveness: self.liveness.clone(),
            fall_back: !self.no_fall_back,
            components: self.components.clone(),
            vacuity: (self.vacuity || self.deny_vacuous).then_some(Vacuity::Lattice),
        };
        if let Some(folder) = &self.out {
            prepare_folder(folder)?;
        }
        let checked = check(problem, &wishes, session)?;
        let mut files = Vec::new();
        // A verdict is not lost because it cannot be written.
        let mut errors = Vec::new();
        for written in [self.write_evidence(&checked), self.write_folder(&checked)] {
            match written {
                Ok(paths) => files.extend(paths),
                Err(failure) => errors.extend(failure.into_reply().errors),
            }
        }
        let mut reply = self.reply(checked, &files);
        reply.errors = errors;
        Ok(reply)
    }

    fn write_evidence(&self, checked: &Checked) -> Result<Vec<String>, Failure> {
        match &self.evidence {
            Some(path) => write_evidence(path, checked),
            None => Ok(Vec::new()),
        }
    }

    fn write_folder(&self, checked: &Checked) -> Result<Vec<String>, Failure> {
        // The verdict is there: what is left to write is not cut short by the deadline.
        let unlimited = quotient_core::Budget::unlimited();
        match &self.out {
            Some(folder) => write_folder(checked, folder, self.out_format, &unlimited),
            None => Ok(Vec::new()),
        }
    }

    fn reply(&self, checked: Checked, files: &[String]) -> Reply {
        let mut text = String::new();
        for answer in &checked.answers {
            text.push_str(&answer_text(answer));
        }
        for (doubt, _) in &checked.doubts {
            text.push_str(&format!(
                "doubt: {}\n",
                wrap(doubt, 72).replace('\n', "\n       ")
            ));
        }
        let verdict = Verdict::all(checked.answers.iter().map(|answer| answer.verdict.clone()));
        if self.story || !verdict.is_definite() {
            // Who did not ask for it is told how far it got.
            let most = if self.story { usize::MAX } else { 20 };
            text.push_str(&whole_story(&checked, most));
        }
        if let Verdict::Unknown(stop) = &verdict
            && let Some(hint) = hint(stop)
        {
            text.push_str(&format!("help: {hint}\n"));
        }
        if let Some(folder) = self.out.as_ref().filter(|_| !files.is_empty()) {
            text.push_str(&format!("wrote {} files to {folder}\n", files.len()));
        } else if let Some(path) = files.first() {
            text.push_str(&format!("wrote {path}\n"));
        }
        let mut result = json!({
            "problem": checked.title,
            "properties": checked.answers.iter().map(answer_json).collect::<Vec<_>>(),
            "doubts": checked.doubts.iter().map(|(_, doubt)| doubt).collect::<Vec<_>>(),
        });
        if !files.is_empty() {
            result["files"] = json!(files);
        }
        Reply {
            verdict: Some(verdict),
            denied: self.deny_vacuous && checked.answers.iter().any(|answer| answer.vacuous),
            text,
            result,
            warnings: checked.warnings,
            story: if self.story {
                checked.story
            } else {
                Vec::new()
            },
            ..Reply::default()
        }
    }
}

/// An answer for people.
pub(super) fn answer_text(answer: &Answer) -> String {
    let number = answer.number.map(|number| format!("{number}. "));
    let line = format!(
        "{}{}: {}",
        number.unwrap_or_default(),
        answer.property,
        answer.verdict
    );
    let mut text = wrap(&line, 80).replace('\n', "\n   ") + "\n";
    let method = answer.method.as_deref().map(|method| {
        let refinements = match answer.refinements {
            0 => String::new(),
            1 => ", 1 refinement".to_owned(),
            more => format!(", {more} refinements"),
        };
        format!(" (by {method}{refinements})")
    });
    if answer.verdict.is_definite() && !answer.because.is_empty() {
        let line = format!("{}{}", answer.because, method.unwrap_or_default());
        text.push_str(&format!("  {}\n", wrap(&line, 78).replace('\n', "\n  ")));
    }
    if let Some(table) = &answer.table {
        table
            .text
            .lines()
            .for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    let trace = match answer.table {
        Some(_) => &[][..],
        None => &answer.trace[..],
    };
    let width = trace
        .iter()
        .filter_map(|(action, _)| action.as_ref())
        .map(|action| action.chars().count());
    let width = width.max().unwrap_or(0).min(30);
    for (number, (action, state)) in trace.iter().enumerate() {
        let action = action.as_deref().unwrap_or("");
        let mut lines = state.lines();
        let first = lines.next().unwrap_or_default();
        text.push_str(format!("  {number:>4}  {action:<width$}  {first}").trim_end());
        text.push('\n');
        for line in lines {
            text.push_str(&format!("  {:>4}  {:<width$}  {line}\n", "", ""));
        }
    }
    for line in answer.notes.iter().flat_map(|note| note.lines()) {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

/// An answer for programs.
pub(super) fn answer_json(answer: &Answer) -> Value {
    let mut object = Map::new();
    object.insert("property".into(), json!(answer.property));
    if let Some(number) = answer.number {
        object.insert("number".into(), json!(number));
    }
    for (name, value) in verdict_fields(&answer.verdict) {
        object.insert(name.into(), value);
    }
    if let Some(method) = &answer.method {
        object.insert("method".into(), json!(method));
    }
    object.insert("refinements".into(), json!(answer.refinements));
    if !answer.trace.is_empty() {
        let steps = answer.trace.iter().map(|(action, state)| match action {
            Some(action) => json!({ "action": action, "configuration": state }),
            None => json!({ "configuration": state }),
        });
        object.insert("trace".into(), steps.collect());
    }
    if let Some(table) = &answer.table {
        object.insert("table".into(), table.json.clone());
    }
    if let Some(evidence) = &answer.evidence {
        object.insert("evidence".into(), json!(evidence));
    }
    for (name, value) in &answer.details {
        object.insert((*name).into(), value.clone());
    }
    Value::Object(object)
}

/// The story of every method that took part, with so many attempts of each.
fn whole_story(checked: &Checked, most: usize) -> String {
    let mut methods: Vec<Option<&str>> = Vec::new();
    for event in &checked.story {
        let method = event.method.as_deref();
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let mut text = String::new();
    for method in methods {
        let story = story_text(&checked.story, method, most);
        if !story.is_empty() {
            text.push_str(&format!(
                "story{}:\n",
                method.map(|name| format!(" of {name}")).unwrap_or_default()
            ));
            text.push_str(&story);
        }
    }
    text
}

fn write_evidence(path: &str, checked: &Checked) -> Result<Vec<String>, Failure> {
    let evidence: Vec<_> = checked
        .answers
        .iter()
        .filter_map(|answer| answer.evidence.as_ref())
        .collect();
    let text = match evidence[..] {
        // Without a definite verdict there is nothing to write.
        [] => return Ok(Vec::new()),
        [one] => serde_json::to_string_pretty(one),
        _ => serde_json::to_string_pretty(&evidence),
    };
    write_file(path, &(text.unwrap_or_default() + "\n"))?;
    Ok(vec![path.to_owned()])
}

fn list_methods() -> Reply {
    let mut text = String::new();
    for (method, about) in all_methods() {
        let about = wrap(about, 74).replace('\n', "\n      ");
        text.push_str(&format!("{method}\n      {about}\n"));
    }
    let methods = all_methods();
    let methods: Vec<Value> = methods
        .iter()
        .map(|(method, about)| json!({ "method": method, "about": about }))
        .collect();
    Reply {
        product: Some(text),
        result: json!({ "methods": methods }),
        ..Reply::default()
    }
}

/// Writes the template; an existing file is left alone.
fn write_config(path: &str) -> Result<Reply, Failure> {
    let text = TEMPLATE.to_owned();
    if path == "-" {
        let result = json!({ "text": text });
        return Ok(Reply {
            product: Some(text),
            result,
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
