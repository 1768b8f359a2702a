//! Basins, cycles and runs against a search of every state that knows nothing of diagrams or of Boolean variables for levels.

use std::collections::{BTreeMap, BTreeSet};

use quotient_core::{Budget, Context};
use quotient_language::{Random, Simulation};

use crate::given::tests::{network, random_functions, random_values, with_fixed};
use crate::landscape::Landscape;
use crate::levels::step;
use crate::network::{Network, Update};
use crate::simulate::Run;

type State = Vec<bool>;

/// Every state of a network with what follows it.
struct Naive {
    one_at_a_time: BTreeMap<State, Vec<State>>,
    at_once: BTreeMap<State, State>,
}

impl Naive {
    /// All that can be reached.
    fn reach(&self, from: &State) -> BTreeSet<State> {
        let mut seen = BTreeSet::from([from.clone()]);
        let mut open = vec![from.clone()];
        while let Some(state) = open.pop() {
            for after in &self.one_at_a_time[&state] {
                if seen.insert(after.clone()) {
                    open.push(after.clone());
                }
            }
        }
        seen
    }

    fn all_reached(&self) -> BTreeMap<State, BTreeSet<State>> {
        let all = self.one_at_a_time.keys();
        all.map(|state| (state.clone(), self.reach(state)))
            .collect()
    }

    /// The cycle that a state leads to if all variables change at once, from its least state on.
    fn cycle(&self, from: &State) -> Vec<State> {
        let mut at = from.clone();
        for _ in 0..self.at_once.len() {
            at = self.at_once[&at].clone();
        }
        let mut cycle = vec![at.clone()];
        loop {
            at = self.at_once[&at].clone();
            if at == cycle[0] {
                break;
            }
            cycle.push(at.clone());
        }
        turned(cycle)
    }
}

/// A cycle from its least state on.
fn turned(mut cycle: Vec<State>) -> Vec<State> {
    let least = (0..cycle.len()).min_by_key(|&at| cycle[at].clone());
    cycle.rotate_left(least.unwrap_or(0));
    cycle
}

/// What variables with two levels do by their functions, apart from those that are fixed.
fn naive_of_functions(plain: &Network, fixed: &[(usize, bool)]) -> Naive {
    let count = plain.names.len();
    let bits = |state: u64| -> State { (0..count).map(|at| state >> at & 1 == 1).collect() };
    let mut naive = Naive {
        one_at_a_time: BTreeMap::new(),
        at_once: BTreeMap::new(),
    };
    for state in 0..1u64 << count {
        let own = bits(state);
        if fixed.iter().any(|&(at, value)| own[at] != value) {
            continue;
        }
        let free = (0..count).filter(|at| fixed.iter().all(|pin| pin.0 != *at));
        let wants = free.filter(|&at| plain.updates[at].value(state) != own[at]);
        let wants: Vec<usize> = wants.collect();
        let after = wants.iter().map(|at| bits(state ^ (1 << at))).collect();
        let all = wants.iter().fold(state, |state, at| state ^ (1 << at));
        naive.one_at_a_time.insert(own.clone(), after);
        naive.at_once.insert(own, bits(all));
    }
    naive
}

/// Two variables with three levels and one with two, each with a level that it is led to in each state.
fn random_levels(random: &mut Random) -> (Network, Naive) {
    let most = [2usize, 2, 1];
    let all = || (0..18usize).map(|number| [number % 3, number / 3 % 3, number / 9]);
    let groups: [&[usize]; 3] = [&[0, 1], &[2, 3], &[4]];
    let coded = |levels: &[usize; 3]| -> State {
        let bits = groups.iter().zip(levels);
        let bits = bits.flat_map(|(group, level)| (0..group.len()).map(move |at| at < *level));
        bits.collect()
    };
    let targets: Vec<[usize; 3]> = all()
        .map(|_| most.map(|most| random.below(most + 1)))
        .collect();
    let mut network = Network {
        names: ["a_1", "a_2", "b_1", "b_2", "c"]
            .map(str::to_owned)
            .to_vec(),
        updates: vec![Update::Constant(false); 5],
        levels: vec![vec![0, 1], vec![2, 3]],
        ..Network::default()
    };
    for (which, group) in groups.iter().enumerate() {
        for level in 1..=group.len() {
            let mut wanted = Update::Constant(false);
            for (levels, target) in all().zip(&targets) {
                if target[which] >= level {
                    let here = coded(&levels).into_iter().enumerate();
                    let here = here.fold(Update::Constant(true), |all, (at, value)| {
                        let own = match value {
                            true => Update::Variable(at),
                            false => Update::Not(Box::new(Update::Variable(at))),
                        };
                        Update::And(Box::new(all), Box::new(own))
                    });
                    wanted = Update::Or(Box::new(wanted), Box::new(here));
                }
            }
            network.updates[group[level - 1]] = step(group, level, wanted);
        }
    }
    let mut naive = Naive {
        one_at_a_time: BTreeMap::new(),
        at_once: BTreeMap::new(),
    };
    for (levels, target) in all().zip(&targets) {
        let moved = |which: usize| match levels[which].cmp(&target[which]) {
            std::cmp::Ordering::Less => levels[which] + 1,
            std::cmp::Ordering::Equal => levels[which],
            std::cmp::Ordering::Greater => levels[which] - 1,
        };
        let mut after = Vec::new();
        for which in 0..3 {
            let mut next = levels;
            next[which] = moved(which);
            if next != levels {
                after.push(coded(&next));
            }
        }
        naive.one_at_a_time.insert(coded(&levels), after);
        naive
            .at_once
            .insert(coded(&levels), coded(&[0, 1, 2].map(moved)));
    }
    (network, naive)
}

/// Compares all that is told of attractors one by one; how many there are.
fn compare(network: &Network, naive: &Naive) -> usize {
    let budget = Budget::unlimited();
    let landscape = Landscape::new(network, &budget).unwrap();
    let (steady, complex) = (
        landscape.steady(100).unwrap(),
        landscape.complex(100).unwrap(),
    );
    let told = |many: &dyn ToString| -> usize { many.to_string().parse().unwrap() };
    let reached = naive.all_reached();
    let returns = |state: &State| reached[state].iter().all(|to| reached[to].contains(state));
    let recurrent: Vec<&State> = reached.keys().filter(|state| returns(state)).collect();
    let seen = |state: &State| -> State { complex.left.iter().map(|&at| state[at]).collect() };
    for most in [100, 1] {
        let (mut steady, complex) = (
            landscape.steady(most).unwrap(),
            landscape.complex(most).unwrap(),
        );
        steady.some.truncate(most);
        let basins = landscape.basins_of(&steady, &complex).unwrap();
        assert_eq!(basins.len(), steady.some.len() + complex.some.len());
        for basin in &basins {
            let mut own = recurrent
                .iter()
                .filter(|state| seen(state) == seen(&basin.state));
            let attractor = &reached[*own.next().unwrap()];
            let states: BTreeSet<State> = attractor.iter().map(seen).collect();
            assert_eq!(told(&basin.states), states.len());
            let reach = reached.values().filter(|to| !to.is_disjoint(attractor));
            assert_eq!(
                told(basin.reach.as_ref().unwrap()),
                reach.count(),
                "{network:?}"
            );
            let is_other = |state: &&&State| !attractor.contains(**state);
            let others: BTreeSet<State> = recurrent
                .iter()
                .filter(is_other)
                .map(|one| (*one).clone())
                .collect();
            let only = reached.values().filter(|to| to.is_disjoint(&others));
            assert_eq!(
                told(basin.only.as_ref().unwrap()),
                only.count(),
                "{network:?}"
            );
            let starts = |(state, to): &(&State, &BTreeSet<State>)| {
                let mut start = network.start.iter();
                start.all(|&(at, value)| state[at] == value) && !to.is_disjoint(attractor)
            };
            let expected =
                (!network.start.is_empty()).then(|| reached.iter().any(|one| starts(&one)));
            assert_eq!(basin.from_start, expected, "{network:?}");
        }
    }
    let mut expected: BTreeMap<Vec<State>, u128> = BTreeMap::new();
    for state in naive.at_once.keys() {
        *expected.entry(naive.cycle(state)).or_default() += 1;
    }
    let cycles = landscape.cycles(100).unwrap().unwrap();
    let longer = expected.keys().filter(|cycle| cycle.len() > 1).count();
    assert_eq!(cycles.count, longer as u64, "{network:?}");
    let listed = cycles.steady.iter().chain(&cycles.longer);
    let found: BTreeMap<Vec<State>, u128> = listed
        .map(|one| {
            assert_eq!(one.states.len(), one.length);
            (turned(one.states.clone()), one.basin)
        })
        .collect();
    assert_eq!(found, expected, "{network:?}");
    steady.some.len() + complex.some.len()
}

/// Follows runs: their choices are the steps of the search.
fn follow(network: &Network, naive: &Naive, random: &mut Random) {
    let cx = Context::default();
    for is_synchronous in [false, true] {
        let mut run = Run::new(network, is_synchronous);
        let mut states: Vec<State> = Vec::new();
        let coded = |run: &Run| -> State {
            let mut state = vec![false; network.names.len()];
            let trace = run.trace();
            for (unit, cell) in network
                .units()
                .iter()
                .zip(&trace.steps.last().unwrap().cells)
            {
                for (at, value) in unit.pins(cell.text.parse().unwrap()) {
                    state[at] = value;
                }
            }
            state
        };
        if run.trace().steps.is_empty() {
            assert!(!run.choices(&cx).unwrap().is_empty());
            assert!(run.take_any(random, &cx).unwrap());
        }
        for _ in 0..12 {
            let state = coded(&run);
            let after = match is_synchronous {
                false => naive.one_at_a_time[&state].clone(),
                true => vec![naive.at_once[&state].clone()],
            };
            let after: Vec<State> = after.into_iter().filter(|after| *after != state).collect();
            states.push(state);
            let mut found = Vec::new();
            for number in 0..run.choices(&cx).unwrap().len() {
                run.take(number, &cx).unwrap();
                found.push(coded(&run));
                assert!(run.undo());
            }
            assert_eq!(found, after, "{network:?}");
            let is_steady = !run.status(&cx).unwrap().notes.is_empty() && after.is_empty();
            assert_eq!(is_steady, after.is_empty());
            if !run.take_any(random, &cx).unwrap() {
                break;
            }
        }
        let begins = network.fixed.iter().chain(&network.start);
        assert!(begins.copied().all(|(at, value)| states[0][at] == value));
    }
}

#[test]
fn what_leads_to_attractors_is_what_a_search_finds() {
    let random = &mut Random::new(51);
    let (mut several, mut knocked) = (0, 0);
    for _ in 0..60 {
        let functions = random_functions(random);
        let plain = network(&functions);
        let fixed = match random.below(2) {
            0 => Vec::new(),
            _ => random_values(random, functions.len()),
        };
        let mut whole = with_fixed(plain.clone(), &fixed);
        if random.below(2) == 0 {
            let start = random_values(random, functions.len()).into_iter();
            whole.start = start
                .filter(|pin| fixed.iter().all(|other| other.0 != pin.0))
                .collect();
        }
        let naive = naive_of_functions(&plain, &fixed);
        several += usize::from(compare(&whole, &naive) > 1);
        knocked += usize::from(!fixed.is_empty());
        follow(&whole, &naive, random);
    }
    assert!(several > 10 && knocked > 8, "{several} {knocked}");
}

#[test]
fn several_levels_lead_where_a_search_finds() {
    let random = &mut Random::new(52);
    let mut several = 0;
    for _ in 0..60 {
        let (network, naive) = random_levels(random);
        several += usize::from(compare(&network, &naive) > 1);
        follow(&network, &naive, random);
    }
    assert!(several > 10, "{several}");
}
