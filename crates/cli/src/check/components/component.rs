//! Single components of a model: to be drawn, written in other formats, and listed.

use quotient_compose::{Actions, ERROR, Equivalence, Lts, Network, State, aldebaran, operations};
use quotient_core::{Diagnostic, Source};
use quotient_fsp::{Model, Options, Structure, Teller, write_process};
use quotient_language::Graph as Picture;
use quotient_lts::component_picture;

use super::{failure, read};
use crate::failure::Failure;
use crate::session::Session;

/// Work spent on one component: about as many states and steps.
const MOST_WORK: u64 = 20_000_000;

/// Of larger components nobody looks at single states.
const MOST_NAMED: usize = 2_000;

/// A component as one transition system.
pub(crate) struct Component {
    pub(crate) name: String,
    pub(crate) lts: Lts,
    pub(crate) actions: Actions,
    /// What the text calls its states, where it has names for them.
    pub(crate) names: Vec<String>,
    /// How many states it had before it was minimised, if it was.
    pub(crate) before: Option<usize>,
}

/// The components of a file.
pub(crate) struct Components {
    source: Source,
    model: Model,
    imports: Vec<(String, Source)>,
    constants: Vec<(String, i32)>,
}

impl Components {
    /// Reads a file.
    pub(crate) fn read(
        source: &Source,
        constants: &[(String, i32)],
        session: &Session,
    ) -> Result<Components, Failure> {
        let (model, imports) = read(source, session)?;
        Ok(Components {
            source: source.clone(),
            model,
            imports,
            constants: constants.to_vec(),
        })
    }

    /// The names of processes and composites, in this order.
    pub(crate) fn names(&self) -> Vec<&str> {
        let processes = self.model.processes();
        processes.chain(self.model.composites()).collect()
    }

    /// A process or composite as it is written, hidden, minimised and multiplied out.
    pub(crate) fn get(&self, name: &str, session: &Session) -> Result<Component, Failure> {
        let options = Options {
            system: Some(name.to_owned()),
            constants: self.constants.clone(),
            imports: self.imports.clone(),
            ..Options::default()
        };
        let budget = session.budget.child_with_work(MOST_WORK);
        let mut compiled = self.model.compile(&options, &budget).map_err(failure)?;
        compiled.system.set_root(compiled.whole);
        let network = Network::with_priorities(&compiled.system, &budget)?;
        let (lts, states) = network.compose_with_states(&budget)?;
        // What is in ERROR from the start is nowhere else.
        let names = match lts.initial() != ERROR && lts.states() <= MOST_NAMED {
            true => {
                let teller = Teller::new(&network, &budget)?;
                let all = 0..lts.states() as State;
                all.map(|state| teller.places(&states(state))).collect()
            }
            false => Vec::new(),
        };
        Ok(Component {
            lts,
            actions: compiled.system.actions,
            name: compiled.name,
            names,
            before: None,
        })
    }

    /// What a composite is made of.
    pub(crate) fn structure(
        &self,
        name: Option<&str>,
        session: &Session,
    ) -> Result<(String, Structure), Failure> {
        let options = Options {
            system: name.map(str::to_owned),
            constants: self.constants.clone(),
            imports: self.imports.clone(),
            ..Options::default()
        };
        let budget = session.budget.child_with_work(MOST_WORK);
        let compiled = self.model.compile(&options, &budget).map_err(failure)?;
        let structure = Structure::of(&compiled.network(&budget)?, &budget)?;
        Ok((compiled.name, structure))
    }

    /// What else the text defines: what it is called, and its names.
    pub(crate) fn others(&self) -> Vec<(&'static str, Vec<&str>)> {
        let model = &self.model;
        let all = [
            ("progress", model.progress_properties().collect::<Vec<_>>()),
            ("assertions", model.assertions().collect()),
            ("fluents", model.fluents().collect()),
            ("menus", model.menus().collect()),
            ("constants", model.constants().collect()),
        ];
        all.into_iter()
            .filter(|(_, names)| !names.is_empty())
            .collect()
    }

    /// What a name stands for.
    pub(crate) fn kind(&self, name: &str) -> &'static str {
        match self.model.is_property(name) {
            true => "property",
            false if self.model.composites().any(|known| known == name) => "composite",
            false => "process",
        }
    }

    /// The component meant: the one that is named, or the only one.
    pub(crate) fn chosen(
        &self,
        name: Option<&str>,
        session: &Session,
    ) -> Result<Component, Failure> {
        match (name, &self.names()[..]) {
            (Some(name), _) => self.get(name, session),
            (None, [only]) => self.get(only, session),
            (None, several) => {
                let message = format!("there are {} components in this file", several.len());
                Err(Diagnostic::error("several-components", message)
                    .in_source(&self.source)
                    .note(format!("they are {}", several.join(", ")))
                    .help("name one, as in `FILE.lts#NAME`")
                    .into())
            }
        }
    }
}

impl Component {
    /// The smallest component that is the same up to silent steps.
    pub(crate) fn minimised(self, session: &Session) -> Result<Component, Failure> {
        let budget = session.budget.child_with_work(MOST_WORK);
        let lts = operations::minimise(&self.lts, Equivalence::Weak, &budget)?;
        Ok(Component {
            before: Some(self.lts.states()),
            lts: lts.reachable(),
            // One state may now stand for several.
            names: Vec::new(),
            ..self
        })
    }

    /// Its states and what leads from one to the other.
    pub(crate) fn picture(&self) -> Picture {
        component_picture(&self.name, &self.lts, &self.actions, &self.names)
    }

    /// As a process in the FSP language.
    pub(crate) fn fsp(&self) -> String {
        write_process(&self.plain_name(), &self.lts, &self.actions)
    }

    /// In the Aldebaran format.
    pub(crate) fn aldebaran(&self) -> String {
        aldebaran::write(&self.lts, &self.actions)
    }

    /// The name without parameters and prefixes.
    fn plain_name(&self) -> String {
        let letters = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
        let name: String = self.name.chars().take_while(letters).collect();
        match name.starts_with(|first: char| first.is_ascii_uppercase()) {
            true => name,
            false => "COMPONENT".to_owned(),
        }
    }
}
