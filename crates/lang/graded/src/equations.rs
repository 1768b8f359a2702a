//! A program and what comes after it, as linear equations.
//!
//! `<p>r` is the least solution of `x = b + w;y + …`, `[p]r` the greatest of
//! `x = b . (y <- w) . …`, with a variable for each state and each place in the program. So a
//! star never needs a matrix: the number of equations is that of the states times the length of
//! the program, and the number of their terms that of the transitions.

use crate::algebra::ActionLattice;
use crate::typed::{Modality, Steps, Typed};

/// Equations for one modality.
#[derive(Debug, Clone)]
pub(crate) struct Equations<G> {
    pub(crate) modality: Modality,
    /// How many states there are; the first so many variables are the answer.
    pub(crate) states: usize,
    /// The constant of each equation.
    pub(crate) base: Vec<G>,
    /// Where the terms of each equation begin.
    start: Vec<u32>,
    /// The terms: the other variable, its weight, and what step it stands for.
    terms: Vec<Term<G>>,
    /// The names of the steps.
    pub(crate) steps: Vec<String>,
}

/// A term of an equation.
#[derive(Debug, Clone)]
pub(crate) struct Term<G> {
    pub(crate) to: u32,
    pub(crate) weight: G,
    /// The step by number; none for a silent one.
    pub(crate) step: Option<u32>,
}

impl<G: Clone + Eq> Equations<G> {
    /// The equations of a program after which grades are given.
    ///
    /// Tests inside are evaluated by `value`, in the order of the text.
    pub(crate) fn build<A: ActionLattice<Grade = G>, E>(
        algebra: &A,
        modality: Modality,
        program: &Steps<G>,
        last: &[G],
        value: &mut dyn FnMut(&Typed<G>) -> Result<Vec<G>, E>,
    ) -> Result<Equations<G>, E> {
        let neutral = match modality {
            Modality::Diamond => algebra.zero(),
            Modality::Box => algebra.top(),
        };
        let mut builder = Builder {
            algebra,
            states: last.len(),
            blocks: 1,
            base: vec![neutral.clone(); last.len()],
            neutral,
            edges: Vec::new(),
            steps: Vec::new(),
            last,
            value,
        };
        // The last block: its variables are what comes after the program.
        let end = builder.block();
        builder.base[end * last.len()..].clone_from_slice(last);
        match program {
            // A star at the top needs no variables before it.
            Steps::Star(body) => builder.star(body, 0, end)?,
            _ => builder.emit(program, 0, end)?,
        }
        let (base, edges, steps) = (builder.base, builder.edges, builder.steps);
        let mut start = vec![0u32; base.len() + 1];
        for (from, _) in &edges {
            start[*from as usize + 1] += 1;
        }
        for variable in 0..base.len() {
            start[variable + 1] += start[variable];
        }
        let mut edges = edges;
        edges.sort_by_key(|(from, _)| *from);
        let terms = edges.into_iter().map(|(_, term)| term).collect();
        Ok(Equations {
            modality,
            states: last.len(),
            base,
            start,
            terms,
            steps,
        })
    }

    /// How many variables there are.
    pub(crate) fn len(&self) -> usize {
        self.base.len()
    }

    /// The terms of an equation.
    pub(crate) fn terms(&self, variable: usize) -> &[Term<G>] {
        &self.terms[self.start[variable] as usize..self.start[variable + 1] as usize]
    }

    /// The state that a variable is about.
    pub(crate) fn state(&self, variable: usize) -> usize {
        variable % self.states.max(1)
    }

    /// What a term gives if its variable has this grade.
    pub(crate) fn through<A: ActionLattice<Grade = G>>(&self, of: &A, weight: &G, grade: &G) -> G {
        match self.modality {
            Modality::Diamond => of.then(weight, grade),
            Modality::Box => of.over(grade, weight),
        }
    }

    /// Two contributions to one equation.
    pub(crate) fn combine<A: ActionLattice<Grade = G>>(&self, of: &A, one: &G, other: &G) -> G {
        match self.modality {
            Modality::Diamond => of.join(one, other),
            Modality::Box => of.meet(one, other),
        }
    }
}

/// Blocks of variables, one for each place in the program.
struct Builder<'a, A: ActionLattice, E> {
    algebra: &'a A,
    states: usize,
    blocks: usize,
    neutral: A::Grade,
    base: Vec<A::Grade>,
    edges: Vec<(u32, Term<A::Grade>)>,
    steps: Vec<String>,
    last: &'a [A::Grade],
    value: &'a mut dyn FnMut(&Typed<A::Grade>) -> Result<Vec<A::Grade>, E>,
}

/// The block of what comes after the whole program.
const END: usize = 1;

impl<A: ActionLattice, E> Builder<'_, A, E> {
    fn block(&mut self) -> usize {
        self.blocks += 1;
        let size = self.base.len() + self.states;
        self.base.resize(size, self.neutral.clone());
        self.blocks - 1
    }

    fn edge(
        &mut self,
        from: (usize, usize),
        to: (usize, usize),
        weight: A::Grade,
        step: Option<u32>,
    ) {
        if weight == self.algebra.zero() {
            return;
        }
        let place = |(block, state): (usize, usize)| (block * self.states + state) as u32;
        self.edges.push((
            place(from),
            Term {
                to: place(to),
                weight,
                step,
            },
        ));
    }

    /// Lets the variables of one block be those of another after a program.
    fn emit(&mut self, program: &Steps<A::Grade>, from: usize, to: usize) -> Result<(), E> {
        match program {
            Steps::Relation(relation) => {
                let step = self.steps.len() as u32;
                self.steps.push(relation.name.clone());
                for state in 0..self.states {
                    for (next, weight) in relation.row(state) {
                        let next = *next as usize;
                        self.edge((from, state), (to, next), weight.clone(), Some(step));
                    }
                }
            }
            Steps::Then(one, other) => {
                let middle = self.block();
                self.emit(one, from, middle)?;
                self.emit(other, middle, to)?;
            }
            Steps::Choice(one, other) => {
                self.emit(one, from, to)?;
                self.emit(other, from, to)?;
            }
            Steps::Star(body) => {
                let middle = self.block();
                self.silent(from, middle);
                self.star(body, middle, to)?;
            }
            Steps::Test(formula) => {
                let grades = (self.value)(formula)?;
                for (state, grade) in grades.into_iter().enumerate() {
                    self.edge((from, state), (to, state), grade, None);
                }
            }
        }
        Ok(())
    }

    /// A loop at a block of its own.
    fn star(&mut self, body: &Steps<A::Grade>, at: usize, to: usize) -> Result<(), E> {
        match to {
            END => {
                let place = at * self.states;
                self.base[place..place + self.states].clone_from_slice(self.last);
            }
            _ => self.silent(at, to),
        }
        self.emit(body, at, at)
    }

    fn silent(&mut self, from: usize, to: usize) {
        for state in 0..self.states {
            self.edge((from, state), (to, state), self.algebra.one(), None);
        }
    }
}
