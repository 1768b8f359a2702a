//! Statements.

use quotient_core::Span;
use quotient_language::text::Parsed;

use super::Parser;
use super::words::Word;
use crate::syntax::{
    Case, Direction, Expression, ExpressionKind, Name, Renaming, RenamingClass, Statement,
    StatementKind, Task, TypeName,
};

/// Words that can only come after a statement.
const CLOSERS: &[&str] = &[
    "end", "else", "elsif", "when", "each", "handle", "case", "timeout", "upto", "watching",
];

impl Parser<'_> {
    /// `p; q || r`
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        self.cursor.enter()?;
        let result = self.parallel();
        self.cursor.leave();
        result
    }

    fn parallel(&mut self) -> Parsed<Statement> {
        let start = self.start();
        let first = self.sequence()?;
        if !self.is_sign("||") {
            return Ok(first);
        }
        let mut branches = vec![first];
        while self.sign("||") {
            branches.push(self.sequence()?);
        }
        Ok(self.made(start, StatementKind::Parallel(branches)))
    }

    fn sequence(&mut self) -> Parsed<Statement> {
        let start = self.start();
        let first = self.simple()?;
        if !self.is_sign(";") {
            return Ok(first);
        }
        let mut steps = vec![first];
        while self.sign(";") {
            if self.at_end_of_statement() {
                break;
            }
            steps.push(self.simple()?);
        }
        match steps.len() {
            1 => Ok(steps.swap_remove(0)),
            _ => Ok(self.made(start, StatementKind::Sequence(steps))),
        }
    }

    fn at_end_of_statement(&self) -> bool {
        match self.cursor.peek().kind {
            Word::Keyword(word) => CLOSERS.contains(&word),
            Word::Sign("||" | "]" | "." | ")") | Word::End => true,
            _ => false,
        }
    }

    fn made(&self, start: usize, kind: StatementKind) -> Statement {
        Statement {
            kind,
            span: self.cursor.span_from(start),
        }
    }

    /// A statement without `;` and `||`; the place of a compound one is its first words.
    fn simple(&mut self) -> Parsed<Statement> {
        let start = self.start();
        let first = self.cursor.peek().span;
        let kind = self.simple_kind()?;
        let whole = self.cursor.span_from(start);
        let text = self.cursor.text(whole);
        let span = match text.contains('\n') {
            true => first,
            false => whole,
        };
        Ok(Statement { kind, span })
    }

    fn boxed(&mut self) -> Parsed<Box<Statement>> {
        self.statement().map(Box::new)
    }

    fn simple_kind(&mut self) -> Parsed<StatementKind> {
        if self.sign("[") {
            let inner = self.statement()?;
            self.expect_sign("]")?;
            return Ok(inner.kind);
        }
        if self.cursor.is(Word::Name) {
            let name = self.name()?;
            self.expect_sign(":=")?;
            return Ok(StatementKind::Assign(name, self.expression()?));
        }
        let Word::Keyword(word) = self.cursor.peek().kind else {
            return Err(self.cursor.unexpected("a statement"));
        };
        if matches!(word, "end" | "else" | "when" | "each" | "in" | "then") {
            return Err(self.cursor.unexpected("a statement"));
        }
        self.cursor.advance();
        match word {
            "nothing" => Ok(StatementKind::Nothing),
            "pause" => Ok(StatementKind::Pause),
            "halt" => Ok(StatementKind::Halt),
            "emit" | "sustain" | "exit" => self.emission(word),
            "call" => self.call(),
            "exec" => self.exec(),
            "present" => self.present(),
            "if" => self.conditional(),
            "loop" => self.looped(),
            "positive" => {
                self.expect_keyword("repeat")?;
                self.repeat(true)
            }
            "repeat" => self.repeat(false),
            "abort" => self.abort(false),
            "weak" => {
                self.expect_keyword("abort")?;
                self.abort(true)
            }
            "await" => self.awaiting(),
            "every" => {
                let delay = self.delay()?;
                self.expect_keyword("do")?;
                let body = self.boxed()?;
                self.end("every")?;
                Ok(StatementKind::Every(delay, body))
            }
            "suspend" => {
                let body = self.boxed()?;
                self.expect_keyword("when")?;
                let delay = self.delay()?;
                // `end suspend` is allowed and not needed.
                if self.is_keyword("end") && self.cursor.peek_at(1).kind == Word::Keyword("suspend")
                {
                    self.end("suspend")?;
                }
                Ok(StatementKind::Suspend(body, delay))
            }
            "do" => self.older(),
            "trap" => self.trap(),
            "signal" => {
                let signals = self.list(|parser| parser.signal(Direction::Local))?;
                self.expect_keyword("in")?;
                let body = self.boxed()?;
                self.end("signal")?;
                Ok(StatementKind::Signal(signals, body))
            }
            "var" => self.variables(),
            "run" | "copymodule" => self.run(),
            _ => {
                self.cursor.rewind(self.cursor.position() - 1);
                Err(self.cursor.unexpected("a statement"))
            }
        }
    }

    fn emission(&mut self, word: &str) -> Parsed<StatementKind> {
        let name = self.name()?;
        let value = match self.sign("(") {
            true => {
                let value = match self.is_sign(")") {
                    true => None,
                    false => Some(self.expression()?),
                };
                self.expect_sign(")")?;
                value
            }
            false => None,
        };
        Ok(match word {
            "emit" => StatementKind::Emit(name, value),
            "sustain" => StatementKind::Sustain(name, value),
            _ => StatementKind::Exit(name, value),
        })
    }

    fn call(&mut self) -> Parsed<StatementKind> {
        let name = self.name()?;
        let (written, read) = self.arguments()?;
        Ok(StatementKind::Call(name, written, read))
    }

    /// `(x, y)(e, f)`: what is written and what is read.
    fn arguments(&mut self) -> Parsed<(Vec<Name>, Vec<Expression>)> {
        self.expect_sign("(")?;
        let written = match self.is_sign(")") {
            true => Vec::new(),
            false => self.list(Self::name)?,
        };
        self.expect_sign(")")?;
        self.expect_sign("(")?;
        let read = match self.is_sign(")") {
            true => Vec::new(),
            false => self.list(Self::expression)?,
        };
        self.expect_sign(")")?;
        Ok((written, read))
    }

    /// `exec T (x)(e) return R`, or several with `case`; the first that returns counts.
    fn exec(&mut self) -> Parsed<StatementKind> {
        let mut tasks = Vec::new();
        if !self.is_keyword("case") {
            tasks.push(self.task()?);
            let ends =
                self.is_keyword("end") && self.cursor.peek_at(1).kind == Word::Keyword("exec");
            if ends || tasks[0].then.is_some() {
                self.end("exec")?;
            }
            return Ok(StatementKind::Exec(tasks));
        }
        while self.keyword("case") {
            tasks.push(self.task()?);
        }
        self.end("exec")?;
        Ok(StatementKind::Exec(tasks))
    }

    fn task(&mut self) -> Parsed<Task> {
        let name = self.name()?;
        let (written, read) = self.arguments()?;
        self.expect_keyword("return")?;
        let back = self.name()?;
        let then = match self.keyword("do") {
            true => Some(self.statement()?),
            false => None,
        };
        Ok(Task {
            name,
            written,
            read,
            back,
            then,
        })
    }

    fn present(&mut self) -> Parsed<StatementKind> {
        let mut cases = Vec::new();
        if self.is_keyword("case") {
            while self.keyword("case") {
                let event = self.event()?;
                let then = match self.keyword("do") {
                    true => Some(self.statement()?),
                    false => None,
                };
                cases.push((event, then));
            }
        } else {
            let event = self.event()?;
            let then = match self.keyword("then") {
                true => Some(self.statement()?),
                false => None,
            };
            cases.push((event, then));
        }
        let otherwise = match self.keyword("else") {
            true => Some(self.boxed()?),
            false => None,
        };
        self.end("present")?;
        Ok(StatementKind::Present(cases, otherwise))
    }

    fn conditional(&mut self) -> Parsed<StatementKind> {
        let mut cases = Vec::new();
        let (again, then) = match self.is_keyword("case") {
            true => ("case", "do"),
            false => ("elsif", "then"),
        };
        self.keyword("case");
        loop {
            let condition = self.expression()?;
            let then = match self.keyword(then) {
                true => Some(self.statement()?),
                false => None,
            };
            cases.push((condition, then));
            if !self.keyword(again) {
                break;
            }
        }
        let otherwise = match self.keyword("else") {
            true => Some(self.boxed()?),
            false => None,
        };
        self.end("if")?;
        Ok(StatementKind::If(cases, otherwise))
    }

    fn looped(&mut self) -> Parsed<StatementKind> {
        let body = self.boxed()?;
        if self.keyword("each") {
            let delay = self.delay()?;
            return Ok(StatementKind::LoopEach(body, delay));
        }
        self.end("loop")?;
        Ok(StatementKind::Loop(body))
    }

    fn repeat(&mut self, positive: bool) -> Parsed<StatementKind> {
        let times = self.expression()?;
        self.expect_keyword("times")?;
        let body = self.boxed()?;
        self.end("repeat")?;
        Ok(StatementKind::Repeat {
            times,
            positive,
            body,
        })
    }

    /// `case d do p case d end`, or one delay with perhaps something to do.
    fn cases(&mut self, word: &'static str) -> Parsed<Vec<Case>> {
        let mut cases = Vec::new();
        if self.is_keyword("case") {
            while self.keyword("case") {
                let delay = self.delay()?;
                let then = match self.keyword("do") {
                    true => Some(self.then(word)?),
                    false => None,
                };
                cases.push(Case { delay, then });
            }
            self.end(word)?;
            return Ok(cases);
        }
        let delay = self.delay()?;
        let mut then = None;
        if self.keyword("do") {
            then = Some(self.then(word)?);
            self.end(word)?;
        } else if self.is_keyword("end")
            && self.cursor.peek_at(1).kind == Word::Keyword(word)
            && !self.open.contains(&word)
        {
            // `abort … when S end abort` is allowed, and so is `weak abort … end weak abort`; within
            // another one it is the end of that.
            self.end(word)?;
        }
        Ok(vec![Case { delay, then }])
    }

    /// What is done in a case of a statement that is not ended yet.
    fn then(&mut self, word: &'static str) -> Parsed<Statement> {
        self.open.push(word);
        let then = self.statement();
        self.open.pop();
        then
    }

    fn abort(&mut self, weak: bool) -> Parsed<StatementKind> {
        let body = self.boxed()?;
        self.expect_keyword("when")?;
        let cases = self.cases("abort")?;
        Ok(StatementKind::Abort { body, weak, cases })
    }

    fn awaiting(&mut self) -> Parsed<StatementKind> {
        self.cases("await").map(StatementKind::Await)
    }

    /// `do p upto d` and `do p watching d timeout q end`, of older versions.
    fn older(&mut self) -> Parsed<StatementKind> {
        let body = self.boxed()?;
        if self.keyword("upto") {
            return Ok(StatementKind::Upto(body, self.delay()?));
        }
        self.expect_keyword("watching")?;
        let delay = self.delay()?;
        let then = match self.keyword("timeout") {
            true => {
                let then = self.statement()?;
                self.end("timeout")?;
                Some(then)
            }
            false => None,
        };
        Ok(StatementKind::Abort {
            body,
            weak: false,
            cases: vec![Case { delay, then }],
        })
    }

    fn trap(&mut self) -> Parsed<StatementKind> {
        let traps = self.list(|parser| parser.signal(Direction::Local))?;
        self.expect_keyword("in")?;
        let body = self.boxed()?;
        let mut handlers = Vec::new();
        while self.keyword("handle") {
            let event = self.event()?;
            self.expect_keyword("do")?;
            handlers.push((event, self.statement()?));
        }
        self.end("trap")?;
        Ok(StatementKind::Trap {
            traps,
            body,
            handlers,
        })
    }

    /// `var a, b := 3 : integer, c : boolean in p end`
    fn variables(&mut self) -> Parsed<StatementKind> {
        let mut all = Vec::new();
        let mut pending: Vec<(Name, Option<Expression>)> = Vec::new();
        loop {
            let name = self.name()?;
            let start = match self.sign(":=") {
                true => Some(self.expression()?),
                false => None,
            };
            pending.push((name, start));
            if self.sign(":") {
                let kind = match self.cursor.is(Word::Name) {
                    true => TypeName(self.name()?),
                    false => return Err(self.cursor.unexpected("a type")),
                };
                let typed = pending.drain(..);
                all.extend(typed.map(|(name, start)| (name, kind.clone(), start)));
            }
            if !self.sign(",") {
                break;
            }
        }
        if !pending.is_empty() {
            return Err(self.cursor.unexpected("`:` and a type"));
        }
        self.expect_keyword("in")?;
        let body = self.boxed()?;
        self.end("var")?;
        Ok(StatementKind::Variable(all, body))
    }

    /// `run M [ signal A / B, C / D; constant 3 / N ]`, `run OTHER / M`.
    fn run(&mut self) -> Parsed<StatementKind> {
        let mut module = self.name()?;
        if self.sign("/") {
            module = self.name()?;
        }
        let mut renamings = Vec::new();
        if self.sign("[") {
            while !self.is_sign("]") {
                let class = match self.cursor.advance().kind {
                    Word::Keyword("signal") => RenamingClass::Signal,
                    Word::Keyword("constant") => RenamingClass::Constant,
                    Word::Keyword("type" | "function" | "procedure" | "task") => {
                        RenamingClass::Other
                    }
                    _ => {
                        self.cursor.rewind(self.cursor.position() - 1);
                        return Err(self.cursor.unexpected("`signal`, `constant` or `]`"));
                    }
                };
                renamings.extend(self.list(|parser| parser.renaming(class))?);
                if !self.sign(";") {
                    break;
                }
            }
            self.expect_sign("]")?;
        }
        Ok(StatementKind::Run { module, renamings })
    }

    fn renaming(&mut self, class: RenamingClass) -> Parsed<Renaming> {
        let start = self.start();
        let (outer, kind) = match self.cursor.peek().kind {
            Word::Name => {
                let name = self.name()?;
                (name.span, ExpressionKind::Name(name.text))
            }
            Word::Keyword("tick") => {
                let span = self.cursor.advance().span;
                (span, ExpressionKind::Name("tick".to_owned()))
            }
            Word::Sign("+" | "-" | "*") if class == RenamingClass::Other => {
                let span = self.cursor.advance().span;
                (span, ExpressionKind::Name(String::new()))
            }
            _ if class == RenamingClass::Constant => {
                let negative = self.sign("-");
                let mut value = self.renamed_constant()?;
                if negative {
                    let kind = ExpressionKind::Negative(Box::new(value));
                    let span = self.cursor.span_from(start);
                    value = Expression { kind, span };
                }
                (value.span, value.kind)
            }
            _ => return Err(self.cursor.unexpected("a name")),
        };
        self.expect_sign("/")?;
        let inner = self.name()?;
        let span: Span = outer;
        Ok(Renaming {
            class,
            outer: Expression { kind, span },
            inner,
        })
    }

    /// A literal: `/` ends it.
    fn renamed_constant(&mut self) -> Parsed<Expression> {
        let span = self.cursor.peek().span;
        let text = self.cursor.text(span);
        let kind = match self.cursor.peek().kind {
            Word::Whole => crate::value::number(text).map(ExpressionKind::Whole),
            Word::Real => crate::value::number(text).map(ExpressionKind::Real),
            Word::Text => Some(ExpressionKind::Text(text.trim_matches('"').to_owned())),
            Word::Keyword("true") => Some(ExpressionKind::Boolean(true)),
            Word::Keyword("false") => Some(ExpressionKind::Boolean(false)),
            _ => None,
        };
        let Some(kind) = kind else {
            return Err(self.cursor.unexpected("a value or a name"));
        };
        self.cursor.advance();
        Ok(Expression { kind, span })
    }
}
