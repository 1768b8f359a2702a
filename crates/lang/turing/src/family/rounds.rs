//! Rounds within a round: the same shape again with other counts, until one of them is used up.
//!
//! A configuration comes again with the same words, some counts larger and some smaller. If that
//! is so for all counts from some bounds on, which is shown by a run with a number of its own in
//! every block, the round is made as often as the counts that become smaller allow, all at once.
//! (A known technique for busy beavers: rules proved about a run while it goes on.)

use std::collections::HashMap;

use quotient_core::{Budget, Stop};

use super::part::{Count, NUMBERS, Part, blocks};
use super::symbolic::Symbolic;
use crate::machine::{State, Symbol};

/// How deep rounds within rounds are looked for.
pub(super) const DEPTH: usize = 2;

/// The most steps and crossings of a round within a round.
const ROUND: usize = 400;

/// The most blocks and cells of a configuration in which rounds are looked for.
pub(super) const LONGEST: usize = 200;

/// The most wrong guesses after which no more are made.
const FAILURES: usize = 30;

/// The work that looking at one block counts for.
const LOOK: u64 = 10;

/// The state and the words outward from the head.
type Shape = (State, Vec<Vec<Symbol>>, Vec<Vec<Symbol>>);

/// The shapes so far, each with the counts of its words, those to the left first.
#[derive(Default)]
pub(super) struct Rounds {
    seen: HashMap<Shape, Vec<Count>>,
    /// Guesses that were wrong.
    failures: usize,
}

impl Rounds {
    /// Looks at a configuration; where it is one of a sequence of rounds, all of them are made.
    pub(super) fn look(
        &mut self,
        tape: &mut Symbolic<'_>,
        depth: usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let length = tape.left.len() + tape.right.len();
        if length > LONGEST || self.failures > FAILURES {
            return Ok(());
        }
        budget.charge(LOOK * tape.size())?;
        let Some((left, right)) = tape.halves() else {
            return Ok(());
        };
        let (left, right) = (words(&left), words(&right));
        let names = |parts: &[Part]| parts.iter().map(|part| part.word.clone()).collect();
        let shape: Shape = (tape.state, names(&left), names(&right));
        let counts: Vec<Count> = left.iter().chain(&right).map(|part| part.count).collect();
        let Some(before) = self.seen.insert(shape.clone(), counts.clone()) else {
            return Ok(());
        };
        let Some(round) = Round::guess(&before, &counts) else {
            return Ok(());
        };
        let Some(after) = round.all(&counts) else {
            return Ok(());
        };
        if round.is_always(&shape, tape, depth, budget)? {
            let (left, right) = (after[..left.len()].to_vec(), after[left.len()..].to_vec());
            tape.left = parts(&shape.1, &left).into_iter().rev().collect();
            tape.right = parts(&shape.2, &right).into_iter().rev().collect();
            self.seen.clear();
        } else {
            self.failures += 1;
        }
        Ok(())
    }
}

/// Cells that repeat themselves as blocks; blocks stay what they are.
fn words(parts: &[Part]) -> Vec<Part> {
    let mut found = Vec::new();
    let mut cells: Vec<Symbol> = Vec::new();
    let flush = |cells: &mut Vec<Symbol>, found: &mut Vec<Part>| {
        let all = blocks(cells).into_iter().map(|(word, count)| Part {
            word,
            count: Count::of(count),
        });
        found.extend(all);
        cells.clear();
    };
    for part in parts {
        if part.is_constant() {
            cells.extend_from_slice(&part.word);
        } else {
            flush(&mut cells, &mut found);
            found.push(part.clone());
        }
    }
    flush(&mut cells, &mut found);
    found
}

fn parts(words: &[Vec<Symbol>], counts: &[Count]) -> Vec<Part> {
    let part = |(word, count): (&Vec<Symbol>, &Count)| Part {
        word: word.clone(),
        count: *count,
    };
    words.iter().zip(counts).map(part).collect()
}

/// What a round does to one count.
#[derive(Clone, Copy)]
struct Change {
    /// It is at least this before a round.
    least: u64,
    /// Whether the count is another one in every round, or has a number in it.
    varies: bool,
    /// What is added.
    more: u64,
    /// What is taken away.
    less: u64,
}

/// A round: what it does to each count.
struct Round {
    changes: Vec<Change>,
}

impl Round {
    /// A guess from the counts before and after one round: some become larger, and at least one
    /// that has a number in it becomes smaller.
    fn guess(before: &[Count], after: &[Count]) -> Option<Round> {
        let mut changes = Vec::new();
        for (old, new) in before.iter().zip(after) {
            if old.growth != new.growth {
                return None;
            }
            let (more, less) = (
                new.count.saturating_sub(old.count),
                old.count.saturating_sub(new.count),
            );
            // What is small and does not change by itself ends by itself, too.
            if less > 0 && new.is_constant() {
                return None;
            }
            changes.push(Change {
                least: if less > 0 { less + 2 } else { new.count },
                varies: more > 0 || !new.is_constant(),
                more,
                less,
            });
        }
        let numbers = changes.iter().filter(|change| change.varies).count();
        let ends = changes.iter().any(|change| change.less > 0);
        (ends && numbers <= NUMBERS).then_some(Round { changes })
    }

    /// The counts after as many rounds as there can be; none if how many is no sum of numbers.
    fn all(&self, counts: &[Count]) -> Option<Vec<Count>> {
        // Rounds until this count is below its bound: `(count - least) / less + 1`, rounded down.
        let rounds = |(change, count): (&Change, &Count)| -> Option<Count> {
            let count = Count {
                count: (count.count + change.less).checked_sub(change.least)?,
                ..*count
            };
            Some(count.divided(change.less)?.0)
        };
        let pairs = self.changes.iter().zip(counts);
        let smaller = pairs.clone().filter(|(change, _)| change.less > 0);
        let all: Option<Vec<Count>> = smaller.map(rounds).collect();
        let all = all?;
        // The first that is used up ends it, if it is always the same one.
        let first = all
            .iter()
            .find(|one| all.iter().all(|other| one.is_at_most(other)))?;
        let after = |(change, count): (&Change, &Count)| -> Option<Count> {
            let mut after = count.plus(&first.times(change.more)?)?;
            let less = first.times(change.less)?;
            for (one, less) in after.growth.iter_mut().zip(less.growth) {
                *one = one.checked_sub(less)?;
            }
            after.count = after.count.checked_sub(less.count)?;
            Some(after)
        };
        pairs.map(after).collect()
    }

    /// Whether the round is made from all counts that are as large as they have to be: a run with
    /// a number of its own in every block that varies.
    fn is_always(
        &self,
        shape: &Shape,
        tape: &Symbolic<'_>,
        depth: usize,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let mut place = 0;
        let mut counts = |after: bool| -> Vec<Count> {
            place = 0;
            let mut count = |change: &Change| {
                let many = match after {
                    true => change.least + change.more - change.less,
                    false => change.least,
                };
                if !change.varies {
                    return Count::of(many);
                }
                place += 1;
                Count::growing(place - 1, 1, many)
            };
            self.changes.iter().map(&mut count).collect()
        };
        let (before, after) = (counts(false), counts(true));
        let lefts = shape.1.len();
        let configuration = |counts: &[Count]| {
            let (left, right) = counts.split_at(lefts);
            let (left, right) = (parts(&shape.1, left), parts(&shape.2, right));
            Symbolic::new(tape.machine, shape.0, left, right)
        };
        let Some(goal) = configuration(&after).halves() else {
            return Ok(false);
        };
        comes_to(configuration(&before), &goal, ROUND, depth - 1, budget)
    }
}

/// Whether a configuration becomes another one, for all numbers, in at least one step.
pub(super) fn comes_to(
    mut tape: Symbolic<'_>,
    goal: &(Vec<Part>, Vec<Part>),
    most: usize,
    depth: usize,
    budget: &Budget,
) -> Result<bool, Stop> {
    let state = tape.state;
    let mut rounds = Rounds::default();
    for _ in 0..most {
        budget.charge(1 + tape.size())?;
        if !tape.advance() {
            return Ok(false);
        }
        if tape.stepped && tape.state == state && tape.halves().as_ref() == Some(goal) {
            return Ok(true);
        }
        if depth > 0 {
            if tape.left.len() + tape.right.len() > LONGEST {
                return Ok(false);
            }
            rounds.look(&mut tape, depth, budget)?;
        }
    }
    Ok(false)
}
