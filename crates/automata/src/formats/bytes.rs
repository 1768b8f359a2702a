//! From the bytes of a file to a text.

use quotient_core::{Diagnostic, Source};
use quotient_language::known_binary;

use super::Limits;

/// The bytes of a file as a text to read from; says so when they are no text.
///
/// ```
/// use quotient_automata::formats::{Limits, decode};
/// let text = decode("init.tmb", b"Ops x:0".to_vec(), &Limits::default()).unwrap();
/// assert_eq!(text.text(), "Ops x:0");
/// let error = decode("image.png", vec![0x89, b'P', b'N', b'G', 0, 1], &Limits::default());
/// assert_eq!(error.unwrap_err().code, "binary-file");
/// ```
pub fn decode(
    name: impl Into<String>,
    bytes: Vec<u8>,
    limits: &Limits,
) -> Result<Source, Diagnostic> {
    let name = name.into();
    let empty = Source::new(name.as_str(), "");
    if bytes.len() > limits.bytes {
        let message = format!(
            "the file has {} bytes, the limit is {}",
            bytes.len(),
            limits.bytes
        );
        return Err(Diagnostic::error("too-large", message)
            .in_source(&empty)
            .help("raise the limit, or check that this is the right file"));
    }
    if let Some((what, help)) = known_binary(&bytes) {
        return Err(Diagnostic::error("binary-file", format!("this is {what}"))
            .in_source(&empty)
            .note("expected a text in UTF-8")
            .help(help));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(
            Diagnostic::error("binary-file", "this is a binary file, not a text")
                .in_source(&empty)
                .note(format!("byte {at} is zero"))
                .help("check that this is the right file"),
        );
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Diagnostic::error("binary-file", "this is not a text in UTF-8")
            .in_source(&empty)
            .note(format!("byte {at} belongs to no character"))
            .help("save the file as UTF-8, or check that this is the right file")
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(Source::new(name, text))
}
