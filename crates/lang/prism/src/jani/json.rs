//! JSON with places: every part knows where it stands in the text, so that mistakes can be shown,
//! and numbers are kept as they are written, so that none is rounded.

use quotient_core::{Diagnostic, Source, Span};

/// A part of a text.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) value: Json,
    pub(crate) span: Span,
}

/// What a part is.
#[derive(Debug, Clone)]
pub(crate) enum Json {
    Null,
    Truth(bool),
    /// A number, as it is written.
    Number(String),
    Text(String),
    List(Vec<Part>),
    Object(Vec<(String, Part)>),
}

impl Part {
    /// The part of an object with this name; the last, if there are several.
    pub(crate) fn get(&self, name: &str) -> Option<&Part> {
        match &self.value {
            Json::Object(fields) => {
                let found = fields.iter().rev().find(|(one, _)| one == name);
                found.map(|(_, part)| part)
            }
            _ => None,
        }
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The parts of a list; none of anything else.
    pub(crate) fn list(&self) -> &[Part] {
        match &self.value {
            Json::List(parts) => parts,
            _ => &[],
        }
    }

    /// The parts of the list with this name; none if there is no such list.
    pub(crate) fn all(&self, name: &str) -> &[Part] {
        self.get(name).map_or(&[], Part::list)
    }

    /// The text with this name.
    pub(crate) fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Part::text)
    }

    /// Whether the field with this name says `true`.
    pub(crate) fn says(&self, name: &str) -> bool {
        matches!(
            self.get(name).map(|part| &part.value),
            Some(Json::Truth(true))
        )
    }
}

/// Parts may stand so deep inside each other.
const DEEPEST: usize = 400;

/// Reads a text.
pub(crate) fn read(source: &Source) -> Result<Part, Diagnostic> {
    let mut reader = Reader {
        source,
        bytes: source.text().as_bytes(),
        at: 0,
        depth: 0,
    };
    // Some tools begin files with a byte order mark.
    if source.text().starts_with('\u{feff}') {
        reader.at = 3;
    }
    let part = reader.part()?;
    reader.blanks();
    match reader.at == reader.bytes.len() {
        true => Ok(part),
        false => Err(reader.wrong("the end of the text")),
    }
}

struct Reader<'s> {
    source: &'s Source,
    bytes: &'s [u8],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn wrong(&self, expected: &str) -> Diagnostic {
        let mut end = (self.at + 1).min(self.bytes.len());
        while !self.source.text().is_char_boundary(end) {
            end += 1;
        }
        let span = Span::new(self.at.min(end), end);
        Diagnostic::error("syntax", format!("{expected} was expected here")).at(
            self.source,
            span,
            "",
        )
    }

    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, Diagnostic> {
        match self.bytes[self.at..].starts_with(word.as_bytes()) {
            true => {
                self.at += word.len();
                Ok(value)
            }
            false => Err(self.wrong("a value")),
        }
    }

    fn part(&mut self) -> Result<Part, Diagnostic> {
        self.blanks();
        let start = self.at;
        self.depth += 1;
        if self.depth > DEEPEST {
            let span = Span::new(start, start);
            let message = "this text nests too deeply";
            return Err(Diagnostic::error("too-deep", message).at(self.source, span, ""));
        }
        let value = match self.bytes.get(self.at) {
            Some(b'{') => self.object()?,
            Some(b'[') => self.items()?,
            Some(b'"') => Json::Text(self.string()?),
            Some(b't') => self.word("true", Json::Truth(true))?,
            Some(b'f') => self.word("false", Json::Truth(false))?,
            Some(b'n') => self.word("null", Json::Null)?,
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => return Err(self.wrong("a value")),
        };
        self.depth -= 1;
        let span = Span::new(start, self.at);
        Ok(Part { value, span })
    }

    fn number(&mut self) -> Json {
        let start = self.at;
        while matches!(
            self.bytes.get(self.at),
            Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
        ) {
            self.at += 1;
        }
        Json::Number(self.source.text()[start..self.at].to_owned())
    }

    fn items(&mut self) -> Result<Json, Diagnostic> {
        self.at += 1;
        let mut parts = Vec::new();
        if self.takes(b']') {
            return Ok(Json::List(parts));
        }
        loop {
            parts.push(self.part()?);
            if self.takes(b']') {
                return Ok(Json::List(parts));
            }
            if !self.takes(b',') {
                return Err(self.wrong("`,` or `]`"));
            }
        }
    }

    fn object(&mut self) -> Result<Json, Diagnostic> {
        self.at += 1;
        let mut fields = Vec::new();
        if self.takes(b'}') {
            return Ok(Json::Object(fields));
        }
        loop {
            self.blanks();
            if self.bytes.get(self.at) != Some(&b'"') {
                return Err(self.wrong("a name in quotes"));
            }
            let name = self.string()?;
            if !self.takes(b':') {
                return Err(self.wrong("`:`"));
            }
            fields.push((name, self.part()?));
            if self.takes(b'}') {
                return Ok(Json::Object(fields));
            }
            if !self.takes(b',') {
                return Err(self.wrong("`,` or `}`"));
            }
        }
    }

    fn string(&mut self) -> Result<String, Diagnostic> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.source.text()[self.at..];
            let Some(letter) = rest.chars().next() else {
                return Err(self.wrong("`\"`"));
            };
            self.at += letter.len_utf8();
            match letter {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                letter if letter < ' ' => return Err(self.wrong("`\"`")),
                letter => text.push(letter),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Diagnostic> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return Err(self.wrong("a letter"));
        };
        let letter = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                let first = self.code()?;
                let letter = match first {
                    0xd800..0xdc00 if self.bytes[self.at..].starts_with(b"\\u") => {
                        self.at += 2;
                        let second = self.code()?;
                        0x10000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
                    }
                    other => other,
                };
                return Ok(char::from_u32(letter).unwrap_or('\u{fffd}'));
            }
            _ => return Err(self.wrong("an escape")),
        };
        self.at += 1;
        Ok(letter)
    }

    fn code(&mut self) -> Result<u32, Diagnostic> {
        let digits = self.source.text().get(self.at..self.at + 4);
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => Err(self.wrong("four hexadecimal digits")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(part: &Part) -> String {
        match &part.value {
            Json::Null => "null".to_owned(),
            Json::Truth(holds) => holds.to_string(),
            Json::Number(text) => text.clone(),
            Json::Text(text) => format!("{text:?}"),
            Json::List(parts) => {
                let all: Vec<String> = parts.iter().map(shown).collect();
                format!("[{}]", all.join(","))
            }
            Json::Object(fields) => {
                let all = fields
                    .iter()
                    .map(|(name, part)| format!("{name:?}:{}", shown(part)));
                format!("{{{}}}", all.collect::<Vec<_>>().join(","))
            }
        }
    }

    #[test]
    fn texts_are_read_as_another_reader_reads_them() {
        let text = r#"{"a": [1, -2.50, 1e-3, true, null], "b\u00e9": "x\n\"y\" ∧", "c": {}}"#;
        let part = read(&Source::new("one", text)).expect("fine");
        let expected = r#"{"a":[1,-2.50,1e-3,true,null],"bé":"x\n\"y\" ∧","c":{}}"#;
        assert_eq!(shown(&part), expected);
        let other: serde_json::Value = serde_json::from_str(text).expect("fine");
        assert_eq!(part.get("bé").and_then(Part::text), other["bé"].as_str());
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\" 1}",
            "\"a",
            "tru",
            "[1] 2",
            "{1:2}",
            "\"\\x\"",
        ] {
            let mistake = read(&Source::new("one", text)).expect_err(text);
            assert_eq!(mistake.labels.len(), 1, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(read(&Source::new("one", &deep)).is_err());
    }
}
