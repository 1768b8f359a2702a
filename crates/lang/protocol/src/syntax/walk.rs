//! Walking over words.

use quotient_core::{Diagnostic, Span, nearest};

use super::lexer::Token;
use super::parser::{ITEMS, Parsed, Parser};
use super::tree::Name;

/// How deeply expressions may nest: far beyond what people write, far within the stack.
const DEEPEST: u32 = 225;

const STEP: &str = "a step is written `step NAME: when CONDITION then ACTION, ACTION`";

impl Parser<'_> {
    /// Goes on to the next item: a word that begins one, at the beginning of a line.
    pub(super) fn recover(&mut self, start: usize) {
        self.depth = 0;
        self.formula = None;
        // What was wrong may be the word that begins the next item.
        self.at = self.at.saturating_sub(1).max(start + 1);
        while self.at + 1 < self.tokens.len() {
            if let Token::Name(word) = self.peek()
                && ITEMS.contains(&word.as_str())
                && self.is_first_of_line()
            {
                return;
            }
            self.at += 1;
        }
        self.at = self.tokens.len() - 1;
    }

    fn is_first_of_line(&self) -> bool {
        let before = &self.source.text()[..self.peek_span().start];
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        before[line..].trim().is_empty()
    }

    pub(super) fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let span = self.last_span();
            return Err(self
                .error("too-deep", "this expression is nested too deeply", span)
                .help("give parts of it a name with `define`"));
        }
        Ok(())
    }

    pub(crate) fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    /// The word after the next.
    pub(crate) fn peek_ahead(&self) -> &Token {
        self.peek_at(1)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &Token {
        self.tokens
            .get(self.at + ahead)
            .map_or(&Token::End, |(token, _)| token)
    }

    pub(crate) fn peek_word(&self, word: &str) -> bool {
        self.peek_word_at(0, word)
    }

    pub(crate) fn peek_word_at(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek_at(ahead), Token::Name(name) if name == word)
    }

    /// The next word; the end again and again.
    pub(crate) fn next(&mut self) -> (Token, Span) {
        let token = self.tokens[self.at].clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub(crate) fn peek_span(&self) -> Span {
        self.tokens[self.at.min(self.tokens.len() - 1)].1
    }

    pub(crate) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    pub(crate) fn takes(&mut self, mark: &'static str) -> bool {
        let taken = self.peek() == &Token::Mark(mark);
        self.at += usize::from(taken);
        taken
    }

    pub(crate) fn takes_word(&mut self, word: &str) -> bool {
        let taken = self.peek_word(word);
        self.at += usize::from(taken);
        taken
    }

    pub(crate) fn expect(&mut self, mark: &'static str) -> Parsed<()> {
        if self.takes(mark) {
            return Ok(());
        }
        let (token, span) = self.next();
        let error = self.unexpected(&token, span, &format!("`{mark}`"));
        Err(match (mark, &token) {
            (":=", Token::Mark("=")) => error.help("values are assigned by `:=`, compared by `=`"),
            ("{", Token::Name(_)) => error.help(
                "variables of a process stand in braces, as in `process client { location idle, busy }`",
            ),
            (":", Token::Name(_)) => error.help(STEP),
            ("," | "}" | ")", Token::Name(word)) if ITEMS.contains(&word.as_str()) => {
                let open = if mark == ")" { ")" } else { "}" };
                error.help(format!("is a `{open}` missing before it?"))
            }
            (")", _) => error.help("close the parenthesis, or join conditions by `and`, `or`"),
            _ => error,
        })
    }

    /// The `:` behind the names of processes.
    pub(super) fn colon_behind(&mut self, names: &[Name]) -> Parsed<()> {
        let [.., last] = names else {
            return self.expect(":");
        };
        if !matches!(self.peek(), Token::Name(_)) {
            return self.expect(":");
        }
        let (token, span) = self.next();
        let error = self.unexpected(&token, span, "`:`");
        let sides = ["left", "right", "other"];
        Err(match nearest(&last.text, sides) {
            Some(side) => error.help(format!("did you mean `{side}` instead of `{}`?", last.text)),
            None => error.help("names are joined by `,`, and `:` follows: `exists p, q: …`"),
        })
    }

    /// A process has no channel of its own. What follows one is read on behind the process: its other
    /// variables, and the word before the channel, begin nothing.
    pub(super) fn no_channel(&mut self) -> Parsed<()> {
        let kinds = ["queue", "lossy", "stack", "log"];
        let Some(kind) = kinds.iter().find(|kind| self.peek_word(kind)) else {
            return Ok(());
        };
        if !matches!(self.peek_at(1), Token::Name(_)) {
            return Ok(());
        }
        let message = format!("a `{kind}` cannot be declared in a process");
        let error = self.error("local-channel", message, self.peek_span());
        self.pass_the_brace();
        Err(error
            .note("only finitely many values fit into the letter of a process")
            .help("declare it outside of `process { … }`: all processes share it"))
    }

    /// Goes on behind the `}` that closes what is open here, if there is one.
    fn pass_the_brace(&mut self) {
        let mut open = 1;
        for (ahead, (token, _)) in self.tokens[self.at..].iter().enumerate() {
            match token {
                Token::Mark("{") => open += 1,
                Token::Mark("}") => open -= 1,
                _ => {}
            }
            if open == 0 {
                self.at += ahead + 1;
                return;
            }
        }
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.takes_word(word) {
            return Ok(());
        }
        let (token, span) = self.next();
        let error = self.unexpected(&token, span, &format!("`{word}`"));
        let joins = |word: &str| nearest(word, ["and", "or", "then"]).map(str::to_owned);
        let near = match &token {
            Token::Name(found) if word == "then" => joins(found),
            Token::Name(found) => nearest(found, [word]).map(str::to_owned),
            _ => None,
        };
        let error = match near {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        };
        Err(match word {
            "then" => error.help(STEP),
            "process" => error.help("what has a value for each process is written `x[process]`"),
            _ => error,
        })
    }

    pub(crate) fn error(
        &self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(self.source, span, "")
    }

    pub(crate) fn unexpected(&self, token: &Token, span: Span, expected: &str) -> Diagnostic {
        Diagnostic::error("syntax", format!("expected {expected}, found {token}")).at(
            self.source,
            span,
            "here",
        )
    }
}
