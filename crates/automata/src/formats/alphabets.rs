//! Machines over different alphabets.

use quotient_core::Diagnostic;

use super::Machine;
use crate::{Alphabet, AlphabetError, Label, Letter, Predicate, Transducer};

/// Why two machines cannot be compared: the letters that only one of them has. `None` if they
/// have the same letters (in any order; then reading them together makes them comparable).
///
/// The code says whether they may be brought over all their letters: `different-alphabets` if
/// so; [`LETTERS_OF_BITS`] if letters of one are classes of vectors of bits, which mean nothing
/// beside other letters; [`LETTERS_LIKE_BITS`] if they only look so, for whoever knows better.
///
/// ```
/// use quotient_automata::{Alphabet, formats::different_alphabets};
/// let (left, right) = (Alphabet::new(["a", "b"])?, Alphabet::new(["a", "B"])?);
/// let why = different_alphabets(("init", &left), ("bad", &right)).unwrap();
/// assert_eq!(why.message, "`init` and `bad` are over different alphabets");
/// assert_eq!(why.notes, ["only `init` has `b`", "only `bad` has `B`"]);
/// # Ok::<(), quotient_automata::AlphabetError>(())
/// ```
pub fn different_alphabets(
    left: (&str, &Alphabet),
    right: (&str, &Alphabet),
) -> Option<Diagnostic> {
    let only = |of: &Alphabet, not_of: &Alphabet| -> Vec<String> {
        of.names()
            .filter(|name| not_of.letter(name).is_none())
            .map(str::to_owned)
            .collect()
    };
    let sides = [
        (left.0, only(left.1, right.1)),
        (right.0, only(right.1, left.1)),
    ];
    if sides.iter().all(|(_, names)| names.is_empty()) {
        return None;
    }
    let message = format!(
        "`{}` and `{}` are over different alphabets",
        left.0, right.0
    );
    let (code, why, help) = match (left.1, right.1) {
        (left, right) if left.has_vectors() || right.has_vectors() => (
            LETTERS_OF_BITS,
            Some("letters are classes of vectors of bits, which have no other letters beside them"),
            "give both as automata over bits: as mata, results keep their bits",
        ),
        (left, right) if [left, right].into_iter().all(is_like_bits) => (
            LETTERS_LIKE_BITS,
            Some("letters look like classes of vectors of bits, and such classes may overlap"),
            "make both again from the files with bits, as mata, which keeps bits",
        ),
        _ => (
            "different-alphabets",
            None,
            "declare the same letters in both, or read both together as one problem",
        ),
    };
    let mut diagnostic = Diagnostic::error(code, message);
    for (side, names) in sides.iter().filter(|(_, names)| !names.is_empty()) {
        let shown = some_names(names.iter().map(String::as_str), names.len());
        diagnostic = diagnostic.note(format!("only `{side}` has {shown}"));
    }
    if let Some(why) = why {
        diagnostic = diagnostic.note(why);
    }
    Some(diagnostic.help(help))
}

/// The code of the error for letters that are classes of vectors of bits on one side only, or
/// of other bits: the same vector would be two letters, so they are never joined.
pub const LETTERS_OF_BITS: &str = "letters-of-bits";

/// The code of the error for letters that are names by now, but were such classes by the look
/// of them.
pub const LETTERS_LIKE_BITS: &str = "letters-like-bits";

/// Whether a letter is spelled like a class of vectors: by operators, or as a pattern.
fn is_like_bits(alphabet: &Alphabet) -> bool {
    let is_formula = |name: &str| {
        let mut literals = name.split(['&', '|']).filter(|part| *part != "…");
        let is_word = |part: &str| {
            let bit = part.strip_prefix('!').unwrap_or(part);
            bit.chars()
                .next()
                .is_some_and(|c| c.is_alphanumeric() || c == '_')
        };
        (name.starts_with('!') || name.contains(['&', '|'])) && literals.all(is_word)
    };
    let is_pattern = |name: &str| name.len() > 1 && name.contains('x');
    let is_pattern = |name: &str| is_pattern(name) && name.chars().all(|c| "01x|…".contains(c));
    alphabet
        .names()
        .any(|name| is_formula(name) || is_pattern(name))
}

/// The first few names of a list, for messages.
pub(super) fn some_names<'a>(names: impl Iterator<Item = &'a str>, count: usize) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<_> = names.take(SHOWN).map(|name| format!("`{name}`")).collect();
    match count > SHOWN {
        true => format!("{} and {} more", shown.join(", "), count - SHOWN),
        false => shown.join(", "),
    }
}

impl Machine {
    /// The same machine over an alphabet that has all its letters, by name.
    pub fn over(&self, alphabet: &Alphabet) -> Result<Machine, AlphabetError> {
        match self {
            Machine::Automaton(nfa) => Ok(nfa.over(alphabet)?.into()),
            Machine::Transducer(transducer) => Ok(transducer_over(transducer, alphabet)?.into()),
        }
    }
}

fn transducer_over(
    transducer: &Transducer,
    alphabet: &Alphabet,
) -> Result<Transducer, AlphabetError> {
    let letters = transducer
        .alphabet()
        .names()
        .map(|name| {
            let unknown = || AlphabetError::Unknown(name.to_owned());
            alphabet.letter(name).ok_or_else(unknown)
        })
        .collect::<Result<Vec<Letter>, _>>()?;
    let carry = |predicate: &Predicate| {
        let moved = predicate.letters().map(|letter| letters[letter.index()]);
        Predicate::of(alphabet, moved)
    };
    Ok(transducer.relabelled(alphabet, |label| {
        vec![match label {
            Label::Copy(set) => Label::Copy(carry(set)),
            Label::Pair(input, output) => {
                Label::Pair(input.as_ref().map(carry), output.as_ref().map(carry))
            }
        }]
    }))
}
