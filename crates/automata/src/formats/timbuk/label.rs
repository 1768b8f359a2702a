//! The labels of Timbuk rules.

use quotient_core::{Diagnostic, Source, Span, Trouble};

use crate::formats::Kind;
use crate::formats::cursor::{Cursor, quoted, undeclared};
use crate::formats::draft::{DraftLabel, Letters, Names};

/// What a label is read with.
pub(super) struct Labels<'a> {
    pub(super) source: &'a Source,
    pub(super) letters: &'a Names,
    /// What the machine is known to be before its labels are seen.
    pub(super) kind: Option<Kind>,
}

/// One side of a label.
#[derive(PartialEq, Eq)]
struct Side {
    identity: bool,
    letters: Option<Letters>,
}

impl Labels<'_> {
    /// Reads `P`, `P/Q` or `@P/@P`; `P` is empty for ε, a letter, `in{…}` or `not_in{…}`.
    pub(super) fn read(&self, span: Span) -> Result<DraftLabel, Trouble> {
        let span = self.trim(span);
        let text = &self.source.text()[span.range()];
        // A letter may contain a slash; as a whole it is the letter unless this is a transducer.
        let whole = self.letters.get(text).filter(|_| !text.is_empty());
        if let (Some(letter), false) = (whole, self.kind == Some(Kind::Transducer)) {
            return Ok(DraftLabel::Copy(Letters::one(letter)));
        }
        let slashes = slashes(text);
        if slashes.is_empty() || self.kind == Some(Kind::Automaton) {
            let side = self.side(span)?;
            return match (side.letters, side.identity) {
                (None, _) => Ok(DraftLabel::SILENT),
                (Some(_), true) if self.kind == Some(Kind::Automaton) => {
                    Err(self.not_an_automaton(span).into())
                }
                (Some(letters), _) => Ok(DraftLabel::Copy(letters)),
            };
        }
        let cut = self.cut(span, text, &slashes)?;
        let slash = span.start + cut;
        let input = self.side(Span::new(span.start, slash))?;
        let output = self.side(Span::new(slash + 1, span.end))?;
        match (input.identity, output.identity) {
            (false, false) => Ok(DraftLabel::Pair(input.letters, output.letters)),
            (true, true) if input == output => Ok(match input.letters {
                Some(letters) => DraftLabel::Copy(letters),
                None => DraftLabel::SILENT,
            }),
            (true, true) => Err(self.identity(span, "the two sides of an identity differ")),
            _ => Err(self.identity(span, "only one side of the label is an identity")),
        }
    }

    /// The slash between input and output: with letters that contain slashes, the only one
    /// that leaves two sides that can be read.
    fn cut(&self, span: Span, text: &str, slashes: &[usize]) -> Result<usize, Trouble> {
        if let [only] = slashes {
            return Ok(*only);
        }
        // More slashes than this are no letters but a mistake.
        const MOST: usize = 16;
        let fitting: Vec<usize> = slashes
            .iter()
            .take(MOST)
            .copied()
            .filter(|&cut| {
                let at = span.start + cut;
                self.side(Span::new(span.start, at)).is_ok()
                    && self.side(Span::new(at + 1, span.end)).is_ok()
            })
            .collect();
        match fitting.as_slice() {
            [only] => Ok(*only),
            // Let the first slash be it: then the message is about the names around it.
            [] => Ok(slashes[0]),
            _ => Err(Diagnostic::error(
                "ambiguous-label",
                format!("`{text}` can be read in several ways"),
            )
            .at(self.source, span, "which `/` separates input and output?")
            .help("write letters that contain `/` in braces: `in{/}/in{a}`")
            .into()),
        }
    }

    fn side(&self, span: Span) -> Result<Side, Diagnostic> {
        let mut span = self.trim(span);
        let text = &self.source.text()[span.range()];
        if text.is_empty() {
            return Ok(Side {
                identity: false,
                letters: None,
            });
        }
        if let Some(letter) = self.letters.get(text) {
            return Ok(Side {
                identity: false,
                letters: Some(Letters::one(letter)),
            });
        }
        let identity = text.starts_with('@');
        if identity {
            span = self.trim(Span::new(span.start + 1, span.end));
        }
        Ok(Side {
            identity,
            letters: self.predicate(span)?,
        })
    }

    fn predicate(&self, span: Span) -> Result<Option<Letters>, Diagnostic> {
        let text = &self.source.text()[span.range()];
        if text.is_empty() {
            return Ok(None);
        }
        for (word, complement) in [("in", false), ("not_in", true)] {
            if let Some(rest) = text.strip_prefix(word)
                && rest.trim_start().starts_with('{')
            {
                let open = span.end - rest.trim_start().len();
                let letters = self.list(Span::new(open + 1, span.end))?;
                return Ok(Some(Letters::listed(letters, complement)));
            }
        }
        if text == "ε" && self.letters.get(text).is_none() {
            return Ok(None);
        }
        Ok(Some(Letters::one(self.letter(text, span)?)))
    }

    /// The letters after the opening brace, up to and including the closing one.
    fn list(&self, span: Span) -> Result<Vec<u32>, Diagnostic> {
        let mut cursor = Cursor::within(self.source, span);
        let mut letters = Vec::new();
        cursor.skip_blanks();
        if !cursor.eat("}") {
            loop {
                cursor.skip_blanks();
                let start = cursor.at();
                let letter = if cursor.eat("\"") {
                    let name = quoted(&mut cursor, '"')?;
                    self.letter(&name, cursor.since(start))?
                } else {
                    let name = cursor.take_while(|c| c != ',' && c != '}').trim_end();
                    if name.is_empty() {
                        return Err(cursor.expected("a letter"));
                    }
                    self.letter(name, Span::new(start, start + name.len()))?
                };
                letters.push(letter);
                cursor.skip_blanks();
                match cursor.bump() {
                    Some(',') => {}
                    Some('}') => break,
                    _ => {
                        return Err(unclosed_set(self.source, span.start - 1));
                    }
                }
            }
        }
        cursor.skip_blanks();
        match cursor.at_end() {
            true => Ok(letters),
            false => Err(cursor.expected("`/` or the end of the label")),
        }
    }

    fn letter(&self, name: &str, span: Span) -> Result<u32, Diagnostic> {
        self.letters.get(name).ok_or_else(|| {
            undeclared(self.source, span, "letter", name, self.letters.iter())
                .help(format!("or declare it: add `{name}:1` to `Ops`"))
        })
    }

    fn trim(&self, span: Span) -> Span {
        let text = &self.source.text()[span.range()];
        let start = span.start + (text.len() - text.trim_start().len());
        Span::new(start, start + text.trim().len())
    }

    fn identity(&self, span: Span, message: &str) -> Trouble {
        Diagnostic::error("identity", message)
            .at(
                self.source,
                span,
                "an identity copies the letter that it reads",
            )
            .help("write the same set on both sides: `@in{a,b}/@in{a,b}`")
            .into()
    }

    fn not_an_automaton(&self, span: Span) -> Diagnostic {
        Diagnostic::error("wrong-kind", "an automaton has no identity labels")
            .at(self.source, span, "this label reads and writes")
            .help("give a file with an automaton here, or remove the `@`")
    }
}

/// The error for a set without its closing brace.
pub(super) fn unclosed_set(source: &Source, open: usize) -> Diagnostic {
    Diagnostic::error("syntax", "a set of letters has no end")
        .at(source, Span::new(open, open + 1), "it begins here")
        .help("separate the letters by `,` and close the set by `}`")
}

/// The slashes of a label outside braces and quotes.
fn slashes(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut braces, mut in_quotes, mut escaped) = (false, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_quotes => escaped = true,
            '"' => in_quotes = !in_quotes,
            '{' if !in_quotes => braces = true,
            '}' if !in_quotes => braces = false,
            '/' if !in_quotes && !braces => found.push(at),
            _ => {}
        }
    }
    found
}
