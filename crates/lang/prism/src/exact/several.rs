//! Several objectives with fractions, for bounds that are met exactly.
//!
//! As in the engine, ways to choose are found one after the other, and a linear program over them says
//! which sum of the objectives to ask for next. Here what ways pay, what no way exceeds, and the program
//! are fractions: so it is known on which side of a bound one is. It comes to an end, since every sum
//! either has a way that was not known, of which there are finitely many, or settles the answer.

use quotient_core::{Budget, Rejection, Stop};
use quotient_markov::{Markov, Rational, whole};

use super::program::maximise;
use super::quotient::{Chosen, Point, Quotient};
use crate::together::{ExactCeiling, ExactWay, Payment};

/// What shows an answer: a mixture that keeps all bounds, a sum that no way exceeds, or both.
pub(crate) struct Found {
    pub(crate) ways: Vec<ExactWay>,
    pub(crate) ceiling: Option<ExactCeiling>,
}

/// Whether all bounds can be kept, or the best of the one objective without a bound if they are.
pub(crate) fn decided(
    model: &Markov,
    payments: &[Payment],
    budget: &Budget,
) -> Result<Found, Rejection> {
    let open = payments.iter().enumerate();
    let open = open.filter(|(_, one)| one.bound.is_none());
    let open: Vec<usize> = open.map(|(number, _)| number).collect();
    let mut search = Search::new(Quotient::new(model, payments, budget)?)?;
    let barrier = match (search.together()?, &open[..]) {
        (Some(barrier), []) => {
            search.shares.fill(whole(0));
            Some(barrier)
        }
        (None, []) => None,
        (None, &[asked]) => Some(search.best(asked)?),
        (Some(_), [_]) => {
            return Err(Stop::inconclusive(
                "no strategy keeps the bounds on the others, so nothing is best",
            )
            .into());
        }
        _ => return Err(Rejection::unreadable("more than one number is asked for")),
    };
    search.shown(barrier)
}

/// The weights of a sum, and what no way exceeds of it from each unknown.
struct Barrier {
    weights: Vec<Rational>,
    values: Vec<Rational>,
}

/// The highest point of a climb.
struct Top {
    reached: Rational,
    /// What shows that there is none higher; nothing if it was high enough.
    barrier: Option<Barrier>,
}

struct Search<'a> {
    quotient: Quotient<'a>,
    /// The objectives with bounds: what has to be paid, and whether more than that.
    bounded: Vec<(usize, Rational, bool)>,
    points: Vec<Point>,
    ways: Vec<Vec<Chosen>>,
    /// A mixture of these, and what it pays.
    shares: Vec<Rational>,
    here: Point,
}

impl<'a> Search<'a> {
    /// Begins with any way.
    fn new(mut quotient: Quotient<'a>) -> Result<Search<'a>, Rejection> {
        let payments = quotient.payments;
        let bounded = payments.iter().enumerate().filter_map(|(number, one)| {
            let (bound, strictly) = one.bound.as_ref()?;
            Some((number, bound.clone(), *strictly))
        });
        let bounded = bounded.collect();
        let first = quotient.best(&vec![whole(1); payments.len()])?;
        Ok(Search {
            quotient,
            bounded,
            here: first.point.clone(),
            points: vec![first.point],
            ways: vec![first.chosen],
            shares: vec![whole(1)],
        })
    }

    /// Comes to a mixture that keeps all bounds, or to a sum that no way exceeds and that they need.
    fn together(&mut self) -> Result<Option<Barrier>, Rejection> {
        if self.bounded.is_empty() {
            return Ok(None);
        }
        let strictly: Vec<bool> = self
            .bounded
            .iter()
            .map(|(.., strictly)| *strictly)
            .collect();
        let strict = strictly.contains(&true);
        let all = vec![true; strictly.len()];
        let top = self.climb(&all, None, |least| {
            *least > whole(0) || least.is_zero() && !strict
        })?;
        if top.reached < whole(0) {
            return Ok(top.barrier);
        }
        if top.reached > whole(0) || !strict {
            return Ok(None);
        }
        // Not all bounds can be exceeded at once; those that must be may still.
        let top = self.climb(&strictly, None, |least| *least > whole(0))?;
        Ok(top.barrier)
    }

    /// Comes to a mixture that is best for one objective, all bounds kept.
    fn best(&mut self, asked: usize) -> Result<Barrier, Rejection> {
        let safe = self.shares.clone();
        let none = vec![false; self.bounded.len()];
        let top = self.climb(&none, Some(asked), |_| false)?;
        let missed = self.bounded.iter();
        let missed = missed.filter(|(one, bound, strictly)| *strictly && self.here[*one] <= *bound);
        if missed.count() > 0 {
            // The best is only come near to: a little of what keeps the bounds leads off them.
            let little = Rational::new(1, 1 << 40);
            let most = whole(1) - &little;
            self.shares.iter_mut().for_each(|share| *share *= &most);
            for (share, before) in self.shares.iter_mut().zip(safe) {
                *share += before * &little;
            }
        }
        top.barrier
            .ok_or_else(|| Rejection::unreadable("there is no best way"))
    }

    /// Moves the mixture to where the least margin of some bounds is greatest, or one objective is
    /// paid most, while the other bounds are kept, until that is enough.
    fn climb(
        &mut self,
        margins: &[bool],
        asked: Option<usize>,
        enough: impl Fn(&Rational) -> bool,
    ) -> Result<Top, Rejection> {
        let bounded = self.bounded.iter();
        let room: Vec<Rational> = bounded
            .map(|(one, bound, _)| &self.here[*one] - bound)
            .collect();
        let in_it = room.iter().zip(margins).filter(|(_, margin)| **margin);
        let base = in_it.map(|(room, _)| room.clone()).min();
        let base = base.unwrap_or_else(|| whole(0));
        loop {
            let away = |number: usize, point: &Point| &point[number] - &self.here[number];
            let mut rows: Vec<Vec<Rational>> = Vec::new();
            let mut limits = Vec::new();
            for ((one, ..), (room, margin)) in self.bounded.iter().zip(room.iter().zip(margins)) {
                let mut row: Vec<Rational> =
                    self.points.iter().map(|point| -away(*one, point)).collect();
                row.push(whole(i64::from(*margin)));
                rows.push(row);
                limits.push(match margin {
                    true => room - &base,
                    false => room.clone(),
                });
            }
            let mut sum = vec![whole(1); self.points.len()];
            sum.push(whole(0));
            rows.push(sum);
            limits.push(whole(1));
            let mut gain: Vec<Rational> = match asked {
                Some(asked) => self.points.iter().map(|point| away(asked, point)).collect(),
                None => vec![whole(0); self.points.len()],
            };
            gain.push(whole(i64::from(asked.is_none())));
            let budget = self.quotient.budget;
            let optimum = maximise(&gain, &rows, &limits, budget)?;
            let optimum =
                optimum.ok_or_else(|| Rejection::unreadable("there is no greatest margin"))?;
            let (moved, margin) = optimum.unknowns.split_at(self.points.len());
            let reached = match asked {
                Some(_) => whole(0),
                None => &base + &margin[0],
            };
            if enough(&reached) {
                self.step(moved);
                return Ok(Top {
                    reached,
                    barrier: None,
                });
            }
            let mut weights = vec![whole(0); self.here.len()];
            if let Some(asked) = asked {
                weights[asked] = whole(1);
            }
            for ((one, ..), price) in self.bounded.iter().zip(&optimum.prices) {
                weights[*one] += price;
            }
            let way = self.quotient.best(&weights)?;
            let worth = self.here.iter().zip(&weights);
            let worth: Rational = worth.map(|(paid, weight)| paid * weight).sum();
            let most = worth + &optimum.prices[self.bounded.len()];
            if way.values[self.quotient.begin()] <= most {
                self.step(moved);
                return Ok(Top {
                    reached,
                    barrier: Some(Barrier {
                        weights,
                        values: way.values,
                    }),
                });
            }
            self.points.push(way.point);
            self.ways.push(way.chosen);
            self.shares.push(whole(0));
        }
    }

    /// Moves the mixture, by so much towards each of the ways.
    fn step(&mut self, moved: &[Rational]) {
        let rest = whole(1) - moved.iter().sum::<Rational>();
        self.here.iter_mut().for_each(|paid| *paid *= &rest);
        for ((share, moved), point) in self.shares.iter_mut().zip(moved).zip(&self.points) {
            *share = &*share * &rest + moved;
            for (paid, of_point) in self.here.iter_mut().zip(point) {
                *paid += moved * of_point;
            }
        }
    }

    /// What shows where the search came to.
    fn shown(mut self, barrier: Option<Barrier>) -> Result<Found, Rejection> {
        let mut ways = Vec::new();
        for (share, chosen) in self.shares.iter().zip(&self.ways) {
            if *share > whole(0) {
                ways.push(self.quotient.way(share.clone(), chosen)?);
            }
        }
        let ceiling = match barrier {
            None => None,
            Some(barrier) => {
                let (steps, patience) = self.quotient.most_steps()?;
                Some(ExactCeiling {
                    weights: barrier.weights,
                    values: self.quotient.of_states(&barrier.values),
                    steps: self.quotient.of_states(&steps),
                    patience,
                })
            }
        };
        Ok(Found { ways, ceiling })
    }
}
