//! Evidence about systems of components, looked at again without the engine.

use quotient_certify::{Certified, Rejection, certify_components};
use quotient_core::{Evidence, Source};
use quotient_fsp::{Ask, Error, Model, Options};
use quotient_lts::evidence::{Head, Sought};

use super::read;
use crate::failure::Failure;
use crate::session::Session;

/// Checks pieces of evidence against a model, each against the system that it is about.
pub(crate) fn certify(
    source: &Source,
    evidence: Vec<Evidence>,
    session: &Session,
) -> Result<Vec<(Evidence, Result<Certified, Rejection>)>, Failure> {
    let (model, imports) = read(source, session)?;
    let look = evidence.into_iter().map(|evidence| {
        let result = one(&model, &imports, &evidence, session);
        (evidence, result)
    });
    Ok(look.collect())
}

fn one(
    model: &Model,
    imports: &[(String, Source)],
    evidence: &Evidence,
    session: &Session,
) -> Result<Certified, Rejection> {
    let head = Head::of(evidence)
        .map_err(|error| Rejection::Unreadable(format!("the evidence is damaged: {error}")))?;
    let options = Options {
        system: head.origin.system.clone(),
        properties: head.origin.properties.clone(),
        constants: head.origin.constants.clone(),
        imports: imports.to_vec(),
    };
    let ask = match head.sought {
        Some(Sought::Starvation) => Ask::Progress,
        Some(Sought::Formula { fair }) => Ask::Assertion {
            name: evidence.property.clone().unwrap_or_default(),
            fair,
        },
        Some(Sought::Deadlock | Sought::Error) | None => Ask::Safety,
    };
    let budget = &session.budget;
    let mut compiled = model.compile(&options, budget).map_err(rejection)?;
    let question = model.question(&ask, &options, &mut compiled, budget);
    let question = question.map_err(rejection)?;
    let mut certified = certify_components(evidence, &compiled.system, &question, budget)?;
    certified.facts.insert(0, about(&compiled.name, &options));
    Ok(certified)
}

/// What of the text the evidence is about.
fn about(name: &str, options: &Options) -> String {
    let constants = options.constants.iter();
    let constants: Vec<String> = constants
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let with = match constants.is_empty() {
        true => String::new(),
        false => format!(" with {}", constants.join(", ")),
    };
    format!("its components are those of {name}{with}")
}

/// A model that does not compile as the evidence says is not the one that it is about.
fn rejection(error: Error) -> Rejection {
    match error {
        Error::Stopped(stop) => Rejection::Stopped(stop),
        Error::Invalid(_) => Rejection::Wrong(format!(
            "the model is not the one that the evidence is about: {error}"
        )),
    }
}
