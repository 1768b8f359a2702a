//! The model with one unknown for each end component, with fractions, for several objectives.
//!
//! States of an end component are one unknown, with a choice to stay for ever, as long as nothing is
//! earned there: then all other choices lead out in the end, and any of them has one value.
//!
//! Where what is to be small can be earned again and again, the components are those in which nothing is.
//! Whoever does not stay in one of them in the end spends infinitely much. So that it is known of every
//! unknown what it is worth, one may give up everywhere else, which is paid so badly that nobody does who
//! need not. Choices are only changed for better ones, beginning with those that stay or give up: then
//! none of them goes round for ever.

use std::collections::BTreeMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Rejection, Stop};
use quotient_markov::{ChoiceId, Markov, Rational, StateId, whole};

use super::elimination::{Equation, Row, solved, weight};
use crate::linear::{components, components_of};
use crate::together::{ExactWay, Payment};

/// Larger systems are not solved with fractions.
const MOST_UNKNOWNS: usize = 1_500;

/// What each objective is paid.
pub(super) type Point = Vec<Rational>;

/// A choice of the model, or to stay for ever.
pub(super) type Chosen = Option<usize>;

/// What giving up is paid.
const GIVEN_UP: i64 = -(1 << 50);

/// A way that is best for a sum.
pub(super) struct BestWay {
    /// What the sum comes to, from each unknown.
    pub(super) values: Vec<Rational>,
    pub(super) point: Point,
    pub(super) chosen: Vec<Chosen>,
}

/// The model with one unknown for each end component.
pub(super) struct Quotient<'a> {
    model: &'a Markov,
    pub(super) payments: &'a [Payment],
    unknown_of: Vec<usize>,
    members: Vec<Vec<usize>>,
    /// What may be chosen: all that leads out, and to stay where one can.
    options: Vec<Vec<Chosen>>,
    /// What is chosen now.
    chosen: Vec<usize>,
    /// Where one may stay for ever.
    rests: Vec<bool>,
    /// Whether what is to be small can be earned again and again.
    spends: bool,
    pub(super) budget: &'a Budget,
}

impl<'a> Quotient<'a> {
    pub(super) fn new(
        model: &'a Markov,
        payments: &'a [Payment],
        budget: &'a Budget,
    ) -> Result<Quotient<'a>, Rejection> {
        let states = model.states();
        let none = Bits::with_capacity(states);
        let mut found = components(model, &none, budget)?;
        let spends = goes_round(model, payments, &found)?;
        if spends {
            let free = |choice: usize| is_free(payments, choice);
            found = components_of(model, &none, &free, budget)?;
        }
        let (part, alive) = found;
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
            rests: members.iter().map(|all| alive.contains(all[0])).collect(),
            members,
            spends,
            budget,
        };
        for state in 0..states {
            let unknown = quotient.unknown_of[state];
            for choice in model.choices_of(StateId::from_index(state)) {
                if !(quotient.rests[unknown] && quotient.stays(choice.index(), unknown)) {
                    quotient.options[unknown].push(Some(choice.index()));
                }
            }
        }
        for unknown in 0..quotient.members.len() {
            if quotient.rests[unknown] || spends {
                quotient.options[unknown].push(None);
            }
            if spends {
                // All that is known to come to an end.
                quotient.chosen[unknown] = quotient.options[unknown].len() - 1;
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

    pub(super) fn begin(&self) -> usize {
        self.unknown_of[0]
    }

    /// Whether a choice leads to one unknown alone, and earns nothing.
    fn stays(&self, choice: usize, unknown: usize) -> bool {
        let mut targets =
            self.model.targets[self.model.branches_of(ChoiceId::from_index(choice))].iter();
        is_free(self.payments, choice) && targets.all(|&to| self.unknown_of[to.index()] == unknown)
    }

    /// What an objective is paid by an option itself.
    fn paid(&self, payment: &Payment, unknown: usize, option: Chosen) -> Rational {
        match option {
            Some(choice) => payment.pay.earned[choice].clone(),
            None if !self.rests[unknown] => whole(GIVEN_UP),
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
    pub(super) fn best(&mut self, weights: &[Rational]) -> Result<BestWay, Rejection> {
        let values = self.most(&|this, unknown, option| {
            if option.is_none() && !this.rests[unknown] {
                return whole(GIVEN_UP);
            }
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

    /// At most so many choices are made on average until one stays for ever; where what is to be small can
    /// be earned again and again, so many more for what is earned of it.
    pub(super) fn most_steps(&mut self) -> Result<(Vec<Rational>, Rational), Rejection> {
        let one = |option: Chosen| whole(i64::from(option.is_some()));
        if !self.spends {
            return Ok((self.most(&|_, _, option| one(option))?, whole(0)));
        }
        for patience in PATIENCE.map(whole) {
            let chosen = self.chosen.clone();
            let steps = self.most(&|this, _, option| {
                let Some(choice) = option else {
                    return whole(0);
                };
                let small = this.payments.iter().filter(|one| one.negative);
                let spent: Rational = small.map(|one| one.pay.earned[choice].clone()).sum();
                whole(1) + spent * &patience
            });
            self.chosen = chosen;
            match steps {
                Ok(steps) => return Ok((steps, patience)),
                // With so little patience one goes round and round.
                Err(Rejection::Wrong(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Err(Stop::inconclusive("too little is earned by what goes round").into())
    }

    fn now(&self) -> Vec<Chosen> {
        let chosen = self.chosen.iter().zip(&self.options);
        chosen.map(|(&number, options)| options[number]).collect()
    }

    pub(super) fn of_states(&self, values: &[Rational]) -> Vec<Rational> {
        let unknowns = self.unknown_of.iter();
        unknowns.map(|&unknown| values[unknown].clone()).collect()
    }

    /// A way for the states of the model, with what it is paid there and how many steps it takes.
    pub(super) fn way(
        &mut self,
        share: Rational,
        chosen: &[Chosen],
    ) -> Result<ExactWay, Rejection> {
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
            let unknown = self.unknown_of[state];
            let moves = chosen[unknown].is_some();
            if !moves && !self.rests[unknown] {
                return Err(Rejection::unreadable("what is earned comes to no end"));
            }
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

/// How many steps more are tried for what is spent.
const PATIENCE: [i64; 6] = [1, 1 << 6, 1 << 12, 1 << 20, 1 << 30, 1 << 45];

/// Whether a choice earns nothing.
fn is_free(payments: &[Payment], choice: usize) -> bool {
    let mut all = payments.iter();
    all.all(|one| one.pay.earned[choice].is_zero())
}

/// Whether what is to be small can be earned again and again; what is to be large must not be.
fn goes_round(
    model: &Markov,
    payments: &[Payment],
    (part, alive): &(Vec<u32>, Bits),
) -> Result<bool, Rejection> {
    let mut spends = false;
    for state in alive.ones() {
        for choice in model.choices_of(StateId::from_index(state)) {
            let mut targets = model.targets[model.branches_of(choice)].iter();
            let inside =
                targets.all(|to| alive.contains(to.index()) && part[to.index()] == part[state]);
            if !inside || is_free(payments, choice.index()) {
                continue;
            }
            let small = |one: &Payment| one.negative || one.pay.earned[choice.index()].is_zero();
            if !payments.iter().all(small) {
                return Err(Rejection::unreadable(
                    "rewards can be earned again and again without an end",
                ));
            }
            spends = true;
        }
    }
    Ok(spends)
}
