//! `--liveness`: that something happens again and again, as a question about reachability.

use clap::{Args, ValueEnum};
use quotient_automata::Predicate;
use quotient_core::{Diagnostic, nearest};
use quotient_regular::{Fairness, LivenessError, Problem, communal_liveness, individual_liveness};

use crate::failure::Failure;
use crate::session::Session;

/// What must go on happening.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Liveness (problems about words)")]
pub(crate) struct LivenessWishes {
    /// Check that progress goes on instead of the properties of the problem: that somebody makes
    /// progress again and again, or that whoever waits does.
    #[arg(long, value_enum, value_name = "WHOSE")]
    liveness: Option<Whose>,
    /// A step of this transducer is progress; may be given several times.
    #[arg(long, value_name = "STEP", requires = "liveness")]
    progress_step: Vec<String>,
    /// A process with this letter waits; may be given several times.
    #[arg(long, value_name = "LETTER", requires = "liveness")]
    waiting: Vec<String>,
    /// What schedules respect: every process steps or cannot (weak), or nothing.
    #[arg(long, value_enum, value_name = "HOW", requires = "liveness")]
    fairness: Option<How>,
    /// Take a schedule for fair if every process makes a step of this transducer; may be given
    /// several times.
    #[arg(
        long,
        value_name = "STEP",
        requires = "liveness",
        conflicts_with = "fairness"
    )]
    fair_step: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whose {
    /// Somebody makes progress again and again.
    Communal,
    /// Every process that waits makes progress some time.
    Individual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum How {
    /// In a loop every process makes a step, or is seen when it cannot.
    Weak,
    /// Some process makes a step.
    None,
}

impl LivenessWishes {
    /// The problem itself, or the one that says that progress goes on.
    pub(super) fn apply(&self, problem: Problem, session: &Session) -> Result<Problem, Failure> {
        let Some(whose) = self.liveness else {
            return Ok(problem);
        };
        let progress: Vec<&str> = self.progress_step.iter().map(String::as_str).collect();
        if progress.is_empty() {
            return Err(usage(
                "it is not said which steps are progress",
                &format!("name them with --progress-step: {}", steps(&problem)),
            ));
        }
        let lifted = match whose {
            Whose::Communal => {
                if !self.waiting.is_empty() || self.fairness.is_some() || !self.fair_step.is_empty()
                {
                    return Err(usage(
                        "--waiting, --fairness and --fair-step are about single processes",
                        "they go with `--liveness individual`",
                    ));
                }
                communal_liveness(&problem, &progress)
            }
            Whose::Individual => {
                let waiting = self.waiting(&problem)?;
                let fairness = match (self.fairness, self.fair_step.is_empty()) {
                    (Some(How::None), _) => Fairness::None,
                    (_, false) => Fairness::Through(self.fair_step.clone()),
                    _ => Fairness::Weak,
                };
                individual_liveness(&problem, &waiting, &progress, fairness, &session.budget)?
            }
        };
        lifted.map_err(|error| refused(&error, &problem).into())
    }

    /// The letters of processes that wait.
    fn waiting(&self, problem: &Problem) -> Result<Predicate, Failure> {
        let alphabet = problem.alphabet();
        if self.waiting.is_empty() {
            let letters: Vec<&str> = alphabet.names().take(12).collect();
            return Err(usage(
                "it is not said which processes wait",
                &format!(
                    "name their letters with --waiting, as {}",
                    letters.join(", ")
                ),
            ));
        }
        let mut letters = Vec::new();
        for name in &self.waiting {
            letters.push(alphabet.letter(name).ok_or_else(|| {
                let diagnostic =
                    Diagnostic::error("no-such-letter", format!("there is no letter `{name}`"));
                match nearest(name, alphabet.names()) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic,
                }
            })?);
        }
        Ok(Predicate::of(alphabet, letters))
    }
}

fn usage(message: &str, help: &str) -> Failure {
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
    let names = problem
        .relation()
        .parts()
        .iter()
        .map(|(name, _)| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}
