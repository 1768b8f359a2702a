//! Short lemmas.

use quotient_core::{Context, Stop};
use quotient_netlist::Literal;

use super::Ic3;
use super::question::Cube;

/// How many states in the way are excluded for one literal of a lemma.
const MOST_HELPERS: usize = 3;
/// How often a candidate is made smaller to leave a state in the way outside.
const MOST_JOINS: usize = 3;

impl Ic3 {
    /// A part of a cube that can still be excluded up to a frame, and how far it can.
    pub(super) fn generalized(
        &mut self,
        cube: Cube,
        frame: usize,
        cx: &Context,
    ) -> Result<(Cube, usize), Stop> {
        let mut cube = self.shortened(cube, frame, 0, cx)?;
        let mut reached = frame;
        while reached < self.frames.top()
            && self.oracle.is_inductive(reached, &cube, true, &cx.budget)?
        {
            cube = self.core_of(&cube);
            reached += 1;
        }
        Ok((cube, reached))
    }

    /// Leaves out one literal after the other, the least active first (Bradley and Manna, 2007).
    fn shortened(
        &mut self,
        mut cube: Cube,
        frame: usize,
        level: usize,
        cx: &Context,
    ) -> Result<Cube, Stop> {
        let mut order = cube.clone();
        order.sort_by(|&one, &other| {
            let activity = |literal| self.activity[self.latch_number(literal)];
            activity(one)
                .total_cmp(&activity(other))
                .then(one.cmp(&other))
        });
        let mut kept: Vec<Literal> = Vec::new();
        for literal in order {
            if !cube.contains(&literal) {
                continue;
            }
            if cube.len() == 1 {
                break;
            }
            let mut candidate = cube.clone();
            candidate.retain(|&one| one != literal);
            match self.down(candidate, frame, &kept, level, cx)? {
                Some(smaller) => cube = smaller,
                None => kept.push(literal),
            }
        }
        Ok(cube)
    }

    /// A candidate, or a part of it, that is inductive. What leads into it is excluded first if
    /// that is easy (Hassan, Bradley and Somenzi, 2013), else left outside.
    fn down(
        &mut self,
        mut cube: Cube,
        frame: usize,
        kept: &[Literal],
        level: usize,
        cx: &Context,
    ) -> Result<Option<Cube>, Stop> {
        let (mut helpers, mut joins) = (0, 0);
        loop {
            if cube.is_empty() || self.meets_start(&cube) {
                return Ok(None);
            }
            if self
                .oracle
                .is_inductive(frame - 1, &cube, true, &cx.budget)?
            {
                return Ok(Some(self.core_of(&cube)));
            }
            if level > 0 || !self.with_helpers {
                return Ok(None);
            }
            let solver = self.oracle.solver(frame - 1);
            let outside: Cube = (cube.iter().copied())
                .filter(|&one| solver.value(&self.circuit, one) == Some(true))
                .collect();
            let targets = self.oracle.primed(&cube);
            let (before, _) = self.predecessor(frame - 1, &targets, cx)?;
            if helpers < MOST_HELPERS
                && frame > 1
                && !self.meets_start(&before)
                && self
                    .oracle
                    .is_inductive(frame - 2, &before, true, &cx.budget)?
            {
                helpers += 1;
                let core = self.core_of(&before);
                self.exclude_helper(core, frame - 1, level, cx)?;
                continue;
            }
            helpers = 0;
            joins += 1;
            if joins > MOST_JOINS || kept.iter().any(|one| !outside.contains(one)) {
                return Ok(None);
            }
            cube = outside;
        }
    }

    /// Excludes a state in the way, as far as that is possible.
    fn exclude_helper(
        &mut self,
        cube: Cube,
        frame: usize,
        level: usize,
        cx: &Context,
    ) -> Result<(), Stop> {
        let mut reached = frame;
        let mut cube = cube;
        while reached < self.frames.top()
            && self.oracle.is_inductive(reached, &cube, true, &cx.budget)?
        {
            cube = self.core_of(&cube);
            reached += 1;
        }
        let cube = self.shortened(cube, reached, level + 1, cx)?;
        self.add_lemma(&cube, reached);
        Ok(())
    }
}
