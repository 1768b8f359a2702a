//! Names to what they mean.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

use quotient_core::{Diagnostic, Source, Span};

use super::Texts;
use super::term::{Term, wider};
use super::value::{Value, fits};
use crate::syntax::{Join, Name, Node, Sort, Tree};

/// All names that expressions may use.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Formulas, with the text that each stands in.
    pub(crate) formulas: HashMap<String, (Tree, Source)>,
    /// Labels, with the text that each stands in. They are never renamed.
    pub(crate) labels: HashMap<String, (Tree, Source)>,
    /// Constants with their values.
    pub(crate) constants: BTreeMap<String, Value>,
    /// Constants without a value, and why they have none.
    pub(crate) open_constants: HashMap<String, Diagnostic>,
    /// Variables: number, and whether it is a truth value.
    pub(crate) variables: HashMap<String, (usize, bool)>,
    /// Formulas that are being opened.
    open: RefCell<Vec<String>>,
    /// How many parts were made, over all expressions.
    parts: Cell<usize>,
    /// How deep the part at hand lies inside the others.
    level: Cell<usize>,
}

/// Formulas that use formulas can grow beyond all bounds.
const MOST_PARTS: usize = 3_000_000;
/// So many formulas may stand inside each other.
const DEEPEST: usize = 100;
/// So deep may expressions be when formulas are put in place.
const LEVELS: usize = 2000;

/// Other names for names, in a renamed module.
pub(crate) type Renaming = HashMap<String, String>;

impl Names {
    /// The names of formulas, of the model and of the file of properties.
    pub(crate) fn of_formulas(texts: &Texts) -> Names {
        let of_model = texts.model.formulas.iter().map(|one| (one, &texts.source));
        let of_file = texts.properties.formulas.iter();
        let of_file = of_file.map(|one| (one, &texts.properties_source));
        let mut names = Names::default();
        for (formula, source) in of_model.chain(of_file) {
            let tree = formula.tree.clone();
            let meant = (tree, source.clone());
            names.formulas.insert(formula.name.clone(), meant);
        }
        let of_model = texts.model.labels.iter().map(|one| (one, &texts.source));
        let of_file = texts.properties.labels.iter();
        let of_file = of_file.map(|one| (one, &texts.properties_source));
        for (label, source) in of_model.chain(of_file) {
            let meant = (label.tree.clone(), source.clone());
            names.labels.insert(label.name.clone(), meant);
        }
        names
    }

    /// The expression with all names resolved, and parts that are always the same computed.
    pub(crate) fn term(
        &self,
        tree: &Tree,
        source: &Source,
        renaming: Option<&Renaming>,
    ) -> Result<Term, Diagnostic> {
        self.parts.set(self.parts.get() + 1);
        if self.parts.get() > MOST_PARTS {
            let message = "the formulas of this model are too large when they are put in place";
            return Err(Diagnostic::error("too-large", message).at(source, tree.span, ""));
        }
        let part = |tree: &Tree| {
            self.level.set(self.level.get() + 5);
            let term = self.term(tree, source, renaming);
            self.level.set(self.level.get().saturating_sub(5));
            term
        };
        if self.level.get() > LEVELS {
            let message = "formulas nest too deeply here when they are put in place";
            return Err(Diagnostic::error("too-deep", message).at(source, tree.span, ""));
        }
        let boxed = |tree: &Tree| part(tree).map(Box::new);
        let term = match &tree.node {
            Node::Truth(holds) => Term::Value(Value::Truth(*holds)),
            Node::Whole(number) if !fits(*number) => return Err(too_large(source, tree.span)),
            Node::Whole(number) => Term::Value(Value::Whole(*number)),
            Node::Real(number) => {
                let near = quotient_markov::nearest(number);
                if let Some(message) = beyond(near, number) {
                    return Err(Diagnostic::error("number", message).at(source, tree.span, ""));
                }
                Term::Value(Value::Real(near, Some(number.clone())))
            }
            Node::Name(name) => return self.named(name, tree.span, source, renaming),
            Node::Not(of) => {
                let of = boxed(of)?;
                expect(&of, Sort::Truth, source, tree.span, "`!`")?;
                Term::Not(of)
            }
            Node::Negative(of) => {
                let of = boxed(of)?;
                number(&of, source, tree.span)?;
                Term::Negative(of)
            }
            Node::Two(..) => self.chain(tree, source, renaming)?,
            Node::If(condition, one, other) => {
                let term = Term::If(boxed(condition)?, boxed(one)?, boxed(other)?);
                let Term::If(condition, one, other) = &term else {
                    return Ok(term);
                };
                expect(condition, Sort::Truth, source, tree.span, "`? :`")?;
                if (one.sort() == Sort::Truth) != (other.sort() == Sort::Truth) {
                    let message = "one branch is a number, the other a truth value";
                    return Err(Diagnostic::error("type", message).at(source, tree.span, ""));
                }
                term
            }
            Node::Call(name, parts) => {
                let parts: Result<Vec<Term>, Diagnostic> = parts.iter().map(part).collect();
                self.call(*name, parts?, source, tree.span)?
            }
            Node::Label(name) => {
                let Some((label, inner)) = self.labels.get(name) else {
                    let message = format!("there is no label \"{name}\" that expressions may use");
                    return Err(Diagnostic::error("label", message).at(source, tree.span, ""));
                };
                let term = self.opened(&format!("\"{name}\""), tree.span, source, || {
                    self.term(label, inner, None)
                })?;
                expect(&term, Sort::Truth, inner, label.span, "a label")?;
                return Ok(term);
            }
            _ => {
                let message = "an operator of properties cannot stand inside an expression";
                return Err(Diagnostic::error("type", message).at(source, tree.span, ""));
            }
        };
        fold(term, source, tree.span)
    }

    /// Chains lean to the left and can be long: they are walked, not nested.
    fn chain(
        &self,
        tree: &Tree,
        source: &Source,
        renaming: Option<&Renaming>,
    ) -> Result<Term, Diagnostic> {
        let mut rights = Vec::new();
        let mut at = tree;
        while let Node::Two(how, left, right) = &at.node {
            rights.push((*how, &**right, at.span));
            at = left;
        }
        let level = self.level.get();
        self.level.set(level + rights.len());
        if self.level.get() > LEVELS {
            let message = "formulas nest too deeply here when they are put in place";
            return Err(Diagnostic::error("too-deep", message).at(source, tree.span, ""));
        }
        let mut term = self.term(at, source, renaming)?;
        self.level.set(level);
        for (how, right, span) in rights.into_iter().rev() {
            let right = self.term(right, source, renaming)?;
            check_join(how, &term, &right, source, span)?;
            term = fold(
                Term::Two(how, Box::new(term), Box::new(right)),
                source,
                span,
            )?;
        }
        Ok(term)
    }

    fn named(
        &self,
        name: &str,
        span: Span,
        source: &Source,
        renaming: Option<&Renaming>,
    ) -> Result<Term, Diagnostic> {
        let renamed = renaming.and_then(|renaming| renaming.get(name));
        let name = renamed.map_or(name, String::as_str);
        if let Some(&(variable, truth)) = self.variables.get(name) {
            return Ok(Term::Variable(variable, truth));
        }
        if let Some(value) = self.constants.get(name) {
            return Ok(Term::Value(value.clone()));
        }
        if let Some((formula, inner)) = self.formulas.get(name) {
            let renaming = renaming.filter(|_| renamed.is_none());
            return self.opened(name, span, source, || self.term(formula, inner, renaming));
        }
        if let Some(why) = self.open_constants.get(name) {
            return Err(why.clone());
        }
        let message = format!("`{name}` is not declared");
        let known = self.variables.keys().chain(self.constants.keys());
        let known = known.chain(self.formulas.keys());
        Err(Diagnostic::error("undeclared", message)
            .at(source, span, "")
            .did_you_mean(name, known.map(String::as_str)))
    }

    /// What a formula or a label is put in place of, unless that is itself.
    fn opened(
        &self,
        name: &str,
        span: Span,
        source: &Source,
        inner: impl FnOnce() -> Result<Term, Diagnostic>,
    ) -> Result<Term, Diagnostic> {
        let mut open = self.open.borrow_mut();
        if open.iter().any(|other| other == name) || open.len() >= DEEPEST {
            let message = format!("the formula `{name}` refers to itself, or nests too deeply");
            return Err(Diagnostic::error("cycle", message).at(source, span, ""));
        }
        open.push(name.to_owned());
        drop(open);
        let result = inner();
        self.open.borrow_mut().pop();
        result
    }

    fn call(
        &self,
        name: Name,
        parts: Vec<Term>,
        source: &Source,
        span: Span,
    ) -> Result<Term, Diagnostic> {
        let (least, most) = match name {
            Name::Min | Name::Max => (1, usize::MAX),
            Name::Pow | Name::Mod | Name::Log => (2, 2),
            _ => (1, 1),
        };
        if parts.len() < least || parts.len() > most {
            let message = format!("this function takes {least} arguments, not {}", parts.len());
            return Err(Diagnostic::error("arguments", message).at(source, span, ""));
        }
        for part in &parts {
            number(part, source, span)?;
        }
        let whole = parts.iter().all(|part| part.sort() == Sort::Whole);
        if name == Name::Mod && !whole {
            let message = "`mod` is for whole numbers";
            return Err(Diagnostic::error("type", message).at(source, span, ""));
        }
        Ok(Term::Call(name, parts))
    }
}

/// States are computed with doubles: whole numbers that these do not tell apart are none.
pub(super) fn too_large(source: &Source, span: Span) -> Diagnostic {
    let message = "this whole number is too large: they go to 2^53";
    Diagnostic::error("number", message).at(source, span, "")
}

/// What is always the same is computed here, once.
fn fold(term: Term, source: &Source, span: Span) -> Result<Term, Diagnostic> {
    let constant = |term: &Term| matches!(term, Term::Value(_));
    let all = match &term {
        Term::Value(_) | Term::Variable(..) => false,
        Term::Not(of) | Term::Negative(of) => constant(of),
        Term::Two(_, left, right) => constant(left) && constant(right),
        Term::If(condition, one, other) => {
            if let Term::Value(value) = &**condition {
                // Only the branch that is taken; its sort stays that of both.
                let (taken, sort) = (if value.holds() { one } else { other }, term.sort());
                return Ok(match (&**taken, sort) {
                    (Term::Value(value), Sort::Real) => {
                        Term::Value(Value::Real(value.number(), value.exact()))
                    }
                    (taken, _) => taken.clone(),
                });
            }
            constant(one) && constant(other) && constant(condition)
        }
        Term::Call(_, parts) => parts.iter().all(constant),
    };
    if !all {
        return Ok(term);
    }
    match term.evaluate(&[]) {
        Some(Value::Whole(number)) if !fits(number) => Err(too_large(source, span)),
        Some(value) => Ok(Term::Value(value)),
        None => {
            let message = "this has no value: a number is too large or a function not defined";
            Err(Diagnostic::error("no-value", message).at(source, span, ""))
        }
    }
}

fn check_join(
    how: Join,
    left: &Term,
    right: &Term,
    source: &Source,
    span: Span,
) -> Result<(), Diagnostic> {
    match how {
        Join::And | Join::Or | Join::Implies | Join::Iff => {
            expect(left, Sort::Truth, source, span, "this operator")?;
            expect(right, Sort::Truth, source, span, "this operator")
        }
        Join::Equal | Join::Unequal => {
            if (left.sort() == Sort::Truth) == (right.sort() == Sort::Truth) {
                return Ok(());
            }
            let message = "a number is compared with a truth value";
            Err(Diagnostic::error("type", message).at(source, span, ""))
        }
        _ => {
            number(left, source, span)?;
            number(right, source, span)
        }
    }
}

pub(crate) fn number(term: &Term, source: &Source, span: Span) -> Result<(), Diagnostic> {
    match term.sort() {
        Sort::Truth => {
            let message = "a number was expected, this is a truth value";
            Err(Diagnostic::error("type", message).at(source, span, ""))
        }
        _ => Ok(()),
    }
}

pub(crate) fn expect(
    term: &Term,
    sort: Sort,
    source: &Source,
    span: Span,
    by: &str,
) -> Result<(), Diagnostic> {
    let found = term.sort();
    if found == sort || wider(found, sort) == sort && found != Sort::Truth && sort != Sort::Truth {
        return Ok(());
    }
    let what = match sort {
        Sort::Truth => "a truth value",
        Sort::Whole => "a whole number",
        Sort::Real => "a number",
    };
    let message = format!("{by} needs {what}, this is of type {}", found.name());
    let error = Diagnostic::error("type", message).at(source, span, "");
    Err(match (sort, found) {
        (Sort::Whole, Sort::Real) => error.help("round it with `floor`, `ceil` or `round`"),
        _ => error,
    })
}

/// Why a number is too large or too small for what is worked out with doubles.
pub(super) fn beyond(near: f64, number: &quotient_markov::Rational) -> Option<&'static str> {
    if near.abs() > 1e300 {
        return Some("this number is too large: numbers go up to 1e300");
    }
    let tiny = near.abs() < 1e-290 && *number != quotient_markov::whole(0);
    tiny.then_some("this number is too small to be told from 0: numbers go down to 1e-290")
}
