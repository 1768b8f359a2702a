//! The variables of a model, with their ranges and where they begin.

use quotient_core::Diagnostic;

use super::resolve::{self, Renaming};
use super::value::{self, Value};
use super::{Instance, Ready, Variable};
use crate::syntax::{Declaration, ModelTree, Sort, Tree};

impl Instance {
    /// Declares all variables. One with a mistake in its range or its beginning is declared all the
    /// same: what is said about it elsewhere is no mistake.
    pub(super) fn declare(
        &mut self,
        model: &ModelTree,
        ready: &[Ready<'_>],
        mistakes: &mut Vec<Diagnostic>,
    ) {
        let none = Renaming::new();
        let mut all: Vec<(&Declaration, Option<usize>, &Renaming)> = Vec::new();
        all.extend(model.globals.iter().map(|one| (one, None, &none)));
        for (number, module) in ready.iter().enumerate() {
            let of_module = module.module.variables.iter();
            all.extend(of_module.map(|one| (one, Some(number), &module.renaming)));
        }
        for (declaration, module, renaming) in all {
            if declaration.clock && !model.timed {
                let error = Diagnostic::error("clock", "only a `pta` has clocks");
                mistakes.push(error.at(&self.source, declaration.span, ""));
            }
            let variable = self.variable(declaration, module, renaming, mistakes);
            let name = &variable.name;
            if self.names.constants.contains_key(name)
                || self.names.formulas.contains_key(name)
                || self.variables.iter().any(|other| other.name == *name)
            {
                let message = format!("`{name}` is declared twice");
                let span = declaration.span;
                let error = Diagnostic::error("twice", message).at(&self.source, span, "");
                mistakes.push(match renaming.is_empty() {
                    true => error,
                    false => error.help("rename this variable in the renamed module, too"),
                });
                continue;
            }
            self.variables.push(variable);
        }
        let numbered = self.variables.iter().enumerate();
        self.names.variables = numbered
            .map(|(number, variable)| (variable.name.clone(), (number, variable.truth)))
            .collect();
    }

    fn variable(
        &self,
        declaration: &Declaration,
        module: Option<usize>,
        renaming: &Renaming,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Variable {
        let name = renaming.get(&declaration.name).unwrap_or(&declaration.name);
        let range = self.values_of(declaration, name, renaming);
        let known = range.is_ok();
        let (low, high) = range.unwrap_or_else(|mistake| {
            mistakes.push(mistake);
            (0, 1)
        });
        let sort = match declaration.range {
            Some(_) => Sort::Whole,
            None => Sort::Truth,
        };
        let init = match &declaration.init {
            Some(tree) => self.fixed(tree, sort, renaming).unwrap_or_else(|mistake| {
                mistakes.push(mistake);
                low
            }),
            None => low,
        };
        if known && !(low..=high).contains(&init) {
            let message = format!("`{name}` begins with {init}, outside of [{low}..{high}]");
            let span = declaration.span;
            mistakes.push(Diagnostic::error("range", message).at(&self.source, span, ""));
        }
        Variable {
            name: name.clone(),
            low,
            high,
            truth: declaration.range.is_none(),
            init,
            module,
            clock: declaration.clock,
        }
    }

    /// The least and the greatest value.
    fn values_of(
        &self,
        declaration: &Declaration,
        name: &str,
        renaming: &Renaming,
    ) -> Result<(i64, i64), Diagnostic> {
        let Some((low, high)) = &declaration.range else {
            return Ok((0, 1));
        };
        let low = self.fixed(low, Sort::Whole, renaming)?;
        let high = self.fixed(high, Sort::Whole, renaming)?;
        let width = high.checked_sub(low);
        let fits = width.is_some_and(|width| (0..=i64::from(u32::MAX)).contains(&width));
        match fits && value::fits(low) && value::fits(high) {
            true => Ok((low, high)),
            false => {
                let message =
                    format!("the range [{low}..{high}] of `{name}` is empty or too large");
                let span = declaration.span;
                Err(Diagnostic::error("range", message).at(&self.source, span, ""))
            }
        }
    }

    /// A number, or a truth, that does not depend on variables.
    fn fixed(&self, tree: &Tree, sort: Sort, renaming: &Renaming) -> Result<i64, Diagnostic> {
        let term = self.names.term(tree, &self.source, Some(renaming))?;
        resolve::expect(&term, sort, &self.source, tree.span, "a variable")?;
        match term.evaluate(&[]) {
            Some(Value::Whole(number)) => Ok(number),
            Some(value) => Ok(i64::from(value.holds())),
            None => {
                let message = "this must not depend on variables";
                Err(Diagnostic::error("not-constant", message).at(&self.source, tree.span, ""))
            }
        }
    }
}
