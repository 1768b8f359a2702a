//! SBML's package for qualitative models.
//!
//! A transition leads its outputs to the level of its first term that is true, or of the default
//! term, by one level at a time (see [levels](crate::levels)). Species that no transition sets are inputs, which keep their level; those that have no level
//! but 0 are no variables. What a file says about the start is kept for who asks for it: questions are about all
//! states, as in `.bnet`.

use std::collections::{HashMap, HashSet};

use quotient_core::{Diagnostic, Source};
use quotient_xml::Document;

use crate::levels::{step, values};
use crate::network::{MOST_VARIABLES, Network, Update, is_constant};

/// Species with higher levels are refused.
const MOST_LEVELS: usize = 100;

/// Terms that are nested deeper are refused.
const MOST_DEPTH: usize = 150;

/// Functions that are deeper are refused: what works on them goes down one by one.
const DEEPEST: usize = 1_000;

/// All functions together have at most so many parts: a transition with many outputs writes its
/// function for each of them.
const MOST_PARTS: usize = 2_000_000;

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
        names: HashSet::new(),
        is_set: Vec::new(),
        parts: 0,
        errors: Vec::new(),
    };
    let model = document.named(0, "model").next().unwrap_or(0);
    for species in reader.listed(model, "listOfQualitativeSpecies", "qualitativeSpecies") {
        reader.species(species);
    }
    if reader.network.names.is_empty() && reader.errors.is_empty() {
        reader.wrong(model, "no-species", "the model has no qualitative species");
    }
    // Where a species is wrong, what is said of it would be told as wrong, too.
    if !reader.errors.is_empty() {
        return Err(reader.errors);
    }
    for transition in reader.listed(model, "listOfTransitions", "transition") {
        reader.transition(transition);
    }
    reader.inputs();
    match reader.errors.is_empty() {
        true => Ok(reader.network),
        false => Err(reader.errors),
    }
}

struct Reader<'a> {
    source: &'a Source,
    document: &'a Document,
    network: Network,
    /// The variables for the levels of each species from 1 on; none has one that is always 0.
    numbers: HashMap<String, Vec<usize>>,
    /// What variables are called.
    names: HashSet<String>,
    /// Whether a transition sets the species of each variable.
    is_set: Vec<bool>,
    /// How many parts the functions have so far.
    parts: usize,
    errors: Vec<Diagnostic>,
}

/// What a term of a formula is.
enum Term {
    Truth(Update),
    Number(f64),
    /// The level of a species with more than two, by its variables.
    Level(Vec<usize>),
}

/// The terms of a transition.
struct Terms {
    /// The level of the default term.
    default: usize,
    /// The levels and conditions of the others.
    rows: Vec<(usize, Update)>,
}

impl Terms {
    /// The highest level of any.
    fn highest(&self) -> usize {
        let levels = self.rows.iter().map(|row| row.0);
        levels.fold(self.default, usize::max)
    }

    /// The condition for a level at least as high as this; nothing if it is too deep.
    fn at_least(&self, least: usize) -> Option<Update> {
        // Neighbours on the same side are taken together, so that long lists are not deep.
        let mut rows: Vec<(bool, Vec<Update>)> = Vec::new();
        for (level, condition) in &self.rows {
            let is_high = *level >= least;
            match rows.last_mut() {
                Some((own, row)) if *own == is_high => row.push(condition.clone()),
                _ => rows.push((is_high, vec![condition.clone()])),
            }
        }
        if rows.len() > DEEPEST {
            return None;
        }
        let mut update = Update::Constant(self.default >= least);
        for (is_high, row) in rows.into_iter().rev() {
            let condition = Box::new(balanced(row, false, Update::Or));
            update = match is_high {
                true => Update::Or(condition, Box::new(update)),
                false => Update::And(Box::new(Update::Not(condition)), Box::new(update)),
            };
        }
        (depth(&update) <= DEEPEST).then_some(update)
    }
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
        if is_constant(&id) {
            let message = format!("a species cannot be called `{id}`, which is a constant");
            return self.wrong(at, "constant-name", message);
        }
        if self.numbers.contains_key(&id) {
            return self.wrong(at, "twice", format!("`{id}` is there twice"));
        }
        let most = self.attribute(at, "maxLevel");
        let Some(most) = most.map_or(Some(1), |most| most.trim().parse::<usize>().ok()) else {
            let message = format!("`maxLevel` of `{id}` is no level");
            return self.wrong(at, "many-levels", message);
        };
        if most > MOST_LEVELS {
            let message = format!("`{id}` has levels above {MOST_LEVELS}");
            return self.wrong(at, "many-levels", message);
        }
        // A species with the level 0 alone is not a variable that becomes 0: there is no state in which it is 1.
        let mut all = Vec::with_capacity(most);
        for level in 1..=most {
            let name = match most {
                1 => id.clone(),
                _ => format!("{id}_{level}"),
            };
            let number = self.network.names.len();
            if number >= MOST_VARIABLES {
                let message = format!("there are more than {MOST_VARIABLES} species and levels");
                return self.wrong(at, "too-many-variables", message);
            }
            if !self.names.insert(name.clone()) {
                let message = format!("`{name}` is there twice: a level of a species is called so");
                return self.wrong(at, "twice", message);
            }
            all.push(number);
            self.network.names.push(name);
            self.network.updates.push(Update::Variable(number));
            self.is_set.push(false);
        }
        self.initial(at, &id, &all);
        if most > 1 {
            self.network.levels.push(all.clone());
        }
        self.numbers.insert(id, all);
    }

    /// What the file says about the level at the start.
    fn initial(&mut self, at: usize, id: &str, all: &[usize]) {
        let Some(text) = self.attribute(at, "initialLevel") else {
            return;
        };
        let level = text.trim().parse::<usize>().ok();
        let Some(level) = level.filter(|level| *level <= all.len()) else {
            let message = format!("`initialLevel` of `{id}` is none of its levels");
            return self.wrong(at, "many-levels", message);
        };
        let pins = all.iter().enumerate();
        let pins = pins.map(|(place, &number)| (number, place < level));
        self.network.initial.extend(pins);
    }

    /// What no transition sets keeps its level.
    fn inputs(&mut self) {
        let free = |at: &usize| !self.is_set[*at];
        self.network.inputs = (0..self.network.names.len()).filter(free).collect();
        for all in &self.network.levels {
            for (level, &number) in (1..).zip(all) {
                if !self.is_set[number] {
                    self.network.updates[number] = step(all, level, Update::Variable(number));
                }
            }
        }
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
                let before = inputs.insert(id.clone(), level);
                if before.is_some_and(|before| before != level) {
                    self.wrong(input, "twice", format!("two inputs are called `{id}`"));
                }
            }
        }
        let Some(terms) = self.terms(at, &inputs) else {
            return;
        };
        for output in self.listed(at, "listOfOutputs", "output") {
            if self.output(at, output, &terms).is_none() {
                return;
            }
        }
    }

    /// Gives a species its functions; nothing if there are too large ones.
    fn output(&mut self, transition: usize, at: usize, terms: &Terms) -> Option<()> {
        if self.attribute(at, "transitionEffect").as_deref() == Some("production") {
            let message = "a transition with terms produces a species";
            self.wrong(at, "produces", message);
            return Some(());
        }
        let species = self.attribute(at, "qualitativeSpecies").unwrap_or_default();
        let Some(all) = self.numbers.get(&species).cloned() else {
            self.wrong(at, "no-species", format!("there is no `{species}`"));
            return Some(());
        };
        let (most, highest) = (all.len(), terms.highest());
        if highest > most {
            let message = format!("`{species}` has no level above {most}, and is set to {highest}");
            self.wrong(at, "many-levels", message);
            return Some(());
        }
        for (level, &number) in (1..).zip(&all) {
            let Some(wanted) = terms.at_least(level) else {
                let message = format!("the function is more than {DEEPEST} levels deep");
                self.wrong(transition, "too-deep", message);
                return None;
            };
            self.parts = self.parts.saturating_add(size(&wanted));
            if self.parts > MOST_PARTS {
                let message = format!("the functions have more than {MOST_PARTS} parts");
                self.wrong(at, "too-large", message);
                return None;
            }
            if std::mem::replace(&mut self.is_set[number], true) {
                let message = format!("several transitions set `{species}`");
                self.wrong(at, "twice", message);
                return Some(());
            }
            self.network.updates[number] = step(&all, level, wanted);
        }
        Some(())
    }

    /// The terms of a transition.
    fn terms(&mut self, at: usize, inputs: &HashMap<String, f64>) -> Option<Terms> {
        let default = self.listed(at, "listOfFunctionTerms", "defaultTerm");
        if let Some(&second) = default.get(1) {
            self.wrong(second, "twice", "there are two default terms");
            return None;
        }
        let default = match default.first() {
            Some(&term) => self.level(term)?,
            None => 0,
        };
        let mut rows = Vec::new();
        for term in self.listed(at, "listOfFunctionTerms", "functionTerm") {
            rows.push((self.level(term)?, self.condition(term, inputs)?));
        }
        Some(Terms { default, rows })
    }

    /// The condition of a term.
    fn condition(&mut self, term: usize, inputs: &HashMap<String, f64>) -> Option<Update> {
        let formulas: Vec<usize> = self
            .document
            .named(term, "math")
            .flat_map(|math| self.document.elements[math].children.iter().copied())
            .collect();
        let inner = match formulas[..] {
            [inner] => inner,
            [] => {
                self.wrong(term, "no-term", "the term has no formula");
                return None;
            }
            [_, second, ..] => {
                self.wrong(second, "no-term", "the term has more than one formula");
                return None;
            }
        };
        match self.term(inner, inputs, 0)? {
            Term::Truth(condition) => Some(condition),
            Term::Number(_) | Term::Level(_) => {
                self.wrong(inner, "no-condition", "a condition was expected");
                None
            }
        }
    }

    fn level(&mut self, term: usize) -> Option<usize> {
        let level = self.attribute(term, "resultLevel");
        let level = level.and_then(|level| level.trim().parse().ok());
        if level.is_none() {
            self.wrong(term, "many-levels", "`resultLevel` must be a level");
        }
        level
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
            "cn" => self.number(at).map(Term::Number),
            // What stands inside of a name would be left out.
            "ci" if !element.children.is_empty() => None,
            "ci" => match (self.numbers.get(text), inputs.get(text)) {
                (Some(_), Some(_)) => {
                    let message = format!("`{text}` is a species and the threshold of an input");
                    self.wrong(at, "twice", message);
                    return None;
                }
                (Some(all), None) => Some(match all[..] {
                    [] => Term::Truth(Update::Constant(false)),
                    [number] => Term::Truth(Update::Variable(number)),
                    _ => Term::Level(all.clone()),
                }),
                (None, Some(&level)) => Some(Term::Number(level)),
                (None, None) => None,
            },
            "apply" => return self.apply(at, inputs, depth),
            _ => None,
        };
        if found.is_none() {
            let message = match element.name.as_str() {
                "cn" => match self.is_plain(at) {
                    true => format!("`{text}` is no level"),
                    false => "only numbers of type `integer` and `real` in base 10 are read".into(),
                },
                "ci" if !element.children.is_empty() => "only plain names are read".into(),
                "ci" => format!("there is no `{text}`"),
                name => format!("`{name}` is not read here"),
            };
            self.wrong(at, "no-term", message);
        }
        found
    }

    /// Whether the text of a number is all of it: in others, parts stand beside each other, as in
    /// `1<sep/>2`, or digits mean something else.
    fn is_plain(&self, at: usize) -> bool {
        let is = |name: &str, known: &[&str]| {
            let value = self.document.attribute(at, name).map(str::trim);
            value.is_none_or(|value| known.contains(&value))
        };
        let alone = self.document.elements[at].children.is_empty();
        alone && is("type", &["integer", "real"]) && is("base", &["10"])
    }

    fn number(&self, at: usize) -> Option<f64> {
        let number: f64 = self.document.elements[at].text.trim().parse().ok()?;
        let kind = self.document.attribute(at, "type").map(str::trim);
        let fits = number.is_finite() && (kind != Some("integer") || number.fract() == 0.0);
        (fits && self.is_plain(at)).then_some(number)
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
                .and_then(|both| compared(name, both)),
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
    let truths = terms.into_iter().map(|term| match term {
        Term::Truth(update) => Some(update),
        Term::Number(_) | Term::Level(_) => None,
    });
    let truths: Option<Vec<Update>> = truths.collect();
    Some(balanced(truths?, none, join))
}

/// A row under one operator as a tree that is not deep.
fn balanced(
    mut row: Vec<Update>,
    none: bool,
    join: fn(Box<Update>, Box<Update>) -> Update,
) -> Update {
    while row.len() > 1 {
        let mut shorter = Vec::with_capacity(row.len().div_ceil(2));
        let mut parts = row.into_iter();
        while let Some(one) = parts.next() {
            shorter.push(match parts.next() {
                Some(other) => join(Box::new(one), Box::new(other)),
                None => one,
            });
        }
        row = shorter;
    }
    row.pop().unwrap_or(Update::Constant(none))
}

/// The values of a side of a comparison with a level; none of a condition, which would be written many times.
fn valued(term: Term) -> Option<Vec<(f64, Update)>> {
    let always = |value: f64| vec![(value, Update::Constant(true))];
    match term {
        Term::Number(number) => Some(always(number)),
        Term::Truth(Update::Constant(value)) => Some(always(f64::from(u8::from(value)))),
        Term::Truth(Update::Variable(at)) => {
            Some((0_u32..).map(f64::from).zip(values(&[at])).collect())
        }
        Term::Truth(_) => None,
        Term::Level(all) => Some((0_u32..).map(f64::from).zip(values(&all)).collect()),
    }
}

/// A comparison of levels: a condition is 1 where it is true. Each side is written once, so that
/// comparisons of comparisons do not grow.
fn compared(name: &str, both: [Term; 2]) -> Option<Update> {
    let holds = |left: f64, right: f64| match name {
        "eq" => left == right,
        "neq" => left != right,
        "lt" => left < right,
        "gt" => left > right,
        "leq" => left <= right,
        _ => left >= right,
    };
    let decided = |update: Update, at_0: bool, at_1: bool| match (at_0, at_1) {
        (false, true) => update,
        (true, false) => negated(update),
        (always, _) => Update::Constant(always),
    };
    if both.iter().any(|side| matches!(side, Term::Level(_))) {
        let [left, right] = both;
        let (left, right) = (valued(left)?, valued(right)?);
        let mut row = Vec::new();
        for (value, here) in &left {
            let fits = right.iter().filter(|(other, _)| holds(*value, *other));
            let there: Vec<Update> = fits.map(|(_, there)| there.clone()).collect();
            if there.len() == right.len() {
                row.push(here.clone());
            } else if !there.is_empty() {
                let there = balanced(there, false, Update::Or);
                row.push(Update::And(Box::new(here.clone()), Box::new(there)));
            }
        }
        return Some(balanced(row, false, Update::Or));
    }
    Some(match both {
        [Term::Number(left), Term::Number(right)] => Update::Constant(holds(left, right)),
        [Term::Truth(left), Term::Number(right)] => {
            decided(left, holds(0.0, right), holds(1.0, right))
        }
        [Term::Number(left), Term::Truth(right)] => {
            decided(right, holds(left, 0.0), holds(left, 1.0))
        }
        [Term::Truth(left), Term::Truth(right)] => {
            let plain = |update: Update| Box::new(update);
            let not = |update: Update| Box::new(negated(update));
            match name {
                "eq" => negated(Update::Xor(plain(left), plain(right))),
                "neq" => Update::Xor(plain(left), plain(right)),
                "lt" => Update::And(not(left), plain(right)),
                "gt" => Update::And(plain(left), not(right)),
                "leq" => Update::Or(not(left), plain(right)),
                _ => Update::Or(plain(left), not(right)),
            }
        }
        // These were compared above.
        [Term::Level(_), _] | [_, Term::Level(_)] => return None,
    })
}

fn operands(update: &Update) -> [Option<&Update>; 2] {
    match update {
        Update::Constant(_) | Update::Variable(_) => [None, None],
        Update::Not(inner) => [Some(inner), None],
        Update::And(one, other) | Update::Or(one, other) | Update::Xor(one, other) => {
            [Some(one), Some(other)]
        }
    }
}

/// How many parts a function has.
fn size(update: &Update) -> usize {
    let (mut open, mut found) = (vec![update], 0);
    while let Some(update) = open.pop() {
        found += 1;
        open.extend(operands(update).into_iter().flatten());
    }
    found
}

/// How deep a function is.
fn depth(update: &Update) -> usize {
    let (mut open, mut deepest) = (vec![(update, 1)], 0);
    while let Some((update, depth)) = open.pop() {
        deepest = deepest.max(depth);
        let inner = operands(update).into_iter().flatten();
        open.extend(inner.map(|inner| (inner, depth + 1)));
    }
    deepest
}

#[cfg(test)]
mod tests;
