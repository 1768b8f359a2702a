//! A state of a few processes, and a step of theirs, as clauses.
//!
//! Formulas are demanded only, never denied: each name for a formula says "if this is so, the
//! formula holds", which is all that is needed.

use std::collections::BTreeMap;

use quotient_arrays::{Domain, Formula, Place, Relation, System, Term, Value, VariableId};
use quotient_core::{Budget, Stop};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal};

use super::numbers::{Row, is_impossible};
use crate::Rejection;

/// Before or after the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Before,
    After,
}

/// What a cell holds.
#[derive(Debug, Clone)]
enum Slot {
    /// One of these.
    One(Vec<Lit>),
    /// A whole number, by its name.
    Number(usize),
    /// A number with a fraction, by its name.
    Fraction(usize),
}

/// A value to compare.
enum Operand {
    Slot(Slot),
    Known(usize),
    Number(Row),
}

pub(super) struct Encoding<'a> {
    system: &'a System,
    processes: usize,
    /// Of a start: the cells of the first so many hold processes of these. Of other states they may
    /// all hold forgotten ones, and nothing is known of numbers with fractions.
    start: Option<usize>,
    solver: rustsat_batsat::BasicSolver,
    next: u32,
    numbers: usize,
    before: BTreeMap<Place, Slot>,
    after: BTreeMap<Place, Slot>,
    /// Sums that are at most zero if their name is true.
    rows: Vec<(Lit, Row)>,
    /// `order[one][two]`: process one comes before process two.
    order: Vec<Vec<Option<Lit>>>,
    budget: Budget,
}

fn broken(error: impl std::fmt::Display) -> Rejection {
    Rejection::Stopped(Stop::exhausted(format!("the solver failed: {error}")))
}

impl<'a> Encoding<'a> {
    /// A state of so many processes, others being forgotten, and what it is after a transition of the
    /// first of them.
    pub(super) fn new(
        system: &'a System,
        processes: usize,
        transition: Option<usize>,
        budget: &Budget,
    ) -> Result<Encoding<'a>, Rejection> {
        let mut encoding = Encoding::begun(system, processes, None, budget)?;
        if let Some(transition) = transition {
            encoding.step(transition)?;
        }
        Ok(encoding)
    }

    /// So many processes at the start, others being forgotten, but nobody whom the cells of the first
    /// `whole` of them hold.
    pub(super) fn at_start(
        system: &'a System,
        processes: usize,
        whole: usize,
        budget: &Budget,
    ) -> Result<Encoding<'a>, Rejection> {
        Encoding::begun(system, processes, Some(whole), budget)
    }

    fn begun(
        system: &'a System,
        processes: usize,
        start: Option<usize>,
        budget: &Budget,
    ) -> Result<Encoding<'a>, Rejection> {
        let mut solver = rustsat_batsat::BasicSolver::default();
        let watched = budget.clone();
        solver
            .batsat_mut()
            .cb_mut()
            .set_stop(move || watched.poll().is_err());
        let mut encoding = Encoding {
            system,
            processes,
            start,
            solver,
            next: 0,
            numbers: 0,
            before: BTreeMap::new(),
            after: BTreeMap::new(),
            rows: Vec::new(),
            order: Vec::new(),
            budget: budget.clone(),
        };
        encoding.lay_order()?;
        for (variable, data) in system.variables.iter().enumerate() {
            let variable = VariableId::from_index(variable);
            for at in all_tuples(processes, data.arity) {
                let slot = encoding.slot(variable)?;
                if let (Some(whole), Slot::One(values), Domain::Process) =
                    (start, &slot, data.domain)
                    && at.iter().all(|&one| one < whole)
                {
                    let values = values[..processes].to_vec();
                    encoding.clause(&values)?;
                }
                encoding.before.insert(Place { variable, at }, slot);
            }
        }
        Ok(encoding)
    }

    fn fresh(&mut self) -> Lit {
        let lit = Lit::positive(self.next);
        self.next += 1;
        lit
    }

    fn clause(&mut self, literals: &[Lit]) -> Result<(), Rejection> {
        self.budget.charge(1)?;
        self.solver.add_clause_ref(literals).map_err(broken)
    }

    /// The processes stand in some order.
    fn lay_order(&mut self) -> Result<(), Rejection> {
        let many = self.processes;
        self.order = vec![vec![None; many]; many];
        for one in 0..many {
            for two in one + 1..many {
                let before = self.fresh();
                self.order[one][two] = Some(before);
                self.order[two][one] = Some(!before);
            }
        }
        for one in 0..many {
            for two in 0..many {
                for three in 0..many {
                    if let (Some(first), Some(second), Some(both)) = (
                        self.order[one][two],
                        self.order[two][three],
                        self.order[one][three],
                    ) {
                        self.clause(&[!first, !second, both])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Room for a value of a variable.
    fn slot(&mut self, variable: VariableId) -> Result<Slot, Rejection> {
        let domain = self.system.variables[variable.index()].domain;
        let cells = |domain: Domain| -> usize {
            let all = self
                .system
                .variables
                .iter()
                .filter(|one| one.domain == domain);
            all.map(|one| self.processes.pow(one.arity as u32)).sum()
        };
        let values = match domain {
            Domain::Integer | Domain::Real => {
                self.numbers += 1;
                return Ok(match domain {
                    Domain::Real => Slot::Fraction(self.numbers - 1),
                    _ => Slot::Number(self.numbers - 1),
                });
            }
            Domain::Enumeration(number) => self.system.enumerations[number.index()].len(),
            // Processes that were forgotten: no more than there are cells before and after.
            Domain::Process => self.processes + 2 * cells(domain),
            Domain::Opaque(_) => 2 * cells(domain),
        };
        let one: Vec<Lit> = (0..values).map(|_| self.fresh()).collect();
        self.clause(&one)?;
        for left in 0..values {
            for right in left + 1..values {
                self.clause(&[!one[left], !one[right]])?;
            }
        }
        Ok(Slot::One(one))
    }

    /// The transition of the first processes is taken.
    fn step(&mut self, number: usize) -> Result<(), Rejection> {
        let system = self.system;
        let transition = &system.transitions[number];
        let at: Vec<usize> = (0..transition.processes).collect();
        self.demand(&transition.guard, &at, Moment::Before)?;
        for update in &transition.updates {
            let arity = system.variables[update.variable.index()].arity;
            for index in all_tuples(self.processes, arity) {
                let slot = self.slot(update.variable)?;
                let at = [&at[..], &index[..]].concat();
                let place = Place {
                    variable: update.variable,
                    at: index,
                };
                let mut ways = Vec::new();
                for (which, (condition, value)) in update.cases.iter().enumerate() {
                    let way = self.name(condition, &at, Moment::Before)?;
                    let taken = self.fresh();
                    self.clause(&[!taken, way])?;
                    for (earlier, _) in &update.cases[..which] {
                        let not = self.name(&earlier.negated(), &at, Moment::Before)?;
                        self.clause(&[!taken, not])?;
                    }
                    if let Value::Is(term) = value {
                        let operand = self.operand(term, &at, Moment::Before)?;
                        self.equal(taken, &Operand::Slot(slot.clone()), &operand)?;
                    }
                    ways.push(taken);
                }
                let stays = self.fresh();
                for (earlier, _) in &update.cases {
                    let not = self.name(&earlier.negated(), &at, Moment::Before)?;
                    self.clause(&[!stays, not])?;
                }
                let old = Operand::Slot(self.before[&place].clone());
                self.equal(stays, &Operand::Slot(slot.clone()), &old)?;
                ways.push(stays);
                self.clause(&ways)?;
                self.after.insert(place, slot);
            }
        }
        Ok(())
    }

    fn held(&self, place: &Place, moment: Moment) -> Slot {
        let after = (moment == Moment::After)
            .then(|| self.after.get(place))
            .flatten();
        after.unwrap_or(&self.before[place]).clone()
    }

    fn operand(&self, term: &Term, at: &[usize], moment: Moment) -> Result<Operand, Rejection> {
        let held = |place: &Place| {
            let at = place.at.iter().map(|one| at[*one]).collect();
            self.held(
                &Place {
                    variable: place.variable,
                    at,
                },
                moment,
            )
        };
        Ok(match term {
            Term::Cell(place) => Operand::Slot(held(place)),
            Term::Constant(value) => Operand::Known(*value),
            Term::Process(one) => Operand::Known(at[*one]),
            Term::Sum(parts, constant) => {
                let mut row = Row::constant(i128::from(*constant));
                for (factor, place) in parts {
                    let number = match held(place) {
                        Slot::Number(number) => number,
                        Slot::Fraction(number) => {
                            row = row.with_fractions();
                            number
                        }
                        Slot::One(_) => {
                            return Err(Rejection::unreadable("a sum of what are no numbers"));
                        }
                    };
                    row.add(number, i128::from(*factor));
                }
                Operand::Number(row)
            }
        })
    }

    /// Demands a formula about these processes.
    pub(super) fn demand(
        &mut self,
        formula: &Formula,
        at: &[usize],
        moment: Moment,
    ) -> Result<(), Rejection> {
        let name = self.name(formula, at, moment)?;
        self.clause(&[name])
    }

    /// A name for a formula, to be assumed.
    pub(super) fn assumed(
        &mut self,
        formula: &Formula,
        at: &[usize],
        moment: Moment,
    ) -> Result<Lit, Rejection> {
        self.name(formula, at, moment)
    }

    /// If the name is true, the formula holds.
    fn name(&mut self, formula: &Formula, at: &[usize], moment: Moment) -> Result<Lit, Rejection> {
        let name = self.fresh();
        match formula {
            Formula::And(parts) => {
                for part in parts {
                    let part = self.name(part, at, moment)?;
                    self.clause(&[!name, part])?;
                }
            }
            Formula::Or(parts) => {
                let mut any = vec![!name];
                for part in parts {
                    any.push(self.name(part, at, moment)?);
                }
                self.clause(&any)?;
            }
            // But at the start nothing is known of numbers with fractions: nothing is demanded.
            Formula::Compare(left, _, right)
                if self.start.is_none()
                    && (self.system.is_real(left) || self.system.is_real(right)) => {}
            Formula::Compare(left, relation, right) => {
                let order = self.compare_order(name, left, *relation, right, at)?;
                if !order {
                    let (left, right) = (
                        self.operand(left, at, moment)?,
                        self.operand(right, at, moment)?,
                    );
                    self.compare(name, &left, *relation, &right)?;
                }
            }
            Formula::ForallOther(body) => {
                for other in (0..self.processes).filter(|one| !at.contains(one)) {
                    let at = [at, &[other]].concat();
                    let part = self.name(body, &at, moment)?;
                    self.clause(&[!name, part])?;
                }
            }
            // Somebody who was forgotten may do: nothing is demanded.
            Formula::ExistsOther(_) => {}
            // So may those that were forgotten count: nothing is demanded.
            Formula::Enough(_) | Formula::Many(..) | Formula::Few(..) => {}
        }
        Ok(name)
    }

    /// Comparisons of processes by their order. Those that cells hold may stand anywhere.
    fn compare_order(
        &mut self,
        name: Lit,
        left: &Term,
        relation: Relation,
        right: &Term,
        at: &[usize],
    ) -> Result<bool, Rejection> {
        if !matches!(relation, Relation::Less | Relation::AtMost) {
            return Ok(false);
        }
        let is_process = |term: &Term| match term {
            Term::Process(_) => true,
            Term::Cell(place) => {
                self.system.variables[place.variable.index()].domain == Domain::Process
            }
            Term::Constant(_) | Term::Sum(..) => false,
        };
        if let (Term::Process(left), Term::Process(right)) = (left, right) {
            match self.order[at[*left]][at[*right]] {
                Some(before) => self.clause(&[!name, before])?,
                None if relation == Relation::Less => self.clause(&[!name])?,
                None => {}
            }
            return Ok(true);
        }
        Ok(is_process(left) || is_process(right))
    }

    fn compare(
        &mut self,
        name: Lit,
        left: &Operand,
        relation: Relation,
        right: &Operand,
    ) -> Result<(), Rejection> {
        if let (Some(left), Some(right)) = (row(left), row(right)) {
            let (below, above) = (left.minus(&right), right.minus(&left));
            return match relation {
                Relation::Same => self.equal_rows(name, below, above),
                Relation::Different => {
                    let (less, more) = (
                        self.at_most(below.below_zero()),
                        self.at_most(above.below_zero()),
                    );
                    self.clause(&[!name, less, more])
                }
                Relation::Less => {
                    let less = self.at_most(below.below_zero());
                    self.clause(&[!name, less])
                }
                Relation::AtMost => {
                    let at_most = self.at_most(below);
                    self.clause(&[!name, at_most])
                }
            };
        }
        match relation {
            Relation::Same => self.equal(name, left, right),
            Relation::Different => match (left, right) {
                (Operand::Known(left), Operand::Known(right)) => match left == right {
                    true => self.clause(&[!name]),
                    false => Ok(()),
                },
                (Operand::Slot(Slot::One(one)), Operand::Known(value))
                | (Operand::Known(value), Operand::Slot(Slot::One(one))) => match one.get(*value) {
                    Some(is) => {
                        let is = *is;
                        self.clause(&[!name, !is])
                    }
                    None => Ok(()),
                },
                (Operand::Slot(Slot::One(one)), Operand::Slot(Slot::One(two))) => {
                    for (left, right) in one.iter().zip(two) {
                        self.clause(&[!name, !*left, !*right])?;
                    }
                    Ok(())
                }
                _ => Err(Rejection::unreadable(
                    "values of different kinds are compared",
                )),
            },
            Relation::Less | Relation::AtMost => Err(Rejection::unreadable(
                "values without an order are compared",
            )),
        }
    }

    /// If the name is true, two values are the same.
    fn equal(&mut self, name: Lit, left: &Operand, right: &Operand) -> Result<(), Rejection> {
        if let (Some(left), Some(right)) = (row(left), row(right)) {
            return self.equal_rows(name, left.minus(&right), right.minus(&left));
        }
        match (left, right) {
            (Operand::Known(left), Operand::Known(right)) => match left == right {
                true => Ok(()),
                false => self.clause(&[!name]),
            },
            (Operand::Slot(Slot::One(one)), Operand::Known(value))
            | (Operand::Known(value), Operand::Slot(Slot::One(one))) => match one.get(*value) {
                Some(is) => {
                    let is = *is;
                    self.clause(&[!name, is])
                }
                None => self.clause(&[!name]),
            },
            (Operand::Slot(Slot::One(one)), Operand::Slot(Slot::One(two))) => {
                if one.len() != two.len() {
                    return Err(Rejection::unreadable(
                        "values of different kinds are compared",
                    ));
                }
                for (left, right) in one.iter().zip(two) {
                    self.clause(&[!name, !*left, *right])?;
                }
                Ok(())
            }
            _ => Err(Rejection::unreadable(
                "values of different kinds are compared",
            )),
        }
    }

    fn equal_rows(&mut self, name: Lit, below: Row, above: Row) -> Result<(), Rejection> {
        let (below, above) = (self.at_most(below), self.at_most(above));
        self.clause(&[!name, below])?;
        self.clause(&[!name, above])
    }

    /// A name for a sum being at most zero.
    fn at_most(&mut self, row: Row) -> Lit {
        let name = self.fresh();
        self.rows.push((name, row));
        name
    }

    /// Whether a formula holds of these processes before the step, in the state that was found
    /// possible; `false` where that is not seen.
    pub(super) fn is_so(&self, formula: &Formula, at: &[usize]) -> bool {
        let value = |term: &Term| match self.operand(term, at, Moment::Before) {
            Ok(Operand::Known(value)) => Some(value),
            Ok(Operand::Slot(Slot::One(one))) => one
                .iter()
                .position(|is| matches!(self.solver.lit_val(*is), Ok(TernaryVal::True))),
            _ => None,
        };
        match formula {
            Formula::And(parts) => parts.iter().all(|part| self.is_so(part, at)),
            Formula::Or(parts) => parts.iter().any(|part| self.is_so(part, at)),
            Formula::Compare(left, Relation::Same, right) => {
                value(left).is_some() && value(left) == value(right)
            }
            Formula::Compare(left, Relation::Different, right) => {
                let (left, right) = (value(left), value(right));
                left.is_some() && right.is_some() && left != right
            }
            _ => false,
        }
    }

    /// Whether all of this can be, with these names true.
    pub(super) fn is_possible(&mut self, assumed: &[Lit]) -> Result<bool, Rejection> {
        loop {
            self.budget.poll()?;
            match self.solver.solve_assumps(assumed).map_err(broken)? {
                SolverResult::Unsat => return Ok(false),
                SolverResult::Interrupted => {
                    self.budget.poll()?;
                    return Err(Rejection::Stopped(Stop::Interrupted));
                }
                SolverResult::Sat => {}
            }
            let mut together: Vec<usize> = (0..self.rows.len())
                .filter(|row| {
                    let value = self.solver.lit_val(self.rows[*row].0);
                    matches!(value, Ok(TernaryVal::True))
                })
                .collect();
            let rows = |together: &[usize]| -> Vec<Row> {
                together
                    .iter()
                    .map(|row| self.rows[*row].1.clone())
                    .collect()
            };
            if !is_impossible(rows(&together)) {
                return Ok(true);
            }
            // Numbers that cannot be: leave out what does not matter, and forbid the rest.
            let mut number = 0;
            while number < together.len() {
                let mut fewer = together.clone();
                fewer.remove(number);
                match is_impossible(rows(&fewer)) {
                    true => together = fewer,
                    false => number += 1,
                }
            }
            let clause: Vec<Lit> = together.iter().map(|row| !self.rows[*row].0).collect();
            self.clause(&clause)?;
        }
    }
}

fn row(operand: &Operand) -> Option<Row> {
    match operand {
        Operand::Number(row) => Some(row.clone()),
        Operand::Slot(Slot::Number(number)) => {
            let mut row = Row::constant(0);
            row.add(*number, 1);
            Some(row)
        }
        Operand::Slot(Slot::Fraction(number)) => {
            let mut row = Row::constant(0).with_fractions();
            row.add(*number, 1);
            Some(row)
        }
        Operand::Slot(Slot::One(_)) | Operand::Known(_) => None,
    }
}

/// Every tuple, with repetitions.
pub(super) fn all_tuples(below: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        all = all
            .iter()
            .flat_map(|tuple| (0..below).map(|one| [&tuple[..], &[one]].concat()))
            .collect();
    }
    all
}
