//! The states of a program as words that an engine searches.

use std::cell::{Cell, RefCell};

use quotient_explicit::System;

use crate::alone::Alone;
use crate::machine::Machine;
use crate::moves::Move;
use crate::program::Program;
use crate::space::Space;
use crate::state::State;
use crate::store::{Store, Stored};

/// A space with its states packed.
pub(crate) struct Packed<'a> {
    pub(crate) space: Space<'a>,
    store: RefCell<Store>,
    scratch: RefCell<Scratch>,
    /// Whether an atomic sequence was met that may not end.
    pub(crate) endless: Cell<bool>,
    /// The most processes at a time.
    pub(crate) most: Cell<usize>,
    /// Which steps may stand for all.
    pub(crate) fewer: Fewer<'a>,
}

/// Whether some steps may stand for all.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fewer<'a> {
    /// All are taken.
    No,
    /// If the search says that nobody is put off for ever.
    Asked(&'a Alone),
    /// Where nobody is put off in any cycle.
    Always(&'a Alone),
}

/// Marks the labels of steps that stand for all: their numbers are among those.
pub(crate) const FEW: u32 = 1 << 31;

#[derive(Default)]
struct Scratch {
    state: State,
    stored: Stored,
    next: Stored,
}

impl<'a> Packed<'a> {
    pub(crate) fn new(machine: Machine<'a>, claim: Option<usize>, fewer: Fewer<'a>) -> Packed<'a> {
        Packed {
            fewer,
            space: Space::new(machine, claim),
            store: RefCell::default(),
            scratch: RefCell::default(),
            endless: Cell::new(false),
            most: Cell::new(0),
        }
    }

    fn program(&self) -> &'a Program {
        self.space.program()
    }

    /// Tells the few steps that stand for all, if there are such.
    pub(crate) fn few_steps(&self, state: &State, tell: &mut dyn FnMut(&[Move], &State)) -> bool {
        let machine = &self.space.machine;
        match self.fewer {
            Fewer::No => false,
            Fewer::Asked(alone) => machine.few_steps(alone, false, state, tell),
            Fewer::Always(alone) => machine.few_steps(alone, true, state, tell),
        }
    }

    fn few(&self, word: u64, emit: &mut dyn FnMut(u32, &[u64])) -> bool {
        let mut scratch = self.scratch.borrow_mut();
        let scratch = &mut *scratch;
        let program = self.program();
        let (state, stored, next) = (&mut scratch.state, &mut scratch.stored, &mut scratch.next);
        self.store.borrow().get(program, word, state, stored);
        let mut label = FEW;
        self.few_steps(state, &mut |_, after| {
            let before = Some((&*state, &*stored));
            let word = self.store.borrow_mut().put(program, after, before, next);
            emit(label, &[word]);
            label += 1;
        })
    }

    /// The state of a word.
    pub(crate) fn state(&self, word: u64) -> State {
        let mut state = State::default();
        let mut stored = Stored::default();
        let store = self.store.borrow();
        store.get(self.program(), word, &mut state, &mut stored);
        state
    }
}

impl System for Packed<'_> {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        let state = self.space.start();
        let mut stored = Stored::default();
        let word = self
            .store
            .borrow_mut()
            .put(self.program(), &state, None, &mut stored);
        emit(&[word]);
    }

    fn few_successors(&self, word: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<bool, u64> {
        Ok(matches!(self.fewer, Fewer::Asked(_)) && self.few(word[0], emit))
    }

    fn successors(&self, word: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        if matches!(self.fewer, Fewer::Always(_)) && self.few(word[0], emit) {
            return Ok(());
        }
        let mut scratch = self.scratch.borrow_mut();
        let scratch = &mut *scratch;
        let program = self.program();
        let (state, stored, next) = (&mut scratch.state, &mut scratch.stored, &mut scratch.next);
        self.store.borrow().get(program, word[0], state, stored);
        self.most.set(self.most.get().max(state.processes.len()));
        let mut label = 0;
        let count = self.space.steps(state, &mut |_, after| {
            let before = Some((&*state, &*stored));
            let word = self.store.borrow_mut().put(program, after, before, next);
            emit(label, &[word]);
            label += 1;
        });
        if count.endless {
            self.endless.set(true);
        }
        Ok(())
    }
}
