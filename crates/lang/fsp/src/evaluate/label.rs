//! The labels that a label pattern stands for.

use std::fmt::Write;
use std::sync::Arc;

use quotient_core::{Budget, Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::{Globals, Scope, Value};
use crate::Trouble;
use crate::syntax::{Domain, Index, Label, LabelPart, LabelSet, Relabel};

/// More labels than this in one set or one choice are a mistake in a bound.
const MOST_LABELS: usize = 1 << 20;

/// Most labels are no longer: one that is written out piece by piece need not be moved to grow.
const USUAL: usize = 32;

/// Writes out labels, sets and indices, on a budget.
#[derive(Clone, Copy)]
pub(crate) struct Expander<'g, 'a> {
    globals: &'g Globals<'a>,
    budget: &'g Budget,
}

/// What to do with each label; the scope has the variables of the label bound.
type Visit<'v, 'a> = dyn FnMut(&str, &mut Scope<'a>) -> Result<(), Trouble> + 'v;

impl<'g, 'a> Expander<'g, 'a> {
    pub(crate) fn new(globals: &'g Globals<'a>, budget: &'g Budget) -> Expander<'g, 'a> {
        Expander { globals, budget }
    }

    /// Calls `visit` for every label of a pattern, in order, with its variables bound.
    pub(crate) fn each(
        &self,
        label: &'a Label,
        scope: &mut Scope<'a>,
        visit: &mut Visit<'_, 'a>,
    ) -> Result<(), Trouble> {
        self.rest(
            &label.parts,
            &mut String::with_capacity(USUAL),
            scope,
            visit,
        )
    }

    /// All labels of a pattern, in order, each once.
    pub(crate) fn labels(
        &self,
        label: &'a Label,
        scope: &mut Scope<'a>,
    ) -> Result<Vec<String>, Trouble> {
        let mut labels = Vec::new();
        let mut seen = FxHashSet::default();
        self.each(label, scope, &mut |text, _| {
            if seen.insert(text.to_string()) {
                labels.push(text.to_string());
            }
            self.check_count(labels.len(), label.span)
        })?;
        Ok(labels)
    }

    /// The labels of a set, in order, each once.
    pub(crate) fn set(
        &self,
        set: &'a LabelSet,
        scope: &mut Scope<'a>,
    ) -> Result<Arc<[Arc<str>]>, Trouble> {
        match set {
            LabelSet::Literal(labels, _) => self.set_of(labels, scope),
            LabelSet::Named(name) => match self.globals.sets.get(name.text.as_str()) {
                Some(set) => Ok(set.clone()),
                None => Err(self.undefined(&name.text, name.span)),
            },
        }
    }

    pub(crate) fn set_of(
        &self,
        labels: &'a [Label],
        scope: &mut Scope<'a>,
    ) -> Result<Arc<[Arc<str>]>, Trouble> {
        let mut result: Vec<Arc<str>> = Vec::new();
        let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
        for label in labels {
            self.each(label, scope, &mut |text, _| {
                let text: Arc<str> = text.into();
                if seen.insert(text.clone()) {
                    result.push(text);
                }
                self.check_count(result.len(), label.span)
            })?;
        }
        Ok(result.into())
    }

    /// Calls `visit` for every combination of values of some indices (`forall [i:R][j:S]`),
    /// with the values as a label `1.a`.
    pub(crate) fn each_index(
        &self,
        indices: &'a [Index],
        scope: &mut Scope<'a>,
        visit: &mut Visit<'_, 'a>,
    ) -> Result<(), Trouble> {
        self.rest_of_indices(indices, &mut String::with_capacity(USUAL), scope, visit)
    }

    fn rest_of_indices(
        &self,
        indices: &'a [Index],
        text: &mut String,
        scope: &mut Scope<'a>,
        visit: &mut Visit<'_, 'a>,
    ) -> Result<(), Trouble> {
        let Some((first, rest)) = indices.split_first() else {
            self.budget.charge(1)?;
            return visit(text, scope);
        };
        self.index(first, text, scope, &mut |text, scope| {
            self.rest_of_indices(rest, text, scope, visit)
        })
    }

    /// The old and new labels of a relabelling.
    pub(crate) fn relabel(
        &self,
        relabel: &'a Relabel,
        scope: &mut Scope<'a>,
        pairs: &mut Vec<(String, String)>,
    ) -> Result<(), Trouble> {
        match relabel {
            Relabel::ForAll(indices, inner) => self.each_index(indices, scope, &mut |_, scope| {
                inner
                    .iter()
                    .try_for_each(|relabel| self.relabel(relabel, scope, pairs))
            }),
            Relabel::Rename { new, old } => self.each(new, scope, &mut |new_text, scope| {
                self.each(old, scope, &mut |old, _| {
                    pairs.push((old.to_string(), new_text.to_string()));
                    self.check_count(pairs.len(), new.span)
                })
            }),
        }
    }

    fn rest(
        &self,
        parts: &'a [LabelPart],
        text: &mut String,
        scope: &mut Scope<'a>,
        visit: &mut Visit<'_, 'a>,
    ) -> Result<(), Trouble> {
        let Some((first, rest)) = parts.split_first() else {
            self.budget.charge(1)?;
            return visit(text, scope);
        };
        match first {
            LabelPart::Name(name) => {
                with(text, &name.text, |text| self.rest(rest, text, scope, visit))
            }
            LabelPart::Set(set) => {
                for label in self.set(set, scope)?.iter() {
                    with(text, label, |text| self.rest(rest, text, scope, visit))?;
                }
                Ok(())
            }
            LabelPart::Difference(left, right) => {
                let without = self.set(right, scope)?;
                let without: FxHashSet<&Arc<str>> = without.iter().collect();
                for label in self.set(left, scope)?.iter() {
                    if !without.contains(label) {
                        with(text, label, |text| self.rest(rest, text, scope, visit))?;
                    }
                }
                Ok(())
            }
            LabelPart::Index(index) => self.index(index, text, scope, &mut |text, scope| {
                self.rest(rest, text, scope, visit)
            }),
        }
    }

    fn index(
        &self,
        index: &'a Index,
        text: &mut String,
        scope: &mut Scope<'a>,
        visit: &mut dyn FnMut(&mut String, &mut Scope<'a>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let mut each = |value: Value, scope: &mut Scope<'a>| {
            let length = text.len();
            if length > 0 {
                text.push('.');
            }
            value.write_to(text);
            if let Some(variable) = &index.variable {
                scope.bind(&variable.text, value);
            }
            let result = visit(text, scope);
            text.truncate(length);
            if index.variable.is_some() {
                scope.unbind();
            }
            result
        };
        if let Some(variable) = &index.variable
            && scope.variable(&variable.text).is_some()
            && !scope.rebinds()
        {
            let name = &variable.text;
            return Err(Diagnostic::error(
                "duplicate-variable",
                format!("the variable `{name}` is bound already"),
            )
            .at(self.globals.source, variable.span, "bound again here")
            .help(format!("use another name, or `[{name}]` for its value"))
            .into());
        }
        match &index.domain {
            Domain::Value(expression) => {
                let value = self.globals.evaluate(expression, scope)?;
                each(value, scope)
            }
            Domain::Range(low, high) => {
                let (low, high) = self.globals.bounds(low, high, scope)?;
                (low..=high).try_for_each(|value| each(Value::Integer(value), scope))
            }
            Domain::Named(name) => match self.globals.ranges.get(name.text.as_str()) {
                Some(&(low, high)) => {
                    (low..=high).try_for_each(|value| each(Value::Integer(value), scope))
                }
                None => Err(self.undefined(&name.text, name.span)),
            },
            Domain::Set(set) => {
                let labels = self.set(set, scope)?;
                labels
                    .iter()
                    .try_for_each(|label| each(Value::of_label(label), scope))
            }
        }
    }

    fn undefined(&self, name: &str, span: Span) -> Trouble {
        let known = self.globals.ranges.keys().chain(self.globals.sets.keys());
        Diagnostic::error(
            "undefined-range",
            format!("there is no range or set `{name}`"),
        )
        .at(self.globals.source, span, "not defined above")
        .did_you_mean(name, known.copied())
        .into()
    }

    /// Fails when something stands for too many labels.
    pub(crate) fn check_count(&self, count: usize, span: Span) -> Result<(), Trouble> {
        if count <= MOST_LABELS {
            return Ok(());
        }
        Err(
            Diagnostic::error("too-large", "this stands for too many labels")
                .at(
                    self.globals.source,
                    span,
                    format!("more than {MOST_LABELS}"),
                )
                .help("choose smaller ranges")
                .into(),
        )
    }
}

/// Runs `then` with one more part at the end of the label.
fn with<T>(text: &mut String, part: &str, then: impl FnOnce(&mut String) -> T) -> T {
    let length = text.len();
    if length > 0 {
        text.push('.');
    }
    // Writing to a string cannot fail.
    let _ = text.write_str(part);
    let result = then(text);
    text.truncate(length);
    result
}
