//! Several objectives, once more.

use quotient_bits::Bits;
use quotient_certify::Pay;
use quotient_core::{Rejection, Span, Trouble};
use quotient_markov::{Kind, Rational, above, below, nearest, whole};

use super::{Again, Settled, not, not_for};
use crate::given::Seen;
use crate::instance::Term;
use crate::parts::Part;
use crate::stepped::{Stepped, Window};
use crate::syntax::{Ahead, Asks, Body, Bound, Chance, Join, Node, Tree, Until};
use crate::together::{self, Payment, Showing, Watched};

/// What an objective is about.
enum Of {
    /// Going through the first states to the second ones, or not, perhaps after numbers of steps that
    /// fit.
    Path(Bits, Bits, Option<Window>),
    /// What each choice of the model earns, in all or in so many steps.
    Reward(Vec<Rational>, Option<u64>),
}

impl Of {
    /// How many steps must be told apart.
    fn last(&self) -> Option<u64> {
        match self {
            Of::Path(_, _, window) => window.as_ref().map(Window::last),
            Of::Reward(_, until) => *until,
        }
    }
}

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
            (Of::Path(..), false) => (whole(1) - high, whole(1) - low),
            (Of::Reward(..), false) => (-high, -low),
        }
    }
}

impl Again<'_> {
    /// What the evidence shows about several objectives.
    pub(super) fn several(&self, parts: &[Tree]) -> Result<Settled, Rejection> {
        if self.instance.kind == Kind::Ctmc {
            return Err(not_for());
        }
        let wanted = parts.iter().map(|part| self.wanted(part));
        let wanted = wanted.collect::<Result<Vec<Wanted>, Rejection>>()?;
        let most = crate::evidence::MOST_STATES;
        let lasts = wanted.iter().map(|one| one.of.last());
        let model = &self.naive.model;
        let stepped = together::beside_steps(model, lasts, most, self.budget)?;
        let stepped = stepped.as_ref();
        let sets = wanted.iter().filter_map(|one| match &one.of {
            Of::Path(left, right, window) => {
                Some(together::placed((left, right, window.as_ref()), stepped))
            }
            Of::Reward(..) => None,
        });
        let sets: Vec<(Bits, Bits)> = sets.collect();
        let paths: Vec<_> = sets.iter().map(|(left, right)| (left, right)).collect();
        let model = stepped.map_or(model, |stepped| &stepped.model);
        let watched = together::watched(model, &paths, most, self.budget)?;
        let Part::Several(written) = self.part()? else {
            return Err(Rejection::wrong(
                "a part of the evidence is of another kind",
            ));
        };
        let mut taken = watched.taken.iter();
        let payments = wanted.iter();
        let payments = payments.map(|one| payment(one, stepped, &watched, &mut taken));
        let payments: Vec<Payment> = payments.collect();
        match written.shown(&watched.model, &payments, self.budget)? {
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

    fn wanted(&self, part: &Tree) -> Result<Wanted, Rejection> {
        let Node::Chance(chance) = &part.node else {
            return Err(not_for());
        };
        let both = chance.relation.is_some() && chance.least.is_some();
        if chance.given.is_some() || both {
            return Err(not_for());
        }
        let (of, opposite) = match (chance.asks, &chance.body) {
            (Asks::Probability, Body::Formula(path)) => self.wanted_path(path)?,
            (Asks::Reward, Body::Total) => (self.wanted_reward(chance, None, part.span)?, false),
            (Asks::Reward, Body::Until(amount)) => {
                let until = Some(self.whole_steps(self.asked(false).constant(amount)?)?);
                (self.wanted_reward(chance, until, part.span)?, false)
            }
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

    fn wanted_reward(
        &self,
        chance: &Chance,
        until: Option<u64>,
        span: Span,
    ) -> Result<Of, Rejection> {
        let found = (self.instance).structure(chance.structure.as_ref(), self.source, span);
        let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
        let naive = self.earning(found.map_err(wrong)?)?;
        Ok(Of::Reward(naive.earned.clone(), until))
    }
}

/// An objective as a payment that is to be large.
fn payment<'a>(
    wanted: &Wanted,
    stepped: Option<&Stepped>,
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
    match &wanted.of {
        Of::Path(..) => {
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
        Of::Reward(earned, until) => {
            let placed = stepped.map(|stepped| stepped.earned(earned, *until, &whole(0)));
            let earned = placed.as_ref().unwrap_or(earned);
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
