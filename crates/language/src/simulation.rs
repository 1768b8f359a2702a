//! A run that somebody makes step by step.

use quotient_core::{Context, Span, Trouble};

use crate::{Json, Random, Trace};

/// A run that grows and shrinks at its end: one prompt and one page serve all languages.
///
/// Where a model can begin in several ways, the first step is the choice of a beginning.
pub trait Simulation {
    /// What can be done now, in a stable order; at most about a hundred, the rest is said by
    /// [`Status::more`].
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble>;

    /// Takes a choice, by its place among [`choices`](Simulation::choices).
    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble>;

    /// Takes some step; says whether there was one.
    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        let number = self.choices(cx)?.len();
        if number == 0 {
            return Ok(false);
        }
        self.take(random.below(number), cx)?;
        Ok(true)
    }

    /// Undoes the last step; says whether there was one.
    fn undo(&mut self) -> bool;

    /// The run so far.
    fn trace(&self) -> Trace;

    /// How things stand.
    fn status(&mut self, cx: &Context) -> Result<Status, Trouble>;

    /// Why an action cannot be taken now; whole lines.
    fn refusal(&self, action: &str) -> Vec<String> {
        let _ = action;
        Vec::new()
    }

    /// An action as the choices spell it, from how a user may write it.
    fn spelled(&self, action: &str) -> String {
        action.trim().to_owned()
    }

    /// Lets only steps through that fulfil a condition in the language; none lifts it again.
    fn constrain(&mut self, condition: Option<&str>) -> Result<(), Trouble> {
        let _ = condition;
        Err(Trouble::usage("this language takes no conditions on steps"))
    }

    /// The run so far for programs, in the words of the language.
    fn details(&mut self, cx: &Context) -> Result<Vec<(String, Json)>, Trouble> {
        let _ = cx;
        Ok(Vec::new())
    }
}

/// Something that can be done now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// What it is called, and by what name it can be chosen.
    pub action: String,
    /// What it leads to, where that tells choices of the same name apart, or is worth showing.
    pub leads_to: String,
    /// Whether it happens by itself, and is not for the user to choose.
    pub automatic: bool,
    /// Its place in the source.
    pub place: Option<Span>,
}

/// How things stand in a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// Whether nothing can be done although the run has not ended well.
    pub deadlock: bool,
    /// What there is to say about the state reached: that it is an end, that it violates
    /// something; whole lines.
    pub notes: Vec<String>,
    /// Where everybody is; whole lines, longer than the trace says it.
    pub whereabouts: Vec<String>,
    /// Whether there are more choices than were listed.
    pub more: bool,
}
