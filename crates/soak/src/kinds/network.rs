//! Boolean networks in which one variable after the other changes, and branching time.

use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "network",
    generate,
    ways: |_, _| Vec::new(),
    instance: Instance::None,
    judge,
};

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let count = dice.within(1, 2 + size.min(3));
    let mut text = String::from("targets, factors\n");
    for name in &NAMES[..count] {
        text += &format!("{name}, {}\n", expression(dice, count, 2));
    }
    for number in 0..dice.within(1, 3) {
        let form = dice.pick(FORMS);
        let formula = form.replace('#', &expression(dice, count, 1));
        text += &format!("#check q{number}: {formula}\n");
    }
    Sample::of("network", "model.bnet", text)
}

/// Operators around a condition, from the outside to the inside.
const FORMS: &[&str] = &[
    "AG #", "EF #", "AF #", "EG #", "EX #", "AX #", "AG EF #", "EF AG #", "AF AG #", "AG AF #",
    "EG EF #", "EF EG #",
];

fn expression(dice: &mut Dice, count: usize, depth: usize) -> String {
    let inner = |dice: &mut Dice| expression(dice, count, depth - 1);
    match dice.below(if depth == 0 { 2 } else { 5 }) {
        0 => NAMES[dice.below(count)].to_owned(),
        1 => format!("!{}", NAMES[dice.below(count)]),
        2 => format!("({} & {})", inner(dice), inner(dice)),
        3 => format!("({} | {})", inner(dice), inner(dice)),
        _ => format!("!({} & {})", inner(dice), inner(dice)),
    }
}

fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    judged(sample.text()).unwrap_or_default()
}

fn judged(text: &str) -> Option<Vec<(String, Truth)>> {
    let mut lines = text.lines();
    (lines.next()? == "targets, factors").then_some(())?;
    let (mut factors, mut questions) = (Vec::new(), Vec::new());
    for line in lines {
        match line.strip_prefix("#check ") {
            Some(question) => questions.push(question.split_once(": ")?),
            None => {
                let (name, factor) = line.split_once(", ")?;
                (NAMES.get(factors.len()) == Some(&name)).then_some(())?;
                factors.push(factor);
            }
        }
    }
    let states = 1 << factors.len();
    let all = |text: &str| -> Option<Vec<bool>> {
        let value = |state| whole(text, state, factors.len());
        (0..states).map(value).collect()
    };
    let factors: Vec<Vec<bool>> = factors
        .iter()
        .map(|text| all(text))
        .collect::<Option<_>>()?;
    // A state in which nothing changes stays.
    let next = |state: usize| -> Vec<usize> {
        let changed = factors.iter().enumerate().filter_map(|(at, factor)| {
            (factor[state] != (state >> at & 1 == 1)).then_some(state ^ 1 << at)
        });
        let changed: Vec<usize> = changed.collect();
        match changed.is_empty() {
            true => vec![state],
            false => changed,
        }
    };
    let edges: Vec<Vec<usize>> = (0..states).map(next).collect();
    let mut truths = Vec::new();
    for (name, formula) in questions {
        let words: Vec<&str> = formula.split(' ').collect();
        let operators = words.iter().take_while(|word| is_operator(word)).count();
        let mut holds = all(&words[operators..].join(" "))?;
        for operator in words[..operators].iter().rev() {
            holds = apply(operator, &holds, &edges);
        }
        truths.push((name.to_owned(), Truth::of(holds.iter().all(|&holds| holds))));
    }
    Some(truths)
}

fn is_operator(word: &str) -> bool {
    matches!(word, "AG" | "EF" | "AF" | "EG" | "EX" | "AX")
}

fn apply(operator: &str, holds: &[bool], edges: &[Vec<usize>]) -> Vec<bool> {
    let all = operator.starts_with('A');
    let step = |set: &[bool]| -> Vec<bool> {
        let quantified = |next: &Vec<usize>| match all {
            true => next.iter().all(|&next| set[next]),
            false => next.iter().any(|&next| set[next]),
        };
        edges.iter().map(quantified).collect()
    };
    let mut set = holds.to_vec();
    if operator.ends_with('X') {
        return step(&set);
    }
    loop {
        let next = step(&set);
        let grown = set.iter().zip(&next).map(|(&now, &next)| {
            if operator.ends_with('F') {
                now || next
            } else {
                now && next
            }
        });
        let grown: Vec<bool> = grown.collect();
        if grown == set {
            return set;
        }
        set = grown;
    }
}

fn whole(text: &str, state: usize, count: usize) -> Option<bool> {
    let (value, rest) = value(text, state, count)?;
    rest.is_empty().then_some(value)
}

/// The value of an expression of the generated form at the beginning of a text, and the rest.
fn value(text: &str, state: usize, count: usize) -> Option<(bool, &str)> {
    if let Some(rest) = text.strip_prefix('!') {
        let (value, rest) = value(rest, state, count)?;
        return Some((!value, rest));
    }
    if let Some(rest) = text.strip_prefix('(') {
        let (left, rest) = value(rest, state, count)?;
        let and = rest.starts_with(" & ");
        let rest = rest.strip_prefix(" & ").or(rest.strip_prefix(" | "))?;
        let (right, rest) = value(rest, state, count)?;
        let value = if and { left && right } else { left || right };
        return Some((value, rest.strip_prefix(')')?));
    }
    let known = NAMES[..count]
        .iter()
        .position(|name| text.starts_with(name))?;
    Some((state >> known & 1 == 1, &text[1..]))
}
