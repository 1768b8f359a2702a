//! Are the components of the evidence those of the system?

use quotient_core::Budget;
use quotient_lts::evidence::{LtsData, SystemData};
use quotient_lts::{Action, ERROR, Lts, LtsBuilder, System};

use super::fragment::Fragment;
use super::reduce;
use super::whole::Whole;
use crate::Rejection;

/// A system as the evidence gives it, found to be that of the model.
#[derive(Debug)]
pub(super) struct Model {
    /// The names of the components.
    pub(super) names: Vec<String>,
    /// The components, over events.
    pub(super) parts: Vec<Lts>,
    /// The components that only watch and were left idle.
    idle: Vec<bool>,
    /// The names of the events by number.
    pub(super) events: Vec<String>,
    /// The actions that the events show as.
    pub(super) shown: Vec<Action>,
    /// Whether each event goes before those that do not; nothing without priorities.
    wins: Option<Vec<bool>>,
    /// The names of actions, by number.
    pub(super) actions: quotient_lts::Actions,
}

impl Model {
    /// All components side by side.
    pub(super) fn whole(&self) -> Whole<'_> {
        let whole = Whole::new(&self.parts);
        match &self.wins {
            None => whole,
            Some(wins) => whole.with_winners(wins.clone()),
        }
    }

    /// Fails where there are priorities: for what is only true without.
    pub(super) fn refuse_priorities(&self) -> Result<(), Rejection> {
        match self.wins {
            None => Ok(()),
            Some(_) => Err(Rejection::wrong(
                "where steps have priorities this shows nothing",
            )),
        }
    }

    /// Whether a text names components, and none that was left idle.
    pub(super) fn has_all(&self, names: &str) -> bool {
        let is_there = |name: &str| {
            let mut known = self.names.iter().zip(&self.idle);
            known.any(|(known, idle)| known == name && !idle)
        };
        names.split(", ").all(is_there)
    }
}

/// Compares a system with the model. A component that only watches may be left idle: others
/// behave the same without it.
pub(super) fn matched(
    data: &SystemData,
    system: &System,
    budget: &Budget,
) -> Result<Model, Rejection> {
    let mut fragment = match system.root() {
        Some(root) => Fragment::of(system, root, budget)?,
        None => Fragment::default(),
    };
    if data.priority.is_none() {
        fragment = fragment.without_priorities(system, budget)?;
    }
    let (shown, own) = fragment.numbered(system);
    let wins = fragment.winners(system);
    let differs = |what: &str| Rejection::wrong(format!("{what} not the model's"));
    let names = std::iter::once("tau").chain(shown.iter().skip(1).map(|event| event.0));
    if !names.eq(data.events.iter().map(String::as_str)) {
        return Err(differs("the events are"));
    }
    let hidden = (1..).zip(&shown[1..]);
    let hidden = hidden.filter(|(_, (_, action))| action.is_tau());
    if !hidden
        .map(|(number, _)| number)
        .eq(data.hidden.iter().copied())
    {
        return Err(differs("the hidden events are"));
    }
    let theirs = data.priority.as_ref().map(|priority| {
        let listed = |event: u32| priority.events.contains(&event);
        let events = 0..data.events.len() as u32;
        events.map(|event| listed(event) == priority.high).collect()
    });
    if wins != theirs {
        return Err(differs("the priorities are"));
    }
    if own.len() != data.components.len() {
        return Err(differs("the components are"));
    }
    let (mut parts, mut idle) = (Vec::new(), Vec::new());
    for ((name, own), theirs) in own.iter().zip(&data.components) {
        let lts = lts_of(theirs, data.events.len())?;
        let is_idle = lts.alphabet().is_empty() && lts.transitions() == 0 && lts.states() == 1;
        let is_own = lts == *own
            || lts.alphabet() == own.alphabet() && reduce::bisimilar(own, &lts, budget)?;
        // What only a watcher knows may go before what others do.
        let may_idle = is_idle && is_watcher(own) && wins.is_none();
        let same = *name == theirs.name && (is_own || may_idle);
        if !same {
            return Err(differs(&format!("the component `{}` is", theirs.name)));
        }
        parts.push(lts);
        idle.push(!is_own);
    }
    Ok(Model {
        names: own.into_iter().map(|(name, _)| name).collect(),
        parts,
        idle,
        events: data.events.clone(),
        shown: shown.into_iter().map(|(_, action)| action).collect(),
        wins,
        actions: system.actions.clone(),
    })
}

/// Deterministic, with an edge for every state and event: it never stands in the way.
pub(super) fn is_watcher(lts: &Lts) -> bool {
    lts.is_deterministic() && lts.transitions() == lts.states() * lts.alphabet().len()
}

/// More states than any component has; a file that says more is damaged.
const MOST_STATES: u32 = 1 << 26;

/// A transition system of the evidence.
pub(super) fn lts_of(data: &LtsData, events: usize) -> Result<Lts, Rejection> {
    let damaged = || Rejection::unreadable(format!("the component `{}` is damaged", data.name));
    let state = |state: Option<u32>| match state {
        None => Ok(ERROR),
        Some(state) if state < data.states => Ok(state),
        Some(_) => Err(damaged()),
    };
    let event = |event: u32| match (event as usize) < events {
        true => Ok(Action::from_index(event as usize)),
        false => Err(damaged()),
    };
    if data.states == 0 || data.states > MOST_STATES {
        return Err(damaged());
    }
    let mut builder = LtsBuilder::new();
    builder.at_least(data.states).initial(state(data.initial)?);
    if data.end.is_some() {
        builder.end(state(data.end)?);
    }
    for &known in &data.alphabet {
        builder.alphabet([event(known)?]);
    }
    for &(from, action, to) in &data.edges {
        let is_known = action == 0 || data.alphabet.binary_search(&action).is_ok();
        if !is_known {
            return Err(damaged());
        }
        builder.edge(state(Some(from))?, event(action)?, state(to)?);
    }
    Ok(builder.build())
}
