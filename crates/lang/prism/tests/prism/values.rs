//! Values of known models lie within the bounds.

use crate::common::{Asked, check};
use quotient_core::Verdict;

const DIE: &str = include_str!("../../gallery/die.prism");

#[test]
fn each_face_of_the_die_has_a_chance_of_one_sixth() {
    for face in 1..=6 {
        let answer = check(DIE, &Asked::property(&format!("P=? [ F d={face} ]")));
        answer.has_value(1.0 / 6.0, 1e-7);
        assert_eq!(answer.verdict, Verdict::Holds);
    }
}

#[test]
fn the_die_takes_eleven_thirds_of_throws() {
    let asked = Asked::property("R{\"throws\"}=? [ F \"done\" ]");
    check(DIE, &asked).has_value(11.0 / 3.0, 1e-6);
}

#[test]
fn bounds_are_decided() {
    let verdict = |property: &str| check(DIE, &Asked::property(property)).0.verdict;
    assert_eq!(verdict("P>=0.5 [ F d=6 ]"), Verdict::Violated);
    assert_eq!(verdict("P<0.17 [ F d=6 ]"), Verdict::Holds);
    assert_eq!(verdict("P>=1 [ F \"done\" ]"), Verdict::Holds);
    assert_eq!(verdict("E [ F d=3 ]"), Verdict::Holds);
    assert_eq!(verdict("A [ F d=3 ]"), Verdict::Violated);
    assert_eq!(verdict("A [ G d<=6 ]"), Verdict::Holds);
}

#[test]
fn steps_can_be_bounded() {
    check(DIE, &Asked::property("P=? [ F<=3 \"done\" ]")).has_value(0.75, 1e-9);
    check(DIE, &Asked::property("P=? [ X s=1 ]")).has_value(0.5, 1e-9);
    check(DIE, &Asked::property("P=? [ s<3 U<=2 s=4 ]")).has_value(0.25, 1e-9);
    check(DIE, &Asked::property("R{\"throws\"}=? [ C<=2 ]")).has_value(2.0, 1e-9);
}

#[test]
fn a_missing_constant_is_named() {
    let text = "dtmc const int N; module m x:[0..N]; [] x<N -> (x'=x+1); endmodule";
    let trouble = crate::common::trouble(text, &Asked::property("P=? [ F x=N ]"));
    assert!(trouble.contains("`N` has no value"), "{trouble}");
    let given = Asked::property("P=? [ F x=N ]").constant("N=3");
    check(text, &given).has_value(1.0, 0.0);
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = "dtmc module m x:[0..3]; [] x<y -> (x'=z); [] x -> (q'=1); endmodule";
    let trouble = crate::common::trouble(text, &Asked::property("P=? [ F x=1 ]"));
    for name in ["`y`", "`z`", "`q`", "a condition needs"] {
        assert!(trouble.contains(name), "{trouble}");
    }
}
