//! Running a system step by step, as LTSA's animator does.

use quotient_compose::Network;
use quotient_core::{Budget, Stop};
use quotient_lts::{Action, ERROR, State};

use crate::trace::{Replay, Step, Teller, Waiting};

/// A run of a system, one step at a time.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_fsp::{Animation, Model, Options, Status};
///
/// let text = "SWITCH = OFF, OFF = (on -> ON), ON = (off -> STOP).";
/// let model = Model::read(&Source::new("switch.lts", text)).unwrap();
/// let budget = Budget::unlimited();
/// let compiled = model.compile(&Options::default(), &budget).unwrap();
/// let mut run = Animation::new(&compiled.network(&budget).unwrap(), &budget).unwrap();
/// assert_eq!(run.choices()[0].step.label, "on");
/// run.take(run.choices()[0].clone());
/// run.take(run.choices()[0].clone());
/// assert_eq!(run.status(), Status::Deadlock);
/// assert!(run.back());
/// assert_eq!(run.status(), Status::Running);
/// ```
pub struct Animation {
    network: Network,
    teller: Teller,
    initial: Vec<State>,
    taken: Vec<(Action, Vec<State>)>,
}

/// A step that can be taken now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What it is, in words of the text.
    pub step: Step,
    event: Action,
    after: Vec<State>,
}

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Something can happen.
    Running,
    /// Nothing can happen any more.
    Deadlock,
    /// All have ended well.
    Ended,
    /// This component has got to ERROR: a property is violated.
    Error(String),
}

impl Animation {
    /// A run that has not begun.
    pub fn new(network: &Network, budget: &Budget) -> Result<Animation, Stop> {
        Ok(Animation {
            teller: Teller::new(network, budget)?,
            initial: network.initial(),
            network: network.clone(),
            taken: Vec::new(),
        })
    }

    /// What can happen now; an action that leads to several states is there for each of them.
    pub fn choices(&self) -> Vec<Choice> {
        let now = self.now();
        let steps = self.network.steps(now).into_iter();
        steps
            .map(|(event, after)| Choice {
                step: self.teller.step(now, event, &after),
                event,
                after,
            })
            .collect()
    }

    /// Takes a step, one of the present [`choices`](Animation::choices).
    pub fn take(&mut self, choice: Choice) {
        self.taken.push((choice.event, choice.after));
    }

    /// Takes the last step back; false at the start.
    pub fn back(&mut self) -> bool {
        self.taken.pop().is_some()
    }

    /// How many steps have been taken.
    pub fn len(&self) -> usize {
        self.taken.len()
    }

    /// Whether none has been taken.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// How the run stands.
    pub fn status(&self) -> Status {
        let now = self.now();
        if now.contains(&ERROR) {
            let told = self.told();
            let erred = told
                .end
                .iter()
                .find(|end| end.state.as_deref() == Some("ERROR"));
            return Status::Error(erred.map(|end| end.component.clone()).unwrap_or_default());
        }
        match self.network.is_deadlock(now) {
            true => Status::Deadlock,
            false if self.network.steps(now).is_empty() => Status::Ended,
            false => Status::Running,
        }
    }

    /// The run so far.
    pub fn told(&self) -> Replay {
        self.teller.tell(&self.initial, &self.taken)
    }

    /// The run so far as the engine has it, and who can tell it.
    pub(crate) fn run(&self) -> (&Teller, &[State], &[(Action, Vec<State>)]) {
        (&self.teller, &self.initial, &self.taken)
    }

    /// The components that take part in an action, by the name it has in the text, with what
    /// they are ready for instead: why it cannot happen now. None if no component knows it.
    pub fn refusals(&self, label: &str) -> Option<Vec<Waiting>> {
        let events = self.network.events();
        let events: Vec<Action> = events
            .filter(|&event| self.network.name(event) == label)
            .collect();
        if events.is_empty() {
            return None;
        }
        let ready = |waiting: &Waiting| waiting.waits.iter().any(|wait| wait.action == label);
        let end = self.told().end.into_iter();
        let knows = |part: usize| self.teller.knows(part, label);
        let unready = end
            .enumerate()
            .filter(|(part, waiting)| knows(*part) && !ready(waiting));
        Some(unready.map(|(_, waiting)| waiting).collect())
    }

    /// All actions that may happen at some time, by name.
    pub fn labels(&self) -> Vec<&str> {
        let events = self.network.events();
        let mut labels: Vec<&str> = events.map(|event| self.network.name(event)).collect();
        labels.dedup();
        labels
    }

    fn now(&self) -> &[State] {
        self.taken.last().map_or(&self.initial, |(_, after)| after)
    }
}
