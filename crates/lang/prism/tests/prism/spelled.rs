//! Ways to write things down: labels inside of expressions, powers, `W` and `R` of all and some runs.

use crate::common::{Asked, check, open, trouble};
use quotient_core::Verdict;

/// Who takes the lock asks whether anybody has it; the label is about both, also in the renamed one.
const LOCK: &str = "dtmc
module one
  a : bool init false;
  [] !\"taken\" -> 0.5:(a'=true) + 0.5:true;
  [] a -> (a'=false);
endmodule
module other = one [ a=b ] endmodule
label \"taken\" = a | b;
label \"both\" = \"taken\" & alike;
formula alike = \"taken\" & a=b;
rewards \"held\" \"taken\" : 1; endrewards
";

#[test]
fn labels_stand_inside_of_expressions() {
    check(LOCK, &Asked::property("P=? [ F a & b ]")).has_value(0.0, 0.0);
    check(LOCK, &Asked::property("P=? [ F \"both\" ]")).has_value(0.0, 0.0);
    check(LOCK, &Asked::property("P=? [ F alike ]")).has_value(0.0, 0.0);
    check(LOCK, &Asked::property("R{\"held\"}=? [ C<=2 ]")).has_value(0.5, 1e-9);
    let label = |of: &str| format!("dtmc module m x : [0..1]; endmodule label \"l\" = {of};");
    for (text, code) in [
        (label("\"l\" | x=0"), "itself"),
        (label("\"k\" | x=0"), "no label"),
        (label("\"init\" | x=0"), "no label"),
        (label("\"l\"+1=2"), "error"),
    ] {
        let told = trouble(&text, &Asked::property("P=? [ F x=1 ]"));
        assert!(told.contains(code), "{told}");
    }
}

#[test]
fn powers_are_written_with_a_sign() {
    let text = |value: &str| {
        format!(
            "dtmc const double c = {value}; module m x : [0..1]; endmodule rewards x=0 : c; endrewards"
        )
    };
    for (value, expected) in [
        ("2^3", 8.0),
        ("0.5^2", 0.25),
        ("2^-1.0", 0.5),
        ("3*2^2/4", 3.0),
        ("(1+1)^(2+1)-1", 7.0),
        ("10-(-2)^2", 6.0),
        ("(2^2)^3", 64.0),
        ("min(3)^max(2)", 9.0),
    ] {
        check(&text(value), &Asked::property("R=? [ I=0 ]")).has_value(expected, 1e-9);
    }
    for value in ["9-2^2^2", "5+-2^2", "-2^2"] {
        let Err(told) = open(&text(value), &Asked::property("R=? [ I=0 ]")) else {
            panic!("{value}");
        };
        assert!(told.to_string().contains("brackets"), "{told}");
    }
}

/// A walk that may go round between 0 and 1 for ever, or leave to 2 or 3.
const ROUND: &str = "dtmc
module m
  x : [0..3];
  [] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);
  [] x=1 -> 0.5:(x'=0) + 0.5:(x'=3);
  [] x>1 -> true;
endmodule
";

#[test]
fn runs_do_something_unless() {
    for (property, holds) in [
        ("A [ x<2 W x>1 ]", true),
        ("A [ x<2 W x=2 ]", false),
        ("E [ x<2 W x=2 ]", true),
        ("E [ x=0 W x=3 ]", false),
        ("E [ x<2 W false ]", true),
        ("A [ x=3 R x!=2 ]", false),
        ("E [ x=3 R x!=2 ]", true),
        ("A [ x>1 R x<4 ]", true),
        ("E [ x=2 R x<2 ]", true),
        ("A [ x=0 R x=0 ]", true),
        ("E [ X (A [ x=3 W x=2 ]) ]", true),
    ] {
        let answer = check(ROUND, &Asked::property(property));
        let expected = if holds {
            Verdict::Holds
        } else {
            Verdict::Violated
        };
        assert_eq!(answer.verdict, expected, "{property}");
    }
    let told = trouble(ROUND, &Asked::property("E [ x<2 W<=3 x=2 ]"));
    assert!(told.contains("path formula"), "{told}");
}

/// `R` with a bound after `=` joins two paths, and `R=?` asks for rewards.
#[test]
fn release_has_bounds_of_all_kinds() {
    let line = "dtmc module m s : [0..4]; [] s<4 -> (s'=s+1); [] s=4 -> true; endmodule
        rewards s<2 : 1; endrewards";
    for (path, expected) in [
        ("false R=3 s=3", 1.0),
        ("false R=3 s!=3", 0.0),
        ("s=4 R=(1+1) s>1", 1.0),
    ] {
        let asked = Asked::property(&format!("P=? [ {path} ]"));
        check(line, &asked).has_value(expected, 1e-9);
    }
    check(line, &Asked::property("R=? [ F s=3 ]")).has_value(2.0, 1e-9);
    let told = trouble(line, &Asked::property("Tmin=? [ F s=3 ]"));
    assert!(told.contains("times are rewards"), "{told}");
    let named =
        "dtmc const int T = 3; module m s : [0..4]; [] s<4 -> (s'=s+1); [] s=4 -> true; endmodule";
    check(named, &Asked::property("P=? [ F<=T s=T ]")).has_value(1.0, 1e-9);
}
