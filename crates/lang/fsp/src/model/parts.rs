//! The processes and composites of a text, without anything multiplied out.

use std::sync::Arc;

use quotient_compose::Network;
use quotient_core::{Budget, Stop};
use quotient_lts::Lts;

use super::mistakes::used;
use super::{Model, Options};
use crate::Trouble;
use crate::compile::{Compiler, Term};
use crate::syntax::Definition;

/// A process with its transition system, or a composite with the names of what it puts together.
pub(crate) enum Part<'m> {
    Process(&'m str, Result<Arc<Lts>, Stop>),
    Composite(&'m str, Vec<&'m str>),
}

impl<'m> Part<'m> {
    pub(crate) fn name(&self) -> &'m str {
        match self {
            Part::Process(name, _) | Part::Composite(name, _) => name,
        }
    }
}

impl Model {
    /// All processes, and then all composites; processes are compiled with their default
    /// parameters, one after the other on one budget.
    pub(crate) fn parts(
        &self,
        options: &Options,
        budget: &Budget,
    ) -> Result<Vec<Part<'_>>, Trouble> {
        let mut compiler = Compiler::new(&self.source, &self.specification, options, budget)?;
        let mut parts = Vec::new();
        for name in self.processes() {
            let lts = match compiler.whole(name) {
                Err(Trouble::Stopped(stop)) => Err(stop),
                Err(invalid) => return Err(invalid),
                Ok(None) => continue,
                Ok(Some(composition)) => match composition.machines.first().map(|one| &one.term) {
                    Some(Term::Process(lts, _)) => Ok(lts.clone()),
                    _ => {
                        let node = composition.node(&mut compiler.system);
                        compiler.system.set_root(node);
                        let built = Network::with_priorities(&compiler.system, budget)
                            .and_then(|network| network.compose(budget));
                        built.map(Arc::new)
                    }
                },
            };
            parts.push(Part::Process(name, lts));
        }
        for definition in &self.specification.definitions {
            budget.poll()?;
            if let Definition::Composite(composite) = definition {
                let mut names = used(&composite.body);
                names.sort_by_key(|name| name.span.start);
                let mut once: Vec<&str> = Vec::new();
                for name in names {
                    if !once.contains(&name.text.as_str()) {
                        once.push(&name.text);
                    }
                }
                parts.push(Part::Composite(&composite.name.text, once));
            }
        }
        Ok(parts)
    }
}
