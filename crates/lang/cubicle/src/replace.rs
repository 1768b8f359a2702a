//! Names in formulas, replaced by what they mean.

use crate::tree::{Expression, Name, Part, Written};

/// No sum grows beyond so many parts.
const MOST_PARTS: usize = 10_000;

/// A formula with another name for a process.
pub(crate) fn renamed(formula: &Expression, from: &str, to: &str) -> Expression {
    let name = Name {
        text: to.to_owned(),
        span: Default::default(),
    };
    let argument = Expression::Bare(Written {
        parts: vec![(1, Part::Named(name, Vec::new()))],
        span: Default::default(),
    });
    replaced(formula, &[(from, &argument)])
}

/// A formula with arguments in the place of parameters.
pub(crate) fn replaced(formula: &Expression, meant: &[(&str, &Expression)]) -> Expression {
    let all = |parts: &[Expression]| parts.iter().map(|part| replaced(part, meant)).collect();
    match formula {
        Expression::And(parts) => Expression::And(all(parts)),
        Expression::Or(parts) => Expression::Or(all(parts)),
        Expression::Not(inner) => Expression::Not(Box::new(replaced(inner, meant))),
        Expression::Forall(name, inner) => {
            let (mut names, inner) = inside(std::slice::from_ref(name), inner, meant);
            Expression::Forall(names.remove(0), inner)
        }
        Expression::Exists(name, inner) => {
            let (mut names, inner) = inside(std::slice::from_ref(name), inner, meant);
            Expression::Exists(names.remove(0), inner)
        }
        Expression::Quantified(every, names, inner) => {
            let (names, inner) = inside(names, inner, meant);
            Expression::Quantified(*every, names, inner)
        }
        Expression::Compare(left, sign, right) => {
            Expression::Compare(in_term(left, meant), sign, in_term(right, meant))
        }
        Expression::Bare(term) => match &term.parts[..] {
            [(1, Part::Named(name, at))] if at.is_empty() && meaning(meant, name).is_some() => {
                meaning(meant, name).map_or_else(|| formula.clone(), Clone::clone)
            }
            _ => Expression::Bare(in_term(term, meant)),
        },
        Expression::Applied(name, arguments) => Expression::Applied(name.clone(), all(arguments)),
    }
}

/// What stands behind a quantifier. Its names are others afterwards where an argument speaks of
/// something of the same name: that must not become what the quantifier speaks of.
fn inside(
    bound: &[Name],
    inner: &Expression,
    meant: &[(&str, &Expression)],
) -> (Vec<Name>, Box<Expression>) {
    let free = |(name, _): &&(&str, &Expression)| bound.iter().all(|one| one.text != *name);
    let meant: Vec<(&str, &Expression)> = meant.iter().filter(free).copied().collect();
    let mut taken = Vec::new();
    for (_, argument) in &meant {
        free_names(argument, &mut Vec::new(), &mut taken);
    }
    let mut taken: Vec<String> = taken.iter().map(|name| name.text.clone()).collect();
    let (mut names, mut inner) = (bound.to_vec(), inner.clone());
    for name in &mut names {
        if !meant.is_empty() && taken.contains(&name.text) {
            let mut within = Vec::new();
            free_names(&inner, &mut Vec::new(), &mut within);
            let within: Vec<&str> = within.iter().map(|one| one.text.as_str()).collect();
            let fresh = fresh(&name.text, |text| {
                let replaced = meant.iter().any(|(name, _)| *name == text);
                replaced || within.contains(&text) || taken.iter().any(|one| one == text)
            });
            inner = renamed(&inner, &name.text, &fresh);
            taken.push(fresh.clone());
            name.text = fresh;
        }
    }
    (names, Box::new(replaced(&inner, &meant)))
}

/// Another name for a process, which no text can have.
pub(crate) fn fresh(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let plain = name.split('@').next().unwrap_or(name);
    let mut names = (1usize..).map(|number| format!("{plain}@{number}"));
    let found = names.find(|one| !is_taken(one));
    found.unwrap_or_default()
}

/// The names in a formula that no quantifier in it has made.
pub(crate) fn free_names<'e>(
    formula: &'e Expression,
    bound: &mut Vec<&'e str>,
    found: &mut Vec<&'e Name>,
) {
    let mut under = |names: &'e [Name], inner: &'e Expression| {
        let before = bound.len();
        bound.extend(names.iter().map(|name| name.text.as_str()));
        free_names(inner, bound, found);
        bound.truncate(before);
    };
    match formula {
        Expression::And(parts) | Expression::Or(parts) | Expression::Applied(_, parts) => {
            parts.iter().for_each(|part| under(&[], part));
        }
        Expression::Not(inner) => under(&[], inner),
        Expression::Forall(name, inner) | Expression::Exists(name, inner) => {
            under(std::slice::from_ref(name), inner);
        }
        Expression::Quantified(_, names, inner) => under(names, inner),
        Expression::Compare(left, _, right) => {
            found.extend(free_in(left, bound));
            found.extend(free_in(right, bound));
        }
        Expression::Bare(term) => found.extend(free_in(term, bound)),
    }
}

fn free_in<'e>(term: &'e Written, bound: &[&str]) -> Vec<&'e Name> {
    let names = term.parts.iter().flat_map(|(_, part)| match part {
        Part::Named(name, at) => [&[name][..], &at.iter().collect::<Vec<_>>()].concat(),
        Part::Number(_) | Part::Decimal(_) => Vec::new(),
    });
    names
        .filter(|name| !bound.contains(&name.text.as_str()))
        .collect()
}

/// What is left of a parameter whose argument cannot stand there; it is told as a name that is not
/// known, and is never taken for something of that name at the place of the use.
fn unfit(name: &Name) -> Name {
    Name {
        text: format!("{} (a parameter)", name.text),
        span: name.span,
    }
}

fn meaning<'e>(meant: &[(&str, &'e Expression)], name: &Name) -> Option<&'e Expression> {
    let found = meant.iter().find(|(known, _)| *known == name.text);
    found.map(|(_, argument)| *argument)
}

/// A term that an argument is, if it is one.
fn term_of<'e>(meant: &[(&str, &'e Expression)], name: &Name) -> Option<&'e Written> {
    match meaning(meant, name) {
        Some(Expression::Bare(term)) => Some(term),
        _ => None,
    }
}

fn in_term(term: &Written, meant: &[(&str, &Expression)]) -> Written {
    let mut parts = Vec::new();
    for (factor, part) in &term.parts {
        let Part::Named(name, at) = part else {
            parts.push((*factor, part.clone()));
            continue;
        };
        if at.is_empty() && meaning(meant, name).is_some() {
            match term_of(meant, name) {
                Some(argument) if parts.len() + argument.parts.len() <= MOST_PARTS => {
                    let inner = argument.parts.iter();
                    // A product that is too large is told where the term gets its meaning.
                    let inner = inner.map(|(by, part)| (by.saturating_mul(*factor), part.clone()));
                    parts.extend(inner);
                }
                _ => parts.push((*factor, Part::Named(unfit(name), Vec::new()))),
            }
            continue;
        }
        let at = at.iter().map(|index| match meaning(meant, index) {
            None => index.clone(),
            Some(Expression::Bare(argument)) => match &argument.parts[..] {
                [(1, Part::Named(process, at))] if at.is_empty() => process.clone(),
                _ => unfit(index),
            },
            Some(_) => unfit(index),
        });
        parts.push((*factor, Part::Named(name.clone(), at.collect())));
    }
    Written {
        parts,
        span: term.span,
    }
}
