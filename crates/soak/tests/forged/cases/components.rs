//! Components in FSP.

use serde_json::{Value, json};

use crate::attack::Case;

/// A clock, a lamp, and one who may stop the lamp for ever.
const LAMP: &str = "CLOCK = (tick -> tock -> CLOCK).
LAMP = (on -> off -> LAMP).
HALT = (on -> HALT | tick -> DONE), DONE = (tick -> DONE).
||S = (CLOCK || LAMP || HALT).
||T = (HALT || LAMP || CLOCK).
progress P = {on}
assert L = [](tick -> <> on)
";

/// Workers who now and then ask a clerk.
const WORKERS: &str = "const N = 3
range ID = 0..N-1
W = (work -> rest -> think -> ask -> get -> put -> W).
CLERK = (ask[i:ID] -> get[i] -> put[i] -> CLERK).
property MUTEX = (w[i:ID].get -> w[i].put -> MUTEX).
||S = (forall [i:ID] w[i]:W || MUTEX
  || CLERK/{forall [i:ID] {w[i].ask/ask[i], w[i].get/get[i], w[i].put/put[i]}}).
";

/// Nobody can move; the lamp is never stopped; it cannot go on again.
const FAULTS: [(&str, &str); 2] = [
    ("DONE = (tick -> DONE)", "DONE = STOP"),
    ("tick -> DONE)", "tick -> HALT)"),
];

pub(crate) fn all() -> Vec<Case> {
    let chosen = &[("system", "S")];
    let compared = &[("system", "S"), ("against", "#T")];
    let by_traces = &[("system", "S"), ("against", "#T"), ("up-to", "traces")];
    let game = &[("system", "S"), ("mu", "[true*]<true*><on>true")];
    let others = [
        FAULTS[1],
        ("||T = (HALT || LAMP", "||T = (LAMP"),
        ("LAMP = (on -> off", "LAMP = (on -> on -> off"),
    ];
    let careless = [
        (
            "get[i] -> put[i] -> CLERK",
            "get[i] -> CLERK | put[ID] -> CLERK",
        ),
        (
            "(ask[i:ID] -> get[i] -> put[i] -> CLERK)",
            "(ask[i:ID] -> CLERK | get[i:ID] -> CLERK | put[ID] -> CLERK)",
        ),
    ];
    vec![
        Case::new("lamp.lts", LAMP, &FAULTS)
            .settings(chosen)
            .kinds(&[
                "components-explored",
                "components-lasso",
                "components-trace",
                "components-stubborn",
                "components-reduced",
                "components-diagram",
                "components-aggregated",
                "components-doomed",
            ])
            .written(0, "no deadlock", "components-stubborn", stubborn)
            .written(0, "no deadlock", "components-diagram", diagram)
            .written(0, "no deadlock", "components-aggregated", aggregated)
            .written(0, "L", "components-doomed", doomed)
            .written(2, "P", "components-reduced", reduced)
            .written(2, "P", "components-stubborn", asked_alone),
        Case::new("lamp.lts", LAMP, &FAULTS)
            .settings(game)
            .asked(&["[true*]<true*><on>true"])
            .kinds(&["components-game"]),
        Case::new("lamp.lts", LAMP, &others)
            .settings(compared)
            .kinds(&["components-same", "components-different"]),
        Case::new("lamp.lts", LAMP, &others)
            .settings(by_traces)
            .kinds(&["components-same", "components-different"]),
        Case::new("workers.lts", WORKERS, &careless)
            .kinds(&["components-assumption", "components-trace"]),
    ]
}

/// All events are followed everywhere.
fn stubborn(given: &Value) -> Value {
    json!({ "system": given["system"], "sought": given["sought"], "sticky": [1, 2, 3, 4] })
}

fn asked_alone(given: &Value) -> Value {
    json!({ "system": given["system"], "sought": given["sought"] })
}

/// Every combination of states.
fn diagram(given: &Value) -> Value {
    json!({
        "system": given["system"], "sought": given["sought"], "order": [0, 1, 2],
        "nodes": [[[0, 0], [1, 0]], [[0, 1], [1, 1]], [[0, 2], [1, 2]]],
    })
}

/// All at once become one that is busy for ever.
fn aggregated(given: &Value) -> Value {
    let small =
        json!({ "name": "all", "states": 1, "initial": 0, "alphabet": [], "edges": [[0, 0, 0]] });
    json!({
        "system": given["system"], "watchers": [],
        "steps": [{ "parts": [0, 1, 2], "small": small }],
    })
}

/// After the first step of the way the lamp never goes on.
fn doomed(given: &Value) -> Value {
    json!({
        "system": given["system"], "sought": given["sought"], "part": 0,
        "initial": given["initial"], "way": [given["way"][0]], "steps": [[0, 1], [2, 3]],
    })
}

fn reduced(given: &Value) -> Value {
    json!({ "system": given["system"], "sought": given["sought"], "steps": [[0, 1], [2, 3]] })
}
