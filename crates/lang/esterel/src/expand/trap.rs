//! Traps.

use quotient_core::{Diagnostic, Span};

use super::{Expander, TrapInfo};
use crate::kernel::{Condition, Kind, Node, SignalId};
use crate::syntax::{Event, Expression, Name, SignalDecl, Statement};

impl Expander<'_> {
    /// `trap T, U in p handle T do q … end`
    ///
    /// One trap with at most one plain handler is a trap (in another one that the body leaves if
    /// it ends by itself). Several, or conditions on them, are told apart by signals.
    pub(super) fn traps(
        &mut self,
        traps: &[SignalDecl],
        body: &Statement,
        handlers: &[(Event, Statement)],
        span: Span,
    ) -> Node {
        self.told_apart("trap", traps.iter().map(|one| &one.name));
        let plain = match (traps, handlers) {
            ([_], []) => true,
            ([trap], [(Event::Signal(name), _)]) => name.text == trap.name.text,
            _ => false,
        };
        let mut hidden = Vec::new();
        let mut signals = Vec::new();
        for trap in traps {
            let signal = (trap.kind.is_some() || !plain).then(|| self.declare(trap));
            hidden.extend(signal);
            signals.push(signal);
        }
        let before = self.scope.traps.len();
        let node = match (plain, handlers.first()) {
            (true, None) => self.trap(span, |this, label| {
                this.enter_traps(traps, &signals, label);
                let body = this.statement(body);
                this.scope.traps.truncate(before);
                body
            }),
            (true, Some((_, handler))) => self.trap(span, |this, done| {
                let inner = this.trap(span, |this, label| {
                    this.enter_traps(traps, &signals, label);
                    let body = this.statement(body);
                    let exit = this.exit(done, span);
                    this.sequence(vec![body, exit], span)
                });
                this.leave_traps(before);
                let handler = this.statement(handler);
                this.sequence(vec![inner, handler], span)
            }),
            // Handlers are for what is left: a body that ends by itself leaves them out, also
            // those of conditions that hold when nothing was left (`not T`).
            (false, _) => self.trap(span, |this, done| {
                let inner = this.trap(span, |this, label| {
                    this.enter_traps(traps, &signals, label);
                    let body = this.statement(body);
                    let exit = this.exit(done, span);
                    this.sequence(vec![body, exit], span)
                });
                this.leave_traps(before);
                let mut branches = Vec::new();
                for (event, handler) in handlers {
                    let condition = this.trap_condition(event, traps, &signals);
                    let handler = this.statement(handler);
                    let nothing = this.nothing(span);
                    let place = handler_span(event, span);
                    branches.push(this.present(condition, handler, nothing, place));
                }
                let mut steps = vec![inner];
                if !branches.is_empty() {
                    steps.push(this.parallel(branches, span));
                }
                this.sequence(steps, span)
            }),
        };
        self.scope.traps.truncate(before);
        self.hide(hidden, node, span)
    }

    fn enter_traps(
        &mut self,
        traps: &[SignalDecl],
        signals: &[Option<SignalId>],
        label: super::Label,
    ) {
        for (trap, &signal) in traps.iter().zip(signals) {
            self.scope.traps.push(TrapInfo {
                name: trap.name.text.clone(),
                label,
                signal,
                inside: true,
            });
        }
    }

    /// In handlers the values of the traps are seen, but they cannot be left any more.
    fn leave_traps(&mut self, before: usize) {
        for trap in &mut self.scope.traps[before..] {
            trap.inside = false;
        }
    }

    fn trap_condition(
        &mut self,
        event: &Event,
        traps: &[SignalDecl],
        signals: &[Option<SignalId>],
    ) -> Condition {
        match event {
            Event::Signal(name) => {
                let found = traps.iter().position(|trap| trap.name.text == name.text);
                if let Some(signal) = found.and_then(|number| signals[number]) {
                    return Condition::Signal(signal);
                }
                let message = format!("`{}` is no trap of this statement", name.text);
                self.wrong("no-such-trap", name.span, message, "");
                Condition::Constant(false)
            }
            Event::Not(inner) => self.trap_condition(inner, traps, signals).negated(),
            Event::And(left, right) => Condition::And(vec![
                self.trap_condition(left, traps, signals),
                self.trap_condition(right, traps, signals),
            ]),
            Event::Or(left, right) => Condition::Or(vec![
                self.trap_condition(left, traps, signals),
                self.trap_condition(right, traps, signals),
            ]),
            Event::Before(name) => {
                let message = "traps have no past";
                self.wrong("no-such-trap", name.span, message, "");
                Condition::Constant(false)
            }
            // Something was left, or no handler would be looked at.
            Event::Tick => Condition::Constant(true),
        }
    }

    /// `exit T(e)`
    pub(super) fn leave(&mut self, name: &Name, value: Option<&Expression>, span: Span) -> Node {
        let inside = self.scope.traps.iter().rev();
        let found = inside
            .filter(|trap| trap.inside)
            .find(|trap| trap.name == name.text);
        let Some(TrapInfo { label, signal, .. }) = found.cloned() else {
            let names: Vec<String> = (self.scope.traps.iter())
                .filter(|trap| trap.inside)
                .map(|trap| trap.name.clone())
                .collect();
            let message = format!("there is no trap `{}` around this", name.text);
            let mistake = Diagnostic::error("no-such-trap", message)
                .at(self.source, name.span, "")
                .did_you_mean(&name.text, names.iter().map(String::as_str));
            self.mistakes.push(mistake);
            return self.nothing(span);
        };
        let exit = self.exit(label, span);
        let kind = signal.and_then(|signal| self.signals[signal].kind.clone());
        let term = self.emitted(kind.as_ref(), value, name);
        if kind.is_some() && value.is_none() {
            let message = format!("the trap `{}` is left without a value", name.text);
            self.wrong("type", name.span, message, "write `exit T(value)`");
        }
        match signal {
            Some(signal) => {
                let emit = self.node(Kind::Emit(signal, term), span);
                self.sequence(vec![emit, exit], span)
            }
            None => exit,
        }
    }
}

fn handler_span(event: &Event, span: Span) -> Span {
    match event {
        Event::Signal(name) => name.span,
        _ => span,
    }
}
