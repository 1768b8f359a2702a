//! Questions, and what is known about them.

use quotient_core::{Evidence, Stop, Verdict};
use quotient_language::Answer;
use serde_json::json;

use crate::evidence::{BOUND, Bound, Weights};
use crate::formula::{Formula, Question};
use crate::properties::Asked;

/// What is known about a question.
pub(crate) struct Task {
    pub(crate) asked: Asked,
    /// The property that it belongs to, by number in the file, from 0.
    pub(crate) number: usize,
    /// Which part of it this is, and of how many.
    pub(crate) part: usize,
    pub(crate) parts: usize,
    /// Whether it was tried to give evidence for an answer that had none.
    pub(crate) shown: bool,
    pub(crate) answer: Option<Answer>,
    /// Whether the answer was told already (and is gone).
    pub(crate) told: bool,
    /// Of bounds: the most tokens seen, with the run there, and the most that weights allow.
    pub(crate) seen: Option<(u64, Vec<usize>)>,
    pub(crate) allowed: Option<(u64, Weights)>,
}

impl Task {
    /// The tasks of a property: one, or one for each of its parts.
    pub(crate) fn of(number: usize, asked: &Asked) -> Vec<Task> {
        let task = |question: &Question| Task {
            asked: Asked {
                question: question.clone(),
                ..asked.clone()
            },
            number,
            part: 0,
            parts: 1,
            shown: false,
            answer: None,
            told: false,
            seen: None,
            allowed: None,
        };
        match &asked.question {
            Question::Several { parts, .. } => {
                let mut tasks: Vec<Task> = parts.iter().map(task).collect();
                let number = tasks.len();
                for (part, task) in tasks.iter_mut().enumerate() {
                    (task.part, task.parts) = (part, number);
                }
                tasks
            }
            question => vec![task(question)],
        }
    }

    /// Whether its answer lacks evidence that a diagram may still give.
    pub(crate) fn lacks_evidence(&self) -> bool {
        let answer = self.answer.as_ref();
        let lacks = answer.is_some_and(|one| one.evidence.is_none() && one.verdict.is_definite());
        lacks && !self.shown && self.asked.question != Question::Size
    }

    pub(crate) fn told(self, stop: &Stop) -> Answer {
        self.answer.unwrap_or_else(|| {
            let mut answer = match &self.asked.question {
                Question::Beyond(why) => Answer::unknown(&self.asked.name, Stop::exhausted(why)),
                _ => Answer::unknown(&self.asked.name, stop.clone()),
            };
            if let Some((seen, _)) = &self.seen {
                answer.details.push(("atLeast".to_owned(), json!(seen)));
                answer.notes.push(format!("{seen} tokens were seen"));
            }
            if let Some((allowed, _)) = &self.allowed {
                answer.details.push(("atMost".to_owned(), json!(allowed)));
                answer
                    .notes
                    .push(format!("more than {allowed} tokens are impossible"));
            }
            answer
        })
    }

    /// What must be reached to settle the question: a formula and its value.
    pub(crate) fn goal(&self) -> Option<(&Formula, bool)> {
        match &self.asked.question {
            Question::Possible(goal) => Some((goal, true)),
            Question::Always(safe) => Some((safe, false)),
            _ => None,
        }
    }

    /// Whether it needs no more work.
    pub(crate) fn is_answered(&self) -> bool {
        self.told || self.answer.is_some()
    }

    /// Whether single markings may still settle it.
    pub(crate) fn is_open(&self) -> bool {
        let about_markings = matches!(
            self.asked.question,
            Question::Possible(_) | Question::Always(_) | Question::Most(_)
        );
        !self.is_answered() && about_markings
    }

    /// Whether it is an open question about runs.
    pub(crate) fn is_open_over_time(&self) -> bool {
        !self.is_answered() && matches!(self.asked.question, Question::Temporal(_))
    }

    /// Whether it asks for a number of markings that is not known.
    pub(crate) fn is_open_about_size(&self) -> bool {
        !self.is_answered() && self.asked.question == Question::Size
    }

    /// The verdict if the goal is reached, and if it never is.
    pub(crate) fn verdict(&self, reached: bool) -> Verdict {
        match matches!(self.asked.question, Question::Possible(_)) == reached {
            true => Verdict::Holds,
            false => Verdict::Violated,
        }
    }

    pub(crate) fn evidence(
        &self,
        reached: bool,
        kind: &str,
        body: &impl serde::Serialize,
    ) -> Evidence {
        let evidence = match self.verdict(reached) {
            Verdict::Holds => Evidence::of_holds(kind, body),
            _ => Evidence::of_violated(kind, body),
        };
        evidence.about(&self.asked.name)
    }

    pub(crate) fn evidence_of_bound(&self, bound: &Bound) -> Evidence {
        Evidence::of_holds(BOUND, bound).about(&self.asked.name)
    }
}
