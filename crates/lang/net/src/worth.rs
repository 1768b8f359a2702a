//! Which markings are worth a closer look: by any thread, while one of them changes what is known.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::check::Task;
use crate::formula::{Formula, Linear, Question};
use crate::net::Net;

/// What open questions look for. A look may come too late to know that a question is settled:
/// then it says yes too often, never too seldom.
pub(crate) struct Wanted<'a> {
    net: &'a Net,
    sought: Vec<Sought>,
}

struct Sought {
    kind: Kind,
    open: AtomicBool,
    /// The largest sum so far, one more: nothing was seen at 0.
    seen: AtomicU64,
}

enum Kind {
    /// A marking where the formula has the value.
    Goal(Formula, bool),
    /// A sum larger than those seen.
    Most(Vec<(usize, i64)>),
    Nothing,
}

impl<'a> Wanted<'a> {
    pub(crate) fn new(net: &'a Net, tasks: &[Task]) -> Wanted<'a> {
        let sought = tasks.iter().map(|task| Sought {
            kind: match (&task.asked.question, task.goal()) {
                (Question::Most(terms), _) => Kind::Most(terms.clone()),
                (_, Some((goal, value))) => Kind::Goal(goal.clone(), value),
                _ => Kind::Nothing,
            },
            open: AtomicBool::new(task.is_open()),
            seen: AtomicU64::new(seen(task)),
        });
        Wanted {
            net,
            sought: sought.collect(),
        }
    }

    /// Notes what is known of the tasks.
    pub(crate) fn note(&self, tasks: &[Task]) {
        for (sought, task) in self.sought.iter().zip(tasks) {
            sought.open.store(task.is_open(), Relaxed);
            sought.seen.store(seen(task), Relaxed);
        }
    }

    /// Whether a marking with these tokens and so many steps from it may settle or raise something.
    pub(crate) fn is_worth(&self, tokens: &impl Fn(usize) -> u64, successors: usize) -> bool {
        let open = self.sought.iter().filter(|one| one.open.load(Relaxed));
        let mut worth = open.map(|one| match &one.kind {
            Kind::Goal(goal, value) => match goal.about_stuck() {
                Some(stuck) => ((successors == 0) == stuck) == *value,
                None => goal.holds_with(self.net, tokens) == *value,
            },
            Kind::Most(terms) => {
                // One that is too large is worth a look, which then tells it.
                let sum = u64::try_from(Linear::sum_with(terms, tokens)).unwrap_or(u64::MAX);
                sum >= one.seen.load(Relaxed)
            }
            Kind::Nothing => false,
        });
        worth.any(|worth| worth)
    }
}

fn seen(task: &Task) -> u64 {
    let seen = task.seen.as_ref();
    seen.map_or(0, |seen| seen.0.saturating_add(1))
}
