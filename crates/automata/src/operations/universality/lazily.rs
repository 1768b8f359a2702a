//! Universality without preparation: most automata that are not universal say so after a few
//! letters, and deterministic ones tell everything state by state.

use quotient_bits::Bits;

use crate::operations::subsets::members;
use crate::{Nfa, State};

/// How many edges are looked at beyond those of the automaton: less than the preparation for the
/// other ways costs.
const MORE_EDGES: usize = 2000;

/// How often each edge may be looked at, for the same reason.
const TIMES: usize = 6;

/// Up to how many states are sorted.
const FEW: usize = 24;

/// Whether every word is accepted; nothing if telling takes more than looking at every edge a
/// few times, or where ε-moves are met.
///
/// Words lead to sets of states. Each set must have an accepting member and a move for every
/// letter; one that contains another set that was met needs no look.
pub(super) fn is_universal(nfa: &Nfa) -> Option<bool> {
    if nfa.len() <= 64 && nfa.alphabet().len() <= SMALL {
        return in_words(nfa);
    }
    let mut search = Search {
        nfa,
        work: TIMES * nfa.edges().len() + MORE_EDGES,
        alone: Bits::with_capacity(nfa.len()),
        sets: Vec::new(),
        waiting: Vec::new(),
        found: Bits::with_capacity(nfa.len()),
    };
    if !search.meet(nfa.initial().to_vec())? {
        return Some(false);
    }
    while let Some(set) = search.waiting.pop() {
        let goes_on = match nfa.alphabet().len() {
            ..=128 => search.by_labels(&set)?,
            _ => search.by_letters(&set)?,
        };
        if !goes_on {
            return Some(false);
        }
    }
    Some(true)
}

/// Up to how many letters each is gone through by itself, where sets of states are words.
const SMALL: usize = 8;

/// The same where a set of states is one machine word: the edges of a set are gone through once,
/// for all letters.
fn in_words(nfa: &Nfa) -> Option<bool> {
    let accepting = (nfa.accepting().ones()).fold(0u64, |set, state| set | 1 << state);
    let initial = (nfa.initial().iter()).fold(0u64, |set, state| set | 1 << state.0);
    let mut work = TIMES * nfa.edges().len() + MORE_EDGES;
    let mut met: Vec<u64> = Vec::new();
    let mut next = 0;
    let mut reached = [initial; SMALL];
    let mut letters = 1;
    loop {
        for &set in &reached[..letters] {
            if set & accepting == 0 {
                // What does not accept may still lead to acceptance without a letter.
                let mut edges = members(std::slice::from_ref(&set))
                    .flat_map(|state| nfa.edges_from(State(state)));
                let is_silent = edges.any(|edge| nfa.label(edge).is_none());
                return (!is_silent).then_some(false);
            }
            work = work.checked_sub(met.len())?;
            if !met.iter().any(|part| part & !set == 0) {
                met.push(set);
            }
        }
        let Some(set) = met.get(next) else {
            return Some(true);
        };
        next += 1;
        letters = nfa.alphabet().len();
        reached = [0; SMALL];
        for state in members(std::slice::from_ref(set)) {
            let edges = nfa.edges_from(State(state));
            work = work.checked_sub(2 * edges.len())?;
            for edge in edges {
                let mut label = nfa.label(edge).as_ref()?.small()? as u64;
                while label != 0 {
                    reached[label.trailing_zeros() as usize] |= 1 << edge.target.0;
                    label &= label - 1;
                }
            }
        }
    }
}

struct Search<'a> {
    nfa: &'a Nfa,
    /// How much may still be done.
    work: usize,
    /// The states that were met alone.
    alone: Bits,
    /// The other sets that were met.
    sets: Vec<Vec<State>>,
    /// Those whose moves are still to be looked at.
    waiting: Vec<Vec<State>>,
    /// For putting many states in order.
    found: Bits,
}

impl Search<'_> {
    fn spend(&mut self, work: usize) -> Option<()> {
        self.work = self.work.checked_sub(work)?;
        Some(())
    }

    /// A set that some word leads to, in order; whether it accepts.
    fn meet(&mut self, set: Vec<State>) -> Option<bool> {
        let nfa = self.nfa;
        if set.iter().any(|state| self.alone.contains(state.index())) {
            return Some(true);
        }
        if !set.iter().any(|&state| nfa.is_accepting(state)) {
            let mut edges = set.iter().flat_map(|&state| nfa.edges_from(state));
            let is_silent = edges.any(|edge| nfa.label(edge).is_none());
            return (!is_silent).then_some(false);
        }
        if let [state] = set[..] {
            self.alone.insert(state.index());
        } else {
            self.spend(2 * self.sets.len())?;
            let is_part = |part: &Vec<State>| {
                let mut rest = set.iter();
                part.iter().all(|one| rest.any(|state| state == one))
            };
            if self.sets.iter().any(is_part) {
                return Some(true);
            }
            self.sets.push(set.clone());
        }
        self.waiting.push(set);
        Some(true)
    }

    /// Puts states in order, each once.
    fn put_in_order(&mut self, states: &mut Vec<State>) {
        if states.len() <= FEW {
            states.sort_unstable();
            states.dedup();
            return;
        }
        self.found.clear();
        states
            .iter()
            .for_each(|state| self.found.insert(state.index()));
        states.clear();
        states.extend(self.found.ones().map(|state| State(state as u32)));
    }

    /// Meets the sets that letters lead to from one, all letters that are on the same edges at
    /// once; whether every letter leads to one, and it accepts.
    fn by_labels(&mut self, set: &[State]) -> Option<bool> {
        let nfa = self.nfa;
        let mut edges: Vec<(u128, State)> = Vec::new();
        let mut some = 0;
        for edge in set.iter().flat_map(|&state| nfa.edges_from(state)) {
            let label = nfa.label(edge).as_ref()?.small()?;
            some |= label;
            edges.push((label, edge.target));
        }
        self.spend(edges.len())?;
        let mut rest = match nfa.alphabet().len() {
            0 => 0,
            letters => u128::MAX >> (128 - letters),
        };
        if some != rest {
            return Some(false);
        }
        while rest != 0 {
            self.spend(edges.len())?;
            let letter = rest & rest.wrapping_neg();
            let (mut alike, mut targets) = (rest, Vec::new());
            for &(label, target) in &edges {
                if label & letter == 0 {
                    alike &= !label;
                } else {
                    alike &= label;
                    targets.push(target);
                }
            }
            rest &= !alike;
            self.put_in_order(&mut targets);
            if !self.meet(targets)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The same letter by letter, where letters are many.
    fn by_letters(&mut self, set: &[State]) -> Option<bool> {
        let (nfa, letters) = (self.nfa, self.nfa.alphabet().len());
        let mut count = 0;
        for edge in set.iter().flat_map(|&state| nfa.edges_from(state)) {
            count += nfa.label(edge).as_ref()?.len();
        }
        if count < letters {
            return Some(false);
        }
        self.spend(count)?;
        let mut moves: Vec<(u32, State)> = Vec::with_capacity(count);
        for edge in set.iter().flat_map(|&state| nfa.edges_from(state)) {
            let label = nfa.label(edge).as_ref()?;
            label.each_letter(|letter| moves.push((letter, edge.target)));
        }
        moves.sort_unstable();
        moves.dedup();
        let mut next = 0;
        for alike in moves.chunk_by(|one, other| one.0 == other.0) {
            let targets = alike.iter().map(|&(_, target)| target).collect();
            if alike[0].0 != next || !self.meet(targets)? {
                return Some(false);
            }
            next += 1;
        }
        Some(next as usize == letters)
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::Budget;

    use super::*;
    use crate::testing::{self, Random};
    use crate::{Letter, Predicate};

    #[test]
    fn what_is_told_is_what_determinising_tells() {
        let budget = Budget::unlimited();
        let (mut told, mut universal) = (0, 0);
        let mut alphabets: Vec<_> = testing::alphabets()
            .into_iter()
            .map(|(one, _)| one)
            .collect();
        alphabets.push(testing::alphabet(150));
        for alphabet in alphabets {
            for seed in 0..100 {
                let nfa = testing::nfa(&mut Random::new(seed), &alphabet, 5);
                let dfa = nfa.determinize(&budget).unwrap();
                let all = nfa.union(&dfa.complement().to_nfa());
                let all = all.without_epsilon(&budget).unwrap();
                for nfa in [&nfa, &dfa.to_nfa(), &dfa.complete().to_nfa(), &all] {
                    let naive = nfa.complement(&budget).unwrap().shortest_word().is_none();
                    assert_eq!(nfa.is_universal(&budget), Ok(naive));
                    if nfa.accepts(&[])
                        && let Some(answer) = is_universal(nfa)
                    {
                        assert_eq!(answer, naive, "{} letters, seed {seed}", alphabet.len());
                        told += 1;
                        universal += u32::from(answer);
                    }
                }
            }
        }
        assert!(told > 500 && universal > 100, "{told}, {universal}");
    }

    #[test]
    fn epsilon_is_left_to_others() {
        let alphabet = testing::alphabet(1);
        let all = Predicate::all(&alphabet);
        let nfa = Nfa::builder(&alphabet).initial(0).epsilon(0, 1);
        let nfa = nfa.accepting(1).edge(1, &all, 0).build();
        assert_eq!(is_universal(&nfa), None);
        assert_eq!(nfa.is_universal(&Budget::unlimited()), Ok(true));
    }

    #[test]
    fn one_letter_of_many_that_leads_nowhere_is_found() {
        let alphabet = testing::alphabet(200);
        for gap in [None, Some(0), Some(77), Some(199)] {
            let letters = alphabet.letters().filter(|&letter| Some(letter.0) != gap);
            let most = Predicate::of(&alphabet, letters);
            let first = Predicate::of(&alphabet, [Letter(1), Letter(2)]);
            let nfa = Nfa::builder(&alphabet).initial(0).accepting(0).accepting(1);
            let nfa = nfa.edge(0, &most, 0).edge(0, &first, 1);
            let nfa = nfa.edge(1, &Predicate::all(&alphabet), 0).build();
            assert_eq!(is_universal(&nfa), Some(gap.is_none()));
        }
    }
}
