//! JSON in which no name is given two values.
//!
//! What a text says must be what is in force. Readers of JSON differ in which of two values of one name
//! counts, so that a person, or another tool, may see another one than we do: such texts are refused.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Any JSON of which in no object a name is there twice; nothing of it is kept.
pub(crate) struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unique, D::Error> {
        deserializer.deserialize_any(Unique)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Unique;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unique, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unique, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unique, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unique, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unique, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Unique, A::Error> {
        while elements.next_element::<Unique>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Unique, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = entries.next_key::<String>()? {
            if !names.insert(name) {
                return Err(Error::custom("a name is given two values"));
            }
            entries.next_value::<Unique>()?;
        }
        Ok(self)
    }
}
