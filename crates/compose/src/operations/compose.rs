//! Building a composition.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use crate::product::{Product, Scratch, StateTable, Target, for_width};
use crate::{Action, ERROR, Lts, LtsBuilder};

/// The reachable part of a composition, its states numbered breadth-first.
pub(crate) fn compose(product: &Product, budget: &Budget) -> Result<Lts, Stop> {
    for_width!(product.words(), build(product, budget))
}

fn build<const W: usize>(product: &Product, budget: &Budget) -> Result<Lts, Stop> {
    let mut builder = LtsBuilder::new();
    builder.alphabet(product.alphabet());
    let mut table = StateTable::<W>::new();
    match product.initial() {
        Target::Error(_) => {
            builder.initial(ERROR);
            return Ok(builder.build());
        }
        Target::State(state) => table.insert(state)?,
    };
    let mut scratch = Scratch::default();
    let mut number = 0;
    while (number as usize) < table.len() {
        let state = *table.state(number);
        if product.has_ended(&state) {
            builder.end(number);
        }
        let mut steps = 1;
        let expanded = product.expand(&state, &mut scratch, |action: Action, target| {
            steps += 1;
            let target = match target {
                Target::Error(_) => ERROR,
                Target::State(next) => match table.insert(next) {
                    Ok((target, _)) => target,
                    Err(stop) => return ControlFlow::Break(stop),
                },
            };
            builder.edge(number, action, target);
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(stop) = expanded {
            return Err(stop);
        }
        budget.charge(steps)?;
        number += 1;
    }
    Ok(builder.build())
}
