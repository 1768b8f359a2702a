//! Priorities among the actions of a composition.

use super::{Product, Scratch, Word};
use crate::Action;

/// Actions that go before all others, or after them.
#[derive(Debug, Clone)]
pub(crate) struct Priority {
    /// A bit for each listed action.
    listed: Vec<u64>,
    high: bool,
}

impl Priority {
    /// With `high`, a state that allows one of the actions allows nothing else, silent steps
    /// neither; otherwise it allows these only where it allows nothing else.
    pub(crate) fn new(actions: impl IntoIterator<Item = Action>, high: bool) -> Priority {
        let mut listed = Vec::new();
        for action in actions {
            let block = action.index() / 64;
            listed.resize(listed.len().max(block + 1), 0);
            listed[block] |= 1 << (action.index() % 64);
        }
        Priority { listed, high }
    }

    /// Whether the listed actions go before the others.
    pub(crate) fn is_high(&self) -> bool {
        self.high
    }

    /// Whether an action is listed.
    pub(crate) fn lists(&self, action: Action) -> bool {
        let block = self.listed.get(action.index() / 64);
        block.is_some_and(|bits| bits >> (action.index() % 64) & 1 == 1)
    }

    /// Takes the actions that give way out of the enabled ones, and says whether silent steps
    /// may be taken.
    pub(super) fn apply<const W: usize>(
        &self,
        product: &Product,
        word: &Word<W>,
        scratch: &mut Scratch,
    ) -> bool {
        let winning = |block: usize| {
            let listed = self.listed.get(block).copied().unwrap_or(0);
            if self.high { listed } else { !listed }
        };
        let silent = !self.high && product.is_silent_at(word);
        let mut blocks = scratch.enabled.iter().enumerate();
        if !silent && blocks.all(|(block, enabled)| enabled & winning(block) == 0) {
            return true;
        }
        for (block, enabled) in scratch.enabled.iter_mut().enumerate() {
            *enabled &= winning(block);
        }
        !self.high
    }
}
