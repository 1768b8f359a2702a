//! Systems of components in the FSP language.

use clap::{Args, ValueEnum};
use quotient_compose::{
    Algorithm, Alphabet, Answer as Found, Decomposition, Finding, Heuristic, Lasso, Means, Network,
    Options, Report, Rule, Start, Strategy, Way,
};
use quotient_core::{Context, Diagnostic, Limits, Source, Verdict};
use quotient_fsp::{Ask, Compiled, Error, Model, Replay, write_assumption};
use serde_json::json;

use super::{Answer, Checked, Table, Wishes};
use crate::failure::Failure;
use crate::outputs::count;
use crate::session::Session;

/// How to check a system of components.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Components (FSP)")]
pub(crate) struct ComponentWishes {
    /// The composite or process to check; by default the last composite.
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// Give a constant of the text another value.
    #[arg(long = "constant", value_name = "NAME=VALUE", value_parser = constant)]
    constants: Vec<(String, i32)>,
    /// Check the progress properties instead of safety.
    #[arg(long, conflicts_with = "ltl")]
    progress: bool,
    /// Check an assertion of the text instead of safety.
    #[arg(long, value_name = "NAME")]
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

fn constant(text: &str) -> Result<(String, i32), String> {
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
    let model = Model::read(source)?;
    let options = quotient_fsp::Options {
        system: wanted.system.clone(),
        properties: wishes.properties.clone(),
        constants: wanted.constants.clone(),
        imports: imports(&model, source, session)?,
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
    let answers = report
        .answers
        .iter()
        .map(|found| answer(found, &report, &compiled))
        .collect();
    Ok(Checked {
        title: compiled.name.clone(),
        answers,
        warnings: compiled.warnings,
        story: recorder.events(),
        ..Checked::default()
    })
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Invalid(diagnostic) => (*diagnostic).into(),
        Error::Stopped(stop) => stop.into(),
    }
}

/// The files that the text imports, beside it.
fn imports(
    model: &Model,
    source: &Source,
    session: &Session,
) -> Result<Vec<(String, Source)>, Failure> {
    let folder = std::path::Path::new(source.name())
        .parent()
        .map(std::path::Path::to_owned)
        .unwrap_or_default();
    let read = |name: &str| {
        let path = folder.join(name).to_string_lossy().into_owned();
        Ok((name.to_owned(), crate::files::source(&path, session)?))
    };
    model.imports().map(read).collect()
}

fn answer(found: &Found, report: &Report, compiled: &Compiled) -> Answer {
    let network = &report.network;
    let mut table = None;
    let because = match &found.finding {
        Finding::Explored(explored) => {
            format!(
                "{} looked at",
                count(
                    usize::try_from(explored.states).unwrap_or(usize::MAX),
                    "state"
                )
            )
        }
        Finding::Proof(proof) => {
            let sizes: Vec<String> = proof
                .assumptions
                .iter()
                .map(|assumption| count(assumption.states(), "state"))
                .collect();
            let texts = proof
                .assumptions
                .iter()
                .enumerate()
                .map(|(number, assumption)| {
                    write_assumption(&format!("ASSUMPTION_{}", number + 1), assumption, network)
                });
            let texts: Vec<String> = texts.filter(|text| text.lines().count() <= 40).collect();
            table = Some(Table {
                text: wrapped(&texts.join("\n"), WIDTH - 8, 8),
                cells: Vec::new(),
                json: json!({ "assumptions": texts }),
            });
            match sizes.is_empty() {
                true => "every component keeps it by itself".to_owned(),
                false => format!("assumptions of {}", sizes.join(", ")),
            }
        }
        Finding::Trace(trace) => {
            let told = compiled.tell(network, trace);
            table = Some(told_table(&told, found.about == "deadlock"));
            format!("a trace of {}", count(told.steps.len(), "step"))
        }
        Finding::Starvation(starvation) => {
            table = Some(lasso_table(&starvation.lasso, network, compiled));
            let names: Vec<&str> = starvation
                .starved
                .iter()
                .map(|&action| network.name(action))
                .collect();
            format!("the system can go on for ever without {}", names.join(", "))
        }
        Finding::Lasso(lasso) => {
            table = Some(lasso_table(lasso, network, compiled));
            "an infinite execution".to_owned()
        }
        Finding::Nothing => match &found.verdict {
            Verdict::Unknown(stop) => stop.to_string(),
            _ => "all executions looked at".to_owned(),
        },
    };
    Answer {
        property: found.about.clone(),
        verdict: found.verdict.clone(),
        method: Some(found.method.clone()),
        refinements: found
            .statistics
            .map_or(0, |statistics| statistics.conjectures.saturating_sub(1)),
        because,
        trace: Vec::new(),
        table,
        evidence: found.evidence.clone(),
        exhibits: Vec::new(),
        number: None,
        notes: Vec::new(),
        details: Vec::new(),
        vacuous: false,
    }
}

/// One row a step: the action, and where it takes the components.
fn told_table(told: &Replay, waits: bool) -> Table {
    let mut cells = vec![vec![
        "step".to_owned(),
        "action".to_owned(),
        "by".to_owned(),
    ]];
    for (number, step) in told.steps.iter().enumerate() {
        let moves = step.moves.iter().map(|one| match &one.state {
            Some(state) => format!("{} → {state}", one.component),
            None => one.component.clone(),
        });
        let label = if step.hidden {
            format!("({})", step.label)
        } else {
            step.label.clone()
        };
        cells.push(vec![
            (number + 1).to_string(),
            label,
            moves.collect::<Vec<_>>().join(", "),
        ]);
    }
    let mut text = columns(&cells);
    let waiting = told.end.iter().map(|end| {
        let offers = if end.offers.is_empty() {
            "nothing".to_owned()
        } else {
            end.offers.join(", ")
        };
        format!("{} waits for {offers}", end.component)
    });
    let waiting: Vec<String> = waiting.filter(|_| waits).collect();
    waiting
        .iter()
        .for_each(|line| text.push_str(&format!("{}\n", wrapped(line, WIDTH, 2))));
    let steps = told.steps.iter().map(|step| {
        let moves: Vec<_> = step
            .moves
            .iter()
            .map(|one| json!({ "component": one.component, "state": one.state }))
            .collect();
        json!({ "action": step.label, "hidden": step.hidden, "moves": moves })
    });
    let json = json!({ "steps": steps.collect::<Vec<_>>(), "waiting": waiting });
    Table { text, cells, json }
}

fn lasso_table(lasso: &Lasso, network: &Network, compiled: &Compiled) -> Table {
    let name = |&action: &quotient_compose::Action| network.name(action).to_owned();
    let (way, cycle): (Vec<String>, Vec<String>) = (
        lasso.way.iter().map(name).collect(),
        lasso.cycle.iter().map(name).collect(),
    );
    let mut table = match compiled.replay(network, &lasso.way) {
        Ok(told) => told_table(&told, false),
        Err(_) => Table {
            text: format!("{}\n", way.join(" ")),
            cells: Vec::new(),
            json: json!({ "way": way }),
        },
    };
    table.text.push_str(&wrapped(
        &format!("then for ever: {}\n", cycle.join(" ")),
        WIDTH - 2,
        2,
    ));
    table.text.push('\n');
    table.json["cycle"] = json!(cycle);
    table
}

/// What is left of 80 columns for a table within an answer.
const WIDTH: usize = 78;

/// Columns as wide as their widest entry, the last one wrapped.
fn columns(cells: &[Vec<String>]) -> String {
    let width = |column: usize| {
        cells
            .iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (first, second) = (width(0), width(1));
    let indent = first + second + 4;
    let line = |row: &Vec<String>| {
        let wrapped = wrapped(&row[2], WIDTH.saturating_sub(indent).max(20), indent);
        format!("{:<first$}  {:<second$}  {wrapped}\n", row[0], row[1])
    };
    cells.iter().map(line).collect()
}

/// A text of several lines, each within the width, what is left over indented.
fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let lines = text
        .lines()
        .map(|line| quotient_report::wrap(line, width).replace('\n', &format!("\n{:indent$}", "")));
    lines.collect::<Vec<_>>().join("\n")
}
