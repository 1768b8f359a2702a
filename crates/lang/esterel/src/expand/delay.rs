//! Waiting and preemption.

use quotient_core::Span;

use super::{Expander, Label};
use crate::kernel::{Condition, Kind, Node, SignalId};
use crate::syntax::{Case, Delay};
use crate::value::Type;

impl Expander<'_> {
    /// Waits for a condition: from the next instant on, or at once.
    fn await_condition(&mut self, condition: Condition, immediate: bool, span: Span) -> Node {
        self.trap(span, |this, out| {
            let test = this.exit_when(condition, out, span);
            let pause = this.pause(span);
            let steps = match immediate {
                true => vec![test, pause],
                false => vec![pause, test],
            };
            let body = this.sequence(steps, span);
            this.looped(body, span)
        })
    }

    /// `await d`
    pub(super) fn await_delay(&mut self, delay: &Delay, span: Span) -> Node {
        let condition = self.condition(&delay.event);
        let wait = self.await_condition(condition, delay.immediate, span);
        let Some(count) = &delay.count else {
            return wait;
        };
        if delay.immediate {
            let help = "leave out `immediate`, or the count";
            self.wrong(
                "immediate",
                delay.span,
                "a delay that counts is never immediate",
                help,
            );
        }
        match self.term(count) {
            Some(times) => {
                self.fits(&times, &Type::Integer);
                self.repeated(times, true, wait, span)
            }
            None => wait,
        }
    }

    /// `await case d do p …`: a plain delay waits and goes on, several are a preempted halt.
    pub(super) fn await_cases(&mut self, cases: &[Case], span: Span) -> Node {
        if let [Case { delay, then }] = cases {
            let wait = self.await_delay(delay, span);
            return match then {
                Some(then) => {
                    let then = self.statement(then);
                    self.sequence(vec![wait, then], span)
                }
                None => wait,
            };
        }
        self.abort(|this| this.halt(span), false, cases, span)
    }

    /// `abort p when d`, weak or strong, with several delays in order of their importance.
    ///
    /// A strong one suspends its body for good and leaves; a weak one lets the body act once
    /// more. What counts is told by signals of counters that run beside.
    pub(super) fn abort(
        &mut self,
        body: impl FnOnce(&mut Self) -> Node,
        weak: bool,
        cases: &[Case],
        span: Span,
    ) -> Node {
        let mut hidden = Vec::new();
        let mut events = Vec::new();
        for case in cases {
            let elapsed = match case.delay.count {
                Some(_) => {
                    let signal = self.fresh("elapsed", case.delay.span);
                    hidden.push(signal);
                    Condition::Signal(signal)
                }
                None => self.condition(&case.delay.event),
            };
            events.push(elapsed);
        }
        let mixed = cases.len() > 1
            && cases.iter().any(|case| case.delay.immediate)
            && cases.iter().any(|case| !case.delay.immediate);
        let first = mixed.then(|| self.fresh("first", span));
        hidden.extend(first);
        let watch = Watch {
            weak,
            cases,
            events: &events,
            first,
            span,
        };
        let node = match cases.iter().any(|case| case.then.is_some()) {
            false => self.trap(span, |this, out| this.watched(body, &watch, out, out)),
            true => self.trap(span, |this, done| {
                let inner = this.trap(span, |this, out| this.watched(body, &watch, out, done));
                let handlers = this.handlers(&watch);
                this.sequence(vec![inner, handlers], span)
            }),
        };
        self.hide(hidden, node, span)
    }

    /// The body and what watches it, in parallel: `out` is left for a delay, `done` when the body
    /// ends by itself.
    fn watched(
        &mut self,
        body: impl FnOnce(&mut Self) -> Node,
        watch: &Watch<'_>,
        out: Label,
        done: Label,
    ) -> Node {
        let Watch {
            weak,
            cases,
            events,
            first,
            span,
        } = *watch;
        let any = Condition::any(events.to_vec());
        let at_once: Vec<Condition> = (cases.iter().zip(events))
            .filter(|(case, _)| case.delay.immediate)
            .map(|(_, event)| event.clone())
            .collect();
        let place = cases.first().map_or(span, |case| case.delay.span);
        let mut body = body(self);
        if !weak {
            body = self.node(Kind::Suspend(any.clone(), Box::new(body)), place);
        }
        let done = self.exit(done, span);
        let body = self.sequence(vec![body, done], span);
        let pause = self.pause(place);
        let test = self.exit_when(any, out, place);
        let again = self.sequence(vec![pause, test], place);
        let mut watcher = self.looped(again, place);
        let mut before = None;
        if !at_once.is_empty() {
            let test = self.exit_when(Condition::any(at_once), out, place);
            match weak {
                true => watcher = self.sequence(vec![test, watcher], place),
                false => before = Some(test),
            }
        }
        let mut branches = vec![body, watcher];
        for (case, event) in cases.iter().zip(events) {
            if let (Some(_), Condition::Signal(signal)) = (&case.delay.count, event) {
                let wait = self.await_delay(&case.delay, case.delay.span);
                let emit = self.node(Kind::Emit(*signal, None), case.delay.span);
                branches.push(self.sequence(vec![wait, emit], case.delay.span));
            }
        }
        let both = self.parallel(branches, span);
        let mut steps = Vec::new();
        if let Some(first) = first {
            steps.push(self.node(Kind::Emit(first, None), span));
        }
        steps.extend(before);
        steps.push(both);
        self.sequence(steps, span)
    }

    /// What to do for the first delay that has passed. This is come to only when one has: if it
    /// is none of the others, it is the last, which needs no test. With one, the statement could be
    /// thought to end at once.
    fn handlers(&mut self, watch: &Watch<'_>) -> Node {
        let Watch {
            cases,
            events,
            first,
            span,
            ..
        } = *watch;
        let mut rest: Option<Node> = None;
        for (case, event) in cases.iter().zip(events).rev() {
            let then = match &case.then {
                Some(then) => self.statement(then),
                None => self.nothing(span),
            };
            let Some(others) = rest else {
                rest = Some(then);
                continue;
            };
            let mut condition = event.clone();
            if let (Some(first), false) = (first, case.delay.immediate) {
                let later = Condition::Signal(first).negated();
                condition = Condition::And(vec![condition, later]);
            }
            rest = Some(self.present(condition, then, others, case.delay.span));
        }
        rest.unwrap_or_else(|| self.nothing(span))
    }

    /// Local signals around a statement, if there are some.
    pub(super) fn hide(&mut self, signals: Vec<SignalId>, node: Node, span: Span) -> Node {
        match signals.is_empty() {
            true => node,
            false => self.node(Kind::Signal(signals, Box::new(node)), span),
        }
    }
}

/// A preemption: its delays, and the condition that says that each has passed.
struct Watch<'a> {
    weak: bool,
    cases: &'a [Case],
    events: &'a [Condition],
    /// A signal of the first instant, where some delays are immediate and others not.
    first: Option<SignalId>,
    span: Span,
}
