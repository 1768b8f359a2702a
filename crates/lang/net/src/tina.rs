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
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        match texts[..] {
            // Questions are read when the net is known.
            [] | ["net" | "check" | "bound" | "nt" | "lb", ..] => {}
            ["pr", ..] => {
                let message = "priorities of transitions are not read: where the one that goes first \
                               takes from a single place (`tr t p -> q`), let the other wait until that is empty \
                               (`tr u p?-1 a -> b` for `pr t > u`)";
                reader.builder.wrong("priority", message, span);
            }
            ["tr", name, ..] => reader.transition(name, &words[2..], span),
            ["pl", name, ..] => reader.place_line(name, &words[2..], span),
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

/// A word of a line. What stood in braces at its beginning is a name, whatever signs are in it.
#[derive(Default)]
struct Word {
    text: String,
    /// How many bytes of it stood in braces.
    quoted: usize,
}

impl Word {
    fn is(&self, sign: &str) -> bool {
        self.quoted == 0 && self.text == sign
    }

    fn begins_with(&self, signs: &[char]) -> bool {
        self.quoted == 0 && self.text.starts_with(signs)
    }

    /// The name before the last of a sign, and what is behind it.
    fn split(&self, sign: char) -> Option<(&str, &str)> {
        let at = self.text[self.quoted..].rfind(sign)? + self.quoted;
        let (name, rest) = self.text.split_at(at);
        (at > 0).then_some((name, &rest[sign.len_utf8()..]))
    }
}

/// The words of a line; names in braces are one word.
fn words(line: &str) -> Vec<Word> {
    let mut all = Vec::new();
    let mut word = Word::default();
    let mut braces = false;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            // A brace of the name itself.
            '\\' if braces => word.text.extend(letters.next()),
            '{' if !braces && word.text.is_empty() => braces = true,
            '}' if braces => {
                braces = false;
                word.quoted = word.text.len();
            }
            letter if letter.is_whitespace() && !braces => {
                if !word.text.is_empty() {
                    all.push(std::mem::take(&mut word));
                }
            }
            letter => word.text.push(letter),
        }
    }
    if !word.text.is_empty() {
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
fn weighted(word: &Word) -> Option<(&str, Weight)> {
    // Arcs that stop a clock: without times there is none.
    if word.split('!').is_some() {
        return None;
    }
    if let Some((name, test)) = word.split('?') {
        let weight = match test.strip_prefix('-') {
            Some(most) => Weight::Below(number(most).filter(|&n| n > 0)?),
            None => Weight::Tested(number(test)?),
        };
        return Some((name, weight));
    }
    // What cannot be read as a number is no part of a name: the place would be another one.
    Some(match word.split('*') {
        Some((name, weight)) => (name, Weight::Moved(number(weight)?)),
        None => (&word.text, Weight::Moved(1)),
    })
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

    fn place_line(&mut self, name: &str, rest: &[Word], span: Span) {
        let place = self.place(name, span);
        let mut rest = without_label(rest);
        if let [first, more @ ..] = rest
            && first.begins_with(&['('])
        {
            rest = more;
            let first = &first.text;
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
        if !rest.is_empty() && !rest.iter().any(|word| word.is("->")) {
            let message = format!(
                "expected a number of tokens such as `(1)` or arcs such as `t -> u`, not `{}`",
                rest[0].text
            );
            return self.builder.wrong("bad-marking", message, span);
        }
        let mut takes = false;
        for word in rest {
            if word.is("->") {
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

    fn weighted<'w>(&mut self, word: &'w Word, span: Span) -> Option<(&'w str, Weight)> {
        let found = weighted(word);
        if found.is_none() {
            let word = &word.text;
            let message = format!(
                "`{word}` is neither an arc with a weight (`p*2`), nor a test (`p?2`), nor an \
                 inhibitor (`p?-1`), or its number is too large; arcs that stop clocks (`p!1`) are not read"
            );
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

    fn transition(&mut self, name: &str, rest: &[Word], span: Span) {
        let transition = self.builder.transition(name, name, span);
        self.transitions.insert(name.to_owned(), transition);
        let mut rest = without_label(rest);
        if let [first, more @ ..] = rest
            && first.begins_with(&['[', ']'])
        {
            if !first.is("[0,w[") {
                let message = "times are not read: this is a net without time";
                self.builder.wrong("time", message, span);
            }
            rest = more;
        }
        let mut gives = false;
        for word in rest {
            if word.is("->") {
                gives = true;
                continue;
            }
            if word.is(":") {
                let message = "a label stands before the places: `tr t : label a -> b`";
                self.builder.wrong("odd-arc", message, span);
                continue;
            }
            let Some((place, weight)) = self.weighted(word, span) else {
                continue;
            };
            let place = self.place(place, span);
            self.arc(transition, place, !gives, weight, span);
        }
        if !gives && !rest.is_empty() {
            self.builder.wrong("no-arrow", "expected `->`", span);
        }
    }
}

/// What comes behind a label, `: text`.
fn without_label(rest: &[Word]) -> &[Word] {
    match rest {
        [colon, _, more @ ..] if colon.is(":") => more,
        [colon, more @ ..] if colon.begins_with(&[':']) => more,
        _ => rest,
    }
}

/// A number, perhaps with a letter behind it that stands for thousands, millions and so on.
fn number(text: &str) -> Option<u64> {
    let thousands = text.chars().last().and_then(|last| "KMGTPE".find(last));
    let (digits, times) = match thousands {
        Some(at) => (&text[..text.len() - 1], 1000_u64.pow(at as u32 + 1)),
        None => (text, 1),
    };
    let number = digits.parse::<u64>().ok()?.checked_mul(times)?;
    (number <= MOST_TOKENS).then_some(number)
}
