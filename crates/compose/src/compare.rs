//! Two systems beside each other: the same, or what tells them apart.
//!
//! Bisimulations are found on both systems in one graph; where the systems begin in different
//! blocks, a formula of Hennessy and Milner's logic that tells them apart is read off the rounds
//! in which the blocks parted (Cleaveland 1990; for branching bisimulation with the until of De
//! Nicola and Vaandrager 1995). The relations on traces are found by a search of pairs, a state
//! of the one and all states of the other after the same trace, of which only the smallest sets
//! are followed (De Wulf, Doyen, Henzinger and Raskin 2006).

mod allowed;
mod apart;
mod text;
mod union;

use quotient_core::{Budget, Stop};
use quotient_lts::evidence::{DifferentData, SameData, WitnessData};
use quotient_lts::{Actions, Relation};

use crate::Lts;
use crate::operations::{branching_blocks, strong_blocks, weak_blocks};

pub use text::modal_text;
pub(crate) use union::Union;

/// One of two systems.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// What it does.
    pub lts: &'a Lts,
    /// The names of its actions.
    pub actions: &'a Actions,
}

/// What came out of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// They are the same, or the first refines the second.
    Same(SameData),
    /// It is not so.
    Different(DifferentData),
}

/// Compares two systems; with `refines`, which has no meaning for bisimulations, only whether
/// the first does nothing that the second does not.
///
/// ```
/// use quotient_compose::{Actions, Compared, Comparison, LtsBuilder, Relation, compare};
/// use quotient_core::Budget;
/// let mut actions = Actions::new();
/// let tick = actions.intern("tick");
/// let (mut clock, mut other) = (LtsBuilder::new(), LtsBuilder::new());
/// clock.edge(0, tick, 0);
/// other.edge(0, tick, 1).edge(1, tick, 0);
/// let (clock, other) = (clock.build(), other.build());
/// let sides = [&clock, &other].map(|lts| Compared { lts, actions: &actions });
/// let found = compare(sides, Relation::Strong, false, &Budget::unlimited()).unwrap();
/// assert!(matches!(found, Comparison::Same(_)));
/// ```
pub fn compare(
    sides: [Compared<'_>; 2],
    relation: Relation,
    refines: bool,
    budget: &Budget,
) -> Result<Comparison, Stop> {
    let union = Union::of(sides, budget)?;
    let different = |witness: WitnessData| {
        Comparison::Different(DifferentData {
            relation,
            refines,
            witness,
        })
    };
    let mut same = SameData {
        relation,
        refines,
        blocks: Vec::new(),
        allowed: Vec::new(),
    };
    if relation.is_bisimulation() {
        let mut blocks = match relation {
            Relation::Strong => strong_blocks(&union.lts, budget)?,
            Relation::Weak => weak_blocks(&union.lts, budget)?,
            _ => branching_blocks(&union.lts, budget)?,
        };
        let [first, second] = union.initial;
        if blocks[first.index()] != blocks[second.index()] {
            let parts = apart::formula(&union, relation, &blocks, budget)?;
            return Ok(different(WitnessData::Formula { parts }));
        }
        let second = blocks.split_off(union.offset);
        same.blocks = vec![blocks, second];
        return Ok(Comparison::Same(same));
    }
    let directions: &[bool] = if refines { &[false] } else { &[false, true] };
    for &second in directions {
        match allowed::search(&union, relation, second, budget)? {
            Ok(pairs) => same.allowed.push(pairs),
            Err(witness) => return Ok(different(witness)),
        }
    }
    Ok(Comparison::Same(same))
}
