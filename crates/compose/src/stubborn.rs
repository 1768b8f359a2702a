//! Stubborn sets: of all that can happen in a state, a part that is enough to look at.
//!
//! Events of different components can mostly happen in any order. A set T of events is
//! *stubborn* in a state if whatever happens without T can as well happen after an event of T,
//! and ends in the same state (Valmari 1990). It is found by closing a first choice under two
//! rules:
//!
//! * with a possible event, all that a component that takes part in it could do instead;
//! * with an impossible event, all that could bring a component that blocks it to allow it.
//!
//! What the first choice is depends on what is looked for:
//!
//! * *Deadlocks* stay if there is a possible event in T and none outside can take it away: with
//!   the first rule any possible event will do.
//! * *Errors* stay if none can be reached without an event of T: what brings a component nearer
//!   to its error state (Kristensen, Schmidt and Valmari 2006). Both ways a shortest execution
//!   becomes another of the same length.
//! * Errors also stay if all possible events of T are invisible to the components that err,
//!   and some event of every cycle is never chosen so (Kurshan, Levin, Minea, Peled and Yenigün
//!   1998). These sets are often smaller; executions may become longer.
//!
//! * *What goes on for ever*, and the order of the events that a question sees, stay if T has
//!   all possible events, or none of those that are seen or that every cycle has one of. Then
//!   whatever happens, each step of it is taken after a while: a cycle comes through a state where
//!   all is followed, and the next step is among that. So the sets of states that cannot be left
//!   have the same events as before (Valmari and Vogler 2016), and every infinite execution has one
//!   that is looked at with the same events seen in the same order (Peled 1994).
//!
//! A component in its error state is treated as one that has stopped: that is how the first
//! error is reached the same way.

mod closure;
mod facts;
mod sticky;

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use crate::product::{Product, Scratch, Target, Word};
use crate::symmetry::{Swap, Symmetry};
use crate::{Action, Network};
pub(crate) use closure::Closure;
use facts::Facts;

/// What a reduced search must not miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// States without any step; the nearest at its distance.
    Deadlocks,
    /// Components in their error state; the nearest at its distance.
    NearestErrors,
    /// Components in their error state, perhaps further away than they are.
    Errors,
}

/// What a set of events is chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    Finding(Keep),
    /// What happens for ever.
    Runs,
}

/// The events that no invisible set has, and the components whose silent steps none has, but
/// for those that erring components take part in.
pub(crate) fn sticky_events(
    network: &Network,
    symmetry: Option<&Symmetry>,
    budget: &Budget,
) -> Result<(Vec<u32>, Vec<usize>), Stop> {
    let product = network.product()?;
    let swaps = symmetry.into_iter().flat_map(Symmetry::all);
    let stubborn = Stubborn::new(&product, Keep::Errors, budget)?.alike_under(swaps);
    let erring = stubborn.erring.iter();
    let seen: Vec<u32> = erring
        .flat_map(|&part| stubborn.facts.parts[part].events.iter().copied())
        .collect();
    let (mut events, mut silent) = (Vec::new(), Vec::new());
    for (event, _) in (0..).zip(&stubborn.sticky).filter(|(_, sticky)| **sticky) {
        match stubborn.facts.silent_part(event) {
            _ if seen.contains(&event) => {}
            None => events.push(event),
            Some(part) => silent.push(part),
        }
    }
    Ok((events, silent))
}

/// The events of a product, with what is needed to find stubborn sets of them.
#[derive(Debug)]
pub(crate) struct Stubborn<'a> {
    product: &'a Product,
    aim: For,
    facts: Facts,
    /// The parts that can err, if errors are looked for.
    erring: Vec<usize>,
    /// Events that no invisible set may have, by number.
    sticky: Vec<bool>,
}

impl<'a> Stubborn<'a> {
    /// Looks at the parts of a product.
    pub(crate) fn new(product: &'a Product, keep: Keep, budget: &Budget) -> Result<Self, Stop> {
        let facts = Facts::new(product, budget)?;
        let erring: Vec<usize> = match keep {
            Keep::Deadlocks => Vec::new(),
            Keep::NearestErrors | Keep::Errors => (0..product.parts().len())
                .filter(|&part| product.parts()[part].lts.has_error())
                .collect(),
        };
        let sticky = match keep {
            Keep::Errors => {
                let events = |&part: &usize| facts.parts[part].events.iter().copied();
                sticky::events(product, &facts, erring.iter().flat_map(events), budget)?
            }
            Keep::Deadlocks | Keep::NearestErrors => Vec::new(),
        };
        Ok(Stubborn {
            product,
            aim: For::Finding(keep),
            facts,
            erring,
            sticky,
        })
    }

    /// For infinite executions, in which some events are `seen`. Nothing may err.
    pub(crate) fn for_runs(
        product: &'a Product,
        seen: impl IntoIterator<Item = Action>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let facts = Facts::new(product, budget)?;
        let known = seen.into_iter().map(|event| event.index() as u32);
        let known = known.filter(|&event| facts.silent_part(event).is_none());
        Ok(Stubborn {
            product,
            aim: For::Runs,
            sticky: sticky::events(product, &facts, known, budget)?,
            facts,
            erring: Vec::new(),
        })
    }

    /// The same with every choice left open that some exchanges would make differently: what
    /// they make of an event that no invisible set may have is not in one either.
    pub(crate) fn alike_under<'s>(mut self, swaps: impl Iterator<Item = &'s Swap>) -> Self {
        let swaps: Vec<&Swap> = swaps.collect();
        let sticky = 0..self.sticky.len() as u32;
        let mut todo: Vec<u32> = sticky.filter(|&at| self.sticky[at as usize]).collect();
        while let Some(event) = todo.pop() {
            for swap in &swaps {
                let becomes = match self.facts.silent_part(event) {
                    Some(part) => self.facts.silent(swap.components[part]),
                    None => swap.events[event as usize],
                };
                let slot = &mut self.sticky[becomes as usize];
                if !std::mem::replace(slot, true) {
                    todo.push(becomes);
                }
            }
        }
        self
    }

    /// Whether smaller sets must not have events that are seen or on every cycle.
    fn has_sticky(&self) -> bool {
        matches!(self.aim, For::Finding(Keep::Errors) | For::Runs)
    }

    /// Visits the steps with the events of a stubborn set. Where errors are looked for there
    /// may be none though others are possible.
    pub(crate) fn expand<const W: usize, B>(
        &self,
        word: &Word<W>,
        scratch: &mut Scratch,
        closure: &mut Closure,
        mut visit: impl FnMut(Action, Target<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.product.look(word, scratch);
        self.choose(scratch, closure);
        for &event in closure.chosen() {
            match self.facts.silent_part(event) {
                Some(part) => self.product.step_silently(word, part, &mut visit)?,
                None => self
                    .product
                    .step(word, event as usize, scratch, &mut visit)?,
            }
        }
        ControlFlow::Continue(())
    }
}
