//! The choices and references of a primitive process.

use quotient_core::{Diagnostic, Severity};
use quotient_lts::{Action, ERROR, State};

use super::Compiler;
use super::draft::{Draft, indexed};
use super::process::check_size;
use crate::Trouble;
use crate::evaluate::{Expander, Scope};
use crate::syntax::{Alternative, Body, Call, Expression, Name, Process};

/// The actions of an alternative from a position on, to be added to a state.
struct Work<'a> {
    state: State,
    alternative: &'a Alternative,
    position: usize,
    scope: Scope<'a>,
}

/// A body with its conditions decided.
enum Decided<'a> {
    Stop,
    Reference(&'a [Call], &'a Name, &'a [Expression]),
    Choice(&'a [Alternative]),
}

impl<'a> Compiler<'a> {
    /// What a local process does: be another state, or choose among these.
    pub(super) fn local_body(
        &mut self,
        process: &'a Process,
        state: State,
        body: &'a Body,
        scope: &Scope<'a>,
        draft: &mut Draft,
    ) -> Result<Option<&'a [Alternative]>, Trouble> {
        match self.decide(body, scope)? {
            Decided::Choice(alternatives) => return Ok(Some(alternatives)),
            Decided::Stop => {
                if let Some(stop) = draft.reserved("STOP") {
                    draft.equate(state, stop);
                }
            }
            Decided::Reference(before, name, indices) => {
                let target = self.reference(process, before, name, indices, scope, draft)?;
                draft.equate(state, target);
            }
        }
        Ok(None)
    }

    /// Adds the edges of the alternatives of a state, and what they lead to.
    pub(super) fn follow(
        &mut self,
        process: &'a Process,
        state: State,
        alternatives: &'a [Alternative],
        scope: Scope<'a>,
        draft: &mut Draft,
    ) -> Result<(), Trouble> {
        let mut work = Vec::new();
        self.choice(state, alternatives, scope, &mut work)?;
        let globals = self.globals.clone();
        let budget = self.budget;
        let expander = Expander::new(&globals, budget);
        // Written out before they are followed, so that processes that are compiled on the way
        // do not nest in the labels of others.
        let mut found: Vec<(Action, Scope<'a>)> = Vec::new();
        while let Some(mut item) = work.pop() {
            let label = &item.alternative.actions[item.position];
            let last = item.position + 1 == item.alternative.actions.len();
            expander.each(label, &mut item.scope, &mut |text, scope| {
                found.push((self.system.actions.intern(text), scope.clone()));
                expander.check_count(found.len(), label.span)
            })?;
            for (action, scope) in found.drain(..) {
                check_size(draft, self.source(), label.span)?;
                let target = if last {
                    self.target(process, &item.alternative.next, scope, draft, &mut work)?
                } else {
                    let state = draft.new_state();
                    work.push(Work {
                        state,
                        alternative: item.alternative,
                        position: item.position + 1,
                        scope,
                    });
                    state
                };
                draft.edges.push((item.state, action, target));
            }
        }
        Ok(())
    }

    /// The state that a body begins in.
    fn target(
        &mut self,
        process: &'a Process,
        body: &'a Body,
        scope: Scope<'a>,
        draft: &mut Draft,
        work: &mut Vec<Work<'a>>,
    ) -> Result<State, Trouble> {
        match self.decide(body, &scope)? {
            Decided::Stop => Ok(draft.reserved("STOP").unwrap_or(ERROR)),
            Decided::Reference(before, name, indices) => {
                self.reference(process, before, name, indices, &scope, draft)
            }
            Decided::Choice(alternatives) => {
                let state = draft.new_state();
                self.choice(state, alternatives, scope, work)?;
                Ok(state)
            }
        }
    }

    fn choice(
        &self,
        state: State,
        alternatives: &'a [Alternative],
        scope: Scope<'a>,
        work: &mut Vec<Work<'a>>,
    ) -> Result<(), Trouble> {
        for alternative in alternatives {
            let possible = match &alternative.guard {
                Some(guard) => self.globals.holds(guard, &scope)?,
                None => true,
            };
            if possible {
                work.push(Work {
                    state,
                    alternative,
                    position: 0,
                    scope: scope.clone(),
                });
            }
        }
        Ok(())
    }

    fn decide(&self, mut body: &'a Body, scope: &Scope<'a>) -> Result<Decided<'a>, Trouble> {
        loop {
            match body {
                Body::Reference {
                    before,
                    name,
                    indices,
                } => return Ok(Decided::Reference(before, name, indices)),
                Body::Choice(alternatives) => return Ok(Decided::Choice(alternatives)),
                Body::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    body = match (self.globals.holds(condition, scope)?, otherwise) {
                        (true, _) => then,
                        (false, Some(otherwise)) => otherwise,
                        (false, None) => return Ok(Decided::Stop),
                    }
                }
            }
        }
    }

    /// The state of `P(1); Q; R[i]`.
    fn reference(
        &mut self,
        process: &'a Process,
        before: &'a [Call],
        name: &'a Name,
        indices: &'a [Expression],
        scope: &Scope<'a>,
        draft: &mut Draft,
    ) -> Result<State, Trouble> {
        let mut key = String::with_capacity(name.text.len() + 4 * indices.len());
        key.push_str(&name.text);
        for index in indices {
            key.push('.');
            self.globals.evaluate(index, scope)?.write_to(&mut key);
        }
        let mut target = match draft.named.get(&key) {
            Some(&state) => state,
            None => match draft.reserved(&key) {
                Some(state) => state,
                None => {
                    self.warn_undefined(process, name, &key);
                    ERROR
                }
            },
        };
        for call in before.iter().rev() {
            let lts = self.sequential(call, scope)?;
            let ended_at_once = lts.end() == Some(lts.initial()) && lts.states() == 1;
            if !ended_at_once {
                self.budget.charge(lts.transitions() as u64)?;
                check_size(draft, self.source(), call.name.span)?;
                target = draft.insert(&lts, target);
            }
        }
        Ok(target)
    }

    /// People bound counters this way on purpose: one note for each process is enough.
    fn note_outside(&mut self, process: &Process, name: &Name, key: &str) {
        let message = format!(
            "`{}` has steps outside its ranges: they lead to ERROR",
            process.name.text
        );
        let (source, label) = (self.source(), format!("`{key}` here"));
        let known = |known: &&mut Diagnostic| known.message == message;
        if !self.warned.insert(("outside-range", name.span)) {
            return;
        }
        match self.warnings.iter_mut().find(known) {
            Some(known) => *known = known.clone().at(source, name.span, label),
            None => {
                let mut diagnostic = Diagnostic::warning("outside-range", message)
                    .at(source, name.span, label)
                    .note("getting there counts as a violation");
                diagnostic.severity = Severity::Note;
                self.warnings.push(diagnostic);
            }
        }
    }

    /// A reference to no local process is ERROR, as in LTSA: that is how people bound a counter.
    fn warn_undefined(&mut self, process: &Process, name: &Name, key: &str) {
        let key = indexed(key);
        let mut known: Vec<&str> = process
            .locals
            .iter()
            .map(|local| local.name.text.as_str())
            .collect();
        known.extend(["STOP", "END", "ERROR"]);
        let diagnostic = if known.contains(&name.text.as_str()) {
            return self.note_outside(process, name, &key);
        } else {
            let diagnostic = Diagnostic::warning(
                "undefined-local-process",
                format!("there is no local process `{}`: it is ERROR", name.text),
            )
            .at(self.source(), name.span, "not defined in this process");
            if self.processes.contains_key(name.text.as_str()) {
                diagnostic.note(format!(
                    "`{}` is a process of its own; it can only come before a local process: `{}; END`",
                    name.text, name.text
                ))
            } else {
                diagnostic.did_you_mean(&name.text, known)
            }
        };
        self.warn(name.span, diagnostic);
    }
}
