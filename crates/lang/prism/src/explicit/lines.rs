//! Lines of words with their places.

use quotient_core::{Source, Span};

/// A line that says something: its words, each with its place, and how far it is moved in.
pub(super) struct Line<'t> {
    pub(super) words: Vec<(&'t str, Span)>,
    pub(super) span: Span,
}

impl<'t> Line<'t> {
    /// The word at a place of the line.
    pub(super) fn word(&self, at: usize) -> Option<&'t str> {
        self.words.get(at).map(|word| word.0)
    }

    /// The whole number at a place of the line.
    pub(super) fn whole(&self, at: usize) -> Option<usize> {
        self.word(at)?.parse().ok()
    }

    /// Where a word stands, or the line where there is none.
    pub(super) fn place(&self, at: usize) -> Span {
        self.words.get(at).map_or(self.span, |word| word.1)
    }
}

/// The lines of a text that have words; signs of a kind stand alone.
pub(super) fn lines<'t>(source: &'t Source, alone: &[char]) -> Vec<Line<'t>> {
    let text = source.text();
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mut words = Vec::new();
        let mut begin = None;
        for (offset, sign) in line.char_indices().chain([(line.len(), ' ')]) {
            let ends = sign.is_whitespace() || alone.contains(&sign);
            if ends && let Some(from) = begin.take() {
                words.push((&line[from..offset], Span::new(at + from, at + offset)));
            }
            if alone.contains(&sign) {
                let end = offset + sign.len_utf8();
                words.push((&line[offset..end], Span::new(at + offset, at + end)));
            } else if !ends && begin.is_none() {
                begin = Some(offset);
            }
        }
        if !words.is_empty() {
            let span = Span::new(words[0].1.start, words[words.len() - 1].1.end);
            found.push(Line { words, span });
        }
        at += line.len();
    }
    found
}

/// Whether a word is a number that a model may have: `0.5`, `1e-3`, `1/3`.
pub(super) fn is_number(word: &str) -> bool {
    let decimal = |part: &str| {
        let plain = part
            .bytes()
            .all(|one| one.is_ascii_digit() || b".eE+-".contains(&one));
        plain
            && part.parse::<f64>().is_ok_and(|value| {
                value <= 1e300 && (value > 1e-290 || value == 0.0 && is_zero(part))
            })
    };
    // What is too small to be told from 0 is no number here.
    fn is_zero(part: &str) -> bool {
        let digits = part.split(['e', 'E']).next().unwrap_or(part);
        digits.bytes().all(|one| !(b'1'..=b'9').contains(&one))
    }
    match word.split_once('/') {
        Some((over, under)) => {
            decimal(over) && decimal(under) && under.parse::<f64>().is_ok_and(|value| value > 0.0)
        }
        None => decimal(word),
    }
}

/// The number that a word is.
pub(super) fn number(word: &str) -> f64 {
    let decimal = |part: &str| part.parse::<f64>().unwrap_or(0.0);
    match word.split_once('/') {
        Some((over, under)) => decimal(over) / decimal(under),
        None => decimal(word),
    }
}
