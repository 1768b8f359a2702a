//! From an expression to a network.

use std::sync::Arc;

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::interior::Built;
use super::{Component, Event, Network};
use crate::operations;
use crate::product::Priority;
use crate::{Action, Equivalence, Lts, Node, NodeId, Operation, System};
use quotient_lts::{StateNames, renamings};

/// A sub-expression: leaves, and the ways in which they act together.
#[derive(Debug, Clone, Default)]
struct Fragment {
    leaves: Vec<Component>,
    vectors: Vec<Vector>,
    /// Whether the listed vectors go before all others, or after; nothing without priorities.
    high: Option<bool>,
    /// What it is called as one component.
    name: Option<Arc<str>>,
}

/// One way of acting together: a leaf stands with the own action that it contributes.
#[derive(Debug, Clone)]
struct Vector {
    name: Action,
    shown: Action,
    takers: Vec<(u32, Action)>,
    /// Whether a priority is about it.
    listed: bool,
}

/// More ways than this come from relabellings that multiply.
const MOST_VECTORS: usize = 1 << 20;
/// More components than this come from shared sub-expressions that multiply.
const MOST_LEAVES: usize = 1 << 14;

/// The components of a system; priorities of the whole are left to the network.
pub(super) fn flatten(system: &System, budget: &Budget) -> Result<Network, Stop> {
    Ok(network(system, whole(system, budget)?))
}

/// The same with a system with priorities built, as one component.
pub(super) fn flatten_built(system: &System, budget: &Budget) -> Result<Network, Stop> {
    let whole = whole(system, budget)?;
    Ok(network(system, without_priorities(system, whole, budget)?))
}

fn whole(system: &System, budget: &Budget) -> Result<Fragment, Stop> {
    let Some(root) = system.root() else {
        return Ok(Fragment::default());
    };
    let mut uses = uses(system, root);
    let mut fragments: Vec<Option<Fragment>> = vec![None; root.index() + 1];
    for index in 0..=root.index() {
        if uses[index] == 0 {
            continue;
        }
        budget.poll()?;
        let mut take = |node: NodeId| -> Fragment {
            let uses = &mut uses[node.index()];
            *uses -= 1;
            let slot = &mut fragments[node.index()];
            // The last user takes it, the others get copies.
            let fragment = if *uses == 0 {
                slot.take()
            } else {
                slot.clone()
            };
            fragment.unwrap_or_default()
        };
        let node = system.node(NodeId::from_index(index));
        let mut fragment = fragment(system, node, &mut take, budget)?;
        match (&node.name, &mut fragment.leaves[..]) {
            (Some(_), _) if fragment.high.is_some() => fragment.name.clone_from(&node.name),
            (Some(name), [leaf]) => leaf.name = name.clone(),
            _ => {}
        }
        if fragment.vectors.len() > MOST_VECTORS {
            return Err(Stop::bound("events of a system", MOST_VECTORS as u64));
        }
        fragments[index] = Some(fragment);
    }
    Ok(fragments[root.index()].take().unwrap_or_default())
}

/// How often each node is an operand; the root counts as used once.
fn uses(system: &System, root: NodeId) -> Vec<u32> {
    let mut uses = vec![0; root.index() + 1];
    uses[root.index()] = 1;
    for index in (0..=root.index()).rev() {
        if uses[index] > 0 {
            let node = system.node(NodeId::from_index(index));
            for part in node.operands() {
                uses[part.index()] += 1;
            }
        }
    }
    uses
}

fn fragment(
    system: &System,
    node: &Node,
    take: &mut impl FnMut(NodeId) -> Fragment,
    budget: &Budget,
) -> Result<Fragment, Stop> {
    Ok(match &node.operation {
        Operation::Process { name, lts, states } => {
            let mut fragment = leaf(name.clone(), lts.clone());
            fragment.leaves[0].states = states.clone();
            fragment
        }
        Operation::Parallel(parts) => {
            let mut whole = Composition::default();
            for &part in parts {
                whole.add(without_priorities(system, take(part), budget)?, budget)?;
            }
            whole.finish()
        }
        Operation::Relabel(body, pairs) => relabel(take(*body), pairs),
        Operation::Hide(body, actions) => {
            hide(take(*body), |action| actions.binary_search(&action).is_ok())
        }
        Operation::Interface(body, actions) => hide(take(*body), |action| {
            actions.binary_search(&action).is_err()
        }),
        Operation::High(body, actions) => {
            let body = without_priorities(system, take(*body), budget)?;
            prioritised(body, actions, true)
        }
        Operation::Low(body, actions) => {
            let body = without_priorities(system, take(*body), budget)?;
            prioritised(body, actions, false)
        }
        Operation::Minimise(body, equivalence) => {
            let (name, lts) = built(system, take(*body), budget)?;
            leaf(name, operations::minimise(&lts, *equivalence, budget)?)
        }
        Operation::Determinise(body) => {
            let (name, lts) = built(system, take(*body), budget)?;
            match lts.is_deterministic() {
                true => leaf(name, lts),
                false => leaf(
                    name,
                    operations::minimise(&lts, Equivalence::Trace, budget)?,
                ),
            }
        }
        Operation::Property(body) => {
            let (name, lts) = built(system, take(*body), budget)?;
            let deterministic = operations::determinise(&lts, budget)?;
            leaf(name, operations::complete(&deterministic))
        }
    })
}

fn leaf(name: Arc<str>, lts: impl Into<Arc<Lts>>) -> Fragment {
    let lts = lts.into();
    let vectors = lts.alphabet().iter().map(|&action| Vector {
        name: action,
        shown: action,
        takers: vec![(0, action)],
        listed: false,
    });
    Fragment {
        vectors: vectors.collect(),
        leaves: vec![Component {
            name,
            lts,
            states: StateNames::default(),
            built: None,
        }],
        ..Fragment::default()
    }
}

/// Some of the actions that a fragment without priorities shows go before the others, or after.
fn prioritised(mut fragment: Fragment, actions: &[Action], high: bool) -> Fragment {
    for vector in &mut fragment.vectors {
        vector.listed = !vector.shown.is_tau() && actions.contains(&vector.shown);
    }
    fragment.high = Some(high);
    fragment
}

/// Composes a fragment with priorities, without what gives way; what is left remembers where
/// its parts are.
fn without_priorities(
    system: &System,
    fragment: Fragment,
    budget: &Budget,
) -> Result<Fragment, Stop> {
    if fragment.high.is_none() {
        return Ok(fragment);
    }
    let name = fragment.name.clone();
    let name = name.unwrap_or_else(|| joined(&fragment));
    let inner = network(system, fragment);
    let mut fragment = leaf(name, inner.compose(budget)?);
    fragment.leaves[0].built = Some(Built::new(inner));
    Ok(fragment)
}

/// Operands side by side: vectors of different operands that show the same action become
/// one, in all combinations.
#[derive(Default)]
struct Composition {
    whole: Fragment,
    shared: FxHashMap<Action, Vec<Vector>>,
    /// The actions of `shared` in the order in which they were met.
    order: Vec<Action>,
}

impl Composition {
    fn add(&mut self, part: Fragment, budget: &Budget) -> Result<(), Stop> {
        let offset = self.whole.leaves.len() as u32;
        self.whole.leaves.extend(part.leaves);
        if self.whole.leaves.len() > MOST_LEAVES {
            return Err(Stop::bound("components of a system", MOST_LEAVES as u64));
        }
        let mut visible = Vec::new();
        for mut vector in part.vectors {
            for (leaf, _) in &mut vector.takers {
                *leaf += offset;
            }
            match vector.shown.is_tau() {
                true => self.whole.vectors.push(vector),
                false => visible.push(vector),
            }
        }
        visible.sort_by_key(|vector| vector.shown);
        for own in visible.chunk_by(|left, right| left.shown == right.shown) {
            let action = own[0].shown;
            let Some(others) = self.shared.get_mut(&action) else {
                self.order.push(action);
                self.shared.insert(action, own.to_vec());
                continue;
            };
            let count = others.len().saturating_mul(own.len());
            budget.charge(count as u64)?;
            if count > MOST_VECTORS {
                return Err(Stop::bound("events of a system", MOST_VECTORS as u64));
            }
            let mut both = Vec::with_capacity(count);
            for left in &*others {
                for right in own {
                    let mut vector = left.clone();
                    vector.takers.extend_from_slice(&right.takers);
                    both.push(vector);
                }
            }
            *others = both;
        }
        Ok(())
    }

    fn finish(mut self) -> Fragment {
        for action in self.order {
            let vectors = self.shared.remove(&action).unwrap_or_default();
            self.whole.vectors.extend(vectors);
        }
        self.whole
    }
}

fn relabel(mut body: Fragment, pairs: &[(Action, Action)]) -> Fragment {
    let mut vectors = Vec::with_capacity(body.vectors.len());
    for vector in body.vectors {
        let renamed = match vector.shown.is_tau() {
            true => &[],
            false => renamings(pairs, vector.shown),
        };
        if renamed.is_empty() {
            vectors.push(vector);
            continue;
        }
        for &(_, new) in renamed {
            vectors.push(Vector {
                name: if new.is_tau() { vector.name } else { new },
                shown: new,
                takers: vector.takers.clone(),
                listed: vector.listed,
            });
        }
    }
    body.vectors = vectors;
    body
}

fn hide(mut body: Fragment, hidden: impl Fn(Action) -> bool) -> Fragment {
    for vector in &mut body.vectors {
        if hidden(vector.shown) {
            vector.shown = Action::TAU;
        }
    }
    body
}

/// Composes a fragment; its name lists the names of its leaves.
fn built(system: &System, fragment: Fragment, budget: &Budget) -> Result<(Arc<str>, Lts), Stop> {
    let name = joined(&fragment);
    Ok((name, network(system, fragment).compose(budget)?))
}

fn joined(fragment: &Fragment) -> Arc<str> {
    let names: Vec<&str> = fragment.leaves.iter().map(|leaf| &*leaf.name).collect();
    match names.as_slice() {
        [] => "STOP".into(),
        [first, .., last] if names.len() > 3 => format!("{first} || … || {last}").into(),
        _ => names.join(" || ").into(),
    }
}

/// Numbers the vectors in the order of their names and gives every leaf its events.
fn network(system: &System, mut fragment: Fragment) -> Network {
    let name = |vector: &Vector| system.actions.name(vector.name);
    fragment.vectors.sort_by(|left, right| {
        (name(left), left.shown, &left.takers).cmp(&(name(right), right.shown, &right.takers))
    });
    let mut events = vec![Event {
        name: Action::TAU,
        shown: Action::TAU,
    }];
    let mut contributions: Vec<Vec<(Action, Action)>> = vec![Vec::new(); fragment.leaves.len()];
    let mut listed = Vec::new();
    for vector in &fragment.vectors {
        let event = Action::from_index(events.len());
        if vector.listed {
            listed.push(event);
        }
        events.push(Event {
            name: vector.name,
            shown: vector.shown,
        });
        for &(leaf, action) in &vector.takers {
            contributions[leaf as usize].push((action, event));
        }
    }
    let leaves = fragment.leaves.into_iter().zip(contributions);
    let components = leaves.map(|(leaf, mut pairs)| {
        pairs.sort_unstable();
        Component {
            name: leaf.name,
            lts: Arc::new(with_events(&leaf.lts, &pairs)),
            states: leaf.states,
            built: leaf.built.map(|built| built.acting(&pairs)),
        }
    });
    Network {
        components: components.collect(),
        events,
        priority: fragment.high.map(|high| Priority::new(listed, high)),
        actions: Arc::new(system.actions.clone()),
        origin: system.origin.clone(),
    }
}

/// Offers every action of a leaf as each of its events.
fn with_events(lts: &Lts, pairs: &[(Action, Action)]) -> Lts {
    lts.map_labels(|action| renamings(pairs, action).iter().map(|&(_, event)| event))
}
