//! Which of several orders is the best: the one in which the constraints are small.
//!
//! How far related bits stand from each other is a guess; building the diagrams in little room is a
//! test. A bad order of an adder takes exponentially many nodes, so it fails early.

use quotient_core::{Budget, Stop};

use super::System;
use crate::diagrams::Config;
use crate::model::Model;

/// The rooms, in nodes, in which orders are tried.
const ROOMS: [usize; 3] = [1 << 13, 1 << 16, 1 << 18];

/// The order with the smallest constraints, if any of them can be built in little room; the first
/// one otherwise.
pub(super) fn best(
    model: &Model,
    mut orders: Vec<Vec<u32>>,
    config: Config,
    budget: &Budget,
) -> Result<Vec<u32>, Stop> {
    if orders.len() < 2 {
        return Ok(orders.pop().unwrap_or_default());
    }
    for room in ROOMS.into_iter().filter(|&room| room <= config.nodes) {
        let little = Config {
            nodes: room,
            room,
            cache: config.cache.min(room),
            reorder_from: None,
        };
        let mut found: Option<(usize, usize)> = None;
        for (number, order) in orders.iter().enumerate() {
            let size = match System::in_order(model.clone(), &[], order, little, budget) {
                Ok(system) => system.size(),
                Err(Stop::Memory) => continue,
                Err(stop) => return Err(stop),
            };
            if found.is_none_or(|(least, _)| size < least) {
                found = Some((size, number));
            }
        }
        if let Some((_, number)) = found {
            return Ok(orders.swap_remove(number));
        }
    }
    Ok(orders.swap_remove(0))
}

impl System {
    /// The nodes of all constraints.
    fn size(&self) -> usize {
        let all = [&self.init, &self.legal, &self.steps];
        let constraints = all.into_iter().flatten();
        let sizes = constraints.map(|one| self.diagrams.size(&one.set));
        let listed = self.listed.iter().flat_map(|listed| &listed.ways);
        let listed = listed.map(|(set, _)| self.diagrams.size(set));
        sizes.chain(listed).sum()
    }
}

#[cfg(test)]
mod tests {
    use quotient_core::{Context, Verdict};

    use crate::{Checker, Config, Domain, Expression, Kind, Model, Specification};

    /// `sum` is the sum of two words that never change, in a model that declares one after the
    /// other.
    fn adder(width: u32) -> (Model, Expression) {
        let mut model = Model::new();
        let word = Domain::Word {
            width,
            signed: false,
        };
        let names = ["left", "right", "sum"];
        let [left, right, sum] =
            names.map(|name| model.add_variable(name, Kind::State, word.clone()));
        let mut same = Expression::TRUE;
        let mut carry = Expression::FALSE;
        for bit in 0..width {
            let (a, b) = (model.bit(left, bit), model.bit(right, bit));
            let half = model.xor(a, b);
            let digit = model.xor(half, carry);
            let (both, passed) = (model.and(a, b), model.and(half, carry));
            carry = model.or(both, passed);
            for id in [left, right] {
                let (now, next) = (model.bit(id, bit), model.next_bit(id, bit));
                let keeps = model.iff(now, next);
                model.add_transition(keeps);
            }
            let next = model.next_bit(sum, bit);
            let added = model.iff(next, digit);
            model.add_transition(added);
            let now = model.bit(sum, bit);
            model.add_init(!now);
            let right = model.iff(now, digit);
            same = model.and(same, right);
        }
        let mut zero = Expression::TRUE;
        for bit in 0..width {
            let now = model.bit(sum, bit);
            zero = model.and(zero, !now);
        }
        let claim = model.or(zero, same);
        (model, claim)
    }

    #[test]
    fn words_that_meet_in_a_sum_are_interleaved() {
        // In the order of the declarations, 24 bits would take some 2^24 nodes.
        let (model, claim) = adder(24);
        let config = Config {
            nodes: 1 << 18,
            ..Config::default()
        };
        let mut checker = Checker::new(model, config, &Context::default()).unwrap();
        let outcome = checker.check(&Specification::Invariant(claim)).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds);
    }

    /// The same with bits that are variables of their own, all of the one before all of the other, and
    /// a sum of what the words become.
    fn adder_in_bits(width: usize) -> (Model, Expression) {
        let mut model = Model::new();
        let mut named = |name: &str| -> Vec<_> {
            let add =
                |bit| model.add_variable(format!("{name}{bit}"), Kind::State, Domain::Boolean);
            (0..width).map(add).collect()
        };
        let [left, right, sum] = ["a", "b", "s"].map(&mut named);
        let mut same = Expression::TRUE;
        for is_next in [false, true] {
            let mut carry = Expression::FALSE;
            for bit in 0..width {
                let ids = [left[bit], right[bit], sum[bit]];
                let [a, b, s] = ids.map(|id| match is_next {
                    false => model.bit(id, 0),
                    true => model.next_bit(id, 0),
                });
                let half = model.xor(a, b);
                let digit = model.xor(half, carry);
                let (both, passed) = (model.and(a, b), model.and(half, carry));
                carry = model.or(both, passed);
                let is_sum = model.iff(s, digit);
                match is_next {
                    true => model.add_transition(is_sum),
                    false => {
                        model.add_init(is_sum);
                        same = model.and(same, is_sum);
                    }
                }
            }
        }
        (model, same)
    }

    #[test]
    fn sums_that_are_written_out_bit_by_bit_are_interleaved() {
        let (model, claim) = adder_in_bits(40);
        let config = Config {
            nodes: 1 << 16,
            room: 1 << 16,
            reorder_from: None,
            ..Config::default()
        };
        let mut checker = Checker::new(model, config, &Context::default()).unwrap();
        let outcome = checker.check(&Specification::Invariant(claim)).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds);
    }
}
