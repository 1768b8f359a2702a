//! Assertions as components.

use std::sync::Arc;

use quotient_core::Diagnostic;
use quotient_lts::Action;

use super::{Compiler, Machine, Term};
use crate::Trouble;
use crate::evaluate::{Expander, Value};
use crate::safety::{Refusal, restricting, safety_process};
use crate::syntax::{Assertion, AssertionKind, Name};
use crate::temporal::assertion_check;

impl<'a> Compiler<'a> {
    /// `constraint` and `ltl_property` as components.
    pub(super) fn constraint(
        &mut self,
        assertion: &'a Assertion,
        instance: String,
        arguments: Option<&[Value]>,
        used_at: &Name,
    ) -> Result<Machine, Trouble> {
        let name = &assertion.name.text;
        if assertion.kind == AssertionKind::Assert {
            return Err(Diagnostic::error(
                "assertion-as-process",
                format!("the assertion `{name}` is not a process"),
            )
            .at(self.source(), used_at.span, "a process is needed here")
            .at(self.source(), assertion.name.span, "defined here")
            .help("define it with `ltl_property` to watch, or with `constraint` to restrict")
            .into());
        }
        let check = assertion_check(self, name, arguments)?;
        let mut more: Vec<Action> = Vec::new();
        if let Some(extension) = &assertion.extension {
            let globals = self.globals.clone();
            let scope = globals.parameters(&assertion.parameters, arguments)?;
            let mut scope = scope.of_set();
            let labels = Expander::new(&globals, self.budget).set(extension, &mut scope)?;
            more.extend(labels.iter().map(|label| self.system.actions.intern(label)));
        }
        let lts = safety_process(&check, &more, self.budget).map_err(|refusal| {
            let (code, message) = match refusal {
                Refusal::Stopped(stop) => return Trouble::Stopped(stop),
                Refusal::Liveness => (
                    "liveness",
                    format!("`{name}` promises that something will happen"),
                ),
                Refusal::TooLarge => ("too-large", format!("`{name}` is too large")),
            };
            Trouble::from(
                Diagnostic::error(code, message)
                    .at(self.source(), assertion.formula.span, "cannot be a process")
                    .note("only safety formulas, without `<>` and `U`, can be composed")
                    .help("define it with `assert` and check it on its own"),
            )
        })?;
        let (lts, property) = match assertion.kind {
            AssertionKind::Constraint => (restricting(&lts), None),
            _ => (lts, Some(assertion.name.span)),
        };
        Ok(Machine {
            name: instance,
            term: Term::Process(Arc::new(lts), [].into()),
            property,
        })
    }
}
