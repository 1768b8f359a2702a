//! Evidence, looked at again without decision diagrams.

use quotient_core::{Budget, Certified, Evidence, Rejection};
use quotient_language::Property;

use super::Opened;

impl Opened {
    /// Checks evidence about a specification of the file, or a formula.
    pub(super) fn look_again(
        &mut self,
        evidence: &Evidence,
        property: &Property,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        let found = self.find(&property.name);
        let found = found.ok().filter(|found| found.property == *property);
        let Some(asked) = found else {
            let message = format!("`{}` is not a property of this model", property.name);
            return Err(Rejection::wrong(message));
        };
        if let Some(number) = asked.special {
            let program = self.file.program();
            return program.certify_special(&program.specials()[number], evidence, budget);
        }
        let specification = asked.specification.map_err(Rejection::Unreadable)?;
        let program = self.file.program();
        let allow_empty = self.settings.flag("allow-empty");
        program.certify(&specification, evidence, allow_empty, budget)
    }
}
