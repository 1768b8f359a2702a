//! The letters of configurations: only those whose values can come about.

use quotient_automata::{Alphabet, Letter, Nfa, Predicate, State};
use quotient_core::{Budget, Diagnostic, Span, Trouble};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evaluate::{Known, Mention, mentions};
use crate::model::{
    Action, Assigned, Bound, Chosen, Domain, Expr, Initial, Protocol, Step, Value, Variable, Who,
};

/// More letters than this cannot be meant.
const MOST_LETTERS: usize = 3000;

/// What a letter stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// The values of all globals; the first letter, if there are globals.
    Globals(Vec<Value>),
    /// The values of all fields of one process.
    Process(Vec<Value>),
    /// The beginning of a channel.
    Separator(usize),
    /// A value in a channel.
    Content(usize, Value),
}

/// The alphabet of a protocol, and what its letters stand for.
#[derive(Debug, Clone)]
pub(crate) struct Letters {
    alphabet: Alphabet,
    parts: Vec<Part>,
    numbers: FxHashMap<Part, Letter>,
}

impl Letters {
    pub(super) fn of(protocol: &Protocol, budget: &Budget) -> Result<Letters, Trouble> {
        let mut closure = Closure::new(protocol);
        closure.run(budget)?;
        let Closure {
            globals, processes, ..
        } = closure;
        let mut parts = Vec::new();
        if !protocol.globals.is_empty() {
            parts.extend(sorted(globals).into_iter().map(Part::Globals));
        }
        parts.extend(sorted(processes).into_iter().map(Part::Process));
        for (number, channel) in protocol.channels.iter().enumerate() {
            parts.push(Part::Separator(number));
            parts.extend(
                channel
                    .domain
                    .values()
                    .into_iter()
                    .map(|value| Part::Content(number, value)),
            );
        }
        let names = unique(parts.iter().map(|part| name(protocol, part)));
        let alphabet = Alphabet::new(names).map_err(|error| {
            Diagnostic::error("ambiguous-letters", error.to_string()).in_source(&protocol.source)
        })?;
        let numbers = parts.iter().cloned().zip(alphabet.letters()).collect();
        Ok(Letters {
            alphabet,
            parts,
            numbers,
        })
    }

    pub(crate) fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    pub(crate) fn part(&self, letter: Letter) -> &Part {
        &self.parts[letter.index()]
    }

    pub(crate) fn letter(&self, part: &Part) -> Option<Letter> {
        self.numbers.get(part).copied()
    }

    /// All letters with what they stand for.
    pub(super) fn all(&self) -> impl Iterator<Item = (Letter, &Part)> {
        self.alphabet.letters().zip(&self.parts)
    }

    /// An automaton over the letters of the protocol itself, over these: whatever was added.
    pub(super) fn over(&self, source: &Letters, language: &Nfa, protocol: &Protocol) -> Nfa {
        let own = protocol
            .fields
            .iter()
            .filter(|field| !field.auxiliary)
            .count();
        let of = |part: &Part| match part {
            Part::Process(values) => source.letter(&Part::Process(values[..own].to_vec())),
            other => source.letter(other),
        };
        let mut builder = Nfa::builder(&self.alphabet).states(language.len() as u32);
        language
            .initial()
            .iter()
            .for_each(|&state| builder.add_initial(state));
        language
            .accepting()
            .ones()
            .for_each(|state| builder.add_accepting(State(state as u32)));
        for edge in language.edges() {
            let Some(label) = language.label(edge) else {
                builder.add_epsilon(edge.source, edge.target);
                continue;
            };
            let here = |part: &Part| of(part).is_some_and(|letter| label.contains(letter));
            let letters = self.all().filter(|(_, part)| here(part));
            let letters = Predicate::of(&self.alphabet, letters.map(|(letter, _)| letter));
            builder.add_edge(edge.source, &letters, edge.target);
        }
        builder.build()
    }
}

fn sorted(values: FxHashSet<Vec<Value>>) -> Vec<Vec<Value>> {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_unstable();
    values
}

/// The name of a letter, without the signs that regular expressions and common formats use:
/// `waiting_w_2$turn` for a process, `<idle_!busy>` for the globals, `#queue` and `queue=m`.
fn name(protocol: &Protocol, part: &Part) -> String {
    let joined = |variables: &[Variable], values: &[Value]| -> String {
        let own = variables
            .iter()
            .zip(values)
            .filter(|(variable, _)| variable.mark.is_none() && !variable.auxiliary);
        let shown: Vec<String> = own
            .map(|(variable, &value)| match variable.domain {
                // Truth values speak through the name of their variable.
                Domain::Bool if value == 0 => format!("!{}", variable.name),
                Domain::Bool => variable.name.clone(),
                _ => protocol.show(&variable.domain, value),
            })
            .collect();
        let marks = variables.iter().zip(values).filter(|(variable, value)| {
            (variable.mark.is_some() || variable.auxiliary) && **value != 0
        });
        let marks: String = marks
            .map(|(variable, _)| format!("${}", variable.name))
            .collect();
        match shown.is_empty() {
            true if marks.is_empty() => "process".to_owned(),
            true => marks,
            false => shown.join("_") + &marks,
        }
    };
    match part {
        Part::Globals(values) => format!("<{}>", joined(&protocol.globals, values)),
        Part::Process(values) => joined(&protocol.fields, values),
        Part::Separator(channel) => format!("#{}", protocol.channels[*channel].name),
        Part::Content(channel, value) => {
            let channel = &protocol.channels[*channel];
            format!(
                "{}={}",
                channel.name,
                protocol.show(&channel.domain, *value)
            )
        }
    }
}

/// Tells letters of the same name apart by primes.
fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let prime = |mut name: String| {
        while !seen.insert(name.clone()) {
            name.push('\'');
        }
        name
    };
    names.map(prime).collect()
}

/// The values that globals and processes can have, by following the steps without asking who
/// stands where: an over-approximation, closed under all steps.
struct Closure<'a> {
    protocol: &'a Protocol,
    globals: FxHashSet<Vec<Value>>,
    processes: FxHashSet<Vec<Value>>,
}

impl<'a> Closure<'a> {
    fn new(protocol: &'a Protocol) -> Self {
        if protocol.imports_steps() {
            return Closure::whole(protocol);
        }
        let globals = product(
            protocol
                .globals
                .iter()
                .map(|variable| match &variable.initial {
                    Initial::Values(values) => values.clone(),
                    _ => Vec::new(),
                }),
        );
        let processes = product(protocol.fields.iter().map(|field| match &field.initial {
            Initial::Values(values) => values.clone(),
            Initial::Nobody => vec![0],
            _ => vec![0, 1],
        }));
        let processes = if protocol.has_processes {
            processes.into_iter().collect()
        } else {
            FxHashSet::default()
        };
        Closure {
            protocol,
            globals: globals.into_iter().collect(),
            processes,
        }
    }

    /// All values at all: a step from a file may write any letter.
    fn whole(protocol: &'a Protocol) -> Self {
        let all = |variables: &[Variable]| {
            product(variables.iter().map(|variable| variable.domain.values()))
        };
        let processes = match protocol.has_processes {
            true => all(&protocol.fields),
            false => Vec::new(),
        };
        Closure {
            protocol,
            globals: all(&protocol.globals).into_iter().collect(),
            processes: processes.into_iter().collect(),
        }
    }

    fn run(&mut self, budget: &Budget) -> Result<(), Trouble> {
        loop {
            let before = (self.globals.len(), self.processes.len());
            for step in &self.protocol.steps {
                self.follow(step, budget)?;
                if self.globals.len() + self.processes.len() > MOST_LETTERS {
                    return Err(Diagnostic::error(
                        "too-many-letters",
                        "this protocol needs too many letters",
                    )
                    .at(
                        &self.protocol.source,
                        step.span,
                        "found while following this step",
                    )
                    .note(format!(
                        "more than {MOST_LETTERS} joint values of the variables can come about"
                    ))
                    .help("make ranges smaller, or merge variables that depend on each other")
                    .into());
                }
            }
            if before == (self.globals.len(), self.processes.len()) {
                return Ok(());
            }
        }
    }

    fn follow(&mut self, step: &Step, budget: &Budget) -> Result<(), Trouble> {
        let choices = product(step.choices.iter().map(|(_, domain)| domain.values()));
        let relevant = Relevant::of(self.protocol, step);
        let globals = projections(&self.globals, |global| relevant.globals.contains(&global));
        let seats = step.may_be_one();
        for choice in &choices {
            for global in &globals {
                // Each person alone: the letters that the guard does not exclude at once.
                let candidates: Vec<Vec<Vec<Value>>> = (0..step.people.len())
                    .map(|who| {
                        let fields = |field| relevant.fields.contains(&(who, field));
                        let letters = projections(&self.processes, fields);
                        let possible = |letter: &Vec<Value>| {
                            let mut people = vec![None; step.people.len()];
                            people[who] = Some(letter.as_slice());
                            let known = Known {
                                globals: Some(global),
                                people,
                                choices: choice,
                            };
                            known.value(&step.guard) != Some(0)
                        };
                        letters.into_iter().filter(possible).collect()
                    })
                    .collect();
                let cast = Cast {
                    step,
                    choice,
                    global,
                    candidates,
                    seats: &seats,
                };
                self.choose(&cast, &mut Vec::new(), budget)?;
            }
        }
        Ok(())
    }

    /// Tries all letters for whoever has none yet.
    fn choose(
        &mut self,
        cast: &Cast<'_>,
        people: &mut Vec<Vec<Value>>,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        if let Some(next) = cast.candidates.get(people.len()) {
            for letter in next {
                people.push(letter.clone());
                self.choose(cast, people, budget)?;
                people.pop();
            }
            return Ok(());
        }
        budget.poll()?;
        let letters = people
            .iter()
            .map(|letter| Some(letter.as_slice()))
            .collect();
        let known = Known {
            globals: Some(cast.global),
            people: letters,
            choices: cast.choice,
        };
        if known.value(&cast.step.guard) == Some(0) {
            return Ok(());
        }
        for actions in &cast.step.alternatives {
            self.apply(actions, &known, cast.seats);
        }
        Ok(())
    }

    /// Adds what the actions make of all letters that agree with what is known. Several of the people may be one
    /// process, which then changes in all of their ways at once.
    fn apply(&mut self, actions: &[Action], known: &Known<'_>, seats: &[Vec<Who>]) {
        let mut globals = FxHashSet::default();
        let agrees = |values: &[Value], with: &[Value]| {
            with.iter()
                .zip(values)
                .all(|(a, b)| *a == UNKNOWN || a == b)
        };
        for old in self
            .globals
            .iter()
            .filter(|old| agrees(old, known.globals.unwrap_or(&[])))
        {
            let mut new: Vec<Vec<Value>> = old.iter().map(|&value| vec![value]).collect();
            for action in actions {
                if let Action::SetGlobal(global, assigned) = action {
                    new[*global] =
                        possible(assigned, known, &self.protocol.globals[*global].domain);
                }
            }
            globals.extend(product(new));
        }
        self.globals.extend(globals);
        let mut processes = FxHashSet::default();
        for old in &self.processes {
            let is = |who: &Who| {
                let letter = known.people.get(*who);
                letter.is_some_and(|letter| agrees(old, letter.unwrap_or(&[])))
            };
            // Nobody sits where anyone else stands.
            for people in seats.iter().map(Vec::as_slice).chain([&[][..]]) {
                if people.iter().all(is) {
                    processes.extend(product(self.changed(old, people, actions, known)));
                }
            }
        }
        for action in actions {
            if let Action::Create(_, created) = action {
                let fields = self.protocol.fields.iter().zip(created);
                processes.extend(product(
                    fields.map(|(field, value)| possible(value, known, &field.domain)),
                ));
            }
        }
        self.processes.extend(processes);
    }

    /// The values of one process afterwards, which is these people of the step; none of them is anyone else.
    fn changed(
        &self,
        old: &[Value],
        own: &[Who],
        actions: &[Action],
        known: &Known<'_>,
    ) -> Vec<Vec<Value>> {
        let mut new: Vec<Vec<Value>> = old.iter().map(|&value| vec![value]).collect();
        for action in actions {
            match action {
                Action::SetField(target, field, assigned) if own.contains(target) => {
                    new[*field] = possible(assigned, known, &self.protocol.fields[*field].domain);
                }
                Action::SetMark(mark, target) => {
                    let here = target.is_some_and(|who| own.contains(&who));
                    new[*mark] = vec![Value::from(here)];
                }
                Action::Broadcast(broadcast) if !excludes(&broadcast.bound, own) => {
                    let mut people = known.people.clone();
                    people.push(Some(old));
                    let known = Known {
                        people,
                        globals: known.globals,
                        choices: known.choices,
                    };
                    let only = known.value(&broadcast.only);
                    if only == Some(0) {
                        continue;
                    }
                    for (field, assigned) in &broadcast.assignments {
                        let values =
                            possible(assigned, &known, &self.protocol.fields[*field].domain);
                        if only.is_some() && own.is_empty() && unsided(&broadcast.bound) {
                            new[*field] = values;
                        } else {
                            new[*field].extend(values);
                        }
                    }
                }
                _ => {}
            }
        }
        new
    }
}

/// Who may take part in a step, and what else is chosen.
struct Cast<'s> {
    step: &'s Step,
    choice: &'s [Value],
    global: &'s [Value],
    /// The letters that come into question for each of its people.
    candidates: Vec<Vec<Vec<Value>>>,
    /// Those of them who may be one process.
    seats: &'s [Vec<Who>],
}

fn excludes(bound: &Bound, own: &[Who]) -> bool {
    let is = |who: &Who| {
        bound.different_from.contains(who)
            || bound.left_of == Some(*who)
            || bound.right_of == Some(*who)
    };
    own.iter().any(is)
}

fn unsided(bound: &Bound) -> bool {
    bound.left_of.is_none() && bound.right_of.is_none()
}

/// The values that an assignment may give, those that do not fit left out: they are reported
/// when the step that would give them is compiled.
fn possible(assigned: &Assigned, known: &Known<'_>, domain: &Domain) -> Vec<Value> {
    match &assigned.value {
        Chosen::AnyOf(values) => values.clone(),
        Chosen::Exactly(expr) => match known.value(expr) {
            Some(value) => Some(value)
                .into_iter()
                .filter(|value| domain.contains(*value))
                .collect(),
            None => domain.values(),
        },
    }
}

/// Stands in a projection for a value that does not matter.
const UNKNOWN: Value = Value::MIN;

/// The different values of what matters; the rest is [`UNKNOWN`].
fn projections(all: &FxHashSet<Vec<Value>>, matters: impl Fn(usize) -> bool) -> Vec<Vec<Value>> {
    let hidden = |(index, &value): (usize, &Value)| if matters(index) { value } else { UNKNOWN };
    sorted(
        all.iter()
            .map(|values| values.iter().enumerate().map(hidden).collect())
            .collect(),
    )
}

/// What the plain parts of a step speak of.
struct Relevant {
    globals: FxHashSet<usize>,
    fields: FxHashSet<(Who, usize)>,
}

impl Relevant {
    fn of(protocol: &Protocol, step: &Step) -> Relevant {
        let mut relevant = Relevant {
            globals: FxHashSet::default(),
            fields: FxHashSet::default(),
        };
        relevant.add(&step.guard);
        for action in step.alternatives.iter().flatten() {
            match action {
                Action::SetGlobal(_, assigned) | Action::SetField(_, _, assigned) => {
                    relevant.add_assigned(assigned)
                }
                Action::Broadcast(broadcast) => {
                    relevant.add(&broadcast.only);
                    broadcast
                        .assignments
                        .iter()
                        .for_each(|(_, assigned)| relevant.add_assigned(assigned));
                }
                Action::Create(_, created) => created
                    .iter()
                    .for_each(|assigned| relevant.add_assigned(assigned)),
                Action::Channel(_, _, value) => relevant.add(value),
                Action::SetMark(..)
                | Action::SetPair(..)
                | Action::SetPointer(..)
                | Action::Move(..)
                | Action::Remove(_) => {}
            }
        }
        let known = |(who, field): &(Who, usize)| {
            *who < step.people.len() && *field < protocol.fields.len()
        };
        relevant.fields.retain(known);
        relevant
    }

    fn add_assigned(&mut self, assigned: &Assigned) {
        if let Chosen::Exactly(expr) = &assigned.value {
            self.add(expr);
        }
    }

    fn add(&mut self, expr: &Expr) {
        for mention in mentions(expr) {
            match mention {
                Mention::Global(global) => self.globals.insert(global),
                Mention::Field(who, field) => self.fields.insert((who, field)),
            };
        }
    }
}

/// All ways to take one value from each list.
pub(crate) fn product<T: Copy>(lists: impl IntoIterator<Item = Vec<T>>) -> Vec<Vec<T>> {
    lists.into_iter().fold(vec![Vec::new()], |so_far, values| {
        let extended = |before: &Vec<T>| -> Vec<Vec<T>> {
            values
                .iter()
                .map(|&value| before.iter().copied().chain([value]).collect())
                .collect()
        };
        so_far.iter().flat_map(extended).collect()
    })
}

/// Says that an assignment leaves the domain of its variable.
pub(super) fn leaves_domain(
    protocol: &Protocol,
    variable: &Variable,
    value: Option<Value>,
    span: Span,
) -> Diagnostic {
    let what = match value {
        Some(value) => format!(
            "`{}` would become {}",
            variable.name,
            protocol.show_any(&variable.domain, value)
        ),
        None => format!(
            "the new value of `{}` is too large to compute",
            variable.name
        ),
    };
    let all: Vec<String> = variable
        .domain
        .values()
        .iter()
        .take(12)
        .map(|&value| protocol.show(&variable.domain, value))
        .collect();
    Diagnostic::error("leaves-domain", what)
        .at(&protocol.source, span, "assigned here")
        .note(format!("its values are {}", all.join(", ")))
        .help("exclude the case in `when`, or widen the range of the variable")
}

impl Protocol {
    /// Shows a value that need not be in the domain.
    fn show_any(&self, domain: &Domain, value: Value) -> String {
        match domain {
            Domain::Symbols(_) => self
                .symbols
                .get(value as usize)
                .cloned()
                .unwrap_or_else(|| value.to_string()),
            _ => value.to_string(),
        }
    }
}
