//! Problems about words, for the engine of regular model checking.

use std::sync::Arc;

use quotient_automata::formats::{Named, Role};
use quotient_automata::{Nfa, Relation};
use quotient_certify::{Certified, Rejection, WordProblem, certify_words};
use quotient_core::{Context, Diagnostic, Evidence, Recorder, Sink, Source, nearest};
use quotient_regular::{
    Answer as EngineAnswer, Configuration, Doubt, Found, Options, Problem, Property, Set,
    check as decide,
};
use quotient_words::problem_files::{self, ProblemFile};

use super::disk::Disk;
use super::{Answer, Checked, Wishes};
use crate::failure::Failure;
use crate::files;
use crate::outputs::count;
use crate::session::Session;

/// Of a longer run the attempts in the middle are not kept.
const MOST_AUTOMATA: usize = 400;

/// A problem with the settings that came with it.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) title: String,
    pub(super) file: ProblemFile,
}

/// Reads a folder.
pub(super) fn read_folder(folder: &str, session: &Session) -> Result<Setup, Failure> {
    let limits = files::limits(session);
    let mut disk = Disk::at(folder, limits.bytes);
    let names = disk.names()?;
    let file = problem_files::read_folder(folder, &names, &mut disk, &limits, &session.budget)?;
    let title = file.name.clone().unwrap_or_else(|| folder.to_owned());
    Ok(Setup { title, file })
}

/// Reads a manifest, an `armc.properties`, or a file that states the whole problem.
pub(super) fn read(source: &Source, session: &Session) -> Result<Setup, Failure> {
    let limits = files::limits(session);
    let mut disk = Disk::beside(source.name(), limits.bytes);
    let file = problem_files::read_problem(source, &mut disk, &limits, &session.budget)?;
    let title = file
        .name
        .clone()
        .unwrap_or_else(|| source.name().to_owned());
    Ok(Setup { title, file })
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
    let Setup { title, file } = setup;
    let problem = wishes.liveness.apply(file.problem, session)?;
    let problem = only(problem, &wishes.properties)?;
    let (mut context, recorder) = context(session);
    if let Some(timeout) = file.timeout {
        context.budget = session.budget.child_for(timeout);
    }
    let options = options(wishes, file.configuration);
    let report = decide(&problem, &options, &context);
    let answers = report
        .answers
        .iter()
        .map(|answer| translate(answer, &problem, wishes))
        .collect();
    Ok(Checked {
        title,
        answers,
        doubts: report.doubts.iter().map(doubt).collect(),
        warnings: file.warnings,
        story: recorder.events(),
        parts: parts(&problem),
        ..Checked::default()
    })
}

/// What the engine works in, and who writes its story down.
pub(super) fn context(session: &Session) -> (Context, Arc<Recorder>) {
    let recorder = Arc::new(Recorder::default());
    let context = Context {
        budget: session.budget.clone(),
        story: session.story(vec![recorder.clone() as Arc<dyn Sink>]),
        ..Context::default()
    };
    (context, recorder)
}

/// How the engine is to work: as the user says, or else the file.
pub(super) fn options(wishes: &Wishes, given: Option<Configuration>) -> Options {
    let options = Options {
        methods: wishes.method.clone().or(given).into_iter().collect(),
        identity: wishes.identity,
        doubt: wishes.doubt,
        fall_back: wishes.fall_back,
        keep_automata: match wishes.every_automaton {
            true => MOST_AUTOMATA,
            false => 0,
        },
        ..Options::default()
    };
    Options {
        threads: wishes.threads.unwrap_or(options.threads),
        ..options
    }
}

/// A reason to doubt a model, for people and for programs.
pub(super) fn doubt(doubt: &Doubt) -> (String, serde_json::Value) {
    let json = serde_json::to_value(doubt).unwrap_or_default();
    (doubt.to_string(), json)
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

pub(super) fn unknown_property(name: &str, there: &str, near: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("no-such-property", format!("there is no property `{name}`"))
            .note(format!("there is {there}"));
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// An answer of the engine as one of the command line.
pub(super) fn translate(answer: &EngineAnswer, problem: &Problem, wishes: &Wishes) -> Answer {
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
    exhibits.extend(automata(answer));
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
        number: None,
        verdict: answer.verdict(),
        method: answer.method.clone(),
        refinements: answer.refinements,
        because,
        trace,
        table: None,
        evidence: answer.evidence(problem, wishes.family),
        exhibits,
        notes: Vec::new(),
        details: Vec::new(),
        vacuous: false,
    }
}

/// Checks evidence about a problem by the independent checker.
pub(super) fn certify(
    evidence: &Evidence,
    problem: &Problem,
    session: &Session,
) -> Result<Certified, Rejection> {
    let own = |property: &Property| (property.name.clone(), property.bad.clone());
    let bad: Vec<(String, Nfa)> = problem.properties().iter().map(own).collect();
    let question = WordProblem {
        initial: problem.initial(),
        bad: &bad,
        relation: problem.relation(),
    };
    certify_words(evidence, &question, &session.budget)
}

/// The automata of the attempts that were kept, each with a word about it.
fn automata(answer: &EngineAnswer) -> Vec<(String, Named)> {
    let mut exhibits = Vec::new();
    let mut next = 0;
    for (number, round) in &answer.attempts {
        let mut gap = match *number > next {
            true => format!("(attempts {next} to {} were not kept) ", number - 1),
            false => String::new(),
        };
        next = number + 1;
        let last = round.steps();
        let sets = (round.sets.iter().enumerate()).map(|(i, set)| (i, format!("M{i}"), "", set));
        let merged = (round.abstractions.iter().enumerate())
            .map(|(i, set)| (i, format!("M{i} merged"), " with states merged", set));
        let alarms = (round.alarms.iter().enumerate())
            .map(|(i, set)| (last - i, format!("X{}", last - i), "", set));
        let mut all: Vec<_> = sets.chain(merged).collect();
        all.sort_by_key(|(step, ..)| *step);
        for (step, name, how, set) in all.into_iter().chain(alarms) {
            let letter = if name.starts_with('X') { 'X' } else { 'M' };
            let caption = format!("{gap}attempt {number}: {letter}_{step}{how}");
            gap.clear();
            let name = format!("attempt {number} {name}");
            let named = Named::new(name, Role::Unspecified, set.to_nfa());
            exhibits.push((caption, named));
        }
    }
    exhibits
}

/// The automata and transducers of the problem, with their roles.
pub(super) fn parts(problem: &Problem) -> Vec<Named> {
    let mut parts = vec![Named::new("init", Role::Initial, problem.initial().clone())];
    for property in problem.properties() {
        parts.push(Named::new(&property.name, Role::Bad, property.bad.clone()));
    }
    for (name, transducer) in problem.relation().parts() {
        parts.push(Named::new(name, Role::Transition, transducer.clone()));
    }
    parts
}
