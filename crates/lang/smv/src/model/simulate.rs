//! A run, step by step.

use quotient_core::{Context, Diagnostic, Source, Span, Trouble};
use quotient_language::{Choice, Json, Random, Simulation, Status, Trace};
use quotient_logic::Formula;

use super::properties::Entry;
use super::{Opened, told};
use crate::compile::{Found, Steps};
use crate::file::File;
use crate::program::{Kind, NodeId, Program, VariableId};
use crate::run::Run;
use crate::shape;
use crate::syntax::SpecificationKind;

/// The most choices that are listed.
const MOST_CHOICES: usize = 100;

/// A run that somebody makes.
struct Running {
    file: File,
    steps: Steps,
    run: Run,
    /// What can be done now, once that is known, and whether there is more.
    listed: Option<(Vec<Found>, bool)>,
    /// What should hold in every state: how it is called, and what it says.
    invariants: Vec<(String, Formula<NodeId>)>,
}

impl Opened {
    /// A run that begins.
    pub(super) fn begin(&mut self, cx: &Context) -> Result<Box<dyn Simulation>, Trouble> {
        let mut file = self.file.clone();
        let specifications = file.program().specifications().to_vec();
        let named = |entry: &Entry| entry.specification(&specifications);
        let invariants = self.entries.iter().filter_map(|entry| {
            let formula = shape::invariant(named(entry)?)?;
            let about_states = !shape::is_about_steps(file.program(), formula);
            let name = entry.property.name.clone();
            about_states.then(|| (name, formula.clone()))
        });
        let invariants = invariants.collect();
        file.retain_specifications(|_| false);
        let steps = Steps::new(file.program(), &cx.budget)?;
        let variables = file.program().variable_ids().collect();
        Ok(Box::new(Running {
            file,
            steps,
            run: Run {
                states: Vec::new(),
                back_to: None,
                variables,
            },
            listed: None,
            invariants,
        }))
    }
}

impl Running {
    fn list(&mut self, cx: &Context) -> Result<&(Vec<Found>, bool), Trouble> {
        if self.listed.is_none() {
            let program = self.file.program();
            let from = self.run.states.last();
            let found = self.steps.list(program, from, MOST_CHOICES, &cx.budget)?;
            self.listed = Some(found);
        }
        Ok(self.listed.get_or_insert_default())
    }

    fn go(&mut self, step: Found) {
        if let Some(last) = self.run.states.last_mut() {
            *last = step.before;
        }
        self.run.states.push(step.after);
        self.listed = None;
    }

    fn choice(&self, step: &Found) -> Choice {
        let program = self.file.program();
        let of_kind = |input: bool| -> Vec<VariableId> {
            let all = program.variable_ids();
            all.filter(|&id| (program.variable(id).kind == Kind::Input) == input)
                .collect()
        };
        let inputs = told::equations(&told::shown(program, &of_kind(true), &step.before));
        let mut told = of_kind(false);
        let place = told
            .iter()
            .find(|&&id| step.before.value(id) != step.after.value(id))
            .and_then(|&id| assigned_at(program, id));
        if !self.run.states.is_empty() {
            told.retain(|&id| step.before.value(id) != step.after.value(id));
        }
        let changes = match told.is_empty() {
            true => "(nothing changes)".to_owned(),
            false => told::equations(&told::shown(program, &told, &step.after)),
        };
        let (action, leads_to) = match inputs.is_empty() || self.run.states.is_empty() {
            true => (changes, String::new()),
            false => (inputs, changes),
        };
        Choice {
            action,
            leads_to,
            automatic: false,
            place,
        }
    }

    /// The specifications that the state reached violates.
    fn violated(&self) -> Vec<String> {
        let Some(state) = self.run.states.last() else {
            return Vec::new();
        };
        let program = self.file.program();
        let holds = |formula: &Formula<NodeId>| {
            shape::truth(formula, &|atom| program.is_true(atom, state, None))
        };
        let violated = self.invariants.iter().filter(|(_, says)| !holds(says));
        violated
            .map(|(name, _)| format!("this state violates `{name}`"))
            .collect()
    }
}

/// Where the source says what a variable is next.
fn assigned_at(program: &Program, variable: VariableId) -> Option<Span> {
    let mut assignments = program.assignments().iter();
    let found = assignments.find(|one| one.variable == variable && one.when == crate::When::Next);
    found.map(|one| one.span)
}

impl Simulation for Running {
    fn choices(&mut self, cx: &Context) -> Result<Vec<Choice>, Trouble> {
        let steps = self.list(cx)?.0.clone();
        Ok(steps.iter().map(|step| self.choice(step)).collect())
    }

    fn take(&mut self, choice: usize, cx: &Context) -> Result<(), Trouble> {
        let listed = &self.list(cx)?.0;
        let number = listed.len();
        let Some(step) = listed.get(choice).cloned() else {
            let message = format!("there is no choice {choice}");
            let error = Diagnostic::error("no-such-choice", message);
            return Err(error.note(format!("there are {number}")).into());
        };
        self.go(step);
        Ok(())
    }

    fn take_any(&mut self, random: &mut Random, cx: &Context) -> Result<bool, Trouble> {
        let from = self.run.states.last();
        let program = self.file.program();
        let found = self.steps.any(program, from, random, &cx.budget)?;
        let is_there = found.is_some();
        if let Some(step) = found {
            self.go(step);
        }
        Ok(is_there)
    }

    fn undo(&mut self) -> bool {
        self.listed = None;
        self.run.states.pop().is_some()
    }

    fn trace(&self) -> Trace {
        told::trace(&self.run, self.file.program(), "")
    }

    fn status(&mut self, cx: &Context) -> Result<Status, Trouble> {
        let (none, more) = {
            let (steps, more) = self.list(cx)?;
            (steps.is_empty(), *more)
        };
        let program = self.file.program();
        let from = self.run.states.last();
        let stuck = none
            && (!self.steps.is_constrained() || !self.steps.exists(program, from, &cx.budget)?);
        let mut notes = self.violated();
        let is_begun = !self.run.states.is_empty();
        match (none, stuck, is_begun) {
            (true, true, true) => notes.push("this state has no successor".to_owned()),
            (true, true, false) => notes.push("no state is initial".to_owned()),
            (true, false, _) => notes.push("nothing fulfils the condition".to_owned()),
            _ => {}
        }
        let last = self.run.states.last();
        let whereabouts = last.map_or_else(Vec::new, |state| {
            let state_variables: Vec<VariableId> = program
                .variable_ids()
                .filter(|&id| program.variable(id).kind != Kind::Input)
                .collect();
            let shown = told::shown(program, &state_variables, state);
            let defined = told::definitions(program, state);
            let all = shown.into_iter().chain(defined);
            all.map(|one| format!("{} = {}", one.name, one.value))
                .collect()
        });
        Ok(Status {
            deadlock: stuck && is_begun,
            notes,
            whereabouts,
            more,
        })
    }

    fn spelled(&self, action: &str) -> String {
        let part = |part: &str| match part.split_once('=') {
            Some((name, value)) => format!("{} = {}", name.trim(), value.trim()),
            None => part.trim().to_owned(),
        };
        let parts: Vec<String> = action.split(',').map(part).collect();
        parts.join(", ")
    }

    fn constrain(&mut self, condition: Option<&str>) -> Result<(), Trouble> {
        self.listed = None;
        let budget = quotient_core::Budget::unlimited();
        let Some(text) = condition else {
            let program = self.file.program();
            self.steps.constrain(program, None, &budget)?;
            return Ok(());
        };
        let source = Source::new("condition", text);
        let asked = self
            .file
            .formula(&source, Some(SpecificationKind::Invariant));
        let formula = asked.map_err(Trouble::Invalid)?.formula;
        let program = self.file.program();
        match self.steps.constrain(program, Some(&formula), &budget)? {
            true => Ok(()),
            false => {
                let message = "a condition on steps has no temporal operators";
                Err(Diagnostic::error("smv-condition", message)
                    .in_source(&source)
                    .help("say it about the state reached, or about a step with `next(x)`")
                    .into())
            }
        }
    }

    fn details(&mut self, _: &Context) -> Result<Vec<(String, Json)>, Trouble> {
        let run = told::to_json(&self.run, self.file.program());
        Ok(vec![("run".to_owned(), run)])
    }
}
