//! Back from the bad states, with guesses.

mod forward;
mod induction;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quotient_arrays::{Bad, Domain, Formula, Instance, Place, State, System, VariableId};
use quotient_core::{Attempt, Budget, Context, Method, Stop};

use crate::before::before;
use crate::choices::Demands;
use crate::cube::{Cube, Literal};
use crate::fractions::no_real_run;
use crate::quorums::Axioms;
use crate::slice;
use crate::small::{Run, Small, meets_start};

/// A set of cubes with every bad state and no start that no step leads into from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable {
    pub(crate) cubes: Vec<Cube>,
}

/// A guess that can be reached from a start, as far as the search sees; or, without a guess, that
/// more must be known about large sets of processes.
#[derive(Debug, Clone)]
pub struct WrongGuess {
    cube: Option<Cube>,
}

/// How thorough a search gets, step by step.
const MOST_THOROUGH: usize = 4;

/// Backward search with guesses from small instances, as a method of the loop.
///
/// A set of states from which something bad may happen is widened as long as no state of a small
/// instance is in it; when a beginning turns up behind a widened set, that guess is forbidden and
/// the search begins anew. Without guesses in between it is a real run, or one that the reading
/// of "for all others" made up, which is told apart by running it.
pub struct Backward<'a> {
    system: &'a System,
    bad: &'a Bad,
    small: Vec<Small<'a>>,
    /// How many of these were searched for what is bad.
    searched: usize,
    forbidden: Vec<Cube>,
    wrong: u64,
    /// Whether guesses are made at all.
    guessing: bool,
    /// How much is used of what is known about large sets of processes.
    thorough: usize,
    /// What is never so, as was shown before.
    known: Vec<Cube>,
}

struct Node {
    cube: Cube,
    /// The node whose states come after, and the transition.
    after: Option<(usize, usize)>,
    /// Whether it was widened.
    guess: bool,
}

impl<'a> Backward<'a> {
    /// A search for one kind of bad states.
    pub fn new(system: &'a System, bad: &'a Bad) -> Backward<'a> {
        Backward {
            system,
            bad,
            small: Vec::new(),
            searched: 0,
            forbidden: Vec::new(),
            wrong: 0,
            guessing: true,
            thorough: 0,
            known: Vec::new(),
        }
    }

    /// The same search where something was shown before, of the same system or of a
    /// [`Slice`](crate::Slice) of it: what was shown is part of the proof, and is not looked into again.
    #[must_use]
    pub fn knowing<'b>(
        mut self,
        proofs: impl IntoIterator<Item = &'b Unreachable>,
    ) -> Backward<'a> {
        for proof in proofs {
            self.known.extend(proof.cubes.iter().cloned());
        }
        self
    }

    /// A search for another kind of bad states that knows the small instances already.
    #[must_use]
    pub fn then(self, bad: &'a Bad) -> Backward<'a> {
        Backward {
            small: self.small,
            ..Backward::new(self.system, bad)
        }
    }

    /// A wider set that no state of a small instance is in and that is not forbidden.
    fn guess(
        &mut self,
        cube: &Cube,
        axioms: &Axioms<'_>,
        budget: &Budget,
    ) -> Result<Option<Cube>, Stop> {
        let literals: Vec<&Literal> = cube.literals.iter().collect();
        if !self.guessing || literals.len() < 2 || self.is_met(cube.processes, &literals) {
            return Ok(None);
        }
        let mut best: Option<Cube> = None;
        for size in 1..=3.min(literals.len() - 1) {
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                budget.poll()?;
                let subset: Vec<&Literal> = chosen.iter().map(|one| literals[*one]).collect();
                if let Some(guess) = self.fitting(cube.processes, &subset, axioms, budget)
                    && best.as_ref().is_none_or(|best| {
                        (guess.processes, guess.literals.len())
                            < (best.processes, best.literals.len())
                    })
                {
                    best = Some(guess);
                }
                if !next_choice(&mut chosen, literals.len()) {
                    break;
                }
            }
            if best.is_some() {
                return Ok(best);
            }
        }
        // Nothing small: leave out one literal after the other as long as that goes well.
        let mut kept = literals;
        let mut number = 0;
        let mut widened = None;
        while number < kept.len() && kept.len() > 1 {
            budget.poll()?;
            let mut fewer = kept.clone();
            fewer.remove(number);
            match self.fitting(cube.processes, &fewer, axioms, budget) {
                Some(guess) => {
                    widened = Some(guess);
                    kept = fewer;
                }
                None => number += 1,
            }
        }
        Ok(widened)
    }

    fn is_met(&mut self, processes: usize, literals: &[&Literal]) -> bool {
        self.small
            .iter_mut()
            .any(|small| small.meets(processes, literals))
    }

    fn fitting(
        &mut self,
        processes: usize,
        literals: &[&Literal],
        axioms: &Axioms<'_>,
        budget: &Budget,
    ) -> Option<Cube> {
        let owned: Vec<Literal> = literals.iter().map(|literal| (*literal).clone()).collect();
        let guess = Cube::of_consistent(self.system, processes, owned);
        let largest = self.small.iter().map(Small::processes).max()?;
        // What axioms would split has lost what they added.
        if guess.processes > largest || !axioms.is_settled(&guess) {
            return None;
        }
        let literals: Vec<&Literal> = guess.literals.iter().collect();
        if self.is_met(guess.processes, &literals) {
            return None;
        }
        let system = self.system;
        let forbidden = self.forbidden.iter().any(|one| guess.covers(system, one));
        (!forbidden && !meets_start(system, &guess, budget).unwrap_or(true)).then_some(guess)
    }

    /// A real run along the transitions from a node on, if there is one.
    fn replay(&self, nodes: &[Node], from: usize, budget: &Budget) -> Result<Option<Run>, Stop> {
        let mut path = Vec::new();
        let mut at = from;
        while let Some((after, transition)) = nodes[at].after {
            path.push(transition);
            at = after;
        }
        let least = nodes[from]
            .cube
            .processes
            .max(self.bad.fewest())
            .max(self.system.least());
        for processes in least..=(least + 1).min(6) {
            if let Some(run) = along(self.system, self.bad, processes, &path, budget)? {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }
}

/// The sets of states in which a formula holds of different processes.
fn cubes_of(
    system: &System,
    formula: &Formula,
    processes: usize,
    budget: &Budget,
) -> Result<Vec<Cube>, Stop> {
    const MOST: usize = 4096;
    let mut demands = Demands::new(system, processes);
    demands.demand(formula, &mut (0..processes).collect())?;
    let mut cubes: Vec<Cube> = Vec::new();
    demands.each(Vec::new(), budget, &mut |literals| {
        let cube = Cube::of_consistent(system, processes, literals.to_vec());
        if !cubes.iter().any(|known| known.covers(system, &cube)) {
            cubes.push(cube);
        }
        match cubes.len() > MOST {
            true => Err(Stop::bound("alternatives of a condition", MOST as u64)),
            false => Ok(true),
        }
    })?;
    Ok(cubes)
}

/// The variables that no transition changes.
fn fixed(system: &System) -> Vec<VariableId> {
    let changed = |variable: VariableId| {
        let updates = system.transitions.iter().flat_map(|one| &one.updates);
        updates.clone().any(|update| update.variable == variable)
    };
    let all = VariableId::all(system.variables.len());
    all.filter(|variable| !changed(*variable)).collect()
}

/// The variables that steps ask for: the others make no difference to what can be done.
fn read_anywhere(system: &System) -> Vec<bool> {
    let mut read = vec![false; system.variables.len()];
    for transition in &system.transitions {
        slice::read(&transition.guard, &mut read);
        for (condition, _) in transition.updates.iter().flat_map(|update| &update.cases) {
            slice::read(condition, &mut read);
        }
    }
    for (_, formula) in system.bad.iter().flat_map(|bad| &bad.ways) {
        slice::read(formula, &mut read);
    }
    read
}

/// The same states, told apart by what is fixed between two of their processes, such as an order of
/// all: one of a few cases is so, and each says more.
fn by_fixed(system: &System, cubes: Vec<Cube>, budget: &Budget) -> Result<Vec<Cube>, Stop> {
    const FEW_VALUES: usize = 2;
    const FEW_PROCESSES: usize = 2;
    const MOST_CUBES: usize = 400;
    let read = read_anywhere(system);
    let between = fixed(system).into_iter().filter(|variable| {
        let data = &system.variables[variable.index()];
        match data.domain {
            Domain::Enumeration(number) => {
                let few = system.enumerations[number.index()].len() == FEW_VALUES;
                data.arity == 2 && few && read[variable.index()]
            }
            _ => false,
        }
    });
    let mut all = cubes;
    for variable in between.collect::<Vec<_>>() {
        let mut next = Vec::new();
        for cube in &all {
            let mut cases = vec![cube.clone()];
            let pairs = (0..cube.processes).flat_map(|one| {
                (0..cube.processes)
                    .filter(move |other| *other != one)
                    .map(move |other| vec![one, other])
            });
            let few = cube.processes <= FEW_PROCESSES;
            for at in pairs.filter(|_| few).collect::<Vec<_>>() {
                let mut told = Vec::new();
                for case in cases {
                    // What is never so needs not be told apart any more.
                    if never_begins(system, &case, budget)?.is_some() {
                        told.push(case);
                        continue;
                    }
                    for values in [0b01, 0b10] {
                        let at = at.clone();
                        let is = Literal::In(Place { variable, at }, values);
                        let literals = case.literals.iter().cloned().chain([is]);
                        told.extend(Cube::new(system, case.processes, literals));
                    }
                }
                cases = told;
            }
            next.extend(cases);
        }
        if next.len() > MOST_CUBES {
            return Ok(all);
        }
        all = next;
    }
    Ok(all)
}

/// What a set of states says of cells that no transition changes, if that is so at no start: it is
/// never so then. As little of it as is enough for that.
fn never_begins(system: &System, cube: &Cube, budget: &Budget) -> Result<Option<Cube>, Stop> {
    let fixed = fixed(system);
    let is_fixed = |literal: &&Literal| {
        let mut places = literal.places().into_iter();
        places.all(|place| fixed.contains(&place.variable))
    };
    let literals = cube.literals.iter().filter(is_fixed).cloned();
    let mut kept: Vec<Literal> = literals.collect();
    let of = |literals: &[Literal]| Cube::of_consistent(system, cube.processes, literals.to_vec());
    if kept.is_empty() || meets_start(system, &of(&kept), budget)? {
        return Ok(None);
    }
    let mut number = 0;
    while number < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(number);
        match meets_start(system, &of(&fewer), budget)? {
            true => number += 1,
            false => kept = fewer,
        }
    }
    Ok(Some(of(&kept)))
}

fn next_choice(chosen: &mut [usize], below: usize) -> bool {
    let size = chosen.len();
    for place in (0..size).rev() {
        if chosen[place] + (size - place) < below {
            chosen[place] += 1;
            for later in place + 1..size {
                chosen[later] = chosen[later - 1] + 1;
            }
            return true;
        }
    }
    false
}

/// A run of an instance with these transitions in this order.
fn along(
    system: &System,
    bad: &Bad,
    processes: usize,
    path: &[usize],
    budget: &Budget,
) -> Result<Option<Run>, Stop> {
    const WIDEST: usize = 20_000;
    let instance = Instance::new(system, processes);
    let start = Small::new(system, processes, WIDEST / 4, budget)?;
    let mut level: Vec<Run> = start.beginnings();
    for which in path {
        let transition = &system.transitions[*which];
        let mut tuples = Vec::new();
        quotient_arrays::different(processes, transition.processes, &mut |at| {
            tuples.push(at.clone())
        });
        let mut next: Vec<Run> = Vec::new();
        let mut seen: hashbrown::HashSet<State> = hashbrown::HashSet::new();
        for run in &level {
            let Some(state) = run.states.last() else {
                continue;
            };
            for at in &tuples {
                for after in instance.after(transition, at, state, budget)? {
                    if next.len() < WIDEST && seen.insert(after.clone()) {
                        let mut run = run.clone();
                        run.states.push(after);
                        run.steps.push((*which, at.clone()));
                        next.push(run);
                    }
                }
            }
        }
        level = next;
    }
    Ok(level.into_iter().find(|run| {
        let state = run.states.last();
        state.is_some_and(|state| instance.is_bad(bad, state))
    }))
}

impl Method for Backward<'_> {
    type Proof = Unreachable;
    type Trace = Run;
    type Spurious = WrongGuess;

    fn attempt(&mut self, cx: &mut Context) -> Result<Attempt<Unreachable, Run, WrongGuess>, Stop> {
        if let Some(run) = self.look_forward(cx)? {
            return Ok(Attempt::Refuted(run));
        }
        if let Some(proof) = self.without_guesses(&cx.budget)? {
            return Ok(Attempt::Proved(proof));
        }
        let system = self.system;
        let axioms = Axioms::of(system, self.thorough);
        let (mut nodes, mut kept) = self.beginning(&axioms, &cx.budget)?;
        let mut queue: BinaryHeap<Reverse<(usize, usize, usize)>> = BinaryHeap::new();
        for (number, node) in nodes.iter().enumerate().skip(kept.len()) {
            let cube = &node.cube;
            queue.push(Reverse((cube.processes, cube.literals.len(), number)));
        }
        while let Some(Reverse((_, _, number))) = queue.pop() {
            cx.budget.charge(kept.len() as u64 + 1)?;
            let cube = nodes[number].cube.clone();
            if kept
                .iter()
                .any(|one| nodes[*one].cube.covers(system, &cube))
            {
                continue;
            }
            if meets_start(system, &cube, &cx.budget)? {
                return self.reached(&nodes, number, cx);
            }
            if let Some(core) = never_begins(system, &cube, &cx.budget)? {
                kept.retain(|one| !core.covers(system, &nodes[*one].cube));
                nodes[number].cube = core;
                kept.push(number);
                continue;
            }
            let cube = match self.guess(&cube, &axioms, &cx.budget)? {
                Some(wider) => {
                    nodes[number].cube = wider.clone();
                    nodes[number].guess = true;
                    wider
                }
                None => cube,
            };
            kept.retain(|one| !cube.covers(system, &nodes[*one].cube));
            kept.push(number);
            for (which, transition) in system.transitions.iter().enumerate() {
                let mut cubes = Vec::new();
                for cube in before(system, transition, &cube, &cx.budget)? {
                    cubes.extend(axioms.split(cube)?);
                }
                for cube in cubes {
                    if kept
                        .iter()
                        .any(|one| nodes[*one].cube.covers(system, &cube))
                    {
                        continue;
                    }
                    queue.push(Reverse((cube.processes, cube.literals.len(), nodes.len())));
                    nodes.push(Node {
                        cube,
                        after: Some((number, which)),
                        guess: false,
                    });
                }
            }
        }
        let cubes = kept.iter().map(|one| nodes[*one].cube.clone()).collect();
        Ok(Attempt::Proved(Unreachable { cubes }))
    }

    fn refine(&mut self, wrong: WrongGuess, _: &mut Context) -> Result<(), Stop> {
        let Some(cube) = wrong.cube else {
            self.thorough += 1;
            self.forbidden.clear();
            return Ok(());
        };
        self.forbidden.push(cube);
        self.wrong += 1;
        if self.wrong > 200 {
            self.guessing = false;
        }
        Ok(())
    }
}

impl Backward<'_> {
    /// What is known before, which is kept, and behind it what is bad.
    fn beginning(
        &self,
        axioms: &Axioms<'_>,
        budget: &Budget,
    ) -> Result<(Vec<Node>, Vec<usize>), Stop> {
        let node = |cube: Cube| Node {
            cube,
            after: None,
            guess: false,
        };
        let mut nodes: Vec<Node> = self.known.iter().cloned().map(node).collect();
        let kept = (0..nodes.len()).collect();
        for (processes, formula) in &self.bad.ways {
            let cubes = cubes_of(self.system, formula, *processes, budget)?;
            for cube in by_fixed(self.system, cubes, budget)? {
                nodes.extend(axioms.split(cube)?.into_iter().map(node));
            }
        }
        Ok((nodes, kept))
    }

    /// A start was met: a wrong guess on the way, a real run, or a run that nobody can take.
    fn reached(
        &mut self,
        nodes: &[Node],
        number: usize,
        cx: &Context,
    ) -> Result<Attempt<Unreachable, Run, WrongGuess>, Stop> {
        let mut at = Some(number);
        while let Some(one) = at {
            if nodes[one].guess {
                let cube = Some(nodes[one].cube.clone());
                return Ok(Attempt::FalseAlarm(WrongGuess { cube }));
            }
            at = nodes[one].after.map(|(after, _)| after);
        }
        match self.replay(nodes, number, &cx.budget)? {
            Some(run) => Ok(Attempt::Refuted(run)),
            None if self.thorough < MOST_THOROUGH && !self.system.axioms.is_empty() => {
                Ok(Attempt::FalseAlarm(WrongGuess { cube: None }))
            }
            None => Err(no_real_run(self.system)),
        }
    }
}
