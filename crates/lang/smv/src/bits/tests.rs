mod forged;

use quotient_core::{Budget, Context, Source, Verdict};

use super::AsCircuit;
use crate::session::Answer;
use crate::{Config, File, Session};

/// The answers of both engines to all specifications of a text.
fn both(text: &str) -> Vec<(Option<Answer>, Answer)> {
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let cx = Context::default();
    let mut circuit = AsCircuit::new(file.program(), 1, &cx).unwrap();
    let program = file.program();
    let mut found = Vec::new();
    for asked in program.specifications() {
        let limited = Context {
            budget: Budget::unlimited().child_with_work(20_000_000),
            ..cx.clone()
        };
        let answer = circuit.check(program, asked, &limited).unwrap();
        if let Some(one) = answer.as_ref().filter(|one| one.verdict == Verdict::Holds) {
            let set = one.certificate.as_ref().map(|set| set.evidence());
            let evidence = set.or_else(|| one.proof.as_ref().map(|proof| proof.evidence()));
            let evidence = evidence.expect("what holds is shown");
            let certified = program.certify(asked, &evidence, true, &Budget::unlimited());
            assert!(certified.is_ok(), "{certified:?} of {}\n{text}", asked.text);
        }
        if let Some(run) = answer.as_ref().and_then(|one| one.run.as_ref()) {
            let evidence = run.evidence(program);
            let certified = program.certify(asked, &evidence, true, &Budget::unlimited());
            assert!(certified.is_ok(), "{certified:?} of {}\n{text}", asked.text);
        }
        found.push(answer);
    }
    let mut session = Session::open(file, Config::small(), &cx).unwrap();
    let numbers = 0..found.len();
    let diagrams: Vec<Answer> = numbers
        .map(|number| session.check(number).unwrap())
        .collect();
    found.into_iter().zip(diagrams).collect()
}

/// What is certain to go on has nothing to doubt for decision diagrams.
fn goes_on(text: &str) -> bool {
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let cx = Context::default();
    let mut circuit = AsCircuit::new(file.program(), 1, &cx).unwrap();
    let certain = circuit.goes_on(&cx).unwrap();
    let mut session = Session::open(file, Config::small(), &cx).unwrap();
    let doubts = session.doubts().unwrap();
    assert!(!certain || doubts.is_empty(), "{doubts:?} of\n{text}");
    certain
}

fn agree(text: &str) -> usize {
    let mut answered = 0;
    for (number, (circuit, diagrams)) in both(text).into_iter().enumerate() {
        if let Some(circuit) = circuit {
            assert_eq!(circuit.verdict, diagrams.verdict, "{number} of\n{text}");
            answered += 1;
        }
    }
    answered
}

#[test]
fn invariants_of_functions_choices_and_relations_are_those_of_diagrams() {
    let text = "
        MODULE main
        VAR phase : {idle, busy, done}; count : 2..9; flag : boolean; w : unsigned word[5];
        FROZENVAR limit : 3..5;
        IVAR go : boolean;
        ASSIGN
          init(phase) := idle;
          next(phase) := case phase = idle & go : busy; phase = busy : {busy, done}; TRUE : phase; esac;
          init(count) := {2, 3};
          next(count) := case count < limit : count + 1; TRUE : count; esac;
          init(w) := 0ud5_1;
          next(w) := w << 1;
        TRANS next(flag) -> (flag | next(phase) = done)
        INIT !flag
        INVARSPEC count <= 5
        INVARSPEC count <= 4
        INVARSPEC flag -> phase = done
        INVARSPEC w != 0ud5_3
        INVARSPEC w != 0ud5_0
        CTLSPEC AG (count <= limit | count = 3)
        LTLSPEC G (count <= 5)
        LTLSPEC F phase = done
        LTLSPEC G (phase = done -> X phase = done)
        LTLSPEC G (phase = done -> O phase = busy)
        LTLSPEC (phase = idle U phase = busy) | G phase = idle
        LTLSPEC (phase = idle U phase = busy)
        LTLSPEC G F (count = limit)
    ";
    assert_eq!(agree(text), 13);
}

#[test]
fn strong_fairness_counts_in_linear_time_and_has_evidence() {
    let text = "
        MODULE main
        VAR turn : 0..2; IVAR go : boolean; stop : boolean;
        ASSIGN init(turn) := 0;
          next(turn) := case stop : 0; go & turn < 2 : turn + 1; TRUE : turn; esac;
        JUSTICE !stop
        COMPASSION (go, turn = 2)
        COMPASSION (turn = 1, go)
        LTLSPEC G F turn = 2
        LTLSPEC G F go -> G F turn = 2
        LTLSPEC G F turn = 1 -> F turn = 2
        LTLSPEC F turn = 2 | F G !go
        LTLSPEC F G turn != 1
        LTLSPEC G (turn = 2 -> O turn = 1)
        SPEC AG AF turn != 1
        SPEC EF turn = 2
    ";
    assert_eq!(agree(text), 7);
}

#[test]
fn a_state_without_successor_is_reachable_nevertheless() {
    let text = "
        MODULE main VAR x : 0..3; y : boolean;
        INIT x = 0
        TRANS x < 2 & next(x) = x + 1
        INVARSPEC x != 2
        INVARSPEC x != 3
        LTLSPEC G x = 0
    ";
    assert_eq!(agree(text), 3);
}

#[test]
fn small_random_models_have_the_answers_of_diagrams() {
    quotient_trial::trial(|u| {
        let expression = |u: &mut quotient_trial::arbitrary::Unstructured<'_>| {
            let atoms = ["a", "b", "c", "n = 1", "n < 2", "i", "!a", "a xor b"];
            let pick =
                |u: &mut quotient_trial::arbitrary::Unstructured<'_>| u.choose(&atoms).copied();
            let joins = ["&", "|", "xor", "->"];
            Ok::<String, quotient_trial::arbitrary::Error>(format!(
                "({} {} {})",
                pick(u)?,
                u.choose(&joins)?,
                pick(u)?
            ))
        };
        let mut text =
            "MODULE main VAR a : boolean; b : boolean; c : boolean; n : 0..2;\nIVAR i : boolean;\n"
                .to_owned();
        text += &format!("ASSIGN next(a) := {};\n", expression(u)?);
        if u.arbitrary()? {
            text += "init(a) := FALSE;\n";
        }
        text += &format!(
            "next(n) := case {} : {{0, 2}}; b : n; TRUE : 1; esac;\n",
            expression(u)?
        );
        text += &format!("TRANS next(b) -> {}\n", expression(u)?);
        text += &format!("TRANS next(c) <-> {}\n", expression(u)?);
        text += "INIT !b & (n = 0 | c)\n";
        text += "INVAR !(a & b & c)\n";
        if u.arbitrary()? {
            text += "JUSTICE a\n";
        }
        if u.ratio(1, 3)? {
            text += "COMPASSION (b, n = 2)\n";
        }
        if u.ratio(1, 5)? {
            text += "COMPASSION (i, a | c)\n";
        }
        for _ in 0..2 {
            let plain = ["a & b", "c -> n = 2", "b | n = 1", "!(a & n = 0)"];
            text += &format!("INVARSPEC !({})\n", u.choose(&plain)?);
            text += &format!("LTLSPEC G F ({})\n", u.choose(&plain)?);
            text += &format!("SPEC !EF ({})\n", u.choose(&plain)?);
            text += &format!("SPEC !EF EG !({})\n", u.choose(&plain)?);
            text += &format!(
                "SPEC AG (({}) -> !E [({}) U ({})])\n",
                u.choose(&plain)?,
                u.choose(&plain)?,
                u.choose(&plain)?
            );
            text += &format!(
                "SPEC !(EX ({}) & {}) & !(EG a | EX EX b)\n",
                u.choose(&plain)?,
                u.choose(&plain)?
            );
            text += &format!(
                "LTLSPEC G (({}) -> X ({}))\n",
                u.choose(&plain)?,
                u.choose(&plain)?
            );
            text += &format!(
                "LTLSPEC ({}) U ({})\n",
                u.choose(&plain)?,
                u.choose(&plain)?
            );
        }
        agree(&text);
        goes_on(&text);
        Ok(())
    })
    .budget_ms(4_000);
}

#[test]
fn wide_models_go_to_the_engine_for_circuits() {
    let mut text = "MODULE main\nVAR ".to_owned();
    for at in 0..4 {
        text += &format!("w{at} : unsigned word[32];\n");
    }
    text += "ASSIGN\n";
    for at in 0..4 {
        text += &format!("init(w{at}) := 0ud32_{at}; next(w{at}) := w{at} + 0ud32_4;\n");
    }
    text += "INVARSPEC w0[0:0] = 0ud1_0 & w1[0:0] = 0ud1_1\n";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let cx = Context::default();
    let program = file.program();
    let mut circuit = AsCircuit::of_many_bits(program, 1, &cx).unwrap().unwrap();
    let asked = &program.specifications()[0];
    let answer = circuit.check(program, asked, &cx).unwrap().unwrap();
    assert_eq!(answer.verdict, Verdict::Holds);
    let evidence = answer.proof.unwrap().evidence();
    assert!(
        program
            .certify(asked, &evidence, false, &Budget::unlimited())
            .is_ok()
    );
}

#[test]
fn models_that_go_on_are_known_to_do_so() {
    let certain = [
        // Free variables with values that no code has, and inputs.
        "VAR x : 0..2; y : {a, b, c}; IVAR i : 0..4; ASSIGN next(x) := i = 3 ? 2 : x;",
        // What is reached is legal, though other states lead out of it.
        "VAR x : 0..3; INVAR x != 2 ASSIGN init(x) := 0; next(x) := case x = 0 : 1; x = 1 : 0; TRUE : 2; esac;",
        "FROZENVAR k : 0..4; VAR x : 0..4; INIT x = k ASSIGN next(x) := k;",
        "VAR x : 0..4; INVAR x < 3",
    ];
    for text in certain {
        assert!(goes_on(&format!("MODULE main {text}\n")), "{text}");
    }
    let doubtful = [
        "VAR x : 0..3; ASSIGN init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : 0; esac; INVAR x != 2",
        "VAR x : 0..3; INIT x = 0 & x = 1",
        "VAR x : boolean; JUSTICE x ASSIGN init(x) := FALSE; next(x) := FALSE;",
        "VAR x : 0..3; TRANS next(x) > x",
        "VAR x : boolean; y : boolean; INVAR x != y ASSIGN init(x) := TRUE; next(x) := FALSE; next(y) := FALSE;",
    ];
    for text in doubtful {
        assert!(!goes_on(&format!("MODULE main {text}\n")), "{text}");
    }
}

#[test]
fn what_takes_several_steps_to_show_is_shown() {
    // Only after three steps without it is it certain not to come.
    let text = "
        MODULE main
        VAR a : boolean; b : boolean; c : boolean; d : boolean; n : 0..5;
        ASSIGN
          init(a) := FALSE; init(b) := FALSE; init(c) := FALSE; init(d) := FALSE;
          next(a) := a; next(b) := a; next(c) := b; next(d) := c;
          init(n) := 0; next(n) := case n < 4 : n + 1; TRUE : 0; esac;
        INVARSPEC !d
        INVARSPEC n != 5 | d
    ";
    for (circuit, _) in both(text) {
        assert!(circuit.is_some_and(|one| one.certificate.is_some() || one.proof.is_some()));
    }
    assert_eq!(agree(text), 2);
}

/// What is certain of each bit once it is of those below is checked bit by bit.
#[test]
fn sums_of_wide_words_are_certified() {
    let text = "MODULE main VAR a : unsigned word[128]; b : unsigned word[128]; IVAR k : unsigned word[128];
        ASSIGN init(a) := 0ud128_7; init(b) := 0ud128_7;
          next(a) := a * 0ud128_5 + k; next(b) := (b << 2) + b + k;
        INVARSPEC a = b";
    let file = File::read(&Source::new("m.smv", text)).unwrap();
    let cx = Context::default();
    let program = file.program();
    let mut circuit = AsCircuit::new(program, 1, &cx).unwrap();
    let asked = &program.specifications()[0];
    let answer = circuit.check(program, asked, &cx).unwrap().unwrap();
    let set = answer.certificate.unwrap();
    let certify = |set: &quotient_symbolic::Certificate| {
        program.certify(asked, &set.evidence(), false, &Budget::unlimited())
    };
    assert!(certify(&set).is_ok());
    let mut half = set.clone();
    half.nodes.truncate(half.nodes.len() / 4 * 2);
    half.root = 2 * half.nodes.len() as u32;
    assert!(certify(&half).is_err());
}
