//! The language at the seam: how texts are recognised and opened, and what a model can be asked.

mod certify;
mod certify_tree;
mod certify_wide;
mod control;
mod doubts;
mod fewer;
mod gallery;
mod in_tree;
mod instance;
mod invariants;
mod lasso;
mod model;
mod rounds;
mod runs;
mod settled;
mod show;
mod simulation;
mod teller;
mod wide;

use quotient_automata::formats::{self, Limits};
use quotient_core::{Context, Trouble};
use quotient_language::{
    About, Files, Format, Input, Language, Model, Setting, Settings, Sureness, Verb,
};
use quotient_regular::telling;

use crate::{Protocol, Topology};
use in_tree::InTree;
use model::Opened;

/// The protocol language, as front ends know it.
///
/// ```
/// use quotient_core::{Context, Source};
/// use quotient_language::{Ask, Input, NoFiles, Settings};
/// use quotient_protocol::LANGUAGE;
/// let text = "
///     process { location idle, critical }
///     step enter: when at = idle then at := critical
///     property mutex: never exists p, q: p.at = critical and q.at = critical
/// ";
/// let input = Input::text(&Source::new("lock.protocol", text));
/// let cx = Context::default();
/// let mut model = LANGUAGE.open(&input, &mut NoFiles, &Settings::default(), &cx)?;
/// let mut steps = 0;
/// model.check(&Ask::default(), &cx, &mut |answer| steps = answer.trace.map_or(0, |run| run.len()))?;
/// assert_eq!(steps, 2);
/// # Ok::<(), quotient_core::Trouble>(())
/// ```
pub const LANGUAGE: &dyn Language = &ProtocolLanguage;

struct ProtocolLanguage;

/// The most processes that an instance may have: its configurations are lists of them.
const MOST_PROCESSES: u64 = 100_000;

const ENDINGS: &[&str] = &["protocol"];

const ABOUT: About = About {
    id: "protocol",
    name: "protocol",
    text: "a model in the protocol language",
    line: "one process and how it sees the others, checked for every number of processes",
    endings: ENDINGS,
    offers: &[
        Verb::Check,
        Verb::Certify,
        Verb::Simulate,
        Verb::Instance,
        Verb::Show,
        Verb::Convert,
    ],
    settings: &[
        Setting::flag(
            "allow-empty",
            "Let properties hold of a protocol that has no first configuration; without this \
             they are unknown.",
        )
        .verbs(&[Verb::Check])
        .pinned(),
        telling::SETTINGS[0],
        telling::SETTINGS[1],
        telling::SETTINGS[2],
        telling::SETTINGS[3],
        telling::SETTINGS[4],
        Setting::whole(
            "processes",
            "N",
            "How many processes there are at the start; a run has 3 if that is not said.",
        )
        .short('n')
        .within(1, MOST_PROCESSES)
        .verbs(&[Verb::Simulate, Verb::Instance])
        .example("--processes 3"),
        Setting::text(
            "invariant",
            "PROPERTY",
            "Prove this property, and show the invariant that proves it.",
        )
        .verbs(&[Verb::Show])
        .example("--invariant mutex"),
    ],
    formats: FORMATS,
    starter: STARTER,
    methods: telling::methods,
    examples: gallery::EXAMPLES,
    guide: "docs/protocol-language.md",
};

const FORMATS: &[Format] = &[
    format("timbuk", &["tmb", "timbuk"], "Timbuk"),
    format("fsa", &["fsa", "pl"], "FSA utilities"),
    format(
        "fsm",
        &["fsm", "fst", "att"],
        "finite-state machines of AT&T",
    ),
    format("mata", &["mata", "vtf"], "Mata"),
    format("slrp", &["slrp"], "SLRP: a whole problem"),
    format("json", &["json"], "JSON: a whole problem"),
    format(
        wide::CUBICLE,
        &["cub"],
        "Cubicle's language, where the protocol fits into arrays",
    ),
    format("dot", &["dot", "gv"], "Graphviz, one picture or several"),
    format("formatted", &["protocol"], "the same text, laid out"),
];

const fn format(
    name: &'static str,
    endings: &'static [&'static str],
    line: &'static str,
) -> Format {
    Format {
        name,
        endings,
        line,
    }
}

const STARTER: &str = "\
// A lock: one process and how it sees the others, for any number of them.
protocol \"lock\"

process {
    location idle, waiting, critical
}

step request: when at = idle then at := waiting
step enter:   when at = waiting and forall other p: p.at != critical then at := critical
step leave:   when at = critical then at := idle

property mutex: never exists p, q: p.at = critical and q.at = critical
property goes_on: no deadlock
";

impl Language for ProtocolLanguage {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn recognises(&self, input: &Input) -> Sureness {
        let said = input
            .source()
            .map_or(Sureness::No, |source| looks_like(source.text()));
        said.with_ending(input.source().is_some() && input.has_ending(ENDINGS))
    }

    fn open(
        &self,
        input: &Input,
        files: &mut dyn Files,
        settings: &Settings,
        cx: &Context,
    ) -> Result<Box<dyn Model>, Trouble> {
        let source = input.require_text()?;
        let limits = Limits::default();
        cx.budget.poll()?;
        let protocol = Protocol::read(source, &mut |path| {
            let bytes = files.read(path)?;
            formats::decode(path, bytes, &limits).map_err(|error| error.message)
        })?;
        if protocol.topology() == Topology::Tree {
            return Ok(Box::new(InTree::new(protocol, settings, &cx.budget)?));
        }
        Ok(Box::new(Opened::new(protocol, settings.clone())))
    }
}

const TOPOLOGIES: [&str; 4] = ["line", "ring", "set", "tree"];

/// What the beginning of a text says.
fn looks_like(text: &str) -> Sureness {
    let rest = behind_comments(text);
    let (word, rest) = first_word(rest);
    let rest = rest.trim_start();
    let (next, _) = first_word(rest);
    match word {
        "protocol" if rest.starts_with('"') => Sureness::Certain,
        "topology" if TOPOLOGIES.contains(&next) => Sureness::Certain,
        "process" if rest.starts_with('{') => {
            let (first, rest) = first_word(behind_comments(&rest[1..]));
            let (_, behind) = first_word(rest.trim_start());
            let declares = rest.trim_start().starts_with(':') && !first.is_empty();
            match first == "location" && !behind.is_empty() || declares {
                true => Sureness::Certain,
                false => Sureness::Maybe,
            }
        }
        // Other languages have such words, too; our own declarations must follow.
        "protocol" | "assume" | "type" | "global" | "queue" | "lossy" | "stack" | "log"
        | "parameter" | "process" | "one" | "message" | "duplicating" | "ordered" | "rounds"
        | "define" | "initially" | "step" | "fair" | "strong" | "property" | "lemma"
            if !next.is_empty() && text.lines().any(is_ours) =>
        {
            Sureness::Maybe
        }
        _ => Sureness::No,
    }
}

/// Whether a line begins as a declaration that other languages do not have.
fn is_ours(line: &str) -> bool {
    let (word, rest) = first_word(line.trim_start());
    let rest = rest.trim_start();
    let (next, behind) = first_word(rest);
    match word {
        "topology" => TOPOLOGIES.contains(&next),
        "process" => rest.starts_with('{'),
        "step" => !next.is_empty() && behind.contains(':'),
        "property" => {
            let demand = behind.trim_start().strip_prefix(':').map(str::trim_start);
            let begins = ["never", "always", "eventually", "no deadlock", "for each"];
            demand.is_some_and(|demand| begins.iter().any(|word| demand.starts_with(word)))
        }
        _ => false,
    }
}

fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    text.split_at(end.unwrap_or(text.len()))
}

fn behind_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            return rest;
        };
        rest = end.map_or("", |end| rest[end..].trim_start());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_core::Source;

    fn sureness(name: &str, text: &str) -> Sureness {
        LANGUAGE.recognises(&Input::text(&Source::new(name, text)))
    }

    #[test]
    fn own_texts_are_recognised() {
        for example in gallery::EXAMPLES {
            let (name, text) = example.files[0];
            assert_eq!(sureness(name, text), Sureness::Certain, "{name}");
            assert_eq!(sureness("unnamed", text), Sureness::Certain, "{name}");
        }
        assert_eq!(sureness("x", STARTER), Sureness::Certain);
        for text in [
            "process { location a, b }",
            "/* x */ process { // y\n ready : bool }",
            "topology ring\nprocess { x : bool }",
        ] {
            assert_eq!(sureness("x", text), Sureness::Certain, "{text}");
        }
        for text in [
            "global x : bool = false\nprocess { location a }\n",
            "step go: when true then skip\n",
            "type t = { a, b }\nproperty p: never x = a\n",
            "parameter t\nassume n > 3 * t\ntopology set\n",
        ] {
            assert_eq!(sureness("x", text), Sureness::Maybe, "{text}");
            assert_eq!(sureness("x.protocol", text), Sureness::Likely, "{text}");
        }
    }

    #[test]
    fn texts_of_others_are_not() {
        for text in [
            "",
            "MODULE main\nVAR x : boolean;\n",
            "dtmc\nmodule die\n s : [0..7] init 0;\nendmodule\n",
            "global b : bool init true;\nmodule m\nendmodule\n",
            "global x : [0..2] init 0;\n",
            "#include <stdio.h>\nint main(void) { return 0; }\n",
            "int step; int main() { process(); }",
            "SWITCH = OFF, OFF = (on -> ON), ON = (off -> OFF).\n",
            "const N = 3\nproperty SAFE = (a -> SAFE).\n",
            "property P = (a -> P).\nprogress Q = {a}\n",
            "type int = 0..3",
            "{\"initial\": []}",
            "protocol buffers are something else",
        ] {
            assert_eq!(sureness("x", text), Sureness::No, "{text}");
            assert_eq!(sureness("x.protocol", text), Sureness::ByName, "{text}");
        }
        let binary = Input::bytes("x.protocol", vec![0, 1]);
        assert_eq!(LANGUAGE.recognises(&binary), Sureness::No);
        let folder = Input::folder("x.protocol", Vec::new());
        assert_eq!(LANGUAGE.recognises(&folder), Sureness::No);
    }

    #[test]
    fn the_examples_are_those_of_the_folder() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("gallery");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        let listed: Vec<&str> = (gallery::EXAMPLES.iter())
            .map(|example| example.files[0].0)
            .collect();
        assert_eq!(listed, files);
        for example in gallery::EXAMPLES {
            let (name, text) = example.files[0];
            let protocol = Protocol::parse(&Source::new(name, text)).unwrap();
            assert_eq!(protocol.title(), Some(example.title));
            assert_eq!(name, format!("{}.protocol", example.name));
        }
    }
}
