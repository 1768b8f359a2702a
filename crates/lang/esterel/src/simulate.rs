//! Runs that somebody makes, instant by instant.

use std::cell::RefCell;

use quotient_core::{Context, Source, Trouble};
use quotient_language::{Choice, Json, Random, Simulation, Status, Trace};

use crate::events;
use crate::kernel::Program;
use crate::purify::{Purified, Ranges, Stands, some_value};
use crate::react::{Event, Reaction, State, is_kept};
use crate::replay::{mistake, trace};
use crate::syntax::Direction;
use crate::value::Value;

/// The most instants that are listed to choose from.
const MOST_CHOICES: usize = 90;

/// A run of the interpreter. Any inputs can be given by writing them; those that are listed have
/// one value of each range.
pub(crate) struct Walk {
    source: Source,
    program: Program,
    /// Values to offer for each input with one.
    values: Vec<Vec<Value>>,
    states: Vec<State>,
    events: Vec<Event>,
    reactions: Vec<Reaction>,
    /// Inputs that somebody wrote.
    wanted: RefCell<Option<Event>>,
    refused: RefCell<Option<String>>,
}

impl Walk {
    pub(crate) fn new(
        source: Source,
        program: Program,
        pure: Option<Purified>,
    ) -> Result<Walk, Trouble> {
        let offered = |id: usize| {
            let Some(kind) = &program.signals[id].kind else {
                return Vec::new();
            };
            let of = |ranges: &Ranges| -> Vec<Value> {
                (0..ranges.count())
                    .map(|one| ranges.representative(one))
                    .collect()
            };
            match pure.as_ref().map(|pure| pure.stands(id)) {
                Some(Stands::Ranges(_, ranges)) => of(ranges),
                Some(Stands::Truth(_)) => vec![Value::Boolean(false), Value::Boolean(true)],
                _ => vec![some_value(kind)],
            }
        };
        let values = (0..program.interface).map(offered).collect();
        let state = State::new(&program).map_err(|problem| mistake(&source, problem))?;
        Ok(Walk {
            source,
            program,
            values,
            states: vec![state],
            events: Vec::new(),
            reactions: Vec::new(),
            wanted: RefCell::new(None),
            refused: RefCell::new(None),
        })
    }

    fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// The events to choose from: all combinations while they are few, then single inputs.
    fn offers(&self) -> Vec<Event> {
        if self.state().is_over() {
            // Nothing is offered, but what is written is answered: with nothing, for ever.
            let wanted = self.wanted.borrow();
            let wanted = wanted.iter().filter(|one| self.is_allowed(one));
            return wanted.cloned().collect();
        }
        let mut all: Vec<Event> = vec![Event::new()];
        for id in self.program.inputs() {
            let signal = &self.program.signals[id];
            let mut ways: Vec<Option<Value>> = Vec::new();
            match signal.kind {
                None => ways.push(None),
                Some(_) => ways.extend(self.values[id].iter().cloned().map(Some)),
            }
            let sensor = signal.direction == Direction::Sensor;
            let mut more = match sensor {
                // A sensor always has a value: the first one at least.
                true => Vec::new(),
                false => all.clone(),
            };
            let few = all.len() * (ways.len() + 1) <= MOST_CHOICES;
            for way in ways {
                let base: &[Event] = if few || sensor { &all } else { &all[..1] };
                for event in base {
                    let mut event = event.clone();
                    event.insert(id, way.clone());
                    more.push(event);
                }
                if sensor && !few {
                    break;
                }
            }
            all = more;
        }
        let mut all: Vec<Event> = all.into_iter().filter(|one| self.is_allowed(one)).collect();
        all.truncate(MOST_CHOICES);
        if let Some(wanted) = self.wanted.borrow().as_ref()
            && !all.contains(wanted)
            && self.is_allowed(wanted)
        {
            all.push(wanted.clone());
        }
        all
    }

    fn is_allowed(&self, event: &Event) -> bool {
        let promises = self.program.relations.iter();
        let before = self.state().interface();
        promises
            .into_iter()
            .all(|promise| is_kept(promise, event, before))
    }
}

impl Simulation for Walk {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let choice = |event: &Event| Choice {
            action: events::text(&self.program, event),
            ..Choice::default()
        };
        Ok(self.offers().iter().map(choice).collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        let Some(event) = self.offers().get(choice).cloned() else {
            return Err(Trouble::usage("there is no such choice"));
        };
        let mut state = self.state().clone();
        let reaction = state
            .react(&self.program, &event, &cx.budget)
            .map_err(|problem| mistake(&self.source, problem))?;
        self.states.push(state);
        self.events.push(event);
        self.reactions.push(reaction);
        *self.wanted.borrow_mut() = None;
        Ok(())
    }

    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        let count = self.offers().len();
        if count == 0 {
            return Ok(false);
        }
        self.take(random.below(count), cx)?;
        Ok(true)
    }

    fn undo(&mut self) -> bool {
        let undone = self.events.pop().is_some();
        if undone {
            self.states.pop();
            self.reactions.pop();
        }
        undone
    }

    fn trace(&self) -> Trace {
        trace(&self.program, &self.events, &self.reactions)
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        let mut status = Status::default();
        if self.state().is_over() {
            status.notes.push("the program has ended".to_owned());
        } else {
            status
                .whereabouts
                .push("any inputs can be written: `A X(3)`".to_owned());
        }
        Ok(status)
    }

    fn refusal(&self, _: &str) -> Vec<String> {
        self.refused.borrow().iter().cloned().collect()
    }

    fn spelled(&self, action: &str) -> String {
        match events::parse(&self.program, action) {
            Ok(event) => {
                let text = events::text(&self.program, &event);
                let allowed = self.is_allowed(&event);
                let broken = "a relation among the inputs forbids it".to_owned();
                *self.refused.borrow_mut() = (!allowed).then_some(broken);
                *self.wanted.borrow_mut() = Some(event);
                text
            }
            Err(why) => {
                *self.refused.borrow_mut() = Some(why);
                action.trim().to_owned()
            }
        }
    }

    fn details(&mut self, _: &Context) -> Result<Vec<(String, Json)>, Trouble> {
        let program = &self.program;
        let shown = |reaction: &Reaction| -> Vec<String> {
            let outputs = program.outputs().filter(|&id| reaction.present[id]);
            outputs
                .map(|id| {
                    let name = &program.signals[id].name;
                    match &reaction.values[id] {
                        Some(value) => format!("{name}({value})"),
                        None => name.clone(),
                    }
                })
                .collect()
        };
        let all: Vec<Vec<String>> = self.reactions.iter().map(shown).collect();
        Ok(vec![("emitted".to_owned(), Json::from(all))])
    }
}
