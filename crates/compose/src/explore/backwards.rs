//! The way to a state, found afterwards.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use super::set::Levels;
use crate::Action;
use crate::product::{Product, Scratch, Target, Word};

/// The actions of a shortest way to a state: for each level, from the last to the first, the
/// least state with a step to the one already chosen, and the least action for it.
pub(super) fn trace<const W: usize>(
    product: &Product,
    levels: &[Levels<W>],
    last: Word<W>,
    budget: &Budget,
) -> Result<Vec<Action>, Stop> {
    let mut scratch = Scratch::default();
    let mut target = last;
    let mut trace = Vec::new();
    let depth = (0..)
        .take_while(|&level| levels.iter().any(|levels| !levels.level(level).is_empty()))
        .find(|&level| {
            levels
                .iter()
                .any(|levels| levels.level(level).contains(&last))
        })
        .unwrap_or(0);
    for level in (0..depth).rev() {
        let mut best: Option<(Word<W>, Action)> = None;
        for levels in levels {
            for states in levels.level(level).chunks(1 << 12) {
                budget.charge(states.len() as u64)?;
                for &state in states {
                    if best.is_some_and(|(best, _)| best < state) {
                        continue;
                    }
                    let found = product.expand(&state, &mut scratch, |action, next| {
                        match next == Target::State(target) {
                            true => ControlFlow::Break(action),
                            false => ControlFlow::Continue(()),
                        }
                    });
                    if let ControlFlow::Break(action) = found {
                        best = Some((state, action));
                    }
                }
            }
        }
        // Every state of a level but the first has a predecessor in the level before.
        let Some((state, action)) = best else {
            return Err(Stop::inconclusive("a state without a predecessor"));
        };
        target = state;
        trace.push(action);
    }
    trace.reverse();
    Ok(trace)
}
