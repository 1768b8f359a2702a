//! Statements to edges between locations.
//!
//! Jumps are edges that do nothing at first; they are taken out at the end, so that a step of
//! the program is an edge. A jump that is all of an option stays a step, as it does in Spin.

use std::collections::HashMap;
use std::rc::Rc;

use crate::lex::At;
use crate::names::{Names, Variable};
use crate::parse::Parsed;
use crate::parse_statement::{number, variable};
use crate::priority;
use crate::program::{Action, Code, Edge, Made, Place, Proctype, Slot};
use crate::syntax::{
    Declaration, Expression, Name, Node, Process, Reference, Sign, Start, Statement, Step, Type,
};

/// The most locations of a proctype.
pub(crate) const MOST_LOCATIONS: usize = 200_000;

/// A step, or a jump that is no step.
#[derive(Debug, Clone)]
pub(crate) enum Draft {
    Step(Edge, u32),
    Jump(u32),
}

/// A location before jumps are taken out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Point {
    pub(crate) out: Vec<Draft>,
    pub(crate) labels: Vec<Rc<str>>,
    /// The outermost atomic sequence around it; 0 if none.
    pub(crate) atomic: u32,
    pub(crate) whole: u32,
    /// Whether it is where a process chooses: it is a place of its own.
    pub(crate) choice: bool,
    /// Whether it is only a jump: nobody is ever there.
    pub(crate) leaves: bool,
}

pub(crate) struct Flow<'a> {
    pub(crate) names: &'a mut Names,
    pub(crate) points: Vec<Point>,
    slots: Vec<Slot>,
    /// Whether its variables are among those of the program.
    global: bool,
    starts: Vec<(Place, Code)>,
    channels: Vec<Made>,
    pub(crate) labels: HashMap<(Rc<str>, u32), u32>,
    gotos: Vec<(u32, Name)>,
    breaks: Vec<u32>,
    atomic: u32,
    pub(crate) whole: u32,
    regions: u32,
    /// The points of each `unless` that its escape begins at.
    pub(crate) escapes: Vec<(Vec<u32>, u32)>,
    top: bool,
}

/// What a process becomes. Its labels are left in the names.
pub(crate) fn flow(names: &mut Names, process: &Process, is_claim: bool) -> Parsed<Proctype> {
    flow_beside(names, process, is_claim, None)
}

/// The same; if variables of the program are given, its own are there too, behind them.
pub(crate) fn flow_beside(
    names: &mut Names,
    process: &Process,
    is_claim: bool,
    globals: Option<&[Slot]>,
) -> Parsed<Proctype> {
    names.scopes.push(HashMap::new());
    let found = Flow {
        names,
        points: Vec::new(),
        slots: globals.unwrap_or_default().to_vec(),
        global: globals.is_some(),
        starts: Vec::new(),
        channels: Vec::new(),
        labels: HashMap::new(),
        gotos: Vec::new(),
        breaks: Vec::new(),
        atomic: 0,
        whole: 0,
        regions: 0,
        escapes: Vec::new(),
        top: true,
    }
    .process(process, is_claim);
    names.scopes.truncate(1);
    found
}

/// The starts of a variable and the channels made for it.
pub(crate) fn begin(
    names: &mut Names,
    one: &Declaration,
    variable: &Variable,
    starts: &mut Vec<(Place, Code)>,
    channels: &mut Vec<Made>,
) -> Parsed<()> {
    let mut fields = Vec::new();
    let stride = names.size_of(&variable.kind);
    for number in 0..variable.length.unwrap_or(1) {
        names.field_starts(&variable.kind, variable.base + number * stride, &mut fields);
    }
    fields.push((variable.clone(), one.start.clone()));
    let global = variable.global;
    for (variable, start) in fields {
        let cells = variable.base..variable.base + variable.length.unwrap_or(1);
        let place = |base: u32| Place {
            global,
            base,
            indexes: Vec::new(),
            width: crate::names::width(&variable.kind),
        };
        match &start {
            Start::None => {}
            Start::Value(node) => {
                let code = names.code(node)?;
                starts.extend(cells.map(|base| (place(base), code.clone())));
            }
            Start::List(all) => {
                for (base, node) in cells.zip(all) {
                    starts.push((place(base), names.code(node)?));
                }
            }
            Start::Channel { capacity, fields } => {
                let shape = match variable.shape {
                    Some(shape) => shape,
                    None => names.shape(&one.name, capacity, fields)?,
                };
                channels.extend(cells.map(|slot| Made { slot, shape }));
            }
        }
    }
    Ok(())
}

impl Flow<'_> {
    fn process(mut self, process: &Process, is_claim: bool) -> Parsed<Proctype> {
        let before = self.slots.len();
        for one in &process.parameters {
            self.names.declare(one, &mut self.slots, false)?;
        }
        let parameters = self.slots.len() - before;
        if parameters != process.parameters.len() {
            let at = process.name.at;
            return Err(self.names.wrong(at, "a parameter is a single value"));
        }
        if self.names.uses_priorities && !is_claim {
            let own = priority::declared(process.name.at);
            self.names.declare(&own, &mut self.slots, false)?;
        }
        let start = self.point(process.name.at)?;
        let end = self.point(process.end)?;
        self.sequence(&process.body, start, end, false)?;
        if !is_claim {
            let edge = self.edge(Action::End, end, process.end);
            self.points[end as usize].out.push(Draft::Step(edge, 0));
        }
        for (from, name) in std::mem::take(&mut self.gotos) {
            let found = name.expansions.iter();
            let mut found = found.filter_map(|one| self.labels.get(&(name.text.clone(), *one)));
            let Some(&to) = found.next() else {
                let message = format!("there is no label `{}`", name.text);
                return Err(self.names.wrong(name.at, message));
            };
            self.points[from as usize].out.push(Draft::Jump(to));
        }
        let provided = process.provided.as_ref();
        let provided = provided.map(|node| self.names.code(node)).transpose()?;
        let active = match (&process.active, process.is_active) {
            (Some(node), _) => match self.names.constant(node)? {
                count @ 0..=255 => count as u32,
                _ => return Err(self.names.wrong(node.at, "there are at most 255 processes")),
            },
            (None, active) => u32::from(active),
        };
        let priority = self.names.priority(process.priority.as_ref())?;
        let (locations, start) = self.located(start, end)?;
        let locals = self.names.scopes.get(1).cloned().unwrap_or_default();
        self.names.locals.push(locals);
        Ok(Proctype {
            name: process.name.text.to_string(),
            parameters,
            own: before..self.slots.len(),
            slots: self.slots,
            starts: self.starts,
            channels: self.channels,
            locations,
            start,
            active,
            priority,
            provided,
            at: process.name.at,
        })
    }

    fn point(&mut self, at: At) -> Parsed<u32> {
        if self.points.len() >= MOST_LOCATIONS {
            return Err(self.names.wrong(at, "this has too many statements"));
        }
        self.points.push(Point {
            atomic: self.atomic,
            whole: self.whole,
            ..Point::default()
        });
        Ok(self.points.len() as u32 - 1)
    }

    pub(crate) fn edge(&self, action: Action, to: u32, at: At) -> Edge {
        Edge {
            to,
            action,
            at,
            keeps: false,
            unless: Vec::new(),
        }
    }

    fn step(&mut self, from: u32, action: Action, to: u32, at: At) {
        let edge = self.edge(action, to, at);
        let region = self.atomic;
        self.points[from as usize]
            .out
            .push(Draft::Step(edge, region));
    }

    /// Statements one after the other; `first` if they are all of an option so far.
    fn sequence(&mut self, all: &[Statement], from: u32, to: u32, first: bool) -> Parsed<()> {
        self.names.scopes.push(HashMap::new());
        // Variables at the top of a process are where others look for them.
        let top = std::mem::replace(&mut self.top, false);
        if top {
            let inner = self.names.scopes.pop();
            drop(inner);
        }
        let mut leading = top;
        let (mut at, mut first) = (from, first);
        let mut steps: Vec<&Statement> = Vec::new();
        for one in all {
            match &one.kind {
                Step::Declare(found) if leading && one.labels.is_empty() => {
                    for one in found {
                        let variable = self.names.declare(one, &mut self.slots, self.global)?;
                        let (starts, channels) = (&mut self.starts, &mut self.channels);
                        begin(self.names, one, &variable, starts, channels)?;
                    }
                }
                _ => {
                    leading = false;
                    steps.push(one);
                }
            }
        }
        if steps.is_empty() {
            match first {
                true => self.step(from, Action::Skip, to, At::default()),
                false => self.points[from as usize].out.push(Draft::Jump(to)),
            }
        }
        for (number, one) in steps.iter().enumerate() {
            let next = match number + 1 == steps.len() {
                true => to,
                false => self.point(one.at)?,
            };
            self.statement(one, at, next, first)?;
            (at, first) = (next, false);
        }
        if !top {
            self.names.scopes.pop();
        }
        Ok(())
    }

    fn statement(&mut self, one: &Statement, from: u32, to: u32, first: bool) -> Parsed<()> {
        let mut from = from;
        if !one.labels.is_empty() {
            // A label is a place of its own, even where an option begins.
            let own = self.point(one.at)?;
            self.points[from as usize].out.push(Draft::Jump(own));
            from = own;
            for label in &one.labels {
                let key = (label.text.clone(), label.expansions[0]);
                if self.labels.insert(key, own).is_some() {
                    let message = format!("the label `{}` is here twice", label.text);
                    return Err(self.names.wrong(label.at, message));
                }
                self.points[own as usize].labels.push(label.text.clone());
            }
        }
        self.kind(one, from, to, first)
    }

    fn kind(&mut self, one: &Statement, from: u32, to: u32, first: bool) -> Parsed<()> {
        let at = one.at;
        match &one.kind {
            Step::Goto(name) => {
                let jump = match first {
                    true => {
                        let between = self.point(at)?;
                        self.step(from, Action::Skip, between, at);
                        between
                    }
                    false => from,
                };
                self.points[jump as usize].leaves = true;
                self.gotos.push((jump, name.clone()));
            }
            Step::Break => {
                let Some(&out) = self.breaks.last() else {
                    return Err(self.names.wrong(at, "there is no loop around this `break`"));
                };
                match first {
                    true => self.step(from, Action::Skip, out, at),
                    false => {
                        self.points[from as usize].leaves = true;
                        self.points[from as usize].out.push(Draft::Jump(out));
                    }
                }
            }
            Step::If(options) | Step::Do(options) => {
                let loops = matches!(one.kind, Step::Do(_));
                let own = self.point(at)?;
                self.points[from as usize].out.push(Draft::Jump(own));
                self.points[own as usize].choice = true;
                if loops {
                    self.breaks.push(to);
                }
                // `else` comes after all others.
                let is_else = |option: &&Vec<Statement>| matches!(option.first(), Some(first) if matches!(first.kind, Step::Else));
                let others = options.iter().filter(|option| !is_else(option));
                for option in others.chain(options.iter().filter(is_else)) {
                    self.sequence(option, own, if loops { own } else { to }, true)?;
                }
                if loops {
                    self.breaks.pop();
                }
            }
            Step::Atomic(body) => {
                let outer = self.atomic;
                if outer == 0 {
                    self.regions += 1;
                    self.atomic = self.regions;
                }
                let own = self.point(at)?;
                self.points[from as usize].out.push(Draft::Jump(own));
                self.sequence(body, own, to, first)?;
                self.atomic = outer;
            }
            Step::Whole(body) if self.whole != 0 => self.sequence(body, from, to, first)?,
            Step::Whole(body) => {
                self.regions += 1;
                let outer = (self.atomic, self.whole);
                self.whole = self.regions;
                let entry = self.point(at)?;
                self.sequence(body, entry, to, true)?;
                (self.atomic, self.whole) = outer;
                self.step(from, Action::Whole(entry), to, at);
            }
            Step::Block(body) => self.sequence(body, from, to, first)?,
            Step::Unless(body, escape) => {
                let own = self.point(at)?;
                self.points[from as usize].out.push(Draft::Jump(own));
                let before = self.points.len() as u32;
                self.statement(body, own, to, first)?;
                let inside: Vec<u32> = (before..self.points.len() as u32).collect();
                let way_out = self.point(at)?;
                self.statement(escape, way_out, to, true)?;
                let all = std::iter::once(own).chain(inside).collect();
                self.escapes.push((all, way_out));
            }
            Step::Declare(found) => self.declared(found, from, to, at)?,
            Step::Each(counter, over, body) => {
                let made = self.each(counter, over, body, at)?;
                self.sequence(&made, from, to, first)?;
            }
            _ => {
                let action = self.action(one)?;
                self.step(from, action, to, at);
            }
        }
        Ok(())
    }

    /// Declarations after statements: each is a step that sets its (first) cell.
    fn declared(&mut self, found: &[Declaration], from: u32, to: u32, at: At) -> Parsed<()> {
        let mut from = from;
        for (number, one) in found.iter().enumerate() {
            let variable = self.names.declare(one, &mut self.slots, self.global)?;
            let next = match number + 1 == found.len() {
                true => to,
                false => self.point(at)?,
            };
            let place = Place {
                global: self.global,
                base: variable.base,
                indexes: Vec::new(),
                width: crate::names::width(&variable.kind),
            };
            let action = match &one.start {
                _ if matches!(variable.kind, Type::Record(_)) => Action::Skip,
                Start::None => Action::Assign(place, Code::Number(0)),
                Start::Value(node) => match &node.kind {
                    Expression::Run(..) => self.run(node, Some(place))?,
                    _ => Action::Assign(place, self.names.code(node)?),
                },
                Start::List(all) => {
                    let code = all.first().map(|node| self.names.code(node)).transpose()?;
                    Action::Assign(place, code.unwrap_or(Code::Number(0)))
                }
                Start::Channel { .. } => {
                    // Channels are made with the process.
                    let (starts, channels) = (&mut self.starts, &mut self.channels);
                    begin(self.names, one, &variable, starts, channels)?;
                    Action::Skip
                }
            };
            self.step(from, action, next, one.at);
            from = next;
        }
        Ok(())
    }

    /// A loop over an array or over the messages of a channel, as simpler statements.
    fn each(
        &mut self,
        counter: &Reference,
        over: &Reference,
        body: &[Statement],
        at: At,
    ) -> Parsed<Vec<Statement>> {
        let of = |kind| Statement {
            labels: Vec::new(),
            kind,
            at,
        };
        let variable_over = self.names.find(&over.name).cloned();
        let length = variable_over.as_ref().and_then(|one| one.length);
        let is_array = over.index.is_none() && over.field.is_none() && length.is_some();
        let mut option = Vec::new();
        let (count, most) = match (is_array, length) {
            (true, Some(length)) => (counter.clone(), number(length as i32, at)),
            _ => {
                // A counter that nobody else sees.
                let hidden = Declaration {
                    name: format!("count of {}", self.slots.len()).into(),
                    at,
                    kind: Type::Byte,
                    length: None,
                    start: Start::None,
                };
                self.names.declare(&hidden, &mut self.slots, false)?;
                let hidden = Reference {
                    name: hidden.name,
                    at,
                    index: None,
                    field: None,
                };
                let message = variable(counter);
                option.push(of(Step::Receive {
                    channel: over.clone(),
                    arguments: vec![message.clone()],
                    anywhere: false,
                    keep: false,
                }));
                option.push(of(Step::Send {
                    channel: over.clone(),
                    arguments: vec![message],
                    sorted: false,
                }));
                let length = Expression::Channel("len", over.clone());
                (hidden, Node { kind: length, at })
            }
        };
        let binary = |sign, left, right| Node {
            kind: Expression::Binary(sign, Box::new(left), Box::new(right)),
            at,
        };
        let goes_on = binary(Sign::Less, variable(&count), most);
        option.insert(0, of(Step::Expression(goes_on)));
        option.extend(body.iter().cloned());
        let next = binary(Sign::Plus, variable(&count), number(1, at));
        option.push(of(Step::Assign(count.clone(), next)));
        let ends = vec![of(Step::Else), of(Step::Break)];
        Ok(vec![
            of(Step::Assign(count, number(0, at))),
            of(Step::Do(vec![option, ends])),
        ])
    }

    fn run(&mut self, node: &Node, result: Option<Place>) -> Parsed<Action> {
        let Expression::Run(name, arguments, priority) = &node.kind else {
            return Ok(Action::Skip);
        };
        let process = self.names.process(name)?;
        let wanted = self.names.processes[process].parameters;
        if wanted != arguments.len() {
            let message = format!(
                "`{}` takes {wanted} values, not {}",
                name.text,
                arguments.len()
            );
            return Err(self.names.wrong(node.at, message));
        }
        let all = arguments.iter().map(|node| self.names.code(node));
        Ok(Action::Run {
            process,
            arguments: all.collect::<Parsed<_>>()?,
            result,
            priority: self.names.priority(priority.as_deref())?,
        })
    }

    fn action(&mut self, one: &Statement) -> Parsed<Action> {
        Ok(match &one.kind {
            Step::Expression(node) => match &node.kind {
                Expression::Run(..) => self.run(node, None)?,
                _ => Action::Guard(self.names.code(node)?),
            },
            Step::Assign(reference, node) => {
                let sink = &*reference.name == "_" && self.names.find("_").is_none();
                let places = match sink {
                    true => None,
                    false => Some(self.names.place(reference)?),
                };
                let place = places.as_ref().map(|(place, _)| place.clone());
                if let Some((_, Type::Record(_))) = places {
                    return Err(self
                        .names
                        .wrong(one.at, "a whole record cannot be assigned"));
                }
                match (&node.kind, place) {
                    (Expression::Run(..), place) => self.run(node, place)?,
                    (_, Some(place)) => Action::Assign(place, self.names.code(node)?),
                    (_, None) => Action::Skip,
                }
            }
            Step::Send {
                channel,
                arguments,
                sorted,
            } => {
                let mut values = Vec::new();
                for node in arguments {
                    match &node.kind {
                        Expression::Variable(reference)
                            if self.names.find(&reference.name).is_some() =>
                        {
                            let cells = self.names.cells_of(reference)?;
                            values.extend(cells.into_iter().map(|one| Code::Load(Box::new(one))));
                        }
                        Expression::Run(name, ..) => {
                            let at = name.at;
                            return Err(self.names.wrong(at, "`run` cannot stand in a message"));
                        }
                        _ => values.push(self.names.code(node)?),
                    }
                }
                self.names.fits(channel, values.len(), one.at)?;
                Action::Send {
                    channel: Code::Load(Box::new(self.names.place(channel)?.0)),
                    values,
                    sorted: *sorted,
                }
            }
            Step::Receive {
                channel,
                arguments,
                anywhere,
                keep,
            } => Action::Receive {
                pattern: self.names.pattern(channel, arguments, true, one.at)?,
                channel: Code::Load(Box::new(self.names.place(channel)?.0)),
                anywhere: *anywhere,
                keep: *keep,
            },
            Step::Assert(node) => Action::Assert(self.names.code(node)?),
            Step::Print(nodes) => {
                for node in nodes {
                    self.names.code(node)?;
                }
                Action::Skip
            }
            Step::Prioritize(process, priority) => {
                Action::Prioritize(self.names.code(process)?, self.names.code(priority)?)
            }
            Step::Else => Action::Else,
            _ => Action::Skip,
        })
    }
}
