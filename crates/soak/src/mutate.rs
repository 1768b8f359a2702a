//! Changes of texts: tokens that stay plausible, and bytes that need not.

use crate::dice::Dice;
use crate::sample::Sample;

/// Cuts a text into words, numbers, blanks and single signs.
pub(crate) fn cut(text: &str) -> Vec<&str> {
    let class = |letter: char| match letter {
        letter if letter.is_alphanumeric() || letter == '_' => 1,
        letter if letter.is_whitespace() => 2,
        _ => 0,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, letter) in text.char_indices() {
        let now = class(letter);
        if last.is_some_and(|last| last != now || now == 0) {
            tokens.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    tokens.push(&text[start..]);
    tokens
}

/// Changes one token of one file, so that the text mostly stays one of its language.
pub(crate) fn tokens(sample: &mut Sample, dice: &mut Dice) {
    if sample.files.is_empty() {
        return;
    }
    let file = dice.below(sample.files.len());
    let text = &sample.files[file].1;
    let tokens = cut(text);
    let solid: Vec<usize> = (0..tokens.len())
        .filter(|&at| !tokens[at].trim().is_empty())
        .collect();
    if solid.is_empty() {
        return;
    }
    let at = solid[dice.below(solid.len())];
    let token = tokens[at];
    let alike: Vec<&str> = solid
        .iter()
        .map(|&other| tokens[other])
        .filter(|other| other.chars().next().map(kind) == token.chars().next().map(kind))
        .collect();
    let new = match (token.parse::<i64>(), dice.below(5)) {
        (Ok(number), 0..=2) => match dice.below(6) {
            0 => number.saturating_sub(1).to_string(),
            1..=3 => number.saturating_add(1).to_string(),
            4 => dice.below(9).to_string(),
            _ => dice
                .pick(&["-1", "4294967296", "9223372036854775807", "1000000"])
                .to_owned(),
        },
        (_, 3) => String::new(),
        _ => dice.pick(&alike).to_owned(),
    };
    let mut changed: Vec<&str> = tokens.clone();
    changed[at] = &new;
    let line = dice.chance(10).then(|| dice.below(text.lines().count()));
    let mut joined = changed.concat();
    if let Some(line) = line {
        let mut lines: Vec<&str> = joined.lines().collect();
        if line < lines.len() {
            match dice.below(2) {
                0 => {
                    lines.remove(line);
                }
                _ => lines.insert(line, lines[dice.below(lines.len())]),
            }
        }
        joined = lines.join("\n");
    }
    sample.files[file].1 = joined;
}

fn kind(letter: char) -> u8 {
    match letter {
        '0'..='9' => 0,
        letter if letter.is_alphabetic() || letter == '_' => 1,
        _ => 2,
    }
}

/// What no sane text contains, but a file may.
const ODD: &[&str] = &[
    "\0",
    "\u{feff}",
    "\u{202e}",
    "((((((((((((((((((((((((((((((((",
    "99999999999999999999999999999999",
    "-9223372036854775808",
    "1e999",
    "\"",
    "'",
    "/*",
    "\\",
    "\r",
    "]]>",
    "&#x0;",
    "\u{1b}[2J",
    "NaN",
];

/// Changes bytes without any regard for the language; the result may be no text at all.
pub(crate) fn bytes(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..dice.within(1, 4) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(8) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            2 => {
                let odd = dice.pick(ODD).as_bytes();
                bytes.splice(at..at, odd.iter().copied());
            }
            3 if at < bytes.len() => {
                let end = (at + dice.within(1, 40)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let end = (at + dice.within(1, 60)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            5 => {
                // A piece many times: depth and size.
                let end = (at + dice.within(1, 12)).min(bytes.len());
                let piece = bytes[at..end].repeat(dice.within(2, 400));
                bytes.splice(at..at, piece);
            }
            6 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            _ => {
                let digits: Vec<usize> = (0..bytes.len())
                    .filter(|&at| bytes[at].is_ascii_digit())
                    .collect();
                if let Some(&digit) = digits.get(dice.below(digits.len())) {
                    let odd = dice.pick(ODD).as_bytes();
                    bytes.splice(digit..=digit, odd.iter().copied());
                }
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_make_up_the_text() {
        let text = "step s1: when at = a\n then x := not x, k := 1 - k";
        assert_eq!(cut(text).concat(), text);
        assert_eq!(cut("a+=10 b"), ["a", "+", "=", "10", " ", "b"]);
    }

    #[test]
    fn the_same_seed_changes_the_same() {
        let sample = Sample::of("x", "x", "a b 1 2\nc d");
        let changed = |seed| {
            let mut sample = sample.clone();
            tokens(&mut sample, &mut Dice::new(seed));
            (sample, bytes(b"some text 12", &mut Dice::new(seed)))
        };
        assert_eq!(changed(5), changed(5));
        assert!((0..20).any(|seed| changed(seed).0 != sample));
    }
}
