//! The text form of programs.
//!
//! ```text
//! processors 2
//! check values 1, 0
//! run
//! let x = ref pid in
//! bsp_send W x (1 - pid);
//! bsp_sync W;
//! bsp_findmsg (1 - pid) 0
//! ```

use std::collections::BTreeSet;

use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Comments, Cursor, Parsed, Scanner, Token, TokenKind};

use crate::outcome::{nobody_has, only_name};
use crate::program::{Asked, Expression, Group, Groups, Kind, Name, Program, Question, Value};

mod expression;
mod runs;
mod scope;

use scope::Region;

/// The most processors.
pub(crate) const MOST_PROCESSORS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Word {
    Name,
    Number,
    Sign(&'static str),
    /// A formula about runs, up to the end of its line.
    Formula,
    End,
}

impl TokenKind for Word {
    const END: Word = Word::End;

    fn describe(self) -> Option<String> {
        match self {
            Word::Name => Some("a name".to_owned()),
            Word::Number => Some("a number".to_owned()),
            Word::Sign(sign) => Some(format!("`{sign}`")),
            Word::Formula => Some("a formula".to_owned()),
            Word::End => None,
        }
    }
}

const SIGNS: [&str; 23] = [
    ":=", "->", "<>", "<=", ">=", "..", "=", "<", ">", "+", "-", "*", "/", "(", ")", "{", "}", ";",
    ",", "!", "|", "&&", "||",
];

const COMMENTS: Comments = Comments {
    line: &["#"],
    block: Some(("(*", "*)")),
};

fn tokens(source: &Source) -> (Vec<Token<Word>>, Vec<Diagnostic>) {
    let mut signs = SIGNS;
    signs.sort_by_key(|sign| std::cmp::Reverse(sign.len()));
    let mut scanner = Scanner::new(source, COMMENTS);
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    let mut head = true;
    loop {
        if let Err(mistake) = scanner.skip_blanks() {
            mistakes.push(mistake);
        }
        if scanner.is_at_end() {
            return (tokens, mistakes);
        }
        let (kind, span) = if let Some(span) = scanner.word() {
            (Word::Name, span)
        } else if let Some(span) = scanner.digits() {
            (Word::Number, span)
        } else if let Some((sign, span)) = scanner.one_of(&signs) {
            (Word::Sign(sign), span)
        } else {
            let mistake = scanner.stray();
            if mistakes.len() < 20 {
                mistakes.push(mistake);
            }
            continue;
        };
        tokens.push(Token { kind, span });
        let word = match kind {
            Word::Name if head => scanner.text(span),
            _ => "",
        };
        head &= word != "run";
        if word == "ltl" && runs::begins_line(source, span) {
            tokens.extend(runs::formula_tokens(source, span.end));
            let end = tokens.last().map_or(span.end, |last| last.span.end);
            while scanner.position() < end && scanner.bump().is_some() {}
        }
    }
}

/// Words that are no names.
const KEYWORDS: [&str; 34] = [
    "let",
    "ref",
    "in",
    "if",
    "then",
    "else",
    "loop",
    "while",
    "do",
    "done",
    "raise",
    "try",
    "with",
    "end",
    "fun",
    "pid",
    "nprocs",
    "true",
    "false",
    "void",
    "not",
    "and",
    "or",
    "xor",
    "mod",
    "bsp_push",
    "bsp_pop",
    "bsp_put",
    "bsp_get",
    "bsp_send",
    "bsp_sync",
    "bsp_nmsg",
    "bsp_findmsg",
    "run",
];

/// Reads a program, on another number of processors if one is given.
pub(crate) fn read(source: &Source, processors: Option<usize>) -> Result<Program, Vec<Diagnostic>> {
    let (tokens, mistakes) = tokens(source);
    let mut reader = Reader {
        cursor: Cursor::new(source, tokens),
        program: Program::default(),
        scope: Vec::new(),
        regions: Vec::new(),
        given: processors,
        changed: BTreeSet::new(),
        captured: Vec::new(),
        open_groups: Vec::new(),
        formulas: Vec::new(),
    };
    for mistake in mistakes {
        reader.cursor.mistake(mistake);
    }
    // The name of what nobody uses.
    reader.program.names.push("_".to_owned());
    if let Err(mistake) = reader.file() {
        reader.cursor.mistake(mistake);
    }
    reader.cursor.finish(reader.program)
}

struct Reader<'a> {
    cursor: Cursor<'a, Word>,
    program: Program,
    /// The names in force, each with how many functions and loops are around its binding.
    scope: Vec<(String, Name, usize)>,
    /// The functions and loops around this place, the innermost last.
    regions: Vec<Region>,
    given: Option<usize>,
    /// Variables that get other values than the one that they are bound with.
    changed: BTreeSet<Name>,
    /// Where functions use variables that are bound in functions and loops around them.
    captured: Vec<(Name, Span)>,
    /// Groups with their members and places, until the number of processors is known.
    open_groups: Vec<(String, Vec<(usize, Option<usize>)>, Span)>,
    /// Questions about runs by number, with the places of their formulas, until all variables are known.
    formulas: Vec<(usize, Span)>,
}

impl Reader<'_> {
    fn word(&self) -> &str {
        let token = self.cursor.peek();
        match token.kind {
            Word::Name => self.cursor.text(token.span),
            _ => "",
        }
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is = self.word() == word;
        if is {
            self.cursor.advance();
        }
        is
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        match self.takes_word(word) {
            true => Ok(()),
            false => Err(self.cursor.unexpected(&format!("`{word}`"))),
        }
    }

    fn takes(&mut self, sign: &'static str) -> bool {
        self.cursor.takes(Word::Sign(sign))
    }

    fn expect(&mut self, sign: &'static str) -> Parsed<Span> {
        self.cursor.expect(Word::Sign(sign))
    }

    fn wrong(&self, code: &'static str, message: String, span: Span) -> Diagnostic {
        Diagnostic::error(code, message).at(self.cursor.source(), span, "")
    }

    fn name(&mut self) -> Parsed<(String, Span)> {
        let token = self.cursor.peek();
        let text = self.word().to_owned();
        if text.is_empty() || KEYWORDS.contains(&text.as_str()) {
            return Err(self.cursor.unexpected("a name"));
        }
        self.cursor.advance();
        Ok((text, token.span))
    }

    fn number(&mut self) -> Parsed<i64> {
        let minus = self.takes("-");
        let span = self.cursor.expect(Word::Number)?;
        let number: Option<i64> = self.cursor.text(span).parse().ok();
        let number = number.map(|number| if minus { -number } else { number });
        number.ok_or_else(|| {
            let message = "expected a number of 64 bits".to_owned();
            self.wrong("bad-number", message, span)
        })
    }

    fn small(&mut self) -> Parsed<usize> {
        let span = self.cursor.peek().span;
        let number = self.number()?;
        let number = usize::try_from(number).ok();
        number
            .filter(|&number| number <= MOST_PROCESSORS)
            .ok_or_else(|| {
                let message = format!("expected a number up to {MOST_PROCESSORS}");
                self.wrong("bad-number", message, span)
            })
    }

    fn file(&mut self) -> Parsed<()> {
        let mut processors = None;
        while !self.takes_word("run") {
            let from = self.cursor.position();
            let read = match self.word() {
                "processors" => {
                    let span = self.cursor.advance().span;
                    let read = self.processors();
                    match processors {
                        Some(_) => {
                            let message = "the number of processors is said twice".to_owned();
                            Err(self.wrong("same-name", message, span))
                        }
                        None => read.map(|number| processors = Some(number)),
                    }
                }
                "group" => self.group(),
                "check" => self.check(),
                "ltl" => self.runs(),
                _ => {
                    let expected = "`processors`, `group`, `check`, `ltl` or `run`";
                    return Err(self.cursor.unexpected(expected));
                }
            };
            if let Err(mistake) = read {
                self.cursor.mistake(mistake);
                let source = self.cursor.source();
                // On to the next line that begins with a word of the head.
                self.cursor.recover(from, |kind| kind == Word::Name);
                while !self.cursor.is_at_end() {
                    let span = self.cursor.peek().span;
                    let word = source.text().get(span.range()).unwrap_or_default();
                    if ["processors", "group", "check", "ltl", "run"].contains(&word) {
                        break;
                    }
                    self.cursor.advance();
                }
            }
        }
        let processors = self.given.or(processors).unwrap_or(2);
        self.program.processors = processors.clamp(1, MOST_PROCESSORS);
        if self.given.is_some() {
            self.program.least = None;
        }
        self.settle_groups();
        self.program.root = self.sequence()?;
        if !self.cursor.is_at_end() {
            return Err(self.cursor.unexpected("`;` or the end of the program"));
        }
        self.tell_captured();
        self.read_formulas();
        let asked = self.program.questions.iter();
        let wrong: Vec<Diagnostic> = asked
            .filter_map(|asked| self.is_no_question(asked))
            .collect();
        for mistake in wrong {
            self.cursor.mistake(mistake);
        }
        Ok(())
    }

    /// What is wrong with a question about values: nobody has such a value, or it is not clear which is meant.
    fn is_no_question(&self, asked: &Asked) -> Option<Diagnostic> {
        let program = &self.program;
        // If another number of processors is given, questions of these are not answered, but others are.
        let nobody = match self.given {
            None => nobody_has(program, &asked.question),
            Some(_) => None,
        };
        let (code, message) = match (nobody, &asked.question) {
            (Some(message), _) => ("bad-number", message),
            (None, Question::At(text, ..)) => match only_name(program, text) {
                Ok(_) => return None,
                Err(wrong) => wrong,
            },
            _ => return None,
        };
        Some(self.wrong(code, message, asked.span?))
    }

    /// `4`; or `any`, `4..` for every number from there on.
    fn processors(&mut self) -> Parsed<usize> {
        let least = match self.takes_word("any") {
            true => 1,
            false => {
                let span = self.cursor.peek().span;
                let number = self.small()?;
                if number == 0 {
                    let message = "there is at least one processor".to_owned();
                    return Err(self.wrong("bad-number", message, span));
                }
                if !self.takes("..") {
                    return Ok(number);
                }
                number
            }
        };
        self.program.least = Some(least);
        Ok(least)
    }

    fn group(&mut self) -> Parsed<()> {
        self.cursor.advance();
        let (name, span) = self.name()?;
        if name == "W" || self.open_groups.iter().any(|one| one.0 == name) {
            let message = format!("there is already a group `{name}`");
            return Err(self.wrong("same-name", message, span));
        }
        self.expect("=")?;
        let braces = self.takes("{");
        let mut parts = Vec::new();
        loop {
            let span = self.cursor.peek().span;
            let from = self.small()?;
            let to = match self.takes("..") {
                true if self.cursor.peek().kind == Word::Number => Some(self.small()?),
                true => None,
                false => Some(from),
            };
            if to.is_some_and(|to| to < from) {
                let message = "nobody is between these numbers".to_owned();
                return Err(self.wrong("bad-group", message, span));
            }
            parts.push((from, to));
            if !self.takes(",") {
                break;
            }
        }
        if braces {
            self.expect("}")?;
        }
        self.open_groups.push((name, parts, span));
        Ok(())
    }

    fn settle_groups(&mut self) {
        let processors = self.program.processors;
        self.program.groups.push(Group {
            name: "W".to_owned(),
            members: (0..processors).collect(),
        });
        for (name, parts, span) in std::mem::take(&mut self.open_groups) {
            let mut members: Vec<usize> = Vec::new();
            for (from, to) in parts {
                let highest = to.unwrap_or(from) + 1;
                self.program.named = self.program.named.max(highest);
                members.extend(from..=to.unwrap_or(processors - 1));
            }
            members.sort_unstable();
            members.dedup();
            if members.is_empty() || members.iter().any(|&one| one >= processors) {
                let message = format!("`{name}` has members beyond the {processors} processors");
                let wrong = self.wrong("bad-group", message, span);
                self.cursor.mistake(wrong);
                members.retain(|&one| one < processors);
            }
            self.program.groups.push(Group { name, members });
        }
    }

    fn value(&mut self) -> Parsed<Value> {
        let value = match self.word() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "void" => Value::Void,
            _ => return self.number().map(Value::Int),
        };
        self.cursor.advance();
        Ok(value)
    }

    fn check(&mut self) -> Parsed<()> {
        let start = self.cursor.advance().span.start;
        let kinds = [Kind::Done, Kind::Deadlock, Kind::Fault, Kind::Diverges];
        let kind = kinds.into_iter().find(|kind| kind.word() == self.word());
        let question = if let Some(kind) = kind {
            self.cursor.advance();
            Question::Ends(kind)
        } else if self.takes_word("no") {
            self.expect_word("deadlock")?;
            Question::NoDeadlock
        } else if self.takes_word("values") {
            let mut values = vec![self.value()?];
            while self.takes(",") {
                values.push(self.value()?);
            }
            Question::Values(values)
        } else {
            let (name, _) = self.name()?;
            self.expect_word("at")?;
            let processor = self.small()?;
            self.expect("=")?;
            Question::At(name, processor, self.value()?)
        };
        let span = self.cursor.span_from(start);
        let text: Vec<&str> = self.cursor.text(span).split_whitespace().skip(1).collect();
        let name = text.join(" ");
        if self.program.questions.iter().any(|one| one.name == name) {
            let message = format!("`{name}` is checked twice");
            return Err(self.wrong("same-name", message, span));
        }
        self.program.questions.push(Asked {
            name,
            question,
            span: Some(span),
        });
        Ok(())
    }

    fn add(&mut self, expression: Expression, start: usize) -> usize {
        let span = self.cursor.span_from(start);
        self.program.expressions.push((expression, span));
        self.program.expressions.len() - 1
    }

    fn here(&self) -> usize {
        self.cursor.peek().span.start
    }

    fn exception(&mut self) -> Parsed<usize> {
        let (text, _) = self.name()?;
        let known = self.program.exceptions.iter().position(|one| *one == text);
        Ok(known.unwrap_or_else(|| {
            self.program.exceptions.push(text);
            self.program.exceptions.len() - 1
        }))
    }

    fn groups(&mut self) -> Parsed<Groups> {
        let mut all = Vec::new();
        loop {
            let (text, span) = self.name()?;
            let known = self.program.groups.iter().position(|one| one.name == text);
            all.push(known.ok_or_else(|| {
                let names = self.program.groups.iter().map(|one| one.name.as_str());
                self.wrong("no-group", format!("there is no group `{text}`"), span)
                    .did_you_mean(&text, names)
            })?);
            if !self.takes("|") {
                return Ok(all);
            }
        }
    }
}
