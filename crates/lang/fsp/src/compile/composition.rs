//! A composite on its way: components, and what happens to them together.

use quotient_lts::{Action, Equivalence, NodeId, System};

use super::labels::Prefixes;
use super::{Machine, Term};

/// A composite with its parameters: its components and what happens to them together.
#[derive(Debug, Clone)]
pub(crate) struct Composition {
    pub(crate) name: String,
    pub(crate) machines: Vec<Machine>,
    /// `<<` (true) or `>>` (false) with its labels.
    pub(super) priority: Option<(bool, Vec<String>)>,
    /// `\` (true) or `@` (false) with its labels.
    pub(super) hiding: Option<(bool, Vec<String>)>,
    pub(super) minimal: bool,
    pub(super) deterministic: bool,
    pub(super) property: bool,
    pub(super) compose: bool,
}

impl Composition {
    /// Nothing happens to the components together, so that they may as well be components of
    /// the surrounding composite.
    pub(super) fn is_plain(&self) -> bool {
        self.priority.is_none()
            && self.hiding.is_none()
            && !(self.minimal || self.deterministic || self.property || self.compose)
    }

    /// Components with nothing done to them.
    pub(crate) fn plain(name: String, machines: Vec<Machine>) -> Composition {
        Composition {
            name,
            machines,
            priority: None,
            hiding: None,
            minimal: false,
            deterministic: false,
            property: false,
            compose: false,
        }
    }

    /// Whether it is declared a property.
    pub(crate) fn is_property(&self) -> bool {
        self.property
    }

    /// What is checked: without hiding and minimisation. A property is one for those that it is
    /// composed with; by itself it is what its components do together, as for LTSA.
    pub(crate) fn unreduced(&self) -> Composition {
        Composition {
            hiding: None,
            minimal: false,
            deterministic: false,
            property: false,
            ..self.clone()
        }
    }

    /// The composite as one component.
    pub(super) fn created(&self, system: &mut System) -> Machine {
        if let (true, [machine]) = (self.is_plain(), self.machines.as_slice()) {
            return machine.clone();
        }
        Machine {
            name: self.name.clone(),
            term: Term::Node(self.node(system)),
            property: None,
        }
    }

    /// The composite as an expression: composition, priority, hiding, reduction.
    pub(crate) fn node(&self, system: &mut System) -> NodeId {
        let parts: Vec<NodeId> = self
            .machines
            .iter()
            .map(|machine| machine.node(system))
            .collect();
        let mut node = match parts.as_slice() {
            [part] => *part,
            _ => system.parallel(parts),
        };
        if let Some((high, labels)) = &self.priority {
            let actions = covered(system, node, labels);
            node = match high {
                true => system.high(node, actions),
                false => system.low(node, actions),
            };
        }
        if let Some((hide, labels)) = &self.hiding {
            let actions = covered(system, node, labels);
            node = match hide {
                true => system.hide(node, actions),
                false => system.interface(node, actions),
            };
        }
        if self.deterministic || self.property {
            node = system.determinise(node);
            if self.property {
                node = system.property(node);
            }
        } else if self.minimal {
            node = system.minimise(node, Equivalence::Weak);
        }
        node
    }
}

/// The actions of a node that are in a set of labels or have a prefix there.
fn covered(system: &System, node: NodeId, labels: &[String]) -> Vec<Action> {
    let prefixes = Prefixes::new(labels.iter().map(String::as_str));
    let machine = Machine {
        name: String::new(),
        term: Term::Node(node),
        property: None,
    };
    machine.matching(&prefixes, system)
}
