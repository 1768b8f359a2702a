//! What readers build: machines whose labels still speak of letters by name.
//!
//! The alphabet of a problem is that of all its files together, and `not_in {…}` means the
//! rest of *that* alphabet. So a text is first read into a draft; [`resolve`](super::resolve)
//! makes automata and transducers of one or several drafts.

use quotient_core::{Diagnostic, Source, Span};
use rustc_hash::FxHashMap;

use super::bits::BitFormulas;
use super::{Format, Kind, Role};

/// Names with dense numbers in the order of their first occurrence.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    list: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Names {
    /// The number of a name, new or not.
    pub(super) fn intern(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.list.len() as u32;
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The number of a name that was interned before.
    pub(super) fn get(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Gives a name another spelling, unless that is taken.
    pub(super) fn rename(&mut self, old: &str, new: &str) {
        if self.numbers.contains_key(new) {
            return;
        }
        if let Some(number) = self.numbers.remove(old) {
            new.clone_into(&mut self.list[number as usize]);
            self.numbers.insert(new.to_owned(), number);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }

    pub(super) fn name(&self, number: u32) -> &str {
        &self.list[number as usize]
    }

    pub(super) fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// A set of letters, by their numbers in the draft.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Letters {
    /// Exactly these, sorted.
    In(Box<[u32]>),
    /// All of the alphabet of the problem but these, sorted.
    NotIn(Box<[u32]>),
    /// The vectors that satisfy a formula over bits, by its number in the draft.
    Formula(u32),
}

impl Letters {
    pub(super) fn one(letter: u32) -> Letters {
        Letters::In([letter].into())
    }

    pub(super) fn listed(mut letters: Vec<u32>, complement: bool) -> Letters {
        letters.sort_unstable();
        letters.dedup();
        match complement {
            true => Letters::NotIn(letters.into()),
            false => Letters::In(letters.into()),
        }
    }
}

/// The label of an edge. In an automaton, a copy stands for the letters read and the silent
/// move for ε, so that an automaton is also the transducer that copies its words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum DraftLabel {
    /// Reads and writes independently; a missing side is ε.
    Pair(Option<Letters>, Option<Letters>),
    /// Writes what it reads.
    Copy(Letters),
}

impl DraftLabel {
    pub(super) const SILENT: DraftLabel = DraftLabel::Pair(None, None);

    pub(super) fn is_silent(&self) -> bool {
        *self == DraftLabel::SILENT
    }

    /// Whether only a transducer has such a label.
    pub(super) fn is_pair(&self) -> bool {
        matches!(self, DraftLabel::Pair(..)) && !self.is_silent()
    }
}

/// A machine in the making.
#[derive(Debug, Clone)]
pub(super) struct DraftMachine {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) kind: Kind,
    /// Where the text shows the kind.
    pub(super) shown_at: Option<Span>,
    pub(super) states: Names,
    pub(super) initial: Vec<u32>,
    pub(super) accepting: Vec<u32>,
    pub(super) labels: Vec<DraftLabel>,
    numbers: FxHashMap<DraftLabel, u32>,
    fresh: usize,
    /// Source, label, target.
    pub(super) edges: Vec<(u32, u32, u32)>,
}

impl DraftMachine {
    pub(super) fn new(name: impl Into<String>, role: Role, kind: Kind) -> DraftMachine {
        DraftMachine {
            name: name.into(),
            role,
            kind,
            shown_at: None,
            states: Names::default(),
            initial: Vec::new(),
            accepting: Vec::new(),
            labels: Vec::new(),
            numbers: FxHashMap::default(),
            fresh: 0,
            edges: Vec::new(),
        }
    }

    pub(super) fn edge(&mut self, source: u32, label: DraftLabel, target: u32) {
        let label = self.label(label);
        self.edges.push((source, label, target));
    }

    /// The number of a label; equal labels are kept once.
    pub(super) fn label(&mut self, label: DraftLabel) -> u32 {
        if let Some(&number) = self.numbers.get(&label) {
            return number;
        }
        let number = self.labels.len() as u32;
        self.labels.push(label.clone());
        self.numbers.insert(label, number);
        number
    }

    /// An edge that reads one word and writes another, through states of its own.
    pub(super) fn word_edge(
        &mut self,
        source: u32,
        input: Vec<Letters>,
        output: Vec<Letters>,
        target: u32,
    ) {
        let steps = input.len().max(output.len()).max(1);
        let (mut input, mut output) = (input.into_iter(), output.into_iter());
        let mut from = source;
        for step in 1..=steps {
            let to = match step == steps {
                true => target,
                false => self.fresh_state(source),
            };
            self.edge(from, DraftLabel::Pair(input.next(), output.next()), to);
            from = to;
        }
    }

    /// A state that the text does not name.
    pub(super) fn fresh_state(&mut self, near: u32) -> u32 {
        // The counter never goes back, so that names made to collide cost no more than once.
        loop {
            let name = format!("{}_{}", self.states.name(near), self.fresh);
            self.fresh += 1;
            if self.states.get(&name).is_none() {
                return self.states.intern(&name);
            }
        }
    }

    /// A transducer as soon as a label reads and writes.
    pub(super) fn show_kind(&mut self, kind: Kind, at: Span) {
        self.kind = kind;
        self.shown_at.get_or_insert(at);
    }
}

/// A file, read but not yet over an alphabet.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) source: Source,
    pub(super) format: Format,
    pub(super) letters: Names,
    /// Whether the file itself declares its alphabet.
    pub(super) declared: bool,
    /// The formulas over bits, until letters are found for them.
    pub(super) bits: Option<BitFormulas>,
    pub(super) has_bits: bool,
    pub(super) machines: Vec<DraftMachine>,
    pub(super) settings: Vec<String>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Draft {
    pub(super) fn new(source: &Source, format: Format) -> Draft {
        Draft {
            source: source.clone(),
            format,
            letters: Names::default(),
            declared: false,
            bits: None,
            has_bits: false,
            machines: Vec::new(),
            settings: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
