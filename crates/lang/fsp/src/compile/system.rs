//! What a text is asked for: a composite or process by name, perhaps with other parameters.

use quotient_core::Diagnostic;

use super::{Compiler, Composition, Machine, Term};
use crate::Trouble;
use crate::evaluate::Value;
use crate::syntax::{Name, Parameter};

impl<'a> Compiler<'a> {
    /// A composite or process by name, with its default parameters, those that are given as in
    /// `DINERS(3)`, and those that are set by name.
    pub(crate) fn whole(&mut self, wanted: &str) -> Result<Option<Composition>, Trouble> {
        let (name, given) = self.spelled(wanted)?;
        if let Some(&composite) = self.composites.get(name) {
            let arguments = self.settings(&composite.name, &composite.parameters, given)?;
            return self
                .composite(composite, arguments.as_deref(), &composite.name)
                .map(Some);
        }
        let machine = if let Some(&process) = self.processes.get(name) {
            let arguments = self.settings(&process.name, &process.parameters, given)?;
            Machine {
                name: super::instance(name, arguments.as_deref()),
                term: self
                    .process(process, arguments.as_deref())?
                    .into_component(),
                property: process.property.then_some(process.name.span),
            }
        } else if let Some(lts) = self.imports.get(name) {
            Machine {
                name: name.to_string(),
                term: Term::Process(lts.clone(), [].into()),
                property: None,
            }
        } else if let Some(&assertion) = self.assertions.get(name) {
            let arguments = self.settings(&assertion.name, &assertion.parameters, given)?;
            let instance = super::instance(name, arguments.as_deref());
            self.constraint(assertion, instance, arguments.as_deref(), &assertion.name)?
        } else {
            return Ok(None);
        };
        Ok(Some(Composition::plain(
            machine.name.clone(),
            vec![machine],
        )))
    }

    /// `NAME` or `NAME(1,2)`.
    fn spelled<'w>(&self, wanted: &'w str) -> Result<(&'w str, Option<Vec<Value>>), Trouble> {
        let Some((name, list)) = wanted.split_once('(') else {
            return Ok((wanted, None));
        };
        let numbers = list.strip_suffix(')').map(|list| {
            let numbers = list.split(',').map(|number| number.trim().parse());
            numbers.collect::<Result<Vec<i32>, _>>()
        });
        match numbers {
            Some(Ok(numbers)) => {
                let values = numbers.into_iter().map(Value::Integer);
                Ok((name.trim(), Some(values.collect())))
            }
            _ => Err(Diagnostic::error(
                "system-parameters",
                format!("`{wanted}` is no process with parameters"),
            )
            .in_source(self.source())
            .help(format!("write whole numbers, as in `{name}(3)`"))
            .into()),
        }
    }

    /// The values of parameters, if any of them is set from outside.
    fn settings(
        &mut self,
        name: &Name,
        parameters: &'a [Parameter],
        given: Option<Vec<Value>>,
    ) -> Result<Option<Vec<Value>>, Trouble> {
        self.check_arity(name, parameters.len(), given.as_deref())?;
        let mut values = self.globals.defaults(parameters)?;
        let mut is_set = given.is_some();
        values
            .iter_mut()
            .zip(given.into_iter().flatten())
            .for_each(|(value, given)| *value = given);
        for (value, parameter) in values.iter_mut().zip(parameters) {
            let name = &parameter.name.text;
            // A constant of the same name is what is meant, and the default may depend on it.
            if self.globals.constants.contains_key(name.as_str()) {
                continue;
            }
            let wish = self.settings.iter_mut().find(|(wish, _, _)| wish == name);
            if let Some((_, wish, used)) = wish {
                *value = Value::Integer(*wish);
                *used = true;
                is_set = true;
            }
        }
        Ok(is_set.then_some(values))
    }

    /// Whether all that was set from outside is a constant or a parameter of what was asked for.
    pub(crate) fn all_settings_used(&self) -> Result<(), Trouble> {
        let constants = &self.globals.constants;
        let unused = self
            .settings
            .iter()
            .find(|(name, _, used)| !used && !constants.contains_key(name.as_str()));
        let Some((name, _, _)) = unused else {
            return Ok(());
        };
        let mut known: Vec<&str> = constants.keys().copied().collect();
        known.sort_unstable();
        let diagnostic = Diagnostic::error(
            "undefined-constant",
            format!("there is no constant `{name}` to set, and no such parameter"),
        )
        .in_source(self.source())
        .did_you_mean(name, known.iter().copied());
        Err(match known.is_empty() {
            true => diagnostic,
            false => diagnostic.note(format!("the constants are {}", known.join(", "))),
        }
        .into())
    }
}
