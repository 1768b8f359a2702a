//! A model whose fair runs are the runs that satisfy an LTL formula.
//!
//! The formula, in negation normal form, is read as a Boolean expression over the state in
//! which `X` and `Y` have a bit each (after Clarke, Grumberg and Hamaguchi 1997, with past
//! after Kesten and Pnueli): the bit of `X f` promises that `f` holds in the next state, the
//! bit of `Y f` remembers that it held before. Until asks for justice: no promise is put off
//! for ever.

use quotient_core::Stop;
use quotient_logic::{Binary, Formula, Interval, Kind as Form, Unary};
use rustc_hash::FxHashMap;

use crate::model::{Domain, Expression, Kind, Model};

/// The most bits that bounded operators may add.
const MOST_BITS: usize = 4_096;

/// Adds to a model what restricts its fair runs to those that satisfy the formula.
pub(super) fn restrict(model: Model, formula: &Formula<Expression>) -> Result<Model, Stop> {
    let mut tableau = Tableau {
        model,
        promises: FxHashMap::default(),
        memories: FxHashMap::default(),
        shadows: FxHashMap::default(),
        bits: 0,
    };
    tableau.shadow_compassion()?;
    let start = tableau.truth(&formula.negation_normal_form())?;
    tableau.model.add_init(start);
    Ok(tableau.model)
}

struct Tableau {
    model: Model,
    promises: FxHashMap<Expression, Expression>,
    memories: FxHashMap<(Expression, bool), Expression>,
    shadows: FxHashMap<Expression, Expression>,
    bits: usize,
}

impl Tableau {
    fn fresh(&mut self) -> Result<Expression, Stop> {
        self.bits += 1;
        if self.bits > MOST_BITS {
            return Err(Stop::bound("the bits of the tableau", MOST_BITS as u64));
        }
        let name = format!("tableau {}", self.bits);
        let id = self.model.add_variable(name, Kind::State, Domain::Boolean);
        Ok(self.model.bit(id, 0))
    }

    /// A bit that says whether an expression over the state holds in the next state.
    fn promise(&mut self, expression: Expression) -> Result<Expression, Stop> {
        if let Some(&bit) = self.promises.get(&expression) {
            return Ok(bit);
        }
        let bit = self.fresh()?;
        self.keep_promise(bit, expression)?;
        self.promises.insert(expression, bit);
        Ok(bit)
    }

    fn keep_promise(&mut self, bit: Expression, expression: Expression) -> Result<(), Stop> {
        let next = self.model.next(expression);
        let next = next.ok_or(Stop::inconclusive("a promise about inputs"))?;
        let kept = self.model.iff(bit, next);
        self.model.add_transition(kept);
        Ok(())
    }

    /// A bit that says whether an expression held in the state before; `at_first` where there
    /// is none.
    fn memory(&mut self, expression: Expression, at_first: bool) -> Result<Expression, Stop> {
        if let Some(&bit) = self.memories.get(&(expression, at_first)) {
            return Ok(bit);
        }
        let bit = self.fresh()?;
        self.remember(bit, expression, at_first)?;
        self.memories.insert((expression, at_first), bit);
        Ok(bit)
    }

    fn remember(
        &mut self,
        bit: Expression,
        expression: Expression,
        at_first: bool,
    ) -> Result<(), Stop> {
        let first = if at_first { bit } else { !bit };
        self.model.add_init(first);
        let next = self.model.next(bit);
        let next = next.ok_or(Stop::inconclusive("a memory of inputs"))?;
        let kept = self.model.iff(next, expression);
        self.model.add_transition(kept);
        Ok(())
    }

    /// An atom as an expression over the state alone: inputs and next values are foreseen by
    /// a bit.
    fn atom(&mut self, atom: Expression) -> Result<Expression, Stop> {
        let over_state = self.model.support([atom]).iter().all(|&(bit, next)| {
            !next && self.model.variable(self.model.owner(bit)).kind != Kind::Input
        });
        if over_state {
            return Ok(atom);
        }
        if let Some(&bit) = self.shadows.get(&atom) {
            return Ok(bit);
        }
        let bit = self.fresh()?;
        let same = self.model.iff(bit, atom);
        self.model.add_transition(same);
        self.shadows.insert(atom, bit);
        Ok(bit)
    }

    fn shadow_compassion(&mut self) -> Result<(), Stop> {
        for index in 0..self.model.compassion().len() {
            let pair = self.model.compassion()[index];
            let (when, then) = (self.atom(pair.when)?, self.atom(pair.then)?);
            self.model.set_compassion(index, when, then);
        }
        Ok(())
    }

    /// The states (with tableau bits) in which a formula in negation normal form holds.
    fn truth(&mut self, formula: &Formula<Expression>) -> Result<Expression, Stop> {
        match &formula.kind {
            Form::Constant(value) => Ok(Expression::constant(*value)),
            Form::Atom(atom) => self.atom(*atom),
            Form::Placeholder(_) => Err(Stop::inconclusive("a placeholder in an LTL formula")),
            Form::Unary(operator, operand) => {
                let a = match operator {
                    // Only atoms and bounded untils are negated.
                    Unary::Not => return self.negated(operand),
                    _ => self.truth(operand)?,
                };
                self.unary(*operator, a)
            }
            Form::Binary(operator, left, right) => {
                let a = self.truth(left)?;
                let b = self.truth(right)?;
                self.binary(*operator, a, b)
            }
        }
    }

    fn negated(&mut self, operand: &Formula<Expression>) -> Result<Expression, Stop> {
        match &operand.kind {
            Form::Atom(_) => Ok(!self.truth(operand)?),
            Form::Binary(Binary::Until(Some(steps)), left, right) => {
                let not_a = self.truth(&(!(**left).clone()).negation_normal_form())?;
                let not_b = self.truth(&(!(**right).clone()).negation_normal_form())?;
                self.bounded_release(not_a, not_b, *steps)
            }
            _ => {
                let opposite = !operand.clone();
                self.truth(&opposite.negation_normal_form())
            }
        }
    }

    fn unary(&mut self, operator: Unary, a: Expression) -> Result<Expression, Stop> {
        let always = Expression::TRUE;
        match operator {
            Unary::Next => self.promise(a),
            Unary::Finally(None) => self.until(always, a),
            Unary::Globally(None) => self.release(!always, a),
            Unary::Finally(Some(steps)) => self.bounded_until(always, a, steps),
            Unary::Globally(Some(steps)) => self.bounded_release(!always, a, steps),
            Unary::Yesterday => self.memory(a, false),
            Unary::WeakYesterday => self.memory(a, true),
            Unary::Once(None) => self.since(always, a),
            Unary::Historically(None) => Ok(!self.since(always, !a)?),
            Unary::Once(Some(steps)) => self.bounded_once(a, steps),
            Unary::Historically(Some(steps)) => Ok(!self.bounded_once(!a, steps)?),
            Unary::Not => Ok(!a),
            Unary::ForAll | Unary::Exists => {
                Err(Stop::inconclusive("a path quantifier in an LTL formula"))
            }
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        a: Expression,
        b: Expression,
    ) -> Result<Expression, Stop> {
        Ok(match operator {
            Binary::And => self.model.and(a, b),
            Binary::Or => self.model.or(a, b),
            Binary::Xor => self.model.xor(a, b),
            Binary::Implies => self.model.implies(a, b),
            Binary::Iff => self.model.iff(a, b),
            Binary::Until(None) => self.until(a, b)?,
            Binary::Until(Some(steps)) => self.bounded_until(a, b, steps)?,
            Binary::Release => self.release(a, b)?,
            Binary::WeakUntil => {
                let either = self.model.or(a, b);
                self.release(b, either)?
            }
            Binary::Since => self.since(a, b)?,
            Binary::Triggered => !self.since(!a, !b)?,
        })
    }

    /// `a U b` is `b | a & X (a U b)`, and `b` may not be put off for ever.
    fn until(&mut self, a: Expression, b: Expression) -> Result<Expression, Stop> {
        let later = self.fresh()?;
        let wait = self.model.and(a, later);
        let now = self.model.or(b, wait);
        self.keep_promise(later, now)?;
        let not_put_off = self.model.or(!now, b);
        self.model.add_justice(not_put_off);
        Ok(now)
    }

    /// `a V b` is `b & (a | X (a V b))`.
    fn release(&mut self, a: Expression, b: Expression) -> Result<Expression, Stop> {
        let later = self.fresh()?;
        let on = self.model.or(a, later);
        let now = self.model.and(b, on);
        self.keep_promise(later, now)?;
        Ok(now)
    }

    /// `a S b` is `b | a & Y (a S b)`.
    fn since(&mut self, a: Expression, b: Expression) -> Result<Expression, Stop> {
        let before = self.fresh()?;
        let wait = self.model.and(a, before);
        let now = self.model.or(b, wait);
        self.remember(before, now, false)?;
        Ok(now)
    }

    fn bounded_until(
        &mut self,
        a: Expression,
        b: Expression,
        steps: Interval,
    ) -> Result<Expression, Stop> {
        let mut now = match steps.to {
            None => self.until(a, b)?,
            Some(to) if to < steps.from => return Ok(Expression::FALSE),
            Some(to) => {
                let mut now = b;
                for _ in steps.from..to {
                    let later = self.promise(now)?;
                    let wait = self.model.and(a, later);
                    now = self.model.or(b, wait);
                }
                now
            }
        };
        for _ in 0..steps.from {
            let later = self.promise(now)?;
            now = self.model.and(a, later);
        }
        Ok(now)
    }

    /// The opposite of a bounded until with opposite operands. (Release is not exact, only
    /// sound: it must not be negated.)
    fn bounded_release(
        &mut self,
        a: Expression,
        b: Expression,
        steps: Interval,
    ) -> Result<Expression, Stop> {
        let mut now = match steps.to {
            None => self.release(a, b)?,
            Some(to) if to < steps.from => return Ok(Expression::TRUE),
            Some(to) => {
                let mut now = b;
                for _ in steps.from..to {
                    let later = self.promise(now)?;
                    let on = self.model.or(a, later);
                    now = self.model.and(b, on);
                }
                now
            }
        };
        for _ in 0..steps.from {
            let later = self.promise(now)?;
            now = self.model.or(a, later);
        }
        Ok(now)
    }

    fn bounded_once(&mut self, a: Expression, steps: Interval) -> Result<Expression, Stop> {
        let mut now = match steps.to {
            None => self.since(Expression::TRUE, a)?,
            Some(to) if to < steps.from => return Ok(Expression::FALSE),
            Some(to) => {
                let mut now = a;
                for _ in steps.from..to {
                    let before = self.memory(now, false)?;
                    now = self.model.or(a, before);
                }
                now
            }
        };
        for _ in 0..steps.from {
            now = self.memory(now, false)?;
        }
        Ok(now)
    }
}
