//! A system taken apart.
//!
//! The system is an expression. It is taken apart by the definitions of its operations: the
//! components are the leaves; an event is one way in which leaves act together, and has the
//! action that it shows at the top. What has priorities or is minimised is multiplied out and
//! counts as a leaf; priorities of the whole stay with the events.

use quotient_core::{Budget, Stop};
use quotient_lts::{
    Action, ERROR, Equivalence, Lts, LtsBuilder, Node, NodeId, Operation, State, System, renamings,
};

use super::reduce;
use super::whole::{Reachable, Whole};
use crate::Rejection;

/// A sub-expression: leaves with names, and the ways in which they act together.
#[derive(Debug, Clone, Default)]
pub(super) struct Fragment {
    leaves: Vec<(String, Lts)>,
    vectors: Vec<Vector>,
    /// Whether the listed vectors go before all others, or after; nothing without priorities.
    high: Option<bool>,
    /// What it is called as one component.
    name: Option<String>,
}

/// One way of acting together.
#[derive(Debug, Clone)]
struct Vector {
    /// Its last name before it was hidden.
    name: Action,
    shown: Action,
    /// Each leaf that takes part, with its own action.
    takers: Vec<(usize, Action)>,
    /// Whether a priority is about it.
    listed: bool,
}

/// More ways of acting together, or leaves, than a system of any sense has.
const MOST: usize = 1 << 20;

impl Fragment {
    /// Operands come before what is made of them, so one pass is enough.
    pub(super) fn of(
        system: &System,
        root: NodeId,
        budget: &Budget,
    ) -> Result<Fragment, Rejection> {
        let mut needed = vec![false; root.index() + 1];
        needed[root.index()] = true;
        for index in (0..=root.index())
            .rev()
            .filter(|&index| index <= root.index())
        {
            if needed[index] {
                for operand in system.node(NodeId::from_index(index)).operands() {
                    needed[operand.index()] = true;
                }
            }
        }
        let mut made: Vec<Fragment> = Vec::new();
        for (index, needed) in needed.into_iter().enumerate() {
            let node = system.node(NodeId::from_index(index));
            let mut fragment = match needed {
                true => Fragment::made(system, node, &made, budget)?,
                false => Fragment::default(),
            };
            match (&node.name, &mut fragment.leaves[..]) {
                (Some(name), _) if fragment.high.is_some() => {
                    fragment.name = Some(name.to_string());
                }
                (Some(name), [(leaf, _)]) => *leaf = name.to_string(),
                _ => {}
            }
            budget.charge((fragment.vectors.len() + fragment.leaves.len()) as u64 + 1)?;
            if fragment.vectors.len() > MOST || fragment.leaves.len() > MOST {
                return Err(Stop::bound("events of a system", MOST as u64).into());
            }
            made.push(fragment);
        }
        Ok(made.pop().unwrap_or_default())
    }

    fn made(
        system: &System,
        node: &Node,
        made: &[Fragment],
        budget: &Budget,
    ) -> Result<Fragment, Rejection> {
        let of = |node: &NodeId| made[node.index()].clone();
        let built = |node: &NodeId| made[node.index()].built(system, budget);
        let plain = |node: &NodeId| of(node).without_priorities(system, budget);
        let leaf = |name: String, lts: Lts| Ok(Fragment::leaf(name, lts));
        match &node.operation {
            Operation::Process { name, lts, .. } => leaf(name.to_string(), Lts::clone(lts)),
            Operation::Parallel(parts) => {
                let mut whole = Fragment::default();
                for part in parts {
                    whole = whole.beside(plain(part)?, budget)?;
                }
                Ok(whole)
            }
            Operation::Relabel(body, pairs) => Ok(of(body).relabelled(pairs)),
            Operation::Hide(body, actions) => {
                Ok(of(body).hidden(|action| actions.contains(&action)))
            }
            Operation::Interface(body, actions) => {
                Ok(of(body).hidden(|action| !actions.contains(&action)))
            }
            Operation::High(body, actions) => Ok(plain(body)?.prioritised(actions, true)),
            Operation::Low(body, actions) => Ok(plain(body)?.prioritised(actions, false)),
            Operation::Minimise(body, equivalence) => {
                let (name, lts) = built(body)?;
                let smaller = match equivalence {
                    Equivalence::Strong => lts,
                    Equivalence::Weak => reduce::weakly_minimal(&lts, budget)?,
                    Equivalence::Trace => reduce::deterministic(&lts, budget)?,
                };
                leaf(name, smaller)
            }
            Operation::Determinise(body) => {
                let (name, lts) = built(body)?;
                leaf(name, reduce::deterministic(&lts, budget)?)
            }
            Operation::Property(body) => {
                let (name, lts) = built(body)?;
                let deterministic = reduce::deterministic(&lts, budget)?;
                leaf(name, reduce::completed(&deterministic, budget)?)
            }
        }
    }

    fn leaf(name: String, lts: Lts) -> Fragment {
        let vector = |&action: &Action| Vector {
            name: action,
            shown: action,
            takers: vec![(0, action)],
            listed: false,
        };
        Fragment {
            vectors: lts.alphabet().iter().map(vector).collect(),
            leaves: vec![(name, lts)],
            ..Fragment::default()
        }
    }

    /// The listed actions go before all others, or after.
    fn prioritised(mut self, actions: &[Action], high: bool) -> Fragment {
        for vector in &mut self.vectors {
            vector.listed = !vector.shown.is_tau() && actions.contains(&vector.shown);
        }
        self.high = Some(high);
        self
    }

    /// The same, multiplied out if there are priorities.
    pub(super) fn without_priorities(
        self,
        system: &System,
        budget: &Budget,
    ) -> Result<Fragment, Rejection> {
        if self.high.is_none() {
            return Ok(self);
        }
        let (name, lts) = self.built(system, budget)?;
        Ok(Fragment::leaf(self.name.unwrap_or(name), lts))
    }

    /// Whether each event, silence first, goes before those that do not.
    pub(super) fn winners(&self, system: &System) -> Option<Vec<bool>> {
        let high = self.high?;
        let listed = self
            .in_order(system)
            .into_iter()
            .map(|vector| vector.listed);
        let all = std::iter::once(false).chain(listed);
        Some(all.map(|listed| listed == high).collect())
    }

    /// Vectors that show the same action happen together, in all combinations.
    fn beside(mut self, mut other: Fragment, budget: &Budget) -> Result<Fragment, Rejection> {
        let offset = self.leaves.len();
        for vector in &mut other.vectors {
            vector.takers.iter_mut().for_each(|taker| taker.0 += offset);
        }
        let shows = |vectors: &[Vector], action: Action| {
            !action.is_tau() && vectors.iter().any(|vector| vector.shown == action)
        };
        let mut vectors = Vec::new();
        for left in &self.vectors {
            budget.charge(other.vectors.len() as u64)?;
            if !shows(&other.vectors, left.shown) {
                vectors.push(left.clone());
                continue;
            }
            for right in other
                .vectors
                .iter()
                .filter(|right| right.shown == left.shown)
            {
                let mut both = left.clone();
                both.takers.extend(&right.takers);
                vectors.push(both);
            }
            if vectors.len() > MOST {
                return Err(Stop::bound("events of a system", MOST as u64).into());
            }
        }
        for right in other.vectors {
            if !shows(&self.vectors, right.shown) {
                vectors.push(right);
            }
        }
        self.leaves.extend(other.leaves);
        self.vectors = vectors;
        Ok(self)
    }

    fn relabelled(mut self, pairs: &[(Action, Action)]) -> Fragment {
        let mut vectors = Vec::new();
        for vector in self.vectors {
            let renamed = match vector.shown.is_tau() {
                true => &[],
                false => renamings(pairs, vector.shown),
            };
            for &(_, new) in renamed {
                let mut vector = vector.clone();
                vector.shown = new;
                vector.name = if new.is_tau() { vector.name } else { new };
                vectors.push(vector);
            }
            if renamed.is_empty() {
                vectors.push(vector);
            }
        }
        self.vectors = vectors;
        self
    }

    fn hidden(mut self, is_hidden: impl Fn(Action) -> bool) -> Fragment {
        for vector in &mut self.vectors {
            if is_hidden(vector.shown) {
                vector.shown = Action::TAU;
            }
        }
        self
    }

    /// The vectors in the order of their events.
    fn in_order(&self, system: &System) -> Vec<&Vector> {
        let name = |vector: &Vector| system.actions.name(vector.name);
        let mut vectors: Vec<&Vector> = self.vectors.iter().collect();
        vectors.sort_by_key(|vector| (name(vector), vector.shown, &vector.takers));
        vectors
    }

    /// Numbers the vectors and gives the leaves these events for actions: the name and the
    /// action of each event, and the leaves.
    pub(super) fn numbered<'a>(
        &self,
        system: &'a System,
    ) -> (Vec<(&'a str, Action)>, Vec<(String, Lts)>) {
        let name = |vector: &Vector| system.actions.name(vector.name);
        let vectors = self.in_order(system);
        let mut shown = vec![("tau", Action::TAU)];
        let mut pairs: Vec<Vec<(Action, Action)>> = vec![Vec::new(); self.leaves.len()];
        for vector in vectors {
            for &(leaf, action) in &vector.takers {
                pairs[leaf].push((action, Action::from_index(shown.len())));
            }
            shown.push((name(vector), vector.shown));
        }
        let leaves = self.leaves.iter().zip(&mut pairs);
        let renamed = leaves.map(|((name, lts), pairs)| {
            pairs.sort_unstable();
            let mut builder = LtsBuilder::shaped_like(lts);
            builder.alphabet(pairs.iter().map(|&(_, event)| event));
            for (from, edge) in lts.all_edges() {
                if edge.action.is_tau() {
                    builder.edge(from, Action::TAU, edge.target);
                }
                for &(_, event) in renamings(pairs, edge.action) {
                    builder.edge(from, event, edge.target);
                }
            }
            (name.clone(), builder.build())
        });
        let renamed = renamed.collect();
        (shown, renamed)
    }

    /// Multiplies the leaves out. All ends are one.
    pub(super) fn built(
        &self,
        system: &System,
        budget: &Budget,
    ) -> Result<(String, Lts), Rejection> {
        let (shown, leaves) = self.numbered(system);
        let mut whole = Whole::new(leaves.iter().map(|(_, lts)| lts));
        if let Some(wins) = self.winners(system) {
            whole = whole.with_winners(wins);
        }
        let mut builder = LtsBuilder::new();
        builder.alphabet(shown.iter().map(|&(_, action)| action));
        let initial = whole.initial();
        let reachable = Reachable::from(&whole, &initial, budget)?;
        if initial.contains(&ERROR) {
            builder.initial(ERROR);
        }
        let ended = |number: usize| {
            reachable.steps[number].is_empty() && whole.has_ended(reachable.states.get(number))
        };
        let end = (0..reachable.states.len()).find(|&number| ended(number));
        let place = |number: usize| match end {
            Some(end) if ended(number) => State::from_index(end),
            _ => State::from_index(number),
        };
        for (number, steps) in reachable.steps.iter().enumerate() {
            for &(event, target) in steps {
                let target = target.map_or(ERROR, |target| place(target as usize));
                builder.edge(place(number), shown[event.index()].1, target);
            }
        }
        if let Some(end) = end {
            builder.end(State::from_index(end));
        }
        let names: Vec<&str> = leaves.iter().map(|(name, _)| name.as_str()).collect();
        let name = match names[..] {
            [] => "STOP".to_owned(),
            [first, _, _, .., last] => format!("{first} || … || {last}"),
            _ => names.join(" || "),
        };
        Ok((name, builder.build()))
    }
}
