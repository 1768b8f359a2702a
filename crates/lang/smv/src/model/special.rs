//! Specifications that are no formulas of CTL or LTL: PSL with sequences, and distances. (Names for
//! states are in `hybrid`.)

use quotient_core::{Context, Stop, Trouble, Verdict};
use quotient_language::{Answer, Number};
use quotient_symbolic as symbolic;

use super::properties::Asked;
use super::{Opened, config, told};
use crate::program::{Distance, NodeId, Saying, Specification};
use crate::psl::{Watched, holds_on, watch};
use crate::run::Run;
use crate::session::Session;
use crate::syntax::{Psl, SpecificationKind};

impl Opened {
    /// Answers one of them.
    pub(super) fn special(
        &self,
        asked: &Asked,
        number: usize,
        cx: &Context,
    ) -> Result<Answer, Trouble> {
        let says = self.file.program().specials()[number].says.clone();
        let answer = match &says {
            Saying::Unread(why) => {
                let why = format!("{why}: the specification was skipped");
                Ok(asked.unknown(Stop::inconclusive(why)))
            }
            Saying::Property(property) => self.property(asked, property, cx),
            Saying::Hybrid(formula) => self.hybrid(asked, formula, cx),
            Saying::Distance(distance) => self.distance(asked, distance, cx),
        };
        match answer {
            Err(Trouble::Stopped(stop)) => Ok(asked.unknown(stop)),
            answer => answer,
        }
    }

    /// A property with sequences: the program with automata that watch it, as LTL.
    fn property(
        &self,
        asked: &Asked,
        property: &Psl<NodeId>,
        cx: &Context,
    ) -> Result<Answer, Trouble> {
        let own = self.file.program();
        let Some(Watched { program, formula }) = watch(own, property) else {
            let why = "a sequence of the property is too large";
            return Ok(asked.unknown(Stop::inconclusive(why)));
        };
        let mut file = self.file.with_program(program);
        file.retain_specifications(|_| false);
        file.add_specification(formula_of(asked, SpecificationKind::Ltl, formula));
        let mut session = Session::open(file, config(cx), cx)?;
        let mut found = session.check(0).map_err(|error| vec![error])?;
        found.run = found
            .run
            .map(|run| without_watchers(run, own.variables().len()));
        if let (Verdict::Violated, Some(run)) = (&found.verdict, &found.run) {
            let back_to = run.back_to.unwrap_or(run.states.len());
            let shown = back_to < run.states.len()
                && holds_on(own, property, &run.states, back_to) == Some(false);
            if !shown {
                let why = "the run found does not violate the property; this is a bug in \
                           quotient: please report it";
                return Ok(asked.unknown(Stop::inconclusive(why)));
            }
        }
        let answer = self.told(own, asked, found);
        Ok(self.unless_empty(&mut session, asked, answer, cx))
    }

    /// `COMPUTE MIN` and `COMPUTE MAX`.
    fn distance(
        &self,
        asked: &Asked,
        distance: &Distance,
        cx: &Context,
    ) -> Result<Answer, Trouble> {
        let formulas = [&distance.start, &distance.goal];
        let formulas = formulas.map(|one| formula_of(asked, SpecificationKind::Ctl, one.clone()));
        let mut session = self.open_session(formulas, cx)?;
        let (start, goal) = (session.formula(0).clone(), session.formula(1).clone());
        let checker = session.checker();
        let found = match distance.longest {
            true => checker.longest(&start, &goal).map(|steps| (steps, None)),
            false => checker.shortest(&start, &goal),
        };
        let (steps, trace) = match found {
            Ok(found) => found,
            Err(symbolic::Refusal::Stopped(stop)) => return Ok(asked.unknown(stop)),
            Err(refusal) => return Err(vec![refusal.diagnostic(&asked.source)].into()),
        };
        let (value, exact, because) = match steps {
            symbolic::Distance::NoStart if !distance.longest => {
                let because = "no reachable state is one to start from";
                (f64::INFINITY, "infinity".to_owned(), because.to_owned())
            }
            symbolic::Distance::NoStart => {
                let why = "undefined: there is no state to start from";
                return Ok(asked.unknown(Stop::inconclusive(why)));
            }
            symbolic::Distance::Steps(steps) => {
                let kind = if distance.longest {
                    "longest"
                } else {
                    "shortest"
                };
                let plural = if steps == 1 { "" } else { "s" };
                let because = format!("the {kind} way takes {steps} step{plural}");
                (steps as f64, steps.to_string(), because)
            }
            symbolic::Distance::Infinite => {
                let because = match distance.longest {
                    true => "some way never gets there",
                    false => "no way leads there",
                };
                (f64::INFINITY, "infinity".to_owned(), because.to_owned())
            }
        };
        let mut answer = asked.answer(Verdict::Holds).because(because);
        let evidence = (self.file.program()).distance_evidence(distance, &exact, &cx.budget);
        answer.evidence = evidence.map(|evidence| evidence.about(&asked.property.name));
        answer.value = Some(Number {
            value,
            lower: value,
            upper: value,
            exact: Some(exact),
        });
        if let Some(trace) = trace {
            let run = session.run(&trace);
            let program = session.file().program();
            answer.trace = Some(told::trace(&run, program, &asked.property.text));
        }
        Ok(self.unless_empty(&mut session, asked, answer, cx))
    }
}

fn formula_of(
    asked: &Asked,
    kind: SpecificationKind,
    formula: quotient_logic::Formula<NodeId>,
) -> Specification {
    Specification {
        kind,
        is_psl: kind == SpecificationKind::Ltl,
        name: None,
        formula,
        text: asked.property.text.clone(),
        span: asked.property.span.unwrap_or_default(),
    }
}

/// A run of the program with watchers as one of the program without.
fn without_watchers(mut run: Run, variables: usize) -> Run {
    for state in &mut run.states {
        state.0.truncate(variables);
    }
    run.variables.retain(|id| id.index() < variables);
    run
}
