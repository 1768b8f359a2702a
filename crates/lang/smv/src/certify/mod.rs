//! Evidence about SMV models, and a second look at it.
//!
//! The program is written as plain data (`translate`), and the independent checker
//! (`quotient-certify`) looks at the evidence: no decision diagram and no compilation to the
//! bits of an engine is involved.

mod distance;
mod hybrid;
mod special;
mod translate;
mod values;

pub(crate) use hybrid::{HYBRID_KIND, NamedState};
use quotient_certify::StatesQuestion;
use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Stop};
use quotient_logic::Formula;
use quotient_states::{Barrier, Bound, Induction, StateSet};

use crate::evaluate::State;
use crate::explicit::{Branching, Searched, in_branching_time};
use crate::program::{NodeId, Program, Specification, VariableId};
use crate::run::Run;
use crate::syntax::SpecificationKind;

/// A run as plain data: the body of evidence of kind [`RUN_KIND`].
pub use quotient_states::Run as RunEvidence;

/// What evidence that is a run is called.
pub const RUN_KIND: &str = "smv-run";

impl Program {
    /// Looks again at evidence for or against a specification of this program.
    ///
    /// A set of states, or induction over several steps, proves `INVARSPEC p`, `AG p` and `G p`; a bound
    /// proves formulas of linear time; a run refutes what it refutes. All
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
                match question.certify_run(&run, budget) {
                    Err(Rejection::Stopped(stop)) => {
                        let asked = (specification, allow_empty);
                        self.looked_at_all(asked, &run, stop, budget)?
                    }
                    facts => facts?,
                }
            }
            (Barrier::KIND, Claim::Violated) => {
                let barrier: Barrier = evidence.read().map_err(|error| unreadable(&error))?;
                match question.certify_barrier(&barrier, budget) {
                    Err(Rejection::Stopped(stop)) => {
                        let asked = (specification, allow_empty);
                        self.looked_at_all(asked, &barrier.run, stop, budget)?
                    }
                    facts => facts?,
                }
            }
            (StateSet::KIND, Claim::Holds) => {
                let set: StateSet = evidence.read().map_err(|error| unreadable(&error))?;
                question.certify_set(&set, budget)?
            }
            (Bound::KIND, Claim::Holds) => {
                let bound: Bound = evidence.read().map_err(|error| unreadable(&error))?;
                question.certify_bound(&bound, budget)?
            }
            (Induction::KIND, Claim::Holds) => {
                let steps: Induction = evidence.read().map_err(|error| unreadable(&error))?;
                question.certify_induction(&steps, budget)?
            }
            (SHOWN_KIND, Claim::Holds) => {
                let run: RunEvidence = evidence.read().map_err(|error| unreadable(&error))?;
                self.shown_in_states(specification, &run, budget)?
            }
            (
                RUN_KIND
                | SHOWN_KIND
                | StateSet::KIND
                | Barrier::KIND
                | Bound::KIND
                | Induction::KIND,
                _,
            ) => {
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

/// What evidence is called that says with which states to begin when a formula is worked out in one
/// state after the other.
pub(crate) const SHOWN_KIND: &str = "smv-states";

/// No more work than this is spent on finding out whether what holds can be shown like that.
const WORK_TO_SHOW: u64 = 1_000_000;

/// Models with more states are not looked at state by state.
const MOST_STATES: usize = 20_000;

impl Program {
    /// Where one run cannot show that a formula of branching time is false: works it out in every
    /// state of the model, one by one, if those are few; otherwise in as many states around the run as
    /// are enough to see that it is false where the run begins.
    fn looked_at_all(
        &self,
        (specification, allow_empty): (&Specification, bool),
        run: &RunEvidence,
        stop: Stop,
        budget: &Budget,
    ) -> Result<Vec<String>, Rejection> {
        let about_states = !crate::shape::is_about_steps(self, &specification.formula);
        if specification.kind != SpecificationKind::Ctl || !about_states || allow_empty {
            return Err(stop.into());
        }
        self.formula_has_values(specification, budget)?;
        let states = self.states_of(run)?;
        let formula = &specification.formula;
        let around = self.refuted_around(&states, formula, MOST_STATES, budget);
        if let Ok(Some(count)) = around {
            return Ok(vec![
                "the model has this run".to_owned(),
                format!(
                    "the formula is false where it begins: {count} states around it were looked \
                     at, one by one, and what else follows does not matter"
                ),
            ]);
        }
        let searched = Searched::new(self, &[], MOST_STATES, budget);
        if searched.stopped.is_some() {
            return Err(stop.into());
        }
        let branching = Branching::new(self, &searched);
        let holds = branching.and_then(|all| all.holds(&specification.formula, specification.kind));
        match holds {
            None | Some(true) => Err(stop.into()),
            Some(false) => Ok(vec![
                "the model has this run".to_owned(),
                format!(
                    "the formula is false in an initial state: all {} reachable states were \
                     looked at, one by one",
                    searched.states.len()
                ),
            ]),
        }
    }
}

impl Program {
    /// Works out a formula of branching time that holds in as many states of the model as it takes.
    fn shown_in_states(
        &self,
        specification: &Specification,
        run: &RunEvidence,
        budget: &Budget,
    ) -> Result<Vec<String>, Rejection> {
        let Some(formula) = self.worked_out_in_states(specification) else {
            let message =
                "only what a formula of branching time says of states is worked out in them";
            return Err(Rejection::wrong(message));
        };
        self.formula_has_values(specification, budget)?;
        let states = match run.states.is_empty() {
            true => Vec::new(),
            false => self.states_of(run)?,
        };
        // What was found out with little work is found out again with a little more.
        let own = budget.child_with_work(8 * WORK_TO_SHOW);
        let shown = self.shown_around(&states, &formula, MOST_STATES, &own)?;
        let Some(count) = shown else {
            let why = "the states that were looked at do not show it";
            return Err(Stop::inconclusive(why).into());
        };
        Ok(vec![format!(
            "the formula is true in every initial state from which a fair path leads: {count} states \
             were looked at, one by one, and what else follows does not matter"
        )])
    }

    /// Evidence that a formula of branching time holds, where looking at states one by one shows it soon; those of a
    /// run come first, if there is one.
    pub(crate) fn shown_by_states(
        &self,
        specification: &Specification,
        run: Option<&Run>,
        budget: &Budget,
    ) -> Option<Evidence> {
        let formula = self.worked_out_in_states(specification)?;
        let run = run.filter(|run| run.variables.len() == self.variables().len());
        let first = run.map_or(&[][..], |run| &run.states);
        let own = budget.child_with_work(WORK_TO_SHOW);
        let shown = self.shown_around(first, &formula, MOST_STATES, &own);
        shown.ok()??;
        self.formula_has_values(specification, budget).ok()?;
        let nothing = RunEvidence {
            variables: Vec::new(),
            states: Vec::new(),
            back_to: None,
        };
        let body = run.map_or(nothing, |run| run.body(self));
        Some(Evidence::of_holds(SHOWN_KIND, &body))
    }

    /// The formula of branching time that a specification is, or says the same as, if it is about states.
    fn worked_out_in_states(&self, specification: &Specification) -> Option<Formula<NodeId>> {
        let formula = &specification.formula;
        let about_states = !crate::shape::is_about_steps(self, formula);
        in_branching_time(self, formula, specification.kind).filter(|_| about_states)
    }

    /// Stops unless everything in the model and in a formula has a value.
    fn formula_has_values(
        &self,
        specification: &Specification,
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let atoms: Vec<_> = (specification.formula.atoms().into_iter().copied()).collect();
        self.have_values(&atoms, budget)
    }
}

impl Run {
    /// The run with a set of states that is not left from its last state on, as evidence against a
    /// property that asks for what the set does not have.
    pub fn with_barrier(&self, program: &Program, set: StateSet) -> Evidence {
        let body = Barrier {
            run: self.body(program),
            set,
        };
        Evidence::of_violated(Barrier::KIND, &body)
    }

    /// The run as evidence against a property. It is accepted if it is about all variables.
    pub fn evidence(&self, program: &Program) -> Evidence {
        Evidence::of_violated(RUN_KIND, &self.body(program))
    }

    fn body(&self, program: &Program) -> RunEvidence {
        let name = |&id: &VariableId| program.variable(id).name.clone();
        let values = |state: &State| {
            let values = self.variables.iter();
            values.map(|&id| program.show(state.value(id))).collect()
        };
        RunEvidence {
            variables: self.variables.iter().map(name).collect(),
            states: self.states.iter().map(values).collect(),
            back_to: self.back_to,
        }
    }
}
