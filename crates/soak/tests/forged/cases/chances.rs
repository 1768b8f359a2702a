//! Chances.

use crate::attack::Case;

const COIN: &str = "mdp
module m
  s : [0..3] init 0;
  [a] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
  [b] s=0 -> 0.3:(s'=3) + 0.7:(s'=0);
  [c] s=1 -> (s'=1);
  [d] s=2 -> 0.5:(s'=0) + 0.5:(s'=3);
  [e] s=3 -> (s'=3);
endmodule
rewards \"r\"
  s<3 : 1;
endrewards
label \"goal\" = s=3;
";

/// No way back, other chances, another start, more rewards, and a choice that is not there.
const FAULTS: [(&str, &str); 6] = [
    ("0.5:(s'=1) + 0.5:(s'=2)", "0.1:(s'=1) + 0.9:(s'=2)"),
    ("0.5:(s'=0) + 0.5:(s'=3)", "0.9:(s'=1) + 0.1:(s'=3)"),
    ("init 0", "init 1"),
    ("init 0", "init 3"),
    ("s<3 : 1", "s<3 : 30"),
    ("  [b] s=0 -> 0.3:(s'=3) + 0.7:(s'=0);\n", ""),
];

const QUESTIONS: &str = "P>=0.9 [ F \"goal\" ];
P<=0.5 [ F \"goal\" ];
P>=0.2 [ F<=3 \"goal\" ];
R{\"r\"}max<=10 [ S ];
R{\"r\"}max<=2 [ C<=3 ];
multi(P>=0.5 [ F \"goal\" ], P>=0.1 [ F s=1 ]);
P<=0.6 [ G F s=1 ];
S>=0.2 [ s=3 ];
A [ F s=3 ];
E [ F s=3 ];
";

/// A chain: its numbers are fractions.
const CHAIN: &str = "dtmc
module m
  s : [0..3] init 0;
  [] s=0 -> 1/3:(s'=1) + 2/3:(s'=2);
  [] s=1 -> 1/2:(s'=0) + 1/2:(s'=3);
  [] s>1 -> (s'=s);
endmodule
";

const CHAIN_FAULTS: [(&str, &str); 4] = [
    ("1/3:(s'=1) + 2/3:(s'=2)", "2/3:(s'=1) + 1/3:(s'=2)"),
    ("1/2:(s'=0) + 1/2:(s'=3)", "1/4:(s'=0) + 3/4:(s'=3)"),
    ("init 0", "init 1"),
    ("[] s>1", "[] s=2 -> (s'=0);\n  [] s>2"),
];

const CHAIN_QUESTIONS: &str = "P>=1/5 [ F s=3 ];
P<=1/5 [ F s=3 ];
";

/// Questions with a bound that changes from run to run.
const TABLE_QUESTIONS: &str = "const int N;
P>=0.2 [ F<=N \"goal\" ];
P<=0.9 [ F<=N \"goal\" ];
R{\"r\"}max<=10 [ C<=N ];
P<=0.95 [ F (\"goal\" & N<9) ];
";

pub(crate) fn all() -> Vec<Case> {
    let beside = &[("m.props", QUESTIONS)];
    vec![
        Case::new("coin.prism", COIN, &FAULTS)
            .beside(beside)
            .settings(&[("properties", "m.props")])
            .kinds(&[
                "chance-bounds",
                "chance-limited",
                "chance-average",
                "chance-parts",
            ]),
        Case::new("coin.prism", COIN, &FAULTS)
            .beside(beside)
            .settings(&[("properties", "m.props"), ("partial", "")])
            .kinds(&["chance-part"]),
        Case::new("coin.prism", COIN, &FAULTS)
            .beside(&[("m.props", TABLE_QUESTIONS)])
            .settings(&[("properties", "m.props"), ("constant", "N=2:4")])
            .kinds(&["chance-table"]),
        Case::new("chain.prism", CHAIN, &CHAIN_FAULTS)
            .beside(&[("m.props", CHAIN_QUESTIONS)])
            .settings(&[("properties", "m.props"), ("exact", "")])
            .kinds(&["chance-fractions"]),
    ]
}
