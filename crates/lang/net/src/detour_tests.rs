//! Formulas about runs by way of smaller nets, against the plain search.

use quotient_core::{Budget, Context, Source, Verdict};
use quotient_language::Answer;
use quotient_logic::{Formula as Time, Unary};

use crate::certify::certify;
use crate::check::{Checker, Task};
use crate::formula::{Formula, Linear, Question, Temporal};
use crate::net::Net;
use crate::properties::Asked;
use crate::quiet_tests::{random_atom, random_time};
use crate::smaller_tests::random_net;
use crate::{detour, temporal};

/// The answer of the plain search, or by way of a smaller net.
fn answer(net: &Net, asked: &Asked, smaller: bool) -> Option<Answer> {
    let cx = Context::default();
    let checker = Checker {
        net,
        cx: &cx,
        most: 3_000,
        threads: 1,
        nested: false,
        symmetry: false,
    };
    let start = net.start().unwrap();
    let mut bits = vec![1; start.len()];
    let mut tasks = Task::of(0, asked);
    match smaller {
        true => detour::solve_over_time(&checker, &start, 3_000, &mut tasks).unwrap(),
        false => {
            let ready = &mut |_: &mut [Task]| {};
            let _ = temporal::solve(&checker, &start, 3_000, &mut bits, &mut tasks, ready);
        }
    }
    tasks[0].answer.take()
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
        let Some(found) = answer(&net, &asked, true) else {
            return Ok(());
        };
        let Some(expected) = answer(&net, &asked, false) else {
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
        holding > 20 && broken > 20 && shown > 10,
        "{holding} {broken} {shown}"
    );
}

#[test]
fn what_goes_on_for_ever_elsewhere_is_not_taken_away() {
    // Nothing forces `go`: the other token may go round for ever. It passes two places on its way.
    let text = "pl a (1)\npl x (1)\ntr go a -> b\ntr one x -> y\ntr two y -> z\ntr back z -> x\n";
    let net = crate::tina::read(&Source::new("r.net", text)).unwrap();
    let place = net.places.iter().position(|place| place.id == "b").unwrap();
    let terms = vec![(place, 1)];
    let reached = Formula::AtLeast(Linear { terms, least: 1 });
    let later = Time::unary(Unary::Finally(None), Time::atom(0));
    let asked = asked(later, vec![reached]);
    let found = answer(&net, &asked, true).unwrap();
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
