//! How many steps it takes from some states to others.

use super::Branching;
use super::branching::{both, not};
use crate::program::Distance;

impl Branching<'_> {
    /// The steps of the shortest way, or of the longest, where there is an end of them; nothing if
    /// that is not defined.
    pub(crate) fn distance(&self, asked: &Distance) -> Option<Option<u64>> {
        let start = both(&self.values(&asked.start)?, &self.fair);
        let goal = both(&self.values(&asked.goal)?, &self.fair);
        match asked.longest {
            true => self.longest(&start, goal),
            false => Some(self.shortest(start, &goal)),
        }
    }

    /// Ring by ring.
    fn shortest(&self, start: Vec<bool>, goal: &[bool]) -> Option<u64> {
        let mut newest: Vec<usize> = (0..start.len()).filter(|&state| start[state]).collect();
        let mut seen = start;
        let mut steps = 0;
        while !newest.iter().any(|&state| goal[state]) {
            let mut next = Vec::new();
            for &state in &newest {
                for &to in &self.searched.successors[state] {
                    if self.fair[to] && !seen[to] {
                        seen[to] = true;
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                return None;
            }
            newest = next;
            steps += 1;
        }
        Some(steps)
    }

    /// States from which every way comes to the goal are put in order, the nearest first; a way that
    /// never gets there goes on among the others for ever.
    fn longest(&self, start: &[bool], goal: Vec<bool>) -> Option<Option<u64>> {
        let away = both(&self.fair, &not(goal));
        let mut before = vec![Vec::new(); away.len()];
        let mut waits = vec![0usize; away.len()];
        let inside = |state: &usize| away[*state];
        for from in (0..away.len()).filter(inside) {
            for &to in self.searched.successors[from]
                .iter()
                .filter(|&to| inside(to))
            {
                before[to].push(from);
                waits[from] += 1;
            }
        }
        let mut steps: Vec<Option<u64>> = vec![None; away.len()];
        let mut longest = vec![1; away.len()];
        let ready = |&state: &usize| away[state] && waits[state] == 0;
        let mut open: Vec<usize> = (0..away.len()).filter(ready).collect();
        while let Some(state) = open.pop() {
            steps[state] = Some(longest[state]);
            for &from in &before[state] {
                longest[from] = longest[from].max(longest[state] + 1);
                waits[from] -= 1;
                if waits[from] == 0 {
                    open.push(from);
                }
            }
        }
        let of = |state: usize| if away[state] { steps[state] } else { Some(0) };
        let starts: Vec<usize> = (0..start.len()).filter(|&state| start[state]).collect();
        if starts.is_empty() {
            return None;
        }
        let mut ways = starts.into_iter().map(of);
        Some(ways.try_fold(0, |most, way| Some(most.max(way?))))
    }
}
