//! Evidence as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::levels::Level;
use crate::net::Net;

/// A run: the tokens at the start (places without any are left out), and what fired.
pub(crate) const RUN: &str = "net-run";
/// All reachable markings: they contain the start and what follows from each of them.
pub(crate) const MARKINGS: &str = "net-markings";
/// Weights of places whose sum no transition makes larger.
pub(crate) const INEQUALITY: &str = "net-inequality";
/// The least markings from which the target can be covered.
pub(crate) const BASIS: &str = "net-basis";
/// The most tokens in places: a run that reaches the number, and why there are no more.
pub(crate) const BOUND: &str = "net-bound";

/// Markings, and what follows from each of them decides a formula about runs.
pub(crate) const PART: &str = "net-part";
/// A run that goes on for ever, or one that decides whatever comes.
pub(crate) const LASSO: &str = "net-lasso";
/// Evidence for several questions at once.
pub(crate) const SEVERAL: &str = "net-several";
/// Markings, each with transitions that stand for all on the way to what is asked.
pub(crate) const STUBBORN: &str = "net-stubborn";
/// Markings, each with transitions that stand for all on runs that a formula does not tell apart.
pub(crate) const STUTTERING: &str = "net-stuttering";
/// Markings that stand for all, since blocks of places can be exchanged.
pub(crate) const ORBITS: &str = "net-orbits";
/// Why every transition cannot be held up at the same time.
pub(crate) const CAUSES: &str = "net-causes";
/// Places that are counted up to caps, and kinds of markings by these.
pub(crate) const CAPPED: &str = "net-capped";
/// A set of markings that contains the start and what follows from each, as a decision diagram.
pub(crate) const DIAGRAM: &str = "net-diagram";
/// Such a set, on which a formula about runs has its value.
pub(crate) const SETS: &str = "net-sets";
/// How many markings there are.
pub(crate) const SIZE: &str = "net-size";

/// A run that adds tokens and can be repeated.
pub(crate) const PUMP: &str = "net-pump";

/// A run whose end has all the tokens of one of its markings, and more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pump {
    pub(crate) run: Run,
    /// After so many steps it has the marking that is covered at the end.
    pub(crate) from: usize,
}

/// Conditions that never change, by weights of places: they decide a formula about runs.
pub(crate) const CONSTANT: &str = "net-constant";

/// Conditions of a formula that never change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Constants {
    pub(crate) atoms: Vec<Constant>,
}

/// A condition, by its number in the formula (in the order in which it stands there, equal ones
/// once), its value, and weights for each alternative of the opposite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Constant {
    pub(crate) atom: usize,
    pub(crate) value: bool,
    pub(crate) proofs: Vec<Weights>,
}

/// A run that goes on for ever.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Lasso {
    pub(crate) run: Run,
    /// After the last step it goes on as after so many; without it nothing can fire any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) back_to: Option<usize>,
    /// The formula is broken already, whatever comes after the last step.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) decides: bool,
}

/// Evidence for several questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Several {
    pub(crate) pieces: Vec<Piece>,
}

/// Evidence for some of several questions, by number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Piece {
    pub(crate) parts: Vec<usize>,
    pub(crate) kind: String,
    pub(crate) body: serde_json::Value,
}

/// Markings with stubborn sets of transitions, by number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stubborn {
    pub(crate) markings: Vec<(Vec<u64>, Vec<usize>)>,
}

/// Markings, one for all that exchanges of blocks make of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Orbits {
    /// Families of blocks of places, by name: any two blocks of a family can be exchanged.
    pub(crate) families: Vec<Vec<Vec<String>>>,
    pub(crate) markings: Vec<Vec<u64>>,
}

/// Kinds of markings: by places some of whose numbers are told apart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Capped {
    /// What is told apart: all numbers up to a cap, or whether there are at least so many; of other places nothing.
    pub(crate) caps: BTreeMap<String, Level>,
    /// Of each kind: the least number of each of these places that is not told apart, in the order of their names.
    pub(crate) keys: Vec<Vec<u64>>,
}

/// Limits of tokens that are never kept together where nothing can fire: pieces, numbered in this order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Causes {
    /// Places that always keep a token together.
    pub(crate) traps: Vec<Vec<String>>,
    /// Places that never have so few tokens, all of them.
    pub(crate) weights: Vec<Few>,
    /// What follows; the last piece has no limits.
    pub(crate) steps: Vec<Step>,
}

/// Places with limits, and weights that show that these are never kept together: a factor for each.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Few {
    pub(crate) limits: BTreeMap<String, u64>,
    pub(crate) proof: Weights,
}

/// Limits that are never kept together where a transition cannot fire: by a piece for each of its needs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) limits: BTreeMap<String, u64>,
    pub(crate) transition: String,
    /// By the places that it needs, in the order of the net.
    pub(crate) because: Vec<usize>,
}

/// The size of the graph of markings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Size {
    pub(crate) markings: u64,
    /// Steps, each transition counted.
    pub(crate) steps: u64,
    pub(crate) most_in_place: u64,
    pub(crate) most_in_marking: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) start: BTreeMap<String, u64>,
    pub(crate) fired: Vec<String>,
}

/// Markings, each as the tokens of all places in the order of the net.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Markings {
    pub(crate) markings: Vec<Vec<u64>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inequalities {
    /// One for each alternative of what must not happen, in order.
    pub(crate) proofs: Vec<Weights>,
    /// Places that always keep a token together: one more inequality each, for every alternative.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) traps: Vec<Vec<String>>,
}

/// Weights of places; those that are not named have none.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Weights {
    pub(crate) weights: BTreeMap<String, i64>,
    /// How often each inequality of the alternative is taken.
    #[serde(default)]
    pub(crate) factors: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bound {
    pub(crate) value: u64,
    pub(crate) run: Run,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) weights: Option<Weights>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) markings: Option<Vec<Vec<u64>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) diagram: Option<Diagram>,
}

/// A set of markings as a decision diagram.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Diagram {
    /// All places, from the top.
    pub(crate) order: Vec<String>,
    /// Lists of tokens, numbered from 2 on: the tokens of the first entry, the list of what can
    /// follow it below, and the rest of the list. 0 is the empty list, 1 stands below the last
    /// place. The last list is the set.
    pub(crate) lists: Vec<(u32, u32, u32)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Basis {
    pub(crate) basis: Vec<BTreeMap<String, u64>>,
    /// The most tokens of places, for each member; if there are none at all, it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) limits: Vec<BTreeMap<String, u64>>,
    /// Weights of places whose sum no transition makes larger.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) weights: Vec<BTreeMap<String, u64>>,
}

/// A marking by name, without empty places.
pub(crate) fn named(net: &Net, marking: &[u64]) -> BTreeMap<String, u64> {
    let held = net.places.iter().zip(marking).filter(|(_, n)| **n > 0);
    held.map(|(place, &tokens)| (place.id.clone(), tokens))
        .collect()
}

/// A run by name.
pub(crate) fn run(net: &Net, start: &[u64], fired: &[usize]) -> Run {
    let name = |&one: &usize| net.transitions[one].id.clone();
    Run {
        start: named(net, start),
        fired: fired.iter().map(name).collect(),
    }
}
