//! From a first choice of events to a stubborn set.

use super::facts::Taker;
use super::{For, Keep, Stubborn};
use crate::State;
use crate::product::Scratch;

/// What finding stubborn sets works with, kept by the caller from state to state.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    /// The events of the present set have the present number.
    member: Vec<u32>,
    /// The same for parts all of whose possible events are in the set.
    opened: Vec<u32>,
    present: u32,
    todo: Vec<u32>,
    /// The possible events of the present set, and of the best one so far.
    possible: Vec<u32>,
    best: Vec<u32>,
    seeds: Vec<u32>,
    /// Events looked at for the present state, and the work of those before it.
    looked_at: u64,
    work: u64,
}

/// Events that are looked at for a state of a usual system.
const USUAL: u64 = 256;

impl Closure {
    /// The possible events of the set chosen last.
    pub(super) fn chosen(&self) -> &[u32] {
        &self.best
    }

    /// The work that the states since the last time took beyond that of usual ones.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn begin(&mut self, events: usize, parts: usize) {
        self.member.resize(events, 0);
        self.opened.resize(parts, 0);
        if self.present == u32::MAX {
            self.member.fill(0);
            self.opened.fill(0);
            self.present = 0;
        }
        self.present += 1;
        self.todo.clear();
        self.possible.clear();
    }

    fn has(&self, event: u32) -> bool {
        self.member[event as usize] == self.present
    }

    fn add(&mut self, event: u32) {
        let slot = &mut self.member[event as usize];
        if *slot != self.present {
            *slot = self.present;
            self.todo.push(event);
        }
    }
}

impl Stubborn<'_> {
    /// Leaves in the closure the possible events of a stubborn set of a state that was looked
    /// at.
    pub(super) fn choose(&self, scratch: &Scratch, closure: &mut Closure) {
        self.choose_best(scratch, closure);
        closure.work += std::mem::take(&mut closure.looked_at) / USUAL;
    }

    fn choose_best(&self, scratch: &Scratch, closure: &mut Closure) {
        closure.best.clear();
        self.collect_seeds(scratch, closure);
        if closure.seeds.is_empty() {
            return;
        }
        let mut has_best = false;
        if let For::Finding(Keep::Errors | Keep::NearestErrors) = self.aim {
            closure.begin(self.facts.events(), self.facts.parts.len());
            for &part in &self.erring {
                self.add_towards_error(part, scratch, closure);
            }
            self.close(scratch, closure, usize::MAX, true);
            closure.keep_best();
            has_best = true;
        }
        if self.aim == For::Finding(Keep::NearestErrors) {
            return;
        }
        for at in 0..closure.seeds.len() {
            if has_best && closure.best.len() <= 1 {
                break;
            }
            let seed = closure.seeds[at];
            if self.has_sticky() && self.sticky[seed as usize] {
                continue;
            }
            let less_than = match has_best {
                true => closure.best.len(),
                false => usize::MAX,
            };
            closure.begin(self.facts.events(), self.facts.parts.len());
            closure.add(seed);
            if self.close(scratch, closure, less_than, false) {
                closure.keep_best();
                has_best = true;
            }
        }
        if !has_best {
            // Something is possible, and no part of it is enough.
            closure.best.clone_from(&closure.seeds);
        }
    }

    /// All possible events.
    fn collect_seeds(&self, scratch: &Scratch, closure: &mut Closure) {
        closure.seeds.clear();
        for part in 0..self.facts.parts.len() {
            let silent = self.facts.silent(part);
            if self.is_possible(silent, scratch) {
                closure.seeds.push(silent);
            }
        }
        for (block, &bits) in scratch.enabled.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                closure
                    .seeds
                    .push((block * 64) as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    fn is_possible(&self, event: u32, scratch: &Scratch) -> bool {
        match self.facts.silent_part(event) {
            None => scratch.enabled[event as usize / 64] >> (event % 64) & 1 == 1,
            Some(part) => {
                let facts = &self.facts.parts[part];
                facts.events.last() == Some(&event)
                    && self.allows(part, facts.events.len() as u32 - 1, scratch)
            }
        }
    }

    /// Whether a part has a step with an event.
    fn allows(&self, part: usize, rank: u32, scratch: &Scratch) -> bool {
        let steps = self.facts.parts[part].steps(scratch.locals[part]);
        steps.binary_search_by_key(&rank, |step| step.rank).is_ok()
    }

    /// Closes the set under the rules; gives up when it has too many possible events, or, unless
    /// they are `free` to be seen, one that may be seen where errors are looked for.
    fn close(
        &self,
        scratch: &Scratch,
        closure: &mut Closure,
        less_than: usize,
        free: bool,
    ) -> bool {
        while let Some(event) = closure.todo.pop() {
            closure.looked_at += 1;
            if self.is_possible(event, scratch) {
                closure.possible.push(event);
                let is_seen = self.has_sticky() && !free && self.sticky[event as usize];
                if closure.possible.len() >= less_than || is_seen {
                    return false;
                }
                for &taker in self.facts.takers(event) {
                    self.add_rivals(taker, free, scratch, closure);
                }
            } else {
                self.add_enabling(event, scratch, closure);
            }
        }
        true
    }

    /// What a part could do instead of a possible event, or all that matters to it there.
    fn add_rivals(&self, taker: Taker, free: bool, scratch: &Scratch, closure: &mut Closure) {
        let number = taker.part as usize;
        if closure.opened[number] == closure.present {
            return;
        }
        let part = &self.facts.parts[number];
        let steps = part.steps(scratch.locals[number]);
        if let Some(dependents) = part.dependents(taker.rank) {
            let matters = |rank: u32| {
                rank == taker.rank
                    || dependents
                        .binary_search(&part.events[rank as usize])
                        .is_ok()
            };
            if !steps.iter().all(|step| matters(step.rank)) {
                dependents.iter().for_each(|&event| closure.add(event));
                return;
            }
        }
        let mut all = true;
        for step in steps {
            // Where an event may be taken away for good, what does so need not come first.
            if free && !part.can_come(taker.rank, step.target) {
                all = false;
                continue;
            }
            closure.add(part.events[step.rank as usize]);
        }
        if all {
            closure.opened[number] = closure.present;
        }
    }

    /// What could bring one of the parts that block an event to allow it: of the part for
    /// which the fewest have to be added.
    fn add_enabling(&self, event: u32, scratch: &Scratch, closure: &mut Closure) {
        let mut best: Option<(usize, Taker)> = None;
        for &taker in self.facts.takers(event) {
            let number = taker.part as usize;
            if self.allows(number, taker.rank, scratch) {
                continue;
            }
            let mut cost = 0;
            for new in self.towards(taker, scratch) {
                if !closure.has(new) {
                    cost += if self.is_possible(new, scratch) { 4 } else { 1 };
                }
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, taker));
            }
        }
        if let Some((_, taker)) = best {
            for new in self.towards(taker, scratch) {
                closure.add(new);
            }
        }
    }

    /// The events that may bring a part nearer to allowing an event that it blocks.
    fn towards<'b>(
        &'b self,
        taker: Taker,
        scratch: &'b Scratch,
    ) -> impl Iterator<Item = u32> + use<'b> {
        let part = &self.facts.parts[taker.part as usize];
        let from: State = scratch.locals[taker.part as usize];
        let steps = part.steps(from).iter();
        steps
            .filter(move |step| step.target != from && part.can_come(taker.rank, step.target))
            .map(|step| part.events[step.rank as usize])
    }

    /// The events that may bring a part nearer to its error state.
    fn add_towards_error(&self, number: usize, scratch: &Scratch, closure: &mut Closure) {
        let part = &self.facts.parts[number];
        let from = scratch.locals[number];
        for step in part.steps(from) {
            if step.target != from && part.can_err(step.target) {
                closure.add(part.events[step.rank as usize]);
            }
        }
    }
}

impl Closure {
    fn keep_best(&mut self) {
        std::mem::swap(&mut self.best, &mut self.possible);
    }
}
