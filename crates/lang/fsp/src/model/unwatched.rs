//! Properties that watch what nobody does, and those that nobody checks.

use std::sync::Arc;

use quotient_core::{Diagnostic, Span};
use quotient_lts::{Action, LtsBuilder, NodeId, Operation, System};
use rustc_hash::FxHashSet;

use super::Model;
use super::mistakes::used;
use crate::compile::{Machine, Term};
use crate::question::ENVIRONMENT;
use crate::syntax::{Composite, Definition};

impl Model {
    /// Properties that no composite uses, but for those that are watched all the same: where there
    /// is a composite they are no part of the system, and nobody checks them.
    pub(crate) fn unused_properties(&self, watched: &[String]) -> Vec<Diagnostic> {
        let definitions = &self.specification.definitions;
        let composites = definitions
            .iter()
            .filter_map(|definition| match definition {
                Definition::Composite(composite) => Some(composite),
                _ => None,
            });
        let composites: Vec<&Composite> = composites.collect();
        let Some(system) = composites.last() else {
            return Vec::new();
        };
        let names = composites
            .iter()
            .flat_map(|composite| used(&composite.body));
        let names: FxHashSet<&str> = names.map(|name| name.text.as_str()).collect();
        let mut warnings = Vec::new();
        for definition in definitions {
            let name = match definition {
                Definition::Process(process) if process.property => &process.name,
                Definition::Composite(one) if one.property && one.name != system.name => &one.name,
                _ => continue,
            };
            let text = name.text.as_str();
            let is_it = |watched: &String| watched.split('(').next() == Some(text);
            if names.contains(text) || watched.iter().any(is_it) {
                continue;
            }
            let message = format!("no composite uses the property `{text}`: it is not checked");
            let system = &system.name.text;
            let help = format!("add it to `||{system}`, or check it with `--watch {text}`");
            let warning = Diagnostic::warning("unused-property", message);
            let warning = warning.at(&self.source, name.span, "this property");
            warnings.push(warning.help(help));
        }
        warnings
    }

    /// A property that watches an action that nobody does is mostly a slip of the pen.
    pub(super) fn unwatched(&self, machines: &[Machine], system: &System) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        let others: FxHashSet<Action> = machines
            .iter()
            .filter(|machine| machine.property.is_none())
            .flat_map(|machine| machine.alphabet(system))
            .copied()
            .collect();
        if others.is_empty() {
            return warnings;
        }
        for machine in machines {
            let Some(span) = machine.property else {
                continue;
            };
            let alone = machine
                .alphabet(system)
                .iter()
                .map(|&action| (action, system.actions.name(action)))
                .filter(|(action, _)| !others.contains(action));
            let mut alone: Vec<&str> = alone.map(|(_, label)| label).collect();
            alone.sort_unstable();
            let Some(first) = alone.first() else {
                warnings.extend(self.idle(machine, span));
                continue;
            };
            let mut labels: Vec<&str> = others
                .iter()
                .map(|&action| system.actions.name(action))
                .collect();
            labels.sort_unstable();
            let more = match alone.len() {
                1 => String::new(),
                2 => " (and 1 other)".to_owned(),
                count => format!(" (and {} others)", count - 1),
            };
            let hidden = system.actions.get(first).is_some_and(|action| {
                let nodes = system.root().map_or(0, |root| root.index() + 1);
                (0..nodes).any(|node| hides(system, NodeId::from_index(node), action))
            });
            let (why, help) = match hidden {
                true => ("is hidden", Some("compose the property before hiding")),
                false => ("no component does", None),
            };
            let diagnostic = Diagnostic::warning(
                "unshared-action",
                format!(
                    "the property `{}` watches `{first}`{more}, which {why}",
                    machine.name
                ),
            )
            .at(&self.source, span, "this property");
            warnings.push(match help {
                Some(help) => diagnostic.help(help),
                None => diagnostic.did_you_mean(first, labels),
            });
        }
        warnings
    }

    /// A property that nothing violates.
    fn idle(&self, machine: &Machine, span: Span) -> Option<Diagnostic> {
        let is_idle = matches!(&machine.term, Term::Process(lts, _) if !lts.has_error());
        let message = format!(
            "the property `{}` allows its actions in any order",
            machine.name
        );
        let warning = Diagnostic::warning("idle-property", message);
        let warning = warning.at(&self.source, span, "nothing violates this");
        let help = "add what must not happen to its alphabet: `property P = (a -> P) + {b}.`";
        is_idle.then(|| warning.help(help))
    }
}

/// Takes out the properties. What only they know may happen at any time without them, and
/// somebody has to do it. A system of nothing but properties stays as it is.
pub(super) fn without_watchers(machines: &mut Vec<Machine>, system: &System) {
    let (watching, acting): (Vec<Machine>, Vec<Machine>) = std::mem::take(machines)
        .into_iter()
        .partition(|machine| machine.property.is_some());
    if acting.is_empty() || watching.is_empty() {
        *machines = if acting.is_empty() { watching } else { acting };
        return;
    }
    let known: FxHashSet<Action> = acting
        .iter()
        .flat_map(|machine| machine.alphabet(system))
        .copied()
        .collect();
    let mut anything = LtsBuilder::new();
    for &action in watching.iter().flat_map(|machine| machine.alphabet(system)) {
        if !known.contains(&action) {
            anything.edge(0, action, 0);
        }
    }
    let anything = anything.build();
    *machines = acting;
    if anything.transitions() > 0 {
        machines.push(Machine {
            name: ENVIRONMENT.to_owned(),
            term: Term::Process(Arc::new(anything), [].into()),
            property: None,
        });
    }
}

/// Whether an action of what a node is made of is not one of the node.
fn hides(system: &System, node: NodeId, action: Action) -> bool {
    let knows = |node: NodeId| system.alphabet(node).binary_search(&action).is_ok();
    let hiding = matches!(
        system.node(node).operation,
        Operation::Hide(..) | Operation::Interface(..)
    );
    hiding && !knows(node) && system.node(node).operands().iter().any(|&part| knows(part))
}

#[cfg(test)]
mod tests {
    use quotient_core::Source;

    use super::*;

    fn told(text: &str, watched: &[&str]) -> Vec<String> {
        let model = Model::read(&Source::new("m.lts", text)).unwrap();
        let watched: Vec<String> = watched.iter().map(|&name| name.to_owned()).collect();
        let warnings = model.unused_properties(&watched).into_iter();
        warnings.map(|warning| warning.message).collect()
    }

    #[test]
    fn a_property_that_no_composite_uses_is_told() {
        let text = "P = (a -> b -> P). property Q = (a -> b -> Q). property R = (b -> R).";
        assert!(told(text, &[]).is_empty());
        let text = format!("{text} ||S = (P || Q).");
        let expected = "no composite uses the property `R`: it is not checked";
        assert_eq!(told(&text, &[]), [expected]);
        assert!(told(&text, &["R"]).is_empty());
        assert_eq!(told(&format!("{text} ||T = (S || x:R)."), &[]), [""; 0]);
    }
}
