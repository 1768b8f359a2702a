//! Automata, transducers and pictures out.

use clap::Args;
use quotient_automata::formats::{self, Format, Machine, Named};
use quotient_automata::pictures::{automaton_picture, transducer_picture};
use quotient_core::Diagnostic;
use quotient_language::Graph as Picture;
use quotient_report::svg;
use serde_json::{Value, json};

use super::input::{limits, named_format};
use crate::failure::Failure;
use crate::outputs::write_file;
use crate::reply::Reply;
use crate::session::Session;

/// Where a result goes, and as what.
#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct Output {
    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<String>,
    /// The format to write: timbuk, fsa, fsm, mata, slrp, json, dot or svg. By
    /// default what the name of the output says, else that of the input.
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    pub(super) to: Option<Target>,
}

/// A format that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A file of automata and transducers.
    Text(Format),
    /// A picture.
    Svg,
}

impl Target {
    /// The format that the name of a file asks for.
    pub(super) fn of_file(path: &str) -> Option<Target> {
        if path.to_ascii_lowercase().ends_with(".svg") {
            return Some(Target::Svg);
        }
        let (_, extension) = path.rsplit_once('.')?;
        Format::named(extension).map(Target::Text)
    }

    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Target::Text(format) => format.name(),
            Target::Svg => "SVG",
        }
    }
}

/// A format to write, by name.
pub(super) fn target(name: &str) -> Result<Target, String> {
    match name.to_ascii_lowercase().as_str() {
        "svg" => Ok(Target::Svg),
        _ => named_format(name)
            .map(Target::Text)
            .map_err(|error| error.replace("formats are ", "formats are svg, ")),
    }
}

impl Output {
    /// Writes machines; `usual` is the format if neither option nor file name says one.
    pub(super) fn deliver(
        &self,
        machines: &[Named],
        usual: Format,
        session: &Session,
    ) -> Result<Reply, Failure> {
        let path = self.output.as_deref().filter(|&path| path != "-");
        let target = self.to.or_else(|| path.and_then(Target::of_file));
        write(
            machines,
            target.unwrap_or(Target::Text(usual)),
            path,
            session,
        )
    }
}

/// Writes machines as a target to a file, or as the product if there is none.
pub(super) fn write(
    machines: &[Named],
    target: Target,
    path: Option<&str>,
    session: &Session,
) -> Result<Reply, Failure> {
    let mut reply = Reply::default();
    let (text, companions) = match target {
        Target::Svg => (svg(&picture(machines)?), Vec::new()),
        Target::Text(format) => {
            let written = formats::write(machines, format, &limits(session), &session.budget)?;
            reply.warnings = written.warnings;
            (written.text, written.companions)
        }
    };
    let summary: Vec<Value> = machines.iter().map(summary_json).collect();
    let mut result = json!({ "machines": summary, "format": target.name() });
    let Some(path) = path else {
        for (suffix, table) in &companions {
            reply.text.push_str(&format!(
                "note: the file `*{suffix}` is only written with -o\n"
            ));
            result["companions"][*suffix] = json!(table);
        }
        result["text"] = json!(text);
        reply.product = Some(text);
        reply.result = result;
        return Ok(reply);
    };
    write_file(path, &text)?;
    let mut paths = vec![path.to_owned()];
    for (suffix, table) in companions {
        let beside = format!("{path}{suffix}");
        write_file(&beside, &table)?;
        paths.push(beside);
    }
    for named in machines {
        reply
            .text
            .push_str(&format!("{path}: {}\n", summary_line(named)));
    }
    result["files"] = json!(paths);
    reply.result = result;
    Ok(reply)
}

/// The picture of the only machine.
fn picture(machines: &[Named]) -> Result<Picture, Diagnostic> {
    let [named] = machines else {
        let names: Vec<String> = machines
            .iter()
            .map(|named| format!("`{}`", named.name))
            .collect();
        let message = format!("a picture shows one automaton, here are {}", names.len());
        return Err(Diagnostic::error("several-machines", message)
            .note(format!("they are {}", names.join(", ")))
            .help("name one, as in `FILE#NAME`"));
    };
    Ok(match &named.machine {
        Machine::Automaton(nfa) => automaton_picture(&named.name, nfa, &named.states),
        Machine::Transducer(transducer) => {
            transducer_picture(&named.name, transducer, &named.states)
        }
    })
}

/// `automaton, 2 states, 3 edges, 4 letters`.
pub(super) fn summary_line(named: &Named) -> String {
    let (kind, states, edges) = sizes(&named.machine);
    let letters = named.machine.alphabet().len();
    format!(
        "{kind}, {}, {}, {}",
        count(states, "state"),
        count(edges, "edge"),
        count(letters, "letter")
    )
}

/// The same for programs.
pub(super) fn summary_json(named: &Named) -> Value {
    let (kind, states, edges) = sizes(&named.machine);
    json!({
        "name": named.name,
        "kind": kind,
        "states": states,
        "edges": edges,
        "letters": named.machine.alphabet().len(),
    })
}

/// The kind, the number of states and that of edges.
pub(super) fn sizes(machine: &Machine) -> (&'static str, usize, usize) {
    match machine {
        Machine::Automaton(nfa) => ("automaton", nfa.len(), nfa.edges().len()),
        Machine::Transducer(transducer) => {
            ("transducer", transducer.len(), transducer.edges().len())
        }
    }
}

/// `1 state`, `2 states`.
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
