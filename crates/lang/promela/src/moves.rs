//! The steps of a whole program: whose turn it is, and what happens at once.
//!
//! A sequence that is `atomic` is one step as long as it can go on, as it is for Spin: states
//! inside of it are seen by nobody.

use rustc_hash::FxHashMap;

use crate::alone::Alone;
use crate::machine::Machine;
use crate::program::Action;
use crate::state::{FAILED, Fault, LAST, State};

/// A move of one process, or of two that shake hands: its edges by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) process: u32,
    pub(crate) edge: u32,
    pub(crate) partner: Option<(u32, u32)>,
}

/// The most moves of one atomic step.
const MOST_MOVES: usize = 2_000_000;

/// What the steps from a state come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Count {
    /// How many moves there are.
    pub(crate) moves: usize,
    /// Whether an atomic sequence may go on for ever, or for too long.
    pub(crate) endless: bool,
}

/// One move and where it leads: whether somebody goes on before all others.
pub(crate) type Found = (Move, State, Option<usize>);

impl Machine<'_> {
    /// The moves of a process; a fault is a state that says so.
    pub(crate) fn moves(&self, state: &State, me: usize, timeout: bool, out: &mut Vec<Found>) {
        let before = out.len();
        match self.is_provided(state, me) {
            Ok(true) => {}
            Ok(false) => return,
            Err(fault) => return self.fault(state, me, 0, fault, out),
        }
        for (number, edge) in self.edges(state, me).iter().enumerate() {
            let can = match &edge.action {
                // It comes after those that it is an alternative to.
                Action::Else => Ok(out.len() == before),
                _ => self.can(state, me, edge, timeout),
            };
            match can {
                Ok(false) => continue,
                Err(fault) => {
                    self.fault(state, me, number, fault, out);
                    continue;
                }
                Ok(true) => {}
            }
            if let Err(fault) = self.moved(state, me, number, out) {
                self.fault(state, me, number, fault, out);
            }
        }
    }

    fn fault(&self, state: &State, me: usize, edge: usize, fault: Fault, out: &mut Vec<Found>) {
        let mut failed = state.clone();
        failed.cells[FAILED] = fault.number();
        let taken = Move {
            process: me as u32,
            edge: edge as u32,
            partner: None,
        };
        out.push((taken, failed, None));
    }

    fn moved(
        &self,
        state: &State,
        me: usize,
        number: usize,
        out: &mut Vec<Found>,
    ) -> Result<(), Fault> {
        let edge = &self.edges(state, me)[number];
        let taken = Move {
            process: me as u32,
            edge: number as u32,
            partner: None,
        };
        let Some((channel, message)) = self.handshake(state, me, &edge.action)? else {
            let mut next = state.clone();
            let keeps = self.apply(&mut next, me, edge)?;
            self.remember(&mut next, me, None);
            if next.cells[FAILED] != 0 {
                // A failed assertion is told, and the run goes on.
                out.push((taken, next.clone(), None));
                next.cells[FAILED] = 0;
            }
            out.push((taken, next, keeps.then_some(me)));
            return Ok(());
        };
        for (other, step) in self.partners(state, me, channel, &message, false)? {
            let mut next = state.clone();
            self.go(&mut next, me, edge.to);
            for is_send in [true, false] {
                self.event(&mut next, channel, is_send, &message)?;
            }
            let received = &self.edges(state, other)[step];
            if let Action::Receive { pattern, .. } = &received.action {
                self.store(&mut next, other, pattern, &message)?;
            }
            self.go(&mut next, other, received.to);
            self.remember(&mut next, me, Some(other));
            let partner = Some((other as u32, step as u32));
            let taken = Move { partner, ..taken };
            if next.cells[FAILED] != 0 {
                out.push((taken, next.clone(), None));
                next.cells[FAILED] = 0;
            }
            out.push((taken, next, received.keeps.then_some(other)));
        }
        Ok(())
    }

    fn remember(&self, state: &mut State, me: usize, other: Option<usize>) {
        if self.last || self.program.uses_last {
            let other = match self.last {
                true => other.map_or(0, |other| other as i32 + 1),
                false => 0,
            };
            state.cells[LAST] = me as i32 + 1 + (other << 9);
        }
    }

    /// Tells every step from a state with its moves; states with a fault only if they are marked.
    pub(crate) fn steps(&self, state: &State, tell: &mut dyn FnMut(&[Move], &State)) -> Count {
        if state.cells[FAILED] != 0 {
            return Count::default();
        }
        let mut found = Vec::new();
        for timeout in [false, true] {
            self.all_moves(state, timeout, &mut found);
            if !found.is_empty() {
                break;
            }
        }
        let mut count = Count {
            moves: found.len(),
            endless: false,
        };
        let mut path = Vec::new();
        for one in found {
            path.clear();
            match one.2 {
                Some(_) => self.chain(one, &mut path, &mut count, tell),
                None => {
                    path.push(one.0);
                    self.told(&path, &one.1, tell);
                }
            }
        }
        count
    }

    /// Tells some steps that stand for all, if there are such.
    pub(crate) fn few_steps(
        &self,
        alone: &Alone,
        knots: bool,
        state: &State,
        tell: &mut dyn FnMut(&[Move], &State),
    ) -> bool {
        let mut found = Vec::new();
        if state.cells[FAILED] != 0 || !alone.moves(self, state, knots, &mut found) {
            return false;
        }
        for (one, after, _) in &found {
            self.told(&[*one], after, tell);
        }
        true
    }

    fn told(&self, path: &[Move], state: &State, tell: &mut dyn FnMut(&[Move], &State)) {
        if self.marks || state.cells[FAILED] == 0 {
            tell(path, state);
        }
    }

    fn all_moves(&self, state: &State, timeout: bool, found: &mut Vec<Found>) {
        let number = state.processes.len();
        if !self.program.uses_priorities {
            for me in 0..number {
                self.moves(state, me, timeout, found);
            }
            return;
        }
        // Only those with the highest priority among those who can move do.
        let priority = |me: &usize| self.priority(state, *me as i32);
        let mut order: Vec<usize> = (0..number).collect();
        order.sort_by_key(|me| std::cmp::Reverse(priority(me)));
        let mut best = None;
        for me in order {
            if best.is_some_and(|best| priority(&me) < best) {
                return;
            }
            self.moves(state, me, timeout, found);
            if !found.is_empty() {
                best = Some(priority(&me));
            }
        }
    }

    /// Follows an atomic sequence in all its ways to where it ends or cannot go on.
    fn chain(
        &self,
        first: Found,
        path: &mut Vec<Move>,
        count: &mut Count,
        tell: &mut dyn FnMut(&[Move], &State),
    ) {
        let mut seen: FxHashMap<(Vec<i32>, usize), usize> = FxHashMap::default();
        // The numbers of states on the way, by depth; those that nobody can meet have none.
        let mut way: Vec<usize> = Vec::new();
        let mut todo: Vec<(usize, Found)> = vec![(0, first)];
        let mut next = Vec::new();
        let mut taken = 0_usize;
        while let Some((depth, (one, state, holder))) = todo.pop() {
            path.truncate(depth);
            path.push(one);
            taken += 1;
            if taken > MOST_MOVES {
                count.endless = true;
                return;
            }
            let Some(me) = holder else {
                self.told(path, &state, tell);
                continue;
            };
            next.clear();
            self.moves(&state, me, false, &mut next);
            if next.is_empty() {
                self.told(path, &state, tell);
                continue;
            }
            // Ways that meet again are followed once; one that meets itself has no end.
            way.truncate(depth);
            way.push(usize::MAX);
            if next.len() > 1 || taken > 1000 {
                let number = seen.len();
                let known = *seen.entry((state.cells, me)).or_insert(number);
                if known < number {
                    count.endless |= way.contains(&known);
                    continue;
                }
                way[depth] = number;
            }
            todo.extend(next.drain(..).rev().map(|found| (depth + 1, found)));
        }
    }
}
