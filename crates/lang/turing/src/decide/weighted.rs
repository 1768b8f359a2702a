//! Invariants that weigh the halves of the tape against each other: small automata for both
//! halves, one edge of each with a weight, and bounds on the sum where they meet.
//!
//! Some machines keep two numbers in step, one on each side of the head, which no regular set can
//! do. If a mark counts one more on the left and one less on the right, what is left of both is a
//! small number again, and the situations with that number are finitely many once large numbers
//! count as any. The edges are guessed one by one, only those that the run needs, and all that
//! follows is worked out anew after each guess. (Among busy-beaver hunters automata with weights
//! are known as weighted finite-automata reduction; the search by need is ours.)

use quotient_core::{Budget, Stop};

use crate::begin::{Beginning, Reading};
use crate::machine::{Machine, Side, State, Symbol};
use crate::proof::{Balance, Weighted, WeightedHalf};

/// How many states more than the tape to begin with has the left and the right half may have, in
/// the order in which that is tried.
const SIZES: [(usize, usize); 9] = [
    (1, 1),
    (2, 1),
    (1, 2),
    (2, 2),
    (3, 1),
    (1, 3),
    (3, 2),
    (2, 3),
    (3, 3),
];

/// The most situations that may be told apart.
const SITUATIONS: usize = 20_000;

/// Sums beyond this count as any sum.
const LARGE: i64 = 2;

/// An invariant that contains the beginning, if one is found with so much work for each size.
pub(super) fn find(
    machine: &Machine,
    beginning: &Beginning,
    work: u64,
    budget: &Budget,
) -> Result<Option<Weighted>, Stop> {
    for (left, right) in SIZES {
        let most = [beginning.left.states + left, beginning.right.states + right];
        let situations = most[0] * most[1] * machine.states.len() * machine.symbols.len();
        if situations > SITUATIONS {
            break;
        }
        let weighing = Weighing {
            machine,
            beginning,
            most,
        };
        if let Some(found) = weighing.search(work, budget)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Bounds of a sum; none on a side means that there is no bound.
type Range = (Option<i64>, Option<i64>);

/// A state of the left half, the state of the machine, the symbol under the head, and a state of
/// the right half.
type Meeting = (usize, State, Symbol, usize);

/// An edge of a half: what lies below, the symbol, the weight, and what comes of it.
type Edge = (usize, Symbol, i64, usize);

struct Weighing<'a> {
    machine: &'a Machine,
    beginning: &'a Beginning,
    /// The most states of both halves.
    most: [usize; 2],
}

/// What has been guessed about one half.
#[derive(Clone)]
struct Guessed {
    edges: Vec<Edge>,
    /// By state and symbol: the edge along which a symbol is put on top.
    above: Vec<Option<usize>>,
    used: usize,
    /// Whether an edge has a weight already: more than one is never needed in practice.
    weighs: bool,
}

/// What follows from the guesses.
enum Outcome {
    /// A configuration stops.
    Stops,
    /// A symbol is put on top of a state of a half, and where that leads is not guessed yet.
    Open(usize, usize, Symbol),
    Closed(Vec<(Meeting, Range)>),
}

fn add(bound: Option<i64>, weight: i64) -> Option<i64> {
    bound.map(|bound| bound + weight)
}

/// The smallest range of those that are told apart that contains another.
fn rounded((low, high): Range) -> Range {
    let low = low.filter(|&low| low >= -LARGE).map(|low| low.min(LARGE));
    let high = high
        .filter(|&high| high <= LARGE)
        .map(|high| high.max(-LARGE));
    (low, high)
}

fn joined(one: Range, other: Range) -> Range {
    let low = one.0.zip(other.0).map(|(one, other)| one.min(other));
    let high = one.1.zip(other.1).map(|(one, other)| one.max(other));
    (low, high)
}

/// What two ranges have in common; nothing if that is nothing.
fn common(one: Range, other: Range) -> Option<Range> {
    let low = match (one.0, other.0) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    };
    let high = match (one.1, other.1) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    let empty = low.zip(high).is_some_and(|(low, high)| low > high);
    (!empty).then_some((low, high))
}

impl Guessed {
    fn new(reading: &Reading, most: usize, symbols: usize) -> Guessed {
        let mut guessed = Guessed {
            edges: Vec::new(),
            above: vec![None; most * symbols],
            used: reading.states,
            weighs: false,
        };
        for &(from, symbol, to) in &reading.edges {
            let place = from * symbols + usize::from(symbol);
            guessed.above[place].get_or_insert(guessed.edges.len());
            guessed.edges.push((from, symbol, 0, to));
        }
        guessed
    }

    /// The sums that a half in each state may have.
    fn sums(&self, begin: usize, most: usize) -> Vec<Option<Range>> {
        let mut sums: Vec<Option<Range>> = vec![None; most];
        sums[..begin].fill(Some((Some(0), Some(0))));
        loop {
            let mut changed = false;
            for &(from, _, weight, to) in &self.edges {
                let Some((low, high)) = sums[from] else {
                    continue;
                };
                let next = rounded((add(low, weight), add(high, weight)));
                let next = sums[to].map_or(next, |old| joined(old, next));
                changed |= sums[to] != Some(next);
                sums[to] = Some(next);
            }
            if !changed {
                return sums;
            }
        }
    }
}

impl Weighing<'_> {
    /// Guesses until nothing is open and nothing stops, or until the work is used up.
    fn search(&self, work: u64, budget: &Budget) -> Result<Option<Weighted>, Stop> {
        let symbols = self.machine.symbols.len();
        let mut left = work;
        let mut todo = vec![[
            Guessed::new(&self.beginning.left, self.most[0], symbols),
            Guessed::new(&self.beginning.right, self.most[1], symbols),
        ]];
        while let Some(halves) = todo.pop() {
            let before = left;
            let outcome = self.close(&halves, &mut left);
            budget.charge(before - left)?;
            if left == 0 {
                return Ok(None);
            }
            let (half, state, symbol) = match outcome {
                Outcome::Stops => continue,
                Outcome::Closed(met) => return Ok(Some(self.weighted(&halves, &met))),
                Outcome::Open(half, state, symbol) => (half, state, symbol),
            };
            let used = halves[half].used;
            // What is put on the stack last is tried first: states in use, without a weight.
            for to in (0..=used.min(self.most[half] - 1)).rev() {
                let heavy = if half == 0 { 1 } else { -1 };
                for weight in [heavy, 0] {
                    if weight != 0 && halves[half].weighs {
                        continue;
                    }
                    let mut next = halves.clone();
                    let guessed = &mut next[half];
                    guessed.above[state * symbols + usize::from(symbol)] =
                        Some(guessed.edges.len());
                    guessed.edges.push((state, symbol, weight, to));
                    guessed.used = used.max(to + 1);
                    guessed.weighs |= weight != 0;
                    todo.push(next);
                }
            }
        }
        Ok(None)
    }

    /// All meetings that follow from the guesses.
    fn close(&self, halves: &[Guessed; 2], work: &mut u64) -> Outcome {
        let (machine, symbols) = (self.machine, self.machine.symbols.len());
        let begin = [self.beginning.left.states, self.beginning.right.states];
        let mut table = Table {
            sums: [0, 1].map(|half| halves[half].sums(begin[half], self.most[half])),
            ranges: vec![None; self.most[0] * machine.states.len() * symbols * self.most[1]],
            todo: Vec::new(),
            states: machine.states.len(),
            symbols,
        };
        for &(left, symbol, right) in &self.beginning.meetings {
            table.cover((left, machine.start, symbol, right), (Some(0), Some(0)));
        }
        let mut open = None;
        while let Some(meeting) = table.todo.pop() {
            *work = work.saturating_sub(1);
            let (left, state, scanned, right) = meeting;
            let Some(action) = machine.action(state, scanned).filter(|_| *work > 0) else {
                return Outcome::Stops;
            };
            let Some(range) = table.ranges[table.place(meeting)] else {
                continue;
            };
            let (behind, below, ahead) = match action.shift {
                None => {
                    table.cover((left, action.to, action.write, right), range);
                    continue;
                }
                Some(Side::Right) => (0, left, right),
                Some(Side::Left) => (1, right, left),
            };
            let place = below * symbols + usize::from(action.write);
            let Some(edge) = halves[behind].above[place] else {
                open.get_or_insert((behind, below, action.write));
                continue;
            };
            let (_, _, pushed, top) = halves[behind].edges[edge];
            for &(under, symbol, pulled, to) in &halves[1 - behind].edges {
                if to != ahead {
                    continue;
                }
                let (left, right) = match action.shift {
                    Some(Side::Right) => (top, under),
                    _ => (under, top),
                };
                let change = pushed - pulled;
                let range = (add(range.0, change), add(range.1, change));
                table.cover((left, action.to, symbol, right), range);
            }
        }
        match open {
            Some((half, state, symbol)) => Outcome::Open(half, state, symbol),
            None => Outcome::Closed(table.met()),
        }
    }

    fn weighted(&self, halves: &[Guessed; 2], met: &[(Meeting, Range)]) -> Weighted {
        let machine = self.machine;
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let half = |guessed: &Guessed, begin: usize| WeightedHalf {
            begin: (0..begin).map(short).collect(),
            edges: (guessed.edges.iter())
                .map(|&(from, symbol, weight, to)| {
                    (short(from), machine.letter(symbol), weight, short(to))
                })
                .collect(),
        };
        let meeting = |&((left, state, symbol, right), (least, most)): &(Meeting, Range)| Balance {
            left: short(left),
            state: machine.states[state].clone(),
            symbol: machine.letter(symbol),
            right: short(right),
            least,
            most,
        };
        Weighted {
            left: half(&halves[0], self.beginning.left.states),
            right: half(&halves[1], self.beginning.right.states),
            meetings: met.iter().map(meeting).collect(),
        }
    }
}

/// The meetings so far, with the sums that were seen there.
struct Table {
    /// The sums that are possible in each state of both halves.
    sums: [Vec<Option<Range>>; 2],
    ranges: Vec<Option<Range>>,
    todo: Vec<Meeting>,
    states: usize,
    symbols: usize,
}

impl Table {
    fn place(&self, (left, state, symbol, right): Meeting) -> usize {
        let place = (left * self.states + state) * self.symbols + usize::from(symbol);
        place * self.sums[1].len() + right
    }

    /// Adds sums to a meeting, as far as they are possible there.
    fn cover(&mut self, meeting: Meeting, range: Range) {
        let possible = self.sums[0][meeting.0].zip(self.sums[1][meeting.3]);
        let possible = possible.map(|(left, right)| {
            let sum = |one: Option<i64>, other: Option<i64>| Some(one? + other?);
            (sum(left.0, right.0), sum(left.1, right.1))
        });
        let Some(range) = possible.and_then(|possible| common(range, possible)) else {
            return;
        };
        let place = self.place(meeting);
        let range = rounded(range);
        let range = self.ranges[place].map_or(range, |old| joined(old, range));
        if self.ranges[place] != Some(range) {
            self.ranges[place] = Some(range);
            self.todo.push(meeting);
        }
    }

    fn met(&self) -> Vec<(Meeting, Range)> {
        let meeting = |(place, range): (usize, &Option<Range>)| {
            let (rest, right) = (place / self.sums[1].len(), place % self.sums[1].len());
            let (rest, symbol) = (rest / self.symbols, rest % self.symbols);
            let symbol = Symbol::try_from(symbol).ok()?;
            let meeting = (rest / self.states, rest % self.states, symbol, right);
            range.map(|range| (meeting, range))
        };
        (self.ranges.iter().enumerate())
            .filter_map(meeting)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Source;

    use super::*;
    use crate::question::Asked;
    use crate::verify::never_unbalanced;

    /// A machine in the notation, and the tape of the question about it.
    fn read(notation: &str, tape: &str) -> (Machine, crate::question::Start) {
        let text = format!("{notation}\ncheck diverges on {tape}\n");
        let file = crate::read::read(&Source::new("machine.tm", text)).unwrap();
        let Asked::Diverges(start) = &file.questions[0].asked else {
            panic!("a question about one run");
        };
        (file.machine, start.clone())
    }

    #[test]
    fn sets_with_weights_about_machines_of_chance_are_accepted_and_true() {
        let mut proofs = 0;
        quotient_trial::trial(|u| {
            let mut rows = Vec::new();
            for _ in 0..3 {
                let mut row = String::new();
                for _ in 0..2 {
                    row.push(*u.choose(&['0', '1'])?);
                    row.push(*u.choose(&['L', 'R'])?);
                    row.push(*u.choose(&['A', 'B', 'C', 'Z'])?);
                }
                rows.push(row);
            }
            let tape = *u.choose(&["blank", "tape [1]1", "tape 1[0]1", "tape [1](10)..."])?;
            let notation = rows.join("_");
            let (machine, start) = read(&notation, tape);
            let beginning = Beginning::tape(&start);
            let budget = Budget::unlimited();
            let Some(set) = find(&machine, &beginning, 3_000, &budget).unwrap() else {
                return Ok(());
            };
            proofs += 1;
            never_unbalanced(&machine, &beginning, &set, &budget)
                .unwrap_or_else(|why| panic!("{notation} on {tape}: {why}"));
            let mut run = start.configuration(&machine);
            let goes_on = (0..2_000).all(|_| run.step(&machine).is_some());
            assert!(goes_on, "{notation} on {tape}");
            Ok(())
        })
        .budget_ms(2_000);
        assert!(proofs > 0);
    }

    #[test]
    fn ranges_are_joined_cut_and_rounded() {
        assert_eq!(
            common((Some(0), None), (None, Some(3))),
            Some((Some(0), Some(3)))
        );
        assert_eq!(common((Some(4), None), (None, Some(3))), None);
        assert_eq!(
            joined((Some(0), Some(1)), (Some(-1), None)),
            (Some(-1), None)
        );
        assert_eq!(rounded((Some(-LARGE - 1), Some(LARGE + 1))), (None, None));
        assert_eq!(rounded((Some(9), Some(-9))), (Some(LARGE), Some(-LARGE)));
    }
}
