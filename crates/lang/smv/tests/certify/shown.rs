//! What runs and sets show, and what they do not.

use super::*;
use quotient_core::Verdict;

#[test]
fn sets_and_runs_are_refused_where_they_fail() {
    let text = "MODULE main VAR x : 0..3; w : signed word[3];
        ASSIGN init(x) := 0; next(x) := x < 2 ? x + 1 : x;
        INVARSPEC x < 3 INVARSPEC x < 2 SPEC AF x = 2";
    let mut session = open(text).unwrap();
    let certificate = session.check(0).unwrap().certificate.unwrap();
    let found = evidence(&mut session, 1).unwrap();
    let program = session.file().program();
    let set = certificate.evidence();
    assert!(certify(program, 0, &set).is_ok());
    assert!(refused(program, 1, &set).contains("state of the set violates"));
    assert!(refused(program, 2, &set).contains("no invariant"));
    assert!(certify(program, 1, &found).is_ok());
    assert!(refused(program, 0, &found).contains("no state of the run violates"));
    assert!(undecided(program, 2, &found));

    // Everything but `x = 2`: a step leaves it.
    let mut leaky = certificate.clone();
    leaky.variables = vec!["x".to_owned()];
    leaky.nodes = vec![(0, 1, 1, 0)];
    leaky.root = 2;
    assert!(refused(program, 0, &leaky.evidence()).contains("leaves the set"));
    leaky.root = 3;
    assert!(refused(program, 0, &leaky.evidence()).contains("initial state is outside"));
    for nodes in [(0, 1, 9, 0), (0, 7, 1, 0), (3, 0, 1, 0), (0, 0, 1, 3)] {
        leaky.nodes = vec![nodes];
        assert!(refused(program, 0, &leaky.evidence()).contains("no decision diagram"));
    }
    leaky.variables = vec!["y".to_owned()];
    assert!(refused(program, 0, &leaky.evidence()).contains("`y` is no variable"));
}

#[test]
fn a_lasso_is_accepted_only_for_what_it_violates_and_only_if_it_is_fair() {
    let text = "MODULE main VAR x : 0..3; IVAR go : boolean;
        ASSIGN init(x) := 0; next(x) := go ? (x + 1) mod 4 : x;
        FAIRNESS x != 1; COMPASSION (x = 2, x = 3)
        LTLSPEC F x = 3
        LTLSPEC G (x = 3 -> O x = 2)
        SPEC AF x = 3
        SPEC AG (x = 1 -> AF x = 3)
        SPEC !EF x = 2
        SPEC EX (x = 1 & EX x = 2)
        LTLSPEC G (go -> X x != 2)";
    let mut session = open(text).unwrap();
    let genuine: Vec<_> = (0..7).map(|n| evidence(&mut session, n)).collect();
    let program = session.file().program();
    for number in [0, 2, 3, 4, 6] {
        let evidence = genuine[number].as_ref().expect("violated");
        assert!(certify(program, number, evidence).is_ok(), "{number}");
    }
    let forged = |states: &[&str], back_to| run("x go", states, back_to);
    // Staying in 0 violates `F x = 3`, but no statement about the past.
    let stays = forged(&["0 FALSE"], Some(0));
    for (number, accepted) in [(0, true), (1, false), (2, true), (3, false), (4, false)] {
        assert_eq!(
            certify(program, number, &stays).is_ok(),
            accepted,
            "{number}"
        );
    }
    // `EX …` holds; that a run does not do it says nothing about the others.
    assert!(undecided(program, 5, &stays));
    // Staying in 1 is not just, staying in 2 not compassionate (which CTL does not ask for).
    let unjust = forged(&["0 TRUE", "1 FALSE"], Some(1));
    assert!(refused(program, 0, &unjust).contains("fairness"));
    assert!(refused(program, 3, &unjust).contains("fairness"));
    let weak = forged(&["0 TRUE", "1 TRUE", "2 FALSE"], Some(2));
    assert!(refused(program, 0, &weak).contains("fairness"));
    assert!(certify(program, 3, &weak).is_ok());
    // A run that is none of the model, and one without a loop for a formula that needs one.
    let jump = forged(&["0 TRUE", "2 FALSE"], Some(1));
    assert!(refused(program, 0, &jump).contains("no such step from state 1"));
    let ends = forged(&["0 TRUE", "1 TRUE", "2 TRUE", "3 TRUE"], None);
    assert!(undecided(program, 0, &ends));
}

#[test]
fn invariants_about_steps_are_violated_by_a_step() {
    let text = "MODULE main VAR x : 0..3; IVAR go : boolean;
        ASSIGN init(x) := 0; next(x) := go & x < 3 ? x + 1 : x;
        INVARSPEC next(x) >= x
        INVARSPEC x = 2 -> next(x) = 2
        INVARSPEC go -> x < 2";
    let mut session = open(text).unwrap();
    assert_eq!(session.check(0).unwrap().verdict, Verdict::Holds);
    let reached = evidence(&mut session, 0).unwrap();
    let program = session.file().program();
    assert!(certify(program, 0, &reached).is_ok());
    assert!(refused(program, 1, &reached).contains("violates the property"));
    for number in [1, 2] {
        let found = evidence(&mut session, number).unwrap();
        let program = session.file().program();
        assert!(certify(program, number, &found).is_ok());
        // Without its last step it shows nothing.
        let mut cut: RunEvidence = found.read().unwrap();
        cut.states.pop();
        let cut = Evidence::of_violated(RUN_KIND, &cut);
        assert!(refused(program, number, &cut).contains("no state of the run violates"));
    }
    // Every state, with any step, proves the first.
    let program = session.file().program();
    let all = quotient_states::StateSet {
        variables: vec![],
        nodes: vec![],
        root: 0,
    };
    let all = Evidence::of_holds(quotient_states::StateSet::KIND, &all);
    assert!(certify(program, 0, &all).is_ok());
    assert!(refused(program, 1, &all).contains("violates the property"));
}

#[test]
fn an_invariant_that_mentions_the_next_state_is_about_steps_whatever_is_left_of_it() {
    // No step leads away from `x = 2`, and none violates what is said there.
    let text = "MODULE main VAR x : 0..2; ASSIGN init(x) := 2; TRANS x < 2 & next(x) = x
        INVARSPEC next(x) != next(x) INVARSPEC next(x) > 5 INVARSPEC FALSE";
    let mut session = open(text).unwrap();
    let verdicts: Vec<Verdict> = (0..3).map(|n| session.check(n).unwrap().verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Holds, Verdict::Holds, Verdict::Violated]
    );
    // What never changes is asked of steps, too.
    let frozen =
        "MODULE main FROZENVAR f : boolean; VAR x : boolean; DEFINE c := FALSE; d := next(c);
        TRANS FALSE INVARSPEC !(f & next(f)) INVARSPEC next(f) = f -> FALSE INVARSPEC next(c)
        INVARSPEC d INVARSPEC f INVARSPEC c";
    let mut session = open(frozen).unwrap();
    let verdicts: Vec<Verdict> = (0..6).map(|n| session.check(n).unwrap().verdict).collect();
    let holds = verdicts.iter().map(|verdict| *verdict == Verdict::Holds);
    assert_eq!(
        holds.collect::<Vec<_>>(),
        [true, true, true, true, false, false]
    );
    for number in 0..4 {
        let program = session.file().program();
        let stays = Evidence::of_violated(
            RUN_KIND,
            &RunEvidence {
                variables: vec!["f".into(), "x".into()],
                states: vec![vec!["TRUE".into(), "TRUE".into()]],
                back_to: None,
            },
        );
        assert!(refused(program, number, &stays).contains("no state of the run violates"));
        let reached = evidence(&mut session, number).unwrap();
        assert!(certify(session.file().program(), number, &reached).is_ok());
    }
    // What holds in every step from the states that are reached, not from others.
    let some = "MODULE main VAR x : 0..3; y : boolean; IVAR go : boolean;
        ASSIGN init(x) := 0; next(x) := x = 3 ? 0 : go & x < 2 ? x + 1 : x;
        INVARSPEC next(x) >= x";
    let mut session = open(some).unwrap();
    let reached = evidence(&mut session, 0).unwrap();
    let program = session.file().program();
    assert!(certify(program, 0, &reached).is_ok());
    let all = quotient_states::StateSet {
        variables: vec![],
        nodes: vec![],
        root: 0,
    };
    let all = Evidence::of_holds(quotient_states::StateSet::KIND, &all);
    assert!(refused(program, 0, &all).contains("violates the property"));
    // Where there is a step, the run that shows it ends with one.
    let goes = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := 1;
        INVARSPEC next(x) != next(x) INVARSPEC next(x) > 5";
    let mut session = open(goes).unwrap();
    for number in [0, 1] {
        let found = evidence(&mut session, number).unwrap();
        let run: RunEvidence = found.read().unwrap();
        assert_eq!(run.states.len(), 2);
        assert!(certify(session.file().program(), number, &found).is_ok());
    }
}

#[test]
fn long_formulas_are_looked_at_once() {
    for sign in ["&", "|", "->", "<->", "xor"] {
        let parts: Vec<String> = (0..60).map(|at| format!("(x{at} | !x{at})")).collect();
        let variables: String = (0..60).map(|at| format!("x{at} : boolean; ")).collect();
        let joined = parts.join(&format!(" {sign} "));
        let text = format!(
            "MODULE main VAR {variables} INVARSPEC ({joined}) | TRUE SPEC AG ({joined} | x0 | !x0)"
        );
        let mut session = open(&text).unwrap();
        for number in [0, 1] {
            let found = evidence(&mut session, number).unwrap();
            assert!(
                certify(session.file().program(), number, &found).is_ok(),
                "{sign}"
            );
        }
    }
}

#[test]
fn violations_of_bounded_branching_formulas_are_worked_out_state_by_state() {
    let text = "MODULE main VAR x : 0..5; ASSIGN init(x) := 0;
        next(x) := case x < 3 : {x + 1, x}; x = 3 : 4; TRUE : x; esac;
        SPEC EBF 0..2 x = 3
        SPEC ABF 1..2 x = 1
        SPEC EBG 1..2 EX x = 5
        SPEC AX EBG 3..4 x = 0 & AX E [x < 2 BU 2..3 x = 4]
        SPEC A [EX x = 2 BU 1..3 EX x = 4]
        SPEC E [EX x = 1 BU 0..1 AX x = 4] | ABG 0..3 EX x = 0";
    let mut session = open(text).unwrap();
    for number in 0..6 {
        assert_eq!(session.check(number).unwrap().verdict, Verdict::Violated);
        let found = evidence(&mut session, number).unwrap();
        assert!(
            certify(session.file().program(), number, &found).is_ok(),
            "{number}"
        );
    }
}

#[test]
fn fairness_about_inputs_counts_where_all_states_are_looked_at() {
    // Sooner or later the input is true, and then `x` is 1 for ever.
    let text = "MODULE main IVAR i : boolean; VAR x : 0..1;
        ASSIGN init(x) := 0; next(x) := i ? 1 : x;
        FAIRNESS i
        SPEC EX EG x = 0
        SPEC EX AX EG x = 0
        SPEC EX AF x = 1
        SPEC EX !EG x = 0";
    let mut session = open(text).unwrap();
    for number in [0, 1] {
        assert_eq!(session.check(number).unwrap().verdict, Verdict::Violated);
        let found = evidence(&mut session, number).unwrap();
        let facts = certify(session.file().program(), number, &found)
            .unwrap()
            .facts;
        assert!(facts.iter().any(|fact| fact.contains("one by one")));
    }
    // Without fairness, the opposite of what holds would be true.
    for number in [2, 3] {
        assert_eq!(session.check(number).unwrap().verdict, Verdict::Holds);
        let forged = run("i x", &["FALSE 0"], None);
        assert!(certify(session.file().program(), number, &forged).is_err());
    }
}

#[test]
fn a_prefix_counts_only_if_it_goes_on_for_ever_and_fairly() {
    // From 1 on there is only 2, where it ends.
    let dead = "MODULE main VAR x : 0..2; INIT x = 0
        TRANS x < 2 & (x = 0 -> next(x) in {0, 1}) & (x = 1 -> next(x) = 2)
        INVARSPEC x != 1 SPEC AG x != 1 LTLSPEC G x != 1 SPEC !EF x = 1";
    let mut session = open(dead).unwrap();
    let verdicts: Vec<Verdict> = (0..4).map(|n| session.check(n).unwrap().verdict).collect();
    use Verdict::{Holds, Violated};
    assert_eq!(verdicts, [Violated, Holds, Holds, Holds]);
    let program = session.file().program();
    let prefix = run("x", &["0", "1"], None);
    assert!(certify(program, 0, &prefix).is_ok());
    for number in [1, 2, 3] {
        assert!(undecided(program, number, &prefix), "{number}");
    }
    // The same with a loop that is not fair.
    let unfair = "MODULE main VAR x : 0..2; INIT x = 0 FAIRNESS x = 0
        TRANS (x = 0 -> next(x) in {0, 1}) & (x > 0 -> next(x) = 2)
        INVARSPEC x != 1 SPEC AG x != 1 LTLSPEC G x != 1";
    let file = read(unfair);
    let program = file.program();
    assert!(certify(program, 0, &prefix).is_ok());
    assert!(undecided(program, 1, &prefix));
    assert!(undecided(program, 2, &prefix));
    let unjust = run("x", &["0", "1", "2"], Some(2));
    assert!(refused(program, 1, &unjust).contains("fairness"));
    // And where it goes on, after a while.
    let round = "MODULE main VAR x : 0..6; INIT x = 0 FAIRNESS x = 5
        TRANS next(x) = (x + 1) mod 7
        SPEC AG x != 1 LTLSPEC G x != 1 SPEC AG x != 7 - 7 + 6";
    let file = read(round);
    for number in [0, 1] {
        let certified = certify(file.program(), number, &prefix).unwrap();
        assert!(
            certified
                .facts
                .iter()
                .any(|fact| fact.contains("can go on"))
        );
    }
    assert!(refused(file.program(), 2, &prefix).contains("no state of the run"));
}

#[test]
fn nothing_is_proved_about_a_model_without_initial_states() {
    let text = "MODULE main VAR x : 0..3; INIT x > 3 INVARSPEC x = 2";
    let mut session = open(text).unwrap();
    let found = evidence(&mut session, 0).unwrap();
    let program = session.file().program();
    assert!(undecided(program, 0, &found));
    let asked = &program.specifications()[0];
    let allowed = program.certify(asked, &found, true, &Budget::unlimited());
    assert_eq!(allowed.unwrap().facts[0], "the model has no initial state");
}

#[test]
fn words_enumerations_and_processes_are_checked_in_their_own_values() {
    let text = "MODULE main VAR w : word[40]; s : signed word[5]; e : {a, 3, b}; p : process up(w);
        ASSIGN init(w) := 0ud40_1099511627770; init(s) := -0sd5_16; init(e) := b;
          next(s) := s + 0sd5_1; next(e) := e = b ? 3 : {a, b};
        INVARSPEC w != 0ud40_2
        INVARSPEC e = 3 -> s > -0sd5_16
        INVARSPEC e != 3
        MODULE up(w) ASSIGN next(w) := w + 0ud40_1; FAIRNESS running";
    let mut session = open(text).unwrap();
    for number in 0..3 {
        let Some(found) = evidence(&mut session, number) else {
            panic!("no evidence for {number}");
        };
        let program = session.file().program();
        let certified = certify(program, number, &found);
        assert!(certified.is_ok(), "{number} {certified:?}");
    }
}

/// Formulas are looked at in what they depend on; the rest comes along in the run, or, where it does
/// not come round with it for long (the clock), a run of all is looked for.
#[test]
fn runs_of_formulas_have_values_for_what_the_formula_does_not_depend_on() {
    let parts = [
        (
            "data : 0..7; in_ : 0..7;",
            "next(data) := busy ? in_ : data;",
        ),
        (
            "tick : 0..499;",
            "init(tick) := 0; next(tick) := (tick + 1) mod 500;",
        ),
        (
            "odd : boolean; old : boolean;",
            "next(odd) := !odd; next(old) := odd;",
        ),
    ];
    for (variables, rest) in parts {
        let text = format!(
            "MODULE main VAR busy : boolean; done : boolean; {variables}
            ASSIGN init(busy) := FALSE; init(done) := FALSE; {rest}
              next(busy) := done ? FALSE : {{TRUE, busy}}; next(done) := busy & !done;
            LTLSPEC G F done LTLSPEC G (busy -> F done) LTLSPEC F G !done"
        );
        let mut session = open(&text).unwrap();
        for (number, verdict) in [Verdict::Violated, Verdict::Holds, Verdict::Violated]
            .into_iter()
            .enumerate()
        {
            let answer = session.check(number).unwrap();
            assert_eq!(answer.verdict, verdict, "{number} of {text}");
            let program = session.file().program();
            if let Some(run) = answer.run {
                assert_eq!(run.variables.len(), program.variables().len(), "{text}");
                let certified = certify(program, number, &run.evidence(program));
                assert!(certified.is_ok(), "{number} of {text}: {certified:?}");
            }
        }
    }
}

/// Violations that take more than one run to show, in models with more states than are looked at: a part
/// around the run is enough.
#[test]
fn a_part_of_a_large_model_shows_that_no_way_leads_on() {
    let text = "MODULE main VAR c : 0..299; d : 0..99; e : 0..9; b : boolean;
        IVAR go : boolean;
        ASSIGN init(c) := 0; next(c) := (c + 1) mod 300;
        init(e) := 0; next(e) := {e, (e + 1) mod 10};
        init(d) := 0; next(d) := go ? (d + 1) mod 100 : d;
        init(b) := FALSE; next(b) := c = 2 & go ? TRUE : b;
        SPEC AG (c = 5 -> EX c = 7)
        SPEC EG c < 9
        SPEC EX EX (c = 1 | EG d > 0 & c = 3)
        SPEC AG (c = 5 -> EX c = 6)
        SPEC AG EX d = 1
        SPEC EBF 3..6 c = 8";
    let mut session = open(text).unwrap();
    for number in [0, 1, 2, 4, 5] {
        let found = evidence(&mut session, number);
        let found = found.unwrap_or_else(|| panic!("{number} has no evidence"));
        let program = session.file().program();
        let certified = certify(program, number, &found);
        assert!(certified.is_ok(), "{number}: {certified:?}");
        // What holds is not refuted by it.
        if number == 0 {
            assert!(certify(program, 3, &found).is_err());
        }
    }
}
