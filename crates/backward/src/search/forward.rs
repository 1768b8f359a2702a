//! Small instances: what happens there is real, and no guess contains it.

use quotient_arrays::{Domain, Instance, State, VariableId};
use quotient_core::{Budget, Context, Stop, What};

use super::Backward;
use crate::small::{Run, Small, beginnings};

/// The most states of a small instance that guesses are measured with.
const STATES: usize = 150_000;
/// So many states of an instance with more processes at first: twice as many with each wrong guess.
const FEW_STATES: usize = 4_000;
/// So many guesses may be wrong before instances with more processes are looked into.
const FEW_WRONG: u64 = 3;
/// The most beginnings that small instances are searched from.
const STARTS: usize = 64;

impl Backward<'_> {
    /// Searches small instances forwards; a violation there ends it all.
    pub(super) fn look_forward(&mut self, cx: &Context) -> Result<Option<Run>, Stop> {
        let least = self.bad.fewest().max(self.system.least());
        let sizes = match self.wrong {
            0..FEW_WRONG => least..=least.max(2),
            _ => least..=least.max(2) + 1,
        };
        let mut sizes: Vec<usize> = sizes.collect();
        if self.wrong >= FEW_WRONG {
            sizes.extend(self.telling_size(least, &cx.budget)?);
        }
        for processes in sizes {
            if !self
                .small
                .iter()
                .any(|small| small.processes() == processes)
            {
                let small = Small::new(self.system, processes, STARTS, &cx.budget)?;
                self.small.push(small);
            }
        }
        for number in 0..self.small.len() {
            let small = &mut self.small[number];
            let processes = small.processes();
            // What is large is looked into only as far as guesses turn out wrong; where many are counted, all
            // of it tells, as little happens at first.
            let most = match processes > least.max(2) && self.system.axioms.is_empty() {
                true => FEW_STATES << self.wrong.saturating_sub(FEW_WRONG).min(10),
                false => STATES,
            };
            let most = most.min(STATES);
            if number < self.searched && (small.is_done() || small.len() >= most) {
                continue;
            }
            let run = small.explore(self.bad, most, &cx.budget)?;
            let states = small.len();
            cx.story.tell(|| What::Note {
                text: format!("{states} states of the instance with {processes} processes"),
            });
            if run.is_some() {
                return Ok(run);
            }
            self.searched = self.searched.max(number + 1);
        }
        Ok(None)
    }

    /// The fewest processes with which numbers that never change, such as how many may fail, can all be
    /// at least one: with fewer, all that they matter for looks impossible.
    fn telling_size(&self, least: usize, budget: &Budget) -> Result<Option<usize>, Stop> {
        const LARGEST: usize = 5;
        let variables = self.system.variables.iter().enumerate();
        let numbers = variables.filter(|(_, one)| one.domain == Domain::Integer && one.arity == 0);
        let numbers: Vec<VariableId> = numbers
            .map(|(number, _)| VariableId::from_index(number))
            .collect();
        if numbers.is_empty() {
            return Ok(None);
        }
        for processes in least..=LARGEST {
            let instance = Instance::new(self.system, processes);
            let positive = |state: &State| {
                let mut cells = numbers.iter().map(|one| state[instance.cell(*one, &[])]);
                cells.all(|value| value > 0)
            };
            let starts = beginnings(self.system, processes, STARTS, budget)?;
            if starts.iter().any(positive) {
                return Ok(Some(processes));
            }
        }
        Ok(None)
    }
}
