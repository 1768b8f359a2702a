//! Functions: computed for all inputs, or wherever the machine stops.

mod support;

use quotient_core::{Claim, Evidence, Verdict};
use quotient_forger::{Attack, attack};
use support::{DIV2, EMPTY, PMINUS, ask, certify, certify_with, check, open};

/// No forgery of evidence for the only question of a file, which holds, is accepted for another.
fn no_forgery_passes(text: &str, evidence: Evidence, forgeries: usize) {
    let how = Attack {
        forgeries,
        ..Attack::default()
    };
    let checker = |evidence: &Evidence| certify_with(open(text).as_mut(), evidence, 20_000_000);
    let name = open(text).properties().remove(0).name;
    let is_true = |claim, property: &str| claim == Claim::Holds && property == name;
    let tally = attack(&evidence, &how, checker, is_true).unwrap();
    assert!(tally.false_claims > 0);
}

#[test]
fn half_is_computed_for_every_number_at_once() {
    let answer = ask(DIV2, "computes f(n) = n / 2 if n % 2 == 0");
    assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
    let text = format!("{DIV2}check computes f(n) = n / 2 if n % 2 == 0");
    no_forgery_passes(&text, answer.evidence.unwrap(), 60);
    let wrong = ask(DIV2, "computes f(n) = (n + 1) / 2 if n % 2 == 0 or n == 7");
    assert_eq!(wrong.verdict, Verdict::Violated);
    let late = ask(DIV2, "computes f(n) = n / 2 if n % 2 == 0 and n < 1000");
    assert_ne!(late.verdict, Verdict::Holds);
    let grows = ask("<1,1,R,1> <1,B,W(1),2>", "computes f(n) = n + 2");
    assert_eq!(grows.verdict, Verdict::Holds);
    let none = ask(EMPTY, "computes f(n) = 0 if n < 0");
    assert_eq!(none.verdict, Verdict::Holds, "{}", none.because);
}

#[test]
fn differences_of_all_pairs_are_computed_at_once() {
    let question = "computes f(m, n) = m - n if m >= n";
    let answer = ask(PMINUS, question);
    assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
    no_forgery_passes(
        &format!("{PMINUS}check {question}"),
        answer.evidence.unwrap(),
        20,
    );
    let wrong = ask(PMINUS, "computes f(m, n) = m - n + 1 if m > n");
    assert_eq!(wrong.verdict, Verdict::Violated);
    let other = ask(PMINUS, "computes f(m, n) = m - n if m >= n and n < 50");
    assert_ne!(other.verdict, Verdict::Holds);
}

#[test]
fn half_is_the_result_of_every_even_number_by_an_invariant_over_paired_letters() {
    let question = "computes f(n) = n / 2 if n % 2 == 0 wherever it stops";
    let answer = ask(DIV2, question);
    assert_eq!(answer.verdict, Verdict::Holds, "{}", answer.because);
    let evidence = answer.evidence.unwrap();
    let shows = |case: &serde_json::Value| case["proof"]["shows"] == "paired-invariant";
    let cases = evidence.body["cases"].as_array().unwrap();
    assert_eq!(cases.iter().filter(|case| shows(case)).count(), 2);
    no_forgery_passes(&format!("{DIV2}check {question}"), evidence, 60);
    // A machine that never stops computes anything wherever it stops.
    let never = ask(EMPTY, "computes f(n) = 7 * n wherever it stops");
    assert_eq!(never.verdict, Verdict::Holds, "{}", never.because);
    for wrong in ["n", "n / 2 + 1", "n - n / 2 - 1"] {
        let answer = ask(DIV2, &format!("computes f(n) = {wrong} wherever it stops"));
        assert_eq!(answer.verdict, Verdict::Violated);
    }
    let late = ask(DIV2, "computes f(n) = n / 2 if n < 1000 wherever it stops");
    assert_ne!(late.verdict, Verdict::Holds);
}

#[test]
fn evidence_for_one_function_is_none_for_another() {
    let text = |value: &str| format!("{DIV2}check half: computes f(n) = {value} wherever it stops");
    let evidence = check(open(&text("n / 2")).as_mut()).remove(0).evidence;
    let evidence = evidence.unwrap();
    certify(open(&text("n / 2")).as_mut(), &evidence).unwrap();
    for value in [
        "n / 2 + 1",
        "(n + 2) / 2",
        "n",
        "n / 2 + n % 2 + 3",
        "n / 3",
    ] {
        assert!(
            certify(open(&text(value)).as_mut(), &evidence).is_err(),
            "{value}"
        );
    }
}

#[test]
fn what_divides_by_zero_has_no_value_for_any_number() {
    for question in [
        "computes f(n) = n / 0",
        "computes f(n) = n % (3 - 3) + 1",
        "computes f(n) = 1 if n / 0 == 1",
        "computes f(m, n) = (m + n) / 0",
    ] {
        let never = ask(EMPTY, question);
        assert_eq!(
            never.verdict,
            Verdict::Holds,
            "{question}: {}",
            never.because
        );
        no_forgery_passes(
            &format!("{EMPTY}check {question}"),
            never.evidence.unwrap(),
            10,
        );
        let stops = ask("<1,1,R,1> <1,B,W(1),2>", question);
        assert_eq!(stops.verdict, Verdict::Violated, "{question}");
    }
}
