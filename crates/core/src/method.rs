//! Approximate, check, refine: the one loop.

use std::time::{Duration, Instant};

use crate::{Budget, Stop, Story, Verdict, What};

/// One approximation technique: try, and when the answer is a false alarm, say what to refine.
///
/// [`run`] drives a method to its end; a debugger or a teacher calls
/// [`attempt`](Method::attempt) and [`refine`](Method::refine) by hand.
pub trait Method {
    /// Evidence that the property holds.
    type Proof;
    /// A real violation.
    type Trace;
    /// A false alarm, with what is needed to refine.
    type Spurious;

    /// Checks the present approximation.
    fn attempt(
        &mut self,
        cx: &mut Context,
    ) -> Result<Attempt<Self::Proof, Self::Trace, Self::Spurious>, Stop>;

    /// Makes the approximation finer, so that this false alarm does not come back.
    fn refine(&mut self, false_alarm: Self::Spurious, cx: &mut Context) -> Result<(), Stop>;
}

/// What one check of an approximation gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt<Proof, Trace, Spurious> {
    /// The property holds.
    Proved(Proof),
    /// The property is violated.
    Refuted(Trace),
    /// The approximation violates the property, the system need not.
    FalseAlarm(Spurious),
}

/// What a method works with.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// How long and how much it may work.
    pub budget: Budget,
    /// Where to tell what happens.
    pub story: Story,
    /// How often it may refine.
    pub limits: Limits,
    /// The attempt under way, from 0; [`run`] counts it.
    pub attempt: u64,
}

impl Context {
    /// The same with so many units of work, beside all other limits.
    #[must_use]
    pub fn with_work(&self, units: u64) -> Context {
        Context {
            budget: self.budget.child_with_work(units),
            ..self.clone()
        }
    }
}

impl Default for Story {
    fn default() -> Self {
        Story::silent()
    }
}

/// Limits of the loop itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// The most refinements, or as many as the budget allows.
    pub refinements: Option<u64>,
}

/// The end of a run.
#[derive(Debug, Clone)]
pub struct Outcome<Proof, Trace> {
    /// How it ended.
    pub conclusion: Conclusion<Proof, Trace>,
    /// How many refinements it took.
    pub refinements: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// A verdict with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conclusion<Proof, Trace> {
    /// The property holds.
    Holds(Proof),
    /// The property is violated.
    Violated(Trace),
    /// Neither was established.
    Unknown(Stop),
}

impl<Proof, Trace> Conclusion<Proof, Trace> {
    /// The verdict alone.
    pub fn verdict(&self) -> Verdict {
        match self {
            Conclusion::Holds(_) => Verdict::Holds,
            Conclusion::Violated(_) => Verdict::Violated,
            Conclusion::Unknown(stop) => Verdict::Unknown(stop.clone()),
        }
    }
}

/// Drives a method until it proves, refutes, gives up or its budget ends.
///
/// The method stays with the caller, who may look at its last approximation afterwards.
///
/// ```
/// use quotient_core::{Attempt, Conclusion, Context, Method, Stop, run};
///
/// /// Guesses that a number is below a bound, which it doubles until that is true.
/// struct Guess { number: u32, bound: u32 }
///
/// impl Method for Guess {
///     type Proof = u32;
///     type Trace = ();
///     type Spurious = ();
///     fn attempt(&mut self, _: &mut Context) -> Result<Attempt<u32, (), ()>, Stop> {
///         Ok(if self.number < self.bound { Attempt::Proved(self.bound) } else { Attempt::FalseAlarm(()) })
///     }
///     fn refine(&mut self, _: (), _: &mut Context) -> Result<(), Stop> {
///         self.bound = self.bound.checked_mul(2).ok_or(Stop::exhausted("the bound overflowed"))?;
///         Ok(())
///     }
/// }
///
/// let outcome = run(&mut Guess { number: 5, bound: 1 }, &mut Context::default());
/// assert_eq!(outcome.conclusion, Conclusion::Holds(8));
/// assert_eq!(outcome.refinements, 3);
/// ```
pub fn run<M: Method>(method: &mut M, cx: &mut Context) -> Outcome<M::Proof, M::Trace> {
    let began = Instant::now();
    let mut refinements = 0;
    let conclusion = match refine_until_sure(method, cx, &mut refinements) {
        Ok(conclusion) => conclusion,
        Err(stop) => Conclusion::Unknown(stop),
    };
    cx.story.tell(|| What::Ended {
        outcome: conclusion.verdict().to_string(),
        sizes: [("refinements", refinements)].into(),
    });
    Outcome {
        conclusion,
        refinements,
        elapsed: began.elapsed(),
    }
}

fn refine_until_sure<M: Method>(
    method: &mut M,
    cx: &mut Context,
    refinements: &mut u64,
) -> Result<Conclusion<M::Proof, M::Trace>, Stop> {
    loop {
        cx.budget.poll()?;
        cx.attempt = *refinements;
        match method.attempt(cx)? {
            Attempt::Proved(proof) => return Ok(Conclusion::Holds(proof)),
            Attempt::Refuted(trace) => return Ok(Conclusion::Violated(trace)),
            Attempt::FalseAlarm(false_alarm) => {
                if let Some(most) = cx.limits.refinements.filter(|&most| *refinements >= most) {
                    return Err(Stop::bound("the number of refinements", most));
                }
                cx.budget.poll()?;
                method.refine(false_alarm, cx)?;
                *refinements += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NeverSure;

    impl Method for NeverSure {
        type Proof = ();
        type Trace = ();
        type Spurious = ();
        fn attempt(&mut self, _: &mut Context) -> Result<Attempt<(), (), ()>, Stop> {
            Ok(Attempt::FalseAlarm(()))
        }
        fn refine(&mut self, (): (), _: &mut Context) -> Result<(), Stop> {
            Ok(())
        }
    }

    #[test]
    fn refinement_limit_ends_the_loop() {
        let mut cx = Context {
            limits: Limits {
                refinements: Some(3),
            },
            ..Context::default()
        };
        let outcome = run(&mut NeverSure, &mut cx);
        assert_eq!(outcome.refinements, 3);
        assert!(matches!(
            outcome.conclusion,
            Conclusion::Unknown(Stop::Bound { limit: 3, .. })
        ));
    }

    #[test]
    fn an_interrupted_budget_ends_the_loop() {
        let mut cx = Context::default();
        cx.budget.interrupt();
        let outcome = run(&mut NeverSure, &mut cx);
        assert_eq!(outcome.conclusion, Conclusion::Unknown(Stop::Interrupted));
    }
}
