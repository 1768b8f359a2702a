//! Evidence for a table: that of each run, one for each value of the constants.

use quotient_certify::Certified;
use quotient_core::{Claim, Evidence, Rejection, Verdict};
use quotient_language::{Answer, text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The kind of evidence that has evidence of each run.
pub(crate) const KIND: &str = "chance-table";

/// Longer evidence would take too long to be read again.
const MOST_BYTES: usize = 1 << 26;
/// What was found about so many runs is told; of more only how many there are.
const MOST_TOLD: usize = 100;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// In the order of the runs, the last constant changing first.
    runs: Vec<OfRun>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfRun {
    claim: Claim,
    kind: String,
    body: Value,
}

/// The values of all constants in one run.
type Given = [(String, String)];

/// The evidence of all answers as one, if each has some and all of it is not too long.
pub(crate) fn written(answers: &[Answer], verdict: &Verdict) -> Option<Evidence> {
    let mut runs = Vec::new();
    let mut bytes = 0;
    for answer in answers {
        let evidence = answer.evidence.as_ref()?;
        bytes += length(&evidence.body);
        if !answer.verdict.is_definite() || bytes > MOST_BYTES {
            return None;
        }
        runs.push(OfRun {
            claim: evidence.claim,
            kind: evidence.kind.clone(),
            body: evidence.body.clone(),
        });
    }
    let table = Table { runs };
    match verdict {
        Verdict::Holds => Some(Evidence::of_holds(KIND, &table)),
        Verdict::Violated => Some(Evidence::of_violated(KIND, &table)),
        Verdict::Unknown(_) => None,
    }
}

/// About how long a value is when it is written.
fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(all) => all.iter().map(|one| 1 + length(one)).sum::<usize>() + 2,
        Value::Object(all) => {
            let each = all.iter().map(|(name, one)| name.len() + 4 + length(one));
            each.sum::<usize>() + 2
        }
        _ => 8,
    }
}

/// Checks the evidence of each run by itself, and that their claims make that of the table: it holds if
/// all do, and is violated if one is.
pub(crate) fn certify(
    name: &str,
    runs: &[Vec<(String, String)>],
    evidence: &Evidence,
    mut one: impl FnMut(&Given, &Evidence) -> Result<Certified, Rejection>,
) -> Result<Certified, Rejection> {
    if evidence.kind != KIND {
        return Err(Rejection::unreadable(
            "such evidence is about one value of each constant",
        ));
    }
    let table: Table = evidence
        .read()
        .map_err(|error| Rejection::unreadable(format!("no table of evidence: {error}")))?;
    if table.runs.len() != runs.len() {
        return Err(Rejection::wrong(format!(
            "there is evidence of {}, and the constants make {}",
            text::count(table.runs.len(), "run"),
            text::count(runs.len(), "run"),
        )));
    }
    let all_hold = table.runs.iter().all(|run| run.claim == Claim::Holds);
    if all_hold != (evidence.claim == Claim::Holds) {
        return Err(Rejection::wrong(
            "what the runs show is not what is claimed about all of them",
        ));
    }
    let changes = |at: usize| runs.iter().any(|run| run[at].1 != runs[0][at].1);
    let mut facts = vec![format!(
        "{}, one for each value of the constants, each checked by itself",
        text::count(runs.len(), "run")
    )];
    for (given, run) in runs.iter().zip(table.runs) {
        let values: Vec<String> = (0..given.len())
            .filter(|&at| changes(at))
            .map(|at| format!("{}={}", given[at].0, given[at].1))
            .collect();
        let values = values.join(", ");
        let of_run = match run.claim {
            Claim::Holds => Evidence::of_holds(&run.kind, &run.body),
            Claim::Violated => Evidence::of_violated(&run.kind, &run.body),
        };
        let certified = one(given, &of_run.about(name)).map_err(|why| within(&values, why))?;
        if runs.len() <= MOST_TOLD {
            facts.push(format!("{values}: {}", certified.facts.join("; ")));
        }
    }
    Ok(Certified {
        property: name.to_owned(),
        facts,
    })
}

/// A refusal that says which run it is about.
fn within(values: &str, why: Rejection) -> Rejection {
    match why {
        Rejection::Wrong(text) => Rejection::wrong(format!("{values}: {text}")),
        Rejection::Unreadable(text) => Rejection::unreadable(format!("{values}: {text}")),
        stopped => stopped,
    }
}
