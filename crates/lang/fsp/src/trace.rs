//! From events of the engine back to the words of the text.

use quotient_compose::{Interior, Network, Wait};
use quotient_core::{Budget, Stop};
use quotient_lts::evidence::property_names;
use quotient_lts::{Action, State};

use crate::{Compiled, Member, short_names};

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
    /// Whether it has come to a good end.
    pub ended: bool,
    /// Whether it only watches, as a property does, and holds nobody up.
    pub watches: bool,
    /// What it is ready for, and who is not.
    pub waits: Vec<Wait>,
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
    /// actions of one prefix.
    pub state: Option<String>,
}

impl Compiled {
    /// The components as the engine takes them.
    pub fn network(&self, budget: &Budget) -> Result<Network, Stop> {
        Network::with_priorities(&self.system, budget)
    }

    /// The components that say what is wrong, by number: properties, and processes with ERROR.
    pub fn watchers(&self, network: &Network) -> Vec<usize> {
        let components = network.components().iter().enumerate();
        components
            .filter(|(_, component)| component.lts.has_error())
            .map(|(number, _)| number)
            .collect()
    }
}

/// Tells executions of a network in words of its text: who moves and what it becomes, for the
/// innermost components, also where the engine has put several together.
///
/// ```
/// use quotient_compose::{Goals, Violation, explore, replay};
/// use quotient_core::{Budget, Context, Source};
/// use quotient_fsp::{Model, Options, Teller};
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
/// let (violation, events) = found.finding.unwrap();
/// let trace = replay(&network, &events, violation, &budget).unwrap().unwrap();
/// let teller = Teller::new(&network, &budget).unwrap();
/// let steps = teller.tell(&trace.initial, &trace.steps).steps;
/// assert_eq!(steps[2].label, "on");
/// assert_eq!(steps[2].moves[0].state.as_deref(), Some("ON"));
/// assert_eq!(steps[2].moves[1].state.as_deref(), Some("ERROR"));
/// ```
pub struct Teller {
    network: Network,
    interior: Interior,
    /// What they are called by themselves; several may be called the same.
    plain: Vec<String>,
    /// The same, the second `P` as `P (2)`: columns and states are told apart by them.
    names: Vec<String>,
}

impl Teller {
    /// Looks into the components; those that had to be built are composed once more.
    pub fn new(network: &Network, budget: &Budget) -> Result<Teller, Stop> {
        let interior = network.interior(budget)?;
        let plain = short_names(&interior.names().collect::<Vec<_>>());
        Ok(Teller {
            names: property_names(plain.iter().map(String::as_str)),
            plain,
            network: network.clone(),
            interior,
        })
    }

    /// What a component is called in what is told, as [`short_names`] says.
    pub fn short<'n>(&'n self, name: &'n str) -> &'n str {
        let mut full = self.interior.names();
        let at = full.position(|known| known == name);
        at.map_or(name, |at| &self.plain[at])
    }

    /// Tells an execution: the states of the components of the network at the start, and what
    /// happens with the states afterwards.
    pub fn tell(&self, initial: &[State], steps: &[(Action, Vec<State>)]) -> Replay {
        let mut told = Vec::with_capacity(steps.len());
        let mut inside = self.interior.states(initial);
        let mut before = initial;
        for (event, after) in steps {
            let (step, moves) = self.happening(before, *event, after);
            for (part, state) in moves {
                inside[part] = state;
            }
            told.push(step);
            before = after;
        }
        Replay {
            end: self.waiting(before, &inside),
            steps: told,
        }
    }

    /// Where the components are, as far as the text has names for it: `ON`, or of several
    /// components `LAMP at ON, DOOR at SHUT`.
    pub fn places(&self, states: &[State]) -> String {
        let inside = self.interior.states(states);
        let named = inside.iter().enumerate().filter_map(|(part, &state)| {
            let name = self.interior.state_name(part, state)?;
            Some(match self.names.len() {
                1 => name.to_owned(),
                _ => format!("{} at {name}", self.names[part]),
            })
        });
        named.collect::<Vec<_>>().join(", ")
    }

    /// How many components there are, the innermost ones.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// What a component is called.
    pub(crate) fn name(&self, part: usize) -> &str {
        &self.names[part]
    }

    /// What the text calls the state of each component, empty where it has no name for it.
    pub(crate) fn state_names(&self, states: &[State]) -> Vec<String> {
        let inside = self.interior.states(states);
        let name = |(part, &state): (usize, &State)| {
            let name = self.interior.state_name(part, state);
            name.unwrap_or_default().to_owned()
        };
        inside.iter().enumerate().map(name).collect()
    }

    /// Tells one step.
    pub fn step(&self, before: &[State], event: Action, after: &[State]) -> Step {
        self.happening(before, event, after).0
    }

    /// Whether a component takes part in an action, by name.
    pub(crate) fn knows(&self, part: usize, label: &str) -> bool {
        self.alphabet(part).any(|name| name == label)
    }

    /// The actions that a component takes part in.
    pub(crate) fn alphabet(&self, part: usize) -> impl Iterator<Item = &str> {
        self.interior.alphabet(part)
    }

    /// All components.
    pub(crate) fn members(&self) -> Vec<Member> {
        let names = self.names.iter().enumerate();
        names
            .map(|(part, name)| Member {
                name: name.clone(),
                states: self.interior.size(part),
                watches: self.interior.watches(part),
            })
            .collect()
    }

    fn happening(
        &self,
        before: &[State],
        event: Action,
        after: &[State],
    ) -> (Step, Vec<(usize, State)>) {
        let inside = self.interior.happening(before, event, after);
        let moves = inside.moves.iter().map(|&(part, state)| Move {
            component: self.names[part].clone(),
            state: self.interior.state_name(part, state).map(str::to_owned),
        });
        let step = Step {
            label: inside.label.unwrap_or_else(|| "tau".to_owned()),
            hidden: self.network.is_hidden(event),
            moves: moves.collect(),
        };
        (step, inside.moves)
    }

    fn waiting(&self, outer: &[State], inside: &[State]) -> Vec<Waiting> {
        let waits = self.interior.waits(outer).into_iter().enumerate();
        let waiting = waits.map(|(part, waits)| Waiting {
            component: self.names[part].clone(),
            state: self
                .interior
                .state_name(part, inside[part])
                .map(str::to_owned),
            watches: self.interior.watches(part),
            ended: self.interior.has_ended(part, inside[part]),
            waits: waits
                .into_iter()
                .map(|wait| Wait {
                    held_up_by: self.shortened(&wait.held_up_by),
                    ..wait
                })
                .collect(),
        });
        waiting.collect()
    }

    fn shortened(&self, names: &[String]) -> Vec<String> {
        names
            .iter()
            .map(|name| self.short(name).to_owned())
            .collect()
    }
}
