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
        self.step_within(step as u32, from.0, within.0, 0, 0)
            .map(Set)
    }

    /// What a step leads from into a set, as far as it is in another set.
    pub fn before(&mut self, step: usize, into: Set, within: Set) -> Result<Set, Stop> {
        let event = self.steps + step;
        self.step_within(event as u32, into.0, within.0, 0, 0)
            .map(Set)
    }

    /// Where in a set a step can be taken.
    pub fn enabled(&mut self, step: usize, set: Set) -> Result<Set, Stop> {
        let event = 2 * self.steps + step;
        self.step_within(event as u32, set.0, set.0, 0, 0).map(Set)
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
        let base = self.stack.len();
        let parts = branches.iter().map(|branch| (branch.value, branch.down));
        self.stack.extend(parts);
        let result = self.listed(base, EMPTY)?;
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
                    match branches.binary_search_by_key(&target, |branch| branch.value) {
                        Ok(place) => {
                            let grown = self.unite(branches[place].down, below)?;
                            if grown != branches[place].down {
                                *clock += 1;
                                branches[place].down = grown;
                                branches[place].grown = *clock;
                            }
                        }
                        Err(_) if branches.len() >= self.most => {
                            return Err(Stop::bound("the size of diagrams", self.most as u64));
                        }
                        Err(place) => {
                            *clock += 1;
                            let new = Branch {
                                value: target,
                                down: below,
                                grown: *clock,
                            };
                            branches.insert(place, new);
                            at += usize::from(!up);
                        }
                    }
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

    /// What an event leads to from a set, within another.
    fn step_within(
        &mut self,
        event: u32,
        set: u32,
        within: u32,
        level: usize,
        part: usize,
    ) -> Result<u32, Stop> {
        if set == EMPTY || within == EMPTY {
            return Ok(EMPTY);
        }
        let Some(&touch) = self.events[event as usize].0.get(part) else {
            return self.both(set, within);
        };
        if set == UNIT {
            return Ok(EMPTY);
        }
        if let Some(known) = self.cache.get(EVENTS + event, set, within) {
            return Ok(known);
        }
        self.tick()?;
        let base = self.stack.len();
        let (mut at, mut other) = (set, within);
        let here = touch.level == level;
        while at != EMPTY && other != EMPTY {
            let (node, target) = (self.table.get(at), self.table.get(other));
            let value = match here {
                true if !(touch.least..=touch.most).contains(&node.value) => None,
                true => shifted(node.value, touch.change),
                false => Some(node.value),
            };
            match value {
                Some(value) if value > target.value => other = target.right,
                Some(value) if value == target.value => {
                    let part = part + usize::from(here);
                    let below = self.step_within(event, node.down, target.down, level + 1, part)?;
                    if below != EMPTY {
                        self.stack.push((value, below));
                    }
                    (at, other) = (node.right, target.right);
                }
                _ => at = node.right,
            }
        }
        let result = self.listed(base, EMPTY)?;
        self.cache.put(EVENTS + event, set, within, result);
        Ok(result)
    }
}
