mod returns;
mod starts;

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use quotient_core::{Budget, Conclusion, Context};
use quotient_netlist::{Circuit, Literal, Proof, Run};
use quotient_trial::arbitrary::{Result, Unstructured};

use crate::ic3::{Shape, Shapes};
use crate::reduce::constants;
use crate::settled::{Settled, Shifted};
use crate::{Options, Way, never, never_each};

/// A small circuit with one bad signal.
fn random_circuit(u: &mut Unstructured<'_>) -> Result<Circuit> {
    let mut circuit = Circuit::new();
    let mut pool = Vec::new();
    for _ in 0..u.int_in_range(0..=2)? {
        pool.push(circuit.input());
    }
    let mut latches = Vec::new();
    for _ in 0..u.int_in_range(1..=4)? {
        latches.push(circuit.latch(*u.choose(&[Some(false), Some(false), Some(true), None])?));
    }
    pool.extend(&latches);
    let some = |u: &mut Unstructured<'_>, pool: &[Literal]| -> Result<Literal> {
        Ok(pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?))
    };
    for _ in 0..u.int_in_range(0..=25)? {
        let (a, b, c) = (some(u, &pool)?, some(u, &pool)?, some(u, &pool)?);
        pool.push(match u.int_in_range(0..=5)? {
            0..=2 => circuit.graph.and(a, b),
            3 | 4 => circuit.graph.xor(a, b),
            _ => circuit.graph.ite(a, b, c),
        });
    }
    for &latch in &latches {
        let next = some(u, &pool)?;
        circuit.connect(latch, next);
    }
    let (a, b) = (some(u, &pool)?, some(u, &pool)?);
    let bad = circuit.graph.and(a, b);
    let (a, b) = (some(u, &pool)?, some(u, &pool)?);
    circuit.bad.push(if u.ratio(2, 3)? {
        let both = circuit.graph.and(a, b);
        circuit.graph.and(bad, both)
    } else {
        bad
    });
    if u.ratio(1, 3)? {
        let (a, b) = (some(u, &pool)?, some(u, &pool)?);
        let either = circuit.graph.or(a, b);
        circuit.constraints.push(either);
    }
    Ok(circuit)
}

#[test]
fn what_gates_are_made_of_gives_their_values() {
    let (mut longest, mut choices, mut parts_of_others) = (0, 0, 0);
    quotient_trial::trial(|u| {
        let circuit = random_circuit(u)?;
        let shapes = Shapes::of(&circuit);
        let words = |u: &mut Unstructured<'_>, count: usize| -> Result<Vec<u64>> {
            (0..count).map(|_| u.arbitrary()).collect()
        };
        let latches = words(u, circuit.latches().len())?;
        let inputs = words(u, circuit.inputs().len())?;
        let state = circuit.evaluate(&latches, &inputs);
        let mut named = vec![false; circuit.graph.len()];
        for (node, _) in circuit.graph.nodes() {
            let own = state.value(node.literal());
            match shapes.shape(node) {
                Shape::Free => {}
                Shape::All(parts) => {
                    longest = longest.max(parts.len());
                    let all = parts.iter().map(|&part| state.value(part));
                    assert_eq!(own, all.fold(u64::MAX, |all, one| all & one));
                }
                Shape::Choice(parts) => {
                    choices += 1;
                    let [test, then, otherwise] = parts.map(|part| state.value(part));
                    assert_eq!(own, test & then | !test & otherwise);
                }
            }
            for part in shapes.parts(node) {
                named[part.node().index()] = true;
            }
        }
        let nexts = circuit.latches().iter().map(|latch| latch.next);
        for literal in nexts.chain(circuit.bad.iter().copied()) {
            named[literal.node().index()] = true;
        }
        parts_of_others += named.iter().filter(|&&named| !named).count();
        Ok(())
    })
    .budget_ms(1_000);
    assert!(longest > 2 && choices > 0 && parts_of_others > 0);
}

#[test]
fn every_method_can_be_chosen_by_name() {
    let setting = (crate::telling::SETTINGS.iter()).find(|one| one.name == "method");
    let text = format!("{:?}", setting.unwrap());
    for (name, _) in crate::telling::methods() {
        assert!(text.contains(&format!("{name:?}")), "{name}");
    }
}

/// All states, by explicit search: the number of steps to a bad one, if there is one.
fn explicit(circuit: &Circuit) -> Option<usize> {
    let latches = circuit.latches();
    let mut queue: VecDeque<(usize, usize)> = VecDeque::new();
    let mut seen: HashMap<usize, ()> = HashMap::new();
    for state in 0..1usize << latches.len() {
        let fits = |(at, latch): (usize, &quotient_netlist::Latch)| {
            latch
                .start
                .is_none_or(|value| value == (state >> at & 1 == 1))
        };
        if latches.iter().enumerate().all(fits) {
            seen.insert(state, ());
            queue.push_back((state, 0));
        }
    }
    while let Some((state, depth)) = queue.pop_front() {
        let bits: Vec<u64> = (0..latches.len())
            .map(|at| (state >> at & 1) as u64)
            .collect();
        for inputs in 0..1usize << circuit.inputs().len() {
            let given: Vec<u64> = (0..circuit.inputs().len())
                .map(|at| (inputs >> at & 1) as u64)
                .collect();
            let values = circuit.evaluate(&bits, &given);
            if !circuit.constraints.iter().all(|&one| values.is_on(one)) {
                continue;
            }
            if values.is_on(circuit.bad[0]) {
                return Some(depth);
            }
            let next = (0..latches.len())
                .map(|at| usize::from(values.is_on(latches[at].next)) << at)
                .sum();
            if seen.insert(next, ()).is_none() {
                queue.push_back((next, depth + 1));
            }
        }
    }
    None
}

/// The states that are so many steps away from the start.
fn states_after(circuit: &Circuit, steps: usize) -> Vec<usize> {
    let latches = circuit.latches();
    let fits = |state: usize| {
        let mut numbered = latches.iter().enumerate();
        numbered.all(|(at, latch)| {
            latch
                .start
                .is_none_or(|value| value == (state >> at & 1 == 1))
        })
    };
    let mut states: Vec<usize> = (0..1 << latches.len()).filter(|&one| fits(one)).collect();
    for _ in 0..steps {
        let mut next = Vec::new();
        for state in states {
            let bits: Vec<u64> = (0..latches.len())
                .map(|at| (state >> at & 1) as u64)
                .collect();
            for inputs in 0..1usize << circuit.inputs().len() {
                let given = 0..circuit.inputs().len();
                let given: Vec<u64> = given.map(|at| (inputs >> at & 1) as u64).collect();
                let values = circuit.evaluate(&bits, &given);
                if circuit.constraints.iter().all(|&one| values.is_on(one)) {
                    let places = 0..latches.len();
                    next.push(
                        places
                            .map(|at| usize::from(values.is_on(latches[at].next)) << at)
                            .sum(),
                    );
                }
            }
        }
        next.sort();
        next.dedup();
        states = next;
    }
    states
}

/// Whether the constraints can be fulfilled in a state.
fn is_allowed(circuit: &Circuit, state: usize) -> bool {
    let latches = 0..circuit.latches().len();
    let bits: Vec<u64> = latches.map(|at| (state >> at & 1) as u64).collect();
    let mut inputs = 0..1usize << circuit.inputs().len();
    inputs.any(|inputs| {
        let given = 0..circuit.inputs().len();
        let given: Vec<u64> = given.map(|at| (inputs >> at & 1) as u64).collect();
        let values = circuit.evaluate(&bits, &given);
        circuit.constraints.iter().all(|&one| values.is_on(one))
    })
}

/// Whether clauses are an inductive invariant without bad states, by trying all states.
fn proves(circuit: &Circuit, proof: &Proof) -> bool {
    let latches = circuit.latches();
    let mut first = states_after(circuit, proof.after);
    first.retain(|&state| is_allowed(circuit, state));
    let inside = |state: usize| {
        proof.clauses.iter().all(|clause| {
            clause
                .iter()
                .any(|&one| (state >> (one.unsigned_abs() - 1) & 1 == 1) == (one > 0))
        })
    };
    (0..1usize << latches.len()).all(|state| {
        if first.contains(&state) && !inside(state) {
            return false;
        }
        if !inside(state) {
            return true;
        }
        let bits: Vec<u64> = (0..latches.len())
            .map(|at| (state >> at & 1) as u64)
            .collect();
        (0..1usize << circuit.inputs().len()).all(|inputs| {
            let given: Vec<u64> = (0..circuit.inputs().len())
                .map(|at| (inputs >> at & 1) as u64)
                .collect();
            let values = circuit.evaluate(&bits, &given);
            let next: usize = (0..latches.len())
                .map(|at| usize::from(values.is_on(latches[at].next)) << at)
                .sum();
            !circuit.constraints.iter().all(|&one| values.is_on(one))
                || (inside(next) && !values.is_on(circuit.bad[0]))
        })
    })
}

fn violates(circuit: &Circuit, run: &Run) -> bool {
    let states = run.states(circuit);
    let starts = (circuit.latches().iter().zip(&run.start.0))
        .all(|(latch, &value)| latch.start.is_none_or(|start| start == value));
    let constrained = states
        .iter()
        .all(|state| circuit.constraints.iter().all(|&one| state.is_on(one)));
    starts
        && constrained
        && states
            .last()
            .is_some_and(|state| state.is_on(circuit.bad[0]))
}

/// Every method gives the answer of the explicit search, with evidence that is one.
fn agrees(circuit: &Circuit, ways: &[Way], threads: usize) {
    let options = Options {
        ways: ways.to_vec(),
        steps: Some(18),
        threads,
    };
    let expected = explicit(circuit);
    // That a path cannot go on without meeting itself may take induction alone a very long time.
    let cx = Context {
        budget: Budget::new(Some(Duration::from_secs(5)), None),
        ..Context::default()
    };
    let finding = never(circuit, circuit.bad[0], &options, &cx);
    match finding.conclusion {
        Conclusion::Holds(proof) => {
            assert_eq!(expected, None, "{ways:?}");
            assert!(
                proof.depth > 0 || proves(circuit, &proof),
                "{ways:?} {proof:?}"
            );
        }
        Conclusion::Violated(run) => {
            assert!(violates(circuit, &run), "{ways:?}");
            if ways == [Way::Bounded] {
                assert_eq!(run.inputs.len(), expected.unwrap() + 1);
            }
            assert!(expected.is_some());
        }
        Conclusion::Unknown(_) if ways == [Way::Induction] => {}
        Conclusion::Unknown(stop) => {
            assert_eq!(ways, [Way::Bounded], "{stop}");
            assert_eq!(expected, None);
        }
    }
}

#[test]
fn every_method_agrees_with_explicit_search() {
    quotient_trial::trial(|u| {
        let circuit = random_circuit(u)?;
        for way in Way::ALL {
            agrees(&circuit, &[way], 1);
        }
        agrees(&circuit, &Way::ALL, 2);
        Ok(())
    })
    .budget_ms(4_000);
}

#[test]
fn what_is_shown_from_some_step_on_agrees_with_explicit_search() {
    quotient_trial::trial(|u| {
        let circuit = random_circuit(u)?;
        let budget = Budget::unlimited();
        let steps = u.int_in_range(0..=3)?;
        let known = states_after(&circuit, steps);
        let common = (0..circuit.latches().len()).map(|at| {
            let values = known.iter().map(|state| state >> at & 1 == 1);
            let (mut on, mut off) = (values.clone(), values);
            match (on.all(|value| value), off.all(|value| !value)) {
                (true, false) => Some(true),
                (false, true) => Some(false),
                _ => None,
            }
        });
        let settled = constants(&circuit, common.collect(), &budget).unwrap();
        let shifted = Shifted::after(&circuit, steps, &settled, &budget).unwrap();
        let mut method = Settled::new(&circuit, &shifted);
        match quotient_core::run(&mut method, &mut Context::default()).conclusion {
            Conclusion::Holds(proof) => {
                assert_eq!(explicit(&circuit), None);
                assert!(proves(&circuit, &proof), "{proof:?}");
            }
            Conclusion::Violated(run) => assert!(violates(&circuit, &run)),
            Conclusion::Unknown(stop) => panic!("{stop}"),
        }
        Ok(())
    })
    .budget_ms(2_000);
}

#[test]
fn latches_that_settle_are_left_out_from_then_on() {
    // A reset that lasts three steps keeps a counter at zero, and a flag that is set only then.
    let mut circuit = Circuit::new();
    let chain: Vec<Literal> = (0..3).map(|_| circuit.latch(Some(false))).collect();
    circuit.connect(chain[0], Literal::TRUE);
    circuit.connect(chain[1], chain[0]);
    circuit.connect(chain[2], chain[1]);
    let ready = chain[2];
    let (request, flag) = (circuit.input(), circuit.latch(Some(false)));
    let early = circuit.graph.and(request, !ready);
    let next = circuit.graph.or(flag, early);
    circuit.connect(flag, next);
    let late = circuit.latch(Some(false));
    let now = circuit.graph.and(late, !ready);
    circuit.connect(late, now);
    let bad = circuit.graph.and(late, flag);
    circuit.bad.push(bad);
    let shifted = Shifted::find(&circuit, &Budget::unlimited()).unwrap();
    assert!(shifted.is_some());
    agrees(&circuit, &[Way::Settled], 1);
    let options = Options {
        ways: vec![Way::Settled],
        ..Options::default()
    };
    let finding = never(&circuit, !ready, &options, &Context::default());
    assert!(matches!(finding.conclusion, Conclusion::Violated(_)));
    let whenever = circuit.graph.and(flag, ready);
    let finding = never(&circuit, whenever, &options, &Context::default());
    let Conclusion::Violated(run) = finding.conclusion else {
        panic!("a request in the first step sets the flag for good");
    };
    circuit.bad = vec![whenever];
    assert!(violates(&circuit, &run));
}

#[test]
fn several_signals_get_the_answers_that_each_gets_alone() {
    quotient_trial::trial(|u| {
        let mut circuit = random_circuit(u)?;
        let mut signals = circuit.bad.clone();
        for _ in 0..u.int_in_range(0..=3)? {
            let node = u.choose_index(circuit.graph.len())?;
            let one = quotient_netlist::Node::new(node).literal();
            signals.push(
                circuit
                    .graph
                    .and(circuit.bad[0].flip_if(u.arbitrary()?), one),
            );
        }
        let mut told = 0;
        let (options, cx) = (Options::default(), Context::default());
        never_each(&circuit, &signals, &options, &cx, &mut |number, finding| {
            assert_eq!(number, told);
            told += 1;
            let mut alone = circuit.clone();
            alone.bad = vec![signals[number]];
            match &finding.conclusion {
                Conclusion::Holds(proof) => {
                    assert_eq!(explicit(&alone), None);
                    assert!(proof.depth > 0 || proves(&alone, proof));
                }
                Conclusion::Violated(run) => assert!(violates(&alone, run)),
                Conclusion::Unknown(stop) => panic!("{stop}"),
            }
        });
        assert_eq!(told, signals.len());
        Ok(())
    })
    .budget_ms(2_000);
}

/// A counter of some bits that starts again at a number, and must not reach another.
fn counter(bits: usize, wraps_at: u64, bad_at: u64) -> Circuit {
    let mut circuit = Circuit::new();
    let go = circuit.input();
    let latches: Vec<Literal> = (0..bits).map(|_| circuit.latch(Some(false))).collect();
    let equals = |circuit: &mut Circuit, number: u64| {
        let digits = latches.iter().enumerate();
        let digits: Vec<Literal> = digits
            .map(|(at, latch)| latch.flip_if(number >> at & 1 == 0))
            .collect();
        circuit.graph.all(digits)
    };
    let wraps = equals(&mut circuit, wraps_at);
    let mut carry = go;
    for &latch in &latches {
        let sum = circuit.graph.xor(latch, carry);
        carry = circuit.graph.and(latch, carry);
        let next = circuit.graph.and(sum, !wraps);
        circuit.connect(latch, next);
    }
    let bad = equals(&mut circuit, bad_at);
    circuit.bad.push(bad);
    circuit
}

#[test]
fn a_counter_that_wraps_is_proved_and_one_that_counts_on_refuted() {
    let safe = counter(8, 6, 200);
    let options = Options::default();
    let finding = never(&safe, safe.bad[0], &options, &Context::default());
    assert!(matches!(finding.conclusion, Conclusion::Holds(_)));
    let unsafe_one = counter(6, 63, 33);
    let finding = never(
        &unsafe_one,
        unsafe_one.bad[0],
        &options,
        &Context::default(),
    );
    let Conclusion::Violated(run) = finding.conclusion else {
        panic!("33 is reached");
    };
    assert!(violates(&unsafe_one, &run));
}

/// A counter with a register behind it whose last place must be on as well for something bad.
fn counter_with_register(wraps_at: u64, bad_at: u64, places: usize) -> Circuit {
    let mut circuit = counter(5, wraps_at, bad_at);
    let mut before = circuit.input();
    for _ in 0..places {
        let place = circuit.latch(Some(false));
        circuit.connect(place, before);
        before = place;
    }
    let bad = circuit.graph.and(circuit.bad[0], before);
    circuit.bad = vec![bad];
    circuit
}

#[test]
fn localisation_keeps_what_false_alarms_need() {
    let options = Options {
        ways: vec![Way::Local],
        ..Options::default()
    };
    let safe = counter_with_register(6, 20, 120);
    let finding = never(&safe, safe.bad[0], &options, &Context::default());
    let Conclusion::Holds(proof) = finding.conclusion else {
        panic!("20 is not reached");
    };
    let latches = proof.clauses.iter().flatten().map(|one| one.abs());
    let count = latches.collect::<std::collections::HashSet<_>>().len();
    assert!(count < 30, "{count} latches are spoken of");
    let unsafe_one = counter_with_register(31, 9, 12);
    let finding = never(
        &unsafe_one,
        unsafe_one.bad[0],
        &options,
        &Context::default(),
    );
    let Conclusion::Violated(run) = finding.conclusion else {
        panic!("9 is reached, and waits");
    };
    assert!(violates(&unsafe_one, &run));
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let circuit = counter(8, 90, 80);
    let answers: Vec<_> = (1..=3)
        .map(|threads| {
            let options = Options {
                threads,
                ..Options::default()
            };
            let finding = never(&circuit, circuit.bad[0], &options, &Context::default());
            (finding.conclusion, finding.way)
        })
        .collect();
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Whether a run without end has a signal on infinitely often, by explicit search: a state from
/// which a step with the signal leads back to it.
fn recurs(circuit: &Circuit, signal: Literal) -> bool {
    let latches = circuit.latches();
    let mut steps: HashMap<usize, Vec<(usize, bool)>> = HashMap::new();
    let mut open: Vec<usize> = (0..1usize << latches.len())
        .filter(|state| {
            latches.iter().enumerate().all(|(at, latch)| {
                latch
                    .start
                    .is_none_or(|value| value == (state >> at & 1 == 1))
            })
        })
        .collect();
    while let Some(state) = open.pop() {
        if steps.contains_key(&state) {
            continue;
        }
        let bits: Vec<u64> = (0..latches.len())
            .map(|at| (state >> at & 1) as u64)
            .collect();
        let mut next = Vec::new();
        for inputs in 0..1usize << circuit.inputs().len() {
            let given: Vec<u64> = (0..circuit.inputs().len())
                .map(|at| (inputs >> at & 1) as u64)
                .collect();
            let values = circuit.evaluate(&bits, &given);
            if circuit.constraints.iter().all(|&one| values.is_on(one)) {
                let target = (0..latches.len())
                    .map(|at| usize::from(values.is_on(latches[at].next)) << at)
                    .sum();
                next.push((target, values.is_on(signal)));
            }
        }
        open.extend(next.iter().map(|&(target, _)| target));
        steps.insert(state, next);
    }
    let reaches = |from: usize, to: usize| {
        let mut seen = vec![false; 1 << latches.len()];
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            if state == to {
                return true;
            }
            if !std::mem::replace(&mut seen[state], true) {
                open.extend(steps[&state].iter().map(|&(target, _)| target));
            }
        }
        false
    };
    steps.iter().any(|(&state, next)| {
        next.iter()
            .any(|&(target, on)| on && reaches(target, state))
    })
}

#[test]
fn liveness_agrees_with_explicit_search() {
    quotient_trial::trial(|u| {
        let circuit = random_circuit(u)?;
        let signal = circuit.bad[0];
        let options = Options::default();
        let to = match u.arbitrary()? {
            true => crate::ComesBack::WhatMatters,
            false => crate::ComesBack::Everything,
        };
        let cx = Context::default();
        let finding = crate::not_forever(&circuit, &[signal], to, &options, &cx);
        match finding.conclusion {
            Conclusion::Holds(_) => assert!(!recurs(&circuit, signal)),
            Conclusion::Violated(run) => {
                assert!(recurs(&circuit, signal));
                let back_to = run.back_to.unwrap();
                let states = run.states(&circuit);
                assert!(states[back_to..].iter().any(|state| state.is_on(signal)));
                let cone = crate::matters(&circuit, &[signal]).1;
                let (first, last) = (&states[back_to], states.last().unwrap());
                for (latch, matters) in circuit.latches().iter().zip(cone) {
                    let comes = last.is_on(latch.next) == first.is_on(latch.node.literal());
                    assert!(comes || !matters && to == crate::ComesBack::WhatMatters);
                }
                returns::all_comes_back(&circuit, &run, signal);
            }
            Conclusion::Unknown(stop) => panic!("{stop}"),
        }
        Ok(())
    })
    .budget_ms(3_000);
}
