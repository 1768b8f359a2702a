//! Questions about time in Markov automata, answered once more.
//!
//! Some states are left after a while, at a rate; in the others a choice is made at once. A clock that
//! ticks at a rate `q`, not less than any other, makes time a matter of ticks: at a tick a state that
//! is left at rate `e` is left with chance `e/q`, and else nothing happens. How many ticks there are up
//! to a time is a Poisson number `N`, whatever is chosen. What is paid depends on `N` and on where the
//! run is at each tick, alone: whether the goal was reached after `N` ticks, what the state is worth
//! after `N` ticks, or what was earned by then. (Per unit of time a state earns as much as if it were
//! paid `1/q` of that at each tick: ticks come at rate `q` whatever was chosen before.)
//!
//! So choices that see only how many ticks there were attain no more than the best ones do, and
//! choices that know `N` from the beginning no less (Butkova, Hatefi, Hermanns, Krčál 2015). Both are
//! computed here backwards, tick by tick, with every rounding outwards; the faster the clock, the
//! nearer they are.

use quotient_core::{Budget, Rejection};
use quotient_markov::{ChoiceId, Markov, Rational, StateId, above, below, whole};

use crate::recomputed::{
    Enclosed, Limited, Poisson, add, down, enclose, inwards, outwards, product_up, up,
};

/// So many branches are followed before faster clocks are given up.
const MOST_WORK: f64 = 1.3e9;

/// Answers a question about time in a Markov automaton once more, for every state: faster and faster
/// clocks are taken until `enough` says so, or that takes too long. The weights of the model
/// are probabilities; `rates` are how fast states are left, nothing where a choice is made at once. Of
/// [`Limited::Earning`] every choice says what it earns while its state lasts and when it is left. `least`
/// says that the least over all choices is meant, else the greatest.
pub fn recompute_delayed(
    model: &Markov,
    rates: &[Rational],
    question: &Limited<'_>,
    least: bool,
    enough: &dyn Fn(&Enclosed) -> bool,
    budget: &Budget,
) -> Result<Enclosed, Rejection> {
    let states = model.states();
    if rates.len() != states {
        return Err(Rejection::wrong("there is not one rate for each state"));
    }
    let slow = |state: &usize| rates[*state] > whole(0);
    if (0..states)
        .filter(slow)
        .any(|state| model.choices_of(StateId::from_index(state)).len() != 1)
    {
        return Err(Rejection::wrong("a state that lasts has a choice"));
    }
    let pay = Pay::new(model, question)?;
    let quick = quick(model, rates, &pay)?;
    let fastest = rates.iter().max().filter(|rate| **rate > whole(0));
    let fastest = fastest.cloned().unwrap_or_else(|| whole(1));
    let mut clock = fastest * Rational::new(21, 20);
    let mut best: Option<Enclosed> = None;
    loop {
        let ticker = Ticker::new(model, rates, &clock, &quick, least, budget);
        let mean = (
            down(below(&clock) * pay.until.0).max(0.0),
            product_up(above(&clock), pay.until.1),
        );
        let counts = match (Poisson::new(mean.0, mean.1), best.take()) {
            (Ok(counts), before) => {
                best = before;
                counts
            }
            // No faster clock can be looked at.
            (Err(_), Some(found)) => return Ok(found),
            (Err(wrong), None) => return Err(wrong),
        };
        let knowing = ticker.knowing(&pay, &counts)?;
        let counting = ticker.counting(&pay, &counts)?;
        let mut found = match least {
            false => Enclosed {
                lower: counting.lower,
                upper: knowing.upper,
            },
            true => Enclosed {
                lower: knowing.lower,
                upper: counting.upper,
            },
        };
        if let Some(best) = &best {
            for state in 0..states {
                found.lower[state] = found.lower[state].max(best.lower[state]);
                found.upper[state] = found.upper[state].min(best.upper[state]);
            }
        }
        let work = 4.0 * counts.last as f64 * model.branches() as f64;
        if enough(&found) || mean.1 == 0.0 || work > MOST_WORK {
            return Ok(found);
        }
        best = Some(found);
        clock *= whole(2);
    }
}

/// What is paid.
struct Pay {
    /// Where the run is paid one as soon as it is there, and where it is never paid.
    fixed: Vec<Option<bool>>,
    /// What is paid after the last tick, by each state in which time passes.
    worth: Option<Enclosed>,
    /// What each choice earns.
    earned: Option<Enclosed>,
    until: (f64, f64),
}

impl Pay {
    fn new(model: &Markov, question: &Limited<'_>) -> Result<Pay, Rejection> {
        let none = vec![None; model.states()];
        Ok(match question {
            Limited::Reaching {
                allowed,
                goal,
                from,
                to,
            } => {
                if *from != (0.0, 0.0) {
                    return Err(Rejection::unreadable(
                        "a bound on time is an upper one here",
                    ));
                }
                let fixed = |state: usize| match (goal.contains(state), allowed.contains(state)) {
                    (true, _) => Some(true),
                    (false, false) => Some(false),
                    (false, true) => None,
                };
                Pay {
                    fixed: (0..model.states()).map(fixed).collect(),
                    worth: None,
                    earned: None,
                    until: *to,
                }
            }
            Limited::Earning { earned, until } if earned.len() == model.choices() => Pay {
                fixed: none,
                worth: None,
                earned: Some(enclose(earned)),
                until: *until,
            },
            Limited::Worth { worth, at } if worth.len() == model.states() => Pay {
                fixed: none,
                worth: Some(enclose(worth)),
                earned: None,
                until: *at,
            },
            _ => return Err(Rejection::wrong("there is not one reward for each")),
        })
    }
}

/// The states in which a choice is made at once, each after those that it can lead to: none can lead
/// back to itself without time passing.
fn quick(model: &Markov, rates: &[Rational], pay: &Pay) -> Result<Vec<usize>, Rejection> {
    let is_quick = |state: usize| rates[state] <= whole(0) && pay.fixed[state].is_none();
    let mut order = Vec::new();
    // 1 while its successors are looked at, 2 when that is done.
    let mut seen = vec![0u8; model.states()];
    for root in (0..model.states()).filter(|&state| is_quick(state)) {
        let mut waiting = vec![root];
        while let Some(&state) = waiting.last() {
            if seen[state] == 0 {
                seen[state] = 1;
                for branch in model.branches_from(StateId::from_index(state)) {
                    let to = model.targets[branch].index();
                    match seen[to] {
                        _ if !is_quick(to) => {}
                        0 => waiting.push(to),
                        1 => {
                            let text = "choices without delay can go round in a circle";
                            return Err(Rejection::unreadable(text));
                        }
                        _ => {}
                    }
                }
                continue;
            }
            waiting.pop();
            if seen[state] == 1 {
                seen[state] = 2;
                order.push(state);
            }
        }
    }
    Ok(order)
}

struct Ticker<'a> {
    model: &'a Markov,
    /// Weights from below and above, by the number of the exact weight.
    weights: Vec<(f64, f64)>,
    /// The chance that a state is left at a tick.
    shares: Vec<(f64, f64)>,
    is_slow: Vec<bool>,
    quick: &'a [usize],
    least: bool,
    budget: &'a Budget,
}

impl<'a> Ticker<'a> {
    fn new(
        model: &'a Markov,
        rates: &[Rational],
        clock: &Rational,
        quick: &'a [usize],
        least: bool,
        budget: &'a Budget,
    ) -> Ticker<'a> {
        let both = |one: &Rational| (below(one), above(one));
        Ticker {
            model,
            weights: model.exact.iter().map(both).collect(),
            shares: rates.iter().map(|rate| both(&(rate / clock))).collect(),
            is_slow: rates.iter().map(|rate| *rate > whole(0)).collect(),
            quick,
            least,
            budget,
        }
    }

    /// What a choice leads to on average.
    fn ahead(&self, choice: usize, values: &Enclosed) -> (f64, f64) {
        let (mut low, mut high, mut terms) = (0.0, 0.0, 0);
        let branches = self.model.branches_of(ChoiceId::from_index(choice));
        for branch in branches.clone() {
            let target = self.model.targets[branch].index();
            let number = self.model.numbers.get(branch);
            let weight = number.and_then(|&number| self.weights.get(number.index()));
            let (least, most) = weight.copied().unwrap_or((0.0, f64::INFINITY));
            if branches.len() == 1 && least == 1.0 && most == 1.0 {
                return (values.lower[target], values.upper[target]);
            }
            low += least * values.lower[target];
            if values.upper[target] > 0.0 {
                high += most * values.upper[target];
                terms += 1;
            }
        }
        (inwards(low, terms), outwards(high, terms))
    }

    /// Gives states in which a choice is made at once the best of what it leads to, and of what it
    /// earns, so often.
    fn choose(&self, pay: &Pay, often: (f64, f64), values: &mut Enclosed) {
        for &state in self.quick {
            let mut best: Option<(f64, f64)> = None;
            for choice in self.model.choices_of(StateId::from_index(state)) {
                let (mut low, mut high) = self.ahead(choice.index(), values);
                if let Some(earned) = &pay.earned {
                    low = down(low + down(earned.lower[choice.index()] * often.0)).max(0.0);
                    high = up(high + product_up(earned.upper[choice.index()], often.1));
                }
                best = Some(match best {
                    None => (low, high),
                    Some((a, b)) if self.least => (a.min(low), b.min(high)),
                    Some((a, b)) => (a.max(low), b.max(high)),
                });
            }
            (values.lower[state], values.upper[state]) = best.unwrap_or((0.0, f64::INFINITY));
        }
    }

    /// One tick backwards, for states in which time passes; earned so often.
    fn tick(&self, pay: &Pay, often: (f64, f64), values: &mut Enclosed) -> Result<(), Rejection> {
        self.budget.charge(self.model.branches() as u64 / 16 + 1)?;
        let states = self.model.states();
        let mut next = Vec::with_capacity(states);
        for state in 0..states {
            if !self.is_slow[state] || pay.fixed[state].is_some() {
                next.push((values.lower[state], values.upper[state]));
                continue;
            }
            let choice = self
                .model
                .choices_of(StateId::from_index(state))
                .first()
                .index();
            let (least, most) = self.shares[state];
            let ahead = self.ahead(choice, values);
            let stays = (down(1.0 - most).max(0.0), up(1.0 - least).min(1.0));
            let mut low = down(down(least * ahead.0) + down(stays.0 * values.lower[state]));
            let mut high = up(product_up(most, ahead.1) + product_up(stays.1, values.upper[state]));
            if let Some(earned) = &pay.earned {
                let (by_low, by_high) = (
                    down(down(earned.lower[choice] * least) * often.0),
                    product_up(product_up(earned.upper[choice], most), often.1),
                );
                (low, high) = (down(low + by_low), up(high + by_high));
            }
            next.push((low.max(0.0), high));
        }
        for (state, (low, high)) in next.into_iter().enumerate() {
            (values.lower[state], values.upper[state]) = (low, high);
        }
        Ok(())
    }

    /// Numbers before anything happens: what is reached counts so often.
    fn begin(&self, pay: &Pay, often: (f64, f64)) -> Enclosed {
        let won = |state: usize| pay.fixed[state] == Some(true);
        let side = |often: f64| -> Vec<f64> {
            let each = (0..self.model.states()).map(|state| if won(state) { often } else { 0.0 });
            each.collect()
        };
        Enclosed {
            lower: side(often.0),
            upper: side(often.1),
        }
    }

    /// Adds what states in which time passes are worth, so often.
    fn worth(&self, pay: &Pay, often: (f64, f64), values: &mut Enclosed) {
        let Some(worth) = &pay.worth else {
            return;
        };
        for state in (0..self.model.states()).filter(|&state| self.is_slow[state]) {
            let (low, high) = (worth.lower[state] * often.0, worth.upper[state]);
            values.lower[state] = down(values.lower[state] + down(low)).max(0.0);
            values.upper[state] = up(values.upper[state] + product_up(high, often.1));
        }
    }

    /// The most that one more tick, and all choices at once after it, earn.
    fn most_earned(&self, pay: &Pay) -> f64 {
        let Some(earned) = &pay.earned else {
            return 0.0;
        };
        let most = earned.upper.iter().copied().fold(0.0, f64::max);
        product_up(most, self.quick.len() as f64 + 1.0)
    }

    /// What choices are paid that know how many ticks there will be.
    fn knowing(&self, pay: &Pay, counts: &Poisson) -> Result<Enclosed, Rejection> {
        let once = (1.0, 1.0);
        let states = self.model.states();
        let mut values = self.begin(pay, once);
        self.worth(pay, once, &mut values);
        self.choose(pay, once, &mut values);
        let mut sum = Enclosed {
            lower: vec![0.0; states],
            upper: vec![0.0; states],
        };
        for count in 0..=counts.last {
            let (least, most) = counts.weight(count);
            add(&mut sum.lower, &values.lower, least);
            add(&mut sum.upper, &values.upper, most);
            if count < counts.last {
                self.tick(pay, once, &mut values)?;
                self.choose(pay, once, &mut values);
            }
        }
        let terms = counts.last as usize + 1;
        let top = values.upper.iter().copied().fold(1.0, f64::max);
        let worth = pay.worth.iter().flat_map(|worth| worth.upper.iter());
        let top = worth.copied().fold(top, f64::max);
        let later = product_up(counts.rest_mean, self.most_earned(pay));
        let rest = up(product_up(counts.rest, top) + later);
        for state in 0..states {
            sum.lower[state] = inwards(sum.lower[state], terms);
            sum.upper[state] = up(outwards(sum.upper[state], terms) + rest);
        }
        Ok(pay.within(sum))
    }

    /// What choices are paid that count ticks.
    fn counting(&self, pay: &Pay, counts: &Poisson) -> Result<Enclosed, Rejection> {
        // The chances of more ticks than so many; of at least none that is sure.
        let more = counts.tails();
        let at_least = |count: u64| match count {
            0 => (1.0, 1.0),
            count => more[count as usize - 1],
        };
        let mut values = self.begin(pay, at_least(counts.last));
        self.worth(pay, counts.weight(counts.last), &mut values);
        self.choose(pay, at_least(counts.last), &mut values);
        for count in (0..counts.last).rev() {
            let reached = at_least(count);
            self.tick(pay, at_least(count + 1), &mut values)?;
            for (state, fixed) in pay.fixed.iter().enumerate() {
                if *fixed == Some(true) {
                    (values.lower[state], values.upper[state]) = reached;
                }
            }
            self.worth(pay, counts.weight(count), &mut values);
            self.choose(pay, reached, &mut values);
        }
        let worth = pay.worth.iter().flat_map(|worth| worth.upper.iter());
        let top = worth.copied().fold(1.0, f64::max);
        let later = product_up(counts.rest_mean, self.most_earned(pay));
        let rest = up(product_up(counts.rest, top) + later);
        for upper in &mut values.upper {
            *upper = up(*upper + rest);
        }
        Ok(pay.within(values))
    }
}

impl Pay {
    /// Chances are not more than one, and what is fixed is known.
    fn within(&self, mut found: Enclosed) -> Enclosed {
        if self.worth.is_none() && self.earned.is_none() {
            for number in found.lower.iter_mut().chain(&mut found.upper) {
                *number = number.clamp(0.0, 1.0);
            }
        }
        for (state, fixed) in self.fixed.iter().enumerate() {
            if let Some(won) = fixed {
                let number = f64::from(u8::from(*won));
                (found.lower[state], found.upper[state]) = (number, number);
            }
        }
        found
    }
}
