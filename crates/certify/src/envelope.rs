//! What all evidence has in common.

use quotient_core::{Budget, Evidence};
use serde_json::Value;

use crate::Rejection;

/// Deeper than any evidence that is written: formulas are not in it.
const MOST_NESTED: usize = 64;

/// Refuses envelopes that this checker does not know, and bodies that are nested too deeply.
/// All parts of the body are counted against the budget before any of them is read.
///
/// The language, the property as written and the settings are compared with the file by
/// whoever opens it: only they know what was asked.
///
/// ```
/// use quotient_certify::check_envelope;
/// use quotient_core::{Budget, Evidence};
/// let mut evidence = Evidence::of_holds("regular-invariant", &["anything"]);
/// assert!(check_envelope(&evidence, &Budget::unlimited()).is_ok());
/// evidence.format += 1;
/// assert!(check_envelope(&evidence, &Budget::unlimited()).is_err());
/// ```
pub fn check_envelope(evidence: &Evidence, budget: &Budget) -> Result<(), Rejection> {
    if evidence.format != Evidence::FORMAT {
        return Err(Rejection::unreadable(format!(
            "this checker reads version {} of evidence files, this is version {}",
            Evidence::FORMAT,
            evidence.format
        )));
    }
    let mut waiting: Vec<(&Value, usize)> = vec![(&evidence.body, 0)];
    while let Some((value, depth)) = waiting.pop() {
        if depth > MOST_NESTED {
            return Err(Rejection::unreadable("the evidence is nested too deeply"));
        }
        let before = waiting.len();
        match value {
            Value::Array(all) => waiting.extend(all.iter().map(|inner| (inner, depth + 1))),
            Value::Object(all) => waiting.extend(all.values().map(|inner| (inner, depth + 1))),
            _ => {}
        }
        budget.charge((waiting.len() - before) as u64 + 1)?;
    }
    Ok(())
}
