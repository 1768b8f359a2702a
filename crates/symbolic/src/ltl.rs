//! LTL: the product with a tableau of the negated formula has a fair run iff the formula is
//! violated.

mod branching;
mod shorter;
mod tableau;

pub(crate) use branching::in_branching_time;
pub(crate) use shorter::shortened;

use oxidd::BooleanFunction;
use quotient_core::{Budget, Stop, Story};
use quotient_logic::Formula;

use crate::diagrams::Config;
use crate::fixpoint::Arena;
use crate::model::{Expression, Model, Valuation};
use crate::reach::Reach;
use crate::system::System;
use crate::trace::Trace;

/// A fair run of the model that violates the formula, if there is one.
pub(crate) fn violation(
    model: &Model,
    formula: &Formula<Expression>,
    config: Config,
    budget: &Budget,
    story: &Story,
) -> Result<Option<Trace>, Stop> {
    let opposite = !formula.clone();
    let product = tableau::restrict(model.clone(), &opposite)?;
    let mut system = System::new(product, &[], config, budget)?;
    let everything = vec![true; system.model.variables().len()];
    // What the tableau says names all that the formula speaks of.
    let cone = system.cone([]);
    if system.bits_of(&everything) * 4 > system.bits_of(&cone) * 5 {
        match fair_run(&mut system, cone, story)? {
            None => return Ok(None),
            Some(trace) if trace.variables.len() == everything.len() => {
                return Ok(Some(without_tableau(model, trace)));
            }
            // What is outside does not come round with the rest soon: a run of all is looked for.
            Some(_) => {}
        }
    }
    let trace = fair_run(&mut system, everything, story)?;
    Ok(trace.map(|trace| without_tableau(model, trace)))
}

/// A fair run of a part of a system, if there is one, with values for the rest where they are found.
fn fair_run(
    system: &mut System,
    variables: Vec<bool>,
    story: &Story,
) -> Result<Option<Trace>, Stop> {
    let mut machine = system.machine(variables)?;
    let mut reach = Reach::begin(&machine);
    reach.explore(system, &mut machine, None, story)?;
    let arena = Arena {
        diagrams: &system.diagrams,
        machine: &machine,
        states: &reach.all,
    };
    let hull = arena.fair_hull(&reach.all)?;
    if !hull.satisfiable() {
        return Ok(None);
    }
    let Some(mut path) = arena.shortest_to(&reach, &hull)? else {
        return Ok(None);
    };
    let at = path.states[path.states.len() - 1].clone();
    path.append(arena.lasso(&at, &hull, true)?);
    system.trace(&machine, &path).map(Some)
}

/// The same run without the bits of the tableau.
fn without_tableau(model: &Model, trace: Trace) -> Trace {
    let count = model.bit_count();
    let states = trace.states.iter().map(|state| {
        let mut own = Valuation::new(count);
        (0..count as u32).for_each(|bit| own.set(bit, state.get(bit)));
        own
    });
    let variables = trace.variables.iter().copied();
    Trace {
        states: states.collect(),
        back_to: trace.back_to,
        variables: variables
            .filter(|id| id.index() < model.variables().len())
            .collect(),
    }
}
