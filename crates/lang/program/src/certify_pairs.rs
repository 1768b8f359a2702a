//! The check of a proof by pairs of processes.
//!
//! The evidence is a list of predicates; the states of all pairs are worked out here anew. What it proves:
//! seen through the truth values of the predicates, every state of the program is, for each
//! pair of processes, among the states of that pair. The beginning is, as all truth values that
//! are not refuted there are taken. And a step keeps it: the truth values that it changes are those
//! of shared predicates and of predicates into which only the process that steps writes, so
//! the states of two others change by shared values only; and the states of all pairs of
//! the three before the step are among those found, from which the step was followed, as no
//! combination that is not refuted was left out. So a part of the invariant that is true in every state
//! of one pair is true in every state of the program.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use quotient_arithmetic::{Condition, implies, is_impossible};
use quotient_core::{Budget, Rejection, Stop};
use serde::{Deserialize, Serialize};

use crate::ltl::Ltl;
use crate::program::{Assign, Atom, Check, Process, Program, before, variables};
use crate::read::read_condition;

/// The body of evidence that an invariant holds, by pairs of processes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PairsBody {
    pub(crate) processes: Vec<String>,
    pub(crate) predicates: Vec<String>,
}

/// The most states of pairs that are looked at.
const MOST_STATES: usize = 2_000_000;
/// The most truth values that are left open at a time.
const MOST_OPEN: usize = 10;
/// The most truth values in one number.
const MOST_TRUTHS: usize = 63;

/// One process: where it is, and the truth of its predicates.
type Own = (usize, u64);
/// The lower process with its state, the higher one with its state, and shared truth.
type Pair = (usize, Own, usize, Own, u64);
/// What a step makes of its process and of the shared truth.
type Steps = Rc<Vec<(Own, u64)>>;

struct Closure<'a> {
    program: &'a Program,
    /// The processes that are seen.
    seen: Vec<usize>,
    /// The predicates of each process, and under `program.processes.len()` the shared ones.
    held: Vec<Vec<Condition>>,
    /// For each process the others whose predicates its steps may depend on.
    reads: Vec<HashSet<usize>>,
    steps: HashMap<(usize, Own, u64, Vec<(usize, u64)>), Steps>,
    queue: Vec<Pair>,
    found: HashSet<Pair>,
    /// For a process in a state and another process, with shared truth: the states of the other.
    beside: HashMap<(usize, Own, usize, u64), Vec<Own>>,
}

/// Checks that an invariant follows.
pub(crate) fn holds(
    program: &Program,
    check: &Check,
    body: &PairsBody,
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    let Some(good) = check.formula.invariant() else {
        return Err(Rejection::wrong("pairs of processes prove only invariants"));
    };
    let mut held = vec![Vec::new(); program.processes.len() + 1];
    for text in &body.predicates {
        let predicate = read_condition(text, program)
            .ok_or_else(|| Rejection::unreadable(format!("`{text}` is no condition")))?;
        let writers: Vec<usize> = (0..program.processes.len())
            .filter(|number| program.processes[*number].writes_into(&predicate))
            .collect();
        let holder = match writers[..] {
            [only] => only,
            _ => program.processes.len(),
        };
        held[holder].push(predicate);
    }
    let seen: Vec<usize> = (0..program.processes.len())
        .filter(|number| body.processes.contains(&program.processes[*number].name))
        .collect();
    // Whoever is left out changes nothing that is seen.
    if let Some(name) = blind(program, &seen, &held) {
        let message = format!("{name} is left out, but writes into a predicate");
        return Err(Rejection::wrong(message));
    }
    if held.iter().any(|of| of.len() > 60) {
        return Err(Stop::bound("predicates of one process", 60).into());
    }
    let mut closure = Closure::new(program, seen, held);
    closure.close(budget)?;
    let mut parts = vec![good.normal(false)];
    while let Some(part) = parts.pop() {
        if let Ltl::And(one, other) = part {
            parts.extend([*one, *other]);
            continue;
        }
        let mut spoilt = HashSet::new();
        let mut pairs = HashSet::new();
        for pair in &closure.found {
            budget.charge(1)?;
            let names = (pair.0, pair.2);
            pairs.insert(names);
            if !spoilt.contains(&names) && closure.value(pair, &part) != Some(true) {
                spoilt.insert(names);
            }
        }
        if pairs.len() == spoilt.len() {
            return Err(Rejection::wrong(
                "in each pair of processes the invariant may be violated",
            ));
        }
    }
    Ok(vec![
        format!(
            "{} states of pairs of processes contain all states of the program",
            closure.found.len()
        ),
        "what follows was decided by linear integer arithmetic".to_owned(),
    ])
}

/// A process that is left out although it writes into a predicate.
fn blind<'a>(program: &'a Program, seen: &[usize], held: &[Vec<Condition>]) -> Option<&'a str> {
    let all = program.processes.iter().enumerate();
    let mut left_out = all.filter(|(number, _)| !seen.contains(number));
    let writes = |process: &Process| {
        let mut predicates = held.iter().flatten();
        predicates.any(|predicate| process.writes_into(predicate))
    };
    let found = left_out.find(|(_, process)| writes(process));
    found.map(|(_, process)| process.name.as_str())
}

impl<'a> Closure<'a> {
    fn new(program: &'a Program, seen: Vec<usize>, held: Vec<Vec<Condition>>) -> Closure<'a> {
        let count = program.processes.len();
        let mut reads = vec![HashSet::new(); count];
        for (number, process) in program.processes.iter().enumerate() {
            let (mut integers, mut booleans) = (HashSet::new(), HashSet::new());
            let mut read = |condition: &Condition| {
                let (some, flags) = variables(condition);
                integers.extend(some);
                booleans.extend(flags);
            };
            for edge in &process.edges {
                read(&edge.guard);
                for assign in &edge.assign {
                    match assign {
                        Assign::Integer(_, sum) => read(&Condition::Zero(sum.clone())),
                        Assign::Boolean(_, value) => read(value),
                        Assign::AnyInteger(_) | Assign::AnyBoolean(_) => {}
                    }
                }
            }
            for (other, predicates) in held.iter().enumerate().take(count) {
                let meets = predicates.iter().any(|one| {
                    let (some, flags) = variables(one);
                    some.iter().any(|at| integers.contains(at))
                        || flags.iter().any(|at| booleans.contains(at))
                });
                if other != number && meets {
                    reads[number].insert(other);
                }
            }
        }
        Closure {
            program,
            seen,
            held,
            reads,
            steps: HashMap::new(),
            queue: Vec::new(),
            found: HashSet::new(),
            beside: HashMap::new(),
        }
    }

    fn count(&self) -> usize {
        self.program.processes.len()
    }

    fn add(&mut self, one: (usize, Own), other: (usize, Own), shared: u64) {
        let (low, high) = if one.0 < other.0 {
            (one, other)
        } else {
            (other, one)
        };
        let pair = (low.0, low.1, high.0, high.1, shared);
        if self.found.insert(pair) {
            self.queue.push(pair);
        }
    }

    /// The beginning, and whatever follows.
    fn close(&mut self, budget: &Budget) -> Result<(), Rejection> {
        let facts = self.program.beginning();
        let starts: Vec<Vec<u64>> = (self.held.iter())
            .map(|predicates| open(&facts, predicates))
            .collect::<Result<_, _>>()?;
        let seen = self.seen.clone();
        for (place, &one) in seen.iter().enumerate() {
            for &other in &seen[place + 1..] {
                for &a in &starts[one] {
                    for &b in &starts[other] {
                        for &shared in &starts[self.count()] {
                            self.add((one, (0, a)), (other, (0, b)), shared);
                        }
                    }
                }
            }
        }
        while let Some((one, a, other, b, shared)) = self.queue.pop() {
            budget.charge(1)?;
            if self.found.len() > MOST_STATES {
                return Err(Stop::bound("states of pairs", MOST_STATES as u64).into());
            }
            for (at, with) in [((one, a), (other, b)), ((other, b), (one, a))] {
                let key = (at.0, at.1, with.0, shared);
                self.beside.entry(key).or_default().push(with.1);
                for (own, now) in self.after(at, shared, &[with])?.iter() {
                    self.add((at.0, *own), with, *now);
                }
            }
            // With every third process in a state that both may be beside.
            for third in self.seen.clone() {
                if third == one || third == other {
                    continue;
                }
                let key = (one, a, third, shared);
                let Some(states) = self.beside.get(&key).cloned() else {
                    continue;
                };
                let other_key = (other, b, third, shared);
                let near: HashSet<Own> = match self.beside.get(&other_key) {
                    Some(states) => states.iter().copied().collect(),
                    None => continue,
                };
                for c in states.into_iter().filter(|state| near.contains(state)) {
                    budget.charge(1)?;
                    let three = [(one, a), (other, b), (third, c)];
                    for mover in 0..3 {
                        let (left, right) = (three[(mover + 1) % 3], three[(mover + 2) % 3]);
                        let steps = self.after(three[mover], shared, &[left, right])?;
                        for (_, now) in steps.iter().filter(|(_, now)| *now != shared) {
                            self.add(left, right, *now);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What a process may step to, given shared truth and the states of others.
    fn after(
        &mut self,
        (process, own): (usize, Own),
        shared: u64,
        others: &[(usize, Own)],
    ) -> Result<Steps, Rejection> {
        let mut context: Vec<(usize, u64)> = (others.iter())
            .filter(|(other, _)| self.reads[process].contains(other))
            .map(|(other, state)| (*other, state.1))
            .collect();
        context.sort_unstable();
        let key = (process, own, shared, context);
        if let Some(known) = self.steps.get(&key) {
            return Ok(Rc::clone(known));
        }
        let mut facts = Vec::new();
        let around = key.3.iter().copied();
        for (holder, truth) in [(process, own.1), (self.count(), shared)]
            .into_iter()
            .chain(around)
        {
            facts.extend(told(&self.held[holder], truth));
        }
        let mut found = Vec::new();
        for (_, edge) in self.program.processes[process].leaving(own.0) {
            let mut known = facts.clone();
            known.push(edge.guard.clone());
            if is_impossible(&known) {
                continue;
            }
            let mine = &self.held[process];
            let conditions: Vec<Condition> = (mine.iter().chain(&self.held[self.count()]))
                .map(|predicate| before(self.program, edge, predicate))
                .collect();
            for truth in open(&known, &conditions)? {
                let own_truth = truth & ((1 << mine.len()) - 1);
                found.push(((edge.to, own_truth), truth >> mine.len()));
            }
        }
        let found = Rc::new(found);
        self.steps.insert(key, Rc::clone(&found));
        Ok(found)
    }

    /// What is known of a formula about one state.
    fn value(&self, pair: &Pair, formula: &Ltl) -> Option<bool> {
        let at: BTreeMap<usize, Own> = [(pair.0, pair.1), (pair.2, pair.3)].into();
        match formula {
            Ltl::Constant(value) => Some(*value),
            Ltl::Atom(Atom::At(process, location)) => at.get(process).map(|own| own.0 == *location),
            Ltl::Atom(Atom::Condition(condition)) => {
                let mut facts = told(&self.held[self.count()], pair.4);
                for (process, own) in &at {
                    facts.extend(told(&self.held[*process], own.1));
                }
                if implies(&facts, condition) {
                    return Some(true);
                }
                implies(&facts, &condition.negated()).then_some(false)
            }
            Ltl::Not(inner) => self.value(pair, inner).map(|value| !value),
            Ltl::And(one, other) => match self.value(pair, one) {
                Some(false) => Some(false),
                first => match self.value(pair, other) {
                    Some(false) => Some(false),
                    second => first.and(second),
                },
            },
            Ltl::Or(one, other) => match self.value(pair, one) {
                Some(true) => Some(true),
                first => match self.value(pair, other) {
                    Some(true) => Some(true),
                    second => first.and(second),
                },
            },
            _ => None,
        }
    }
}

/// What truth values say.
pub(crate) fn told(predicates: &[Condition], truth: u64) -> Vec<Condition> {
    let numbered = predicates.iter().enumerate();
    let said = numbered.map(|(place, predicate)| match truth >> place & 1 {
        1 => predicate.clone(),
        _ => predicate.negated(),
    });
    said.collect()
}

/// All truth values of conditions that facts do not refute.
pub(crate) fn open(facts: &[Condition], conditions: &[Condition]) -> Result<Vec<u64>, Rejection> {
    if conditions.len() > MOST_TRUTHS {
        return Err(Stop::bound("conditions looked at together", MOST_TRUTHS as u64).into());
    }
    let mut all = vec![0u64];
    let mut unknown = 0;
    for (place, condition) in conditions.iter().enumerate() {
        let (never, always) = (
            implies(facts, &condition.negated()),
            implies(facts, condition),
        );
        if !never && !always {
            unknown += 1;
        }
        if unknown > MOST_OPEN {
            return Err(Stop::bound("truth values left open by one step", MOST_OPEN as u64).into());
        }
        let more: Vec<u64> = all.iter().map(|truth| truth | 1 << place).collect();
        match (never, always) {
            (true, _) => {}
            (false, true) => all = more,
            (false, false) => all.extend(more),
        }
    }
    let wide = unknown > 1;
    let stands = |truth: &u64| {
        let mut known = facts.to_vec();
        known.extend(told(conditions, *truth));
        !wide || !is_impossible(&known)
    };
    Ok(all.into_iter().filter(stands).collect())
}
