//! Formulas of branching time with names for states.

use quotient_core::{Context, Evidence, Trouble, Verdict};
use quotient_language::Answer;
use quotient_logic::Hybrid;
use quotient_symbolic::{HybridOutcome, check_hybrid};
use serde_json::json;

use super::properties::Asked;
use super::{Opened, config, told};
use crate::certify::{HYBRID_KIND, NamedState};
use crate::compile::Compiled;
use crate::explicit::is_small_enough;
use crate::program::NodeId;
use crate::run::Run;

impl Opened {
    /// Whether a formula is true in all initial states where a fair path begins.
    pub(super) fn hybrid(
        &self,
        asked: &Asked,
        formula: &Hybrid<NodeId>,
        cx: &Context,
    ) -> Result<Answer, Trouble> {
        let program = self.file.program();
        let mut compiled = Compiled::new(program, &cx.budget)?;
        let atoms = &mut |&node: &NodeId| compiled.condition(program, node, &cx.budget);
        let lowered = formula.try_map(atoms)?;
        let found = check_hybrid(compiled.model(), &lowered, config(cx), cx)?;
        let mut answer = match &found {
            HybridOutcome::Holds => asked
                .answer(Verdict::Holds)
                .because("true in all initial states"),
            HybridOutcome::Violated(_) => asked
                .answer(Verdict::Violated)
                .because("false in an initial state"),
        };
        // Evidence never speaks for a model without initial states.
        let empty = found == HybridOutcome::Holds && self.settings.flag("allow-empty");
        let small = !empty && is_small_enough(program, formula.names());
        let mut evidence = Evidence::of_holds(HYBRID_KIND, &json!({}));
        if let HybridOutcome::Violated(trace) = &found {
            let states = trace.states.iter().take(1);
            let run = Run {
                states: states.map(|one| compiled.state(program, one)).collect(),
                back_to: None,
                variables: program.variable_ids().collect(),
            };
            if let Some(state) = run.states.first() {
                let named = NamedState::new(program, state);
                evidence = Evidence::of_violated(HYBRID_KIND, &named);
            }
            answer.trace = Some(told::trace(&run, program, &asked.property.text));
            let json = told::to_json(&run, program);
            answer.details.push(("run".to_owned(), json));
        }
        if !formula.unused().is_empty() {
            let note = "a state is given a name that is never used\n";
            answer.notes.push(note.to_owned());
        }
        match small {
            true => answer.evidence = Some(evidence.about(&asked.property.name)),
            false if empty => {}
            false => answer
                .notes
                .push("no evidence: the model is too large to look at each state\n".to_owned()),
        }
        Ok(self.if_it_starts(answer, asked, || compiled.has_initial_state(&cx.budget)))
    }
}
