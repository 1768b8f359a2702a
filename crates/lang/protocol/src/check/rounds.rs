//! Properties that say what must happen where runs need not repeat, asked of the engine.

use std::sync::Arc;

use quotient_core::{Budget, Context, Diagnostic, Stop, Trouble};
use quotient_regular::{Found, Options};

use super::progress::unanswered;
use super::{Answered, ranking};
use crate::progress::{Ranks, Rounds, Unproved, Unsound};
use crate::{Compiled, Protocol};

impl Protocol {
    /// Whether not everybody can have their turn while a property is not true: then it is true.
    pub(super) fn check_rounds(
        &self,
        property: &str,
        compiled: &Compiled,
        options: &Options,
        cx: &Context,
    ) -> Result<Answered, Trouble> {
        let stopped = |stop| Ok(unanswered(property, compiled, stop));
        let rounds = match self.rounds(property, &cx.budget) {
            Ok(Some(rounds)) => rounds,
            Ok(None) => {
                let demand = self.progress_demand(property);
                let reason = demand.and_then(|demand| self.no_rounds_because(demand));
                let reason = reason.unwrap_or("it says nothing");
                let message = format!("this progress cannot be checked: {reason}");
                return stopped(Stop::inconclusive(message));
            }
            Err(Trouble::Stopped(stop)) => return stopped(stop),
            Err(Trouble::Invalid(mistakes)) if mistakes.iter().any(too_many) => {
                return stopped(Stop::inconclusive(
                    "this progress cannot be checked: too many letters would also say who had \
                     their turn",
                ));
            }
            Err(error) => return Err(error),
        };
        let moves: Vec<_> = rounds.moves.iter().map(|(_, moves)| moves).collect();
        let ranks = match ranking::ranks(&moves, &rounds.letters.names, &cx.budget) {
            Ok(ranks) => ranks,
            Err(stop) => return stopped(stop),
        };
        let problem = match rounds.problem(&ranks, &cx.budget) {
            Ok(problem) => Arc::new(problem),
            Err(Unproved::Ranks(Unsound::Stopped(stop))) => return stopped(stop),
            Err(Unproved::Trouble(trouble)) => return Err(trouble),
            Err(Unproved::Ranks(_)) => {
                return stopped(Stop::inconclusive("weights that were found show nothing"));
            }
        };
        let options = Options {
            doubt: false,
            ..options.clone()
        };
        let report = quotient_regular::check(&problem, &options, cx);
        let Some(answer) = report.answers.into_iter().next() else {
            return stopped(Stop::inconclusive("it says nothing"));
        };
        match &answer.found {
            Found::Proof(_) => {}
            Found::Nothing(stop) => return stopped(stop.clone()),
            Found::Run(_) => {
                return stopped(Stop::inconclusive(
                    "everybody can have their turn while it is not so, but no run was found that \
                     goes on like that for ever",
                ));
            }
        }
        let notes = self.notes_on_rounds(&rounds, &ranks, &cx.budget)?;
        Ok(Answered {
            answer,
            problem,
            trace: None,
            instance: None,
            ranks: Some(ranks),
            notes,
        })
    }

    fn notes_on_rounds(
        &self,
        rounds: &Rounds,
        ranks: &Ranks,
        budget: &Budget,
    ) -> Result<Vec<String>, Trouble> {
        let mut notes = vec![self.fairness_in_words().to_owned()];
        let finite = rounds.taken_finitely_often(ranks, budget)?;
        if !finite.is_empty() {
            let names: Vec<String> = finite.iter().map(|name| format!("`{name}`")).collect();
            notes.push(format!(
                "while it is not so, these are taken only so many times, as something becomes less by \
                 them that nothing makes more: {}",
                names.join(", ")
            ));
        }
        Ok(notes)
    }
}

/// Whether a mistake says that there are too many letters.
fn too_many(mistake: &Diagnostic) -> bool {
    mistake.code == "too-many-letters"
}
