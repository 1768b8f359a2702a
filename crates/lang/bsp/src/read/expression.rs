//! Expressions, by how tightly they bind.

use quotient_core::Span;
use quotient_language::text::Parsed;

use super::scope::{Function, Region};
use super::{KEYWORDS, Reader, Word};
use crate::program::{Expression, Operator, Value};

impl Reader<'_> {
    /// `e; e; e`.
    pub(super) fn sequence(&mut self) -> Parsed<usize> {
        let start = self.here();
        let mut all = vec![self.nested(Self::statement)?];
        while self.takes(";") {
            // A last semicolon says nothing.
            let ends = self.cursor.is_at_end()
                || self.cursor.is(Word::Sign(")"))
                || ["done", "end", "with", "else"].contains(&self.word());
            if ends {
                break;
            }
            all.push(self.nested(Self::statement)?);
        }
        let mut last = all.pop().unwrap_or(0);
        while let Some(first) = all.pop() {
            last = self.add(Expression::Let(0, first, last), start);
        }
        Ok(last)
    }

    fn nested(&mut self, rule: fn(&mut Self) -> Parsed<usize>) -> Parsed<usize> {
        self.cursor.enter()?;
        let result = rule(self);
        self.cursor.leave();
        result
    }

    fn statement(&mut self) -> Parsed<usize> {
        let start = self.here();
        let word = self.word().to_owned();
        match word.as_str() {
            "let" => {
                self.cursor.advance();
                let (text, _) = self.name()?;
                self.expect("=")?;
                self.takes_word("ref");
                let first = self.nested(Self::statement)?;
                self.expect_word("in")?;
                let depth = self.scope.len();
                let name = self.bind(text);
                let then = self.nested(Self::sequence)?;
                self.scope.truncate(depth);
                Ok(self.add(Expression::Let(name, first, then), start))
            }
            "if" => {
                self.cursor.advance();
                let condition = self.nested(Self::sequence)?;
                self.expect_word("then")?;
                let yes = self.nested(Self::statement)?;
                let no = match self.takes_word("else") {
                    true => self.nested(Self::statement)?,
                    false => self.add(Expression::Constant(Value::Void), start),
                };
                Ok(self.add(Expression::If(condition, yes, no), start))
            }
            "loop" => {
                self.cursor.advance();
                self.regions.push(Region::Loop);
                let body = self.nested(Self::statement)?;
                self.regions.pop();
                Ok(self.add(Expression::Loop(body), start))
            }
            "while" => self.while_loop(start),
            "raise" => {
                self.cursor.advance();
                let open = self.takes("(");
                let exception = self.exception()?;
                let inner = self.nested(Self::statement)?;
                if open {
                    self.expect(")")?;
                }
                Ok(self.add(Expression::Raise(exception, inner), start))
            }
            "try" => {
                self.cursor.advance();
                let body = self.nested(Self::sequence)?;
                self.expect_word("with")?;
                let exception = self.exception()?;
                let (text, _) = self.name()?;
                self.expect("->")?;
                let depth = self.scope.len();
                let name = self.bind(text);
                let handler = self.nested(Self::sequence)?;
                self.scope.truncate(depth);
                self.expect_word("end")?;
                Ok(self.add(Expression::Try(body, exception, name, handler), start))
            }
            "fun" => {
                self.cursor.advance();
                let (text, _) = self.name()?;
                self.expect("->")?;
                let depth = self.scope.len();
                self.regions.push(Region::Fun(Function::default()));
                let name = self.bind(text);
                let body = self.nested(Self::statement)?;
                self.leave_function(body)?;
                self.scope.truncate(depth);
                Ok(self.add(Expression::Fun(name, body), start))
            }
            _ if self.cursor.peek_at(1).kind == Word::Sign(":=") => {
                let name = self.assigned()?;
                self.expect(":=")?;
                let inner = self.nested(Self::statement)?;
                Ok(self.add(Expression::Assign(name, inner), start))
            }
            _ => self.binary(0),
        }
    }

    /// `while c do b done`: a loop that an exception of its own ends.
    fn while_loop(&mut self, start: usize) -> Parsed<usize> {
        self.cursor.advance();
        self.regions.push(Region::Loop);
        let condition = self.nested(Self::sequence)?;
        self.expect_word("do")?;
        let body = self.nested(Self::sequence)?;
        self.expect_word("done")?;
        self.regions.pop();
        self.program.exceptions.push("the end of a loop".to_owned());
        let exit = self.program.exceptions.len() - 1;
        let void = self.add(Expression::Constant(Value::Void), start);
        let leave = self.add(Expression::Raise(exit, void), start);
        let round = self.add(Expression::If(condition, body, leave), start);
        let forever = self.add(Expression::Loop(round), start);
        Ok(self.add(Expression::Try(forever, exit, 0, void), start))
    }

    /// Operators by how tightly they bind.
    fn binary(&mut self, level: usize) -> Parsed<usize> {
        const LEVELS: usize = 5;
        if level == LEVELS {
            return self.nested(Self::prefix);
        }
        let start = self.here();
        let mut left = self.binary(level + 1)?;
        loop {
            let token = self.cursor.peek();
            let text = self.cursor.text(token.span);
            let operator = match (level, text) {
                (0, "or" | "||") => Operator::Or,
                (1, "and" | "&&") => Operator::And,
                (2, "=") => Operator::Equal,
                (2, "<>") => Operator::Different,
                (2, "<") => Operator::Less,
                (2, "<=") => Operator::AtMost,
                (2, ">") => Operator::Greater,
                (2, ">=") => Operator::AtLeast,
                (3, "+") => Operator::Add,
                (3, "-") => Operator::Subtract,
                (3, "xor") => Operator::Xor,
                (4, "*") => Operator::Multiply,
                (4, "/") => Operator::Divide,
                (4, "mod") => Operator::Modulo,
                _ => return Ok(left),
            };
            self.cursor.advance();
            let right = self.binary(level + 1)?;
            left = self.add(Expression::Binary(operator, left, right), start);
        }
    }

    fn prefix(&mut self) -> Parsed<usize> {
        let start = self.here();
        let operator = match self.word() {
            "not" => Some(Operator::Not),
            _ if self.cursor.is(Word::Sign("-")) => Some(Operator::Minus),
            _ => None,
        };
        if let Some(operator) = operator {
            self.cursor.advance();
            let inner = self.nested(Self::prefix)?;
            return Ok(self.add(Expression::Unary(operator, inner), start));
        }
        let word = self.word().to_owned();
        if word.starts_with("bsp_") {
            return self.primitive(&word, start);
        }
        let mut function = self.atom()?;
        while self.begins_atom() {
            let argument = self.atom()?;
            if let Some(around) = self.function() {
                around.calls = true;
            }
            function = self.add(Expression::Apply(function, argument), start);
        }
        Ok(function)
    }

    fn primitive(&mut self, word: &str, start: usize) -> Parsed<usize> {
        self.cursor.advance();
        let expression = match word {
            "bsp_nmsg" => Expression::Unary(Operator::Messages, self.atom()?),
            "bsp_findmsg" => {
                let from = self.atom()?;
                Expression::Binary(Operator::Message, from, self.atom()?)
            }
            "bsp_push" => {
                let groups = self.groups()?;
                Expression::Push(groups, self.remote()?)
            }
            "bsp_pop" => {
                let groups = self.groups()?;
                Expression::Pop(groups, self.remote()?)
            }
            "bsp_put" | "bsp_get" => {
                let groups = self.groups()?;
                let other = self.atom()?;
                match word {
                    "bsp_put" => {
                        let from = self.variable()?;
                        Expression::Put(groups, other, from, self.remote()?)
                    }
                    _ => {
                        let from = self.remote()?;
                        Expression::Get(groups, other, from, self.remote()?)
                    }
                }
            }
            "bsp_send" => {
                let groups = self.groups()?;
                let name = self.variable()?;
                Expression::Send(groups, name, self.atom()?)
            }
            "bsp_sync" => Expression::Sync(self.groups()?),
            _ => {
                let span = Span::new(start, start + word.len());
                let known = KEYWORDS
                    .into_iter()
                    .filter(|known| known.starts_with("bsp_"));
                let message = format!("there is no primitive `{word}`");
                return Err(self
                    .wrong("syntax", message, span)
                    .did_you_mean(word, known));
            }
        };
        Ok(self.add(expression, start))
    }

    fn begins_atom(&self) -> bool {
        match self.cursor.peek().kind {
            Word::Number => true,
            Word::Name => {
                let word = self.word();
                let constants = ["pid", "nprocs", "true", "false", "void"];
                constants.contains(&word) || !KEYWORDS.contains(&word)
            }
            Word::Sign(sign) => sign == "(" || sign == "!",
            Word::Formula | Word::End => false,
        }
    }

    fn atom(&mut self) -> Parsed<usize> {
        let start = self.here();
        if self.takes("(") {
            if self.takes(")") {
                return Ok(self.add(Expression::Constant(Value::Void), start));
            }
            let inner = self.nested(Self::sequence)?;
            self.expect(")")?;
            return Ok(inner);
        }
        self.takes("!");
        if self.cursor.peek().kind == Word::Number {
            let number = self.number()?;
            return Ok(self.add(Expression::Constant(Value::Int(number)), start));
        }
        let expression = match self.word() {
            "pid" => Expression::Pid,
            "nprocs" => Expression::Processors,
            "true" => Expression::Constant(Value::Bool(true)),
            "false" => Expression::Constant(Value::Bool(false)),
            "void" => Expression::Constant(Value::Void),
            word if KEYWORDS.contains(&word) || word.is_empty() => {
                return Err(self.cursor.unexpected("an expression"));
            }
            _ => {
                let name = self.variable()?;
                return Ok(self.add(Expression::Variable(name), start));
            }
        };
        self.cursor.advance();
        Ok(self.add(expression, start))
    }
}
