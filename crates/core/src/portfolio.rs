//! Several methods side by side, one answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Budget, Context, Stop, What};

/// One contender: a name, and work that ends in a definite answer or a reason for none.
pub struct Entry<'a, T> {
    name: String,
    work: Box<dyn FnOnce(&mut Context) -> Result<T, Stop> + Send + 'a>,
}

/// Who wins when several methods would answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TieBreak {
    /// Whoever is done first.
    #[default]
    FirstDone,
    /// Whoever stands first in the list among those that answer, whatever the number of
    /// threads and the speed of the machine: an answer stops only the entries after it. Each
    /// entry should have a limit of its own that does not depend on the clock
    /// ([`Budget::child_with_work`](crate::Budget::child_with_work)).
    FirstListed,
}

/// Runs several methods on threads under one budget and takes one definite answer.
///
/// ```
/// use quotient_core::{Context, Portfolio, Stop};
/// let race = Portfolio::new()
///     .entry("gives up", |_| Err(Stop::exhausted("no idea")))
///     .entry("knows", |_| Ok(42))
///     .race(2, &Context::default());
/// assert_eq!(race.answer, Some(42));
/// assert_eq!(race.winner.as_deref(), Some("knows"));
/// ```
pub struct Portfolio<'a, T> {
    entries: Vec<Entry<'a, T>>,
    tie_break: TieBreak,
}

/// How a race ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Race<T> {
    /// The answer, if anyone had one.
    pub answer: Option<T>,
    /// Who gave it.
    pub winner: Option<String>,
    /// Why the others ended, in the order of the list. An entry never started is not in it.
    pub others: Vec<(String, Stop)>,
}

impl<'a, T: Send> Portfolio<'a, T> {
    /// A portfolio without entries.
    pub fn new() -> Self {
        Portfolio {
            entries: Vec::new(),
            tie_break: TieBreak::default(),
        }
    }

    /// Adds a contender.
    pub fn entry(
        mut self,
        name: impl Into<String>,
        work: impl FnOnce(&mut Context) -> Result<T, Stop> + Send + 'a,
    ) -> Self {
        self.entries.push(Entry {
            name: name.into(),
            work: Box::new(work),
        });
        self
    }

    /// Sets who wins a tie.
    pub fn tie_break(mut self, tie_break: TieBreak) -> Self {
        self.tie_break = tie_break;
        self
    }

    /// Runs the entries in order on up to `threads` threads, until one answers.
    ///
    /// A method that panics counts as having no answer, so that a bug in one does not lose
    /// the answer of another.
    pub fn race(self, threads: usize, cx: &Context) -> Race<T> {
        let tie_break = self.tie_break;
        let names: Vec<String> = self
            .entries
            .iter()
            .map(|entry| entry.name.clone())
            .collect();
        let budgets: Vec<Budget> = names.iter().map(|_| cx.budget.child()).collect();
        let waiting: Vec<Mutex<Option<Entry<'a, T>>>> = self
            .entries
            .into_iter()
            .map(|entry| Mutex::new(Some(entry)))
            .collect();
        let results: Vec<Mutex<Option<Result<T, Stop>>>> =
            names.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        // The least index that has answered; the number of entries while none has.
        let best = AtomicUsize::new(names.len());

        let worker = || loop {
            let i = next.fetch_add(1, Ordering::SeqCst);
            if i >= names.len() || best.load(Ordering::SeqCst) < i {
                return;
            }
            if tie_break == TieBreak::FirstDone && best.load(Ordering::SeqCst) < names.len() {
                return;
            }
            let Some(entry) = take(&waiting[i]) else {
                return;
            };
            let mut own = Context {
                budget: budgets[i].clone(),
                story: cx.story.of_method(&entry.name),
                limits: cx.limits,
                attempt: 0,
            };
            let result = catch_unwind(AssertUnwindSafe(|| (entry.work)(&mut own)))
                .unwrap_or_else(|_| Err(Stop::inconclusive("internal error: the method panicked")));
            if result.is_ok() {
                best.fetch_min(i, Ordering::SeqCst);
                for (j, budget) in budgets.iter().enumerate() {
                    if j > i || (tie_break == TieBreak::FirstDone && j != i) {
                        budget.supersede();
                    }
                }
            }
            put(&results[i], result);
        };
        let threads = threads.clamp(1, names.len().max(1));
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Where no thread can be started, those that are there do the work of all.
                if std::thread::Builder::new()
                    .spawn_scoped(scope, worker)
                    .is_err()
                {
                    break;
                }
            }
            worker();
        });

        let mut race = Race {
            answer: None,
            winner: None,
            others: Vec::new(),
        };
        for (name, result) in names.into_iter().zip(&results) {
            match take(result) {
                Some(Ok(answer)) if race.answer.is_none() => {
                    race.answer = Some(answer);
                    race.winner = Some(name);
                }
                Some(Ok(_)) => race.others.push((name, Stop::Superseded)),
                Some(Err(stop)) => race.others.push((name, stop)),
                None => {}
            }
        }
        if let Some(winner) = &race.winner {
            cx.story.tell(|| What::Note {
                text: format!("answered by {winner}"),
            });
        }
        race
    }
}

impl<T: Send> Default for Portfolio<'_, T> {
    fn default() -> Self {
        Portfolio::new()
    }
}

fn take<T>(slot: &Mutex<Option<T>>) -> Option<T> {
    slot.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .take()
}

fn put<T>(slot: &Mutex<Option<T>>, value: T) {
    *slot
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner) = Some(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until_stopped(cx: &mut Context) -> Result<u32, Stop> {
        loop {
            cx.budget.poll()?;
            std::thread::yield_now();
        }
    }

    #[test]
    fn an_answer_stops_the_others() {
        let race = Portfolio::new()
            .entry("loops", until_stopped)
            .entry("knows", |_| Ok(1))
            .race(2, &Context::default());
        assert_eq!(race.winner.as_deref(), Some("knows"));
        assert_eq!(race.others, [("loops".to_owned(), Stop::Superseded)]);
    }

    #[test]
    fn the_first_listed_wins_ties_on_any_number_of_threads() {
        for threads in 1..=4 {
            let race = Portfolio::new()
                .tie_break(TieBreak::FirstListed)
                .entry("none", |_| Err(Stop::Work))
                .entry("slow", |_| {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    Ok(1)
                })
                .entry("quick", |_| Ok(2))
                .entry("loops", until_stopped)
                .race(threads, &Context::default());
            assert_eq!(race.winner.as_deref(), Some("slow"), "{threads} threads");
        }
    }

    #[test]
    fn a_panic_does_not_lose_the_answer() {
        let race = Portfolio::new()
            .entry("broken", |_| -> Result<u32, Stop> { panic!("on purpose") })
            .entry("knows", |_| Ok(7))
            .race(1, &Context::default());
        assert_eq!(race.answer, Some(7));
        assert!(matches!(race.others[0].1, Stop::Inconclusive { .. }));
    }

    #[test]
    fn nobody_answers_when_the_budget_ends() {
        let cx = Context::default();
        cx.budget.interrupt();
        let race = Portfolio::new().entry("loops", until_stopped).race(1, &cx);
        assert_eq!(race.answer, None);
        assert_eq!(race.others, [("loops".to_owned(), Stop::Interrupted)]);
    }

    #[test]
    fn an_empty_portfolio_has_no_answer() {
        assert_eq!(
            Portfolio::<u32>::new().race(4, &Context::default()).answer,
            None
        );
    }
}
