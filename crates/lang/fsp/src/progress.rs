//! Progress properties and menus.

use quotient_core::{Diagnostic, Source, nearest};
use quotient_lts::{Action, NodeId, Progress, System};

use crate::Trouble;
use crate::compile::Compiler;
use crate::evaluate::{Expander, Scope};
use crate::syntax::{self, Definition, Label, Specification};

/// All progress properties of a text, one for each value of their indices.
pub(crate) fn progress_checks<'a>(
    compiler: &mut Compiler<'a>,
    specification: &'a Specification,
) -> Result<Vec<Progress>, Trouble> {
    let mut checks = Vec::new();
    for definition in &specification.definitions {
        if let Definition::Progress(progress) = definition {
            add(compiler, progress, &mut checks)?;
        }
    }
    Ok(checks)
}

fn add<'a>(
    compiler: &mut Compiler<'a>,
    progress: &'a syntax::Progress,
    checks: &mut Vec<Progress>,
) -> Result<(), Trouble> {
    let globals = compiler.globals.clone();
    let expander = Expander::new(&globals, compiler.budget);
    let mut scope = match progress.indices.is_empty() {
        true => Scope::default().of_set(),
        false => Scope::default(),
    };
    expander.each_index(&progress.indices, &mut scope, &mut |indices, scope| {
        let name = match indices {
            "" => progress.name.text.clone(),
            indices => format!("{}.{indices}", progress.name.text),
        };
        let mut actions = |label: &'a Label, scope: &mut Scope<'a>| -> Result<_, Trouble> {
            let labels = expander.labels(label, scope)?;
            let actions = labels
                .iter()
                .map(|label| compiler.system.actions.intern(label));
            Ok(actions.collect::<Vec<Action>>())
        };
        checks.push(Progress {
            name,
            condition: match &progress.condition {
                Some(condition) => Some(actions(condition, scope)?),
                None => None,
            },
            actions: actions(&progress.actions, scope)?,
        });
        Ok(())
    })
}

/// A progress property about actions that nobody does is mostly a slip of the pen.
pub(crate) fn never_happening(
    source: &Source,
    specification: &Specification,
    checks: &[Progress],
    system: &System,
    root: NodeId,
) -> Vec<Diagnostic> {
    let alphabet = system.alphabet(root);
    let mut labels: Vec<&str> = alphabet.iter().map(|&a| system.actions.name(a)).collect();
    labels.sort_unstable();
    let mut warnings: Vec<Diagnostic> = Vec::new();
    for check in checks {
        let mut actions = check.actions.iter();
        if actions.any(|action| alphabet.binary_search(action).is_ok()) {
            continue;
        }
        let first = check.actions.first();
        let first = first.map_or("", |&action| system.actions.name(action));
        let name = check.name.split('.').next().unwrap_or_default();
        let place = specification.definitions.iter().find_map(|one| match one {
            Definition::Progress(progress) if progress.name.text == name => Some(&progress.name),
            _ => None,
        });
        // It may well be about another system of the text; a slip has a neighbour.
        let near = nearest(first, labels.iter().copied());
        let (Some(place), Some(near)) = (place, near) else {
            continue;
        };
        let message =
            format!("the progress property `{name}` is about `{first}`, which no component does");
        if warnings.iter().all(|known| known.message != message) {
            warnings.push(
                Diagnostic::warning("unknown-action", message)
                    .at(source, place.span, "this property")
                    .help(format!("did you mean `{near}`?")),
            );
        }
    }
    warnings
}

/// The actions of each `menu`.
pub(crate) fn menus<'a>(
    compiler: &Compiler<'a>,
    specification: &'a Specification,
) -> Result<Vec<(String, Vec<String>)>, Trouble> {
    let expander = Expander::new(&compiler.globals, compiler.budget);
    let mut menus = Vec::new();
    for definition in &specification.definitions {
        if let Definition::Menu(name, label) = definition {
            let labels = expander.labels(label, &mut Scope::default().of_set())?;
            menus.push((name.text.clone(), labels));
        }
    }
    Ok(menus)
}
