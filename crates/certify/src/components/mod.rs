//! Evidence about systems of components: assumptions, traces, infinite executions, and the
//! claim that a search found nothing.
//!
//! Assumptions are checked on the components, premise by premise; the whole system is only
//! multiplied out where the evidence says that a search did so.

mod aggregated;
mod alike;
mod assumption;
mod built;
mod diagram;
mod doomed;
mod explored;
mod formula;
mod fragment;
mod lasso;
mod model;
mod outside;
mod reduce;
mod reduced;
mod stubborn;
mod trace;
mod traced;
mod whole;

use quotient_core::{Budget, Claim, Evidence};
use quotient_lts::evidence::{
    AGGREGATED, ASSUMPTION, AggregatedData, AssumptionData, DIAGRAM, DOOMED, DiagramData,
    DoomedData, EXPLORED, ExploredData, LASSO, LassoData, NO_DEADLOCK, REDUCED, ReducedData,
    STUBBORN, Sought, StubbornData, TRACE, TraceData,
};
use quotient_lts::{Question, System};

use crate::{Certified, Rejection, check_envelope};
pub use built::{multiplied_out, strongly_minimal};
use model::{Idle, matched};
pub use model::{Violable, violable};
pub(crate) use whole::components_of;

/// Checks evidence about a system of components: that its components are those of the system,
/// and that it shows what it claims.
///
/// ```
/// use quotient_certify::certify_components;
/// use quotient_core::{Budget, Evidence};
/// use quotient_lts::evidence::{EXPLORED, ExploredData, LtsData, NO_DEADLOCK, Sought, SystemData};
/// use quotient_lts::{LtsBuilder, Origin, Question, System};
/// let mut system = System::new();
/// let tick = system.actions.intern("tick");
/// let mut clock = LtsBuilder::new();
/// clock.edge(0, tick, 0);
/// let clock = clock.build();
/// let data = ExploredData {
///     system: SystemData {
///         origin: Origin::default(),
///         events: vec!["tau".into(), "tick".into()],
///         hidden: vec![],
///         priority: None,
///         components: vec![LtsData::new("CLOCK", &clock)],
///     },
///     sought: Sought::Deadlock,
///     states: Some(1),
///     transitions: Some(1),
/// };
/// system.process("CLOCK", clock);
/// let evidence = Evidence::of_holds(EXPLORED, &data).about(NO_DEADLOCK);
/// let question = Question::default();
/// assert!(certify_components(&evidence, &system, &question, &Budget::unlimited()).is_ok());
/// ```
pub fn certify_components(
    evidence: &Evidence,
    system: &System,
    question: &Question,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    check_envelope(evidence, budget)?;
    let Some(about) = &evidence.property else {
        return Err(Rejection::wrong(
            "the evidence does not say which property it is about",
        ));
    };
    let is_about_safety = matches!(
        evidence.kind.as_str(),
        ASSUMPTION | TRACE | AGGREGATED | DIAGRAM
    );
    if is_about_safety && !matches!(question, Question::Safety { .. }) {
        return Err(Rejection::wrong("the evidence is not about what is asked"));
    }
    let facts = shown(evidence, about, system, question, budget)?;
    Ok(Certified {
        property: about.clone(),
        facts,
    })
}

/// What the evidence shows, by its kind and claim.
fn shown(
    evidence: &Evidence,
    about: &str,
    system: &System,
    question: &Question,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    Ok(match (evidence.kind.as_str(), evidence.claim) {
        (ASSUMPTION, Claim::Holds) => {
            let data: AssumptionData = read(evidence)?;
            let model = matched(&data.system, system, Idle::Nobody, budget)?;
            model.refuse_priorities()?;
            assumption::check(&data, &model, about, budget)?
        }
        (TRACE, Claim::Violated) => {
            let data: TraceData = read(evidence)?;
            let idle = match data.error {
                Some(_) => Idle::OtherProperties(about),
                None => Idle::Nobody,
            };
            let model = matched(&data.system, system, idle, budget)?;
            trace::check(&data, &model, about, budget)?
        }
        (LASSO, Claim::Violated) => {
            let data: LassoData = read(evidence)?;
            let model = matched(&data.system, system, Idle::Nobody, budget)?;
            lasso::check(&data, &model, about, question, budget)?
        }
        (DOOMED, Claim::Violated) => {
            let data: DoomedData = read(evidence)?;
            let model = matched(&data.system, system, Idle::Nobody, budget)?;
            doomed::check(&data, &model, about, question, budget)?
        }
        (EXPLORED, Claim::Holds) => {
            let data: ExploredData = read(evidence)?;
            let idle = match data.sought {
                Sought::Error => Idle::OtherProperties(about),
                _ => Idle::Nobody,
            };
            let model = matched(&data.system, system, idle, budget)?;
            explored::check(&data, &model, about, question, budget)?
        }
        (AGGREGATED, Claim::Holds) => {
            let data: AggregatedData = read(evidence)?;
            let idle = match about == NO_DEADLOCK {
                true => Idle::Nobody,
                false => Idle::OtherProperties(about),
            };
            let model = matched(&data.system, system, idle, budget)?;
            model.refuse_priorities()?;
            match about == NO_DEADLOCK {
                true => aggregated::check(&data, &model, about, budget)?,
                false => traced::check(&data, &model, about, budget)?,
            }
        }
        (REDUCED, Claim::Holds) => {
            let data: ReducedData = read(evidence)?;
            let model = matched(&data.system, system, Idle::Nobody, budget)?;
            model.refuse_priorities()?;
            reduced::check(&data, &model, about, question, budget)?
        }
        (STUBBORN, Claim::Holds) => followed(evidence, about, system, question, budget)?,
        (DIAGRAM, Claim::Holds) => {
            let data: DiagramData = read(evidence)?;
            let idle = match data.sought {
                Sought::Deadlock => Idle::Watchers,
                _ => Idle::OtherProperties(about),
            };
            let model = matched(&data.system, system, idle, budget)?;
            model.refuse_priorities()?;
            diagram::check(&data, &model, about, budget)?
        }
        (
            ASSUMPTION | TRACE | LASSO | DOOMED | EXPLORED | AGGREGATED | REDUCED | STUBBORN
            | DIAGRAM,
            _,
        ) => {
            return Err(Rejection::wrong(
                "the evidence is not of a kind that shows the verdict it claims",
            ));
        }
        (kind, _) => {
            return Err(Rejection::unreadable(format!(
                "evidence of kind `{kind}` is not about components"
            )));
        }
    })
}

/// What is shown by a search that leaves events out, about safety or about what goes on for ever.
fn followed(
    evidence: &Evidence,
    about: &str,
    system: &System,
    question: &Question,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let data: StubbornData = read(evidence)?;
    let is_safety = matches!(question, Question::Safety { .. });
    let idle = match data.sought {
        Sought::Deadlock => Idle::Watchers,
        Sought::Error => Idle::OtherProperties(about),
        Sought::Starvation | Sought::Formula { .. } => Idle::Nobody,
    };
    let model = matched(&data.system, system, idle, budget)?;
    model.refuse_priorities()?;
    match (data.sought, is_safety) {
        (Sought::Deadlock | Sought::Error, true) => stubborn::check(&data, &model, about, budget),
        _ => stubborn::runs::check(&data, &model, about, question, budget),
    }
}

fn read<T: serde::de::DeserializeOwned>(evidence: &Evidence) -> Result<T, Rejection> {
    evidence
        .read()
        .map_err(|error| Rejection::unreadable(format!("the evidence is damaged: {error}")))
}
