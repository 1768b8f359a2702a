//! Proofs that are true, nearly true and false, beside all states tried one by one.

use std::collections::BTreeSet;

use quotient_core::{Budget, Evidence};
use quotient_netlist::{CIRCUIT_INVARIANT, Circuit, Clause, Literal, Proof};
use quotient_trial::arbitrary::{Result, Unstructured};
use quotient_trial::trial;

use super::super::invariant::latches_that_matter;
use super::super::{CircuitQuestion, Refuted, certify_circuit};

/// A small circuit, and a signal that is to be never on. Registers beside each other do the same
/// now and then, which is what gates of several steps have in common.
fn random_circuit(u: &mut Unstructured<'_>) -> Result<(Circuit, Literal)> {
    let mut circuit = Circuit::new();
    let mut pool: Vec<Literal> = (0..u.int_in_range(0..=2)?)
        .map(|_| circuit.input())
        .collect();
    let latches: Vec<Literal> = (0..u.int_in_range(1..=4)?)
        .map(|_| {
            let start = *u.choose(&[Some(false), Some(false), Some(true), None])?;
            Ok(circuit.latch(start))
        })
        .collect::<Result<_>>()?;
    pool.extend(&latches);
    let some = |u: &mut Unstructured<'_>, pool: &[Literal]| -> Result<Literal> {
        Ok(pool[u.choose_index(pool.len())?].flip_if(u.arbitrary()?))
    };
    for _ in 0..u.int_in_range(0..=12)? {
        let (a, b, c) = (some(u, &pool)?, some(u, &pool)?, some(u, &pool)?);
        pool.push(match u.int_in_range(0..=3)? {
            0 | 1 => circuit.graph.and(a, b),
            2 => circuit.graph.xor(a, b),
            _ => circuit.graph.ite(a, b, c),
        });
    }
    for &latch in &latches {
        let next = some(u, &pool)?;
        circuit.connect(latch, next);
    }
    if u.ratio(1, 3)? {
        let (a, b) = (some(u, &pool)?, some(u, &pool)?);
        let either = circuit.graph.or(a, b);
        circuit.constraints.push(either);
    }
    let (a, b) = (some(u, &pool)?, some(u, &pool)?);
    let bad = circuit.graph.and(a, b);
    Ok((circuit, bad))
}

/// Each step from a state that the constraints allow: whether it is bad, and where it leads.
struct Table {
    steps: Vec<Vec<(bool, usize)>>,
    starts: BTreeSet<usize>,
    /// The latches that a repetition is about, as bits of a state.
    matter: usize,
}

impl Table {
    fn of(circuit: &Circuit, bad: Literal) -> Table {
        let latches = circuit.latches();
        let word = |number: usize, width: usize| -> Vec<u64> {
            (0..width).map(|at| (number >> at & 1) as u64).collect()
        };
        let all = 0..1usize << latches.len();
        let steps = all.clone().map(|state| {
            let mut found = Vec::new();
            for input in 0..1usize << circuit.inputs().len() {
                let values = circuit.evaluate(
                    &word(state, latches.len()),
                    &word(input, circuit.inputs().len()),
                );
                if circuit.constraints.iter().all(|&one| values.is_on(one)) {
                    let nexts = latches.iter().map(|latch| values.is_on(latch.next));
                    let next = nexts.enumerate().map(|(at, on)| usize::from(on) << at);
                    found.push((values.is_on(bad), next.sum()));
                }
            }
            found
        });
        let begins = |state: &usize| {
            let mut starts = latches.iter().enumerate();
            starts.all(|(at, latch)| latch.start.is_none_or(|on| on == (state >> at & 1 == 1)))
        };
        let matter = latches_that_matter(circuit, &[bad]);
        let matter = matter.iter().enumerate();
        Table {
            steps: steps.collect(),
            starts: all.filter(begins).collect(),
            matter: matter
                .map(|(at, &matters)| usize::from(matters) << at)
                .sum(),
        }
    }

    /// The states that are so many steps away from a start and have a step themselves.
    fn after(&self, steps: usize) -> BTreeSet<usize> {
        let mut states = self.starts.clone();
        for _ in 0..steps {
            let nexts = states.iter().flat_map(|&state| &self.steps[state]);
            states = nexts.map(|&(_, next)| next).collect();
        }
        states.retain(|&state| !self.steps[state].is_empty());
        states
    }

    fn is_bad(&self, state: usize) -> bool {
        self.steps[state].iter().any(|&(bad, _)| bad)
    }

    fn proves(&self, proof: &Proof) -> bool {
        let inside = |state: usize| {
            let on = |latch: &i64| (state >> (latch.unsigned_abs() - 1) & 1 == 1) == (*latch > 0);
            proof.clauses.iter().all(|clause| clause.iter().any(on))
        };
        let depth = proof.depth.max(1);
        let kept = (0..self.steps.len()).filter(|&state| inside(state));
        let kept = kept.flat_map(|state| &self.steps[state]);
        let first = proof.after.max(depth - 1);
        self.after(proof.after).into_iter().all(inside)
            && { kept }.all(|&(_, next)| inside(next))
            && (0..first).all(|steps| !self.after(steps).iter().any(|&one| self.is_bad(one)))
            && !(0..self.steps.len()).any(|state| {
                inside(state) && self.ends_badly(proof, &mut vec![state], depth, &inside)
            })
    }

    /// Whether some way on from the last of some states that are not bad ends in a bad one.
    fn ends_badly(
        &self,
        proof: &Proof,
        way: &mut Vec<usize>,
        depth: usize,
        inside: &dyn Fn(usize) -> bool,
    ) -> bool {
        let here = way[way.len() - 1];
        if way.len() == depth {
            return self.is_bad(here);
        }
        self.steps[here].iter().any(|&(bad, next)| {
            let again = |&&one: &&usize| (one ^ next) & self.matter == 0;
            if bad || !inside(next) || (proof.distinct && way.iter().find(again).is_some()) {
                return false;
            }
            way.push(next);
            let found = self.ends_badly(proof, way, depth, inside);
            way.pop();
            found
        })
    }
}

/// Clauses that are exactly what can be reached, or a few literals by chance, or both.
fn random_clauses(
    u: &mut Unstructured<'_>,
    table: &Table,
    latches: usize,
    after: usize,
) -> Result<Vec<Clause>> {
    let mut clauses = Vec::new();
    if u.ratio(2, 3)? {
        let mut reached = BTreeSet::new();
        let mut open: Vec<usize> = table.after(after).into_iter().collect();
        while let Some(state) = open.pop() {
            if reached.insert(state) {
                open.extend(table.steps[state].iter().map(|&(_, next)| next));
            }
        }
        for state in (0..table.steps.len()).filter(|state| !reached.contains(state)) {
            let literal = |at: usize| match state >> at & 1 == 1 {
                true => -(at as i64 + 1),
                false => at as i64 + 1,
            };
            clauses.push((0..latches).map(literal).collect());
        }
        if !clauses.is_empty() && u.ratio(1, 3)? {
            let one = u.choose_index(clauses.len())?;
            clauses.remove(one);
        }
    }
    if u.ratio(1, 3)? {
        let latch = u.int_in_range(1..=latches as i64)?;
        clauses.push(vec![if u.arbitrary()? { latch } else { -latch }]);
    }
    Ok(clauses)
}

#[test]
fn proofs_are_accepted_if_all_states_say_so() {
    let (mut accepted, mut refused) = (0, 0);
    trial(|u| {
        let (circuit, bad) = random_circuit(u)?;
        let table = Table::of(&circuit, bad);
        let after = *u.choose(&[0, 0, 1, 2])?;
        let proof = Proof {
            clauses: random_clauses(u, &table, circuit.latches().len(), after)?,
            depth: if after > 0 { 0 } else { u.int_in_range(0..=4)? },
            distinct: after == 0 && u.arbitrary()?,
            after,
        };
        let expected = table.proves(&proof);
        let budget = Budget::unlimited();
        let plain = Evidence::of_holds(CIRCUIT_INVARIANT, &proof);
        let plain = certify_circuit(&plain, &circuit, CircuitQuestion::Never(bad), "p", &budget);
        assert_eq!(
            plain.is_ok(),
            expected,
            "{proof:?} of {circuit:?}, {bad:?}: {plain:?}"
        );
        let refuted = Refuted::find(&proof, &circuit, bad, &budget);
        assert_eq!(
            refuted.is_ok(),
            expected,
            "{proof:?} of {circuit:?}, {bad:?}"
        );
        match expected {
            true => accepted += 1,
            false => refused += 1,
        }
        Ok(())
    })
    .cases(2_000);
    assert!(accepted > 200 && refused > 200, "{accepted} and {refused}");
}
