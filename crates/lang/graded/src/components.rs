//! Strongly connected parts, those first that others lead to (Tarjan 1972).

use quotient_core::{Budget, Stop};

use crate::equations::Equations;

/// The parts of a system of equations.
pub(crate) struct Components {
    /// The part of each variable.
    pub(crate) of: Vec<u32>,
    /// The variables part by part.
    order: Vec<u32>,
    start: Vec<u32>,
}

impl Components {
    /// How many parts there are.
    pub(crate) fn count(&self) -> usize {
        self.start.len() - 1
    }

    /// The variables of a part.
    pub(crate) fn members(&self, number: usize) -> &[u32] {
        &self.order[self.start[number] as usize..self.start[number + 1] as usize]
    }
}

const UNSEEN: u32 = u32::MAX;

/// The parts, those first that others lead to.
pub(crate) fn components<G: Clone + Eq>(
    equations: &Equations<G>,
    budget: &Budget,
) -> Result<Components, Stop> {
    let size = equations.len();
    let mut of = vec![UNSEEN; size];
    let mut index = vec![UNSEEN; size];
    let mut low = vec![0u32; size];
    let (mut order, mut start) = (Vec::with_capacity(size), vec![0u32]);
    let mut next = 0;
    let mut stack: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, u32)> = Vec::new();
    for root in 0..size as u32 {
        if index[root as usize] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((variable, place)) = calls.last_mut() {
            let (at, here) = (*variable as usize, *place as usize);
            if here == 0 && index[at] == UNSEEN {
                budget.charge(1)?;
                index[at] = next;
                low[at] = next;
                next += 1;
                stack.push(at as u32);
            }
            let terms = equations.terms(at);
            if let Some(term) = terms.get(here) {
                *place += 1;
                let to = term.to as usize;
                if index[to] == UNSEEN {
                    calls.push((term.to, 0));
                } else if of[to] == UNSEEN {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                let caller = *caller as usize;
                low[caller] = low[caller].min(low[at]);
            }
            if low[at] == index[at] {
                let number = start.len() as u32 - 1;
                while let Some(member) = stack.pop() {
                    of[member as usize] = number;
                    order.push(member);
                    if member as usize == at {
                        break;
                    }
                }
                start.push(order.len() as u32);
            }
        }
    }
    Ok(Components { of, order, start })
}
