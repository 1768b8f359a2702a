//! Quotients by strong bisimulation: states that a question cannot tell apart become one.
//!
//! Classes begin with what the question looks at (sets of states, rewards) and are split as long
//! as two members have different signatures: what each choice earns, and how much of it goes to
//! which class (Blom, Orzan 2003). Only states with a successor that has moved are looked at
//! again. Of a continuous chain what stays in a class does not count (ordinary lumpability).
//!
//! Why bounds found in the quotient are bounds of the model: members of a class have the same
//! sums of weights, as doubles added in the same order, so that the true sums differ from these
//! by no more than rounding and the error of the model. That is noted as the error of the
//! quotient. Bounds are proved for all weights within that error; repeated for each member of a
//! class they are kept by the steps of the model itself. While classes are refined signatures are
//! compared by their hashes, in the end once by themselves: a collision costs time, never truth.

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ActionId, Builder, ChoiceId, Kind, Markov, Rewards, StateId};
use rustc_hash::FxHashMap;

use crate::analysis::rounding;
use crate::graph::Reverse;
use crate::{Analysis, Values};

/// When states that cannot be told apart are taken together before numbers are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bisimulation {
    /// Never.
    Never,
    /// Where finding them takes far less time than computing, and there are many of them.
    #[default]
    WherePays,
    /// Always.
    Always,
}

/// What a question looks at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looks<'a> {
    /// Sets of states, up to 60 of them.
    pub(crate) sets: &'a [&'a Bits],
    /// What is earned.
    pub(crate) rewards: Option<&'a Rewards>,
    /// States behind which nothing matters.
    pub(crate) ends: Option<&'a Bits>,
}

/// Computing that looks at fewer branches than this is done at once.
pub(crate) const WORTH: f64 = 1e9;

/// So often all branches are looked at, about, where equations are slow to solve.
pub(crate) const SLOW: f64 = 5000.0;

/// Looking at a branch takes so much longer here than there.
const DEARER: f64 = 64.0;

impl Analysis<'_> {
    /// Answers a question in the quotient, if that is wanted; otherwise so many branches would be
    /// looked at.
    pub(crate) fn smaller(
        &self,
        looks: Looks<'_>,
        branches: f64,
        budget: &Budget,
        ask: impl FnOnce(&Analysis<'_>, &Quotient) -> Result<Values, Stop>,
    ) -> Result<Option<Values>, Stop> {
        let states = self.timed.states();
        let limits = match self.bisimulation {
            Bisimulation::Never => return Ok(None),
            // Nothing of a Markov automaton is taken together.
            _ if !self.timed.exits.is_empty() => return Ok(None),
            Bisimulation::WherePays if branches < WORTH => return Ok(None),
            Bisimulation::WherePays => ((branches / DEARER) as u64, states / 10 * 7),
            Bisimulation::Always => (u64::MAX, states.saturating_sub(1)),
        };
        let Some(small) = quotient(self.timed, self.reverse(), looks, limits, budget)? else {
            return Ok(None);
        };
        self.classes.set(Some(small.model.states()));
        let inner = Analysis::new(&small.model, self.precision).taking(Bisimulation::Never);
        let values = ask(&inner, &small)?;
        Ok(Some(small.lift(&values, self.timed, looks)))
    }
}

/// A smaller model, and how the states of the large one are found in it.
#[derive(Debug)]
pub(crate) struct Quotient {
    pub(crate) model: Markov,
    pub(crate) rewards: Rewards,
    /// The class of each state, which is a state of the small model.
    class_of: Vec<u32>,
}

/// A choice as classes see it: what it earns, as bits, and how much goes to which class.
type Signature = (u64, Vec<(u32, u64)>);

/// The quotient; none if it takes more than so much work to find (branches looked at), or has
/// more classes than so many.
pub(crate) fn quotient(
    model: &Markov,
    reverse: &Reverse,
    looks: Looks<'_>,
    (work, most): (u64, usize),
    budget: &Budget,
) -> Result<Option<Quotient>, Stop> {
    let mut classes = Classes::new(model, looks);
    match classes.refine(reverse, (work, most), budget)? {
        true => Ok(classes
            .model(budget)?
            .filter(|one| one.model.states() <= most)),
        false => Ok(None),
    }
}

struct Classes<'a> {
    model: &'a Markov,
    looks: Looks<'a>,
    class_of: Vec<u32>,
    /// How many members each class has.
    sizes: Vec<u32>,
    /// The hash of the signature that the members of a class share.
    shared: Vec<(u64, u64)>,
}

impl<'a> Classes<'a> {
    /// The classes of states that look alike by themselves.
    fn new(model: &'a Markov, looks: Looks<'a>) -> Classes<'a> {
        let mut numbers: FxHashMap<(u64, u64), u32> = FxHashMap::default();
        let mut sizes: Vec<u32> = Vec::new();
        let mut class_of = Vec::with_capacity(model.states());
        for state in 0..model.states() {
            let ends = looks.ends.is_some_and(|ends| ends.contains(state));
            let mut seen = u64::from(ends);
            for set in looks.sets {
                seen = seen << 1 | u64::from(set.contains(state));
            }
            let earned = match looks.rewards {
                Some(rewards) if !ends => bits(rewards.states[state]),
                _ => 0,
            };
            let next = numbers.len() as u32;
            let class = *numbers.entry((seen, earned)).or_insert(next);
            if class == next {
                sizes.push(0);
            }
            sizes[class as usize] += 1;
            class_of.push(class);
        }
        Classes {
            model,
            looks,
            class_of,
            shared: vec![(0, 0); sizes.len()],
            sizes,
        }
    }

    fn ends(&self, state: usize) -> bool {
        self.looks.ends.is_some_and(|ends| ends.contains(state))
    }

    /// What a choice earns, as bits.
    fn earned(&self, choice: usize) -> u64 {
        let rewards = self.looks.rewards;
        rewards
            .and_then(|rewards| rewards.choices.get(choice))
            .map_or(0, |&one| bits(one))
    }

    /// How much of a choice goes to which class, in the order of classes.
    fn sums(&self, state: usize, choice: usize, sums: &mut Vec<(u32, u64)>) {
        sums.clear();
        let own = match self.model.kind {
            Kind::Ctmc => self.class_of[state],
            _ => u32::MAX,
        };
        for branch in self.model.branches_of(ChoiceId::from_index(choice)) {
            let class = self.class_of[self.model.targets[branch].index()];
            if class != own {
                sums.push((class, bits(self.model.weights[branch])));
            }
        }
        // Added in one order, the same weights have the same sum.
        sums.sort_unstable();
        sums.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = bits(f64::from_bits(kept.1) + f64::from_bits(next.1));
            }
            same
        });
    }

    /// All that a state can do, in one order.
    fn signature(&self, state: usize) -> Vec<Signature> {
        if self.ends(state) {
            return Vec::new();
        }
        let choices = self.model.choices_of(StateId::from_index(state));
        let mut all: Vec<Signature> = choices
            .map(|choice| {
                let mut sums = Vec::new();
                self.sums(state, choice.index(), &mut sums);
                (self.earned(choice.index()), sums)
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Splits classes until all members of each have the same signature; false if that is too
    /// much work, or there are too many classes.
    fn refine(
        &mut self,
        reverse: &Reverse,
        (work, most): (u64, usize),
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let states = self.model.states();
        let mut sums = Vec::new();
        let mut choices: Vec<(u64, u64)> = Vec::new();
        let mut changed: Vec<u32> = (0..states as u32)
            .filter(|&state| !self.ends(state as usize))
            .collect();
        let mut marked = Bits::with_capacity(states);
        let mut hashes: Vec<(u32, (u64, u64), u32)> = Vec::new();
        let mut visited = 0u64;
        while !changed.is_empty() {
            if self.sizes.len() > most {
                return Ok(false);
            }
            hashes.clear();
            for &state in &changed {
                let at = state as usize;
                choices.clear();
                for choice in self.model.choices_of(StateId::from_index(at)) {
                    self.sums(at, choice.index(), &mut sums);
                    choices.push(hashed(self.earned(choice.index()), &sums));
                }
                choices.sort_unstable();
                choices.dedup();
                let all = choices.iter().flat_map(|&(one, two)| [one, two]);
                hashes.push((self.class_of[at], mixed(all), state));
                let branches = self.model.branches_from(StateId::from_index(at)).len() as u64;
                visited += branches + 1;
                budget.charge(branches / 8 + 1)?;
            }
            if visited > work {
                return Ok(false);
            }
            hashes.sort_unstable();
            let moved = self.split(&hashes);
            changed.clear();
            marked.clear();
            for &state in &moved {
                let sources = reverse.leading_to(state as usize);
                let sources = sources.map(|choice| reverse.owner[choice] as usize);
                for at in sources.chain([state as usize]) {
                    if !self.ends(at) && !marked.put(at) {
                        changed.push(at as u32);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Splits the classes of some states by the hashes of these; the states that are in a new
    /// class. Others of a class have the signature that they had.
    fn split(&mut self, hashes: &[(u32, (u64, u64), u32)]) -> Vec<u32> {
        let mut moved = Vec::new();
        for of_class in hashes.chunk_by(|one, other| one.0 == other.0) {
            let class = of_class[0].0 as usize;
            let groups: Vec<_> = of_class.chunk_by(|one, other| one.1 == other.1).collect();
            let others = self.sizes[class] as usize > of_class.len();
            // Those that are not looked at keep the number; else the largest group does.
            let keeps = match others {
                true => groups.iter().position(|one| one[0].1 == self.shared[class]),
                false => {
                    let largest = groups.iter().enumerate();
                    let largest = largest.max_by_key(|(at, one)| (one.len(), usize::MAX - at));
                    largest.map(|(at, _)| at)
                }
            };
            for (number, group) in groups.iter().enumerate() {
                if keeps == Some(number) {
                    self.shared[class] = group[0].1;
                    continue;
                }
                let new = self.sizes.len() as u32;
                self.sizes.push(group.len() as u32);
                self.sizes[class] -= group.len() as u32;
                self.shared.push(group[0].1);
                for &(_, _, state) in *group {
                    self.class_of[state as usize] = new;
                    moved.push(state);
                }
            }
        }
        moved
    }

    /// The model of the classes, numbered in the order of their first states; none if members of
    /// a class turn out to be different after all.
    fn model(mut self, budget: &Budget) -> Result<Option<Quotient>, Stop> {
        let mut renamed = vec![u32::MAX; self.sizes.len()];
        let mut first: Vec<u32> = Vec::new();
        for (state, class) in self.class_of.iter_mut().enumerate() {
            let name = &mut renamed[*class as usize];
            if *name == u32::MAX {
                *name = first.len() as u32;
                first.push(state as u32);
            }
            *class = *name;
        }
        let signatures: Vec<_> = first
            .iter()
            .map(|&state| self.signature(state as usize))
            .collect();
        let mut longest = 0;
        for (state, &class) in self.class_of.iter().enumerate() {
            let branches = self.model.branches_from(StateId::from_index(state)).len();
            longest = longest.max(branches);
            budget.charge(branches as u64 / 8 + 1)?;
            let is_first = first[class as usize] as usize == state;
            if !is_first && self.signature(state) != signatures[class as usize] {
                return Ok(None);
            }
        }
        let mut builder = Builder::new(self.model.kind);
        builder.note_error(1.01 * (self.model.error + rounding(longest)));
        let mut rewards = Rewards::default();
        if let Some(of_model) = self.looks.rewards {
            let states = first.iter().map(|&state| of_model.states[state as usize]);
            rewards.states = states.collect();
            rewards.error = of_model.error;
        }
        for signature in &signatures {
            for (earned, sums) in signature {
                if sums.is_empty() {
                    // Of a continuous chain, a class that is never left.
                    continue;
                }
                builder.choice(ActionId::NONE);
                for &(class, weight) in sums {
                    builder.branch(class, f64::from_bits(weight));
                }
                rewards.choices.push(f64::from_bits(*earned));
            }
            builder.end_state();
            // A loop that was added earns what a class earns that is never left.
            if builder.choices() > rewards.choices.len() {
                let earned = signature.first().map_or(0, |(earned, _)| *earned);
                rewards.choices.push(f64::from_bits(earned));
            }
        }
        let mut initial = self.model.initial.clone();
        for state in &mut initial {
            *state = StateId::new(self.class_of[state.index()]);
        }
        initial.sort_unstable();
        initial.dedup();
        Ok(Some(Quotient {
            model: builder.finish(initial),
            rewards,
            class_of: self.class_of,
        }))
    }
}

impl Quotient {
    /// The classes of the states of a set that is made of whole classes.
    pub(crate) fn set(&self, set: &Bits) -> Bits {
        let mut classes = Bits::with_capacity(self.model.states());
        for state in set.ones() {
            classes.insert(self.class_of[state] as usize);
        }
        classes
    }

    /// What is known about classes, for each state; a choice that looks like the one chosen.
    pub(crate) fn lift(&self, values: &Values, model: &Markov, looks: Looks<'_>) -> Values {
        let lifted = |numbers: &[f64]| {
            let all = self.class_of.iter().map(|&class| numbers[class as usize]);
            all.collect::<Vec<f64>>()
        };
        let mut chosen = Vec::new();
        if !values.chosen.is_empty() {
            chosen = match model.kind {
                Kind::Mdp => self.choices(&values.chosen, model, looks),
                _ => {
                    let firsts = model.rows[..model.states()].iter();
                    firsts.map(|&first| ChoiceId::new(first)).collect()
                }
            };
        }
        Values {
            lower: lifted(&values.lower),
            upper: lifted(&values.upper),
            chosen,
        }
    }

    fn choices(&self, chosen: &[ChoiceId], model: &Markov, looks: Looks<'_>) -> Vec<ChoiceId> {
        let classes = Classes {
            model,
            looks,
            class_of: self.class_of.clone(),
            sizes: Vec::new(),
            shared: Vec::new(),
        };
        let mut sums = Vec::new();
        let small = &self.model;
        let mut found = Vec::with_capacity(model.states());
        for state in 0..model.states() {
            let choice = chosen[self.class_of[state] as usize];
            let branches = small.branches_of(choice);
            let targets = small.targets[branches.clone()].iter().map(|to| to.number());
            let wanted = targets.zip(small.weights[branches].iter().map(|&one| bits(one)));
            let earned = small_earned(&self.rewards, choice.index());
            let mut choices = model.choices_of(StateId::from_index(state));
            let first = choices.first();
            let alike = choices.find(|&one| {
                classes.sums(state, one.index(), &mut sums);
                classes.earned(one.index()) == earned && sums.iter().copied().eq(wanted.clone())
            });
            found.push(alike.unwrap_or(first));
        }
        found
    }
}

fn small_earned(rewards: &Rewards, choice: usize) -> u64 {
    rewards.choices.get(choice).map_or(0, |&one| bits(one))
}

/// The bits of a number that is not negative; nothing is one thing.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

fn hashed(earned: u64, sums: &[(u32, u64)]) -> (u64, u64) {
    let all = sums
        .iter()
        .flat_map(|&(class, sum)| [u64::from(class), sum]);
    mixed(std::iter::once(earned).chain(all))
}

/// Two hashes of numbers in their order.
fn mixed(numbers: impl Iterator<Item = u64>) -> (u64, u64) {
    let (mut one, mut two) = (0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344_u64);
    for number in numbers {
        one = (one ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        one ^= one >> 32;
        two = two.rotate_left(23) ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93);
        two = two.wrapping_mul(0xc2b2_ae3d_27d4_eb4f) ^ two >> 29;
    }
    (one, two)
}
