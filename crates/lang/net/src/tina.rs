//! Nets as TINA writes them: `pl p (2)`, `tr t [0,w[ a b*2 -> c`; `p?2` tests for tokens, `p?-1` for
//! their absence; arcs may stand with places, too: `pl p (1) giver -> taker*2`.

use std::collections::HashMap;

use quotient_core::{Diagnostic, Source, Span};

use crate::build::{Builder, MOST_TOKENS};
use crate::net::Net;
use crate::priority::{self, MOST_PAIRS, Wrong};

/// Reads a net, line by line.
pub(crate) fn read(source: &Source) -> Result<Net, Vec<Diagnostic>> {
    let mut reader = Reader {
        builder: Builder::new(source),
        places: HashMap::new(),
        transitions: HashMap::new(),
        later: Vec::new(),
        priorities: Vec::new(),
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
            ["pr", ..] => reader.priority(line, span),
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
    let pairs = reader.pairs();
    let net = reader.builder.finish()?;
    match pairs.is_empty() {
        true => Ok(net),
        false => prioritised(source, net, &pairs),
    }
}

/// A pair of transitions, the first of which goes before the second, and where that is said.
type Pair = (usize, usize, Span);

fn prioritised(source: &Source, net: Net, pairs: &[Pair]) -> Result<Net, Vec<Diagnostic>> {
    let called = |one: usize| {
        let one = &net.transitions[one];
        (one.label.clone(), one.span)
    };
    let names: Vec<(String, Span)> = (0..net.transitions.len()).map(called).collect();
    let only: Vec<(usize, usize)> = pairs.iter().map(|one| (one.0, one.1)).collect();
    priority::apply(net, &only).map_err(|wrong| {
        let (message, span) = match wrong {
            Wrong::Circle(one) => {
                let said = pairs.iter().find(|pair| pair.1 == one);
                let span = said.map_or(names[one].1, |pair| pair.2);
                (format!("`{}` goes before itself", names[one].0), span)
            }
            Wrong::Parts(one) => {
                let (name, span) = &names[one];
                let message =
                    format!("there are too many ways in which nothing goes before `{name}`");
                (message, *span)
            }
            Wrong::Pairs => {
                let message = "too many transitions wait for others";
                (message.to_owned(), pairs[0].2)
            }
        };
        vec![Diagnostic::error("priority", message).at(source, span, "")]
    })
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
    /// Which transitions go before which, by name.
    priorities: Vec<(Vec<String>, Vec<String>, Span)>,
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

    /// Reads `pr a b > c d`, or with `<`.
    fn priority(&mut self, line: &str, span: Span) {
        // Signs may stand close to names.
        let (mut spaced, mut braces) = (String::new(), false);
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            braces = (braces || letter == '{') && letter != '}';
            match letter {
                '<' | '>' if !braces => spaced.extend([' ', letter, ' ']),
                letter => spaced.push(letter),
            }
            if braces && letter == '\\' {
                spaced.extend(letters.next());
            }
        }
        let words = &words(&spaced)[1..];
        let is_sign = |word: &Word| word.is("<") || word.is(">");
        let sides: Vec<Vec<String>> = words
            .split(is_sign)
            .map(|side| side.iter().map(|word| word.text.clone()).collect())
            .collect();
        match <[Vec<String>; 2]>::try_from(sides) {
            Ok([left, right]) if !left.is_empty() && !right.is_empty() => {
                let is_less = words.iter().any(|word| word.is("<"));
                let (first, waits) = match is_less {
                    true => (right, left),
                    false => (left, right),
                };
                self.priorities.push((first, waits, span));
            }
            _ => {
                let message = "expected which transitions go before which: `pr a b > c`";
                self.builder.wrong("priority", message, span);
            }
        }
    }

    /// Which transitions go before which, when all are known.
    fn pairs(&mut self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (first, waits, span) in std::mem::take(&mut self.priorities) {
            let mut known = |names: Vec<String>| {
                let mut all = Vec::with_capacity(names.len());
                for name in names {
                    match self.transitions.get(&name) {
                        Some(&one) => all.push(one),
                        None => {
                            let message = format!("there is no transition `{name}`");
                            self.builder.wrong("unknown-node", message, span);
                        }
                    }
                }
                all
            };
            let (first, waits) = (known(first), known(waits));
            if first.len().saturating_mul(waits.len()) > MOST_PAIRS - pairs.len() {
                let message = "too many transitions wait for others";
                self.builder.wrong("priority", message, span);
                return pairs;
            }
            for &one in &first {
                pairs.extend(waits.iter().map(|&other| (one, other, span)));
            }
        }
        pairs
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
