//! What one component can do, by itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Stop};
use quotient_lts::{Action, ERROR, Lts, State};

use super::super::whole::components_of;
use super::Event;

/// A component whose silent steps are an event with a number.
pub(super) struct Local<'a> {
    lts: &'a Lts,
    silent: Event,
    /// The states from which an event, or the error state, can be reached, once asked for.
    reaching: RefCell<BTreeMap<Option<Event>, Vec<bool>>>,
    /// Which events commute, once asked for.
    commuting: RefCell<BTreeMap<(Event, Event), bool>>,
}

impl<'a> Local<'a> {
    pub(super) fn new(lts: &'a Lts, silent: Event) -> Local<'a> {
        Local {
            lts,
            silent,
            reaching: RefCell::default(),
            commuting: RefCell::default(),
        }
    }

    /// How large it is: its states and steps.
    pub(super) fn size(&self) -> u64 {
        (self.lts.states() + self.lts.transitions()) as u64
    }

    /// The events that it takes part in.
    pub(super) fn events(&self) -> impl Iterator<Item = Event> + '_ {
        let known = self.lts.alphabet().iter().map(|event| event.index());
        let is_silent = self.lts.all_edges().any(|(_, edge)| edge.action.is_tau());
        known.chain(is_silent.then_some(self.silent))
    }

    fn event(&self, action: Action) -> Event {
        match action.is_tau() {
            true => self.silent,
            false => action.index(),
        }
    }

    /// The steps from a state.
    fn steps(&self, state: State) -> impl Iterator<Item = (Event, State)> + '_ {
        let edges = self.lts.edges(state).iter();
        edges.map(|edge| (self.event(edge.action), edge.target))
    }

    pub(super) fn targets(&self, state: State, event: Event) -> impl Iterator<Item = State> + '_ {
        let action = match event == self.silent {
            true => Action::TAU,
            false => Action::from_index(event),
        };
        let edges = self.lts.successors(state, action).iter();
        edges.map(|edge| edge.target)
    }

    pub(super) fn can(&self, state: State, event: Event) -> bool {
        self.targets(state, event).next().is_some()
    }

    /// What it could do instead of a possible event, or else all that does not commute with it.
    /// With `lasting`, without what takes the event away for good.
    pub(super) fn rivals(
        &self,
        state: State,
        event: Event,
        lasting: bool,
        budget: &Budget,
    ) -> Result<Vec<Event>, Stop> {
        let others = || self.steps(state).filter(move |(other, _)| *other != event);
        let mut some_commutes = false;
        for (other, _) in others() {
            some_commutes = some_commutes || self.commute(event, other, budget)?;
        }
        if !some_commutes {
            let kept =
                others().filter(|&(_, target)| !lasting || self.reaches(target, Some(event)));
            return Ok(kept.map(|(other, _)| other).collect());
        }
        let mut rivals = Vec::new();
        for other in self.events() {
            if !self.commute(event, other, budget)? {
                rivals.push(other);
            }
        }
        Ok(rivals)
    }

    /// What may bring it nearer to an event that it blocks.
    pub(super) fn towards(&self, state: State, event: Event) -> Vec<Event> {
        self.nearer(state, Some(event))
    }

    /// What may bring it nearer to its error state.
    pub(super) fn towards_error(&self, state: State) -> Vec<Event> {
        self.nearer(state, None)
    }

    fn nearer(&self, state: State, goal: Option<Event>) -> Vec<Event> {
        let steps = self.steps(state).filter(|&(_, target)| target != state);
        let nearer = steps.filter(|&(_, target)| self.reaches(target, goal));
        let events: BTreeSet<Event> = nearer.map(|(event, _)| event).collect();
        events.into_iter().collect()
    }

    /// Whether an event, or the error state, can be reached from a state.
    fn reaches(&self, state: State, goal: Option<Event>) -> bool {
        if state == ERROR {
            return goal.is_none();
        }
        let mut known = self.reaching.borrow_mut();
        let reaching = known.entry(goal).or_insert_with(|| self.all_reaching(goal));
        reaching[state.index()]
    }

    fn all_reaching(&self, goal: Option<Event>) -> Vec<bool> {
        let is_goal = |(event, target): (Event, State)| match goal {
            Some(goal) => event == goal,
            None => target == ERROR,
        };
        let states = self.lts.all_states();
        let mut reaching: Vec<bool> = states
            .clone()
            .map(|state| self.steps(state).any(is_goal))
            .collect();
        let mut before: Vec<Vec<State>> = vec![Vec::new(); reaching.len()];
        for (from, edge) in self
            .lts
            .all_edges()
            .filter(|(_, edge)| edge.target != ERROR)
        {
            before[edge.target.index()].push(from);
        }
        let mut todo: Vec<State> = states.filter(|&state| reaching[state.index()]).collect();
        while let Some(state) = todo.pop() {
            for &from in &before[state.index()] {
                if !std::mem::replace(&mut reaching[from.index()], true) {
                    todo.push(from);
                }
            }
        }
        reaching
    }

    /// Whether two events never make each other possible or impossible and lead to the same
    /// states in both orders.
    fn commute(&self, left: Event, right: Event, budget: &Budget) -> Result<bool, Stop> {
        let key = (left.min(right), left.max(right));
        if let Some(known) = self.commuting.borrow().get(&key) {
            return Ok(*known);
        }
        budget.poll()?;
        let mut states = self.lts.all_states();
        let commute = left != right && states.all(|state| self.commute_in(state, left, right));
        self.commuting.borrow_mut().insert(key, commute);
        Ok(commute)
    }

    fn commute_in(&self, state: State, left: Event, right: Event) -> bool {
        let keeps = |first: Event, second: Event| {
            let can = self.can(state, second);
            self.targets(state, first)
                .all(|middle| middle != ERROR && self.can(middle, second) == can)
        };
        let after = |first: Event, second: Event| -> BTreeSet<State> {
            let middle = self.targets(state, first);
            middle
                .flat_map(|middle| self.targets(middle, second))
                .collect()
        };
        if !keeps(left, right) || !keeps(right, left) {
            return false;
        }
        let both = self.can(state, left) && self.can(state, right);
        !both || after(left, right) == after(right, left)
    }
}

/// Whether there is a cycle without sticky events.
pub(super) fn has_cycle(part: &Local<'_>, sticky: &[bool]) -> bool {
    !loose_cycle(part, sticky).is_empty()
}

/// The events on cycles without sticky events.
pub(super) fn loose_cycle(part: &Local<'_>, sticky: &[bool]) -> BTreeSet<Event> {
    let loose = |state: State| {
        let steps = part.steps(state);
        steps.filter(|&(event, target)| target != ERROR && !sticky[event])
    };
    let set_of = components_of(part.lts.states(), |state| {
        let targets = loose(State::from_index(state)).map(|(_, target)| target);
        targets.map(|target| target.index() as u32).collect()
    });
    let steps = part.lts.all_states().flat_map(|state| {
        let own = set_of[state.index()];
        loose(state).map(move |step| (own, step))
    });
    let inner = steps.filter(|&(own, (_, target))| set_of[target.index()] == own);
    inner.map(|(_, (event, _))| event).collect()
}
