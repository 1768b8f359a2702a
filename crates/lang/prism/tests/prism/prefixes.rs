//! What is earned until a path formula is fulfilled: against all beginnings of runs, one by one.

use crate::common::{Asked, answers, check, open, trouble};
use proptest::prelude::*;
use quotient_core::{Budget, Evidence, Rejection};

/// A path formula that finite beginnings of runs fulfil.
#[derive(Debug, Clone)]
enum Path {
    /// Being in one of these states.
    In(u8),
    Both(Box<Path>, Box<Path>),
    Either(Box<Path>, Box<Path>),
    Next(Box<Path>),
    Finally(Box<Path>),
    Until(Box<Path>, Box<Path>),
}

impl Path {
    fn text(&self) -> String {
        match self {
            Path::In(set) => {
                let states = (0..6).filter(|state| set >> state & 1 == 1);
                let states: Vec<String> = states.map(|state| format!("x={state}")).collect();
                match states.is_empty() {
                    true => "false".to_owned(),
                    false => format!("({})", states.join(" | ")),
                }
            }
            Path::Both(one, other) => format!("(({}) & ({}))", one.text(), other.text()),
            Path::Either(one, other) => format!("(({}) | ({}))", one.text(), other.text()),
            Path::Next(of) => format!("(X ({}))", of.text()),
            Path::Finally(of) => format!("(F ({}))", of.text()),
            Path::Until(one, other) => format!("(({}) U ({}))", one.text(), other.text()),
        }
    }

    /// Whether a beginning of a run fulfils it from a place on, whatever comes after.
    fn holds(&self, run: &[usize], at: usize) -> bool {
        match self {
            Path::In(set) => run.get(at).is_some_and(|state| set >> state & 1 == 1),
            Path::Both(one, other) => one.holds(run, at) && other.holds(run, at),
            Path::Either(one, other) => one.holds(run, at) || other.holds(run, at),
            Path::Next(of) => of.holds(run, at + 1),
            Path::Finally(of) => (at..run.len()).any(|at| of.holds(run, at)),
            Path::Until(one, other) => (at..run.len())
                .any(|end| other.holds(run, end) && (at..end).all(|before| one.holds(run, before))),
        }
    }
}

/// States lead to later ones, the last one to itself: by each choice, to two of them.
type Rows = Vec<Vec<(usize, usize)>>;

const LAST: usize = 5;

fn text(kind: &str, rows: &Rows) -> String {
    let mut commands = String::new();
    for (state, choices) in rows.iter().enumerate() {
        for (number, (one, other)) in choices.iter().enumerate() {
            commands +=
                &format!("  [a{number}] x={state} -> 0.25:(x'={one}) + 0.75:(x'={other});\n");
        }
    }
    format!(
        "{kind}\nmodule m\n  x : [0..5];\n{commands}  [] x=5 -> true;\nendmodule\n\
         rewards \"r\"\n  x<5 : x+1;\n  [a1] true : 0.5;\n  x=5 : 0.25;\nendrewards\n"
    )
}

/// What is earned, over all ways to choose that know the whole run so far.
fn earned(path: &Path, rows: &Rows, run: &mut Vec<usize>, least: bool) -> f64 {
    if path.holds(run, 0) {
        return 0.0;
    }
    if run.len() > 14 {
        return f64::INFINITY;
    }
    let state = run[run.len() - 1];
    let mut ahead = |to: usize| {
        run.push(to);
        let value = earned(path, rows, run, least);
        run.pop();
        value
    };
    if state == LAST {
        return 0.25 + ahead(LAST);
    }
    let choices = rows[state].iter().enumerate();
    let values = choices.map(|(number, &(one, other))| {
        let here = state as f64 + 1.0 + if number == 1 { 0.5 } else { 0.0 };
        here + 0.25 * ahead(one) + 0.75 * ahead(other)
    });
    match least {
        true => values.fold(f64::INFINITY, f64::min),
        false => values.fold(f64::NEG_INFINITY, f64::max),
    }
}

fn rows(most: usize) -> impl Strategy<Value = Rows> {
    let later = |state: usize| (state + 1..=LAST, state + 1..=LAST);
    let state = move |state: usize| prop::collection::vec(later(state), 1..=most);
    (state(0), state(1), state(2), state(3), state(4))
        .prop_map(|(a, b, c, d, e)| vec![a, b, c, d, e])
}

fn path() -> impl Strategy<Value = Path> {
    let leaf = (0u8..64).prop_map(Path::In);
    leaf.prop_recursive(3, 8, 2, |inner| {
        let two = (
            inner.clone().prop_map(Box::new),
            inner.clone().prop_map(Box::new),
        );
        let one = inner.prop_map(Box::new);
        prop_oneof![
            two.clone().prop_map(|(one, other)| Path::Both(one, other)),
            two.clone()
                .prop_map(|(one, other)| Path::Either(one, other)),
            two.prop_map(|(one, other)| Path::Until(one, other)),
            one.clone().prop_map(Path::Next),
            one.prop_map(Path::Finally),
        ]
    })
}

fn certify(model: &str, property: &str, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(model, &Asked::property(property)).expect("a model");
    let asked = model.property(property).expect("a property");
    let certified = model.certify(evidence, &asked, &Budget::unlimited())?;
    Ok(certified.facts)
}

/// The number is right, and shown.
fn assert_earned(model: &str, property: &str, expected: f64) {
    let found = answers(model, &Asked::property(property));
    let answer = found
        .unwrap_or_else(|trouble| panic!("{property}: {trouble}"))
        .remove(0);
    let number = answer.value.as_ref().expect("a number");
    let near = 1e-9 * (1.0 + expected.abs());
    let within = number.lower <= expected + near && expected <= number.upper + near;
    assert!(
        within || number.lower == expected && number.upper == expected,
        "{property} {number:?} {expected}\n{model}"
    );
    assert!(
        !expected.is_finite() || number.upper - number.lower < 1e-5,
        "{property} {number:?}"
    );
    let evidence = answer.evidence.as_ref().expect("evidence");
    let facts = certify(model, property, evidence);
    assert!(
        facts.is_ok(),
        "{property} {facts:?}\n{model}\n{}",
        evidence.body
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn what_is_earned_by_choices_until_a_formula_is_fulfilled(rows in rows(2), path in path()) {
        for (best, least) in [("min", true), ("max", false)] {
            let property = format!("R{{\"r\"}}{best}=? [ {} ]", path.text());
            let expected = earned(&path, &rows, &mut vec![0], least);
            assert_earned(&text("mdp", &rows), &property, expected);
        }
    }

    #[test]
    fn what_a_chain_earns_until_a_formula_is_fulfilled(rows in rows(1), path in path()) {
        let property = format!("R{{\"r\"}}=? [ {} ]", path.text());
        let expected = earned(&path, &rows, &mut vec![0], false);
        assert_earned(&text("dtmc", &rows), &property, expected);
    }
}

/// A process that waits, works and rests, in continuous time.
const WORK: &str = "ctmc
module m
  s : [0..2];
  [] s=0 -> 2 : (s'=1);
  [] s=1 -> 3 : (s'=0) + 1 : (s'=2);
  [] s=2 -> 4 : (s'=0);
endmodule
rewards \"time\" true : 1; endrewards
";

#[test]
fn time_passes_until_a_formula_is_fulfilled() {
    // To 1 in 1/2; from there to 2 with 1/4 after 1/4, or back.
    let to_two = 4.0 * (0.5 + 0.25);
    assert_earned(WORK, "R=? [ (F s=2) ]", to_two);
    assert_earned(WORK, "R=? [ F (s=2 & (X s=0)) ]", to_two + 0.25);
    assert_earned(WORK, "R=? [ (F s=2) & (F s=1) ]", to_two);
    assert_earned(WORK, "R=? [ X (X true) ]", 0.75);
    assert_earned(WORK, "R=? [ s=0 U s=1 ]", 0.5);
    assert_earned(WORK, "R=? [ s<2 U s=2 ]", to_two);
    assert_earned(WORK, "R=? [ !(X s=0) ]", 0.5);
    assert_earned(WORK, "R=? [ s=0 ]", 0.0);
    assert_earned(WORK, "R=? [ X s=0 ]", f64::INFINITY);
    assert_earned(
        WORK,
        "filter(max, R=? [ F (s=1 & (X s=2)) ])",
        to_two + 0.25,
    );
    let told = trouble(WORK, &Asked::property("R=? [ F (G s=1) ]"));
    assert!(told.contains("co-safe"), "{told}");
    let told = trouble(WORK, &Asked::property("R=? [ F ((F<=2 s=1) & (X s=2)) ]"));
    assert!(told.contains("bound"), "{told}");
}

#[test]
fn evidence_about_beginnings_of_runs_is_not_taken_for_more() {
    let property = "R=? [ F (s=2 & (X s=0)) ]";
    let found = check(WORK, &Asked::property(property));
    let genuine = found.evidence.clone().expect("evidence");
    certify(WORK, property, &genuine).expect("shown");
    for other in [
        "R=? [ F s=2 ]",
        "R=? [ X (F s=2) ]",
        "R=? [ F (s=1 & (X s=0)) ]",
        "R>=3.3 [ F (s=2 & (X s=0)) ]",
    ] {
        let forged = genuine.clone().about(other);
        assert!(certify(WORK, other, &forged).is_err(), "{other}");
    }
    for (side, by) in [("lower", 0.1), ("upper", -0.1)] {
        let mut forged = genuine.clone();
        let line = &mut forged.body["parts"][0]["prefix"][side];
        let numbers = crate::common::spelled_out(line.as_str().expect("a line"));
        let moved: Vec<f64> = numbers.iter().map(|number| number + by).collect();
        *line = crate::common::line_of(&moved).into();
        assert!(certify(WORK, property, &forged).is_err(), "{side}");
    }
}
