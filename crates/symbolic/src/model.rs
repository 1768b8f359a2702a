//! The model that modelling languages compile to: bits, expressions, constraints.
//!
//! * `variable`: what a variable is, its domain, and how values are coded in bits;
//! * `expression`: the hash-consed graph of Boolean expressions;
//! * `evaluate`: the value of an expression for given bits;
//! * this file: the model itself and the constraints that make it a transition system.

mod evaluate;
mod expression;
mod variable;

pub use evaluate::Valuation;
pub use expression::{Expression, Node};
pub use variable::{Domain, Kind, Value, Variable, VariableId};

use expression::Graph;

/// Infinitely often `when` only if infinitely often `then` (strong fairness).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compassion {
    /// If this holds infinitely often …
    pub when: Expression,
    /// … so does this.
    pub then: Expression,
}

/// A finite transition system over bits, language-neutral.
///
/// A state gives a value to every state and frozen variable; an input variable has a value in
/// every step. A state is *legal* if all invariants hold in it. The system starts in a legal
/// state where all `init` constraints hold and steps between legal states so that all
/// `transition` constraints hold, frozen variables keep their value (no constraint needed),
/// and the rest is free. A path is fair if every justice constraint holds infinitely often
/// and every compassion constraint is met. Domains whose size is no power of two have codes
/// without a value: the model excludes them by itself.
///
/// ```
/// use quotient_symbolic::{Domain, Kind, Model};
/// // A traffic light: red -> green -> yellow -> red.
/// let mut model = Model::new();
/// let colours = Domain::enumeration(["red", "green", "yellow"]);
/// let light = model.add_variable("light", Kind::State, colours);
/// let red = model.is_value(light, 0);
/// model.add_init(red);
/// let mut cases = Vec::new();
/// for (from, to) in [(0, 1), (1, 2), (2, 0)] {
///     let (from, to) = (model.is_value(light, from), model.next_is_value(light, to));
///     cases.push(model.and(from, to));
/// }
/// let step = model.or_all(cases);
/// model.add_transition(step);
/// assert_eq!(model.bit_count(), 2);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Model {
    graph: Graph,
    variables: Vec<Variable>,
    /// The variable that each bit belongs to.
    owners: Vec<VariableId>,
    init: Vec<Expression>,
    invariants: Vec<Expression>,
    transitions: Vec<Expression>,
    justice: Vec<Expression>,
    compassion: Vec<Compassion>,
}

impl Model {
    /// A model without variables or constraints: one state that steps to itself.
    pub fn new() -> Model {
        Model::default()
    }

    /// Declares a variable. Its bits are numbered consecutively, least significant first.
    ///
    /// Names are for people; the model does not ask that they differ.
    pub fn add_variable(
        &mut self,
        name: impl Into<String>,
        kind: Kind,
        domain: Domain,
    ) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        let first_bit = self.owners.len() as u32;
        let bits = domain.bits();
        self.owners.extend((0..bits).map(|_| id));
        self.variables.push(Variable {
            name: name.into(),
            kind,
            domain,
            first_bit,
            bits,
        });
        id
    }

    /// Adds a constraint on initial states, over current bits of state and frozen variables.
    pub fn add_init(&mut self, constraint: Expression) {
        self.init.push(constraint);
    }

    /// Adds a constraint on every state, over current bits of state and frozen variables.
    pub fn add_invariant(&mut self, constraint: Expression) {
        self.invariants.push(constraint);
    }

    /// Adds a constraint on every step, over current, next and input bits. Add one for each
    /// assignment of the source: the engine keeps them apart and quantifies early.
    pub fn add_transition(&mut self, constraint: Expression) {
        self.transitions.push(constraint);
    }

    /// Adds a condition, over current and input bits, that fair paths meet infinitely often.
    pub fn add_justice(&mut self, condition: Expression) {
        self.justice.push(condition);
    }

    /// Adds a strong fairness condition.
    pub fn add_compassion(&mut self, when: Expression, then: Expression) {
        self.compassion.push(Compassion { when, then });
    }

    pub(crate) fn set_compassion(&mut self, index: usize, when: Expression, then: Expression) {
        self.compassion[index] = Compassion { when, then };
    }

    /// The constraints on initial states.
    pub fn init(&self) -> &[Expression] {
        &self.init
    }

    /// The constraints on every state.
    pub fn invariants(&self) -> &[Expression] {
        &self.invariants
    }

    /// Whether one constraint lists steps way by way, each of which leaves most bits as they are:
    /// decision diagrams take such steps one by one, and fast.
    pub fn lists_steps(&self) -> bool {
        crate::system::lists_steps(self)
    }

    /// The constraints on every step.
    pub fn transitions(&self) -> &[Expression] {
        &self.transitions
    }

    /// The conditions that fair paths meet infinitely often.
    pub fn justice(&self) -> &[Expression] {
        &self.justice
    }

    /// The strong fairness conditions.
    pub fn compassion(&self) -> &[Compassion] {
        &self.compassion
    }

    /// All variables, by [`VariableId`].
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// All variables with their ids.
    pub fn variable_ids(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        let ids = (0..self.variables.len() as u32).map(VariableId);
        ids.zip(&self.variables)
    }

    /// One variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The variable of that name, if one is declared; a linear search.
    pub fn find_variable(&self, name: &str) -> Option<VariableId> {
        let found = self
            .variables
            .iter()
            .position(|variable| variable.name == name);
        found.map(|index| VariableId(index as u32))
    }

    /// How many bits all variables have together.
    pub fn bit_count(&self) -> usize {
        self.owners.len()
    }

    /// The variable that a bit belongs to.
    pub fn owner(&self, bit: u32) -> VariableId {
        self.owners[bit as usize]
    }
}
