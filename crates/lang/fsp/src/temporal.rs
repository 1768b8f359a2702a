//! Fluents and assertions.

mod translation;

use quotient_compose::Fluent;
use quotient_core::Diagnostic;
use quotient_logic::Formula;

use crate::Error;
use crate::compile::Compiler;
use crate::evaluate::Value;
use crate::syntax::Name;
use translation::Translation;

/// An assertion over the actions of a system.
///
/// It speaks about the moments right after each action, the first moment being after the
/// first action (Giannakopoulou and Magee 2003).
#[derive(Debug, Clone)]
pub struct AssertionCheck {
    /// Its name.
    pub name: String,
    /// What it says; atoms are positions in [`fluents`](AssertionCheck::fluents).
    pub formula: Formula<usize>,
    /// What the formula speaks about.
    pub fluents: Vec<Fluent>,
    /// What looked odd: actions that the system does not have.
    pub warnings: Vec<Diagnostic>,
}

/// An assertion by name.
pub(crate) fn assertion_check(
    compiler: &mut Compiler<'_>,
    name: &str,
    arguments: Option<&[Value]>,
) -> Result<AssertionCheck, Error> {
    let mut translation = Translation::new(compiler)?;
    let Some(&assertion) = translation.assertions.get(name) else {
        let mut known: Vec<&str> = translation.assertions.keys().copied().collect();
        known.sort_unstable();
        let diagnostic = Diagnostic::error(
            "undefined-assertion",
            format!("there is no assertion `{name}`"),
        )
        .in_source(translation.compiler.source())
        .did_you_mean(name, known.iter().copied());
        return Err(match known.is_empty() {
            true => diagnostic,
            false => diagnostic.note(format!("there are {}", known.join(", "))),
        }
        .into());
    };
    let scope = translation
        .compiler
        .globals
        .parameters(&assertion.parameters, arguments)?;
    let formula = translation.whole(&assertion.formula, scope)?;
    Ok(AssertionCheck {
        name: name.to_string(),
        formula,
        warnings: unknown_actions(
            translation.compiler,
            &assertion.name,
            &translation.propositions,
        ),
        fluents: translation.propositions,
    })
}

/// A formula about actions that nobody does says nothing: mostly a slip of the pen.
fn unknown_actions(compiler: &Compiler<'_>, name: &Name, fluents: &[Fluent]) -> Vec<Diagnostic> {
    let system = &compiler.system;
    let Some(root) = system.root() else {
        return Vec::new();
    };
    let alphabet = system.alphabet(root);
    let mut labels: Vec<&str> = alphabet.iter().map(|&a| system.actions.name(a)).collect();
    labels.sort_unstable();
    let never = fluents
        .iter()
        .filter(|fluent| !fluent.initially)
        .filter(|fluent| fluent.begin.iter().all(|action| !alphabet.contains(action)));
    never
        .map(|fluent| {
            let first = fluent.begin.first();
            let label = first.map_or("", |&action| system.actions.name(action));
            Diagnostic::warning(
                "unknown-action",
                format!(
                    "`{}` is never true: no component does `{label}`",
                    fluent.name
                ),
            )
            .at(compiler.source(), name.span, "in this assertion")
            .did_you_mean(label, labels.iter().copied())
        })
        .collect()
}
