//! Whether a protocol fits into words at all.

use quotient_core::{Diagnostic, Span, Trouble};

use crate::model::{Action, Condition, Demand, Domain, Expr, Protocol};

/// All sizes of domains multiplied stay below this: a letter for each would be too many.
const MOST_VALUES: usize = 10_000;

impl Protocol {
    /// Says why a protocol does not fit into words, if it does not.
    pub(super) fn fits_words(&self) -> Result<(), Trouble> {
        if self.topology == crate::Topology::Tree {
            let message = "processes in a tree are no words";
            let error = Diagnostic::error("no-words", message).in_source(&self.source);
            return Err(error.help("the language opens them as trees").into());
        }
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
        if let Some((_, span)) = (self.conditions().into_iter()).find(|(expr, _)| {
            expr.mentions(&|part| matches!(part, Expr::Threshold { .. } | Expr::Sums(..)))
        }) {
            let message = "words cannot compare a count with the number of processes";
            return Err(Diagnostic::error("no-words", message)
                .at(&self.source, span, "")
                .help("arrays keep it, where the rest of the protocol fits there")
                .into());
        }
        if !self.constraints.is_empty() {
            let message = "words keep to what is assumed of every configuration only where steps \
                           change single processes, or where it is a constant that is counted to";
            return Err(Diagnostic::error("no-words", message)
                .in_source(&self.source)
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

    /// What is asked anywhere, with its place.
    pub(crate) fn conditions(&self) -> Vec<(&Expr, Span)> {
        let mut all = Vec::new();
        for step in &self.steps {
            all.push((&step.guard, step.span));
            all.extend(
                step.readings
                    .iter()
                    .map(|reading| (&reading.body, step.span)),
            );
            for action in step.alternatives.iter().flatten() {
                if let Action::Broadcast(broadcast) = action {
                    all.push((&broadcast.only, step.span));
                }
            }
        }
        for condition in &self.initially {
            if let Condition::Holds(expr) = condition {
                all.push((expr, Span::default()));
            }
        }
        for property in &self.properties {
            if let Demand::Never(Condition::Holds(expr)) = &property.demand {
                all.push((expr, property.span));
            }
        }
        all
    }
}
