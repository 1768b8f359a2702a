//! Formulas about runs, judged again in the simplest ways.
//!
//! * A part of the markings: their successors are worked out by firing. What is not in the part
//!   may go on in any way; a formula of branching time is accepted only if it has its value
//!   whatever happens there. A formula of linear time is accepted if the product with the ways to
//!   break it stays in the part and has no loop that puts nothing off for ever.
//! * A run that goes on for ever: its formula is tabulated along it.
//! * The beginning of a run: no way to fulfil the formula is left after it.

mod fair;

use std::collections::{BTreeSet, HashMap, HashSet};

use quotient_core::{Budget, Rejection, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};

use crate::formula::Temporal;
use crate::net::Net;

/// Markings with their successors, as far as they are known.
pub(crate) struct Part<'a> {
    net: &'a Net,
    markings: Vec<Vec<u64>>,
    /// The successors of those that are in the part.
    next: Vec<Option<Vec<usize>>>,
    start: usize,
    budget: &'a Budget,
}

impl<'a> Part<'a> {
    pub(crate) fn new(
        net: &'a Net,
        listed: &[Vec<u64>],
        budget: &'a Budget,
    ) -> Result<Part<'a>, Rejection> {
        Part::of(net, listed.iter().map(|marking| (marking, None)), budget)
    }

    /// Markings in each of which only a set of transitions fires.
    pub(crate) fn chosen(
        net: &'a Net,
        listed: &[(Vec<u64>, Vec<usize>)],
        budget: &'a Budget,
    ) -> Result<Part<'a>, Rejection> {
        let listed = listed.iter();
        let listed = listed.map(|(marking, set)| (marking, Some(set.as_slice())));
        Part::of(net, listed, budget)
    }

    /// Markings with the transitions that fire in them; without these, all do.
    fn of<'l>(
        net: &'a Net,
        listed: impl Iterator<Item = (&'l Vec<u64>, Option<&'l [usize]>)>,
        budget: &'a Budget,
    ) -> Result<Part<'a>, Rejection> {
        let mut markings: Vec<Vec<u64>> = Vec::new();
        let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut number = |marking: Vec<u64>, markings: &mut Vec<Vec<u64>>| {
            *numbers.entry(marking).or_insert_with_key(|marking| {
                markings.push(marking.clone());
                markings.len() - 1
            })
        };
        let start = net.start();
        let start = start.ok_or_else(|| Rejection::wrong("the net has many starts"))?;
        let start = number(start, &mut markings);
        let mut known = HashMap::new();
        for (marking, set) in listed {
            budget.charge(1)?;
            if marking.len() != net.places.len() {
                return Err(Rejection::wrong(
                    "a marking has not one number for each place",
                ));
            }
            let mut next = Vec::new();
            let set: Option<BTreeSet<usize>> = set.map(|set| set.iter().copied().collect());
            for (at, transition) in net.transitions.iter().enumerate() {
                if set.as_ref().is_some_and(|set| !set.contains(&at)) {
                    continue;
                }
                match transition.fire(marking) {
                    Some(after) => next.push(number(after, &mut markings)),
                    None if transition.is_enabled(marking) => {
                        return Err(Rejection::wrong("a number of tokens is too large"));
                    }
                    None => {}
                }
            }
            let twice = known.insert(number(marking.clone(), &mut markings), next);
            if set.is_some() && twice.is_some() {
                return Err(Rejection::wrong("a marking is listed twice"));
            }
        }
        let next = (0..markings.len()).map(|at| known.remove(&at)).collect();
        Ok(Part {
            net,
            markings,
            next,
            start,
            budget,
        })
    }

    /// Whether a circle leads through these markings alone: what is left after those without a
    /// step to one that is left were taken away, again and again.
    pub(crate) fn has_circle(&self, among: &[&[u64]]) -> Result<bool, Rejection> {
        let among: HashSet<&[u64]> = among.iter().copied().collect();
        let markings = self.markings.iter();
        let mut left: Vec<bool> = markings.map(|one| among.contains(one.as_slice())).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); left.len()];
        let mut steps = vec![0_usize; left.len()];
        for (from, next) in self.next.iter().enumerate().filter(|(from, _)| left[*from]) {
            self.budget.charge(1)?;
            for &to in next.iter().flatten().filter(|&&to| left[to]) {
                before[to].push(from);
                steps[from] += 1;
            }
        }
        let mut gone: Vec<usize> = (0..left.len())
            .filter(|&at| left[at] && steps[at] == 0)
            .collect();
        while let Some(at) = gone.pop() {
            self.budget.charge(1)?;
            left[at] = false;
            for &from in &before[at] {
                steps[from] -= 1;
                if steps[from] == 0 {
                    gone.push(from);
                }
            }
        }
        Ok(left.contains(&true))
    }

    /// How many markings are in the part.
    pub(crate) fn len(&self) -> usize {
        self.next.iter().flatten().count()
    }

    /// Whether a formula of branching time has a value, whatever is outside.
    pub(crate) fn branching(&self, one: &Temporal, holds: bool) -> Result<bool, Rejection> {
        // For a formula that holds outside counts for nothing, for one that does not for all.
        let values = self.values(one, &one.formula, !holds)?;
        Ok(values[self.start] == holds)
    }

    fn values(
        &self,
        one: &Temporal,
        formula: &Formula<u32>,
        outside: bool,
    ) -> Result<Vec<bool>, Rejection> {
        self.budget.charge(1 + self.markings.len() as u64 / 64)?;
        let of = |formula: &Formula<u32>, outside| self.values(one, formula, outside);
        let negated = |values: Vec<bool>| values.into_iter().map(|value| !value).collect();
        match &formula.kind {
            Kind::Constant(value) => Ok(vec![*value; self.markings.len()]),
            Kind::Atom(atom) => {
                let atom = &one.atoms[*atom as usize];
                let all = self.markings.iter();
                Ok(all.map(|marking| atom.holds(self.net, marking)).collect())
            }
            Kind::Unary(Unary::Not, inner) => Ok(negated(of(inner, !outside)?)),
            Kind::Unary(quantifier, path) => {
                let all = *quantifier == Unary::ForAll;
                match &path.kind {
                    Kind::Unary(Unary::Next, inner) => {
                        let inner = of(inner, outside)?;
                        let next = |next: &Option<Vec<usize>>| match (next, all) {
                            (None, _) => outside,
                            (Some(next), true) => next.iter().all(|&at| inner[at]),
                            (Some(next), false) => next.iter().any(|&at| inner[at]),
                        };
                        Ok(self.next.iter().map(next).collect())
                    }
                    Kind::Unary(Unary::Finally(_), inner) => {
                        let inner = of(inner, outside)?;
                        self.sweep(false, all, outside, &|at, later| inner[at] || later)
                    }
                    Kind::Unary(Unary::Globally(_), inner) => {
                        let inner = of(inner, outside)?;
                        self.sweep(true, all, outside, &|at, later| inner[at] && later)
                    }
                    Kind::Binary(Binary::Until(_), left, right) => {
                        let (left, right) = (of(left, outside)?, of(right, outside)?);
                        self.sweep(false, all, outside, &|at, later| {
                            right[at] || left[at] && later
                        })
                    }
                    _ => Err(Rejection::wrong("the formula is not of branching time")),
                }
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (of(left, outside)?, of(right, outside)?);
                let pairs = left.iter().zip(&right);
                match operator {
                    Binary::And => Ok(pairs.map(|(a, b)| *a && *b).collect()),
                    Binary::Or => Ok(pairs.map(|(a, b)| *a || *b).collect()),
                    _ => Err(Rejection::wrong("the formula is not of branching time")),
                }
            }
            Kind::Placeholder(_) => Err(Rejection::wrong("the formula has a hole")),
        }
    }

    /// A fixpoint from a value, by going over all markings until nothing changes. A run that
    /// ends keeps what it has fulfilled so far: the value that it started from.
    fn sweep(
        &self,
        from: bool,
        all: bool,
        outside: bool,
        step: &dyn Fn(usize, bool) -> bool,
    ) -> Result<Vec<bool>, Rejection> {
        let mut values = vec![from; self.markings.len()];
        loop {
            self.budget.charge(1 + self.markings.len() as u64 / 64)?;
            let mut changed = false;
            for at in (0..values.len()).rev() {
                let later = match &self.next[at] {
                    None => outside,
                    Some(next) if next.is_empty() => from,
                    Some(next) if all => next.iter().all(|&at| values[at]),
                    Some(next) => next.iter().any(|&at| values[at]),
                };
                let value = step(at, later);
                changed |= value != values[at];
                values[at] = value;
            }
            if !changed {
                return Ok(values);
            }
        }
    }

    /// Whether no run breaks a formula of linear time.
    pub(crate) fn linear(&self, one: &Temporal) -> Result<(), Rejection> {
        let opposite = (!one.formula.clone()).negation_normal_form();
        let product = Product::of(self, one, opposite)?;
        match product.has_fair_loop(self.budget)? {
            true => Err(Rejection::wrong("a run breaks the formula")),
            false => Ok(()),
        }
    }
}

/// What is left to fulfil, by number.
pub(crate) type Duties = BTreeSet<usize>;
/// A way on: what is left then, and what was put off.
pub(crate) type Way = (Duties, Duties);

/// The markings together with what is left to fulfil there.
struct Product {
    /// To which node, and what was put off on the way.
    edges: Vec<Vec<(usize, Duties)>>,
    /// What may be put off at all.
    promises: Duties,
    /// The marking of each node, by number.
    markings: Vec<usize>,
}

/// The parts of a formula, by number.
pub(crate) struct Subformulas {
    all: Vec<Formula<u32>>,
    numbers: HashMap<Formula<u32>, usize>,
}

impl Subformulas {
    pub(crate) fn new() -> Subformulas {
        Subformulas {
            all: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Those that can be put off, but not for ever.
    pub(crate) fn promises(&self) -> impl Iterator<Item = usize> {
        let promise = |formula: &Formula<u32>| {
            matches!(
                formula.kind,
                Kind::Unary(Unary::Finally(_), _) | Kind::Binary(Binary::Until(_), ..)
            )
        };
        let all = self.all.iter().enumerate();
        all.filter(move |(_, formula)| promise(formula))
            .map(|(number, _)| number)
    }

    pub(crate) fn number(&mut self, formula: &Formula<u32>) -> usize {
        if let Some(&number) = self.numbers.get(formula) {
            return number;
        }
        self.all.push(formula.clone());
        let number = self.all.len() - 1;
        self.numbers.insert(formula.clone(), number);
        number
    }

    /// All ways to fulfil duties where atoms have these values.
    pub(crate) fn ways(
        &mut self,
        mut todo: Vec<usize>,
        mut way: Way,
        atom: &dyn Fn(u32) -> bool,
        out: &mut BTreeSet<Way>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        budget.charge(1)?;
        while let Some(number) = todo.pop() {
            let formula = self.all[number].clone();
            let mut either = |this: &mut Self, now: Option<usize>, wait: (Option<usize>, bool)| {
                let mut first = todo.clone();
                first.extend(now);
                this.ways(first, way.clone(), atom, out, budget)?;
                let mut second = way.clone();
                second.0.insert(number);
                if wait.1 {
                    second.1.insert(number);
                }
                let mut rest = todo.clone();
                rest.extend(wait.0);
                this.ways(rest, second, atom, out, budget)
            };
            match &formula.kind {
                Kind::Constant(true) => {}
                Kind::Constant(false) => return Ok(()),
                Kind::Atom(one) if atom(*one) => {}
                Kind::Atom(_) => return Ok(()),
                Kind::Unary(Unary::Not, inner) => match inner.kind {
                    Kind::Atom(one) if !atom(one) => {}
                    Kind::Atom(_) => return Ok(()),
                    _ => return Err(unfit()),
                },
                Kind::Unary(Unary::Next, inner) => {
                    let inner = self.number(inner);
                    way.0.insert(inner);
                }
                Kind::Unary(Unary::Globally(_), inner) => {
                    let inner = self.number(inner);
                    todo.push(inner);
                    way.0.insert(number);
                }
                Kind::Unary(Unary::Finally(_), inner) => {
                    let inner = self.number(inner);
                    return either(self, Some(inner), (None, true));
                }
                Kind::Binary(operator, left, right) => {
                    let (left, right) = (self.number(left), self.number(right));
                    match operator {
                        Binary::And => todo.extend([left, right]),
                        Binary::Or => {
                            for side in [left, right] {
                                let mut rest = todo.clone();
                                rest.push(side);
                                self.ways(rest, way.clone(), atom, out, budget)?;
                            }
                            return Ok(());
                        }
                        Binary::Until(_) => return either(self, Some(right), (Some(left), true)),
                        Binary::WeakUntil => return either(self, Some(right), (Some(left), false)),
                        Binary::Release => {
                            todo.push(right);
                            let mut rest = todo.clone();
                            rest.push(left);
                            self.ways(rest, way.clone(), atom, out, budget)?;
                            way.0.insert(number);
                        }
                        _ => return Err(unfit()),
                    }
                }
                _ => return Err(unfit()),
            }
        }
        out.insert(way);
        Ok(())
    }
}

fn unfit() -> Stop {
    Stop::exhausted("the formula is not one of linear time")
}

impl Product {
    fn of(part: &Part<'_>, one: &Temporal, opposite: Formula<u32>) -> Result<Product, Rejection> {
        let mut formulas = Subformulas::new();
        let root = Duties::from([formulas.number(&opposite)]);
        let mut nodes: Vec<(usize, Duties)> = vec![(part.start, root.clone())];
        let mut numbers = HashMap::from([((part.start, root), 0)]);
        let mut edges = Vec::new();
        while let Some((at, duties)) = nodes.get(edges.len()).cloned() {
            let marking = &part.markings[at];
            let atom = |number: u32| one.atoms[number as usize].holds(part.net, marking);
            let mut ways = BTreeSet::new();
            let todo = duties.into_iter().collect();
            let none = (Duties::new(), Duties::new());
            formulas.ways(todo, none, &atom, &mut ways, part.budget)?;
            let mut out = Vec::new();
            if !ways.is_empty() {
                let next = part.next[at]
                    .as_ref()
                    .ok_or_else(|| Rejection::wrong("a marking that matters is not in the part"))?;
                let next = match next.is_empty() {
                    true => vec![at],
                    false => next.clone(),
                };
                for (later, put_off) in ways {
                    for &target in &next {
                        part.budget.charge(1)?;
                        let node = (target, later.clone());
                        let number = *numbers.entry(node).or_insert_with_key(|node| {
                            nodes.push(node.clone());
                            nodes.len() - 1
                        });
                        out.push((number, put_off.clone()));
                    }
                }
            }
            edges.push(out);
        }
        Ok(Product {
            edges,
            promises: formulas.promises().collect(),
            markings: nodes.into_iter().map(|(marking, _)| marking).collect(),
        })
    }

    /// Whether a run can go round for ever without putting anything off for ever: parts that are
    /// connected both ways, found by going forwards and then backwards.
    fn has_fair_loop(&self, budget: &Budget) -> Result<bool, Stop> {
        let parts = self.parts(budget)?;
        let number = parts.iter().max().map_or(0, |most| most + 1);
        let mut open: Vec<Option<Duties>> = vec![None; number];
        for (from, edges) in self.edges.iter().enumerate() {
            for (to, put_off) in edges.iter().filter(|(to, _)| parts[*to] == parts[from]) {
                let open = open[parts[*to]].get_or_insert_with(|| self.promises.clone());
                open.retain(|promise| put_off.contains(promise));
            }
        }
        Ok(open.iter().flatten().any(BTreeSet::is_empty))
    }

    /// The number of the strongly connected part of each node (Kosaraju's way).
    fn parts(&self, budget: &Budget) -> Result<Vec<usize>, Stop> {
        let size = self.edges.len();
        let mut before = vec![Vec::new(); size];
        for (from, edges) in self.edges.iter().enumerate() {
            for (to, _) in edges {
                before[*to].push(from);
            }
        }
        let mut order = Vec::with_capacity(size);
        let mut seen = vec![false; size];
        for root in 0..size {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            let mut stack = vec![(root, 0)];
            while let Some((at, next)) = stack.last_mut() {
                budget.charge(1)?;
                match self.edges[*at].get(*next) {
                    Some(&(to, _)) => {
                        *next += 1;
                        if !seen[to] {
                            seen[to] = true;
                            stack.push((to, 0));
                        }
                    }
                    None => {
                        order.push(*at);
                        stack.pop();
                    }
                }
            }
        }
        let mut parts = vec![usize::MAX; size];
        let mut number = 0;
        for &root in order.iter().rev() {
            if parts[root] != usize::MAX {
                continue;
            }
            parts[root] = number;
            let mut stack = vec![root];
            while let Some(at) = stack.pop() {
                for &from in &before[at] {
                    if parts[from] == usize::MAX {
                        parts[from] = number;
                        stack.push(from);
                    }
                }
            }
            number += 1;
        }
        Ok(parts)
    }
}

/// Whether a formula of linear time is broken whatever comes after these markings: no way to fulfil
/// it is left.
pub(crate) fn is_broken_by(
    net: &Net,
    one: &Temporal,
    run: &[Vec<u64>],
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut formulas = Subformulas::new();
    let root = formulas.number(&one.formula.negation_normal_form());
    let mut left = BTreeSet::from([Duties::from([root])]);
    for marking in run {
        let atom = |number: u32| one.atoms[number as usize].holds(net, marking);
        let mut later = BTreeSet::new();
        for duties in left {
            let mut ways = BTreeSet::new();
            let todo = duties.into_iter().collect();
            let none = (Duties::new(), Duties::new());
            formulas.ways(todo, none, &atom, &mut ways, budget)?;
            later.extend(ways.into_iter().map(|(later, _)| later));
        }
        left = later;
    }
    Ok(left.is_empty())
}

/// The value of a formula of linear time at the beginning of a run that goes on for ever: its
/// last marking is followed by the one with the number `back`.
pub(crate) fn along(
    net: &Net,
    one: &Temporal,
    run: &[Vec<u64>],
    back: usize,
    budget: &Budget,
) -> Result<bool, Rejection> {
    let values = tabulated(net, one, &one.formula, run, back, budget)?;
    Ok(values.first().copied().unwrap_or(false))
}

fn tabulated(
    net: &Net,
    one: &Temporal,
    formula: &Formula<u32>,
    run: &[Vec<u64>],
    back: usize,
    budget: &Budget,
) -> Result<Vec<bool>, Rejection> {
    budget.charge(run.len() as u64)?;
    let of = |formula: &Formula<u32>| tabulated(net, one, formula, run, back, budget);
    let next = |at: usize| if at + 1 < run.len() { at + 1 } else { back };
    // Going backwards over the run twice settles the loop, then what leads to it.
    let fixpoint = |from: bool, step: &dyn Fn(usize, bool) -> bool| {
        let mut values = vec![from; run.len()];
        for _ in 0..2 {
            for at in (0..run.len()).rev() {
                values[at] = step(at, values[next(at)]);
            }
        }
        values
    };
    Ok(match &formula.kind {
        Kind::Constant(value) => vec![*value; run.len()],
        Kind::Atom(atom) => {
            let atom = &one.atoms[*atom as usize];
            run.iter().map(|marking| atom.holds(net, marking)).collect()
        }
        Kind::Unary(operator, inner) => {
            let inner = of(inner)?;
            match operator {
                Unary::Not => inner.iter().map(|value| !value).collect(),
                Unary::Next => (0..run.len()).map(|at| inner[next(at)]).collect(),
                Unary::Finally(_) => fixpoint(false, &|at, later| inner[at] || later),
                Unary::Globally(_) => fixpoint(true, &|at, later| inner[at] && later),
                _ => return Err(unfit().into()),
            }
        }
        Kind::Binary(operator, left, right) => {
            let (left, right) = (of(left)?, of(right)?);
            let each = |value: &dyn Fn(bool, bool) -> bool| {
                (0..run.len())
                    .map(|at| value(left[at], right[at]))
                    .collect()
            };
            match operator {
                Binary::And => each(&|a, b| a && b),
                Binary::Or => each(&|a, b| a || b),
                Binary::Until(_) => fixpoint(false, &|at, later| right[at] || left[at] && later),
                Binary::WeakUntil => fixpoint(true, &|at, later| right[at] || left[at] && later),
                Binary::Release => fixpoint(true, &|at, later| right[at] && (left[at] || later)),
                _ => return Err(unfit().into()),
            }
        }
        Kind::Placeholder(_) => return Err(unfit().into()),
    })
}
