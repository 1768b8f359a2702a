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
    let text = match dice.below(5) {
        0 => random::one_by_one(own),
        1 => random::progress(own),
        _ => random::protocol(own),
    };
    Sample::of("protocol", "model.protocol", text)
}
