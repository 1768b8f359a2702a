//! An expression as text that reads back as the same.

use std::fmt::{Formatter, Result};

use super::lexer::is_bare;
use super::term::Term;
use crate::{Alphabet, Letter, Predicate};

/// How strongly the signs of a term bind, weakest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Strength {
    Union,
    Intersection,
    Concatenation,
    Prefix,
    Postfix,
}

pub(super) fn print(alphabet: &Alphabet, term: &Term, f: &mut Formatter<'_>) -> Result {
    print_in(alphabet, term, Strength::Union, f)
}

/// Prints a term where only signs of at least that strength may stand without parentheses.
fn print_in(alphabet: &Alphabet, term: &Term, around: Strength, f: &mut Formatter<'_>) -> Result {
    let own = strength(term);
    if own < around {
        f.write_str("(")?;
        print_in(alphabet, term, Strength::Union, f)?;
        return f.write_str(")");
    }
    match term {
        Term::Nothing => f.write_str("[]"),
        Term::EmptyWord if alphabet.letter("ε").is_none() => f.write_str("ε"),
        Term::EmptyWord => f.write_str("()"),
        Term::Letters(letters) => print_letters(alphabet, letters, f),
        Term::Concatenation(parts) => print_all(alphabet, parts, " ", Strength::Prefix, f),
        Term::Union(parts) => print_all(alphabet, parts, " | ", Strength::Intersection, f),
        Term::Intersection(parts) => print_all(alphabet, parts, " & ", Strength::Concatenation, f),
        Term::Complement(term) => {
            f.write_str("~")?;
            print_in(alphabet, term, Strength::Prefix, f)
        }
        Term::Repeat(term, least, most) => {
            print_in(alphabet, term, Strength::Postfix, f)?;
            match (least, most) {
                (0, None) => f.write_str("*"),
                (1, None) => f.write_str("+"),
                (0, Some(1)) => f.write_str("?"),
                (least, None) => write!(f, "{{{least},}}"),
                (least, Some(most)) if least == most => write!(f, "{{{least}}}"),
                (least, Some(most)) => write!(f, "{{{least},{most}}}"),
            }
        }
    }
}

fn strength(term: &Term) -> Strength {
    match term {
        Term::Union(_) => Strength::Union,
        Term::Intersection(_) => Strength::Intersection,
        Term::Concatenation(_) => Strength::Concatenation,
        Term::Complement(_) => Strength::Prefix,
        _ => Strength::Postfix,
    }
}

fn print_all(
    alphabet: &Alphabet,
    parts: &[Term],
    between: &str,
    around: Strength,
    f: &mut Formatter<'_>,
) -> Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        print_in(alphabet, part, around, f)?;
    }
    Ok(())
}

/// One letter by its name, more as a class, or as a negated class if that is much shorter.
fn print_letters(alphabet: &Alphabet, letters: &Predicate, f: &mut Formatter<'_>) -> Result {
    let names = |letters: &Predicate| {
        let names: Vec<String> = letters.letters().map(|l| name(alphabet, l)).collect();
        names.join(" ")
    };
    let others = letters.not();
    match letters.len() {
        1 => f.write_str(&names(letters)),
        _ if others.is_empty() => f.write_str("."),
        count if count <= others.len() + 1 => write!(f, "[{}]", names(letters)),
        _ => write!(f, "[^{}]", names(&others)),
    }
}

fn name(alphabet: &Alphabet, letter: Letter) -> String {
    let name = alphabet.name(letter);
    if is_bare(name) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
