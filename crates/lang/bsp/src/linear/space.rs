//! The machine as far as a formula sees it.
//!
//! A step of a processor that changes nothing that the formula is about commutes with whatever others do, and nobody
//! can disable it. So it is taken at once: states are those in which every processor is about to do something that is
//! seen, or waits, has ended, has failed, or goes round by itself for ever unseen. Runs in which whatever can happen
//! at last does are the same, but for repetitions, which formulas without `X` do not see.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use quotient_core::{Budget, Stop};
use quotient_explicit::System;

use super::formula::{Atom, MOST_ATOMS, MOST_UNSEEN, share};
use crate::machine::{self, Local};
use crate::program::Program;
use crate::run::Part;

/// What a formula sees.
pub(crate) struct Sight {
    pub(crate) atoms: Vec<Atom>,
}

impl Sight {
    pub(crate) fn new(atoms: Vec<Atom>) -> Sight {
        Sight { atoms }
    }

    /// What is seen of a processor: the atoms about it as bits, and what it does.
    fn of(&self, processor: usize, local: &Local) -> u64 {
        let mut bits = share(&self.atoms, local) << MOST_ATOMS;
        for (at, atom) in self.atoms.iter().enumerate() {
            if atom.processor() == Some(processor) && atom.holds_for(local) {
                bits |= 1 << at;
            }
        }
        bits
    }

    /// The atoms that are true of a machine, as bits.
    pub(crate) fn of_all(&self, program: &Program, locals: &[Local]) -> u64 {
        let truths = self.atoms.iter().map(|atom| atom.holds(program, locals));
        let bits = truths.enumerate().map(|(at, truth)| u64::from(truth) << at);
        bits.fold(0, |all, bit| all | bit)
    }
}

/// A processor that was followed as far as nothing is seen.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Halted {
    local: Local,
    /// How many steps bring it back to where it is, unseen, if that goes on for ever.
    round: Option<u64>,
}

/// The processors met so far: a state has their numbers.
#[derive(Default)]
struct Known {
    all: Vec<Rc<Halted>>,
    numbers: HashMap<Rc<Halted>, u64>,
    /// Where processors come to from where they are, and after how many steps: others may have moved meanwhile, and what
    /// was told once is told again when nothing is left of the budget.
    followed: HashMap<(usize, Local), (Halted, u64)>,
    /// Why a processor could not be followed.
    stop: Option<Stop>,
}

pub(crate) struct Space<'a> {
    pub(crate) program: &'a Program,
    pub(crate) sight: Sight,
    budget: &'a Budget,
    known: RefCell<Known>,
}

impl<'a> Space<'a> {
    pub(crate) fn new(program: &'a Program, atoms: Vec<Atom>, budget: &'a Budget) -> Space<'a> {
        Space {
            program,
            sight: Sight::new(atoms),
            budget,
            known: RefCell::default(),
        }
    }

    /// Where a processor comes to until its next step would be seen, and after how many steps.
    fn follow(&self, processor: usize, local: Local) -> Result<(Halted, u64), Stop> {
        let from = (processor, local);
        if let Some(known) = self.known.borrow().followed.get(&from) {
            return Ok(known.clone());
        }
        let found = self.go_on(processor, from.1.clone())?;
        let mut known = self.known.borrow_mut();
        known.followed.insert(from, found.clone());
        Ok(found)
    }

    fn go_on(&self, processor: usize, mut local: Local) -> Result<(Halted, u64), Stop> {
        let seen = self.sight.of(processor, &local);
        let mut steps = 0;
        // Where it may come back to (Brent's way).
        let (mut old, mut since, mut patience) = (local.clone(), 0_u64, 64_u64);
        while local.is_running() && steps < MOST_UNSEEN {
            self.budget.charge(1)?;
            let mut next = local.clone();
            next.step(self.program, processor);
            next.within_bounds()?;
            if self.sight.of(processor, &next) != seen {
                break;
            }
            local = next;
            steps += 1;
            since += 1;
            if local == old {
                let round = Some(since);
                return Ok((Halted { local, round }, steps));
            }
            if since == patience {
                old = local.clone();
                since = 0;
                patience *= 2;
            }
        }
        Ok((Halted { local, round: None }, steps))
    }

    fn number(&self, halted: Halted) -> u64 {
        let mut known = self.known.borrow_mut();
        if let Some(&number) = known.numbers.get(&halted) {
            return number;
        }
        let number = known.all.len() as u64;
        let halted = Rc::new(halted);
        known.all.push(Rc::clone(&halted));
        known.numbers.insert(halted, number);
        number
    }

    fn halted(&self, number: u64) -> Rc<Halted> {
        Rc::clone(&self.known.borrow().all[number as usize])
    }

    /// The machine in a state.
    pub(crate) fn locals(&self, state: &[u64]) -> Vec<Local> {
        let local = |&number: &u64| self.halted(number).local.clone();
        state.iter().map(local).collect()
    }

    /// Why a processor could not be followed.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.known.borrow_mut().stop.take()
    }

    fn beginning(&self) -> Result<Vec<(Halted, u64)>, Stop> {
        let locals = machine::beginning(self.program).into_iter().enumerate();
        locals
            .map(|(processor, local)| self.follow(processor, local))
            .collect()
    }

    /// The processors that a label moves, each with its steps (a barrier is none) and where it is then.
    fn moved(&self, label: usize, state: &[Rc<Halted>]) -> Result<Vec<(usize, Halted, u64)>, Stop> {
        let processors = self.program.processors;
        if label < processors {
            let mut local = state[label].local.clone();
            local.step(self.program, label);
            local.within_bounds()?;
            let (halted, steps) = self.follow(label, local)?;
            return Ok(vec![(label, halted, steps + 1)]);
        }
        let group = label - processors;
        let mut locals: Vec<Local> = state.iter().map(|one| one.local.clone()).collect();
        machine::barrier(self.program, &mut locals, group);
        let members = self.program.groups[group].members.iter();
        members
            .map(|&one| {
                let (halted, steps) = self.follow(one, locals[one].clone())?;
                Ok((one, halted, steps))
            })
            .collect()
    }

    /// The processors that can do something that is seen, and the groups that can meet.
    fn labels(&self, state: &[Rc<Halted>]) -> Vec<usize> {
        let can = |one: &Halted| one.round.is_none() && one.local.is_running();
        let running = (0..state.len()).filter(|&one| can(&state[one]));
        let locals: Vec<Local> = state.iter().map(|one| one.local.clone()).collect();
        let complete = machine::complete(self.program, &locals).into_iter();
        running
            .chain(complete.map(|group| state.len() + group))
            .collect()
    }

    /// The parts of the run with these labels, and where the part begins that comes after so many of them. At the
    /// end everybody who goes round unseen does it once more if that is asked for.
    pub(crate) fn parts(
        &self,
        labels: &[u32],
        after: usize,
        rounds: bool,
    ) -> Result<(Vec<Part>, usize), Stop> {
        let mut parts = Vec::new();
        let add = |parts: &mut Vec<Part>, processor: usize, steps: u64| {
            if steps > 0 {
                parts.push(Part::Steps { processor, steps });
            }
        };
        let mut state = Vec::new();
        for (processor, (halted, steps)) in self.beginning()?.into_iter().enumerate() {
            add(&mut parts, processor, steps);
            state.push(Rc::new(halted));
        }
        let mut begins = parts.len();
        for (number, &label) in labels.iter().enumerate() {
            if number == after {
                begins = parts.len();
            }
            let label = label as usize;
            if let Some(group) = label.checked_sub(self.program.processors) {
                let name = self.program.groups[group].name.clone();
                parts.push(Part::Barrier(name));
            }
            for (processor, halted, steps) in self.moved(label, &state)? {
                add(&mut parts, processor, steps);
                state[processor] = Rc::new(halted);
            }
        }
        if labels.len() <= after {
            begins = parts.len();
        }
        for (processor, halted) in state.iter().enumerate().filter(|_| rounds) {
            add(&mut parts, processor, halted.round.unwrap_or(0));
        }
        Ok((parts, begins))
    }

    fn emit_all(&self, words: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), Stop> {
        let state: Vec<Rc<Halted>> = words.iter().map(|&number| self.halted(number)).collect();
        for label in self.labels(&state) {
            let mut next = words.to_vec();
            for (processor, halted, _) in self.moved(label, &state)? {
                next[processor] = self.number(halted);
            }
            emit(label as u32, &next);
        }
        Ok(())
    }
}

impl System for Space<'_> {
    fn width(&self) -> usize {
        self.program.processors
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        match self.beginning() {
            Ok(all) => {
                let all = all.into_iter().map(|(halted, _)| self.number(halted));
                emit(&all.collect::<Vec<u64>>());
            }
            Err(stop) => self.known.borrow_mut().stop = Some(stop),
        }
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        self.emit_all(state, emit).map_err(|stop| {
            self.known.borrow_mut().stop = Some(stop);
            0
        })
    }
}
