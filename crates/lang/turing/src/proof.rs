//! Evidence as plain data.

use serde::{Deserialize, Serialize};

use crate::family::Family;
use crate::machine::Side;

/// The kind of evidence about machines.
pub(crate) const KIND: &str = "machine-runs";

/// What settles a question: a proof for each input that has to be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Body {
    pub(crate) cases: Vec<Case>,
}

/// What happens on one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// The arguments, where the question is about a function.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<u64>,
    /// The word, where the question is about a set of words and the answer about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) word: Option<String>,
    /// What is shown about it.
    pub(crate) proof: Proof,
}

/// What happens in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shows", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Proof {
    /// It stops after so many steps.
    Halts { steps: u64 },
    /// The configuration after some steps is there again after some more.
    Repeat { after: u64, period: u64 },
    /// After some steps the head runs away over blanks.
    BlankRun { after: u64, side: Side },
    /// What happens after some steps, on one side and `reach` cells of the other, happens again.
    TranslatedCycle {
        after: u64,
        period: u64,
        side: Side,
        reach: u64,
    },
    /// After some steps it is the first configuration of a family, each of which becomes the next.
    GuardedFamily { after: u64, family: Family },
    /// A regular set of configurations that no step leaves and in which none stops.
    RegularInvariant(Invariant),
    /// A set of configurations, whose halves are weighed against each other, that no step leaves
    /// and in which none stops.
    WeightedInvariant(Weighted),
    /// On all inputs of the class of this number, executed block by block, it stops with a
    /// number of ones that grows evenly with the numbers in it, or runs away over blanks.
    /// Rounds within the run may have been made all at once.
    AllOfClass {
        first: u64,
        period: u64,
        class: u64,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        within: bool,
    },
    /// All inputs of the class of this number are in a regular set of configurations that no step
    /// leaves and in which none stops.
    ClassInvariant {
        first: u64,
        period: u64,
        class: u64,
        invariant: Invariant,
    },
    /// All inputs of the class of this number are in a regular set of configurations over paired
    /// letters that no step leaves, and where one stops the result is right.
    PairedInvariant {
        first: u64,
        period: u64,
        class: u64,
        invariant: Invariant,
    },
    /// Two streams agree in so many symbols, after which both repeat themselves.
    Agree { symbols: u64 },
    /// Two streams differ at a place, counted from 0.
    Differ { place: u64 },
}

/// A regular set of configurations: two automata that read the halves of the tape towards the
/// head, and the situations in which they may meet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Invariant {
    pub(crate) left: HalfAutomaton,
    pub(crate) right: HalfAutomaton,
    /// A state of the left automaton, a state of the machine, the symbol under the head, and a
    /// state of the right automaton.
    pub(crate) meetings: Vec<(u32, String, char, u32)>,
}

/// An automaton that reads half a tape towards the head.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HalfAutomaton {
    /// The states that stand for the states of the tapes to begin with, in their order.
    pub(crate) begin: Vec<u32>,
    /// From a state, with the next symbol, to a state.
    pub(crate) edges: Vec<(u32, char, u32)>,
}

/// A set of configurations by sums: two automata that read the halves of the tape towards the
/// head and add up weights, and the situations in which they may meet, with bounds of both sums
/// together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Weighted {
    pub(crate) left: WeightedHalf,
    pub(crate) right: WeightedHalf,
    pub(crate) meetings: Vec<Balance>,
}

/// An automaton with weights that reads half a tape towards the head.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WeightedHalf {
    /// The states that stand for the states of the tapes to begin with, in their order.
    pub(crate) begin: Vec<u32>,
    /// From a state, with the next symbol and its weight, to a state.
    pub(crate) edges: Vec<(u32, char, i64, u32)>,
}

/// Where two halves may meet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Balance {
    /// A state of the left automaton.
    pub(crate) left: u32,
    /// A state of the machine.
    pub(crate) state: String,
    /// The symbol under the head.
    pub(crate) symbol: char,
    /// A state of the right automaton.
    pub(crate) right: u32,
    /// The least sum of both halves, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) least: Option<i64>,
    /// The largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) most: Option<i64>,
}

impl Proof {
    /// What it is called.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Proof::Halts { .. } => "run",
            Proof::Repeat { .. } => "repeat",
            Proof::BlankRun { .. } => "blank run",
            Proof::TranslatedCycle { .. } => "translated cycle",
            Proof::GuardedFamily { .. } => "guarded family",
            Proof::RegularInvariant(_) | Proof::ClassInvariant { .. } => "regular invariant",
            Proof::WeightedInvariant(_) => "weighted invariant",
            Proof::AllOfClass { .. } => "symbolic run",
            Proof::PairedInvariant { .. } => "paired invariant",
            Proof::Agree { .. } | Proof::Differ { .. } => "comparison",
        }
    }

    /// What it shows, in a line.
    pub(crate) fn line(&self) -> String {
        let side = |side: &Side| match side {
            Side::Left => "left",
            Side::Right => "right",
        };
        match self {
            Proof::Halts { steps } => format!("it stops after {steps} steps"),
            Proof::Repeat { after, period } => {
                format!("the configuration after {after} steps is there again {period} steps later")
            }
            Proof::BlankRun { after, side: to } => {
                format!(
                    "after {after} steps the head runs {} over blanks for ever",
                    side(to)
                )
            }
            Proof::TranslatedCycle {
                after,
                period,
                side: to,
                ..
            } => {
                let to = side(to);
                format!("from step {after} on the same {period} steps repeat, further to the {to}")
            }
            Proof::GuardedFamily { after, family } => {
                let blocks = family.left.len() + family.right.len();
                format!(
                    "after {after} steps it is in a family of configurations ({blocks} blocks), \
                     each of which becomes the next"
                )
            }
            Proof::WeightedInvariant(set) => format!(
                "a set of configurations whose halves are weighed against each other ({} kinds of \
                 meeting) is never left, and none in it stops",
                set.meetings.len()
            ),
            Proof::AllOfClass { class, .. } => {
                format!("all inputs of class {class} were run at once, block by block")
            }
            Proof::PairedInvariant { invariant, .. } => format!(
                "a regular set of configurations over paired letters ({} kinds of meeting) is \
                 never left, and where one of them stops the result is right",
                invariant.meetings.len()
            ),
            Proof::Agree { symbols } => {
                format!("the first {symbols} symbols are the same, and then both repeat themselves")
            }
            Proof::Differ { place } => format!("the symbols at place {place} differ"),
            Proof::RegularInvariant(invariant) | Proof::ClassInvariant { invariant, .. } => {
                format!(
                    "a regular set of configurations ({} kinds of meeting) is never left, and none in \
                 it stops",
                    invariant.meetings.len()
                )
            }
        }
    }
}
