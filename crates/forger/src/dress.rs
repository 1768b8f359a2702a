//! The same evidence, written differently.

use quotient_core::Evidence;
use serde_json::{Map, Value};

/// Genuine evidence in other dresses: fields of objects in another order, printed with and
/// without spaces and read again. A checker has to accept all of them.
///
/// ```
/// use quotient_core::Evidence;
/// let evidence = Evidence::of_holds("k", &[("a", 1), ("b", 2)]);
/// assert!(quotient_forger::dressed(&evidence).iter().all(|other| *other == evidence));
/// ```
pub fn dressed(evidence: &Evidence) -> Vec<Evidence> {
    let mut turned = evidence.clone();
    turned.body = reversed(&evidence.body);
    let mut dresses = vec![turned.clone()];
    // The evidence can be written, since it is plain data; a dress that cannot be read again is
    // none.
    let pretty = serde_json::to_string_pretty(&turned).map(|text| text.replace("\n", "\r\n\t"));
    let plain = serde_json::to_string(&turned);
    let whole = serde_json::to_value(evidence).map(|whole| reversed(&whole).to_string());
    for text in [pretty, plain, whole].into_iter().flatten() {
        dresses.extend(serde_json::from_str::<Evidence>(&text));
    }
    dresses
}

/// The fields of all objects in the other order.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(all) => all.iter().map(reversed).collect(),
        Value::Object(all) => {
            let fields = all.iter().rev();
            let fields = fields.map(|(name, value)| (name.clone(), reversed(value)));
            Value::Object(fields.collect::<Map<String, Value>>())
        }
        other => other.clone(),
    }
}
