//! The pairs of a transducer state and a language state that lie on accepting runs.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};

use super::compile::{Kind, Machine};
use crate::Dfa;
use crate::class_nfa::{ClassNfa, Rows};

/// Walks the pairs that the initial ones reach; keeps those that lead to acceptance.
pub(super) fn product(
    machine: &Machine,
    language: &Dfa,
    table: &[u32],
    width: usize,
    budget: &Budget,
) -> Result<ClassNfa, Stop> {
    let mut pairs = Pairs::new(machine.len(), language.len());
    let initial: Vec<u32> = machine
        .initial
        .iter()
        .map(|&p| pairs.number(p, language.initial().0))
        .collect();
    // Each move of a deterministic language goes through a few states of the transducer.
    let (states, moves) = (4 * language.len(), 4 * table.len());
    let mut written = Rows::with_capacity(states, moves);
    let mut silent = Rows::with_capacity(states, 0);
    let mut accepting = Bits::new();
    // The states that the language moves to on the letters of one label, each once.
    let mut targets = Vec::new();
    let mut next = 0;
    while let Some(&(p, q)) = pairs.pairs.get(next) {
        if machine.accepting[p as usize] && language.accepting().contains(q as usize) {
            accepting.grow_and_insert(next);
        }
        next += 1;
        let row = &table[q as usize * width..(q as usize + 1) * width];
        let before = written.items.len() + silent.items.len();
        let reach = |input: &[u32], targets: &mut Vec<u32>| {
            targets.clear();
            targets.extend(input.iter().map(|&class| row[class as usize]));
            targets.retain(|&target| target != Dfa::NONE);
            targets.sort_unstable();
            targets.dedup();
        };
        for step in machine.moves(p) {
            match &step.kind {
                Kind::Copy(letters) => {
                    for &class in machine.classes(letters) {
                        let target = row[class as usize];
                        if target != Dfa::NONE {
                            let pair = pairs.number(step.target, target);
                            written.items.push((class, pair));
                        }
                    }
                }
                Kind::Rewrite(input, output) => {
                    reach(machine.classes(input), &mut targets);
                    for &target in &targets {
                        let pair = pairs.number(step.target, target);
                        let output = machine.classes(output).iter();
                        written.items.extend(output.map(|&class| (class, pair)));
                    }
                }
                Kind::Delete(input) => {
                    reach(machine.classes(input), &mut targets);
                    for &target in &targets {
                        silent.items.push(pairs.number(step.target, target));
                    }
                }
                Kind::Insert(output) => {
                    let pair = pairs.number(step.target, q);
                    let output = machine.classes(output).iter();
                    written.items.extend(output.map(|&class| (class, pair)));
                }
                Kind::Silent => silent.items.push(pairs.number(step.target, q)),
            }
        }
        written.end_row();
        silent.end_row();
        let made = written.items.len() + silent.items.len() - before;
        budget.charge(1 + made as u64)?;
    }
    let whole = ClassNfa {
        initial,
        accepting,
        moves: written,
        silent,
    };
    Ok(whole.trim())
}

/// Numbers for pairs, in the order in which they are met.
struct Pairs {
    /// A row for each transducer state that was met, one after the other.
    numbers: Vec<u32>,
    /// Where the row of each transducer state begins.
    rows: Vec<u32>,
    width: usize,
    pairs: Vec<(u32, u32)>,
}

impl Pairs {
    fn new(height: usize, width: usize) -> Pairs {
        Pairs {
            numbers: Vec::with_capacity(4 * width),
            rows: vec![u32::MAX; height],
            width,
            pairs: Vec::with_capacity(4 * width),
        }
    }

    #[inline]
    fn number(&mut self, p: u32, q: u32) -> u32 {
        let row = &mut self.rows[p as usize];
        if *row == u32::MAX {
            *row = (self.numbers.len() / self.width) as u32;
            self.numbers
                .resize(self.numbers.len() + self.width, u32::MAX);
        }
        let number = &mut self.numbers[*row as usize * self.width + q as usize];
        if *number == u32::MAX {
            *number = self.pairs.len() as u32;
            self.pairs.push((p, q));
        }
        *number
    }
}
