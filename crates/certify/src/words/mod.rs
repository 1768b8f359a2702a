//! Evidence about words: invariants and runs.

mod invariant;
mod run;

use quotient_automata::evidence::{INVARIANT_KIND, InvariantEvidence, RUN_KIND, RunEvidence};
use quotient_automata::{Nfa, Relation};
use quotient_core::{Budget, Claim, Evidence};

use crate::{Certified, Rejection, check_envelope};

/// What evidence about words is checked against: the question, as the files state it.
#[derive(Debug, Clone, Copy)]
pub struct WordProblem<'a> {
    /// The initial configurations.
    pub initial: &'a Nfa,
    /// The bad configurations of each property, by name.
    pub bad: &'a [(String, Nfa)],
    /// The steps.
    pub relation: &'a Relation,
}

/// Checks evidence that a property of a word problem holds or is violated.
///
/// The property is the one of the problem that the envelope names; there must be exactly one of
/// that name. The initial set, the bad set of the property and the steps are those of the
/// problem: nothing of them is read from the evidence. An invariant must contain all initial
/// words, be left by no step, and contain no bad word; a run must begin with an initial word,
/// take steps of the problem by name, and end with a bad word.
///
/// ```
/// use quotient_automata::evidence::{INVARIANT_KIND, InvariantEvidence};
/// use quotient_automata::{Alphabet, Nfa, Relation, Transducer};
/// use quotient_certify::{WordProblem, certify_words};
/// use quotient_core::{Budget, Evidence};
/// let alphabet = Alphabet::new(["a", "b"])?;
/// let only = |name| -> Result<Nfa, quotient_automata::AlphabetError> {
///     let letters = alphabet.set([name])?;
///     Ok(Nfa::builder(&alphabet).initial(0).edge(0, &letters, 1).accepting(1).build())
/// };
/// let (initial, bad) = (only("a")?, [("no b".to_owned(), only("b")?)]);
/// let stutter = Transducer::identity(&alphabet);
/// let relation = Relation::new(&alphabet, vec![("stutter".to_owned(), stutter)]);
/// let problem = WordProblem { initial: &initial, bad: &bad, relation: &relation };
/// let body = InvariantEvidence { invariant: (&initial).into() };
/// let evidence = Evidence::of_holds(INVARIANT_KIND, &body).about("no b");
/// assert!(certify_words(&evidence, &problem, &Budget::unlimited()).is_ok());
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
pub fn certify_words(
    evidence: &Evidence,
    problem: &WordProblem<'_>,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    check_envelope(evidence, budget)?;
    let (property, bad) = property(evidence, problem)?;
    let facts = match (evidence.kind.as_str(), evidence.claim) {
        (INVARIANT_KIND, Claim::Holds) => {
            let body: InvariantEvidence = read(evidence)?;
            invariant::check(&body.invariant, problem, bad, budget)?
        }
        (RUN_KIND, Claim::Violated) => {
            run::check(&read::<RunEvidence>(evidence)?, problem, bad, budget)?
        }
        (INVARIANT_KIND | RUN_KIND, _) => {
            return Err(Rejection::wrong(
                "the evidence is not of a kind that shows the verdict it claims",
            ));
        }
        (kind, _) => {
            return Err(Rejection::unreadable(format!(
                "evidence of kind `{kind}` is not about words"
            )));
        }
    };
    Ok(Certified {
        property: property.to_owned(),
        facts,
    })
}

/// The property that the evidence names: one of the problem, and only one.
fn property<'a>(
    evidence: &Evidence,
    problem: &WordProblem<'a>,
) -> Result<(&'a str, &'a Nfa), Rejection> {
    let Some(wanted) = evidence.property.as_deref().filter(|name| !name.is_empty()) else {
        return Err(Rejection::wrong(
            "the evidence does not say which property it is about",
        ));
    };
    let mut found = problem.bad.iter().filter(|(name, _)| name == wanted);
    match (found.next(), found.next()) {
        (Some((name, bad)), None) => Ok((name, bad)),
        (None, _) => Err(Rejection::wrong(format!(
            "the problem has no property `{wanted}`"
        ))),
        (Some(_), Some(_)) => Err(Rejection::wrong(format!(
            "the problem has several properties `{wanted}`"
        ))),
    }
}

fn read<T: serde::de::DeserializeOwned>(evidence: &Evidence) -> Result<T, Rejection> {
    evidence
        .read()
        .map_err(|error| Rejection::unreadable(format!("the evidence is damaged: {error}")))
}
