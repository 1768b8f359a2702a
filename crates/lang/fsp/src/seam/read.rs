//! Texts from what is given.

use quotient_core::{Diagnostic, Source, Trouble};
use quotient_language::{Files, Input};

use super::about::FSP_ENDINGS;
use super::recognise::is_aldebaran;
use crate::Model;

/// What an Aldebaran file is called inside the model made of it.
const IMPORTED: &str = "component.aut";

/// A model with the files that it imports, by the names it has for them.
pub(super) type WithImports = (Model, Vec<(String, Source)>);

/// Reads a model and the files that it imports, which lie beside it. An Aldebaran file is a
/// model with one component, named after the file.
pub(super) fn read(input: &Input, files: &mut dyn Files) -> Result<WithImports, Trouble> {
    let source = match recoded(input) {
        Some(source) => source,
        None => input.require_text()?.clone(),
    };
    let is_component =
        is_aldebaran(source.text()) || input.has_ending(&["aut"]) && !source.text().is_empty();
    if is_component {
        let text = format!("import {} = \"{IMPORTED}\"\n", name_of(source.name()));
        let model = Model::read(&Source::new(source.name(), text))?;
        return Ok((model, vec![(IMPORTED.to_owned(), source)]));
    }
    let model = Model::read(&source)?;
    let mut imports: Vec<(String, Source)> = Vec::new();
    for name in model.imports() {
        if imports.iter().any(|(known, _)| known == name) {
            continue;
        }
        let bytes = files.read(name).map_err(|why| {
            let message = format!("the imported file `{name}` cannot be read: {why}");
            Trouble::from(Diagnostic::error("missing-import", message).in_source(&source))
        })?;
        let imported = Input::bytes(beside(&source, name), bytes);
        imports.push((name.to_owned(), imported.require_text()?.clone()));
    }
    Ok((model, imports))
}

/// The path of a file beside a text.
fn beside(source: &Source, name: &str) -> String {
    match source.name().rfind(['/', '\\']) {
        Some(at) => format!("{}{name}", &source.name()[..=at]),
        None => name.to_owned(),
    }
}

/// A text for LTSA that is not in UTF-8: it is often in Windows-1252, with letters of the
/// author's language in comments and the dashes of slides, since LTSA reads what the system
/// writes.
pub(super) fn recoded(input: &Input) -> Option<Source> {
    const FROM_128_TO_159: [char; 32] = [
        '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
        '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ',
        '\u{fffd}', 'ž', 'Ÿ',
    ];
    let bytes = input.raw();
    let is_text = input.source().is_some() || input.names().is_some() || bytes.contains(&0);
    if is_text || !input.has_ending(FSP_ENDINGS) {
        return None;
    }
    let letter = |&byte: &u8| match byte {
        128..160 => FROM_128_TO_159[usize::from(byte) - 128],
        _ => char::from(byte),
    };
    let text: String = bytes.iter().map(letter).collect();
    Some(Source::new(input.name(), text))
}

/// The name of a process made of the name of a file.
fn name_of(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let letter = |letter: char| match letter.is_ascii_alphanumeric() {
        true => letter.to_ascii_uppercase(),
        false => '_',
    };
    let name: String = stem.chars().map(letter).collect();
    match name.starts_with(|first: char| first.is_ascii_uppercase()) {
        true => name,
        false => format!("COMPONENT{name}"),
    }
}
