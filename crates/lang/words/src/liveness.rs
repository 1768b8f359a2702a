//! That something happens again and again, as a question about reachability.

use quotient_automata::liveness::{
    Fairness, LivenessError, communal_liveness, individual_liveness,
};
use quotient_automata::{Predicate, Problem};
use quotient_core::{Budget, Diagnostic, Trouble};
use quotient_language::Settings;

/// The problem itself, or the one that says that progress goes on.
pub(crate) fn apply(
    problem: Problem,
    settings: &Settings,
    budget: &Budget,
) -> Result<Problem, Trouble> {
    let Some(whose) = settings.text("liveness") else {
        return Ok(problem);
    };
    let progress: Vec<&str> = settings
        .all("progress-step")
        .iter()
        .map(String::as_str)
        .collect();
    if progress.is_empty() {
        return Err(usage(
            "it is not said which steps are progress",
            format!("name them with --progress-step: {}", steps(&problem)),
        ));
    }
    let lifted = match whose {
        "individual" => {
            let waiting = waiting(&problem, settings)?;
            let fair_steps = settings.all("fair-step");
            let fairness = match (settings.text("fairness"), fair_steps.is_empty()) {
                (Some("none"), _) => Fairness::None,
                (_, false) => Fairness::Through(fair_steps.to_vec()),
                _ => Fairness::Weak,
            };
            individual_liveness(&problem, &waiting, &progress, fairness, budget)?
        }
        _ => {
            let single = ["waiting", "fairness", "fair-step"];
            if single.iter().any(|name| settings.is_given(name)) {
                return Err(usage(
                    "--waiting, --fairness and --fair-step are about single processes",
                    "they go with `--liveness individual`".to_owned(),
                ));
            }
            communal_liveness(&problem, &progress)
        }
    };
    lifted.map_err(|error| refused(&error, &problem).into())
}

/// The letters of processes that wait.
fn waiting(problem: &Problem, settings: &Settings) -> Result<Predicate, Trouble> {
    let alphabet = problem.alphabet();
    let names = settings.all("waiting");
    if names.is_empty() {
        let letters: Vec<&str> = alphabet.names().take(12).collect();
        return Err(usage(
            "it is not said which processes wait",
            format!(
                "name their letters with --waiting, as {}",
                letters.join(", ")
            ),
        ));
    }
    let mut letters = Vec::new();
    let mut wrong = Vec::new();
    for name in names {
        match alphabet.letter(name) {
            Some(letter) => letters.push(letter),
            None => wrong.push(
                Diagnostic::error("no-such-letter", format!("there is no letter `{name}`"))
                    .did_you_mean(name, alphabet.names()),
            ),
        }
    }
    match wrong.is_empty() {
        true => Ok(Predicate::of(alphabet, letters)),
        false => Err(wrong.into()),
    }
}

fn usage(message: &str, help: String) -> Trouble {
    Diagnostic::error("usage", message).help(help).into()
}

fn refused(error: &LivenessError, problem: &Problem) -> Diagnostic {
    let diagnostic = Diagnostic::error("liveness", error.to_string());
    match error {
        LivenessError::UnknownTransducer { .. } => {
            diagnostic.note(format!("the steps are {}", steps(problem)))
        }
        LivenessError::ChangesLength { .. } => diagnostic
            .note("a run that goes on for ever comes back only where steps keep the length"),
    }
}

fn steps(problem: &Problem) -> String {
    let parts = problem.relation().parts().iter();
    let names: Vec<String> = parts.map(|(name, _)| format!("`{name}`")).collect();
    names.join(", ")
}
