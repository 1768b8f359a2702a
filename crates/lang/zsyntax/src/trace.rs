//! Runs in the names of the pathway.

use quotient_language::{Cell, Layout, Step, Trace};

use crate::pathway::{Aggregate, Pathway};

/// A run: each reaction with what is there after it.
pub(crate) fn of(pathway: &Pathway, start: &Aggregate, run: &[usize]) -> Trace {
    let mut trace = Trace::new(Layout::Grid, ["aggregate"]);
    let mut aggregate = start.clone();
    trace
        .steps
        .push(Step::start([Cell::new(pathway.words(&aggregate))]));
    for &rule in run {
        let rule = &pathway.rules[rule];
        let Some(next) = rule.fire(&aggregate) else {
            break;
        };
        aggregate = next;
        let reaction = &pathway.reactions[rule.reaction];
        let cell = Cell::changed(pathway.words(&aggregate));
        trace
            .steps
            .push(Step::of(reaction.name.clone(), [cell]).at(reaction.span));
    }
    trace
}
