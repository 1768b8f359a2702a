//! What a system does with a given number of processes.

use quotient_core::{Budget, Stop};

use crate::{
    Amount, Bad, Domain, Formula, Place, Relation, System, Term, Transition, Value, VariableId,
};

/// The value of every cell: the number of a value, of a process, or a number.
pub type State = Vec<i64>;

/// A system with a number of processes.
#[derive(Debug, Clone)]
pub struct Instance<'a> {
    system: &'a System,
    processes: usize,
    /// Where each variable begins in a state.
    begins: Vec<usize>,
    cells: usize,
}

impl<'a> Instance<'a> {
    /// The system with so many processes.
    pub fn new(system: &'a System, processes: usize) -> Instance<'a> {
        let mut begins = Vec::with_capacity(system.variables.len());
        let mut cells = 0;
        for variable in &system.variables {
            begins.push(cells);
            cells += processes.pow(variable.arity as u32);
        }
        Instance {
            system,
            processes,
            begins,
            cells,
        }
    }

    /// How many processes.
    pub fn processes(&self) -> usize {
        self.processes
    }

    /// How many cells a state has.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Where a variable at some processes stands in a state.
    pub fn cell(&self, variable: VariableId, at: &[usize]) -> usize {
        let index = at.iter().fold(0, |index, one| index * self.processes + one);
        self.begins[variable.index()] + index
    }

    /// The variable of a cell and the processes it belongs to.
    pub fn place(&self, cell: usize) -> Place {
        let variable = self.begins.partition_point(|begin| *begin <= cell) - 1;
        // Variables without cells (an array of no processes) share a beginning with the next.
        let mut index = cell - self.begins[variable];
        let mut at = vec![0; self.system.variables[variable].arity];
        for one in at.iter_mut().rev() {
            *one = index % self.processes;
            index /= self.processes;
        }
        let variable = VariableId::from_index(variable);
        Place { variable, at }
    }

    /// Whether a formula holds of a state and some processes.
    pub fn holds(&self, formula: &Formula, state: &[i64], at: &mut Vec<usize>) -> bool {
        match formula {
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, state, at)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part, state, at)),
            Formula::Compare(left, relation, right) => {
                let (left, right) = (self.value(left, state, at), self.value(right, state, at));
                match relation {
                    Relation::Same => left == right,
                    Relation::Different => left != right,
                    Relation::Less => left < right,
                    Relation::AtMost => left <= right,
                }
            }
            Formula::ForallOther(body) => self.others(at, |at| self.holds(body, state, at)),
            Formula::ExistsOther(body) => !self.others(at, |at| !self.holds(body, state, at)),
            Formula::Enough(amount) => self.amount(amount, state, at) >= 0,
            Formula::Many(body, amount) => {
                let many = self.many(body, state, at) * i128::from(amount.per());
                many >= self.amount(amount, state, at)
            }
            Formula::Few(body, amount) => {
                let many = self.many(body, state, at) * i128::from(amount.per());
                many < self.amount(amount, state, at)
            }
        }
    }

    /// How many processes, put after those that are there, satisfy a formula.
    fn many(&self, body: &Formula, state: &[i64], at: &mut Vec<usize>) -> i128 {
        let mut many = 0;
        for one in 0..self.processes {
            at.push(one);
            many += i128::from(self.holds(body, state, at));
            at.pop();
        }
        many
    }

    /// The number before it is divided.
    fn amount(&self, amount: &Amount, state: &[i64], at: &[usize]) -> i128 {
        let cells = Term::Sum(amount.cells.clone(), amount.constant);
        i128::from(amount.processes) * self.processes as i128 + self.value(&cells, state, at)
    }

    /// Whether all other processes, put after those that are there, pass.
    fn others(&self, at: &mut Vec<usize>, mut passes: impl FnMut(&mut Vec<usize>) -> bool) -> bool {
        for other in 0..self.processes {
            if at.contains(&other) {
                continue;
            }
            at.push(other);
            let passed = passes(at);
            at.pop();
            if !passed {
                return false;
            }
        }
        true
    }

    /// The value of a term. Numbers are wide enough for any sum of numbers of a text.
    fn value(&self, term: &Term, state: &[i64], at: &[usize]) -> i128 {
        let cell = |place: &Place| {
            let index = place
                .at
                .iter()
                .fold(0, |index, one| index * self.processes + at[*one]);
            i128::from(state[self.begins[place.variable.index()] + index])
        };
        match term {
            Term::Cell(place) => cell(place),
            Term::Constant(value) => *value as i128,
            Term::Process(one) => at[*one] as i128,
            Term::Sum(parts, constant) => {
                let parts = parts
                    .iter()
                    .map(|(factor, place)| i128::from(*factor) * cell(place));
                parts.sum::<i128>() + i128::from(*constant)
            }
        }
    }

    /// Whether the system may begin in a state.
    pub fn is_start(&self, state: &[i64]) -> bool {
        let start = &self.system.start;
        let mut fits = true;
        different(self.processes, start.processes, &mut |at| {
            fits = fits && self.holds(&start.formula, state, at);
        });
        fits && self.is_allowed(state)
    }

    /// Whether a state is one of those that are looked at.
    fn is_allowed(&self, state: &[i64]) -> bool {
        self.holds(&self.system.always, state, &mut Vec::new())
    }

    /// Whether something bad is so in a state.
    pub fn is_bad(&self, bad: &Bad, state: &[i64]) -> bool {
        let mut ways = bad.ways.iter();
        ways.any(|(processes, formula)| self.witness(*processes, formula, state).is_some())
    }

    /// Different processes for which a formula holds of a state.
    pub fn witness(
        &self,
        processes: usize,
        formula: &Formula,
        state: &[i64],
    ) -> Option<Vec<usize>> {
        let mut found = None;
        different(self.processes, processes, &mut |at| {
            if found.is_none() && self.holds(formula, state, at) {
                found = Some(at.clone());
            }
        });
        found
    }

    /// The states that a transition of these processes leads to; none where it is not possible.
    ///
    /// A value that may be any is any of its domain; numbers that may be any are among a few.
    pub fn after(
        &self,
        transition: &Transition,
        at: &[usize],
        state: &[i64],
        budget: &Budget,
    ) -> Result<Vec<State>, Stop> {
        budget.poll()?;
        let mut at = at.to_vec();
        if !self.holds(&transition.guard, state, &mut at) {
            return Ok(Vec::new());
        }
        let mut after = vec![state.to_vec()];
        for (cell, value) in self.changes(transition, &at, state) {
            match value {
                Some(Ok(value)) => after.iter_mut().for_each(|one| one[cell] = value),
                Some(Err(())) => return Err(Stop::exhausted("a number became too large")),
                None => {
                    let values = self.values(cell);
                    budget.charge((after.len() * values.len()) as u64)?;
                    after = after
                        .iter()
                        .flat_map(|one| {
                            values.iter().map(|value| {
                                let mut one = one.clone();
                                one[cell] = *value;
                                one
                            })
                        })
                        .collect();
                }
            }
        }
        after.retain(|state| self.is_allowed(state));
        Ok(after)
    }

    /// Whether a transition of these processes leads from one state to another.
    pub fn leads(&self, transition: &Transition, at: &[usize], from: &[i64], to: &[i64]) -> bool {
        let mut at = at.to_vec();
        if !self.holds(&transition.guard, from, &mut at) {
            return false;
        }
        let mut stays = vec![true; self.cells];
        for (cell, value) in self.changes(transition, &at, from) {
            stays[cell] = false;
            let fits = match value {
                Some(Ok(value)) => to[cell] == value,
                Some(Err(())) => false,
                None => self.is_value(cell, to[cell]),
            };
            if !fits {
                return false;
            }
        }
        (0..self.cells).all(|cell| !stays[cell] || from[cell] == to[cell]) && self.is_allowed(to)
    }

    /// The cells that a transition changes with their new values; none where it may be any.
    fn changes(
        &self,
        transition: &Transition,
        at: &[usize],
        state: &[i64],
    ) -> Vec<(usize, Option<Result<i64, ()>>)> {
        let mut changes = Vec::new();
        for update in &transition.updates {
            let arity = self.system.variables[update.variable.index()].arity;
            for index in 0..self.processes.pow(arity as u32) {
                let cell = self.begins[update.variable.index()] + index;
                let mut at = at.to_vec();
                at.extend(self.place(cell).at);
                let case = update
                    .cases
                    .iter()
                    .find(|(condition, _)| self.holds(condition, state, &mut at.clone()));
                match case {
                    None => {}
                    Some((_, Value::Any)) => changes.push((cell, None)),
                    Some((_, Value::Is(term))) => {
                        let value = i64::try_from(self.value(term, state, &at)).map_err(|_| ());
                        changes.push((cell, Some(value)));
                    }
                }
            }
        }
        changes
    }

    /// The values that a cell may have: all of a finite domain, a few of an infinite one.
    pub fn values(&self, cell: usize) -> Vec<i64> {
        match self.system.variables[self.place(cell).variable.index()].domain {
            Domain::Enumeration(number) => {
                (0..self.system.enumerations[number.index()].len() as i64).collect()
            }
            Domain::Process => (0..self.processes as i64).collect(),
            Domain::Opaque(_) => (0..2).collect(),
            Domain::Integer | Domain::Real => (0..=self.processes.max(2) as i64).collect(),
        }
    }

    /// Whether a cell may have a value at all.
    pub fn is_value(&self, cell: usize, value: i64) -> bool {
        match self.system.variables[self.place(cell).variable.index()].domain {
            Domain::Enumeration(number) => usize::try_from(value)
                .is_ok_and(|value| value < self.system.enumerations[number.index()].len()),
            Domain::Process => usize::try_from(value).is_ok_and(|value| value < self.processes),
            Domain::Opaque(_) | Domain::Integer | Domain::Real => true,
        }
    }
}

/// Visits every tuple of different numbers below a bound.
pub fn different(below: usize, length: usize, visit: &mut impl FnMut(&mut Vec<usize>)) {
    fn go(
        below: usize,
        length: usize,
        at: &mut Vec<usize>,
        visit: &mut impl FnMut(&mut Vec<usize>),
    ) {
        if at.len() == length {
            let before = at.clone();
            visit(at);
            debug_assert_eq!(before, *at);
            return;
        }
        for one in 0..below {
            if !at.contains(&one) {
                at.push(one);
                go(below, length, at, visit);
                at.pop();
            }
        }
    }
    go(below, length, &mut Vec::with_capacity(length), visit);
}
