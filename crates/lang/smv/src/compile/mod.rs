//! Flat program to the model of the state engine, and its states back to values.
//!
//! * this file: variables, constraints, states;
//! * `expression`: typed expressions to bits;
//! * `lowered`: values in bits, and operators on them;
//! * `numbers`: circuits for arithmetic;
//! * `formula`, `query`: formulas over the engine's expressions, without and with placeholders;
//! * `sets`: assignments and `in`, where a set is a choice;
//! * `obligations`: what must never happen (a `case` that is not total, a value outside of a
//!   domain), checked by the SAT solver behind `satisfy`;
//! * `steps`: initial states and steps one by one, by the same solver;
//! * `legal`: what all states fulfil.

mod expression;
mod formula;
mod legal;
mod lowered;
mod numbers;
mod obligations;
mod query;
mod satisfy;
mod sets;
mod steps;

use quotient_core::{Budget, Trouble};
use quotient_symbolic as symbolic;
use quotient_symbolic::{Expression, Model, Valuation};

use crate::evaluate::State;
use crate::program::{
    Bits, Domain, Kind, Node, NodeId, Operator, Program, Value, VariableId, When,
};
use expression::Lowering;
pub(crate) use steps::{Found, Steps};

/// A program as the state engine works on it.
///
/// ```
/// use quotient_core::{Budget, Source};
/// use quotient_smv::{Compiled, File};
/// let source = Source::new("m.smv", "MODULE main VAR x : 0..5; INIT x = 3");
/// let file = File::read(&source).unwrap();
/// let compiled = Compiled::new(file.program(), &Budget::unlimited()).unwrap();
/// assert_eq!(compiled.model().bit_count(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct Compiled {
    model: Model,
    lowering: Lowering,
    /// The engine's variable of each variable of the program.
    variables: Vec<symbolic::VariableId>,
}

impl Compiled {
    /// Compiles all variables and constraints of a program, after checking that no `case`
    /// fails, no index is out of range and no assigned value is outside of its domain.
    pub fn new(program: &Program, budget: &Budget) -> Result<Compiled, Trouble> {
        let mut compiled = Compiled {
            model: Model::new(),
            lowering: Lowering::default(),
            variables: Vec::new(),
        };
        for variable in program.variables() {
            let kind = match variable.kind {
                Kind::State => symbolic::Kind::State,
                Kind::Input => symbolic::Kind::Input,
                Kind::Frozen => symbolic::Kind::Frozen,
            };
            let domain = engine_domain(program, &variable.domain);
            let id = compiled.model.add_variable(&variable.name, kind, domain);
            compiled.variables.push(id);
        }
        compiled.check_obligations(program, budget)?;
        compiled.add_constraints(program, budget)?;
        Ok(compiled)
    }

    /// The engine's model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The engine's variable of a variable of the program.
    pub fn variable(&self, id: VariableId) -> symbolic::VariableId {
        self.variables[id.index()]
    }

    /// A Boolean expression of the program as an expression of the engine's model.
    pub fn condition(
        &mut self,
        program: &Program,
        node: NodeId,
        budget: &Budget,
    ) -> Result<Expression, Trouble> {
        self.lower(program, [node], budget)?;
        Ok(self.boolean(node))
    }

    /// A state of the engine's model in values of the program.
    pub fn state(&self, program: &Program, valuation: &Valuation) -> State {
        let values = program.variables().iter().zip(&self.variables);
        let decode = values.map(|(variable, &id)| {
            let bits = self.model.variable(id).bits();
            decode(
                &variable.domain,
                Bits::collect(bits.map(|bit| valuation.get(bit))),
            )
        });
        State(decode.collect())
    }

    fn add_constraints(&mut self, program: &Program, budget: &Budget) -> Result<(), Trouble> {
        let sections: [(&[NodeId], fn(&mut Model, Expression)); 3] = [
            (program.init(), Model::add_init),
            (program.invariants(), Model::add_invariant),
            (program.transitions(), Model::add_transition),
        ];
        for (nodes, add) in sections {
            for node in nodes.iter().flat_map(|&node| conjuncts(program, node)) {
                let condition = self.condition(program, node, budget)?;
                add(&mut self.model, condition);
            }
        }
        for &node in program.justice() {
            let condition = self.condition(program, node, budget)?;
            self.model.add_justice(condition);
        }
        for &(when, then) in program.compassion() {
            let when = self.condition(program, when, budget)?;
            let then = self.condition(program, then, budget)?;
            self.model.add_compassion(when, then);
        }
        for assignment in program.assignments() {
            let condition = self.assigned(program, assignment, budget)?;
            match assignment.when {
                When::Initially => self.model.add_init(condition),
                When::Always => self.model.add_invariant(condition),
                When::Next => self.model.add_transition(condition),
            }
        }
        Ok(())
    }
}

/// The parts of `a & b & c`, in order: the engine works on small constraints.
fn conjuncts(program: &Program, root: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        match program.node(id) {
            _ if !seen.insert(id) => {}
            Node::Binary(Operator::And, left, right) => open.extend([right, left]),
            _ => found.push(id),
        }
    }
    found
}

/// The engine codes values by position.
fn engine_domain(program: &Program, domain: &Domain) -> symbolic::Domain {
    match domain {
        Domain::Boolean => symbolic::Domain::Boolean,
        &Domain::Range(low, high) => symbolic::Domain::Range(low, high),
        Domain::Enumeration(values) => {
            symbolic::Domain::enumeration(values.iter().map(|&value| program.show(value)))
        }
        &Domain::Word { signed, width } => symbolic::Domain::Word { width, signed },
    }
}

/// The code of a value of a domain.
fn encode(domain: &Domain, value: Value) -> Bits {
    match (domain, value) {
        (_, Value::Boolean(value)) => Bits::from(u64::from(value)),
        (&Domain::Range(low, _), Value::Integer(number)) => Bits::from(number.abs_diff(low)),
        (_, Value::Word { bits, .. }) => bits,
        (Domain::Enumeration(values), value) => {
            let at = values.iter().position(|&one| one == value);
            Bits::from(at.unwrap_or_default() as u64)
        }
        _ => Bits::ZERO,
    }
}

/// The value with a code. A code without a value is read as the last value: no legal state
/// has one.
fn decode(domain: &Domain, bits: Bits) -> Value {
    let code = bits.as_u64().unwrap_or(u64::MAX);
    match domain {
        Domain::Boolean => Value::Boolean(code != 0),
        &Domain::Range(low, high) => {
            let number = low.checked_add_unsigned(code).unwrap_or(high);
            Value::Integer(number.min(high))
        }
        Domain::Enumeration(values) => {
            let at = usize::try_from(code).unwrap_or(usize::MAX);
            values[at.min(values.len() - 1)]
        }
        &Domain::Word { signed, width } => Value::word(signed, width, bits),
    }
}
