//! Formulas of linear time about what is there along a run of reactions: `G (ATP >= 1 -> F G6P)`.
//!
//! A run that ends, as nothing reacts any more, stays for ever where it is.

use quotient_core::{Diagnostic, Source, Span, Stop};
use quotient_logic::{Formula, Fragment, parse};

use crate::pathway::{Pathway, Species};

/// What is said of one aggregate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    /// How much there is of a species, compared with a number.
    Amount(usize, Relation, u64),
    /// Nothing reacts any more.
    Ended,
}

/// How an amount compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    Greater,
}

/// In the order in which they are tried: longer ones first.
const RELATIONS: [(&str, Relation); 6] = [
    (">=", Relation::AtLeast),
    ("<=", Relation::AtMost),
    ("!=", Relation::Unequal),
    ("=", Relation::Equal),
    ("<", Relation::Less),
    (">", Relation::Greater),
];

/// The largest number in a comparison.
const MOST: u64 = 1_000_000;

/// More atoms have no bits of their own.
const MOST_ATOMS: usize = 60;

impl Atom {
    pub(crate) fn holds(&self, pathway: &Pathway, aggregate: &[u64]) -> bool {
        match *self {
            Atom::Ended => !pathway.rules.iter().any(|rule| rule.is_enabled(aggregate)),
            Atom::Amount(species, relation, number) => {
                let amount = aggregate[species];
                match relation {
                    Relation::Less => amount < number,
                    Relation::AtMost => amount <= number,
                    Relation::Equal => amount == number,
                    Relation::Unequal => amount != number,
                    Relation::AtLeast => amount >= number,
                    Relation::Greater => amount > number,
                }
            }
        }
    }
}

/// Reads the formula that stands at a place of a source.
pub(crate) fn read(
    pathway: &Pathway,
    source: &Source,
    span: Span,
) -> Result<Formula<Atom>, Diagnostic> {
    // All else is blanked out, so that places stay what they are.
    let blank = |text: &str| -> String {
        let blank = |letter: char| match letter {
            '\n' => "\n".to_owned(),
            other => " ".repeat(other.len_utf8()),
        };
        text.chars().map(blank).collect()
    };
    let text = source.text();
    let mut alone = blank(&text[..span.start]);
    alone.push_str(&text[span.start..span.end]);
    alone.push_str(&blank(&text[span.end..]));
    let alone = Source::new(source.name(), alone);
    let formula = parse(&alone, |source, start| atom(pathway, source, start))?;
    let fragment = Fragment::of(&formula);
    let plain = fragment.ltl && !fragment.past && !fragment.query;
    if !plain || formula.on_lasso(1, 0, &|_, _| true).is_none() {
        let message = "a formula about runs has no path quantifiers, intervals, past or `?`";
        return Err(Diagnostic::error("not-ltl", message).at(source, span, ""));
    }
    if formula.atoms().len() > MOST_ATOMS {
        let message = format!("a formula speaks of at most {MOST_ATOMS} comparisons");
        return Err(Diagnostic::error("too-long", message).at(source, span, ""));
    }
    Ok(formula)
}

/// Reads `Glc`, `HK*Glc >= 2` or `ended`.
fn atom(
    pathway: &Pathway,
    source: &Source,
    start: usize,
) -> Result<Option<(Atom, usize)>, Diagnostic> {
    let text = source.text();
    let Some((first, mut at)) = molecule(text, start) else {
        return Ok(None);
    };
    if &text[start..at] == "ended" {
        return Ok(Some((Atom::Ended, at)));
    }
    let mut parts = vec![first];
    while let Some(rest) = text[at..].trim_start().strip_prefix('*') {
        let next = text.len() - rest.trim_start().len();
        let Some((part, behind)) = molecule(text, next) else {
            break;
        };
        parts.push(part);
        at = behind;
    }
    let name = parts.join("*");
    let Some(species) = pathway.named(&name) else {
        let names: Vec<String> = pathway.species.iter().map(Species::name).collect();
        let message = format!("there is no `{name}`");
        return Err(Diagnostic::error("unknown-species", message)
            .at(source, Span::new(start, at), "")
            .did_you_mean(&name, names.iter().map(String::as_str)));
    };
    let compared = text[at..].trim_start();
    let relation = RELATIONS
        .iter()
        .find(|(sign, _)| compared.starts_with(sign) && !compared.starts_with("<->"));
    let Some((sign, relation)) = relation else {
        return Ok(Some((Atom::Amount(species, Relation::AtLeast, 1), at)));
    };
    let begin = text.len() - compared[sign.len()..].trim_start().len();
    let digits = text[begin..].bytes().take_while(u8::is_ascii_digit).count();
    let number = text[begin..begin + digits].parse().ok();
    match number.filter(|&number| number <= MOST) {
        Some(number) => {
            let atom = Atom::Amount(species, *relation, number);
            Ok(Some((atom, begin + digits)))
        }
        None => {
            let message = format!("expected a number up to {MOST}");
            let end = begin + digits;
            Err(Diagnostic::error("bad-number", message).at(source, Span::new(begin, end), ""))
        }
    }
}

/// The name of a molecule, perhaps in quotes, and where it ends.
fn molecule(text: &str, start: usize) -> Option<(String, usize)> {
    let rest = &text[start..];
    if let Some(quoted) = rest.strip_prefix('"') {
        let end = quoted.find(['"', '\n'])?;
        let closed = quoted[end..].starts_with('"') && end > 0;
        return closed.then(|| (quoted[..end].to_owned(), start + end + 2));
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    (end > 0).then(|| (rest[..end].to_owned(), start + end))
}

/// A formula over the numbers of its atoms, and these.
pub(crate) fn numbered(formula: &Formula<Atom>) -> Result<(Formula<u32>, Vec<Atom>), Stop> {
    let mut atoms: Vec<Atom> = Vec::new();
    let numbered = formula.map_atoms(|atom| {
        let known = atoms.iter().position(|one| one == atom);
        let number = known.unwrap_or_else(|| {
            atoms.push(atom.clone());
            atoms.len() - 1
        });
        number as u32
    });
    match atoms.len() > MOST_ATOMS {
        true => Err(Stop::bound("comparisons in a formula", MOST_ATOMS as u64)),
        false => Ok((numbered, atoms)),
    }
}
