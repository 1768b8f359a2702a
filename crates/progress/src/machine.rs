//! Automata and transducers as tables: what inner loops walk on.

use quotient_automata::{Dfa, Label, Letter, Nfa, Predicate, State, Transducer};
use quotient_core::{Budget, Stop};

/// A letter, by number.
pub(crate) type Symbol = u16;

/// A configuration.
pub(crate) type Word = Box<[Symbol]>;

/// A set of words: a complete deterministic automaton.
#[derive(Debug, Clone)]
pub(crate) struct Set {
    pub(crate) letters: usize,
    pub(crate) start: u32,
    pub(crate) accepting: Vec<bool>,
    next: Vec<u32>,
}

impl Set {
    pub(crate) fn of(nfa: &Nfa, budget: &Budget) -> Result<Set, Stop> {
        Ok(Set::of_dfa(&nfa.canonical(budget)?.into_dfa()))
    }

    pub(crate) fn of_dfa(dfa: &Dfa) -> Set {
        let letters = dfa.alphabet().len();
        let sink = dfa.len() as u32;
        let mut accepting: Vec<bool> = (0..sink).map(|s| dfa.is_accepting(State(s))).collect();
        accepting.push(false);
        let mut next = vec![sink; (sink as usize + 1) * letters];
        for state in 0..sink {
            for letter in dfa.alphabet().letters() {
                if let Some(target) = dfa.step(State(state), letter) {
                    next[state as usize * letters + letter.index()] = target.0;
                }
            }
        }
        Set {
            letters,
            start: dfa.initial().0,
            accepting,
            next,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.accepting.len()
    }

    #[inline]
    pub(crate) fn step(&self, state: u32, letter: Symbol) -> u32 {
        self.next[state as usize * self.letters + letter as usize]
    }

    pub(crate) fn accepts(&self, word: &[Symbol]) -> bool {
        let end = word
            .iter()
            .fold(self.start, |state, &letter| self.step(state, letter));
        self.accepting[end as usize]
    }

    /// The states from which some word is accepted.
    pub(crate) fn live(&self) -> Vec<bool> {
        let mut live = self.accepting.clone();
        loop {
            let mut changed = false;
            for state in 0..self.len() as u32 {
                let leads = (0..self.letters as Symbol).any(|a| live[self.step(state, a) as usize]);
                if !live[state as usize] && leads {
                    live[state as usize] = true;
                    changed = true;
                }
            }
            if !changed {
                return live;
            }
        }
    }

    /// The letters that occur in a word of the set.
    pub(crate) fn used(&self) -> Vec<Symbol> {
        let live = self.live();
        let mut seen = vec![false; self.len()];
        let mut used = vec![false; self.letters];
        let mut waiting = vec![self.start];
        seen[self.start as usize] = true;
        while let Some(state) = waiting.pop() {
            for letter in 0..self.letters as Symbol {
                let target = self.step(state, letter);
                if live[target as usize] {
                    used[letter as usize] = true;
                    if !std::mem::replace(&mut seen[target as usize], true) {
                        waiting.push(target);
                    }
                }
            }
        }
        (0..self.letters as Symbol)
            .filter(|&letter| used[letter as usize])
            .collect()
    }

    /// The words of one length, at most so many; nothing if there are more.
    pub(crate) fn words(
        &self,
        length: usize,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<Word>>, Stop> {
        // `ways[i]`: the states from which a word of length `i` is accepted.
        let mut ways = vec![self.accepting.clone()];
        for at in 0..length {
            budget.charge(self.len() as u64)?;
            let shorter = &ways[at];
            let longer = (0..self.len() as u32).map(|state| {
                (0..self.letters as Symbol).any(|a| shorter[self.step(state, a) as usize])
            });
            ways.push(longer.collect());
        }
        let mut words = Vec::new();
        let mut path: Vec<(u32, Symbol)> = vec![(self.start, 0)];
        if !ways[length][self.start as usize] {
            return Ok(Some(words));
        }
        while let Some(&(state, letter)) = path.last() {
            budget.poll()?;
            let left = length + 1 - path.len();
            if left == 0 {
                if words.len() == most {
                    return Ok(None);
                }
                // The letter that led to each state is the one before the next to try.
                words.push(path[..length].iter().map(|&(_, next)| next - 1).collect());
                path.pop();
                continue;
            }
            if letter as usize == self.letters {
                path.pop();
                continue;
            }
            if let Some(last) = path.last_mut() {
                last.1 += 1;
            }
            let target = self.step(state, letter);
            if ways[left - 1][target as usize] {
                path.push((target, 0));
            }
        }
        Ok(Some(words))
    }
}

/// The moves of a player: a transducer without silent moves that keeps the length of words.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    pub(crate) initial: Vec<u32>,
    pub(crate) accepting: Vec<bool>,
    /// What is read, what is written, where it leads; in order.
    pub(crate) moves: Vec<Vec<(Symbol, Symbol, u32)>>,
}

impl Steps {
    /// Nothing if some move changes the length of words.
    pub(crate) fn of(transducer: &Transducer, budget: &Budget) -> Result<Option<Steps>, Stop> {
        let states = transducer.len();
        let mut moves = vec![Vec::new(); states];
        let mut accepting = vec![false; states];
        for state in transducer.states() {
            let mut closed = vec![state];
            let mut seen = vec![false; states];
            seen[state.index()] = true;
            let mut at = 0;
            while at < closed.len() {
                budget.poll()?;
                let here = closed[at];
                at += 1;
                accepting[state.index()] |= transducer.is_accepting(here);
                for edge in transducer.edges_from(here) {
                    match transducer.label(edge) {
                        Label::Pair(None, None) => {
                            if !std::mem::replace(&mut seen[edge.target.index()], true) {
                                closed.push(edge.target);
                            }
                        }
                        Label::Pair(Some(read), Some(written)) => {
                            for a in symbols(read) {
                                for b in symbols(written) {
                                    moves[state.index()].push((a, b, edge.target.0));
                                }
                            }
                        }
                        Label::Copy(letters) => {
                            for a in symbols(letters) {
                                moves[state.index()].push((a, a, edge.target.0));
                            }
                        }
                        Label::Pair(..) => return Ok(None),
                    }
                }
            }
        }
        for list in &mut moves {
            list.sort_unstable();
            list.dedup();
        }
        let initial = transducer.initial().iter().map(|state| state.0).collect();
        let mut steps = Steps {
            initial,
            accepting,
            moves,
        };
        steps.trim();
        Ok(Some(steps))
    }

    /// Leaves out what leads to no accepting state.
    fn trim(&mut self) {
        let mut live = self.accepting.clone();
        loop {
            let mut changed = false;
            for (state, moves) in self.moves.iter().enumerate() {
                if !live[state] && moves.iter().any(|&(.., to)| live[to as usize]) {
                    live[state] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for moves in &mut self.moves {
            moves.retain(|&(.., to)| live[to as usize]);
        }
        self.initial.retain(|&state| live[state as usize]);
    }

    /// What the player can make of a word, each once, in order; nothing if there is more than so
    /// much.
    pub(crate) fn images(
        &self,
        word: &[Symbol],
        most: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<Word>>, Stop> {
        let length = word.len();
        let mut alive = vec![self.accepting.clone()];
        for &letter in word.iter().rev() {
            let after = &alive[alive.len() - 1];
            let before = self.moves.iter().map(|moves| {
                moves
                    .iter()
                    .any(|&(a, _, to)| a == letter && after[to as usize])
            });
            alive.push(before.collect());
        }
        alive.reverse();
        let first: Vec<u32> = self
            .initial
            .iter()
            .copied()
            .filter(|&state| alive[0][state as usize])
            .collect();
        let mut images = Vec::new();
        let mut written: Vec<Symbol> = Vec::new();
        let mut levels: Vec<Vec<(Symbol, Vec<u32>)>> = Vec::new();
        if first.is_empty() {
            return Ok(Some(images));
        }
        if length == 0 {
            images.push(Word::default());
            return Ok(Some(images));
        }
        levels.push(self.outputs(&first, word[0], &alive[1]));
        while let Some(level) = levels.last_mut() {
            budget.charge(1)?;
            let Some((letter, states)) = level.pop() else {
                levels.pop();
                written.pop();
                continue;
            };
            written.push(letter);
            let at = written.len();
            if at == length {
                if images.len() == most {
                    return Ok(None);
                }
                images.push(written.as_slice().into());
                written.pop();
            } else {
                levels.push(self.outputs(&states, word[at], &alive[at + 1]));
            }
        }
        images.sort_unstable();
        Ok(Some(images))
    }

    /// The letters that can be written for a letter, each with the states that this leads to.
    fn outputs(&self, states: &[u32], letter: Symbol, alive: &[bool]) -> Vec<(Symbol, Vec<u32>)> {
        let mut pairs: Vec<(Symbol, u32)> = states
            .iter()
            .flat_map(|&state| &self.moves[state as usize])
            .filter(|&&(a, _, to)| a == letter && alive[to as usize])
            .map(|&(_, b, to)| (b, to))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut outputs: Vec<(Symbol, Vec<u32>)> = Vec::new();
        for (b, to) in pairs {
            match outputs.last_mut() {
                Some((last, states)) if *last == b => states.push(to),
                _ => outputs.push((b, vec![to])),
            }
        }
        outputs
    }
}

fn symbols(letters: &Predicate) -> impl Iterator<Item = Symbol> + '_ {
    letters.letters().map(symbol)
}

/// The number of a letter. Alphabets of games are small: they are written out in a file.
pub(crate) fn symbol(letter: Letter) -> Symbol {
    letter.0 as Symbol
}
