//! Pathways that several tests use.

use quotient_language::Model;
use quotient_testkit::language::Tested;
use quotient_trial::arbitrary::{Result as Made, Unstructured};
use quotient_zsyntax::LANGUAGE;

pub(crate) const ZSYNTAX: Tested = Tested::new(LANGUAGE, "p.zs");

pub(crate) fn open(text: &str) -> Box<dyn Model> {
    ZSYNTAX.open(text)
}

pub(crate) const REACTIONS: &str = "Glc * HK -> HK*Glc\nHK*Glc*ATP -> HK & G6P & ADP\nG6P * GPI -> F6P & GPI\nF6P * PFK -> PFK*F6P\nPFK*F6P*ATP -> PFK & F16P & ADP\n";

/// What reacts and what comes of it.
pub(crate) type Sides = ([u64; 3], [u64; 3]);

pub(crate) fn random(u: &mut Unstructured<'_>) -> Made<([u64; 3], Vec<Sides>)> {
    let side = |u: &mut Unstructured<'_>, least: u64| -> Made<[u64; 3]> {
        let mut all = [0; 3];
        for number in &mut all {
            *number = u.int_in_range(0..=1)?;
        }
        all[u.int_in_range(0..=2)?] += least;
        Ok(all)
    };
    let start = [
        u.int_in_range(0..=3)?,
        u.int_in_range(0..=2)?,
        u.int_in_range(0..=2)?,
    ];
    let mut reactions = Vec::new();
    for _ in 0..u.int_in_range(1..=3)? {
        reactions.push((side(u, 1)?, side(u, 1)?));
    }
    Ok((start, reactions))
}

pub(crate) fn written(amounts: [u64; 3]) -> String {
    let all = ["A", "B", "C"]
        .iter()
        .zip(amounts)
        .filter(|(_, number)| *number > 0);
    let all: Vec<String> = all
        .map(|(name, number)| format!("{number} {name}"))
        .collect();
    all.join(" & ")
}
