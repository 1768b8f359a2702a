//! Solutions of queries as plain data.

use std::fmt;

use oxidd::BooleanFunction;
use quotient_core::Stop;
use quotient_logic::Polarity;

use super::{AskOptions, Initial, Query, Term, TermCopy};
use crate::checker::Refusal;
use crate::diagrams::{Set, Var};
use crate::model::Value;

/// What a placeholder stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// What its solutions speak about.
    pub terms: Vec<Term>,
    /// The polarity of its occurrences.
    pub polarity: Polarity,
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The placeholders.
    pub unknowns: Vec<Unknown>,
    /// How many solutions there are, in decimal; for [`Initial::Each`] how many pairs of an
    /// initial state and a solution.
    pub count: String,
    /// The same, rounded.
    pub about: f64,
    /// The solutions, up to the limit.
    pub solutions: Vec<Solution>,
    /// Whether all solutions are listed.
    pub complete: bool,
    /// The formula holds whatever stands for the placeholder: every statement is a solution,
    /// and minterms say nothing special.
    pub trivial: bool,
}

/// One solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// For each unknown what is observed, in the order of its terms.
    pub values: Vec<Vec<(String, Observed)>>,
    /// For [`Initial::Each`]: from how many initial states it works.
    pub initial_states: Option<String>,
}

/// What a solution says about a term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Observed {
    /// A statement is true or false.
    Truth(bool),
    /// A variable has a value.
    Value(Value),
}

impl fmt::Display for Solution {
    /// As a conjunction: `state = idle & !busy`; unknowns are separated by semicolons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unknown, values) in self.values.iter().enumerate() {
            if unknown > 0 {
                f.write_str("; ")?;
            }
            if values.is_empty() {
                f.write_str("TRUE")?;
            }
            for (term, (name, observed)) in values.iter().enumerate() {
                f.write_str(if term > 0 { " & " } else { "" })?;
                match observed {
                    Observed::Truth(true) | Observed::Value(Value::Boolean(true)) => {
                        f.write_str(name)?;
                    }
                    Observed::Truth(false) | Observed::Value(Value::Boolean(false)) => {
                        write!(f, "!{name}")?;
                    }
                    Observed::Value(value) => write!(f, "{name} = {value}")?,
                }
            }
        }
        Ok(())
    }
}

impl Query {
    pub(super) fn answer(&self, solved: Set, options: &AskOptions) -> Result<Answer, Refusal> {
        let diagrams = &self.system.diagrams;
        let copies: Vec<Var> = self.copy_variables();
        let states = self.machine.state.len();
        let pairs = options.initial == Initial::Each;
        let variables = copies.len() + if pairs { states } else { 0 };
        let count = diagrams.count(&solved, variables as u32);
        let solutions_only = match pairs {
            true => {
                let cube = diagrams.cube(self.machine.state.iter().copied())?;
                diagrams.exists(&solved, &cube)?
            }
            false => solved.clone(),
        };
        let (rows, complete) = self.rows(&solutions_only, &copies, options.limit)?;
        let mut solutions = Vec::new();
        for row in rows {
            let initial_states = match pairs {
                false => None,
                true => {
                    let point = diagrams.literals(row.iter().copied())?;
                    let cube = diagrams.cube(copies.iter().copied())?;
                    let from = diagrams.and_exists(&solved, &point, &cube)?;
                    Some(diagrams.count(&from, states as u32).to_string())
                }
            };
            solutions.push(Solution {
                values: self.decode(&row),
                initial_states,
            });
        }
        let trivial = match self.polarity() {
            _ if self.unknowns.is_empty() => false,
            Polarity::Positive => self.holds_with(false)?,
            Polarity::Negative => self.holds_with(true)?,
            Polarity::Mixed => false,
        };
        Ok(Answer {
            unknowns: self.unknowns.clone(),
            count: count.to_string(),
            about: f64::from(&count),
            solutions,
            complete,
            trivial,
        })
    }

    fn copy_variables(&self) -> Vec<Var> {
        let terms = self.copies.iter().flatten();
        terms
            .flat_map(|term| term.bits.iter().map(|&(_, copy)| copy))
            .collect()
    }

    /// The first valuations of the copies in a set, and whether these are all.
    pub(super) fn rows(
        &self,
        set: &Set,
        copies: &[Var],
        limit: usize,
    ) -> Result<(Vec<Vec<(Var, bool)>>, bool), Stop> {
        let diagrams = &self.system.diagrams;
        let mut rows = Vec::new();
        let mut left = set.clone();
        while rows.len() < limit {
            let Some(some) = diagrams.pick(&left) else {
                break;
            };
            let value = |&variable: &Var| {
                let known = some.iter().find(|&&(v, _)| v == variable);
                (variable, known.is_some_and(|&(_, value)| value))
            };
            let row: Vec<(Var, bool)> = copies.iter().map(value).collect();
            left = diagrams.minus(&left, &diagrams.literals(row.iter().copied())?)?;
            rows.push(row);
        }
        Ok((rows, !left.satisfiable()))
    }

    pub(super) fn decode(&self, row: &[(Var, bool)]) -> Vec<Vec<(String, Observed)>> {
        let value = |copy: Var| row.iter().any(|&(v, value)| v == copy && value);
        let decode_term = |term: &TermCopy| {
            let bits: Vec<bool> = term.bits.iter().map(|&(_, copy)| value(copy)).collect();
            match term.term {
                Term::Holds(expression) => {
                    let name = self.names.get(&expression).cloned();
                    let name = name.unwrap_or_else(|| format!("statement {}", expression.node()));
                    (name, Observed::Truth(bits[0]))
                }
                Term::Value(variable) => {
                    let variable = self.system.model.variable(variable);
                    let name = variable.name.clone();
                    (name, Observed::Value(variable.domain.decode(&bits)))
                }
            }
        };
        let of_unknown = |copies: &Vec<TermCopy>| copies.iter().map(decode_term).collect();
        self.copies.iter().map(of_unknown).collect()
    }
}
