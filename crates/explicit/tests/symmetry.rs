//! Canonical forms against the plain search, on random systems of equal processes.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use quotient_core::Budget;
use quotient_explicit::{
    Ending, Graph, Limits, Order, StateId, System, real_run, search, search_together,
};
use quotient_trial::arbitrary::{Result as Made, Unstructured};

/// Processes with the same table of steps, and a common counter: a process goes from one place to
/// another where the counter is as wanted, and sets it.
struct Equals {
    number: usize,
    steps: Vec<(u64, u64, u64, u64)>,
    symmetric: bool,
}

impl System for Equals {
    fn width(&self) -> usize {
        self.number + 1
    }

    fn initial(&self, emit: &mut dyn FnMut(&[u64])) {
        emit(&vec![0; self.width()]);
    }

    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
        for process in 0..self.number {
            for (number, &(from, wanted, to, set)) in self.steps.iter().enumerate() {
                if state[process] == from && state[self.number] == wanted {
                    let mut next = state.to_vec();
                    (next[process], next[self.number]) = (to, set);
                    emit((process * self.steps.len() + number) as u32, &next);
                }
            }
        }
        Ok(())
    }

    fn canonical(&self, state: &mut [u64]) -> bool {
        if self.symmetric {
            state[..self.number].sort_unstable();
        }
        self.symmetric
    }
}

fn random(u: &mut Unstructured<'_>) -> Made<Equals> {
    let mut steps = Vec::new();
    for _ in 0..u.int_in_range(1..=7)? {
        let mut place = || u.int_in_range(0..=3);
        let (from, to) = (place()?, place()?);
        let mut counter = || u.int_in_range(0..=2);
        steps.push((from, counter()?, to, counter()?));
    }
    Ok(Equals {
        number: u.int_in_range(1..=4)?,
        steps,
        symmetric: true,
    })
}

fn sorted(system: &Equals, state: &[u64]) -> Vec<u64> {
    let mut form = state.to_vec();
    form[..system.number].sort_unstable();
    form
}

#[test]
fn canonical_forms_are_those_of_the_states_that_a_plain_search_finds_by_runs_of_the_same_length() {
    quotient_trial::trial(|u| {
        let mut system = random(u)?;
        let (limits, budget) = (Limits::default(), Budget::unlimited());
        let visit = &mut |_: &Graph, _: StateId, _: &[u64], _: usize| ControlFlow::Continue(());
        let (few, ending) = search(&system, Order::Breadth, &limits, &budget, visit);
        assert_eq!(ending, Ending::Complete);
        let (together, _) = search_together(&system, &limits, &budget, 2, None, visit);
        system.symmetric = false;
        let (all, _) = search(&system, Order::Breadth, &limits, &budget, visit);
        let ids = |graph: &Graph| StateId::all(graph.len());
        let forms: BTreeSet<(Vec<u64>, usize)> = ids(&all)
            .map(|id| (sorted(&system, &all.state(id)), all.run(id).1.len()))
            .collect();
        let kept: Vec<Vec<u64>> = ids(&few).map(|id| few.state(id)).collect();
        let also: Vec<Vec<u64>> = ids(&together).map(|id| together.state(id)).collect();
        assert_eq!(kept, also);
        let lengths = ids(&few).map(|id| (few.state(id), few.run(id).1.len()));
        assert_eq!(lengths.collect::<BTreeSet<_>>(), forms);
        // Each has a run of the system itself.
        system.symmetric = true;
        for id in ids(&few) {
            let (mut state, labels) = real_run(&system, &few, id).unwrap();
            assert_eq!(labels.len(), few.run(id).1.len());
            for label in labels {
                let mut next = None;
                let tell = &mut |one: u32, after: &[u64]| {
                    if one == label {
                        next = Some(after.to_vec());
                    }
                };
                system.successors(&state, tell).unwrap();
                state = next.unwrap();
            }
            assert_eq!(sorted(&system, &state), few.state(id));
        }
        Ok(())
    })
    .budget_ms(1_500);
}
