//! The steps of a composition, laid out for the search of a whole system.
//!
//! All that a step needs lies in three flat tables: which actions a local state does not
//! block, by how much a deterministic step changes the packed state, and which parts take an
//! action. A step is then an addition for each part that takes it. Steps that the tables do
//! not have (choices, errors) are left to [`Product`].

use std::ops::ControlFlow;

use crate::product::{Product, Scratch, Target, Word};
use crate::{Action, ERROR, State};

/// Entries of the table of steps; 8 bytes each. Larger parts are left to [`Product`].
const MOST_MOVES: usize = 1 << 23;

/// A change that no step makes: fields leave the highest bit of every word alone.
const ASK_PRODUCT: u64 = 1 << 63;

#[derive(Debug)]
pub(super) struct Stepper<'a> {
    product: &'a Product,
    parts: Vec<PartRow>,
    /// Sets of actions, `width` words for each local state of each part.
    unblocked: Vec<u64>,
    /// What to add to a word of the packed state, for each local state and action of a part.
    moves: Vec<u64>,
    /// `takers[rows[a]..rows[a + 1]]` take the action `a`.
    rows: Vec<u32>,
    takers: Vec<Taker>,
    /// Whether some part has silent steps.
    silent: bool,
}

#[derive(Debug, Clone, Copy)]
struct PartRow {
    word: u32,
    shift: u32,
    mask: u64,
    /// Where its sets begin, and which words of the set of all actions they are.
    unblocked: u32,
    low: u32,
    width: u32,
}

#[derive(Debug, Clone, Copy)]
struct Taker {
    part: u32,
    word: u32,
    /// Where its steps with this action begin: that of local state `s` is `s * stride` on.
    first: u32,
    stride: u32,
}

impl<'a> Stepper<'a> {
    /// Lays out a product; nothing if its tables would be too large.
    pub(super) fn new(product: &'a Product) -> Option<Stepper<'a>> {
        let entries = |part: &crate::product::Part| {
            part.lts
                .states()
                .saturating_mul(part.lts.alphabet().len().max(part.width()))
        };
        let total: usize = product.parts().iter().map(|part| entries(part)).sum();
        if total > MOST_MOVES {
            return None;
        }
        let mut stepper = Stepper {
            product,
            parts: Vec::new(),
            unblocked: Vec::new(),
            moves: Vec::new(),
            rows: vec![0; product.actions() + 1],
            takers: Vec::new(),
            silent: product.parts().iter().any(|part| part.is_silent()),
        };
        let mut takers: Vec<Vec<Taker>> = vec![Vec::new(); product.actions()];
        for (number, part) in product.parts().iter().enumerate() {
            let (word, shift, mask) = product.field(number);
            stepper.parts.push(PartRow {
                word,
                shift,
                mask,
                unblocked: stepper.unblocked.len() as u32,
                low: part.low() as u32,
                width: part.width() as u32,
            });
            stepper.unblocked.extend_from_slice(part.unblocked());
            let alphabet = part.lts.alphabet();
            for (rank, action) in alphabet.iter().enumerate() {
                takers[action.index()].push(Taker {
                    part: number as u32,
                    word,
                    first: (stepper.moves.len() + rank) as u32,
                    stride: alphabet.len() as u32,
                });
            }
            for local in 0..part.lts.states() as State {
                for &action in alphabet {
                    stepper
                        .moves
                        .push(match part.lts.successors(local, action) {
                            [edge] if edge.target != ERROR => {
                                let change = u64::from(edge.target).wrapping_sub(u64::from(local));
                                change << shift
                            }
                            _ => ASK_PRODUCT,
                        });
                }
            }
        }
        for (action, takers) in takers.into_iter().enumerate() {
            stepper.takers.extend(takers);
            stepper.rows[action + 1] = stepper.takers.len() as u32;
        }
        Some(stepper)
    }

    /// Visits the steps from a state, as [`Product::expand`] does.
    #[inline]
    pub(super) fn expand<const W: usize, B>(
        &self,
        word: &Word<W>,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Action, Target<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.silent {
            return self.product.expand(word, scratch, visit);
        }
        scratch.reset(self.product);
        for part in &self.parts {
            let local = word[part.word as usize] >> part.shift & part.mask;
            scratch.locals.push(local as State);
            let from = part.unblocked as usize + local as usize * part.width as usize;
            let own = &self.unblocked[from..from + part.width as usize];
            let enabled = &mut scratch.enabled[part.low as usize..];
            for (slot, own) in enabled.iter_mut().zip(own) {
                *slot &= own;
            }
        }
        for block in 0..scratch.enabled.len() {
            let mut bits = scratch.enabled[block];
            while bits != 0 {
                let action = block * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let mut next = *word;
                let mut is_known = true;
                let row = self.rows[action] as usize..self.rows[action + 1] as usize;
                for taker in &self.takers[row] {
                    let local = scratch.locals[taker.part as usize] as usize;
                    let change = self.moves[taker.first as usize + local * taker.stride as usize];
                    is_known &= change != ASK_PRODUCT;
                    let slot = &mut next[taker.word as usize];
                    *slot = slot.wrapping_add(change);
                }
                match is_known {
                    true => visit(Action::from_index(action), Target::State(next))?,
                    false => self.product.step(word, action, scratch, &mut visit)?,
                }
            }
        }
        ControlFlow::Continue(())
    }
}
