//! Why a chance is too large, in runs.

use crate::common::{Asked, answers};
use quotient_core::Verdict;
use quotient_language::Answer;

const COIN: &str = "dtmc module m s : [0..4];
  [] s=0 -> 0.5:(s'=1) + 0.5:(s'=2);
  [] s=1 -> 0.5:(s'=1) + 0.5:(s'=3);
  [] s=2 -> (s'=4);
  [] s>=3 -> true;
endmodule";

fn violated(model: &str, property: &str) -> Answer {
    let answer = answers(model, &Asked::property(property))
        .unwrap()
        .remove(0);
    assert_eq!(answer.verdict, Verdict::Violated, "{property}");
    answer
}

fn listed(answer: &Answer) -> Vec<Vec<String>> {
    answer.table.as_ref().expect("a list of runs").rows.clone()
}

#[test]
fn the_fewest_runs_that_are_too_likely_are_shown() {
    // A quarter of the runs go straight on, an eighth throws the coin once more.
    let answer = violated(COIN, "P<=0.3 [ F s=3 ]");
    let rows = listed(&answer);
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[0][2], "s=0 -> s=1 -> s=3");
    assert_eq!(rows[1][2], "s=0 -> s=1 -> the same -> s=3");
    assert_eq!(&rows[1][..2], ["0.125000", "0.375000"]);
    assert!(answer.notes.iter().any(|note| note.starts_with("2 runs")));
    assert_eq!(answer.trace.expect("a run").steps.len(), 3);
    // What never happens too rarely is its opposite too often.
    let rows = listed(&violated(COIN, "P>=0.8 [ G s!=4 ]"));
    assert_eq!(rows[0][2], "s=0 -> s=2 -> s=4");
    // Beside what may be passed only.
    let rows = listed(&violated(COIN, "P<0.2 [ s<2 U s=3 ]"));
    assert_eq!(rows.len(), 1);
}

#[test]
fn runs_of_a_decision_process_are_those_of_the_worst_choices() {
    let model = "mdp module m s : [0..2];
      [good] s=0 -> 0.1:(s'=1) + 0.9:(s'=2);
      [bad] s=0 -> 0.6:(s'=1) + 0.4:(s'=2);
      [] s>0 -> true;
    endmodule";
    let answer = violated(model, "Pmax<=0.5 [ F s=1 ]");
    assert_eq!(listed(&answer)[0][0], "0.600000");
    let trace = answer.trace.expect("a run");
    assert_eq!(trace.steps[1].action.as_deref(), Some("bad"));
    assert_eq!(trace.steps[1].by, ["m"]);
}

#[test]
fn so_many_runs_that_they_cannot_be_listed_are_counted() {
    // Each way round is as likely as the others of its length: 1/2 is reached by all together only.
    let walk = "dtmc module m x : [0..9] init 5;
      [] x>0 & x<9 -> 0.5:(x'=x-1) + 0.5:(x'=x+1); [] x=0 | x=9 -> true; endmodule";
    let answer = violated(walk, "P<=0.4 [ F x=9 ]");
    let rows = listed(&answer);
    assert_eq!(rows.len(), 21);
    assert!(rows[19][2].contains("more)"), "{}", rows[19][2]);
    assert_eq!(rows[20][0], "…");
}
