//! Circuits of gates and latches.

use super::machine::{Shot, judge as judge_machine};
use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth, way};
use crate::sample::{Given, Sample};

pub(crate) const KIND: Kind = Kind {
    language: "aiger",
    generate,
    ways: |_, dice| methods(dice),
    instance: Instance::None,
    judge,
};

/// The methods of circuits, which words share.
pub(crate) fn methods(dice: &mut Dice) -> Vec<Given> {
    let bounded = dice.within(1, 9).to_string();
    vec![
        way(&[("method", "bounded"), ("steps", &bounded)]),
        way(&[("method", "ic3")]),
        way(&[("method", "induction"), ("steps", "40")]),
        way(&[("method", "ic3-quick")]),
    ]
}

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let inputs = dice.below(3);
    let latches = dice.within(1, 2 + size.min(4));
    let gates = dice.within(1, 4 + 2 * size);
    let last = inputs + latches + gates;
    let literal = |dice: &mut Dice, most: usize| 2 * dice.within(1, most) + dice.below(2);
    let bad = dice.within(1, 2);
    let constraints = usize::from(dice.chance(25));
    let justice = usize::from(dice.chance(35));
    let fairness = usize::from(justice > 0 && dice.chance(30));
    let mut text = format!(
        "aag {last} {inputs} {latches} 0 {gates} {bad} {constraints} {justice} {fairness}\n"
    );
    for input in 1..=inputs {
        text += &format!("{}\n", 2 * input);
    }
    for latch in inputs + 1..=inputs + latches {
        let reset = match dice.below(5) {
            0 => " 1".to_owned(),
            1 => format!(" {}", 2 * latch),
            _ => String::new(),
        };
        text += &format!("{} {}{reset}\n", 2 * latch, literal(dice, last));
    }
    for _ in 0..bad + constraints {
        text += &format!("{}\n", literal(dice, last));
    }
    let signals: Vec<usize> = (0..justice).map(|_| dice.within(1, 2)).collect();
    for count in &signals {
        text += &format!("{count}\n");
    }
    for _ in 0..signals.iter().sum::<usize>() + fairness {
        text += &format!("{}\n", literal(dice, last));
    }
    for gate in inputs + latches + 1..=last {
        let (left, right) = (literal(dice, gate - 1), literal(dice, gate - 1));
        text += &format!("{} {} {}\n", 2 * gate, left.max(right), left.min(right));
    }
    Sample::of("aiger", "model.aag", text)
}

/// The text as numbers, line by line.
fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    parse(sample.text()).map_or(Vec::new(), |circuit| circuit.judge())
}

struct Parsed {
    inputs: Vec<usize>,
    latches: Vec<(usize, usize, usize)>,
    gates: Vec<(usize, usize, usize)>,
    bad: Vec<usize>,
    constraints: Vec<usize>,
    justice: Vec<Vec<usize>>,
    fairness: Vec<usize>,
    last: usize,
}

fn parse(text: &str) -> Option<Parsed> {
    let mut lines = text.lines();
    let header = lines.next()?.strip_prefix("aag ")?;
    let header: Vec<usize> = header
        .split(' ')
        .map(|word| word.parse().ok())
        .collect::<Option<_>>()?;
    let &[
        last,
        inputs,
        latches,
        0,
        gates,
        bad,
        constraints,
        justice,
        fairness,
    ] = &header[..]
    else {
        return None;
    };
    let mut numbers = |count: usize| -> Option<Vec<usize>> {
        let line = lines.next()?;
        let all: Option<Vec<usize>> = line.split(' ').map(|word| word.parse().ok()).collect();
        all.filter(|all| all.len() == count || count == 0)
    };
    let mut one =
        |count: usize| -> Option<Vec<usize>> { (0..count).map(|_| Some(numbers(1)?[0])).collect() };
    let inputs = one(inputs)?;
    let latches = {
        let mut all = Vec::new();
        for _ in 0..latches {
            let line = numbers(0)?;
            all.push((*line.first()?, *line.get(1)?, *line.get(2).unwrap_or(&0)));
        }
        all
    };
    let mut one =
        |count: usize| -> Option<Vec<usize>> { (0..count).map(|_| Some(numbers(1)?[0])).collect() };
    let bad = one(bad)?;
    let constraints = one(constraints)?;
    let counts = one(justice)?;
    let justice = counts
        .iter()
        .map(|&count| one(count))
        .collect::<Option<_>>()?;
    let fairness = one(fairness)?;
    let gates = (0..gates)
        .map(|_| numbers(3).map(|line| (line[0], line[1], line[2])))
        .collect::<Option<_>>()?;
    Some(Parsed {
        inputs,
        latches,
        gates,
        bad,
        constraints,
        justice,
        fairness,
        last,
    })
}

impl Parsed {
    fn judge(&self) -> Vec<(String, Truth)> {
        if self.latches.len() > 10 || self.inputs.len() > 6 || self.last > 10_000 {
            return Vec::new();
        }
        let mut initial = vec![0];
        for (number, &(own, _, reset)) in self.latches.iter().enumerate() {
            let bit = 1u64 << number;
            let with = |on: bool, all: &[u64]| -> Vec<u64> {
                all.iter()
                    .map(|one| if on { one | bit } else { *one })
                    .collect()
            };
            initial = match reset {
                0 => initial,
                1 => with(true, &initial),
                reset if reset == own => [with(false, &initial), with(true, &initial)].concat(),
                _ => return Vec::new(),
            };
        }
        judge_machine(initial, 1 << self.inputs.len(), &|state, input| {
            self.shot(state, input)
        })
    }

    fn shot(&self, state: u64, input: u64) -> Option<Shot> {
        let mut values = vec![None; self.last + 1];
        values[0] = Some(false);
        for (number, literal) in self.inputs.iter().enumerate() {
            *values.get_mut(literal / 2)? = Some(input >> number & 1 == 1);
        }
        for (number, (own, ..)) in self.latches.iter().enumerate() {
            *values.get_mut(own / 2)? = Some(state >> number & 1 == 1);
        }
        let value = |values: &[Option<bool>], literal: usize| {
            Some((*values.get(literal / 2)?)? != (literal % 2 == 1))
        };
        // Gates stand in order in what is generated; others are not judged.
        for &(own, left, right) in &self.gates {
            let both = value(&values, left)? && value(&values, right)?;
            *values.get_mut(own / 2)? = Some(both);
        }
        let all = |literals: &[usize]| -> Option<Vec<bool>> {
            literals.iter().map(|&one| value(&values, one)).collect()
        };
        let mut next = 0;
        for (number, &(_, then, _)) in self.latches.iter().enumerate() {
            next |= u64::from(value(&values, then)?) << number;
        }
        let fair = all(&self.fairness)?;
        let justice = self.justice.iter().map(|one| {
            let mut signals = all(one)?;
            signals.extend(&fair);
            Some(signals)
        });
        Some(Shot {
            next: vec![next],
            allowed: all(&self.constraints)?.iter().all(|&on| on),
            bad: all(&self.bad)?,
            justice: justice.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_of_two_bits_reaches_three() {
        // l1 flips, l2 flips when l1 is on; bad: both, or l2 without l1 twice in a row (never).
        let text = "aag 6 0 2 0 4 1 0 1 0\n2 3\n4 13\n6\n1\n6\n6 4 2\n8 5 2\n10 4 3\n12 11 9\n";
        let truths = judge(&Sample::of("aiger", "a.aag", text));
        assert_eq!(truths.len(), 2);
        assert_eq!(truths[0].1, Truth::Violated);
    }
}
