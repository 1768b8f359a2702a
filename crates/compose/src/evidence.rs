//! Verdicts in a form that others can check, as plain data.
//!
//! Every kind carries the components that it is about, so that a checker can compare them
//! with the model and needs nothing else.

use serde::{Deserialize, Serialize};

use crate::{ERROR, Lasso, Lts, Network, Proof, Rule, State, Trace, Violation};

/// The kind of evidence for a proof by assumptions: an [`AssumptionData`].
pub const ASSUMPTION: &str = "components-assumption";
/// The kind of evidence for a violation of safety: a [`TraceData`].
pub const TRACE: &str = "components-trace";
/// The kind of evidence for a violation of progress or of a formula: a [`LassoData`].
pub const LASSO: &str = "components-lasso";
/// The kind of evidence that says only that all states were looked at: an [`ExploredData`].
pub const EXPLORED: &str = "components-explored";

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
}

/// Components side by side: an event happens when all that know it do it together, a silent
/// step in one component alone. One in its error state puts the whole in its error state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemData {
    /// The names of the events by number; the first is silence.
    pub events: Vec<String>,
    /// The events that the system hides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<u32>,
    /// The components.
    pub components: Vec<LtsData>,
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

/// An infinite execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LassoData {
    /// The components.
    pub system: SystemData,
    /// The property, for people.
    pub property: String,
    /// The events up to the cycle.
    pub way: Vec<u32>,
    /// The events of the cycle.
    pub cycle: Vec<u32>,
}

/// A search of all states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploredData {
    /// The components.
    pub system: SystemData,
    /// What was looked for and is not there: `deadlock`, `error`, `starvation` or `formula`.
    pub absent: Vec<String>,
    /// How many states there are, the error state not counted; absent where they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// How many steps there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
}

fn place(state: State) -> Option<u32> {
    (state != ERROR).then_some(state)
}

impl LtsData {
    /// A transition system with a name.
    pub fn new(name: &str, lts: &Lts) -> LtsData {
        let edges = lts
            .all_edges()
            .map(|(from, edge)| (from, edge.action.index() as u32, place(edge.target)));
        LtsData {
            name: name.to_owned(),
            states: lts.states() as u32,
            initial: place(lts.initial()),
            end: lts.end(),
            alphabet: lts
                .alphabet()
                .iter()
                .map(|action| action.index() as u32)
                .collect(),
            edges: edges.collect(),
        }
    }
}

impl SystemData {
    /// The components of a network.
    pub fn new(network: &Network) -> SystemData {
        let components = network.components().iter();
        let hidden = network.events().filter(|&event| network.is_hidden(event));
        SystemData {
            events: std::iter::once("tau")
                .chain(network.events().map(|event| network.name(event)))
                .map(str::to_owned)
                .collect(),
            hidden: hidden.map(|event| event.index() as u32).collect(),
            components: components
                .map(|component| LtsData::new(&component.name, &component.lts))
                .collect(),
        }
    }
}

impl AssumptionData {
    /// A proof about a network.
    pub fn new(network: &Network, proof: &Proof) -> AssumptionData {
        let assumptions = (1..).zip(&proof.assumptions);
        AssumptionData {
            system: SystemData::new(network),
            rule: match proof.rule {
                Rule::Asymmetric => "asymmetric",
                Rule::Circular => "circular",
                Rule::Symmetric => "symmetric",
            }
            .to_owned(),
            property: proof.property.clone(),
            groups: proof.groups.clone(),
            assumptions: assumptions
                .map(|(number, lts)| LtsData::new(&format!("A{number}"), lts))
                .collect(),
        }
    }
}

impl TraceData {
    /// A trace of a network.
    pub fn new(network: &Network, trace: &Trace) -> TraceData {
        let places = |states: &[State]| states.iter().map(|&state| place(state)).collect();
        let steps = trace.steps.iter().map(|(event, states)| StepData {
            event: event.index() as u32,
            action: network.name(*event).to_owned(),
            states: places(states),
        });
        TraceData {
            system: SystemData::new(network),
            initial: places(&trace.initial),
            steps: steps.collect(),
            error: match trace.violation {
                Violation::Deadlock => None,
                Violation::Error(part) => Some(part),
            },
        }
    }
}

impl LassoData {
    /// An infinite execution of a network.
    pub fn new(network: &Network, property: &str, lasso: &Lasso) -> LassoData {
        let numbers =
            |events: &[crate::Action]| events.iter().map(|event| event.index() as u32).collect();
        LassoData {
            system: SystemData::new(network),
            property: property.to_owned(),
            way: numbers(&lasso.way),
            cycle: numbers(&lasso.cycle),
        }
    }
}
