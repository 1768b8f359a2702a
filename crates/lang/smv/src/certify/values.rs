//! Whether all expressions have a value, whatever the variables are worth.
//!
//! The evaluator of the language takes a condition without a value for one that is not true. Where
//! what it says about every state, or about a whole run, is to count, no reading may say otherwise:
//! so there must be no such condition. (`check` refuses such models, for all values of variables;
//! this is the same question, asked of the independent checker.)

use quotient_certify::StatesQuestion;
use quotient_core::{Budget, Rejection, Stop};
use quotient_logic::{Binary, Formula};
use quotient_states::{Logic, Node, Operator, Property, StateSet, Value};

use crate::program::{NodeId, Program, Specification};
use crate::syntax::SpecificationKind;

impl Program {
    /// Stops unless all constraints of the model, and some conditions, have a value for all values
    /// of the variables, now and after a step.
    pub(super) fn have_values(&self, atoms: &[NodeId], budget: &Budget) -> Result<(), Rejection> {
        // Not one below the other: there may be many.
        let mut parts: Vec<Formula<NodeId>> = atoms.iter().copied().map(Formula::atom).collect();
        while parts.len() > 1 {
            let pairs = parts.chunks(2).map(|pair| match pair {
                [one, other] => Formula::binary(Binary::And, one.clone(), other.clone()),
                rest => rest[0].clone(),
            });
            parts = pairs.collect();
        }
        let formula = parts.pop().unwrap_or(Formula::constant(true));
        let about = Specification {
            kind: SpecificationKind::Invariant,
            is_psl: false,
            name: None,
            formula,
            text: String::new(),
            span: quotient_core::Span::default(),
        };
        let (mut model, property) = self.to_states(&about, budget)?;
        let pairs = std::mem::take(&mut model.compassion);
        let mut conditions = [
            std::mem::take(&mut model.initial),
            std::mem::take(&mut model.invariants),
            std::mem::take(&mut model.transitions),
            std::mem::take(&mut model.justice),
        ]
        .concat();
        conditions.extend(pairs.into_iter().flat_map(|(when, then)| [when, then]));
        conditions.extend(property.formula.atoms().into_iter().copied());
        // `c | !c` is true where `c` has a value, and has none elsewhere.
        let mut told = model.expressions.add(Node::Constant(Value::Boolean(true)));
        for condition in conditions {
            let opposite = model.expressions.add(Node::Not(condition));
            let one = Node::Binary(Operator::Or, condition, opposite);
            let one = model.expressions.add(one);
            told = (model.expressions).add(Node::Binary(Operator::And, told, one));
        }
        let property = Property {
            logic: Logic::Invariant,
            formula: Formula::atom(told),
        };
        let everything = StateSet {
            variables: Vec::new(),
            nodes: Vec::new(),
            root: 0,
        };
        let question = StatesQuestion {
            model: &model,
            property: &property,
            allow_empty: false,
        };
        match question.certify_set(&everything, budget) {
            Err(Rejection::Wrong(_)) => {
                let why = "an expression of the model or of the property may have no value";
                Err(Stop::inconclusive(why).into())
            }
            other => other.map(|_| ()),
        }
    }
}
