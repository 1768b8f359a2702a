//! Boolean networks and their file format.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::Parsed;

use crate::formula::Formula;
use crate::given::Pins;
use crate::read::{Walk, expression, formula};
use crate::words::words;

/// A network: each variable is updated by a function, one variable at a time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Network {
    pub(crate) names: Vec<String>,
    pub(crate) updates: Vec<Update>,
    pub(crate) questions: Vec<Question>,
    /// The variables that the file gives no function.
    pub(crate) inputs: Vec<usize>,
    /// The variables for levels from 1 on of each species that has more than two; a level has all up to its own.
    pub(crate) levels: Vec<Vec<usize>>,
    /// The last so many variables are parameters: they keep their values, and names of states do not speak of them.
    pub(crate) parameters: usize,
    /// The variables that were fixed from outside, with their values; their functions say the same.
    pub(crate) fixed: Pins,
    /// What the file says about the start.
    pub(crate) initial: Pins,
    /// The states that questions are about have these values; without any they are about all states.
    pub(crate) start: Pins,
}

impl Network {
    /// The network with a parameter for each input, which the input becomes equal to instead of keeping its
    /// value: as tools for networks that are not wholly known see it.
    pub(crate) fn with_parameters(mut self) -> Network {
        for &input in &self.inputs {
            let number = self.names.len();
            self.updates[input] = Update::Variable(number);
            self.updates.push(Update::Variable(number));
            self.names
                .push(format!("{} (parameter)", self.names[input]));
        }
        self.parameters = self.inputs.len();
        self
    }

    /// How many variables make up a state that can have a name.
    pub(crate) fn named(&self) -> usize {
        self.names.len() - self.parameters
    }
}

/// A Boolean function of the variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Update {
    Constant(bool),
    Variable(usize),
    Not(Box<Update>),
    And(Box<Update>, Box<Update>),
    Or(Box<Update>, Box<Update>),
    Xor(Box<Update>, Box<Update>),
}

/// A property.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) formula: Formula,
}

impl Update {
    /// Its value in a state, a bit for each variable.
    pub(crate) fn value(&self, state: u64) -> bool {
        match self {
            Update::Constant(value) => *value,
            Update::Variable(at) => state >> at & 1 == 1,
            Update::Not(inner) => !inner.value(state),
            Update::And(one, other) => one.value(state) && other.value(state),
            Update::Or(one, other) => one.value(state) || other.value(state),
            Update::Xor(one, other) => one.value(state) != other.value(state),
        }
    }
}

/// The variables that a function mentions.
pub(crate) fn regulators(update: &Update, found: &mut Vec<usize>) {
    match update {
        Update::Constant(_) => {}
        Update::Variable(at) => {
            if !found.contains(at) {
                found.push(*at);
            }
        }
        Update::Not(inner) => regulators(inner, found),
        Update::And(one, other) | Update::Or(one, other) | Update::Xor(one, other) => {
            regulators(one, found);
            regulators(other, found);
        }
    }
}

/// The most variables of a network.
pub(crate) const MOST_VARIABLES: usize = 5_000;

/// Whether functions and formulas take a name for a constant: a variable that is called so could
/// not be spoken of.
pub(crate) fn is_constant(name: &str) -> bool {
    let constants = ["0", "1", "true", "false"];
    constants.iter().any(|one| name.eq_ignore_ascii_case(one))
}

/// What is wrong with the name of a variable.
fn unfit(name: &str) -> Option<Diagnostic> {
    if name.is_empty() {
        let message = "a name was expected before the comma";
        return Some(Diagnostic::error("syntax", message));
    }
    let message = format!("a variable cannot be called `{name}`, which is a constant");
    is_constant(name).then(|| Diagnostic::error("constant-name", message))
}

/// Whether the two columns of a first line are its heads, however they are written.
fn is_header(name: &str, rest: &str) -> bool {
    let is = |text: &str, head: &str| text.trim().eq_ignore_ascii_case(head);
    is(name, "targets") && (is(rest, "factors") || is(rest, "functions"))
}

/// Reads a network. Names without a line of their own are inputs, which keep their values.
/// Properties stand in comments: `#check NAME: FORMULA`.
pub(crate) fn read(source: &Source) -> Result<Network, Vec<Diagnostic>> {
    let mut mistakes = Vec::new();
    let mut network = Network::default();
    let mut lines: Vec<(usize, Span)> = Vec::new();
    let mut checks: Vec<(String, Span, Span)> = Vec::new();
    let mut at = 0;
    for line in source.text().split('\n') {
        let start = at;
        at += line.len() + 1;
        let text = line.trim();
        if let Some(rest) = text.strip_prefix("#check ") {
            let Some((name, _)) = rest.split_once(':') else {
                mistakes.push(wrong(
                    source,
                    Span::new(start, start + line.len()),
                    "expected `#check NAME: FORMULA`",
                ));
                continue;
            };
            let behind = start + line.find(':').unwrap_or_default() + 1;
            let body = Span::new(behind, start + line.len());
            checks.push((
                name.trim().to_owned(),
                body,
                Span::new(start, start + line.len()),
            ));
            continue;
        }
        let body = line.split('#').next().unwrap_or_default();
        if body.trim().is_empty() {
            continue;
        }
        match target(source, Span::new(start, start + body.len()), &network.names) {
            Ok(None) => {}
            Ok(Some((name, function))) => {
                network.names.push(name);
                lines.push((network.names.len() - 1, function));
            }
            // Where each line has another column, one word is enough.
            Err(mistake) if mistake.code == "columns" => return Err(vec![mistake]),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let functions = network.names.len();
    for &(number, span) in &lines {
        match part(source, span, &mut network, |cursor, network| {
            expression(cursor, network)
        }) {
            Ok(update) => {
                // Inputs may have come in between.
                let inputs = network.updates.len()..=number;
                network.updates.extend(inputs.map(Update::Variable));
                network.updates[number] = update;
            }
            Err(more) => mistakes.extend(more),
        }
        if mistakes.len() > 20 {
            break;
        }
    }
    if !mistakes.is_empty() {
        mistakes.splice(0..0, unspeakable(source, &network.names, &lines));
    }
    let inputs = network.updates.len()..network.names.len();
    network.updates.extend(inputs.map(Update::Variable));
    network.inputs = (functions..network.names.len()).collect();
    if network.names.is_empty() && mistakes.is_empty() {
        mistakes
            .push(Diagnostic::error("no-variables", "there are no variables").in_source(source));
    }
    read_checks(source, checks, &mut network, &mut mistakes);
    match mistakes.is_empty() {
        true => Ok(network),
        false => Err(mistakes),
    }
}

/// The variable of a line and where its function stands; nothing if the line is the heads of the columns.
fn target(
    source: &Source,
    line: Span,
    known: &[String],
) -> Result<Option<(String, Span)>, Diagnostic> {
    let body = &source.text()[line.range()];
    let Some((name, rest)) = body.split_once(',') else {
        return Err(wrong(source, line, "expected `variable, function`"));
    };
    let behind = line.start + name.len() + 1;
    if let Some(second) = rest.find(',') {
        let message = "there are two columns: `variable, function`";
        let more = Span::new(behind + second, line.end);
        let mistake = Diagnostic::error("columns", message).at(source, more, "");
        return Err(mistake.help("leave out probabilities: a variable has one function"));
    }
    if known.is_empty() && is_header(name, rest) {
        return Ok(None);
    }
    let name = name.trim().to_owned();
    let place = Span::new(line.start, behind - 1);
    if let Some(mistake) = unfit(&name) {
        return Err(mistake.at(source, Span::new(line.start, behind), ""));
    }
    if known.contains(&name) {
        let message = format!("there are two functions for `{name}`");
        return Err(Diagnostic::error("declared-twice", message).at(source, place, ""));
    }
    if known.len() > MOST_VARIABLES {
        let message = format!("there are more than {MOST_VARIABLES} variables");
        return Err(Diagnostic::error("too-large", message).at(source, place, ""));
    }
    Ok(Some((name, Span::new(behind, line.end))))
}

/// Targets with signs in their names, which no function can speak of; each with the place of its function.
fn unspeakable(source: &Source, names: &[String], lines: &[(usize, Span)]) -> Vec<Diagnostic> {
    let fits = |letter: char| letter.is_alphanumeric() || "_.[]".contains(letter);
    let odd = |&&(number, _): &&(usize, Span)| !names[number].chars().all(fits);
    let told = lines.iter().filter(odd).map(|&(number, function)| {
        let name = &names[number];
        // The name ends before the comma.
        let before = source.text()[..function.start - 1].trim_end();
        let place = Span::new(before.len() - name.len(), before.len());
        let plain = name.chars().map(|one| if fits(one) { one } else { '_' });
        let help = format!(
            "use letters, digits and `_`, such as `{}`",
            plain.collect::<String>()
        );
        let message = format!("functions cannot speak of `{name}`");
        Diagnostic::error("name", message)
            .at(source, place, "")
            .help(help)
    });
    told.take(5).collect()
}

/// Reads the properties that stand in comments: a name, the place of the formula, that of the line.
fn read_checks(
    source: &Source,
    checks: Vec<(String, Span, Span)>,
    network: &mut Network,
    mistakes: &mut Vec<Diagnostic>,
) {
    for (name, body, span) in checks {
        match part(source, body, network, |cursor, network| {
            formula(cursor, network)
        }) {
            Ok(formula) => {
                let text = source.text()[body.range()].trim().to_owned();
                // A question without a name is called by what it asks.
                let name = match name.is_empty() {
                    true => text.clone(),
                    false => name,
                };
                if network.questions.iter().any(|known| known.name == name) {
                    let message = format!("there are two questions called `{name}`");
                    let twice = Diagnostic::error("declared-twice", message).at(source, span, "");
                    mistakes.push(twice.help("give this one another name"));
                    continue;
                }
                network.questions.push(Question {
                    name,
                    text,
                    span,
                    formula,
                });
            }
            Err(more) => mistakes.extend(more),
        }
    }
}

/// Reads a property that no file has.
pub(crate) fn read_question(
    source: &Source,
    network: &Network,
) -> Result<Question, Vec<Diagnostic>> {
    let mut network = network.clone();
    let whole = Span::new(0, source.text().len());
    let formula = part(source, whole, &mut network, |cursor, network| {
        formula(cursor, network)
    })?;
    let text = source.text().trim().to_owned();
    Ok(Question {
        name: text.clone(),
        text,
        span: Span::default(),
        formula: network.confined(formula),
    })
}

/// Reads a part of a text by a rule that must use it up.
fn part<T>(
    source: &Source,
    span: Span,
    network: &mut Network,
    rule: impl Fn(&mut Walk<'_>, &mut Network) -> Parsed<T>,
) -> Result<T, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source, span);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    // The text ends where the part does, so that messages point there.
    let source = &Source::new(source.name(), &source.text()[..span.end]);
    let worded = tokens.iter().any(|token| {
        let word = &source.text()[token.span.range()];
        let is = |other: &&str| word.eq_ignore_ascii_case(other);
        ["and", "or", "not"].iter().any(is)
    });
    let mut cursor = Walk::new(source, tokens);
    let read = rule(&mut cursor, network).and_then(|read| match cursor.is_at_end() {
        true => Ok(read),
        false => Err(cursor.unexpected("the end of the line")),
    });
    read.map_err(|mistake| match worded {
        true => vec![mistake.help("and, or and not are written `&`, `|` and `!`")],
        false => vec![mistake],
    })
}

fn wrong(source: &Source, span: Span, message: &str) -> Diagnostic {
    Diagnostic::error("syntax", message).at(source, span, "")
}
