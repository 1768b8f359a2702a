//! Fluents and assertions.

mod translation;

use quotient_core::Diagnostic;
use quotient_logic::Formula;
use quotient_lts::{Action, Fluent};
use rustc_hash::FxHashSet;

use crate::Trouble;
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
    /// The actions that it speaks of and that the system does not have. Nothing forbids them:
    /// as in LTSA, they may happen at any time.
    pub free: Vec<Action>,
    /// What looked odd: actions that the system does not have.
    pub warnings: Vec<Diagnostic>,
}

/// An assertion by name.
pub(crate) fn assertion_check(
    compiler: &mut Compiler<'_>,
    name: &str,
    arguments: Option<&[Value]>,
) -> Result<AssertionCheck, Trouble> {
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
    let free = free_actions(translation.compiler, &translation.propositions);
    Ok(AssertionCheck {
        name: name.to_string(),
        formula,
        warnings: warning(translation.compiler, &assertion.name, &free)
            .into_iter()
            .collect(),
        fluents: translation.propositions,
        free,
    })
}

/// What is wrong with the assertions and fluents of a text, also with those that nobody asks
/// about. Some are only too large to be checked; that is told when they are asked about.
pub(crate) fn mistakes_in_assertions(
    compiler: &mut Compiler<'_>,
) -> Result<Vec<Diagnostic>, Trouble> {
    let translation = Translation::new(compiler)?;
    let mut names: Vec<&str> = translation.assertions.keys().copied().collect();
    names.sort_unstable();
    let mut found = Vec::new();
    for name in names {
        compiler.budget.poll()?;
        match assertion_check(compiler, name, None) {
            Ok(_) => {}
            Err(Trouble::Invalid(mistakes)) => found.extend(mistakes),
            Err(stopped) => return Err(stopped),
        }
    }
    found.retain(|mistake| mistake.code != "too-large");
    let place = |mistake: &Diagnostic| mistake.labels.first().map(|label| label.span.start);
    found.sort_by_key(place);
    found.dedup_by(|one, other| place(one) == place(other));
    Ok(found)
}

/// The actions of fluents that the system does not have.
fn free_actions(compiler: &Compiler<'_>, fluents: &[Fluent]) -> Vec<Action> {
    let system = &compiler.system;
    let Some(root) = system.root() else {
        return Vec::new();
    };
    let alphabet: FxHashSet<Action> = system.alphabet(root).iter().copied().collect();
    let spoken_of = fluents
        .iter()
        .flat_map(|fluent| fluent.begin.iter().chain(fluent.end.iter().flatten()));
    let mut free: Vec<Action> = spoken_of
        .filter(|action| !alphabet.contains(action))
        .copied()
        .collect();
    free.sort_unstable();
    free.dedup();
    free
}

/// An assertion about actions that nobody does is mostly a slip of the pen.
fn warning(compiler: &Compiler<'_>, name: &Name, free: &[Action]) -> Option<Diagnostic> {
    let system = &compiler.system;
    let root = system.root()?;
    let label = system.actions.name(*free.first()?);
    let mut labels: Vec<&str> = system
        .alphabet(root)
        .iter()
        .map(|&action| system.actions.name(action))
        .collect();
    labels.sort_unstable();
    let message = match free.len() - 1 {
        0 => format!("no component does `{label}`"),
        1 => format!("no component does `{label}` and another action"),
        more => format!("no component does `{label}` and {more} other actions"),
    };
    Some(
        Diagnostic::warning("unknown-action", message)
            .at(
                compiler.source(),
                name.span,
                "that this assertion speaks of",
            )
            .note("nothing forbids it: it may happen at any time, as in LTSA")
            .did_you_mean(label, labels),
    )
}
