//! Every kind of evidence is forged, with claims that are false by construction.
//!
//! A case is a few variants of one model: the right one and faulty ones, with other constants, another start, a step more or
//! less. Each piece of evidence about one variant is shown to all others of which its claim is not true: as it is, with the
//! envelope made to fit, and in many forgeries (parts dropped, doubled, idled, renamed, exchanged, merged, moved by one,
//! widened, taken from evidence about the opposite). The kinds are found in the sources: a new one without a case fails.

mod attack;
mod cases;
mod kinds;

use std::collections::BTreeMap;

use attack::{Case, Seen, attack};

/// The fewest false claims that must have been tried of each kind, and in how many of them the model was another one.
const FEWEST: usize = 60;

/// What came of the cases of some languages; each of them names the kinds that it is there for.
fn all_refused(cases: Vec<Case>) {
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    for case in &cases {
        for (kind, more) in attack(case) {
            seen.entry(kind).or_default().add(more);
        }
    }
    for kind in cases.iter().flat_map(|case| case.kinds) {
        let of = seen.get(*kind).copied().unwrap_or_default();
        assert!(
            of.genuine > 0,
            "there is no genuine evidence of kind {kind}"
        );
        assert!(of.elsewhere > 0, "{kind} was shown to no other model");
        assert!(of.forged >= FEWEST, "{kind}: {} forgeries", of.forged);
    }
}

#[test]
fn evidence_about_components_shows_nothing_false() {
    all_refused(cases::components::all());
}

#[test]
fn evidence_about_nets_shows_nothing_false() {
    all_refused(cases::nets::all());
}

#[test]
fn evidence_about_states_shows_nothing_false() {
    all_refused(cases::states::all());
}

#[test]
fn evidence_about_circuits_shows_nothing_false() {
    all_refused(cases::circuits::all());
}

#[test]
fn evidence_about_chances_shows_nothing_false() {
    all_refused(cases::chances::all());
}

#[test]
fn evidence_about_words_trees_and_arrays_shows_nothing_false() {
    all_refused(cases::words::all());
}

#[test]
fn evidence_about_programs_shows_nothing_false() {
    all_refused(cases::programs::all());
}

#[test]
fn evidence_about_logics_and_pathways_shows_nothing_false() {
    all_refused(cases::logics::all());
}

#[test]
fn every_kind_of_evidence_is_forged_and_explained() {
    let tried: Vec<&str> = cases::all()
        .iter()
        .flat_map(|case| case.kinds.iter().copied())
        .collect();
    let declared = kinds::declared();
    assert!(declared.len() > 80, "{} kinds were found", declared.len());
    for (kind, file) in &declared {
        assert!(
            tried.contains(&kind.as_str()),
            "{kind} ({file}) is not forged: it needs a case"
        );
    }
    for kind in tried {
        assert!(
            declared.contains_key(kind),
            "{kind} is forged and nowhere declared"
        );
    }
    let explained = kinds::explained();
    for kind in declared.keys() {
        assert!(
            explained.contains(&format!("`{kind}`")),
            "docs/trust.md does not say what {kind} shows"
        );
    }
}
