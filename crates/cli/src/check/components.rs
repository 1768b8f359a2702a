//! Systems of components in the FSP language, and single ones in Aldebaran files.

mod answer;
mod certify;
mod component;
mod read;
mod told;

use clap::{Args, ValueEnum};
use quotient_compose::{
    Algorithm, Alphabet, Decomposition, Heuristic, Means, Options, Rule, Start, Strategy, Way,
};
use quotient_core::{Context, Diagnostic, Limits, Source, Verdict};
use quotient_fsp::{Ask, Compiled, Error, Teller};

use super::{Checked, Wishes};
use crate::failure::Failure;
use crate::session::Session;

use answer::answer;
pub(crate) use certify::certify;
pub(crate) use component::{Component, Components};
pub(crate) use read::{is_aldebaran, read};
pub(crate) use told::{moves, shown_label, told_table, waiting_json, waiting_line, wrapped};

/// How to check a system of components.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Components (FSP)")]
pub(crate) struct ComponentWishes {
    /// The composite or process to check, perhaps with parameters as in `DINERS(3)`; by default
    /// the last composite.
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// Give a constant of the text, or a parameter of the system, another value.
    #[arg(long = "constant", value_name = "NAME=VALUE", value_parser = constant)]
    constants: Vec<(String, i32)>,
    /// Check the progress properties instead of safety; without any, that every action goes on.
    #[arg(long, conflicts_with_all = ["ltl", "rule", "learn", "abstract_", "weakest", "alphabet", "components"])]
    progress: bool,
    /// Check an assertion of the text instead of safety.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["rule", "learn", "abstract_", "weakest", "alphabet", "components"])]
    ltl: Option<String>,
    /// Do not assume that choices are fair.
    #[arg(long, requires = "ltl")]
    unfair: bool,
    /// Search the whole system.
    #[arg(long, conflicts_with_all = ["rule", "learn", "abstract_", "weakest", "alphabet", "components"])]
    monolithic: bool,
    /// Prove by assumptions, with this rule.
    #[arg(long, value_enum, value_name = "RULE")]
    rule: Option<RuleName>,
    /// Learn the assumptions, with this algorithm.
    #[arg(long, value_enum, value_name = "ALGORITHM", conflicts_with_all = ["abstract_", "weakest"])]
    learn: Option<LearnerName>,
    /// Take abstractions of the environment as assumptions.
    #[arg(long = "abstract", conflicts_with = "weakest")]
    abstract_: bool,
    /// Build the weakest assumption directly.
    #[arg(long)]
    weakest: bool,
    /// Over which actions assumptions speak.
    #[arg(long, value_enum, value_name = "ALPHABET")]
    alphabet: Option<AlphabetName>,
    /// Take these components together, as in `A+B,C`, or `halves`.
    #[arg(long, value_name = "GROUPS")]
    components: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RuleName {
    /// One assumption between each component and the rest.
    Asymmetric,
    /// The same, around the circle.
    Circular,
    /// One assumption for each component.
    Symmetric,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnerName {
    /// L# (the default).
    Lsharp,
    /// L* with Rivest and Schapire's counterexamples.
    Lstar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AlphabetName {
    /// The whole interface.
    Whole,
    /// The property's actions at first, more from the end of false alarms (the default).
    Backward,
    /// The same, from the beginning of false alarms.
    Forward,
    /// The same, all actions that differ.
    AllDifference,
    /// No actions at first.
    Empty,
}

pub(crate) fn constant(text: &str) -> Result<(String, i32), String> {
    let parsed = text
        .split_once('=')
        .and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    parsed.ok_or_else(|| "write NAME=VALUE with a whole number, as in N=4".to_owned())
}

impl ComponentWishes {
    fn ask(&self) -> Ask {
        match &self.ltl {
            Some(name) => Ask::Assertion {
                name: name.clone(),
                fair: !self.unfair,
            },
            None if self.progress => Ask::Progress,
            None => Ask::Safety,
        }
    }

    fn way(&self, compiled: &Compiled, source: &Source) -> Result<Way, Diagnostic> {
        if self.monolithic {
            return Ok(Way::Monolithic);
        }
        let untouched = self.rule.is_none() && self.learn.is_none() && self.alphabet.is_none();
        if untouched && !self.abstract_ && !self.weakest && self.components.is_none() {
            return Ok(Way::Automatic);
        }
        let rule = match self.rule {
            None | Some(RuleName::Asymmetric) => Rule::Asymmetric,
            Some(RuleName::Circular) => Rule::Circular,
            Some(RuleName::Symmetric) => Rule::Symmetric,
        };
        let means = match self.learn {
            _ if self.abstract_ => Means::Abstract,
            _ if self.weakest => Means::Weakest,
            Some(LearnerName::Lstar) => Means::Learn(Algorithm::LStar),
            _ => Means::Learn(Algorithm::LSharp),
        };
        let refined = |start, heuristic| Alphabet::Refined { start, heuristic };
        let alphabet = match self.alphabet {
            None => Alphabet::default(),
            Some(AlphabetName::Whole) => Alphabet::Whole,
            Some(AlphabetName::Backward) => refined(Start::Property, Heuristic::Backward),
            Some(AlphabetName::Forward) => refined(Start::Property, Heuristic::Forward),
            Some(AlphabetName::AllDifference) => refined(Start::Property, Heuristic::AllDifference),
            Some(AlphabetName::Empty) => refined(Start::Empty, Heuristic::Backward),
        };
        let decomposition = match self.components.as_deref() {
            None => Decomposition::Separate,
            Some("halves") => Decomposition::Halves,
            Some(groups) => Decomposition::Given(numbers(groups, compiled, source)?),
        };
        Ok(Way::Assumptions(Strategy {
            rule,
            means,
            alphabet,
            decomposition,
        }))
    }
}

/// Components by name, `+` within a group and `,` between groups.
fn numbers(
    groups: &str,
    compiled: &Compiled,
    source: &Source,
) -> Result<Vec<Vec<usize>>, Diagnostic> {
    let number = |name: &str| {
        let name = name.trim();
        compiled
            .components
            .iter()
            .position(|known| known == name)
            .ok_or_else(|| {
                Diagnostic::error(
                    "no-such-component",
                    format!("there is no component `{name}`"),
                )
                .in_source(source)
                .note(format!(
                    "the components are {}",
                    compiled.components.join(", ")
                ))
                .did_you_mean(name, compiled.components.iter().map(String::as_str))
            })
    };
    groups
        .split(',')
        .map(|group| group.split('+').map(number).collect())
        .collect()
}

/// Checks a system of the text.
pub(super) fn check(
    source: &Source,
    wishes: &Wishes,
    session: &Session,
) -> Result<Checked, Failure> {
    let wrong = match wishes {
        Wishes {
            method: Some(_), ..
        } => Some("--method"),
        Wishes { family: true, .. } => Some("--family"),
        _ => None,
    };
    if let Some(wrong) = wrong {
        let message =
            format!("`{wrong}` is for problems about words, and this is a system of components");
        return Err(Diagnostic::error("usage", message).in_source(source).into());
    }
    let wanted = &wishes.components;
    let (model, imports) = read(source, session)?;
    let options = quotient_fsp::Options {
        system: wanted.system.clone(),
        properties: wishes.properties.clone(),
        constants: wanted.constants.clone(),
        imports,
    };
    let mut compiled = model.compile(&options, &session.budget).map_err(failure)?;
    let question = model
        .question(&wanted.ask(), &options, &mut compiled, &session.budget)
        .map_err(failure)?;
    let mut how = Options {
        way: wanted.way(&compiled, source)?,
        ..Options::default()
    };
    if let Some(threads) = wishes.threads {
        how.threads = threads;
    }
    let recorder = std::sync::Arc::new(quotient_core::Recorder::default());
    let mut context = Context {
        budget: session.budget.clone(),
        story: session.story(vec![recorder.clone()]),
        limits: Limits::default(),
        attempt: 0,
    };
    let report = quotient_compose::check(&compiled.system, &question, &how, &mut context)?;
    // Only violations are told, and looking into components may take as long as building them.
    let teller = match report.verdict() {
        Verdict::Violated => Some(Teller::new(&report.network, &session.budget)?),
        _ => None,
    };
    let found = report.answers.iter();
    let answers = found.map(|found| answer(found, &report, &question, teller.as_ref()));
    let mut answers: Vec<_> = answers.collect();
    if let (Way::Assumptions(_), Verdict::Holds, Some(last)) =
        (&how.way, report.verdict(), answers.last_mut())
    {
        let note = "no word on deadlock: assumptions are about properties";
        last.notes.push(note.to_owned());
        last.details.push(("deadlock", "not checked".into()));
    }
    Ok(Checked {
        title: compiled.name.clone(),
        answers,
        warnings: compiled.warnings,
        story: recorder.events(),
        ..Checked::default()
    })
}

pub(crate) fn failure(error: Error) -> Failure {
    match error {
        Error::Invalid(diagnostics) => Failure::Input(diagnostics),
        Error::Stopped(stop) => stop.into(),
    }
}
