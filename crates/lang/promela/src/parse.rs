//! Words to trees: declarations and statements.

use std::collections::HashMap;
use std::rc::Rc;

use quotient_core::{Diagnostic, Source};

use crate::lex::{At, Kind, Token};
use crate::syntax::{
    Declaration, Expression, Name, Node, Sign, Start, Statement, Step, Type, Unit,
};

pub(crate) type Parsed<T> = Result<T, Diagnostic>;

/// How deeply texts may nest.
pub(crate) const DEEPEST: usize = 120;
/// The most words, inlines replaced.
pub(crate) const MOST_TOKENS: usize = 2_000_000;

/// `inline`: its parameters and its body.
pub(crate) struct Inline {
    pub(crate) parameters: Vec<Rc<str>>,
    pub(crate) body: Vec<Token>,
}

/// Walks over the words.
pub(crate) struct Parser {
    pub(crate) files: Vec<Source>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) at: usize,
    pub(crate) depth: usize,
    pub(crate) nodes: usize,
    pub(crate) formula: bool,
    /// Between the arrow and the colon of `( c -> a : b )`.
    pub(crate) chosen: bool,
    pub(crate) inlines: HashMap<Rc<str>, Inline>,
    /// The expansion around each expansion.
    pub(crate) parents: Vec<u32>,
    pub(crate) records: Vec<Rc<str>>,
    pub(crate) unit: Unit,
}

/// Reads a text of words.
pub(crate) fn parse(files: Vec<Source>, tokens: Vec<Token>) -> Result<Unit, Vec<Diagnostic>> {
    let mut parser = Parser::new(files, tokens);
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    while !parser.is_at_end() && mistakes.len() < 20 {
        let start = parser.at;
        if let Err(mistake) = parser.unit() {
            mistakes.push(mistake);
            parser.depth = 0;
            parser.formula = false;
            parser.recover(start);
        }
    }
    match mistakes.is_empty() {
        true => Ok(parser.unit),
        false => Err(mistakes),
    }
}

/// Reads a formula that is not in the text.
pub(crate) fn parse_formula(files: Vec<Source>, tokens: Vec<Token>) -> Parsed<Node> {
    let mut parser = Parser::new(files, tokens);
    let node = parser.formula()?;
    match parser.is_at_end() {
        true => Ok(node),
        false => Err(parser.unexpected("the end of the formula")),
    }
}

/// What an option or a block ends with.
fn ends_sequence(token: &Token) -> bool {
    ["}", "::", "fi", "od"].iter().any(|end| token.is(end)) || token.kind == Kind::End
}

impl Parser {
    fn new(files: Vec<Source>, mut tokens: Vec<Token>) -> Parser {
        let end = files.first().map_or(0, |file| file.text().len());
        let at = At {
            file: 0,
            span: (end..end).into(),
        };
        tokens.push(Token {
            kind: Kind::End,
            text: "".into(),
            at,
            shown: at,
            expansion: 0,
        });
        Parser {
            files,
            tokens,
            at: 0,
            depth: 0,
            nodes: 0,
            formula: false,
            chosen: false,
            inlines: HashMap::new(),
            parents: vec![0],
            records: Vec::new(),
            unit: Unit::default(),
        }
    }

    pub(crate) fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn peek_at_back(&self, back: usize) -> &Token {
        &self.tokens[self.at.saturating_sub(back)]
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    pub(crate) fn last_at(&self) -> At {
        self.peek_at_back(1).at
    }

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn takes(&mut self, text: &str) -> bool {
        let is = self.peek().is(text);
        if is {
            self.advance();
        }
        is
    }

    pub(crate) fn expect(&mut self, text: &str) -> Parsed<At> {
        match self.peek().is(text) {
            true => Ok(self.advance().at),
            false => Err(self.unexpected(&format!("`{text}`"))),
        }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    pub(crate) fn wrong(&self, at: At, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("syntax", message).at(&self.files[at.file as usize], at.span, "")
    }

    pub(crate) fn unsupported(&self, at: At, what: &str) -> Diagnostic {
        Diagnostic::error("unsupported", format!("{what} cannot be read here"))
            .at(&self.files[at.file as usize], at.span, "")
            .note("all of Promela is read but embedded C")
    }

    pub(crate) fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let found = match token.kind == Kind::End {
            true => "the end of the text".to_owned(),
            false => format!("`{}`", token.text),
        };
        self.wrong(token.at, format!("expected {expected}, found {found}"))
    }

    pub(crate) fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        match self.depth > DEEPEST {
            true => Err(self.wrong(self.peek().at, "this nests too deeply")),
            false => Ok(()),
        }
    }

    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek().kind == Kind::Name && !is_reserved(&self.peek().text) {
            true => {
                let token = self.advance();
                Ok(self.named_by(&token))
            }
            false => Err(self.unexpected(what)),
        }
    }

    pub(crate) fn named_by(&self, token: &Token) -> Name {
        let mut expansions = vec![token.expansion];
        while let Some(&last) = expansions.last().filter(|last| **last != 0) {
            expansions.push(self.parents[last as usize]);
        }
        Name {
            text: token.text.clone(),
            at: token.at,
            expansions,
        }
    }

    /// Goes on to what looks like the beginning of a unit.
    fn recover(&mut self, start: usize) {
        if self.at == start {
            self.advance();
        }
        let mut depth = 0_i64;
        while !self.is_at_end() {
            let token = self.peek();
            let begins = [
                "proctype", "active", "init", "never", "inline", "typedef", "ltl",
            ];
            if depth <= 0 && begins.iter().any(|begin| token.is(begin)) {
                return;
            }
            depth += i64::from(token.is("{")) - i64::from(token.is("}"));
            self.advance();
        }
    }

    /// Declarations of variables, if there are any here.
    pub(crate) fn declarations(&mut self) -> Parsed<Option<Vec<Declaration>>> {
        let start = self.at;
        while ["hidden", "show", "local"]
            .iter()
            .any(|word| self.peek().is(word))
        {
            self.advance();
        }
        let Some(mut kind) = self.type_name() else {
            self.rewind(start);
            return Ok(None);
        };
        let mut found = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            if kind == Type::Int && self.takes(":")
                || matches!(kind, Type::Unsigned(_)) && self.takes(":")
            {
                let bits = self.advance();
                kind = match bits.text.parse::<u8>() {
                    Ok(bits) if (1..=32).contains(&bits) => Type::Unsigned(bits),
                    _ => return Err(self.wrong(bits.at, "expected a number of bits from 1 to 32")),
                };
            }
            let mut length = None;
            if self.takes("[") {
                length = Some(self.expression()?);
                self.expect("]")?;
            }
            let start = match self.takes("=") {
                true => self.start()?,
                false => Start::None,
            };
            found.push(Declaration {
                name: name.text,
                at: name.at,
                kind: kind.clone(),
                length,
                start,
            });
            // `byte a, b` goes on; `byte a, bool b` in parameters does not exist.
            if !self.takes(",") {
                return Ok(Some(found));
            }
        }
    }

    fn start(&mut self) -> Parsed<Start> {
        if self.takes("{") {
            let all = self.arguments("}")?;
            self.expect("}")?;
            return Ok(Start::List(all));
        }
        if !self.peek().is("[") {
            return Ok(Start::Value(self.expression()?));
        }
        self.advance();
        let capacity = self.expression()?;
        self.expect("]")?;
        self.expect("of")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.peek().is("}") {
            let at = self.peek().at;
            let kind = self.type_name();
            fields.push((kind.ok_or_else(|| self.unexpected("a type"))?, at));
            if !self.takes(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Start::Channel { capacity, fields })
    }

    fn type_name(&mut self) -> Option<Type> {
        let token = self.peek().clone();
        if token.kind != Kind::Name {
            return None;
        }
        let kind = match &*token.text {
            "bit" | "bool" => Type::Bit,
            "byte" => Type::Byte,
            "pid" => Type::Pid,
            "short" => Type::Short,
            "int" => Type::Int,
            "unsigned" => Type::Unsigned(32),
            "chan" => Type::Channel,
            "mtype" => {
                if self.peek_at(1).is(":") && self.peek_at(2).kind == Kind::Name {
                    self.advance();
                    self.advance();
                }
                Type::Mtype
            }
            other if self.records.iter().any(|name| &**name == other) => {
                // A variable may be called as a type is.
                match self.peek_at(1).kind {
                    Kind::Name => Type::Record(token.text.clone()),
                    _ if self.peek_at(1).is("}") || self.peek_at(1).is(",") => {
                        Type::Record(token.text.clone())
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.advance();
        Some(kind)
    }

    /// `{ … }` with the place where it ends.
    pub(crate) fn block(&mut self) -> Parsed<(Vec<Statement>, At)> {
        self.expect("{")?;
        let body = self.sequence()?;
        let end = self.expect("}")?;
        Ok((body, end))
    }

    /// Statements up to the end of an option or a block.
    pub(crate) fn sequence(&mut self) -> Parsed<Vec<Statement>> {
        self.deeper()?;
        let mut found = Vec::new();
        loop {
            while self.peek().is(";") || self.peek().is("->") {
                self.advance();
            }
            if ends_sequence(self.peek()) {
                break;
            }
            found.extend(self.statement()?);
        }
        self.leave();
        Ok(found)
    }

    pub(crate) fn is_inline(&self) -> bool {
        self.peek_at(1).is("(") && self.inlines.contains_key(&self.peek().text)
    }

    /// Replaces a call of an inline by its body, which is read as one statement.
    pub(crate) fn inlined(&mut self) -> Parsed<Option<Statement>> {
        self.expand()?;
        self.deeper()?;
        let statement = self.statement();
        self.leave();
        statement
    }

    /// A comparison or sum for a statement that stands for others.
    pub(crate) fn made(&self, sign: Sign, left: Node, right: Node) -> Node {
        let at = left.at;
        Node {
            kind: Expression::Binary(sign, Box::new(left), Box::new(right)),
            at,
        }
    }

    pub(crate) fn of(kind: Step, at: At) -> Statement {
        Statement {
            labels: Vec::new(),
            kind,
            at,
        }
    }
}

/// Words that are no names.
fn is_reserved(word: &str) -> bool {
    [
        "active", "assert", "atomic", "bit", "bool", "break", "byte", "chan", "d_step", "do",
        "else", "empty", "enabled", "eval", "false", "fi", "for", "full", "goto", "hidden", "if",
        "inline", "int", "len", "ltl", "mtype", "nempty", "never", "nfull", "od", "of", "pc_value",
        "pid", "printf", "printm", "proctype", "provided", "run", "select", "short", "show",
        "skip", "timeout", "true", "typedef", "unless", "unsigned", "xr", "xs",
    ]
    .contains(&word)
}
