//! Characters to words.

use quotient_core::{Diagnostic, Source};
use quotient_language::text::{Comments, Scanner, Token, TokenKind};

/// A word of Esterel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Name,
    Keyword(&'static str),
    Whole,
    Real,
    Text,
    Sign(&'static str),
    End,
}

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Word::Keyword(word) | Word::Sign(word) => Some(format!("`{word}`")),
            Word::Name => Some("a name".to_owned()),
            _ => None,
        }
    }
}

/// The words that are no names.
const KEYWORDS: &[&str] = &[
    "abort",
    "and",
    "await",
    "call",
    "case",
    "combine",
    "constant",
    "copymodule",
    "do",
    "each",
    "else",
    "elsif",
    "emit",
    "end",
    "every",
    "exec",
    "exit",
    "false",
    "function",
    "halt",
    "handle",
    "if",
    "immediate",
    "in",
    "input",
    "inputoutput",
    "loop",
    "mod",
    "module",
    "not",
    "nothing",
    "or",
    "output",
    "pause",
    "positive",
    "pre",
    "present",
    "procedure",
    "relation",
    "repeat",
    "return",
    "run",
    "sensor",
    "signal",
    "suspend",
    "sustain",
    "task",
    "then",
    "tick",
    "timeout",
    "times",
    "trap",
    "true",
    "type",
    "upto",
    "var",
    "watching",
    "weak",
    "when",
    "with",
];

/// Longer ones first.
const SIGNS: &[&str] = &[
    "||", ":=", "<>", "<=", ">=", "=>", "??", "?", "<", ">", "=", "(", ")", "[", "]", ";", ",",
    ":", "+", "-", "*", "/", "#", ".",
];

/// `% …` to the end of the line and `%{ … }%`; the scanner tries lines first, so blocks are cut
/// out by hand.
const COMMENTS: Comments = Comments {
    line: &[],
    block: Some(("%{", "}%")),
};

/// The words of a text, and what is no word.
pub(crate) fn words(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let mut scanner = Scanner::new(source, COMMENTS);
    let (mut words, mut mistakes) = (Vec::new(), Vec::new());
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        let Some(first) = scanner.peek() else {
            return (words, mistakes);
        };
        if first == '%' {
            scanner.take_while(|letter| letter != '\n');
            continue;
        }
        if first == '"' {
            text(&mut scanner, source, &mut words, &mut mistakes);
        } else if first.is_ascii_digit() {
            numeral(&mut scanner, &mut words);
        } else if let Some(span) = scanner.word() {
            let text = scanner.text(span);
            let keyword = KEYWORDS.iter().find(|&&word| word == text);
            let kind = keyword.map_or(Word::Name, |&word| Word::Keyword(word));
            words.push(Token { kind, span });
        } else if let Some((sign, span)) = scanner.one_of(SIGNS) {
            let kind = Word::Sign(sign);
            words.push(Token { kind, span });
        } else if mistakes.len() < 20 {
            mistakes.push(scanner.stray());
        } else {
            scanner.bump();
        }
    }
}

/// A text between quotes; a doubled quote is a quote.
fn text(
    scanner: &mut Scanner<'_>,
    source: &Source,
    words: &mut Vec<Token<Word>>,
    mistakes: &mut Vec<Diagnostic>,
) {
    let start = scanner.position();
    scanner.bump();
    scanner.take_while(|letter| letter != '"' && letter != '\n');
    match scanner.bump() {
        Some(('"', span)) => words.push(Token {
            kind: Word::Text,
            span: (start..span.end).into(),
        }),
        _ => {
            let span = (start..start + 1).into();
            let mistake = Diagnostic::error("syntax", "this text has no end");
            mistakes.push(
                mistake
                    .at(source, span, "begins here")
                    .help("close it with `\"`"),
            );
        }
    }
}

/// Digits, perhaps with a point, an exponent and a letter for the type.
fn numeral(scanner: &mut Scanner<'_>, words: &mut Vec<Token<Word>>) {
    let start = scanner.position();
    let mut kind = Word::Whole;
    scanner.digits();
    let rest = |scanner: &Scanner<'_>, number: usize| {
        let mut ahead = scanner.clone();
        (0..number).for_each(|_| {
            ahead.bump();
        });
        ahead.peek()
    };
    if scanner.peek() == Some('.') && rest(scanner, 1).is_some_and(|one| one.is_ascii_digit()) {
        scanner.bump();
        scanner.digits();
        kind = Word::Real;
    }
    if matches!(scanner.peek(), Some('e' | 'E')) {
        let signed = usize::from(matches!(rest(scanner, 1), Some('+' | '-')));
        if rest(scanner, 1 + signed).is_some_and(|one| one.is_ascii_digit()) {
            (0..=signed).for_each(|_| {
                scanner.bump();
            });
            scanner.digits();
            kind = Word::Real;
        }
    }
    if kind == Word::Real && matches!(scanner.peek(), Some('f' | 'd' | 'F' | 'D')) {
        scanner.bump();
    }
    let span = (start..scanner.position()).into();
    words.push(Token { kind, span });
}
