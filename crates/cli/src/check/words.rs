//! Problems about words, for the engine of regular model checking.

use std::sync::Arc;
use std::time::Duration;

use quotient_automata::formats::{self, Document, Kind, Named, Reading, Role};
use quotient_automata::{Nfa, Relation};
use quotient_core::{Context, Diagnostic, Recorder, Sink, Source, nearest};
use quotient_regular::{
    Answer as EngineAnswer, Configuration, Found, Identity, Options, Problem, Property, Set,
    check as decide,
};

use super::{Answer, Checked, Wishes};
use crate::failure::Failure;
use crate::files;
use crate::outputs::count;
use crate::session::Session;

/// A problem with the settings that came with it.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) title: String,
    pub(super) problem: Problem,
    pub(super) settings: Settings,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Settings of a file; the command line goes before them.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) methods: Vec<Configuration>,
    pub(super) identity: Identity,
    pub(super) timeout: Option<Duration>,
    pub(super) threads: Option<usize>,
    pub(super) doubt: Option<bool>,
}

/// A problem that one file states as a whole.
pub(super) fn whole_problem(source: &Source, session: &Session) -> Result<Setup, Failure> {
    let reading = Reading {
        limits: files::limits(session),
        ..Reading::default()
    };
    let document = formats::read(source, &reading, &session.budget)?;
    if !document.is_problem() {
        let message = "this is an automaton, not a problem to check";
        return Err(Diagnostic::error("no-problem", message)
            .in_source(source)
            .note("a problem has initial configurations, steps and bad configurations")
            .help("name the files of a problem in a manifest: `quotient check --write-config`")
            .into());
    }
    let parts = document.problem()?;
    let own = |(name, machine): &(&str, &Nfa)| ((*name).to_owned(), (*machine).clone());
    let steps = parts
        .transitions
        .iter()
        .map(|&(name, transducer)| (name.to_owned(), transducer.clone()))
        .collect();
    let bad = parts.bad.iter().map(own).collect();
    let problem = problem(
        parts.initial.clone(),
        bad,
        Relation::new(&document.alphabet, steps),
    )
    .map_err(|diagnostic| diagnostic.in_source(source))?;
    Ok(Setup {
        title: source.name().to_owned(),
        problem,
        settings: Settings::default(),
        warnings: document.warnings.clone(),
    })
}

/// The files of a problem, with the names for its parts.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) initial: String,
    pub(super) bad: Vec<(String, String)>,
    pub(super) transitions: Vec<(String, String)>,
}

/// Reads the files of a problem over their common alphabet.
pub(super) fn read_files(
    files: &Files,
    session: &Session,
) -> Result<(Problem, Vec<Diagnostic>), Failure> {
    let mut sources = Vec::new();
    let mut add = |path: &str, kind: Kind| -> Result<(), Failure> {
        let reading = Reading {
            expect: Some(kind),
            limits: files::limits(session),
            ..Reading::default()
        };
        sources.push((files::source(path, session)?, reading));
        Ok(())
    };
    add(&files.initial, Kind::Automaton)?;
    for (_, path) in &files.bad {
        add(path, Kind::Automaton)?;
    }
    for (_, path) in &files.transitions {
        add(path, Kind::Transducer)?;
    }
    let documents = formats::read_all(&sources, &session.budget)?;
    let warnings = documents
        .iter()
        .flat_map(|document| document.warnings.clone())
        .collect();
    let (initial, rest) = documents.split_first().expect("the initial set was read");
    let (bad, steps) = rest.split_at(files.bad.len());
    let named = |(name, _): &(String, String), document: &Document| {
        Ok((name.clone(), document.automaton()?.clone()))
    };
    let bad = files
        .bad
        .iter()
        .zip(bad)
        .map(|(file, document)| named(file, document))
        .collect::<Result<Vec<_>, Failure>>()?;
    let mut parts = Vec::new();
    for ((name, _), document) in files.transitions.iter().zip(steps) {
        parts.push((name.clone(), document.transducer()?.clone()));
    }
    let relation = Relation::new(&initial.alphabet, parts);
    let problem = problem(initial.automaton()?.clone(), bad, relation)?;
    Ok((problem, warnings))
}

/// Puts the parts together.
pub(super) fn problem(
    initial: Nfa,
    bad: Vec<(String, Nfa)>,
    relation: Relation,
) -> Result<Problem, Diagnostic> {
    let properties = bad
        .into_iter()
        .map(|(name, bad)| Property { name, bad })
        .collect();
    Problem::new(initial, properties, relation)
        .map_err(|error| Diagnostic::error("no-problem", error.to_string()))
}

/// Asks the engine.
pub(super) fn check(setup: Setup, wishes: &Wishes, session: &Session) -> Result<Checked, Failure> {
    let Setup {
        title,
        problem,
        settings,
        warnings,
    } = setup;
    let problem = only(problem, &wishes.properties)?;
    let recorder = Arc::new(Recorder::default());
    let context = Context {
        budget: match settings.timeout {
            Some(timeout) => session.budget.child_for(timeout),
            None => session.budget.clone(),
        },
        story: session.story(vec![recorder.clone() as Arc<dyn Sink>]),
        ..Context::default()
    };
    let mut options = Options {
        methods: settings.methods,
        identity: settings.identity,
        doubt: settings.doubt.unwrap_or(true) && wishes.doubt,
        ..Options::default()
    };
    if let Some(method) = &wishes.method {
        options.methods = vec![method.clone()];
    }
    if let Some(threads) = wishes.threads.or(settings.threads) {
        options.threads = threads;
    }
    let report = decide(&problem, &options, &context);
    let answers = report
        .answers
        .iter()
        .map(|answer| translate(answer, &problem, wishes))
        .collect();
    let doubts = report
        .doubts
        .iter()
        .map(|doubt| {
            (
                doubt.to_string(),
                serde_json::to_value(doubt).unwrap_or_default(),
            )
        })
        .collect();
    Ok(Checked {
        title,
        answers,
        doubts,
        warnings,
        story: recorder.events(),
        parts: parts(&problem),
    })
}

/// The problem with only the properties named, if any are.
fn only(problem: Problem, names: &[String]) -> Result<Problem, Diagnostic> {
    if names.is_empty() {
        return Ok(problem);
    }
    let known = || {
        problem
            .properties()
            .iter()
            .map(|property| property.name.as_str())
    };
    for name in names {
        if !known().any(|known| known == name) {
            let there: Vec<String> = known().map(|name| format!("`{name}`")).collect();
            return Err(unknown_property(
                name,
                &there.join(", "),
                nearest(name, known()),
            ));
        }
    }
    let kept = problem
        .properties()
        .iter()
        .filter(|property| names.contains(&property.name));
    let kept = kept
        .map(|property| (property.name.clone(), property.bad.clone()))
        .collect();
    self::problem(problem.initial().clone(), kept, problem.relation().clone())
}

fn unknown_property(name: &str, there: &str, near: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("no-such-property", format!("there is no property `{name}`"))
            .note(format!("there is {there}"));
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

fn translate(answer: &EngineAnswer, problem: &Problem, wishes: &Wishes) -> Answer {
    let automaton = |set: &Set| set.to_nfa();
    let mut exhibits = Vec::new();
    let because = match &answer.found {
        Found::Proof(proof) => {
            let named = Named::new("invariant", Role::Unspecified, automaton(&proof.invariant));
            exhibits.push(("an inductive invariant".to_owned(), named));
            format!(
                "an invariant with {}",
                count(proof.invariant.len(), "state")
            )
        }
        Found::Run(run) => {
            for (number, set) in run
                .family
                .iter()
                .enumerate()
                .filter(|_| wishes.family || wishes.every_automaton)
            {
                let named = Named::new(format!("X{number}"), Role::Unspecified, automaton(set));
                exhibits.push((
                    format!("where runs of this kind are after {number} steps"),
                    named,
                ));
            }
            format!("a run of {}", count(run.steps.len(), "step"))
        }
        Found::Nothing(stop) => stop.to_string(),
    };
    let trace = answer.run(problem).map_or_else(Vec::new, |run| {
        let actions = std::iter::once(None).chain(run.steps.iter().cloned().map(Some));
        let words = run.words.iter().map(|word| match word.is_empty() {
            true => "ε".to_owned(),
            false => word.join(" "),
        });
        actions.zip(words).collect()
    });
    Answer {
        property: answer.property.clone(),
        verdict: answer.verdict(),
        method: answer.method.clone(),
        refinements: answer.refinements,
        because,
        trace,
        table: None,
        evidence: answer.evidence(problem, wishes.family),
        exhibits,
    }
}

/// The automata and transducers of the problem, with their roles.
fn parts(problem: &Problem) -> Vec<Named> {
    let mut parts = vec![Named::new("init", Role::Initial, problem.initial().clone())];
    for property in problem.properties() {
        parts.push(Named::new(&property.name, Role::Bad, property.bad.clone()));
    }
    for (name, transducer) in problem.relation().parts() {
        parts.push(Named::new(name, Role::Transition, transducer.clone()));
    }
    parts
}
