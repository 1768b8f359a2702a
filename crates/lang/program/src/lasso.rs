//! Fair infinite paths of finite structures that an automaton accepts.

use std::collections::{HashMap, VecDeque};

use quotient_core::{Budget, Stop};

use crate::ltl::Automaton;

/// A finite structure with asynchronous processes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Structure {
    pub(crate) initial: Vec<usize>,
    /// The steps of each state: the next state, and what takes it; `None` if nothing happens.
    pub(crate) steps: Vec<Vec<(usize, Option<usize>)>>,
    /// Whether each literal, an atom and a sign, holds in each state.
    pub(crate) literals: Vec<Vec<[bool; 2]>>,
    /// Whether each process may rest in each state without being unfair.
    pub(crate) rests: Vec<Vec<bool>>,
    pub(crate) processes: usize,
}

/// A path that goes on for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lasso {
    /// States with the step taken from each, by number.
    pub(crate) path: Vec<(usize, usize)>,
    /// After the last step comes this place of the path again.
    pub(crate) back: usize,
}

type Node = (usize, usize);

/// A step of the product: where to, which step of the structure, and what it fulfils.
#[derive(Clone)]
struct Move {
    to: usize,
    step: usize,
    fulfils: Vec<bool>,
}

/// A path that the automaton accepts and on which every process moves, or may rest, again and
/// again.
pub(crate) fn fair_lasso(
    structure: &Structure,
    automaton: &Automaton,
    budget: &Budget,
) -> Result<Option<Lasso>, Stop> {
    let mut numbers: HashMap<Node, usize> = HashMap::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut moves: Vec<Vec<Move>> = Vec::new();
    let mut parent: Vec<Option<(usize, usize)>> = Vec::new();
    for &state in &structure.initial {
        if numbers.insert((state, 0), nodes.len()).is_none() {
            nodes.push((state, 0));
            parent.push(None);
        }
    }
    while moves.len() < nodes.len() {
        budget.charge(1)?;
        let here = moves.len();
        let (state, owed) = nodes[here];
        let mut found = Vec::new();
        for transition in &automaton.transitions[owed] {
            let fits = |&(atom, value): &(usize, bool)| {
                structure.literals[state][atom][usize::from(value)]
            };
            if !transition.literals.iter().all(fits) {
                continue;
            }
            for (step, (next, process)) in structure.steps[state].iter().enumerate() {
                let to = *numbers.entry((*next, transition.to)).or_insert_with(|| {
                    nodes.push((*next, transition.to));
                    parent.push(Some((here, step)));
                    nodes.len() - 1
                });
                let mut fulfils = transition.kept.clone();
                fulfils.extend(
                    (0..structure.processes)
                        .map(|one| *process == Some(one) || structure.rests[state][one]),
                );
                found.push(Move { to, step, fulfils });
            }
        }
        moves.push(found);
    }
    let wanted = automaton.promises + structure.processes;
    for part in parts(&moves, budget)? {
        let inside: std::collections::HashSet<usize> = part.iter().copied().collect();
        let mut seen = vec![false; wanted];
        let mut any = false;
        for &node in &part {
            for one in moves[node].iter().filter(|one| inside.contains(&one.to)) {
                any = true;
                seen.iter_mut()
                    .zip(&one.fulfils)
                    .for_each(|(seen, fulfils)| *seen |= fulfils);
            }
        }
        if any && seen.into_iter().all(|seen| seen) {
            return Ok(Some(lasso(
                &nodes, &moves, &parent, part[0], &inside, wanted,
            )));
        }
    }
    Ok(None)
}

/// A way to a node and round its part until all is fulfilled.
fn lasso(
    nodes: &[Node],
    moves: &[Vec<Move>],
    parent: &[Option<(usize, usize)>],
    entry: usize,
    inside: &std::collections::HashSet<usize>,
    wanted: usize,
) -> Lasso {
    let mut path = Vec::new();
    let mut at = entry;
    while let Some((before, step)) = parent[at] {
        path.push((nodes[before].0, step));
        at = before;
    }
    path.reverse();
    let back = path.len();
    let mut missing = vec![true; wanted];
    let mut here = entry;
    // To the next move that fulfils something missing, then home.
    loop {
        let goal_is_home = missing.iter().all(|missing| !missing);
        let useful = |one: &Move| {
            one.fulfils
                .iter()
                .zip(&missing)
                .any(|(fulfils, missing)| *fulfils && *missing)
        };
        let way = way(moves, inside, here, |one| match goal_is_home {
            true => one.to == entry,
            false => useful(one),
        });
        for &(node, place) in &way {
            let one = &moves[node][place];
            path.push((nodes[node].0, one.step));
            missing
                .iter_mut()
                .zip(&one.fulfils)
                .for_each(|(missing, fulfils)| *missing &= !fulfils);
            here = one.to;
        }
        if way.is_empty() || (goal_is_home && here == entry) {
            break;
        }
        if missing.iter().all(|missing| !missing) && here == entry {
            break;
        }
    }
    Lasso { path, back }
}

/// The shortest way inside a part whose last move is as wanted: nodes with the move taken.
fn way(
    moves: &[Vec<Move>],
    inside: &std::collections::HashSet<usize>,
    from: usize,
    wanted: impl Fn(&Move) -> bool,
) -> Vec<(usize, usize)> {
    let mut before: HashMap<usize, (usize, usize)> = HashMap::new();
    let mut queue = VecDeque::from([from]);
    let mut seen = std::collections::HashSet::from([from]);
    while let Some(node) = queue.pop_front() {
        for (place, one) in moves[node].iter().enumerate() {
            if !inside.contains(&one.to) {
                continue;
            }
            if wanted(one) {
                let mut way = vec![(node, place)];
                let mut at = node;
                while at != from {
                    let Some(&(earlier, place)) = before.get(&at) else {
                        break;
                    };
                    way.push((earlier, place));
                    at = earlier;
                }
                way.reverse();
                return way;
            }
            if seen.insert(one.to) {
                before.insert(one.to, (node, place));
                queue.push_back(one.to);
            }
        }
    }
    Vec::new()
}

/// Strongly connected parts (Tarjan 1972, without recursion).
fn parts(moves: &[Vec<Move>], budget: &Budget) -> Result<Vec<Vec<usize>>, Stop> {
    const UNSEEN: usize = usize::MAX;
    let size = moves.len();
    let (mut index, mut low) = (vec![UNSEEN; size], vec![0; size]);
    let (mut done, mut found) = (vec![false; size], Vec::new());
    let (mut stack, mut calls, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..size {
        if index[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, place)) = calls.last_mut() {
            let node = *node;
            if *place == 0 {
                budget.charge(1)?;
                index[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
            }
            if let Some(one) = moves[node].get(*place) {
                *place += 1;
                if index[one.to] == UNSEEN {
                    calls.push((one.to, 0));
                } else if !done[one.to] {
                    low[node] = low[node].min(index[one.to]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                low[*caller] = low[*caller].min(low[node]);
            }
            if low[node] == index[node] {
                let mut part = Vec::new();
                while let Some(member) = stack.pop() {
                    done[member] = true;
                    part.push(member);
                    if member == node {
                        break;
                    }
                }
                found.push(part);
            }
        }
    }
    Ok(found)
}
