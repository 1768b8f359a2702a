//! The states and steps of a composition, without building it.
//!
//! A composed state is a few machine words: each part has a field just wide enough for its
//! local states. Which actions are possible is one conjunction of bit sets, a set a part; a
//! step changes only the fields of the parts that take it.

mod pack;
mod part;
mod priority;
mod table;

pub(crate) use pack::{Packing, Word, for_width};
pub(crate) use part::Part;
pub(crate) use priority::Priority;
pub(crate) use table::{StateTable, hash};

use std::ops::ControlFlow;
use std::sync::Arc;

use quotient_core::Stop;

use crate::{Action, ERROR, State};

/// Where a step of a composition leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<const W: usize> {
    State(Word<W>),
    /// The part with this number entered its error state.
    Error(usize),
}

/// Parts side by side.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    parts: Vec<Arc<Part>>,
    packing: Packing,
    /// `takers[rows[a]..rows[a + 1]]` are the parts that know action `a`.
    rows: Vec<u32>,
    takers: Vec<u32>,
    /// The actions that some part knows.
    known: Vec<u64>,
    /// Some part can end, and every action belongs to one that can.
    can_end: bool,
    priority: Option<Priority>,
}

/// What [`Product::expand`] works with, kept by the caller from state to state.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) locals: Vec<State>,
    pub(crate) enabled: Vec<u64>,
    choices: Vec<(u32, u32, u32)>,
}

impl Scratch {
    /// Begins with a state of a product: no part looked at yet.
    #[inline]
    pub(crate) fn reset(&mut self, product: &Product) {
        self.locals.clear();
        self.enabled.clear();
        self.enabled.extend_from_slice(&product.known);
    }
}

impl Product {
    /// The composition of parts whose actions are numbered from one table.
    pub(crate) fn new(parts: Vec<Arc<Part>>) -> Result<Product, Stop> {
        let packing = Packing::new(parts.iter().map(|part| part.lts.states()))?;
        let actions = parts
            .iter()
            .filter_map(|part| part.lts.alphabet().last())
            .map(|action| action.index() + 1)
            .max()
            .unwrap_or(1);
        let mut rows = vec![0u32; actions + 1];
        for part in &parts {
            for action in part.lts.alphabet() {
                rows[action.index() + 1] += 1;
            }
        }
        for action in 0..actions {
            rows[action + 1] += rows[action];
        }
        let mut next = rows.clone();
        let mut takers = vec![0; rows[actions] as usize];
        let mut known = vec![0u64; actions.div_ceil(64)];
        for (number, part) in parts.iter().enumerate() {
            for action in part.lts.alphabet() {
                let slot = &mut next[action.index()];
                takers[*slot as usize] = number as u32;
                *slot += 1;
                known[action.index() / 64] |= 1 << (action.index() % 64);
            }
        }
        let can_end = parts.iter().any(|part| part.lts.end().is_some())
            && rows.windows(2).all(|row| {
                let takers = &takers[row[0] as usize..row[1] as usize];
                takers.is_empty()
                    || takers
                        .iter()
                        .any(|&taker| parts[taker as usize].lts.end().is_some())
            });
        Ok(Product {
            parts,
            packing,
            rows,
            takers,
            known,
            can_end,
            priority: None,
        })
    }

    /// The same composition with steps that give way to others; [`expand`](Product::expand)
    /// leaves them out.
    pub(crate) fn prioritised(mut self, priority: Priority) -> Product {
        self.priority = Some(priority);
        self
    }

    /// The actions that some part knows, in order.
    pub(crate) fn alphabet(&self) -> impl Iterator<Item = Action> + '_ {
        (0..self.rows.len() - 1)
            .filter(|&action| self.rows[action] < self.rows[action + 1])
            .map(Action::from_index)
    }

    /// The parts that know an action.
    pub(crate) fn takers(&self, action: Action) -> &[u32] {
        let row = action.index();
        &self.takers[self.rows[row] as usize..self.rows[row + 1] as usize]
    }

    /// The actions that some part knows, as a set.
    pub(crate) fn known(&self) -> &[u64] {
        &self.known
    }

    /// Whether some steps give way to others.
    pub(crate) fn is_prioritised(&self) -> bool {
        self.priority.is_some()
    }

    /// The parts, in order.
    pub(crate) fn parts(&self) -> &[Arc<Part>] {
        &self.parts
    }

    /// One more than the largest number of an action.
    pub(crate) fn actions(&self) -> usize {
        self.rows.len() - 1
    }

    /// The word, the place in it and the mask of the field of a part.
    pub(crate) fn field(&self, part: usize) -> (u32, u32, u64) {
        self.packing.field(part)
    }

    /// How many words a state takes.
    pub(crate) fn words(&self) -> usize {
        self.packing.words()
    }

    /// The initial state, or the part that starts in its error state.
    pub(crate) fn initial<const W: usize>(&self) -> Target<W> {
        let mut word = Packing::empty();
        for (number, part) in self.parts.iter().enumerate() {
            match part.lts.initial() {
                ERROR => return Target::Error(number),
                state => self.packing.set(&mut word, number, state),
            }
        }
        Target::State(word)
    }

    /// The state in which the parts are in these states.
    pub(crate) fn packed<const W: usize>(&self, locals: &[State]) -> Word<W> {
        let mut word = Packing::empty();
        for (number, &state) in locals.iter().enumerate() {
            self.packing.set(&mut word, number, state);
        }
        word
    }

    /// Whether the parts can end well together at all: with every action goes a part that ends.
    pub(crate) fn can_end(&self) -> bool {
        self.can_end
    }

    /// Whether the parts have ended well together: all that can end have, and the others can do
    /// nothing without them (Magee and Kramer's LTSA has the same rule, so that a property that
    /// watches does not turn an end into a deadlock).
    pub(crate) fn has_ended<const W: usize>(&self, word: &Word<W>) -> bool {
        self.can_end
            && self.parts.iter().enumerate().all(|(number, part)| {
                let end = part.lts.end();
                end.is_none_or(|end| end == self.packing.get(word, number))
            })
    }

    /// The state of one part.
    pub(crate) fn local<const W: usize>(&self, word: &Word<W>, part: usize) -> State {
        self.packing.get(word, part)
    }

    /// Lets one part be in a state.
    #[inline]
    pub(crate) fn put<const W: usize>(&self, word: &mut Word<W>, part: usize, state: State) {
        self.packing.set(word, part, state);
    }

    /// The states of all parts.
    pub(crate) fn locals<const W: usize>(&self, word: &Word<W>) -> Vec<State> {
        (0..self.parts.len())
            .map(|part| self.local(word, part))
            .collect()
    }

    /// Visits the steps from a state, silent ones first, then by action. Stops when the
    /// visitor does.
    #[inline]
    pub(crate) fn expand<const W: usize, B>(
        &self,
        word: &Word<W>,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Action, Target<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.look(word, scratch);
        let silently = match &self.priority {
            None => true,
            Some(priority) => priority.apply(self, word, scratch),
        };
        for (number, part) in self.parts.iter().enumerate() {
            if silently && part.is_silent() {
                self.step_silently(word, number, &mut visit)?;
            }
        }
        for block in 0..scratch.enabled.len() {
            let mut bits = scratch.enabled[block];
            while bits != 0 {
                let action = block * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.step(word, action, scratch, &mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Finds the states of the parts and the actions that all parts that know them allow.
    #[inline]
    pub(crate) fn look<const W: usize>(&self, word: &Word<W>, scratch: &mut Scratch) {
        scratch.reset(self);
        for (number, part) in self.parts.iter().enumerate() {
            let local = self.packing.get(word, number);
            scratch.locals.push(local);
            part.restrict(local, &mut scratch.enabled);
        }
    }

    /// Whether some part can take a silent step.
    fn is_silent_at<const W: usize>(&self, word: &Word<W>) -> bool {
        self.parts.iter().enumerate().any(|(number, part)| {
            let local = self.packing.get(word, number);
            part.is_silent() && !part.lts.successors(local, Action::TAU).is_empty()
        })
    }

    /// Visits the silent steps of one part.
    #[inline]
    pub(crate) fn step_silently<const W: usize, B>(
        &self,
        word: &Word<W>,
        number: usize,
        visit: &mut impl FnMut(Action, Target<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let local = self.packing.get(word, number);
        for edge in self.parts[number].lts.successors(local, Action::TAU) {
            let target = match edge.target {
                ERROR => Target::Error(number),
                state => {
                    let mut next = *word;
                    self.packing.set(&mut next, number, state);
                    Target::State(next)
                }
            };
            visit(Action::TAU, target)?;
        }
        ControlFlow::Continue(())
    }

    /// Visits the steps with one action that every part that knows it allows.
    #[inline]
    pub(crate) fn step<const W: usize, B>(
        &self,
        word: &Word<W>,
        index: usize,
        scratch: &mut Scratch,
        visit: &mut impl FnMut(Action, Target<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let action = Action::from_index(index);
        let takers = &self.takers[self.rows[index] as usize..self.rows[index + 1] as usize];
        let mut next = *word;
        let mut error = None;
        scratch.choices.clear();
        for &taker in takers {
            let number = taker as usize;
            let edges = self.parts[number].targets(scratch.locals[number], action);
            if edges.len() > 1 {
                scratch.choices.push((taker, 0, edges.len() as u32));
            }
            match edges[0].target {
                ERROR => error = error.or(Some(number)),
                state => self.packing.set(&mut next, number, state),
            }
        }
        if scratch.choices.is_empty() {
            return visit(action, error.map_or(Target::State(next), Target::Error));
        }
        self.choose(word, action, takers, scratch, visit)
    }

    /// All combinations of the choices of the parts.
    #[cold]
    fn choose<const W: usize, B>(
        &self,
        word: &Word<W>,
        action: Action,
        takers: &[u32],
        scratch: &mut Scratch,
        visit: &mut impl FnMut(Action, Target<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        loop {
            let mut next = *word;
            let mut error = None;
            let mut choices = scratch.choices.iter();
            let mut choice = choices.next();
            for &taker in takers {
                let number = taker as usize;
                let mut picked = 0;
                if let Some(&(part, at, _)) = choice.filter(|&&(part, _, _)| part == taker) {
                    debug_assert_eq!(part, taker);
                    picked = at as usize;
                    choice = choices.next();
                }
                match self.parts[number].targets(scratch.locals[number], action)[picked].target {
                    ERROR => error = error.or(Some(number)),
                    state => self.packing.set(&mut next, number, state),
                }
            }
            visit(action, error.map_or(Target::State(next), Target::Error))?;
            // Count up, the last choice fastest.
            let mut wheel = scratch.choices.len();
            loop {
                if wheel == 0 {
                    return ControlFlow::Continue(());
                }
                wheel -= 1;
                let (_, at, count) = &mut scratch.choices[wheel];
                *at += 1;
                if *at < *count {
                    break;
                }
                *at = 0;
            }
        }
    }
}
