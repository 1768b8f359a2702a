//! Are the components of the evidence those of the system?
//!
//! What must be there is found from the system and the question, never from the evidence: the
//! components by their places, the properties by the components that can err. A component may
//! be left idle only where [`Idle`] says so.

use std::collections::BTreeSet;

use quotient_core::Budget;
use quotient_lts::evidence::{LtsData, NO_DEADLOCK, NO_ERROR, SystemData};
use quotient_lts::evidence::{joint_name, property_names};
use quotient_lts::{Action, ERROR, Lts, LtsBuilder, State, System};

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
    /// The names of the events by number.
    pub(super) events: Vec<String>,
    /// The actions that the events show as.
    pub(super) shown: Vec<Action>,
    /// Whether each event goes before those that do not; nothing without priorities.
    wins: Option<Vec<bool>>,
    /// The names of actions, by number.
    pub(super) actions: quotient_lts::Actions,
    /// The components of the system that can err.
    roles: Roles,
}

/// Which components may be idle in evidence of some kind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Idle<'a> {
    /// None.
    Nobody,
    /// Those that can err, only watch and do not belong to the property of this name. What
    /// others do, they do with and without them, and whether a property is kept is a matter of
    /// what others do.
    OtherProperties(&'a str),
    /// Those that can err, only watch, cannot end and do nothing that nobody else has a part
    /// in: the others reach at least the same states without them, and are stuck in the same.
    Watchers,
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

    /// The components, by place and in order, that must not err if the property of this name
    /// is to hold.
    pub(super) fn property(&self, about: &str) -> Result<Vec<usize>, Rejection> {
        self.roles.property(about)
    }

    /// Whether an execution that ends with errors of these components is of no interest to the
    /// property of some components: none of them errs, and all of those that do restrict
    /// others. What only watches ends nothing.
    pub(super) fn only_ends(&self, erring: &[usize], property: &[usize]) -> bool {
        let ends = |at: &usize| !property.contains(at) && !self.roles.watching.contains(at);
        erring.iter().all(ends)
    }
}

/// What can be violated in a system, taken apart by this checker alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violable {
    /// The names of the components, by place.
    pub components: Vec<String>,
    /// The properties: their names, and the places of the components that must not err. Components
    /// that only watch are properties by themselves; those that err and restrict others are one.
    pub properties: Vec<(String, Vec<usize>)>,
}

/// Finds out what can be violated in a system, so that who checks evidence need not ask the
/// engine what its properties are called.
///
/// ```
/// use quotient_certify::violable;
/// use quotient_core::Budget;
/// use quotient_lts::{ERROR, LtsBuilder, System};
/// let mut system = System::new();
/// let tick = system.actions.intern("tick");
/// let mut clock = LtsBuilder::new();
/// clock.edge(0, tick, 1).edge(1, tick, ERROR);
/// system.process("CLOCK", clock.build());
/// let found = violable(&system, &Budget::unlimited())?;
/// assert_eq!(found.properties, [("CLOCK".to_owned(), vec![0])]);
/// # Ok::<(), quotient_core::Rejection>(())
/// ```
pub fn violable(system: &System, budget: &Budget) -> Result<Violable, Rejection> {
    let fragment = match system.root() {
        Some(root) => Fragment::of(system, root, budget)?,
        None => Fragment::default(),
    };
    let (_, own) = fragment.numbered(system);
    let roles = Roles::of(&own);
    let (joint, restricting) = roles.restricting();
    let watching = roles.erring.iter();
    let watching = watching.filter(|(at, _)| !restricting.contains(at));
    let mut properties: Vec<(String, Vec<usize>)> = watching
        .map(|(at, name)| (name.clone(), vec![*at]))
        .collect();
    if !restricting.is_empty() {
        properties.push((joint, restricting));
    }
    properties.sort_by_key(|(_, places)| places[0]);
    Ok(Violable {
        components: own.into_iter().map(|(name, _)| name).collect(),
        properties,
    })
}

/// What the components of a system have to do with errors.
#[derive(Debug)]
struct Roles {
    /// Those that can err, with the names of their properties.
    erring: Vec<(usize, String)>,
    /// Those that can err and only watch.
    watching: Vec<usize>,
    /// Those that may be left out of a search for deadlocks.
    bystanders: Vec<usize>,
}

impl Roles {
    fn of(components: &[(String, Lts)]) -> Roles {
        let errs = |at: &usize| components[*at].1.has_error();
        let places: Vec<usize> = (0..components.len()).filter(errs).collect();
        let names = property_names(places.iter().map(|&at| components[at].0.as_str()));
        let watches = |at: &usize| {
            let lts = &components[*at].1;
            errs(at) && is_watcher(lts) && lts.end().is_none()
        };
        let (bystanders, acting): (Vec<usize>, Vec<usize>) =
            (0..components.len()).partition(watches);
        let alphabet = |at: usize| components[at].1.alphabet().iter();
        let acted: BTreeSet<&Action> = acting.into_iter().flat_map(alphabet).collect();
        let is_acted = |event: &Action| acted.contains(event);
        let bystanders = bystanders.into_iter();
        Roles {
            bystanders: bystanders
                .filter(|&at| alphabet(at).all(is_acted))
                .collect(),
            watching: places
                .iter()
                .copied()
                .filter(|&at| is_watcher(&components[at].1))
                .collect(),
            erring: places.into_iter().zip(names).collect(),
        }
    }

    /// The components that can err and restrict others, with the name that they have together.
    fn restricting(&self) -> (String, Vec<usize>) {
        let erring = self.erring.iter();
        let restricting = erring.filter(|(at, _)| !self.watching.contains(at));
        let (places, names): (Vec<usize>, Vec<String>) = restricting.cloned().unzip();
        (joint_name(&names), places)
    }

    fn property(&self, about: &str) -> Result<Vec<usize>, Rejection> {
        let all = || {
            self.erring
                .iter()
                .map(|(at, _)| *at)
                .collect::<Vec<usize>>()
        };
        let names: Vec<String> = self.erring.iter().map(|(_, name)| name.clone()).collect();
        let own = self.erring.iter().filter(|(_, name)| name == about);
        let mut meant: Vec<Vec<usize>> = own.map(|(at, _)| vec![*at]).collect();
        if !names.is_empty() && joint_name(&names) == about {
            meant.push(all());
        }
        let (joint, restricting) = self.restricting();
        if !restricting.is_empty() && joint == about {
            meant.push(restricting);
        }
        if meant.is_empty() && about == NO_ERROR {
            meant.push(all());
        }
        meant.dedup();
        match &meant[..] {
            [one] => Ok(one.clone()),
            [] => Err(Rejection::wrong(format!("there is no property `{about}`"))),
            _ => Err(Rejection::wrong(format!(
                "`{about}` can mean several properties"
            ))),
        }
    }

    /// The components that may be idle.
    fn idle(&self, who: Idle<'_>) -> Result<Vec<usize>, Rejection> {
        Ok(match who {
            Idle::Nobody => Vec::new(),
            Idle::Watchers => self.bystanders.clone(),
            Idle::OtherProperties(about) => {
                let own = self.property(about)?;
                let watching = self.watching.iter().copied();
                watching.filter(|at| !own.contains(at)).collect()
            }
        })
    }
}

/// Compares a system with the model: the same events with the same names, hidden or not, the
/// same priorities, and every component, by place and name, bisimilar to the model's, or idle
/// where that is allowed.
pub(super) fn matched(
    data: &SystemData,
    system: &System,
    idle: Idle<'_>,
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
    if wins != winners(data)? {
        return Err(differs("the priorities are"));
    }
    if own.len() != data.components.len() {
        return Err(differs("the components are"));
    }
    let roles = Roles::of(&own);
    if roles.erring.iter().any(|(_, name)| name == NO_DEADLOCK) {
        return Err(Rejection::wrong(format!(
            "`{NO_DEADLOCK}` is the name of a property, and can mean two things"
        )));
    }
    // What only a watcher knows may go before what others do.
    let may_idle = match wins {
        None => roles.idle(idle)?,
        Some(_) => Vec::new(),
    };
    let mut parts = Vec::new();
    for (at, ((name, own), theirs)) in own.iter().zip(&data.components).enumerate() {
        let lts = match theirs.left_out {
            Some(edges) => own_if(theirs, edges, own)?,
            None => lts_of(theirs, data.events.len(), own.states())?,
        };
        let same = *name == theirs.name
            && (may_idle.contains(&at) && is_idle(&lts) || is_same(own, &lts, budget)?);
        if !same {
            return Err(differs(&format!("the component `{}` is", theirs.name)));
        }
        parts.push(lts);
    }
    Ok(Model {
        names: own.into_iter().map(|(name, _)| name).collect(),
        parts,
        events: data.events.clone(),
        shown: shown.into_iter().map(|(_, action)| action).collect(),
        wins,
        actions: system.actions.clone(),
        roles,
    })
}

/// The model's own component, for one of the evidence that leaves its edges out: what is said of it must be so.
fn own_if(data: &LtsData, edges: u32, own: &Lts) -> Result<Lts, Rejection> {
    let own_data = LtsData::new(&data.name, &LtsBuilder::shaped_like(own).build());
    let is_own = *data
        == LtsData {
            left_out: Some(edges),
            ..own_data
        };
    match is_own && own.transitions() == edges as usize {
        true => Ok(own.clone()),
        false => Err(Rejection::wrong(format!(
            "the component `{}` is not the model's",
            data.name
        ))),
    }
}

/// Whether each event of the evidence, silence first, goes before those that do not.
fn winners(data: &SystemData) -> Result<Option<Vec<bool>>, Rejection> {
    let Some(priority) = &data.priority else {
        return Ok(None);
    };
    let mut wins = vec![!priority.high; data.events.len()];
    for &event in &priority.events {
        let Some(slot) = wins.get_mut(event as usize) else {
            return Err(Rejection::unreadable(format!("there is no event {event}")));
        };
        *slot = priority.high;
    }
    Ok(Some(wins))
}

/// Whether a component of the evidence does what the model's does. Ends that cannot be reached
/// count too: whether a component can end decides what a good end of the whole is.
fn is_same(own: &Lts, lts: &Lts, budget: &Budget) -> Result<bool, Rejection> {
    let is_alike = lts.alphabet() == own.alphabet() && lts.end().is_some() == own.end().is_some();
    Ok(lts == own || is_alike && reduce::bisimilar(own, lts, budget)?)
}

/// One state, and nothing to do with anything.
fn is_idle(lts: &Lts) -> bool {
    let is_small = lts.states() == 1 && lts.transitions() == 0 && lts.alphabet().is_empty();
    is_small && lts.end().is_none() && lts.initial() == State::from(0)
}

/// Deterministic, with an edge for every state and event: it never stands in the way.
pub(super) fn is_watcher(lts: &Lts) -> bool {
    lts.is_deterministic()
        && Some(lts.transitions()) == lts.states().checked_mul(lts.alphabet().len())
}

/// A transition system of the evidence, over so many events.
///
/// It cannot have many more states than the file has edges for: every state is one that an
/// edge mentions, or among the first `known` states, which the checker has itself.
pub(super) fn lts_of(data: &LtsData, events: usize, known: usize) -> Result<Lts, Rejection> {
    let damaged = || Rejection::unreadable(format!("the component `{}` is damaged", data.name));
    if data.left_out.is_some() {
        return Err(damaged());
    }
    let state = |state: Option<u32>| match state {
        None => Ok(ERROR),
        Some(state) if state < data.states => Ok(State::from(state)),
        Some(_) => Err(damaged()),
    };
    let event = |event: u32| match (event as usize) < events {
        true => Ok(Action::from_index(event as usize)),
        false => Err(damaged()),
    };
    let mentioned = data.edges.len().saturating_mul(2).saturating_add(2);
    if data.states == 0 || data.states as usize > mentioned.max(known) {
        return Err(damaged());
    }
    let mut builder = LtsBuilder::new();
    builder
        .at_least(data.states as usize)
        .initial(state(data.initial)?);
    if let Some(end) = data.end {
        builder.end(state(Some(end))?);
    }
    let mut alphabet = data.alphabet.clone();
    alphabet.sort_unstable();
    for &known in &alphabet {
        builder.alphabet([event(known)?]);
    }
    for &(from, action, to) in &data.edges {
        if action != 0 && alphabet.binary_search(&action).is_err() {
            return Err(damaged());
        }
        builder.edge(state(Some(from))?, event(action)?, state(to)?);
    }
    Ok(builder.build())
}
