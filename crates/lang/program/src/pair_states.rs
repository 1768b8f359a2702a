//! States of pairs of processes: see [`crate::pairs`].

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use quotient_arithmetic::{Condition, implies, is_impossible};
use quotient_core::{Budget, Stop};

use crate::ltl::Ltl;
use crate::program::{Assign, Atom, Edge, Program, before, variables};

/// The most predicates that one process owns, or that are shared.
const MOST_BITS: usize = 24;
/// The most predicates that one step may leave unknown.
const MOST_UNKNOWN: usize = 8;
/// The most states of all pairs.
const MOST_ITEMS: usize = 1_000_000;

/// A state of a pair: of the first process, of the second (by number), and what is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Item {
    one: usize,
    other: usize,
    a: u32,
    b: u32,
    shared: u64,
}

/// How a state of a pair was found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found {
    Start,
    /// By a step from another state; a third process had the state that a witness knows.
    Step {
        from: u32,
        witness: Option<u32>,
        process: usize,
        edge: usize,
    },
}

/// A step of one process, which changes its own state and the shared values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) edge: usize,
    pub(crate) to: u32,
    shared: u64,
}

/// A part of the invariant, with the pairs that may prove it and what spoils each.
pub(crate) struct Clause {
    pub(crate) good: Ltl,
    pub(crate) pairs: Vec<((usize, usize), Option<u32>)>,
}

/// States of pairs for one set of predicates.
pub(crate) struct Space<'a> {
    program: &'a Program,
    predicates: &'a [Condition],
    /// The predicates of each process, and the shared ones.
    owned: Vec<Vec<usize>>,
    shared: Vec<usize>,
    /// The processes that matter.
    pub(crate) processes: Vec<usize>,
    /// Own states of processes by number: a location and the truth of predicates.
    states: Vec<Vec<(usize, u64)>>,
    numbers: HashMap<(usize, usize, u64), u32>,
    moves: HashMap<(usize, u32, u64), Rc<Vec<Move>>>,
    /// Whether a process reads what another one's predicates are about.
    reads: HashSet<(usize, usize)>,
    allowed: HashMap<(usize, u32, u64, usize, usize, u64), bool>,
    pub(crate) items: Vec<(Item, Found)>,
    seen: HashMap<Item, u32>,
    partners: HashMap<(usize, usize, u32, u64), Vec<u32>>,
}

/// Who owns a predicate: the only process that writes into it.
pub(crate) fn owner(program: &Program, predicate: &Condition) -> Option<usize> {
    let all = program.processes.iter().enumerate();
    let mut writers = all.filter(|(_, one)| one.writes_into(predicate));
    match (writers.next(), writers.next()) {
        (Some((only, _)), None) => Some(only),
        _ => None,
    }
}

impl<'a> Space<'a> {
    pub(crate) fn new(
        program: &'a Program,
        predicates: &'a [Condition],
        clauses: &[Clause],
    ) -> Result<Space<'a>, Stop> {
        let mut owned = vec![Vec::new(); program.processes.len()];
        let mut shared = Vec::new();
        for (number, predicate) in predicates.iter().enumerate() {
            match owner(program, predicate) {
                Some(process) => owned[process].push(number),
                None => shared.push(number),
            }
        }
        if owned.iter().chain([&shared]).any(|of| of.len() > MOST_BITS) {
            return Err(Stop::bound("predicates of one process", MOST_BITS as u64));
        }
        let mut space = Space {
            program,
            predicates,
            owned,
            shared,
            processes: Vec::new(),
            states: vec![Vec::new(); program.processes.len()],
            numbers: HashMap::new(),
            moves: HashMap::new(),
            reads: HashSet::new(),
            allowed: HashMap::new(),
            items: Vec::new(),
            seen: HashMap::new(),
            partners: HashMap::new(),
        };
        space.choose(clauses);
        Ok(space)
    }

    /// The processes that matter: those of the invariant, those that write what is shared, and those
    /// whose predicates a process that matters reads.
    fn choose(&mut self, clauses: &[Clause]) {
        let all = 0..self.program.processes.len();
        let named = |number: usize| {
            let mut pairs = clauses.iter().flat_map(|clause| &clause.pairs);
            pairs.any(|((one, other), _)| *one == number || *other == number)
        };
        let writes = |number: usize| {
            let process = &self.program.processes[number];
            let mut shared = self.shared.iter();
            shared.any(|at| process.writes_into(&self.predicates[*at]))
        };
        let mut chosen: Vec<usize> = all.clone().filter(|at| named(*at) || writes(*at)).collect();
        let mut next = 0;
        let mut reads = HashSet::new();
        while let Some(&process) = chosen.get(next) {
            next += 1;
            for other in all.clone().filter(|other| *other != process) {
                if self.reads_of(process, other) {
                    reads.insert((process, other));
                    if !chosen.contains(&other) {
                        chosen.push(other);
                    }
                }
            }
        }
        chosen.sort_unstable();
        self.reads = reads;
        self.processes = chosen;
    }

    /// Whether steps of a process depend on variables of another one's predicates.
    fn reads_of(&self, process: usize, other: usize) -> bool {
        let meets = |condition: &Condition| {
            let (integers, booleans) = variables(condition);
            self.owned[other].iter().any(|number| {
                let (theirs, flags) = variables(&self.predicates[*number]);
                theirs.iter().any(|at| integers.contains(at))
                    || flags.iter().any(|at| booleans.contains(at))
            })
        };
        let assigned = |assign: &Assign| match assign {
            Assign::Integer(_, sum) => meets(&Condition::Zero(sum.clone())),
            Assign::Boolean(_, value) => meets(value),
            Assign::AnyInteger(_) | Assign::AnyBoolean(_) => false,
        };
        let edges = &self.program.processes[process].edges;
        edges
            .iter()
            .any(|edge| meets(&edge.guard) || edge.assign.iter().any(assigned))
    }

    fn number(&mut self, process: usize, location: usize, bits: u64) -> u32 {
        let states = &mut self.states[process];
        let next = u32::try_from(states.len()).unwrap_or(u32::MAX);
        let known = self.numbers.entry((process, location, bits));
        *known.or_insert_with(|| {
            states.push((location, bits));
            next
        })
    }

    /// What truth values say.
    fn facts_of(&self, numbers: &[usize], bits: u64, facts: &mut Vec<Condition>) {
        for (place, number) in numbers.iter().enumerate() {
            let predicate = &self.predicates[*number];
            facts.push(match bits >> place & 1 {
                1 => predicate.clone(),
                _ => predicate.negated(),
            });
        }
    }

    /// What is known of one process and of what is shared.
    fn facts(&self, process: usize, bits: u64, shared: u64) -> Vec<Condition> {
        let mut facts = Vec::new();
        self.facts_of(&self.owned[process], bits, &mut facts);
        self.facts_of(&self.shared, shared, &mut facts);
        facts
    }

    /// Where it begins: all pairs with all truth values that are possible.
    fn begin(&mut self) -> Result<(), Stop> {
        let facts = self.program.beginning();
        let values = |numbers: &[usize]| {
            let conditions = numbers.iter().map(|at| self.predicates[*at].clone());
            possible(&facts, &conditions.collect::<Vec<_>>())
        };
        let shared = values(&self.shared)?;
        let own: Vec<Vec<u64>> = (self.processes.iter())
            .map(|process| values(&self.owned[*process]))
            .collect::<Result<_, _>>()?;
        let processes = self.processes.clone();
        for (place, &one) in processes.iter().enumerate() {
            for (next, &other) in processes.iter().enumerate().skip(place + 1) {
                for &a in &own[place] {
                    for &b in &own[next] {
                        let (a, b) = (self.number(one, 0, a), self.number(other, 0, b));
                        for &shared in &shared {
                            self.add(one, other, (a, b), shared, Found::Start);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, one: usize, other: usize, (a, b): (u32, u32), shared: u64, found: Found) {
        let item = item(one, other, a, b, shared);
        let next = u32::try_from(self.items.len()).unwrap_or(u32::MAX);
        if let std::collections::hash_map::Entry::Vacant(entry) = self.seen.entry(item) {
            entry.insert(next);
            self.items.push((item, found));
        }
    }

    /// The own states in which a process may begin.
    pub(crate) fn starts(&mut self, process: usize) -> Result<Vec<u32>, Stop> {
        let predicates = self.owned[process].iter();
        let predicates: Vec<Condition> = predicates
            .map(|number| self.predicates[*number].clone())
            .collect();
        let truths = possible(&self.program.beginning(), &predicates)?;
        let states = truths.into_iter();
        Ok(states.map(|bits| self.number(process, 0, bits)).collect())
    }

    /// The steps of a process from its own state, with what is shared.
    pub(crate) fn steps(
        &mut self,
        process: usize,
        state: u32,
        shared: u64,
    ) -> Result<Rc<Vec<Move>>, Stop> {
        let key = (process, state, shared);
        if let Some(known) = self.moves.get(&key) {
            return Ok(Rc::clone(known));
        }
        let (location, bits) = self.states[process][state as usize];
        let facts = self.facts(process, bits, shared);
        let program = self.program;
        let mut found = Vec::new();
        for (number, edge) in program.processes[process].leaving(location) {
            let mut known = facts.clone();
            known.push(edge.guard.clone());
            if is_impossible(&known) {
                continue;
            }
            let written = |of: &[usize]| -> Vec<usize> {
                let places = of.iter().enumerate();
                let hit = places.filter(|(_, at)| writes(edge, &self.predicates[**at]));
                hit.map(|(place, _)| place).collect()
            };
            let (own, common) = (written(&self.owned[process]), written(&self.shared));
            let after: Vec<Condition> = (own.iter().map(|place| self.owned[process][*place]))
                .chain(common.iter().map(|place| self.shared[*place]))
                .map(|at| before(program, edge, &self.predicates[at]))
                .collect();
            for values in possible(&known, &after)? {
                let (mut bits, mut shared) = (bits, shared);
                for (turn, place) in own.iter().enumerate() {
                    set(&mut bits, *place, values >> turn & 1 == 1);
                }
                for (turn, place) in common.iter().enumerate() {
                    set(&mut shared, *place, values >> (own.len() + turn) & 1 == 1);
                }
                found.push((number, edge.to, bits, shared));
            }
        }
        let moves = found
            .into_iter()
            .map(|(edge, location, bits, shared)| Move {
                edge,
                to: self.number(process, location, bits),
                shared,
            });
        let moves: Rc<Vec<Move>> = Rc::new(moves.collect());
        self.moves.insert(key, Rc::clone(&moves));
        Ok(moves)
    }

    /// Whether a step is possible as far as another process's own state knows.
    fn allows(
        &mut self,
        (process, state, shared): (usize, u32, u64),
        turn: usize,
        step: Move,
        (other, theirs): (usize, u32),
    ) -> bool {
        if !self.reads.contains(&(process, other)) {
            return true;
        }
        let their_bits = self.states[other][theirs as usize].1;
        let key = (process, state, shared, turn, other, their_bits);
        if let Some(known) = self.allowed.get(&key) {
            return *known;
        }
        let edge = &self.program.processes[process].edges[step.edge];
        let mut facts = self.facts(process, self.states[process][state as usize].1, shared);
        self.facts_of(&self.owned[other], their_bits, &mut facts);
        facts.push(edge.guard.clone());
        let bits = self.states[process][step.to as usize].1;
        for (numbers, bits) in [(&self.owned[process], bits), (&self.shared, step.shared)] {
            for (place, number) in numbers.iter().enumerate() {
                if writes(edge, &self.predicates[*number]) {
                    let after = before(self.program, edge, &self.predicates[*number]);
                    facts.push(match bits >> place & 1 {
                        1 => after,
                        _ => after.negated(),
                    });
                }
            }
        }
        let allowed = !is_impossible(&facts);
        self.allowed.insert(key, allowed);
        allowed
    }

    /// All states of all pairs, until each way to prove a part of the invariant is spoilt.
    pub(crate) fn explore(
        &mut self,
        clauses: &mut [Clause],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.begin()?;
        let mut next = 0;
        while next < self.items.len() {
            budget.charge(1)?;
            if self.items.len() > MOST_ITEMS {
                return Err(Stop::bound("states of pairs", MOST_ITEMS as u64));
            }
            let number = u32::try_from(next).unwrap_or(u32::MAX);
            if !self.judge(number, clauses) {
                return Ok(false);
            }
            self.grow(number, budget)?;
            next += 1;
        }
        Ok(true)
    }

    /// Whether each part of the invariant can still be proved with this state.
    fn judge(&self, number: u32, clauses: &mut [Clause]) -> bool {
        let item = self.items[number as usize].0;
        for clause in clauses {
            let pair = (item.one, item.other);
            for (_, spoilt) in clause.pairs.iter_mut().filter(|(at, _)| *at == pair) {
                if spoilt.is_none() && self.value(item, &clause.good) != Some(true) {
                    *spoilt = Some(number);
                }
            }
            if clause.pairs.iter().all(|(_, spoilt)| spoilt.is_some()) {
                return false;
            }
        }
        true
    }

    /// What is known of a formula in a state of a pair.
    fn value(&self, item: Item, formula: &Ltl) -> Option<bool> {
        let (one, other) = (
            self.states[item.one][item.a as usize],
            self.states[item.other][item.b as usize],
        );
        match formula {
            Ltl::Constant(value) => Some(*value),
            Ltl::Atom(Atom::At(process, location)) => match *process {
                process if process == item.one => Some(one.0 == *location),
                process if process == item.other => Some(other.0 == *location),
                _ => None,
            },
            Ltl::Atom(Atom::Condition(condition)) => {
                let mut facts = self.facts(item.one, one.1, item.shared);
                self.facts_of(&self.owned[item.other], other.1, &mut facts);
                match implies(&facts, condition) {
                    true => Some(true),
                    false => implies(&facts, &condition.negated()).then_some(false),
                }
            }
            Ltl::Not(inner) => self.value(item, inner).map(|value| !value),
            Ltl::And(a, b) | Ltl::Or(a, b) => {
                let stops = matches!(formula, Ltl::Or(..));
                let first = self.value(item, a);
                if first == Some(stops) {
                    return first;
                }
                match self.value(item, b) {
                    Some(value) if value == stops => Some(stops),
                    second => first.and(second),
                }
            }
            _ => None,
        }
    }

    /// What follows from a state and those that were looked at before.
    fn grow(&mut self, number: u32, budget: &Budget) -> Result<(), Stop> {
        let Item {
            one: i,
            other: j,
            a,
            b,
            shared,
        } = self.items[number as usize].0;
        for (at, state, partner) in [(i, a, j), (j, b, i)] {
            let key = (at, partner, state, shared);
            self.partners.entry(key).or_default().push(number);
        }
        for (process, state, rest) in [(i, a, (j, b)), (j, b, (i, a))] {
            let moves = self.steps(process, state, shared)?;
            for (turn, step) in moves.iter().enumerate() {
                if !self.allows((process, state, shared), turn, *step, rest) {
                    continue;
                }
                let found = Found::Step {
                    from: number,
                    witness: None,
                    process,
                    edge: step.edge,
                };
                self.add(process, rest.0, (step.to, rest.1), step.shared, found);
            }
        }
        for place in 0..self.processes.len() {
            let third = self.processes[place];
            if third == i || third == j {
                continue;
            }
            let Some(list) = self.partners.get(&(i, third, a, shared)).cloned() else {
                continue;
            };
            for with_i in list {
                budget.charge(1)?;
                let c = self.items[with_i as usize].0.state_of(third);
                let with_j = self.seen.get(&item(j, third, b, c, shared)).copied();
                let Some(with_j) = with_j.filter(|at| *at <= number) else {
                    continue;
                };
                let (i, j, k) = ((i, a), (j, b), (third, c));
                self.interfere(k, i, j, shared, (number, with_i))?;
                self.interfere(j, i, k, shared, (with_i, number))?;
                self.interfere(i, j, k, shared, (with_j, number))?;
            }
        }
        Ok(())
    }

    /// What steps of a third process make of a state of two others.
    fn interfere(
        &mut self,
        (process, state): (usize, u32),
        one: (usize, u32),
        other: (usize, u32),
        shared: u64,
        (from, witness): (u32, u32),
    ) -> Result<(), Stop> {
        let moves = self.steps(process, state, shared)?;
        for (turn, step) in moves.iter().enumerate() {
            if step.shared == shared
                || !self.allows((process, state, shared), turn, *step, one)
                || !self.allows((process, state, shared), turn, *step, other)
            {
                continue;
            }
            let found = Found::Step {
                from,
                witness: Some(witness),
                process,
                edge: step.edge,
            };
            self.add(one.0, other.0, (one.1, other.1), step.shared, found);
        }
        Ok(())
    }
}

impl Item {
    fn state_of(&self, process: usize) -> u32 {
        if self.one == process { self.a } else { self.b }
    }
}

fn item(one: usize, other: usize, a: u32, b: u32, shared: u64) -> Item {
    let (one, other, a, b) = match one < other {
        true => (one, other, a, b),
        false => (other, one, b, a),
    };
    Item {
        one,
        other,
        a,
        b,
        shared,
    }
}

fn set(bits: &mut u64, place: usize, value: bool) {
    *bits = *bits & !(1 << place) | u64::from(value) << place;
}

/// Whether an edge assigns to a variable of a condition.
pub(crate) fn writes(edge: &Edge, condition: &Condition) -> bool {
    let (integers, booleans) = variables(condition);
    edge.assign.iter().any(|assign| match assign {
        Assign::Integer(at, _) | Assign::AnyInteger(at) => integers.contains(at),
        Assign::Boolean(at, _) | Assign::AnyBoolean(at) => booleans.contains(at),
    })
}

/// The truth values that conditions may have together, where facts are known.
fn possible(facts: &[Condition], conditions: &[Condition]) -> Result<Vec<u64>, Stop> {
    let (mut sure, mut open) = (0u64, Vec::new());
    for (place, condition) in conditions.iter().enumerate() {
        match () {
            () if implies(facts, condition) => sure |= 1 << place,
            () if implies(facts, &condition.negated()) => {}
            () => open.push(place),
        }
    }
    if open.len() > MOST_UNKNOWN {
        let what = "predicates that one step leaves unknown";
        return Err(Stop::bound(what, MOST_UNKNOWN as u64));
    }
    let mut found = Vec::new();
    for choice in 0..1u64 << open.len() {
        let mut known = facts.to_vec();
        let mut values = sure;
        for (turn, place) in open.iter().enumerate() {
            let holds = choice >> turn & 1 == 1;
            set(&mut values, *place, holds);
            known.push(match holds {
                true => conditions[*place].clone(),
                false => conditions[*place].negated(),
            });
        }
        if open.len() < 2 || !is_impossible(&known) {
            found.push(values);
        }
    }
    Ok(found)
}
