//! A sequence as a finite automaton whose letters are conditions on one state.

use std::collections::BTreeMap;

use crate::program::NodeId;
use crate::syntax::Sequence;

/// Larger automata are not built.
const MOST_STATES: usize = 2_000;
/// Nor ones with more moves.
const MOST_MOVES: usize = 20_000;

/// An automaton without empty moves. State 0 is where it starts; no move leads there.
#[derive(Debug, Clone)]
pub(crate) struct Automaton {
    /// From, the conditions that must all hold, to.
    pub(crate) moves: Vec<(usize, Vec<NodeId>, usize)>,
    /// Whether each state accepts; the first one, whether nothing at all matches.
    pub(crate) accepting: Vec<bool>,
}

impl Automaton {
    /// The automaton of a sequence, unless it would be too large. From every state, an accepting
    /// one can be reached if all conditions are taken to hold.
    pub(crate) fn of(sequence: &Sequence<NodeId>) -> Option<Automaton> {
        let automaton = build(sequence)?;
        Some(automaton.trimmed())
    }

    /// The moves that leave a state.
    pub(crate) fn from(&self, state: usize) -> impl Iterator<Item = (&[NodeId], usize)> {
        let moves = self.moves.iter().filter(move |one| one.0 == state);
        moves.map(|(_, when, to)| (&when[..], *to))
    }

    fn letter(when: Vec<NodeId>) -> Automaton {
        Automaton {
            moves: vec![(0, when, 1)],
            accepting: vec![false, true],
        }
    }

    /// Matches nothing at all, that is, no state.
    fn empty() -> Automaton {
        Automaton {
            moves: Vec::new(),
            accepting: vec![true],
        }
    }

    fn checked(self) -> Option<Automaton> {
        let fits = self.accepting.len() <= MOST_STATES && self.moves.len() <= MOST_MOVES;
        fits.then_some(self)
    }

    /// The states of another one behind its own, without the start; where each of them is.
    fn adopt(&mut self, other: &Automaton) -> impl Fn(usize) -> usize + use<> {
        let shift = self.accepting.len() - 1;
        self.accepting.extend(other.accepting.iter().skip(1));
        let place = move |state: usize| match state {
            0 => 0,
            _ => state + shift,
        };
        let inner = other.moves.iter().filter(|one| one.0 != 0);
        let inner = inner.map(|(from, when, to)| (place(*from), when.clone(), place(*to)));
        self.moves.extend(inner);
        place
    }

    fn then(mut self, next: &Automaton) -> Option<Automaton> {
        let ends: Vec<usize> = self.ends();
        let own = self.accepting.len();
        let place = self.adopt(next);
        for (when, to) in next.from(0) {
            let begin = ends.iter().map(|&end| (end, when.to_vec(), place(to)));
            self.moves.extend(begin);
        }
        if !next.accepting[0] {
            self.accepting[..own].fill(false);
        }
        self.checked()
    }

    fn overlap(mut self, next: &Automaton) -> Option<Automaton> {
        let own = self.accepting.len();
        let last = self.moves.iter().filter(|one| self.accepting[one.2]);
        let last: Vec<(usize, Vec<NodeId>)> =
            last.map(|(from, when, _)| (*from, when.clone())).collect();
        let place = self.adopt(next);
        for (when, to) in next.from(0) {
            for (from, before) in &last {
                self.moves.push((*from, joined(before, when), place(to)));
            }
            if self.moves.len() > MOST_MOVES {
                return None;
            }
        }
        self.accepting[..own].fill(false);
        self.checked()
    }

    fn either(mut self, other: &Automaton) -> Option<Automaton> {
        let place = self.adopt(other);
        let begin = other
            .from(0)
            .map(|(when, to)| (0, when.to_vec(), place(to)));
        self.moves.extend(begin);
        self.accepting[0] |= other.accepting[0];
        self.checked()
    }

    fn both(&self, other: &Automaton) -> Option<Automaton> {
        let mut numbers = BTreeMap::from([((0, 0), 0)]);
        let mut open = vec![(0, 0)];
        let mut product = Automaton {
            moves: Vec::new(),
            accepting: vec![self.accepting[0] && other.accepting[0]],
        };
        while let Some((left, right)) = open.pop() {
            let from = numbers[&(left, right)];
            for (when, to) in self.from(left) {
                for (and, too) in other.from(right) {
                    let number = *numbers.entry((to, too)).or_insert_with(|| {
                        open.push((to, too));
                        let accepts = self.accepting[to] && other.accepting[too];
                        product.accepting.push(accepts);
                        product.accepting.len() - 1
                    });
                    product.moves.push((from, joined(when, and), number));
                }
            }
            if product.accepting.len() > MOST_STATES || product.moves.len() > MOST_MOVES {
                return None;
            }
        }
        Some(product)
    }

    /// Once or more.
    fn again(mut self) -> Option<Automaton> {
        let first: Vec<(Vec<NodeId>, usize)> =
            self.from(0).map(|(when, to)| (when.to_vec(), to)).collect();
        for end in self.ends().into_iter().filter(|&end| end != 0) {
            let begin = first.iter().map(|(when, to)| (end, when.clone(), *to));
            self.moves.extend(begin);
        }
        self.checked()
    }

    fn ends(&self) -> Vec<usize> {
        let states = 0..self.accepting.len();
        states.filter(|&state| self.accepting[state]).collect()
    }

    /// Without the states from which none accepts.
    fn trimmed(self) -> Automaton {
        let mut useful = self.accepting.clone();
        loop {
            let mut changed = false;
            for (from, _, to) in &self.moves {
                if useful[*to] && !useful[*from] {
                    useful[*from] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        useful[0] = true;
        let mut place = vec![0; useful.len()];
        let mut count = 0;
        for (state, useful) in useful.iter().enumerate() {
            place[state] = count;
            count += usize::from(*useful);
        }
        let kept = |state: usize| useful[state];
        let moves = self.moves.into_iter();
        let mut moves: Vec<_> = moves
            .filter(|(from, _, to)| kept(*from) && kept(*to))
            .map(|(from, when, to)| (place[from], when, place[to]))
            .collect();
        moves.sort_unstable();
        moves.dedup();
        let accepting = self.accepting.into_iter().enumerate();
        Automaton {
            moves,
            accepting: accepting
                .filter(|&(state, _)| kept(state))
                .map(|(_, accepts)| accepts)
                .collect(),
        }
    }
}

fn joined(left: &[NodeId], right: &[NodeId]) -> Vec<NodeId> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn build(sequence: &Sequence<NodeId>) -> Option<Automaton> {
    match sequence {
        Sequence::Any => Some(Automaton::letter(Vec::new())),
        Sequence::Boolean(when) => Some(Automaton::letter(vec![*when])),
        Sequence::Then(left, right) => build(left)?.then(&build(right)?),
        Sequence::Overlap(left, right) => build(left)?.overlap(&build(right)?),
        Sequence::Either(left, right) => build(left)?.either(&build(right)?),
        Sequence::Both(left, right) => build(left)?.both(&build(right)?),
        Sequence::Repeat(operand, from, to) => {
            let one = build(operand)?;
            let mut optional = one.clone();
            optional.accepting[0] = true;
            let mut all = Automaton::empty();
            for _ in 0..*from {
                all = all.then(&one)?;
            }
            match to {
                None => {
                    let mut rest = one.again()?;
                    rest.accepting[0] = true;
                    all.then(&rest)
                }
                Some(to) => {
                    for _ in *from..*to {
                        all = all.then(&optional)?;
                    }
                    Some(all)
                }
            }
        }
    }
}
