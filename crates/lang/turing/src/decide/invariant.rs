//! Regular invariants: the halves of the tape are remembered only near the head.
//!
//! What was pushed onto a half is remembered as the last few symbols, together with the state of
//! the tape to begin with that lies below them, as long as nothing between was forgotten. What
//! comes to light when the head moves on is whatever was once pushed there. The set that grows
//! from the start in this way is regular; if no configuration in it stops, it is a proof. (The
//! idea of remembering words of n symbols is known among busy-beaver hunters as closed position
//! sets of n-grams.)

use std::collections::{HashMap, HashSet};

use quotient_core::{Budget, Stop};

use crate::begin::{Beginning, Reading};
use crate::machine::{Machine, Side, State, Symbol};
use crate::proof::{HalfAutomaton, Invariant};

/// A symbol with the states in which it was last written over, the latest first: what only looks
/// the same is told apart by how it came there, as digits of a counter are. The first marks are
/// the symbols of the machine, by number, which nobody has touched yet. (Known among busy-beaver
/// hunters as n-grams with history.)
type Mark = u32;

/// The marks so far.
#[derive(Debug)]
struct Marks {
    names: Vec<(Symbol, Vec<State>)>,
    numbers: HashMap<(Symbol, Vec<State>), Mark>,
    /// How many states are remembered.
    history: usize,
}

impl Marks {
    fn new(machine: &Machine, history: usize) -> Marks {
        let symbols = u8::try_from(machine.symbols.len()).unwrap_or(u8::MAX);
        let names: Vec<(Symbol, Vec<State>)> = (0..symbols).map(|one| (one, Vec::new())).collect();
        let all = names.iter().cloned();
        let numbers = all.zip(0..).collect();
        Marks {
            names,
            numbers,
            history,
        }
    }

    fn symbol(&self, mark: Mark) -> Symbol {
        self.names[mark as usize].0
    }

    /// The mark of a symbol that is written over another in a state.
    fn written(&mut self, over: Mark, state: State, symbol: Symbol) -> Mark {
        if self.history == 0 {
            return Mark::from(symbol);
        }
        let mut visits = vec![state];
        visits.extend_from_slice(&self.names[over as usize].1);
        visits.truncate(self.history);
        let fresh = self.names.len() as Mark;
        let name = (symbol, visits);
        let mark = *self.numbers.entry(name.clone()).or_insert(fresh);
        if mark == fresh {
            self.names.push(name);
        }
        mark
    }
}

/// The most meetings of one attempt with a short memory, and with a long one.
const MEETINGS: usize = 20_000;
const MANY_MEETINGS: usize = 400_000;

/// The most symbols of a short memory.
pub(super) const SHORT: usize = 8;

/// An invariant that contains the beginning, if one is found that remembers so many symbols, and
/// of each so many states in which it was written over.
pub(super) fn find(
    machine: &Machine,
    beginning: &Beginning,
    memory: std::ops::RangeInclusive<usize>,
    history: usize,
    budget: &Budget,
) -> Result<Option<Invariant>, Stop> {
    for memory in memory {
        let mut search = Search::new(machine, beginning, memory, history);
        if search.close(false, budget)? {
            return Ok(Some(search.invariant(beginning)));
        }
    }
    Ok(None)
}

/// A set that no step leaves, in which configurations may stop; none if it is too large.
pub(super) fn with_ends(
    machine: &Machine,
    beginning: &Beginning,
    memory: usize,
    history: usize,
    budget: &Budget,
) -> Result<Option<Invariant>, Stop> {
    let mut search = Search::new(machine, beginning, memory, history);
    let closed = search.close(true, budget)?;
    Ok(closed.then(|| search.invariant(beginning)))
}

/// What is remembered of half a tape: the symbols nearest the head, and what lies below them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Memory {
    near: Vec<Mark>,
    below: Option<usize>,
}

/// One half: its states, and which symbol above which state leads to each.
#[derive(Debug, Default)]
struct Halves {
    names: Vec<Memory>,
    numbers: HashMap<Memory, usize>,
    /// By state: the symbols that may be on top of it, with what lies below them.
    under: Vec<Vec<(Mark, usize)>>,
    /// By state: who wants to know what comes to light there: the other half and the state of
    /// the machine.
    waiting: Vec<Vec<(usize, State)>>,
    edges: HashSet<(usize, Mark, usize)>,
}

impl Halves {
    fn new(reading: &Reading) -> Halves {
        let mut halves = Halves::default();
        for state in 0..reading.states {
            halves.number(Memory {
                near: Vec::new(),
                below: Some(state),
            });
        }
        for &(from, symbol, to) in &reading.edges {
            halves.edge(from, Mark::from(symbol), to);
        }
        halves
    }

    fn number(&mut self, memory: Memory) -> usize {
        if let Some(&number) = self.numbers.get(&memory) {
            return number;
        }
        self.names.push(memory.clone());
        self.numbers.insert(memory, self.names.len() - 1);
        self.under.push(Vec::new());
        self.waiting.push(Vec::new());
        self.names.len() - 1
    }

    /// Adds an edge; says whether it is new.
    fn edge(&mut self, from: usize, symbol: Mark, to: usize) -> bool {
        let new = self.edges.insert((from, symbol, to));
        if new {
            self.under[to].push((symbol, from));
        }
        new
    }

    /// The state after a symbol was put on top of another.
    fn above(&mut self, from: usize, symbol: Mark, memory: usize) -> usize {
        // A blank on nothing but blanks is nothing but blanks.
        if self.names[from].near.is_empty() && self.edges.contains(&(from, symbol, from)) {
            return from;
        }
        let mut name = self.names[from].clone();
        name.near.insert(0, symbol);
        if name.near.len() > memory {
            name.near.truncate(memory);
            name.below = None;
        }
        self.number(name)
    }

    fn automaton(&self, machine: &Machine, marks: &Marks, states: usize) -> HalfAutomaton {
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        // Without the history the set is the same: steps do not depend on it.
        let plain = |&(from, mark, to): &(usize, Mark, usize)| (from, marks.symbol(mark), to);
        let mut edges: Vec<_> = self.edges.iter().map(plain).collect();
        edges.sort_unstable();
        edges.dedup();
        HalfAutomaton {
            begin: (0..states).map(short).collect(),
            edges: (edges.into_iter())
                .map(|(from, symbol, to)| (short(from), machine.letter(symbol), short(to)))
                .collect(),
        }
    }
}

type Meeting = (usize, State, Mark, usize);

struct Search<'a> {
    machine: &'a Machine,
    memory: usize,
    marks: Marks,
    left: Halves,
    right: Halves,
    met: HashSet<Meeting>,
    todo: Vec<Meeting>,
}

impl<'a> Search<'a> {
    fn new(
        machine: &'a Machine,
        beginning: &Beginning,
        memory: usize,
        history: usize,
    ) -> Search<'a> {
        let mut search = Search {
            machine,
            memory,
            marks: Marks::new(machine, history),
            left: Halves::new(&beginning.left),
            right: Halves::new(&beginning.right),
            met: HashSet::new(),
            todo: Vec::new(),
        };
        for &(left, symbol, right) in &beginning.meetings {
            search.meet((left, machine.start, Mark::from(symbol), right));
        }
        search
    }

    fn meet(&mut self, meeting: Meeting) {
        if self.met.insert(meeting) {
            self.todo.push(meeting);
        }
    }

    /// Adds what steps lead to, until there is nothing new; says whether nothing stops that must
    /// not.
    fn close(&mut self, may_stop: bool, budget: &Budget) -> Result<bool, Stop> {
        let most = match self.memory <= SHORT {
            true => MEETINGS,
            false => MANY_MEETINGS,
        };
        while let Some((left, state, scanned, right)) = self.todo.pop() {
            budget.charge(1)?;
            let Some(action) = self.machine.action(state, self.marks.symbol(scanned)) else {
                if may_stop {
                    continue;
                }
                return Ok(false);
            };
            let write = self.marks.written(scanned, state, action.write);
            if self.met.len() > most {
                return Ok(false);
            }
            match action.shift {
                None => self.meet((left, action.to, write, right)),
                Some(Side::Right) => self.slide(Side::Right, left, write, right, action.to),
                Some(Side::Left) => self.slide(Side::Left, right, write, left, action.to),
            }
        }
        Ok(true)
    }

    /// The head moves: a symbol is left behind, and one comes to light ahead.
    fn slide(&mut self, side: Side, behind: usize, write: Mark, ahead: usize, to: State) {
        let (from, into) = match side {
            Side::Right => (&mut self.left, &mut self.right),
            Side::Left => (&mut self.right, &mut self.left),
        };
        let top = from.above(behind, write, self.memory);
        let mut found = Vec::new();
        if from.edge(behind, write, top) {
            // Who looked under this state before sees the new symbol, too.
            for &(other, state) in &from.waiting[top] {
                found.push((side == Side::Right, behind, state, write, other));
            }
        }
        if !into.waiting[ahead].contains(&(top, to)) {
            into.waiting[ahead].push((top, to));
            for &(symbol, below) in &into.under[ahead] {
                found.push((side == Side::Left, below, to, symbol, top));
            }
        }
        for (on_left, below, state, symbol, other) in found {
            self.meet(match on_left {
                true => (below, state, symbol, other),
                false => (other, state, symbol, below),
            });
        }
    }

    fn invariant(&self, beginning: &Beginning) -> Invariant {
        let machine = self.machine;
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let plain =
            |&(left, state, mark, right): &Meeting| (left, state, self.marks.symbol(mark), right);
        let mut met: Vec<_> = self.met.iter().map(plain).collect();
        met.sort_unstable();
        met.dedup();
        Invariant {
            left: self
                .left
                .automaton(machine, &self.marks, beginning.left.states),
            right: self
                .right
                .automaton(machine, &self.marks, beginning.right.states),
            meetings: (met.into_iter())
                .map(|(left, state, symbol, right)| {
                    let name = machine.states[state].clone();
                    (short(left), name, machine.letter(symbol), short(right))
                })
                .collect(),
        }
    }
}
