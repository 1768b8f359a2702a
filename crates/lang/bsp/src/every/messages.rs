//! Messages that arrive for certain, however many processors there are.
//!
//! Where all processors come to the same barriers, and these are barriers of all, everyone waits at the same barrier of the
//! text before messages arrive. What each surely sends before that barrier, whatever way it takes there, has arrived after
//! it: from whom, is seen where a target is told from the own number (`(pid + 1) mod nprocs`), or is a number of the text.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Source, Stop};

use super::alike::Facts;
use super::rough::{Shade, View};
use super::value::Rough;
use super::with_others;
use crate::program::{Expression, Operator, Program, Value};

/// Whom a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// A processor by its number.
    To(usize),
    /// The processor so many further round than the sender.
    Round(i64),
}

/// What is sent before a barrier of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Superstep {
    /// For whom each processor has surely sent something; the last stands for all without letters of their own. Nothing
    /// where it never waits there.
    to: Vec<Option<BTreeSet<Target>>>,
    /// What is in all messages.
    carried: Option<Rough>,
}

/// What is sent before each barrier.
pub(super) type Supersteps = BTreeMap<usize, Superstep>;

/// Whether all come to the same barriers, of all, and read messages there.
pub(super) fn are_followed(
    source: &Source,
    program: &Program,
    least: usize,
    budget: &Budget,
) -> Result<bool, Stop> {
    let all = || program.expressions.iter().map(|(one, _)| one);
    let reads = all().any(|one| matches!(one, Expression::Binary(Operator::Message, ..)));
    let of_all = all().all(|one| match one {
        Expression::Sync(groups) | Expression::Send(groups, ..) => groups[..] == [0],
        _ => true,
    });
    let Some(groups) = with_others(source, program, least).filter(|_| reads && of_all) else {
        return Ok(false);
    };
    Ok(Facts::of(program, &groups, budget)?.apart.is_empty())
}

/// What processors have sent where they wait.
pub(super) fn supersteps<'a>(
    classes: usize,
    waiting: impl Iterator<Item = (usize, &'a Shade)>,
) -> Supersteps {
    let mut all = Supersteps::new();
    for (class, shade) in waiting {
        let Some(at) = shade.barrier else {
            continue;
        };
        let step = all.entry(at).or_insert_with(|| Superstep {
            to: vec![None; classes],
            carried: None,
        });
        match &mut step.to[class] {
            Some(to) => to.retain(|target| shade.sent.contains(target)),
            none => *none = Some(shade.sent.clone()),
        }
        if let Some(carried) = &shade.carried {
            step.carried = Some(carried.or(step.carried.as_ref()));
        }
    }
    all
}

impl View<'_> {
    /// For whom a processor sends, as far as that is known.
    pub(super) fn targets(&self, class: usize, target: &Rough) -> BTreeSet<Target> {
        // Who has no letter of its own is not known by its number.
        let own = class < self.near;
        let is_there = |number: usize| number < self.least || own && number == class;
        let (to, round) = match target {
            Rough::Known(Value::Int(number)) => {
                let to = usize::try_from(*number).ok().filter(|&to| is_there(to));
                (to, to.map(|_| *number - class as i64))
            }
            Rough::Far => (None, Some(0)),
            Rough::Round(by) => {
                let to = class as i64 + by;
                let to = usize::try_from(to).ok().filter(|&to| is_there(to));
                (to, Some(*by))
            }
            _ => (None, None),
        };
        let far = matches!(target, Rough::Far | Rough::Round(_));
        let round = round.filter(|_| own || far).map(Target::Round);
        let to = to.filter(|_| own || !far);
        to.map(Target::To).into_iter().chain(round).collect()
    }

    /// What is in the first message from a processor, if there surely is one.
    pub(super) fn first_message(&self, class: usize, shade: &Shade, from: &Rough) -> Option<Rough> {
        let step = self.delivered.as_ref()?.get(&shade.barrier?)?;
        let sends = |sender: usize, target: Target| {
            let to = step.to.get(sender).and_then(Option::as_ref);
            to.is_some_and(|to| to.contains(&target))
        };
        let all_send = |target: Target| (0..=self.near).all(|sender| sends(sender, target));
        let own = (class < self.near).then_some(class);
        let arrives = self.targets(class, from).into_iter().any(|sender| {
            let direct = own.map(Target::To);
            match sender {
                // By its own letter, if it has one.
                Target::To(number) => {
                    let sender = number.min(self.near);
                    let round = (number < self.near)
                        .then_some(own)
                        .flatten()
                        .map(|own| Target::Round(own as i64 - number as i64));
                    direct
                        .into_iter()
                        .chain(round)
                        .any(|target| sends(sender, target))
                }
                Target::Round(by) => all_send(Target::Round(-by)) || direct.is_some_and(all_send),
            }
        }) || *from == Rough::Index && own.map(Target::To).is_some_and(all_send);
        step.carried.clone().filter(|_| arrives)
    }
}
