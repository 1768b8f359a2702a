//! A protocol, laid out: the same words and comments on the same lines, with the blanks that
//! everybody uses.
//!
//! Lines are those of the text, since who wrote them knew what belongs together; what changes is
//! the blanks in them. Items begin at the margin, what is in braces is indented, and the bodies of
//! steps that follow each other begin in one column, as do the lines on which they go on. There is
//! at most one empty line in a row, and none at the beginning or at the end.

use quotient_core::{Diagnostic, Source};

use crate::syntax::lexer::{Token, tokens};

/// Columns of an indentation.
const INDENT: usize = 4;
/// Bodies of steps are not moved further to the right than this.
const WIDEST_HEAD: usize = 40;

/// Words that begin an item.
const ITEMS: &[&str] = &[
    "protocol",
    "topology",
    "assume",
    "parameter",
    "type",
    "global",
    "process",
    "queue",
    "stack",
    "log",
    "lossy",
    "message",
    "duplicating",
    "ordered",
    "rounds",
    "define",
    "initially",
    "step",
    "property",
    "lemma",
];

/// Words that go on with what the line before began.
const GOING_ON: &[&str] = &["and", "or", "then", "when", "implies", "else"];

/// Signs for words, which stand apart as words do.
const WORDS: &[&str] = &["&&", "||", "∧", "∨"];

/// Marks with blanks on both sides, by how they are known.
const JOINING: &[&str] = &[":=", "=", "!=", "<", "<=", ">", ">=", "=>", "<=>"];

/// A piece of a line: a word of the language or a comment.
#[derive(Debug)]
struct Piece<'t> {
    text: &'t str,
    token: Option<Token>,
    /// Whether there are blanks before it on its line.
    apart: bool,
}

/// Lays a protocol out; fails where the text has words that the language does not know.
pub(crate) fn laid_out(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let (words, mistakes) = tokens(source);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let lines = lines(source.text(), &words);
    let mut out = String::new();
    let mut state = Nesting::default();
    let mut column = INDENT;
    for (number, line) in lines.iter().enumerate() {
        if line.is_empty() {
            // An empty line is written when something comes after it.
            continue;
        }
        if !out.is_empty() && lines[number - 1].is_empty() {
            out.push('\n');
        }
        let head = state.is_outside().then(|| head(line)).flatten();
        if head.is_some() {
            column = body_column(&lines, number);
        } else if state.is_outside() && begins_item(line) {
            column = INDENT;
        }
        let indent = state.indent(line, column);
        out.push_str(&" ".repeat(indent));
        let mut width = 0;
        for (at, piece) in line.iter().enumerate() {
            let is_body = head == Some(at);
            let blanks = match piece.token {
                _ if at == 0 => 0,
                None if piece.text.starts_with("//") => 2,
                _ if is_body => column.saturating_sub(width).max(1),
                _ => usize::from(is_apart(line, at)),
            };
            out.push_str(&" ".repeat(blanks));
            out.push_str(piece.text.trim_end());
            width += blanks + piece.text.chars().count();
        }
        out.push('\n');
        line.iter().for_each(|piece| state.pass(piece));
    }
    Ok(out)
}

/// The text as lines of pieces. A comment over several lines is one piece.
fn lines<'t>(text: &'t str, words: &[(Token, quotient_core::Span)]) -> Vec<Vec<Piece<'t>>> {
    let mut lines: Vec<Vec<Piece<'t>>> = vec![Vec::new()];
    let mut at = 0;
    let mut apart = false;
    let mut words = words.iter().peekable();
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, token) = if first == '\n' {
            lines.push(Vec::new());
            apart = false;
            at += 1;
            continue;
        } else if first.is_whitespace() {
            apart = true;
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), None)
        } else {
            match words.next_if(|(_, span)| span.start == at) {
                Some((token, span)) => (span.end - span.start, Some(token.clone())),
                None => (first.len_utf8(), None),
            }
        };
        let piece = Piece {
            text: &text[at..at + length],
            token,
            apart,
        };
        if let Some(line) = lines.last_mut() {
            line.push(piece);
        }
        apart = false;
        at += length;
    }
    lines
}

/// How deep in braces and brackets a place is.
#[derive(Debug, Default)]
struct Nesting {
    braces: usize,
    brackets: usize,
    /// Whether something was begun that goes on in the next line.
    goes_on: bool,
}

impl Nesting {
    fn is_outside(&self) -> bool {
        self.braces == 0 && self.brackets == 0
    }

    /// Where a line begins, if lines that go on begin in some column.
    fn indent(&self, line: &[Piece<'_>], column: usize) -> usize {
        let Some(first) = line.iter().find_map(|piece| piece.token.as_ref()) else {
            // A comment among braces belongs to what is there.
            return INDENT * self.braces;
        };
        let closes = *first == Token::Mark("}");
        let braces = self.braces - usize::from(closes && self.braces > 0);
        let continues = match first {
            Token::Name(name) if self.braces > 0 => {
                self.goes_on || GOING_ON.contains(&name.as_str())
            }
            _ if self.braces > 0 => self.goes_on && !closes,
            _ => !self.is_outside() || !begins_item(line),
        };
        match (self.braces, continues && !closes) {
            (0, true) => column,
            (_, true) => INDENT * (braces + 1),
            (_, false) => INDENT * braces,
        }
    }

    fn pass(&mut self, piece: &Piece<'_>) {
        let Some(token) = &piece.token else { return };
        match token {
            Token::Mark("{") => self.braces += 1,
            Token::Mark("}") => self.braces = self.braces.saturating_sub(1),
            Token::Mark("(" | "[") => self.brackets += 1,
            Token::Mark(")" | "]") => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        self.goes_on = match token {
            Token::Mark("{" | "}" | ")" | "]" | ";") => self.brackets > 0,
            Token::Mark(_) => true,
            Token::Name(name) => self.brackets > 0 || GOING_ON.contains(&name.as_str()),
            _ => self.brackets > 0,
        };
    }
}

fn begins_item(line: &[Piece<'_>]) -> bool {
    let first = line.iter().find_map(|piece| piece.token.as_ref());
    matches!(first, Some(Token::Name(name)) if ITEMS.contains(&name.as_str()))
}

/// Of a line that begins a step, the piece behind the colon: where its body begins.
fn head(line: &[Piece<'_>]) -> Option<usize> {
    let is = |piece: &Piece<'_>, word: &str| matches!(&piece.token, Some(Token::Name(name)) if name == word);
    if !line.first().is_some_and(|piece| is(piece, "step")) {
        return None;
    }
    let mut depth = 0usize;
    for (at, piece) in line.iter().enumerate() {
        match piece.token {
            Some(Token::Mark("(" | "[")) => depth += 1,
            Some(Token::Mark(")" | "]")) => depth = depth.saturating_sub(1),
            Some(Token::Mark(":")) if depth == 0 => {
                let after = line.get(at + 1).filter(|next| next.token.is_some());
                return after.map(|_| at + 1);
            }
            _ => {}
        }
    }
    None
}

/// The width of a step up to its body, without the blanks before that.
fn head_width(line: &[Piece<'_>], body: usize) -> usize {
    let width = |(at, piece): (usize, &Piece<'_>)| {
        let blanks = at > 0 && is_apart(line, at);
        piece.text.chars().count() + usize::from(blanks)
    };
    line[..body].iter().enumerate().map(width).sum()
}

/// The column in which the bodies of the steps around a line begin: steps without an empty line,
/// another item or braces between them.
fn body_column(lines: &[Vec<Piece<'_>>], number: usize) -> usize {
    let belongs = |line: &&Vec<Piece<'_>>| {
        let has_brace = |piece: &Piece<'_>| matches!(piece.token, Some(Token::Mark("{" | "}")));
        let is_step = head(line).is_some();
        !line.is_empty() && (is_step || !begins_item(line)) && !line.iter().any(has_brace)
    };
    let before = lines[..number].iter().rev().take_while(belongs);
    let after = lines[number..].iter().skip(1).take_while(belongs);
    let around = before.chain(after).chain([&lines[number]]);
    let widths = around.filter_map(|line| head(line).map(|body| head_width(line, body)));
    widths
        .filter(|&width| width < WIDEST_HEAD)
        .max()
        .unwrap_or(INDENT - 1)
        + 1
}

/// Whether blanks stand before a piece: where there are some, after what separates, and around what
/// compares, assigns or joins.
fn is_apart(line: &[Piece<'_>], at: usize) -> bool {
    let joins = |piece: &Piece<'_>| match piece.token {
        Some(Token::Mark(mark)) => JOINING.contains(&mark),
        _ => WORDS.contains(&piece.text),
    };
    let separates = matches!(line[at - 1].token, Some(Token::Mark("," | ":")));
    let goes_on = matches!(line[at].token, Some(Token::Name(_)))
        && line[at - 1].token == Some(Token::Mark(")"));
    line[at].apart || separates || goes_on || joins(&line[at]) || joins(&line[at - 1])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::seam::LANGUAGE;

    fn words(text: &str) -> (Vec<Token>, Vec<String>) {
        let source = Source::new("f", text);
        let (words, _) = tokens(&source);
        let comments = lines(text, &words).into_iter().flatten();
        let comments = comments.filter(|piece| piece.token.is_none());
        let comments = comments.map(|piece| piece.text.trim_end().to_owned());
        let kept = comments.collect();
        (words.into_iter().map(|(token, _)| token).collect(), kept)
    }

    fn keeps_everything(text: &str) -> Result<(), TestCaseError> {
        let Ok(laid) = laid_out(&Source::new("f", text)) else {
            return Ok(());
        };
        prop_assert_eq!(words(&laid), words(text), "{}", laid);
        let again = laid_out(&Source::new("f", laid.as_str())).unwrap();
        prop_assert_eq!(&again, &laid);
        Ok(())
    }

    #[test]
    fn bodies_of_steps_begin_in_one_column() {
        let text = "process{\nlocation a,b\n  x:bool\n}\n\n\n// go\nstep a : when at=a\n  and x then at:=b // there\nstep back:   when at = b then at := a\n\n";
        let laid = laid_out(&Source::new("f", text)).unwrap();
        let right = "process{\n    location a, b\n    x: bool\n}\n\n// go\nstep a :   when at = a\n           and x then at := b  // there\nstep back: when at = b then at := a\n";
        assert_eq!(laid, right);
    }

    #[test]
    fn what_compares_assigns_and_joins_stands_apart() {
        let text = "step a:when at=x&&n<=-1||!(m!=2)then n:=n+1,m:=0\nproperty p:never exists q,r:q.at=r.at->q.n<r.n\n";
        let laid = laid_out(&Source::new("f", text)).unwrap();
        let right = "step a: when at = x && n <= -1 || !(m != 2) then n := n+1, m := 0\nproperty p: never exists q, r: q.at = r.at -> q.n < r.n\n";
        assert_eq!(laid, right);
        keeps_everything(text).unwrap();
    }

    #[test]
    fn protocols_of_the_gallery_stay_the_same_but_for_blanks() {
        for example in LANGUAGE.about().examples {
            for (name, text) in example
                .files
                .iter()
                .filter(|(name, _)| name.ends_with(".protocol"))
            {
                keeps_everything(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn words_and_comments_stay_and_a_second_time_changes_nothing(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec![
                    "step", "go", ":", "when", "x", "=", "1", "then", ":=", ",", "(", ")", "{", "}",
                    "property", "never", "// why\n", "/* two\n  lines */", "\n", "\n\n\n", "process",
                    "\"a  b\"", "[", "]", "and", "forall", ".", ";",
                ]),
                0..40,
            ),
            blanks in proptest::collection::vec(proptest::sample::select(vec!["", " ", "   ", "\t", "\n"]), 40),
        ) {
            let all = pieces.iter().zip(&blanks);
            let text: String = all.map(|(piece, blank)| format!("{piece}{blank}")).collect();
            keeps_everything(&text)?;
        }
    }
}
