//! Formulas about runs by way of smaller nets, against the plain search.

use quotient_core::{Budget, Verdict};
use quotient_language::Answer;
use quotient_logic::{Formula as Time, Unary};

use crate::certify::certify;
use crate::detour;
use crate::formula::{Formula, Linear, Question, Temporal};
use crate::net::Net;
use crate::properties::Asked;
use crate::quiet_tests::{random_atom, random_time};
use crate::smaller_tests::random_net;
use crate::testing::{answered, answered_plainly, read};

/// The answer by way of a smaller net.
fn answered_smaller(net: &Net, asked: &Asked) -> Option<Answer> {
    answered(net, asked, |checker, start, tasks| {
        detour::solve_over_time(checker, start, checker.most, tasks).unwrap();
    })
}

fn asked(formula: Time<u32>, atoms: Vec<Formula>) -> Asked {
    Asked {
        name: "time".to_owned(),
        text: "time".to_owned(),
        kind: "ltl",
        question: Question::Temporal(Temporal {
            formula,
            atoms,
            linear: true,
        }),
        span: None,
    }
}

#[test]
fn formulas_about_runs_have_the_same_value_on_smaller_nets() {
    let (mut holding, mut broken, mut shown) = (0, 0, 0);
    quotient_trial::trial(|u| {
        let net = random_net(u)?;
        let atoms = vec![random_atom(u, &net)?, random_atom(u, &net)?];
        let asked = asked(random_time(u, 2, 3)?, atoms);
        let Some(found) = answered_smaller(&net, &asked) else {
            return Ok(());
        };
        let Some(expected) = answered_plainly(&net, &asked) else {
            return Ok(());
        };
        if !expected.verdict.is_definite() || !found.verdict.is_definite() {
            return Ok(());
        }
        assert_eq!(found.verdict, expected.verdict, "{net:?}{asked:?}");
        match found.verdict {
            Verdict::Holds => holding += 1,
            _ => broken += 1,
        }
        if let Some(evidence) = &found.evidence {
            shown += 1;
            let budget = Budget::unlimited();
            certify(&net, "time", &asked.question, evidence, &budget)
                .unwrap_or_else(|why| panic!("{why} {net:?}{asked:?}"));
        }
        Ok(())
    })
    .budget_ms(4_000);
    assert!(
        holding > 5 && broken > 5 && shown > 3,
        "{holding} {broken} {shown}"
    );
}

#[test]
fn what_goes_on_for_ever_elsewhere_is_not_taken_away() {
    // Nothing forces `go`: the other token may go round for ever. It passes two places on its way.
    let text = "pl a (1)\npl x (1)\ntr go a -> b\ntr one x -> y\ntr two y -> z\ntr back z -> x\n";
    let net = read(text);
    let place = net.places.iter().position(|place| place.id == "b").unwrap();
    let terms = vec![(place, 1)];
    let reached = Formula::AtLeast(Linear { terms, least: 1 });
    let later = Time::unary(Unary::Finally(None), Time::atom(0));
    let asked = asked(later, vec![reached]);
    let found = answered_smaller(&net, &asked).unwrap();
    assert_eq!(found.verdict, Verdict::Violated);
    assert!(found.because.ends_with("for ever"), "{}", found.because);
    let evidence = found.evidence.unwrap();
    certify(
        &net,
        "time",
        &asked.question,
        &evidence,
        &Budget::unlimited(),
    )
    .unwrap();
}
