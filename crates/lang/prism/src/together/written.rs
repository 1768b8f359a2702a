//! How it is written what several objectives are worth, and how that is checked.

use quotient_certify::{Paid, Pay, certify_ceiling_of_finite, certify_way};
use quotient_core::{Budget, Rejection};
use quotient_markov::{Markov, Rational, exactly, whole};
use quotient_probability::Shown;
use serde::{Deserialize, Serialize};

use crate::lines;

/// The evidence, as written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    states: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ways: Vec<Way>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ceilings: Vec<Ceiling>,
}

/// A double, or a fraction in quotes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Double(f64),
    Fraction(String),
}

impl Number {
    fn exact(&self) -> Option<Rational> {
        match self {
            Number::Double(number) => exactly(*number),
            Number::Fraction(text) => text.parse().ok(),
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Way {
    share: Number,
    /// The choice of each state counted from its first, or -1 where the way does not come to.
    chosen: Vec<i64>,
    /// What is paid for each objective from each state.
    values: Vec<String>,
    steps: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ceiling {
    weights: Vec<Number>,
    values: String,
    /// What each reward that is to be small is measured against; nothing where the values are those of
    /// the sum itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    most: Vec<String>,
    steps: String,
    /// How many steps more may be made for what is spent, where only ways count that spend no more than
    /// some finite amount; nothing where all ways do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    patience: Option<Number>,
}

pub(super) fn as_written(shown: &Shown, states: usize) -> Written {
    let line = |numbers: &Vec<f64>| lines::write(numbers.iter().copied());
    let way = |way: &quotient_probability::Way| Way {
        share: Number::Double(way.share),
        chosen: (way.chosen.iter())
            .map(|one| one.map_or(-1, i64::from))
            .collect(),
        values: way.values.iter().map(line).collect(),
        steps: line(&way.steps),
    };
    let ceiling = |ceiling: &quotient_probability::Ceiling| Ceiling {
        weights: ceiling
            .weights
            .iter()
            .copied()
            .map(Number::Double)
            .collect(),
        values: line(&ceiling.values),
        most: ceiling.most.iter().map(line).collect(),
        steps: line(&ceiling.steps),
        patience: None,
    };
    Written {
        states,
        ways: shown.ways.iter().map(way).collect(),
        ceilings: shown.ceilings.iter().map(ceiling).collect(),
    }
}

/// A payment that is to be large, as the checker sees it.
pub(crate) struct Payment {
    pub(crate) pay: Pay,
    /// Whether it is the negative of a reward.
    pub(crate) negative: bool,
    /// What has to be paid, and whether more than that.
    pub(crate) bound: Option<(Rational, bool)>,
}

/// What the evidence shows.
pub(crate) enum Showing {
    /// Whether all bounds can be kept.
    Truth(bool),
    /// The most that can be paid for the one objective without a bound.
    Most(Rational, Rational),
    /// Pairs that can be paid for two objectives without bounds, and by how much more than what
    /// mixtures of them pay can be paid of both at once, at most.
    Tradeoff(Vec<[Rational; 2]>, Rational),
}

/// A way to choose with fractions, for all states of the model beside its paths.
pub(crate) struct ExactWay {
    pub(crate) share: Rational,
    pub(crate) chosen: Vec<Option<u32>>,
    /// What is paid for each objective.
    pub(crate) values: Vec<Vec<Rational>>,
    pub(crate) steps: Vec<Rational>,
}

/// A sum of objectives that no way exceeds, with fractions for all states of that model.
pub(crate) struct ExactCeiling {
    pub(crate) weights: Vec<Rational>,
    pub(crate) values: Vec<Rational>,
    pub(crate) steps: Vec<Rational>,
    /// How many steps more may be made for what is spent.
    pub(crate) patience: Rational,
}

/// No more letters than this are written for all fractions together.
const MOST_LETTERS: usize = 4_000_000;

impl Written {
    /// What was found with fractions, unless these are too long.
    pub(crate) fn of_fractions(
        states: usize,
        ways: &[ExactWay],
        highest: Option<&ExactCeiling>,
    ) -> Option<Written> {
        let line = |all: &Vec<Rational>| lines::write_fractions(all.iter());
        let number = |one: &Rational| Number::Fraction(one.to_string());
        let way = |way: &ExactWay| Way {
            share: number(&way.share),
            chosen: (way.chosen.iter())
                .map(|one| one.map_or(-1, i64::from))
                .collect(),
            values: way.values.iter().map(line).collect(),
            steps: line(&way.steps),
        };
        let ceiling = |ceiling: &ExactCeiling| Ceiling {
            weights: ceiling.weights.iter().map(number).collect(),
            values: line(&ceiling.values),
            most: Vec::new(),
            steps: line(&ceiling.steps),
            patience: (!ceiling.patience.is_zero()).then(|| number(&ceiling.patience)),
        };
        let written = Written {
            states,
            ways: ways.iter().map(way).collect(),
            ceilings: highest.into_iter().map(ceiling).collect(),
        };
        let of_ways = written
            .ways
            .iter()
            .flat_map(|way| way.values.iter().chain([&way.steps]));
        let of_ceilings = written
            .ceilings
            .iter()
            .flat_map(|one| [&one.values, &one.steps]);
        let letters: usize = of_ways.chain(of_ceilings).map(String::len).sum();
        (letters <= MOST_LETTERS).then_some(written)
    }

    /// What the evidence shows about payments in a model beside its paths.
    pub(crate) fn shown(
        &self,
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Showing, Rejection> {
        if self.states != model.states() {
            return Err(Rejection::wrong("the evidence is about another model"));
        }
        let open = payments.iter().enumerate();
        let open = open.filter(|(_, one)| one.bound.is_none());
        let open: Vec<usize> = open.map(|(number, _)| number).collect();
        match (&open[..], &self.ceilings[..]) {
            ([], [ceiling]) if self.ways.is_empty() => {
                let (weights, value) = ceiling.shown(model, payments, budget)?;
                let (owed, strictly) = owed(&weights, payments);
                match value < owed || strictly && value == owed {
                    true => Ok(Showing::Truth(false)),
                    false => Err(Rejection::wrong("the bounds may be kept")),
                }
            }
            ([], []) => {
                self.mixed(model, payments, budget)?;
                Ok(Showing::Truth(true))
            }
            (&[open], [ceiling]) => {
                let paid = self.mixed(model, payments, budget)?;
                let (weights, value) = ceiling.shown(model, payments, budget)?;
                if weights[open] <= whole(0) {
                    return Err(Rejection::wrong("the sum says nothing about what is asked"));
                }
                let (owed, _) = owed(&weights, payments);
                let most = (value - owed) / &weights[open];
                Ok(Showing::Most(paid[open].clone(), most))
            }
            ([_, _], ceilings) if payments.len() == 2 => {
                self.traded_off(ceilings, model, payments, budget)
            }
            _ => Err(Rejection::wrong("the evidence does not fit the question")),
        }
    }

    /// Pairs of which each is paid by one way, in order, and sums that no way exceeds: first the most
    /// of the first objective, then for each two pairs beside each other one sum, last the most of the
    /// second.
    ///
    /// The gap is what these sums exceed the pairs beside them by, at most, with weights that sum up to
    /// one. Let `(x, y)` be paid by some way. With the gap taken from both, its sum by the weights
    /// between two pairs is not more than that of either, and `x` not more than in the first pair. So
    /// where `x` lies between those of two pairs `y` is not more than on the line through them, and
    /// where `x` is less than in the last pair `y` is not more than there.
    fn traded_off(
        &self,
        ceilings: &[Ceiling],
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Showing, Rejection> {
        if self.ways.is_empty() || ceilings.len() != self.ways.len() + 1 {
            return Err(Rejection::wrong("pairs and sums do not fit each other"));
        }
        let mut pairs = Vec::with_capacity(self.ways.len());
        for way in &self.ways {
            let paid = self.mixed_of(std::slice::from_ref(way), model, payments, budget)?;
            pairs.push([paid[0].clone(), paid[1].clone()]);
        }
        if pairs.windows(2).any(|two| two[0][0] <= two[1][0]) {
            return Err(Rejection::wrong("the pairs are not in order"));
        }
        let mut gap = whole(0);
        // A pair that costs infinitely much may still have the most of the other.
        if ceilings.iter().any(|one| one.patience.is_some()) {
            return Err(Rejection::wrong("a sum is about some ways alone"));
        }
        for (number, ceiling) in ceilings.iter().enumerate() {
            let (weights, value) = ceiling.shown(model, payments, budget)?;
            let fits = match number {
                0 => weights == [whole(1), whole(0)],
                last if last == pairs.len() => weights == [whole(0), whole(1)],
                _ => weights[1] > whole(0),
            };
            if !fits {
                return Err(Rejection::wrong("a sum does not fit the pairs beside it"));
            }
            let all = &weights[0] + &weights[1];
            let beside = &pairs[number.saturating_sub(1)..pairs.len().min(number + 1)];
            for pair in beside {
                let worth = &weights[0] * &pair[0] + &weights[1] * &pair[1];
                gap = gap.max((&value - worth) / &all);
            }
        }
        Ok(Showing::Tradeoff(pairs, gap))
    }

    /// What the mixture of all ways pays, all bounds kept.
    fn mixed(
        &self,
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Vec<Rational>, Rejection> {
        self.mixed_of(&self.ways, model, payments, budget)
    }

    /// What the mixture of some ways pays, all bounds kept.
    fn mixed_of(
        &self,
        ways: &[Way],
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<Vec<Rational>, Rejection> {
        let (mut sums, mut all) = (vec![whole(0); payments.len()], whole(0));
        for way in ways {
            let share = way.share.exact().filter(|share| *share > whole(0));
            let share = share.ok_or_else(|| Rejection::wrong("a share is not positive"))?;
            if way.values.len() != payments.len() {
                return Err(Rejection::wrong("a way is not paid for each objective"));
            }
            let steps = lines::read_exactly(&way.steps, self.states)?;
            let chosen = way.chosen.iter().map(|&one| u32::try_from(one).ok());
            let chosen: Vec<Option<u32>> = chosen.collect();
            for ((payment, values), sum) in payments.iter().zip(&way.values).zip(&mut sums) {
                let paid = Paid {
                    values: lines::read_exactly(values, self.states)?,
                    steps: steps.clone(),
                };
                certify_way(model, &chosen, &payment.pay, &paid, budget)?;
                *sum += &share * &paid.values[0];
            }
            all += share;
        }
        if all <= whole(0) {
            return Err(Rejection::wrong("the evidence names no way to choose"));
        }
        for (sum, payment) in sums.iter_mut().zip(payments) {
            *sum /= &all;
            let kept = payment
                .bound
                .as_ref()
                .is_none_or(|(bound, strictly)| *sum > *bound || !strictly && *sum == *bound);
            if !kept {
                return Err(Rejection::wrong(
                    "a bound is not kept by the ways to choose",
                ));
            }
        }
        Ok(sums)
    }
}

impl Ceiling {
    /// The weights, and what no way to choose exceeds of the sum.
    fn shown(
        &self,
        model: &Markov,
        payments: &[Payment],
        budget: &Budget,
    ) -> Result<(Vec<Rational>, Rational), Rejection> {
        let weights = self.weights.iter().map(Number::exact);
        let weights: Option<Vec<Rational>> = weights.collect();
        let fits = |weights: &Vec<Rational>| {
            weights.len() == payments.len() && weights.iter().all(|weight| *weight >= whole(0))
        };
        let weights = weights
            .filter(fits)
            .ok_or_else(|| Rejection::wrong("a weight is missing or negative"))?;
        let mut sum = Pay {
            earned: vec![whole(0); model.choices()],
            settled: vec![whole(0); model.states()],
        };
        for (weight, payment) in weights.iter().zip(payments) {
            let (earned, settled) = (&payment.pay.earned, &payment.pay.settled);
            sum.earned
                .iter_mut()
                .zip(earned)
                .for_each(|(all, one)| *all += weight * one);
            sum.settled
                .iter_mut()
                .zip(settled)
                .for_each(|(all, one)| *all += weight * one);
        }
        let states = model.states();
        let mut paid = Paid {
            values: lines::read_exactly(&self.values, states)?,
            steps: lines::read_exactly(&self.steps, states)?,
        };
        let negative = weights.iter().zip(payments).filter(|(_, one)| one.negative);
        let negative: Vec<&Rational> = negative.map(|(weight, _)| weight).collect();
        if negative.len() != self.most.len() && !self.most.is_empty() {
            return Err(Rejection::wrong("a reward is measured against nothing"));
        }
        for (weight, most) in negative.into_iter().zip(&self.most) {
            let most = lines::read_exactly(most, states)?;
            let values = paid.values.iter_mut().zip(&most);
            values.for_each(|(value, most)| *value -= weight * most);
        }
        let spent = self.spent(model, payments)?;
        certify_ceiling_of_finite(model, &sum, &paid, &spent, budget)?;
        Ok((weights, paid.values[0].clone()))
    }

    /// By how much steps may be exceeded for what each choice spends. Whoever spends infinitely much on
    /// average keeps no bound on that, and is not best where it is to be small.
    fn spent(&self, model: &Markov, payments: &[Payment]) -> Result<Vec<Rational>, Rejection> {
        let mut spent = vec![whole(0); model.choices()];
        let Some(patience) = &self.patience else {
            return Ok(spent);
        };
        let patience = patience.exact().filter(|patience| *patience > whole(0));
        let patience = patience.ok_or_else(|| Rejection::wrong("no patience is told"))?;
        for payment in payments.iter().filter(|one| one.negative) {
            for (sum, earned) in spent.iter_mut().zip(&payment.pay.earned) {
                *sum -= &patience * earned;
            }
        }
        Ok(spent)
    }
}

/// The sum of all bounds by weight, and whether one of them must be exceeded.
fn owed(weights: &[Rational], payments: &[Payment]) -> (Rational, bool) {
    let (mut sum, mut strict) = (whole(0), false);
    for (weight, payment) in weights.iter().zip(payments) {
        if let Some((bound, strictly)) = &payment.bound {
            sum += weight * bound;
            strict |= *strictly && *weight > whole(0);
        }
    }
    (sum, strict)
}
