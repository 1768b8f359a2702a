//! Evidence for tables: one for each value of the constants.

use crate::common::{Asked, answers, open};
use quotient_core::{Budget, Claim, Evidence, Rejection, Verdict};
use serde_json::Value;

/// A walk whose ends may be anywhere.
const WALK: &str = "mdp
const int N;
const double p;
module walk
  x : [0..N] init 1;
  [step] x>0 & x<N -> 1-p:(x'=x-1) + p:(x'=x+1);
  [stay] x=1 -> 0.5:(x'=0) + 0.5:(x'=1);
  [end] x=0 | x=N -> true;
endmodule
rewards x>0 & x<N : 1; endrewards";

const QUESTIONS: [&str; 6] = [
    "Pmax=? [ F x=N ]",
    "P<=0.7 [ F x=N ]",
    "P>=0.3 [ F<=N x=0 ]",
    "Rmin=? [ F x=0 | x=N ]",
    "filter(max, Pmin=? [ F x=0 ]) >= 0.1",
    "S<=0.8 [ x=N ]",
];

fn asked(property: &str, n: &str, p: &str) -> Asked {
    Asked::property(property)
        .constant(&format!("N={n}"))
        .constant(&format!("p={p}"))
}

fn certify(asked: &Asked, evidence: &Evidence) -> Result<Vec<String>, Rejection> {
    let mut model = open(WALK, asked).expect("a model");
    let property = model.property(&asked.property[0]).expect("a property");
    let certified = model.certify(evidence, &property, &Budget::unlimited())?;
    Ok(certified.facts)
}

fn evidence(asked: &Asked) -> (Verdict, Evidence) {
    let mut answer = answers(WALK, asked).expect("an answer").remove(0);
    let evidence = answer.evidence.take().expect("evidence");
    (answer.verdict, evidence)
}

fn runs(evidence: &mut Evidence) -> &mut Vec<Value> {
    evidence.body["runs"].as_array_mut().expect("runs")
}

#[test]
fn each_run_of_a_table_is_checked() {
    let mut verdicts = Vec::new();
    for question in QUESTIONS {
        let asked = asked(question, "2:4", "0.25:0.25:0.75");
        let (verdict, evidence) = evidence(&asked);
        let claim = match verdict {
            Verdict::Holds => Claim::Holds,
            _ => Claim::Violated,
        };
        assert_eq!((&*evidence.kind, evidence.claim), ("chance-table", claim));
        let facts = certify(&asked, &evidence).unwrap_or_else(|why| panic!("{question}: {why}"));
        assert_eq!(facts.len(), 10, "{question}: {facts:?}");
        assert!(facts[9].starts_with("N=4, p=3/4: "), "{facts:?}");
        verdicts.push(verdict);
    }
    assert!(verdicts.contains(&Verdict::Violated) && verdicts.contains(&Verdict::Holds));
}

#[test]
fn forged_tables_are_refused() {
    for question in QUESTIONS {
        let asked = asked(question, "2:4", "1/4");
        let (_, genuine) = evidence(&asked);
        let refused = |change: &dyn Fn(&mut Evidence), what: &str| {
            let mut forged = genuine.clone();
            change(&mut forged);
            assert_ne!(forged, genuine, "{question}: {what}");
            assert!(certify(&asked, &forged).is_err(), "{question}: {what}");
        };
        refused(&|forged| drop(runs(forged).pop()), "one less");
        let twice = |forged: &mut Evidence| {
            let last = runs(forged)[2].clone();
            runs(forged).push(last);
        };
        refused(&twice, "one more");
        let turned = |forged: &mut Evidence| {
            forged.claim = match forged.claim {
                Claim::Holds => Claim::Violated,
                Claim::Violated => Claim::Holds,
            }
        };
        refused(&turned, "the claim turned");
        let one_turned = |forged: &mut Evidence| {
            let claim = &mut runs(forged)[1]["claim"];
            *claim = match claim.as_str() {
                Some("holds") => "violated".into(),
                _ => "holds".into(),
            };
        };
        refused(&one_turned, "the claim of one run turned");
        let both_turned = |forged: &mut Evidence| {
            one_turned(forged);
            forged.claim = match runs(forged).iter().all(|run| run["claim"] == "holds") {
                true => Claim::Holds,
                false => Claim::Violated,
            };
        };
        refused(
            &both_turned,
            "the claim of one run turned, and what follows",
        );
        let inside = |forged: &mut Evidence| {
            let whole = serde_json::json!({ "runs": runs(forged).clone() });
            runs(forged)[0]["body"] = whole;
            runs(forged)[0]["kind"] = "chance-table".into();
        };
        refused(&inside, "a table in a table");
    }
}

#[test]
fn a_table_and_a_number_are_different_questions() {
    let question = QUESTIONS[1];
    let (one, several) = (asked(question, "2", "1/4"), asked(question, "2:3", "1/4"));
    let (number, table) = (evidence(&one).1, evidence(&several).1);
    assert!(certify(&one, &number).is_ok());
    assert!(certify(&several, &number).is_err());
    assert!(certify(&one, &table).is_err());
    // Numbers of one run are not those of another.
    let mut exchanged = evidence(&asked(QUESTIONS[0], "3:4", "3/4")).1;
    runs(&mut exchanged).swap(0, 1);
    assert!(certify(&asked(QUESTIONS[0], "3:4", "3/4"), &exchanged).is_err());
}
