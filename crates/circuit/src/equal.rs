//! Latches that always hold the same.

use std::collections::HashMap;
use std::sync::Arc;

use quotient_core::{Budget, Stop};
use quotient_netlist::{Circuit, Clause, Gate, Literal, State};

use crate::ic3::{Cones, LazySolver, Shapes};
use crate::reduce::substitute;

/// How many steps random runs have that tell latches apart.
const RANDOM_STEPS: usize = 64;

/// For each latch an earlier one (or its negation, or a constant) that it always equals, with
/// clauses that say so: together an inductive invariant under the constraints (van Eijk, 2000).
///
/// Random runs make a first guess; a solver finds what a step would tell apart, until no step
/// does. It gives up quietly when its share of the work is used up.
pub(crate) fn equal_latches(
    circuit: &Circuit,
    budget: &Budget,
) -> Result<Option<(Vec<Literal>, Vec<Clause>)>, Stop> {
    let share = budget.child_with_work(4_000_000 + 10 * circuit.graph.len() as u64);
    let mut classes = Classes::guess(circuit);
    match classes.settle(circuit, &share) {
        Ok(()) => {}
        Err(Stop::Work) => {
            budget.poll()?;
            return Ok(None);
        }
        Err(stop) => return Err(stop),
    }
    Ok(classes.replacements(circuit))
}

/// A guess which latches are equal: by latch the literal it stands for. Representatives stand
/// for themselves.
struct Classes {
    /// The first latch of the class, as a literal; the constant for latches that never change.
    leader: Vec<Literal>,
}

impl Classes {
    /// Latches with the same values in random runs; those that may start with anything are
    /// alone.
    fn guess(circuit: &Circuit) -> Classes {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let latches = circuit.latches();
        let mut held: Vec<u64> = latches
            .iter()
            .map(|latch| {
                if latch.start == Some(true) {
                    u64::MAX
                } else {
                    0
                }
            })
            .collect();
        let mut marks: Vec<u64> = vec![0; latches.len()];
        for _ in 0..RANDOM_STEPS {
            for ((mark, &word), latch) in marks.iter_mut().zip(&held).zip(latches) {
                // Seen so that each is on at the start, a latch and its negation are alike.
                let word = if latch.start == Some(true) {
                    word
                } else {
                    !word
                };
                *mark = mark.rotate_left(9).wrapping_mul(0x0100_0000_01b3) ^ word;
            }
            let inputs: Vec<u64> = circuit.inputs().iter().map(|_| next(&mut random)).collect();
            let state = circuit.evaluate(&held, &inputs);
            held = latches
                .iter()
                .map(|latch| state.value(latch.next))
                .collect();
        }
        let mut first: HashMap<u64, Literal> = HashMap::new();
        let leader = latches
            .iter()
            .enumerate()
            .map(|(number, latch)| {
                let own = latch.node.literal();
                let Some(start) = latch.start else { return own };
                // All members are on at the start, seen through the sign of their leader.
                let positive = own.flip_if(!start);
                let leader = *first.entry(marks[number]).or_insert(positive);
                leader.flip_if(!start)
            })
            .collect();
        Classes { leader }
    }

    /// Splits classes until a step keeps them all.
    fn settle(&mut self, circuit: &Circuit, budget: &Budget) -> Result<(), Stop> {
        let mut random = 0x2545_f491_4f6c_dd1d;
        loop {
            // The circuit if the guess is right, which is all that induction needs.
            let (guessed, map) = substitute(circuit, &self.leader);
            budget.charge(4 * guessed.graph.len() as u64)?;
            let at = |literal: Literal| map[literal.node().index()].flip_if(literal.is_negated());
            let constraints: Vec<Literal> =
                circuit.constraints.iter().map(|&one| at(one)).collect();
            let shapes = Arc::new(Shapes::of(&guessed));
            let mut solver = LazySolver::new(&guessed, &shapes, false);
            let mut cones = Cones::new(&guessed, &shapes);
            let always = cones.of(&constraints, &[]);
            solver.load(&guessed, &always);
            for &constraint in &constraints {
                solver.add(&guessed, &[constraint]);
            }
            let mut split = false;
            for number in 0..self.leader.len() {
                let leader = self.leader[number];
                let Gate::Latch(other) = circuit.graph.gate(leader.node()) else {
                    continue;
                };
                let mine = at(circuit.latches()[number].next);
                let theirs = at(circuit.latches()[other].next).flip_if(leader.is_negated());
                if mine == theirs {
                    continue;
                }
                let domain = cones.of(&[mine, theirs], &always);
                let mut together =
                    |pair: [Literal; 2]| solver.solve(&guessed, &pair, &[], &domain, budget);
                let differ = together([mine, !theirs])? || together([!mine, theirs])?;
                if differ {
                    budget.charge(guessed.graph.len() as u64 / 8)?;
                    let state = around(&guessed, &solver, &mut random);
                    let allowed = constraints.iter().map(|&one| state.value(one));
                    let allowed = allowed.fold(u64::MAX, |all, one| all & one);
                    self.split(circuit, |literal| state.value(at(literal)) & allowed);
                    split = true;
                }
            }
            if !split {
                return Ok(());
            }
        }
    }

    /// Separates what some steps tell apart: a word holds the values of a signal in all of them.
    fn split(&mut self, circuit: &Circuit, after: impl Fn(Literal) -> u64) {
        let mut moved: HashMap<(Literal, u64), Literal> = HashMap::new();
        let old = self.leader.clone();
        for (number, latch) in circuit.latches().iter().enumerate() {
            let leader = old[number];
            let Gate::Latch(other) = circuit.graph.gate(leader.node()) else {
                continue;
            };
            // Seen through its leader's sign, each member holds what the leader holds.
            let theirs = after(circuit.latches()[other].next);
            let mine = after(latch.next.flip_if(leader.is_negated()));
            if mine != theirs {
                let plain = leader.flip_if(leader.is_negated());
                let positive = latch.node.literal().flip_if(leader.is_negated());
                let new = *moved.entry((plain, mine)).or_insert(positive);
                self.leader[number] = new.flip_if(leader.is_negated());
            }
        }
    }

    fn replacements(&self, circuit: &Circuit) -> Option<(Vec<Literal>, Vec<Clause>)> {
        let mut clauses = Vec::new();
        for (number, latch) in circuit.latches().iter().enumerate() {
            let leader = self.leader[number];
            if leader.node() == latch.node {
                continue;
            }
            let Gate::Latch(other) = circuit.graph.gate(leader.node()) else {
                continue;
            };
            let (own, other) = (number as i64 + 1, other as i64 + 1);
            let other = if leader.is_negated() { -other } else { other };
            clauses.push(vec![-own, other]);
            clauses.push(vec![own, -other]);
        }
        let replaced = self.leader.iter().zip(circuit.latches());
        let replaced = replaced.map(|(&leader, latch)| {
            if leader.node() == latch.node {
                latch.node.literal()
            } else {
                leader
            }
        });
        (!clauses.is_empty()).then(|| (replaced.collect(), clauses))
    }
}

/// The next of a sequence of numbers without a pattern (Marsaglia, 2003).
fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

/// The step that a solver just found, and 63 others that differ from it here and there.
fn around(circuit: &Circuit, solver: &LazySolver, random: &mut u64) -> State {
    let mut words = |nodes: &[Literal]| -> Vec<u64> {
        let word = |&literal: &Literal| match solver.value(circuit, literal) {
            Some(value) => {
                let flips = next(random) & next(random) & next(random) & !1;
                if value { !flips } else { flips }
            }
            None => next(random),
        };
        nodes.iter().map(word).collect()
    };
    let latches: Vec<Literal> = (circuit.latches().iter())
        .map(|latch| latch.node.literal())
        .collect();
    let inputs: Vec<Literal> = circuit.inputs().iter().map(|node| node.literal()).collect();
    let held = words(&latches);
    circuit.evaluate(&held, &words(&inputs))
}
