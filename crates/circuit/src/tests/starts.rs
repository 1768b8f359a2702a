//! Latches that constraints make equal where the circuit starts.

use super::*;
use crate::sweep::Sweep;

/// A small circuit whose latches may mostly start with anything, with constraints on its first state
/// and latches that step alike.
fn constrained_circuit(u: &mut Unstructured<'_>) -> Result<Circuit> {
    let mut circuit = Circuit::new();
    let mut pool = vec![circuit.input()];
    let first = circuit.latch(Some(true));
    circuit.connect(first, Literal::FALSE);
    let mut latches = Vec::new();
    for _ in 0..u.int_in_range(2..=5)? {
        latches.push(circuit.latch(*u.choose(&[None, None, None, Some(false), Some(true)])?));
    }
    pool.extend(&latches);
    let some = |u: &mut Unstructured<'_>, pool: &[Literal]| -> Result<Literal> {
        Ok(pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?))
    };
    for _ in 0..u.int_in_range(0..=10)? {
        let (a, b) = (some(u, &pool)?, some(u, &pool)?);
        pool.push(match u.arbitrary()? {
            true => circuit.graph.and(a, b),
            false => circuit.graph.xor(a, b),
        });
    }
    let alike = some(u, &pool)?;
    for &latch in &latches {
        let next = match u.int_in_range(0..=3)? {
            0 | 1 => alike,
            2 => some(u, &[latch])?,
            _ => some(u, &pool)?,
        };
        circuit.connect(latch, next);
    }
    for _ in 0..u.int_in_range(1..=3)? {
        let (a, b) = (some(u, &latches)?, some(u, &latches)?);
        let demanded = match u.ratio(1, 6)? {
            true => circuit.graph.or(a, b),
            false => circuit.graph.iff(a, b),
        };
        let demanded = match u.ratio(1, 6)? {
            true => demanded,
            false => circuit.graph.implies(first, demanded),
        };
        circuit.constraints.push(demanded);
    }
    let (a, b, c) = (some(u, &latches)?, some(u, &latches)?, some(u, &pool)?);
    let differ = circuit.graph.xor(a, b);
    circuit.bad.push(match u.arbitrary()? {
        true => differ,
        false => circuit.graph.and(differ, c),
    });
    Ok(circuit)
}

#[test]
fn answers_with_constrained_starts_are_those_of_explicit_search() {
    quotient_trial::trial(|u| {
        let circuit = constrained_circuit(u)?;
        for way in Way::ALL {
            agrees(&circuit, &[way], 1);
        }
        agrees(&circuit, &Way::ALL, 2);
        Ok(())
    })
    .budget_ms(3_000);
}

/// A digit of a sum, and the next carry; turned round if wanted, which gives other gates.
fn sum(circuit: &mut Circuit, digits: [Literal; 2], carry: &mut Literal, turned: bool) -> Literal {
    let [a, b] = if turned {
        [digits[1], digits[0]]
    } else {
        digits
    };
    let half = circuit.graph.xor(a, b);
    let sum = circuit.graph.xor(half, *carry);
    *carry = circuit.graph.ite(half, *carry, a);
    sum
}

/// Two registers that start with what a third holds for ever, and become five times what they were and
/// that, calculated in different orders; bad is that they differ.
#[test]
fn registers_that_start_alike_and_step_alike_are_one() {
    let width = 128;
    let mut circuit = Circuit::new();
    let first = circuit.latch(Some(true));
    circuit.connect(first, Literal::FALSE);
    let mut register = || -> Vec<Literal> { (0..width).map(|_| circuit.latch(None)).collect() };
    let (frozen, one, other) = (register(), register(), register());
    let mut differ = Literal::FALSE;
    for at in 0..width {
        circuit.connect(frozen[at], frozen[at]);
        let unlike = circuit.graph.xor(one[at], other[at]);
        differ = circuit.graph.or(differ, unlike);
    }
    for (register, turned) in [(&one, false), (&other, true)] {
        let shifted = |at: usize| match at {
            0 | 1 => Literal::FALSE,
            _ => register[at - 2],
        };
        let mut carries = [Literal::FALSE; 2];
        for at in 0..width {
            let five = sum(
                &mut circuit,
                [register[at], shifted(at)],
                &mut carries[0],
                turned,
            );
            let next = sum(&mut circuit, [five, frozen[at]], &mut carries[1], turned);
            circuit.connect(register[at], next);
            let same = circuit.graph.iff(register[at], frozen[at]);
            let demanded = circuit.graph.implies(first, same);
            circuit.constraints.push(demanded);
        }
    }
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    let cx = Context {
        budget: Budget::unlimited().child_with_work(5_000_000),
        ..Context::default()
    };
    let finding = never(&circuit, differ, &options, &cx);
    assert!(matches!(finding.conclusion, Conclusion::Holds(_)));
    // A run to where one of them is odd in a later step has both as they start.
    let odd = circuit.graph.and(one[0], !first);
    let bad = circuit.graph.and(odd, other[0]);
    let finding = never(&circuit, bad, &options, &cx);
    let Conclusion::Violated(run) = finding.conclusion else {
        panic!("{:?}", finding.conclusion);
    };
    circuit.bad = vec![bad];
    assert!(violates(&circuit, &run));
}

/// Gates that were put together have the same values for all inputs, and equal functions are found.
#[test]
fn what_is_swept_together_is_the_same() {
    let mut together = 0;
    quotient_trial::trial(|u| {
        let mut circuit = Circuit::new();
        let mut pool: Vec<Literal> = (0..6).map(|_| circuit.input()).collect();
        for _ in 0..u.int_in_range(5..=60)? {
            let some = |u: &mut Unstructured<'_>| -> Result<Literal> {
                Ok(pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?))
            };
            let (a, b) = (some(u)?, some(u)?);
            let gate = circuit.graph.and(a, b);
            pool.push(gate);
        }
        let swept = Sweep::of(&circuit, &pool, &Budget::unlimited()).unwrap();
        let inputs = |place: usize| -> Vec<u64> {
            let bit = |at: usize| u64::from(place >> at & 1 == 1);
            (0..6).map(bit).collect()
        };
        let mut values = vec![0u64; pool.len()];
        for place in 0..64 {
            let state = circuit.evaluate(&[], &inputs(place));
            for (word, &signal) in values.iter_mut().zip(&pool) {
                *word |= u64::from(state.is_on(signal)) << place;
            }
        }
        for one in 0..pool.len() {
            for other in 0..one {
                assert_eq!(swept[one] == swept[other], values[one] == values[other]);
                assert_eq!(swept[one] == !swept[other], values[one] == !values[other]);
                together += usize::from(swept[one] == swept[other] && pool[one] != pool[other]);
            }
        }
        Ok(())
    })
    .budget_ms(1_000);
    assert!(together > 10, "{together}");
}
