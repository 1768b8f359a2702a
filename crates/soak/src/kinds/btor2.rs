//! Circuits of words.

use std::collections::BTreeMap;

use super::aiger::methods;
use super::machine::{Shot, judge as judge_machine};
use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "btor2",
    generate,
    ways: |_, dice| methods(dice),
    instance: Instance::None,
    judge,
};

/// Operations of two words of one width that give such a word.
const SAME: &[&str] = &[
    "and", "or", "xor", "nand", "nor", "xnor", "add", "sub", "mul", "udiv", "urem", "sdiv", "srem",
    "smod", "sll", "srl", "sra", "rol", "ror",
];
/// Operations of two words of one width that give a bit.
const COMPARE: &[&str] = &[
    "eq", "neq", "ult", "ulte", "ugt", "ugte", "slt", "slte", "sgt", "sgte", "uaddo", "saddo",
    "usubo", "ssubo", "umulo", "smulo", "sdivo",
];
/// Operations of one word that give such a word.
const ALONE: &[&str] = &["not", "neg", "inc", "dec"];

struct Writer<'a> {
    dice: &'a mut Dice,
    text: String,
    next: usize,
    /// Nodes with their widths.
    nodes: Vec<(usize, usize)>,
}

impl Writer<'_> {
    fn line(&mut self, rest: &str) -> usize {
        let number = self.next;
        self.next += 1;
        self.text += &format!("{number} {rest}\n");
        number
    }

    /// Some node of a width, perhaps negated; a new constant if there is none.
    fn some(&mut self, width: usize) -> String {
        let fits: Vec<usize> = self
            .nodes
            .iter()
            .filter(|(_, own)| *own == width)
            .map(|(node, _)| *node)
            .collect();
        if fits.is_empty() || self.dice.chance(10) {
            let value = self.dice.below(1 << width);
            let node = self.line(&format!("const {width} {value:0width$b}"));
            self.nodes.push((node, width));
            return node.to_string();
        }
        let sign = if self.dice.chance(15) { "-" } else { "" };
        format!("{sign}{}", fits[self.dice.below(fits.len())])
    }

    fn operation(&mut self) {
        let width = self.dice.within(1, 3);
        let (node, of) = match self.dice.below(9) {
            0..=2 => {
                let name = self.dice.pick(SAME);
                let (left, right) = (self.some(width), self.some(width));
                (self.line(&format!("{name} {width} {left} {right}")), width)
            }
            3 | 4 => {
                let name = self.dice.pick(COMPARE);
                let (left, right) = (self.some(width), self.some(width));
                (self.line(&format!("{name} 1 {left} {right}")), 1)
            }
            5 => {
                let name = self.dice.pick(ALONE);
                let inner = self.some(width);
                (self.line(&format!("{name} {width} {inner}")), width)
            }
            6 => {
                let (test, left, right) = (self.some(1), self.some(width), self.some(width));
                let rest = format!("ite {width} {test} {left} {right}");
                (self.line(&rest), width)
            }
            7 => {
                let name = self.dice.pick(&["redand", "redor", "redxor"]);
                let inner = self.some(width);
                (self.line(&format!("{name} 1 {inner}")), 1)
            }
            _ => match self.dice.below(3) {
                0 => {
                    let wide = self.dice.within(width, 3);
                    let name = self.dice.pick(&["uext", "sext"]);
                    let inner = self.some(width);
                    let rest = format!("{name} {wide} {inner} {}", wide - width);
                    (self.line(&rest), wide)
                }
                1 => {
                    let high = self.dice.below(width);
                    let low = self.dice.within(0, high);
                    let inner = self.some(width);
                    let of = high - low + 1;
                    (self.line(&format!("slice {of} {inner} {high} {low}")), of)
                }
                _ => {
                    let (left, right) = (self.some(1), self.some(width.min(2)));
                    let of = 1 + width.min(2);
                    (self.line(&format!("concat {of} {left} {right}")), of)
                }
            },
        };
        self.nodes.push((node, of));
    }
}

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let mut writer = Writer {
        dice,
        text: "1 sort bitvec 1\n2 sort bitvec 2\n3 sort bitvec 3\n".to_owned(),
        next: 4,
        nodes: Vec::new(),
    };
    for _ in 0..writer.dice.below(3) {
        let width = writer.dice.within(1, 2);
        let node = writer.line(&format!("input {width}"));
        writer.nodes.push((node, width));
    }
    let mut states = Vec::new();
    for _ in 0..writer.dice.within(1, 3) {
        let width = writer.dice.within(1, 3);
        let value = writer.dice.below(1 << width);
        let constant = writer.line(&format!("const {width} {value:0width$b}"));
        let node = writer.line(&format!("state {width}"));
        if !writer.dice.chance(15) {
            writer.line(&format!("init {width} {node} {constant}"));
        }
        writer.nodes.push((node, width));
        states.push((node, width));
    }
    for _ in 0..writer.dice.within(2, 3 + 2 * size) {
        writer.operation();
    }
    for (node, width) in states {
        if !writer.dice.chance(8) {
            let then = writer.some(width);
            let then = then.trim_start_matches('-').to_owned();
            writer.line(&format!("next {width} {node} {then}"));
        }
    }
    for _ in 0..writer.dice.within(1, 2) {
        let signal = writer.some(1);
        writer.line(&format!("bad {signal}"));
    }
    if writer.dice.chance(20) {
        let signal = writer.some(1);
        writer.line(&format!("constraint {signal}"));
    }
    if writer.dice.chance(30) {
        let (one, two) = (writer.some(1), writer.some(1));
        match writer.dice.chance(50) {
            true => writer.line(&format!("justice 1 {one}")),
            false => writer.line(&format!("justice 2 {one} {two}")),
        };
        if writer.dice.chance(25) {
            let signal = writer.some(1);
            writer.line(&format!("fair {signal}"));
        }
    }
    Sample::of("btor2", "model.btor2", writer.text)
}

/// Lines as words.
type Lines<'a> = Vec<(i64, Vec<&'a str>)>;

fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    Words::read(sample.text())
        .and_then(|words| words.judge())
        .unwrap_or_default()
}

struct Words<'a> {
    lines: Lines<'a>,
    widths: BTreeMap<i64, u32>,
    /// Where bits of states and inputs begin.
    states: Vec<(i64, u32)>,
    inputs: Vec<(i64, u32)>,
    state_bits: u32,
    input_bits: u32,
}

impl<'a> Words<'a> {
    fn read(text: &'a str) -> Option<Words<'a>> {
        let mut sorts = BTreeMap::new();
        let mut words = Words {
            lines: Vec::new(),
            widths: BTreeMap::new(),
            states: Vec::new(),
            inputs: Vec::new(),
            state_bits: 0,
            input_bits: 0,
        };
        for line in text.lines() {
            let parts: Vec<&str> = line.split_whitespace().collect();
            let number: i64 = parts.first()?.parse().ok()?;
            match parts[1..] {
                ["sort", "bitvec", width] => {
                    sorts.insert(number, width.parse::<u32>().ok().filter(|&one| one <= 16)?);
                    continue;
                }
                ["sort", ..] => return None,
                [
                    "bad" | "constraint" | "justice" | "fair" | "init" | "next",
                    ..,
                ] => {}
                [kind, sort, ..] => {
                    let width = *sorts.get(&sort.parse().ok()?)?;
                    words.widths.insert(number, width);
                    if kind == "state" {
                        words.states.push((number, words.state_bits));
                        words.state_bits += width;
                    } else if kind == "input" {
                        words.inputs.push((number, words.input_bits));
                        words.input_bits += width;
                    }
                }
                _ => return None,
            }
            words.lines.push((number, parts[1..].to_vec()));
        }
        Some(words)
    }

    fn judge(&self) -> Option<Vec<(String, Truth)>> {
        if self.state_bits > 10 || self.input_bits > 6 {
            return None;
        }
        let constants = self.values(0, 0)?;
        let mut initial = vec![0u64];
        for &(state, at) in &self.states {
            let number = state.to_string();
            let init = self.lines.iter().find_map(|(_, line)| match line[..] {
                ["init", _, own, value] if own == number => Some(value.parse::<i64>().ok()),
                _ => None,
            });
            let width = self.widths[&state];
            let values: Vec<u64> = match init {
                Some(value) => {
                    // Starts that depend on other states or inputs are not judged.
                    let constant = |(number, line): &&(i64, Vec<&str>)| {
                        Some(*number) == value && line[0] == "const"
                    };
                    self.lines.iter().find(constant)?;
                    vec![*constants.get(&value?)?]
                }
                None => (0..1 << width).collect(),
            };
            let with = |one: &u64| {
                values
                    .iter()
                    .map(|value| one | value << at)
                    .collect::<Vec<u64>>()
            };
            initial = initial.iter().flat_map(with).collect::<Vec<u64>>();
        }
        let inputs = 1 << self.input_bits;
        Some(judge_machine(initial, inputs, &|state, input| {
            self.shot(state, input)
        }))
    }

    fn shot(&self, state: u64, input: u64) -> Option<Shot> {
        let values = self.values(state, input)?;
        let value = |word: &str| value(&values, &self.widths, word);
        let mut shot = Shot {
            next: vec![0],
            allowed: true,
            bad: Vec::new(),
            justice: Vec::new(),
        };
        let mut fair = Vec::new();
        for (_, line) in &self.lines {
            match line[..] {
                ["bad", signal, ..] => shot.bad.push(value(signal)? == 1),
                ["constraint", signal, ..] => shot.allowed &= value(signal)? == 1,
                ["fair", signal, ..] => fair.push(value(signal)? == 1),
                ["justice", count, ref signals @ ..] => {
                    let count: usize = count.parse().ok()?;
                    let signals = signals.get(..count)?.iter();
                    let on: Option<_> = signals.map(|one| Some(value(one)? == 1)).collect();
                    shot.justice.push(on?);
                }
                _ => {}
            }
        }
        for one in &mut shot.justice {
            one.extend(&fair);
        }
        for &(state, at) in &self.states {
            let number = state.to_string();
            let then = self.lines.iter().find_map(|(_, line)| match line[..] {
                ["next", _, own, then] if own == number => Some(then),
                _ => None,
            });
            let values: Vec<u64> = match then {
                Some(then) => vec![value(then)?],
                None => (0..1 << self.widths[&state]).collect(),
            };
            let with = |one: &u64| {
                values
                    .iter()
                    .map(|value| one | value << at)
                    .collect::<Vec<u64>>()
            };
            shot.next = shot.next.iter().flat_map(with).collect::<Vec<u64>>();
        }
        Some(shot)
    }

    fn values(&self, state: u64, input: u64) -> Option<BTreeMap<i64, u64>> {
        let mut values = BTreeMap::new();
        for (number, line) in &self.lines {
            let Some(&width) = self.widths.get(number) else {
                continue;
            };
            let full = (1u64 << width) - 1;
            let bits = |all: &[(i64, u32)], from: u64| {
                let place = all.iter().find(|(own, _)| own == number)?.1;
                Some(from >> place & full)
            };
            let result = match line[0] {
                "state" => bits(&self.states, state)?,
                "input" => bits(&self.inputs, input)?,
                "const" => u64::from_str_radix(line.get(2)?, 2).ok()?,
                "zero" => 0,
                "one" => 1,
                "ones" => full,
                name => {
                    let operands: Vec<&str> = line[2..].to_vec();
                    apply(name, width, &operands, &values, &self.widths)?
                }
            };
            values.insert(*number, result & full);
        }
        Some(values)
    }
}

fn value(values: &BTreeMap<i64, u64>, widths: &BTreeMap<i64, u32>, word: &str) -> Option<u64> {
    let number: i64 = word.parse().ok()?;
    let value = *values.get(&number.abs())?;
    let width = *widths.get(&number.abs())?;
    Some(match number < 0 {
        true => !value & ((1 << width) - 1),
        false => value,
    })
}

/// The meaning of an operation by the definition of the format, with whole numbers.
fn apply(
    name: &str,
    width: u32,
    operands: &[&str],
    values: &BTreeMap<i64, u64>,
    widths: &BTreeMap<i64, u32>,
) -> Option<u64> {
    let operand = |at: usize| value(values, widths, operands.get(at)?);
    let first = operand(0)?;
    let number: i64 = operands[0].parse().ok()?;
    let own = *widths.get(&number.abs())?;
    let full = (1u64 << own) - 1;
    let signed = |value: u64| match value >> (own - 1) & 1 {
        1 => value as i64 - (1 << own),
        _ => value as i64,
    };
    let wrap = |value: i64| value as u64;
    let bit = u64::from;
    match name {
        "not" => return Some(!first),
        "neg" => return Some(first.wrapping_neg()),
        "inc" => return Some(first.wrapping_add(1)),
        "dec" => return Some(first.wrapping_sub(1)),
        "redand" => return Some(bit(first == full)),
        "redor" => return Some(bit(first != 0)),
        "redxor" => return Some(bit(first.count_ones() % 2 == 1)),
        "uext" => return Some(first),
        "sext" => return Some(wrap(signed(first))),
        "slice" => return Some(first >> operands.get(2)?.parse::<u32>().ok()?),
        "ite" => return if first == 1 { operand(1) } else { operand(2) },
        _ => {}
    }
    let second = operand(1)?;
    let (x, y) = (signed(first), signed(second));
    let least = -(1i64 << (own - 1));
    let fits = |value: i64| value >= least && value < -least;
    let turn = |by: u64| first << by | first >> (u64::from(own) - by);
    Some(
        match name {
            "and" => first & second,
            "or" => first | second,
            "xor" => first ^ second,
            "nand" => !(first & second),
            "nor" => !(first | second),
            "xnor" => !(first ^ second),
            "add" => first + second,
            "sub" => first.wrapping_sub(second),
            "mul" => first * second,
            "udiv" if second == 0 => full,
            "udiv" => first / second,
            "urem" if second == 0 => first,
            "urem" => first % second,
            "sdiv" if y == 0 => wrap(if x < 0 { 1 } else { -1 }),
            "sdiv" => wrap(x / y),
            "srem" | "smod" if y == 0 => first,
            "srem" => wrap(x % y),
            "smod" => wrap(((x % y) + y) % y),
            "sll" if second >= u64::from(own) => 0,
            "sll" => first << second,
            "srl" if second >= u64::from(own) => 0,
            "srl" => first >> second,
            "sra" => wrap(x >> second.min(40)),
            "rol" => turn(second % u64::from(own)),
            "ror" => turn((u64::from(own) - second % u64::from(own)) % u64::from(own)),
            "concat" => first << widths.get(&operands[1].parse::<i64>().ok()?.abs())? | second,
            "eq" => bit(first == second),
            "neq" => bit(first != second),
            "ult" => bit(first < second),
            "ulte" => bit(first <= second),
            "ugt" => bit(first > second),
            "ugte" => bit(first >= second),
            "slt" => bit(x < y),
            "slte" => bit(x <= y),
            "sgt" => bit(x > y),
            "sgte" => bit(x >= y),
            "uaddo" => bit(first + second > full),
            "saddo" => bit(!fits(x + y)),
            "usubo" => bit(second > first),
            "ssubo" => bit(!fits(x - y)),
            "umulo" => bit(first * second > full),
            "smulo" => bit(!fits(x * y)),
            "sdivo" => bit(x == least && y == -1),
            _ => return None,
        } & ((1u64 << width.max(own)) - 1),
    )
}
