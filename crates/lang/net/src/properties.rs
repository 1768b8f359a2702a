//! Property files of the Model Checking Contest.

use std::collections::{HashMap, HashSet};

use quotient_core::{Diagnostic, Source, Span};
use quotient_logic::{Binary, Formula as Time, Unary};
use quotient_xml::{self as xml, Document};

use crate::formula::{Formula, Linear, Question, Temporal};
use crate::fragment;
use crate::net::Net;

/// The most deeply nested formula.
const MOST_DEPTH: usize = 400;

/// A property of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) name: String,
    /// As the file writes it, without layout.
    pub(crate) text: String,
    pub(crate) kind: &'static str,
    pub(crate) question: Question,
    pub(crate) span: Option<Span>,
}

/// Reads the properties of a file, in its order.
pub(crate) fn read(source: &Source, net: &Net) -> Result<Vec<Asked>, Vec<Diagnostic>> {
    let document = xml::read(source).map_err(|wrong| vec![wrong])?;
    let places = net.places.iter().enumerate();
    let transitions = net.transitions.iter().enumerate();
    let mut reader = Reader {
        source,
        document: &document,
        places: places.map(|(at, place)| (place.id.as_str(), at)).collect(),
        transitions: transitions.map(|(at, one)| (one.id.as_str(), at)).collect(),
        temporal: temporal_elements(&document),
        errors: Vec::new(),
    };
    let mut all = Vec::new();
    let mut names = HashSet::new();
    for property in document.named(0, "property") {
        let span = document.elements[property].span;
        let name = document
            .text_of(property, "id")
            .unwrap_or_default()
            .to_owned();
        if name.is_empty() || !names.insert(name.clone()) {
            reader.wrong(property, "a property needs an `<id>` of its own");
        }
        let formula = document.named(property, "formula").next();
        let formula = formula.and_then(|formula| document.elements[formula].children.first());
        let Some(&formula) = formula else {
            reader.wrong(property, "this property has no `<formula>`");
            continue;
        };
        let (kind, question) = reader.question(formula);
        let text = written(&document, formula);
        all.push(Asked {
            name,
            text,
            kind,
            question,
            span: Some(span),
        });
    }
    fragment::decide(&mut all);
    match reader.errors.is_empty() {
        true => Ok(all),
        false => Err(reader.errors),
    }
}

/// For each element whether an operator on runs is in it. Children come after their parents.
fn temporal_elements(document: &Document) -> Vec<bool> {
    const OPERATORS: [&str; 6] = [
        "all-paths",
        "exists-path",
        "finally",
        "globally",
        "next",
        "until",
    ];
    let mut temporal = vec![false; document.elements.len()];
    for (at, element) in document.elements.iter().enumerate().rev() {
        temporal[at] = OPERATORS.contains(&element.name.as_str())
            || element.children.iter().any(|&child| temporal[child]);
    }
    temporal
}

struct Reader<'a> {
    source: &'a Source,
    document: &'a Document,
    places: HashMap<&'a str, usize>,
    transitions: HashMap<&'a str, usize>,
    /// For each element whether an operator on runs is in it.
    temporal: Vec<bool>,
    errors: Vec<Diagnostic>,
}

/// A formula is not one about a single marking, or is wrong (which is told elsewhere).
struct NotOfMarkings;

type Read<T> = Result<T, NotOfMarkings>;

impl Reader<'_> {
    fn wrong(&mut self, at: usize, message: impl Into<String>) {
        if self.errors.len() < 50 {
            let span = self.document.elements[at].span;
            let wrong = Diagnostic::error("bad-property", message).at(self.source, span, "");
            self.errors.push(wrong);
        }
    }

    fn name(&self, at: usize) -> &str {
        &self.document.elements[at].name
    }

    fn children(&self, at: usize) -> Vec<usize> {
        self.document.elements[at].children.clone()
    }

    fn question(&mut self, at: usize) -> (&'static str, Question) {
        if self.name(at) == "place-bound" {
            let places = self.places_of(at);
            return ("upper bound", Question::Most(together(places)));
        }
        let inner = match self.children(at)[..] {
            [inner] => inner,
            _ => at,
        };
        let body = self.children(inner);
        let simple = body.len() == 1 && !self.temporal[body[0]];
        let read = match (self.name(at), self.name(inner)) {
            ("exists-path", "finally") if simple => {
                self.formula(body[0], 0).map(Question::Possible)
            }
            ("all-paths", "globally") if simple => self.formula(body[0], 0).map(Question::Always),
            _ => {
                let mut atoms = Vec::new();
                let formula = self.over_time(at, 0, &mut atoms);
                formula.map(|formula| {
                    Question::Temporal(Temporal {
                        formula,
                        atoms,
                        linear: false,
                    })
                })
            }
        };
        match read {
            Ok(question @ Question::Possible(_)) => ("reachable", question),
            Ok(question @ Question::Always(_)) => ("invariant", question),
            Ok(question) => ("temporal", question),
            Err(NotOfMarkings) => {
                let why = "the formula has operators that the contest's files do not have";
                ("temporal", Question::Beyond(why.to_owned()))
            }
        }
    }

    /// A formula with operators on runs; conditions on markings are its atoms.
    fn over_time(&mut self, at: usize, depth: usize, atoms: &mut Vec<Formula>) -> Read<Time<u32>> {
        if depth > MOST_DEPTH {
            let message = format!("this formula is nested more than {MOST_DEPTH} times");
            self.wrong(at, message);
            return Err(NotOfMarkings);
        }
        if !self.temporal[at] {
            let atom = self.formula(at, depth)?;
            let number = atoms.iter().position(|known| *known == atom);
            let number = number.unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            });
            return Ok(Time::atom(number as u32));
        }
        let children = self.children(at);
        let name = self.name(at).to_owned();
        let unary = match name.as_str() {
            "negation" => Some(Unary::Not),
            "all-paths" => Some(Unary::ForAll),
            "exists-path" => Some(Unary::Exists),
            "next" => Some(Unary::Next),
            "finally" => Some(Unary::Finally(None)),
            "globally" => Some(Unary::Globally(None)),
            _ => None,
        };
        match (unary, name.as_str(), &children[..]) {
            (Some(operator), _, &[inner]) => {
                let inner = self.over_time(inner, depth + 1, atoms)?;
                Ok(Time::unary(operator, inner))
            }
            (None, "until", &[before, reach]) => {
                let part = |at: usize| match self.children(at)[..] {
                    [inner] => Ok(inner),
                    _ => Err(NotOfMarkings),
                };
                let (left, right) = (part(before)?, part(reach)?);
                let left = self.over_time(left, depth + 1, atoms)?;
                let right = self.over_time(right, depth + 1, atoms)?;
                Ok(Time::binary(Binary::Until(None), left, right))
            }
            (None, "conjunction" | "disjunction", _) => {
                let mut parts = Vec::new();
                for child in children {
                    parts.push(self.over_time(child, depth + 1, atoms)?);
                }
                let all = name == "conjunction";
                Ok(fragment::balanced(parts, all))
            }
            _ => Err(NotOfMarkings),
        }
    }

    fn formula(&mut self, at: usize, depth: usize) -> Read<Formula> {
        if depth > MOST_DEPTH {
            self.wrong(
                at,
                format!("this formula is nested more than {MOST_DEPTH} times"),
            );
            return Err(NotOfMarkings);
        }
        let children = self.children(at);
        let name = self.name(at).to_owned();
        match (name.as_str(), &children[..]) {
            ("conjunction" | "disjunction", _) => {
                let mut parts = Vec::new();
                for child in children {
                    parts.push(self.formula(child, depth + 1)?);
                }
                Ok(match name.as_str() {
                    "conjunction" => Formula::All(parts),
                    _ => Formula::Any(parts),
                })
            }
            ("negation", &[inner]) => Ok(Formula::Not(Box::new(self.formula(inner, depth + 1)?))),
            ("true", []) => Ok(Formula::Truth(true)),
            ("false", []) => Ok(Formula::Truth(false)),
            ("deadlock", []) => Ok(Formula::Dead),
            ("is-fireable", _) => {
                let mut any = Vec::new();
                for child in children {
                    let id = self.document.elements[child].text.trim();
                    match self.transitions.get(id) {
                        Some(&one) => any.push(Formula::Fireable(one)),
                        None => {
                            let message = format!("there is no transition `{id}`");
                            self.wrong(child, message);
                        }
                    }
                }
                Ok(Formula::Any(any))
            }
            ("integer-le", &[left, right]) => {
                let (mut terms, below) = self.sum(left)?;
                let (more, above) = self.sum(right)?;
                for term in &mut terms {
                    term.1 = -term.1;
                }
                terms.extend(more);
                // left ≤ right: right - left ≥ 0, with the numbers on the other side.
                Ok(Formula::AtLeast(Linear {
                    terms: together(terms),
                    least: below.saturating_sub(above),
                }))
            }
            _ => Err(NotOfMarkings),
        }
    }

    fn sum(&mut self, at: usize) -> Read<(Vec<(usize, i64)>, i64)> {
        match self.name(at) {
            "tokens-count" => Ok((self.places_of(at), 0)),
            "integer-constant" => {
                let text = self.document.elements[at].text.trim();
                match text.parse::<i32>() {
                    Ok(number) => Ok((Vec::new(), i64::from(number))),
                    Err(_) => {
                        let message = format!("`{text}` is not a number of 32 bits");
                        self.wrong(at, message);
                        Err(NotOfMarkings)
                    }
                }
            }
            other => {
                let message =
                    format!("expected `tokens-count` or `integer-constant`, not `{other}`");
                self.wrong(at, message);
                Err(NotOfMarkings)
            }
        }
    }

    fn places_of(&mut self, at: usize) -> Vec<(usize, i64)> {
        let mut all = Vec::new();
        for child in self.children(at) {
            let id = self.document.elements[child].text.trim();
            match self.places.get(id) {
                Some(&place) => all.push((place, 1)),
                None => {
                    let message = format!("there is no place `{id}`");
                    self.wrong(child, message);
                }
            }
        }
        all
    }
}

/// Terms by place, each once, without those that vanish.
pub(crate) fn together(mut terms: Vec<(usize, i64)>) -> Vec<(usize, i64)> {
    terms.sort_by_key(|term| term.0);
    let mut all: Vec<(usize, i64)> = Vec::new();
    for (place, factor) in terms {
        match all.last_mut() {
            Some(last) if last.0 == place => last.1 += factor,
            _ => all.push((place, factor)),
        }
    }
    all.retain(|term| term.1 != 0);
    all
}

/// A formula as the file writes it, without layout.
fn written(document: &Document, formula: usize) -> String {
    let mut text = String::new();
    // What is still to be written: an element, or the closing of one.
    let mut stack = vec![(formula, true)];
    while let Some((at, opens)) = stack.pop() {
        let element = &document.elements[at];
        if !opens {
            text.push_str(&format!("</{}>", element.name));
            continue;
        }
        text.push_str(&format!("<{}>{}", element.name, element.text.trim()));
        stack.push((at, false));
        stack.extend(element.children.iter().rev().map(|&child| (child, true)));
    }
    text
}
