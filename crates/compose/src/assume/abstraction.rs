//! An assumption as an abstraction of the environment, refined where a false alarm says so.
//!
//! States of the environment are put together in blocks; the assumption has a block for a
//! state and does what some member can do. The environment keeps it by construction. If the
//! component errs under it, the error either can be followed in the environment, or there is
//! a block whose members part (Bobaru, Păsăreanu and Giannakopoulou, 2008).

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient_core::{Attempt, Context, Method, Stop, What};

use super::concrete::Concrete;
use super::guided::{Guided, Tie};
use super::premise::{chain, chain_to_error, restricted, shortest_error, visible};
use super::simulators::by_simulating_states;
use super::{Alphabet, Start, Statistics};
use crate::operations::{minimise, project};
use crate::product::{Part, Product};
use crate::{Action, Equivalence, Lts, LtsBuilder, State};

/// The search for an abstraction of an environment under which a component does not err.
pub(crate) struct Abstraction {
    /// The component composed with its property.
    pub(crate) component: Guided,
    environment: Arc<Part>,
    /// What the two share.
    interface: Vec<Action>,
    alphabet: Vec<Action>,
    refinement: Alphabet,
    concrete: Concrete,
    /// The steps of each block.
    edges: Vec<BTreeSet<(Action, u32)>>,
    pub(crate) statistics: Statistics,
}

/// Why an abstraction was too coarse.
pub(crate) enum FalseAlarm {
    /// Some members of the block can take the action to the other block, some that can be
    /// reached cannot.
    Split { block: u32, action: Action, to: u32 },
    /// The alphabet lacks these actions.
    Alphabet(Vec<Action>),
}

impl Abstraction {
    /// All states of the environment in one block. Only what the environment does on the
    /// interface matters, so that states that are the same there, up to silent steps, are one
    /// from the start: no false alarm would ever part them.
    pub(crate) fn new(
        component: Guided,
        environment: &Lts,
        interface: Vec<Action>,
        property: &[Action],
        refinement: Alphabet,
        cx: &Context,
    ) -> Result<Self, Stop> {
        let statistics = Statistics {
            largest_component: component.states().max(environment.states()),
            ..Statistics::default()
        };
        let environment = project(environment, &interface);
        let environment = minimise(&environment, Equivalence::Strong, &cx.budget)?;
        let environment = Arc::new(minimise(&environment, Equivalence::Weak, &cx.budget)?);
        let alphabet = match refinement {
            Alphabet::Whole => interface.clone(),
            Alphabet::Refined {
                start: Start::Empty,
                ..
            } => Vec::new(),
            Alphabet::Refined {
                start: Start::Property,
                ..
            } => restricted(&interface, property),
        };
        let mut abstraction = Abstraction {
            concrete: Concrete::new(environment.clone(), &alphabet),
            component,
            environment: Part::new(environment),
            interface,
            alphabet,
            refinement,
            edges: Vec::new(),
            statistics,
        };
        abstraction.start(cx)?;
        Ok(abstraction)
    }

    /// All states in one block.
    fn start(&mut self, cx: &Context) -> Result<(), Stop> {
        let concrete = Concrete::new(self.concrete.lts.clone(), &self.alphabet);
        self.start_with(concrete, cx)
    }

    /// Begins where the abstraction of another environment, which could do all that this one
    /// can, has got to.
    pub(crate) fn start_like(&mut self, former: &Abstraction, cx: &Context) -> Result<(), Stop> {
        let lts = self.concrete.lts.clone();
        let blocks = by_simulating_states(&lts, &former.lts(), &cx.budget)?;
        self.alphabet.clone_from(&former.alphabet);
        self.start_with(Concrete::in_blocks(lts, &self.alphabet, blocks), cx)
    }

    fn start_with(&mut self, concrete: Concrete, cx: &Context) -> Result<(), Stop> {
        self.edges = vec![BTreeSet::new(); concrete.blocks()];
        self.concrete = concrete;
        let alphabet = self.alphabet.clone();
        (0..self.edges.len()).try_for_each(|block| self.recompute(block as u32, &alphabet, cx))
    }

    /// The steps of a block with some actions.
    fn recompute(&mut self, block: u32, actions: &[Action], cx: &Context) -> Result<(), Stop> {
        let row = &mut self.edges[block as usize];
        row.retain(|(action, _)| !actions.contains(action));
        let reached = self.concrete.blocks_after(block, actions, &cx.budget)?;
        row.extend(reached);
        Ok(())
    }

    /// The present assumption.
    pub(crate) fn lts(&self) -> Lts {
        let mut builder = LtsBuilder::new();
        builder
            .alphabet(self.alphabet.iter().copied())
            .at_least(self.edges.len())
            .initial(self.concrete.initial_block());
        for (block, row) in (0..).zip(&self.edges) {
            for &(action, to) in row {
                builder.edge(block, action, to);
            }
        }
        builder.build()
    }

    /// Follows an error of the abstraction in the environment: where it gets stuck.
    fn follow(
        &self,
        path: &[(u32, Action, u32)],
        cx: &Context,
    ) -> Result<Option<FalseAlarm>, Stop> {
        let mut states = vec![self.concrete.lts.initial()];
        for &(block, action, to) in path {
            states = self.concrete.after(&states, action, &cx.budget)?;
            states.retain(|&state| self.concrete.block_of(state) == to);
            if states.is_empty() {
                return Ok(Some(FalseAlarm::Split { block, action, to }));
            }
        }
        Ok(None)
    }

    /// An error that the environment follows over the present alphabet: is it one over the
    /// whole interface?
    fn judge(
        &mut self,
        error: &[Action],
        cx: &Context,
    ) -> Result<Attempt<Arc<Lts>, Vec<Action>, FalseAlarm>, Stop> {
        let whole = restricted(error, &self.interface);
        let real = match whole.is_empty() {
            true => true,
            false => self
                .environment_trace(&whole, &self.interface, cx)?
                .is_some(),
        };
        if real {
            return Ok(Attempt::Refuted(whole));
        }
        let Alphabet::Refined { heuristic, .. } = self.refinement else {
            return Err(Stop::inconclusive("the whole interface is not enough"));
        };
        let word = restricted(error, &self.alphabet);
        let Some(own) = self.environment_trace(&word, &self.alphabet, cx)? else {
            return Err(Stop::inconclusive("the environment cannot follow"));
        };
        let own = restricted(&own, &self.interface);
        let new = heuristic.choose(&own, &whole, &self.alphabet);
        match new.is_empty() {
            true => Err(Stop::exhausted("no action tells the two traces apart")),
            false => Ok(Attempt::FalseAlarm(FalseAlarm::Alphabet(new))),
        }
    }

    /// A trace of the environment that is the given word on an alphabet.
    fn environment_trace(
        &self,
        word: &[Action],
        alphabet: &[Action],
        cx: &Context,
    ) -> Result<Option<Vec<Action>>, Stop> {
        if word.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let goal = Part::new(chain_to_error(chain(word, alphabet)));
        let product = Product::new(vec![self.environment.clone(), goal])?;
        shortest_error(&product, &cx.budget)
    }
}

impl Method for Abstraction {
    type Proof = Arc<Lts>;
    /// A word over the interface that both sides can do, and that errs.
    type Trace = Vec<Action>;
    type Spurious = FalseAlarm;

    fn attempt(
        &mut self,
        cx: &mut Context,
    ) -> Result<Attempt<Self::Proof, Self::Trace, Self::Spurious>, Stop> {
        let assumption = Arc::new(self.lts());
        let states = assumption.states();
        self.statistics.conjectures += 1;
        self.statistics.largest_assumption = self.statistics.largest_assumption.max(states);
        cx.story.tell(|| What::Step {
            attempt: cx.attempt,
            step: 0,
            sizes: [
                ("assumption states", states as u64),
                ("assumption actions", self.alphabet.len() as u64),
                ("interface actions", self.interface.len() as u64),
                ("component states", self.component.states() as u64),
                ("environment states", self.concrete.lts.states() as u64),
            ]
            .into(),
        });
        // There are many false alarms over a whole interface, so that each search counts. Over
        // few actions a fixed order gives the published sizes.
        let ties = match self.refinement {
            Alphabet::Whole => Tie::Any,
            Alphabet::Refined { .. } => Tie::First,
        };
        let error = self
            .component
            .error_beside(assumption.clone(), ties, &cx.budget)?;
        let Some(error) = error else {
            return Ok(Attempt::Proved(assumption));
        };
        let path = abstract_path(&error, &assumption);
        match self.follow(&path, cx)? {
            Some(split) => Ok(Attempt::FalseAlarm(split)),
            None => {
                let error = visible(error.iter().map(|&(action, _)| action));
                self.judge(&error, cx)
            }
        }
    }

    fn refine(&mut self, false_alarm: FalseAlarm, cx: &mut Context) -> Result<(), Stop> {
        let detail = match false_alarm {
            FalseAlarm::Split { block, action, to } => {
                if !self.concrete.split(block, action, to, &cx.budget)? {
                    return Err(Stop::exhausted("a block cannot be split"));
                }
                let fresh = self.edges.len() as u32;
                self.edges.push(BTreeSet::new());
                let into: Vec<(u32, Vec<Action>)> = (0..)
                    .zip(&self.edges)
                    .filter(|&(from, _)| from != block && from != fresh)
                    .map(|(from, row)| {
                        let into = row.iter().filter(|&&(_, target)| target == block);
                        (from, into.map(|&(action, _)| action).collect())
                    })
                    .filter(|(_, actions): &(u32, Vec<Action>)| !actions.is_empty())
                    .collect();
                let alphabet = self.alphabet.clone();
                self.recompute(block, &alphabet, cx)?;
                self.recompute(fresh, &alphabet, cx)?;
                for (from, actions) in into {
                    self.recompute(from, &actions, cx)?;
                }
                "a block of states was split"
            }
            FalseAlarm::Alphabet(actions) => {
                self.statistics.alphabet_refinements += 1;
                self.alphabet.extend(actions);
                self.alphabet.sort_unstable();
                self.start(cx)?;
                "the environment's trace differs in actions outside the assumption"
            }
        };
        cx.story.tell(|| What::Refined {
            refinement: cx.attempt + 1,
            detail: detail.into(),
            sizes: [
                ("assumption states", self.edges.len() as u64),
                ("assumption actions", self.alphabet.len() as u64),
            ]
            .into(),
        });
        Ok(())
    }
}

/// The steps of the abstraction in an error path, between blocks. The step into the error state does not say
/// where the abstraction goes; wherever it can is as good.
fn abstract_path(error: &[(Action, State)], assumption: &Lts) -> Vec<(u32, Action, u32)> {
    let mut path = Vec::new();
    for (at, &(action, before)) in error.iter().enumerate() {
        if !assumption.knows(action) {
            continue;
        }
        let after = match error.get(at + 1) {
            Some(&(_, after)) => Some(after),
            None => assumption
                .successors(before, action)
                .first()
                .map(|edge| edge.target),
        };
        path.extend(after.map(|after| (before.into(), action, after.into())));
    }
    path
}
