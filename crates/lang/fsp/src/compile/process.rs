//! One primitive process.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use quotient_core::Diagnostic;
use quotient_lts::{Action, ERROR, Equivalence, Lts, LtsBuilder, State, StateNames};

use super::draft::Draft;
use super::labels::{Prefixes, Renaming, rename};
use super::{Compiler, Term, instance};
use crate::Trouble;
use crate::evaluate::{Expander, Scope, Value};
use crate::syntax::{Hiding, LocalProcess, Process};

/// More than this in one primitive process is a mistake in a bound.
const MOST_STATES: usize = 1 << 23;

impl<'a> Compiler<'a> {
    /// A primitive process with its parameters, once for each choice of them.
    pub(super) fn process(
        &mut self,
        process: &'a Process,
        arguments: Option<&[Value]>,
    ) -> Result<Term, Trouble> {
        let name = instance(&process.name.text, arguments);
        if let Some(term) = self.compiled.get(&name) {
            return Ok(term.clone());
        }
        self.enter(&name, &process.name)?;
        let scope = self.globals.parameters(&process.parameters, arguments)?;
        let (lts, names) = self.states_and_edges(process, &scope)?;
        let lts = self.relabelled(process, &scope, lts)?;
        let term = self.modified(process, &name, lts, names)?;
        self.open.pop();
        self.compiled.insert(name, term.clone());
        Ok(term)
    }

    fn states_and_edges(
        &mut self,
        process: &'a Process,
        scope: &Scope<'a>,
    ) -> Result<(Lts, StateNames), Trouble> {
        let mut draft = Draft::default();
        for local in &process.locals {
            self.local_states(local, scope, &mut draft)?;
        }
        let initial = draft.named.get(&process.name.text).copied();
        // One after the other, in the same order, so that what is to be done for all does not lie about.
        let globals = self.globals.clone();
        let expander = Expander::new(&globals, self.budget);
        let mut states = State::first(draft.states());
        for local in &process.locals {
            expander.each_index(&local.indices, &mut scope.clone(), &mut |_, scope| {
                let Some(state) = states.next() else {
                    return Ok(());
                };
                match self.local_body(process, state, &local.body, scope, &mut draft)? {
                    Some(choice) => self.follow(process, state, choice, scope.clone(), &mut draft),
                    None => Ok(()),
                }
            })?;
        }
        if let Some(state) = draft.circle() {
            return Err(self.unguarded(process, state, &draft));
        }
        if let Some(extension) = &process.extension {
            let globals = self.globals.clone();
            let labels =
                Expander::new(&globals, self.budget).set(extension, &mut scope.clone().of_set())?;
            for label in labels.iter() {
                draft.alphabet.push(self.system.actions.intern(label));
            }
        }
        // The main process is always among the local ones: the parser puts it first.
        let initial = initial.unwrap_or(State::from(0));
        Ok(draft.finish(initial, self.budget)?)
    }

    /// A state for each value of the indices of a local process.
    fn local_states(
        &mut self,
        local: &'a LocalProcess,
        scope: &Scope<'a>,
        draft: &mut Draft,
    ) -> Result<(), Trouble> {
        let (source, name) = (self.source(), &local.name);
        if matches!(name.text.as_str(), "STOP" | "END" | "ERROR") {
            return Err(Diagnostic::error(
                "reserved-name",
                format!("`{}` cannot be defined", name.text),
            )
            .at(
                source,
                name.span,
                "STOP, END and ERROR have a fixed meaning",
            )
            .into());
        }
        let globals = self.globals.clone();
        let expander = Expander::new(&globals, self.budget);
        expander.each_index(&local.indices, &mut scope.clone(), &mut |indices, _| {
            let key = match indices {
                "" => name.text.clone(),
                indices => format!("{}.{indices}", name.text),
            };
            check_size(draft, source, name.span)?;
            let state = draft.new_state();
            match draft.named.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(state);
                    Ok(())
                }
                Entry::Occupied(known) => Err(Diagnostic::error(
                    "duplicate",
                    format!("the local process `{}` is defined twice", known.key()),
                )
                .at(source, name.span, "defined again here")
                .into()),
            }
        })
    }

    /// `A = B, B = A`.
    fn unguarded(&self, process: &Process, state: State, draft: &Draft) -> Trouble {
        let name = draft
            .named
            .iter()
            .filter(|&(_, &named)| named == state)
            .map(|(name, _)| name.as_str())
            .min()
            .unwrap_or(&process.name.text);
        let base = name.split('.').next().unwrap_or(name);
        let local = process.locals.iter().find(|local| local.name.text == base);
        let span = local.map_or(process.name.span, |local| local.name.span);
        Diagnostic::error(
            "unguarded-recursion",
            format!("`{name}` is defined as itself without any action"),
        )
        .at(self.source(), span, "never does anything")
        .help("put an action before the reference: `(a -> P)`")
        .into()
    }

    /// `/{…}`, then `\{…}` or `@{…}`.
    fn relabelled(
        &mut self,
        process: &'a Process,
        scope: &Scope<'a>,
        mut lts: Lts,
    ) -> Result<Lts, Trouble> {
        let globals = self.globals.clone();
        let expander = Expander::new(&globals, self.budget);
        if !process.relabels.is_empty() {
            let mut pairs = Vec::new();
            for relabel in &process.relabels {
                expander.relabel(relabel, &mut scope.clone(), &mut pairs)?;
            }
            let renaming = Renaming::new(pairs);
            let mut actions = Vec::new();
            for &old in lts.alphabet() {
                let new = renaming.of(self.system.actions.name(old));
                for label in new.unwrap_or_default() {
                    actions.push((old, self.system.actions.intern(&label)));
                }
            }
            lts = rename(&lts, &actions);
        }
        let (set, hide) = match &process.hiding {
            None => return Ok(lts),
            Some(Hiding::Hide(set)) => (set, true),
            Some(Hiding::Expose(set)) => (set, false),
        };
        let labels = expander.set(set, &mut scope.clone().of_set())?;
        let prefixes = Prefixes::new(labels.iter().map(|label| &**label));
        let hidden: Vec<(Action, Action)> = lts
            .alphabet()
            .iter()
            .filter(|&&action| prefixes.cover(self.system.actions.name(action)) == hide)
            .map(|&action| (action, Action::TAU))
            .collect();
        Ok(rename(&lts, &hidden))
    }

    /// `property`, `minimal`, `deterministic`.
    fn modified(
        &mut self,
        process: &Process,
        name: &str,
        mut lts: Lts,
        names: StateNames,
    ) -> Result<Term, Trouble> {
        // A process that is ERROR from the start has no states that could have names.
        if process.property && !names.is_empty() {
            self.check_deterministic(process, &lts)?;
            lts = complete(&lts);
        }
        let mut term = Term::Process(Arc::new(lts), names);
        if process.minimal || process.deterministic {
            let machine = super::Machine {
                name: name.to_string(),
                term,
                property: None,
            };
            let mut node = machine.node(&mut self.system);
            if process.minimal {
                node = self.system.minimise(node, Equivalence::Weak);
            }
            if process.deterministic {
                node = self.system.determinise(node);
            }
            term = Term::Node(node);
        }
        Ok(term)
    }

    fn check_deterministic(&self, process: &Process, lts: &Lts) -> Result<(), Trouble> {
        let action = lts.all_states().find_map(|state| {
            let edges = lts.edges(state);
            let silent = edges.iter().find(|edge| edge.action.is_tau());
            let twice = edges
                .windows(2)
                .find(|pair| pair[0].action == pair[1].action);
            silent
                .or(twice.map(|pair| &pair[0]))
                .map(|edge| edge.action)
        });
        let Some(action) = action else {
            return Ok(());
        };
        let (message, help) = match action.is_tau() {
            true => (
                "it has a hidden action".to_string(),
                "do not hide actions of a property; leave them out of its alphabet instead",
            ),
            false => (
                format!(
                    "it has two choices for `{}`",
                    self.system.actions.name(action)
                ),
                "join the two alternatives, or make it a composite: `property ||P = …`",
            ),
        };
        Err(Diagnostic::error(
            "nondeterministic-property",
            format!("the property `{}` is not deterministic", process.name.text),
        )
        .at(self.source(), process.name.span, message)
        .help(help)
        .into())
    }

    /// How a definition comes back to itself.
    fn circle(&self, instance: &str) -> String {
        let from = self.open.iter().position(|open| open == instance);
        let mut names: Vec<&str> = self.open[from.unwrap_or(0)..]
            .iter()
            .map(String::as_str)
            .collect();
        names.push(instance);
        names.join(" needs ")
    }

    /// Notes that a definition is being compiled; one that needs itself has no meaning.
    pub(super) fn enter(
        &mut self,
        instance: &str,
        name: &crate::syntax::Name,
    ) -> Result<(), Trouble> {
        if self.open.iter().any(|open| open == instance) {
            return Err(Diagnostic::error(
                "recursion",
                format!("`{instance}` is part of its own definition"),
            )
            .at(self.source(), name.span, "needs itself to be defined")
            .note(self.circle(instance))
            .into());
        }
        if self.open.len() == super::composite::DEEPEST {
            return Err(Diagnostic::error(
                "recursion",
                format!("`{instance}` is nested too deeply in other definitions"),
            )
            .at(
                self.source(),
                name.span,
                format!("level {}", self.open.len()),
            )
            .help("end the recursion with `if`, or use `forall`")
            .into());
        }
        self.open.push(instance.to_string());
        Ok(())
    }
}

/// Fails when a process has grown too large.
pub(super) fn check_size(
    draft: &Draft,
    source: &quotient_core::Source,
    span: quotient_core::Span,
) -> Result<(), Trouble> {
    if draft.states() < MOST_STATES && draft.edges.len() < 4 * MOST_STATES {
        return Ok(());
    }
    Err(
        Diagnostic::error("too-large", "this process has too many states")
            .at(source, span, format!("more than {MOST_STATES} states"))
            .help("choose smaller ranges")
            .into(),
    )
}

/// A safety property: what it does not allow leads to the error state.
fn complete(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states())
        .initial(lts.initial())
        .alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        builder.edge(from, edge.action, edge.target);
    }
    for state in lts.all_states() {
        for &action in lts.alphabet() {
            if lts.successors(state, action).is_empty() {
                builder.edge(state, action, ERROR);
            }
        }
    }
    builder.build()
}
