//! What cannot be checked because something that it needs was read over.

use quotient_core::Diagnostic;
use rustc_hash::FxHashSet;

use super::Parser;
use crate::syntax::{AssertionKind, CompositeBody, CompositeTerm, Definition, Name};

impl Parser<'_> {
    /// Leaves out composites with parts that were read over, and those with such composites; and
    /// of two formulas of one name the one to be composed, where only what was read over
    /// composes it. Each with a warning.
    pub(super) fn leave_out(&mut self, definitions: &mut Vec<Definition>) {
        if self.read_over.is_empty() {
            return;
        }
        for definition in definitions.iter() {
            if let Definition::Process(_) | Definition::Composite(_) | Definition::Import(..) =
                definition
            {
                self.read_over.remove(&definition.name().text);
            }
        }
        while let Some((at, part)) = self.with_missing_part(definitions) {
            let gone = definitions.remove(at).name().clone();
            let message = format!("`{}` is left out: it has `{part}` in it", gone.text);
            self.warn_mtsa(&message, &gone, "cannot be built");
            self.read_over.insert(gone.text);
        }
        let composed: FxHashSet<String> = definitions.iter().flat_map(parts).cloned().collect();
        let asserted: FxHashSet<String> = formulas(definitions, true).map(|one| one.text).collect();
        for twice in formulas(definitions, false).collect::<Vec<Name>>() {
            if asserted.contains(&twice.text) && !composed.contains(&twice.text) {
                let message = format!("this `{}` is left out: nothing composes it", twice.text);
                self.warn_mtsa(&message, &twice, "there is an `assert` of this name, too");
                definitions.retain(|one| one.name().span != twice.span);
            }
        }
    }

    /// The first composite with a part that is not there, and that part.
    fn with_missing_part(&self, definitions: &[Definition]) -> Option<(usize, String)> {
        definitions.iter().enumerate().find_map(|(at, definition)| {
            let missing = |part: &&String| self.read_over.contains(*part);
            let part = parts(definition).into_iter().find(missing)?;
            Some((at, part.clone()))
        })
    }

    fn warn_mtsa(&mut self, message: &str, at: &Name, label: &str) {
        let warning = Diagnostic::warning("mtsa", message.to_owned());
        self.warnings
            .push(warning.at(self.source, at.span, label.to_owned()));
    }
}

/// The names of formulas: of assertions, or of those to be composed.
fn formulas(definitions: &[Definition], asserted: bool) -> impl Iterator<Item = Name> {
    definitions
        .iter()
        .filter_map(move |definition| match definition {
            Definition::Assertion(one) if (one.kind == AssertionKind::Assert) == asserted => {
                Some(one.name.clone())
            }
            _ => None,
        })
}

/// What a composite is made of.
fn parts(definition: &Definition) -> Vec<&String> {
    let mut parts = Vec::new();
    let mut open = match definition {
        Definition::Composite(composite) => vec![&composite.body],
        _ => Vec::new(),
    };
    while let Some(body) = open.pop() {
        match body {
            CompositeBody::Labelled { term, .. } => match term {
                CompositeTerm::Process(call) => parts.push(&call.name.text),
                CompositeTerm::Parallel(bodies) => open.extend(bodies.iter().rev()),
            },
            CompositeBody::ForAll(_, body) => open.push(body),
            CompositeBody::If {
                then, otherwise, ..
            } => {
                open.extend(otherwise.as_deref());
                open.push(then);
            }
        }
    }
    parts
}
