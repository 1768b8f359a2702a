//! A component of a composite on its way.

use std::sync::Arc;

use quotient_core::Span;
use quotient_lts::{Action, Lts, LtsBuilder, NodeId, StateNames, System};

use super::labels::{Prefixes, Renaming, rename};

/// A component with its name in reports.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) name: String,
    pub(crate) term: Term,
    /// Where it is defined, if it is a property process.
    pub(crate) property: Option<Span>,
}

/// A component: one transition system, or an expression that is not multiplied out.
#[derive(Debug, Clone)]
pub(crate) enum Term {
    Process(Arc<Lts>, StateNames),
    Node(NodeId),
}

impl Term {
    /// A process as a component. LTSA knows an END only after some action: a process that does
    /// nothing at all is stuck there.
    pub(crate) fn into_component(self) -> Term {
        match self {
            Term::Process(lts, names) if lts.end() == Some(lts.initial()) => {
                let mut stuck = LtsBuilder::new();
                stuck.at_least(1).alphabet(lts.alphabet().iter().copied());
                Term::Process(Arc::new(stuck.build()), names)
            }
            other => other,
        }
    }
}

impl Machine {
    pub(crate) fn alphabet<'s>(&'s self, system: &'s System) -> &'s [Action] {
        match &self.term {
            Term::Process(lts, _) => lts.alphabet(),
            Term::Node(node) => system.alphabet(*node),
        }
    }

    /// `prefix:P`.
    pub(crate) fn prefix(&mut self, prefix: &str, system: &mut System) {
        self.name = format!("{prefix}:{}", self.name);
        let pairs = self.pairs(system, |label| vec![format!("{prefix}.{label}")]);
        self.rename(&pairs, system);
    }

    /// `{a,b}::P`.
    pub(crate) fn share(&mut self, prefixes: &[String], system: &mut System) {
        if prefixes.is_empty() {
            return;
        }
        self.name = format!("{{{}}}::{}", prefixes.join(","), self.name);
        let pairs = self.pairs(system, |label| {
            let shared = prefixes.iter().map(|prefix| format!("{prefix}.{label}"));
            shared.collect()
        });
        self.rename(&pairs, system);
    }

    /// `P/{new/old}`.
    pub(crate) fn relabel(&mut self, renaming: &Renaming, system: &mut System) {
        let pairs = self.pairs(system, |label| renaming.of(label).unwrap_or_default());
        self.rename(&pairs, system);
    }

    /// The actions of the alphabet that are in a set or have a prefix there.
    pub(crate) fn matching(&self, prefixes: &Prefixes, system: &System) -> Vec<Action> {
        let alphabet = self.alphabet(system).iter().copied();
        alphabet
            .filter(|&action| prefixes.cover(system.actions.name(action)))
            .collect()
    }

    /// Old and new actions, for the labels of the alphabet that have new ones.
    fn pairs(
        &self,
        system: &mut System,
        new: impl Fn(&str) -> Vec<String>,
    ) -> Vec<(Action, Action)> {
        let mut pairs = Vec::new();
        for old in self.alphabet(system).to_vec() {
            for label in new(system.actions.name(old)) {
                pairs.push((old, system.actions.intern(&label)));
            }
        }
        pairs
    }

    fn rename(&mut self, pairs: &[(Action, Action)], system: &mut System) {
        if pairs.is_empty() {
            return;
        }
        self.term = match &self.term {
            Term::Process(lts, names) => Term::Process(Arc::new(rename(lts, pairs)), names.clone()),
            Term::Node(node) => Term::Node(system.relabel(*node, pairs.iter().copied())),
        };
    }

    /// The component as a node of the system.
    pub(crate) fn node(&self, system: &mut System) -> NodeId {
        match &self.term {
            Term::Process(lts, names) => {
                system.process_with_states(self.name.as_str(), lts.clone(), names.clone())
            }
            Term::Node(node) => {
                system.set_name(*node, self.name.as_str());
                *node
            }
        }
    }
}
