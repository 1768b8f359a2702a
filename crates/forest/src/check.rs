//! Several searches on one question, in turns.

use quotient_core::{Conclusion, Context, Outcome, Stop, run};
use quotient_trees::TreeAutomaton;

use crate::{Abstraction, Completing, Direction, Invariant, Learning, Run, Search, Step, System};

/// How to search.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Only the method of this name, one of [`METHODS`]; otherwise all in turns.
    pub method: Option<String>,
}

/// What a search found.
#[derive(Debug, Clone)]
pub enum Found {
    /// It never happens.
    Invariant(Invariant),
    /// It does.
    Run(Run),
    /// Neither was found.
    Nothing(Stop),
}

/// An answer with how it was found.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The answer.
    pub found: Found,
    /// The method that gave it.
    pub method: String,
    /// How often it refined.
    pub refinements: u64,
}

/// The methods by name, with what they do.
pub const METHODS: &[(&str, &str)] = &[
    (
        "forward exact",
        "image after image, nothing merged: finds violations",
    ),
    (
        "forward completion",
        "rewriting rules put right sides beside left ones; states merged by equations of the file, \
         or else as by predicates",
    ),
    (
        "forward equations",
        "image after image, states merged that equations of the file make the same",
    ),
    (
        "forward predicates",
        "states merged that meet the same states of the bad automaton",
    ),
    (
        "forward height",
        "states merged that have the same trees up to a height",
    ),
    (
        "forward learning",
        "where steps keep the shape of trees: a set learned from which trees are reached",
    ),
    (
        "backward exact",
        "pre-image after pre-image from the bad trees, nothing merged",
    ),
    (
        "backward predicates",
        "the same, states merged that meet the same states of the initial automaton",
    ),
    (
        "backward height",
        "the same, states merged that have the same trees up to a height",
    ),
];

/// Work for a method in its first turn; it grows fourfold from turn to turn.
const FIRST_SHARE: u64 = 300_000;

/// Whether a bad tree can be reached, by methods in turns: the first in the list that answers
/// counts, so that the answer does not depend on the machine.
pub fn check(system: &System, bad: &TreeAutomaton, options: &Options, cx: &Context) -> Checked {
    let is_rewriting = (system.steps.iter()).all(|(_, step)| matches!(step, Step::Rewriting(_)));
    let keeps_shape = (system.steps.iter())
        .all(|(_, step)| matches!(step, Step::Transducer(one) if one.keeps_shape()));
    let chosen: Vec<&str> = (METHODS.iter().map(|(name, _)| *name))
        .filter(|name| {
            options
                .method
                .as_deref()
                .is_none_or(|wanted| wanted == *name)
        })
        .filter(|name| *name != "forward equations" || !system.equations.is_empty())
        .filter(|name| *name != "forward completion" || is_rewriting)
        .filter(|name| *name != "forward learning" || keeps_shape)
        .collect();
    let mut reason = Stop::inconclusive("no method fits");
    let alone = chosen.len() == 1;
    let mut left = chosen;
    let mut share = FIRST_SHARE;
    while !left.is_empty() {
        let mut out_of_work = Vec::new();
        for name in left {
            let mut inner = Context {
                budget: match alone {
                    true => cx.budget.clone(),
                    false => cx.budget.child_with_work(share),
                },
                story: cx.story.clone(),
                limits: cx.limits,
                ..Context::default()
            };
            let outcome = searched(name, system, bad, &mut inner);
            let found = match outcome.conclusion {
                Conclusion::Holds(invariant) => Found::Invariant(invariant),
                Conclusion::Violated(run) => Found::Run(run),
                Conclusion::Unknown(stop) => {
                    if let Err(stop) = cx.budget.poll() {
                        return nothing(stop, name);
                    }
                    if stop == Stop::Work {
                        out_of_work.push(name);
                    }
                    reason = stop;
                    continue;
                }
            };
            return Checked {
                found,
                method: name.to_owned(),
                refinements: outcome.refinements,
            };
        }
        left = out_of_work;
        share = share.saturating_mul(4);
    }
    nothing(reason, "all methods")
}

fn searched(
    name: &str,
    system: &System,
    bad: &TreeAutomaton,
    cx: &mut Context,
) -> Outcome<Invariant, Run> {
    let (direction, abstraction) = method(name, system, bad);
    let completing = match name {
        "forward completion" => Completing::new(system, bad, abstraction.clone()),
        _ => None,
    };
    let learning = match name {
        "forward learning" => Learning::new(system, bad),
        _ => None,
    };
    match (completing, learning) {
        (Some(mut completing), _) => run(&mut completing, cx),
        (_, Some(mut learning)) => run(&mut learning, cx),
        _ => run(&mut Search::new(system, bad, direction, abstraction), cx),
    }
}

fn nothing(stop: Stop, method: &str) -> Checked {
    Checked {
        found: Found::Nothing(stop),
        method: method.to_owned(),
        refinements: 0,
    }
}

fn method(name: &str, system: &System, bad: &TreeAutomaton) -> (Direction, Abstraction) {
    let direction = match name.starts_with("backward") {
        true => Direction::Backward,
        false => Direction::Forward,
    };
    let target = match direction {
        Direction::Forward => bad,
        Direction::Backward => &system.initial,
    };
    let abstraction = match name.split_once(' ').map(|(_, kind)| kind) {
        Some("equations") => Abstraction::Equations(system.equations.clone(), Vec::new()),
        Some("completion") if !system.equations.is_empty() => {
            Abstraction::Equations(system.equations.clone(), Vec::new())
        }
        Some("completion") => Abstraction::Predicates(vec![target.trimmed()]),
        Some("predicates") => Abstraction::Predicates(vec![target.trimmed()]),
        Some("height") => Abstraction::Height(1),
        _ => Abstraction::Exact,
    };
    (direction, abstraction)
}
