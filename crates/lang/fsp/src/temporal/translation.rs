//! From the tree of a formula to a formula over fluents.

use quotient_core::{Diagnostic, Span};
use quotient_logic::{Binary, Formula, Kind, Unary};
use quotient_lts::{Action, Fluent};
use rustc_hash::FxHashMap;

use crate::Trouble;
use crate::compile::Compiler;
use crate::evaluate::{Expander, Scope, Value, duplicate};
use crate::syntax::{self, Assertion, Definition, FormulaKind, FormulaSyntax, Index, Label, Name};

/// How deep formulas may be once the assertions that they use are written out.
const DEEPEST: usize = 1200;

/// How many operators `forall` and the use of other assertions may bring a formula to.
const LARGEST: usize = 10_000;

/// The fluents and assertions of a text, and the fluents that were needed so far.
pub(super) struct Translation<'c, 'a> {
    pub(super) compiler: &'c mut Compiler<'a>,
    fluents: FxHashMap<&'a str, &'a syntax::Fluent>,
    pub(super) assertions: FxHashMap<&'a str, &'a Assertion>,
    pub(super) propositions: Vec<Fluent>,
    open: usize,
    size: usize,
}

impl<'c, 'a> Translation<'c, 'a> {
    pub(super) fn new(compiler: &'c mut Compiler<'a>) -> Result<Translation<'c, 'a>, Trouble> {
        let specification = compiler.specification;
        let mut translation = Translation {
            compiler,
            fluents: FxHashMap::default(),
            assertions: FxHashMap::default(),
            propositions: Vec::new(),
            open: 0,
            size: 0,
        };
        for definition in &specification.definitions {
            translation.declare(definition)?;
        }
        Ok(translation)
    }

    /// The formula of an assertion.
    pub(super) fn whole(
        &mut self,
        formula: &'a FormulaSyntax,
        mut scope: Scope<'a>,
    ) -> Result<Formula<usize>, Trouble> {
        let translated = self.formula(formula, &mut scope)?;
        if normal_size(&translated) > LARGEST as u64 {
            return Err(self.too_large(formula.span));
        }
        Ok(translated)
    }

    fn declare(&mut self, definition: &'a Definition) -> Result<(), Trouble> {
        let source = self.compiler.source();
        match definition {
            Definition::Fluent(fluent) => match self.fluents.insert(&fluent.name.text, fluent) {
                Some(first) => Err(duplicate(source, &fluent.name, first.name.span).into()),
                None => Ok(()),
            },
            Definition::Assertion(assertion) => {
                match self.assertions.insert(&assertion.name.text, assertion) {
                    Some(first) => Err(duplicate(source, &assertion.name, first.name.span).into()),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn formula(
        &mut self,
        formula: &'a FormulaSyntax,
        scope: &mut Scope<'a>,
    ) -> Result<Formula<usize>, Trouble> {
        self.size += 1;
        self.compiler.budget.charge(1)?;
        if self.size > LARGEST {
            return Err(self.too_large(formula.span));
        }
        if self.open == DEEPEST {
            return Err(Diagnostic::error(
                "recursion",
                "this assertion is nested too deeply in others, or in itself",
            )
            .at(self.compiler.source(), formula.span, "used again and again")
            .into());
        }
        self.open += 1;
        let result = self.formula_inside(formula, scope);
        self.open -= 1;
        result
    }

    fn formula_inside(
        &mut self,
        formula: &'a FormulaSyntax,
        scope: &mut Scope<'a>,
    ) -> Result<Formula<usize>, Trouble> {
        let span = formula.span;
        let kind = match &formula.kind {
            FormulaKind::Name(name, indices) => return self.name(name, indices, scope, span),
            FormulaKind::Call(name, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.compiler.globals.evaluate(argument, scope)?);
                }
                return self.call(name, Some(&values));
            }
            FormulaKind::Action(label) => Kind::Atom(self.action(label, scope)?),
            FormulaKind::Rigid(expression) => {
                Kind::Constant(self.compiler.globals.integer(expression, scope)? > 0)
            }
            FormulaKind::Not(inner) => self.unary(Unary::Not, inner, scope)?,
            FormulaKind::Next(inner) => self.unary(Unary::Next, inner, scope)?,
            FormulaKind::Eventually(inner) => self.unary(Unary::Finally(None), inner, scope)?,
            FormulaKind::Always(inner) => self.unary(Unary::Globally(None), inner, scope)?,
            FormulaKind::And(left, right) => self.binary(Binary::And, left, right, scope)?,
            FormulaKind::Or(left, right) => self.binary(Binary::Or, left, right, scope)?,
            FormulaKind::Implies(left, right) => {
                self.binary(Binary::Implies, left, right, scope)?
            }
            FormulaKind::Equivalent(left, right) => self.binary(Binary::Iff, left, right, scope)?,
            FormulaKind::Until(left, right) => {
                self.binary(Binary::Until(None), left, right, scope)?
            }
            FormulaKind::WeakUntil(left, right) => {
                self.binary(Binary::WeakUntil, left, right, scope)?
            }
            FormulaKind::ForAll(indices, inner) => {
                return self.quantified(Binary::And, indices, inner, scope);
            }
            FormulaKind::Exists(indices, inner) => {
                return self.quantified(Binary::Or, indices, inner, scope);
            }
        };
        Ok(Formula::new(kind, span))
    }

    fn unary(
        &mut self,
        operator: Unary,
        inner: &'a FormulaSyntax,
        scope: &mut Scope<'a>,
    ) -> Result<Kind<usize>, Trouble> {
        Ok(Kind::Unary(operator, Box::new(self.formula(inner, scope)?)))
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: &'a FormulaSyntax,
        right: &'a FormulaSyntax,
        scope: &mut Scope<'a>,
    ) -> Result<Kind<usize>, Trouble> {
        let left = self.formula(left, scope)?;
        let right = self.formula(right, scope)?;
        Ok(Kind::Binary(operator, Box::new(left), Box::new(right)))
    }

    /// All or some values of indices. No value is no statement: `forall` over nothing is true.
    fn quantified(
        &mut self,
        operator: Binary,
        indices: &'a [Index],
        inner: &'a FormulaSyntax,
        scope: &mut Scope<'a>,
    ) -> Result<Formula<usize>, Trouble> {
        let globals = self.compiler.globals.clone();
        let expander = Expander::new(&globals, self.compiler.budget);
        let mut parts = Vec::new();
        expander.each_index(indices, scope, &mut |_, scope| {
            parts.push(self.formula(inner, scope)?);
            Ok(())
        })?;
        Ok(balanced(operator, parts))
    }

    /// A fluent, with several index values: one of them; or another assertion.
    fn name(
        &mut self,
        name: &'a Name,
        indices: &'a [Index],
        scope: &mut Scope<'a>,
        span: Span,
    ) -> Result<Formula<usize>, Trouble> {
        let Some(&fluent) = self.fluents.get(name.text.as_str()) else {
            if indices.is_empty() {
                return self.call(name, None);
            }
            return Err(self.undefined(name));
        };
        let globals = self.compiler.globals.clone();
        let expander = Expander::new(&globals, self.compiler.budget);
        let mut atoms = Vec::new();
        expander.each_index(indices, scope, &mut |values, _| {
            let atom = self.fluent(fluent, values, span)?;
            atoms.push(Formula::new(Kind::Atom(atom), span));
            Ok(())
        })?;
        Ok(balanced(Binary::Or, atoms))
    }

    /// The fluent for some index values, as they are written in a label.
    fn fluent(
        &mut self,
        fluent: &'a syntax::Fluent,
        values: &str,
        span: Span,
    ) -> Result<usize, Trouble> {
        let full = match values {
            "" => fluent.name.text.clone(),
            values => format!("{}.{values}", fluent.name.text),
        };
        if let Some(known) = self.position(&full) {
            return Ok(known);
        }
        let globals = self.compiler.globals.clone();
        let expander = Expander::new(&globals, self.compiler.budget);
        let mut found = None;
        let mut scope = match fluent.indices.is_empty() {
            true => Scope::default().of_set(),
            false => Scope::default(),
        };
        expander.each_index(&fluent.indices, &mut scope, &mut |indices, scope| {
            if indices != values {
                return Ok(());
            }
            let begin = self.actions(&fluent.begin, scope)?;
            let end = self.actions(&fluent.end, scope)?;
            if let Some(&both) = begin.iter().find(|action| end.contains(action)) {
                let label = self.compiler.system.actions.name(both);
                return Err(Diagnostic::error(
                    "fluent-overlap",
                    format!("`{label}` both begins and ends the fluent `{full}`"),
                )
                .at(self.compiler.source(), fluent.name.span, "defined here")
                .into());
            }
            let initially = match &fluent.initially {
                Some(expression) => globals.integer(expression, scope)? > 0,
                None => false,
            };
            found = Some(Fluent {
                name: full.clone(),
                begin,
                end: Some(end),
                initially,
            });
            Ok(())
        })?;
        match found {
            Some(proposition) => Ok(self.add(proposition)),
            None => Err(
                Diagnostic::error("fluent-index", format!("there is no fluent `{full}`"))
                    .at(self.compiler.source(), span, "no such index")
                    .at(self.compiler.source(), fluent.name.span, "defined here")
                    .into(),
            ),
        }
    }

    fn action(&mut self, label: &'a Label, scope: &mut Scope<'a>) -> Result<usize, Trouble> {
        let begin = self.actions(label, scope)?;
        let labels: Vec<&str> = begin
            .iter()
            .map(|&action| self.compiler.system.actions.name(action))
            .collect();
        let name = match labels.as_slice() {
            [label] => label.to_string(),
            labels => format!("{{{}}}", labels.join(", ")),
        };
        Ok(match self.position(&name) {
            Some(known) => known,
            None => self.add(Fluent {
                name,
                begin,
                end: None,
                initially: false,
            }),
        })
    }

    fn actions(&mut self, label: &'a Label, scope: &mut Scope<'a>) -> Result<Vec<Action>, Trouble> {
        let globals = self.compiler.globals.clone();
        let labels = Expander::new(&globals, self.compiler.budget).labels(label, scope)?;
        let actions = &mut self.compiler.system.actions;
        Ok(labels.iter().map(|label| actions.intern(label)).collect())
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.propositions
            .iter()
            .position(|proposition| proposition.name == name)
    }

    fn add(&mut self, proposition: Fluent) -> usize {
        self.propositions.push(proposition);
        self.propositions.len() - 1
    }

    /// Another assertion, written out.
    fn call(
        &mut self,
        name: &'a Name,
        arguments: Option<&[Value]>,
    ) -> Result<Formula<usize>, Trouble> {
        let Some(&assertion) = self.assertions.get(name.text.as_str()) else {
            return Err(self.undefined(name));
        };
        self.compiler
            .check_arity(name, assertion.parameters.len(), arguments)?;
        let mut scope = self
            .compiler
            .globals
            .parameters(&assertion.parameters, arguments)?;
        self.formula(&assertion.formula, &mut scope)
    }

    fn too_large(&self, span: Span) -> Trouble {
        Diagnostic::error("too-large", "this assertion is too large")
            .at(
                self.compiler.source(),
                span,
                format!("more than {LARGEST} operators"),
            )
            .into()
    }

    fn undefined(&self, name: &Name) -> Trouble {
        let mut known: Vec<&str> = self
            .fluents
            .keys()
            .chain(self.assertions.keys())
            .copied()
            .collect();
        known.sort_unstable();
        Diagnostic::error(
            "undefined-fluent",
            format!("there is no fluent or assertion `{}`", name.text),
        )
        .at(self.compiler.source(), name.span, "not defined")
        .did_you_mean(&name.text, known)
        .into()
    }
}

/// The number of operators once `<->` is written out, which doubles its operands.
fn normal_size(formula: &Formula<usize>) -> u64 {
    match &formula.kind {
        Kind::Unary(_, inner) => normal_size(inner).saturating_add(1),
        Kind::Binary(operator, left, right) => {
            let sum = normal_size(left).saturating_add(normal_size(right));
            match operator {
                Binary::Iff => sum.saturating_mul(2).saturating_add(3),
                _ => sum.saturating_add(1),
            }
        }
        _ => 1,
    }
}

/// Joins formulas by an operator, as a tree of small depth.
fn balanced(operator: Binary, mut parts: Vec<Formula<usize>>) -> Formula<usize> {
    if parts.is_empty() {
        return Formula::constant(operator == Binary::And);
    }
    while parts.len() > 1 {
        let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => Formula::binary(operator, left, right),
                None => left,
            });
        }
        parts = joined;
    }
    parts.swap_remove(0)
}
