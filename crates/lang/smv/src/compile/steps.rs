//! Initial states and steps one by one, by a SAT solver: models with many bits are no harder than
//! their text is long, and nothing is listed that nobody asked for.

use quotient_core::{Budget, Stop, Trouble};
use quotient_language::Random;
use quotient_logic::Formula;
use quotient_symbolic::{Expression, Valuation};

use super::satisfy::Satisfier;
use super::{Compiled, encode};
use crate::evaluate::State;
use crate::program::{Kind, NodeId, Program, VariableId};

/// More bits than this are not tossed one by one in one step.
const MOST_COINS: usize = 512;

/// A compiled program with a solver that knows its steps.
pub(crate) struct Steps {
    compiled: Compiled,
    satisfier: Satisfier,
    /// What initial states fulfil.
    start: Vec<Expression>,
    /// What steps fulfil.
    step: Vec<Expression>,
    condition: Option<Condition>,
}

/// What steps are held to by a user.
#[derive(Clone, Copy)]
enum Condition {
    /// About the state reached: itself, and the same after a step.
    Reached(Expression, Expression),
    /// About the step.
    Taken(Expression),
}

/// A step: the state before with the inputs, and the state after.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) before: State,
    pub(crate) after: State,
}

impl Steps {
    pub(crate) fn new(program: &Program, budget: &Budget) -> Result<Steps, Trouble> {
        let mut compiled = Compiled::new(program, budget)?;
        let legal = compiled.legal();
        let mut start = legal.clone();
        start.extend(compiled.model.init());
        let mut step = legal.clone();
        step.extend(compiled.model.transitions());
        for constraint in legal {
            step.extend(compiled.model.next(constraint));
        }
        Ok(Steps {
            satisfier: Satisfier::new(budget),
            compiled,
            start,
            step,
            condition: None,
        })
    }

    /// From now on, only steps (or states) that fulfil a formula without temporal operators
    /// count. It is about the state reached, unless it mentions inputs or next values. Answers
    /// whether it is such a formula.
    pub(crate) fn constrain(
        &mut self,
        program: &Program,
        condition: Option<&Formula<NodeId>>,
        budget: &Budget,
    ) -> Result<bool, Trouble> {
        let Some(formula) = condition else {
            self.condition = None;
            return Ok(true);
        };
        let lowered = self.compiled.formula(program, formula, budget)?;
        let Some(mut holds) = self.compiled.propositional(&lowered) else {
            return Ok(false);
        };
        for &atom in formula.atoms() {
            let fails = self.compiled.fails(atom);
            holds = self.compiled.model.and(holds, !fails);
        }
        self.condition = Some(match self.compiled.model.next(holds) {
            Some(after) => Condition::Reached(holds, after),
            None => Condition::Taken(holds),
        });
        Ok(true)
    }

    /// Whether steps are held to a condition.
    pub(crate) fn is_constrained(&self) -> bool {
        self.condition.is_some()
    }

    /// Initial states, or steps from a state: at most so many in order, and whether there are
    /// more.
    pub(crate) fn list(
        &mut self,
        program: &Program,
        from: Option<&State>,
        limit: usize,
        budget: &Budget,
    ) -> Result<(Vec<Found>, bool), Stop> {
        self.satisfier.watch(budget);
        let over = self.bits(program, from.is_some());
        let constraints = self.constraints(program, from, true);
        let model = &self.compiled.model;
        let found = self
            .satisfier
            .enumerate(model, &constraints, &over, limit, budget)?;
        let (values, more) = found;
        let mut steps: Vec<Found> = values
            .into_iter()
            .map(|values| self.found(program, from, values))
            .collect();
        steps.sort_unstable();
        Ok((steps, more))
    }

    /// Whether there is an initial state, or a step from a state, whatever the condition says.
    pub(crate) fn exists(
        &mut self,
        program: &Program,
        from: Option<&State>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.satisfier.watch(budget);
        let constraints = self.constraints(program, from, false);
        let found = self
            .satisfier
            .satisfy(&self.compiled.model, &constraints, budget)?;
        Ok(found.is_some())
    }

    /// Some initial state, or some step from a state: every free bit is tossed like a coin.
    pub(crate) fn any(
        &mut self,
        program: &Program,
        from: Option<&State>,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Option<Found>, Stop> {
        self.satisfier.watch(budget);
        let mut bits = self.bits(program, from.is_some());
        for last in (1..bits.len()).rev() {
            bits.swap(last, random.below(last + 1));
        }
        bits.truncate(MOST_COINS);
        let coins: Vec<(Expression, bool)> = bits
            .into_iter()
            .map(|bit| (bit, random.below(2) == 1))
            .collect();
        let constraints = self.constraints(program, from, true);
        let model = &self.compiled.model;
        let found = self.satisfier.toss(model, &constraints, &coins, budget)?;
        Ok(found.map(|values| self.found(program, from, values)))
    }

    fn constraints(
        &mut self,
        program: &Program,
        from: Option<&State>,
        conditioned: bool,
    ) -> Vec<Expression> {
        let condition = self.condition.filter(|_| conditioned);
        let Some(from) = from else {
            let mut all = self.start.clone();
            if let Some(Condition::Reached(holds, _)) = condition {
                all.push(holds);
            }
            return all;
        };
        let mut all = self.step.clone();
        for id in program.variable_ids() {
            let variable = program.variable(id);
            if variable.kind == Kind::Input {
                continue;
            }
            let code = encode(&variable.domain, from.value(id));
            for (at, bit) in self.bits_of(id, false).into_iter().enumerate() {
                all.push(if code.bit(at) { bit } else { !bit });
            }
        }
        match condition {
            Some(Condition::Reached(_, after)) => all.push(after),
            Some(Condition::Taken(holds)) => all.push(holds),
            None => {}
        }
        all
    }

    /// The bits that tell initial states, or steps from a state, apart.
    fn bits(&mut self, program: &Program, of_steps: bool) -> Vec<Expression> {
        let mut bits = Vec::new();
        for id in program.variable_ids() {
            match (program.variable(id).kind, of_steps) {
                (Kind::Input, true) | (Kind::State | Kind::Frozen, false) => {
                    bits.extend(self.bits_of(id, false));
                }
                (Kind::State, true) => bits.extend(self.bits_of(id, true)),
                (Kind::Input, false) | (Kind::Frozen, true) => {}
            }
        }
        bits
    }

    fn bits_of(&mut self, id: VariableId, next: bool) -> Vec<Expression> {
        let id = self.compiled.variable(id);
        let model = &mut self.compiled.model;
        let count = model.variable(id).bits().len() as u32;
        let bits = (0..count).map(|bit| match next {
            true => model.next_bit(id, bit),
            false => model.bit(id, bit),
        });
        bits.collect()
    }

    fn found(
        &self,
        program: &Program,
        from: Option<&State>,
        (now, next): (Valuation, Valuation),
    ) -> Found {
        let now = self.compiled.state(program, &now);
        let Some(from) = from else {
            let after = program.with_inputs(&now, &first_values(program));
            return Found {
                before: after.clone(),
                after,
            };
        };
        let next = self.compiled.state(program, &next);
        let before = program.with_inputs(from, &now);
        let after = program.variable_ids().map(|id| {
            let variable = program.variable(id);
            match variable.kind {
                Kind::State => next.value(id),
                Kind::Frozen => from.value(id),
                Kind::Input => variable.domain.first(),
            }
        });
        Found {
            before,
            after: State(after.collect()),
        }
    }
}

fn first_values(program: &Program) -> State {
    let variables = program.variables().iter();
    State(variables.map(|variable| variable.domain.first()).collect())
}
