//! The letters of JSON automata: names, and pairs `"[a,b]"` in transducers.

use quotient_core::{Diagnostic, Source, Span};

use crate::formats::cursor::undeclared;
use crate::formats::draft::Names;

/// The letters of a problem; if the file declares them, others are refused.
pub(super) struct JsonLetters<'a> {
    pub(super) source: &'a Source,
    pub(super) names: Names,
    pub(super) declared: bool,
}

impl JsonLetters<'_> {
    pub(super) fn letter(&mut self, name: &str, span: Span) -> Result<u32, Diagnostic> {
        match self.names.get(name) {
            Some(letter) => Ok(letter),
            None if !self.declared => Ok(self.names.intern(name)),
            None => Err(
                undeclared(self.source, span, "letter", name, self.names.iter())
                    .help("or add it to `alphabet`"),
            ),
        }
    }

    /// The two letters of `"[a,b]"`.
    pub(super) fn pair(&mut self, text: &str, span: Span) -> Result<(u32, u32), Diagnostic> {
        let Some(inside) = inside(text) else {
            return Err(
                Diagnostic::error("syntax", format!("`{text}` is no pair of letters")).at(
                    self.source,
                    span,
                    "expected `\"[input,output]\"`",
                ),
            );
        };
        let commas: Vec<usize> = inside
            .match_indices(',')
            .map(|(at, _)| at)
            .take(16)
            .collect();
        let known = |cut: usize| {
            let (input, output) = (inside[..cut].trim(), inside[cut + 1..].trim());
            self.names.get(input).zip(self.names.get(output))
        };
        let mut fitting = commas.iter().filter_map(|&cut| known(cut));
        match (fitting.next(), fitting.next(), commas.as_slice()) {
            (Some(pair), None, _) => Ok(pair),
            (Some(_), Some(_), _) => Err(Diagnostic::error(
                "ambiguous-label",
                format!("`{text}` can be read in several ways"),
            )
            .at(self.source, span, "which `,` separates input and output?")
            .help("use letters without commas")),
            (None, _, &[cut, ..]) => {
                let (input, output) = (inside[..cut].trim(), inside[cut + 1..].trim());
                Ok((self.letter(input, span)?, self.letter(output, span)?))
            }
            _ => Err(
                Diagnostic::error("syntax", format!("`{text}` is no pair of letters")).at(
                    self.source,
                    span,
                    "expected `\"[input,output]\"`",
                ),
            ),
        }
    }
}

/// Whether a letter looks like a pair.
pub(super) fn is_pair(text: &str) -> bool {
    inside(text).is_some_and(|inside| inside.contains(','))
}

fn inside(text: &str) -> Option<&str> {
    text.trim().strip_prefix('[')?.strip_suffix(']')
}
