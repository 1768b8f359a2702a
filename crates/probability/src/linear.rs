//! Probabilities of linear-time formulas: the model multiplied with an automaton.

use std::collections::HashMap;

use quotient_bits::Bits;
use quotient_core::{Budget, Stop};
use quotient_markov::{ActionId, Builder, Kind, StateId};

use crate::temporal::{Automaton, Place, Temporal};
use crate::{Analysis, Best, Ending, Values};

/// Products with more states than this are given up.
const MOST_STATES: usize = 20_000_000;

impl Analysis<'_> {
    /// The probability that a run fulfils a formula, whose conditions are sets of states. Of a
    /// continuous chain the run is the sequence of its states.
    pub fn fulfils(
        &self,
        formula: &Temporal,
        conditions: &[Bits],
        best: Best,
        budget: &Budget,
    ) -> Result<Values, Stop> {
        if conditions.len() > 64 {
            return Err(Stop::bound("conditions of a formula", 64));
        }
        match best {
            Best::Greatest => self.multiplied(formula, conditions, budget),
            Best::Least => {
                let values = self.multiplied(&formula.opposite(), conditions, budget)?;
                let less = |one: &f64, up: bool| match (*one == 0.0 || *one == 1.0, up) {
                    (true, _) => 1.0 - one,
                    (_, true) => (1.0 - one).next_up().min(1.0),
                    (_, false) => (1.0 - one).next_down().max(0.0),
                };
                Ok(Values {
                    lower: values.upper.iter().map(|one| less(one, false)).collect(),
                    upper: values.lower.iter().map(|one| less(one, true)).collect(),
                    chosen: Vec::new(),
                })
            }
        }
    }

    /// The greatest probability that a formula is fulfilled.
    fn multiplied(
        &self,
        formula: &Temporal,
        conditions: &[Bits],
        budget: &Budget,
    ) -> Result<Values, Stop> {
        let model = &*self.model;
        let mut product = Product::new(formula)?;
        let mut first = Vec::with_capacity(model.states());
        for state in 0..model.states() {
            let place = product.automaton.start();
            let place = product.place(place);
            first.push(product.number(state as u32, place));
        }
        let mut builder = Builder::new(Kind::Mdp);
        let mut at = 0;
        while at < product.states.len() {
            budget.charge(1)?;
            if product.states.len() > MOST_STATES {
                return Err(Stop::bound("states of the product", MOST_STATES as u64));
            }
            let (state, place) = product.states[at];
            let letter = conditions.iter().enumerate().fold(0, |letter, (bit, set)| {
                letter | u64::from(set.contains(state as usize)) << bit
            });
            let next = product.step(place, letter)?;
            if product.places[next as usize] == Place::Lost {
                // Whatever happens, it is not fulfilled: no need to go on.
                builder.choice(ActionId::NONE);
                let to = product.number(state, next);
                builder.branch(to, 1.0);
            } else {
                for choice in model.choices_of(StateId::new(state)) {
                    builder.choice(ActionId::NONE);
                    for branch in model.branches_of(choice) {
                        let to = product.number(model.targets[branch].number(), next);
                        builder.branch(to, model.weights[branch]);
                    }
                }
            }
            for guess in product.guesses(place)? {
                builder.choice(ActionId::NONE);
                let to = product.number(state, guess);
                builder.branch(to, 1.0);
            }
            builder.end_state();
            at += 1;
        }
        builder.note_error(model.error);
        let built = builder.finish(first.iter().copied());
        let ending = product.ending();
        let analysis = Analysis::new(&built, self.precision);
        let values = analysis.ends(&[ending], budget)?;
        let of_start = |numbers: &[f64]| first.iter().map(|&at| numbers[at as usize]).collect();
        Ok(Values {
            lower: of_start(&values.lower),
            upper: of_start(&values.upper),
            chosen: Vec::new(),
        })
    }
}

/// States of the model together with places of the automaton.
struct Product {
    automaton: Automaton,
    places: Vec<Place>,
    place_numbers: HashMap<Place, u32>,
    steps: HashMap<(u32, u64), u32>,
    guesses: HashMap<u32, Vec<u32>>,
    states: Vec<(u32, u32)>,
    numbers: HashMap<(u32, u32), u32, rustc_hash::FxBuildHasher>,
}

impl Product {
    fn new(formula: &Temporal) -> Result<Product, Stop> {
        Ok(Product {
            automaton: Automaton::new(formula)?,
            places: Vec::new(),
            place_numbers: HashMap::new(),
            steps: HashMap::new(),
            guesses: HashMap::new(),
            states: Vec::new(),
            numbers: HashMap::default(),
        })
    }

    fn place(&mut self, place: Place) -> u32 {
        let next = self.places.len() as u32;
        if let Some(&known) = self.place_numbers.get(&place) {
            return known;
        }
        self.places.push(place.clone());
        self.place_numbers.insert(place, next);
        next
    }

    fn number(&mut self, state: u32, place: u32) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry((state, place)).or_insert(next);
        if number == next {
            self.states.push((state, place));
        }
        number
    }

    fn step(&mut self, place: u32, letter: u64) -> Result<u32, Stop> {
        if let Some(&known) = self.steps.get(&(place, letter)) {
            return Ok(known);
        }
        let from = self.places[place as usize].clone();
        let to = self.automaton.step(&from, letter)?;
        let to = self.place(to);
        self.steps.insert((place, letter), to);
        Ok(to)
    }

    fn guesses(&mut self, place: u32) -> Result<Vec<u32>, Stop> {
        if let Some(known) = self.guesses.get(&place) {
            return Ok(known.clone());
        }
        let from = self.places[place as usize].clone();
        let guesses = self.automaton.guesses(&from)?;
        let guesses: Vec<u32> = guesses.into_iter().map(|one| self.place(one)).collect();
        self.guesses.insert(place, guesses.clone());
        Ok(guesses)
    }

    /// A run fulfils the formula if it stays where nothing is left to come true, and rounds of
    /// every part end again and again.
    fn ending(&self) -> Ending {
        let set = |keep: &dyn Fn(&Place) -> bool| {
            let mut set = Bits::with_capacity(self.states.len());
            for (at, &(_, place)) in self.states.iter().enumerate() {
                set.set(at, keep(&self.places[place as usize]));
            }
            set
        };
        let rounds = 0..self.automaton.rounds();
        Ending {
            stays: set(&|place| self.automaton.is_settled(place)),
            visits: rounds
                .map(|round| set(&|place| self.automaton.ends_round(place, round)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether a formula holds at a place of a path that goes back from its end.
    fn holds(formula: &Temporal, path: &[u64], back: usize, at: usize) -> bool {
        let next = |at: usize| if at + 1 < path.len() { at + 1 } else { back };
        // Every place that is ever reached is reached within so many steps.
        let ahead = || {
            let mut now = at;
            (0..2 * path.len()).map(move |_| {
                let here = now;
                now = next(now);
                here
            })
        };
        match formula {
            Temporal::Truth(holds) => *holds,
            Temporal::Condition(number, wanted) => (path[at] >> number & 1 == 1) == *wanted,
            Temporal::All(parts) => parts.iter().all(|part| holds(part, path, back, at)),
            Temporal::Any(parts) => parts.iter().any(|part| holds(part, path, back, at)),
            Temporal::Next(of) => holds(of, path, back, next(at)),
            Temporal::Finally(of) => ahead().any(|at| holds(of, path, back, at)),
            Temporal::Globally(of) => ahead().all(|at| holds(of, path, back, at)),
            Temporal::Until(left, right) => {
                for at in ahead() {
                    if holds(right, path, back, at) {
                        return true;
                    }
                    if !holds(left, path, back, at) {
                        return false;
                    }
                }
                false
            }
        }
    }

    fn formulas() -> impl Strategy<Value = Temporal> {
        let leaf = prop_oneof![
            4 => (0u32..2, any::<bool>()).prop_map(|(one, wanted)| Temporal::Condition(one, wanted)),
            1 => any::<bool>().prop_map(Temporal::Truth),
        ];
        leaf.prop_recursive(4, 8, 2, |inner| {
            let boxed = inner.clone().prop_map(Box::new);
            prop_oneof![
                boxed.clone().prop_map(Temporal::Next),
                boxed.clone().prop_map(Temporal::Finally),
                boxed.clone().prop_map(Temporal::Globally),
                (boxed.clone(), boxed).prop_map(|(one, two)| Temporal::Until(one, two)),
                (inner.clone(), inner.clone()).prop_map(|(one, two)| Temporal::All(vec![one, two])),
                (inner.clone(), inner.clone()).prop_map(|(one, two)| Temporal::Any(vec![one, two])),
                (inner.clone(), inner).prop_map(|(one, two)| Temporal::release(one, two)),
            ]
        })
    }

    fn sets(letters: &[u64]) -> Vec<Bits> {
        (0..2)
            .map(|bit| {
                let mut set = Bits::with_capacity(letters.len());
                for (at, letter) in letters.iter().enumerate() {
                    set.set(at, letter >> bit & 1 == 1);
                }
                set
            })
            .collect()
    }

    proptest! {
        #[test]
        fn a_path_that_repeats_fulfils_what_it_fulfils(
            formula in formulas(),
            letters in prop::collection::vec(0u64..4, 1..6),
            back in 0usize..6,
        ) {
            let back = back % letters.len();
            let mut builder = Builder::new(Kind::Dtmc);
            for at in 0..letters.len() {
                builder.choice(0);
                let next = if at + 1 < letters.len() { at + 1 } else { back };
                builder.branch(next as u32, 1.0);
                builder.end_state();
            }
            let model = builder.finish(vec![0]);
            let analysis = Analysis::new(&model, crate::Precision::default());
            let budget = Budget::unlimited();
            for best in [Best::Greatest, Best::Least] {
                let values = analysis.fulfils(&formula, &sets(&letters), best, &budget);
                let values = values.expect("no limit");
                for at in 0..letters.len() {
                    let expected = f64::from(u8::from(holds(&formula, &letters, back, at)));
                    prop_assert_eq!(values.lower[at], expected, "{:?} at {}", formula, at);
                    prop_assert_eq!(values.upper[at], expected, "{:?} at {}", formula, at);
                }
            }
        }

        #[test]
        fn a_formula_and_its_opposite_share_all_runs_of_a_chain(
            formula in formulas(),
            rows in prop::collection::vec((0u64..4, prop::collection::vec(0u32..5, 2)), 5),
        ) {
            let mut builder = Builder::new(Kind::Dtmc);
            for (_, targets) in &rows {
                builder.choice(0);
                match targets[0] == targets[1] {
                    true => builder.branch(targets[0], 1.0),
                    false => targets.iter().for_each(|&to| builder.branch(to, 0.5)),
                }
                builder.end_state();
            }
            let model = builder.finish(vec![0]);
            let letters: Vec<u64> = rows.iter().map(|(letter, _)| *letter).collect();
            let analysis = Analysis::new(&model, crate::Precision::default());
            let budget = Budget::unlimited();
            let (sets, best) = (sets(&letters), Best::Greatest);
            let one = analysis.fulfils(&formula, &sets, best, &budget).expect("no limit");
            let other = analysis.fulfils(&formula.opposite(), &sets, best, &budget);
            let other = other.expect("no limit");
            for (at, _) in letters.iter().enumerate() {
                prop_assert!(one.lower[at] + other.lower[at] <= 1.0 + 1e-9, "{:?}", formula);
                prop_assert!(one.upper[at] + other.upper[at] >= 1.0 - 1e-9, "{:?}", formula);
            }
        }
    }
}
