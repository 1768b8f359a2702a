//! Propagation, learning and the search itself.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Literal, Node};

use super::Solver;
use super::clauses::{Reference, Watch};

impl Solver {
    pub(super) fn level(&self) -> u32 {
        self.limits.len() as u32
    }

    pub(super) fn assign(&mut self, literal: Literal, reason: Reference) {
        let variable = literal.node().index();
        self.values[literal.code()] = 1;
        self.values[(!literal).code()] = -1;
        self.levels[variable] = self.level();
        self.reasons[variable] = reason;
        self.trail.push(literal);
    }

    /// Goes back to a level; what is open again is to be decided again.
    pub(super) fn backtrack(&mut self, level: u32) {
        let Some(&limit) = self.limits.get(level as usize) else {
            return;
        };
        for at in (limit..self.trail.len()).rev() {
            let node = self.trail[at].node();
            if !self.restricted || self.domain[node.index()] == self.question {
                self.heap.insert(node);
            }
        }
        self.unwind(level);
    }

    /// Goes back to a level after a question: the next one says what is to be decided.
    pub(super) fn unwind(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let limit = self.limits[level as usize];
        for at in (limit..self.trail.len()).rev() {
            let literal = self.trail[at];
            let variable = literal.node().index();
            self.values[literal.code()] = 0;
            self.values[(!literal).code()] = 0;
            self.phases[variable] = !literal.is_negated();
        }
        self.trail.truncate(limit);
        self.limits.truncate(level as usize);
        self.head = limit;
    }

    /// Draws all conclusions of one literal each; a clause that became false ends it.
    pub(super) fn propagate(&mut self) -> Option<Reference> {
        // What holds at the lowest level holds for ever, so there it is followed everywhere.
        let restricted = self.restricted && self.level() > 0;
        while self.head < self.trail.len() {
            let literal = self.trail[self.head];
            self.head += 1;
            self.work += 1;
            let mut list = std::mem::take(&mut self.watches[literal.code()]);
            let (mut kept, mut at) = (0, 0);
            let mut conflict = None;
            self.work += list.len() as u64 / 8;
            while at < list.len() {
                let watch = list[at];
                at += 1;
                if self.values[watch.blocker.code()] > 0 {
                    list[kept] = watch;
                    kept += 1;
                    continue;
                }
                let reference = watch.reference();
                if watch.is_pair() {
                    list[kept] = watch;
                    kept += 1;
                    let other = watch.blocker;
                    if self.values[other.code()] < 0 {
                        conflict = Some(reference);
                        break;
                    }
                    if !restricted || self.domain[other.node().index()] == self.question {
                        if self.clauses.literal(reference, 0) != other {
                            self.clauses.swap(reference, 0, 1);
                        }
                        self.assign(other, reference);
                    }
                    continue;
                }
                if self.clauses.is_deleted(reference) {
                    continue;
                }
                if self.clauses.literal(reference, 0) == !literal {
                    self.clauses.swap(reference, 0, 1);
                }
                let first = self.clauses.literal(reference, 0);
                let new = Watch::new(reference, first, false);
                if self.values[first.code()] > 0 {
                    list[kept] = new;
                    kept += 1;
                    continue;
                }
                let values = &self.values;
                let codes = self.clauses.codes(reference);
                let other = (2..codes.len()).find(|&at| values[codes[at] as usize] >= 0);
                if let Some(other) = other {
                    self.clauses.swap(reference, 1, other);
                    let watched = self.clauses.literal(reference, 1);
                    self.watches[(!watched).code()].push(new);
                    continue;
                }
                list[kept] = new;
                kept += 1;
                if self.values[first.code()] < 0 {
                    conflict = Some(reference);
                    break;
                }
                let inside = self.domain[first.node().index()] == self.question;
                if !restricted || inside {
                    self.assign(first, reference);
                }
            }
            list.copy_within(at.., kept);
            list.truncate(kept + list.len() - at);
            self.watches[literal.code()] = list;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    fn bump(&mut self, node: Node) {
        if self.heap.bump(node, self.increment) {
            self.heap.rescale();
            self.increment *= 1e-100;
        }
    }

    /// The clause learnt from a conflict (its first literal is the one to assert) and the level
    /// to go back to.
    fn analyze(&mut self, conflict: Reference) -> (Vec<Literal>, u32) {
        let mut clause = vec![Literal::FALSE];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut reason = conflict;
        let mut asserted;
        let mut skip = 0;
        loop {
            if self.clauses.is_learnt_and_used(reason) {
                self.review(reason);
            }
            for place in skip..self.clauses.len(reason) {
                let literal = self.clauses.literal(reason, place);
                let variable = literal.node().index();
                if self.seen[variable] != 0 || self.levels[variable] == 0 {
                    continue;
                }
                self.seen[variable] = 1;
                self.bump(literal.node());
                if self.levels[variable] == self.level() {
                    open += 1;
                } else {
                    clause.push(literal);
                }
            }
            loop {
                at -= 1;
                asserted = self.trail[at];
                if self.seen[asserted.node().index()] != 0 {
                    break;
                }
            }
            open -= 1;
            self.seen[asserted.node().index()] = 0;
            if open == 0 {
                break;
            }
            reason = self.reasons[asserted.node().index()];
            skip = 1;
        }
        clause[0] = !asserted;
        self.minimize(&mut clause);
        let mut level = 0;
        if clause.len() > 1 {
            let mut highest = 1;
            for at in 2..clause.len() {
                let of = |at: usize| self.levels[clause[at].node().index()];
                if of(at) > of(highest) {
                    highest = at;
                }
            }
            clause.swap(1, highest);
            level = self.levels[clause[1].node().index()];
        }
        (clause, level)
    }

    /// Leaves out what the rest of a learnt clause implies.
    fn minimize(&mut self, clause: &mut Vec<Literal>) {
        let mut touched: Vec<usize> = clause[1..].iter().map(|one| one.node().index()).collect();
        let mut kept = 1;
        for at in 1..clause.len() {
            let literal = clause[at];
            let reason = self.reasons[literal.node().index()];
            if reason == Reference::NONE || !self.is_redundant(literal, &mut touched) {
                clause[kept] = literal;
                kept += 1;
            }
        }
        clause.truncate(kept);
        for variable in touched {
            self.seen[variable] = 0;
        }
    }

    /// Whether the reasons of a literal lead back to literals that are seen. Marks: 1 in the
    /// clause or shown redundant, 2 shown needed.
    fn is_redundant(&mut self, literal: Literal, touched: &mut Vec<usize>) -> bool {
        let mut stack = vec![literal];
        let begin = touched.len();
        while let Some(literal) = stack.pop() {
            let reason = self.reasons[literal.node().index()];
            for place in 1..self.clauses.len(reason) {
                let other = self.clauses.literal(reason, place);
                let variable = other.node().index();
                if self.levels[variable] == 0 || self.seen[variable] == 1 {
                    continue;
                }
                if self.reasons[variable] == Reference::NONE || self.seen[variable] == 2 {
                    for &variable in &touched[begin..] {
                        self.seen[variable] = 2;
                    }
                    return false;
                }
                self.seen[variable] = 1;
                touched.push(variable);
                stack.push(other);
            }
        }
        true
    }

    /// The assumptions that make another one impossible.
    fn analyze_final(&mut self, refused: Literal) {
        self.core.clear();
        self.core.push(refused);
        let variable = refused.node().index();
        if self.levels[variable] == 0 {
            return;
        }
        self.seen[variable] = 1;
        let begin = self.limits.first().copied().unwrap_or(0);
        for at in (begin..self.trail.len()).rev() {
            let literal = self.trail[at];
            let variable = literal.node().index();
            if self.seen[variable] == 0 {
                continue;
            }
            self.seen[variable] = 0;
            let reason = self.reasons[variable];
            if reason == Reference::NONE {
                // A decision below the last assumption is an assumption.
                self.core.push(literal);
                continue;
            }
            for place in 1..self.clauses.len(reason) {
                let other = self.clauses.literal(reason, place).node().index();
                if self.levels[other] > 0 {
                    self.seen[other] = 1;
                }
            }
        }
    }

    /// A clause that is used again may have fewer levels in it than when it was learnt.
    fn review(&mut self, reference: Reference) {
        let before = self.clauses.distance(reference);
        if before <= 2 {
            return;
        }
        self.count += 1;
        let mut distance = 0;
        for place in 0..self.clauses.len(reference) {
            let literal = self.clauses.literal(reference, place);
            distance += self.counts_level(literal);
            if distance >= before {
                return;
            }
        }
        self.clauses.set_distance(reference, distance);
    }

    /// The number of levels in a clause.
    fn block_distance(&mut self, clause: &[Literal]) -> u32 {
        self.count += 1;
        let levels = clause.iter().map(|&one| self.counts_level(one));
        levels.sum()
    }

    /// One if the level of a literal was not met in this count.
    fn counts_level(&mut self, literal: Literal) -> u32 {
        let level = self.levels[literal.node().index()] as usize;
        if self.counted.len() <= level {
            self.counted.resize(level + 1, 0);
        }
        let met = std::mem::replace(&mut self.counted[level], self.count) == self.count;
        u32::from(!met)
    }

    fn learn(&mut self, clause: &[Literal], level: u32) {
        let distance = self.block_distance(clause);
        self.backtrack(level);
        if let [unit] = clause {
            self.assign(*unit, Reference::NONE);
            return;
        }
        let reference = self.attach(clause, true, distance);
        let guarded = self.guard.is_some_and(|guard| clause.contains(&!guard));
        if guarded {
            self.passing.push(reference);
        } else {
            self.learnt.push(reference);
        }
        self.assign(clause[0], reference);
    }

    pub(super) fn search(
        &mut self,
        assumptions: &[Literal],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let mut restarts = Restarts::default();
        loop {
            if self.work - self.charged > 4_096 {
                let work = self.work - self.charged;
                self.charged = self.work;
                budget.charge(work)?;
            }
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                if self.level() == 0 {
                    self.contradiction = true;
                    return Ok(false);
                }
                let (clause, level) = self.analyze(conflict);
                if clause.len() == 1 && self.guard == Some(!clause[0]) {
                    // The passing clause alone is impossible; that is not for ever.
                    self.backtrack(0);
                    return Ok(false);
                }
                restarts.count(self.block_distance(&clause));
                self.learn(&clause, level);
                self.increment /= 0.95;
                continue;
            }
            if restarts.is_due() {
                self.backtrack(0);
                if self.learnt.len() > self.most_learnt {
                    self.forget();
                }
                continue;
            }
            match self.decide(assumptions) {
                Decision::Next(literal) => {
                    self.limits.push(self.trail.len());
                    self.assign(literal, Reference::NONE);
                }
                Decision::Satisfied => return Ok(true),
                Decision::Refused(literal) => {
                    self.analyze_final(literal);
                    let guard = self.guard;
                    self.core.retain(|&one| Some(one) != guard);
                    return Ok(false);
                }
            }
        }
    }

    fn decide(&mut self, assumptions: &[Literal]) -> Decision {
        while let Some(&literal) = assumptions.get(self.level() as usize) {
            match self.values[literal.code()] {
                // Every assumption has a level of its own, so that they can be told apart.
                1 => self.limits.push(self.trail.len()),
                -1 => return Decision::Refused(literal),
                _ => return Decision::Next(literal),
            }
        }
        while let Some(node) = self.heap.pop() {
            if self.values[node.literal().code()] == 0 {
                let positive = self.phases[node.index()];
                return Decision::Next(node.literal().flip_if(!positive));
            }
        }
        Decision::Satisfied
    }
}

enum Decision {
    Next(Literal),
    Satisfied,
    Refused(Literal),
}

/// Restarts when what was learnt lately is worse than what was learnt before.
struct Restarts {
    conflicts: u32,
    lately: f64,
    overall: f64,
}

impl Default for Restarts {
    fn default() -> Self {
        Restarts {
            conflicts: 0,
            lately: 0.0,
            overall: 0.0,
        }
    }
}

impl Restarts {
    fn count(&mut self, distance: u32) {
        self.conflicts += 1;
        let distance = f64::from(distance);
        let weight = 1.0 / f64::from(self.conflicts.min(32));
        self.lately += (distance - self.lately) * weight;
        let weight = 1.0 / f64::from(self.conflicts.min(4_096));
        self.overall += (distance - self.overall) * weight;
    }

    fn is_due(&mut self) -> bool {
        let due = self.conflicts % 4_096 >= 50 && self.lately > 1.2 * self.overall;
        if due {
            self.lately = self.overall;
            self.conflicts += 4_096 - self.conflicts % 4_096;
        }
        due
    }
}
