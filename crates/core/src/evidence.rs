//! What others can check.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Verdict;

/// Evidence for a verdict: a certificate or a trace, as plain data.
///
/// An engine writes its own serialisable type into `body`; the independent checker reads it
/// back by `kind`. The envelope is the same for all, so that `quotient certify` can tell what
/// it was given before it trusts any of it, and compare the question with the file it is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The version of this envelope: [`Evidence::FORMAT`].
    pub format: u32,
    /// The language of the model that it is about, by id.
    pub language: String,
    /// What `body` is, e.g. `regular-invariant` or `regular-run`.
    pub kind: String,
    /// The verdict that the evidence is for.
    pub claim: Claim,
    /// The name of the property it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The property as the model writes it: another property of the same name is another one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The settings that make the question what it is (constants, the chosen system, fairness),
    /// as the language declares them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Vec<String>>,
    /// The constants of the model with the values in force, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub constants: BTreeMap<String, String>,
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
    pub const FORMAT: u32 = 2;

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
            language: String::new(),
            kind,
            claim,
            property: None,
            text: String::new(),
            settings: BTreeMap::new(),
            constants: BTreeMap::new(),
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
        let text =
            r#"{"format":2,"language":"x","kind":"run","claim":"holds","body":[],"extra":1}"#;
        assert!(serde_json::from_str::<Evidence>(text).is_err());
    }
}
