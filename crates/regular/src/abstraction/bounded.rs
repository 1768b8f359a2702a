//! States are alike if their languages agree on short words.

use quotient_automata::{Dfa, State};
use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use crate::Set;

/// Which short words are compared, and how long they may be.
pub(crate) struct Bounded {
    kind: Kind,
    pub(super) length: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Words to acceptance.
    FutureWords,
    /// Words that can be read.
    FutureTraces,
    /// Words from the beginning.
    PastWords,
    /// Words read on the way into the state.
    PastSuffixes,
    /// Beginnings of words that lead to the state.
    PastPrefixes,
}

impl Bounded {
    pub(super) fn new(kind: Kind, length: u32) -> Bounded {
        Bounded { kind, length }
    }

    /// The class of each state, and whether a greater length would give the same classes.
    pub(super) fn classes(&self, set: &Set, budget: &Budget) -> Result<(Vec<u32>, bool), Stop> {
        match self.kind {
            Kind::FutureWords => future_words(set, self.length, budget),
            Kind::FutureTraces => future_traces(set, self.length, budget),
            Kind::PastWords => Ok(past_words(set, self.length)),
            Kind::PastPrefixes => Ok(past_prefixes(set, self.length)),
            Kind::PastSuffixes => past_suffixes(set, self.length, budget),
        }
    }
}

/// Moore's refinement, stopped after so many rounds. Class 0 stands for states from which
/// nothing is accepted yet: a move there counts as no move, because it adds no short word.
fn future_words(set: &Dfa, length: u32, budget: &Budget) -> Result<(Vec<u32>, bool), Stop> {
    let mut classes: Vec<u32> = (0..set.len())
        .map(|state| u32::from(set.accepting().contains(state)))
        .collect();
    for _ in 0..length {
        budget.charge(set.table().len() as u64 / 16 + 1)?;
        let mut numbers: FxHashMap<(bool, Vec<u32>), u32> = FxHashMap::default();
        let mut finer = Vec::with_capacity(set.len());
        for state in 0..set.len() {
            let accepts = set.accepting().contains(state);
            let row = set.row(State(state as u32));
            let signature: Vec<u32> = row.iter().map(|&next| class(&classes, next)).collect();
            if !accepts && signature.iter().all(|&class| class == 0) {
                finer.push(0);
                continue;
            }
            let next = numbers.len() as u32 + 1;
            finer.push(*numbers.entry((accepts, signature)).or_insert(next));
        }
        if same_partition(&classes, &finer) && zeros(&classes) == zeros(&finer) {
            return Ok((dense(&finer), true));
        }
        classes = finer;
    }
    // Stable also if the last round told everything apart, as states of a minimal automaton
    // cannot be told apart further.
    let classes = dense(&classes);
    let all = classes
        .iter()
        .max()
        .is_some_and(|&last| last as usize + 1 == set.len());
    Ok((classes, all))
}

fn class(classes: &[u32], state: u32) -> u32 {
    match state {
        Dfa::NONE => 0,
        state => classes[state as usize],
    }
}

fn zeros(classes: &[u32]) -> usize {
    classes.iter().filter(|&&class| class == 0).count()
}

/// The same rounds, where every state of the automaton is as good as accepting: all its states
/// lie on the way to acceptance.
fn future_traces(set: &Dfa, length: u32, budget: &Budget) -> Result<(Vec<u32>, bool), Stop> {
    let mut classes: Vec<u32> = vec![1; set.len()];
    for _ in 0..length {
        budget.charge(set.table().len() as u64 / 16 + 1)?;
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let finer: Vec<u32> = (0..set.len() as u32)
            .map(|state| {
                let row = set.row(State(state));
                let row = row.iter().map(|&next| class(&classes, next));
                let signature: Vec<u32> = row.collect();
                let next = numbers.len() as u32 + 1;
                *numbers.entry(signature).or_insert(next)
            })
            .collect();
        if same_partition(&classes, &finer) {
            return Ok((dense(&finer), true));
        }
        classes = finer;
    }
    Ok((dense(&classes), false))
}

/// The states within a distance of the beginning, in breadth-first order with their distance.
fn distances(set: &Dfa) -> Vec<u32> {
    let mut distance = vec![u32::MAX; set.len()];
    let mut order = vec![set.initial()];
    distance[set.initial().index()] = 0;
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        for &target in set.row(state).iter().filter(|&&target| target != Dfa::NONE) {
            if distance[target as usize] == u32::MAX {
                distance[target as usize] = distance[state.index()] + 1;
                order.push(State(target));
            }
        }
    }
    distance
}

/// In a deterministic automaton no word leads to two states: those that a short word leads to
/// stay alone, the others are alike.
fn past_words(set: &Dfa, length: u32) -> (Vec<u32>, bool) {
    let distance = distances(set);
    let far = distance.iter().filter(|&&d| d > length).count();
    let mut alone = 1;
    let classes = distance
        .iter()
        .map(|&d| match d > length {
            true => 0,
            false => {
                alone += 1;
                alone - 1
            }
        })
        .collect::<Vec<u32>>();
    (dense(&classes), far <= 1)
}

/// Two states are alike if the same states near the beginning can reach them: the short words
/// that lead to those are the beginnings of words that lead here.
fn past_prefixes(set: &Dfa, length: u32) -> (Vec<u32>, bool) {
    let distance = distances(set);
    let mut reached_from = vec![Bits::with_capacity(set.len()); set.len()];
    for near in (0..set.len()).filter(|&state| distance[state] <= length) {
        reached_from[near].insert(near);
        let mut waiting = vec![State(near as u32)];
        while let Some(state) = waiting.pop() {
            for &target in set.row(state).iter().filter(|&&target| target != Dfa::NONE) {
                if !reached_from[target as usize].put(near) {
                    waiting.push(State(target));
                }
            }
        }
    }
    let mut numbers: FxHashMap<&Bits, u32> = FxHashMap::default();
    let classes = reached_from
        .iter()
        .map(|from| {
            let next = numbers.len() as u32;
            *numbers.entry(from).or_insert(next)
        })
        .collect();
    (classes, distance.iter().all(|&d| d <= length))
}

/// Short words on the way into a state are those that the reversed automaton can read from it.
/// That is not deterministic: sets of states take the place of states, as far as they are
/// reached within the length, and the rounds of [`future_traces`] run on them.
fn past_suffixes(set: &Dfa, length: u32, budget: &Budget) -> Result<(Vec<u32>, bool), Stop> {
    let width = set.minterms().len();
    let mut before = vec![Vec::new(); set.len() * width];
    for state in 0..set.len() as u32 {
        for (class, &target) in set.row(State(state)).iter().enumerate() {
            if target != Dfa::NONE {
                before[target as usize * width + class].push(state);
            }
        }
    }
    let mut sets: Vec<Vec<u32>> = (0..set.len() as u32).map(|state| vec![state]).collect();
    let mut numbers: FxHashMap<Vec<u32>, u32> =
        sets.iter().cloned().zip(0..set.len() as u32).collect();
    // `layers[d]` is how many sets are reached within `d` steps.
    let mut layers = vec![sets.len()];
    let mut table: Vec<u32> = Vec::new();
    let mut done = 0;
    while layers.len() <= length as usize && done < sets.len() {
        let layer = sets.len();
        while done < layer {
            budget.charge((1 + width * sets[done].len()) as u64)?;
            for class in 0..width {
                let mut sources: Vec<u32> = sets[done]
                    .iter()
                    .flat_map(|&state| before[state as usize * width + class].iter().copied())
                    .collect();
                sources.sort_unstable();
                sources.dedup();
                if sources.is_empty() {
                    table.push(Dfa::NONE);
                    continue;
                }
                let next = sets.len() as u32;
                table.push(*numbers.entry(sources.clone()).or_insert_with(|| {
                    sets.push(sources);
                    next
                }));
            }
            done += 1;
        }
        layers.push(sets.len());
    }
    let closed = done == sets.len();
    let mut classes: Vec<u32> = vec![1; sets.len()];
    for round in 1..=length as usize {
        // Words of this length from a set need its successors in the layers below.
        let known = layers[(length as usize - round).min(layers.len() - 1)].min(done);
        let mut numbers: FxHashMap<&[u32], u32> = FxHashMap::default();
        let mut signatures: Vec<u32> = Vec::with_capacity(known * width);
        signatures.extend(
            table[..known * width]
                .iter()
                .map(|&next| class(&classes, next)),
        );
        budget.charge(signatures.len() as u64 / 16 + 1)?;
        let finer: Vec<u32> = (0..known)
            .map(|number| {
                let next = numbers.len() as u32 + 1;
                let signature = &signatures[number * width..(number + 1) * width];
                *numbers.entry(signature).or_insert(next)
            })
            .collect();
        let stable = closed && known == sets.len() && same_partition(&classes, &finer);
        classes = finer;
        if stable {
            return Ok((dense(&classes[..set.len()]), true));
        }
    }
    Ok((dense(&classes[..set.len()]), false))
}

/// Whether two numberings of classes mean the same partition.
fn same_partition(left: &[u32], right: &[u32]) -> bool {
    let mut there: FxHashMap<u32, u32> = FxHashMap::default();
    let mut back: FxHashMap<u32, u32> = FxHashMap::default();
    left.iter()
        .zip(right)
        .all(|(&a, &b)| *there.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a)
}

/// The same classes, numbered from 0 without gaps.
fn dense(classes: &[u32]) -> Vec<u32> {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    classes
        .iter()
        .map(|&class| {
            let next = numbers.len() as u32;
            *numbers.entry(class).or_insert(next)
        })
        .collect()
}
