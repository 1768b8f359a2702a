//! Are the small components like the large ones, and never stuck?

use quotient_core::Budget;
use quotient_lts::evidence::ReducedData;
use quotient_lts::{Action, Lts, LtsBuilder};

use super::model::{Model, is_watcher, lts_of};
use super::reduce::weakly_bisimilar;
use super::whole::{Numbered, Whole};
use crate::Rejection;

/// Compares each component with its small form, and searches the small ones.
pub(super) fn check(
    data: &ReducedData,
    model: &Model,
    about: &str,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if about != "deadlock" {
        return Err(Rejection::wrong(
            "reduced components only show that there is no deadlock",
        ));
    }
    let mut processes = Vec::new();
    for (number, part) in model.parts.iter().enumerate() {
        match data.watchers.contains(&number) {
            true if is_watcher(part) => {}
            true => {
                return Err(Rejection::wrong(format!(
                    "`{}` does not only watch",
                    model.names[number]
                )));
            }
            false if part.has_error() => {
                return Err(Rejection::wrong(format!(
                    "`{}` can err and is not left out",
                    model.names[number]
                )));
            }
            false => processes.push((&model.names[number], part)),
        }
    }
    if processes.len() != data.reduced.len() {
        return Err(Rejection::wrong("not every component has its small form"));
    }
    let ends = |part: &Lts| part.end().is_some();
    if model.parts.iter().any(ends) {
        // Who takes part in hidden events is forgotten, and good ends ask for that.
        let mut watching = data
            .watchers
            .iter()
            .filter_map(|&part| model.parts.get(part));
        if !Whole::new(&model.parts).can_end() || watching.any(ends) {
            return Err(Rejection::wrong(
                "small components do not show which ends are good here",
            ));
        }
    }
    let alone = |event: Action| {
        let knowing = processes.iter().filter(|(_, part)| part.knows(event));
        knowing.count() == 1
    };
    let mut small = Vec::new();
    for ((name, part), reduced) in processes.iter().zip(&data.reduced) {
        let reduced = lts_of(reduced, model.events.len())?;
        let own = hidden(part, alone);
        let same = own.alphabet() == reduced.alphabet()
            && own.end().is_some() == reduced.end().is_some()
            && !reduced.has_error()
            && weakly_bisimilar(&own, &reduced, budget)?;
        if !same {
            return Err(Rejection::wrong(format!(
                "the small form of `{name}` does something else"
            )));
        }
        small.push(reduced);
    }
    let whole = Whole::new(&small);
    let mut states = Numbered::new(small.len());
    states.number(&whole.initial());
    let mut next = 0;
    while next < states.len() {
        let state = states.get(next).to_vec();
        let steps = whole.steps(&state);
        budget.charge(steps.len() as u64 + 1)?;
        if steps.is_empty() && !whole.has_ended(&state) {
            return Err(Rejection::wrong("the small components have a deadlock"));
        }
        for (_, target) in steps {
            states.number(&target);
        }
        next += 1;
    }
    Ok(vec![
        format!(
            "each of {} small components is like its large one",
            small.len()
        ),
        format!(
            "in their {} states together there is no deadlock",
            states.len()
        ),
    ])
}

/// A component with some events silent.
fn hidden(lts: &Lts, is_hidden: impl Fn(Action) -> bool) -> Lts {
    let name = |action: Action| match is_hidden(action) {
        true => Action::TAU,
        false => action,
    };
    let mut builder = LtsBuilder::shaped_like(lts);
    builder.alphabet(lts.alphabet().iter().map(|&action| name(action)));
    for (from, edge) in lts.all_edges() {
        builder.edge(from, name(edge.action), edge.target);
    }
    builder.build()
}
