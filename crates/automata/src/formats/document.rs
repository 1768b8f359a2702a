//! What a reader hands back: named automata and transducers over one alphabet.

use std::sync::Arc;

use quotient_core::{Diagnostic, Source, Span};

use super::Format;
use super::draft::Draft;
use crate::{Alphabet, Nfa, Transducer};

/// Whether something reads words or relates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A set of words.
    Automaton,
    /// A relation between words.
    Transducer,
}

impl Kind {
    /// With its article, for messages.
    pub(crate) fn with_article(self) -> &'static str {
        match self {
            Kind::Automaton => "an automaton",
            Kind::Transducer => "a transducer",
        }
    }
}

/// An automaton or a transducer.
#[derive(Debug, Clone)]
pub enum Machine {
    /// A set of words.
    Automaton(Nfa),
    /// A relation between words.
    Transducer(Transducer),
}

impl Machine {
    /// Which of the two it is.
    pub fn kind(&self) -> Kind {
        match self {
            Machine::Automaton(_) => Kind::Automaton,
            Machine::Transducer(_) => Kind::Transducer,
        }
    }

    /// The alphabet of its labels.
    pub fn alphabet(&self) -> &Alphabet {
        match self {
            Machine::Automaton(nfa) => nfa.alphabet(),
            Machine::Transducer(transducer) => transducer.alphabet(),
        }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        match self {
            Machine::Automaton(nfa) => nfa.len(),
            Machine::Transducer(transducer) => transducer.len(),
        }
    }
}

impl From<Nfa> for Machine {
    fn from(nfa: Nfa) -> Machine {
        Machine::Automaton(nfa)
    }
}

impl From<Transducer> for Machine {
    fn from(transducer: Transducer) -> Machine {
        Machine::Transducer(transducer)
    }
}

/// What part a machine plays in the problem that its file states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The file does not say.
    Unspecified,
    /// The configurations to start from.
    Initial,
    /// A step.
    Transition,
    /// Configurations that must not be reached.
    Bad,
    /// The configurations that a game must reach.
    Goal,
    /// The moves of the first player of a game.
    FirstPlayer,
    /// The moves of the second player of a game.
    SecondPlayer,
}

/// A machine of a file, with its names.
#[derive(Debug, Clone)]
pub struct Named {
    /// What the file calls it; the file's own name if it does not.
    pub name: String,
    /// Its part in a problem.
    pub role: Role,
    /// The thing itself.
    pub machine: Machine,
    /// The names of the states, by number; for pictures and for writing.
    pub states: Vec<String>,
    /// Where the file shows that it is an automaton or a transducer.
    pub shown_at: Option<Span>,
}

impl Named {
    /// A machine without names for its states (writers make them up).
    pub fn new(name: impl Into<String>, role: Role, machine: impl Into<Machine>) -> Named {
        Named {
            name: name.into(),
            role,
            machine: machine.into(),
            states: Vec::new(),
            shown_at: None,
        }
    }
}

/// A file, read: machines over one common alphabet, and what there is to say about them.
#[derive(Debug, Clone)]
pub struct Document {
    /// The text it was read from.
    pub source: Source,
    /// The format it was read as.
    pub format: Format,
    /// The alphabet of all its machines, and of the files read together with it.
    pub alphabet: Alphabet,
    /// The machines in the order of the file.
    pub machines: Vec<Named>,
    /// Whether letters are classes of bit vectors: they are those that the files read together
    /// tell apart, so files of this kind that are to be compared must be read together.
    pub has_bits: bool,
    /// What was read, for letters that are found together with other files.
    pub(super) draft: Option<Arc<Draft>>,
    /// Settings that the file makes and that mean nothing here, as `name` or `name: value`.
    pub settings: Vec<String>,
    /// What is odd about the file, though it can be used.
    pub warnings: Vec<Diagnostic>,
}

/// The parts of a safety problem that a file states as a whole.
#[derive(Debug, Clone)]
pub struct Parts<'a> {
    /// The configurations to start from.
    pub initial: &'a Nfa,
    /// The steps with their names; their union is the transition relation.
    pub transitions: Vec<(&'a str, &'a Transducer)>,
    /// The sets that must not be reached, by the name of the property.
    pub bad: Vec<(&'a str, &'a Nfa)>,
}

impl Document {
    /// The one automaton of the file; an error that says what there is instead.
    pub fn automaton(&self) -> Result<&Nfa, Diagnostic> {
        let named = self.only(Kind::Automaton)?;
        match &named.machine {
            Machine::Automaton(nfa) => Ok(nfa),
            Machine::Transducer(_) => Err(self.other_kind(named, Kind::Automaton)),
        }
    }

    /// The one transducer of the file; an error that says what there is instead.
    pub fn transducer(&self) -> Result<&Transducer, Diagnostic> {
        let named = self.only(Kind::Transducer)?;
        match &named.machine {
            Machine::Transducer(transducer) => Ok(transducer),
            Machine::Automaton(_) => Err(self.other_kind(named, Kind::Transducer)),
        }
    }

    /// Which machine a part of a file is (`FILE#PART`): the one of that name or, if there is
    /// none, the one at that place, from 1; an error says what there is.
    pub fn part(&self, part: &str) -> Result<usize, Diagnostic> {
        let names = || self.machines.iter().map(|named| named.name.as_str());
        let place = || {
            let place: usize = part.parse().ok()?;
            (1..=self.machines.len())
                .contains(&place)
                .then(|| place - 1)
        };
        let found = names().position(|name| name == part).or_else(place);
        found.ok_or_else(|| {
            let there: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            Diagnostic::error("no-such-part", format!("there is no `{part}` in this file"))
                .in_source(&self.source)
                .note(format!("there is {}", there.join(", ")))
                .did_you_mean(part, names())
        })
    }

    /// Whether the file gives its machines parts in a problem.
    pub fn is_problem(&self) -> bool {
        self.machines
            .iter()
            .any(|named| named.role != Role::Unspecified)
    }

    /// The safety problem that the file states; an error names the part that is missing.
    pub fn problem(&self) -> Result<Parts<'_>, Diagnostic> {
        if self.machines.iter().any(|named| is_game(named.role)) {
            return Err(Diagnostic::error(
                "liveness-game",
                "the file states a liveness game, not a safety problem",
            )
            .in_source(&self.source)
            .note("its blocks are `I0`, `F`, `P1` and `P2`")
            .help("a safety problem has the blocks `Initial`, `Transition` and `Bad`"));
        }
        let automata = |wanted: Role| {
            self.machines.iter().filter_map(move |named| {
                match (&named.machine, named.role == wanted) {
                    (Machine::Automaton(nfa), true) => Some((named.name.as_str(), nfa)),
                    _ => None,
                }
            })
        };
        let transitions: Vec<_> = self
            .machines
            .iter()
            .filter_map(|named| match (&named.machine, named.role) {
                (Machine::Transducer(transducer), Role::Transition) => {
                    Some((named.name.as_str(), transducer))
                }
                _ => None,
            })
            .collect();
        let (_, initial) = automata(Role::Initial)
            .next()
            .ok_or_else(|| self.missing("initial set"))?;
        if transitions.is_empty() {
            return Err(self.missing("transition relation"));
        }
        let bad: Vec<_> = automata(Role::Bad).collect();
        if bad.is_empty() {
            return Err(self.missing("bad set"));
        }
        Ok(Parts {
            initial,
            transitions,
            bad,
        })
    }

    fn only(&self, wanted: Kind) -> Result<&Named, Diagnostic> {
        let mut fitting = self
            .machines
            .iter()
            .filter(|named| named.machine.kind() == wanted);
        match (fitting.next(), fitting.next(), self.machines.as_slice()) {
            (Some(named), None, _) | (None, None, [named]) => Ok(named),
            _ => {
                let names: Vec<_> = self
                    .machines
                    .iter()
                    .map(|named| format!("`{}`", named.name))
                    .collect();
                let message = format!(
                    "expected {}, found a file with {} automata and transducers",
                    wanted.with_article(),
                    names.len()
                );
                Err(Diagnostic::error("several-machines", message)
                    .in_source(&self.source)
                    .note(format!("they are {}", names.join(", ")))
                    .help("write the one that is meant into a file of its own"))
            }
        }
    }

    fn other_kind(&self, named: &Named, wanted: Kind) -> Diagnostic {
        let found = named.machine.kind();
        let message = format!(
            "expected {}, found {}",
            wanted.with_article(),
            found.with_article()
        );
        let diagnostic = Diagnostic::error("wrong-kind", message);
        let diagnostic = match named.shown_at {
            Some(span) => diagnostic.at(
                &self.source,
                span,
                match found {
                    Kind::Transducer => "this reads and writes",
                    Kind::Automaton => "this says that it is an automaton",
                },
            ),
            None => diagnostic.in_source(&self.source),
        };
        diagnostic.help(match found {
            Kind::Transducer => "its domain and its range are automata: `quotient automata domain`",
            Kind::Automaton => "write labels as `input/output`, or give another file",
        })
    }

    fn missing(&self, part: &str) -> Diagnostic {
        let names: Vec<_> = self
            .machines
            .iter()
            .map(|named| format!("`{}`", named.name))
            .collect();
        let diagnostic = Diagnostic::error("missing-part", format!("the problem has no {part}"))
            .in_source(&self.source);
        let diagnostic = match names.is_empty() {
            true => diagnostic.note("the file has no automata"),
            false => diagnostic.note(format!("the file has {}", names.join(", "))),
        };
        diagnostic.help("a problem has an initial set, a transition relation and a bad set")
    }
}

fn is_game(role: Role) -> bool {
    matches!(role, Role::FirstPlayer | Role::SecondPlayer | Role::Goal)
}
