//! Formulas over all states.

use std::cell::RefCell;

use quotient_bits::Bits;
use quotient_core::{Budget, Diagnostic, Source, Span, Stop, Trouble};
use quotient_probability::{Analysis, Best, Built, Values};

use super::outcome::{Outcome, down, up};
use crate::instance::{Instance, Term, Texts};
use crate::misbuilt::undefined;
use crate::parts::Kept;
use crate::syntax::{Join, Name, Node, Sort, Tree};

/// Everything that a formula is evaluated with.
pub(crate) struct Checker<'a> {
    pub(crate) texts: &'a Texts,
    pub(crate) instance: &'a Instance,
    pub(crate) built: &'a Built,
    pub(crate) analysis: &'a Analysis<'a>,
    /// The text that the property stands in.
    pub(crate) source: &'a Source,
    pub(crate) budget: &'a Budget,
    /// How near bounds are to be.
    pub(crate) width: f64,
    /// What evidence can be made of, in the order in which it was asked.
    pub(crate) kept: &'a RefCell<Vec<Kept>>,
    /// What the last bound was compared with in the only start.
    pub(crate) compared: &'a RefCell<Option<(f64, f64)>>,
    /// The numbers of all states where the answer is about several initial ones.
    pub(crate) starts: &'a RefCell<Option<Values>>,
    /// Whether it stands inside of another one, where all states must be known.
    pub(crate) inside: bool,
}

impl Checker<'_> {
    pub(crate) fn states(&self) -> usize {
        self.built.model.states()
    }

    pub(crate) fn error(
        &self,
        code: &'static str,
        message: impl Into<String>,
        at: Span,
    ) -> Trouble {
        Diagnostic::error(code, message)
            .at(self.source, at, "")
            .into()
    }

    /// What a formula is worth in each state.
    pub(crate) fn evaluate(&self, tree: &Tree) -> Result<Outcome, Trouble> {
        self.budget.charge(self.states() as u64 / 8 + 1)?;
        if is_plain(tree) {
            let term = self.instance.names.term(tree, self.source, None)?;
            return self.plain(&term, tree.span);
        }
        match &tree.node {
            Node::Label(name) => self.label(name, tree.span),
            Node::Not(of) => Ok(self.truth(of)?.not()),
            Node::Negative(of) => {
                let values = self.number(of)?;
                Ok(Outcome::Number(Values {
                    lower: values.upper.iter().map(|one| -one).collect(),
                    upper: values.lower.iter().map(|one| -one).collect(),
                    chosen: Vec::new(),
                }))
            }
            Node::Two(join @ (Join::And | Join::Or | Join::Implies | Join::Iff), left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Ok(match join {
                    Join::And => left.and(right),
                    Join::Or => left.or(right),
                    Join::Implies => left.not().or(right),
                    _ => {
                        let both = left.clone().and(right.clone());
                        both.or(left.not().and(right.not()))
                    }
                })
            }
            Node::Two(join, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Ok(self.joined(*join, &left, &right))
            }
            Node::If(condition, one, other) => {
                let condition = self.truth(condition)?;
                let (one, other) = (self.evaluate(one)?, self.evaluate(other)?);
                self.choose(condition, one, other, tree.span)
            }
            Node::Chance(chance) => self.chance(chance, tree.span),
            Node::Quantified(some, path) => self.quantified(*some, path),
            Node::Call(name, parts) => self.called(*name, parts, tree.span),
            Node::Filter(filter) => {
                let found = self.filter(filter, tree.span)?;
                Ok(found.outcome(self.states()))
            }
            Node::Ahead(..) | Node::Until(..) | Node::Within(_) => Err(self.error(
                "path",
                "a path formula must stand inside of `P`, `R`, `E` or `A`",
                tree.span,
            )),
            Node::Multi(_) => Err(self.error(
                "not-supported",
                "several objectives stand alone, not inside of a formula",
                tree.span,
            )),
            Node::Quantile(_) => Err(self.error(
                "not-supported",
                "a quantile stands alone, not inside of a formula",
                tree.span,
            )),
            Node::Refused(why) => Err(self.error("not-supported", why.as_str(), tree.span)),
            _ => Err(self.error("type", "this cannot be evaluated here", tree.span)),
        }
    }

    fn plain(&self, term: &Term, span: Span) -> Result<Outcome, Trouble> {
        let lowered = term.lower(&self.instance.variables);
        let undefined = |none| undefined(self.instance, self.source, span, &none);
        if term.sort() == Sort::Truth {
            let holds = self.built.holds(&lowered).map_err(undefined)?;
            return Ok(Outcome::truth(holds));
        }
        let numbers = self.built.numbers(&lowered).map_err(undefined)?;
        Ok(Outcome::Number(Values {
            lower: numbers.clone(),
            upper: numbers,
            chosen: Vec::new(),
        }))
    }

    /// A formula that is true or false in each state.
    pub(crate) fn truth(&self, tree: &Tree) -> Result<Outcome, Trouble> {
        match self.evaluate(tree)? {
            truth @ Outcome::Truth(..) => Ok(truth),
            Outcome::Number(_) => Err(self.error(
                "type",
                "a condition was expected, this is a number",
                tree.span,
            )),
        }
    }

    /// The states in which a formula holds; an error if that is not sure somewhere.
    pub(crate) fn set(&self, tree: &Tree) -> Result<Bits, Trouble> {
        let inner = Checker {
            inside: true,
            ..*self
        };
        match inner.truth(tree)? {
            Outcome::Truth(surely, maybe) if surely == maybe => Ok(surely),
            _ => Err(Stop::inconclusive(
                "a bound inside of the property lies between the lower and the upper bound of \
                 what it is compared with",
            )
            .into()),
        }
    }

    fn number(&self, tree: &Tree) -> Result<Values, Trouble> {
        match self.evaluate(tree)? {
            Outcome::Number(values) => Ok(values),
            Outcome::Truth(..) => Err(self.error(
                "type",
                "a number was expected, this is a condition",
                tree.span,
            )),
        }
    }

    /// A function of numbers that properties tell: one that never falls where they rise.
    fn called(&self, name: Name, parts: &[Tree], span: Span) -> Result<Outcome, Trouble> {
        let with: fn(f64, f64) -> f64 = match (name, parts.len()) {
            (Name::Min, 1..) => f64::min,
            (Name::Max, 1..) => f64::max,
            (Name::Floor, 1) => |one, _| one.floor(),
            (Name::Ceil, 1) => |one, _| one.ceil(),
            (Name::Round, 1) => |one, _| half_up(one),
            (Name::Pow, 2) => return self.power(&parts[0], &parts[1]),
            _ => {
                let message = "of numbers that properties tell there are `min`, `max`, `floor`, \
                               `ceil`, `round` and `pow`, and arithmetic";
                return Err(self.error("not-supported", message, span));
            }
        };
        let mut values: Option<Values> = None;
        for part in parts {
            let next = self.number(part)?;
            let so_far = values.unwrap_or_else(|| next.clone());
            let joined = |one: &[f64], other: &[f64]| -> Vec<f64> {
                let both = one.iter().zip(other);
                both.map(|(&one, &other)| with(one, other)).collect()
            };
            values = Some(Values {
                lower: joined(&so_far.lower, &next.lower),
                upper: joined(&so_far.upper, &next.upper),
                chosen: Vec::new(),
            });
        }
        let values = values.ok_or_else(|| self.error("type", "a function of nothing", span))?;
        Ok(Outcome::Number(values))
    }

    /// A number multiplied with itself so many times.
    fn power(&self, base: &Tree, exponent: &Tree) -> Result<Outcome, Trouble> {
        let times = self.constant(exponent)?;
        if !(0.0..=MOST_TIMES).contains(&times) || times.fract() != 0.0 {
            let message = format!(
                "the exponent of a number that a property tells is a whole number from 0 to \
                 {MOST_TIMES}"
            );
            return Err(self.error("not-supported", message, exponent.span));
        }
        let mut values = self.number(base)?;
        for (low, high) in values.lower.iter_mut().zip(&mut values.upper) {
            (*low, *high) = power((*low, *high), times as u32);
        }
        values.chosen = Vec::new();
        Ok(Outcome::Number(values))
    }

    fn label(&self, name: &str, span: Span) -> Result<Outcome, Trouble> {
        let states = self.states();
        match name {
            "init" => {
                let mut set = Bits::with_capacity(states);
                for &state in &self.built.model.initial {
                    set.insert(state.index());
                }
                return Ok(Outcome::truth(set));
            }
            "deadlock" => return Ok(Outcome::truth(self.built.model.deadlocks.clone())),
            _ => {}
        }
        if let Some((_, term, _)) = self.instance.labels.iter().find(|(one, ..)| one == name) {
            return self.plain(term, span);
        }
        if let Some(other) = self.texts.property_before(name, self.source, span) {
            let inner = Checker {
                source: &self.texts.properties_source,
                ..*self
            };
            return inner.evaluate(&other.tree);
        }
        let known = self.instance.labels.iter().map(|(one, ..)| one.as_str());
        let message = format!("there is no label \"{name}\"");
        Err(Diagnostic::error("no-such-label", message)
            .at(self.source, span, "")
            .did_you_mean(name, known.chain(["init", "deadlock"]))
            .into())
    }

    fn joined(&self, join: Join, left: &Values, right: &Values) -> Outcome {
        let states = self.states();
        let compare = |surely: &dyn Fn(usize) -> bool, maybe: &dyn Fn(usize) -> bool| {
            let gather = |holds: &dyn Fn(usize) -> bool| {
                let mut set = Bits::with_capacity(states);
                for state in 0..states {
                    set.set(state, holds(state));
                }
                set
            };
            Outcome::Truth(gather(surely), gather(maybe))
        };
        let (l, u, a, b) = (&left.lower, &left.upper, &right.lower, &right.upper);
        match join {
            Join::Less => compare(&|s| u[s] < a[s], &|s| l[s] < b[s]),
            Join::AtMost => compare(&|s| u[s] <= a[s], &|s| l[s] <= b[s]),
            Join::Greater => compare(&|s| l[s] > b[s], &|s| u[s] > a[s]),
            Join::AtLeast => compare(&|s| l[s] >= b[s], &|s| u[s] >= a[s]),
            Join::Equal | Join::Unequal => {
                let equal = compare(&|s| l[s] == u[s] && a[s] == b[s] && l[s] == a[s], &|s| {
                    l[s] <= b[s] && a[s] <= u[s]
                });
                match join {
                    Join::Equal => equal,
                    _ => equal.not(),
                }
            }
            _ => {
                let mut values = Values::constant(states, 0.0);
                for state in 0..states {
                    let (low, high) = arithmetic(join, (l[state], u[state]), (a[state], b[state]));
                    (values.lower[state], values.upper[state]) = (low, high);
                }
                Outcome::Number(values)
            }
        }
    }

    fn choose(
        &self,
        condition: Outcome,
        one: Outcome,
        other: Outcome,
        span: Span,
    ) -> Result<Outcome, Trouble> {
        match (&one, &other) {
            (Outcome::Truth(..), Outcome::Truth(..)) => {
                let left = condition.clone().and(one);
                Ok(left.or(condition.not().and(other)))
            }
            (Outcome::Number(one), Outcome::Number(other)) => {
                let Outcome::Truth(surely, maybe) = condition else {
                    return Err(self.error("type", "a condition was expected", span));
                };
                let mut values = Values::constant(self.states(), 0.0);
                for state in 0..self.states() {
                    let pick = match (surely.contains(state), maybe.contains(state)) {
                        (true, _) => (one.lower[state], one.upper[state]),
                        (_, false) => (other.lower[state], other.upper[state]),
                        _ => (
                            one.lower[state].min(other.lower[state]),
                            one.upper[state].max(other.upper[state]),
                        ),
                    };
                    (values.lower[state], values.upper[state]) = pick;
                }
                Ok(Outcome::Number(values))
            }
            _ => Err(self.error(
                "type",
                "one branch is a number, the other a condition",
                span,
            )),
        }
    }

    /// `E [ … ]` and `A [ … ]`.
    fn quantified(&self, some: bool, path: &Tree) -> Result<Outcome, Trouble> {
        let not = |mut set: Bits| {
            set.toggle_range(..);
            set
        };
        let mut all = Bits::with_capacity(self.states());
        all.insert_range(..);
        // `A` of a path is not `E` of its opposite.
        let (kind, left, right, opposite) = super::chance::simple_path(path).ok_or_else(|| {
            self.error(
                "path",
                "this path formula is not one of X, F, G, U, W, R",
                path.span,
            )
        })?;
        let left = match left {
            Some(tree) => self.set(tree)?,
            None => all.clone(),
        };
        let right = self.set(right)?;
        let (left, right) = match opposite {
            true => (left, not(right)),
            false => (left, right),
        };
        use super::chance::Simple;
        let set = match (kind, some != opposite) {
            (Simple::Next, true) => self.analysis.some_next(&right),
            (Simple::Next, false) => not(self.analysis.some_next(&not(right))),
            (Simple::Until, true) => self.analysis.some_path_until(&left, &right),
            (Simple::Until, false) => {
                // Not: right never holds, or left fails before right does.
                let never = self.analysis.some_path_always(&not(right.clone()));
                let mut fails = not(left);
                fails.difference_with(&right);
                let mut bad = self.analysis.some_path_until(&not(right), &fails);
                bad.union_with(&never);
                not(bad)
            }
        };
        let set = match opposite {
            true => not(set),
            false => set,
        };
        Ok(Outcome::truth(set))
    }

    /// The value of a constant expression.
    pub(crate) fn constant(&self, tree: &Tree) -> Result<f64, Trouble> {
        match self.instance.names.term(tree, self.source, None)? {
            Term::Value(value) => Ok(value.number()),
            _ => Err(self.error(
                "not-constant",
                "this must not depend on variables",
                tree.span,
            )),
        }
    }

    /// The value of a constant expression, between doubles.
    pub(crate) fn limit(&self, tree: &Tree) -> Result<(f64, f64), Trouble> {
        let number = self.constant(tree)?;
        match self.instance.names.term(tree, self.source, None)? {
            Term::Value(value) => Ok(value.exact().map_or((number, number), |exact| {
                (
                    quotient_markov::below(&exact),
                    quotient_markov::above(&exact),
                )
            })),
            _ => Ok((number, number)),
        }
    }

    pub(crate) fn best(least: bool) -> Best {
        match least {
            true => Best::Least,
            false => Best::Greatest,
        }
    }
}

fn arithmetic(join: Join, left: (f64, f64), right: (f64, f64)) -> (f64, f64) {
    let corners = |with: fn(f64, f64) -> f64| {
        let pairs = [
            (left.0, right.0),
            (left.0, right.1),
            (left.1, right.0),
            (left.1, right.1),
        ];
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (one, other) in pairs {
            let corner = around(join, one, other, with(one, other));
            (low, high) = (low.min(corner.0), high.max(corner.1));
        }
        (low, high)
    };
    match join {
        Join::Plus => corners(|a, b| a + b),
        Join::Minus => corners(|a, b| a - b),
        Join::Times => corners(|a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b }),
        _ if right.0 <= 0.0 && right.1 >= 0.0 && right.0 != right.1 => {
            (f64::NEG_INFINITY, f64::INFINITY)
        }
        _ => corners(|a, b| a / b),
    }
}

/// The greatest exponent of what is only known between bounds.
const MOST_TIMES: f64 = 64.0;

fn power(base: (f64, f64), times: u32) -> (f64, f64) {
    let mut power = (1.0, 1.0);
    for _ in 0..times {
        power = arithmetic(Join::Times, power, base);
    }
    // Twice the same number is not what two numbers between these bounds may be.
    if times.is_multiple_of(2) {
        power.0 = power.0.max(0.0);
    }
    power
}

/// The whole number nearest to a number; of two the greater one.
fn half_up(number: f64) -> f64 {
    // Nothing is added to the number itself, which might be rounded.
    let below = number.floor();
    match number - below >= 0.5 {
        true => below + 1.0,
        false => below,
    }
}

/// What two numbers make, between bounds: what is no number may be any, what is too small for a double is not 0, and what
/// is too large not infinite.
fn around(join: Join, one: f64, other: f64, made: f64) -> (f64, f64) {
    let least = f64::from_bits(1);
    let finite = one.is_finite() && other.is_finite();
    let divided = matches!(join, Join::Divide);
    if made.is_nan() {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    if made == 0.0 {
        let lost = match join {
            Join::Plus | Join::Minus => false,
            _ if divided => one != 0.0 && finite,
            _ => one != 0.0 && other != 0.0,
        };
        return if lost { (-least, least) } else { (0.0, 0.0) };
    }
    if made.is_infinite() && finite && !(divided && other == 0.0) {
        return match made > 0.0 {
            true => (f64::MAX, made),
            false => (made, f64::MIN),
        };
    }
    (down(made), up(made))
}

/// Whether it has no operators of properties and no labels.
pub(crate) fn is_plain(tree: &Tree) -> bool {
    match &tree.node {
        Node::Truth(_) | Node::Whole(_) | Node::Real(_) | Node::Name(_) => true,
        Node::Not(of) | Node::Negative(of) => is_plain(of),
        Node::Two(_, left, right) => is_plain(left) && is_plain(right),
        Node::If(one, two, three) => is_plain(one) && is_plain(two) && is_plain(three),
        Node::Call(_, parts) => parts.iter().all(is_plain),
        _ => false,
    }
}
