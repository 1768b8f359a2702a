//! Streams as terms: `merge(same(1), same(0))`, `blink(1, 0)`, `prefix(11, Bs)`.

use crate::layout::is_symbol;
use crate::machine::{Machine, Symbol};

/// A stream that is a finite word and then a cycle for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stream {
    pub(crate) word: Vec<Symbol>,
    pub(crate) cycle: Vec<Symbol>,
}

/// The most symbols of a word or a cycle.
const LONGEST: usize = 10_000;

/// The most nested terms.
const DEPTH: usize = 60;

impl Stream {
    /// The symbol at a place, from 0.
    pub(crate) fn at(&self, place: usize) -> Symbol {
        match self.word.get(place) {
            Some(&symbol) => symbol,
            None => self.cycle[(place - self.word.len()) % self.cycle.len()],
        }
    }

    /// How many symbols of two streams must agree so that all do: then both are in their cycles,
    /// and a common turn of both has passed.
    pub(crate) fn enough(&self, other: &Stream) -> usize {
        let words = self.word.len().max(other.word.len());
        words + common_turn(self.cycle.len(), other.cycle.len())
    }

    /// Reads a term; else what is wrong with it.
    pub(crate) fn read(text: &str, machine: &mut Machine) -> Result<Stream, String> {
        let text: String = text.chars().filter(|one| !one.is_whitespace()).collect();
        read(&text, machine, DEPTH)
    }
}

fn read(text: &str, machine: &mut Machine, depth: usize) -> Result<Stream, String> {
    if depth == 0 {
        return Err("the term is nested too deeply".to_owned());
    }
    if text == "Bs" {
        return Ok(Stream {
            word: Vec::new(),
            cycle: vec![machine.blank],
        });
    }
    let term = text.strip_suffix(')').and_then(|text| text.split_once('('));
    let Some((name, inner)) = term else {
        return Err(format!(
            "`{text}` is no stream: `same(1)`, `blink(1, 0)`, `merge(…, …)`, `Bs` or `prefix(11, Bs)`"
        ));
    };
    let arguments = arguments(inner);
    match (name, &arguments[..]) {
        ("same", [one]) | ("blink", [one, _]) if one.chars().count() == 1 => {
            let cycle = symbols(&arguments.concat(), machine)?;
            if cycle.len() != arguments.len() {
                return Err(format!("`{name}` takes single symbols"));
            }
            Ok(Stream {
                word: Vec::new(),
                cycle,
            })
        }
        ("prefix", [word, rest]) => {
            let mut stream = read(rest, machine, depth - 1)?;
            let mut all = symbols(word, machine)?;
            all.append(&mut stream.word);
            stream.word = all;
            small(stream)
        }
        ("merge", [one, other]) => {
            let one = read(one, machine, depth - 1)?;
            let other = read(other, machine, depth - 1)?;
            let word = one.word.len().max(other.word.len());
            let turn = common_turn(one.cycle.len(), other.cycle.len());
            if word + turn > LONGEST {
                return Err("the streams repeat themselves too late".to_owned());
            }
            let both = |place: usize| [one.at(place), other.at(place)];
            Ok(Stream {
                word: (0..word).flat_map(both).collect(),
                cycle: (word..word + turn).flat_map(both).collect(),
            })
        }
        _ => Err(format!(
            "`{name}` with {} arguments is no stream",
            arguments.len()
        )),
    }
}

fn small(stream: Stream) -> Result<Stream, String> {
    match stream.word.len() <= LONGEST {
        true => Ok(stream),
        false => Err(format!("more than {LONGEST} symbols")),
    }
}

fn symbols(text: &str, machine: &mut Machine) -> Result<Vec<Symbol>, String> {
    let symbol = |letter: char| match is_symbol(letter) {
        false => Err(format!("`{letter}` is no symbol")),
        true => machine
            .symbol(letter)
            .ok_or_else(|| "too many symbols".to_owned()),
    };
    text.chars().map(symbol).collect()
}

/// The parts between the commas that stand in no parentheses.
fn arguments(text: &str) -> Vec<&str> {
    let (mut parts, mut open, mut begin) = (Vec::new(), 0i64, 0);
    for (place, sign) in text.char_indices() {
        match sign {
            '(' => open += 1,
            ')' => open -= 1,
            ',' if open == 0 => {
                parts.push(&text[begin..place]);
                begin = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

/// The least common multiple.
fn common_turn(one: usize, other: usize) -> usize {
    let (mut a, mut b) = (one, other);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    one / a.max(1) * other
}
