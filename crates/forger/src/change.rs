//! Changes of the body of evidence, of whatever shape it is.

use quotient_core::Evidence;
use serde_json::{Map, Value, json};

use crate::random::Random;

/// Names that mean something somewhere, and ones that look like others.
const NAMES: [&str; 6] = ["", "error", "no deadlock", "tau", "STOP", "\u{202e}P"];

/// Numbers at the edges of what types can hold.
const WIDE: [u64; 8] = [
    0,
    1,
    1 << 26,
    i32::MAX as u64,
    u32::MAX as u64,
    1 << 32,
    (1 << 53) + 1,
    u64::MAX,
];

/// The way to a part of a value: the number of the child at each level.
type Place = Vec<usize>;

/// Changes a part of the body; says which and how.
pub(crate) fn changed(body: &mut Value, donors: &[Evidence], random: &mut Random) -> String {
    let places = places(body);
    let Some(place) = random.pick(&places).cloned() else {
        return String::new();
    };
    let name = written(body, &place);
    let strings = strings(body);
    let other = random.pick(&places).cloned().unwrap_or_default();
    let other_value = at(body, &other).clone();
    let donated = random
        .pick(donors)
        .and_then(|donor| find(&donor.body, &place))
        .cloned();
    let part = at_mut(body, &place);
    let how = match random.below(12) {
        0 => match donated {
            Some(value) => {
                *part = value;
                "taken from elsewhere".to_owned()
            }
            None => alone(part, &strings, random),
        },
        1 if same_type(part, &other_value) => {
            let own = std::mem::replace(part, other_value);
            // One inside the other cannot change places; then it is only copied.
            let is_apart = !other.starts_with(&place) && !place.starts_with(&other);
            if is_apart && random.one_in(2) {
                *at_mut(body, &other) = own;
                format!("exchanged with {}", written(body, &other))
            } else {
                format!("copied from {}", written(body, &other))
            }
        }
        _ => alone(part, &strings, random),
    };
    format!("{name} {how}")
}

/// A change that needs nothing else.
fn alone(part: &mut Value, strings: &[String], random: &mut Random) -> String {
    match part {
        Value::Null => {
            *part = json!(random.below(3));
            "came to be".to_owned()
        }
        Value::Bool(value) => {
            *value = !*value;
            "turned".to_owned()
        }
        Value::Number(number) => {
            let was = number.as_u64().unwrap_or(0);
            *part = number_instead_of(was, random);
            format!("{was} became {part}")
        }
        Value::String(text) => {
            let was = text.clone();
            *text = match random.below(4) {
                0 => random
                    .pick(&NAMES)
                    .map_or(String::new(), |name| (*name).to_owned()),
                1 => format!("{was} "),
                _ => random.pick(strings).cloned().unwrap_or_default(),
            };
            format!("{was:?} became {text:?}")
        }
        Value::Array(all) => array(all, random),
        Value::Object(all) => object(all, random),
    }
}

fn number_instead_of(was: u64, random: &mut Random) -> Value {
    match random.below(6) {
        0 => Value::Null,
        1 => json!(was.saturating_sub(1)),
        2 | 3 => json!(was.saturating_add(1)),
        4 => json!(random.pick(&WIDE)),
        _ => match random.below(3) {
            0 => json!(-1),
            1 => json!(0.5),
            _ => json!(random.below(4)),
        },
    }
}

fn array(all: &mut Vec<Value>, random: &mut Random) -> String {
    let (one, other) = (random.below(all.len()), random.below(all.len()));
    match random.below(7) {
        0 => {
            all.clear();
            return "emptied".to_owned();
        }
        1 => {
            all.reverse();
            return "reversed".to_owned();
        }
        2 => {
            let inner = std::mem::take(all);
            all.push(Value::Array(inner));
            return "nested".to_owned();
        }
        _ => {}
    }
    if all.is_empty() {
        all.push(
            random
                .pick(&[json!(0), json!([]), json!(null)])
                .cloned()
                .unwrap_or_default(),
        );
        return "was given an element".to_owned();
    }
    match random.below(4) {
        0 => {
            all.remove(one);
            format!("lost element {one}")
        }
        1 => {
            let double = all[one].clone();
            all.insert(other, double);
            format!("has element {one} twice")
        }
        2 => {
            all.swap(one, other);
            format!("has elements {one} and {other} exchanged")
        }
        _ => {
            let merged = all.remove(one);
            let Some(into) = all.get_mut(other.min(one.saturating_sub(1))) else {
                return format!("lost element {one}");
            };
            merge(into, merged);
            format!("has element {one} merged into another")
        }
    }
}

fn object(all: &mut Map<String, Value>, random: &mut Random) -> String {
    match random.below(3) {
        // Nothing is left of it but its name.
        0 => {
            for (name, value) in all.iter_mut() {
                match value {
                    Value::Array(inner) => inner.clear(),
                    Value::Number(_) => *value = json!(u64::from(name == "states")),
                    _ => {}
                }
            }
            "idled".to_owned()
        }
        1 => {
            let names: Vec<String> = all.keys().cloned().collect();
            let name = random.pick(&names).cloned().unwrap_or_default();
            all.remove(&name);
            format!("lost `{name}`")
        }
        _ => {
            let name = random.pick(&["end", "extra", "hidden", "priority"]);
            let name = name.copied().unwrap_or_default();
            all.insert(name.to_owned(), json!(random.below(3)));
            format!("was given `{name}`")
        }
    }
}

/// Puts one value into another: arrays are joined, everywhere inside.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Array(into), Value::Array(from)) => into.extend(from),
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                match into.get_mut(&name) {
                    Some(slot) => merge(slot, value),
                    None => {
                        into.insert(name, value);
                    }
                }
            }
        }
        _ => {}
    }
}

fn same_type(left: &Value, right: &Value) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

/// All parts of a value. Long arrays are not all walked: a part of them is like the rest.
fn places(value: &Value) -> Vec<Place> {
    const MOST: usize = 4_000;
    let mut found: Vec<Place> = vec![Vec::new()];
    let mut next = 0;
    while next < found.len() && found.len() < MOST {
        let place = found[next].clone();
        let count = match at(value, &place) {
            Value::Array(all) => all.len(),
            Value::Object(all) => all.len(),
            _ => 0,
        };
        for child in 0..count {
            found.push([&place[..], &[child]].concat());
        }
        next += 1;
    }
    found
}

fn child(value: &Value, number: usize) -> Option<&Value> {
    match value {
        Value::Array(all) => all.get(number),
        Value::Object(all) => all.values().nth(number),
        _ => None,
    }
}

fn at<'a>(value: &'a Value, place: &[usize]) -> &'a Value {
    let step = |value, &number: &usize| child(value, number).unwrap_or(&Value::Null);
    place.iter().fold(value, step)
}

fn at_mut<'a>(mut value: &'a mut Value, place: &[usize]) -> &'a mut Value {
    for &number in place {
        // The place was found in this value, so that the children are there.
        if child(value, number).is_none() {
            break;
        }
        value = match value {
            Value::Array(all) => &mut all[number],
            Value::Object(all) => match all.values_mut().nth(number) {
                Some(inner) => inner,
                None => unreachable!("the child was there"),
            },
            other => other,
        };
    }
    value
}

/// What is at a place of another value, if there is such a place.
fn find<'a>(value: &'a Value, place: &[usize]) -> Option<&'a Value> {
    place
        .iter()
        .try_fold(value, |value, &number| child(value, number))
}

/// A place with the names of fields.
fn written(value: &Value, place: &[usize]) -> String {
    let mut text = "body".to_owned();
    let mut value = value;
    for &number in place {
        match value {
            Value::Object(all) => {
                let name = all.keys().nth(number).map_or("", String::as_str);
                text.push('.');
                text.push_str(name);
            }
            _ => text.push_str(&format!("[{number}]")),
        }
        value = child(value, number).unwrap_or(&Value::Null);
    }
    text
}

/// The texts of a value, to be used elsewhere in it.
fn strings(value: &Value) -> Vec<String> {
    let (mut found, mut waiting) = (Vec::new(), vec![value]);
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(all) => waiting.extend(all),
            Value::Object(all) => waiting.extend(all.values()),
            _ => {}
        }
    }
    found
}
