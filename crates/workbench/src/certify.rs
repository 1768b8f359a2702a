//! The envelope of evidence, checked once for all kinds and languages.
//!
//! A piece of evidence claims an answer to a question. Before a language looks at the proof, the
//! question itself is compared with the file that the user gives: the version, the language, the
//! settings that matter, the constants in force, and the property by name and text. What the
//! user pins on top of that must be so, too.

use std::collections::HashSet;

use quotient_core::{
    Budget, Certified, Claim, Context, Diagnostic, Evidence, Rejection, Source, Stop, Trouble,
};
use quotient_language::{Kind, Language, Property, Setting, Settings, Verb};

use crate::check::NO_BEGINNING;
use crate::{Opened, Request, Workbench, read_evidence};

/// What the user demands of evidence, beyond that it is right.
#[derive(Debug, Clone, Default)]
pub struct Pins {
    /// The answer that it must be for.
    pub expect: Option<Claim>,
    /// The properties that it must be about, each piece about one of them; these may be formulas
    /// that are not in the file.
    pub properties: Vec<String>,
    /// Whether there must be accepted evidence for every property of the file.
    pub complete: bool,
}

/// A piece of evidence with what was checked, or why it is rejected.
#[derive(Debug)]
pub struct Judged {
    /// The evidence.
    pub evidence: Evidence,
    /// The question that it answers, in a line: the property, the model and the settings.
    pub question: String,
    /// The outcome.
    pub outcome: Result<Certified, Rejection>,
}

impl Workbench {
    /// The evidence in a file: as `check` writes it, or a witness of another tool, where the language
    /// of the model knows such files.
    pub fn read_evidence(
        &self,
        source: &Source,
        request: &mut Request,
        cx: &Context,
    ) -> Result<Vec<Evidence>, Trouble> {
        let own = read_evidence(source, &cx.budget);
        if own.is_ok() || source.text().trim_start().starts_with(['{', '[']) {
            return own;
        }
        let Ok(language) = self.language_of(request) else {
            return own;
        };
        let Ok(mut opened) = self.open_with(request, language, Settings::default(), cx) else {
            return own;
        };
        let Some(found) = opened.model.foreign_evidence(source.text()) else {
            return own;
        };
        let (name, mut evidence) = found.map_err(|why| {
            Diagnostic::error("no-evidence", "this is neither evidence nor a witness")
                .in_source(source)
                .note(why)
                .help("`quotient check FILE --evidence OUT` writes evidence")
        })?;
        let property = opened.model.property(&name)?;
        evidence.language = language.about().id.to_owned();
        evidence.property = Some(property.name);
        evidence.text = property.text;
        Ok(vec![evidence])
    }

    /// Checks pieces of evidence against a model. The settings of the request are pins, too: where
    /// one is given, evidence must have the same.
    ///
    /// The result is about the evidence; an error means that the model itself cannot be read.
    pub fn certify(
        &self,
        mut request: Request,
        evidence: Vec<Evidence>,
        pins: &Pins,
        cx: &Context,
    ) -> Result<Vec<Judged>, Trouble> {
        let language = self.language_of(&request)?;
        self.refuse(language.about(), Verb::Certify)?;
        let about = language.about();
        let pinned = Settings::new(about.name, about.settings, Verb::Check, &request.settings)?;
        // Evidence is one thing, a file that cannot be read another.
        let plain = self.open_with(&mut request, language, Settings::default(), cx);
        if let Err(Trouble::Invalid(mistakes)) = plain
            && evidence.iter().all(|piece| piece.settings.is_empty())
        {
            return Err(Trouble::Invalid(mistakes));
        }
        let mut judge = Judge {
            workbench: self,
            language,
            request,
            pinned,
            pins,
            cx,
            opened: None,
        };
        let mut judged: Vec<Judged> = Vec::new();
        for piece in evidence {
            let (question, outcome) = judge.judge(&piece);
            judged.push(Judged {
                evidence: piece,
                question,
                outcome,
            });
        }
        if pins.complete {
            judge.demand_all(&mut judged)?;
        }
        Ok(judged)
    }
}

struct Judge<'a> {
    workbench: &'a Workbench,
    language: &'static dyn Language,
    request: Request,
    /// The settings that the user gives.
    pinned: Settings,
    pins: &'a Pins,
    cx: &'a Context,
    /// The model as the last piece of evidence asked for it.
    opened: Option<Opened>,
}

impl Judge<'_> {
    fn judge(&mut self, evidence: &Evidence) -> (String, Result<Certified, Rejection>) {
        let mut question = self.question(evidence, None);
        let outcome = self.property(evidence).and_then(|property| {
            question = self.question(evidence, Some(&property));
            let budget: &Budget = &self.cx.budget;
            budget.poll()?;
            let opened = self.opened.as_mut().ok_or_else(|| {
                Rejection::unreadable("the model could not be opened for this evidence")
            })?;
            let certified = opened.model.certify(evidence, &property, budget)?;
            // The same rule as for answers: of a model without any beginning everything is true.
            if evidence.claim == Claim::Holds
                && !opened.settings.flag("allow-empty")
                && !opened.model.can_begin(budget).map_err(rejection)?
            {
                return Err(Stop::inconclusive(NO_BEGINNING).into());
            }
            Ok(certified)
        });
        // What comes out after the budget has ended means nothing: a model that was not read to its
        // end has other constants and properties, or none.
        let outcome = match self.cx.budget.poll() {
            Ok(()) => outcome,
            Err(stop) => Err(stop.into()),
        };
        (question, outcome)
    }

    /// The property that a piece of evidence is about, if its question is one about this file.
    fn property(&mut self, evidence: &Evidence) -> Result<Property, Rejection> {
        if evidence.format != Evidence::FORMAT {
            return Err(Rejection::unreadable(format!(
                "this checker reads version {} of evidence files, this is version {}",
                Evidence::FORMAT,
                evidence.format
            )));
        }
        let about = self.language.about();
        if evidence.language != about.id {
            return Err(Rejection::wrong(format!(
                "the evidence is about {}, and this is {}",
                described(&evidence.language),
                about.text
            )));
        }
        if let Some(expected) = self.pins.expect
            && expected != evidence.claim
        {
            return Err(Rejection::wrong(format!(
                "the evidence claims `{}`, and `{}` is expected",
                word(evidence.claim),
                word(expected)
            )));
        }
        self.compare_pins(evidence)?;
        self.open(evidence)?;
        let Some(name) = evidence.property.as_deref().filter(|name| !name.is_empty()) else {
            let message = "the evidence does not say which property it is about";
            return Err(Rejection::unreadable(message));
        };
        self.look_up(name, evidence)
    }

    fn look_up(&mut self, name: &str, evidence: &Evidence) -> Result<Property, Rejection> {
        let Some(opened) = &mut self.opened else {
            return Err(Rejection::unreadable("the model could not be opened"));
        };
        let all = opened.model.properties();
        if all.iter().filter(|one| one.name == name).count() > 1 {
            return Err(Rejection::wrong(format!(
                "several properties of the file are called `{name}`"
            )));
        }
        let property = opened.model.property(name).map_err(rejection)?;
        let wanted = &self.pins.properties;
        // What is the number or the text of this property may be the name of another one, which is
        // then what `check` takes it for.
        let mut named = |one: &String| match opened.model.property(one) {
            Ok(meant) => meant.name == property.name && meant.number == property.number,
            Err(_) => {
                let number = property.number.map(|number| number.to_string());
                *one == property.name || *one == property.text || Some(one) == number.as_ref()
            }
        };
        if !wanted.is_empty() && !wanted.iter().any(&mut named) {
            return Err(Rejection::wrong(format!(
                "the evidence is about `{name}`, and `{}` is asked for",
                wanted.join("`, `")
            )));
        }
        if !property.in_file && wanted.is_empty() {
            return Err(Rejection::wrong(format!(
                "the file has no property `{name}`; if this is your question, say it with \
                 --property"
            )));
        }
        // Names are not guessed: what nearly is the name of a property is that of none.
        if property.in_file && property.name != name {
            return Err(Rejection::wrong(format!(
                "the file has no property `{name}`, but `{}`",
                property.name
            )));
        }
        if property.text != evidence.text {
            return Err(Rejection::wrong(format!(
                "in the file `{name}` says something else than in the evidence"
            )));
        }
        Ok(property)
    }

    /// Where the user gives a setting, the evidence must have the same.
    fn compare_pins(&self, evidence: &Evidence) -> Result<(), Rejection> {
        let known = self.language.about().settings;
        for (name, values) in self.pinned.pinned(known) {
            let own = evidence.settings.get(&name);
            if own != Some(&values) {
                let own = own.map_or_else(|| "nothing".to_owned(), |own| own.join(", "));
                return Err(Rejection::wrong(format!(
                    "the evidence is for --{name} {own}, and --{name} {} is asked for",
                    values.join(", ")
                )));
            }
        }
        Ok(())
    }

    /// Opens the model with the settings of the evidence, unless it is open with them already.
    fn open(&mut self, evidence: &Evidence) -> Result<(), Rejection> {
        let about = self.language.about();
        let pairs: Vec<(String, String)> = evidence
            .settings
            .iter()
            .flat_map(|(name, values)| values.iter().map(|value| (name.clone(), value.clone())))
            .collect();
        let settings = Settings::new(about.name, about.settings, Verb::Check, &pairs)
            .map_err(|wrong| Rejection::unreadable(one_line(&Trouble::Invalid(wrong))))?;
        if settings.pinned(about.settings) != evidence.settings {
            let message = "the evidence has settings that are not part of a question";
            return Err(Rejection::unreadable(message));
        }
        if let Some(name) = misleading(about.settings, &settings) {
            return Err(Rejection::unreadable(format!(
                "the evidence says `--{name}` in a way that reads like something else"
            )));
        }
        let same = |opened: &Opened| opened.settings == settings;
        if !self.opened.as_ref().is_some_and(same) {
            self.opened = None;
            let language = self.language;
            let opened = self
                .workbench
                .open_with(&mut self.request, language, settings, self.cx);
            self.opened = Some(opened.map_err(rejection)?);
        }
        let in_force = self
            .opened
            .as_ref()
            .map(|opened| opened.model.constants().into_iter().collect());
        if in_force.as_ref() != Some(&evidence.constants) {
            let message = "the constants of the file are not those of the evidence";
            return Err(Rejection::wrong(message));
        }
        Ok(())
    }

    /// The question in a line.
    fn question(&self, evidence: &Evidence, property: Option<&Property>) -> String {
        let name = match property {
            Some(property) => property.name.clone(),
            None => evidence.property.clone().unwrap_or_default(),
        };
        let number = property.and_then(|property| property.number);
        let number = number
            .map(|number| format!("{number}. "))
            .unwrap_or_default();
        let settings = evidence.settings.iter().map(|(name, values)| {
            match values.iter().all(|value| value.is_empty()) {
                true => name.clone(),
                false => format!("{name} {}", values.join(", ")),
            }
        });
        let settings: Vec<String> = settings.collect();
        let with = match settings.is_empty() {
            true => String::new(),
            false => format!(" with {}", settings.join(", ")),
        };
        let line = format!("{number}{name} in {}{with}", self.request.input.name());
        // Neither a name in the evidence nor one of a file makes lines of its own.
        line.chars().flat_map(visible).collect()
    }

    /// Adds a rejection for every property of the file without accepted evidence.
    fn demand_all(&mut self, judged: &mut Vec<Judged>) -> Result<(), Trouble> {
        let opened = self.workbench.open_with(
            &mut self.request,
            self.language,
            self.pinned.clone(),
            self.cx,
        )?;
        let constants = opened.model.constants().into_iter().collect();
        let settings = opened.settings.pinned(opened.about.settings);
        let all = opened.model.properties();
        self.cx.budget.poll()?;
        // Of no property everything would be shown: questions of another file are named.
        if all.is_empty() {
            let message = "the file has no property by itself; say with settings which ones \
                           must be shown";
            let question = format!("every property of {}", self.request.input.name());
            let evidence = Evidence::of_holds("missing", &());
            judged.push(missing(question, evidence, message));
        }
        for property in all {
            // With other constants or settings it is another question.
            let shown = |one: &Judged| {
                one.evidence.property.as_deref() == Some(&property.name)
                    && one.evidence.constants == constants
                    && one.evidence.settings == settings
                    && one.outcome.is_ok()
            };
            if judged.iter().any(shown) {
                continue;
            }
            let message = "there is no accepted evidence for this property of the file";
            let mut evidence = Evidence::of_holds("missing", &());
            evidence.property = Some(property.name.clone());
            let question = self.question(&evidence, Some(&property));
            judged.push(missing(question, evidence, message));
        }
        Ok(())
    }
}

/// A rejection where there is no evidence to reject.
fn missing(question: String, evidence: Evidence, message: &str) -> Judged {
    Judged {
        question: question.chars().flat_map(visible).collect(),
        evidence,
        outcome: Err(Rejection::wrong(message)),
    }
}

/// A setting that is in force in another way than its line says: a name that is given two values,
/// of which one counts, or a flag with a value, which would be set by `no` as well.
fn misleading(known: &[Setting], settings: &Settings) -> Option<&'static str> {
    let found = known.iter().find(|setting| match setting.kind {
        Kind::Flag => settings.all(setting.name).iter().any(|one| !one.is_empty()),
        Kind::Assignment => {
            let mut names = HashSet::new();
            let mut given = settings.assignments(setting.name).into_iter();
            given.any(|(name, _)| !names.insert(name))
        }
        _ => false,
    });
    found.map(|setting| setting.name)
}

/// A model that cannot be opened as the evidence says is not the one that it is about.
fn rejection(trouble: Trouble) -> Rejection {
    match trouble {
        Trouble::Stopped(stop) => Rejection::Stopped(stop),
        wrong => Rejection::wrong(format!(
            "the model is not the one that the evidence is about: {}",
            one_line(&wrong)
        )),
    }
}

/// A character as it may be printed on a line.
fn visible(letter: char) -> impl Iterator<Item = char> {
    let escaped = letter.is_control().then(|| letter.escape_debug());
    let plain = escaped.is_none().then_some(letter);
    escaped.into_iter().flatten().chain(plain)
}

fn one_line(trouble: &Trouble) -> String {
    trouble.to_string().lines().collect::<Vec<_>>().join("; ")
}

fn word(claim: Claim) -> &'static str {
    match claim {
        Claim::Holds => "holds",
        Claim::Violated => "violated",
    }
}

fn described(language: &str) -> String {
    match language.is_empty() {
        true => "no language".to_owned(),
        false => format!("a model in the language `{}`", language.escape_debug()),
    }
}
