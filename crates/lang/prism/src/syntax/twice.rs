//! What a model says twice, or in two ways: of two meanings none is the right one.

use std::collections::HashSet;

use quotient_core::{Diagnostic, Source, Span};

use super::tree::{ModelTree, Named, PropertiesTree, System};

/// The model, if nothing in it has two meanings.
pub(super) fn told(model: ModelTree, source: &Source) -> Result<ModelTree, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let mut tell = |message: String, span: Option<Span>| wrong.push(error(message, span, source));
    let mut seen: HashSet<&str> = model.constants.iter().map(|one| &one.name[..]).collect();
    for formula in &model.formulas {
        if !seen.insert(&formula.name) {
            let message = format!("`{}` is declared twice", formula.name);
            tell(message, Some(formula.span));
        }
    }
    let mut seen = HashSet::new();
    for rewards in &model.rewards {
        if let Some(name) = &rewards.name
            && !seen.insert(name)
        {
            let message = format!("there are two rewards \"{name}\"");
            tell(message, rewards.items.first().map(|item| item.span));
        }
    }
    wrong.extend(known_labels(&model.labels, source));
    let mut tell = |message: String, span: Option<Span>| wrong.push(error(message, span, source));
    for renamed in &model.renamed {
        let mut seen = HashSet::new();
        for (old, _, span) in &renamed.pairs {
            if !seen.insert(old) {
                tell(format!("`{old}` is renamed twice"), Some(*span));
            }
        }
    }
    if let Some(old) = model.system.as_ref().and_then(renamed_twice) {
        tell(format!("the system renames `{old}` twice"), None);
    }
    let local = model.modules.iter().flat_map(|one| &one.variables);
    for variable in model.globals.iter().chain(local) {
        if model.init.is_some() && variable.init.is_some() {
            let message = format!("`{}` has a start of its own beside `init`", variable.name);
            tell(message, Some(variable.span));
        }
    }
    match wrong.is_empty() {
        true => Ok(model),
        false => Err(wrong),
    }
}

/// The properties, if none of their labels has two meanings.
pub(super) fn told_of(
    tree: PropertiesTree,
    source: &Source,
) -> Result<PropertiesTree, Vec<Diagnostic>> {
    let wrong = known_labels(&tree.labels, source);
    match wrong.is_empty() {
        true => Ok(tree),
        false => Err(wrong),
    }
}

/// The properties, if each has a name of its own. Files of PRISM may use a name again: there the
/// second is another one by its number.
pub(crate) fn names_once(
    tree: PropertiesTree,
    source: &Source,
) -> Result<PropertiesTree, Vec<Diagnostic>> {
    let mut seen = HashSet::new();
    let properties = tree.properties.iter();
    let again = properties.filter(|one| one.name.is_some() && !seen.insert(&one.name));
    let wrong: Vec<Diagnostic> = again
        .map(|one| {
            let name = one.name.as_deref().unwrap_or_default();
            let message = format!("there are two properties `{name}`");
            error(message, Some(one.span), source)
        })
        .collect();
    match wrong.is_empty() {
        true => Ok(tree),
        false => Err(wrong),
    }
}

fn error(message: String, span: Option<Span>, source: &Source) -> Diagnostic {
    let error = Diagnostic::error("twice", message);
    match span {
        Some(span) => error.at(source, span, ""),
        None => error,
    }
}

/// Labels that are there without being declared.
fn known_labels(labels: &[Named], source: &Source) -> Vec<Diagnostic> {
    let known = |label: &&Named| label.name == "init" || label.name == "deadlock";
    let tell = |label: &Named| {
        let message = format!("the label \"{}\" has a meaning already", label.name);
        error(message, Some(label.span), source)
    };
    labels.iter().filter(known).map(tell).collect()
}

fn renamed_twice(system: &System) -> Option<&str> {
    match system {
        System::Module(..) | System::Vectors(_) => None,
        System::Full(left, right) | System::On(left, _, right) => {
            renamed_twice(left).or_else(|| renamed_twice(right))
        }
        System::Hide(of, _) => renamed_twice(of),
        System::Rename(of, pairs) => {
            let mut seen = HashSet::new();
            let again = pairs.iter().find(|(old, _)| !seen.insert(old));
            again.map(|(old, _)| &old[..]).or_else(|| renamed_twice(of))
        }
    }
}
