//! Protocols.

use super::words::methods;
use crate::dice::Dice;
use crate::kind::{Instance, Kind};
use crate::sample::Sample;

/// The random protocols of the language's own tests.
#[path = "../../../lang/protocol/tests/random/mod.rs"]
mod random;

pub(crate) const KIND: Kind = Kind {
    language: "protocol",
    generate,
    ways: methods,
    instance: Instance::Below(&[("processes", "1"), ("processes", "2"), ("processes", "3")]),
    judge: |_| Vec::new(),
};

fn generate(dice: &mut Dice, _: usize) -> Sample {
    let own = &mut random::Random::new(dice.seed());
    let text = match dice.below(9) {
        0 => random::one_by_one(own),
        1 => random::progress(own),
        2 => random::crowd(own),
        3 => random::with_faults(&random::protocol(own), dice.seed()),
        4 => random::with_sums(&random::protocol(own), dice.seed()),
        5 | 6 => tree(dice),
        _ => random::protocol(own),
    };
    Sample::of("protocol", "model.protocol", text)
}

/// Processes in a tree, with steps of one alone and with one of its children.
fn tree(dice: &mut Dice) -> String {
    let mut text = "topology tree\nprocess {\n    location a, b, d\n    f : bool = false\n}\n\
                    initially forall p: p.at = a and not p.f\n"
        .to_owned();
    let alone = [
        "leaf", "not leaf", "root", "not root", "f", "not f", "at = a", "at = b",
    ];
    let beside = ["c.f", "not c.f", "c.at = a", "c.at = b", "c.at = d"];
    let own = ["at := a", "at := b", "at := d", "f := true", "f := false"];
    let childs = [
        "c.at := a",
        "c.at := b",
        "c.at := d",
        "c.f := true",
        "c.f := false",
    ];
    for number in 0..dice.within(1, 4) {
        let (first, second) = (dice.pick(&alone), dice.pick(&alone));
        let set = dice.pick(&own);
        text += &match dice.chance(60) {
            true => {
                let (looks, sets) = (dice.pick(&beside), dice.pick(&childs));
                format!(
                    "step s{number} with child c: when {first} and {second} and {looks} then {set}, {sets}\n"
                )
            }
            false => format!("step s{number}: when {first} and {second} then {set}\n"),
        };
    }
    text += match dice.below(4) {
        0 => "property q: never exists p, q: p.at = d and q.at = d\n",
        1 => "property q: never exists p: p.at = d and not p.f\n",
        2 => "property q: never exists p, q: p.f and q.at = d\n",
        _ => "property q: never exists p, q: p.at = b and q.at = d\n",
    };
    text
}
