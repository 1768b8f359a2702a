//! Nets as TINA writes them: `pl p (2)`, `tr t [0,w[ a b*2 -> c`.

use std::collections::HashMap;

use quotient_core::{Diagnostic, Source, Span};

use crate::build::{Builder, MOST_TOKENS};
use crate::net::Net;

/// Reads a net, line by line.
pub(crate) fn read(source: &Source) -> Result<Net, Vec<Diagnostic>> {
    let mut reader = Reader {
        builder: Builder::new(source),
        places: HashMap::new(),
    };
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        let words = words(line);
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            // Questions are read when the net is known.
            [] | ["net" | "check" | "bound", ..] => {}
            ["tr", name, ref rest @ ..] => reader.transition(name, rest, span),
            ["pl", name, ref rest @ ..] => reader.place_line(name, rest, span),
            [first, ..] if first.starts_with('#') => {}
            [first, ..] => {
                let message =
                    format!("expected `net`, `pl`, `tr`, `check` or `bound`, not `{first}`");
                reader.builder.wrong("bad-line", message, span);
            }
        }
    }
    reader.builder.finish()
}

/// The words of a line; names in braces are one word.
fn words(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut word = String::new();
    let mut braces = false;
    for letter in line.chars() {
        match letter {
            '{' if !braces && word.is_empty() => braces = true,
            '}' if braces => braces = false,
            letter if letter.is_whitespace() && !braces => {
                if !word.is_empty() {
                    all.push(std::mem::take(&mut word));
                }
            }
            letter => word.push(letter),
        }
    }
    if !word.is_empty() {
        all.push(word);
    }
    all
}

struct Reader<'a> {
    builder: Builder<'a>,
    places: HashMap<String, usize>,
}

impl Reader<'_> {
    fn place(&mut self, name: &str, span: Span) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.builder.place(name, name, 0, span);
        self.places.insert(name.to_owned(), place);
        place
    }

    fn place_line(&mut self, name: &str, rest: &[&str], span: Span) {
        let place = self.place(name, span);
        let mut rest = rest;
        // A label: `: text`.
        if let [":", _, more @ ..] = rest {
            rest = more;
        }
        if let Some(first) = rest.first() {
            let digits = first.trim_start_matches('(').trim_end_matches(')');
            match number(digits) {
                Some(tokens) if first.starts_with('(') => self.builder.mark(place, tokens),
                _ => {
                    let message =
                        format!("expected a number of tokens such as `(1)`, not `{first}`");
                    self.builder.wrong("bad-marking", message, span);
                }
            }
        }
    }

    fn transition(&mut self, name: &str, rest: &[&str], span: Span) {
        let transition = self.builder.transition(name, name, span);
        let mut rest = rest;
        if let [":", _, more @ ..] = rest {
            rest = more;
        }
        if let [first, more @ ..] = rest
            && (first.starts_with('[') || first.starts_with(']'))
        {
            if *first != "[0,w[" {
                let message = "times are not read: this is a net without time";
                self.builder.wrong("time", message, span);
            }
            rest = more;
        }
        let mut gives = false;
        for word in rest {
            if *word == "->" {
                gives = true;
                continue;
            }
            if word.contains('?') {
                let message = "only plain arcs are read, no test or inhibitor arcs";
                self.builder.wrong("odd-arc", message, span);
                continue;
            }
            let split = word.rsplit_once('*');
            let (place, weight) = match split.and_then(|(name, n)| Some((name, number(n)?))) {
                Some((name, weight)) if !name.is_empty() => (name, weight),
                _ => (*word, 1),
            };
            let place = self.place(place, span);
            match gives {
                true => self.builder.give(transition, place, weight),
                false => self.builder.take(transition, place, weight),
            }
        }
        if !gives {
            self.builder.wrong("no-arrow", "expected `->`", span);
        }
    }
}

/// A number, perhaps with a `K` or `M` behind it.
fn number(text: &str) -> Option<u64> {
    let (digits, times) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 1000),
        b'M' => (&text[..text.len() - 1], 1_000_000),
        _ => (text, 1),
    };
    let number = digits.parse::<u64>().ok()?.checked_mul(times)?;
    (number <= MOST_TOKENS).then_some(number)
}
