//! Search, breadth-first and depth-first.

use std::ops::ControlFlow;

use quotient_core::{Budget, Stop};

use crate::met::Met;
use crate::piece::{How, Piece, Successors};
use crate::{Graph, StateId};

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

    /// Writes every step from a state down, as [`successors`](Self::successors) tells them. A system may do it by
    /// itself, which is faster.
    fn all_successors(&self, state: &[u64], into: &mut Successors) -> Result<(), u64> {
        self.successors(state, &mut |label, next| into.push(label, next))
    }

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

    /// Writes the canonical form of a state in its place, and says whether states of this system
    /// have one: a state that stands for all that are like it, because some exchange of parts that
    /// changes no step leads from one to the other. Two states that are alike have the same form.
    ///
    /// [`search`] and [`search_together`](crate::search_together) keep only canonical forms; what
    /// is asked must not depend on which of them a state is. [`real_run`](crate::real_run) finds a
    /// run of the system itself.
    fn canonical(&self, state: &mut [u64]) -> bool {
        let _ = state;
        false
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

/// Who is shown states: gets the graph so far, the number of the state, its words, and how many
/// steps leave it.
pub type Visit<'a> = dyn FnMut(&Graph, StateId, &[u64], usize) -> ControlFlow<()> + 'a;

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
    visit: &mut Visit<'_>,
) -> (Graph, Ending) {
    let (mut graph, symmetric) = beginnings(system);
    let how = How {
        worth: None,
        symmetric,
        few: order == Order::Breadth,
    };
    let mut taker = Taker::new(limits, budget, visit);
    let ending = match order {
        Order::Breadth => taker.breadth(system, &mut graph, how),
        Order::Depth => taker.depth(system, &mut graph, how),
    };
    (graph, ending)
}

/// The states that a system begins with, and whether they have canonical forms.
pub(crate) fn beginnings<S: System + ?Sized>(system: &S) -> (Graph, bool) {
    let mut graph = Graph::new(system.width());
    let mut symmetric = false;
    let mut form = Vec::new();
    system.initial(&mut |state| {
        form.clear();
        form.extend_from_slice(state);
        symmetric |= system.canonical(&mut form);
        graph.insert(&form, None);
    });
    (graph, symmetric)
}

/// How many states are worked out before any of them is taken.
pub(crate) const PIECE: usize = 256;

/// How many states are paid for at a time.
const AT_A_TIME: u32 = 32;

/// Takes states one after the other: within the limits, and shown to the visitor.
pub(crate) struct Taker<'a, 'b> {
    limits: &'a Limits,
    budget: &'a Budget,
    visit: &'a mut Visit<'b>,
    state: Vec<u64>,
    /// States with smaller numbers are paid for, where they are visited in order.
    paid: u32,
    at_a_time: u32,
}

impl<'a, 'b> Taker<'a, 'b> {
    pub(crate) fn new(
        limits: &'a Limits,
        budget: &'a Budget,
        visit: &'a mut Visit<'b>,
    ) -> Taker<'a, 'b> {
        Taker {
            limits,
            budget,
            visit,
            state: Vec::new(),
            paid: 0,
            at_a_time: AT_A_TIME,
        }
    }

    fn breadth(&mut self, system: &dyn System, graph: &mut Graph, how: How<'_>) -> Ending {
        let (mut piece, mut met) = (Piece::default(), Met::default());
        let mut next = 0;
        while next < graph.len() {
            // States are visited in the order in which they were found.
            let to = graph.len().min(next + PIECE);
            piece.fill(system, graph, next as u32..to as u32, how, &mut met);
            piece.look(system, graph, how);
            piece.make_room(graph);
            if let Some(ending) = self.take(graph, &mut piece, next as u32) {
                return ending;
            }
            next = to;
        }
        Ending::Complete
    }

    fn depth(&mut self, system: &dyn System, graph: &mut Graph, how: How<'_>) -> Ending {
        let (mut piece, mut met) = (Piece::default(), Met::default());
        let mut stack: Vec<u32> = (0..graph.len() as u32).rev().collect();
        while let Some(id) = stack.pop() {
            piece.fill(system, graph, id..id + 1, how, &mut met);
            piece.look(system, graph, how);
            let known = graph.len() as u32;
            // States are paid for one by one.
            (self.paid, self.at_a_time) = (0, 1);
            piece.make_room(graph);
            if let Some(ending) = self.take(graph, &mut piece, id) {
                return ending;
            }
            stack.extend((known..graph.len() as u32).rev());
        }
        Ending::Complete
    }

    /// Takes the states of a piece, the first with this number, where the graph has room for it; says why that was
    /// the end.
    pub(crate) fn take(&mut self, graph: &Graph, piece: &mut Piece, first: u32) -> Option<Ending> {
        let ending = self.take_all(graph, piece, first);
        piece.note(graph);
        ending
    }

    fn take_all(&mut self, graph: &Graph, piece: &mut Piece, first: u32) -> Option<Ending> {
        for at in 0..piece.len() {
            let id = first + at as u32;
            if let Err(stop) = self.pay(graph, id) {
                return Some(Ending::Stopped(stop));
            }
            if graph.len() >= self.limits.states {
                let stop = Stop::bound("the number of states", self.limits.states as u64);
                return Some(Ending::Stopped(stop));
            }
            piece.commit(graph, at, id);
            if let Some(number) = piece.unfit(at) {
                return Some(Ending::Unfit(number));
            }
            let (count, is_worth) = piece.count(at);
            if is_worth {
                let id = StateId::new(id);
                graph.read(id, &mut self.state);
                if (self.visit)(graph, id, &self.state, count).is_break() {
                    return Some(Ending::Enough);
                }
            }
        }
        None
    }

    /// Pays for a state: for several that are known and come next at a time, since many threads share one budget.
    fn pay(&mut self, graph: &Graph, id: u32) -> Result<(), Stop> {
        if id < self.paid {
            return Ok(());
        }
        let some = (graph.len() as u32 - id).clamp(1, self.at_a_time);
        self.budget.charge(some.into())?;
        self.paid = id + some;
        Ok(())
    }
}
