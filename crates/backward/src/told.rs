//! What was found, as formulas.

use quotient_arrays::{Domain, Formula, Relation, System, Term};

use crate::cube::{Cube, Literal, OTHER, all_values};
use crate::search::Unreachable;

impl Unreachable {
    /// What never happens: for so many different processes, a formula.
    pub fn formulas(&self, system: &System) -> Vec<(usize, Formula)> {
        let told = |cube: &Cube| {
            let parts = cube.literals.iter();
            let parts = parts.map(|literal| of_literal(system, cube.processes, literal));
            (cube.processes, Formula::And(parts.flatten().collect()))
        };
        self.cubes.iter().map(told).collect()
    }
}

fn of_literal(system: &System, processes: usize, literal: &Literal) -> Vec<Formula> {
    let compare = |left: &Term, relation, right: &Term| {
        Formula::Compare(left.clone(), relation, right.clone())
    };
    match literal {
        Literal::In(place, values) => {
            let cell = Term::Cell(place.clone());
            let is_process = system.variables[place.variable.index()].domain == Domain::Process;
            let constant = |value: u32| match is_process {
                true => Term::Process(value as usize),
                false => Term::Constant(value as usize),
            };
            let all = all_values(system, place.variable, processes);
            let ones = |set: u64| (0..63).filter(move |value| set >> value & 1 == 1);
            let missing = all & !values;
            if values & OTHER != 0 && is_process || missing.count_ones() < values.count_ones() {
                ones(missing)
                    .map(|value| compare(&cell, Relation::Different, &constant(value)))
                    .collect()
            } else {
                let any = ones(*values);
                let any = any.map(|value| compare(&cell, Relation::Same, &constant(value)));
                let mut any: Vec<Formula> = any.collect();
                match any.len() {
                    1 => any.pop().into_iter().collect(),
                    _ => vec![Formula::Or(any)],
                }
            }
        }
        Literal::Same(left, right) | Literal::Different(left, right) => {
            let relation = match literal {
                Literal::Same(..) => Relation::Same,
                _ => Relation::Different,
            };
            let (left, right) = (Term::Cell(left.clone()), Term::Cell(right.clone()));
            vec![compare(&left, relation, &right)]
        }
        Literal::Before(left, right) => {
            let (left, right) = (Term::Process(*left), Term::Process(*right));
            vec![compare(&left, Relation::Less, &right)]
        }
        Literal::AtMostZero(parts, constant) => {
            let sum = Term::Sum(parts.clone(), *constant);
            vec![compare(&sum, Relation::AtMost, &Term::Sum(Vec::new(), 0))]
        }
    }
}
