//! Runs that go round until all latches are back.

use quotient_netlist::{Circuit, Literal, Run};

/// The longer run comes back to all latches, fulfils the constraints, and has the signal on in each
/// round.
pub(super) fn all_comes_back(circuit: &Circuit, run: &Run, signal: Literal) {
    let whole = crate::returning(run, circuit).unwrap();
    assert_eq!(whole.inputs[..run.inputs.len()], run.inputs[..]);
    let states = whole.states(circuit);
    let round = &states[whole.back_to.unwrap()..];
    assert!(round.iter().any(|state| state.is_on(signal)));
    for state in &states {
        assert!(circuit.constraints.iter().all(|&one| state.is_on(one)));
    }
    let last = states.last().unwrap();
    for latch in circuit.latches() {
        assert_eq!(last.is_on(latch.next), round[0].is_on(latch.node.literal()));
    }
}
