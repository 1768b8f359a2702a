//! Modules and what they declare.

use quotient_language::text::Parsed;

use super::Parser;
use super::words::Word;
use crate::syntax::{
    ConstantDecl, Direction, Event, Module, Name, Relation, SignalDecl, Statement, StatementKind,
    TypeName,
};

impl Parser<'_> {
    pub(super) fn module(&mut self) -> Parsed<Module> {
        self.expect_keyword("module")?;
        let name = self.name()?;
        self.expect_sign(":")?;
        let mut module = Module {
            name,
            constants: Vec::new(),
            functions: Vec::new(),
            signals: Vec::new(),
            relations: Vec::new(),
            body: Statement {
                kind: StatementKind::Nothing,
                span: self.cursor.peek().span,
            },
        };
        while self.declaration(&mut module)? {}
        if !self.is_keyword("end") && !self.is_sign(".") {
            module.body = self.statement()?;
        }
        if !self.sign(".") {
            self.end("module")?;
            self.sign(".");
        }
        Ok(module)
    }

    /// One declaration; says whether there was one.
    fn declaration(&mut self, module: &mut Module) -> Parsed<bool> {
        let Word::Keyword(word) = self.cursor.peek().kind else {
            return Ok(false);
        };
        let direction = match word {
            "input" | "return" => Some(Direction::Input),
            "output" => Some(Direction::Output),
            "inputoutput" => Some(Direction::Both),
            "sensor" => Some(Direction::Sensor),
            _ => None,
        };
        if let Some(direction) = direction {
            self.cursor.advance();
            let mut signals = self.list(|parser| parser.signal(direction))?;
            if direction == Direction::Sensor {
                // All sensors have values: a type is that of the names before it, too.
                let mut kind = None;
                for signal in signals.iter_mut().rev() {
                    kind = signal.kind.clone().or(kind);
                    signal.kind = kind.clone();
                }
            }
            module.signals.extend(signals);
        } else {
            match word {
                "type" => {
                    self.cursor.advance();
                    self.list(Self::name)?;
                }
                "constant" => {
                    self.cursor.advance();
                    self.constants(module)?;
                }
                "function" | "procedure" | "task" => {
                    self.cursor.advance();
                    let names = self.list(Self::host)?;
                    module.functions.extend(names);
                }
                "relation" => {
                    self.cursor.advance();
                    let relations = self.list(Self::relation)?;
                    module.relations.extend(relations);
                }
                _ => return Ok(false),
            }
        }
        self.expect_sign(";")?;
        Ok(true)
    }

    /// `A, B = 3 : integer`
    fn constants(&mut self, module: &mut Module) -> Parsed<()> {
        let mut pending = Vec::new();
        loop {
            let name = self.name()?;
            let value = match self.sign("=") || self.sign(":=") {
                true => Some(self.expression()?),
                false => None,
            };
            pending.push((name, value));
            if self.sign(":") {
                let kind = TypeName(self.type_name()?);
                for (name, value) in pending.drain(..) {
                    let kind = kind.clone();
                    module.constants.push(ConstantDecl { name, kind, value });
                }
            }
            if !self.sign(",") {
                break;
            }
        }
        match pending.is_empty() {
            true => Ok(()),
            false => Err(self.cursor.unexpected("`:` and a type")),
        }
    }

    fn type_name(&mut self) -> Parsed<Name> {
        match self.cursor.is(Word::Name) {
            true => self.name(),
            false => Err(self.cursor.unexpected("a type")),
        }
    }

    /// A function, procedure or task of the host; its types are not looked at.
    fn host(&mut self) -> Parsed<Name> {
        let name = self.name()?;
        while self.sign("(") {
            while !self.is_sign(")") && !self.cursor.is_at_end() {
                self.cursor.advance();
            }
            self.expect_sign(")")?;
        }
        if self.sign(":") {
            self.type_name()?;
        }
        Ok(name)
    }

    fn relation(&mut self) -> Parsed<Relation> {
        let first = self.event()?;
        if self.sign("=>") {
            return Ok(Relation::Implies(first, self.event()?));
        }
        let Event::Signal(first) = first else {
            return Err(self.cursor.unexpected("`=>`"));
        };
        if !self.is_sign("#") {
            return Err(self.cursor.unexpected("`#` or `=>`"));
        }
        let mut all = vec![first];
        while self.sign("#") {
            all.push(self.name()?);
        }
        Ok(Relation::Exclusive(all))
    }

    /// `S`, `S : integer`, `S := 0 : integer`, `S : combine integer with +`, `S(integer)`.
    pub(super) fn signal(&mut self, direction: Direction) -> Parsed<SignalDecl> {
        let mut signal = SignalDecl {
            name: self.name()?,
            direction,
            kind: None,
            start: None,
            combine: None,
        };
        if self.sign(":=") {
            signal.start = Some(self.expression()?);
        }
        let open = self.sign("(");
        if open || self.sign(":") {
            let combine = self.keyword("combine");
            signal.kind = Some(TypeName(self.type_name()?));
            if combine {
                self.expect_keyword("with")?;
                let token = self.cursor.advance();
                let known = matches!(
                    token.kind,
                    Word::Name | Word::Sign("+" | "*") | Word::Keyword("and" | "or")
                );
                if !known {
                    return Err(self
                        .cursor
                        .unexpected("`+`, `*`, `and`, `or` or a function"));
                }
                signal.combine = Some(Name {
                    text: self.cursor.text(token.span).to_owned(),
                    span: token.span,
                });
            }
            if open {
                self.expect_sign(")")?;
            }
        } else if signal.start.is_some() {
            return Err(self.cursor.unexpected("`:` and a type"));
        }
        Ok(signal)
    }
}
