//! The end of a state: its choices are written, and what they earn.

use quotient_markov::Kind;

use super::{Done, Explorer, divide};
use crate::number::Enclosure;
use crate::{Earns, Misbuilt};

impl Explorer<'_> {
    /// Ends a state: its choices are written, and what is earned there.
    pub(super) fn finish_state(&mut self, state: usize, done: &[Done]) -> Result<(), Misbuilt> {
        let kind = self.program.kind;
        let share = Enclosure::exact(done.len() as f64);
        if kind != Kind::Mdp && !self.gathered.is_empty() {
            if kind == Kind::Dtmc && done.len() > 1 {
                for (_, weight) in &mut self.gathered {
                    *weight = divide(*weight, share);
                }
            }
            self.emit(0);
        }
        let before = self.out.choices();
        self.out.end_state();
        let loops = self.out.choices() - before;
        for structure in 0..self.earnings.len() {
            self.earn(structure, state, done, loops > 0 && done.is_empty())?;
        }
        Ok(())
    }

    /// What is earned in a state and by its choices.
    fn earn(
        &mut self,
        structure: usize,
        state: usize,
        done: &[Done],
        deadlock: bool,
    ) -> Result<(), Misbuilt> {
        let of_state = self.sum(structure, state, |by| usize::from(by == Earns::State))?;
        let acts = self.earnings[structure]
            .iter()
            .any(|item| item.earns != Earns::State);
        let mut of_choices = Vec::new();
        if acts {
            let mut all = Enclosure::exact(0.0);
            for step in done {
                let taken = std::mem::take(&mut self.taken);
                let commands = &taken[step.commands.clone()];
                let earned = self.earned_by(structure, state, step.action, commands);
                self.taken = taken;
                let earned = earned?;
                match self.program.kind {
                    Kind::Mdp => of_choices.push(earned),
                    Kind::Dtmc => all = all.plus(earned),
                    Kind::Ctmc => all = all.plus(earned.times(step.rate)),
                }
            }
            match self.program.kind {
                Kind::Mdp if deadlock => of_choices.push(Enclosure::exact(0.0)),
                Kind::Mdp => {}
                Kind::Dtmc if done.len() > 1 => {
                    of_choices.push(divide(all, Enclosure::exact(done.len() as f64)));
                }
                _ => of_choices.push(all),
            }
        }
        self.note(structure, of_state, &of_choices);
        Ok(())
    }

    /// What a step earns.
    fn earned_by(
        &mut self,
        structure: usize,
        state: usize,
        action: u32,
        commands: &[u32],
    ) -> Result<Enclosure, Misbuilt> {
        self.sum(structure, state, |by| match by {
            Earns::State => 0,
            Earns::Step => 1,
            Earns::Action(one) => usize::from(one == action),
            Earns::Command(one) => commands.iter().filter(|&&other| other == one).count(),
        })
    }

    fn sum(
        &mut self,
        structure: usize,
        state: usize,
        times: impl Fn(Earns) -> usize,
    ) -> Result<Enclosure, Misbuilt> {
        let mut sum = Enclosure::exact(0.0);
        for (item, earning) in self.earnings[structure].iter().enumerate() {
            let times = times(earning.earns);
            if times == 0 {
                continue;
            }
            let guard = earning.guard.run::<f64>(&self.values, &mut self.stack);
            if guard == 0.0 {
                continue;
            }
            // What is earned under a condition without a value has none, either.
            let value: Enclosure = match guard.is_nan() {
                true => Enclosure::exact(guard),
                false => earning.value.run(&self.values, &mut self.wide_stack),
            };
            if !(value.value >= 0.0 && value.value.is_finite()) {
                return Err(Misbuilt::Earned {
                    structure,
                    item,
                    value: value.value,
                    state: self.states.values(state),
                });
            }
            for _ in 0..times {
                sum = sum.plus(value);
            }
        }
        Ok(sum)
    }

    /// Ends a state of a Markov automaton. What happens at once comes before all that takes
    /// time; where nothing does, the first of what takes time happens. What a state earns, it
    /// earns as long as time passes there.
    pub(super) fn finish_after_a_while(
        &mut self,
        state: usize,
        done: &[Done],
    ) -> Result<(), Misbuilt> {
        // Choices that are made at once were written already.
        let at_once = self.out.choices() > self.out.closed_choices();
        let mut exit = Enclosure::exact(0.0);
        if !at_once && self.gathered.is_empty() {
            // Where nothing happens, time passes for ever.
            exit = Enclosure::ONE;
        } else if !at_once {
            for step in done {
                exit = exit.plus(step.rate);
            }
            for (_, weight) in &mut self.gathered {
                *weight = divide(*weight, exit);
            }
            self.emit(0);
            self.out.note_error(exit.error());
        }
        self.out.leaves(exit.value);
        self.out.end_state();
        for structure in 0..self.earnings.len() {
            let mut of_state = self.sum(structure, state, |by| usize::from(by == Earns::State))?;
            of_state = match at_once {
                true => Enclosure::exact(0.0),
                false => divide(of_state, exit),
            };
            let mut of_choices = Vec::new();
            let mut items = self.earnings[structure].iter();
            if items.any(|item| item.earns != Earns::State) {
                let mut all = Enclosure::exact(0.0);
                for step in done {
                    let taken = std::mem::take(&mut self.taken);
                    let commands = &taken[step.commands.clone()];
                    let earned = self.earned_by(structure, state, step.action, commands);
                    self.taken = taken;
                    let earned = earned?;
                    match at_once {
                        true => of_choices.push(earned),
                        false => all = all.plus(divide(earned.times(step.rate), exit)),
                    }
                }
                if !at_once {
                    of_choices.push(all);
                }
            }
            self.note(structure, of_state, &of_choices);
        }
        Ok(())
    }

    /// Writes what a state and its choices earn.
    fn note(&mut self, structure: usize, of_state: Enclosure, of_choices: &[Enclosure]) {
        let rewards = &mut self.rewards[structure];
        rewards.states.push(of_state.value);
        for earned in of_choices.iter().chain([&of_state]) {
            if earned.value != 0.0 {
                rewards.error = rewards.error.max(earned.error());
            }
        }
        rewards
            .choices
            .extend(of_choices.iter().map(|earned| earned.value));
    }
}
