//! Progress: whatever happens, some actions happen again and again.

use quotient_core::{Context, Stop};

use crate::beginnings::{FIRST, look};
use crate::graph::components;
use crate::lasso::{Lasso, cycle_from, shortest_path};
use crate::operations::Beginning;
use crate::{Action, ERROR, Lts, Network, Progress, State};

/// A set of states that cannot be left and in which some actions never happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starvation {
    /// The name of the first property that is violated there.
    pub property: String,
    /// The actions that do not happen there.
    pub starved: Vec<Action>,
    /// The way there, and round in it; an empty cycle where nothing happens at all.
    pub lasso: Lasso,
}

/// Checks progress properties; without any, every action of the system should go on.
///
/// With fair choices an execution ends up in a terminal set of states, one that cannot be
/// left, and does all that is possible there again and again (Magee and Kramer). The system is
/// built from its start in growing parts, until one has such a set.
pub fn check_progress(
    network: &Network,
    properties: &[Progress],
    cx: &Context,
) -> Result<Option<Starvation>, Stop> {
    in_beginnings(network, properties, FIRST, cx)
}

/// The same with the size of the first beginning.
pub(crate) fn in_beginnings(
    network: &Network,
    properties: &[Progress],
    first: usize,
    cx: &Context,
) -> Result<Option<Starvation>, Stop> {
    let every = network
        .actions()
        .visible()
        .filter(|&action| network.events().any(|event| network.shown(event) == action));
    let defaults: Vec<Progress> = match properties.is_empty() {
        true => every
            .map(|action| Progress {
                name: format!("every action: {}", network.actions().name(action)),
                condition: None,
                actions: vec![action],
            })
            .collect(),
        false => Vec::new(),
    };
    let properties = if properties.is_empty() {
        &defaults
    } else {
        properties
    };
    look(network, first, &cx.budget, |beginning| {
        starvation(network, properties, beginning, cx)
    })
}

/// The nearest violation in the beginning of a system.
fn starvation(
    network: &Network,
    properties: &[Progress],
    beginning: &Beginning,
    cx: &Context,
) -> Result<Option<Starvation>, Stop> {
    let lts = &beginning.composed.lts;
    let component_of = components(lts.states(), |state| {
        lts.edges(state).iter().map(|edge| edge.target)
    });
    let terminal = Terminal::sets(lts, beginning.open, &component_of);
    cx.budget.charge(lts.transitions() as u64)?;
    // Of all violations take one in the terminal set that is met first.
    let mut violated: Vec<Option<(usize, Vec<Action>)>> = vec![None; terminal.len()];
    for (set, slot) in terminal.iter().zip(&mut violated) {
        let Some(set) = set else { continue };
        let shown: Vec<Action> = set
            .events
            .iter()
            .map(|&event| network.shown(event))
            .collect();
        let happens = |actions: &[Action]| actions.iter().any(|action| shown.contains(action));
        let broken = properties.iter().position(|property| {
            property.condition.as_deref().is_none_or(happens) && !happens(&property.actions)
        });
        *slot = broken.map(|property| (property, shown));
    }
    let is_goal = |state: State| violated[component_of[state as usize] as usize].is_some();
    let Some((state, way)) = shortest_path(lts, lts.initial(), is_goal, &cx.budget)? else {
        return Ok(None);
    };
    let Some((property, shown)) = &violated[component_of[state as usize] as usize] else {
        return Err(Stop::inconclusive("internal error: a goal that is none"));
    };
    let alphabet = network.actions().visible();
    Ok(Some(Starvation {
        property: properties[*property].name.clone(),
        starved: alphabet
            .filter(|action| !shown.contains(action))
            .filter(|&action| network.events().any(|event| network.shown(event) == action))
            .collect(),
        lasso: Lasso::new(
            &beginning.composed,
            &way,
            &cycle_from(lts, state, &cx.budget)?,
        ),
    }))
}

/// A set of states that cannot be left, with what happens in it.
struct Terminal {
    events: Vec<Action>,
}

impl Terminal {
    /// For each component whether it is terminal. Where states from `open` on lead is not known.
    fn sets(lts: &Lts, open: State, component_of: &[u32]) -> Vec<Option<Terminal>> {
        let count = component_of
            .iter()
            .max()
            .map_or(0, |&most| most as usize + 1);
        let mut sets: Vec<Option<Terminal>> = (0..count)
            .map(|_| Some(Terminal { events: Vec::new() }))
            .collect();
        for (from, edge) in lts.all_edges() {
            let component = component_of[from as usize];
            let slot = &mut sets[component as usize];
            match edge.target != ERROR && component_of[edge.target as usize] == component {
                true => slot.iter_mut().for_each(|set| set.events.push(edge.action)),
                false => *slot = None,
            }
        }
        for &component in &component_of[open as usize..] {
            sets[component as usize] = None;
        }
        for set in sets.iter_mut().flatten() {
            set.events.sort_unstable();
            set.events.dedup();
        }
        sets
    }
}
