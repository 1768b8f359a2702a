//! Several objectives at once: what one way to choose can attain for all of them.
//!
//! What can be attained is a convex set, if one may throw coins between ways to choose. It is
//! looked at from inside and from outside (Forejt, Kwiatkowska, Parker 2012). From inside: ways to
//! choose that were found, and mixtures of them. From outside: for a sum of objectives with
//! weights, the solver proves an upper bound. A linear program over the ways found so far says
//! which weights to ask for next; the two approximations meet, or the answer is clear before.
//!
//! Nothing that the linear program says is believed: a mixture counts by its lower bounds, and an
//! upper bound holds for whatever weights it was asked with.

mod linear_program;
mod pays;
mod shown;
mod sure;
mod tradeoff;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::Rewards;

use crate::Analysis;
use linear_program::maximise;
use pays::{BestWay, Pays, Point};
pub use shown::{Ceiling, Shown, Way};

/// One of several things that are wanted.
#[derive(Debug, Clone)]
pub struct Objective {
    wanted: Wanted,
    /// Whether it is to be small.
    least: bool,
    /// What it has to attain, and whether more than that; else as much as possible is wanted.
    bound: Option<(f64, bool)>,
}

#[derive(Debug, Clone)]
enum Wanted {
    Path {
        left: Bits,
        right: Bits,
    },
    /// What is earned by each choice, and how far that is off.
    Reward {
        earned: Vec<f64>,
        error: f64,
    },
}

/// What can be attained.
#[derive(Debug, Clone, PartialEq)]
pub enum Attained {
    /// Whether all bounds can be kept at once, if that is clear.
    Together(Option<bool>),
    /// The best value of the objective without a bound while the others keep theirs.
    Best(f64, f64),
    /// The bounds cannot be kept.
    Never,
    /// Pairs of values of which none is better than another in both; what lies beyond them by
    /// more than the precision cannot be attained.
    Tradeoff(Vec<(f64, f64)>),
}

/// So many ways to choose are looked at.
const ROUNDS: usize = 400;

impl Objective {
    /// The probability of reaching the right states through left ones.
    pub fn path(left: Bits, right: Bits) -> Objective {
        Objective {
            wanted: Wanted::Path { left, right },
            least: false,
            bound: None,
        }
    }

    /// What is earned in all.
    pub fn reward(analysis: &Analysis<'_>, rewards: &Rewards) -> Objective {
        let (earned, error) = analysis.per_choice(rewards);
        Objective {
            wanted: Wanted::Reward { earned, error },
            least: false,
            bound: None,
        }
    }

    /// It is to be small instead of large.
    #[must_use]
    pub fn small(mut self) -> Objective {
        self.least = true;
        self
    }

    /// It has to attain a bound, or more than that.
    #[must_use]
    pub fn to(mut self, bound: f64, strictly: bool) -> Objective {
        self.bound = Some((bound, strictly));
        self
    }

    /// What a choice earns for it, from below and above.
    fn earned(&self, choice: usize) -> (f64, f64) {
        match &self.wanted {
            Wanted::Path { .. } => (0.0, 0.0),
            Wanted::Reward { earned, error } => {
                let value = earned[choice];
                (value * (1.0 - error), value * (1.0 + error))
            }
        }
    }

    /// Whether no way can miss the bound: no chance is negative or more than one, and no reward
    /// negative.
    fn is_always_kept(&self) -> bool {
        match (self.bound, self.least, &self.wanted) {
            (Some((bound, false)), false, _) => bound <= 0.0,
            (Some((bound, false)), true, Wanted::Path { .. }) => bound >= 1.0,
            _ => false,
        }
    }

    fn earns(&self, choice: usize) -> bool {
        self.earned(choice).1 > 0.0
    }
}

impl Analysis<'_> {
    /// What can be attained for several objectives at once from a state.
    ///
    /// ```
    /// use quotient_bits::Bits;
    /// use quotient_core::Budget;
    /// use quotient_markov::{Builder, Kind};
    /// use quotient_probability::{Analysis, Attained, Objective, Precision};
    /// // One may go to 1 or to 2, and stays there.
    /// let mut builder = Builder::new(Kind::Mdp);
    /// for target in [1, 2] {
    ///     builder.choice(0);
    ///     builder.branch(target, 1.0);
    /// }
    /// (0..3).for_each(|_| builder.end_state());
    /// let model = builder.finish(vec![0]);
    /// let analysis = Analysis::new(&model, Precision::default());
    /// let all: Bits = (0..3).collect();
    /// let at = |state: usize| Objective::path(all.clone(), (state..state + 1).collect());
    /// let both = |half: f64| [at(1).to(half, false), at(2).to(half, false)];
    /// let ask = |wanted: &[Objective]| analysis.several(0, wanted, &Budget::unlimited()).unwrap();
    /// // With a coin one comes to each of them half of the time, and no more often.
    /// assert_eq!(ask(&both(0.4999)), Attained::Together(Some(true)));
    /// assert_eq!(ask(&both(0.5001)), Attained::Together(Some(false)));
    /// ```
    pub fn several(
        &self,
        begin: u32,
        objectives: &[Objective],
        budget: &Budget,
    ) -> Result<Attained, Stop> {
        match self.laid_out(begin, objectives, budget)? {
            Some(mut set) => set.attained(objectives),
            None if asked(objectives).is_empty() => Ok(Attained::Together(Some(false))),
            None => Ok(Attained::Never),
        }
    }

    /// The equations; none if what is to be sure cannot be.
    fn laid_out<'b>(
        &self,
        begin: u32,
        objectives: &[Objective],
        budget: &'b Budget,
    ) -> Result<Option<Set<'b>>, Stop> {
        let pays = Pays::new(&self.model, begin, objectives, self.precision, budget)?;
        let Some(pays) = pays else {
            return Ok(None);
        };
        let limits = (0..objectives.len()).map(|one| limit(&objectives[one], pays.offsets[one]));
        let mut limits: Vec<Option<Limit>> = limits.collect();
        // What all ways that are left keep needs no bound.
        for one in sure::sure(objectives) {
            limits[one] = None;
        }
        for (limit, objective) in limits.iter_mut().zip(objectives) {
            if objective.is_always_kept() {
                *limit = None;
            }
        }
        Ok(Some(Set {
            pays,
            limits,
            points: Vec::new(),
            ways: Vec::new(),
            shares: Vec::new(),
            ceilings: Vec::new(),
            width: self.precision.width,
            budget,
        }))
    }
}

/// The objectives of which as much as possible is wanted.
fn asked(objectives: &[Objective]) -> Vec<usize> {
    let numbers = 0..objectives.len();
    let open = |&one: &usize| objectives[one].bound.is_none();
    numbers.filter(open).collect()
}

/// What has to be paid at least.
#[derive(Debug, Clone, Copy)]
struct Limit {
    low: f64,
    high: f64,
    strictly: bool,
}

fn limit(objective: &Objective, offset: Option<(f64, f64)>) -> Option<Limit> {
    let (bound, strictly) = objective.bound?;
    let (low, high) = match offset {
        None => (bound, bound),
        Some((low, high)) => ((low - bound).next_down(), (high - bound).next_up()),
    };
    Some(Limit {
        low,
        high,
        strictly,
    })
}

/// The weights of sums, and what no way exceeds of each, from each unknown.
type Ceilings = Vec<(Vec<f64>, Vec<f64>)>;

/// What can be attained, from inside and outside.
struct Set<'a> {
    pays: Pays,
    limits: Vec<Option<Limit>>,
    points: Vec<Point>,
    /// The choices of each unknown that pay these.
    ways: Vec<Vec<u32>>,
    /// The mixture of them that attains what was found.
    shares: Vec<f64>,
    /// What no way exceeds, as far as that was needed.
    ceilings: Ceilings,
    width: f64,
    budget: &'a Budget,
}

impl Set<'_> {
    /// What is asked for.
    fn attained(&mut self, objectives: &[Objective]) -> Result<Attained, Stop> {
        match asked(objectives)[..] {
            [] => Ok(Attained::Together(self.together()?.0)),
            [one] => self.best(one),
            // What all ways that are left keep is no third one.
            [0, 1] if self.limits.iter().all(Option::is_none) => self.tradeoff(),
            _ => Err(Stop::inconclusive(
                "one objective without a bound can be asked for beside others, or two before \
                 others that are to be sure (`P>=1`)",
            )),
        }
    }

    fn add(&mut self, way: BestWay) {
        self.points.push(way.point);
        self.ways.push(way.chosen);
    }

    /// Whether all bounds can be kept at once, and a mixture that does.
    fn together(&mut self) -> Result<(Option<bool>, Point), Stop> {
        let bounded: Vec<(usize, Limit)> = self.bounded();
        let dimensions = self.limits.len();
        if bounded.is_empty() {
            let mut weights = vec![0.0; dimensions];
            weights.fill(1.0);
            let way = self.pays.best(&weights, self.budget)?;
            let point = way.point.clone();
            self.add(way);
            self.shares = vec![1.0];
            return Ok((Some(true), point));
        }
        // The least margin over all bounds is to be large; shifted so that it is not negative.
        let shift = bounded
            .iter()
            .map(|(_, limit)| limit.high)
            .fold(0.0, f64::max)
            + 1.0;
        let mut before = f64::NEG_INFINITY;
        for _ in 0..ROUNDS {
            let mut rows: Vec<Vec<f64>> = Vec::new();
            let mut limits = Vec::new();
            for &(one, limit) in &bounded {
                let mut row: Vec<f64> = self.points.iter().map(|point| -point[one]).collect();
                row.push(1.0);
                rows.push(row);
                limits.push(shift - limit.high);
            }
            let mut sum = vec![1.0; self.points.len()];
            sum.push(0.0);
            rows.push(sum);
            limits.push(1.0);
            let mut gain = vec![0.0; self.points.len()];
            gain.push(1.0);
            let Some(optimum) = maximise(&gain, &rows, &limits) else {
                break;
            };
            let mixture = self.mixture(&optimum.unknowns[..self.points.len()]);
            if bounded
                .iter()
                .all(|&(one, limit)| limit.is_kept(mixture[one]))
            {
                self.shares = optimum.unknowns[..self.points.len()].to_vec();
                return Ok((Some(true), mixture));
            }
            let prices = &optimum.prices[..bounded.len()];
            let all: f64 = prices.iter().sum();
            if all <= 0.0 {
                break;
            }
            let mut weights = vec![0.0; dimensions];
            let mut wanted = 0.0;
            for (&(one, limit), price) in bounded.iter().zip(prices) {
                weights[one] = price / all;
                wanted += weights[one] * limit.low;
            }
            let way = self.pays.best(&weights, self.budget)?;
            let upper = way.upper[self.pays.begin];
            let off = 1e-14 * (wanted.abs() + upper.abs() + 1.0);
            if upper + off < wanted {
                self.ceilings = vec![(weights, way.upper)];
                return Ok((Some(false), mixture));
            }
            let margin = optimum.unknowns[self.points.len()] - shift;
            let narrow = margin <= before && upper - wanted < self.width * 0.01;
            if self.is_known(&way.point) || narrow {
                break;
            }
            before = margin;
            self.add(way);
        }
        Ok((None, vec![0.0; dimensions]))
    }

    /// The best value of one objective while the others keep their bounds.
    fn best(&mut self, asked: usize) -> Result<Attained, Stop> {
        let mut here = match self.together()? {
            (Some(true), mixture) => mixture,
            (Some(false), _) => return Ok(Attained::Never),
            (None, _) => {
                return Err(Stop::inconclusive(
                    "the bounds are kept so narrowly, if at all, that it is not clear",
                ));
            }
        };
        let bounded = self.bounded();
        let mut upper = f64::INFINITY;
        for _ in 0..ROUNDS {
            // Away from the mixture so far, along what was found, as far as the bounds allow.
            let mut rows: Vec<Vec<f64>> = Vec::new();
            let mut limits = Vec::new();
            for &(one, limit) in &bounded {
                let away = |point: &Point| here[one] - point[one];
                rows.push(self.points.iter().map(away).collect());
                // A little inside of the bound, so that rounding does not lead out of it.
                let inside = limit.high + 1e-12 * (1.0 + limit.high.abs());
                limits.push((here[one] - inside).max(0.0));
            }
            rows.push(vec![1.0; self.points.len()]);
            limits.push(1.0);
            let gain = self.points.iter().map(|point| point[asked] - here[asked]);
            let gain: Vec<f64> = gain.collect();
            let Some(optimum) = maximise(&gain, &rows, &limits) else {
                break;
            };
            let rest = (1.0 - optimum.unknowns.iter().sum::<f64>()).max(0.0);
            let before = self.shares.iter().chain(std::iter::repeat(&0.0));
            let shares = optimum.unknowns.iter().zip(before);
            let shares = shares.map(|(share, before)| share.max(0.0) + rest * before);
            let mut shares: Vec<f64> = shares.collect();
            let mut moved = self.mixed(&optimum.unknowns, Some((rest, &here)));
            if let Some((safest, part)) = self.led_back(&moved, &bounded) {
                shares.iter_mut().for_each(|share| *share *= 1.0 - part);
                shares[safest] += part;
                moved = self.mixture(&shares);
            }
            if moved[asked] > here[asked]
                && bounded
                    .iter()
                    .all(|&(one, limit)| limit.is_kept(moved[one]))
            {
                here = moved;
                self.shares = shares;
            }
            let mut weights = vec![0.0; self.limits.len()];
            weights[asked] = 1.0;
            let mut held = 0.0;
            for (&(one, limit), price) in bounded.iter().zip(&optimum.prices) {
                weights[one] = *price;
                held += price * limit.low;
            }
            let way = self.pays.best(&weights, self.budget)?;
            let best = way.upper[self.pays.begin];
            let off = 1e-14 * (best.abs() + held.abs());
            if best - held + off < upper {
                upper = best - held + off;
                self.ceilings = vec![(weights, way.upper.clone())];
            }
            let near = upper - here[asked] <= self.width * upper.abs().max(1e-3);
            if near || self.is_known(&way.point) {
                break;
            }
            self.add(way);
        }
        let (low, high) = (here[asked], upper.max(here[asked]));
        Ok(match self.pays.offsets[asked] {
            None => Attained::Best(low, high),
            Some((least, most)) => {
                Attained::Best((least - high).next_down().max(0.0), (most - low).next_up())
            }
        })
    }

    fn bounded(&self) -> Vec<(usize, Limit)> {
        let limits = self.limits.iter().enumerate();
        limits
            .filter_map(|(one, limit)| limit.map(|limit| (one, limit)))
            .collect()
    }

    /// A mixture that misses a bound by rounding alone keeps it with a little of the way that keeps all of them by
    /// most: that way, and how much of it. Nothing where no bound is missed, or no way is of help.
    fn led_back(&self, mixture: &Point, bounded: &[(usize, Limit)]) -> Option<(usize, f64)> {
        let over = |point: &Point| -> f64 {
            let margins = bounded.iter().map(|&(one, limit)| point[one] - limit.high);
            margins.fold(f64::INFINITY, f64::min)
        };
        let by_margin = |one: &usize, other: &usize| {
            over(&self.points[*one]).total_cmp(&over(&self.points[*other]))
        };
        let safest = (0..self.points.len()).max_by(by_margin)?;
        let size = |limit: &Limit| 1.0 + limit.high.abs();
        let size = bounded
            .iter()
            .map(|(_, limit)| size(limit))
            .fold(1.0, f64::max);
        let (missed, margin) = (1e-12 * size - over(mixture), over(&self.points[safest]));
        (missed > 0.0 && margin > 0.0 && margin.is_finite())
            .then(|| (safest, missed / (missed + margin)))
    }

    /// What a mixture of the ways found pays, from below.
    fn mixture(&self, shares: &[f64]) -> Point {
        self.mixed(shares, None)
    }

    fn mixed(&self, shares: &[f64], more: Option<(f64, &Point)>) -> Point {
        let all: f64 = shares.iter().sum::<f64>() + more.map_or(0.0, |(share, _)| share);
        let scale = (1.0 - 1e-14) / all.max(1.0);
        let mut mixture = vec![0.0; self.limits.len()];
        let points = self
            .points
            .iter()
            .zip(shares)
            .map(|(point, &share)| (share, point));
        for (share, point) in points.chain(more) {
            for (sum, paid) in mixture.iter_mut().zip(point) {
                *sum += share.max(0.0) * scale * paid;
            }
        }
        mixture
    }

    fn is_known(&self, point: &Point) -> bool {
        let near = |one: &Point| {
            one.iter()
                .zip(point)
                .all(|(a, b)| (a - b).abs() <= 1e-12 * (1.0 + a.abs()))
        };
        self.points.iter().any(near)
    }
}

impl Limit {
    /// Whether what is paid, from below, is enough.
    fn is_kept(&self, paid: f64) -> bool {
        match self.strictly {
            true => paid > self.high,
            false => paid >= self.high,
        }
    }
}

#[cfg(test)]
mod tests;
