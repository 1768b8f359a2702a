//! What can happen next.

use quotient_automata::Nfa;
use quotient_core::Stop;

use super::conditions::Scene;
use super::{Configuration, Interpreter, Taken};
use crate::model::{
    Action, Assigned, ChannelKind, Chosen, Domain, Nature, Operation, Position, Step, Value,
};

/// A transducer from a file may write any number of words of any length: so many are looked at,
/// longer by so much.
const MOST_WRITTEN: usize = 10_000;
const MOST_ADDED: usize = 8;

/// What is done with each step that can be taken, and where it leads; `false` if that is enough.
type Visit<'v> = &'v mut dyn FnMut(Taken, Configuration) -> Result<bool, Stop>;

impl Interpreter<'_> {
    /// All steps that can be taken, with where they lead, sorted.
    pub fn successors(&self, configuration: &Configuration) -> Vec<(Taken, Configuration)> {
        let most = self.room_for(configuration.processes.len());
        self.some_successors(configuration, most)
            .map_or_else(|_| Vec::new(), |(all, _)| all)
    }

    /// The same, or why there was no time or room for it.
    pub fn all_successors(
        &self,
        configuration: &Configuration,
    ) -> Result<Vec<(Taken, Configuration)>, Stop> {
        let most = self.room_for(configuration.processes.len());
        match self.some_successors(configuration, most)? {
            (all, false) => Ok(all),
            (_, true) => Err(Self::no_room()),
        }
    }

    /// So many of them at the most, sorted, and whether there are more.
    pub fn some_successors(
        &self,
        configuration: &Configuration,
        most: usize,
    ) -> Result<(Vec<(Taken, Configuration)>, bool), Stop> {
        let (mut all, mut more) = (Vec::new(), false);
        self.visit_successors(configuration, &mut |taken, after| {
            more = all.len() >= most;
            if !more {
                all.push((taken, after));
            }
            Ok(!more)
        })?;
        all.sort();
        all.dedup();
        Ok((all, more))
    }

    /// Whether a step can be taken that is not a crash, a lie or the loss of a message.
    pub(super) fn can_go_on(&self, configuration: &Configuration) -> Result<bool, Stop> {
        let mut can = false;
        self.visit_successors(configuration, &mut |taken, _| {
            can |= self.protocol.nature(&taken.step) != Nature::Fault;
            Ok(!can)
        })?;
        Ok(can)
    }

    fn visit_successors(
        &self,
        configuration: &Configuration,
        visit: Visit<'_>,
    ) -> Result<(), Stop> {
        for step in &self.protocol.steps {
            let go_on = match step.import {
                Some(_) => self.imported(step, configuration, visit)?,
                None => self.try_people(step, configuration, &mut Vec::new(), visit)?,
            };
            if !go_on {
                return Ok(());
            }
        }
        if self.lazy {
            for (taken, after) in self.looks(configuration) {
                self.budget.poll()?;
                if !visit(taken, after)? {
                    return Ok(());
                }
            }
        }
        for (number, channel) in self.protocol.channels.iter().enumerate() {
            if channel.kind == ChannelKind::LossyQueue {
                for lost in 0..configuration.channels[number].len() {
                    let mut after = configuration.clone();
                    after.channels[number].remove(lost);
                    let taken = Taken {
                        step: format!("lose {}", channel.name),
                        people: Vec::new(),
                        origins: (0..configuration.processes.len()).map(Some).collect(),
                    };
                    self.look_again(configuration, &taken, &mut after);
                    self.budget.poll()?;
                    if !visit(taken, after)? {
                        return Ok(());
                    }
                }
            }
        }
        self.budget.poll()
    }

    /// A step from a file: what its transducer writes.
    fn imported(
        &self,
        step: &Step,
        configuration: &Configuration,
        visit: Visit<'_>,
    ) -> Result<bool, Stop> {
        let Some(compiled) = self.compiled else {
            return Ok(true);
        };
        let parts = compiled.relation().parts().iter();
        let part = parts.clone().find(|(name, _)| *name == step.name);
        let Some(((_, part), word)) = part.zip(self.word(configuration)) else {
            return Ok(true);
        };
        let written = part.apply(&Nfa::of_word(part.alphabet(), &word), &self.budget)?;
        let words = written.words(word.len() + MOST_ADDED, &self.budget)?;
        let places = configuration.processes.len();
        for word in words.take(MOST_WRITTEN) {
            let after = self.configuration(&word);
            let origin = |place: usize| (place < places).then_some(place);
            let taken = Taken {
                step: step.name.clone(),
                people: Vec::new(),
                origins: (0..after.processes.len()).map(origin).collect(),
            };
            self.budget.poll()?;
            if !visit(taken, after)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Tries everybody in every role; says whether to go on.
    fn try_people(
        &self,
        step: &Step,
        configuration: &Configuration,
        people: &mut Vec<usize>,
        visit: Visit<'_>,
    ) -> Result<bool, Stop> {
        if people.len() < step.people.len() {
            for place in 0..configuration.processes.len() {
                people.push(place);
                let go_on = self.try_people(step, configuration, people, visit)?;
                people.pop();
                if !go_on {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let domains: Vec<&Domain> = step.choices.iter().map(|(_, domain)| domain).collect();
        for choices in every(&domains) {
            let scene = Scene {
                configuration,
                choices: &choices,
            };
            let enabled = self.holds(&step.guard, scene, people)
                && (step.readings.is_empty() || self.has_read(step, configuration, people[0]));
            self.budget.poll()?;
            if !enabled {
                continue;
            }
            for actions in &step.alternatives {
                let (origins, outcomes) = self.perform(actions, scene, people)?;
                let taken = Taken {
                    step: step.name.clone(),
                    people: people.clone(),
                    origins,
                };
                for mut after in outcomes {
                    if !self.satisfies_constraints(&after) {
                        continue;
                    }
                    self.look_again(configuration, &taken, &mut after);
                    self.budget.poll()?;
                    if !visit(taken.clone(), after)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// All outcomes of actions that happen at once (everything is read before anything is
    /// written), and where each process was before.
    fn perform(
        &self,
        actions: &[Action],
        scene: Scene<'_>,
        people: &mut Vec<usize>,
    ) -> Result<(Vec<Option<usize>>, Vec<Configuration>), Stop> {
        let before = scene.configuration;
        // Processes keep their old places as names until all are put where they belong.
        let mut drafts = vec![Draft {
            globals: before.globals.clone(),
            processes: before.processes.clone(),
            channels: before.channels.clone(),
            made: Vec::new(),
        }];
        let mut order: Vec<Seat> = (0..before.processes.len()).map(Seat::Old).collect();
        for action in actions {
            match action {
                Action::SetGlobal(global, assigned) => {
                    let values = self.values(assigned, scene, people);
                    drafts = branch(drafts, &values, |draft, value| {
                        draft.globals[*global] = value
                    });
                }
                Action::SetField(who, field, assigned) => {
                    let (place, values) = (people[*who], self.values(assigned, scene, people));
                    drafts = branch(drafts, &values, |draft, value| {
                        draft.processes[place][*field] = value
                    });
                }
                Action::SetMark(mark, target) => {
                    for draft in &mut drafts {
                        for (place, process) in draft.processes.iter_mut().enumerate() {
                            process[*mark] =
                                i32::from(target.is_some_and(|who| people[who] == place));
                        }
                    }
                }
                Action::SetPair(..) | Action::SetPointer(..) => {
                    drafts = self.with_pair(drafts, action, scene, people);
                }
                Action::Broadcast(broadcast) => {
                    let most = self.room_for(before.processes.len());
                    for place in self.range(&broadcast.bound, before.processes.len(), people) {
                        self.budget.poll()?;
                        if drafts.len() > most {
                            return Err(Self::no_room());
                        }
                        people.push(place);
                        if self.holds(&broadcast.only, scene, people) {
                            for (field, assigned) in &broadcast.assignments {
                                let values = self.values(assigned, scene, people);
                                drafts = branch(drafts, &values, |draft, value| {
                                    draft.processes[place][*field] = value
                                });
                            }
                            for action in &broadcast.pairs {
                                drafts = self.with_pair(drafts, action, scene, people);
                            }
                        }
                        people.pop();
                    }
                }
                Action::Move(who, position) => {
                    let place = people[*who];
                    leave(&mut order, place);
                    insert(&mut order, *position, Seat::Moved(place), people);
                }
                Action::Create(position, created) => {
                    let number = drafts.first().map_or(0, |draft| draft.made.len());
                    drafts
                        .iter_mut()
                        .for_each(|draft| draft.made.push(Vec::new()));
                    for assigned in created {
                        let values = self.values(assigned, scene, people);
                        drafts = branch(drafts, &values, |draft, value| {
                            draft.made[number].push(value)
                        });
                    }
                    insert(&mut order, *position, Seat::New(number), people);
                }
                Action::Remove(who) => leave(&mut order, people[*who]),
                Action::Channel(..) => {}
            }
        }
        if !self.channels(actions, scene, people, &mut drafts) {
            return Ok((Vec::new(), Vec::new()));
        }
        order.retain(|seat| !matches!(seat, Seat::Gone(_)));
        let origin = |seat: &Seat| match seat {
            Seat::Old(place) | Seat::Moved(place) => Some(*place),
            Seat::Gone(_) | Seat::New(_) => None,
        };
        let outcomes = drafts
            .into_iter()
            .map(|draft| draft.seated(&order))
            .collect();
        Ok((order.iter().map(origin).collect(), outcomes))
    }

    /// Sets what a process carries for another, or whom it holds.
    fn with_pair(
        &self,
        mut drafts: Vec<Draft>,
        action: &Action,
        scene: Scene<'_>,
        people: &mut Vec<usize>,
    ) -> Vec<Draft> {
        let size = scene.configuration.processes.len();
        match action {
            Action::SetPair(owner, other, pair, assigned) => {
                let at = self.pair_at(*pair, people[*other], size);
                let (owner, values) = (people[*owner], self.values(assigned, scene, people));
                branch(drafts, &values, |draft, value| {
                    draft.processes[owner][at] = value
                })
            }
            Action::SetPointer(owner, pair, target) => {
                let target = target.map(|who| people[who]);
                for draft in &mut drafts {
                    for other in 0..size {
                        let at = self.pair_at(*pair, other, size);
                        draft.processes[people[*owner]][at] = Value::from(target == Some(other));
                    }
                }
                drafts
            }
            _ => drafts,
        }
    }

    /// Takes from the channels first, then puts into them; `false` if there is nothing to take.
    fn channels(
        &self,
        actions: &[Action],
        scene: Scene<'_>,
        people: &mut Vec<usize>,
        drafts: &mut [Draft],
    ) -> bool {
        let mut contents = scene.configuration.channels.clone();
        let operations: Vec<(Operation, usize, Option<Value>)> = actions
            .iter()
            .filter_map(|action| match action {
                Action::Channel(operation, channel, value) => {
                    Some((*operation, *channel, self.value(value, scene, people)))
                }
                _ => None,
            })
            .collect();
        let takes =
            |operation: &Operation| matches!(operation, Operation::Pop | Operation::Receive);
        for (_, channel, value) in operations.iter().filter(|(operation, ..)| takes(operation)) {
            if contents[*channel].first().copied() != *value || value.is_none() {
                return false;
            }
            contents[*channel].remove(0);
        }
        for (operation, channel, value) in operations
            .iter()
            .filter(|(operation, ..)| !takes(operation))
        {
            let domain = &self.protocol.channels[*channel].domain;
            let Some(value) = value.filter(|value| domain.contains(*value)) else {
                return false;
            };
            match operation {
                Operation::Push => contents[*channel].insert(0, value),
                _ => contents[*channel].push(value),
            }
        }
        drafts
            .iter_mut()
            .for_each(|draft| draft.channels = contents.clone());
        true
    }

    /// The values that an assignment may give.
    fn values(&self, assigned: &Assigned, scene: Scene<'_>, people: &mut Vec<usize>) -> Vec<Value> {
        match &assigned.value {
            Chosen::AnyOf(values) => values.clone(),
            Chosen::Exactly(expr) => self.value(expr, scene, people).into_iter().collect(),
        }
    }
}

/// One possible outcome, processes still at their old places.
#[derive(Clone)]
struct Draft {
    globals: Vec<Value>,
    processes: Vec<Vec<Value>>,
    channels: Vec<Vec<Value>>,
    made: Vec<Vec<Value>>,
}

impl Draft {
    fn seated(mut self, order: &[Seat]) -> Configuration {
        // Nobody sits on two seats.
        let at = |seat: &Seat| match seat {
            Seat::Old(place) | Seat::Moved(place) => {
                Some(std::mem::take(&mut self.processes[*place]))
            }
            Seat::New(number) => Some(std::mem::take(&mut self.made[*number])),
            Seat::Gone(_) => None,
        };
        let processes = order.iter().filter_map(at).collect();
        Configuration {
            globals: self.globals,
            processes,
            channels: self.channels,
            seen: Vec::new(),
        }
    }
}

/// A seat in the row of processes, by the old place of whoever has to do with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seat {
    /// Whoever sat here still does.
    Old(usize),
    /// Whoever sat here does no longer. The seat is kept until all have theirs: others may be put beside it, since
    /// one process may have several names in a step.
    Gone(usize),
    /// Whoever moved sits here now.
    Moved(usize),
    New(usize),
}

/// Whoever sat at a place leaves it, and the seat that it may have moved to before: what is done last counts.
fn leave(order: &mut Vec<Seat>, place: usize) {
    order.retain(|seat| *seat != Seat::Moved(place));
    for seat in order {
        if *seat == Seat::Old(place) {
            *seat = Seat::Gone(place);
        }
    }
}

/// Puts somebody at an end, or beside where somebody sat before the step, whether that one still does or not.
fn insert(order: &mut Vec<Seat>, position: Position, seat: Seat, people: &[usize]) {
    let before = |who: usize| {
        let place = people[who];
        let sat = |known: &Seat| [Seat::Old(place), Seat::Gone(place)].contains(known);
        // Seats of the beginning are never taken out.
        order.iter().position(sat).unwrap_or(order.len())
    };
    let at = match position {
        Position::LeftEnd => 0,
        Position::RightEnd => order.len(),
        Position::Before(who) => before(who),
        Position::After(who) => (before(who) + 1).min(order.len()),
    };
    order.insert(at, seat);
}

/// Each draft once for each value.
fn branch(drafts: Vec<Draft>, values: &[Value], set: impl Fn(&mut Draft, Value)) -> Vec<Draft> {
    let Some((&last, others)) = values.split_last() else {
        return Vec::new();
    };
    let mut all = Vec::with_capacity(drafts.len() * values.len());
    for mut draft in drafts {
        for &value in others {
            let mut copy = draft.clone();
            set(&mut copy, value);
            all.push(copy);
        }
        set(&mut draft, last);
        all.push(draft);
    }
    all
}

/// All ways to choose a value from each domain.
pub(super) fn every(domains: &[&Domain]) -> Vec<Vec<Value>> {
    let Some((first, rest)) = domains.split_first() else {
        return vec![Vec::new()];
    };
    let rest = every(rest);
    let with = |value: Value| {
        rest.iter()
            .map(move |more| [&[value], more.as_slice()].concat())
    };
    first.values().into_iter().flat_map(with).collect()
}
