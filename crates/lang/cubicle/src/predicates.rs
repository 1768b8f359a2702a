//! Names for formulas, put in place of their uses.

use quotient_core::{Diagnostic, Source};

use crate::replace::{free_names, replaced};
use crate::tree::{Expression, Name, Predicate, Tree};

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
    let predicates = expand.predicates.clone();
    for (number, predicate) in predicates.iter().enumerate() {
        expand.sensible(predicate, &predicates[..number], &tree);
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
    /// A predicate speaks of its parameters and of what the whole text knows: a name that only the
    /// place of its use could give a meaning would mean something else at each of them.
    fn sensible(&mut self, predicate: &Predicate, before: &[Predicate], tree: &Tree) {
        let mut wrong = Vec::new();
        if before
            .iter()
            .any(|one| one.name.text == predicate.name.text)
        {
            let text = &predicate.name.text;
            let message = format!("there is a predicate `{text}` already");
            wrong.push(("twice", message, predicate.name.span));
        }
        for (number, name) in predicate.parameters.iter().enumerate() {
            let mut before = predicate.parameters[..number].iter();
            if before.any(|other| other.text == name.text) {
                let message = format!("`{}` is named twice", name.text);
                wrong.push(("twice", message, name.span));
            }
        }
        let mut free = Vec::new();
        free_names(&predicate.body, &mut Vec::new(), &mut free);
        for name in free {
            let is = |other: &Name| other.text == name.text;
            let known = predicate.parameters.iter().any(is)
                || tree.variables.iter().any(|one| is(&one.name))
                || tree.types.iter().any(|(_, values)| values.iter().any(is))
                || ["True", "False"].contains(&name.text.as_str());
            if !known {
                let message = format!("nothing is called `{}` in this predicate", name.text);
                wrong.push(("no-such-name", message, name.span));
            }
        }
        for (code, message, span) in wrong {
            let mistake = Diagnostic::error(code, message).at(self.source, span, "");
            self.mistakes.push(mistake);
        }
    }

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
