//! Runs of circuits that are none, made by hand.

use quotient_certify::{CircuitQuestion, certify_circuit};
use quotient_core::{Budget, Evidence};
use quotient_netlist::{CIRCUIT_RUN, Circuit, Literal, Run};

/// A latch that is set by the first step in which the input is on, and stays on.
fn circuit() -> (Circuit, Literal, Literal) {
    let mut circuit = Circuit::new();
    let input = circuit.input();
    let latch = circuit.latch(Some(false));
    let next = circuit.graph.or(input, latch);
    circuit.connect(latch, next);
    (circuit, input, latch)
}

fn run(start: bool, inputs: &[bool], back_to: Option<usize>) -> Run {
    Run {
        start: vec![start].into(),
        inputs: inputs.iter().map(|&input| vec![input].into()).collect(),
        back_to,
    }
}

fn is_accepted(question: CircuitQuestion<'_>, circuit: &Circuit, run: &Run) -> bool {
    let evidence = Evidence::of_violated(CIRCUIT_RUN, run);
    certify_circuit(&evidence, circuit, question, "b0", &Budget::unlimited()).is_ok()
}

#[test]
fn a_run_to_a_signal_shows_it_in_its_last_step() {
    let (circuit, _, latch) = circuit();
    let never = |run: Run| is_accepted(CircuitQuestion::Never(latch), &circuit, &run);
    assert!(never(run(false, &[true, false], None)));
    assert!(!never(run(false, &[true], None)), "it is on after the step");
    assert!(!never(run(false, &[false, false], None)));
    assert!(!never(run(true, &[false], None)), "it starts elsewhere");
    assert!(!never(run(false, &[], None)), "nothing is shown");
    assert!(
        !never(run(false, &[true, false], Some(1))),
        "it does not end"
    );
    let mut wide = run(false, &[true, false], None);
    wide.start = vec![false, true].into();
    assert!(!never(wide.clone()), "there is one latch");
    wide.start = Vec::new().into();
    assert!(!never(wide));
}

#[test]
fn a_loop_comes_back_to_where_it_began() {
    let (circuit, input, latch) = circuit();
    let forever = |signals: &[Literal], run: Run| {
        is_accepted(CircuitQuestion::NotForever(signals), &circuit, &run)
    };
    assert!(forever(&[input, latch], run(false, &[true, true], Some(1))));
    // The latch is off where the loop is said to begin, and on where it ends.
    let off = [!latch, input];
    assert!(!forever(&off, run(false, &[true], Some(0))));
    assert!(!forever(&off, run(false, &[false, true], Some(0))));
    assert!(!forever(&off, run(false, &[true, true], Some(1))));
    assert!(forever(&[!latch], run(false, &[false], Some(0))));
    assert!(!forever(&[!latch], run(false, &[false], None)));
    assert!(!forever(&[!latch], run(false, &[false], Some(1))));
    assert!(!forever(&[!latch], run(false, &[], Some(0))));
}
