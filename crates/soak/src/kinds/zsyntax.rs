//! Pathways, and what is true of them by firing every reaction in everything that comes about.

use std::collections::BTreeSet;

use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth};
use crate::sample::Sample;

pub(crate) const KIND: Kind = Kind {
    language: "zsyntax",
    generate,
    ways: |_, _| Vec::new(),
    instance: Instance::None,
    judge,
};

/// None is called as an operator of formulas is.
const SPECIES: [&str; 4] = ["Pa", "Pb", "Pc", "Pd"];
/// More aggregates are not looked at by the judge.
const MOST: usize = 2_000;

/// An amount of each species.
type Amounts = [u64; 4];

fn amounts(dice: &mut Dice, most: usize) -> Amounts {
    let mut amounts = [0; 4];
    for _ in 0..dice.within(1, most) {
        amounts[dice.below(4)] += 1;
    }
    amounts
}

fn written(amounts: &Amounts) -> String {
    let each = SPECIES.iter().zip(amounts).filter(|(_, many)| **many > 0);
    let each: Vec<String> = each.map(|(name, many)| format!("{many} {name}")).collect();
    each.join(" & ")
}

fn formula(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 || dice.chance(20) {
        let species = dice.pick(&SPECIES);
        return match dice.below(5) {
            0 => "ended".to_owned(),
            1 => format!("{species} = {}", dice.below(3)),
            2 => format!("{species} >= {}", dice.within(1, 3)),
            _ => species.to_owned(),
        };
    }
    let (left, right) = (formula(dice, depth - 1), formula(dice, depth - 1));
    match dice.below(8) {
        0 => format!("!({left})"),
        1 => format!("(({left}) & ({right}))"),
        2 => format!("(({left}) -> ({right}))"),
        3 => format!("X ({left})"),
        4 => format!("F ({left})"),
        5 => format!("G ({left})"),
        6 => format!("G F ({left})"),
        _ => format!("(({left}) U ({right}))"),
    }
}

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let mut text = format!("start {}\n", written(&amounts(dice, 3 + size)));
    for number in 0..dice.within(1, 3 + size) {
        let (taken, given) = (amounts(dice, 3), amounts(dice, 3));
        text += &format!("r{number}: {} -> {}\n", written(&taken), written(&given));
    }
    for number in 0..dice.within(1, 3) {
        let target = written(&amounts(dice, 3));
        text += &match dice.below(4) {
            0 => format!("can q{number}: {target}\n"),
            1 => format!("never q{number}: {target}\n"),
            _ => format!("ltl q{number}: {}\n", formula(dice, 2)),
        };
    }
    Sample::of("zsyntax", "model.zs", text)
}

/// The amounts of a line as it was written; nothing for others.
fn read(text: &str) -> Option<Amounts> {
    let mut amounts = [0; 4];
    for part in text.split('&') {
        let (many, name) = part.trim().split_once(' ')?;
        let at = SPECIES.iter().position(|one| *one == name)?;
        amounts[at] += many.parse::<u64>().ok()?;
    }
    Some(amounts)
}

fn contains(all: &Amounts, part: &Amounts) -> bool {
    all.iter().zip(part).all(|(all, part)| all >= part)
}

/// All aggregates that come about; nothing if there are too many, or a line is not ours.
fn reached(text: &str) -> Option<BTreeSet<Amounts>> {
    let start = text.lines().find_map(|line| line.strip_prefix("start "))?;
    let mut reactions = Vec::new();
    for line in text.lines().filter(|line| line.contains("->")) {
        if line.starts_with("ltl ") {
            continue;
        }
        let (_, reaction) = line.split_once(": ")?;
        let (taken, given) = reaction.split_once("->")?;
        reactions.push((read(taken)?, read(given)?));
    }
    let mut found = BTreeSet::new();
    let mut waiting = vec![read(start)?];
    while let Some(one) = waiting.pop() {
        if !found.insert(one) {
            continue;
        }
        if found.len() > MOST {
            return None;
        }
        for (taken, given) in &reactions {
            if contains(&one, taken) {
                waiting.push(std::array::from_fn(|at| one[at] - taken[at] + given[at]));
            }
        }
    }
    Some(found)
}

fn judge(sample: &Sample) -> Vec<(String, Truth)> {
    let Some(found) = reached(sample.text()) else {
        return Vec::new();
    };
    let mut truths = Vec::new();
    for line in sample.text().lines() {
        let Some((asked, target)) = line.split_once(": ") else {
            continue;
        };
        let Some((kind, name)) = asked.rsplit_once(' ') else {
            continue;
        };
        let Some(target) = read(target) else {
            continue;
        };
        let can = found.iter().any(|one| contains(one, &target));
        let holds = match kind {
            "can" => can,
            "never" => !can,
            _ => continue,
        };
        truths.push((name.to_owned(), Truth::of(holds)));
    }
    truths
}
