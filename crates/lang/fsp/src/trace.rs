//! From events of the engine back to the words of the text.

use quotient_compose::{Action, ERROR, Lts, Network, State, Trace};
use quotient_core::{Budget, Stop};

use crate::Compiled;

/// A trace in words of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// What happens, step by step.
    pub steps: Vec<Step>,
    /// Where the components are afterwards: after a deadlock, who waits for what.
    pub end: Vec<Waiting>,
}

/// What a component could do next, if the others let it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The component.
    pub component: String,
    /// The local process that it is at, as in [`Move::state`].
    pub state: Option<String>,
    /// The actions that it offers.
    pub offers: Vec<String>,
}

/// One step of a trace in words of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The action, by its name inside if it is hidden; `tau` for a silent step of a component.
    pub label: String,
    /// Whether the system hides it.
    pub hidden: bool,
    /// The components that take part.
    pub moves: Vec<Move>,
}

/// What a step does to one component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The component.
    pub component: String,
    /// The local process that it goes on as: `COUNT[2]`, `STOP`, `ERROR`. Absent between two
    /// actions of one prefix, and where a choice leaves open which it is.
    pub state: Option<String>,
}

impl Compiled {
    /// The components as the engine takes them.
    pub fn network(&self, budget: &Budget) -> Result<Network, Stop> {
        Network::new(&self.system, budget)
    }

    /// The components that say what is wrong, by number: properties, and processes with ERROR.
    pub fn watchers(&self, network: &Network) -> Vec<usize> {
        let components = network.components().iter().enumerate();
        components
            .filter(|(_, component)| component.lts.has_error())
            .map(|(number, _)| number)
            .collect()
    }

    /// Tells a violation that the engine has found in words of the text.
    pub fn tell(&self, network: &Network, trace: &Trace) -> Replay {
        let mut steps = Vec::with_capacity(trace.steps.len());
        let mut before = &trace.initial;
        for (event, after) in &trace.steps {
            let moves = network.components().iter().enumerate();
            let moves = moves.filter(|(number, component)| match event.is_tau() {
                true => before[*number] != after[*number],
                false => component.lts.knows(*event),
            });
            steps.push(Step {
                label: label(network, *event),
                hidden: network.is_hidden(*event),
                moves: moves
                    .map(|(number, component)| Move {
                        component: component.name.to_string(),
                        state: self.state_name(network, number, &[after[number]]),
                    })
                    .collect(),
            });
            before = after;
        }
        let states: Vec<Vec<State>> = before.iter().map(|&state| vec![state]).collect();
        let end = (0..states.len()).map(|number| self.waiting(network, number, &states));
        Replay {
            end: end.collect(),
            steps,
        }
    }

    /// Runs events of the network, component by component, and tells what happens in words of
    /// the text. A trace that the components cannot run is refused with the number of the step
    /// at which they stop.
    ///
    /// ```
    /// use quotient_compose::{Goals, explore};
    /// use quotient_core::{Budget, Context, Source};
    /// use quotient_fsp::{Model, Options};
    ///
    /// let text = "LAMP = OFF, OFF = (on -> ON), ON = (off -> OFF).
    ///             property ONCE = (on -> DONE), DONE = (off -> DONE).
    ///             ||S = (LAMP || ONCE).";
    /// let model = Model::read(&Source::new("lamp.lts", text)).unwrap();
    /// let budget = Budget::unlimited();
    /// let compiled = model.compile(&Options::default(), &budget).unwrap();
    /// let network = compiled.network(&budget).unwrap();
    /// let goals = Goals { deadlock: true, error: true };
    /// let found = explore(&network, goals, 1, &Context::default()).unwrap();
    /// let (_, events) = found.finding.unwrap();
    /// let steps = compiled.replay(&network, &events).unwrap().steps;
    /// assert_eq!(steps[2].label, "on");
    /// assert_eq!(steps[2].moves[0].state.as_deref(), Some("ON"));
    /// assert_eq!(steps[2].moves[1].state.as_deref(), Some("ERROR"));
    /// ```
    pub fn replay(&self, network: &Network, events: &[Action]) -> Result<Replay, usize> {
        let components = network.components();
        let mut states: Vec<Vec<State>> = components
            .iter()
            .map(|component| vec![component.lts.initial()])
            .collect();
        let mut steps = Vec::with_capacity(events.len());
        for (position, &event) in events.iter().enumerate() {
            let mut moves = Vec::new();
            for (number, component) in components.iter().enumerate() {
                let lts = &component.lts;
                let next = successors(lts, &states[number], event);
                let moved = match event.is_tau() {
                    // Nothing says whose silent step it is: whoever can may have taken it.
                    true => !next.is_empty(),
                    false => lts.knows(event),
                };
                if !moved {
                    continue;
                }
                if event.is_tau() {
                    states[number].extend(next);
                    states[number].sort_unstable();
                    states[number].dedup();
                } else {
                    states[number] = next;
                }
                if states[number].is_empty() {
                    return Err(position);
                }
                moves.push(Move {
                    component: component.name.to_string(),
                    state: self.state_name(network, number, &states[number]),
                });
            }
            if moves.is_empty() {
                return Err(position);
            }
            steps.push(Step {
                label: label(network, event),
                hidden: network.is_hidden(event),
                moves,
            });
        }
        let end = (0..components.len()).map(|number| self.waiting(network, number, &states));
        Ok(Replay {
            end: end.collect(),
            steps,
        })
    }

    fn waiting(&self, network: &Network, number: usize, states: &[Vec<State>]) -> Waiting {
        let component = &network.components()[number];
        let edges = states[number]
            .iter()
            .flat_map(|&state| component.lts.edges(state));
        let mut offers: Vec<String> = edges
            .filter(|edge| !edge.action.is_tau())
            .map(|edge| network.name(edge.action).to_string())
            .collect();
        offers.sort_unstable();
        offers.dedup();
        Waiting {
            component: component.name.to_string(),
            state: self.state_name(network, number, &states[number]),
            offers,
        }
    }

    /// What the text calls the state of a component, if it is one state and has a name.
    fn state_name(&self, network: &Network, component: usize, states: &[State]) -> Option<String> {
        let [state] = states else {
            return None;
        };
        if *state == ERROR {
            return Some("ERROR".to_string());
        }
        // The names are known by position, so nothing may have been built on the way.
        if self.state_names.len() != network.components().len() {
            return None;
        }
        let names = self.state_names[component].as_ref()?;
        let known = names.len() == network.components()[component].lts.states();
        names.get(*state as usize).filter(|_| known)?.clone()
    }
}

fn label(network: &Network, event: Action) -> String {
    match event.is_tau() {
        true => "tau".to_string(),
        false => network.name(event).to_string(),
    }
}

fn successors(lts: &Lts, states: &[State], event: Action) -> Vec<State> {
    let mut next: Vec<State> = states
        .iter()
        .flat_map(|&state| lts.successors(state, event))
        .map(|edge| edge.target)
        .collect();
    next.sort_unstable();
    next.dedup();
    next
}
