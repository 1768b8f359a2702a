//! Questions about every number of processors.
//!
//! A few numbers are simply run. What they do not refute about ends is proved. That nothing ends in a
//! deadlock: by all processors coming to the same barriers ([`alike`]), or on an abstraction: a machine is a word with a letter for each processor, which says at
//! which barrier it waits and what it still knows of its data ([`rough`]); a barrier is a step of
//! words ([`word`]). The other ends are proved on this abstraction, too, where it shows that nobody fails or that
//! everything ends. Where the abstraction has an end that the program has not, numbers are remembered more exactly.

mod alike;
mod messages;
mod rough;
#[cfg(test)]
mod tests;
mod value;
mod word;

use std::collections::BTreeSet;

use quotient_automata::evidence::{INVARIANT_KIND, InvariantEvidence};
use quotient_certify::{WordProblem, certify_words};
use quotient_core::{
    Budget, Certified, Claim, Context, Evidence, Rejection, Source, Stop, Verdict,
};
use quotient_language::{Answer, Ask};
use quotient_logic::Formula;
use quotient_regular::{Found, Options, check};
use serde::{Deserialize, Serialize};

use crate::certify::replay;
use crate::linear::formula::Atom;
use crate::linear::{self, Broken, LASSO, judge};
use crate::outcome::{answers, nobody_has, told};
use crate::program::{Asked, Expression, Kind, Program, Question, Value};
use crate::read::{self, MOST_PROCESSORS};
use crate::run::{Run, run};
use crate::story;
use alike::Facts;

/// The kinds of evidence: a run with some number of processors, what differs between processors where all come to the same
/// barriers, and an invariant for every number.
const SOME: &str = "bsp-some";
const ALIKE: &str = "bsp-alike";
const EVERY: &str = "bsp-every";

/// How many numbers of processors are simply run.
const TRIED: usize = 6;
/// How much work it may take to say what is so of all larger numbers.
const FURTHER: u64 = 2_000_000;
/// The numbers that are remembered exactly, from attempt to attempt.
const BOUNDS: [i64; 4] = [0, 16, 128, 1024];

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SomeEvidence {
    processors: usize,
    run: Run,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EveryEvidence {
    /// Numbers beyond this were forgotten.
    bound: i64,
    invariant: InvariantEvidence,
}

/// The program with some number of processors.
fn instance(source: &Source, processors: usize) -> Option<Program> {
    read::read(source, Some(processors)).ok()
}

/// Answers a question about every number of processors from `least` on.
pub(crate) fn answer(
    source: &Source,
    program: &Program,
    least: usize,
    asked: &Asked,
    ask: &Ask,
    cx: &Context,
) -> Answer {
    let mut tried = Vec::new();
    for processors in least..(least + TRIED).min(MOST_PROCESSORS + 1) {
        match refuted(source, processors, asked, &cx.budget) {
            Ok(Some(mut answer)) => {
                answer
                    .notes
                    .extend(further_on(source, program, processors, asked, ask, cx));
                return answer;
            }
            Ok(None) => tried.push(processors),
            Err(Stop::Work | Stop::Bound { .. }) => {}
            Err(stop) => return Answer::unknown(&asked.name, stop),
        }
    }
    let alike = match asked.question {
        Question::NoDeadlock => proved_alike(source, program, least, asked, &cx.budget),
        _ => Ok(None),
    };
    let mut answer = alike
        .transpose()
        .unwrap_or_else(|| proved(source, program, least, asked, ask, cx))
        .unwrap_or_else(|stop| Answer::unknown(&asked.name, stop));
    if !matches!(answer.verdict, Verdict::Unknown(_)) {
        return answer;
    }
    for processors in further(program, least) {
        match refuted(source, processors, asked, &cx.budget) {
            Ok(Some(answer)) => return answer,
            Ok(None) => tried.push(processors),
            Err(Stop::Work | Stop::Bound { .. }) => {}
            Err(_) => break,
        }
    }
    if !tried.is_empty() {
        let tried: Vec<String> = tried.iter().map(usize::to_string).collect();
        let note = format!("it is so with {} processors", tried.join(", "));
        answer.notes.push(note);
    }
    answer
}

/// What a number of processors that refutes a question leaves to be said of all larger ones: that they get stuck
/// likewise, or that it is as asked from some number on.
fn further_on(
    source: &Source,
    program: &Program,
    refuting: usize,
    asked: &Asked,
    ask: &Ask,
    cx: &Context,
) -> Option<String> {
    let (question, least, is_so) = match asked.question {
        Question::NoDeadlock => (Question::Ends(Kind::Deadlock), refuting, "it gets stuck"),
        Question::Ends(kind) => (Question::Ends(kind), refuting + 1, "it is so"),
        _ => return None,
    };
    let asked = Asked {
        question,
        ..asked.clone()
    };
    // With a story of its own.
    let cx = Context {
        budget: cx.budget.child_with_work(FURTHER),
        ..Context::default()
    };
    for processors in least..=least + 1 {
        if !matches!(refuted(source, processors, &asked, &cx.budget), Ok(None)) {
            return None;
        }
    }
    let answer = proved(source, program, least, &asked, ask, &cx).ok()?;
    (answer.verdict == Verdict::Holds)
        .then(|| format!("{is_so} with every number of processors from {least} on"))
}

/// Further numbers of processors to run where nothing was proved: those about as large as a number that the program
/// names, and some that are much larger.
fn further(program: &Program, least: usize) -> BTreeSet<usize> {
    let named = program.expressions.iter().filter_map(|(one, _)| match one {
        Expression::Constant(Value::Int(number)) => usize::try_from(*number).ok(),
        _ => None,
    });
    let near = named.flat_map(|number| number..number.saturating_add(3));
    near.chain([8, 9, 16, 17])
        .filter(|number| (least + TRIED..=MOST_PROCESSORS).contains(number))
        .collect()
}

/// The answer if some number of processors refutes it.
fn refuted(
    source: &Source,
    processors: usize,
    asked: &Asked,
    budget: &Budget,
) -> Result<Option<Answer>, Stop> {
    /// A run that does not end soon says nothing.
    const STEPS: u64 = 200_000;
    const FORMULA: u64 = 2_000_000;
    let Some(program) = instance(source, processors) else {
        return Ok(None);
    };
    if let Question::Runs(formula) = &asked.question {
        return broken(&program, asked, formula, &budget.child_with_work(FORMULA));
    }
    let ended = run(&program, &budget.child_with_work(STEPS))?;
    if answers(&program, &asked.question, ended.kind, &ended.locals) != Some(false) {
        return Ok(None);
    }
    let (because, notes, details) = told(source, &program, &ended);
    let body = SomeEvidence {
        processors,
        run: ended.run.clone(),
    };
    let plural = if processors == 1 { "" } else { "s" };
    let mut answer = Answer::new(&asked.name, Verdict::Violated)
        .because(format!("with {processors} processor{plural}: {because}"))
        .by("run")
        .with_evidence(Evidence::of_violated(SOME, &body).about(&asked.name));
    answer.notes = notes;
    if let quotient_language::Json::Object(details) = details {
        answer.details.extend(details);
    }
    answer.trace = Some(story::trace(&program, &ended.run));
    Ok(Some(answer))
}

/// The answer if some run of this number of processors breaks a formula.
fn broken(
    program: &Program,
    asked: &Asked,
    formula: &Formula<Atom>,
    budget: &Budget,
) -> Result<Option<Answer>, Stop> {
    let processors = program.processors;
    let plural = if processors == 1 { "" } else { "s" };
    let mut answer = linear::answer(program, &asked.name, formula, budget)?;
    if answer.verdict != Verdict::Violated {
        return Ok(None);
    }
    answer.because = format!("with {processors} processor{plural}: {}", answer.because);
    Ok(Some(answer))
}

/// The program with so many processors that the last stands for all that no group names.
fn with_others(source: &Source, program: &Program, least: usize) -> Option<Program> {
    instance(source, program.named.max(least).max(1) + 1)
}

/// The answer if all processors come to the same barriers.
fn proved_alike(
    source: &Source,
    program: &Program,
    least: usize,
    asked: &Asked,
    budget: &Budget,
) -> Result<Option<Answer>, Stop> {
    let Some(groups) = with_others(source, program, least) else {
        return Ok(None);
    };
    let look = Facts::of(program, &groups, budget)?;
    if !look.apart.is_empty() {
        return Ok(None);
    }
    let evidence = Evidence::of_holds(ALIKE, &look.needed).about(&asked.name);
    let mut answer = Answer::new(&asked.name, Verdict::Holds)
        .because(format!("for every number of processors from {least} on"))
        .by("the same barriers for all")
        .with_evidence(evidence);
    let note = "only tests with the same outcome for all decide who comes to a barrier";
    answer.notes.push(note.to_owned());
    Ok(Some(answer))
}

fn proved(
    source: &Source,
    program: &Program,
    least: usize,
    asked: &Asked,
    ask: &Ask,
    cx: &Context,
) -> Result<Answer, Stop> {
    let mut why = "nothing is left to try".to_owned();
    for bound in BOUNDS {
        let built = word::problem(source, program, least, bound, asked, &cx.budget)?;
        if let Some(doubt) = built.doubt {
            doubt.clone_into(&mut why);
            continue;
        }
        let problem = built.problem;
        let options = Options {
            threads: ask.threads.unwrap_or(1),
            doubt: false,
            ..Options::default()
        };
        let report = check(&problem, &options, cx);
        let found = &report.answers[0];
        match &found.found {
            Found::Proof(_) => {
                let evidence = found.evidence(&problem, false);
                let invariant = evidence.and_then(|evidence| evidence.read().ok());
                let letters = problem.alphabet().len();
                let mut answer = Answer::new(&asked.name, Verdict::Holds)
                    .because(format!("for every number of processors from {least} on"))
                    .by("abstraction to words");
                answer.evidence = invariant.map(|invariant| {
                    let body = EveryEvidence { bound, invariant };
                    Evidence::of_holds(EVERY, &body).about(&asked.name)
                });
                let note = format!("a processor is one of {letters} letters");
                answer.notes.push(note);
                answer.refinements = found.refinements;
                return Ok(answer);
            }
            Found::Run(_) => {
                let last = found
                    .run(&problem)
                    .and_then(|run| run.words.last().cloned());
                let processors = last.map_or(least, |word| word.len());
                if processors <= MOST_PROCESSORS
                    && let Some(answer) = refuted(source, processors, asked, &cx.budget)?
                {
                    return Ok(answer);
                }
                why = match asked.question {
                    Question::NoDeadlock => format!(
                        "the abstraction cannot tell why {processors} processors do not get stuck"
                    ),
                    _ => format!(
                        "the abstraction cannot tell why {processors} processors do not end otherwise"
                    ),
                };
            }
            Found::Nothing(stop) => return Err(stop.clone()),
        }
    }
    Err(Stop::exhausted(why))
}

/// Checks evidence about every number of processors.
///
/// A run is replayed with its number of processors, and must not be as the question wants it. For
/// an invariant the abstraction is made anew from the text: nothing of it is read from the
/// evidence but how exactly numbers are remembered, which any choice of is sound.
pub(crate) fn certify(
    source: &Source,
    program: &Program,
    least: usize,
    asked: &Asked,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    if evidence.property.as_deref() != Some(asked.name.as_str()) {
        return Err(Rejection::wrong("the evidence is about another property"));
    }
    let unreadable = |error: serde_json::Error| Rejection::unreadable(error.to_string());
    let fact = match (evidence.kind.as_str(), evidence.claim) {
        (LASSO, Claim::Violated) => {
            let Question::Runs(formula) = &asked.question else {
                return Err(Rejection::wrong("the question is not about runs"));
            };
            let body: Broken = evidence.read().map_err(unreadable)?;
            if body.processors < least || body.processors > MOST_PROCESSORS {
                return Err(Rejection::wrong(
                    "that number of processors is not asked about",
                ));
            }
            let program = instance(source, body.processors)
                .ok_or_else(|| Rejection::wrong("there is no such number of processors"))?;
            if let Some(nobody) = nobody_has(&program, &asked.question) {
                return Err(Rejection::wrong(nobody));
            }
            let fact = judge::is_broken(&program, formula, &body, budget)?;
            format!("with {} processors: {fact}", body.processors)
        }
        (SOME, Claim::Violated) => {
            let body: SomeEvidence = evidence.read().map_err(unreadable)?;
            if body.processors < least || body.processors > MOST_PROCESSORS {
                return Err(Rejection::wrong(
                    "that number of processors is not asked about",
                ));
            }
            let program = instance(source, body.processors)
                .ok_or_else(|| Rejection::wrong("there is no such number of processors"))?;
            let (kind, locals) = replay(&program, &body.run, budget)?;
            if answers(&program, &asked.question, kind, &locals) != Some(false) {
                return Err(Rejection::wrong("the run shows the opposite"));
            }
            format!(
                "a run of {} processors ends with {}",
                body.processors,
                kind.word()
            )
        }
        (ALIKE, Claim::Holds) if asked.question == Question::NoDeadlock => {
            let facts: Facts = evidence.read().map_err(unreadable)?;
            let groups = with_others(source, program, least)
                .ok_or_else(|| Rejection::wrong("there are too many numbers of processors"))?;
            let look = facts.look(program, &groups, budget)?;
            if !look.needed.are_among(&facts) {
                let message = "more differs between processors than it says";
                return Err(Rejection::wrong(message));
            }
            if !look.apart.is_empty() {
                return Err(Rejection::wrong("not all may come to some barrier"));
            }
            format!("all come to the same barriers, for every number of processors from {least} on")
        }
        (EVERY, Claim::Holds) => {
            let body: EveryEvidence = evidence.read().map_err(unreadable)?;
            if !BOUNDS.contains(&body.bound) {
                return Err(Rejection::wrong("numbers are not remembered so exactly"));
            }
            let built = word::problem(source, program, least, body.bound, asked, budget)?;
            if let Some(doubt) = built.doubt {
                return Err(Rejection::wrong(doubt));
            }
            let problem = built.problem;
            let property = &problem.properties()[0];
            let bad = [(property.name.clone(), property.bad.clone())];
            let words = WordProblem {
                initial: problem.initial(),
                bad: &bad,
                relation: problem.relation(),
            };
            let inner = Evidence::of_holds(INVARIANT_KIND, &body.invariant).about(&asked.name);
            certify_words(&inner, &words, budget)?;
            format!(
                "no other end is in the invariant, for every number of processors from {least} on"
            )
        }
        (kind, _) => {
            let message = format!("`{kind}` does not show this claim");
            return Err(Rejection::wrong(message));
        }
    };
    Ok(Certified {
        property: asked.name.clone(),
        facts: vec![fact],
    })
}
