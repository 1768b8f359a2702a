//! A run with who chooses its steps.

use std::collections::VecDeque;

use quotient_core::{Context, Trouble, nearest};
use quotient_language::text::wrap_indented;
use quotient_language::{Choice, Random, Simulation};

use super::prompt::{Order, ask, is_named, say};

/// A run with who chooses its steps.
pub(super) struct Run<'a> {
    pub(super) simulation: Box<dyn Simulation>,
    pub(super) random: Random,
    pub(super) most: usize,
    pub(super) cx: &'a Context,
}

/// An action that was wanted and cannot happen.
pub(super) struct Refused {
    pub(super) action: String,
    pub(super) because: Vec<String>,
}

impl Refused {
    /// The same for people.
    pub(super) fn text(&self) -> String {
        let mut text = format!("`{}` cannot happen now:\n", self.action);
        for line in &self.because {
            text.push_str(&format!("  {}\n", wrap_indented(line, 74, 6)));
        }
        text
    }
}

impl Run<'_> {
    fn is_over(&self) -> bool {
        self.simulation.trace().len() >= self.most
    }

    /// Takes steps at random until there are enough, or none is left.
    pub(super) fn at_random(&mut self) -> Result<(), Trouble> {
        // Where a model can begin in several ways, the first choice is no step of the run.
        let mut taken = 0;
        while taken < self.most {
            self.cx.budget.poll()?;
            let before = self.simulation.trace().len();
            if !self.simulation.take_any(&mut self.random, self.cx)? {
                break;
            }
            taken += self.simulation.trace().len() - before;
        }
        Ok(())
    }

    /// Takes actions one by one. What happens by itself does so while a wanted action cannot.
    pub(super) fn script(&mut self, wanted: &[String]) -> Result<Option<Refused>, Trouble> {
        // What happens by itself may go round for ever without what is wanted.
        const PATIENCE: usize = 10_000;
        let mut wanted: VecDeque<&String> = wanted.iter().collect();
        let mut waited = 0;
        while let Some(&written) = wanted.front() {
            self.cx.budget.poll()?;
            if self.is_over() {
                break;
            }
            let label = self.simulation.spelled(written);
            let choices = self.simulation.choices(self.cx)?;
            let fitting = places(&choices, |choice| is_named(choice, &label));
            if self.take_one(&fitting)? {
                wanted.pop_front();
                waited = 0;
                continue;
            }
            let automatic = places(&choices, |choice| choice.automatic);
            waited += 1;
            if waited > PATIENCE || !self.take_one(&automatic)? {
                return Ok(Some(self.refused(&label, &choices)));
            }
        }
        Ok(None)
    }

    /// Takes one of some choices, by number.
    fn take_one(&mut self, places: &[usize]) -> Result<bool, Trouble> {
        let Some(&place) = places.get(self.random.below(places.len())) else {
            return Ok(false);
        };
        self.simulation.take(place, self.cx)?;
        Ok(true)
    }

    /// Why an action cannot happen now.
    fn refused(&self, label: &str, choices: &[Choice]) -> Refused {
        let mut because = self.simulation.refusal(label);
        if because.is_empty() {
            because.push("it is not among what can be done now".to_owned());
            let names = choices.iter().map(|choice| choice.action.as_str());
            if let Some(near) = nearest(label, names) {
                because.push(format!("did you mean `{near}`?"));
            }
        }
        Refused {
            action: label.to_owned(),
            because,
        }
    }

    /// Asks for each step.
    pub(super) fn interactive(&mut self, title: &str) -> Result<(), Trouble> {
        while !self.is_over() {
            self.cx.budget.poll()?;
            let choices = self.simulation.choices(self.cx)?;
            let status = self.simulation.status(self.cx)?;
            let trace = self.simulation.trace();
            if choices.is_empty() && trace.is_empty() {
                break;
            }
            let spelled = |word: &str| self.simulation.spelled(word);
            match ask(title, &trace, &choices, &status, &spelled) {
                Order::Take(place) => self.simulation.take(place, self.cx)?,
                Order::Any => {
                    let automatic = places(&choices, |choice| choice.automatic);
                    let any = match automatic.is_empty() {
                        true => (0..choices.len()).collect(),
                        false => automatic,
                    };
                    self.take_one(&any)?;
                }
                Order::Run => self.settle()?,
                Order::Back => {
                    self.simulation.undo();
                }
                Order::Constrain(condition) => {
                    let condition = Some(condition.as_str()).filter(|text| !text.is_empty());
                    if let Err(trouble) = self.simulation.constrain(condition) {
                        say(&format!("{trouble}\n"));
                    }
                }
                Order::End => break,
            }
        }
        Ok(())
    }

    /// Lets happen what happens by itself, until all that is left is to choose.
    fn settle(&mut self) -> Result<(), Trouble> {
        const MOST: usize = 100;
        for _ in 0..MOST {
            self.cx.budget.poll()?;
            let choices = self.simulation.choices(self.cx)?;
            let automatic = places(&choices, |choice| choice.automatic);
            if self.is_over() || !self.take_one(&automatic)? {
                break;
            }
        }
        Ok(())
    }

    /// The names of what can be done now.
    pub(super) fn possible(&mut self) -> Result<Vec<String>, Trouble> {
        let choices = self.simulation.choices(self.cx)?;
        let mut names: Vec<String> = choices.into_iter().map(|choice| choice.action).collect();
        names.dedup();
        Ok(names)
    }
}

fn places(choices: &[Choice], fits: impl Fn(&Choice) -> bool) -> Vec<usize> {
    let all = choices.iter().enumerate();
    all.filter(|(_, choice)| fits(choice))
        .map(|(place, _)| place)
        .collect()
}
