//! Models in the protocol language.

use quotient_core::{Diagnostic, Source};
use quotient_protocol::{CompileError, Protocol};

use super::words::{self, Settings, Setup};
use crate::failure::Failure;
use crate::session::Session;

/// Compiles the model to a problem about words.
pub(super) fn read(source: &Source, session: &Session) -> Result<Setup, Failure> {
    let protocol = Protocol::parse(source)?;
    let compiled = protocol
        .compile(&session.budget)
        .map_err(|error| match error {
            CompileError::Protocol(diagnostic) => Failure::from(*diagnostic),
            CompileError::Stopped(stop) => stop.into(),
        })?;
    let mut warnings = Vec::new();
    for liveness in compiled.liveness() {
        let message = format!(
            "`{}` says what must happen; only safety is checked",
            liveness.name
        );
        warnings.push(Diagnostic::warning("unsupported", message).in_source(source));
    }
    if compiled.bad().is_empty() {
        return Err(Failure::Input(
            warnings
                .into_iter()
                .chain([
                    Diagnostic::error("no-problem", "there is no safety property to check")
                        .in_source(source),
                ])
                .collect(),
        ));
    }
    let problem = words::problem(
        compiled.initial().clone(),
        compiled.bad().to_vec(),
        compiled.relation().clone(),
    )
    .map_err(|diagnostic| diagnostic.in_source(source))?;
    let title = protocol.title().unwrap_or(source.name()).to_owned();
    Ok(Setup {
        title,
        problem,
        settings: Settings::default(),
        warnings,
    })
}
