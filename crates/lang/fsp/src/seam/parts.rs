//! Single components of a text: to be shown, drawn and written in other formats.

use quotient_compose::{Network, operations};
use quotient_core::{Context, Diagnostic, Trouble};
use quotient_language::text::count;
use quotient_language::{Graph, Written};
use quotient_lts::{Actions, ERROR, Lts, Relation, aldebaran, component_picture};

use super::opened::Opened;
use crate::{Options, Structure, Teller, write_process};

/// Work spent on one component: about as many states and steps.
pub(super) const MOST_WORK: u64 = 20_000_000;

/// Of larger components nobody looks at single states.
const MOST_NAMED: usize = 2_000;

/// A component as one transition system.
pub(super) struct Component {
    pub(super) name: String,
    pub(super) lts: Lts,
    pub(super) actions: Actions,
    /// What the text calls its states, where it has names for them.
    pub(super) names: Vec<String>,
    /// How many states it had before it was minimised, if it was.
    pub(super) before: Option<usize>,
}

impl Opened {
    /// The names of processes and composites, in this order.
    pub(super) fn names(&self) -> Vec<&str> {
        let processes = self.model.processes();
        processes.chain(self.model.composites()).collect()
    }

    fn options_for(&self, name: Option<&str>) -> Options {
        Options {
            system: name.map(str::to_owned),
            properties: Vec::new(),
            ..self.options.clone()
        }
    }

    /// A process or composite as it is written, hidden, minimised and multiplied out.
    fn built(&self, name: &str, cx: &Context) -> Result<Component, Trouble> {
        let budget = cx.budget.child_with_work(MOST_WORK);
        let mut compiled = self.model.compile(&self.options_for(Some(name)), &budget)?;
        compiled.system.set_root(compiled.whole);
        let network = Network::with_priorities(&compiled.system, &budget)?;
        let (lts, states) = network.compose_with_states(&budget)?;
        // What is in ERROR from the start is nowhere else.
        let names = match lts.initial() != ERROR && lts.states() <= MOST_NAMED {
            true => {
                let teller = Teller::new(&network, &budget)?;
                let all = lts.all_states();
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
    pub(super) fn structure_of(
        &self,
        name: Option<&str>,
        cx: &Context,
    ) -> Result<(String, Structure), Trouble> {
        let budget = cx.budget.child_with_work(MOST_WORK);
        let name = name.or(self.options.system.as_deref());
        let compiled = self.model.compile(&self.options_for(name), &budget)?;
        let structure = Structure::of(&compiled.network(&budget)?, &budget)?;
        Ok((compiled.name, structure))
    }

    /// The component that is meant: the one that is named, or the only one; minimised if that
    /// is wished for.
    pub(super) fn chosen(&self, name: Option<&str>, cx: &Context) -> Result<Component, Trouble> {
        let component = match (name, &self.names()[..]) {
            (Some(name), _) => self.built(name, cx),
            (None, [only]) => self.built(only, cx),
            (None, several) => {
                let message = format!("there are {} components in this file", several.len());
                Err(Diagnostic::error("several-components", message)
                    .in_source(self.model.source())
                    .note(format!("they are {}", several.join(", ")))
                    .help("name one, as in `FILE.lts#NAME`")
                    .into())
            }
        }?;
        match self.wishes.minimise {
            Some(relation) => component.minimised(relation, cx),
            None => Ok(component),
        }
    }

    /// Writes one component.
    pub(super) fn written(
        &mut self,
        to: &str,
        part: Option<&str>,
        cx: &Context,
    ) -> Result<Written, Trouble> {
        let component = self.chosen(part.or(self.options.system.as_deref()), cx)?;
        let text = match to {
            "aut" => component.aldebaran(),
            "lts" | "fsp" => component.fsp(),
            other => {
                let message = format!("{other} is not a format for components");
                return Err(Diagnostic::error("unsupported", message)
                    .help("components are written as aut, lts, dot or svg")
                    .into());
            }
        };
        let lts = &component.lts;
        let states = count(lts.states(), "state");
        let transitions = count(lts.transitions(), "transition");
        let name = component.name.as_str();
        Ok(Written {
            text,
            line: format!("component {name}, {states}, {transitions}"),
            details: vec![
                ("component".to_owned(), name.into()),
                ("format".to_owned(), to.into()),
                ("states".to_owned(), lts.states().into()),
                ("transitions".to_owned(), lts.transitions().into()),
            ],
            ..Written::default()
        })
    }
}

impl Component {
    /// A small component that is the same up to a relation.
    fn minimised(self, relation: Relation, cx: &Context) -> Result<Component, Trouble> {
        let budget = cx.budget.child_with_work(MOST_WORK);
        let lts = operations::minimise_by(&self.lts, relation, &budget)?;
        Ok(Component {
            before: Some(self.lts.states()),
            lts: lts.reachable(),
            // One state may now stand for several.
            names: Vec::new(),
            ..self
        })
    }

    /// Its states and what leads from one to the other.
    pub(super) fn picture(&self) -> Graph {
        component_picture(&self.name, &self.lts, &self.actions, &self.names)
    }

    /// As a process in the FSP language.
    pub(super) fn fsp(&self) -> String {
        write_process(&self.plain_name(), &self.lts, &self.actions)
    }

    /// In the Aldebaran format.
    fn aldebaran(&self) -> String {
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
