//! Verdicts, counts and traces against explicit checking of random small models.

mod explicit;

use explicit::{Features, Random, Small, ctl, ltl};
use proptest::prelude::*;
use quotient_core::{Context, Verdict};
use quotient_symbolic::{Checker, Config, Direction, Showing, Specification};

/// Orders are changed all the time and room is found too small, so that what must survive that
/// is seen to.
fn checker(small: &Small) -> Checker {
    let config = Config {
        room: 1 << 6,
        reorder_from: Some(1),
        ..Config::small()
    };
    Checker::new(small.model.clone(), config, &Context::default()).unwrap()
}

/// The state that a valuation with inputs belongs to.
fn number_of(small: &Small, valuation: &quotient_symbolic::Valuation) -> usize {
    let same = |state: &quotient_symbolic::Valuation| {
        small.variables.iter().all(|&id| {
            let variable = small.model.variable(id);
            let bits = || variable.bits();
            variable.kind == quotient_symbolic::Kind::Input
                || bits().all(|bit| state.get(bit) == valuation.get(bit))
        })
    };
    small.states.iter().position(same).unwrap()
}

/// The reachable states and how far away the farthest is.
fn reachable(small: &Small) -> (Vec<bool>, usize) {
    let mut seen = vec![false; small.states.len()];
    small.initial.iter().for_each(|&state| seen[state] = true);
    for distance in 0.. {
        let new: Vec<usize> = small
            .edges
            .iter()
            .filter(|edge| seen[edge.from] && !seen[edge.to])
            .map(|edge| edge.to)
            .collect();
        if new.is_empty() {
            return (seen, distance);
        }
        new.into_iter().for_each(|state| seen[state] = true);
    }
    unreachable!()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn ctl_is_what_the_definitions_say(seed in any::<u64>(), inputs in any::<bool>(), justice in any::<bool>(), deadlocks in any::<bool>()) {
        let small = Small::new(seed, Features { inputs, justice, deadlocks, compassion: false });
        let random = &mut Random(seed.rotate_left(17) | 1);
        let mut checker = checker(&small);
        for _ in 0..3 {
            let formula = ctl::formula(random, 3, 3);
            let atom = |number: usize, state: usize| small.model.evaluate(small.atoms[number], &small.states[state], None);
            let expected = ctl::check(&small, &formula, &atom);
            // The engine looks at reachable states only; so does this.
            let holds = ctl::starts(&small).iter().all(|&state| expected[state]);
            let compiled = formula.map_atoms(|&number| small.atoms[number]);
            let outcome = checker.check(&Specification::Ctl(compiled)).unwrap();
            prop_assert_eq!(outcome.verdict == Verdict::Holds, holds, "{}", formula);
            prop_assert_eq!(outcome.trace.is_some() || holds, true);
            if let Some(trace) = &outcome.trace {
                prop_assert!(trace.replays(&mut small.model.clone()));
                let path: Vec<usize> = trace.states.iter().map(|state| number_of(&small, state)).collect();
                prop_assert!(small.initial.contains(&path[0]));
                prop_assert_eq!(expected[path[0]], holds);
                if outcome.showing == Some(Showing::Whole) {
                    let shown = ctl::shows(&small, &formula, holds, &path, trace.back_to, 0, &atom);
                    prop_assert!(shown, "{} is not shown by {:?} {:?}", formula, path, trace.back_to);
                }
            }
        }
    }

    #[test]
    fn states_that_agree_on_some_variables_are_taken_together(seed in any::<u64>(), inputs in any::<bool>(), which in any::<u8>()) {
        let small = Small::new(seed, Features { inputs, deadlocks: true, justice: false, compassion: false });
        let over: Vec<_> = small.variables.iter().copied().enumerate()
            .filter(|&(at, id)| which >> (at % 8) & 1 == 1 && small.model.variable(id).kind != quotient_symbolic::Kind::Input)
            .map(|(_, id)| id)
            .collect();
        let seen_through = |state: &quotient_symbolic::Valuation| {
            let mut seen = quotient_symbolic::Valuation::new(small.model.bit_count());
            for bit in over.iter().flat_map(|&id| small.model.variable(id).bits()) {
                seen.set(bit, state.get(bit));
            }
            seen
        };
        let (reached, _) = reachable(&small);
        let classes: std::collections::BTreeSet<_> = (0..reached.len())
            .filter(|&state| reached[state])
            .map(|state| seen_through(&small.states[state]))
            .collect();
        let mut checker = checker(&small);
        let found = checker.quotient(&over, 1000).unwrap().unwrap();
        let mut sorted = found.classes.clone();
        sorted.sort();
        prop_assert!(sorted.iter().eq(classes.iter()));
        let number = |state: usize| {
            let class = seen_through(&small.states[state]);
            found.classes.iter().position(|one| *one == class).unwrap()
        };
        let mut edges: Vec<(usize, usize)> = small.edges.iter()
            .filter(|edge| reached[edge.from])
            .map(|edge| (number(edge.from), number(edge.to)))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        prop_assert_eq!(&found.edges, &edges);
        for (class, &initial) in found.initial.iter().enumerate() {
            let begins = small.initial.iter().any(|&state| number(state) == class);
            prop_assert_eq!(initial, begins);
        }
        if !found.classes.is_empty() {
            prop_assert_eq!(checker.quotient(&over, found.classes.len() - 1).unwrap(), None);
        }
    }

    #[test]
    fn invariants_have_shortest_traces_both_ways(seed in any::<u64>(), inputs in any::<bool>(), deadlocks in any::<bool>()) {
        let small = Small::new(seed, Features { inputs, deadlocks, justice: false, compassion: false });
        let mut checker = checker(&small);
        let (seen, _) = reachable(&small);
        for &atom in &small.atoms[..3] {
            let holds = (0..seen.len()).all(|s| !seen[s] || small.model.evaluate(atom, &small.states[s], None));
            let forward = checker.check_invariant(atom, Direction::Forward).unwrap();
            let backward = checker.check_invariant(atom, Direction::Backward).unwrap();
            prop_assert_eq!(forward.verdict == Verdict::Holds, holds);
            prop_assert_eq!(&forward.verdict, &backward.verdict);
            if let (Some(one), Some(other)) = (&forward.trace, &backward.trace) {
                prop_assert_eq!(one.states.len(), other.states.len());
                for trace in [one, other] {
                    prop_assert!(trace.replays(&mut small.model.clone()));
                    prop_assert!(!small.model.evaluate(atom, trace.states.last().unwrap(), None));
                }
            }
            for outcome in [forward, backward] {
                let Some(certificate) = outcome.certificate else { continue };
                let inside = |state: &quotient_symbolic::Valuation| certificate.contains(|variable, bit| {
                    let name = &certificate.variables[variable as usize];
                    let id = small.model.find_variable(name).unwrap();
                    state.get(small.model.variable(id).bits().start + bit)
                }).unwrap();
                prop_assert!(small.initial.iter().all(|&s| inside(&small.states[s])));
                prop_assert!(small.edges.iter().all(|e| !inside(&small.states[e.from]) || inside(&small.states[e.to])));
                prop_assert!(small.states.iter().all(|s| !inside(s) || small.model.evaluate(atom, s, None)));
            }
        }
    }

    #[test]
    fn reachable_states_are_counted(seed in any::<u64>(), inputs in any::<bool>(), deadlocks in any::<bool>()) {
        let small = Small::new(seed, Features { inputs, deadlocks, justice: false, compassion: false });
        let (seen, diameter) = reachable(&small);
        let mut checker = checker(&small);
        let reached = checker.reachable().unwrap();
        let count = seen.iter().filter(|s| **s).count();
        prop_assert_eq!(reached.exactly, count.to_string());
        prop_assert_eq!(reached.about as usize, count);
        prop_assert_eq!(reached.diameter, diameter);
        prop_assert_eq!(reached.of as usize, small.states.len());
        let sanity = checker.sanity().unwrap();
        prop_assert_eq!(sanity.no_initial_state, small.initial.is_empty());
        let stuck = (0..seen.len()).any(|s| seen[s] && small.edges.iter().all(|e| e.from != s));
        prop_assert_eq!(sanity.deadlock.is_some(), stuck);
    }

    #[test]
    fn ltl_is_what_the_definitions_say(seed in any::<u64>(), inputs in any::<bool>(), justice in any::<bool>(), compassion in any::<bool>(), deadlocks in any::<bool>()) {
        let small = Small::new(seed, Features { inputs, justice, deadlocks, compassion });
        let random = &mut Random(seed.rotate_left(29) | 1);
        let formula = match random.below(2) {
            0 => ltl::formula(random, 3, small.atoms.len()),
            _ => ltl::settled(random, 4, small.atoms.len()),
        };
        if let Some(holds) = ltl::holds(&small, &formula) {
            let compiled = formula.map_atoms(|&number| small.atoms[number]);
            let outcome = checker(&small).check(&Specification::Ltl(compiled)).unwrap();
            prop_assert_eq!(outcome.verdict == Verdict::Holds, holds, "{}", formula);
            if let Some(trace) = &outcome.trace {
                prop_assert_eq!(outcome.showing, Some(Showing::Whole));
                prop_assert!(trace.replays(&mut small.model.clone()));
                prop_assert_eq!(ltl::on_lasso(&small, trace, &formula), (false, true), "{}", formula);
            }
        }
    }
}

#[test]
fn a_witness_keeps_to_the_way_that_until_asks_for() {
    use quotient_logic::{Binary, Formula, Unary};
    use quotient_symbolic::{Domain, Kind, Model};
    // From 0 there is a short way to 4 through 1, and a long one through 2 and 3.
    let mut model = Model::new();
    let node = model.add_variable("node", Kind::State, Domain::Range(0, 4));
    let start = model.is_value(node, 0);
    model.add_init(start);
    let mut steps = Vec::new();
    for (from, to) in [(0, 1), (1, 4), (0, 2), (2, 3), (3, 4), (4, 4)] {
        let (from, to) = (model.is_value(node, from), model.next_is_value(node, to));
        steps.push(model.and(from, to));
    }
    let step = model.or_all(steps);
    model.add_transition(step);
    let (short, goal) = (model.is_value(node, 1), model.is_value(node, 4));
    let around = Formula::binary(
        Binary::Until(None),
        Formula::atom(!short),
        Formula::atom(goal),
    );
    let formula = Formula::unary(Unary::Exists, around);
    let mut checker = Checker::new(model.clone(), Config::small(), &Context::default()).unwrap();
    for specification in [formula.clone(), !!formula] {
        let outcome = checker.check(&Specification::Ctl(specification)).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds);
        let trace = outcome.trace.unwrap();
        let values: Vec<String> = (0..trace.states.len())
            .map(|step| trace.value(&model, step, node).to_string())
            .collect();
        assert_eq!(values, ["0", "2", "3", "4"]);
    }
}

#[test]
fn a_lasso_keeps_to_the_states_that_globally_asks_for() {
    use quotient_logic::{Formula, Unary};
    use quotient_symbolic::{Domain, Kind, Model};
    // Two ways of the same length lead from 0 to 3, through 1 and through 2.
    let mut model = Model::new();
    let node = model.add_variable("node", Kind::State, Domain::Range(0, 3));
    let start = model.is_value(node, 0);
    model.add_init(start);
    let mut steps = Vec::new();
    for (from, to) in [(0, 1), (0, 2), (1, 3), (2, 3), (3, 3)] {
        let (from, to) = (model.is_value(node, from), model.next_is_value(node, to));
        steps.push(model.and(from, to));
    }
    let step = model.or_all(steps);
    model.add_transition(step);
    for (closed, open) in [(1, "2"), (2, "1")] {
        let closed = model.is_value(node, closed);
        let stays = Formula::unary(Unary::Globally(None), Formula::atom(!closed));
        let formula = Formula::unary(Unary::Exists, stays);
        let mut checker =
            Checker::new(model.clone(), Config::small(), &Context::default()).unwrap();
        let outcome = checker.check(&Specification::Ctl(formula)).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds);
        let trace = outcome.trace.unwrap();
        let values: Vec<String> = (0..trace.states.len())
            .map(|step| trace.value(&model, step, node).to_string())
            .collect();
        assert_eq!(values, ["0", open, "3"]);
    }
}

#[test]
fn a_run_does_not_go_round_more_often_than_its_formula_asks_for() {
    use quotient_logic::{Formula, Unary};
    use quotient_symbolic::{Domain, Kind, Model};
    // A counter of four values that goes round.
    let mut model = Model::new();
    let count = model.add_variable("count", Kind::State, Domain::Range(0, 3));
    let start = model.is_value(count, 0);
    model.add_init(start);
    let steps: Vec<_> = (0..4)
        .map(|from| {
            let now = model.is_value(count, from);
            let next = model.next_is_value(count, (from + 1) % 4);
            model.and(now, next)
        })
        .collect();
    let step = model.or_all(steps);
    model.add_transition(step);
    let last = model.is_value(count, 3);
    let never = Formula::unary(Unary::Globally(None), Formula::atom(!last));
    let third = Formula::unary(Unary::Next, Formula::unary(Unary::Next, never.clone()));
    let mut checker = Checker::new(model.clone(), Config::small(), &Context::default()).unwrap();
    for formula in [never, third] {
        let outcome = checker.check(&Specification::Ltl(formula)).unwrap();
        let trace = outcome.trace.unwrap();
        assert_eq!(outcome.verdict, Verdict::Violated);
        assert!(trace.replays(&mut model.clone()));
        assert_eq!((trace.states.len(), trace.back_to), (4, Some(0)));
    }
}
