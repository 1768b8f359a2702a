//! The values of constants.

use std::collections::{HashMap, HashSet};

use quotient_core::{Diagnostic, Source, Span};
use quotient_markov::{decimal, nearest, whole};

use super::resolve::beyond;

use super::resolve::too_large;
use super::value::{fits, join};
use super::{Names, Term, Texts, Value};
use crate::syntax::{Constant, Node, PropertyTree, Sort, Tree};

/// Computes all constants, in whatever order they use each other.
pub(super) fn compute(
    texts: &Texts,
    given: &[(String, String)],
    names: &mut Names,
    mistakes: &mut Vec<Diagnostic>,
) {
    let of_model = texts.model.constants.iter().map(|one| (one, &texts.source));
    let of_file = texts.properties.constants.iter();
    let of_file = of_file.map(|one| (one, &texts.properties_source));
    let mut waiting: Vec<(&Constant, &Source)> = Vec::new();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (constant, source) in of_model.chain(of_file) {
        // A file of properties may name a constant of the model again.
        let named_again = seen
            .get(constant.name.as_str())
            .is_some_and(|&at| constant.value.is_none() && waiting[at].1.name() != source.name());
        if named_again {
            continue;
        }
        if seen.insert(&constant.name, waiting.len()).is_some() {
            let message = format!("the constant `{}` is declared twice", constant.name);
            mistakes.push(Diagnostic::error("twice", message).at(source, constant.span, ""));
            continue;
        }
        waiting.push((constant, source));
    }
    for (name, _) in given {
        if !seen.contains_key(name.as_str()) {
            let message = format!("there is no constant `{name}`");
            let error = Diagnostic::error("no-such-constant", message);
            mistakes.push(error.did_you_mean(name, seen.keys().copied()));
        }
    }
    // Whatever can be computed is, until nothing more can.
    let known: Vec<&str> = seen.keys().copied().collect();
    loop {
        let before = waiting.len();
        waiting.retain(|(constant, source)| {
            match value_of(constant, source, given, names, &known) {
                Ok(Some(value)) => {
                    names.constants.insert(constant.name.clone(), value);
                    false
                }
                Ok(None) => true,
                Err(mistake) => {
                    mistakes.push(mistake);
                    false
                }
            }
        });
        if waiting.len() == before || !mistakes.is_empty() {
            break;
        }
    }
    // Who needs one of the others hears that it has no value.
    let open = waiting.iter().map(|(constant, source)| {
        let why = without_value(constant, source);
        (constant.name.clone(), why)
    });
    names.open_constants = open.collect();
    for constant in &texts.model.constants {
        if let Some(value) = names.constants.get(&constant.name)
            && let Err(mistake) = within_bounds(constant, value, names, &texts.source)
        {
            mistakes.push(mistake);
        }
    }
}

/// A constant may have bounds, in JANI.
fn within_bounds(
    constant: &Constant,
    value: &Value,
    names: &Names,
    source: &Source,
) -> Result<(), Diagnostic> {
    for (how, tree) in &constant.bounds {
        let bound = names.term(tree, source, None)?;
        let Term::Value(bound) = bound else {
            let message = "this must not depend on variables";
            return Err(Diagnostic::error("not-constant", message).at(source, tree.span, ""));
        };
        if join(*how, value, &bound).is_none_or(|fits| !fits.holds()) {
            let message = format!(
                "the constant `{}` is {}, outside of its bounds",
                constant.name,
                value.text()
            );
            return Err(Diagnostic::error("range", message).at(source, tree.span, ""));
        }
    }
    Ok(())
}

/// Formulas that mean two things: by another formula or a constant of the name, in one of the texts.
pub(super) fn formulas_twice(texts: &Texts, mistakes: &mut Vec<Diagnostic>) {
    let constants = texts
        .model
        .constants
        .iter()
        .chain(&texts.properties.constants);
    let mut seen: HashSet<&str> = constants.map(|one| one.name.as_str()).collect();
    let of_model = texts.model.formulas.iter().map(|one| (one, &texts.source));
    let of_file = texts.properties.formulas.iter();
    let of_file = of_file.map(|one| (one, &texts.properties_source));
    for (formula, source) in of_model.chain(of_file) {
        if !seen.insert(&formula.name) {
            let message = format!("`{}` is declared twice", formula.name);
            mistakes.push(Diagnostic::error("twice", message).at(source, formula.span, ""));
        }
    }
}

/// The constants that have a value, by name.
pub(crate) fn in_force(texts: &Texts, given: &[(String, String)]) -> Vec<(String, String)> {
    let mut names = Names::of_formulas(texts);
    compute(texts, given, &mut names, &mut Vec::new());
    let all = names.constants.into_iter();
    all.map(|(name, value)| (name, value.text())).collect()
}

fn without_value(constant: &Constant, source: &Source) -> Diagnostic {
    let name = &constant.name;
    match constant.value {
        None => {
            let message = format!("the constant `{name}` has no value");
            Diagnostic::error("undefined-constant", message)
                .at(source, constant.span, "")
                .help(format!("give it one, as in `--constant {name}=1`"))
        }
        Some(_) => {
            let message = format!("the constant `{name}` depends on one without a value");
            Diagnostic::error("undefined-constant", message).at(source, constant.span, "")
        }
    }
}

/// A constant without a value is one mistake, wherever the model uses it.
pub(super) fn told_once(mistakes: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut open: Vec<Diagnostic> = Vec::new();
    let mut told = mistakes;
    told.retain(|mistake| {
        let again = open.contains(mistake);
        if mistake.code == "undefined-constant" && !again {
            open.push(mistake.clone());
        }
        !again
    });
    told
}

/// The value, if all that it depends on is known.
fn value_of(
    constant: &Constant,
    source: &Source,
    given: &[(String, String)],
    names: &Names,
    known: &[&str],
) -> Result<Option<Value>, Diagnostic> {
    let of_user = given.iter().rev().find(|(name, _)| *name == constant.name);
    let value = match (of_user, &constant.value) {
        (Some((_, text)), None) => parse(text).ok_or_else(|| {
            let message = format!("`{text}` is no value for the constant `{}`", constant.name);
            Diagnostic::error("constant-value", message).help("a number, `true` or `false`")
        })?,
        (Some(_), Some(_)) => {
            let message = format!("the constant `{}` has a value already", constant.name);
            return Err(Diagnostic::error("constant-value", message)
                .at(source, constant.span, "here")
                .help("take the value out of the text, or do not give another"));
        }
        (None, None) => return Ok(None),
        (None, Some(tree)) => {
            if !is_ready(tree, names, known, 0) {
                return Ok(None);
            }
            match names.term(tree, source, None)? {
                Term::Value(value) => value,
                _ => return Ok(None),
            }
        }
    };
    let large = match &value {
        Value::Whole(number) => constant.sort == Sort::Whole && !fits(*number),
        Value::Real(number, Some(exact)) => {
            let whole = constant.sort == Sort::Whole && exact.is_integer();
            whole && number.abs() > (1_u64 << 53) as f64
        }
        _ => false,
    };
    if large {
        return Err(too_large(source, constant.span));
    }
    let fitting = match (constant.sort, &value) {
        (Sort::Truth, Value::Truth(_)) | (Sort::Whole, Value::Whole(_)) => Some(value.clone()),
        (Sort::Real, Value::Real(..)) => Some(value.clone()),
        (Sort::Real, Value::Whole(number)) => {
            Some(Value::Real(*number as f64, Some(whole(*number))))
        }
        (Sort::Whole, Value::Real(number, Some(exact))) if exact.is_integer() => {
            Some(Value::Whole(*number as i64))
        }
        _ => None,
    };
    fitting.map(Some).ok_or_else(|| {
        let message = format!(
            "the constant `{}` is of type {}, its value `{}` is not",
            constant.name,
            constant.sort.name(),
            value.text()
        );
        Diagnostic::error("type", message).at(source, constant.span, "")
    })
}

/// Whether all constants in it are known, also those in formulas that it uses.
fn is_ready(tree: &Tree, names: &Names, known: &[&str], depth: usize) -> bool {
    let part = |tree: &Tree| is_ready(tree, names, known, depth + 1);
    match &tree.node {
        _ if depth > 300 => true,
        Node::Name(name) => {
            if known.contains(&name.as_str()) {
                return names.constants.contains_key(name);
            }
            let formula = names.formulas.get(name);
            formula.is_none_or(|(tree, _)| part(tree))
        }
        Node::Label(name) => {
            let label = names.labels.get(name);
            label.is_none_or(|(tree, _)| part(tree))
        }
        Node::Not(of) | Node::Negative(of) => part(of),
        Node::Two(_, left, right) => part(left) && part(right),
        Node::If(one, two, three) => part(one) && part(two) && part(three),
        Node::Call(_, parts) => parts.iter().all(part),
        _ => true,
    }
}

fn parse(text: &str) -> Option<Value> {
    match text {
        "true" => return Some(Value::Truth(true)),
        "false" => return Some(Value::Truth(false)),
        _ => {}
    }
    if let Ok(number) = text.parse() {
        return Some(Value::Whole(number));
    }
    let exact = match text.split_once('/') {
        Some((left, right)) => {
            let right = decimal(right.trim())?;
            (right != whole(0)).then_some(())?;
            decimal(left.trim())? / right
        }
        None => decimal(text)?,
    };
    let near = nearest(&exact);
    beyond(near, &exact)
        .is_none()
        .then_some(Value::Real(near, Some(exact)))
}

/// The values that are given to a constant: one, or those of a range `low:high` or
/// `low:step:high`.
pub(crate) fn given_values(name: &str, text: &str) -> Result<Vec<String>, Diagnostic> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (low, step, high) = match parts[..] {
        [_] => return Ok(vec![text.to_owned()]),
        [low, high] => (low, "1", high),
        [low, step, high] => (low, step, high),
        _ => return Err(bad_range(name, text)),
    };
    let read = |text: &str| decimal(text).ok_or_else(|| bad_range(name, text));
    let (low, step, high) = (read(low)?, read(step)?, read(high)?);
    if step <= whole(0) || low > high || (&high - &low) / &step > whole(10_000) {
        return Err(bad_range(name, text));
    }
    let mut values = Vec::new();
    let mut at = low;
    while at <= high {
        values.push(quotient_markov::written(&at));
        at += &step;
    }
    Ok(values)
}

fn bad_range(name: &str, text: &str) -> Diagnostic {
    let message = format!("`{text}` is no range of values for `{name}`");
    Diagnostic::error("constant-value", message)
        .help("write `low:high` or `low:step:high`, with at most 10,000 values")
}

impl Texts {
    /// A property by its name, as one that stands at a place may use it: only those before, so
    /// that none ever uses itself.
    pub(crate) fn property_before(
        &self,
        name: &str,
        source: &Source,
        span: Span,
    ) -> Option<&PropertyTree> {
        let mut all = self.properties.properties.iter();
        let found = all.find(|one| one.name.as_deref() == Some(name))?;
        let elsewhere = source.name() != self.properties_source.name();
        (elsewhere || found.span.end <= span.start).then_some(found)
    }
}
