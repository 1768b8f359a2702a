//! Steps to transducers.
//!
//! The guard is an automaton over words in which the people of the step are marked. Reading
//! along it, the transducer knows at each letter who stands there and writes what becomes of
//! the letter. What a letter has to know of other letters (`q.x := y`) is guessed at the start,
//! one guess a *context*, and checked where it is read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quotient_automata::{
    Canonical, Dfa, Label, Letter, Predicate, State, Transducer, TransducerBuilder,
};
use quotient_core::{Diagnostic, Trouble};
use rustc_hash::FxHashMap;

use super::conditions::Conditions;
use super::context::{Context, Edits, Moved, Outcome, Place};
use super::letters::{Letters, Part, product};
use crate::model::{ChannelKind, Expr, Protocol, Step};

/// The transducer of a step.
pub(super) fn transducer(
    protocol: &Protocol,
    letters: &Letters,
    conditions: &mut Conditions<'_>,
    step: &Step,
    configurations: &Canonical,
) -> Result<Transducer, Trouble> {
    let budget = conditions.tracks.budget;
    let people = step.people.len();
    let mut marked = conditions.tracks.lift(configurations, people)?;
    for who in 0..people {
        let one = conditions.one_process(who, people)?;
        marked = marked.intersection(&one, budget)?.minimize(budget)?;
    }
    let mut builder = Transducer::builder(letters.alphabet());
    let mut impossible = Vec::new();
    for choices in product(step.choices.iter().map(|(_, domain)| domain.values())) {
        let guard = conditions.expression(&step.guard, people, &choices)?;
        let guard = guard.intersection(&marked, budget)?.minimize(budget)?;
        if guard.is_empty_language() {
            continue;
        }
        let ways = step.alternatives.iter().flat_map(|actions| {
            let ways = Moved::ways(step, actions).into_iter();
            ways.map(move |(moved, said)| (actions, moved, said))
        });
        for (actions, moved, said) in ways {
            let mut own = Cow::Borrowed(&guard);
            if !said.is_empty() {
                let said = conditions.expression(&Expr::And(said), people, &choices)?;
                own = Cow::Owned(guard.intersection(&said, budget)?.minimize(budget)?);
            }
            if own.is_empty_language() {
                continue;
            }
            let edits = Edits::of(protocol, step, actions, moved)?;
            for context in Context::all(protocol, letters, &edits, &choices)? {
                budget.poll()?;
                let writer = Writer {
                    protocol,
                    letters,
                    conditions,
                    guard: &own,
                    edits: &edits,
                    context: &context,
                    states: FxHashMap::default(),
                    waiting: Vec::new(),
                    impossible: &mut impossible,
                };
                writer.write(&mut builder);
            }
        }
    }
    let transducer = builder.build();
    let (reachable, coreachable) = (transducer.reachable(), transducer.coreachable());
    for (source, target, diagnostic) in impossible {
        if reachable.contains(source.index()) && coreachable.contains(target.index()) {
            return Err(diagnostic.note(format!("in step `{}`", step.name)).into());
        }
    }
    Ok(transducer.reduce())
}

/// For each lossy queue, the transducer that loses one value.
pub(super) fn losses(
    protocol: &Protocol,
    letters: &Letters,
    configurations: &Canonical,
) -> Vec<(String, Transducer)> {
    let lossy = protocol
        .channels
        .iter()
        .enumerate()
        .filter(|(_, channel)| channel.kind == ChannelKind::LossyQueue);
    lossy
        .map(|(number, channel)| {
            let mut contents = Predicate::none(letters.alphabet());
            for (letter, part) in letters.all() {
                if matches!(part, Part::Content(known, _) if *known == number) {
                    contents.insert(letter);
                }
            }
            (
                format!("lose {}", channel.name),
                losing(configurations, &contents),
            )
        })
        .collect()
}

fn losing(configurations: &Canonical, contents: &Predicate) -> Transducer {
    let states = configurations.len() as u32;
    let mut builder = Transducer::builder(configurations.alphabet());
    builder.add_initial(configurations.initial());
    configurations
        .accepting()
        .ones()
        .for_each(|state| builder.add_accepting(State(states + state as u32)));
    for state in (0..states).map(State) {
        for (class, &target) in configurations.row(state).iter().enumerate() {
            if target == Dfa::NONE {
                continue;
            }
            let letters = configurations.minterms().members(class as u32);
            let copy = Label::Copy(letters.clone());
            builder.add_edge(state, &copy, State(target));
            builder.add_edge(State(states + state.0), &copy, State(states + target));
            let lost = letters.and(contents);
            builder.add_edge(
                state,
                &Label::Pair(Some(lost), None),
                State(states + target),
            );
        }
    }
    builder.build().reduce()
}

/// Where in the word the transducer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    Globals,
    /// Among the processes; whether the one that takes the step was passed.
    Processes(bool),
    /// In a channel, with so many values taken out of it.
    Taking(usize, usize),
    /// In the rest of a channel.
    Rest(usize),
}

/// Writes the transducer of one guard, one list of actions and one context.
struct Writer<'a, 'b> {
    protocol: &'a Protocol,
    letters: &'a Letters,
    conditions: &'a Conditions<'b>,
    guard: &'a Dfa,
    edits: &'a Edits<'a>,
    context: &'a Context,
    states: FxHashMap<(u32, Stage), State>,
    waiting: Vec<(u32, Stage)>,
    /// Moves whose result is not a letter: an error, if they lie on a complete run.
    impossible: &'a mut Vec<(State, State, Diagnostic)>,
}

impl Writer<'_, '_> {
    fn write(mut self, builder: &mut TransducerBuilder) {
        let stage = match self.protocol.globals.is_empty() {
            true => Stage::Processes(false),
            false => Stage::Globals,
        };
        let start = builder.fresh_state();
        builder.add_initial(start);
        let inserted = if stage == Stage::Globals {
            Ok(Vec::new())
        } else {
            self.inserted(Place::LeftEnd)
        };
        let first = self.state(builder, self.guard.initial().0, stage);
        self.connect(builder, start, &[&inserted], first);
        while let Some((guard, stage)) = self.waiting.pop() {
            let from = self.states[&(guard, stage)];
            match stage {
                Stage::Globals => self.globals(builder, guard, from),
                Stage::Processes(past) => self.processes(builder, guard, past, from),
                Stage::Taking(channel, taken) => self.taking(builder, guard, channel, taken, from),
                Stage::Rest(channel) => self.rest(builder, guard, channel, from),
            }
        }
    }

    fn state(&mut self, builder: &mut TransducerBuilder, guard: u32, stage: Stage) -> State {
        *self.states.entry((guard, stage)).or_insert_with(|| {
            self.waiting.push((guard, stage));
            builder.fresh_state()
        })
    }

    /// The moves of the guard from a state: letters with the same marks and the same target.
    fn moves(&self, guard: u32) -> BTreeMap<(u32, u32), Vec<Letter>> {
        let mut moves: BTreeMap<(u32, u32), Vec<Letter>> = BTreeMap::new();
        for (class, &target) in self.guard.row(State(guard)).iter().enumerate() {
            if target == Dfa::NONE {
                continue;
            }
            for marked in self.guard.minterms().members(class as u32).letters() {
                let (letter, bits) = self.conditions.tracks.split(marked);
                moves.entry((target, bits)).or_default().push(letter);
            }
        }
        moves
    }

    fn globals(&mut self, builder: &mut TransducerBuilder, guard: u32, from: State) {
        let inserted = self.inserted(Place::LeftEnd);
        for ((target, _), letters) in self.moves(guard) {
            for letter in letters {
                let Part::Globals(values) = self.letters.part(letter) else {
                    continue;
                };
                if !self.context.allows_globals(values) {
                    continue;
                }
                let outcome = self.edits.globals(self.protocol, values, self.context);
                let piece = match self.outputs(outcome, Part::Globals) {
                    Ok(outputs) if outputs == [letter] => Ok(vec![Label::Copy(self.set(&outputs))]),
                    Ok(outputs) => Ok(vec![Label::Pair(
                        Some(self.set(&[letter])),
                        Some(self.set(&outputs)),
                    )]),
                    Err(diagnostic) => Err(diagnostic),
                };
                let to = self.state(builder, target, Stage::Processes(false));
                self.connect(builder, from, &[&piece, &inserted], to);
            }
        }
    }

    fn processes(&mut self, builder: &mut TransducerBuilder, guard: u32, past: bool, from: State) {
        for ((target, bits), letters) in self.moves(guard) {
            let stage = Stage::Processes(past || bits & 1 == 1);
            let (mut copied, mut gone) = (self.set(&[]), self.set(&[]));
            let mut changed: BTreeMap<Vec<Letter>, Predicate> = BTreeMap::new();
            for letter in letters {
                let Part::Process(values) = self.letters.part(letter) else {
                    continue;
                };
                if !self.context.allows_process(values, bits) {
                    continue;
                }
                let outcome = self
                    .edits
                    .process(self.protocol, values, bits, past, self.context);
                match self.outputs(outcome, Part::Process) {
                    // What goes away is written elsewhere, or nowhere.
                    Ok(_) if self.edits.leaves(bits) => gone.insert(letter),
                    Ok(outputs) if outputs == [letter] => copied.insert(letter),
                    Ok(outputs) => {
                        let inputs = changed
                            .entry(outputs)
                            .or_insert_with(|| Predicate::none(self.letters.alphabet()));
                        inputs.insert(letter);
                    }
                    Err(diagnostic) => {
                        let to = self.state(builder, target, stage);
                        self.connect(builder, from, &[&Err(diagnostic)], to);
                    }
                }
            }
            let changed = changed
                .into_iter()
                .map(|(outputs, inputs)| Label::Pair(Some(inputs), Some(self.set(&outputs))));
            let labels: Vec<Label> = [Label::Copy(copied), Label::Pair(Some(gone), None)]
                .into_iter()
                .chain(changed)
                .collect();
            let (before, after) = (
                self.inserted(Place::Before(bits)),
                self.inserted(Place::After(bits)),
            );
            for label in labels.into_iter().filter(|label| !label.is_impossible()) {
                let to = self.state(builder, target, stage);
                self.connect(builder, from, &[&before, &Ok(vec![label]), &after], to);
            }
        }
        let inserted = self.inserted(Place::RightEnd);
        self.leave(builder, guard, 0, &inserted, from);
    }

    /// From the end of the processes or of a channel to the channel that comes next, or the end.
    fn leave(
        &mut self,
        builder: &mut TransducerBuilder,
        guard: u32,
        next: usize,
        inserted: &Piece,
        from: State,
    ) {
        if next == self.protocol.channels.len() {
            if self.guard.is_accepting(State(guard)) {
                let end = builder.fresh_state();
                builder.add_accepting(end);
                self.connect(builder, from, &[inserted], end);
            }
            return;
        }
        for ((target, _), letters) in self.moves(guard) {
            for letter in letters {
                if self.letters.part(letter) == &Part::Separator(next) {
                    let separator = Ok(vec![Label::Copy(self.set(&[letter]))]);
                    self.enter(builder, target, (next, 0), &[inserted, &separator], from);
                }
            }
        }
    }

    /// Goes on with a channel of which some values were taken; when all were, the new ones are
    /// pushed.
    fn enter(
        &mut self,
        builder: &mut TransducerBuilder,
        guard: u32,
        (channel, taken): (usize, usize),
        pieces: &[&Piece],
        from: State,
    ) {
        let edits = &self.edits.channels[channel];
        if taken < edits.take.len() {
            let to = self.state(builder, guard, Stage::Taking(channel, taken));
            self.connect(builder, from, pieces, to);
        } else if let Some(pushed) = self.contents(channel, edits.push.iter().rev()) {
            let to = self.state(builder, guard, Stage::Rest(channel));
            let pieces: Vec<&Piece> = pieces.iter().copied().chain([&pushed]).collect();
            self.connect(builder, from, &pieces, to);
        }
    }

    fn taking(
        &mut self,
        builder: &mut TransducerBuilder,
        guard: u32,
        channel: usize,
        taken: usize,
        from: State,
    ) {
        let Some(wanted) = self.content(channel, &self.edits.channels[channel].take[taken]) else {
            return;
        };
        for ((target, _), letters) in self.moves(guard) {
            if letters.contains(&wanted) {
                let gone = Ok(vec![Label::Pair(Some(self.set(&[wanted])), None)]);
                self.enter(builder, target, (channel, taken + 1), &[&gone], from);
            }
        }
    }

    fn rest(&mut self, builder: &mut TransducerBuilder, guard: u32, channel: usize, from: State) {
        for ((target, _), letters) in self.moves(guard) {
            let own = |letter: &Letter| matches!(self.letters.part(*letter), Part::Content(known, _) if *known == channel);
            let contents: Vec<Letter> = letters.into_iter().filter(own).collect();
            if !contents.is_empty() {
                let to = self.state(builder, target, Stage::Rest(channel));
                builder.add_edge(from, &Label::Copy(self.set(&contents)), to);
            }
        }
        if let Some(appended) = self.contents(channel, self.edits.channels[channel].append.iter()) {
            self.leave(builder, guard, channel + 1, &appended, from);
        }
    }

    /// Inserts values into a channel; nothing if one of them does not fit, then there is no step.
    fn contents<'e>(
        &self,
        channel: usize,
        values: impl Iterator<Item = &'e Expr>,
    ) -> Option<Piece> {
        let labels: Option<Vec<Label>> = values
            .map(|value| {
                Some(Label::Pair(
                    None,
                    Some(self.set(&[self.content(channel, value)?])),
                ))
            })
            .collect();
        labels.map(Ok)
    }

    fn content(&self, channel: usize, value: &Expr) -> Option<Letter> {
        self.letters
            .letter(&Part::Content(channel, self.context.value(value)?))
    }

    /// Inserts processes at a place.
    fn inserted(&self, place: Place) -> Piece {
        let outcomes = self.edits.inserted(self.protocol, place, self.context);
        let label = |outcome| {
            Ok(Label::Pair(
                None,
                Some(self.set(&self.outputs(outcome, Part::Process)?)),
            ))
        };
        outcomes.into_iter().map(label).collect()
    }

    /// The letters of values.
    fn outputs(
        &self,
        outcome: Outcome,
        part: fn(Vec<i32>) -> Part,
    ) -> Result<Vec<Letter>, Diagnostic> {
        let values = outcome.map_err(|misfit| misfit.diagnostic(self.protocol))?;
        Ok(values
            .into_iter()
            .filter_map(|values| self.letters.letter(&part(values)))
            .collect())
    }

    fn set(&self, letters: &[Letter]) -> Predicate {
        Predicate::of(self.letters.alphabet(), letters.iter().copied())
    }

    /// Connects two states by a sequence of moves, or notes that it cannot be.
    fn connect(
        &mut self,
        builder: &mut TransducerBuilder,
        from: State,
        pieces: &[&Piece],
        to: State,
    ) {
        let mut labels = Vec::new();
        for piece in pieces {
            match piece {
                Ok(more) => labels.extend(more),
                Err(diagnostic) => {
                    self.impossible.push((from, to, diagnostic.clone()));
                    labels.clear();
                    break;
                }
            }
        }
        path(builder, from, &labels, to);
    }
}

/// Moves one after the other, or why they cannot be.
type Piece = Result<Vec<Label>, Diagnostic>;

/// A sequence of moves between two states.
fn path(builder: &mut TransducerBuilder, from: State, labels: &[&Label], to: State) {
    let Some((last, before)) = labels.split_last() else {
        builder.add_edge(from, &Label::SILENT, to);
        return;
    };
    let mut at = from;
    for label in before {
        let next = builder.fresh_state();
        builder.add_edge(at, label, next);
        at = next;
    }
    builder.add_edge(at, last, to);
}
