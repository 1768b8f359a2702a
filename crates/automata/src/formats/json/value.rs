//! JSON with places: `serde_json` forgets where a value stood, and errors need to say.

use quotient_core::{Budget, Diagnostic, Source, Span, Trouble};

use rustc_hash::FxHashMap;

use crate::formats::cursor::{Cursor, duplicate};

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) span: Span,
    pub(super) content: Content,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    Null,
    Bool,
    /// As written.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Span, Value)>),
}

impl Value {
    pub(super) fn describe(&self) -> &'static str {
        match self.content {
            Content::Null => "null",
            Content::Bool => "a truth value",
            Content::Number(_) => "a number",
            Content::Text(_) => "a string",
            Content::List(_) => "a list",
            Content::Object(_) => "an object",
        }
    }
}

/// No problem nests deeper; the parser calls itself for each level.
const DEEPEST: usize = 32;

/// How many keys of an object are looked through one by one.
const FEW: usize = 16;

/// Reads one value and nothing after it.
pub(super) fn parse(source: &Source, budget: &Budget) -> Result<Value, Trouble> {
    let mut parser = Parser {
        cursor: Cursor::new(source),
        budget,
    };
    let value = parser.value(0)?;
    parser.skip();
    match parser.cursor.at_end() {
        true => Ok(value),
        false => Err(parser.cursor.expected("the end of the file").into()),
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    budget: &'a Budget,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, Trouble> {
        self.budget.poll()?;
        self.skip();
        let start = self.cursor.at();
        if depth > DEEPEST {
            return Err(
                Diagnostic::error("too-deep", "the file is nested too deeply")
                    .at(
                        self.cursor.source,
                        Span::new(start, start),
                        format!("more than {DEEPEST} levels"),
                    )
                    .into(),
            );
        }
        let content = match self.cursor.peek() {
            Some('{') => self.object(depth)?,
            Some('[') => self.list(depth)?,
            Some('"') => Content::Text(self.text()?),
            Some('-' | '0'..='9') => {
                let number = self
                    .cursor
                    .take_while(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
                if number.parse::<f64>().is_err() {
                    self.cursor.go_to(start);
                    return Err(self.cursor.expected("a number").into());
                }
                Content::Number(number.to_owned())
            }
            _ if self.cursor.eat("null") => Content::Null,
            _ if self.cursor.eat("true") || self.cursor.eat("false") => Content::Bool,
            _ => return Err(self.cursor.expected("a value").into()),
        };
        Ok(Value {
            span: self.cursor.since(start),
            content,
        })
    }

    fn object(&mut self, depth: usize) -> Result<Content, Trouble> {
        self.cursor.bump();
        let mut members: Vec<(String, Span, Value)> = Vec::new();
        let mut keys: FxHashMap<String, Span> = FxHashMap::default();
        self.skip();
        if self.cursor.eat("}") {
            return Ok(Content::Object(members));
        }
        loop {
            self.skip();
            let start = self.cursor.at();
            if self.cursor.peek() != Some('"') {
                return Err(self.cursor.expected("a key in quotes").into());
            }
            let key = self.text()?;
            let span = self.cursor.since(start);
            // Objects are small or names of properties: few need a table.
            let first = match members.len() < FEW {
                true => members
                    .iter()
                    .find(|(name, ..)| *name == key)
                    .map(|(_, span, _)| *span),
                false => {
                    let known = members[keys.len()..].iter();
                    keys.extend(known.map(|(name, span, _)| (name.clone(), *span)));
                    keys.get(&key).copied()
                }
            };
            if let Some(first) = first {
                return Err(duplicate(self.cursor.source, "key", &key, first, span).into());
            }
            self.skip();
            if !self.cursor.eat(":") {
                return Err(self.cursor.expected("`:`").into());
            }
            members.push((key, span, self.value(depth + 1)?));
            self.skip();
            if self.cursor.eat("}") {
                return Ok(Content::Object(members));
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.expected("`,` or `}`").into());
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Content, Trouble> {
        self.cursor.bump();
        let mut elements = Vec::new();
        self.skip();
        if self.cursor.eat("]") {
            return Ok(Content::List(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            self.skip();
            if self.cursor.eat("]") {
                return Ok(Content::List(elements));
            }
            if !self.cursor.eat(",") {
                return Err(self.cursor.expected("`,` or `]`").into());
            }
        }
    }

    /// A string; its escapes are those of JSON.
    fn text(&mut self) -> Result<String, Trouble> {
        let start = self.cursor.at();
        self.cursor.bump();
        let mut escaped = false;
        loop {
            match self.cursor.bump() {
                Some('"') if !escaped => break,
                Some('\\') if !escaped => escaped = true,
                Some(_) => escaped = false,
                None => {
                    return Err(Diagnostic::error("syntax", "a string has no end")
                        .at(
                            self.cursor.source,
                            Span::new(start, start + 1),
                            "it begins here",
                        )
                        .into());
                }
            }
        }
        let span = self.cursor.since(start);
        serde_json::from_str(&self.cursor.source.text()[span.range()]).map_err(|error| {
            Diagnostic::error("syntax", "this is not a JSON string")
                .at(self.cursor.source, span, error.to_string())
                .into()
        })
    }

    fn skip(&mut self) {
        self.cursor.skip_blanks();
    }
}
