//! Verdicts in a form that others can check, as plain data.
//!
//! Every kind carries the components that it is about, so that a checker can compare them
//! with the model and needs nothing else. All components of the system are there, in its order;
//! the components that a property is about are found by the checker from the system, not from
//! the evidence.

mod compared;
mod game;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use compared::{
    AllowedData, DIFFERENT, DifferentData, ENDED, ERRED, ModalData, SAME, SameData, WitnessData,
};

pub use game::{GAME, GameData};

use crate::{ERROR, Lts, LtsBuilder, Origin, State};

/// The kind of evidence for a proof by assumptions: an [`AssumptionData`].
pub const ASSUMPTION: &str = "components-assumption";
/// The kind of evidence for a violation of safety: a [`TraceData`].
pub const TRACE: &str = "components-trace";
/// The kind of evidence for a violation of progress or of a formula: a [`LassoData`].
pub const LASSO: &str = "components-lasso";
/// The kind of evidence that says only that all states were looked at: an [`ExploredData`].
pub const EXPLORED: &str = "components-explored";

/// The kind of evidence that there is no deadlock, from components put together one after the
/// other: an [`AggregatedData`].
pub const AGGREGATED: &str = "components-aggregated";

/// The kind of evidence that a part of the system that is enough was looked at: a
/// [`StubbornData`].
pub const STUBBORN: &str = "components-stubborn";

/// The kind of evidence that a question about infinite executions was answered on what is left
/// of a system when components are put together step by step: a [`ReducedData`].
pub const REDUCED: &str = "components-reduced";

/// The kind of evidence for an execution after which what was asked is broken whatever happens: a
/// [`DoomedData`].
pub const DOOMED: &str = "components-doomed";

/// The kind of evidence that no step leaves a set of states, given as a decision diagram, and that
/// nothing bad is in it: a [`DiagramData`].
pub const DIAGRAM: &str = "components-diagram";

/// What evidence about deadlocks is about: the property that there are none.
pub const NO_DEADLOCK: &str = "no deadlock";

/// What evidence about errors is about where no component can err: that none does.
pub const NO_ERROR: &str = "error";

/// A transition system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LtsData {
    /// For people.
    pub name: String,
    /// How many states there are, numbered from 0; the error state is not counted.
    pub states: u32,
    /// Where it starts; `null` is the error state.
    pub initial: Option<u32>,
    /// The state in which it has ended well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
    /// The events that it takes part in.
    pub alphabet: Vec<u32>,
    /// Source, event (0 is silent), target (`null` is the error state).
    pub edges: Vec<(u32, u32, Option<u32>)>,
    /// How many edges there are, where none is listed: it is a large component of the model, and
    /// whoever looks at this has the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u32>,
}

/// Components side by side: an event happens when all that know it do it together, a silent
/// step in one component alone. One in its error state puts the whole in its error state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemData {
    /// What of a text it is.
    #[serde(default)]
    pub origin: Origin,
    /// The names of the events by number; the first is silence, the others are in the order of
    /// their names, the actions that they show as, and the components that take part.
    pub events: Vec<String>,
    /// The events that the system hides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<u32>,
    /// The events that go before the others, or after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<PriorityData>,
    /// The components, all of them. Where evidence is about one property or a search for
    /// deadlocks, other components that can err, only watch, and have no part in the claim may
    /// be idle: one state and no events.
    pub components: Vec<LtsData>,
}

/// Events that go before all others, or after them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriorityData {
    /// Where one of the events can happen, nothing else can, silent steps neither (true); or
    /// they can happen only where nothing else can (false).
    pub high: bool,
    /// The events.
    pub events: Vec<u32>,
}

/// A proof by assumptions.
///
/// With the asymmetric and the circular rule: the first group with the property, and the
/// first assumption, never errs; each further group with the next assumption keeps the
/// assumption before it (its traces, restricted to that one's alphabet, are traces of it);
/// the last group has no assumption to lean on. If there are fewer assumptions, the last one
/// allows all words over its alphabet. With the symmetric rule: each group with the property
/// and its own assumption never errs, and no word is outside all assumptions and breaks the
/// property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssumptionData {
    /// The components.
    pub system: SystemData,
    /// `asymmetric`, `circular` or `symmetric`.
    pub rule: String,
    /// The components that err when the property is broken.
    pub property: Vec<usize>,
    /// The other components in groups.
    pub groups: Vec<Vec<usize>>,
    /// The assumptions.
    pub assumptions: Vec<LtsData>,
}

/// One step of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepData {
    /// The event, 0 if silent.
    pub event: u32,
    /// Its name, for people.
    pub action: String,
    /// The states of the components afterwards; `null` is the error state.
    pub states: Vec<Option<u32>>,
}

/// An execution that ends in a violation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceData {
    /// The components.
    pub system: SystemData,
    /// The states at the start.
    pub initial: Vec<Option<u32>>,
    /// What happens.
    pub steps: Vec<StepData>,
    /// The component that errs at the end; `null` if the end is a deadlock.
    pub error: Option<usize>,
}

/// What a search looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sought {
    /// A state in which nothing can happen and that is no end.
    Deadlock,
    /// A state in which a component has erred.
    Error,
    /// A set of states that cannot be left and in which a progress property is broken.
    Starvation,
    /// An execution that breaks a formula.
    Formula {
        /// Whether only executions with fair choices count.
        fair: bool,
    },
}

/// An infinite execution: a way, then a cycle for ever. An empty cycle means that nothing
/// happens any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LassoData {
    /// The components.
    pub system: SystemData,
    /// What it is: starvation, or against a formula. The envelope names the property.
    pub sought: Sought,
    /// The states at the start.
    pub initial: Vec<Option<u32>>,
    /// The steps up to the cycle. For starvation they end in the set that cannot be left.
    pub way: Vec<StepData>,
    /// The steps of the cycle. If choices are fair, it has all steps of all its states.
    pub cycle: Vec<StepData>,
}

/// A search of all states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploredData {
    /// The components.
    pub system: SystemData,
    /// What was looked for and is not there.
    pub sought: Sought,
    /// How many states there are, the error state not counted; absent where they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// How many steps there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
}

/// Components put together one after the other and made small in between.
///
/// An end is taken as an event, numbered after all others, that all components that can end do
/// together in their ends, if some can end and every event belongs to one that can. An error is
/// a state that is silently busy for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AggregatedData {
    /// The components.
    pub system: SystemData,
    /// Those that only watch and are left out.
    pub watchers: Vec<usize>,
    /// The steps. Each other component and each result but the last is used once; the last
    /// result does nothing that can be seen and is never stuck.
    pub steps: Vec<AggregationData>,
}

/// An order in which components are put together, hiding what the question does not speak of and
/// nobody else knows, and taking states as one that are branching bisimilar; at the end the
/// question is answered. Who checks it does all that again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReducedData {
    /// The components.
    pub system: SystemData,
    /// What was looked for and is not there: starvation, or an execution that breaks a formula.
    pub sought: Sought,
    /// What each step puts together: components by number, then the results of the steps before.
    /// Each is used once.
    pub steps: Vec<Vec<usize>>,
    /// For each step the events that are taken for others from there on, what goes and what stays,
    /// unless the question speaks of one of them; nothing where no step has such.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<Vec<(u32, u32)>>,
}

/// A finite execution after which every infinite one breaks what was asked. What is left of the
/// formula at its end is false, or an order is given in which components, from where they are
/// then, are put together as in [`ReducedData`], and nothing that is left keeps what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoomedData {
    /// The components.
    pub system: SystemData,
    /// What it is: starvation, or against a formula. The envelope names the property.
    pub sought: Sought,
    /// Which part it breaks: of the parts of a formula that must all hold, from left to right; or
    /// of the actions that are to go on where all are.
    pub part: usize,
    /// The states at the start.
    pub initial: Vec<Option<u32>>,
    /// What happens.
    pub way: Vec<StepData>,
    /// What each step puts together, as in [`ReducedData`]; nothing where none of the formula is
    /// left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Vec<usize>>,
    /// Events that are taken for others, as in [`ReducedData`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<Vec<(u32, u32)>>,
}

/// One or two parts put together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AggregationData {
    /// The parts: components by number, then the results of the steps before.
    pub parts: Vec<usize>,
    /// What they are like up to silent steps and silence for ever, with all events hidden that
    /// no other part knows.
    pub small: LtsData,
    /// Events that are taken for others from here on (what goes, what stays), since all parts that
    /// are left do the same with both. They are gone from these parts then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<(u32, u32)>,
}

/// A search that leaves out what can as well happen later, by stubborn sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StubbornData {
    /// The components.
    pub system: SystemData,
    /// What was looked for and is not there.
    pub sought: Sought,
    /// Where errors are looked for: events of which, with those that an erring component takes
    /// part in, every cycle of every component has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sticky: Vec<u32>,
    /// Components whose silent steps count among these events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sticky_silence: Vec<usize>,
    /// Sets of components that are alike: exchanges of which each changes nothing. Of the states
    /// that exchanges make of each other one is looked at. What they make of the events above
    /// is among these events too. Questions about what goes on for ever use those, and what comes of
    /// them, that they do not notice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<Vec<SwapData>>,
    /// A way in which all components can change places, and nothing else changes: of the states that it
    /// makes of each other one is looked at, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnData>,
}

/// A set of states that has the start, that no step leaves, and that has nothing of what was looked
/// for, as a decision diagram: a state is a word with a letter for each component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiagramData {
    /// The components.
    pub system: SystemData,
    /// What was looked for and is not there: a deadlock, or an error.
    pub sought: Sought,
    /// The components by number, in the order in which their states are asked for.
    pub order: Vec<usize>,
    /// For each node states, in their order, with what comes after: 0 where all components have been
    /// asked for, else the number of a node before this one, from 1. The last node is where one begins.
    pub nodes: Vec<Vec<(u32, u32)>>,
}

/// Components that change places, with their events and states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwapData {
    /// Pairs of components.
    pub components: Vec<(usize, usize)>,
    /// Pairs of events.
    pub events: Vec<(u32, u32)>,
    /// Components, those that stay in their place among them, with what their states become;
    /// all others keep the numbers of their states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<(usize, Vec<u32>)>,
}

/// Components that come into the places of others, with their events and states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnData {
    /// The place, by number, that each component comes into.
    pub components: Vec<usize>,
    /// What each event becomes.
    pub events: Vec<u32>,
    /// Components with what their states become; all others keep the numbers of their states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<(usize, Vec<u32>)>,
}

/// The names of the properties of a system: one for each component that can err, in their
/// order. Components may be called the same; what evidence is about may not, so that the
/// second `Q` is `Q (2)`.
///
/// ```
/// use quotient_lts::evidence::property_names;
/// assert_eq!(property_names(["Q", "R", "Q"]), ["Q", "R", "Q (2)"]);
/// ```
pub fn property_names<'a>(erring: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let unique = |name: &'a str| {
        let count = counts.entry(name).or_default();
        *count += 1;
        match *count {
            1 => name.to_owned(),
            count => format!("{name} ({count})"),
        }
    };
    erring.into_iter().map(unique).collect()
}

/// The name of the property that none of several components, which restrict others and
/// therefore cannot be looked at one by one, errs.
pub fn joint_name(names: &[String]) -> String {
    names.join(", ")
}

/// The number of a state; the error state has none.
pub fn place(state: State) -> Option<u32> {
    (state != ERROR).then(|| state.into())
}

impl LtsData {
    /// A transition system with a name.
    pub fn new(name: &str, lts: &Lts) -> LtsData {
        let edges = lts
            .all_edges()
            .map(|(from, edge)| (from.into(), edge.action.index() as u32, place(edge.target)));
        LtsData {
            name: name.to_owned(),
            states: lts.states() as u32,
            initial: place(lts.initial()),
            end: lts.end().map(u32::from),
            alphabet: lts
                .alphabet()
                .iter()
                .map(|action| action.index() as u32)
                .collect(),
            edges: edges.collect(),
            left_out: None,
        }
    }

    /// One of the components of a model, without its edges where there are many. The states must be numbered
    /// as the model numbers them.
    pub fn of_model(name: &str, lts: &Lts) -> LtsData {
        if lts.transitions() <= MOST_EDGES {
            return LtsData::new(name, lts);
        }
        LtsData {
            left_out: u32::try_from(lts.transitions()).ok(),
            edges: Vec::new(),
            ..LtsData::new(name, &LtsBuilder::shaped_like(lts).build())
        }
    }
}

/// Components of a model with more edges are not copied into evidence about it.
const MOST_EDGES: usize = 1 << 16;
