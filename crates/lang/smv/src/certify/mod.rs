//! Evidence about SMV models, and a second look at it.
//!
//! The program is written as plain data (`translate`), and the independent checker
//! (`quotient-certify`) looks at the evidence: no decision diagram and no compilation to the
//! bits of an engine is involved.

mod translate;

use quotient_certify::StatesQuestion;
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection};
use quotient_states::StateSet;

use crate::evaluate::State;
use crate::program::{Program, Specification, VariableId};
use crate::run::Run;

/// A run as plain data: the body of evidence of kind [`RUN_KIND`].
pub use quotient_states::Run as RunEvidence;

/// What evidence that is a run is called.
pub const RUN_KIND: &str = "smv-run";

impl Program {
    /// Looks again at evidence for or against a specification of this program.
    ///
    /// A set of states proves `INVARSPEC p`, `AG p` and `G p`; a run refutes what it refutes. All
    /// states of a run must be whole. Nothing is proved about a program without initial states,
    /// unless `allow_empty`.
    ///
    /// ```
    /// use quotient_core::{Budget, Context, Source};
    /// use quotient_smv::{Config, File, Session};
    /// let text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := 3 - x; INVARSPEC x != 2";
    /// let file = File::read(&Source::new("m.smv", text)).unwrap();
    /// let mut session = Session::open(file, Config::small(), &Context::default()).unwrap();
    /// let evidence = session.check(0).unwrap().certificate.unwrap().evidence();
    /// let program = session.file().program();
    /// let asked = &program.specifications()[0];
    /// let budget = Budget::unlimited();
    /// assert!(program.certify(asked, &evidence, false, &budget).is_ok());
    /// ```
    pub fn certify(
        &self,
        specification: &Specification,
        evidence: &Evidence,
        allow_empty: bool,
        budget: &Budget,
    ) -> Result<Certified, Rejection> {
        if !evidence.text.is_empty() && evidence.text != specification.text {
            let message = format!(
                "the evidence is about `{}`, not about `{}`",
                evidence.text, specification.text
            );
            return Err(Rejection::wrong(message));
        }
        let kind = evidence.kind.as_str();
        let unreadable = |error: &dyn std::fmt::Display| {
            Rejection::unreadable(format!("the evidence cannot be read: {error}"))
        };
        let (model, property) = self.to_states(specification, budget)?;
        let question = StatesQuestion {
            model: &model,
            property: &property,
            allow_empty,
        };
        let facts = match (kind, evidence.claim) {
            (RUN_KIND, Claim::Violated) => {
                let run: RunEvidence = evidence.read().map_err(|error| unreadable(&error))?;
                question.certify_run(&run, budget)?
            }
            (StateSet::KIND, Claim::Holds) => {
                let set: StateSet = evidence.read().map_err(|error| unreadable(&error))?;
                question.certify_set(&set, budget)?
            }
            (RUN_KIND | StateSet::KIND, _) => {
                let message = format!("evidence of kind `{kind}` does not show such a claim");
                return Err(Rejection::wrong(message));
            }
            _ => {
                let message = format!("evidence of kind `{kind}` is not about SMV models");
                return Err(Rejection::unreadable(message));
            }
        };
        Ok(Certified {
            property: specification.text.clone(),
            facts,
        })
    }
}

impl Run {
    /// The run as evidence against a property. It is accepted if it is about all variables.
    pub fn evidence(&self, program: &Program) -> Evidence {
        let name = |&id: &VariableId| program.variable(id).name.clone();
        let values = |state: &State| {
            let values = self.variables.iter();
            values.map(|&id| program.show(state.value(id))).collect()
        };
        let body = RunEvidence {
            variables: self.variables.iter().map(name).collect(),
            states: self.states.iter().map(values).collect(),
            back_to: self.back_to,
        };
        Evidence::of_violated(RUN_KIND, &body)
    }
}
