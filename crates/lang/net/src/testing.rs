//! What the tests of several methods need: a checker, questions, and the plain second way.

use std::collections::BTreeSet;

use quotient_core::{Context, Source};
use quotient_language::Answer;

use crate::check::{Checker, Task};
use crate::formula::{Formula, Question};
use crate::net::Net;
use crate::properties::Asked;
use crate::temporal;

/// A net as text.
pub(crate) fn read(text: &str) -> Net {
    crate::tina::read(&Source::new("r.net", text)).unwrap()
}

/// Who answers with one thread; a test that needs it otherwise changes the rest.
pub(crate) fn checker<'a>(net: &'a Net, cx: &'a Context) -> Checker<'a> {
    Checker {
        net,
        cx,
        most: 100_000,
        threads: 1,
        nested: false,
        symmetry: true,
    }
}

/// Whether a marking can be reached where the formula holds, under the name `reached`.
pub(crate) fn possible(goal: &Formula) -> Asked {
    Asked {
        name: "reached".to_owned(),
        text: "reached".to_owned(),
        kind: "reachable",
        question: Question::Possible(goal.clone()),
        span: None,
    }
}

/// Markings in the order of a plain search that goes on until there are more than so many, and whether these are all.
pub(crate) fn some_markings(net: &Net, most: usize) -> (Vec<Vec<u64>>, bool) {
    let start = net.start().unwrap();
    let mut seen = BTreeSet::from([start.clone()]);
    let mut all = vec![start];
    let mut at = 0;
    while at < all.len() {
        for one in &net.transitions {
            let next = one.fire(&all[at]);
            all.extend(next.filter(|next| seen.insert(next.clone())));
        }
        at += 1;
        if all.len() > most {
            return (all, false);
        }
    }
    (all, true)
}

/// All markings, if there are no more than so many.
pub(crate) fn all_markings(net: &Net, most: usize) -> Option<Vec<Vec<u64>>> {
    let (all, complete) = some_markings(net, most);
    complete.then_some(all)
}

/// The answer that a method gives to a question, without making use of parts that can be exchanged.
pub(crate) fn answered(
    net: &Net,
    asked: &Asked,
    method: impl FnOnce(&Checker<'_>, &[u64], &mut [Task]),
) -> Option<Answer> {
    let cx = Context::default();
    let checker = Checker {
        most: 3_000,
        symmetry: false,
        ..checker(net, &cx)
    };
    let mut tasks = Task::of(0, asked);
    method(&checker, &net.start().unwrap(), &mut tasks);
    tasks[0].answer.take()
}

/// The answer of the plain search to a question about runs.
pub(crate) fn answered_plainly(net: &Net, asked: &Asked) -> Option<Answer> {
    answered(net, asked, |checker, start, tasks| {
        let mut bits = vec![1; start.len()];
        let ready = &mut |_: &mut [Task]| {};
        let _ = temporal::solve(checker, start, checker.most, &mut bits, tasks, ready);
    })
}
