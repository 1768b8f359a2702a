//! Which format a text is in, from what it says; the name of its file only helps where the
//! text could be several.

use quotient_automata::formats::Format;
use quotient_core::Source;

/// What a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detected {
    /// A format of automata and transducers.
    Automata(Format),
    /// Something that other parts of Quotient read.
    Foreign(Foreign),
}

/// Texts that are no automata files, but are known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// A labelled transition system in Aldebaran format.
    Aldebaran,
    /// A model in the SMV language.
    Smv,
    /// Processes in the FSP language.
    Fsp,
    /// A parameterised system in the protocol language.
    Protocol,
    /// An ω-automaton in the Hanoi format.
    Hoa,
    /// A problem as a TOML manifest.
    Manifest,
    /// A configuration of the original tool for abstract regular model checking.
    ArmcProperties,
}

impl Foreign {
    /// What it is, for messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Foreign::Aldebaran => "a labelled transition system (Aldebaran)",
            Foreign::Smv => "an SMV model",
            Foreign::Fsp => "an FSP model",
            Foreign::Protocol => "a model in the protocol language",
            Foreign::Hoa => "an ω-automaton in the Hanoi format",
            Foreign::Manifest => "a problem manifest (TOML)",
            Foreign::ArmcProperties => "a configuration in the style of `armc.properties`",
        }
    }
}

/// Finds out what a text is; `None` if nothing fits.
pub(crate) fn detect(source: &Source) -> Option<Detected> {
    let beginning = Beginning::of(source.text());
    let automata = |format| Some(Detected::Automata(format));
    let foreign = |what| Some(Detected::Foreign(what));
    match beginning.first_word {
        "Ops" | "Automaton" => return automata(Format::Timbuk),
        "des" if beginning.next == Some('(') => return foreign(Foreign::Aldebaran),
        "fa" if beginning.next == Some('(') => return automata(Format::Fsa),
        "HOA" if beginning.next == Some(':') => return foreign(Foreign::Hoa),
        "MODULE" => return foreign(Foreign::Smv),
        "digraph" | "graph" | "strict" => return automata(Format::Dot),
        "Initial" | "Transition" | "Bad" | "I0" | "F" | "P1" | "P2"
            if beginning.next == Some('{') =>
        {
            return automata(Format::Slrp);
        }
        "protocol" if beginning.next == Some('"') => return foreign(Foreign::Protocol),
        "process" if beginning.next == Some('{') => return foreign(Foreign::Protocol),
        "topology" | "global" | "assume" | "define" | "initially" | "lossy" | "step"
            if beginning.next.is_some_and(char::is_alphabetic) =>
        {
            return foreign(Foreign::Protocol);
        }
        _ => {}
    }
    match beginning.first {
        Some('@') => return automata(Format::Mata),
        Some('{') => return automata(Format::Json),
        _ => {}
    }
    let named = by_name(source.name());
    match named {
        // Its declarations come in any order, so its lines say little.
        Some(Detected::Foreign(Foreign::Protocol)) => named,
        _ => by_lines(source.text()).or(named),
    }
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
fn by_lines(text: &str) -> Option<Detected> {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| {
            !line.is_empty()
                && !line.starts_with(['#', '%'])
                && !line.starts_with("//")
                && !line.starts_with("--")
        })
        .take(100)
        .collect();
    let first = lines.first()?;
    let is_armc = |line: &str| {
        line.split_once('=').is_some_and(|(key, _)| {
            let key = key.trim();
            key.contains('_')
                && key
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        })
    };
    if is_armc(first) {
        return Some(Detected::Foreign(Foreign::ArmcProperties));
    }
    if lines
        .iter()
        .any(|line| *line == "Transitions" || line.starts_with("Final States"))
    {
        return Some(Detected::Automata(Format::Timbuk));
    }
    if lines.iter().any(|line| block_opens(line)) {
        return Some(Detected::Automata(Format::Slrp));
    }
    if lines
        .iter()
        .any(|line| line.starts_with("MODULE ") || *line == "VAR" || *line == "ASSIGN")
    {
        return Some(Detected::Foreign(Foreign::Smv));
    }
    if lines.iter().all(|line| is_fsm_line(line)) {
        return Some(Detected::Automata(Format::Fsm));
    }
    let is_process = |line: &&str| {
        let defines = line.split_once('=').is_some_and(|(name, body)| {
            let is_name = |c: char| c.is_ascii_uppercase() || c == '|' || c == '@';
            name.trim().starts_with(is_name) && body.contains(['(', '|'])
        });
        let declares = [
            "||",
            "property ",
            "const ",
            "range ",
            "fluent ",
            "progress ",
        ];
        defines || declares.iter().any(|word| line.starts_with(word))
    };
    if first.starts_with('[') && first.ends_with(']') || is_assignment(first) {
        return Some(Detected::Foreign(Foreign::Manifest));
    }
    if lines.iter().take(20).any(is_process) {
        return Some(Detected::Foreign(Foreign::Fsp));
    }
    None
}

fn block_opens(line: &str) -> bool {
    const BLOCKS: [&str; 7] = ["Initial", "Transition", "Bad", "I0", "F", "P1", "P2"];
    BLOCKS.iter().any(|block| {
        line.strip_prefix(block)
            .is_some_and(|rest| rest.trim_start().starts_with('{'))
    })
}

/// `init = "…"` or `transitions = ["…"]`, as TOML has it.
fn is_assignment(line: &str) -> bool {
    line.split_once('=').is_some_and(|(key, value)| {
        let key = key.trim();
        !key.is_empty()
            && key
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b'-')
            && value.trim_start().starts_with(['"', '[', '\''])
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

/// The extension decides only for a text that shows nothing, such as an empty machine.
fn by_name(name: &str) -> Option<Detected> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension {
        "aut" => Some(Detected::Foreign(Foreign::Aldebaran)),
        "smv" => Some(Detected::Foreign(Foreign::Smv)),
        "lts" | "fsp" => Some(Detected::Foreign(Foreign::Fsp)),
        "protocol" => Some(Detected::Foreign(Foreign::Protocol)),
        "toml" => Some(Detected::Foreign(Foreign::Manifest)),
        "properties" => Some(Detected::Foreign(Foreign::ArmcProperties)),
        _ => Format::named(name).map(Detected::Automata),
    }
}
