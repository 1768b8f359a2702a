//! Texts to programs.

use quotient_arithmetic::Condition;
use quotient_core::{Diagnostic, Source, Span};
use quotient_language::text::{Cursor, Parsed};

use crate::program::{Assign, Check, Edge, Process, Program, Variable};
use crate::read_expression::{Scope, Sorted, condition, formula, sorted};
use crate::words::{DECLARATIONS, Word, words};

use Word::{Key, Name, Number, Sign};

/// The walker of this parser.
pub(crate) type Walk<'a> = Cursor<'a, Word>;

/// The most variables, processes and locations of a program.
const MOST: usize = 2000;

/// Reads a program; all mistakes of it are told.
pub(crate) fn read(source: &Source) -> Result<Program, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source);
    let mut cursor = Walk::new(source, tokens);
    mistakes
        .into_iter()
        .for_each(|mistake| cursor.mistake(mistake));
    let mut program = Program::default();
    let mut waiting = Vec::new();
    while !cursor.is_at_end() && !cursor.is_hopeless() {
        let start = cursor.position();
        if let Err(mistake) = declaration(&mut cursor, &mut program, &mut waiting) {
            cursor.mistake(mistake);
            cursor.recover(
                start,
                |kind| matches!(kind, Key(word) if DECLARATIONS.contains(&word)),
            );
        }
    }
    // Properties may speak of processes that come after them.
    let mut questions = Vec::new();
    for at in waiting {
        cursor.rewind(at);
        match check(&mut cursor, &program) {
            Ok(one) if questions.iter().any(|other: &Check| other.name == one.name) => {
                let message = format!("there are two properties `{}`", one.name);
                cursor
                    .mistake(Diagnostic::error("declared-twice", message).at(source, one.span, ""));
            }
            Ok(one) => questions.push(one),
            Err(mistake) => cursor.mistake(mistake),
        }
        while !cursor.is_at_end() {
            cursor.advance();
        }
    }
    program.checks = questions;
    if program.processes.is_empty() {
        cursor.mistake(
            Diagnostic::error("no-process", "there is no process")
                .in_source(source)
                .help("write one: `process P { … }`"),
        );
    }
    cursor.finish(program)
}

/// Reads a property that no file has.
pub(crate) fn read_check(source: &Source, program: &Program) -> Result<Check, Vec<Diagnostic>> {
    let (tokens, mistakes) = words(source);
    let mut cursor = Walk::new(source, tokens);
    mistakes
        .into_iter()
        .for_each(|mistake| cursor.mistake(mistake));
    let scope = Scope {
        program,
        constant: None,
        owner: None,
    };
    let text = source.text().trim().to_owned();
    let parsed = formula(&mut cursor, &scope).and_then(|formula| match cursor.is_at_end() {
        true => Ok(formula),
        false => Err(cursor.unexpected("the end")),
    });
    match parsed {
        Ok(formula) => cursor.finish(Check {
            name: text.clone(),
            text,
            span: Span::default(),
            formula,
        }),
        Err(mistake) => {
            cursor.mistake(mistake);
            Err(cursor.finish(()).err().unwrap_or_default())
        }
    }
}

/// Reads a condition as it is shown.
pub(crate) fn read_condition(text: &str, program: &Program) -> Option<Condition> {
    let source = Source::new("condition", text);
    let (tokens, mistakes) = words(&source);
    let mut cursor = Walk::new(&source, tokens);
    let scope = Scope {
        program,
        constant: None,
        owner: None,
    };
    let read = condition(&mut cursor, &scope).ok()?;
    (mistakes.is_empty() && cursor.is_at_end()).then_some(read)
}

fn declaration(
    cursor: &mut Walk<'_>,
    program: &mut Program,
    waiting: &mut Vec<usize>,
) -> Parsed<()> {
    match cursor.peek().kind {
        Key("program") => {
            cursor.advance();
            cursor.expect(Name)?;
            cursor.takes(Sign(";"));
            Ok(())
        }
        Key("shared") => {
            cursor.advance();
            variables(cursor, program, "")
        }
        Key("process") => process(cursor, program),
        Key("check") => {
            waiting.push(cursor.position());
            let from = cursor.position();
            cursor.recover(
                from,
                |kind| matches!(kind, Key(word) if DECLARATIONS.contains(&word)),
            );
            Ok(())
        }
        _ => Err(cursor.unexpected("`shared`, `process` or `check`")),
    }
}

fn check(cursor: &mut Walk<'_>, program: &Program) -> Parsed<Check> {
    let start = cursor.expect(Key("check"))?.start;
    let name = name(cursor)?.0;
    cursor.expect(Sign(":"))?;
    let begins = cursor.peek().span.start;
    let formula = formula(
        cursor,
        &Scope {
            program,
            constant: None,
            owner: None,
        },
    )?;
    let text = cursor.text(cursor.span_from(begins)).to_owned();
    let span = cursor.span_from(start);
    cursor.takes(Sign(";"));
    match cursor.peek().kind {
        Word::End => {}
        Key(word) if DECLARATIONS.contains(&word) => {}
        _ => return Err(cursor.unexpected("an operator or the end of the formula")),
    }
    Ok(Check {
        name,
        text,
        span,
        formula,
    })
}

pub(crate) fn name(cursor: &mut Walk<'_>) -> Parsed<(String, Span)> {
    let span = cursor.expect(Name)?;
    Ok((cursor.text(span).to_owned(), span))
}

pub(crate) fn whole(cursor: &mut Walk<'_>) -> Parsed<i64> {
    let negative = cursor.takes(Sign("-"));
    let span = cursor.expect(Number)?;
    match cursor.text(span).parse::<i32>() {
        Ok(number) => Ok(if negative {
            -i64::from(number)
        } else {
            number.into()
        }),
        Err(_) => Err(Diagnostic::error("number", "this number is too large").at(
            cursor.source(),
            span,
            "",
        )),
    }
}

/// `int x = 1, y; ` or `bool free[1..3] = true;`, with a prefix for the names.
fn variables(cursor: &mut Walk<'_>, program: &mut Program, prefix: &str) -> Parsed<()> {
    let is_integer = match cursor.peek().kind {
        Key("int") => true,
        Key("bool") => false,
        _ => return Err(cursor.unexpected("`int` or `bool`")),
    };
    cursor.advance();
    loop {
        let (own, span) = name(cursor)?;
        let mut names = vec![format!("{prefix}{own}")];
        if cursor.takes(Sign("[")) {
            names = range(cursor)?
                .map(|number| format!("{prefix}{own}.{number}"))
                .collect();
        }
        let mut start = None;
        if cursor.takes(Sign("=")) {
            start = Some(match (is_integer, cursor.peek().kind) {
                (false, Key("true")) => {
                    cursor.advance();
                    1
                }
                (false, Key("false")) => {
                    cursor.advance();
                    0
                }
                (true, _) => whole(cursor)?,
                _ => return Err(cursor.unexpected("`true` or `false`")),
            });
        }
        for name in names {
            let all = program.integers.iter().chain(&program.booleans);
            let twice = all.clone().any(|other| other.name == name);
            if twice || all.count() > MOST {
                let message = match twice {
                    true => format!("there are two variables `{name}`"),
                    false => format!("there are more than {MOST} variables"),
                };
                return Err(Diagnostic::error("declared-twice", message).at(
                    cursor.source(),
                    span,
                    "",
                ));
            }
            let variable = Variable { name, start, span };
            match is_integer {
                true => program.integers.push(variable),
                false => program.booleans.push(variable),
            }
        }
        if !cursor.takes(Sign(",")) {
            break;
        }
    }
    cursor.expect(Sign(";"))?;
    Ok(())
}

/// `1..3]`: numbers of which there is at least one, and at most one more than is allowed.
fn range(cursor: &mut Walk<'_>) -> Parsed<std::ops::RangeInclusive<i64>> {
    let span = cursor.peek().span;
    let least = whole(cursor)?;
    cursor.expect(Sign(".."))?;
    let most = whole(cursor)?;
    cursor.expect(Sign("]"))?;
    if most < least {
        let message = format!("there is no number from {least} to {most}");
        let mistake = Diagnostic::error("empty-range", message);
        return Err(mistake.at(cursor.source(), span, "the smaller number comes first"));
    }
    Ok(least..=most.min(least.saturating_add(MOST as i64)))
}

/// `process P { … }`, or one for each value of a parameter: `process P[i: 1..3] { … }`.
fn process(cursor: &mut Walk<'_>, program: &mut Program) -> Parsed<()> {
    cursor.expect(Key("process"))?;
    let (own, span) = name(cursor)?;
    let mut values = vec![None];
    let mut parameter = String::new();
    if cursor.takes(Sign("[")) {
        parameter = name(cursor)?.0;
        cursor.expect(Sign(":"))?;
        values = range(cursor)?.map(Some).collect();
    }
    let body = cursor.position();
    for value in values {
        cursor.rewind(body);
        let name = value.map_or(own.clone(), |value| format!("{own}.{value}"));
        if program.processes.iter().any(|other| other.name == name)
            || program.processes.len() > MOST
        {
            let message = format!("there are two processes `{name}`, or too many");
            return Err(Diagnostic::error("declared-twice", message).at(cursor.source(), span, ""));
        }
        cursor.expect(Sign("{"))?;
        while cursor.takes(Key("local")) {
            variables(cursor, program, &format!("{name}."))?;
        }
        let constant = value.map(|value| (parameter.clone(), value));
        let scope = Scope {
            program,
            constant,
            owner: Some(name.clone()),
        };
        let mut body = Body {
            scope: &scope,
            process: Process {
                name: name.clone(),
                ..Process::default()
            },
        };
        let end = body.block(cursor, 0)?;
        body.process.locations = body.process.locations.max(end + 1);
        let process = body.process;
        program.processes.push(process);
    }
    Ok(())
}

struct Body<'a> {
    scope: &'a Scope<'a>,
    process: Process,
}

impl Body<'_> {
    /// A new location.
    fn place(&mut self) -> usize {
        self.process.locations += 1;
        self.process.locations
    }

    fn edge(
        &mut self,
        from: usize,
        to: usize,
        guard: Condition,
        assign: Vec<Assign>,
        text: &str,
        span: Span,
    ) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.process.edges.push(Edge {
            from,
            to,
            guard,
            assign,
            text,
            span,
        });
    }

    /// Statements up to `}`; gives the location after them.
    fn block(&mut self, cursor: &mut Walk<'_>, mut at: usize) -> Parsed<usize> {
        while !cursor.takes(Sign("}")) {
            at = cursor.nested(|cursor| self.statement(cursor, at))?;
            if self.process.locations > MOST {
                return Err(cursor.unexpected("fewer statements"));
            }
        }
        Ok(at)
    }

    fn statement(&mut self, cursor: &mut Walk<'_>, at: usize) -> Parsed<usize> {
        let start = cursor.peek().span.start;
        let always = || Condition::Constant(true);
        match cursor.peek().kind {
            Name if cursor.peek_at(1).kind == Sign(":") => {
                let (label, span) = name(cursor)?;
                cursor.advance();
                if self.process.labels.iter().any(|(other, _)| *other == label) {
                    let message = format!("there are two locations `{label}`");
                    return Err(Diagnostic::error("declared-twice", message).at(
                        cursor.source(),
                        span,
                        "",
                    ));
                }
                self.process.labels.push((label, at));
                Ok(at)
            }
            Key("skip") => {
                cursor.advance();
                let span = cursor.expect(Sign(";"))?;
                let to = self.place();
                self.edge(at, to, always(), Vec::new(), "skip", span);
                Ok(to)
            }
            Key("await") => {
                cursor.advance();
                cursor.expect(Sign("("))?;
                let guard = condition(cursor, self.scope)?;
                cursor.expect(Sign(")"))?;
                let assign = match cursor.is(Sign(";")) {
                    true => Vec::new(),
                    false => self.assignments(cursor)?,
                };
                let span = cursor.span_from(start);
                cursor.expect(Sign(";"))?;
                let to = self.place();
                self.edge(at, to, guard, assign, cursor.text(span), span);
                Ok(to)
            }
            Key("if") => self.branch(cursor, at),
            Key("while") => {
                cursor.advance();
                cursor.expect(Sign("("))?;
                let guard = condition(cursor, self.scope)?;
                let span = Span::new(start, cursor.expect(Sign(")"))?.end);
                let text = cursor.text(span).to_owned();
                cursor.expect(Sign("{"))?;
                let (inside, outside) = (self.place(), self.place());
                self.edge(at, inside, guard.clone(), Vec::new(), &text, span);
                self.edge(
                    at,
                    outside,
                    guard.negated(),
                    Vec::new(),
                    &format!("leave {text}"),
                    span,
                );
                let end = self.block(cursor, inside)?;
                self.close(end, at, span);
                Ok(outside)
            }
            Name => {
                let assign = self.assignments(cursor)?;
                let span = cursor.span_from(start);
                cursor.expect(Sign(";"))?;
                let to = self.place();
                self.edge(at, to, always(), assign, cursor.text(span), span);
                Ok(to)
            }
            _ => Err(cursor.unexpected("a statement or `}`")),
        }
    }

    fn branch(&mut self, cursor: &mut Walk<'_>, at: usize) -> Parsed<usize> {
        let start = cursor.advance().span.start;
        cursor.expect(Sign("("))?;
        let guard = condition(cursor, self.scope)?;
        let span = Span::new(start, cursor.expect(Sign(")"))?.end);
        let text = cursor.text(span).to_owned();
        cursor.expect(Sign("{"))?;
        let (then, otherwise) = (self.place(), self.place());
        self.edge(at, then, guard.clone(), Vec::new(), &text, span);
        self.edge(
            at,
            otherwise,
            guard.negated(),
            Vec::new(),
            &format!("else of {text}"),
            span,
        );
        let one = self.block(cursor, then)?;
        let other = match cursor.takes(Key("else")) {
            true => {
                cursor.expect(Sign("{"))?;
                self.block(cursor, otherwise)?
            }
            false => otherwise,
        };
        // The branch that does nothing ends where the other does.
        self.close(one, other, span);
        Ok(other)
    }

    /// Lets a location be another one: all edges to it go there.
    fn close(&mut self, end: usize, target: usize, span: Span) {
        let reached = self
            .process
            .edges
            .iter()
            .any(|edge| edge.to == end && edge.from != end);
        let labelled = self.process.labels.iter().any(|(_, at)| *at == end);
        match reached && !labelled && end != target {
            true => {
                let edges = self.process.edges.iter_mut().filter(|edge| edge.to == end);
                edges.for_each(|edge| edge.to = target);
            }
            false => self.edge(
                end,
                target,
                Condition::Constant(true),
                Vec::new(),
                "go on",
                span,
            ),
        }
    }

    fn assignments(&mut self, cursor: &mut Walk<'_>) -> Parsed<Vec<Assign>> {
        let mut all = Vec::new();
        loop {
            let (variable, span) = self.scope.variable(cursor)?;
            cursor.expect(Sign(":="))?;
            let any = cursor.takes(Key("any"));
            let assign = match (variable, any) {
                (Sorted::Integer(at), true) => Assign::AnyInteger(at),
                (Sorted::Boolean(at), true) => Assign::AnyBoolean(at),
                (variable, false) => {
                    let value = sorted(cursor, self.scope)?;
                    self.scope.assign(variable, value, span, cursor)?
                }
            };
            let target = |one: &Assign| match one {
                Assign::Integer(at, _) | Assign::AnyInteger(at) => (true, at.index()),
                Assign::Boolean(at, _) | Assign::AnyBoolean(at) => (false, at.index()),
            };
            if all.iter().any(|one| target(one) == target(&assign)) {
                let message = "this variable is assigned twice at once";
                return Err(Diagnostic::error("twice", message).at(cursor.source(), span, ""));
            }
            all.push(assign);
            if !cursor.takes(Sign(",")) {
                return Ok(all);
            }
        }
    }
}
