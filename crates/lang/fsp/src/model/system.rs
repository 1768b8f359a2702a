//! Which part of a text is the system.

use quotient_core::{Diagnostic, nearest};
use rustc_hash::FxHashSet;

use super::Model;
use crate::Trouble;
use crate::compile::{Compiler, Composition};

impl Model {
    /// The system that the options ask for.
    pub(super) fn system(
        &self,
        compiler: &mut Compiler<'_>,
        name: Option<&str>,
    ) -> Result<Composition, Trouble> {
        if let Some(name) = name {
            return self.named(compiler, name);
        }
        if let Some(name) = self.composites().last() {
            return self.named(compiler, name);
        }
        if self.processes().next().is_none() && self.constraints().next().is_none() {
            let diagnostic = Diagnostic::error("no-process", "there is no process in this text");
            // A comment that never ends may have swallowed it.
            let odd = self.warnings.first().cloned();
            return Err(match odd {
                Some(odd) => Diagnostic {
                    message: format!("{}: {}", diagnostic.message, odd.message),
                    code: diagnostic.code,
                    severity: diagnostic.severity,
                    ..odd
                },
                None => diagnostic.in_source(&self.source),
            }
            .into());
        }
        let mut machines = Vec::new();
        for name in self.processes().chain(self.constraints()) {
            machines.extend(self.named(compiler, name)?.machines);
        }
        let instances = compiler.instances();
        let known: FxHashSet<String> = machines.iter().map(|one| one.name.clone()).collect();
        machines.extend(
            instances
                .into_iter()
                .filter(|one| !known.contains(&one.name)),
        );
        Ok(Composition::plain("DEFAULT".to_string(), machines))
    }

    /// A composite or process by name, with its default parameters.
    pub(super) fn named(
        &self,
        compiler: &mut Compiler<'_>,
        name: &str,
    ) -> Result<Composition, Trouble> {
        match compiler.whole(name)? {
            Some(composition) => Ok(composition),
            None => {
                let known: Vec<&str> = self.composites().chain(self.processes()).collect();
                let diagnostic = Diagnostic::error(
                    "undefined-process",
                    format!("there is no composite or process `{name}`"),
                )
                .in_source(&self.source);
                let diagnostic = match (nearest(name, known.iter().copied()), known.as_slice()) {
                    (Some(near), _) => diagnostic.help(format!("did you mean `{near}`?")),
                    (None, []) => diagnostic,
                    (None, known) => diagnostic.note(format!("there are {}", known.join(", "))),
                };
                Err(diagnostic.into())
            }
        }
    }
}
