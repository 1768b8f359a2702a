//! Is nothing to be found in what is left of a system when components are put together?
//!
//! The evidence gives the order alone. Parts are put together by the definition of composition,
//! events that nobody else knows and the question does not speak of become silent, and branching
//! bisimilar states become one. Then every step of a block can be taken from each of its states
//! after silence inside the block, so that
//!
//! * every execution of the system is one of what is left, with the same events seen: its steps
//!   are steps between the blocks of its states or silence inside one; where it ends, its block
//!   has no steps; where it is silent for ever inside a block, either the block has a silent loop
//!   (that is kept where choices need not be fair) or, where choices are fair, no other step;
//! * an execution with fair choices comes through a block again and again only if it takes all
//!   steps of the block again and again: it does all that is possible in the states that it
//!   cannot leave, and each step of the block is possible there.
//!
//! What holds of all executions of what is left therefore holds of those of the system, as far as
//! a question sees only these events: a progress property, or a formula that does not speak of
//! the next moment. A formula of parts that must all hold, and that every action goes on, are answered
//! part by part, each with no more seen than it speaks of. An event may be taken for another that is
//! the same to all parts that are left, if neither is seen. The actions that became silent make moments, too; where the formula speaks
//! of what has just happened, there may be such a moment after any other.

use quotient_core::Budget;
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_lts::evidence::{ReducedData, Sought};
use quotient_lts::{Action, Fluent, Lts, LtsBuilder, Progress, Question, State};

use super::aggregated::{hidden, merge, together};
use super::model::Model;
use super::whole::{Reachable, Whole};
use super::{explored, formula, reduce};
use crate::Rejection;

/// Puts the components together in the order of the evidence, and answers the question.
pub(super) fn check(
    data: &ReducedData,
    model: &Model,
    about: &str,
    question: &Question,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    match (data.sought, question) {
        (Sought::Starvation, Question::Progress(properties)) => {
            let mut parts = Parts::new(Order::of(data), model, None)?;
            let mut told = Vec::new();
            for property in explored::asked(model, properties, about)? {
                let left = parts.left_for(&property, budget)?;
                let property = std::slice::from_ref(&property);
                told = explored::starvation(model, property, &left)?;
            }
            Ok(told)
        }
        (
            Sought::Formula { fair },
            Question::Formula {
                name,
                formula,
                fluents,
                fair: asked,
            },
        ) if name == about && fair == *asked => {
            let mut parts = Parts::new(Order::of(data), model, None)?;
            let most = parts.keep(formula, fluents, fair, budget)?;
            Ok(vec![
                format!("components put together leave {most} states"),
                "no execution breaks the formula".to_owned(),
            ])
        }
        _ => Err(Rejection::wrong("the evidence is not about what is asked")),
    }
}

/// An order in which components are put together, and the events that are taken for others.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    pub(super) steps: &'a [Vec<usize>],
    pub(super) merged: &'a [Vec<(u32, u32)>],
}

impl<'a> Order<'a> {
    fn of(data: &'a ReducedData) -> Order<'a> {
        Order {
            steps: &data.steps,
            merged: &data.merged,
        }
    }
}

/// The components, and what steps come to that see nothing of what is asked.
pub(super) struct Parts<'a> {
    order: Order<'a>,
    model: &'a Model,
    components: Vec<Lts>,
    unseen: Vec<Option<Lts>>,
}

impl<'a> Parts<'a> {
    /// The components of a system from its start, or from other states of theirs on.
    pub(super) fn new(
        order: Order<'a>,
        model: &'a Model,
        from: Option<&[State]>,
    ) -> Result<Parts<'a>, Rejection> {
        let mut components = Vec::new();
        for (at, (part, name)) in model.parts.iter().zip(&model.names).enumerate() {
            if part.has_error() {
                return Err(Rejection::wrong(format!("`{name}` can err")));
            }
            let from = from.and_then(|from| from.get(at)).copied();
            components.push(without_end(part, from.unwrap_or(part.initial())));
        }
        Ok(Parts {
            order,
            model,
            components,
            unseen: vec![None; order.steps.len()],
        })
    }

    /// What is left at the end when what a progress property speaks of is seen.
    pub(super) fn left_for(
        &mut self,
        property: &Progress,
        budget: &Budget,
    ) -> Result<Reachable, Rejection> {
        let is_seen = |action: &Action| {
            let condition = property.condition.iter().flatten();
            let mut all = property.actions.iter().chain(condition);
            all.any(|one| one == action)
        };
        self.left_over(is_seen, true, budget)
    }

    /// Whether all executions keep a formula, part by part: the most states that are left.
    pub(super) fn keep(
        &mut self,
        formula: &Formula<usize>,
        fluents: &[Fluent],
        fair: bool,
        budget: &Budget,
    ) -> Result<usize, Rejection> {
        let mut most = 0;
        for conjunct in &conjuncts(formula) {
            let asked = formula::Asked {
                model: self.model,
                formula: conjunct,
                fluents,
                fair,
                rests: true,
            };
            most = most.max(self.keep_one(&asked, conjunct, budget)?);
        }
        Ok(most)
    }

    /// Whether all executions keep a formula where what another speaks of is seen, and it speaks
    /// of nothing else: the states that are left.
    pub(super) fn keep_one(
        &mut self,
        asked: &formula::Asked<'_>,
        seen: &Formula<usize>,
        budget: &Budget,
    ) -> Result<usize, Rejection> {
        if speaks_of_next(asked.formula) {
            let message = "a formula about the next moment sees every event";
            return Err(Rejection::wrong(message));
        }
        let is_seen = |action: &Action| {
            let used = asked.fluents.iter().enumerate();
            let mut used = used.filter(|&(number, _)| speaks_of(seen, number));
            used.any(|(_, fluent)| {
                let end = fluent.end.iter().flatten();
                fluent.begin.iter().chain(end).any(|one| one == action)
            })
        };
        let left = self.left_over(is_seen, asked.fair, budget)?;
        match formula::violated(asked, &left, budget)? {
            true => Err(Rejection::wrong("an execution breaks the formula")),
            false => Ok(left.states.len()),
        }
    }

    /// What is left at the end when some actions are seen. What a step comes to depends on them
    /// only as far as the components in it know them.
    fn left_over(
        &mut self,
        is_seen: impl Fn(&Action) -> bool,
        fair: bool,
        budget: &Budget,
    ) -> Result<Reachable, Rejection> {
        let is_seen = |event: Action| {
            let shown = self.model.shown[event.index()];
            !shown.is_tau() && is_seen(&shown)
        };
        let mut parts: Vec<Option<Lts>> = self.components.iter().cloned().map(Some).collect();
        let sees = |part: &Lts| part.alphabet().iter().any(|&event| is_seen(event));
        let mut seeing: Vec<bool> = self.components.iter().map(sees).collect();
        let steps = self.order.steps.iter().enumerate().zip(&mut self.unseen);
        for ((number, step), unseen) in steps {
            let (mut taken, mut sees) = (Vec::new(), false);
            for &part in step {
                sees |= seeing.get(part) == Some(&true);
                let part = parts.get_mut(part).and_then(Option::take);
                taken.push(
                    part.ok_or_else(|| Rejection::wrong("a part is not there to be put together"))?,
                );
            }
            if taken.is_empty() {
                return Err(Rejection::wrong("a step puts nothing together"));
            }
            let merged = self.order.merged.get(number).into_iter().flatten();
            let seen = |event: u32| match (event as usize) < self.model.shown.len() {
                true => Ok(is_seen(Action::from_index(event as usize))),
                false => Err(Rejection::unreadable(format!("there is no event {event}"))),
            };
            let mut to_merge = Vec::new();
            for &(gone, kept) in merged {
                if !seen(gone)? && !seen(kept)? {
                    to_merge.push((gone, kept));
                }
            }
            let is_plain = !sees && to_merge.is_empty();
            let known = unseen.clone().filter(|_| is_plain);
            let small = match known {
                Some(known) => known,
                None => {
                    let is_known =
                        |event: Action| parts.iter().flatten().any(|part| part.knows(event));
                    let whole = together(&taken, budget)?;
                    let is_hidden = |event: Action| !is_seen(event) && !is_known(event);
                    let mut whole = hidden(&whole, is_hidden);
                    for (gone, kept) in to_merge {
                        whole = merge(&mut parts, whole, gone, kept)?;
                    }
                    reduce::branching_minimal(&whole, !fair, budget)?
                }
            };
            if is_plain {
                *unseen = Some(small.clone());
            }
            parts.push(Some(small));
            seeing.push(sees);
        }
        let mut left = parts.into_iter().flatten();
        let (Some(last), None) = (left.next(), left.next()) else {
            return Err(Rejection::wrong("not everything was put together"));
        };
        let whole = Whole::new([&last]);
        Ok(Reachable::from(&whole, &whole.initial(), budget)?)
    }
}

/// An end is a state in which nothing happens any more.
fn without_end(lts: &Lts, start: State) -> Lts {
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states())
        .initial(start)
        .alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        builder.edge(from, edge.action, edge.target);
    }
    builder.build()
}

/// Formulas that all hold exactly if a formula does: always both is always the one and always the
/// other. They are in the order in which they are written.
pub(super) fn conjuncts(formula: &Formula<usize>) -> Vec<Formula<usize>> {
    let mut all = Vec::new();
    let mut open = vec![(formula, false)];
    while let Some((formula, always)) = open.pop() {
        match &formula.kind {
            Kind::Binary(Binary::And, left, right) => {
                open.push((right, always));
                open.push((left, always));
            }
            Kind::Unary(Unary::Globally(None), inner) => open.push((inner, true)),
            _ if always => all.push(Formula::unary(Unary::Globally(None), formula.clone())),
            _ => all.push(formula.clone()),
        }
    }
    all
}

/// Whether a formula speaks of a fluent.
pub(super) fn speaks_of(formula: &Formula<usize>, fluent: usize) -> bool {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match &formula.kind {
            Kind::Atom(atom) if *atom == fluent => return true,
            Kind::Constant(_) | Kind::Atom(_) => {}
            Kind::Unary(_, inner) => open.push(inner),
            Kind::Binary(_, left, right) => open.extend([&**left, &**right]),
            Kind::Placeholder(_) => return true,
        }
    }
    false
}

/// Whether a formula has anything but constants, fluents, connectives and untimed operators that
/// do not count moments.
pub(super) fn speaks_of_next(formula: &Formula<usize>) -> bool {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match &formula.kind {
            Kind::Constant(_) | Kind::Atom(_) => {}
            Kind::Unary(Unary::Not | Unary::Globally(None) | Unary::Finally(None), inner) => {
                open.push(inner);
            }
            Kind::Binary(
                Binary::And
                | Binary::Or
                | Binary::Xor
                | Binary::Implies
                | Binary::Iff
                | Binary::Until(None)
                | Binary::Release
                | Binary::WeakUntil,
                left,
                right,
            ) => open.extend([&**left, &**right]),
            _ => return true,
        }
    }
    false
}
