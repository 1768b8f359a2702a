//! Instances: a fixed number of processes, one configuration after the other.
//!
//! This is the plain reading of a protocol. It shares nothing with the compiler but the syntax
//! tree, so that each checks the other.

mod beginning;
mod conditions;
mod initial;
mod instance;
mod progress;
mod readings;
mod replay;
mod steps;

use quotient_automata::{Letter, Word};
use quotient_core::{Budget, Stop};

use crate::compile::{Compiled, Part};
use crate::model::{Protocol, Value};

pub(crate) use beginning::{AboutValues, Beginning};
pub use instance::{Explored, Repeating, Violation};
use readings::Seen;
pub use replay::Replayed;

/// A state of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Configuration {
    pub(crate) globals: Vec<Value>,
    /// From left to right.
    pub(crate) processes: Vec<Vec<Value>>,
    pub(crate) channels: Vec<Vec<Value>>,
    /// Whom processes that read one by one have seen; nothing where no step does.
    pub(crate) seen: Seen,
}

/// A step as it was taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Taken {
    /// The name of the step, or `lose` and the name of a queue.
    pub step: String,
    /// The places, from 0, of the process that took it (if one did) and of those it named.
    pub people: Vec<usize>,
    /// For each process afterwards, its place before; `None` if it was created.
    pub origins: Vec<Option<usize>>,
}

/// Runs instances of a protocol.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_protocol::{Interpreter, Protocol};
/// let text = "
///     process { location idle, critical }
///     step enter: when at = idle and forall other p: p.at = idle then at := critical
///     step leave: when at = critical then at := idle
/// ";
/// let protocol = Protocol::parse(&Source::new("lock.protocol", text))?;
/// let compiled = protocol.compile(&Budget::unlimited())?;
/// let interpreter = Interpreter::new(&protocol, &compiled);
/// let explored = interpreter.explore(3, &Budget::unlimited())?;
/// assert_eq!(explored.configurations, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Interpreter<'a> {
    protocol: &'a Protocol,
    /// For the names of letters, and the languages of regular expressions over them; nothing
    /// where the protocol does not fit into words.
    compiled: Option<&'a Compiled>,
    /// How long it may think. Once it has stopped, whatever comes out means nothing: those who
    /// ask look at it afterwards.
    budget: Budget,
    /// Whether looking at somebody is a step of its own.
    lazy: bool,
}

/// So many values of processes are kept at a time, in all configurations together.
pub(crate) const MOST_KEPT: usize = 32_000_000;

impl<'a> Interpreter<'a> {
    /// An interpreter for a protocol, with all the time in the world.
    pub fn new(protocol: &'a Protocol, compiled: &'a Compiled) -> Self {
        Interpreter {
            compiled: Some(compiled),
            ..Interpreter::plain(protocol)
        }
    }

    /// An interpreter for a protocol that does not speak of words anywhere.
    pub(crate) fn plain(protocol: &'a Protocol) -> Self {
        Interpreter {
            protocol,
            compiled: None,
            budget: Budget::unlimited(),
            lazy: false,
        }
    }

    /// The same where looking at somebody is a step of its own, for asking what must happen: who
    /// reads one by one may look at the wrong moments for ever.
    #[must_use]
    pub(crate) fn lazily(self) -> Self {
        Interpreter { lazy: true, ..self }
    }

    /// The same within a budget.
    #[must_use]
    pub fn within(self, budget: &Budget) -> Self {
        Interpreter {
            budget: budget.clone(),
            ..self
        }
    }

    /// How many configurations of a size can be kept.
    pub(crate) fn room_for(&self, processes: usize) -> usize {
        (MOST_KEPT / self.weight(processes)).max(2)
    }

    /// How many values a configuration of a size keeps: where steps read one by one, also who
    /// has seen whom.
    fn weight(&self, processes: usize) -> usize {
        let pairs = processes.saturating_mul(processes);
        let seen = self.protocol.readings().count().saturating_mul(pairs);
        let carried = self.protocol.pairs.len().saturating_mul(pairs);
        seen.saturating_add(carried)
            .saturating_add(processes)
            .saturating_add(1)
    }

    /// There is no room for more.
    fn no_room() -> Stop {
        Stop::bound("the values of processes kept", MOST_KEPT as u64)
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    pub(crate) fn protocol(&self) -> &Protocol {
        self.protocol
    }

    /// A configuration as a word over the letters of the protocol; `None` if some values never
    /// come about.
    pub fn word(&self, configuration: &Configuration) -> Option<Word> {
        let letters = self.compiled?.source_letters();
        let mut parts = Vec::new();
        if !self.protocol.globals.is_empty() {
            parts.push(Part::Globals(configuration.globals.clone()));
        }
        parts.extend(configuration.processes.iter().cloned().map(Part::Process));
        for (channel, contents) in configuration.channels.iter().enumerate() {
            parts.push(Part::Separator(channel));
            parts.extend(contents.iter().map(|&value| Part::Content(channel, value)));
        }
        parts.iter().map(|part| letters.letter(part)).collect()
    }

    /// A word as a configuration, whatever the compiler added left out. Nobody has read before.
    pub fn configuration(&self, word: &[Letter]) -> Configuration {
        let channels = vec![Vec::new(); self.protocol.channels.len()];
        let mut configuration = Configuration {
            globals: Vec::new(),
            processes: Vec::new(),
            channels,
            seen: Vec::new(),
        };
        let fields = self.protocol.fields.len();
        for &letter in word {
            let Some(compiled) = self.compiled else { break };
            match compiled.letters.part(letter) {
                Part::Globals(values) => {
                    let own = self.protocol.globals.len();
                    configuration.globals = values.iter().take(own).copied().collect();
                }
                Part::Process(values) => {
                    configuration.processes.push(values[..fields].to_vec());
                }
                Part::Separator(_) => {}
                Part::Content(channel, value) => configuration.channels[*channel].push(*value),
            }
        }
        self.look_first(&mut configuration);
        configuration
    }
}
