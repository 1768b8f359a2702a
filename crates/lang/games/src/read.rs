//! Files of the tool SLRP: blocks with automata and transducers, and options.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Cursor, Parsed};

use crate::text::Word::{self, Name, Sign};
use crate::text::words;

/// A file as it is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    pub(crate) blocks: Vec<Block>,
    pub(crate) options: Vec<(String, Span)>,
}

/// An automaton or a transducer.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) states: Vec<String>,
    pub(crate) initial: Vec<u32>,
    pub(crate) accepting: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
}

/// A move: of an automaton with one letter, of a transducer with two, or a silent one.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) label: Label,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Label {
    Silent,
    Letter(String),
    Pair(String, String),
}

/// The blocks, with whether they are transducers.
pub(crate) const BLOCKS: [(&str, bool); 5] = [
    ("I0", false),
    ("F", false),
    ("P1", true),
    ("P2", true),
    ("Enabled", false),
];

/// Options that say what is asked; all others tell the tool SLRP how to search.
pub(crate) const EVERYWHERE: &str = "closedUnderTransitions";

/// Options of SLRP that are known and not needed.
const IGNORED: [&str; 11] = [
    "transducerStateGuessing",
    "automatonStateGuessing",
    "initAutomatonStateGuessing",
    "symmetries",
    "explicitChecksUntilLength",
    "useRankingFunctions",
    "monolithicWitness",
    "noPrecomputedInvariant",
    "logLevel",
    "parallel",
    "encoding",
];

impl Block {
    pub(crate) fn is_transducer(&self) -> bool {
        BLOCKS.contains(&(self.name.as_str(), true))
    }
}

impl File {
    pub(crate) fn block(&self, name: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| block.name == name)
    }

    pub(crate) fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|(option, _)| option == name)
    }

    /// Options that are known to nobody.
    pub(crate) fn warnings(&self, source: &Source) -> Vec<Diagnostic> {
        let known = |name: &str| name == EVERYWHERE || IGNORED.contains(&name);
        let unknown = self.options.iter().filter(|(name, _)| !known(name));
        unknown
            .map(|(name, span)| {
                let message = format!("there is no option `{name}`: it is left out");
                Diagnostic::warning("unknown-option", message)
                    .at(source, *span, "")
                    .did_you_mean(name, IGNORED.into_iter().chain([EVERYWHERE]))
            })
            .collect()
    }
}

/// Whether a text begins as these files do.
pub(crate) fn begins(source: &Source) -> bool {
    let (words, _) = words(source);
    let text = |at: usize| {
        let token = words.get(at)?;
        source.text().get(token.span.range())
    };
    text(0).is_some_and(|name| BLOCKS.iter().any(|(block, _)| *block == name))
        && text(1) == Some("{")
}

/// Reads a file; all mistakes at once.
pub(crate) fn read(source: &Source) -> Result<File, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut cursor: Cursor<'_, Word> = Cursor::new(source, tokens);
    let mut file = File::default();
    while !cursor.is_at_end() && !cursor.is_hopeless() {
        let from = cursor.position();
        if let Err(mistake) = entry(&mut cursor, &mut file) {
            cursor.mistake(mistake);
            cursor.recover(from, |kind| matches!(kind, Sign("}" | ";")));
            cursor.advance();
        }
    }
    for (name, needed) in [("I0", true), ("F", true), ("P2", true)] {
        if needed && file.block(name).is_none() {
            cursor.mistake(missing(source, name));
        }
    }
    if file.block("P1").is_none() && file.block("Enabled").is_none() {
        cursor.mistake(missing(source, "P1").help("or `Enabled`, for fair schedulers"));
    }
    if let (Some(_), Some(enabled)) = (file.block("P1"), file.block("Enabled")) {
        let message = "there is `P1` and `Enabled`: who may be chosen is said twice";
        let error = Diagnostic::error("said-twice", message);
        cursor.mistake(error.at(source, enabled.span, "leave out one of them"));
    }
    cursor.finish(file)
}

fn missing(source: &Source, name: &str) -> Diagnostic {
    Diagnostic::error("no-block", format!("there is no block `{name}`"))
        .in_source(source)
        .note("a game has `I0` (initial words), `F` (goal), `P1` and `P2` (moves of the players)")
}

/// A block or an option.
fn entry(cursor: &mut Cursor<'_, Word>, file: &mut File) -> Parsed<()> {
    let span = name(cursor, "a block or an option")?;
    let text = cursor.text(span);
    if cursor.is(Sign("{")) {
        let Some(&(known, pairs)) = BLOCKS.iter().find(|(block, _)| *block == text) else {
            let error = Diagnostic::error("unknown-block", format!("there is no block `{text}`"));
            let error = error.at(cursor.source(), span, "");
            cursor.mistake(error.did_you_mean(text, BLOCKS.map(|(block, _)| block)));
            while !cursor.takes(Sign("}")) && !cursor.is_at_end() {
                cursor.advance();
            }
            return Ok(());
        };
        if file.block(known).is_some() {
            let error = Diagnostic::error("declared-twice", format!("there are two `{known}`"));
            return Err(error.at(cursor.source(), span, "the second one"));
        }
        let block = block(cursor, known, span, pairs)?;
        file.blocks.push(block);
        return Ok(());
    }
    while !cursor.is(Sign(";")) {
        if cursor.is_at_end() {
            return Err(cursor.unexpected("`;` after an option"));
        }
        cursor.advance();
    }
    cursor.advance();
    file.options.push((text.to_owned(), span));
    Ok(())
}

fn name(cursor: &mut Cursor<'_, Word>, what: &str) -> Parsed<Span> {
    match cursor.is(Name) {
        true => Ok(cursor.advance().span),
        false => Err(cursor.unexpected(what)),
    }
}

fn block(cursor: &mut Cursor<'_, Word>, name: &str, span: Span, pairs: bool) -> Parsed<Block> {
    cursor.expect(Sign("{"))?;
    let mut block = Block {
        name: name.to_owned(),
        span,
        states: Vec::new(),
        initial: Vec::new(),
        accepting: Vec::new(),
        edges: Vec::new(),
    };
    let mut numbers = std::collections::HashMap::new();
    let mut ends = false;
    while !cursor.takes(Sign("}")) {
        let from = cursor.position();
        if cursor.is_at_end() {
            return Err(cursor.unexpected("`}` at the end of the block"));
        }
        if let Err(mistake) = line(cursor, &mut block, &mut numbers, pairs, &mut ends) {
            if cursor.is_hopeless() {
                return Err(mistake);
            }
            cursor.mistake(mistake);
            cursor.recover(from, |kind| matches!(kind, Sign(";" | "}")));
            cursor.takes(Sign(";"));
        }
    }
    if block.initial.is_empty() {
        let message = format!("`{name}` has no initial state");
        let error = Diagnostic::error("no-initial-state", message).at(cursor.source(), span, "");
        cursor.mistake(error.help("begin the block with `init: STATE;`"));
    }
    if !ends {
        let message = format!("`{name}` does not say which states accept");
        let error = Diagnostic::error("no-accepting-states", message);
        let error = error.at(cursor.source(), span, "");
        cursor.mistake(error.help("end the block with `accepting: STATE, …;`"));
    }
    Ok(block)
}

/// `init: s;`, `accepting: s, t;`, or a move.
fn line(
    cursor: &mut Cursor<'_, Word>,
    block: &mut Block,
    numbers: &mut std::collections::HashMap<String, u32>,
    pairs: bool,
    ends: &mut bool,
) -> Parsed<()> {
    let span = name(cursor, "a move, `init` or `accepting`")?;
    let text = cursor.text(span);
    if cursor.takes(Sign(":")) {
        let mut listed = Vec::new();
        while cursor.is(Name) {
            let state = cursor.advance().span;
            listed.push(number(cursor.text(state), block, numbers));
            if !cursor.takes(Sign(",")) {
                break;
            }
        }
        match text {
            "init" if listed.is_empty() => return Err(cursor.unexpected("a state")),
            "init" => block.initial.extend(listed),
            "accepting" => {
                block.accepting.extend(listed);
                *ends = true;
            }
            _ => {
                let message = format!("`{text}:` means nothing in a block");
                let error = Diagnostic::error("syntax", message).at(cursor.source(), span, "");
                return Err(error.did_you_mean(text, ["init", "accepting"]));
            }
        }
        return end_of_line(cursor);
    }
    cursor.expect(Sign("->"))?;
    let target = name(cursor, "a state")?;
    let from = number(text, block, numbers);
    let to = number(cursor.text(target), block, numbers);
    let label = if cursor.is(Name) {
        let read = cursor.advance().span;
        let letter = cursor.text(read).to_owned();
        match pairs {
            false => Label::Letter(letter),
            true => {
                cursor.expect(Sign("/"))?;
                let written = name(cursor, "the letter that is written")?;
                Label::Pair(letter, cursor.text(written).to_owned())
            }
        }
    } else {
        Label::Silent
    };
    block.edges.push(Edge { from, to, label });
    end_of_line(cursor)
}

/// `;`, which may be missing before `}`.
fn end_of_line(cursor: &mut Cursor<'_, Word>) -> Parsed<()> {
    match cursor.is(Sign("}")) {
        true => Ok(()),
        false => cursor.expect(Sign(";")).map(|_| ()),
    }
}

fn number(
    name: &str,
    block: &mut Block,
    numbers: &mut std::collections::HashMap<String, u32>,
) -> u32 {
    if let Some(&known) = numbers.get(name) {
        return known;
    }
    let number = block.states.len() as u32;
    block.states.push(name.to_owned());
    numbers.insert(name.to_owned(), number);
    number
}
