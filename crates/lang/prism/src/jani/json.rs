//! JSON with places: every part knows where it stands in the text, so that mistakes can be shown,
//! and numbers are kept as they are written, so that none is rounded.

use std::collections::VecDeque;

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
    /// The part of an object with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Part> {
        match &self.value {
            Json::Object(fields) => {
                let found = fields.iter().find(|(one, _)| one == name);
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

/// Parts may stand so deep inside each other, where chains of `∧` and `∨` count once.
const DEEPEST: usize = 400;
/// So many parts may be open at once.
const MOST_OPEN: usize = 100_000;

/// Reads a text.
pub(crate) fn read(source: &Source) -> Result<Part, Diagnostic> {
    let mut reader = Reader {
        source,
        bytes: source.text().as_bytes(),
        at: 0,
    };
    // Some tools begin files with a byte order mark.
    if source.text().starts_with('\u{feff}') {
        reader.at = 3;
    }
    let part = reader.whole()?;
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
}

/// A part that may grow: tools write a condition of a hundred parts as a hundred conditions, each
/// inside of the other. Such chains are gathered, and become trees that are not deep.
enum Grown {
    Part(Part, usize),
    /// The operator, what it joins, the place, and how deep the parts are.
    Chain(String, VecDeque<Part>, Span, usize),
}

/// A list or an object that is not at its end.
struct Open {
    start: usize,
    /// What an object has, with names; a list has none.
    fields: Vec<(String, Grown)>,
    is_object: bool,
}

impl Grown {
    /// The part, and how deep it is.
    fn settled(self) -> (Part, usize) {
        match self {
            Grown::Part(part, depth) => (part, depth),
            Grown::Chain(operator, parts, span, depth) => {
                let log = parts.len().ilog2() as usize + 1;
                (balanced(&operator, parts.into(), span), depth + log)
            }
        }
    }

    /// What it adds to a chain with an operator.
    fn operands(self, operator: &str) -> (VecDeque<Part>, usize) {
        match self {
            Grown::Chain(of, parts, _, depth) if of == operator => (parts, depth),
            other => {
                let (part, depth) = other.settled();
                (VecDeque::from([part]), depth)
            }
        }
    }
}

/// Joins parts two by two.
fn balanced(operator: &str, mut parts: Vec<Part>, span: Span) -> Part {
    while parts.len() > 1 {
        let mut joined = Vec::with_capacity(parts.len() / 2 + 1);
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            let Some(right) = rest.next() else {
                joined.push(left);
                break;
            };
            let of = Part {
                value: Json::Text(operator.to_owned()),
                span,
            };
            let fields = [("op", of), ("left", left), ("right", right)];
            let fields = fields.map(|(name, part)| (name.to_owned(), part));
            let value = Json::Object(fields.into());
            joined.push(Part { value, span });
        }
        parts = joined;
    }
    parts.pop().unwrap_or(Part {
        value: Json::Null,
        span,
    })
}

impl Open {
    /// The whole, at its end.
    fn closed(mut self, end: usize) -> Grown {
        let span = Span::new(self.start, end);
        let joins = match self.fields.iter().find(|(name, _)| name == "op") {
            Some((_, Grown::Part(part, _))) => part.text().filter(|one| matches!(*one, "∧" | "∨")),
            _ => None,
        };
        let joins = joins.filter(|_| self.is_object && self.fields.len() == 3);
        if let Some(operator) = joins.map(str::to_owned) {
            let place = |name: &str| self.fields.iter().position(|(one, _)| one == name);
            if let (Some(left), Some(right)) = (place("left"), place("right")) {
                let empty = || {
                    let value = Json::Null;
                    Grown::Part(Part { value, span }, 0)
                };
                let mut take = |at: usize| std::mem::replace(&mut self.fields[at].1, empty());
                let (mut one, deep) = take(left).operands(&operator);
                let (mut other, deeper) = take(right).operands(&operator);
                // The shorter one moves.
                if one.len() >= other.len() {
                    one.append(&mut other);
                } else {
                    while let Some(last) = one.pop_back() {
                        other.push_front(last);
                    }
                    one = other;
                }
                return Grown::Chain(operator, one, span, deep.max(deeper));
            }
        }
        let mut deepest = 0;
        let mut settled = |grown: Grown| {
            let (part, depth) = grown.settled();
            deepest = deepest.max(depth);
            part
        };
        let value = match self.is_object {
            true => {
                let fields = self.fields.into_iter();
                Json::Object(fields.map(|(name, one)| (name, settled(one))).collect())
            }
            false => {
                let fields = self.fields.into_iter();
                Json::List(fields.map(|(_, one)| settled(one)).collect())
            }
        };
        Grown::Part(Part { value, span }, deepest + 1)
    }
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

    /// A value with all that stands in it. What is open waits in a list, so that no text can
    /// nest too deeply for the machine.
    fn whole(&mut self) -> Result<Part, Diagnostic> {
        let mut open: Vec<Open> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        loop {
            self.blanks();
            let start = self.at;
            let mut done = match self.bytes.get(self.at) {
                Some(&begin @ (b'{' | b'[')) => {
                    if open.len() >= MOST_OPEN {
                        return Err(self.too_deep(start));
                    }
                    self.at += 1;
                    let is_object = begin == b'{';
                    open.push(Open {
                        start,
                        fields: Vec::new(),
                        is_object,
                    });
                    if !self.takes(if is_object { b'}' } else { b']' }) {
                        if is_object {
                            names.push(self.name()?);
                        }
                        continue;
                    }
                    None
                }
                _ => {
                    let value = self.plain()?;
                    let span = Span::new(start, self.at);
                    Some(Grown::Part(Part { value, span }, 1))
                }
            };
            // What is at its end goes into what is around it, which may be at its end, too.
            loop {
                let value = match (done.take(), open.pop()) {
                    (Some(value), None) => {
                        let (part, depth) = value.settled();
                        return match depth > DEEPEST {
                            true => Err(self.too_deep(part.span.start)),
                            false => Ok(part),
                        };
                    }
                    (Some(value), Some(mut around)) => {
                        let name = match around.is_object {
                            true => names.pop().unwrap_or_default(),
                            false => String::new(),
                        };
                        around.fields.push((name, value));
                        let end = if around.is_object { b'}' } else { b']' };
                        if !self.takes(end) {
                            if !self.takes(b',') {
                                let expected = if around.is_object {
                                    "`,` or `}`"
                                } else {
                                    "`,` or `]`"
                                };
                                return Err(self.wrong(expected));
                            }
                            if around.is_object {
                                names.push(self.name()?);
                            }
                            open.push(around);
                            break;
                        }
                        self.once(&around)?;
                        around.closed(self.at)
                    }
                    (None, Some(around)) => around.closed(self.at),
                    (None, None) => return Err(self.wrong("a value")),
                };
                if let Grown::Part(part, depth) = &value
                    && *depth > DEEPEST
                {
                    return Err(self.too_deep(part.span.start));
                }
                done = Some(value);
            }
        }
    }

    /// Each field of an object stands once.
    fn once(&self, object: &Open) -> Result<(), Diagnostic> {
        let mut seen = std::collections::HashSet::new();
        let mut fields = object.fields.iter().filter(|_| object.is_object);
        match fields.find(|(name, _)| !seen.insert(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let message = format!("this object has two fields `{name}`");
                let span = Span::new(object.start, object.start + 1);
                Err(Diagnostic::error("twice", message).at(self.source, span, ""))
            }
        }
    }

    fn too_deep(&self, start: usize) -> Diagnostic {
        let span = Span::new(start, start);
        let message = "this text nests too deeply";
        Diagnostic::error("too-deep", message).at(self.source, span, "")
    }

    /// The name of a field, and the colon behind it.
    fn name(&mut self) -> Result<String, Diagnostic> {
        self.blanks();
        if self.bytes.get(self.at) != Some(&b'"') {
            return Err(self.wrong("a name in quotes"));
        }
        let name = self.string()?;
        match self.takes(b':') {
            true => Ok(name),
            false => Err(self.wrong("`:`")),
        }
    }

    /// A value without parts.
    fn plain(&mut self) -> Result<Json, Diagnostic> {
        match self.bytes.get(self.at) {
            Some(b'"') => Ok(Json::Text(self.string()?)),
            Some(b't') => self.word("true", Json::Truth(true)),
            Some(b'f') => self.word("false", Json::Truth(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => Ok(self.number()),
            _ => Err(self.wrong("a value")),
        }
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
        for deep in [
            "[".repeat(200_000),
            format!("{}{}", "[".repeat(90_000), "]".repeat(90_000)),
            format!("{}1{}", "{\"a\":".repeat(500), "}".repeat(500)),
        ] {
            assert!(read(&Source::new("one", &deep)).is_err());
        }
    }

    #[test]
    fn long_chains_of_conditions_are_not_deep() {
        for (before, after) in [
            (r#"{"op": "∧", "right": "x", "left": "#, "}"),
            (r#"{"left": "x", "op": "∧", "right": "#, "}"),
        ] {
            let text = format!("{}\"y\"{}", before.repeat(20_000), after.repeat(20_000));
            let part = read(&Source::new("one", &text)).expect("fine");
            fn leaves(part: &Part, depth: usize) -> usize {
                assert!(depth < 40);
                match (part.get("left"), part.get("right")) {
                    (Some(left), Some(right)) => leaves(left, depth + 1) + leaves(right, depth + 1),
                    _ => usize::from(matches!(part.text(), Some("x" | "y"))),
                }
            }
            assert_eq!(leaves(&part, 0), 20_001);
        }
    }
}
