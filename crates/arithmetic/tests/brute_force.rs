//! Refutations against all values in a small box.

use quotient_arithmetic::{
    Boolean, Condition, Integer, Linear, Solved, implies, is_impossible, solve,
};

/// An integer by its number.
fn integer(at: usize) -> Linear {
    Linear::variable(Integer::from_index(at))
}

/// A small generator of numbers, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % limit
    }
}

fn sum(random: &mut Random) -> Linear {
    let mut sum = Linear::constant(random.below(9) as i64 - 4);
    for variable in 0..3 {
        let factor = random.below(5) as i64 - 2;
        sum = sum.plus(&integer(variable).times(factor));
    }
    sum
}

/// A sum that often has a quotient or a remainder in it, perhaps of another one.
fn divided(random: &mut Random, depth: u32) -> Linear {
    let whole = sum(random);
    if depth == 0 || random.below(3) == 0 {
        return whole;
    }
    let by = 2 + random.below(3) as i64;
    let inner = divided(random, depth - 1);
    let part = match random.below(2) {
        0 => inner.quotient(by),
        _ => inner.remainder(by),
    };
    whole.plus(&part.times(random.below(5) as i64 - 2))
}

fn condition(random: &mut Random, depth: u32) -> Condition {
    let kind = if depth == 0 {
        random.below(4)
    } else {
        random.below(7)
    };
    let parts = |random: &mut Random| (0..2).map(|_| condition(random, depth - 1)).collect();
    match kind {
        0 => Condition::Boolean(Boolean::from_index(random.below(2) as usize)),
        1 => Condition::AtMostZero(sum(random)),
        2 => Condition::AtMostZero(divided(random, 2)),
        3 => Condition::Zero(divided(random, 1)),
        4 => Condition::And(parts(random)),
        5 => Condition::Or(parts(random)),
        _ => Condition::Not(Box::new(condition(random, depth - 1))),
    }
}

/// Bounds that keep all variables within the box.
fn boxed() -> Vec<Condition> {
    let bound = |variable: usize| {
        let x = integer(variable);
        [
            Condition::AtMostZero(x.plus_constant(-2)),
            Condition::AtMostZero(x.times(-1).plus_constant(-2)),
        ]
    };
    (0..3).flat_map(bound).collect()
}

fn somewhere(conditions: &[Condition]) -> bool {
    let values = -2..=2i64;
    let mut points = Vec::new();
    for a in values.clone() {
        for b in values.clone() {
            points.extend(values.clone().map(|c| [a, b, c]));
        }
    }
    points.iter().any(|point| {
        (0..4).any(|bits| {
            let truths = [bits & 1 == 1, bits & 2 == 2];
            conditions
                .iter()
                .all(|one| one.holds(point, &truths) == Some(true))
        })
    })
}

#[test]
fn what_has_values_is_never_called_impossible_and_most_of_the_rest_is() {
    let random = &mut Random(77);
    let (mut found, mut missed) = (0, 0);
    for _ in 0..1500 {
        let mut conditions = boxed();
        conditions.extend((0..2).map(|_| condition(random, 2)));
        let possible = somewhere(&conditions);
        match is_impossible(&conditions) {
            true => {
                assert!(!possible, "{conditions:?}");
                found += 1;
            }
            false if !possible => missed += 1,
            false => {}
        }
    }
    assert!(
        found > 100 && missed * 20 < found,
        "{found} found, {missed} missed"
    );
}

#[test]
fn negation_is_the_opposite_everywhere() {
    let random = &mut Random(5);
    for _ in 0..500 {
        let one = condition(random, 3);
        let point = [1, -1, 2].map(|shift: i64| shift + random.below(3) as i64);
        let truths = [random.below(2) == 0, random.below(2) == 0];
        let value = one.holds(&point, &truths).unwrap();
        assert_eq!(
            one.negated().holds(&point, &truths),
            Some(!value),
            "{one:?}"
        );
    }
}

#[test]
fn whole_numbers_lie_between_no_neighbours() {
    let x = integer(0);
    // 2x = 1, and 0 < 3x < 3
    assert!(is_impossible(&[Condition::Zero(
        x.times(2).plus_constant(-1)
    )]));
    let low = Condition::AtMostZero(x.times(-3).plus_constant(1));
    let high = Condition::AtMostZero(x.times(3).plus_constant(-2));
    assert!(is_impossible(&[low.clone(), high]));
    assert!(implies(
        &[low],
        &Condition::AtMostZero(x.times(-1).plus_constant(1))
    ));
}

#[test]
fn numbers_too_large_are_given_up_not_wrapped() {
    let mut huge = integer(0).plus_constant(1);
    for _ in 0..10 {
        huge = huge.times(i64::MAX);
    }
    assert!(huge.is_lost());
    assert!(!is_impossible(&[
        Condition::AtMostZero(huge.clone()),
        Condition::Zero(huge)
    ]));
}

#[test]
fn values_that_are_found_are_right_and_mostly_found() {
    let random = &mut Random(99);
    let (mut found, mut missed) = (0, 0);
    for _ in 0..800 {
        let mut conditions = boxed();
        conditions.extend((0..2).map(|_| condition(random, 2)));
        let possible = somewhere(&conditions);
        match solve(&conditions) {
            Solved::Values(integers, booleans) => {
                let (mut point, mut truths) = ([0; 3], [false; 2]);
                integers
                    .iter()
                    .for_each(|&(at, value)| point[at.index()] = value);
                booleans
                    .iter()
                    .for_each(|&(at, value)| truths[at.index()] = value);
                assert!(
                    conditions
                        .iter()
                        .all(|one| one.holds(&point, &truths) == Some(true))
                );
                found += 1;
            }
            Solved::Impossible => assert!(!possible, "{conditions:?}"),
            Solved::Unknown => missed += 1,
        }
    }
    assert!(
        found > 100 && missed * 20 < found,
        "{found} found, {missed} missed"
    );
}

#[test]
fn quotients_round_down_and_remainders_are_never_negative() {
    let random = &mut Random(31);
    for _ in 0..2_000 {
        let of = divided(random, 2);
        let by = 1 + random.below(6) as i64;
        let point = [0; 3].map(|_: i64| random.below(41) as i64 - 20);
        let value = of.value(&point).unwrap();
        let divisor = i128::from(by);
        let (quotient, rest) = (of.quotient(by), of.remainder(by));
        assert_eq!(quotient.value(&point), Some(value.div_euclid(divisor)));
        assert_eq!(rest.value(&point), Some(value.rem_euclid(divisor)));
    }
}

#[test]
fn sums_put_in_for_variables_mean_what_their_values_do() {
    let random = &mut Random(32);
    for _ in 0..1_000 {
        let of = divided(random, 2);
        let put = [0; 3].map(|_| divided(random, 1));
        let point = [0; 3].map(|_: i64| random.below(21) as i64 - 10);
        let values = [0, 1, 2].map(|at: usize| put[at].value(&point).unwrap() as i64);
        let after = of.replaced(&|at| put[at.index()].clone());
        if !after.is_lost() {
            assert_eq!(after.value(&point), of.value(&values), "{of:?} {put:?}");
        }
    }
}

#[test]
fn what_is_lost_stays_lost_when_sums_are_put_in() {
    let mut huge = integer(0);
    for _ in 0..10 {
        huge = huge.times(i64::MAX);
    }
    let same = |at: Integer| Linear::variable(at);
    assert!(huge.replaced(&same).is_lost());
    assert!(huge.quotient(2).is_lost());
    // Sums that double with each step are given up before they fill the memory.
    let mut nested = integer(0);
    let step = |of: &Linear| of.quotient(2).plus(&of.quotient(3));
    for _ in 0..60 {
        nested = step(&nested);
    }
    assert!(nested.is_lost());
}

#[test]
fn remainders_of_whole_numbers_follow_from_each_other() {
    let x = integer(0);
    let is =
        |sum: &Linear, by: i64, rest: i64| Condition::Zero(sum.remainder(by).plus_constant(-rest));
    assert!(implies(&[is(&x, 4, 1)], &is(&x, 2, 1)));
    assert!(implies(&[is(&x, 2, 0), is(&x, 3, 0)], &is(&x, 6, 0)));
    assert!(implies(&[is(&x, 2, 1)], &is(&x.plus_constant(1), 2, 0)));
    assert!(implies(&[is(&x, 2, 1)], &is(&x.times(3), 2, 1)));
    assert!(!implies(&[is(&x, 2, 1)], &is(&x, 4, 1)));
    let below = Condition::AtMostZero(x.remainder(7).plus_constant(-6));
    assert!(implies(&[], &below));
    let two = Condition::Zero(x.plus_constant(-2));
    assert!(implies(&[two], &is(&x.plus_constant(1), 3, 0)));
}

#[test]
fn a_variable_without_an_upper_bound_is_not_tried_out() {
    // x is beyond 2^59 and has the rest 1 of division by 2 and by 3 and by 5: there are such numbers.
    let x = integer(0);
    let is = |by: i64| Condition::Zero(x.remainder(by).plus_constant(-1));
    let far = Condition::AtMostZero(x.times(-1).plus_constant((1 << 60) - 3));
    assert!(!is_impossible(&[far, is(2), is(3), is(5)]));
}
