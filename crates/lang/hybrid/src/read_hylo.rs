//! InToHyLo, the format that provers of hybrid logic share: `begin f; g end`.
//!
//! `p1`, `n1`, `x1` and `r1` are propositions, nominals, variables and relations, in small or
//! large letters; `<>`, `[]`, `dia` and `box` are along `r1`. `@n1 f` and `n1: f`, `A`, `E`, `D`,
//! `down x1. f` or `down(x1 f)`; `! - ~`, `& ^`, `| v`, `->`, `<->`. Formulas with `;` between
//! them are meant together. `%` begins a comment, and so does `{` up to `}`.

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Comments, Cursor, Parsed, Scanner, Token, TokenKind};

use crate::elsewhere::{ELSEWHERE, Elsewhere};
use crate::formula::{Formula, Sentence};
use crate::read::{Question, Theory, refuse_large};
use quotient_arithmetic::{Boolean, Condition};

/// A word of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Key(&'static str),
    /// A name: its kind, and where it stands says the rest.
    Name(char),
    Sign(&'static str),
    Other,
    End,
}

use Word::{Key, Name, Sign};

const KEYS: [&str; 11] = [
    "begin", "end", "true", "false", "dia", "box", "down", "A", "E", "D", "v",
];

const SIGNS: [&str; 21] = [
    "<->", "-->", "->", "<=>", "=>", "<", ">", "[", "]", "@", ":", "&", "^", "|", "!", "-", "~",
    "(", ")", ";", ".",
];

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Key(word) | Sign(word) => Some(format!("`{word}`")),
            Name('p') => Some("a proposition `p1`".to_owned()),
            Name('n') => Some("a nominal `n1`".to_owned()),
            Name('x') => Some("a variable `x1`".to_owned()),
            Name(_) => Some("a relation `r1`".to_owned()),
            Word::Other => Some("a name".to_owned()),
            Word::End => None,
        }
    }
}

const COMMENTS: Comments = Comments {
    line: &["%"],
    block: Some(("{", "}")),
};

/// Whether a text is one: `begin` first, after comments, and no declarations of ours.
pub(crate) fn is_hylo(source: &Source) -> bool {
    let mut scanner = Scanner::new(source, COMMENTS);
    if scanner.skip_blanks().is_err() {
        return false;
    }
    let first = scanner.word();
    first.is_some_and(|span| scanner.text(span) == "begin")
}

fn words(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let mut scanner = Scanner::new(source, COMMENTS);
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        if scanner.is_at_end() || mistakes.len() > 20 {
            return (tokens, mistakes);
        }
        let (kind, span) = if let Some(span) = scanner.word() {
            let text = scanner.text(span);
            let known = KEYS.into_iter().find(|key| *key == text);
            (known.map_or_else(|| name(text), Key), span)
        } else if let Some((sign, span)) = scanner.one_of(&SIGNS) {
            (Sign(sign), span)
        } else {
            mistakes.push(scanner.stray());
            continue;
        };
        tokens.push(Token { kind, span });
    }
}

/// The kind of a name: `p`, `n`, `x` or `r` and a number.
fn name(text: &str) -> Word {
    let mut letters = text.chars();
    let kind = letters.next().unwrap_or_default().to_ascii_lowercase();
    let number = letters.as_str();
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    match is_number && "pnxr".contains(kind) {
        true => Name(kind),
        false => Word::Other,
    }
}

/// Reads a file.
pub(crate) fn read(source: &Source) -> Result<Theory, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source);
    let mut reader = Reader {
        cursor: Cursor::new(source, tokens),
        theory: Theory::default(),
    };
    for mistake in mistakes {
        reader.cursor.mistake(mistake);
    }
    if let Err(mistake) = reader.file() {
        reader.cursor.mistake(mistake);
    }
    reader.cursor.finish(reader.theory)
}

struct Reader<'a> {
    cursor: Cursor<'a, Word>,
    theory: Theory,
}

/// The longest row of operands.
const MOST_OPERANDS: usize = 400;

impl Reader<'_> {
    fn file(&mut self) -> Parsed<()> {
        self.cursor.expect(Key("begin"))?;
        let begins = self.cursor.peek().span.start;
        let mut all: Vec<Formula> = Vec::new();
        let mut ends = begins;
        while !self.cursor.is(Key("end")) {
            if all.len() >= MOST_OPERANDS {
                return Err(self.cursor.unexpected("fewer formulas"));
            }
            all.push(self.formula()?);
            ends = self.cursor.span_from(begins).end;
            if !self.cursor.takes(Sign(";")) {
                break;
            }
        }
        self.cursor.expect(Key("end"))?;
        if !self.cursor.is_at_end() {
            return Err(self.cursor.unexpected("the end of the file"));
        }
        let and = |one, other| Formula::And(Box::new(one), Box::new(other));
        let formula = all
            .into_iter()
            .reduce(and)
            .unwrap_or(Formula::Constant(true));
        let span = Span::new(begins, ends);
        refuse_large(&formula, self.cursor.source(), span)?;
        let formula = Elsewhere::new(&mut self.theory).replaced(formula);
        refuse_large(&formula, self.cursor.source(), span)?;
        self.theory.questions.push(Question {
            name: "formula".to_owned(),
            text: self.cursor.text(span).to_owned(),
            span,
            valid: false,
            here: false,
            formula,
        });
        Ok(())
    }

    /// From weak to strong: `->`, `<->` (both leaning right), `|`, `&`, prefixes.
    fn formula(&mut self) -> Parsed<Formula> {
        let left = self.equivalence()?;
        if !["->", "-->", "=>"]
            .into_iter()
            .any(|sign| self.cursor.takes(Sign(sign)))
        {
            return Ok(left);
        }
        let right = self.nested(Self::formula)?;
        Ok(Formula::Or(not(left), Box::new(right)))
    }

    fn equivalence(&mut self) -> Parsed<Formula> {
        let start = self.cursor.peek().span.start;
        let left = self.disjunction()?;
        if !self.cursor.takes(Sign("<->")) && !self.cursor.takes(Sign("<=>")) {
            return Ok(left);
        }
        let right = self.nested(Self::equivalence)?;
        let both = Formula::And(Box::new(left.clone()), Box::new(right.clone()));
        let neither = Formula::And(not(left), not(right));
        let whole = Formula::Or(Box::new(both), Box::new(neither));
        refuse_large(&whole, self.cursor.source(), self.cursor.span_from(start))?;
        Ok(whole)
    }

    fn disjunction(&mut self) -> Parsed<Formula> {
        let mut left = self.conjunction()?;
        for _ in 0..MOST_OPERANDS {
            if !self.cursor.takes(Sign("|")) && !self.cursor.takes(Key("v")) {
                return Ok(left);
            }
            left = Formula::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Err(self.cursor.unexpected("fewer operands"))
    }

    fn conjunction(&mut self) -> Parsed<Formula> {
        let mut left = self.nested(Self::prefixed)?;
        for _ in 0..MOST_OPERANDS {
            if !self.cursor.takes(Sign("&")) && !self.cursor.takes(Sign("^")) {
                return Ok(left);
            }
            left = Formula::And(Box::new(left), Box::new(self.nested(Self::prefixed)?));
        }
        Err(self.cursor.unexpected("fewer operands"))
    }

    /// Goes one level down.
    fn nested(&mut self, inner: fn(&mut Self) -> Parsed<Formula>) -> Parsed<Formula> {
        self.cursor.enter()?;
        let found = inner(self);
        self.cursor.leave();
        found
    }

    fn inner(&mut self) -> Parsed<Box<Formula>> {
        self.nested(Self::prefixed).map(Box::new)
    }

    fn prefixed(&mut self) -> Parsed<Formula> {
        let token = self.cursor.peek();
        match token.kind {
            Sign("!" | "-" | "~") => {
                self.cursor.advance();
                Ok(Formula::Not(self.inner()?))
            }
            Sign("@") => {
                self.cursor.advance();
                let nominal = self.world()?;
                self.cursor.takes(Sign(":"));
                Ok(Formula::At(nominal, self.inner()?))
            }
            Sign("<" | "[") | Key("dia" | "box") => {
                let some = matches!(self.cursor.advance().kind, Sign("<") | Key("dia"));
                let relation = match token.kind {
                    Key(_) => known(&mut self.theory.relations, "r1"),
                    _ => {
                        let is_there = matches!(self.cursor.peek().kind, Name('r') | Word::Other);
                        let relation = match is_there {
                            true => self.named(),
                            false => "r1".to_owned(),
                        };
                        self.cursor.expect(Sign(if some { ">" } else { "]" }))?;
                        known(&mut self.theory.relations, &relation)
                    }
                };
                let inner = self.inner()?;
                Ok(match some {
                    true => Formula::Some(relation, inner),
                    false => Formula::Every(relation, inner),
                })
            }
            Key("A") => {
                self.cursor.advance();
                Ok(Formula::Everywhere(self.inner()?))
            }
            Key("E") => {
                self.cursor.advance();
                Ok(Formula::Anywhere(self.inner()?))
            }
            Key("D") => {
                self.cursor.advance();
                Ok(Formula::Some(ELSEWHERE, self.inner()?))
            }
            Key("down") => self.down(),
            _ => self.primary(),
        }
    }

    /// `down x1. f` or `down(x1 f)`: the variable hides one of the same name.
    fn down(&mut self) -> Parsed<Formula> {
        self.cursor.advance();
        let closes = self.cursor.takes(Sign("("));
        if !self.cursor.is(Name('x')) {
            return Err(self.cursor.unexpected("a variable `x1`"));
        }
        let name = self.named();
        self.cursor.takes(Sign("."));
        let old = self.theory.nominals.iter().position(|other| *other == name);
        if let Some(at) = old {
            self.theory.nominals[at] = String::new();
        }
        self.theory.nominals.push(name.clone());
        let variable = self.theory.nominals.len() - 1;
        let inner = match closes {
            true => self.nested(Self::formula)?,
            false => self.nested(Self::prefixed)?,
        };
        if closes {
            self.cursor.expect(Sign(")"))?;
        }
        self.theory.nominals[variable] = String::new();
        if let Some(at) = old {
            self.theory.nominals[at] = name;
        }
        Ok(Formula::Here(variable, Box::new(inner)))
    }

    fn primary(&mut self) -> Parsed<Formula> {
        match self.cursor.peek().kind {
            Key("true" | "false") => {
                let value = self.cursor.advance().kind == Key("true");
                Ok(Formula::Constant(value))
            }
            Sign("(") => {
                self.cursor.advance();
                let inner = self.nested(Self::formula)?;
                self.cursor.expect(Sign(")"))?;
                Ok(inner)
            }
            Name('n' | 'x') | Word::Other if self.is_world() => {
                let world = self.world()?;
                match self.cursor.takes(Sign(":")) {
                    true => Ok(Formula::At(world, self.inner()?)),
                    false => Ok(Formula::Nominal(world)),
                }
            }
            Name('p') | Word::Other => {
                let name = self.named();
                let letter = known(&mut self.theory.letters, &name);
                let letter = Condition::Boolean(Boolean::from_index(letter));
                Ok(Formula::Base(Sentence::Condition(letter)))
            }
            _ => Err(self.cursor.unexpected("a formula")),
        }
    }

    /// Whether a world is named here: of words that are not as the format wants them, by use.
    fn is_world(&self) -> bool {
        self.cursor.peek().kind != Word::Other
            || self.cursor.peek_at(1).kind == Sign(":")
            || self.theory.nominals.contains(&self.name_here())
    }

    /// A nominal, or a variable that is bound here.
    fn world(&mut self) -> Parsed<usize> {
        match self.cursor.peek().kind {
            Name('n') | Word::Other => {
                let name = self.named();
                Ok(known(&mut self.theory.nominals, &name))
            }
            Name('x') => {
                let span = self.cursor.peek().span;
                let name = self.cursor.text(span).to_ascii_lowercase();
                let found = self.theory.nominals.iter().position(|one| *one == name);
                let message = format!("nothing binds the variable `{name}` here");
                let found = found.ok_or_else(|| self.wrong(message))?;
                self.cursor.advance();
                Ok(found)
            }
            _ => Err(self.cursor.unexpected("a nominal `n1`")),
        }
    }

    /// The name that stands here: `P1` is `p1`, other words are as they are written.
    fn named(&mut self) -> String {
        let name = self.name_here();
        self.cursor.advance();
        name
    }

    fn name_here(&self) -> String {
        let token = self.cursor.peek();
        let text = self.cursor.text(token.span);
        match token.kind {
            Word::Other => text.to_owned(),
            _ => text.to_ascii_lowercase(),
        }
    }

    fn wrong(&self, message: impl Into<String>) -> Diagnostic {
        let span = self.cursor.peek().span;
        Diagnostic::error("unknown-name", message).at(self.cursor.source(), span, "")
    }
}

/// The number of a name, which may be new.
fn known(list: &mut Vec<String>, name: &str) -> usize {
    let found = list.iter().position(|other| other == name);
    found.unwrap_or_else(|| {
        list.push(name.to_owned());
        list.len() - 1
    })
}

fn not(formula: Formula) -> Box<Formula> {
    Box::new(Formula::Not(Box::new(formula)))
}
