//! Ways to answer what single markings decide, in rounds: what takes little time first, then all again and again with
//! more markings and memory.

use quotient_core::Stop;

use crate::check::{Checker, FIRST_STATES, ROUNDS, Ready, Task};
use crate::{capped, causes, detour, diagram, guided, hashed, orbits, reduced};

impl Checker<'_> {
    /// What takes time and memory, again and again with more of both; nothing if there is no memory for more markings.
    pub(crate) fn rounds(
        &self,
        start: &[u64],
        stop: Stop,
        bits: &mut [u32],
        tasks: &mut [Task],
        ready: &mut Ready<'_>,
    ) -> Result<Option<Stop>, Stop> {
        for (states, lists) in ROUNDS {
            diagram::solve(self, start, lists, tasks)?;
            diagram::shown(tasks);
            ready(tasks);
            let room = hashed::room(self, start, bits);
            let states = states.min(room);
            let last = self.round(start, states, bits, tasks, ready)?;
            if !tasks.iter().any(Task::is_open) {
                break;
            }
            if states >= self.most {
                return Ok(Some(last.unwrap_or(stop)));
            }
            if states == room && tasks.iter().any(Task::is_open) {
                return Ok(None);
            }
        }
        Ok(Some(Stop::exhausted("nothing is left to try")))
    }

    /// One round: what single markings decide, with at most so many of them; says why the rest is open.
    pub(crate) fn round(
        &self,
        start: &[u64],
        states: usize,
        bits: &mut [u32],
        tasks: &mut [Task],
        ready: &mut Ready<'_>,
    ) -> Result<Option<Stop>, Stop> {
        orbits::solve(self, start, states.min(self.most), bits, tasks)?;
        diagram::shown(tasks);
        ready(tasks);
        reduced::solve(self, start, states.min(self.most), bits, tasks)?;
        diagram::shown(tasks);
        ready(tasks);
        if !self.nested {
            detour::solve(self, start, states, tasks)?;
            diagram::shown(tasks);
            ready(tasks);
        }
        let last = self.search(start, states.min(self.most), bits, tasks, ready)?;
        diagram::shown(tasks);
        ready(tasks);
        Ok(last)
    }

    /// What single markings decide, with little work: beside formulas about runs, which take long.
    pub(crate) fn soon(
        &self,
        start: &[u64],
        bits: &mut [u32],
        tasks: &mut [Task],
        ready: &mut Ready<'_>,
    ) -> Result<(), Stop> {
        let few = FIRST_STATES.min(self.most);
        self.search(start, few, bits, tasks, ready)?;
        diagram::show(self, start, tasks)?;
        ready(tasks);
        match tasks.iter().any(Task::is_open) {
            true => self.quickly(start, tasks, ready),
            false => Ok(()),
        }
    }

    /// What takes little time: walks, weights, runs that are led, and a short search backwards.
    pub(crate) fn quickly(
        &self,
        start: &[u64],
        tasks: &mut [Task],
        ready: &mut Ready<'_>,
    ) -> Result<(), Stop> {
        let walks = self.most > FIRST_STATES;
        if walks {
            self.walk(start, tasks)?;
        }
        let counts = self.weigh(start, tasks)?;
        causes::solve(self, start, tasks)?;
        capped::solve(self, start, tasks)?;
        ready(tasks);
        if walks {
            guided::solve(self, start, &counts, tasks)?;
            self.meet(start, tasks);
            ready(tasks);
        }
        self.cover_soon(tasks)?;
        ready(tasks);
        Ok(())
    }
}
