//! Circuits of bits and of words, and Esterel.

use super::example;
use crate::attack::Case;

/// A counter of four bits that goes round below ten.
const COUNTER: &str = "1 sort bitvec 4
2 sort bitvec 1
3 zero 1
4 state 1 c
5 init 1 4 3
6 one 1
7 constd 1 9
8 ult 2 4 7
9 add 1 4 6
10 ite 1 8 9 3
11 next 1 4 10
12 constd 1 12
13 eq 2 4 12
14 bad 13 never
15 constd 1 5
16 eq 2 4 15
17 bad 16 five
18 justice 1 16
19 justice 1 13
";

const COUNTER_FAULTS: [(&str, &str); 5] = [
    ("7 constd 1 9", "7 constd 1 13"),
    ("7 constd 1 9", "7 constd 1 4"),
    ("9 add 1 4 6", "9 add 1 4 15"),
    ("5 init 1 4 3", "5 init 1 4 12"),
    ("15 constd 1 5", "15 constd 1 11"),
];

/// The same where the constant is declared first.
fn counter() -> String {
    let first = "12 constd 1 12\n15 constd 1 5\n";
    let rest = COUNTER
        .replace("12 constd 1 12\n", "")
        .replace("15 constd 1 5\n", "");
    rest.replace("3 zero 1\n", &format!("3 zero 1\n{first}"))
}

/// A lamp that a memory of 2³² bits switches off for good when a bit is read that was written.
const LAMP: &str = "1 sort bitvec 1
2 sort bitvec 32
3 sort array 2 1
4 state 3 memory
5 zero 1
6 init 3 4 5
7 state 2 at
8 next 2 7 7
9 one 1
10 write 3 4 7 9
11 next 3 4 10
12 read 1 4 7
13 justice 1 -12
14 justice 1 12
15 state 1 was
16 init 1 15 5
17 next 1 15 12
18 and 1 15 -12
19 bad 18
";

const LAMP_FAULTS: [(&str, &str); 3] = [
    ("8 next 2 7 7", "8 inc 2 7\n80 next 2 7 8"),
    ("10 write 3 4 7 9", "10 write 3 4 7 5"),
    ("10 write 3 4 7 9", "100 not 1 12\n10 write 3 4 7 100"),
];

pub(crate) fn all() -> Vec<Case> {
    let lamp_faults = LAMP_FAULTS;
    // What is read stands before what is written with it.
    let lamp = LAMP
        .replace("12 read 1 4 7\n", "")
        .replace("9 one 1\n", "9 one 1\n12 read 1 4 7\n");
    let switch = example("switch.strl");
    vec![
        Case::new("counter.btor2", &counter(), &COUNTER_FAULTS).kinds(&[
            "circuit-invariant",
            "circuit-run",
            "circuit-bound",
        ]),
        Case::new("counter.btor2", &counter(), &COUNTER_FAULTS)
            .settings(&[("refutations", "")])
            .kinds(&["circuit-refuted"]),
        Case::new("lamp.btor2", &lamp, &lamp_faults).kinds(&[
            "watched-bound",
            "word-run",
            "watched-invariant",
        ]),
        Case::new("lamp.btor2", &lamp, &lamp_faults)
            .settings(&[("refutations", "")])
            .kinds(&["watched-refuted"]),
        Case::new(
            "switch.strl",
            &switch,
            &[
                ("?S > 110.0", "?S > 80.0"),
                ("?S < 90.0", "?S < 120.0"),
                ("[On and Off]", "[On or Off]"),
            ],
        )
        .kinds(&["esterel-run"]),
    ]
}
