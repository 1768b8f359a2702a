//! Formulas with placeholders, as queries of the engine.

use quotient_core::{Budget, Trouble};
use quotient_logic::{Formula, Kind as Says, Placeholder};
use quotient_symbolic::Term;

use super::Compiled;
use crate::program::{Node, NodeId, Program};

impl Compiled {
    /// A formula of a program as a query: a placeholder over a variable is about its value,
    /// whatever its domain, one over another Boolean expression is about its truth. (Formulas
    /// are no deeper than the parser allows.)
    ///
    /// ```
    /// use quotient_core::{Budget, Context, Source};
    /// use quotient_smv::{Compiled, Config, File};
    /// use quotient_symbolic::{AskOptions, Query};
    /// let source = Source::new("m.smv", "
    ///     MODULE main VAR x : {low, high}; ASSIGN init(x) := low; next(x) := high;
    /// ");
    /// let mut file = File::read(&source).unwrap();
    /// let asked = file.formula(&Source::new("query", "AX ?{x}"), None).unwrap();
    /// let mut compiled = Compiled::new(file.program(), &Budget::unlimited()).unwrap();
    /// let query = compiled.query(file.program(), &asked.formula, &Budget::unlimited()).unwrap();
    /// let model = compiled.model().clone();
    /// let mut query = Query::new(model, query, Config::small(), &Context::default()).unwrap();
    /// let answer = query.ask(&AskOptions::default()).unwrap();
    /// assert_eq!(answer.solutions[0].to_string(), "x = high");
    /// ```
    pub fn query(
        &mut self,
        program: &Program,
        formula: &Formula<NodeId>,
        budget: &Budget,
    ) -> Result<Formula<Term>, Trouble> {
        let says = match &formula.kind {
            &Says::Constant(value) => Says::Constant(value),
            &Says::Atom(node) => Says::Atom(Term::Holds(self.condition(program, node, budget)?)),
            Says::Placeholder(hole) => {
                let terms = hole.over.as_ref().map(|nodes| {
                    let terms = nodes.iter().map(|&node| self.term(program, node, budget));
                    terms.collect::<Result<Vec<Term>, Trouble>>()
                });
                let over = terms.transpose()?;
                Says::Placeholder(Placeholder { over })
            }
            Says::Unary(operator, operand) => {
                let operand = self.query(program, operand, budget)?;
                Says::Unary(*operator, Box::new(operand))
            }
            Says::Binary(operator, left, right) => {
                let left = self.query(program, left, budget)?;
                let right = self.query(program, right, budget)?;
                Says::Binary(*operator, Box::new(left), Box::new(right))
            }
        };
        Ok(Formula::new(says, formula.span))
    }

    /// What a placeholder over an expression is about.
    pub fn term(
        &mut self,
        program: &Program,
        node: NodeId,
        budget: &Budget,
    ) -> Result<Term, Trouble> {
        Ok(match program.node(node) {
            Node::Variable { variable, .. } => Term::Value(self.variable(variable)),
            _ => Term::Holds(self.condition(program, node, budget)?),
        })
    }
}
