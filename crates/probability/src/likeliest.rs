//! The likeliest paths to a goal, one after the other: what shows that a chance is as large as that.
//!
//! How likely the best way from each state to the goal is comes from a search backwards (Dijkstra 1959, with
//! products instead of sums). With that as a guide, paths from the start are taken up in the order of what they
//! can come to, so that the first to reach the goal is the likeliest, the next the second, and so on: the
//! fewest paths that have together more than a bound are a smallest counterexample (Han, Katoen, Damman 2009).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ChoiceId, Choices, StateId};

use crate::Analysis;

/// A path, and how likely it is to be taken: not more than it is, whatever rounding did.
#[derive(Debug, Clone, PartialEq)]
pub struct Likely {
    /// The states from the start to the goal.
    pub path: Vec<StateId>,
    /// How likely it is.
    pub chance: f64,
}

/// A beginning of a path: what it can come to at best, how likely it is so far, its last state and the beginning
/// before that.
struct Begun {
    chance: f64,
    state: u32,
    before: u32,
}

/// In the order of what can become of it; of two alike the one that was found first.
struct Ranked(f64, u32);

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

/// So many beginnings of paths are kept.
const MOST_BEGUN: usize = 2_000_000;

impl Analysis<'_> {
    /// The likeliest paths to a goal through allowed states, until together they are more likely than `enough` or
    /// there are so many; of a decision process with a choice for each state. Their chances are rounded down.
    ///
    /// ```
    /// use quotient_bits::Bits;
    /// use quotient_core::Budget;
    /// use quotient_markov::{Builder, Kind, StateId};
    /// use quotient_probability::{Analysis, Precision};
    /// // From 0 a coin leads to 1 or back.
    /// let mut builder = Builder::new(Kind::Dtmc);
    /// builder.choice(0);
    /// builder.branch(0, 0.5);
    /// builder.branch(1, 0.5);
    /// (0..2).for_each(|_| builder.end_state());
    /// let model = builder.finish(vec![0]);
    /// let analysis = Analysis::new(&model, Precision::default());
    /// let (all, goal): (Bits, Bits) = ((0..2).collect(), (1..2).collect());
    /// let [first, second] = [0, 1].map(StateId::new);
    /// let paths = analysis.likeliest(first, (&all, &goal), &[], (0.7, 10), &Budget::unlimited());
    /// let paths: Vec<Vec<StateId>> = paths.unwrap().into_iter().map(|one| one.path).collect();
    /// assert_eq!(paths, [vec![first, second], vec![first, first, second]]);
    /// ```
    pub fn likeliest(
        &self,
        from: StateId,
        (allowed, goal): (&Bits, &Bits),
        chosen: &[ChoiceId],
        (enough, most): (f64, usize),
        budget: &Budget,
    ) -> Result<Vec<Likely>, Stop> {
        let guide = self.guide((allowed, goal), chosen, budget)?;
        let mut found: Vec<Likely> = Vec::new();
        let mut together = 0.0;
        let mut begun = vec![Begun {
            chance: 1.0,
            state: from.number(),
            before: u32::MAX,
        }];
        let mut waiting = BinaryHeap::from([Ranked(guide[from.index()], 0)]);
        while let Some(Ranked(hope, number)) = waiting.pop() {
            if hope <= 0.0 || begun.len() > MOST_BEGUN {
                break;
            }
            let (chance, state) = (begun[number as usize].chance, begun[number as usize].state);
            if goal.contains(state as usize) {
                let path = traced(&begun, number);
                // Each step multiplies once and is off by what the model is.
                let off = path.len() as f64 * (2.4e-16 + 1.01 * self.model.error);
                let chance = (chance * (1.0 - off)).max(0.0);
                found.push(Likely { path, chance });
                together = (together + chance).next_down();
                if together > enough || found.len() >= most {
                    break;
                }
                continue;
            }
            for choice in self.taken(state as usize, chosen) {
                let branches = self.model.branches_of(choice);
                budget.charge(branches.len() as u64)?;
                for branch in branches {
                    let to = self.model.targets[branch];
                    let chance = chance * self.model.weights[branch];
                    let hope = chance * guide[to.index()];
                    if hope > 0.0 {
                        waiting.push(Ranked(hope, begun.len() as u32));
                        begun.push(Begun {
                            chance,
                            state: to.number(),
                            before: number,
                        });
                    }
                }
            }
        }
        Ok(found)
    }

    /// The choices that are made in a state: the one that is told, or the only one.
    fn taken(&self, state: usize, chosen: &[ChoiceId]) -> Choices {
        let all = self.model.choices_of(StateId::from_index(state));
        match chosen.get(state).copied() {
            Some(one) if all.contains(one) => Choices::only(one),
            _ if all.len() == 1 => all,
            _ => Choices::NONE,
        }
    }

    /// How likely the likeliest path from each state to the goal is.
    fn guide(
        &self,
        (allowed, goal): (&Bits, &Bits),
        chosen: &[ChoiceId],
        budget: &Budget,
    ) -> Result<Vec<f64>, Stop> {
        let mut guide = vec![0.0; self.model.states()];
        let mut done = Bits::with_capacity(guide.len());
        let mut waiting = BinaryHeap::new();
        for state in goal.ones() {
            guide[state] = 1.0;
            waiting.push(Ranked(1.0, state as u32));
        }
        while let Some(Ranked(best, state)) = waiting.pop() {
            if done.put(state as usize) {
                continue;
            }
            for choice in self.reverse().leading_to(state as usize) {
                budget.charge(1)?;
                let from = self.reverse().owner[choice] as usize;
                let passes = allowed.contains(from) && !goal.contains(from);
                if !passes
                    || !self
                        .taken(from, chosen)
                        .contains(ChoiceId::from_index(choice))
                {
                    continue;
                }
                let branches = self.model.branches_of(ChoiceId::from_index(choice));
                let leads = branches.filter(|&at| self.model.targets[at] == StateId::new(state));
                let weight = leads.map(|at| self.model.weights[at]).fold(0.0, f64::max);
                if best * weight > guide[from] {
                    guide[from] = best * weight;
                    waiting.push(Ranked(guide[from], from as u32));
                }
            }
        }
        Ok(guide)
    }
}

/// The states of a path from its start.
fn traced(begun: &[Begun], last: u32) -> Vec<StateId> {
    let mut path = Vec::new();
    let mut at = last;
    while let Some(one) = begun.get(at as usize) {
        path.push(StateId::new(one.state));
        at = one.before;
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use quotient_markov::{Builder, Kind, Markov};
    use quotient_trial::arbitrary::{Result as Made, Unstructured};

    use super::*;
    use crate::Precision;

    const STATES: usize = 5;

    fn chain(u: &mut Unstructured<'_>) -> Made<Markov> {
        let mut builder = Builder::new(Kind::Dtmc);
        for _ in 0..STATES {
            builder.choice(0);
            let first = u.int_in_range(0..=STATES - 1)? as u32;
            let second = u.int_in_range(0..=STATES - 1)? as u32;
            let part = f64::from(u.int_in_range(1..=3u8)?) / 4.0;
            match first == second {
                true => builder.branch(first, 1.0),
                false => {
                    builder.branch(first, part);
                    builder.branch(second, 1.0 - part);
                }
            }
            builder.end_state();
        }
        Ok(builder.finish(vec![0]))
    }

    /// The chances of all paths to the goal with at most so many steps, the greatest first.
    fn all(model: &Markov, allowed: &Bits, goal: &Bits, steps: usize) -> Vec<f64> {
        let mut found = Vec::new();
        let mut now = vec![(0usize, 1.0)];
        for _ in 0..=steps {
            let mut next = Vec::new();
            for (state, chance) in now {
                if goal.contains(state) {
                    found.push(chance);
                } else if allowed.contains(state) {
                    for branch in model.branches_from(StateId::from_index(state)) {
                        let to = model.targets[branch].index();
                        next.push((to, chance * model.weights[branch]));
                    }
                }
            }
            now = next;
        }
        found.sort_by(|one: &f64, other| other.total_cmp(one));
        found
    }

    #[test]
    fn the_likeliest_paths_come_first_and_none_is_missing() {
        quotient_trial::trial(|u| {
            let model = chain(u)?;
            let allowed: Bits = (0..STATES).filter(|at| *at != 3).collect();
            let goal: Bits = (4..5).collect();
            let analysis = Analysis::new(&model, Precision::default());
            let found = analysis
                .likeliest(
                    StateId::new(0),
                    (&allowed, &goal),
                    &[],
                    (2.0, 8),
                    &Budget::unlimited(),
                )
                .expect("no limit");
            let expected = all(&model, &allowed, &goal, 12);
            for (number, one) in found.iter().enumerate() {
                // Longer paths than those that were listed may be among the last.
                if one.path.len() > 12 {
                    break;
                }
                assert!((one.chance - expected[number]).abs() < 1e-12, "{number}");
                let steps = one.path.windows(2);
                let product: f64 = steps
                    .map(|step| {
                        let mut branches = model.branches_from(step[0]);
                        let leads = branches.find(|&at| model.targets[at] == step[1]);
                        leads.map_or(0.0, |at| model.weights[at])
                    })
                    .product();
                assert!(
                    one.chance <= product && goal.contains(one.path[one.path.len() - 1].index())
                );
            }
            let short = expected.iter().filter(|one| **one > 0.0).count();
            assert!(found.len() >= short.min(8));
            Ok(())
        });
    }
}
