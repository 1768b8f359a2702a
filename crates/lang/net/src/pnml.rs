//! Place/transition nets in PNML (ISO/IEC 15909-2).

use std::collections::HashMap;

use quotient_core::{Diagnostic, Source, Span};
use quotient_xml::{self as xml, Document};

use crate::build::{Builder, MOST_TOKENS};
use crate::net::Net;

/// Reads the net of a file; pages are put together.
pub(crate) fn read(source: &Source) -> Result<Net, Vec<Diagnostic>> {
    let document = xml::read(source).map_err(|wrong| vec![wrong])?;
    let mut nets = document.named(0, "net");
    let Some(net) = nets.next() else {
        let span = document.elements[0].span;
        let wrong = Diagnostic::error("no-net", "there is no `<net>` in this file");
        return Err(vec![wrong.at(source, span, "")]);
    };
    if let Some(second) = nets.next() {
        let wrong = Diagnostic::error("several-nets", "there is a second net in this file");
        let wrong = wrong.at(source, document.elements[second].span, "");
        return Err(vec![wrong.help("give each net a file of its own")]);
    }
    let kind = document.attribute(net, "type").unwrap_or_default();
    if kind.contains("symmetric") || kind.contains("highlevel") || kind.contains("hlpn") {
        let wrong = Diagnostic::error("coloured-net", "this is a coloured net");
        let wrong = wrong.at(source, document.elements[net].span, "its type");
        return Err(vec![wrong.help("give the unfolded place/transition net")]);
    }
    let mut reader = Reader {
        source,
        document: &document,
        builder: Builder::new(source),
        nodes: HashMap::new(),
        arcs: Vec::new(),
    };
    let mut pages = vec![net];
    while let Some(page) = pages.pop() {
        reader.page(page);
        let inner: Vec<usize> = document.named(page, "page").collect();
        pages.extend(inner.into_iter().rev());
    }
    reader.look_at_references();
    reader.connect();
    reader.builder.finish()
}

#[derive(Clone)]
enum Node {
    Place(usize),
    Transition(usize),
    /// What it refers to, and the element that says so.
    Reference(String, usize),
}

struct Reader<'a> {
    source: &'a Source,
    document: &'a Document,
    builder: Builder<'a>,
    nodes: HashMap<String, Node>,
    arcs: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn page(&mut self, page: usize) {
        for &child in &self.document.elements[page].children {
            let span = self.document.elements[child].span;
            let id = self.document.attribute(child, "id").unwrap_or_default();
            let label = self.inner_text(child, "name").unwrap_or(id);
            let node = match self.document.elements[child].name.as_str() {
                "place" => {
                    let tokens = self.number(child, "initialMarking", 0);
                    // Editors write 0 where there is no limit.
                    if self.number(child, "capacity", 0) > 0 {
                        let message =
                            "places with a limit are not read here: add the place of what is free";
                        self.builder.wrong("odd-place", message, span);
                    }
                    Node::Place(self.builder.place(id, label, tokens, span))
                }
                "transition" => Node::Transition(self.builder.transition(id, label, span)),
                "referencePlace" | "referenceTransition" => {
                    self.builder.name(id, span);
                    let to = self.document.attribute(child, "ref").unwrap_or_default();
                    Node::Reference(to.to_owned(), child)
                }
                "arc" => {
                    self.arcs.push(child);
                    continue;
                }
                _ => continue,
            };
            self.nodes.insert(id.to_owned(), node);
        }
    }

    fn inner_text(&self, of: usize, name: &str) -> Option<&'a str> {
        let document: &'a Document = self.document;
        let child = document.named(of, name).next()?;
        // Older files have a `<value>`; editors put the name of the only colour before it.
        let text = document
            .text_of(child, "text")
            .or_else(|| document.text_of(child, "value"))?;
        let text = text.strip_prefix("Default,").unwrap_or(text).trim();
        (!text.is_empty()).then_some(text)
    }

    fn number(&mut self, of: usize, name: &str, otherwise: u64) -> u64 {
        let mut all = self.document.named(of, name);
        let (first, second) = (all.next(), all.next());
        if let Some(second) = second {
            let span = self.document.elements[second].span;
            let message = format!("there is a second `<{name}>`");
            self.builder.wrong("bad-number", message, span);
        }
        let Some(text) = self.inner_text(of, name) else {
            let bare = first.filter(|&at| !self.document.elements[at].text.trim().is_empty());
            if let Some(bare) = bare {
                let span = self.document.elements[bare].span;
                let message = format!("expected `<{name}><text>1</text></{name}>`");
                self.builder.wrong("bad-number", message, span);
            }
            return otherwise;
        };
        match text.parse() {
            Ok(number) if number <= MOST_TOKENS => number,
            _ => {
                let message = format!("`{text}` is not a number of tokens");
                let span = self.document.elements[of].span;
                self.builder.wrong("bad-number", message, span);
                otherwise
            }
        }
    }

    /// What a name stands for, through references.
    fn node(&self, id: &str) -> Option<Node> {
        let mut id = id;
        for _ in 0..64 {
            match self.nodes.get(id)? {
                Node::Reference(to, _) => id = to,
                node => return Some(node.clone()),
            }
        }
        None
    }

    /// A reference to a place that leads to a transition would turn its arcs round.
    fn look_at_references(&mut self) {
        let mut wrong: Vec<(usize, String)> = Vec::new();
        for node in self.nodes.values() {
            let Node::Reference(to, element) = node else {
                continue;
            };
            let (word, fits) = match self.document.elements[*element].name.as_str() {
                "referencePlace" => ("place", matches!(self.node(to), Some(Node::Place(_)))),
                _ => {
                    let node = self.node(to);
                    ("transition", matches!(node, Some(Node::Transition(_))))
                }
            };
            if !fits {
                let message = format!("a reference to a {word}: `{to}` is none");
                wrong.push((*element, message));
            }
        }
        wrong.sort();
        for (element, message) in wrong {
            let span = self.document.elements[element].span;
            self.builder.wrong("bad-reference", message, span);
        }
    }

    /// What kind of arc it is, as one of several editors writes it.
    fn kind(&self, arc: usize) -> String {
        for name in ["type", "arctype", "arcType"] {
            let Some(kind) = self.document.named(arc, name).next() else {
                continue;
            };
            let text = self.document.attribute(kind, "value");
            let text = text.or_else(|| self.document.text_of(kind, "text"));
            let text = text.unwrap_or(&self.document.elements[kind].text).trim();
            if !text.is_empty() {
                return text.to_lowercase();
            }
        }
        // Elsewhere it is an attribute, or goes without saying.
        match self.document.attribute(arc, "type").map(str::trim) {
            None | Some("" | "regular" | "default") => "normal".to_owned(),
            Some(text) => text.to_lowercase(),
        }
    }

    fn odd(&mut self, kind: &str, span: Span) {
        let message = format!(
            "arcs of the kind `{kind}` are not read here: only plain ones, tests, inhibitors to transitions and resets"
        );
        self.builder.wrong("odd-arc", message, span);
    }

    fn connect(&mut self) {
        for arc in std::mem::take(&mut self.arcs) {
            let span: Span = self.document.elements[arc].span;
            let weight = self.number(arc, "inscription", 1);
            let kind = self.kind(arc);
            let end = |name: &str| self.document.attribute(arc, name).unwrap_or_default();
            let (from, to) = (end("source"), end("target"));
            match (self.node(from), self.node(to)) {
                (Some(Node::Place(place)), Some(Node::Transition(transition))) => {
                    match kind.as_str() {
                        "normal" => self.builder.take(transition, place, weight),
                        "test" | "read" => self.builder.test(transition, place, weight),
                        // One that nothing is below is never let through, as in other tools.
                        "reset" => self.builder.reset(transition, place),
                        "inhibitor" if weight > 0 => {
                            self.builder.inhibit(transition, place, weight);
                        }
                        _ => self.odd(&kind, span),
                    }
                }
                (Some(Node::Transition(transition)), Some(Node::Place(place))) => {
                    match kind.as_str() {
                        "normal" => self.builder.give(transition, place, weight),
                        // Tests may be drawn in either direction.
                        "test" | "read" => self.builder.test(transition, place, weight),
                        _ => self.odd(&kind, span),
                    }
                }
                (Some(_), Some(_)) => {
                    let message = "an arc goes between a place and a transition";
                    self.builder.wrong("bad-arc", message, span);
                }
                (known, _) => {
                    let name = if known.is_none() { from } else { to };
                    let names = self.nodes.keys().map(String::as_str);
                    let mut names: Vec<&str> = names.collect();
                    names.sort_unstable();
                    let wrong = Diagnostic::error(
                        "unknown-node",
                        format!("there is no place or transition `{name}`"),
                    );
                    let wrong = wrong.at(self.source, span, "this arc");
                    self.builder.errors.push(wrong.did_you_mean(name, names));
                }
            }
        }
    }
}
