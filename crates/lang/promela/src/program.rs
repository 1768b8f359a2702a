//! Programs as the machine runs them: variables are numbers of cells, statements are edges
//! between locations.

use quotient_core::Source;

use crate::events::Watch;
use crate::lex::At;
use crate::syntax::Sign;

/// How a value is cut to fit its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    Bits(u8),
    Short,
    Int,
}

impl Width {
    /// What is left of a value.
    pub(crate) fn cut(self, value: i32) -> i32 {
        match self {
            Width::Bits(bits) if bits < 32 => value & ((1_i64 << bits) - 1) as i32,
            Width::Short => i32::from(value as i16),
            _ => value,
        }
    }
}

/// What a value means to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    Number,
    Truth,
    Message,
    Channel,
}

/// A cell with a name.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) width: Width,
    pub(crate) meaning: Meaning,
}

/// Where a variable is.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) global: bool,
    pub(crate) base: u32,
    /// An index, how many there are, and how far they are apart.
    pub(crate) indexes: Vec<(Code, u32, u32)>,
    pub(crate) width: Width,
}

/// An expression.
#[derive(Debug, Clone)]
pub(crate) enum Code {
    Number(i32),
    Load(Box<Place>),
    Unary(Sign, Box<Code>),
    Binary(Sign, Box<(Code, Code)>),
    Choice(Box<(Code, Code, Code)>),
    Length(Box<Code>),
    /// Whether a channel is full.
    Full(Box<Code>),
    Poll {
        channel: Box<Code>,
        pattern: Vec<Pattern>,
        anywhere: bool,
    },
    /// Whether a process of this type is at one of these locations.
    At {
        process: usize,
        number: Option<Box<Code>>,
        location: u32,
    },
    Remote {
        process: usize,
        number: Option<Box<Code>>,
        place: Box<Place>,
    },
    Enabled(Box<Code>),
    /// The priority of a process by its number; 0 if there is none.
    Priority(Box<Code>),
    Counter(Box<Code>),
    Pid,
    Processes,
    Last,
    Timeout,
    NoProgress,
}

/// What a field of a message must be, or where it goes.
#[derive(Debug, Clone)]
pub(crate) enum Pattern {
    Any,
    Equals(Code),
    Store(Place),
}

/// What a step does.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Guard(Code),
    Assign(Place, Code),
    Send {
        channel: Code,
        values: Vec<Code>,
        sorted: bool,
    },
    Receive {
        channel: Code,
        pattern: Vec<Pattern>,
        anywhere: bool,
        keep: bool,
    },
    Assert(Code),
    Run {
        process: usize,
        arguments: Vec<Code>,
        result: Option<Place>,
        priority: i32,
    },
    /// A process by its number gets a priority.
    Prioritize(Code, Code),
    Skip,
    Else,
    /// Steps from a location on that are one step.
    Whole(u32),
    /// The end of a process.
    End,
}

/// A step of a process.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) action: Action,
    pub(crate) at: At,
    /// Whether the process goes on before all others.
    pub(crate) keeps: bool,
    /// Locations whose steps come before this one.
    pub(crate) unless: Vec<u32>,
}

/// A place between statements.
#[derive(Debug, Clone, Default)]
pub(crate) struct Location {
    pub(crate) edges: Vec<Edge>,
    pub(crate) labels: Vec<String>,
    pub(crate) end: bool,
    pub(crate) progress: bool,
    pub(crate) accept: bool,
    /// The `d_step` that it is inside of; 0 if of none.
    pub(crate) whole: u32,
    /// Whether it is inside of something that is one step.
    pub(crate) hidden: bool,
}

/// A channel that is made with a process or at the start.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) slot: u32,
    pub(crate) shape: u32,
}

/// What a channel is like.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) capacity: u32,
    pub(crate) fields: Vec<(Width, Meaning)>,
}

impl Shape {
    /// The cells of its messages.
    pub(crate) fn cells(&self) -> usize {
        self.capacity as usize * self.fields.len()
    }
}

/// A proctype.
#[derive(Debug, Clone)]
pub(crate) struct Proctype {
    pub(crate) name: String,
    pub(crate) parameters: usize,
    pub(crate) slots: Vec<Slot>,
    /// Which of these are its own.
    pub(crate) own: std::ops::Range<usize>,
    /// What variables begin with, in order.
    pub(crate) starts: Vec<(Place, Code)>,
    pub(crate) channels: Vec<Made>,
    pub(crate) locations: Vec<Location>,
    pub(crate) start: u32,
    pub(crate) active: u32,
    /// The priority of those that are there from the start.
    pub(crate) priority: i32,
    pub(crate) provided: Option<Code>,
    pub(crate) at: At,
}

/// A formula with its atoms.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) at: Option<At>,
    pub(crate) formula: quotient_logic::Formula<u32>,
    pub(crate) atoms: Vec<Code>,
}

/// An event trace by its name; what it watches, if it only sends and receives.
#[derive(Debug, Clone)]
pub(crate) struct Events {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) watch: Option<Watch>,
}

/// A program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) files: Vec<Source>,
    pub(crate) messages: Vec<String>,
    pub(crate) globals: Vec<Slot>,
    pub(crate) starts: Vec<(Place, Code)>,
    pub(crate) channels: Vec<Made>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) proctypes: Vec<Proctype>,
    pub(crate) claims: Vec<Proctype>,
    pub(crate) checks: Vec<Check>,
    pub(crate) traces: Vec<Events>,
    /// Whether something asks for the process that moved last.
    pub(crate) uses_last: bool,
    /// Whether every process has its priority behind its parameters, and the highest go first.
    pub(crate) uses_priorities: bool,
}

impl Program {
    /// The text of a place, on one line.
    pub(crate) fn words(&self, at: At) -> String {
        let text = self.files.get(at.file as usize).map_or("", Source::text);
        let text = text.get(at.span.range()).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.join(" ");
        match words.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words,
        }
    }

    /// What a step is called.
    pub(crate) fn action(&self, edge: &Edge) -> String {
        match &edge.action {
            Action::End => "-end-".to_owned(),
            Action::Else => "else".to_owned(),
            _ => self.words(edge.at),
        }
    }

    /// A value as people write it.
    pub(crate) fn value(&self, value: i32, meaning: Meaning) -> String {
        match meaning {
            Meaning::Number => value.to_string(),
            Meaning::Truth => value.to_string(),
            Meaning::Message => {
                let name = usize::try_from(value).ok().and_then(|at| at.checked_sub(1));
                let name = name.and_then(|at| self.messages.get(at));
                name.cloned().unwrap_or_else(|| value.to_string())
            }
            Meaning::Channel if value == 0 => "none".to_owned(),
            Meaning::Channel => format!("channel {value}"),
        }
    }
}
