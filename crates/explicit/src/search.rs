//! Search, breadth-first and depth-first.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use crate::Graph;
use crate::graph::hash;

/// Something that has states and steps between them.
pub trait System {
    /// How many words a state takes.
    fn width(&self) -> usize;

    /// Tells every state that it can begin in.
    fn initial(&self, emit: &mut dyn FnMut(&[u64]));

    /// Tells every step from a state: its label, and the state that it leads to. The order is
    /// always the same.
    ///
    /// An error says that a state does not fit into the words (with a number that means
    /// something to the system); the search ends there.
    fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64>;

    /// Tells some steps from a state that stand for all of them, if there are such, and says
    /// whether it did: steps that commute with all others that may come before them, and that
    /// these neither enable nor disable (an ample or persistent set).
    ///
    /// [`search`] takes them instead of all, breadth-first, as long as one of them leads to a state
    /// that is still to be visited: so nothing is put off for ever, and every state without
    /// successors and every step that can ever be taken is still found.
    fn few_successors(
        &self,
        state: &[u64],
        emit: &mut dyn FnMut(u32, &[u64]),
    ) -> Result<bool, u64> {
        let _ = (state, emit);
        Ok(false)
    }
}

/// In which order to visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Near states first: runs are shortest.
    #[default]
    Breadth,
    /// New states first: far ones are found early.
    Depth,
}

/// How far to go.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The most states.
    pub states: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        // Numbers of states are 32 bits wide, and one of them means "none".
        Limits {
            states: u32::MAX as usize - 1,
        }
    }
}

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// Every reachable state was visited.
    Complete,
    /// The visitor had seen enough.
    Enough,
    /// A state does not fit into the words; the number is the system's.
    Unfit(u64),
    /// The budget or a limit ended it.
    Stopped(Stop),
}

/// Visits reachable states, each once, with the number of steps that leave it, until all are
/// visited or the visitor has seen enough.
///
/// The graph holds the states that were found, visited or not. The same system gives the same
/// graph.
pub fn search(
    system: &dyn System,
    order: Order,
    limits: &Limits,
    budget: &Budget,
    visit: &mut dyn FnMut(&Graph, u32, usize) -> ControlFlow<()>,
) -> (Graph, Ending) {
    let mut graph = Graph::new(system.width());
    let mut stack: Vec<u32> = Vec::new();
    system.initial(&mut |state| {
        stack.extend(graph.insert(state, None));
    });
    // Breadth-first, states are visited in the order in which they were found.
    let mut next = 0;
    stack.reverse();
    let mut current = Vec::with_capacity(system.width());
    let mut found: Vec<u32> = Vec::new();
    loop {
        let id = match order {
            Order::Breadth if (next as usize) < graph.len() => {
                next += 1;
                next - 1
            }
            Order::Breadth => return (graph, Ending::Complete),
            Order::Depth => match stack.pop() {
                Some(id) => id,
                None => return (graph, Ending::Complete),
            },
        };
        if let Err(stop) = budget.charge(1) {
            return (graph, Ending::Stopped(stop));
        }
        if graph.len() >= limits.states {
            let stop = Stop::bound("the number of states", limits.states as u64);
            return (graph, Ending::Stopped(stop));
        }
        current.clear();
        current.extend_from_slice(graph.state(id));
        let mut count = 0;
        found.clear();
        // What was found later is visited later; what is there already is not added again.
        let mut later = false;
        let few = match order {
            Order::Breadth => system.few_successors(&current, &mut |label, state| {
                count += 1;
                later |= graph.find_or_insert(state, hash(state), Some((id, label))) > id;
            }),
            Order::Depth => Ok(false),
        };
        let fits = match few {
            Ok(true) if later => Ok(()),
            Ok(_) => {
                count = 0;
                system.successors(&current, &mut |label, state| {
                    count += 1;
                    found.extend(graph.insert(state, Some((id, label))));
                })
            }
            Err(number) => Err(number),
        };
        if let Err(number) = fits {
            return (graph, Ending::Unfit(number));
        }
        if order == Order::Depth {
            stack.extend(found.iter().rev());
        }
        if visit(&graph, id, count).is_break() {
            return (graph, Ending::Enough);
        }
    }
}
