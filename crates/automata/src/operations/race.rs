//! Several ways to the same answer, side by side.

use std::sync::{Arc, Mutex, PoisonError};

use quotient_core::{Budget, Stop};

use super::question::Question;
use crate::Word;

/// The answer to whether two languages are related: a word against it, or nothing.
pub(super) type Answer = Option<Word>;

/// One way to an answer. It counts its work in steps that take about the same time on every way,
/// and can pause.
pub(super) trait Contender: Send {
    /// Goes on until there is an answer, or until this much work is done in all.
    fn run(&mut self, work: u64, budget: &Budget) -> Result<Option<Answer>, Stop>;
}

/// A contender and when it takes part.
pub(super) struct Lane<'a> {
    contender: Box<dyn Contender + 'a>,
    /// It starts when the others have done this much work.
    starts: u64,
    /// It does one step for so many of the first.
    slowed: u64,
}

impl<'a> Lane<'a> {
    /// A contender that takes part from the beginning.
    pub(super) fn new(contender: impl Contender + 'a) -> Lane<'a> {
        Lane {
            contender: Box::new(contender),
            starts: 0,
            slowed: 1,
        }
    }

    /// The same, but it starts later and goes slower.
    pub(super) fn later(self, starts: u64, slowed: u64) -> Lane<'a> {
        Lane {
            starts,
            slowed,
            ..self
        }
    }

    fn run(&mut self, work: u64, budget: &Budget) -> Result<Option<Answer>, Stop> {
        match work >= self.starts {
            true => self.contender.run(work / self.slowed, budget),
            false => Ok(None),
        }
    }
}

/// A contender that is made ready when its turn comes.
pub(super) struct Later<C, M> {
    question: Arc<Question>,
    make: M,
    contender: Option<C>,
}

impl<C, M: Fn(Arc<Question>) -> C> Later<C, M> {
    pub(super) fn new(question: &Arc<Question>, make: M) -> Later<C, M> {
        Later {
            question: Arc::clone(question),
            make,
            contender: None,
        }
    }
}

impl<C: Contender, M: Fn(Arc<Question>) -> C + Send> Contender for Later<C, M> {
    fn run(&mut self, work: u64, budget: &Budget) -> Result<Option<Answer>, Stop> {
        let (question, make) = (&self.question, &self.make);
        self.contender
            .get_or_insert_with(|| make(Arc::clone(question)))
            .run(work, budget)
    }
}

/// Makes a contender for the words read backwards.
pub(super) fn backwards<C>(make: fn(Arc<Question>) -> C) -> impl Fn(Arc<Question>) -> C + Send {
    move |question| make(Arc::new(question.reversed()))
}

/// How much work is done before the others have their turn for the first time: most questions
/// are answered by then.
const FIRST_ROUND: u64 = 1 << 9;

/// Up to how much work rounds double.
const SHORT_ROUND: u64 = 1 << 13;

/// From how much work on two threads pay for themselves.
const THREADS_FROM: u64 = 1 << 20;

/// The first answer, and how much work each contender was allowed for it.
///
/// All go on in rounds, each up to the same amount of *counted* work, and the first in the list
/// that has an answer after a round wins. So the answer and its word do not depend on the clock
/// nor on threads. Long rounds grow by a quarter: no more than that is wasted.
pub(super) fn race(mut lanes: Vec<Lane<'_>>, budget: &Budget) -> Result<(Answer, u64), Stop> {
    let mut work = FIRST_ROUND;
    loop {
        let answer = match work < THREADS_FROM {
            true => in_turn(&mut lanes, work, budget)?,
            false => side_by_side(&mut lanes, work, budget)?,
        };
        if let Some(answer) = answer {
            return Ok((answer, work));
        }
        work = match work < SHORT_ROUND {
            true => 2 * work,
            false => work.saturating_add(work / 4),
        };
    }
}

fn in_turn(lanes: &mut [Lane<'_>], work: u64, budget: &Budget) -> Result<Option<Answer>, Stop> {
    for lane in lanes {
        if let Some(answer) = lane.run(work, budget)? {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

/// Every second contender on a thread of its own.
fn side_by_side(
    lanes: &mut [Lane<'_>],
    work: u64,
    budget: &Budget,
) -> Result<Option<Answer>, Stop> {
    let numbered = lanes.iter_mut().enumerate();
    let (even, odd): (Vec<_>, Vec<_>) = numbered.partition(|(number, _)| number % 2 == 0);
    let first_answer = |lanes: Vec<(usize, &mut Lane<'_>)>| {
        for (number, lane) in lanes {
            if let Some(answer) = lane.run(work, budget)? {
                return Ok(Some((number, answer)));
            }
        }
        Ok(None)
    };
    // Where no thread can be started, the odd ones are still here afterwards.
    let odd = Mutex::new(odd);
    let take = || std::mem::take(&mut *odd.lock().unwrap_or_else(PoisonError::into_inner));
    let (here, there) = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new();
        let there = thread.spawn_scoped(scope, || first_answer(take()));
        let here = first_answer(even);
        let there = match there {
            Ok(there) => there
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => first_answer(take()),
        };
        (here, there)
    });
    let answers = [here?, there?].into_iter().flatten();
    Ok(answers
        .min_by_key(|(number, _)| *number)
        .map(|(_, answer)| answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Letter;

    /// Answers with a word of one letter after some work.
    struct After(u64, u32);

    impl Contender for After {
        fn run(&mut self, work: u64, _: &Budget) -> Result<Option<Answer>, Stop> {
            Ok((work >= self.0).then(|| Some(vec![Letter(self.1)])))
        }
    }

    fn winner(works: &[u64]) -> u32 {
        let lanes = works.iter().zip(0..);
        let lanes = lanes.map(|(&work, name)| Lane::new(After(work, name)));
        let (answer, _) = race(lanes.collect(), &Budget::unlimited()).unwrap();
        answer.unwrap()[0].0
    }

    #[test]
    fn the_least_work_wins_and_then_the_first() {
        for scale in [1, 1 << 10, 1 << 24] {
            assert_eq!(
                winner(&[90 * scale, 100 * scale, 10 * scale]),
                u32::from(scale > 1) * 2
            );
            assert_eq!(
                winner(&[90 * scale, 10 * scale, 10 * scale]),
                u32::from(scale > 1)
            );
            assert_eq!(winner(&[10 * scale, 10 * scale]), 0);
        }
    }
}
