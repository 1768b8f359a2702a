//! Runs, and reasons why they never end.

mod bounce;
mod closing;
mod invariant;
mod watch;
mod weighted;
mod words;

use quotient_core::{Budget, Stop};

use crate::begin::Beginning;
use crate::machine::Machine;
use crate::machine::Symbol;
use crate::pattern::Pattern;
use crate::proof::{Invariant, Proof};
use crate::question::Start;
use crate::tape::Configuration;
use watch::Watch;

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The most steps of a run.
    pub(crate) steps: u64,
    /// The most steps where only one run is asked about.
    pub(crate) alone: u64,
    /// The most symbols beside the head that a regular invariant remembers.
    pub(crate) memory: usize,
    /// The same for whole sets of tapes, where each attempt takes longer.
    pub(crate) on_sets: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 1_000_000,
            alone: 50_000_000,
            memory: 20,
            on_sets: invariant::SHORT,
        }
    }
}

/// Steps before the more costly ways are tried.
const FIRST: u64 = 2_000;

/// Symbols that an invariant may remember before families are looked for.
const LITTLE: usize = 3;

/// Steps in which a family shows itself, if there is one.
const BOUNCES: u64 = 20_000;

/// Steps before the ways that take seconds: most machines of the literature that stop have done so.
const LONG: u64 = 5_000_000;

/// The most states, beside those of the tape to begin with, of an automaton that is guessed, and
/// the work of one search for it.
const STATES: usize = 6;
const WORK: u64 = 1_000_000;

/// The work for each size of automata with weights.
const WEIGHING: u64 = 300_000;

/// Symbols that an invariant may remember before weights are tried.
const LONGER: usize = 12;

/// The work of the engine for words.
const WORDS: u64 = 20_000_000;

/// A way to find out what happens in a run.
enum Way {
    /// The run goes on until so many steps were done in all.
    Run(u64),
    /// Configurations with a number in them, perhaps with rounds within rounds.
    Family { within: bool },
    /// A regular set that remembers so many symbols, and of each so many states.
    Invariant(std::ops::RangeInclusive<usize>, usize),
    /// A regular set that remembers one half by an automaton of so many states more than the
    /// tape to begin with has, found with so much work.
    Closing(usize, u64),
    /// A set in which the halves are weighed against each other, found with so much work.
    Weighted(u64),
    /// A regular set that the engine for words finds with so much work.
    Words(u64),
}

/// What happens in a run; nothing if it could not be found out. If the run ends, also how, and on
/// which cell.
pub(crate) fn decide(
    machine: &Machine,
    start: &Start,
    limits: Limits,
    budget: &Budget,
) -> Result<Option<(Proof, (Configuration, i64))>, Stop> {
    let mut watch = Watch::new(machine, start);
    if let Some(proof) = watch.run(FIRST.min(limits.steps), budget)? {
        return Ok(Some((proof, watch.into_end())));
    }
    let beginning = Beginning::tape(start);
    let little = limits.memory.min(LITTLE);
    let short = limits.memory.min(invariant::SHORT);
    let longer = limits.memory.min(LONGER);
    let mut found = None;
    let states = limits.memory.min(STATES);
    for way in [
        Way::Invariant(1..=little, 0),
        Way::Family { within: false },
        Way::Invariant(1..=little, 1),
        Way::Invariant(1..=little, 2),
        Way::Invariant(1..=little, 3),
        Way::Family { within: true },
        Way::Invariant(little + 1..=short, 0),
        Way::Invariant(little + 1..=short, 2),
        Way::Invariant(1..=little, 6),
        Way::Invariant(1..=little, 10),
        Way::Run(LONG),
        Way::Closing(states, WORK),
        Way::Invariant(short + 1..=longer, 0),
        Way::Invariant(short + 1..=longer, 3),
        Way::Run(u64::MAX),
        Way::Weighted(if limits.memory == 0 { 0 } else { WEIGHING }),
        Way::Invariant(longer + 1..=limits.memory, 0),
        Way::Words(if limits.memory == 0 { 0 } else { WORDS }),
    ] {
        found = match way {
            Way::Run(steps) => watch.run(steps.min(limits.steps), budget)?,
            Way::Family { within } => {
                bounce::find(machine, start, BOUNCES.min(limits.steps), within, budget)?
            }
            Way::Invariant(memory, history) => {
                invariant::find(machine, &beginning, memory, history, budget)?
                    .map(Proof::RegularInvariant)
            }
            Way::Closing(states, work) => closing::find(machine, &beginning, states, work, budget)?
                .map(Proof::RegularInvariant),
            Way::Weighted(0) | Way::Words(0) => None,
            Way::Weighted(work) => {
                weighted::find(machine, &beginning, work, budget)?.map(Proof::WeightedInvariant)
            }
            Way::Words(work) => {
                words::find(machine, &beginning, work, budget)?.map(Proof::RegularInvariant)
            }
        };
        if found.is_some() {
            break;
        }
    }
    Ok(found.map(|proof| (proof, watch.into_end())))
}

/// A regular invariant that shows that no run from a word of a set ends, if one is found.
pub(crate) fn never_on_words(
    machine: &Machine,
    pattern: &Pattern<Symbol>,
    limits: Limits,
    budget: &Budget,
) -> Result<Option<Invariant>, Stop> {
    let beginning = Beginning::words(pattern, machine.blank);
    for history in 0..=2 {
        let found = invariant::find(machine, &beginning, 1..=limits.on_sets, history, budget)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    let states = limits.memory.min(STATES);
    closing::find(machine, &beginning, states, WORK, budget)
}

/// The same by the engine for words, which takes longer.
pub(crate) fn never_by_words(
    machine: &Machine,
    pattern: &Pattern<Symbol>,
    limits: Limits,
    budget: &Budget,
) -> Result<Option<Invariant>, Stop> {
    if limits.memory == 0 {
        return Ok(None);
    }
    let beginning = Beginning::words(pattern, machine.blank);
    words::find(machine, &beginning, WORDS, budget)
}

/// A regular invariant that contains all words of a set, in which configurations may stop, and
/// that is accepted, if one is found.
pub(crate) fn right_on_words(
    machine: &Machine,
    pattern: &Pattern<Symbol>,
    limits: Limits,
    accept: &dyn Fn(&Invariant) -> bool,
    budget: &Budget,
) -> Result<Option<Invariant>, Stop> {
    let beginning = Beginning::words(pattern, machine.blank);
    for memory in 1..=limits.on_sets {
        for history in 0..=2 {
            let found = invariant::with_ends(machine, &beginning, memory, history, budget)?;
            if let Some(found) = found.filter(|found| accept(found)) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}
