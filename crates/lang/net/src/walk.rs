//! A run, step by step.

use quotient_core::{Context, Trouble};
use quotient_language::{Choice, Simulation, Status, Trace};

use crate::net::Net;
use crate::trace;

/// The most choices that are listed.
const MOST_CHOICES: usize = 100;

/// A run that grows and shrinks at its end.
pub(crate) struct Walk {
    net: Net,
    markings: Vec<Vec<u64>>,
    fired: Vec<usize>,
}

impl Walk {
    /// Begins with the start; where that is open, with as few tokens as may be.
    pub(crate) fn new(net: &Net) -> Walk {
        let start = net.places.iter().map(|place| place.least).collect();
        Walk {
            net: net.clone(),
            markings: vec![start],
            fired: Vec::new(),
        }
    }

    fn marking(&self) -> &[u64] {
        self.markings.last().map_or(&[], Vec::as_slice)
    }

    fn enabled(&self) -> Vec<usize> {
        let all = self.net.transitions.iter().enumerate();
        all.filter(|(_, one)| one.is_enabled(self.marking()))
            .map(|(number, _)| number)
            .collect()
    }
}

impl Simulation for Walk {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let choice = |one: usize| {
            let transition = &self.net.transitions[one];
            let next = transition.fire(self.marking());
            Choice {
                action: transition.label.clone(),
                leads_to: next.map(|next| self.net.words(&next)).unwrap_or_default(),
                automatic: false,
                place: Some(transition.span),
            }
        };
        let enabled = self.enabled().into_iter().take(MOST_CHOICES);
        Ok(enabled.map(choice).collect())
    }

    fn take(&mut self, choice: usize, _: &Context) -> Result<(), Trouble> {
        let one = self.enabled().get(choice).copied();
        let one = one.ok_or_else(|| Trouble::usage("there is no such choice"))?;
        let next = self.net.transitions[one].fire(self.marking());
        let next = next.ok_or_else(|| Trouble::usage("there are too many tokens"))?;
        self.markings.push(next);
        self.fired.push(one);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let undone = self.fired.pop().is_some();
        if undone {
            self.markings.pop();
        }
        undone
    }

    fn trace(&self) -> Trace {
        trace::of(&self.net, &self.markings[0], &self.fired)
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        let number = self.enabled().len();
        Ok(Status {
            deadlock: number == 0,
            whereabouts: vec![self.net.words(self.marking())],
            more: number > MOST_CHOICES,
            ..Status::default()
        })
    }
}
