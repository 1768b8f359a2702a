//! Statements, one by one.

use quotient_core::Span;

use super::Expander;
use crate::kernel::{Kind, Node, Repeat, Term, Variable};
use crate::syntax::{
    Case, Delay, Direction, Event, Expression, Name, SignalDecl, Statement, StatementKind, Task,
    TypeName,
};
use crate::value::{Type, Value, one};

impl Expander<'_> {
    /// A statement written out.
    pub(super) fn statement(&mut self, statement: &Statement) -> Node {
        if self.nesting >= super::DEEPEST || self.is_hopeless() {
            if !self.is_hopeless() {
                let message = "written out, the program nests too deeply";
                self.wrong("too-deep", statement.span, message, "");
            }
            return Node::new(Kind::Nothing, statement.span);
        }
        self.nesting += 1;
        let node = self.written_out(statement);
        self.nesting -= 1;
        node
    }

    fn written_out(&mut self, statement: &Statement) -> Node {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Nothing => self.nothing(span),
            StatementKind::Pause => self.pause(span),
            StatementKind::Halt => self.halt(span),
            StatementKind::Emit(name, value) => self.emit(name, value.as_ref(), span),
            StatementKind::Sustain(name, value) => {
                let emit = self.emit(name, value.as_ref(), span);
                let pause = self.pause(span);
                let body = self.sequence(vec![emit, pause], span);
                self.looped(body, span)
            }
            StatementKind::Assign(name, value) => self.assign(name, value, span),
            StatementKind::Call(name, written, read) => {
                for value in read {
                    self.term(value);
                }
                self.host(&name.text, written, span)
            }
            StatementKind::Exec(tasks) => self.exec(tasks, span),
            StatementKind::Present(cases, otherwise) => {
                self.presents(cases, otherwise.as_deref(), span)
            }
            StatementKind::If(cases, otherwise) => self.tests(cases, otherwise.as_deref(), span),
            StatementKind::Loop(body) => {
                let body = self.statement(body);
                self.looped(body, span)
            }
            StatementKind::LoopEach(body, delay) => self.loop_each(body, delay, span),
            StatementKind::Repeat {
                times,
                positive,
                body,
            } => self.repeat(times, *positive, body, span),
            StatementKind::Abort { body, weak, cases } => {
                self.abort(|this| this.statement(body), *weak, cases, span)
            }
            StatementKind::Await(cases) => self.await_cases(cases, span),
            StatementKind::Every(delay, body) => {
                let first = self.await_delay(delay, span);
                let delayed = Delay {
                    immediate: false,
                    ..delay.clone()
                };
                let rest = self.loop_each(body, &delayed, span);
                self.sequence(vec![first, rest], span)
            }
            StatementKind::Suspend(body, delay) => self.suspend(body, delay, span),
            StatementKind::Upto(body, delay) => {
                let cases = [case(delay)];
                self.abort(|this| this.and_halt(body, span), false, &cases, span)
            }
            StatementKind::Trap {
                traps,
                body,
                handlers,
            } => self.traps(traps, body, handlers, span),
            StatementKind::Exit(name, value) => self.leave(name, value.as_ref(), span),
            StatementKind::Signal(signals, body) => self.locals(signals, body, span),
            StatementKind::Variable(variables, body) => self.variables(variables, body, span),
            StatementKind::Run { module, renamings } => self.run(module, renamings, span),
            StatementKind::Sequence(steps) => {
                let steps = steps.iter().map(|step| self.statement(step)).collect();
                self.sequence(steps, span)
            }
            StatementKind::Parallel(branches) => {
                let branches = branches.iter().map(|one| self.statement(one)).collect();
                self.parallel(branches, span)
            }
        }
    }

    /// Tasks run beside the program: all that it sees of them is the signal that says that one is
    /// done, in a later instant, with what the task has written then. Nobody waits for the others.
    fn exec(&mut self, tasks: &[Task], span: Span) -> Node {
        let mut cases = Vec::new();
        for task in tasks {
            for value in &task.read {
                self.term(value);
            }
            let place = task.name.span;
            let mut steps = Vec::new();
            if !self.scope.functions.contains(&task.name.text) {
                let message = format!("there is no task `{}`", task.name.text);
                self.wrong("no-such-task", place, message, "declare it: `task …`");
            }
            if !task.written.is_empty() {
                let (name, written) = (task.name.clone(), task.written.clone());
                let kind = StatementKind::Call(name, written, Vec::new());
                steps.push(Statement { kind, span: place });
            }
            steps.extend(task.then.clone());
            let then = (!steps.is_empty()).then_some(Statement {
                kind: StatementKind::Sequence(steps),
                span: place,
            });
            let event = Event::Signal(task.back.clone());
            let delay = Delay {
                immediate: false,
                count: None,
                event,
                span: task.back.span,
            };
            cases.push(Case { delay, then });
        }
        self.await_cases(&cases, span)
    }

    fn and_halt(&mut self, body: &Statement, span: Span) -> Node {
        let (body, halt) = (self.statement(body), self.halt(span));
        self.sequence(vec![body, halt], span)
    }

    fn loop_each(&mut self, body: &Statement, delay: &Delay, span: Span) -> Node {
        if delay.immediate {
            let help = "the body of a loop must take time";
            self.wrong("immediate", delay.span, "a loop cannot be immediate", help);
        }
        let cases = [case(delay)];
        let body = self.abort(|this| this.and_halt(body, span), false, &cases, span);
        self.looped(body, span)
    }

    /// The value of an emission, which must have one if the signal has.
    pub(super) fn emitted(
        &mut self,
        kind: Option<&Type>,
        value: Option<&Expression>,
        name: &Name,
    ) -> Option<Term> {
        let term = self.term(value?)?;
        match kind {
            Some(kind) => self.fits(&term, kind),
            None => {
                let message = format!("`{}` has no value", name.text);
                self.wrong("type", term.span, message, "declare it with a type");
            }
        }
        Some(term)
    }

    fn emit(&mut self, name: &Name, value: Option<&Expression>, span: Span) -> Node {
        let Some(bound) = self.signal(&name.text, name.span) else {
            return self.nothing(span);
        };
        let Some(signal) = bound.signal.filter(|_| bound.emittable) else {
            let message = format!("`{}` is an input and cannot be emitted", name.text);
            self.wrong("input", name.span, message, "declare it as `inputoutput`");
            return self.nothing(span);
        };
        let kind = self.signals[signal].kind.clone();
        let term = self.emitted(kind.as_ref(), value, name);
        if kind.is_some() && value.is_none() {
            let message = format!("`{}` is emitted without a value", name.text);
            self.wrong("type", name.span, message, "write `emit S(value)`");
        }
        self.node(Kind::Emit(signal, term), span)
    }

    fn assign(&mut self, name: &Name, value: &Expression, span: Span) -> Node {
        let term = self.term(value);
        let Some(&variable) = self.scope.variables.get(&name.text) else {
            let message = format!("there is no variable `{}` here", name.text);
            self.wrong(
                "no-such-variable",
                name.span,
                message,
                "declare it with `var`",
            );
            return self.nothing(span);
        };
        let Some(term) = term else {
            return self.nothing(span);
        };
        let kind = self.variables[variable].kind.clone();
        self.fits(&term, &kind);
        self.node(Kind::Assign(variable, term), span)
    }

    fn optional(&mut self, statement: Option<&Statement>, span: Span) -> Node {
        match statement {
            Some(statement) => self.statement(statement),
            None => self.nothing(span),
        }
    }

    fn presents(
        &mut self,
        cases: &[(Event, Option<Statement>)],
        otherwise: Option<&Statement>,
        span: Span,
    ) -> Node {
        let mut node = self.optional(otherwise, span);
        for (event, then) in cases.iter().rev() {
            let condition = self.condition(event);
            let then = self.optional(then.as_ref(), span);
            node = self.present(condition, then, node, span);
        }
        node
    }

    fn tests(
        &mut self,
        cases: &[(Expression, Option<Statement>)],
        otherwise: Option<&Statement>,
        span: Span,
    ) -> Node {
        let mut node = self.optional(otherwise, span);
        for (condition, then) in cases.iter().rev() {
            let then = self.optional(then.as_ref(), span);
            let Some(term) = self.term(condition) else {
                continue;
            };
            self.fits(&term, &Type::Boolean);
            let place = term.span;
            let kind = Kind::Test(term, Box::new(then), Box::new(node));
            node = self.node(kind, place);
        }
        node
    }

    fn repeat(&mut self, times: &Expression, positive: bool, body: &Statement, span: Span) -> Node {
        let times = self.term(times);
        let body = self.statement(body);
        match times {
            Some(times) => {
                self.fits(&times, &Type::Integer);
                self.repeated(times, positive, body, span)
            }
            None => body,
        }
    }

    /// A body so many times.
    pub(super) fn repeated(&mut self, times: Term, positive: bool, body: Node, span: Span) -> Node {
        if let crate::kernel::What::Constant(Value::Number(number)) = &times.what
            && *number == one()
        {
            return body;
        }
        self.variables.push(Variable {
            name: "counter".to_owned(),
            kind: Type::Integer,
            span,
        });
        let counter = self.variables.len() - 1;
        let repeat = Repeat {
            times,
            counter,
            positive,
            body,
        };
        self.node(Kind::Repeat(Box::new(repeat)), span)
    }

    fn suspend(&mut self, body: &Statement, delay: &Delay, span: Span) -> Node {
        if delay.count.is_some() {
            self.wrong("count", delay.span, "a suspension cannot count", "");
        }
        let condition = self.condition(&delay.event);
        let mut body = self.statement(body);
        if delay.immediate {
            let (pause, nothing) = (self.pause(span), self.nothing(span));
            let first = self.present(condition.clone(), pause, nothing, delay.span);
            body = self.sequence(vec![first, body], span);
        }
        self.node(Kind::Suspend(condition, Box::new(body)), span)
    }

    fn locals(&mut self, signals: &[SignalDecl], body: &Statement, span: Span) -> Node {
        self.told_apart("signal", signals.iter().map(|one| &one.name));
        let before = self.scope.signals.clone();
        let mut all = Vec::new();
        for declared in signals {
            let id = self.declare(declared);
            self.bind(&declared.name, id, Direction::Local);
            all.push(id);
        }
        let body = self.statement(body);
        self.scope.signals = before;
        self.node(Kind::Signal(all, Box::new(body)), span)
    }

    fn variables(
        &mut self,
        variables: &[(Name, TypeName, Option<Expression>)],
        body: &Statement,
        span: Span,
    ) -> Node {
        self.told_apart("variable", variables.iter().map(|one| &one.0));
        let before = self.scope.variables.clone();
        let mut declared = Vec::new();
        for (name, kind, start) in variables {
            let kind = Type::named(&kind.0.text);
            let start = start.as_ref().and_then(|start| self.term(start));
            if let Some(start) = &start {
                self.fits(start, &kind);
            }
            self.variables.push(Variable {
                name: name.text.clone(),
                kind,
                span: name.span,
            });
            let variable = self.variables.len() - 1;
            self.scope.variables.insert(name.text.clone(), variable);
            declared.push((variable, start, name.span));
        }
        let mut node = self.statement(body);
        self.scope.variables = before;
        for (variable, start, place) in declared.into_iter().rev() {
            if let Some(start) = start {
                let assign = self.node(Kind::Assign(variable, start), place);
                node = self.sequence(vec![assign, node], span);
            }
            node = self.node(Kind::Variable(variable, Box::new(node)), span);
        }
        node
    }
}

/// A delay with nothing to do then.
pub(super) fn case(delay: &Delay) -> Case {
    Case {
        delay: delay.clone(),
        then: None,
    }
}
