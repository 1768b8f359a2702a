//! Formulas of linear time as circuits.

use quotient_logic::{Binary, Formula, Interval, Kind as Says, Unary};
use quotient_netlist::Literal;
use quotient_symbolic::{Expression, Model};

use super::translate::{Held, Translation};

/// Operators with intervals of more steps than this are not taken apart.
const MOST_STEPS: u32 = 500;

/// Demands that a formula is violated from the first state on, and gives the signals that are on
/// infinitely often on such a run; nothing if the formula has parts that this does not know.
///
/// What a formula says of the future is guessed by an input and compared in the next step (Clarke,
/// Grumberg and Hamaguchi, 1997); what it says of the past is remembered by a latch.
pub(super) fn violate(
    translation: &mut Translation,
    model: &Model,
    formula: &Formula<Expression>,
) -> Option<Vec<Literal>> {
    let mut tableau = Tableau {
        translation,
        model,
        promises: Vec::new(),
        guesses: 0,
        memories: 0,
    };
    let holds = tableau.holds(formula)?;
    let promises = tableau.promises;
    let first = translation.first();
    let violated = translation.circuit.graph.implies(first, !holds);
    translation.circuit.constraints.push(violated);
    Some(promises)
}

struct Tableau<'a> {
    translation: &'a mut Translation,
    model: &'a Model,
    /// Each is on infinitely often if what is promised for some time comes.
    promises: Vec<Literal>,
    /// How many guesses there are.
    guesses: u32,
    /// How many things are remembered.
    memories: u32,
}

impl Tableau<'_> {
    /// Whether a formula holds now.
    fn holds(&mut self, formula: &Formula<Expression>) -> Option<Literal> {
        Some(match &formula.kind {
            &Says::Constant(value) => Literal::constant(value),
            &Says::Atom(atom) => {
                if self.model.support([atom]).iter().any(|&(_, next)| next) {
                    return None;
                }
                self.translation.literal(self.model, atom)
            }
            Says::Placeholder(_) => return None,
            Says::Unary(operator, operand) => {
                let operand = self.holds(operand)?;
                self.unary(*operator, operand)?
            }
            Says::Binary(operator, left, right) => {
                let (left, right) = (self.holds(left)?, self.holds(right)?);
                self.binary(*operator, left, right)?
            }
        })
    }

    fn unary(&mut self, operator: Unary, operand: Literal) -> Option<Literal> {
        Some(match operator {
            Unary::Not => !operand,
            Unary::Next => self.next(|_, _| operand),
            Unary::Finally(None) => self.until(Literal::TRUE, operand),
            Unary::Globally(None) => !self.until(Literal::TRUE, !operand),
            Unary::Finally(Some(steps)) => self.within(operand, steps)?,
            Unary::Globally(Some(steps)) => !self.within(!operand, steps)?,
            Unary::Yesterday => self.before(operand),
            Unary::WeakYesterday => !self.before(!operand),
            Unary::Once(steps) => self.once(operand, steps)?,
            Unary::Historically(steps) => !self.once(!operand, steps)?,
            Unary::ForAll | Unary::Exists => return None,
        })
    }

    fn binary(&mut self, operator: Binary, left: Literal, right: Literal) -> Option<Literal> {
        let graph = &mut self.translation.circuit.graph;
        Some(match operator {
            Binary::And => graph.and(left, right),
            Binary::Or => graph.or(left, right),
            Binary::Xor => graph.xor(left, right),
            Binary::Implies => graph.implies(left, right),
            Binary::Iff => graph.iff(left, right),
            Binary::Until(None) => self.until(left, right),
            Binary::Release => !self.until(!left, !right),
            Binary::WeakUntil => {
                let neither = graph.and(!left, !right);
                !self.until(!right, neither)
            }
            Binary::Since => self.since(left, right),
            Binary::Triggered => !self.since(!left, !right),
            _ => return None,
        })
    }

    /// A guess about the next state, which is checked there: `what` is made of the guess, in terms
    /// of the present state.
    fn next(&mut self, what: impl FnOnce(&mut Self, Literal) -> Literal) -> Literal {
        let first = self.translation.first();
        let guess = self.translation.circuit.input();
        self.guesses += 1;
        let held = Held::Due(self.guesses);
        let guessed = self.translation.latch(Some(false), held);
        self.translation.circuit.connect(guessed, guess);
        let now = what(self, guess);
        let graph = &mut self.translation.circuit.graph;
        let right = graph.iff(guessed, now);
        let checked = graph.or(first, right);
        self.translation.circuit.constraints.push(checked);
        guess
    }

    /// The right at some time, and the left until then.
    fn until(&mut self, left: Literal, right: Literal) -> Literal {
        let mut until = right;
        self.next(|this, guess| {
            let graph = &mut this.translation.circuit.graph;
            let still = graph.and(left, guess);
            until = graph.or(right, still);
            until
        });
        let promise = self.translation.circuit.graph.or(!until, right);
        self.promises.push(promise);
        until
    }

    /// After some number of steps in an interval.
    fn within(&mut self, signal: Literal, steps: Interval) -> Option<Literal> {
        self.taken_apart(
            signal,
            steps,
            |this, now| this.next(|_, _| now),
            Self::until,
        )
    }

    /// Some number of steps ago, perhaps one in an interval.
    fn once(&mut self, signal: Literal, steps: Option<Interval>) -> Option<Literal> {
        let steps = steps.unwrap_or(Interval { from: 0, to: None });
        self.taken_apart(signal, steps, Self::before, Self::since)
    }

    /// A signal in one of some numbers of steps, by what it is one step away and in any number of them.
    fn taken_apart(
        &mut self,
        signal: Literal,
        steps: Interval,
        mut one_away: impl FnMut(&mut Self, Literal) -> Literal,
        at_some_time: impl FnOnce(&mut Self, Literal, Literal) -> Literal,
    ) -> Option<Literal> {
        if steps.from.max(steps.to.unwrap_or(0)) > MOST_STEPS {
            return None;
        }
        let mut now = match steps.to {
            Some(to) if to < steps.from => return Some(Literal::FALSE),
            Some(to) => (steps.from..to).fold(signal, |now, _| {
                let away = one_away(self, now);
                self.translation.circuit.graph.or(signal, away)
            }),
            None => at_some_time(self, Literal::TRUE, signal),
        };
        for _ in 0..steps.from {
            now = one_away(self, now);
        }
        Some(now)
    }

    fn memory(&mut self) -> Literal {
        self.memories += 1;
        let held = Held::Before(self.memories);
        self.translation.latch(Some(false), held)
    }

    /// A signal in the state before; off in the first.
    fn before(&mut self, signal: Literal) -> Literal {
        let latch = self.memory();
        self.translation.circuit.connect(latch, signal);
        latch
    }

    /// The right at some time so far, and the left ever since.
    fn since(&mut self, left: Literal, right: Literal) -> Literal {
        let latch = self.memory();
        let graph = &mut self.translation.circuit.graph;
        let still = graph.and(left, latch);
        let since = graph.or(right, still);
        self.translation.circuit.connect(latch, since);
        since
    }
}
