//! What there is to see of a protocol.

use quotient_automata::formats::{Machine, Named};
use quotient_automata::pictures::{automaton_picture_in_words, transducer_picture_in_words};
use quotient_automata::{Label, Predicate};
use quotient_core::{Diagnostic, Source, nearest};
use quotient_language::text::wrap;
use quotient_protocol::{Compiled, InWords, Protocol, Topology};
use serde_json::{Value, json};

use super::{Facts, Show, letters, line};
use crate::check::protocol;
use crate::detect::{Detected, Foreign, detect};
use crate::failure::Failure;
use crate::outputs::{self, count};
use crate::reply::Reply;
use crate::session::Session;

/// Whether a text is a protocol.
pub(super) fn is_protocol(source: &Source) -> bool {
    detect(source) == Some(Detected::Foreign(Foreign::Protocol))
}

/// Shows the whole protocol, one of its parts, or an invariant.
pub(super) fn run(
    show: &Show,
    source: &Source,
    part: Option<&str>,
    session: &Session,
) -> Result<Reply, Failure> {
    if let Some(property) = &show.invariant {
        return invariant(show, source, property, session);
    }
    let (protocol, compiled) = protocol::compile(source, session)?;
    let model = Model { protocol, compiled };
    let document = protocol::document(source, &model.compiled);
    match part {
        None => model.whole(show, source, &document.machines, session),
        Some(part) => model.part(show, source, &document.machines, part, session),
    }
}

struct Model {
    protocol: Protocol,
    compiled: Compiled,
}

impl Model {
    /// The control flow, and which automata there are.
    fn whole(
        &self,
        show: &Show,
        source: &Source,
        machines: &[Named],
        session: &Session,
    ) -> Result<Reply, Failure> {
        let flows = self.protocol.control_flow(&self.compiled);
        let order = match self.protocol.topology() {
            Topology::Line => "in a line",
            Topology::Ring => "in a ring",
            Topology::Set => "in no order",
        };
        let mut text = format!("{}: protocol", source.name());
        if let Some(title) = self.protocol.title() {
            text += &format!(" \"{title}\"");
        }
        if self.protocol.has_processes() {
            text += &format!(", processes {order}");
        }
        text = wrap(&text, 80).replace('\n', "\n    ") + "\n";
        line(&mut text, "letters", &letters(self.compiled.alphabet()));
        let names: Vec<&str> = self.protocol.property_names().collect();
        if !names.is_empty() {
            line(&mut text, "properties", &names.join(", "));
        }
        for flow in &flows {
            text.push('\n');
            for line in flow.text().lines() {
                text += &hanging(line);
            }
        }
        text.push('\n');
        let width = machines.iter().map(|named| named.name.chars().count());
        let width = width.max().unwrap_or(0).min(40);
        for named in machines {
            let (kind, states, edges) = outputs::sizes(&named.machine);
            let (states, edges) = (count(states, "state"), count(edges, "edge"));
            text += &format!("#{:<width$}  {kind}, {states}, {edges}\n", named.name);
        }
        let facts: Vec<Facts<'_>> = machines
            .iter()
            .map(|named| Facts::of(named, &session.budget))
            .collect();
        let mut reply = Reply {
            text,
            result: self.result(source, &facts),
            ..Reply::default()
        };
        reply.result["control"] = json!(flows);
        let title = self.protocol.title().unwrap_or(source.name());
        show.draw(&mut reply, &protocol::control_picture(title, &flows))?;
        Ok(reply)
    }

    /// One automaton or transducer, in letters and in words.
    fn part(
        &self,
        show: &Show,
        source: &Source,
        machines: &[Named],
        part: &str,
        session: &Session,
    ) -> Result<Reply, Failure> {
        let names = || machines.iter().map(|named| named.name.as_str());
        let Some(named) = machines.iter().find(|named| named.name == part) else {
            let message = format!("there is no `{part}` in this file");
            let there: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            return Err(Diagnostic::error("no-such-part", message)
                .in_source(source)
                .note(format!("there is {}", there.join(", ")))
                .did_you_mean(part, names())
                .into());
        };
        let facts = Facts::of(named, &session.budget);
        let mut text = format!("{}#{part}: protocol\n", source.name());
        line(&mut text, "alphabet", &letters(self.compiled.alphabet()));
        text.push('\n');
        facts.write(&mut text);
        let meaning = |set: &Predicate| self.protocol.condition(&self.compiled, set);
        let title = named.name.as_str();
        let picture = match &named.machine {
            Machine::Automaton(nfa) => automaton_picture_in_words(title, nfa, &meaning),
            Machine::Transducer(transducer) => {
                transducer_picture_in_words(title, transducer, &meaning)
            }
        };
        let moves = self.moves(&named.machine);
        line(&mut text, "moves", &moves.join("\n"));
        let mut reply = Reply {
            text,
            result: self.result(source, std::slice::from_ref(&facts)),
            ..Reply::default()
        };
        reply.result["moves"] = json!(moves);
        show.draw(&mut reply, &picture)?;
        Ok(reply)
    }

    /// The moves of a machine in the words of the source.
    fn moves(&self, machine: &Machine) -> Vec<String> {
        let said = |set: &Predicate| {
            let words = self.protocol.condition(&self.compiled, set);
            words.unwrap_or_else(|| format!("one of {} letters", set.len()))
        };
        let side = |set: &Option<Predicate>| set.as_ref().map_or("nothing".to_owned(), said);
        match machine {
            Machine::Automaton(nfa) => nfa
                .edges()
                .iter()
                .map(|edge| {
                    let letters = side(nfa.label(edge));
                    format!("{} to {}: {letters}", edge.source.0, edge.target.0)
                })
                .collect(),
            Machine::Transducer(transducer) => transducer
                .edges()
                .iter()
                .map(|edge| {
                    let label = match transducer.label(edge) {
                        Label::Copy(letters) => said(letters),
                        Label::Pair(input, output) => {
                            format!("{} → {}", side(input), side(output))
                        }
                    };
                    format!("{} to {}: {label}", edge.source.0, edge.target.0)
                })
                .collect(),
        }
    }

    fn result(&self, source: &Source, facts: &[Facts<'_>]) -> Value {
        json!({
            "file": source.name(),
            "format": "protocol",
            "alphabet": self.compiled.alphabet().names().collect::<Vec<_>>(),
            "machines": facts.iter().map(Facts::json).collect::<Vec<_>>(),
        })
    }
}

/// Proves a property and shows what proves it.
fn invariant(
    show: &Show,
    source: &Source,
    property: &str,
    session: &Session,
) -> Result<Reply, Failure> {
    let (protocol, compiled) = protocol::compile(source, session)?;
    let known: Vec<&str> = protocol.property_names().collect();
    if !known.contains(&property) {
        let message = format!("there is no property `{property}`");
        let mut error = Diagnostic::error("no-such-property", message).in_source(source);
        if let Some(near) = nearest(property, known.iter().copied()) {
            error = error.help(format!("did you mean `{near}`?"));
        }
        return Err(error.into());
    }
    let found = protocol::invariant(source, &protocol, &compiled, property, session)?;
    let mut text = format!("{}: an invariant for {property}\n", source.name());
    line(&mut text, "states", &found.len().to_string());
    let told = protocol.in_words(&compiled, &found, &session.budget)?;
    match &told {
        Some(told) => in_words(&mut text, told),
        None => line(&mut text, "automaton", "too large to be told in words"),
    }
    let mut reply = Reply {
        text,
        result: json!({
            "file": source.name(),
            "format": "protocol",
            "property": property,
            "invariant": told,
        }),
        ..Reply::default()
    };
    let configurations = found.intersection(compiled.configurations(), &session.budget)?;
    let smallest = configurations.canonical(&session.budget)?.to_nfa();
    let meaning = |set: &Predicate| protocol.condition(&compiled, set);
    let title = format!("an invariant for {property}");
    show.draw(
        &mut reply,
        &automaton_picture_in_words(title, &smallest, &meaning),
    )?;
    Ok(reply)
}

fn in_words(text: &mut String, told: &InWords) {
    if let Some(expression) = &told.expression {
        line(text, "expression", expression);
    }
    line(text, "automaton", &told.automaton_text().join("\n"));
    for (number, (name, condition)) in told.legend().iter().enumerate() {
        let head = if number == 0 { "where" } else { "" };
        line(text, head, &format!("{name}  {condition}"));
    }
}

/// A line, broken with what follows further to the right.
fn hanging(text: &str) -> String {
    let indent = text.len() - text.trim_start().len();
    let deeper = " ".repeat(indent + 4);
    let wrapped = wrap(text.trim_start(), 76 - indent).replace('\n', &format!("\n{deeper}"));
    format!("{}{wrapped}\n", " ".repeat(indent))
}
