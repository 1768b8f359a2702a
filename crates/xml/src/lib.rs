//! The part of XML that models are written in.
//!
//! Elements, attributes, texts, comments, character data and the five entities; no declarations
//! of types (nothing can grow by expansion). The tree lies in one vector, so that no text,
//! however deep, is read or dropped by recursion.

use std::borrow::Cow;

use quotient_core::{Diagnostic, Source, Span};

/// An element.
#[derive(Debug, Clone, Default)]
pub struct Element {
    /// Its name without the prefix of a namespace.
    pub name: String,
    /// Its attributes, their names without prefixes.
    pub attributes: Vec<(String, String)>,
    /// What is directly inside, by number: children come after their parents.
    pub children: Vec<usize>,
    /// The text directly inside.
    pub text: String,
    /// Its opening tag.
    pub span: Span,
}

/// A document; the first element is the outermost.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// All elements, in the order of the text.
    pub elements: Vec<Element>,
}

impl Document {
    /// The children of an element that have a name.
    pub fn named<'a>(&'a self, of: usize, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let children = self.elements[of].children.iter().copied();
        children.filter(move |&child| self.elements[child].name == name)
    }

    /// The trimmed text of the first child with a name.
    pub fn text_of(&self, of: usize, name: &str) -> Option<&str> {
        let child = self.named(of, name).next()?;
        Some(self.elements[child].text.trim())
    }

    /// An attribute.
    pub fn attribute(&self, of: usize, name: &str) -> Option<&str> {
        let all = self.elements[of].attributes.iter();
        all.filter(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
            .next()
    }
}

/// Reads a document.
///
/// ```
/// use quotient_core::Source;
/// let source = Source::new("a.xml", "<net><place id='p'><text>x &amp; y</text></place></net>");
/// let document = quotient_xml::read(&source).unwrap();
/// let place = document.named(0, "place").next().unwrap();
/// assert_eq!(document.attribute(place, "id"), Some("p"));
/// assert_eq!(document.text_of(place, "text"), Some("x & y"));
/// ```
pub fn read(source: &Source) -> Result<Document, Diagnostic> {
    let mut reader = Reader {
        source,
        text: source.text(),
        at: 0,
        document: Document::default(),
        open: Vec::new(),
    };
    reader.read()?;
    Ok(reader.document)
}

struct Reader<'a> {
    source: &'a Source,
    text: &'a str,
    at: usize,
    document: Document,
    open: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn wrong(&self, start: usize, message: impl Into<String>) -> Diagnostic {
        let end = (start + 1).min(self.text.len());
        Diagnostic::error("xml", message).at(self.source, Span::new(start, end), "")
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes behind the next occurrence of a mark; gives what is before it.
    fn through(&mut self, mark: &str) -> Result<&'a str, Diagnostic> {
        let rest = self.rest();
        match rest.find(mark) {
            Some(length) => {
                self.at += length + mark.len();
                Ok(&rest[..length])
            }
            None => Err(self.wrong(
                self.at,
                format!("expected `{mark}` before the end of the text"),
            )),
        }
    }

    fn read(&mut self) -> Result<(), Diagnostic> {
        while !self.rest().is_empty() {
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.through("-->")?;
            } else if rest.starts_with("<?") {
                self.through("?>")?;
            } else if rest.starts_with("<![CDATA[") {
                self.at += "<![CDATA[".len();
                let text = self.through("]]>")?;
                self.add_text(text)?;
            } else if rest.starts_with("<!") {
                return Err(self
                    .wrong(self.at, "declarations are not read")
                    .help("leave `<!…>` out"));
            } else if rest.starts_with("</") {
                self.close()?;
            } else if rest.starts_with('<') {
                self.open()?;
            } else {
                let length = rest.find('<').unwrap_or(rest.len());
                let text = unescaped(&rest[..length]);
                self.add_text(&text)?;
                self.at += length;
            }
        }
        match self.open.last() {
            Some(&open) => {
                let element = &self.document.elements[open];
                let message = format!("`<{}>` is not closed", element.name);
                Err(Diagnostic::error("xml", message).at(self.source, element.span, ""))
            }
            None if self.document.elements.is_empty() => Err(self.wrong(0, "there is no element")),
            None => Ok(()),
        }
    }

    fn add_text(&mut self, text: &str) -> Result<(), Diagnostic> {
        match self.open.last() {
            Some(&open) => self.document.elements[open].text.push_str(text),
            None if text.trim().is_empty() => {}
            None => return Err(self.wrong(self.at, "text outside of all elements")),
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let name = local(self.through(">")?.trim_start_matches("</").trim());
        let open = self.open.pop();
        match open.map(|open| &self.document.elements[open]) {
            Some(element) if element.name == name => Ok(()),
            Some(element) => {
                let message = format!("`</{name}>` closes `<{}>`", element.name);
                Err(self
                    .wrong(start, message)
                    .help("close what was opened last"))
            }
            None => Err(self.wrong(start, format!("`</{name}>` closes nothing"))),
        }
    }

    fn open(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at += 1;
        let name = self.name()?;
        let mut element = Element {
            name: local(name).to_owned(),
            ..Element::default()
        };
        let empty = loop {
            self.skip_blanks();
            if self.rest().starts_with("/>") {
                self.at += 2;
                break true;
            }
            if self.rest().starts_with('>') {
                self.at += 1;
                break false;
            }
            let key = self.name()?;
            self.skip_blanks();
            if !self.rest().starts_with('=') {
                return Err(self.wrong(self.at, format!("expected `=` after `{key}`")));
            }
            self.at += 1;
            self.skip_blanks();
            let quote = match self.rest().as_bytes().first() {
                Some(b'"') => "\"",
                Some(b'\'') => "'",
                _ => return Err(self.wrong(self.at, "expected a value in quotes")),
            };
            self.at += 1;
            let value = unescaped(self.through(quote)?).into_owned();
            element.attributes.push((local(key).to_owned(), value));
        };
        element.span = Span::new(start, self.at);
        let number = self.document.elements.len();
        match self.open.last() {
            Some(&parent) => self.document.elements[parent].children.push(number),
            None if number > 0 => return Err(self.wrong(start, "a second outermost element")),
            None => {}
        }
        self.document.elements.push(element);
        if !empty {
            self.open.push(number);
        }
        Ok(())
    }

    fn name(&mut self) -> Result<&'a str, Diagnostic> {
        let rest = self.rest();
        let ends = |letter: char| letter.is_whitespace() || "=/><\"'".contains(letter);
        let length = rest.find(ends).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.wrong(self.at, "expected a name"));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// A text with its entities replaced; unknown ones are left as they are.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').unwrap_or(0);
        match rest.get(1..end).and_then(entity) {
            Some(letter) => {
                out.push(letter);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn entity(name: &str) -> Option<char> {
    let number = match name {
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "amp" => return Some('&'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    let code = match number.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        let read = read(&Source::new("a.xml", text));
        read.err().map(|wrong| wrong.message).unwrap_or_default()
    }

    #[test]
    fn what_is_not_closed_or_not_opened_is_said() {
        assert_eq!(wrong("<a><b></a>"), "`</a>` closes `<b>`");
        assert_eq!(wrong("<a>"), "`<a>` is not closed");
        assert_eq!(wrong("<a/><b/>"), "a second outermost element");
        assert_eq!(wrong("<!DOCTYPE a><a/>"), "declarations are not read");
        assert_eq!(wrong(""), "there is no element");
    }

    #[test]
    fn depth_and_size_are_no_danger() {
        assert!(!wrong(&"<a>".repeat(100_000)).is_empty());
        let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert_eq!(wrong(&deep), "");
    }
}
