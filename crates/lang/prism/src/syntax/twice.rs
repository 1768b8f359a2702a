//! What a model says twice, or in two ways: of two meanings none is the right one.

use std::collections::HashSet;

use quotient_core::{Diagnostic, Source, Span};

use super::tree::{ModelTree, System};

/// The model, if nothing in it has two meanings.
pub(super) fn told(model: ModelTree, source: &Source) -> Result<ModelTree, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let mut tell = |message: String, span: Option<Span>| {
        let error = Diagnostic::error("twice", message);
        wrong.push(match span {
            Some(span) => error.at(source, span, ""),
            None => error,
        });
    };
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
    for label in &model.labels {
        if label.name == "init" || label.name == "deadlock" {
            let message = format!("the label \"{}\" has a meaning already", label.name);
            tell(message, Some(label.span));
        }
    }
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
