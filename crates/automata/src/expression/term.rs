//! The tree of an expression, kept simple as it is built.

use crate::{Alphabet, Predicate};

/// A regular expression. The functions below simplify what they build; a term as read is left
/// as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    Nothing,
    EmptyWord,
    Letters(Predicate),
    Concatenation(Vec<Term>),
    Union(Vec<Term>),
    Intersection(Vec<Term>),
    Complement(Box<Term>),
    /// Between so many times; without an upper bound any number from the lower one on.
    Repeat(Box<Term>, u32, Option<u32>),
}

use Term::{Complement, Concatenation, EmptyWord, Intersection, Letters, Nothing, Repeat, Union};

impl Term {
    /// Any letter of the predicate.
    pub(super) fn letters(letters: Predicate) -> Term {
        if letters.is_empty() {
            Nothing
        } else {
            Letters(letters)
        }
    }

    /// Any letter.
    pub(super) fn any(alphabet: &Alphabet) -> Term {
        Term::letters(Predicate::all(alphabet))
    }

    /// One after the other.
    pub(super) fn then(self, next: Term) -> Term {
        let mut parts = Vec::new();
        for term in [self, next] {
            match term {
                Nothing => return Nothing,
                EmptyWord => {}
                Concatenation(more) => more.into_iter().for_each(|part| push(&mut parts, part)),
                other => push(&mut parts, other),
            }
        }
        match parts.len() {
            0 => EmptyWord,
            1 => parts.remove(0),
            _ => Concatenation(parts),
        }
    }

    /// Either.
    pub(super) fn or(self, other: Term) -> Term {
        let mut letters: Option<Predicate> = None;
        let mut empty_word = false;
        let mut parts: Vec<Term> = Vec::new();
        let mut waiting = vec![other, self];
        while let Some(term) = waiting.pop() {
            match term {
                Nothing => {}
                Union(parts) => waiting.extend(parts.into_iter().rev()),
                EmptyWord => empty_word = true,
                Letters(more) => match &mut letters {
                    Some(letters) => letters.or_assign(&more),
                    None => letters = Some(more),
                },
                Repeat(term, 0, Some(1)) => {
                    empty_word = true;
                    waiting.push(*term);
                }
                other if parts.contains(&other) => {}
                other => parts.push(other),
            }
        }
        parts.splice(..0, letters.map(Letters));
        let united = match parts.len() {
            0 => Nothing,
            1 => parts.remove(0),
            _ => factored(parts),
        };
        if empty_word {
            united.optional()
        } else {
            united
        }
    }

    /// Not.
    pub(super) fn complement(self) -> Term {
        match self {
            Complement(term) => *term,
            term => Complement(Box::new(term)),
        }
    }

    /// Any number of times.
    pub(super) fn star(self) -> Term {
        match self {
            Nothing | EmptyWord => EmptyWord,
            Repeat(term, 0 | 1, None | Some(1)) => Repeat(term, 0, None),
            Union(parts) => {
                let once = |part| match part {
                    Repeat(term, 0 | 1, None | Some(1)) => *term,
                    part => part,
                };
                let union = parts.into_iter().map(once).fold(Nothing, Term::or);
                Repeat(Box::new(union), 0, None)
            }
            term => Repeat(Box::new(term), 0, None),
        }
    }

    /// Once or not.
    pub(super) fn optional(self) -> Term {
        match self {
            Nothing | EmptyWord => EmptyWord,
            Repeat(term, 0 | 1, most) => Repeat(term, 0, most),
            term => Repeat(Box::new(term), 0, Some(1)),
        }
    }

    /// Between so many times.
    pub(super) fn repeat(self, least: u32, most: Option<u32>) -> Term {
        match (self, least, most) {
            (term, 1, Some(1)) => term,
            (_, 0, Some(0)) => EmptyWord,
            (term, 0, None) => term.star(),
            (term, 0, Some(1)) => term.optional(),
            (EmptyWord, ..) => EmptyWord,
            (Nothing, 0, _) => EmptyWord,
            (Nothing, ..) => Nothing,
            (term, least, most) => Repeat(Box::new(term), least, most),
        }
    }

    /// The parts of a concatenation; other terms are their own only part.
    fn sequence(&self) -> &[Term] {
        match self {
            Concatenation(parts) => parts,
            term => std::slice::from_ref(term),
        }
    }

    /// How many letters, classes and signs it has, counting a repeated part as often as it is
    /// repeated.
    pub(super) fn unfolded_size(&self) -> u64 {
        match self {
            Nothing | EmptyWord | Letters(_) => 1,
            Concatenation(parts) | Union(parts) | Intersection(parts) => parts
                .iter()
                .map(Term::unfolded_size)
                .fold(1, u64::saturating_add),
            Complement(term) => term.unfolded_size().saturating_add(1),
            Repeat(term, least, most) => {
                let copies = u64::from(most.unwrap_or(least.saturating_add(1)));
                term.unfolded_size()
                    .saturating_add(1)
                    .saturating_mul(copies.max(1))
            }
        }
    }

    /// How many letters, classes and signs it has as written.
    pub(super) fn size(&self) -> usize {
        match self {
            Nothing | EmptyWord | Letters(_) => 1,
            Concatenation(parts) | Union(parts) | Intersection(parts) => {
                parts.iter().map(|part| part.size() + 1).sum::<usize>() - 1
            }
            Complement(term) | Repeat(term, ..) => term.size() + 1,
        }
    }
}

/// Adds a part to a concatenation: `x x*` is `x+`, and so is `x* x`, also for an `x` of several
/// parts.
fn push(parts: &mut Vec<Term>, part: Term) {
    if let Repeat(repeated, 0, None) = &part {
        if parts.last() == Some(&part) {
            return;
        }
        if parts.ends_with(repeated.sequence()) {
            parts.truncate(parts.len() - repeated.sequence().len());
            parts.push(Repeat(repeated.clone(), 1, None));
            return;
        }
    }
    parts.push(part);
    let repeat_before = (0..parts.len() - 1).find(|&at| match &parts[at] {
        Repeat(repeated, 0, None) => parts[at + 1..] == *repeated.sequence(),
        _ => false,
    });
    if let Some(at) = repeat_before {
        parts.truncate(at + 1);
        if let Some(Repeat(_, least, _)) = parts.last_mut() {
            *least = 1;
        }
    }
}

/// The union of at least two alternatives, with what all begin or all end with taken out.
fn factored(parts: Vec<Term>) -> Term {
    let rows: Vec<&[Term]> = parts.iter().map(Term::sequence).collect();
    let shortest = rows.iter().map(|row| row.len()).min().unwrap_or(0);
    let agree = |at: &dyn Fn(&[Term]) -> usize| {
        let first = &rows[0][at(rows[0])];
        rows.iter().all(|row| &row[at(row)] == first)
    };
    let before = (0..shortest).take_while(|&i| agree(&|_| i)).count();
    let after = (0..shortest - before)
        .take_while(|&i| agree(&|row: &[Term]| row.len() - 1 - i))
        .count();
    if before + after == 0 {
        return Union(parts);
    }
    let first = rows[0];
    let end = first.len() - after;
    let join = |terms: &[Term]| terms.iter().cloned().fold(EmptyWord, Term::then);
    let (head, tail) = (join(&first[..before]), join(&first[end..]));
    let middle = rows
        .iter()
        .map(|row| join(&row[before..row.len() - after]))
        .fold(Nothing, Term::or);
    head.then(middle).then(tail)
}
