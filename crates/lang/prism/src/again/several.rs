//! Several objectives, once more.

use quotient_bits::Bits;
use quotient_certify::Pay;
use quotient_core::{Rejection, Span, Trouble};
use quotient_markov::{Kind, Rational, above, below, whole};

use super::{Again, Settled, not, not_for};
use crate::instance::Term;
use crate::parts::Part;
use crate::syntax::{Ahead, Asks, Body, Chance, Join, Node, Tree, Until};
use crate::together::{self, Payment, Showing, Watched};

/// What an objective is about.
enum Of {
    /// Going through the first states to the second ones, or not.
    Path(Bits, Bits),
    /// What each choice of the model earns.
    Reward(Vec<Rational>),
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

impl Again<'_> {
    /// What the evidence shows about several objectives.
    pub(super) fn several(&self, parts: &[Tree]) -> Result<Settled, Rejection> {
        if self.instance.kind == Kind::Ctmc || self.instance.markovian {
            return Err(not_for());
        }
        let wanted = parts.iter().map(|part| self.wanted(part));
        let wanted = wanted.collect::<Result<Vec<Wanted>, Rejection>>()?;
        let paths = wanted.iter().filter_map(|one| match &one.of {
            Of::Path(left, right) => Some((left, right)),
            Of::Reward(_) => None,
        });
        let paths: Vec<_> = paths.collect();
        let most = crate::evidence::MOST_STATES;
        let watched = together::watched(&self.naive.model, &paths, most, self.budget)?;
        let Part::Several(written) = self.part()? else {
            return Err(Rejection::wrong(
                "a part of the evidence is of another kind",
            ));
        };
        let mut taken = watched.taken.iter();
        let payments = wanted.iter().map(|one| payment(one, &watched, &mut taken));
        let payments: Vec<Payment> = payments.collect();
        match written.shown(&watched.model, &payments, self.budget)? {
            Showing::Truth(holds) => Ok(Settled::Truth(Some(holds))),
            Showing::Most(low, high) => {
                let asked = wanted.iter().find(|one| one.bound.is_none());
                let asked = asked.ok_or_else(not_for)?;
                let (low, high) = match (&asked.of, asked.small == asked.opposite) {
                    (_, true) => (low, high),
                    (Of::Path(..), false) => (whole(1) - high, whole(1) - low),
                    (Of::Reward(_), false) => (-high, -low),
                };
                Ok(Settled::Number(below(&low), above(&high)))
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
            (Asks::Reward, Body::Total) => (self.wanted_reward(chance, part.span)?, false),
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

    fn wanted_path(&self, path: &Tree) -> Result<(Of, bool), Rejection> {
        match &path.node {
            Node::Ahead(Ahead::Finally, None, of) => {
                Ok((Of::Path(self.all(), self.set(of)?), false))
            }
            Node::Ahead(Ahead::Globally, None, of) => {
                Ok((Of::Path(self.all(), not(self.set(of)?)), true))
            }
            Node::Until(Until::Strong, None, left, right) => {
                let left = self.set(left)?;
                Ok((Of::Path(left, self.set(right)?), false))
            }
            _ => Err(not_for()),
        }
    }

    fn wanted_reward(&self, chance: &Chance, span: Span) -> Result<Of, Rejection> {
        let found = (self.instance).structure(chance.structure.as_ref(), self.source, span);
        let wrong = |trouble: Trouble| Rejection::unreadable(trouble.to_string());
        let naive = self.earning(found.map_err(wrong)?)?;
        Ok(Of::Reward(naive.earned.clone()))
    }
}

/// An objective as a payment that is to be large.
fn payment<'a>(
    wanted: &Wanted,
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
        Of::Reward(earned) => {
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
