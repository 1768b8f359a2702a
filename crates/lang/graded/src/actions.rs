//! Conditions and actions over variables: grades of states, and transitions.

use quotient_core::{Diagnostic, Source};

use crate::algebra::ActionLattice;
use crate::imperative::place;
use crate::system::System;
use crate::tree::{Action, Expression, GradeText};

/// The grade of the steps of an action: the same for all, or computed in each state.
enum Weight<'a, G> {
    Fixed(G),
    Computed(&'a Expression),
}

impl<A: ActionLattice> System<A> {
    /// A condition with its grade where it is true and zero elsewhere.
    pub(crate) fn condition(
        &self,
        condition: &Expression,
        grade: &A::Grade,
        source: &Source,
    ) -> Result<Vec<A::Grade>, Diagnostic> {
        self.space.condition(condition, source)?;
        let of = |state: usize| {
            let values = self.space.values(state);
            Ok(match self.space.value(condition, &values, source)? {
                1 => grade.clone(),
                _ => self.algebra.zero(),
            })
        };
        (0..self.states.len()).map(of).collect()
    }

    /// The transitions of an imperative action. What leaves a range does not happen.
    pub(crate) fn action(
        &self,
        action: &Action,
        source: &Source,
    ) -> Result<Vec<(u32, u32, A::Grade)>, Diagnostic> {
        if let Some(condition) = &action.when {
            self.space.condition(condition, source)?;
        }
        let targets = self.targets(action, source)?;
        let weight = match &action.grade {
            None => Weight::Fixed(self.algebra.one()),
            Some(GradeText::Written(spot)) => Weight::Fixed(self.grade(spot, source)?),
            Some(GradeText::Computed(expression)) => {
                self.space.number(expression, source)?;
                Weight::Computed(expression)
            }
        };
        let mut edges = Vec::new();
        for state in 0..self.states.len() {
            let values = self.space.values(state);
            if let Some(when) = &action.when
                && self.space.value(when, &values, source)? != 1
            {
                continue;
            }
            let mut after = values.clone();
            for (target, value) in &targets {
                after[*target] = self.space.value(value, &values, source)?;
            }
            let Some(to) = self.space.state(&after) else {
                continue;
            };
            let weight = match &weight {
                Weight::Fixed(weight) => weight.clone(),
                Weight::Computed(of) => self.computed_grade(of, state, action, source)?,
            };
            edges.push((state as u32, to as u32, weight));
        }
        Ok(edges)
    }

    /// The variables that an action changes, each once: two values at a time would be none.
    fn targets<'a>(
        &self,
        action: &'a Action,
        source: &Source,
    ) -> Result<Vec<(usize, &'a Expression)>, Diagnostic> {
        let mut targets: Vec<(usize, &Expression)> = Vec::new();
        for (target, value) in &action.assign {
            self.space.number(value, source)?;
            let variable = self.space.variable(target, source)?;
            if targets.iter().any(|(other, _)| *other == variable) {
                let message = format!("`{}` is assigned twice at once", target.text);
                let mistake = Diagnostic::error("twice", message);
                return Err(mistake.at(source, target.span, ""));
            }
            targets.push((variable, value));
        }
        Ok(targets)
    }

    /// The grade that an expression says for a step from a state.
    fn computed_grade(
        &self,
        of: &Expression,
        state: usize,
        action: &Action,
        source: &Source,
    ) -> Result<A::Grade, Diagnostic> {
        let value = self.space.value(of, &self.space.values(state), source)?;
        self.algebra.read(&value.to_string()).ok_or_else(|| {
            let message = format!(
                "the grade where {} is {value}, which is no grade of `{}`",
                self.states[state],
                self.algebra.name()
            );
            let mistake = Diagnostic::error("unknown-grade", message);
            let first = action.assign.first().map(|(target, _)| target.span);
            let mistake = match place(of).or(first) {
                Some(span) => mistake.at(source, span, ""),
                None => mistake.in_source(source),
            };
            mistake.note(format!("a grade is {}", self.algebra.spelling()))
        })
    }
}
