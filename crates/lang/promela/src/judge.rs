//! Formulas about runs, judged again in the simplest ways: on all states, by the product with
//! what is left to fulfil, and along one run, by tables.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use quotient_core::{Budget, Stop};
use quotient_logic::{Binary, Formula, Kind, Unary};

/// States as numbers, the first being the start: what follows, and which atoms are true.
pub(crate) struct Kripke {
    pub(crate) next: Vec<Vec<u32>>,
    pub(crate) bits: Vec<u64>,
}

/// What is left to fulfil, by number.
type Duties = BTreeSet<u32>;

fn unfit() -> Stop {
    Stop::exhausted("the formula is not one of linear time")
}

#[derive(Default)]
struct Parts {
    all: Vec<Formula<u32>>,
    numbers: HashMap<Formula<u32>, u32>,
}

impl Parts {
    fn number(&mut self, formula: &Formula<u32>) -> u32 {
        if let Some(&number) = self.numbers.get(formula) {
            return number;
        }
        let number = self.all.len() as u32;
        self.all.push(formula.clone());
        self.numbers.insert(formula.clone(), number);
        number
    }

    /// All ways to fulfil what is to be done where these atoms are true: what is left for the
    /// next state, and which promises are put off.
    fn ways(
        &mut self,
        mut todo: Vec<u32>,
        later: (Duties, Duties),
        bits: u64,
        out: &mut BTreeSet<(Duties, Duties)>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        budget.charge(1)?;
        let Some(number) = todo.pop() else {
            out.insert(later);
            return Ok(());
        };
        let truth = |atom: u32| bits >> atom & 1 == 1;
        let (mut wait, mut promise) = (later.clone(), later.clone());
        wait.0.insert(number);
        promise.0.insert(number);
        promise.1.insert(number);
        let with = |todo: &[u32], more: &[u32]| [todo, more].concat();
        match self.all[number as usize].kind.clone() {
            Kind::Constant(true) => self.ways(todo, later, bits, out, budget),
            Kind::Atom(atom) if truth(atom) => self.ways(todo, later, bits, out, budget),
            Kind::Constant(false) | Kind::Atom(_) => Ok(()),
            Kind::Unary(Unary::Not, inner) => match inner.kind {
                Kind::Atom(atom) if !truth(atom) => self.ways(todo, later, bits, out, budget),
                Kind::Atom(_) => Ok(()),
                _ => Err(unfit()),
            },
            Kind::Unary(operator, inner) => {
                let inner = self.number(&inner);
                match operator {
                    Unary::Next => {
                        let mut next = later;
                        next.0.insert(inner);
                        self.ways(todo, next, bits, out, budget)
                    }
                    Unary::Globally(None) => {
                        self.ways(with(&todo, &[inner]), wait, bits, out, budget)
                    }
                    Unary::Finally(None) => {
                        self.ways(with(&todo, &[inner]), later, bits, out, budget)?;
                        self.ways(todo, promise, bits, out, budget)
                    }
                    _ => Err(unfit()),
                }
            }
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.number(&left), self.number(&right));
                let now = with(&todo, &[right]);
                match operator {
                    Binary::And => self.ways(with(&todo, &[left, right]), later, bits, out, budget),
                    Binary::Or => {
                        self.ways(with(&todo, &[left]), later.clone(), bits, out, budget)?;
                        self.ways(now, later, bits, out, budget)
                    }
                    Binary::Until(None) => {
                        self.ways(now, later, bits, out, budget)?;
                        self.ways(with(&todo, &[left]), promise, bits, out, budget)
                    }
                    Binary::WeakUntil => {
                        self.ways(now, later, bits, out, budget)?;
                        self.ways(with(&todo, &[left]), wait, bits, out, budget)
                    }
                    Binary::Release => {
                        self.ways(with(&now, &[left]), later, bits, out, budget)?;
                        self.ways(now, wait, bits, out, budget)
                    }
                    _ => Err(unfit()),
                }
            }
            Kind::Placeholder(_) => Err(unfit()),
        }
    }
}

/// Whether some run breaks a formula; a state without a successor is followed by itself.
pub(crate) fn is_broken(
    kripke: &Kripke,
    formula: &Formula<u32>,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut parts = Parts::default();
    let opposite = (!formula.clone()).negation_normal_form();
    let root = Duties::from([parts.number(&opposite)]);
    let mut duties: Vec<Duties> = vec![root.clone()];
    let mut numbers: HashMap<Duties, u32> = HashMap::from([(root, 0)]);
    // The ways of each set of duties under each valuation, worked out once.
    let mut known: HashMap<(u32, u64), Vec<(u32, Duties)>> = HashMap::new();
    let mut nodes: Vec<(u32, u32)> = vec![(0, 0)];
    let mut places: HashMap<(u32, u32), u32> = HashMap::from([((0, 0), 0)]);
    let mut edges: Vec<Vec<(u32, (u32, u64, u32))>> = Vec::new();
    while let Some(&(state, left)) = nodes.get(edges.len()) {
        budget.charge(1)?;
        let bits = kripke.bits[state as usize];
        if let Entry::Vacant(entry) = known.entry((left, bits)) {
            let mut ways = BTreeSet::new();
            let todo = duties[left as usize].iter().copied().collect();
            parts.ways(
                todo,
                (Duties::new(), Duties::new()),
                bits,
                &mut ways,
                budget,
            )?;
            let mut found = Vec::new();
            for (later, put_off) in ways {
                let number = *numbers.entry(later.clone()).or_insert_with(|| {
                    duties.push(later);
                    duties.len() as u32 - 1
                });
                found.push((number, put_off));
            }
            entry.insert(found);
        }
        let stays = [state];
        let next = match &kripke.next[state as usize][..] {
            [] => &stays[..],
            next => next,
        };
        let mut out = Vec::new();
        for (number, (later, _)) in known[&(left, bits)].iter().enumerate() {
            for &target in next {
                let node = (target, *later);
                let place = *places.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() as u32 - 1
                });
                out.push((place, (left, bits, number as u32)));
            }
        }
        edges.push(out);
    }
    let promise = |formula: &Formula<u32>| {
        matches!(
            formula.kind,
            Kind::Unary(Unary::Finally(_), _) | Kind::Binary(Binary::Until(_), ..)
        )
    };
    let promises: Duties = (0..parts.all.len() as u32)
        .filter(|number| promise(&parts.all[*number as usize]))
        .collect();
    let components = components(&edges, budget)?;
    let count = components.iter().max().map_or(0, |most| *most as usize + 1);
    let mut open: Vec<Option<Duties>> = vec![None; count];
    for (from, out) in edges.iter().enumerate() {
        for (to, (left, bits, number)) in out {
            if components[from] == components[*to as usize] {
                let put_off = &known[&(*left, *bits)][*number as usize].1;
                let open = open[components[from] as usize].get_or_insert_with(|| promises.clone());
                open.retain(|promise| put_off.contains(promise));
            }
        }
    }
    Ok(open.iter().flatten().any(BTreeSet::is_empty))
}

/// Whether a formula is broken whatever comes after moments at which these atoms are true: no way
/// to fulfil it is left.
pub(crate) fn is_broken_by(
    formula: &Formula<u32>,
    bits: &[u64],
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut parts = Parts::default();
    let root = parts.number(&formula.negation_normal_form());
    let mut left = BTreeSet::from([Duties::from([root])]);
    for &bits in bits {
        let mut later = BTreeSet::new();
        for duties in left {
            let mut ways = BTreeSet::new();
            let todo = duties.into_iter().collect();
            let none = (Duties::new(), Duties::new());
            parts.ways(todo, none, bits, &mut ways, budget)?;
            later.extend(ways.into_iter().map(|(later, _)| later));
        }
        left = later;
    }
    Ok(left.is_empty())
}

/// The strongly connected component of each node (Kosaraju's way).
fn components<T>(edges: &[Vec<(u32, T)>], budget: &Budget) -> Result<Vec<u32>, Stop> {
    let size = edges.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); size];
    for (from, out) in edges.iter().enumerate() {
        for (to, _) in out {
            before[*to as usize].push(from as u32);
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
            match edges[*at].get(*next) {
                Some((to, _)) => {
                    *next += 1;
                    let to = *to as usize;
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
    let mut found = vec![u32::MAX; size];
    let mut number = 0;
    for &root in order.iter().rev() {
        if found[root] != u32::MAX {
            continue;
        }
        found[root] = number;
        let mut stack = vec![root as u32];
        while let Some(at) = stack.pop() {
            for &from in &before[at as usize] {
                if found[from as usize] == u32::MAX {
                    found[from as usize] = number;
                    stack.push(from);
                }
            }
        }
        number += 1;
    }
    Ok(found)
}

/// The value of a formula at the beginning of a run whose last state is followed by the one with
/// the number `back`.
pub(crate) fn along(formula: &Formula<u32>, bits: &[u64], back: usize) -> Result<bool, Stop> {
    let values = table(&formula.negation_normal_form(), bits, back)?;
    Ok(values.first().copied().unwrap_or(false))
}

fn table(formula: &Formula<u32>, bits: &[u64], back: usize) -> Result<Vec<bool>, Stop> {
    let size = bits.len();
    let next = |at: usize| if at + 1 < size { at + 1 } else { back };
    // Going backwards over the run twice settles the loop, then what leads to it.
    let fixpoint = |from: bool, step: &dyn Fn(usize, bool) -> bool| {
        let mut values = vec![from; size];
        for _ in 0..2 {
            for at in (0..size).rev() {
                values[at] = step(at, values[next(at)]);
            }
        }
        values
    };
    Ok(match &formula.kind {
        Kind::Constant(value) => vec![*value; size],
        Kind::Atom(atom) => bits.iter().map(|bits| bits >> atom & 1 == 1).collect(),
        Kind::Unary(operator, inner) => {
            let inner = table(inner, bits, back)?;
            match operator {
                Unary::Not => inner.iter().map(|value| !value).collect(),
                Unary::Next => (0..size).map(|at| inner[next(at)]).collect(),
                Unary::Finally(None) => fixpoint(false, &|at, later| inner[at] || later),
                Unary::Globally(None) => fixpoint(true, &|at, later| inner[at] && later),
                _ => return Err(unfit()),
            }
        }
        Kind::Binary(operator, left, right) => {
            let (left, right) = (table(left, bits, back)?, table(right, bits, back)?);
            match operator {
                Binary::And => (0..size).map(|at| left[at] && right[at]).collect(),
                Binary::Or => (0..size).map(|at| left[at] || right[at]).collect(),
                Binary::Until(None) => fixpoint(false, &|at, later| right[at] || left[at] && later),
                Binary::WeakUntil => fixpoint(true, &|at, later| right[at] || left[at] && later),
                Binary::Release => fixpoint(true, &|at, later| right[at] && (left[at] || later)),
                _ => return Err(unfit()),
            }
        }
        Kind::Placeholder(_) => return Err(unfit()),
    })
}
