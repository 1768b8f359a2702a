//! Progress properties and menus.

use quotient_compose::{Action, Progress};

use crate::Error;
use crate::compile::Compiler;
use crate::evaluate::{Expander, Scope};
use crate::syntax::{self, Definition, Label, Specification};

/// All progress properties of a text, one for each value of their indices.
pub(crate) fn progress_checks<'a>(
    compiler: &mut Compiler<'a>,
    specification: &'a Specification,
) -> Result<Vec<Progress>, Error> {
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
) -> Result<(), Error> {
    let globals = compiler.globals.clone();
    let expander = Expander::new(&globals, compiler.budget);
    expander.each_index(
        &progress.indices,
        &mut Scope::default(),
        &mut |indices, scope| {
            let name = match indices {
                "" => progress.name.text.clone(),
                indices => format!("{}.{indices}", progress.name.text),
            };
            let mut actions = |label: &'a Label, scope: &mut Scope<'a>| -> Result<_, Error> {
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
        },
    )
}

/// The actions of each `menu`.
pub(crate) fn menus<'a>(
    compiler: &Compiler<'a>,
    specification: &'a Specification,
) -> Result<Vec<(String, Vec<String>)>, Error> {
    let expander = Expander::new(&compiler.globals, compiler.budget);
    let mut menus = Vec::new();
    for definition in &specification.definitions {
        if let Definition::Menu(name, label) = definition {
            let labels = expander.labels(label, &mut Scope::default())?;
            menus.push((name.text.clone(), labels));
        }
    }
    Ok(menus)
}
