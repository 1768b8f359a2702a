//! Formulas over expressions of the engine's model.

use quotient_core::{Budget, Trouble};
use quotient_logic::{Binary, Formula, Kind as Says, Placeholder, Unary};
use quotient_symbolic::Expression;

use super::Compiled;
use crate::program::{Node, NodeId, Program};

impl Compiled {
    /// A formula of a program over expressions of the engine's model. A placeholder over a
    /// variable that is not Boolean becomes one over its bits. (Formulas are no deeper than the
    /// parser allows.)
    pub fn formula(
        &mut self,
        program: &Program,
        formula: &Formula<NodeId>,
        budget: &Budget,
    ) -> Result<Formula<Expression>, Trouble> {
        let says = match &formula.kind {
            &Says::Constant(value) => Says::Constant(value),
            &Says::Atom(node) => Says::Atom(self.condition(program, node, budget)?),
            Says::Placeholder(hole) => {
                let over = match &hole.over {
                    None => None,
                    Some(nodes) => Some(self.propositions(program, nodes, budget)?),
                };
                Says::Placeholder(Placeholder { over })
            }
            Says::Unary(operator, operand) => {
                let operand = self.formula(program, operand, budget)?;
                Says::Unary(*operator, Box::new(operand))
            }
            Says::Binary(operator, left, right) => {
                let left = self.formula(program, left, budget)?;
                let right = self.formula(program, right, budget)?;
                Says::Binary(*operator, Box::new(left), Box::new(right))
            }
        };
        Ok(Formula::new(says, formula.span))
    }

    fn propositions(
        &mut self,
        program: &Program,
        nodes: &[NodeId],
        budget: &Budget,
    ) -> Result<Vec<Expression>, Trouble> {
        let mut propositions = Vec::new();
        for &node in nodes {
            match program.node(node) {
                Node::Variable { variable, .. } => {
                    let id = self.variables[variable.index()];
                    let bits = self.model.variable(id).bits().len() as u32;
                    propositions.extend((0..bits).map(|bit| self.model.bit(id, bit)));
                }
                _ => propositions.push(self.condition(program, node, budget)?),
            }
        }
        Ok(propositions)
    }

    /// A formula without temporal operators and placeholders as one expression.
    pub(crate) fn propositional(&mut self, formula: &Formula<Expression>) -> Option<Expression> {
        match &formula.kind {
            &Says::Constant(value) => Some(Expression::constant(value)),
            &Says::Atom(atom) => Some(atom),
            Says::Unary(Unary::Not, operand) => self.propositional(operand).map(|operand| !operand),
            Says::Binary(operator, left, right) => {
                let (left, right) = (self.propositional(left)?, self.propositional(right)?);
                let model = &mut self.model;
                match operator {
                    Binary::And => Some(model.and(left, right)),
                    Binary::Or => Some(model.or(left, right)),
                    Binary::Xor => Some(model.xor(left, right)),
                    Binary::Implies => Some(model.implies(left, right)),
                    Binary::Iff => Some(model.iff(left, right)),
                    _ => None,
                }
            }
            Says::Unary(..) | Says::Placeholder(_) => None,
        }
    }
}
