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
