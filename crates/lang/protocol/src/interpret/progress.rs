//! Progress in one instance, the plain way: a part of the graph of all configurations in which a
//! fair run can stay for ever while a process waits in vain.

use fixedbitset::FixedBitSet;
use quotient_core::{Budget, Stop};
use rustc_hash::FxHashMap;

use super::conditions::Scene;
use super::{Configuration, Interpreter, Taken, Violation};
use crate::model::{Action, Demand, Expr};

/// All configurations of an instance, with who is who: processes that change places keep their
/// numbers.
struct Graph {
    nodes: Vec<Node>,
    /// How many of them an instance may begin with; they come first.
    initial: usize,
}

struct Node {
    configuration: Configuration,
    /// The number of the process at each place.
    who: Vec<usize>,
    edges: Vec<(usize, Taken)>,
    /// The first step that led here.
    reached_by: Option<(usize, Taken)>,
}

impl Node {
    fn place_of(&self, process: usize) -> usize {
        let place = self.who.iter().position(|&who| who == process);
        place.unwrap_or_default()
    }

    /// The process that takes a step from here, if one does.
    fn actor(&self, taken: &Taken) -> Option<usize> {
        taken.people.first().map(|&place| self.who[place])
    }

    fn can_step(&self, process: usize) -> bool {
        (self.edges.iter()).any(|(_, taken)| self.actor(taken) == Some(process))
    }
}

impl Interpreter<'_> {
    /// The violations of properties that say what must happen, for one size, under weak
    /// fairness. Nothing where processes come and go, or read one by one: see
    /// [`Protocol::check`](crate::Protocol::check).
    pub fn starvation(
        &self,
        processes: usize,
        budget: &Budget,
    ) -> Result<Vec<(String, Violation)>, Stop> {
        let demands: Vec<(&String, &Expr, &Expr)> = (self.protocol.properties.iter())
            .filter_map(|property| match &property.demand {
                Demand::LeadsTo(from, to) => Some((&property.name, from, to)),
                _ => None,
            })
            .collect();
        if demands.is_empty() || !self.progress_is_decided() {
            return Ok(Vec::new());
        }
        let within = Interpreter {
            budget: budget.clone(),
            ..*self
        };
        let graph = within.graph(processes, budget)?;
        let mut violations = Vec::new();
        for (name, from, to) in demands {
            let mut found = None;
            for process in 0..processes {
                let holds = |node: &Node, expr: &Expr| {
                    let scene = Scene {
                        configuration: &node.configuration,
                        choices: &[],
                    };
                    self.holds(expr, scene, &mut vec![node.place_of(process)])
                };
                let in_vain: Vec<bool> =
                    (graph.nodes.iter()).map(|node| !holds(node, to)).collect();
                let begins = (0..graph.nodes.len())
                    .filter(|&node| in_vain[node] && holds(&graph.nodes[node], from));
                let stem = graph.ways(begins.map(|node| (node, None)).collect(), &|node| {
                    in_vain[node]
                });
                if found.is_none() {
                    found = graph.trap(&stem, process, processes, budget)?;
                }
            }
            violations.extend(found.map(|violation| (name.clone(), violation)));
        }
        Ok(violations)
    }

    /// Whether a run that repeats from a configuration on violates a property that says what must
    /// happen: the process that stands at a place there satisfied the first condition before, and
    /// never the second since; the run comes back to this configuration, with this process at its
    /// place; and meanwhile every process takes a step, or cannot at some time.
    pub(crate) fn confirms_starvation(
        &self,
        property: &str,
        run: &super::Replayed,
        from: usize,
        waiting: usize,
    ) -> Result<bool, Stop> {
        let demands = self.protocol.properties.iter();
        let demand = demands.clone().find(|known| known.name == property);
        let Some(Demand::LeadsTo(first, second)) = demand.map(|known| &known.demand) else {
            return Ok(false);
        };
        let (Some(back), Some(end)) = (run.configurations.get(from), run.configurations.last())
        else {
            return Ok(false);
        };
        let size = back.processes.len();
        if !back.looks_like(end) || waiting >= size || !self.progress_is_decided() {
            return Ok(false);
        }
        // Who stands where, by the numbers that they have at the start.
        let mut who: Vec<Vec<usize>> = vec![(0..size).collect()];
        for taken in &run.taken {
            let before = &who[who.len() - 1];
            let now = taken
                .origins
                .iter()
                .map(|origin| before.get((*origin)?).copied());
            let Some(now) = now.collect() else {
                return Ok(false);
            };
            who.push(now);
        }
        let process = who[from][waiting];
        let mut waits = false;
        for (number, (configuration, who)) in run.configurations.iter().zip(&who).enumerate() {
            let place = who.iter().position(|&one| one == process);
            let scene = Scene {
                configuration,
                choices: &[],
            };
            let holds = |expr| place.is_some_and(|at| self.holds(expr, scene, &mut vec![at]));
            // Whatever was before it got what it waited for does not count.
            waits = !holds(second) && (waits || (number <= from && holds(first)));
            self.budget.poll()?;
        }
        if !waits || who[who.len() - 1].get(waiting) != Some(&process) {
            return Ok(false);
        }
        let mut had_turn = FixedBitSet::with_capacity(size);
        let steps = run.configurations.iter().zip(&who).enumerate();
        for (number, (configuration, who)) in steps.skip(from) {
            let mut can = FixedBitSet::with_capacity(size);
            for (taken, _) in self.all_successors(configuration)? {
                can.extend(taken.people.first().map(|&place| who[place]));
            }
            let unable = (0..size).filter(|&process| !can.contains(process));
            had_turn.extend(unable);
            let actor = run.taken.get(number).and_then(|taken| taken.people.first());
            had_turn.extend(actor.map(|&place| who[place]));
        }
        Ok(had_turn.count_ones(..) == size)
    }

    /// Whether a search of one size can decide progress.
    pub fn progress_is_decided(&self) -> bool {
        let comes_or_goes =
            |action: &Action| matches!(action, Action::Create(..) | Action::Remove(_));
        let steps = &self.protocol.steps;
        let mut actions = steps
            .iter()
            .flat_map(|step| step.alternatives.iter().flatten());
        !actions.any(comes_or_goes)
            && !self.protocol.reads_one_by_one()
            && !self.protocol.imports_steps()
    }

    fn graph(&self, processes: usize, budget: &Budget) -> Result<Graph, Stop> {
        let mut numbers: FxHashMap<(Configuration, Vec<usize>), usize> = FxHashMap::default();
        let mut nodes: Vec<Node> = Vec::new();
        let mut number =
            |configuration: Configuration, who: Vec<usize>, by, nodes: &mut Vec<Node>| {
                *numbers
                    .entry((configuration, who))
                    .or_insert_with_key(|(configuration, who)| {
                        nodes.push(Node {
                            configuration: configuration.clone(),
                            who: who.clone(),
                            edges: Vec::new(),
                            reached_by: by,
                        });
                        nodes.len() - 1
                    })
            };
        for start in self.all_initial(processes)? {
            number(start, (0..processes).collect(), None, &mut nodes);
        }
        let (initial, mut done) = (nodes.len(), 0);
        while done < nodes.len() {
            budget.charge(1)?;
            let (configuration, who) = (nodes[done].configuration.clone(), nodes[done].who.clone());
            for (taken, after) in self.all_successors(&configuration)? {
                let moved = (taken.origins.iter()).map(|origin| who[origin.unwrap_or_default()]);
                let by = Some((done, taken.clone()));
                let target = number(after, moved.collect(), by, &mut nodes);
                nodes[done].edges.push((target, taken));
            }
            done += 1;
        }
        Ok(Graph { nodes, initial })
    }
}

/// For each node that can be reached, from where and by which step; `None` where a way begins.
type Ways = FxHashMap<usize, Option<(usize, usize)>>;

impl Graph {
    /// Breadth first from some nodes, through those that are allowed.
    fn ways(
        &self,
        starts: Vec<(usize, Option<(usize, usize)>)>,
        allowed: &dyn Fn(usize) -> bool,
    ) -> Ways {
        let mut ways: Ways = FxHashMap::default();
        let mut waiting = std::collections::VecDeque::new();
        for (start, by) in starts {
            if ways.insert(start, by).is_none() {
                waiting.push_back(start);
            }
        }
        while let Some(node) = waiting.pop_front() {
            for (edge, (target, _)) in self.nodes[node].edges.iter().enumerate() {
                if allowed(*target) && !ways.contains_key(target) {
                    ways.insert(*target, Some((node, edge)));
                    waiting.push_back(*target);
                }
            }
        }
        ways
    }

    /// A fair loop among nodes in which a process waits in vain: in it every process takes a
    /// step, or cannot at some time.
    fn trap(
        &self,
        stem: &Ways,
        waiting: usize,
        processes: usize,
        budget: &Budget,
    ) -> Result<Option<Violation>, Stop> {
        let mut tried = FixedBitSet::with_capacity(self.nodes.len());
        let mut nodes: Vec<usize> = stem.keys().copied().collect();
        nodes.sort_unstable();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for &node in &nodes {
            let targets = self.nodes[node].edges.iter().map(|(target, _)| *target);
            targets.for_each(|target| before[target].push(node));
        }
        for root in nodes {
            if tried.contains(root) {
                continue;
            }
            // All that can be reached from here and can reach it.
            let forward = self.ways(vec![(root, None)], &|node| stem.contains_key(&node));
            budget.charge(forward.len() as u64)?;
            let mut part = FixedBitSet::with_capacity(self.nodes.len());
            let mut unseen = vec![root];
            while let Some(node) = unseen.pop() {
                if !part.put(node) {
                    let inside = before[node]
                        .iter()
                        .filter(|node| forward.contains_key(node));
                    unseen.extend(inside);
                }
            }
            tried.union_with(&part);
            let had_turn = |process: usize| {
                part.ones().any(|node| {
                    let node = &self.nodes[node];
                    let steps = |(target, taken): &(usize, Taken)| {
                        part.contains(*target) && node.actor(taken) == Some(process)
                    };
                    !node.can_step(process) || node.edges.iter().any(steps)
                })
            };
            if (0..processes).all(had_turn) {
                return Ok(Some(self.lasso(stem, root, &part, waiting, processes)));
            }
        }
        Ok(None)
    }

    fn lasso(
        &self,
        stem: &Ways,
        root: usize,
        part: &FixedBitSet,
        waiting: usize,
        processes: usize,
    ) -> Violation {
        let mut at = root;
        let mut path: Vec<(usize, usize)> = Vec::new();
        let inside = |node: usize| part.contains(node);
        for process in 0..processes {
            let ways = self.ways(vec![(at, None)], &inside);
            let mut nodes: Vec<usize> = ways.keys().copied().collect();
            nodes.sort_unstable();
            let seen_so_far = path.iter().any(|&(node, edge)| {
                let node = &self.nodes[node];
                node.actor(&node.edges[edge].1) == Some(process) || !node.can_step(process)
            });
            if seen_so_far || !self.nodes[at].can_step(process) {
                continue;
            }
            // To a node where it cannot step, or through a step of its own.
            if let Some(&node) = nodes
                .iter()
                .find(|&&node| !self.nodes[node].can_step(process))
            {
                path.extend(self.way(&ways, node));
                at = node;
                continue;
            }
            let own = nodes.iter().find_map(|&node| {
                let edges = self.nodes[node].edges.iter();
                let own = |(target, taken): &(usize, Taken)| {
                    inside(*target) && self.nodes[node].actor(taken) == Some(process)
                };
                Some((node, edges.clone().position(own)?))
            });
            if let Some((node, edge)) = own {
                path.extend(self.way(&ways, node));
                path.push((node, edge));
                at = self.nodes[node].edges[edge].0;
            }
        }
        if at != root {
            let ways = self.ways(vec![(at, None)], &inside);
            path.extend(self.way(&ways, root));
        }
        let to_root = self.way(stem, root);
        let first = to_root.first().map_or(root, |&(node, _)| node);
        let mut steps = self.way_from_start(first);
        let start = self.start_of(first);
        let step = |&(node, edge): &(usize, usize)| {
            let (target, taken) = &self.nodes[node].edges[edge];
            (taken.clone(), self.nodes[*target].configuration.clone())
        };
        steps.extend(to_root.iter().map(step));
        let from = steps.len();
        steps.extend(path.iter().map(step));
        Violation {
            start: self.nodes[start].configuration.clone(),
            steps,
            repeats: Some((from, self.nodes[root].place_of(waiting))),
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
            node = self.nodes[node]
                .reached_by
                .as_ref()
                .map_or(0, |(before, _)| *before);
        }
        node
    }

    fn way_from_start(&self, mut node: usize) -> Vec<(Taken, Configuration)> {
        let mut steps = Vec::new();
        while let Some((before, taken)) = &self.nodes[node].reached_by {
            steps.push((taken.clone(), self.nodes[node].configuration.clone()));
            node = *before;
        }
        steps.reverse();
        steps
    }
}
