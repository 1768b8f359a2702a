//! The systems of the experiments, from our examples.

use quotient_compose::Network;
use quotient_core::Source;
use quotient_experiments::components::Case;
use quotient_fsp::{Error, Model, Options};

use crate::failure::Failure;
use crate::session::Session;

const GAS_STATION: &str = include_str!("../../../../../../examples/components/gas_station.lts");
const CHIRON: &str = include_str!("../../../../../../examples/components/chiron.lts");
const MER: &str = include_str!("../../../../../../examples/components/mer.lts");
const ROVER: &str = include_str!("../../../../../../examples/components/rover.lts");

/// A system by the name that an option gives it.
pub(super) fn case(name: &str) -> Result<Case, String> {
    match name {
        "gas-station" => Ok(Case::GasStation),
        "chiron-1" => Ok(Case::ChironOrder),
        "chiron-2" => Ok(Case::ChironCause),
        "mer" => Ok(Case::Mer),
        "rover" => Ok(Case::Rover),
        _ => Err("systems are gas-station, chiron-1, chiron-2, mer and rover".to_owned()),
    }
}

/// A system with a number of customers, artists or users.
pub(super) fn network(case: Case, size: u32, session: &Session) -> Result<Network, Failure> {
    let (text, system) = match case {
        Case::GasStation => (GAS_STATION, None),
        Case::ChironOrder => (CHIRON, Some("ORDERED")),
        Case::ChironCause => (CHIRON, Some("CAUSED")),
        Case::Mer => (MER, None),
        Case::Rover => (ROVER, None),
    };
    let model = Model::read(&Source::new(case.name(), text)).map_err(Failure::Input)?;
    let constants = match case {
        Case::Rover => Vec::new(),
        _ => vec![("K".to_owned(), i32::try_from(size).unwrap_or(i32::MAX))],
    };
    let options = Options {
        system: system.map(str::to_owned),
        constants,
        ..Options::default()
    };
    let compiled = model.compile(&options, &session.budget);
    let compiled = compiled.map_err(|error| match error {
        Error::Invalid(diagnostics) => Failure::Input(diagnostics),
        Error::Stopped(stop) => stop.into(),
    })?;
    Ok(compiled.network(&session.budget)?)
}
