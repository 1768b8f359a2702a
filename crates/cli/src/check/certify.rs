//! Evidence, checked by the independent checker.

use std::path::Path;

use quotient_certify::{Certified, Rejection};
use quotient_core::{Diagnostic, Evidence, Source};

use super::{
    LivenessWishes, components, is_components, is_protocol, is_smv, protocol, read_words_from,
    refuse_liveness, smv, words,
};
use crate::failure::Failure;
use crate::files;
use crate::session::Session;

/// A piece of evidence with what was checked, or why it is rejected.
pub(crate) type Judged = (Evidence, Result<Certified, Rejection>);

/// Checks the evidence in a text (one piece, or a list of them) against a problem: for each
/// piece what was checked, or why it is rejected.
pub(crate) fn certify(
    source: &Source,
    problem: &str,
    liveness: &LivenessWishes,
    session: &Session,
) -> Result<Vec<Judged>, Failure> {
    let evidence = read_evidence(source)?;
    let setup = if Path::new(problem).is_dir() {
        words::read_folder(problem, session)?
    } else {
        let model = files::source(problem, session)?;
        if is_smv(&model) || is_components(&model) || is_protocol(&model) {
            refuse_liveness(liveness)?;
        }
        if is_smv(&model) {
            return smv::certify(&model, evidence, session);
        }
        if is_components(&model) {
            return components::certify(&model, evidence, session);
        }
        if is_protocol(&model) {
            return protocol::certify(&model, evidence, session);
        }
        read_words_from(&model, session)?
    };
    let problem = liveness.apply(setup.file.problem, session)?;
    Ok(evidence
        .into_iter()
        .map(|evidence| {
            let result = words::certify(&evidence, &problem, session);
            (evidence, result)
        })
        .collect())
}

fn read_evidence(source: &Source) -> Result<Vec<Evidence>, Diagnostic> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(Box<Evidence>),
        More(Vec<Evidence>),
    }
    match serde_json::from_str(source.text()) {
        Ok(OneOrMore::One(one)) => Ok(vec![*one]),
        Ok(OneOrMore::More(more)) if !more.is_empty() => Ok(more),
        Ok(OneOrMore::More(_)) => {
            Err(Diagnostic::error("no-evidence", "the file has no evidence").in_source(source))
        }
        Err(error) => Err(
            Diagnostic::error("no-evidence", "this is not an evidence file")
                .in_source(source)
                .note(error.to_string())
                .help("`quotient check --evidence FILE` writes one"),
        ),
    }
}
