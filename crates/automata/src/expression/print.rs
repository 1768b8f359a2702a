//! An expression as text that reads back as the same.

use std::fmt::{Result, Write};

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

/// Prints a term, each set of letters as `class` writes it.
pub(super) fn print(
    alphabet: &Alphabet,
    term: &Term,
    class: &mut dyn FnMut(&Predicate) -> String,
    out: &mut dyn Write,
) -> Result {
    let mut printer = Printer {
        alphabet,
        class,
        out,
    };
    printer.term(term, Strength::Union)
}

struct Printer<'a> {
    alphabet: &'a Alphabet,
    class: &'a mut dyn FnMut(&Predicate) -> String,
    out: &'a mut dyn Write,
}

impl Printer<'_> {
    /// Prints a term where only signs of at least that strength may stand without parentheses.
    fn term(&mut self, term: &Term, around: Strength) -> Result {
        if strength(term) < around {
            self.out.write_str("(")?;
            self.term(term, Strength::Union)?;
            return self.out.write_str(")");
        }
        match term {
            Term::Nothing => self.out.write_str("[]"),
            Term::EmptyWord if self.alphabet.letter("ε").is_none() => self.out.write_str("ε"),
            Term::EmptyWord => self.out.write_str("()"),
            Term::Letters(letters) => {
                let class = (self.class)(letters);
                self.out.write_str(&class)
            }
            Term::Concatenation(parts) => self.all(parts, " ", Strength::Prefix),
            Term::Union(parts) => self.all(parts, " | ", Strength::Intersection),
            Term::Intersection(parts) => self.all(parts, " & ", Strength::Concatenation),
            Term::Complement(term) => {
                self.out.write_str("~")?;
                self.term(term, Strength::Prefix)
            }
            Term::Repeat(term, least, most) => {
                self.term(term, Strength::Postfix)?;
                match (least, most) {
                    (0, None) => self.out.write_str("*"),
                    (1, None) => self.out.write_str("+"),
                    (0, Some(1)) => self.out.write_str("?"),
                    (least, None) => write!(self.out, "{{{least},}}"),
                    (least, Some(most)) if least == most => write!(self.out, "{{{least}}}"),
                    (least, Some(most)) => write!(self.out, "{{{least},{most}}}"),
                }
            }
        }
    }

    fn all(&mut self, parts: &[Term], between: &str, around: Strength) -> Result {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.out.write_str(between)?;
            }
            self.term(part, around)?;
        }
        Ok(())
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

/// One letter by its name, more as a class, or as a negated class if that is much shorter.
pub(super) fn letters(alphabet: &Alphabet, letters: &Predicate) -> String {
    let names = |letters: &Predicate| {
        let names: Vec<String> = letters.letters().map(|l| name(alphabet, l)).collect();
        names.join(" ")
    };
    let others = letters.not();
    match letters.len() {
        1 => names(letters),
        _ if others.is_empty() => ".".to_owned(),
        count if count <= others.len() + 1 => format!("[{}]", names(letters)),
        _ => format!("[^{}]", names(&others)),
    }
}

fn name(alphabet: &Alphabet, letter: Letter) -> String {
    let name = alphabet.name(letter);
    if is_bare(name) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
