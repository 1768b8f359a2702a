//! Work on a thread of its own, so that a limit or Ctrl-C is answered in time.
//!
//! Engines poll the budget between operations, but one operation of a library cannot be
//! interrupted and may take long. Who waits here does not wait for it: the front end replies with
//! what is known by then.

use std::io::ErrorKind;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quotient_core::{Budget, Stop};

/// How long work may go on after its budget ended, so that it can end in good order.
const GRACE: Duration = Duration::from_millis(200);
/// How long what waits for such work may go on: it has to put into words what is known, which is little work
/// but may take seconds where a machine has too much to do; who gave up then had lost all answers.
const LONGER_GRACE: Duration = Duration::from_secs(15);
/// How often the budget is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Deep formulas are walked by recursion (to a limit).
const STACK: usize = 64 << 20;

/// Runs work on a thread with a deep stack, and gives its result, or the reason why its budget
/// ended long before it did. A panic of the work is passed on.
///
/// Where there are no threads at all, as in a browser, it works here, and ends when it looks at
/// its budget.
pub fn apart<T: Send + 'static>(
    budget: &Budget,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stop> {
    apart_for(GRACE, budget, work)
}

/// The same for work that itself waits for work of its own, and does nothing else that may take
/// long: it has longer to say what came of it, so that answers that are known are not lost to two
/// clocks that end at one time, even where the machine is busy.
pub fn apart_around<T: Send + 'static>(
    budget: &Budget,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stop> {
    apart_for(LONGER_GRACE, budget, work)
}

fn apart_for<T: Send + 'static>(
    grace: Duration,
    budget: &Budget,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Stop> {
    let (done, result) = channel();
    // What a thread that cannot be started was given is lost with it: it only gets a share.
    let work = Arc::new(Mutex::new(Some(work)));
    let given = work.clone();
    let worker = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            if let Some(work) = take(&given) {
                let _ = done.send(work());
            }
        });
    let worker = match worker {
        Ok(worker) => worker,
        Err(error) => return without(&error, || take(&work).map(|work| work())),
    };
    loop {
        let wait = match budget.poll() {
            Ok(()) => LOOK_EVERY,
            Err(_) => grace,
        };
        match (result.recv_timeout(wait), budget.poll()) {
            (Ok(result), _) => {
                // The thread is at its end. Letting go of it just then (instead of waiting for it)
                // is a race in some C libraries, seen three times in a million runs.
                let _ = worker.join();
                return Ok(result);
            }
            // The worker never ends without a result, but for a panic.
            (Err(RecvTimeoutError::Disconnected), _) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => return Err(Stop::inconclusive("the work ended without a result")),
            },
            (Err(RecvTimeoutError::Timeout), Err(stop)) if wait == grace => return Err(stop),
            (Err(RecvTimeoutError::Timeout), _) => {}
        }
    }
}

fn take<T>(slot: &Mutex<Option<T>>) -> Option<T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// What to do when a thread could not be started. Where there never is one, the work is done here;
/// where there are too many, it is not, as the stack of this one may be too small for it.
fn without<T>(error: &std::io::Error, work: impl FnOnce() -> Option<T>) -> Result<T, Stop> {
    let here = match error.kind() {
        ErrorKind::Unsupported => work(),
        _ => None,
    };
    here.ok_or_else(|| Stop::inconclusive(format!("no thread can be started: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_are_no_threads_the_work_is_done_here() {
        let never = ErrorKind::Unsupported.into();
        assert_eq!(without(&never, || Some(7)), Ok(7));
        let too_many = ErrorKind::WouldBlock.into();
        assert!(without(&too_many, || Some(7)).is_err());
    }

    #[test]
    fn work_that_does_not_look_at_its_budget_is_not_waited_for() {
        let budget = Budget::new(Some(Duration::from_millis(30)), None);
        let (release, released) = channel::<()>();
        let stopped = apart(&budget, move || released.recv());
        assert_eq!(stopped, Err(Stop::Time));
        drop(release);
    }

    #[test]
    fn a_result_in_the_time_of_grace_counts() {
        let budget = Budget::unlimited();
        budget.interrupt();
        assert_eq!(apart(&budget, || 7), Ok(7));
    }

    #[test]
    fn what_waits_for_work_outlives_it() {
        let budget = Budget::new(Some(Duration::from_millis(30)), None);
        let (release, released) = channel::<()>();
        let own = budget.clone();
        let outer = apart_around(&budget, move || apart(&own, move || released.recv()));
        assert_eq!(outer, Ok(Err(Stop::Time)));
        drop(release);
    }

    #[test]
    fn a_panic_passes_through() {
        let work = || apart(&Budget::unlimited(), || panic!("on purpose"));
        assert!(std::panic::catch_unwind(work).is_err());
    }
}
