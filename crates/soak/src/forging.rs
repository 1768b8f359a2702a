//! Forged evidence and changed bytes.

use quotient_core::{Claim, Evidence, Source};
use quotient_forger::forge as forgeries;
use quotient_language::{Ask, Input};
use quotient_workbench::read_evidence;

use crate::mutate::bytes;
use crate::tally::Class;
use crate::trial::Trial;

/// The most pieces of evidence of a trial that are forged.
const MOST_FORGED: usize = 6;

/// Forges the evidence of a trial: no false claim may be accepted.
pub(crate) fn forge(trial: &mut Trial<'_>, donors: &[Evidence]) {
    let genuine = trial.outcome.evidence.clone();
    let mut all = genuine.clone();
    all.extend(donors.iter().cloned());
    let skip = trial
        .dice
        .below(genuine.len().saturating_sub(MOST_FORGED) + 1);
    for evidence in genuine.iter().skip(skip).take(MOST_FORGED) {
        let seed = trial.dice.seed();
        let forged = forgeries(evidence, seed).with_donors(&all);
        for (forged, what) in forged.take(trial.limits.forgeries) {
            try_forgery(trial, &forged, evidence, &what.to_string());
        }
    }
}

fn try_forgery(trial: &mut Trial<'_>, forged: &Evidence, genuine: &Evidence, what: &str) {
    trial.outcome.tally.forged += 1;
    let claims = forged.claim == Claim::Holds;
    let property = forged.property.as_deref().unwrap_or_default();
    // With other settings it is another question, whose answer is not known here.
    let same = forged.settings == genuine.settings;
    let is_false = same && trial.is_false(claims, property);
    trial.outcome.tally.false_claims += u64::from(is_false);
    if let Some(Ok(())) = trial.certified(forged) {
        match is_false {
            true => {
                let detail = format!("{}: {what}", forged.kind);
                trial.find(Class::AcceptedForgery, detail, Some(forged));
            }
            false => trial.outcome.tally.accepted_true += 1,
        }
    }
}

/// Changes bytes of the files and of evidence: nothing may come of it but messages.
pub(crate) fn mutate(trial: &mut Trial<'_>) {
    for _ in 0..trial.limits.mutants {
        let mut sample = trial.sample.clone();
        let file = trial.dice.below(sample.files.len());
        let Some((name, text)) = sample.files.get(file).cloned() else {
            return;
        };
        let changed = bytes(text.as_bytes(), &mut trial.dice);
        sample.files[file].1 = String::from_utf8_lossy(&changed).into_owned();
        let mut request = sample.request(&[]);
        if file == 0 {
            request.input = Input::bytes(name, changed);
            // Half of them are to be recognised, too.
            request.language = request.language.filter(|_| trial.dice.chance(50));
        }
        let workbench = trial.workbench.clone();
        let ask = Ask {
            threads: Some(1),
            ..Ask::default()
        };
        trial.outcome.tally.mutants += 1;
        let before = trial.outcome.finds.len();
        trial.guarded("check of changed bytes", move |cx| {
            workbench.check(request, &ask, cx, |_| {}).is_ok()
        });
        for find in &mut trial.outcome.finds[before..] {
            find.detail = format!("{}\n{:?}", find.detail, sample.files[file]);
        }
    }
    let genuine = trial.outcome.evidence.clone();
    for evidence in genuine.iter().cycle().take(trial.limits.mutants) {
        let Ok(text) = serde_json::to_string(evidence) else {
            continue;
        };
        let changed = bytes(text.as_bytes(), &mut trial.dice);
        let changed = String::from_utf8_lossy(&changed).into_owned();
        trial.outcome.tally.mutants += 1;
        let read = trial.guarded("evidence of changed bytes", {
            let changed = changed.clone();
            move |cx| read_evidence(&Source::new("evidence.json", changed.as_str()), &cx.budget)
        });
        if let Some(Ok(all)) = read {
            for forged in all.iter().take(2) {
                try_forgery(trial, forged, evidence, "changed bytes");
            }
        }
    }
}
