//! A short soak of all languages, and what earlier ones found.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quotient_language::Input;
use quotient_soak::{KINDS, Limits, Plan, Sample, again, generate, soak, trial};
use quotient_workbench::Workbench;

#[test]
fn ten_seconds_find_nothing() -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan {
        time: Duration::from_secs(10),
        seed: 20_261_116,
        only: None,
        mutants: false,
        folder: folder.path().to_owned(),
        program: PathBuf::from(env!("CARGO_BIN_EXE_quotient-soak")),
    };
    let mut said = Vec::new();
    let mut run = || soak(&plan, &mut |line| said.push(line.to_owned())).unwrap();
    let mut summary = run();
    // Whoever shares the machine may take time from us once; what takes too long does so again.
    if summary.total.finds() == summary.total.overruns && summary.total.overruns > 0 {
        summary = run();
    }
    // The soak collects what panics say, so this is no panic.
    if summary.total.finds() > 0 {
        for found in std::fs::read_dir(folder.path()).unwrap().flatten() {
            said.extend(std::fs::read_to_string(found.path().join("find.json")));
        }
        return Err(said.join("\n"));
    }
    assert!(summary.total.models > 0);
    let written = std::fs::read_to_string(folder.path().join("summary.json")).unwrap();
    assert!(written.contains("\"accepted_forgeries\": 0"), "{written}");
    Ok(())
}

#[test]
fn what_was_found_is_not_found_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("finds");
    let mut kept: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|all| all.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    kept.sort();
    for path in kept.iter().filter(|path| path.extension().is_some()) {
        let outcome = again(path, 7).unwrap();
        assert!(outcome.finds.is_empty(), "{path:?}: {:?}", outcome.finds);
    }
}

#[test]
fn generators_write_texts_of_their_languages() {
    let workbench = Workbench::standard();
    for kind in KINDS {
        let about = workbench.named(kind.language).unwrap().about();
        let opened = (0..40).filter(|&seed| {
            let sample = generate(about, seed, 2);
            let input = Input::bytes(sample.files[0].0.clone(), sample.text().into());
            let cx = quotient_core::Context::default();
            workbench
                .recognise(&input)
                .is_ok_and(|one| one.about().id == about.id)
                && workbench
                    .open(
                        &mut sample.request(&[]),
                        quotient_language::Verb::Check,
                        &cx,
                    )
                    .is_ok()
        });
        let opened = opened.count();
        assert!(
            opened >= 25,
            "{}: only {opened} of 40 were opened",
            kind.language
        );
    }
}

#[test]
fn a_wrong_answer_would_be_found() {
    // The judge reads the text by itself: a net whose property file says something else than the
    // words that the judge reads would be a disagreement.
    let limits = Limits {
        forgeries: 2,
        mutants: 0,
        ..Limits::default()
    };
    let sample = Sample::of("aiger", "a.aag", "aag 1 0 1 0 0 1 0 0 0\n2 3\n2\n");
    let outcome = trial(&sample, 1, &limits, &[]);
    assert!(outcome.finds.is_empty(), "{:?}", outcome.finds);
    assert!(outcome.tally.judged > 0 && outcome.tally.compared > 0);
    assert!(outcome.tally.certified > 0 && outcome.tally.forged > 0);
}

#[test]
fn no_forgery_about_progress_of_words_is_accepted() {
    let workbench = Workbench::standard();
    let about = workbench.named("words").unwrap().about();
    let limits = Limits {
        forgeries: 30,
        mutants: 0,
        ..Limits::default()
    };
    let live = (0..400).map(|seed| (seed, generate(about, seed, 1)));
    let live = live.filter(|(_, sample)| sample.settings.iter().any(|one| one.0 == "liveness"));
    let (mut certified, mut forged) = (0, 0);
    for (seed, sample) in live.take(12) {
        let outcome = trial(&sample, seed, &limits, &[]);
        assert!(outcome.finds.is_empty(), "{sample:?}: {:?}", outcome.finds);
        certified += outcome.tally.certified;
        forged += outcome.tally.false_claims;
    }
    assert!(certified > 0 && forged > 50, "{certified} and {forged}");
}
