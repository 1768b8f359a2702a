//! Search of state spaces, state by state.
//!
//! A language implements [`System`]: where it begins and what can follow, states being packed
//! into a fixed number of words. [`search`] visits every reachable state once, breadth-first (so
//! that runs are shortest) or depth-first, and leaves a [`Graph`] that knows a run to each.
//!
//! ```
//! use std::ops::ControlFlow;
//! use quotient_core::Budget;
//! use quotient_explicit::{Ending, Graph, Limits, Order, StateId, System, search};
//! /// Counts to three.
//! struct Counter;
//! impl System for Counter {
//!     fn width(&self) -> usize { 1 }
//!     fn initial(&self, emit: &mut dyn FnMut(&[u64])) { emit(&[0]) }
//!     fn successors(&self, state: &[u64], emit: &mut dyn FnMut(u32, &[u64])) -> Result<(), u64> {
//!         if state[0] < 3 { emit(7, &[state[0] + 1]) }
//!         Ok(())
//!     }
//! }
//! let mut stuck = None;
//! let visit = &mut |graph: &Graph, id: StateId, _: &[u64], successors: usize| {
//!     if successors == 0 { stuck = Some(graph.run(id)); }
//!     ControlFlow::Continue(())
//! };
//! let (graph, ending) = search(&Counter, Order::Breadth, &Limits::default(), &Budget::unlimited(), visit);
//! assert_eq!((graph.len(), ending), (4, Ending::Complete));
//! assert_eq!(stuck, Some((StateId::new(0), vec![7, 7, 7])));
//! ```
//!
//! For formulas of time, [`Steps`] keeps the steps between states, too, and is visited on
//! demand: [`linear`] looks for a run that breaks a formula of linear time ([`linear_fair`]: for one that is
//! weakly fair to the labels of steps), and [`Branching`]
//! evaluates formulas of branching time on as much of the graph as is known. [`search_spread`]
//! searches with workers in several processes.
//!
//! Where memory is short, [`search_compact`] remembers states by their hashes and says how likely it is
//! that one was missed; [`linear_unsure`] looks in this way for runs that break a formula.
//!
//! Where a function on states loses nothing that matters, [`Splitting`] searches its values ([`Keys`]) and splits
//! them where a path is no real one.
//!
//! [`Needs`] tells by looks into tables which of many steps can be taken in a state.
//!
//! Where there are too many states to visit each, [`Diagrams`] holds sets of them: for systems whose
//! states are vectors of numbers, and whose steps test numbers and add to them.

mod automaton;
mod before;
mod bottoms;
mod branching;
mod compact;
mod diagram;
mod fair;
mod graph;
mod linear;
mod met;
mod needs;
mod numbers;
mod piece;
mod prefix;
mod search;
mod split;
mod spread;
mod steps;
mod symmetry;
mod together;
mod unsure;

pub use automaton::{Automaton, Transition, automaton};
pub use bottoms::bottoms;
pub use branching::Branching;
pub use compact::{Traces, search_compact};
pub use diagram::{Diagrams, Event, Set, Touch};
pub use fair::linear_fair;
pub use graph::{Graph, StateId};
pub use linear::{Lasso, Linear, Rest, carried_on, linear, linear_nearby, linear_part};
pub use needs::{Need, Needs};
pub use piece::{Successors, Worth};
pub use search::{Ending, Limits, Order, System, Visit, search};
pub use split::{Closed, DeadEnd, Keys, RealRun, Splitting};
pub use spread::{Apart, Party, Reaches, Sought, Spread, SpreadRun, search_spread};
pub use steps::{Halt, Steps};
pub use symmetry::real_run;
pub use together::search_together;
pub use unsure::{Unsure, Ways, Words, linear_unsure};
