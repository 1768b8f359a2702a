//! SBML's package for qualitative models, as far as it is about levels 0 and 1.
//!
//! A transition sets its outputs to the level of its first term that is true, or of the default
//! term. Species that no transition sets are inputs, which keep their level. What a file says about
//! the start is left out: questions are about all states, as in `.bnet`.

use std::collections::HashMap;

use quotient_core::{Diagnostic, Source};
use quotient_xml::Document;

use crate::network::{MOST_VARIABLES, Network, Update};

/// Terms that are nested deeper are refused.
const MOST_DEPTH: usize = 150;

/// Whether a text is such a model, with terms: without them it is about amounts.
pub(crate) fn looks_like(text: &str) -> bool {
    let head = text.get(..text.len().min(4000)).unwrap_or(text);
    let terms = text.contains(":functionTerm") || text.contains("<functionTerm");
    head.trim_start().starts_with('<') && head.contains("<sbml") && terms
}

/// Reads a network.
pub(crate) fn read(source: &Source) -> Result<Network, Vec<Diagnostic>> {
    let document = quotient_xml::read(source).map_err(|wrong| vec![wrong])?;
    let mut reader = Reader {
        source,
        document: &document,
        network: Network::default(),
        numbers: HashMap::new(),
        is_set: Vec::new(),
        errors: Vec::new(),
    };
    let model = document.named(0, "model").next().unwrap_or(0);
    for species in reader.listed(model, "listOfQualitativeSpecies", "qualitativeSpecies") {
        reader.species(species);
    }
    if reader.network.names.is_empty() && reader.errors.is_empty() {
        reader.wrong(model, "no-species", "the model has no qualitative species");
    }
    for transition in reader.listed(model, "listOfTransitions", "transition") {
        reader.transition(transition);
    }
    let free = |at: &usize| !reader.is_set[*at];
    reader.network.inputs = (0..reader.network.names.len()).filter(free).collect();
    match reader.errors.is_empty() {
        true => Ok(reader.network),
        false => Err(reader.errors),
    }
}

struct Reader<'a> {
    source: &'a Source,
    document: &'a Document,
    network: Network,
    numbers: HashMap<String, usize>,
    /// Whether a transition sets each species.
    is_set: Vec<bool>,
    errors: Vec<Diagnostic>,
}

/// What a term of a formula is.
enum Term {
    Truth(Update),
    Number(f64),
}

impl Reader<'_> {
    fn wrong(&mut self, at: usize, code: &'static str, message: impl Into<String>) {
        let span = self.document.elements[at].span;
        self.errors
            .push(Diagnostic::error(code, message).at(self.source, span, ""));
    }

    /// The elements of a list in an element.
    fn listed(&self, of: usize, list: &str, name: &str) -> Vec<usize> {
        let lists = self.document.named(of, list);
        lists
            .flat_map(|list| self.document.named(list, name))
            .collect()
    }

    fn attribute(&self, of: usize, name: &str) -> Option<String> {
        self.document.attribute(of, name).map(str::to_owned)
    }

    fn species(&mut self, at: usize) {
        let Some(id) = self.attribute(at, "id") else {
            return self.wrong(at, "no-id", "a species has no `id`");
        };
        let most = self.attribute(at, "maxLevel");
        if most.is_some_and(|most| most.trim() != "1" && most.trim() != "0") {
            let message = format!("`{id}` has more levels than 0 and 1");
            return self.wrong(at, "many-levels", message);
        }
        let number = self.network.names.len();
        if number >= MOST_VARIABLES {
            let message = format!("there are more than {MOST_VARIABLES} species");
            return self.wrong(at, "too-many-variables", message);
        }
        if self.numbers.insert(id.clone(), number).is_some() {
            return self.wrong(at, "twice", format!("`{id}` is there twice"));
        }
        self.network.names.push(id);
        self.network.updates.push(Update::Variable(number));
        self.is_set.push(false);
    }

    fn transition(&mut self, at: usize) {
        let mut inputs = HashMap::new();
        for input in self.listed(at, "listOfInputs", "input") {
            if self.attribute(input, "transitionEffect").as_deref() == Some("consumption") {
                self.wrong(
                    input,
                    "consumes",
                    "a transition with terms consumes a species",
                );
            }
            let threshold = self.attribute(input, "thresholdLevel");
            let threshold = threshold.and_then(|level| level.trim().parse::<f64>().ok());
            if let (Some(id), Some(level)) = (self.attribute(input, "id"), threshold) {
                inputs.insert(id, level);
            }
        }
        let Some(update) = self.terms(at, &inputs) else {
            return;
        };
        for output in self.listed(at, "listOfOutputs", "output") {
            if self.attribute(output, "transitionEffect").as_deref() == Some("production") {
                self.wrong(
                    output,
                    "produces",
                    "a transition with terms produces a species",
                );
                continue;
            }
            let species = self
                .attribute(output, "qualitativeSpecies")
                .unwrap_or_default();
            let Some(&number) = self.numbers.get(&species) else {
                self.wrong(output, "no-species", format!("there is no `{species}`"));
                continue;
            };
            if std::mem::replace(&mut self.is_set[number], true) {
                self.wrong(
                    output,
                    "twice",
                    format!("several transitions set `{species}`"),
                );
                continue;
            }
            self.network.updates[number] = update.clone();
        }
    }

    /// The level that the terms of a transition give.
    fn terms(&mut self, at: usize, inputs: &HashMap<String, f64>) -> Option<Update> {
        let default = self.listed(at, "listOfFunctionTerms", "defaultTerm");
        let mut update = match default.first() {
            Some(&term) => Update::Constant(self.level(term)?),
            None => Update::Constant(false),
        };
        let terms = self.listed(at, "listOfFunctionTerms", "functionTerm");
        for &term in terms.iter().rev() {
            let level = self.level(term)?;
            let math = self.document.named(term, "math").next();
            let Some(inner) = math.and_then(|math| self.document.elements[math].children.first())
            else {
                self.wrong(term, "no-term", "the term has no formula");
                return None;
            };
            let Term::Truth(condition) = self.term(*inner, inputs, 0)? else {
                self.wrong(*inner, "no-condition", "a condition was expected");
                return None;
            };
            let condition = Box::new(condition);
            update = match level {
                true => Update::Or(condition, Box::new(update)),
                false => Update::And(Box::new(Update::Not(condition)), Box::new(update)),
            };
        }
        Some(update)
    }

    fn level(&mut self, term: usize) -> Option<bool> {
        match self
            .attribute(term, "resultLevel")
            .as_deref()
            .map(str::trim)
        {
            Some("0") => Some(false),
            Some("1") => Some(true),
            _ => {
                self.wrong(term, "many-levels", "`resultLevel` must be 0 or 1");
                None
            }
        }
    }

    fn term(&mut self, at: usize, inputs: &HashMap<String, f64>, depth: usize) -> Option<Term> {
        if depth > MOST_DEPTH {
            self.wrong(at, "too-deep", "the formula is nested too deeply");
            return None;
        }
        let element = &self.document.elements[at];
        let text = element.text.trim();
        let found = match element.name.as_str() {
            "true" => Some(Term::Truth(Update::Constant(true))),
            "false" => Some(Term::Truth(Update::Constant(false))),
            "cn" => text.parse().ok().map(Term::Number),
            "ci" => match (self.numbers.get(text), inputs.get(text)) {
                (Some(&number), _) => Some(Term::Truth(Update::Variable(number))),
                (None, Some(&level)) => Some(Term::Number(level)),
                (None, None) => None,
            },
            "apply" => return self.apply(at, inputs, depth),
            _ => None,
        };
        if found.is_none() {
            let message = match element.name.as_str() {
                "cn" => format!("`{text}` is no level"),
                "ci" => format!("there is no `{text}`"),
                name => format!("`{name}` is not read here"),
            };
            self.wrong(at, "no-term", message);
        }
        found
    }

    fn apply(&mut self, at: usize, inputs: &HashMap<String, f64>, depth: usize) -> Option<Term> {
        let children = self.document.elements[at].children.clone();
        let Some((&operator, operands)) = children.split_first() else {
            self.wrong(at, "no-term", "nothing is applied");
            return None;
        };
        let mut terms = Vec::new();
        for &operand in operands {
            terms.push(self.term(operand, inputs, depth + 1)?);
        }
        let name = self.document.elements[operator].name.as_str();
        let found = match name {
            "not" => match terms.pop() {
                Some(Term::Truth(inner)) if terms.is_empty() => Some(negated(inner)),
                _ => None,
            },
            "and" => joined(terms, true, Update::And),
            "or" => joined(terms, false, Update::Or),
            "xor" => joined(terms, false, Update::Xor),
            "implies" => match <[Term; 2]>::try_from(terms) {
                Ok([Term::Truth(left), Term::Truth(right)]) => {
                    Some(Update::Or(Box::new(negated(left)), Box::new(right)))
                }
                _ => None,
            },
            "eq" | "neq" | "lt" | "gt" | "leq" | "geq" => <[Term; 2]>::try_from(terms)
                .ok()
                .map(|both| compared(name, &both)),
            _ => {
                let message = format!("`{name}` is not read here");
                self.wrong(operator, "no-term", message);
                return None;
            }
        };
        if found.is_none() {
            let message = format!("`{name}` has operands that it cannot have");
            self.wrong(operator, "no-term", message);
        }
        found.map(Term::Truth)
    }
}

fn negated(update: Update) -> Update {
    Update::Not(Box::new(update))
}

/// Conditions put together; without any, what changes nothing.
fn joined(
    terms: Vec<Term>,
    none: bool,
    join: fn(Box<Update>, Box<Update>) -> Update,
) -> Option<Update> {
    let mut all: Option<Update> = None;
    for term in terms {
        let Term::Truth(update) = term else {
            return None;
        };
        all = Some(match all {
            Some(before) => join(Box::new(before), Box::new(update)),
            None => update,
        });
    }
    Some(all.unwrap_or(Update::Constant(none)))
}

/// A comparison of levels: the condition is 1 where it is true.
fn compared(name: &str, [left, right]: &[Term; 2]) -> Update {
    let holds = |left: f64, right: f64| match name {
        "eq" => left == right,
        "neq" => left != right,
        "lt" => left < right,
        "gt" => left > right,
        "leq" => left <= right,
        _ => left >= right,
    };
    // Each side with each value it can have, and the condition that it has it.
    let cases = |term: &Term| match term {
        Term::Number(number) => vec![(*number, Update::Constant(true))],
        Term::Truth(update) => vec![(0.0, negated(update.clone())), (1.0, update.clone())],
    };
    let (lefts, rights) = (cases(left), cases(right));
    let mut all: Option<Update> = None;
    for (first, one) in &lefts {
        for (second, other) in &rights {
            if !holds(*first, *second) {
                continue;
            }
            let both = match (one, other) {
                (Update::Constant(true), other) => other.clone(),
                (one, Update::Constant(true)) => one.clone(),
                (one, other) => Update::And(Box::new(one.clone()), Box::new(other.clone())),
            };
            all = Some(match all {
                Some(before) => Update::Or(Box::new(before), Box::new(both)),
                None => both,
            });
        }
    }
    all.unwrap_or(Update::Constant(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quotient_testkit::Random;

    fn model(species: &[&str], transitions: &[(&str, String)]) -> String {
        let species: String = species
            .iter()
            .map(|id| format!("<qual:qualitativeSpecies qual:id=\"{id}\" qual:maxLevel=\"1\"/>"))
            .collect();
        let transitions: String = transitions
            .iter()
            .map(|(output, terms)| {
                format!(
                    "<qual:transition><qual:listOfOutputs><qual:output \
                     qual:qualitativeSpecies=\"{output}\" qual:transitionEffect=\"assignmentLevel\"/>\
                     </qual:listOfOutputs><qual:listOfFunctionTerms>{terms}\
                     </qual:listOfFunctionTerms></qual:transition>"
                )
            })
            .collect();
        format!(
            "<?xml version=\"1.0\"?><sbml xmlns:qual=\"q\"><model>\
             <qual:listOfQualitativeSpecies>{species}</qual:listOfQualitativeSpecies>\
             <qual:listOfTransitions>{transitions}</qual:listOfTransitions></model></sbml>"
        )
    }

    fn term(level: u8, math: &str) -> String {
        format!(
            "<qual:functionTerm qual:resultLevel=\"{level}\"><math>{math}</math></qual:functionTerm>"
        )
    }

    fn default(level: u8) -> String {
        format!("<qual:defaultTerm qual:resultLevel=\"{level}\"/>")
    }

    /// A random formula, and its value in a state.
    fn formula(random: &mut Random, depth: usize) -> (String, Box<dyn Fn(u64) -> bool>) {
        let name = |at: usize| ["a", "b", "c"][at];
        match random.below(if depth == 0 { 2 } else { 5 }) {
            0 => {
                let at = random.below(3);
                (
                    format!("<ci> {} </ci>", name(at)),
                    Box::new(move |state| state >> at & 1 == 1),
                )
            }
            1 => {
                let (at, level) = (random.below(3), random.below(3) as u64);
                let sign = random.below(6);
                let operator = ["eq", "neq", "lt", "gt", "leq", "geq"][sign];
                let text = format!(
                    "<apply><{operator}/><ci>{}</ci><cn type=\"integer\"> {level} </cn></apply>",
                    name(at)
                );
                let value = move |state: u64| {
                    let own = state >> at & 1;
                    [
                        own == level,
                        own != level,
                        own < level,
                        own > level,
                        own <= level,
                        own >= level,
                    ][sign]
                };
                (text, Box::new(value))
            }
            2 => {
                let (text, inner) = formula(random, depth - 1);
                (
                    format!("<apply><not/>{text}</apply>"),
                    Box::new(move |state| !inner(state)),
                )
            }
            kind => {
                let (left, one) = formula(random, depth - 1);
                let (right, other) = formula(random, depth - 1);
                let operator = if kind == 3 { "and" } else { "or" };
                let value = move |state| match kind {
                    3 => one(state) && other(state),
                    _ => one(state) || other(state),
                };
                (
                    format!("<apply><{operator}/>{left}{right}</apply>"),
                    Box::new(value),
                )
            }
        }
    }

    #[test]
    fn the_first_true_term_gives_the_level() {
        let mut random = Random(7);
        for _ in 0..300 {
            let (first, one) = formula(&mut random, 3);
            let (second, other) = formula(&mut random, 3);
            let levels = [0, 1, 2].map(|_| random.below(2) as u8);
            let terms = default(levels[0]) + &term(levels[1], &first) + &term(levels[2], &second);
            let text = model(&["a", "b", "c"], &[("b", terms)]);
            assert!(looks_like(&text));
            let network = read(&Source::new("m.sbml", text)).unwrap();
            for state in 0..8 {
                let level = match (one(state), other(state)) {
                    (true, _) => levels[1],
                    (false, true) => levels[2],
                    (false, false) => levels[0],
                };
                assert_eq!(network.updates[1].value(state), level == 1);
                assert_eq!(network.updates[0].value(state), state & 1 == 1);
            }
        }
    }

    #[test]
    fn what_is_beyond_is_refused_with_its_place() {
        let codes = |text: String| -> Vec<&'static str> {
            let errors = read(&Source::new("m.sbml", text)).unwrap_err();
            errors.iter().map(|error| error.code).collect()
        };
        let many = model(&["a"], &[]).replace("maxLevel=\"1\"", "maxLevel=\"2\"");
        assert_eq!(codes(many), ["many-levels"]);
        let unknown = term(1, "<ci>z</ci>");
        assert_eq!(codes(model(&["a"], &[("a", unknown)])), ["no-term"]);
        let sum = term(1, "<apply><plus/><ci>a</ci><cn>1</cn></apply>");
        assert_eq!(codes(model(&["a"], &[("a", sum)])), ["no-term"]);
        let twice = [("a", default(1)), ("a", default(0))];
        assert_eq!(codes(model(&["a"], &twice)), ["twice"]);
        let deep = "<apply><not/>".repeat(400) + "<ci>a</ci>" + &"</apply>".repeat(400);
        assert_eq!(codes(model(&["a"], &[("a", term(1, &deep))])), ["too-deep"]);
        assert_eq!(codes("<sbml/>".to_owned()), ["no-species"]);
    }
}
