//! The graph of all configurations of an instance, and loops in it that are fair.

use std::collections::VecDeque;
use std::rc::Rc;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_logic::Automaton;
use rustc_hash::FxHashMap;

use super::{Configuration, Interpreter, Repeating, Taken, Turn, Violation};
use crate::model::Expr;

/// All configurations of an instance, with who is who: processes that change places keep their
/// numbers.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// How many of them an instance may begin with; they come first.
    initial: usize,
    /// How many promises a run must keep again and again, beside fairness.
    promises: usize,
}

pub(super) struct Node {
    /// What many nodes have in common is there once: those beside an automaton, and those in which processes
    /// have changed places.
    pub(super) configuration: Rc<Configuration>,
    /// The number of the process at each place. Who goes leaves a number free, and who comes takes one that
    /// nobody had just before; so a number has nobody for a moment in between.
    who: Rc<[usize]>,
    edges: Vec<(usize, Rc<Taken>)>,
    /// Whether its steps were not looked at.
    open: bool,
    /// The promises that each edge keeps, as bits; nothing where there are none.
    kept: Vec<u64>,
    /// The first step that led here: the node and which of its edges.
    reached_by: Option<(usize, usize)>,
}

impl Node {
    /// The place of a process, if it is there.
    pub(super) fn place_of(&self, process: usize) -> Option<usize> {
        self.who.iter().position(|&who| who == process)
    }

    /// Whether all of some processes are there.
    pub(super) fn has(&self, processes: &[usize]) -> bool {
        processes.iter().all(|one| self.who.contains(one))
    }

    /// Whether nobody is there of whom a turn speaks.
    fn is_gone(&self, turn: &Turn<'_>) -> bool {
        turn.who.is_some_and(|who| !self.who.contains(&who))
    }

    /// The process that takes a step from here, if one does.
    fn actor(&self, taken: &Taken) -> Option<usize> {
        taken.people.first().map(|&place| self.who[place])
    }

    /// Whether one of its edges keeps a promise.
    fn keeps(&self, edge: usize, promise: usize) -> bool {
        (self.kept.get(edge)).is_some_and(|kept| kept >> promise & 1 == 1)
    }

    fn can(&self, turn: &Turn<'_>) -> bool {
        (self.edges.iter()).any(|(_, taken)| turn.is(self.actor(taken), taken))
    }
}

impl Interpreter<'_> {
    /// The graph, as far as so many nodes go whose steps are looked at.
    pub(super) fn graph(
        &self,
        processes: usize,
        most: usize,
        budget: &Budget,
    ) -> Result<Graph, Stop> {
        // Each configuration once, with the steps that lead from it.
        let mut known: FxHashMap<Rc<Configuration>, usize> = FxHashMap::default();
        let mut steps: Vec<Option<Steps>> = Vec::new();
        let mut numbers: FxHashMap<(usize, Rc<[usize]>), usize> = FxHashMap::default();
        let mut nodes: Vec<Node> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        let mut number = |at: (&Rc<Configuration>, usize),
                          who: Vec<usize>,
                          by,
                          nodes: &mut Vec<Node>,
                          places: &mut Vec<usize>| {
            let who: Rc<[usize]> = who.into();
            *numbers.entry((at.1, who)).or_insert_with_key(|(_, who)| {
                nodes.push(Node {
                    configuration: at.0.clone(),
                    who: who.clone(),
                    edges: Vec::new(),
                    open: true,
                    kept: Vec::new(),
                    reached_by: by,
                });
                places.push(at.1);
                nodes.len() - 1
            })
        };
        let mut once = |configuration: Configuration, steps: &mut Vec<Option<Steps>>| {
            let entry = known.entry(Rc::new(configuration));
            let configuration = entry.key().clone();
            let place = *entry.or_insert_with(|| {
                steps.push(None);
                steps.len() - 1
            });
            (configuration, place)
        };
        for start in self.all_initial(processes)? {
            let (start, place) = once(start, &mut steps);
            let who = (0..processes).collect();
            number((&start, place), who, None, &mut nodes, &mut places);
        }
        let (initial, mut done) = (nodes.len(), 0);
        while done < nodes.len().min(most) {
            budget.charge(1 + nodes[done].who.len() as u64 / 32)?;
            let place = places[done];
            if steps[place].is_none() {
                let successors = self.all_successors(&nodes[done].configuration)?;
                let successors = successors.into_iter().map(|(taken, after)| {
                    let (after, place) = once(after, &mut steps);
                    (Rc::new(taken), after, place)
                });
                let successors: Rc<[_]> = successors.collect();
                steps[place] = Some(successors);
            }
            let successors = steps[place].clone().unwrap_or_default();
            let mut edges = Vec::with_capacity(successors.len());
            for (taken, after, place) in successors.iter() {
                let moved = numbered(&nodes[done].who, &taken.origins);
                let by = Some((done, edges.len()));
                let target = number((after, *place), moved, by, &mut nodes, &mut places);
                edges.push((target, taken.clone()));
            }
            nodes[done].edges = edges;
            nodes[done].open = false;
            done += 1;
        }
        Ok(Graph {
            nodes,
            initial,
            promises: 0,
        })
    }
}

/// The steps from a configuration, with where they lead, and the number of that.
type Steps = Rc<[(Rc<Taken>, Rc<Configuration>, usize)]>;

/// The numbers of processes after a step, given where they stood before it.
fn numbered(who: &[usize], origins: &[Option<usize>]) -> Vec<usize> {
    let mut free = (0..).filter(|number| !who.contains(number));
    let number = |origin: &Option<usize>| match origin {
        Some(place) => who.get(*place).copied().unwrap_or_default(),
        None => free.next().unwrap_or_default(),
    };
    origins.iter().map(number).collect()
}

/// For each node that can be reached, from where and by which step; `None` where a way begins.
pub(super) type Ways = FxHashMap<usize, Option<(usize, usize)>>;

/// The step of a run that is stuck: it stays where it is.
fn stuck(processes: usize) -> Taken {
    Taken {
        step: String::new(),
        people: Vec::new(),
        origins: (0..processes).map(Some).collect(),
    }
}

impl Graph {
    /// The graph beside an automaton, which takes a transition with each step at the node that it
    /// leads from; where nothing can happen any more that is owed, a run may have come to its end, and
    /// the automaton goes on alone. It is about some processes, as long as they are there.
    pub(super) fn beside(
        &self,
        automaton: &Automaton<Expr>,
        about: &[usize],
        holds: &dyn Fn(&Node, &Expr) -> bool,
        owed: &dyn Fn(&Taken) -> bool,
        budget: &Budget,
    ) -> Result<Graph, Stop> {
        // A node, a state of the automaton, and whether the run has come to its end.
        let mut numbers: FxHashMap<(usize, usize, bool), usize> = FxHashMap::default();
        let mut pairs: Vec<(usize, usize, bool)> = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        let mut number =
            |pair: (usize, usize, bool), by, nodes: &mut Vec<Node>, pairs: &mut Vec<_>| {
                *numbers.entry(pair).or_insert_with(|| {
                    let node = &self.nodes[pair.0];
                    nodes.push(Node {
                        configuration: node.configuration.clone(),
                        who: node.who.clone(),
                        edges: Vec::new(),
                        open: node.open,
                        kept: Vec::new(),
                        reached_by: by,
                    });
                    pairs.push(pair);
                    nodes.len() - 1
                })
            };
        for start in 0..self.initial {
            number((start, 0, false), None, &mut nodes, &mut pairs);
        }
        let (initial, mut done) = (nodes.len(), 0);
        while done < pairs.len() {
            budget.charge(1)?;
            let (at, state, ended) = pairs[done];
            let node = &self.nodes[at];
            if node.open || !node.has(about) {
                done += 1;
                continue;
            }
            let atoms: Vec<bool> = (automaton.atoms.iter())
                .map(|atom| holds(node, atom))
                .collect();
            let mut ways: Vec<(usize, Rc<Taken>, bool)> = Vec::new();
            if !ended {
                let edges = node.edges.iter().cloned();
                ways.extend(edges.map(|(target, taken)| (target, taken, false)));
            }
            if !node.edges.iter().any(|(_, taken)| owed(taken)) {
                ways.push((at, Rc::new(stuck(node.who.len())), true));
            }
            let (mut edges, mut kept) = (Vec::new(), Vec::new());
            for one in automaton.transitions.iter().filter(|one| one.from == state) {
                if one
                    .literals
                    .iter()
                    .any(|&(atom, value)| atoms[atom] != value)
                {
                    continue;
                }
                let bits = (0..).zip(&one.kept).filter(|(_, kept)| **kept);
                // The first bit also says that there is an edge, where nothing is promised.
                let bits = match automaton.promises {
                    0 => 1,
                    _ => bits.fold(0u64, |bits, (promise, _)| bits | 1 << promise),
                };
                for (target, taken, ends) in &ways {
                    let by = Some((done, edges.len()));
                    let target = number((*target, one.to, *ends), by, &mut nodes, &mut pairs);
                    edges.push((target, taken.clone()));
                    kept.push(bits);
                }
            }
            (nodes[done].edges, nodes[done].kept) = (edges, kept);
            done += 1;
        }
        Ok(Graph {
            nodes,
            initial,
            promises: automaton.promises.max(1),
        })
    }

    /// So many numbers processes have, those that come later included.
    pub(super) fn processes(&self) -> usize {
        let numbers = self.nodes.iter().flat_map(|node| node.who.iter());
        numbers.max().map_or(0, |most| most + 1)
    }

    /// Whether the steps of all nodes were looked at.
    pub(super) fn is_whole(&self) -> bool {
        self.nodes.iter().all(|node| !node.open)
    }

    /// Ways from the first nodes to all.
    pub(super) fn ways_from_the_start(&self) -> Ways {
        let mut all = Bits::with_capacity(self.nodes.len());
        all.insert_range(..);
        self.ways((0..self.initial).map(|start| (start, None)).collect(), &all)
    }

    /// Breadth first from some nodes, through those that are allowed.
    pub(super) fn ways(
        &self,
        starts: Vec<(usize, Option<(usize, usize)>)>,
        allowed: &Bits,
    ) -> Ways {
        let mut ways: Ways = FxHashMap::default();
        let mut waiting = VecDeque::new();
        for (start, by) in starts {
            if ways.insert(start, by).is_none() {
                waiting.push_back(start);
            }
        }
        while let Some(node) = waiting.pop_front() {
            for (edge, (target, _)) in self.nodes[node].edges.iter().enumerate() {
                if allowed.contains(*target) && !ways.contains_key(target) {
                    ways.insert(*target, Some((node, edge)));
                    waiting.push_back(*target);
                }
            }
        }
        ways
    }

    /// A fair loop among nodes in which a process waits in vain.
    pub(super) fn trap(
        &self,
        stem: &Ways,
        waiting: &[usize],
        turns: &[Turn<'_>],
        budget: &Budget,
    ) -> Result<Option<Violation>, Stop> {
        let mut inside = Bits::with_capacity(self.nodes.len());
        let known = stem.keys().filter(|&&node| !self.nodes[node].open);
        inside.extend(known.copied());
        let mut left = self.components(&inside, budget)?;
        while let Some(component) = left.pop() {
            budget.charge(component.len() as u64)?;
            let mut part = Bits::with_capacity(self.nodes.len());
            part.extend(component.iter().copied());
            match self.is_fair(&component, &part, turns) {
                Fair::Yes => {
                    let root = component.first().copied().unwrap_or_default();
                    return Ok(Some(self.lasso(stem, root, &part, waiting, turns)));
                }
                Fair::Never => {}
                Fair::Without(nodes) => {
                    nodes.iter().for_each(|&node| part.set(node, false));
                    left.extend(self.components(&part, budget)?);
                }
            }
        }
        Ok(None)
    }

    /// Whether a run can go round for ever among nodes that can all reach each other, and give
    /// everybody their turn.
    fn is_fair(&self, component: &[usize], part: &Bits, turns: &[Turn<'_>]) -> Fair {
        let mut without = Vec::new();
        if !(0..self.promises)
            .all(|promise| self.edge_that_keeps(component, part, promise).is_some())
        {
            return Fair::Never;
        }
        for turn in turns {
            let taken = component.iter().any(|&node| {
                let node = &self.nodes[node];
                let mut edges = node.edges.iter();
                edges.any(|(target, taken)| {
                    part.contains(*target) && turn.is(node.actor(taken), taken)
                })
            });
            // Who goes is owed nothing for ever.
            if taken || turn.strong && component.iter().any(|&node| self.nodes[node].is_gone(turn))
            {
                continue;
            }
            let can = |&&node: &&usize| self.nodes[node].can(turn);
            match turn.strong {
                true => without.extend(component.iter().filter(can)),
                false if component.iter().all(|node| can(&node)) => return Fair::Never,
                false => {}
            }
        }
        match without.is_empty() {
            true => Fair::Yes,
            false => Fair::Without(without),
        }
    }

    /// An edge among nodes that keeps a promise.
    fn edge_that_keeps(
        &self,
        nodes: &[usize],
        part: &Bits,
        promise: usize,
    ) -> Option<(usize, usize)> {
        nodes.iter().find_map(|&number| {
            let node = &self.nodes[number];
            let mut edges = node.edges.iter().enumerate();
            let edge = edges
                .find(|(edge, (target, _))| part.contains(*target) && node.keeps(*edge, promise));
            edge.map(|(edge, _)| (number, edge))
        })
    }

    /// The largest sets of nodes that can all reach each other among some (Tarjan 1972).
    fn components(&self, inside: &Bits, budget: &Budget) -> Result<Vec<Vec<usize>>, Stop> {
        const UNSEEN: usize = usize::MAX;
        let size = self.nodes.len();
        let (mut order, mut low) = (vec![UNSEEN; size], vec![UNSEEN; size]);
        let mut on_stack = Bits::with_capacity(size);
        let (mut stack, mut next, mut all) = (Vec::new(), 0, Vec::new());
        for root in inside.ones() {
            if order[root] != UNSEEN {
                continue;
            }
            budget.poll()?;
            let mut path = vec![(root, 0)];
            while let Some(&(node, edge)) = path.last() {
                if edge == 0 {
                    (order[node], low[node]) = (next, next);
                    next += 1;
                    stack.push(node);
                    on_stack.insert(node);
                }
                let edges = &self.nodes[node].edges;
                let Some(target) = edges.get(edge).map(|(target, _)| *target) else {
                    path.pop();
                    if let Some((before, _)) = path.last() {
                        low[*before] = low[*before].min(low[node]);
                    }
                    if low[node] == order[node] {
                        let mut component = Vec::new();
                        while let Some(member) = stack.pop() {
                            on_stack.set(member, false);
                            component.push(member);
                            if member == node {
                                break;
                            }
                        }
                        component.sort_unstable();
                        all.push(component);
                    }
                    continue;
                };
                if let Some(last) = path.last_mut() {
                    last.1 += 1;
                }
                if !inside.contains(target) {
                    continue;
                }
                if order[target] == UNSEEN {
                    path.push((target, 0));
                } else if on_stack.contains(target) {
                    low[node] = low[node].min(order[target]);
                }
            }
        }
        // The last one is looked at first.
        all.sort_unstable_by(|one, two| two.cmp(one));
        Ok(all)
    }

    fn lasso(
        &self,
        stem: &Ways,
        root: usize,
        part: &Bits,
        waiting: &[usize],
        turns: &[Turn<'_>],
    ) -> Violation {
        let mut at = root;
        let mut path: Vec<(usize, usize)> = Vec::new();
        for promise in 0..self.promises {
            if path
                .iter()
                .any(|&(node, edge)| self.nodes[node].keeps(edge, promise))
            {
                continue;
            }
            let nodes: Vec<usize> = part.ones().collect();
            if let Some((node, edge)) = self.edge_that_keeps(&nodes, part, promise) {
                let ways = self.ways(vec![(at, None)], part);
                path.extend(self.way(&ways, node));
                path.push((node, edge));
                at = self.nodes[node].edges[edge].0;
            }
        }
        for turn in turns {
            if turn.strong && !part.ones().any(|node| self.nodes[node].can(turn)) {
                continue;
            }
            let gone = |node: usize| turn.strong && self.nodes[node].is_gone(turn);
            if let Some(node) = part.ones().find(|&node| gone(node)) {
                if !path.iter().any(|&(node, _)| gone(node)) && !gone(at) {
                    let ways = self.ways(vec![(at, None)], part);
                    path.extend(self.way(&ways, node));
                    at = node;
                }
                continue;
            }
            let had = |&(node, edge): &(usize, usize)| {
                let node = &self.nodes[node];
                let taken = &node.edges[edge].1;
                turn.is(node.actor(taken), taken) || !turn.strong && !node.can(turn)
            };
            if path.iter().any(had) || !turn.strong && !self.nodes[at].can(turn) {
                continue;
            }
            let ways = self.ways(vec![(at, None)], part);
            let mut nodes: Vec<usize> = ways.keys().copied().collect();
            nodes.sort_unstable();
            // To a node where it is not possible, or through such a step.
            let cannot = nodes.iter().find(|&&node| !self.nodes[node].can(turn));
            if let Some(&node) = cannot.filter(|_| !turn.strong) {
                path.extend(self.way(&ways, node));
                at = node;
                continue;
            }
            let own = nodes.iter().find_map(|&node| {
                let mut edges = self.nodes[node].edges.iter();
                let own = |(target, taken): &(usize, Rc<Taken>)| {
                    part.contains(*target) && turn.is(self.nodes[node].actor(taken), taken)
                };
                Some((node, edges.position(own)?))
            });
            if let Some((node, edge)) = own {
                path.extend(self.way(&ways, node));
                path.push((node, edge));
                at = self.nodes[node].edges[edge].0;
            }
        }
        if at != root {
            let ways = self.ways(vec![(at, None)], part);
            path.extend(self.way(&ways, root));
        }
        let to_root = self.way(stem, root);
        let first = to_root.first().map_or(root, |&(node, _)| node);
        let mut steps = self.way_from_start(first);
        let start = self.start_of(first);
        let step = |&(node, edge): &(usize, usize)| self.step(node, edge);
        let happens = |(taken, _): &(Taken, Configuration)| !taken.step.is_empty();
        steps.extend(to_root.iter().map(step));
        steps.retain(happens);
        let from = steps.len();
        steps.extend(path.iter().map(step).filter(happens));
        let places = waiting
            .iter()
            .filter_map(|&one| self.nodes[root].place_of(one));
        Violation {
            start: Configuration::clone(&self.nodes[start].configuration),
            steps,
            repeats: Some(Repeating {
                from,
                who: places.collect(),
                waits: self.promises == 0,
            }),
        }
    }

    /// The edges of a way to a node.
    fn way(&self, ways: &Ways, mut node: usize) -> Vec<(usize, usize)> {
        let mut path = Vec::new();
        while let Some(Some((before, edge))) = ways.get(&node) {
            path.push((*before, *edge));
            node = *before;
        }
        path.reverse();
        path
    }

    fn start_of(&self, mut node: usize) -> usize {
        while node >= self.initial {
            node = self.nodes[node].reached_by.map_or(0, |(before, _)| before);
        }
        node
    }

    /// A step, with where it leads.
    fn step(&self, node: usize, edge: usize) -> (Taken, Configuration) {
        let (target, taken) = &self.nodes[node].edges[edge];
        let after = &self.nodes[*target].configuration;
        (Taken::clone(taken), Configuration::clone(after))
    }

    fn way_from_start(&self, mut node: usize) -> Vec<(Taken, Configuration)> {
        let mut steps = Vec::new();
        while let Some((before, edge)) = self.nodes[node].reached_by {
            steps.push(self.step(before, edge));
            node = before;
        }
        steps.reverse();
        steps
    }
}

/// Whether a run can stay among some nodes for ever.
enum Fair {
    Yes,
    /// Not there, nor in a part of it.
    Never,
    /// Perhaps without these nodes, where something is possible that is never done.
    Without(Vec<usize>),
}
