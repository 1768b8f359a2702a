//! Abstractions for a component and any number of others.
//!
//! For components M1, …, Mn the last assumption abstracts Mn, and each other one abstracts what
//! it stands for: the next component beside the next assumption. So every premise but the
//! first holds by construction. An error of M1 under its assumption is followed downwards:
//! what M2 and the second assumption can do may not be what M2, …, Mn can do, and then the
//! second assumption is refined and the one above it is made anew (Bobaru, Păsăreanu and
//! Giannakopoulou, 2008, sketch this for n components). What was told apart before stays so:
//! from one block each time, the work would multiply with every level.

use std::sync::Arc;

use quotient_core::{Conclusion, Context, Stop, run};

use super::abstraction::Abstraction;
use super::guided::Guided;
use super::premise::{chain, chain_to_error};
use super::{Alphabet, Statistics};
use crate::operations::{compose, minimise, project, towards_error};
use crate::product::{Part, Product};
use crate::{Action, Equivalence, Lts, LtsBuilder};

/// Abstractions, one below the other.
pub(crate) struct Tower<'a> {
    /// The parts of each component, in order; at least two.
    components: &'a [Vec<Arc<Part>>],
    /// The actions of the property.
    property: Vec<Action>,
    /// What each level, its property included, shares with the components below it.
    interfaces: Vec<Vec<Action>>,
    refinement: Alphabet,
    levels: Vec<Option<Abstraction>>,
    /// What stood at each level before the level below was refined.
    former: Vec<Option<Abstraction>>,
    statistics: Statistics,
}

impl<'a> Tower<'a> {
    pub(crate) fn new(
        components: &'a [Vec<Arc<Part>>],
        watchers: &[Arc<Part>],
        refinement: Alphabet,
    ) -> Tower<'a> {
        let actions = |parts: &[Arc<Part>]| -> Vec<Action> {
            let alphabets = parts.iter().flat_map(|part| part.lts.alphabet());
            let mut actions: Vec<Action> = alphabets.copied().collect();
            actions.sort_unstable();
            actions.dedup();
            actions
        };
        let property = actions(watchers);
        let mut interfaces: Vec<Vec<Action>> = Vec::new();
        for level in 0..components.len() - 1 {
            let below = components[level + 1..].concat();
            let above = interfaces.last().unwrap_or(&property);
            let mut own = actions(&components[level]);
            own.extend(above);
            own.retain(|&action| below.iter().any(|part| part.lts.knows(action)));
            own.sort_unstable();
            own.dedup();
            interfaces.push(own);
        }
        Tower {
            levels: interfaces.iter().map(|_| None).collect(),
            former: interfaces.iter().map(|_| None).collect(),
            components,
            property,
            interfaces,
            refinement,
            statistics: Statistics::default(),
        }
    }

    /// Whether all components together keep the property: the assumptions from the first
    /// level down, or a word over the first interface that leads to an error.
    pub(crate) fn solve(
        mut self,
        watchers: &[Arc<Part>],
        statistics: &mut Statistics,
        cx: &mut Context,
    ) -> Result<Conclusion<Vec<Arc<Lts>>, Vec<Action>>, Stop> {
        let all = self.components[0].iter().chain(watchers).cloned().collect();
        let component = compose(&Product::new(all)?, &cx.budget)?;
        // Every attempt searches it: what only it does need not be told apart.
        let component = project(&towards_error(&component), &self.interfaces[0]);
        let component = Guided::new(minimise(&component, Equivalence::Strong, &cx.budget)?);
        let outcome = self.error(0, component, cx);
        for level in self.levels.iter().flatten() {
            self.statistics.add(&level.statistics);
        }
        statistics.add(&self.statistics);
        Ok(match outcome? {
            Some(word) => Conclusion::Violated(word),
            None => {
                let levels = self.levels.iter().flatten();
                Conclusion::Holds(levels.map(|level| Arc::new(level.lts())).collect())
            }
        })
    }

    /// A word over the interface of a level with which the components below make the one at
    /// this level err.
    fn error(
        &mut self,
        level: usize,
        component: Guided,
        cx: &mut Context,
    ) -> Result<Option<Vec<Action>>, Stop> {
        loop {
            self.prepare(level, cx)?;
            let Some(abstraction) = &mut self.levels[level] else {
                return Err(Stop::inconclusive(
                    "internal error: a level that is not there",
                ));
            };
            abstraction.component = component.clone();
            let word = match run(abstraction, cx).conclusion {
                Conclusion::Holds(_) => return Ok(None),
                Conclusion::Unknown(stop) => return Err(stop),
                Conclusion::Violated(word) => word,
            };
            if level + 1 == self.levels.len() || word.is_empty() {
                return Ok(Some(word));
            }
            // The next component beside its assumption can do the word: can it beside the
            // components themselves?
            let goal = chain_to_error(chain(&word, &self.interfaces[level]));
            let mut parts = self.components[level + 1].clone();
            parts.push(Part::new(goal));
            let next = compose(&Product::new(parts)?, &cx.budget)?;
            let next = Guided::new(towards_error(&next));
            if self.error(level + 1, next, cx)?.is_some() {
                return Ok(Some(word));
            }
            // The assumption below is finer now: what stands on it is made anew.
            if let Some(old) = self.levels[level].take() {
                self.statistics.add(&old.statistics);
                self.former[level] = Some(old);
            }
        }
    }

    /// Makes the abstractions of a level and those below where there are none.
    fn prepare(&mut self, level: usize, cx: &Context) -> Result<(), Stop> {
        for level in (level..self.levels.len()).rev() {
            if self.levels[level].is_some() {
                continue;
            }
            let mut parts = self.components[level + 1].clone();
            if let Some(Some(below)) = self.levels.get(level + 1) {
                let lts = unbound(&below.lts(), &self.interfaces[level + 1]);
                parts.push(Part::new(lts));
            }
            let environment = compose(&Product::new(parts)?, &cx.budget)?;
            let own = compose(&Product::new(self.components[level].clone())?, &cx.budget)?;
            let mut abstraction = Abstraction::new(
                Guided::new(own),
                &environment,
                self.interfaces[level].clone(),
                &self.property,
                self.refinement,
                cx,
            )?;
            if let Some(former) = self.former[level].take() {
                abstraction.start_like(&former, cx)?;
            }
            self.levels[level] = Some(abstraction);
        }
        Ok(())
    }
}

/// An assumption that says of more actions that they are always possible.
fn unbound(assumption: &Lts, actions: &[Action]) -> Lts {
    let mut builder = LtsBuilder::shaped_like(assumption);
    builder.alphabet(assumption.alphabet().iter().copied());
    for (from, edge) in assumption.all_edges() {
        builder.edge(from, edge.action, edge.target);
    }
    for &action in actions.iter().filter(|&&action| !assumption.knows(action)) {
        for state in 0..assumption.states() as u32 {
            builder.edge(state, action, state);
        }
    }
    builder.build()
}
