//! Models of components from files.

use std::path::Path;

use quotient_core::Source;
use quotient_fsp::Model;

use crate::failure::Failure;
use crate::files;
use crate::session::Session;

/// Reads a model and the files that it imports, which lie beside it. An Aldebaran file is a
/// model with one component, named after the file.
pub(crate) fn read(
    source: &Source,
    session: &Session,
) -> Result<(Model, Vec<(String, Source)>), Failure> {
    if is_aldebaran(source) {
        let text = format!("import {} = \"{IMPORTED}\"\n", name_of(source.name()));
        let model = Model::read(&Source::new(source.name(), text)).map_err(Failure::Input)?;
        return Ok((model, vec![(IMPORTED.to_owned(), source.clone())]));
    }
    let model = Model::read(source).map_err(Failure::Input)?;
    let folder = Path::new(source.name()).parent().unwrap_or(Path::new(""));
    let imported = |name: &str| {
        let path = folder.join(name).to_string_lossy().into_owned();
        Ok((name.to_owned(), files::source(&path, session)?))
    };
    let imports = model
        .imports()
        .map(imported)
        .collect::<Result<_, Failure>>()?;
    Ok((model, imports))
}

/// What an Aldebaran file is called inside the model made of it.
const IMPORTED: &str = "component.aut";

/// Whether a text is one component in the Aldebaran format.
pub(crate) fn is_aldebaran(source: &Source) -> bool {
    use crate::detect::{Detected, Foreign, detect};
    source.name().ends_with(".aut") || detect(source) == Some(Detected::Foreign(Foreign::Aldebaran))
}

/// The name of a process made of the name of a file.
fn name_of(path: &str) -> String {
    let stem = Path::new(path)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
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
