//! Formulas of branching time, on as much of the graph as is known.
//!
//! A formula is evaluated twice, with opposite opinions about what was not visited: what holds
//! even if nothing good comes there holds, and what does not hold even if everything good comes
//! there does not. On the whole graph both are one. Runs are maximal: they end only where there
//! is no successor.

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};

use crate::{StateId, Steps};

/// Evaluates formulas on the states that are known.
pub struct Branching<'a, 'b> {
    steps: &'a Steps<'b>,
    /// Where the predecessors of each state begin, and they.
    begins: Vec<u32>,
    sources: Vec<StateId>,
}

/// For each state whether a formula holds there.
type Set = Vec<bool>;

impl<'a, 'b> Branching<'a, 'b> {
    /// Prepares for questions about the states that are known.
    pub fn new(steps: &'a Steps<'b>) -> Branching<'a, 'b> {
        let number = steps.graph().len();
        let mut begins = vec![0_u32; number + 1];
        let each = |mut action: Box<dyn FnMut(StateId, StateId) + '_>| {
            for id in StateId::all(number) {
                for &target in steps.known(id).unwrap_or_default() {
                    action(id, target);
                }
            }
        };
        each(Box::new(|_, target| begins[target.index() + 1] += 1));
        for at in 0..number {
            begins[at + 1] += begins[at];
        }
        let mut sources = vec![StateId::new(0); steps.len()];
        let mut next = begins.clone();
        each(Box::new(|source, target| {
            let at = &mut next[target.index()];
            sources[*at as usize] = source;
            *at += 1;
        }));
        Branching {
            steps,
            begins,
            sources,
        }
    }

    /// Whether all initial states fulfil a formula, if that is known. `atom` says whether an
    /// atom is true in a state.
    pub fn holds(
        &self,
        formula: &Formula<u32>,
        atom: &mut dyn FnMut(u32, &[u64]) -> bool,
        budget: &Budget,
    ) -> Result<Option<bool>, Stop> {
        let mut evaluation = Evaluation {
            graph: self,
            atom,
            budget,
        };
        let mut initial = self.steps.initial().iter();
        let surely = evaluation.set(formula, false)?;
        if initial.clone().all(|&id| surely[id.index()]) {
            return Ok(Some(true));
        }
        if self.steps.visited() == self.steps.graph().len() {
            return Ok(Some(false));
        }
        let perhaps = evaluation.set(formula, true)?;
        match initial.all(|&id| perhaps[id.index()]) {
            true => Ok(None),
            false => Ok(Some(false)),
        }
    }

    fn before(&self, id: StateId) -> &[StateId] {
        let (from, to) = (self.begins[id.index()], self.begins[id.index() + 1]);
        &self.sources[from as usize..to as usize]
    }
}

struct Evaluation<'e, 'a, 'b> {
    graph: &'e Branching<'a, 'b>,
    atom: &'e mut dyn FnMut(u32, &[u64]) -> bool,
    budget: &'e Budget,
}

impl Evaluation<'_, '_, '_> {
    /// The states in which a formula holds, in the better or the worse case.
    fn set(&mut self, formula: &Formula<u32>, better: bool) -> Result<Set, Stop> {
        let number = self.graph.steps.graph().len();
        self.budget.charge(number as u64 / 64 + 1)?;
        match &formula.kind {
            Kind::Constant(value) => Ok(vec![*value; number]),
            Kind::Atom(atom) => {
                let graph = self.graph.steps.graph();
                let mut set = vec![false; number];
                for (id, value) in set.iter_mut().enumerate() {
                    *value = (self.atom)(*atom, &graph.state(StateId::from_index(id)));
                }
                Ok(set)
            }
            Kind::Unary(Unary::Not, inner) => Ok(not(self.set(inner, !better)?)),
            Kind::Unary(Unary::Exists, path) => self.exists(path, better),
            Kind::Unary(Unary::ForAll, path) => self.for_all(path, better),
            Kind::Binary(operator, left, right) => {
                let one = |value: &Formula<u32>, of: &mut Self, better| of.set(value, better);
                match operator {
                    Binary::And => Ok(both(one(left, self, better)?, &one(right, self, better)?)),
                    Binary::Or => Ok(either(one(left, self, better)?, &one(right, self, better)?)),
                    Binary::Implies => {
                        let not_left = not(one(left, self, !better)?);
                        Ok(either(not_left, &one(right, self, better)?))
                    }
                    _ => Err(unfit()),
                }
            }
            _ => Err(unfit()),
        }
    }

    fn exists(&mut self, path: &Formula<u32>, better: bool) -> Result<Set, Stop> {
        match &path.kind {
            Kind::Unary(Unary::Next, inner) => {
                let inner = self.set(inner, better)?;
                Ok(self.next(&inner, better))
            }
            Kind::Unary(Unary::Finally(None), inner) => {
                let inner = self.set(inner, better)?;
                let all = vec![true; inner.len()];
                self.until(&all, inner, better)
            }
            Kind::Unary(Unary::Globally(None), inner) => {
                let inner = self.set(inner, better)?;
                self.always(inner, better)
            }
            Kind::Binary(Binary::Until(None), left, right) => {
                let left = self.set(left, better)?;
                let right = self.set(right, better)?;
                self.until(&left, right, better)
            }
            _ => Err(unfit()),
        }
    }

    /// What is true on all paths is what no path contradicts.
    fn for_all(&mut self, path: &Formula<u32>, better: bool) -> Result<Set, Stop> {
        let worse = !better;
        match &path.kind {
            Kind::Unary(Unary::Next, inner) => {
                let inner = not(self.set(inner, better)?);
                Ok(not(self.next(&inner, worse)))
            }
            Kind::Unary(Unary::Finally(None), inner) => {
                let inner = not(self.set(inner, better)?);
                Ok(not(self.always(inner, worse)?))
            }
            Kind::Unary(Unary::Globally(None), inner) => {
                let inner = not(self.set(inner, better)?);
                let all = vec![true; inner.len()];
                Ok(not(self.until(&all, inner, worse)?))
            }
            Kind::Binary(Binary::Until(None), left, right) => {
                let not_left = not(self.set(left, better)?);
                let not_right = not(self.set(right, better)?);
                let neither = both(not_left, &not_right);
                let broken = self.until(&not_right, neither, worse)?;
                let never = self.always(not_right, worse)?;
                Ok(not(either(broken, &never)))
            }
            _ => Err(unfit()),
        }
    }

    fn next(&self, inner: &[bool], better: bool) -> Set {
        let steps = self.graph.steps;
        let one = |id: StateId| match steps.known(id) {
            None => better,
            Some(targets) => targets.iter().any(|&target| inner[target.index()]),
        };
        StateId::all(inner.len()).map(one).collect()
    }

    fn until(&self, left: &[bool], right: Set, better: bool) -> Result<Set, Stop> {
        let mut set = right;
        if better {
            for (id, value) in set.iter_mut().enumerate() {
                *value |= left[id] && self.graph.steps.known(StateId::from_index(id)).is_none();
            }
        }
        let members = StateId::all(set.len()).filter(|id| set[id.index()]);
        let mut todo: Vec<StateId> = members.collect();
        let mut count = 0_u64;
        while let Some(id) = todo.pop() {
            count += 1;
            if count.is_multiple_of(1024) {
                self.budget.charge(16)?;
            }
            for &source in self.graph.before(id) {
                if left[source.index()] && !set[source.index()] {
                    set[source.index()] = true;
                    todo.push(source);
                }
            }
        }
        Ok(set)
    }

    /// Where a maximal path stays in a set.
    fn always(&self, inner: Set, better: bool) -> Result<Set, Stop> {
        let mut set = inner;
        let mut left = vec![0_u32; set.len()];
        let mut todo = Vec::new();
        for id in 0..set.len() {
            let stays = match self.graph.steps.known(StateId::from_index(id)) {
                None => better,
                Some([]) => true,
                Some(targets) => {
                    left[id] = targets.iter().filter(|&&one| set[one.index()]).count() as u32;
                    left[id] > 0
                }
            };
            if set[id] && !stays {
                todo.push(StateId::from_index(id));
            }
        }
        for &id in &todo {
            set[id.index()] = false;
        }
        let mut count = 0_u64;
        while let Some(id) = todo.pop() {
            count += 1;
            if count.is_multiple_of(1024) {
                self.budget.charge(16)?;
            }
            for &source in self.graph.before(id) {
                let at = source.index();
                left[at] -= 1;
                if set[at] && left[at] == 0 {
                    set[at] = false;
                    todo.push(source);
                }
            }
        }
        Ok(set)
    }
}

fn unfit() -> Stop {
    Stop::exhausted("the formula is not one of branching time")
}

fn not(mut set: Set) -> Set {
    for value in &mut set {
        *value = !*value;
    }
    set
}

fn both(mut left: Set, right: &[bool]) -> Set {
    for (value, other) in left.iter_mut().zip(right) {
        *value &= other;
    }
    left
}

fn either(mut left: Set, right: &[bool]) -> Set {
    for (value, other) in left.iter_mut().zip(right) {
        *value |= other;
    }
    left
}
