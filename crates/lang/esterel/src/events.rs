//! Instants as text: `A B(3)`, or `tick` for one without inputs.

use crate::kernel::Program;
use crate::react::Event;
use crate::syntax::Direction;
use crate::value::Value;

/// An instant without inputs.
pub(crate) const TICK: &str = "tick";

/// An event as text, in the order of the interface.
pub(crate) fn text(program: &Program, event: &Event) -> String {
    let one = |(&id, value): (&usize, &Option<Value>)| {
        let name = &program.signals[id].name;
        match value {
            Some(value) => format!("{name}({value})"),
            None => name.clone(),
        }
    };
    match event.is_empty() {
        true => TICK.to_owned(),
        false => event.iter().map(one).collect::<Vec<_>>().join(" "),
    }
}

/// Reads an event: names, with values in parentheses or after `=`.
pub(crate) fn parse(program: &Program, text: &str) -> Result<Event, String> {
    let mut event = Event::new();
    let mut rest = text.trim().trim_end_matches(';').trim();
    while !rest.is_empty() {
        let end = rest
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if name.is_empty() {
            return Err(format!("`{rest}` is no signal"));
        }
        let (value, after) = value(after)?;
        rest = after.trim_start_matches([' ', '\t', ';']);
        if name == TICK && value.is_none() {
            continue;
        }
        let mut signals = program.signals[..program.interface].iter();
        let Some(id) = signals.position(|signal| signal.name == name) else {
            return Err(format!("there is no input `{name}`"));
        };
        let signal = &program.signals[id];
        if signal.direction == Direction::Output {
            return Err(format!("`{name}` is an output"));
        }
        let value = match (&signal.kind, value) {
            (None, None) => None,
            (Some(kind), Some(text)) => match Value::spelled(kind, text) {
                Some(value) => Some(value),
                None => return Err(format!("`{text}` is no value of type {kind}")),
            },
            (None, Some(_)) => return Err(format!("`{name}` has no value")),
            (Some(kind), None) => {
                return Err(format!(
                    "`{name}` needs a value of type {kind}: `{name}(…)`"
                ));
            }
        };
        if event.insert(id, value).is_some() {
            return Err(format!("`{name}` is given twice"));
        }
    }
    Ok(event)
}

/// A value in parentheses or after `=`, if there is one, and what comes after.
fn value(text: &str) -> Result<(Option<&str>, &str), String> {
    if let Some(inside) = text.strip_prefix('(') {
        let end = match inside.strip_prefix('"') {
            Some(quoted) => quoted.find("\")").map(|at| at + 2),
            None => inside.find(')'),
        };
        let end = end.ok_or_else(|| format!("`{text}` has no `)`"))?;
        return Ok((Some(&inside[..end]), &inside[end + 1..]));
    }
    if let Some(inside) = text.strip_prefix('=') {
        let end = inside.find([' ', ';', '\t']).unwrap_or(inside.len());
        return Ok((Some(&inside[..end]), &inside[end..]));
    }
    Ok((None, text))
}
