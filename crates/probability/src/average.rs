//! Averages in the long run for decision processes.
//!
//! Choices settle in an end component in the end. In each, the best average lies between the
//! least and the greatest change of one step of value iteration (Puterman 1994, theorem 8.5.5;
//! half of the time nothing happens, so that no component is periodic). Then it is a question of
//! reaching good components: one unknown for each, with one more choice, to stay.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Rewards, StateId};

use crate::analysis::rounding;
use crate::delays::Ticking;
use crate::graph::{NOT_CHOSEN, end_components};
use crate::longrun::within_gains;
use crate::{Analysis, Best, Values};

/// What a choice earns, and where it leads.
type Choice = (f64, Vec<(u32, f64)>);

/// The best average inside of an end component.
pub(crate) struct Gain {
    pub(crate) bounds: (f64, f64),
    /// What its states are worth, and their best choices; empty if that was found in another way.
    pub(crate) worth: Vec<f64>,
    pub(crate) chosen: Vec<ChoiceId>,
}

/// All end components, what can be earned inside of them, and what that makes of all states.
pub(crate) struct Settling {
    /// The component of each state, if it is in one.
    pub(crate) part_of: Vec<u32>,
    pub(crate) members: Vec<Vec<u32>>,
    pub(crate) gains: Vec<Gain>,
    pub(crate) values: Values,
}

impl Analysis<'_> {
    /// The best average of a decision process.
    pub(crate) fn best_average(
        &self,
        rewards: &Rewards,
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let values = self.settling(rewards, best, budget)?.values;
        Ok(Values {
            chosen: Vec::new(),
            ..values
        })
    }

    /// Where choices settle in the end; those that head for there are in the values.
    pub(crate) fn settling(
        &self,
        rewards: &Rewards,
        best: Best,
        budget: &Budget,
    ) -> Result<Settling, Stop> {
        let model = &*self.model;
        let states = model.states();
        let mut all = Bits::with_capacity(states);
        all.insert_range(..);
        let (part_of, parts) = end_components(model, &all, |_| true, budget)?;
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); parts];
        for (state, &part) in part_of.iter().enumerate() {
            if let Some(list) = members.get_mut(part as usize) {
                list.push(state as u32);
            }
        }
        let (earned, error) = self.per_choice(rewards);
        let mut gains = Vec::with_capacity(parts);
        for list in &members {
            gains.push(self.best_gain(list, &part_of, (&earned, error), best, budget)?);
        }
        let groups = self.groups(&all, true, |_| true, budget)?;
        let most = gains.iter().map(|gain| gain.bounds.1).fold(0.0, f64::max);
        let nothing = |_: usize| (0.0, 0.0);
        let every = |_: usize| true;
        let stays = |state: usize| gains.get(part_of[state] as usize).map(|gain| gain.bounds);
        let mut chosen = vec![NOT_CHOSEN; states];
        let (mut lower, mut upper) = self.solved_or_stays(
            &groups,
            (nothing, every, stays),
            most,
            best,
            &mut chosen,
            budget,
        )?;
        let found = gains.iter().map(|gain| gain.bounds);
        within_gains(found, (&mut lower, &mut upper));
        let values = Values {
            lower,
            upper,
            chosen,
        };
        Ok(Settling {
            part_of,
            members,
            gains,
            values,
        })
    }

    /// The best average inside of an end component, between bounds.
    fn best_gain(
        &self,
        members: &[u32],
        part_of: &[u32],
        (earned, error): (&[f64], f64),
        best: Best,
        budget: &Budget,
    ) -> Result<Gain, Stop> {
        let model = &*self.model;
        let part = part_of[members[0] as usize];
        let stays = |choice: &ChoiceId| {
            let targets = &model.targets[model.branches_of(*choice)];
            targets.iter().all(|&to| part_of[to.index()] == part)
        };
        let mut staying = members.iter().flat_map(|&state| {
            let choices = model.choices_of(StateId::new(state));
            choices.filter(&stays).map(move |choice| (state, choice))
        });
        self.time_goes_on(members)?;
        let earns_nothing = |(_, choice): (u32, ChoiceId)| earned[choice.index()] == 0.0;
        if staying.clone().all(earns_nothing) {
            let first = |&state: &u32| {
                let choice = staying.find(|(one, _)| *one == state);
                choice.map_or(NOT_CHOSEN, |(_, choice)| choice)
            };
            return Ok(Gain {
                bounds: (0.0, 0.0),
                worth: vec![0.0; members.len()],
                chosen: members.iter().map(first).collect(),
            });
        }
        if !model.exits.is_empty() {
            return self.delayed_gain(members, &stays, (earned, error), best, budget);
        }
        let places = members.iter().copied().map(StateId::new).zip(0u32..);
        let place: std::collections::HashMap<StateId, u32> = places.collect();
        // The choices that stay, with places for targets.
        let mut rows: Vec<Vec<Choice>> = Vec::with_capacity(members.len());
        let mut longest = 0;
        for &state in members {
            let choices = model.choices_of(StateId::new(state)).filter(stays);
            let row: Vec<Choice> = choices
                .map(|choice| {
                    let branches = model.branches_of(choice);
                    longest = longest.max(branches.len());
                    let terms = branches
                        .map(|branch| (place[&model.targets[branch]], model.weights[branch]));
                    (earned[choice.index()], terms.collect())
                })
                .collect();
            rows.push(row);
        }
        let highest = rows.iter().flatten().map(|one| one.0).fold(0.0, f64::max);
        let mut now = vec![0.0; members.len()];
        let mut bounds = (0.0, f64::INFINITY);
        let off = rounding(longest + 4) + model.error;
        for step in 0u64.. {
            budget.charge(members.len() as u64 / 16 + 1)?;
            let mut next = half_step(&rows, &now, best);
            let changes = next.iter().zip(&now).map(|(next, now)| next - now);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            let mut top: f64 = 0.0;
            for (change, value) in changes.zip(&next) {
                (low, high) = (low.min(change), high.max(change));
                top = top.max(value.abs());
            }
            // Half of what is earned in one step was added, and sums are rounded.
            let slack = off * (top + high.abs()) * 2.0;
            let low = (2.0 * low - 2.0 * slack) * (1.0 - error);
            let high = (2.0 * high + 2.0 * slack) * (1.0 + error);
            if high - low < bounds.1 - bounds.0 || step == 0 {
                bounds = (low.max(0.0), high);
            }
            // What is nothing, up to this, need not be told from less.
            let floor = 1e-13 * highest;
            let enough = (self.precision.width * 0.1 * bounds.1.abs()).max(floor);
            let hopeless = step > 2_000_000 || step > 64 && high - low <= 8.0 * slack;
            if bounds.1 - bounds.0 <= enough || hopeless {
                break;
            }
            let base = next.iter().copied().fold(f64::INFINITY, f64::min);
            next.iter_mut().for_each(|value| *value -= base);
            now = next;
        }
        let chosen = members.iter().zip(&rows).map(|(&state, row)| {
            let choices = model.choices_of(StateId::new(state)).filter(stays);
            let by_worth = |a: &(ChoiceId, f64), b: &(ChoiceId, f64)| a.1.total_cmp(&b.1);
            let all = choices.zip(row.iter().map(|choice| worth(choice, &now)));
            let found = match best {
                Best::Least => all.min_by(by_worth),
                Best::Greatest => all.max_by(by_worth),
            };
            found.map_or(NOT_CHOSEN, |(choice, _)| choice)
        });
        Ok(Gain {
            bounds,
            chosen: chosen.collect(),
            worth: now,
        })
    }

    /// No average is told of states in which no time passes.
    fn time_goes_on(&self, members: &[u32]) -> Result<(), Stop> {
        let exits = &self.model.exits;
        let lasts = |state: &u32| exits[*state as usize] > 0.0;
        if exits.is_empty() || members.iter().any(lasts) {
            return Ok(());
        }
        Err(Stop::inconclusive(
            "choices without delay can go on for ever: then time stops, and there is no average",
        ))
    }

    /// The same in a Markov automaton.
    fn delayed_gain(
        &self,
        members: &[u32],
        stays: &dyn Fn(&ChoiceId) -> bool,
        (earned, error): (&[f64], f64),
        best: Best,
        budget: &Budget,
    ) -> Result<Gain, Stop> {
        let model = &*self.model;
        let mut open = Bits::with_capacity(model.states());
        open.extend(members.iter().map(|&state| state as usize));
        let how = (best, self.precision.width);
        let ticking = Ticking::new(
            model,
            &open,
            &|choice| stays(&ChoiceId::from_index(choice)),
            how,
        )?;
        let earned = |choice: usize| stays(&ChoiceId::from_index(choice)).then(|| earned[choice]);
        let (bounds, worths) = ticking.average(&earned, error, budget)?;
        let by_worth = |a: &(ChoiceId, f64), b: &(ChoiceId, f64)| a.1.total_cmp(&b.1);
        let chosen = members.iter().map(|&state| {
            let choices = model.choices_of(StateId::new(state));
            let all = choices.filter_map(|choice| {
                let branches = model.branches_of(choice);
                let terms =
                    branches.map(|at| model.weights[at] * worths[model.targets[at].index()]);
                Some((choice, earned(choice.index())? + terms.sum::<f64>()))
            });
            let found = match best {
                Best::Least => all.min_by(by_worth),
                Best::Greatest => all.max_by(by_worth),
            };
            found.map_or(NOT_CHOSEN, |(choice, _)| choice)
        });
        let chosen = chosen.collect();
        let worth = members.iter().map(|&one| worths[one as usize]).collect();
        Ok(Gain {
            bounds,
            worth,
            chosen,
        })
    }
}

/// The best values after one step more, half of which is staying.
fn half_step(rows: &[Vec<Choice>], now: &[f64], best: Best) -> Vec<f64> {
    let value = |(row, now_here): (&Vec<Choice>, &f64)| {
        let values = row.iter().map(|choice| worth(choice, now));
        let value = match best {
            Best::Least => values.fold(f64::INFINITY, f64::min),
            Best::Greatest => values.fold(f64::NEG_INFINITY, f64::max),
        };
        0.5 * value + 0.5 * now_here
    };
    rows.iter().zip(now).map(value).collect()
}

/// What a choice earns now and, by these values, later.
fn worth((earned, terms): &Choice, now: &[f64]) -> f64 {
    let ahead: f64 = terms.iter().map(|&(to, w)| w * now[to as usize]).sum();
    earned + ahead
}
