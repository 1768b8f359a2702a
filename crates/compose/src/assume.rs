//! Assume-guarantee reasoning: components checked one at a time, each under an assumption
//! about the others that is found, and shown to be true, on the way.

mod abstraction;
mod alphabet;
mod chain;
mod common;
mod concrete;
mod decompose;
mod guided;
mod premise;
mod simulators;
mod symmetric;
mod teacher;
#[cfg(test)]
mod tests;
mod towards;
mod tower;

use std::sync::Arc;

use quotient_core::{Conclusion, Context, Shares, Stop, run};

pub use alphabet::{Alphabet, Heuristic, Start};
pub use decompose::Decomposition;

use crate::learn::Algorithm;
use crate::product::{Part, Product};
use crate::{Action, Lts, Network};
use chain::{Chain, Source};
use premise::{chain as chain_of, watched_error};
use symmetric::Symmetric;
use tower::Tower;

/// How assumptions make a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rule {
    /// M1 keeps the property under A1, M2 keeps A1 under A2, …, Mn keeps the last.
    #[default]
    Asymmetric,
    /// The same, with M1 once more at the end.
    Circular,
    /// Every component keeps the property under its own assumption, and what is outside all
    /// assumptions keeps it too.
    Symmetric,
}

/// Where assumptions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Means {
    /// From a learner.
    Learn(Algorithm),
    /// From abstractions of what is to keep them.
    Abstract,
    /// The weakest one over the whole interface, by the subset construction.
    Weakest,
}

impl Default for Means {
    fn default() -> Self {
        Means::Learn(Algorithm::default())
    }
}

/// How to go about a proof.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Strategy {
    /// How assumptions make a proof.
    pub rule: Rule,
    /// Where they come from.
    pub means: Means,
    /// Over which actions they speak.
    pub alphabet: Alphabet,
    /// Which components are taken together, and in which order.
    pub decomposition: Decomposition,
}

impl std::fmt::Display for Strategy {
    /// In a few words: `asymmetric, L#, refined alphabet, separate`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rule = match self.rule {
            Rule::Asymmetric => "asymmetric",
            Rule::Circular => "circular",
            Rule::Symmetric => "symmetric",
        };
        let means = match self.means {
            Means::Learn(Algorithm::LStar) => "L*",
            Means::Learn(Algorithm::LSharp) => "L#",
            Means::Abstract => "abstraction",
            Means::Weakest => "weakest assumption",
        };
        let alphabet = match self.alphabet {
            Alphabet::Whole => "whole alphabet",
            Alphabet::Refined { .. } => "refined alphabet",
        };
        let decomposition = match self.decomposition {
            Decomposition::Separate => "separate",
            Decomposition::Halves => "halves",
            Decomposition::Given(_) => "as given",
        };
        write!(f, "{rule}, {means}, {alphabet}, {decomposition}")
    }
}

/// What a proof by assumptions took. Sizes are those of the order of the components that gave
/// the answer, where several were tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// The states of the largest assumption tried.
    pub largest_assumption: usize,
    /// The states of the largest component composed with its property.
    pub largest_component: usize,
    /// Assumptions tried.
    pub conjectures: u64,
    /// Times that an alphabet grew.
    pub alphabet_refinements: u64,
    /// Questions whether a word is harmless.
    pub questions: u64,
    /// Questions answered from memory.
    pub remembered: u64,
}

impl Statistics {
    /// Takes in what another run took.
    pub(crate) fn add(&mut self, other: &Statistics) {
        self.largest_assumption = self.largest_assumption.max(other.largest_assumption);
        self.largest_component = self.largest_component.max(other.largest_component);
        self.add_effort(other);
    }

    /// Takes in what a run took that led nowhere: the work counts, the sizes do not.
    fn add_effort(&mut self, other: &Statistics) {
        self.conjectures += other.conjectures;
        self.alphabet_refinements += other.alphabet_refinements;
        self.questions += other.questions;
        self.remembered += other.remembered;
    }
}

/// A proof that components keep a property.
#[derive(Debug, Clone)]
pub struct Proof {
    /// How the assumptions make it one.
    pub rule: Rule,
    /// The numbers of the components that err when the property is broken.
    pub property: Vec<usize>,
    /// The numbers of the components, taken together as the rule wants them.
    pub groups: Vec<Vec<usize>>,
    /// With the asymmetric rules, what each group but the last asks of those after it; a
    /// shorter list says that the last one asks nothing. With the symmetric rule, one for
    /// each group; a system that starts in its error state allows nothing at all.
    pub assumptions: Vec<Arc<Lts>>,
}

/// Proves or refutes by assumptions that some components of a network never err.
///
/// `property` names them; all other components must not have error states. A violation is
/// given as the events of the whole network up to the error, silent ones included.
pub fn prove(
    network: &Network,
    property: &[usize],
    strategy: &Strategy,
    statistics: &mut Statistics,
    cx: &mut Context,
) -> Result<Conclusion<Proof, Vec<Action>>, Stop> {
    network.refuse_priorities()?;
    let parts: Vec<Arc<Part>> = network
        .components()
        .iter()
        .map(|component| Part::new(component.lts.clone()))
        .collect();
    let task = Task {
        network,
        property,
        strategy,
        watchers: property.iter().map(|&at| parts[at].clone()).collect(),
        parts,
    };
    let circular = strategy.rule == Rule::Circular && strategy.means != Means::Abstract;
    let (groups, outcome) = match circular {
        true => task.in_some_order(FIRST_ROUND, statistics, cx)?,
        false => {
            let groups = strategy.decomposition.groups(network, property);
            let outcome = task.solve(&groups, statistics, cx)?;
            (groups, outcome)
        }
    };
    Ok(match outcome {
        Conclusion::Unknown(stop) => return Err(stop),
        Conclusion::Holds(assumptions) => Conclusion::Holds(Proof {
            rule: match strategy.means {
                Means::Learn(_) => strategy.rule,
                Means::Abstract | Means::Weakest => match strategy.rule {
                    Rule::Circular if strategy.means == Means::Weakest => Rule::Circular,
                    _ => Rule::Asymmetric,
                },
            },
            property: property.to_vec(),
            groups,
            assumptions,
        }),
        Conclusion::Violated(word) => {
            // Each component once: the circular rule names the first twice.
            let mut involved: Vec<usize> = Vec::new();
            for &at in groups.iter().flatten().chain(property) {
                if !involved.contains(&at) {
                    involved.push(at);
                }
            }
            let involved = involved.iter().map(|&at| task.parts[at].clone()).collect();
            Conclusion::Violated(realised(involved, &word, cx)?)
        }
    })
}

/// What is to be proved, and how.
struct Task<'a> {
    network: &'a Network,
    property: &'a [usize],
    strategy: &'a Strategy,
    parts: Vec<Arc<Part>>,
    watchers: Vec<Arc<Part>>,
}

/// The assumptions of a proof, or a word of the components that breaks the property.
type Solution = Conclusion<Vec<Arc<Lts>>, Vec<Action>>;

/// How much work each order of the components is worth in the first round.
const FIRST_ROUND: u64 = 8_000_000;

impl Task<'_> {
    /// With the first group once more at the end. How large the assumptions are depends much
    /// on the order, so that several are tried in turn.
    fn in_some_order(
        &self,
        first: u64,
        statistics: &mut Statistics,
        cx: &mut Context,
    ) -> Result<(Vec<Vec<usize>>, Solution), Stop> {
        let mut orders = self
            .strategy
            .decomposition
            .orders(self.network, self.property);
        for groups in &mut orders {
            if groups.len() > 1 {
                groups.push(groups[0].clone());
            }
        }
        if let [groups] = &mut orders[..] {
            let outcome = self.solve(groups, statistics, cx)?;
            return Ok((std::mem::take(groups), outcome));
        }
        for work in Shares::beginning_with(first) {
            for groups in &orders {
                let mut own = cx.with_work(work);
                let mut taken = Statistics::default();
                let outcome = self.solve(groups, &mut taken, &mut own);
                let stop = match outcome {
                    Ok(Conclusion::Unknown(stop)) | Err(stop) => stop,
                    Ok(definite) => {
                        statistics.add(&taken);
                        return Ok((groups.clone(), definite));
                    }
                };
                statistics.add_effort(&taken);
                cx.budget.poll()?;
                if stop != Stop::Work {
                    return Err(stop);
                }
                cx.story
                    .note("the assumptions become large: another order of the components");
            }
        }
        Err(Stop::Work)
    }

    /// With the components in these groups.
    fn solve(
        &self,
        groups: &[Vec<usize>],
        statistics: &mut Statistics,
        cx: &mut Context,
    ) -> Result<Solution, Stop> {
        let strategy = self.strategy;
        let gathered =
            |group: &Vec<usize>| group.iter().map(|&at| self.parts[at].clone()).collect();
        let components: Vec<Vec<Arc<Part>>> = groups.iter().map(gathered).collect();
        match (strategy.means, strategy.rule) {
            (Means::Abstract, _) if components.len() > 1 => {
                let tower = Tower::new(&components, &self.watchers, strategy.alphabet);
                tower.solve(&self.watchers, statistics, cx)
            }
            (Means::Learn(algorithm), Rule::Symmetric) => {
                let [watcher] = &self.watchers[..] else {
                    return Err(Stop::inconclusive("the symmetric rule takes one property"));
                };
                if !self.network.components()[self.property[0]].is_observer() {
                    return Err(Stop::inconclusive(
                        "the symmetric rule takes a property that only watches",
                    ));
                }
                let refinement = strategy.alphabet;
                let mut method =
                    Symmetric::new(&components, watcher, algorithm, refinement, statistics, cx)?;
                Ok(run(&mut method, cx).conclusion)
            }
            (means, _) => {
                let source = match means {
                    Means::Learn(algorithm) => Source::Learned(algorithm),
                    Means::Abstract | Means::Weakest => Source::Weakest,
                };
                let chain = Chain {
                    components,
                    source,
                    alphabet: strategy.alphabet,
                };
                chain.solve(0, &self.watchers, statistics, cx)
            }
        }
    }
}

/// All events of a run into the error state in which the actions of a word happen in its
/// order. Actions of the parts that are nowhere in the word happen as they are needed.
fn realised(mut parts: Vec<Arc<Part>>, word: &[Action], cx: &Context) -> Result<Vec<Action>, Stop> {
    let mut alphabet = word.to_vec();
    alphabet.sort_unstable();
    alphabet.dedup();
    parts.push(Part::new(chain_of(word, &alphabet)));
    match watched_error(&Product::new(parts)?, 0, &cx.budget)? {
        Some(path) => Ok(path.into_iter().map(|(action, _)| action).collect()),
        None => Err(Stop::inconclusive(
            "internal error: the violation cannot be repeated",
        )),
    }
}
