//! Formulas about runs, judged again in a simple way.
//!
//! A run that breaks a formula is replayed step by step, with all that is seen on the way; where it is repeated for
//! ever, nobody who could move may be passed over. That no run breaks it is worked out anew: from the states in which
//! everybody is about to do something that is seen, those are taken away from which no run goes on that breaks the
//! formula and passes nobody over, until none is left (Emerson and Lei 1986).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use quotient_core::{Budget, Certified, Claim, Evidence, Rejection, Stop};
use quotient_logic::{Automaton, Formula};

use super::formula::{Atom, MOST_UNSEEN, share};
use super::{Broken, LASSO, STATES, States, Then};
use crate::machine::{self, Local};
use crate::program::Program;
use crate::run::Part;

/// Formulas with more phases are not judged.
const MOST_PHASES: usize = 400;
/// Longer runs are not followed.
const MOST_STEPS: u64 = 100_000_000;
/// More states are not kept.
const MOST_STATES: usize = 50_000;

/// Checks evidence about a formula of a program.
pub(crate) fn certify(
    program: &Program,
    name: &str,
    formula: &Formula<Atom>,
    evidence: &Evidence,
    budget: &Budget,
) -> Result<Certified, Rejection> {
    if evidence.property.as_deref() != Some(name) {
        return Err(Rejection::wrong("the evidence is about another property"));
    }
    let unreadable = |error: serde_json::Error| Rejection::unreadable(error.to_string());
    let fact = match (evidence.kind.as_str(), evidence.claim) {
        (LASSO, Claim::Violated) => {
            let body: Broken = evidence.read().map_err(unreadable)?;
            is_broken(program, formula, &body, budget)?
        }
        (STATES, Claim::Holds) => {
            let body: States = evidence.read().map_err(unreadable)?;
            if body.processors != program.processors {
                return Err(Rejection::wrong("it is about other processors"));
            }
            let states = is_kept(program, formula, budget)?;
            if states != body.states {
                let message = format!("there are {states} states, not {}", body.states);
                return Err(Rejection::wrong(message));
            }
            format!("no run through {states} states breaks it")
        }
        (kind, _) => {
            let message = format!("`{kind}` does not show this claim");
            return Err(Rejection::wrong(message));
        }
    };
    Ok(Certified {
        property: name.to_owned(),
        facts: vec![fact],
    })
}

fn too_large() -> Rejection {
    Rejection::unreadable("the formula is too large to be judged again")
}

/// What is true of a machine, atom by atom.
fn truth(program: &Program, atoms: &[Atom], locals: &[Local]) -> Vec<bool> {
    let holds = |atom: &Atom| atom.holds(program, locals);
    atoms.iter().map(holds).collect()
}

/// Who could move at every moment of a round and did not.
struct Patience {
    processors: Vec<bool>,
    groups: Vec<bool>,
}

impl Patience {
    /// Whoever cannot move now is not passed over.
    fn look(&mut self, program: &Program, locals: &[Local]) {
        for (passed, local) in self.processors.iter_mut().zip(locals) {
            *passed &= local.is_running();
        }
        let complete = machine::complete(program, locals);
        for (group, passed) in self.groups.iter_mut().enumerate() {
            *passed &= complete.contains(&group);
        }
    }
}

/// A replayed run: what was true from moment to moment (the same only once), and where the round begins.
struct Replayed {
    truths: Vec<Vec<bool>>,
    back: usize,
}

/// Whether a run can be taken as it says, and breaks the formula.
pub(crate) fn is_broken(
    program: &Program,
    formula: &Formula<Atom>,
    body: &Broken,
    budget: &Budget,
) -> Result<String, Rejection> {
    if body.processors != program.processors {
        return Err(Rejection::wrong("it is about other processors"));
    }
    let atoms: Vec<Atom> = formula.atoms().into_iter().cloned().collect();
    let run = replay(program, &atoms, body, budget)?;
    let number = body.parts.len();
    if body.then == Then::Any {
        let automaton = formula.automaton(MOST_PHASES).ok_or_else(too_large)?;
        let at = |atom: &Atom| atoms.iter().position(|one| one == atom);
        let places: Option<Vec<usize>> = automaton.atoms.iter().map(at).collect();
        let places = places.ok_or_else(too_large)?;
        let mut left = HashSet::from([0]);
        for truths in &run.truths {
            let fits = |(atom, wanted): &(usize, bool)| truths[places[*atom]] == *wanted;
            let all = automaton.transitions.iter();
            let next = all.filter(|one| left.contains(&one.from) && one.literals.iter().all(fits));
            left = next.map(|one| one.to).collect();
            budget.charge(automaton.transitions.len() as u64)?;
        }
        return match left.is_empty() {
            true => Ok(format!("a beginning of {number} parts breaks it")),
            false => Err(Rejection::wrong(
                "the run can go on so that it is fulfilled",
            )),
        };
    }
    let holds = |atom: &Atom, at: usize| {
        let atom = atoms.iter().position(|one| one == atom);
        atom.is_some_and(|atom| run.truths[at][atom])
    };
    match formula.on_lasso(run.truths.len(), run.back, &holds) {
        Some(along) if !along[0] => Ok(format!("a run of {number} parts breaks it")),
        Some(_) => Err(Rejection::wrong("the run fulfils the formula")),
        None => Err(Rejection::unreadable("the formula is not about runs")),
    }
}

/// Takes every step of a run, and sees that it goes on as it says without passing anybody over.
fn replay(
    program: &Program,
    atoms: &[Atom],
    body: &Broken,
    budget: &Budget,
) -> Result<Replayed, Rejection> {
    let begins = match body.then {
        Then::Repeats(part) => Some(part),
        _ => None,
    };
    let mut locals = machine::beginning(program);
    let mut truths = vec![truth(program, atoms, &locals)];
    let (mut back, mut first) = (0, None);
    let mut passed = Patience {
        processors: vec![true; program.processors],
        groups: vec![true; program.groups.len()],
    };
    let mut steps = 0_u64;
    for (number, part) in body.parts.iter().enumerate() {
        if begins == Some(number) {
            first = Some(locals.clone());
            // The round begins with a moment of its own.
            back = truths.len();
            truths.push(truth(program, atoms, &locals));
            passed.look(program, &locals);
        }
        let times = match part {
            Part::Steps { steps, .. } => *steps,
            Part::Barrier(_) => 1,
        };
        for _ in 0..times {
            steps += 1;
            if steps > MOST_STEPS {
                return Err(Stop::bound("the number of steps of a run", MOST_STEPS).into());
            }
            budget.charge(1)?;
            let (processor, group) = take(program, &mut locals, part)?;
            let now = truth(program, atoms, &locals);
            if truths.last() != Some(&now) {
                truths.push(now);
            }
            if first.is_some() {
                if let Some(moved) = processor.and_then(|one| passed.processors.get_mut(one)) {
                    *moved = false;
                }
                if let Some(met) = group.and_then(|one| passed.groups.get_mut(one)) {
                    *met = false;
                }
                passed.look(program, &locals);
            }
        }
    }
    match body.then {
        Then::Any => {}
        Then::Nothing => {
            let moves = locals.iter().any(Local::is_running);
            if moves || !machine::complete(program, &locals).is_empty() {
                return Err(Rejection::wrong("the run can go on where it ends"));
            }
            back = truths.len() - 1;
        }
        Then::Repeats(_) => {
            if first.as_ref() != Some(&locals) {
                return Err(Rejection::wrong("the machine does not come back"));
            }
            if let Some(one) = passed.processors.iter().position(|passed| *passed) {
                let message = format!("processor {one} is passed over for ever");
                return Err(Rejection::wrong(message));
            }
            if let Some(group) = passed.groups.iter().position(|passed| *passed) {
                let name = &program.groups[group].name;
                let message = format!("the barrier of {name} is put off for ever");
                return Err(Rejection::wrong(message));
            }
        }
    }
    Ok(Replayed { truths, back })
}

/// Takes a step of a part: says who moved, or which group met.
fn take(
    program: &Program,
    locals: &mut [Local],
    part: &Part,
) -> Result<(Option<usize>, Option<usize>), Rejection> {
    match part {
        Part::Steps { processor, .. } => {
            let local = locals.get_mut(*processor);
            let local = local.ok_or_else(|| Rejection::wrong("there is no such processor"))?;
            if !local.step(program, *processor) {
                let message = format!("processor {processor} cannot step there");
                return Err(Rejection::wrong(message));
            }
            local.within_bounds()?;
            Ok((Some(*processor), None))
        }
        Part::Barrier(name) => {
            let group = program.groups.iter().position(|group| group.name == *name);
            let group = group.ok_or_else(|| Rejection::wrong("there is no such group"))?;
            if !machine::complete(program, locals).contains(&group) {
                let message = format!("the barrier of {name} is not complete there");
                return Err(Rejection::wrong(message));
            }
            machine::barrier(program, locals, group);
            Ok((None, Some(group)))
        }
    }
}

/// A machine; processors that go round unseen for ever are marked.
type Machine = Vec<Rc<(Local, bool)>>;

/// The states of a program, as far as some atoms see it, with who or what can move in each and where that leads.
pub(crate) struct Graph {
    /// What is true in a state, atom by atom.
    pub(crate) truths: Vec<Vec<bool>>,
    /// Processors first, then groups: who moves, and the state after it.
    pub(crate) moves: Vec<Vec<(usize, usize)>>,
}

/// Whether the formula holds along all runs that pass nobody over; says how many states there are.
pub(crate) fn is_kept(
    program: &Program,
    formula: &Formula<Atom>,
    budget: &Budget,
) -> Result<usize, Rejection> {
    let opposite = (!formula.clone()).automaton(MOST_PHASES);
    let opposite = opposite.ok_or_else(too_large)?;
    let graph = explored(program, &opposite.atoms, formula, budget)?;
    match some_run(&graph, &opposite, budget)? {
        true => Err(Rejection::wrong("some run breaks the formula")),
        false => Ok(graph.moves.len()),
    }
}

/// Follows a processor while nothing that the atoms are about changes.
fn unseen(
    program: &Program,
    processor: usize,
    local: Local,
    atoms: &[Atom],
    budget: &Budget,
) -> Result<(Local, bool), Rejection> {
    let seen = |local: &Local| -> (u64, Vec<bool>) {
        let own = atoms
            .iter()
            .filter(|one| one.processor() == Some(processor));
        let own = own.map(|one| one.holds_for(local));
        (share(atoms, local), own.collect())
    };
    let before = seen(&local);
    let mut local = local;
    // It is compared with where it was after a number of steps, and after twice as many.
    let (mut mark, mut steps) = (local.clone(), 0_u64);
    loop {
        budget.charge(1)?;
        let mut next = local.clone();
        if !next.step(program, processor) || seen(&next) != before {
            return Ok((local, false));
        }
        next.within_bounds()?;
        if next == mark {
            return Ok((next, true));
        }
        local = next;
        steps += 1;
        // It may go on for ever without coming back: its next step is one like those that are seen.
        if steps == MOST_UNSEEN {
            return Ok((local, false));
        }
        if steps.is_power_of_two() {
            mark = local.clone();
        }
    }
}

fn explored(
    program: &Program,
    judged: &[Atom],
    formula: &Formula<Atom>,
    budget: &Budget,
) -> Result<Graph, Rejection> {
    // What the automaton does not ask for is still a reason to tell steps apart: states are counted as they are told.
    let atoms: Vec<Atom> = formula.atoms().into_iter().cloned().collect();
    let halt = |processor: usize, local: Local| {
        unseen(program, processor, local, &atoms, budget).map(Rc::new)
    };
    let mut start: Machine = Vec::new();
    for (processor, local) in machine::beginning(program).into_iter().enumerate() {
        start.push(halt(processor, local)?);
    }
    let mut numbers: HashMap<Machine, usize> = HashMap::from([(start.clone(), 0)]);
    let mut all = vec![start];
    let (mut truths, mut moves) = (Vec::new(), Vec::new());
    while let Some(state) = all.get(moves.len()).cloned() {
        if all.len() > MOST_STATES {
            return Err(Stop::bound("the number of states", MOST_STATES as u64).into());
        }
        let locals: Vec<Local> = state.iter().map(|one| one.0.clone()).collect();
        truths.push(truth(program, judged, &locals));
        let mut next: Vec<(usize, Machine)> = Vec::new();
        for (processor, one) in state.iter().enumerate() {
            let mut local = one.0.clone();
            if !one.1 && local.step(program, processor) {
                local.within_bounds()?;
                let mut after = state.clone();
                after[processor] = halt(processor, local)?;
                next.push((processor, after));
            }
        }
        for group in machine::complete(program, &locals) {
            let mut after = locals.clone();
            machine::barrier(program, &mut after, group);
            let mut machine = state.clone();
            for &member in &program.groups[group].members {
                machine[member] = halt(member, after[member].clone())?;
            }
            next.push((program.processors + group, machine));
        }
        let mut own = Vec::new();
        for (who, machine) in next {
            budget.charge(1)?;
            let number = *numbers.entry(machine.clone()).or_insert_with(|| {
                all.push(machine);
                all.len() - 1
            });
            own.push((who, number));
        }
        moves.push(own);
    }
    Ok(Graph { truths, moves })
}

/// A step from one place to another: who moves, and which promises are kept.
struct Edge<'a> {
    from: usize,
    to: usize,
    who: Option<usize>,
    kept: &'a [bool],
}

/// Whether some run of a graph is accepted by an automaton and passes nobody over. Where nobody can move, a run stays.
pub(crate) fn some_run(
    graph: &Graph,
    automaton: &Automaton<Atom>,
    budget: &Budget,
) -> Result<bool, Rejection> {
    let phases = automaton.states;
    let places = graph.moves.len() * phases;
    let mut edges: Vec<Edge<'_>> = Vec::new();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); places];
    for (state, moves) in graph.moves.iter().enumerate() {
        let stays = [(None, state)];
        let moves = moves.iter().map(|&(who, to)| (Some(who), to));
        let moves: Vec<(Option<usize>, usize)> = match moves.len() {
            0 => stays.to_vec(),
            _ => moves.collect(),
        };
        for transition in &automaton.transitions {
            let fits = |(atom, wanted): &(usize, bool)| graph.truths[state][*atom] == *wanted;
            if !transition.literals.iter().all(fits) {
                continue;
            }
            for &(who, to) in &moves {
                budget.charge(1)?;
                let (from, to) = (
                    state * phases + transition.from,
                    to * phases + transition.to,
                );
                before[to].push(edges.len());
                let kept = &transition.kept[..];
                edges.push(Edge {
                    from,
                    to,
                    who,
                    kept,
                });
            }
        }
    }
    let mut alive = reached(&edges, places, budget)?;
    let everybody: HashSet<usize> = edges.iter().filter_map(|edge| edge.who).collect();
    loop {
        let count = |alive: &[bool]| alive.iter().filter(|one| **one).count();
        let old = count(&alive);
        if old == 0 {
            return Ok(false);
        }
        // Without a promise it is enough to go on.
        for promise in 0..automaton.promises.max(1) {
            let keeps = |edge: &Edge<'_>| edge.kept.get(promise).copied().unwrap_or(true);
            alive = leading_to(&alive, &edges, &before, &keeps, budget)?;
        }
        for &who in &everybody {
            let can = |place: usize| {
                let mut moves = graph.moves[place / phases].iter();
                moves.any(|(one, _)| *one == who)
            };
            let fair = |edge: &Edge<'_>| edge.who == Some(who) || !can(edge.from);
            alive = leading_to(&alive, &edges, &before, &fair, budget)?;
        }
        if count(&alive) == old {
            return Ok(true);
        }
    }
}

/// The places that can be reached from the first.
fn reached(edges: &[Edge<'_>], places: usize, budget: &Budget) -> Result<Vec<bool>, Rejection> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); places];
    for edge in edges {
        after[edge.from].push(edge.to);
    }
    let mut found = vec![false; places];
    let mut waiting = Vec::new();
    if let Some(first) = found.first_mut() {
        *first = true;
        waiting.push(0);
    }
    while let Some(place) = waiting.pop() {
        for &to in &after[place] {
            budget.charge(1)?;
            if !std::mem::replace(&mut found[to], true) {
                waiting.push(to);
            }
        }
    }
    Ok(found)
}

/// Of the places that are alive those from which a step of some kind can be taken, at once or after others, all among
/// the living.
fn leading_to(
    alive: &[bool],
    edges: &[Edge<'_>],
    before: &[Vec<usize>],
    kind: &dyn Fn(&Edge<'_>) -> bool,
    budget: &Budget,
) -> Result<Vec<bool>, Rejection> {
    let mut found = vec![false; alive.len()];
    let mut waiting = Vec::new();
    for edge in edges
        .iter()
        .filter(|edge| alive[edge.from] && alive[edge.to])
    {
        budget.charge(1)?;
        if kind(edge) && !std::mem::replace(&mut found[edge.from], true) {
            waiting.push(edge.from);
        }
    }
    while let Some(place) = waiting.pop() {
        for &edge in &before[place] {
            budget.charge(1)?;
            let from = edges[edge].from;
            if alive[from] && !std::mem::replace(&mut found[from], true) {
                waiting.push(from);
            }
        }
    }
    Ok(found)
}
