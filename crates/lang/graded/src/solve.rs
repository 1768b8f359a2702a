//! Equations solved, strongly connected part by part.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use quotient_core::{Budget, Stop};

use crate::algebra::ActionLattice;
use crate::components::components;
use crate::equations::Equations;
use crate::typed::Modality;

/// The least (diamond) or greatest (box) solution, and why no other is.
#[derive(Debug, Clone)]
pub(crate) struct Solution<G> {
    /// A grade for each variable.
    pub(crate) grades: Vec<G>,
    /// An order in which each grade follows from grades before it; where the order of the grades
    /// is not linear there may be none.
    pub(crate) ranks: Option<Vec<u32>>,
    /// Variables whose grade needs a loop to be taken for ever, with the loop: the variables on
    /// it after this one, which is the last.
    pub(crate) cycles: Vec<(u32, Vec<u32>)>,
}

/// Solves equations.
pub(crate) fn solve<A: ActionLattice>(
    algebra: &A,
    equations: &Equations<A::Grade>,
    budget: &Budget,
) -> Result<Solution<A::Grade>, Stop> {
    let size = equations.len();
    let component = components(equations, budget)?;
    let mut solver = Solver {
        algebra,
        equations,
        grades: equations.base.clone(),
        ranks: vec![u32::MAX; size],
        next: 0,
        cycles: Vec::new(),
        ranked: true,
        inner: Inner::new(equations, &component.of),
    };
    for number in 0..component.count() {
        let part = component.members(number);
        budget.charge(part.len() as u64)?;
        for &variable in part {
            solver.take_from_outside(variable, &component.of, budget)?;
        }
        match part {
            [only] if solver.inner.sources(*only).is_empty() => solver.rank(*only),
            _ => solver.part(part, budget)?,
        }
    }
    let ranks = solver.ranked.then_some(solver.ranks);
    Ok(Solution {
        grades: solver.grades,
        ranks,
        cycles: solver.cycles,
    })
}

struct Solver<'a, A: ActionLattice> {
    algebra: &'a A,
    equations: &'a Equations<A::Grade>,
    grades: Vec<A::Grade>,
    ranks: Vec<u32>,
    next: u32,
    cycles: Vec<(u32, Vec<u32>)>,
    ranked: bool,
    inner: Inner,
}

impl<A: ActionLattice> Solver<'_, A> {
    fn rank(&mut self, variable: u32) {
        self.ranks[variable as usize] = self.next;
        self.next += 1;
    }

    /// Adds what solved variables contribute.
    fn take_from_outside(
        &mut self,
        variable: u32,
        component: &[u32],
        budget: &Budget,
    ) -> Result<(), Stop> {
        let at = variable as usize;
        for term in self.equations.terms(at) {
            if component[term.to as usize] != component[at] {
                let grade = &self.grades[term.to as usize];
                let grade = self.equations.through(self.algebra, &term.weight, grade);
                budget.charge(self.algebra.effort(&grade))?;
                self.grades[at] = self
                    .equations
                    .combine(self.algebra, &self.grades[at], &grade);
            }
        }
        Ok(())
    }

    /// A part whose variables depend on each other.
    fn part(&mut self, part: &[u32], budget: &Budget) -> Result<(), Stop> {
        let algebra = self.algebra;
        let (inner, equations) = (&self.inner, self.equations);
        let one = algebra.one();
        let gains = part.iter().any(|&variable| {
            let mut terms = equations.terms(variable as usize).iter();
            terms.any(|term| inner.is_inside(variable, term.to) && !algebra.leq(&term.weight, &one))
        });
        if let Some(star) = algebra.uniform_star(gains) {
            self.uniform(part, &star);
            return Ok(());
        }
        match algebra.is_linear() && algebra.is_integral() {
            true => self.best_first(part, budget),
            false => self.rounds(part, budget),
        }
    }

    /// All entries of the part's star are alike: the best constant reaches every variable.
    fn uniform(&mut self, part: &[u32], star: &A::Grade) {
        let equations = self.equations;
        let best = part.iter().copied().reduce(|best, other| {
            let (one, two) = (&self.grades[best as usize], &self.grades[other as usize]);
            match equations.combine(self.algebra, one, two) == *one {
                true => best,
                false => other,
            }
        });
        let Some(root) = best else { return };
        let grade = equations.through(self.algebra, star, &self.grades[root as usize]);
        if grade != self.grades[root as usize] {
            let gaining = self.gaining_cycle(root, part);
            self.cycles.extend(gaining.map(|cycle| (root, cycle)));
        }
        // Breadth first against the arrows: who comes later needs only who came before.
        self.rank(root);
        let mut queue = std::collections::VecDeque::from([root]);
        while let Some(variable) = queue.pop_front() {
            self.grades[variable as usize] = grade.clone();
            for at in 0..self.inner.sources(variable).len() {
                let source = self.inner.sources(variable)[at];
                if self.ranks[source as usize] == u32::MAX {
                    self.rank(source);
                    queue.push_back(source);
                }
            }
        }
    }

    /// A way from a variable through a term of weight greater than one, and back.
    fn gaining_cycle(&self, root: u32, part: &[u32]) -> Option<Vec<u32>> {
        let one = self.algebra.one();
        let gains = |variable: u32| {
            let mut terms = self.equations.terms(variable as usize).iter();
            let gaining = terms.find(|term| {
                self.inner.is_inside(variable, term.to) && !self.algebra.leq(&term.weight, &one)
            });
            gaining.map(|term| (variable, term.to))
        };
        let (from, to) = part.iter().find_map(|&variable| gains(variable))?;
        let mut cycle = self.way(root, from)?;
        cycle.push(to);
        cycle.extend(self.way(to, root)?);
        Some(cycle)
    }

    /// A shortest way inside a part: the variables after the first.
    fn way(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        if from == to {
            return Some(Vec::new());
        }
        let mut before = std::collections::HashMap::from([(from, from)]);
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(variable) = queue.pop_front() {
            for term in self.equations.terms(variable as usize) {
                if !self.inner.is_inside(variable, term.to) || before.contains_key(&term.to) {
                    continue;
                }
                before.insert(term.to, variable);
                queue.push_back(term.to);
                if term.to == to {
                    let mut way = vec![to];
                    while let Some(&last) = way.last().and_then(|last| before.get(last)) {
                        if last == from {
                            break;
                        }
                        way.push(last);
                    }
                    way.reverse();
                    return Some(way);
                }
            }
        }
        None
    }

    /// Loops never gain and all grades compare: the best variable is final, then the next
    /// (Dijkstra 1959, Knuth 1977).
    fn best_first(&mut self, part: &[u32], budget: &Budget) -> Result<(), Stop> {
        let (algebra, equations) = (self.algebra, self.equations);
        let mut heap = BinaryHeap::with_capacity(part.len());
        let entry = |variable: u32, grade: &A::Grade| Entry {
            algebra,
            best_is_low: equations.modality == Modality::Box,
            grade: grade.clone(),
            variable,
        };
        for &variable in part {
            heap.push(entry(variable, &self.grades[variable as usize]));
        }
        while let Some(Entry {
            variable, grade, ..
        }) = heap.pop()
        {
            budget.charge(1)?;
            if self.ranks[variable as usize] != u32::MAX {
                continue;
            }
            self.rank(variable);
            for at in 0..self.inner.sources(variable).len() {
                let source = self.inner.sources(variable)[at];
                if self.ranks[source as usize] != u32::MAX {
                    continue;
                }
                let weight = self.inner.weight(equations, variable, at);
                let offered = equations.through(algebra, weight, &grade);
                budget.charge(algebra.effort(&offered))?;
                let old = &self.grades[source as usize];
                let new = equations.combine(algebra, old, &offered);
                if new != *old {
                    heap.push(entry(source, &new));
                    self.grades[source as usize] = new;
                }
            }
        }
        Ok(())
    }

    /// Round by round until nothing changes, which finitely many grades guarantee.
    fn rounds(&mut self, part: &[u32], budget: &Budget) -> Result<(), Stop> {
        self.ranked = false;
        let mut waiting: std::collections::VecDeque<u32> = part.iter().copied().collect();
        let mut is_waiting: std::collections::HashSet<u32> = part.iter().copied().collect();
        while let Some(variable) = waiting.pop_front() {
            budget.charge(1)?;
            is_waiting.remove(&variable);
            for at in 0..self.inner.sources(variable).len() {
                let source = self.inner.sources(variable)[at];
                let weight = self.inner.weight(self.equations, variable, at);
                let grade = &self.grades[variable as usize];
                let offered = self.equations.through(self.algebra, weight, grade);
                budget.charge(self.algebra.effort(&offered))?;
                let old = &self.grades[source as usize];
                let new = self.equations.combine(self.algebra, old, &offered);
                if new != *old {
                    self.grades[source as usize] = new;
                    if is_waiting.insert(source) {
                        waiting.push_back(source);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Terms inside parts, against their direction.
struct Inner {
    component: Vec<u32>,
    start: Vec<u32>,
    /// Who has the term, and the place of the term among its own.
    sources: Vec<u32>,
    places: Vec<u32>,
}

impl Inner {
    fn new<G: Clone + Eq>(equations: &Equations<G>, component: &[u32]) -> Inner {
        let size = equations.len();
        let inside = |variable: usize| {
            let terms = equations.terms(variable).iter().enumerate();
            terms.filter(move |(_, term)| component[term.to as usize] == component[variable])
        };
        let mut start = vec![0u32; size + 1];
        for variable in 0..size {
            for (_, term) in inside(variable) {
                start[term.to as usize + 1] += 1;
            }
        }
        for variable in 0..size {
            start[variable + 1] += start[variable];
        }
        let mut fill = start.clone();
        let total = start[size] as usize;
        let (mut sources, mut places) = (vec![0; total], vec![0; total]);
        for variable in 0..size {
            for (place, term) in inside(variable) {
                let at = &mut fill[term.to as usize];
                sources[*at as usize] = variable as u32;
                places[*at as usize] = place as u32;
                *at += 1;
            }
        }
        Inner {
            component: component.to_vec(),
            start,
            sources,
            places,
        }
    }

    fn range(&self, variable: u32) -> std::ops::Range<usize> {
        let at = variable as usize;
        self.start[at] as usize..self.start[at + 1] as usize
    }

    fn sources(&self, variable: u32) -> &[u32] {
        &self.sources[self.range(variable)]
    }

    /// The weight of the term of a source, by the place of the source.
    fn weight<'e, G: Clone + Eq>(
        &self,
        equations: &'e Equations<G>,
        variable: u32,
        at: usize,
    ) -> &'e G {
        let at = self.range(variable).start + at;
        let source = self.sources[at] as usize;
        &equations.terms(source)[self.places[at] as usize].weight
    }

    fn is_inside(&self, variable: u32, other: u32) -> bool {
        self.component[variable as usize] == self.component[other as usize]
    }
}

struct Entry<'a, A: ActionLattice> {
    algebra: &'a A,
    best_is_low: bool,
    grade: A::Grade,
    variable: u32,
}

impl<A: ActionLattice> Ord for Entry<'_, A> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_grade = match self.grade == other.grade {
            true => Ordering::Equal,
            false if self.algebra.leq(&self.grade, &other.grade) != self.best_is_low => {
                Ordering::Less
            }
            false => Ordering::Greater,
        };
        by_grade.then(other.variable.cmp(&self.variable))
    }
}

impl<A: ActionLattice> PartialOrd for Entry<'_, A> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<A: ActionLattice> PartialEq for Entry<'_, A> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<A: ActionLattice> Eq for Entry<'_, A> {}
