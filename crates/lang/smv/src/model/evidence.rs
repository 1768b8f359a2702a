//! Evidence, looked at again without decision diagrams.

use quotient_core::{Budget, Certified, Evidence, Rejection, Stop, Verdict};
use quotient_language::Property;

use super::Opened;
use crate::certify::{Confirmed, Flaw};

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
        let specification = asked.specification.map_err(Rejection::Unreadable)?;
        let confirmed = self.file.certify(&specification, evidence, budget);
        let facts: &[&str] = match confirmed.map_err(rejection)? {
            Confirmed::Claim if evidence.verdict() == Verdict::Holds => &[
                "every initial state is in the set",
                "no step leaves it",
                "no state of it violates the property",
            ],
            Confirmed::Claim => &[
                "the model has this run",
                "a state on it violates the property",
            ],
            Confirmed::Path => &[
                "the model has this run",
                "it goes on for ever and is fair",
                "the formula is false on it",
            ],
            Confirmed::Prefix => &[
                "the model has this run",
                "it shows the violation",
                "that it goes on for ever on a fair path was not looked at",
            ],
            Confirmed::RunOnly => {
                let why = "the model has this run, but that the property is violated takes more \
                           than one run to show";
                return Err(Rejection::Stopped(Stop::inconclusive(why)));
            }
        };
        Ok(Certified {
            property: property.text.clone(),
            facts: facts.iter().map(|&fact| fact.to_owned()).collect(),
        })
    }
}

fn rejection(flaw: Flaw) -> Rejection {
    match flaw {
        Flaw::Stopped(stop) => Rejection::Stopped(stop),
        Flaw::Kind(_) | Flaw::Unreadable(_) => Rejection::Unreadable(flaw.to_string()),
        other => Rejection::Wrong(other.to_string()),
    }
}
