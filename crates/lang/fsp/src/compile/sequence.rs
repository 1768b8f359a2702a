//! Processes that run before others: `P; Q`.

use std::sync::Arc;

use quotient_certify::multiplied_out;
use quotient_core::{Diagnostic, Rejection, Stop};
use quotient_lts::{Lts, NodeId};

use super::{Compiler, Machine, Term};
use crate::Trouble;
use crate::evaluate::{Scope, Value};
use crate::syntax::Call;

impl<'a> Compiler<'a> {
    /// The transition system of a process that can end.
    pub(super) fn sequential(
        &mut self,
        call: &'a Call,
        scope: &Scope<'a>,
    ) -> Result<Arc<Lts>, Trouble> {
        let arguments = self.arguments(call, scope)?;
        let name = call.name.text.as_str();
        let machine = if matches!(name, "STOP" | "END" | "ERROR") {
            return Err(Diagnostic::error(
                "reserved-name",
                format!("`{name}` cannot come before another process"),
            )
            .at(self.source(), call.name.span, "not a process")
            .into());
        } else if let Some(&process) = self.processes.get(name) {
            self.check_arity(&call.name, process.parameters.len(), arguments.as_deref())?;
            Machine {
                name: name.to_string(),
                term: self.process(process, arguments.as_deref())?,
                property: None,
            }
        } else if let Some(&composite) = self.composites.get(name) {
            self.check_arity(&call.name, composite.parameters.len(), arguments.as_deref())?;
            let composition = self.composite(composite, arguments.as_deref(), &call.name)?;
            composition.created(&mut self.system)
        } else {
            return Err(self.undefined(&call.name).into());
        };
        let lts = match machine.term {
            Term::Process(lts, _) => lts,
            Term::Node(node) => Arc::new(self.build(node)?),
        };
        if lts.end().is_none() {
            return Err(Diagnostic::error(
                "never-ends",
                format!("`{name}` never ends, so nothing can come after it"),
            )
            .at(self.source(), call.name.span, "does not reach END")
            .help(format!("let `{name}` go on as END somewhere"))
            .into());
        }
        Ok(lts)
    }

    /// One transition system for an expression, by the checker's own definitions: what a text
    /// means is no matter of an engine.
    fn build(&self, node: NodeId) -> Result<Lts, Trouble> {
        let mut system = self.system.clone();
        system.set_root(node);
        multiplied_out(&system, self.budget).map_err(|rejection| match rejection {
            Rejection::Stopped(stop) => stop.into(),
            wrong => Stop::inconclusive(wrong.to_string()).into(),
        })
    }

    /// The values of actual parameters.
    pub(super) fn arguments(
        &self,
        call: &'a Call,
        scope: &Scope<'a>,
    ) -> Result<Option<Vec<Value>>, Trouble> {
        let Some(arguments) = &call.arguments else {
            return Ok(None);
        };
        let values = arguments
            .iter()
            .map(|argument| self.globals.evaluate(argument, scope));
        values.collect::<Result<Vec<_>, _>>().map(Some)
    }
}
