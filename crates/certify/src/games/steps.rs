//! The moves of a player, without silent ones.

use quotient_automata::game::Choosing;
use quotient_automata::{Label, Letter, State, Transducer};
use quotient_core::{Budget, Stop};

use crate::Rejection;

/// A transducer that keeps the length of words, as lists of moves.
pub(super) struct Steps {
    pub(super) initial: Vec<usize>,
    pub(super) accepting: Vec<bool>,
    /// What is read, what is written, where it leads.
    pub(super) moves: Vec<Vec<(Letter, Letter, usize)>>,
}

impl Steps {
    pub(super) fn of(transducer: &Transducer, budget: &Budget) -> Result<Steps, Rejection> {
        let mut moves = Vec::new();
        let mut accepting = Vec::new();
        for state in transducer.states() {
            let silently = silent(transducer, state, budget)?;
            let mut own = Vec::new();
            for &here in &silently {
                for edge in transducer.edges_from(here) {
                    let to = edge.target.index();
                    match transducer.label(edge) {
                        Label::Pair(None, None) => {}
                        Label::Pair(Some(read), Some(written)) => {
                            for a in read.letters() {
                                own.extend(written.letters().map(|b| (a, b, to)));
                            }
                        }
                        Label::Copy(letters) => own.extend(letters.letters().map(|a| (a, a, to))),
                        Label::Pair(..) => {
                            return Err(Rejection::unreadable("a move changes the length"));
                        }
                    }
                }
            }
            accepting.push(silently.iter().any(|&here| transducer.is_accepting(here)));
            moves.push(own);
        }
        let initial = transducer.initial().iter().map(|state| state.index());
        Ok(Steps {
            initial: initial.collect(),
            accepting,
            moves,
        })
    }

    /// All words that can be made of one.
    pub(super) fn images(
        &self,
        word: &[Letter],
        budget: &Budget,
    ) -> Result<Vec<Vec<Letter>>, Stop> {
        // What may be written, with the states that this leads to.
        let mut written: Vec<(Vec<Letter>, Vec<usize>)> = vec![(Vec::new(), self.initial.clone())];
        for (at, &letter) in word.iter().enumerate() {
            let mut longer: Vec<(Vec<Letter>, Vec<usize>)> = Vec::new();
            for (beginning, states) in &written {
                let mut options: Vec<(Letter, usize)> = states
                    .iter()
                    .flat_map(|&state| &self.moves[state])
                    .filter(|(a, _, to)| *a == letter && self.can_end(*to, &word[at + 1..]))
                    .map(|&(_, b, to)| (b, to))
                    .collect();
                options.sort_unstable();
                options.dedup();
                budget.charge(1 + options.len() as u64)?;
                for group in options.chunk_by(|one, other| one.0 == other.0) {
                    let mut word = beginning.clone();
                    word.push(group[0].0);
                    longer.push((word, group.iter().map(|&(_, to)| to).collect()));
                }
            }
            written = longer;
        }
        written.retain(|(_, states)| states.iter().any(|&state| self.accepting[state]));
        Ok(written.into_iter().map(|(word, _)| word).collect())
    }

    /// Whether the rest of a word can be read from a state.
    fn can_end(&self, state: usize, rest: &[Letter]) -> bool {
        let mut states = vec![false; self.moves.len()];
        states[state] = true;
        for &letter in rest {
            let mut after = vec![false; self.moves.len()];
            for (_, moves) in self.moves.iter().enumerate().filter(|&(at, _)| states[at]) {
                for &(_, _, to) in moves.iter().filter(|(a, ..)| *a == letter) {
                    after[to] = true;
                }
            }
            states = after;
        }
        (0..states.len()).any(|at| states[at] && self.accepting[at])
    }

    /// Makes sure that all that the moves do is to choose one process or nobody, so that a move
    /// is known from the word and the place that is chosen.
    pub(super) fn only_choose(&self, choosing: Choosing) -> Result<(), Rejection> {
        let mut seen = vec![[false; 2]; self.moves.len()];
        let mut waiting: Vec<(usize, bool)> = self.initial.iter().map(|&at| (at, false)).collect();
        let ends = self.ends();
        while let Some((state, chose)) = waiting.pop() {
            if std::mem::replace(&mut seen[state][usize::from(chose)], true) {
                continue;
            }
            for &(a, b, to) in self.moves[state].iter().filter(|(.., to)| ends[*to]) {
                let chooses = (a, b) == (choosing.waiting, choosing.chosen);
                if (a != b && !chooses) || (chooses && chose) || a == choosing.chosen {
                    return Err(Rejection::unreadable(
                        "the first player does something else than choose a process",
                    ));
                }
                waiting.push((to, chose || chooses));
            }
        }
        Ok(())
    }

    /// The states from which an accepting one is reached.
    fn ends(&self) -> Vec<bool> {
        let mut ends = self.accepting.clone();
        loop {
            let before = ends.clone();
            for (state, moves) in self.moves.iter().enumerate() {
                ends[state] |= moves.iter().any(|&(.., to)| before[to]);
            }
            if ends == before {
                return ends;
            }
        }
    }
}

/// A state and all that silent moves lead to.
fn silent(transducer: &Transducer, from: State, budget: &Budget) -> Result<Vec<State>, Stop> {
    let mut found = vec![from];
    let mut at = 0;
    while at < found.len() {
        budget.poll()?;
        for edge in transducer.edges_from(found[at]) {
            let is_silent = matches!(transducer.label(edge), Label::Pair(None, None));
            if is_silent && !found.contains(&edge.target) {
                found.push(edge.target);
            }
        }
        at += 1;
    }
    Ok(found)
}
