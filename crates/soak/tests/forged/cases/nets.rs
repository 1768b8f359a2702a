//! Petri nets.

use serde_json::{Value, json};

use crate::attack::Case;

const MUTEX: &str = "net mutex
pl lock (1)
pl idle1 (1)
pl idle2 (1)
tr enter1 idle1 lock -> busy1
tr leave1 busy1 -> idle1 lock
tr enter2 idle2 lock -> busy2
tr leave2 busy2 -> idle2 lock
check mutex : AG (busy1 + busy2 <= 1)
check turns : AG (EF busy1 >= 1)
check again : G (busy1 = 1 -> F lock = 1)
check served : F busy1 = 1
check never : G (lock + busy1 + busy2 <= 1)
check both : AG (busy1 = 0 | busy2 = 0) & AG EF lock = 1
check alive : AG !deadlock
bound tokens : lock + 2*busy1
";

/// Two locks, a lock that is lost, one that comes twice, nobody who asks, and one who cannot leave.
const FAULTS: [(&str, &str); 5] = [
    ("pl lock (1)", "pl lock (2)"),
    ("-> idle2 lock", "-> idle2"),
    ("enter1 idle1 lock", "enter1 idle1 lock?1"),
    ("pl idle1 (1)\npl idle2 (1)", "pl idle1 (0)\npl idle2 (1)"),
    (
        "tr leave1 busy1 -> idle1 lock",
        "tr leave1 busy1 lock -> idle1 lock",
    ),
];

const GROWS: &str = "pl a (1)
tr make a -> a b
tr take b -> c
check no : AG (a <= 1)
check few : AG (b <= 2)
bound many : b
";

/// Two who wait and go, one at a time.
const EXCHANGED: &str = "pl w0 (1)
pl g0 (0)
pl w1 (1)
pl g1 (0)
pl l (1)
tr e0 w0 l -> g0
tr e1 w1 l -> g1
check never : AG (g0 + g1 <= 1)
check goes : F (g0 + g1 >= 1)
check stays : AF deadlock
";

/// Tokens come without end; one of them is let through at a time.
const GATE: &str = "pl gate (1)
pl in (0)
tr come -> wait
tr enter wait gate -> in
tr leave in -> gate
check safe : AG (in <= 1)
";

/// A token goes round.
const ROUND: &str = "pl a (1)
tr t a -> b
tr u b -> a
check alive : AG !deadlock
";

const READERS: &str = "vars
  free r
rules
  free >= 1 ->
    free' = free - 1,
    r' = r + 1;
  r >= 1 ->
    r' = r - 1,
    free' = free + 1;
init
  free = 3, r = 0
target
  r >= 4
";

pub(crate) fn all() -> Vec<Case> {
    vec![
        Case::new("mutex.net", MUTEX, &FAULTS).kinds(&[
            "net-markings",
            "net-part",
            "net-lasso",
            "net-several",
            "net-bound",
            "net-run",
        ]),
        // So few markings are allowed that nothing is found by looking at them.
        Case::new("mutex.net", MUTEX, &FAULTS)
            .settings(&[("states", "1")])
            .kinds(&["net-inequality", "net-constant"]),
        Case::new("mutex.net", MUTEX, &FAULTS)
            .settings(&[("examination", "StateSpace"), ("examination", "OneSafe")])
            .kinds(&["net-size"]),
        Case::new(
            "grows.net",
            GROWS,
            &[("make a -> a b", "make a -> b"), ("a -> a b", "a -> a*2 b")],
        )
        .kinds(&["net-pump"]),
        exchanged(),
        Case::new(
            "gate.net",
            GATE,
            &[
                ("in -> gate", "in -> gate*2"),
                ("pl gate (1)", "pl gate (2)"),
                ("wait gate -> in", "wait gate?1 -> in"),
            ],
        )
        .kinds(&["net-capped"])
        .written(
            0,
            "safe",
            "net-capped",
            |_| json!({ "caps": { "gate": 2, "in": 2 }, "keys": [[1, 0], [0, 1]] }),
        ),
        Case::new(
            "round.net",
            ROUND,
            &[
                ("tr u b -> a", "tr u b -> c"),
                ("pl a (1)", "pl a (0)"),
                ("t a -> b", "t a*2 -> b*2"),
            ],
        )
        .kinds(&["net-causes"])
        .written(0, "alive", "net-causes", |_| {
            let first = json!({ "limits": { "b": 0 }, "transition": "t", "because": [0] });
            let second = json!({ "limits": {}, "transition": "u", "because": [1] });
            json!({ "traps": [["a", "b"]], "weights": [], "steps": [first, second] })
        }),
        Case::new(
            "readers.spec",
            READERS,
            &[
                ("r >= 4", "r >= 3"),
                ("free = 3, r = 0", "free = 3, r = 1"),
                ("free' = free - 1", "free' = free"),
            ],
        )
        .kinds(&["net-basis"])
        .written(
            0,
            "safe",
            "net-basis",
            |_| json!({ "basis": [], "weights": [{ "free": 1, "r": 1 }] }),
        ),
    ]
}

/// Six markings, three but for exchanges.
fn exchanged() -> Case {
    let faults = [
        ("tr e1 w1 l -> g1", "tr e1 w1 l -> g1*2"),
        ("pl l (1)", "pl l (2)"),
        ("pl l (1)", "pl l (0)"),
        ("tr e1 w1 l -> g1", "tr e1 w1 l -> g1 l"),
        ("tr e1 w1 l -> g1", "tr e1 w1 l -> w1 l"),
    ];
    Case::new("exchanged.net", EXCHANGED, &faults)
        .kinds(&[
            "net-orbits",
            "net-stubborn",
            "net-stuttering",
            "net-diagram",
            "net-sets",
        ])
        .written(0, "never", "net-orbits", |_| {
            json!({
                "families": [[["w0", "g0"], ["w1", "g1"]]],
                "markings": [[1, 0, 1, 0, 1], [0, 1, 1, 0, 0]],
            })
        })
        .written(0, "never", "net-stubborn", |_| {
            let all = [[1, 0, 1, 0, 1], [0, 1, 1, 0, 0], [1, 0, 0, 1, 0]];
            let all: Vec<Value> = all.iter().map(|one| json!([one, [0, 1]])).collect();
            json!({ "markings": all })
        })
        .written(0, "goes", "net-stuttering", |_| {
            json!({ "markings": [
                [[1, 0, 1, 0, 1], [0, 1]], [[0, 1, 1, 0, 0], []], [[1, 0, 0, 1, 0], []],
            ] })
        })
        .written(0, "never", "net-diagram", diagram)
        .written(0, "stays", "net-sets", diagram)
}

/// The three markings, from the last place up.
fn diagram(_: &Value) -> Value {
    json!({
        "order": ["w0", "g0", "w1", "g1", "l"],
        "lists": [
            [1, 1, 0], [0, 1, 0], // 2: l = 1; 3: l = 0
            [0, 2, 0], [0, 3, 0], [1, 3, 0], // 4: g1 = 0, l; 5: g1 = 0, no l; 6: g1 = 1
            [1, 4, 0], [1, 5, 0], [0, 6, 7], // 7: w1, l; 8: w1, no l; 9: g1, or w1 with l
            [0, 9, 0], [1, 8, 0], // 10: g0 = 0; 11: g0 = 1
            [1, 10, 0], [0, 11, 12], // 12: w0; 13: g0, or w0
        ],
    })
}
