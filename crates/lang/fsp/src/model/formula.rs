//! A formula that is not in the text.

use quotient_core::{Diagnostic, Source};

use super::Model;
use crate::Trouble;
use crate::syntax::Definition;

/// The name that a formula has while it is read.
const NAME: &str = "FORMULA";

impl Model {
    /// The same text with one more assertion: a formula, whose name is the formula itself.
    ///
    /// ```
    /// use quotient_core::Source;
    /// use quotient_fsp::Model;
    /// let model = Model::read(&Source::new("p.lts", "P = (a -> b -> P).")).unwrap();
    /// let model = model.with_formula("[](a -> <>b)").unwrap();
    /// assert_eq!(model.assertions().collect::<Vec<_>>(), ["[](a -> <>b)"]);
    /// assert!(model.with_formula("[](a ->").is_err());
    /// ```
    pub fn with_formula(&self, formula: &str) -> Result<Model, Trouble> {
        let count = self.specification.definitions.len();
        let text = format!("{}\n\nassert {NAME} = {formula}\n", self.source.text());
        let source = Source::new(self.source.name(), text);
        let mut model = Model::read(&source).map_err(|mistakes| {
            let inside = |mistake: Diagnostic| mistake.note("in the formula that is asked about");
            Trouble::Invalid(mistakes.into_iter().map(inside).collect())
        })?;
        let definitions = &mut model.specification.definitions;
        match (definitions.len() == count + 1, definitions.last_mut()) {
            (true, Some(Definition::Assertion(assertion))) if assertion.name.text == NAME => {
                assertion.name.text = formula.to_owned();
                Ok(model)
            }
            _ => Err(
                Diagnostic::error("formula", format!("`{formula}` is not one formula"))
                    .help("write it as after `assert NAME =`, as in `[](a -> <>b)`")
                    .into(),
            ),
        }
    }
}
