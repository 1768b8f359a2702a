//! States with the steps between them, found as far as somebody asks.

use quotient_core::{Budget, Stop};

use crate::{Graph, System};

/// Not visited yet.
const UNVISITED: u32 = u32::MAX;

/// The states of a system with the steps between them, visited one by one on demand.
///
/// Several questions share it: what one of them had visited is there for the next.
pub struct Steps<'a> {
    system: &'a dyn System,
    graph: Graph,
    /// Where the successors of a state begin in `targets`: their number, then they.
    begins: Vec<u32>,
    targets: Vec<u32>,
    initial: Vec<u32>,
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
        system.initial(&mut |state| initial.extend(graph.insert(state, None)));
        Steps {
            system,
            begins: vec![UNVISITED; graph.len()],
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
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// How many states were visited: their successors are known.
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// How many steps are known.
    pub fn len(&self) -> usize {
        self.targets.len() - self.visited
    }

    /// Whether no step is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The successors of a state, if it was visited.
    pub fn known(&self, id: u32) -> Option<&[u32]> {
        match self.begins.get(id as usize) {
            None | Some(&UNVISITED) => None,
            Some(&begin) => {
                let begin = begin as usize;
                let count = self.targets[begin] as usize;
                Some(&self.targets[begin + 1..=begin + count])
            }
        }
    }

    /// Visits a state, if that was not done before.
    pub fn visit(&mut self, id: u32, budget: &Budget) -> Result<(), Halt> {
        if self.begins[id as usize] != UNVISITED {
            return Ok(());
        }
        budget.charge(1)?;
        // Numbers of states and places in the list of steps are 32 bits wide.
        if self.graph.len() >= self.most || self.targets.len() >= UNVISITED as usize / 2 {
            return Err(Stop::bound("the number of states", self.most as u64).into());
        }
        let begin = self.targets.len();
        self.graph.read(id, &mut self.scratch);
        self.targets.push(0);
        let (graph, targets) = (&mut self.graph, &mut self.targets);
        let fits = self.system.successors(&self.scratch, &mut |label, state| {
            let target = graph.find_or_insert(state, Some((id, label)));
            targets.push(target);
        });
        self.begins.resize(self.graph.len(), UNVISITED);
        if let Err(number) = fits {
            self.targets.truncate(begin);
            return Err(Halt::Unfit(number));
        }
        // Successors are a set.
        self.targets[begin + 1..].sort_unstable();
        let mut kept = begin + 1;
        for at in begin + 1..self.targets.len() {
            if at == begin + 1 || self.targets[at] != self.targets[at - 1] {
                self.targets[kept] = self.targets[at];
                kept += 1;
            }
        }
        self.targets.truncate(kept);
        self.targets[begin] = (kept - begin - 1) as u32;
        self.begins[id as usize] = begin as u32;
        self.visited += 1;
        Ok(())
    }

    /// Visits states in the order in which they were found until so many are visited; says
    /// whether all there are were.
    pub fn visit_first(&mut self, number: usize, budget: &Budget) -> Result<bool, Halt> {
        let mut next = 0;
        while self.visited < number && next < self.graph.len() {
            self.visit(next as u32, budget)?;
            next += 1;
        }
        Ok(self.visited == self.graph.len())
    }

    /// Where a step with a label leads from a state that was visited: the first such step.
    pub fn follow(&self, from: u32, label: u32) -> Option<u32> {
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
    pub fn labelled(&self, from: u32) -> Vec<(u32, u32)> {
        let targets = self.known(from).unwrap_or_default();
        let targets: Vec<(Vec<u64>, u32)> = targets
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
    pub fn label(&self, from: u32, to: u32) -> Option<u32> {
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
