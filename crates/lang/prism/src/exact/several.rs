//! Several objectives with fractions, for bounds that are met exactly.
//!
//! As in the engine, ways to choose are found one after the other, and a linear program over them says
//! which sum of the objectives to ask for next. Here what ways pay, what no way exceeds, and the program
//! are fractions: so it is known on which side of a bound one is. It comes to an end, since every sum
//! either has a way that was not known, of which there are finitely many, or settles the answer.
//!
//! States of an end component are one unknown, with a choice to stay for ever, as long as nothing is
//! earned there: then all other choices lead out in the end, and any of them has one value.

use std::collections::BTreeMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection, Stop};
use quotient_markov::{ChoiceId, Markov, Rational, StateId, whole};

use super::elimination::{Equation, Row, solved, weight};
use super::program::maximise;
use crate::linear::components;
use crate::together::{ExactCeiling, ExactWay, Payment};

/// Larger systems are not solved with fractions.
const MOST_UNKNOWNS: usize = 1_500;

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

/// What each objective is paid.
type Point = Vec<Rational>;

/// A choice of the model, or to stay for ever.
type Chosen = Option<usize>;

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
                let steps = self.quotient.most_steps()?;
                Some(ExactCeiling {
                    weights: barrier.weights,
                    values: self.quotient.of_states(&barrier.values),
                    steps: self.quotient.of_states(&steps),
                })
            }
        };
        Ok(Found { ways, ceiling })
    }
}

/// A way that is best for a sum.
struct BestWay {
    /// What the sum comes to, from each unknown.
    values: Vec<Rational>,
    point: Point,
    chosen: Vec<Chosen>,
}

/// The model with one unknown for each end component.
struct Quotient<'a> {
    model: &'a Markov,
    payments: &'a [Payment],
    unknown_of: Vec<usize>,
    members: Vec<Vec<usize>>,
    /// What may be chosen: all that leads out, and to stay where one can.
    options: Vec<Vec<Chosen>>,
    /// What is chosen now.
    chosen: Vec<usize>,
    budget: &'a Budget,
}

impl<'a> Quotient<'a> {
    fn new(
        model: &'a Markov,
        payments: &'a [Payment],
        budget: &'a Budget,
    ) -> Result<Quotient<'a>, Rejection> {
        let states = model.states();
        let (part, alive) = components(model, &Bits::with_capacity(states), budget)?;
        let mut number_of: BTreeMap<(bool, usize), usize> = BTreeMap::new();
        let (mut unknown_of, mut members) = (Vec::new(), Vec::<Vec<usize>>::new());
        for (state, &part) in part.iter().enumerate() {
            let key = match alive.contains(state) {
                true => (true, part as usize),
                false => (false, state),
            };
            let next = number_of.len();
            let unknown = *number_of.entry(key).or_insert(next);
            if unknown == members.len() {
                members.push(Vec::new());
            }
            members[unknown].push(state);
            unknown_of.push(unknown);
        }
        if members.len() > MOST_UNKNOWNS {
            return Err(Stop::bound("states", MOST_UNKNOWNS as u64).into());
        }
        let mut quotient = Quotient {
            model,
            payments,
            unknown_of,
            chosen: vec![0; members.len()],
            options: vec![Vec::new(); members.len()],
            members,
            budget,
        };
        for state in 0..states {
            let unknown = quotient.unknown_of[state];
            for choice in model.choices_of(StateId::from_index(state)) {
                let inside = alive.contains(state) && quotient.stays(choice.index(), unknown);
                if !inside {
                    quotient.options[unknown].push(Some(choice.index()));
                } else if payments
                    .iter()
                    .any(|one| !one.pay.earned[choice.index()].is_zero())
                {
                    return Err(Rejection::unreadable(
                        "rewards can be earned again and again without an end",
                    ));
                }
            }
        }
        for (options, members) in quotient.options.iter_mut().zip(&quotient.members) {
            if alive.contains(members[0]) {
                options.push(None);
            }
        }
        // Where one can stay nothing changes any more: so is it laid out.
        let settled = |one: &Payment, members: &Vec<usize>| {
            let mut all = members.iter().map(|&state| &one.pay.settled[state]);
            all.all(|paid| *paid == one.pay.settled[members[0]])
        };
        let mut both = payments.iter().flat_map(|one| {
            let members = quotient.members.iter();
            members.map(move |members| settled(one, members))
        });
        match both.all(|same| same) {
            true => Ok(quotient),
            false => Err(Rejection::unreadable(
                "what is settled changes again and again",
            )),
        }
    }

    fn begin(&self) -> usize {
        self.unknown_of[0]
    }

    /// Whether a choice leads to one unknown alone.
    fn stays(&self, choice: usize, unknown: usize) -> bool {
        let mut targets =
            self.model.targets[self.model.branches_of(ChoiceId::from_index(choice))].iter();
        targets.all(|&to| self.unknown_of[to.index()] == unknown)
    }

    /// What an objective is paid by an option itself.
    fn paid(&self, payment: &Payment, unknown: usize, option: Chosen) -> Rational {
        match option {
            Some(choice) => payment.pay.earned[choice].clone(),
            None => payment.pay.settled[self.members[unknown][0]].clone(),
        }
    }

    /// The values of what is chosen now, for several payments at once.
    fn solve(
        &self,
        paid: &dyn Fn(usize, Chosen) -> Vec<Rational>,
    ) -> Result<Vec<Vec<Rational>>, Rejection> {
        let mut equations: BTreeMap<usize, Equation> = BTreeMap::new();
        for (unknown, &number) in self.chosen.iter().enumerate() {
            let option = self.options[unknown][number];
            let mut row = Row::new();
            for branch in option
                .into_iter()
                .flat_map(|one| self.model.branches_of(ChoiceId::from_index(one)))
            {
                let target = self.unknown_of[self.model.targets[branch].index()];
                *row.entry(target).or_insert_with(|| whole(0)) += weight(self.model, branch)?;
            }
            equations.insert(unknown, (row, paid(unknown, option)));
        }
        Ok(solved(equations, self.budget)?.into_values().collect())
    }

    /// The most that can be paid from each unknown; what is chosen attains it.
    fn most(
        &mut self,
        paid: &dyn Fn(&Self, usize, Chosen) -> Rational,
    ) -> Result<Vec<Rational>, Rejection> {
        loop {
            let values = self.solve(&|unknown, option| vec![paid(self, unknown, option)])?;
            let values: Vec<Rational> = values.into_iter().flatten().collect();
            let mut better = false;
            for (unknown, value) in values.iter().enumerate() {
                let mut best = value.clone();
                for (number, &option) in self.options[unknown].iter().enumerate() {
                    self.budget.charge(1)?;
                    let mut worth = paid(self, unknown, option);
                    for branch in option
                        .into_iter()
                        .flat_map(|one| self.model.branches_of(ChoiceId::from_index(one)))
                    {
                        let target = self.unknown_of[self.model.targets[branch].index()];
                        worth += weight(self.model, branch)? * &values[target];
                    }
                    if worth > best {
                        best = worth;
                        self.chosen[unknown] = number;
                        better = true;
                    }
                }
            }
            if !better {
                return Ok(values);
            }
        }
    }

    /// A way that is best for a sum of the objectives.
    fn best(&mut self, weights: &[Rational]) -> Result<BestWay, Rejection> {
        let values = self.most(&|this, unknown, option| {
            let each = this.payments.iter().zip(weights);
            let each = each.map(|(one, weight)| this.paid(one, unknown, option) * weight);
            each.sum()
        })?;
        let all = self.solve(&|unknown, option| {
            let each = self.payments.iter();
            each.map(|one| self.paid(one, unknown, option)).collect()
        })?;
        Ok(BestWay {
            values,
            point: all[self.begin()].clone(),
            chosen: self.now(),
        })
    }

    /// At most so many choices are made on average until one stays for ever.
    fn most_steps(&mut self) -> Result<Vec<Rational>, Rejection> {
        self.most(&|_, _, option| whole(i64::from(option.is_some())))
    }

    fn now(&self) -> Vec<Chosen> {
        let chosen = self.chosen.iter().zip(&self.options);
        chosen.map(|(&number, options)| options[number]).collect()
    }

    fn of_states(&self, values: &[Rational]) -> Vec<Rational> {
        let unknowns = self.unknown_of.iter();
        unknowns.map(|&unknown| values[unknown].clone()).collect()
    }

    /// A way for the states of the model, with what it is paid there and how many steps it takes.
    fn way(&mut self, share: Rational, chosen: &[Chosen]) -> Result<ExactWay, Rejection> {
        for ((now, options), option) in self.chosen.iter_mut().zip(&self.options).zip(chosen) {
            let number = options.iter().position(|one| one == option);
            *now = number.ok_or_else(|| Rejection::unreadable("there is no such choice"))?;
        }
        let by_unknown = self.solve(&|unknown, option| {
            let each = self.payments.iter();
            each.map(|one| self.paid(one, unknown, option)).collect()
        })?;
        let choices = self.choices(chosen);
        let states = self.model.states();
        let mut reached = Bits::with_capacity(states);
        let mut waiting = vec![0];
        while let Some(state) = waiting.pop() {
            if reached.put(state) {
                continue;
            }
            let targets =
                &self.model.targets[self.model.branches_of(ChoiceId::from_index(choices[state]))];
            waiting.extend(targets.iter().map(|&to| to.index()));
        }
        let mut equations: BTreeMap<usize, Equation> = BTreeMap::new();
        for state in reached.ones() {
            let mut row = Row::new();
            let moves = chosen[self.unknown_of[state]].is_some();
            for branch in self
                .model
                .branches_of(ChoiceId::from_index(choices[state]))
                .filter(|_| moves)
            {
                let target = self.model.targets[branch].index();
                *row.entry(target).or_insert_with(|| whole(0)) += weight(self.model, branch)?;
            }
            equations.insert(state, (row, vec![whole(i64::from(moves))]));
        }
        let mut steps = vec![whole(0); states];
        for (state, mut found) in solved(equations, self.budget)? {
            steps[state] = found.pop().unwrap_or_else(|| whole(0));
        }
        let value = |number: usize| {
            let of_state = |state: usize| match reached.contains(state) {
                true => by_unknown[self.unknown_of[state]][number].clone(),
                false => whole(0),
            };
            (0..states).map(of_state).collect()
        };
        let named = |state: usize| {
            let first = self.model.rows[state];
            reached
                .contains(state)
                .then(|| choices[state] as u32 - first)
        };
        Ok(ExactWay {
            share,
            chosen: (0..states).map(named).collect(),
            values: (0..self.payments.len()).map(value).collect(),
            steps,
        })
    }

    /// The choice of each state, by that of its unknown: where that leads out of an end component, all
    /// of its states go to where it does.
    fn choices(&self, chosen: &[Chosen]) -> Vec<usize> {
        let model = self.model;
        let mut choices: Vec<Option<usize>> = vec![None; model.states()];
        for (unknown, members) in self.members.iter().enumerate() {
            let inside = |state: usize| {
                let choices = model.choices_of(StateId::from_index(state));
                choices.filter(|&choice| self.stays(choice.index(), unknown))
            };
            let Some(out) = chosen[unknown] else {
                for &state in members {
                    choices[state] = inside(state).next().map(ChoiceId::index);
                }
                continue;
            };
            let owner = members.iter().find(|&&state| {
                model
                    .choices_of(StateId::from_index(state))
                    .contains(ChoiceId::from_index(out))
            });
            if let Some(&owner) = owner {
                choices[owner] = Some(out);
            }
            // From there backwards, choice by choice.
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for &state in members.iter() {
                    let leads = |choice: &ChoiceId| {
                        let targets = &model.targets[model.branches_of(*choice)];
                        targets.iter().any(|&to| choices[to.index()].is_some())
                    };
                    if choices[state].is_none()
                        && let Some(choice) = inside(state).find(leads)
                    {
                        choices[state] = Some(choice.index());
                        changed = true;
                    }
                }
            }
        }
        let first = |state: usize| model.choices_of(StateId::from_index(state)).first().index();
        let each = choices.iter().enumerate();
        each.map(|(state, choice)| choice.unwrap_or_else(|| first(state)))
            .collect()
    }
}
