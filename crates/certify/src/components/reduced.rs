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
//! the next moment. The actions that became silent make moments, too; where the formula speaks
//! of what has just happened, there may be such a moment after any other.

use quotient_core::Budget;
use quotient_logic::{Formula, Kind, Unary};
use quotient_lts::evidence::{ReducedData, Sought};
use quotient_lts::{Action, Lts, LtsBuilder, Question};

use super::aggregated::{hidden, together};
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
            let asked = explored::asked(model, properties, about)?;
            let is_seen = |action: &Action| {
                asked.iter().any(|property| {
                    let condition = property.condition.iter().flatten();
                    property
                        .actions
                        .iter()
                        .chain(condition)
                        .any(|one| one == action)
                })
            };
            let left = left_over(data, model, is_seen, true, budget)?;
            explored::starvation(model, &asked, &left)
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
            if speaks_of_next(formula) {
                let message = "a formula about the next moment sees every event";
                return Err(Rejection::wrong(message));
            }
            let is_seen = |action: &Action| {
                fluents.iter().any(|fluent| {
                    let end = fluent.end.iter().flatten();
                    fluent.begin.iter().chain(end).any(|one| one == action)
                })
            };
            let left = left_over(data, model, is_seen, fair, budget)?;
            let asked = formula::Asked {
                model,
                formula,
                fluents,
                fair,
                rests: true,
            };
            match formula::violated(&asked, &left, budget)? {
                true => Err(Rejection::wrong("an execution breaks the formula")),
                false => Ok(vec![
                    format!("components put together leave {} states", left.states.len()),
                    "no execution breaks the formula".to_owned(),
                ]),
            }
        }
        _ => Err(Rejection::wrong("the evidence is not about what is asked")),
    }
}

/// What is left at the end.
fn left_over(
    data: &ReducedData,
    model: &Model,
    is_seen: impl Fn(&Action) -> bool,
    fair: bool,
    budget: &Budget,
) -> Result<Reachable, Rejection> {
    let mut parts: Vec<Option<Lts>> = Vec::new();
    for (part, name) in model.parts.iter().zip(&model.names) {
        if part.has_error() {
            return Err(Rejection::wrong(format!("`{name}` can err")));
        }
        parts.push(Some(without_end(part)));
    }
    for step in &data.steps {
        let mut taken = Vec::new();
        for &part in step {
            let part = parts.get_mut(part).and_then(Option::take);
            taken.push(
                part.ok_or_else(|| Rejection::wrong("a part is not there to be put together"))?,
            );
        }
        if taken.is_empty() {
            return Err(Rejection::wrong("a step puts nothing together"));
        }
        let whole = together(&taken, budget)?;
        let is_hidden = |event: Action| {
            let shown = model.shown[event.index()];
            let is_seen = !shown.is_tau() && is_seen(&shown);
            !is_seen && !parts.iter().flatten().any(|part| part.knows(event))
        };
        let whole = hidden(&whole, is_hidden);
        parts.push(Some(reduce::branching_minimal(&whole, !fair, budget)?));
    }
    let mut left = parts.into_iter().flatten();
    let (Some(last), None) = (left.next(), left.next()) else {
        return Err(Rejection::wrong("not everything was put together"));
    };
    let whole = Whole::new([&last]);
    Ok(Reachable::from(&whole, &whole.initial(), budget)?)
}

/// An end is a state in which nothing happens any more.
fn without_end(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::new();
    builder
        .at_least(lts.states() as u32)
        .initial(lts.initial())
        .alphabet(lts.alphabet().iter().copied());
    for (from, edge) in lts.all_edges() {
        builder.edge(from, edge.action, edge.target);
    }
    builder.build()
}

/// Whether a formula has anything but constants, fluents, connectives and untimed operators that
/// do not count moments.
fn speaks_of_next(formula: &Formula<usize>) -> bool {
    use quotient_logic::Binary;
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
