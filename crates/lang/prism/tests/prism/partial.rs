//! Models of which only a part is looked at.

use proptest::prelude::*;
use quotient_core::Verdict;

use crate::common::{Asked, check, trouble};

/// Attempts that fail with chance 1/2 each, on a plane that nobody can build.
const PLANE: &str = "mdp
module plane
  x : [0..100000] init 0;
  y : [0..100000] init 0;
  lost : bool init false;
  [right] x<100000 & !lost -> 0.5:(x'=x+1) + 0.5:(lost'=true);
  [up] y<100000 & !lost -> 0.25:(y'=y+1) + 0.75:(lost'=true);
endmodule";

fn partial(property: &str) -> Asked {
    Asked::property(property)
        .setting("partial", "true")
        .setting("precision", "1e-3")
}

#[test]
fn what_is_far_away_need_not_be_looked_at() {
    let best = check(PLANE, &partial("Pmax=? [ F x=2 & y=1 ]"));
    best.has_value(0.0625, 1e-3);
    assert_eq!(best.verdict, Verdict::Holds);
    let holds = |property: &str| check(PLANE, &partial(property)).0.verdict;
    assert_eq!(holds("P<=0.07 [ F x=2 & y=1 ]"), Verdict::Holds);
    assert_eq!(holds("P<=0.06 [ F x=2 & y=1 ]"), Verdict::Violated);
    assert_eq!(holds("P>=0.9 [ G x+y<12 ]"), Verdict::Holds);
    check(PLANE, &partial("Pmin=? [ G !lost ]")).has_value(0.0, 1e-3);
}

#[test]
fn only_one_path_without_bounds_can_be_asked_for() {
    for property in [
        "Pmax=? [ F<=3 lost ]",
        "Pmax=? [ G F lost ]",
        "P=? [ F lost ]",
        "Pmax=? [ F \"deadlock\" ]",
        "E [ F lost ]",
    ] {
        trouble(PLANE, &partial(property));
    }
    let wrong = PLANE.replace("0.25:", "0.5:");
    assert!(trouble(&wrong, &partial("Pmax=? [ F y=1 ]")).contains("add up"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_part_and_the_whole_agree(
        steps in prop::collection::vec((0u8..6, 0u8..6, 0u8..6, 1u8..9), 3..14),
        least in any::<bool>(),
        opposite in any::<bool>(),
    ) {
        let mut text = "mdp module m s:[0..5] init 0;\n".to_owned();
        for (from, to, other, share) in &steps {
            text += &format!("[] s={from} -> {share}/10:(s'={to}) + {}/10:(s'={other});\n", 10 - share);
        }
        text += "endmodule";
        let best = if least { "min" } else { "max" };
        let path = if opposite { "G s!=5" } else { "s!=4 U s=5" };
        let property = format!("P{best}=? [ {path} ]");
        let whole = check(&text, &Asked::property(&property)).0.value.expect("a number");
        let part = check(&text, &partial(&property)).0.value.expect("a number");
        prop_assert!(part.lower <= whole.upper && whole.lower <= part.upper, "{part:?} {whole:?}");
        prop_assert!(part.upper - part.lower <= 2e-3, "{part:?}");
    }
}
