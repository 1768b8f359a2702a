//! What a property of PSL says about one infinite run, by its plain meaning.

use quotient_logic::{Binary, Interval, Unary};

use super::automaton::Automaton;
use crate::evaluate::State;
use crate::program::{NodeId, Program};
use crate::syntax::{Psl, Sequence};

/// Whether a property holds at the beginning of the infinite run through some states, of which
/// the last is followed by state `back_to` again; nothing if a sequence is too large.
pub(crate) fn holds_on(
    program: &Program,
    property: &Psl<NodeId>,
    states: &[State],
    back_to: usize,
) -> Option<bool> {
    let lasso = Lasso {
        program,
        states,
        back_to,
    };
    lasso.truth(property)?.first().copied()
}

struct Lasso<'a> {
    program: &'a Program,
    states: &'a [State],
    back_to: usize,
}

impl Lasso<'_> {
    fn next(&self, at: usize) -> usize {
        match at + 1 < self.states.len() {
            true => at + 1,
            false => self.back_to,
        }
    }

    fn after(&self, truth: &[bool]) -> Vec<bool> {
        let all = 0..self.states.len();
        all.map(|at| truth[self.next(at)]).collect()
    }

    fn expression(&self, node: NodeId) -> Vec<bool> {
        let all = 0..self.states.len();
        let holds = |at: usize| {
            let next = &self.states[self.next(at)];
            self.program.is_true(node, &self.states[at], Some(next))
        };
        all.map(holds).collect()
    }

    /// Where a property holds.
    fn truth(&self, property: &Psl<NodeId>) -> Option<Vec<bool>> {
        Some(match property {
            Psl::Boolean(node) => self.expression(*node),
            Psl::Not(operand) => self.truth(operand)?.into_iter().map(|one| !one).collect(),
            Psl::Unary(operator, operand) => self.unary(*operator, self.truth(operand)?)?,
            Psl::Binary(operator, left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                let pairs = left.iter().copied().zip(right.iter().copied());
                match operator {
                    Binary::And => pairs.map(|(a, b)| a && b).collect(),
                    Binary::Or => pairs.map(|(a, b)| a || b).collect(),
                    Binary::Xor => pairs.map(|(a, b)| a != b).collect(),
                    Binary::Iff => pairs.map(|(a, b)| a == b).collect(),
                    Binary::Implies => pairs.map(|(a, b)| !a || b).collect(),
                    Binary::Until(None) => self.until(&left, &right, false),
                    Binary::WeakUntil => self.until(&left, &right, true),
                    _ => return None,
                }
            }
            Psl::Matches { strong, sequence } => {
                let wherever = vec![true; self.states.len()];
                let runs = Matches::new(self, sequence)?;
                let all = 0..self.states.len();
                all.map(|at| runs.some(at, &wherever) || !strong && runs.endless(at))
                    .collect()
            }
            Psl::After(sequence, then) => {
                let wrong: Vec<bool> = self.truth(then)?.into_iter().map(|one| !one).collect();
                let runs = Matches::new(self, sequence)?;
                let all = 0..self.states.len();
                all.map(|at| !runs.some(at, &wrong)).collect()
            }
        })
    }

    fn unary(&self, operator: Unary, operand: Vec<bool>) -> Option<Vec<bool>> {
        let (steps, any) = match operator {
            Unary::Next => return Some(self.after(&operand)),
            Unary::Finally(steps) => (steps, true),
            Unary::Globally(steps) => (steps, false),
            _ => return None,
        };
        let steps = steps.unwrap_or(Interval { from: 0, to: None });
        let count = self.states.len();
        // After as many steps as there are states, everything has been seen.
        let more = match steps.to {
            None => count,
            Some(to) => to.checked_sub(steps.from)? as usize,
        };
        let mut whole = operand.clone();
        for _ in 0..more.min(count) {
            let next = self.after(&whole);
            let pairs = operand.iter().zip(next);
            whole = pairs
                .map(|(&now, later)| if any { now || later } else { now && later })
                .collect();
        }
        // Behind the stem, steps go round the loop.
        let round = count - self.back_to;
        let from = steps.from as usize;
        let from = match from > count {
            true => self.back_to + (from - self.back_to) % round,
            false => from,
        };
        for _ in 0..from {
            whole = self.after(&whole);
        }
        Some(whole)
    }

    fn until(&self, left: &[bool], right: &[bool], for_ever: bool) -> Vec<bool> {
        let mut whole = vec![for_ever; self.states.len()];
        for _ in 0..=self.states.len() {
            let next = self.after(&whole);
            let all = 0..self.states.len();
            whole = all.map(|at| right[at] || left[at] && next[at]).collect();
        }
        whole
    }
}

/// The automaton of a sequence on the states of a run.
struct Matches<'a> {
    lasso: &'a Lasso<'a>,
    automaton: Automaton,
    /// By move, where its conditions hold.
    allowed: Vec<Vec<bool>>,
}

impl<'a> Matches<'a> {
    fn new(lasso: &'a Lasso<'a>, sequence: &Sequence<NodeId>) -> Option<Matches<'a>> {
        let automaton = Automaton::of(sequence)?;
        let allowed = automaton.moves.iter().map(|(_, when, _)| {
            let mut all = vec![true; lasso.states.len()];
            for &node in when {
                let holds = lasso.expression(node);
                all.iter_mut().zip(holds).for_each(|(all, one)| *all &= one);
            }
            all
        });
        Some(Matches {
            allowed: allowed.collect(),
            lasso,
            automaton,
        })
    }

    /// The pairs of a state of the automaton and a place of the run that a match from `start` may
    /// come through; the moves that are taken there are shown to `see`.
    fn explore(&self, start: usize, mut see: impl FnMut(usize, usize)) -> Vec<(usize, usize)> {
        let places = self.lasso.states.len();
        let mut seen = vec![false; places * self.automaton.accepting.len()];
        let mut open = vec![(0, start)];
        let mut found = Vec::new();
        seen[start] = true;
        while let Some((state, at)) = open.pop() {
            found.push((state, at));
            for (number, (from, _, to)) in self.automaton.moves.iter().enumerate() {
                if *from != state || !self.allowed[number][at] {
                    continue;
                }
                see(*to, at);
                let next = self.lasso.next(at);
                if !std::mem::replace(&mut seen[to * places + next], true) {
                    open.push((*to, next));
                }
            }
        }
        found
    }

    /// Whether a match from a place on ends in a good place.
    fn some(&self, start: usize, good: &[bool]) -> bool {
        let mut found = false;
        self.explore(start, |to, at| {
            found |= self.automaton.accepting[to] && good[at];
        });
        found
    }

    /// Whether the automaton can go on for ever.
    fn endless(&self, start: usize) -> bool {
        let mut alive = self.explore(start, |_, _| {});
        loop {
            let before = alive.len();
            let goes_on = |&(state, at): &(usize, usize)| {
                let next = self.lasso.next(at);
                let mut moves = self.automaton.moves.iter().enumerate();
                moves.any(|(number, (from, _, to))| {
                    *from == state && self.allowed[number][at] && alive.contains(&(*to, next))
                })
            };
            let left: Vec<(usize, usize)> = alive.iter().copied().filter(goes_on).collect();
            alive = left;
            if alive.len() == before {
                return alive.contains(&(0, start));
            }
        }
    }
}
