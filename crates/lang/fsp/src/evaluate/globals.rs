//! The constants, ranges and sets of a text.

use std::sync::Arc;

use quotient_core::{Budget, Diagnostic, Source, Span};
use rustc_hash::FxHashMap;

use super::{Expander, Scope, Value};
use crate::Trouble;
use crate::syntax::{Definition, Expression, Name, Parameter, Specification};

/// The values of all constants, ranges and sets.
#[derive(Debug)]
pub(crate) struct Globals<'a> {
    pub(crate) source: &'a Source,
    pub(crate) constants: FxHashMap<&'a str, Value>,
    pub(crate) ranges: FxHashMap<&'a str, (i32, i32)>,
    pub(crate) sets: FxHashMap<&'a str, Arc<[Arc<str>]>>,
}

impl<'a> Globals<'a> {
    /// Evaluates the definitions in the order of the text. A constant in `overrides` has the
    /// value given there.
    pub(crate) fn new(
        source: &'a Source,
        specification: &'a Specification,
        overrides: &[(String, i32)],
        budget: &Budget,
    ) -> Result<Globals<'a>, Trouble> {
        let mut globals = Globals {
            source,
            constants: FxHashMap::default(),
            ranges: FxHashMap::default(),
            sets: FxHashMap::default(),
        };
        let scope = Scope::default();
        let mut places: FxHashMap<(u8, &str), Span> = FxHashMap::default();
        for definition in &specification.definitions {
            let (kind, name) = match definition {
                Definition::Constant(name, expression) => {
                    let value = match overrides.iter().find(|(over, _)| *over == name.text) {
                        Some(&(_, value)) => Value::Integer(value),
                        None => globals.evaluate(expression, &scope)?,
                    };
                    globals.constants.insert(&name.text, value);
                    (0, name)
                }
                Definition::Range(name, low, high) => {
                    let bounds = globals.bounds(low, high, &scope)?;
                    globals.ranges.insert(&name.text, bounds);
                    (1, name)
                }
                Definition::Set(name, labels) => {
                    let expander = Expander::new(&globals, budget);
                    let labels = expander.set_of(labels, &mut scope.clone().of_set())?;
                    globals.sets.insert(&name.text, labels);
                    (2, name)
                }
                _ => continue,
            };
            if let Some(first) = places.insert((kind, &name.text), name.span) {
                return Err(duplicate(source, name, first).into());
            }
        }
        Ok(globals)
    }

    /// The bounds of a range, which must not be empty.
    pub(crate) fn bounds(
        &self,
        low: &'a Expression,
        high: &'a Expression,
        scope: &Scope<'a>,
    ) -> Result<(i32, i32), Trouble> {
        let (first, last) = (self.integer(low, scope)?, self.integer(high, scope)?);
        if first > last {
            return Err(Diagnostic::error(
                "empty-range",
                format!("the range {first}..{last} is empty"),
            )
            .at(
                self.source,
                low.span.to(high.span),
                "the lower end is above the upper end",
            )
            .into());
        }
        Ok((first, last))
    }

    /// The default values of parameters.
    pub(crate) fn defaults(&self, parameters: &'a [Parameter]) -> Result<Vec<Value>, Trouble> {
        let empty = Scope::default();
        let defaults = parameters
            .iter()
            .map(|parameter| self.evaluate(&parameter.default, &empty));
        defaults.collect()
    }

    /// Pairs the parameters of a definition with actual values or, without them, the defaults.
    pub(crate) fn parameters(
        &self,
        parameters: &'a [Parameter],
        arguments: Option<&[Value]>,
    ) -> Result<Scope<'a>, Trouble> {
        let empty = Scope::default();
        let mut pairs: Vec<(&str, Value)> = Vec::new();
        for (position, parameter) in parameters.iter().enumerate() {
            let value = match arguments.and_then(|arguments| arguments.get(position)) {
                Some(value) => value.clone(),
                None => self.evaluate(&parameter.default, &empty)?,
            };
            if pairs.iter().any(|(name, _)| *name == parameter.name.text) {
                let message = format!("there are two parameters `{}`", parameter.name.text);
                return Err(Diagnostic::error("duplicate-parameter", message)
                    .at(self.source, parameter.name.span, "defined again here")
                    .into());
            }
            pairs.push((&parameter.name.text, value));
        }
        Ok(Scope::new(pairs))
    }
}

/// Two definitions of one name.
pub(crate) fn duplicate(source: &Source, name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate", format!("`{}` is defined twice", name.text))
        .at(source, name.span, "defined again here")
        .at(source, first, "first defined here")
}
