//! The flower network of `examples/states`, followed state by state.

use std::collections::BTreeMap;

/// The genes in the order of the models.
pub(crate) const GENES: [&str; 15] = [
    "AP3", "UFO", "FUL", "FT", "AP1", "EMF1", "LFY", "AP2", "WUS", "AG", "LUG", "CLF", "TFL1",
    "PI", "SEP",
];

/// The highest level of every gene.
pub(crate) type Levels = [u8; 15];
pub(crate) const BOOLEAN: Levels = [1; 15];
pub(crate) const LEVELS: Levels = [2, 1, 2, 1, 2, 1, 2, 1, 1, 2, 1, 1, 2, 2, 1];

/// What all genes do at once, as truth values.
fn rules(on: [bool; 15]) -> [bool; 15] {
    let [
        ap3,
        ufo,
        _ful,
        ft,
        ap1,
        emf1,
        lfy,
        ap2,
        wus,
        ag,
        lug,
        clf,
        tfl1,
        pi,
        sep,
    ] = on;
    // Once AP3 and PI are there, they keep each other up with SEP and either AP1 or AG.
    let kept = ap3 && pi && sep && (ap1 || ag);
    let repressed = ap1 && ap2 && lug && clf && !wus;
    [
        kept || (lfy && ufo),
        ufo,
        !(ap1 || tfl1),
        !emf1,
        !ag && (!tfl1 || lfy || ft),
        !lfy,
        !tfl1 || !emf1,
        !tfl1,
        wus && (!sep || !ag),
        (lfy && (!repressed || (ag && sep))) || !(ap2 || tfl1),
        true,
        true,
        emf1 && !(ap1 || lfy),
        kept || (lfy && (ap3 || ag)),
        lfy,
    ]
}

/// The states that are never left, with the number of states that lead there. Where a gene is
/// knocked out, it is off in every state.
pub(crate) fn basins(levels: Levels, knocked_out: Option<&str>) -> BTreeMap<String, usize> {
    let mut states = vec![[0u8; 15]];
    for gene in 0..15 {
        let highest = match knocked_out == Some(GENES[gene]) {
            true => 0,
            false => levels[gene],
        };
        let with = |state: [u8; 15]| {
            (0..=highest).map(move |level| {
                let mut state = state;
                state[gene] = level;
                state
            })
        };
        states = states.into_iter().flat_map(with).collect();
    }
    let next = |state: [u8; 15]| -> [u8; 15] {
        let active = rules(state.map(|level| level > 0));
        std::array::from_fn(|gene| match knocked_out == Some(GENES[gene]) {
            true => 0,
            false => u8::from(active[gene]) * levels[gene],
        })
    };
    let mut basins = BTreeMap::new();
    for state in states {
        // Longer than the longest way to rest; what still moves then goes round for ever.
        let end = (0..40).fold(state, |state, _| next(state));
        if next(end) == end {
            let digits = end.map(|level| level.to_string()).concat();
            *basins.entry(digits).or_default() += 1;
        }
    }
    basins
}
