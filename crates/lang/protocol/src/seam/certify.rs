//! Evidence about protocols, checked independently of the engine.
//!
//! *What is proved.* Evidence of a violation is a run as words. Its words are read as
//! configurations, and the interpreter, which shares nothing with the compiler but the syntax
//! tree, goes along: the first configuration is one that an instance may begin with, each step of
//! that name leads from one configuration to the next, and the last one violates the property as
//! the source states it. For progress, the run comes back to an earlier configuration, everybody
//! had their turn or could not take it, and a process waited all the time, or the formula is not
//! true of this run by its plain meaning. So `violated` needs no
//! faith in the compiler, except for what the source itself says as automata (imports, `word`).
//! Before that, the run is checked as a run of words.
//!
//! *What is trusted.* Evidence that a property holds is an invariant: a set of words. The
//! independent checker shows that it contains the initial words, that no step leaves it and that
//! it has no bad word. That these automata and transducers are those of the protocol is the
//! compiler's word, that bad words are the loops of unfair waiting is the reduction's. (The tests
//! compare both with the interpreter on every example and on random protocols.)
//!
//! Where steps read one by one, more can happen in the words than in the protocol: an invariant
//! for the words is one for the protocol, a run of words is one of the protocol only if the
//! interpreter can take it, and that is always asked.

use quotient_automata::evidence::{INVARIANT_KIND, RUN_KIND, RunEvidence};
use quotient_automata::{Alphabet, Property, Word};
use quotient_certify::{WordProblem, certify_words};
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Trouble};
use serde::de::DeserializeOwned;

use crate::{Compiled, Interpreter, Protocol};

/// Checks evidence about a property of a protocol.
pub(super) fn certify(
    protocol: &Protocol,
    steps: &Compiled,
    evidence: &Evidence,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    match evidence.property.as_deref() {
        None | Some("") => {
            let message = "the evidence does not say which property it is about";
            return Err(Rejection::wrong(message));
        }
        Some(named) if named != property => {
            let message = format!("the evidence is about `{named}`, not about `{property}`");
            return Err(Rejection::wrong(message));
        }
        Some(_) => {}
    }
    let kinds = [(INVARIANT_KIND, Claim::Holds), (RUN_KIND, Claim::Violated)];
    if !kinds.contains(&(evidence.kind.as_str(), evidence.claim)) {
        let message = "the evidence is not of a kind that shows the verdict it claims";
        return Err(Rejection::wrong(message));
    }
    if protocol.progress_names().any(|name| name == property) {
        return certify_progress(protocol, steps, evidence, property, budget);
    }
    if !protocol.safety_names().any(|name| name == property) {
        let message = format!("the protocol has no property `{property}`");
        return Err(Rejection::wrong(message));
    }
    let mut rejection = None;
    for tracked in protocol.approximations() {
        let compiled = match tracked {
            1 => Ok(steps.clone()),
            more => protocol.compile_steps(more, budget),
        };
        let compiled = compiled.map_err(no_model)?;
        match certify_safety(protocol, compiled, evidence, property, budget) {
            Ok(certified) => return Ok(certified),
            Err(Rejection::Stopped(stop)) => return Err(stop.into()),
            Err(why) => rejection = rejection.or(Some(why)),
        }
    }
    Err(rejection.unwrap_or_else(|| Rejection::wrong("there is nothing to check")))
}

fn certify_safety(
    protocol: &Protocol,
    mut compiled: Compiled,
    evidence: &Evidence,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    protocol
        .compile_property(&mut compiled, property, budget)
        .map_err(no_model)?;
    let problem = WordProblem {
        initial: compiled.initial(),
        bad: compiled.bad(),
        relation: compiled.relation(),
    };
    let mut certified = certify_words(evidence, &problem, budget)?;
    match evidence.claim {
        Claim::Holds => {
            if compiled.is_approximation() {
                let fact = "more can happen in these words than in the protocol";
                certified.facts.push(fact.to_owned());
            }
            certified.facts.push(COMPILED.to_owned());
        }
        Claim::Violated => {
            let run = Run::over(evidence, compiled.alphabet())?;
            confirm(protocol, &compiled, property, &run, budget)?;
            certified.facts.push(REPLAYED.to_owned());
        }
    }
    Ok(certified)
}

const COMPILED: &str = "the words are those that the protocol compiles to, which is trusted";
const REPLAYED: &str = "the interpreter of the protocol takes these steps, from one of its own \
                        first configurations";

/// A run as words of letters.
struct Run {
    words: Vec<Word>,
    steps: Vec<String>,
}

impl Run {
    fn over(evidence: &Evidence, alphabet: &Alphabet) -> Result<Run, Rejection> {
        let run: RunEvidence = evidence
            .read()
            .map_err(|error| Rejection::unreadable(format!("the evidence is damaged: {error}")))?;
        let word = |names: &Vec<String>| -> Option<Word> {
            names.iter().map(|name| alphabet.letter(name)).collect()
        };
        let words: Option<Vec<Word>> = run.words.iter().map(word).collect();
        let words = words.ok_or_else(|| Rejection::wrong("a letter is none of the protocol"))?;
        if words.len() != run.steps.len() + 1 {
            let message = "there must be one configuration more than steps";
            return Err(Rejection::wrong(message));
        }
        let steps = run.steps;
        Ok(Run { words, steps })
    }
}

/// Whether the protocol itself can take the steps of a run to a violation.
fn confirm(
    protocol: &Protocol,
    compiled: &Compiled,
    property: &str,
    run: &Run,
    budget: &Budget,
) -> Result<(), Rejection> {
    let interpreter = Interpreter::new(protocol, compiled).within(budget);
    let start = interpreter.configuration(&run.words[0]);
    let begins = interpreter.is_initial(&start);
    let confirmed = begins && interpreter.confirms(property, &run.words, &run.steps);
    // What comes out after the budget has ended means nothing.
    budget.poll()?;
    match (begins, confirmed) {
        (_, true) => Ok(()),
        (false, _) => Err(Rejection::wrong(
            "no instance of the protocol begins as the run does",
        )),
        (true, false) => Err(Rejection::wrong(
            "the run is none of the protocol that violates the property",
        )),
    }
}

/// Properties that say what must happen.
fn certify_progress(
    protocol: &Protocol,
    steps: &Compiled,
    evidence: &Evidence,
    property: &str,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    let reduced = protocol.reduced(property, budget).map_err(no_model)?;
    let Some(reduced) = reduced else {
        let message = format!("the progress `{property}` cannot be stated about words");
        return Err(Rejection::unreadable(message));
    };
    let own = |one: &Property| (one.name.clone(), one.bad.clone());
    let bad: Vec<_> = reduced.problem.properties().iter().map(own).collect();
    let problem = WordProblem {
        initial: reduced.problem.initial(),
        bad: &bad,
        relation: reduced.problem.relation(),
    };
    let mut certified = certify_words(evidence, &problem, budget)?;
    let (wrong, fact) = match reduced.waits {
        true => (
            "the run is no fair run of the protocol in which a process waits in vain",
            "bad words are loops of fair runs in which a process waits in vain",
        ),
        false => (
            "the run is no fair run of the protocol of which the property is not true",
            "bad words are loops of fair runs of which the property is not true",
        ),
    };
    certified.facts.push(fact.to_owned());
    if evidence.claim == Claim::Holds {
        if reduced.approximate {
            let fact = "more can happen in these words than in the protocol";
            certified.facts.push(fact.to_owned());
        }
        certified.facts.push(COMPILED.to_owned());
        return Ok(certified);
    }
    if reduced.approximate {
        let why = "a run of these words need not be one of the protocol";
        return Err(Rejection::wrong(why));
    }
    let run = Run::over(evidence, reduced.problem.alphabet())?;
    let interpreter = Interpreter::new(protocol, steps).within(budget);
    let lasso = reduced.lasso(&interpreter, &run.words, &run.steps);
    budget.poll()?;
    let lasso = lasso.ok_or_else(|| Rejection::wrong("the run is none of the protocol"))?;
    let begins = interpreter.is_initial(&lasso.run.configurations[0]);
    let starves = interpreter.confirms_starvation(property, &lasso.run, lasso.from, &lasso.who)?;
    budget.poll()?;
    if !begins || !starves {
        return Err(Rejection::wrong(wrong));
    }
    certified.facts.push(REPLAYED.to_owned());
    Ok(certified)
}

/// What evidence about a property tells, if it makes the claim that its kind can show.
pub(super) fn told<T: DeserializeOwned>(
    evidence: &Evidence,
    claim: Claim,
    property: &str,
) -> Result<T, Rejection> {
    if evidence.property.as_deref() != Some(property) {
        return Err(Rejection::wrong("the evidence is about another property"));
    }
    if evidence.claim != claim {
        let why = "the evidence is not of a kind that shows the verdict it claims";
        return Err(Rejection::wrong(why));
    }
    let damaged = |error| Rejection::unreadable(format!("the evidence is damaged: {error}"));
    evidence.read().map_err(damaged)
}

/// The protocol cannot be compiled at all.
pub(super) fn no_model(trouble: Trouble) -> Rejection {
    match trouble {
        Trouble::Stopped(stop) => stop.into(),
        invalid => Rejection::unreadable(format!("the protocol cannot be compiled: {invalid}")),
    }
}
