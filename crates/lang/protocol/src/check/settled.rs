//! What becomes less, for protocols whose processes are counted.

use quotient_core::Budget;

use super::ranking;
use crate::Protocol;
use crate::progress::Ranks;

/// Weights from which it follows, by counting, that what must happen does; nothing if none are found.
pub(crate) fn settling(protocol: &Protocol, property: &str, budget: &Budget) -> Option<Ranks> {
    let settled = protocol.settled(property, budget).ok()??;
    let variants: Vec<_> = settled.cases.variants.iter().collect();
    let ranks = ranking::ranks(&variants, &settled.cases.names, budget).ok()?;
    matches!(settled.is_shown_by(&ranks, budget), Ok(true)).then_some(ranks)
}
