//! Nets as TINA writes them: `pl p (2)`, `tr t [0,w[ a b*2 -> c`; `p?2` tests for tokens, `p?-1` for
//! their absence; arcs may stand with places, too: `pl p (1) giver -> taker*2`.

use std::collections::HashMap;

use quotient_core::{Diagnostic, Source, Span};

use crate::build::{Builder, MOST_TOKENS};
use crate::net::Net;

/// Reads a net, line by line.
pub(crate) fn read(source: &Source) -> Result<Net, Vec<Diagnostic>> {
    let mut reader = Reader {
        builder: Builder::new(source),
        places: HashMap::new(),
        transitions: HashMap::new(),
        later: Vec::new(),
    };
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        let words = words(line);
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            // Questions are read when the net is known.
            [] | ["net" | "check" | "bound" | "nt" | "lb", ..] => {}
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
    reader.connect();
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
    transitions: HashMap<String, usize>,
    /// Arcs that stand with places, to be made when all transitions are known.
    later: Vec<Arc>,
}

/// An arc of a place: the transition, whether it takes, how many tokens, and where it is written.
struct Arc {
    place: usize,
    transition: String,
    takes: bool,
    weight: Weight,
    span: Span,
}

/// What stands behind a name.
#[derive(Clone, Copy)]
enum Weight {
    Moved(u64),
    Tested(u64),
    /// Fewer tokens than these.
    Below(u64),
}

/// A name and what stands behind it: `p`, `p*2`, `p?2`, `p?-1`; nothing for other tests.
fn weighted(word: &str) -> Option<(&str, Weight)> {
    let behind = |mark: char| word.rsplit_once(mark).filter(|(name, _)| !name.is_empty());
    if let Some((name, test)) = behind('?') {
        let weight = match test.strip_prefix('-') {
            Some(most) => Weight::Below(number(most).filter(|&n| n > 0)?),
            None => Weight::Tested(number(test)?),
        };
        return Some((name, weight));
    }
    Some(
        match behind('*').and_then(|(name, n)| Some((name, number(n)?))) {
            Some((name, weight)) => (name, Weight::Moved(weight)),
            None => (word, Weight::Moved(1)),
        },
    )
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
        if let [first, more @ ..] = rest
            && first.starts_with('(')
        {
            rest = more;
            let digits = first.trim_start_matches('(').trim_end_matches(')');
            match number(digits) {
                Some(tokens) => self.builder.mark(place, tokens),
                None => {
                    let message =
                        format!("expected a number of tokens such as `(1)`, not `{first}`");
                    self.builder.wrong("bad-marking", message, span);
                }
            }
        }
        if !rest.is_empty() && !rest.contains(&"->") {
            let message = format!(
                "expected a number of tokens such as `(1)` or arcs such as `t -> u`, not `{}`",
                rest[0]
            );
            return self.builder.wrong("bad-marking", message, span);
        }
        let mut takes = false;
        for word in rest {
            if *word == "->" {
                takes = true;
                continue;
            }
            let Some((transition, weight)) = self.weighted(word, span) else {
                continue;
            };
            self.later.push(Arc {
                place,
                transition: transition.to_owned(),
                takes,
                weight,
                span,
            });
        }
    }

    fn weighted<'w>(&mut self, word: &'w str, span: Span) -> Option<(&'w str, Weight)> {
        let found = weighted(word);
        if found.is_none() {
            let message = format!("`{word}` is neither a test (`p?2`) nor an inhibitor (`p?-1`)");
            self.builder.wrong("odd-arc", message, span);
        }
        found
    }

    /// Makes the arcs that stand with places.
    fn connect(&mut self) {
        for arc in std::mem::take(&mut self.later) {
            match self.transitions.get(&arc.transition) {
                Some(&transition) => {
                    self.arc(transition, arc.place, arc.takes, arc.weight, arc.span);
                }
                None => {
                    let message = format!("there is no transition `{}`", arc.transition);
                    self.builder.wrong("unknown-node", message, arc.span);
                }
            }
        }
    }

    fn arc(&mut self, transition: usize, place: usize, takes: bool, weight: Weight, span: Span) {
        match (weight, takes) {
            (Weight::Moved(weight), true) => self.builder.take(transition, place, weight),
            (Weight::Moved(weight), false) => self.builder.give(transition, place, weight),
            (Weight::Tested(weight), true) => self.builder.test(transition, place, weight),
            (Weight::Below(weight), true) => self.builder.inhibit(transition, place, weight),
            _ => {
                let message = "tests stand before `->`, with what a transition needs";
                self.builder.wrong("odd-arc", message, span);
            }
        }
    }

    fn transition(&mut self, name: &str, rest: &[&str], span: Span) {
        let transition = self.builder.transition(name, name, span);
        self.transitions.insert(name.to_owned(), transition);
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
            let Some((place, weight)) = self.weighted(word, span) else {
                continue;
            };
            let place = self.place(place, span);
            self.arc(transition, place, !gives, weight, span);
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
