//! Runs with numbers that are tried out, where the pure program has a run and the program has not.
//!
//! What is found is a run of the interpreter and needs no other reason; what is not found says
//! nothing. The tries are the same each time.

use std::collections::BTreeSet;

use quotient_core::{Budget, Source};
use quotient_language::Random;

use crate::kernel::Program;
use crate::purify::some_value;
use crate::question::{Question, is_true};
use crate::react::{Event, Problem, State};
use crate::replay::replay;
use crate::syntax::Direction;
use crate::value::{Type, Value};

/// How often it is tried; half of the tries have the inputs of the pure program's run.
const TRIES: usize = 600;
/// The most instants of a run that is made up.
const LONGEST: usize = 60;
/// The most values that are tried for an input.
const MOST_VALUES: usize = 200;
/// How often what is found is gone through for what it does not need.
const ROUNDS: usize = 5;
/// What all tries may cost.
const WORK: u64 = 4_000_000;

/// Looks for a run that shows what a question is about, beginning with the inputs of a run that
/// does not.
pub(crate) fn run(
    program: &Program,
    source: &Source,
    question: &Question,
    hint: &[Event],
    budget: &Budget,
) -> Option<Vec<Event>> {
    let budget = budget.child_with_work(WORK);
    let offered = |id: usize| match &program.signals[id].kind {
        Some(kind) => values(kind, source.text()),
        None => Vec::new(),
    };
    let mut tries = Tries {
        program,
        question,
        values: (0..program.interface).map(offered).collect(),
        random: Random::new(1),
        budget: &budget,
    };
    for number in 0..TRIES {
        let found = match number % 2 {
            0 => tries.like(hint, number),
            _ => tries.made_up(),
        };
        match found {
            Ok(Some(run)) => return Some(tries.shortened(run)),
            Ok(None) => {}
            Err(Stopped) => return None,
        }
    }
    None
}

/// Values to try: those that the text names and their neighbours.
fn values(kind: &Type, text: &str) -> Vec<Value> {
    let mut spelled: BTreeSet<String> = ["0", "1", "2", "3", "-1"].map(str::to_owned).into();
    match kind {
        Type::Boolean => return vec![Value::Boolean(false), Value::Boolean(true)],
        Type::Integer | Type::Real => {}
        _ => return vec![some_value(kind)],
    }
    for word in text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.') {
        if spelled.len() > MOST_VALUES {
            break;
        }
        let begins = word.starts_with(|letter: char| letter.is_ascii_digit());
        if !begins || Value::spelled(kind, word).is_none() {
            continue;
        }
        spelled.insert(word.to_owned());
        spelled.insert(format!("-{word}"));
        if let Ok(whole) = word.split('.').next().unwrap_or_default().parse::<i64>() {
            spelled.insert(whole.saturating_sub(1).to_string());
            spelled.insert(whole.saturating_add(1).to_string());
        }
    }
    let spelled = spelled.iter();
    spelled
        .filter_map(|one| Value::spelled(kind, one))
        .collect()
}

/// The work that may be done is done.
struct Stopped;

struct Tries<'a> {
    program: &'a Program,
    question: &'a Question,
    /// Values to try for each signal of the interface.
    values: Vec<Vec<Value>>,
    random: Random,
    budget: &'a Budget,
}

impl Tries<'_> {
    fn value(&mut self, id: usize) -> Option<Value> {
        let count = self.values[id].len();
        self.values[id].get(self.random.below(count)).cloned()
    }

    /// An event with all sensors, and all inputs with a value if these are wanted.
    fn known(&mut self, mut event: Event, all: bool) -> Event {
        for id in self.program.inputs() {
            let signal = &self.program.signals[id];
            let missing = signal.kind.is_some() && !event.contains_key(&id);
            if missing && (all || signal.direction == Direction::Sensor) {
                let value = self.value(id);
                event.insert(id, value);
            }
        }
        event
    }

    /// The same inputs with other values; often with every value known from the beginning.
    fn like(&mut self, hint: &[Event], number: usize) -> Result<Option<Vec<Event>>, Stopped> {
        let mut all = Vec::with_capacity(hint.len());
        for (at, event) in hint.iter().enumerate() {
            let mut event = event.clone();
            for (&id, value) in &mut event {
                // The first try keeps them all.
                if value.is_some() && number > 0 && self.random.below(3) > 0 {
                    *value = self.value(id);
                }
            }
            let first = at == 0 && (number == 0 || self.random.below(2) == 0);
            all.push(self.known(event, first));
        }
        self.shows(all)
    }

    /// Any inputs with any values.
    fn made_up(&mut self) -> Result<Option<Vec<Event>>, Stopped> {
        let inputs: Vec<usize> = self.program.inputs().collect();
        let seldom = 1 + self.random.below(4);
        let length = 1 + self.random.below(LONGEST);
        let mut all = Vec::with_capacity(length);
        for at in 0..length {
            let mut event = Event::new();
            for &id in &inputs {
                if self.random.below(1 + seldom) == 0 {
                    let value = self.value(id);
                    event.insert(id, value);
                }
            }
            all.push(self.known(event, at == 0 && seldom.is_multiple_of(2)));
        }
        self.shows(all)
    }

    /// Lets the program react. An event that a relation forbids is cut down to one input, and
    /// then to none.
    fn shows(&mut self, all: Vec<Event>) -> Result<Option<Vec<Event>>, Stopped> {
        let Ok(mut state) = State::new(self.program) else {
            return Ok(None);
        };
        let mut taken = Vec::with_capacity(all.len());
        for event in all {
            let kept = self.random.below(event.len());
            let one = event.iter().skip(kept).take(1);
            let one: Event = one.map(|(&id, value)| (id, value.clone())).collect();
            let mut reaction = None;
            for event in [event, one, Event::new()] {
                let event = self.known(event, false);
                match state.react(self.program, &event, self.budget) {
                    Ok(reacted) => {
                        taken.push(event);
                        reaction = Some(reacted);
                        break;
                    }
                    Err(Problem::Input(_)) => {}
                    Err(Problem::Stopped(_)) => return Err(Stopped),
                    Err(Problem::Data(..) | Problem::Causality(_)) => return Ok(None),
                }
            }
            let Some(reaction) = reaction else {
                return Ok(None);
            };
            if is_true(&self.question.condition, &reaction.present) {
                return Ok(Some(taken));
            }
            if state.is_over() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The run without instants and inputs that are not needed.
    fn shortened(&self, mut run: Vec<Event>) -> Vec<Event> {
        for _ in 0..ROUNDS {
            let shorter = self.once_shortened(run.clone());
            if shorter == run {
                break;
            }
            run = shorter;
        }
        run
    }

    fn once_shortened(&self, mut run: Vec<Event>) -> Vec<Event> {
        for at in (0..run.len()).rev() {
            let mut without = run.clone();
            without.remove(at);
            if self.is_shown(&without) {
                run = without;
                continue;
            }
            for id in run[at].keys().copied().collect::<Vec<_>>() {
                let mut without = run.clone();
                without[at].remove(&id);
                if self.is_shown(&without) {
                    run = without;
                }
            }
        }
        run
    }

    fn is_shown(&self, run: &[Event]) -> bool {
        let reactions = replay(self.program, run, self.budget).unwrap_or_default();
        let last = reactions.last();
        last.is_some_and(|last| is_true(&self.question.condition, &last.present))
    }
}
