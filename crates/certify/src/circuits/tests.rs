mod tried;

use quotient_core::{Budget, Evidence};
use quotient_netlist::{Circuit, Literal, Proof, Run};

use super::*;

/// A token that goes round three places; two tokens at once are bad. An input lets it wait.
fn ring() -> (Circuit, Literal) {
    let mut circuit = Circuit::new();
    let go = circuit.input();
    let places: Vec<Literal> = (0..3).map(|at| circuit.latch(Some(at == 0))).collect();
    for at in 0..3 {
        let next = circuit.graph.ite(go, places[(at + 2) % 3], places[at]);
        circuit.connect(places[at], next);
    }
    let bad = circuit.graph.and(places[0], places[1]);
    (circuit, bad)
}

fn verdict(
    evidence: &Evidence,
    circuit: &Circuit,
    question: CircuitQuestion<'_>,
) -> Result<(), String> {
    certify_circuit(evidence, circuit, question, "p", &Budget::unlimited())
        .map(|_| ())
        .map_err(|rejection| rejection.to_string())
}

fn proof(clauses: &[&[i64]]) -> Proof {
    Proof {
        clauses: clauses.iter().map(|clause| clause.to_vec()).collect(),
        depth: 0,
        distinct: false,
        after: 0,
    }
}

fn proved(proof: &Proof) -> Result<(), String> {
    let (circuit, bad) = ring();
    let evidence = Evidence::of_holds(CIRCUIT_INVARIANT, proof);
    verdict(&evidence, &circuit, CircuitQuestion::Never(bad))
}

#[test]
fn only_inductive_invariants_that_exclude_the_bad_are_accepted() {
    let right = proof(&[&[-1, -2], &[-2, -3], &[-1, -3]]);
    assert_eq!(proved(&right), Ok(()));
    let dropped = proof(&[&[-1, -2], &[-2, -3]]);
    assert!(proved(&dropped).unwrap_err().contains("leads out of"));
    let weak = proof(&[&[1, 2, 3]]);
    assert!(proved(&weak).unwrap_err().contains("keep bad states out"));
    let false_at_start = proof(&[&[-1, -2], &[-2, -3], &[-1, -3], &[-1]]);
    assert!(
        proved(&false_at_start)
            .unwrap_err()
            .contains("at the start")
    );
    let empty_clause = proof(&[&[]]);
    assert!(proved(&empty_clause).is_err());
    for strange in [&[4i64][..], &[0], &[i64::MIN]] {
        assert!(proved(&proof(&[strange])).unwrap_err().contains("latch"));
    }
}

#[test]
fn induction_needs_the_depth_it_claims() {
    let at = |depth, distinct| Proof {
        clauses: Vec::new(),
        depth,
        distinct,
        after: 0,
    };
    // Without an invariant, two tokens may come from anywhere and wait for ever.
    assert!(proved(&at(1, false)).is_err());
    assert!(proved(&at(4, false)).is_err());
    assert!(proved(&at(20_000, true)).is_err());
    // Seven different states that are not bad there are not, whatever they are.
    assert_eq!(proved(&at(8, true)), Ok(()));
    assert!(proved(&at(2, true)).is_err());
}

/// Two latches that are on for good, the second a step after the first.
fn settling() -> (Circuit, Literal, Literal) {
    let mut circuit = Circuit::new();
    let (one, two) = (circuit.latch(Some(false)), circuit.latch(Some(false)));
    circuit.connect(one, Literal::TRUE);
    circuit.connect(two, one);
    (circuit, one, two)
}

#[test]
fn an_invariant_that_begins_later_needs_good_states_before() {
    let (mut circuit, one, two) = settling();
    let (odd, between) = (circuit.graph.and(two, !one), circuit.graph.and(one, !two));
    let later = |clauses: &[&[i64]], after| Proof {
        after,
        ..proof(clauses)
    };
    let shown = |proof: &Proof, bad| {
        let evidence = Evidence::of_holds(CIRCUIT_INVARIANT, proof);
        let plain = verdict(&evidence, &circuit, CircuitQuestion::Never(bad));
        let refuted = Refuted::find(proof, &circuit, bad, &Budget::unlimited());
        assert_eq!(plain.is_ok(), refuted.is_ok(), "{proof:?} {refuted:?}");
        plain
    };
    assert_eq!(shown(&later(&[&[1]], 1), odd), Ok(()));
    assert_eq!(shown(&later(&[&[1], &[2]], 2), odd), Ok(()));
    assert!(
        shown(&later(&[&[1]], 0), odd)
            .unwrap_err()
            .contains("at the start")
    );
    let early = shown(&later(&[&[1], &[2]], 1), odd);
    assert!(early.unwrap_err().contains("after 1 steps"));
    // What is bad before it begins is seen, in the first state and in the last of them.
    let first = shown(&later(&[&[1], &[2]], 2), !two);
    assert!(first.unwrap_err().contains("in 0 steps"));
    let last = shown(&later(&[&[1], &[2]], 2), between);
    assert!(last.unwrap_err().contains("in 1 steps"));
    // It must be kept, and keep bad states out, like any other.
    assert!(
        shown(&later(&[&[2]], 2), odd)
            .unwrap_err()
            .contains("leads out of")
    );
    assert!(
        shown(&later(&[], 2), odd)
            .unwrap_err()
            .contains("keep bad states out")
    );
    let mixed = Proof {
        depth: 2,
        ..later(&[&[1]], 1)
    };
    assert!(shown(&mixed, odd).unwrap_err().contains("begins later"));
    let mixed = Proof {
        distinct: true,
        ..later(&[&[1]], 1)
    };
    assert!(shown(&mixed, odd).unwrap_err().contains("begins later"));
    assert!(shown(&later(&[&[1]], 10_001), odd).is_err());
}

#[test]
fn a_run_must_be_one_and_show_the_signal() {
    let (circuit, _) = ring();
    let third = circuit.latches()[2].node.literal();
    let run = |start: [bool; 3], inputs: &[bool]| Run {
        start: start.to_vec().into(),
        inputs: inputs.iter().map(|&go| vec![go].into()).collect(),
        back_to: None,
    };
    let shown = |run: &Run| {
        let evidence = Evidence::of_violated(CIRCUIT_RUN, run);
        verdict(&evidence, &circuit, CircuitQuestion::Never(third))
    };
    let right = run([true, false, false], &[true, true, false]);
    assert_eq!(shown(&right), Ok(()));
    assert!(shown(&run([true, false, false], &[true, false, false])).is_err());
    assert!(shown(&run([false, false, true], &[true])).is_err());
    assert!(shown(&run([true, false, false], &[])).is_err());
    let short = Run {
        inputs: vec![Vec::new().into()],
        ..right.clone()
    };
    assert!(shown(&short).is_err());
    let mut constrained = circuit.clone();
    let place = constrained.latches()[1].node.literal();
    constrained.constraints.push(!place);
    let evidence = Evidence::of_violated(CIRCUIT_RUN, &right);
    assert!(verdict(&evidence, &constrained, CircuitQuestion::Never(third)).is_err());
}

#[test]
fn a_lasso_must_return_with_every_signal_on() {
    let (circuit, _) = ring();
    let places: Vec<Literal> = (circuit.latches().iter())
        .map(|one| one.node.literal())
        .collect();
    let run = |steps: usize, back_to| Run {
        start: vec![true, false, false].into(),
        inputs: vec![vec![true].into(); steps],
        back_to,
    };
    let shown = |run: &Run, signals: &[Literal]| {
        let evidence = Evidence::of_violated(CIRCUIT_RUN, run);
        verdict(&evidence, &circuit, CircuitQuestion::NotForever(signals))
    };
    assert_eq!(shown(&run(3, Some(0)), &places), Ok(()));
    assert!(shown(&run(2, Some(0)), &places).is_err());
    assert!(shown(&run(3, None), &places).is_err());
    assert!(shown(&run(3, Some(3)), &places).is_err());
    let both = {
        let mut other = circuit.clone();
        other.graph.and(places[0], places[1])
    };
    let (circuit, bad) = ring();
    assert_eq!(both, bad);
    let evidence = Evidence::of_violated(CIRCUIT_RUN, &run(3, Some(0)));
    assert!(verdict(&evidence, &circuit, CircuitQuestion::NotForever(&[bad])).is_err());
}

#[test]
fn a_lasso_must_return_to_what_matters_only() {
    // A lamp that blinks, a latch that is passed on from it, and one that nothing reads.
    let mut circuit = Circuit::new();
    let lamp = circuit.latch(Some(false));
    circuit.connect(lamp, !lamp);
    let after = circuit.latch(Some(true));
    circuit.connect(after, lamp);
    let once = circuit.latch(Some(false));
    circuit.connect(once, Literal::TRUE);
    let run = Run {
        start: vec![false, true, false].into(),
        inputs: vec![vec![].into(); 2],
        back_to: Some(0),
    };
    let shown = |circuit: &Circuit, run: &Run, signals: &[Literal]| {
        let evidence = Evidence::of_violated(CIRCUIT_RUN, run);
        verdict(&evidence, circuit, CircuitQuestion::NotForever(signals))
    };
    assert_eq!(shown(&circuit, &run, &[lamp]), Ok(()));
    assert_eq!(shown(&circuit, &run, &[lamp, after]), Ok(()));
    // What a signal depends on by way of another latch must come back, too.
    let late = Run {
        start: vec![false, true, false].into(),
        inputs: vec![vec![].into(); 1],
        back_to: Some(0),
    };
    assert!(shown(&circuit, &late, &[after]).is_err());
    // That the last one is off comes true once, and never again.
    assert!(shown(&circuit, &run, &[!once]).is_err());
    assert!(shown(&circuit, &run, &[lamp, !once]).is_err());
    // What only a constraint depends on must come back.
    let mut constrained = circuit.clone();
    let unlike = constrained.graph.and(once, after);
    constrained.constraints.push(!unlike);
    assert!(shown(&constrained, &run, &[lamp]).is_err());
    assert!(shown(&constrained, &run, &[]).is_err());
}

#[test]
fn a_bound_must_bound() {
    // A latch that goes off for ever when it is told.
    let mut circuit = Circuit::new();
    let _stop = circuit.input();
    let on = circuit.latch(Some(true));
    circuit.connect(on, Literal::FALSE);
    let check = |rounds: usize, clauses: &[&[i64]]| {
        let body = serde_json::json!({ "rounds": rounds, "clauses": clauses });
        let evidence = Evidence::of_holds(CIRCUIT_BOUND, &body);
        verdict(&evidence, &circuit, CircuitQuestion::NotForever(&[on]))
    };
    // Latch 1 is the lamp, 2 the mark of the signal, 3 that a round is over.
    assert_eq!(check(1, &[&[-1, -3], &[-2]]), Ok(()));
    assert!(check(0, &[&[-2]]).is_err());
    assert!(check(1, &[&[-2]]).is_err());
    assert!(check(1, &[&[-1, -3], &[-2], &[-3]]).is_err());
}

#[test]
fn kinds_and_claims_must_fit() {
    let (circuit, bad) = ring();
    let wrong = Evidence::of_violated(CIRCUIT_INVARIANT, &proof(&[]));
    assert!(verdict(&wrong, &circuit, CircuitQuestion::Never(bad)).is_err());
    let wrong = Evidence::of_holds("regular-invariant", &proof(&[]));
    assert!(verdict(&wrong, &circuit, CircuitQuestion::Never(bad)).is_err());
    let wrong = Evidence::of_holds(CIRCUIT_INVARIANT, &vec![1]);
    assert!(verdict(&wrong, &circuit, CircuitQuestion::Never(bad)).is_err());
}
