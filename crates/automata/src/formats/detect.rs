//! Which format a text is in, from what it says; the name of its file only helps where the
//! text could be several.

use quotient_core::{Diagnostic, Source};

use super::Format;

/// What shows the format of a text, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clue {
    /// Only the ending of its name.
    Name,
    /// How its lines look, which those of other languages may as well.
    Lines,
    /// How it begins, as only this format does.
    Beginning,
}

/// Finds out which of these formats a text is in, and what shows it; `None` if nothing fits.
///
/// ```
/// use quotient_automata::formats::{Clue, Format, detect};
/// use quotient_core::Source;
/// let text = Source::new("step", "% a comment\nfa(r(fsa_preds),1,[0],[],[],[]).");
/// assert_eq!(detect(&text), Some((Format::Fsa, Clue::Beginning)));
/// assert_eq!(detect(&Source::new("init", "MODULE main")), None);
/// ```
pub fn detect(source: &Source) -> Option<(Format, Clue)> {
    let beginning = Beginning::of(source.text());
    let certain = |format| Some((format, Clue::Beginning));
    match beginning.first_word {
        "Ops" | "Automaton" => return certain(Format::Timbuk),
        "fa" if beginning.next == Some('(') => return certain(Format::Fsa),
        "digraph" | "graph" | "strict" => return certain(Format::Dot),
        "Initial" | "Transition" | "Bad" | "I0" | "F" | "P1" | "P2"
            if beginning.next == Some('{') =>
        {
            return certain(Format::Slrp);
        }
        _ => {}
    }
    match beginning.first {
        // A format of Markov chains begins with `@type:`.
        Some('@') if !is_heading(source.text(), "type:") => return certain(Format::Mata),
        // Others write JSON, too: it is one of ours if it names states.
        Some('{') if source.text().contains("\"initialStates\"") => {
            return certain(Format::Json);
        }
        Some('{') => return Some((Format::Json, Clue::Lines)),
        _ => {}
    }
    let by_lines = by_lines(source.text()).map(|format| (format, Clue::Lines));
    // The extension decides only for a text that shows nothing, such as an empty machine.
    let by_name = || {
        let (_, extension) = source.name().rsplit_once('.')?;
        Format::named(extension).map(|format| (format, Clue::Name))
    };
    by_lines.or_else(by_name)
}

/// Whether the first `@` of a text stands before some word.
fn is_heading(text: &str, word: &str) -> bool {
    let rest = text.find('@').map(|at| &text[at + 1..]);
    rest.is_some_and(|rest| rest.starts_with(word))
}

/// The first word after comments of any kind, and what follows it.
struct Beginning<'a> {
    first: Option<char>,
    first_word: &'a str,
    next: Option<char>,
}

impl<'a> Beginning<'a> {
    fn of(text: &'a str) -> Beginning<'a> {
        let mut rest = text.trim_start();
        loop {
            let after = if rest.starts_with(['#', '%', ';'])
                || rest.starts_with("//")
                || rest.starts_with("--")
            {
                rest.find('\n').map_or("", |end| &rest[end..])
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or("", |end| &rest[end + 2..])
            } else if rest.starts_with(":-") {
                // A directive before a Prolog term.
                rest.find(".\n").map_or("", |end| &rest[end + 2..])
            } else {
                break;
            };
            rest = after.trim_start();
        }
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        Beginning {
            first: rest.chars().next(),
            first_word: &rest[..end],
            next: rest[end..].trim_start().chars().next(),
        }
    }
}

/// Formats that show in how their lines look, from the first hundred that are no comments.
fn by_lines(text: &str) -> Option<Format> {
    let is_comment = |line: &str| {
        line.starts_with(['#', '%']) || line.starts_with("//") || line.starts_with("--")
    };
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !is_comment(line))
        .take(100)
        .collect();
    let is_timbuk = |line: &&str| *line == "Transitions" || line.starts_with("Final States");
    if lines.iter().any(is_timbuk) {
        return Some(Format::Timbuk);
    }
    if lines.iter().any(|line| block_opens(line)) {
        return Some(Format::Slrp);
    }
    let is_fsm = !lines.is_empty() && lines.iter().all(|line| is_fsm_line(line));
    is_fsm.then_some(Format::Fsm)
}

fn block_opens(line: &str) -> bool {
    super::slrp::BLOCKS.iter().any(|(block, ..)| {
        line.strip_prefix(block)
            .is_some_and(|rest| rest.trim_start().starts_with('{'))
    })
}

/// Two numbers for the states of an edge and up to three more words, or a final state.
fn is_fsm_line(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    let is_number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
    match words.len() {
        1 => words.iter().filter(is_number).count() == 1,
        2 => is_number(&&words[0]) && words[1].parse::<f64>().is_ok(),
        3..=5 => words[..2].iter().filter(is_number).count() == 2,
        _ => false,
    }
}

/// The format to read a text as; an error says that it is none.
pub(super) fn readable(source: &Source) -> Result<Format, Diagnostic> {
    match detect(source) {
        Some((Format::Dot, _)) => Err(write_only(source)),
        Some((format, _)) => Ok(format),
        None if source.text().trim().is_empty() => {
            Err(Diagnostic::error("empty-file", "the file is empty").in_source(source))
        }
        None => Err(unknown(source)),
    }
}

/// The error for a format that is only written.
pub(super) fn write_only(source: &Source) -> Diagnostic {
    Diagnostic::error("write-only", "Graphviz files are written, not read")
        .in_source(source)
        .help("give the automaton in Timbuk, FSA, FSM, mata, SLRP or JSON")
}

fn unknown(source: &Source) -> Diagnostic {
    let text = source.text();
    let start = text.len() - text.trim_start().len();
    let line = text[start..].lines().next().unwrap_or_default();
    let shown: usize = line.chars().take(60).map(char::len_utf8).sum();
    let word = line.split_whitespace().next().unwrap_or_default();
    let span = quotient_core::Span::new(start, start + shown);
    let error = Diagnostic::error("unknown-format", "this is no automaton file")
        .at(source, span, "no known format begins like this")
        .note(
            "Timbuk begins with `Ops`, FSA with `fa(`, mata with `@`, SLRP with a block such as \
             `Initial {`, JSON with `{`; FSM has lines `source target letter`",
        );
    if word.starts_with("HOA:") {
        return error.help("automata on infinite words are not read here");
    }
    error
        .did_you_mean(word, ["Ops", "Automaton", "fa", "@NFA-explicit", "Initial"])
        .help("or name the format: `--from timbuk`")
}
