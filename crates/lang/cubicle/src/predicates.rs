//! Names for formulas, put in place of their uses.

use quotient_core::{Diagnostic, Source};

use crate::tree::{Expression, Name, Part, Predicate, Tree, Written};

/// Predicates inside predicates inside … are followed so far.
const DEEPEST: usize = 20;
/// No formula grows beyond so many parts.
const MOST_PARTS: usize = 20_000;

/// The text with its predicates put in.
pub(crate) fn expanded(source: &Source, tree: &Tree) -> Result<Tree, Vec<Diagnostic>> {
    let mut tree = tree.clone();
    let mut expand = Expand {
        source,
        predicates: std::mem::take(&mut tree.predicates),
        mistakes: Vec::new(),
        parts: 0,
    };
    for predicate in expand.predicates.clone() {
        // Looked at even where it is not used.
        expand.formula(&predicate.body, 0);
    }
    let formulas = tree.start.iter_mut().chain(&mut tree.bad);
    for quantified in formulas.chain(&mut tree.lemmas) {
        expand.parts = 0;
        quantified.formula = expand.formula(&quantified.formula, 0);
    }
    for step in &mut tree.transitions {
        expand.parts = 0;
        step.guard = expand.formula(&step.guard, 0);
        for assignment in &mut step.assignments {
            for (condition, _) in &mut assignment.cases {
                if let Some(condition) = condition {
                    *condition = expand.formula(condition, 0);
                }
            }
        }
    }
    match expand.mistakes.is_empty() {
        true => Ok(tree),
        false => Err(expand.mistakes),
    }
}

struct Expand<'a> {
    source: &'a Source,
    predicates: Vec<Predicate>,
    mistakes: Vec<Diagnostic>,
    parts: usize,
}

impl Expand<'_> {
    fn formula(&mut self, formula: &Expression, depth: usize) -> Expression {
        self.parts += 1;
        let boxed = |this: &mut Self, inner: &Expression| Box::new(this.formula(inner, depth));
        match formula {
            Expression::And(all) => {
                Expression::And(all.iter().map(|one| self.formula(one, depth)).collect())
            }
            Expression::Or(all) => {
                Expression::Or(all.iter().map(|one| self.formula(one, depth)).collect())
            }
            Expression::Not(inner) => Expression::Not(boxed(self, inner)),
            Expression::Forall(name, inner) => Expression::Forall(name.clone(), boxed(self, inner)),
            Expression::Exists(name, inner) => Expression::Exists(name.clone(), boxed(self, inner)),
            Expression::Quantified(every, names, inner) => {
                Expression::Quantified(*every, names.clone(), boxed(self, inner))
            }
            Expression::Compare(..) | Expression::Bare(_) => formula.clone(),
            Expression::Applied(name, arguments) => self.applied(name, arguments, depth),
        }
    }

    fn applied(&mut self, name: &Name, arguments: &[Expression], depth: usize) -> Expression {
        let known = self.predicates.iter();
        let known = known.clone().find(|known| known.name.text == name.text);
        let Some(predicate) = known.cloned() else {
            let names: Vec<&str> = (self.predicates.iter())
                .map(|known| known.name.text.as_str())
                .collect();
            let mistake = Diagnostic::error(
                "no-such-predicate",
                format!("there is no predicate `{}`", name.text),
            )
            .at(self.source, name.span, "")
            .did_you_mean(&name.text, names.iter().copied());
            self.mistakes.push(mistake);
            return Expression::And(Vec::new());
        };
        let wrong = if predicate.parameters.len() != arguments.len() {
            let expected = predicate.parameters.len();
            Some(format!(
                "`{}` is about {expected} things, not {}",
                name.text,
                arguments.len()
            ))
        } else if depth > DEEPEST || self.parts > MOST_PARTS {
            Some(format!("`{}` goes on without end", name.text))
        } else {
            None
        };
        if let Some(message) = wrong {
            self.mistakes
                .push(Diagnostic::error("predicate", message).at(self.source, name.span, ""));
            return Expression::And(Vec::new());
        }
        let arguments = arguments.iter().map(|one| self.formula(one, depth));
        let arguments: Vec<Expression> = arguments.collect();
        let names = predicate.parameters.iter().map(|one| one.text.as_str());
        let meant: Vec<(&str, &Expression)> = names.zip(&arguments).collect();
        let body = replaced(&predicate.body, &meant);
        self.formula(&body, depth + 1)
    }
}

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
fn replaced(formula: &Expression, meant: &[(&str, &Expression)]) -> Expression {
    let all = |parts: &[Expression]| parts.iter().map(|part| replaced(part, meant)).collect();
    let inside = |bound: &[Name], inner: &Expression| {
        let free = |(name, _): &&(&str, &Expression)| bound.iter().all(|one| one.text != *name);
        let free: Vec<(&str, &Expression)> = meant.iter().filter(free).copied().collect();
        Box::new(replaced(inner, &free))
    };
    match formula {
        Expression::And(parts) => Expression::And(all(parts)),
        Expression::Or(parts) => Expression::Or(all(parts)),
        Expression::Not(inner) => Expression::Not(inside(&[], inner)),
        Expression::Forall(name, inner) => {
            let inner = inside(std::slice::from_ref(name), inner);
            Expression::Forall(name.clone(), inner)
        }
        Expression::Exists(name, inner) => {
            let inner = inside(std::slice::from_ref(name), inner);
            Expression::Exists(name.clone(), inner)
        }
        Expression::Quantified(every, names, inner) => {
            Expression::Quantified(*every, names.clone(), inside(names, inner))
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
        match part {
            Part::Named(name, at) => match term_of(meant, name) {
                Some(argument) if at.is_empty() => {
                    let inner = argument.parts.iter();
                    let inner = inner.map(|(by, part)| (by.saturating_mul(*factor), part.clone()));
                    parts.extend(inner);
                }
                _ => {
                    let at = at.iter().map(|index| match term_of(meant, index) {
                        Some(argument) => match &argument.parts[..] {
                            [(1, Part::Named(process, _))] => process.clone(),
                            _ => index.clone(),
                        },
                        None => index.clone(),
                    });
                    parts.push((*factor, Part::Named(name.clone(), at.collect())));
                }
            },
            other => parts.push((*factor, other.clone())),
        }
    }
    Written {
        parts,
        span: term.span,
    }
}
