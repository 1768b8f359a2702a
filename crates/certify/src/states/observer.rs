//! A model beside an observer of a formula of linear time.
//!
//! What a formula says of the future is guessed in each state and compared in the next one, what it
//! says of the past is remembered. All this is said in terms of the model: Boolean variables and
//! conditions on the first state and on steps. An atom without a value forbids nothing, so that
//! every reading of it is covered.

use quotient_core::{Budget, Rejection, Stop};
use quotient_logic::{Binary, Formula, Interval, Kind as Says, Unary};
use quotient_states::{Domain, ExpressionId, Kind, Model, Node, Operator, Value, VariableId};

/// More variables of an observer are too many.
const MOST_VARIABLES: usize = 100_000;

/// The model with what was added so far.
pub(super) struct Observer<'a> {
    pub(super) model: Model,
    first: ExpressionId,
    guesses: usize,
    memories: usize,
    /// Each is true again and again if what was promised for some time comes.
    promises: Vec<ExpressionId>,
    budget: &'a Budget,
}

impl<'a> Observer<'a> {
    /// A model whose endless paths are those of the given one that violate a formula, and the
    /// conditions that are true again and again on them.
    pub(super) fn of_violations(
        model: &Model,
        formula: &Formula<ExpressionId>,
        budget: &'a Budget,
    ) -> Result<(Observer<'a>, Vec<ExpressionId>), Rejection> {
        let mut model = model.clone();
        let initial = model.initial.clone();
        let (now, next) = state(&mut model, "(first)".to_owned(), true);
        let later = model.expressions.add(Node::Not(next));
        model.transitions.push(later);
        let mut observer = Observer {
            model,
            first: now,
            guesses: 0,
            memories: 0,
            promises: Vec::new(),
            budget,
        };
        // Whoever goes from step to step may know that the first state is an initial one.
        let later = observer.not(now);
        for condition in initial {
            let demanded = observer.or(later, condition);
            observer.model.invariants.push(demanded);
        }
        let holds = observer.holds(formula)?;
        let fails = observer.not(holds);
        let demanded = observer.or(later, fails);
        observer.model.transitions.push(demanded);
        let mut signals = std::mem::take(&mut observer.promises);
        signals.extend(&observer.model.justice);
        Ok((observer, signals))
    }

    /// Counts the rounds in which all of some conditions were true; gives the condition that a
    /// round ends after so many.
    pub(super) fn count(
        &mut self,
        signals: &[ExpressionId],
        rounds: usize,
    ) -> Result<ExpressionId, Rejection> {
        let mut marks = Vec::new();
        for number in 1..=signals.len() {
            marks.push(self.state(format!("(mark {number})"), false)?);
        }
        let mut ends = self.constant(true);
        let mut come = Vec::new();
        for (&signal, &(mark, _)) in signals.iter().zip(&marks) {
            let here = self.or(mark, signal);
            ends = self.and(ends, here);
            come.push(here);
        }
        let goes_on = self.not(ends);
        for (&here, &(_, next)) in come.iter().zip(&marks) {
            let kept = self.and(here, goes_on);
            self.becomes(next, kept);
        }
        let mut before = self.constant(true);
        for number in 1..=rounds {
            let (now, next) = self.state(format!("(round {number})"), false)?;
            let passed = self.and(ends, before);
            let then = self.or(now, passed);
            self.becomes(next, then);
            before = now;
        }
        Ok(self.and(ends, before))
    }

    /// Whether a formula is true now. (Formulas are no deeper than their readers allow.)
    fn holds(&mut self, formula: &Formula<ExpressionId>) -> Result<ExpressionId, Rejection> {
        match &formula.kind {
            &Says::Constant(value) => Ok(self.constant(value)),
            &Says::Atom(atom) => Ok(atom),
            Says::Placeholder(_) => Err(not_linear()),
            Says::Unary(operator, operand) => {
                let operand = self.holds(operand)?;
                self.unary(*operator, operand)
            }
            Says::Binary(operator, left, right) => {
                let (left, right) = (self.holds(left)?, self.holds(right)?);
                self.binary(*operator, left, right)
            }
        }
    }

    fn unary(&mut self, operator: Unary, operand: ExpressionId) -> Result<ExpressionId, Rejection> {
        let opposite = self.not(operand);
        let always = self.constant(true);
        match operator {
            Unary::Not => Ok(opposite),
            Unary::Next => self.next(operand),
            Unary::Finally(None) => self.until(always, operand),
            Unary::Globally(None) => {
                let fails = self.until(always, opposite)?;
                Ok(self.not(fails))
            }
            Unary::Finally(Some(steps)) => self.within(operand, steps),
            Unary::Globally(Some(steps)) => {
                let fails = self.within(opposite, steps)?;
                Ok(self.not(fails))
            }
            Unary::Yesterday => self.before(operand),
            Unary::WeakYesterday => {
                let fails = self.before(opposite)?;
                Ok(self.not(fails))
            }
            Unary::Once(steps) => self.once(operand, steps),
            Unary::Historically(steps) => {
                let fails = self.once(opposite, steps)?;
                Ok(self.not(fails))
            }
            Unary::ForAll | Unary::Exists => Err(not_linear()),
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<ExpressionId, Rejection> {
        let (not_left, not_right) = (self.not(left), self.not(right));
        match operator {
            Binary::And => Ok(self.and(left, right)),
            Binary::Or => Ok(self.or(left, right)),
            Binary::Implies => Ok(self.or(not_left, right)),
            Binary::Xor => Ok(self.between(Operator::Xor, left, right)),
            Binary::Iff => Ok(self.between(Operator::Equal, left, right)),
            Binary::Until(None) => self.until(left, right),
            Binary::Release => {
                let fails = self.until(not_left, not_right)?;
                Ok(self.not(fails))
            }
            Binary::WeakUntil => {
                let neither = self.and(not_left, not_right);
                let fails = self.until(not_right, neither)?;
                Ok(self.not(fails))
            }
            Binary::Since => self.since(left, right),
            Binary::Triggered => {
                let fails = self.since(not_left, not_right)?;
                Ok(self.not(fails))
            }
            Binary::Until(Some(_)) => Err(not_linear()),
        }
    }

    /// That something is true in the next state.
    fn next(&mut self, what: ExpressionId) -> Result<ExpressionId, Rejection> {
        let (guess, due) = self.guess()?;
        self.comes_true(due, what);
        Ok(guess)
    }

    /// The right at some time, and the left until then.
    fn until(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<ExpressionId, Rejection> {
        let (guess, due) = self.guess()?;
        let still = self.and(left, guess);
        let until = self.or(right, still);
        self.comes_true(due, until);
        let not_promised = self.not(until);
        let promise = self.or(not_promised, right);
        self.promises.push(promise);
        Ok(until)
    }

    /// That something is true after some number of steps in an interval.
    fn within(&mut self, what: ExpressionId, steps: Interval) -> Result<ExpressionId, Rejection> {
        let mut now = match steps.to {
            Some(to) if to < steps.from => return Ok(self.constant(false)),
            Some(to) => {
                let mut now = what;
                for _ in steps.from..to {
                    let later = self.next(now)?;
                    now = self.or(what, later);
                }
                now
            }
            None => {
                let always = self.constant(true);
                self.until(always, what)?
            }
        };
        for _ in 0..steps.from {
            now = self.next(now)?;
        }
        Ok(now)
    }

    /// A guess about the next state, and what was guessed about this one.
    fn guess(&mut self) -> Result<(ExpressionId, ExpressionId), Rejection> {
        self.guesses += 1;
        let number = self.guesses;
        let (due, next) = self.state(format!("(due {number})"), false)?;
        let name = format!("(guess {number})");
        let guess = self.model.add_variable(&name, Kind::Input, Domain::Boolean);
        let guess = value(&mut self.model, guess, false);
        self.becomes(next, guess);
        Ok((guess, due))
    }

    /// Demands that what was guessed is so, but in the first state, before which there was no guess.
    fn comes_true(&mut self, due: ExpressionId, now: ExpressionId) {
        let right = self.between(Operator::Equal, due, now);
        let demanded = self.or(self.first, right);
        self.model.transitions.push(demanded);
    }

    /// That something was true in the state before; false in the first.
    fn before(&mut self, what: ExpressionId) -> Result<ExpressionId, Rejection> {
        let (now, next) = self.memory()?;
        self.becomes(next, what);
        Ok(now)
    }

    /// The right at some time so far, and the left ever since.
    fn since(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<ExpressionId, Rejection> {
        let (before, next) = self.memory()?;
        let still = self.and(left, before);
        let since = self.or(right, still);
        self.becomes(next, since);
        Ok(since)
    }

    /// That something was true some number of steps ago, perhaps one in an interval.
    fn once(
        &mut self,
        what: ExpressionId,
        steps: Option<Interval>,
    ) -> Result<ExpressionId, Rejection> {
        let steps = steps.unwrap_or(Interval { from: 0, to: None });
        let mut now = match steps.to {
            Some(to) if to < steps.from => return Ok(self.constant(false)),
            Some(to) => {
                let mut now = what;
                for _ in steps.from..to {
                    let earlier = self.before(now)?;
                    now = self.or(what, earlier);
                }
                now
            }
            None => {
                let always = self.constant(true);
                self.since(always, what)?
            }
        };
        for _ in 0..steps.from {
            now = self.before(now)?;
        }
        Ok(now)
    }

    fn memory(&mut self) -> Result<(ExpressionId, ExpressionId), Rejection> {
        self.memories += 1;
        self.state(format!("(before {})", self.memories), false)
    }

    /// A Boolean variable that starts with a value: now, and after a step.
    fn state(
        &mut self,
        name: String,
        start: bool,
    ) -> Result<(ExpressionId, ExpressionId), Rejection> {
        self.budget.charge(1)?;
        if self.model.variables.len() >= MOST_VARIABLES {
            return Err(Stop::Memory.into());
        }
        Ok(state(&mut self.model, name, start))
    }

    /// Demands that a variable has some value after each step.
    fn becomes(&mut self, next: ExpressionId, value: ExpressionId) {
        let demanded = self.between(Operator::Equal, next, value);
        self.model.transitions.push(demanded);
    }

    fn constant(&mut self, value: bool) -> ExpressionId {
        let value = Node::Constant(Value::Boolean(value));
        self.model.expressions.add(value)
    }

    pub(super) fn not(&mut self, what: ExpressionId) -> ExpressionId {
        self.model.expressions.add(Node::Not(what))
    }

    fn and(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        self.between(Operator::And, left, right)
    }

    fn or(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        self.between(Operator::Or, left, right)
    }

    fn between(
        &mut self,
        operator: Operator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        let node = Node::Binary(operator, left, right);
        self.model.expressions.add(node)
    }
}

fn state(model: &mut Model, name: String, start: bool) -> (ExpressionId, ExpressionId) {
    let variable = model.add_variable(&name, Kind::State, Domain::Boolean);
    let (now, next) = (value(model, variable, false), value(model, variable, true));
    let demanded = match start {
        true => now,
        false => model.expressions.add(Node::Not(now)),
    };
    model.initial.push(demanded);
    (now, next)
}

fn value(model: &mut Model, variable: VariableId, next: bool) -> ExpressionId {
    model.expressions.add(Node::Variable { variable, next })
}

fn not_linear() -> Rejection {
    Rejection::wrong("the property is no formula of linear time that this kind of evidence shows")
}
