//! What the labels of two automata share.

use rustc_hash::FxHashMap;

use super::product::Product;
use crate::{Nfa, Predicate};

/// The intersections of the labels of two automata, computed when first needed.
pub(super) struct Meets<'a> {
    left: &'a [Option<Predicate>],
    right: &'a [Option<Predicate>],
    known: Known,
    /// How often a pair was asked for, and how often what it shares was computed.
    asked: usize,
    computed: usize,
    /// What that costs, in letters that are gone through meanwhile.
    new: usize,
}

/// What is known of each two labels.
enum Known {
    /// A row for each label of the left one: [`Meets::UNKNOWN`], [`Meets::NOTHING`], or one more
    /// than the number in the product.
    Table(Vec<u32>),
    /// Where a table would be too large.
    Map(FxHashMap<(u32, u32), u32>),
}

/// Up to how many pairs of labels there is a table of them all.
const SMALL_TABLE: usize = 1 << 14;

/// Up to how many pairs of labels most of them are soon known.
const FEW: usize = 1 << 10;

/// What computing the letters that two labels share costs, beside going through so many letters:
/// more where sets of letters have memory of their own, as what two of them share mostly has too.
const NEW: usize = 12;
const NEW_IN_MEMORY: usize = 40;

/// The same for looking one up, if there is no table.
const IN_MAP: usize = 6;

impl<'a> Meets<'a> {
    const UNKNOWN: u32 = 0;
    const NOTHING: u32 = u32::MAX;

    pub(super) fn new(left: &'a Nfa, right: &'a Nfa) -> Meets<'a> {
        let size = left.labels().len().saturating_mul(right.labels().len());
        let known = match size <= SMALL_TABLE {
            true => Known::Table(vec![Meets::UNKNOWN; size]),
            false => Known::Map(FxHashMap::default()),
        };
        let (left, right) = (left.labels(), right.labels());
        let in_memory = has_memory(left) && has_memory(right);
        Meets {
            left,
            right,
            known,
            asked: 0,
            computed: usize::from(size > FEW),
            new: match in_memory {
                true => NEW_IN_MEMORY,
                false => NEW,
            },
        }
    }

    /// What a pair of labels costs, in letters that are gone through meanwhile.
    pub(super) fn pair_cost(&self) -> usize {
        match &self.known {
            _ if 4 * self.computed > self.asked => self.new,
            Known::Table(_) => 1,
            Known::Map(_) => IN_MAP,
        }
    }

    /// The number in the product of what two labels share; nothing if that is no letter.
    #[inline]
    pub(super) fn label(
        &mut self,
        left: u32,
        right: u32,
        product: &mut Product<'_>,
    ) -> Option<u32> {
        self.asked += 1;
        let known = match &mut self.known {
            Known::Table(table) => &mut table[left as usize * self.right.len() + right as usize],
            Known::Map(map) => map.entry((left, right)).or_insert(Meets::UNKNOWN),
        };
        if *known == Meets::UNKNOWN {
            self.computed += 1;
            let labels = (&self.left[left as usize], &self.right[right as usize]);
            *known = match labels {
                // Labels are counted from one here.
                (Some(left), Some(right)) if left.intersects(right) => {
                    product.label(left.and(right)) + 1
                }
                _ => Meets::NOTHING,
            };
        }
        (*known != Meets::NOTHING).then(|| *known - 1)
    }
}

/// Whether labels have memory of their own, as it seems from a few of them.
fn has_memory(labels: &[Option<Predicate>]) -> bool {
    let mut some = labels.iter().flatten().take(4);
    some.any(Predicate::has_memory)
}
