//! Terms: what stands on a side of a comparison.

use super::*;

/// No variable is taken more often.
const MOST_TIMES: u64 = 1 << 40;

impl Lower<'_> {
    pub(super) fn same_sort(&mut self, at: &Written, given: Sort, expected: Sort) -> Option<()> {
        if given == expected || given == Sort::Unsure || expected == Sort::Unsure {
            return Some(());
        }
        let message = format!(
            "{} stands where {} is expected",
            self.describe(given),
            self.describe(expected)
        );
        let name = Name {
            text: String::new(),
            span: at.span,
        };
        self.mistake("other-type", message, &name);
        None
    }

    pub(super) fn describe(&self, sort: Sort) -> String {
        match sort {
            Sort::Of(Domain::Integer) => "a whole number".into(),
            Sort::Of(Domain::Real) => "a number with a fraction".into(),
            Sort::Of(Domain::Process) => "a process".into(),
            Sort::Of(domain) => {
                let named = self.names.types.iter().find(|(_, other)| **other == domain);
                let name = named.map_or("?", |(name, _)| name.as_str());
                format!("a value of `{name}`")
            }
            Sort::Unsure => "a value".into(),
        }
    }

    /// A term and what it is; what is expected decides between values of the same name.
    pub(super) fn term(
        &mut self,
        written: &Written,
        scope: &[String],
        expected: Option<Domain>,
    ) -> Option<(Term, Sort)> {
        if let [(1, Part::Named(name, indices))] = &written.parts[..] {
            return self.named(name, indices, scope, expected);
        }
        let mut sum = Vec::new();
        let (mut whole, mut parts, mut real) = (0i64, 0i64, expected == Some(Domain::Real));
        let mut integer = false;
        for (factor, part) in &written.parts {
            if factor.unsigned_abs() > MOST_TIMES {
                return self.too_large(written);
            }
            match part {
                Part::Number(number) => {
                    let sum = factor.checked_mul(*number);
                    let sum = sum.and_then(|number| whole.checked_add(number));
                    whole = sum.or_else(|| self.too_large(written))?;
                }
                Part::Decimal(number) => {
                    let number = factor.checked_mul(*number / self.unit);
                    let sum = number.and_then(|number| parts.checked_add(number));
                    parts = sum.or_else(|| self.too_large(written))?;
                    real = true;
                }
                Part::Named(name, indices) => {
                    match self.named(name, indices, scope, Some(Domain::Integer))? {
                        (Term::Cell(place), Sort::Of(Domain::Integer)) => {
                            sum.push((*factor, place));
                            integer = true;
                        }
                        (Term::Cell(place), Sort::Of(Domain::Real)) => {
                            sum.push((*factor, place));
                            real = true;
                        }
                        (_, sort) => {
                            self.same_sort(written, sort, Sort::Of(Domain::Integer))?;
                        }
                    }
                }
            }
        }
        if !real {
            return Some((Term::Sum(sum, whole), Sort::Of(Domain::Integer)));
        }
        if integer {
            // Numbers with fractions are counted in the finest fraction of the file: another unit.
            self.same_sort(written, Sort::Of(Domain::Integer), Sort::Of(Domain::Real))?;
        }
        let whole = whole.checked_mul(1_000_000 / self.unit);
        let number = whole.and_then(|whole| whole.checked_add(parts));
        let number = number.or_else(|| self.too_large(written))?;
        Some((Term::Sum(sum, number), Sort::Of(Domain::Real)))
    }

    fn too_large<T>(&mut self, at: &Written) -> Option<T> {
        let name = Name {
            text: String::new(),
            span: at.span,
        };
        let message = "these numbers become too large".to_owned();
        self.mistake("large-number", message, &name);
        None
    }

    pub(super) fn named(
        &mut self,
        name: &Name,
        indices: &[Name],
        scope: &[String],
        expected: Option<Domain>,
    ) -> Option<(Term, Sort)> {
        if let Some(place) = scope.iter().rposition(|process| *process == name.text)
            && indices.is_empty()
        {
            return Some((Term::Process(place), Sort::Of(Domain::Process)));
        }
        if let Some(values) = self.names.values.get(&name.text)
            && indices.is_empty()
        {
            let fits = values
                .iter()
                .find(|(enumeration, _)| expected == Some(Domain::Enumeration(*enumeration)));
            let (enumeration, number) = *fits.or(values.first())?;
            // Only beside something of a known type is it not clear of which this is.
            let sort = match values.len() > 1 && fits.is_none() && expected.is_none() {
                true => Sort::Unsure,
                false => Sort::Of(Domain::Enumeration(enumeration)),
            };
            return Some((Term::Constant(number), sort));
        }
        let Some(variable) = self.names.variables.get(&name.text).copied() else {
            let mut known: Vec<String> = self.names.variables.keys().cloned().collect();
            known.extend(self.names.values.keys().cloned());
            known.extend(scope.iter().filter(|name| is_written(name)).cloned());
            let message = format!("nothing is called `{}`", name.text);
            let mistake = self.mistake("no-such-name", message, name);
            *mistake = mistake
                .clone()
                .did_you_mean(&name.text, known.iter().map(String::as_str));
            return None;
        };
        let arity = self.system.variables[variable.index()].arity;
        if arity != indices.len() {
            self.indices_differ(name, arity, indices.len());
            return None;
        }
        let mut at = Vec::new();
        for index in indices {
            match scope.iter().rposition(|process| *process == index.text) {
                Some(place) => at.push(place),
                None => {
                    let variable = self.names.variables.contains_key(&index.text);
                    let message = format!("there is no process `{}` here", index.text);
                    let mistake = self.mistake("no-such-process", message, index);
                    *mistake = match variable {
                        true => mistake.clone().help(format!(
                            "name a process, say `x`, ask `{} = x`, and write `x` here",
                            index.text
                        )),
                        false => {
                            let written = scope.iter().filter(|name| is_written(name));
                            (mistake.clone()).did_you_mean(&index.text, written.map(String::as_str))
                        }
                    };
                    return None;
                }
            }
        }
        let domain = self.system.variables[variable.index()].domain;
        Some((Term::Cell(Place { variable, at }), Sort::Of(domain)))
    }
}

/// Whether the text has this name of a process.
fn is_written(name: &str) -> bool {
    !name.starts_with(' ') && !name.contains('@')
}
