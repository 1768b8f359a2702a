//! What is to be read: a text, bytes, or a folder.

use std::sync::Arc;

use quotient_core::{Diagnostic, Source};

/// What is to be read.
///
/// Mostly a text; some formats are binary, and some problems are whole folders.
#[derive(Debug, Clone)]
pub struct Input {
    name: String,
    bytes: Arc<[u8]>,
    source: Option<Source>,
    folder: Option<Vec<String>>,
}

impl Input {
    /// A text.
    pub fn text(source: &Source) -> Input {
        Input {
            name: source.name().to_owned(),
            bytes: source.text().as_bytes().into(),
            source: Some(source.clone()),
            folder: None,
        }
    }

    /// The bytes of a file; they are a text if they are UTF-8 (a byte order mark is left out)
    /// and contain no zero.
    pub fn bytes(name: impl Into<String>, bytes: Vec<u8>) -> Input {
        let name = name.into();
        let source = match std::str::from_utf8(&bytes) {
            Ok(text) if !bytes.contains(&0) => {
                let text = text.strip_prefix('\u{feff}').unwrap_or(text);
                Some(Source::new(name.as_str(), text))
            }
            _ => None,
        };
        Input {
            name,
            bytes: bytes.into(),
            source,
            folder: None,
        }
    }

    /// A folder with the names of its files.
    pub fn folder(name: impl Into<String>, names: Vec<String>) -> Input {
        Input {
            name: name.into(),
            bytes: Arc::default(),
            source: None,
            folder: Some(names),
        }
    }

    /// Its name, mostly a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, if it is one.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// The text, or a message that there is none.
    pub fn require_text(&self) -> Result<&Source, Diagnostic> {
        self.source.as_ref().ok_or_else(|| {
            let empty = Source::new(self.name.as_str(), "");
            if self.folder.is_some() {
                return Diagnostic::error("folder", "this is a folder, and a file was expected")
                    .in_source(&empty)
                    .help("name a file in it");
            }
            if let Some((what, help)) = known_binary(&self.bytes) {
                return Diagnostic::error("binary-file", format!("this is {what}"))
                    .in_source(&empty)
                    .note("expected a text in UTF-8")
                    .help(help);
            }
            let note = match std::str::from_utf8(&self.bytes) {
                Err(error) => format!("byte {} belongs to no character", error.valid_up_to()),
                Ok(_) => "it contains a zero byte".to_owned(),
            };
            Diagnostic::error("binary-file", "this is not a text in UTF-8")
                .in_source(&empty)
                .note(note)
                .help("save the file as UTF-8, or check that this is the right file")
        })
    }

    /// The bytes of the file; none of a folder.
    pub fn raw(&self) -> &[u8] {
        &self.bytes
    }

    /// The names of the files, if it is a folder.
    pub fn names(&self) -> Option<&[String]> {
        self.folder.as_deref()
    }

    /// Whether its name has one of these endings (in any case, without the dot).
    pub fn has_ending(&self, endings: &[&str]) -> bool {
        let name = self.name.rsplit(['/', '\\']).next().unwrap_or_default();
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| endings.iter().any(|one| one.eq_ignore_ascii_case(ending)))
    }
}

/// What a file that is often given by mistake is, by how it begins, and what to do about it.
///
/// ```
/// use quotient_language::known_binary;
/// assert_eq!(known_binary(b"%PDF-1.7").unwrap().0, "a PDF document");
/// assert!(known_binary(b"MODULE main").is_none());
/// ```
pub fn known_binary(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const UNPACK: &str = "unpack it and give the files inside";
    const OTHER: &str = "check that this is the right file";
    const RECODE: &str = "save the file as UTF-8";
    let known: [(&[u8], &str, &str); 10] = [
        (b"\x1f\x8b", "a gzip archive", UNPACK),
        (b"PK\x03\x04", "a zip archive", UNPACK),
        (b"\xfd7zXZ\0", "an xz archive", UNPACK),
        (b"BZh", "a bzip2 archive", UNPACK),
        (b"\x28\xb5\x2f\xfd", "a zstd archive", UNPACK),
        (b"%PDF-", "a PDF document", OTHER),
        (b"\x89PNG", "a picture", OTHER),
        (b"\x7fELF", "a program", OTHER),
        (b"\xff\xfe", "a text in UTF-16", RECODE),
        (b"\xfe\xff", "a text in UTF-16", RECODE),
    ];
    let found = known.iter().find(|(start, ..)| bytes.starts_with(start));
    found.map(|&(_, what, help)| (what, help))
}

/// How sure a language is that a text is one of its own. The surest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Sureness {
    /// Something in the text cannot be in this language.
    #[default]
    No,
    /// Nothing speaks for it but the ending of the name.
    ByName,
    /// The text has words or signs of this language that others have, too.
    Maybe,
    /// The same, and the ending of the name says so as well.
    Likely,
    /// The text begins as only this language does.
    Certain,
}

impl Sureness {
    /// What the text says, and whether the name has an ending of the language.
    ///
    /// ```
    /// use quotient_language::Sureness;
    /// assert_eq!(Sureness::Maybe.with_ending(true), Sureness::Likely);
    /// assert_eq!(Sureness::No.with_ending(true), Sureness::ByName);
    /// ```
    #[must_use]
    pub fn with_ending(self, ending: bool) -> Sureness {
        match (self, ending) {
            (Sureness::No, true) => Sureness::ByName,
            (Sureness::Maybe, true) => Sureness::Likely,
            (same, _) => same,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_may_be_a_text() {
        let text = Input::bytes("a.smv", b"\xef\xbb\xbfMODULE main".to_vec());
        assert_eq!(text.source().unwrap().text(), "MODULE main");
        assert!(text.has_ending(&["SMV"]) && !text.has_ending(&["lts"]));
        let binary = Input::bytes("a.aig", b"aig\x00".to_vec());
        assert!(binary.source().is_none());
        assert!(binary.require_text().unwrap_err().notes[0].contains("zero"));
        let other = Input::bytes("a", b"\xff".to_vec());
        assert!(other.require_text().unwrap_err().notes[0].contains("byte 0"));
        assert!(!other.has_ending(&["a"]));
    }

    #[test]
    fn a_folder_has_names_and_no_text() {
        let folder = Input::folder("models", vec!["init.tmb".into()]);
        assert_eq!(folder.names().unwrap().len(), 1);
        assert_eq!(folder.require_text().unwrap_err().code, "folder");
    }
}
