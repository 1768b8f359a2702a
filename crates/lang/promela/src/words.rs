//! The words of one file, and the numbers in conditions of the preprocessor.

use std::rc::Rc;

use quotient_core::{Diagnostic, Source, Span};

use crate::lex::{At, Item, Kind, Token};

/// Signs, longer ones first.
const SIGNS: &[&str] = &[
    "<->", "...", "->", "::", "!!", "??", "++", "--", "==", "!=", "<=", ">=", "<<", ">>", "&&",
    "||", "..", "[]", "<>", "##", "{", "}", "(", ")", "[", "]", ";", ",", ":", "=", "!", "?", "+",
    "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", ".", "@", "#", "$", "/\\", "\\/",
];

/// Numbers of conditions.
pub(crate) struct Numbers<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) at: usize,
    pub(crate) depth: usize,
}

const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Numbers<'_> {
    pub(crate) fn level(&mut self, level: usize) -> Option<i64> {
        let Some(signs) = LEVELS.get(level) else {
            return self.single();
        };
        let mut left = self.level(level + 1)?;
        while let Some(sign) = self.tokens.get(self.at).map(|token| &*token.text) {
            if !signs.contains(&sign) {
                break;
            }
            self.at += 1;
            let right = self.level(level + 1)?;
            left = match sign {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn single(&mut self) -> Option<i64> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        self.depth += 1;
        if self.depth > 500 {
            return None;
        }
        match (&*token.text, token.kind) {
            ("!", _) => Some(i64::from(self.single()? == 0)),
            ("-", _) => self.single()?.checked_neg(),
            ("+", _) => self.single(),
            ("(", _) => {
                let inner = self.level(0)?;
                let closed = self.tokens.get(self.at)?.is(")");
                self.at += 1;
                closed.then_some(inner)
            }
            (text, Kind::Number) => text.parse().ok(),
            (_, Kind::Name) => Some(0),
            _ => None,
        }
    }
}

/// The words and directives of one file.
pub(crate) fn words(source: &Source, file: u16, mistakes: &mut Vec<Diagnostic>) -> Vec<Item> {
    let text = source.text();
    let bytes = text.as_bytes();
    let mut items = Vec::new();
    let mut directive: Option<(Vec<Token>, bool)> = None;
    let (mut at, mut fresh) = (0, true);
    while at < bytes.len() {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
            at += rest.find('\n').unwrap_or(0) + 1;
        } else if blank > 0 {
            at += blank;
        } else if rest.starts_with('\n') {
            items.extend(
                directive
                    .take()
                    .map(|(words, tight)| Item::Directive(words, tight)),
            );
            fresh = true;
            at += 1;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(end) => at += end + 2,
                None => {
                    let span = Span::new(at, at + 2);
                    let mistake = Diagnostic::error("syntax", "this comment has no end");
                    mistakes.push(mistake.at(source, span, "").help("close it with `*/`"));
                    break;
                }
            }
        } else if fresh && rest.starts_with('#') {
            directive = Some((Vec::new(), false));
            at += 1;
        } else {
            fresh = false;
            let (kind, length) = word(rest);
            let span = Span::new(at, at + length);
            at += length;
            if kind == Kind::End {
                let message = format!(
                    "`{}` has no meaning here",
                    text[span.range()].escape_debug()
                );
                if directive.is_none() {
                    let mistake = Diagnostic::error("syntax", message).at(source, span, "");
                    items.push(Item::Stray(Box::new(mistake)));
                }
                continue;
            }
            let token = Token {
                kind,
                text: spelled(kind, &text[span.range()]),
                at: At { file, span },
                shown: At { file, span },
                expansion: 0,
            };
            match &mut directive {
                Some((words, tight)) => {
                    // `#define f(x)` has parameters, `#define f (x)` has none.
                    *tight |= words.len() == 2
                        && token.is("(")
                        && words[1].at.span.end == token.at.span.start;
                    words.push(token);
                }
                None => items.push(Item::Word(token)),
            }
        }
    }
    items.extend(directive.map(|(words, tight)| Item::Directive(words, tight)));
    items
}

/// What the first word of a text is, and how long.
fn word(rest: &str) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let run = |fits: &dyn Fn(char) -> bool| rest.find(|one| !fits(one)).unwrap_or(rest.len());
    if first.is_ascii_alphabetic() || first == '_' {
        return (
            Kind::Name,
            run(&|one| one.is_ascii_alphanumeric() || one == '_'),
        );
    }
    if first.is_ascii_digit() {
        return (Kind::Number, run(&|one| one.is_ascii_alphanumeric()));
    }
    if first == '"' || first == '\'' {
        let mut escaped = false;
        for (at, one) in rest.char_indices().skip(1) {
            match one {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => break,
                _ if one == first => {
                    let kind = if first == '"' {
                        Kind::Text
                    } else {
                        Kind::Number
                    };
                    return (kind, at + 1);
                }
                _ => {}
            }
        }
        return (Kind::End, first.len_utf8());
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => (Kind::Sign, sign.len()),
        None => (Kind::End, first.len_utf8()),
    }
}

/// A word as the parser wants it: letters in quotes are numbers, and numbers decimal.
fn spelled(kind: Kind, text: &str) -> Rc<str> {
    if kind == Kind::Sign {
        return match text {
            "/\\" => "&&".into(),
            "\\/" => "||".into(),
            other => other.into(),
        };
    }
    if kind != Kind::Number {
        return text.into();
    }
    if let Some(letter) = text.strip_prefix('\'') {
        let letter = letter.trim_end_matches('\'');
        let value = match letter.strip_prefix('\\') {
            Some("n") => 10,
            Some("t") => 9,
            Some("r") => 13,
            Some("f") => 12,
            Some("b") => 8,
            Some("0") => 0,
            Some(other) => other.chars().next().map_or(0, u32::from),
            None => letter.chars().next().map_or(0, u32::from),
        };
        return value.to_string().into();
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let hexadecimal = digits.strip_prefix("0x").or(digits.strip_prefix("0X"));
    match hexadecimal.map(|digits| i64::from_str_radix(digits, 16)) {
        Some(Ok(value)) => value.to_string().into(),
        _ => text.into(),
    }
}
