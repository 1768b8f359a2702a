//! Is there a deadlock, or a step into an error, among the words of a diagram?

use quotient_core::{Budget, Stop};
use rustc_hash::FxHashSet;

use super::store::{Id, Store};
use crate::{Action, ERROR, Lts, State};

/// The events of components in some order.
pub(super) struct Events<'a> {
    parts: &'a [&'a Lts],
    /// For each event by number the first and the last level that take part.
    span: Vec<Option<(usize, usize)>>,
}

/// The events that can still happen of those that components above and below take part in, and
/// whether all above have ended that can end.
type Open = (Vec<Action>, bool);

impl<'a> Events<'a> {
    pub(super) fn new(parts: &'a [&'a Lts]) -> Events<'a> {
        let mut span: Vec<Option<(usize, usize)>> = Vec::new();
        for (level, lts) in parts.iter().enumerate() {
            for event in lts.alphabet() {
                if span.len() <= event.index() {
                    span.resize(event.index() + 1, None);
                }
                let first = span[event.index()].map_or(level, |(first, _)| first);
                span[event.index()] = Some((first, level));
            }
        }
        Events { parts, span }
    }

    fn begins(&self, event: Action, level: usize) -> bool {
        self.span[event.index()].is_some_and(|(first, _)| first == level)
    }

    fn ends(&self, event: Action, level: usize) -> bool {
        self.span[event.index()].is_some_and(|(_, last)| last == level)
    }

    /// Whether there can be a good end: some component can end, and no event is without one that can.
    fn can_end(&self) -> bool {
        let ending: FxHashSet<Action> = (self.parts.iter())
            .filter(|lts| lts.end().is_some())
            .flat_map(|lts| lts.alphabet().iter().copied())
            .collect();
        let mut alphabets = self.parts.iter().flat_map(|lts| lts.alphabet());
        self.parts.iter().any(|lts| lts.end().is_some())
            && alphabets.all(|event| ending.contains(event))
    }

    /// Whether some word is a state without steps that is no good end.
    pub(super) fn get_stuck(
        &self,
        store: &Store<'_>,
        root: Id,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let start: (Id, Open) = (root, (Vec::new(), self.can_end()));
        let mut layer: FxHashSet<(Id, Open)> = [start].into_iter().collect();
        for level in 0..self.parts.len() {
            let mut below = FxHashSet::default();
            for (node, open) in &layer {
                for &(state, child) in store.children(*node) {
                    budget.charge(1 + open.0.len() as u64)?;
                    if let Some(open) = self.without_step(level, state.into(), open) {
                        below.insert((child, open));
                    }
                }
            }
            layer = below;
        }
        Ok(layer.iter().any(|(_, (_, has_ended))| !has_ended))
    }

    /// What is open below a level if a component is in a state there; `None` if then something can
    /// happen for sure.
    fn without_step(&self, level: usize, state: State, open: &Open) -> Option<Open> {
        let lts = self.parts[level];
        let edges = lts.edges(state);
        if edges.iter().any(|edge| edge.action.is_tau()) {
            return None;
        }
        let can = |event: Action| !lts.successors(state, event).is_empty();
        let mut still: Vec<Action> = (open.0.iter().copied())
            .filter(|&event| !lts.knows(event) || can(event))
            .collect();
        let begun = edges.iter().map(|edge| edge.action);
        still.extend(begun.filter(|&event| self.begins(event, level)));
        still.sort_unstable();
        still.dedup();
        if still.iter().any(|&event| self.ends(event, level)) {
            return None;
        }
        let has_ended = open.1 && lts.end().is_none_or(|end| end == state);
        Some((still, has_ended))
    }

    /// Whether some word has a step with which a component errs.
    pub(super) fn err(&self, store: &Store<'_>, root: Id, budget: &Budget) -> Result<bool, Stop> {
        let levels = store.by_level(root);
        for (level, nodes) in levels.iter().enumerate() {
            let lts = self.parts[level];
            let silent = |edge: &&crate::Edge| edge.action.is_tau() && edge.target == ERROR;
            let errs = |state: State| lts.edges(state).iter().any(|edge| silent(&edge));
            for &node in nodes {
                let children = store.children(node);
                budget.charge(children.len() as u64)?;
                if children.iter().any(|&(state, _)| errs(state.into())) {
                    return Ok(true);
                }
            }
        }
        let mut erring: Vec<Action> = Vec::new();
        for lts in self.parts {
            let edges = lts.all_edges().filter(|(_, edge)| edge.target == ERROR);
            erring.extend(edges.map(|(_, edge)| edge.action));
        }
        erring.sort_unstable();
        erring.dedup();
        for event in erring.into_iter().filter(|event| !event.is_tau()) {
            if self.errs_by(event, store, &levels, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some word has a step of an event with which a component errs.
    fn errs_by(
        &self,
        event: Action,
        store: &Store<'_>,
        levels: &[Vec<Id>],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let Some((first, last)) = self.span[event.index()] else {
            return Ok(false);
        };
        // With whether a component above has erred.
        let begin = levels[first].iter().map(|&node| (node, false));
        let mut layer: FxHashSet<(Id, bool)> = begin.collect();
        for level in first..=last {
            let lts = self.parts[level];
            let mut below = FxHashSet::default();
            for &(node, erred) in &layer {
                for &(state, child) in store.children(node) {
                    budget.charge(1)?;
                    if !lts.knows(event) {
                        below.insert((child, erred));
                        continue;
                    }
                    for edge in lts.successors(state.into(), event) {
                        below.insert((child, erred || edge.target == ERROR));
                    }
                }
            }
            layer = below;
        }
        Ok(layer.iter().any(|&(_, erred)| erred))
    }
}
