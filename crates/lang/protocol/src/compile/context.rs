//! What becomes of a letter, given what is guessed about the others.

use quotient_core::{Diagnostic, Span, Stop, Trouble};

use super::evaluate::{Known, Mention, mentions};
use super::letters::{Letters, Part, product};
use crate::model::{
    Action, Assigned, Bound, Chosen, Expr, Operation, Position, Protocol, Step, Value, Variable,
    Who,
};

/// A process that moves: which of the people of the step it is, and whether it stood right of the one that takes
/// the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    who: Who,
    bits: u32,
    past: bool,
}

impl Moved {
    /// All ways in which those who move may be others of the people as well, or stand on either side of the one that
    /// takes the step, as far as that matters; each with what it asks for.
    pub(super) fn ways(step: &Step, actions: &[Action]) -> Vec<(Vec<Moved>, Vec<Expr>)> {
        let sided = actions.iter().any(|action| match action {
            Action::Broadcast(all) => all.bound.left_of.is_some() || all.bound.right_of.is_some(),
            _ => false,
        });
        let mut ways: Vec<(Vec<Moved>, Vec<Expr>)> = vec![(Vec::new(), Vec::new())];
        for action in actions {
            let Action::Move(who, _) = *action else {
                continue;
            };
            let mut own = Vec::new();
            for set in step.may_be_one().iter().filter(|set| set.contains(&who)) {
                let others = (0..step.people.len())
                    .filter(|&other| other != who && !step.tells_apart(who, other));
                let same: Vec<Expr> = others
                    .map(|other| match set.contains(&other) {
                        true => Expr::Same(who, other),
                        false => Expr::Not(Box::new(Expr::Same(who, other))),
                    })
                    .collect();
                let bits = set.iter().fold(0, |bits, one| bits | 1 << one);
                let mut sides = vec![(!set.contains(&0), same.clone())];
                if sided && !set.contains(&0) {
                    let on = |side: Expr| [&same[..], &[side]].concat();
                    sides = vec![
                        (true, on(Expr::Before(0, who))),
                        (false, on(Expr::Before(who, 0))),
                    ];
                }
                own.extend(
                    sides
                        .into_iter()
                        .map(|(past, said)| (Moved { who, bits, past }, said)),
                );
            }
            let with = |(moved, said): &(Vec<Moved>, Vec<Expr>)| {
                let each = own.iter();
                each.map(|(one, more)| ([&moved[..], &[*one]].concat(), [&said[..], more].concat()))
                    .collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(with).collect();
        }
        ways
    }
}

/// The actions of one alternative, sorted by what they touch.
pub(super) struct Edits<'a> {
    actions: &'a [Action],
    moved: Vec<Moved>,
    people: usize,
    /// By channel.
    pub(super) channels: Vec<ChannelEdits>,
    /// What some letter has to know about another one.
    foreign: Vec<Mention>,
}

/// What happens to a channel: values are taken on the left first, then others are put there,
/// then others are appended on the right.
#[derive(Debug, Clone, Default)]
pub(super) struct ChannelEdits {
    pub(super) take: Vec<Expr>,
    pub(super) push: Vec<Expr>,
    pub(super) append: Vec<Expr>,
}

/// The values that a letter may get, or why it gets none.
pub(super) type Outcome = Result<Vec<Vec<Value>>, Misfit>;

/// A value that does not fit its variable.
pub(super) struct Misfit {
    value: Option<Value>,
    span: Span,
    variable: Variable,
}

impl Misfit {
    pub(super) fn diagnostic(&self, protocol: &Protocol) -> Diagnostic {
        super::letters::leaves_domain(protocol, &self.variable, self.value, self.span)
    }
}

impl<'a> Edits<'a> {
    pub(super) fn of(
        protocol: &Protocol,
        step: &Step,
        actions: &'a [Action],
        moved: Vec<Moved>,
    ) -> Result<Edits<'a>, Trouble> {
        let people = step.people.len();
        let mut channels = vec![ChannelEdits::default(); protocol.channels.len()];
        for action in actions {
            if let Action::Channel(operation, channel, value) = action {
                let edits = &mut channels[*channel];
                match operation {
                    Operation::Pop | Operation::Receive => edits.take.push(value.clone()),
                    Operation::Push => edits.push.push(value.clone()),
                    Operation::Send | Operation::Record => edits.append.push(value.clone()),
                }
            }
        }
        let edits = Edits {
            actions,
            moved,
            people,
            channels,
            foreign: foreign(protocol, people, actions),
        };
        edits.check_places(protocol, step)?;
        Ok(edits)
    }

    /// Nobody moves twice, and nobody is placed beside someone who goes away.
    fn check_places(&self, protocol: &Protocol, step: &Step) -> Result<(), Trouble> {
        let error = |message: &str| -> Trouble {
            Diagnostic::error("bad-move", message)
                .at(&protocol.source, step.span, "in this step")
                .into()
        };
        let mut leaving = Vec::new();
        for action in self.actions {
            if let Action::Move(who, _) | Action::Remove(who) = action {
                if leaving.contains(who) {
                    return Err(error("a process moves or is removed twice in one step"));
                }
                leaving.push(*who);
            }
        }
        let beside_leaver = self.actions.iter().any(|action| match action {
            Action::Move(_, Position::Before(pivot) | Position::After(pivot))
            | Action::Create(Position::Before(pivot) | Position::After(pivot), _) => {
                leaving.contains(pivot)
            }
            _ => false,
        });
        if beside_leaver {
            return Err(error(
                "a process is placed beside one that moves or is removed in the same step",
            ));
        }
        Ok(())
    }

    /// Whether the process with these marks is taken out of its place.
    pub(super) fn leaves(&self, bits: u32) -> bool {
        self.actions.iter().any(|action| match action {
            Action::Move(who, _) | Action::Remove(who) => bits >> who & 1 == 1,
            _ => false,
        })
    }

    /// What becomes of the globals.
    pub(super) fn globals(&self, protocol: &Protocol, old: &[Value], context: &Context) -> Outcome {
        let mut new: Vec<Vec<Value>> = old.iter().map(|&value| vec![value]).collect();
        let known = context.known(Some(old), &context.people);
        for action in self.actions {
            if let Action::SetGlobal(global, assigned) = action {
                new[*global] = values(assigned, &known, &protocol.globals[*global])?;
            }
        }
        Ok(product(new))
    }

    /// What becomes of a process with these marks, left (`past` false) or right of the one that
    /// takes the step.
    pub(super) fn process(
        &self,
        protocol: &Protocol,
        old: &[Value],
        bits: u32,
        past: bool,
        context: &Context,
    ) -> Outcome {
        // Whoever stands here is known in full, the others as far as the context goes.
        let mut people = context.people.clone();
        for (who, letter) in people.iter_mut().enumerate() {
            if bits >> who & 1 == 1 {
                *letter = Some(old.to_vec());
            }
        }
        people.push(Some(old.to_vec()));
        let known = context.known(None, &people);
        let mut new: Vec<Vec<Value>> = old.iter().map(|&value| vec![value]).collect();
        for action in self.actions {
            match action {
                Action::SetField(who, field, assigned) if bits >> who & 1 == 1 => {
                    new[*field] = values(assigned, &known, &protocol.fields[*field])?;
                }
                Action::SetMark(mark, target) => {
                    let here = target.is_some_and(|who| bits >> who & 1 == 1);
                    new[*mark] = vec![i32::from(here)];
                }
                Action::Broadcast(broadcast)
                    if in_range(&broadcast.bound, bits, past)
                        && known.value(&broadcast.only).is_some_and(|only| only != 0) =>
                {
                    for (field, assigned) in &broadcast.assignments {
                        new[*field] = values(assigned, &known, &protocol.fields[*field])?;
                    }
                }
                _ => {}
            }
        }
        Ok(product(new))
    }

    /// The processes put at a place, from left to right.
    pub(super) fn inserted(
        &self,
        protocol: &Protocol,
        place: Place,
        context: &Context,
    ) -> Vec<Outcome> {
        let mut inserted = Vec::new();
        for (number, action) in self.actions.iter().enumerate() {
            let (position, outcome) = match action {
                Action::Move(who, position) => {
                    let moved = self.moved.iter().find(|moved| moved.who == *who);
                    let (bits, past) =
                        moved.map_or((1 << who, *who != 0), |one| (one.bits, one.past));
                    // Of one process what is done last counts.
                    let mut later = self.actions[number + 1..].iter();
                    let again = later.any(|action| match action {
                        Action::Move(other, _) | Action::Remove(other) => bits >> other & 1 == 1,
                        _ => false,
                    });
                    if again {
                        continue;
                    }
                    let old = context.people[*who].clone().unwrap_or_default();
                    // Its own changes and broadcasts reach it where it stood.
                    (position, self.process(protocol, &old, bits, past, context))
                }
                Action::Create(position, created) => {
                    let known = context.known(None, &context.people);
                    let fields = protocol.fields.iter().zip(created);
                    let new: Result<Vec<_>, _> = fields
                        .map(|(field, assigned)| values(assigned, &known, field))
                        .collect();
                    (position, new.map(product))
                }
                _ => continue,
            };
            let here = match (position, place) {
                (Position::LeftEnd, Place::LeftEnd) | (Position::RightEnd, Place::RightEnd) => true,
                (Position::Before(who), Place::Before(bits))
                | (Position::After(who), Place::After(bits)) => bits >> who & 1 == 1,
                _ => false,
            };
            if here {
                inserted.push(outcome);
            }
        }
        // Each is put next to the end or the process: the later ones come closer to it.
        if matches!(place, Place::LeftEnd | Place::After(_)) {
            inserted.reverse();
        }
        inserted
    }
}

/// Where processes are put.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    LeftEnd,
    RightEnd,
    /// Beside a process with these marks.
    Before(u32),
    After(u32),
}

/// Whether a broadcast reaches a process with these marks; 0 is the process that takes the step.
fn in_range(bound: &Bound, bits: u32, past: bool) -> bool {
    let marked = |who: &Who| bits >> who & 1 == 1;
    let excluded = bound.different_from.iter().any(marked);
    let left = bound.left_of.is_none_or(|pivot| !past && !marked(&pivot));
    let right = bound.right_of.is_none_or(|pivot| past && !marked(&pivot));
    !excluded && left && right
}

fn values(
    assigned: &Assigned,
    known: &Known<'_>,
    variable: &Variable,
) -> Result<Vec<Value>, Misfit> {
    let value = match &assigned.value {
        Chosen::AnyOf(values) => return Ok(values.clone()),
        Chosen::Exactly(expr) => known.value(expr),
    };
    match value {
        Some(value) if variable.domain.contains(value) => Ok(vec![value]),
        value => Err(Misfit {
            value,
            span: assigned.span,
            variable: variable.clone(),
        }),
    }
}

/// What the actions make some letter know about another.
fn foreign(protocol: &Protocol, people: usize, actions: &[Action]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut add = |assigned: &Assigned, own: &dyn Fn(&Mention) -> bool| {
        if let Chosen::Exactly(expr) = &assigned.value {
            found.extend(mentions(expr).into_iter().filter(|mention| !own(mention)));
        }
    };
    for action in actions {
        match action {
            Action::SetGlobal(_, assigned) => {
                add(assigned, &|mention| matches!(mention, Mention::Global(_)))
            }
            Action::SetField(who, _, assigned) => {
                add(
                    assigned,
                    &|mention| matches!(mention, Mention::Field(owner, _) if owner == who),
                );
            }
            Action::Broadcast(broadcast) => {
                let own = |mention: &Mention| matches!(mention, Mention::Field(owner, _) if *owner == people);
                let only = Assigned {
                    value: Chosen::Exactly(broadcast.only.clone()),
                    span: Span::default(),
                };
                add(&only, &own);
                broadcast
                    .assignments
                    .iter()
                    .for_each(|(_, assigned)| add(assigned, &own));
            }
            Action::Create(_, created) => created
                .iter()
                .for_each(|assigned| add(assigned, &|_| false)),
            Action::SetMark(..)
            | Action::SetPair(..)
            | Action::SetPointer(..)
            | Action::Move(..)
            | Action::Remove(_)
            | Action::Channel(..) => {}
        }
    }
    for action in actions {
        match action {
            Action::Channel(_, _, value) => found.extend(mentions(value)),
            Action::Move(who, _) => {
                found.extend((0..protocol.fields.len()).map(|field| Mention::Field(*who, field)))
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A step that has to distinguish more cases than this is refused.
const MOST_CONTEXTS: usize = 200_000;

/// A guess about the letters that other letters have to know.
pub(super) struct Context {
    /// Which globals are guessed, and the guesses (others are unused).
    guessed_globals: Vec<usize>,
    globals: Vec<Value>,
    /// The same for each person.
    guessed_fields: Vec<Vec<usize>>,
    people: Vec<Option<Vec<Value>>>,
    choices: Vec<Value>,
}

impl Context {
    /// All guesses that agree with some letters.
    pub(super) fn all(
        protocol: &Protocol,
        letters: &Letters,
        edits: &Edits<'_>,
        choices: &[Value],
    ) -> Result<Vec<Context>, Stop> {
        let guessed_globals: Vec<usize> = (edits.foreign.iter())
            .filter_map(|mention| {
                if let Mention::Global(global) = mention {
                    Some(*global)
                } else {
                    None
                }
            })
            .collect();
        let guessed_of = |who: Who| -> Vec<usize> {
            let own = |mention: &Mention| match mention {
                Mention::Field(owner, field) if *owner == who => Some(*field),
                _ => None,
            };
            edits.foreign.iter().filter_map(own).collect()
        };
        let guessed_fields: Vec<Vec<usize>> = (0..edits.people).map(guessed_of).collect();
        let projected = |guessed: &[usize], globals: bool| -> Vec<Vec<Value>> {
            let mut found: Vec<Vec<Value>> = letters
                .all()
                .filter_map(|(_, part)| match part {
                    Part::Globals(values) if globals => Some(values),
                    Part::Process(values) if !globals => Some(values),
                    _ => None,
                })
                .map(|values| {
                    (0..values.len())
                        .map(|i| if guessed.contains(&i) { values[i] } else { 0 })
                        .collect()
                })
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        let mut all_globals = projected(&guessed_globals, true);
        if protocol.globals.is_empty() {
            all_globals = vec![Vec::new()];
        }
        let mut people: Vec<Vec<Option<Vec<Value>>>> = vec![Vec::new()];
        for guessed in &guessed_fields {
            let options = projected(guessed, false);
            if people.len().saturating_mul(options.len()) > MOST_CONTEXTS {
                return Err(Stop::bound(
                    "cases that a step distinguishes",
                    MOST_CONTEXTS as u64,
                ));
            }
            people = people
                .iter()
                .flat_map(|before| {
                    options
                        .iter()
                        .map(|one| before.iter().cloned().chain([Some(one.clone())]).collect())
                })
                .collect();
        }
        if people.len().saturating_mul(all_globals.len()) > MOST_CONTEXTS {
            return Err(Stop::bound(
                "cases that a step distinguishes",
                MOST_CONTEXTS as u64,
            ));
        }
        let mut contexts = Vec::new();
        for globals in &all_globals {
            for people in &people {
                contexts.push(Context {
                    guessed_globals: guessed_globals.clone(),
                    globals: globals.clone(),
                    guessed_fields: guessed_fields.clone(),
                    people: people.clone(),
                    choices: choices.to_vec(),
                });
            }
        }
        Ok(contexts)
    }

    /// Whether the guess about the globals is right.
    pub(super) fn allows_globals(&self, values: &[Value]) -> bool {
        self.guessed_globals
            .iter()
            .all(|&global| values[global] == self.globals[global])
    }

    /// Whether the guesses about the people who stand here are right.
    pub(super) fn allows_process(&self, values: &[Value], bits: u32) -> bool {
        let right = |(who, letter): (usize, &Option<Vec<Value>>)| {
            let agrees = |letter: &Vec<Value>| {
                self.guessed_fields[who]
                    .iter()
                    .all(|&field| values[field] == letter[field])
            };
            bits >> who & 1 == 0 || letter.as_ref().is_none_or(agrees)
        };
        self.people.iter().enumerate().all(right)
    }

    /// The value of an expression that only uses what is guessed.
    pub(super) fn value(&self, expr: &Expr) -> Option<Value> {
        self.known(None, &self.people).value(expr)
    }

    fn known<'k>(
        &'k self,
        globals: Option<&'k [Value]>,
        people: &'k [Option<Vec<Value>>],
    ) -> Known<'k> {
        let people = people.iter().map(Option::as_deref).collect();
        Known {
            globals: Some(globals.unwrap_or(&self.globals)),
            people,
            choices: &self.choices,
        }
    }
}
