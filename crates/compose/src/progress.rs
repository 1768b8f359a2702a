//! Progress: whatever happens, some actions happen again and again.

use quotient_core::{Context, Stop};

use crate::beginnings::{FIRST, look};
use crate::graph::components;
use crate::lasso::{Lasso, cycle_from, shortest_path};
use crate::operations::{Beginning, Composed};
use crate::{Action, ERROR, Lts, Network, Progress, State};

/// A set of states that cannot be left and in which some actions never happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starvation {
    /// The name of the property that is violated there.
    pub property: String,
    /// The actions that do not happen there.
    pub starved: Vec<Action>,
    /// The way there, and round in it; an empty cycle where nothing happens at all.
    pub lasso: Lasso,
}

/// The name under which it is asked that every action goes on.
pub(crate) const DEFAULT: &str = "progress";

/// What is known about one progress property: its name, and where it is violated.
pub type ProgressAnswer = (String, Result<Option<Starvation>, Stop>);

/// Checks progress properties, each by itself. Without any, every action of the system should
/// go on.
///
/// With fair choices an execution ends up in a terminal set of states, one that cannot be
/// left, and does all that is possible there again and again (Magee and Kramer). The system is
/// built from its start in growing parts, until each property has such a set or all is built.
pub fn check_progress(
    network: &Network,
    properties: &[Progress],
    cx: &Context,
) -> Vec<ProgressAnswer> {
    in_beginnings(network, properties, FIRST, cx)
}

/// The same with the size of the first beginning.
pub(crate) fn in_beginnings(
    network: &Network,
    properties: &[Progress],
    first: usize,
    cx: &Context,
) -> Vec<ProgressAnswer> {
    let asked = Asked::all(network, properties);
    let mut found: Vec<Option<Starvation>> = vec![None; asked.len()];
    let looked = look(network, first, &cx.budget, |beginning| {
        let search = Search::new(network, beginning, cx)?;
        for (asked, found) in asked.iter().zip(&mut found) {
            if found.is_none() {
                *found = search.nearest(asked)?;
            }
        }
        Ok(found.iter().all(Option::is_some).then_some(()))
    });
    let answers = asked.iter().zip(found);
    answers
        .map(|(asked, found)| {
            // What was found stays true when the search was ended.
            let answer = match (found, &looked) {
                (None, Err(stop)) => Err(stop.clone()),
                (found, _) => Ok(found),
            };
            (asked.name().to_owned(), answer)
        })
        .collect()
}

/// The same in states of which all are there, with the sets that cannot be left.
pub(crate) fn in_all(
    network: &Network,
    properties: &[Progress],
    all: &Beginning,
    cx: &Context,
) -> Result<Vec<(String, Option<Starvation>)>, Stop> {
    let search = Search::new(network, all, cx)?;
    let asked = Asked::all(network, properties).into_iter();
    asked
        .map(|asked| Ok((asked.name().to_owned(), search.nearest(&asked)?)))
        .collect()
}

/// Whether one of the sets of states that cannot be left keeps a property.
pub(crate) fn is_kept_somewhere(
    network: &Network,
    property: &Progress,
    cx: &Context,
) -> Result<bool, Stop> {
    let kept = look(network, usize::MAX, &cx.budget, |beginning| {
        let search = Search::new(network, beginning, cx)?;
        let mut sets = search.terminal.iter().flatten();
        let asked = Asked::One(property);
        Ok(sets.any(|set| !asked.is_violated_in(set)).then_some(()))
    });
    Ok(kept?.is_some())
}

/// What should go on.
enum Asked<'a> {
    One(&'a Progress),
    /// All these actions.
    Every(Vec<Action>),
}

impl<'a> Asked<'a> {
    /// The properties; without any, that every action goes on.
    fn all(network: &Network, properties: &'a [Progress]) -> Vec<Asked<'a>> {
        match properties.is_empty() {
            true => vec![Asked::Every(visible(network).collect())],
            false => properties.iter().map(Asked::One).collect(),
        }
    }

    fn name(&self) -> &str {
        match self {
            Asked::One(property) => &property.name,
            Asked::Every(_) => DEFAULT,
        }
    }

    fn is_violated_in(&self, set: &Terminal) -> bool {
        match self {
            Asked::Every(actions) => actions.iter().any(|action| !set.actions.contains(action)),
            Asked::One(property) => {
                let condition = property.condition.as_deref();
                condition.is_none_or(|condition| set.does_one_of(condition))
                    && !set.does_one_of(&property.actions)
            }
        }
    }
}

/// A property for each action that the system shows: it goes on.
pub(crate) fn every_action(network: &Network) -> Vec<Progress> {
    let visible = visible(network).map(|action| Progress {
        name: network.actions().name(action).to_owned(),
        condition: None,
        actions: vec![action],
    });
    visible.collect()
}

/// The actions that the system shows.
fn visible(network: &Network) -> impl Iterator<Item = Action> + '_ {
    let shown = |&action: &Action| network.events().any(|event| network.shown(event) == action);
    network.actions().visible().filter(shown)
}

/// The beginning of a system, to look for terminal sets in.
struct Search<'a> {
    network: &'a Network,
    composed: &'a Composed,
    component_of: Vec<u32>,
    terminal: Vec<Option<Terminal>>,
    cx: &'a Context,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network, beginning: &'a Beginning, cx: &'a Context) -> Result<Self, Stop> {
        let lts = &beginning.composed.lts;
        let component_of = components(lts.states(), |state| {
            lts.edges(state).iter().map(|edge| edge.target)
        });
        cx.budget.charge(lts.transitions() as u64)?;
        Ok(Search {
            network,
            composed: &beginning.composed,
            terminal: Terminal::sets(network, lts, beginning.open, &component_of),
            component_of,
            cx,
        })
    }

    /// The terminal set with a violation that is met first.
    fn nearest(&self, asked: &Asked<'_>) -> Result<Option<Starvation>, Stop> {
        let sets = self.terminal.iter();
        let violated: Vec<Option<&Terminal>> = sets
            .map(|set| set.as_ref().filter(|set| asked.is_violated_in(set)))
            .collect();
        let set_of = |state: State| violated[self.component_of[state.index()] as usize];
        let lts = &self.composed.lts;
        let budget = &self.cx.budget;
        let found = shortest_path(lts, lts.initial(), |state| set_of(state).is_some(), budget)?;
        let Some((state, way)) = found else {
            return Ok(None);
        };
        let happens =
            |action: &Action| set_of(state).is_some_and(|set| set.actions.contains(action));
        Ok(Some(Starvation {
            property: asked.name().to_owned(),
            starved: visible(self.network)
                .filter(|action| !happens(action))
                .collect(),
            lasso: Lasso::new(self.composed, &way, &cycle_from(lts, state, budget)?),
        }))
    }
}

/// A set of states that cannot be left, with what the system shows in it.
struct Terminal {
    actions: Vec<Action>,
}

impl Terminal {
    fn does_one_of(&self, actions: &[Action]) -> bool {
        actions.iter().any(|action| self.actions.contains(action))
    }

    /// For each component whether it is terminal. Where states from `open` on lead is not known.
    fn sets(
        network: &Network,
        lts: &Lts,
        open: State,
        component_of: &[u32],
    ) -> Vec<Option<Terminal>> {
        let count = component_of
            .iter()
            .max()
            .map_or(0, |&most| most as usize + 1);
        let mut sets: Vec<Option<Terminal>> = (0..count)
            .map(|_| {
                Some(Terminal {
                    actions: Vec::new(),
                })
            })
            .collect();
        for (from, edge) in lts.all_edges() {
            let component = component_of[from.index()];
            let slot = &mut sets[component as usize];
            match edge.target != ERROR && component_of[edge.target.index()] == component {
                true => slot
                    .iter_mut()
                    .for_each(|set| set.actions.push(network.shown(edge.action))),
                false => *slot = None,
            }
        }
        for &component in &component_of[open.index()..] {
            sets[component as usize] = None;
        }
        for set in sets.iter_mut().flatten() {
            set.actions.sort_unstable();
            set.actions.dedup();
        }
        sets
    }
}
