//! Names to cells: where each variable lies, and what expressions mean.

use std::collections::HashMap;
use std::rc::Rc;

use quotient_core::{Diagnostic, Source};

use crate::lex::At;
use crate::parse::Parsed;
use crate::program::{Code, Meaning, Pattern, Place, Shape, Slot, Width};
use crate::syntax::{Declaration, Expression, Name, Node, Reference, Sign, Start, Type, Unit};

/// The most cells of a frame: what a text declares must not be larger than a machine.
const MOST_CELLS: usize = 1 << 16;
/// The most of an array, and the most messages of a channel.
const MOST_LENGTH: i32 = 1 << 15;

/// A variable that was declared.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) base: u32,
    pub(crate) length: Option<u32>,
    pub(crate) kind: Type,
    pub(crate) global: bool,
    /// The type of messages, if it is a channel that was made here.
    pub(crate) shape: Option<u32>,
}

/// A type with fields.
#[derive(Debug, Clone)]
struct Record {
    fields: Vec<(Rc<str>, Variable)>,
    /// What the fields begin with.
    starts: Vec<Start>,
    size: u32,
}

/// What is known of a proctype before its body is read.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) name: Rc<str>,
    pub(crate) parameters: usize,
}

/// The names of a text.
pub(crate) struct Names {
    pub(crate) files: Vec<Source>,
    records: HashMap<Rc<str>, Record>,
    pub(crate) messages: HashMap<Rc<str>, i32>,
    /// Variables in sight, inner scopes last; the first scope is that of the program.
    pub(crate) scopes: Vec<HashMap<Rc<str>, Variable>>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) processes: Vec<Known>,
    /// The labels of each proctype, as far as they were read.
    pub(crate) labels: Vec<HashMap<Rc<str>, u32>>,
    /// The variables at the top of each proctype.
    pub(crate) locals: Vec<HashMap<Rc<str>, Variable>>,
    pub(crate) uses_last: bool,
    pub(crate) uses_priorities: bool,
}

impl Names {
    pub(crate) fn new(files: Vec<Source>, unit: &Unit) -> Names {
        let messages = unit.messages.iter().zip(1..);
        Names {
            files,
            records: HashMap::new(),
            messages: messages.map(|(name, at)| (name.text.clone(), at)).collect(),
            scopes: vec![HashMap::new()],
            shapes: Vec::new(),
            processes: unit
                .processes
                .iter()
                .map(|one| Known {
                    name: one.name.text.clone(),
                    parameters: one.parameters.len(),
                })
                .collect(),
            labels: Vec::new(),
            locals: Vec::new(),
            uses_last: false,
            uses_priorities: unit.uses_priorities,
        }
    }

    pub(crate) fn wrong(&self, at: At, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("meaning", message).at(&self.files[at.file as usize], at.span, "")
    }

    /// A type with fields.
    pub(crate) fn record(&mut self, name: &Name, fields: &[Declaration]) -> Parsed<()> {
        let mut record = Record {
            fields: Vec::new(),
            starts: fields.iter().map(|field| field.start.clone()).collect(),
            size: 0,
        };
        for field in fields {
            let variable = self.laid(field, record.size, false)?;
            record.size += self.size(&variable)?;
            if record.size as usize > MOST_CELLS {
                return Err(self.wrong(name.at, "this type is too large"));
            }
            record.fields.push((field.name.clone(), variable));
        }
        self.records.insert(name.text.clone(), record);
        Ok(())
    }

    fn laid(&mut self, one: &Declaration, base: u32, global: bool) -> Parsed<Variable> {
        let length = match &one.length {
            None => None,
            Some(node) => match self.constant(node)? {
                length @ 1..=MOST_LENGTH => Some(length as u32),
                length => {
                    let message = format!("an array has 1 to {MOST_LENGTH} elements, not {length}");
                    return Err(self.wrong(node.at, message));
                }
            },
        };
        if let Type::Record(name) = &one.kind
            && !self.records.contains_key(name)
        {
            return Err(self.wrong(one.at, format!("there is no type `{name}` yet")));
        }
        Ok(Variable {
            base,
            length,
            kind: one.kind.clone(),
            global,
            shape: None,
        })
    }

    fn size(&self, variable: &Variable) -> Parsed<u32> {
        let one = self.size_of(&variable.kind);
        let all = u64::from(one) * u64::from(variable.length.unwrap_or(1));
        match all as usize <= MOST_CELLS {
            true => Ok(all as u32),
            false => Err(self.wrong(At::default(), "a variable is too large")),
        }
    }

    pub(crate) fn size_of(&self, kind: &Type) -> u32 {
        match kind {
            Type::Record(name) => self.records.get(name).map_or(0, |record| record.size),
            _ => 1,
        }
    }

    /// Declares a variable in the innermost scope, its cells at the end of these.
    pub(crate) fn declare(
        &mut self,
        one: &Declaration,
        slots: &mut Vec<Slot>,
        global: bool,
    ) -> Parsed<Variable> {
        let mut variable = self.laid(one, slots.len() as u32, global)?;
        if slots.len() + self.size(&variable)? as usize > MOST_CELLS {
            return Err(self.wrong(one.at, "there are too many variables"));
        }
        self.name_cells(&one.name, &variable, slots);
        if let Start::Channel { capacity, fields } = &one.start {
            variable.shape = Some(self.shape(&one.name, capacity, fields)?);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(one.name.clone(), variable.clone());
        }
        Ok(variable)
    }

    /// The fields of a record that begin with something, each with its first cell.
    pub(crate) fn field_starts(&self, kind: &Type, base: u32, out: &mut Vec<(Variable, Start)>) {
        let Type::Record(name) = kind else { return };
        let Some(record) = self.records.get(name) else {
            return;
        };
        for ((_, field), start) in record.fields.iter().zip(&record.starts) {
            let mut field = field.clone();
            field.base += base;
            let stride = self.size_of(&field.kind);
            for number in 0..field.length.unwrap_or(1) {
                self.field_starts(&field.kind, field.base + number * stride, out);
            }
            if !matches!(start, Start::None) && out.len() < MOST_CELLS {
                out.push((field, start.clone()));
            }
        }
    }

    fn name_cells(&self, name: &str, variable: &Variable, slots: &mut Vec<Slot>) {
        for number in 0..variable.length.unwrap_or(1) {
            let name = match variable.length {
                Some(_) => format!("{name}[{number}]"),
                None => name.to_owned(),
            };
            match &variable.kind {
                Type::Record(kind) => {
                    for (field, inner) in self.records.get(kind).iter().flat_map(|one| &one.fields)
                    {
                        self.name_cells(&format!("{name}.{field}"), inner, slots);
                    }
                }
                kind => slots.push(Slot {
                    name,
                    width: width(kind),
                    meaning: meaning(kind),
                }),
            }
        }
    }

    pub(crate) fn shape(
        &mut self,
        name: &str,
        capacity: &Node,
        fields: &[(Type, At)],
    ) -> Parsed<u32> {
        let size = self.constant(capacity)?;
        if !(0..=255).contains(&size) {
            return Err(self.wrong(capacity.at, "a channel holds 0 to 255 messages"));
        }
        let mut flat = Vec::new();
        for (kind, at) in fields {
            self.flat(kind, &mut flat);
            if flat.len() > 256 {
                return Err(self.wrong(*at, "a message has at most 256 fields"));
            }
        }
        self.shapes.push(Shape {
            name: name.to_owned(),
            capacity: size as u32,
            fields: flat,
        });
        Ok(self.shapes.len() as u32 - 1)
    }

    fn flat(&self, kind: &Type, out: &mut Vec<(Width, Meaning)>) {
        match kind {
            Type::Record(name) => {
                for (_, field) in self.records.get(name).iter().flat_map(|one| &one.fields) {
                    for _ in 0..field.length.unwrap_or(1) {
                        if out.len() > 256 {
                            return;
                        }
                        self.flat(&field.kind, out);
                    }
                }
            }
            kind => out.push((width(kind), meaning(kind))),
        }
    }

    /// The value of an expression without variables.
    pub(crate) fn constant(&mut self, node: &Node) -> Parsed<i32> {
        let code = self.code(node)?;
        constant(&code).ok_or_else(|| self.wrong(node.at, "expected a constant"))
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Variable> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Where a variable lies, and its type; whole records are places of their first cell.
    pub(crate) fn place(&mut self, reference: &Reference) -> Parsed<(Place, Type)> {
        let Some(variable) = self.find(&reference.name).cloned() else {
            let known = self.scopes.iter().flat_map(|scope| scope.keys());
            let known: Vec<&str> = known.map(|name| &**name).collect();
            let error = self.wrong(
                reference.at,
                format!("there is no variable `{}`", reference.name),
            );
            return Err(error.did_you_mean(&reference.name, known));
        };
        self.place_of(reference, &variable)
    }

    pub(crate) fn place_of(
        &mut self,
        reference: &Reference,
        variable: &Variable,
    ) -> Parsed<(Place, Type)> {
        let mut place = Place {
            global: variable.global,
            base: variable.base,
            indexes: Vec::new(),
            width: Width::Int,
        };
        let mut at = reference;
        let mut variable = variable.clone();
        loop {
            let stride = self.size_of(&variable.kind);
            if let Some(index) = &at.index {
                let index = self.code(index)?;
                let length = variable.length.unwrap_or(1);
                match constant(&index) {
                    Some(number) if (0..length as i32).contains(&number) => {
                        place.base += number as u32 * stride;
                    }
                    Some(number) => {
                        let message = format!("`{}` has no element {number}", at.name);
                        return Err(self.wrong(at.at, message));
                    }
                    None => place.indexes.push((index, length, stride)),
                }
            }
            let Some(next) = &at.field else { break };
            let fields = match &variable.kind {
                Type::Record(name) => self.records.get(name).map(|record| &record.fields),
                _ => None,
            };
            let field = fields
                .and_then(|fields| fields.iter().find(|(name, _)| *name == next.name))
                .map(|(_, field)| field.clone());
            let Some(field) = field else {
                return Err(self.wrong(next.at, format!("there is no field `{}`", next.name)));
            };
            place.base += field.base;
            variable = field;
            at = next;
        }
        place.width = width(&variable.kind);
        Ok((place, variable.kind))
    }

    /// The cells of a variable as values: those of a record one by one.
    pub(crate) fn cells_of(&mut self, reference: &Reference) -> Parsed<Vec<Place>> {
        let (place, kind) = self.place(reference)?;
        let mut flat = Vec::new();
        self.flat(&kind, &mut flat);
        let spread = flat.into_iter().enumerate().map(|(at, (width, _))| Place {
            base: place.base + at as u32,
            width,
            ..place.clone()
        });
        Ok(spread.collect())
    }

    pub(crate) fn process(&self, name: &Name) -> Parsed<usize> {
        let found = self.processes.iter().position(|one| one.name == name.text);
        found.ok_or_else(|| {
            let known = self.processes.iter().map(|one| &*one.name);
            self.wrong(name.at, format!("there is no proctype `{}`", name.text))
                .did_you_mean(&name.text, known)
        })
    }

    fn boxed(&mut self, node: &Node) -> Parsed<Box<Code>> {
        Ok(Box::new(self.code(node)?))
    }

    /// What an expression means.
    pub(crate) fn code(&mut self, node: &Node) -> Parsed<Code> {
        Ok(match &node.kind {
            Expression::Number(value) => Code::Number(*value),
            Expression::Variable(reference) => return self.variable(reference),
            Expression::Eval(inner) => return self.code(inner),
            Expression::Unary(sign, _) if sign.is_temporal() => return Err(self.timeless(node)),
            Expression::Binary(sign, ..) if sign.is_temporal() => return Err(self.timeless(node)),
            Expression::Unary(sign, inner) => {
                let inner = self.code(inner)?;
                folded(Code::Unary(*sign, Box::new(inner)))
            }
            Expression::Binary(sign, left, right) => {
                let pair = (self.code(left)?, self.code(right)?);
                folded(Code::Binary(*sign, Box::new(pair)))
            }
            Expression::Choice(condition, then, other) => Code::Choice(Box::new((
                self.code(condition)?,
                self.code(then)?,
                self.code(other)?,
            ))),
            Expression::Channel(what, channel) => {
                let place = Code::Load(Box::new(self.place(channel)?.0));
                let length = Code::Length(Box::new(place.clone()));
                let full = Code::Full(Box::new(place));
                let zero = |sign| Code::Binary(sign, Box::new((length.clone(), Code::Number(0))));
                match *what {
                    "len" => length,
                    "empty" => zero(Sign::Equal),
                    "nempty" => zero(Sign::Different),
                    "full" => full,
                    _ => Code::Unary(Sign::Not, Box::new(full)),
                }
            }
            Expression::Poll {
                channel,
                arguments,
                anywhere,
            } => {
                let pattern = self.pattern(channel, arguments, false, node.at)?;
                let channel = Code::Load(Box::new(self.place(channel)?.0));
                Code::Poll {
                    channel: Box::new(channel),
                    pattern,
                    anywhere: *anywhere,
                }
            }
            Expression::Place(process, number, label) => {
                let process = self.process(process)?;
                let number = number.as_ref().map(|node| self.boxed(node)).transpose()?;
                let labels = self.labels.get(process);
                let location = labels.and_then(|labels| labels.get(&label.text)).copied();
                let Some(location) = location else {
                    let message = format!("there is no label `{}` there", label.text);
                    return Err(self.wrong(label.at, message));
                };
                Code::At {
                    process,
                    number,
                    location,
                }
            }
            Expression::Remote(process, number, reference) => {
                let process = self.process(process)?;
                let number = number.as_ref().map(|node| self.boxed(node)).transpose()?;
                let variable = self.locals.get(process);
                let variable = variable.and_then(|all| all.get(&reference.name)).cloned();
                let Some(variable) = variable else {
                    let message = format!("there is no variable `{}` there", reference.name);
                    return Err(self.wrong(reference.at, message));
                };
                let place = Box::new(self.place_of(reference, &variable)?.0);
                Code::Remote {
                    process,
                    number,
                    place,
                }
            }
            Expression::Run(name, ..) => {
                return Err(self
                    .wrong(name.at, "`run` stands alone or as all of what is assigned")
                    .help("assign it to a variable first"));
            }
            Expression::Priority(inner) => Code::Priority(self.boxed(inner)?),
            Expression::Enabled(inner) => Code::Enabled(self.boxed(inner)?),
            Expression::Counter(inner) => Code::Counter(self.boxed(inner)?),
            Expression::Timeout => Code::Timeout,
            Expression::NoProgress => Code::NoProgress,
        })
    }

    fn timeless(&self, node: &Node) -> Diagnostic {
        self.wrong(
            node.at,
            "an operator of time stands inside of an expression",
        )
        .help("put parentheses around what it speaks about")
    }

    fn variable(&mut self, reference: &Reference) -> Parsed<Code> {
        if self.find(&reference.name).is_none() {
            match &*reference.name {
                "_pid" => return Ok(Code::Pid),
                "_nr_pr" => return Ok(Code::Processes),
                "_last" => {
                    self.uses_last = true;
                    return Ok(Code::Last);
                }
                "_" => return Err(self.wrong(reference.at, "`_` can be written, not read")),
                name => {
                    if let Some(&value) = self.messages.get(name) {
                        return Ok(Code::Number(value));
                    }
                }
            }
        }
        let (place, kind) = self.place(reference)?;
        match kind {
            Type::Record(_) => Err(self.wrong(reference.at, "a field of this was expected")),
            _ => Ok(Code::Load(Box::new(place))),
        }
    }

    /// The fields of a message that is received or looked at.
    pub(crate) fn pattern(
        &mut self,
        channel: &Reference,
        arguments: &[Node],
        stores: bool,
        at: At,
    ) -> Parsed<Vec<Pattern>> {
        let mut found = Vec::new();
        for node in arguments {
            match &node.kind {
                Expression::Variable(reference)
                    if &*reference.name == "_" && reference.field.is_none() =>
                {
                    found.push(Pattern::Any);
                }
                Expression::Variable(reference) if self.find(&reference.name).is_some() => {
                    for place in self.cells_of(reference)? {
                        found.push(match stores {
                            true => Pattern::Store(place),
                            false => Pattern::Any,
                        });
                    }
                }
                _ => found.push(Pattern::Equals(self.code(node)?)),
            }
        }
        self.fits(channel, found.len(), at)?;
        Ok(found)
    }

    /// Whether a message with so many fields fits a channel, as far as that is known.
    pub(crate) fn fits(&mut self, channel: &Reference, fields: usize, at: At) -> Parsed<()> {
        let shape = self.find(&channel.name).and_then(|one| one.shape);
        let Some(shape) = shape.map(|shape| &self.shapes[shape as usize]) else {
            return Ok(());
        };
        match shape.fields.len() == fields {
            true => Ok(()),
            false => {
                let message = format!(
                    "a message of `{}` has {} fields, not {fields}",
                    channel.name,
                    shape.fields.len()
                );
                Err(self.wrong(at, message))
            }
        }
    }
}

pub(crate) fn width(kind: &Type) -> Width {
    match kind {
        Type::Bit => Width::Bits(1),
        Type::Byte | Type::Mtype | Type::Pid | Type::Channel => Width::Bits(8),
        Type::Short => Width::Short,
        Type::Unsigned(bits) => Width::Bits(*bits),
        Type::Int | Type::Record(_) => Width::Int,
    }
}

fn meaning(kind: &Type) -> Meaning {
    match kind {
        Type::Mtype => Meaning::Message,
        Type::Channel => Meaning::Channel,
        Type::Bit => Meaning::Truth,
        _ => Meaning::Number,
    }
}

/// The value of an expression without variables.
pub(crate) fn constant(code: &Code) -> Option<i32> {
    match code {
        Code::Number(value) => Some(*value),
        Code::Unary(sign, inner) => Some(unary(*sign, constant(inner)?)),
        Code::Binary(sign, pair) => binary(*sign, constant(&pair.0)?, constant(&pair.1)?),
        Code::Choice(parts) => match constant(&parts.0)? {
            0 => constant(&parts.2),
            _ => constant(&parts.1),
        },
        _ => None,
    }
}

fn folded(code: Code) -> Code {
    constant(&code).map_or(code, Code::Number)
}

pub(crate) fn unary(sign: Sign, value: i32) -> i32 {
    match sign {
        Sign::Not => i32::from(value == 0),
        Sign::Complement => !value,
        _ => value.wrapping_neg(),
    }
}

/// The value of an operation; none of a division by zero.
pub(crate) fn binary(sign: Sign, left: i32, right: i32) -> Option<i32> {
    Some(match sign {
        Sign::Plus => left.wrapping_add(right),
        Sign::Minus => left.wrapping_sub(right),
        Sign::Times => left.wrapping_mul(right),
        Sign::Divide if right == 0 => return None,
        Sign::Modulo if right == 0 => return None,
        Sign::Divide => left.wrapping_div(right),
        Sign::Modulo => left.wrapping_rem(right),
        Sign::ShiftLeft => left.wrapping_shl(right as u32),
        Sign::ShiftRight => left.wrapping_shr(right as u32),
        Sign::Less => i32::from(left < right),
        Sign::LessOrEqual => i32::from(left <= right),
        Sign::Greater => i32::from(left > right),
        Sign::GreaterOrEqual => i32::from(left >= right),
        Sign::Equal => i32::from(left == right),
        Sign::Different => i32::from(left != right),
        Sign::BitAnd => left & right,
        Sign::BitOr => left | right,
        Sign::BitXor => left ^ right,
        Sign::And => i32::from(left != 0 && right != 0),
        Sign::Or => i32::from(left != 0 || right != 0),
        Sign::Implies => i32::from(left == 0 || right != 0),
        Sign::Equivalent => i32::from((left != 0) == (right != 0)),
        _ => return None,
    })
}
