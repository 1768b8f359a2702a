//! Several objectives, once more.

use quotient_bits::Bits;
use quotient_certify::Pay;
use quotient_core::{Budget, Rejection, Span, Trouble};
use quotient_markov::{Kind, Rational, above, below, nearest, whole};

use super::{Again, Settled, not, not_for};
use crate::beside::{self, Beside, Earned, Placed};
use crate::check::is_followed;
use crate::exact::decided;
use crate::given::{Seen, may_miss};
use crate::instance::Term;
use crate::parts::Part;
use crate::stepped::Window;
use crate::syntax::{Ahead, Asks, Body, Bound, Chance, Join, Node, Tree, Until};
use crate::together::{self, Payment, Showing, Watched};
use crate::{evidence, linear};

/// What an objective is about; rewards by what each choice of the model earns.
type Of = beside::Of<Vec<Rational>>;

/// An objective of the property.
struct Wanted {
    of: Of,
    /// Whether it is to be small: of `G`, the way to what must not be.
    small: bool,
    /// Whether a path is about the opposite.
    opposite: bool,
    bound: Option<(Rational, bool)>,
}

impl Wanted {
    /// What is asked for, by what is paid at least and at most.
    fn told(&self, low: Rational, high: Rational) -> (Rational, Rational) {
        match (&self.of, self.small == self.opposite) {
            (_, true) => (low, high),
            (Of::Reward(..), false) => (-high, -low),
            (_, false) => (whole(1) - high, whole(1) - low),
        }
    }
}

/// The model beside what objectives need, and what they are paid there.
struct Laid {
    wanted: Vec<Wanted>,
    watched: Watched,
    payments: Vec<Payment>,
}

impl Laid {
    /// What evidence shows.
    fn settled(&self, written: &together::Written, budget: &Budget) -> Result<Settled, Rejection> {
        let wanted = &self.wanted;
        match written.shown(&self.watched.model, &self.payments, budget)? {
            Showing::Truth(holds) => Ok(Settled::Truth(Some(holds))),
            Showing::Most(low, high) => {
                let asked = wanted.iter().find(|one| one.bound.is_none());
                let asked = asked.ok_or_else(not_for)?;
                let (low, high) = asked.told(low, high);
                Ok(Settled::Number(below(&low), above(&high)))
            }
            Showing::Tradeoff(pairs, gap) => {
                let told =
                    |number: usize, paid: Rational| wanted[number].told(paid.clone(), paid).0;
                let pairs = pairs.into_iter().map(|[one, other]| {
                    let (one, other) = (told(0, one), told(1, other));
                    (nearest(&one), nearest(&other))
                });
                Ok(Settled::Pairs(pairs.collect(), above(&gap)))
            }
        }
    }
}

impl Again<'_> {
    /// What the evidence shows about several objectives.
    pub(super) fn several(&self, parts: &[Tree]) -> Result<Settled, Rejection> {
        let laid = self.laid(parts)?;
        match self.part()? {
            Part::Several(written) => laid.settled(&written, self.budget),
            _ => Err(Rejection::wrong(
                "a part of the evidence is of another kind",
            )),
        }
    }

    /// What fractions tell about several objectives, and evidence for it, which is looked at as that of
    /// anybody else.
    pub(crate) fn several_exactly(
        &self,
        parts: &[Tree],
    ) -> Result<(Settled, together::Written), Rejection> {
        let laid = self.laid(parts)?;
        let model = &laid.watched.model;
        let found = decided(model, &laid.payments, self.budget)?;
        let ceiling = found.ceiling.as_ref();
        let written = together::Written::of_fractions(model.states(), &found.ways, ceiling);
        let written = written.ok_or_else(|| Rejection::unreadable("the fractions are too long"))?;
        Ok((laid.settled(&written, self.budget)?, written))
    }

    fn laid(&self, parts: &[Tree]) -> Result<Laid, Rejection> {
        if self.instance.kind == Kind::Ctmc {
            return Err(not_for());
        }
        let wanted = parts.iter().map(|part| self.wanted(part));
        let wanted = wanted.collect::<Result<Vec<Wanted>, Rejection>>()?;
        let wanted = self.surely(wanted)?;
        let (model, most) = (&self.naive.model, evidence::MOST_STATES);
        let of = wanted.iter().map(|one| &one.of);
        let beside = Beside::new(model, of.clone(), most, self.budget)?;
        costs_end(&wanted, &beside)?;
        let sets = beside.paths(of);
        let paths: Vec<_> = sets.iter().map(|(left, right)| (left, right)).collect();
        let watched = together::watched(beside.model(model), &paths, most, self.budget)?;
        let mut taken = watched.taken.iter();
        let payments = wanted.iter().enumerate();
        let payments = payments.map(|one| payment(one, &beside, &watched, &mut taken));
        let payments: Vec<Payment> = payments.collect();
        Ok(Laid {
            wanted,
            watched,
            payments,
        })
    }

    fn wanted(&self, part: &Tree) -> Result<Wanted, Rejection> {
        let Node::Chance(chance) = &part.node else {
            return Err(not_for());
        };
        let both = chance.relation.is_some() && chance.least.is_some();
        if chance.given.is_some() || both {
            return Err(not_for());
        }
        let (of, opposite) = match (chance.asks, &chance.body) {
            (Asks::Probability, Body::Formula(path)) if is_followed(path) => {
                self.wanted_formula(path, chance)?
            }
            (Asks::Probability, Body::Formula(path)) => self.wanted_path(path)?,
            (Asks::Reward, _) => (self.wanted_reward(chance, part.span)?, false),
            _ => return Err(not_for()),
        };
        let Some((join, limit)) = &chance.relation else {
            let least = match (chance.least, self.instance.kind) {
                (Some(least), _) => least,
                (None, Kind::Dtmc) => false,
                _ => return Err(not_for()),
            };
            return Ok(Wanted {
                of,
                small: least != opposite,
                opposite,
                bound: None,
            });
        };
        let small = match join {
            Join::Less | Join::AtMost => true,
            Join::Greater | Join::AtLeast => false,
            _ => return Err(not_for()),
        };
        let limit = match self.instance.names.term(limit, self.source, None) {
            Ok(Term::Value(value)) => value.exact(),
            _ => None,
        };
        let limit = limit.ok_or_else(|| Rejection::unreadable("the bound has no value"))?;
        let limit = if opposite { whole(1) - limit } else { limit };
        let strictly = matches!(join, Join::Less | Join::Greater);
        Ok(Wanted {
            of,
            small: small != opposite,
            opposite,
            bound: Some((limit, strictly)),
        })
    }

    /// A path that reaches something, and whether its opposite is meant.
    pub(super) fn reached(&self, path: &Tree) -> Result<(Seen, bool), Rejection> {
        match self.wanted_path(path)? {
            (Of::Path(left, right, window), turned) => Ok((
                Seen {
                    left,
                    right,
                    window,
                },
                turned,
            )),
            _ => Err(not_for()),
        }
    }

    fn wanted_path(&self, path: &Tree) -> Result<(Of, bool), Rejection> {
        let window = |bound: &Option<Box<Bound>>| match bound {
            None => Ok(None),
            Some(bound) => self.in_steps(bound).map(Some),
        };
        match &path.node {
            Node::Ahead(Ahead::Finally, bound, of) => {
                let window = window(bound)?;
                Ok((Of::Path(self.all(), self.set(of)?, window), false))
            }
            Node::Ahead(Ahead::Globally, bound, of) => {
                let window = window(bound)?;
                Ok((Of::Path(self.all(), not(self.set(of)?), window), true))
            }
            Node::Until(Until::Strong, bound, left, right) => {
                let window = window(bound)?;
                let left = self.set(left)?;
                Ok((Of::Path(left, self.set(right)?, window), false))
            }
            Node::Ahead(Ahead::Next, None, of) => {
                let next = Window {
                    from: 1,
                    to: Some(1),
                };
                Ok((Of::Path(self.all(), self.set(of)?, Some(next)), false))
            }
            _ => Err(not_for()),
        }
    }

    /// A number of steps, which both sides are.
    fn whole_steps(&self, (low, high): (f64, f64)) -> Result<u64, Rejection> {
        let discrete = !self.instance.is_timed() && self.instance.time.is_none();
        match discrete && low == high && low >= 0.0 && low.fract() == 0.0 && low < 1e9 {
            true => Ok(low as u64),
            false => Err(Rejection::unreadable("the bound is no number of steps")),
        }
    }

    /// A bound on steps.
    fn in_steps(&self, bound: &Bound) -> Result<Window, Rejection> {
        let asked = self.asked(false);
        Ok(match &bound.high {
            Some(_) => {
                let (from, to) = asked.window(bound, false)?;
                Window {
                    from: self.whole_steps(from)?,
                    to: Some(self.whole_steps(to)?),
                }
            }
            None => Window {
                from: self.whole_steps(asked.from(bound, false)?)?,
                to: None,
            },
        })
    }

    fn wanted_reward(&self, chance: &Chance, span: Span) -> Result<Of, Rejection> {
        let (until, goal) = match &chance.body {
            Body::Total => (None, None),
            Body::Until(amount) => {
                let amount = self.asked(false).constant(amount)?;
                (Some(self.whole_steps(amount)?), None)
            }
            Body::Formula(path) => match &path.node {
                Node::Ahead(Ahead::Finally, None, goal) => (None, Some(self.set(goal)?)),
                _ => return Err(not_for()),
            },
            _ => return Err(not_for()),
        };
        let found = (self.instance).structure(chance.structure.as_ref(), self.source, span);
        let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
        let by = self.earning(found.map_err(wrong)?)?.earned.clone();
        Ok(Of::Reward(Earned { by, until, goal }))
    }

    /// A path formula of any shape, or its opposite where it is to be unlikely.
    fn wanted_formula(&self, path: &Tree, chance: &Chance) -> Result<(Of, bool), Rejection> {
        let said = linear::spoken(path, self.instance, self.source).ok_or_else(not_for)?;
        let conditions = said.conditions.iter().map(|condition| self.set(condition));
        let conditions = conditions.collect::<Result<Vec<Bits>, Rejection>>()?;
        let small = match &chance.relation {
            Some((join, _)) => matches!(join, Join::Less | Join::AtMost),
            None => chance.least == Some(true),
        };
        let formula = match small {
            true => !said.formula,
            false => said.formula,
        };
        Ok((Of::Linear(formula, conditions), small))
    }

    /// What is earned until a goal is reached is finite only for ways that surely reach it: of what is
    /// to be small that is one more objective; what is to be large has to be so for all ways.
    fn surely(&self, mut wanted: Vec<Wanted>) -> Result<Vec<Wanted>, Rejection> {
        let mut more = Vec::new();
        for one in &wanted {
            let Of::Reward(Earned {
                goal: Some(goal), ..
            }) = &one.of
            else {
                continue;
            };
            match (may_miss(&self.naive.model, goal, self.budget)?, one.small) {
                (false, _) => {}
                (true, false) => return Err(not_for()),
                (true, true) => more.push(Wanted {
                    of: Of::Path(self.all(), goal.clone(), None),
                    small: false,
                    opposite: false,
                    bound: Some((whole(1), false)),
                }),
            }
        }
        wanted.extend(more);
        Ok(wanted)
    }
}

/// What is to be small must not be earned by who stays for ever to fulfil a formula: the choice that
/// stands for staying earns nothing.
fn costs_end(wanted: &[Wanted], beside: &Beside) -> Result<(), Rejection> {
    for (number, one) in wanted.iter().enumerate().filter(|(_, one)| one.small) {
        if let Of::Reward(reward) = &one.of {
            let earned = beside.earned(number, reward, &reward.by, &whole(0));
            if !beside.stays_for_nothing(&earned, &whole(0)) {
                return Err(Rejection::unreadable(
                    "rewards can be earned again and again without an end",
                ));
            }
        }
    }
    Ok(())
}

/// An objective as a payment that is to be large.
fn payment<'a>(
    (number, wanted): (usize, &Wanted),
    beside: &Beside,
    watched: &Watched,
    taken: &mut impl Iterator<Item = &'a Bits>,
) -> Payment {
    let (states, choices) = (watched.model.states(), watched.model.choices());
    let mut pay = Pay {
        earned: vec![whole(0); choices],
        settled: vec![whole(0); states],
    };
    let bound = |turned: &dyn Fn(&Rational) -> Rational| {
        let bound = wanted.bound.as_ref();
        bound.map(|(limit, strictly)| match wanted.small {
            true => (turned(limit), *strictly),
            false => (limit.clone(), *strictly),
        })
    };
    match beside.placed(number, &wanted.of) {
        Placed::Path(..) => {
            let none = Bits::new();
            let taken = taken.next().unwrap_or(&none);
            for (state, settled) in pay.settled.iter_mut().enumerate() {
                *settled = whole(i64::from(taken.contains(state) != wanted.small));
            }
            Payment {
                pay,
                negative: false,
                bound: bound(&|limit| whole(1) - limit),
            }
        }
        Placed::Reward(earned) => {
            let earned = beside.earned(number, earned, &earned.by, &whole(0));
            for (sum, &origin) in pay.earned.iter_mut().zip(&watched.origin) {
                let one = &earned[origin as usize];
                *sum = if wanted.small { -one } else { one.clone() };
            }
            Payment {
                pay,
                negative: wanted.small,
                bound: bound(&|limit| -limit),
            }
        }
    }
}
