//! Sets of letters in few words.

use unicode_width::UnicodeWidthStr;

use crate::{Alphabet, Label, Predicate};

/// A label longer than this is shortened.
const MOST_CHARACTERS: usize = 22;

/// A set of letters in few words; `None` is ε.
pub(super) fn short(alphabet: &Alphabet, letters: Option<&Predicate>) -> String {
    name_set(alphabet, letters, MOST_CHARACTERS)
}

/// A set of letters in full, for people who point at it.
pub(super) fn full(alphabet: &Alphabet, letters: Option<&Predicate>) -> String {
    name_set(alphabet, letters, 2_000)
}

/// What a move of a transducer reads and writes, by one of the two functions above.
pub(super) fn move_label(
    alphabet: &Alphabet,
    label: &Label,
    name: fn(&Alphabet, Option<&Predicate>) -> String,
) -> String {
    match label {
        Label::Copy(letters) => format!("copy {}", name(alphabet, Some(letters))),
        Label::Pair(input, output) => format!(
            "{} / {}",
            name(alphabet, input.as_ref()),
            name(alphabet, output.as_ref())
        ),
    }
}

fn name_set(alphabet: &Alphabet, letters: Option<&Predicate>, most: usize) -> String {
    let Some(letters) = letters else {
        return "ε".to_owned();
    };
    let others = letters.not();
    match letters.len() {
        1 => letters
            .first()
            .map(|letter| cut(alphabet.name(letter), most))
            .unwrap_or_default(),
        all if all == alphabet.len() => "any".to_owned(),
        some if others.len() * 2 < some => format!("not {}", list(alphabet, &others, most)),
        _ => list(alphabet, letters, most),
    }
}

/// `{a, b, c}`, or `{a, b, … of 40}`.
fn list(alphabet: &Alphabet, letters: &Predicate, most: usize) -> String {
    let count = letters.len();
    let mut text = String::from("{");
    for (number, letter) in letters.letters().enumerate() {
        let name = alphabet.name(letter);
        let long = text.width() + name.width() + 2 > most;
        if number > 0 {
            text.push_str(", ");
        }
        if long && (number > 0 || name.width() > most) {
            text.push_str(&format!("… of {count}"));
            break;
        }
        text.push_str(name);
    }
    text.push('}');
    text
}

/// A name, shortened if it is wider than `most`.
pub(super) fn cut(name: &str, most: usize) -> String {
    if name.width() <= most {
        return name.to_owned();
    }
    let start: String = name.chars().take(most - 1).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_named_by_what_is_shorter() {
        let alphabet = Alphabet::new((0..40).map(|i| format!("l{i}"))).unwrap();
        let set = |range: std::ops::Range<u32>| Predicate::of(&alphabet, range.map(crate::Letter));
        let named = |letters: &Predicate| short(&alphabet, Some(letters));
        assert_eq!(short(&alphabet, None), "ε");
        assert_eq!(named(&set(3..4)), "l3");
        assert_eq!(named(&set(0..40)), "any");
        assert_eq!(named(&set(0..2)), "{l0, l1}");
        assert_eq!(named(&set(0..2).not()), "not {l0, l1}");
        assert_eq!(named(&set(0..20)), "{l0, l1, l2, l3, l4, … of 20}");
        assert!(full(&alphabet, Some(&set(0..20))).contains("l19"));
    }

    #[test]
    fn a_letter_with_an_enormous_name_is_cut() {
        let alphabet = Alphabet::new(["x".repeat(500), "y".repeat(500)]).unwrap();
        let one = Predicate::of(&alphabet, [crate::Letter(0)]);
        assert_eq!(short(&alphabet, Some(&one)).chars().count(), 22);
    }
}
