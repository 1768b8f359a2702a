//! A small instance searched forwards: real violations, and what guesses must not contain.

use std::hash::BuildHasher;

use hashbrown::{HashMap, HashTable};
use quotient_arrays::{Bad, Domain, Formula, Instance, State, System, Term, different};
use quotient_core::{Budget, Span, Stop};
use rustc_hash::FxBuildHasher;

use crate::choices::Demands;
use crate::cube::{Cube, Literal};
use crate::fractions::farthest;
use crate::symmetry::Symmetry;

/// A run of an instance: the states, and the transitions between them with who took them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// How many processes there are.
    pub processes: usize,
    /// The states, from the start on.
    pub states: Vec<State>,
    /// The transition after each state but the last, by number, and its processes.
    pub steps: Vec<(usize, Vec<usize>)>,
}

/// States of an instance that can be reached.
pub(crate) struct Small<'a> {
    system: &'a System,
    instance: Instance<'a>,
    /// What is the same whoever is who, where that is so: one state of each class is kept.
    symmetry: Option<Symmetry<'a>>,
    states: Vec<State>,
    /// Each state as it is written for its class; empty where there are no classes.
    written: Vec<State>,
    /// How each state was reached first.
    from: Vec<Option<(u32, u32, Vec<usize>)>>,
    known: HashTable<u32>,
    done: usize,
    /// Numbers so far beyond the number of processes are still followed.
    farthest: u64,
    /// Which transitions led anywhere.
    taken: Vec<bool>,
    /// For each literal, in which states it holds.
    held: HashMap<Literal, Vec<u64>, FxBuildHasher>,
}

impl<'a> Small<'a> {
    /// The beginnings of an instance, not more than so many.
    pub(crate) fn new(
        system: &'a System,
        processes: usize,
        most: usize,
        budget: &Budget,
    ) -> Result<Small<'a>, Stop> {
        let instance = Instance::new(system, processes);
        let mut small = Small {
            system,
            symmetry: Symmetry::of(system, &instance),
            instance,
            states: Vec::new(),
            written: Vec::new(),
            from: Vec::new(),
            known: HashTable::new(),
            done: 0,
            farthest: farthest(system),
            taken: vec![false; system.transitions.len()],
            held: HashMap::default(),
        };
        for state in starts(system, &small.instance, most, budget)?.0 {
            small.insert(state, None);
        }
        Ok(small)
    }

    fn insert(&mut self, state: State, from: Option<(u32, u32, Vec<usize>)>) {
        let written = self.symmetry.as_ref().map(|one| one.written(&state));
        let known = match written {
            Some(_) => &self.written,
            None => &self.states,
        };
        let hash_of = |state: &State| FxBuildHasher.hash_one(state);
        let key = written.as_ref().unwrap_or(&state);
        let hash = hash_of(key);
        let same = |number: &u32| known[*number as usize] == *key;
        if self.known.find(hash, same).is_none() {
            let number = self.states.len() as u32;
            let again = |number: &u32| hash_of(&known[*number as usize]);
            self.known.insert_unique(hash, number, again);
            self.states.push(state);
            self.written.extend(written);
            self.from.push(from);
        }
    }

    /// How many states were found.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether these are all.
    pub(crate) fn is_done(&self) -> bool {
        self.done == self.states.len()
    }

    /// Each beginning as a run without steps.
    pub(crate) fn beginnings(&self) -> Vec<Run> {
        let alone = |state: &State| Run {
            processes: self.processes(),
            states: vec![state.clone()],
            steps: Vec::new(),
        };
        self.states.iter().map(alone).collect()
    }

    /// How many processes the instance has.
    pub(crate) fn processes(&self) -> usize {
        self.instance.processes()
    }

    /// Goes on breadth first until so many states are there; a bad one ends it.
    pub(crate) fn explore(
        &mut self,
        bad: &Bad,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<Run>, Stop> {
        let processes = self.processes();
        let farthest = processes as u64 + self.farthest;
        if processes < bad.fewest().max(self.system.least()) {
            return Ok(None);
        }
        let mut tuples: Vec<Vec<Vec<usize>>> = Vec::new();
        for transition in &self.system.transitions {
            let mut all = Vec::new();
            different(processes, transition.processes, &mut |at| {
                all.push(at.clone())
            });
            tuples.push(all);
        }
        for number in 0..self.done {
            if self.is_bad(bad, number) {
                return Ok(Some(self.run_to(number)));
            }
        }
        while self.done < self.states.len() && self.states.len() < most {
            let number = self.done;
            if self.is_bad(bad, number) {
                return Ok(Some(self.run_to(number)));
            }
            self.done += 1;
            let state = self.states[number].clone();
            for (which, transition) in self.system.transitions.iter().enumerate() {
                for at in &tuples[which] {
                    for next in self.instance.after(transition, at, &state, budget)? {
                        self.taken[which] = true;
                        if next.iter().all(|value| value.unsigned_abs() <= farthest) {
                            self.insert(next, Some((number as u32, which as u32, at.clone())));
                        }
                    }
                }
            }
            budget.charge(state.len() as u64)?;
        }
        Ok(None)
    }

    fn is_bad(&self, bad: &Bad, number: usize) -> bool {
        let state = &self.states[number];
        self.instance.is_bad(bad, state)
    }

    fn run_to(&self, number: usize) -> Run {
        let mut states = vec![self.states[number].clone()];
        let mut steps = Vec::new();
        let mut at = number;
        while let Some((before, which, who)) = &self.from[at] {
            at = *before as usize;
            states.push(self.states[at].clone());
            steps.push((*which as usize, who.clone()));
        }
        states.reverse();
        steps.reverse();
        Run {
            processes: self.processes(),
            states,
            steps,
        }
    }

    /// Whether some state that was found is one of the cube.
    pub(crate) fn meets(&mut self, processes: usize, literals: &[&Literal]) -> bool {
        let mut map = Vec::new();
        self.meets_with(processes, literals, &mut map)
    }

    fn meets_with(
        &mut self,
        processes: usize,
        literals: &[&Literal],
        map: &mut Vec<usize>,
    ) -> bool {
        if map.len() == processes {
            return self.meets_at(literals, map);
        }
        for one in 0..self.processes() {
            if !map.contains(&one) {
                map.push(one);
                let met = self.meets_with(processes, literals, map);
                map.pop();
                if met {
                    return true;
                }
            }
        }
        false
    }

    fn meets_at(&mut self, literals: &[&Literal], map: &[usize]) -> bool {
        let words = self.states.len().div_ceil(64);
        let here = self.processes();
        let renamed: Vec<Literal> = literals
            .iter()
            .map(|literal| literal.renamed(self.system, map, map.len(), here))
            .collect();
        for literal in &renamed {
            if self
                .held
                .get(literal)
                .is_none_or(|held| held.len() != words)
            {
                let held = self.where_held(literal);
                self.held.insert(literal.clone(), held);
            }
        }
        let sets: Vec<&Vec<u64>> = renamed.iter().map(|literal| &self.held[literal]).collect();
        let last = match self.states.len() % 64 {
            0 => u64::MAX,
            rest => (1 << rest) - 1,
        };
        (0..words).any(|word| {
            let all = if word + 1 == words { last } else { u64::MAX };
            sets.iter().fold(all, |set, held| set & held[word]) != 0
        })
    }

    fn where_held(&self, literal: &Literal) -> Vec<u64> {
        let mut held = vec![0u64; self.states.len().div_ceil(64)];
        for (number, state) in self.states.iter().enumerate() {
            if self.holds(literal, state) {
                held[number / 64] |= 1 << (number % 64);
            }
        }
        held
    }

    fn holds(&self, literal: &Literal, state: &State) -> bool {
        let value =
            |place: &quotient_arrays::Place| state[self.instance.cell(place.variable, &place.at)];
        match literal {
            Literal::In(place, values) => values >> value(place) & 1 == 1,
            Literal::Same(left, right) => value(left) == value(right),
            Literal::Different(left, right) => value(left) != value(right),
            Literal::Before(left, right) => left < right,
            Literal::AtMostZero(parts, constant) => {
                let sum: i128 = parts
                    .iter()
                    .map(|(factor, place)| i128::from(*factor) * i128::from(value(place)))
                    .sum();
                sum + i128::from(*constant) <= 0
            }
        }
    }
}

/// States in which an instance may begin: all, or as many as were asked for; and whether these are all.
fn starts(
    system: &System,
    instance: &Instance<'_>,
    most: usize,
    budget: &Budget,
) -> Result<(Vec<State>, bool), Stop> {
    let processes = instance.processes();
    let start = &system.start;
    let mut tuples = Vec::new();
    different(processes, start.processes, &mut |at| {
        tuples.push(at.clone())
    });
    let mut demands = Demands::new(system, processes);
    for at in &mut tuples {
        demands.demand(&start.formula, at)?;
    }
    let mut states = Vec::new();
    let mut all = true;
    let named = fractions(system, instance, &tuples);
    demands.each(Vec::new(), budget, &mut |literals| {
        let allowed = allowed(instance, &named, literals);
        all &= all_of(&allowed, most, budget, &mut |state| {
            if instance.is_start(state) {
                states.push(state.to_vec());
            }
            states.len() < most
        })?;
        Ok(states.len() < most)
    })?;
    Ok((states, all))
}

/// The values that each cell may have where literals hold, as far as they are listed.
fn allowed(instance: &Instance<'_>, named: &[Vec<i64>], literals: &[Literal]) -> Vec<Vec<i64>> {
    let mut allowed: Vec<Vec<i64>> = (0..instance.cells())
        .map(|cell| match named[cell].is_empty() {
            true => instance.values(cell),
            false => named[cell].clone(),
        })
        .collect();
    for literal in literals {
        match literal {
            Literal::In(place, values) => {
                let cell = instance.cell(place.variable, &place.at);
                allowed[cell].retain(|value| values >> value & 1 == 1);
            }
            Literal::AtMostZero(parts, constant) => {
                // A number that is named is worth trying.
                for (_, place) in parts {
                    let cell = instance.cell(place.variable, &place.at);
                    for near in [constant.saturating_neg(), *constant] {
                        if !allowed[cell].contains(&near) {
                            allowed[cell].push(near);
                        }
                    }
                }
            }
            Literal::Same(..) | Literal::Different(..) | Literal::Before(..) => {}
        }
    }
    allowed
}

/// The numbers with fractions that the start compares each cell with: proofs know nothing of them, so
/// they are in none of its literals.
fn fractions(system: &System, instance: &Instance<'_>, tuples: &[Vec<usize>]) -> Vec<Vec<i64>> {
    let mut named = vec![Vec::new(); instance.cells()];
    let mut note = |left: &Term, right: &Term| {
        let (cell, constant) = match (left, right) {
            (Term::Cell(place), Term::Sum(parts, constant)) if parts.is_empty() => {
                (place, constant)
            }
            _ => return,
        };
        if system.variables[cell.variable.index()].domain != Domain::Real {
            return;
        }
        for tuple in tuples {
            let at: Option<Vec<usize>> = (cell.at.iter())
                .map(|one| tuple.get(*one).copied())
                .collect();
            if let Some(at) = at {
                let values: &mut Vec<i64> = &mut named[instance.cell(cell.variable, &at)];
                if !values.contains(constant) {
                    values.push(*constant);
                }
            }
        }
    };
    let mut open = vec![&system.start.formula];
    while let Some(formula) = open.pop() {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => open.extend(parts),
            Formula::Compare(left, _, right) => {
                note(left, right);
                note(right, left);
            }
            _ => {}
        }
    }
    named
}

/// Every choice of a value for each cell, until the visitor has enough; whether it was every one.
fn all_of(
    allowed: &[Vec<i64>],
    most: usize,
    budget: &Budget,
    visit: &mut impl FnMut(&[i64]) -> bool,
) -> Result<bool, Stop> {
    if allowed.iter().any(Vec::is_empty) {
        return Ok(true);
    }
    let mut at = vec![0; allowed.len()];
    let mut state: Vec<i64> = allowed.iter().map(|values| values[0]).collect();
    for _ in 0..most.saturating_mul(16) {
        budget.charge(1)?;
        if !visit(&state) {
            return Ok(false);
        }
        let Some(cell) = (0..at.len())
            .rev()
            .find(|cell| at[*cell] + 1 < allowed[*cell].len())
        else {
            return Ok(true);
        };
        at[cell] += 1;
        state[cell] = allowed[cell][at[cell]];
        for later in cell + 1..at.len() {
            at[later] = 0;
            state[later] = allowed[later][0];
        }
    }
    Ok(false)
}

/// Whether some state of the cube may be a beginning, with enough processes.
pub(crate) fn meets_start(system: &System, cube: &Cube, budget: &Budget) -> Result<bool, Stop> {
    let processes = cube.processes.max(system.start.processes);
    let same: Vec<usize> = (0..cube.processes).collect();
    let literals = cube.literals.iter();
    let literals = literals.map(|one| one.renamed(system, &same, cube.processes, processes));
    let literals: Vec<Literal> = literals.collect();
    let mut tuples = Vec::new();
    different(processes, system.start.processes, &mut |at| {
        tuples.push(at.clone())
    });
    let mut demands = Demands::new(system, processes);
    for at in &mut tuples {
        demands.demand(&system.start.formula, at)?;
    }
    let mut met = false;
    demands.each(literals, budget, &mut |_| {
        met = true;
        Ok(false)
    })?;
    Ok(met)
}

/// States in which an instance may begin, as many as were asked for at the most.
pub fn beginnings(
    system: &System,
    processes: usize,
    most: usize,
    budget: &Budget,
) -> Result<Vec<State>, Stop> {
    all_beginnings(system, processes, most, budget).map(|(states, _)| states)
}

/// The same, and whether these are all; of numbers without end only a few are tried.
pub fn all_beginnings(
    system: &System,
    processes: usize,
    most: usize,
    budget: &Budget,
) -> Result<(Vec<State>, bool), Stop> {
    starts(system, &Instance::new(system, processes), most, budget)
}

/// Which transitions an instance takes at all; nothing if it has too many states to tell.
pub fn taken(
    system: &System,
    processes: usize,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<bool>>, Stop> {
    let never = Bad {
        name: String::new(),
        ways: Vec::new(),
        span: Span::new(0, 0),
    };
    let mut small = Small::new(system, processes, most, budget)?;
    small.explore(&never, most, budget)?;
    if !small.is_done() {
        return Ok(None);
    }
    Ok(Some(small.taken))
}
