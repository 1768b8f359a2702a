//! The control flow of a protocol: for its main variables, which step leads from which value to
//! which.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::phrases::{Phrase, Phrases, phrases};
use crate::Compiled;
use crate::compile::{Known, Part};
use crate::model::{
    Action, Assigned, ChannelKind, Chosen, Domain, Expr, Initial, Operation, Protocol, Step, Value,
    Who,
};

/// How the values of one variable follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ControlFlow {
    /// The variable: the location, or another enumeration.
    pub variable: String,
    /// Its values, those that can come about.
    pub values: Vec<Location>,
    /// The steps between them.
    pub edges: Vec<ControlEdge>,
}

/// A value of the variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The value as the source writes it.
    pub name: String,
    /// Whether the variable may begin with it.
    pub initial: bool,
}

/// A step that leads from one value to another, or leaves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ControlEdge {
    /// The name of the step.
    pub step: String,
    /// Where it leaves, by number.
    pub from: usize,
    /// Where it arrives, by number.
    pub to: usize,
    /// Whether another process takes the step, and this one only suffers it.
    #[serde(rename = "byAnother")]
    pub by_another: bool,
    /// What else must be true, as the source says it.
    pub when: Vec<String>,
    /// What else it does, as the source says it.
    pub then: Vec<String>,
}

/// What a variable belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Field(usize),
    Global(usize),
    /// The top of a stack.
    Stack(usize),
}

impl Protocol {
    /// The control flow: of the location, or else of all enumerations of the process; of all
    /// global enumerations; and if there are none, of the tops of stacks or of whatever
    /// variables there are.
    ///
    /// A step is drawn where its condition on the process alone, or on the globals alone, lets
    /// it; whether it can ever be taken there is for `check` to find out.
    ///
    /// ```
    /// use quotient_core::{Budget, Source};
    /// use quotient_protocol::Protocol;
    /// let text = "
    ///     process { location idle, critical }
    ///     step enter: when at = idle and forall other p: p.at = idle then at := critical
    /// ";
    /// let protocol = Protocol::parse(&Source::new("lock.protocol", text))?;
    /// let compiled = protocol.compile(&Budget::unlimited())?;
    /// let flow = &protocol.control_flow(&compiled)[0];
    /// assert_eq!(flow.edges[0].step, "enter");
    /// assert_eq!(flow.edges[0].when, ["forall other p: p.at = idle"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn control_flow(&self, compiled: &Compiled) -> Vec<ControlFlow> {
        let drawing = Drawing::new(self, compiled);
        self.main_variables()
            .into_iter()
            .map(|place| drawing.flow(place))
            .collect()
    }

    fn main_variables(&self) -> Vec<Place> {
        let is_enumeration = |domain: &Domain| matches!(domain, Domain::Symbols(_));
        let fields = self.fields.iter().enumerate();
        let own: Vec<usize> = fields
            .filter(|(_, field)| field.mark.is_none())
            .map(|(number, _)| number)
            .collect();
        let location = own.iter().copied().find(|&field| {
            self.fields[field].name == "at" && is_enumeration(&self.fields[field].domain)
        });
        let enumerations = own
            .iter()
            .copied()
            .filter(|&field| is_enumeration(&self.fields[field].domain));
        let globals = (0..self.globals.len())
            .filter(|&global| is_enumeration(&self.globals[global].domain))
            .map(Place::Global);
        let main: Vec<Place> = match location {
            Some(location) => vec![Place::Field(location)],
            None => enumerations.map(Place::Field).collect(),
        };
        let main: Vec<Place> = main.into_iter().chain(globals).collect();
        if !main.is_empty() {
            return main;
        }
        let stacks: Vec<Place> = (0..self.channels.len())
            .filter(|&channel| self.channels[channel].kind == ChannelKind::Stack)
            .map(Place::Stack)
            .collect();
        if !stacks.is_empty() {
            return stacks;
        }
        let globals = (0..self.globals.len()).map(Place::Global);
        own.into_iter().map(Place::Field).chain(globals).collect()
    }
}

struct Drawing<'a> {
    protocol: &'a Protocol,
    processes: Vec<&'a [Value]>,
    globals: Vec<&'a [Value]>,
    phrases: rustc_hash::FxHashMap<String, Phrases>,
}

impl<'a> Drawing<'a> {
    fn new(protocol: &'a Protocol, compiled: &'a Compiled) -> Self {
        let (mut processes, mut globals) = (Vec::new(), Vec::new());
        for letter in compiled.alphabet().letters() {
            match compiled.letters.part(letter) {
                Part::Process(values) => processes.push(values.as_slice()),
                Part::Globals(values) => globals.push(values.as_slice()),
                Part::Separator(_) | Part::Content(..) => {}
            }
        }
        Drawing {
            protocol,
            processes,
            globals,
            phrases: phrases(&protocol.source),
        }
    }

    fn flow(&self, place: Place) -> ControlFlow {
        let (variable, points, index) = match place {
            Place::Field(field) => (&self.protocol.fields[field], &self.processes, field),
            Place::Global(global) => (&self.protocol.globals[global], &self.globals, global),
            Place::Stack(stack) => return self.of_stack(stack),
        };
        let present: FxHashSet<Value> = points.iter().map(|point| point[index]).collect();
        let all = variable.domain.values().into_iter();
        let values: Vec<Value> = all.filter(|value| present.contains(value)).collect();
        let begins = |value: Value| match &variable.initial {
            Initial::Values(first) => first.contains(&value),
            _ => true,
        };
        let mut edges = Edges {
            values: &values,
            variable: &variable.name,
            seen: FxHashSet::default(),
            all: Vec::new(),
        };
        let none = Phrases::default();
        for step in &self.protocol.steps {
            let phrases = self.phrases.get(&step.name).unwrap_or(&none);
            for (number, actions) in step.alternatives.iter().enumerate() {
                match place {
                    Place::Field(field) => {
                        self.of_field(field, step, phrases, number, actions, &mut edges);
                    }
                    Place::Global(global) => {
                        self.of_global(global, step, phrases, number, actions, &mut edges);
                    }
                    Place::Stack(_) => {}
                }
            }
        }
        let all = edges.all;
        let location = |&value: &Value| Location {
            name: self.protocol.show(&variable.domain, value),
            initial: begins(value),
        };
        ControlFlow {
            variable: variable.name.clone(),
            values: values.iter().map(location).collect(),
            edges: all,
        }
    }

    /// The edges of one alternative of a step for a variable of the process.
    fn of_field(
        &self,
        field: usize,
        step: &Step,
        phrases: &Phrases,
        number: usize,
        actions: &[Action],
        edges: &mut Edges<'_>,
    ) {
        let everybody = step.people.len();
        for &letter in &self.processes {
            for who in 0..everybody {
                let known = known(letter, who, everybody);
                if known.value(&step.guard) == Some(0) {
                    continue;
                }
                let set = assigned(actions, |action| match action {
                    Action::SetField(target, set, value) if (*target, *set) == (who, field) => {
                        Some(value)
                    }
                    _ => None,
                });
                match set {
                    Some(set) => {
                        let domain = &self.protocol.fields[field].domain;
                        for to in outcomes(set, &known, domain) {
                            edges.add(step, phrases, number, (letter[field], to), who > 0);
                        }
                    }
                    // That the others stay as they are goes without saying, and that the
                    // process does where the step asks for any value at all.
                    None if who == 0 && speaks_of(&step.guard, field) => {
                        edges.add(step, phrases, number, (letter[field], letter[field]), false);
                    }
                    None => {}
                }
            }
            let known = known(letter, everybody, everybody + 1);
            for broadcast in actions.iter().filter_map(|action| match action {
                Action::Broadcast(broadcast) => Some(broadcast),
                _ => None,
            }) {
                let set = broadcast
                    .assignments
                    .iter()
                    .rev()
                    .find(|(set, _)| *set == field);
                if let Some((_, set)) = set
                    && known.value(&broadcast.only) != Some(0)
                {
                    let domain = &self.protocol.fields[field].domain;
                    for to in outcomes(set, &known, domain) {
                        if to != letter[field] {
                            edges.add(step, phrases, number, (letter[field], to), true);
                        }
                    }
                }
            }
        }
    }

    /// The edges of one alternative of a step for a global variable.
    fn of_global(
        &self,
        global: usize,
        step: &Step,
        phrases: &Phrases,
        number: usize,
        actions: &[Action],
        edges: &mut Edges<'_>,
    ) {
        for &values in &self.globals {
            let known = Known {
                globals: Some(values),
                people: vec![None; step.people.len()],
                choices: &[],
            };
            if known.value(&step.guard) == Some(0) {
                continue;
            }
            let set = assigned(actions, |action| match action {
                Action::SetGlobal(set, value) if *set == global => Some(value),
                _ => None,
            });
            let domain = &self.protocol.globals[global].domain;
            match set {
                Some(set) => {
                    for to in outcomes(set, &known, domain) {
                        edges.add(step, phrases, number, (values[global], to), false);
                    }
                }
                None if speaks_of_global(&step.guard, global) => {
                    let stays = (values[global], values[global]);
                    edges.add(step, phrases, number, stays, false);
                }
                None => {}
            }
        }
    }
}

impl Drawing<'_> {
    /// What is on top of a stack before and after each step; what returns leads to what was
    /// below.
    fn of_stack(&self, stack: usize) -> ControlFlow {
        let channel = &self.protocol.channels[stack];
        let values = channel.domain.values();
        let mut names: Vec<String> = values
            .iter()
            .map(|&value| self.protocol.show(&channel.domain, value))
            .collect();
        names.push("(below)".to_owned());
        let below = values.len();
        let mut edges = Vec::new();
        let none = Phrases::default();
        for step in &self.protocol.steps {
            let phrases = self.phrases.get(&step.name).unwrap_or(&none);
            for (number, actions) in step.alternatives.iter().enumerate() {
                let moved = |wanted: Operation| {
                    actions.iter().rev().find_map(move |action| match action {
                        Action::Channel(operation, on, Expr::Constant(value))
                            if (*operation, *on) == (wanted, stack) =>
                        {
                            Some(*value)
                        }
                        _ => None,
                    })
                };
                let place = |value: Option<Value>| {
                    let found = value.and_then(|value| values.iter().position(|&v| v == value));
                    found.unwrap_or(below)
                };
                let (popped, pushed) = (moved(Operation::Pop), moved(Operation::Push));
                if popped.is_none() && pushed.is_none() {
                    continue;
                }
                let all = |phrases: &[Phrase]| phrases.iter().map(|p| p.text.clone()).collect();
                // The first pop and the last push are the edge itself.
                let then = phrases.then.get(number).map_or(&[][..], Vec::as_slice);
                let mut then: Vec<String> = all(then);
                let told = |text: &String, verb: &str| {
                    text.starts_with(&format!("{verb} {}(", channel.name))
                };
                if let Some(first) = then.iter().position(|text| told(text, "pop")) {
                    then.remove(first);
                }
                if let Some(last) = then.iter().rposition(|text| told(text, "push")) {
                    then.remove(last);
                }
                edges.push(ControlEdge {
                    step: step.name.clone(),
                    from: place(popped),
                    to: place(pushed),
                    by_another: false,
                    when: all(&phrases.when),
                    then,
                });
            }
        }
        let location = |(number, name): (usize, String)| Location {
            name,
            initial: number == below,
        };
        ControlFlow {
            variable: channel.name.clone(),
            values: names.into_iter().enumerate().map(location).collect(),
            edges,
        }
    }
}

/// What is known when only one of the people is.
fn known(letter: &[Value], who: Who, everybody: usize) -> Known<'_> {
    let mut people = vec![None; everybody];
    people[who] = Some(letter);
    Known {
        globals: None,
        people,
        choices: &[],
    }
}

/// The last assignment of a kind, which is the one that counts.
fn assigned<'a>(
    actions: &'a [Action],
    pick: impl Fn(&'a Action) -> Option<&'a Assigned>,
) -> Option<&'a Assigned> {
    actions.iter().rev().find_map(pick)
}

/// The values that an assignment may give.
fn outcomes(assigned: &Assigned, known: &Known<'_>, domain: &Domain) -> Vec<Value> {
    match &assigned.value {
        Chosen::AnyOf(values) => values.clone(),
        Chosen::Exactly(expr) => match known.value(expr) {
            Some(value) => vec![value],
            None => domain.values(),
        },
    }
}

/// Whether a condition speaks of a variable of the process that takes the step.
fn speaks_of(expr: &Expr, field: usize) -> bool {
    expr.mentions(&|part| matches!(part, Expr::Field(0, named) if *named == field))
}

fn speaks_of_global(expr: &Expr, global: usize) -> bool {
    expr.mentions(&|part| matches!(part, Expr::Global(named) if *named == global))
}

/// Edges without repetitions.
struct Edges<'a> {
    values: &'a [Value],
    variable: &'a str,
    seen: FxHashSet<(String, usize, usize, usize, bool)>,
    all: Vec<ControlEdge>,
}

impl Edges<'_> {
    fn add(
        &mut self,
        step: &Step,
        phrases: &Phrases,
        alternative: usize,
        (from, to): (Value, Value),
        by_another: bool,
    ) {
        let number = |value| self.values.iter().position(|&known| known == value);
        let (Some(from), Some(to)) = (number(from), number(to)) else {
            return;
        };
        let key = (step.name.clone(), alternative, from, to, by_another);
        if !self.seen.insert(key) {
            return;
        }
        let rest = |phrases: &[Phrase]| -> Vec<String> {
            let others: Vec<&Phrase> = phrases
                .iter()
                .filter(|phrase| phrase.about.as_deref() != Some(self.variable))
                .collect();
            let several = others.len() > 1;
            let written = |phrase: &Phrase| match phrase.is_loose && several {
                true => format!("({})", phrase.text),
                false => phrase.text.clone(),
            };
            others.into_iter().map(written).collect()
        };
        let then = phrases.then.get(alternative).map_or(&[][..], Vec::as_slice);
        // What moves this process on is told where the step is its own.
        let (when, then) = match by_another {
            true => (Vec::new(), Vec::new()),
            false => (rest(&phrases.when), rest(then)),
        };
        self.all.push(ControlEdge {
            step: step.name.clone(),
            from,
            to,
            by_another,
            when,
            then,
        });
    }
}

impl ControlFlow {
    /// The control flow as lines for people: each value with the steps that leave it.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.variable);
        for (number, value) in self.values.iter().enumerate() {
            let start = if value.initial { " (start)" } else { "" };
            text += &format!("  {}{start}\n", value.name);
            for edge in self.edges.iter().filter(|edge| edge.from == number) {
                let arrow = match edge.from == edge.to {
                    true => String::new(),
                    false => format!(" → {}", self.values[edge.to].name),
                };
                text += &format!("    {}{arrow}{}\n", edge.name(), edge.details());
            }
        }
        text
    }
}

impl ControlEdge {
    fn name(&self) -> String {
        let another = if self.by_another { " of another" } else { "" };
        format!("{}{another}", self.step)
    }

    /// ` when …, then …`, as far as there is something to say.
    fn details(&self) -> String {
        let list = |word: &str, parts: &[String], between: &str| match parts.is_empty() {
            true => String::new(),
            false => format!(" {word} {}", parts.join(between)),
        };
        list("when", &self.when, " and ") + &list("then", &self.then, ", ")
    }
}

impl std::fmt::Display for ControlEdge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.name(), self.details())
    }
}
