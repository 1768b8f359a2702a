//! Latches that always hold the same.

use std::collections::HashMap;
use std::sync::Arc;

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Clause, Gate, Literal, Node, State};

use crate::ic3::{Cones, LazySolver, Shapes};
use crate::reduce::substitute;
use crate::sweep::Sweep;

/// How many steps random runs have that tell latches apart.
const RANDOM_STEPS: usize = 64;

/// The work of a question whether two latches are equal, before gates are looked at.
const QUESTION: u64 = 10_000;
/// So many questions beyond that are enough.
const MANY_HARD: usize = 8;
/// The work that it may take to look for gates that are the same.
const SWEEP: u64 = 1_000_000;

/// How many states of the start are looked for where constraints say what those are.
const STARTS: usize = 16;

/// For each latch an earlier one (or its negation, or a constant) that it always equals, with
/// clauses that say so: together an inductive invariant under the constraints (van Eijk, 2000).
///
/// Random runs make a first guess; a solver finds what a step would tell apart, until no step
/// does. It gives up quietly when its share of the work is used up.
pub(crate) fn equal_latches(
    circuit: &Circuit,
    budget: &Budget,
) -> Result<Option<(Vec<Literal>, Vec<Clause>)>, Stop> {
    let most = 4_000_000 + 10 * circuit.graph.len() as u64;
    let share = budget.child_with_work(most);
    let quiet = |stop: Stop| match stop {
        Stop::Work => budget.poll(),
        stop => Err(stop),
    };
    let classes = Classes::constrained(circuit, &share.child_with_work(most / 2));
    let mut classes = match classes {
        Ok(Some(classes)) => classes,
        Ok(None) => Classes::guess(circuit, None),
        Err(stop) => {
            quiet(stop)?;
            Classes::guess(circuit, None)
        }
    };
    if let Err(stop) = classes.settle(circuit, &share) {
        quiet(stop)?;
        return Ok(None);
    }
    Ok(classes.replacements(circuit))
}

/// A guess which latches are equal: by latch the literal it stands for. Representatives stand
/// for themselves.
struct Classes {
    /// The first latch of the class, as a literal; the constant for latches that never change.
    leader: Vec<Literal>,
}

impl Classes {
    /// Latches with the same values in random runs from some states of the start, 64 side by side.
    /// Without those, latches that may start with anything are alone.
    fn guess(circuit: &Circuit, starts: Option<&[u64]>) -> Classes {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let latches = circuit.latches();
        let mut held: Vec<u64> = match starts {
            Some(starts) => starts.to_vec(),
            None => latches
                .iter()
                .map(|latch| word(latch.start == Some(true)))
                .collect(),
        };
        // Seen so that each is on in the first run's start, a latch and its negation are alike.
        let on: Vec<bool> = held.iter().map(|word| word & 1 == 1).collect();
        let mut marks: Vec<u64> = vec![0; latches.len()];
        for _ in 0..RANDOM_STEPS {
            for ((mark, &word), &on) in marks.iter_mut().zip(&held).zip(&on) {
                let word = if on { word } else { !word };
                *mark = mark.rotate_left(9).wrapping_mul(0x0100_0000_01b3) ^ word;
            }
            let inputs: Vec<u64> = circuit.inputs().iter().map(|_| next(&mut random)).collect();
            let state = circuit.evaluate(&held, &inputs);
            held = latches
                .iter()
                .map(|latch| state.value(latch.next))
                .collect();
        }
        let mut first: HashMap<(u64, bool), Literal> = HashMap::new();
        let leader = latches
            .iter()
            .enumerate()
            .map(|(number, latch)| {
                let own = latch.node.literal();
                if starts.is_none() && latch.start.is_none() {
                    return own;
                }
                // All members are on at the start, seen through the sign of their leader.
                let positive = own.flip_if(!on[number]);
                // How a latch starts is not lost in one that may start with anything: those are apart.
                let kind = (marks[number], latch.start.is_some());
                let leader = *first.entry(kind).or_insert(positive);
                leader.flip_if(!on[number])
            })
            .collect();
        Classes { leader }
    }

    /// A guess where constraints speak of latches that may start with anything: they may make some of
    /// these equal at the start. What is guessed is true there.
    fn constrained(circuit: &Circuit, budget: &Budget) -> Result<Option<Classes>, Stop> {
        let mut beginning = Beginning::new(circuit);
        if beginning.open.len() < 2 {
            return Ok(None);
        }
        let Some(starts) = beginning.starts(budget)? else {
            return Ok(None);
        };
        let mut classes = Classes::guess(circuit, Some(&starts));
        for number in 0..classes.leader.len() {
            let own = circuit.latches()[number].node.literal();
            // What was found equal stays so: only what differs in a state of the start is moved.
            while let leader = classes.leader[number]
                && leader.node() != own.node()
                && beginning.differ(own, leader, budget)?
            {
                budget.charge(circuit.latches().len() as u64)?;
                let state = beginning.state();
                classes.split(circuit, |number| state[number]);
            }
        }
        Ok(Some(classes))
    }

    /// Splits classes until a step keeps them all.
    fn settle(&mut self, circuit: &Circuit, budget: &Budget) -> Result<(), Stop> {
        let mut random = 0x2545_f491_4f6c_dd1d;
        loop {
            // The circuit if the guess is right, which is all that induction needs.
            let (guessed, map) = substitute(circuit, &self.leader);
            budget.charge(4 * guessed.graph.len() as u64)?;
            let at = |literal: Literal| map[literal.node().index()].flip_if(literal.is_negated());
            let constraints: Vec<Literal> =
                circuit.constraints.iter().map(|&one| at(one)).collect();
            let shapes = Arc::new(Shapes::of(&guessed));
            let mut solver = LazySolver::new(&guessed, &shapes, false);
            let mut cones = Cones::new(&guessed, &shapes);
            let always = cones.of(&constraints, &[]);
            solver.load(&guessed, &always);
            for &constraint in &constraints {
                solver.add(&guessed, &[constraint]);
            }
            let mut round = Round {
                circuit,
                guessed: &guessed,
                map: &map,
                constraints: &constraints,
                solver,
                cones,
                always,
                random,
                split: false,
            };
            let mut hard = Vec::new();
            for number in 0..self.leader.len() {
                let Some(pair) = round.open(number, &self.leader) else {
                    continue;
                };
                // Where several were hard, the others will be, too.
                let own = budget.child_with_work(QUESTION);
                if hard.len() >= MANY_HARD || !round.ask(self, pair, &own, budget)? {
                    budget.poll()?;
                    hard.push((number, pair));
                }
            }
            if !round.split && !hard.is_empty() {
                let signals: Vec<Literal> = hard.iter().flat_map(|(_, pair)| *pair).collect();
                let work = SWEEP + 4 * guessed.graph.len() as u64;
                let swept = Sweep::of(&guessed, &signals, &budget.child_with_work(work))?;
                for (&(number, pair), found) in hard.iter().zip(swept.chunks(2)) {
                    // What differs elsewhere may have taken its leader from it.
                    if found[0] != found[1]
                        && round.open(number, &self.leader) == Some(pair)
                        && !round.ask(self, pair, budget, budget)?
                    {
                        return Err(Stop::Work);
                    }
                }
            }
            random = round.random;
            let split = round.split;
            if !split {
                return Ok(());
            }
        }
    }

    /// Separates what some states tell apart: a word says what a latch holds in all of them.
    fn split(&mut self, circuit: &Circuit, holds: impl Fn(usize) -> u64) {
        let mut moved: HashMap<(Literal, u64), Literal> = HashMap::new();
        let old = self.leader.clone();
        for (number, latch) in circuit.latches().iter().enumerate() {
            let leader = old[number];
            let Gate::Latch(other) = circuit.graph.gate(leader.node()) else {
                continue;
            };
            // Seen through its leader's sign, each member holds what the leader holds.
            let theirs = holds(other);
            let mine = holds(number);
            let mine = if leader.is_negated() { !mine } else { mine };
            if mine != theirs {
                let plain = leader.flip_if(leader.is_negated());
                let positive = latch.node.literal().flip_if(leader.is_negated());
                let new = *moved.entry((plain, mine)).or_insert(positive);
                self.leader[number] = new.flip_if(leader.is_negated());
            }
        }
    }

    fn replacements(&self, circuit: &Circuit) -> Option<(Vec<Literal>, Vec<Clause>)> {
        let mut clauses = Vec::new();
        for (number, latch) in circuit.latches().iter().enumerate() {
            let leader = self.leader[number];
            if leader.node() == latch.node {
                continue;
            }
            let Gate::Latch(other) = circuit.graph.gate(leader.node()) else {
                continue;
            };
            let (own, other) = (number as i64 + 1, other as i64 + 1);
            let other = if leader.is_negated() { -other } else { other };
            clauses.push(vec![-own, other]);
            clauses.push(vec![own, -other]);
        }
        let replaced = self.leader.iter().zip(circuit.latches());
        let replaced = replaced.map(|(&leader, latch)| {
            if leader.node() == latch.node {
                latch.node.literal()
            } else {
                leader
            }
        });
        (!clauses.is_empty()).then(|| (replaced.collect(), clauses))
    }
}

/// One look at all classes with what the circuit is if the guess is right.
struct Round<'a> {
    circuit: &'a Circuit,
    guessed: &'a Circuit,
    map: &'a [Literal],
    constraints: &'a [Literal],
    solver: LazySolver,
    cones: Cones,
    always: Vec<Node>,
    random: u64,
    /// Whether some class was split.
    split: bool,
}

impl Round<'_> {
    fn at(&self, literal: Literal) -> Literal {
        self.map[literal.node().index()].flip_if(literal.is_negated())
    }

    /// What a latch and its leader hold next, if that is not the same gate.
    fn open(&self, number: usize, leaders: &[Literal]) -> Option<[Literal; 2]> {
        let leader = leaders[number];
        let Gate::Latch(other) = self.circuit.graph.gate(leader.node()) else {
            return None;
        };
        let mine = self.at(self.circuit.latches()[number].next);
        let theirs = self.at(self.circuit.latches()[other].next);
        let theirs = theirs.flip_if(leader.is_negated());
        (mine != theirs).then_some([mine, theirs])
    }

    /// Splits classes if a step tells two signals apart. No if its own work does not suffice to say.
    fn ask(
        &mut self,
        classes: &mut Classes,
        [mine, theirs]: [Literal; 2],
        own: &Budget,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let domain = self.cones.of(&[mine, theirs], &self.always);
        let mut together =
            |pair: [Literal; 2]| (self.solver).solve(self.guessed, &pair, &[], &domain, own);
        let differ = match together([mine, !theirs]) {
            Ok(false) => together([!mine, theirs]),
            other => other,
        };
        match differ {
            Err(Stop::Work) => return Ok(false),
            Err(stop) => return Err(stop),
            Ok(false) => {
                // The next ones may be built on these, as the carries of a sum are.
                self.solver.add(self.guessed, &[mine, !theirs]);
                self.solver.add(self.guessed, &[!mine, theirs]);
            }
            Ok(true) => {
                budget.charge(self.guessed.graph.len() as u64 / 8)?;
                let state = around(self.guessed, &self.solver, &mut self.random);
                let allowed = self.constraints.iter().map(|&one| state.value(one));
                let allowed = allowed.fold(u64::MAX, |all, one| all & one);
                let latches = self.circuit.latches();
                let nexts = |number: usize| state.value(self.at(latches[number].next));
                classes.split(self.circuit, |number| nexts(number) & allowed);
                self.split = true;
            }
        }
        Ok(true)
    }
}

/// The states that a circuit starts in, where constraints say more than the values of latches.
struct Beginning<'a> {
    circuit: &'a Circuit,
    solver: LazySolver,
    cones: Cones,
    always: Vec<Node>,
    /// The latches that the constraints speak of and that may start with anything otherwise.
    open: Vec<usize>,
    random: u64,
}

impl<'a> Beginning<'a> {
    fn new(circuit: &'a Circuit) -> Beginning<'a> {
        let shapes = Arc::new(Shapes::of(circuit));
        let mut cones = Cones::new(circuit, &shapes);
        let always = cones.of(&circuit.constraints, &[]);
        let open = always
            .iter()
            .filter_map(|&node| match circuit.graph.gate(node) {
                Gate::Latch(number) => {
                    (circuit.latches()[number].start.is_none()).then_some(number)
                }
                _ => None,
            });
        let open = open.collect();
        Beginning {
            circuit,
            solver: LazySolver::new(circuit, &shapes, true),
            cones,
            always,
            open,
            random: 0x2545_f491_4f6c_dd1d,
        }
    }

    /// What latches hold in some states of the start, side by side; nothing if there is none.
    fn starts(&mut self, budget: &Budget) -> Result<Option<Vec<u64>>, Stop> {
        self.solver.load(self.circuit, &self.always);
        for &constraint in &self.circuit.constraints {
            self.solver.add(self.circuit, &[constraint]);
        }
        let mut starts = vec![0; self.circuit.latches().len()];
        for run in 0..STARTS {
            for &number in &self.open {
                let latch = self.circuit.latches()[number].node.literal();
                let flipped = next(&mut self.random) & 1 == 1;
                self.solver.prefer(self.circuit, latch.flip_if(flipped));
            }
            if !(self.solver).solve(self.circuit, &[], &[], &self.always, budget)? {
                return Ok(None);
            }
            // Each of them stands in several runs, with other inputs.
            let runs = (0..64).filter(|at| at % STARTS == run);
            let runs = runs.fold(0u64, |all, at| all | 1 << at);
            for (all, one) in starts.iter_mut().zip(self.state()) {
                *all |= one & runs;
            }
        }
        Ok(Some(starts))
    }

    /// Whether two signals differ in a state of the start.
    fn differ(&mut self, one: Literal, other: Literal, budget: &Budget) -> Result<bool, Stop> {
        let start = |signal: Literal| match self.circuit.graph.gate(signal.node()) {
            Gate::Latch(number) => self.circuit.latches()[number].start,
            _ => None,
        };
        if start(one).is_some() && start(other).is_some() {
            return Ok(false);
        }
        let domain = self.cones.of(&[one, other], &self.always);
        let mut together =
            |pair: [Literal; 2]| (self.solver).solve(self.circuit, &pair, &[], &domain, budget);
        Ok(together([one, !other])? || together([!one, other])?)
    }

    /// The state of the start that was just found, everywhere in words; what it leaves open is random.
    fn state(&mut self) -> Vec<u64> {
        let latches = self.circuit.latches().iter();
        let known = latches.map(|latch| {
            let found = || self.solver.value(self.circuit, latch.node.literal());
            latch.start.or_else(found)
        });
        let known: Vec<Option<bool>> = known.collect();
        let random = &mut self.random;
        known
            .into_iter()
            .map(|one| one.map_or_else(|| next(random), word))
            .collect()
    }
}

/// The same value in all of 64 places.
fn word(value: bool) -> u64 {
    if value { u64::MAX } else { 0 }
}

/// The next of a sequence of numbers without a pattern (Marsaglia, 2003).
pub(crate) fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

/// The step that a solver just found, and 63 others that differ from it here and there.
fn around(circuit: &Circuit, solver: &LazySolver, random: &mut u64) -> State {
    let mut words = |nodes: &[Literal]| -> Vec<u64> {
        let word = |&literal: &Literal| match solver.value(circuit, literal) {
            Some(value) => {
                let flips = next(random) & next(random) & next(random) & !1;
                if value { !flips } else { flips }
            }
            None => next(random),
        };
        nodes.iter().map(word).collect()
    };
    let latches: Vec<Literal> = (circuit.latches().iter())
        .map(|latch| latch.node.literal())
        .collect();
    let inputs: Vec<Literal> = circuit.inputs().iter().map(|node| node.literal()).collect();
    let held = words(&latches);
    circuit.evaluate(&held, &words(&inputs))
}
