//! Findings as plain data.

use quotient_lts::evidence::{
    AssumptionData, DoomedData, LassoData, LtsData, PriorityData, Sought, StepData, SwapData,
    SystemData, TraceData, TurnData, place,
};

use crate::doomed::Doomed;
use crate::symmetry::{Swap, Symmetry};
use crate::{Action, Lasso, Network, Proof, Rule, State, Trace, Violation};

/// The components of a network.
pub(crate) fn system_data(network: &Network) -> SystemData {
    let components = network.components().iter();
    let hidden = network.events().filter(|&event| network.is_hidden(event));
    SystemData {
        origin: network.origin().clone(),
        events: std::iter::once("tau")
            .chain(network.events().map(|event| network.name(event)))
            .map(str::to_owned)
            .collect(),
        priority: network.priority().map(|priority| {
            let listed = network.events().filter(|&event| priority.lists(event));
            PriorityData {
                high: priority.is_high(),
                events: listed.map(|event| event.index() as u32).collect(),
            }
        }),
        hidden: hidden.map(|event| event.index() as u32).collect(),
        components: components
            .map(|component| match component.states.is_empty() {
                // What was built on the way may be numbered in another way by others.
                true => LtsData::new(&component.name, &component.lts),
                false => LtsData::of_model(&component.name, &component.lts),
            })
            .collect(),
    }
}

/// A proof about a network.
pub(crate) fn assumption_data(network: &Network, proof: &Proof) -> AssumptionData {
    let assumptions = (1..).zip(&proof.assumptions);
    AssumptionData {
        system: system_data(network),
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

/// A trace of a network.
pub(crate) fn trace_data(network: &Network, trace: &Trace) -> TraceData {
    let steps = trace.steps.iter();
    TraceData {
        system: system_data(network),
        initial: places(&trace.initial),
        steps: steps
            .map(|(event, states)| step_data(network, *event, states))
            .collect(),
        error: match trace.violation {
            Violation::Deadlock => None,
            Violation::Error(part) => Some(part),
        },
    }
}

/// Which components are alike: exchanges for each set, and a turn.
pub(crate) fn alike_data(alike: &Symmetry) -> (Vec<Vec<SwapData>>, Option<TurnData>) {
    let sets = alike.swaps();
    let sets = sets.map(|swaps| swaps.iter().map(swap_data).collect());
    (sets.collect(), alike.turn().map(turn_data))
}

/// A turn of a ring of components.
pub(crate) fn turn_data(turn: &Swap) -> TurnData {
    let places = swap_data(turn);
    TurnData {
        components: turn.components.clone(),
        events: turn.events.clone(),
        states: places.states,
    }
}

/// An exchange of components.
pub(crate) fn swap_data(swap: &Swap) -> SwapData {
    let components = swap.components.iter().copied().enumerate();
    let events = (0..).zip(swap.events.iter().copied());
    let states = swap.states.iter().enumerate();
    let plain = |states: &[State]| states.iter().copied().map(u32::from).collect();
    SwapData {
        components: components.filter(|(one, other)| one < other).collect(),
        events: events.filter(|(one, other)| one < other).collect(),
        states: states
            .filter_map(|(part, states)| Some((part, plain(states.as_deref()?))))
            .collect(),
    }
}

/// An infinite execution of a network.
pub(crate) fn lasso_data(network: &Network, sought: Sought, lasso: &Lasso) -> LassoData {
    let events = lasso.way.iter().chain(&lasso.cycle);
    let mut way: Vec<StepData> = events
        .zip(&lasso.states[1..])
        .map(|(&event, states)| step_data(network, event, states))
        .collect();
    LassoData {
        system: system_data(network),
        sought,
        initial: places(&lasso.states[0]),
        cycle: way.split_off(lasso.way.len()),
        way,
    }
}

/// An execution after which what is asked is broken whatever happens.
pub(crate) fn doomed_data(network: &Network, sought: Sought, doomed: &Doomed) -> DoomedData {
    let lasso = lasso_data(network, sought, &doomed.way);
    let steps = doomed.steps.clone();
    let (steps, merged) = steps.map_or_else(Default::default, |one| (one.parts, one.merged));
    DoomedData {
        system: lasso.system,
        sought,
        part: doomed.part,
        initial: lasso.initial,
        way: lasso.way,
        steps,
        merged,
    }
}

fn step_data(network: &Network, event: Action, states: &[State]) -> StepData {
    StepData {
        event: event.index() as u32,
        action: network.name(event).to_owned(),
        states: places(states),
    }
}

fn places(states: &[State]) -> Vec<Option<u32>> {
    states.iter().map(|&state| place(state)).collect()
}
