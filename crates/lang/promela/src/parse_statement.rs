//! Statements.

use crate::lex::{At, Kind};
use crate::parse::{Parsed, Parser};
use crate::syntax::{Expression, Node, Reference, Sign, Statement, Step};

impl Parser {
    /// A statement; nothing where something without a meaning for a search stands.
    pub(crate) fn statement(&mut self) -> Parsed<Option<Statement>> {
        let mut labels = Vec::new();
        while self.peek().kind == Kind::Name && !self.peek().is("mtype") && self.peek_at(1).is(":")
        {
            labels.push(self.name("a label")?);
            self.advance();
        }
        let token = self.peek().clone();
        let empty = token.is("}") || token.is("fi") || token.is("od") || token.is("::");
        if empty && !labels.is_empty() {
            // A label at the end of a sequence stands before something that does nothing.
            let mut statement = Parser::of(Step::Print(Vec::new()), token.at);
            statement.labels = labels;
            return Ok(Some(statement));
        }
        let kind = match &*token.text {
            "xr" | "xs" => {
                self.advance();
                while self.peek().kind == Kind::Name {
                    self.reference()?;
                    if !self.takes(",") {
                        break;
                    }
                }
                return Ok(None);
            }
            _ if token.kind == Kind::Name && self.is_inline() => {
                let inner = self.inlined()?;
                return Ok(inner.map(|mut inner| {
                    labels.append(&mut inner.labels);
                    Statement { labels, ..inner }
                }));
            }
            _ => match self.declarations()? {
                Some(found) => Some(Step::Declare(found)),
                None => self.compound(&token.text)?,
            },
        };
        let kind = match kind {
            Some(kind) => kind,
            None => self.basic()?,
        };
        let at = token.shown.to(self.peek_at_back(1).shown);
        let mut statement = Parser::of(kind, at);
        if self.peek().is("unless") {
            self.advance();
            let Some(escape) = self.statement()? else {
                return Err(self.unexpected("a statement"));
            };
            let kind = Step::Unless(Box::new(statement), Box::new(escape));
            statement = Parser::of(kind, at);
        }
        statement.labels = labels;
        Ok(Some(statement))
    }

    fn options(&mut self, end: &str) -> Parsed<Vec<Vec<Statement>>> {
        self.advance();
        let mut found = Vec::new();
        while self.takes("::") {
            found.push(self.sequence()?);
        }
        if found.is_empty() {
            return Err(self.unexpected("`::`"));
        }
        self.expect(end)?;
        Ok(found)
    }

    fn compound(&mut self, word: &str) -> Parsed<Option<Step>> {
        let kind = match word {
            "if" => Step::If(self.options("fi")?),
            "do" => Step::Do(self.options("od")?),
            "atomic" | "d_step" => {
                self.advance();
                let (body, _) = self.block()?;
                match word {
                    "atomic" => Step::Atomic(body),
                    _ => Step::Whole(body),
                }
            }
            "{" => Step::Block(self.block()?.0),
            "for" if self.peek_at(1).is("(") => self.for_loop()?,
            "select" if self.peek_at(1).is("(") => self.select()?,
            "else" => {
                self.advance();
                Step::Else
            }
            "break" => {
                self.advance();
                Step::Break
            }
            "goto" => {
                self.advance();
                Step::Goto(self.name("a label")?)
            }
            "assert" => {
                self.advance();
                self.expect("(")?;
                let condition = self.expression()?;
                self.expect(")")?;
                Step::Assert(condition)
            }
            "printf" | "printm" => {
                self.advance();
                self.expect("(")?;
                if self.peek().kind == Kind::Text {
                    self.advance();
                    self.takes(",");
                }
                let arguments = self.arguments(")")?;
                self.expect(")")?;
                Step::Print(arguments)
            }
            "c_code" | "c_expr" => {
                return Err(self.unsupported(self.peek().at, "C code in a model"));
            }
            "set_priority" if self.peek_at(1).is("(") => {
                self.advance();
                self.expect("(")?;
                let process = self.expression()?;
                self.expect(",")?;
                let priority = self.expression()?;
                self.expect(")")?;
                self.unit.uses_priorities = true;
                Step::Prioritize(process, priority)
            }
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    /// Something that begins with a variable, or an expression.
    fn basic(&mut self) -> Parsed<Step> {
        if self.peek().kind != Kind::Name {
            return Ok(Step::Expression(self.expression()?));
        }
        let start = self.position();
        let Ok(reference) = self.reference() else {
            self.rewind(start);
            return Ok(Step::Expression(self.expression()?));
        };
        let sign = self.peek().clone();
        match &*sign.text {
            _ if sign.kind != Kind::Sign => {}
            "=" => {
                self.advance();
                return Ok(Step::Assign(reference, self.expression()?));
            }
            "++" | "--" => {
                self.advance();
                let sign = if sign.is("++") {
                    Sign::Plus
                } else {
                    Sign::Minus
                };
                return Ok(self.counted(reference, sign));
            }
            "!" | "!!" => {
                self.advance();
                let arguments = self.fields("")?;
                return Ok(Step::Send {
                    channel: reference,
                    arguments,
                    sorted: sign.is("!!"),
                });
            }
            "?" | "??" if !self.peek_at(1).is("[") => {
                self.advance();
                let keep = self.takes("<");
                let arguments = match keep {
                    true => {
                        let found = self.fields(">")?;
                        self.expect(">")?;
                        found
                    }
                    false => self.fields("")?,
                };
                return Ok(Step::Receive {
                    channel: reference,
                    arguments,
                    anywhere: sign.is("??"),
                    keep,
                });
            }
            _ => {}
        }
        self.rewind(start);
        Ok(Step::Expression(self.expression()?))
    }

    /// The fields of a message: `a, b`, `a(b, c)`; before `>` only simple ones.
    fn fields(&mut self, end: &str) -> Parsed<Vec<Node>> {
        let mut found = Vec::new();
        loop {
            match end.is_empty() {
                true => found.push(self.expression()?),
                false => found.push(self.simple()?),
            }
            if self.takes("(") {
                found.extend(self.arguments(")")?);
                self.expect(")")?;
            }
            if !self.takes(",") {
                return Ok(found);
            }
        }
    }

    /// A variable, a constant or `eval(…)`: what may stand where `>` ends a list.
    fn simple(&mut self) -> Parsed<Node> {
        if self.peek().is("-") || self.peek().kind == Kind::Number || self.peek().is("eval") {
            let sign = self.takes("-");
            let token = self.peek().clone();
            if token.is("eval") {
                self.advance();
                self.expect("(")?;
                let inner = Box::new(self.expression()?);
                self.expect(")")?;
                return Ok(Node {
                    kind: Expression::Eval(inner),
                    at: token.at,
                });
            }
            self.advance();
            let value: i32 = token.text.parse().unwrap_or(i32::MAX);
            return Ok(Node {
                kind: Expression::Number(if sign { value.wrapping_neg() } else { value }),
                at: token.at,
            });
        }
        if self.peek().is("true") || self.peek().is("false") {
            let token = self.advance();
            return Ok(Node {
                kind: Expression::Number(i32::from(token.is("true"))),
                at: token.at,
            });
        }
        let reference = self.reference()?;
        Ok(Node {
            at: reference.at,
            kind: Expression::Variable(reference),
        })
    }

    /// `x = x + 1` or `x = x - 1`.
    fn counted(&self, reference: Reference, sign: Sign) -> Step {
        let at = reference.at;
        let old = variable(&reference);
        let sum = self.made(sign, old, number(1, at));
        Step::Assign(reference, sum)
    }

    /// `for (i : a .. b) { … }` and `for (i in a) { … }`.
    fn for_loop(&mut self) -> Parsed<Step> {
        let at = self.advance().at;
        self.expect("(")?;
        let counter = self.reference()?;
        if self.takes("in") {
            let over = self.reference()?;
            self.expect(")")?;
            let (body, _) = self.block()?;
            return Ok(Step::Each(counter, over, body));
        }
        self.expect(":")?;
        let from = self.expression()?;
        self.expect("..")?;
        let to = self.expression()?;
        self.expect(")")?;
        let (body, _) = self.block()?;
        Ok(Step::Block(self.counting(at, counter, from, to, body)))
    }

    /// A loop that counts.
    pub(crate) fn counting(
        &self,
        at: At,
        counter: Reference,
        from: Node,
        to: Node,
        body: Vec<Statement>,
    ) -> Vec<Statement> {
        let goes_on = self.made(Sign::LessOrEqual, variable(&counter), to);
        let mut option = vec![Parser::of(Step::Expression(goes_on), at)];
        option.extend(body);
        option.push(Parser::of(self.counted(counter.clone(), Sign::Plus), at));
        let ends = vec![Parser::of(Step::Else, at), Parser::of(Step::Break, at)];
        vec![
            Parser::of(Step::Assign(counter, from), at),
            Parser::of(Step::Do(vec![option, ends]), at),
        ]
    }

    /// `select (i : a .. b)`: counts up, and ends anywhere.
    fn select(&mut self) -> Parsed<Step> {
        let at = self.advance().at;
        self.expect("(")?;
        let counter = self.reference()?;
        self.expect(":")?;
        let from = self.expression()?;
        self.expect("..")?;
        let to = self.expression()?;
        self.expect(")")?;
        let goes_on = self.made(Sign::Less, variable(&counter), to);
        let option = vec![
            Parser::of(Step::Expression(goes_on), at),
            Parser::of(self.counted(counter.clone(), Sign::Plus), at),
        ];
        let ends = vec![Parser::of(Step::Break, at)];
        Ok(Step::Block(vec![
            Parser::of(Step::Assign(counter, from), at),
            Parser::of(Step::Do(vec![option, ends]), at),
        ]))
    }
}

pub(crate) fn variable(reference: &Reference) -> Node {
    Node {
        kind: Expression::Variable(reference.clone()),
        at: reference.at,
    }
}

pub(crate) fn number(value: i32, at: At) -> Node {
    Node {
        kind: Expression::Number(value),
        at,
    }
}
