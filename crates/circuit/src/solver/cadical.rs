//! CaDiCaL, for formulas of many steps.
//!
//! It is asked where formulas are large and questions are few: by bounded search, induction and
//! their like. IC3 keeps to the solver of this crate, whose passing clauses and domains it needs.
//! What is learnt here is evidence as ever: a run that is simulated, or a proof that is checked by
//! another solver.

use quotient_core::{Budget, Stop};
use quotient_netlist::{Literal, Node};

/// How many units of work a look at the budget stands for. The solver looks once in ten rounds of
/// decisions and conflicts.
const UNITS_A_LOOK: u64 = 2_000;

/// The solver. Variables are [`Node`]s, numbered from 0.
///
/// ```
/// use quotient_circuit::Cadical;
/// use quotient_core::Budget;
/// let mut solver = Cadical::new();
/// let (a, b) = (solver.variable().literal(), solver.variable().literal());
/// solver.add(&[a, b]);
/// assert_eq!(solver.solve(&[!a], &Budget::unlimited()), Ok(true));
/// assert_eq!(solver.value(b), Some(true));
/// assert_eq!(solver.solve(&[!b, !a], &Budget::unlimited()), Ok(false));
/// ```
pub struct Cadical {
    solver: cadical::Solver<Watch>,
    variables: usize,
    /// By variable, in the answer just given.
    model: Vec<Option<bool>>,
    looks: u64,
}

/// Looks at a budget while the solver works.
struct Watch {
    budget: Budget,
    looks: u64,
}

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.looks += 1;
        self.budget.charge(UNITS_A_LOOK).is_err()
    }
}

impl std::fmt::Debug for Cadical {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = out.debug_struct("Cadical");
        shown
            .field("variables", &self.variables)
            .finish_non_exhaustive()
    }
}

impl Default for Cadical {
    fn default() -> Self {
        Cadical::new()
    }
}

impl Cadical {
    /// A solver without variables and clauses.
    pub fn new() -> Cadical {
        Cadical {
            solver: cadical::Solver::new(),
            variables: 0,
            model: Vec::new(),
            looks: 0,
        }
    }

    /// A new variable.
    pub fn variable(&mut self) -> Node {
        self.variables += 1;
        Node::new(self.variables - 1)
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.variables
    }

    /// How often it looked at its budget: about a tenth of its decisions and conflicts.
    pub fn conflicts(&self) -> u64 {
        self.looks
    }

    /// Adds a clause for good.
    pub fn add(&mut self, literals: &[Literal]) {
        self.solver.add_clause(literals.iter().copied().map(number));
    }

    /// Whether the clauses can be satisfied under some assumptions.
    pub fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> Result<bool, Stop> {
        // What it does before it looks for the first time costs something, too.
        budget.charge(UNITS_A_LOOK)?;
        let budget = budget.clone();
        self.solver.set_callbacks(Some(Watch {
            budget: budget.clone(),
            looks: 0,
        }));
        let answer = self
            .solver
            .solve_with(assumptions.iter().copied().map(number));
        self.looks += self.solver.get_callbacks().map_or(0, |watch| watch.looks);
        self.solver.set_callbacks(None);
        match answer {
            Some(true) => {
                let all = (0..self.variables).map(|one| Node::new(one).literal());
                self.model = all.map(|one| self.solver.value(number(one))).collect();
                Ok(true)
            }
            Some(false) => Ok(false),
            None => {
                budget.poll()?;
                Err(Stop::exhausted("CaDiCaL gave up"))
            }
        }
    }

    /// The value of a literal in the answer just given.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        let value = self.model.get(literal.node().index()).copied().flatten();
        value.map(|value| value != literal.is_negated())
    }
}

/// A literal as the solver numbers them: from 1, negative if negated.
fn number(literal: Literal) -> i32 {
    let variable = i32::try_from(literal.node().index() + 1).unwrap_or(i32::MAX);
    match literal.is_negated() {
        true => -variable,
        false => variable,
    }
}
