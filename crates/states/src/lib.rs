//! Finite-state models as plain data, and what they mean on whole states.
//!
//! A modelling language translates its text into a [`Model`]; the independent checker of
//! evidence works on it. There is nothing clever here on purpose: a reader should be able to
//! believe every line.
//!
//! * `value`: values, domains, and the code of a value in bits;
//! * `expression`: the arena of expressions;
//! * `apply`: operators on single values;
//! * `model`: variables, constraints, fairness, properties;
//! * `check`: whether a model makes sense, with the types of its expressions;
//! * `evaluate`: states, steps and the values of expressions on them;
//! * `evidence`: runs and sets of states, as evidence writes them.
//!
//! ```
//! use quotient_states::{Domain, Kind, Model, Node, Operator, State, Value};
//! // A counter that goes from 0 up to 3 and stays there.
//! let mut model = Model::default();
//! let x = model.add_variable("x", Kind::State, Domain::Range(0, 3));
//! let mut add = |node| model.expressions.add(node);
//! let now = add(Node::Variable { variable: x, next: false });
//! let next = add(Node::Variable { variable: x, next: true });
//! let [zero, one, top] = [0, 1, 3].map(|n| add(Node::Constant(Value::Integer(n))));
//! let starts = add(Node::Binary(Operator::Equal, now, zero));
//! let more = add(Node::Binary(Operator::Plus, now, one));
//! let is_top = add(Node::Binary(Operator::Equal, now, top));
//! let then = add(Node::Choose(is_top, now, more));
//! let step = add(Node::Binary(Operator::Equal, next, then));
//! model.initial.push(starts);
//! model.transitions.push(step);
//! model.check().unwrap();
//! let at = |n| State(vec![Value::Integer(n)]);
//! assert!(model.is_initial(&at(0)) && model.is_step(&at(0), &at(1)));
//! assert!(model.is_step(&at(3), &at(3)) && !model.is_step(&at(1), &at(3)));
//! ```

mod apply;
mod bits;
mod check;
mod evaluate;
mod evidence;
mod expression;
mod model;
mod value;

pub use apply::apply;
pub use bits::{Bits, WIDEST};
pub use check::Fault;
pub use evaluate::{State, Values};
pub use evidence::{Barrier, Bound, Induction, Run, StateSet};
pub use expression::{ExpressionId, Expressions, Node, Operator};
pub use model::{Kind, Logic, Model, Property, Variable, VariableId};
pub use value::{Domain, SymbolId, Type, Value};
