//! Finite-state models in SMV.

use crate::attack::Case;

/// A counter, and a lamp that may go on at any time.
const COUNTER: &str = "MODULE main
VAR
  x : 0..7;
  b : boolean;
ASSIGN
  init(x) := 0;
  next(x) := (x + 1) mod 8;
  init(b) := FALSE;
  next(b) := {TRUE, b};
SPEC AG (x = 3 -> AX x = 4)
SPEC AF b
LTLSPEC G F x = 0
LTLSPEC F b
LTLSPEC G (x = 0 -> X x = 1)
INVARSPEC x < 6
INVARSPEC !(x = 5 & b)
";

const COUNTER_FAULTS: [(&str, &str); 6] = [
    ("(x + 1) mod 8", "(x + 1) mod 6"),
    ("(x + 1) mod 8", "(x + 2) mod 8"),
    ("(x + 1) mod 8", "{(x + 1) mod 8, x}"),
    ("next(b) := {TRUE, b}", "next(b) := TRUE"),
    ("next(b) := {TRUE, b}", "next(b) := b"),
    ("init(x) := 0;", "init(x) := 1;"),
];

/// A counter that may get stuck.
const STUCK: &str = "MODULE main
VAR x : 0..3; stuck : boolean;
ASSIGN
  init(x) := 0; init(stuck) := FALSE;
  next(x) := case stuck : x; TRUE : (x + 1) mod 4; esac;
  next(stuck) := case stuck : TRUE; TRUE : {TRUE, FALSE}; esac;
SPEC AG EF x = 3
SPEC AG (x < 4)
";

/// From 4 on it goes round without ever coming to 7.
const ROUND: &str = "MODULE main
VAR x : 0..7;
IVAR go : boolean;
ASSIGN
  init(x) := 0;
  next(x) := case x < 2 : x + 1; x = 2 : 0; go & x = 6 : 7; x = 6 : 4; x = 7 : 7; TRUE : x + 1; esac;
INVARSPEC x != 7
INVARSPEC x != 3
INVARSPEC x != 2
";

/// States with names.
const NAMED: &str = "MODULE main
VAR x : 0..3; y : boolean;
ASSIGN
  init(x) := 0;
  next(x) := case y : x; TRUE : (x + 1) mod 4; esac;
  next(y) := {TRUE, FALSE};
HCTLSPEC !{s}: EF (x = 2 & EF {s})
HCTLSPEC !{s}: AX !{s}
";

const WAYS: &str = "MODULE main
VAR x : 0..7; y : boolean;
ASSIGN
  init(x) := 0;
  next(x) := case y : x; TRUE : (x + 1) mod 8; esac;
  next(y) := {TRUE, FALSE};
SPEC EF x = 5
SPEC AG EF x = 0
SPEC EG x = 0
";

const FAR: &str = "MODULE main
VAR x : 0..7; y : boolean;
ASSIGN
  init(x) := 0;
  next(x) := case y : x; TRUE : (x + 1) mod 8; esac;
  next(y) := {TRUE, FALSE};
FAIRNESS !y
COMPUTE MIN [x = 0, x = 5]
COMPUTE MAX [x = 0 & !y, EX x = 2]
COMPUTE MAX [x = 0, AF x = 5]
";

pub(crate) fn all() -> Vec<Case> {
    vec![
        Case::new(
            "ways.smv",
            WAYS,
            &[
                ("TRUE : (x + 1) mod 8", "TRUE : 7"),
                ("case y : x;", "case y : (x + 1) mod 8;"),
                ("init(x) := 0", "init(x) := 1"),
            ],
        )
        .kinds(&["smv-states"]),
        Case::new("counter.smv", COUNTER, &COUNTER_FAULTS).kinds(&[
            "states-bound",
            "states-invariant",
            "smv-run",
        ]),
        Case::new(
            "stuck.smv",
            STUCK,
            &[
                ("case stuck : x;", "case stuck : 3;"),
                ("case stuck : TRUE;", "case stuck : FALSE;"),
                ("init(stuck) := FALSE;", "init(stuck) := TRUE;"),
            ],
        )
        .kinds(&["states-barrier"]),
        Case::new(
            "round.smv",
            ROUND,
            &[
                ("x = 2 : 0", "x = 2 : 3"),
                ("x = 2 : 0", "x = 2 : 4"),
                ("x < 2 : x + 1", "x < 1 : x + 1; x = 1 : 0"),
                ("init(x) := 0", "init(x) := 5"),
            ],
        )
        .settings(&[("engine", "bits")])
        .kinds(&["states-induction"]),
        Case::new(
            "named.smv",
            NAMED,
            &[
                ("case y : x;", "case y : 3;"),
                ("(x + 1) mod 4", "3"),
                ("TRUE : (x + 1) mod 4", "TRUE : (x + 1) mod 2"),
            ],
        )
        .kinds(&["smv-hybrid"]),
        Case::new(
            "far.smv",
            FAR,
            &[
                ("case y : x;", "case y : 3;"),
                ("(x + 1) mod 8", "7"),
                ("init(x) := 0", "init(x) := 6"),
                ("FAIRNESS !y", "FAIRNESS TRUE"),
            ],
        )
        .kinds(&["smv-distance"]),
    ]
}
