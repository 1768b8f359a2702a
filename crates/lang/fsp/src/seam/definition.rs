//! Definitions as the text writes them.

use quotient_core::Span;

use crate::Model;
use crate::syntax::Definition;

/// Words before a name that belong to a definition.
const WORDS: [&str; 13] = [
    "property",
    "minimal",
    "deterministic",
    "compose",
    "progress",
    "assert",
    "ltl_property",
    "constraint",
    "fluent",
    "import",
    "menu",
    "||",
    "safety",
];

/// The place of a definition, with the words before it.
pub(super) fn place(model: &Model, is_meant: impl Fn(&Definition) -> bool) -> Option<Span> {
    let definitions = &model.specification().definitions;
    let at = definitions.iter().position(is_meant)?;
    let text = model.source().text();
    let start = beginning(text, definitions[at].name().span.start);
    let end = match definitions.get(at + 1).map(Definition::name) {
        Some(next) => beginning(text, next.span.start),
        None => text.len(),
    };
    let inside = text.get(start..end)?;
    Some(Span::new(
        start,
        start + without_trailing_comments(inside).len(),
    ))
}

/// Where the words before a name begin.
fn beginning(text: &str, name: usize) -> usize {
    let mut start = name;
    loop {
        let before = text[..start].trim_end();
        match WORDS.iter().find(|word| before.ends_with(**word)) {
            Some(word) => start = before.len() - word.len(),
            None => return start,
        }
    }
}

/// A definition without the comments that belong to the next one.
fn without_trailing_comments(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let line = text.rfind('\n').map_or(0, |at| at + 1);
        let last = text[line..].trim_start();
        let before = match text.ends_with("*/") {
            true => text.rfind("/*"),
            false if last.starts_with("//") => Some(line),
            false => None,
        };
        match before {
            Some(at) if at > 0 => text = text[..at].trim_end(),
            _ => return text,
        }
    }
}

/// The definition behind the name of a component: a process, a composite, or a formula that is
/// used as a process.
pub(super) fn of_component(model: &Model, component: &str) -> Option<Span> {
    let base = base(component);
    place(model, |definition| match definition {
        Definition::Process(process) => process.name.text == base,
        Definition::Composite(composite) => composite.name.text == base,
        Definition::Import(name, _) => name.text == base,
        _ => false,
    })
    .or_else(|| of_assertion(model, base))
}

/// The definition of a progress property, without the values of its indices.
pub(super) fn of_progress(model: &Model, name: &str) -> Option<Span> {
    let base = name.split('.').next().unwrap_or(name);
    place(
        model,
        |definition| matches!(definition, Definition::Progress(progress) if progress.name.text == base),
    )
}

/// The definition of an assertion.
pub(super) fn of_assertion(model: &Model, name: &str) -> Option<Span> {
    place(
        model,
        |definition| matches!(definition, Definition::Assertion(assertion) if assertion.name.text == name),
    )
}

/// The name of a process without what stands around it: prefixes, composites and parameters.
pub(super) fn base(name: &str) -> &str {
    let name = name.rsplit(':').next().unwrap_or(name);
    let name = name.split('(').next().unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name)
}
