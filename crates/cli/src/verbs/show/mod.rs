//! `quotient show FILE [NAME]`

mod component;
mod protocol;

use clap::Args;
use quotient_automata::formats::{Format, Machine, Named, Role};
use quotient_automata::{Alphabet, Expression, Nfa, Predicate, Transducer, Word};
use quotient_core::{Budget, Diagnostic};
use quotient_language::Graph as Picture;
use quotient_report::{dot, svg};
use serde_json::{Value, json};

use crate::check::components::constant;
use crate::check::is_components;
use crate::failure::Failure;
use crate::files::{self, Input, ReadOptions};
use crate::outputs::{self, Target, count, write_file};
use crate::reply::Reply;
use crate::session::Session;

/// Tell what is in a file, and draw it.
///
/// Of a protocol the control flow is told and drawn: how the locations, or other enumerations,
/// follow each other. FILE#NAME shows one of its automata and transducers. Of a model of
/// components all that it defines is listed, or one process or composite is shown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  quotient show model.tmb
  quotient show model.tmb --svg model.svg
  quotient show problem.json#init --dot - | dot -Tpdf > init.pdf
  quotient show lock.protocol --svg lock.svg
  quotient show lock.protocol#enter --svg enter.svg
  quotient show lock.protocol --invariant mutex --svg invariant.svg
  quotient show client_server.lts SERVER --svg server.svg
  quotient show client_server.lts SYSTEM --minimise
  quotient show client_server.lts SYSTEM --structure --svg structure.svg")]
pub(crate) struct Show {
    /// The file; `-` for standard input, FILE#NAME for one part.
    file: String,
    /// Of a model of components, the process or composite to show.
    name: Option<String>,
    /// Of a model of components: give a constant of the text another value.
    #[arg(long = "constant", value_name = "NAME=VALUE", value_parser = constant)]
    constants: Vec<(String, i32)>,
    /// Of a component: minimise it first, silent steps not counted.
    #[arg(long, conflicts_with = "structure")]
    minimise: bool,
    /// Of a composite: its components and what they share, instead of its states.
    #[arg(long)]
    structure: bool,
    /// Draw it as a standalone SVG; `-` for standard output.
    #[arg(long, value_name = "OUT")]
    svg: Option<String>,
    /// Write it for Graphviz; `-` for standard output.
    #[arg(long, value_name = "OUT")]
    dot: Option<String>,
    /// Of a protocol, check this property and show the invariant that proves it.
    #[arg(long, value_name = "PROPERTY")]
    invariant: Option<String>,
    #[command(flatten)]
    reading: ReadOptions,
}

impl Show {
    pub(super) fn run(&self, session: &Session) -> Result<Reply, Failure> {
        let (path, part) = files::split(&self.file);
        let source = files::source(path, session)?;
        if self.reading.from.is_none() && is_components(&source) {
            return self.component(&source, part, session);
        }
        let wrong = self.name.is_some() || self.minimise || self.structure;
        if wrong || !self.constants.is_empty() {
            let message = "an option for components is given, and this is no model of components";
            return Err(Diagnostic::error("usage", message)
                .help("one part of another file is `FILE#NAME`")
                .into());
        }
        if self.reading.from.is_none() && protocol::is_protocol(&source) {
            return protocol::run(self, &source, part, session);
        }
        if self.invariant.is_some() {
            let message = "--invariant is about the properties of a protocol, and this is none";
            return Err(Diagnostic::error("usage", message).into());
        }
        let input = files::read_source(source, part, None, &self.reading, session)?;
        let _busy = session.busy("looking for words");
        let facts: Vec<Facts> = input
            .machines()
            .iter()
            .map(|named| Facts::of(named, &session.budget))
            .collect();
        let mut reply = Reply {
            text: text(&input, &facts),
            result: json!({
                "file": input.document.source.name(),
                "format": input.language(),
                "alphabet": input.document.alphabet.names().collect::<Vec<_>>(),
                "machines": facts.iter().map(Facts::json).collect::<Vec<_>>(),
            }),
            warnings: input.document.warnings.clone(),
            ..Reply::default()
        };
        self.draw_machines(&mut reply, input.machines(), session)?;
        Ok(reply)
    }

    /// Draws the only machine, or writes all for Graphviz.
    fn draw_machines(
        &self,
        reply: &mut Reply,
        machines: &[Named],
        session: &Session,
    ) -> Result<(), Failure> {
        let pictures = [
            (&self.svg, Target::Svg),
            (&self.dot, Target::Text(Format::Dot)),
        ];
        for (out, target) in pictures {
            let Some(out) = out else { continue };
            let path = Some(out.as_str()).filter(|&path| path != "-");
            let drawn = outputs::write(machines, target, path, session)?;
            reply.warnings.extend(drawn.warnings);
            reply.product = drawn.product.or(reply.product.take());
            if path.is_some() {
                reply.text.push_str(&format!("wrote {out}\n"));
            }
        }
        Ok(())
    }

    /// Draws a picture where it is wanted.
    fn draw(&self, reply: &mut Reply, picture: &Picture) -> Result<(), Failure> {
        let drawings = [(&self.svg, svg(picture)), (&self.dot, dot(picture))];
        for (out, drawing) in drawings {
            match out.as_deref() {
                None => {}
                Some("-") => reply.product = Some(drawing),
                Some(path) => {
                    write_file(path, &drawing)?;
                    reply.text.push_str(&format!("wrote {path}\n"));
                }
            }
        }
        Ok(())
    }
}

/// What there is to know about a machine.
struct Facts<'a> {
    named: &'a Named,
    initial: usize,
    accepting: usize,
    /// Facts by name: for people, for programs.
    more: Vec<(&'static str, String, Value)>,
}

/// How many words are shown, and how long it may take to find them.
const SAMPLES: usize = 5;
const SAMPLE_WORK: u64 = 200_000;

impl<'a> Facts<'a> {
    fn of(named: &'a Named, budget: &Budget) -> Facts<'a> {
        let budget = budget.child_with_work(SAMPLE_WORK);
        let (initial, accepting, more) = match &named.machine {
            Machine::Automaton(nfa) => (
                nfa.initial().len(),
                nfa.accepting().count_ones(..),
                automaton_facts(nfa, &budget),
            ),
            Machine::Transducer(transducer) => (
                transducer.initial().len(),
                transducer.accepting().count_ones(..),
                transducer_facts(transducer, &budget),
            ),
        };
        Facts {
            named,
            initial,
            accepting,
            more,
        }
    }

    fn write(&self, out: &mut String) {
        let (kind, states, edges) = outputs::sizes(&self.named.machine);
        let role = role(self.named.role)
            .map(|role| format!(" ({role})"))
            .unwrap_or_default();
        out.push_str(&format!("{kind} {}{role}\n", self.named.name));
        let states = format!(
            "{states} ({} initial, {} accepting)",
            self.initial, self.accepting
        );
        line(out, "states", &states);
        line(out, "edges", &edges.to_string());
        for (name, text, _) in &self.more {
            let name = match *name {
                "epsilon" => "ε-moves",
                "lengthPreserving" => "same lengths",
                other => other,
            };
            line(out, name, text);
        }
    }

    fn json(&self) -> Value {
        let mut object = outputs::summary_json(self.named);
        object["role"] = json!(role(self.named.role));
        object["initial"] = json!(self.initial);
        object["accepting"] = json!(self.accepting);
        for (name, _, value) in &self.more {
            object[*name] = value.clone();
        }
        object
    }
}

fn automaton_facts(nfa: &Nfa, budget: &Budget) -> Vec<(&'static str, String, Value)> {
    let mut facts = vec![
        yes_or_no("deterministic", is_deterministic(nfa)),
        yes_or_no("epsilon", nfa.has_epsilon()),
        yes_or_no("empty", nfa.is_empty_language()),
    ];
    let words: Vec<String> = shortest_words(nfa, budget)
        .iter()
        .map(|word| nfa.alphabet().show(word))
        .collect();
    let text = if words.is_empty() {
        "none".to_owned()
    } else {
        words.join("\n")
    };
    // Worth showing only if it can be taken in at a glance.
    if let Ok(Some(expression)) = Expression::of(nfa, 16, budget) {
        let text = expression.to_string();
        facts.push(("expression", text.clone(), json!(text)));
    }
    facts.push(("words", text, json!(words)));
    facts
}

fn transducer_facts(
    transducer: &Transducer,
    budget: &Budget,
) -> Vec<(&'static str, String, Value)> {
    let alphabet = transducer.alphabet();
    let show = |(from, to): &(Word, Word)| [alphabet.show(from), alphabet.show(to)];
    let pairs: Vec<[String; 2]> = smallest_pairs(transducer, budget)
        .iter()
        .map(show)
        .collect();
    let arrows: Vec<String> = pairs
        .iter()
        .map(|[from, to]| format!("{from} → {to}"))
        .collect();
    let text = if arrows.is_empty() {
        "none".to_owned()
    } else {
        arrows.join("\n")
    };
    vec![
        yes_or_no("lengthPreserving", transducer.is_length_preserving()),
        yes_or_no("empty", transducer.domain().is_empty_language()),
        ("pairs", text, json!(pairs)),
    ]
}

fn yes_or_no(name: &'static str, fact: bool) -> (&'static str, String, Value) {
    (
        name,
        if fact { "yes" } else { "no" }.to_owned(),
        json!(fact),
    )
}

/// One initial state, no ε, and no letter that leads to two states.
fn is_deterministic(nfa: &Nfa) -> bool {
    nfa.initial().len() == 1
        && !nfa.has_epsilon()
        && nfa.states().all(|state| {
            let mut seen = Predicate::none(nfa.alphabet());
            nfa.edges_from(state).iter().all(|edge| {
                let letters = nfa.label(edge).as_ref();
                let fresh = letters.is_some_and(|letters| !letters.intersects(&seen));
                letters
                    .into_iter()
                    .for_each(|letters| seen.or_assign(letters));
                fresh
            })
        })
}

/// A few words, shortest first; fewer if it takes too long.
fn shortest_words(nfa: &Nfa, budget: &Budget) -> Vec<Word> {
    let Some(shortest) = nfa.shortest_word() else {
        return Vec::new();
    };
    let length = shortest.len();
    nfa.words(length + nfa.len() + SAMPLES, budget)
        .map(|words| words.take(SAMPLES).collect())
        .ok()
        .filter(|words: &Vec<_>| !words.is_empty())
        .unwrap_or_else(|| vec![shortest])
}

/// A few related pairs, shortest first.
fn smallest_pairs(transducer: &Transducer, budget: &Budget) -> Vec<(Word, Word)> {
    let mut found = Vec::new();
    for length in 0..=transducer.len() + 2 {
        match transducer.pairs_up_to(length, budget) {
            Ok(pairs) => found = pairs.into_iter().collect(),
            Err(_) => break,
        }
        if found.len() >= SAMPLES {
            break;
        }
    }
    found.sort_by_key(|(from, to): &(Vec<_>, Vec<_>)| from.len() + to.len());
    found.truncate(SAMPLES);
    found
}

fn text(input: &Input, facts: &[Facts<'_>]) -> String {
    let document = &input.document;
    let mut out = format!("{}: {}\n", input.name(), input.language());
    line(&mut out, "alphabet", &letters(&document.alphabet));
    for facts in facts {
        out.push('\n');
        facts.write(&mut out);
    }
    out
}

/// A fact in two columns, the second wrapped.
fn line(out: &mut String, name: &str, text: &str) {
    let wrapped =
        quotient_language::text::wrap(text, 80 - 17).replace('\n', &format!("\n{:17}", ""));
    out.push_str(&format!("  {name:<15}{wrapped}\n"));
}

/// The number of letters, and their names if they are few.
fn letters(alphabet: &Alphabet) -> String {
    // About five lines.
    const ROOM: usize = 320;
    let mut used = 0;
    let few = alphabet.names().take_while(|name| {
        used += name.chars().count() + 1;
        used <= ROOM
    });
    let mut names: Vec<&str> = few.collect();
    if alphabet.len() > names.len() {
        names.push("…");
    }
    match alphabet.is_empty() {
        true => "0 letters".to_owned(),
        false => format!("{}: {}", count(alphabet.len(), "letter"), names.join(" ")),
    }
}

fn role(role: Role) -> Option<&'static str> {
    match role {
        Role::Unspecified => None,
        Role::Initial => Some("initial set"),
        Role::Transition => Some("step"),
        Role::Bad => Some("bad set"),
        Role::Goal => Some("goal"),
        Role::FirstPlayer => Some("moves of the first player"),
        Role::SecondPlayer => Some("moves of the second player"),
    }
}
