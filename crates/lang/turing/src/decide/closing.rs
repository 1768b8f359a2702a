//! Regular invariants from small automata: one half of the tape is remembered as the state of a
//! deterministic automaton, the other half exactly.
//!
//! Once what lies on one side is one of finitely many states, the machine is a pushdown system
//! whose stack is the other side, and the configurations that it reaches are a regular set that
//! saturation finds (Bouajjani, Esparza, Maler 1997). What is left is to find the automaton: its
//! edges are guessed one by one, and only those that the run needs; as soon as a configuration
//! that stops is in the set, no guess for further edges takes it out again. (Among busy-beaver
//! hunters automata of this kind are known as closed tape languages and finite-automata
//! reduction; the guesses by need and the saturation are ours.)

use quotient_core::{Budget, Stop};

use crate::begin::{Beginning, Reading};
use crate::machine::{Machine, Side, State, Symbol};
use crate::proof::{HalfAutomaton, Invariant};

/// The most situations that may be told apart: beyond them tables become large.
const SITUATIONS: usize = 200_000;

/// An invariant that contains the beginning, if one is found with at most so many states beside
/// those of the beginning, and so much work for each number of states and side.
pub(super) fn find(
    machine: &Machine,
    beginning: &Beginning,
    states: usize,
    work: u64,
    budget: &Budget,
) -> Result<Option<Invariant>, Stop> {
    let numbers = if states == 0 { 0..0 } else { 0..states + 1 };
    for more in numbers {
        for side in [Side::Left, Side::Right] {
            let Some(first) = Closing::new(machine, beginning, side, more) else {
                continue;
            };
            if let Some(closed) = first.search(work, budget)? {
                return Ok(Some(closed.invariant()));
            }
        }
    }
    Ok(None)
}

/// A state of the half that is remembered, the state of the machine, the symbol under the head,
/// and a state of the half that is exact.
type Meeting = (usize, State, Symbol, usize);

/// What has been guessed and what follows from it.
#[derive(Clone)]
struct Closing<'a> {
    machine: &'a Machine,
    beginning: &'a Beginning,
    /// The side that is remembered.
    side: Side,
    symbols: usize,
    /// The most states of the half that is remembered, and how many are in use.
    most: usize,
    used: usize,
    /// Where a symbol on top of a state leads, as far as it is guessed.
    delta: Vec<Option<usize>>,
    remembered: Half<(Symbol, State, usize)>,
    exact: Half<(usize, State)>,
    /// How many states of the exact half are those of the beginning.
    base: usize,
    met: Vec<bool>,
    todo: Vec<Meeting>,
    /// Those that wait for a guess.
    open: Vec<Meeting>,
}

/// One half: by state what may lie on top with what is below, and who wants to know of more.
#[derive(Clone)]
struct Half<W> {
    under: Vec<Vec<(Symbol, usize)>>,
    waiting: Vec<Vec<W>>,
}

impl<W: PartialEq + Clone> Half<W> {
    fn new(reading: &Reading, states: usize) -> Half<W> {
        let mut half = Half {
            under: vec![Vec::new(); states],
            waiting: vec![Vec::new(); states],
        };
        for &(from, symbol, to) in &reading.edges {
            half.edge(from, symbol, to);
        }
        half
    }

    /// Adds an edge; says whether it is new.
    fn edge(&mut self, from: usize, symbol: Symbol, to: usize) -> bool {
        let new = !self.under[to].contains(&(symbol, from));
        if new {
            self.under[to].push((symbol, from));
        }
        new
    }

    /// Adds one who waits; says whether it is new.
    fn wait(&mut self, state: usize, who: W) -> bool {
        let new = !self.waiting[state].contains(&who);
        if new {
            self.waiting[state].push(who);
        }
        new
    }
}

impl<'a> Closing<'a> {
    /// Nothing guessed yet; none if there are too many situations.
    fn new(
        machine: &'a Machine,
        beginning: &'a Beginning,
        side: Side,
        more: usize,
    ) -> Option<Closing<'a>> {
        let (near, far) = match side {
            Side::Left => (&beginning.left, &beginning.right),
            Side::Right => (&beginning.right, &beginning.left),
        };
        let (states, symbols) = (machine.states.len(), machine.symbols.len());
        let most = near.states + more;
        let exact = far.states + most * states * symbols;
        let situations = most.checked_mul(states * symbols)?.checked_mul(exact)?;
        if situations > SITUATIONS {
            return None;
        }
        let mut delta = vec![None; most * symbols];
        for &(from, symbol, to) in &near.edges {
            delta[from * symbols + usize::from(symbol)].get_or_insert(to);
        }
        let mut closing = Closing {
            machine,
            beginning,
            side,
            symbols,
            most,
            used: near.states,
            delta,
            remembered: Half::new(near, most),
            exact: Half::new(far, exact),
            base: far.states,
            met: vec![false; situations],
            todo: Vec::new(),
            open: Vec::new(),
        };
        for &(left, symbol, right) in &beginning.meetings {
            let (near, far) = match side {
                Side::Left => (left, right),
                Side::Right => (right, left),
            };
            closing.meet((near, machine.start, symbol, far));
        }
        Some(closing)
    }

    /// Guesses until nothing is open and nothing stops, or until the work is used up.
    fn search(self, work: u64, budget: &Budget) -> Result<Option<Closing<'a>>, Stop> {
        let mut left = work;
        let mut todo = vec![self];
        while let Some(mut now) = todo.pop() {
            let before = left;
            let goes_on = now.close(&mut left);
            budget.charge(before - left)?;
            if left == 0 {
                return Ok(None);
            }
            if !goes_on {
                continue;
            }
            let Some(&(near, state, scanned, _)) = now.open.first() else {
                return Ok(Some(now));
            };
            let Some(action) = now.machine.action(state, scanned) else {
                continue;
            };
            let place = near * now.symbols + usize::from(action.write);
            now.todo = std::mem::take(&mut now.open);
            // States in use are tried first, so the last of them is put on the stack last.
            for choice in (0..=now.used.min(now.most - 1)).rev() {
                let mut next = now.clone();
                next.delta[place] = Some(choice);
                next.used = next.used.max(choice + 1);
                todo.push(next);
            }
        }
        Ok(None)
    }

    /// Adds what follows from the guesses so far; says whether nothing stops.
    fn close(&mut self, work: &mut u64) -> bool {
        while let Some(meeting) = self.todo.pop() {
            *work = work.saturating_sub(1);
            if *work == 0 {
                return false;
            }
            let (near, state, scanned, far) = meeting;
            let Some(action) = self.machine.action(state, scanned) else {
                return false;
            };
            match action.shift {
                None => self.meet((near, action.to, action.write, far)),
                Some(side) if side == self.side => {
                    let who = (action.write, action.to, far);
                    if self.remembered.wait(near, who) {
                        for at in 0..self.remembered.under[near].len() {
                            self.comes_to_light(self.remembered.under[near][at], who);
                        }
                    }
                }
                Some(_) => match self.delta[near * self.symbols + usize::from(action.write)] {
                    None => self.open.push(meeting),
                    Some(top) => self.leaves(near, action.write, top, action.to, far),
                },
            }
        }
        true
    }

    /// The head leaves a symbol on the side that is remembered.
    fn leaves(&mut self, near: usize, write: Symbol, top: usize, to: State, far: usize) {
        if self.remembered.edge(near, write, top) {
            for at in 0..self.remembered.waiting[top].len() {
                self.comes_to_light((write, near), self.remembered.waiting[top][at]);
            }
        }
        if self.exact.wait(far, (top, to)) {
            for at in 0..self.exact.under[far].len() {
                let (symbol, below) = self.exact.under[far][at];
                self.meet((top, to, symbol, below));
            }
        }
    }

    /// The head comes to a symbol on the side that is remembered, and leaves one on the other:
    /// what lies there now is all that ever lay there in this situation.
    fn comes_to_light(
        &mut self,
        (symbol, below): (Symbol, usize),
        (write, to, far): (Symbol, State, usize),
    ) {
        let states = self.machine.states.len();
        let top = self.base + (below * states + to) * self.symbols + usize::from(symbol);
        if self.exact.edge(far, write, top) {
            for at in 0..self.exact.waiting[top].len() {
                let (other, state) = self.exact.waiting[top][at];
                self.meet((other, state, write, far));
            }
        }
        self.meet((below, to, symbol, top));
    }

    fn meet(&mut self, meeting: Meeting) {
        let (near, state, scanned, far) = meeting;
        let states = self.machine.states.len();
        let place = (near * states + state) * self.symbols + usize::from(scanned);
        let place = place * self.exact.under.len() + far;
        if !self.met[place] {
            self.met[place] = true;
            self.todo.push(meeting);
        }
    }

    fn invariant(&self) -> Invariant {
        let machine = self.machine;
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let automaton = |under: &[Vec<(Symbol, usize)>], begin: usize| HalfAutomaton {
            begin: (0..begin).map(short).collect(),
            edges: (under.iter().enumerate())
                .flat_map(|(to, under)| under.iter().map(move |&(symbol, from)| (from, symbol, to)))
                .map(|(from, symbol, to)| (short(from), machine.letter(symbol), short(to)))
                .collect(),
        };
        let far = self.exact.under.len();
        let meeting = |place: usize| {
            let (rest, far) = (place / far, place % far);
            let (rest, symbol) = (rest / self.symbols, rest % self.symbols);
            let (near, state) = (rest / machine.states.len(), rest % machine.states.len());
            let (left, right) = match self.side {
                Side::Left => (near, far),
                Side::Right => (far, near),
            };
            let letter = machine.symbols.get(symbol).copied().unwrap_or('?');
            let name = machine.states[state].clone();
            (short(left), name, letter, short(right))
        };
        let met = self.met.iter().enumerate().filter(|(_, met)| **met);
        let beginning = self.beginning;
        let (left, right) = match self.side {
            Side::Left => (&self.remembered.under, &self.exact.under),
            Side::Right => (&self.exact.under, &self.remembered.under),
        };
        Invariant {
            left: automaton(left, beginning.left.states),
            right: automaton(right, beginning.right.states),
            meetings: met.map(|(place, _)| meeting(place)).collect(),
        }
    }
}
