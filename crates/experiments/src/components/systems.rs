//! The systems of the experiments, from the gallery of component models.

use quotient_compose::Network;
use quotient_core::{Budget, Source, Trouble};
use quotient_fsp::{LANGUAGE, Model, Options};

use super::Case;

impl std::str::FromStr for Case {
    type Err = String;

    /// A system by the short name that an option gives it.
    fn from_str(name: &str) -> Result<Case, String> {
        match name {
            "gas-station" => Ok(Case::GasStation),
            "chiron-1" => Ok(Case::ChironOrder),
            "chiron-2" => Ok(Case::ChironCause),
            "mer" => Ok(Case::Mer),
            "rover" => Ok(Case::Rover),
            _ => Err("systems are gas-station, chiron-1, chiron-2, mer and rover".to_owned()),
        }
    }
}

impl Case {
    /// The system with a number of customers, artists or users.
    ///
    /// ```
    /// use quotient_core::Budget;
    /// use quotient_experiments::components::Case;
    ///
    /// let network = Case::Mer.network(2, &Budget::unlimited()).unwrap();
    /// assert!(network.components().iter().any(|one| one.name.contains("USER")));
    /// ```
    pub fn network(self, size: u32, budget: &Budget) -> Result<Network, Trouble> {
        let (example, system) = match self {
            Case::GasStation => ("gas_station", None),
            Case::ChironOrder => ("chiron", Some("ORDERED")),
            Case::ChironCause => ("chiron", Some("CAUSED")),
            Case::Mer => ("mer", None),
            Case::Rover => ("rover", None),
        };
        let examples = LANGUAGE.about().examples.iter();
        let text = examples
            .filter(|one| one.name == example)
            .find_map(|one| one.files.first())
            .map_or("", |(_, text)| text);
        let model = Model::read(&Source::new(self.name(), text)).map_err(Trouble::Invalid)?;
        let constants = match self {
            Case::Rover => Vec::new(),
            _ => vec![("K".to_owned(), i32::try_from(size).unwrap_or(i32::MAX))],
        };
        let options = Options {
            system: system.map(str::to_owned),
            constants,
            ..Options::default()
        };
        Ok(model.compile(&options, budget)?.network(budget)?)
    }
}
