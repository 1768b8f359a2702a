//! Tapes: two halves, each a finite word and then a cycle for ever.

use crate::machine::{Machine, Side, State, Symbol};

/// Half of a tape as a stream: first the symbols of a stack, nearest the head last, then a
/// cycle for ever.
///
/// It is always in its one shortest form, so that equal halves are equal values: bisimilarity
/// of streams is equality.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Half {
    stack: Vec<Symbol>,
    /// The cycle, beginning with the symbol that comes first.
    cycle: Vec<Symbol>,
    /// Where in the cycle the stream goes on after the stack.
    turn: usize,
}

impl Half {
    /// The stream that begins with `word` and goes on with `cycle` for ever.
    pub(crate) fn new(word: &[Symbol], cycle: &[Symbol]) -> Half {
        let length = cycle.len();
        let root = (1..=length).find(|&root| {
            length.is_multiple_of(root) && (root..length).all(|at| cycle[at] == cycle[at - root])
        });
        // The cycle begins at its least rotation, so that equal streams have equal cycles.
        let root = &cycle[..root.unwrap_or(length)];
        let rotated = |by: usize| [&root[by..], &root[..by]].concat();
        let (by, cycle) = (0..root.len())
            .map(|by| (by, rotated(by)))
            .min_by(|one, other| one.1.cmp(&other.1))
            .unwrap_or_default();
        let turn = (root.len() - by) % root.len().max(1);
        let mut half = Half {
            stack: Vec::new(),
            cycle,
            turn,
        };
        for &symbol in word.iter().rev() {
            half.push(symbol);
        }
        half
    }

    /// Takes the symbol nearest the head.
    pub(crate) fn pop(&mut self) -> Symbol {
        self.stack.pop().unwrap_or_else(|| {
            let symbol = self.cycle[self.turn];
            self.turn = (self.turn + 1) % self.cycle.len();
            symbol
        })
    }

    /// Puts a symbol nearest the head.
    pub(crate) fn push(&mut self, symbol: Symbol) {
        let before = (self.turn + self.cycle.len() - 1) % self.cycle.len();
        match self.stack.is_empty() && self.cycle[before] == symbol {
            true => self.turn = before,
            false => self.stack.push(symbol),
        }
    }

    /// The symbols from the head on, for ever.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        let cycle = self.cycle.iter().cycle().skip(self.turn);
        self.stack.iter().rev().chain(cycle).copied()
    }

    /// Whether it is this symbol for ever.
    pub(crate) fn is_only(&self, symbol: Symbol) -> bool {
        self.stack.is_empty() && self.cycle == [symbol]
    }

    /// How many symbols there are before the cycle.
    pub(crate) fn len(&self) -> usize {
        self.stack.len()
    }

    /// The cycle as it follows the stack.
    pub(crate) fn cycle(&self) -> Vec<Symbol> {
        [&self.cycle[self.turn..], &self.cycle[..self.turn]].concat()
    }
}

/// A tape with a head: what is to its left, under it, and to its right.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Tape {
    pub(crate) left: Half,
    pub(crate) scanned: Symbol,
    pub(crate) right: Half,
}

/// A machine at work: equal configurations have equal futures, wherever the head is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Configuration {
    pub(crate) tape: Tape,
    pub(crate) state: State,
}

impl Configuration {
    /// Does one step; says how the head moved, or that the machine stops here.
    pub(crate) fn step(&mut self, machine: &Machine) -> Option<i64> {
        let action = machine.action(self.state, self.tape.scanned)?;
        self.state = action.to;
        let tape = &mut self.tape;
        tape.scanned = action.write;
        Some(match action.shift {
            None => 0,
            Some(Side::Right) => {
                tape.left.push(tape.scanned);
                tape.scanned = tape.right.pop();
                1
            }
            Some(Side::Left) => {
                tape.right.push(tape.scanned);
                tape.scanned = tape.left.pop();
                -1
            }
        })
    }

    /// The tape as text, with the state before the scanned symbol: `1B <2>1 B`.
    pub(crate) fn text(&self, machine: &Machine) -> String {
        let tape = &self.tape;
        let letters = |half: &Half, count: usize| -> String {
            half.symbols()
                .take(count)
                .map(|symbol| machine.letter(symbol))
                .collect()
        };
        let around = |half: &Half| -> (String, String) {
            let cycle: String = half
                .cycle()
                .iter()
                .map(|&one| machine.letter(one))
                .collect();
            let plain = half.cycle == [machine.blank];
            let cycle = if plain { String::new() } else { cycle };
            (letters(half, half.len()), cycle)
        };
        let backwards = |text: String| text.chars().rev().collect::<String>();
        let (left, before) = around(&tape.left);
        let (right, after) = around(&tape.right);
        let mut text = String::new();
        if !before.is_empty() {
            text.push_str(&format!("...({})", backwards(before)));
        }
        text.push_str(&backwards(left));
        text.push_str(&format!("[{}]{right}", machine.letter(tape.scanned)));
        if !after.is_empty() {
            text.push_str(&format!("({after})..."));
        }
        text
    }

    /// How many cells hold this symbol; none if there are infinitely many.
    pub(crate) fn count(&self, symbol: Symbol) -> Option<u64> {
        let half = |half: &Half| -> Option<u64> {
            let here = half.stack.iter().filter(|&&one| one == symbol).count();
            (!half.cycle.contains(&symbol)).then_some(here as u64)
        };
        let here = u64::from(self.tape.scanned == symbol);
        Some(half(&self.tape.left)? + half(&self.tape.right)? + here)
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Source;

    use super::*;

    type Choices<'a> = quotient_trial::arbitrary::Unstructured<'a>;

    fn word(
        u: &mut Choices<'_>,
        least: usize,
    ) -> Result<Vec<Symbol>, quotient_trial::arbitrary::Error> {
        let length = u.int_in_range(least..=4)?;
        (0..length).map(|_| u.int_in_range(0..=1)).collect()
    }

    #[test]
    fn halves_are_equal_if_and_only_if_all_their_symbols_are() {
        quotient_trial::trial(|u| {
            let one = (word(u, 0)?, word(u, 1)?);
            let other = (word(u, 0)?, word(u, 1)?);
            // Both words and a common turn of both cycles are enough.
            let symbols = |(word, cycle): &(Vec<Symbol>, Vec<Symbol>)| -> Vec<Symbol> {
                let all = word.iter().chain(cycle.iter().cycle());
                all.copied().take(4 + 12).collect()
            };
            let halves = [&one, &other].map(|(word, cycle)| Half::new(word, cycle));
            let told: Vec<Symbol> = halves[0].symbols().take(16).collect();
            assert_eq!(told, symbols(&one));
            assert_eq!(halves[0] == halves[1], symbols(&one) == symbols(&other));
            let mut taken = halves[0].clone();
            let first = taken.pop();
            taken.push(first);
            assert_eq!(taken, halves[0]);
            Ok(())
        })
        .budget_ms(500);
    }

    #[test]
    fn a_run_on_two_halves_is_the_run_on_cells_one_by_one() {
        const STEPS: usize = 60;
        quotient_trial::trial(|u| {
            let mut rows = Vec::new();
            for _ in 0..3 {
                let mut row = String::new();
                for _ in 0..2 {
                    row.push(*u.choose(&['0', '1'])?);
                    row.push(*u.choose(&['L', 'R', 'N'])?);
                    row.push(*u.choose(&['A', 'B', 'C', 'Z'])?);
                }
                rows.push(row);
            }
            let text = rows.join("_");
            let Ok(file) = crate::read::read(&Source::new("machine.tm", text)) else {
                return Ok(());
            };
            let machine = file.machine;
            let (left, right) = ((word(u, 0)?, word(u, 1)?), (word(u, 0)?, word(u, 1)?));
            let mut run = Configuration {
                tape: Tape {
                    left: Half::new(&left.0, &left.1),
                    scanned: 0,
                    right: Half::new(&right.0, &right.1),
                },
                state: machine.start,
            };
            let unrolled = |(word, cycle): &(Vec<Symbol>, Vec<Symbol>)| -> Vec<Symbol> {
                let all = word.iter().chain(cycle.iter().cycle());
                all.copied().take(2 * STEPS).collect()
            };
            let mut cells: Vec<Symbol> = unrolled(&left).into_iter().rev().collect();
            let (mut head, mut state) = (cells.len(), machine.start);
            cells.push(0);
            cells.extend(unrolled(&right));
            for _ in 0..STEPS {
                let action = machine.action(state, cells[head]);
                let moved = run.step(&machine);
                let Some(action) = action else {
                    assert_eq!(moved, None);
                    break;
                };
                cells[head] = action.write;
                state = action.to;
                let by = match action.shift {
                    None => 0,
                    Some(Side::Left) => -1,
                    Some(Side::Right) => 1,
                };
                assert_eq!(moved, Some(by));
                head = head.saturating_add_signed(by as isize);
                assert_eq!((run.state, run.tape.scanned), (state, cells[head]));
                let near: Vec<Symbol> = run.tape.left.symbols().take(STEPS).collect();
                let before: Vec<Symbol> = cells[..head].iter().rev().take(STEPS).copied().collect();
                assert_eq!(near, before);
                let near: Vec<Symbol> = run.tape.right.symbols().take(STEPS).collect();
                assert_eq!(near, cells[head + 1..head + 1 + STEPS]);
            }
            Ok(())
        })
        .budget_ms(1_000);
    }
}
