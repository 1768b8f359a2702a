//! A run on words, step by step.

use quotient_automata::facts::count;
use quotient_automata::{Problem, Word};
use quotient_core::{Context, Trouble};
use quotient_language::{Cell, Choice, Layout, Simulation, Status, Step, Trace};

use crate::images::{Bounds, Images, images, words_of};

/// The most choices that are listed.
const MOST: usize = 100;

/// A run: the first choice is an initial word.
pub(crate) struct Run {
    problem: Problem,
    /// The length of the word to begin with, if it is said.
    length: Option<usize>,
    /// The words so far, each but the first with the step that made it.
    words: Vec<(Option<usize>, Word)>,
    /// What can be done now: the step, unless a beginning is chosen, and the word it makes.
    next: Option<Next>,
}

#[derive(Debug, Clone, Default)]
struct Next {
    choices: Vec<(Option<usize>, Word)>,
    more: bool,
}

impl Run {
    pub(crate) fn new(problem: Problem, length: Option<usize>) -> Run {
        Run {
            problem,
            length,
            words: Vec::new(),
            next: None,
        }
    }

    fn next(&mut self, cx: &Context) -> Result<&Next, Trouble> {
        let next = match self.next.take() {
            Some(next) => next,
            None => self.find(cx)?,
        };
        Ok(self.next.insert(next))
    }

    fn find(&self, cx: &Context) -> Result<Next, Trouble> {
        let budget = &cx.budget;
        let Some((_, word)) = self.words.last() else {
            let initial = self.problem.initial();
            let shortest = initial.shortest_word().map_or(0, |word| word.len());
            let bounds = Bounds {
                words: MOST,
                length: (shortest + MOST * initial.len().max(1))
                    .min(5000)
                    .max(shortest)
                    .max(self.length.unwrap_or(0)),
            };
            let Images { words, complete } = words_of(initial, self.length, bounds, budget)?;
            return Ok(Next {
                choices: words.into_iter().map(|word| (None, word)).collect(),
                more: !complete,
            });
        };
        let mut next = Next::default();
        for (number, (_, step)) in self.problem.relation().parts().iter().enumerate() {
            let room = Bounds {
                words: MOST - next.choices.len(),
                length: match step.is_length_preserving() {
                    true => word.len(),
                    false => 2 * word.len() + step.len() + 8,
                },
            };
            let Images { words, complete } = images(step, word, room, budget)?;
            next.more |= !complete;
            next.choices
                .extend(words.into_iter().map(|word| (Some(number), word)));
        }
        Ok(next)
    }

    fn name(&self, step: Option<usize>) -> String {
        match step {
            Some(step) => self.problem.relation().parts()[step].0.clone(),
            None => "begin".to_owned(),
        }
    }

    fn show(&self, word: &Word) -> String {
        self.problem.alphabet().show(word)
    }
}

impl Simulation for Run {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        let choices = self.next(cx)?.choices.clone();
        let told = choices.iter().map(|(step, word)| Choice {
            action: self.name(*step),
            leads_to: self.show(word),
            ..Choice::default()
        });
        Ok(told.collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        let choices = &self.next(cx)?.choices;
        let Some(chosen) = choices.get(choice).cloned() else {
            let there = count(choices.len(), "choice");
            return Err(Trouble::usage(format!(
                "there are {there}, not number {choice}"
            )));
        };
        self.words.push(chosen);
        self.next = None;
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.next = None;
        self.words.pop().is_some()
    }

    fn trace(&self) -> Trace {
        let mut trace = Trace::new(Layout::States, [""]);
        for (step, word) in &self.words {
            let cell = Cell::new(self.show(word));
            trace.steps.push(match step {
                Some(_) => Step::of(self.name(*step), [cell]),
                None => Step::start([cell]),
            });
        }
        trace.mark_changes()
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        let next = self.next(cx)?;
        let (stuck, more) = (next.choices.is_empty(), next.more);
        let mut notes = Vec::new();
        if let Some((_, word)) = self.words.last() {
            for property in self.problem.properties() {
                if property.bad.accepts(word) {
                    notes.push(format!("{}: violated, this word is bad", property.name));
                }
            }
        } else if stuck {
            notes.push(match self.length {
                Some(length) => format!("no initial word has {}", count(length, "letter")),
                None => "there is no initial word".to_owned(),
            });
        }
        Ok(Status {
            // A word without steps that could still be there beyond the bounds is not stuck.
            deadlock: stuck && !more && !self.words.is_empty(),
            notes,
            whereabouts: Vec::new(),
            more,
        })
    }
}
