//! Steps between vectors, and all that they lead to.

use quotient_core::Stop;

use super::{Branch, CLOSED, Diagrams, EMPTY, EVENTS, Set, UNIT, shifted};

impl Diagrams {
    /// All that the steps lead to from a set.
    pub fn closure(&mut self, from: Set) -> Result<Set, Stop> {
        self.close_below(from.0, 0).map(Set)
    }

    /// What a step leads to from a set, as far as it is in another set.
    pub fn after(&mut self, step: usize, from: Set, within: Set) -> Result<Set, Stop> {
        self.step_within(step as u32, (from.0, within.0), 0, 0, false)
            .map(Set)
    }

    /// What a step leads from into a set, as far as it is in another set.
    pub fn before(&mut self, step: usize, into: Set, within: Set) -> Result<Set, Stop> {
        let event = self.steps + step;
        self.step_within(event as u32, (into.0, within.0), 0, 0, false)
            .map(Set)
    }

    /// Where in a set a step can be taken.
    pub fn enabled(&mut self, step: usize, set: Set) -> Result<Set, Stop> {
        let event = 2 * self.steps + step;
        self.step_within(event as u32, (set.0, set.0), 0, 0, false)
            .map(Set)
    }

    /// Closes a set that is not closed in any part.
    fn close_below(&mut self, set: u32, level: usize) -> Result<u32, Stop> {
        if set <= UNIT {
            return Ok(set);
        }
        self.tick()?;
        let base = self.stack.len();
        let mut at = set;
        while at != EMPTY {
            let node = self.table.get(at);
            let down = self.close_below(node.down, level + 1)?;
            self.stack.push((node.value, down));
            at = node.right;
        }
        let list = self.listed(base, EMPTY)?;
        self.close(list, level)
    }

    /// Closes a set whose parts below are closed.
    fn close(&mut self, set: u32, level: usize) -> Result<u32, Stop> {
        if set <= UNIT || self.tops[level].is_empty() {
            return Ok(set);
        }
        if let Some(known) = self.cache.get(CLOSED, set, 0) {
            return Ok(known);
        }
        self.tick()?;
        let mut branches = self.branches(set);
        let mut clock = 1;
        let mut done = vec![0; self.tops[level].len()];
        loop {
            let before = clock;
            for (number, done) in done.iter_mut().enumerate() {
                let event = self.tops[level][number];
                let begun = clock;
                self.chain(event, level, &mut branches, *done, &mut clock)?;
                *done = begun;
            }
            if clock == before {
                break;
            }
        }
        let result = self.joined(&branches)?;
        self.cache.put(CLOSED, set, 0, result);
        self.cache.put(CLOSED, result, 0, result);
        Ok(result)
    }

    /// Takes an event from each branch that grew since it was taken last, in the direction in
    /// which it changes the value.
    fn chain(
        &mut self,
        event: u32,
        level: usize,
        branches: &mut Vec<Branch>,
        since: u64,
        clock: &mut u64,
    ) -> Result<(), Stop> {
        let touch = self.events[event as usize].0[0];
        let up = touch.change > 0;
        let mut at = match up {
            true => 0,
            false => branches.len(),
        };
        loop {
            if !up {
                if at == 0 {
                    return Ok(());
                }
                at -= 1;
            } else if at >= branches.len() {
                return Ok(());
            }
            let branch = &branches[at];
            let (value, down) = (branch.value, branch.down);
            let fits = (touch.least..=touch.most).contains(&value) && branch.grown > since;
            if fits {
                self.tick()?;
                let below = self.step(event, down, level + 1, 1)?;
                if below != EMPTY {
                    let target = shifted(value, touch.change)
                        .ok_or_else(|| Stop::bound("a number", u64::from(u32::MAX)))?;
                    let new = self.grow(branches, target, below, clock)?;
                    at += usize::from(new && !up);
                }
            }
            at += usize::from(up);
        }
    }

    /// What the rest of an event leads to from a set, closed again. The set is closed, so its
    /// parts below the event are.
    fn step(&mut self, event: u32, set: u32, level: usize, part: usize) -> Result<u32, Stop> {
        let Some(&touch) = self.events[event as usize].0.get(part) else {
            return Ok(set);
        };
        if set <= UNIT {
            return Ok(EMPTY);
        }
        if let Some(known) = self.cache.get(EVENTS + event, set, 0) {
            return Ok(known);
        }
        self.tick()?;
        let base = self.stack.len();
        let mut at = set;
        while at != EMPTY {
            let node = self.table.get(at);
            at = node.right;
            if touch.level != level {
                let below = self.step(event, node.down, level + 1, part)?;
                if below != EMPTY {
                    self.stack.push((node.value, below));
                }
            } else if (touch.least..=touch.most).contains(&node.value) {
                let below = self.step(event, node.down, level + 1, part + 1)?;
                if below != EMPTY {
                    let value = shifted(node.value, touch.change)
                        .ok_or_else(|| Stop::bound("a number", u64::from(u32::MAX)))?;
                    self.stack.push((value, below));
                }
            }
        }
        let list = self.listed(base, EMPTY)?;
        let result = self.close(list, level)?;
        self.cache.put(EVENTS + event, set, 0, result);
        Ok(result)
    }

    /// What the rest of an event leads from one set to, within another; on demand closed again there
    /// ([`Diagrams::leading`]). What is closed within one set need not be within another: where the event ends, all
    /// below is closed anew.
    pub(super) fn step_within(
        &mut self,
        event: u32,
        (set, within): (u32, u32),
        level: usize,
        part: usize,
        closed: bool,
    ) -> Result<u32, Stop> {
        if set == EMPTY || within == EMPTY {
            return Ok(EMPTY);
        }
        let Some(&touch) = self.events[event as usize].0.get(part) else {
            let both = self.both(set, within)?;
            return match closed {
                true => self.lead(both, within, level),
                false => Ok(both),
            };
        };
        if set == UNIT {
            return Ok(EMPTY);
        }
        let what = match closed {
            true => EVENTS + 3 * self.steps as u32 + event,
            false => EVENTS + event,
        };
        if let Some(known) = self.cache.get(what, set, within) {
            return Ok(known);
        }
        self.tick()?;
        let base = self.stack.len();
        let (mut at, mut other) = (set, within);
        let here = touch.level == level;
        while at != EMPTY && other != EMPTY {
            let (node, bound) = (self.table.get(at), self.table.get(other));
            let value = match here {
                true if !(touch.least..=touch.most).contains(&node.value) => None,
                true => shifted(node.value, touch.change),
                false => Some(node.value),
            };
            match value {
                Some(value) if value > bound.value => other = bound.right,
                Some(value) if value == bound.value => {
                    let part = part + usize::from(here);
                    let below = (node.down, bound.down);
                    let below = self.step_within(event, below, level + 1, part, closed)?;
                    if below != EMPTY {
                        self.stack.push((value, below));
                    }
                    (at, other) = (node.right, bound.right);
                }
                _ => at = node.right,
            }
        }
        let mut result = self.listed(base, EMPTY)?;
        if closed {
            result = self.saturate(result, within, level)?;
        }
        self.cache.put(what, set, within, result);
        Ok(result)
    }

    /// The values that a set begins with, as branches that are new.
    pub(super) fn branches(&self, set: u32) -> Vec<Branch> {
        let mut branches = Vec::new();
        let mut at = set;
        while at != EMPTY {
            let node = self.table.get(at);
            branches.push(Branch {
                value: node.value,
                down: node.down,
                grown: 1,
            });
            at = node.right;
        }
        branches
    }

    /// The set of some branches.
    pub(super) fn joined(&mut self, branches: &[Branch]) -> Result<u32, Stop> {
        let base = self.stack.len();
        let parts = branches.iter().map(|branch| (branch.value, branch.down));
        self.stack.extend(parts);
        self.listed(base, EMPTY)
    }

    /// Adds what can follow a value to its branch, and says whether that is a new one.
    pub(super) fn grow(
        &mut self,
        branches: &mut Vec<Branch>,
        value: u32,
        below: u32,
        clock: &mut u64,
    ) -> Result<bool, Stop> {
        match branches.binary_search_by_key(&value, |branch| branch.value) {
            Ok(place) => {
                let grown = self.unite(branches[place].down, below)?;
                if grown != branches[place].down {
                    *clock += 1;
                    branches[place].down = grown;
                    branches[place].grown = *clock;
                }
                Ok(false)
            }
            Err(_) if branches.len() >= self.most => {
                Err(Stop::bound("the size of diagrams", self.most as u64))
            }
            Err(place) => {
                *clock += 1;
                let new = Branch {
                    value,
                    down: below,
                    grown: *clock,
                };
                branches.insert(place, new);
                Ok(true)
            }
        }
    }
}
