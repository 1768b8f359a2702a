//! Processes and their composition.

use crate::dice::Dice;
use crate::kind::{Instance, Kind, way};
use crate::sample::{Given, Sample};
use quotient_language::About;

pub(crate) const KIND: Kind = Kind {
    language: "fsp",
    generate,
    ways,
    instance: Instance::Whole,
    judge: |_| Vec::new(),
};

fn ways(_: &About, dice: &mut Dice) -> Vec<Given> {
    let rule = dice.pick(&["asymmetric", "circular", "symmetric"]);
    let alphabet = dice.pick(&["whole", "backward", "forward", "all-difference", "empty"]);
    let mut ways = vec![way(&[("monolithic", "")]), way(&[("rule", rule)])];
    let learned = dice.pick(&["lsharp", "lstar"]);
    ways.push(match dice.below(4) {
        0 => way(&[("abstract", "")]),
        1 => way(&[("weakest", "")]),
        2 => way(&[("rule", rule), ("learn", learned), ("alphabet", alphabet)]),
        _ => way(&[("learn", learned), ("components", "halves")]),
    });
    ways
}

const ACTIONS: &[&str] = &["a", "b", "c", "d"];

fn generate(dice: &mut Dice, size: usize) -> Sample {
    let count = dice.within(1, 2 + size.min(2));
    let mut text = String::new();
    let mut parts: Vec<String> = Vec::new();
    for number in 0..count {
        let name = format!("P{number}");
        text += &process(dice, &name, size);
        parts.push(match dice.below(8) {
            0 => format!("x:{name}"),
            1 => format!("{{x, y}}::{name}"),
            2 => format!("{name}/{{{}/{}}}", dice.pick(ACTIONS), dice.pick(ACTIONS)),
            _ => name,
        });
    }
    if dice.chance(15) {
        parts[0] = "forall [i:0..1] w[i]:P0".to_owned();
    }
    if dice.chance(75) {
        text += &property(dice, "SAFE");
        parts.push("SAFE".to_owned());
    }
    if dice.chance(20) {
        text += &property(dice, "ALSO");
        parts.push("ALSO".to_owned());
    }
    let mut system = format!("||SYSTEM = ({})", parts.join(" || "));
    match dice.below(8) {
        0 => system += &format!(" << {{{}}}", dice.pick(ACTIONS)),
        1 => system += &format!(" >> {{{}}}", dice.pick(ACTIONS)),
        2 => system += &format!(" \\ {{{}}}", dice.pick(ACTIONS)),
        3 => system += &format!(" @ {{{}, {}}}", dice.pick(ACTIONS), dice.pick(ACTIONS)),
        _ => {}
    }
    text += &format!("{system}.\n");
    if dice.chance(25) {
        text += &format!("progress GOES = {{{}}}\n", dice.pick(ACTIONS));
    }
    if dice.chance(15) {
        let (on, then) = (dice.pick(ACTIONS), dice.pick(ACTIONS));
        text += &format!("progress IF = if {{{on}}} then {{{then}}}\n");
    }
    if dice.chance(30) {
        let (on, off) = (dice.pick(ACTIONS), dice.pick(ACTIONS));
        if on != off {
            text += &format!("fluent F = <{{{on}}}, {{{off}}}>\n");
            text += &format!("assert A = {}\n", formula(dice, 2));
        }
    }
    Sample::of("fsp", "model.lts", text)
}

fn process(dice: &mut Dice, name: &str, size: usize) -> String {
    let states = dice.within(1, 2 + size.min(3));
    let mut text = format!("{name} = Q0");
    for state in 0..states {
        let arrows: Vec<String> = (0..dice.within(1, 3))
            .map(|_| {
                let mut labels = dice.pick(ACTIONS).to_owned();
                if dice.chance(20) {
                    labels += &format!(" -> {}", dice.pick(ACTIONS));
                }
                let to = match dice.below(24) {
                    0 => "STOP".to_owned(),
                    1 => "END".to_owned(),
                    2 => "ERROR".to_owned(),
                    _ => format!("Q{}", dice.below(states)),
                };
                format!("{labels} -> {to}")
            })
            .collect();
        text += &format!(",\nQ{state} = ({})", arrows.join(" | "));
    }
    let extra = match dice.chance(25) {
        true => format!(" + {{{}}}", dice.pick(ACTIONS)),
        false => String::new(),
    };
    format!("{text}{extra}.\n")
}

/// Properties are deterministic.
fn property(dice: &mut Dice, name: &str) -> String {
    let states = dice.within(1, 3);
    let mut text = format!("property {name} = S0");
    for state in 0..states {
        let mut arrows = Vec::new();
        for action in ACTIONS {
            if dice.chance(45) {
                arrows.push(format!("{action} -> S{}", dice.below(states)));
            }
        }
        if arrows.is_empty() {
            arrows.push("a -> S0".to_owned());
        }
        text += &format!(",\nS{state} = ({})", arrows.join(" | "));
    }
    text + ".\n"
}

fn formula(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return dice.pick(&["F", "a", "b", "!F", "c"]).to_owned();
    }
    let inner = |dice: &mut Dice| formula(dice, depth - 1);
    match dice.below(7) {
        0 | 1 => format!("[]({})", inner(dice)),
        2 | 3 => format!("<>({})", inner(dice)),
        4 => format!("(({}) -> ({}))", inner(dice), inner(dice)),
        5 => format!("(({}) U ({}))", inner(dice), inner(dice)),
        _ => format!("X({})", inner(dice)),
    }
}
