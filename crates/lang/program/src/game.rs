//! All branches as parameters at once: a game of a scheduler against what is unknown.
//!
//! Rule I gives the two sides of a branch a parameter and asks for every value of it. Values that
//! are chosen place by place can be asked for all together, in polynomial time: the scheduler
//! chooses which process of the spotlight steps, an opponent chooses what is unknown (which guard
//! holds, whether a process is blocked). If the scheduler can avoid a state for ever, fairly,
//! whatever the opponent says, the program has a run that does: its values say what the opponent
//! may say.
//!
//! Processes in the shade are kept from writing what the spotlight sees, if that is fair: each
//! is stopped before an edge that would, and must be unable to take it again and again, as its
//! guard is certainly false then. That is one more thing for the scheduler to achieve again
//! and again. Predicates for which this is impossible are unknown throughout, as ever.

use quotient_arithmetic::Condition;
use quotient_core::{Budget, Stop};

use crate::abstraction::{Abstraction, Builder, Spotlight, Value};
use crate::ltl::Ltl;
use crate::pair_states::{Space, owner, writes};
use crate::program::{Atom, Check, Program, leaves};

/// What a violating run does: after a state like `trigger`, none is `avoided`; before it none is
/// either, if `always`.
pub(crate) struct Aim {
    trigger: Ltl,
    avoided: Ltl,
    always: bool,
}

impl Aim {
    /// Of `G F p`, `F p` and `G (p -> F q)`.
    pub(crate) fn of(formula: &Ltl) -> Option<Aim> {
        let eventually = |formula: &Ltl| match formula {
            Ltl::Until(ever, goal) if **ever == Ltl::Constant(true) && goal.is_state() => {
                Some((**goal).clone())
            }
            _ => None,
        };
        if let Some(avoided) = eventually(formula) {
            return Some(Aim {
                trigger: Ltl::Constant(true),
                avoided,
                always: true,
            });
        }
        let Ltl::Release(never, inner) = formula else {
            return None;
        };
        if **never != Ltl::Constant(false) {
            return None;
        }
        let (trigger, avoided) = match &**inner {
            Ltl::Or(one, other) if one.is_state() => (Ltl::Not(one.clone()), eventually(other)?),
            Ltl::Or(one, other) if other.is_state() => (Ltl::Not(other.clone()), eventually(one)?),
            goal => (Ltl::Constant(true), eventually(goal)?),
        };
        Some(Aim {
            trigger,
            avoided,
            always: false,
        })
    }
}

/// What the scheduler may do in a place: let a process step; the opponent chooses where to.
struct Choice {
    process: usize,
    to: Vec<usize>,
}

/// The places from which a violation can be brought about.
struct Arena {
    choices: Vec<Vec<Choice>>,
    /// Things to achieve again and again beside steps of each process: in these places.
    parked: Vec<Vec<bool>>,
    processes: usize,
}

impl Arena {
    /// The places of a region from which a choice stays in it.
    fn stays(region: &[bool], choice: &Choice) -> bool {
        choice.to.iter().all(|place| region[*place])
    }

    /// From where in a region the scheduler reaches places that are good, or takes a good choice.
    fn attracted(
        &self,
        region: &[bool],
        good: &dyn Fn(usize) -> bool,
        taken: &dyn Fn(&Choice) -> bool,
        budget: &Budget,
    ) -> Result<Vec<bool>, Stop> {
        let mut found = vec![false; region.len()];
        loop {
            let mut changed = false;
            budget.charge(region.len() as u64)?;
            for place in (0..region.len()).filter(|place| region[*place]) {
                if found[place] {
                    continue;
                }
                let one = |choice: &Choice| {
                    Arena::stays(region, choice)
                        && (good(place) || taken(choice) || Arena::stays(&found, choice))
                };
                if self.choices[place].iter().any(one) {
                    found[place] = true;
                    changed = true;
                }
            }
            if !changed {
                return Ok(found);
            }
        }
    }

    /// The places of a region in which everything can be achieved again and again.
    fn forever(&self, mut region: Vec<bool>, budget: &Budget) -> Result<Vec<bool>, Stop> {
        loop {
            let before = region.clone();
            for process in 0..self.processes {
                let taken = |choice: &Choice| choice.process == process;
                region = self.attracted(&region, &|_| false, &taken, budget)?;
            }
            for places in &self.parked {
                let good = |place: usize| places[place];
                region = self.attracted(&region, &good, &|_| false, budget)?;
            }
            if region == before {
                return Ok(region);
            }
        }
    }
}

/// The most predicates of an arena.
const MOST_PREDICATES: usize = 20;
/// The most processes that are tried beside those of the property.
const MOST_COMPANIONS: usize = 6;
/// How much work one choice of processes may take.
const TRY_WORK: u64 = 400_000;

/// A spotlight in which the scheduler wins.
pub(crate) struct Won {
    pub(crate) spotlight: Spotlight,
    pub(crate) places: usize,
    /// The predicates that other processes are kept from writing.
    pub(crate) kept: Vec<usize>,
}

/// Whether a scheduler can violate a property, with few processes in the spotlight.
pub(crate) fn won(program: &Program, check: &Check, budget: &Budget) -> Result<Option<Won>, Stop> {
    let Some(aim) = Aim::of(&check.formula) else {
        return Ok(None);
    };
    let mut named = Vec::new();
    let mut wanted = Vec::new();
    for atom in check.formula.atoms() {
        match atom {
            Atom::At(process, _) => named.push(process),
            Atom::Condition(condition) => wanted.extend(leaves(&condition)),
        }
    }
    let writes = |number: usize, conditions: &[Condition]| {
        let process = &program.processes[number];
        conditions.iter().any(|one| process.writes_into(one))
    };
    let all = 0..program.processes.len();
    if named.is_empty() {
        named.extend(all.clone().filter(|at| writes(*at, &wanted)).take(2));
    }
    named.sort_unstable();
    named.dedup();
    let guards = seen(program, &named, &wanted);
    let companions: Vec<usize> = all
        .filter(|at| !named.contains(at) && writes(*at, &guards))
        .take(MOST_COMPANIONS)
        .collect();
    let mut tries = vec![Vec::new()];
    tries.extend(companions.iter().map(|one| vec![*one]));
    for (place, one) in companions.iter().enumerate() {
        tries.extend(companions[place + 1..].iter().map(|two| vec![*one, *two]));
    }
    for mut processes in tries {
        processes.extend(&named);
        processes.sort_unstable();
        let predicates = seen(program, &processes, &wanted);
        if predicates.len() > MOST_PREDICATES {
            continue;
        }
        let spotlight = Spotlight {
            processes,
            predicates,
            parameters: Vec::new(),
        };
        match wins(program, &aim, &spotlight, &budget.child_with_work(TRY_WORK)) {
            Ok(Some((places, kept))) => {
                return Ok(Some(Won {
                    spotlight,
                    places,
                    kept,
                }));
            }
            Ok(None) => {}
            Err(_) => budget.poll()?,
        }
    }
    Ok(None)
}

/// What a property and the guards of processes are about.
fn seen(program: &Program, processes: &[usize], wanted: &[Condition]) -> Vec<Condition> {
    let mut found = wanted.to_vec();
    for process in processes {
        for edge in &program.processes[*process].edges {
            found.extend(leaves(&edge.guard));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether the scheduler wins with a spotlight: how many places there are, and what others are kept from.
fn wins(
    program: &Program,
    aim: &Aim,
    spotlight: &Spotlight,
    budget: &Budget,
) -> Result<Option<(usize, Vec<usize>)>, Stop> {
    let mut builder = Builder::new(program, spotlight);
    let (kept, stops) = restrained(program, spotlight, &builder.shaded, budget)?;
    for (shaded, kept) in builder.shaded.iter_mut().zip(&kept) {
        *shaded &= !kept;
    }
    let abstraction = builder.build(budget)?;
    let size = abstraction.places.len();
    let mut label = |formula: &Ltl| -> Vec<Value> {
        let places = abstraction.places.iter();
        places
            .map(|place| builder.formula(place, formula))
            .collect()
    };
    let safe: Vec<bool> = label(&aim.avoided)
        .iter()
        .map(|value| value.may == 0)
        .collect();
    let triggers: Vec<bool> = (label(&aim.trigger).iter())
        .map(|value| *value == Value::TRUE)
        .collect();
    let parked = stops.iter().map(|stop| {
        let places = abstraction.places.iter();
        let blocked = places.map(|place| builder.value(place, stop, None).may == 0);
        blocked.collect()
    });
    let arena = Arena {
        parked: parked.collect(),
        choices: choices(&abstraction),
        processes: spotlight.processes.len(),
    };
    let region = arena.forever(safe.clone(), budget)?;
    let way = if aim.always { safe } else { vec![true; size] };
    let goal = |place: usize| region[place] && triggers[place];
    let reached = reach(&arena, &way, &goal, budget)?;
    let kept = kept.iter().enumerate().filter(|(_, kept)| **kept);
    let kept = kept.map(|(number, _)| number).collect();
    Ok(reached.then_some((size, kept)))
}

/// Whether the scheduler comes from the first place to one that is a goal.
fn reach(
    arena: &Arena,
    within: &[bool],
    goal: &dyn Fn(usize) -> bool,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut found: Vec<bool> = (0..within.len()).map(goal).collect();
    loop {
        budget.charge(found.len() as u64)?;
        let mut changed = false;
        for place in (0..found.len()).filter(|place| within[*place]) {
            let closer = |choice: &Choice| Arena::stays(&found, choice);
            if !found[place] && arena.choices[place].iter().any(closer) {
                found[place] = true;
                changed = true;
            }
        }
        if found[0] || !changed {
            return Ok(found[0]);
        }
    }
}

/// What the scheduler may do in each place.
fn choices(abstraction: &Abstraction) -> Vec<Vec<Choice>> {
    let mut all = Vec::new();
    for (place, steps) in abstraction.steps.iter().enumerate() {
        let mut found = Vec::new();
        for (process, rest) in abstraction.rests[place].iter().enumerate() {
            let own = steps
                .iter()
                .filter(|step| step.by.is_some_and(|(at, _)| at == process));
            let mut unsure = Vec::new();
            for step in own {
                unsure.push(step.to);
                if step.value == Value::TRUE {
                    found.push(Choice {
                        process,
                        to: vec![step.to],
                    });
                }
            }
            // Whoever may be blocked may stay where it is.
            if rest.may != 0 {
                unsure.push(place);
            }
            if rest.must != 0 {
                unsure = vec![place];
            }
            found.push(Choice {
                process,
                to: unsure,
            });
        }
        all.push(found);
    }
    all
}

/// The predicates that processes in the shade can be kept from writing, and the guards that stop
/// them: each must be false again and again.
fn restrained(
    program: &Program,
    spotlight: &Spotlight,
    shaded: &[bool],
    budget: &Budget,
) -> Result<(Vec<bool>, Vec<Condition>), Stop> {
    let mut kept = shaded.to_vec();
    let shade: Vec<usize> = (0..program.processes.len())
        .filter(|number| !spotlight.processes.contains(number))
        .collect();
    loop {
        let mut stops: Vec<Condition> = Vec::new();
        let mut lost = false;
        for &process in &shade {
            let watched = |predicate: usize| kept[predicate];
            let ends = stopped(program, spotlight, process, &watched, budget)?;
            for state in ends {
                let known = |leaf: &Condition| {
                    let at = spotlight.predicates.iter().position(|one| one == leaf);
                    at.is_some_and(|at| kept[at] || !shaded[at])
                };
                let guards: Vec<Condition> = (state.iter())
                    .map(|edge| program.processes[process].edges[*edge].guard.clone())
                    .collect();
                if guards.iter().all(|guard| leaves(guard).iter().any(known)) {
                    let stop = Condition::Or(guards);
                    if !stops.contains(&stop) {
                        stops.push(stop);
                    }
                    continue;
                }
                // It cannot be stopped here: what it writes is unknown.
                for edge in state {
                    let edge = &program.processes[process].edges[edge];
                    for (at, predicate) in spotlight.predicates.iter().enumerate() {
                        if kept[at] && writes(edge, predicate) {
                            kept[at] = false;
                            lost = true;
                        }
                    }
                }
            }
        }
        if !lost {
            return Ok((kept, stops));
        }
    }
}

/// Where a process comes without writing what is watched: of each of its own states, the edges
/// that would, if there are any.
fn stopped(
    program: &Program,
    spotlight: &Spotlight,
    process: usize,
    watched: &dyn Fn(usize) -> bool,
    budget: &Budget,
) -> Result<Vec<Vec<usize>>, Stop> {
    let forbidden = |edge: usize| {
        let edge = &program.processes[process].edges[edge];
        let mut seen = spotlight.predicates.iter().enumerate();
        seen.any(|(at, predicate)| watched(at) && writes(edge, predicate))
    };
    let edges = 0..program.processes[process].edges.len();
    if !edges.clone().any(forbidden) {
        return Ok(Vec::new());
    }
    let mut own: Vec<Condition> = (program.processes[process].edges.iter())
        .flat_map(|edge| leaves(&edge.guard))
        .filter(|leaf| owner(program, leaf) == Some(process))
        .collect();
    own.sort();
    own.dedup();
    let mut space = Space::new(program, &own, &[])?;
    let mut waiting = space.starts(process)?;
    let mut seen = waiting.clone();
    let mut found: Vec<Vec<usize>> = Vec::new();
    while let Some(state) = waiting.pop() {
        budget.charge(1)?;
        let mut ends = Vec::new();
        for step in space.steps(process, state, 0)?.iter() {
            if forbidden(step.edge) {
                ends.push(step.edge);
            } else if !seen.contains(&step.to) {
                seen.push(step.to);
                waiting.push(step.to);
            }
        }
        ends.dedup();
        if !ends.is_empty() && !found.contains(&ends) {
            found.push(ends);
        }
    }
    Ok(found)
}
