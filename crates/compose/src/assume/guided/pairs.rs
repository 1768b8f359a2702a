//! Pairs of states of an assumption and a component.

use quotient_core::Stop;

use crate::product::StateTable;
use crate::{Action, Lts, State};

/// A state of the assumption beside one of the component.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) assumption: State,
    pub(super) component: State,
}

/// The steps of an assumption, each found at once.
pub(super) struct Steps {
    /// For each action of the component its letter, [`FOREIGN`] if the assumption does not
    /// know it.
    letters: Vec<u32>,
    /// What the assumption does alone.
    alone: Vec<(u32, Action)>,
    /// `targets[rows[state * width + letter]..rows[state * width + letter + 1]]`.
    rows: Vec<u32>,
    targets: Vec<State>,
    width: usize,
}

const FOREIGN: u32 = u32::MAX;

impl Steps {
    pub(super) fn new(assumption: &Lts, component: &Lts) -> Steps {
        let most = component.alphabet().last().map_or(0, |last| last.index());
        let mut letters = vec![FOREIGN; most + 1];
        let mut alone = vec![(0, Action::TAU)];
        for (letter, &action) in (1..).zip(assumption.alphabet()) {
            match component.knows(action) {
                true => letters[action.index()] = letter,
                false => alone.push((letter, action)),
            }
        }
        let width = assumption.alphabet().len() + 1;
        let mut rows = vec![0];
        let mut targets = Vec::with_capacity(assumption.transitions());
        for state in assumption.all_states() {
            let silent = [Action::TAU];
            for &action in silent.iter().chain(assumption.alphabet()) {
                let edges = assumption.successors(state, action).iter();
                targets.extend(edges.map(|edge| edge.target));
                rows.push(targets.len() as u32);
            }
        }
        Steps {
            letters,
            alone,
            rows,
            targets,
            width,
        }
    }

    /// What the assumption does alone: letters and their actions.
    pub(super) fn alone(&self) -> &[(u32, Action)] {
        &self.alone
    }

    /// The letter of an action of the component, if the assumption knows it.
    #[inline]
    pub(super) fn letter(&self, action: Action) -> Option<u32> {
        Some(self.letters[action.index()]).filter(|&letter| letter != FOREIGN)
    }

    /// The numbers of the steps from a state with a letter.
    #[inline]
    pub(super) fn range(&self, state: State, letter: u32) -> std::ops::Range<usize> {
        let row = state.index() * self.width + letter as usize;
        self.rows[row] as usize..self.rows[row + 1] as usize
    }

    /// Where a step leads.
    #[inline]
    pub(super) fn target(&self, step: usize) -> State {
        self.targets[step]
    }
}

/// Numbers of pairs in the order in which they are met.
pub(super) enum Numbers {
    /// One slot for each pair, the number plus one, where there are not too many.
    Slots {
        slots: Vec<u32>,
        assumption: usize,
        used: u32,
    },
    Table(StateTable<1>),
}

/// How many slots are still few.
pub(super) const SLOTS: usize = 1 << 24;

impl Numbers {
    /// For so many states of both sides, with at most so many slots.
    pub(super) fn new(assumption: usize, component: usize, slots: usize) -> Numbers {
        match assumption.checked_mul(component) {
            Some(pairs) if pairs <= slots => Numbers::Slots {
                slots: vec![0; pairs],
                assumption,
                used: 0,
            },
            _ => Numbers::Table(StateTable::new()),
        }
    }

    /// The number of a pair, which is the next one if it is new.
    #[inline]
    pub(super) fn of(&mut self, pair: Pair) -> Result<u32, Stop> {
        match self {
            Numbers::Slots {
                slots,
                assumption,
                used,
            } => {
                let at = pair.component.index() * *assumption + pair.assumption.index();
                let slot = &mut slots[at];
                if *slot == 0 {
                    *used += 1;
                    *slot = *used;
                }
                Ok(*slot - 1)
            }
            Numbers::Table(table) => {
                let word = (pair.component.index() as u64) << 32 | pair.assumption.index() as u64;
                Ok(table.insert([word])?.0)
            }
        }
    }
}
