//! Whether a protocol fits into words at all.

use quotient_core::{Diagnostic, Trouble};

use crate::model::{Condition, Demand, Domain, Expr, Protocol};

/// All sizes of domains multiplied stay below this: a letter for each would be too many.
const MOST_VALUES: usize = 10_000;

impl Protocol {
    /// Says why a protocol does not fit into words, if it does not.
    pub(super) fn fits_words(&self) -> Result<(), Trouble> {
        let carried = self
            .pairs
            .first()
            .map(|pair| (pair.span, "a process for each other"));
        let parameter = self.globals.iter();
        let parameter = parameter
            .clone()
            .find(|global| global.domain == Domain::Parameter);
        let parameter = parameter.map(|global| (global.span, "how large numbers are"));
        if let Some((span, what)) = carried.or(parameter) {
            let message = format!("words cannot keep {what}");
            return Err(Diagnostic::error("no-words", message)
                .at(&self.source, span, "")
                .help("arrays keep it, where the rest of the protocol fits there")
                .into());
        }
        let counts = |expr: &Expr| matches!(expr, Expr::Threshold { .. });
        let guards = self.steps.iter().map(|step| (&step.guard, step.span));
        let never = self
            .properties
            .iter()
            .filter_map(|property| match &property.demand {
                Demand::Never(Condition::Holds(expr)) => Some((expr, property.span)),
                _ => None,
            });
        let initially = self
            .initially
            .iter()
            .filter_map(|condition| match condition {
                Condition::Holds(expr) => Some((expr, Default::default())),
                _ => None,
            });
        let mut counted = guards.chain(never).chain(initially);
        let counted = counted.find(|(expr, _)| expr.mentions(&counts));
        if counted.is_some() || !self.constraints.is_empty() {
            let span = counted.map(|(_, span)| span).unwrap_or_default();
            let message = "words cannot compare a count with the number of processes";
            return Err(Diagnostic::error("no-words", message)
                .at(&self.source, span, "")
                .help("arrays keep it, where the rest of the protocol fits there")
                .into());
        }
        for (variables, what) in [
            (&self.globals, "globals"),
            (&self.fields, "process variables"),
        ] {
            let sizes = variables
                .iter()
                .map(|variable| variable.domain.values().len());
            let product = sizes.fold(1usize, usize::saturating_mul);
            if let Some(last) = variables.last().filter(|_| product > MOST_VALUES) {
                let message = format!("the {what} have {product} joint values");
                return Err(Diagnostic::error("too-many-values", message)
                    .at(&self.source, last.span, "")
                    .note(format!("at most {MOST_VALUES} fit into an alphabet"))
                    .help("make ranges smaller, or merge variables that depend on each other")
                    .into());
            }
        }
        Ok(())
    }
}
