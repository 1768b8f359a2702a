//! Changes of what evidence says that it is.

use quotient_core::{Claim, Evidence};
use serde_json::Value;

use crate::random::Random;

/// Names that mean something somewhere.
const NAMES: [&str; 6] = ["", "error", "no deadlock", "progress", "tau", "P, Q"];

/// Changes the envelope; says how.
pub(crate) fn changed(evidence: &mut Evidence, donors: &[Evidence], random: &mut Random) -> String {
    match random.below(9) {
        0 | 1 => {
            evidence.claim = match evidence.claim {
                Claim::Holds => Claim::Violated,
                Claim::Violated => Claim::Holds,
            };
            format!("the claim became `{}`", evidence.verdict())
        }
        2 => {
            let others: Vec<&String> = donors
                .iter()
                .filter_map(|one| one.property.as_ref())
                .collect();
            let own = evidence.property.clone().unwrap_or_default();
            let name = match (random.pick(&others), random.below(4)) {
                (Some(other), 0) => (*other).clone(),
                (Some(other), 1) => format!("{own}, {other}"),
                (_, 2) => format!(
                    "{own}{}",
                    random.pick(&[" ", ", ", "\u{200b}", "1"]).unwrap_or(&" ")
                ),
                _ => random.pick(&NAMES).map_or(own, |name| (*name).to_owned()),
            };
            evidence.property = Some(name.clone());
            format!("the property became `{name}`")
        }
        3 => {
            evidence.property = None;
            "the property was left out".to_owned()
        }
        4 => changed_question(evidence, donors, random),
        5 => {
            evidence.text = match random.pick(donors) {
                Some(donor) if random.one_in(2) => donor.text.clone(),
                _ => format!("{} ", evidence.text),
            };
            "the text of the property became another one".to_owned()
        }
        6 | 7 => {
            let Some(donor) = random.pick(donors) else {
                evidence.kind.push('s');
                return "the kind became an unknown one".to_owned();
            };
            evidence.kind.clone_from(&donor.kind);
            evidence.claim = donor.claim;
            format!("the kind became `{}`", donor.kind)
        }
        _ => {
            evidence.format = evidence.format.wrapping_sub(1);
            "the format became an older one".to_owned()
        }
    }
}

/// Changes the settings or the constants: the question for another model of the same file.
fn changed_question(evidence: &mut Evidence, donors: &[Evidence], random: &mut Random) -> String {
    let other = |value: &str| match value.parse::<i64>() {
        Ok(number) => number.wrapping_add(1).to_string(),
        Err(_) => format!("{value}1"),
    };
    match random.below(4) {
        0 => {
            if let Some(value) = evidence.constants.values_mut().next() {
                *value = other(value);
            }
            "a constant became another one".to_owned()
        }
        1 => {
            evidence.constants.clear();
            evidence.settings.clear();
            "constants and settings were left out".to_owned()
        }
        2 => {
            if let Some(value) = evidence.settings.values_mut().flatten().next() {
                *value = other(value);
            }
            "a setting became another one".to_owned()
        }
        _ => {
            if let Some(donor) = random.pick(donors) {
                evidence.settings.clone_from(&donor.settings);
                evidence.constants.clone_from(&donor.constants);
                evidence.language.clone_from(&donor.language);
            }
            "language, settings and constants were taken from elsewhere".to_owned()
        }
    }
}

/// Takes kind, claim and body of another piece of evidence, but keeps the property and what
/// the bodies call the same: some of it or all that is not an array of steps.
pub(crate) fn grafted(evidence: &mut Evidence, donor: &Evidence, random: &mut Random) -> String {
    let own = std::mem::replace(&mut evidence.body, donor.body.clone());
    evidence.kind.clone_from(&donor.kind);
    evidence.claim = donor.claim;
    if random.one_in(3) {
        evidence.property.clone_from(&donor.property);
    }
    let mut kept = Vec::new();
    if let (Value::Object(own), Value::Object(body)) = (own, &mut evidence.body) {
        for (name, value) in own {
            // What the model is made of is nearly always kept: else it is refused at once.
            let stays = value.is_object() && !random.one_in(8) || random.one_in(3);
            if let Some(slot) = body.get_mut(&name).filter(|_| stays) {
                *slot = value;
                kept.push(name);
            }
        }
    }
    let about = donor.property.as_deref().unwrap_or_default();
    format!(
        "taken from evidence of `{}` about `{about}`, but for {kept:?}",
        donor.kind
    )
}
