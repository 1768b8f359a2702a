//! The model itself, searched state by state: a second opinion on small models.

use quotient_core::{Context, Stop, Trouble, Verdict};
use quotient_language::{Answer, Inspected};

use super::properties::Asked;
use super::{Opened, told};
use crate::explicit::{Branching, Searched};
use crate::run::Run;
use crate::shape;
use crate::syntax::SpecificationKind;

/// More states are not kept.
const MOST_STATES: usize = 1 << 20;

impl Opened {
    /// Searches all states, and answers what that decides.
    pub(super) fn inspect(&mut self, cx: &Context) -> Result<Inspected, Trouble> {
        let asked = self.choose(&[])?;
        let program = self.file.program();
        let conditions: Vec<_> = asked
            .iter()
            .filter_map(|asked| asked.specification.as_ref().ok())
            .filter(|one| one.kind == SpecificationKind::Invariant)
            .map(|one| &one.formula)
            .filter(|formula| shape::is_about_steps(program, formula))
            .collect();
        let searched = Searched::new(program, &conditions, MOST_STATES, &cx.budget);
        let branching = match searched.stopped {
            None => Branching::new(program, &searched),
            Some(_) => None,
        };
        let finding = Finding {
            searched: &searched,
            branching: branching.as_ref(),
            allow_empty: self.settings.flag("allow-empty"),
        };
        let mut steps = 0;
        let answers = asked.iter().map(|one| {
            let wrong = one.specification.as_ref().is_ok_and(|one| {
                one.kind == SpecificationKind::Invariant
                    && shape::is_about_steps(program, &one.formula)
            });
            steps += usize::from(wrong);
            let step = wrong.then(|| searched.wrong_steps[steps - 1].as_ref());
            self.inspected(one, &finding, step)
        });
        let answers = answers.collect();
        let edges: usize = searched.successors.iter().map(Vec::len).sum();
        let ends = (searched.successors.iter()).filter(|after| after.is_empty());
        let mut notes = Vec::new();
        if let Some(stop) = &searched.stopped {
            notes.push(format!("not all states were searched: {stop}"));
        }
        match ends.count() {
            0 => {}
            1 => notes.push("1 state has no successor".to_owned()),
            many => notes.push(format!("{many} states have no successor")),
        }
        Ok(Inspected {
            what: "every state, one by one".to_owned(),
            sizes: vec![
                ("states", searched.states.len() as u64),
                ("initial states", searched.initial as u64),
                ("steps", edges as u64),
                ("depth", searched.depth as u64),
            ],
            answers,
            notes,
        })
    }

    /// The answer to one specification. For one about steps, the step that violates it.
    fn inspected(
        &self,
        asked: &Asked,
        finding: &Finding,
        step: Option<Option<&(usize, crate::State, usize)>>,
    ) -> Answer {
        let program = self.file.program();
        let specification = match &asked.specification {
            Ok(specification) => specification,
            Err(why) => return asked.unknown(Stop::inconclusive(why.clone())),
        };
        let searched = finding.searched;
        let violation = match (step, shape::invariant(specification)) {
            (Some(Some(step)), _) => Some(searched.run_through(program, step)),
            (None, Some(formula)) if specification.kind == SpecificationKind::Invariant => {
                let violates = |state: &&crate::State| {
                    !shape::truth(formula, &|atom| program.is_true(atom, state, None))
                };
                let found = searched.states.iter().position(|state| violates(&state));
                found.map(|at| searched.run_to(program, at))
            }
            _ => None,
        };
        if let Some(run) = violation {
            return self.violated(asked, &run);
        }
        if let Some(stop) = &searched.stopped {
            return asked.unknown(stop.clone());
        }
        if searched.initial == 0 && !finding.allow_empty {
            return asked.unknown(Stop::inconclusive("no state is initial"));
        }
        let decided = match specification.kind {
            SpecificationKind::Invariant => Some(true),
            kind => (finding.branching)
                .filter(|_| !shape::is_about_steps(program, &specification.formula))
                .and_then(|branching| branching.holds(&specification.formula, kind)),
        };
        match decided {
            Some(true) => asked.answer(Verdict::Holds).because("all states looked at"),
            Some(false) => asked
                .answer(Verdict::Violated)
                .because("all states looked at"),
            None => asked.unknown(Stop::inconclusive(
                "such a formula is not decided state by state",
            )),
        }
    }

    fn violated(&self, asked: &Asked, run: &Run) -> Answer {
        let program = self.file.program();
        let mut answer = asked
            .answer(Verdict::Violated)
            .because(told::describe(run, None));
        answer.trace = Some(told::trace(run, program, &asked.property.text));
        let json = told::to_json(run, program);
        answer.details.push(("run".to_owned(), json));
        answer.evidence = Some(run.evidence(program).about(&asked.property.name));
        answer
    }
}

/// What the search found.
struct Finding<'a> {
    searched: &'a Searched,
    branching: Option<&'a Branching<'a>>,
    allow_empty: bool,
}
