//! The steps of a composition, laid out for the search of a whole system.
//!
//! All that a step needs lies in flat tables: which actions are possible, by how much an action
//! changes the packed state whatever the parts do else, and by how much where that depends on
//! where a part is. A step is then a few additions. Parts that are too large for such tables are
//! asked where they are met, by what is stored of them. Steps that neither has (choices, errors) are
//! left to [`Product`].

use std::ops::ControlFlow;

use super::diamonds::Diamonds;
use super::rows::Rows;
use crate::product::{Part, Product, Scratch, Target, Word};
use crate::{Action, ERROR, State};

/// Entries of the tables; 8 bytes each. Where there are more, the largest parts have none.
pub(super) const MOST_ENTRIES: usize = 1 << 23;

/// A change that no step makes: fields leave the highest bit of every word alone.
const ASK_PRODUCT: u64 = 1 << 63;

#[derive(Debug)]
pub(super) struct Stepper<'a, const W: usize> {
    product: &'a Product,
    rows: Rows,
    diamonds: Diamonds,
    events: Vec<Event<W>>,
    takers: Vec<Taker>,
    /// The parts without tables, by the events that they take.
    asked: Vec<u32>,
    /// What to add to a word of the packed state, for each local state of a taker.
    moves: Vec<u64>,
    /// The parts with silent steps.
    silent: Vec<usize>,
}

/// One action.
#[derive(Debug, Clone, Copy)]
struct Event<const W: usize> {
    /// What to add for the parts that can take it in one way only.
    change: Word<W>,
    /// The others are `takers[from..until]`,
    from: u32,
    until: u32,
    /// and of those without tables `asked[ask_from..ask_until]`.
    ask_from: u32,
    ask_until: u32,
}

/// A part whose steps with an action depend on its state.
#[derive(Debug, Clone, Copy)]
struct Taker {
    word: u32,
    shift: u32,
    mask: u64,
    /// Where its steps with this action begin, one for each local state.
    first: u32,
}

/// By how much an action changes the field of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    One(u64),
    Many,
}

/// What a stepper works with, kept by the caller from state to state.
#[derive(Debug, Default)]
pub(super) struct Desk {
    enabled: Vec<u64>,
    scratch: Scratch,
}

impl<'a, const W: usize> Stepper<'a, W> {
    /// Lays out a product with so many entries in tables at most; nothing if some steps give way to others.
    pub(super) fn new(product: &'a Product, most: usize) -> Option<Self> {
        if product.is_prioritised() {
            return None;
        }
        let is_large = large(product, most);
        let numbers = 0..product.parts().len();
        let nothing = Event {
            change: [0; W],
            from: 0,
            until: 0,
            ask_from: 0,
            ask_until: 0,
        };
        let mut stepper = Stepper {
            product,
            rows: Rows::new(product, &is_large),
            diamonds: Diamonds::new(product),
            events: vec![nothing; product.actions()],
            takers: Vec::new(),
            asked: Vec::new(),
            moves: Vec::new(),
            silent: numbers
                .filter(|&number| product.parts()[number].is_silent())
                .collect(),
        };
        let mut takers = vec![Vec::new(); product.actions()];
        let mut asked = vec![Vec::new(); product.actions()];
        for (number, part) in product.parts().iter().enumerate() {
            if !is_large[number] {
                stepper.lay_out(number, &mut takers);
                continue;
            }
            for action in part.lts.alphabet() {
                asked[action.index()].push(number as u32);
            }
        }
        for (event, (takers, asked)) in stepper.events.iter_mut().zip(takers.into_iter().zip(asked))
        {
            event.from = stepper.takers.len() as u32;
            stepper.takers.extend(takers);
            event.until = stepper.takers.len() as u32;
            event.ask_from = stepper.asked.len() as u32;
            stepper.asked.extend(asked);
            event.ask_until = stepper.asked.len() as u32;
        }
        Some(stepper)
    }

    /// Adds what a part does, with each of its actions.
    fn lay_out(&mut self, number: usize, takers: &mut [Vec<Taker>]) {
        let lts = &self.product.parts()[number].lts;
        let (word, shift, mask) = self.product.field(number);
        let slot = word as usize;
        // Every step: from where, the place of its action in the alphabet, and the change.
        let steps = || {
            lts.all_states().flat_map(move |state| {
                let edges = lts
                    .edges(state)
                    .chunk_by(|one, next| one.action == next.action);
                let visible = edges.filter(|edges| !edges[0].action.is_tau());
                visible.filter_map(move |edges| {
                    let rank = lts.alphabet().binary_search(&edges[0].action).ok()?;
                    let change = match edges {
                        [edge] if edge.target != ERROR => {
                            let number = |state: State| state.index() as u64;
                            number(edge.target).wrapping_sub(number(state)) << shift
                        }
                        _ => ASK_PRODUCT,
                    };
                    Some((state, rank, change))
                })
            })
        };
        let mut changes = vec![Change::None; lts.alphabet().len()];
        for (_, rank, change) in steps() {
            changes[rank] = match changes[rank] {
                Change::None if change != ASK_PRODUCT => Change::One(change),
                Change::One(same) if change == same => Change::One(same),
                _ => Change::Many,
            };
        }
        let mut first = vec![0; changes.len()];
        for (rank, action) in lts
            .alphabet()
            .iter()
            .map(|action| action.index())
            .enumerate()
        {
            match changes[rank] {
                Change::None => {}
                Change::One(change) => {
                    let all = &mut self.events[action].change[slot];
                    *all = all.wrapping_add(change);
                }
                Change::Many => {
                    first[rank] = self.moves.len();
                    takers[action].push(Taker {
                        word,
                        shift,
                        mask,
                        first: first[rank] as u32,
                    });
                    self.moves.resize(first[rank] + lts.states(), ASK_PRODUCT);
                }
            }
        }
        for (state, rank, change) in steps() {
            if changes[rank] == Change::Many {
                self.moves[first[rank] + state.index()] = change;
            }
        }
    }

    /// Visits the steps from a state as [`Product::expand`] does, but for those that need not
    /// be taken since the state was first met by this action. Gives the number of all.
    #[inline]
    pub(super) fn expand(
        &self,
        word: &Word<W>,
        by: Action,
        desk: &mut Desk,
        mut visit: impl FnMut(Action, Target<W>),
    ) -> u64 {
        let mut steps = 0;
        for &number in &self.silent {
            let _ = self
                .product
                .step_silently(word, number, &mut |action, target| {
                    steps += 1;
                    visit(action, target);
                    ControlFlow::<()>::Continue(())
                });
        }
        self.rows.look(self.product, word, &mut desk.enabled);
        let spared = self.diamonds.spared(by);
        for (block, (&enabled, &spared)) in desk.enabled.iter().zip(spared).enumerate() {
            steps += u64::from(enabled.count_ones());
            let mut bits = enabled & !spared;
            while bits != 0 {
                let action = block * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                match self.step(word, action) {
                    Some(next) => visit(Action::from_index(action), Target::State(next)),
                    None => {
                        steps -= 1;
                        self.ask(word, action, &mut desk.scratch, &mut |action, target| {
                            steps += 1;
                            visit(action, target);
                        });
                    }
                }
            }
        }
        steps
    }

    /// The state after an action that all its takers allow, unless the product has to be asked.
    #[inline]
    fn step(&self, word: &Word<W>, action: usize) -> Option<Word<W>> {
        let event = &self.events[action];
        let mut next = *word;
        for (slot, change) in next.iter_mut().zip(&event.change) {
            *slot = slot.wrapping_add(*change);
        }
        for taker in &self.takers[event.from as usize..event.until as usize] {
            let local = (word[taker.word as usize] >> taker.shift & taker.mask) as usize;
            let change = self.moves[taker.first as usize + local];
            if change == ASK_PRODUCT {
                return None;
            }
            let slot = &mut next[taker.word as usize];
            *slot = slot.wrapping_add(change);
        }
        for &part in &self.asked[event.ask_from as usize..event.ask_until as usize] {
            let number = part as usize;
            let local = self.product.local(word, number);
            let part = &self.product.parts()[number];
            let [edge] = part.targets(local, Action::from_index(action)) else {
                return None;
            };
            if edge.target == ERROR {
                return None;
            }
            self.product.put(&mut next, number, edge.target);
        }
        Some(next)
    }

    #[cold]
    fn ask(
        &self,
        word: &Word<W>,
        action: usize,
        scratch: &mut Scratch,
        visit: &mut impl FnMut(Action, Target<W>),
    ) {
        self.product.look(word, scratch);
        let _ = self
            .product
            .step(word, action, scratch, &mut |action, target| {
                visit(action, target);
                ControlFlow::<()>::Continue(())
            });
    }
}

/// Which parts have no tables, so that those of the others have so many entries at most: the largest.
fn large(product: &Product, most: usize) -> Vec<bool> {
    let entries = |part: &Part| {
        let varying = part.lts.alphabet().len();
        part.lts.states().saturating_mul(varying.max(part.width()))
    };
    let mut sizes: Vec<(usize, usize)> = (product.parts().iter())
        .map(|part| entries(part))
        .zip(0..)
        .collect();
    sizes.sort_unstable();
    let mut is_large = vec![false; sizes.len()];
    let mut total = 0usize;
    for (entries, number) in sizes {
        total = total.saturating_add(entries);
        is_large[number] = total > most;
    }
    is_large
}
