//! Models in SMV.

use crate::dice::Dice;
use crate::kind::{Instance, Kind, Truth};
use crate::sample::Sample;

/// The random models of the language's own tests.
#[path = "../../../lang/smv/tests/random/mod.rs"]
mod random;

pub(crate) const KIND: Kind = Kind {
    language: "smv",
    generate,
    ways: |_, _| Vec::new(),
    instance: Instance::Whole,
    judge: |_| -> Vec<(String, Truth)> { Vec::new() },
};

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let own = &mut random::Random(dice.seed());
    let mut text = random::model_with_condition(own, 12 + 12 * size);
    text += "\n";
    if dice.chance(25) {
        text += &format!("FAIRNESS {}\n", dice.pick(ATOMS));
    }
    if dice.chance(10) {
        text += &format!("COMPASSION ({}, {})\n", dice.pick(ATOMS), dice.pick(ATOMS));
    }
    for _ in 0..dice.within(1, 4) {
        text += &match dice.below(4) {
            0 => format!("INVARSPEC {}\n", boolean(dice, 2)),
            1 | 2 => format!("CTLSPEC {}\n", branching(dice, 3)),
            _ => format!("LTLSPEC {}\n", linear(dice, 3)),
        };
    }
    Sample::of("smv", "model.smv", text)
}

/// What every random model has.
const ATOMS: &[&str] = &["d1", "!d1", "d0 > 0", "d0 = 1", "d0 != 0", "TRUE"];

fn boolean(dice: &mut Dice, depth: usize) -> String {
    match (depth, dice.below(4)) {
        (0, _) | (_, 0) => format!("({})", dice.pick(ATOMS)),
        (_, 1) => format!("!{}", boolean(dice, depth - 1)),
        _ => {
            let operator = dice.pick(&["&", "|", "->", "<->"]);
            let (left, right) = (boolean(dice, depth - 1), boolean(dice, depth - 1));
            format!("({left} {operator} {right})")
        }
    }
}

fn branching(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return boolean(dice, 1);
    }
    let inner = |dice: &mut Dice| branching(dice, depth - 1);
    match dice.below(8) {
        0..=3 => {
            let operator = dice.pick(&["AG", "EF", "AF", "EG", "AX", "EX"]);
            format!("{operator} {}", inner(dice))
        }
        4 => {
            let path = dice.pick(&["A", "E"]);
            format!("{path} [{} U {}]", inner(dice), inner(dice))
        }
        5 => format!("!({})", inner(dice)),
        6 => {
            let operator = dice.pick(&["&", "|", "->"]);
            format!("(({}) {operator} ({}))", inner(dice), inner(dice))
        }
        _ => boolean(dice, 1),
    }
}

fn linear(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return boolean(dice, 1);
    }
    let inner = |dice: &mut Dice| linear(dice, depth - 1);
    match dice.below(8) {
        0..=3 => {
            let operator = dice.pick(&["G", "F", "X", "G F", "F G", "O", "H", "Y"]);
            format!("{operator} ({})", inner(dice))
        }
        4 => {
            let operator = dice.pick(&["U", "V", "S"]);
            format!("(({}) {operator} ({}))", inner(dice), inner(dice))
        }
        5 => format!("!({})", inner(dice)),
        6 => {
            let operator = dice.pick(&["&", "|", "->"]);
            format!("(({}) {operator} ({}))", inner(dice), inner(dice))
        }
        _ => boolean(dice, 1),
    }
}
