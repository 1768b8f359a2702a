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
/// The most equivalences one in another: each says what is in it twice.
const MOST_EQUIVALENCES: usize = 10;

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
    let places = net.places.iter();
    let mut reader = Reader {
        source,
        document: &document,
        places: names(places.map(|one| (&*one.id, &*one.label))),
        transitions: fireable(net),
        temporal: temporal_elements(&document),
        equivalences: equivalences(&document),
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

/// The numbers of things by their ids; and by what they are called, where this is nobody's id and
/// only one is called so.
pub(crate) fn names<'a>(all: impl Iterator<Item = (&'a str, &'a str)>) -> HashMap<&'a str, usize> {
    let all: Vec<(&str, &str)> = all.collect();
    let mut called: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, (_, label)) in all.iter().enumerate() {
        called.entry(label).or_default().push(number);
    }
    let single = called.into_iter().filter(|(_, numbers)| numbers.len() == 1);
    let mut names: HashMap<&str, usize> =
        single.map(|(label, numbers)| (label, numbers[0])).collect();
    let ids = all.iter().enumerate();
    names.extend(ids.map(|(number, (id, _))| (*id, number)));
    names
}

/// For each transition of the file, by its names, that it can fire.
pub(crate) fn fireable(net: &Net) -> HashMap<&str, Formula> {
    let wholes = net.wholes();
    let known = names(wholes.iter().map(|&(id, label, _)| (id, label)));
    let parts = |at: usize| Formula::fireable(wholes[at].2.clone());
    known
        .into_iter()
        .map(|(name, at)| (name, parts(at)))
        .collect()
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

/// For each element how many equivalences stand one in another in it. Children come after their parents.
fn equivalences(document: &Document) -> Vec<usize> {
    let mut all = vec![0; document.elements.len()];
    for (at, element) in document.elements.iter().enumerate().rev() {
        let inner = element.children.iter().map(|&child| all[child]).max();
        let is_one = matches!(
            element.name.as_str(),
            "equivalence" | "exclusive-disjunction"
        );
        all[at] = inner.unwrap_or(0) + usize::from(is_one);
    }
    all
}

struct Reader<'a> {
    source: &'a Source,
    document: &'a Document,
    places: HashMap<&'a str, usize>,
    transitions: HashMap<&'a str, Formula>,
    /// For each element whether an operator on runs is in it.
    temporal: Vec<bool>,
    /// For each element how many equivalences stand one in another in it.
    equivalences: Vec<usize>,
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
        if self.equivalences[at] > MOST_EQUIVALENCES {
            let message = format!(
                "more than {MOST_EQUIVALENCES} equivalences stand one in another; write it with fewer"
            );
            self.wrong(at, message.clone());
            return ("temporal", Question::Beyond(message));
        }
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
            // As older files of the contest write it.
            ("invariant", _) if inner != at && !self.temporal[inner] => {
                self.formula(inner, 0).map(Question::Always)
            }
            ("possibility", _) if inner != at && !self.temporal[inner] => {
                self.formula(inner, 0).map(Question::Possible)
            }
            ("impossibility", _) if inner != at && !self.temporal[inner] => {
                let formula = self.formula(inner, 0);
                formula.map(|formula| Question::Always(Formula::Not(Box::new(formula))))
            }
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
                let (before, reach) = match (self.name(before), self.name(reach)) {
                    ("before", "reach") => (before, reach),
                    ("reach", "before") => (reach, before),
                    _ => return Err(NotOfMarkings),
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
            (None, "implication", &[left, right]) => {
                let left = self.over_time(left, depth + 1, atoms)?;
                let right = self.over_time(right, depth + 1, atoms)?;
                let parts = vec![Time::unary(Unary::Not, left), right];
                Ok(fragment::balanced(parts, false))
            }
            (None, "equivalence" | "exclusive-disjunction", &[left, right]) => {
                let left = self.over_time(left, depth + 1, atoms)?;
                let right = self.over_time(right, depth + 1, atoms)?;
                Ok(fragment::alike(left, right, name == "equivalence"))
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
                        Some(one) => any.push(one.clone()),
                        None => {
                            let message = format!("there is no transition `{id}`");
                            self.wrong(child, message);
                        }
                    }
                }
                Ok(Formula::Any(any))
            }
            ("implication", &[left, right]) => {
                let left = self.formula(left, depth + 1)?;
                let right = self.formula(right, depth + 1)?;
                Ok(Formula::Any(vec![Formula::Not(Box::new(left)), right]))
            }
            ("equivalence" | "exclusive-disjunction", &[left, right]) => {
                let left = self.formula(left, depth + 1)?;
                let right = self.formula(right, depth + 1)?;
                let not = |formula: &Formula| Formula::Not(Box::new(formula.clone()));
                let same = Formula::All(vec![
                    Formula::Any(vec![not(&left), right.clone()]),
                    Formula::Any(vec![left, not(&right)]),
                ]);
                Ok(match name == "equivalence" {
                    true => same,
                    false => Formula::Not(Box::new(same)),
                })
            }
            (comparison, &[left, right]) => {
                let (left, right) = match comparison {
                    "integer-le" | "integer-lt" | "integer-eq" | "integer-ne" => (left, right),
                    "integer-ge" | "integer-gt" => (right, left),
                    _ => return Err(NotOfMarkings),
                };
                let (left, right) = (self.sum(left, depth)?, self.sum(right, depth)?);
                Ok(match comparison {
                    "integer-le" | "integer-ge" => at_most(&left, &right, 0),
                    "integer-lt" | "integer-gt" => at_most(&left, &right, 1),
                    _ => {
                        let both = vec![at_most(&left, &right, 0), at_most(&right, &left, 0)];
                        match comparison == "integer-eq" {
                            true => Formula::All(both),
                            false => Formula::Not(Box::new(Formula::All(both))),
                        }
                    }
                })
            }
            _ => Err(NotOfMarkings),
        }
    }

    fn sum(&mut self, at: usize, depth: usize) -> Read<Sum> {
        if depth > MOST_DEPTH {
            self.wrong(
                at,
                format!("this sum is nested more than {MOST_DEPTH} times"),
            );
            return Err(NotOfMarkings);
        }
        match self.name(at) {
            "tokens-count" => Ok((self.places_of(at), 0)),
            "integer-sum" => {
                let mut all: Sum = (Vec::new(), 0);
                for child in self.children(at) {
                    let (terms, number) = self.sum(child, depth + 1)?;
                    all.0.extend(terms);
                    all.1 = all.1.saturating_add(number);
                }
                Ok(all)
            }
            "integer-difference" => {
                let mut all: Sum = (Vec::new(), 0);
                for (number, child) in self.children(at).into_iter().enumerate() {
                    let one = self.sum(child, depth + 1)?;
                    // The first less all others.
                    let sign = if number == 0 { 1 } else { -1 };
                    all.0
                        .extend(one.0.iter().map(|term| (term.0, sign * term.1)));
                    all.1 = all.1.saturating_add(sign * one.1);
                }
                Ok(all)
            }
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
                let message = format!(
                    "expected `tokens-count`, `integer-constant`, or a sum or difference of such, not `{other}`"
                );
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

/// Places with factors, and a number.
type Sum = (Vec<(usize, i64)>, i64);

/// A sum is at most another less a number: the other less the first is at least the number.
fn at_most(left: &Sum, right: &Sum, by: i64) -> Formula {
    let negated = left.0.iter().map(|&(place, factor)| (place, -factor));
    let terms = negated.chain(right.0.iter().copied()).collect();
    Formula::AtLeast(Linear {
        terms: together(terms),
        least: left.1.saturating_sub(right.1).saturating_add(by),
    })
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
