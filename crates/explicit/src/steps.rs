//! States with the steps between them, found as far as somebody asks.

use quotient_core::{Budget, Stop};

use crate::{Graph, StateId, System};

/// Not visited yet.
const UNVISITED: u32 = u32::MAX;

/// The states of a system with the steps between them, visited one by one on demand.
///
/// Several questions share it: what one of them had visited is there for the next.
pub struct Steps<'a> {
    system: &'a dyn System,
    graph: Graph,
    /// Where the successors of a state begin in `targets`, and how many they are.
    begins: Vec<u32>,
    counts: Vec<u32>,
    targets: Vec<StateId>,
    initial: Vec<StateId>,
    visited: usize,
    most: usize,
    scratch: Vec<u64>,
}

/// Why a state could not be visited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// A state does not fit into the words; the number is the system's.
    Unfit(u64),
    /// The budget or a limit ended it.
    Stopped(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stopped(stop)
    }
}

impl<'a> Steps<'a> {
    /// Begins with the states that the system begins with; finds at most so many.
    pub fn new(system: &'a dyn System, most: usize) -> Steps<'a> {
        let mut graph = Graph::new(system.width());
        let mut initial = Vec::new();
        system.initial(&mut |state| initial.extend(graph.insert(state, None).map(StateId::new)));
        Steps {
            system,
            begins: vec![UNVISITED; graph.len()],
            counts: vec![0; graph.len()],
            graph,
            targets: Vec::new(),
            initial,
            visited: 0,
            most,
            scratch: Vec::new(),
        }
    }

    /// The states found so far.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The states that it begins with.
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }

    /// How many states were visited: their successors are known.
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// How many steps are known.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether no step is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The successors of a state, if it was visited.
    pub fn known(&self, id: StateId) -> Option<&[StateId]> {
        match self.begins.get(id.index()) {
            None | Some(&UNVISITED) => None,
            Some(&begin) => {
                let begin = begin as usize;
                let count = self.counts[id.index()] as usize;
                Some(&self.targets[begin..begin + count])
            }
        }
    }

    /// Visits a state, if that was not done before.
    pub fn visit(&mut self, id: StateId, budget: &Budget) -> Result<(), Halt> {
        if self.begins[id.index()] != UNVISITED {
            return Ok(());
        }
        budget.charge(1)?;
        // Numbers of states and places in the list of steps are 32 bits wide.
        if self.graph.len() >= self.most || self.targets.len() >= UNVISITED as usize / 2 {
            return Err(Stop::bound("the number of states", self.most as u64).into());
        }
        let begin = self.targets.len();
        self.graph.read(id, &mut self.scratch);
        let (graph, targets) = (&mut self.graph, &mut self.targets);
        let fits = self.system.successors(&self.scratch, &mut |label, state| {
            let target = graph.find_or_insert(state, Some((id.number(), label)));
            targets.push(StateId::new(target));
        });
        self.begins.resize(self.graph.len(), UNVISITED);
        self.counts.resize(self.graph.len(), 0);
        if let Err(number) = fits {
            self.targets.truncate(begin);
            return Err(Halt::Unfit(number));
        }
        // Successors are a set.
        self.targets[begin..].sort_unstable();
        let mut kept = begin;
        for at in begin..self.targets.len() {
            if at == begin || self.targets[at] != self.targets[at - 1] {
                self.targets[kept] = self.targets[at];
                kept += 1;
            }
        }
        self.targets.truncate(kept);
        self.begins[id.index()] = begin as u32;
        self.counts[id.index()] = (kept - begin) as u32;
        self.visited += 1;
        Ok(())
    }

    /// Visits states in the order in which they were found until so many are visited; says
    /// whether all there are were.
    pub fn visit_first(&mut self, number: usize, budget: &Budget) -> Result<bool, Halt> {
        let mut next = 0;
        while self.visited < number && next < self.graph.len() {
            self.visit(StateId::from_index(next), budget)?;
            next += 1;
        }
        Ok(self.visited == self.graph.len())
    }

    /// Where a step with a label leads from a state that was visited: the first such step.
    pub fn follow(&self, from: StateId, label: u32) -> Option<StateId> {
        let mut words = None;
        let start = self.graph.state(from);
        let all = self.system.successors(&start, &mut |one, state| {
            if one == label && words.is_none() {
                words = Some(state.to_vec());
            }
        });
        let words = all.ok().and(words)?;
        let known = self.known(from)?.iter().copied();
        known
            .into_iter()
            .find(|&one| self.graph.state(one) == words)
    }

    /// The steps from a state that was visited: their labels and where they lead, several with one target, too.
    pub fn labelled(&self, from: StateId) -> Vec<(u32, StateId)> {
        let targets = self.known(from).unwrap_or_default();
        let targets: Vec<(Vec<u64>, StateId)> = targets
            .iter()
            .map(|&one| (self.graph.state(one), one))
            .collect();
        let mut steps = Vec::with_capacity(targets.len());
        // What was visited fits.
        let _ = self
            .system
            .successors(&self.graph.state(from), &mut |label, state| {
                let target = targets.iter().find(|target| target.0 == state);
                steps.extend(target.map(|target| (label, target.1)));
            });
        steps
    }

    /// The label of a step between two states, if there is one: the first.
    pub fn label(&self, from: StateId, to: StateId) -> Option<u32> {
        let target = self.graph.state(to);
        let mut found = None;
        let all = self
            .system
            .successors(&self.graph.state(from), &mut |label, state| {
                if found.is_none() && state == target {
                    found = Some(label);
                }
            });
        all.ok().and(found)
    }
}
