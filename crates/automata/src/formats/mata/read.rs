//! The reader of `.mata` and VTF files.

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};
use rustc_hash::FxHashMap;

use super::levels::{Levels, fuse};
use super::lines::{Word, each_line, each_line_with, no_transition};
use crate::formats::bits::MOST_BITS;
use crate::formats::draft::{Draft, DraftLabel, DraftMachine, Names};
use crate::formats::{Format, Kind, Role};

/// Reads all sections of a file.
pub(in crate::formats) fn read(source: &Source, budget: &Budget) -> Result<Draft, Trouble> {
    let mut draft = Draft::new(source, Format::Mata);
    let sections = sections(source, budget)?;
    for (index, (kind, start)) in sections.iter().enumerate() {
        let end = sections
            .get(index + 1)
            .map_or(source.text().len(), |(_, next)| next.start);
        let mut section = Section {
            source,
            type_at: *start,
            labels: *kind,
            span: Span::new(start.end, end),
            machine: DraftMachine::new("", Role::Unspecified, kind.machine()),
            levels: Levels::default(),
            alphabet: None,
            quoted_letters: false,
            settled: 0,
            epsilons: Vec::new(),
            positions: None,
            seen: FxHashMap::default(),
            keys_span_lines: false,
        };
        section.machine.shown_at = Some(*start);
        section.read(&mut draft, budget)?;
        let machine = match section.levels.is_used() {
            true => fuse(source, section.machine, &section.levels)?,
            false => section.machine,
        };
        draft.machines.push(machine);
    }
    Ok(draft)
}

/// What the labels of a section are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labels {
    Explicit,
    Bits,
    Vectors,
    Words,
}

impl Labels {
    fn machine(self) -> Kind {
        match self {
            Labels::Words => Kind::Transducer,
            _ => Kind::Automaton,
        }
    }
}

/// The sections with the places of their headings.
fn sections(source: &Source, budget: &Budget) -> Result<Vec<(Labels, Span)>, Trouble> {
    let mut found = Vec::new();
    let whole = Span::new(0, source.text().len());
    each_line_with('@', source, whole, budget, |words| {
        let heading = &words[0];
        if heading.quoted || !heading.text.starts_with('@') {
            return match found.is_empty() {
                true => Err(Diagnostic::error("syntax", "a section must come first")
                    .at(
                        source,
                        heading.span,
                        "expected `@NFA-explicit` or another type",
                    )
                    .into()),
                false => Ok(()),
            };
        }
        let labels = match heading.text.as_ref() {
            "@NFA" | "@NFA-explicit" | "@DFA" | "@DFA-explicit" => Labels::Explicit,
            "@NFA-bits" | "@DFA-bits" => Labels::Bits,
            "@NFA-BDD" => Labels::Vectors,
            "@NFT" | "@NFT-explicit" => Labels::Words,
            other => return Err(unknown_section(source, other, heading.span).into()),
        };
        found.push((labels, heading.span));
        Ok(())
    })?;
    match found.is_empty() {
        false => Ok(found),
        true => Err(Diagnostic::error("syntax", "the file has no section")
            .in_source(source)
            .help("begin with `@NFA-explicit` or another type")
            .into()),
    }
}

fn unknown_section(source: &Source, name: &str, span: Span) -> Diagnostic {
    let known = [
        "@NFA",
        "@NFA-explicit",
        "@NFA-bits",
        "@NFA-BDD",
        "@NFT",
        "@NFT-explicit",
    ];
    let diagnostic = Diagnostic::error(
        "unknown-section",
        format!("sections of type `{name}` are not read here"),
    )
    .at(
        source,
        span,
        "expected a type of word automata or transducers",
    );
    match name {
        _ if name.starts_with("@AFA") => {
            diagnostic.help("alternating automata: make it nondeterministic first (`@NFA-…`)")
        }
        _ if name.starts_with("@NTA") => diagnostic.help("tree automata: words are read here"),
        _ => diagnostic
            .note(format!("the types are `{}`", known.join("`, `")))
            .did_you_mean(name, known),
    }
}

/// The keys that mean something.
const KEYS: [&str; 11] = [
    "%Initial",
    "%Final",
    "%Name",
    "%States",
    "%Alphabet",
    "%Symbols",
    "%Epsilon",
    "%Levels",
    "%LevelsNum",
    "%Transitions",
    "%Symbol-Vars",
];

/// Kinds of alphabets and sets of states without a list here.
const PASSED_OVER: [&str; 3] = ["%Alphabet-", "%States-", "%Symbols-"];

pub(super) struct Section<'a> {
    pub(super) source: &'a Source,
    pub(super) type_at: Span,
    pub(super) labels: Labels,
    pub(super) span: Span,
    pub(super) machine: DraftMachine,
    pub(super) levels: Levels,
    /// The declared letters, if any are.
    pub(super) alphabet: Option<Names>,
    /// Whether one of them stands in quotes.
    pub(super) quoted_letters: bool,
    /// How many of them are letters of the file already.
    pub(super) settled: usize,
    pub(super) epsilons: Vec<String>,
    /// The length of vectors of bits, if it is given.
    pub(super) positions: Option<usize>,
    /// The labels over bits read so far, by their spelling.
    pub(super) seen: FxHashMap<&'a str, u32>,
    /// Whether `%Transitions` says where the lists of the other keys end.
    pub(super) keys_span_lines: bool,
}

impl<'a> Section<'a> {
    fn read(&mut self, draft: &mut Draft, budget: &Budget) -> Result<(), Trouble> {
        self.look_ahead(draft, budget)?;
        let (source, span) = (self.source, self.span);
        let mut key: Option<Word<'a>> = None;
        let mut in_transitions = !self.keys_span_lines;
        each_line(source, span, budget, |words| {
            let first = &words[0];
            if !first.quoted && first.text.starts_with('%') {
                in_transitions = !self.keys_span_lines || first.is("%Transitions");
                key = Some(first.clone());
                return self.key(first, &words[1..], draft);
            }
            match &key {
                Some(key) if !in_transitions => self.key(key, words, draft),
                _ => self.transition(words, draft),
            }
        })?;
        self.forget_unused_ranks(draft);
        self.settle_letters(draft);
        Ok(())
    }

    /// What must be known before the transitions: the bits, the letters, where keys end.
    fn look_ahead(&mut self, draft: &mut Draft, budget: &Budget) -> Result<(), Trouble> {
        let (source, span) = (self.source, self.span);
        each_line_with('%', source, span, budget, |words| {
            let first = &words[0];
            if !first.quoted && first.text.starts_with('%') {
                self.keys_span_lines |= first.is("%Transitions");
                if first.is("%Symbol-Vars") {
                    let count = words
                        .get(1)
                        .and_then(|word| word.text.parse::<usize>().ok());
                    let Some(count) = count else {
                        return Err(Diagnostic::error("syntax", "`%Symbol-Vars` has no number")
                            .at(source, first.span, "expected the number of bits after this")
                            .into());
                    };
                    if count > MOST_BITS {
                        let message = format!("{count} bits, the limit is {MOST_BITS}");
                        return Err(Diagnostic::error("too-large", message)
                            .at(source, words[1].span, "too many")
                            .into());
                    }
                    if self.positions.is_some_and(|before| before != count) {
                        let message = "`%Symbol-Vars` is given twice";
                        return Err(Diagnostic::error("given-twice", message)
                            .at(source, words[1].span, "another number than before")
                            .into());
                    }
                    self.positions = Some(count);
                    let bits = draft.bits.get_or_insert_default();
                    bits.positions = bits.positions.max(Some(count));
                }
            }
            Ok(())
        })?;
        if matches!(self.labels, Labels::Bits | Labels::Vectors) {
            draft.bits.get_or_insert_default();
        }
        if self.labels == Labels::Vectors && self.positions.is_none() {
            return Err(Diagnostic::error("syntax", "`%Symbol-Vars` is missing")
                .at(source, self.type_at, "this section has vectors of bits")
                .help("say how many: `%Symbol-Vars 8`")
                .into());
        }
        Ok(())
    }

    /// What letters mean is said before they are used: a line that was read is not read again.
    fn not_late(&self, key: &Word<'a>, values: &[Word<'a>]) -> Result<(), Diagnostic> {
        match self.machine.edges.is_empty() || values.is_empty() {
            true => Ok(()),
            false => {
                let message = format!("`{}` comes after transitions", key.text);
                Err(Diagnostic::error("late-key", message)
                    .at(self.source, key.span, "said too late")
                    .help(format!("put `{}` before them", key.text)))
            }
        }
    }

    fn key(
        &mut self,
        key: &Word<'a>,
        values: &[Word<'a>],
        draft: &mut Draft,
    ) -> Result<(), Trouble> {
        match key.text.as_ref() {
            "%Initial" => {
                let states = self.state_list(values)?;
                self.machine.initial.extend(states);
            }
            "%Final" => {
                let states = self.state_list(values)?;
                self.machine.accepting.extend(states);
            }
            "%Name" => {
                if let Some(name) = values.first() {
                    name.text.as_ref().clone_into(&mut self.machine.name);
                }
            }
            "%States" | "%States-enum" => {
                self.state_list(values)?;
            }
            "%Alphabet" | "%Alphabet-enum" | "%Symbols" | "%Symbols-enum"
                if matches!(self.labels, Labels::Explicit | Labels::Words) =>
            {
                self.not_late(key, values)?;
                draft.declared = true;
                let alphabet = self.alphabet.get_or_insert_default();
                for word in values {
                    self.quoted_letters |= word.quoted;
                    alphabet.intern(&word.text);
                }
            }
            "%Epsilon" => {
                self.not_late(key, values)?;
                if matches!(self.labels, Labels::Bits | Labels::Vectors) {
                    let message = "bits have no letter for ε";
                    return Err(Diagnostic::error("unknown-key", message)
                        .at(self.source, key.span, "it belongs to `@NFA-explicit`")
                        .into());
                }
                let words = values.iter().map(|word| word.text.to_string());
                self.epsilons.extend(words);
            }
            "%Levels" => {
                for word in values {
                    self.levels
                        .add(self.source, word, &mut self.machine.states)?;
                }
            }
            "%LevelsNum" | "%LevelsCnt" => match values.first().map(|word| word.text.as_ref()) {
                Some("2") => {}
                _ => {
                    let at = values.first().map_or(self.type_at, |word| word.span);
                    return Err(Diagnostic::error(
                        "levels",
                        "a transducer has two levels: input and output",
                    )
                    .at(self.source, at, "expected 2")
                    .into());
                }
            },
            "%Transitions" | "%Symbol-Vars" => {}
            other if PASSED_OVER.iter().any(|begin| other.starts_with(begin)) => {}
            // The letters of bits are what formulas tell apart, whatever is listed.
            "%Alphabet" | "%Symbols" => {}
            _ => self.unknown_key(key, values, draft)?,
        }
        Ok(())
    }

    /// A key that is nearly another one is a slip: what it says would be lost. Others are kept
    /// as they are, with a word of warning.
    fn unknown_key(
        &self,
        key: &Word<'a>,
        values: &[Word<'a>],
        draft: &mut Draft,
    ) -> Result<(), Diagnostic> {
        let name = key.text.as_ref();
        let message = format!("there is no key `{name}`");
        if let Some(near) = quotient_core::nearest(name, KEYS) {
            return Err(Diagnostic::error("unknown-key", message)
                .at(self.source, key.span, "not looked at")
                .help(format!("did you mean `{near}`?")));
        }
        draft
            .warnings
            .push(Diagnostic::warning("unknown-key", message).at(
                self.source,
                key.span,
                "not looked at",
            ));
        let values: Vec<&str> = values.iter().map(|word| word.text.as_ref()).collect();
        draft.settings.push(
            format!("{} {}", &name[1..], values.join(" "))
                .trim_end()
                .to_owned(),
        );
        Ok(())
    }

    /// Refuses `true` and `false` as names of states, unless quoted: in lists of states they may
    /// be formulas.
    fn no_constant(&self, word: &Word<'a>) -> Result<(), Diagnostic> {
        if !word.is("true") && !word.is("false") {
            return Ok(());
        }
        let message = format!("`{}` is no state", word.text);
        Err(Diagnostic::error("syntax", message)
            .at(self.source, word.span, "expected the names of states")
            .help(format!(
                "list the states; if it is the name of one: `\"{}\"`",
                word.text
            )))
    }

    /// States, possibly joined by `|`; other formulas belong to alternating automata. `false`
    /// alone is no state at all.
    fn state_list(&mut self, values: &[Word<'a>]) -> Result<Vec<u32>, Trouble> {
        let mut states = Vec::new();
        for word in values {
            if word.is("&") || word.is("!") {
                return Err(Diagnostic::error(
                    "alternating",
                    format!(
                        "`{}` between states: this is an alternating automaton",
                        word.text
                    ),
                )
                .at(self.source, word.span, "expected a list of states")
                .help("make it nondeterministic first: `%Initial q0 q1` means any of them")
                .into());
            }
            if word.is("false") && values.len() == 1 {
                break;
            }
            self.no_constant(word)?;
            if !["|", "(", ")"].into_iter().any(|mark| word.is(mark)) {
                states.push(self.machine.states.intern(&word.text));
            }
        }
        Ok(states)
    }

    fn transition(&mut self, words: &[Word<'a>], draft: &mut Draft) -> Result<(), Trouble> {
        let expected = match self.labels {
            Labels::Explicit => "`state letter state`",
            Labels::Bits => "`state formula state`",
            Labels::Vectors => "`state vector state`",
            Labels::Words => "`state (input) (output) state`",
        };
        let ([from, label @ .., to], true) = (words, words.len() >= 3) else {
            return Err(no_transition(self.source, words, expected).into());
        };
        if let Some(mark) = [from, to]
            .into_iter()
            .find(|word| !word.quoted && matches!(word.text.as_ref(), "(" | ")" | "&" | "|" | "!"))
        {
            return Err(Diagnostic::error(
                "syntax",
                format!("expected a state, found `{}`", mark.text),
            )
            .at(self.source, mark.span, "expected a state")
            .note(format!("a line is {expected}"))
            .into());
        }
        self.no_constant(from)?;
        self.no_constant(to)?;
        let source = self.machine.states.intern(&from.text);
        let target = self.machine.states.intern(&to.text);
        match self.labels {
            Labels::Explicit => {
                let label = self.explicit(label, draft)?;
                let label = label.map_or(DraftLabel::SILENT, DraftLabel::Copy);
                self.machine.edge(source, label, target);
            }
            Labels::Bits | Labels::Vectors => {
                let label = self.bit_label(label, draft)?;
                self.machine.edges.push((source, label, target));
            }
            Labels::Words => self.word_pair(words, source, label, target, draft)?,
        }
        Ok(())
    }
}
