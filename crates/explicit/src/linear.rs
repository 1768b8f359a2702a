//! Formulas of linear time, on the fly.
//!
//! The runs of the system that fulfil the opposite of the formula are looked for in the product
//! with its automaton. Strongly connected parts are found depth-first, and their marks are
//! gathered on the way (Couvreur's algorithm), so that the search ends as soon as a part has all
//! of them. A state without successors is followed by itself for ever.
//!
//! Where the beginning of a run breaks the formula whatever follows, a shortest such beginning is
//! looked for instead ([`prefix`](crate::prefix)).

use std::collections::VecDeque;

use quotient_core::Budget;
use quotient_logic::Formula;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::{Automaton, automaton};
use crate::prefix::{all_end_in, sinks};
use crate::steps::Halt;
use crate::{StateId, Steps};

/// What is known about a formula of linear time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Linear {
    /// All runs fulfil it. The number of pairs of states that were looked at.
    Holds(usize),
    /// This run does not.
    Violated(Lasso),
}

/// A run that breaks a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasso {
    /// The state that it begins with.
    pub first: StateId,
    /// The labels of its steps.
    pub labels: Vec<u32>,
    /// What comes after the last of them.
    pub rest: Rest,
}

/// How a run goes on for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// As after so many of its steps.
    Back(usize),
    /// Nothing happens any more.
    Stuck,
    /// In any way: the formula is broken whatever comes.
    Any,
}

/// How many pairs are looked at breadth-first before others are looked for in depth.
const NEAR_PAIRS: usize = 1_000_000;
/// How many are looked at for a shorter run, once one is found.
const SHORTER_PAIRS: usize = 100_000;

/// Whether all runs fulfil a formula of linear time. Atoms are numbers below 64; `values` says
/// which of them are true in a state, as bits.
///
/// If beginnings of runs decide the formula, a run that breaks it is shortest, unless it lies very
/// far away.
pub fn linear(
    steps: &mut Steps<'_>,
    formula: &Formula<u32>,
    values: &mut dyn FnMut(&[u64]) -> u64,
    budget: &Budget,
) -> Result<Linear, Halt> {
    let automaton = automaton(&!formula.clone(), budget)?;
    let mut search = Search::new(steps, &automaton, values, budget);
    if all_end_in(&automaton, &search.sinks) {
        match search.beginning(NEAR_PAIRS)? {
            Beginning::Found(states) => return Ok(Linear::Violated(search.begun(&states))),
            Beginning::None(pairs) => return Ok(Linear::Holds(pairs)),
            Beginning::Unsure => {}
        }
    }
    search.outcome(SHORTER_PAIRS).map(|(outcome, _)| outcome)
}

/// The same in depth, with the states whose successors were asked for: if the formula holds, these
/// show it, whatever else is known of the graph.
pub fn linear_part(
    steps: &mut Steps<'_>,
    formula: &Formula<u32>,
    values: &mut dyn FnMut(&[u64]) -> u64,
    budget: &Budget,
) -> Result<(Linear, Vec<StateId>), Halt> {
    let automaton = automaton(&!formula.clone(), budget)?;
    Search::new(steps, &automaton, values, budget).outcome(0)
}

/// A run that does not fulfil a formula of linear time, looked for among the states that were
/// visited already: what a search in depth finds only far away is often near, too.
pub fn linear_nearby(
    steps: &mut Steps<'_>,
    formula: &Formula<u32>,
    values: &mut dyn FnMut(&[u64]) -> u64,
    budget: &Budget,
) -> Result<Option<Lasso>, Halt> {
    let automaton = automaton(&!formula.clone(), budget)?;
    let mut search = Search::new(steps, &automaton, values, budget);
    search.nearby = true;
    if let Beginning::Found(states) = search.beginning(usize::MAX)? {
        return Ok(Some(search.begun(&states)));
    }
    match search.run()? {
        Some(part) => search.lasso(part).map(Some),
        None => Ok(None),
    }
}

/// The same run up to where it comes back or is stuck, if any rest would do: the first way on is
/// taken everywhere.
pub fn carried_on(steps: &mut Steps<'_>, run: &Lasso, budget: &Budget) -> Result<Lasso, Halt> {
    let mut all = run.clone();
    if run.rest != Rest::Any {
        return Ok(all);
    }
    let mut states = vec![run.first];
    for &label in &run.labels {
        let last = states.last().copied().unwrap_or(run.first);
        steps.visit(last, budget)?;
        states.extend(steps.follow(last, label));
    }
    let mut met: FxHashMap<StateId, usize> = FxHashMap::default();
    loop {
        let last = states.last().copied().unwrap_or(run.first);
        if let Some(back) = met.insert(last, states.len() - 1) {
            all.rest = Rest::Back(back);
            return Ok(all);
        }
        steps.visit(last, budget)?;
        let Some(&next) = steps.known(last).and_then(<[StateId]>::first) else {
            all.rest = Rest::Stuck;
            return Ok(all);
        };
        all.labels.extend(steps.label(last, next));
        states.push(next);
    }
}

/// A state of the system and one of the automaton.
type Pair = (StateId, u32);
/// A step of the product with its marks.
type Edge = (Pair, u64);

struct Search<'a, 'b> {
    steps: &'a mut Steps<'b>,
    automaton: &'a Automaton,
    values: &'a mut dyn FnMut(&[u64]) -> u64,
    /// The values of atoms in states that were asked for.
    known: FxHashMap<StateId, u64>,
    budget: &'a Budget,
    numbers: FxHashMap<Pair, u32>,
    pairs: Vec<Pair>,
    alive: Vec<bool>,
    /// Whether only states that were visited before go on.
    nearby: bool,
    /// Which states of the automaton accept whatever follows.
    sinks: Vec<bool>,
}

/// What a search for a beginning that breaks the formula found.
enum Beginning {
    /// The states of a shortest one.
    Found(Vec<StateId>),
    /// There is none in all pairs, which are so many.
    None(usize),
    /// There are too many pairs.
    Unsure,
}

/// The beginning of a part that may still grow.
struct Root {
    number: u32,
    /// The marks of the step into it, and those inside.
    entry: u64,
    inside: u64,
}

impl<'a, 'b> Search<'a, 'b> {
    fn new(
        steps: &'a mut Steps<'b>,
        automaton: &'a Automaton,
        values: &'a mut dyn FnMut(&[u64]) -> u64,
        budget: &'a Budget,
    ) -> Search<'a, 'b> {
        Search {
            steps,
            automaton,
            values,
            known: FxHashMap::default(),
            budget,
            numbers: FxHashMap::default(),
            pairs: Vec::new(),
            alive: Vec::new(),
            nearby: false,
            sinks: sinks(automaton),
        }
    }

    /// What a search in depth finds, with the states whose successors were asked for if it is
    /// nothing. A run that is found is shown by its beginning, if one as short decides: one in so
    /// many pairs, or among the states that were visited.
    fn outcome(mut self, further: usize) -> Result<(Linear, Vec<StateId>), Halt> {
        let Some(part) = self.run()? else {
            let pairs = self.pairs.iter();
            let mut states: Vec<StateId> = pairs
                .filter(|&&(state, at)| self.goes_on(state, at))
                .map(|&(state, _)| state)
                .collect();
            states.sort_unstable();
            states.dedup();
            return Ok((Linear::Holds(self.pairs.len()), states));
        };
        let lasso = self.lasso(part)?;
        // What is found is told, even if there is no time to make it shorter.
        for (nearby, most) in [(false, further), (true, usize::MAX)] {
            self.nearby = nearby;
            if let Ok(Beginning::Found(states)) = self.beginning(most)
                && states.len() <= lasso.labels.len() + 1
            {
                return Ok((Linear::Violated(self.begun(&states)), Vec::new()));
            }
        }
        Ok((Linear::Violated(lasso), Vec::new()))
    }

    /// A shortest beginning of a run that breaks the formula whatever comes after it.
    fn beginning(&mut self, most: usize) -> Result<Beginning, Halt> {
        if !self.sinks.contains(&true) {
            return Ok(Beginning::None(0));
        }
        let starts = self.steps.initial().iter().map(|&one| (one, 0));
        let mut found: Vec<(Pair, usize)> = starts.map(|pair| (pair, usize::MAX)).collect();
        let mut known: FxHashSet<Pair> = found.iter().map(|one| one.0).collect();
        let mut edges = Vec::new();
        let mut at = 0;
        while let Some(&(pair, _)) = found.get(at) {
            self.budget.charge(1)?;
            if at >= most {
                return Ok(Beginning::Unsure);
            }
            let values = self.values_of(pair.0);
            let mut ways = self.automaton.states[pair.1 as usize].iter();
            if ways.any(|one| one.allows(values) && self.sinks[one.next as usize]) {
                let mut states = Vec::new();
                while let Some(&((state, _), before)) = found.get(at) {
                    states.push(state);
                    at = before;
                }
                states.reverse();
                return Ok(Beginning::Found(states));
            }
            edges.clear();
            self.successors(pair, &mut edges)?;
            for &(target, _) in &edges {
                if known.insert(target) {
                    found.push((target, at));
                }
            }
            at += 1;
        }
        Ok(Beginning::None(found.len()))
    }

    /// A beginning through these states.
    fn begun(&self, states: &[StateId]) -> Lasso {
        let mut run = Lasso {
            first: states[0],
            labels: Vec::new(),
            rest: Rest::Any,
        };
        for two in states.windows(2) {
            if self.steps.known(two[0]).is_some_and(<[StateId]>::is_empty) {
                run.rest = Rest::Stuck;
                break;
            }
            run.labels.extend(self.steps.label(two[0], two[1]));
        }
        run
    }

    /// Which atoms are true in a state.
    fn values_of(&mut self, state: StateId) -> u64 {
        if let Some(&values) = self.known.get(&state) {
            return values;
        }
        let values = (self.values)(&self.steps.graph().state(state));
        self.known.insert(state, values);
        values
    }

    /// Whether the automaton lets a run go on from a pair that was looked at.
    fn goes_on(&self, state: StateId, at: u32) -> bool {
        let all = &self.automaton.states[at as usize];
        let values = self.known.get(&state);
        values.is_some_and(|&values| all.iter().any(|one| one.allows(values)))
    }

    fn successors(&mut self, (state, at): Pair, edges: &mut Vec<Edge>) -> Result<(), Halt> {
        let values = self.values_of(state);
        let all = &self.automaton.states[at as usize];
        if !all.iter().any(|one| one.allows(values)) {
            return Ok(());
        }
        if !self.nearby {
            self.steps.visit(state, self.budget)?;
        } else if self.steps.known(state).is_none() {
            return Ok(());
        }
        let targets = self.steps.known(state).unwrap_or_default();
        for transition in all.iter().filter(|one| one.allows(values)) {
            let edge = |target: StateId| ((target, transition.next), transition.marks);
            match targets.is_empty() {
                true => edges.push(edge(state)),
                false => edges.extend(targets.iter().map(|&target| edge(target))),
            }
        }
        Ok(())
    }

    /// The numbers from which on the live pairs are a part with all marks, if there is one.
    fn run(&mut self) -> Result<Option<u32>, Halt> {
        for initial in self.steps.initial().to_vec() {
            if let Some(part) = self.from((initial, 0))? {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    fn enter(&mut self, pair: Pair) -> u32 {
        let number = self.pairs.len() as u32;
        self.numbers.insert(pair, number);
        self.pairs.push(pair);
        self.alive.push(true);
        number
    }

    fn from(&mut self, pair: Pair) -> Result<Option<u32>, Halt> {
        if self.numbers.contains_key(&pair) {
            return Ok(None);
        }
        // The steps that are still to be taken, of all frames one after the other.
        let mut edges: Vec<Edge> = Vec::new();
        let mut frames: Vec<(u32, usize)> = Vec::new();
        let mut roots: Vec<Root> = Vec::new();
        let mut live: Vec<u32> = Vec::new();
        let mut entering = Some((pair, 0));
        loop {
            if let Some((pair, entry)) = entering.take() {
                self.budget.charge(1)?;
                let number = self.enter(pair);
                roots.push(Root {
                    number,
                    entry,
                    inside: 0,
                });
                live.push(number);
                frames.push((number, edges.len()));
                self.successors(pair, &mut edges)?;
            }
            let Some(&(number, base)) = frames.last() else {
                return Ok(None);
            };
            if edges.len() > base {
                let Some((target, marks)) = edges.pop() else {
                    return Ok(None);
                };
                match self.numbers.get(&target) {
                    None => entering = Some((target, marks)),
                    Some(&other) if self.alive[other as usize] => {
                        let mut all = marks;
                        while roots.last().is_some_and(|root| root.number > other) {
                            if let Some(root) = roots.pop() {
                                all |= root.entry | root.inside;
                            }
                        }
                        if let Some(root) = roots.last_mut() {
                            root.inside |= all;
                            if root.inside == self.automaton.marks {
                                return Ok(Some(root.number));
                            }
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            frames.pop();
            if roots.last().is_some_and(|root| root.number == number) {
                roots.pop();
                while let Some(one) = live.pop() {
                    self.alive[one as usize] = false;
                    if one == number {
                        break;
                    }
                }
            }
        }
    }

    /// A run into the part and round in it that collects all marks.
    fn lasso(&mut self, part: u32) -> Result<Lasso, Halt> {
        let inside = |search: &Self, pair: Pair| {
            let number = search.numbers.get(&pair);
            number.is_some_and(|&number| number >= part && search.alive[number as usize])
        };
        let starts: Vec<Pair> = self.steps.initial().iter().map(|&one| (one, 0)).collect();
        let mut run = match starts.iter().find(|&&start| inside(self, start)) {
            Some(&start) => vec![start],
            None => self.path(
                &starts,
                &|search, (pair, _)| inside(search, pair),
                &|search, pair| search.nearby || search.numbers.contains_key(&pair),
            )?,
        };
        let back = run.len() - 1;
        let knot = run[back];
        let mut open = self.automaton.marks;
        let mut at = knot;
        while open != 0 {
            let wanted = open;
            let path = self.path(
                &[at],
                &|search, (pair, marks)| inside(search, pair) && marks & wanted != 0,
                &inside,
            )?;
            for window in path.windows(2) {
                open &= !self.marks(window[0], window[1])?;
            }
            at = path.last().copied().unwrap_or(knot);
            run.extend_from_slice(&path[1..]);
        }
        if at != knot || run.len() == back + 1 {
            let path = self.path(&[at], &|_, (pair, _)| pair == knot, &inside)?;
            run.extend_from_slice(&path[1..]);
        }
        Ok(self.labelled(&run, back))
    }

    /// All marks of steps between two pairs.
    fn marks(&mut self, from: Pair, to: Pair) -> Result<u64, Halt> {
        let mut edges = Vec::new();
        self.successors(from, &mut edges)?;
        let between = edges.iter().filter(|(target, _)| *target == to);
        // The states of the system are the same whichever is taken: they take turns.
        Ok(between
            .map(|&(_, marks)| marks)
            .fold(0, |all, marks| all | marks))
    }

    /// A shortest path of at least one step, through pairs that fit, whose last step is a goal.
    fn path(
        &mut self,
        starts: &[Pair],
        goal: &dyn Fn(&Self, Edge) -> bool,
        fits: &dyn Fn(&Self, Pair) -> bool,
    ) -> Result<Vec<Pair>, Halt> {
        let mut before: FxHashMap<Pair, Option<Pair>> = FxHashMap::default();
        let mut queue: VecDeque<Pair> = VecDeque::new();
        for &start in starts {
            before.insert(start, None);
            queue.push_back(start);
        }
        let mut edges = Vec::new();
        while let Some(pair) = queue.pop_front() {
            self.budget.charge(1)?;
            edges.clear();
            self.successors(pair, &mut edges)?;
            for &edge in &edges {
                if goal(self, edge) {
                    let mut path = vec![edge.0, pair];
                    let mut at = pair;
                    while let Some(&Some(parent)) = before.get(&at) {
                        path.push(parent);
                        at = parent;
                    }
                    path.reverse();
                    return Ok(path);
                }
                if fits(self, edge.0) && !before.contains_key(&edge.0) {
                    before.insert(edge.0, Some(pair));
                    queue.push_back(edge.0);
                }
            }
        }
        // A part is strongly connected, and the way to it was gone before.
        Ok(starts.first().copied().into_iter().collect())
    }

    fn labelled(&self, run: &[Pair], back: usize) -> Lasso {
        let mut labels = Vec::new();
        for (at, window) in run.windows(2).enumerate() {
            let (from, to) = (window[0].0, window[1].0);
            if self.steps.known(from).is_some_and(<[StateId]>::is_empty) {
                return Lasso {
                    first: run[0].0,
                    labels,
                    rest: Rest::Stuck,
                };
            }
            debug_assert_eq!(labels.len(), at);
            labels.extend(self.steps.label(from, to));
        }
        Lasso {
            first: run[0].0,
            labels,
            rest: Rest::Back(back),
        }
    }
}
