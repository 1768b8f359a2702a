//! A run, step by step.

use quotient_core::{Context, Trouble};
use quotient_language::{Choice, Simulation, Status, Trace};

use crate::pathway::{Aggregate, Pathway};
use crate::trace;

/// A run that grows and shrinks at its end.
pub(crate) struct Walk {
    pathway: Pathway,
    aggregates: Vec<Aggregate>,
    fired: Vec<usize>,
}

impl Walk {
    /// Begins with the start; where that is open, with as little as may be.
    pub(crate) fn new(pathway: &Pathway) -> Walk {
        Walk {
            pathway: pathway.clone(),
            aggregates: vec![pathway.least_start()],
            fired: Vec::new(),
        }
    }

    fn here(&self) -> &[u64] {
        self.aggregates.last().map_or(&[], Vec::as_slice)
    }

    fn enabled(&self) -> Vec<usize> {
        let rules = self.pathway.rules.iter().enumerate();
        rules
            .filter(|(_, rule)| rule.is_enabled(self.here()))
            .map(|(number, _)| number)
            .collect()
    }
}

impl Simulation for Walk {
    fn choices(&mut self, _: &Context) -> Result<Vec<Choice>, Trouble> {
        let choice = |number: usize| {
            let rule = &self.pathway.rules[number];
            let reaction = &self.pathway.reactions[rule.reaction];
            let next = rule.fire(self.here());
            Choice {
                action: reaction.name.clone(),
                leads_to: next
                    .map(|next| self.pathway.words(&next))
                    .unwrap_or_default(),
                automatic: false,
                place: Some(reaction.span),
            }
        };
        Ok(self.enabled().into_iter().map(choice).collect())
    }

    fn take(&mut self, choice: usize, _: &Context) -> Result<(), Trouble> {
        let rule = self.enabled().get(choice).copied();
        let rule = rule.ok_or_else(|| Trouble::usage("there is no such choice"))?;
        let next = self.pathway.rules[rule].fire(self.here());
        let next = next.ok_or_else(|| Trouble::usage("there is too much of something"))?;
        self.aggregates.push(next);
        self.fired.push(rule);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let undone = self.fired.pop().is_some();
        if undone {
            self.aggregates.pop();
        }
        undone
    }

    fn trace(&self) -> Trace {
        trace::of(&self.pathway, &self.aggregates[0], &self.fired)
    }

    fn status(&mut self, _: &Context) -> Result<Status, Trouble> {
        let mut notes = Vec::new();
        if self.enabled().is_empty() {
            notes.push("nothing reacts any more".to_owned());
        }
        Ok(Status {
            notes,
            whereabouts: vec![self.pathway.words(self.here())],
            ..Status::default()
        })
    }
}
