//! A run of trees, step by step.

use quotient_core::{Context, Trouble};
use quotient_language::{Cell, Choice, Layout, Simulation, Status, Step as Told, Trace};
use quotient_trees::Tree;

use crate::explore::successors;
use crate::problem::Problem;

/// The most choices that are listed.
const MOST: usize = 100;

/// A run: the first choice is an initial tree.
pub(crate) struct Walk {
    problem: Problem,
    size: usize,
    /// The trees so far, each but the first with the step that made it.
    trees: Vec<(Option<usize>, Tree)>,
}

impl Walk {
    pub(crate) fn new(problem: Problem, size: usize) -> Walk {
        Walk {
            problem,
            size,
            trees: Vec::new(),
        }
    }

    fn next(&self, cx: &Context) -> Result<(Vec<(Option<usize>, Tree)>, bool), Trouble> {
        let system = &self.problem.system;
        let Some((_, here)) = self.trees.last() else {
            let initial = system
                .initial
                .trees_up_to(self.size, MOST + 1, &cx.budget)?;
            let more = initial.len() > MOST;
            let initial = initial.into_iter().take(MOST).map(|tree| (None, tree));
            return Ok((initial.collect(), more));
        };
        let (mut all, mut more) = (Vec::new(), false);
        for (number, (_, step)) in system.steps.iter().enumerate() {
            let size = 2 * here.size() + 8;
            let found = successors(step, here, size, MOST - all.len(), &cx.budget)?;
            more |= !found.complete;
            all.extend(found.trees.into_iter().map(|tree| (Some(number), tree)));
        }
        Ok((all, more))
    }

    fn name(&self, step: Option<usize>) -> String {
        match step {
            Some(step) => self.problem.system.steps[step].0.clone(),
            None => "begin".to_owned(),
        }
    }

    fn text(&self, tree: &Tree) -> String {
        tree.text(self.problem.system.initial.alphabet())
    }
}

impl Simulation for Walk {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        let (all, _) = self.next(cx)?;
        let told = all.iter().map(|(step, tree)| Choice {
            action: self.name(*step),
            leads_to: self.text(tree),
            ..Choice::default()
        });
        Ok(told.collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        let (mut all, _) = self.next(cx)?;
        if choice >= all.len() {
            let message = format!("there are {} choices, not number {choice}", all.len());
            return Err(Trouble::usage(message));
        }
        self.trees.push(all.swap_remove(choice));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.trees.pop().is_some()
    }

    fn trace(&self) -> Trace {
        let mut trace = Trace::new(Layout::States, [""]);
        for (step, tree) in &self.trees {
            let cell = Cell::new(self.text(tree));
            trace.steps.push(match step {
                Some(_) => Told::of(self.name(*step), [cell]),
                None => Told::start([cell]),
            });
        }
        trace.mark_changes()
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        let (all, more) = self.next(cx)?;
        let mut notes = Vec::new();
        match self.trees.last() {
            Some((_, tree)) => {
                let bad = self.problem.bad.iter().filter(|bad| bad.set.contains(tree));
                notes.extend(bad.map(|bad| format!("{}: violated, this tree is bad", bad.name)));
            }
            None if all.is_empty() => {
                notes.push(format!("no initial tree has at most {} nodes", self.size));
            }
            None => {}
        }
        Ok(Status {
            deadlock: all.is_empty() && !more && !self.trees.is_empty(),
            notes,
            whereabouts: Vec::new(),
            more,
        })
    }
}
