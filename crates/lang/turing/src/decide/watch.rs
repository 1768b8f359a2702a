//! A run that is watched: it stops, repeats itself, runs away, or repeats itself further along.

use quotient_core::{Budget, Stop};

use crate::machine::{Machine, Side};
use crate::proof::Proof;
use crate::question::Start;
use crate::tape::{Configuration, Half};

/// A run with what is remembered of it.
///
/// Configurations to compare with are chosen as in Brent's search for cycles (1980): the
/// remembered one is replaced whenever the time since it has doubled.
pub(crate) struct Watch<'a> {
    machine: &'a Machine,
    now: Configuration,
    steps: u64,
    position: i64,
    remembered: (u64, Configuration),
    left: Records,
    right: Records,
    /// The states from which the head runs over blanks for ever, to the left and to the right.
    runaway: [Vec<bool>; 2],
}

/// The moments at which the head was further to one side than ever before.
struct Records {
    side: Side,
    /// How far it was.
    best: i64,
    /// The record to compare with: when, where and how it was.
    mark: (u64, i64, Configuration),
    /// The furthest to the other side since then.
    back: i64,
    /// Records since then, and how many there may be before the mark is replaced.
    since: u64,
    most: u64,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(machine: &'a Machine, start: &Start) -> Watch<'a> {
        let now = start.configuration(machine);
        let states = machine.states.len();
        let runaway = [Side::Left, Side::Right].map(|side| {
            (0..states)
                .map(|state| runs_away(machine, state, side))
                .collect()
        });
        Watch {
            machine,
            remembered: (0, now.clone()),
            left: Records::new(Side::Left, &now),
            right: Records::new(Side::Right, &now),
            now,
            steps: 0,
            position: 0,
            runaway,
        }
    }

    /// Goes on until so many steps were done in all, or until it is clear what happens.
    pub(crate) fn run(&mut self, steps: u64, budget: &Budget) -> Result<Option<Proof>, Stop> {
        while self.steps < steps {
            if self.steps.is_multiple_of(1024) {
                budget.charge(1024)?;
            }
            if let Some(proof) = self.blank_run() {
                return Ok(Some(proof));
            }
            let Some(moved) = self.now.step(self.machine) else {
                return Ok(Some(Proof::Halts { steps: self.steps }));
            };
            self.steps += 1;
            self.position += moved;
            if let Some(proof) = self.repeat() {
                return Ok(Some(proof));
            }
            for records in [&mut self.left, &mut self.right] {
                let found = records.look(self.steps, self.position, &self.now);
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        let stopped = self
            .machine
            .action(self.now.state, self.now.tape.scanned)
            .is_none();
        Ok(stopped.then_some(Proof::Halts { steps: self.steps }))
    }

    /// The configuration reached, and the cell of the head.
    pub(crate) fn into_end(self) -> (Configuration, i64) {
        (self.now, self.position)
    }

    fn blank_run(&self) -> Option<Proof> {
        let blank = self.machine.blank;
        if self.now.tape.scanned != blank {
            return None;
        }
        let sides = [
            (Side::Left, &self.now.tape.left),
            (Side::Right, &self.now.tape.right),
        ];
        let mut sides = sides.into_iter().zip(&self.runaway);
        let found = sides.find(|((_, half), runaway)| {
            runaway.get(self.now.state) == Some(&true) && half.is_only(blank)
        });
        found.map(|((side, _), _)| Proof::BlankRun {
            after: self.steps,
            side,
        })
    }

    fn repeat(&mut self) -> Option<Proof> {
        let (after, old) = &self.remembered;
        let (after, period) = (*after, self.steps - *after);
        let alike = old.state == self.now.state && old.tape.scanned == self.now.tape.scanned;
        if alike && old.tape.left.len() == self.now.tape.left.len() && *old == self.now {
            return Some(Proof::Repeat { after, period });
        }
        if period > after {
            self.remembered = (self.steps, self.now.clone());
        }
        None
    }
}

/// Whether the head, in this state on blanks, moves to one side until it is in it again.
fn runs_away(machine: &Machine, state: usize, side: Side) -> bool {
    let mut here = state;
    for _ in 0..machine.states.len() {
        match machine.action(here, machine.blank) {
            Some(action) if action.shift == Some(side) => here = action.to,
            _ => return false,
        }
        if here == state {
            return true;
        }
    }
    false
}

impl Records {
    fn new(side: Side, now: &Configuration) -> Records {
        Records {
            side,
            best: 0,
            mark: (0, 0, now.clone()),
            back: 0,
            since: 0,
            most: 1,
        }
    }

    /// Looks at the configuration after a step.
    fn look(&mut self, steps: u64, position: i64, now: &Configuration) -> Option<Proof> {
        // Measured towards the side, so that both sides are alike.
        let position = match self.side {
            Side::Right => position,
            Side::Left => -position,
        };
        self.back = self.back.min(position);
        if position <= self.best {
            return None;
        }
        self.best = position;
        self.since += 1;
        let (after, at, old) = &self.mark;
        let reach = usize::try_from(at - self.back).unwrap_or(0);
        if old.state == now.state && old.tape.scanned == now.tape.scanned {
            let ((ahead, behind), (old_ahead, old_behind)) = (self.halves(now), self.halves(old));
            let mut behind = behind.symbols().zip(old_behind.symbols()).take(reach);
            if ahead == old_ahead && behind.all(|(one, two)| one == two) {
                return Some(Proof::TranslatedCycle {
                    after: *after,
                    period: steps - after,
                    side: self.side,
                    reach: reach as u64,
                });
            }
        }
        if self.since >= self.most {
            self.mark = (steps, position, now.clone());
            self.back = position;
            self.since = 0;
            self.most *= 2;
        }
        None
    }

    /// What lies ahead and what behind.
    fn halves<'c>(&self, configuration: &'c Configuration) -> (&'c Half, &'c Half) {
        let tape = &configuration.tape;
        match self.side {
            Side::Right => (&tape.right, &tape.left),
            Side::Left => (&tape.left, &tape.right),
        }
    }
}
