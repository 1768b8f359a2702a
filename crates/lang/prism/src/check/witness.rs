//! Runs that show what `E` and `A` say.

use quotient_bits::Bits;
use quotient_core::Trouble;
use quotient_language::{Cell, Layout, Step, Trace};
use quotient_markov::{ChoiceId, StateId};

use super::chance::{Simple, simple_path};
use super::filter::{Answered, Found};
use super::formula::Checker;
use crate::naive::{Happening, happenings};
use crate::syntax::{FilterKind, Node, Tree};

impl Checker<'_> {
    /// A run that shows that some run does it, or that not all do.
    pub(crate) fn witness(&self, tree: &Tree, found: &Found) -> Result<Option<Trace>, Trouble> {
        let (some, path) = match &tree.node {
            Node::Quantified(some, path) => (*some, path),
            Node::Filter(filter) => match (&filter.of.node, filter.what) {
                (Node::Quantified(true, path), FilterKind::Exists) => (true, path),
                (Node::Quantified(false, path), FilterKind::ForAll) => (false, path),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        if found.value != Answered::Truth(Some(some)) {
            return Ok(None);
        }
        let Some((Simple::Until, left, right, opposite)) = simple_path(path) else {
            return Ok(None);
        };
        let initial = self.built.model.initial.first().copied();
        let Some(start) = found.state.map(StateId::from_index).or(initial) else {
            return Ok(None);
        };
        let not = |mut set: Bits| {
            set.toggle_range(..);
            set
        };
        let mut all = Bits::with_capacity(self.states());
        all.insert_range(..);
        let allowed = match left {
            Some(tree) => self.set(tree)?,
            None => all.clone(),
        };
        let right = self.set(right)?;
        let run = match (some, opposite) {
            (true, false) => self
                .analysis
                .path_to(start, &allowed, &right)
                .map(|one| (one, None)),
            (false, true) => self
                .analysis
                .path_to(start, &all, &not(right))
                .map(|one| (one, None)),
            (true, true) => self.endless(start, &right),
            (false, false) => {
                let mut fails = not(allowed);
                fails.difference_with(&right);
                let missing = not(right);
                let failed = self.analysis.path_to(start, &missing, &fails);
                failed
                    .map(|one| (one, None))
                    .or_else(|| self.endless(start, &missing))
            }
        };
        run.map(|(path, back)| self.trace(&path, back, &[]))
            .transpose()
    }

    fn endless(&self, start: StateId, set: &Bits) -> Option<(Vec<StateId>, Option<usize>)> {
        let (path, back) = self.analysis.path_within(start, set)?;
        Some((path, Some(back)))
    }

    /// A path in the words of the source; where choices are told, by these.
    pub(super) fn trace(
        &self,
        path: &[StateId],
        back: Option<usize>,
        chosen: &[ChoiceId],
    ) -> Result<Trace, Trouble> {
        let instance = self.instance;
        let columns = instance.variables.iter().map(|one| one.name.clone());
        let mut trace = Trace::new(Layout::Grid, columns);
        let mut before: Option<Vec<i64>> = None;
        let labels = &self.built.model.labels;
        let mut action: Option<u32> = None;
        for &state in path {
            let values = self.built.states.values(state.index());
            let cells = instance.variables.iter().zip(&values);
            let cells: Vec<Cell> = cells
                .map(|(variable, &value)| Cell::new(variable.text(value)))
                .collect();
            let mut step = Step::start(cells);
            if let Some(before) = &before {
                step.action = Some("step".to_owned());
                let all = happenings(instance, before, self.budget).unwrap_or_default();
                let leads = |named: bool| {
                    let fits = |one: &&Happening| !named || Some(one.action) == action;
                    let mut all = all.iter().filter(fits);
                    all.find(|one| one.branches.contains_key(&values))
                };
                let taken = leads(true).or_else(|| leads(false));
                if let Some(taken) = taken {
                    let commands = taken.commands.iter();
                    let commands = commands.map(|&at| &instance.commands[at as usize]);
                    let modules = commands
                        .clone()
                        .map(|one| instance.modules[one.module].0.clone());
                    step.by = modules.collect();
                    step.place = commands.clone().next().map(|one| one.span);
                    if let Some(name) = (taken.action as usize)
                        .checked_sub(1)
                        .and_then(|at| instance.actions.get(at))
                    {
                        step.action = Some(name.clone());
                    }
                }
            }
            trace.steps.push(step);
            before = Some(values);
            let choice = chosen.get(state.index()).copied();
            action = choice.and_then(|choice| Some(labels.get(choice.index())?.number()));
        }
        trace.back_to = back;
        Ok(trace.mark_changes())
    }
}
