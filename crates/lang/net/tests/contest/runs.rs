//! Whether some run fulfils a formula of linear time, by guessing what each of its parts is worth at
//! each marking.

use crate::Formula::{self, *};
use crate::{Space, holds_now};

/// The parts of a formula that are about what comes later, those inside first.
fn promises<'a>(formula: &'a Formula, all: &mut Vec<&'a Formula>) {
    match formula {
        Not(inner) => promises(inner, all),
        And(left, right) | Or(left, right) => {
            promises(left, all);
            promises(right, all);
        }
        Next(inner) | Finally(inner) | Globally(inner) => {
            promises(inner, all);
            all.push(formula);
        }
        Until(left, right) => {
            promises(left, all);
            promises(right, all);
            all.push(formula);
        }
        _ => {}
    }
}

/// A marking with a guess of what each of the promises is worth there.
struct Guesses<'a> {
    space: &'a Space,
    promises: Vec<&'a Formula>,
}

impl Guesses<'_> {
    fn value(&self, formula: &Formula, (at, guess): (usize, u32)) -> bool {
        let of = |inner: &Formula| self.value(inner, (at, guess));
        match formula {
            Not(inner) => !of(inner),
            And(left, right) => of(left) && of(right),
            Or(left, right) => of(left) || of(right),
            Next(_) | Finally(_) | Globally(_) | Until(..) => {
                let number = self
                    .promises
                    .iter()
                    .position(|one| std::ptr::eq(*one, formula));
                guess >> number.unwrap() & 1 == 1
            }
            _ => holds_now(self.space, formula, at),
        }
    }

    fn follows(&self, one: (usize, u32), next: (usize, u32)) -> bool {
        self.promises.iter().all(|&promise| {
            let (now, later) = (self.value(promise, one), self.value(promise, next));
            now == match promise {
                Next(inner) => self.value(inner, next),
                Finally(inner) => self.value(inner, one) || later,
                Globally(inner) => self.value(inner, one) && later,
                Until(left, right) => self.value(right, one) || self.value(left, one) && later,
                _ => panic!("no promise"),
            }
        })
    }

    /// Whether a promise is not put off here.
    fn kept(&self, promise: &Formula, at: (usize, u32)) -> bool {
        match promise {
            Finally(inner) => !self.value(promise, at) || self.value(inner, at),
            Globally(inner) => self.value(promise, at) || !self.value(inner, at),
            Until(_, right) => !self.value(promise, at) || self.value(right, at),
            _ => true,
        }
    }
}

/// Whether some run from the start fulfils a formula of linear time.
pub(crate) fn some_run(space: &Space, formula: &Formula) -> bool {
    let mut all = Vec::new();
    promises(formula, &mut all);
    let guesses = Guesses {
        space,
        promises: all,
    };
    let size = 1 << guesses.promises.len();
    let number = |(at, guess): (usize, u32)| at * size + guess as usize;
    let node = |number: usize| (number / size, (number % size) as u32);
    let nodes = space.markings.len() * size;
    let next: Vec<Vec<usize>> = (0..nodes)
        .map(|one| {
            let (at, _) = node(one);
            let mut markings: Vec<usize> = space.next[at].iter().map(|one| one.1).collect();
            if markings.is_empty() {
                markings.push(at);
            }
            let pairs = markings
                .iter()
                .flat_map(|&to| (0..size as u32).map(move |guess| (to, guess)));
            let pairs = pairs.filter(|&pair| guesses.follows(node(one), pair));
            pairs.map(number).collect()
        })
        .collect();
    let reach = |from: &[usize]| {
        let mut seen = vec![false; nodes];
        let mut todo = from.to_vec();
        while let Some(one) = todo.pop() {
            if !std::mem::replace(&mut seen[one], true) {
                todo.extend(&next[one]);
            }
        }
        seen
    };
    let starts: Vec<usize> = (0..size)
        .filter(|&guess| guesses.value(formula, (0, guess as u32)))
        .collect();
    let reached = reach(&starts);
    let beyond: Vec<Vec<bool>> = (0..nodes).map(|one| reach(&next[one])).collect();
    (0..nodes).any(|one| {
        let round = |other: usize| beyond[one][other] && beyond[other][one];
        let keeps = |promise: &&Formula| {
            (0..nodes).any(|other| round(other) && guesses.kept(promise, node(other)))
        };
        reached[one] && beyond[one][one] && guesses.promises.iter().all(keeps)
    })
}
