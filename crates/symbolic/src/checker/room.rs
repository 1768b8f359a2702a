//! More room for diagrams when a question needs it.

use quotient_core::{Stop, Verdict};

use super::{Checker, Outcome, Refusal};
use crate::system::System;

/// An error that may say that there was no room.
pub(crate) trait RanOut {
    fn of_room(&self) -> bool;
}

impl RanOut for Stop {
    fn of_room(&self) -> bool {
        *self == Stop::Memory
    }
}

impl RanOut for Refusal {
    fn of_room(&self) -> bool {
        *self == Refusal::Stopped(Stop::Memory)
    }
}

impl Checker {
    /// Asks a question again and again, each time with more room, as long as it is the diagrams
    /// and not the budget that run out of it.
    pub(crate) fn with_room<T, E: RanOut>(
        &mut self,
        mut ask: impl FnMut(&mut Checker) -> Result<T, E>,
    ) -> Result<T, E> {
        loop {
            match ask(self) {
                Err(error) if error.of_room() && self.grow() => {}
                answer => return answer,
            }
        }
    }

    /// The same for answers that keep the reason inside.
    pub(super) fn outcome_with_room(
        &mut self,
        mut ask: impl FnMut(&mut Checker) -> Result<Outcome, Refusal>,
    ) -> Result<Outcome, Refusal> {
        loop {
            let outcome = ask(self)?;
            let ran_out = outcome.verdict == Verdict::Unknown(Stop::Memory);
            if !ran_out || !self.grow() {
                return Ok(outcome);
            }
        }
    }

    /// Builds all diagrams anew with more room; answers whether that was possible.
    fn grow(&mut self) -> bool {
        let budget = self.system.diagrams.budget.clone();
        let mut config = self.system.config;
        while let Some(larger) = config.grown().filter(|_| budget.poll().is_ok()) {
            config = larger;
            let model = self.system.model.clone();
            self.explored.clear();
            match System::new(model, &[], config, &budget) {
                Ok(system) => {
                    self.system = system;
                    return true;
                }
                Err(Stop::Memory) => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// Builds the diagrams of a model, with as much room as that takes.
    pub(super) fn system(
        model: &crate::Model,
        mut config: crate::Config,
        budget: &quotient_core::Budget,
    ) -> Result<System, Stop> {
        loop {
            match System::new(model.clone(), &[], config, budget) {
                Err(Stop::Memory) if budget.poll().is_ok() => match config.grown() {
                    Some(larger) => config = larger,
                    None => return Err(Stop::Memory),
                },
                other => return other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::{Context, Verdict};

    use crate::{Checker, Config, Domain, Kind, Model, Specification};

    #[test]
    fn room_grows_until_the_question_is_answered_or_there_may_be_no_more() {
        // Whether half of the bits are set takes some hundred nodes in any order.
        let mut model = Model::new();
        let bits: Vec<_> = (0..16)
            .map(|_| model.add_variable("bit", Kind::State, Domain::Boolean))
            .collect();
        let mut exactly = vec![crate::Expression::TRUE];
        for id in bits {
            let bit = model.bit(id, 0);
            let before = exactly.clone();
            exactly.push(crate::Expression::FALSE);
            for at in 0..exactly.len() {
                let stays = before.get(at).copied().unwrap_or(crate::Expression::FALSE);
                let comes = match at {
                    0 => crate::Expression::FALSE,
                    _ => before[at - 1],
                };
                exactly[at] = model.if_then_else(bit, comes, stays);
            }
        }
        let half = exactly[8];
        model.add_init(half);
        let ask = |nodes: usize| {
            let config = Config {
                nodes,
                room: 1 << 6,
                ..Config::small()
            };
            let mut checker = Checker::new(model.clone(), config, &Context::default())?;
            let outcome = checker.check(&Specification::Invariant(half));
            let verdict = outcome.map(|outcome| outcome.verdict);
            Ok::<_, quotient_core::Stop>((verdict, checker.system.config.room))
        };
        let (verdict, room) = ask(1 << 16).unwrap();
        assert_eq!(verdict, Ok(Verdict::Violated));
        assert!(room > 1 << 6);
        let small = ask(1 << 6).map(|(verdict, _)| verdict);
        let unknown = Ok(Ok(Verdict::Unknown(quotient_core::Stop::Memory)));
        assert!(small == Err(quotient_core::Stop::Memory) || small == unknown);
    }
}
