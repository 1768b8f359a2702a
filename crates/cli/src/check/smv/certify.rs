//! Evidence about SMV models, looked at again without decision diagrams.

use quotient_certify::{Certified, Rejection};
use quotient_core::{Evidence, Source, Stop};
use quotient_smv::{Confirmed, File, Flaw, Specification};

use crate::failure::Failure;
use crate::session::Session;

/// Checks pieces of evidence against a model, each about the specification that it names.
pub(crate) fn certify(
    source: &Source,
    evidence: Vec<Evidence>,
    session: &Session,
) -> Result<Vec<(Evidence, Result<Certified, Rejection>)>, Failure> {
    let mut file = File::read(source).map_err(Failure::Input)?;
    let look = evidence.into_iter().map(|evidence| {
        let result = one(&mut file, &evidence, session);
        (evidence, result)
    });
    Ok(look.collect())
}

fn one(file: &mut File, evidence: &Evidence, session: &Session) -> Result<Certified, Rejection> {
    let specification = named(file, evidence)?;
    let confirmed = file.certify(&specification, evidence, &session.budget);
    let facts = match confirmed.map_err(rejection)? {
        Confirmed::Claim if evidence.verdict() == quotient_core::Verdict::Holds => vec![
            "every initial state is in the set".to_owned(),
            "no step leaves it".to_owned(),
            "no state of it violates the property".to_owned(),
        ],
        Confirmed::Claim => vec![
            "the model has this run".to_owned(),
            "a state on it violates the property".to_owned(),
        ],
        Confirmed::Path => vec![
            "the model has this run".to_owned(),
            "it goes on for ever and is fair".to_owned(),
            "the formula is false on it".to_owned(),
        ],
        Confirmed::Prefix => vec![
            "the model has this run".to_owned(),
            "it shows the violation".to_owned(),
            "that it goes on for ever on a fair path was not looked at".to_owned(),
        ],
        Confirmed::RunOnly => {
            let why = "the model has this run, but that the property is violated takes more than \
                       one run to show";
            return Err(Rejection::Stopped(Stop::inconclusive(why)));
        }
    };
    Ok(Certified {
        property: specification.text,
        facts,
    })
}

/// The specification that the evidence is about: one of the file, or a formula.
fn named(file: &mut File, evidence: &Evidence) -> Result<Specification, Rejection> {
    let Some(property) = &evidence.property else {
        let message = "the evidence does not say which specification it is about";
        return Err(Rejection::Unreadable(message.to_owned()));
    };
    let mut written = file.program().specifications().iter();
    if let Some(found) = written.find(|one| one.text == *property) {
        return Ok(found.clone());
    }
    let asked = file.formula(&Source::new("evidence", property), None);
    asked.map_err(|_| {
        let message = format!("`{property}` is not a formula about this model");
        Rejection::Wrong(message)
    })
}

fn rejection(flaw: Flaw) -> Rejection {
    match flaw {
        Flaw::Stopped(stop) => Rejection::Stopped(stop),
        Flaw::Kind(_) | Flaw::Unreadable(_) => Rejection::Unreadable(flaw.to_string()),
        other => Rejection::Wrong(other.to_string()),
    }
}
