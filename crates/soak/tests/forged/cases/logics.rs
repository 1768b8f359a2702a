//! Truth values, hybrid logic, networks and pathways.

use super::example;
use crate::attack::Case;

const NETWORK: &str = "targets, factors
a, !c
b, a
c, b

#check restless: ~(3{x}: @{x}: AX {x})
#check returns: EF (!{x}: AG EF {x})
#check everywhere: !{x}: AG EF {x}
";

const MODES: &str = "hybrid
nominal off, running, alarm
relation next
letter heater

satisfiable design:
  @off <next> running & @running <next> alarm & @alarm !heater & @off heater
satisfiable contradicts: @running heater & @alarm !heater & @running alarm
valid successor: @off <next> running & @running heater => @off <next> heater
valid all: @off heater => @running heater
";

const PROOFS: &str = "hybrid
nominal i, j, k
relation next
letter p, q

proof bridge:
  1 !p => ~p          ; Bridge
  2 (p && q) => p & q ; Base

proof box:
  1 ([next] p & <next> k) => @k p ; BoxE
  2 [next] p => [next] p          ; BoxI(1)
";

const COMPETE: &str = "start A & B & C
A * B -> M
A * C -> N
can M
can N
never M & N
one end
always kept: A + M + N = 1
ltl made: F (M | N)
ltl left: F (M & ended)
";

const ANY: &str = "start any A & B
A & B -> B & C
2 D -> E
can exactly C
can D
always E = 0
";

const CYCLE: &str = "start any Ac & any N & O
O & Ac -> T & Co
T & N -> O & H
can 3 H
never 2 O
never O & T
always carrier: O + T = 1
";

const DOOR: &str = "hybrid
world closed: safe
world open
world locked: safe, secure
arrow push: closed -> open
arrow pull: open -> closed
arrow turn: closed -> locked
arrow back: locked -> closed
check secure: @locked [back] @locked secure
check two_steps: <push> <pull> closed & ~<push> <turn> true
check every_world: forall x. @x (<push> true | <pull> true | <back> true)
check always_safe: A safe
";

pub(crate) fn all() -> Vec<Case> {
    vec![
        Case::new(
            "modes.hyb",
            MODES,
            &[
                (
                    "satisfiable design:\n  @off",
                    "satisfiable design:\n  @running alarm & @running heater & @off",
                ),
                ("& @running alarm\n", "& @off alarm\n"),
                (
                    "heater => @off <next> heater",
                    "heater => @alarm <next> heater",
                ),
                ("valid all: @off heater =>", "valid all: @running heater =>"),
            ],
        )
        .kinds(&["hybrid-model", "hybrid-refutation"]),
        Case::new(
            "proofs.hyb",
            PROOFS,
            &[
                ("2 (p && q) => p & q ; Base", "2 (p || q) => p & q ; Base"),
                ("; BoxI(1)", "; BoxI(2)"),
                ("<next> k) => @k p ; BoxE", "<next> k) => @j p ; BoxE"),
            ],
        )
        .kinds(&["hybrid-proof"]),
        Case::new(
            "door.hyb",
            DOOR,
            &[
                ("world open\n", "world open: safe\n"),
                ("arrow pull: open -> closed", "arrow pull: open -> locked"),
                ("arrow back: locked -> closed", "arrow back: locked -> open"),
            ],
        )
        .kinds(&["hybrid-truth"]),
        Case::new(
            "o.bnet",
            NETWORK,
            &[
                ("a, !c", "a, c"),
                ("b, a\n", "b, a | b\n"),
                ("c, b\n", "c, 1\n"),
            ],
        )
        .kinds(&["network-states"]),
        Case::new(
            "compete.zs",
            COMPETE,
            &[
                ("start A & B & C", "start 2 A & B & C"),
                ("A * B -> M\n", ""),
                ("A * C -> N", "A * C -> A & N"),
                ("A * C -> N", "A * C -> M"),
            ],
        )
        .kinds(&[
            "pathway-derivation",
            "pathway-aggregates",
            "pathway-conserved",
            "pathway-runs",
            "pathway-lasso",
        ]),
        Case::new(
            "cycle.zs",
            CYCLE,
            &[
                ("& O\nO & Ac", "& 2 O\nO & Ac"),
                ("T & N -> O & H", "T & N -> 2 O & H"),
                ("T & N -> O & H\n", ""),
            ],
        )
        .kinds(&["pathway-basis", "pathway-conserved", "pathway-derivation"]),
        Case::new(
            "any.zs",
            ANY,
            &[
                ("A & B -> B & C", "A & B -> C"),
                ("start any A & B", "start any A & B & 2 D"),
                ("2 D -> E", "A & B -> B & E"),
                ("2 D -> E", "2 C -> E"),
            ],
        )
        .kinds(&["pathway-before", "pathway-unchanged", "pathway-basis"]),
        graded(),
    ]
}

/// The likeliest way through a channel.
fn graded() -> Case {
    let text = example("channel.gdl");
    Case::new(
        "channel.gdl",
        &text,
        &[
            ("initial 0", "initial 1"),
            ("arrived >= 0.7", "arrived >= 0.99"),
            ("dropped <= 0.1", "dropped <= 0"),
            ("arrived = 0.72", "arrived = 0.5"),
        ],
    )
    .beside(&[
        (
            "channel.tra",
            include_str!("../../../../lang/graded/gallery/channel.tra"),
        ),
        (
            "channel.lab",
            include_str!("../../../../lang/graded/gallery/channel.lab"),
        ),
    ])
    .kinds(&["graded-solutions"])
}
