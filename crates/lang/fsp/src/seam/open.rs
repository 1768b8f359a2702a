//! Opening a text.

use std::cell::OnceCell;

use quotient_core::{Context, Diagnostic, Trouble};
use quotient_language::{Files, Input, Settings};

use super::compare::Against;
use super::opened::Opened;
use super::read::read;
use super::way::Wishes;
use crate::Options;

/// Reads a text and compiles the system that is meant.
pub(super) fn open(
    input: &Input,
    files: &mut dyn Files,
    settings: &Settings,
    cx: &Context,
) -> Result<Opened, Trouble> {
    let (model, imports) = read(input, files)?;
    let options = Options {
        system: settings.text("system").map(str::to_owned),
        properties: settings.all("watch").to_vec(),
        constants: constants(settings)?,
        imports,
    };
    let wishes = Wishes::of(settings);
    let model = match &wishes.formula(&model) {
        Some(formula) => model.with_formula(formula)?,
        None => model,
    };
    if let Some(formula) = &wishes.modal {
        super::modal::read(formula)?;
    }
    let against = Against::of(settings, (&model, &options), files)?;
    let base = model.compile(&options, &cx.budget);
    let base = match base {
        // A constant may be a parameter of the part that is to be shown, and not of the system.
        Err(Trouble::Invalid(mistakes)) if mistakes.iter().any(|one| !is_deferred(one)) => {
            return Err(Trouble::Invalid(mistakes));
        }
        base => base,
    };
    let mut warnings = base
        .as_ref()
        .map_or_else(|_| Vec::new(), |base| base.warnings.clone());
    if let (Some(formula), Ok(base)) = (&wishes.modal, &base) {
        warnings.extend(super::modal::unknown(formula, base)?);
    }
    Ok(Opened {
        warnings,
        model,
        options,
        wishes,
        against,
        base,
        safety: OnceCell::new(),
        budget: cx.budget.clone(),
    })
}

/// Mistakes that matter only to those who ask about the system.
fn is_deferred(mistake: &Diagnostic) -> bool {
    ["undefined-constant", "no-process"].contains(&mistake.code)
}

/// The constants that are given, as numbers.
fn constants(settings: &Settings) -> Result<Vec<(String, i32)>, Trouble> {
    let mut wrong = Vec::new();
    let mut constants = Vec::new();
    for (name, value) in settings.assignments("constant") {
        match value.parse() {
            Ok(value) => constants.push((name.to_owned(), value)),
            Err(_) => wrong.push(
                Diagnostic::error("usage", format!("`{value}` is no value for `{name}`"))
                    .help("write NAME=VALUE with a whole number, as in N=4"),
            ),
        }
    }
    match wrong.is_empty() {
        true => Ok(constants),
        false => Err(wrong.into()),
    }
}
