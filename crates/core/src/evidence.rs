//! What others can check.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Verdict;

/// Evidence for a verdict: a certificate or a trace, as plain data.
///
/// An engine writes its own serialisable type into `body`; the independent checker reads it
/// back by `kind`. The envelope is the same for all, so that `quotient certify` can tell what
/// it was given before it trusts any of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The version of this envelope: [`Evidence::FORMAT`].
    pub format: u32,
    /// What `body` is, e.g. `regular-invariant` or `regular-run`.
    pub kind: String,
    /// The verdict that the evidence is for.
    pub claim: Claim,
    /// The property it is about, where a problem has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The method that found it, for people; a checker ignores it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The evidence itself.
    pub body: serde_json::Value,
}

/// A definite verdict, as evidence states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The property holds.
    Holds,
    /// The property is violated.
    Violated,
}

impl Evidence {
    /// The version of the envelope that this build writes and reads.
    pub const FORMAT: u32 = 1;

    /// Evidence of the given kind that the property holds.
    pub fn of_holds(kind: &str, body: &impl Serialize) -> Evidence {
        Evidence::new(kind, Claim::Holds, body)
    }

    /// Evidence of the given kind that the property is violated.
    pub fn of_violated(kind: &str, body: &impl Serialize) -> Evidence {
        Evidence::new(kind, Claim::Violated, body)
    }

    fn new(kind: &str, claim: Claim, body: &impl Serialize) -> Evidence {
        // Bodies are plain data with string keys: turning them into a JSON value cannot fail,
        // and if one day it does, `certify` refuses the null.
        let body = serde_json::to_value(body).unwrap_or(serde_json::Value::Null);
        let kind = kind.to_owned();
        Evidence {
            format: Self::FORMAT,
            kind,
            claim,
            property: None,
            method: None,
            body,
        }
    }

    /// The same evidence, saying which property it is about.
    pub fn about(mut self, property: impl Into<String>) -> Evidence {
        self.property = Some(property.into());
        self
    }

    /// The same evidence, saying which method found it.
    pub fn found_by(mut self, method: impl Into<String>) -> Evidence {
        self.method = Some(method.into());
        self
    }

    /// The verdict that the evidence claims to show.
    pub fn verdict(&self) -> Verdict {
        match self.claim {
            Claim::Holds => Verdict::Holds,
            Claim::Violated => Verdict::Violated,
        }
    }

    /// The body as the type that its kind calls for.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_survives_json() {
        let evidence = Evidence::of_violated("run", &vec!["a", "b"])
            .about("mutex")
            .found_by("search");
        let text = serde_json::to_string(&evidence).unwrap();
        let back: Evidence = serde_json::from_str(&text).unwrap();
        assert_eq!(back, evidence);
        assert_eq!(back.read::<Vec<String>>().unwrap(), ["a", "b"]);
        assert_eq!(back.verdict(), Verdict::Violated);
    }

    #[test]
    fn unknown_fields_are_refused() {
        let text = r#"{"format":1,"kind":"run","claim":"holds","body":[],"extra":1}"#;
        assert!(serde_json::from_str::<Evidence>(text).is_err());
    }
}
