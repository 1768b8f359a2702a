//! Are the components of the evidence those of the system?
//!
//! The system is an expression. It is taken apart by the definitions of its operations: the
//! components are the leaves; an event is one way in which leaves act together, and has the
//! action that it shows at the top. What has priorities or is minimised is multiplied out and
//! counts as a leaf.

use quotient_core::{Budget, Stop};
use quotient_lts::evidence::{LtsData, SystemData};
use quotient_lts::{
    Action, ERROR, Equivalence, Lts, LtsBuilder, Node, NodeId, Operation, System, renamings,
};

use super::reduce;
use super::whole::{Reachable, Whole};
use crate::Rejection;

/// A system as the evidence gives it, found to be that of the model.
#[derive(Debug)]
pub(super) struct Model {
    /// The names of the components.
    pub(super) names: Vec<String>,
    /// The components, over events.
    pub(super) parts: Vec<Lts>,
    /// The components that only watch and were left idle.
    idle: Vec<bool>,
    /// The names of the events by number.
    pub(super) events: Vec<String>,
    /// The actions that the events show as.
    pub(super) shown: Vec<Action>,
    /// The names of actions, by number.
    pub(super) actions: quotient_lts::Actions,
}

impl Model {
    /// All components side by side.
    pub(super) fn whole(&self) -> Whole<'_> {
        Whole::new(&self.parts)
    }

    /// Whether a text names components, and none that was left idle.
    pub(super) fn has_all(&self, names: &str) -> bool {
        let is_there = |name: &str| {
            let mut known = self.names.iter().zip(&self.idle);
            known.any(|(known, idle)| known == name && !idle)
        };
        names.split(", ").all(is_there)
    }
}

/// Compares a system with the model. A component that only watches may be left idle: others
/// behave the same without it.
pub(super) fn matched(
    data: &SystemData,
    system: &System,
    budget: &Budget,
) -> Result<Model, Rejection> {
    let fragment = match system.root() {
        Some(root) => Fragment::of(system, root, budget)?,
        None => Fragment::default(),
    };
    let (shown, own) = fragment.numbered(system);
    let differs = |what: &str| Rejection::wrong(format!("{what} not the model's"));
    let names = std::iter::once("tau").chain(shown.iter().skip(1).map(|event| event.0));
    if !names.eq(data.events.iter().map(String::as_str)) {
        return Err(differs("the events are"));
    }
    let hidden = (1..).zip(&shown[1..]);
    let hidden = hidden.filter(|(_, (_, action))| action.is_tau());
    if !hidden
        .map(|(number, _)| number)
        .eq(data.hidden.iter().copied())
    {
        return Err(differs("the hidden events are"));
    }
    if own.len() != data.components.len() {
        return Err(differs("the components are"));
    }
    let (mut parts, mut idle) = (Vec::new(), Vec::new());
    for ((name, own), theirs) in own.iter().zip(&data.components) {
        let lts = lts_of(theirs, data.events.len())?;
        let is_idle = lts.alphabet().is_empty() && lts.transitions() == 0 && lts.states() == 1;
        let is_own = lts == *own
            || lts.alphabet() == own.alphabet() && reduce::bisimilar(own, &lts, budget)?;
        let same = *name == theirs.name && (is_own || is_idle && is_watcher(own));
        if !same {
            return Err(differs(&format!("the component `{}` is", theirs.name)));
        }
        parts.push(lts);
        idle.push(!is_own);
    }
    Ok(Model {
        names: own.into_iter().map(|(name, _)| name).collect(),
        parts,
        idle,
        events: data.events.clone(),
        shown: shown.into_iter().map(|(_, action)| action).collect(),
        actions: system.actions.clone(),
    })
}

/// Deterministic, with an edge for every state and event: it never stands in the way.
pub(super) fn is_watcher(lts: &Lts) -> bool {
    lts.is_deterministic() && lts.transitions() == lts.states() * lts.alphabet().len()
}

/// More states than any component has; a file that says more is damaged.
const MOST_STATES: u32 = 1 << 26;

/// A transition system of the evidence.
pub(super) fn lts_of(data: &LtsData, events: usize) -> Result<Lts, Rejection> {
    let damaged = || Rejection::unreadable(format!("the component `{}` is damaged", data.name));
    let state = |state: Option<u32>| match state {
        None => Ok(ERROR),
        Some(state) if state < data.states => Ok(state),
        Some(_) => Err(damaged()),
    };
    let event = |event: u32| match (event as usize) < events {
        true => Ok(Action::from_index(event as usize)),
        false => Err(damaged()),
    };
    if data.states == 0 || data.states > MOST_STATES {
        return Err(damaged());
    }
    let mut builder = LtsBuilder::new();
    builder.at_least(data.states).initial(state(data.initial)?);
    if data.end.is_some() {
        builder.end(state(data.end)?);
    }
    for &known in &data.alphabet {
        builder.alphabet([event(known)?]);
    }
    for &(from, action, to) in &data.edges {
        let is_known = action == 0 || data.alphabet.binary_search(&action).is_ok();
        if !is_known {
            return Err(damaged());
        }
        builder.edge(state(Some(from))?, event(action)?, state(to)?);
    }
    Ok(builder.build())
}

/// A sub-expression: leaves with names, and the ways in which they act together.
#[derive(Debug, Clone, Default)]
struct Fragment {
    leaves: Vec<(String, Lts)>,
    vectors: Vec<Vector>,
}

/// One way of acting together.
#[derive(Debug, Clone)]
struct Vector {
    /// Its last name before it was hidden.
    name: Action,
    shown: Action,
    /// Each leaf that takes part, with its own action.
    takers: Vec<(usize, Action)>,
}

/// More ways of acting together, or leaves, than a system of any sense has.
const MOST: usize = 1 << 20;

impl Fragment {
    /// Operands come before what is made of them, so one pass is enough.
    fn of(system: &System, root: NodeId, budget: &Budget) -> Result<Fragment, Rejection> {
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
            if let (Some(name), [(leaf, _)]) = (&node.name, &mut fragment.leaves[..]) {
                *leaf = name.to_string();
            }
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
        let built = |node: &NodeId| made[node.index()].built(system, None, budget);
        let prioritised =
            |node: &NodeId, priority| made[node.index()].built(system, Some(priority), budget);
        let leaf = |name: String, lts: Lts| Ok(Fragment::leaf(name, lts));
        match &node.operation {
            Operation::Process { name, lts, .. } => leaf(name.to_string(), Lts::clone(lts)),
            Operation::Parallel(parts) => {
                let mut whole = Fragment::default();
                for part in parts {
                    whole = whole.beside(of(part), budget)?;
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
            Operation::High(body, actions) => {
                let (name, lts) = prioritised(body, (actions, true))?;
                leaf(name, lts)
            }
            Operation::Low(body, actions) => {
                let (name, lts) = prioritised(body, (actions, false))?;
                leaf(name, lts)
            }
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
                leaf(
                    name,
                    reduce::completed(&reduce::deterministic(&lts, budget)?),
                )
            }
        }
    }

    fn leaf(name: String, lts: Lts) -> Fragment {
        let vector = |&action: &Action| Vector {
            name: action,
            shown: action,
            takers: vec![(0, action)],
        };
        Fragment {
            vectors: lts.alphabet().iter().map(vector).collect(),
            leaves: vec![(name, lts)],
        }
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

    /// Numbers the vectors and gives the leaves these events for actions: the name and the
    /// action of each event, and the leaves.
    fn numbered<'a>(&self, system: &'a System) -> (Vec<(&'a str, Action)>, Vec<(String, Lts)>) {
        let name = |vector: &Vector| system.actions.name(vector.name);
        let mut vectors: Vec<&Vector> = self.vectors.iter().collect();
        vectors.sort_by_key(|vector| (name(vector), vector.shown, &vector.takers));
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

    /// Multiplies the leaves out. All ends are one. With a priority of some actions, other
    /// steps give way to theirs (true) or theirs to the others (false).
    fn built(
        &self,
        system: &System,
        priority: Option<(&[Action], bool)>,
        budget: &Budget,
    ) -> Result<(String, Lts), Rejection> {
        let (shown, leaves) = self.numbered(system);
        let whole = Whole::new(leaves.iter().map(|(_, lts)| lts));
        let mut builder = LtsBuilder::new();
        builder.alphabet(shown.iter().map(|&(_, action)| action));
        let initial = whole.initial();
        let wins = |event: Action| {
            let (actions, high) = priority?;
            let action = shown[event.index()].1;
            Some((!action.is_tau() && actions.contains(&action)) == high)
        };
        let reachable = Reachable::winning(&whole, &initial, wins, budget)?;
        if initial.contains(&ERROR) {
            builder.initial(ERROR);
        }
        let ended = |number: usize| {
            reachable.steps[number].is_empty() && whole.has_ended(reachable.states.get(number))
        };
        let end = (0..reachable.states.len()).find(|&number| ended(number));
        let place = |number: usize| match end {
            Some(end) if ended(number) => end as u32,
            _ => number as u32,
        };
        for (number, steps) in reachable.steps.iter().enumerate() {
            for &(event, target) in steps {
                let target = target.map_or(ERROR, |target| place(target as usize));
                builder.edge(place(number), shown[event.index()].1, target);
            }
        }
        if let Some(end) = end {
            builder.end(end as u32);
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
