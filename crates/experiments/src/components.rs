//! The published experiments of assume-guarantee reasoning, to run again.
//!
//! M. Bobaru's thesis (Toronto, 2009) has eleven tables of assumption sizes, memory and time
//! for five systems. [`rows`] lists them; [`measure`] runs a row on a model of the system, such as
//! that of [`Case::network`]; a [`Suite`] runs all that are asked for. Models differ from the originals, which were never published, so that
//! sizes need not agree where the method does not fix them.

mod published;
mod sizes;
mod suite;
mod systems;
mod table;

use std::time::{Duration, Instant};

use quotient_compose::{
    Algorithm, Alphabet, Decomposition, Goals, Heuristic, Means, Network, Rule, Start, Statistics,
    Strategy, explore, prove,
};
use quotient_core::{Conclusion, Context, Stop, Verdict};

pub use published::rows;
pub use sizes::{Sides, measure_sides, sides};
pub use suite::{Line, Outcome, SidesLine, Suite, Watch};

/// A system of the experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    /// The self-service gas station with a number of customers.
    GasStation,
    /// The Chiron user interface with a number of artists, first property.
    ChironOrder,
    /// The same, second property.
    ChironCause,
    /// The resource arbiter of the Mars exploration rover with a number of users.
    Mer,
    /// The executive of the K9 rover.
    Rover,
}

impl Case {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Case::GasStation => "Gas Station",
            Case::ChironOrder => "Chiron, property 1",
            Case::ChironCause => "Chiron, property 2",
            Case::Mer => "MER",
            Case::Rover => "Rover",
        }
    }

    /// The components of the first of two groups, as the experiments take the system apart:
    /// by their names in the models that come with Quotient. For the gas station the text of
    /// the thesis has the operator first, but its sizes (table 5.8) have the customers first.
    pub fn first_group(self, network: &Network) -> Vec<usize> {
        let names = network
            .components()
            .iter()
            .map(|component| &*component.name);
        let users = names.clone().filter(|name| name.contains(":USER")).count();
        let mut seen = 0;
        let mut is_first = |name: &str| match self {
            Case::GasStation => name.contains("CUSTOMER") || name.contains("PUMP(2)"),
            Case::ChironOrder | Case::ChironCause => name.contains("EVENT_DISPATCHER"),
            Case::Rover => name.contains("CHECKER"),
            Case::Mer => {
                seen += usize::from(name.contains(":USER"));
                name.contains(":USER") && seen <= users / 2
            }
        };
        let chosen = names.enumerate().filter(|(_, name)| is_first(name));
        chosen.map(|(at, _)| at).collect()
    }
}

/// How the system is taken apart in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// In two as the authors did.
    Two,
    /// In two parts of about the same size.
    Balanced,
    /// Every component by itself.
    Every,
}

/// What was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// The search of the whole system.
    Monolithic,
    /// A proof by assumptions.
    Assumptions {
        /// How assumptions make a proof.
        rule: Rule,
        /// Where they come from.
        means: Means,
        /// Over which actions they speak.
        alphabet: Alphabet,
        /// How the system is taken apart.
        split: Split,
    },
}

/// One run of one table, with what was published for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The number of the table.
    pub table: &'static str,
    /// The system.
    pub case: Case,
    /// How large it is.
    pub size: u32,
    /// What was run.
    pub run: Run,
    /// The published result.
    pub published: Published,
}

/// A published result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// The states of the largest assumption; none for a monolithic search.
    pub states: Option<u32>,
    /// Memory in megabytes.
    pub memory: Option<f64>,
    /// Seconds; none if it ran out of time or memory (30 minutes, 1 GB).
    pub seconds: Option<f64>,
}

/// What a row gave here.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The verdict.
    pub verdict: Verdict,
    /// The states of the largest assumption; none for a monolithic search.
    pub assumption_states: Option<usize>,
    /// All that the proof took.
    pub statistics: Statistics,
    /// The states of the whole system, where they were searched.
    pub explored_states: Option<u64>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Runs a row on a model.
pub fn measure(row: &Row, network: &Network, threads: usize, cx: &mut Context) -> Measured {
    let components = network.components();
    let began = Instant::now();
    let mut statistics = Statistics::default();
    let (verdict, explored_states) = match row.run {
        Run::Monolithic => {
            let goals = Goals {
                deadlock: false,
                error: true,
            };
            match explore(network, goals, threads, cx) {
                Ok(found) if found.finding.is_none() => (Verdict::Holds, Some(found.states)),
                Ok(found) => (Verdict::Violated, Some(found.states)),
                Err(stop) => (Verdict::Unknown(stop), None),
            }
        }
        Run::Assumptions {
            rule,
            means,
            alphabet,
            split,
        } => {
            let property: Vec<usize> = (0..components.len())
                .filter(|&at| components[at].lts.has_error())
                .collect();
            let strategy = Strategy {
                rule,
                means,
                alphabet,
                decomposition: match split {
                    Split::Every => Decomposition::Separate,
                    Split::Balanced => Decomposition::Halves,
                    Split::Two => Decomposition::Given(two(row.case, network)),
                },
            };
            let outcome = prove(network, &property, &strategy, &mut statistics, cx);
            (verdict(outcome), None)
        }
    };
    Measured {
        verdict,
        assumption_states: match row.run {
            Run::Monolithic => None,
            Run::Assumptions { .. } => Some(statistics.largest_assumption),
        },
        statistics,
        explored_states,
        elapsed: began.elapsed(),
    }
}

fn two(case: Case, network: &Network) -> Vec<Vec<usize>> {
    let first = case.first_group(network);
    let rest = (0..network.components().len()).filter(|at| !first.contains(at));
    let rest = rest.collect();
    vec![first, rest]
}

fn verdict<P, T>(outcome: Result<Conclusion<P, T>, Stop>) -> Verdict {
    match outcome {
        Ok(conclusion) => conclusion.verdict(),
        Err(stop) => Verdict::Unknown(stop),
    }
}

impl Run {
    /// A proof with L* as the experiments ran it.
    const fn learned(rule: Rule, alphabet: Alphabet, split: Split) -> Run {
        Run::Assumptions {
            rule,
            means: Means::Learn(Algorithm::LStar),
            alphabet,
            split,
        }
    }

    const fn abstracted(alphabet: Alphabet, split: Split) -> Run {
        Run::Assumptions {
            rule: Rule::Asymmetric,
            means: Means::Abstract,
            alphabet,
            split,
        }
    }
}

const fn refined(heuristic: Heuristic) -> Alphabet {
    Alphabet::Refined {
        start: Start::Property,
        heuristic,
    }
}
