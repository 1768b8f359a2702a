//! From programs to sparse models: all states that can be reached.

mod able;
mod clash;
mod earns;
mod together;

use std::collections::BTreeMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{Builder, Kind, Markov, Rewards};

use self::able::Able;
use crate::code::{Code, Tables};
use crate::index::{self, Index};
use crate::number::Enclosure;
use crate::states::{Layout, States};
use crate::{Earns, Misbuilt, Program, Starts, Undefined, starts};

/// A model that was built, with what its states are.
#[derive(Debug, Clone)]
pub struct Built {
    /// The sparse model.
    pub model: Markov,
    /// The states.
    pub states: States,
    /// What is earned, for each structure of the program.
    pub rewards: Vec<Rewards>,
    /// The commands that can happen in some state that is reached, alone.
    pub enabled: Bits,
    /// The events that happen in some state that is reached.
    pub happened: Bits,
    /// Commands whose probabilities do not quite add up to one, with what they first came to.
    pub scaled: BTreeMap<usize, f64>,
}

/// How far from one the probabilities of a command may add up to, as PRISM has it. They are then
/// divided by their sum: a run goes somewhere in every step.
const TOLERANCE: f64 = 1e-5;

/// Sums that are nearer to one than this may have been rounded.
const ROUNDED: f64 = 1e-12;

/// Builds the model of a program: all states that can be reached from the initial ones.
///
/// ```
/// use quotient_core::Budget;
/// use quotient_probability::{Command, Event, Expression, Program, Starts, Update, Variable, build};
/// let flip = |value| Update {
///     weight: Expression::Number(0.5, None),
///     assignments: vec![(0, Expression::whole(value))],
/// };
/// let coin = Program {
///     kind: quotient_markov::Kind::Dtmc,
///     markovian: false,
///     variables: vec![Variable { name: "side".into(), low: 0, high: 2 }],
///     commands: vec![Command {
///         guard: Expression::whole(1),
///         rated: false,
///         updates: vec![flip(1), flip(2)],
///     }],
///     events: vec![Event { action: 0, parts: vec![vec![0]] }],
///     actions: vec![],
///     starts: Starts::At(vec![0]),
///     rewards: vec![],
/// };
/// let built = build(&coin, &Budget::unlimited()).unwrap();
/// assert_eq!((built.model.states(), built.model.branches()), (3, 6));
/// ```
pub fn build(program: &Program, budget: &Budget) -> Result<Built, Misbuilt> {
    let (states, initial) = starts(program, budget)?;
    let mut explorer = Explorer::new(program, states);
    let mut at = 0;
    while at < explorer.states.len() {
        explorer.visit(at, budget)?;
        at += 1;
    }
    Ok(explorer.built(initial))
}

/// The same with several threads, and the same result.
pub fn build_together(
    program: &Program,
    threads: usize,
    budget: &Budget,
) -> Result<Built, Misbuilt> {
    match threads {
        0 | 1 => build(program, budget),
        threads => together::build_divided(program, &together::Division::new(threads), budget),
    }
}

/// The initial states.
pub(crate) fn starts(program: &Program, budget: &Budget) -> Result<(States, Vec<u32>), Misbuilt> {
    let mut states = States::new(Layout::new(&program.variables));
    let mut initial = Vec::new();
    match &program.starts {
        Starts::At(values) => initial.push(states.number_of_values(values)),
        Starts::Where(condition) => {
            starts::where_holds(&program.variables, condition, budget, |values| {
                initial.push(states.number_of_values(values));
            })?;
        }
    }
    match initial.is_empty() {
        true => Err(Misbuilt::NoStart),
        false => Ok((states, initial)),
    }
}

struct CodedCommand {
    guard: Code,
    rated: bool,
    /// Whether weights are those of the text, since they are known to add up to one or need not.
    as_written: bool,
    updates: Vec<CodedUpdate>,
}

struct CodedUpdate {
    weight: Code,
    constant: Option<Enclosure>,
    assignments: Vec<(usize, Code)>,
}

struct CodedEarning {
    earns: Earns,
    guard: Code,
    value: Code,
}

/// What an outcome does to the words of a state.
#[derive(Clone)]
struct Outcome {
    weight: Enclosure,
    /// Where its mask and its bits are in the buffer.
    at: usize,
}

pub(crate) struct Explorer<'p> {
    program: &'p Program,
    commands: Vec<CodedCommand>,
    earnings: Vec<Vec<CodedEarning>>,
    pub(crate) states: States,
    pub(crate) out: Builder,
    rewards: Vec<Rewards>,
    enabled: Bits,
    happened: Bits,
    scaled: BTreeMap<usize, f64>,
    values: Vec<f64>,
    stack: Vec<f64>,
    wide_stack: Vec<Enclosure>,
    /// Masks and bits of outcomes, one after the other.
    buffer: Vec<u64>,
    /// What happens in the present state.
    gathered: Vec<(u32, Enclosure)>,
    /// The commands that take part, one step after the other.
    taken: Vec<u32>,
    /// Events by what their guards need, and for the parts of events with many commands these.
    events: Index,
    parts: Vec<Vec<Option<Index>>>,
    /// Events of which two parts can assign one variable.
    clashing: Bits,
    candidates: Vec<u32>,
    among: Vec<u32>,
    able: Able,
    done: Vec<Done>,
}

/// A step that can happen in a state.
struct Done {
    action: u32,
    /// The sum of its weights.
    rate: Enclosure,
    /// Its commands among those taken.
    commands: std::ops::Range<usize>,
}

impl<'p> Explorer<'p> {
    pub(crate) fn new(program: &'p Program, states: States) -> Explorer<'p> {
        // States have values in their ranges only, so all of their code may have tables.
        let mut tables = Tables::new(&program.variables);
        let command = |command: &crate::Command| CodedCommand {
            guard: Code::with_tables(&command.guard, &mut tables),
            rated: command.rated,
            as_written: command.rated || program.kind == Kind::Ctmc || adds_up(command),
            updates: coded(&command.updates, &mut tables),
        };
        let commands = program.commands.iter().map(command).collect();
        let mut earning = |earning: &crate::Earning| CodedEarning {
            earns: earning.earns,
            guard: Code::with_tables(&earning.guard, &mut tables),
            value: Code::with_tables(&earning.value, &mut tables),
        };
        let earnings: Vec<Vec<CodedEarning>> = program
            .rewards
            .iter()
            .map(|items| items.iter().map(&mut earning).collect())
            .collect();
        Explorer {
            commands,
            rewards: vec![Rewards::default(); earnings.len()],
            earnings,
            out: Builder::new(program.kind),
            enabled: Bits::with_capacity(program.commands.len()),
            happened: Bits::with_capacity(program.events.len()),
            scaled: BTreeMap::new(),
            values: vec![0.0; program.variables.len()],
            stack: Vec::new(),
            wide_stack: Vec::new(),
            buffer: Vec::new(),
            gathered: Vec::new(),
            taken: Vec::new(),
            events: Index::of_events(program),
            parts: index::of_parts(program),
            clashing: clash::events(program),
            candidates: Vec::new(),
            among: Vec::new(),
            able: Able::default(),
            done: Vec::new(),
            program,
            states,
        }
    }

    /// The next state, within the budget and all limits.
    fn visit(&mut self, state: usize, budget: &Budget) -> Result<(), Misbuilt> {
        if state.is_multiple_of(256) {
            budget.charge(256)?;
            self.check_size()?;
        }
        self.expand(state, budget)
    }

    /// States and branches have numbers of 32 bits.
    fn check_size(&self) -> Result<(), Stop> {
        let (states, branches) = (self.states.len(), self.out.branches());
        match states >= u32::MAX as usize - 1 || branches >= u32::MAX as usize / 2 {
            true => Err(Stop::bound("states or branches", u64::from(u32::MAX))),
            false => Ok(()),
        }
    }

    /// All that was found, as a model.
    fn built(mut self, initial: Vec<u32>) -> Built {
        self.states.settle();
        let mut model = self.out.finish(initial);
        model.actions.clone_from(&self.program.actions);
        model.rows.shrink_to_fit();
        model.columns.shrink_to_fit();
        model.labels.shrink_to_fit();
        Built {
            model,
            states: self.states,
            rewards: self.rewards,
            enabled: self.enabled,
            happened: self.happened,
            scaled: self.scaled,
        }
    }

    /// Finds all that can happen in a state.
    pub(crate) fn expand(&mut self, state: usize, budget: &Budget) -> Result<(), Misbuilt> {
        self.states.unpack(state, &mut self.values);
        let mut done = std::mem::take(&mut self.done);
        done.clear();
        self.gathered.clear();
        self.taken.clear();
        let mut candidates = std::mem::take(&mut self.candidates);
        self.events.candidates(&self.values, &mut candidates);
        let mut able = std::mem::take(&mut self.able);
        able.in_state(self.states.words(state));
        self.happen(state, &candidates, (&mut able, false), &mut done, budget)?;
        // What takes time happens only where nothing happens at once.
        if self.program.markovian && done.is_empty() {
            self.happen(state, &candidates, (&mut able, true), &mut done, budget)?;
        }
        self.able = able;
        self.candidates = candidates;
        match self.program.markovian {
            true => self.finish_after_a_while(state, &done)?,
            false => self.finish_state(state, &done)?,
        }
        self.done = done;
        Ok(())
    }

    /// Lets all events happen that can; those with rates, or the others.
    fn happen(
        &mut self,
        state: usize,
        candidates: &[u32],
        (able, rated): (&mut Able, bool),
        done: &mut Vec<Done>,
        budget: &Budget,
    ) -> Result<(), Misbuilt> {
        for &number in candidates {
            let number = number as usize;
            if !self.find_able(number, state, able)? {
                continue;
            }
            let action = self.program.events[number].action;
            if self.program.markovian {
                let commands = &self.commands;
                able.retain(|command| commands[command as usize].rated == rated);
                if able.lacks_some() {
                    continue;
                }
            }
            self.happened.insert(number);
            self.buffer.clear();
            for place in 0..able.commands.len() {
                self.outcomes_of(able.commands[place] as usize, state, able)?;
            }
            able.begin();
            loop {
                let first = self.taken.len();
                self.taken.extend(able.chosen());
                if self.clashing.contains(number) {
                    self.fits_together(able, &self.taken[first..], state)?;
                }
                let rate = self.together(able, budget)?;
                done.push(Done {
                    action,
                    rate,
                    commands: first..self.taken.len(),
                });
                if self.program.kind == Kind::Mdp && !rated {
                    self.emit(action);
                    self.gathered.clear();
                }
                if !able.advance() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Finds the commands of each part of an event that can happen; whether each part has one.
    fn find_able(
        &mut self,
        number: usize,
        state: usize,
        able: &mut Able,
    ) -> Result<bool, Misbuilt> {
        let event = &self.program.events[number];
        able.clear();
        for (part, index) in event.parts.iter().zip(&self.parts[number]) {
            let among = match index {
                Some(index) => {
                    index.candidates(&self.values, &mut self.among);
                    self.among
                        .iter_mut()
                        .for_each(|at| *at = part[*at as usize]);
                    &self.among[..]
                }
                None => &part[..],
            };
            for &command in among {
                let guard = &self.commands[command as usize].guard;
                let value = guard.run::<f64>(&self.values, &mut self.stack);
                if value.is_nan() {
                    let (command, state) = (command as usize, self.states.values(state));
                    return Err(Misbuilt::Guard { command, state });
                }
                if value != 0.0 {
                    able.commands.push(command);
                    self.enabled.insert(command as usize);
                }
            }
            if !able.end_part() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the outcomes of a command that can happen.
    fn outcomes_of(
        &mut self,
        command: usize,
        state: usize,
        able: &mut Able,
    ) -> Result<(), Misbuilt> {
        let wide = self.states.layout.words;
        let coded = &self.commands[command];
        let begin = able.outcomes.len();
        let mut sum = Enclosure::exact(0.0);
        for (number, update) in coded.updates.iter().enumerate() {
            let weight = match update.constant {
                Some(weight) => weight,
                None => update.weight.run(&self.values, &mut self.wide_stack),
            };
            sum = sum.plus(weight);
            if !(weight.value >= 0.0 && weight.value.is_finite()) {
                return Err(Misbuilt::Weight {
                    command,
                    update: number,
                    value: weight.value,
                    state: self.states.values(state),
                });
            }
            if is_tiny(weight) {
                return Err(Misbuilt::Tiny);
            }
            if weight.value == 0.0 {
                continue;
            }
            let at = self.buffer.len();
            self.buffer.resize(at + 2 * wide, 0);
            for (variable, code) in &update.assignments {
                let value = code.run::<f64>(&self.values, &mut self.stack);
                let place = self.states.layout.place(*variable);
                let Some(bits) = place.bits(value) else {
                    return Err(Misbuilt::OutOfRange {
                        command,
                        update: number,
                        variable: *variable,
                        value,
                        state: self.states.values(state),
                    });
                };
                self.buffer[at + place.word as usize] |= place.mask();
                self.buffer[at + wide + place.word as usize] |= bits;
            }
            able.outcomes.push(Outcome { weight, at });
        }
        able.end_command();
        if coded.as_written || sum == Enclosure::ONE {
            return Ok(());
        }
        let off = (sum.value - 1.0).abs();
        if off > TOLERANCE || off.is_nan() {
            let (sum, state) = (sum.value, self.states.values(state));
            return Err(Misbuilt::Sum {
                command,
                sum,
                state,
            });
        }
        if off > ROUNDED {
            self.scaled.entry(command).or_insert(sum.value);
        }
        for outcome in &mut able.outcomes[begin..] {
            outcome.weight = divide(outcome.weight, sum);
        }
        Ok(())
    }

    /// One command of each part happens: gathers the branches, and gives their sum.
    fn together(&mut self, able: &mut Able, budget: &Budget) -> Result<Enclosure, Misbuilt> {
        let wide = self.states.layout.words;
        let mut total = Enclosure::exact(0.0);
        if !able.begin_outcomes() {
            return Ok(total);
        }
        let mut count = 0u64;
        loop {
            able.target.copy_from_slice(&able.words);
            let mut weight = Enclosure::ONE;
            for &number in &able.at {
                let outcome = &able.outcomes[number];
                if weight == Enclosure::ONE {
                    weight = outcome.weight;
                } else if outcome.weight != Enclosure::ONE {
                    weight = weight.times(outcome.weight);
                    if is_tiny(weight) {
                        return Err(Misbuilt::Tiny);
                    }
                }
                for (word, at) in able.target.iter_mut().zip(outcome.at..) {
                    *word = *word & !self.buffer[at] | self.buffer[at + wide];
                }
            }
            total = match total.value == 0.0 {
                true => weight,
                false => total.plus(weight),
            };
            self.gathered
                .push((self.states.number(&able.target), weight));
            count += 1;
            if count.is_multiple_of(4096) {
                budget.charge(4096)?;
            }
            if !able.advance_outcomes() {
                return Ok(total);
            }
        }
    }

    /// Writes what was gathered as one choice; branches to one target become one.
    fn emit(&mut self, action: u32) {
        self.gathered.sort_by_key(|&(target, _)| target);
        self.out.choice(action);
        let mut at = 0;
        let mut error: f64 = 0.0;
        while let Some(&(target, mut weight)) = self.gathered.get(at) {
            at += 1;
            while let Some(&(_, more)) = self.gathered.get(at).filter(|next| next.0 == target) {
                weight = weight.plus(more);
                at += 1;
            }
            error = error.max(weight.error());
            self.out.branch(target, weight.value);
        }
        self.out.note_error(error);
    }
}

/// Whether a weight is near 0 as only numbers are that have no double near them.
fn is_tiny(weight: Enclosure) -> bool {
    weight.value < 1e-290 && weight.upper > 0.0 && weight.upper < 1e-280
}

fn divide(weight: Enclosure, by: Enclosure) -> Enclosure {
    use crate::number::Number;
    Enclosure::two(crate::Operator::Divide, weight, by)
}

/// Whether the probabilities of a command are numbers that add up to one exactly.
fn adds_up(command: &crate::Command) -> bool {
    let mut sum = quotient_markov::whole(0);
    for update in &command.updates {
        match &update.weight {
            crate::Expression::Number(_, Some(exact)) => sum += &**exact,
            _ => return false,
        }
    }
    sum == quotient_markov::whole(1)
}

fn coded(updates: &[crate::Update], tables: &mut Tables) -> Vec<CodedUpdate> {
    let one = |update: &crate::Update| {
        let weight = Code::with_tables(&update.weight, tables);
        let assignments = update.assignments.iter();
        CodedUpdate {
            constant: weight.constant(),
            weight,
            assignments: assignments
                .map(|(variable, value)| (*variable, Code::with_tables(value, tables)))
                .collect(),
        }
    };
    updates.iter().map(one).collect()
}

impl Built {
    /// The states in which an expression holds.
    pub fn holds(&self, expression: &crate::Expression) -> Result<Bits, Undefined> {
        let code = Code::new(expression);
        let mut values = vec![0.0; self.states.variables()];
        let mut stack: Vec<f64> = Vec::new();
        let mut found = Bits::with_capacity(self.states.len());
        for state in 0..self.states.len() {
            self.states.unpack(state, &mut values);
            let value = code.run(&values, &mut stack);
            if value.is_nan() {
                return Err(self.undefined(state));
            }
            found.set(state, value != 0.0);
        }
        Ok(found)
    }

    fn undefined(&self, state: usize) -> Undefined {
        Undefined {
            state: self.states.values(state),
        }
    }

    /// The value of an expression in each state.
    pub fn numbers(&self, expression: &crate::Expression) -> Result<Vec<f64>, Undefined> {
        let code = Code::new(expression);
        let mut values = vec![0.0; self.states.variables()];
        let mut stack: Vec<f64> = Vec::new();
        let number = |state: usize| {
            self.states.unpack(state, &mut values);
            let value = code.run(&values, &mut stack);
            match value.is_nan() {
                true => Err(self.undefined(state)),
                false => Ok(value),
            }
        };
        (0..self.states.len()).map(number).collect()
    }
}
