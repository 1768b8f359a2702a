//! Bounds on how often something happens.

use quotient_core::Budget;
use quotient_netlist::{Bound, Circuit, Literal, Proof};

use super::invariant;
use crate::Rejection;

/// A bound larger than this is not looked at.
const MOST_ROUNDS: usize = 4_096;

/// Checks a bound: then no run has infinitely many rounds, and so none has all signals on
/// infinitely often.
pub(super) fn check(
    bound: &Bound,
    circuit: &Circuit,
    signals: &[Literal],
    budget: &Budget,
) -> Result<Vec<String>, Rejection> {
    if bound.rounds > MOST_ROUNDS {
        let message = format!("a bound of more than {MOST_ROUNDS} rounds is not checked");
        return Err(Rejection::unreadable(message));
    }
    let (counted, bad) = with_counter(circuit, signals, bound.rounds);
    let proof = Proof {
        clauses: bound.clauses.clone(),
        depth: 0,
        distinct: false,
        after: 0,
    };
    let mut facts = invariant::check(&proof, &counted, bad, budget)?;
    facts.push(format!(
        "so all signals were on together in at most {} rounds, and not for ever",
        bound.rounds
    ));
    Ok(facts)
}

/// The circuit with a counter of rounds, and the signal that a round too many ends.
fn with_counter(circuit: &Circuit, signals: &[Literal], rounds: usize) -> (Circuit, Literal) {
    let mut counted = circuit.clone();
    let seen: Vec<Literal> = signals.iter().map(|_| counted.latch(Some(false))).collect();
    let over: Vec<Literal> = (0..rounds).map(|_| counted.latch(Some(false))).collect();
    let mut now = Vec::new();
    for (&signal, &seen) in signals.iter().zip(&seen) {
        now.push(counted.graph.or(signal, seen));
    }
    let ends = counted.graph.all(now.iter().copied());
    for (&now, &seen) in now.iter().zip(&seen) {
        let next = counted.graph.and(now, !ends);
        counted.connect(seen, next);
    }
    let mut before = Literal::TRUE;
    for &over in &over {
        let passes = counted.graph.and(ends, before);
        let next = counted.graph.or(over, passes);
        counted.connect(over, next);
        before = over;
    }
    let bad = counted.graph.and(ends, before);
    (counted, bad)
}
