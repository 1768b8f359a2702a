//! Through the states in which alike components are sorted.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Instant;

use quotient_core::{Context, Stop, What};

use super::swap::Swap;
use super::{Order, Symmetry};
use crate::product::{Product, Scratch, StateTable, Target, Word};
use crate::stubborn::{Closure, Stubborn};
use crate::{Action, Exploration, Keep, State, Violation};

pub(super) fn search<const W: usize>(
    product: &Product,
    symmetry: &Symmetry,
    (keep, order): (Keep, Order),
    stubborn: &Stubborn<'_>,
    cx: &Context,
) -> Result<Exploration, Stop> {
    let goals = keep.goals();
    let mut found = Exploration {
        states: 0,
        transitions: 0,
        depth: 0,
        finding: None,
    };
    let initial: Word<W> = match product.initial() {
        Target::State(state) => state,
        Target::Error(part) => {
            found.finding = goals.error.then(|| (Violation::Error(part), Vec::new()));
            return Ok(found);
        }
    };
    let began = Instant::now();
    let mut sorter = Sorter::new(product, symmetry);
    let mut met = StateTable::<W>::new();
    let mut parents = vec![0];
    met.insert(sorter.sorted(&initial, |_| {}))?;
    let (mut scratch, mut closure) = (Scratch::default(), Closure::default());
    let mut targets: Vec<Word<W>> = Vec::new();
    let mut todo = VecDeque::from([(0, 0)]);
    let mut end = None;
    while end.is_none()
        && let Some((number, depth)) = match order {
            Order::Nearest => todo.pop_front(),
            Order::Deepest => todo.pop_back(),
        }
    {
        found.depth = found.depth.max(depth);
        let state = *met.state(number);
        targets.clear();
        let before = found.transitions;
        let flow = stubborn.expand(&state, &mut scratch, &mut closure, |action, target| {
            found.transitions += 1;
            match target {
                Target::State(next) => targets.push(next),
                Target::Error(part) if goals.error => return ControlFlow::Break((action, part)),
                Target::Error(_) => {}
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break((action, part)) = flow {
            end = Some((number, Some((action, part))));
        } else if goals.deadlock && found.transitions == before && !product.has_ended(&state) {
            end = Some((number, None));
        }
        for target in &targets {
            if let (next, true) = met.insert(sorter.sorted(target, |_| {}))? {
                parents.push(number);
                todo.push_back((next, depth + 1));
            }
        }
        cx.budget.charge(1 + closure.take_work())?;
    }
    found.states = met.len() as u64;
    let seconds = began.elapsed().as_secs_f64().max(1e-9);
    cx.story.tell(|| What::Ended {
        outcome: "explored".into(),
        sizes: [
            ("states", found.states),
            ("transitions", found.transitions),
            ("states per second", (found.states as f64 / seconds) as u64),
        ]
        .into(),
    });
    if let Some((last, error)) = end {
        let mut way = vec![last];
        while way[way.len() - 1] != 0 {
            way.push(parents[way[way.len() - 1] as usize]);
        }
        way.reverse();
        let states: Vec<Word<W>> = way.iter().map(|&number| *met.state(number)).collect();
        let (who, mut events) = unsorted(&mut sorter, &states)?;
        let violation = match error {
            None => Violation::Deadlock,
            Some((action, part)) => {
                events.push(who.event(action));
                Violation::Error(who.components[part])
            }
        };
        found.finding = Some((violation, events));
    }
    Ok(found)
}

/// Sorts states.
pub(crate) struct Sorter<'a> {
    product: &'a Product,
    symmetry: &'a Symmetry,
    locals: Vec<State>,
    keys: Vec<u128>,
    /// Room for turns.
    turned: [Vec<State>; 2],
}

/// Sorting one set can bring another out of order; a state that is not quite sorted is only
/// looked at again in another order.
const MOST_PASSES: usize = 3;

impl<'a> Sorter<'a> {
    pub(crate) fn new(product: &'a Product, symmetry: &'a Symmetry) -> Sorter<'a> {
        Sorter {
            product,
            symmetry,
            locals: Vec::new(),
            keys: Vec::new(),
            turned: Default::default(),
        }
    }

    /// The state that stands for all that are the same; what undoes each change on the way is told.
    pub(crate) fn sorted<const W: usize>(
        &mut self,
        state: &Word<W>,
        mut exchanged: impl FnMut(&Swap),
    ) -> Word<W> {
        self.locals.clear();
        let parts = 0..self.product.parts().len();
        self.locals
            .extend(parts.map(|part| self.product.local(state, part)));
        let mut is_changed = false;
        for _ in 0..MOST_PASSES {
            let mut again = false;
            for alike in &self.symmetry.alike {
                again |= alike.sort(&mut self.locals, &mut self.keys, &mut exchanged);
            }
            is_changed |= again;
            if !again || self.symmetry.alike.len() == 1 {
                break;
            }
        }
        if let Some(turn) = &self.symmetry.turn {
            let [best, next] = &mut self.turned;
            if let Some(back) = turn.least(&mut self.locals, (best, next)) {
                exchanged(back);
                is_changed = true;
            }
        }
        match is_changed {
            true => self.product.packed(&self.locals),
            false => *state,
        }
    }
}

/// The events of an execution that leads through states which, when sorted, are these; and who
/// is who at its end.
fn unsorted<const W: usize>(
    sorter: &mut Sorter<'_>,
    states: &[Word<W>],
) -> Result<(Swap, Vec<Action>), Stop> {
    let product = sorter.product;
    let mut all = sorter.symmetry.all();
    let known = all.next().map_or(0, |swap| swap.events.len());
    drop(all);
    let mut who = Swap {
        components: (0..product.parts().len()).collect(),
        events: (0..known as u32).collect(),
        states: Vec::new(),
    };
    let mut events = Vec::new();
    let mut scratch = Scratch::default();
    for pair in states.windows(2) {
        let step = product.expand(&pair[0], &mut scratch, |action, target| match target {
            Target::State(next) if sorter.sorted(&next, |_| {}) == pair[1] => {
                ControlFlow::Break((action, next))
            }
            _ => ControlFlow::Continue(()),
        });
        let ControlFlow::Break((action, next)) = step else {
            return Err(Stop::inconclusive("a state without a predecessor"));
        };
        events.push(who.event(action));
        // The changes are undone from the last to the first.
        sorter.sorted(&next, |swap| {
            who.components = swap
                .components
                .iter()
                .map(|&at| who.components[at])
                .collect();
            let events = swap.events.iter();
            who.events = events.map(|&event| who.events[event as usize]).collect();
        });
    }
    Ok((who, events))
}
