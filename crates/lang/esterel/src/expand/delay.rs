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
        let watch = Watch {
            weak,
            cases,
            events: &events,
            span,
        };
        let node = match cases.iter().any(|case| case.then.is_some()) {
            false => self.trap(span, |this, out| this.watched(body, &watch, &[out], out)),
            true => self.trap(span, |this, done| this.handled(body, &watch, vec![], done)),
        };
        self.hide(hidden, node, span)
    }

    /// The body with what is done for each delay: a trap for every case, left where the case is the
    /// first whose delay has passed, and behind each what that case does. Nothing here ends by itself
    /// but what the last one does, so that no case is thought to follow another.
    fn handled(
        &mut self,
        body: impl FnOnce(&mut Self) -> Node,
        watch: &Watch<'_>,
        mut outs: Vec<Label>,
        done: Label,
    ) -> Node {
        // The trap of the last case is the outermost one.
        let Some(place) = watch.cases.len().checked_sub(outs.len() + 1) else {
            outs.reverse();
            return self.watched(body, watch, &outs, done);
        };
        let span = watch.span;
        let inner = self.trap(span, |this, out| {
            outs.push(out);
            this.handled(body, watch, outs, done)
        });
        let then = match &watch.cases[place].then {
            Some(then) => self.statement(then),
            None => self.nothing(span),
        };
        let mut steps = vec![inner, then];
        if place + 1 < watch.cases.len() {
            steps.push(self.exit(done, span));
        }
        self.sequence(steps, span)
    }

    /// The body and what watches it, in parallel: one of `outs` is left for a delay (one for each case,
    /// or one for all), `done` when the body ends by itself.
    fn watched(
        &mut self,
        body: impl FnOnce(&mut Self) -> Node,
        watch: &Watch<'_>,
        outs: &[Label],
        done: Label,
    ) -> Node {
        let Watch {
            weak,
            cases,
            events,
            span,
        } = *watch;
        let place = cases.first().map_or(span, |case| case.delay.span);
        let mut body = body(self);
        if !weak {
            let any = Condition::any(events.to_vec());
            body = self.node(Kind::Suspend(any, Box::new(body)), place);
        }
        let done = self.exit(done, span);
        let body = self.sequence(vec![body, done], span);
        let pause = self.pause(place);
        let test = self.leave_for(watch, outs, false);
        let again = self.sequence(vec![pause, test], place);
        let mut watcher = self.looped(again, place);
        let mut before = None;
        if cases.iter().any(|case| case.delay.immediate) {
            let test = self.leave_for(watch, outs, true);
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
        let mut steps: Vec<Node> = before.into_iter().collect();
        steps.push(both);
        self.sequence(steps, span)
    }

    /// Leaves for the first delay that has passed; in the first instant only for an immediate one.
    fn leave_for(&mut self, watch: &Watch<'_>, outs: &[Label], at_once: bool) -> Node {
        let Watch { cases, events, .. } = *watch;
        let counts = |case: &Case| case.delay.immediate || !at_once;
        if let [out] = *outs {
            let events = cases.iter().zip(events).filter(|(case, _)| counts(case));
            let any = Condition::any(events.map(|(_, event)| event.clone()).collect());
            let place = cases.first().map_or(watch.span, |case| case.delay.span);
            return self.exit_when(any, out, place);
        }
        let mut rest = self.nothing(watch.span);
        let all = cases.iter().zip(events).zip(outs).rev();
        for ((case, event), &out) in all.filter(|((case, _), _)| counts(case)) {
            let exit = self.exit(out, case.delay.span);
            rest = self.present(event.clone(), exit, rest, case.delay.span);
        }
        rest
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
    span: Span,
}
