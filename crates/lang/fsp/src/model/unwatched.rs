//! Properties that watch what nobody does.

use quotient_compose::{Action, NodeId, Operation, System};
use quotient_core::Diagnostic;
use rustc_hash::FxHashSet;

use super::Model;
use crate::compile::Machine;

impl Model {
    /// A property that watches an action that nobody does is mostly a slip of the pen.
    pub(super) fn unwatched(&self, machines: &[Machine], system: &System) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        for (number, machine) in machines.iter().enumerate() {
            let Some(span) = machine.property else {
                continue;
            };
            let others: FxHashSet<Action> = machines
                .iter()
                .enumerate()
                .filter(|&(other, machine)| other != number && machine.property.is_none())
                .flat_map(|(_, machine)| machine.alphabet(system))
                .copied()
                .collect();
            if others.is_empty() {
                continue;
            }
            let alone = machine
                .alphabet(system)
                .iter()
                .map(|&action| (action, system.actions.name(action)))
                .filter(|(action, _)| !others.contains(action));
            let mut alone: Vec<&str> = alone.map(|(_, label)| label).collect();
            alone.sort_unstable();
            let Some(first) = alone.first() else {
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
