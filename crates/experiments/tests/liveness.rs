//! Liveness reduced to safety.

use quotient_core::{Budget, Context, Verdict};
use quotient_experiments::models::{self, Order};
use quotient_regular::{
    Fairness, LivenessError, Options, Problem, check, communal_liveness, individual_liveness,
};

fn individual(problem: &Problem, fairness: Fairness) -> Problem {
    let waiting = problem.alphabet().set(["w"]).unwrap();
    individual_liveness(
        problem,
        &waiting,
        &["enter"],
        fairness,
        &Budget::unlimited(),
    )
    .unwrap()
    .unwrap()
}

fn verdict(problem: &Problem) -> Verdict {
    check(problem, &Options::default(), &Context::default()).verdict()
}

#[test]
fn somebody_always_enters_the_bakery() {
    for order in [Order::Tickets, Order::None] {
        let problem = communal_liveness(&models::small_bakery(order), &["enter"]).unwrap();
        assert_eq!(problem.alphabet().len(), 14);
        assert_eq!(verdict(&problem), Verdict::Holds, "{order:?}");
    }
}

#[test]
fn a_loop_without_progress_is_found() {
    // Processes cannot go round without taking tickets, but with them they can.
    let problem =
        communal_liveness(&models::small_bakery(Order::None), &["take a ticket"]).unwrap();
    assert_eq!(verdict(&problem), Verdict::Holds);
    let no_progress = communal_liveness(&models::small_bakery(Order::None), &[]).unwrap();
    assert_eq!(verdict(&no_progress), Verdict::Violated);
}

#[test]
fn without_order_a_process_may_wait_for_ever() {
    let problem = individual(&models::small_bakery(Order::None), Fairness::Weak);
    let report = check(&problem, &Options::default(), &Context::default());
    let run = report.answers[0].run(&problem).unwrap();
    assert_eq!(run.steps.len(), 7, "{run:?}");
    assert!(run.steps.contains(&"cannot step (in the loop)".to_owned()));
}

#[test]
fn with_tickets_every_process_gets_its_turn() {
    let problem = individual(&models::small_bakery(Order::Tickets), Fairness::Weak);
    assert_eq!(verdict(&problem), Verdict::Holds);
}

#[test]
fn an_unfair_schedule_needs_no_excuse() {
    let problem = individual(&models::small_bakery(Order::None), Fairness::None);
    let report = check(&problem, &Options::default(), &Context::default());
    let run = report.answers[0].run(&problem).unwrap();
    assert!(run.steps.len() < 7, "{run:?}");
}

#[test]
fn wrong_names_and_lengths_are_refused() {
    let bakery = models::small_bakery(Order::Tickets);
    let error = communal_liveness(&bakery, &["entre"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no transducer `entre`; did you mean `enter`?"
    );
    let error = communal_liveness(&models::plotter(), &[]).unwrap_err();
    assert!(matches!(error, LivenessError::ChangesLength { .. }));
}
