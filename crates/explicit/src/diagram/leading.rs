//! What leads into a set without leaving another, by saturation: what happens near the end of the vectors is taken
//! back until nothing new comes, before anything nearer to the beginning is, and never out of the other set (Zhao and
//! Ciardo's constrained saturation, ATVA 2009).

use quotient_core::Stop;

use super::{Branch, Diagrams, EMPTY, LEADING, SATURATED, Set, UNIT, shifted};

impl Diagrams {
    /// The vectors from which steps lead into a set through another one, and those of the set.
    pub fn leading(&mut self, into: Set, through: Set) -> Result<Set, Stop> {
        // What is in the set already needs not be let through once more, and this changes nothing.
        let within = self.unite(into.0, through.0)?;
        self.lead(into.0, within, 0).map(Set)
    }

    /// Closes a set, which is part of the other, from the end of the vectors on.
    pub(super) fn lead(&mut self, set: u32, within: u32, level: usize) -> Result<u32, Stop> {
        if set <= UNIT || set == within {
            return Ok(set);
        }
        if let Some(known) = self.cache.get(LEADING, set, within) {
            return Ok(known);
        }
        self.tick()?;
        let base = self.stack.len();
        let (mut at, mut other) = (set, within);
        while at != EMPTY && other != EMPTY {
            let (node, bound) = (self.table.get(at), self.table.get(other));
            if node.value == bound.value {
                let down = self.lead(node.down, bound.down, level + 1)?;
                self.stack.push((node.value, down));
                at = node.right;
            }
            other = bound.right;
        }
        let list = self.listed(base, EMPTY)?;
        let result = self.saturate(list, within, level)?;
        self.cache.put(LEADING, set, within, result);
        self.cache.put(LEADING, result, within, result);
        Ok(result)
    }

    /// Closes a set whose parts below are closed.
    pub(super) fn saturate(&mut self, set: u32, within: u32, level: usize) -> Result<u32, Stop> {
        if set <= UNIT || set == within || self.tops[level].is_empty() {
            return Ok(set);
        }
        if let Some(known) = self.cache.get(SATURATED, set, within) {
            return Ok(known);
        }
        self.tick()?;
        let mut branches = self.branches(set);
        let mut bounds = Vec::new();
        let mut at = within;
        while at != EMPTY {
            let node = self.table.get(at);
            bounds.push((node.value, node.down));
            at = node.right;
        }
        let mut clock = 1;
        let mut done = vec![0; self.tops[level].len()];
        loop {
            let before = clock;
            for (number, done) in done.iter_mut().enumerate() {
                let back = self.tops[level][number] + self.steps as u32;
                let begun = clock;
                self.chain_back(back, level, &mut branches, &bounds, *done, &mut clock)?;
                *done = begun;
            }
            if clock == before {
                break;
            }
        }
        let result = self.joined(&branches)?;
        self.cache.put(SATURATED, set, within, result);
        self.cache.put(SATURATED, result, within, result);
        Ok(result)
    }

    /// Takes an event from each branch that grew since it was taken last, in the direction in which it changes the
    /// value, to where the bounds have something.
    fn chain_back(
        &mut self,
        event: u32,
        level: usize,
        branches: &mut Vec<Branch>,
        bounds: &[(u32, u32)],
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
            let (value, down) = (branches[at].value, branches[at].down);
            let fits = (touch.least..=touch.most).contains(&value) && branches[at].grown > since;
            let target = shifted(value, touch.change).filter(|_| fits);
            let bound = target.and_then(|target| {
                let place = bounds.binary_search_by_key(&target, |bound| bound.0);
                Some((target, bounds[place.ok()?].1))
            });
            if let Some((target, bound)) = bound {
                self.tick()?;
                let below = self.step_within(event, (down, bound), level + 1, 1, true)?;
                if below != EMPTY {
                    let new = self.grow(branches, target, below, clock)?;
                    at += usize::from(new && !up);
                }
            }
            at += usize::from(up);
        }
    }
}
