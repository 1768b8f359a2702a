//! Components put together, as an expression.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Action, Actions, Lts};

/// A system: an expression over components, kept as written.
///
/// The expression is a list of nodes in which a node comes after its operands, so that
/// everything about it is computed by one pass from left to right, whatever its depth.
/// The last node added is the system, unless [`root`](System::set_root) says otherwise.
///
/// ```
/// use quotient_lts::{LtsBuilder, System};
/// let mut system = System::new();
/// let (a, b) = (system.actions.intern("a"), system.actions.intern("b"));
/// let mut builder = LtsBuilder::new();
/// builder.edge(0, a, 0);
/// let left = system.process("P", builder.build());
/// let right = system.relabel(left, [(a, b)]);
/// let both = system.parallel([left, right]);
/// assert_eq!(system.alphabet(both), [a, b]);
/// assert_eq!(system.root(), Some(both));
/// ```
#[derive(Debug, Clone, Default)]
pub struct System {
    /// The names of the actions of all components.
    pub actions: Actions,
    /// Where it comes from.
    pub origin: Origin,
    nodes: Vec<Node>,
    root: Option<NodeId>,
}

/// What a text was asked for, so that a checker of evidence can ask it for the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The system of the text; the last one if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Properties that were added to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    /// Constants that were given other values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<(String, i32)>,
}

/// A node of one [`System`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Its place in the list.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node at a place of the list.
    ///
    /// # Panics
    /// If the place does not fit in 32 bits.
    pub fn from_index(index: usize) -> NodeId {
        match u32::try_from(index) {
            Ok(place) => NodeId(place),
            Err(_) => panic!("a system has at most 2^32 nodes"),
        }
    }
}

/// An operation with the alphabet of its result.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it does.
    pub operation: Operation,
    /// What the text calls it, for reports: the name of the component that it becomes if it has
    /// to be built.
    pub name: Option<Arc<str>>,
    alphabet: Vec<Action>,
}

impl Node {
    /// The nodes that it is made of; all come before it.
    pub fn operands(&self) -> &[NodeId] {
        match &self.operation {
            Operation::Process { .. } => &[],
            Operation::Parallel(parts) => parts,
            Operation::Relabel(body, _)
            | Operation::Hide(body, _)
            | Operation::Interface(body, _)
            | Operation::High(body, _)
            | Operation::Low(body, _)
            | Operation::Minimise(body, _)
            | Operation::Determinise(body)
            | Operation::Property(body) => std::slice::from_ref(body),
        }
    }
}

/// What a node does with its operands.
#[derive(Debug, Clone)]
pub enum Operation {
    /// A component.
    Process {
        /// Its name, for reports.
        name: Arc<str>,
        /// What it does.
        lts: Arc<Lts>,
        /// What its text calls each of its states.
        states: StateNames,
    },
    /// All side by side: shared actions happen together, others alone.
    Parallel(Vec<NodeId>),
    /// Each action that is left in some pair becomes the right of those pairs (several rights
    /// give alternatives); others stay. Sorted by left, then right.
    Relabel(NodeId, Vec<(Action, Action)>),
    /// These actions become silent. Sorted.
    Hide(NodeId, Vec<Action>),
    /// All actions but these become silent. Sorted.
    Interface(NodeId, Vec<Action>),
    /// Where one of these actions is possible, all others, the silent one too, are dropped.
    /// Sorted.
    High(NodeId, Vec<Action>),
    /// These actions are dropped wherever another is possible. Sorted.
    Low(NodeId, Vec<Action>),
    /// The smallest system that is the same up to an equivalence.
    Minimise(NodeId, Equivalence),
    /// The smallest deterministic system with the same traces; what is deterministic already
    /// stays as it is.
    Determinise(NodeId),
    /// Made deterministic, then every action of the alphabet that a state does not allow
    /// leads to the error state.
    Property(NodeId),
}

/// What a text calls each state of a process, where it has a name for it; empty where nothing
/// is known.
pub type StateNames = Arc<[Option<String>]>;

/// When two systems count as the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Equivalence {
    /// Strong bisimulation: step by step, silent steps too.
    Strong,
    /// Weak bisimulation (observation equivalence): silent steps do not count.
    Weak,
    /// Equal sets of traces, and of traces that lead to the error state.
    Trace,
}

impl System {
    /// No components yet.
    pub fn new() -> System {
        System::default()
    }

    /// Adds a component.
    pub fn process(&mut self, name: impl Into<Arc<str>>, lts: impl Into<Arc<Lts>>) -> NodeId {
        self.process_with_states(name, lts, StateNames::default())
    }

    /// Adds a component with names for its states.
    pub fn process_with_states(
        &mut self,
        name: impl Into<Arc<str>>,
        lts: impl Into<Arc<Lts>>,
        states: StateNames,
    ) -> NodeId {
        let (name, lts) = (name.into(), lts.into());
        let alphabet = lts.alphabet().to_vec();
        self.add(Operation::Process { name, lts, states }, alphabet)
    }

    /// Puts nodes side by side.
    pub fn parallel(&mut self, parts: impl IntoIterator<Item = NodeId>) -> NodeId {
        let parts: Vec<NodeId> = parts.into_iter().collect();
        let alphabet = parts
            .iter()
            .flat_map(|&part| self.alphabet(part).iter().copied())
            .collect();
        self.add(Operation::Parallel(parts), alphabet)
    }

    /// Renames actions: `(old, new)`; an old action with several new ones is offered as each
    /// of them. A new action that is the silent one hides the old.
    pub fn relabel(
        &mut self,
        body: NodeId,
        pairs: impl IntoIterator<Item = (Action, Action)>,
    ) -> NodeId {
        let mut pairs: Vec<(Action, Action)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut alphabet = Vec::new();
        for &action in self.alphabet(body) {
            let renamed = renamings(&pairs, action);
            match renamed.is_empty() {
                true => alphabet.push(action),
                false => alphabet.extend(renamed.iter().map(|&(_, new)| new)),
            }
        }
        self.add(Operation::Relabel(body, pairs), alphabet)
    }

    /// Makes actions silent (`\`).
    pub fn hide(&mut self, body: NodeId, actions: impl IntoIterator<Item = Action>) -> NodeId {
        let actions = sorted(actions);
        let alphabet = self.alphabet_where(body, |action| actions.binary_search(action).is_err());
        self.add(Operation::Hide(body, actions), alphabet)
    }

    /// Makes all other actions silent (`@`).
    pub fn interface(&mut self, body: NodeId, actions: impl IntoIterator<Item = Action>) -> NodeId {
        let actions = sorted(actions);
        let alphabet = self.alphabet_where(body, |action| actions.binary_search(action).is_ok());
        self.add(Operation::Interface(body, actions), alphabet)
    }

    /// Gives actions priority over all others.
    pub fn high(&mut self, body: NodeId, actions: impl IntoIterator<Item = Action>) -> NodeId {
        let alphabet = self.alphabet(body).to_vec();
        self.add(Operation::High(body, sorted(actions)), alphabet)
    }

    /// Gives all other actions priority over these.
    pub fn low(&mut self, body: NodeId, actions: impl IntoIterator<Item = Action>) -> NodeId {
        let alphabet = self.alphabet(body).to_vec();
        self.add(Operation::Low(body, sorted(actions)), alphabet)
    }

    /// Minimises (`minimal`).
    pub fn minimise(&mut self, body: NodeId, equivalence: Equivalence) -> NodeId {
        let alphabet = self.alphabet(body).to_vec();
        self.add(Operation::Minimise(body, equivalence), alphabet)
    }

    /// Makes deterministic (`deterministic`).
    pub fn determinise(&mut self, body: NodeId) -> NodeId {
        let alphabet = self.alphabet(body).to_vec();
        self.add(Operation::Determinise(body), alphabet)
    }

    /// Makes a property of it (`property`).
    pub fn property(&mut self, body: NodeId) -> NodeId {
        let alphabet = self.alphabet(body).to_vec();
        self.add(Operation::Property(body), alphabet)
    }

    fn add(&mut self, operation: Operation, alphabet: Vec<Action>) -> NodeId {
        let mut alphabet = sorted(alphabet);
        alphabet.retain(|action| !action.is_tau());
        self.nodes.push(Node {
            operation,
            name: None,
            alphabet,
        });
        let node = NodeId::from_index(self.nodes.len() - 1);
        self.root = Some(node);
        node
    }

    fn alphabet_where(&self, body: NodeId, keep: impl Fn(&Action) -> bool) -> Vec<Action> {
        self.alphabet(body).iter().copied().filter(keep).collect()
    }

    /// Says what the text calls a node.
    pub fn set_name(&mut self, node: NodeId, name: impl Into<Arc<str>>) {
        self.nodes[node.index()].name = Some(name.into());
    }

    /// The node that the system is; none while there are no nodes.
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// Makes a node the system.
    pub fn set_root(&mut self, root: NodeId) {
        self.root = Some(root);
    }

    /// The actions of a node, sorted, without the silent one.
    pub fn alphabet(&self, node: NodeId) -> &[Action] {
        &self.nodes[node.index()].alphabet
    }

    /// A node.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }
}

/// The pairs with this left action, of pairs sorted by it.
pub fn renamings(pairs: &[(Action, Action)], action: Action) -> &[(Action, Action)] {
    let from = pairs.partition_point(|&(old, _)| old < action);
    let to = pairs.partition_point(|&(old, _)| old <= action);
    &pairs[from..to]
}

fn sorted(actions: impl IntoIterator<Item = Action>) -> Vec<Action> {
    let mut actions: Vec<Action> = actions.into_iter().collect();
    actions.sort_unstable();
    actions.dedup();
    actions
}
